/* A real lab whose files fail or change their size, and the elevator as a knob. */
#include "base/clock.h"
#include "diskrun.h"
#include "labrun.h"
#include "pause.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATIENCE LABRUN_PATIENCE
#define HUGE_FILE (1L << 40) /* of which twice as much is free nowhere */
#define LOOP_SIZE (UINT64_C(64) << 20)

static bool is_marked(const struct timeline *t, const char *text)
{
	for (size_t i = 0; i < TIMELINE_MARKS; i++)
		if (strstr(t->marks[i].text, text))
			return true;
	return false;
}

/* So many of a group have stopped by themselves, with this in its fault, and the rest runs. */
struct failed {
	int group;
	unsigned count, running;
	const char *words;
};

static bool has_failed(const struct snapshot *s, const void *arg)
{
	const struct failed *want = arg;
	const struct snapshot_group *g = &s->groups[want->group];

	return s->phase == PHASE_RUNNING && g->refused == want->count && g->running == want->running &&
	       strstr(g->fault, want->words) != NULL;
}

static bool loads(const struct snapshot *s, const void *arg)
{
	(void)arg;
	return labrun_is_running(s, NULL) && !s->groups[HOGS].refused && !s->groups[HOGS].fault[0] &&
	       !s->groups[VICTIM].fault[0] && !s->groups[HOGS].preparing && !s->groups[VICTIM].preparing &&
	       s->groups[VICTIM].latency.baseline_known;
}

static unsigned times_told(const struct snapshot *s, const char *text)
{
	unsigned n = 0;

	for (size_t i = 0; i < s->njournal; i++)
		n += strstr(s->journal[i].text, text) != NULL;
	return n;
}

static bool told_again(const struct snapshot *s, const void *arg)
{
	return s->njournal && s->journal[0].number > *(const uint64_t *)arg &&
	       times_told(s, "twice the size of its file") > 0;
}

/* Told once for all of them, in the group's fault, the journal and on the time line; not tried again by itself; tried again when
 * asked to. */
static void hogs_that_fail_wait_to_be_asked(void **state)
{
	struct diskrun *d = *state;
	const struct failed want = {HOGS, 1, 0, "twice the size of its file must be free (ENOSPC"};
	struct lab *lab;
	const struct snapshot *s;
	uint64_t last;

	d->config.groups[HOGS].kind = LOAD_WRITE_HOG;
	d->config.groups[HOGS].knobs[KNOB_COUNT] = 1;
	d->config.knobs[KNOB_FILE] = d->config.knobs[KNOB_SPACE] = HUGE_FILE;
	lab = diskrun_start(d);
	s = diskrun_await(lab, has_failed, &want);
	assert_true(is_marked(&s->groups[VICTIM].timeline, "nl-hog-1 stopped"));
	s = labrun_sleep(lab, 1);
	assert_int_equal(times_told(s, want.words), 1);
	last = s->journal[0].number;
	assert_true(has_failed(labrun_sleep(lab, 1), &want));
	labrun_send(lab, COMMAND_RESPAWN);
	last = diskrun_await(lab, told_again, &last)->journal[0].number;
	labrun_set(lab, HOGS, KNOB_COUNT, 1);
	diskrun_await(lab, told_again, &last);
	labrun_set(lab, -1, KNOB_FILE, DISKRUN_FILE);
	diskrun_await(lab, loads, NULL);
	lab_stop(lab);
}

/* Many that fail alike are one piece of news. */
static void many_that_fail_alike_are_told_once(void **state)
{
	struct diskrun *d = *state;
	struct lab *lab;
	const struct snapshot *s;

	d->config.groups[HOGS].kind = LOAD_WRITE_HOG;
	d->config.groups[HOGS].knobs[KNOB_COUNT] = 20;
	d->config.knobs[KNOB_SPACE] = KNOB_BYTES_MAX;
	assert_int_equal(rmdir(d->path), 0);
	lab = diskrun_start(d);
	diskrun_await(lab, has_failed,
		      &(struct failed){HOGS, 20, 0, "there is no directory for its file (ENOENT"});
	s = labrun_sleep(lab, 0.5);
	assert_int_equal(times_told(s, "there is no directory for its file"), 1);
	diskrun_set_kind(lab, HOGS, LOAD_SPIN);
	diskrun_await(lab, loads, NULL);
	lab_stop(lab);
}

