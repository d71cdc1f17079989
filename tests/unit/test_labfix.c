/* A real lab on a disk of its own: who counts as a rival there, what f does about it, and acting as another user. */
#include "base/clock.h"
#include "diskrun.h"
#include "labrun.h"
#include "pause.h"
#include "test.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE LABRUN_PATIENCE
#define LOOP_SIZE (UINT64_C(64) << 20)
#define BE(level) (IOCLASS_BE << 13 | (level))
#define IDLE (IOCLASS_IDLE << 13)

static bool loads(const struct snapshot *s, const void *arg)
{
	(void)arg;
	return labrun_is_running(s, NULL) && !s->groups[HOGS].preparing && !s->groups[VICTIM].preparing &&
	       s->groups[VICTIM].latency.baseline_known;
}

static pid_t victim_pid(const struct snapshot *s)
{
	for (size_t i = 0; i < s->nthreads; i++)
		if (s->threads[i].group == VICTIM)
			return s->threads[i].pid;
	return 0;
}

static const struct snapshot *mend(struct lab *lab, const char *code, enum verdict_fix fix)
{
	const struct snapshot *s = labrun_wait(lab, labrun_has_verdict, code, PATIENCE);
	struct command c = {.kind = COMMAND_FIX, .value = (long)fix};
	const struct snapshot_verdict *v;

	if (!s)
		fail_msg("no verdict %s", code);
	v = labrun_verdict(s, code);
	if (v->fix != fix && v->other_fix != fix)
		fail_msg("%s offers %d and %d, not %d", code, v->fix, v->other_fix, fix);
	c.group = v->group;
	c.what = (int)v->what;
	c.tid = v->tid;
	assert_int_equal(lab_send(lab, &c), 0);
	if (!(s = labrun_wait(lab, labrun_has_no_verdict, code, PATIENCE)))
		fail_msg("%s is still there after its remedy", code);
	return s;
}

/* A lab on a loop device with this elevator, a reading victim of two threads, and so many hogs of a kind. */
static struct lab *start(struct diskrun *d, const char *elevator, enum load_kind hogs, long count)
{
	struct lab *lab;

	diskrun_use_loop(d, LOOP_SIZE);
	snprintf(d->config.elevator, sizeof(d->config.elevator), "%s", elevator);
	d->config.groups[HOGS].kind = hogs;
	d->config.groups[HOGS].knobs[KNOB_COUNT] = count;
	d->config.groups[VICTIM].kind = LOAD_READ;
	d->config.groups[VICTIM].knobs[KNOB_THREADS] = 2;
	lab = diskrun_start(d);
	diskrun_await(lab, loads, NULL);
	return lab;
}

/* Its own other thread is no rival, nor are hogs of the CPU, nor those that are paused or read from the cache. */
static void without_rivals_on_the_disk_there_is_no_contention(void **state)
{
	struct lab *lab = start(*state, "bfq", LOAD_SPIN, 1);
	const struct snapshot *s;

	labrun_set(lab, VICTIM, KNOB_IONICE, IDLE);
	s = mend(lab, "io-no-contention", FIX_DISK_HOGS);
	assert_int_equal(s->groups[HOGS].kind, LOAD_WRITE_HOG);
	diskrun_set_kind(lab, HOGS, LOAD_BUFREAD_HOG);
	diskrun_await(lab, labrun_has_verdict, "io-no-contention");
	diskrun_set_kind(lab, HOGS, LOAD_READ_HOG);
	diskrun_await(lab, labrun_has_no_verdict, "io-no-contention");
	labrun_send(lab, COMMAND_PAUSE);
	mend(lab, "io-no-contention", FIX_MORE_HOGS);
	labrun_send(lab, COMMAND_END_HOGS);
	s = mend(lab, "io-no-contention", FIX_MORE_HOGS);
	assert_int_equal(s->groups[HOGS].kind, LOAD_READ_HOG);
	diskrun_set_kind(lab, HOGS, LOAD_BUFWRITE_HOG); /* the flusher writes for them */
	diskrun_await(lab, labrun_has_no_verdict, "io-no-contention");
	lab_stop(lab);
}

