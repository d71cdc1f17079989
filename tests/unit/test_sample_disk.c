/* Devices and processes over the last seconds, from counters that are made up: what is told, and what is not. */
#include "sample/disk.h"
#include "test.h"
#include "tree.h"

#include <math.h>
#include <sys/sysmacros.h>

#define SECOND UINT64_C(1000000000)
#define STEP DISK_SPACING
#define MIB (UINT64_C(1) << 20)

/* A point of one device, at so many seconds. */
static void add_usage(struct sample_disk *d, double at, struct block_usage u)
{
	struct disk_point *p = &d->points[d->used++ % DISK_POINTS];

	*p = (struct disk_point){.at = (uint64_t)(at * 1e9), .known = {true}};
	p->use[0] = u;
}

static void assert_about(double value, double want)
{
	if (fabs(value - want) > 0.001 * (1 + fabs(want)))
		fail_msg("%g, not %g", value, want);
}

static void nothing_is_told_of_one_point(void **state)
{
	struct sample_disk d = {0};
	struct disk_use u = sample_disk_use(&d, 0);

	(void)state;
	assert_false(u.busy.known || u.rate.known || u.in_flight.known || u.now.known);
	add_usage(&d, 1, (struct block_usage){.reads_in_flight = 2, .writes_in_flight = 3});
	u = sample_disk_use(&d, 0);
	assert_true(u.now.known);
	assert_about(u.now.value, 5);
	assert_false(u.busy.known || u.rate.known || u.in_flight.known);
	add_usage(&d, 1, (struct block_usage){.reads = 9}); /* no time has gone by */
	assert_false(sample_disk_use(&d, 0).rate.known);
	assert_false(sample_disk_use(&d, BLOCK_LEVELS).now.known);
	assert_false(sample_disk_use(&d, 1).now.known);
}

static void figures_are_differences(void **state)
{
	struct sample_disk d = {0};
	struct disk_use u;

	(void)state;
	add_usage(&d, 10,
		  (struct block_usage){.reads = 100, .read_bytes = MIB, .busy_ms = 5000, .queue_ms = 9000});
	add_usage(&d, 12,
		  (struct block_usage){.reads = 300,
				       .writes = 5,
				       .read_bytes = 5 * MIB,
				       .write_bytes = MIB,
				       .busy_ms = 6500,
				       .queue_ms = 41000});
	u = sample_disk_use(&d, 0);
	assert_about(u.rate.value, 2.5 * (double)MIB);
	assert_about(u.busy.value, 0.75);
	assert_about(u.in_flight.value, 16);
	add_usage(&d, 12.1,
		  (struct block_usage){.reads = 300,
				       .writes = 5,
				       .read_bytes = 5 * MIB,
				       .write_bytes = MIB,
				       .busy_ms = 7900,
				       .queue_ms = 41000});
	assert_about(sample_disk_use(&d, 0).busy.value, 1); /* ticks are counted in whole ones */
}

/* The ring keeps two seconds: what was before does not count any more. */
static void old_points_are_forgotten(void **state)
{
	struct sample_disk d = {0};

	(void)state;
	add_usage(&d, 0, (struct block_usage){0});
	for (unsigned i = 1; i <= 3 * DISK_POINTS; i++)
		add_usage(&d, 0.4 * i, (struct block_usage){.reads = i, .read_bytes = 100 * MIB + i * MIB});
	assert_about(sample_disk_use(&d, 0).rate.value, 2.5 * (double)MIB);
}

/* Seven weeks of busy time, or a day of a deep queue: the kernel's 32 bits are full. */
static void times_that_wrap_go_on(void **state)
{
	struct sample_disk d = {0};
	struct disk_use u;

	(void)state;
	add_usage(&d, 1,
		  (struct block_usage){.reads = 1, .busy_ms = UINT32_MAX - 499, .queue_ms = UINT32_MAX});
	add_usage(&d, 3, (struct block_usage){.reads = 2, .busy_ms = 500, .queue_ms = 7999});
	u = sample_disk_use(&d, 0);
	assert_true(u.busy.known && u.in_flight.known && u.rate.known);
	assert_about(u.busy.value, 0.5);
	assert_about(u.in_flight.value, 4);
}

