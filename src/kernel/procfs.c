/* Bounded reads below the root directories of /proc and /sys. */
#include "kernel/procfs.h"
#include "kernel/parse.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
	fs->real = !proc_root && !sys_root;
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

ssize_t procfs_read_new(int root, const char *path, size_t max, char **out)
{
	ssize_t n = -EFBIG;

	*out = NULL;
	for (size_t size = max < 65536 ? max : 65536; n == -EFBIG && size <= max; size *= 2) {
		free(*out);
		*out = malloc(size);
		n = *out ? procfs_read_all(root, path, *out, size) : -ENOMEM;
	}
	if (n < 0) {
		free(*out);
		*out = NULL;
	}
	return n;
}

int procfs_read_number(int root, const char *path, long long *out)
{
	char text[32];
	ssize_t n = procfs_read(root, path, text, sizeof(text));

	return n < 0 ? (int)n : parse_number(text, out);
}

bool procfs_exists(int root, const char *path)
{
	return root >= 0 && faccessat(root, path, F_OK, 0) == 0;
}

int procfs_write(int root, const char *path, const char *text)
{
	int fd = root < 0 ? -1 : openat(root, path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	size_t len = strlen(text);
	ssize_t n;
	int rc;

	if (fd < 0)
		return root < 0 ? -ENOENT : -errno;
	n = write(fd, text, len);
	rc = n < 0 ? -errno : (size_t)n < len ? -EIO : 0;
	if (close(fd) < 0 && rc == 0)
		rc = -errno;
	return rc;
}

/* The numbers among the names of a directory. */
static ssize_t list_numbers(int root, const char *path, pid_t *out, size_t max)
{
	int fd = openat(root, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct dirent *e;
	size_t n = 0;
	DIR *dir;

	if (fd < 0)
		return -errno;
	dir = fdopendir(fd);
	if (!dir) {
		int rc = -errno;
		close(fd);
		return rc;
	}
	while ((e = readdir(dir))) {
		pid_t number = (pid_t)strtol(e->d_name, NULL, 10);
		if (number <= 0)
			continue;
		if (n < max)
			out[n] = number;
		n++;
	}
	closedir(dir);
	return (ssize_t)n;
}

ssize_t procfs_threads(const struct procfs *fs, pid_t pid, pid_t *tids, size_t max)
{
	char path[32];

	snprintf(path, sizeof(path), "%d/task", (int)pid);
	return list_numbers(fs->proc, path, tids, max);
}

ssize_t procfs_processes(const struct procfs *fs, pid_t *pids, size_t max)
{
	return list_numbers(fs->proc, ".", pids, max);
}
