/* Victim kind "work": pieces of a fixed amount of work, one after the other, in every thread; a piece's latency is the
 * time from its start to its end. */
#include "load/threads.h"
#include "base/clock.h"

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

static bool do_piece(struct load_thread *t)
{
	const struct load *l = t->load;
	uint64_t start = threads_piece_begins(
		t); /* before the orders are read: a piece of the old size began before the change */
	uint64_t rate = atomic_load_explicit(&l->arena->rate, memory_order_relaxed);
	uint64_t work_ns = atomic_load_explicit(&l->victim->work_ns, memory_order_relaxed);
	uint64_t left = (uint64_t)((double)work_ns / (double)NS_PER_MS * (double)rate);
	uint64_t chunk = rate / CHUNKS_PER_MS + 1;

	for (uint64_t x = start; left;) {
		uint64_t now = left < chunk ? left : chunk;
		x = work_rounds(x, now);
		left -= now;
		if (!threads_is_wanted(t))
			return false;
	}
	threads_piece_ends(t, start, clock_now());
	return true;
}

void load_work(const struct load *l)
{
	threads_run(l, NULL, NULL, do_piece);
}
