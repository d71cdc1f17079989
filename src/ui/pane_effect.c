/* The effect: measured slowdown and time split of the victim, beside what the weights predict. */
#include "base/units.h"
#include "ui/panes.h"

#include <stdio.h>

const struct snapshot_group *first_victim(const struct snapshot *s)
{
	int g = snapshot_group_of(s, true);

	return g < 0 ? NULL : &s->groups[g];
}

int ink_of_role(bool is_victim)
{
	return is_victim ? INK_VICTIM : INK_HOG;
}

/* Measured and theory in two columns. Figures are never cut: on a narrow pane they stand closer. */
static void pair(const struct canvas *c, const struct rect *r, int row, const char *name, int ink,
		 const char *measured, const char *theory)
{
	int left = r->cols < 30 ? 5 : 8, half = r->cols / 2 + (r->cols < 30 ? 0 : 1);

	canvas_text(c, row, r->col + 1, half - 1, INK_TEXT, "%s", name);
	canvas_text(c, row, r->col + left, half - left, ink, "%s", measured);
	canvas_text(c, row, r->col + half, r->cols - half, INK_DIM, "theory");
	canvas_text(c, row, r->col + half + 7, r->cols - half - 7, INK_THEORY | INK_BOLD, "%s", theory);
}

/* "×206", or where it is a range "×7.0-8.0" and, without the room for that, "~×7.5". */
void theory_words(char *buf, size_t size, const struct snapshot_latency *l, int cols)
{
	double low = l->predicted_low.value, high = l->predicted_high.value;
	bool range = l->predicted_low.known && l->predicted_high.known && high > low * 1.02;

	if (range && cols >= 30)
		snprintf(buf, size, high < 10 ? "×%.1f-%.1f" : "×%.0f-%.0f", low, high);
	else if (range) {
		buf[0] = '~';
		units_format_ratio(buf + 1, size - 1, (low + high) / 2);
	} else if (l->predicted.known)
		units_format_ratio(buf, size, l->predicted.value);
}

static void ratio_row(const struct canvas *c, const struct rect *r, int row, const struct snapshot_latency *l)
{
	char measured[24] = "–", theory[24] = "–";

	if (l->ratio.known)
		units_format_ratio(measured, sizeof(measured), l->ratio.value);
	theory_words(theory, sizeof(theory), l, r->cols);
	pair(c, r, row, "p50", l->mixed_ns ? INK_DIM : INK_VICTIM | INK_BOLD, measured, theory);
}

/* The same for the share of a CPU: "14.3 %", "12-14 %", "~13.4 %". */
static void share_theory(char *buf, size_t size, const struct snapshot_group *g, int cols)
{
	double low = g->predicted_low.value, high = g->predicted_high.value;
	bool range = g->predicted_low.known && g->predicted_high.known && high > low * 1.02;

	if (range && cols >= 30 && high >= 0.1)
		snprintf(buf, size, "%.0f-%.0f %%", low * 100, high * 100);
	else if (range) {
		buf[0] = '~';
		units_format_share(buf + 1, size - 1, (low + high) / 2);
	} else if (g->predicted_share.known)
		units_format_share(buf, size, g->predicted_share.value);
}

/* How many times less a victim gets of a disk than it had alone. The median cannot tell that: it counts samples, and a starved victim
 * makes most of its few samples in the moments when nobody is in its way. */
static void slower_words(char *buf, size_t size, const struct snapshot_group *g)
{
	if (!g->rate.known || !g->baseline_rate.known || g->baseline_rate.value <= 0)
		snprintf(buf, size, "–");
	else if (g->rate.value <= 0)
		snprintf(buf, size, "starved");
	else
		units_format_ratio(buf, size, g->baseline_rate.value / g->rate.value);
}

static void rate_words(char *buf, size_t size, const struct known_number *rate)
{
	if (rate->known)
		units_format_rate(buf, size, rate->value);
	else
		snprintf(buf, size, "–");
}

/* A victim that uses a disk: weights say nothing of that, so what it gets stands beside what it had alone. */
static void disk_rows(const struct canvas *c, const struct rect *r, int row, const struct snapshot_group *g)
{
	char slower[24], now[24], alone[24], p50[24] = "–";
	int col = r->col + 1, half = r->col + r->cols / 2, end = r->col + r->cols;

	slower_words(slower, sizeof(slower), g);
	rate_words(now, sizeof(now), &g->rate);
	rate_words(alone, sizeof(alone), &g->baseline_rate);
	if (g->latency.ratio.known)
		units_format_ratio(p50, sizeof(p50), g->latency.ratio.value);
	canvas_text(c, row, col, end - col, INK_TEXT, r->cols < 30 ? "slow" : "slower");
	canvas_text(c, row, col + (r->cols < 30 ? 5 : 7), end - col, INK_VICTIM | INK_BOLD, "%s", slower);
	canvas_text(c, row, half, end - half, INK_TEXT, r->cols < 30 ? "%s" : "gets %s", now);
	canvas_text(c, row + 1, col, end - col, INK_TEXT, "p50");
	canvas_text(c, row + 1, col + (r->cols < 30 ? 5 : 7), end - col,
		    g->latency.mixed_ns ? INK_DIM : INK_VICTIM | INK_BOLD, "%s", p50);
	canvas_text(c, row + 1, half, end - half, INK_DIM, r->cols < 30 ? "of %s" : "of   %s", alone);
}

