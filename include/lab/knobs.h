/* The knobs of the lab, one table: a knob is one line. Values are longs in the unit of the type. Pure; any thread. */
#ifndef NICELAB_LAB_KNOBS_H
#define NICELAB_LAB_KNOBS_H

#include "sched/prio.h"

#include <stdbool.h>
#include <stddef.h>

enum knob_type {
	KNOB_INT,
	KNOB_NICE, /* asked nice; values beyond -20 to 19 may be asked, so that the kernel's answer can be seen */
	KNOB_IOPRIO, /* raw ioprio, or KNOB_UNASKED */
	KNOB_MS, /* milliseconds */
	KNOB_SECONDS, /* seconds */
	KNOB_CHOICE, /* index into the words */
	KNOB_BYTES, /* bytes */
};

enum knob_owner {
	OWNER_HOGS = 1,
	OWNER_VICTIMS = 2,
	OWNER_LAB = 4,
};

#define KNOB_UNASKED (-1L)
#define KNOB_BYTES_MAX (1L << 40)

enum knob_choice_scope { SCOPE_THREADS, SCOPE_PROCESS };
enum knob_choice_sessions { SESSIONS_SHARED, SESSIONS_OWN };
enum knob_choice_cpus {
	CPUS_ALL,
	CPUS_ONE,
	CPUS_APART
}; /* apart: the victim on the last CPU, the hogs on the others */
enum knob_choice_sample { SAMPLE_BLOCK, SAMPLE_FILE };
enum knob_choice_policy { POLICY_CHOICE_OTHER, POLICY_CHOICE_BATCH, POLICY_CHOICE_IDLE };
/* stranger: changes are made as the user, but the workers belong to root. */
enum knob_choice_user { USER_ROOT, USER_OTHER, USER_STRANGER };

/* X(id, name on the screen, owners, type, least, most, default, words of a choice separated by '|', what it is) */
#define KNOBS(X)                                                                                            \
	X(KNOB_COUNT, "count", OWNER_HOGS, KNOB_INT, 0, 1024, 6, "", "how many hogs")                       \
	X(KNOB_NICE_VALUE, "nice", OWNER_HOGS | OWNER_VICTIMS, KNOB_NICE, -40, 40, 0, "",                   \
	  "CPU priority asked")                                                                             \
	X(KNOB_IONICE, "ionice", OWNER_HOGS | OWNER_VICTIMS, KNOB_IOPRIO, 0, 0, KNOB_UNASKED, "",           \
	  "I/O priority asked")                                                                             \
	X(KNOB_THREADS, "threads", OWNER_HOGS | OWNER_VICTIMS, KNOB_INT, 1, 64, 1, "",                      \
	  "threads of each process; on a disk that is the queue depth")                                     \
	X(KNOB_WORK, "work", OWNER_VICTIMS, KNOB_MS, 1, 10000, 10, "", "work in one piece, alone")          \
	X(KNOB_POLICY, "policy", OWNER_HOGS | OWNER_VICTIMS, KNOB_CHOICE, 0, 2, 0, "OTHER|BATCH|IDLE",      \
	  "scheduling policy asked")                                                                        \
	X(KNOB_SESSION_NICE, "session", OWNER_HOGS | OWNER_VICTIMS, KNOB_NICE, -20, 19, 0, "",              \
	  "nice of the session (its autogroup)")                                                            \
	X(KNOB_SCOPE, "scope", OWNER_LAB, KNOB_CHOICE, 0, 1, 0, "every thread|main only",                   \
	  "whom a change is sent to")                                                                       \
	X(KNOB_SESSIONS, "sessions", OWNER_LAB, KNOB_CHOICE, 0, 1, 0, "shared|own",                         \
	  "autogroups of the workers")                                                                      \
	X(KNOB_CPUS, "cpus", OWNER_LAB, KNOB_CHOICE, 0, 2, 0, "all|one|apart", "where the workers may run") \
	X(KNOB_USER, "act as", OWNER_LAB, KNOB_CHOICE, 0, 2, 0, "root|user|stranger",                       \
	  "whose rights changes are made with")                                                             \
	X(KNOB_FILE, "file", OWNER_LAB, KNOB_BYTES, 4096, KNOB_BYTES_MAX, 64L << 20, "",                    \
	  "file of each worker that uses the disk")                                                         \
	X(KNOB_BLOCK, "block", OWNER_LAB, KNOB_BYTES, 512, 64L << 20, 1L << 20, "", "one read or write")    \
	X(KNOB_TREE, "tree", OWNER_LAB, KNOB_BYTES, 1L << 20, KNOB_BYTES_MAX, 256L << 20, "",               \
	  "directory tree of each worker that walks one")                                                   \
	X(KNOB_SPACE, "space", OWNER_LAB, KNOB_BYTES, 4096, KNOB_BYTES_MAX, 512L << 20, "",                 \
	  "that all workers together may take on the disk")                                                 \
	X(KNOB_IO_SAMPLE, "sample", OWNER_LAB, KNOB_CHOICE, 0, 1, 0, "block|file",                          \
	  "what one sample of a reading or writing victim is")                                              \
	X(KNOB_WINDOW, "window", OWNER_LAB, KNOB_SECONDS, 1, 300, 10, "",                                   \
	  "how far the histogram looks back")                                                               \
	X(KNOB_INTERVAL, "refresh", OWNER_LAB, KNOB_MS, 20, 5000, 100, "", "time between two frames")

enum knob {
#define X(id, name, owners, type, least, most, initial, words, what) id,
	KNOBS(X)
#undef X
		KNOB_TOTAL
};

struct knob_info {
	const char *name;
	unsigned owners;
	enum knob_type type;
	long least, most, initial;
	const char *words;
	const char *what;
};

const struct knob_info *knob_info(enum knob k);

/* Whether v may be given to the knob. */
bool knob_accepts(enum knob k, long v);

/* The value a step of the slider away (delta +1 or -1), at the end of the range the same value. Nice stops at -20 and 19,
 * ionice walks from none over rt/0 to be/7 and idle, times go in the steps 1, 2, 5, 10, 20, ..., choices go round. */
long knob_step(enum knob k, long v, int delta);

/* Where v stands in its range, 0 to 1; below 0 where that says nothing. */
double knob_position(enum knob k, long v);

/* The value as text: "19", "be/4", "-" (not asked), "10 ms", "every thread". Returns buf. */
char *knob_format(char *buf, size_t size, enum knob k, long v);

/* A value as it is typed at the screen or given to an option. 0, -EINVAL, -ERANGE. */
int knob_parse(enum knob k, const char *text, long *v);

/* The SCHED_ number of a choice of KNOB_POLICY; -1: it is none. */
int knob_policy(long choice);

/* "0 to 1024": what knob_parse takes, for messages. Returns buf. */
char *knob_limits(char *buf, size_t size, enum knob k);

#endif
