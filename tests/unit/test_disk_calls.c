/* Kinds of load with files against system calls that fail, stop short, are interrupted or take long: the calls below stand before those of
 * the C library. */
#include "load/disk.h"
#include "base/clock.h"
#include "loadrun.h"
#include "pause.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum call { CALL_NONE, CALL_READ, CALL_WRITE, CALL_SYNC, CALL_DIRECTORY, CALL_FILE };

/* Shared by the test and the load. */
struct plan {
	const struct arena_worker *worker;
	enum call call;
	enum arena_state state; /* in which it fails */
	int error; /* 0: it stops short, and does nothing the next time */
	_Atomic int times; /* how often; below 0: always */
	int no_unnamed; /* what O_TMPFILE is answered with */
	bool no_direct;
	uint64_t sync_ns; /* how long fdatasync takes while the load runs */
	_Atomic bool hold; /* writes wait */
	_Atomic unsigned
		stop_before; /* the read of this number, from 1, waits, and those after it; 0: none */
	_Atomic unsigned reads, stopped_at; /* while the load runs */
	_Atomic unsigned syncs, holding, threads;
	uint64_t first[ARENA_THREADS]; /* offsets of the threads' first reads */
};
static struct plan *plan;

static bool is_running(void)
{
	return plan->worker && atomic_load(&plan->worker->state) == ARENA_READY;
}

/* Whether this call is one that fails. */
static bool is_hit(enum call call)
{
	int times = atomic_load(&plan->times);

	if (plan->call != call || !plan->worker || atomic_load(&plan->worker->state) != plan->state || !times)
		return false;
	if (times > 0)
		atomic_fetch_sub(&plan->times, 1);
	return true;
}

/* A transfer of so many bytes that is hit: -1 with errno, or how many it still does. */
static ssize_t stop_short(size_t size)
{
	static bool again;

	errno = plan->error;
	if (plan->error)
		return -1;
	again = !again;
	return again ? (ssize_t)(size / 2) : 0;
}

static void stop_before(unsigned number)
{
	while (atomic_load(&plan->stop_before) && number >= atomic_load(&plan->stop_before)) {
		atomic_store(&plan->stopped_at, number);
		pause_ns(NS_PER_MS);
	}
}

ssize_t pread(int fd, void *to, size_t size, off_t at)
{
	static _Thread_local bool seen;

	if (is_running() && !seen) {
		seen = true;
		plan->first[atomic_fetch_add(&plan->threads, 1) % ARENA_THREADS] = (uint64_t)at;
	}
	if (is_running())
		stop_before(atomic_fetch_add(&plan->reads, 1) + 1);
	if (is_hit(CALL_READ))
		return stop_short(size);
	return syscall(SYS_pread64, fd, to, size, at);
}

ssize_t pwrite(int fd, const void *from, size_t size, off_t at)
{
	while (is_running() && atomic_load(&plan->hold)) {
		atomic_store(&plan->holding, 1);
		pause_ns(NS_PER_MS);
	}
	if (is_hit(CALL_WRITE))
		return stop_short(size);
	return syscall(SYS_pwrite64, fd, from, size, at);
}

int fdatasync(int fd)
{
	atomic_fetch_add(&plan->syncs, 1);
	if (is_running() && plan->sync_ns)
		pause_ns(plan->sync_ns);
	if (is_hit(CALL_SYNC)) {
		errno = plan->error;
		return -1;
	}
	return (int)syscall(SYS_fdatasync, fd);
}

static bool is_refused(int flags)
{
	bool unnamed = (flags & O_TMPFILE) == O_TMPFILE; /* with the bit of O_DIRECTORY */

	if (plan->no_unnamed && unnamed)
		errno = plan->no_unnamed;
	else if (plan->no_direct && (flags & O_DIRECT))
		errno = EINVAL;
	else if (is_hit((flags & O_DIRECTORY) && !unnamed ? CALL_DIRECTORY : CALL_FILE))
		errno = plan->error;
	else
		return false;
	return true;
}

/* As the kernel does, O_DIRECT is refused after the file was made. */
int openat(int dir, const char *name, int flags, ...)
{
	bool refused = plan && is_refused(flags);
	int error = errno, fd;

	if (refused && (!(flags & O_CREAT) || error != EINVAL))
		return -1;
	fd = (int)syscall(SYS_openat, dir, name, refused ? flags & ~O_DIRECT : flags, 0600);
	if (!refused)
		return fd;
	close(fd);
	errno = error;
	return -1;
}

