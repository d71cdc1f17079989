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
	SCENE_LOST, /* the stage died */
};

/* Fills *s; release it with snapshot_release. */
void scene_make(struct snapshot *s, enum scene scene);

#endif
