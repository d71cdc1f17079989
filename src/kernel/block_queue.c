/* The queue of one device: its elevator, what that honours, and another elevator for it. */
#include "kernel/block_queue.h"
#include "base/text.h"
#include "kernel/block_device.h"

#include <errno.h>
#include <string.h>

int block_parse_scheduler(const char *text, char *elevator, size_t size)
{
	const char *open = strchr(text, '['), *word = open ? open + 1 : text;
	size_t len = strcspn(word, " []\n");

	if (len == 0 || (open ? word[len] != ']' : word[len] != '\0' && word[len] != '\n'))
		return -EINVAL;
	text_clean(elevator, size, word, len);
	return 0;
}

int block_parse_offered(const char *text, char *offered, size_t size)
{
	size_t used = 0;

	for (;;) {
		bool bracket;
		size_t len;

		text += strspn(text, " ");
		bracket = *text == '[';
		text += bracket;
		len = strcspn(text, " []\n");
		if (len == 0)
			return used && !bracket && *text != ']' ? 0 : -EINVAL;
		if (bracket != (text[len] == ']') || !strchr(" \n", text[len + bracket]) ||
		    used + len + 2 > size)
			return -EINVAL;
		if (used)
			offered[used++] = ' ';
		used += text_clean(offered + used, size - used, text, len);
		text += len + bracket;
	}
}

enum block_honours block_honours_of(const char *elevator)
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

const char *block_honours_word(enum block_honours h)
{
	static const char *const words[] = {"unknown", "nothing", "class", "class and level"};

	return words[h];
}

static struct known_number read_figure(const struct procfs *fs, const char *disk, const char *file)
{
	char path[BLOCK_DEVICE_FILE];
	long long v;

	if (procfs_read_number(fs->sys, block_device_file(path, disk, file), &v) < 0 || v < 0)
		return (struct known_number){0};
	return known((double)v);
}

/* A queue without an elevator. While a device goes, its queue goes first. */
static bool has_queue(const struct procfs *fs, const char *disk)
{
	char path[BLOCK_DEVICE_FILE];

	return procfs_exists(fs->sys, block_device_file(path, disk, "queue"));
}

static ssize_t read_scheduler(const struct procfs *fs, const char *disk, char *text, size_t size)
{
	char path[BLOCK_DEVICE_FILE];

	return procfs_read(fs->sys, block_device_file(path, disk, "queue/scheduler"), text, size);
}

static void read_elevator(const struct procfs *fs, const char *disk, struct block_level *out)
{
	char text[512];
	ssize_t n = read_scheduler(fs, disk, text, sizeof(text));

	if (n == -ENOENT && has_queue(fs, disk)) {
		out->queue = BLOCK_QUEUE_MISSING;
		out->honours = BLOCK_HONOURS_NOTHING;
	}
	if (n <= 0 || block_parse_scheduler(text, out->elevator, sizeof(out->elevator)) < 0)
		return;
	out->queue = BLOCK_QUEUE_READ;
	out->honours = block_honours_of(out->elevator);
	if (block_parse_offered(text, out->offered, sizeof(out->offered)) < 0)
		out->offered[0] = '\0';
}

void block_queue_read(const struct procfs *fs, const char *disk, struct block_level *out)
{
	struct known_number low_latency = read_figure(fs, disk, "queue/iosched/low_latency");

	read_elevator(fs, disk, out);
	out->tags = read_figure(fs, disk, "queue/nr_requests");
	out->throttle_us = read_figure(fs, disk, "queue/wbt_lat_usec");
	out->aging_ms = read_figure(fs, disk, "queue/iosched/prio_aging_expire");
	if (low_latency.known)
		out->low_latency = tri_of(low_latency.value != 0);
}

int block_set_elevator(const struct procfs *fs, const char *name, const char *elevator)
{
	char path[BLOCK_DEVICE_FILE], text[512], now[BLOCK_NAME];
	ssize_t n;
	int rc;

	if (!block_device_valid(name) || !elevator[0] || strpbrk(elevator, " \n[]") ||
	    strlen(elevator) >= sizeof(now))
		return -EINVAL;
	rc = procfs_write(fs->sys, block_device_file(path, name, "queue/scheduler"), elevator);
	if (rc < 0)
		return rc;
	n = read_scheduler(fs, name, text, sizeof(text));
	if (n < 0)
		return (int)n;
	if (block_parse_scheduler(text, now, sizeof(now)) < 0)
		return -EINVAL;
	return strcmp(now, elevator) == 0 ? 0 : -EAGAIN;
}
