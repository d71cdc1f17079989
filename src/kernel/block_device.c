/* From a place, or a path, to the device below it. */
#include "kernel/block_device.h"
#include "kernel/block_place.h"
#include "kernel/line.h"
#include "kernel/mount.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define HOPS 4 /* from mount to path to mount: as far as file systems over others are followed */

bool block_device_valid(const char *name)
{
	return name[0] && name[0] != '.' && !strchr(name, '/') && strlen(name) < BLOCK_NAME;
}

const char *block_device_file(char *buf, const char *disk, const char *file)
{
	snprintf(buf, BLOCK_DEVICE_FILE, "block/%s/%s", disk, file);
	return buf;
}

/* The last part of a path, cut off. */
static bool cut_name(char *path, char *name)
{
	char *slash = strrchr(path, '/');

	if (!slash || !block_device_valid(slash + 1))
		return false;
	strcpy(name, slash + 1);
	*slash = '\0';
	return true;
}

/* The directory of a partition lies within its disk's. */
bool block_device_linked(const struct procfs *fs, const char *link, struct block_device *out)
{
	char target[1024], path[BLOCK_DEVICE_FILE];
	struct block_device d = {{0}, {0}};
	ssize_t n = fs->sys < 0 ? -1 : readlinkat(fs->sys, link, target, sizeof(target));

	if (n <= 0 || (size_t)n == sizeof(target))
		return false;
	target[n] = '\0';
	n = snprintf(path, sizeof(path), "%s/partition", link);
	if (n < 0 || (size_t)n >= sizeof(path))
		return false;
	if (procfs_exists(fs->sys, path) && !cut_name(target, d.partition))
		return false;
	if (!cut_name(target, d.disk))
		return false;
	*out = d;
	return true;
}

bool block_device_numbered(const struct procfs *fs, dev_t dev, struct block_device *out)
{
	char link[64];

	snprintf(link, sizeof(link), "dev/block/%u:%u", major(dev), minor(dev));
	return block_device_linked(fs, link, out);
}

/* (1) number, (3) major:minor. */
static bool read_numbers(const char *line, struct block_place *out)
{
	unsigned long number;
	unsigned maj, min;

	if (sscanf(line, "%lu %*u %u:%u", &number, &maj, &min) != 3)
		return false;
	*out = (struct block_place){.dev = makedev(maj, min), .mount_known = true, .mount = number};
	return true;
}

static bool is_mount(const char *line, const struct block_place *place)
{
	struct block_place here;

	if (!read_numbers(line, &here))
		return false;
	return place->mount_known ? here.mount == place->mount : here.dev == place->dev;
}

static void copy_field(char *dst, size_t size, const char *src, const char *ends)
{
	if (mount_unescape(dst, size, src, ends) < 0)
		dst[0] = '\0';
}

/* The value of an option of (11). */
static void copy_option(char *dst, size_t size, const char *options, const char *key)
{
	size_t len = strlen(key);

	while (strncmp(options, key, len) != 0) {
		options += strcspn(options, ", \n");
		if (*options++ != ',')
			return;
	}
	copy_field(dst, size, options + len, ", \n");
}

int block_parse_mount(const char *text, const struct block_place *place, struct block_mount *out)
{
	int rc = -ENOENT;

	for (const char *l = text; l; l = line_next(l)) {
		struct mount_fields f;
		if (!is_mount(l, place))
			continue;
		if (!mount_split(l, &f) || *f.type == ' ')
			return -EINVAL;
		memset(out, 0, sizeof(*out));
		copy_field(out->point, sizeof(out->point), f.point, " \n");
		copy_field(out->type, sizeof(out->type), f.type, " \n");
		copy_field(out->source, sizeof(out->source), f.source, " \n");
		if (strcmp(out->type, "overlay") == 0)
			copy_option(out->upper, sizeof(out->upper), f.options, "upperdir=");
		rc = 0;
	}
	return rc;
}

static bool is_below(const char *path, const char *point)
{
	size_t len = strcmp(point, "/") == 0 ? 0 : strlen(point);

	return strncmp(path, point, len) == 0 && (path[len] == '/' || path[len] == '\0');
}

/* The mount with the longest mount point that the path is below; of several the last, which hides those before. */
static bool find_mount(const char *text, const char *path, struct block_place *out)
{
	char point[BLOCK_PATH];
	size_t longest = 0;

	for (const char *l = text; l; l = line_next(l)) {
		struct mount_fields f;
		struct block_place here;
		if (!mount_split(l, &f) || mount_unescape(point, sizeof(point), f.point, " \n") < 0)
			continue;
		if (!is_below(path, point) || strlen(point) < longest || !read_numbers(l, &here))
			continue;
		longest = strlen(point);
		*out = here;
	}
	return longest > 0;
}

/* A node of /dev that bears the kernel's own name; a '/' in that is a '!' in /sys. */
static bool find_node(const struct procfs *fs, const char *path, struct block_device *out)
{
	static const char dev[] = "/dev/", known[] = "class/block/";
	char link[sizeof(known) + BLOCK_NAME];

	if (strncmp(path, dev, sizeof(dev) - 1) != 0 || strlen(path) >= BLOCK_NAME)
		return false;
	snprintf(link, sizeof(link), "%s%.63s", known, path + sizeof(dev) - 1);
	for (char *slash = strchr(link + sizeof(known) - 1, '/'); slash; slash = strchr(slash, '/'))
		*slash = '!';
	return block_device_linked(fs, link, out);
}

static bool find_place(const struct block_search *s, const struct block_place *place, unsigned hops,
		       struct block_device *out);

static bool find_path(const struct block_search *s, const char *path, const dev_t *dev, unsigned hops,
		      struct block_device *out)
{
	struct block_place place;

	if (path[0] != '/')
		return false;
	if (!dev && find_node(s->fs, path, out))
		return true;
	if (s->fs->real ? block_place_of(path, &place) < 0
			: is_below(path, "/dev") || !find_mount(s->mounts, path, &place))
		return false;
	return (!dev || place.dev == *dev) && find_place(s, &place, hops, out);
}

/* File systems with a device number of their own: over a directory, or over devices of which the mount names one. */
static bool find_place(const struct block_search *s, const struct block_place *place, unsigned hops,
		       struct block_device *out)
{
	struct block_mount m;

	if (major(place->dev) != 0)
		return block_device_numbered(s->fs, place->dev, out);
	if (hops == 0 || !s->mounts || block_parse_mount(s->mounts, place, &m) < 0)
		return false;
	if (strcmp(m.type, "overlay") == 0)
		return find_path(s, m.upper, NULL, hops - 1, out);
	return strcmp(m.type, "btrfs") == 0 && find_path(s, m.source, NULL, hops - 1, out);
}

bool block_device_of_place(const struct block_search *s, const struct block_place *place,
			   struct block_device *out)
{
	return find_place(s, place, HOPS, out);
}

bool block_device_of_path(const struct block_search *s, const char *path, const dev_t *dev,
			  struct block_device *out)
{
	return find_path(s, path, dev, HOPS, out);
}
