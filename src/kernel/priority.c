/* The priority system calls, one thread at a time. */
#include "kernel/priority.h"

#include <errno.h>
#include <grp.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WHO_PROCESS 1 /* IOPRIO_WHO_PROCESS: a thread id */

int priority_set_nice(pid_t tid, int nice)
{
	return setpriority(PRIO_PROCESS, (id_t)tid, nice) < 0 ? -errno : 0;
}

int priority_set_ioprio(pid_t tid, int raw)
{
	return syscall(SYS_ioprio_set, WHO_PROCESS, tid, raw) < 0 ? -errno : 0;
}

int priority_get_ioprio(pid_t tid, int *raw)
{
	long v = syscall(SYS_ioprio_get, WHO_PROCESS, tid);

	if (v < 0)
		return -errno;
	*raw = (int)v;
	return 0;
}

/* The kernel's mask is made of longs: on a 64-bit machine the layouts are the same. */
_Static_assert(sizeof(unsigned long) == sizeof(uint64_t), "nicelab is for 64-bit Linux");

int priority_set_cpus(pid_t tid, const struct cpulist *cpus)
{
	return syscall(SYS_sched_setaffinity, tid, sizeof(cpus->bits), cpus->bits) < 0 ? -errno : 0;
}

int priority_get_cpus(pid_t tid, struct cpulist *cpus)
{
	memset(cpus, 0, sizeof(*cpus));
	return syscall(SYS_sched_getaffinity, tid, sizeof(cpus->bits), cpus->bits) < 0 ? -errno : 0;
}

int priority_get_policy(pid_t tid, int *policy, bool *reset_on_fork)
{
	int v = sched_getscheduler(tid);

	if (v < 0)
		return -errno;
	*policy = v & ~SCHED_RESET_ON_FORK;
	*reset_on_fork = v & SCHED_RESET_ON_FORK;
	return 0;
}

/* struct sched_attr of sched_setattr(2) in its first version, which every kernel takes. */
struct attr {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t rt_priority;
	uint64_t runtime, deadline, period;
};
_Static_assert(sizeof(struct attr) == 48, "SCHED_ATTR_SIZE_VER0");
#define FLAG_RESET_ON_FORK 1

static bool is_fair(uint32_t policy)
{
	return policy == SCHED_OTHER || policy == SCHED_BATCH || policy == SCHED_IDLE;
}

int priority_get_uclamp(pid_t tid, unsigned *min, unsigned *max)
{
	struct {
		struct attr a;
		uint32_t util_min, util_max;
	} clamped = {.a = {.size = sizeof(clamped)}};

	if (syscall(SYS_sched_getattr, tid, &clamped, sizeof(clamped), 0) < 0)
		return -errno;
	if (clamped.a.size < sizeof(clamped) || clamped.util_max == 0)
		return -EOPNOTSUPP;
	*min = clamped.util_min;
	*max = clamped.util_max;
	return 0;
}

/* The nice comes from getpriority: sched_getattr tells none of a real-time thread. The run time of a fair thread is its
 * slice; of any other policy it would be taken for one. */
int priority_set_policy(pid_t tid, int policy, int rt_priority)
{
	bool rt = policy == SCHED_FIFO || policy == SCHED_RR;
	struct attr a = {.size = sizeof(a)};

	if (syscall(SYS_sched_getattr, tid, &a, sizeof(a), 0) < 0)
		return -errno;
	errno = 0;
	a.nice = getpriority(PRIO_PROCESS, (id_t)tid);
	if (errno)
		return -errno;
	a.size = sizeof(a);
	if (!is_fair(a.policy) || rt)
		a.runtime = 0;
	a.deadline = a.period = 0;
	a.flags &= FLAG_RESET_ON_FORK;
	a.policy = (uint32_t)policy;
	a.rt_priority = rt ? (uint32_t)rt_priority : 0;
	return syscall(SYS_sched_setattr, tid, &a, 0) < 0 ? -errno : 0;
}

#define KEEP (-1) /* of setresuid(2) and setresgid(2) */

static int set_effective_uid(uid_t uid)
{
	return syscall(SYS_setresuid, KEEP, uid, KEEP) < 0 ? -errno : 0;
}

static int set_effective_gid(gid_t gid)
{
	return syscall(SYS_setresgid, KEEP, gid, KEEP) < 0 ? -errno : 0;
}

/* The right to change the group goes with user 0 and comes back with it: hence the two orders. */
static int act_as_root(gid_t gid)
{
	int rc = set_effective_uid(0);

	return rc < 0 ? rc : set_effective_gid(gid);
}

int priority_act_as(uid_t uid, gid_t gid)
{
	gid_t before = getegid();
	int rc;

	if (uid == (uid_t)KEEP || gid == (gid_t)KEEP)
		return -EINVAL;
	if (uid == 0)
		return act_as_root(gid);
	if (geteuid() != 0)
		return -EPERM; /* half of it might succeed, and could not be undone */
	rc = set_effective_gid(gid);
	if (rc < 0)
		return rc;
	rc = set_effective_uid(uid);
	if (rc < 0)
		set_effective_gid(before);
	return rc;
}

int priority_become(uid_t uid, gid_t gid)
{
	if (setgroups(1, &gid) < 0 || setresgid(gid, gid, gid) < 0 || setresuid(uid, uid, uid) < 0)
		return -errno;
	return 0;
}

int priority_own_nice(void)
{
	errno = 0;
	return getpriority(PRIO_PROCESS, 0);
}
