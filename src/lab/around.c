/* What surrounds the workers, read in turns: their sessions, cgroups, owners, and the weight that the scheduler uses for each thread. Slow to change
 * and dear to read, so a bounded number in each tick; new workers first, since verdicts wait for them. */
#include "lab/state.h"
#include "base/clock.h"
#include "kernel/priority.h"
#include "kernel/schedgroup.h"

#include <stdlib.h>
#include <string.h>

#define PER_SECOND 160
#define FRESH_PER_SECOND 640 /* of workers that were never read: verdicts wait for them */
#define FRESH NS_PER_SEC
#define GROUPS_FRESH (3 * NS_PER_SEC)

/* The weight together with the nice and policy that it belongs to. */
static void read_weights(struct lab *lab, struct lab_worker *w)
{
	for (size_t i = 0; i < w->nthreads; i++) {
		struct lab_thread *t = &w->threads[i];
		if (thread_weight_read(&lab->fs, w->pid, t->tid, &t->used) < 0 ||
		    !apply_read_same(lab, w->pid, t))
			t->used = (struct thread_weight){{0}, {0}};
		t->used_nice = t->sample.last.stat.nice;
		t->used_policy = t->sample.last.stat.policy;
	}
}

static void read_affinity(struct lab *lab, const struct lab_group *g, struct lab_worker *w)
{
	struct cpulist given = pin_cpus(lab, g), actual;

	w->cpus_known = priority_get_cpus(w->pid, &w->cpus) == 0;
	w->moved = false;
	for (size_t i = 0; i < w->nthreads; i++)
		w->moved |=
			priority_get_cpus(w->threads[i].tid, &actual) == 0 && !cpulist_equal(&actual, &given);
}

static void read_worker(struct lab *lab, const struct lab_group *g, struct lab_worker *w)
{
	unsigned low, high;
	int policy;
	bool reset;

	if (!sample_around_read(&lab->cgroups, &lab->fs, w->pid, &w->around))
		return;
	w->uclamp =
		priority_get_uclamp(w->pid, &low, &high) == 0 ? tri_of(low > 0 || high < 1024) : TRI_UNKNOWN;
	w->reset_on_fork = priority_get_policy(w->pid, &policy, &reset) == 0 ? tri_of(reset) : TRI_UNKNOWN;
	read_affinity(lab, g, w);
	read_weights(lab, w);
}

const struct sample_around *around_of(const struct lab *lab, const struct lab_worker *w)
{
	return w->around.valid ? &w->around : &lab->home;
}

static bool is_due(const struct lab_worker *w, uint64_t now)
{
	return w->life == LIFE_RUNNING && w->nthreads && (!w->around.valid || now - w->around.at >= FRESH);
}

/* Workers that were never read, and victims, whose time is what is being shown. */
static unsigned read_urgent(struct lab *lab, uint64_t now, unsigned most)
{
	unsigned n = 0;

	for (size_t i = lab->ngroups; i-- > 0;)
		for (unsigned s = 0; s < lab->groups[i].capacity && n < most; s++) {
			struct lab_worker *w = &lab->groups[i].workers[s];
			if (is_due(w, now) && (!w->around.valid || lab->groups[i].is_victim)) {
				read_worker(lab, &lab->groups[i], w);
				n++;
			}
		}
	return n;
}

/* The others, in turns. */
static void read_next(struct lab *lab, uint64_t now, unsigned most)
{
	size_t slots = 0;

	for (size_t i = 0; i < lab->ngroups; i++)
		slots += lab->groups[i].capacity;
	for (size_t i = 0; i < slots && most > 0; i++) {
		struct lab_group *g = &lab->groups[lab->around_group];
		struct lab_worker *w = &g->workers[lab->around_slot];

		if (is_due(w, now)) {
			read_worker(lab, g, w);
			most--;
		}
		if (++lab->around_slot >= g->capacity) {
			lab->around_slot = 0;
			lab->around_group = (lab->around_group + 1) % lab->ngroups;
		}
	}
}

/* What was read is about another state of things: all of it is read anew. */
void around_forget(struct lab *lab)
{
	for (size_t i = 0; i < lab->ngroups; i++)
		for (unsigned s = 0; s < lab->groups[i].capacity; s++)
			lab->groups[i].workers[s].around.at = 0;
}

/* The scheduler's own list, where it is open: a long text, so only for whom an autogroup verdict is about. */
static void read_real_groups(struct lab *lab, uint64_t now)
{
	int autogroup = verdict_find("autogroup");
	char *text, path[CGROUP_PATH];

	if (lab->machine.system.debugfs != TRI_YES || now - lab->groups_read_at < GROUPS_FRESH)
		return;
	for (size_t i = 0; i < lab->nverdicts; i++) {
		struct lab_group *g = &lab->groups[lab->verdicts[i].group];
		if ((int)lab->verdicts[i].rule != autogroup || schedgroup_read(&lab->fs, &text) < 0)
			continue;
		for (unsigned s = 0; s < g->capacity; s++)
			if (g->workers[s].life == LIFE_RUNNING &&
			    schedgroup_parse(text, g->workers[s].pid, path, sizeof(path)) == 0)
				g->workers[s].in_autogroup = tri_of(strncmp(path, "/autogroup-", 11) == 0);
		free(text);
	}
	lab->groups_read_at = now;
}

void around_tick(struct lab *lab, uint64_t tick_ns)
{
	uint64_t now = clock_now();
	unsigned share = (unsigned)(PER_SECOND * tick_ns / NS_PER_SEC) + 1;
	struct cpulist cpus = pin_all_cpus(lab);

	if (!lab->home.valid || now - lab->home.at >= FRESH)
		sample_around_read(&lab->cgroups, &lab->fs, stage_pid(lab->stage), &lab->home);
	if (read_urgent(lab, now, share * FRESH_PER_SECOND / PER_SECOND) < share)
		read_next(lab, now, share);
	read_real_groups(lab, now);
	sample_groups_update(&lab->cgroups, &lab->fs);
	sample_machine_update(&lab->machine, &lab->fs, &cpus);
}
