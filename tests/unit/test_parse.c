/* Parsers of what surrounds a priority: status, limits, sched, autogroup, cgroup files, mounts. All from text. */
#include "kernel/parse.h"
#include "kernel/schedgroup.h"
#include "test.h"

#include <errno.h>

static void stat_tells_flags_and_real_time(void **state)
{
	struct stat_line s;

	(void)state;
	assert_int_equal(
		parse_stat("2 (k) S 0 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 -51 0 1 0 3 0 0 0 0 0 0 0 0 0 0 0 0 0 "
			   "0 0 17 1 50 1 0\n",
			   &s),
		0);
	assert_int_equal(s.flags & 0x00200000, 0x00200000); /* PF_KTHREAD */
	assert_int_equal(s.rt_priority, 50);
	assert_int_equal(
		parse_stat(
			"2 (k) S 0 0 0 0 -1 0 0 0 0 0 0 0 0 0 -51 0 1 0 3 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 1 "
			"100 1 0\n",
			&s),
		-EINVAL);
}

static void status_numbers_follow_their_key(void **state)
{
	static const struct {
		const char *text;
		int rc;
	} cases[] = {
		{"Name:\tUid:\nUid:\t1\t-2\t3\t4\n", 2}, /* as many as asked for */
		{"Uid:\t1\n", 1},
		{"Uid: 1 2 \n", 2},
		{"Uid:\t\n", -EINVAL},
		{"Uid:\t\n5\n", -EINVAL}, /* not of the next line */
		{"Uid:", -EINVAL},
		{"Uid:\t1\t2", -EINVAL}, /* cut: it may have been 20 */
		{"Uid:\t1x\n", -EINVAL},
		{"Uid:\t99999999999999999999\n", -EINVAL},
		{"Uidx:\t1\n", -ENOENT},
		{"", -ENOENT},
	};
	long long v[2];
	uint64_t hex;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(parse_status_numbers(cases[i].text, "Uid", v, 2), cases[i].rc);
	assert_int_equal(parse_status_numbers(cases[0].text, "Uid", v, 2), 2);
	assert_int_equal(v[0], 1);
	assert_int_equal(v[1], -2);
	assert_int_equal(parse_status_hex("CapEff:\t00ff", "CapEff", &hex), -EINVAL); /* cut */
}

/* One text, what comes of it, and the value where it is 0. */
struct number_case {
	const char *text;
	int rc;
	long long value;
};

static void limits_are_soft_limits(void **state)
{
	static const struct number_case cases[] = {
		{"Limit  Soft\nMax nice priority         25    40    \n", 0, 25},
		{"Max nice priority         unlimited            unlimited            \n", 0, -1},
		{"Max nice priority         unlim", -EINVAL, 0},
		{"Max nice priority         2", -EINVAL, 0},
		{"Max nice priority         -2 0\n", -EINVAL, 0},
		{"Max nice priority  \n1 2\n", -EINVAL, 0},
		{"Max nice", -ENOENT, 0},
		{"", -ENOENT, 0},
	};
	long long v = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_int_equal(parse_limit(cases[i].text, "Max nice priority", &v), cases[i].rc);
		if (cases[i].rc == 0)
			assert_int_equal(v, cases[i].value);
	}
}

#define DASHES "-------------------------------------------------------------------\n"

static void sched_values_stand_below_the_dashes(void **state)
{
	static const struct number_case cases[] = {
		{"hog (1, #threads: 1)\n" DASHES "se.load.weight   :    1048576\n", 0, 1048576},
		{"se.load.weight : 5 (77, #threads: 1)\n" DASHES "x : 1\nse.load.weight:7\n", 0, 7},
		{"x\nse.load.weight : 5 (7, #threads: 1)\n" DASHES "se.load.weight : 7.25\n", 0, 7},
		{"x\n----\nse.load.weight : 5 (7, #threads: 1)\n" DASHES "se.load.weight : -7.25\n", 0, -7},
		{"se.load.weight : 5 (7, #threads: 1)\n" DASHES "x : 1\n", -ENOENT, 0},
		{"se.load.weight : 5\n", -EINVAL, 0},
		{"", -EINVAL, 0},
		{"x\n" DASHES "se.load.weight : 10485", -EINVAL, 0},
		{"x\n" DASHES "se.load.weight : \n5\n", -EINVAL, 0},
		{"x\n" DASHES "se.load.weight 5\n", -EINVAL, 0},
		{"x\n" DASHES "se.load.weights : 5\n", -ENOENT, 0},
	};
	long long v = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_int_equal(parse_sched_value(cases[i].text, "se.load.weight", &v), cases[i].rc);
		if (cases[i].rc == 0)
			assert_int_equal(v, cases[i].value);
	}
}

