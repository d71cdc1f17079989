/* Workers that come and go in quick succession, by the hundred: what was asked while they were on their way must hold in
 * the end. Each of these has failed once. */
#include "base/clock.h"
#include "pause.h"
#include "kernel/priority.h"
#include "labrun.h"
#include "test.h"

#include <unistd.h>

#define PATIENCE (2 * LABRUN_PATIENCE)
#define MANY 200u

static void the_count_may_fall_while_hogs_are_starting(void **state)
{
	struct lab *lab = labrun_start_running(0);
	const struct snapshot *s;

	(void)state;
	labrun_set(lab, HOGS, KNOB_COUNT, 30);
	labrun_send(lab, COMMAND_END_HOGS);
	s = labrun_sleep(lab, 1.5);
	assert_int_equal(s->groups[HOGS].running, 0);
	assert_int_equal(labrun_count_workers(), 2); /* stage and victim */
	lab_stop(lab);
}

struct hogs_in_state {
	unsigned count;
	bool stopped;
};

static bool all_are(const struct snapshot *s, const void *arg)
{
	const struct hogs_in_state *want = arg;
	unsigned n = 0;

	for (size_t i = 0; i < s->nthreads; i++)
		n += s->threads[i].group == HOGS && s->threads[i].tid == s->threads[i].pid &&
		     (s->threads[i].state == 'T') == want->stopped;
	return s->groups[HOGS].running == want->count && n == want->count;
}

static void hogs_that_start_during_a_pause_are_paused(void **state)
{
	struct lab *lab = labrun_start_running(2);
	struct hogs_in_state stopped = {MANY, true}, going = {MANY, false};

	(void)state;
	labrun_send(lab, COMMAND_PAUSE);
	labrun_set(lab, HOGS, KNOB_COUNT, MANY);
	assert_non_null(labrun_wait(lab, all_are, &stopped, PATIENCE));
	labrun_send(lab, COMMAND_PAUSE);
	assert_non_null(labrun_wait(lab, all_are, &going, PATIENCE));
	lab_stop(lab);
}

static bool pids_are_new(const struct snapshot *s, const void *arg)
{
	const pid_t *last = arg;

	for (size_t i = 0; i < s->nthreads; i++)
		if (s->threads[i].pid <= *last)
			return false;
	return s->groups[HOGS].running == MANY;
}

static void a_respawn_brings_all_of_them_back(void **state)
{
	struct lab *lab = labrun_start_running(MANY);
	const struct snapshot *s = labrun_sleep(lab, 0.2);
	pid_t last = 0;

	(void)state;
	for (size_t i = 0; i < s->nthreads; i++)
		last = s->threads[i].pid > last ? s->threads[i].pid : last;
	labrun_send(lab, COMMAND_RESPAWN);
	assert_non_null(labrun_wait(lab, pids_are_new, &last, PATIENCE));
	lab_stop(lab);
}

static bool nothing_but_own_sessions(const struct snapshot *s, const void *arg)
{
	(void)arg;
	for (size_t i = 0; i < s->nthreads; i++)
		if (s->threads[i].group == HOGS && getsid(s->threads[i].pid) != s->threads[i].pid)
			return false;
	return s->groups[HOGS].running == 10 && s->nthreads >= 12;
}

static bool nothing_but_one_cpu(const struct snapshot *s, const void *arg)
{
	struct cpulist cpus;

	(void)arg;
	for (size_t i = 0; i < s->nthreads; i++)
		if (priority_get_cpus(s->threads[i].tid, &cpus) < 0 || cpulist_count(&cpus) != 1)
			return false;
	return s->groups[HOGS].running == 10 && s->nthreads >= 12;
}

