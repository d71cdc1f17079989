/* Files for kinds of load: made so that nothing is left behind, filled so that reads and overwrites reach the device, and every
 * failure told with what it was that failed. */
#include "load/disk.h"
#include "base/clock.h"
#include "kernel/block.h"
#include "load/nameless.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HUGE_PAGE ((size_t)2 << 20)
#define HUGE_FROM (1u << 20) /* bytes; smaller buffers have too few pages to be split */
#define ALIGN_UNTOLD 4096u
#define FILL_CHUNK (UINT64_C(1) << 20)

/* A directory that was removed is still open, and making a file in it fails with EPERM on ext4 and succeeds on tmpfs. */
static bool has_vanished(int dir)
{
	struct stat st;

	return fstat(dir, &st) == 0 && st.st_nlink == 0;
}

void disk_prepare(const struct load *l, uint64_t size)
{
	struct statvfs v;

	atomic_store_explicit(&l->worker->state, ARENA_PREPARING, memory_order_relaxed);
	if (l->dir < 0 || has_vanished(l->dir))
		load_fail(l, STEP_DIRECTORY, ENOENT);
	if (fstatvfs(l->dir, &v) < 0)
		load_fail(l, STEP_DIRECTORY, errno);
	/* Read-only ones are full by nature: making the file gives the better reason. */
	if (v.f_blocks == 0 || (v.f_flag & ST_RDONLY))
		return;
	if ((uint64_t)v.f_bavail * v.f_frsize / 2 < size)
		load_fail(l, STEP_SPACE, ENOSPC);
}

unsigned disk_alignment(int fd)
{
	unsigned memory = 0, offset = 0;

	block_alignment(fd, &memory, &offset);
	if (memory == 0 && offset == 0)
		return ALIGN_UNTOLD;
	return memory > offset ? memory : offset;
}

void disk_file_init(const struct load *l, int fd, bool direct, uint64_t size, struct disk_file *out)
{
	uint64_t block = atomic_load_explicit(&l->arena->disk.block, memory_order_relaxed);

	*out = (struct disk_file){
		.fd = fd, .size = size, .block = block, .align = direct ? disk_alignment(fd) : 1};
	if (block == 0 || size == 0 || size % block)
		load_fail(l, STEP_CREATE, EINVAL);
	if (block % out->align)
		load_fail(l, STEP_DIRECT, EINVAL);
}

static int open_file(const struct load *l, bool direct)
{
	bool at_direct;
	int fd = nameless_open(l->dir, direct, &at_direct);

	if (fd < 0)
		load_fail(l, at_direct ? STEP_DIRECT : STEP_CREATE, -fd);
	return fd;
}

void disk_file_make(const struct load *l, bool direct, bool fill, struct disk_file *out)
{
	uint64_t size = atomic_load_explicit(&l->arena->disk.file_size, memory_order_relaxed);

	disk_prepare(l, size);
	disk_file_init(l, open_file(l, direct), direct, size, out);
	if (!fill)
		return;
	disk_fill(l, out);
	disk_sync(l, out);
}

/* xorshift64: no elevator, device or file system makes anything of it, and it costs less than the memory it is written to. */
static void make_noise(uint64_t *words, size_t count, uint64_t *state)
{
	uint64_t x = *state;

	for (size_t i = 0; i < count; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		words[i] = x;
	}
	*state = x;
}

/* Never 0, and another for each thread of each worker. */
static uint64_t noise_seed(void)
{
	uint64_t tid = (uint64_t)syscall(SYS_gettid);

	return (clock_now() ^ tid << 40) * UINT64_C(0x9e3779b97f4a7c15) | 1;
}

void *disk_alloc(const struct load *l, size_t size)
{
	void *p = calloc(1, size);

	if (!p)
		load_fail(l, STEP_MEMORY, ENOMEM);
	return p;
}

/* At least of a page, so that a buffered file's is aligned as well; whole words. A large one asks for huge pages: devices take a
 * limited number of pieces of memory in one request (virtio 254), and whether 1 MiB of scattered pages is one request or two would
 * be chance, anew for every worker. */
