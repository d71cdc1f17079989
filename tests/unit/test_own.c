/* What surrounds the own process, and changes of its policy, user and session group: on the kernel at hand, in children
 * that end with what they changed. What a privilege or a feature is missing for is skipped aloud. */
#include "kernel/cgroup.h"
#include "kernel/priority.h"
#include "kernel/surround.h"
#include "kernel/system.h"
#include "test.h"

#include <errno.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* For the steps in a child: the line that went wrong. */
#define FAIL_IF(condition)               \
	do {                             \
		if (condition)           \
			return __LINE__; \
	} while (0)

/* Runs the steps in a child: what they change ends with it. They return 0, or the line that went wrong. */
static void in_child(int (*steps)(void))
{
	int status = 0;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		int line = steps();
		if (line)
			dprintf(2, "in the child: line %d\n", line);
		_exit(line != 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void skip_test(const char *why)
{
	print_message("skipped: %s\n", why);
	skip();
}

static void the_own_process_is_read(void **state)
{
	struct procfs fs;
	struct surround s;
	struct thread_weight w;
	int rc;

	(void)state;
	assert_int_equal(procfs_open(&fs, NULL, NULL), 0);
	assert_int_equal(surround_read(&fs, getpid(), &s), 0);
	assert_true(s.owner_known && s.ruid == getuid() && s.euid == geteuid());
	assert_true(s.rlimit_nice.known);
	rc = thread_weight_read(&fs, getpid(), getpid(), &w);
	procfs_close(&fs);
	if (rc == -ENOENT)
		skip_test("this kernel has no /proc/PID/sched");
	assert_int_equal(rc, 0);
	assert_true(w.weight.known && w.weight.value >= 3 && w.weight.value <= 88761);
}

static void the_own_group_is_found(void **state)
{
	struct cgroup_reading r;
	struct cgroup_mounts m;
	struct cgroup_place own, p;
	struct procfs fs;
	int rc, read = -1;

	(void)state;
	assert_int_equal(procfs_open(&fs, NULL, NULL), 0);
	cgroup_mounts_read(&fs, &m);
	rc = cgroup_find(&fs, &m, 0, &own);
	if (rc == 0) {
		assert_int_equal(cgroup_find(&fs, &m, getpid(), &p), 0);
		assert_memory_equal(&p, &own, sizeof(p));
		read = cgroup_read(&fs, &own, &r);
	}
	procfs_close(&fs);
	if (rc == -ENOENT || rc == -EXDEV || (rc == 0 && !own.dir[0]))
		skip_test("no cpu controller can be seen here");
	assert_int_equal(rc, 0);
	assert_int_equal(read, 0);
	assert_true(r.weight.known == own.below_root);
}

static void the_own_host_is_read(void **state)
{
	struct cpu_times t[1024];
	struct system_reading r;
	struct system_rights rights;
	struct procfs fs;

	(void)state;
	assert_int_equal(procfs_open(&fs, NULL, NULL), 0);
	system_read(&fs, &r);
	system_rights_read(&fs, &rights);
	assert_int_equal(rights.euid, geteuid());
	assert_int_not_equal(rights.sys_nice, TRI_UNKNOWN);
	assert_int_not_equal(r.autogroup, TRI_UNKNOWN);
	assert_int_not_equal(r.foreign_pidns, TRI_UNKNOWN);
	assert_true(system_cpu_times(&fs, t, COUNT(t)) >= 1);
	procfs_close(&fs);
}

static int change_policies(void)
{
	bool reset = true;
	int policy = -1;

	FAIL_IF(priority_set_nice(0, 7) < 0);
	FAIL_IF(priority_set_policy(0, SCHED_BATCH, 0) < 0 || priority_own_nice() != 7);
	FAIL_IF(priority_get_policy(0, &policy, &reset) < 0 || policy != SCHED_BATCH || reset);
	FAIL_IF(priority_set_policy(0, SCHED_OTHER, 0) < 0 || priority_own_nice() != 7);
	FAIL_IF(priority_set_policy(0, SCHED_IDLE, 0) < 0);
	FAIL_IF(priority_get_policy(0, &policy, &reset) < 0 || policy != SCHED_IDLE);
	FAIL_IF(priority_set_policy(0, 77, 0) != -EINVAL);
	FAIL_IF(priority_set_policy(999999999, SCHED_OTHER, 0) != -ESRCH);
	FAIL_IF(priority_get_policy(999999999, &policy, &reset) != -ESRCH);
	return 0;
}

static int change_policies_as_root(void)
{
	const struct sched_param reset_on_fork = {0}, fifo = {.sched_priority = 5};
	bool reset = false;
	int policy = -1;

	FAIL_IF(sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &reset_on_fork) < 0);
	FAIL_IF(priority_set_nice(0, 7) < 0);
	FAIL_IF(priority_set_policy(0, SCHED_IDLE, 0) < 0);
	FAIL_IF(priority_set_policy(0, SCHED_OTHER, 0) < 0 || priority_own_nice() != 7);
	if (sched_setscheduler(0, SCHED_FIFO, &fifo) == 0) { /* refused in some groups */
		FAIL_IF(priority_set_policy(0, SCHED_OTHER, 0) < 0 || priority_own_nice() != 7);
		FAIL_IF(priority_set_policy(0, SCHED_RR, 3) < 0);
		FAIL_IF(priority_get_policy(0, &policy, &reset) < 0 || policy != SCHED_RR);
		FAIL_IF(priority_set_policy(0, SCHED_OTHER, 9) < 0 || priority_own_nice() != 7);
	}
	FAIL_IF(sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &reset_on_fork) < 0);
	FAIL_IF(priority_set_policy(0, SCHED_BATCH, 0) < 0);
	FAIL_IF(priority_get_policy(0, &policy, &reset) < 0 || policy != SCHED_BATCH || !reset);
	return 0;
}

