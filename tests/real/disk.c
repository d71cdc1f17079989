/* Real effects on disks: what class and level do under each elevator. On a loop device of nicelab's own, so that no real disk is
 * touched but by reading and writing a few files; margins are wide, each effect is tried up to four times, and where this machine
 * cannot show one the test says so and skips. */
#include "base/clock.h"
#include "labrun.h"
#include "load/scratch.h"
#include "test.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define TRIES 4
#define LOOP_SIZE (UINT64_C(256) << 20)
#define PATIENCE 60.0
#define BE(level) ((int)((IOCLASS_BE << 13) | (level)))
#define IDLE ((int)(IOCLASS_IDLE << 13))

struct setting {
	const char *elevator; /* NULL: on no loop device, but in the directory itself */
	bool direct; /* of the loop device */
	const char *dir; /* NULL: the default */
	enum load_kind victim, hogs;
	long hog_count, hog_depth;
};

static struct lab *lab;

/* What a machine may lack. */
static bool lacks(const char *what, int rc)
{
	printf("  skipped: %s: %s\n", what, strerror(-rc));
	return false;
}

static bool make_scratch(const struct setting *set, struct lab_config *c)
{
	const char *why;
	uint64_t room;
	int rc = scratch_open(&c->scratch, set->dir);

	if (rc < 0)
		return lacks("no directory for files", rc);
	if (!set->elevator)
		return true;
	if (geteuid() != 0)
		return lacks("a loop device can be made by root only", -EPERM);
	rc = scratch_try(&c->scratch, LOOP_SIZE, set->direct, &room);
	if (rc == 0)
		rc = scratch_loop(&c->scratch, LOOP_SIZE, set->direct, &why);
	else
		why = "no file for a loop device";
	snprintf(c->elevator, sizeof(c->elevator), "%s", set->elevator);
	return rc == 0 || lacks(why, rc);
}

static bool start(const struct setting *set)
{
	struct lab_config *c = malloc(sizeof(*c));
	char why[200];
	bool ok;

	assert_non_null(c);
	lab_config_default(c);
	c->groups[HOGS].kind = set->hogs;
	c->groups[VICTIM].kind = set->victim;
	c->groups[HOGS].knobs[KNOB_COUNT] = set->hog_count;
	c->groups[HOGS].knobs[KNOB_THREADS] = set->hog_depth;
	c->groups[VICTIM].knobs[KNOB_THREADS] = 1;
	c->groups[HOGS].knobs[KNOB_IONICE] = c->groups[VICTIM].knobs[KNOB_IONICE] = BE(0);
	c->knobs[KNOB_FILE] = 16L << 20;
	c->knobs[KNOB_BLOCK] = 64L << 10;
	c->knobs[KNOB_WINDOW] = 30;
	ok = make_scratch(set, c);
	if (ok && c->elevator[0] && lab_check_elevator(c, why, sizeof(why)) < 0) {
		printf("  skipped: elevator %s: %s\n", c->elevator, why);
		ok = false;
	}
	if (ok) {
		lab = labrun_start(c);
		assert_non_null(labrun_wait(lab, labrun_is_running, NULL, PATIENCE));
	} else
		scratch_close(&c->scratch);
	free(c);
	return ok;
}

static int stop(void **state)
{
	(void)state;
	lab_stop(lab);
	lab = NULL;
	return 0;
}

/* A reader beside two deep ones, on a loop device with that elevator. */
static bool start_readers(const char *elevator)
{
	const struct setting set = {.elevator = elevator,
				    .victim = LOAD_READ,
				    .hogs = LOAD_READ_HOG,
				    .hog_count = 2,
				    .hog_depth = 4};

	return start(&set);
}

struct arm {
	int victim, hogs; /* raw ioprio */
};

/* Bytes a second that the victim gets in an arm, since it was turned to that. Not its median: that counts samples, and one that is
 * starved makes most of its few samples in the moments when nobody is in its way. */
