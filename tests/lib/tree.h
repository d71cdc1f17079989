/* Trees that stand in for /proc and /sys: those of tests/fixtures, and ones made for one test. */
#ifndef NICELAB_TESTS_TREE_H
#define NICELAB_TESTS_TREE_H

#include "kernel/procfs.h"

/* The roots of tests/fixtures/NAME. Fails the test where they are not there. */
struct procfs tree_open_fixture(const char *name);

/* A tree in /tmp. */
struct tree {
	char root[32];
	struct procfs fs;
};

/* Makes one with an empty proc/stat and sys. */
void tree_make(struct tree *t);
void tree_remove(struct tree *t);

/* Files and links with the directories to them: "sys/block/sda/dev". */
void tree_write(const struct tree *t, const char *path, const char *text);
void tree_link(const struct tree *t, const char *path, const char *target);

#endif
