/* Victim kind "work": pieces of a fixed amount of work, one after the other, in every thread; a piece's latency is the
 * time from its start to its end. Threads come and go while it runs, as the arena orders. */
#include "load/kind.h"
#include "base/clock.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CHUNKS_PER_MS 4 /* how often a piece looks up for orders, in work time */

/* A chain of multiplications that no compiler can shorten; it touches no memory, so its speed is the CPU's alone. */
static uint64_t work_rounds(uint64_t x, uint64_t rounds)
{
	for (uint64_t i = 0; i < rounds; i++) {
		x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		__asm__ volatile("" : "+r"(x));
	}
	return x;
}

void load_work_calibrate(struct arena *arena)
{
	enum { TRIES = 8 };
	const uint64_t rounds = 2000000;
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		uint64_t from = clock_thread_cpu();
		work_rounds(from, rounds);
		uint64_t took = clock_thread_cpu() - from;
		if (took && took < best)
			best = took;
	}
	atomic_store(&arena->rate, rounds * NS_PER_MS / best);
}

struct worker_thread {
	struct arena *arena;
	struct arena_victim *victim;
	unsigned index;
};

static bool is_wanted(const struct worker_thread *w)
{
	return w->index < atomic_load_explicit(&w->victim->threads, memory_order_relaxed);
}

static void spawn_missing(struct worker_thread *self);

/* One piece. False when the thread is no longer wanted: the piece is abandoned and makes no sample. */
static bool do_piece(struct worker_thread *w)
{
	struct arena_thread *slot = &w->victim->thread[w->index];
	uint64_t start = clock_now(),
		 end; /* before the orders are read: a piece of the old size began before the change */
	uint64_t rate = atomic_load_explicit(&w->arena->rate, memory_order_relaxed);
	uint64_t work_ns = atomic_load_explicit(&w->victim->work_ns, memory_order_relaxed);
	uint64_t left = (uint64_t)((double)work_ns / (double)NS_PER_MS * (double)rate);
	uint64_t chunk = rate / CHUNKS_PER_MS + 1;

	atomic_store_explicit(&slot->started_ns, start, memory_order_relaxed);
	for (uint64_t x = start; left;) {
		uint64_t now = left < chunk ? left : chunk;
		x = work_rounds(x, now);
		left -= now;
		if (!is_wanted(w))
			return false;
		if (w->index == 0)
			spawn_missing(w);
	}
	end = clock_now();
	ring_push(&slot->ring, end, end - start);
	return true;
}

static void *thread_main(void *arg)
{
	struct worker_thread *w = arg;
	struct arena_thread *slot = &w->victim->thread[w->index];
	char name[16];

	snprintf(name, sizeof(name), "nl-victim/%u", w->index + 1);
	if (w->index)
		prctl(PR_SET_NAME, name);
	atomic_store_explicit(&slot->tid, (int)syscall(SYS_gettid), memory_order_relaxed);
	atomic_fetch_add_explicit(&w->victim->alive, 1, memory_order_relaxed);
	while (do_piece(w))
		;
	atomic_store_explicit(&slot->started_ns, 0, memory_order_relaxed);
	atomic_store_explicit(&slot->tid, 0,
			      memory_order_release); /* pairs with the acquire in spawn_missing */
	atomic_fetch_sub_explicit(&w->victim->alive, 1, memory_order_relaxed);
	return NULL;
}

static void note_refused(struct arena_victim *v, unsigned missing, int error)
{
	atomic_store_explicit(&v->refused_error, error, memory_order_relaxed);
	atomic_store_explicit(&v->refused, missing, memory_order_relaxed);
}

/* Starts the thread of a slot that nobody has. 0 or the errno. */
static int spawn_thread(struct worker_thread *w)
{
	struct arena_thread *slot = &w->victim->thread[w->index];
	pthread_t t;
	int rc;

	/* -1: taken, and not there yet. Pairs with the release at the end of thread_main: the predecessor has left the ring. */
	atomic_store_explicit(&slot->tid, -1, memory_order_relaxed);
	rc = pthread_create(&t, NULL, thread_main, w);
	if (rc == 0)
		pthread_detach(t);
	else
		atomic_store_explicit(&slot->tid, 0, memory_order_relaxed);
	return rc;
}

/* The main thread starts the threads that are wanted and not there. Each slot belongs to one thread at a time. A refusal
 * is told and not tried again until another number is wanted. */
static void spawn_missing(struct worker_thread *self)
{
	static struct worker_thread threads[ARENA_THREADS];
	static unsigned refused_at;
	unsigned wanted = atomic_load_explicit(&self->victim->threads, memory_order_relaxed);

	if (refused_at && wanted != refused_at) {
		refused_at = 0;
		note_refused(self->victim, 0, 0);
	}
	if (refused_at || atomic_load_explicit(&self->victim->alive, memory_order_relaxed) >= wanted)
		return;
	for (unsigned i = 1; i < wanted; i++) {
		if (atomic_load_explicit(&self->victim->thread[i].tid, memory_order_acquire))
			continue;
		threads[i] = (struct worker_thread){self->arena, self->victim, i};
		int rc = spawn_thread(&threads[i]);
		if (rc) {
			refused_at = wanted;
			note_refused(self->victim, wanted - i, rc);
			return;
		}
	}
}

void load_work(struct arena *arena, struct arena_victim *v)
{
	struct worker_thread first = {arena, v, 0};

	thread_main(&first);
}
