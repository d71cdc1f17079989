/* The lab for real, where it meets limits: sessions, CPUs, process limits, missing privileges, no /proc. */
#include "base/clock.h"
#include "kernel/priority.h"
#include "labrun.h"
#include "test.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE LABRUN_PATIENCE

static bool sessions_differ(const struct snapshot *s, const void *arg)
{
	const bool *own = arg;

	if (s->groups[HOGS].running != 2 || s->nthreads < 4)
		return false;
	pid_t a = getsid(labrun_hog_pid(s, 1)), b = getsid(labrun_hog_pid(s, 2));
	return a > 0 && b > 0 && (a != b) == *own && a != getsid(0);
}

static void sessions_can_be_shared_or_own(void **state)
{
	struct lab *lab = labrun_start_running(2);
	bool own = true, shared = false;

	(void)state;
	assert_non_null(labrun_wait(lab, sessions_differ, &shared, PATIENCE));
	labrun_set(lab, -1, KNOB_SESSIONS, SESSIONS_OWN);
	assert_non_null(labrun_wait(lab, sessions_differ, &own, PATIENCE));
	labrun_set(lab, -1, KNOB_SESSIONS, SESSIONS_SHARED);
	assert_non_null(labrun_wait(lab, sessions_differ, &shared, PATIENCE));
	lab_stop(lab);
}

static void pinning_reaches_every_thread(void **state)
{
	struct lab *lab = labrun_start_running(2);
	const struct snapshot *s;
	struct cpulist cpus;

	(void)state;
	labrun_set(lab, -1, KNOB_CPUS, CPUS_ONE);
	s = labrun_sleep(lab, 0.5);
	assert_true(s->nthreads >= 4);
	for (size_t i = 0; i < s->nthreads; i++) {
		assert_int_equal(priority_get_cpus(s->threads[i].tid, &cpus), 0);
		assert_int_equal(cpulist_count(&cpus), 1);
	}
	lab_stop(lab);
}

static bool work_is_remeasured(const struct snapshot *s, const void *arg)
{
	(void)arg;
	return s->phase == PHASE_RUNNING && s->groups[VICTIM].latency.baseline_known &&
	       s->groups[VICTIM].latency.baseline_p50 > 12 * NS_PER_MS;
}

static void another_size_of_work_takes_another_baseline(void **state)
{
	struct lab *lab = labrun_start_running(1);

	(void)state;
	labrun_set(lab, VICTIM, KNOB_WORK, 20);
	assert_non_null(labrun_wait(lab, work_is_remeasured, NULL, PATIENCE));
	lab_stop(lab);
}

static bool some_are_refused(const struct snapshot *s, const void *arg)
{
	(void)arg;
	return s->groups[HOGS].refused > 0 && labrun_journal_has(s, "could not be started");
}

/* As a user with a small process limit: as root it does not count, so the child becomes nobody, who has no other processes
 * that would count too. */
static void a_refused_fork_is_told_and_ends_nothing(void **state)
{
	pid_t child = fork();
	int status;

	(void)state;
	if (child == 0) {
		struct rlimit few = {8, 8};
		if (geteuid() != 0 || setresuid(65534, 65534, 65534) < 0)
			_exit(77);
		setrlimit(RLIMIT_NPROC, &few);
		struct lab *lab = labrun_start_small(40);
		bool told = labrun_wait(lab, some_are_refused, NULL, PATIENCE) != NULL;
		lab_stop(lab);
		_exit(told ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

static bool victim_is_denied(const struct snapshot *s, const void *arg)
{
	(void)arg;
	unsigned n = 0;
	for (size_t i = 0; i < s->nthreads; i++)
		n += s->threads[i].group == VICTIM && s->threads[i].nice_status == STATUS_DENIED &&
		     s->threads[i].nice_error == EACCES && s->threads[i].nice_actual == 19;
	return n >= 2;
}

/* Without the privilege 19 is a one-way street, but for a respawn. */
static void without_privilege_the_way_back_is_a_respawn(void **state)
{
	pid_t child = fork();
	int status;

	(void)state;
	if (child == 0) {
		if (geteuid() == 0 && setresuid(65534, 65534, 65534) < 0)
			_exit(77);
		struct lab *lab = labrun_start_running(1);
		int own = priority_own_nice();
		struct labrun_nice at19 = {VICTIM, 19, STATUS_APPLIED, 2},
				   back = {VICTIM, own, STATUS_APPLIED, 2};
		labrun_set(lab, VICTIM, KNOB_NICE_VALUE, 19);
		bool ok = labrun_wait(lab, labrun_nice_is, &at19, PATIENCE) != NULL;
		labrun_set(lab, VICTIM, KNOB_NICE_VALUE, own);
		ok = ok && labrun_wait(lab, victim_is_denied, NULL, PATIENCE) != NULL;
		labrun_send(lab, COMMAND_RESPAWN);
		ok = ok && labrun_wait(lab, labrun_nice_is, &back, PATIENCE) != NULL;
		lab_stop(lab);
		_exit(ok ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void a_lab_without_proc_does_not_start(void **state)
{
	struct lab_config *c = malloc(sizeof(*c));
	const char *what = NULL;
	struct lab *lab = NULL;

	(void)state;
	lab_config_default(c);
	c->proc_root = "/nowhere";
	assert_int_equal(lab_start(c, &lab, &what), -ENOENT);
	assert_string_equal(what, "/proc cannot be read");
	assert_null(lab);
	free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sessions_can_be_shared_or_own),
		cmocka_unit_test(pinning_reaches_every_thread),
		cmocka_unit_test(another_size_of_work_takes_another_baseline),
		cmocka_unit_test(a_refused_fork_is_told_and_ends_nothing),
		cmocka_unit_test(without_privilege_the_way_back_is_a_respawn),
		cmocka_unit_test(a_lab_without_proc_does_not_start),
	};

	return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}
