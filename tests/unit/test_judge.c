/* Verdicts of a running lab: each trap that needs no privilege is sprung with real workers, named by its code, and mended by what f does. */
#include "base/clock.h"
#include "kernel/priority.h"
#include "labrun.h"
#include "test.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#define PATIENCE LABRUN_PATIENCE

/* Waits for the verdict; then sends its remedy, and waits until it is gone. Returns the status that it gave its thread. */
static enum status spring(struct lab *lab, const char *code)
{
	const struct snapshot *s = labrun_wait(lab, labrun_has_verdict, code, PATIENCE);

	if (!s)
		fail_msg("no verdict %s", code);
	const struct snapshot_verdict *v = labrun_verdict(s, code);
	assert_true(v->why[0] && v->remedy[0] && !strchr(v->why, '{'));
	return v->status;
}

static void mend(struct lab *lab, const char *code)
{
	const struct snapshot *s = labrun_wait(lab, labrun_has_verdict, code, PATIENCE);
	struct command c = {.kind = COMMAND_FIX};

	assert_non_null(s);
	const struct snapshot_verdict *v = labrun_verdict(s, code);
	assert_int_not_equal(v->fix, FIX_NONE);
	c.group = v->group;
	c.what = (int)v->what;
	c.tid = v->tid;
	c.value = (long)v->fix;
	assert_int_equal(lab_send(lab, &c), 0);
	if (!labrun_wait(lab, labrun_has_no_verdict, code, PATIENCE))
		fail_msg("%s is still there after its remedy", code);
}

static void main_only_is_named_and_mended(void **state)
{
	struct lab *lab = labrun_start_running(4);

	(void)state;
	labrun_set(lab, -1, KNOB_SCOPE, SCOPE_PROCESS);
	labrun_set(lab, VICTIM, KNOB_NICE_VALUE, 7);
	assert_int_equal(spring(lab, "main-thread-only"), STATUS_PARTIAL);
	mend(lab, "main-thread-only");
	labrun_wait_nice(lab, VICTIM, 7, STATUS_APPLIED, 2);
	lab_stop(lab);
}

static void clamped_is_named_and_mended(void **state)
{
	struct lab *lab = labrun_start_running(4);
	const struct snapshot *s;

	(void)state;
	labrun_set(lab, VICTIM, KNOB_NICE_VALUE, 25);
	assert_int_equal(spring(lab, "clamped"), STATUS_CLAMPED);
	mend(lab, "clamped");
	s = labrun_sleep(lab, 0.1);
	assert_int_equal(s->groups[VICTIM].knobs[KNOB_NICE_VALUE], 19);
	lab_stop(lab);
}

static void without_rivals_there_is_no_contention(void **state)
{
	struct lab *lab = labrun_start_running(0);

	(void)state;
	labrun_set(lab, VICTIM, KNOB_THREADS, 1);
	labrun_set(lab, VICTIM, KNOB_NICE_VALUE, 10);
	assert_int_equal(spring(lab, "no-contention"), STATUS_MOOT);
	mend(lab, "no-contention");
	assert_non_null(labrun_wait(lab, labrun_is_running, NULL, PATIENCE));
	assert_true(labrun_sleep(lab, 0.2)->groups[HOGS].running >= 3);
	lab_stop(lab);
}

static void policy_idle_ignores_nice(void **state)
{
	struct lab *lab = labrun_start_running(4);
	const struct snapshot *s;

	(void)state;
	labrun_set(lab, HOGS, KNOB_POLICY, POLICY_CHOICE_IDLE);
	labrun_set(lab, HOGS, KNOB_NICE_VALUE, 3);
	assert_int_equal(spring(lab, "policy-idle"), STATUS_IGNORED);
	s = labrun_sleep(lab, 1.5); /* the scheduler's own word for it */
	for (size_t i = 0; i < s->nthreads; i++)
		if (s->threads[i].group == HOGS && s->threads[i].weight.known)
			assert_int_equal((int)s->threads[i].weight.value, 3);
	if (geteuid() == 0) {
		mend(lab, "policy-idle");
		labrun_wait_nice(lab, HOGS, 3, STATUS_APPLIED, 4);
	}
	lab_stop(lab);
}

static void batch_is_no_reason(void **state)
{
	struct lab *lab = labrun_start_running(4);
	const struct snapshot *s;

	(void)state;
	labrun_set(lab, VICTIM, KNOB_POLICY, POLICY_CHOICE_BATCH);
	labrun_set(lab, VICTIM, KNOB_NICE_VALUE, 10);
	s = labrun_wait(lab, labrun_has_no_verdict, "policy-idle", PATIENCE);
	assert_non_null(s);
	for (size_t i = 0; i < s->nthreads; i++)
		if (s->threads[i].group == VICTIM)
			assert_int_equal(s->threads[i].policy, SCHED_BATCH);
	lab_stop(lab);
}

