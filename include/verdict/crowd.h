/* Who competes with whom: counts the rivals of every thread of a crowd in O(n log n). Pure; any thread.
 *
 * A thread's group is its cgroup and, where sessions are kept apart, its session. Two threads are rivals where both want a CPU; they can
 * reach each other where they may run on a common CPU. */
#ifndef NICELAB_VERDICT_CROWD_H
#define NICELAB_VERDICT_CROWD_H

#include "sched/cpulist.h"
#include "verdict/facts.h"

#include <stddef.h>

#define CROWD_PLACES 16 /* different CPU lists; the last stands for all that find no room, and reaches all */

struct crowd_member {
	unsigned long cgroup,
		session; /* any numbers that tell groups apart; session 0 where sessions do not count */
	int nice, policy; /* SCHED_ number */
	bool wants_cpu; /* it runs, waits, or would */
	const struct cpulist *cpus; /* NULL: all */
	struct known_number wait;
	struct facts_rivals rivals; /* result */
};

/* Fills in the rivals of each. 0 or -ENOMEM. */
int crowd_count(struct crowd_member *m, size_t n);

#endif
