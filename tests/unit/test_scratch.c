/* Where files go: what of it is removed and what never is, and a loop device that leaves nothing, whenever its maker is killed. */
#include "base/clock.h"
#include "diskrun.h"
#include "kernel/loop.h"
#include "pause.h"
#include "test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOP_SIZE (UINT64_C(32) << 20)
#define NOBODY 65534
#define KILLS 40

/* The number of a process that is gone. */
static int dead_pid(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	return pid;
}

static void make_dir(const struct diskrun *d, const char *name)
{
	assert_int_equal(mkdirat(d->config.scratch.dir, name, 0700), 0);
}

static void make_file(const struct diskrun *d, const char *name)
{
	int fd = openat(d->config.scratch.dir, name, O_CREAT | O_EXCL | O_WRONLY, 0600);

	assert_true(fd >= 0);
	close(fd);
}

static bool is_there(const struct diskrun *d, const char *name)
{
	return faccessat(d->config.scratch.dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* With everything in it, by whoever has it open last. */
static void drop(const struct diskrun *d, const char *name)
{
	char command[256];

	snprintf(command, sizeof(command), "rm -rf '%s/%s'", d->path, name);
	assert_int_equal(system(command), 0);
}

/* What a nicelab that was killed has left, and no more. */
static void open_again(struct diskrun *d)
{
	scratch_close(&d->config.scratch);
	assert_int_equal(scratch_open(&d->config.scratch, d->path), 0);
}

static void trees_of_dead_stages_go(void **state)
{
	struct diskrun *d = *state;
	char tree[SCRATCH_TREE], name[96];

	scratch_tree_name(tree, sizeof(tree), dead_pid(), 7);
	make_dir(d, tree);
	for (int i = 0; i < 3; i++) {
		snprintf(name, sizeof(name), "%s/d%03d", tree, i);
		make_dir(d, name);
		snprintf(name, sizeof(name), "%s/d%03d/f00", tree, i);
		make_file(d, name);
	}
	/* The number of its stage has gone to somebody else: to this test. */
	scratch_tree_name(name, sizeof(name), getpid(), 1);
	make_dir(d, name);
	open_again(d);
	assert_int_equal(diskrun_count(d->path, ""), 0);
}

static void a_living_stage_keeps_its_trees(void **state)
{
	struct diskrun *d = *state;
	char tree[SCRATCH_TREE];
	int pipes[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(pipes), 0);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_NAME, "nl-stage");
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (write(pipes[1], "x", 1) == 1)
			pause();
		_exit(1);
	}
	assert_int_equal(read(pipes[0], &byte, 1), 1);
	scratch_tree_name(tree, sizeof(tree), pid, 1);
	make_dir(d, tree);
	open_again(d);
	assert_true(is_there(d, tree));
	kill(pid, SIGKILL);
	pause_ns(100 * NS_PER_MS); /* a zombie from here on */
	open_again(d);
	assert_false(is_there(d, tree));
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	close(pipes[0]);
	close(pipes[1]);
}

/* What only looks like one: no name that scratch_tree_name makes, or no directory. */
static void other_names_stay(void **state)
{
	struct diskrun *d = *state;
	static const char *const formats[] = {".nl-tree-%d",
					      ".nl-tree-%d-",
					      ".nl-tree-%d-1x",
					      ".nl-tree- %d-1",
					      ".nl-tree-+%d-1",
					      ".nl-tree-0%d-1",
					      ".nl-tree-%d-01",
					      ".nl-tree-%d--1",
					      ".nl-tree-%d-1-2",
					      "nl-tree-%d-1",
					      ".nl-tree--%d-1",
					      ".nl-tree-keep",
					      ".nl-tree-",
					      ".nl-tree-%d-+1",
					      ".nl-tree-0-1",
					      ".nl-tree-%d- 1",
					      ".nl-tree-4294967297-1",
					      ".nl-tree-%d-4294967297",
					      ".nl-tree-99999999999999999999-1"};
	char name[192];
	int dead = dead_pid();

	for (size_t i = 0; i < COUNT(formats); i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		snprintf(name, sizeof(name), formats[i], dead);
#pragma GCC diagnostic pop
		make_dir(d, name);
	}
	snprintf(name, sizeof(name), ".nl-tree-%d-9", dead);
	make_file(d, name);
	open_again(d);
	assert_int_equal(diskrun_count(d->path, ""), COUNT(formats) + 1);
	snprintf(name, sizeof(name), "rm -rf %s/.nl-tree* %s/nl-tree*", d->path, d->path);
	assert_int_equal(system(name), 0);
}

