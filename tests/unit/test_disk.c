/* Kinds of load that read and write files, on the real file system of $TMPDIR or /var/tmp: what they make, what they do to it, what is a
 * sample, and that nothing stays behind. No timing is asserted, only what must become true. */
#include "load/disk.h"
#include "loadrun.h"
#include "pause.h"
#include "base/clock.h"
#include "test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCKS (LOADRUN_FILE / LOADRUN_BLOCK)

static int open_flags(const struct loadrun *r)
{
	char file[32];
	long long flags;

	snprintf(file, sizeof(file), "fdinfo/%d", loadrun_fd(r));
	flags = loadrun_proc(r, file, "flags:", 8);
	assert_true(flags >= 0);
	return (int)flags;
}

static int open_worker_file(const struct loadrun *r)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)r->pid, loadrun_fd(r));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	return fd;
}

static void one_file_kind(struct loadrun *r, load_fn run, bool direct)
{
	struct stat st;
	int fd;

	loadrun_start_ready(r, run);
	loadrun_expect_passes(r, 2);
	assert_true(loadrun_bytes(r) >= 2 * LOADRUN_FILE);
	assert_int_equal(!!(open_flags(r) & O_DIRECT), direct);
	fd = open_worker_file(r);
	assert_int_equal(fstat(fd, &st), 0);
	close(fd);
	assert_int_equal(st.st_nlink, 0);
	assert_int_equal(st.st_size, LOADRUN_FILE);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(loadrun_count_names(r), 0);
	loadrun_kill(r);
	assert_int_equal(loadrun_count_names(r), 0);
	assert_int_equal(atomic_load(&r->load.worker->fault), 0);
}

static void read_is_direct_and_leaves_nothing(void **state)
{
	one_file_kind(*state, load_read, true);
}

static void write_is_direct_and_leaves_nothing(void **state)
{
	one_file_kind(*state, load_write, true);
}

static void bufread_is_buffered_and_leaves_nothing(void **state)
{
	one_file_kind(*state, load_bufread, false);
}

static void bufwrite_is_buffered_and_leaves_nothing(void **state)
{
	one_file_kind(*state, load_bufwrite, false);
}

/* What the block layer was asked for, as the kernel counts it for the process. */
static void only_direct_reads_reach_the_device(void **state)
{
	struct loadrun *r = *state;
	long long fetched;

	if (loadrun_is_memory(r))
		loadrun_skip("no disk below $TMPDIR or /var/tmp");
	loadrun_start_ready(r, load_read);
	if (loadrun_proc(r, "io", "read_bytes:", 10) < 0)
		loadrun_skip("no /proc/PID/io");
	loadrun_expect_passes(r, 3);
	assert_true(loadrun_proc(r, "io", "read_bytes:", 10) >= 3 * (long long)LOADRUN_FILE);
	loadrun_kill(r);
	loadrun_start_ready(r, load_bufread);
	fetched = loadrun_proc(r, "io", "read_bytes:", 10);
	loadrun_expect_passes(r, 3);
	assert_int_equal(loadrun_proc(r, "io", "read_bytes:", 10), fetched);
}

/* Two processes' files have nothing in common, and none repeats itself. */
static void files_are_noise(void **state)
{
	static unsigned char a[LOADRUN_FILE], b[LOADRUN_FILE];
	struct loadrun *r = *state;
	unsigned counts[256] = {0};
	int fd;

	loadrun_start_ready(r, load_bufread);
	fd = open_worker_file(r);
	assert_int_equal(read(fd, a, sizeof(a)), sizeof(a));
	close(fd);
	loadrun_kill(r);
	loadrun_start_ready(r, load_bufread);
	fd = open_worker_file(r);
	assert_int_equal(read(fd, b, sizeof(b)), sizeof(b));
	close(fd);
	for (size_t at = 0; at < sizeof(a); at += 512)
		assert_memory_not_equal(a + at, b + at, 512);
	assert_memory_not_equal(a, a + sizeof(a) / 2, sizeof(a) / 2);
	for (size_t i = 0; i < sizeof(a); i++)
		counts[a[i]]++;
	for (size_t i = 0; i < COUNT(counts); i++)
		assert_in_range(counts[i], sizeof(a) / 256 / 2, sizeof(a) / 256 * 2);
}