static void policies_change_and_nice_stays(void **state)
{
	struct system_rights rights;
	struct procfs fs;

	(void)state;
	in_child(change_policies);
	assert_int_equal(procfs_open(&fs, NULL, NULL), 0);
	system_rights_read(&fs, &rights);
	procfs_close(&fs);
	if (rights.sys_nice != TRI_YES || rights.init_userns == TRI_NO)
		skip_test("the way back from SCHED_IDLE needs CAP_SYS_NICE");
	in_child(change_policies_as_root);
}

static int act(const struct procfs *fs)
{
	struct system_rights r;

	FAIL_IF(priority_act_as(65533, 65532) < 0);
	system_rights_read(fs, &r);
	FAIL_IF(r.euid != 65533 || geteuid() != 65533 || getegid() != 65532 || r.sys_nice != TRI_NO);
	FAIL_IF(priority_set_nice(0, -1) == 0);
	FAIL_IF(priority_act_as(65531, 65531) == 0); /* it has lost the right */
	FAIL_IF(priority_act_as(65531, 0) == 0); /* the group alone it could change */
	FAIL_IF(geteuid() != 65533 || getegid() != 65532);
	FAIL_IF(priority_act_as(0, 0) < 0);
	system_rights_read(fs, &r);
	FAIL_IF(r.euid != 0 || geteuid() != 0 || getegid() != 0);
	return 0;
}

static void *act_in_thread(void *result)
{
	struct procfs fs;

	if (procfs_open(&fs, NULL, NULL) == 0) {
		*(int *)result = act(&fs);
		procfs_close(&fs);
	}
	return NULL;
}

static void *back_in_thread(void *result)
{
	*(int *)result = geteuid() == 65533 ? priority_act_as(0, 0) : __LINE__;
	return NULL;
}

/* Root that may change its group, but not its user. */
static int act_without_setuid(void)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct caps[2];

	FAIL_IF(priority_act_as((uid_t)-1, 5) != -EINVAL || priority_act_as(5, (gid_t)-1) != -EINVAL);
	FAIL_IF(syscall(SYS_capget, &head, caps) < 0);
	caps[0].effective &= ~(1u << CAP_SETUID);
	FAIL_IF(syscall(SYS_capset, &head, caps) < 0);
	FAIL_IF(priority_act_as(65533, 65532) != -EPERM);
	FAIL_IF(geteuid() != 0 || getegid() != 0);
	return 0;
}

static int act_and_become(void)
{
	pthread_t other;
	int line = -1;
	gid_t group;

	FAIL_IF(pthread_create(&other, NULL, act_in_thread, &line));
	FAIL_IF(pthread_join(other, NULL) || line);
	FAIL_IF(priority_act_as(65533, 65532) < 0);
	line = -1;
	FAIL_IF(pthread_create(&other, NULL, back_in_thread, &line)); /* begins as user 65533, ends as root */
	FAIL_IF(pthread_join(other, NULL) || line);
	FAIL_IF(geteuid() != 65533); /* whatever the other thread did */
	FAIL_IF(priority_act_as(0, 0) < 0 || geteuid() != 0);
	FAIL_IF(priority_become(65533, 65532) < 0);
	FAIL_IF(getuid() != 65533 || geteuid() != 65533 || getgid() != 65532);
	FAIL_IF(getgroups(1, &group) != 1 || group != 65532);
	FAIL_IF(priority_act_as(0, 0) != -EPERM || priority_become(0, 0) != -EPERM);
	return 0;
}

static void root_acts_as_another_by_thread(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip_test("only root can act as another user");
	in_child(act_without_setuid);
	in_child(act_and_become);
}

static int write_autogroup(void)
{
	struct surround s;
	struct procfs fs;
	int rc;

	FAIL_IF(setsid() < 0 || procfs_open(&fs, NULL, NULL) < 0);
	FAIL_IF(autogroup_write(&fs, getpid(), 20) != -EINVAL);
	for (int i = 0; (rc = autogroup_write(&fs, getpid(), 4)) == -EAGAIN && i < 100; i++)
		nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
	FAIL_IF(rc < 0);
	FAIL_IF(surround_read(&fs, getpid(), &s) < 0 || s.has_autogroup != TRI_YES || s.autogroup_nice != 4);
	FAIL_IF(autogroup_write(&fs, 999999999, 0) != -ENOENT);
	procfs_close(&fs);
	return 0;
}

static void the_session_group_gets_a_nice(void **state)
{
	struct procfs fs;
	enum tri on;

	(void)state;
	assert_int_equal(procfs_open(&fs, NULL, NULL), 0);
	on = system_autogroup(&fs);
	procfs_close(&fs);
	if (on != TRI_YES)
		skip_test("no autogroup on this kernel");
	in_child(write_autogroup);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_own_process_is_read),
		cmocka_unit_test(the_own_group_is_found),
		cmocka_unit_test(the_own_host_is_read),
		cmocka_unit_test(policies_change_and_nice_stays),
		cmocka_unit_test(root_acts_as_another_by_thread),
		cmocka_unit_test(the_session_group_gets_a_nice),
	};

	return cmocka_run_group_tests_name("own", tests, NULL, NULL);
}
