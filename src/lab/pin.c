/* The CPUs that the workers may run on: given, set, read back. */
#include "lab/state.h"
#include "base/err.h"
#include "kernel/priority.h"

#include <errno.h>
#include <stdio.h>

struct cpulist pin_cpus(const struct lab *lab, const struct lab_group *g)
{
	struct cpulist cpus = cpulist_count(&lab->cpus_given) ? lab->cpus_given : lab->host.cpus, last;

	if (lab->knobs[KNOB_CPUS] == CPUS_ONE)
		return cpulist_first(&cpus);
	if (lab->knobs[KNOB_CPUS] != CPUS_APART || cpulist_count(&cpus) < 2)
		return cpus;
	last = cpulist_last(&cpus);
	return g->is_victim ? last : cpulist_without(&cpus, &last);
}

struct cpulist pin_all_cpus(const struct lab *lab)
{
	struct cpulist all = {{0}};

	for (size_t i = 0; i < lab->ngroups; i++) {
		struct cpulist cpus = pin_cpus(lab, &lab->groups[i]);
		for (size_t k = 0; k < sizeof(all.bits) / sizeof(all.bits[0]); k++)
			all.bits[k] |= cpus.bits[k];
	}
	return all;
}

bool pin_somebody_moved(const struct lab *lab)
{
	for (size_t i = 0; i < lab->ngroups; i++)
		for (unsigned s = 0; s < lab->groups[i].capacity; s++)
			if (lab->groups[i].workers[s].life == LIFE_RUNNING && lab->groups[i].workers[s].moved)
				return true;
	return false;
}

unsigned pin_worker(struct lab *lab, struct lab_group *g, struct lab_worker *w, int *error)
{
	struct cpulist cpus = pin_cpus(lab, g), actual;
	unsigned failed = 0;

	/* The main thread first: those that it makes meanwhile inherit. */
	if (w->nthreads && apply_read_same(lab, w->pid, &w->threads[0]))
		priority_set_cpus(w->threads[0].tid, &cpus);
	sweep_worker(lab, g, w);
	for (size_t k = 0; k < w->nthreads; k++) {
		pid_t tid = w->threads[k].tid;
		int rc =
			apply_read_same(lab, w->pid, &w->threads[k]) ? priority_set_cpus(tid, &cpus) : -ESRCH;

		if (rc == 0)
			rc = priority_get_cpus(tid, &actual);
		if (rc == 0 && !cpulist_equal(&cpus, &actual))
			rc = -EINVAL; /* a cpuset allows only some of them */
		if (rc < 0 && !task_is_gone(rc)) {
			failed++;
			*error = -rc;
		}
	}
	w->cpus_at = lab->cpus_changes;
	w->cpus_known = priority_get_cpus(w->pid, &w->cpus) == 0;
	w->moved = failed > 0;
	return failed;
}

void pin_apply(struct lab *lab)
{
	unsigned failed = 0, total = 0;
	char words[64], list[64];
	struct cpulist cpus = pin_cpus(lab, &lab->groups[0]);
	int error = 0;

	for (size_t i = 0; i < lab->ngroups; i++)
		for (unsigned s = 0; s < lab->groups[i].capacity; s++) {
			struct lab_worker *w = &lab->groups[i].workers[s];
			if (w->life != LIFE_RUNNING)
				continue;
			failed += pin_worker(lab, &lab->groups[i], w, &error);
			total += (unsigned)w->nthreads;
		}
	if (lab->knobs[KNOB_CPUS] == CPUS_APART)
		snprintf(list, sizeof(list), "apart");
	else
		cpulist_format(list, sizeof(list), &cpus);
	if (failed)
		journal_add(lab, JOURNAL_WARNING, -1, "CPUs %s not set for %u of %u threads: %s", list,
			    failed, total, err_words(error, words, sizeof(words)));
	else
		journal_add(lab, JOURNAL_INFO, -1, "CPUs %s: holds on %u of %u threads", list, total, total);
}