static bool is_autogrouped(const struct snapshot *s)
{
	if (s->host.autogroup == AUTOGROUP_ON)
		return true;
	printf("  skipped: autogroup is %s here\n", host_autogroup_word(s->host.autogroup));
	return false;
}

static void own_sessions_are_autogroups(void **state)
{
	struct lab *lab = labrun_start_running(4);
	bool grouped = is_autogrouped(labrun_sleep(lab, 0.1));
	const struct snapshot *s;

	(void)state;
	if (grouped) {
		labrun_set(lab, -1, KNOB_SESSIONS, SESSIONS_OWN);
		labrun_set(lab, VICTIM, KNOB_NICE_VALUE, 19);
		assert_int_equal(spring(lab, "autogroup"), STATUS_MOOT);
		mend(lab, "autogroup"); /* by the session's nice, since the sessions stay */
		s = labrun_sleep(lab, 0.2);
		assert_int_equal(s->knobs[KNOB_SESSIONS], SESSIONS_OWN);
		assert_int_equal(s->groups[VICTIM].knobs[KNOB_SESSION_NICE], 19);
	}
	lab_stop(lab);
	if (!grouped)
		skip();
}

static void write_autogroup(pid_t pid, const char *nice)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/autogroup", (int)pid);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fputs(nice, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

/* Of the verdict's many ways to be asked for: the session's nice, and somebody else changes it. */
static void a_session_nice_from_outside_is_named_and_mended(void **state)
{
	struct lab *lab = labrun_start_running(3);
	const struct snapshot *s = labrun_sleep(lab, 0.1);
	bool grouped = is_autogrouped(s);

	(void)state;
	if (grouped) {
		labrun_set(lab, HOGS, KNOB_SESSION_NICE, 5);
		s = labrun_sleep(lab, 0.3);
		assert_int_equal(s->groups[VICTIM].knobs[KNOB_SESSION_NICE], 5); /* one session, one value */
		write_autogroup(labrun_hog_pid(s, 1), "7");
		assert_int_equal(spring(lab, "reverted"), STATUS_REVERTED);
		mend(lab, "reverted");
	}
	lab_stop(lab);
	if (!grouped)
		skip();
}

/* The remedy is that it goes on, not that others come. */
static void a_stopped_hog_is_let_go_on(void **state)
{
	struct lab *lab = labrun_start_running(6);
	const struct snapshot *s;

	(void)state;
	labrun_set(lab, HOGS, KNOB_NICE_VALUE, 5);
	labrun_wait_nice(lab, HOGS, 5, STATUS_APPLIED, 6);
	kill(labrun_hog_pid(labrun_sleep(lab, 0.1), 2), SIGSTOP);
	assert_int_equal(spring(lab, "stopped"), STATUS_MOOT);
	mend(lab, "stopped");
	s = labrun_sleep(lab, 0.1);
	assert_int_equal(s->groups[HOGS].knobs[KNOB_COUNT], 6);
	lab_stop(lab);
}

/* What was asked of one thread alone is asked of it again, and the group keeps its own. */
static void one_thread_alone_is_mended_alone(void **state)
{
	struct lab *lab = labrun_start_running(3);
	pid_t hog = labrun_hog_pid(labrun_sleep(lab, 0.1), 1);
	struct command c = {.kind = COMMAND_THREAD_NICE, .group = HOGS, .tid = hog, .value = 25};
	const struct snapshot *s;

	(void)state;
	assert_int_equal(lab_send(lab, &c), 0);
	assert_int_equal(spring(lab, "clamped"), STATUS_CLAMPED);
	mend(lab, "clamped");
	s = labrun_sleep(lab, 0.1);
	for (size_t i = 0; i < s->nthreads; i++)
		if (s->threads[i].group == HOGS)
			assert_int_equal(s->threads[i].nice_actual, s->threads[i].tid == hog ? 19 : 0);
	lab_stop(lab);
}

static void apart_there_is_no_shared_cpu(void **state)
{
	struct lab *lab = labrun_start_running(4);
	bool two = cpulist_count(&labrun_sleep(lab, 0.1)->host.cpus) > 1;

	(void)state;
	if (two) {
		labrun_set(lab, VICTIM, KNOB_NICE_VALUE, 19);
		labrun_set(lab, -1, KNOB_CPUS, CPUS_APART);
		assert_int_equal(spring(lab, "no-shared-cpu"), STATUS_MOOT);
		mend(lab, "no-shared-cpu");
	} else
		printf("  skipped: there is one CPU only\n");
	lab_stop(lab);
	if (!two)
		skip();
}

