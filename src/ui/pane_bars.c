/* The status line (what is being typed, what went wrong, what was just done) and the footer with the keys. */
#include "base/clock.h"
#include "ui/commands.h"
#include "ui/panes.h"

#include <stdio.h>
#include <string.h>

#define NEWS_TIME (6 * NS_PER_SEC)

/* Whom a prompt's value goes to: "victim ", "thread 4711 ", or nobody in particular. */
static void prompt_whom(char *buf, size_t size, const struct view_prompt *p, const struct snapshot *s)
{
	buf[0] = '\0';
	if (p->tid)
		snprintf(buf, size, "thread %d ", (int)p->tid);
	else if (p->group >= 0)
		snprintf(buf, size, "%s ", s->groups[p->group].is_victim ? "victim" : "hogs");
}

static void prompt_line(const struct canvas *c, const struct rect *r, const struct view *v,
			const struct snapshot *s)
{
	const struct view_prompt *p = &v->prompt;
	char limits[64], whom[32];
	int used;

	prompt_whom(whom, sizeof(whom), p, s);
	if (p->is_filter)
		used = canvas_text(c, r->row, 1, r->cols, INK_STRONG, "show threads with: ");
	else
		used = canvas_text(c, r->row, 1, r->cols, INK_STRONG, "%s%s: ", whom,
				   knob_info(p->knob)->name);
	used += canvas_text(c, r->row, 1 + used, r->cols, INK_VICTIM | INK_BOLD, "%s", p->typed);
	canvas_text(c, r->row, 1 + used, 1, INK_TEXT | INK_REVERSE, " ");
	if (p->is_filter)
		canvas_text(c, r->row, 3 + used, r->cols, INK_DIM,
			    "name, tid, status or verdict; Enter filters, Esc cancels");
	else if (p->refused)
		canvas_text(c, r->row, 3 + used, r->cols, INK_WARNING, "! not accepted: %s",
			    knob_limits(limits, sizeof(limits), p->knob));
	else
		canvas_text(c, r->row, 3 + used, r->cols, INK_DIM, "%s; Enter sets, Esc cancels",
			    knob_limits(limits, sizeof(limits), p->knob));
}

/* A line that does not fit takes the line above it too: what to do about a problem must not be cut. */
static void long_line(const struct canvas *c, const struct rect *r, int ink, const char *head,
		      const char *text)
{
	int lead = canvas_width(head), room = r->cols - lead, first = canvas_wrap(text, room);
	bool two = text[first] && c->rows >= 14;
	int row = r->row - two;

	if (two)
		canvas_repeat(c, row, 0, r->cols, INK_TEXT, " ");
	canvas_text(c, row, 0, r->cols, ink | INK_BOLD, "%s", head);
	canvas_text(c, row, lead, room, INK_TEXT, "%.*s", two ? first : (int)strlen(text), text);
	if (two)
		canvas_text(c, r->row, 2, r->cols - 2, INK_TEXT, "%s", text + first);
}

/* A problem stands as long as it lasts, but the newest word of the engine may cover it for a moment. */
static bool news_line(const struct canvas *c, const struct rect *r, const struct snapshot *s,
		      enum journal_level least)
{
	const struct journal_entry *e = s->njournal ? &s->journal[0] : NULL;

	if (!e || s->at - e->at > NEWS_TIME || e->level < least)
		return false;
	long_line(c, r, e->level == JOURNAL_WARNING ? INK_WARNING : INK_TEXT,
		  e->level == JOURNAL_WARNING ? "! " : "  ", e->text);
	return true;
}

/* On a small screen the verdict is one line here. */
static bool verdict_line(const struct canvas *c, const struct rect *r, const struct view *v,
			 const struct snapshot *s)
{
	const struct snapshot_verdict *now = view_verdict(v, s, NULL);
	char head[64];

	if (!now || now->status == STATUS_APPLIED)
		return false;
	snprintf(head, sizeof(head), "! %s %s%s: ", status_word(now->status), verdict_info(now->rule)->code,
		 now->fix == FIX_NONE ? "" : " [f]");
	long_line(c, r, ink_of_status(now->status), head, now->why);
	return true;
}