static double rate_in(const struct arm *a, double seconds)
{
	const struct snapshot *s;

	labrun_set(lab, VICTIM, KNOB_IONICE, a->victim);
	labrun_set(lab, HOGS, KNOB_IONICE, a->hogs);
	s = labrun_sleep(lab, seconds);
	assert_non_null(s);
	assert_true(s->groups[VICTIM].rate.known);
	return s->groups[VICTIM].rate.value;
}

/* How many times less the victim gets in the second arm than in the first; tried again while it is not within the limits. One that
 * gets nothing is taken to get a byte a second. */
static double compare(const char *what, const struct arm *first, const struct arm *second, double least,
		      double most)
{
	double ratio = 0;

	for (int i = 0; i < TRIES; i++) {
		double before = rate_in(first, 4), after = rate_in(second, 4);
		ratio = before / (after < 1 ? 1 : after);
		printf("  %-44s x%.2f (%.1f MB/s, %.1f MB/s), allowed x%.2f to x%.4g, try %d\n", what, ratio,
		       before / 1e6, after / 1e6, least, most, i + 1);
		fflush(stdout);
		if (ratio >= least && ratio <= most)
			return ratio;
	}
	fail_msg("%s: x%.2f, allowed x%.2f to x%.4g", what, ratio, least, most);
	return ratio;
}

static const struct arm equal = {BE(0), BE(0)}, seven = {BE(7), BE(0)}, idle = {IDLE, BE(0)};

static void wait_verdict(const char *code)
{
	if (!labrun_wait(lab, labrun_has_verdict, code, PATIENCE))
		fail_msg("no verdict %s", code);
}

/* It is told of the victim, as its verdict or beside it. */
static bool tells(const struct snapshot *s, const void *arg)
{
	for (size_t i = 0; i < s->nverdicts; i++) {
		const struct snapshot_verdict *v = &s->verdicts[i];
		if (v->group != VICTIM)
			continue;
		if (strcmp(verdict_info(v->rule)->code, arg) == 0)
			return true;
		for (unsigned k = 0; k < v->nalso; k++)
			if (strcmp(verdict_info(v->also[k].rule)->code, arg) == 0)
				return true;
	}
	return false;
}

static void mq_deadline_honours_the_class_and_no_level(void **state)
{
	(void)state;
	if (!start_readers("mq-deadline"))
		skip();
	compare("mq-deadline: be/0, then be/7", &equal, &seven, 0, 1.5);
	wait_verdict("elevator-level-ignored");
	compare("mq-deadline: be/0, then idle", &equal, &idle, 3, 1e9);
	if (!labrun_wait(lab, labrun_has_no_verdict, "elevator-level-ignored", PATIENCE))
		fail_msg("the class is said to be ignored");
}

static void bfq_honours_levels(void **state)
{
	(void)state;
	if (!start_readers("bfq"))
		skip();
	compare("bfq: be/0, then be/7", &equal, &seven, 1.5, 1e9);
}

static void none_on_a_loop_honours_nothing(void **state)
{
	(void)state;
	if (!start_readers("none"))
		skip();
	compare("none: be/0, then idle", &equal, &idle, 0, 1.5);
	wait_verdict("elevator-none");
}

static void kyber_honours_nothing(void **state)
{
	(void)state;
	if (!start_readers("kyber"))
		skip();
	labrun_set(lab, VICTIM, KNOB_IONICE, IDLE);
	wait_verdict("elevator-kyber");
}

/* The loop device has no elevator, and the priority still works: by the one of the disk below. */
static void a_loop_with_direct_io_hands_the_class_down(void **state)
{
	const struct setting set = {.elevator = "none",
				    .direct = true,
				    .victim = LOAD_READ,
				    .hogs = LOAD_WRITE_HOG,
				    .hog_count = 2,
				    .hog_depth = 4};
	const struct snapshot *s;

	(void)state;
	if (!start(&set))
		skip();
	s = labrun_sleep(lab, 0.5);
	if (s->disk.below.counts < 1 ||
	    s->disk.below.levels[s->disk.below.counts].honours != BLOCK_HONOURS_CLASS) {
		printf("  skipped: below the loop device is no disk with mq-deadline, or this kernel's loop "
		       "devices lose "
		       "priorities\n");
		skip();
	}
	labrun_set(lab, VICTIM, KNOB_IONICE, IDLE);
	if (!labrun_wait(lab, tells, "stacked-device", PATIENCE))
		fail_msg("nothing is told of the device below");
	compare("loop with direct I/O: be/0, then idle", &equal, &idle, 1.7, 1e9);
}

