/* The memory that the dashboard shares with its workers: one ring and one progress word a victim thread, and the orders
 * that a running victim follows. Made by the dashboard before the stage is forked; inherited by every worker.
 * Words written by the dashboard and read by workers, and the other way round, are atomics with relaxed order: each
 * stands for itself. The rings have their own rules (stats/ring.h). */
#ifndef NICELAB_LOAD_ARENA_H
#define NICELAB_LOAD_ARENA_H

#include "stats/ring.h"

#define ARENA_GROUPS 4 /* victim groups */
#define ARENA_THREADS 64 /* of one victim process */

struct arena_thread {
	_Atomic int tid; /* 0: no such thread now. Worker writes. */
	_Atomic uint64_t started_ns; /* start of the piece of work in hand, 0: none. Worker writes. */
	struct ring ring;
};

struct arena_victim {
	_Atomic unsigned
		threads; /* how many threads there shall be (1 to ARENA_THREADS). Dashboard writes. */
	_Atomic unsigned alive; /* how many there are. Worker writes. */
	_Atomic unsigned refused; /* threads that could not be started. Worker writes. */
	_Atomic int refused_error; /* and the errno of that */
	_Atomic uint64_t work_ns; /* size of one piece, in ns of calibrated work. Dashboard writes. */
	struct arena_thread thread[ARENA_THREADS];
};

struct arena {
	_Atomic uint64_t
		rate; /* loop rounds a millisecond, from the calibration; 0: not known yet. Stage writes. */
	struct arena_victim victim[ARENA_GROUPS];
};

/* Forgets what a victim process left behind when it ended. The dashboard calls it before the next one is started; the
 * rings go on where they are. */
void arena_victim_reset(struct arena_victim *v);

/* NULL with errno set. Pages are taken only when touched. */
struct arena *arena_new(void);
void arena_free(struct arena *arena);

#endif