/* Another device came under the same name, or a counter went back: nothing is told but what is now. */
static void counters_that_went_back_tell_nothing(void **state)
{
	const struct block_usage before = {.reads = 10,
					   .writes = 10,
					   .read_bytes = 10 * MIB,
					   .write_bytes = 10 * MIB,
					   .busy_ms = 1000,
					   .queue_ms = 1000};
	struct block_usage after[6];

	(void)state;
	for (size_t i = 0; i < COUNT(after); i++)
		after[i] = before;
	after[0].reads--;
	after[1].writes--;
	after[2].read_bytes--;
	after[3].write_bytes--;
	after[4].busy_ms--;
	after[5].queue_ms--;
	for (size_t i = 0; i < COUNT(after); i++) {
		struct sample_disk d = {0};
		struct disk_use u;
		add_usage(&d, 1, before);
		after[i].reads_in_flight = 4;
		add_usage(&d, 3, after[i]);
		u = sample_disk_use(&d, 0);
		assert_false(u.busy.known || u.rate.known || u.in_flight.known);
		assert_about(u.now.value, 4);
	}
}

static void what_could_not_be_read_is_unknown(void **state)
{
	struct sample_disk d = {0};

	(void)state;
	add_usage(&d, 1, (struct block_usage){.reads = 1});
	add_usage(&d, 2, (struct block_usage){.reads = 2});
	d.points[1].known[0] = false;
	assert_false(sample_disk_use(&d, 0).now.known);
	d.points[1].known[0] = true;
	d.points[0].known[0] = false;
	assert_true(sample_disk_use(&d, 0).now.known);
	assert_false(sample_disk_use(&d, 0).rate.known);
}

static void write_disk(const struct tree *t, const char *name, const char *elevator, unsigned long sectors)
{
	char path[128], text[128];

	snprintf(path, sizeof(path), "sys/block/%s/stat", name);
	snprintf(text, sizeof(text), "7 0 %lu 100 0 0 0 0 0 100 100\n", sectors);
	tree_write(t, path, text);
	snprintf(path, sizeof(path), "sys/block/%s/inflight", name);
	tree_write(t, path, "1 2\n");
	snprintf(path, sizeof(path), "sys/block/%s/queue/scheduler", name);
	snprintf(text, sizeof(text), "none [%s]\n", elevator);
	tree_write(t, path, text);
	snprintf(path, sizeof(path), "sys/block/%s/dev", name);
	tree_write(t, path, "9:9\n");
}

static int make_tree(void **state)
{
	static struct tree t;

	tree_make(&t);
	write_disk(&t, "xda", "bfq", 0);
	write_disk(&t, "xdb", "bfq", 5000);
	tree_link(&t, "sys/dev/block/9:9", "../../block/xda");
	*state = &t;
	return 0;
}

static int drop_tree(void **state)
{
	tree_remove(*state);
	return 0;
}

static void it_is_read_when_it_is_due(void **state)
{
	const struct tree *t = *state;
	struct sample_disk d = {.where = {.dev = makedev(9, 9)}};

	sample_disk_update(&d, &t->fs, 10 * SECOND);
	assert_true(d.valid);
	assert_int_equal(d.below.nlevels, 1);
	assert_string_equal(d.below.levels[0].name, "xda");
	assert_int_equal(d.used, 1);
	write_disk(t, "xda", "kyber", 2048);
	sample_disk_update(&d, &t->fs, 10 * SECOND + STEP - 1);
	assert_int_equal(d.used, 1);
	sample_disk_update(&d, &t->fs, 10 * SECOND + STEP);
	assert_int_equal(d.used, 2);
	assert_about(sample_disk_use(&d, 0).rate.value, (double)MIB / 0.4);
	assert_about(sample_disk_use(&d, 0).now.value, 3);
	assert_string_equal(d.below.levels[0].elevator, "bfq"); /* of a second ago at most */
	sample_disk_update(&d, &t->fs, 11 * SECOND);
	assert_string_equal(d.below.levels[0].elevator, "kyber");
	write_disk(t, "xda", "none-yet", 2048);
	sample_disk_expire(&d);
	sample_disk_update(&d, &t->fs, 11 * SECOND + 1);
	assert_string_equal(d.below.levels[0].elevator, "none-yet");
	assert_true(sample_disk_use(&d, 0).rate.known);
}