/* taskset from another terminal: what counts is where they may really run. */
static void affinity_from_outside_counts(void **state)
{
	struct lab *lab = labrun_start_running(2);
	const struct snapshot *s = labrun_sleep(lab, 0.1);
	struct cpulist first = cpulist_first(&s->host.cpus), last = cpulist_last(&s->host.cpus);
	bool two = cpulist_count(&s->host.cpus) > 1;

	(void)state;
	if (two) {
		labrun_set(lab, VICTIM, KNOB_NICE_VALUE, 10);
		for (size_t i = 0; i < s->nthreads; i++)
			assert_int_equal(priority_set_cpus(s->threads[i].tid,
							   s->threads[i].group == VICTIM ? &last : &first),
					 0);
		assert_int_equal(spring(lab, "cpus-reverted"), STATUS_REVERTED);
		assert_false(
			labrun_sleep(lab, 0.2)->theory.known); /* nothing is predicted of what is elsewhere */
		mend(lab, "cpus-reverted");
		assert_true(labrun_sleep(lab, 0.2)->theory.known);
	} else
		printf("  skipped: there is one CPU only\n");
	lab_stop(lab);
	if (!two)
		skip();
}

static void a_change_from_outside_is_named_and_mended(void **state)
{
	struct lab *lab = labrun_start_running(2);
	pid_t hog = labrun_hog_pid(labrun_sleep(lab, 0.1), 1);

	(void)state;
	labrun_set(lab, HOGS, KNOB_NICE_VALUE, 5);
	labrun_wait_nice(lab, HOGS, 5, STATUS_APPLIED, 2);
	assert_int_equal(setpriority(PRIO_PROCESS, (id_t)hog, 9), 0);
	assert_int_equal(spring(lab, "reverted"), STATUS_REVERTED);
	if (geteuid() == 0)
		mend(lab, "reverted");
	lab_stop(lab);
}

static void a_small_step_is_a_note(void **state)
{
	struct lab *lab = labrun_start_running(4);
	const struct snapshot *s;

	(void)state;
	labrun_set(lab, VICTIM, KNOB_NICE_VALUE, 1);
	assert_int_equal(spring(lab, "step-too-small"), STATUS_APPLIED);
	s = labrun_sleep(lab, 0.1);
	for (size_t i = 0; i < s->nthreads; i++)
		assert_int_equal(s->threads[i].status, STATUS_APPLIED);
	mend(lab, "step-too-small");
	lab_stop(lab);
}

static void a_cpu_hog_has_no_io_to_order(void **state)
{
	struct lab *lab = labrun_start_running(2);

	(void)state;
	labrun_set(lab, VICTIM, KNOB_IONICE,
		   ioprio_pack((struct ioprio){.io_class = IOCLASS_BE, .level = 7}));
	assert_int_equal(spring(lab, "no-io"), STATUS_MOOT);
	lab_stop(lab);
}

static bool is_root(void)
{
	if (geteuid() == 0)
		return true;
	printf("  skipped: only root can act as somebody else\n");
	return false;
}

/* What an ordinary user may not: take back what was given away. A respawn is the way back. */
static void an_ordinary_user_cannot_come_back(void **state)
{
	struct lab *lab;

	(void)state;
	if (!is_root())
		skip();
	lab = labrun_start_running(4);
	labrun_set(lab, -1, KNOB_USER, USER_OTHER);
	assert_non_null(labrun_wait(lab, labrun_journal_has, "acting as", PATIENCE));
	labrun_set(lab, VICTIM, KNOB_NICE_VALUE, 19);
	labrun_wait_nice(lab, VICTIM, 19, STATUS_APPLIED, 2);
	labrun_set(lab, VICTIM, KNOB_NICE_VALUE, 3);
	assert_int_equal(spring(lab, "denied-eacces"), STATUS_DENIED);
	mend(lab, "denied-eacces");
	labrun_wait_nice(lab, VICTIM, 3, STATUS_APPLIED, 2);
	labrun_set(lab, -1, KNOB_USER, USER_ROOT);
	labrun_set(lab, VICTIM, KNOB_NICE_VALUE, -5);
	labrun_wait_nice(lab, VICTIM, -5, STATUS_APPLIED, 2);
	lab_stop(lab);
	assert_int_equal(labrun_count_workers(), 0);
	assert_int_equal(geteuid(), 0);
}

static void a_stranger_may_change_nothing(void **state)
{
	struct lab *lab;

	(void)state;
	if (!is_root())
		skip();
	lab = labrun_start_running(2);
	labrun_set(lab, -1, KNOB_USER, USER_STRANGER);
	labrun_set(lab, VICTIM, KNOB_NICE_VALUE, 7);
	assert_int_equal(spring(lab, "denied-eperm"), STATUS_DENIED);
	lab_stop(lab);
	assert_int_equal(labrun_count_workers(), 0);
}

