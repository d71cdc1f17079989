/* What is below a directory: machines from fixtures and from trees made for a test, and this one. */
#include "kernel/block.h"
#include "kernel/block_stack.h"
#include "test.h"
#include "tree.h"

#include <errno.h>
#include <sys/sysmacros.h>

static void elevators_are_read_from_brackets(void **state)
{
	static const struct {
		const char *text, *want, *offered;
	} cases[] = {
		{"none [mq-deadline] kyber bfq \n", "mq-deadline", "none mq-deadline kyber bfq"},
		{"[none] \n", "none", "none"},
		{"none\n", "none", "none"},
		{"[bfq]", "bfq", "bfq"},
		{"  none   [bfq]\nkyber", "bfq", "none bfq"},
		{"none kyber\n", NULL, "none kyber"},
		{"[kyber\n", NULL, NULL},
		{"none [ky[ber]\n", NULL, NULL},
		{"none [mq]deadline\n", "mq", NULL},
		{"none b]fq\n", NULL, NULL},
		{"[]\n", NULL, NULL},
		{"none []\n", NULL, NULL},
		{"none ]\n", NULL, NULL},
		{"\n", NULL, NULL},
		{"", NULL, NULL},
		{"[mq-\033x]\n", "mq-?x", "mq-?x"},
		{"none [mq-deadline] kyber bfq others", "mq-deadline", NULL}, /* too many for the room */
	};
	char name[16], offered[32];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		int rc = block_parse_scheduler(cases[i].text, name, sizeof(name));
		assert_int_equal(rc, cases[i].want ? 0 : -EINVAL);
		if (cases[i].want)
			assert_string_equal(name, cases[i].want);
		rc = block_parse_offered(cases[i].text, offered, sizeof(offered));
		assert_int_equal(rc, cases[i].offered ? 0 : -EINVAL);
		if (cases[i].offered)
			assert_string_equal(offered, cases[i].offered);
	}
}

#define MOUNTS                                             \
	"22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"            \
	"30 22 0:25 / /tmp rw shared:2 - tmpfs tmpfs rw\n" \
	"31 22 8:1 / /bind\\040a rw - xfs /dev/sda1 rw\n"  \
	"32 22 0:40 / /o rw - overlay overlay rw,xupperdir=/x,upperdir=/u\\054a,workdir=/w\n"

static int find_mount(const char *text, uint64_t number, dev_t dev, struct block_mount *m)
{
	const struct block_place place = {.dev = dev, .mount_known = number > 0, .mount = number};

	return block_parse_mount(text, &place, m);
}

static void mounts_are_found_by_number_or_device(void **state)
{
	char over[600];
	struct block_mount m;

	(void)state;
	assert_int_equal(find_mount(MOUNTS, 30, makedev(0, 99), &m), 0);
	assert_string_equal(m.type, "tmpfs");
	assert_string_equal(m.point, "/tmp");
	assert_int_equal(find_mount(MOUNTS, 0, makedev(8, 1), &m), 0);
	assert_string_equal(m.type, "xfs"); /* the last hides those before */
	assert_string_equal(m.point, "/bind a");
	assert_string_equal(m.source, "/dev/sda1");
	assert_string_equal(m.upper, "");
	assert_int_equal(find_mount(MOUNTS, 32, 0, &m), 0);
	assert_string_equal(m.upper, "/u,a");
	assert_int_equal(find_mount(MOUNTS, 0, makedev(9, 1), &m), -ENOENT);
	assert_int_equal(find_mount(MOUNTS, 99, makedev(8, 1), &m), -ENOENT);
	assert_int_equal(find_mount("22 1 8:1 / / rw ext4\n", 22, 0, &m), -EINVAL);
	assert_int_equal(find_mount("22 1 8:1 / / rw - ext4 /dev/sda1", 22, 0, &m), -EINVAL); /* cut */
	assert_int_equal(find_mount("", 22, 0, &m), -ENOENT);
	snprintf(over, sizeof(over), "22 1 0:9 / /%0300d rw - overlay o upperdir=/%0250d\n", 7, 8);
	assert_int_equal(find_mount(over, 22, 0, &m), 0);
	assert_string_equal(m.type, "overlay"); /* what does not fit is left out, and is not cut */
	assert_string_equal(m.point, "");
	assert_int_equal(strlen(m.upper), 251);
}

