/* Where a path is, and whether O_DIRECT is real there. */
#include "kernel/block_place.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

/* struct statx of the kernel: older headers lack what is wanted of it. */
struct attributes {
	uint32_t mask, blksize;
	uint64_t before[17];
	uint64_t mount; /* at 0x90 */
	uint32_t memory_align, offset_align; /* at 0x98 */
	uint64_t after[12];
};
_Static_assert(sizeof(struct attributes) == 256, "struct statx");
#define WANT_MOUNT 0x1000u /* STATX_MNT_ID */
#define WANT_ALIGN 0x2000u /* STATX_DIOALIGN */

/* Memory: it takes O_DIRECT and does nothing about it. */
#define TMPFS 0x01021994
#define RAMFS 0x858458f6

static bool read_attributes(int fd, unsigned want, struct attributes *a)
{
	memset(a, 0, sizeof(*a));
	return syscall(SYS_statx, fd, "", AT_EMPTY_PATH, want, a) == 0 && (a->mask & want);
}

static bool is_memory(int fd)
{
	struct statfs s;

	return fstatfs(fd, &s) == 0 && (s.f_type == TMPFS || s.f_type == RAMFS);
}

bool block_alignment(int fd, unsigned *memory, unsigned *offset)
{
	struct attributes a;

	if (!read_attributes(fd, WANT_ALIGN, &a))
		return false;
	*memory = a.memory_align;
	*offset = a.offset_align;
	return true;
}

/* Only a regular file tells of its alignment. O_TMPFILE has no name: nothing can be left behind. */
static void find_direct(int dir, struct block_place *out)
{
	int fd = openat(dir, ".", O_TMPFILE | O_RDWR | O_DIRECT | O_CLOEXEC, 0600);

	if (fd < 0) {
		/* EINVAL is also what a file system without O_TMPFILE may say: then a plain file must open. */
		if (errno == EINVAL) {
			fd = openat(dir, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
			out->direct = fd < 0 ? TRI_UNKNOWN : TRI_NO;
		}
	} else if (block_alignment(fd, &out->memory_align, &out->offset_align))
		out->direct = tri_of(out->memory_align > 0 && out->offset_align > 0);
	if (fd >= 0)
		close(fd);
}

/* The open descriptor, or -errno. */
static int open_place(int at, const char *path, int flags, struct block_place *out)
{
	int fd = openat(at, path, O_PATH | O_CLOEXEC | flags);
	struct attributes a;
	struct stat st;

	memset(out, 0, sizeof(*out));
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0) {
		int rc = -errno;
		close(fd);
		return rc;
	}
	out->dev = S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev;
	if (read_attributes(fd, WANT_MOUNT, &a)) {
		out->mount_known = true;
		out->mount = a.mount;
	}
	return fd;
}

int block_place_of(const char *path, struct block_place *out)
{
	int fd = open_place(AT_FDCWD, path, 0, out);

	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

static int find_at(int at, const char *dir, struct block_place *out)
{
	int fd = open_place(at, dir, O_DIRECTORY, out);

	if (fd < 0)
		return fd;
	out->memory = is_memory(fd);
	if (out->memory)
		out->direct = TRI_NO;
	else
		find_direct(fd, out);
	close(fd);
	return 0;
}

int block_find(const char *dir, struct block_place *out)
{
	return find_at(AT_FDCWD, dir, out);
}

int block_find_in(int dir, struct block_place *out)
{
	return find_at(dir, ".", out);
}
