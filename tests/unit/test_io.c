/* I/O of processes and devices: counters and cgroups from fixtures, and for real on this machine, where a loop device comes and goes. */
#include "kernel/block_place.h"
#include "kernel/io.h"
#include "kernel/loop.h"
#include "test.h"
#include "tree.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#define DIR "/var/tmp"

#define COUNTS                                                                                  \
	"rchar: 5000000000\nwchar: 323934931\nsyscr: 632687\nsyscw: 632675\nread_bytes: 4096\n" \
	"write_bytes: 323932160\ncancelled_write_bytes: 8192\n"

static void counts_are_read_whole(void **state)
{
	static const char *const bad[] = {
		"",
		"rchar: 1\nwchar: 2\nread_bytes: 3\nwrite_bytes: 4\n",
		"rchar: 1\nwchar: 2\nread_bytes: 3\nwrite_bytes: 4\ncancelled_write_bytes: 5",
		"rchar: -1\nwchar: 2\nread_bytes: 3\nwrite_bytes: 4\ncancelled_write_bytes: 5\n",
		"rchar: x\nwchar: 2\nread_bytes: 3\nwrite_bytes: 4\ncancelled_write_bytes: 5\n",
	};
	struct io_counts c = {.at = 7};

	(void)state;
	assert_int_equal(io_parse(COUNTS, &c), 0);
	assert_true(c.read_chars == UINT64_C(5000000000) && c.write_chars == 323934931);
	assert_true(c.read_bytes == 4096 && c.write_bytes == 323932160 && c.cancelled_bytes == 8192);
	assert_int_equal(c.at, 7);
	for (size_t i = 0; i < COUNT(bad); i++)
		assert_int_equal(io_parse(bad[i], &c), -EINVAL);
}

static void counts_belong_to_a_process(void **state)
{
	struct procfs fs = tree_open_fixture("io-v2");
	struct io_counts c;

	(void)state;
	assert_int_equal(io_read(&fs, 4242, &c), 0);
	assert_true(c.at > 0 && c.read_bytes == 4096);
	assert_int_equal(io_read(&fs, 4243, &c), -ENOENT);
	procfs_close(&fs);
}

static void limits_are_told_from_defaults(void **state)
{
	static const struct {
		const char *text;
		bool limits, weights;
	} cases[] = {
		{"", false, false},
		{"8:16 rbps=max wbps=max riops=max wiops=max\n", false, true},
		{"8:16 rbps=max wbps=max riops=max wiops=max\n8:0 rbps=max wbps=1048576\n", true, true},
		{"8:16 target=25000\n", true, true},
		{"8:16 100\n", true, false},
		{"8:16 100", false, false}, /* cut: it may be 1000 */
		{"8:16 rbps=ma", false, false},
		{"default 100\n", true, false},
		{"default 100\n8:0 100\n", true, false},
		{"default 100\n8:0 250\n", true, true},
		{"default 50\n", true, true},
		{"100\n", true, false},
		{"500\n", true, true},
		{"default 0\n", true, false},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		/* What stands in a weight file is no limit, and the other way round: only the right ones are asked. */
		if (strncmp(cases[i].text, "default", 7) != 0)
			assert_int_equal(io_parse_limits(cases[i].text), cases[i].limits);
		if (!strchr(cases[i].text, '='))
			assert_int_equal(io_parse_weights(cases[i].text), cases[i].weights);
	}
}

