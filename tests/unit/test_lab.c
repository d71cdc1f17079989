/* The lab for real: workers are forked, priorities set and read back from the kernel. No timing is asserted here, only
 * what must become true. Also run under ThreadSanitizer, whose own threads show up in the workers: counts of threads are
 * lower bounds. */
#include "base/clock.h"
#include "pause.h"
#include "kernel/priority.h"
#include "labrun.h"
#include "load/stage.h"
#include "test.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE LABRUN_PATIENCE

static void a_lab_starts_measures_and_leaves_nothing(void **state)
{
	struct lab *lab = labrun_start_running(2);
	const struct snapshot *s = labrun_sleep(lab, 0.5);

	(void)state;
	assert_non_null(s);
	assert_true(s->groups[VICTIM].latency.baseline_known);
	assert_true(s->groups[VICTIM].latency.baseline_p50 > 500 * NS_PER_US);
	assert_int_equal(labrun_count_workers(), 4); /* stage, victim, 2 hogs */
	lab_stop(lab);
	assert_int_equal(labrun_count_workers(), 0);
	lab_stop(NULL);
}

static void hogs_come_and_go(void **state)
{
	struct lab *lab = labrun_start_running(1);
	unsigned many = 20, none = 0, two = 2;

	(void)state;
	labrun_set(lab, HOGS, KNOB_COUNT, 20);
	assert_non_null(labrun_wait(lab, labrun_hogs_are, &many, PATIENCE));
	labrun_set(lab, HOGS, KNOB_COUNT, 2);
	assert_non_null(labrun_wait(lab, labrun_hogs_are, &two, PATIENCE));
	labrun_send(lab, COMMAND_END_HOGS);
	assert_non_null(labrun_wait(lab, labrun_hogs_are, &none, PATIENCE));
	lab_stop(lab);
}

static void a_nice_reaches_every_thread(void **state)
{
	int own = priority_own_nice();
	struct lab *lab = labrun_start_running(3);

	(void)state;
	labrun_wait_nice(lab, VICTIM, own, STATUS_APPLIED, 2);
	labrun_set(lab, VICTIM, KNOB_NICE_VALUE, 19);
	labrun_wait_nice(lab, VICTIM, 19, STATUS_APPLIED, 2);
	labrun_set(lab, HOGS, KNOB_NICE_VALUE, 7);
	labrun_wait_nice(lab, HOGS, 7, STATUS_APPLIED, 3);
	/* Threads and hogs that are born later are asked too. */
	labrun_set(lab, VICTIM, KNOB_THREADS, 4);
	labrun_wait_nice(lab, VICTIM, 19, STATUS_APPLIED, 4);
	labrun_set(lab, HOGS, KNOB_COUNT, 5);
	labrun_wait_nice(lab, HOGS, 7, STATUS_APPLIED, 5);
	labrun_set(lab, VICTIM, KNOB_NICE_VALUE, 25);
	labrun_wait_nice(lab, VICTIM, 19, STATUS_CLAMPED, 4);
	lab_stop(lab);
}

static bool is_partial(const struct snapshot *s, const void *arg)
{
	const struct snapshot_thread *main_thread = NULL, *other = NULL;

	(void)arg;
	for (size_t i = 0; i < s->nthreads; i++)
		if (s->threads[i].group == VICTIM) {
			if (s->threads[i].tid == s->threads[i].pid)
				main_thread = &s->threads[i];
			else
				other = &s->threads[i];
		}
	return main_thread && other && main_thread->nice_actual == 11 &&
	       labrun_holds(main_thread->nice_status) && other->nice_actual != 11 &&
	       other->nice_status == STATUS_PARTIAL && s->nverdicts > 0;
}

static void main_only_is_partial_until_every_thread_is_asked(void **state)
{
	struct lab *lab = labrun_start_running(0);

	(void)state;
	labrun_set(lab, -1, KNOB_SCOPE, SCOPE_PROCESS);
	labrun_set(lab, VICTIM, KNOB_NICE_VALUE, 11);
	assert_non_null(labrun_wait(lab, is_partial, NULL, PATIENCE));
	labrun_set(lab, -1, KNOB_SCOPE, SCOPE_THREADS);
	labrun_wait_nice(lab, VICTIM, 11, STATUS_APPLIED, 2);
	lab_stop(lab);
}