static void sessions_and_cpus_reach_hogs_on_their_way(void **state)
{
	struct lab *lab = labrun_start_running(0);

	(void)state;
	labrun_set(lab, HOGS, KNOB_COUNT, 10);
	labrun_set(lab, -1, KNOB_CPUS, CPUS_ONE);
	assert_non_null(labrun_wait(lab, nothing_but_one_cpu, NULL, PATIENCE));
	labrun_send(lab, COMMAND_END_HOGS);
	labrun_set(lab, HOGS, KNOB_COUNT, 10);
	labrun_set(lab, -1, KNOB_SESSIONS, SESSIONS_OWN);
	assert_non_null(labrun_wait(lab, nothing_but_own_sessions, NULL, PATIENCE));
	lab_stop(lab);
}

static void late_hogs_keep_what_was_asked(void **state)
{
	struct lab *lab = labrun_start_running(2);

	(void)state;
	labrun_set(lab, HOGS, KNOB_NICE_VALUE, 10);
	labrun_set(lab, HOGS, KNOB_COUNT, MANY);
	labrun_wait_nice(lab, HOGS, 10, STATUS_APPLIED, MANY);
	labrun_sleep(lab, 1);
	labrun_wait_nice(lab, HOGS, 10, STATUS_APPLIED, MANY);
	lab_stop(lab);
}

static bool six_have_both(const struct snapshot *s, const void *arg)
{
	unsigned n = 0;

	(void)arg;
	for (size_t i = 0; i < s->nthreads; i++)
		n += s->threads[i].group == VICTIM && labrun_holds(s->threads[i].ioprio_status) &&
		     labrun_holds(s->threads[i].nice_status) && s->threads[i].nice_actual == 5;
	return n >= 6;
}

static void threads_on_their_way_get_nice_and_ioprio(void **state)
{
	struct lab *lab = labrun_start_running(0);

	(void)state;
	labrun_set(lab, VICTIM, KNOB_IONICE, 2 << 13 | 7);
	labrun_set(lab, VICTIM, KNOB_THREADS, 6);
	pause_ns(30 * NS_PER_MS);
	labrun_set(lab, VICTIM, KNOB_NICE_VALUE, 5);
	assert_non_null(labrun_wait(lab, six_have_both, NULL, PATIENCE));
	lab_stop(lab);
}

static void a_suspension_is_no_latency(void **state)
{
	struct lab *lab = labrun_start_running(1);
	const struct snapshot *s;

	(void)state;
	labrun_send(lab, COMMAND_CLEAR);
	assert_int_equal(lab_freeze(lab, true), 0);
	pause_ns(3 * NS_PER_SEC);
	assert_int_equal(lab_freeze(lab, false), 0);
	s = labrun_sleep(lab, 1.2);
	assert_true(s->groups[VICTIM].latency.window.max < 2 * NS_PER_SEC);
	for (uint64_t back = 0; back < 6; back++) {
		const struct timeline_point *p =
			timeline_at(&s->groups[VICTIM].timeline, s->at / NS_PER_SEC - 1, back);
		assert_true(!p || p->in_flight == TIMELINE_UNKNOWN || p->in_flight < 2 * NS_PER_SEC);
	}
	lab_stop(lab);
}

static bool is_predicted(const struct snapshot *s, const void *arg)
{
	(void)arg;
	return s->phase == PHASE_RUNNING && s->groups[VICTIM].latency.predicted.known;
}

static void a_slow_screen_predicts_too(void **state)
{
	struct lab *lab = labrun_start_small(1);

	(void)state;
	labrun_set(lab, -1, KNOB_INTERVAL, 5000);
	assert_non_null(labrun_wait(lab, is_predicted, NULL, PATIENCE));
	lab_stop(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_count_may_fall_while_hogs_are_starting),
		cmocka_unit_test(hogs_that_start_during_a_pause_are_paused),
		cmocka_unit_test(a_respawn_brings_all_of_them_back),
		cmocka_unit_test(sessions_and_cpus_reach_hogs_on_their_way),
		cmocka_unit_test(late_hogs_keep_what_was_asked),
		cmocka_unit_test(threads_on_their_way_get_nice_and_ioprio),
		cmocka_unit_test(a_suspension_is_no_latency),
		cmocka_unit_test(a_slow_screen_predicts_too),
	};

	return cmocka_run_group_tests_name("crew", tests, NULL, NULL);
}