static void groups_decide_before_the_elevator(void **state)
{
	static const struct {
		const char *tree;
		pid_t pid;
		int version;
		const char *path, *policy;
		enum tri limits;
		const char *file, *at;
	} cases[] = {
		{"io-v2", 4242, 2, "/batch.slice/job", "idle", TRI_YES, "io.max", "/batch.slice"},
		{"io-v2", 4243, 2, "/user.slice/app", "", TRI_YES, "io.weight", "/user.slice"},
		{"io-v2", 0, 2, "/user.slice/app", "", TRI_YES, "io.weight", "/user.slice"},
		{"io-v2", 4244, 2, "/plain.slice", "", TRI_NO, "", ""},
		/* It was not given the controller: its requests are those of the group above. */
		{"io-v2", 4246, 2, "/batch.slice/job/deep", "idle", TRI_YES, "io.max", "/batch.slice"},
		{"io-v2", 4248, 2, "/slow.slice", "", TRI_YES, "io.latency", "/slow.slice"},
		{"io-v2", 4249, 2, "/bfq.slice", "", TRI_YES, "io.bfq.weight", "/bfq.slice"},
		{"io-v2", 4251, 2, "/", "", TRI_NO, "", ""},
		{"io-v1", 4242, 1, "/slow", "promote-to-rt", TRI_YES, "blkio.throttle.write_iops_device",
		 "/slow"},
		{"io-v1", 4243, 1, "/slow/child", "", TRI_NO, "", ""}, /* throttling of v1 knows no levels */
		{"io-v1", 4244, 1, "/", "", TRI_NO, "", ""},
		{"io-v1", 4245, 1, "/weighed/child", "", TRI_YES, "blkio.bfq.weight", "/weighed"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct procfs fs = tree_open_fixture(cases[i].tree);
		struct io_group g;
		assert_int_equal(io_group_read(&fs, cases[i].pid, &g), 0);
		procfs_close(&fs);
		assert_int_equal(g.placed, TRI_YES);
		assert_int_equal(g.version, cases[i].version);
		assert_string_equal(g.path, cases[i].path);
		assert_string_equal(g.policy, cases[i].policy);
		assert_int_equal(g.limits, cases[i].limits);
		assert_string_equal(g.limit_file, cases[i].file);
		assert_string_equal(g.limit_path, cases[i].at);
	}
}

static struct io_group read_group(const struct procfs *fs, pid_t pid, int rc)
{
	struct io_group g;

	memset(&g, 1, sizeof(g));
	assert_int_equal(io_group_read(fs, pid, &g), rc);
	return g;
}

static void groups_out_of_sight_are_unknown(void **state)
{
	struct procfs fs = tree_open_fixture("io-v2");
	struct io_group g;
	struct tree t;

	(void)state;
	g = read_group(&fs, 4245, 0); /* outside of the namespace */
	assert_true(g.placed == TRI_NO && g.limits == TRI_UNKNOWN && g.version == 2);
	g = read_group(&fs, 4247, 0); /* gone meanwhile */
	assert_true(g.placed == TRI_UNKNOWN && g.limits == TRI_UNKNOWN);
	g = read_group(&fs, 4250, 0); /* no hierarchy for it */
	assert_true(g.placed == TRI_NO && g.version == 0 && !g.path[0]);
	read_group(&fs, 9999, -ENOENT);
	procfs_close(&fs);
	tree_make(&t);
	tree_write(&t, "proc/7/cgroup", "0::/\n");
	read_group(&t.fs, 7, -ENOENT); /* no mountinfo */
	tree_write(&t, "proc/self/mountinfo", "31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
	tree_write(&t, "sys/fs/cgroup/cgroup.type", "domain\n"); /* the top of a container */
	tree_write(&t, "sys/fs/cgroup/io.max", "");
	g = read_group(&t.fs, 7, 0);
	assert_true(g.placed == TRI_YES && g.limits == TRI_UNKNOWN);
	tree_write(&t, "sys/fs/cgroup/io.max", "8:0 rbps=1\n");
	g = read_group(&t.fs, 7, 0);
	assert_true(g.limits == TRI_YES);
	assert_string_equal(g.limit_path, "/");
	tree_write(&t, "proc/7/cgroup", "0::/a\033[31m\n");
	g = read_group(&t.fs, 7, 0);
	assert_string_equal(g.path, "/a?[31m");
	tree_remove(&t);
}

/* Here and now. */

static struct procfs open_real(void)
{
	struct procfs fs;

	assert_int_equal(procfs_open(&fs, NULL, NULL), 0);
	return fs;
}

/* A file without a name, full of what does not compress. */
static int make_file(off_t size)
{
	int fd = open(DIR, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	long block[512];

	assert_true(fd >= 0);
	for (off_t at = 0; at < size; at += (off_t)sizeof(block)) {
		for (size_t i = 0; i < COUNT(block); i++)
			block[i] = (random() << 31) ^ random();
		assert_int_equal(pwrite(fd, block, sizeof(block), at), sizeof(block));
	}
	assert_int_equal(fsync(fd), 0);
	return fd;
}

static struct block_reading look_here(const struct procfs *fs)
{
	struct block_place place;
	struct block_reading b;

	assert_int_equal(block_find(DIR, &place), 0);
	block_read(fs, &place, &b);
	return b;
}

static void own_counts_grow(void **state)
{
	enum { SIZE = 1 << 20 };
	struct procfs fs = open_real();
	struct io_counts before, after;
	char block[4096];
	int fd;

	(void)state;
	assert_int_equal(io_read(&fs, getpid(), &before), 0);
	fd = make_file(SIZE);
	assert_int_equal(pread(fd, block, sizeof(block), 0), sizeof(block));
	assert_int_equal(io_read(&fs, getpid(), &after), 0);
	close(fd);
	assert_true(after.at > before.at);
	assert_true(after.write_chars - before.write_chars >= SIZE);
	assert_true(after.read_chars - before.read_chars >= sizeof(block));
	if (look_here(&fs).nlevels)
		assert_true(after.write_bytes - before.write_bytes >= SIZE);
	procfs_close(&fs);
}

static void own_group_is_found(void **state)
{
	struct procfs fs = open_real();
	struct io_group g = read_group(&fs, getpid(), 0);

	(void)state;
	if (g.placed == TRI_YES)
		assert_true(g.version > 0 && g.path[0] == '/');
	procfs_close(&fs);
}

/* As nobody. */
static void the_counts_of_others_are_refused(void **state)
{
	pid_t child;
	int status;

	(void)state;
	if (geteuid() != 0)
		skip();
	child = fork();
	if (child == 0) {
		struct procfs fs = open_real();
		struct io_counts c;
		int rc = setresuid(65534, 65534, 65534) < 0 ? 77 : -io_read(&fs, getppid(), &c);
		if (rc == EACCES)
			rc = -block_set_elevator(&fs, "loop0", "none");
		_exit(rc);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77 || WEXITSTATUS(status) == ENOENT) /* no loop0 */
		skip();
	assert_int_equal(WEXITSTATUS(status), EACCES);
}

static void the_disk_below_a_directory_counts_what_is_written(void **state)
{
	enum { SIZE = 1 << 20 };
	struct procfs fs = open_real();
	struct block_reading b = look_here(&fs);
	struct block_usage before, after;
	const char *top;

	(void)state;
	assert_true(b.filesystem[0] && b.mount[0] == '/');
	if (!b.nlevels) {
		procfs_close(&fs);
		skip();
	}
	top = b.levels[0].name;
	assert_true(b.counts >= 0 && (size_t)b.counts < b.nlevels && b.levels[0].depth == 0);
	if (b.levels[0].queue == BLOCK_QUEUE_READ)
		assert_non_null(strstr(b.levels[0].offered, b.levels[0].elevator));
	assert_int_equal(block_read_usage(&fs, top, &before), 0);
	close(make_file(SIZE));
	assert_int_equal(block_read_usage(&fs, top, &after), 0);
	assert_true(after.at > before.at && after.writes > before.writes);
	assert_true(after.write_bytes - before.write_bytes >= SIZE);
	procfs_close(&fs);
}

/* The device, open; it is gone when it is closed. -1 where there are none. */
static int make_loop(char *name, size_t size)
{
	int backing = make_file(1 << 20), loop;
	enum loop_step step;

	loop = loop_attach(backing, false, name, size, &step);
	close(backing);
	return loop;
}

/* Its backing file has no name any more: only the kernel can tell where it is. */
static void a_loop_is_followed_to_the_disk_of_its_file(void **state)
{
	struct procfs fs = open_real();
	struct block_reading b, disk = look_here(&fs);
	struct block_place node;
	char name[LOOP_NAME], path[LOOP_NAME + 8];
	int loop = geteuid() == 0 && disk.nlevels ? make_loop(name, sizeof(name)) : -1;

	(void)state;
	if (loop < 0) {
		procfs_close(&fs);
		skip();
	}
	snprintf(path, sizeof(path), "/dev/%s", name);
	assert_int_equal(block_place_of(path, &node), 0);
	assert_int_equal(major(node.dev), 7);
	block_read_device(&fs, name, &b);
	assert_true(b.nlevels == 1 + disk.nlevels && b.levels[0].kind == BLOCK_LOOP);
	assert_string_equal(b.levels[0].name, name);
	assert_non_null(strstr(b.levels[0].backing, " (deleted)"));
	assert_string_equal(b.levels[1].name, disk.levels[0].name);
	assert_true(b.levels[1].depth == 1 && b.levels[0].passes == TRI_NO);
	assert_true(b.counts == 0 && b.sure);
	assert_int_equal(block_set_elevator(&fs, name, "no-such"), -EINVAL);
	if (strstr(b.levels[0].offered, "mq-deadline")) {
		assert_int_equal(block_set_elevator(&fs, name, "mq-deadline"), 0);
		block_read_device(&fs, name, &b);
		assert_string_equal(b.levels[0].elevator, "mq-deadline");
		assert_true(b.levels[0].aging_ms.known && b.counts == 0 && b.sure);
		assert_int_equal(block_set_elevator(&fs, name, "none"), 0);
	}
	if (ioctl(loop, LOOP_SET_DIRECT_IO, 1UL) == 0) {
		block_read_device(&fs, name, &b);
		assert_true(b.levels[0].passes != TRI_NO);
		if (disk.nlevels == 1 && disk.levels[0].honours == BLOCK_HONOURS_CLASS)
			assert_int_equal(b.counts, 1);
	}
	close(loop);
	procfs_close(&fs);
}

/* In a tree that stands in for the machine's own, a device and a path of the same name are others. */
static void a_stand_in_is_not_mixed_with_the_machine(void **state)
{
	struct procfs fs = open_real();
	char name[LOOP_NAME], path[96];
	int loop = geteuid() == 0 ? make_loop(name, sizeof(name)) : -1;
	struct block_place here;
	struct block_reading b;
	struct tree t;

	(void)state;
	assert_true(fs.real);
	procfs_close(&fs);
	if (loop < 0)
		skip();
	tree_make(&t);
	assert_int_equal(block_find(DIR, &here), 0);
	snprintf(path, sizeof(path), "sys/block/%s/loop/backing_file", name);
	tree_write(&t, path, DIR "\n");
	snprintf(path, sizeof(path), "sys/block/%s/dev", name);
	snprintf(path + 48, sizeof(path) - 48, "7:%s\n", name + strlen("loop"));
	tree_write(&t, path, path + 48);
	snprintf(path, sizeof(path), "sys/dev/block/%u:%u", major(here.dev), minor(here.dev));
	tree_link(&t, path, "../../devices/wrong");
	tree_write(&t, "sys/block/wrong/size", "1\n");
	block_read_device(&t.fs, name, &b);
	assert_false(t.fs.real);
	assert_true(b.nlevels == 1 && b.levels[0].kind == BLOCK_LOOP && !b.sure);
	t.fs.real = true; /* that would mix them */
	block_read_device(&t.fs, name, &b);
	assert_true(b.nlevels == 2);
	tree_remove(&t);
	close(loop);
}

static void directories_are_found_or_refused(void **state)
{
	struct block_place p;

	(void)state;
	assert_int_equal(block_find("/nowhere", &p), -ENOENT);
	assert_int_equal(block_find("/proc/self/stat", &p), -ENOTDIR);
	assert_int_equal(block_find("/dev/shm", &p), 0);
	assert_true(p.memory && p.direct == TRI_NO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_are_read_whole),
		cmocka_unit_test(counts_belong_to_a_process),
		cmocka_unit_test(limits_are_told_from_defaults),
		cmocka_unit_test(groups_decide_before_the_elevator),
		cmocka_unit_test(groups_out_of_sight_are_unknown),
		cmocka_unit_test(own_counts_grow),
		cmocka_unit_test(own_group_is_found),
		cmocka_unit_test(the_counts_of_others_are_refused),
		cmocka_unit_test(the_disk_below_a_directory_counts_what_is_written),
		cmocka_unit_test(a_loop_is_followed_to_the_disk_of_its_file),
		cmocka_unit_test(a_stand_in_is_not_mixed_with_the_machine),
		cmocka_unit_test(directories_are_found_or_refused),
	};

	return cmocka_run_group_tests_name("io", tests, NULL, NULL);
}
