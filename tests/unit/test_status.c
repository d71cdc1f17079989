/* The status of an asked priority, and the shares of a thread over time. */
#include "sample/task.h"
#include "verdict/status.h"
#include "test.h"

#include <errno.h>

static void each_status_has_its_case(void **state)
{
	static const struct {
		struct attempt a;
		struct observation now;
		enum status want;
	} cases[] = {
		{{0}, {.known = true}, STATUS_NONE},
		{{.asked = true, .wanted = 5}, {.known = true, .actual = 0}, STATUS_PENDING},
		{{.asked = true, .sent = true, .read = true, .wanted = 5, .stored = 5},
		 {.known = false},
		 STATUS_UNKNOWN},
		{{.asked = true, .sent = true, .read = true, .wanted = 5, .stored = 5},
		 {.known = true, .actual = 5, .equal = true},
		 STATUS_APPLIED},
		/* A refused call whose wish holds all the same has applied. */
		{{.asked = true, .sent = true, .read = true, .wanted = 5, .error = EPERM, .stored = 0},
		 {.known = true, .actual = 5, .equal = true},
		 STATUS_APPLIED},
		{{.asked = true, .sent = true, .read = true, .wanted = -5, .error = EACCES},
		 {.known = true, .actual = 0},
		 STATUS_DENIED},
		{{.asked = true, .sent = true, .read = true, .wanted = 5, .stored = 5},
		 {.known = true, .actual = 10},
		 STATUS_REVERTED},
		{{.asked = true, .sent = false, .read = true, .wanted = 5, .stored = 0},
		 {.known = true, .actual = 0},
		 STATUS_PARTIAL},
		/* Another tool changed a thread that our call never named and that never had the value. */
		{{.asked = true, .sent = false, .read = true, .wanted = 5, .stored = 0},
		 {.known = true, .actual = 3},
		 STATUS_PARTIAL},
		/* It inherited the value, then lost it. */
		{{.asked = true, .read = true, .held = true, .wanted = 5, .stored = 5},
		 {.known = true, .actual = 3},
		 STATUS_REVERTED},
		/* What is refused stays refused where it cannot be read either. */
		{{.asked = true, .sent = true, .wanted = 5, .error = EPERM}, {.known = false}, STATUS_DENIED},
		{{.asked = true, .sent = true, .wanted = 5}, {.known = false}, STATUS_UNKNOWN},
		{{.asked = true, .sent = true, .read = true, .wanted = 25, .stored = 19},
		 {.known = true, .actual = 19},
		 STATUS_CLAMPED},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		if (status_judge(&cases[i].a, &cases[i].now) != cases[i].want)
			fail_msg("case %zu: got %s, want %s", i,
				 status_word(status_judge(&cases[i].a, &cases[i].now)),
				 status_word(cases[i].want));
}

static void the_worse_status_wins(void **state)
{
	(void)state;
	assert_int_equal(status_worse(STATUS_APPLIED, STATUS_PARTIAL), STATUS_PARTIAL);
	assert_int_equal(status_worse(STATUS_DENIED, STATUS_REVERTED), STATUS_DENIED);
	for (int s = 0; s < STATUS_COUNT; s++)
		assert_true(status_word((enum status)s)[0] != '\0');
}

#define MS UINT64_C(1000000)

static struct task_reading reading(uint64_t at_ms, uint64_t run_ms, uint64_t wait_ms, char state)
{
	return (struct task_reading){.at = at_ms * MS,
				     .stat = {.start = 5, .state = state},
				     .times_known = true,
				     .times = {.run_ns = run_ms * MS, .wait_ns = wait_ms * MS, .slices = 1}};
}

static void feed(struct sample_task *s, uint64_t at_ms, uint64_t run_ms, uint64_t wait_ms, char state)
{
	struct task_reading r = reading(at_ms, run_ms, wait_ms, state);

	sample_task_update(s, &r);
}

static void shares_need_two_seconds(void **state)
{
	struct sample_task s = {0};

	(void)state;
	for (uint64_t t = 0; t < 2000; t += 100) {
		feed(&s, 10000 + t, t / 4, t / 2, 'S');
		assert_false(sample_task_shares(&s).known);
	}
	feed(&s, 12000, 500, 1000, 'S');
	assert_true(sample_task_shares(&s).known);
	assert_float_equal(sample_task_shares(&s).run, 0.25, 1e-9);
	assert_float_equal(sample_task_shares(&s).wait, 0.5, 1e-9);
	assert_float_equal(sample_task_shares(&s).sleep, 0.25, 1e-9);
}

static void shares_look_back_three_seconds(void **state)
{
	struct sample_task s = {0};
	uint64_t run = 0;

	(void)state;
	for (uint64_t t = 0; t <= 10000; t += 100) {
		feed(&s, t + 1, run, 0, 'S');
		run += t >= 6000 ? 100 : 0;
	}
	assert_float_equal(sample_task_shares(&s).run, 1, 1e-9);
}

/* A starved thread: it ran last at 1 s and has waited since; the wait clock stands still meanwhile. */
static void a_wait_that_no_clock_shows_yet_is_no_sleep(void **state)
{
	struct sample_task s = {0};

	(void)state;
	feed(&s, 1, 0, 0, 'R');
	for (uint64_t t = 100; t <= 3000; t += 100)
		feed(&s, t, t < 1000 ? t / 10 : 100, t < 1000 ? t - t / 10 : 900, 'R');
	assert_true(sample_task_shares(&s).known);
	assert_true(sample_task_shares(&s).sleep < 0.04);
	assert_true(sample_task_shares(&s).wait > 0.92);
	/* The same clocks in a thread that sleeps are sleep. */
	feed(&s, 3001, 100, 900, 'S');
	assert_true(sample_task_shares(&s).sleep > 0.6);
}

static void another_start_time_begins_anew(void **state)
{
	struct sample_task s = {0};
	struct task_reading r = reading(9000, 1, 1, 'R');

	(void)state;
	for (uint64_t t = 0; t <= 4000; t += 100)
		feed(&s, 1000 + t, t, 0, 'R');
	assert_true(sample_task_shares(&s).known);
	r.stat.start = 6;
	sample_task_update(&s, &r);
	assert_false(sample_task_shares(&s).known);
}

static void unknown_clocks_are_unknown_shares(void **state)
{
	struct sample_task s = {0};
	struct task_reading r;

	(void)state;
	for (uint64_t t = 0; t <= 4000; t += 100) {
		r = reading(t, 0, 0, 'R');
		r.times_known = false;
		sample_task_update(&s, &r);
	}
	assert_false(sample_task_shares(&s).known);
	sample_task_restart(&s);
	assert_false(sample_task_shares(&s).known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_status_has_its_case),
		cmocka_unit_test(the_worse_status_wins),
		cmocka_unit_test(shares_need_two_seconds),
		cmocka_unit_test(shares_look_back_three_seconds),
		cmocka_unit_test(a_wait_that_no_clock_shows_yet_is_no_sleep),
		cmocka_unit_test(another_start_time_begins_anew),
		cmocka_unit_test(unknown_clocks_are_unknown_shares),
	};

	return cmocka_run_group_tests_name("status", tests, NULL, NULL);
}