/* A link in the place of a tree, and links in it, lead nowhere. */
static void links_are_not_followed(void **state)
{
	struct diskrun *d = *state;
	char tree[SCRATCH_TREE], other[SCRATCH_TREE], name[96], target[128];

	make_dir(d, "precious");
	make_file(d, "precious/file");
	snprintf(target, sizeof(target), "%s/precious", d->path);
	scratch_tree_name(tree, sizeof(tree), dead_pid(), 1);
	assert_int_equal(symlinkat(target, d->config.scratch.dir, tree), 0);
	scratch_tree_name(other, sizeof(other), dead_pid(), 2);
	make_dir(d, other);
	snprintf(name, sizeof(name), "%s/d000", other);
	assert_int_equal(symlinkat(target, d->config.scratch.dir, name), 0);
	snprintf(name, sizeof(name), "%s/up", other);
	assert_int_equal(symlinkat("..", d->config.scratch.dir, name), 0);
	open_again(d);
	assert_true(is_there(d, "precious/file"));
	assert_true(is_there(d, tree)); /* no directory: not ours */
	assert_false(is_there(d, other));
	assert_int_equal(scratch_remove_tree(d->config.scratch.dir, tree), -ENOTDIR);
	assert_true(is_there(d, "precious/file"));
	drop(d, tree);
	drop(d, "precious");
}

/* Root removes what the owner of the tree could have removed, and nothing else: not what others have in it. */
static void root_is_nobodys_tool(void **state)
{
	struct diskrun *d = *state;
	char tree[SCRATCH_TREE], name[96];
	int dir = d->config.scratch.dir;

	if (geteuid() != 0)
		diskrun_skip("only root could be made one");
	scratch_tree_name(tree, sizeof(tree), dead_pid(), 1);
	make_dir(d, tree);
	snprintf(name, sizeof(name), "%s/own", tree);
	make_dir(d, name);
	assert_int_equal(fchownat(dir, name, NOBODY, NOBODY, 0), 0);
	snprintf(name, sizeof(name), "%s/of-root", tree);
	make_dir(d, name);
	snprintf(name, sizeof(name), "%s/of-root/precious", tree);
	make_file(d, name);
	assert_int_equal(fchownat(dir, tree, NOBODY, NOBODY, 0), 0);
	open_again(d);
	assert_true(is_there(d, name));
	snprintf(name, sizeof(name), "%s/own", tree);
	assert_false(is_there(d, name));
	drop(d, tree);
	make_dir(d, tree);
	assert_int_equal(fchownat(dir, tree, NOBODY, NOBODY, 0), 0);
	open_again(d);
	assert_false(is_there(d, tree)); /* a worker of another user has left it */
}

/* One that is deeper than any worker's tree is not ours altogether. */
static void a_tree_is_only_so_deep(void **state)
{
	struct diskrun *d = *state;
	char tree[SCRATCH_TREE], name[128];

	scratch_tree_name(tree, sizeof(tree), dead_pid(), 1);
	snprintf(name, sizeof(name), "%s", tree);
	for (int i = 0; i < 8; i++) {
		make_dir(d, name);
		strcat(name, "/d");
	}
	open_again(d);
	assert_true(is_there(d, tree));
	drop(d, tree);
}

