/* A real lab with files: kinds, sizes, faults and space change while it runs, and figures stay what they say they are. */
#include "base/clock.h"
#include "diskrun.h"
#include "kernel/priority.h"
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
#define RATE_MOST 1e12 /* bytes a second: no disk and no page cache does that */
#define SPACE_OF(files) ((long)(files)*DISKRUN_FILE)

/* A condition, and on the way to it in every snapshot the figures must be sane. */
struct sane {
	labrun_fn fn;
	const void *arg;
};

static void check_rate(struct known_number rate)
{
	if (rate.known && !(rate.value >= 0 && rate.value < RATE_MOST))
		fail_msg("a rate of %g bytes a second", rate.value);
}

static bool is_sane_and(const struct snapshot *s, const void *arg)
{
	const struct sane *want = arg;

	for (size_t i = 0; i < s->ngroups; i++) {
		check_rate(s->groups[i].rate);
		check_rate(s->groups[i].baseline_rate);
	}
	for (size_t i = 0; s->disk.known && i < s->disk.below.nlevels; i++)
		check_rate(s->disk.use[i].rate);
	return want->fn(s, want->arg);
}

static const struct snapshot *await(struct lab *lab, labrun_fn fn, const void *arg)
{
	struct sane want = {fn, arg};
	const struct snapshot *s = labrun_wait(lab, is_sane_and, &want, PATIENCE);

	assert_non_null(s);
	return s;
}

struct loading {
	enum load_kind hogs, victim;
};

/* Everybody loads, and there is a baseline of the kind that runs. */
static bool all_load(const struct snapshot *s, const void *arg)
{
	const struct loading *want = arg;
	const struct snapshot_group *h = &s->groups[HOGS], *v = &s->groups[VICTIM];
	bool disk_hogs = load_kind(want->hogs)->io, disk_victim = load_kind(want->victim)->io;

	return labrun_is_running(s, NULL) && h->kind == want->hogs && v->kind == want->victim &&
	       !h->preparing && !v->preparing && v->latency.baseline_known && v->latency.window.count >= 5 &&
	       h->rate.known == disk_hogs && v->rate.known == disk_victim &&
	       (!disk_hogs || h->rate.value > 0) && (!disk_victim || v->rate.value > 0) &&
	       v->baseline_rate.known == disk_victim && (!disk_victim || v->baseline_rate.value > 0);
}

static void every_kind_once_in_one_run(void **state)
{
	struct diskrun *d = *state;
	struct loading want = {LOAD_SPIN, LOAD_WORK};
	struct lab *lab;

	d->config.groups[HOGS].knobs[KNOB_COUNT] = 2;
	lab = diskrun_start(d);
	await(lab, all_load, &want);
	for (int k = 0; k < LOAD_KIND_COUNT; k++) {
		bool is_victim = load_kind((enum load_kind)k)->is_victim;
		*(is_victim ? &want.victim : &want.hogs) = (enum load_kind)k;
		diskrun_set_kind(lab, is_victim ? VICTIM : HOGS, (enum load_kind)k);
		await(lab, all_load, &want);
	}
	diskrun_set_kind(lab, HOGS, LOAD_SPIN);
	diskrun_set_kind(lab, VICTIM, LOAD_WORK);
	want = (struct loading){LOAD_SPIN, LOAD_WORK};
	await(lab, all_load, &want);
	assert_true(diskrun_count_becomes(d->path, "", 0)); /* the trees are gone before the end */
	lab_stop(lab);
}

/* A kind of another side, or none at all, is nobody's. */
static void kinds_of_the_other_side_change_nothing(void **state)
{
	struct diskrun *d = *state;
	struct lab *lab = diskrun_start(d);
	const struct snapshot *s;

	diskrun_set_kind(lab, HOGS, LOAD_READ);
	diskrun_set_kind(lab, VICTIM, LOAD_READ_HOG);
	diskrun_set_kind(lab, 7, LOAD_READ);
	diskrun_set_kind(lab, -1, LOAD_READ);
	diskrun_set_kind(lab, VICTIM, (enum load_kind)LOAD_KIND_COUNT);
	s = labrun_sleep(lab, 0.5);
	assert_int_equal(s->groups[HOGS].kind, LOAD_SPIN);
	assert_int_equal(s->groups[VICTIM].kind, LOAD_WORK);
	lab_stop(lab);
}

