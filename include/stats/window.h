/* Rolling window: the histogram of the last W seconds, in one-second slices.
 *
 * A closed slice keeps only the buckets that were hit, so 300 slices for 64 threads stay small; adding and expiring a
 * slice cost O(buckets hit). All 300 slices are kept whatever W is, so that a longer window shows its history at once.
 * Seconds are whole CLOCK_MONOTONIC seconds. Not thread-safe: the engine owns it. */
#ifndef NICELAB_STATS_WINDOW_H
#define NICELAB_STATS_WINDOW_H

#include "stats/histogram.h"

#define WINDOW_SECONDS_MAX 300

struct window;

/* A window over the last `seconds` (1 to WINDOW_SECONDS_MAX). NULL without memory. The caller frees it. */
struct window *window_new(unsigned seconds);
void window_free(struct window *w);

/* Adds one sample that ended in `second`. A second newer than the current one closes the current slice; a sample of a
 * second that is closed already counts in the current slice. Returns 0, or -ENOMEM: then a closed slice was lost from
 * the history, and window_lost counts its samples. */
int window_record(struct window *w, uint64_t second, uint64_t latency_ns);

/* Moves to `second`: closes the current slice and expires those that left the window. */
int window_advance(struct window *w, uint64_t second);

/* Changes W; the total is built anew from the slices. */
void window_resize(struct window *w, unsigned seconds);

/* Forgets all samples. */
void window_clear(struct window *w);

/* The histogram over the last W seconds, current slice included. Valid until the next call that changes w. */
const struct histogram *window_total(const struct window *w);

/* The histogram of the current, unfinished second. */
const struct histogram *window_current(const struct window *w);

/* Samples lost for want of memory. */
uint64_t window_lost(const struct window *w);

#endif
