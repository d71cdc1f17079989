/* What is below a directory: mount, file system, block device, elevator. Any thread.
 *
 * Devices that stand on others (loop, dm, md) are told as such and not followed. */
#ifndef NICELAB_KERNEL_BLOCK_H
#define NICELAB_KERNEL_BLOCK_H

#include "base/known.h"
#include "kernel/procfs.h"

#include <sys/types.h>

#define BLOCK_NAME 64

/* Where a directory is. */
struct block_place {
	dev_t dev; /* st_dev; major 0: no device of its own (tmpfs, btrfs, overlay, nfs) */
	bool mount_known;
	uint64_t mount; /* its number in /proc/self/mountinfo (Linux 5.8) */
	bool memory; /* tmpfs or ramfs */
	/* O_DIRECT is real there: a file takes it and has an alignment (statx(2), STATX_DIOALIGN, Linux 6.1). Unknown where no
	 * file may be made there, or the kernel does not tell. */
	enum tri direct;
	unsigned memory_align, offset_align; /* bytes, where direct is TRI_YES */
};

/* Makes a file without a name there, for a moment. 0 or -errno (-ENOTDIR, ...). */
int block_find(const char *dir, struct block_place *out);

enum block_queue {
	BLOCK_QUEUE_UNREAD,
	BLOCK_QUEUE_MISSING, /* no scheduler file: nothing orders requests (zram, brd, most dm and md) */
	BLOCK_QUEUE_READ,
};

/* What of an I/O priority the elevator uses. */
enum block_honours {
	BLOCK_HONOURS_UNKNOWN,
	BLOCK_HONOURS_NOTHING, /* none, kyber */
	BLOCK_HONOURS_CLASS, /* mq-deadline */
	BLOCK_HONOURS_LEVEL, /* bfq: class and level */
};

struct block_reading {
	char filesystem[BLOCK_NAME]; /* type of the mount, cleaned; empty if unknown */
	char device
		[BLOCK_NAME]; /* as "vda", for a partition the disk that it is on; cleaned; empty if unknown */
	char partition[BLOCK_NAME]; /* as "vda1"; empty: it is none */
	enum tri stacked; /* the device stands on others */
	enum block_queue queue;
	char elevator[BLOCK_NAME]; /* the word in brackets; empty if there is none */
	enum block_honours honours; /* of the elevator; unknown for a device that stands on others */
};

/* Looks the place up. What cannot be read is unknown. */
void block_read(const struct procfs *fs, const struct block_place *place, struct block_reading *out);

/* "nothing", "class", "class and level", "unknown". */
const char *block_honours_word(enum block_honours h);

/* The word in brackets of queue/scheduler ("none [mq-deadline] kyber"), or the only word. 0 or -EINVAL. */
int block_parse_scheduler(const char *text, char *elevator, size_t size);

/* The file system type of a mount: by its number, else the last with the device. 0, -ENOENT or -EINVAL. */
int block_parse_mount(const char *text, const struct block_place *place, char *type, size_t size);

#endif
