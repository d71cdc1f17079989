/* Files without a name: whatever happens to those who have them open, nothing is left behind. Private to load/. */
#ifndef NICELAB_LOAD_NAMELESS_H
#define NICELAB_LOAD_NAMELESS_H

#include <stdbool.h>

/* A new empty file in the directory, open for reading and writing: by O_TMPFILE, or, where the file system or the kernel has none,
 * with a name that is unlinked at once. Its descriptor, or -errno; *at_direct then says whether it was O_DIRECT that was refused. */
int nameless_open(int dir, bool direct, bool *at_direct);

#endif
