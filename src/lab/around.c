/* What surrounds the workers, read in turns: their sessions, cgroups, owners, and the weight that the scheduler uses for each thread. Slow to change
 * and dear to read, so a bounded number in each tick; new workers first, since verdicts wait for them. */
#include "lab/state.h"
#include "base/clock.h"
#include "kernel/priority.h"

#define PER_TICK 16
#define FRESH NS_PER_SEC

static void read_weights(struct lab *lab, struct lab_worker *w)
{
	for (size_t i = 0; i < w->nthreads; i++)
		if (thread_weight_read(&lab->fs, w->pid, w->threads[i].tid, &w->threads[i].used) < 0)
			w->threads[i].used = (struct thread_weight){{0}, {0}};
}

static void read_worker(struct lab *lab, struct lab_worker *w)
{
	int policy;
	bool reset;

	if (!sample_around_read(&lab->cgroups, &lab->fs, w->pid, &w->around))
		return;
	w->reset_on_fork = priority_get_policy(w->pid, &policy, &reset) == 0 ? tri_of(reset) : TRI_UNKNOWN;
	read_weights(lab, w);
}

static bool is_due(const struct lab_worker *w, uint64_t now)
{
	return w->life == LIFE_RUNNING && w->nthreads && (!w->around.valid || now - w->around.at >= FRESH);
}

static struct lab_worker *next_worker(struct lab *lab)
{
	struct lab_group *g = &lab->groups[lab->around_group];

	if (++lab->around_slot >= g->capacity) {
		lab->around_slot = 0;
		lab->around_group = (lab->around_group + 1) % lab->ngroups;
	}
	g = &lab->groups[lab->around_group];
	return &g->workers[lab->around_slot];
}

static unsigned read_unread(struct lab *lab, uint64_t now)
{
	unsigned n = 0;

	for (size_t i = lab->ngroups; i-- > 0;)
		for (unsigned s = 0; s < lab->groups[i].capacity && n < PER_TICK; s++) {
			struct lab_worker *w = &lab->groups[i].workers[s];
			bool urgent = !w->around.valid || lab->groups[i].is_victim;
			if (is_due(w, now) && urgent) {
				read_worker(lab, w);
				n++;
			}
		}
	return n;
}

/* What was read is about another state of things: all of it is read anew. */
void around_forget(struct lab *lab)
{
	for (size_t i = 0; i < lab->ngroups; i++)
		for (unsigned s = 0; s < lab->groups[i].capacity; s++)
			lab->groups[i].workers[s].around.at = 0;
}

void around_tick(struct lab *lab)
{
	uint64_t now = clock_now();
	size_t slots = 0;
	unsigned n = read_unread(lab, now);

	for (size_t i = 0; i < lab->ngroups; i++)
		slots += lab->groups[i].capacity;
	for (size_t i = 0; i < slots && n < PER_TICK; i++) {
		struct lab_worker *w = next_worker(lab);
		if (is_due(w, now)) {
			read_worker(lab, w);
			n++;
		}
	}
	sample_groups_update(&lab->cgroups, &lab->fs);
	struct cpulist cpus = cpulist_count(&lab->cpus_given) ? lab->cpus_given : lab->host.cpus;
	sample_machine_update(&lab->machine, &lab->fs, &cpus);
}
