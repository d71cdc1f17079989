/* Counting rivals: against a plain count of every pair, and by hand. */
#include "base/known.h"
#include "sched/prio.h"
#include "sched/share.h"
#include "test.h"
#include "verdict/crowd.h"

#include <sched.h>
#include <stdlib.h>

#define CROWDS 500
#define MOST 40
#define DEADLINE 6

static bool is_realtime(const struct crowd_member *m)
{
	return m->policy == SCHED_FIFO || m->policy == SCHED_RR || m->policy == DEADLINE;
}

static bool can_reach(const struct crowd_member *a, const struct crowd_member *b)
{
	if (!a->cpus || !b->cpus)
		return true;
	for (unsigned cpu = 0; cpu < CPULIST_MAX; cpu++)
		if (cpulist_has(a->cpus, cpu) && cpulist_has(b->cpus, cpu))
			return true;
	return false;
}

static void count_step(struct facts_rivals *r, const struct crowd_member *a, const struct crowd_member *b)
{
	int step = abs(a->nice - b->nice);

	if (a->policy == SCHED_IDLE || b->policy == SCHED_IDLE)
		return;
	r->nearest = r->nearest && r->nearest < step ? r->nearest : step;
	r->farthest = r->farthest > step ? r->farthest : step;
}

static void count_pair(struct facts_rivals *r, const struct crowd_member *a, const struct crowd_member *b)
{
	r->total++;
	if (!can_reach(a, b))
		return;
	r->reachable++;
	if (b->wait.known && (!r->waiting.known || b->wait.value > r->waiting.value))
		r->waiting = b->wait;
	r->realtime += is_realtime(b);
	if (is_realtime(a) || is_realtime(b) ||
	    weight_of_task(a->nice, a->policy) == weight_of_task(b->nice, b->policy))
		return;
	r->differ++;
	if (a->cgroup != b->cgroup)
		r->differ_cgroup++;
	else if (a->session != b->session)
		r->differ_session++;
	else
		count_step(r, a, b);
}

static struct facts_rivals count_plainly(const struct crowd_member *m, size_t n, size_t of)
{
	struct facts_rivals r = {.known = true};

	for (size_t i = 0; i < n; i++)
		if (i != of && m[i].wants_cpu)
			count_pair(&r, &m[of], &m[i]);
	return r;
}

static bool same(const struct facts_rivals *a, const struct facts_rivals *b)
{
	return a->known == b->known && a->total == b->total && a->reachable == b->reachable &&
	       a->differ == b->differ && a->differ_session == b->differ_session &&
	       a->differ_cgroup == b->differ_cgroup && a->realtime == b->realtime &&
	       a->nearest == b->nearest && a->farthest == b->farthest &&
	       a->waiting.known == b->waiting.known && a->waiting.value == b->waiting.value;
}

static void check_crowd(struct crowd_member *m, size_t n, const char *name)
{
	assert_int_equal(crowd_count(m, n), 0);
	for (size_t i = 0; i < n; i++) {
		struct facts_rivals want = count_plainly(m, n, i), *got = &m[i].rivals;
		if (same(got, &want))
			continue;
		fail_msg("%s, member %zu of %zu (got/want): total %u/%u reachable %u/%u differ %u/%u session "
			 "%u/%u "
			 "cgroup %u/%u realtime %u/%u nearest %d/%d farthest %d/%d waiting %g/%g",
			 name, i, n, got->total, want.total, got->reachable, want.reachable, got->differ,
			 want.differ, got->differ_session, want.differ_session, got->differ_cgroup,
			 want.differ_cgroup, got->realtime, want.realtime, got->nearest, want.nearest,
			 got->farthest, want.farthest, got->waiting.value, want.waiting.value);
	}
}

static struct cpulist list_of(const char *text)
{
	struct cpulist list;

	assert_int_equal(cpulist_parse(text, &list), 0);
	return list;
}

static unsigned pick(unsigned n)
{
	return (unsigned)(drand48() * n);
}

/* Lists that are disjoint, overlap, contain each other, are equal without being the same, and all CPUs. */
static void fill_at_random(struct crowd_member *m, size_t n, const struct cpulist *lists, unsigned nlists)
{
	static const int policies[] = {SCHED_OTHER, SCHED_OTHER, SCHED_OTHER, SCHED_BATCH,
				       SCHED_IDLE,  SCHED_FIFO,	 SCHED_RR,    DEADLINE};
	static const int nices[] = {0, 0, 0, 19, 19, 5, -5, 1, -20};
	unsigned cgroups = 1 + pick(4), sessions = 1 + pick(5), places = pick(nlists + 1);

	for (size_t i = 0; i < n; i++) {
		unsigned place = pick(places + 1);
		m[i] = (struct crowd_member){
			.cgroup = 100 + pick(cgroups),
			.session = pick(sessions),
			.nice = nices[pick(COUNT(nices))],
			.policy = policies[pick(COUNT(policies))],
			.wants_cpu = pick(4) > 0,
			.cpus = place == places ? NULL : &lists[place],
			.wait = {.known = pick(3) > 0, .value = pick(5) / 5.0},
		};
		if (!m[i].wait.known)
			m[i].wait.value = 0;
	}
}

static void any_crowd_is_counted_as_by_pairs(void **state)
{
	static const char *const texts[] = {"0",   "1", "0-1",	"2-3",	  "1-2",
					    "0-3", "0", "1000", "64-127", "63-64"};
	struct cpulist lists[COUNT(texts)];
	struct crowd_member m[MOST];

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++)
		lists[i] = list_of(texts[i]);
	srand48(4);
	for (unsigned round = 0; round < CROWDS; round++) {
		char name[32];
		size_t n = pick(MOST + 1);
		fill_at_random(m, n, lists, COUNT(lists));
		snprintf(name, sizeof(name), "crowd %u", round);
		check_crowd(m, n, name);
	}
}

