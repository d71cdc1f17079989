/* Where a path is (private to the floor). Any thread. */
#ifndef NICELAB_KERNEL_BLOCK_PLACE_H
#define NICELAB_KERNEL_BLOCK_PLACE_H

#include "kernel/block.h"

/* The device and the mount of what the path names; of a device node the device that it stands for. Nothing is made there: direct stays
 * unknown, memory false. 0 or -errno. */
int block_place_of(const char *path, struct block_place *out);

#endif
