/* Where the workers' files go: a directory, or a file system on a loop device of nicelab's own. */
#ifndef NICELAB_LOAD_SCRATCH_H
#define NICELAB_LOAD_SCRATCH_H

#include "kernel/loop.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCRATCH_PATH 256
#define SCRATCH_TREE 48

struct scratch {
	int dir; /* directory descriptor, -1: there is none */
	char path
		[SCRATCH_PATH]; /* as it was given, cleaned; of a loop device: of its backing file's directory */
	char loop[LOOP_NAME]; /* "loop0": nicelab's own; empty: the directory itself is used */
	uint64_t loop_size;
	bool loop_direct;
};

#define SCRATCH_NONE ((struct scratch){.dir = -1})

/* $TMPDIR or /var/tmp, the first that is there and is no memory; else /, which is always there. */
const char *scratch_default_dir(void);

/* Opens the directory; NULL: the default. Then removes the trees that
 * a nicelab that was killed with all its processes left there. 0, or -errno (-ENOENT, -ENOTDIR, -EACCES). */
int scratch_open(struct scratch *s, const char *path);

/* What is in the way of files there, tried for real. need: bytes that will be taken. 0; -EROFS, -EACCES, -ENOSPC (less than
 * twice the need is free; *room gets how much), -EINVAL (with direct: no O_DIRECT there), or another -errno. */
int scratch_try(const struct scratch *s, uint64_t need, bool direct, uint64_t *room);

/* Moves onto an ext4 of size bytes on a loop device whose backing file, without a name, is in the directory: dir is then its
 * root. It disappears with the last process that holds dir, killed or not. 0, or -errno with *why saying which step failed. */
int scratch_loop(struct scratch *s, uint64_t size, bool direct, const char **why);

void scratch_close(struct scratch *s);

/* The name of a worker's tree, which says whose it is. Returns buf. */
char *scratch_tree_name(char *buf, size_t size, int stage, unsigned serial);

/* Removes a tree with everything in it that its owner could remove; follows no links. 0 or -errno; -ENOENT counts as done. */
int scratch_remove_tree(int dir, const char *name);

/* Removes all trees of a stage; -1: of all stages that are no longer there. Returns how many could not be removed. */
int scratch_remove_trees(int dir, int stage);

#endif
