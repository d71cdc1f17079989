/* One order to start workers: all are forked first, then they begin to load together. */
#include "load/protocol.h"
#include "load/scratch.h"
#include "base/clock.h"
#include "kernel/priority.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#define READY_PATIENCE NS_PER_SEC

/* The pipes of one order: workers close `ready` when they are set up, and wait for `gate` to be closed. */
struct spawn_pipes {
	int ready[2], gate[2];
};

static int open_pipes(struct spawn_pipes *p)
{
	*p = (struct spawn_pipes){{-1, -1}, {-1, -1}};
	return pipe2(p->ready, O_CLOEXEC) < 0 || pipe2(p->gate, O_CLOEXEC) < 0 ? errno : 0;
}

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* A worker that walks a tree gets a name for it that was never used before. */
static void name_tree(struct stage_process *st, unsigned slot, enum load_kind kind, char name[SCRATCH_TREE])
{
	st->trees[slot] = load_kind(kind)->io & IO_TREE ? ++st->serial : 0;
	scratch_tree_name(name, SCRATCH_TREE, getpid(), st->trees[slot]);
}

static void clear_slot(struct arena_worker *w)
{
	atomic_store_explicit(&w->state, ARENA_STARTING, memory_order_relaxed);
	atomic_store_explicit(&w->fault, 0, memory_order_relaxed);
	atomic_store_explicit(&w->bytes, 0, memory_order_relaxed);
	atomic_store_explicit(&w->passes, 0, memory_order_relaxed);
}

static pid_t fork_worker(struct stage_process *st, const struct stage_spawn *spawn, unsigned index,
			 const struct spawn_pipes *p)
{
	pid_t stage = getpid(), pid;
	char tree[SCRATCH_TREE];

	clear_slot(&st->arena->worker[spawn->first_slot + index]);
	name_tree(st, spawn->first_slot + index, spawn->kind, tree);
	pid = fork();
	if (pid != 0)
		return pid;
	close(st->socket);
	close(st->signals);
	close(p->gate[1]);
	close(p->ready[0]);
	if (st->terminal >= 0)
		close(st->terminal);
	if (st->keeper.pid)
		close(st->keeper.socket);
	worker_main(&(struct worker_start){
		.spawn = spawn,
		.arena = st->arena,
		.index = index,
		.stage = stage,
		.ready = p->ready[1],
		.gate = p->gate[0],
		.dir = st->dir,
		.tree = tree,
	});
}

/* Waits until every worker of the order has closed its end of the pipe; until then no order is taken, so that no worker
 * can be stopped before its life is tied to the stage. Not for ever: somebody may have stopped one by hand. */
static void wait_until_ready(struct stage_process *st, int ready)
{
	uint64_t until = clock_now() + READY_PATIENCE;

	while (clock_now() < until) {
		struct pollfd p[] = {{.fd = ready, .events = POLLIN},
				     {.fd = st->signals, .events = POLLIN},
				     {.fd = st->socket, .events = 0}};
		if (poll(p, 3, 100) < 0)
			continue;
		if (p[2].revents & (POLLHUP | POLLERR))
			stage_finish(st, false);
		if (p[0].revents)
			return;
		if (p[1].revents)
			stage_take_signals(st);
	}
}

/* Gives a worker its place: what it must not do by itself, since by then somebody may have asked otherwise. */
static void place_worker(const struct stage_process *st, const struct stage_spawn *spawn, pid_t pid)
{
	if (cpulist_count(&spawn->cpus))
		priority_set_cpus(pid, &spawn->cpus);
	if (spawn->stopped)
		kill(pid, SIGSTOP);
	/* The stage may have raised itself; going back to the dashboard's nice is always allowed. */
	priority_set_nice(pid, st->base_nice);
}

static unsigned fork_workers(struct stage_process *st, const struct stage_spawn *spawn,
			     struct spawn_pipes *pipes, int error, bool fresh[STAGE_SLOTS])
{
	unsigned forked = 0;

	for (unsigned i = 0; i < spawn->count && spawn->first_slot + i < STAGE_SLOTS; i++) {
		unsigned slot = spawn->first_slot + i;

		if (st->workers[slot])
			continue; /* the old one has not been reaped yet: its death will be told */
		pid_t pid = error ? -1 : fork_worker(st, spawn, i, pipes);
		if (pid < 0) {
			stage_tell(st, &(struct stage_event){STAGE_REFUSED, .slot = slot,
							     .error = error ? error : errno});
			continue;
		}
		st->workers[slot] = pid;
		fresh[slot] = true;
		forked++;
	}
	return forked;
}

/* All workers of one order are forked first and start to load together when the gate opens: forking a thousand hogs
 * among running hogs would take the stage minutes. */
void stage_spawn_workers(struct stage_process *st, const struct stage_spawn *spawn)
{
	bool fresh[STAGE_SLOTS] = {false};
	struct spawn_pipes pipes;
	int error;

	if (load_kind(spawn->kind)->io & IO_TREE)
		keeper_start(&st->keeper); /* so that no tree is left, whoever is killed */
	error = open_pipes(&pipes);
	if (fork_workers(st, spawn, &pipes, error, fresh)) {
		close_end(&pipes.ready[1]);
		wait_until_ready(st, pipes.ready[0]);
	}
	for (unsigned slot = 0; slot < STAGE_SLOTS; slot++)
		if (fresh[slot] && st->workers[slot]) {
			place_worker(st, spawn, st->workers[slot]);
			stage_tell(st, &(struct stage_event){STAGE_SPAWNED, .slot = slot,
							     .pid = st->workers[slot]});
		}
	close_end(&pipes.ready[0]);
	close_end(&pipes.ready[1]);
	close_end(&pipes.gate[0]);
	close_end(&pipes.gate[1]);
}
