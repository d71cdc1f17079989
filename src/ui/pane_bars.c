/* The status line (what is being typed, what went wrong, what was just done) and the footer with the keys. */
#include "base/clock.h"
#include "ui/commands.h"
#include "ui/panes.h"

#include <stdio.h>
#include <string.h>

#define NEWS_TIME (6 * NS_PER_SEC)

/* The thread that is worst off among those that have something to say. */
static const struct snapshot_thread *worst_thread(const struct snapshot *s)
{
	const struct snapshot_thread *worst = NULL;
	enum status worst_status = STATUS_PENDING;

	for (size_t i = 0; i < s->nthreads; i++) {
		enum status st = status_worse(s->threads[i].nice_status, s->threads[i].ioprio_status);
		if (st > worst_status && s->threads[i].reason[0]) {
			worst = &s->threads[i];
			worst_status = st;
		}
	}
	return worst;
}

static void prompt_line(const struct canvas *c, const struct rect *r, const struct view *v,
			const struct snapshot *s)
{
	const struct view_prompt *p = &v->prompt;
	char limits[48], whom[32] = "";
	int used;

	if (p->is_filter)
		used = canvas_text(c, r->row, 1, r->cols, INK_STRONG, "show threads with: ");
	else {
		if (p->tid)
			snprintf(whom, sizeof(whom), "thread %d ", (int)p->tid);
		else if (p->group >= 0)
			snprintf(whom, sizeof(whom), "%s ",
				 s->groups[p->group].is_victim ? "victim" : "hogs");
		if (p->knob == KNOB_NICE_VALUE)
			snprintf(limits, sizeof(limits), "-20 to 19");
		else
			knob_limits(limits, sizeof(limits), p->knob);
		used = canvas_text(c, r->row, 1, r->cols, INK_STRONG, "%s%s (%s): ", whom,
				   knob_info(p->knob)->name, limits);
	}
	used += canvas_text(c, r->row, 1 + used, r->cols, INK_VICTIM | INK_BOLD, "%s", p->typed);
	canvas_text(c, r->row, 1 + used, 1, INK_TEXT | INK_REVERSE, " ");
	canvas_text(c, r->row, 3 + used, r->cols, INK_DIM, "Enter sets, Esc cancels");
}

/* A problem stands as long as it lasts, but the newest word of the engine may cover it for a moment. */
static bool news_line(const struct canvas *c, const struct rect *r, const struct snapshot *s,
		      enum journal_level least)
{
	const struct journal_entry *e = s->njournal ? &s->journal[0] : NULL;

	if (!e || s->at - e->at > NEWS_TIME || e->level < least)
		return false;
	canvas_text(c, r->row, 0, r->cols, e->level == JOURNAL_WARNING ? INK_WARNING : INK_TEXT, "%s %s",
		    e->level == JOURNAL_WARNING ? "!" : " ", e->text);
	return true;
}

static bool problem_line(const struct canvas *c, const struct rect *r, const struct snapshot *s)
{
	const struct snapshot_thread *t = worst_thread(s);
	char name[32];
	int used;

	if (!t)
		return false;
	enum status st = status_worse(t->nice_status, t->ioprio_status);
	used = canvas_text(c, r->row, 0, r->cols, ink_of_status(st) | INK_BOLD, "! %s ", status_word(st));
	used += canvas_text(c, r->row, used, r->cols, INK_STRONG,
			    "%s: ", snapshot_thread_name(name, sizeof(name), s, t));
	canvas_text(c, r->row, used, r->cols, INK_TEXT, "%s", t->reason);
	return true;
}

void pane_status(const struct canvas *c, const struct rect *r, const struct view *v, const struct snapshot *s)
{
	if (v->mode == MODE_PROMPT) {
		prompt_line(c, r, v, s);
		return;
	}
	if (v->message[0] && s->at < v->message_until) {
		canvas_text(c, r->row, 1, r->cols, INK_WARNING, "%s", v->message);
		return;
	}
	if (s->phase == PHASE_LOST && news_line(c, r, s, JOURNAL_WARNING))
		return;
	if (problem_line(c, r, s))
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
		bool allowed = i != UI_RAISE || may_raise(v, s);
		if (info->rank && info->rank <= most)
			col += footer_item(c, r->row, col, r->cols, info, allowed);
	}
}
