/* Devices and processes over the last seconds: differences of counters that only grow. */
#include "sample/disk.h"

#include <string.h>

#define DEVICES_EVERY (UINT64_C(1000) * 1000 * 1000)
#define READ_LEAST (UINT64_C(64) << 10) /* bytes, to tell where they come from */
#define CACHE_SHARE 20 /* less than one byte of so many was fetched */

static void read_usage(struct sample_disk *d, const struct procfs *fs, uint64_t now)
{
	struct disk_point *p = &d->points[d->used % DISK_POINTS];

	memset(p, 0, sizeof(*p));
	p->at = now;
	for (size_t i = 0; i < d->below.nlevels; i++)
		p->known[i] = block_read_usage(fs, d->below.levels[i].name, &p->use[i]) == 0;
	d->used++;
}

/* Other devices than before: what was counted of the old ones does not go with the new. */
static bool same_devices(const struct block_reading *a, const struct block_reading *b)
{
	if (a->nlevels != b->nlevels)
		return false;
	for (size_t i = 0; i < a->nlevels; i++)
		if (strcmp(a->levels[i].name, b->levels[i].name) != 0)
			return false;
	return true;
}

void sample_disk_update(struct sample_disk *d, const struct procfs *fs, uint64_t now)
{
	struct block_reading below;

	if (!d->valid || now - d->read_at >= DEVICES_EVERY) {
		block_read(fs, &d->where, &below);
		if (!d->valid || !same_devices(&below, &d->below))
			d->used = 0;
		d->below = below;
		d->read_at = now;
		d->valid = true;
	}
	if (!d->used || now - d->points[(d->used - 1) % DISK_POINTS].at >= DISK_SPACING)
		read_usage(d, fs, now);
}

void sample_disk_expire(struct sample_disk *d)
{
	d->read_at = 0;
}

/* The kernel prints times in 32 bits of milliseconds: full after seven weeks, or after a day of a deep queue. Below 0: it went back. */
static double seconds_between(uint64_t first_ms, uint64_t last_ms)
{
	return (double)(int32_t)(uint32_t)(last_ms - first_ms) / 1000;
}

/* Another device of that name counts from 0 on. */
static bool goes_on(const struct block_usage *first, const struct block_usage *last)
{
	return last->reads >= first->reads && last->writes >= first->writes &&
	       last->read_bytes >= first->read_bytes && last->write_bytes >= first->write_bytes &&
	       seconds_between(first->busy_ms, last->busy_ms) >= 0 &&
	       seconds_between(first->queue_ms, last->queue_ms) >= 0;
}

struct disk_use sample_disk_use(const struct sample_disk *d, size_t level)
{
	size_t kept = d->used < DISK_POINTS ? d->used : DISK_POINTS;
	const struct disk_point *last, *first;
	struct disk_use u = {0};
	double seconds;

	if (!kept || level >= BLOCK_LEVELS)
		return u;
	last = &d->points[(d->used - 1) % DISK_POINTS];
	first = &d->points[(d->used - kept) % DISK_POINTS];
	seconds = (double)(last->at - first->at) / 1e9;
	if (!last->known[level])
		return u;
	u.now = known(last->use[level].reads_in_flight + last->use[level].writes_in_flight);
	if (!first->known[level] || seconds <= 0 || !goes_on(&first->use[level], &last->use[level]))
		return u;
	u.busy = known(seconds_between(first->use[level].busy_ms, last->use[level].busy_ms) / seconds);
	u.busy.value = u.busy.value > 1 ? 1 : u.busy.value;
	u.in_flight = known(seconds_between(first->use[level].queue_ms, last->use[level].queue_ms) / seconds);
	u.rate = known((double)(last->use[level].read_bytes + last->use[level].write_bytes -
				first->use[level].read_bytes - first->use[level].write_bytes) /
		       seconds);
	return u;
}

bool sample_io_update(struct sample_io *s, const struct procfs *fs, pid_t pid, uint64_t now)
{
	if (s->used && now - s->points[(s->used - 1) % DISK_POINTS].at < DISK_SPACING)
		return true;
	if (io_read(fs, pid, &s->points[s->used % DISK_POINTS]) < 0) {
		s->used = 0;
		return false;
	}
	s->points[s->used % DISK_POINTS].at = now;
	s->used++;
	return true;
}

enum tri sample_io_from_cache(const struct sample_io *s)
{
	size_t kept = s->used < DISK_POINTS ? s->used : DISK_POINTS;
	const struct io_counts *last, *first;
	uint64_t asked, fetched;

	if (kept < 2)
		return TRI_UNKNOWN;
	last = &s->points[(s->used - 1) % DISK_POINTS];
	first = &s->points[(s->used - kept) % DISK_POINTS];
	asked = last->read_chars - first->read_chars;
	fetched = last->read_bytes - first->read_bytes;
	if (last->read_chars < first->read_chars || last->read_bytes < first->read_bytes ||
	    asked < READ_LEAST)
		return TRI_UNKNOWN;
	return tri_of(fetched < asked / CACHE_SHARE);
}
