/* Made-up devices below a directory. */
#ifndef NICELAB_TESTS_LEVEL_H
#define NICELAB_TESTS_LEVEL_H

#include "kernel/block.h"

/* One device more on the way down; without an elevator (NULL) it has no queue. */
struct block_level *level_add(struct block_reading *b, unsigned depth, const char *name, const char *elevator,
			      enum block_honours honours);

#endif