static int setup(void **state)
{
	struct loadrun *r;

	memset(plan, 0, sizeof(*plan));
	if (loadrun_setup(state) < 0)
		return -1;
	r = *state;
	plan->worker = r->load.worker;
	return 0;
}

static int teardown(void **state)
{
	plan->worker = NULL;
	plan->no_direct = false;
	return loadrun_teardown(state);
}

static void a_failed_call_ends_the_worker_with_its_step(void **state)
{
	static const struct {
		load_fn run;
		enum call call;
		enum arena_state when;
		int error;
		enum arena_step step;
	} cases[] = {
		{load_read, CALL_FILE, ARENA_PREPARING, EACCES, STEP_CREATE},
		{load_bufwrite, CALL_FILE, ARENA_PREPARING, EDQUOT, STEP_CREATE},
		{load_read, CALL_WRITE, ARENA_PREPARING, ENOSPC, STEP_FILL},
		{load_bufread, CALL_WRITE, ARENA_PREPARING, EDQUOT, STEP_FILL},
		{load_tree, CALL_WRITE, ARENA_PREPARING, EIO, STEP_FILL},
		{load_write, CALL_SYNC, ARENA_PREPARING, EIO, STEP_SYNC},
		{load_bufread, CALL_SYNC, ARENA_PREPARING, ENOSPC, STEP_SYNC},
		{load_tree, CALL_SYNC, ARENA_PREPARING, EIO, STEP_SYNC},
		{load_tree, CALL_DIRECTORY, ARENA_PREPARING, EMFILE, STEP_CREATE},
		{load_read, CALL_READ, ARENA_READY, EIO, STEP_READ},
		{load_bufread, CALL_READ, ARENA_READY, EIO, STEP_READ},
		{load_tree, CALL_READ, ARENA_READY, EINVAL, STEP_READ},
		{load_write, CALL_WRITE, ARENA_READY, ENOSPC, STEP_WRITE},
		{load_bufwrite, CALL_WRITE, ARENA_READY, EDQUOT, STEP_WRITE},
		{load_write, CALL_SYNC, ARENA_READY, EIO, STEP_SYNC},
		{load_tree, CALL_DIRECTORY, ARENA_READY, EMFILE, STEP_WALK},
		{load_tree, CALL_FILE, ARENA_READY, EACCES, STEP_WALK},
	};
	struct loadrun *r = *state;
	char name[16];

	loadrun_need_direct(r);
	for (size_t i = 0; i < COUNT(cases); i++) {
		plan->call = cases[i].call;
		plan->state = cases[i].when;
		plan->error = cases[i].error;
		plan->times = -1;
		snprintf(name, sizeof(name), "tree%zu", i);
		r->load.tree = name;
		loadrun_start(r, cases[i].run);
		loadrun_expect_fault(r, cases[i].step, cases[i].error);
	}
}

/* Several threads at once: the worker still tells one reason, and ends. */
static void the_first_thread_that_fails_is_told(void **state)
{
	struct loadrun *r = *state;

	r->load.threads = 16;
	*plan = (struct plan){
		.worker = plan->worker, .call = CALL_READ, .state = ARENA_READY, .error = EIO, .times = -1};
	loadrun_start(r, load_bufread);
	loadrun_expect_fault(r, STEP_READ, EIO);
}

static void short_transfers_are_input_output_errors(void **state)
{
	static const struct {
		load_fn run;
		enum call call;
		enum arena_step step;
	} cases[] = {
		{load_read, CALL_READ, STEP_READ},
		{load_bufwrite, CALL_WRITE, STEP_WRITE},
	};
	struct loadrun *r = *state;

	loadrun_need_direct(r);
	for (size_t i = 0; i < COUNT(cases); i++) {
		plan->call = cases[i].call;
		plan->state = ARENA_READY;
		plan->error = 0;
		plan->times = -1;
		loadrun_start(r, cases[i].run);
		loadrun_expect_fault(r, cases[i].step, EIO);
		assert_true(atomic_load(&r->load.worker->bytes) == 0);
	}
}

