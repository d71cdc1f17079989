/* The share prediction: weights poured like water over what can hold them. */
#include "sched/share.h"
#include "sched/prio.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
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

/* Sums over the whole tree, prepared once. */
struct tree {
	struct share_task *tasks;
	size_t ntasks;
	struct share_group *groups;
	size_t ngroups;
	struct vessel *vessels; /* scratch: as many as tasks and groups */
	double *inside; /* by group: the summed weight of its tasks and of the sub-groups that have tasks */
	double *part; /* by group: the part of the load of the group at the top that it makes */
	size_t *top; /* by group: the ancestor right below the top; 0 for the top itself */
	size_t *first_task, *next_task, *first_group, *next_group; /* children, as lists; SIZE_MAX ends */
};

static void count_tasks(struct tree *t)
{
	for (size_t g = 0; g < t->ngroups; g++)
		t->groups[g].tasks = 0;
	for (size_t i = 0; i < t->ntasks; i++)
		t->groups[t->tasks[i].group].tasks++;
	for (size_t g = t->ngroups; g-- > 1;)
		t->groups[t->groups[g].parent].tasks += t->groups[g].tasks;
}

static void link_children(struct tree *t)
{
	for (size_t g = 0; g < t->ngroups; g++) {
		t->first_task[g] = t->first_group[g] = SIZE_MAX;
		t->inside[g] = 0;
	}
	for (size_t i = t->ntasks; i-- > 0;) {
		size_t g = t->tasks[i].group;
		t->next_task[i] = t->first_task[g];
		t->first_task[g] = i;
		t->inside[g] += t->tasks[i].weight;
	}
	for (size_t g = t->ngroups; g-- > 1;) {
		size_t p = t->groups[g].parent;
		t->next_group[g] = t->first_group[p];
		t->first_group[p] = g;
		if (t->groups[g].tasks)
			t->inside[p] += t->groups[g].weight;
	}
}

/* Pours what group g has over its children. */
static void pour_group(struct tree *t, size_t g)
{
	struct vessel *v = t->vessels;
	size_t n = 0;

	for (size_t i = t->first_task[g]; i != SIZE_MAX; i = t->next_task[i])
		v[n++] = (struct vessel){.weight = t->tasks[i].weight, .limit = 1};
	for (size_t k = t->first_group[g]; k != SIZE_MAX; k = t->next_group[k])
		v[n++] = (struct vessel){.weight = t->groups[k].weight,
					 .limit = (double)t->groups[k].tasks,
					 .full = t->groups[k].tasks == 0};
	pour(v, n, t->groups[g].cpus);
	n = 0;
	for (size_t i = t->first_task[g]; i != SIZE_MAX; i = t->next_task[i])
		t->tasks[i].share = t->tasks[i].low = t->tasks[i].high = v[n++].level;
	for (size_t k = t->first_group[g]; k != SIZE_MAX; k = t->next_group[k])
		t->groups[k].cpus = v[n++].level;
}

static void find_parts(struct tree *t)
{
	t->top[0] = 0;
	t->part[0] = 1;
	for (size_t g = 1; g < t->ngroups; g++) {
		size_t p = t->groups[g].parent;
		t->top[g] = p == 0 ? g : t->top[p];
		t->part[g] = p == 0 ? 1 : t->part[p] * t->groups[g].weight / t->inside[p];
	}
}

/* The range of one task: see the header. */
static void find_range(const struct tree *t, struct share_task *task, double cpus)
{
	size_t top = t->top[task->group];
	double whole = top ? t->groups[top].weight : task->weight;
	double alone = top ? whole * t->part[task->group] * task->weight / t->inside[task->group] : whole;
	size_t others = t->ntasks - (top ? t->groups[top].tasks : 1);
	double outside = t->inside[0] - whole, each = others ? outside / (double)others : 0;
	double most = each * ceil((double)others / cpus), least = each * floor((double)others / cpus);
	double low = alone / (whole + most), high = alone / (alone + least);

	task->low = low < task->share ? low : task->share;
	task->high = high > task->share ? high : task->share;
}

/* Exact where there is one CPU, or where no group stands beside anything. */
static bool is_exact(const struct tree *t, double cpus)
{
	size_t beside = 0, groups = 0;

	for (size_t g = t->first_group[0]; g != SIZE_MAX; g = t->next_group[g])
		groups += t->groups[g].tasks > 0;
	beside = groups + (t->first_task[0] != SIZE_MAX);
	return cpus <= 1 || groups == 0 || beside < 2;
}

static int tree_alloc(struct tree *t)
{
	t->vessels = calloc(t->ntasks + t->ngroups, sizeof(*t->vessels));
	t->inside = calloc(2 * t->ngroups, sizeof(*t->inside));
	t->top = calloc(3 * t->ngroups + t->ntasks + t->ngroups, sizeof(*t->top));
	if (!t->vessels || !t->inside || !t->top)
		return -ENOMEM;
	t->part = t->inside + t->ngroups;
	t->first_task = t->top + t->ngroups;
	t->first_group = t->first_task + t->ngroups;
	t->next_group = t->first_group + t->ngroups;
	t->next_task = t->next_group + t->ngroups;
	return 0;
}

int share_predict(struct share_task *tasks, size_t ntasks, struct share_group *groups, size_t ngroups,
		  double cpus)
{
	struct tree t = {.tasks = tasks, .ntasks = ntasks, .groups = groups, .ngroups = ngroups};
	int rc = tree_alloc(&t);

	if (rc == 0) {
		count_tasks(&t);
		link_children(&t);
		groups[0].cpus = cpus;
		for (size_t g = 0; g < ngroups; g++)
			if (groups[g].tasks)
				pour_group(&t, g);
			else
				groups[g].cpus = 0;
		find_parts(&t);
		bool exact = is_exact(&t, cpus);
		for (size_t i = 0; !exact && i < ntasks; i++)
			find_range(&t, &tasks[i], cpus);
	}
	free(t.vessels);
	free(t.inside);
	free(t.top);
	return rc;
}