static void autogroups_have_a_number_and_a_nice(void **state)
{
	static const char *const broken[] = {"/autogroup-",
					     "/autogroup-3 nice",
					     "/autogroup-3 nice 20\n",
					     "/autogroup--3 nice 0\n",
					     "\n",
					     "/autogroup-3 nice 1 2\n",
					     "/autogroup-99999999999999999999 nice 0\n"};
	int nice = 0;
	long id = 0;

	(void)state;
	assert_int_equal(parse_autogroup("/autogroup-3070 nice -5\n", &id, &nice), 0);
	assert_int_equal(id, 3070);
	assert_int_equal(nice, -5);
	assert_int_equal(parse_autogroup("/autogroup-1 nice 19", &id, &nice), 0);
	assert_int_equal(parse_autogroup("", &id, &nice), -ENOENT);
	for (size_t i = 0; i < COUNT(broken); i++)
		assert_int_equal(parse_autogroup(broken[i], &id, &nice), -EINVAL);
}

static void cpu_times_are_kept_by_cpu(void **state)
{
	static const char *const broken[] = {"",
					     "intr 0\n",
					     "cpu 1 2\n",
					     "cpu0 1 2 3 4 5 6 7\n",
					     "cpu0 1 2 3 4 5 6 7 8",
					     "cpu0 1 2 3 4 5 6 7 8x\n",
					     "cpux 1 2 3 4 5 6 7 8\n",
					     "cpu0 1 2 3 4 5 6 7 -8\n",
					     "cpu0 1 2 3 4 5 6 7 8\ncpu1 1 2 3"};
	struct cpu_times t[3];

	(void)state;
	assert_int_equal(
		parse_cpu_times(
			"cpu  9 9\ncpu0 1 2 3 4 5 6 7 8 9 10\ncpu2 1 0 0 0 0 0 0 0\nintr 1\ncpu1 no\n", t, 3),
		3);
	assert_true(t[0].present);
	assert_int_equal(t[0].busy, 1 + 2 + 3 + 6 + 7);
	assert_int_equal(t[0].idle, 4 + 5);
	assert_int_equal(t[0].steal, 8);
	assert_false(t[1].present);
	assert_true(t[2].present);
	assert_int_equal(parse_cpu_times("cpu0 1 2 3 4 5 6 7 8\ncpu9 1 2 3", t, 3),
			 3); /* past the room: cut is no matter */
	assert_false(t[2].present);
	for (size_t i = 0; i < COUNT(broken); i++)
		assert_int_equal(parse_cpu_times(broken[i], t, 3), -EINVAL);
}

static void cgroup_files_are_read_strictly(void **state)
{
	static const char *const broken[] = {"max",	  "max\n",	"20000",       "20000\n",
					     "20000 0\n", "0 100000\n", "-1 100000\n", "20000 100000 7\n",
					     "",	  "maxx 5\n"};
	uint64_t v = 0;
	double cpus = 0;
	long long n = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(broken); i++)
		assert_int_equal(parse_cpu_max(broken[i], &cpus), -EINVAL);
	assert_int_equal(parse_cpu_max("20000 100000\n", &cpus), 0);
	assert_true(cpus == 0.2);
	assert_int_equal(parse_cpu_max("max 100000", &cpus), 0);
	assert_true(cpus < 0);
	assert_int_equal(parse_flat_value("nr_periods 61\nnr_throttled 60\n", "nr_throttled", &v), 0);
	assert_int_equal(v, 60);
	assert_int_equal(parse_flat_value("nr_throttled_x 60\n", "nr_throttled", &v), -ENOENT);
	assert_int_equal(parse_flat_value("nr_throttled 6", "nr_throttled", &v), -EINVAL);
	assert_int_equal(parse_flat_value("nr_throttled -6\n", "nr_throttled", &v), -EINVAL);
	assert_int_equal(parse_number("-1\n", &n), 0);
	assert_int_equal(n, -1);
	assert_int_equal(parse_number("39", &n), 0);
	assert_int_equal(parse_number("39 \n", &n), -EINVAL);
	assert_int_equal(parse_number("\n39", &n), -EINVAL);
	assert_int_equal(parse_number("", &n), -EINVAL);
}

#define MOUNT(root, point, type, options) \
	"31 24 0:27 " root " " point " rw,nosuid shared:9 - " type " none " options "\n"

