/* From the devices below a directory to the plain facts that the rules want. Pure; any thread. */
#ifndef NICELAB_SAMPLE_DEVICE_H
#define NICELAB_SAMPLE_DEVICE_H

#include "kernel/block.h"
#include "verdict/facts.h"

/* Fills in what the devices tell: filesystem, filesystem_name, device, elevator, elevator_name, aging_ms, heuristics, stacked, top,
 * top_elevator, bottom_known, drops_ioprio, throttles_writeback, tags. The rest, which only a process or its cgroup tells, is left as it
 * is. */
void sample_device_facts(const struct block_place *where, const struct block_reading *b,
			 struct facts_io *out);

#endif