/* Neither is offered where it would not help: hogs of the CPU where the disk has no room for others. */
static bool alone_without_fix(const struct snapshot *s, const void *arg)
{
	const struct snapshot_verdict *v = labrun_verdict(s, "io-no-contention");

	(void)arg;
	return v && v->fix == FIX_NONE && v->other_fix == FIX_NONE;
}

static void no_fix_is_offered_that_cannot_work(void **state)
{
	struct diskrun *d = *state;
	struct lab *lab;

	d->config.knobs[KNOB_SPACE] = DISKRUN_FILE;
	lab = start(d, "bfq", LOAD_SPIN, 0);
	labrun_set(lab, VICTIM, KNOB_IONICE, IDLE);
	diskrun_await(lab, alone_without_fix, NULL);
	lab_stop(lab);
}

struct class_is {
	int group;
	enum ioprio_class io_class;
};

static bool has_class(const struct snapshot *s, const void *arg)
{
	const struct class_is *want = arg;
	unsigned n = 0;

	for (size_t i = 0; i < s->nthreads; i++) {
		if (s->threads[i].group != want->group)
			continue;
		if (!s->threads[i].ioprio_known ||
		    ioprio_unpack(s->threads[i].ioprio_actual).io_class != (int)want->io_class)
			return false;
		n++;
	}
	return n > 0;
}

/* Levels mean nothing to mq-deadline: the one that was to wait gets class idle, however the levels stand to each other. */
static void levels_become_classes(void **state)
{
	struct lab *lab = start(*state, "mq-deadline", LOAD_READ_HOG, 2);

	labrun_set(lab, HOGS, KNOB_NICE_VALUE, -20); /* be/0; they are asked for no level, and told of none */
	labrun_set(lab, VICTIM, KNOB_IONICE, BE(3)); /* lower than theirs */
	mend(lab, "elevator-level-ignored", FIX_CLASS_IDLE);
	diskrun_await(lab, has_class, &(struct class_is){VICTIM, IOCLASS_IDLE});
	diskrun_await(lab, has_class, &(struct class_is){HOGS, IOCLASS_NONE});
	labrun_set(lab, HOGS, KNOB_NICE_VALUE, 19); /* be/7 */
	labrun_set(lab, VICTIM, KNOB_IONICE, BE(6)); /* higher than theirs */
	mend(lab, "elevator-level-ignored", FIX_CLASS_IDLE);
	diskrun_await(lab, has_class, &(struct class_is){HOGS, IOCLASS_IDLE});
	diskrun_await(lab, has_class, &(struct class_is){VICTIM, IOCLASS_BE});
	labrun_set(lab, HOGS, KNOB_IONICE, BE(1));
	mend(lab, "elevator-level-ignored", FIX_ELEVATOR_LEVEL);
	lab_stop(lab);
}

/* Effective levels from nice and policy count too. */
static void levels_from_nice_are_levels(void **state)
{
	struct lab *lab = start(*state, "mq-deadline", LOAD_READ_HOG, 1);

	labrun_set(lab, VICTIM, KNOB_IONICE, BE(4)); /* as the hog has it from nice 0 */
	diskrun_await(lab, labrun_has_no_verdict, "elevator-level-ignored");
	labrun_set(lab, HOGS, KNOB_NICE_VALUE, 19); /* be/7 */
	diskrun_await(lab, labrun_has_verdict, "elevator-level-ignored");
	labrun_set(lab, HOGS, KNOB_POLICY, POLICY_CHOICE_IDLE); /* class idle: that counts */
	diskrun_await(lab, labrun_has_no_verdict, "elevator-level-ignored");
	lab_stop(lab);
}