static void counters_are_read_in_bytes(void **state)
{
	struct block_usage u = {.at = 1};

	(void)state;
	assert_int_equal(block_parse_stat(" 1 2 3 4 5 6 7 8 9 10 11\n", &u), 0);
	assert_true(u.reads == 1 && u.read_bytes == 3 * 512 && u.writes == 5 && u.write_bytes == 7 * 512);
	assert_true(u.busy_ms == 10 && u.queue_ms == 11 && u.at == 1);
	assert_int_equal(block_parse_stat("1 2 3 4 5 6 7 8 -9 10 11 12 13 14 15 16 17\n", &u), 0);
	assert_int_equal(block_parse_stat("1 2 3 4 5 6 7 8 9 1", &u), -EINVAL); /* cut in the tenth */
	assert_int_equal(block_parse_stat("-1 2 3 4 5 6 7 8 9 10 11\n", &u), -EINVAL);
	assert_int_equal(block_parse_stat("1 2 3 4 5 6 7 8 9 10x 11\n", &u), -EINVAL);
	assert_int_equal(block_parse_stat("1 2 99999999999999999 4 5 6 7 8 9 10 11\n", &u), -EINVAL);
	assert_int_equal(block_parse_inflight("       3        5\n", &u), 0);
	assert_true(u.reads_in_flight == 3 && u.writes_in_flight == 5);
	assert_int_equal(block_parse_inflight("3 5", &u), -EINVAL);
	assert_int_equal(block_parse_inflight("3\n5\n", &u), -EINVAL);
	assert_int_equal(block_parse_inflight("3 4294967296\n", &u), -EINVAL);
}

/* "0 dm-0 dm -; 1 sda2 of sda disk bfq/class and level -> 1": depth, name, kind, elevator and what it honours, whether it passes
 * priorities; which decides, with a '?' where that is not sure. */
static const char *describe(const struct block_reading *b)
{
	static const char *const kinds[] = {"disk", "loop", "dm", "md", "stacked"}, *const passes[] = {
											    "", " loses",
											    " passes"};
	static char text[1024];
	size_t n = 0;

	text[0] = '\0';
	for (size_t i = 0; i < b->nlevels; i++) {
		const struct block_level *l = &b->levels[i];
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%u %s%s%s %s %s%s%s%s", i ? "; " : "",
				      l->depth, l->partition, l->partition[0] ? " of " : "", l->name,
				      kinds[l->kind],
				      l->queue == BLOCK_QUEUE_READ	? l->elevator
				      : l->queue == BLOCK_QUEUE_MISSING ? "-"
									: "unread",
				      l->queue == BLOCK_QUEUE_READ ? "/" : "",
				      l->queue == BLOCK_QUEUE_READ ? block_honours_word(l->honours) : "",
				      passes[l->passes]);
	}
	snprintf(text + n, sizeof(text) - n, "%s -> %d%s", b->more ? " more" : "", b->counts,
		 b->sure ? "" : "?");
	return text;
}

static struct block_reading look(const struct procfs *fs, unsigned maj, unsigned min, uint64_t mount)
{
	const struct block_place place = {.dev = makedev(maj, min), .mount_known = mount > 0, .mount = mount};
	struct block_reading b;

	memset(&b, 1, sizeof(b));
	block_read(fs, &place, &b);
	return b;
}