/* Something newer has happened than what the message answered. */
static bool is_outdated(const struct view *v, const struct snapshot *s)
{
	return s->njournal && s->journal[0].at > v->message_at;
}

void pane_status(const struct canvas *c, const struct rect *r, const struct view *v, const struct snapshot *s,
		 bool has_bar)
{
	if (v->mode == MODE_PROMPT) {
		prompt_line(c, r, v, s);
		return;
	}
	if (v->message[0] && s->at < v->message_until && !is_outdated(v, s)) {
		long_line(c, r, INK_WARNING, "! ", v->message);
		return;
	}
	if (s->phase == PHASE_LOST && news_line(c, r, s, JOURNAL_WARNING))
		return;
	if (!has_bar && verdict_line(c, r, v, s))
		return;
	if (!news_line(c, r, s, JOURNAL_INFO) && s->phase == PHASE_RUNNING)
		canvas_text(c, r->row, 1, r->cols, INK_DIM,
			    "Tab, Up, Down select · Left, Right turn the knob · digits type · F1 all keys");
}

/* "F8 Nice+": the first key of a command and its label. What is not allowed here is dim. */
static int footer_item(const struct canvas *c, int row, int col, int end, const struct ui_command_info *info,
		       bool allowed)
{
	char key[8];
	size_t len = strcspn(info->keys, " ");
	int from = col;

	snprintf(key, sizeof(key), "%.*s", (int)(len < sizeof(key) ? len : sizeof(key) - 1), info->keys);
	if (col + (int)len + canvas_width(info->label) + 1 > end)
		return 0;
	col += canvas_text(c, row, col, end - col, allowed ? INK_KEY | INK_BOLD : INK_DIM, "%s", key);
	col += canvas_text(c, row, col, end - col, allowed ? INK_TEXT : INK_DIM, "%s ", info->label);
	return col - from;
}

/* Whether the kernel would let nicelab take one off the nice of what is selected. */
static bool may_raise(const struct view *v, const struct snapshot *s)
{
	const struct snapshot_thread *t = view_thread(v, s);
	int group = view_group(v, s);
	long now = group < 0 ? 0 : s->groups[group].knobs[KNOB_NICE_VALUE];

	if (v->pane == PANE_THREADS && t)
		now = t->nice_actual;
	return s->host.may_lower_nice || now - 1 >= host_nice_floor(&s->host);
}

static bool can_fix(const struct view *v, const struct snapshot *s)
{
	const struct snapshot_verdict *now = view_verdict(v, s, NULL);

	return now && now->fix != FIX_NONE;
}

/* The highest rank whose commands all fit with those above it. */
static int footer_ranks(int room)
{
	int most = 0;

	for (int rank = 1; rank <= 10; rank++) {
		for (int i = 0; i < UI_COMMAND_COUNT; i++) {
			const struct ui_command_info *info = ui_command((enum ui_command)i);
			if (info->rank == rank)
				room -= (int)strcspn(info->keys, " ") + canvas_width(info->label) + 1;
		}
		if (room < 0)
			break;
		most = rank;
	}
	return most;
}

void pane_footer(const struct canvas *c, const struct rect *r, const struct view *v, const struct snapshot *s)
{
	int most = footer_ranks(r->cols), col = 0;

	for (int i = 0; i < UI_COMMAND_COUNT; i++) {
		const struct ui_command_info *info = ui_command((enum ui_command)i);
		bool allowed = i == UI_RAISE ? may_raise(v, s) : i != UI_FIX || can_fix(v, s);
		if (info->rank && info->rank <= most)
			col += footer_item(c, r->row, col, r->cols, info, allowed);
	}
}
