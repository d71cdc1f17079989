/* Parsers of kernel text, and reading through root directories: fixtures stand in for kernels that we do not have. */
#include "kernel/host.h"
#include "kernel/parse.h"
#include "kernel/priority.h"
#include "kernel/task.h"
#include "test.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STAT_TAIL                                                                                            \
	"S 1 77 77 0 -1 4194304 120 0 0 0 3 4 0 0 39 19 2 0 123456 1000 200 18446744073709551615 1 1 0 0 0 " \
	"0 0 0 0 0 "                                                                                         \
	"0 0 17 1 0 5 0 0 0 0 0 0 0 0 0 0 0"

static void stat_lines_are_read_by_field_number(void **state)
{
	struct stat_line s;

	(void)state;
	assert_int_equal(parse_stat("4242 (some name) " STAT_TAIL "\n", &s), 0);
	assert_int_equal(s.tid, 4242);
	assert_string_equal(s.comm, "some name");
	assert_int_equal(s.state, 'S');
	assert_int_equal(s.ppid, 1);
	assert_int_equal(s.session, 77);
	assert_int_equal(s.nice, 19);
	assert_int_equal(s.threads, 2);
	assert_int_equal(s.start, 123456);
	assert_int_equal(s.cpu, 1);
	assert_int_equal(s.policy, 5);
}

static void names_may_hold_anything(void **state)
{
	struct stat_line s;

	(void)state;
	assert_int_equal(parse_stat("7 (a) R 1 (b\nc) " STAT_TAIL, &s), 0);
	assert_string_equal(s.comm, "a) R 1 (b\nc");
	assert_int_equal(s.nice, 19);
	assert_int_equal(parse_stat("7 ()) " STAT_TAIL, &s), 0);
	assert_string_equal(s.comm, ")");
	assert_int_equal(parse_stat("7 () " STAT_TAIL, &s), 0);
	assert_string_equal(s.comm, "");
}

static void broken_stat_lines_are_refused(void **state)
{
	static const char whole[] = "4242 (some name) " STAT_TAIL;
	char cut[sizeof(whole)];
	struct stat_line s;

	(void)state;
	/* Field 41 is the last that is wanted: 11 more follow, and whatever ends before it is refused. */
	for (size_t n = 0; n < sizeof(whole) - 40; n++) {
		memcpy(cut, whole, n);
		cut[n] = '\0';
		assert_int_equal(parse_stat(cut, &s), -EINVAL);
	}
	assert_int_equal(parse_stat("x (n) " STAT_TAIL, &s), -EINVAL);
	assert_int_equal(parse_stat("-3 (n) " STAT_TAIL, &s), -EINVAL);
	assert_int_equal(parse_stat("99999999999 (n) " STAT_TAIL, &s), -EINVAL);
	assert_int_equal(parse_stat("1 )n( " STAT_TAIL, &s), -EINVAL);
	assert_int_equal(parse_stat("1 (n) S 1 77 77 0 -1 0 0 0 0 0 0 0 0 0 39 99 2 0 1 0 0 0 0 0 0 0 0 0 0 "
				    "0 0 0 0 0 0 1 "
				    "0 0",
				    &s),
			 -EINVAL); /* nice 99 */
}

static void schedstats_are_three_numbers(void **state)
{
	struct schedstat_line s;

	(void)state;
	assert_int_equal(parse_schedstat("123 456 7\n", &s), 0);
	assert_int_equal(s.run_ns, 123);
	assert_int_equal(s.wait_ns, 456);
	assert_int_equal(s.slices, 7);
	assert_int_equal(parse_schedstat("123 456", &s), -EINVAL);
	assert_int_equal(parse_schedstat("", &s), -EINVAL);
	assert_int_equal(parse_schedstat("-1 2 3", &s), -EINVAL);
	assert_int_equal(parse_schedstat("99999999999999999999 2 3", &s), -EINVAL);
}

