/* /proc and /sys through root directory descriptors, so that a fixture tree can stand in for either.
 * Every file is read with one bounded read: a process that dies meanwhile gives an error, never half an answer. */
#ifndef NICELAB_KERNEL_PROCFS_H
#define NICELAB_KERNEL_PROCFS_H

#include <stddef.h>
#include <sys/types.h>

struct procfs {
	int proc; /* directory descriptors */
	int sys; /* -1 where there is no /sys: reads of it answer -ENOENT */
};

/* Opens the two trees; NULL stands for the machine's own. 0 or -errno (of proc; sys may be missing). */
int procfs_open(struct procfs *fs, const char *proc_root, const char *sys_root);
void procfs_close(struct procfs *fs);

/* Reads at most size - 1 bytes of root/path and ends them with a NUL. Returns the length or -errno. Any thread. */
ssize_t procfs_read(int root, const char *path, char *buf, size_t size);

/* The same for a list that the kernel hands out a page at a time (mountinfo, cgroup): reads to the end. -EFBIG where it does
 * not fit. */
ssize_t procfs_read_all(int root, const char *path, char *buf, size_t size);

/* The thread ids of a process, in the order of the kernel (the main thread first): at most max. Returns how many there
 * are, which may be more than max, or -errno. Any thread. */
ssize_t procfs_threads(const struct procfs *fs, pid_t pid, pid_t *tids, size_t max);

#endif
