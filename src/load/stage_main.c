/* The stage process: one loop that waits for orders, for deaths of workers, and for the end of the dashboard. */
#include "load/descriptors.h"
#include "load/protocol.h"
#include "load/title.h"
#include "base/clock.h"
#include "kernel/priority.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define STAGE_NICE (-20) /* where it may: with many hogs in its session it must still get to run */

void stage_tell(struct stage_process *st, const struct stage_event *e)
{
	/* A dashboard that is gone shows as end-of-file in the loop; nothing to do here. */
	while (send(st->socket, e, sizeof(*e), MSG_NOSIGNAL) < 0 && errno == EINTR)
		;
}

static void end_workers(struct stage_process *st, unsigned first, unsigned count)
{
	for (unsigned i = first; i < first + count && i < STAGE_SLOTS; i++)
		if (st->workers[i])
			kill(st->workers[i], SIGKILL);
}

/* Writes as far as the terminal takes it within a second: a stopped terminal (^S) must not hold up the stage. */
static void write_restore(const struct stage_process *st)
{
	struct pollfd p = {.fd = st->terminal, .events = POLLOUT};

	for (size_t done = 0; done < st->restore.length && poll(&p, 1, 1000) > 0;) {
		ssize_t n = write(st->terminal, st->restore.bytes + done, st->restore.length - done);
		if (n <= 0)
			break;
		done += (size_t)n;
	}
}

/* If the dashboard died by itself the terminal is still in its hands: give it back. The modes only where no shell has
 * set others already. */
static void restore_terminal(struct stage_process *st)
{
	struct termios now;

	if (!st->restore_known || st->terminal < 0)
		return;
	/* Its socket closes, and the signal of its death comes, a moment before it is nobody's parent any more. */
	for (int i = 0; i < 50 && getppid() == st->dashboard; i++)
		poll(NULL, 0, 10);
	if (getppid() == st->dashboard) /* it lives: somebody ended the stage alone */
		return;
	if (tcgetattr(st->terminal, &now) == 0 && memcmp(&now, &st->restore.in_use, sizeof(now)) == 0)
		tcsetattr(st->terminal, TCSANOW, &st->restore.saved);
	write_restore(st);
}

_Noreturn void stage_finish(struct stage_process *st, bool clean)
{
	end_workers(st, 0, STAGE_SLOTS);
	if (!clean)
		restore_terminal(st);
	for (unsigned i = 0; i < STAGE_SLOTS; i++)
		while (st->workers[i] && waitpid(st->workers[i], NULL, 0) < 0 && errno == EINTR)
			;
	keeper_finish(&st->keeper);
	_exit(0);
}

/* A worker's tree goes with it. */
static void drop_tree(struct stage_process *st, unsigned slot)
{
	if (st->trees[slot])
		keeper_remove(&st->keeper, st->trees[slot]);
	st->trees[slot] = 0;
}

static void take_answers(struct stage_process *st)
{
	struct stage_event e = {.kind = STAGE_ELEVATOR};
	struct keeper_answer a;

	while (keeper_receive(&st->keeper, &a)) {
		e.error = a.error;
		memcpy(e.before, a.elevator.before, sizeof(e.before));
		stage_tell(st, &e);
	}
}

/* What it has answered counts; what it has not, it never will. */
static void replace_keeper(struct stage_process *st)
{
	take_answers(st);
	for (unsigned lost = keeper_died(&st->keeper); lost; lost--)
		stage_tell(st, &(struct stage_event){STAGE_ELEVATOR, .error = ECANCELED});
}

static void reap(struct stage_process *st)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == st->keeper.pid)
			replace_keeper(st);
		for (unsigned i = 0; i < STAGE_SLOTS; i++)
			if (st->workers[i] == pid) {
				st->workers[i] = 0;
				drop_tree(st, i);
				stage_tell(st, &(struct stage_event){STAGE_DIED, .slot = i, .pid = pid,
								     .wait_status = status});
				break;
			}
	}
}

