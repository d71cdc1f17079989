/* The keeper: what must be put back, and a process to do it that outlives everybody who could be killed before it. */
#include "load/keeper.h"
#include "load/descriptors.h"
#include "load/scratch.h"
#include "load/title.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define FINISH_TRIES 3
#define TREES_TRIES 100
#define TREES_PAUSE 100 /* ms: a worker that is dying may make a file meanwhile */

enum order_kind {
	ORDER_SET,
	ORDER_REMOVE,
	ORDER_LAST, /* no worker is left */
};

struct order {
	enum order_kind kind;
	char device[BLOCK_NAME], elevator[BLOCK_NAME]; /* ORDER_SET */
	unsigned serial; /* ORDER_REMOVE: of the tree */
};

static struct keeper_elevator *find_elevator(struct keeper *k, const char *device)
{
	for (size_t i = 0; i < KEEPER_ELEVATORS; i++)
		if (strcmp(k->elevators[i].device, device) == 0)
			return &k->elevators[i];
	return NULL;
}

/* Empty where it cannot be read. */
static void read_elevator(const struct procfs *fs, const char *device, char now[BLOCK_NAME])
{
	struct block_reading b;

	block_read_device(fs, device, &b);
	snprintf(now, BLOCK_NAME, "%s", b.nlevels ? b.levels[0].elevator : "");
}

/* What is there the first time is what comes back. NULL with *rc: the device has none, or there is no place for it. */
static struct keeper_elevator *note_elevator(const struct procfs *fs, struct keeper *k, const char *device,
					     int *rc)
{
	struct keeper_elevator *e = find_elevator(k, device);
	char now[BLOCK_NAME];

	if (e)
		return e;
	e = find_elevator(k, "");
	read_elevator(fs, device, now);
	*rc = e ? -ENOENT : -ENOSPC;
	if (!e || !now[0])
		return NULL;
	snprintf(e->device, sizeof(e->device), "%s", device);
	memcpy(e->before, now, sizeof(e->before));
	return e;
}

static void answer(const struct keeper *k, bool over, int error, const struct keeper_elevator *e)
{
	struct keeper_answer a = {.over = over, .error = error};

	if (e)
		a.elevator = *e;
	while (send(k->socket, &a, sizeof(a), MSG_NOSIGNAL) < 0 && errno == EINTR)
		;
}

/* The stage knows of a change before it is made: whoever is killed then, somebody is left who can put it back. */
static void set_elevator(const struct procfs *fs, struct keeper *k, const struct order *o)
{
	int rc = 0;
	struct keeper_elevator *e = note_elevator(fs, k, o->device, &rc);

	if (e) {
		memcpy(e->next, o->elevator, sizeof(e->next));
		answer(k, false, 0, e);
		rc = block_set_elevator(fs, o->device, o->elevator);
		if (rc == 0)
			memcpy(e->set, e->next, sizeof(e->set));
		e->next[0] = '\0';
	}
	answer(k, true, -rc, e);
}

/* A keeper before this one may have died before or after it made the change that it was about to make. */
static void settle(const struct procfs *fs, struct keeper *k)
{
	for (size_t i = 0; i < KEEPER_ELEVATORS; i++) {
		struct keeper_elevator *e = &k->elevators[i];
		char now[BLOCK_NAME];

		if (!e->next[0])
			continue;
		read_elevator(fs, e->device, now);
		if (strcmp(now, e->next) == 0)
			memcpy(e->set, e->next, sizeof(e->set));
		e->next[0] = '\0';
	}
}

/* Not where somebody else has set another one since. */
static void put_back_elevators(const struct procfs *fs, const struct keeper *k)
{
	for (size_t i = 0; i < KEEPER_ELEVATORS; i++) {
		const struct keeper_elevator *e = &k->elevators[i];
		char now[BLOCK_NAME];

		if (!e->set[0] || strcmp(e->set, e->before) == 0)
			continue;
		read_elevator(fs, e->device, now);
		if (strcmp(now, e->set) == 0)
			block_set_elevator(fs, e->device, e->before);
	}
}

static void put_back(const struct procfs *fs, const struct keeper *k, pid_t stage, bool workers_left)
{
	put_back_elevators(fs, k);
	for (int i = 0; k->dir >= 0 && scratch_remove_trees(k->dir, stage) > 0; i++) {
		if (!workers_left || i == TREES_TRIES)
			break;
		poll(NULL, 0, TREES_PAUSE);
	}
}