static void status_values_are_found_by_key(void **state)
{
	uint64_t v;

	(void)state;
	assert_int_equal(parse_status_hex("Name:\tx\nCapEff:\t000001ffffffffff\nCapBnd:\t0\n", "CapEff", &v),
			 0);
	assert_int_equal(v, UINT64_C(0x1ffffffffff));
	assert_int_equal(parse_status_hex("Name:\tCapEff:\n", "CapEff", &v), -ENOENT);
	assert_int_equal(parse_status_hex("CapEff:\tzz\n", "CapEff", &v), -EINVAL);
	assert_int_equal(parse_status_hex("CapEff:", "CapEff", &v), -EINVAL);
	assert_int_equal(parse_status_hex("", "CapEff", &v), -ENOENT);
}

static void the_cpu_cgroup_is_found_in_both_versions(void **state)
{
	char path[64];
	int version = 0;

	(void)state;
	assert_int_equal(
		parse_cgroup("2:cpuacct,cpu:/a b\n1:cpuset:/c\n0::/u\n", "cpu", path, sizeof(path), &version),
		0);
	assert_string_equal(path, "/a b");
	assert_int_equal(version, 1);
	assert_int_equal(parse_cgroup("3:cpuset:/x\n0::/user.slice/s\n", "cpu", path, sizeof(path), &version),
			 0);
	assert_string_equal(path, "/user.slice/s");
	assert_int_equal(version, 2);
	assert_int_equal(parse_cgroup("3:cpuset:/x\n", "cpu", path, sizeof(path), &version), -ENOENT);
	assert_int_equal(parse_cgroup("", "cpu", path, sizeof(path), &version), -ENOENT);
	assert_int_equal(parse_cgroup("1:cpu:/aaaaaaaaa", "cpu", path, 4, &version), -ENAMETOOLONG);
}

/* tests/fixtures/NAME holds proc and sys. */
static int open_fixture(struct procfs *fs, const char *name)
{
	char proc[128], sys[128];

	snprintf(proc, sizeof(proc), "tests/fixtures/%s/proc", name);
	snprintf(sys, sizeof(sys), "tests/fixtures/%s/sys", name);
	return procfs_open(fs, proc, sys);
}

static struct host read_host(const char *fixture)
{
	struct procfs fs;
	struct host h;

	assert_int_equal(open_fixture(&fs, fixture), 0);
	assert_int_equal(host_read(&fs, &h), 0);
	procfs_close(&fs);
	return h;
}

static void autogroup_is_judged_with_the_cgroup(void **state)
{
	(void)state;
	assert_int_equal(read_host("v2-root").autogroup, AUTOGROUP_ON);
	assert_int_equal(read_host("v2-weighted").autogroup, AUTOGROUP_CGROUP);
	assert_int_equal(read_host("v2-namespace").autogroup, AUTOGROUP_CGROUP);
	assert_int_equal(read_host("v1-cpu-group").autogroup, AUTOGROUP_CGROUP);
	assert_int_equal(read_host("no-autogroup").autogroup, AUTOGROUP_OFF);
	assert_int_equal(read_host("v2-weighted").own_nice, priority_own_nice());
}

static void privileges_count_only_in_the_first_user_namespace(void **state)
{
	struct host h = read_host("v2-root");

	(void)state;
	assert_true(h.may_lower_nice);
	assert_string_equal(h.kernel, "6.12.9-fixture?");
	assert_false(read_host("userns").may_lower_nice);
	assert_false(read_host("no-autogroup").may_lower_nice);
}

static void the_nice_floor_comes_from_the_limit(void **state)
{
	static const long limits[][2] = {{0, 20},   {1, 19},   {20, 0},	 {25, -5},
					 {40, -20}, {99, -20}, {-1, -20}};

	(void)state;
	for (size_t i = 0; i < COUNT(limits); i++) {
		struct host h = {.rlimit_nice = limits[i][0]};
		assert_int_equal(host_nice_floor(&h), limits[i][1]);
	}
}

