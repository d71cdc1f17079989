/* What surrounds a priority: groups, quotas, limits, rights. Readings from fixture trees. */
#include "kernel/cgroup.h"
#include "kernel/surround.h"
#include "kernel/system.h"
#include "test.h"

#include <errno.h>
#include <unistd.h>

/* tests/fixtures/NAME holds proc and sys. */
static struct procfs open_fixture(const char *name)
{
	char proc[128], sys[128];
	struct procfs fs;

	snprintf(proc, sizeof(proc), "tests/fixtures/%s/proc", name);
	snprintf(sys, sizeof(sys), "tests/fixtures/%s/sys", name);
	assert_int_equal(procfs_open(&fs, proc, sys), 0);
	return fs;
}

static int find(const char *tree, pid_t pid, struct cgroup_place *out)
{
	struct procfs fs = open_fixture(tree);
	struct cgroup_mounts m;
	int rc;

	cgroup_mounts_read(&fs, &m);
	rc = cgroup_find(&fs, &m, pid, out);
	procfs_close(&fs);
	return rc;
}

static struct cgroup_reading group_of(const char *tree, pid_t pid, struct cgroup_place *place)
{
	struct procfs fs = open_fixture(tree);
	struct cgroup_reading r;

	assert_int_equal(find(tree, pid, place), 0);
	assert_int_equal(cgroup_read(&fs, place, &r), 0);
	procfs_close(&fs);
	return r;
}

static void a_container_is_looked_up_below_its_mount(void **state)
{
	struct cgroup_place p;
	struct cgroup_reading r = group_of("container-v2", 4242, &p);

	(void)state;
	assert_int_equal(p.version, 2);
	assert_true(p.below_root);
	assert_string_equal(p.path, "/system.slice/docker-abc.scope/app"); /* the leaf has no cpu.weight */
	assert_string_equal(p.dir, "fs/cgroup/app");
	assert_string_equal(p.top, "fs/cgroup");
	assert_true(r.weight.value == 1024 && r.raw_weight.value == 100);
	assert_int_equal(r.idle, TRI_UNKNOWN); /* no such file */
	assert_true(r.quota.known && r.quota.value == 0.2); /* of the ancestor: the group's own is 1.5 */
	assert_string_equal(r.quota_path, "/system.slice/docker-abc.scope");
	assert_true(r.throttle_known);
	assert_int_equal(r.periods, 61);
	assert_int_equal(r.throttled, 60);
	assert_int_equal(r.throttled_ns, 4870000);
	assert_int_equal(r.mixed, TRI_NO); /* the leaf does not have the controller */
	assert_int_equal(r.rt_refused, TRI_UNKNOWN);
}

static void the_top_of_a_container_is_a_group_of_its_own(void **state)
{
	struct cgroup_place p;
	struct cgroup_reading r = group_of("container-v2", 4243, &p);

	(void)state;
	assert_true(p.below_root);
	assert_string_equal(p.dir, "fs/cgroup");
	assert_true(r.raw_weight.value == 39 && r.weight.value > 399 && r.weight.value < 400);
	assert_int_equal(r.idle, TRI_NO);
	assert_int_equal(r.mixed, TRI_YES);
	r = group_of("container-v2", 4247, &p);
	assert_true(r.quota.value == 0.2); /* its own is "max" */
	assert_int_equal(r.mixed, TRI_NO);
}

static void groups_out_of_sight_are_no_root_group(void **state)
{
	static const struct {
		pid_t pid;
		int rc;
	} cases[] = {{4244, -EXDEV},  {4245, -EXDEV},	     {4246, -EXDEV},
		     {4248, -ENOENT}, {4249, -ENAMETOOLONG}, {9999, -ENOENT}};
	static const struct cgroup_place none;
	static const struct cgroup_mounts no_mounts;
	struct procfs fs = open_fixture("container-v2");
	struct cgroup_reading r;
	struct cgroup_place p;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		memset(&p, 1, sizeof(p));
		assert_int_equal(find("container-v2", cases[i].pid, &p), cases[i].rc);
		assert_memory_equal(&p, &none, sizeof(p));
	}
	assert_int_equal(cgroup_find(&fs, &no_mounts, 4242, &p), -EXDEV);
	assert_int_equal(cgroup_read(&fs, &none, &r), -ENOENT);
	procfs_close(&fs);
	assert_int_equal(find("hidepid", 0, &p),
			 -EXDEV); /* the groups above the mount's root may have the weight */
	assert_int_equal(find("v1-cpu-group", 0, &p), 0); /* v1 tells without its mount */
	assert_true(p.below_root && p.version == 1 && !p.dir[0]);
}

