/* /proc and /sys through root directory descriptors, so that a fixture tree can stand in for either.
 * Every file is read with one bounded read: a process that dies meanwhile gives an error, never half an answer. */
#ifndef NICELAB_KERNEL_PROCFS_H
#define NICELAB_KERNEL_PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct procfs {
	int proc; /* directory descriptors */
	int sys; /* -1 where there is no /sys: reads of it answer -ENOENT */
	bool real; /* both are the machine's own: the paths and devices that they name may be looked up */
};

/* Opens the two trees; NULL stands for the machine's own. 0 or -errno (of proc; sys may be missing). */
int procfs_open(struct procfs *fs, const char *proc_root, const char *sys_root);
void procfs_close(struct procfs *fs);

/* Reads at most size - 1 bytes of root/path and ends them with a NUL. Returns the length or -errno. Any thread. */
ssize_t procfs_read(int root, const char *path, char *buf, size_t size);

/* The same for a list that the kernel hands out a page at a time (mountinfo, cgroup): reads to the end. -EFBIG where it does
 * not fit. */
ssize_t procfs_read_all(int root, const char *path, char *buf, size_t size);

#define PROCFS_MOUNTS_MAX ((size_t)4 << 20) /* of mountinfo: hosts with containers have thousands of mounts */

/* A list of any length in new memory, to be freed: the same up to max bytes. Returns the length or -errno, -EFBIG past max. */
ssize_t procfs_read_new(int root, const char *path, size_t max, char **out);

/* The number that is all that a file holds. 0, -errno of the reading, or -EINVAL (something else stands there). */
int procfs_read_number(int root, const char *path, long long *out);

/* Whether the path is there. */
bool procfs_exists(int root, const char *path);

/* Writes text to root/path with one write(2). 0 or -errno of open, write or close. */
int procfs_write(int root, const char *path, const char *text);

/* The thread ids of a process, in the order of the kernel (the main thread first): at most max. Returns how many there
 * are, which may be more than max, or -errno. Any thread. */
ssize_t procfs_threads(const struct procfs *fs, pid_t pid, pid_t *tids, size_t max);

/* The ids of all processes that can be seen, likewise. */
ssize_t procfs_processes(const struct procfs *fs, pid_t *pids, size_t max);

#endif
