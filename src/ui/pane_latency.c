/* The latency: honest percentiles, and the histogram on a logarithmic axis from left to right, over the ghost of the
 * baseline; the axis carries where p50 is and where the weights say that it will be. */
#include "base/units.h"
#include "ui/axis.h"
#include "ui/panes.h"

#include <stdio.h>
#include <string.h>

#define COLUMNS_MAX 512
#define HALVES 7
#define MARGIN 2

static uint64_t predicted_p50(const struct snapshot_latency *l)
{
	return l->predicted.known && l->baseline_known
		       ? (uint64_t)(l->predicted.value * (double)l->baseline_p50)
		       : 0;
}

static struct axis latency_axis(const struct snapshot_latency *l)
{
	struct axis a = axis_empty();

	if (l->window.count) {
		axis_include(&a, l->window.min);
		axis_include(&a, l->window.max);
	}
	if (l->baseline_known) {
		axis_include(&a, l->baseline.min);
		axis_include(&a, l->baseline.max);
	}
	if (predicted_p50(l))
		axis_include(&a, predicted_p50(l));
	if (l->in_flight.known)
		axis_include(&a, l->in_flight.ns);
	axis_settle(&a, HALVES);
	return a;
}

/* Sorts the buckets into screen columns; returns the highest count of a column. */
static uint64_t to_columns(const struct histogram *h, const struct axis *a, uint64_t *columns, int width)
{
	uint64_t most = 0;

	memset(columns, 0, sizeof(*columns) * (size_t)width);
	for (uint32_t b = 0; b < HISTOGRAM_BUCKETS; b++) {
		if (!h->buckets[b])
			continue;
		int col = (int)(axis_position(a, histogram_midpoint(b)) * (width - 1) + 0.5);
		columns[col] += h->buckets[b];
		most = columns[col] > most ? columns[col] : most;
	}
	columns[width - 1] += h->overflow;
	return columns[width - 1] > most ? columns[width - 1] : most;
}

/* Height in eighths of a row; a column that has anything is at least one eighth high. */
static int height(uint64_t count, uint64_t most, int rows)
{
	int eighths = most ? (int)(count * (uint64_t)rows * 8 / most) : 0;

	return count && eighths == 0 ? 1 : eighths;
}

static void bars(const struct canvas *c, const struct rect *area, const struct snapshot_latency *l,
		 const struct axis *a)
{
	uint64_t live[COLUMNS_MAX], ghost[COLUMNS_MAX];
	uint64_t live_most = to_columns(&l->window, a, live, area->cols);
	uint64_t ghost_most = to_columns(&l->baseline, a, ghost, area->cols);

	for (int x = 0; x < area->cols; x++) {
		int live_height = height(live[x], live_most, area->rows);
		int ghost_height = l->baseline_known ? height(ghost[x], ghost_most, area->rows) : 0;
		for (int y = 0; y < area->rows; y++) {
			int row = area->row + area->rows - 1 - y;
			if (live_height > y * 8)
				canvas_text(c, row, area->col + x, 1, INK_VICTIM, "%s",
					    canvas_eighth(live_height - y * 8));
			else if (ghost_height > y * 8)
				canvas_text(c, row, area->col + x, 1, INK_DIM, "░");
		}
	}
}

static int axis_column(const struct rect *area, const struct axis *a, uint64_t ns)
{
	return area->col + (int)(axis_position(a, ns) * (area->cols - 1) + 0.5);
}

static void axis_mark(const struct canvas *c, const struct rect *area, int row, const struct axis *a,
		      uint64_t ns, int ink, const char *glyph)
{
	canvas_text(c, row, axis_column(area, a, ns), 1, ink, "%s", glyph);
}

/* The labels of the decades, as many as fit without touching each other. */
static void axis_labels(const struct canvas *c, const struct rect *area, int row, const struct axis *a)
{
	int edge = area->col + area->cols, taken = area->col;

	for (int p = axis_first(a); p <= axis_last(a); p++) {
		char label[24];
		int col = area->col + (int)(axis_position(a, axis_power(p)) * (area->cols - 1) + 0.5);
		int width = canvas_width(axis_label(label, sizeof(label), p));

		col -= width / 2;
		if (col + width > edge)
			col = edge - width;
		if (col < area->col)
			col = area->col;
		if (col < taken)
			continue;
		canvas_text(c, row, col, width, INK_DIM, "%s", label);
		taken = col + width + 1;
	}
}

/* The line under the bars with its ticks and marks. */
static void axis_line(const struct canvas *c, const struct rect *area, const struct snapshot_latency *l,
		      const struct axis *a)
{
	int row = area->row + area->rows, col;
	uint64_t p50 = 0;
	bool known;

	canvas_repeat(c, row, area->col, area->cols, INK_DIM, "─");
	for (int p = axis_first(a); p <= axis_last(a); p++)
		axis_mark(c, area, row, a, axis_power(p), INK_DIM, "┼");
	if (l->baseline_known)
		axis_mark(c, area, row, a, l->baseline_p50, INK_TEXT | INK_BOLD, "│");
	known = histogram_percentile(&l->window, 500, &p50);
	if (known)
		axis_mark(c, area, row, a, p50, INK_VICTIM | INK_BOLD, "▲");
	if (!predicted_p50(l))
		return;
	/* Where both fall into one column, theory stands beside: both shall be seen. */
	col = axis_column(area, a, predicted_p50(l));
	col += known && col == axis_column(area, a, p50);
	canvas_text(c, row, col, 1, INK_THEORY | INK_BOLD, "◆");
}

