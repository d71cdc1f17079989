/* The arithmetic for a teacher: who stands where with which weight, the formula with the figures of this moment, and the measurement beside it. */
#include "base/units.h"
#include "ui/panes.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

static const char *role(const struct snapshot *s, const struct theory_row *row)
{
	return s->groups[row->group].is_victim ? "victim" : "hogs";
}

static void share_words(char *buf, size_t size, const struct theory_row *row)
{
	char low[16], high[16];

	units_format_share(low, sizeof(low), row->low);
	units_format_share(high, sizeof(high), row->high);
	if (strcmp(low, high) == 0)
		snprintf(buf, size, "%s", low);
	else
		snprintf(buf, size, "%.0f-%s", row->low * 100, high);
}

#define CELLS 8

/* One line of the table: the place takes what the figures leave; on a narrow screen only the figures that the formula needs. */
static void cells(const struct canvas *c, const struct rect *in, int y, int ink,
		  const char *const text[CELLS])
{
	static const int wide[CELLS] = {11, -1, 4, 8, 6, 6, 9, 8}, narrow[CELLS] = {11, 0, 0, 0, 6, 0, 9, 8};
	const int *widths = in->cols >= 60 ? wide : narrow;
	int col = in->col, spare = in->cols;

	for (int i = 0; i < CELLS; i++)
		spare -= widths[i] > 0 ? widths[i] + 1 : 0;
	for (int i = 0; i < CELLS; i++) {
		int width = widths[i] < 0 ? spare : widths[i];
		if (width == 0)
			continue;
		if (i < 2 || i == 3)
			canvas_text(c, y, col, width, ink, "%s", text[i]);
		else
			canvas_text_right(c, y, col + width, width, ink, "%s", text[i]);
		col += width + 1;
	}
}

static void row_line(const struct canvas *c, const struct rect *in, int y, const struct snapshot *s,
		     const struct theory_row *row)
{
	char who[32], nice[8], policy[16], weight[16], share[32], measured[16] = "–", used[16] = "–";

	snprintf(who, sizeof(who), "%s × %u", role(s, row), row->threads);
	snprintf(nice, sizeof(nice), "%d", row->nice);
	policy_format(policy, sizeof(policy), row->policy);
	snprintf(weight, sizeof(weight), "%.0f", row->weight);
	share_words(share, sizeof(share), row);
	if (row->measured.known)
		units_format_share(measured, sizeof(measured), row->measured.value);
	if (row->used.known)
		snprintf(used, sizeof(used), "%.0f", row->used.value);
	const char *const text[CELLS] = {
		who, row->place[0] ? row->place : "the top", nice, policy, weight, used, share, measured};
	cells(c, in, y, ink_of_role(s->groups[row->group].is_victim) | INK_BOLD, text);
}

/* "2 x 15 + 6 x 1024", over rows of one place. */
static void sum_words(char *buf, size_t size, const struct snapshot_theory *th)
{
	size_t used = 0;

	for (size_t i = 0; i < th->nrows && used < size; i++)
		used += (size_t)snprintf(buf + used, size - used, "%s%u × %.0f", i ? " + " : "",
					 th->rows[i].threads, th->rows[i].weight);
}

static const struct theory_row *victim_row(const struct snapshot *s)
{
	for (size_t i = 0; i < s->theory.nrows; i++)
		if (s->groups[s->theory.rows[i].group].is_victim)
			return &s->theory.rows[i];
	return NULL;
}

static unsigned threads_beside(const struct theory_row *row)
{
	return row->places ? row->threads / row->places : row->threads;
}

/* All in one group: weights beside weights. */
static int one_place(const struct canvas *c, const struct rect *in, int y, const struct snapshot_theory *th,
		     const struct theory_row *row)
{
	double plain = row->weight / th->total_weight * th->cpus;
	char text[320], sum[128], share[32];
	size_t len;

	sum_words(sum, sizeof(sum), th);
	share_words(share, sizeof(share), row);
	snprintf(text, sizeof(text), "weight / sum of weights × CPUs = %.0f / (%s) × %u = %.2f %%",
		 row->weight, sum, th->cpus, plain * 100);
	len = strlen(text);
	if (plain > row->share * 1.01 || plain < row->share * 0.99)
		snprintf(text + len, sizeof(text) - len,
			 "; a thread has one CPU at most, and what it leaves goes to the others: %s", share);
	return canvas_paragraph(c, in, y, 3, INK_THEORY | INK_BOLD, text);
}

