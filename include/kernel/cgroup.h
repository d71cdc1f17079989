/* The cpu cgroup that a process competes in: cgroup v1 or v2, found by its mount and the nearest group that has the
 * controller. Reads through the root directory descriptors; a mount point outside /sys cannot be looked up there and is
 * unknown. Any thread. */
#ifndef NICELAB_KERNEL_CGROUP_H
#define NICELAB_KERNEL_CGROUP_H

#include "base/known.h"
#include "kernel/parse.h"
#include "kernel/procfs.h"

#define CGROUP_PATH 256

/* Which group: plain data, to be compared and kept. All zero: not found. */
struct cgroup_place {
	int version; /* 1 or 2; 0: neither is there, or it cannot be read */
	/* The task group is not the root one (of v2: an ancestor or the group itself has cpu.weight). The root of a v1 cgroup
	 * namespace looks like the root. */
	bool below_root;
	char path
		[CGROUP_PATH]; /* of the task group, from the controller's root: "/" or "/user.slice"; raw bytes */
	/* The same as a path below /sys, without a leading "/": "fs/cgroup/user.slice". Empty (v1 alone): it is in no
	 * mount that can be looked up, so that there is nothing to read of it. */
	char dir[CGROUP_PATH];
	char top[CGROUP_PATH]; /* the mount's own directory below /sys: where walking up ends */
};

/* The mounts of the cpu controller; read once. */
struct cgroup_mounts {
	struct mount_line v1, v2;
	bool has_v1, has_v2;
};
void cgroup_mounts_read(const struct procfs *fs, struct cgroup_mounts *out);

/* Where the process is; pid 0 stands for the caller's. 0 or -errno (-ENOENT: gone, or no cpu controller at all; -EXDEV:
 * a v2 group that no mount here shows). */
int cgroup_find(const struct procfs *fs, const struct cgroup_mounts *m, pid_t pid, struct cgroup_place *out);

struct cgroup_reading {
	/* As the weight of a task is counted (1024 = nice 0): cpu.shares, cpu.weight * 1024 / 100, or 3 for cpu.idle. */
	struct known_number weight;
	struct known_number raw_weight; /* as the file says: cpu.shares or cpu.weight */
	enum tri idle; /* cpu.idle */
	/* CPUs allowed by the tightest quota of the group and its ancestors as far as the mount shows them; unknown: none,
	 * or not readable. */
	struct known_number quota;
	char quota_path[CGROUP_PATH]; /* the group that has it, as in place.path */
	bool throttle_known; /* cpu.stat of that group */
	uint64_t periods, throttled; /* nr_periods, nr_throttled since it was made */
	uint64_t throttled_ns; /* v1 throttled_time (ns), v2 throttled_usec * 1000 */
	enum tri
		mixed; /* the group holds processes and sub-groups of the controller side by side; of the root group too */
	enum tri
		rt_refused; /* v1 with cpu.rt_runtime_us 0: no real-time policy may be set in it. v2 does not tell */
};

/* Reads the files of the group. The root group has no weight, quota or idle: unknown. 0 or -errno (-ENOENT: the
 * group is gone, or place.dir is empty). */
int cgroup_read(const struct procfs *fs, const struct cgroup_place *place, struct cgroup_reading *out);

#endif
