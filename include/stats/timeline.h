/* Time line: what each of the last seconds looked like, and the marks of what was changed in it.
 * A value that is not known (too few samples for a percentile, nothing in flight) is TIMELINE_UNKNOWN, never 0.
 * Plain data: it may be copied with =. One thread at a time. */
#ifndef NICELAB_STATS_TIMELINE_H
#define NICELAB_STATS_TIMELINE_H

#include "stats/histogram.h"

#define TIMELINE_POINTS 300
#define TIMELINE_MARKS 48
#define TIMELINE_TEXT 24
#define TIMELINE_UNKNOWN UINT64_MAX

struct timeline_point {
	uint64_t second; /* CLOCK_MONOTONIC */
	uint64_t count;
	uint64_t p50, p95, max; /* ns */
	uint64_t in_flight; /* ns: the oldest unfinished piece of work at the end of the second */
};

struct timeline_mark {
	uint64_t second;
	int who; /* the group that was changed, or -1 for the lab; chosen by the caller */
	int what; /* the kind of change: a mark of the same kind in the same second is replaced */
	char text[TIMELINE_TEXT]; /* UTF-8 */
};

struct timeline {
	size_t points_used, marks_used; /* since the start; the newest is [used - 1] modulo the size */
	struct timeline_point points[TIMELINE_POINTS];
	struct timeline_mark marks[TIMELINE_MARKS];
};

/* Adds the point of a finished second from its histogram. Seconds must rise; a second that is not newer than the last
 * point is ignored. */
void timeline_add(struct timeline *t, uint64_t second, const struct histogram *h, uint64_t in_flight);

void timeline_mark(struct timeline *t, uint64_t second, int who, int what, const char *text);

/* The point `back` seconds before `newest`, or NULL where there is none (before the start, a gap). */
const struct timeline_point *timeline_at(const struct timeline *t, uint64_t newest, uint64_t back);

/* How many marks are held, and the i-th of them from the oldest. */
size_t timeline_marks(const struct timeline *t);
const struct timeline_mark *timeline_mark_at(const struct timeline *t, size_t i);

#endif
