/* What the devices below a directory mean: as facts for the rules, and in the report of a probe. */
#include "level.h"
#include "report/probe.h"
#include "sample/device.h"
#include "test.h"

#include <jansson.h>
#include <stdlib.h>

/* A loop device with another below it. */
static struct block_reading loop_over(const char *elevator, enum tri passes, const char *below,
				      enum block_honours below_honours)
{
	struct block_reading b = {.filesystem = "ext4", .sure = true};
	struct block_level *loop =
		level_add(&b, 0, "loop0", elevator,
			  strcmp(elevator, "bfq") == 0 ? BLOCK_HONOURS_LEVEL : BLOCK_HONOURS_NOTHING);

	loop->kind = BLOCK_LOOP;
	loop->passes = passes;
	if (below)
		level_add(&b, 1, "vda", below, below_honours);
	return b;
}

static struct facts_io facts_of(const struct block_reading *b)
{
	static const struct block_place where;
	struct facts_io f = {.rivals = known(3), .does_io = TRI_YES, .tags = known(7), .device = "old"};

	sample_device_facts(&where, b, &f);
	assert_true(f.rivals.value == 3 && f.does_io == TRI_YES); /* what only a process knows */
	return f;
}

static void a_disk_tells_all_of_itself(void **state)
{
	struct block_reading b = {.filesystem = "ext4", .sure = true};
	struct block_level *l = level_add(&b, 0, "sda", "mq-deadline", BLOCK_HONOURS_CLASS);
	struct facts_io f;

	(void)state;
	l->aging_ms = known(10000);
	l->tags = known(64);
	l->throttle_us = known(75000);
	f = facts_of(&b);
	assert_int_equal(f.filesystem, FILESYSTEM_BLOCK);
	assert_string_equal(f.filesystem_name, "ext4");
	assert_string_equal(f.device, "sda");
	assert_int_equal(f.elevator, ELEVATOR_MQ_DEADLINE);
	assert_string_equal(f.elevator_name, "mq-deadline");
	assert_true(f.aging_ms.value == 10000 && f.tags.value == 64 && f.heuristics == TRI_UNKNOWN);
	assert_true(f.throttles_writeback == TRI_YES && f.stacked == TRI_NO && f.bottom_known == TRI_YES);
	assert_string_equal(f.top, "sda");
	assert_string_equal(f.top_elevator, "mq-deadline");
	assert_int_equal(f.drops_ioprio, TRI_NO);
	l->throttle_us = known(0);
	l->low_latency = TRI_YES;
	f = facts_of(&b);
	assert_true(f.throttles_writeback == TRI_NO && f.heuristics == TRI_YES);
}

static void elevators_are_known_by_name(void **state)
{
	static const struct {
		const char *name;
		enum facts_elevator want;
	} cases[] = {
		{"none", ELEVATOR_NONE},   {"kyber", ELEVATOR_KYBER}, {"bfq", ELEVATOR_BFQ},
		{"adios", ELEVATOR_OTHER}, {NULL, ELEVATOR_MISSING},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct block_reading b = {.sure = true};
		struct facts_io f;
		level_add(&b, 0, "sda", cases[i].name, BLOCK_HONOURS_UNKNOWN);
		f = facts_of(&b);
		assert_int_equal(f.elevator, cases[i].want);
		assert_int_equal(f.filesystem, FILESYSTEM_BLOCK); /* also where its type is unknown */
		b.levels[0].queue = BLOCK_QUEUE_UNREAD;
		f = facts_of(&b);
		assert_int_equal(f.elevator, ELEVATOR_UNREAD);
	}
}

static void the_one_that_decides_stands_for_the_stack(void **state)
{
	struct block_reading b = loop_over("none", TRI_YES, "bfq", BLOCK_HONOURS_LEVEL);
	struct facts_io f;

	(void)state;
	b.counts = 1;
	f = facts_of(&b);
	assert_string_equal(f.device, "vda");
	assert_int_equal(f.elevator, ELEVATOR_BFQ);
	assert_true(f.stacked == TRI_YES && f.bottom_known == TRI_YES && f.drops_ioprio == TRI_NO);
	assert_string_equal(f.top, "loop0");
	assert_string_equal(f.top_elevator, "none");
	b.sure = false;
	f = facts_of(&b);
	assert_int_equal(f.bottom_known, TRI_NO);
}

