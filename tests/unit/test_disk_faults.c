/* What is in the way of kinds of load with files, on real file systems: each ends with its step and errno. Most are mounted for the test,
 * which takes root. */
#include "load/disk.h"
#include "loadrun.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static load_fn const direct_kinds[] = {load_read, load_write, load_tree};
static load_fn const all_kinds[] = {load_bufread, load_bufwrite, load_read, load_write, load_tree};

static void expect_all(struct loadrun *r, enum arena_step step, int error)
{
	for (size_t i = 0; i < COUNT(all_kinds); i++) {
		loadrun_start(r, all_kinds[i]);
		loadrun_expect_fault(r, step, error);
	}
}

static void no_directory(void **state)
{
	struct loadrun *r = *state;

	close(r->load.dir);
	r->load.dir = -1;
	expect_all(r, STEP_DIRECTORY, ENOENT);
}

static void no_tree_name(void **state)
{
	struct loadrun *r = *state;

	r->load.tree = "";
	loadrun_start(r, load_tree);
	loadrun_expect_fault(r, STEP_DIRECTORY, ENOENT);
	r->load.tree = NULL;
	loadrun_start(r, load_tree);
	loadrun_expect_fault(r, STEP_DIRECTORY, ENOENT);
}

static void a_directory_that_vanished(void **state)
{
	struct loadrun *r = *state;

	assert_int_equal(rmdir(r->path), 0);
	expect_all(r, STEP_DIRECTORY, ENOENT);
}

static void be_nobody(struct loadrun *r)
{
	(void)r;
	if (setresgid(65534, 65534, 65534) < 0 || setresuid(65534, 65534, 65534) < 0)
		_exit(1);
}

static void a_directory_that_others_own(void **state)
{
	struct loadrun *r = *state;

	if (geteuid() == 0)
		r->prepare = be_nobody;
	assert_int_equal(chmod(r->path, 0500), 0);
	expect_all(r, STEP_CREATE, EACCES);
}

static void a_tree_that_is_there_already(void **state)
{
	struct loadrun *r = *state;

	assert_int_equal(mkdirat(r->load.dir, r->load.tree, 0755), 0);
	loadrun_start(r, load_tree);
	loadrun_expect_fault(r, STEP_CREATE, EEXIST);
}

static void a_block_that_is_not_aligned(void **state)
{
	struct loadrun *r = *state;

	loadrun_need_direct(r);
	atomic_store(&r->arena->disk.block, 100);
	atomic_store(&r->arena->disk.file_size, 100 * 1024);
	atomic_store(&r->arena->disk.tree_size, 100 * 1024);
	for (size_t i = 0; i < COUNT(direct_kinds); i++) {
		loadrun_start(r, direct_kinds[i]);
		loadrun_expect_fault(r, STEP_DIRECT, EINVAL);
	}
}

static void sizes_that_are_no_whole_blocks(void **state)
{
	static const uint64_t sizes[][2] = {{0, 1 << 20}, {4096, 0}, {4096, 4097}, {8192, 4096}};
	struct loadrun *r = *state;

	for (size_t i = 0; i < COUNT(sizes); i++) {
		atomic_store(&r->arena->disk.block, sizes[i][0]);
		atomic_store(&r->arena->disk.file_size, sizes[i][1]);
		loadrun_start(r, load_bufread);
		loadrun_expect_fault(r, STEP_CREATE, EINVAL);
	}
	atomic_store(&r->arena->disk.tree_size, 8191);
	loadrun_start(r, load_tree);
	loadrun_expect_fault(r, STEP_CREATE, EINVAL);
}

extern void __asan_init(void) __attribute__((weak));
extern void __tsan_init(void) __attribute__((weak));

static void allow_little_memory(struct loadrun *r)
{
	const struct rlimit little = {64 << 20, 64 << 20};

	(void)r;
	setrlimit(RLIMIT_AS, &little);
}

static void no_memory_for_a_block(void **state)
{
	struct loadrun *r = *state;

	if (__asan_init || __tsan_init)
		loadrun_skip("the sanitizers need more memory than this");
	r->prepare = allow_little_memory;
	atomic_store(&r->arena->disk.block, 128 << 20);
	atomic_store(&r->arena->disk.file_size, 128 << 20);
	loadrun_start(r, load_bufwrite);
	loadrun_expect_fault(r, STEP_MEMORY, ENOMEM);
}

