/* The memory that the dashboard shares with its workers: one ring and one progress word a victim thread, the orders that a
 * running victim follows, and what each worker says of itself. Made by the dashboard before the stage is forked; inherited by every worker.
 * Words written by the dashboard and read by workers, and the other way round, are atomics with relaxed order: each
 * stands for itself. The rings have their own rules (stats/ring.h). */
#ifndef NICELAB_LOAD_ARENA_H
#define NICELAB_LOAD_ARENA_H

#include "stats/ring.h"

#define ARENA_GROUPS 4 /* victim groups */
#define ARENA_THREADS 64 /* of one victim process */
#define ARENA_WORKERS 1028 /* worker slots, as of load/stage.h */

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

/* How far a worker is. Kinds without files are ready at once. */
enum arena_state {
	ARENA_STARTING,
	ARENA_PREPARING, /* it makes its files: it loads nothing yet, and is asked for nothing yet */
	ARENA_READY,
	ARENA_FAILED, /* it is about to end; fault says why */
};

/* What a worker was doing when it failed. */
enum arena_step {
	STEP_NONE,
	STEP_DIRECTORY, /* no directory for its files */
	STEP_CREATE, /* making a file there */
	STEP_DIRECT, /* O_DIRECT */
	STEP_SPACE, /* the free space was looked up first: too little */
	STEP_FILL, /* writing the file before the load begins */
	STEP_READ,
	STEP_WRITE,
	STEP_SYNC,
	STEP_WALK, /* reading the directories of its tree */
	STEP_MEMORY,
	STEP_THREAD, /* starting a thread */
	STEP_COUNT
};

/* What a worker says of itself. The stage clears it before the fork, then the worker writes. */
struct arena_worker {
	_Atomic unsigned state; /* enum arena_state */
	_Atomic unsigned fault; /* step << 16 | errno */
	_Atomic uint64_t bytes; /* read or written by all its threads since it was ready */
	_Atomic uint64_t passes; /* files, or walks of the tree, completed by all its threads */
};

/* The sizes that kinds with files keep to. The dashboard writes before it orders a worker; workers read them once, as they
 * begin, but per_file, which they read before each sample. */
struct arena_disk {
	_Atomic uint64_t file_size; /* bytes of a worker's file, a multiple of block */
	_Atomic uint64_t block; /* bytes of one read or write */
	_Atomic uint64_t tree_size; /* bytes of all files in a worker's tree */
	_Atomic unsigned per_file; /* a sample is a whole file, not a block */
};

struct arena {
	_Atomic uint64_t
		rate; /* loop rounds a millisecond, from the calibration; 0: not known yet. Stage writes. */
	struct arena_disk disk;
	struct arena_worker worker[ARENA_WORKERS];
	struct arena_victim victim[ARENA_GROUPS];
};

/* Forgets what a victim process left behind when it ended. The dashboard calls it before the next one is started; the
 * rings go on where they are. */
void arena_victim_reset(struct arena_victim *v);

/* NULL with errno set. Pages are taken only when touched. */
struct arena *arena_new(void);
void arena_free(struct arena *arena);

#endif
