/* Where a process is in the hierarchy of a controller, and the files of its group and of those above (private to the floor). Any
 * thread. */
#ifndef NICELAB_KERNEL_CGROUP_PLACE_H
#define NICELAB_KERNEL_CGROUP_PLACE_H

#include "kernel/cgroup.h"

/* The mounts where a controller ("cpu", "blkio") can be looked up: its own of v1, and that of v2, which holds all. 0 or -errno
 * of reading mountinfo. */
int cgroup_place_mounts(const struct procfs *fs, const char *controller, struct cgroup_mounts *out);

/* The group that /proc/PID/cgroup names; pid 0 stands for the caller. version is 0 where neither version is there; dir and top stay empty where no
 * mount shows the group; below_root is left to the caller. 0, -errno of reading (-ENOENT, -ESRCH: gone), or -ENAMETOOLONG. */
int cgroup_place_find(const struct procfs *fs, const struct cgroup_mounts *m, const char *controller,
		      pid_t pid, struct cgroup_place *out);

/* To the group above; false at the top, where it stays. */
bool cgroup_place_up(struct cgroup_place *p);

/* One file of the group, as procfs_read and procfs_read_number have it. */
ssize_t cgroup_place_read(const struct procfs *fs, const struct cgroup_place *p, const char *name, char *text,
			  size_t size);
int cgroup_place_number(const struct procfs *fs, const struct cgroup_place *p, const char *name,
			long long *out);

#endif