/* Workers that begin stopped prepare nothing, and so can be looked at for as long as one likes. */
static bool two_prepare(const struct snapshot *s, const void *arg)
{
	(void)arg;
	return s->groups[HOGS].running == 2 && s->groups[HOGS].preparing == 2 && s->nthreads >= 3;
}

/* A sanitizer has threads of its own in each process. */
static bool is_hog(const struct snapshot_thread *t)
{
	return t->group == HOGS && t->tid == t->pid;
}

static void assert_unasked(const struct snapshot *s)
{
	for (size_t i = 0; i < s->nthreads; i++) {
		const struct snapshot_thread *t = &s->threads[i];
		if (!is_hog(t))
			continue;
		assert_false(t->nice_asked || t->ioprio_asked || t->policy_asked);
		assert_int_equal(t->nice_actual, priority_own_nice());
		assert_int_equal(ioprio_unpack(t->ioprio_actual).io_class, IOCLASS_NONE);
		assert_int_equal(t->status, STATUS_NONE);
	}
}

static bool two_are_at_ten_and_idle(const struct snapshot *s, const void *arg)
{
	unsigned n = 0;

	(void)arg;
	for (size_t i = 0; i < s->nthreads; i++)
		n += is_hog(&s->threads[i]) && s->threads[i].nice_actual == 10 && s->threads[i].nice_asked &&
		     s->threads[i].ioprio_asked &&
		     ioprio_unpack(s->threads[i].ioprio_actual).io_class == IOCLASS_IDLE;
	return n == 2 && s->groups[HOGS].preparing == 0;
}

static void who_prepares_is_asked_for_nothing(void **state)
{
	struct diskrun *d = *state;
	struct command thread = {.kind = COMMAND_THREAD_NICE, .group = HOGS, .value = 15},
		       ioprio = {.kind = COMMAND_THREAD_IOPRIO, .group = HOGS, .value = IOCLASS_IDLE << 13};
	struct lab *lab;

	d->config.groups[HOGS].kind = LOAD_WRITE_HOG;
	lab = diskrun_start(d);
	await(lab, labrun_is_running, NULL);
	labrun_send(lab, COMMAND_PAUSE);
	labrun_set(lab, HOGS, KNOB_COUNT, 2);
	thread.tid = ioprio.tid = labrun_hog_pid(await(lab, two_prepare, NULL), 1);
	labrun_set(lab, HOGS, KNOB_NICE_VALUE, 10);
	await(lab, labrun_journal_has, "hogs nice 10: asked of each as it starts");
	labrun_set(lab, HOGS, KNOB_IONICE, IOCLASS_IDLE << 13);
	labrun_set(lab, -1, KNOB_SCOPE, SCOPE_PROCESS);
	labrun_set(lab, -1, KNOB_SCOPE, SCOPE_THREADS);
	labrun_set(lab, -1, KNOB_CPUS, CPUS_ONE);
	assert_int_equal(lab_send(lab, &thread), 0);
	assert_int_equal(lab_send(lab, &ioprio), 0);
	await(lab, labrun_journal_has, "still makes its files");
	assert_unasked(labrun_sleep(lab, 1));
	labrun_send(lab, COMMAND_PAUSE);
	await(lab, two_are_at_ten_and_idle, NULL);
	lab_stop(lab);
}

