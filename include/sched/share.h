/* What the weights predict: the share of a CPU that each of many always-runnable tasks gets. Pure; any thread.
 *
 * Level by level: the CPUs are poured over the groups by group weight, each group's part over its tasks by task weight;
 * nobody can take more than it can run on (a task 1 CPU, a group as many CPUs as it has tasks), and what a full one
 * leaves goes to the others ("water-filling"). Weights are sched_prio_to_weight of the kernel (kernel/sched/core.c);
 * an autogroup weighs as a task of its nice does, 1024 at nice 0 (sched(7)). */
#ifndef NICELAB_SCHED_SHARE_H
#define NICELAB_SCHED_SHARE_H

#include <stddef.h>

#define WEIGHT_IDLE 3 /* SCHED_IDLE, whatever its nice is */

/* The weight of a nice value; values outside -20 to 19 are clamped as the kernel does. */
int weight_of_nice(int nice);

/* The weight of a task of this nice and policy (a SCHED_ number). */
int weight_of_task(int nice, int policy);

struct share_group {
	double weight;
	double cpus; /* result: CPUs given to the group */
	size_t tasks; /* filled in by share_predict */
};

struct share_task {
	size_t group; /* index into the groups */
	double weight;
	double share; /* result: fraction of one CPU, 0 to 1 */
};

/* Fills in the shares for `cpus` CPUs that every task may run on. Weights are above 0; each task's group is below
 * ngroups. 0 or -ENOMEM. */
int share_predict(struct share_task *tasks, size_t ntasks, struct share_group *groups, size_t ngroups,
		  double cpus);

#endif