/* The way back from IDLE is closed to an ordinary user. */
static void policy_idle_is_a_one_way_street(void **state)
{
	struct lab *lab;

	(void)state;
	if (!is_root())
		skip();
	lab = labrun_start_running(2);
	labrun_set(lab, -1, KNOB_USER, USER_OTHER);
	labrun_set(lab, HOGS, KNOB_POLICY, POLICY_CHOICE_IDLE);
	assert_int_equal(spring(lab, "policy-idle"), STATUS_IGNORED);
	labrun_set(lab, HOGS, KNOB_POLICY, POLICY_CHOICE_OTHER);
	assert_int_equal(spring(lab, "policy-one-way"), STATUS_DENIED);
	mend(lab, "policy-one-way");
	lab_stop(lab);
}

static bool is_alarm(const struct snapshot *s, const void *arg)
{
	(void)arg;
	for (size_t i = 0; i < s->nverdicts; i++)
		if (s->verdicts[i].status > STATUS_APPLIED)
			return true;
	return false;
}

/* A false alarm is a fault: neither at the start, nor while a change that applies settles, nor later. */
static void where_all_applies_there_is_no_verdict(void **state)
{
	struct lab *lab;
	const struct snapshot *s;

	(void)state;
#ifdef __SANITIZE_THREAD__
	skip(); /* a starved victim sleeps there, on locks of the sanitizer's own */
#endif
	lab = labrun_start_small(6);
	s = labrun_wait(lab, labrun_is_running, NULL, PATIENCE);
	assert_non_null(s);
	labrun_never(lab, is_alarm, 1.5);
	labrun_set(lab, VICTIM, KNOB_NICE_VALUE, 19);
	labrun_never(lab, is_alarm, 4);
	labrun_set(lab, HOGS, KNOB_COUNT, 9);
	labrun_set(lab, HOGS, KNOB_NICE_VALUE, 5);
	labrun_send(lab, COMMAND_RESPAWN);
	labrun_never(lab, is_alarm, 2);
	labrun_send(lab, COMMAND_PAUSE);
	labrun_never(lab, is_alarm, 0.05);
	labrun_send(lab, COMMAND_PAUSE);
	labrun_send(lab, COMMAND_BASELINE);
	s = labrun_wait(lab, labrun_is_running, NULL, PATIENCE);
	assert_non_null(s);
	lab_stop(lab);
}

static void the_arithmetic_adds_up(void **state)
{
	struct lab *lab = labrun_start_running(6);
	const struct snapshot *s;
	double sum = 0;

	(void)state;
	labrun_set(lab, VICTIM, KNOB_NICE_VALUE, 10);
	labrun_wait_nice(lab, VICTIM, 10, STATUS_APPLIED, 2);
	s = labrun_sleep(lab, 0.3);
	assert_true(s->theory.known);
	assert_int_equal(s->theory.cpus, cpulist_count(&s->cpus));
	for (size_t i = 0; i < s->theory.nrows; i++)
		sum += s->theory.rows[i].share * s->theory.rows[i].threads;
	assert_true(sum > 0.99 * (s->theory.cpus < 8 ? s->theory.cpus : 8) && sum < s->theory.cpus + 0.01);
	lab_stop(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(main_only_is_named_and_mended),
		cmocka_unit_test(clamped_is_named_and_mended),
		cmocka_unit_test(without_rivals_there_is_no_contention),
		cmocka_unit_test(policy_idle_ignores_nice),
		cmocka_unit_test(batch_is_no_reason),
		cmocka_unit_test(own_sessions_are_autogroups),
		cmocka_unit_test(a_session_nice_from_outside_is_named_and_mended),
		cmocka_unit_test(a_stopped_hog_is_let_go_on),
		cmocka_unit_test(one_thread_alone_is_mended_alone),
		cmocka_unit_test(apart_there_is_no_shared_cpu),
		cmocka_unit_test(affinity_from_outside_counts),
		cmocka_unit_test(a_change_from_outside_is_named_and_mended),
		cmocka_unit_test(a_small_step_is_a_note),
		cmocka_unit_test(a_cpu_hog_has_no_io_to_order),
		cmocka_unit_test(an_ordinary_user_cannot_come_back),
		cmocka_unit_test(a_stranger_may_change_nothing),
		cmocka_unit_test(policy_idle_is_a_one_way_street),
		cmocka_unit_test(where_all_applies_there_is_no_verdict),
		cmocka_unit_test(the_arithmetic_adds_up),
	};

	return cmocka_run_group_tests_name("judge", tests, NULL, NULL);
}
