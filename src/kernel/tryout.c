/* Setting every priority once, and reading back. */
#include "kernel/tryout.h"
#include "kernel/priority.h"

#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define POLICY_DEADLINE 6
#define LOWEST_RT 1

int tryout_policy_number(unsigned index)
{
	static const int numbers[TRYOUT_POLICIES] = {SCHED_OTHER, SCHED_BATCH, SCHED_IDLE,
						     SCHED_FIFO,  SCHED_RR,    POLICY_DEADLINE};

	return numbers[index];
}

/* `tried` goes last: a filter may kill the process within the call, and what it wrote until then comes back. */
static void try_nice(struct tryout_result *r, int nice)
{
	int rc = priority_set_nice(0, nice);

	r->error = -rc;
	r->actual = priority_own_nice();
	r->read = r->actual != -1 || errno == 0;
	r->tried = true;
}

static void try_nices(struct tryout *out)
{
	for (int nice = out->own_nice; nice <= NICE_MAX; nice++)
		try_nice(&out->set[nice - NICE_MIN], nice);
	for (int nice = NICE_MAX; nice >= NICE_MIN; nice--) {
		struct tryout_result *back = &out->back[nice - NICE_MIN];
		try_nice(back, nice);
		if (nice < out->own_nice)
			out->set[nice - NICE_MIN] = *back;
	}
}

static void try_ioprios(struct tryout *out)
{
	for (int i = 0; i < IOPRIO_CHOICES; i++) {
		struct tryout_result *r = &out->ioprio[i];
		r->error = -priority_set_ioprio(0, ioprio_choice(i));
		r->read = priority_get_ioprio(0, &r->actual) == 0;
		r->tried = true;
	}
}

/* DEADLINE takes a budget, not a priority: a hundredth of a CPU, which an admission test almost always lets in. It also wants
 * all CPUs of the machine, so the mask is opened first as far as the cpuset allows. */
static int set_deadline(void)
{
	struct {
		uint32_t size, policy;
		uint64_t flags;
		int32_t nice;
		uint32_t priority;
		uint64_t runtime, deadline, period;
	} a = {.size = sizeof(a),
	       .policy = POLICY_DEADLINE,
	       .runtime = 1000000,
	       .deadline = 100000000,
	       .period = 100000000};
	struct cpulist all;

	memset(&all, 0xff, sizeof(all));
	priority_set_cpus(0, &all);
	return syscall(SYS_sched_setattr, 0, &a, 0) < 0 ? -errno : 0;
}

static void read_policy(struct tryout_result *r)
{
	bool reset;

	r->read = priority_get_policy(0, &r->actual, &reset) == 0;
	r->tried = true;
}

static void try_policy(struct tryout_policy *p, int policy)
{
	p->set.error =
		-(policy == POLICY_DEADLINE ? set_deadline() : priority_set_policy(0, policy, LOWEST_RT));
	read_policy(&p->set);
	if (p->set.error)
		return;
	p->back.error = -priority_set_policy(0, SCHED_OTHER, 0);
	read_policy(&p->back);
}

void tryout_family(struct tryout *out, unsigned family)
{
	bool reset;

	out->own_nice = priority_own_nice();
	if (priority_get_policy(0, &out->own_policy, &reset) < 0)
		out->own_policy = -1;
	if (family == TRYOUT_NICE)
		try_nices(out);
	else if (family == TRYOUT_IOPRIO)
		try_ioprios(out);
	else if (family < TRYOUT_FAMILIES)
		try_policy(&out->policies[family - TRYOUT_POLICY],
			   tryout_policy_number(family - TRYOUT_POLICY));
}
