/* The threads of a load. A victim's come and go while it runs, as the arena orders; a hog's are there from the start.
 * Private to load/: runs in worker processes. */
#ifndef NICELAB_LOAD_THREADS_H
#define NICELAB_LOAD_THREADS_H

#include "load/kind.h"

struct load_thread {
	const struct load *load;
	unsigned index; /* of the thread in its process, from 0 */
	const void *shared; /* what the kind gave to threads_run */
	/* Of this thread, from begin; freed with the process only: threads of one index follow each other, and begin finds here
	 * what the one before left. NULL at first. */
	void *own;
};

/* Ends the worker: what it was doing and the errno go into its arena slot (state ARENA_FAILED), then the process exits with 3.
 * Of several threads that fail the first is told. */
_Noreturn void load_fail(const struct load *l, enum arena_step step, int error);

/* Says that the load begins: the state becomes ARENA_READY. */
void load_ready(const struct load *l);

/* One piece of load. False when the thread is no longer wanted (threads_is_wanted). */
typedef bool (*load_piece)(struct load_thread *t);

/* Called in each thread before its first piece; may be NULL. */
typedef void (*load_begin)(struct load_thread *t);

/* Runs the main thread as thread 0 and starts the others: victims as many as the arena orders, now and later, hogs as many
 * as load->threads. A victim's are named nl-victim/2 and so on, a hog's after their process: nl-hog-1/2. A hog's thread that cannot be
 * started ends the worker with a fault (STEP_THREAD). Does not return before the main thread is no longer wanted; the others may
 * still run then, and the process must end. Once a process. */
void threads_run(const struct load *load, const void *shared, load_begin begin, load_piece piece);

/* How many threads there shall be at this moment, at least 1. */
unsigned threads_wanted(const struct load *load);

/* A victim's thread looks from time to time within a long piece: whether it is still wanted (else the piece is abandoned and
 * makes no sample), and, in thread 0, whether others are wanted that are not there, which it starts then. Hogs: true. */
bool threads_is_wanted(struct load_thread *t);

/* A victim's piece begins now; the time is in_flight's start. A hog's: nothing is told. Returns the time. */
uint64_t threads_piece_begins(struct load_thread *t);

/* It has ended: a sample of end - start into the thread's ring. Hogs: nothing. The next piece is taken to begin at once. */
void threads_piece_ends(struct load_thread *t, uint64_t start, uint64_t end);

/* What the thread does until its next piece begins is no part of any: nothing is in flight. Hogs: nothing. */
void threads_piece_pauses(struct load_thread *t);

#endif
