/* The stage process: one loop that waits for orders, for deaths of workers, and for the end of the dashboard. */
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

#define READY_PATIENCE NS_PER_SEC
#define STAGE_NICE (-20) /* where it may: with many hogs in its session it must still get to run */

struct stage_process {
	struct arena *arena;
	int socket, signals, terminal;
	int base_nice;
	pid_t dashboard;
	bool restore_known;
	struct stage_terminal restore;
	pid_t workers[STAGE_SLOTS]; /* 0: none */
};

static void tell(struct stage_process *st, const struct stage_event *e)
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

static _Noreturn void finish(struct stage_process *st, bool clean)
{
	end_workers(st, 0, STAGE_SLOTS);
	if (!clean)
		restore_terminal(st);
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
	_exit(0);
}

static void reap(struct stage_process *st)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		for (unsigned i = 0; i < STAGE_SLOTS; i++)
			if (st->workers[i] == pid) {
				st->workers[i] = 0;
				tell(st, &(struct stage_event){STAGE_DIED, .slot = i, .pid = pid,
							       .wait_status = status});
				break;
			}
}

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

static pid_t fork_worker(struct stage_process *st, const struct stage_spawn *spawn, unsigned index,
			 const struct spawn_pipes *p)
{
	pid_t stage = getpid(), pid = fork();

	if (pid != 0)
		return pid;
	close(st->socket);
	close(st->signals);
	close(p->gate[1]);
	close(p->ready[0]);
	if (st->terminal >= 0)
		close(st->terminal);
	worker_main(&(struct worker_start){
		.spawn = spawn,
		.arena = st->arena,
		.index = index,
		.stage = stage,
		.ready = p->ready[1],
		.gate = p->gate[0],
	});
}

static void take_signals(struct stage_process *st);

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
			finish(st, false);
		if (p[0].revents)
			return;
		if (p[1].revents)
			take_signals(st);
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
			tell(st, &(struct stage_event){STAGE_REFUSED, .slot = slot,
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
static void spawn_workers(struct stage_process *st, const struct stage_spawn *spawn)
{
	bool fresh[STAGE_SLOTS] = {false};
	struct spawn_pipes pipes;
	int error = open_pipes(&pipes);

	if (fork_workers(st, spawn, &pipes, error, fresh)) {
		close_end(&pipes.ready[1]);
		wait_until_ready(st, pipes.ready[0]);
	}
	for (unsigned slot = 0; slot < STAGE_SLOTS; slot++)
		if (fresh[slot] && st->workers[slot]) {
			place_worker(st, spawn, st->workers[slot]);
			tell(st,
			     &(struct stage_event){STAGE_SPAWNED, .slot = slot, .pid = st->workers[slot]});
		}
	close_end(&pipes.ready[0]);
	close_end(&pipes.ready[1]);
	close_end(&pipes.gate[0]);
	close_end(&pipes.gate[1]);
}

static void signal_workers(struct stage_process *st, const struct stage_order *o, int sig)
{
	unsigned first = o->range.first_slot, count = o->range.count;

	for (unsigned i = first; i < first + count && i < STAGE_SLOTS; i++)
		if (st->workers[i])
			kill(st->workers[i], sig);
	tell(st, &(struct stage_event){STAGE_STOPPED, .slot = first, .cookie = o->range.cookie});
}

static void obey(struct stage_process *st, const struct stage_order *o)
{
	switch (o->kind) {
	case ORDER_SPAWN:
		spawn_workers(st, &o->spawn);
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
	case ORDER_QUIT:
		finish(st, true);
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

static void take_signals(struct stage_process *st)
{
	struct signalfd_siginfo si;

	if (read(st->signals, &si, sizeof(si)) != sizeof(si))
		return;
	if (si.ssi_signo == SIGCHLD)
		reap(st);
	else
		finish(st, false);
}

static void take_order(struct stage_process *st)
{
	struct stage_order o;
	ssize_t n = recv(st->socket, &o, sizeof(o), 0);

	if (n == sizeof(o))
		obey(st, &o);
	else if (n == 0 || (n < 0 && errno != EINTR))
		finish(st, false);
}

/* Keeps the terminal, lets go of everything else that was inherited: the stage must not hold a pipe open. */
static int keep_terminal(int socket)
{
	int tty = -1, null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; fd <= 2 && tty < 0; fd++)
		if (isatty(fd))
			tty = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	for (int fd = 0; null >= 0 && fd <= 2; fd++)
		dup2(null, fd);
	int low = tty < socket ? tty : socket, high = tty < socket ? socket : tty;
	if (low > 3)
		close_range(3, (unsigned)low - 1, 0);
	else if (low < 0 && high > 3)
		close_range(3, (unsigned)high - 1, 0);
	if (low >= 0 && high > low + 1)
		close_range((unsigned)low + 1, (unsigned)high - 1, 0);
	close_range((unsigned)high + 1, ~0U, 0);
	return tty;
}

void stage_main(struct arena *arena, int socket, pid_t dashboard, int base_nice)
{
	static struct stage_process st;

	st.arena = arena;
	st.socket = socket;
	st.base_nice = base_nice;
	st.dashboard = dashboard;
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	st.terminal = keep_terminal(socket);
	st.signals = open_signals();
	if (getppid() != dashboard || st.signals < 0)
		_exit(0);
	setsid();
	title_set("nl-stage");
	priority_set_nice(0, STAGE_NICE);
	load_work_calibrate(arena);
	tell(&st, &(struct stage_event){.kind = STAGE_CALIBRATED});
	for (;;) {
		struct pollfd p[] = {{.fd = st.socket, .events = POLLIN},
				     {.fd = st.signals, .events = POLLIN}};
		if (poll(p, 2, -1) < 0)
			continue;
		if (p[1].revents)
			take_signals(&st);
		if (p[0].revents)
			take_order(&st);
	}
}
