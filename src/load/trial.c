/* A function run in a child that is thrown away afterwards. The child holds the only writing end of a pipe: its end of file is the end
 * of the child, whatever ended it, and one poll waits for that or for the time limit. */
#include "load/trial.h"
#include "base/clock.h"
#include "kernel/priority.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* What both processes see: `done` first, the result behind it. */
struct shared {
	_Alignas(64) bool done;
	_Alignas(64) unsigned char result[];
};

/* The child: its life tied to the parent (which may have died before prctl), and away from the terminal's signals. In a session of
 * its own it also does not compete with the session it came from, where autogroup keeps sessions apart. */
static _Noreturn void child_main(struct shared *s, trial_fn fn, const void *arg, pid_t parent)
{
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	prctl(PR_SET_NAME, "nl-trial");
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	fn(s->result, arg);
	s->done = true;
	_exit(0);
}

/* True when the child has ended within the limit. */
static bool wait_for_end(int fd)
{
	uint64_t now = clock_now(), until = now + TRIAL_MS * NS_PER_MS;
	struct pollfd p = {.fd = fd, .events = POLLIN};

	for (; now < until; now = clock_now()) {
		int rc = poll(&p, 1, (int)((until - now) / NS_PER_MS) + 1);
		if (rc > 0 || (rc < 0 && errno != EINTR))
			return rc > 0;
	}
	return false;
}

/* Ends it in any case. It may be at a priority that gets no turn in which to die: it is brought back as far as one may. */
static void end_child(pid_t pid, int own_nice)
{
	kill(pid, SIGKILL);
	priority_set_policy(pid, SCHED_OTHER, 0);
	priority_set_nice(pid, own_nice);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

static int run_child(struct shared *s, trial_fn fn, const void *arg)
{
	pid_t parent = getpid(), pid;
	int own_nice = priority_own_nice();
	int pair[2], rc;

	if (pipe(pair) < 0)
		return -errno;
	pid = fork();
	if (pid == 0) {
		close(pair[0]);
		child_main(s, fn, arg, parent);
	}
	rc = pid < 0 ? -errno : 0;
	close(pair[1]);
	if (pid > 0) {
		bool ended = wait_for_end(pair[0]);
		end_child(pid, own_nice);
		rc = s->done ? 0 : ended ? -ECANCELED : -ETIMEDOUT;
	}
	close(pair[0]);
	return rc;
}

int trial_run(trial_fn fn, const void *arg, void *result, size_t size)
{
	size_t whole = sizeof(struct shared) + size;
	struct shared *s = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int rc;

	if (s == MAP_FAILED)
		return -errno;
	memcpy(s->result, result, size);
	rc = run_child(s, fn, arg);
	memcpy(result, s->result, size);
	munmap(s, whole);
	return rc;
}