static void a_priority_is_dropped_where_one_below_would_use_it(void **state)
{
	static const struct {
		const char *top, *below;
		enum tri passes;
		enum block_honours honours;
		enum tri drops;
	} cases[] = {
		{"none", "bfq", TRI_NO, BLOCK_HONOURS_LEVEL, TRI_YES},
		{"none", "mq-deadline", TRI_NO, BLOCK_HONOURS_CLASS, TRI_YES},
		{"bfq", "mq-deadline", TRI_NO, BLOCK_HONOURS_CLASS, TRI_NO}, /* it was used before */
		{"none", "none", TRI_NO, BLOCK_HONOURS_NOTHING, TRI_NO}, /* nobody wants it */
		{"none", "bfq", TRI_UNKNOWN, BLOCK_HONOURS_LEVEL, TRI_NO},
		{"none", "adios", TRI_NO, BLOCK_HONOURS_UNKNOWN, TRI_UNKNOWN},
		{"none", NULL, TRI_NO, BLOCK_HONOURS_UNKNOWN, TRI_UNKNOWN},
	};
	struct block_reading b;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct facts_io f;
		b = loop_over(cases[i].top, cases[i].passes, cases[i].below, cases[i].honours);
		f = facts_of(&b);
		if (f.drops_ioprio != cases[i].drops)
			fail_msg("case %zu: %d", i, f.drops_ioprio);
	}
	/* Two levels further down, behind one that has nothing. */
	b = loop_over("none", TRI_NO, "none", BLOCK_HONOURS_NOTHING);
	b.levels[1].kind = BLOCK_DM;
	assert_int_equal(facts_of(&b).drops_ioprio, TRI_UNKNOWN); /* what it stands on is not seen */
	level_add(&b, 2, "sda", "bfq", BLOCK_HONOURS_LEVEL);
	assert_int_equal(facts_of(&b).drops_ioprio, TRI_YES);
	/* Beside the loop, not below it. */
	b.levels[1].depth = b.levels[2].depth = 0;
	assert_int_equal(facts_of(&b).drops_ioprio, TRI_UNKNOWN);
}

static void without_a_device_the_name_tells(void **state)
{
	static const struct {
		const char *name;
		enum facts_filesystem want;
	} cases[] = {
		{"tmpfs", FILESYSTEM_TMPFS},	    {"nfs4", FILESYSTEM_NETWORK},
		{"fuse.sshfs", FILESYSTEM_NETWORK}, {"btrfs", FILESYSTEM_WORKERS},
		{"overlay", FILESYSTEM_ANONYMOUS},  {"", FILESYSTEM_UNKNOWN},
	};
	const struct block_place memory = {.memory = true};
	struct block_reading b = {.counts = -1};
	struct facts_io f = {.tags = known(1)};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		strcpy(b.filesystem, cases[i].name);
		f = facts_of(&b);
		assert_int_equal(f.filesystem, cases[i].want);
		assert_true(!f.device[0] && !f.top[0] && f.elevator == ELEVATOR_UNREAD && !f.tags.known);
		assert_true(f.stacked == TRI_UNKNOWN && f.bottom_known == TRI_UNKNOWN &&
			    f.drops_ioprio == TRI_UNKNOWN && f.throttles_writeback == TRI_UNKNOWN);
	}
	sample_device_facts(&memory, &b, &f); /* its mount is not to be seen */
	assert_int_equal(f.filesystem, FILESYSTEM_TMPFS);
	level_add(&b, 0, "sda", "bfq", BLOCK_HONOURS_LEVEL);
	b.counts = 0;
	strcpy(b.filesystem, "btrfs"); /* it has workers, whatever its device */
	assert_int_equal(facts_of(&b).filesystem, FILESYSTEM_WORKERS);
	strcpy(b.filesystem, "overlay");
	assert_int_equal(facts_of(&b).filesystem, FILESYSTEM_BLOCK);
}