static void cpu_mounts_are_told_apart(void **state)
{
	static const char hybrid[] = MOUNT("/", "/sys/fs/cgroup/cpuacct", "cgroup", "rw,cpuacct")
		MOUNT("/", "/sys/fs/cgroup/cpu,cpuacct", "cgroup", "rw,cpu,cpuacct")
			MOUNT("/a\\040b", "/mnt/x", "cgroup2", "rw")
				MOUNT("/a\\040b", "/sys/fs/c\\134\\011g", "cgroup2", "rw")
					MOUNT("/", "/srv", "cgroup2", "rw");
	char over[600];
	struct mount_line m;

	(void)state;
	assert_int_equal(parse_mount_cgroup(hybrid, 1, "cpu", &m), 0);
	assert_string_equal(m.point, "/sys/fs/cgroup/cpu,cpuacct");
	assert_int_equal(parse_mount_cgroup(hybrid, 2, "cpu", &m), 0);
	assert_string_equal(m.point, "/sys/fs/c\\\tg");
	assert_string_equal(m.root, "/a b");
	assert_int_equal(parse_mount_cgroup(MOUNT("/x", "/a", "cgroup2", "rw")
						    MOUNT("/", "/b", "cgroup2", "rw"),
					    2, "cpu", &m),
			 0);
	assert_string_equal(m.point, "/a"); /* neither can be looked up */
	assert_int_equal(parse_mount_cgroup(MOUNT("/..", "/sys/c", "cgroup2", "rw")
						    MOUNT("/", "/sys/c", "cgroup2", "rw"),
					    2, "cpu", &m),
			 0);
	assert_string_equal(m.root, "/"); /* the later hides the earlier */
	assert_int_equal(
		parse_mount_cgroup(MOUNT("/", "/sys/x", "cgroup", "rw,cpuset,name=cpu"), 1, "cpu", &m),
		-ENOENT);
	assert_int_equal(parse_mount_cgroup(MOUNT("/", "/sys/x", "cgroupx", "cpu"), 1, "cpu", &m), -ENOENT);
	assert_int_equal(parse_mount_cgroup("20 - cgroup2 x", 2, "cpu", &m), -ENOENT);
	assert_int_equal(parse_mount_cgroup("31 24 0:27 / /sys/fs/cgroup rw - cgroup2", 2, "cpu", &m),
			 -ENOENT); /* cut */
	assert_int_equal(parse_mount_cgroup("", 2, "cpu", &m), -ENOENT);
	snprintf(over, sizeof(over), "1 2 0:3 / /sys/%0300d rw - cgroup2 none rw\n", 7);
	assert_int_equal(parse_mount_cgroup(over, 2, "cpu", &m), -ENAMETOOLONG);
}

static void hidepid_is_a_word_or_a_number(void **state)
{
	static const struct {
		const char *text;
		int value;
	} cases[] = {
		{MOUNT("/", "/proc", "proc", "rw"), 0},
		{MOUNT("/", "/proc", "proc", "rw,hidepid=2,gid=4"), 2},
		{MOUNT("/", "/proc", "proc", "rw,hidepid=noaccess"), 1},
		{MOUNT("/", "/proc", "proc", "rw,hidepid=ptraceable"), 4},
		{MOUNT("/", "/proc", "proc", "rw,hidepid=new"), -EINVAL},
		{MOUNT("/", "/srv/proc", "proc", "rw,hidepid=2"), -ENOENT},
		{MOUNT("/", "/proc", "proc", "rw,hidepid=1") MOUNT("/", "/proc", "proc", "rw"), 0},
		{"", -ENOENT},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(parse_mount_hidepid(cases[i].text), cases[i].value);
}

/* The list of Linux 6.18, with names that try to look like another thread's line. */
static void the_schedulers_own_group_is_found(void **state)
{
	static const char text[] = "cfs_rq[0]:/autogroup-3070\n"
				   " S            task   PID       vruntime   eligible    deadline   node   "
				   "group-id  group-path\n"
				   " S            bash 27078    243122.933121   E   243124.333121   1.400000 "
				   "  0      0        /autogroup-3070\n"
				   " S     42 1.5 x 42   77    -43122.933121   E   243124.333121   1.400000  "
				   " 0      0        /user.slice/a\n"
				   ">R          a 42 b 4242    243122.933121   E   243124.333121   1.400000  "
				   " 0      0        /\n"
				   " S            last    43    243122.933121   E   243124.333121   1.400000 "
				   "  0      0        nothing\n";
	char path[32];

	(void)state;
	assert_int_equal(schedgroup_parse(text, 27078, path, sizeof(path)), 0);
	assert_string_equal(path, "/autogroup-3070");
	assert_int_equal(schedgroup_parse(text, 77, path, sizeof(path)), 0);
	assert_string_equal(path, "/user.slice/a");
	assert_int_equal(schedgroup_parse(text, 4242, path, sizeof(path)), 0);
	assert_string_equal(path, "/");
	assert_int_equal(schedgroup_parse(text, 43, path, sizeof(path)), -ENOENT);
	assert_int_equal(schedgroup_parse(text, 42, path, sizeof(path)), -ENOENT);
	assert_int_equal(schedgroup_parse(text, 1, path, sizeof(path)), -ENOENT);
	assert_int_equal(schedgroup_parse(text, 27078, path, 4), -ENAMETOOLONG);
	assert_int_equal(schedgroup_parse("", 1, path, sizeof(path)), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_schedulers_own_group_is_found),
		cmocka_unit_test(stat_tells_flags_and_real_time),
		cmocka_unit_test(status_numbers_follow_their_key),
		cmocka_unit_test(limits_are_soft_limits),
		cmocka_unit_test(sched_values_stand_below_the_dashes),
		cmocka_unit_test(autogroups_have_a_number_and_a_nice),
		cmocka_unit_test(cpu_times_are_kept_by_cpu),
		cmocka_unit_test(cgroup_files_are_read_strictly),
		cmocka_unit_test(cpu_mounts_are_told_apart),
		cmocka_unit_test(hidepid_is_a_word_or_a_number),
	};

	return cmocka_run_group_tests_name("parse", tests, NULL, NULL);
}
