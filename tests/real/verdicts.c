/* Verdicts for real that need root or a cgroup: groups with weights, quota and cpu.idle, a real-time rival, a zombie. The cgroups are made and
 * removed here; where this machine cannot show one of them the test says so and skips. */
#include "base/clock.h"
#include "kernel/cgroup.h"
#include "kernel/priority.h"
#include "kernel/task.h"
#include "labrun.h"
#include "pause.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE LABRUN_PATIENCE

/* A group of this test's own with two groups in it, of the cpu controller of cgroup v1. */
static char top[400], left[420], right[420];

static int write_file(const char *dir, const char *name, const char *text)
{
	char path[500];
	int fd, rc = 0;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		rc = -errno;
	close(fd);
	return rc;
}

static bool make_groups(void)
{
	struct cgroup_mounts m;
	struct procfs fs;

	if (geteuid() != 0) {
		printf("  skipped: only root can make a cgroup\n");
		return false;
	}
	assert_int_equal(procfs_open(&fs, NULL, NULL), 0);
	cgroup_mounts_read(&fs, &m);
	procfs_close(&fs);
	if (!m.has_v1) {
		printf("  skipped: the cpu controller of cgroup v1 is not mounted here (its v2 twin is "
		       "tested from fixtures)\n");
		return false;
	}
	snprintf(top, sizeof(top), "%.250s/nicelab-test-%d", m.v1.point, (int)getpid());
	snprintf(left, sizeof(left), "%s/a", top);
	snprintf(right, sizeof(right), "%s/b", top);
	if (mkdir(top, 0755) < 0 || mkdir(left, 0755) < 0 || mkdir(right, 0755) < 0) {
		printf("  skipped: no cgroup can be made here: %s\n", strerror(errno));
		return false;
	}
	return true;
}

/* The groups are empty once the workers are gone; the kernel may need a moment. */
static int remove_groups(void **state)
{
	(void)state;
	for (int i = 0; i < 100 && top[0] && access(top, F_OK) == 0; i++) {
		rmdir(left);
		rmdir(right);
		rmdir(top);
		pause_ns(20 * NS_PER_MS);
	}
	return top[0] && access(top, F_OK) == 0 ? -1 : 0;
}

static void move(pid_t pid, const char *dir)
{
	char text[24];

	snprintf(text, sizeof(text), "%d", (int)pid);
	assert_int_equal(write_file(dir, "cgroup.procs", text), 0);
}

/* The victim's process into one group, the hogs into the other. */
static void move_apart(const struct snapshot *s)
{
	for (size_t i = 0; i < s->nthreads; i++)
		if (s->threads[i].tid == s->threads[i].pid)
			move(s->threads[i].pid, s->threads[i].group == VICTIM ? left : right);
}

static void expect(struct lab *lab, const char *code)
{
	const struct snapshot *s = labrun_wait(lab, labrun_has_verdict, code, PATIENCE);

	if (!s)
		fail_msg("no verdict %s", code);
	printf("  %s: %s\n", code, labrun_verdict(s, code)->why);
}

static void expect_not(struct lab *lab, const char *code)
{
	if (!labrun_wait(lab, labrun_has_no_verdict, code, PATIENCE))
		fail_msg("%s is still there", code);
}

static double run_of(const struct snapshot *s, int group)
{
	double sum = 0;

	for (size_t i = 0; i < s->nthreads; i++)
		sum += s->threads[i].group == group && s->threads[i].shares.known ? s->threads[i].shares.run
										  : 0;
	return sum;
}

/* Two groups of equal weight get the same together, whatever others take of the machine: not 1 : 136 as their nice has it. */
static bool share_alike(const struct snapshot *s, const void *arg)
{
	double victim = run_of(s, VICTIM), hogs = run_of(s, HOGS);

	(void)arg;
	return hogs > 0.02 && victim > 0.3 * hogs && victim < 3 * hogs;
}

static void groups_of_equal_weight_make_nice_moot(void **state)
{
	struct lab *lab;
	const struct snapshot *s;

	(void)state;
	if (!make_groups())
		skip();
	lab = labrun_start_running(4);
	labrun_set(lab, VICTIM, KNOB_NICE_VALUE, 19);
	move_apart(labrun_sleep(lab, 0.3));
	expect(lab, "cgroup-weight");
	s = labrun_wait(lab, share_alike, NULL, PATIENCE);
	assert_non_null(s);
	printf("  victim and hogs get %.2f and %.2f CPUs\n", run_of(s, VICTIM), run_of(s, HOGS));
	assert_true(s->groups[VICTIM].predicted_low.value > 0.1); /* and not the 0.5 % of its nice */
	/* All in one group: nice counts again. */
	for (size_t i = 0; i < s->nthreads; i++)
		if (s->threads[i].tid == s->threads[i].pid)
			move(s->threads[i].pid, left);
	expect_not(lab, "cgroup-weight");
	lab_stop(lab);
}

static bool is_apart(const struct snapshot *s, const void *arg)
{
	(void)arg;
	return labrun_verdict(s, "cgroup-weight") != NULL || (s->theory.known && !s->theory.one_place);
}

