/* The stage's keeper for real: whoever is killed, and in whichever order, trees go and elevators come back. On a loop device of the test's
 * own; no other device is touched. */
#include "base/clock.h"
#include "diskrun.h"
#include "load/keeper.h"
#include "load/stage.h"
#include "pause.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE (20 * NS_PER_SEC)
#define LOOP_SIZE (UINT64_C(32) << 20)
#define MANY 700

/* A stage and what it works on. In a process of its own: the "dashboard" can then be killed too. */
static struct {
	struct arena *arena;
	struct stage *stage;
	int dir;
	char device[LOOP_NAME], before[DISKRUN_WORD];
} run;

static void start(struct diskrun *d)
{
	run.dir = d->config.scratch.dir;
	memcpy(run.device, d->config.scratch.loop, sizeof(run.device));
	diskrun_elevator(run.device, run.before);
	run.arena = arena_new();
	assert_non_null(run.arena);
	atomic_store(&run.arena->disk.file_size, DISKRUN_FILE);
	atomic_store(&run.arena->disk.block, DISKRUN_BLOCK);
	atomic_store(&run.arena->disk.tree_size, DISKRUN_TREE);
	assert_int_equal(stage_start(run.arena, run.dir, &run.stage), 0);
}

static void start_on_loop(struct diskrun *d)
{
	diskrun_use_loop(d, LOOP_SIZE);
	start(d);
}

static void stop(void)
{
	stage_stop(run.stage);
	arena_free(run.arena);
	memset(&run, 0, sizeof(run));
}

/* The elevator is back when the stage has ended. */
static void stop_and_look(void)
{
	stage_stop(run.stage);
	run.stage = NULL;
	assert_true(diskrun_becomes(run.device, run.before));
	stop();
}

/* The next event of this kind. False: none came, or the stage is gone. */
static bool next(enum stage_event_kind kind, struct stage_event *e)
{
	uint64_t until = clock_now() + PATIENCE;
	struct pollfd p = {.fd = stage_fd(run.stage), .events = POLLIN};
	int rc = 0;

	while (clock_now() < until && rc >= 0) {
		poll(&p, 1, 100);
		while ((rc = stage_next(run.stage, e)) > 0)
			if (e->kind == kind)
				return true;
	}
	return false;
}

static void spawn_tree(unsigned slot)
{
	struct stage_spawn s = {
		.first_slot = slot, .count = 1, .first_ordinal = 1, .kind = LOAD_TREE_HOG, .victim = -1};
	struct stage_event e;

	assert_int_equal(stage_order_spawn(run.stage, &s), 0);
	assert_true(next(STAGE_SPAWNED, &e));
}

static void wait_ready(unsigned slot)
{
	uint64_t until = clock_now() + PATIENCE;

	while (atomic_load(&run.arena->worker[slot].state) != ARENA_READY && clock_now() < until)
		pause_ns(5 * NS_PER_MS);
	assert_int_equal(atomic_load(&run.arena->worker[slot].state), ARENA_READY);
}

/* 0 or the errno. */
static int set_elevator(const char *word)
{
	struct stage_event e;

	assert_int_equal(stage_order_elevator(run.stage, run.device, word), 0);
	assert_true(next(STAGE_ELEVATOR, &e));
	if (!e.error)
		assert_string_equal(e.before, run.before);
	return e.error;
}

static pid_t keeper(void)
{
	return diskrun_child(stage_pid(run.stage), "nl-keeper");
}

static pid_t wait_keeper_other_than(pid_t old)
{
	uint64_t until = clock_now() + PATIENCE;
	pid_t now;

	while (((now = keeper()) == 0 || now == old) && clock_now() < until)
		pause_ns(10 * NS_PER_MS);
	assert_true(now > 0 && now != old);
	return now;
}

/* With nothing but trees: the keeper is there before the first of them. */
static void trees_go_with_a_stage_that_is_killed(void **state)
{
	struct diskrun *d = *state;

	start(d);
	spawn_tree(0);
	wait_ready(0);
	assert_int_equal(diskrun_count(d->path, ".nl-tree-"), 1);
	assert_int_equal(kill(stage_pid(run.stage), SIGKILL), 0);
	assert_true(diskrun_count_becomes(d->path, "", 0));
	stop();
}

static void trees_go_with_their_workers(void **state)
{
	struct diskrun *d = *state;
	struct stage_event e;

	start(d);
	spawn_tree(0);
	spawn_tree(1);
	wait_ready(0);
	wait_ready(1);
	assert_int_equal(stage_order_end(run.stage, 0, 1), 0);
	assert_true(next(STAGE_DIED, &e));
	assert_true(diskrun_count_becomes(d->path, ".nl-tree-", 1));
	stop();
	assert_int_equal(diskrun_count(d->path, ""), 0);
}