static int percentile(const struct canvas *c, int row, int col, int end, const struct histogram *h,
		      const char *name, unsigned tenths)
{
	char value[24];
	uint64_t ns;
	int from = col;

	col += canvas_text(c, row, col, end - col, INK_TEXT, "%s ", name);
	if (histogram_percentile(h, tenths, &ns))
		col += canvas_text(c, row, col, end - col, INK_VICTIM | INK_BOLD, "%s",
				   units_format_ns(value, sizeof(value), ns));
	else
		col += canvas_text(c, row, col, end - col, INK_DIM, "– (needs %llu)",
				   (unsigned long long)histogram_needs(tenths));
	return col - from + 3;
}

/* On a narrow screen there is no effect pane: the ratio, its theory and what is in flight stand here. */
static void figures_narrow(const struct canvas *c, int row, int col, int end,
			   const struct snapshot_latency *l)
{
	char value[24];
	uint64_t p50;

	if (histogram_percentile(&l->window, 500, &p50)) {
		col += canvas_text(c, row, col, end - col, INK_TEXT, "p50 ");
		col += canvas_text(c, row, col, end - col, INK_VICTIM | INK_BOLD, "%s ",
				   units_format_ns(value, sizeof(value), p50));
	} else if (l->in_flight.known)
		col += canvas_text(c, row, col, end - col, INK_TEXT, "in flight %s ",
				   units_format_ns(value, sizeof(value), l->in_flight.ns));
	if (l->ratio.known)
		col += canvas_text(c, row, col, end - col, l->mixed_ns ? INK_DIM : INK_VICTIM | INK_BOLD,
				   "%s ", units_format_ratio(value, sizeof(value), l->ratio.value));
	if (l->predicted.known) {
		theory_words(value, sizeof(value), l, 0);
		col += canvas_text(c, row, col, end - col, INK_THEORY, "theory %s  ", value);
	}
	percentile(c, row, col, end, &l->window, "p95", 950);
}

static void figures(const struct canvas *c, const struct rect *r, const struct snapshot_latency *l)
{
	int col = r->col + 1, end = r->col + r->cols - 1, row = r->row + (r->rows > 1);
	char value[24];

	if (r->cols < 76) {
		figures_narrow(c, row, col, end, l);
		return;
	}
	col += percentile(c, row, col, end, &l->window, "p50", 500);
	col += percentile(c, row, col, end, &l->window, "p95", 950);
	col += percentile(c, row, col, end, &l->window, "p99", 990);
	if (l->window.count) {
		col += canvas_text(c, row, col, end - col, INK_TEXT, "max ");
		col += canvas_text(c, row, col, end - col, INK_VICTIM | INK_BOLD, "%s",
				   units_format_ns(value, sizeof(value), l->window.max));
	}
	if (l->baseline_known && end - col > 22)
		canvas_text_right(c, row, end, end - col, INK_DIM, "│ baseline p50 %s",
				  units_format_ns(value, sizeof(value), l->baseline_p50));
}

/* What was not counted, where there is any of it. */
static void losses(char *buf, size_t size, const struct snapshot_latency *l)
{
	int n = snprintf(buf, size, "dropped %llu", (unsigned long long)l->dropped);

	if (l->discarded)
		n += snprintf(buf + n, size - (size_t)n, " · discarded %llu",
			      (unsigned long long)l->discarded);
	if (l->window.overflow)
		snprintf(buf + n, size - (size_t)n, " · over 73 min %llu",
			 (unsigned long long)l->window.overflow);
}

static void title(const struct canvas *c, const struct rect *r, const struct snapshot *s,
		  const struct snapshot_group *g)
{
	const struct snapshot_latency *l = &g->latency;
	char left[64], right[240], lost[96], age[24] = "–";
	const char *sample = load_sample_word(g->kind, s->knobs[KNOB_IO_SAMPLE] == SAMPLE_FILE);

	if (load_kind(g->kind)->io && r->cols >= 76)
		snprintf(left, sizeof(left), "Latency of a %s · last %ld s", sample, s->knobs[KNOB_WINDOW]);
	else
		snprintf(left, sizeof(left), "Latency · last %ld s", s->knobs[KNOB_WINDOW]);
	if (l->in_flight.known)
		units_format_ns(age, sizeof(age), l->in_flight.ns);
	losses(lost, sizeof(lost), l);
	snprintf(right, sizeof(right), "n %llu · in flight %s · %s%s", (unsigned long long)l->window.count,
		 age, lost, r->cols >= 96 && !l->discarded ? " · ▲ p50  ◆ theory  ░ baseline" : "");
	canvas_title(c, r, INK_VICTIM, left, right);
}

void pane_latency(const struct canvas *c, const struct rect *r, const struct snapshot *s)
{
	const struct snapshot_group *g = first_victim(s);

	if (!g)
		return;
	if (r->rows > 1)
		title(c, r, s, g);
	figures(c, r, &g->latency);
	if (r->rows < 4)
		return;
	struct rect area = {r->row + 2, r->col + MARGIN, r->rows - (r->rows < 5 ? 3 : 4),
			    r->cols - 2 * MARGIN};
	struct axis a = latency_axis(&g->latency);
	if (area.cols > COLUMNS_MAX)
		area.cols = COLUMNS_MAX;
	bars(c, &area, &g->latency, &a);
	axis_line(c, &area, &g->latency, &a);
	if (r->rows > 4)
		axis_labels(c, &area, area.row + area.rows + 1, &a);
}