/* The session's nice too, where each worker has one: the hog that loads gets it, those that prepare later. */
static bool sessions_are(const struct snapshot *s, const void *arg)
{
	char path[64], text[64] = "";
	const int *nice = arg;
	unsigned n = 0;

	for (size_t i = 0; i < s->nthreads; i++) {
		FILE *f;
		int group, value = 99;
		if (!is_hog(&s->threads[i]))
			continue;
		snprintf(path, sizeof(path), "/proc/%d/autogroup", (int)s->threads[i].pid);
		f = fopen(path, "r");
		if (f && fgets(text, sizeof(text), f) &&
		    sscanf(text, "/autogroup-%d nice %d", &group, &value) == 2)
			n += value == *nice;
		if (f)
			fclose(f);
	}
	return n == 2;
}

static void nor_is_its_session(void **state)
{
	struct diskrun *d = *state;
	int ten = 10, zero = 0;
	struct lab *lab;

	if (access("/proc/self/autogroup", F_OK) < 0)
		diskrun_skip("this kernel has no autogroup");
	d->config.groups[HOGS].kind = LOAD_WRITE_HOG;
	d->config.knobs[KNOB_SESSIONS] = SESSIONS_OWN;
	lab = diskrun_start(d);
	await(lab, labrun_is_running, NULL);
	labrun_send(lab, COMMAND_PAUSE);
	labrun_set(lab, HOGS, KNOB_COUNT, 2);
	await(lab, two_prepare, NULL);
	labrun_set(lab, HOGS, KNOB_SESSION_NICE, 10);
	labrun_sleep(lab, 0.5);
	await(lab, sessions_are, &zero);
	labrun_send(lab, COMMAND_PAUSE);
	await(lab, sessions_are, &ten);
	lab_stop(lab);
}

/* "Main only" means what it means for a running program: the other threads were there before, however long the file took. */
static bool only_main_is_at_five(const struct snapshot *s, const void *arg)
{
	unsigned at5 = 0, others = 0;

	(void)arg;
	for (size_t i = 0; i < s->nthreads; i++)
		if (s->threads[i].group == VICTIM && s->threads[i].nice_asked) {
			at5 += s->threads[i].index == 1 && s->threads[i].nice_actual == 5;
			others += s->threads[i].index > 1 && s->threads[i].nice_actual == priority_own_nice();
		}
	return at5 == 1 && others == 3;
}

static void main_only_counts_from_when_the_file_is_made(void **state)
{
	struct diskrun *d = *state;
	struct lab *lab;

	d->config.groups[VICTIM].kind = LOAD_READ;
	d->config.groups[VICTIM].knobs[KNOB_THREADS] = 4;
	d->config.groups[VICTIM].knobs[KNOB_NICE_VALUE] = 5;
	d->config.knobs[KNOB_SCOPE] = SCOPE_PROCESS;
	d->config.knobs[KNOB_INTERVAL] = 20;
	d->config.knobs[KNOB_FILE] = d->config.knobs[KNOB_SPACE] = 256L << 20;
	d->config.knobs[KNOB_BLOCK] = 64L << 20;
	lab = diskrun_start(d);
	await(lab, only_main_is_at_five, NULL);
	lab_stop(lab);
}

/* Paused while it prepares, and then killed by hand; killed while it loads: replaced. */
static bool hog_is_another(const struct snapshot *s, const void *arg)
{
	pid_t now = labrun_hog_pid(s, 1);

	return now && now != *(const pid_t *)arg && s->groups[HOGS].running == 2;
}

static void who_is_killed_by_hand_is_replaced(void **state)
{
	struct diskrun *d = *state;
	struct lab *lab;
	pid_t old;

	d->config.groups[HOGS].kind = LOAD_TREE_HOG;
	lab = diskrun_start(d);
	await(lab, labrun_is_running, NULL);
	labrun_send(lab, COMMAND_PAUSE);
	labrun_set(lab, HOGS, KNOB_COUNT, 2);
	old = labrun_hog_pid(await(lab, two_prepare, NULL), 1);
	pause_ns(NS_PER_SEC); /* else it counts as a quick death */
	assert_int_equal(kill(old, SIGKILL), 0);
	await(lab, hog_is_another, &old);
	labrun_send(lab, COMMAND_PAUSE);
	old = labrun_hog_pid(labrun_sleep(lab, 1.5), 1);
	assert_int_equal(kill(old, SIGKILL), 0);
	await(lab, hog_is_another, &old);
	assert_true(diskrun_count_becomes(d->path, ".nl-tree-", 2));
	lab_stop(lab);
}