static void more_than_half_of_what_is_free(void **state)
{
	struct loadrun *r = *state;

	loadrun_mount(r, "tmpfs", 0, "size=8m");
	atomic_store(&r->arena->disk.file_size, (4 << 20) + LOADRUN_BLOCK);
	atomic_store(&r->arena->disk.tree_size, (4 << 20) + LOADRUN_BLOCK);
	expect_all(r, STEP_SPACE, ENOSPC);
	assert_int_equal(loadrun_count_names(r), 0);
	atomic_store(&r->arena->disk.file_size, 4 << 20);
	loadrun_start(r, load_bufwrite);
	assert_true(loadrun_wait(r, loadrun_has_passes, 2));
}

static void no_inode_free(void **state)
{
	struct loadrun *r = *state;

	loadrun_mount(r, "tmpfs", 0, "size=8m,nr_inodes=1");
	expect_all(r, STEP_CREATE, ENOSPC);
}

static void a_file_system_that_is_read_only(void **state)
{
	struct loadrun *r = *state;

	loadrun_mount(r, "tmpfs", MS_RDONLY, "size=8m");
	expect_all(r, STEP_CREATE, EROFS);
	/* and full, as those that are made to be read always are */
	atomic_store(&r->arena->disk.file_size, 1 << 30);
	atomic_store(&r->arena->disk.tree_size, 1 << 30);
	expect_all(r, STEP_CREATE, EROFS);
}

/* ramfs has none, and counts no blocks. */
static void a_file_system_without_direct(void **state)
{
	struct loadrun *r = *state;

	loadrun_mount(r, "ramfs", 0, NULL);
	if (loadrun_takes_direct(r))
		loadrun_skip("ramfs takes O_DIRECT here");
	for (size_t i = 0; i < COUNT(direct_kinds); i++) {
		assert_int_equal(loadrun_count_names(r), 0);
		loadrun_start(r, direct_kinds[i]);
		loadrun_expect_fault(r, STEP_DIRECT, EINVAL);
	}
	loadrun_start(r, load_bufread);
	assert_true(loadrun_wait(r, loadrun_has_passes, 2));
}

/* Memory that takes O_DIRECT and means nothing by it is no fault of the worker's. */
static void memory_with_direct(void **state)
{
	struct loadrun *r = *state;

	loadrun_mount(r, "tmpfs", 0, "size=16m");
	if (!loadrun_takes_direct(r))
		loadrun_skip("tmpfs takes no O_DIRECT before Linux 6.6");
	for (size_t i = 0; i < COUNT(direct_kinds); i++) {
		loadrun_start(r, direct_kinds[i]);
		assert_true(loadrun_wait(r, loadrun_has_passes, 2));
		loadrun_kill(r);
	}
}

static void a_tree_that_is_taken_away_while_it_is_walked(void **state)
{
	struct loadrun *r = *state;
	char command[1024];

	loadrun_need_direct(r);
	loadrun_start(r, load_tree);
	assert_true(loadrun_wait(r, loadrun_has_passes, 1));
	snprintf(command, sizeof(command), "rm -rf '%s/tree'", r->path);
	assert_int_equal(system(command), 0);
	loadrun_expect_fault(r, STEP_WALK, ENOENT);
}

/* Its only directory is gone when the next walk begins: nothing fails then, but nothing is read either. */
static void a_tree_that_was_emptied_between_two_walks(void **state)
{
	struct loadrun *r = *state;
	char command[1024];

	loadrun_need_direct(r);
	atomic_store(&r->arena->disk.tree_size, 4 * LOADRUN_BLOCK);
	loadrun_start(r, load_tree);
	assert_true(loadrun_wait(r, loadrun_has_passes, 1));
	kill(r->pid, SIGSTOP);
	snprintf(command, sizeof(command), "mkdir '%s/gone' && mv '%s'/tree/* '%s/gone'", r->path, r->path,
		 r->path);
	assert_int_equal(system(command), 0);
	kill(r->pid, SIGCONT);
	loadrun_expect_fault(r, STEP_WALK, ENOENT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, loadrun_setup, loadrun_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(no_directory),
		TEST(no_tree_name),
		TEST(a_directory_that_vanished),
		TEST(a_directory_that_others_own),
		TEST(a_tree_that_is_there_already),
		TEST(a_block_that_is_not_aligned),
		TEST(sizes_that_are_no_whole_blocks),
		TEST(no_memory_for_a_block),
		TEST(more_than_half_of_what_is_free),
		TEST(no_inode_free),
		TEST(a_file_system_that_is_read_only),
		TEST(a_file_system_without_direct),
		TEST(memory_with_direct),
		TEST(a_tree_that_is_taken_away_while_it_is_walked),
		TEST(a_tree_that_was_emptied_between_two_walks),
	};

	return cmocka_run_group_tests_name("disk faults", tests, NULL, NULL);
}
