/* The lab: hogs and victims that run for real, and the engine thread that turns their knobs and measures.
 * The caller sends commands and reads snapshots; everything else is the engine's. */
#ifndef NICELAB_LAB_LAB_H
#define NICELAB_LAB_LAB_H

#include "lab/command.h"
#include "lab/snapshot.h"
#include "load/scratch.h"
#include "load/stage.h"

struct lab_group_config {
	bool is_victim;
	enum load_kind kind;
	long knobs[KNOB_TOTAL]; /* only those of the group's role count */
};

/* Whom "act as user" means. Only a process that is root can become another. */
struct lab_user {
	bool known;
	uid_t uid;
	gid_t gid;
	char name[32];
};

struct lab_config {
	size_t ngroups;
	struct lab_group_config groups[SNAPSHOT_GROUPS];
	long knobs[KNOB_TOTAL]; /* of the lab */
	struct cpulist cpus; /* that the workers may run on; empty: all that the caller may */
	struct lab_user user; /* unknown: "nobody" where nicelab is root */
	struct scratch scratch; /* for files; taken over by lab_start, which closes it whatever comes of it */
	char elevator[BLOCK_NAME]; /* to be set at the start on the device in use; empty: none */
	const char *proc_root; /* NULL: the machine's own /proc */
	const char *sys_root;
};

/* Bytes that all groups of it keep on the disk. */
uint64_t lab_config_footprint(const struct lab_config *c);

/* Whether c->elevator can be set on the device that c->scratch is on. 0, or -errno with the reason in why. */
int lab_check_elevator(const struct lab_config *c, char *why, size_t size);

/* The default lab: 3 hogs a CPU, one victim of 2 threads, everything at the caller's own nice. */
void lab_config_default(struct lab_config *c);

struct lab;

/* Forks the stage, then starts the engine thread. Call it before any other thread exists and before the terminal is
 * touched. 0 or -errno; on failure *what says which step it was. */
int lab_start(const struct lab_config *c, struct lab **out, const char **what);

/* Ends the workers, the stage and the engine, and gives back a nice that was raised; frees lab. NULL is allowed. */
void lab_stop(struct lab *lab);

/* Sends a command. 0 or -EAGAIN (the engine does not keep up). Any thread. */
int lab_send(struct lab *lab, const struct command *c);

/* The snapshots; one reader. */
struct snapshot_store *lab_snapshots(struct lab *lab);

/* Waits until every worker has been stopped (on) or continued, at most two seconds. For ^Z. The reader's thread. */
int lab_freeze(struct lab *lab, bool on);

/* Tells the stage how to give the terminal back if the dashboard is killed. Any thread: an order is one message. */
int lab_keep_terminal(struct lab *lab, const struct stage_terminal *t);

#endif
