/* Kind "tree": walks a directory tree of its own over and over and reads every file, as a backup or a search does. The data is read
 * by O_DIRECT and so never comes from the cache; the directories themselves do, once they were read. */
#include "load/disk.h"
#include "base/clock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES_IN_DIRECTORY 16
#define FILE_MAX (UINT64_C(1) << 20) /* bytes, where the block is not larger */
#define FILES_AIM 256 /* files are smaller where the tree would have fewer */

struct tree {
	int root;
	uint64_t bytes; /* of all files */
	struct disk_file like; /* block and alignment of each */
};

/* Of one thread. */
struct walker {
	void *buffer;
	uint64_t bytes; /* read in this walk */
};

static int open_directory(const struct load *l, int at, const char *name, enum arena_step step)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		load_fail(l, step, errno);
	return fd;
}

static int make_directory(const struct load *l, int at, const char *name)
{
	if (mkdirat(at, name, 0700) < 0)
		load_fail(l, STEP_CREATE, errno);
	return open_directory(l, at, name, STEP_CREATE);
}

static void make_file(const struct load *l, int at, unsigned number, uint64_t size, struct disk_file *out)
{
	char name[16];
	int fd;

	snprintf(name, sizeof(name), "f%02u", number);
	fd = openat(at, name, O_CREAT | O_EXCL | O_RDWR | O_DIRECT | O_CLOEXEC, 0600);
	if (fd < 0)
		load_fail(l, errno == EINVAL ? STEP_DIRECT : STEP_CREATE, errno);
	disk_file_init(l, fd, true, size, out);
	disk_fill(l, out);
}

/* Files of size bytes while there is anything left to make. They are brought to the disk together: a journal takes what it has to
 * note of all of them with the first. */
static void fill_directory(const struct load *l, int at, uint64_t size, uint64_t *left,
			   struct disk_file *like)
{
	struct disk_file files[FILES_IN_DIRECTORY] = {0};
	unsigned n;

	for (n = 0; n < FILES_IN_DIRECTORY && *left; n++) {
		make_file(l, at, n, *left < size ? *left : size, &files[n]);
		*left -= files[n].size;
	}
	for (unsigned i = 0; i < n; i++) {
		disk_sync(l, &files[i]);
		close(files[i].fd);
	}
	*like = files[0];
}

static uint64_t whole_blocks(uint64_t bytes, uint64_t block)
{
	return block ? bytes / block * block : 0;
}

static uint64_t file_bytes(uint64_t tree, uint64_t block)
{
	uint64_t size = tree / FILES_AIM;

	size = whole_blocks(size < FILE_MAX ? size : FILE_MAX, block);
	return size ? size : block;
}

static void make_directories(const struct load *l, struct tree *t, uint64_t size)
{
	uint64_t left = t->bytes;

	for (unsigned i = 0; left; i++) {
		char name[16];
		snprintf(name, sizeof(name), "d%03u", i);
		int dir = make_directory(l, t->root, name);
		fill_directory(l, dir, size, &left, &t->like);
		close(dir);
	}
}

static void make_tree(const struct load *l, struct tree *t)
{
	uint64_t bytes = atomic_load_explicit(&l->arena->disk.tree_size, memory_order_relaxed);
	uint64_t block = atomic_load_explicit(&l->arena->disk.block, memory_order_relaxed);

	disk_prepare(l, bytes);
	if (!l->tree || !*l->tree)
		load_fail(l, STEP_DIRECTORY, ENOENT);
	t->bytes = whole_blocks(bytes, block);
	if (t->bytes == 0)
		load_fail(l, STEP_CREATE, EINVAL);
	umask(077); /* whatever was inherited: it must be able to read what it makes */
	t->root = make_directory(l, l->dir, l->tree);
	make_directories(l, t, file_bytes(bytes, block));
}

static void begin(struct load_thread *t)
{
	const struct tree *tree = t->shared;
	struct walker *w = t->own;

	if (w)
		return;
	w = disk_alloc(t->load, sizeof(*w));
	w->buffer = disk_buffer(t->load, &tree->like);
	t->own = w;
}

/* False when the thread is no longer wanted; so below. */
typedef bool (*visit)(struct load_thread *t, int at, const char *name);

static bool read_file(struct load_thread *t, int at, const char *name)
{
	const struct tree *tree = t->shared;
	struct walker *w = t->own;
	struct disk_file f = tree->like;
	struct stat st;
	bool wanted = true;

	f.fd = openat(at, name, O_RDONLY | O_DIRECT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (f.fd < 0 || fstat(f.fd, &st) < 0)
		load_fail(t->load, STEP_WALK, errno);
	f.size = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
	for (uint64_t at_byte = 0; at_byte < f.size && wanted; at_byte += f.block) {
		disk_read_block(t->load, &f, w->buffer, at_byte);
		w->bytes += f.block;
		wanted = threads_is_wanted(t);
	}
	close(f.fd);
	return wanted;
}

static const char *next_name(const struct load *l, DIR *d)
{
	const struct dirent *e;

	do {
		errno = 0;
		e = readdir(d);
	} while (e && e->d_name[0] == '.');
	if (!e && errno)
		load_fail(l, STEP_WALK, errno);
	return e ? e->d_name : NULL;
}

static bool visit_all(struct load_thread *t, int at, const char *name, visit fn)
{
	int fd = open_directory(t->load, at, name, STEP_WALK);
	DIR *d = fdopendir(fd);
	const char *entry;
	bool wanted = true;

	if (!d)
		load_fail(t->load, STEP_WALK, errno);
	while (wanted && (entry = next_name(t->load, d)))
		wanted = fn(t, fd, entry);
	closedir(d);
	return wanted;
}

static bool read_files(struct load_thread *t, int at, const char *name)
{
	return visit_all(t, at, name, read_file);
}

static bool walk(struct load_thread *t)
{
	const struct tree *tree = t->shared;
	struct walker *w = t->own;
	uint64_t start = threads_piece_begins(t);

	w->bytes = 0;
	if (!visit_all(t, tree->root, ".", read_files))
		return false;
	if (w->bytes < tree->bytes) /* somebody removed files; an empty tree would be walked without end */
		load_fail(t->load, STEP_WALK, ENOENT);
	threads_piece_ends(t, start, clock_now());
	atomic_fetch_add_explicit(&t->load->worker->passes, 1, memory_order_relaxed);
	return true;
}

void load_tree(const struct load *l)
{
	static struct tree tree;

	make_tree(l, &tree);
	load_ready(l);
	threads_run(l, &tree, begin, walk);
}
