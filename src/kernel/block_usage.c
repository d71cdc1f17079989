/* What a device has done, and is doing. */
#include "base/clock.h"
#include "kernel/block_device.h"
#include "kernel/line.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#define SECTOR 512

/* Documentation/block/stat.rst, numbered as the columns there from 1 on. */
int block_parse_stat(const char *text, struct block_usage *out)
{
	enum { READS = 1, READ_SECTORS = 3, WRITES = 5, WRITE_SECTORS = 7, BUSY = 10, QUEUE = 11, LAST = 11 };
	static const int used[] = {READS, READ_SECTORS, WRITES, WRITE_SECTORS, BUSY, QUEUE};
	long long v[LAST + 1];

	for (int i = 1; i <= LAST; i++)
		if (line_number(&text, &v[i]) < 0 || !strchr(" \n", *text))
			return -EINVAL;
	for (size_t i = 0; i < sizeof(used) / sizeof(used[0]); i++)
		if (v[used[i]] < 0)
			return -EINVAL;
	if (v[READ_SECTORS] > LLONG_MAX / SECTOR || v[WRITE_SECTORS] > LLONG_MAX / SECTOR)
		return -EINVAL;
	out->reads = (uint64_t)v[READS];
	out->writes = (uint64_t)v[WRITES];
	out->read_bytes = (uint64_t)v[READ_SECTORS] * SECTOR;
	out->write_bytes = (uint64_t)v[WRITE_SECTORS] * SECTOR;
	out->busy_ms = (uint64_t)v[BUSY];
	out->queue_ms = (uint64_t)v[QUEUE];
	return 0;
}

int block_parse_inflight(const char *text, struct block_usage *out)
{
	long long reads, writes;

	if (line_number(&text, &reads) < 0 || line_number(&text, &writes) < 0 || *text != '\n')
		return -EINVAL;
	if (reads < 0 || reads > UINT_MAX || writes < 0 || writes > UINT_MAX)
		return -EINVAL;
	out->reads_in_flight = (unsigned)reads;
	out->writes_in_flight = (unsigned)writes;
	return 0;
}

static int read_file(const struct procfs *fs, const char *name, const char *file,
		     int (*parse)(const char *text, struct block_usage *out), struct block_usage *out)
{
	char path[BLOCK_DEVICE_FILE], text[512];
	ssize_t n = procfs_read(fs->sys, block_device_file(path, name, file), text, sizeof(text));

	return n < 0 ? (int)n : parse(text, out);
}

int block_read_usage(const struct procfs *fs, const char *name, struct block_usage *out)
{
	int rc;

	memset(out, 0, sizeof(*out));
	if (!block_device_valid(name))
		return -EINVAL;
	rc = read_file(fs, name, "stat", block_parse_stat, out);
	out->at = clock_now();
	return rc < 0 ? rc : read_file(fs, name, "inflight", block_parse_inflight, out);
}
