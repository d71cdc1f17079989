/* A real lab on a disk of its own: who counts as a rival there, what f does about it, and acting as another user. */
#include "base/clock.h"
#include "diskrun.h"
#include "labrun.h"
#include "pause.h"
#include "test.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
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

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(fn) cmocka_unit_test_setup_teardown(fn, diskrun_setup, diskrun_teardown)
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