static int mount_own(const struct diskrun *d, const char *type)
{
	if (geteuid() != 0 || unshare(CLONE_NEWNS) < 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("nicelab-test", d->path, type, 0, NULL) < 0)
		return -1;
	return open(d->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* A file system that knows neither O_TMPFILE nor O_DIRECT makes the file that it then refuses. In a process of its own, for the mount. */
static void a_try_leaves_no_name(void **state)
{
	struct diskrun *d = *state;
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		struct scratch s = {.dir = mount_own(d, "mqueue")};
		uint64_t room;
		if (s.dir < 0)
			_exit(77);
		if (scratch_try(&s, 0, true, &room) != -EINVAL)
			_exit(1);
		_exit(diskrun_count(d->path, "") ? 2 : 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		diskrun_skip("no such file system can be mounted here");
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Loop devices whose file was made in the directory. */
static unsigned count_loops(const char *path)
{
	char name[96], file[256];
	unsigned n = 0;

	for (int i = 0; i < 64; i++) {
		snprintf(name, sizeof(name), "/sys/block/loop%d/loop/backing_file", i);
		FILE *f = fopen(name, "r");
		if (!f)
			continue;
		n += fgets(file, sizeof(file), f) && strncmp(file, path, strlen(path)) == 0;
		fclose(f);
	}
	return n;
}

static void two_loop_devices_are_two(void **state)
{
	struct diskrun *d = *state;
	struct scratch other;
	char first[LOOP_NAME], second[LOOP_NAME];
	const char *why;

	diskrun_use_loop(d, LOOP_SIZE);
	assert_int_equal(scratch_open(&other, d->path), 0);
	assert_int_equal(scratch_loop(&other, LOOP_SIZE, true, &why), 0);
	memcpy(first, d->config.scratch.loop, sizeof(first));
	memcpy(second, other.loop, sizeof(second));
	assert_string_not_equal(first, second);
	assert_int_equal(count_loops(d->path), 2);
	scratch_close(&other);
	assert_true(diskrun_is_detached(second));
	assert_int_equal(count_loops(d->path), 1);
	scratch_close(&d->config.scratch);
	assert_true(diskrun_is_detached(first));
}

static void wait_no_loops(const struct diskrun *d)
{
	uint64_t until = clock_now() + 20 * NS_PER_SEC;

	while (count_loops(d->path) && clock_now() < until)
		pause_ns(10 * NS_PER_MS);
	assert_int_equal(count_loops(d->path), 0);
}

/* At any moment of the making. */
static void a_maker_that_is_killed_leaves_nothing(void **state)
{
	struct diskrun *d = *state;
	const char *why;

	diskrun_use_loop(d, LOOP_SIZE);
	scratch_close(&d->config.scratch);
	for (unsigned i = 0; i < KILLS; i++) {
		pid_t pid = fork();
		if (pid == 0) {
			struct scratch s;
			if (scratch_open(&s, d->path) == 0 && scratch_loop(&s, LOOP_SIZE, false, &why) == 0)
				pause();
			_exit(1);
		}
		pause_ns(i * 3 * NS_PER_MS);
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
	}
	wait_no_loops(d);
	assert_int_equal(diskrun_count(d->path, ""), 0);
}

/* A step that fails closes what those before it have opened: the descriptors are as many as before. */
static unsigned count_own_fds(void)
{
	return diskrun_count("/proc/self/fd", "");
}

static void a_step_that_fails_closes_all(void **state)
{
	struct diskrun *d = *state;
	unsigned before = count_own_fds();
	const char *why = NULL;
	enum loop_step step;
	char name[LOOP_NAME];

	assert_int_equal(scratch_loop(&d->config.scratch, 4096, false, &why), -EIO); /* too small for ext4 */
	assert_non_null(strstr(why, "mke2fs"));
	assert_int_equal(count_own_fds(), before);
	assert_string_equal(d->config.scratch.loop, "");
	assert_int_equal(scratch_loop(&d->config.scratch, UINT64_C(1) << 60, false, &why), -EFBIG);
	assert_int_equal(count_own_fds(), before);
	if (geteuid() == 0) {
		int null = open("/dev/null", O_RDWR | O_CLOEXEC);
		assert_true(loop_attach(null, false, name, sizeof(name), &step) < 0);
		assert_int_equal(step, LOOP_ATTACH);
		close(null);
		assert_true(loop_mount("loop63", "ext4") < 0);
		assert_true(loop_mount("loop0", "no-such-fs") < 0);
		assert_int_equal(count_own_fds(), before);
	}
	assert_int_equal(count_loops(d->path), 0);
}

static void without_root_there_is_one_clear_reason(void **state)
{
	struct diskrun *d = *state;
	const char *why = NULL;
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		if (geteuid() == 0 &&
		    (setresgid(NOBODY, NOBODY, NOBODY) < 0 || setresuid(NOBODY, NOBODY, NOBODY) < 0))
			_exit(77);
		int rc = scratch_loop(&d->config.scratch, LOOP_SIZE, false, &why);
		_exit(rc == -EACCES && strstr(why, "only by root") && d->config.scratch.dir >= 0 ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	assert_int_equal(diskrun_count(d->path, ""), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(fn) cmocka_unit_test_setup_teardown(fn, diskrun_setup, diskrun_teardown)
		T(trees_of_dead_stages_go),
		T(a_living_stage_keeps_its_trees),
		T(other_names_stay),
		T(links_are_not_followed),
		T(root_is_nobodys_tool),
		T(a_tree_is_only_so_deep),
		T(a_try_leaves_no_name),
		T(two_loop_devices_are_two),
		T(a_maker_that_is_killed_leaves_nothing),
		T(a_step_that_fails_closes_all),
		T(without_root_there_is_one_clear_reason),
	};

	return cmocka_run_group_tests_name("scratch", tests, NULL, NULL);
}
