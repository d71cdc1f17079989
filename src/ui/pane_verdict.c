/* The verdict bar: what is wrong with an asked priority, why, and what to do; or that nothing is. */
#include "ui/panes.h"

#include <stdio.h>
#include <string.h>

char *verdict_whom(char *buf, size_t size, const struct snapshot *s, const struct snapshot_verdict *v)
{
	const struct snapshot_group *g = &s->groups[v->group];
	char name[32] = "?";

	for (size_t i = 0; i < s->nthreads; i++)
		if (s->threads[i].tid == v->tid)
			snapshot_thread_name(name, sizeof(name), s, &s->threads[i]);
	if (v->count == 1)
		snprintf(buf, size, "%s", name);
	else if (v->count >= g->threads)
		snprintf(buf, size, "%s, %u threads", g->is_victim ? "victim" : "hogs", v->count);
	else
		snprintf(buf, size, "%s and %u more", name, v->count - 1);
	return buf;
}

int canvas_paragraph(const struct canvas *c, const struct rect *r, int row, int most, int ink,
		     const char *text)
{
	int lines = 0;

	for (; *text && lines < most; lines++) {
		int len = canvas_wrap(text, r->cols);
		bool cut = lines + 1 == most && text[len];
		int used = canvas_text(c, row + lines, r->col, r->cols, ink, "%.*s", len, text);
		if (cut)
			canvas_text(c, row + lines, used + 3 > r->cols ? r->col + r->cols - 3 : r->col + used,
				    3, ink, "...");
		text += len;
	}
	return lines;
}

/* It may have stopped: without files, without room. */
static bool victim_is_there(const struct snapshot *s)
{
	const struct snapshot_group *g = first_victim(s);

	return g && g->running > 0;
}

/* Every asked priority holds, and every rule has been asked. */
static void all_is_well(const struct canvas *c, const struct rect *r, const struct rect *in,
			const struct snapshot *s)
{
	char text[128];

	canvas_title(c, r, INK_STRONG, "Verdict", "");
	if (s->phase == PHASE_RUNNING && !victim_is_there(s))
		canvas_text(c, r->row + 1, in->col, in->cols, INK_DIM,
			    "the victim is not there: nothing can be said of it");
	else if (s->phase == PHASE_RUNNING && s->judged) {
		snprintf(
			text, sizeof(text),
			"every asked priority holds on %s%zu thread%s, and nothing found here makes one moot",
			s->nthreads == 1 ? "the " : "all ", s->nthreads, s->nthreads == 1 ? "" : "s");
		canvas_paragraph(c, in, r->row + 1, r->rows - 1, INK_GOOD, text);
	} else
		canvas_text(c, r->row + 1, in->col, in->cols, INK_DIM, "%s",
			    s->phase == PHASE_RUNNING ? "looking ..."
			    : s->phase == PHASE_LOST  ? "nobody is there to be judged"
						      : "after the baseline");
}

/* What f would do, in a key's colours, and where this one stands among all. */
static void title(const struct canvas *c, const struct rect *r, const struct view *v,
		  const struct snapshot *s, const struct snapshot_verdict *now, size_t place)
{
	char left[96], right[64], whom[64], fix[64] = "";
	bool note = now->status == STATUS_APPLIED;
	int col, room;

	verdict_whom(whom, sizeof(whom), s, now);
	snprintf(left, sizeof(left), "%s%s %s · %s", v->pane == PANE_VERDICT ? "▸" : "",
		 note ? "note" : status_word(now->status), verdict_info(now->rule)->code, whom);
	snprintf(fix, sizeof(fix), " %s ", verdict_fix_words(now->fix));
	snprintf(right, sizeof(right), "Enter more · %zu of %zu", place + 1, s->nverdicts + s->verdicts_more);
	room = r->cols - canvas_width(left) - 14;
	if (now->fix != FIX_NONE && canvas_width(right) + canvas_width(fix) > room)
		snprintf(right, sizeof(right), "Enter · %zu/%zu", place + 1, s->nverdicts + s->verdicts_more);
	if (canvas_width(right) + canvas_width(fix) > room)
		snprintf(fix, sizeof(fix), " fix ");
	canvas_title(c, r, note ? INK_DIM : ink_of_status(now->status) | INK_BOLD, left, right);
	if (now->fix == FIX_NONE || canvas_width(right) + canvas_width(fix) > room)
		return;
	col = r->col + r->cols - canvas_width(right) - 5 - canvas_width(fix) - 3;
	canvas_text(c, r->row, col, 1, INK_TEXT, " ");
	canvas_text(c, r->row, col + 1, 1, INK_KEY | INK_BOLD, "f");
	canvas_text(c, r->row, col + 2, canvas_width(fix), note ? INK_DIM : INK_STRONG, "%s", fix);
}

void pane_verdict(const struct canvas *c, const struct rect *r, const struct view *v,
		  const struct snapshot *s)
{
	size_t place;
	const struct snapshot_verdict *now = view_verdict(v, s, &place);
	struct rect in = {r->row, r->col + 1, r->rows, r->cols - 2};
	int room = r->rows - 1, used;

	if (!now) {
		all_is_well(c, r, &in, s);
		return;
	}
	title(c, r, v, s, now, place);
	used = canvas_paragraph(c, &in, r->row + 1, room > 2 ? 2 : room,
				now->status == STATUS_APPLIED ? INK_DIM : INK_TEXT, now->why);
	if (room - used > 0) {
		char remedy[SNAPSHOT_TEXT + 8];
		snprintf(remedy, sizeof(remedy), "→ %s", now->remedy);
		canvas_paragraph(c, &in, r->row + 1 + used, room - used, INK_GOOD, remedy);
	}
}