static void the_way_down_is_found(void **state)
{
#define CRYPT "0 dm-0 dm -; 1 sda2 of sda disk bfq/class and level -> 1?"
	static const struct {
		const char *tree;
		unsigned maj, min;
		uint64_t mount;
		const char *filesystem, *want;
	} cases[] = {
		{"disks", 259, 2, 27, "ext4", "0 nvme0n1p2 of nvme0n1 disk none/nothing -> 0"},
		{"disks", 8, 16, 0, "", "0 sdb disk mq-deadline/class -> 0"},
		{"disks", 252, 0, 40, "ext4", CRYPT},
		{"disks", 9, 0, 41, "xfs",
		 "0 md0 md -; 1 sdb1 of sdb disk mq-deadline/class; 1 sdc1 of sdc disk none/nothing -> 1?"},
		{"disks", 252, 1, 50, "ext4",
		 "0 dm-1 dm -; 1 dm-0 dm -; 2 sda2 of sda disk bfq/class and level; "
		 "1 sda3 of sda disk bfq/class and level -> 2?"},
		{"disks", 252, 2, 51, "ext4", /* whatever dm does, there is nothing to lose */
		 "0 dm-2 dm -; 1 nvme0n1p2 of nvme0n1 disk none/nothing; 1 sdc disk none/nothing -> 0"},
		{"disks", 253, 0, 42, "ext4", "0 zram0 disk - -> 0"},
		{"disks", 8, 48, 43, "ext4", "0 sdd disk adios/unknown -> 0"},
		{"disks", 0, 44, 44, "btrfs", "0 sde1 of sde disk mq-deadline/class -> 0"},
		{"disks", 0, 99, 44, "btrfs", "0 sde1 of sde disk mq-deadline/class -> 0"}, /* a subvolume */
		{"disks", 0, 45, 45, "overlay", CRYPT},
		{"disks", 0, 45, 0, "overlay", CRYPT},
		{"disks", 0, 46, 46, "overlay", " -> -1?"}, /* over tmpfs */
		{"disks", 0, 52, 52, "overlay", "0 nvme0n1p2 of nvme0n1 disk none/nothing -> 0"},
		{"disks", 0, 54, 54, "fuse.portal", " -> -1?"}, /* its source means what it likes */
		{"disks", 0, 47, 47, "overlay", " -> -1?"}, /* over itself */
		{"disks", 0, 48, 48, "overlay", " -> -1?"}, /* read-only */
		{"disks", 0, 49, 49, "btrfs", " -> -1?"}, /* its source is gone */
		{"disks", 0, 53, 53, "nfs4", " -> -1?"},
		{"disks", 0, 25, 31, "tmpfs", " -> -1?"},
		{"disks", 8, 80, 0, "", " -> -1?"},
		{"loop-6.1", 7, 0, 0, "",
		 "0 loop0 loop none/nothing loses; 1 vda disk mq-deadline/class -> 0"},
		{"loop-6.1", 7, 1, 29, "ext4",
		 "0 loop1 loop none/nothing; 1 vda disk mq-deadline/class -> 1?"},
		{"loop-6.15", 7, 0, 0, "",
		 "0 loop0 loop none/nothing loses; 1 vda disk mq-deadline/class -> 0"},
		{"loop-6.15", 7, 1, 29, "ext4",
		 "0 loop1 loop none/nothing passes; 1 vda disk mq-deadline/class -> 1"},
		{"loop-6.15", 7, 2, 0, "", "0 loop2 loop none/nothing passes -> 0?"}, /* deleted */
		{"loop-6.15", 7, 3, 0, "",
		 "0 loop3 loop bfq/class and level loses; 1 vda disk mq-deadline/class -> 0"},
		{"loop-6.15", 7, 4, 0, "",
		 "0 loop4 loop none/nothing passes; 1 loop1 loop none/nothing passes; "
		 "2 vda disk mq-deadline/class -> 2"},
		{"loop-6.15", 7, 6, 0, "", /* over a device node */
		 "0 loop6 loop none/nothing passes; 1 vda1 of vda disk mq-deadline/class -> 1"},
		{"loop-6.15", 7, 7, 0, "", "0 loop7 disk none/nothing -> 0"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct procfs fs = tree_open_fixture(cases[i].tree);
		struct block_reading b = look(&fs, cases[i].maj, cases[i].min, cases[i].mount);
		procfs_close(&fs);
		if (strcmp(describe(&b), cases[i].want) != 0)
			fail_msg("%s %u:%u: %s", cases[i].tree, cases[i].maj, cases[i].min, describe(&b));
		assert_string_equal(b.filesystem, cases[i].filesystem);
	}
}

static void figures_come_with_their_device(void **state)
{
	struct procfs fs = tree_open_fixture("disks");
	struct block_reading b = look(&fs, 252, 0, 40);
	const struct block_level *l = &b.levels[0];

	(void)state;
	assert_string_equal(b.mount, "/home");
	assert_string_equal(l->backing, "luks-home");
	assert_true(l->honours == BLOCK_HONOURS_NOTHING && !l->elevator[0] && !l->offered[0]);
	assert_true(l->tags.value == 128 && !l->throttle_us.known && !l->aging_ms.known);
	l = &b.levels[1];
	assert_string_equal(l->offered, "none mq-deadline kyber bfq");
	assert_true(l->tags.known && l->tags.value == 64 && l->throttle_us.known &&
		    l->throttle_us.value == 0);
	assert_true(l->low_latency == TRI_YES && !l->aging_ms.known);
	b = look(&fs, 9, 0, 41);
	l = &b.levels[1];
	assert_true(l->aging_ms.value == 10000 && l->throttle_us.value == 75000);
	assert_int_equal(l->low_latency, TRI_UNKNOWN);
	procfs_close(&fs);
	fs = tree_open_fixture("loop-6.1");
	b = look(&fs, 7, 0, 0);
	assert_string_equal(b.levels[0].backing, "/var/lib/images/a b.img");
	procfs_close(&fs);
}

static void a_device_may_be_named(void **state)
{
	static const struct {
		const char *name, *want;
	} cases[] = {
		{"loop1", "0 loop1 loop none/nothing passes; 1 vda disk mq-deadline/class -> 1"},
		{"vda", "0 vda disk mq-deadline/class -> 0"},
		{"vda1", " -> -1?"},
		{"gone", " -> -1?"},
		{"", " -> -1?"},
		{"..", " -> -1?"},
		{"../block/vda", " -> -1?"},
		{"a-name-of-64-bytes-for-which-there-is-no-room-in-the-structure-xx", " -> -1?"},
	};
	struct procfs fs = tree_open_fixture("loop-6.15");
	struct block_reading b;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		block_read_device(&fs, cases[i].name, &b);
		assert_string_equal(describe(&b), cases[i].want);
		assert_true(!b.filesystem[0] && !b.mount[0]);
	}
	procfs_close(&fs);
}

