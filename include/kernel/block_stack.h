/* The devices below a device, and which of them decides (private to the floor). Any thread. */
#ifndef NICELAB_KERNEL_BLOCK_STACK_H
#define NICELAB_KERNEL_BLOCK_STACK_H

#include "kernel/block_device.h"

/* Reads the device and all that is below it into the levels of out, which are none before. */
void block_stack_read(const struct block_search *s, const struct block_device *top,
		      struct block_reading *out);

/* Fills in counts and sure from the levels. Pure. */
void block_stack_decide(struct block_reading *b);

#endif