/* What the cache serves is told, and O_DIRECT mends it; elevators that use nothing are told, and another one mends that. */
static void caches_and_elevators_are_mended(void **state)
{
	struct lab *lab = start(*state, "none", LOAD_READ_HOG, 1);
	const struct snapshot *s;

	diskrun_set_kind(lab, VICTIM, LOAD_BUFREAD);
	labrun_set(lab, VICTIM, KNOB_IONICE, IDLE);
	s = mend(lab, "page-cache", FIX_DIRECT);
	assert_int_equal(s->groups[VICTIM].kind, LOAD_READ);
	mend(lab, "elevator-none", FIX_ELEVATOR_CLASS);
	diskrun_set_elevator(lab, "kyber");
	mend(lab, "elevator-kyber", FIX_ELEVATOR_LEVEL);
	diskrun_set_kind(lab, HOGS, LOAD_BUFWRITE_HOG);
	labrun_set(lab, HOGS, KNOB_IONICE, IDLE);
	s = mend(lab, "writeback", FIX_DIRECT);
	assert_int_equal(s->groups[HOGS].kind, LOAD_WRITE_HOG);
	lab_stop(lab);
}

static bool acts_as_user(const struct snapshot *s, const void *arg)
{
	(void)arg;
	return loads(s, NULL) && s->knobs[KNOB_USER] == USER_OTHER;
}

static void another_user_makes_files_where_everybody_may(void **state)
{
	struct diskrun *d = *state;
	struct lab *lab;
	struct stat st;
	char path[64];

	if (geteuid() == 0 && !d->config.user.known)
		diskrun_skip("there is no user nobody");
	lab = start(d, "none", LOAD_TREE_HOG, 1);
	labrun_set(lab, -1, KNOB_USER, USER_OTHER);
	labrun_sleep(lab, 0.5);
	snprintf(path, sizeof(path), "/proc/%d", (int)victim_pid(diskrun_await(lab, acts_as_user, NULL)));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_uid, d->config.user.uid);
	diskrun_set_elevator(lab, "bfq");
	diskrun_await(lab, labrun_journal_has, "only root can set the elevator");
	diskrun_set_kind(lab, VICTIM, LOAD_BUFREAD);
	labrun_set(lab, VICTIM, KNOB_IONICE, IDLE);
	diskrun_await(lab, labrun_has_verdict, "page-cache"); /* it can see what its workers read */
	labrun_set(lab, -1, KNOB_USER, USER_STRANGER);
	diskrun_await(lab, labrun_has_no_verdict, "page-cache"); /* and not what those of root read */
	labrun_sleep(lab, 0.5);
	diskrun_await(lab, loads, NULL);
	lab_stop(lab);
}

static bool victim_prepares(const struct snapshot *s, const void *arg)
{
	(void)arg;
	return s->groups[VICTIM].preparing == 1 && s->groups[VICTIM].threads >= 1;
}

static bool hogs_run(const struct snapshot *s, const void *arg)
{
	(void)arg;
	return s->groups[HOGS].running > 0 || s->phase == PHASE_RUNNING;
}

/* A file may take longer than a baseline is waited for. */
static void the_baseline_waits_for_the_file(void **state)
{
	struct diskrun *d = *state;
	struct lab *lab;
	pid_t victim;

	d->config.groups[HOGS].knobs[KNOB_COUNT] = 1;
	d->config.groups[VICTIM].kind = LOAD_WRITE;
	d->config.knobs[KNOB_FILE] = d->config.knobs[KNOB_SPACE] = 512L << 20;
	lab = diskrun_start(d);
	victim = victim_pid(diskrun_await(lab, victim_prepares, NULL));
	assert_int_equal(kill(victim, SIGSTOP), 0);
	labrun_never(lab, hogs_run, 16.5);
	assert_int_equal(kill(victim, SIGCONT), 0);
	diskrun_await(lab, loads, NULL);
	lab_stop(lab);
}

