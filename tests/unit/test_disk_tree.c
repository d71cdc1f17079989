/* The kind that walks a directory tree: what the tree is made of, that a walk reads all of it, and that threads leave nothing open. */
#include "load/disk.h"
#include "base/clock.h"
#include "loadrun.h"
#include "pause.h"
#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

struct sizes {
	uint64_t bytes, largest, smallest;
	unsigned files, directories;
};

static void look_at_file(int dir, const char *name, struct sizes *s)
{
	struct stat st;

	assert_int_equal(fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW), 0);
	assert_true(S_ISREG(st.st_mode));
	s->files++;
	s->bytes += (uint64_t)st.st_size;
	if ((uint64_t)st.st_size > s->largest)
		s->largest = (uint64_t)st.st_size;
	if (!s->smallest || (uint64_t)st.st_size < s->smallest)
		s->smallest = (uint64_t)st.st_size;
}

/* Both levels: the tree's directories, and the files in each. */
static void look_at_directory(const char *path, bool is_top, struct sizes *s)
{
	DIR *d = opendir(path);
	struct stat st;
	struct dirent *e;
	unsigned n = 0;

	assert_non_null(d);
	assert_int_equal(fstat(dirfd(d), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	while ((e = readdir(d))) {
		char below[512];
		if (e->d_name[0] == '.')
			continue;
		snprintf(below, sizeof(below), "%.250s/%.250s", path, e->d_name);
		if (is_top)
			look_at_directory(below, false, s);
		else
			look_at_file(dirfd(d), e->d_name, s);
		n++;
	}
	closedir(d);
	s->directories += is_top ? n : 0;
	assert_true(is_top || (n >= 1 && n <= 16));
}

static struct sizes look_at_tree(const struct loadrun *r)
{
	struct sizes s = {0};
	char path[300];

	snprintf(path, sizeof(path), "%s/%s", r->path, r->load.tree);
	look_at_directory(path, true, &s);
	return s;
}

static void a_tree_is_made_of_small_files(void **state)
{
	struct loadrun *r = *state;
	struct sizes s;

	umask(0777); /* whatever umask it is started with */
	loadrun_start_ready(r, load_tree);
	umask(022);
	s = look_at_tree(r);
	assert_int_equal(s.bytes, LOADRUN_TREE);
	assert_int_equal(s.smallest, LOADRUN_BLOCK);
	assert_int_equal(s.files, LOADRUN_TREE / LOADRUN_BLOCK);
	assert_int_equal(s.directories, (s.files + 15) / 16);
	loadrun_kill(r);
	assert_int_equal(loadrun_count_names(r), 1);
}

static void files_of_a_large_tree_are_larger(void **state)
{
	struct loadrun *r = *state;
	struct sizes s;

	atomic_store(&r->arena->disk.block, 4096);
	atomic_store(&r->arena->disk.tree_size, (6 << 20) + 4096);
	loadrun_start_ready(r, load_tree);
	s = look_at_tree(r);
	assert_int_equal(s.bytes, (6 << 20) + 4096);
	assert_int_equal(s.largest, 24576);
	assert_int_equal(s.smallest, 4096);
}

/* What is left of the size beyond whole blocks is not made; a block that is larger than files usually are makes them larger. */
static void a_tree_is_whole_blocks(void **state)
{
	struct loadrun *r = *state;
	struct sizes s;

	atomic_store(&r->arena->disk.block, 2 << 20);
	atomic_store(&r->arena->disk.tree_size, (4 << 20) + 777);
	loadrun_start_ready(r, load_tree);
	s = look_at_tree(r);
	assert_int_equal(s.files, 2);
	assert_int_equal(s.smallest, 2 << 20);
	loadrun_expect_passes(r, 1);
}

static void a_walk_reads_the_whole_tree(void **state)
{
	struct loadrun *r = *state;
	long long fetched;
	uint64_t samples;

	loadrun_start_victim(r, load_tree, 1);
	fetched = loadrun_is_memory(r) ? -1 : loadrun_proc(r, "io", "read_bytes:", 10);
	loadrun_expect_passes(r, 3);
	if (fetched >= 0)
		assert_true(loadrun_proc(r, "io", "read_bytes:", 10) - fetched >=
			    2 * (long long)LOADRUN_TREE);
	loadrun_kill(r);
	samples = loadrun_samples(r, 0);
	assert_in_range(samples, loadrun_passes(r), loadrun_passes(r) + 1);
	assert_in_range(loadrun_bytes(r), samples * LOADRUN_TREE, (samples + 1) * LOADRUN_TREE);
}

static void each_thread_walks_by_itself(void **state)
{
	struct loadrun *r = *state;
	uint64_t passes, bytes;

	loadrun_start_victim(r, load_tree, 3);
	assert_true(loadrun_wait(r, loadrun_all_have_samples, 3));
	atomic_store(&r->load.victim->threads, 1); /* in the midst of a walk */
	assert_true(loadrun_wait(r, loadrun_has_alive, 1));
	loadrun_expect_passes(r, 1);
	loadrun_kill(r);
	passes = loadrun_passes(r);
	bytes = loadrun_bytes(r);
	assert_in_range(bytes, passes * LOADRUN_TREE, (passes + 3) * LOADRUN_TREE);
	r->load.victim = NULL;
	r->load.threads = 4;
	r->load.tree = "another";
	loadrun_start_ready(r, load_tree);
	loadrun_expect_passes(r, 8);
	assert_true(loadrun_proc(r, "status", "Threads:", 10) >= 4);
}

static unsigned count_descriptors(pid_t pid)
{
	char path[64];
	unsigned n = 0;
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	d = opendir(path);
	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

/* None by making the tree, none by a thread that goes in the midst of a walk; the one that stays has three of its own at most. */
static void threads_that_come_and_go_leave_no_descriptors(void **state)
{
	struct loadrun *r = *state;
	unsigned before;

	loadrun_start_victim(r, load_tree, 1);
	before = count_descriptors(r->pid);
	assert_true(before <= count_descriptors(getpid()) + 4);
	for (int i = 0; i < 20; i++) {
		atomic_store(&r->load.victim->threads, 4);
		assert_true(loadrun_wait(r, loadrun_has_alive, 4));
		pause_ns(NS_PER_MS);
		atomic_store(&r->load.victim->threads, 1);
		assert_true(loadrun_wait(r, loadrun_has_alive, 1));
	}
	assert_true(count_descriptors(r->pid) <= before + 3);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, loadrun_setup, loadrun_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_tree_is_made_of_small_files), TEST(files_of_a_large_tree_are_larger),
		TEST(a_tree_is_whole_blocks),	     TEST(a_walk_reads_the_whole_tree),
		TEST(each_thread_walks_by_itself),   TEST(threads_that_come_and_go_leave_no_descriptors),
	};

	return cmocka_run_group_tests_name("disk tree", tests, NULL, NULL);
}
