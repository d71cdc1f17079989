/* The knobs of hogs and victim: name, value, and a slider that shows where in the range the value stands. */
#include "base/units.h"
#include "ui/panes.h"

#include <stdio.h>
#include <string.h>

#define NAME_WIDTH 9
#define VALUE_WIDTH 7
#define SLIDER_LEAST 6

static void slider(const struct canvas *c, int row, int col, int width, int ink, double at)
{
	int knob = (int)(at * (width - 1) + 0.5);

	canvas_repeat(c, row, col, knob, ink, "━");
	canvas_repeat(c, row, col + knob, width - knob, INK_DIM, "─");
	canvas_text(c, row, col + knob, 1, ink | INK_BOLD, "●");
}

/* What stands beside a value that is no slider. */
static void note(char *buf, size_t size, const struct snapshot *s, enum view_pane pane,
		 const struct view_knob *k)
{
	int group = snapshot_group_of(s, pane == PANE_VICTIM);
	char list[32];

	buf[0] = '\0';
	if (k->knob == KNOB_IONICE && view_knob_value(s, pane, k) <= 0) {
		for (size_t i = 0; i < s->nthreads; i++)
			if (s->threads[i].group == group && s->threads[i].ioprio_known) {
				ioprio_format(list, sizeof(list), s->threads[i].ioprio_effective);
				snprintf(buf, size, "%s (nice)", list);
				break;
			}
	} else if (k->knob == KNOB_CPUS)
		snprintf(buf, size, "%s", cpulist_format(list, sizeof(list), &s->cpus));
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
		    knob_info(k->knob)->name);
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
		snprintf(buf, size, "%s", kind);
	else if (g->held)
		snprintf(buf, size, "stopped for the baseline");
	else if (g->paused)
		snprintf(buf, size, "PAUSED");
	else if (g->refused)
		snprintf(buf, size, "%u run, %u refused", g->running, g->refused);
	else
		snprintf(buf, size, "%u × %s", g->running, kind);
}

void pane_knobs(const struct canvas *c, const struct rect *r, const struct view *v, const struct snapshot *s,
		enum view_pane pane)
{
	int group = snapshot_group_of(s, pane == PANE_VICTIM), ink = ink_of_role(pane == PANE_VICTIM);
	int rows = r->rows - 1, first = v->row[pane] >= rows ? v->row[pane] - rows + 1 : 0;
	char right[48] = "none";

	if (group >= 0)
		group_words(right, sizeof(right), &s->groups[group]);
	canvas_title(c, r, ink, pane == PANE_VICTIM ? "Victim" : "Hogs", right);
	for (int i = 0; i < rows && view_knob(pane, first + i) && group >= 0; i++)
		knob_row(c, r, r->row + 1 + i, s, pane, view_knob(pane, first + i), first + i == v->row[pane],
			 v->pane == pane);
}
