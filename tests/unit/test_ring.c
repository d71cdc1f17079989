/* The ring, alone and between two threads (under ThreadSanitizer in CI: it cannot see across processes). */
#include "stats/ring.h"
#include "test.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static struct ring *new_ring(void)
{
	struct ring *r = aligned_alloc(64, sizeof(*r));

	assert_non_null(r);
	memset(r, 0, sizeof(*r));
	return r;
}

static void records_come_out_in_order(void **state)
{
	struct ring *r = new_ring();
	struct ring_record out[8];

	(void)state;
	assert_int_equal(ring_read(r, out, 8), 0);
	for (uint64_t i = 1; i <= 5; i++)
		assert_true(ring_push(r, i, i * 10));
	assert_int_equal(ring_read(r, out, 3), 3);
	assert_int_equal(ring_read(r, out + 3, 5), 2);
	for (uint64_t i = 0; i < 5; i++) {
		assert_int_equal(out[i].end_ns, i + 1);
		assert_int_equal(out[i].latency_ns, (i + 1) * 10);
	}
	free(r);
}

static void a_full_ring_drops_and_counts(void **state)
{
	struct ring *r = new_ring();
	struct ring_record *out = calloc(RING_SLOTS, sizeof(*out));

	(void)state;
	for (uint64_t i = 0; i < RING_SLOTS; i++)
		assert_true(ring_push(r, i, 1));
	assert_false(ring_push(r, 7, 1));
	assert_false(ring_push(r, 7, 1));
	assert_int_equal(ring_dropped(r), 2);
	assert_int_equal(ring_read(r, out, RING_SLOTS), RING_SLOTS);
	assert_int_equal(out[RING_SLOTS - 1].end_ns, RING_SLOTS - 1);
	assert_true(ring_push(r, 8, 1));
	assert_int_equal(ring_read(r, out, 1), 1);
	assert_int_equal(out[0].end_ns, 8);
	free(out);
	free(r);
}

static void reading_goes_on_over_the_seam(void **state)
{
	struct ring *r = new_ring();
	struct ring_record out[100];
	uint64_t next = 0, pushed = 0;

	(void)state;
	for (int round = 0; round < 200; round++) {
		for (int i = 0; i < 90; i++)
			assert_true(ring_push(r, pushed++, 0));
		size_t n = ring_read(r, out, 100);
		assert_int_equal(n, 90);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(out[i].end_ns, next++);
	}
	free(r);
}

static void a_corrupted_tail_reads_as_empty(void **state)
{
	struct ring *r = new_ring();
	struct ring_record out[4];

	(void)state;
	atomic_store(&r->tail, UINT64_MAX / 2);
	assert_int_equal(ring_read(r, out, 4), 0);
	assert_int_equal(ring_read(r, out, 4), 0);
	free(r);
}

#define STREAM 300000u

static void *produce(void *arg)
{
	struct ring *r = arg;

	for (uint64_t i = 0; i < STREAM;)
		if (ring_push(r, i, ~i))
			i++;
		else
			sched_yield();
	return NULL;
}

static void two_threads_lose_and_mix_nothing(void **state)
{
	struct ring *r = new_ring();
	struct ring_record out[64];
	uint64_t next = 0;
	pthread_t t;

	(void)state;
	assert_int_equal(pthread_create(&t, NULL, produce, r), 0);
	while (next < STREAM) {
		size_t n = ring_read(r, out, 64);
		for (size_t i = 0; i < n; i++, next++) {
			assert_int_equal(out[i].end_ns, next);
			assert_int_equal(out[i].latency_ns, ~next);
		}
		if (n == 0)
			sched_yield();
	}
	pthread_join(t, NULL);
	free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_come_out_in_order),
		cmocka_unit_test(a_full_ring_drops_and_counts),
		cmocka_unit_test(reading_goes_on_over_the_seam),
		cmocka_unit_test(a_corrupted_tail_reads_as_empty),
		cmocka_unit_test(two_threads_lose_and_mix_nothing),
	};

	return cmocka_run_group_tests_name("ring", tests, NULL, NULL);
}