static bool loads_mixed(const struct snapshot *s, const void *arg)
{
	const bool *mixed = arg;

	return s->groups[HOGS].running == 1 && (s->groups[HOGS].preparing == 0) == *mixed &&
	       s->groups[VICTIM].latency.window.count && (s->groups[VICTIM].latency.mixed_ns > 0) == *mixed;
}

/* A hog whose file takes long loads long after it was asked for: from then on samples of before are told as such. */
static void a_load_that_begins_late_is_a_change(void **state)
{
	struct diskrun *d = *state;
	struct lab *lab;
	bool mixed = false;
	pid_t hog;

	d->config.groups[HOGS].kind = LOAD_WRITE_HOG;
	d->config.knobs[KNOB_FILE] = 64L << 20;
	d->config.knobs[KNOB_WINDOW] = 1;
	lab = diskrun_start(d);
	await(lab, labrun_is_running, NULL);
	labrun_send(lab, COMMAND_PAUSE);
	labrun_set(lab, HOGS, KNOB_COUNT, 1);
	while (!(hog = labrun_hog_pid(labrun_sleep(lab, 0.2), 1)))
		;
	labrun_send(lab, COMMAND_PAUSE);
	for (int i = 0; i < 100; i++) { /* stops it again as soon as it goes on */
		assert_int_equal(kill(hog, SIGSTOP), 0);
		pause_ns(2 * NS_PER_MS);
	}
	await(lab, loads_mixed, &mixed);
	assert_int_equal(kill(hog, SIGCONT), 0);
	mixed = true;
	await(lab, loads_mixed, &mixed);
	lab_stop(lab);
}

/* Suspended and resumed while they prepare. */
static void a_suspension_while_they_prepare(void **state)
{
	struct diskrun *d = *state;
	struct lab *lab;

	d->config.groups[HOGS].kind = LOAD_TREE_HOG;
	d->config.groups[HOGS].knobs[KNOB_COUNT] = 2;
	d->config.groups[VICTIM].kind = LOAD_READ;
	lab = diskrun_start(d);
	await(lab, labrun_is_running, NULL);
	for (int i = 0; i < 3; i++) {
		labrun_send(lab, COMMAND_RESPAWN);
		pause_ns((uint64_t)(10 + 20 * i) * NS_PER_MS);
		assert_int_equal(lab_freeze(lab, true), 0);
		pause_ns(100 * NS_PER_MS);
		assert_int_equal(lab_freeze(lab, false), 0);
	}
	await(lab, all_load, &(struct loading){LOAD_TREE_HOG, LOAD_READ});
	lab_stop(lab);
}

struct count {
	unsigned hogs;
	const char *journal; /* and this was told; NULL: anything */
};

static bool count_is(const struct snapshot *s, const void *arg)
{
	const struct count *want = arg;

	return labrun_hogs_are(s, &want->hogs) && s->phase == PHASE_RUNNING &&
	       (!want->journal || labrun_journal_has(s, want->journal));
}

static unsigned times_told(const struct snapshot *s, const char *text)
{
	unsigned n = 0;

	for (size_t i = 0; i < s->njournal; i++)
		n += strstr(s->journal[i].text, text) != NULL;
	return n;
}

