/* A function in a child that is thrown away, and the real tries in such children. */
#include "kernel/priority.h"
#include "kernel/tryout.h"
#include "load/trial.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct note {
	int given, got;
	pid_t pid;
};

static void write_note(void *result, const void *arg)
{
	struct note *n = result;

	n->got = n->given + *(const int *)arg;
	n->pid = getpid();
}

static void write_and_die(void *result, const void *arg)
{
	write_note(result, arg);
	raise(SIGKILL);
}

static void write_and_sleep(void *result, const void *arg)
{
	write_note(result, arg);
	for (;;)
		pause();
}

static void assert_no_child(void)
{
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void the_result_comes_back(void **state)
{
	struct note n = {.given = 40};

	(void)state;
	assert_int_equal(trial_run(write_note, &(int){2}, &n, sizeof(n)), 0);
	assert_int_equal(n.got, 42);
	assert_true(n.pid != getpid());
	assert_no_child();
}

static void a_child_that_dies_is_told_with_what_it_wrote(void **state)
{
	struct note n = {.given = 1};

	(void)state;
	assert_int_equal(trial_run(write_and_die, &(int){2}, &n, sizeof(n)), -ECANCELED);
	assert_int_equal(n.got, 3);
	assert_no_child();
}

static void a_child_that_hangs_is_killed(void **state)
{
	struct note n = {.given = 1};

	(void)state;
	assert_int_equal(trial_run(write_and_sleep, &(int){2}, &n, sizeof(n)), -ETIMEDOUT);
	assert_int_equal(n.got, 3);
	assert_int_equal(kill(n.pid, 0), -1);
	assert_no_child();
}

static void tell_pid_and_sleep(void *result, const void *arg)
{
	pid_t pid = getpid();

	(void)result;
	if (write(*(const int *)arg, &pid, sizeof(pid)) == sizeof(pid))
		for (;;)
			pause();
}

/* True when the process is gone, or a zombie that some other parent has to reap. */
static bool is_gone(pid_t pid)
{
	char path[32], text[256] = "";
	int fd;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return true;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	return n <= 0 || strstr(text, ") Z ") != NULL;
}

static void the_child_ends_with_its_parent(void **state)
{
	pid_t parent, child = 0;
	int pair[2];

	(void)state;
	assert_int_equal(pipe(pair), 0);
	parent = fork();
	if (parent == 0) {
		int nothing = 0;
		trial_run(tell_pid_and_sleep, &pair[1], &nothing, sizeof(nothing));
		_exit(0);
	}
	assert_int_equal(read(pair[0], &child, sizeof(child)), sizeof(child));
	kill(parent, SIGKILL);
	assert_int_equal(waitpid(parent, NULL, 0), parent);
	for (int i = 0; i < 200 && !is_gone(child); i++)
		poll(NULL, 0, 10);
	bool gone = is_gone(child);
	if (!gone)
		kill(child, SIGKILL);
	assert_true(gone);
	close(pair[0]);
	close(pair[1]);
}

static void try_one(void *result, const void *family)
{
	tryout_family(result, *(const unsigned *)family);
}

static void try_all(struct tryout *t)
{
	memset(t, 0, sizeof(*t));
	for (unsigned f = 0; f < TRYOUT_FAMILIES; f++)
		assert_int_equal(trial_run(try_one, &f, t, sizeof(*t)), 0);
}

/* Whoever runs this: each try says what the kernel stored, and a refusal leaves what was there. */
static void every_priority_is_tried_and_read_back(void **state)
{
	struct tryout t;
	int own = priority_own_nice(), before = NICE_MAX;

	(void)state;
	try_all(&t);
	assert_int_equal(priority_own_nice(), own);
	for (int nice = NICE_MAX; nice >= NICE_MIN; nice--) {
		const struct tryout_result *set = &t.set[nice - NICE_MIN], *back = &t.back[nice - NICE_MIN];
		assert_true(set->tried && set->read && back->tried && back->read);
		if (nice >= own)
			assert_true(set->error == 0 && set->actual == nice);
		assert_int_equal(back->actual, back->error ? before : nice);
		before = back->actual;
	}
	for (int i = 0; i < IOPRIO_CHOICES; i++)
		assert_true(t.ioprio[i].tried && t.ioprio[i].read);
	for (unsigned i = 0; i < TRYOUT_POLICIES; i++) {
		const struct tryout_policy *p = &t.policies[i];
		assert_true(p->set.tried && p->set.read);
		assert_int_equal(p->back.tried, p->set.error == 0);
		assert_int_equal(p->set.actual, p->set.error ? t.own_policy : tryout_policy_number(i));
	}
	assert_no_child();
}

/* As nobody: the way back is closed, from IDLE too, and each family begins afresh. */
static void an_ordinary_user_is_refused(void **state)
{
	pid_t child = fork();
	int status;

	(void)state;
	if (child == 0) {
		const struct rlimit none = {0, 0};
		struct tryout t;
		bool ok;
		setrlimit(RLIMIT_NICE, &none);
		setrlimit(RLIMIT_RTPRIO, &none);
		if (geteuid() == 0 && setresuid(65534, 65534, 65534) < 0)
			_exit(77);
		try_all(&t);
		ok = t.back[0].error == EACCES && t.back[0].actual == 19 && t.back[38].error == EACCES;
		ok = ok && t.ioprio[1].error == EPERM && t.ioprio[9].error == 0 && t.ioprio[17].error == 0;
		ok = ok && t.policies[2].set.error == 0 && t.policies[2].back.error == EPERM;
		ok = ok && t.policies[3].set.error == EPERM && !t.policies[3].back.tried;
		_exit(ok ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_result_comes_back),
		cmocka_unit_test(a_child_that_dies_is_told_with_what_it_wrote),
		cmocka_unit_test(a_child_that_hangs_is_killed),
		cmocka_unit_test(the_child_ends_with_its_parent),
		cmocka_unit_test(every_priority_is_tried_and_read_back),
		cmocka_unit_test(an_ordinary_user_is_refused),
	};

	return cmocka_run_group_tests_name("trial", tests, NULL, NULL);
}