/* The bytes are counted before the sample, the sample before the pass: killed at any moment they are one apart at most. */
static void a_sample_is_a_block(void **state)
{
	static load_fn const kinds[] = {load_read, load_write, load_bufread};
	struct loadrun *r = *state;

	loadrun_victim(r, 1);
	for (size_t i = 0; i < COUNT(kinds); i++) {
		uint64_t samples = loadrun_samples(r, 0);
		loadrun_start_victim(r, kinds[i], 1);
		loadrun_expect_passes(r, 3);
		loadrun_kill(r);
		samples = loadrun_samples(r, 0) - samples;
		assert_in_range(loadrun_bytes(r) / LOADRUN_BLOCK, samples, samples + 1);
	}
}

static void a_sample_is_a_file(void **state)
{
	static load_fn const kinds[] = {load_read, load_write, load_bufread};
	struct loadrun *r = *state;

	atomic_store(&r->arena->disk.per_file, 1);
	loadrun_victim(r, 1);
	for (size_t i = 0; i < COUNT(kinds); i++) {
		uint64_t samples = loadrun_samples(r, 0);
		loadrun_start_victim(r, kinds[i], 1);
		loadrun_expect_passes(r, 4);
		loadrun_kill(r);
		samples = loadrun_samples(r, 0) - samples;
		assert_in_range(samples, loadrun_passes(r), loadrun_passes(r) + 1);
	}
}

static void samples_change_between_block_and_file_while_it_runs(void **state)
{
	struct loadrun *r = *state;
	uint64_t passes, samples;

	loadrun_start_victim(r, load_read, 1);
	loadrun_expect_passes(r, 2);
	atomic_store(&r->arena->disk.per_file, 1);
	loadrun_expect_passes(r, 2); /* the first may have begun before */
	passes = loadrun_passes(r);
	samples = loadrun_samples(r, 0);
	loadrun_expect_passes(r, 10);
	samples = loadrun_samples(r, 0) - samples;
	assert_in_range(samples, 9, loadrun_passes(r) - passes + 1);
	atomic_store(&r->arena->disk.per_file, 0);
	samples = loadrun_samples(r, 0);
	loadrun_expect_passes(r, 3);
	assert_true(loadrun_samples(r, 0) - samples > 2 * BLOCKS);
}

static void threads_of_a_victim_come_and_go(void **state)
{
	struct loadrun *r = *state;
	uint64_t samples;

	loadrun_start_victim(r, load_read, 1);
	loadrun_expect_passes(r, 1);
	atomic_store(&r->load.victim->threads, 4);
	assert_true(loadrun_wait(r, loadrun_has_alive, 4));
	assert_true(loadrun_wait(r, loadrun_all_have_samples, 4));
	atomic_store(&r->load.victim->threads, 2);
	assert_true(loadrun_wait(r, loadrun_has_alive, 2));
	samples = loadrun_samples(r, 3);
	loadrun_expect_passes(r, 2);
	assert_int_equal(loadrun_samples(r, 3), samples);
	assert_int_equal(atomic_load(&r->load.victim->thread[3].started_ns), 0);
	atomic_store(&r->load.victim->threads, 4);
	assert_true(loadrun_wait(r, loadrun_has_alive, 4));
	assert_true(loadrun_wait(r, loadrun_all_have_samples, 4));
}

