/* Where the panes are. What is given up first on a small terminal: the time line, then the effect pane, then knob rows,
 * then the histogram; the figures, the threads and the status line stay. */
#include "ui/layout.h"

#define KNOB_ROWS 6
#define KNOB_ROWS_TALL 8

static int knob_rows(int rows)
{
	return rows >= 36 ? KNOB_ROWS_TALL : rows >= 28 ? KNOB_ROWS : rows >= 20 ? 5 : rows >= 14 ? 4 : 3;
}

/* The verdict: its title and one line, or with its remedy where there is room. */
static int verdict_rows(int rows)
{
	return rows >= 30 ? 4 : rows >= 22 ? 3 : rows >= 18 ? 2 : 0;
}

/* Hogs, victim and, where there is room for it, effect side by side below the header. */
static void place_knobs(struct layout *l, int rows, int cols, bool disk)
{
	int height = knob_rows(rows) + 1 -
		     (disk && rows < 28 && rows >= 20); /* the disk's pane takes a row of it */
	bool three = cols >= 76;
	int width = three ? (cols - 2) / 3 : (cols - 1) / 2;

	l->hogs = (struct rect){1, 0, height, width};
	l->victim = (struct rect){1, width + 1, height, three ? width : cols - width - 1};
	if (three)
		l->effect = (struct rect){1, 2 * width + 2, height, cols - 2 * width - 2};
}

/* The disk: its title and one line, or two where there is room. */
static int disk_rows(int rows)
{
	return rows >= 28 ? 3 : rows >= 16 ? 2 : 0;
}

struct layout layout_of(int rows, int cols, bool disk)
{
	struct layout l = {.fits = rows >= LAYOUT_ROWS_MIN && cols >= LAYOUT_COLS_MIN};
	int below, left, threads, timeline, verdict = verdict_rows(rows);

	if (!l.fits)
		return l;
	l.header = (struct rect){0, 0, 1, cols};
	l.status = (struct rect){rows - 2, 0, 1, cols};
	l.footer = (struct rect){rows - 1, 0, 1, cols};
	place_knobs(&l, rows, cols, disk);
	below = l.hogs.row + l.hogs.rows;
	l.disk = (struct rect){below, 0, disk ? disk_rows(rows) : 0, cols};
	below += l.disk.rows;
	left = rows - 2 - below - verdict;
	timeline = left >= 14 ? left * 2 / 7 : left >= 11 ? 3 : 0;
	threads = left >= 14 ? left * 2 / 7 : left >= 11 ? 4 : left >= 6 ? left / 2 : 2;
	l.latency = (struct rect){below, 0, left - timeline - threads, cols};
	l.timeline = (struct rect){below + l.latency.rows, 0, timeline, cols};
	l.threads = (struct rect){l.timeline.row + timeline, 0, threads, cols};
	l.verdict = (struct rect){l.threads.row + threads, 0, verdict, cols};
	return l;
}

bool rect_contains(const struct rect *r, int row, int col)
{
	return row >= r->row && row < r->row + r->rows && col >= r->col && col < r->col + r->cols;
}
