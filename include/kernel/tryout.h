/* Which priorities a process may set here, found by setting each of them: on the caller itself, so only in a process that is thrown
 * away afterwards (load/trial.h), and one family a process, since some of the ways are one-way streets. Never spins. */
#ifndef NICELAB_KERNEL_TRYOUT_H
#define NICELAB_KERNEL_TRYOUT_H

#include "sched/prio.h"

#include <stdbool.h>

/* One call and what was read after it. All zero: not tried. */
struct tryout_result {
	bool tried;
	int error; /* errno of the call, 0 for none */
	bool read; /* actual was read back */
	int actual; /* a nice, a raw ioprio, a policy */
};

#define TRYOUT_POLICIES 6

struct tryout_policy {
	struct tryout_result set;
	struct tryout_result back; /* to OTHER; not tried where set was refused */
};

struct tryout {
	int own_nice, own_policy; /* before; the policy -1 where it cannot be read */
	/* By nice - NICE_MIN. From its own value up to 19 one by one, then from there down to -20: `set` is the first time that a value was
	 * asked, `back` the way down, when a nicer value had been held before. The two are one call for values below its own. */
	struct tryout_result set[NICE_COUNT], back[NICE_COUNT];
	struct tryout_result ioprio[IOPRIO_CHOICES]; /* in the order of ioprio_choice */
	struct tryout_policy policies[TRYOUT_POLICIES]; /* in the order of tryout_policy_number */
};

/* OTHER, BATCH, IDLE, FIFO, RR, DEADLINE as SCHED_ numbers. */
int tryout_policy_number(unsigned index);

/* The families: nice, ioprio, then one for each policy. */
#define TRYOUT_NICE 0
#define TRYOUT_IOPRIO 1
#define TRYOUT_POLICY 2 /* the first */
#define TRYOUT_FAMILIES (TRYOUT_POLICY + TRYOUT_POLICIES)

/* Tries one family on the calling process and fills its part of *out in, the rest stays as it is. FIFO and RR take the lowest
 * real-time priority and the way back at once. */
void tryout_family(struct tryout *out, unsigned family);

#endif
