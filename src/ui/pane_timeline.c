/* The time line: one column a second, p50 as a bar, p95 above it, max as a dot, and a mark at each change. A second with
 * too few samples for a median is shaded up to what is known: its max, or the age of the piece in flight. */
#include "base/clock.h"
#include "ui/axis.h"
#include "ui/panes.h"

#define LABEL_WIDTH 8
#define HALVES 5

/* The highest thing that is known of a second: a fast thread's samples must not hide a starved one's piece in flight. */
static uint64_t top_of(const struct timeline_point *p)
{
	if (p->max == TIMELINE_UNKNOWN || (p->in_flight != TIMELINE_UNKNOWN && p->in_flight > p->max))
		return p->in_flight;
	return p->max;
}

static struct axis timeline_axis(const struct timeline *t, uint64_t newest, int columns)
{
	struct axis a = axis_empty();

	for (int i = 0; i < columns; i++) {
		const struct timeline_point *p = timeline_at(t, newest, (uint64_t)i);
		if (!p || top_of(p) == TIMELINE_UNKNOWN)
			continue;
		if (p->p50 != TIMELINE_UNKNOWN)
			axis_include(&a, p->p50);
		axis_include(&a, top_of(p));
	}
	axis_settle(&a, HALVES);
	return a;
}

/* The decades at their heights; where two fall into one row, the higher. */
static void labels(const struct canvas *c, const struct rect *area, const struct axis *a)
{
	int taken = -1;

	for (int p = axis_last(a); p >= axis_first(a); p--) {
		int y = (int)(axis_position(a, axis_power(p)) * area->rows);
		char label[24];

		y = y >= area->rows ? area->rows - 1 : y;
		if (y == taken)
			continue;
		taken = y;
		canvas_text_right(c, area->row + area->rows - 1 - y, area->col - 1, LABEL_WIDTH - 1, INK_DIM,
				  "%s", axis_label(label, sizeof(label), p));
	}
}

static int eighths(const struct axis *a, uint64_t ns, int rows)
{
	int h = (int)(axis_position(a, ns) * rows * 8 + 0.5);

	return h < 1 ? 1 : h;
}

/* Fills a column from the bottom: `solid` eighths of the bar, then whole cells of shade up to `shade` eighths. */
static void column(const struct canvas *c, const struct rect *area, int col, int solid, int shade,
		   const char *glyph)
{
	for (int y = 0; y < area->rows; y++) {
		int row = area->row + area->rows - 1 - y;
		if (solid > y * 8)
			canvas_text(c, row, col, 1, INK_VICTIM, "%s", canvas_eighth(solid - y * 8));
		else if (shade > y * 8 + 3)
			canvas_text(c, row, col, 1, INK_VICTIM, "%s", glyph);
	}
}

static void point(const struct canvas *c, const struct rect *area, int col, const struct axis *a,
		  const struct timeline_point *p)
{
	if (p->p50 == TIMELINE_UNKNOWN) {
		if (top_of(p) != TIMELINE_UNKNOWN)
			column(c, area, col, 0, eighths(a, top_of(p), area->rows) + 3, "▒");
		return;
	}
	int top = (eighths(a, p->max, area->rows) - 1) / 8;
	int solid = eighths(a, p->p50, area->rows);
	column(c, area, col, solid, p->p95 == TIMELINE_UNKNOWN ? 0 : eighths(a, p->p95, area->rows), "░");
	if (top > (solid - 1) / 8)
		canvas_text(c, area->row + area->rows - 1 - top, col, 1, INK_WARNING, "·");
}

static int mark_ink(const struct snapshot *s, const struct timeline_mark *m)
{
	if (m->who < 0 || (size_t)m->who >= s->ngroups)
		return INK_STRONG;
	return ink_of_role(s->groups[m->who].is_victim);
}

/* Where a mark stands; left of the area where it has scrolled out. */
static int mark_col(const struct rect *area, const struct timeline_mark *m, uint64_t newest)
{
	uint64_t back = m->second > newest ? 0 : newest - m->second;

	return back >= (uint64_t)area->cols ? area->col - 1 : area->col + area->cols - 1 - (int)back;
}

/* The column of the nearest older mark that stands elsewhere: words must not cover it. */
static int older_col(const struct rect *area, const struct timeline *t, size_t i, int col, uint64_t newest)
{
	while (i-- > 0) {
		int older = mark_col(area, timeline_mark_at(t, i), newest);
		if (older < col)
			return older;
	}
	return area->col - 1;
}

/* Every mark is drawn. Its words go to the right where they fit before the next mark or its words, else to the left where
 * they fit after the one before; else they are cut. The newest comes first, since it is what just happened. */
static void marks(const struct canvas *c, const struct rect *area, const struct snapshot *s,
		  const struct timeline *t, uint64_t newest)
{
	int row = area->row + area->rows, limit = area->col + area->cols, last = limit;

	for (size_t i = timeline_marks(t); i-- > 0;) {
		const struct timeline_mark *m = timeline_mark_at(t, i);
		int col = mark_col(area, m, newest), width = canvas_width(m->text), ink = mark_ink(s, m);

		if (col < area->col)
			break;
		if (col >= last) /* in the same second as the one drawn before */
			continue;
		last = col;
		canvas_text(c, row, col, 1, ink | INK_BOLD, "▴");
		if (col + 1 + width > limit && col - width > older_col(area, t, i, col, newest)) {
			canvas_text(c, row, col - width, width, ink, "%s", m->text);
			limit = col - width - 1;
			continue;
		}
		if (limit - col - 1 > 3)
			canvas_text(c, row, col + 1, limit - col - 1 < width ? limit - col - 2 : width, ink,
				    "%s", m->text);
		limit = col;
	}
}

void pane_timeline(const struct canvas *c, const struct rect *r, const struct snapshot *s)
{
	const struct snapshot_group *g = first_victim(s);
	struct rect area = {r->row + 1, r->col + LABEL_WIDTH, r->rows - 2, r->cols - LABEL_WIDTH - 1};
	uint64_t newest = s->at / NS_PER_SEC - 1;

	if (!g || r->rows < 3)
		return;
	canvas_title(c, r, INK_VICTIM, "Time line · 1 s a column",
		     r->cols >= 96 ? "█ p50  ░ p95  · max  ▒ under 5 samples: max, or in flight"
				   : "█ p50 ░ p95 · max ▒ few");
	struct axis a = timeline_axis(&g->timeline, newest, area.cols);
	labels(c, &area, &a);
	for (int i = 0; i < area.cols; i++) {
		const struct timeline_point *p = timeline_at(&g->timeline, newest, (uint64_t)i);
		if (p)
			point(c, &area, area.col + area.cols - 1 - i, &a, p);
	}
	marks(c, &area, s, &g->timeline, newest);
}
