/* Knobs, the command queue, the snapshot store. */
#include "lab/command.h"
#include "lab/knobs.h"
#include "lab/snapshot.h"
#include "test.h"

#include <errno.h>
#include <poll.h>

static long walk(enum knob k, long v, int delta, int steps)
{
	while (steps-- > 0)
		v = knob_step(k, v, delta);
	return v;
}

static void steps_stay_in_range(void **state)
{
	(void)state;
	for (int k = 0; k < KNOB_TOTAL; k++) {
		long v = knob_info((enum knob)k)->initial;
		for (int i = 0; i < 2000; i++) {
			v = knob_step((enum knob)k, v, i < 1200 ? 1 : -1);
			assert_true(knob_accepts((enum knob)k, v));
			assert_true(knob_position((enum knob)k, v) <= 1);
		}
	}
	assert_int_equal(walk(KNOB_NICE_VALUE, 0, 1, 50), 19);
	assert_int_equal(walk(KNOB_NICE_VALUE, 0, -1, 50), -20);
	assert_int_equal(knob_step(KNOB_NICE_VALUE, 25, -1), 19);
	assert_int_equal(walk(KNOB_COUNT, 2, -1, 5), 0);
	assert_int_equal(walk(KNOB_WORK, 10, 1, 3), 100);
	assert_int_equal(walk(KNOB_WORK, 10, -1, 3), 1);
	assert_int_equal(knob_step(KNOB_WINDOW, 7, -1), 5);
	assert_int_equal(walk(KNOB_SCOPE, SCOPE_THREADS, 1, 2), SCOPE_THREADS);
}

static void the_ionice_slider_starts_unasked_and_does_not_go_back(void **state)
{
	char buf[16];

	(void)state;
	assert_int_equal(knob_step(KNOB_IONICE, KNOB_UNASKED, -1), KNOB_UNASKED);
	assert_int_equal(knob_step(KNOB_IONICE, KNOB_UNASKED, 1), 0);
	assert_int_equal(knob_step(KNOB_IONICE, 0, -1), 0);
	assert_string_equal(knob_format(buf, sizeof(buf), KNOB_IONICE, walk(KNOB_IONICE, 0, 1, 9)), "be/0");
	assert_string_equal(knob_format(buf, sizeof(buf), KNOB_IONICE, walk(KNOB_IONICE, 0, 1, 99)), "idle");
	assert_string_equal(knob_format(buf, sizeof(buf), KNOB_IONICE, KNOB_UNASKED), "-");
	assert_false(knob_accepts(KNOB_IONICE, 12345));
}

static void values_are_typed_and_shown(void **state)
{
	char buf[64];
	long v = -99;

	(void)state;
	assert_int_equal(knob_parse(KNOB_NICE_VALUE, "-20", &v), 0);
	assert_int_equal(v, -20);
	assert_int_equal(knob_parse(KNOB_NICE_VALUE, "25", &v), 0); /* asked for real: the kernel answers */
	assert_int_equal(knob_parse(KNOB_NICE_VALUE, "41", &v), -ERANGE);
	assert_int_equal(knob_parse(KNOB_COUNT, "1025", &v), -ERANGE);
	assert_int_equal(knob_parse(KNOB_COUNT, "x", &v), -EINVAL);
	assert_int_equal(knob_parse(KNOB_IONICE, "be:9", &v), -ERANGE);
	assert_int_equal(knob_parse(KNOB_SCOPE, "process", &v), 0);
	assert_int_equal(v, SCOPE_PROCESS);
	assert_int_equal(knob_parse(KNOB_SCOPE, "threads", &v), 0);
	assert_int_equal(v, SCOPE_THREADS);
	assert_int_equal(knob_parse(KNOB_SESSIONS, "own", &v), 0);
	assert_int_equal(v, SESSIONS_OWN);
	assert_int_equal(knob_parse(KNOB_SESSIONS, "mine", &v), -EINVAL);
	assert_int_equal(knob_parse(KNOB_SESSIONS, "", &v), -EINVAL);
	assert_string_equal(knob_format(buf, sizeof(buf), KNOB_WORK, 10), "10 ms");
	assert_string_equal(knob_format(buf, sizeof(buf), KNOB_SCOPE, 1), "main only");
	assert_string_equal(knob_limits(buf, sizeof(buf), KNOB_WINDOW), "1 to 300 s");
	assert_string_equal(knob_limits(buf, sizeof(buf), KNOB_SESSIONS), "shared or own");
}