static void v1_quotas_and_shares_are_read(void **state)
{
	struct cgroup_place p;
	struct cgroup_reading r = group_of("v1-quota", 4242, &p);

	(void)state;
	assert_int_equal(p.version, 1);
	assert_true(p.below_root);
	assert_string_equal(p.dir, "fs/cgroup/cpu,cpuacct/lab/hog");
	assert_true(r.weight.value == 2048 && r.raw_weight.value == 2048);
	assert_int_equal(r.idle, TRI_NO);
	assert_true(r.quota.value == 0.2);
	assert_string_equal(r.quota_path, "/lab/hog");
	assert_true(r.throttle_known);
	assert_int_equal(r.throttled_ns, 4870000000);
	assert_int_equal(r.rt_refused, TRI_YES);
	assert_int_equal(r.mixed, TRI_NO);
	r = group_of("v1-quota", 4244, &p);
	assert_true(r.quota.value == 1.5);
	assert_string_equal(r.quota_path, "/lab");
}

static void the_root_group_weighs_nothing(void **state)
{
	struct procfs fs = open_fixture("v1-quota");
	struct cgroup_place p, gone;
	struct cgroup_reading r = group_of("v1-quota", 4243, &p);

	(void)state;
	assert_false(p.below_root);
	assert_string_equal(p.path, "/");
	assert_string_equal(p.dir, "fs/cgroup/cpu,cpuacct");
	assert_false(r.weight.known || r.raw_weight.known || r.quota.known || r.throttle_known);
	assert_int_equal(r.idle, TRI_UNKNOWN);
	assert_int_equal(r.rt_refused, TRI_NO);
	assert_int_equal(r.mixed, TRI_YES);
	assert_int_equal(find("v1-quota", 4245, &gone), 0);
	assert_int_equal(cgroup_read(&fs, &gone, &r), -ENOENT);
	procfs_close(&fs);
	r = group_of("v2-idle", 4243, &p);
	assert_false(p.below_root || r.weight.known || r.quota.known);
	assert_int_equal(r.mixed, TRI_YES);
}

static void idle_groups_weigh_three(void **state)
{
	struct cgroup_place p;
	struct cgroup_reading r = group_of("v2-idle", 0, &p);

	(void)state;
	assert_string_equal(p.path, "/batch.slice");
	assert_int_equal(r.idle, TRI_YES);
	assert_true(r.weight.known && r.weight.value == 3);
	assert_true(r.raw_weight.known && r.raw_weight.value == 0);
	assert_false(r.quota.known || r.throttle_known);
}

static void what_surrounds_a_process_is_read(void **state)
{
	struct procfs fs = open_fixture("v1-quota");
	struct surround s;

	(void)state;
	assert_int_equal(surround_read(&fs, 4242, &s), 0);
	assert_int_equal(s.has_autogroup, TRI_YES);
	assert_int_equal(s.autogroup, 3070);
	assert_int_equal(s.autogroup_nice, 5);
	assert_true(s.owner_known && s.ruid == 1000 && s.euid == 1001);
	assert_true(s.rlimit_nice.known && s.rlimit_nice.value == 25);
	assert_int_equal(surround_read(&fs, 4243, &s), 0);
	assert_int_equal(s.has_autogroup, TRI_NO);
	assert_false(s.owner_known); /* its line is cut */
	assert_true(s.rlimit_nice.value == 40);
	assert_int_equal(surround_read(&fs, 4244, &s), 0);
	assert_int_equal(s.has_autogroup, TRI_UNKNOWN);
	assert_false(s.rlimit_nice.known);
	assert_int_equal(surround_read(&fs, 9999, &s), -ENOENT);
	procfs_close(&fs);
}

static void weights_are_those_of_the_scheduler(void **state)
{
	struct procfs fs = open_fixture("v1-quota");
	struct thread_weight w;

	(void)state;
	assert_int_equal(thread_weight_read(&fs, 4242, 4242, &w), 0);
	assert_true(w.weight.value == 15 && w.slice_ns.value == 1400000);
	assert_int_equal(thread_weight_read(&fs, 4242, 4299, &w), 0);
	assert_true(w.weight.value == 3);
	assert_false(w.slice_ns.known);
	assert_int_equal(thread_weight_read(&fs, 4242, 4300, &w), 0);
	assert_false(w.weight.known);
	assert_int_equal(thread_weight_read(&fs, 4242, 1, &w), -ENOENT);
	procfs_close(&fs);
}

