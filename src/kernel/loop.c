/* Loop devices that are taken apart by the kernel itself: autoclear, and a mount that has no place in any directory. */
#include "kernel/loop.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ATTACH_TRIES 16

/* Of linux/mount.h, which clashes with sys/mount.h on some systems. */
#define SET_STRING 1 /* FSCONFIG_SET_STRING */
#define CREATE 6 /* FSCONFIG_CMD_CREATE */
#define CLOSE_ON_EXEC 1 /* FSOPEN_CLOEXEC, FSMOUNT_CLOEXEC */

static int open_device(int number, char *name, size_t size)
{
	char path[LOOP_NAME + 8];
	int fd;

	snprintf(name, size, "loop%d", number);
	snprintf(path, sizeof(path), "/dev/%.31s", name);
	fd = open(path, O_RDWR | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Somebody else may take the device between the question for a free one and the answer to it: then the next. */
static int attach(int control, int backing, char *name, size_t size)
{
	struct loop_config config = {.fd = (unsigned)backing, .info.lo_flags = LO_FLAGS_AUTOCLEAR};
	int fd = -EBUSY;

	for (int i = 0; i < ATTACH_TRIES; i++) {
		int number = ioctl(control, LOOP_CTL_GET_FREE);
		if (number < 0)
			return -errno;
		fd = open_device(number, name, size);
		if (fd < 0)
			return fd;
		if (ioctl(fd, LOOP_CONFIGURE, &config) == 0)
			return fd;
		int rc = -errno;
		close(fd);
		fd = rc;
		if (rc != -EBUSY)
			break;
	}
	return fd;
}

int loop_attach(int backing, bool direct, char *name, size_t size, enum loop_step *step)
{
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC), fd;

	*step = LOOP_CONTROL;
	if (control < 0)
		return -errno;
	*step = LOOP_ATTACH;
	fd = attach(control, backing, name, size);
	close(control);
	if (fd < 0 || !direct)
		return fd;
	*step = LOOP_DIRECT_IO;
	if (ioctl(fd, LOOP_SET_DIRECT_IO, 1UL) < 0) {
		int rc = -errno;
		close(fd);
		return rc;
	}
	return fd;
}

int loop_mount(const char *name, const char *filesystem)
{
	char source[LOOP_NAME + 8];
	int mount = -1, rc = 0;
	int context = (int)syscall(SYS_fsopen, filesystem, CLOSE_ON_EXEC);

	if (context < 0)
		return -errno;
	snprintf(source, sizeof(source), "/dev/%.31s", name);
	if (syscall(SYS_fsconfig, context, SET_STRING, "source", source, 0) < 0 ||
	    syscall(SYS_fsconfig, context, CREATE, NULL, NULL, 0) < 0)
		rc = -errno;
	if (rc == 0) {
		mount = (int)syscall(SYS_fsmount, context, CLOSE_ON_EXEC, 0);
		rc = mount < 0 ? -errno : 0;
	}
	close(context);
	return rc < 0 ? rc : mount;
}
