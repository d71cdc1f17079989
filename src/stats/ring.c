/* The consumer's half of the ring; the producer's half is inline in the header. */
#include "stats/ring.h"

#include <string.h>

size_t ring_read(struct ring *ring, struct ring_record *out, size_t max)
{
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
	/* Pairs with the release store in ring_push. */
	uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
	uint64_t waiting = tail - head;

	if (waiting > RING_SLOTS) {
		atomic_store_explicit(&ring->head, tail, memory_order_release);
		return 0;
	}
	size_t n = waiting < max ? (size_t)waiting : max;
	size_t first = head & (RING_SLOTS - 1);
	size_t run = RING_SLOTS - first < n ? RING_SLOTS - first : n;
	memcpy(out, &ring->slots[first], run * sizeof(*out));
	memcpy(out + run, &ring->slots[0], (n - run) * sizeof(*out));
	/* Pairs with the acquire load in ring_push: the slots are ours no longer. */
	atomic_store_explicit(&ring->head, head + n, memory_order_release);
	return n;
}

uint64_t ring_dropped(struct ring *ring)
{
	return atomic_load_explicit(&ring->dropped, memory_order_relaxed);
}