/* Far more than a socket holds, while the keeper does nothing. */
static void trees_by_the_hundred_find_their_way(void **state)
{
	struct diskrun *d = *state;
	struct keeper k = {.socket = -1, .dir = d->config.scratch.dir};
	char name[SCRATCH_TREE];
	uint64_t until = clock_now() + PATIENCE;

	for (unsigned i = 1; i <= MANY; i++)
		assert_int_equal(mkdirat(k.dir, scratch_tree_name(name, sizeof(name), getpid(), i), 0700), 0);
	assert_int_equal(keeper_start(&k), 0);
	assert_int_equal(kill(k.pid, SIGSTOP), 0);
	for (unsigned i = 1; i <= MANY; i++)
		keeper_remove(&k, i);
	assert_int_equal(kill(k.pid, SIGCONT), 0);
	while (diskrun_count(d->path, "") && clock_now() < until) {
		struct pollfd p = {.fd = k.socket, .events = keeper_events(&k)};
		if (poll(&p, 1, 10) > 0 && (p.revents & POLLOUT))
			keeper_flush(&k);
	}
	assert_int_equal(diskrun_count(d->path, ""), 0);
	keeper_finish(&k);
}

static void an_elevator_comes_back(void **state)
{
	struct diskrun *d = *state;

	start_on_loop(d);
	assert_int_equal(set_elevator("bfq"), 0);
	assert_true(diskrun_becomes(run.device, "bfq"));
	assert_int_equal(set_elevator("mq-deadline"), 0);
	assert_int_equal(set_elevator("no-such"), EINVAL);
	assert_int_equal(set_elevator(""), EINVAL);
	stop_and_look(); /* refused ones in between change nothing about that */
}

static void a_device_that_is_none_is_refused(void **state)
{
	static const char *const names[] = {"", "nothere", "../vda", "zram99", "."};
	struct stage_event e;

	start(*state);
	for (size_t i = 0; i < COUNT(names); i++) {
		assert_int_equal(stage_order_elevator(run.stage, names[i], "bfq"), 0);
		assert_true(next(STAGE_ELEVATOR, &e));
		assert_int_not_equal(e.error, 0);
	}
	stop();
}

/* As somebody else would. */
static void write_elevator(const char *device, const char *word)
{
	char path[96];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/block/%s/queue/scheduler", device);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(word, f);
	assert_int_equal(fclose(f), 0);
}

static void what_somebody_else_has_set_stays(void **state)
{
	struct diskrun *d = *state;
	char now[DISKRUN_WORD];

	start_on_loop(d);
	assert_int_equal(set_elevator("bfq"), 0);
	write_elevator(run.device, "kyber");
	stage_stop(run.stage);
	run.stage = NULL;
	assert_string_equal(diskrun_elevator(run.device, now), "kyber");
	write_elevator(run.device, run.before); /* it would stay with the device without its file, too */
	stop();
}

/* Several devices, each with its own. */
static void devices_are_kept_apart(void **state)
{
	struct diskrun *d = *state, *other;
	char second[LOOP_NAME], before[DISKRUN_WORD];
	struct stage_event e;

	start_on_loop(d);
	assert_int_equal(diskrun_setup((void **)&other), 0);
	diskrun_use_loop(other, LOOP_SIZE);
	memcpy(second, other->config.scratch.loop, sizeof(second));
	diskrun_elevator(second, before);
	assert_string_not_equal(second, run.device);
	assert_int_equal(set_elevator("bfq"), 0);
	assert_int_equal(stage_order_elevator(run.stage, second, "kyber"), 0);
	assert_true(next(STAGE_ELEVATOR, &e));
	assert_int_equal(e.error, 0);
	stop_and_look();
	assert_true(diskrun_becomes(second, before));
	assert_int_equal(diskrun_teardown((void **)&other), 0);
}

/* The keeper dies: the next one knows what it knew. No zombie stays. */
static void a_keeper_that_is_killed_is_replaced(void **state)
{
	struct diskrun *d = *state;
	pid_t first, second;

	start_on_loop(d);
	assert_int_equal(set_elevator("bfq"), 0);
	first = keeper();
	assert_true(first > 0);
	assert_int_equal(kill(first, SIGKILL), 0);
	second = wait_keeper_other_than(first);
	assert_true(kill(first, 0) < 0); /* not even a zombie */
	assert_int_equal(set_elevator("kyber"), 0);
	assert_int_equal(kill(second, SIGKILL), 0);
	wait_keeper_other_than(second);
	assert_int_equal(kill(stage_pid(run.stage), SIGKILL), 0);
	assert_true(diskrun_becomes(run.device, run.before));
	stop();
}