static void a_full_queue_refuses_and_keeps_order(void **state)
{
	struct command_queue *q = command_queue_new();
	struct pollfd p = {.events = POLLIN};
	struct command c = {0};

	(void)state;
	assert_non_null(q);
	p.fd = command_queue_fd(q);
	assert_int_equal(poll(&p, 1, 0), 0);
	for (int i = 0; i < COMMAND_QUEUE; i++) {
		c.value = i;
		assert_int_equal(command_queue_put(q, &c), 0);
	}
	assert_int_equal(command_queue_put(q, &c), -EAGAIN);
	assert_int_equal(poll(&p, 1, 0), 1);
	for (int i = 0; i < COMMAND_QUEUE; i++) {
		assert_true(command_queue_take(q, &c));
		assert_int_equal(c.value, i);
		assert_true(c.issued_ns > 0);
	}
	assert_false(command_queue_take(q, &c));
	assert_int_equal(poll(&p, 1, 0), 0);
	command_queue_free(q);
	command_queue_free(NULL);
}

static void a_snapshot_stays_while_it_is_held(void **state)
{
	struct snapshot_store *st = snapshot_store_new();
	const struct snapshot *held;

	(void)state;
	assert_non_null(st);
	assert_null(snapshot_latest(st));
	snapshot_begin(st)->number = 1;
	snapshot_publish(st);
	held = snapshot_latest(st);
	assert_int_equal(held->number, 1);
	for (uint64_t i = 2; i < 20; i++) {
		struct snapshot *s = snapshot_begin(st);
		assert_ptr_not_equal(s, held);
		assert_int_equal(snapshot_reserve(s, i * 10), 0);
		s->number = i;
		snapshot_publish(st);
		assert_int_equal(held->number, 1);
	}
	assert_int_equal(snapshot_latest(st)->number, 19);
	snapshot_store_free(st);
	snapshot_store_free(NULL);
}

static void threads_are_called_by_their_role(void **state)
{
	static struct snapshot s;
	struct snapshot_thread t = {.group = 0, .ordinal = 3, .pid = 7, .tid = 7};
	char buf[32];

	(void)state;
	s.ngroups = 2;
	s.groups[1].is_victim = true;
	assert_int_equal(snapshot_group_of(&s, true), 1);
	assert_int_equal(snapshot_group_of(&s, false), 0);
	assert_string_equal(snapshot_thread_name(buf, sizeof(buf), &s, &t), "hog-3");
	t.group = 1;
	assert_string_equal(snapshot_thread_name(buf, sizeof(buf), &s, &t), "victim");
	t.tid = 8;
	assert_string_equal(snapshot_thread_name(buf, sizeof(buf), &s, &t), "victim/?");
	t.index = 2;
	assert_string_equal(snapshot_thread_name(buf, sizeof(buf), &s, &t), "victim/2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_stay_in_range),
		cmocka_unit_test(the_ionice_slider_starts_unasked_and_does_not_go_back),
		cmocka_unit_test(values_are_typed_and_shown),
		cmocka_unit_test(a_full_queue_refuses_and_keeps_order),
		cmocka_unit_test(a_snapshot_stays_while_it_is_held),
		cmocka_unit_test(threads_are_called_by_their_role),
	};

	return cmocka_run_group_tests_name("knobs", tests, NULL, NULL);
}
