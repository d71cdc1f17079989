/* What nicelab itself can do about a verdict: one function for each fix, and whether it may be offered now. */
#include "lab/state.h"
#include <sched.h>

#define BIG_STEP 19
#define HOGS_PER_CPU 3
#define DISK_HOGS 2

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

/* So many that there is something to arbitrate. */
static long hogs_enough(const struct lab *lab, const struct lab_group *g)
{
	struct cpulist cpus = pin_cpus(lab, g);
	long all = load_kind(g->kind)->io ? DISK_HOGS : HOGS_PER_CPU * (long)cpulist_count(&cpus);

	return all > STAGE_HOGS_MAX ? STAGE_HOGS_MAX : all;
}

/* Hogs that would be rivals where this priority decides: on the disk, or on the CPU. */
static bool would_rival(const struct lab_group *g, bool on_disk)
{
	unsigned io = load_kind(g->kind)->io;

	return !g->is_victim && (on_disk ? (io & (IO_DIRECT | IO_WRITES)) != 0 : !(io & IO_DIRECT));
}

/* Hogs that are paused go on; where there are too few, enough of them are started. */
static void more_hogs(const struct remedy *r)
{
	for (size_t i = 0; i < r->lab->ngroups; i++) {
		struct lab_group *g = &r->lab->groups[i];
		long hogs = hogs_enough(r->lab, g);

		if (!would_rival(g, r->knob == KNOB_IONICE))
			continue;
		if (g->paused)
			g->paused = false;
		else if (g->knobs[KNOB_COUNT] < hogs)
			engine_set(r->lab, g->index, KNOB_COUNT, hogs);
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
	pin_apply(r->lab);
	measure_changed(r->lab);
}

static void bigger_step(const struct remedy *r)
{
	engine_set(r->lab, r->g->index, KNOB_NICE_VALUE, BIG_STEP);
}

/* Somebody has a better level of the same class. */
static bool is_lowered(const struct remedy *r)
{
	struct ioprio own = ioprio_unpack((int)r->wanted);
	struct io_census c;

	facts_io_census(r->lab, &c);
	for (int level = 0; level < own.level && own.io_class <= IOCLASS_IDLE; level++)
		if (c.of_level[own.io_class][level])
			return true;
	return false;
}

/* Who was given a lower level than others is given class idle in its place; where it was given a higher one, the others are. */
static void class_idle(const struct remedy *r)
{
	long idle = ioprio_pack((struct ioprio){.io_class = IOCLASS_IDLE});
	bool lowered = is_lowered(r);

	if (r->tid && lowered)
		apply_thread(r->lab, r->tid, KNOB_IONICE, (int)idle);
	else if (lowered)
		engine_set(r->lab, r->g->index, KNOB_IONICE, idle);
	else
		for (size_t i = 0; i < r->lab->ngroups; i++)
			if (load_kind(r->lab->groups[i].kind)->io && (r->tid || (int)i != r->g->index))
				engine_set(r->lab, (int)i, KNOB_IONICE, idle);
	if (r->tid && !lowered)
		apply_thread(r->lab, r->tid, KNOB_IONICE, (int)r->wanted);
}

static void elevator_class(const struct remedy *r)
{
	disk_set_elevator(r->lab, verdict_fix_elevator(FIX_ELEVATOR_CLASS));
}

static void elevator_level(const struct remedy *r)
{
	disk_set_elevator(r->lab, verdict_fix_elevator(FIX_ELEVATOR_LEVEL));
}

/* The kind that does the same past the page cache; itself where there is none. */
static enum load_kind direct_twin(enum load_kind k)
{
	switch (k) {
	case LOAD_BUFREAD_HOG:
		return LOAD_READ_HOG;
	case LOAD_BUFWRITE_HOG:
		return LOAD_WRITE_HOG;
	case LOAD_BUFREAD:
		return LOAD_READ;
	default:
		return k;
	}
}

static void use_direct(const struct remedy *r)
{
	turn_kind(r->lab, r->g, direct_twin(r->g->kind));
}

/* Hogs that leave the disk alone, and find room there. */
static bool may_move_to_disk(const struct lab *lab, const struct lab_group *g)
{
	return !g->is_victim && !would_rival(g, true) && disk_takes(lab, g, LOAD_WRITE_HOG);
}

static void disk_hogs(const struct remedy *r)
{
	for (size_t i = 0; i < r->lab->ngroups; i++) {
		struct lab_group *g = &r->lab->groups[i];
		if (!may_move_to_disk(r->lab, g))
			continue;
		turn_kind(r->lab, g, LOAD_WRITE_HOG);
		g->paused = false;
		if (g->knobs[KNOB_COUNT] < DISK_HOGS)
			engine_set(r->lab, g->index, KNOB_COUNT, DISK_HOGS);
	}
}

static bool hogs_are_off_disk(const struct lab *lab)
{
	for (size_t i = 0; i < lab->ngroups; i++)
		if (may_move_to_disk(lab, &lab->groups[i]))
			return true;
	return false;
}

static bool may_set_elevator(const struct lab *lab, enum verdict_fix fix)
{
	return disk_may_set(lab, verdict_fix_elevator(fix));
}

static void (*const fixes[FIX_COUNT])(const struct remedy *r) = {
	[FIX_EVERY_THREAD] = every_thread,
	[FIX_ASK_AGAIN] = ask_again,
	[FIX_IN_RANGE] = in_range,
	[FIX_SHARE_SESSION] = share_session,
	[FIX_SESSION_NICE] = session_nice,
	[FIX_RESPAWN] = respawn,
	[FIX_POLICY_OTHER] = policy_other,
	[FIX_ALL_CPUS] = all_cpus,
	[FIX_MORE_HOGS] = more_hogs,
	[FIX_CLASS_IDLE] = class_idle,
	[FIX_ELEVATOR_CLASS] = elevator_class,
	[FIX_ELEVATOR_LEVEL] = elevator_level,
	[FIX_DIRECT] = use_direct,
	[FIX_DISK_HOGS] = disk_hogs,
	[FIX_BIGGER_STEP] = bigger_step,
	[FIX_CONTINUE] = let_go_on,
	[FIX_GIVEN_CPUS] = given_cpus,
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

/* Hogs that are paused, or fewer than there would be by themselves and there is room for. */
static bool hogs_are_wanting(const struct lab *lab, bool on_disk)
{
	for (size_t i = 0; i < lab->ngroups; i++) {
		const struct lab_group *g = &lab->groups[i];
		long count = g->knobs[KNOB_COUNT];
		bool few = count < hogs_enough(lab, g) && count < (long)disk_room(lab, g);
		if (would_rival(g, on_disk) && ((g->paused && count) || few))
			return true;
	}
	return false;
}

static bool may_ask(const struct facts *f)
{
	return f->process->same_owner == TRI_YES || f->host->sys_nice == TRI_YES;
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
	return f->wanted >= 0 ? may_ask(f) : f->host->sys_nice == TRI_YES;
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
	case FIX_ELEVATOR_CLASS:
	case FIX_ELEVATOR_LEVEL:
		return may_set_elevator(lab, fix);
	case FIX_CLASS_IDLE:
		return may_ask(f);
	case FIX_DIRECT:
		return direct_twin(g->kind) != g->kind && disk_takes(lab, g, direct_twin(g->kind));
	case FIX_DISK_HOGS:
		return hogs_are_off_disk(lab);
	case FIX_MORE_HOGS:
		return !g->held && hogs_are_wanting(lab, f->what == WHAT_IOPRIO);
	default:
		return true;
	}
}
