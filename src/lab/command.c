/* The queue of commands into the engine, with an eventfd so that the engine can wait for it in its one poll. */
#include "lab/command.h"
#include "base/clock.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct command_queue {
	pthread_mutex_t lock;
	int event;
	size_t head, tail; /* under lock */
	struct command commands[COMMAND_QUEUE];
};

struct command_queue *command_queue_new(void)
{
	struct command_queue *q = calloc(1, sizeof(*q));

	if (!q)
		return NULL;
	q->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (q->event < 0) {
		free(q);
		return NULL;
	}
	pthread_mutex_init(&q->lock, NULL);
	return q;
}

void command_queue_free(struct command_queue *q)
{
	if (!q)
		return;
	close(q->event);
	pthread_mutex_destroy(&q->lock);
	free(q);
}

int command_queue_fd(const struct command_queue *q)
{
	return q->event;
}

int command_queue_put(struct command_queue *q, const struct command *c)
{
	int rc = -EAGAIN;

	pthread_mutex_lock(&q->lock);
	if (q->tail - q->head < COMMAND_QUEUE) {
		struct command *slot = &q->commands[q->tail++ % COMMAND_QUEUE];
		*slot = *c;
		if (!slot->issued_ns)
			slot->issued_ns = clock_now();
		rc = 0;
	}
	pthread_mutex_unlock(&q->lock);
	if (rc == 0)
		eventfd_write(q->event, 1);
	return rc;
}

bool command_queue_take(struct command_queue *q, struct command *c)
{
	bool got = false;

	pthread_mutex_lock(&q->lock);
	if (q->head != q->tail) {
		*c = q->commands[q->head++ % COMMAND_QUEUE];
		got = true;
	} else {
		eventfd_t n;
		eventfd_read(q->event, &n);
	}
	pthread_mutex_unlock(&q->lock);
	return got;
}