/* Reads the same disk past the page cache until it is killed: somebody of whom nicelab knows nothing. */
static pid_t start_stranger(const char *path)
{
	const size_t size = 4u << 20;
	int fd = open(path, O_TMPFILE | O_RDWR | O_DIRECT | O_CLOEXEC, 0600);
	void *buffer;
	pid_t pid;

	if (fd < 0 || posix_memalign(&buffer, 4096, size))
		diskrun_skip("the directory takes no O_DIRECT");
	memset(buffer, 7, size);
	assert_true(pwrite(fd, buffer, size, 0) == (ssize_t)size);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		while (pread(fd, buffer, size, 0) == (ssize_t)size)
			;
		_exit(1);
	}
	close(fd);
	free(buffer);
	return pid;
}

static void end_stranger(pid_t pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static bool others_use_it(const struct snapshot *s, const void *arg)
{
	const bool *want = arg;

	return s->phase == PHASE_RUNNING && s->disk.foreign.known && (s->disk.foreign.value > 0) == *want;
}

static bool is_disturbed(const struct snapshot *s, const void *arg)
{
	(void)arg;
	return loads(s, NULL) && s->groups[VICTIM].latency.baseline_disturbed > SNAPSHOT_DISTURBED;
}

/* Load of others on the disk is told, and a baseline that was taken beside it too. */
static void others_on_the_disk_are_told(void **state)
{
	struct diskrun *d = *state;
	bool there = true, gone = false;
	struct lab *lab;
	pid_t stranger;

	d->config.groups[VICTIM].kind = LOAD_READ;
	lab = diskrun_start(d);
	if (diskrun_await(lab, loads, NULL)->disk.below.nlevels == 0)
		diskrun_skip("what is below the directory is not known");
	stranger = start_stranger(d->path);
	diskrun_await(lab, others_use_it, &there);
	assert_null(labrun_verdict(labrun_sleep(lab, 1), "io-no-contention"));
	labrun_send(lab, COMMAND_BASELINE);
	diskrun_await(lab, is_disturbed, NULL);
	end_stranger(stranger);
	diskrun_await(lab, others_use_it, &gone);
	lab_stop(lab);
}

static bool is_seen_to_the_bottom(const struct snapshot *s, const void *arg)
{
	const char *elevator = arg;

	return loads(s, NULL) && s->disk.below.nlevels > 1 &&
	       strcmp(s->disk.below.levels[0].elevator, elevator) == 0;
}

static bool is_not_seen_to_the_bottom(const struct snapshot *s, const void *arg)
{
	(void)arg;
	return s->disk.below.nlevels < 2;
}

/* A loop device is closed to the user that the lab acts as; what is below it is seen all the same, and the elevator that root asked for
 * on the command line is set. */
static void a_user_sees_below_the_loop_device(void **state)
{
	struct diskrun *d = *state;
	struct block_place where;
	struct lab *lab;

	if (block_find(d->path, &where) < 0 || major(where.dev) == 0)
		diskrun_skip("the directory is on no block device");
	diskrun_use_loop(d, LOOP_SIZE);
	snprintf(d->config.elevator, sizeof(d->config.elevator), "mq-deadline");
	d->config.knobs[KNOB_USER] = USER_OTHER;
	d->config.groups[VICTIM].kind = LOAD_READ;
	if (!d->config.user.known)
		diskrun_skip("there is no user nobody");
	lab = diskrun_start(d);
	diskrun_await(lab, is_seen_to_the_bottom, "mq-deadline");
	labrun_never(lab, is_not_seen_to_the_bottom, 2.5);
	lab_stop(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(fn) cmocka_unit_test_setup_teardown(fn, diskrun_setup, diskrun_teardown)
		T(others_on_the_disk_are_told),
		T(a_user_sees_below_the_loop_device),
		T(without_rivals_on_the_disk_there_is_no_contention),
		T(no_fix_is_offered_that_cannot_work),
		T(levels_become_classes),
		T(levels_from_nice_are_levels),
		T(caches_and_elevators_are_mended),
		T(another_user_makes_files_where_everybody_may),
		T(the_baseline_waits_for_the_file),
	};

	return cmocka_run_group_tests_name("labfix", tests, NULL, NULL);
}
