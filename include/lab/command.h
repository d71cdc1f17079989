/* What keys, options, scenarios and tests ask of the engine. A plain struct; the outcome comes back in the snapshot. */
#ifndef NICELAB_LAB_COMMAND_H
#define NICELAB_LAB_COMMAND_H

#include "lab/knobs.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define COMMAND_WORD 64

enum command_kind {
	COMMAND_SET, /* knob of a group (or of the lab: group -1) to value, or by value steps */
	COMMAND_THREAD_NICE, /* nice of thread tid to value */
	COMMAND_THREAD_IOPRIO, /* ioprio of thread tid to the raw value */
	COMMAND_KIND, /* the group's kind of load to value (enum load_kind): its workers anew */
	COMMAND_ELEVATOR, /* that of the device in use to word */
	COMMAND_RESPAWN, /* all workers anew, at the asked priorities */
	COMMAND_BASELINE, /* take the baseline again */
	COMMAND_CLEAR, /* forget the samples of the window */
	COMMAND_PAUSE, /* pause or resume the hogs */
	COMMAND_END_HOGS, /* end all hogs at once: count 0 */
	COMMAND_FIX, /* carry out fix `value` for what the verdict speaks of: group, tid, what */
	COMMAND_FREEZE, /* stop every worker (the dashboard is about to be suspended) */
	COMMAND_THAW,
};

struct command {
	enum command_kind kind;
	int group; /* index into snapshot->groups, or -1 for the lab */
	enum knob knob;
	long value;
	bool relative; /* value is a number of steps from what is asked now; choices go round */
	pid_t tid;
	int what; /* enum facts_what, of COMMAND_FIX */
	char word[COMMAND_WORD];
	uint64_t issued_ns; /* CLOCK_MONOTONIC of the key press, for the cost of reaction; 0: now */
};

/* A bounded queue from any thread to the engine. */
#define COMMAND_QUEUE 64
struct command_queue;

struct command_queue *command_queue_new(void); /* NULL without memory or descriptors */
void command_queue_free(struct command_queue *q);
int command_queue_fd(const struct command_queue *q); /* readable while commands wait */

/* 0, or -EAGAIN when full. Any thread. */
int command_queue_put(struct command_queue *q, const struct command *c);

/* Takes the oldest; false when empty. One thread. */
bool command_queue_take(struct command_queue *q, struct command *c);

#endif
