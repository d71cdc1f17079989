/* The stage process: one loop that waits for orders, for deaths of workers, and for the end of the dashboard. */
#include "load/protocol.h"
#include "load/title.h"
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

struct stage_process {
	struct arena *arena;
	int socket, signals, terminal;
	int base_nice;
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

/* If the dashboard died by itself the terminal is still in its hands: give it back, unless somebody else already did. */
static void restore_terminal(struct stage_process *st)
{
	struct termios now;

	if (!st->restore_known || st->terminal < 0)
		return;
	if (tcgetattr(st->terminal, &now) == 0 && memcmp(&now, &st->restore.in_use, sizeof(now)) == 0)
		tcsetattr(st->terminal, TCSANOW, &st->restore.saved);
	for (size_t done = 0; done < st->restore.length;) {
		ssize_t n = write(st->terminal, st->restore.bytes + done, st->restore.length - done);
		if (n <= 0)
			break;
		done += (size_t)n;
	}
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

static pid_t fork_worker(struct stage_process *st, const struct stage_spawn *spawn, unsigned index,
			 const int gate[2])
{
	pid_t stage = getpid(), pid = fork();

	if (pid != 0)
		return pid;
	close(st->socket);
	close(st->signals);
	close(gate[1]);
	if (st->terminal >= 0)
		close(st->terminal);
	worker_main(&(struct worker_start){
		.spawn = spawn,
		.arena = st->arena,
		.index = index,
		.stage = stage,
		.gate = gate[0],
		.base_nice = st->base_nice,
	});
}

/* All workers of one order are forked first and start to load together when the gate opens: forking a thousand hogs
 * among running hogs would take the stage minutes. */
static void spawn_workers(struct stage_process *st, const struct stage_spawn *spawn)
{
	int gate[2] = {-1, -1};
	int gate_error = pipe2(gate, O_CLOEXEC) < 0 ? errno : 0;

	for (unsigned i = 0; i < spawn->count && spawn->first_slot + i < STAGE_SLOTS; i++) {
		unsigned slot = spawn->first_slot + i;
		struct stage_event e = {STAGE_SPAWNED, .slot = slot};

		if (st->workers[slot])
			continue; /* the old one has not been reaped yet: its death will be told */
		pid_t pid = gate_error ? -1 : fork_worker(st, spawn, i, gate);
		if (pid < 0)
			e = (struct stage_event){STAGE_REFUSED, .slot = slot,
						 .error = gate_error ? gate_error : errno};
		else
			e.pid = st->workers[slot] = pid;
		tell(st, &e);
	}
	if (!gate_error) {
		close(gate[0]);
		close(gate[1]);
	}
}

static void signal_workers(struct stage_process *st, unsigned first, unsigned count, int sig)
{
	for (unsigned i = first; i < first + count && i < STAGE_SLOTS; i++)
		if (st->workers[i])
			kill(st->workers[i], sig);
	tell(st, &(struct stage_event){STAGE_STOPPED, .slot = first});
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
		signal_workers(st, o->range.first_slot, o->range.count, SIGSTOP);
		break;
	case ORDER_CONTINUE:
		signal_workers(st, o->range.first_slot, o->range.count, SIGCONT);
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
	for (int fd = 3; fd < 1024; fd++)
		if (fd != tty && fd != socket)
			close(fd);
	return tty;
}

void stage_main(struct arena *arena, int socket, pid_t dashboard, int base_nice)
{
	static struct stage_process st;

	st.arena = arena;
	st.socket = socket;
	st.base_nice = base_nice;
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