static void usage_is_of_one_device(void **state)
{
	struct procfs fs = tree_open_fixture("disks");
	struct block_usage u;

	(void)state;
	assert_int_equal(block_read_usage(&fs, "sdb", &u), 0);
	assert_true(u.at > 0 && u.reads == 503744 && u.write_bytes == UINT64_C(13499624) * 512);
	assert_true(u.reads_in_flight == 3 && u.writes_in_flight == 5 && u.busy_ms == 95272);
	assert_int_equal(block_read_usage(&fs, "sdc", &u), -ENOENT);
	assert_int_equal(block_read_usage(&fs, "../block/sdb", &u), -EINVAL);
	assert_int_equal(block_read_usage(&fs, "", &u), -EINVAL);
	procfs_close(&fs);
}

/* A disk, or one that stands on others. */
static void add_device(const struct tree *t, const char *name, const char *scheduler)
{
	char path[96], target[96];

	snprintf(path, sizeof(path), "sys/devices/%s/queue/scheduler", name);
	tree_write(t, path, scheduler);
	snprintf(path, sizeof(path), "sys/block/%s", name);
	snprintf(target, sizeof(target), "../devices/%s", name);
	tree_link(t, path, target);
}

static void add_slave(const struct tree *t, const char *upper, const char *lower)
{
	char path[96], target[96];

	snprintf(path, sizeof(path), "sys/devices/%s/slaves/%s", upper, lower);
	snprintf(target, sizeof(target), "../../%s", lower);
	tree_link(t, path, target);
}

