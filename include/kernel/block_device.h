/* From a place, or a path, to the device below it (private to the floor). Any thread. */
#ifndef NICELAB_KERNEL_BLOCK_DEVICE_H
#define NICELAB_KERNEL_BLOCK_DEVICE_H

#include "kernel/block.h"

/* Raw names, as /sys has them. */
struct block_device {
	char disk[BLOCK_NAME];
	char partition[BLOCK_NAME]; /* of that disk; empty: the whole of it */
};

/* Where is searched. */
struct block_search {
	const struct procfs *fs;
	const char *mounts; /* text of mountinfo; NULL: it cannot be read */
};

/* Whether it can be the name of a device: no path. */
bool block_device_valid(const char *name);

/* The path below /sys of a file of a disk. Returns buf, of BLOCK_DEVICE_FILE bytes. */
#define BLOCK_DEVICE_FILE (BLOCK_NAME + 128)
const char *block_device_file(char *buf, const char *disk, const char *file);

/* All of these return false where there is no device, or it cannot be told. */

/* The device that a link below /sys leads to. */
bool block_device_linked(const struct procfs *fs, const char *link, struct block_device *out);

bool block_device_numbered(const struct procfs *fs, dev_t dev, struct block_device *out);

/* That the file system of the place stands on: by its number, else what its mount names. */
bool block_device_of_place(const struct block_search *s, const struct block_place *place,
			   struct block_device *out);

/* That a path is on, or is the node of. With roots that stand in for the machine's own a path is looked up among their mounts. With dev, it must
 * be on that. */
bool block_device_of_path(const struct block_search *s, const char *path, const dev_t *dev,
			  struct block_device *out);

#endif
