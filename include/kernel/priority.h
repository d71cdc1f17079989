/* The priority system calls, each on exactly one thread: never a process group, never a user (setpriority(2),
 * ioprio_set(2), sched_setaffinity(2)). Set functions return 0 or -errno; 0 is no proof: read back. Any thread. */
#ifndef NICELAB_KERNEL_PRIORITY_H
#define NICELAB_KERNEL_PRIORITY_H

#include "sched/cpulist.h"

#include <sys/types.h>

int priority_set_nice(pid_t tid, int nice);
int priority_set_ioprio(pid_t tid, int raw);

/* The raw ioprio; 0 (class none) where it was never set. 0 or -errno. */
int priority_get_ioprio(pid_t tid, int *raw);

int priority_set_cpus(pid_t tid, const struct cpulist *cpus);
int priority_get_cpus(pid_t tid, struct cpulist *cpus);

/* The calling process's own nice. */
int priority_own_nice(void);

#endif