static void no_proc_is_an_error(void **state)
{
	struct procfs fs;

	(void)state;
	assert_int_equal(procfs_open(&fs, "/nowhere", NULL), -ENOENT);
	assert_int_equal(procfs_open(&fs, "tests/unit", NULL), -ENOENT);
}

static void threads_of_a_fixture_are_read(void **state)
{
	struct task_reading r;
	struct procfs fs;
	pid_t tids[4];

	(void)state;
	assert_int_equal(open_fixture(&fs, "v2-root"), 0);
	assert_int_equal(procfs_threads(&fs, 4242, tids, 4), 2);
	assert_int_equal(procfs_threads(&fs, 4242, tids, 1), 2);
	assert_int_equal(procfs_threads(&fs, 4243, tids, 4), -ENOENT);
	assert_int_equal(task_read(&fs, 4242, 4242, &r), 0);
	assert_int_equal(r.stat.nice, 7);
	assert_true(r.times_known);
	assert_int_equal(r.times.wait_ns, 456);
	assert_int_equal(task_read(&fs, 4242, 4299, &r), 0);
	assert_false(r.times_known); /* "0 0 0": the kernel does not count */
	assert_true(task_is_gone(task_read(&fs, 4242, 1, &r)));
	assert_false(task_is_gone(-EACCES));
	procfs_close(&fs);
}

static void this_very_thread_can_be_read(void **state)
{
	struct procfs fs;
	struct task_reading r;
	pid_t tid = (pid_t)syscall(SYS_gettid);

	(void)state;
	assert_int_equal(procfs_open(&fs, NULL, NULL), 0);
	assert_int_equal(task_read(&fs, getpid(), tid, &r), 0);
	assert_int_equal(r.stat.tid, tid);
	assert_int_equal(r.stat.nice, priority_own_nice());
	assert_int_equal(r.ioprio_error, 0);
	procfs_close(&fs);
}

static void priorities_are_set_and_read_back(void **state)
{
	int raw = -1, own = priority_own_nice();
	struct cpulist before, one, now;

	(void)state;
	assert_int_equal(priority_set_nice(0, own + 1 > 19 ? 19 : own + 1), 0);
	assert_int_equal(priority_own_nice(), own + 1 > 19 ? 19 : own + 1);
	assert_int_equal(priority_set_ioprio(0, 3 << 13), 0);
	assert_int_equal(priority_get_ioprio(0, &raw), 0);
	assert_int_equal(raw >> 13, 3);
	assert_int_equal(priority_set_ioprio(0, 0), 0);
	assert_int_equal(priority_set_ioprio(0, 7 << 13), -EINVAL);
	assert_int_equal(priority_get_cpus(0, &before), 0);
	one = cpulist_first(&before);
	assert_int_equal(priority_set_cpus(0, &one), 0);
	assert_int_equal(priority_get_cpus(0, &now), 0);
	assert_true(cpulist_equal(&one, &now));
	assert_int_equal(priority_set_cpus(0, &before), 0);
	assert_int_equal(priority_set_nice(999999999, 0), -ESRCH);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stat_lines_are_read_by_field_number),
		cmocka_unit_test(names_may_hold_anything),
		cmocka_unit_test(broken_stat_lines_are_refused),
		cmocka_unit_test(schedstats_are_three_numbers),
		cmocka_unit_test(status_values_are_found_by_key),
		cmocka_unit_test(the_cpu_cgroup_is_found_in_both_versions),
		cmocka_unit_test(autogroup_is_judged_with_the_cgroup),
		cmocka_unit_test(privileges_count_only_in_the_first_user_namespace),
		cmocka_unit_test(the_nice_floor_comes_from_the_limit),
		cmocka_unit_test(no_proc_is_an_error),
		cmocka_unit_test(threads_of_a_fixture_are_read),
		cmocka_unit_test(this_very_thread_can_be_read),
		cmocka_unit_test(priorities_are_set_and_read_back),
	};

	return cmocka_run_group_tests_name("kernel", tests, NULL, NULL);
}
