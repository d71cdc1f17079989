/* Labs and stages with files of their own: a directory below $TMPDIR or /var/tmp, and what only root can have: an ext4 on a loop device. */
#ifndef NICELAB_TESTS_DISKRUN_H
#define NICELAB_TESTS_DISKRUN_H

#include "labrun.h"

#include <sys/types.h>

#define DISKRUN_FILE (1L << 20)
#define DISKRUN_BLOCK (64L << 10)
#define DISKRUN_TREE (1L << 20)

struct diskrun {
	char path[64]; /* of the directory */
	struct lab_config
		config; /* two groups of cpu and work, no hogs; small sizes; scratch is the directory, its descriptor given
		* away by diskrun_start */
};

/* For cmocka: *state is the struct diskrun. The teardown fails the test where a name was left in the directory, and removes it. */
int diskrun_setup(void **state);
int diskrun_teardown(void **state);

/* Starts the lab of the config. */
struct lab *diskrun_start(struct diskrun *d);

/* Waits for it; fails the test where it does not come. */
const struct snapshot *diskrun_await(struct lab *lab, labrun_fn fn, const void *arg);

void diskrun_set_kind(struct lab *lab, int group, enum load_kind kind);
void diskrun_set_elevator(struct lab *lab, const char *word);

/* Moves the config's scratch onto a loop device; skips the test, aloud, where that cannot be. */
void diskrun_use_loop(struct diskrun *d, uint64_t size);
_Noreturn void diskrun_skip(const char *why);

/* The elevator in use of a device; empty: it is not there. Returns buf. */
#define DISKRUN_WORD 64
char *diskrun_elevator(const char *device, char buf[DISKRUN_WORD]);

/* Waits for an elevator, ten seconds. */
bool diskrun_becomes(const char *device, const char *elevator);

/* A loop device has lost its file, ten seconds. */
bool diskrun_is_detached(const char *device);

/* Names in a directory that begin with the prefix. */
unsigned diskrun_count(const char *path, const char *prefix);
bool diskrun_count_becomes(const char *path, const char *prefix, unsigned n);

/* The child of a process with this name, 0: none. */
pid_t diskrun_child(pid_t parent, const char *name);

/* The process is gone, or a zombie of somebody else's. Waits ten seconds. */
bool diskrun_is_gone(pid_t pid);

/* How many descriptors of a process point at what begins with the prefix ("socket:", "/"). */
unsigned diskrun_count_fds(pid_t pid, const char *prefix);

#endif
