/* The share prediction: weights poured like water over what can hold them. */
#include "sched/share.h"
#include "sched/prio.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>

/* kernel/sched/core.c, sched_prio_to_weight: each step is about 1.25x. */
static const int nice_weights[NICE_COUNT] = {
	88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100, 4904,
	3906,  3121,  2501,  1991,  1586,  1277,  1024,	 820,	655,   526,   423,  335,  272,	215,
	172,   137,   110,   87,    70,	   56,	  45,	 36,	29,    23,    18,   15,
};

int weight_of_nice(int nice)
{
	if (nice < NICE_MIN)
		nice = NICE_MIN;
	if (nice > NICE_MAX)
		nice = NICE_MAX;
	return nice_weights[nice - NICE_MIN];
}

int weight_of_task(int nice, int policy)
{
	return policy == SCHED_IDLE ? WEIGHT_IDLE : weight_of_nice(nice);
}

/* One vessel that water is poured into. */
struct vessel {
	double weight, limit, level;
	bool full;
};

/* Pours `amount` over the vessels by weight, none above its limit. */
static void pour(struct vessel *v, size_t n, double amount)
{
	for (;;) {
		double weight = 0;
		bool filled = false;

		for (size_t i = 0; i < n; i++)
			weight += v[i].full ? 0 : v[i].weight;
		if (weight <= 0)
			return;
		for (size_t i = 0; i < n; i++)
			if (!v[i].full) {
				v[i].level = v[i].weight * amount / weight;
				filled |= v[i].level >= v[i].limit;
			}
		if (!filled)
			return;
		for (size_t i = 0; i < n; i++)
			if (!v[i].full && v[i].level >= v[i].limit) {
				v[i].level = v[i].limit;
				v[i].full = true;
				amount -= v[i].limit;
			}
		if (amount < 0)
			amount = 0;
	}
}

static void pour_groups(struct share_group *groups, size_t ngroups, double cpus, struct vessel *v)
{
	for (size_t g = 0; g < ngroups; g++)
		v[g] = (struct vessel){
			.weight = groups[g].weight,
			.limit = (double)groups[g].tasks,
			.full = groups[g].tasks == 0,
		};
	pour(v, ngroups, cpus);
	for (size_t g = 0; g < ngroups; g++)
		groups[g].cpus = v[g].level;
}

static void pour_tasks(struct share_task *tasks, size_t ntasks, size_t group, double cpus, struct vessel *v)
{
	size_t n = 0;

	for (size_t i = 0; i < ntasks; i++)
		if (tasks[i].group == group)
			v[n++] = (struct vessel){.weight = tasks[i].weight, .limit = 1};
	pour(v, n, cpus);
	n = 0;
	for (size_t i = 0; i < ntasks; i++)
		if (tasks[i].group == group)
			tasks[i].share = v[n++].level;
}

int share_predict(struct share_task *tasks, size_t ntasks, struct share_group *groups, size_t ngroups,
		  double cpus)
{
	size_t most = ntasks > ngroups ? ntasks : ngroups;
	struct vessel *v = calloc(most ? most : 1, sizeof(*v));

	if (!v)
		return -ENOMEM;
	for (size_t g = 0; g < ngroups; g++)
		groups[g].tasks = 0;
	for (size_t i = 0; i < ntasks; i++)
		groups[tasks[i].group].tasks++;
	pour_groups(groups, ngroups, cpus, v);
	for (size_t g = 0; g < ngroups; g++)
		if (groups[g].tasks)
			pour_tasks(tasks, ntasks, g, groups[g].cpus, v);
	free(v);
	return 0;
}
