/* Made-up devices below a directory. */
#include "level.h"

#include <stdio.h>

struct block_level *level_add(struct block_reading *b, unsigned depth, const char *name, const char *elevator,
			      enum block_honours honours)
{
	struct block_level *l = &b->levels[b->nlevels++];

	*l = (struct block_level){.depth = depth, .honours = honours};
	l->queue = elevator ? BLOCK_QUEUE_READ : BLOCK_QUEUE_MISSING;
	snprintf(l->name, sizeof(l->name), "%s", name);
	snprintf(l->elevator, sizeof(l->elevator), "%s", elevator ? elevator : "");
	return l;
}
