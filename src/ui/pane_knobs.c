/* The knobs of hogs and victim: name, value, and a slider that shows where in the range the value stands. */
#include "base/units.h"
#include "ui/panes.h"

#include <stdio.h>
#include <string.h>

#define NAME_WIDTH 8
#define VALUE_WIDTH 8
#define SLIDER_LEAST 6

static void slider(const struct canvas *c, int row, int col, int width, int ink, double at)
{
	int knob = (int)(at * (width - 1) + 0.5);

	canvas_repeat(c, row, col, knob, ink, "━");
	canvas_repeat(c, row, col + knob, width - knob, INK_DIM, "─");
	canvas_text(c, row, col + knob, 1, ink | INK_BOLD, "●");
}

/* What the kernel reports where it is not what was asked: "is 19", or "mixed". */
static void note_nice(char *buf, size_t size, const struct snapshot *s, int group, long asked)
{
	const struct snapshot_thread *first = NULL;
	bool mixed = false;

	for (size_t i = 0; i < s->nthreads; i++) {
		if (s->threads[i].group != group || !s->threads[i].nice_known)
			continue;
		first = first ? first : &s->threads[i];
		mixed |= s->threads[i].nice_actual != first->nice_actual;
	}
	if (mixed)
		snprintf(buf, size, "mixed");
	else if (first && first->nice_actual != asked)
		snprintf(buf, size, "is %d", first->nice_actual);
}

/* What the block layer uses where it is not what was asked, or nothing was. */
static void note_ionice(char *buf, size_t size, const struct snapshot *s, int group, long asked)
{
	char now[24];

	for (size_t i = 0; i < s->nthreads; i++) {
		const struct snapshot_thread *t = &s->threads[i];
		if (t->group != group || !t->ioprio_known)
			continue;
		ioprio_format(now, sizeof(now), t->ioprio_effective);
		if (asked <= 0)
			snprintf(buf, size, "%s (nice)", now);
		else if (!ioprio_same((int)asked, t->ioprio_actual, t->nice_actual, t->policy))
			snprintf(buf, size, "is %s", now);
		return;
	}
}

/* What stands beside a value instead of a slider; often nothing. */
static void note(char *buf, size_t size, const struct snapshot *s, enum view_pane pane,
		 const struct view_knob *k)
{
	int group = snapshot_group_of(s, pane == PANE_VICTIM);
	long asked = view_knob_value(s, pane, k);

	buf[0] = '\0';
	if (k->knob == KNOB_NICE_VALUE)
		note_nice(buf, size, s, group, asked);
	else if (k->knob == KNOB_IONICE)
		note_ionice(buf, size, s, group, asked);
	else if (k->knob == KNOB_CPUS)
		cpulist_format(buf, size, &s->cpus);
}

static void knob_row(const struct canvas *c, const struct rect *r, int row, const struct snapshot *s,
		     enum view_pane pane, const struct view_knob *k, bool selected, bool focused)
{
	int ink = ink_of_role(pane == PANE_VICTIM), left = r->col + 2 + NAME_WIDTH + VALUE_WIDTH + 1;
	int room = r->col + r->cols - left - 1;
	long value = view_knob_value(s, pane, k);
	double at = knob_position(k->knob, value);
	bool wordy = knob_info(k->knob)->type == KNOB_CHOICE;
	char text[32], beside[48];

	knob_format(text, sizeof(text), k->knob, value);
	note(beside, sizeof(beside), s, pane, k);
	if (canvas_width(beside) > room) /* "be/4 (nice)" may shrink to "be/4", not to "be/4 (n" */
		beside[strcspn(beside, " ")] = '\0';
	canvas_text(c, row, r->col, 1, ink | INK_BOLD, "%s", selected && focused ? "▸" : " ");
	canvas_text(c, row, r->col + 1, NAME_WIDTH, selected && focused ? INK_STRONG : INK_TEXT, "%s",
		    view_knob_name(s, pane, k));
	if (wordy) {
		int used = canvas_text(c, row, r->col + 2 + NAME_WIDTH, r->cols - NAME_WIDTH - 3,
				       ink | INK_BOLD, "%s", text);
		if (k->knob == KNOB_CPUS)
			canvas_text(c, row,
				    left > r->col + 3 + NAME_WIDTH + used ? left
									  : r->col + 3 + NAME_WIDTH + used,
				    room, INK_DIM, "%s", beside);
		return;
	}
	canvas_text_right(c, row, left - 1, VALUE_WIDTH, ink | INK_BOLD, "%s", text);
	if (beside[0])
		canvas_text(c, row, left, room, INK_DIM, "%s", beside);
	else if (at >= 0 && room >= SLIDER_LEAST)
		slider(c, row, left, room, ink, at);
}

/* What the group is doing, for the right end of its title. */
static void group_words(char *buf, size_t size, const struct snapshot_group *g)
{
	const char *kind = load_kind(g->kind)->words;

	if (g->is_victim)
		snprintf(buf, size, "%s", g->fault[0] ? "STOPPED" : g->preparing ? "prepares" : kind);
	else if (g->held)
		snprintf(buf, size, "%u held", g->running);
	else if (g->paused)
		snprintf(buf, size, "%u PAUSED", g->running);
	else if (g->fault[0])
		snprintf(buf, size, "%u stopped", g->refused);
	else if (g->refused)
		snprintf(buf, size, "%u refused", g->refused);
	else if (g->knobs[KNOB_COUNT] > (long)g->room)
		snprintf(buf, size, "%u of %ld have room", g->room, g->knobs[KNOB_COUNT]);
	else if (g->preparing)
		snprintf(buf, size, "%u prepare", g->preparing);
	else
		snprintf(buf, size, "%u × %s", g->running, kind);
}

void pane_knobs(const struct canvas *c, const struct rect *r, const struct view *v, const struct snapshot *s,
		enum view_pane pane)
{
	int group = snapshot_group_of(s, pane == PANE_VICTIM), ink = ink_of_role(pane == PANE_VICTIM);
	int rows = r->rows - 1, first = v->row[pane] >= rows ? v->row[pane] - rows + 1 : 0;
	/* The pane that the keys go to is marked. */
	static const char *const titles[2][2] = {{"Hogs", "▸Hogs"}, {"Victim", "▸Victim"}};
	char right[48] = "none";

	if (group >= 0)
		group_words(right, sizeof(right), &s->groups[group]);
	canvas_title(c, r, ink, titles[pane == PANE_VICTIM][v->pane == pane], right);
	for (int i = 0; i < rows && view_knob(s, pane, first + i) && group >= 0; i++)
		knob_row(c, r, r->row + 1 + i, s, pane, view_knob(s, pane, first + i),
			 first + i == v->row[pane], v->pane == pane);
}
