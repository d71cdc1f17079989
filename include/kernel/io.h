/* What a process has read and written, and what its cgroup does to its I/O. Any thread. */
#ifndef NICELAB_KERNEL_IO_H
#define NICELAB_KERNEL_IO_H

#include "base/known.h"
#include "kernel/procfs.h"

#include <sys/types.h>

/* /proc/PID/io, proc_pid_io(5). */
struct io_counts {
	uint64_t at; /* CLOCK_MONOTONIC ns; the parser leaves it alone */
	uint64_t read_chars, write_chars; /* of the system calls, cache or not */
	uint64_t read_bytes, write_bytes; /* fetched from the block layer; dirtied or sent to it */
	uint64_t cancelled_bytes; /* dirtied, and dropped before they were written */
};

/* The counters of the whole process. 0, -EACCES (the process of another user), -ENOENT or -ESRCH (gone), -EINVAL. */
int io_read(const struct procfs *fs, pid_t pid, struct io_counts *out);
int io_parse(const char *text, struct io_counts *out);

#define IO_POLICY 48
#define IO_GROUP_PATH 128

/* What the io (v2) or blkio (v1) cgroup of a process decides before the elevator does. */
struct io_group {
	enum tri placed; /* its group was found; no: none of the mounts here shows it */
	int version; /* 1 or 2; 0 unknown */
	char path[IO_GROUP_PATH]; /* of the group, cleaned; "/" is the root group */
	/* io.prio.class or blkio.prio.class where it is other than no-change (none, its older name); else empty. Of the group whose
	 * requests they are: of v2 the nearest that was given the controller. Those above it do not count (block/blk-ioprio.c). */
	char policy[IO_POLICY];
	/* io.max, io.weight (other than 100), io.latency or io.bfq.weight is set in the group or above; of v1 blkio.bfq.weight likewise,
	 * and blkio.throttle.* in the group itself, since throttling of v1 knows no levels (cgroup-v1/blkio-controller.rst). Unknown
	 * also where none is, and groups above cannot be seen (a container). */
	enum tri limits;
	char limit_file[IO_POLICY]; /* the first that was found: "io.max" */
	char limit_path[IO_GROUP_PATH]; /* and its group, cleaned */
};

/* Finds the group in /proc/PID/cgroup (pid 0: the caller's) and its mount in /proc/self/mountinfo. 0 or -errno of reading
 * those. What cannot be read of the group is unknown. */
int io_group_read(const struct procfs *fs, pid_t pid, struct io_group *out);

/* Whether the text of io.max, io.latency or blkio.throttle.* limits anything; whether that of a weight file has one other than 100, of the
 * group or for a device. A line that is cut does not count. Pure. */
bool io_parse_limits(const char *text);
bool io_parse_weights(const char *text);

#endif
