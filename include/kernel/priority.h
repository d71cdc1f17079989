/* The priority system calls, each on exactly one thread: never a process group, never a user (setpriority(2),
 * ioprio_set(2), sched_setaffinity(2)). Set functions return 0 or -errno; 0 is no proof: read back. Any thread. */
#ifndef NICELAB_KERNEL_PRIORITY_H
#define NICELAB_KERNEL_PRIORITY_H

#include "sched/cpulist.h"

#include <stdbool.h>
#include <sys/types.h>

int priority_set_nice(pid_t tid, int nice);
int priority_set_ioprio(pid_t tid, int raw);

/* The raw ioprio; 0 (class none) where it was never set. 0 or -errno. */
int priority_get_ioprio(pid_t tid, int *raw);

int priority_set_cpus(pid_t tid, const struct cpulist *cpus);
int priority_get_cpus(pid_t tid, struct cpulist *cpus);

/* The scheduling policy (SCHED_OTHER, ...) and whether children are reset (SCHED_RESET_ON_FORK). 0 or -errno. */
int priority_get_policy(pid_t tid, int *policy, bool *reset_on_fork);

/* The utilization clamps of the thread, 0 to 1024 each (sched_getattr(2), Linux 5.3). 0, or -errno: -EOPNOTSUPP where the kernel is
 * built without them. */
int priority_get_uclamp(pid_t tid, unsigned *min, unsigned *max);

/* Sets the policy; nice, slice and the reset-on-fork flag of the thread are kept (a zeroed sched_attr would reset nice to
 * 0). rt_priority counts for SCHED_FIFO and SCHED_RR alone (1 to 99). 0 or -errno. */
int priority_set_policy(pid_t tid, int policy, int rt_priority);

/* The calling thread alone acts as another user from now on (raw setresuid(2): libc would change every thread), or as
 * root again with uid 0; only a process that was started as root can. Its effective capabilities go and come back with
 * it, its supplementary groups stay. The kernel makes the whole process undumpable by it: its files in /proc belong to
 * root from then on, until someone calls prctl(PR_SET_DUMPABLE). From one user to another only by way of root. 0, or
 * -errno with nothing changed. */
int priority_act_as(uid_t uid, gid_t gid);

/* The calling process becomes that user for good: groups, gid, uid. For it to be traced and read as any process of that
 * user, the caller (load/) calls prctl(PR_SET_DUMPABLE, 1) afterwards. 0 or -errno. */
int priority_become(uid_t uid, gid_t gid);

/* The calling process's own nice. */
int priority_own_nice(void);

#endif