static bool one_is_reverted(const struct snapshot *s, const void *arg)
{
	const pid_t *tid = arg;
	unsigned applied = 0, reverted = 0;

	for (size_t i = 0; i < s->nthreads; i++)
		if (s->threads[i].group == VICTIM) {
			applied += s->threads[i].nice_status == STATUS_APPLIED;
			reverted += s->threads[i].nice_status == STATUS_REVERTED && s->threads[i].tid == *tid;
		}
	return applied >= 1 && reverted == 1;
}

static void a_renice_from_outside_is_noticed(void **state)
{
	struct lab *lab = labrun_start_running(1);
	const struct snapshot *s = labrun_sleep(lab, 0.1);
	pid_t tid = s->threads[0].tid;

	(void)state;
	assert_int_equal(priority_set_nice(tid, 13), 0);
	assert_non_null(labrun_wait(lab, one_is_reverted, &tid, PATIENCE));
	/* Asked of this one thread again, it holds again. */
	struct command c = {.kind = COMMAND_THREAD_NICE, .group = VICTIM, .value = 14, .tid = tid};
	assert_int_equal(lab_send(lab, &c), 0);
	unsigned found = 0;
	s = labrun_sleep(lab, 0.5);
	for (size_t i = 0; i < s->nthreads; i++)
		if (s->threads[i].tid == tid) {
			found++;
			assert_int_equal(s->threads[i].nice_actual, 14);
			assert_int_equal(s->threads[i].nice_status, STATUS_APPLIED);
		}
	assert_int_equal(found, 1);
	lab_stop(lab);
}

static bool ioprio_is(const struct snapshot *s, const void *arg)
{
	const int *raw = arg;
	unsigned n = 0;

	for (size_t i = 0; i < s->nthreads; i++)
		n += s->threads[i].group == VICTIM && labrun_holds(s->threads[i].ioprio_status) &&
		     s->threads[i].ioprio_actual == *raw;
	return n >= 2;
}

static void an_ioprio_is_set_and_read_back(void **state)
{
	struct lab *lab = labrun_start_running(0);
	int be7 = 2 << 13 | 7, none = 0;

	(void)state;
	labrun_set(lab, VICTIM, KNOB_IONICE, be7);
	assert_non_null(labrun_wait(lab, ioprio_is, &be7, PATIENCE));
	labrun_set(lab, VICTIM, KNOB_IONICE, none);
	assert_non_null(labrun_wait(lab, ioprio_is, &none, PATIENCE));
	lab_stop(lab);
}

struct hog_replaced {
	unsigned ordinal;
	pid_t old;
};

static bool hog_is_replaced(const struct snapshot *s, const void *arg)
{
	const struct hog_replaced *r = arg;
	pid_t now = labrun_hog_pid(s, r->ordinal);

	return now && now != r->old;
}

static void a_killed_worker_is_reported_and_replaced(void **state)
{
	struct lab *lab = labrun_start_running(3);
	struct hog_replaced r = {.ordinal = 2};

	(void)state;
	r.old = labrun_hog_pid(labrun_sleep(lab, 0.2), 2);
	assert_true(r.old > 0);
	kill(r.old, SIGKILL);
	assert_non_null(labrun_wait(lab, hog_is_replaced, &r, PATIENCE));
	assert_non_null(labrun_wait(lab, labrun_journal_has, "was killed by signal 9: replaced", PATIENCE));
	lab_stop(lab);
}

static void the_loss_of_the_stage_is_survived(void **state)
{
	struct lab *lab = labrun_start_running(3);
	const struct snapshot *s = labrun_sleep(lab, 0.2);
	char path[64], line[256];
	int stage = 0;
	FILE *f;

	(void)state;
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)s->threads[0].pid);
	f = fopen(path, "r");
	assert_non_null(f);
	assert_non_null(fgets(line, sizeof(line), f));
	fclose(f);
	assert_int_equal(sscanf(strrchr(line, ')') + 1, " %*c %d", &stage), 1);
	kill(stage, SIGKILL);
	assert_non_null(labrun_wait(lab, labrun_journal_has, "the stage process", PATIENCE));
	labrun_set(lab, HOGS, KNOB_COUNT, 9); /* answered by nothing worse than nothing */
	labrun_send(lab, COMMAND_RESPAWN);
	labrun_sleep(lab, 0.3);
	lab_stop(lab);
	assert_int_equal(labrun_count_workers(), 0);
}

