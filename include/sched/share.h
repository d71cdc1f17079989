/* What the weights predict: the share of a CPU that each of many always-runnable tasks gets. Pure; any thread.
 *
 * Level by level: what a group has is poured over its tasks and sub-groups by weight; nobody can take more than it can run on (a task
 * 1 CPU, a group as many CPUs as it has tasks), and what a full one leaves goes to the others ("water-filling"). Weights are
 * sched_prio_to_weight of the kernel (kernel/sched/core.c); a cgroup weighs cpu.shares, or cpu.weight * 1024 / 100; an autogroup as a task
 * of its nice does, 1024 at nice 0 (sched(7)).
 *
 * On several CPUs a group's weight is split over them by the load it has on each: w(cpu) = w * load(cpu) / load (kernel/sched/fair.c,
 * calc_group_shares). So where rivals are in other groups the share depends on who sits where, and a range is given: least
 * where the whole group sits on the task's own CPU, beside the most crowded even spread of the others; greatest where the task is alone
 * of its group there, beside the thinnest. */
#ifndef NICELAB_SCHED_SHARE_H
#define NICELAB_SCHED_SHARE_H

#include <stddef.h>

#define WEIGHT_IDLE 3 /* SCHED_IDLE, whatever its nice is */

/* The weight of a nice value; values outside -20 to 19 are clamped as the kernel does. */
int weight_of_nice(int nice);

/* The weight of a task of this nice and policy (a SCHED_ number). */
int weight_of_task(int nice, int policy);

struct share_group {
	size_t parent; /* index of the group it is in, below its own; group 0 is the top and has neither parent nor weight */
	double weight;
	double cpus; /* result: CPUs given to the group */
	size_t tasks; /* result: in it and below */
};

struct share_task {
	size_t group; /* index into the groups */
	double weight;
	double share; /* result: fraction of one CPU, 0 to 1 */
	double low, high; /* result: the range it lies in; both equal share where that is exact */
};

/* Fills in the results for `cpus` CPUs that every task may run on. Weights are above 0; ngroups is 1 at least; each task's group is below
 * ngroups. 0 or -ENOMEM. */
int share_predict(struct share_task *tasks, size_t ntasks, struct share_group *groups, size_t ngroups,
		  double cpus);

#endif
