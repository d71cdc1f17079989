/* The threads of a load: a victim's take and leave their slots in the arena as it orders, a hog's stay. Kinds see only their
 * pieces. */
#include "load/threads.h"
#include "base/clock.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXIT_FAULT 3

void load_fail(const struct load *l, enum arena_step step, int error)
{
	unsigned none = 0;

	atomic_compare_exchange_strong(&l->worker->fault, &none, (unsigned)step << 16 | (unsigned)error);
	atomic_store_explicit(&l->worker->state, ARENA_FAILED, memory_order_release);
	_exit(EXIT_FAULT);
}

void load_ready(const struct load *l)
{
	atomic_store_explicit(&l->worker->state, ARENA_READY, memory_order_relaxed);
}

struct team;

struct member {
	struct load_thread t; /* first: this is what a kind is given */
	struct team *team;
};

struct team {
	load_begin begin;
	load_piece piece;
	unsigned refused_at; /* the number wanted when a thread was refused; 0: none was */
	struct member members[ARENA_THREADS];
};

static struct member *member_of(struct load_thread *t)
{
	return (struct member *)t;
}

static struct arena_thread *slot_of(const struct load_thread *t)
{
	return &t->load->victim->thread[t->index];
}

unsigned threads_wanted(const struct load *load)
{
	unsigned n = load->victim ? atomic_load_explicit(&load->victim->threads, memory_order_relaxed)
				  : load->threads;

	if (n > ARENA_THREADS)
		return ARENA_THREADS;
	return n ? n : 1;
}

static void take_name(const struct load_thread *t)
{
	char process[16] = "nl-victim", name[16];

	if (t->index == 0)
		return;
	if (!t->load->victim)
		prctl(PR_GET_NAME, process); /* the main thread's: it started this one */
	snprintf(name, sizeof(name), "%.12s/%u", process, t->index + 1);
	prctl(PR_SET_NAME, name);
}

static void enter(const struct load_thread *t)
{
	struct arena_victim *v = t->load->victim;

	atomic_store_explicit(&slot_of(t)->tid, (int)syscall(SYS_gettid), memory_order_relaxed);
	atomic_fetch_add_explicit(&v->alive, 1, memory_order_relaxed);
}

static void leave(const struct load_thread *t)
{
	struct arena_thread *slot = slot_of(t);

	atomic_store_explicit(&slot->started_ns, 0, memory_order_relaxed);
	/* Pairs with the acquire in spawn_missing. */
	atomic_store_explicit(&slot->tid, 0, memory_order_release);
	atomic_fetch_sub_explicit(&t->load->victim->alive, 1, memory_order_relaxed);
}

static void *thread_main(void *arg)
{
	struct member *m = arg;

	take_name(&m->t);
	if (m->t.load->victim)
		enter(&m->t);
	if (m->team->begin)
		m->team->begin(&m->t);
	while (m->team->piece(&m->t))
		;
	if (m->t.load->victim)
		leave(&m->t);
	return NULL;
}

static void note_refused(struct arena_victim *v, unsigned missing, int error)
{
	atomic_store_explicit(&v->refused_error, error, memory_order_relaxed);
	atomic_store_explicit(&v->refused, missing, memory_order_relaxed);
}

/* 0 or the errno. */
static int start_thread(struct member *m)
{
	pthread_t t;
	int rc = pthread_create(&t, NULL, thread_main, m);

	if (rc == 0)
		pthread_detach(t);
	return rc;
}

/* Starts the thread of a slot that nobody has. 0 or the errno. */
static int spawn_thread(struct member *m)
{
	struct arena_thread *slot = slot_of(&m->t);
	int rc;

	/* -1: taken, and not there yet. Pairs with the release at the end of the one before: it has left the ring. */
	atomic_store_explicit(&slot->tid, -1, memory_order_relaxed);
	rc = start_thread(m);
	if (rc)
		atomic_store_explicit(&slot->tid, 0, memory_order_relaxed);
	return rc;
}

/* The main thread starts the threads that are wanted and not there. Each slot belongs to one thread at a time. A refusal
 * is told and not tried again until another number is wanted. */
static void spawn_missing(struct team *team)
{
	struct arena_victim *v = team->members[0].t.load->victim;
	unsigned wanted = threads_wanted(team->members[0].t.load);

	if (team->refused_at && wanted != team->refused_at) {
		team->refused_at = 0;
		note_refused(v, 0, 0);
	}
	if (team->refused_at || atomic_load_explicit(&v->alive, memory_order_relaxed) >= wanted)
		return;
	for (unsigned i = 1; i < wanted; i++) {
		if (atomic_load_explicit(&v->thread[i].tid, memory_order_acquire))
			continue;
		int rc = spawn_thread(&team->members[i]);
		if (rc) {
			team->refused_at = wanted;
			note_refused(v, wanted - i, rc);
			return;
		}
	}
}

static void start_hogs(struct team *team, const struct load *load)
{
	for (unsigned i = 1; i < threads_wanted(load); i++) {
		int rc = start_thread(&team->members[i]);
		if (rc)
			load_fail(load, STEP_THREAD, rc);
	}
}

void threads_run(const struct load *load, const void *shared, load_begin begin, load_piece piece)
{
	static struct team team; /* the other threads may outlive this call */

	team.begin = begin;
	team.piece = piece;
	for (unsigned i = 0; i < ARENA_THREADS; i++)
		team.members[i] =
			(struct member){{.load = load, .index = i, .shared = shared}, .team = &team};
	if (!load->victim)
		start_hogs(&team, load);
	thread_main(&team.members[0]);
}

bool threads_is_wanted(struct load_thread *t)
{
	const struct arena_victim *v = t->load->victim;

	if (!v)
		return true;
	if (t->index >= atomic_load_explicit(&v->threads, memory_order_relaxed))
		return false;
	if (t->index == 0)
		spawn_missing(member_of(t)->team);
	return true;
}

uint64_t threads_piece_begins(struct load_thread *t)
{
	uint64_t now = clock_now();

	if (t->load->victim)
		atomic_store_explicit(&slot_of(t)->started_ns, now, memory_order_relaxed);
	return now;
}

void threads_piece_ends(struct load_thread *t, uint64_t start, uint64_t end)
{
	if (t->load->victim)
		ring_push(&slot_of(t)->ring, end, end - start);
}

void threads_piece_pauses(struct load_thread *t)
{
	if (t->load->victim)
		atomic_store_explicit(&slot_of(t)->started_ns, 0, memory_order_relaxed);
}