static void *aligned_memory(const struct load *l, const struct disk_file *f, uint64_t size)
{
	bool huge = size >= HUGE_FROM;
	size_t align = huge ? HUGE_PAGE : f->align > ALIGN_UNTOLD ? f->align : ALIGN_UNTOLD;
	size_t whole =
		huge ? (size_t)(size + HUGE_PAGE) / HUGE_PAGE * HUGE_PAGE : (size_t)(size + sizeof(uint64_t));
	void *p;
	int rc = posix_memalign(&p, align, whole);

	if (rc)
		load_fail(l, STEP_MEMORY, rc);
	if (huge)
		madvise(p, whole, MADV_HUGEPAGE); /* a wish */
	return p;
}

static size_t words_of(uint64_t size)
{
	return (size_t)((size + sizeof(uint64_t) - 1) / sizeof(uint64_t));
}

void *disk_buffer(const struct load *l, const struct disk_file *f)
{
	void *p = aligned_memory(l, f, f->block);
	uint64_t state = noise_seed();

	make_noise(p, words_of(f->block), &state);
	return p;
}

static ssize_t write_once(const struct disk_file *f, const char *from, uint64_t size, uint64_t offset)
{
	ssize_t n;

	do
		n = pwrite(f->fd, from, (size_t)size, (off_t)offset);
	while (n < 0 && errno == EINTR);
	return n;
}

/* Until all is written: a short write goes on, and what stops it tells why. */
static void write_fully(const struct load *l, const struct disk_file *f, const char *from, uint64_t size,
			uint64_t offset)
{
	while (size) {
		ssize_t n = write_once(f, from, size, offset);
		if (n <= 0)
			load_fail(l, STEP_FILL, n < 0 ? errno : EIO);
		from += n;
		offset += (uint64_t)n;
		size -= (uint64_t)n;
	}
}

void disk_fill(const struct load *l, const struct disk_file *f)
{
	uint64_t chunk = f->block < FILL_CHUNK ? FILL_CHUNK - FILL_CHUNK % f->block : f->block;
	uint64_t state = noise_seed();
	void *buffer = aligned_memory(l, f, chunk);

	for (uint64_t at = 0; at < f->size; at += chunk) {
		uint64_t now = f->size - at < chunk ? f->size - at : chunk;
		make_noise(buffer, words_of(now), &state);
		write_fully(l, f, buffer, now, at);
	}
	free(buffer);
}

void disk_sync(const struct load *l, const struct disk_file *f)
{
	int rc;

	do
		rc = fdatasync(f->fd);
	while (rc < 0 && errno == EINTR);
	if (rc < 0)
		load_fail(l, STEP_SYNC, errno);
}

static ssize_t read_once(const struct disk_file *f, char *to, uint64_t size, uint64_t offset)
{
	ssize_t n;

	do
		n = pread(f->fd, to, (size_t)size, (off_t)offset);
	while (n < 0 && errno == EINTR);
	return n;
}

static void count_block(const struct load *l, const struct disk_file *f)
{
	atomic_fetch_add_explicit(&l->worker->bytes, f->block, memory_order_relaxed);
}

/* A short transfer does not say why; asking for the rest does, mostly: a full file system writes what still finds room. */
void disk_read_block(const struct load *l, const struct disk_file *f, void *buffer, uint64_t offset)
{
	ssize_t n = read_once(f, buffer, f->block, offset);
	uint64_t got = n > 0 ? (uint64_t)n : 0;

	if (got == f->block) {
		count_block(l, f);
		return;
	}
	if (n > 0)
		n = read_once(f, (char *)buffer + got, f->block - got, offset + got);
	load_fail(l, STEP_READ, n < 0 ? errno : EIO);
}

void disk_write_block(const struct load *l, const struct disk_file *f, const void *buffer, uint64_t offset)
{
	ssize_t n = write_once(f, buffer, f->block, offset);
	uint64_t put = n > 0 ? (uint64_t)n : 0;

	if (put == f->block) {
		count_block(l, f);
		return;
	}
	if (n > 0)
		n = write_once(f, (const char *)buffer + put, f->block - put, offset + put);
	load_fail(l, STEP_WRITE, n < 0 ? errno : EIO);
}
