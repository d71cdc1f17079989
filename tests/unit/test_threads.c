/* The threads of a load, with tiny kinds of the test's own: victims' come and go, hogs' stay. And the table of kinds. */
#include "load/threads.h"
#include "base/clock.h"
#include "loadrun.h"
#include "pause.h"
#include "test.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#define PIECE (2 * NS_PER_MS)

/* In the arena's words of a worker that nothing here uses otherwise: bytes counts begins, passes pieces. */
static void begin(struct load_thread *t)
{
	atomic_fetch_add(&t->load->worker->bytes, 1);
	if (!t->own)
		t->own = malloc(1);
}

static bool nap(struct load_thread *t)
{
	uint64_t start = threads_piece_begins(t);

	pause_ns(PIECE);
	if (!threads_is_wanted(t) || t->shared != t->load || !t->own)
		return false;
	threads_piece_ends(t, start, clock_now());
	atomic_fetch_add(&t->load->worker->passes, 1);
	return true;
}

static void load_nap(const struct load *l)
{
	threads_run(l, l, begin, nap);
}

static bool has_begun(const struct loadrun *r, uint64_t exactly)
{
	return atomic_load(&r->load.worker->bytes) == exactly;
}

static int tid_of(const struct loadrun *r, unsigned i)
{
	return atomic_load(&r->load.victim->thread[i].tid);
}

/* How many threads of the worker bear the name. */
static unsigned count_named(const struct loadrun *r, const char *name)
{
	char path[96], line[32];
	unsigned n = 0;
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)r->pid);
	d = opendir(path);
	assert_non_null(d);
	while ((e = readdir(d))) {
		snprintf(path, sizeof(path), "/proc/%d/task/%.20s/comm", (int)r->pid, e->d_name);
		FILE *f = e->d_name[0] == '.' ? NULL : fopen(path, "r");
		if (!f)
			continue;
		if (fgets(line, sizeof(line), f))
			n += strcspn(line, "\n") == strlen(name) && strncmp(line, name, strlen(name)) == 0;
		fclose(f);
	}
	closedir(d);
	return n;
}

static bool is_there(const struct loadrun *r, uint64_t name)
{
	return count_named(r, (const char *)(uintptr_t)name) >= 1;
}

static void expect_name(const struct loadrun *r, const char *name)
{
	assert_true(loadrun_wait(r, is_there, (uintptr_t)name));
}

static void threads_of_a_victim_come_and_go(void **state)
{
	struct loadrun *r = *state;

	loadrun_victim(r, 3);
	loadrun_start(r, load_nap);
	assert_true(loadrun_wait(r, loadrun_has_alive, 3));
	assert_true(loadrun_wait(r, loadrun_has_samples, 5));
	assert_int_equal(tid_of(r, 0), r->pid);
	assert_true(tid_of(r, 1) > 0 && tid_of(r, 2) > 0 && tid_of(r, 1) != tid_of(r, 2));
	expect_name(r, "nl-victim/2");
	expect_name(r, "nl-victim/3");
	atomic_store(&r->load.victim->threads, 1);
	assert_true(loadrun_wait(r, loadrun_has_alive, 1));
	assert_true(tid_of(r, 1) == 0 && tid_of(r, 2) == 0);
	assert_int_equal(atomic_load(&r->load.victim->thread[2].started_ns), 0);
	atomic_store(&r->load.victim->threads, 4);
	assert_true(loadrun_wait(r, loadrun_has_alive, 4));
	assert_true(loadrun_wait(r, has_begun, 3 + 3));
	assert_int_equal(atomic_load(&r->load.victim->refused), 0);
}

