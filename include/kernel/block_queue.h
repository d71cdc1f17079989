/* The queue of one device and the elevator in it (private to the floor). Any thread. */
#ifndef NICELAB_KERNEL_BLOCK_QUEUE_H
#define NICELAB_KERNEL_BLOCK_QUEUE_H

#include "kernel/block.h"

/* Fills in queue, elevator, offered, honours and the figures. */
void block_queue_read(const struct procfs *fs, const char *disk, struct block_level *out);

#endif
