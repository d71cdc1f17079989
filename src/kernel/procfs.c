/* Bounded reads below the root directories of /proc and /sys. */
#include "kernel/procfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int open_root(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int procfs_open(struct procfs *fs, const char *proc_root, const char *sys_root)
{
	char probe[16];
	ssize_t n;

	fs->sys = -1;
	fs->proc = open_root(proc_root ? proc_root : "/proc");
	if (fs->proc < 0)
		return fs->proc;
	n = procfs_read(fs->proc, "stat", probe, sizeof(probe)); /* an empty directory is no /proc */
	if (n < 0) {
		procfs_close(fs);
		return (int)n;
	}
	fs->sys = open_root(sys_root ? sys_root : "/sys");
	return 0;
}

void procfs_close(struct procfs *fs)
{
	if (fs->proc >= 0)
		close(fs->proc);
	if (fs->sys >= 0)
		close(fs->sys);
	fs->proc = fs->sys = -1;
}

ssize_t procfs_read_all(int root, const char *path, char *buf, size_t size)
{
	int fd = root < 0 ? -1 : openat(root, path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	size_t used = 0;
	ssize_t n;

	if (fd < 0)
		return root < 0 ? -ENOENT : -errno;
	while ((n = read(fd, buf + used, size - 1 - used)) > 0)
		used += (size_t)n;
	if (n < 0)
		n = -errno;
	close(fd);
	buf[used] = '\0';
	return n < 0 ? n : used == size - 1 ? -EFBIG : (ssize_t)used;
}

ssize_t procfs_read(int root, const char *path, char *buf, size_t size)
{
	int fd = root < 0 ? -1 : openat(root, path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	ssize_t n;

	if (root < 0)
		return -ENOENT;
	if (fd < 0)
		return -errno;
	n = read(fd, buf, size - 1);
	if (n < 0)
		n = -errno;
	else
		buf[n] = '\0';
	close(fd);
	return n;
}

ssize_t procfs_threads(const struct procfs *fs, pid_t pid, pid_t *tids, size_t max)
{
	char path[32];
	struct dirent *e;
	size_t n = 0;
	DIR *dir;
	int fd;

	snprintf(path, sizeof(path), "%d/task", (int)pid);
	fd = openat(fs->proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	dir = fdopendir(fd);
	if (!dir) {
		int rc = -errno;
		close(fd);
		return rc;
	}
	while ((e = readdir(dir))) {
		pid_t tid = (pid_t)strtol(e->d_name, NULL, 10);
		if (tid <= 0)
			continue;
		if (n < max)
			tids[n] = tid;
		n++;
	}
	closedir(dir);
	return (ssize_t)n;
}
