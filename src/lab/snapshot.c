/* Publishing snapshots: three buffers, so that neither side ever waits for the other longer than a pointer swap. */
#include "lab/snapshot.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define BUFFERS 3
#define NOBODY (-1)

struct snapshot_store {
	pthread_mutex_t lock;
	int event;
	int published, held; /* under lock: indices or NOBODY */
	int filling; /* publisher only */
	struct snapshot buffers[BUFFERS];
};

int snapshot_reserve(struct snapshot *s, size_t n)
{
	struct snapshot_thread *bigger;
	size_t room = s->threads_room ? s->threads_room : 16;

	if (n <= s->threads_room)
		return 0;
	while (room < n)
		room *= 2;
	bigger = realloc(s->threads, room * sizeof(*bigger));
	if (!bigger)
		return -ENOMEM;
	s->threads = bigger;
	s->threads_room = room;
	return 0;
}

void snapshot_release(struct snapshot *s)
{
	free(s->threads);
	s->threads = NULL;
	s->threads_room = 0;
}

struct snapshot_store *snapshot_store_new(void)
{
	struct snapshot_store *st = calloc(1, sizeof(*st));

	if (!st)
		return NULL;
	st->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (st->event < 0) {
		free(st);
		return NULL;
	}
	st->published = st->held = st->filling = NOBODY;
	pthread_mutex_init(&st->lock, NULL);
	return st;
}

void snapshot_store_free(struct snapshot_store *st)
{
	if (!st)
		return;
	for (int i = 0; i < BUFFERS; i++)
		snapshot_release(&st->buffers[i]);
	close(st->event);
	pthread_mutex_destroy(&st->lock);
	free(st);
}

struct snapshot *snapshot_begin(struct snapshot_store *st)
{
	pthread_mutex_lock(&st->lock);
	st->filling = 0;
	while (st->filling == st->published || st->filling == st->held)
		st->filling++;
	pthread_mutex_unlock(&st->lock);
	return &st->buffers[st->filling];
}

void snapshot_publish(struct snapshot_store *st)
{
	pthread_mutex_lock(&st->lock);
	st->published = st->filling;
	pthread_mutex_unlock(&st->lock);
	eventfd_write(st->event, 1);
}

const struct snapshot *snapshot_latest(struct snapshot_store *st)
{
	eventfd_t n;

	eventfd_read(st->event, &n);
	pthread_mutex_lock(&st->lock);
	st->held = st->published;
	pthread_mutex_unlock(&st->lock);
	return st->held == NOBODY ? NULL : &st->buffers[st->held];
}

int snapshot_fd(const struct snapshot_store *st)
{
	return st->event;
}

int snapshot_group_of(const struct snapshot *s, bool is_victim)
{
	for (size_t i = 0; i < s->ngroups; i++)
		if (s->groups[i].is_victim == is_victim)
			return (int)i;
	return -1;
}

char *snapshot_thread_name(char *buf, size_t size, const struct snapshot *s, const struct snapshot_thread *t)
{
	const char *role = s->groups[t->group].is_victim ? "victim" : "hog";

	if (!s->groups[t->group].is_victim && t->tid == t->pid)
		snprintf(buf, size, "%s-%u", role, t->ordinal);
	else if (t->tid == t->pid)
		snprintf(buf, size, "%s", role);
	else if (t->index && !s->groups[t->group].is_victim)
		snprintf(buf, size, "%s-%u/%u", role, t->ordinal, t->index);
	else if (t->index)
		snprintf(buf, size, "%s/%u", role, t->index);
	else
		snprintf(buf, size, "%s/?", role);
	return buf;
}
