/* Workers come and go: what there shall be is brought together with what there is, slot by slot. */
#include "lab/state.h"
#include "base/clock.h"
#include "base/err.h"
#include "kernel/priority.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define QUICK_DEATH NS_PER_SEC
#define QUICK_DEATHS_MAX 5

void thread_list_clear(struct lab_worker *w)
{
	free(w->threads);
	w->threads = NULL;
	w->nthreads = w->room = 0;
}

size_t crew_count_threads(const struct lab *lab)
{
	size_t n = 0;

	for (size_t i = 0; i < lab->ngroups; i++)
		for (unsigned s = 0; s < lab->groups[i].capacity; s++)
			n += lab->groups[i].workers[s].nthreads;
	return n;
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* A worker that was ordered before the lab or its group was respawned is of an older generation. */
static unsigned generation_of(const struct lab *lab, const struct lab_group *g)
{
	return lab->generation + g->generation;
}

unsigned crew_slot(const struct lab_group *g, const struct lab_worker *w)
{
	return g->first_slot + (unsigned)(w - g->workers);
}

unsigned crew_wanted(const struct lab *lab, const struct lab_group *g)
{
	if (lab->phase == PHASE_CALIBRATING || lab->phase == PHASE_LOST)
		return 0;
	if (g->is_victim)
		return disk_room(lab, g) > 0;
	/* The first baseline is taken before there is any hog. */
	if (lab->phase == PHASE_BASELINE && !g->held)
		return 0;
	return least((unsigned)g->knobs[KNOB_COUNT], least(g->capacity, disk_room(lab, g)));
}

static bool hold_wanted(const struct lab *lab, const struct lab_group *g)
{
	return g->paused || g->held || lab->frozen;
}

static void order_spawn(struct lab *lab, struct lab_group *g, unsigned first, unsigned count)
{
	struct stage_spawn spawn = {
		.first_slot = g->first_slot + first,
		.count = count,
		.first_ordinal = g->is_victim ? 0 : first + 1,
		.kind = g->kind,
		.victim = g->victim,
		.own_session = lab->knobs[KNOB_SESSIONS] == SESSIONS_OWN,
		.stopped = g->hold_sent,
		.cpus = pin_cpus(lab, g),
		.as_user = lab->knobs[KNOB_USER] == USER_OTHER && lab->user.known,
		.uid = lab->user.uid,
		.gid = lab->user.gid,
		.threads = (unsigned)g->knobs[KNOB_THREADS],
	};

	if (stage_order_spawn(lab->stage, &spawn) < 0)
		return; /* the stage does not keep up: the next tick tries again */
	for (unsigned i = first; i < first + count; i++) {
		struct lab_worker *w = &g->workers[i];
		w->life = LIFE_ORDERED;
		w->spawned_at = clock_now();
		w->generation = generation_of(lab, g);
		w->cpus_at = lab->cpus_changes;
	}
}

static void order_end(struct lab *lab, struct lab_group *g, unsigned first, unsigned count)
{
	if (stage_order_end(lab->stage, g->first_slot + first, count) == 0)
		for (unsigned i = first; i < first + count; i++)
			g->workers[i].life = LIFE_ENDING;
}

/* The length of the run of slots from `first` on that are in this life, up to `end`. */
static unsigned run_of(const struct lab_group *g, unsigned first, unsigned end, enum worker_life life)
{
	unsigned n = 0;

	while (first + n < end && g->workers[first + n].life == life)
		n++;
	return n;
}

/* While workers are still ending or on their way, no other is started: they come together, in one order, and never is more
 * than one such order ahead of an order to stop or to end. */
static bool some_are_under_way(const struct lab_group *g, unsigned wanted)
{
	for (unsigned i = 0; i < wanted; i++)
		if (g->workers[i].life == LIFE_ENDING || g->workers[i].life == LIFE_ORDERED)
			return true;
	return false;
}

/* A respawn, or other sessions: every worker that was ordered before then ends, and comes back by itself. */
static void end_outdated(struct lab *lab, struct lab_group *g)
{
	for (unsigned i = 0; i < g->capacity; i++)
		if (g->workers[i].life == LIFE_RUNNING && g->workers[i].generation != generation_of(lab, g)) {
			unsigned n = 1;
			while (i + n < g->capacity && g->workers[i + n].life == LIFE_RUNNING &&
			       g->workers[i + n].generation != generation_of(lab, g))
				n++;
			order_end(lab, g, i, n);
			i += n - 1;
		}
}

void crew_reconcile(struct lab *lab, struct lab_group *g)
{
	unsigned wanted = crew_wanted(lab, g), n;

	if (lab->phase == PHASE_LOST)
		return;
	end_outdated(lab, g);
	for (unsigned i = some_are_under_way(g, wanted) ? wanted : 0; i < wanted; i += n ? n : 1) {
		n = run_of(g, i, wanted, LIFE_NONE);
		if (n)
			order_spawn(lab, g, i, n);
	}
	for (unsigned i = wanted; i < g->capacity; i += n ? n : 1) {
		n = run_of(g, i, g->capacity, LIFE_RUNNING);
		if (n)
			order_end(lab, g, i, n);
	}
	for (unsigned i = wanted; i < g->capacity; i++)
		if (g->workers[i].life == LIFE_REFUSED)
			g->workers[i].life = LIFE_NONE;
}

/* Sends what the group's hold shall be, where that was not said yet or could not be sent. */
static void sync_hold(struct lab *lab, struct lab_group *g)
{
	bool on = hold_wanted(lab, g);

	if (on == g->hold_sent)
		return;
	if (stage_order_stop(lab->stage, g->first_slot, g->capacity, on, g->hold_order + 1) < 0)
		return;
	g->hold_sent = on;
	g->hold_order++;
}

void crew_continue(struct lab *lab, struct lab_group *g)
{
	g->hold_sent = true; /* as if they had been stopped: the next tick lets them go on */
	sync_hold(lab, g);
}

bool crew_hold_is_done(const struct lab *lab, const struct lab_group *g)
{
	return g->hold_sent == hold_wanted(lab, g) && g->hold_done == g->hold_order;
}

bool crew_is_settled(const struct lab *lab)
{
	for (size_t i = 0; i < lab->ngroups; i++) {
		const struct lab_group *g = &lab->groups[i];
		unsigned wanted = crew_wanted(lab, g);

		if (!crew_hold_is_done(lab, g))
			return false;
		for (unsigned s = 0; s < g->capacity; s++) {
			const struct lab_worker *w = &g->workers[s];
			bool there =
				w->life == LIFE_RUNNING && w->asked && w->generation == generation_of(lab, g);
			if (s < wanted ? !there && w->life != LIFE_REFUSED : w->life != LIFE_NONE)
				return false;
		}
	}
	return true;
}

/* Over a stop the run and wait clocks say nothing. */
void crew_restart_samples(struct lab *lab)
{
	for (size_t i = 0; i < lab->ngroups; i++)
		for (unsigned s = 0; s < lab->groups[i].capacity; s++)
			for (size_t k = 0; k < lab->groups[i].workers[s].nthreads; k++)
				sample_task_restart(&lab->groups[i].workers[s].threads[k].sample);
}

/* Brings what there is together with what there shall be: idempotent, so that whatever could not be done is done later. */
void crew_tick(struct lab *lab)
{
	if (lab->phase == PHASE_LOST)
		return;
	for (size_t i = 0; i < lab->ngroups; i++) {
		sync_hold(lab, &lab->groups[i]); /* first: a spawn order says what the stage was told last */
		crew_reconcile(lab, &lab->groups[i]);
		disk_tell_room(lab, &lab->groups[i]);
	}
}

void crew_retry_refused(struct lab_group *g)
{
	for (unsigned i = 0; i < g->capacity; i++) {
		g->workers[i].quick_deaths = 0;
		if (g->workers[i].life == LIFE_REFUSED)
			g->workers[i].life = LIFE_NONE;
	}
	g->start_error = 0;
	g->fault_code = 0;
	g->fault[0] = '\0';
}

void crew_respawn_group(struct lab *lab, struct lab_group *g)
{
	g->generation++;
	g->rate_used = 0; /* of what they did before */
	crew_retry_refused(g);
	crew_tick(lab);
}

void crew_respawn(struct lab *lab)
{
	lab->generation++;
	for (size_t i = 0; i < lab->ngroups; i++)
		crew_retry_refused(&lab->groups[i]);
	crew_tick(lab);
}

static struct lab_group *group_of_slot(struct lab *lab, unsigned slot)
{
	for (size_t i = 0; i < lab->ngroups; i++)
		if (slot >= lab->groups[i].first_slot &&
		    slot < lab->groups[i].first_slot + lab->groups[i].capacity)
			return &lab->groups[i];
	return NULL;
}

static void worker_name(char *buf, size_t size, const struct lab_group *g, const struct lab_worker *w)
{
	if (g->is_victim)
		snprintf(buf, size, "nl-victim");
	else
		snprintf(buf, size, "nl-hog-%u", (unsigned)(w - g->workers) + 1);
}

/* A worker that was ordered before a change of CPUs has missed it; one from before a respawn is ended in the next tick. */
static void on_started(struct lab *lab, struct lab_group *g, struct lab_worker *w,
		       const struct stage_event *e)
{
	int error;

	w->pid = e->pid;
	w->spawned_at = clock_now();
	w->settling_from = w->spawned_at;
	w->asked = false;
	w->around.valid = w->cpus_known = w->moved = false;
	w->bytes_then = 0;
	w->io.used = 0;
	w->in_autogroup = TRI_UNKNOWN;
	w->autogrouped = system_autogroup(&lab->fs) == TRI_YES;
	w->session = (struct attempt){0};
	w->session_retry = 0;
	thread_list_clear(w);
	if (g->is_victim)
		measure_victim_begins(lab, g);
	if (w->generation == generation_of(lab, g) && w->cpus_at != lab->cpus_changes)
		pin_worker(lab, g, w, &error);
}

static void on_refused(struct lab *lab, struct lab_group *g, struct lab_worker *w,
		       const struct stage_event *e)
{
	char words[64], name[16], limit[48] = "";

	if (g->start_error == e->error)
		return; /* one message for all that are refused alike */
	g->start_error = e->error;
	worker_name(name, sizeof(name), g, w);
	if (e->error == EAGAIN && lab->host.rlimit_nproc >= 0)
		snprintf(limit, sizeof(limit), ", RLIMIT_NPROC is %ld", lab->host.rlimit_nproc);
	journal_add(lab, JOURNAL_WARNING, g->index,
		    "%s could not be started (%s)%s. Fewer hogs, or R tries again", name,
		    err_words(e->error, words, sizeof(words)), limit);
}

static void on_ended(struct lab *lab, struct lab_group *g, struct lab_worker *w, const struct stage_event *e)
{
	(void)e;
	thread_list_clear(w);
	w->pid = 0;
	if (g->is_victim)
		arena_victim_reset(&lab->arena->victim[g->victim]);
}

static void on_died(struct lab *lab, struct lab_group *g, struct lab_worker *w, const struct stage_event *e)
{
	char name[16], how[48];
	bool quick = clock_now() - w->spawned_at < QUICK_DEATH;

	worker_name(name, sizeof(name), g, w);
	if (WIFSIGNALED(e->wait_status))
		snprintf(how, sizeof(how), "was killed by signal %d", WTERMSIG(e->wait_status));
	else
		snprintf(how, sizeof(how), "exited with status %d", WEXITSTATUS(e->wait_status));
	on_ended(lab, g, w, e);
	if (w->generation != generation_of(lab, g))
		return; /* it was to go: what became of it says nothing of the next */
	if (disk_has_failed(lab, g, w, name)) {
		w->life = LIFE_REFUSED;
		return;
	}
	w->quick_deaths = quick ? w->quick_deaths + 1 : 0;
	if (w->quick_deaths >= QUICK_DEATHS_MAX) {
		w->life = LIFE_REFUSED;
		journal_add(lab, JOURNAL_WARNING, g->index,
			    "%s (pid %d) %s, %d times in a row: R starts it again", name, (int)e->pid, how,
			    QUICK_DEATHS_MAX);
	} else
		journal_add(lab, JOURNAL_WARNING, g->index, "%s (pid %d) %s: replaced", name, (int)e->pid,
			    how);
	journal_mark(lab, g->index, KNOB_TOTAL, "%s ended", name);
}

/* What an event does to a worker. An event without a line here changes nothing. */
static const struct {
	enum worker_life from;
	enum stage_event_kind event;
	enum worker_life to;
	void (*act)(struct lab *lab, struct lab_group *g, struct lab_worker *w, const struct stage_event *e);
} transitions[] = {
	{LIFE_ORDERED, STAGE_SPAWNED, LIFE_RUNNING, on_started},
	{LIFE_ORDERED, STAGE_REFUSED, LIFE_REFUSED, on_refused},
	{LIFE_ORDERED, STAGE_DIED, LIFE_NONE, on_died},
	{LIFE_RUNNING, STAGE_DIED, LIFE_NONE, on_died},
	{LIFE_ENDING, STAGE_DIED, LIFE_NONE, on_ended},
};

void crew_handle(struct lab *lab, const struct stage_event *e)
{
	struct lab_group *g = group_of_slot(lab, e->slot);

	if (!g)
		return;
	if (e->kind == STAGE_STOPPED) {
		g->hold_done = e->cookie;
		return;
	}
	struct lab_worker *w = &g->workers[e->slot - g->first_slot];
	for (size_t i = 0; i < sizeof(transitions) / sizeof(transitions[0]); i++)
		if (transitions[i].from == w->life && transitions[i].event == e->kind) {
			w->life = transitions[i].to;
			transitions[i].act(lab, g, w, e);
			break;
		}
}

/* The stage is gone and, by PR_SET_PDEATHSIG, every worker with it. */
void crew_lost(struct lab *lab)
{
	if (lab->phase == PHASE_LOST)
		return;
	lab->phase = PHASE_LOST;
	for (size_t i = 0; i < lab->ngroups; i++)
		for (unsigned s = 0; s < lab->groups[i].capacity; s++) {
			thread_list_clear(&lab->groups[i].workers[s]);
			lab->groups[i].workers[s].life = LIFE_NONE;
		}
	journal_add(lab, JOURNAL_WARNING, -1,
		    "the stage process (pid %d) died and all workers with it: quit and start nicelab again",
		    (int)stage_pid(lab->stage));
}
