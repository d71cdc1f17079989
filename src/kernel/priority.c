/* The priority system calls, one thread at a time. */
#include "kernel/priority.h"

#include <errno.h>
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

int priority_own_nice(void)
{
	errno = 0;
	return getpriority(PRIO_PROCESS, 0);
}