static void share_row(const struct canvas *c, const struct rect *r, int row, const struct snapshot_group *g)
{
	char measured[24] = "–", theory[24] = "–";

	if (g->shares.known)
		units_format_share(measured, sizeof(measured), g->shares.run);
	share_theory(theory, sizeof(theory), g, r->cols);
	pair(c, r, row, "run", INK_VICTIM | INK_BOLD, measured, theory);
}

/* Run, wait and sleep as one bar of glyphs that differ without colour too. */
static void split_bar(const struct canvas *c, const struct rect *r, int row, const struct sample_shares *s)
{
	int width = r->cols - 2;
	int run = (int)(s->run * width + 0.5), wait = (int)((s->run + s->wait) * width + 0.5) - run;

	if (run == 0 && s->run > 0.001) { /* a sliver is still something */
		run = 1;
		wait -= wait > 0;
	}
	canvas_repeat(c, row, r->col + 1, run, INK_GOOD, "█");
	canvas_repeat(c, row, r->col + 1 + run, wait, INK_HOG, "▒");
	canvas_repeat(c, row, r->col + 1 + run + wait, width - run - wait, INK_DIM, "·");
}

static void split_rows(const struct canvas *c, const struct rect *r, int row, const struct sample_shares *s)
{
	char wait[16], sleep[16];
	int col = r->col + 1, end = r->col + r->cols;

	if (!s->known) {
		canvas_text(c, row, col, r->cols - 1, INK_DIM, "wait, sleep: after 2 s");
		return;
	}
	units_format_share(wait, sizeof(wait), s->wait);
	units_format_share(sleep, sizeof(sleep), s->sleep);
	split_bar(c, r, row, s);
	if (r->cols >= 30)
		col += canvas_text(c, row + 1, col, end - col, INK_GOOD, "█run ");
	col += canvas_text(c, row + 1, col, end - col, INK_HOG, "▒wait %s ", wait);
	canvas_text(c, row + 1, col, end - col, INK_DIM, "·sleep %s", sleep);
}

/* What to know about these figures now, the most important first. */
static void state_row(const struct canvas *c, const struct rect *r, int row, const struct snapshot *s,
		      const struct snapshot_group *g)
{
	const struct snapshot_latency *l = &g->latency;
	int col = r->col + 1, width = r->cols - 1;

	if (s->phase == PHASE_LOST)
		canvas_text(c, row, col, width, INK_BAD, "no workers: stage died");
	else if (s->phase == PHASE_CALIBRATING)
		canvas_text(c, row, col, width, INK_WARNING, "measuring unit of work");
	else if (s->phase == PHASE_BASELINE && g->preparing)
		canvas_text(c, row, col, width, INK_WARNING, "preparing its files");
	else if (s->phase == PHASE_BASELINE)
		canvas_text(c, row, col, width, INK_WARNING, "baseline: alone, %.1f s",
			    (double)s->phase_left / 1e9);
	else if (l->baseline_disturbed > SNAPSHOT_DISTURBED)
		canvas_text(c, row, col, width, INK_WARNING, "baseline disturbed: b");
	else if (!l->baseline_known)
		canvas_text(c, row, col, width, INK_WARNING, "no baseline: press b");
	else if (l->mixed_ns && l->ratio.known)
		canvas_text(c, row, col, width, INK_WARNING, "old samples too: %.0f s, z",
			    (double)l->mixed_ns / 1e9);
}

/* The age of the oldest piece that is not finished: all that there is to see of a starved victim. */
static void in_flight_row(const struct canvas *c, const struct rect *r, int row,
			  const struct snapshot_latency *l)
{
	char age[24];

	if (l->in_flight.known)
		canvas_text(c, row, r->col + 1, r->cols - 1, INK_TEXT, "in flight for %s",
			    units_format_ns(age, sizeof(age), l->in_flight.ns));
}

void pane_effect(const struct canvas *c, const struct rect *r, const struct snapshot *s)
{
	const struct snapshot_group *g = first_victim(s);

	canvas_title(c, r, INK_STRONG, "Effect", "on the victim");
	if (!g)
		return;
	if (load_kind(g->kind)->io)
		disk_rows(c, r, r->row + 1, g);
	else {
		ratio_row(c, r, r->row + 1, &g->latency);
		share_row(c, r, r->row + 2, g);
	}
	split_rows(c, r, r->row + 3, &g->shares);
	if (r->rows > 5)
		in_flight_row(c, r, r->row + 5, &g->latency);
	if (r->rows > 6)
		state_row(c, r, r->row + 6, s, g);
}
