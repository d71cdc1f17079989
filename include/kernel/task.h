/* One thread as the kernel reports it: nice and policy from /proc, times from schedstat, ioprio from the syscall. */
#ifndef NICELAB_KERNEL_TASK_H
#define NICELAB_KERNEL_TASK_H

#include "kernel/parse.h"
#include "kernel/procfs.h"

#include <stdbool.h>

struct task_reading {
	uint64_t at; /* CLOCK_MONOTONIC ns of the reading */
	struct stat_line stat;
	bool times_known; /* schedstat is there and not all zero */
	struct schedstat_line times;
	int ioprio_error; /* 0, or the errno of ioprio_get */
	int ioprio; /* raw; meaningless with an error */
};

/* Reads thread tid of process pid. 0, or -errno of its stat (-ENOENT, -ESRCH: gone); whatever else cannot be read is
 * marked unknown in the reading. Any thread. */
int task_read(const struct procfs *fs, pid_t pid, pid_t tid, struct task_reading *out);

/* True where -errno means that the thread is no longer there. */
bool task_is_gone(int error);

#endif
