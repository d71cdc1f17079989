/* The group in which the scheduler really has a thread: /sys/kernel/debug/sched/debug, the only place that tells (root, debugfs mounted). Any thread. */
#ifndef NICELAB_KERNEL_SCHEDGROUP_H
#define NICELAB_KERNEL_SCHEDGROUP_H

#include "kernel/procfs.h"

/* The whole text in new memory, to be freed. 0 or -errno (-ENOENT, -EACCES: not open to the caller). */
int schedgroup_read(const struct procfs *fs, char **text);

/* The group-path of thread tid in it: "/autogroup-3070", "/user.slice", "/". Names of threads may hold blanks and look like numbers: the line is
 * the one where the tid stands before a vruntime (digits, a dot, digits). 0, -ENOENT, -ENAMETOOLONG. */
int schedgroup_parse(const char *text, pid_t tid, char *path, size_t size);

#endif