static void hogs_come_back_where_there_is_room(void **state)
{
	struct diskrun *d = *state;
	struct lab *lab;
	const struct snapshot *s;

	d->config.groups[HOGS].kind = LOAD_WRITE_HOG;
	d->config.groups[HOGS].knobs[KNOB_COUNT] = 4;
	d->config.knobs[KNOB_SPACE] = SPACE_OF(3);
	lab = diskrun_start(d);
	await(lab, count_is, &(struct count){3, "3 of 4 hogs"});
	s = labrun_sleep(lab, 1.5);
	assert_int_equal(times_told(s, "3 of 4 hogs"), 1);
	diskrun_set_kind(lab, VICTIM, LOAD_READ); /* takes the room of a hog, which nobody asked for */
	await(lab, count_is, &(struct count){2, "2 of 4 hogs"});
	labrun_set(lab, -1, KNOB_SPACE, SPACE_OF(5));
	await(lab, count_is, &(struct count){4, NULL});
	labrun_set(lab, -1, KNOB_SPACE, SPACE_OF(4));
	await(lab, count_is, &(struct count){3, "3 of 4 hogs"});
	labrun_set(lab, -1, KNOB_FILE, DISKRUN_FILE / 2);
	await(lab, count_is, &(struct count){4, NULL});
	labrun_set(lab, HOGS, KNOB_COUNT, 9);
	await(lab, count_is, &(struct count){7, "7 of 9 hogs"});
	diskrun_set_kind(lab, HOGS, LOAD_SPIN);
	await(lab, count_is, &(struct count){9, NULL});
	lab_stop(lab);
}

static bool groups_are(const struct snapshot *s, const void *arg)
{
	const unsigned *want = arg;

	return s->groups[0].running == want[0] && s->groups[1].running == want[1] &&
	       s->groups[2].running == want[2];
}

/* Victims first, then the hogs, group by group. */
static void several_groups_share_the_room(void **state)
{
	struct diskrun *d = *state;
	const unsigned all[] = {2, 1, 1}, none_left[] = {0, 1, 0}, only_trees[] = {0, 1, 2};
	struct lab *lab;

	d->config.ngroups = 3;
	d->config.groups[0].kind = LOAD_WRITE_HOG;
	d->config.groups[2] = d->config.groups[0];
	d->config.groups[0].knobs[KNOB_COUNT] = 2;
	d->config.groups[2].knobs[KNOB_COUNT] = 2;
	d->config.groups[1].kind = LOAD_READ;
	d->config.knobs[KNOB_SPACE] = SPACE_OF(4);
	lab = diskrun_start(d);
	await(lab, groups_are, all);
	labrun_set(lab, -1, KNOB_SPACE, DISKRUN_FILE);
	await(lab, groups_are, none_left);
	diskrun_set_kind(lab, 2, LOAD_SPIN);
	await(lab, groups_are, only_trees);
	lab_stop(lab);
}

/* A victim without room is no reason to wait for its baseline. */
static bool runs_without_victim(const struct snapshot *s, const void *arg)
{
	(void)arg;
	return s->phase == PHASE_RUNNING && s->groups[HOGS].running == 1 && s->groups[VICTIM].running == 0;
}

static void a_victim_without_room(void **state)
{
	struct diskrun *d = *state;
	struct lab *lab;
	uint64_t from = clock_now();

	d->config.groups[HOGS].knobs[KNOB_COUNT] = 1;
	d->config.groups[VICTIM].kind = LOAD_READ;
	d->config.knobs[KNOB_SPACE] = 4096;
	lab = diskrun_start(d);
	await(lab, runs_without_victim, NULL);
	assert_true(clock_now() - from < 10 * NS_PER_SEC);
	labrun_set(lab, -1, KNOB_SPACE, SPACE_OF(1));
	await(lab, all_load, &(struct loading){LOAD_SPIN, LOAD_READ});
	lab_stop(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(fn) cmocka_unit_test_setup_teardown(fn, diskrun_setup, diskrun_teardown)
		T(every_kind_once_in_one_run),
		T(kinds_of_the_other_side_change_nothing),
		T(who_prepares_is_asked_for_nothing),
		T(nor_is_its_session),
		T(main_only_counts_from_when_the_file_is_made),
		T(who_is_killed_by_hand_is_replaced),
		T(a_load_that_begins_late_is_a_change),
		T(a_suspension_while_they_prepare),
		T(hogs_come_back_where_there_is_room),
		T(several_groups_share_the_room),
		T(a_victim_without_room),
	};

	return cmocka_run_group_tests_name("labdisk", tests, NULL, NULL);
}
