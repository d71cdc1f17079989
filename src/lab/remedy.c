/* What nicelab itself can do about a verdict: one function for each fix, and whether it may be offered now. */
#include "lab/state.h"
#include <sched.h>

#define BIG_STEP 19
#define HOGS_PER_CPU 3

/* The group that the verdict speaks of, and the priority in question. */
struct remedy {
	struct lab *lab;
	struct lab_group *g;
	enum knob knob;
	pid_t tid; /* above 0: that thread was asked for something of its own, `wanted` */
	long wanted; /* what was asked of it: by the group's knob, or of the thread alone */
};

static long in_nice_range(long v)
{
	return v > NICE_MAX ? NICE_MAX : v < NICE_MIN ? NICE_MIN : v;
}

static void ask_again(const struct remedy *r)
{
	if (r->knob == KNOB_SESSION_NICE)
		session_apply(r->lab, r->g);
	else if (r->tid)
		apply_thread(r->lab, r->tid, r->knob, (int)r->wanted);
	else
		apply_group(r->lab, r->g, r->knob);
}

static void every_thread(const struct remedy *r)
{
	if (!r->tid && r->lab->knobs[KNOB_SCOPE] != SCOPE_THREADS)
		engine_set(r->lab, -1, KNOB_SCOPE, SCOPE_THREADS);
	else
		ask_again(r);
}

static void in_range(const struct remedy *r)
{
	if (r->tid)
		apply_thread(r->lab, r->tid, r->knob, (int)in_nice_range(r->wanted));
	else
		engine_set(r->lab, r->g->index, KNOB_NICE_VALUE, in_nice_range(r->wanted));
}

static void share_session(const struct remedy *r)
{
	engine_set(r->lab, -1, KNOB_SESSIONS, SESSIONS_SHARED);
}

static void session_nice(const struct remedy *r)
{
	engine_set(r->lab, r->g->index, KNOB_SESSION_NICE, in_nice_range(r->wanted));
}

static void respawn(const struct remedy *r)
{
	engine_respawn(r->lab);
}

static void policy_other(const struct remedy *r)
{
	engine_set(r->lab, r->g->index, KNOB_POLICY, POLICY_CHOICE_OTHER);
}

static void all_cpus(const struct remedy *r)
{
	engine_set(r->lab, -1, KNOB_CPUS, CPUS_ALL);
}

/* Hogs that are paused go on; where there are too few, three a CPU are started. */
static void more_hogs(const struct remedy *r)
{
	for (size_t i = 0; i < r->lab->ngroups; i++) {
		struct lab_group *g = &r->lab->groups[i];
		struct cpulist cpus = crew_cpus(r->lab, g);
		long few = (long)cpulist_count(&cpus), hogs = HOGS_PER_CPU * few;

		if (g->is_victim)
			continue;
		if (g->paused)
			r->lab->groups[i].paused = false;
		else if (g->knobs[KNOB_COUNT] < hogs)
			engine_set(r->lab, g->index, KNOB_COUNT,
				   hogs > STAGE_HOGS_MAX ? STAGE_HOGS_MAX : hogs);
	}
	crew_restart_samples(r->lab);
	measure_changed(r->lab);
}

static void let_go_on(const struct remedy *r)
{
	if (r->g->paused) {
		r->g->paused = false;
		crew_tick(r->lab);
	} else
		crew_continue(r->lab, r->g);
	crew_restart_samples(r->lab);
	measure_changed(r->lab);
}

static void given_cpus(const struct remedy *r)
{
	crew_apply_cpus(r->lab);
	measure_changed(r->lab);
}

static void bigger_step(const struct remedy *r)
{
	engine_set(r->lab, r->g->index, KNOB_NICE_VALUE, BIG_STEP);
}

