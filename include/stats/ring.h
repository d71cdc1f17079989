/* Single-producer single-consumer ring of latency records, made to live in memory shared between processes.
 *
 * Who writes what: `head` is written by the consumer only, `tail`, `dropped` and `seen_head` by the producer only; each
 * side's words have a cache line of their own. A full ring drops the record and counts it: the producer never waits.
 * A ring of zero bytes is empty and ready: fresh shared memory needs no step to become one.
 * head and tail count records since the start and never wrap in practice (2^64); slot = count modulo RING_SLOTS. */
#ifndef NICELAB_STATS_RING_H
#define NICELAB_STATS_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RING_SLOTS 4096u
_Static_assert((RING_SLOTS & (RING_SLOTS - 1)) == 0, "a power of two, so that the modulo is a mask");
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2,
	       "the ring is shared between processes: its atomics must be lock-free");

struct ring_record {
	uint64_t end_ns; /* CLOCK_MONOTONIC at the end of the piece of work */
	uint64_t latency_ns; /* how long it took */
};

struct ring {
	_Alignas(64) _Atomic uint64_t head;
	_Alignas(64) _Atomic uint64_t tail;
	_Atomic uint64_t dropped;
	uint64_t seen_head; /* the producer's last look at head */
	_Alignas(64) struct ring_record slots[RING_SLOTS];
};

/* Producer only. False when the ring is full: the record is lost and counted in dropped. */
static inline bool ring_push(struct ring *ring, uint64_t end_ns, uint64_t latency_ns)
{
	uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);

	if (tail - ring->seen_head >= RING_SLOTS) {
		/* Pairs with the release store in ring_read: the slots were copied out before. */
		ring->seen_head = atomic_load_explicit(&ring->head, memory_order_acquire);
		if (tail - ring->seen_head >= RING_SLOTS) {
			atomic_fetch_add_explicit(&ring->dropped, 1, memory_order_relaxed);
			return false;
		}
	}
	ring->slots[tail & (RING_SLOTS - 1)] = (struct ring_record){end_ns, latency_ns};
	/* Pairs with the acquire load in ring_read: the record is written before it is counted. */
	atomic_store_explicit(&ring->tail, tail + 1, memory_order_release);
	return true;
}

/* Consumer only. Copies up to max of the oldest records into out and frees their slots. Returns how many.
 * A tail that no producer of ours can have written (a corrupted worker) is answered with an empty ring. */
size_t ring_read(struct ring *ring, struct ring_record *out, size_t max);

/* Records lost since ring_init. Any side. */
uint64_t ring_dropped(struct ring *ring);

#endif
