/* A kind of load in a child process of a test, on a directory of its own. One at a time in struct loadrun; ended and tidied up by
 * the teardown, also where the test failed. */
#ifndef NICELAB_TESTS_LOADRUN_H
#define NICELAB_TESTS_LOADRUN_H

#include "load/kind.h"

#include <sys/types.h>

#define LOADRUN_BLOCK UINT64_C(16384)
#define LOADRUN_FILE (UINT64_C(1) << 20)
#define LOADRUN_TREE UINT64_C(3211264) /* 196 blocks: the last directory and file are not full */

struct loadrun {
	struct arena *arena;
	struct load load; /* a hog's with one thread; the test may change it before the start */
	void (*prepare)(struct loadrun *r); /* in the child, before the load */
	char path[256]; /* of the directory */
	bool mounted;
	pid_t pid; /* 0: none */
};

/* For cmocka: *state is the struct loadrun. */
int loadrun_setup(void **state);
int loadrun_teardown(void **state);

/* Makes it a victim of so many threads. */
void loadrun_victim(struct loadrun *r, unsigned threads);

void loadrun_start(struct loadrun *r, load_fn run);

/* The same, and waits until it loads; skips the test where the kind needs O_DIRECT and there is none. */
void loadrun_start_ready(struct loadrun *r, load_fn run);
void loadrun_start_victim(struct loadrun *r, load_fn run,
			  unsigned threads); /* and all its threads are there */

/* SIGKILL; waits. */
void loadrun_kill(struct loadrun *r);

/* Waits for what must become true, 30 seconds; false then, or when the load has ended before. */
typedef bool (*loadrun_true)(const struct loadrun *r, uint64_t arg);
bool loadrun_wait(const struct loadrun *r, loadrun_true what, uint64_t arg);
bool loadrun_is_ready(const struct loadrun *r, uint64_t arg);
bool loadrun_has_passes(const struct loadrun *r, uint64_t at_least);
bool loadrun_has_samples(const struct loadrun *r, uint64_t at_least); /* of thread 0 */
bool loadrun_has_alive(const struct loadrun *r, uint64_t exactly);

bool loadrun_all_have_samples(const struct loadrun *r, uint64_t threads); /* three each */
void loadrun_expect_passes(const struct loadrun *r, uint64_t more);

uint64_t loadrun_bytes(const struct loadrun *r);
uint64_t loadrun_passes(const struct loadrun *r);

/* Samples that a victim's thread has made, dropped ones too. */
uint64_t loadrun_samples(const struct loadrun *r, unsigned thread);

/* Waits for the worker's end by itself: it must be the fault. */
void loadrun_expect_fault(struct loadrun *r, enum arena_step step, int error);

/* How many names are in the directory. */
unsigned loadrun_count_names(const struct loadrun *r);

/* A number behind a word in a file of /proc/PID, in the base; -1: not there. */
long long loadrun_proc(const struct loadrun *r, const char *file, const char *word, int base);

/* The worker's file, as the number of its descriptor; -1: none. */
int loadrun_fd(const struct loadrun *r);

/* Skips the test, aloud, where files there cannot be opened with O_DIRECT. */
void loadrun_need_direct(const struct loadrun *r);
bool loadrun_takes_direct(const struct loadrun *r);

/* The directory is in memory: its page cache cannot be told from the disk. */
bool loadrun_is_memory(const struct loadrun *r);

/* Mounts over the directory, in a mount namespace of the test's own. Skips the test, aloud, where that is not allowed. */
void loadrun_mount(struct loadrun *r, const char *type, unsigned long flags, const char *options);
_Noreturn void loadrun_skip(const char *why);

#endif
