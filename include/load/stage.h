/* The stage: a single-threaded process in a session of its own that forks, reaps and ends the workers, so that the
 * dashboard has neither children nor hogs in its session.
 *
 * Call stage_start before any thread exists and before the terminal is touched. Every other function may be called from
 * one thread at a time; none waits, but stage_stop. Workers end with the stage (PR_SET_PDEATHSIG), and the stage ends
 * with the dashboard (end-of-file on the socket and PR_SET_PDEATHSIG), whatever ended that. */
#ifndef NICELAB_LOAD_STAGE_H
#define NICELAB_LOAD_STAGE_H

#include "load/kind.h"
#include "sched/cpulist.h"

#include <sys/types.h>
#include <termios.h>

#define STAGE_HOGS_MAX 1024
#define STAGE_SLOTS (STAGE_HOGS_MAX + ARENA_GROUPS)
_Static_assert(STAGE_SLOTS <= ARENA_WORKERS, "every slot has a place in the arena");
#define STAGE_RESTORE_MAX 256
#define STAGE_WORD 64 /* names of devices and elevators */

/* A worker is known by its slot; the caller hands out the slots. */
struct stage_spawn {
	unsigned first_slot, count;
	unsigned first_ordinal; /* the first worker's number in its name, from 1; 0: no number */
	enum load_kind kind;
	int victim; /* index into arena->victim, or -1 for hogs */
	bool own_session; /* each worker calls setsid() */
	bool stopped; /* they start stopped (SIGSTOP), before they load anything */
	struct cpulist cpus; /* that it may run on; empty: as inherited */
	bool as_user; /* it becomes the user below; only where the stage is root */
	uid_t uid;
	gid_t gid;
	unsigned threads; /* of each hog, 1 to ARENA_THREADS */
};

enum stage_event_kind {
	STAGE_SPAWNED, /* slot, pid: named, tied to the stage, at its nice, CPUs and session; about to load */
	STAGE_REFUSED, /* slot, error: fork failed */
	STAGE_DIED, /* slot, pid, wait_status as of waitpid(2) */
	STAGE_STOPPED, /* cookie: that stage_order_stop has been carried out */
	STAGE_CALIBRATED, /* arena->rate is known */
	STAGE_ELEVATOR, /* error: what came of stage_order_elevator, 0 or an errno; before: what comes back in the end */
};

struct stage_event {
	enum stage_event_kind kind;
	unsigned slot;
	pid_t pid;
	int error;
	int wait_status;
	unsigned cookie;
	char before[STAGE_WORD];
};

/* What the stage writes to the terminal if the dashboard dies without stage_stop. All zero: nothing. */
struct stage_terminal {
	struct termios saved; /* how the terminal was found */
	struct termios in_use; /* how nicelab set it; restored only while it is still so */
	size_t length;
	char bytes[STAGE_RESTORE_MAX];
};

struct stage;

/* Forks the stage. It keeps duplicates of the caller's terminal for stage_terminal, and dir (a directory descriptor, or -1) for
 * the files of workers. 0 or -errno. */
int stage_start(struct arena *arena, int dir, struct stage **out);

/* For poll(2): readable when stage_next has something, or the stage is gone. */
int stage_fd(const struct stage *s);
pid_t stage_pid(const struct stage *s);

/* The next event. 1, 0 (none now), or -EPIPE: the stage is gone, and all workers with it. */
int stage_next(struct stage *s, struct stage_event *event);

/* Orders. 0 or -errno (-EPIPE: the stage is gone; -EAGAIN: it does not keep up, nothing was ordered). */
int stage_order_spawn(struct stage *s, const struct stage_spawn *spawn);
int stage_order_end(struct stage *s, unsigned first_slot, unsigned count); /* SIGKILL */
/* SIGSTOP or SIGCONT; STAGE_STOPPED answers with the cookie. Workers of spawn orders sent before are reached too. */
int stage_order_stop(struct stage *s, unsigned first_slot, unsigned count, bool on, unsigned cookie);
int stage_order_terminal(struct stage *s, const struct stage_terminal *t);

/* Sets the elevator of a block device ("vda", "loop0") in queue/scheduler; STAGE_ELEVATOR answers. What was there before comes back
 * when the stage ends, however it ends, unless somebody else has set another one by then. */
int stage_order_elevator(struct stage *s, const char *device, const char *name);

/* Ends the workers and the stage and waits for it (five seconds, then SIGKILL). Frees s. NULL is allowed. */
void stage_stop(struct stage *s);

#endif
