/* Directory trees of workers: named after their stage, so that whoever is left can remove them. */
#include "load/scratch.h"
#include "kernel/task.h"
#include "load/protocol.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX ".nl-tree-"
#define DEPTH_MAX 4 /* a worker's tree has two levels */

char *scratch_tree_name(char *buf, size_t size, int stage, unsigned serial)
{
	snprintf(buf, size, PREFIX "%d-%u", stage, serial);
	return buf;
}

static bool is_dots(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* In directories of others, and on other file systems, nothing is removed: whoever runs this, root too, removes only what the owner
 * of the tree could have removed. */
struct removal {
	bool begun; /* the owner is known: that of the tree itself */
	uid_t owner;
	dev_t dev;
};

static int remove_below(struct removal *r, int dir, const char *name, int depth);

/* All that goes, also where something does not. */
static int empty_directory(struct removal *r, DIR *d, int depth)
{
	struct dirent *e;
	int failed = 0;

	while ((e = readdir(d))) {
		int rc = 0;
		if (is_dots(e->d_name))
			continue;
		if (unlinkat(dirfd(d), e->d_name, 0) < 0 && errno != ENOENT)
			rc = errno == EISDIR ? remove_below(r, dirfd(d), e->d_name, depth - 1) : -errno;
		failed = rc < 0 ? rc : failed;
	}
	return failed;
}

static int open_own(struct removal *r, int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), rc;
	struct stat st;

	rc = fd < 0 || fstat(fd, &st) < 0 ? -errno : 0;
	if (rc == 0 && !r->begun)
		*r = (struct removal){true, st.st_uid, st.st_dev};
	if (rc == 0 && (st.st_uid != r->owner || st.st_dev != r->dev))
		rc = -EPERM;
	if (rc < 0 && fd >= 0)
		close(fd);
	return rc < 0 ? rc : fd;
}

static int remove_below(struct removal *r, int dir, const char *name, int depth)
{
	int fd = depth > 0 ? open_own(r, dir, name) : -ELOOP, rc;
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (!d) {
		if (fd >= 0)
			close(fd);
		return fd == -ENOENT ? 0 : fd < 0 ? fd : -ENOMEM;
	}
	rc = empty_directory(r, d, depth);
	closedir(d);
	if (rc == 0 && unlinkat(dir, name, AT_REMOVEDIR) < 0 && errno != ENOENT)
		rc = -errno;
	return rc;
}

int scratch_remove_tree(int dir, const char *name)
{
	struct removal r = {0};

	return remove_below(&r, dir, name, DEPTH_MAX);
}

/* The stage of a tree's name, or 0. Only what scratch_tree_name makes is one. */
static int stage_of(const char *name)
{
	char same[SCRATCH_TREE];
	unsigned serial;
	int stage;

	if (sscanf(name, PREFIX "%9d-%9u", &stage, &serial) != 2 || stage <= 0)
		return 0;
	return strcmp(scratch_tree_name(same, sizeof(same), stage, serial), name) == 0 ? stage : 0;
}

/* A stage that is a zombie, or whose number has gone to somebody else, removes nothing any more. */
static bool stage_is_there(int pid)
{
	struct task_reading r;
	struct procfs fs;
	bool there = true; /* where nobody can look, nothing is removed */

	if (procfs_open(&fs, NULL, NULL) < 0)
		return true;
	if (task_read(&fs, pid, pid, &r) < 0)
		there = kill(pid, 0) == 0 || errno != ESRCH;
	else
		there = r.stat.state != 'Z' && r.stat.state != 'X' && strcmp(r.stat.comm, STAGE_NAME) == 0;
	procfs_close(&fs);
	return there;
}

static bool is_ours(int dir, const char *name)
{
	struct stat st;

	return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode) &&
	       (geteuid() == 0 || st.st_uid == geteuid());
}

int scratch_remove_trees(int dir, int stage)
{
	int left = 0;
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;

	if (!d && fd >= 0)
		close(fd);
	while (d && (e = readdir(d))) {
		int of = stage_of(e->d_name);
		bool wanted = stage < 0 ? of > 0 && !stage_is_there(of) : of == stage;
		if (of && wanted && is_ours(dir, e->d_name))
			left += scratch_remove_tree(dir, e->d_name) < 0;
	}
	if (d)
		closedir(d);
	return left;
}