static void warm_reads_never_reach_the_disk(void **state)
{
	const struct setting set = {
		.victim = LOAD_BUFREAD, .hogs = LOAD_BUFREAD_HOG, .hog_count = 2, .hog_depth = 1};

	(void)state;
	if (!start(&set))
		skip();
	compare("warm reads: be/0, then idle", &equal, &idle, 0, 1.5);
	wait_verdict("page-cache");
}

static bool hogs_have(const struct snapshot *s, const void *arg)
{
	for (size_t i = 0; i < s->nverdicts; i++)
		if (s->verdicts[i].group == HOGS && strcmp(verdict_info(s->verdicts[i].rule)->code, arg) == 0)
			return true;
	return false;
}

static void buffered_writers_in_idle_are_written_back_by_others(void **state)
{
	const struct setting set = {
		.victim = LOAD_READ, .hogs = LOAD_BUFWRITE_HOG, .hog_count = 1, .hog_depth = 1};

	(void)state;
	if (!start(&set))
		skip();
	labrun_set(lab, HOGS, KNOB_IONICE, IDLE);
	if (!labrun_wait(lab, hogs_have, "writeback", PATIENCE))
		fail_msg("no verdict writeback for the hogs");
}

static void memory_is_no_disk(void **state)
{
	const struct setting set = {.dir = "/dev/shm",
				    .victim = LOAD_READ,
				    .hogs = LOAD_READ_HOG,
				    .hog_count = 1,
				    .hog_depth = 1};
	struct block_place where;

	(void)state;
	if (block_find(set.dir, &where) < 0 || !where.memory) {
		printf("  skipped: %s is no tmpfs here\n", set.dir);
		skip();
	}
	if (!start(&set))
		skip();
	labrun_set(lab, VICTIM, KNOB_IONICE, IDLE);
	wait_verdict("tmpfs-direct");
}

/* On the machine's own disk: what reads of the victim pay under two writers. The kernel and the disk decide how much; only where
 * the elevator honours the class is anything asked. */
static void the_idle_class_is_a_cliff_on_the_own_disk(void **state)
{
	const struct setting set = {
		.victim = LOAD_READ, .hogs = LOAD_WRITE_HOG, .hog_count = 2, .hog_depth = 1};
	const struct snapshot *s;

	(void)state;
	if (!start(&set))
		skip();
	s = labrun_sleep(lab, 0.5);
	if (s->disk.below.counts < 0 ||
	    s->disk.below.levels[s->disk.below.counts].honours < BLOCK_HONOURS_CLASS) {
		printf("  skipped: the elevator of this disk honours no class\n");
		skip();
	}
	compare("own disk: be/0, then idle", &equal, &idle, 1.5, 1e9);
}

#define EFFECT(test) cmocka_unit_test_teardown(test, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		EFFECT(mq_deadline_honours_the_class_and_no_level),
		EFFECT(bfq_honours_levels),
		EFFECT(none_on_a_loop_honours_nothing),
		EFFECT(kyber_honours_nothing),
		EFFECT(a_loop_with_direct_io_hands_the_class_down),
		EFFECT(warm_reads_never_reach_the_disk),
		EFFECT(buffered_writers_in_idle_are_written_back_by_others),
		EFFECT(memory_is_no_disk),
		EFFECT(the_idle_class_is_a_cliff_on_the_own_disk),
	};

	return cmocka_run_group_tests_name("real effects on disks", tests, NULL, NULL);
}
