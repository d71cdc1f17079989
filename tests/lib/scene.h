/* Made-up snapshots with fixed figures, for golden screens and key tests. */
#ifndef NICELAB_TESTS_SCENE_H
#define NICELAB_TESTS_SCENE_H

#include "lab/snapshot.h"

enum scene {
	SCENE_START, /* the baseline is being taken, nothing is known */
	SCENE_DEFAULT, /* 6 hogs, everything at nice 0 */
	SCENE_NICE19, /* the victim at nice 19 */
	SCENE_PARTIAL, /* the change reached one of two threads */
	SCENE_TROUBLE, /* denied, clamped, reverted, refused; names with escape sequences */
	SCENE_AUTOGROUP, /* nice 19 in sessions of their own: moot */
	SCENE_DISK, /* reads in class idle under two writers, on mq-deadline */
	SCENE_LEVELS, /* be/7 against be/0 there: the level is not looked at */
	SCENE_STACK, /* a loop device of nicelab's own on a disk; a hog has stopped without space */
	SCENE_WARM, /* cached reads in class idle */
	SCENE_LOST, /* the stage died */
};

/* Fills *s; release it with snapshot_release. */
/* Private to the scenes: the pieces that they are made of. */
void scene_disk(struct snapshot *s, enum scene scene);
struct snapshot_thread *scene_add_thread(struct snapshot *s, int group, unsigned ordinal, unsigned index,
					 pid_t tid);
void scene_add_verdict(struct snapshot *s, const char *code, size_t thread, unsigned count, struct facts *f);
void scene_add_samples(struct histogram *h, uint64_t ms, int n);
void scene_add_history(struct timeline *t, uint64_t from, uint64_t to, uint64_t ms, int n);

void scene_make(struct snapshot *s, enum scene scene);

#endif
