/* The directory that workers make their files in, what is in the way there, and nicelab's own loop device in its place. */
#include "load/scratch.h"
#include "load/nameless.h"
#include "base/text.h"
#include "kernel/block.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

const char *scratch_default_dir(void)
{
	const char *const paths[] = {getenv("TMPDIR"), "/var/tmp"};
	struct block_place where;

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (paths[i] && *paths[i] && block_find(paths[i], &where) == 0 && !where.memory)
			return paths[i];
	return "/";
}

int scratch_open(struct scratch *s, const char *path)
{
	*s = SCRATCH_NONE;
	if (!path)
		path = scratch_default_dir();
	text_clean(s->path, sizeof(s->path), path, strlen(path));
	s->dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s->dir < 0)
		return -errno;
	scratch_remove_trees(s->dir, -1);
	return 0;
}

static int room_in(int dir, uint64_t *room)
{
	struct statvfs v;

	if (fstatvfs(dir, &v) < 0)
		return -errno;
	*room = (uint64_t)v.f_bavail * v.f_frsize;
	return 0;
}

int scratch_try(const struct scratch *s, uint64_t need, bool direct, uint64_t *room)
{
	bool at_direct;
	int fd = s->dir < 0 ? -ENOENT : nameless_open(s->dir, false, &at_direct), rc;

	*room = 0;
	if (fd < 0)
		return fd;
	close(fd);
	rc = room_in(s->dir, room);
	if (rc < 0)
		return rc;
	if (*room / 2 < need)
		return -ENOSPC;
	fd = direct ? nameless_open(s->dir, true, &at_direct) : 0;
	if (fd > 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

/* Runs mke2fs on the file. Tables are written now, since a kernel thread that does it later is load of its own. */
static int make_filesystem(int file)
{
	char path[32];
	int status = 0, null;
	pid_t pid;

	snprintf(path, sizeof(path), "/dev/fd/%d", file);
	pid = fork();
	if (pid < 0)
		return -errno;
	if (pid == 0) {
		null = open("/dev/null", O_RDWR);
		for (int fd = 0; fd <= 2; fd++)
			dup2(null, fd);
		fcntl(file, F_SETFD, 0);
		setenv("PATH", "/usr/sbin:/sbin:/usr/bin:/bin", 1);
		execlp("mke2fs", "mke2fs", "-q", "-F", "-t", "ext4", "-m", "0", "-E",
		       "lazy_itable_init=0,nodiscard", path, (char *)NULL);
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return -ENOENT;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -EIO;
}

/* The backing file with all its blocks. -errno, and which step. */
static int make_backing(const struct scratch *s, uint64_t size, const char **why)
{
	bool at_direct;
	int fd, rc;

	*why = "no file can be made there";
	fd = nameless_open(s->dir, false, &at_direct);
	if (fd < 0)
		return fd;
	*why = "no room for the file behind the loop device";
	rc = -posix_fallocate(fd, 0, (off_t)size);
	if (rc == 0) {
		*why = "mke2fs (of the package e2fsprogs) could not make a file system";
		rc = make_filesystem(fd);
	}
	if (rc < 0)
		close(fd);
	return rc < 0 ? rc : fd;
}

/* A loop device keeps the elevator that whoever had it before has set: a known one to begin with. */
static void begin_without_elevator(const char *name)
{
	struct procfs fs;

	if (procfs_open(&fs, NULL, NULL) < 0)
		return;
	block_set_elevator(&fs, name, "none");
	procfs_close(&fs);
}

static int attach_and_mount(struct scratch *s, int backing, bool direct, const char **why)
{
	static const char *const steps[] = {
		[LOOP_CONTROL] = "loop devices cannot be made here (only by root, with the module loop)",
		[LOOP_ATTACH] = "no loop device could be attached",
		[LOOP_DIRECT_IO] = "the loop device could not be switched to direct I/O",
		[LOOP_MOUNT] = "the file system on the loop device could not be mounted",
	};
	enum loop_step step;
	int device = loop_attach(backing, direct, s->loop, sizeof(s->loop), &step), mount;

	*why = steps[step];
	if (device < 0)
		return device;
	begin_without_elevator(s->loop);
	*why = steps[LOOP_MOUNT];
	mount = loop_mount(s->loop, "ext4");
	close(device); /* the mount holds it from here on */
	return mount;
}

int scratch_loop(struct scratch *s, uint64_t size, bool direct, const char **why)
{
	int backing = make_backing(s, size, why), root;

	if (backing < 0)
		return backing;
	root = attach_and_mount(s, backing, direct, why);
	close(backing); /* and the device the file */
	if (root < 0) {
		s->loop[0] = '\0';
		return root;
	}
	close(s->dir);
	/* A mount is told by a descriptor that files cannot be made with: a plain one of its root. Everybody may make files there, as
	 * in the directories of temporary files, since workers may run as another user. */
	s->dir = openat(root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	close(root);
	*why = "the file system on the loop device could not be opened";
	if (s->dir < 0 || fchmod(s->dir, 01777) < 0)
		return -errno;
	s->loop_size = size;
	s->loop_direct = direct;
	return 0;
}

void scratch_close(struct scratch *s)
{
	if (s->dir >= 0)
		close(s->dir);
	*s = SCRATCH_NONE;
}