/* An order that it takes to its grave is answered all the same. */
static void an_order_that_dies_with_the_keeper_is_answered(void **state)
{
	struct diskrun *d = *state;
	struct stage_event e;
	pid_t first;

	start_on_loop(d);
	assert_int_equal(set_elevator("bfq"), 0);
	first = keeper();
	assert_int_equal(kill(first, SIGSTOP), 0);
	assert_int_equal(stage_order_elevator(run.stage, run.device, "kyber"), 0);
	pause_ns(200 * NS_PER_MS);
	assert_int_equal(kill(first, SIGKILL), 0);
	assert_true(next(STAGE_ELEVATOR, &e));
	assert_int_equal(e.error, ECANCELED);
	assert_int_equal(set_elevator("mq-deadline"), 0);
	stop_and_look();
}

/* A keeper of the test's own, that has set bfq on a loop device. */
static struct keeper start_own(struct diskrun *d)
{
	struct keeper k = {.socket = -1, .dir = -1};
	struct keeper_answer a;
	uint64_t until = clock_now() + PATIENCE;
	char before[DISKRUN_WORD];

	diskrun_use_loop(d, LOOP_SIZE);
	diskrun_elevator(d->config.scratch.loop, before);
	assert_int_equal(keeper_set_elevator(&k, d->config.scratch.loop, "bfq"), 0);
	while (!keeper_receive(&k, &a) && clock_now() < until)
		pause_ns(NS_PER_MS);
	assert_true(a.over && a.error == 0 && k.unanswered == 0);
	assert_string_equal(k.elevators[0].before, before);
	return k;
}

/* Killed between the word to the stage and the change, or after the change: the next keeper looks which. */
static void a_change_that_was_under_way_comes_back(void **state)
{
	struct diskrun *d = *state;
	struct keeper k = start_own(d);

	kill(k.pid, SIGKILL);
	assert_int_equal(waitpid(k.pid, NULL, 0), k.pid);
	k.elevators[0].set[0] = '\0'; /* as after the first word */
	strcpy(k.elevators[0].next, "bfq");
	assert_int_equal(keeper_died(&k), 0);
	keeper_finish(&k);
	assert_true(diskrun_becomes(d->config.scratch.loop, k.elevators[0].before));
}

/* Killed when nobody looks after it any more. */
static void a_keeper_that_is_killed_last_leaves_nothing(void **state)
{
	struct diskrun *d = *state;
	struct keeper k = start_own(d);

	assert_int_equal(kill(k.pid, SIGKILL), 0);
	keeper_finish(&k);
	assert_true(diskrun_becomes(d->config.scratch.loop, k.elevators[0].before));
}

static void a_keeper_that_was_stopped_holds_up_nobody(void **state)
{
	struct diskrun *d = *state;
	uint64_t from;

	start_on_loop(d);
	assert_int_equal(set_elevator("bfq"), 0);
	assert_int_equal(kill(keeper(), SIGSTOP), 0);
	from = clock_now();
	stop_and_look();
	assert_true(clock_now() - from < 4 * NS_PER_SEC);
}

/* A directory that somebody has put into a tree, and that is not the keeper's to remove: no worker is left who could still make files, so
 * that it is tried once. */
static void a_tree_that_cannot_go_holds_up_nobody(void **state)
{
	struct diskrun *d = *state;
	char command[256];
	uint64_t from;

	start(d);
	spawn_tree(0);
	wait_ready(0);
	snprintf(command, sizeof(command), "cd %s/.nl-tree-*-1/d000 && mkdir -p a/b/c/d/e/f", d->path);
	assert_int_equal(system(command), 0);
	from = clock_now();
	stop();
	assert_true(clock_now() - from < 3 * NS_PER_SEC);
	assert_int_equal(diskrun_count(d->path, ".nl-tree-"), 1);
	snprintf(command, sizeof(command), "rm -rf %s/.nl-tree-*", d->path);
	assert_int_equal(system(command), 0);
}

/* The dashboard in a process of its own. */
struct dashboard {
	pid_t pid, stage, keeper;
};

static struct dashboard start_dashboard(struct diskrun *d, char before[DISKRUN_WORD])
{
	struct dashboard b;
	int pipes[2];