static bool hogs_are_stopped(const struct snapshot *s, const void *arg)
{
	const bool *stopped = arg;
	unsigned n = 0;

	for (size_t i = 0; i < s->nthreads; i++)
		n += s->threads[i].group == HOGS && (s->threads[i].state == 'T') == *stopped;
	return s->groups[HOGS].running == 3 && n >= 3 && s->groups[HOGS].paused == *stopped;
}

static void a_pause_stops_the_hogs(void **state)
{
	struct lab *lab = labrun_start_running(3);
	bool stopped = true, going = false;

	(void)state;
	labrun_send(lab, COMMAND_PAUSE);
	assert_non_null(labrun_wait(lab, hogs_are_stopped, &stopped, PATIENCE));
	labrun_send(lab, COMMAND_PAUSE);
	assert_non_null(labrun_wait(lab, hogs_are_stopped, &going, PATIENCE));
	lab_stop(lab);
}

static char state_of(pid_t pid)
{
	char path[64], line[256], st = '?';
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "r");
	if (f && fgets(line, sizeof(line), f))
		sscanf(strrchr(line, ')') + 1, " %c", &st);
	if (f)
		fclose(f);
	return st;
}

/* The signal is sent when lab_freeze returns; a thread on another CPU takes a moment to obey it. */
static char settled_state_of(pid_t pid, char want)
{
	for (int i = 0; i < 100 && (state_of(pid) == want) != (want == 'T'); i++)
		pause_ns(20 * NS_PER_MS);
	for (int i = 0; i < 100 && want != 'T' && state_of(pid) == 'T'; i++)
		pause_ns(20 * NS_PER_MS);
	return state_of(pid);
}

static void a_freeze_stops_every_worker(void **state)
{
	struct lab *lab = labrun_start_running(2);
	const struct snapshot *s = labrun_sleep(lab, 0.2);
	pid_t victim = s->threads[0].pid, hog = labrun_hog_pid(s, 1);

	(void)state;
	assert_int_equal(lab_freeze(lab, true), 0);
	assert_int_equal(settled_state_of(victim, 'T'), 'T');
	assert_int_equal(settled_state_of(hog, 'T'), 'T');
	assert_int_equal(lab_freeze(lab, false), 0);
	assert_int_not_equal(settled_state_of(victim, 'R'), 'T');
	assert_int_not_equal(settled_state_of(hog, 'R'), 'T');
	lab_stop(lab);
}

static void a_respawn_gives_new_processes_the_asked_priority(void **state)
{
	struct lab *lab = labrun_start_running(2);
	struct hog_replaced r = {.ordinal = 1};

	(void)state;
	labrun_set(lab, HOGS, KNOB_NICE_VALUE, 5);
	labrun_wait_nice(lab, HOGS, 5, STATUS_APPLIED, 2);
	r.old = labrun_hog_pid(labrun_sleep(lab, 0.1), 1);
	labrun_send(lab, COMMAND_RESPAWN);
	assert_non_null(labrun_wait(lab, hog_is_replaced, &r, PATIENCE));
	labrun_wait_nice(lab, HOGS, 5, STATUS_APPLIED, 2);
	lab_stop(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_lab_starts_measures_and_leaves_nothing),
		cmocka_unit_test(hogs_come_and_go),
		cmocka_unit_test(a_nice_reaches_every_thread),
		cmocka_unit_test(main_only_is_partial_until_every_thread_is_asked),
		cmocka_unit_test(a_renice_from_outside_is_noticed),
		cmocka_unit_test(an_ioprio_is_set_and_read_back),
		cmocka_unit_test(a_killed_worker_is_reported_and_replaced),
		cmocka_unit_test(the_loss_of_the_stage_is_survived),
		cmocka_unit_test(a_pause_stops_the_hogs),
		cmocka_unit_test(a_freeze_stops_every_worker),
		cmocka_unit_test(a_respawn_gives_new_processes_the_asked_priority),
	};

	return cmocka_run_group_tests_name("lab", tests, NULL, NULL);
}