/* Workers that were on their way when the kind changed, and fail at once, say nothing of the new kind. */
static void a_fault_of_the_kind_before_is_none_of_this(void **state)
{
	struct diskrun *d = *state;
	pid_t stage = 0;
	struct lab *lab;

	d->config.knobs[KNOB_SPACE] = KNOB_BYTES_MAX;
	d->config.groups[HOGS].kind = LOAD_READ_HOG;
	assert_int_equal(rmdir(d->path), 0);
	lab = diskrun_start(d);
	diskrun_await(lab, loads, NULL);
	stage = diskrun_child(getpid(), "nl-stage");
	for (int i = 0; i < 5; i++) {
		labrun_send(lab, COMMAND_END_HOGS);
		diskrun_set_kind(lab, HOGS, LOAD_READ_HOG);
		labrun_sleep(lab, 0.2);
		assert_int_equal(kill(stage, SIGSTOP), 0);
		labrun_set(lab, HOGS, KNOB_COUNT, 200);
		diskrun_set_kind(lab, HOGS, LOAD_SPIN);
		labrun_sleep(lab, 0.2);
		assert_int_equal(kill(stage, SIGCONT), 0);
		diskrun_await(lab, loads, NULL);
	}
	lab_stop(lab);
}

/* The baseline does not wait for a victim that has failed; another kind takes one. */
static void a_victim_that_fails_holds_up_nothing(void **state)
{
	struct diskrun *d = *state;
	struct lab *lab;
	uint64_t from = clock_now();

	d->config.groups[HOGS].knobs[KNOB_COUNT] = 1;
	d->config.groups[VICTIM].kind = LOAD_READ;
	d->config.knobs[KNOB_FILE] = HUGE_FILE;
	d->config.knobs[KNOB_SPACE] = HUGE_FILE;
	lab = diskrun_start(d);
	diskrun_await(lab, has_failed, &(struct failed){VICTIM, 1, 0, "nl-victim stopped: no room"});
	assert_true(clock_now() - from < 10 * NS_PER_SEC);
	assert_true(labrun_wait(lab, labrun_journal_has, "no baseline: the victim has stopped", PATIENCE));
	diskrun_await(lab, labrun_hogs_are, &(unsigned){1});
	diskrun_set_kind(lab, VICTIM, LOAD_WORK);
	diskrun_await(lab, loads, NULL);
	lab_stop(lab);
}

/* R makes a victim that had no chance to be measured one that has. */
static void a_respawn_after_a_fault_takes_the_baseline(void **state)
{
	struct diskrun *d = *state;
	struct lab *lab;

	d->config.groups[HOGS].knobs[KNOB_COUNT] = 1;
	d->config.groups[VICTIM].kind = LOAD_READ;
	assert_int_equal(chmod(d->path, 0700), 0);
	d->config.knobs[KNOB_USER] = USER_OTHER;
	if (geteuid() != 0 || !d->config.user.known)
		diskrun_skip("only root can act as another user");
	lab = diskrun_start(d);
	diskrun_await(lab, has_failed,
		      &(struct failed){VICTIM, 1, 0, "make a file in the directory (EACCES"});
	assert_int_equal(chmod(d->path, 01777), 0);
	labrun_send(lab, COMMAND_RESPAWN);
	diskrun_await(lab, loads, NULL);
	lab_stop(lab);
}

/* A tree that somebody removes under the walker. */
static void a_tree_that_goes_is_a_fault(void **state)
{
	struct diskrun *d = *state;
	char command[128];
	struct lab *lab;

	d->config.groups[HOGS].kind = LOAD_TREE_HOG;
	d->config.groups[HOGS].knobs[KNOB_COUNT] = 1;
	lab = diskrun_start(d);
	diskrun_await(lab, loads, NULL);
	snprintf(command, sizeof(command), "rm -rf %s/.nl-tree-*", d->path);
	assert_int_equal(system(command), 0);
	diskrun_await(lab, has_failed, &(struct failed){HOGS, 1, 0, "its tree could not be walked (ENOENT"});
	labrun_send(lab, COMMAND_RESPAWN);
	diskrun_await(lab, loads, NULL);
	lab_stop(lab);
}

