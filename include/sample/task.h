/* One thread over time: the last readings of its run and wait clocks, and the shares over the last seconds.
 * Identity is (pid, tid, start time); a reading of another start time begins anew. The caller owns the struct (zeroed =
 * empty) and keeps it to one thread. */
#ifndef NICELAB_SAMPLE_TASK_H
#define NICELAB_SAMPLE_TASK_H

#include "base/known.h"
#include "kernel/task.h"

#define SAMPLE_POINTS 26
#define SAMPLE_SPACING (UINT64_C(400) * 1000 * 1000) /* ns between kept readings */
#define SAMPLE_WINDOW (UINT64_C(3) * 1000 * 1000 * 1000) /* ns the shares reach back */
#define SAMPLE_WINDOW_OK (UINT64_C(2) * 1000 * 1000 * 1000) /* shorter windows jump and are not shown */

struct sample_point {
	uint64_t at, run_ns, wait_ns;
};

struct sample_task {
	struct task_reading last;
	bool valid; /* last holds a reading */
	size_t used; /* kept points since the start; a ring of SAMPLE_POINTS */
	uint64_t other_at; /* the last reading whose clocks differed from the newest's */
	struct sample_point points[SAMPLE_POINTS];
};

/* Fractions of the time since a reading SAMPLE_WINDOW ago; run + wait + sleep = 1.
 * The kernel adds to the wait clock only when the wait ends (sched_info_arrive), so a thread that waits right now has a
 * wait that no clock shows yet. It counts as wait, not as sleep, as far back as the clocks have stood still while the
 * thread was runnable; the error is at most the distance of two readings. */
struct sample_shares {
	bool known; /* false: no schedstat, or not SAMPLE_WINDOW_OK of it yet */
	double run, wait, sleep;
};

void sample_task_update(struct sample_task *s, const struct task_reading *r);
struct sample_shares sample_task_shares(const struct sample_task *s);

/* CPU time per time since the earliest kept reading at or after `since`, about 10 s at most. seconds gets how long that is. Unknown where the
 * clocks are, or there is not SAMPLE_WINDOW_OK of it. */
struct known_number sample_task_rate(const struct sample_task *s, uint64_t since, double *seconds);

/* Forgets the clocks (after a stop: the time in between is no measurement). */
void sample_task_restart(struct sample_task *s);

#endif
