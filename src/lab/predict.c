/* What the weights say that each victim gets now, and what it had while the baseline was taken. */
#include "lab/state.h"
#include "sched/share.h"

#include <sched.h>
#include <stdlib.h>

struct crowd {
	struct share_task *tasks;
	struct share_group *groups;
	size_t ntasks, ngroups;
	bool grouped; /* each session is a group of its own */
	bool unweighted; /* somebody runs under a policy that weights say nothing of */
};

static size_t count_threads(const struct lab *lab)
{
	size_t n = 0;

	for (size_t i = 0; i < lab->ngroups; i++)
		for (unsigned s = 0; s < lab->groups[i].capacity; s++)
			n += lab->groups[i].workers[s].nthreads;
	return n;
}

static void add_worker(struct crowd *c, const struct lab_worker *w)
{
	if (c->grouped || c->ngroups == 0)
		c->groups[c->ngroups++] = (struct share_group){.weight = weight_of_nice(0)};
	for (size_t t = 0; t < w->nthreads; t++) {
		const struct stat_line *st = &w->threads[t].sample.last.stat;
		c->unweighted |=
			st->policy != SCHED_OTHER && st->policy != SCHED_BATCH && st->policy != SCHED_IDLE;
		c->tasks[c->ntasks++] = (struct share_task){.group = c->ngroups - 1,
							    .weight = weight_of_task(st->nice, st->policy)};
	}
}

/* The runnable threads, group by group, slot by slot: the order in which read_group finds them again. */
static void gather(const struct lab *lab, struct crowd *c, bool with_hogs)
{
	for (size_t i = 0; i < lab->ngroups; i++) {
		const struct lab_group *g = &lab->groups[i];
		if (!g->is_victim && (!with_hogs || g->paused || g->held))
			continue;
		for (unsigned s = 0; s < g->capacity; s++)
			if (g->workers[s].life == LIFE_RUNNING && g->workers[s].nthreads)
				add_worker(c, &g->workers[s]);
	}
}

static int by_share_falling(const void *a, const void *b)
{
	double x = ((const struct share_task *)a)->share, y = ((const struct share_task *)b)->share;

	return x < y ? 1 : x > y ? -1 : 0;
}

/* A thread of share s makes samples in proportion to s, each 1/s long: the median sample is the one at half of the summed
 * shares, taken from the fast end. */
static double median_share(struct share_task *t, size_t n)
{
	double total = 0, seen = 0;

	for (size_t i = 0; i < n; i++)
		total += t[i].share;
	qsort(t, n, sizeof(*t), by_share_falling);
	for (size_t i = 0; i < n; i++) {
		seen += t[i].share;
		if (seen >= total / 2)
			return t[i].share;
	}
	return 0;
}

static void read_group(struct lab_group *g, struct share_task *tasks, size_t n, bool with_hogs)
{
	double total = 0;

	for (size_t i = 0; i < n; i++)
		total += tasks[i].share;
	if (n == 0)
		return;
	double median = median_share(tasks, n);
	if (!with_hogs) {
		if (g->baseline.wanted)
			g->baseline.share = median;
		return;
	}
	g->predicted_share = (struct known_number){true, total / (double)n};
	g->predicted_ratio = (struct known_number){median > 0 && g->baseline.share > 0,
						   g->baseline.share / (median > 0 ? median : 1)};
}

static void read_groups(struct lab *lab, struct crowd *c, bool with_hogs)
{
	size_t at = 0;

	for (size_t i = 0; i < lab->ngroups; i++) {
		struct lab_group *g = &lab->groups[i];
		size_t n = 0;

		if (!g->is_victim && (!with_hogs || g->paused || g->held))
			continue;
		for (unsigned s = 0; s < g->capacity; s++)
			if (g->workers[s].life == LIFE_RUNNING)
				n += g->workers[s].nthreads;
		if (g->is_victim)
			read_group(g, c->tasks + at, n, with_hogs);
		at += n;
	}
}

static void predict(struct lab *lab, struct crowd *c, bool with_hogs)
{
	struct cpulist cpus = crew_cpus(lab);

	c->ntasks = c->ngroups = 0;
	gather(lab, c, with_hogs);
	if (!c->unweighted &&
	    share_predict(c->tasks, c->ntasks, c->groups, c->ngroups, cpulist_count(&cpus)) == 0)
		read_groups(lab, c, with_hogs);
}

void predict_update(struct lab *lab)
{
	size_t n = count_threads(lab);
	struct crowd c = {.grouped = lab->knobs[KNOB_SESSIONS] == SESSIONS_OWN &&
				     lab->host.autogroup == AUTOGROUP_ON};

	for (size_t i = 0; i < lab->ngroups; i++)
		lab->groups[i].predicted_share.known = lab->groups[i].predicted_ratio.known = false;
	c.tasks = calloc(n + 1, sizeof(*c.tasks));
	c.groups = calloc(n + 1, sizeof(*c.groups));
	if (c.tasks && c.groups) {
		predict(lab, &c, false);
		predict(lab, &c, true);
	}
	free(c.tasks);
	free(c.groups);
}
