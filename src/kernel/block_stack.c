/* The devices below a device, and which of them decides. */
#include "kernel/block_stack.h"
#include "base/text.h"
#include "kernel/block_queue.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

struct walk {
	const struct block_search *s;
	struct block_reading *out;
	const char *above[BLOCK_LEVELS]; /* raw names of the devices on the way from the top */
};

static bool has_file(const struct walk *w, const char *disk, const char *file)
{
	char path[BLOCK_DEVICE_FILE];

	return procfs_exists(w->s->fs->sys, block_device_file(path, disk, file));
}

/* The devices that one stands on, in the order of their names: the first that find room. */
struct slaves {
	size_t n;
	bool more;
	char names[BLOCK_LEVELS][BLOCK_NAME];
};

static void add_slave(struct slaves *l, const char *name)
{
	size_t at = 0;

	while (at < l->n && strverscmp(l->names[at], name) <= 0)
		at++;
	l->more = l->more || l->n == BLOCK_LEVELS;
	if (at == BLOCK_LEVELS)
		return;
	l->n += l->n < BLOCK_LEVELS;
	for (size_t i = l->n - 1; i > at; i--)
		strcpy(l->names[i], l->names[i - 1]);
	strcpy(l->names[at], name);
}

static void list_slaves(const struct procfs *fs, const char *disk, struct slaves *out)
{
	char path[BLOCK_DEVICE_FILE];
	int fd = openat(fs->sys, block_device_file(path, disk, "slaves"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;

	memset(out, 0, sizeof(*out));
	if (fd >= 0 && !dir)
		close(fd);
	while (dir && (e = readdir(dir)))
		if (block_device_valid(e->d_name))
			add_slave(out, e->d_name);
	if (dir)
		closedir(dir);
}

/* A text file of a disk without its last newline; empty where it cannot be read, or does not fit. */
static void read_line(const struct procfs *fs, const char *disk, const char *file, char *text, size_t size)
{
	char path[BLOCK_DEVICE_FILE];
	ssize_t n = procfs_read(fs->sys, block_device_file(path, disk, file), text, size);

	if (n <= 0 || (size_t)n == size - 1)
		n = 0;
	else if (text[n - 1] == '\n')
		n--;
	text[n] = '\0';
}

/* From Linux 6.15 on (1fdb8188c3d5) loop hands the I/O priority on to direct I/O; some stable kernels before do. */
static enum tri loop_passes(const struct procfs *fs, const char *disk)
{
	char text[64];
	unsigned major_release, minor_release;

	read_line(fs, disk, "loop/dio", text, sizeof(text));
	if (strcmp(text, "0") == 0)
		return TRI_NO;
	if (strcmp(text, "1") != 0 ||
	    procfs_read(fs->proc, "sys/kernel/osrelease", text, sizeof(text)) <= 0 ||
	    sscanf(text, "%u.%u", &major_release, &minor_release) != 2)
		return TRI_UNKNOWN;
	return major_release > 6 || (major_release == 6 && minor_release >= 15) ? TRI_YES : TRI_UNKNOWN;
}

/* The node is that very device, and no other that somebody put in its place. */
static int open_loop(const struct procfs *fs, const char *disk)
{
	char path[BLOCK_NAME + 8], number[32];
	unsigned maj, min;
	struct stat st;
	int fd;

	read_line(fs, disk, "dev", number, sizeof(number));
	if (sscanf(number, "%u:%u", &maj, &min) != 2)
		return -1;
	snprintf(path, sizeof(path), "/dev/%s", disk);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISBLK(st.st_mode) || st.st_rdev != makedev(maj, min))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* What the kernel says: the st_dev of the backing file, or the device itself where that is its node. Both are in the form of
 * huge_encode_dev(), which is dev_t's own for what the kernel can have: 12 bits and 20. */
static bool ask_loop(const struct procfs *fs, const char *disk, dev_t *out)
{
	struct loop_info64 info;
	int fd = fs->real ? open_loop(fs, disk) : -1;
	bool told = fd >= 0 && ioctl(fd, LOOP_GET_STATUS64, &info) == 0;

	if (fd >= 0)
		close(fd);
	if (told)
		*out = (dev_t)(info.lo_rdevice ? info.lo_rdevice : info.lo_device);
	return told;
}

static bool is_deleted(const char *path)
{
	static const char mark[] = " (deleted)";
	size_t len = strlen(path);

	return len >= sizeof(mark) - 1 && strcmp(path + len - (sizeof(mark) - 1), mark) == 0;
}

static bool below_loop(const struct block_search *s, const char *disk, struct block_device *out)
{
	char path[4096];
	dev_t dev;
	bool told = ask_loop(s->fs, disk, &dev);

	if (told && major(dev) != 0)
		return block_device_numbered(s->fs, dev, out);
	read_line(s->fs, disk, "loop/backing_file", path, sizeof(path));
	return !is_deleted(path) && block_device_of_path(s, path, told ? &dev : NULL, out);
}

static void copy_clean(char *dst, size_t size, const char *src)
{
	text_clean(dst, size, src, strlen(src));
}

/* A path or a name in full, or nothing. */
static void copy_backing(const struct walk *w, const char *disk, const char *file, struct block_level *out)
{
	char text[sizeof(out->backing) + 1];

	read_line(w->s->fs, disk, file, text, sizeof(text));
	copy_clean(out->backing, sizeof(out->backing), text);
}

static void read_kind(const struct walk *w, const char *disk, size_t nslaves, struct block_level *out)
{
	if (has_file(w, disk, "loop")) {
		out->kind = BLOCK_LOOP;
		out->passes = loop_passes(w->s->fs, disk);
		copy_backing(w, disk, "loop/backing_file", out);
	} else if (has_file(w, disk, "dm")) {
		out->kind = BLOCK_DM;
		copy_backing(w, disk, "dm/name", out);
	} else if (has_file(w, disk, "md"))
		out->kind = BLOCK_MD;
	else
		out->kind = nslaves ? BLOCK_STACKED : BLOCK_DISK;
}

/* False where the device is gone: what was read of it meanwhile says nothing. */
static bool read_level(const struct walk *w, const struct block_device *d, unsigned depth, size_t nslaves,
		       struct block_level *out)
{
	memset(out, 0, sizeof(*out));
	copy_clean(out->name, sizeof(out->name), d->disk);
	copy_clean(out->partition, sizeof(out->partition), d->partition);
	out->depth = depth;
	read_kind(w, d->disk, nslaves, out);
	block_queue_read(w->s->fs, d->disk, out);
	return has_file(w, d->disk, ".");
}

static void descend(struct walk *w, const struct block_device *d, unsigned depth);

static void descend_slaves(struct walk *w, const char *disk, const struct slaves *l, unsigned depth)
{
	char link[BLOCK_DEVICE_FILE], file[BLOCK_NAME + 8];
	struct block_device below;

	for (size_t i = 0; i < l->n; i++) {
		snprintf(file, sizeof(file), "slaves/%s", l->names[i]);
		if (block_device_linked(w->s->fs, block_device_file(link, disk, file), &below))
			descend(w, &below, depth);
	}
	w->out->more = w->out->more || l->more;
}

/* Ends with the room for levels, and where a device stands on itself. */
static void descend(struct walk *w, const struct block_device *d, unsigned depth)
{
	struct block_level *l;
	struct block_device below;
	struct slaves slaves;

	for (unsigned i = 0; i < depth; i++)
		if (strcmp(w->above[i], d->disk) == 0)
			return;
	if (w->out->nlevels == BLOCK_LEVELS) {
		w->out->more = true;
		return;
	}
	l = &w->out->levels[w->out->nlevels];
	list_slaves(w->s->fs, d->disk, &slaves);
	if (!read_level(w, d, depth, slaves.n, l))
		return;
	w->out->nlevels++;
	w->above[depth] = d->disk;
	if (l->kind != BLOCK_LOOP)
		descend_slaves(w, d->disk, &slaves, depth + 1);
	else if (below_loop(w->s, d->disk, &below))
		descend(w, &below, depth + 1);
}

void block_stack_read(const struct block_search *s, const struct block_device *top, struct block_reading *out)
{
	struct walk w = {.s = s, .out = out};

	descend(&w, top, 0);
	block_stack_decide(out);
}

int block_above(const struct block_reading *b, size_t level)
{
	for (size_t i = level; i-- > 0;)
		if (b->levels[i].depth < b->levels[level].depth)
			return (int)i;
	return -1;
}

int block_below(const struct block_reading *b, size_t level)
{
	bool below = level + 1 < b->nlevels && b->levels[level + 1].depth > b->levels[level].depth;

	return below ? (int)level + 1 : -1;
}

static bool honours_any(const struct block_level *l)
{
	return l->honours == BLOCK_HONOURS_CLASS || l->honours == BLOCK_HONOURS_LEVEL;
}

/* Nothing below it matters: it makes use of the priority, or loses it. */
static bool is_last(const struct block_level *l)
{
	return honours_any(l) || l->passes == TRI_NO;
}

/* Whether a request comes down to a level with its priority, and none above has made use of it. */
static enum tri reaches(const struct block_reading *b, size_t level, const enum tri *reached)
{
	int above = block_above(b, level);

	if (above < 0)
		return TRI_YES;
	if (reached[above] == TRI_NO || is_last(&b->levels[above]))
		return TRI_NO;
	return reached[above] == TRI_YES ? b->levels[above].passes : TRI_UNKNOWN;
}

/* Where ways down end: at a level that honours anything, at one that loses the priority, at a bottom. */
struct ends {
	int first; /* that honours anything; -1: none does */
	bool any, sure;
	enum block_honours honours; /* of those so far */
};

static void add_end(struct ends *e, enum block_honours honours, bool sure)
{
	e->sure = e->sure && sure && (!e->any || e->honours == honours);
	e->any = true;
	e->honours = honours;
}

static void add_level(struct ends *e, const struct block_reading *b, size_t i, enum tri reached)
{
	const struct block_level *l = &b->levels[i];

	if (reached == TRI_NO)
		return;
	if (honours_any(l)) {
		e->first = e->first < 0 ? (int)i : e->first;
		add_end(e, l->honours, reached == TRI_YES);
	} else if (l->kind == BLOCK_DISK || l->passes == TRI_NO) {
		/* If it is the top, it decides whatever its elevator does. */
		add_end(e, l->honours, l->honours == BLOCK_HONOURS_NOTHING || i == 0);
	} else if (block_below(b, i) < 0 || l->honours == BLOCK_HONOURS_UNKNOWN)
		e->sure = false;
}

void block_stack_decide(struct block_reading *b)
{
	struct ends e = {.first = -1, .sure = b->nlevels > 0 && (!b->more || is_last(&b->levels[0]))};
	enum tri reached[BLOCK_LEVELS];

	for (size_t i = 0; i < b->nlevels; i++) {
		reached[i] = reaches(b, i, reached);
		add_level(&e, b, i, reached[i]);
	}
	b->counts = e.first >= 0 ? e.first : b->nlevels ? 0 : -1;
	b->sure = e.sure;
}
