/* The keeper: a process of the stage's that sets elevators and removes trees, so that the stage never waits for a disk; and that
 * puts everything back when the stage is gone, however it went. Private to load/: it runs below the stage. Every function below is the
 * stage's, and none waits but keeper_finish. */
#ifndef NICELAB_LOAD_KEEPER_H
#define NICELAB_LOAD_KEEPER_H

#include "kernel/block.h"

#include <stdbool.h>
#include <sys/types.h>

#define KEEPER_ELEVATORS 8
#define KEEPER_TREES 1028 /* that wait to be removed */

/* An elevator that was changed: put back while it is one that nicelab set. */
struct keeper_elevator {
	char device[BLOCK_NAME]; /* "" : an empty place */
	char before[BLOCK_NAME], set[BLOCK_NAME];
	char next[BLOCK_NAME]; /* that is being set; empty: none is */
};

/* What came of keeper_set_elevator. */
struct keeper_answer {
	bool over; /* false: what is about to be changed is told before it is */
	int error; /* 0 or the errno */
	struct keeper_elevator elevator; /* what the keeper has noted: the next keeper begins with it */
};

struct keeper {
	pid_t pid; /* 0: none */
	int socket; /* of the stage; whole structs */
	int dir; /* of the trees */
	bool needed; /* there is, or was, something to put back in the end */
	unsigned unanswered; /* keeper_set_elevator */
	unsigned ntrees, trees[KEEPER_TREES]; /* serials that there was no room for in the socket */
	struct keeper_elevator elevators[KEEPER_ELEVATORS]; /* as the keeper knows them */
};

/* Starts it where there is none: before there is anything that it must put back. 0 or -errno. */
int keeper_start(struct keeper *k);

/* Orders, after keeper_start where there is none. 0 or -errno. A tree that finds no room in the socket waits for keeper_flush. */
int keeper_set_elevator(struct keeper *k, const char *device, const char *elevator);
void keeper_remove(struct keeper *k, unsigned serial);

/* What poll(2) shall wait for on the socket; at POLLOUT keeper_flush is called. */
short keeper_events(const struct keeper *k);
void keeper_flush(struct keeper *k);

/* An answer that waits. False: there is none. */
bool keeper_receive(struct keeper *k, struct keeper_answer *answer);

/* Its death was reaped, and no answer waits any more: another takes over what there is to put back. Returns how many orders will not be
 * answered. */
unsigned keeper_died(struct keeper *k);

/* The stage has no workers any more: the keeper puts everything back and ends. Waits for it. */
void keeper_finish(struct keeper *k);

#endif
