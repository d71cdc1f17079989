/* What is below a directory: mount, file system, and the devices down to the bottom, each with its elevator. Any thread. */
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

/* The same of an open directory. */
int block_find_in(int dir, struct block_place *out);

/* How buffers and offsets of an open file must be aligned for O_DIRECT (statx(2), STATX_DIOALIGN), bytes; 0: it has none. False where the
 * kernel does not tell. */
bool block_alignment(int fd, unsigned *memory, unsigned *offset);

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

#define BLOCK_LEVELS 8
#define BLOCK_OFFERED 128
#define BLOCK_PATH 256

enum block_kind {
	BLOCK_DISK, /* nothing below it that Linux can see */
	BLOCK_LOOP,
	BLOCK_DM,
	BLOCK_MD,
	BLOCK_STACKED, /* it has slaves and is none of those */
};

/* One device on the way down. What cannot be read is unknown or empty. All text is cleaned. */
struct block_level {
	char name[BLOCK_NAME]; /* as "vda": the name of its queue, for a partition the disk that it is on */
	char partition
		[BLOCK_NAME]; /* that the level above, or the file system, stands on: "vda1"; empty: the whole device */
	enum block_kind kind;
	unsigned depth; /* 0: the top. Depth first: below a level with slaves come all of its slaves */
	enum block_queue queue;
	char elevator[BLOCK_NAME]; /* the word in brackets; empty if there is none */
	char offered
		[BLOCK_OFFERED]; /* all words of queue/scheduler, separated by blanks: "none mq-deadline kyber bfq" */
	enum block_honours honours; /* of this elevator by itself; nothing where there is none */
	/* Whether a request keeps its I/O priority on the way from here to the level below. Loop: no without direct I/O (loop/dio
	 * is 0); with it yes from Linux 6.15 on, before that unknown (some stable kernels do). dm, md: unknown. A bottom: unknown. */
	enum tri passes;
	char backing[BLOCK_PATH]; /* loop: its file; dm: its name in device-mapper */
	struct known_number tags; /* queue/nr_requests */
	struct known_number aging_ms; /* mq-deadline: iosched/prio_aging_expire */
	struct known_number throttle_us; /* queue/wbt_lat_usec */
	enum tri low_latency; /* bfq: iosched/low_latency is not 0 */
};

struct block_reading {
	char filesystem[BLOCK_NAME]; /* type of the mount, cleaned; empty if unknown */
	char mount[BLOCK_PATH]; /* its mount point, cleaned; empty if unknown */
	/* The top device; of a file system whose st_dev is anonymous (btrfs, overlay) the one that its mount names: the source
	 * of btrfs, the file system of overlay's upperdir. No level: none is known. */
	size_t nlevels;
	bool more; /* there are levels that did not find room */
	struct block_level levels[BLOCK_LEVELS];
	/* The level whose elevator decides: the first on the way down that honours anything and that priorities reach; else the
	 * top. Where slaves side by side differ in what they honour, or where priorities may be lost on the way (passes is
	 * unknown and nothing above honours anything), it is still the first, and sure is false; so it is where not all of the way is
	 * known, and where one above has an elevator that nobody knows. Where all that priorities may reach honours nothing, the top is
	 * sure: nothing can be lost. -1 and false without levels. */
	int counts;
	bool sure;
};

/* Looks the place up. What cannot be read is unknown. Loop devices are followed by LOOP_GET_STATUS64 where /dev/loopN may be
 * opened (its backing file may be deleted or in another mount namespace), else by the path in loop/backing_file. Where other roots
 * stand in for the machine's own, its devices and paths are not asked. */
void block_read(const struct procfs *fs, const struct block_place *place, struct block_reading *out);

/* The same from a device that nothing is mounted from, as "/sys/block" names it ("loop0"). */
void block_read_device(const struct procfs *fs, const char *name, struct block_reading *out);

/* The level that stands on this one, and the first of those that this one stands on: an index, or -1 for none (that is known). Pure. */
int block_above(const struct block_reading *b, size_t level);
int block_below(const struct block_reading *b, size_t level);

/* What a device has done since it was there, and is doing. Documentation/block/stat.rst; sectors there are of 512 bytes. */
struct block_usage {
	uint64_t at; /* CLOCK_MONOTONIC ns */
	uint64_t reads, writes; /* requests completed */
	uint64_t read_bytes, write_bytes;
	uint64_t busy_ms; /* io_ticks */
	uint64_t queue_ms; /* time_in_queue: summed over the requests */
	unsigned reads_in_flight, writes_in_flight; /* of inflight */
};

/* Reads block/NAME/stat and block/NAME/inflight. 0 or -errno. */
int block_read_usage(const struct procfs *fs, const char *name, struct block_usage *out);

/* The text of either file. 0 or -EINVAL. */
int block_parse_stat(const char *text, struct block_usage *out);
int block_parse_inflight(const char *text, struct block_usage *out);

/* Writes queue/scheduler and reads it back. 0, -errno (-EINVAL: the kernel does not offer that one; -EACCES: not root), or
 * -EAGAIN: it was accepted and another one is there. */
int block_set_elevator(const struct procfs *fs, const char *name, const char *elevator);

/* All words of queue/scheduler without the brackets, separated by single blanks. 0 or -EINVAL. */
int block_parse_offered(const char *text, char *offered, size_t size);

/* What an elevator of this name honours; unknown for one that is not known here. */
enum block_honours block_honours_of(const char *elevator);

/* "nothing", "class", "class and level", "unknown". */
const char *block_honours_word(enum block_honours h);

/* The word in brackets of queue/scheduler ("none [mq-deadline] kyber"), or the only word. 0 or -EINVAL. */
int block_parse_scheduler(const char *text, char *elevator, size_t size);

/* A mount as proc_pid_mountinfo(5) tells it, unescaped (\040 is a blank), not cleaned. */
struct block_mount {
	char point[BLOCK_PATH]; /* (5) */
	char type[BLOCK_NAME]; /* (9) */
	char source[BLOCK_PATH]; /* (10) */
	char upper[BLOCK_PATH]; /* overlay: upperdir= of (11); empty: there is none */
};

/* The mount of a place: by its number, else the last with the device. What does not fit is left empty. 0, -ENOENT or -EINVAL. */
int block_parse_mount(const char *text, const struct block_place *place, struct block_mount *out);

#endif