/* The line of the report about the directory; the JSON of it. Nothing else of the host is known. */
static void assert_line(const struct block_reading *b, const char *what)
{
	struct probe *p = calloc(1, sizeof(*p));
	struct probe_judged *j = calloc(1, sizeof(*j));
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	strcpy(p->dir, "/d");
	p->block = *b;
	probe_print(out, p, j, 2000);
	fclose(out);
	if (!strstr(text, what))
		fail_msg("'%s' is not in:\n%s", what, text);
	free(text);
	free(j);
	free(p);
}

static json_t *json_of(const struct block_reading *b)
{
	struct probe *p = calloc(1, sizeof(*p));
	struct probe_judged *j = calloc(1, sizeof(*j));
	char *text;
	json_t *root, *dir;

	p->block = *b;
	text = probe_json(p, j);
	root = json_loads(text, 0, NULL);
	dir = json_incref(json_object_get(root, "dir"));
	json_decref(root);
	free(text);
	free(j);
	free(p);
	return dir;
}

static const char *string_at(const json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

/* A directory in a file: each device on the way is told, and which of them decides. */
static void the_way_down_is_told(void **state)
{
	struct block_reading b = loop_over("none", TRI_NO, "bfq", BLOCK_HONOURS_LEVEL);

	(void)state;
	assert_line(&b, "/d: ext4 on loop0, elevator none (uses nothing), which loses I/O priorities; below "
			"that vda, "
			"elevator bfq (uses class and level); no I/O priority counts there; O_DIRECT");
	b.levels[0].passes = TRI_YES;
	b.counts = 1;
	assert_line(&b, "; vda decides; O_DIRECT");
	b.nlevels = 1;
	b.counts = 0;
	b.sure = false;
	b.more = true;
	assert_line(&b, "; there are more devices; which of them decides cannot be told; O_DIRECT");
}

static void devices_side_by_side_are_told(void **state)
{
	struct block_reading b = {.filesystem = "xfs", .counts = 1};
	json_t *dir, *levels;

	(void)state;
	level_add(&b, 0, "md0", NULL, BLOCK_HONOURS_NOTHING)->kind = BLOCK_MD;
	strcpy(level_add(&b, 1, "sda", "bfq", BLOCK_HONOURS_LEVEL)->partition, "sda2");
	level_add(&b, 1, "sdb", "mq-deadline", BLOCK_HONOURS_CLASS);
	assert_line(&b,
		    "xfs on md0, no elevator; below that sda2 of sda, elevator bfq (uses class and level); "
		    "beside that sdb, elevator mq-deadline (uses class); sda decides, as far as can be told");
	dir = json_of(&b);
	levels = json_object_get(dir, "levels");
	assert_string_equal(string_at(dir, "device"), "sda");
	assert_string_equal(string_at(dir, "partition"), "sda2");
	assert_string_equal(string_at(dir, "honours"), "class and level");
	assert_true(json_is_false(json_object_get(dir, "stacked")));
	assert_true(json_is_false(json_object_get(dir, "sure")));
	assert_int_equal(json_array_size(levels), 3);
	assert_string_equal(string_at(json_array_get(levels, 0), "name"), "md0");
	assert_true(json_is_null(json_object_get(json_array_get(levels, 0), "elevator")));
	assert_string_equal(string_at(json_array_get(levels, 0), "honours"), "nothing");
	assert_string_equal(string_at(json_array_get(levels, 2), "elevator"), "mq-deadline");
	json_decref(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_disk_tells_all_of_itself),
		cmocka_unit_test(elevators_are_known_by_name),
		cmocka_unit_test(the_one_that_decides_stands_for_the_stack),
		cmocka_unit_test(a_priority_is_dropped_where_one_below_would_use_it),
		cmocka_unit_test(without_a_device_the_name_tells),
		cmocka_unit_test(the_way_down_is_told),
		cmocka_unit_test(devices_side_by_side_are_told),
	};

	return cmocka_run_group_tests_name("device", tests, NULL, NULL);
}
