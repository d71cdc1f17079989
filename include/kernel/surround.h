/* What surrounds one process beside its own priorities: session group, owner, limits; and the weight that the scheduler
 * really uses. Any thread. */
#ifndef NICELAB_KERNEL_SURROUND_H
#define NICELAB_KERNEL_SURROUND_H

#include "base/known.h"
#include "kernel/procfs.h"

#include <sys/types.h>

struct surround {
	enum tri
		has_autogroup; /* /proc/PID/autogroup is not empty. It proves no real group: KERNEL-FACTS, trap 2 */
	long autogroup; /* its number */
	int autogroup_nice;
	bool owner_known;
	uid_t ruid, euid; /* of the process */
	struct known_number
		rlimit_nice; /* RLIMIT_NICE of the process: 20 - the lowest nice it allows; 40 where unlimited */
};

/* Each part that cannot be read is unknown. 0, or -errno where the process is gone. */
int surround_read(const struct procfs *fs, pid_t pid, struct surround *out);

struct thread_weight {
	/* se.load.weight / 1024 of /proc/PID/task/TID/sched: 1024 at nice 0, 3 for SCHED_IDLE. Stale under real time. */
	struct known_number weight;
	struct known_number slice_ns; /* se.slice */
};

/* Reads what the scheduler itself uses. 0 or -errno (-ENOENT: gone, or no such file on this kernel). */
int thread_weight_read(const struct procfs *fs, pid_t pid, pid_t tid, struct thread_weight *out);

/* Writes the nice of the session's group to /proc/PID/autogroup: -20 to 19, no clamping (proc_pid_autogroup(5)). 0,
 * -EINVAL (out of range), -EPERM (below 0 without the right), -EACCES (not the owner), -EAGAIN (one write in 100 ms, over
 * the whole system). */
int autogroup_write(const struct procfs *fs, pid_t pid, int nice);

#endif