static void interrupted_calls_are_repeated(void **state)
{
	static const struct {
		load_fn run;
		enum call call;
		enum arena_state when;
	} cases[] = {
		{load_read, CALL_READ, ARENA_READY},	   {load_write, CALL_WRITE, ARENA_READY},
		{load_write, CALL_WRITE, ARENA_PREPARING}, {load_write, CALL_SYNC, ARENA_PREPARING},
		{load_write, CALL_SYNC, ARENA_READY},
	};
	struct loadrun *r = *state;

	loadrun_need_direct(r);
	for (size_t i = 0; i < COUNT(cases); i++) {
		plan->call = cases[i].call;
		plan->state = cases[i].when;
		plan->error = EINTR;
		plan->times = 3;
		loadrun_start(r, cases[i].run);
		assert_true(loadrun_wait(r, loadrun_has_passes, 2));
		assert_int_equal(plan->times, 0);
		loadrun_kill(r);
	}
}

static void without_unnamed_files_the_name_goes_at_once(void **state)
{
	static const int errors[] = {EOPNOTSUPP, EISDIR, EINVAL};
	struct loadrun *r = *state;

	loadrun_need_direct(r);
	for (size_t i = 0; i < COUNT(errors); i++) {
		plan->no_unnamed = errors[i];
		loadrun_start(r, load_read);
		assert_true(loadrun_wait(r, loadrun_has_passes, 1));
		assert_int_equal(loadrun_count_names(r), 0);
		loadrun_kill(r);
	}
}

/* EINVAL of O_DIRECT is not taken for that of O_TMPFILE, with or without unnamed files, and what was made is removed. */
static void refused_direct_is_told_apart(void **state)
{
	static const int errors[] = {0, EOPNOTSUPP, EINVAL};
	struct loadrun *r = *state;

	plan->no_direct = true;
	for (size_t i = 0; i < COUNT(errors); i++) {
		plan->no_unnamed = errors[i];
		loadrun_start(r, load_write);
		loadrun_expect_fault(r, STEP_DIRECT, EINVAL);
		assert_int_equal(loadrun_count_names(r), 0);
	}
	loadrun_start(r, load_tree);
	loadrun_expect_fault(r, STEP_DIRECT, EINVAL);
}

#define LONG_SYNC (50 * NS_PER_MS)

/* How many of the samples took as long as a sync. */
static unsigned count_long(struct loadrun *r, unsigned *all)
{
	static struct ring_record record[RING_SLOTS];
	unsigned n = 0;

	*all = (unsigned)ring_read(&r->load.victim->thread[0].ring, record, COUNT(record));
	for (unsigned i = 0; i < *all; i++)
		n += record[i].latency_ns >= LONG_SYNC;
	return n;
}

static bool is_between_samples(const struct loadrun *r, uint64_t arg)
{
	(void)arg;
	return atomic_load(&r->load.victim->thread[0].started_ns) == 0;
}

static void the_sync_after_a_whole_file_is_part_of_a_file_and_of_no_block(void **state)
{
	struct loadrun *r = *state;
	unsigned syncs, all;

	loadrun_need_direct(r);
	atomic_store(&r->arena->disk.file_size, 4 * LOADRUN_BLOCK);
	loadrun_victim(r, 1);
	plan->sync_ns = LONG_SYNC;
	loadrun_start(r, load_write);
	assert_true(loadrun_wait(r, loadrun_has_passes, 5));
	assert_true(loadrun_wait(r, is_between_samples, 0));
	loadrun_kill(r);
	syncs = atomic_load(&plan->syncs); /* the first was that of the preparation */
	assert_in_range(syncs - 1, atomic_load(&r->load.worker->passes),
			atomic_load(&r->load.worker->passes) + 1);
	assert_true(count_long(r, &all) <= 1); /* one: somebody else's load */
	assert_true(all >= 5 * 4);
	atomic_store(&r->arena->disk.per_file, 1);
	loadrun_start(r, load_write);
	assert_true(loadrun_wait(r, loadrun_has_passes, 3));
	assert_true(atomic_load(&r->load.victim->thread[0].started_ns) > 0);
	loadrun_kill(r);
	syncs = count_long(r, &all);
	assert_true(syncs == all && all >= 3);
}

static void nobody_but_write_syncs_once_it_runs(void **state)
{
	static load_fn const kinds[] = {load_read, load_bufread, load_bufwrite, load_tree};
	struct loadrun *r = *state;

	loadrun_need_direct(r);
	for (size_t i = 0; i < COUNT(kinds); i++) {
		loadrun_start(r, kinds[i]);
		assert_true(loadrun_wait(r, loadrun_is_ready, 0));
		unsigned before = atomic_load(&plan->syncs);
		assert_true(loadrun_wait(r, loadrun_has_passes, 3));
		assert_int_equal(atomic_load(&plan->syncs), before);
		assert_int_equal(before > 0, kinds[i] != load_bufwrite);
		loadrun_kill(r);
		atomic_store(&plan->syncs, 0);
	}
}