/* Block, file and tree: smaller than a block is a block, and what O_DIRECT does not take is told. */
static void sizes_change_while_they_load(void **state)
{
	struct diskrun *d = *state;
	struct lab *lab;

	d->config.groups[HOGS].kind = LOAD_TREE_HOG;
	d->config.groups[HOGS].knobs[KNOB_COUNT] = 2;
	d->config.groups[VICTIM].kind = LOAD_READ;
	lab = diskrun_start(d);
	diskrun_await(lab, loads, NULL);
	labrun_set(lab, -1, KNOB_BLOCK, 4096);
	diskrun_await(lab, loads, NULL);
	labrun_set(lab, -1, KNOB_BLOCK, 2L << 20); /* larger than file and tree */
	diskrun_await(lab, loads, NULL);
	labrun_set(lab, HOGS, KNOB_THREADS, 3);
	diskrun_await(lab, loads, NULL);
	labrun_set(lab, -1, KNOB_BLOCK, 1000);
	diskrun_await(lab, has_failed, &(struct failed){VICTIM, 1, 0, "O_DIRECT"});
	labrun_set(lab, -1, KNOB_BLOCK, DISKRUN_BLOCK);
	diskrun_await(lab, loads, NULL);
	lab_stop(lab);
}

static pid_t victim_pid(const struct snapshot *s)
{
	for (size_t i = 0; i < s->nthreads; i++)
		if (s->threads[i].group == VICTIM)
			return s->threads[i].pid;
	return 0;
}

/* Who has no such file is left alone. */
static void a_size_starts_only_those_anew_that_have_it(void **state)
{
	struct diskrun *d = *state;
	struct lab *lab;
	pid_t victim, hog;
	const struct snapshot *s;

	d->config.groups[HOGS].kind = LOAD_TREE_HOG;
	d->config.groups[HOGS].knobs[KNOB_COUNT] = 1;
	d->config.groups[VICTIM].kind = LOAD_READ;
	lab = diskrun_start(d);
	s = diskrun_await(lab, loads, NULL);
	victim = victim_pid(s);
	hog = labrun_hog_pid(s, 1);
	labrun_set(lab, -1, KNOB_TREE, 2 * DISKRUN_TREE);
	labrun_sleep(lab, 0.5);
	s = diskrun_await(lab, loads, NULL);
	assert_int_equal(victim_pid(s), victim);
	assert_int_not_equal(labrun_hog_pid(s, 1), hog);
	hog = labrun_hog_pid(s, 1);
	labrun_set(lab, -1, KNOB_FILE, 2 * DISKRUN_FILE);
	labrun_sleep(lab, 0.5);
	s = diskrun_await(lab, loads, NULL);
	assert_int_not_equal(victim_pid(s), victim);
	assert_int_equal(labrun_hog_pid(s, 1), hog);
	lab_stop(lab);
}

static bool three_samples(const struct snapshot *s, const void *arg)
{
	(void)arg;
	return loads(s, NULL) && s->groups[VICTIM].latency.window.count >= 3;
}

/* A file of many blocks, read while the meaning of a sample changes: not even the fastest file is a block. */
static void samples_of_the_old_meaning_do_not_count(void **state)
{
	struct diskrun *d = *state;
	const struct snapshot_latency *l;
	struct lab *lab;
	uint64_t block;

	d->config.groups[VICTIM].kind = LOAD_READ;
	d->config.groups[VICTIM].knobs[KNOB_THREADS] = 1;
	d->config.knobs[KNOB_FILE] = 64L << 20;
	d->config.knobs[KNOB_BLOCK] = 16L << 10;
	d->config.knobs[KNOB_WINDOW] = 60;
	d->config.knobs[KNOB_INTERVAL] = 20;
	lab = diskrun_start(d);
	block = diskrun_await(lab, three_samples, NULL)->groups[VICTIM].latency.baseline_p50;
	labrun_set(lab, -1, KNOB_IO_SAMPLE, SAMPLE_FILE);
	labrun_sleep(lab, 0.3);
	l = &diskrun_await(lab, three_samples, NULL)->groups[VICTIM].latency;
	assert_true(l->baseline.min > 50 * block && l->window.min > 50 * block);
	labrun_set(lab, -1, KNOB_IO_SAMPLE, SAMPLE_BLOCK);
	labrun_sleep(lab, 0.3);
	l = &diskrun_await(lab, three_samples, NULL)->groups[VICTIM].latency;
	assert_true(l->baseline_p50 < 50 * block);
	lab_stop(lab);
}

