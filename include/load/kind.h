/* The kinds of load, one table: a new kind is one line here and one function in a file of its own. */
#ifndef NICELAB_LOAD_KIND_H
#define NICELAB_LOAD_KIND_H

#include "load/arena.h"

#include <stdbool.h>

/* Runs in the worker process until it is killed; it never returns but to end the worker. victim is NULL for hogs. */
typedef void (*load_fn)(struct arena *arena, struct arena_victim *victim);

/* X(identifier, option value, what the screen says, is a victim, does I/O, function) */
#define LOAD_KINDS(X)                                             \
	X(LOAD_SPIN, "cpu", "busy loop", false, false, load_spin) \
	X(LOAD_WORK, "work", "fixed work", true, false, load_work)

enum load_kind {
#define X(id, name, words, victim, io, fn) id,
	LOAD_KINDS(X)
#undef X
		LOAD_KIND_COUNT
};

struct load_kind_info {
	const char *name; /* of the option */
	const char *words; /* on the screen */
	bool is_victim;
	bool does_io; /* it reads or writes files */
	load_fn run;
};

const struct load_kind_info *load_kind(enum load_kind kind);

/* The kind of this name among the hogs or the victims, or -1. */
int load_kind_named(const char *name, bool is_victim);

#define X(id, name, words, victim, io, fn) void fn(struct arena *arena, struct arena_victim *v);
LOAD_KINDS(X)
#undef X

/* Measures how many rounds of the work loop one millisecond of CPU time holds and stores it in arena->rate.
 * Takes about 40 ms; counted in CPU time, so that a busy machine does not slow the unit. */
void load_work_calibrate(struct arena *arena);

#endif