static bool have_all_begun(const struct loadrun *r, uint64_t threads)
{
	(void)r;
	return atomic_load(&plan->threads) == threads;
}

static void threads_begin_at_their_share_of_the_file(void **state)
{
	struct loadrun *r = *state;
	uint64_t sum = 0, largest = 0;

	r->load.threads = 3;
	loadrun_start(r, load_bufread);
	assert_true(loadrun_wait(r, have_all_begun, 3));
	assert_true(loadrun_wait(r, loadrun_has_passes, 3));
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(plan->first[i] % LOADRUN_BLOCK, 0);
		sum += plan->first[i] / LOADRUN_BLOCK;
		largest = plan->first[i] / LOADRUN_BLOCK > largest ? plan->first[i] / LOADRUN_BLOCK : largest;
	}
	assert_int_equal(largest, 42); /* of 64 blocks */
	assert_int_equal(sum, 0 + 21 + 42);
}

static bool has_stopped(const struct loadrun *r, uint64_t number)
{
	(void)r;
	return atomic_load(&plan->stopped_at) == number;
}

/* Lets the load go on to before the read of this number. */
static uint64_t samples_until(const struct loadrun *r, unsigned number)
{
	atomic_store(&plan->stop_before, number);
	assert_true(loadrun_wait(r, has_stopped, number));
	return loadrun_samples(r, 0);
}

/* To files with the next pass, back to blocks at once. */
static void a_change_of_what_a_sample_is_takes_effect_where_one_begins(void **state)
{
	struct loadrun *r = *state;

	atomic_store(&r->arena->disk.file_size, 4 * LOADRUN_BLOCK);
	atomic_store(&plan->stop_before, 2);
	loadrun_victim(r, 1);
	loadrun_start(r, load_bufread);
	assert_int_equal(samples_until(r, 2), 1);
	atomic_store(&r->arena->disk.per_file, 1);
	assert_int_equal(samples_until(r, 5), 2); /* the block in hand; the rest of the pass is neither */
	assert_int_equal(samples_until(r, 8), 2);
	assert_int_equal(samples_until(r, 10), 3);
	atomic_store(&r->arena->disk.per_file, 0);
	assert_int_equal(samples_until(r, 13), 5); /* its third and fourth block: the pass is given up */
}

static bool is_holding(const struct loadrun *r, uint64_t arg)
{
	(void)r;
	(void)arg;
	return atomic_load(&plan->holding);
}

/* For real: somebody else takes the room that was free. A block's beginning may still find some; the reason is told all the same. */
static void a_file_system_that_gets_full(void **state)
{
	struct loadrun *r = *state;
	static char page[4096];
	int fd;

	loadrun_mount(r, "tmpfs", 0, "size=8m");
	atomic_store(&r->arena->disk.file_size, 2 << 20);
	atomic_store(&r->arena->disk.block, 1 << 20);
	atomic_store(&plan->hold, true);
	loadrun_start(r, load_bufwrite);
	assert_true(loadrun_wait(r, is_holding, 0));
	fd = openat(r->load.dir, "full", O_CREAT | O_WRONLY, 0600);
	assert_true(fd >= 0);
	while (write(fd, page, sizeof(page)) == sizeof(page))
		;
	assert_int_equal(ftruncate(fd, lseek(fd, 0, SEEK_END) - 3 * (off_t)sizeof(page)), 0);
	close(fd);
	atomic_store(&plan->hold, false);
	loadrun_expect_fault(r, STEP_WRITE, ENOSPC);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_failed_call_ends_the_worker_with_its_step),
		TEST(the_first_thread_that_fails_is_told),
		TEST(short_transfers_are_input_output_errors),
		TEST(interrupted_calls_are_repeated),
		TEST(without_unnamed_files_the_name_goes_at_once),
		TEST(refused_direct_is_told_apart),
		TEST(the_sync_after_a_whole_file_is_part_of_a_file_and_of_no_block),
		TEST(nobody_but_write_syncs_once_it_runs),
		TEST(threads_begin_at_their_share_of_the_file),
		TEST(a_change_of_what_a_sample_is_takes_effect_where_one_begins),
		TEST(a_file_system_that_gets_full),
	};

	plan = mmap(NULL, sizeof(*plan), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (plan == MAP_FAILED)
		return 1;
	return cmocka_run_group_tests_name("disk calls", tests, NULL, NULL);
}