static struct block_reading look_at(const struct tree *t, const char *name)
{
	struct block_reading b;

	block_read_device(&t->fs, name, &b);
	return b;
}

static void stacks_end(void **state)
{
	struct block_reading b;
	char name[16], next[16];
	struct tree t;

	(void)state;
	tree_make(&t);
	add_device(&t, "a", "[none]\n");
	add_device(&t, "b", "[none]\n");
	add_slave(&t, "a", "b");
	add_slave(&t, "b", "a"); /* a ring */
	b = look_at(&t, "a");
	assert_string_equal(describe(&b), "0 a stacked none/nothing; 1 b stacked none/nothing -> 0?");
	add_device(&t, "many", "[none]\n");
	for (int i = 0; i < 12; i++) {
		snprintf(name, sizeof(name), "sd%d", i + 1);
		add_device(&t, name, "[none]\n");
		add_slave(&t, "many", name);
	}
	b = look_at(&t, "many");
	assert_true(b.nlevels == BLOCK_LEVELS && b.more && b.counts == 0 && !b.sure);
	assert_string_equal(b.levels[7].name, "sd7"); /* in the order of the numbers */
	for (int i = 0; i < 9; i++) {
		snprintf(name, sizeof(name), "deep%d", i);
		snprintf(next, sizeof(next), "deep%d", i + 1);
		add_device(&t, name, "[none]\n");
		add_slave(&t, name, next);
	}
	add_device(&t, "deep9", "[bfq]\n");
	b = look_at(&t, "deep0");
	assert_true(b.nlevels == BLOCK_LEVELS && b.more && b.levels[7].depth == 7 && !b.sure);
	assert_int_equal(block_above(&b, 7), 6);
	assert_int_equal(block_above(&b, 0), -1);
	assert_int_equal(block_below(&b, 6), 7);
	assert_int_equal(block_below(&b, 7), -1);
	tree_remove(&t);
}

/* Any of them may go between two reads. */
static void what_vanishes_is_unknown(void **state)
{
	struct procfs no_sys;
	struct block_reading b;
	struct tree t;

	(void)state;
	tree_make(&t);
	tree_link(&t, "sys/block/gone", "../devices/gone");
	tree_link(&t, "sys/dev/block/8:0", "../../devices/gone");
	b = look_at(&t, "gone");
	assert_string_equal(describe(&b), " -> -1?");
	b = look(&t.fs, 8, 0, 0);
	assert_string_equal(describe(&b), " -> -1?");
	add_device(&t, "upper", "[none]\n");
	add_slave(&t, "upper", "gone");
	b = look_at(&t, "upper");
	assert_string_equal(describe(&b), "0 upper stacked none/nothing -> 0?");
	tree_write(&t, "sys/devices/queueless/size", "1\n");
	tree_link(&t, "sys/block/queueless", "../devices/queueless");
	b = look_at(&t, "queueless"); /* every device has a queue, with or without an elevator */
	assert_string_equal(describe(&b), "0 queueless disk unread -> 0");
	add_device(&t, "odd", "none [kyb");
	b = look_at(&t, "odd");
	assert_string_equal(describe(&b), "0 odd disk unread -> 0");
	no_sys = (struct procfs){.proc = t.fs.proc, .sys = -1};
	b = look(&no_sys, 8, 0, 0);
	assert_string_equal(describe(&b), " -> -1?");
	block_read_device(&no_sys, "odd", &b);
	assert_string_equal(describe(&b), " -> -1?");
	tree_remove(&t);
}

