/* A directory's devices over time, and what a process really fetches from them. The caller owns the structs (zeroed = empty) and
 * uses them from one thread. */
#ifndef NICELAB_SAMPLE_DISK_H
#define NICELAB_SAMPLE_DISK_H

#include "kernel/block.h"
#include "kernel/io.h"

#define DISK_POINTS 6
#define DISK_SPACING \
	(UINT64_C(400) * 1000 * 1000) /* ns between two readings: figures reach back two seconds */

struct sample_disk {
	bool valid; /* where and below were read */
	struct block_place where;
	struct block_reading below;
	uint64_t read_at; /* of those, CLOCK_MONOTONIC ns */
	size_t used; /* points; a ring of DISK_POINTS */
	struct disk_point {
		uint64_t at;
		bool known[BLOCK_LEVELS];
		struct block_usage use[BLOCK_LEVELS];
	} points[DISK_POINTS];
};

/* Reads what is due: the usage every DISK_SPACING, the devices and their elevators every second. where must be filled in. */
void sample_disk_update(struct sample_disk *d, const struct procfs *fs, uint64_t now);

/* The devices are read anew by the next update: somebody has just changed an elevator. */
void sample_disk_expire(struct sample_disk *d);

/* Of one level (an index into below.levels) over the last seconds. */
struct disk_use {
	struct known_number busy; /* fraction of the time that it had a request */
	struct known_number rate; /* bytes a second, both ways */
	struct known_number
		in_flight; /* requests, on average (time_in_queue over time, as iostat's aqu-sz) */
	struct known_number now; /* requests in flight just now */
};
struct disk_use sample_disk_use(const struct sample_disk *d, size_t level);

/* One process. */
struct sample_io {
	size_t used;
	struct io_counts points[DISK_POINTS];
};

/* Reads it where that is due. False: it cannot be read (another user's, or gone), and is unknown from now on. */
bool sample_io_update(struct sample_io *s, const struct procfs *fs, pid_t pid, uint64_t now);

/* It reads, and nearly nothing of that comes from a device. Unknown where it read too little to tell. */
enum tri sample_io_from_cache(const struct sample_io *s);

#endif
