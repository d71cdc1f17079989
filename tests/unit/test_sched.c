/* Priority values, weights, the share prediction, CPU lists. Expected shares are those measured in KERNEL facts:
 * six hogs of nice -5 to 19 on one and on two CPUs, and groups. */
#include "sched/cpulist.h"
#include "sched/prio.h"
#include "sched/share.h"
#include "test.h"

#include <errno.h>
#include <math.h>
#include <sched.h>

static void ioprios_are_parsed(void **state)
{
	static const struct {
		const char *text;
		int rc, raw;
	} cases[] = {
		{"none", 0, 0},
		{"idle", 0, 3 << 13},
		{"be", 0, 2 << 13 | 4},
		{"be:0", 0, 2 << 13},
		{"be/7", 0, 2 << 13 | 7},
		{"rt:3", 0, 1 << 13 | 3},
		{"BE:1", 0, 2 << 13 | 1},
		{"best-effort:2", 0, 2 << 13 | 2},
		{"realtime", 0, 1 << 13 | 4},
		{"2:5", 0, 2 << 13 | 5},
		{"be:8", -ERANGE, 0},
		{"be:-1", -ERANGE, 0},
		{"idle:3", -ERANGE, 0},
		{"none:0", -ERANGE, 0},
		{"bee", -EINVAL, 0},
		{"", -EINVAL, 0},
		{"be:", -EINVAL, 0},
		{"be:x", -EINVAL, 0},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		int raw = 0;
		assert_int_equal(ioprio_parse(cases[i].text, &raw), cases[i].rc);
		assert_int_equal(raw, cases[i].raw);
	}
}

static void ioprios_are_formatted(void **state)
{
	char buf[24];

	(void)state;
	assert_string_equal(ioprio_format(buf, sizeof(buf), 0), "none");
	assert_string_equal(ioprio_format(buf, sizeof(buf), 3 << 13 | 7), "idle");
	assert_string_equal(ioprio_format(buf, sizeof(buf), 2 << 13 | 4), "be/4");
	assert_string_equal(ioprio_format(buf, sizeof(buf), 5 << 13 | 2), "class-5/2");
	assert_int_equal(ioprio_unpack(2 << 13 | 1 << 3).hint, 1); /* level 8 asked of Linux 6.5 */
}

static void effective_ioprio_follows_nice_only_without_a_class(void **state)
{
	static const int nice_to_level[][2] = {{-20, 0}, {-16, 0}, {-15, 1}, {-1, 3}, {0, 4},
					       {4, 4},	 {5, 5},   {10, 6},  {15, 7}, {19, 7}};

	(void)state;
	for (size_t i = 0; i < COUNT(nice_to_level); i++)
		assert_int_equal(ioprio_effective(0, nice_to_level[i][0], SCHED_OTHER),
				 2 << 13 | nice_to_level[i][1]);
	assert_int_equal(ioprio_effective(2 << 13 | 2, 19, SCHED_OTHER), 2 << 13 | 2);
	assert_int_equal(ioprio_effective(0, 0, SCHED_IDLE), 3 << 13 | 4);
	assert_int_equal(ioprio_effective(0, 0, SCHED_FIFO), 1 << 13 | 4);
}

static void asked_and_read_ioprios_are_compared_by_meaning(void **state)
{
	(void)state;
	assert_true(ioprio_same(3 << 13, 3 << 13 | 7, 0, SCHED_OTHER));
	assert_true(ioprio_same(0, 0, 0, SCHED_OTHER));
	assert_true(ioprio_same(0, 2 << 13 | 7, 19, SCHED_OTHER)); /* what some 5.x kernels read back */
	assert_false(ioprio_same(0, 2 << 13 | 1, 19, SCHED_OTHER));
	assert_false(ioprio_same(2 << 13 | 4, 2 << 13 | 5, 0, SCHED_OTHER));
	assert_false(ioprio_same(2 << 13 | 4, 0, 0, SCHED_OTHER));
}

static void the_slider_of_ioprios_goes_both_ways(void **state)
{
	(void)state;
	for (int i = 0; i < IOPRIO_CHOICES; i++)
		assert_int_equal(ioprio_choice_index(ioprio_choice(i)), i);
	assert_int_equal(ioprio_choice_index(2 << 13 | 8), -1);
}

static void policies_have_names(void **state)
{
	char buf[16];

	(void)state;
	assert_string_equal(policy_format(buf, sizeof(buf), SCHED_OTHER), "OTHER");
	assert_string_equal(policy_format(buf, sizeof(buf), 7), "EXT");
	assert_string_equal(policy_format(buf, sizeof(buf), 4), "policy-4");
	assert_string_equal(policy_format(buf, sizeof(buf), 99), "policy-99");
}

