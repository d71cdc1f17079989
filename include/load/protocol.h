/* What dashboard and stage say to each other over their socket pair: whole structs, one a message (SOCK_SEQPACKET).
 * Both ends are the same program image, so layout is no question. Private to load/. */
#ifndef NICELAB_LOAD_PROTOCOL_H
#define NICELAB_LOAD_PROTOCOL_H

#include "load/keeper.h"
#include "load/stage.h"

#define STAGE_NAME "nl-stage"

enum stage_order_kind {
	ORDER_SPAWN,
	ORDER_END,
	ORDER_STOP,
	ORDER_CONTINUE,
	ORDER_TERMINAL,
	ORDER_ELEVATOR,
	ORDER_QUIT,
};

struct stage_order {
	enum stage_order_kind kind;
	union {
		struct stage_spawn spawn;
		struct {
			unsigned first_slot, count, cookie;
		} range;
		struct stage_terminal terminal;
		struct {
			char device[STAGE_WORD], name[STAGE_WORD];
		} elevator;
	};
};

/* The life of the stage process: never returns. base_nice is what workers are given, dir the directory for files or -1. */
_Noreturn void stage_main(struct arena *arena, int socket, pid_t dashboard, int base_nice, int dir);

/* What the stage process owns. */
struct stage_process {
	struct arena *arena;
	int socket, signals, terminal;
	int dir; /* for files of workers, or -1 */
	int base_nice;
	pid_t dashboard;
	bool restore_known;
	struct stage_terminal restore;
	struct keeper keeper;
	unsigned serial; /* of the last tree */
	pid_t workers[STAGE_SLOTS]; /* 0: none */
	unsigned trees[STAGE_SLOTS]; /* serial of the worker's tree, 0: it has none */
};

void stage_tell(struct stage_process *st, const struct stage_event *e);
void stage_take_signals(struct stage_process *st);
_Noreturn void stage_finish(struct stage_process *st, bool clean);

/* stage_spawn.c: forks the workers of one order and lets them load together. */
void stage_spawn_workers(struct stage_process *st, const struct stage_spawn *spawn);

/* The life of a worker, in the forked child of the stage; never returns. It closes `ready` once it is tied to the stage
 * and has its name and session, and starts to load when `gate` reports end-of-file. Its nice and CPUs are set by the stage,
 * so that nothing the worker does later can undo what was asked of it from outside. */
struct worker_start {
	const struct stage_spawn *spawn;
	struct arena *arena;
	unsigned index; /* within the spawn */
	pid_t stage;
	int ready, gate;
	int dir; /* for files, or -1 */
	const char *tree; /* name in it for a directory of the worker's own */
};
_Noreturn void worker_main(const struct worker_start *start);

#endif
