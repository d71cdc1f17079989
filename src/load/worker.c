/* A worker's first steps after the fork: tie its life to the stage, take its name and session, wait at the gate,
 * load. */
#include "load/protocol.h"
#include "load/threads.h"
#include "load/title.h"
#include "kernel/priority.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

/* First of all: a change of user makes the kernel forget what was asked of it in case its parent dies. A worker that cannot
 * become what it shall be must not run as something else. */
static void become_user(const struct stage_spawn *spawn)
{
	if (!spawn->as_user)
		return;
	if (priority_become(spawn->uid, spawn->gid) < 0)
		_exit(EXIT_FAILURE);
	prctl(PR_SET_DUMPABLE, 1); /* as a program that this user started */
}

/* The worker ends when the stage does. The check closes the gap: the stage may have died before prctl. */
static void tie_to_stage(pid_t stage)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != stage)
		_exit(0);
}

/* Signal masks and ignored signals are inherited over fork: the worker gets them as a fresh program would. */
static void reset_signals(void)
{
	sigset_t none;

	for (int s = 1; s < NSIG; s++)
		signal(s, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void take_name(const struct worker_start *start)
{
	char name[16];

	if (start->spawn->first_ordinal)
		snprintf(name, sizeof(name), "nl-hog-%u", start->spawn->first_ordinal + start->index);
	else
		snprintf(name, sizeof(name), "nl-victim");
	title_set(name);
}

static void wait_at_gate(int gate)
{
	char byte;

	while (read(gate, &byte, 1) < 0 && errno == EINTR)
		;
	close(gate);
}

static void run_load(const struct worker_start *start)
{
	const struct stage_spawn *spawn = start->spawn;
	const struct load_kind_info *kind = load_kind(spawn->kind);
	static struct load l; /* the other threads may outlive this call */

	l = (struct load){
		.arena = start->arena,
		.victim = spawn->victim >= 0 ? &start->arena->victim[spawn->victim] : NULL,
		.worker = &start->arena->worker[spawn->first_slot + start->index],
		.threads = spawn->threads ? spawn->threads : 1,
		.dir = start->dir,
		.tree = start->tree,
	};

	if (kind->io == 0)
		load_ready(&l);
	kind->run(&l);
}

void worker_main(const struct worker_start *start)
{
	const struct stage_spawn *spawn = start->spawn;

	become_user(spawn);
	tie_to_stage(start->stage);
	reset_signals();
	take_name(start);
	if (spawn->own_session)
		setsid();
	close(start->ready);
	wait_at_gate(start->gate);
	run_load(start);
	_exit(0);
}