static void weights_are_the_kernels(void **state)
{
	(void)state;
	assert_int_equal(weight_of_nice(-20), 88761);
	assert_int_equal(weight_of_nice(0), 1024);
	assert_int_equal(weight_of_nice(19), 15);
	assert_int_equal(weight_of_nice(40), 15);
	assert_int_equal(weight_of_nice(-40), 88761);
	assert_int_equal(weight_of_task(-20, SCHED_IDLE), 3);
	assert_int_equal(weight_of_task(10, SCHED_BATCH), 110);
}

static void assert_near(double got, double want, double off)
{
	if (fabs(got - want) > off)
		fail_msg("got %g, want %g within %g", got, want, off);
}

static void six_nices_share_as_measured(void **state)
{
	static const int nices[] = {-5, 0, 5, 10, 15, 19};
	static const double one[] = {67.25, 22.06, 7.22, 2.37, 0.78, 0.32};
	static const double two[] = {100, 67.37, 22.04, 7.24, 2.37, 0.99};

	(void)state;
	for (int cpus = 1; cpus <= 2; cpus++) {
		struct share_task tasks[6];
		struct share_group group = {.weight = 1024};

		for (size_t i = 0; i < 6; i++)
			tasks[i] = (struct share_task){.weight = weight_of_nice(nices[i])};
		assert_int_equal(share_predict(tasks, 6, &group, 1, cpus), 0);
		for (size_t i = 0; i < 6; i++)
			assert_near(tasks[i].share * 100, cpus == 1 ? one[i] : two[i], 0.01);
		assert_near(group.cpus, cpus, 1e-9);
	}
}

static void groups_share_before_tasks_do(void **state)
{
	/* A group of one hog against a group of three, equal weights, 2 CPUs: 100 and 33.3 each. */
	struct share_task tasks[] = {{.group = 1, .weight = 15},
				     {.group = 2, .weight = 1024},
				     {.group = 2, .weight = 1024},
				     {.group = 2, .weight = 1024}};
	struct share_group groups[] = {{0}, {.weight = 1024}, {.weight = 1024}, {.weight = 1024}};

	(void)state;
	assert_int_equal(share_predict(tasks, 4, groups, 4, 2), 0);
	assert_near(tasks[0].share, 1, 1e-9);
	assert_near(tasks[1].share, 1.0 / 3, 1e-9);
	assert_near(groups[3].cpus, 0, 1e-9);
	/* Nice 0 and nice 19 in different groups of equal weight on one CPU: half each. */
	assert_int_equal(share_predict(tasks, 2, groups, 3, 1), 0);
	assert_near(tasks[0].share, 0.5, 1e-9);
	assert_near(tasks[0].low, 0.5, 1e-9);
	assert_near(tasks[0].high, 0.5, 1e-9);
}

/* /k with 2048 holds /k/a (1024) and /k/b (3072); beside /k a session of 1024; and one task of nice 19 directly at the top. One CPU. */
static void groups_are_poured_level_by_level(void **state)
{
	struct share_task tasks[] = {{.group = 2, .weight = 1024},
				     {.group = 3, .weight = 1024},
				     {.group = 3, .weight = 15},
				     {.group = 4, .weight = 15},
				     {.group = 0, .weight = 15}};
	struct share_group groups[] = {{0},
				       {.weight = 2048},
				       {.parent = 1, .weight = 1024},
				       {.parent = 1, .weight = 3072},
				       {.weight = 1024}};
	double top = 2048 + 1024 + 15;

	(void)state;
	assert_int_equal(share_predict(tasks, 5, groups, 5, 1), 0);
	assert_near(tasks[0].share, 2048 / top / 4, 1e-9);
	assert_near(tasks[1].share, 2048 / top * 3 / 4 * 1024 / 1039, 1e-9);
	assert_near(tasks[2].share, 2048 / top * 3 / 4 * 15 / 1039, 1e-9);
	assert_near(tasks[3].share, 1024 / top, 1e-9);
	assert_near(tasks[4].share, 15 / top, 1e-9);
	assert_int_equal(groups[1].tasks, 3);
	assert_near(groups[1].cpus, 2048 / top, 1e-9);
}

/* Measured: a nice-19 hog whose mate at nice 0 is on the other CPU got 64 % and not 99 % against two sessions, in a group of
 * 262144. Measured: two victim threads at 19 in one session against six hogs in a session each, 13.7 %. */