/* What the thread before it left unfinished is no part of a thread's first sample. */
static void a_thread_that_comes_back_begins_anew(void **state)
{
	static struct ring_record record[RING_SLOTS];
	struct loadrun *r = *state;
	uint64_t back, samples;

	atomic_store(&r->arena->disk.per_file, 1);
	loadrun_start_victim(r, load_read, 2);
	for (int i = 0; i < 5; i++) {
		atomic_store(&r->load.victim->threads, 1);
		assert_true(loadrun_wait(r, loadrun_has_alive, 1));
		samples = loadrun_samples(r, 1);
		ring_read(&r->load.victim->thread[1].ring, record, COUNT(record));
		back = clock_now();
		atomic_store(&r->load.victim->threads, 2);
		while (loadrun_samples(r, 1) == samples)
			loadrun_expect_passes(r, 1);
		assert_true(ring_read(&r->load.victim->thread[1].ring, record, COUNT(record)) > 0);
		assert_true(record[0].end_ns - record[0].latency_ns >= back);
	}
}

/* No slot is taken but the first, not even by a thread that has not begun. */
static bool is_alone(const struct loadrun *r, uint64_t slots)
{
	for (unsigned i = 1; i < slots; i++)
		if (atomic_load(&r->load.victim->thread[i].tid))
			return false;
	return true;
}

/* Some are no longer wanted when they begin. */
static void threads_may_come_and_go_at_any_pace(void **state)
{
	struct loadrun *r = *state;

	loadrun_start_victim(r, load_bufread, 1);
	for (int i = 0; i < 300; i++) {
		atomic_store(&r->load.victim->threads, i % 2 ? 1 : 8);
		pause_ns(100 * NS_PER_US);
	}
	assert_true(loadrun_wait(r, is_alone, 8));
	assert_true(loadrun_wait(r, loadrun_has_alive, 1));
	loadrun_expect_passes(r, 2);
}

static void a_hog_reads_with_as_many_threads_as_its_queue_shall_be_deep(void **state)
{
	struct loadrun *r = *state;

	r->load.threads = 5;
	loadrun_start_ready(r, load_read);
	loadrun_expect_passes(r, 10);
	assert_true(loadrun_proc(r, "status", "Threads:", 10) >= 5); /* ThreadSanitizer has one too */
	assert_int_equal(atomic_load(&r->arena->victim[0].alive), 0);
}

static void more_threads_than_blocks_are_possible(void **state)
{
	struct loadrun *r = *state;

	atomic_store(&r->arena->disk.file_size, 2 * LOADRUN_BLOCK);
	r->load.threads = 7;
	loadrun_start_ready(r, load_write);
	loadrun_expect_passes(r, 30);
}

/* As buffered files may be used in blocks of any size. */
static void blocks_of_any_size_are_possible_in_the_cache(void **state)
{
	struct loadrun *r = *state;

	atomic_store(&r->arena->disk.block, 100);
	atomic_store(&r->arena->disk.file_size, 25600);
	loadrun_start_ready(r, load_bufread);
	loadrun_expect_passes(r, 3);
	loadrun_kill(r);
	loadrun_start_ready(r, load_bufwrite);
	loadrun_expect_passes(r, 3);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, loadrun_setup, loadrun_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(read_is_direct_and_leaves_nothing),
		TEST(write_is_direct_and_leaves_nothing),
		TEST(bufread_is_buffered_and_leaves_nothing),
		TEST(bufwrite_is_buffered_and_leaves_nothing),
		TEST(only_direct_reads_reach_the_device),
		TEST(files_are_noise),
		TEST(a_sample_is_a_block),
		TEST(a_sample_is_a_file),
		TEST(samples_change_between_block_and_file_while_it_runs),
		TEST(threads_of_a_victim_come_and_go),
		TEST(a_thread_that_comes_back_begins_anew),
		TEST(threads_may_come_and_go_at_any_pace),
		TEST(a_hog_reads_with_as_many_threads_as_its_queue_shall_be_deep),
		TEST(more_threads_than_blocks_are_possible),
		TEST(blocks_of_any_size_are_possible_in_the_cache),
	};

	return cmocka_run_group_tests_name("disk", tests, NULL, NULL);
}