/* Six hogs at nice 0 and two victim threads at nice 19. */
static void fill_lab(struct crowd_member *m)
{
	for (size_t i = 0; i < 8; i++)
		m[i] = (struct crowd_member){
			.cgroup = 1, .session = 7, .wants_cpu = true, .nice = i < 6 ? 0 : 19};
}

static void in_one_session_they_are_weighed(void **state)
{
	struct crowd_member m[8];

	(void)state;
	fill_lab(m);
	check_crowd(m, 8, "one session");
	assert_int_equal(m[6].rivals.total, 7);
	assert_int_equal(m[6].rivals.reachable, 7);
	assert_int_equal(m[6].rivals.differ, 6);
	assert_int_equal(m[6].rivals.differ_session, 0);
	assert_int_equal(m[6].rivals.nearest, 19);
	assert_int_equal(m[6].rivals.farthest, 19);
	assert_int_equal(m[0].rivals.differ, 2);
	assert_int_equal(m[0].rivals.farthest, 19);
}

static void each_in_its_own_session_all_are_apart(void **state)
{
	struct crowd_member m[8];

	(void)state;
	fill_lab(m);
	for (size_t i = 0; i < 8; i++)
		m[i].session = 10 + (i < 7 ? i : 6); /* the two victim threads are one process */
	check_crowd(m, 8, "own sessions");
	assert_int_equal(m[6].rivals.differ, 6);
	assert_int_equal(m[6].rivals.differ_session, 6);
	assert_int_equal(m[6].rivals.nearest, 0);
	assert_int_equal(m[0].rivals.differ, 2);
	assert_int_equal(m[0].rivals.differ_session, 2);
}

static void on_other_cpus_nobody_is_reached(void **state)
{
	struct cpulist first = list_of("0"), second = list_of("1");
	struct crowd_member m[8];

	(void)state;
	fill_lab(m);
	for (size_t i = 0; i < 8; i++) {
		m[i].cpus = i < 6 ? &first : &second;
		m[i].wait = (struct known_number){true, i < 6 ? 0.8 : 0.5};
	}
	check_crowd(m, 8, "own CPUs");
	assert_int_equal(m[6].rivals.total, 7);
	assert_int_equal(m[6].rivals.reachable, 1);
	assert_int_equal(m[6].rivals.differ, 0);
	assert_float_equal(m[6].rivals.waiting.value, 0.5, 0);
}

/* Its own wait is not one of its rivals', also where it waits most. */
static void its_own_wait_does_not_count(void **state)
{
	struct crowd_member m[] = {
		{.wants_cpu = true, .wait = {true, 0.9}},
		{.wants_cpu = true, .wait = {true, 0.2}},
		{.wants_cpu = false, .wait = {true, 1}},
	};

	(void)state;
	check_crowd(m, COUNT(m), "waits");
	assert_float_equal(m[0].rivals.waiting.value, 0.2, 0);
	assert_float_equal(m[1].rivals.waiting.value, 0.9, 0);
}

/* A list that names no CPU is no list that the kernel gives; it must not make a huge number. */
static void an_empty_list_does_no_harm(void **state)
{
	struct cpulist none = {0}, first = list_of("0");
	struct crowd_member m[] = {
		{.wants_cpu = true, .cpus = &none},
		{.wants_cpu = true, .cpus = &first},
	};

	(void)state;
	assert_int_equal(crowd_count(m, COUNT(m)), 0);
	assert_in_range(m[0].rivals.reachable, 0, 1);
	assert_in_range(m[1].rivals.reachable, 0, 1);
	assert_int_equal(crowd_count(NULL, 0), 0);
}

/* What finds no room is said to reach all: never fewer than there are, and never more than all. */
static void too_many_lists_reach_all(void **state)
{
	enum { LISTS = 3 * CROWD_PLACES };
	static struct cpulist lists[LISTS];
	static struct crowd_member m[LISTS];

	(void)state;
	for (unsigned i = 0; i < LISTS; i++) {
		cpulist_set(&lists[i], i);
		m[i] = (struct crowd_member){
			.wants_cpu = i % 3 > 0, .cpus = &lists[i], .nice = i % 2 ? 19 : 0};
	}
	assert_int_equal(crowd_count(m, LISTS), 0);
	for (unsigned i = 0; i < LISTS; i++) {
		struct facts_rivals want = count_plainly(m, LISTS, i);
		assert_int_equal(m[i].rivals.total, want.total);
		assert_in_range(m[i].rivals.reachable, want.reachable, want.total);
		assert_in_range(m[i].rivals.differ, want.differ, m[i].rivals.reachable);
	}
	assert_int_equal(m[LISTS - 1].rivals.reachable, m[LISTS - 1].rivals.total);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_crowd_is_counted_as_by_pairs),
		cmocka_unit_test(in_one_session_they_are_weighed),
		cmocka_unit_test(each_in_its_own_session_all_are_apart),
		cmocka_unit_test(on_other_cpus_nobody_is_reached),
		cmocka_unit_test(its_own_wait_does_not_count),
		cmocka_unit_test(an_empty_list_does_no_harm),
		cmocka_unit_test(too_many_lists_reach_all),
	};

	return cmocka_run_group_tests_name("verdict_crowd", tests, NULL, NULL);
}