static void across_groups_and_cpus_a_range_is_given(void **state)
{
	struct share_task leak[] = {{.group = 1, .weight = 1024},
				    {.group = 1, .weight = 15},
				    {.group = 2, .weight = 1024},
				    {.group = 3, .weight = 1024}};
	struct share_group groups[8] = {{0}, {.weight = 262144}, {.weight = 1024}, {.weight = 1024}};
	struct share_task own[8] = {{.group = 1, .weight = 15}, {.group = 1, .weight = 15}};

	(void)state;
	assert_int_equal(share_predict(leak, 4, groups, 4, 2), 0);
	assert_true(leak[1].low < 0.64 && leak[1].high > 0.64);
	assert_true(leak[1].low <= leak[1].share && leak[1].share <= leak[1].high);
	for (size_t g = 1; g < 8; g++)
		groups[g] = (struct share_group){.weight = 1024};
	for (size_t i = 2; i < 8; i++)
		own[i] = (struct share_task){.group = i, .weight = 1024};
	assert_int_equal(share_predict(own, 8, groups, 8, 2), 0);
	assert_near(own[0].share, 1.0 / 7, 1e-9);
	assert_true(own[0].low < 0.137 && own[0].low > 0.11 && own[0].high < 0.16);
	/* One session: nothing to spread, the figure is exact. */
	assert_int_equal(share_predict(own, 2, groups, 2, 2), 0);
	assert_near(own[0].low, own[0].high, 1e-9);
}

static void nobody_gets_more_than_one_cpu(void **state)
{
	struct share_task tasks[] = {{.weight = 15}, {.weight = 88761}};
	struct share_group group = {.weight = 1024};

	(void)state;
	assert_int_equal(share_predict(tasks, 2, &group, 1, 8), 0);
	assert_near(tasks[0].share, 1, 1e-9);
	assert_near(tasks[1].share, 1, 1e-9);
	assert_int_equal(share_predict(tasks, 0, &group, 1, 8), 0);
	assert_near(group.cpus, 0, 1e-9);
}

static void the_slowdown_of_nice_19_is_205(void **state)
{
	struct share_task tasks[8];
	struct share_group group = {.weight = 1024};

	(void)state;
	for (size_t i = 0; i < 8; i++)
		tasks[i] = (struct share_task){.weight = weight_of_nice(i < 2 ? 19 : 0)};
	assert_int_equal(share_predict(tasks, 8, &group, 1, 2), 0);
	assert_near(1 / tasks[0].share, 205.8, 0.1);
}

static void cpu_lists_are_read_and_written(void **state)
{
	static const struct {
		const char *text;
		int rc;
		const char *again;
	} cases[] = {
		{"0", 0, "0"},		 {"0-3,6", 0, "0-3,6"},	 {"1,0", 0, "0-1"},
		{"5-5", 0, "5"},	 {"0-1\n", 0, "0-1"},	 {"1023", 0, "1023"},
		{"1024", -ERANGE, NULL}, {"3-1", -ERANGE, NULL}, {"", -EINVAL, NULL},
		{"a", -EINVAL, NULL},	 {"1,", -EINVAL, NULL},	 {"1-", -EINVAL, NULL},
		{"1;2", -EINVAL, NULL},	 {"-1", -EINVAL, NULL},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct cpulist l;
		char buf[64];
		assert_int_equal(cpulist_parse(cases[i].text, &l), cases[i].rc);
		if (cases[i].again)
			assert_string_equal(cpulist_format(buf, sizeof(buf), &l), cases[i].again);
	}
}

static void a_long_cpu_list_is_cut_with_a_sign(void **state)
{
	struct cpulist l, first;
	char buf[8];

	(void)state;
	assert_int_equal(cpulist_parse("2,4,6,8,10,12", &l), 0);
	assert_int_equal(cpulist_count(&l), 6);
	cpulist_format(buf, sizeof(buf), &l);
	assert_int_equal(buf[strlen(buf) - 1], '+');
	first = cpulist_first(&l);
	assert_int_equal(cpulist_count(&first), 1);
	assert_true(cpulist_has(&first, 2));
	assert_false(cpulist_has(&first, CPULIST_MAX + 3));
	first = cpulist_and(&first, &l);
	assert_false(cpulist_equal(&first, &l));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ioprios_are_parsed),
		cmocka_unit_test(ioprios_are_formatted),
		cmocka_unit_test(effective_ioprio_follows_nice_only_without_a_class),
		cmocka_unit_test(asked_and_read_ioprios_are_compared_by_meaning),
		cmocka_unit_test(the_slider_of_ioprios_goes_both_ways),
		cmocka_unit_test(policies_have_names),
		cmocka_unit_test(weights_are_the_kernels),
		cmocka_unit_test(six_nices_share_as_measured),
		cmocka_unit_test(groups_share_before_tasks_do),
		cmocka_unit_test(groups_are_poured_level_by_level),
		cmocka_unit_test(across_groups_and_cpus_a_range_is_given),
		cmocka_unit_test(nobody_gets_more_than_one_cpu),
		cmocka_unit_test(the_slowdown_of_nice_19_is_205),
		cmocka_unit_test(cpu_lists_are_read_and_written),
		cmocka_unit_test(a_long_cpu_list_is_cut_with_a_sign),
	};

	return cmocka_run_group_tests_name("sched", tests, NULL, NULL);
}
