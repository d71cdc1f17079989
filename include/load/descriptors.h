/* Which descriptors a forked process keeps. Private to load/. */
#ifndef NICELAB_LOAD_DESCRIPTORS_H
#define NICELAB_LOAD_DESCRIPTORS_H

#include <stddef.h>

#define DESCRIPTORS_MAX 8

/* Closes every descriptor above 2 but these (at most DESCRIPTORS_MAX; those below 3 count for nothing, -1 too). */
void descriptors_keep(const int *kept, size_t n);

#endif