/* Another device stands below the directory now: its counters have nothing to do with those of the one before. */
static void another_device_begins_anew(void **state)
{
	const struct tree *t = *state;
	struct sample_disk d = {.where = {.dev = makedev(9, 9)}};
	char path[96];

	sample_disk_update(&d, &t->fs, 10 * SECOND);
	sample_disk_update(&d, &t->fs, 10 * SECOND + STEP);
	assert_true(sample_disk_use(&d, 0).rate.known);
	snprintf(path, sizeof(path), "%s/sys/dev/block/9:9", t->root);
	assert_int_equal(remove(path), 0);
	tree_link(t, "sys/dev/block/9:9", "../../block/xdb");
	sample_disk_update(&d, &t->fs, 12 * SECOND);
	assert_string_equal(d.below.levels[0].name, "xdb");
	assert_int_equal(d.used, 1);
	assert_false(sample_disk_use(&d, 0).rate.known);
}

static void add_counts(struct sample_io *s, uint64_t chars, uint64_t bytes)
{
	s->points[s->used++ % DISK_POINTS] = (struct io_counts){.read_chars = chars, .read_bytes = bytes};
}

static void reads_that_fetch_nothing_come_from_the_cache(void **state)
{
	static const struct {
		uint64_t chars, bytes;
		enum tri want;
	} cases[] = {
		{10 * MIB, 0, TRI_YES},	 {10 * MIB, 10 * MIB, TRI_NO}, {20 * MIB, MIB - 1, TRI_YES},
		{20 * MIB, MIB, TRI_NO}, {MIB, 4 * MIB, TRI_NO}, /* readahead fetches more than is asked */
		{1000, 0, TRI_UNKNOWN},	 {0, 0, TRI_UNKNOWN},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct sample_io s = {0};
		assert_int_equal(sample_io_from_cache(&s), TRI_UNKNOWN);
		add_counts(&s, 77 * MIB, 33 * MIB);
		assert_int_equal(sample_io_from_cache(&s), TRI_UNKNOWN);
		add_counts(&s, 77 * MIB + cases[i].chars, 33 * MIB + cases[i].bytes);
		assert_int_equal(sample_io_from_cache(&s), cases[i].want);
		add_counts(&s, 1, 99 * MIB); /* another process of that number */
		assert_int_equal(sample_io_from_cache(&s), TRI_UNKNOWN);
		s.points[2] = (struct io_counts){.read_chars = 99 * MIB, .read_bytes = 1};
		assert_int_equal(sample_io_from_cache(&s), TRI_UNKNOWN);
	}
}

static void a_process_is_read_while_it_may_be(void **state)
{
	const struct tree *t = *state;
	struct sample_io s = {0};

	tree_write(t, "proc/42/io",
		   "rchar: 0\nwchar: 0\nsyscr: 0\nsyscw: 0\nread_bytes: 0\nwrite_bytes: 0\n"
		   "cancelled_write_bytes: 0\n");
	assert_true(sample_io_update(&s, &t->fs, 42, 10 * SECOND));
	tree_write(t, "proc/42/io",
		   "rchar: 1048576\nwchar: 0\nsyscr: 9\nsyscw: 0\nread_bytes: 0\nwrite_bytes: 0\n"
		   "cancelled_write_bytes: 0\n");
	assert_true(sample_io_update(&s, &t->fs, 42, 10 * SECOND + STEP - 1)); /* not due */
	assert_int_equal(sample_io_from_cache(&s), TRI_UNKNOWN);
	assert_true(sample_io_update(&s, &t->fs, 42, 10 * SECOND + STEP));
	assert_int_equal(sample_io_from_cache(&s), TRI_YES);
	assert_true(sample_io_update(&s, &t->fs, 43, 10 * SECOND + STEP)); /* not due: nobody looked */
	assert_false(sample_io_update(&s, &t->fs, 43, 10 * SECOND + 2 * STEP));
	assert_int_equal(sample_io_from_cache(&s), TRI_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_told_of_one_point),
		cmocka_unit_test(figures_are_differences),
		cmocka_unit_test(old_points_are_forgotten),
		cmocka_unit_test(times_that_wrap_go_on),
		cmocka_unit_test(counters_that_went_back_tell_nothing),
		cmocka_unit_test(what_could_not_be_read_is_unknown),
		cmocka_unit_test_setup_teardown(it_is_read_when_it_is_due, make_tree, drop_tree),
		cmocka_unit_test_setup_teardown(another_device_begins_anew, make_tree, drop_tree),
		cmocka_unit_test(reads_that_fetch_nothing_come_from_the_cache),
		cmocka_unit_test_setup_teardown(a_process_is_read_while_it_may_be, make_tree, drop_tree),
	};

	return cmocka_run_group_tests_name("sample_disk", tests, NULL, NULL);
}
