/* Where the panes are, for a terminal of any size from 40x10 up. Pure. */
#ifndef NICELAB_UI_LAYOUT_H
#define NICELAB_UI_LAYOUT_H

#include "ui/canvas.h"

#define LAYOUT_COLS_MIN 40
#define LAYOUT_ROWS_MIN 10

/* A pane that has no room has no rows. */
struct layout {
	bool fits; /* false: below 40x10, only a line asks for room */
	struct rect header, hogs, victim, effect, disk, latency, timeline, threads, verdict, status, footer;
};

/* disk: a group uses the disk, whose pane stands below the knobs. */
struct layout layout_of(int rows, int cols, bool disk);

bool rect_contains(const struct rect *r, int row, int col);

#endif
