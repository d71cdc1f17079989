/* What dashboard and stage say to each other over their socket pair: whole structs, one a message (SOCK_SEQPACKET).
 * Both ends are the same program image, so layout is no question. Private to load/. */
#ifndef NICELAB_LOAD_PROTOCOL_H
#define NICELAB_LOAD_PROTOCOL_H

#include "load/stage.h"

enum stage_order_kind {
	ORDER_SPAWN,
	ORDER_END,
	ORDER_STOP,
	ORDER_CONTINUE,
	ORDER_TERMINAL,
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
	};
};

/* The life of the stage process: never returns. base_nice is what workers are given. */
_Noreturn void stage_main(struct arena *arena, int socket, pid_t dashboard, int base_nice);

/* The life of a worker, in the forked child of the stage; never returns. It closes `ready` once it is tied to the stage
 * and has its name and session, and starts to load when `gate` reports end-of-file. Its nice and CPUs are set by the stage,
 * so that nothing the worker does later can undo what was asked of it from outside. */
struct worker_start {
	const struct stage_spawn *spawn;
	struct arena *arena;
	unsigned index; /* within the spawn */
	pid_t stage;
	int ready, gate;
};
_Noreturn void worker_main(const struct worker_start *start);

#endif
