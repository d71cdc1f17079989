/* Files without a name, with and without O_TMPFILE. */
#include "load/nameless.h"
#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int open_unnamed(int dir, int flags)
{
	return openat(dir, ".", O_TMPFILE | O_RDWR | O_CLOEXEC | flags, 0600);
}

/* Where O_DIRECT is refused the kernel has made the file all the same: the name goes in any case. */
static int open_named(int dir, int flags)
{
	char name[64];
	int fd, error;

	snprintf(name, sizeof(name), ".nl-file-%d-%llx", (int)getpid(), (unsigned long long)clock_now());
	fd = openat(dir, name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | flags, 0600);
	error = errno;
	if (fd < 0 && error == EEXIST) /* somebody else's */
		return -1;
	if (unlinkat(dir, name, 0) < 0 && fd >= 0) {
		error = errno;
		close(fd);
		fd = -1;
	}
	errno = error;
	return fd;
}

/* What file systems and kernels without O_TMPFILE answer to it. */
static bool has_no_unnamed(int error)
{
	return error == EOPNOTSUPP || error == EISDIR || error == EINVAL;
}

/* EINVAL may come from O_TMPFILE or from O_DIRECT: the plain file is made first, so that what fails then is O_DIRECT. */
int nameless_open(int dir, bool direct, bool *at_direct)
{
	int (*open_one)(int at, int flags) = open_unnamed;
	int fd = open_one(dir, 0);

	*at_direct = false;
	if (fd < 0 && has_no_unnamed(errno)) {
		open_one = open_named;
		fd = open_one(dir, 0);
	}
	if (fd < 0 || !direct)
		return fd < 0 ? -errno : fd;
	close(fd);
	fd = open_one(dir, O_DIRECT);
	*at_direct = fd < 0;
	return fd < 0 ? -errno : fd;
}