/* As under systemd or in a container: all in one group below the root. Those not looked at yet are in it too. */
static void all_in_one_group_is_no_reason(void **state)
{
	struct lab *lab;
	char root[420];

	(void)state;
	if (!make_groups())
		skip();
	snprintf(root, sizeof(root), "%s/..", top);
	move(getpid(), left);
	lab = labrun_start_small(100);
	assert_non_null(labrun_wait(lab, labrun_is_running, NULL, PATIENCE));
	labrun_set(lab, HOGS, KNOB_NICE_VALUE, 5);
	labrun_never(lab, is_apart, 2);
	lab_stop(lab);
	move(getpid(), root);
}

static void a_quota_throttles_whatever_the_nice(void **state)
{
	struct lab *lab;

	(void)state;
	if (!make_groups())
		skip();
	lab = labrun_start_running(2);
	move_apart(labrun_sleep(lab, 0.3));
	if (write_file(left, "cpu.cfs_quota_us", "20000") < 0) {
		printf("  skipped: this kernel has no quota (CONFIG_CFS_BANDWIDTH)\n");
		lab_stop(lab);
		skip();
	}
	labrun_set(lab, VICTIM, KNOB_NICE_VALUE, -10);
	expect(lab, "cgroup-quota");
	assert_int_equal(write_file(left, "cpu.cfs_quota_us", "-1"), 0);
	expect_not(lab, "cgroup-quota");
	lab_stop(lab);
}

static void cpu_idle_of_a_group_weighs_three(void **state)
{
	struct lab *lab;

	(void)state;
	if (!make_groups())
		skip();
	lab = labrun_start_running(4);
	move_apart(labrun_sleep(lab, 0.3));
	if (write_file(left, "cpu.idle", "1") < 0) {
		printf("  skipped: no cpu.idle here (Linux 5.15)\n");
		lab_stop(lab);
		skip();
	}
	labrun_set(lab, VICTIM, KNOB_NICE_VALUE, -10);
	expect(lab, "cgroup-idle");
	lab_stop(lab);
}

/* One hog under FIFO on one CPU, for a moment: RESET_ON_FORK is not needed, since hogs do not fork. */
static void a_realtime_hog_ignores_its_nice(void **state)
{
	struct lab *lab;
	pid_t hog;
	int rc;

	(void)state;
	lab = labrun_start_running(3);
	hog = labrun_hog_pid(labrun_sleep(lab, 0.2), 1);
	rc = priority_set_policy(hog, SCHED_FIFO, 1);
	if (rc < 0) {
		printf("  skipped: no real-time policy may be set here: %s\n", strerror(-rc));
		lab_stop(lab);
		skip();
	}
	labrun_set(lab, VICTIM, KNOB_NICE_VALUE, 5);
	expect(lab, "policy-realtime");
	assert_non_null(labrun_wait(lab, labrun_has_verdict,
				    cpulist_count(&labrun_sleep(lab, 0.1)->cpus) > 1 ? "rival-realtime-some"
										     : "rival-realtime",
				    PATIENCE));
	assert_int_equal(priority_set_policy(hog, SCHED_OTHER, 0), 0);
	expect_not(lab, "policy-realtime");
	lab_stop(lab);
}

/* A zombie takes any priority with success: what is read back and judged says what it is. */
static void a_zombie_accepts_everything(void **state)
{
	struct facts_host host = {0};
	struct facts_group group = {0};
	struct facts_process process = {.comm = "gone"};
	struct facts f = {
		.host = &host, .group = &group, .process = &process, .wanted = 7, .deliberate = true};
	struct attempt a = {.asked = true, .sent = true, .read = true, .wanted = 7, .stored = 7};
	struct verdict_list l;
	struct task_reading r = {0};
	struct procfs fs;
	pid_t child = fork();

	(void)state;
	if (child == 0)
		_exit(0);
	assert_int_equal(procfs_open(&fs, NULL, NULL), 0);
	for (int i = 0; i < 500 && r.stat.state != 'Z'; i++) {
		pause_ns(10 * NS_PER_MS);
		assert_int_equal(task_read(&fs, child, child, &r), 0);
	}
	assert_int_equal(r.stat.state, 'Z');
	assert_int_equal(priority_set_nice(child, 7), 0);
	assert_int_equal(task_read(&fs, child, child, &r), 0);
	f.state = r.stat.state;
	f.actual = f.nice = r.stat.nice;
	f.base = status_judge(&a, &(struct observation){true, r.stat.nice, r.stat.nice == 7});
	verdict_judge(&f, &l);
	assert_true(l.found);
	assert_string_equal(verdict_info(l.rules[0])->code, "zombie");
	waitpid(child, NULL, 0);
	assert_int_equal(priority_set_nice(child, 7), -ESRCH);
	procfs_close(&fs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(groups_of_equal_weight_make_nice_moot, remove_groups),
		cmocka_unit_test_teardown(all_in_one_group_is_no_reason, remove_groups),
		cmocka_unit_test_teardown(a_quota_throttles_whatever_the_nice, remove_groups),
		cmocka_unit_test_teardown(cpu_idle_of_a_group_weighs_three, remove_groups),
		cmocka_unit_test(a_realtime_hog_ignores_its_nice),
		cmocka_unit_test(a_zombie_accepts_everything),
	};

	return cmocka_run_group_tests_name("real verdicts", tests, NULL, NULL);
}