static void (*const fixes[FIX_COUNT])(const struct remedy *r) = {
	[FIX_EVERY_THREAD] = every_thread,   [FIX_ASK_AGAIN] = ask_again,	[FIX_IN_RANGE] = in_range,
	[FIX_SHARE_SESSION] = share_session, [FIX_SESSION_NICE] = session_nice, [FIX_RESPAWN] = respawn,
	[FIX_POLICY_OTHER] = policy_other,   [FIX_ALL_CPUS] = all_cpus,		[FIX_MORE_HOGS] = more_hogs,
	[FIX_BIGGER_STEP] = bigger_step,     [FIX_CONTINUE] = let_go_on,	[FIX_GIVEN_CPUS] = given_cpus,
};

static enum knob knob_of(int what)
{
	return what == WHAT_IOPRIO	? KNOB_IONICE
	       : what == WHAT_POLICY	? KNOB_POLICY
	       : what == WHAT_AUTOGROUP ? KNOB_SESSION_NICE
					: KNOB_NICE_VALUE;
}

/* What was asked of the thread alone is not the group's business, and the other way round. */
static void find_wish(struct remedy *r, pid_t tid)
{
	long asked = r->g->knobs[r->knob], of_thread;

	r->wanted = r->knob == KNOB_POLICY ? knob_policy(asked) : asked;
	if (r->knob != KNOB_SESSION_NICE && apply_thread_wanted(r->lab, tid, r->knob, &of_thread) &&
	    of_thread != r->wanted && of_thread != KNOB_UNASKED) {
		r->tid = tid;
		r->wanted = of_thread;
	}
}

void remedy_carry_out(struct lab *lab, const struct command *c)
{
	struct remedy r = {.lab = lab, .knob = knob_of(c->what)};

	if (c->value <= FIX_NONE || c->value >= FIX_COUNT || c->group < 0 || c->group >= (int)lab->ngroups)
		return;
	r.g = &lab->groups[c->group];
	find_wish(&r, c->tid);
	journal_add(lab, JOURNAL_INFO, c->group, "fix: %s", verdict_fix_words((enum verdict_fix)c->value));
	fixes[c->value](&r);
	judge_soon(lab);
}

/* Hogs that are paused, or fewer than there would be by themselves. */
static bool hogs_are_wanting(const struct lab *lab)
{
	for (size_t i = 0; i < lab->ngroups; i++) {
		const struct lab_group *g = &lab->groups[i];
		struct cpulist cpus = crew_cpus(lab, g);
		if (!g->is_victim &&
		    (g->paused || g->knobs[KNOB_COUNT] < HOGS_PER_CPU * (long)cpulist_count(&cpus)))
			return true;
	}
	return false;
}

static bool may_leave_idle(const struct facts *f)
{
	return f->host->sys_nice == TRI_YES || f->policy != SCHED_IDLE ||
	       (f->process->rlimit_nice.known && f->process->rlimit_nice.value >= 20 - f->nice);
}

/* A fresh worker begins at the dashboard's own nice: a respawn leads to what was asked where that is no less. */
static bool respawn_helps(const struct lab *lab, const struct facts *f)
{
	if (f->what == WHAT_NICE)
		return f->wanted >= lab->host.own_nice;
	return f->what == WHAT_POLICY;
}

/* Below 0 only with the right to. */
static bool may_write_session(const struct facts *f)
{
	return f->wanted >= 0 ? f->process->same_owner == TRI_YES || f->host->sys_nice == TRI_YES
			      : f->host->sys_nice == TRI_YES;
}

bool remedy_is_possible(const struct lab *lab, const struct lab_group *g, const struct facts *f,
			enum verdict_fix fix)
{
	switch (fix) {
	case FIX_NONE:
	case FIX_COUNT:
		return false;
	case FIX_RESPAWN:
		return respawn_helps(lab, f);
	case FIX_SHARE_SESSION:
		return lab->knobs[KNOB_SESSIONS] == SESSIONS_OWN;
	case FIX_SESSION_NICE:
		return lab->knobs[KNOB_SESSIONS] == SESSIONS_OWN && may_write_session(f);
	case FIX_POLICY_OTHER:
		return may_leave_idle(f);
	case FIX_ALL_CPUS:
		return lab->knobs[KNOB_CPUS] != CPUS_ALL;
	case FIX_MORE_HOGS:
		return !g->held && hogs_are_wanting(lab);
	default:
		return true;
	}
}