	diskrun_use_loop(d, LOOP_SIZE);
	diskrun_elevator(d->config.scratch.loop, before);
	assert_int_equal(pipe(pipes), 0);
	b.pid = fork();
	assert_true(b.pid >= 0);
	if (b.pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(pipes[0]);
		start(d);
		spawn_tree(0);
		wait_ready(0);
		if (set_elevator("bfq") == 0) {
			b = (struct dashboard){getpid(), stage_pid(run.stage), keeper()};
			if (write(pipes[1], &b, sizeof(b)) == sizeof(b))
				pause();
		}
		_exit(1);
	}
	close(pipes[1]);
	assert_int_equal(read(pipes[0], &b, sizeof(b)), sizeof(b));
	close(pipes[0]);
	return b;
}

static void whoever_is_killed_all_comes_back(void **state)
{
	struct diskrun *d = *state;
	char device[LOOP_NAME], before[DISKRUN_WORD], path[64];

	for (int who = 0; who < 4; who++) {
		struct dashboard b = start_dashboard(d, before);
		memcpy(device, d->config.scratch.loop, sizeof(device));
		if (who == 3) {
			kill(b.keeper, SIGKILL);
			assert_true(diskrun_is_gone(b.keeper));
			pause_ns(300 * NS_PER_MS);
		}
		if (who != 0)
			kill(b.stage, SIGKILL);
		if (who != 1)
			kill(b.pid, SIGKILL);
		assert_true(diskrun_becomes(device, before));
		assert_true(diskrun_is_gone(b.stage) || who == 1);
		kill(b.pid, SIGKILL);
		assert_int_equal(waitpid(b.pid, NULL, 0), b.pid);
		assert_true(diskrun_is_gone(b.stage) && diskrun_is_gone(b.keeper));
		snprintf(path, sizeof(path), "/proc/self/fd/%d", d->config.scratch.dir);
		assert_true(diskrun_count_becomes(path, ".nl-tree-", 0));
		scratch_close(&d->config.scratch);
		assert_true(diskrun_is_detached(device));
		assert_int_equal(scratch_open(&d->config.scratch, d->path), 0);
	}
}

/* Nobody holds what is not his: a socket or pipe that stays open in the wrong place looks like somebody who lives. */
static void nobody_holds_the_line_of_another(void **state)
{
	struct diskrun *d = *state;
	struct stage_event e;
	struct stage_spawn s = {
		.first_slot = 3, .count = 1, .first_ordinal = 1, .kind = LOAD_TREE_HOG, .victim = -1};
	pid_t stage;

	start_on_loop(d);
	assert_int_equal(set_elevator("bfq"), 0);
	stage = stage_pid(run.stage);
	for (int round = 0; round < 2; round++) {
		pid_t now = keeper();
		assert_int_equal(stage_order_spawn(run.stage, &s), 0);
		assert_true(next(STAGE_SPAWNED, &e));
		wait_ready(e.slot);
		assert_int_equal(diskrun_count_fds(e.pid, "socket:"), 0);
		assert_int_equal(diskrun_count_fds(e.pid, "pipe:"), 0);
		assert_int_equal(diskrun_count_fds(e.pid, "anon_inode:"), 0);
		assert_int_equal(diskrun_count_fds(now, "socket:"), 1);
		assert_int_equal(diskrun_count_fds(now, "pipe:"), 0);
		assert_int_equal(diskrun_count_fds(now, "anon_inode:"), 0);
		assert_int_equal(diskrun_count_fds(now, "/dev/null"), 3);
		assert_int_equal(diskrun_count_fds(stage, "socket:"), 2);
		assert_int_equal(diskrun_count_fds(stage, "pipe:"), 0);
		s.first_slot++;
		kill(now, SIGKILL);
		wait_keeper_other_than(now);
	}
	stop();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(fn) cmocka_unit_test_setup_teardown(fn, diskrun_setup, diskrun_teardown)
		T(trees_go_with_a_stage_that_is_killed),
		T(trees_go_with_their_workers),
		T(trees_by_the_hundred_find_their_way),
		T(an_elevator_comes_back),
		T(a_device_that_is_none_is_refused),
		T(what_somebody_else_has_set_stays),
		T(devices_are_kept_apart),
		T(a_keeper_that_is_killed_is_replaced),
		T(an_order_that_dies_with_the_keeper_is_answered),
		T(a_change_that_was_under_way_comes_back),
		T(a_keeper_that_is_killed_last_leaves_nothing),
		T(a_keeper_that_was_stopped_holds_up_nobody),
		T(a_tree_that_cannot_go_holds_up_nobody),
		T(whoever_is_killed_all_comes_back),
		T(nobody_holds_the_line_of_another),
	};

	return cmocka_run_group_tests_name("keeper", tests, NULL, NULL);
}