static void obey(const struct procfs *fs, struct keeper *k, const struct order *o, pid_t stage)
{
	char name[SCRATCH_TREE];

	if (o->kind == ORDER_SET)
		set_elevator(fs, k, o);
	if (o->kind == ORDER_REMOVE)
		scratch_remove_tree(k->dir, scratch_tree_name(name, sizeof(name), stage, o->serial));
}

/* Signals stay blocked, as in the stage; a session of its own keeps it apart from whatever is sent to the stage's group. It lets go
 * of the stage's descriptors: the dashboard takes their end for the stage's death. Without /proc and /sys it still removes trees. */
static _Noreturn void keeper_main(struct keeper *k, int socket, pid_t stage)
{
	const int kept[] = {socket, k->dir};
	bool workers_left = true;
	struct procfs fs;
	struct order o;
	ssize_t n;

	descriptors_keep(kept, 2);
	setsid();
	title_set("nl-keeper");
	k->socket = socket;
	procfs_open(&fs, NULL, NULL);
	settle(&fs, k);
	while ((n = recv(socket, &o, sizeof(o), 0)) > 0 || (n < 0 && errno == EINTR)) {
		if (n != sizeof(o))
			continue;
		obey(&fs, k, &o, stage);
		workers_left &= o.kind != ORDER_LAST;
	}
	put_back(&fs, k, stage, workers_left);
	_exit(0);
}

int keeper_start(struct keeper *k)
{
	pid_t stage = getpid(), pid;
	int pair[2];

	k->needed = true;
	if (k->pid)
		return 0;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	pid = fork();
	if (pid == 0)
		keeper_main(k, pair[1], stage);
	close(pair[1]);
	if (pid < 0) {
		int rc = -errno;
		close(pair[0]);
		return rc;
	}
	k->pid = pid;
	k->socket = pair[0];
	return 0;
}

static int send_order(struct keeper *k, const struct order *o)
{
	int rc = keeper_start(k);

	if (rc < 0)
		return rc;
	return send(k->socket, o, sizeof(*o), MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? -errno : 0;
}

int keeper_set_elevator(struct keeper *k, const char *device, const char *elevator)
{
	struct order o = {.kind = ORDER_SET};
	int rc;

	snprintf(o.device, sizeof(o.device), "%s", device);
	snprintf(o.elevator, sizeof(o.elevator), "%s", elevator);
	rc = send_order(k, &o);
	k->unanswered += rc == 0;
	return rc;
}

void keeper_flush(struct keeper *k)
{
	while (k->ntrees) {
		struct order o = {.kind = ORDER_REMOVE, .serial = k->trees[k->ntrees - 1]};
		if (send_order(k, &o) < 0)
			return;
		k->ntrees--;
	}
}

/* Of more than there is room for, the end will take care. */
void keeper_remove(struct keeper *k, unsigned serial)
{
	if (k->ntrees < KEEPER_TREES)
		k->trees[k->ntrees++] = serial;
	keeper_flush(k);
}

short keeper_events(const struct keeper *k)
{
	return k->ntrees ? POLLIN | POLLOUT : POLLIN;
}

static void remember(struct keeper *k, const struct keeper_elevator *noted)
{
	struct keeper_elevator *e = find_elevator(k, noted->device);

	if (!noted->device[0])
		return;
	if (!e)
		e = find_elevator(k, "");
	if (e)
		*e = *noted;
}

bool keeper_receive(struct keeper *k, struct keeper_answer *answer)
{
	while (k->pid && recv(k->socket, answer, sizeof(*answer), MSG_DONTWAIT) == sizeof(*answer)) {
		remember(k, &answer->elevator);
		if (!answer->over)
			continue;
		k->unanswered--;
		return true;
	}
	return false;
}

unsigned keeper_died(struct keeper *k)
{
	unsigned lost = k->unanswered;

	close(k->socket);
	k->socket = -1;
	k->pid = 0;
	k->unanswered = 0;
	keeper_start(k);
	return lost;
}

/* Lets it put everything back and end. Whether it did: somebody may have killed it. */
static bool dismiss(struct keeper *k)
{
	int status = 0;

	send_order(k, &(struct order){.kind = ORDER_LAST});
	close(k->socket);
	k->socket = -1;
	kill(k->pid, SIGCONT); /* somebody may have stopped it */
	while (waitpid(k->pid, &status, 0) < 0 && errno == EINTR)
		;
	k->pid = 0;
	return WIFEXITED(status);
}

void keeper_finish(struct keeper *k)
{
	for (int i = 0; k->needed && i < FINISH_TRIES && keeper_start(k) == 0; i++)
		if (dismiss(k))
			return;
}
