/* From a directory to the elevator below it. */
#include "kernel/block.h"
#include "base/text.h"
#include "kernel/line.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
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

/* Only a regular file tells of its alignment. O_TMPFILE has no name: nothing can be left behind. */
static void find_direct(int dir, struct block_place *out)
{
	int fd = openat(dir, ".", O_TMPFILE | O_RDWR | O_DIRECT | O_CLOEXEC, 0600);
	struct attributes a;

	if (fd < 0) {
		/* EINVAL is also what a file system without O_TMPFILE may say: then a plain file must open. */
		if (errno == EINVAL) {
			fd = openat(dir, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
			out->direct = fd < 0 ? TRI_UNKNOWN : TRI_NO;
		}
	} else if (read_attributes(fd, WANT_ALIGN, &a)) {
		out->direct = tri_of(a.memory_align > 0 && a.offset_align > 0);
		out->memory_align = a.memory_align;
		out->offset_align = a.offset_align;
	}
	if (fd >= 0)
		close(fd);
}

int block_find(const char *dir, struct block_place *out)
{
	int fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct attributes a;
	struct stat st;
	int rc = 0;

	memset(out, 0, sizeof(*out));
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0)
		rc = -errno;
	else
		out->dev = st.st_dev;
	if (rc == 0 && read_attributes(fd, WANT_MOUNT, &a)) {
		out->mount_known = true;
		out->mount = a.mount;
	}
	out->memory = rc == 0 && is_memory(fd);
	if (out->memory)
		out->direct = TRI_NO;
	else if (rc == 0)
		find_direct(fd, out);
	close(fd);
	return rc;
}

static int copy_word(char *dst, size_t size, const char *word, size_t len)
{
	if (len == 0)
		return -EINVAL;
	text_clean(dst, size, word, len);
	return 0;
}

int block_parse_scheduler(const char *text, char *elevator, size_t size)
{
	const char *open = strchr(text, '['), *word = open ? open + 1 : text;
	size_t len = strcspn(word, " []\n");

	if (open ? word[len] != ']' : word[len] != '\0' && word[len] != '\n')
		return -EINVAL;
	return copy_word(elevator, size, word, len);
}

/* proc_pid_mountinfo(5): (1) number, (3) major:minor, after " - " the type. */
static bool is_mount(const char *line, const struct block_place *place)
{
	unsigned long number;
	unsigned maj, min;

	if (sscanf(line, "%lu %*u %u:%u", &number, &maj, &min) != 3)
		return false;
	return place->mount_known ? number == place->mount
				  : maj == major(place->dev) && min == minor(place->dev);
}

int block_parse_mount(const char *text, const struct block_place *place, char *type, size_t size)
{
	int rc = -ENOENT;

	for (const char *l = text; l; l = line_next(l)) {
		const char *dash;
		if (!is_mount(l, place))
			continue;
		dash = strstr(l, " - ");
		if (!dash || dash > l + strcspn(l, "\n"))
			return -EINVAL;
		rc = copy_word(type, size, dash + 3, strcspn(dash + 3, " \n"));
	}
	return rc;
}

static void read_filesystem(const struct procfs *fs, const struct block_place *place,
			    struct block_reading *out)
{
	char *text;

	if (procfs_read_new(fs->proc, "self/mountinfo", PROCFS_MOUNTS_MAX, &text) < 0)
		return;
	block_parse_mount(text, place, out->filesystem, sizeof(out->filesystem));
	free(text);
}

/* The last part of a path, cut off. */
static const char *last_part(char *path)
{
	char *slash = strrchr(path, '/');

	if (!slash)
		return path;
	*slash = '\0';
	return slash + 1;
}

static bool exists(const struct procfs *fs, const char *path)
{
	return faccessat(fs->sys, path, F_OK, 0) == 0;
}

/* /sys/dev/block/M:m leads to the directory of the device; that of a partition lies within its disk's. The name of the disk as /sys
 * has it, or empty. */
static void find_disk(const struct procfs *fs, dev_t dev, char *disk, struct block_reading *out)
{
	char path[64], part[80], target[512];
	ssize_t n;

	disk[0] = '\0';
	snprintf(path, sizeof(path), "dev/block/%u:%u", major(dev), minor(dev));
	n = fs->sys < 0 ? -1 : readlinkat(fs->sys, path, target, sizeof(target) - 1);
	if (n <= 0)
		return;
	target[n] = '\0';
	snprintf(part, sizeof(part), "%s/partition", path);
	if (exists(fs, part)) {
		const char *name = last_part(target);
		text_clean(out->partition, sizeof(out->partition), name, strlen(name));
	}
	snprintf(disk, BLOCK_NAME, "%.63s", last_part(target));
}

static enum tri is_stacked(const struct procfs *fs, const char *disk)
{
	char path[BLOCK_NAME + 32];
	struct dirent *e;
	int fd;
	DIR *dir;
	bool found = false;

	snprintf(path, sizeof(path), "block/%s/loop", disk);
	if (exists(fs, path))
		return TRI_YES;
	snprintf(path, sizeof(path), "block/%s/slaves", disk);
	fd = openat(fs->sys, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? TRI_NO : TRI_UNKNOWN;
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return TRI_UNKNOWN;
	}
	while (!found && (e = readdir(dir)))
		found = e->d_name[0] != '.';
	closedir(dir);
	return tri_of(found);
}

static enum block_honours honours_of(const char *elevator)
{
	static const struct {
		const char *name;
		enum block_honours honours;
	} known_ones[] = {
		{"none", BLOCK_HONOURS_NOTHING},
		{"kyber", BLOCK_HONOURS_NOTHING},
		{"mq-deadline", BLOCK_HONOURS_CLASS},
		{"bfq", BLOCK_HONOURS_LEVEL},
	};

	for (size_t i = 0; i < sizeof(known_ones) / sizeof(known_ones[0]); i++)
		if (strcmp(known_ones[i].name, elevator) == 0)
			return known_ones[i].honours;
	return BLOCK_HONOURS_UNKNOWN;
}

static void read_queue(const struct procfs *fs, const char *disk, struct block_reading *out)
{
	char path[BLOCK_NAME + 32], text[256];
	ssize_t n;

	snprintf(path, sizeof(path), "block/%s/queue/scheduler", disk);
	n = procfs_read(fs->sys, path, text, sizeof(text));
	if (n == -ENOENT)
		out->queue = BLOCK_QUEUE_MISSING;
	if (n <= 0 || block_parse_scheduler(text, out->elevator, sizeof(out->elevator)) < 0)
		return;
	out->queue = BLOCK_QUEUE_READ;
	if (out->stacked == TRI_NO)
		out->honours = honours_of(out->elevator);
}

void block_read(const struct procfs *fs, const struct block_place *place, struct block_reading *out)
{
	char disk[BLOCK_NAME];

	memset(out, 0, sizeof(*out));
	read_filesystem(fs, place, out);
	if (major(place->dev) == 0)
		return;
	find_disk(fs, place->dev, disk, out);
	if (!disk[0])
		return;
	text_clean(out->device, sizeof(out->device), disk, strlen(disk));
	out->stacked = is_stacked(fs, disk);
	read_queue(fs, disk, out);
}

const char *block_honours_word(enum block_honours h)
{
	static const char *const words[] = {"unknown", "nothing", "class", "class and level"};

	return words[h];
}
