/* The dashboard's end of the stage: orders out, events in. */
#include "load/protocol.h"
#include "base/clock.h"
#include "kernel/priority.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct stage {
	pid_t pid;
	int socket;
};

/* The stage is waited for this long before it is killed. */
#define STOP_PATIENCE (5 * NS_PER_SEC)

int stage_start(struct arena *arena, int dir, struct stage **out)
{
	struct stage *s = calloc(1, sizeof(*s));
	pid_t dashboard = getpid();
	int base_nice = priority_own_nice();
	int pair[2];
	int rc;

	if (!s)
		return -ENOMEM;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		goto failed;
	s->pid = fork();
	if (s->pid == 0) {
		close(pair[0]); /* else the stage would keep its own line open */
		stage_main(arena, pair[1], dashboard, base_nice, dir);
	}
	if (s->pid < 0) {
		rc = errno;
		close(pair[0]);
		close(pair[1]);
		errno = rc;
		goto failed;
	}
	close(pair[1]);
	s->socket = pair[0];
	*out = s;
	return 0;
failed:
	rc = -errno;
	free(s);
	return rc;
}

int stage_fd(const struct stage *s)
{
	return s->socket;
}

pid_t stage_pid(const struct stage *s)
{
	return s->pid;
}

int stage_next(struct stage *s, struct stage_event *event)
{
	ssize_t n;

	do
		n = recv(s->socket, event, sizeof(*event), MSG_DONTWAIT);
	while (n < 0 && errno == EINTR);
	if (n == sizeof(*event))
		return 1;
	return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? 0 : -EPIPE;
}

static int order(struct stage *s, const struct stage_order *o)
{
	ssize_t n;

	do
		n = send(s->socket, o, sizeof(*o), MSG_NOSIGNAL | MSG_DONTWAIT);
	while (n < 0 && errno == EINTR);
	if (n == sizeof(*o))
		return 0;
	return errno == EAGAIN || errno == EWOULDBLOCK ? -EAGAIN : -EPIPE;
}

int stage_order_spawn(struct stage *s, const struct stage_spawn *spawn)
{
	return order(s, &(struct stage_order){ORDER_SPAWN, .spawn = *spawn});
}

int stage_order_end(struct stage *s, unsigned first_slot, unsigned count)
{
	return order(s, &(struct stage_order){ORDER_END, .range = {first_slot, count, 0}});
}

int stage_order_stop(struct stage *s, unsigned first_slot, unsigned count, bool on, unsigned cookie)
{
	return order(s, &(struct stage_order){.kind = on ? ORDER_STOP : ORDER_CONTINUE,
					      .range = {first_slot, count, cookie}});
}

int stage_order_terminal(struct stage *s, const struct stage_terminal *t)
{
	return order(s, &(struct stage_order){ORDER_TERMINAL, .terminal = *t});
}

int stage_order_elevator(struct stage *s, const char *device, const char *name)
{
	struct stage_order o = {.kind = ORDER_ELEVATOR};

	snprintf(o.elevator.device, sizeof(o.elevator.device), "%s", device);
	snprintf(o.elevator.name, sizeof(o.elevator.name), "%s", name);
	return order(s, &o);
}

/* Throws away what the stage still says, so that it never waits for room; true when it has closed its end. */
static bool drain_until_closed(struct stage *s, int timeout_ms)
{
	struct pollfd p = {.fd = s->socket, .events = POLLIN};
	struct stage_event e;

	if (poll(&p, 1, timeout_ms) <= 0)
		return false;
	for (;;) {
		int rc = stage_next(s, &e);
		if (rc <= 0)
			return rc < 0;
	}
}

void stage_stop(struct stage *s)
{
	uint64_t until = clock_now() + STOP_PATIENCE;

	if (!s)
		return;
	order(s, &(struct stage_order){.kind = ORDER_QUIT});
	/* Workers in the stage's own process group end at once by this, and no longer keep the stage from its turn when they run
	 * at a better priority; the stage itself blocks it. */
	kill(-s->pid, SIGUSR1);
	shutdown(s->socket, SHUT_WR); /* ends it even where there was no room for the order */
	while (!drain_until_closed(s, 50))
		if (clock_now() > until) {
			kill(s->pid, SIGKILL);
			break;
		}
	while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR)
		;
	close(s->socket);
	free(s);
}