static void signal_workers(struct stage_process *st, const struct stage_order *o, int sig)
{
	unsigned first = o->range.first_slot, count = o->range.count;

	for (unsigned i = first; i < first + count && i < STAGE_SLOTS; i++)
		if (st->workers[i])
			kill(st->workers[i], sig);
	stage_tell(st, &(struct stage_event){STAGE_STOPPED, .slot = first, .cookie = o->range.cookie});
}

static void order_elevator(struct stage_process *st, const struct stage_order *o)
{
	int rc = keeper_set_elevator(&st->keeper, o->elevator.device, o->elevator.name);

	if (rc < 0)
		stage_tell(st, &(struct stage_event){STAGE_ELEVATOR, .error = -rc});
}

static void obey(struct stage_process *st, const struct stage_order *o)
{
	switch (o->kind) {
	case ORDER_SPAWN:
		stage_spawn_workers(st, &o->spawn);
		break;
	case ORDER_END:
		end_workers(st, o->range.first_slot, o->range.count);
		break;
	case ORDER_STOP:
		signal_workers(st, o, SIGSTOP);
		break;
	case ORDER_CONTINUE:
		signal_workers(st, o, SIGCONT);
		break;
	case ORDER_TERMINAL:
		st->restore = o->terminal;
		st->restore_known = o->terminal.length > 0;
		break;
	case ORDER_ELEVATOR:
		order_elevator(st, o);
		break;
	case ORDER_QUIT:
		stage_finish(st, true);
	}
}

/* The signals that the stage answers, as data. SIGTERM is what the kernel sends when the dashboard dies. */
static int open_signals(void)
{
	sigset_t set;

	sigfillset(&set);
	sigprocmask(SIG_SETMASK, &set, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGINT);
	return signalfd(-1, &set, SFD_CLOEXEC);
}

void stage_take_signals(struct stage_process *st)
{
	struct signalfd_siginfo si;

	if (read(st->signals, &si, sizeof(si)) != sizeof(si))
		return;
	if (si.ssi_signo == SIGCHLD)
		reap(st);
	else
		stage_finish(st, false);
}

static void take_order(struct stage_process *st)
{
	struct stage_order o;
	ssize_t n = recv(st->socket, &o, sizeof(o), 0);

	if (n == sizeof(o))
		obey(st, &o);
	else if (n == 0 || (n < 0 && errno != EINTR))
		stage_finish(st, false);
}

/* Keeps the terminal, lets go of everything else that was inherited: the stage must not hold a pipe open. */
static int keep_terminal(int socket, int dir)
{
	int kept[3] = {-1, socket, dir}, null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; fd <= 2 && kept[0] < 0; fd++)
		if (isatty(fd))
			kept[0] = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	for (int fd = 0; null >= 0 && fd <= 2; fd++)
		dup2(null, fd);
	descriptors_keep(kept, 3);
	return kept[0];
}

void stage_main(struct arena *arena, int socket, pid_t dashboard, int base_nice, int dir)
{
	static struct stage_process st;

	st.arena = arena;
	st.socket = socket;
	st.dir = st.keeper.dir = dir;
	st.keeper.socket = -1;
	st.base_nice = base_nice;
	st.dashboard = dashboard;
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	st.terminal = keep_terminal(socket, dir);
	st.signals = open_signals();
	if (getppid() != dashboard || st.signals < 0)
		_exit(0);
	setsid();
	title_set(STAGE_NAME);
	priority_set_nice(0, STAGE_NICE);
	load_work_calibrate(arena);
	stage_tell(&st, &(struct stage_event){.kind = STAGE_CALIBRATED});
	for (;;) {
		struct pollfd p[] = {
			{.fd = st.socket, .events = POLLIN},
			{.fd = st.signals, .events = POLLIN},
			{.fd = st.keeper.pid ? st.keeper.socket : -1, .events = keeper_events(&st.keeper)}};
		if (poll(p, 3, -1) < 0)
			continue;
		if (p[2].revents & POLLIN)
			take_answers(&st);
		if (p[2].revents & POLLOUT)
			keeper_flush(&st.keeper);
		if (p[1].revents)
			stage_take_signals(&st);
		if (p[0].revents)
			take_order(&st);
	}
}