/* Devices side by side, where it is known that priorities get down to them. */
static void what_differs_side_by_side_is_not_sure(void **state)
{
	enum { LEVEL = BLOCK_HONOURS_LEVEL, CLASS = BLOCK_HONOURS_CLASS, NOTHING = BLOCK_HONOURS_NOTHING };
	static const struct {
		int top, left, right;
		enum tri passes;
		int counts;
		bool sure, more;
	} cases[] = {
		{NOTHING, LEVEL, LEVEL, TRI_YES, 1, true, false},
		{NOTHING, LEVEL, LEVEL, TRI_UNKNOWN, 1, false, false},
		{NOTHING, LEVEL, LEVEL, TRI_NO, 0, true, false},
		{NOTHING, LEVEL, CLASS, TRI_YES, 1, false, false},
		{NOTHING, NOTHING, CLASS, TRI_YES, 2, false, false},
		{NOTHING, NOTHING, NOTHING, TRI_UNKNOWN, 0, true, false},
		{NOTHING, NOTHING, NOTHING, TRI_YES, 0, false, true},
		{NOTHING, NOTHING, 0, TRI_YES, 0, false, false},
		{0, LEVEL, LEVEL, TRI_YES, 1, false, false},
		{NOTHING, 0, 0, TRI_YES, 0, false, false},
		{NOTHING, LEVEL, LEVEL, TRI_NO, 0, true, true},
		{CLASS, LEVEL, NOTHING, TRI_UNKNOWN, 0, true, false},
		{CLASS, LEVEL, NOTHING, TRI_UNKNOWN, 0, true, true}, /* whatever else is below */
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct block_reading b = {.nlevels = 3, .more = cases[i].more};
		b.levels[0] = (struct block_level){.kind = BLOCK_MD,
						   .passes = cases[i].passes,
						   .honours = (enum block_honours)cases[i].top};
		b.levels[1] = (struct block_level){.depth = 1, .honours = (enum block_honours)cases[i].left};
		b.levels[2] = (struct block_level){.depth = 1, .honours = (enum block_honours)cases[i].right};
		block_stack_decide(&b);
		if (b.counts != cases[i].counts || b.sure != cases[i].sure)
			fail_msg("case %zu: %d, %s", i, b.counts, b.sure ? "sure" : "not sure");
	}
}

static void an_elevator_that_does_not_stick_is_told(void **state)
{
	struct tree t;

	(void)state;
	tree_make(&t);
	add_device(&t, "sda", "none [mq-deadline] kyber bfq \n");
	assert_int_equal(block_set_elevator(&t.fs, "sda", "bfq"), -EAGAIN); /* a file keeps what follows */
	assert_int_equal(block_set_elevator(&t.fs, "sdb", "bfq"), -ENOENT);
	assert_int_equal(block_set_elevator(&t.fs, "../devices/sda", "bfq"), -EINVAL);
	assert_int_equal(block_set_elevator(&t.fs, "sda", ""), -EINVAL);
	assert_int_equal(block_set_elevator(&t.fs, "sda", "bfq\n"), -EINVAL);
	assert_int_equal(block_set_elevator(&t.fs, "sda", "[bfq]"), -EINVAL);
	add_device(&t, "sdc", "none");
	assert_int_equal(block_set_elevator(&t.fs, "sdc", "none"), 0);
	tree_remove(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elevators_are_read_from_brackets),
		cmocka_unit_test(mounts_are_found_by_number_or_device),
		cmocka_unit_test(counters_are_read_in_bytes),
		cmocka_unit_test(the_way_down_is_found),
		cmocka_unit_test(figures_come_with_their_device),
		cmocka_unit_test(a_device_may_be_named),
		cmocka_unit_test(usage_is_of_one_device),
		cmocka_unit_test(stacks_end),
		cmocka_unit_test(what_vanishes_is_unknown),
		cmocka_unit_test(what_differs_side_by_side_is_not_sure),
		cmocka_unit_test(an_elevator_that_does_not_stick_is_told),
	};

	return cmocka_run_group_tests_name("block", tests, NULL, NULL);
}