/* A rate never jumps when counters begin anew, and what the victim had alone is about what it reads alone. */
static void rates_live_through_respawns(void **state)
{
	struct diskrun *d = *state;
	struct lab *lab;
	const struct snapshot *s;
	double alone;

	d->config.groups[VICTIM].kind = LOAD_BUFREAD;
	d->config.groups[VICTIM].knobs[KNOB_THREADS] = 1;
	lab = diskrun_start(d);
	diskrun_await(lab, loads, NULL);
	s = labrun_sleep(lab, 2.5);
	alone = s->groups[VICTIM].baseline_rate.value;
	assert_true(s->groups[VICTIM].rate.value > alone / 4 && s->groups[VICTIM].rate.value < alone * 4);
	for (int i = 0; i < 10; i++) {
		labrun_send(lab, COMMAND_RESPAWN);
		s = labrun_sleep(lab, 0.25);
		assert_true(s->groups[VICTIM].rate.value >= 0);
		assert_true(s->groups[VICTIM].rate.value < alone * 8);
	}
	diskrun_set_kind(lab, VICTIM, LOAD_READ);
	s = labrun_sleep(lab, 0.1);
	assert_false(s->groups[VICTIM].latency.baseline_known);
	assert_false(s->groups[VICTIM].baseline_rate.known);
	lab_stop(lab);
}

static bool elevator_is(const struct snapshot *s, const void *arg)
{
	return s->disk.device >= 0 && strcmp(s->disk.below.levels[s->disk.device].elevator, arg) == 0;
}

static void the_elevator_is_a_knob(void **state)
{
	struct diskrun *d = *state;
	char before[DISKRUN_WORD], device[LOOP_NAME];
	const struct snapshot *s;
	struct lab *lab;
	int hold;

	diskrun_use_loop(d, LOOP_SIZE);
	memcpy(device, d->config.scratch.loop, sizeof(device));
	hold = dup(d->config.scratch.dir);
	diskrun_elevator(device, before);
	d->config.groups[VICTIM].kind = LOAD_READ;
	lab = diskrun_start(d);
	diskrun_await(lab, loads, NULL);
	diskrun_set_elevator(lab, "cfq");
	diskrun_await(lab, labrun_journal_has, "'cfq' is none that the kernel offers");
	diskrun_set_elevator(lab, "bfq");
	diskrun_set_elevator(lab, "kyber"); /* while the other is under way: that, or after it */
	labrun_sleep(lab, 0.5);
	diskrun_set_elevator(lab, "mq-deadline");
	s = diskrun_await(lab, elevator_is, "mq-deadline");
	assert_true(s->disk.changed && s->disk.own_loop && !s->disk.shared);
	assert_string_equal(s->disk.before, before);
	diskrun_set_elevator(lab, "bfq");
	diskrun_await(lab, elevator_is, "bfq");
	lab_stop(lab);
	assert_true(diskrun_becomes(device, before));
	close(hold);
	assert_true(diskrun_is_detached(device));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(fn) cmocka_unit_test_setup_teardown(fn, diskrun_setup, diskrun_teardown)
		T(hogs_that_fail_wait_to_be_asked),
		T(many_that_fail_alike_are_told_once),
		T(a_fault_of_the_kind_before_is_none_of_this),
		T(a_victim_that_fails_holds_up_nothing),
		T(a_respawn_after_a_fault_takes_the_baseline),
		T(a_tree_that_goes_is_a_fault),
		T(sizes_change_while_they_load),
		T(a_size_starts_only_those_anew_that_have_it),
		T(samples_of_the_old_meaning_do_not_count),
		T(rates_live_through_respawns),
		T(the_elevator_is_a_knob),
	};

	return cmocka_run_group_tests_name("labfault", tests, NULL, NULL);
}