static void rights_are_those_of_the_thread(void **state)
{
	struct procfs fs = open_fixture("sched-ext");
	struct system_rights r;

	(void)state;
	system_rights_read(&fs, &r);
	assert_int_equal(r.euid, 1001);
	assert_int_equal(r.sys_nice, TRI_YES);
	assert_int_equal(r.sys_admin, TRI_YES);
	assert_int_equal(r.seccomp, TRI_YES);
	assert_int_equal(r.init_userns, TRI_YES);
	procfs_close(&fs);
	fs = open_fixture("hidepid");
	system_rights_read(&fs, &r);
	assert_int_equal(r.seccomp, TRI_NO);
	assert_int_equal(r.init_userns, TRI_NO);
	procfs_close(&fs);
	fs = open_fixture("no-autogroup");
	system_rights_read(&fs, &r);
	assert_int_equal(r.euid, geteuid()); /* no Uid there */
	assert_int_equal(r.sys_nice, TRI_NO);
	assert_int_equal(r.seccomp, TRI_UNKNOWN);
	procfs_close(&fs);
}

static struct system_reading system_of(const char *tree)
{
	struct procfs fs = open_fixture(tree);
	struct system_reading r;

	system_read(&fs, &r);
	procfs_close(&fs);
	return r;
}

static void the_host_is_read(void **state)
{
	struct system_reading r = system_of("sched-ext");

	(void)state;
	assert_int_equal(r.autogroup, TRI_YES);
	assert_int_equal(r.sched_ext, TRI_YES);
	assert_string_equal(r.sched_ext_name, "lavd_1.0?[31m");
	assert_int_equal(r.hidepid, 0);
	assert_int_equal(r.foreign_pidns, TRI_NO);
	assert_int_equal(r.delayacct, TRI_YES);
	assert_int_equal(r.psi, TRI_YES);
	assert_int_equal(r.debugfs, TRI_YES);
	r = system_of("hidepid");
	assert_int_equal(r.autogroup, TRI_NO);
	assert_int_equal(r.sched_ext, TRI_NO);
	assert_string_equal(r.sched_ext_name, "");
	assert_int_equal(r.hidepid, 2); /* the later mount */
	assert_int_equal(r.foreign_pidns, TRI_YES);
	assert_int_equal(r.delayacct, TRI_NO);
	assert_int_equal(r.psi, TRI_NO);
	assert_int_equal(r.debugfs, TRI_NO);
	assert_int_equal(system_of("container-v2").foreign_pidns, TRI_YES);
	assert_int_equal(system_of("v2-root").foreign_pidns, TRI_UNKNOWN);
	assert_int_equal(system_of("v2-root").hidepid, -1);
	assert_int_equal(system_of("v2-root").sched_ext, TRI_NO);
}

static void cpus_and_their_siblings_are_read(void **state)
{
	struct procfs fs = open_fixture("sched-ext");
	struct cpu_times t[8];

	(void)state;
	assert_int_equal(system_cpu_times(&fs, t, 8), 4);
	assert_false(t[2].present);
	assert_int_equal(t[3].steal, 5);
	assert_int_equal(system_cpu_times(&fs, t, 1), 1);
	assert_int_equal(system_smt_sibling(&fs, 0), 2);
	assert_int_equal(system_smt_sibling(&fs, 2), 0);
	assert_int_equal(system_smt_sibling(&fs, 3), -1);
	assert_int_equal(system_smt_sibling(&fs, 7), -1);
	procfs_close(&fs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_container_is_looked_up_below_its_mount),
		cmocka_unit_test(the_top_of_a_container_is_a_group_of_its_own),
		cmocka_unit_test(groups_out_of_sight_are_no_root_group),
		cmocka_unit_test(v1_quotas_and_shares_are_read),
		cmocka_unit_test(the_root_group_weighs_nothing),
		cmocka_unit_test(idle_groups_weigh_three),
		cmocka_unit_test(what_surrounds_a_process_is_read),
		cmocka_unit_test(weights_are_those_of_the_scheduler),
		cmocka_unit_test(rights_are_those_of_the_thread),
		cmocka_unit_test(the_host_is_read),
		cmocka_unit_test(cpus_and_their_siblings_are_read),
	};

	return cmocka_run_group_tests_name("facts", tests, NULL, NULL);
}