/* In several: first the group's part, then the thread's part of that. */
static int many_places(const struct canvas *c, const struct rect *in, int y, const struct snapshot_theory *th,
		       const struct theory_row *row)
{
	char text[320], share[32];
	int lines;

	share_words(share, sizeof(share), row);
	snprintf(text, sizeof(text),
		 "first its group: %.0f / %.0f × %u CPUs = %.3f CPUs; then the thread in it: %.0f of %u × "
		 "%.0f = %.2f %%",
		 row->place_weight, th->total_weight, th->cpus,
		 row->place_weight / th->total_weight * th->cpus, row->weight, threads_beside(row),
		 row->weight, row->share * 100);
	lines = canvas_paragraph(c, in, y, 3, INK_THEORY | INK_BOLD, text);
	if (row->high - row->low < 0.0005)
		return lines;
	snprintf(text, sizeof(text),
		 "on several CPUs a group's weight follows its load on each: %s, by who sits where", share);
	return lines + canvas_paragraph(c, in, y + lines, 2, INK_THEORY, text);
}

static void result(const struct canvas *c, const struct rect *in, int y, const struct snapshot *s)
{
	const struct snapshot_latency *l = &first_victim(s)->latency;
	char predicted[24] = "–", measured[24] = "–";

	theory_words(predicted, sizeof(predicted), l, in->cols);
	if (l->ratio.known)
		units_format_ratio(measured, sizeof(measured), l->ratio.value);
	int used = canvas_text(c, y, in->col, in->cols, INK_THEORY | INK_BOLD, "slowdown: alone / share = %s",
			       predicted);
	canvas_text(c, y, in->col + used + 3, in->cols - used - 3, INK_VICTIM | INK_BOLD, "measured p50 %s%s",
		    measured, l->mixed_ns ? " (old samples too: z)" : "");
}

void overlay_theory(const struct canvas *c, const struct snapshot *s)
{
	const struct snapshot_theory *th = &s->theory;
	const struct theory_row *victim = victim_row(s);
	struct rect r =
		overlay_frame(c, (int)th->nrows + 12, 90, "The arithmetic of this moment · T or Esc closes");
	struct rect in = {r.row, r.col + 2, r.rows, r.cols - 4};
	int y = r.row + (c->rows >= 20 ? 2 : 1);

	if (!th->known) {
		char text[160];
		snprintf(text, sizeof(text), "No prediction: %s.",
			 th->why_not ? th->why_not : "no worker runs");
		canvas_paragraph(c, &in, y, 3, INK_TEXT, text);
		return;
	}
	static const char *const heads[CELLS] = {"who",	   "competes in", "nice",   "policy",
						 "weight", "in use",	  "theory", "measured"};
	cells(c, &in, y++, INK_STRONG, heads);
	for (size_t i = 0; i < th->nrows && y < r.row + r.rows - 5; i++)
		row_line(c, &in, y++, s, &th->rows[i]);
	if (th->more)
		canvas_text(c, y++, in.col, in.cols, INK_DIM, "and more, of other weights");
	y += c->rows >= 20;
	if (victim && y < r.row + r.rows - 2) {
		y += th->one_place ? one_place(c, &in, y, th, victim) : many_places(c, &in, y, th, victim);
		if (y < r.row + r.rows - 1)
			result(c, &in, y++, s);
	}
	y++;
	if (y < r.row + r.rows - 2)
		canvas_paragraph(c, &in, y, r.row + r.rows - 1 - y > 2 ? 2 : r.row + r.rows - 1 - y, INK_DIM,
				 "weight = 1024 / 1.25^nice, from a table of the kernel: -20 88761, -10 "
				 "9548, 0 1024, 5 335, 10 110, 19 15; "
				 "policy IDLE 3. In use: se.load.weight of /proc/PID/sched.");
}
