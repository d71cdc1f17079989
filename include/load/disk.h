/* What the kinds with files have in common: a file without a name, aligned buffers, filling it, the way through it, and ending
 * with the reason when something fails. Private to load/: runs in worker processes.
 *
 * Files are made with O_TMPFILE, so that nothing is left behind however a worker ends; where the file system has no O_TMPFILE,
 * with a name that is unlinked at once. */
#ifndef NICELAB_LOAD_DISK_H
#define NICELAB_LOAD_DISK_H

#include "load/threads.h"

#include <sys/types.h>

/* One worker's file, shared by its threads. */
struct disk_file {
	int fd;
	uint64_t size, block; /* bytes; size is a multiple of block, block of align */
	unsigned align; /* of buffers and offsets, bytes; 1 where the file is not O_DIRECT */
};

/* Before anything is made: the state becomes ARENA_PREPARING; there is a directory (else, and where it was removed meanwhile,
 * STEP_DIRECTORY with ENOENT), and twice size bytes are free (else STEP_SPACE with ENOSPC; a file system
 * that counts no blocks is not asked). */
void disk_prepare(const struct load *l, uint64_t size);

/* What buffers and offsets of an O_DIRECT file must be multiples of: statx STATX_DIOALIGN, else 4096. */
unsigned disk_alignment(int fd);

/* Describes an open file of size bytes that is used in blocks of arena->disk.block. Ends the worker with EINVAL where the size is
 * not whole blocks (STEP_CREATE), or the block not a multiple of what O_DIRECT wants (STEP_DIRECT). */
void disk_file_init(const struct load *l, int fd, bool direct, uint64_t size, struct disk_file *out);

/* Writes the file once in full with noise that does not compress: reads find blocks, writes need no allocation. disk_sync then
 * brings it to the disk. */
void disk_fill(const struct load *l, const struct disk_file *f);

/* All that a kind with one file needs: disk_prepare for arena->disk.file_size bytes, an unnamed file, with direct O_DIRECT
 * (STEP_DIRECT where it is refused), where fill disk_fill and disk_sync. Ends the worker where something fails. */
void disk_file_make(const struct load *l, bool direct, bool fill, struct disk_file *out);

/* Zeroed memory for as long as the process lives. Ends the worker without memory. */
void *disk_alloc(const struct load *l, size_t size);

/* A buffer of one block, aligned for the file and filled with noise. Ends the worker without memory. */
void *disk_buffer(const struct load *l, const struct disk_file *f);

/* One block at the offset; counts its bytes. Anything but the full length ends the worker: after a short transfer with the errno that
 * the rest of the block gets, or EIO. Interrupted calls are repeated. */
void disk_read_block(const struct load *l, const struct disk_file *f, void *buffer, uint64_t offset);
void disk_write_block(const struct load *l, const struct disk_file *f, const void *buffer, uint64_t offset);

/* fdatasync, or the end of the worker (STEP_SYNC). */
void disk_sync(const struct load *l, const struct disk_file *f);

/* The way of a kind through its file: what it does with each block, and after each whole pass (NULL: nothing). */
struct disk_work {
	struct disk_file file;
	void (*block)(const struct load *l, const struct disk_file *f, void *buffer, uint64_t offset);
	void (*whole)(const struct load *l, const struct disk_file *f);
};

/* disk_ready, then every thread through the file, over and over: thread i of n begins at i/n of it. A sample is one block, or the
 * whole pass with what comes after it, as arena->disk.per_file says when the pass or block begins: a change to per-file counts from the
 * next pass on, a change to blocks from the next block on (the pass in hand makes no sample then: it may have long to go). What
 * comes after a pass is no part of any block. work must live as long as the process. */
void disk_run(const struct load *l, const struct disk_work *work);

#endif