static void samples_are_pieces_and_what_is_in_hand_is_in_flight(void **state)
{
	struct loadrun *r = *state;
	struct ring_record record[64];
	uint64_t before = clock_now();
	size_t n;

	loadrun_victim(r, 1);
	loadrun_start(r, load_nap);
	assert_true(loadrun_wait(r, loadrun_has_samples, 10));
	assert_in_range(atomic_load(&r->load.victim->thread[0].started_ns), before, clock_now());
	loadrun_kill(r);
	n = ring_read(&r->load.victim->thread[0].ring, record, COUNT(record));
	assert_true(n >= 10);
	for (size_t i = 0; i < n; i++) {
		assert_true(record[i].latency_ns >= PIECE);
		assert_in_range(record[i].end_ns, before + PIECE, clock_now());
	}
}

static bool pausing(struct load_thread *t)
{
	threads_piece_begins(t);
	threads_piece_pauses(t);
	atomic_fetch_add(&t->load->worker->passes, 1);
	pause_ns(30 * NS_PER_SEC);
	return threads_is_wanted(t);
}

static void load_pausing(const struct load *l)
{
	threads_run(l, NULL, NULL, pausing);
}

static void nothing_is_in_flight_in_a_pause(void **state)
{
	struct loadrun *r = *state;

	loadrun_victim(r, 1);
	loadrun_start(r, load_pausing);
	assert_true(loadrun_wait(r, loadrun_has_passes, 1));
	assert_int_equal(atomic_load(&r->load.victim->thread[0].started_ns), 0);
}

static bool has_refused(const struct loadrun *r, uint64_t exactly)
{
	return atomic_load(&r->load.victim->refused) == exactly;
}

static void set_thread_limit(bool any)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NPROC, &limit);
	limit.rlim_cur = any ? limit.rlim_max : 1;
	if (setrlimit(RLIMIT_NPROC, &limit) < 0)
		_exit(1);
}

static void allow_threads(int sig)
{
	(void)sig;
	set_thread_limit(true);
}

/* Root is above this limit, so it runs as nobody; SIGUSR1 lifts it. */
static void allow_no_thread(struct loadrun *r)
{
	(void)r;
	signal(SIGUSR1, allow_threads);
	set_thread_limit(false);
	if (geteuid() == 0 && setresuid(65534, 65534, 65534) < 0)
		_exit(1);
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* forgotten with the change of user */
}

static void a_refused_thread_is_told_and_tried_again_for_another_number(void **state)
{
	struct loadrun *r = *state;

	r->prepare = allow_no_thread;
	loadrun_victim(r, 4);
	loadrun_start(r, load_nap);
	assert_true(loadrun_wait(r, has_refused, 3));
	assert_int_equal(atomic_load(&r->load.victim->refused_error), EAGAIN);
	assert_int_equal(tid_of(r, 1), 0);
	kill(r->pid, SIGUSR1);
	uint64_t now = loadrun_samples(r, 0);
	assert_true(loadrun_wait(r, loadrun_has_samples, now + 5));
	assert_int_equal(atomic_load(&r->load.victim->alive), 1);
	atomic_store(&r->load.victim->threads, 3);
	assert_true(loadrun_wait(r, loadrun_has_alive, 3));
	assert_int_equal(atomic_load(&r->load.victim->refused), 0);
	assert_int_equal(atomic_load(&r->load.victim->refused_error), 0);
}

static void a_refused_thread_of_a_hog_ends_it(void **state)
{
	struct loadrun *r = *state;

	r->prepare = allow_no_thread;
	r->load.threads = 2;
	loadrun_start(r, load_nap);
	loadrun_expect_fault(r, STEP_THREAD, EAGAIN);
}

static void be_a_hog(struct loadrun *r)
{
	(void)r;
	prctl(PR_SET_NAME, "nl-hog-1024");
}

static void threads_of_a_hog_are_there_from_the_start(void **state)
{
	struct loadrun *r = *state;

	r->prepare = be_a_hog;
	r->load.threads = ARENA_THREADS;
	loadrun_start(r, load_nap);
	assert_true(loadrun_wait(r, loadrun_has_passes, 200));
	assert_true(loadrun_wait(r, has_begun, ARENA_THREADS));
	expect_name(r, "nl-hog-1024");
	expect_name(r, "nl-hog-1024/2");
	expect_name(r, "nl-hog-1024/64");
}

/* The CPU time of the thread that has had the least: each is given its turn sooner or later. */
static bool have_all_run(const struct loadrun *r, uint64_t at_least)
{
	char path[96];
	unsigned n = 0;
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)r->pid);
	d = opendir(path);
	assert_non_null(d);
	while ((e = readdir(d)))
		if (e->d_name[0] != '.') {
			snprintf(path, sizeof(path), "task/%.20s/schedstat", e->d_name);
			n += loadrun_proc(r, path, "", 10) >= (long long)at_least;
		}
	closedir(d);
	return n >= 3;
}

static void a_spinning_hog_has_several_threads(void **state)
{
	struct loadrun *r = *state;

	r->load.threads = 3;
	loadrun_start(r, load_spin);
	assert_true(loadrun_wait(r, have_all_run, 50 * NS_PER_MS));
}

static void fixed_work_is_measured_in_every_thread(void **state)
{
	struct loadrun *r = *state;

	load_work_calibrate(r->arena);
	loadrun_victim(r, 2);
	atomic_store(&r->load.victim->work_ns, PIECE);
	loadrun_start(r, load_work);
	assert_true(loadrun_wait(r, loadrun_has_alive, 2));
	assert_true(loadrun_wait(r, loadrun_has_samples, 5));
	atomic_store(&r->load.victim->threads, 1);
	assert_true(loadrun_wait(r, loadrun_has_alive, 1));
	assert_int_equal(tid_of(r, 1), 0);
}

static void kinds_are_named(void **state)
{
	char names[80], few[8];

	(void)state;
	assert_string_equal(load_kind_names(names, sizeof(names), false),
			    "cpu, write, read, bufread, bufwrite or tree");
	assert_string_equal(load_kind_names(names, sizeof(names), true),
			    "work, read, write, bufread or tree");
	assert_string_equal(load_kind_names(few, sizeof(few), true), "work, r");
	assert_int_equal(load_kind_named("read", true), LOAD_READ);
	assert_int_equal(load_kind_named("read", false), LOAD_READ_HOG);
	assert_int_equal(load_kind_named("bufwrite", true), -1);
	assert_int_equal(load_kind_named("", false), -1);
}

static void kinds_say_what_a_sample_is_and_what_they_keep(void **state)
{
	(void)state;
	assert_string_equal(load_sample_word(LOAD_WORK, true), "piece of work");
	assert_string_equal(load_sample_word(LOAD_TREE, false), "walk");
	assert_string_equal(load_sample_word(LOAD_READ, false), "block");
	assert_string_equal(load_sample_word(LOAD_BUFREAD, true), "file");
	assert_int_equal(load_footprint(LOAD_SPIN, 5, 7), 0);
	assert_int_equal(load_footprint(LOAD_WORK, 5, 7), 0);
	assert_int_equal(load_footprint(LOAD_TREE_HOG, 5, 7), 7);
	assert_int_equal(load_footprint(LOAD_BUFWRITE_HOG, 5, 7), 5);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, loadrun_setup, loadrun_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(threads_of_a_victim_come_and_go),
		TEST(samples_are_pieces_and_what_is_in_hand_is_in_flight),
		TEST(nothing_is_in_flight_in_a_pause),
		TEST(a_refused_thread_is_told_and_tried_again_for_another_number),
		TEST(a_refused_thread_of_a_hog_ends_it),
		TEST(threads_of_a_hog_are_there_from_the_start),
		TEST(a_spinning_hog_has_several_threads),
		TEST(fixed_work_is_measured_in_every_thread),
		cmocka_unit_test(kinds_are_named),
		cmocka_unit_test(kinds_say_what_a_sample_is_and_what_they_keep),
	};

	return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
