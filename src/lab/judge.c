/* Verdicts: the rules over all threads, and what they found put together: one entry for all threads of a group that it concerns alike. */
#include "lab/state.h"
#include "base/clock.h"
#include "load/kind.h"
#include "verdict/crowd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVERY (300 * NS_PER_MS)
#define EVERY_MANY NS_PER_SEC /* with hundreds of threads */
#define MANY 200

/* Something has changed: the next publication judges anew. */
void judge_soon(struct lab *lab)
{
	lab->judge_now = true;
}

/* Shares of groups since the last change, and what others took meanwhile: the mean of each thread's own clock over its own time. */
static void measure_shares(struct lab *lab)
{
	struct known_number busy = sample_machine_busy(&lab->machine);
	struct cpulist cpus = pin_all_cpus(lab);
	bool moved = pin_somebody_moved(lab);
	double own = 0;

	for (size_t i = 0; i < lab->ngroups; i++) {
		struct lab_group *g = &lab->groups[i];
		double sum = 0, seconds = 0, shortest = 0;
		unsigned n = 0, all = 0;

		for (unsigned s = 0; s < g->capacity; s++)
			for (size_t t = 0; g->workers[s].life == LIFE_RUNNING && t < g->workers[s].nthreads;
			     t++) {
				struct known_number rate = sample_task_rate(&g->workers[s].threads[t].sample,
									    lab->touched_at, &seconds);
				all++;
				if (!rate.known)
					continue;
				sum += rate.value;
				shortest = n++ == 0 || seconds < shortest ? seconds : shortest;
			}
		own += sum;
		g->measured = n && n == all && !moved ? known(sum / n) : (struct known_number){0};
		g->measured_seconds = shortest;
	}
	lab->outside = (struct known_number){0};
	if (busy.known && cpulist_count(&cpus))
		lab->outside = known(busy.value - own / cpulist_count(&cpus));
	if (lab->outside.known && lab->outside.value < 0)
		lab->outside.value = 0;
}

static struct snapshot_verdict *find_entry(struct lab *lab, unsigned rule, enum facts_what what, int group)
{
	for (size_t i = 0; i < lab->nverdicts; i++) {
		struct snapshot_verdict *v = &lab->verdicts[i];
		if (v->rule == rule && v->what == what && v->group == group)
			return v;
	}
	return NULL;
}

static enum verdict_fix possible(const struct lab *lab, const struct lab_group *g, const struct facts *f,
				 enum verdict_fix fix)
{
	return remedy_is_possible(lab, g, f, fix) ? fix : FIX_NONE;
}

/* A rule that is there to catch what no other does only repeats the verdict. */
static void add_also(struct snapshot_verdict *v, unsigned rule, const struct facts *f)
{
	if (v->nalso == SNAPSHOT_ALSO || (verdict_catches_all(rule) && v->status != STATUS_APPLIED))
		return;
	v->also[v->nalso].rule = rule;
	verdict_why(v->also[v->nalso].why, sizeof(v->also[0].why), rule, f);
	v->nalso++;
}

/* Adds what one thread's facts say: its verdict, or, where it has none, its notes. */
static void add_entry(struct lab *lab, const struct lab_group *g, const struct lab_thread *t,
		      const struct facts *f, const struct verdict_list *l)
{
	const struct verdict_info *info = verdict_info(l->rules[0]);
	struct snapshot_verdict *v = find_entry(lab, l->rules[0], f->what, g->index);

	if (v) {
		v->count++;
		return;
	}
	if (lab->nverdicts == SNAPSHOT_VERDICTS) {
		lab->verdicts_more++;
		return;
	}
	v = &lab->verdicts[lab->nverdicts++];
	*v = (struct snapshot_verdict){.rule = l->rules[0],
				       .status = info->status,
				       .what = f->what,
				       .group = g->index,
				       .tid = t->tid,
				       .count = 1};
	v->fix = possible(lab, g, f, info->fix);
	v->other_fix = possible(lab, g, f, info->other_fix);
	if (v->fix == FIX_NONE) {
		v->fix = v->other_fix;
		v->other_fix = FIX_NONE;
	}
	verdict_why(v->why, sizeof(v->why), l->rules[0], f);
	verdict_remedy(v->remedy, sizeof(v->remedy), l->rules[0], f);
	for (unsigned i = 1; i < l->count; i++)
		add_also(v, l->rules[i], f);
}

struct round {
	struct facts_host host;
	struct facts_group group;
	struct facts_process process[WHAT_COUNT];
	const struct crowd_member *member;
	unsigned wanting; /* threads of the process that want a CPU */
	struct cpulist busy;
	struct io_census io;
	bool settled; /* who is there is who shall be: else the rivals are not counted */
};

/* The CPU that shares a core, looked up once. */
static int smt_sibling(struct lab *lab, unsigned cpu)
{
	if (cpu >= CPULIST_MAX)
		return -1;
	if (lab->smt[cpu] == 0) {
		int other = system_smt_sibling(&lab->fs, cpu);
		lab->smt[cpu] = other < 0 ? -1 : other + 1;
	}
	return lab->smt[cpu] < 0 ? -1 : lab->smt[cpu] - 1;
}

/* Whether a rival runs on the other half of its core, where there is a CPU for everybody: only then does that explain anything. */
static enum tri smt_rival(struct lab *lab, const struct lab_thread *t, const struct round *r)
{
	int other;

	if (r->member->rivals.total + 1 > cpulist_count(&lab->host.cpus))
		return TRI_NO;
	other = smt_sibling(lab, (unsigned)t->sample.last.stat.cpu);
	return tri_of(other >= 0 && cpulist_has(&r->busy, (unsigned)other));
}

/* The CPUs on which workers run just now. */
static void find_busy(const struct lab *lab, struct cpulist *busy)
{
	for (size_t i = 0; i < lab->ngroups; i++)
		for (unsigned s = 0; s < lab->groups[i].capacity; s++)
			for (size_t k = 0; k < lab->groups[i].workers[s].nthreads; k++) {
				const struct stat_line *st =
					&lab->groups[i].workers[s].threads[k].sample.last.stat;
				if (st->state == 'R' && st->cpu < CPULIST_MAX)
					cpulist_set(busy, (unsigned)st->cpu);
			}
}

static void judge_thread(struct lab *lab, struct lab_group *g, struct lab_worker *w, struct lab_thread *t,
			 struct round *r)
{
	struct facts_io io;
	struct facts f = {.host = &r->host, .group = &r->group, .io = &io};

	facts_io(lab, g, w, t, &r->io, &io);

	if (r->settled) {
		f.rivals = r->member->rivals;
		f.rivals.siblings = r->wanting - (r->member->wants_cpu && r->wanting);
		f.smt_rival = smt_rival(lab, t, r);
	}

	t->status = STATUS_NONE;
	t->verdict = -1;
	for (int what = 0; what < WHAT_COUNT; what++) {
		struct verdict_list *l = &t->verdicts[what];
		if (what == WHAT_AUTOGROUP && t->tid != w->pid) {
			*l = (struct verdict_list){0};
			continue;
		}
		f.process = &r->process[what];
		facts_thread(lab, g, w, t, (enum facts_what)what, &f);
		if (lab->phase == PHASE_RUNNING)
			verdict_judge(&f, l);
		else
			*l = (struct verdict_list){.status = f.base};
		if (l->count)
			add_entry(lab, g, t, &f, l);
		if (l->status > t->status) {
			t->status = l->status;
			t->verdict = l->found ? l->rules[0] : -1;
		}
	}
}

static void judge_worker(struct lab *lab, struct lab_group *g, struct lab_worker *w, struct round *r)
{
	facts_cgroup(lab, w, &r->group);
	for (int what = 0; what < WHAT_COUNT; what++)
		facts_process(lab, w, (enum facts_what)what, &r->process[what]);
	r->wanting = 0;
	for (size_t i = 0; i < w->nthreads; i++)
		r->wanting += r->member[i].wants_cpu;
	for (size_t i = 0; i < w->nthreads; i++) {
		if (w->life == LIFE_RUNNING)
			judge_thread(lab, g, w, &w->threads[i], r);
		r->member++;
	}
	lab->judged &= w->life != LIFE_RUNNING || w->around.valid;
}

/* The most severe first, victims before hogs. */
static int compare_entries(const void *a, const void *b)
{
	const struct snapshot_verdict *x = a, *y = b;

	if (x->status != y->status)
		return x->status > y->status ? -1 : 1;
	return x->group != y->group ? y->group - x->group : (int)x->rule - (int)y->rule;
}

static void judge_all(struct lab *lab)
{
	struct cpulist cpus[SNAPSHOT_GROUPS];
	size_t n;
	struct crowd_member *crowd = facts_crowd(lab, cpus, &n);
	struct round r = {.member = crowd};

	if (!crowd)
		return;
	facts_host(lab, &r.host);
	lab->sessions_alike = facts_sessions_alike(lab);
	lab->nverdicts = lab->verdicts_more = 0;
	find_busy(lab, &r.busy);
	facts_io_census(lab, &r.io);
	r.settled = crew_is_settled(lab);
	if (r.settled && !lab->was_settled) { /* what was ordered has only now come about */
		lab->touched_at = clock_now();
		sample_machine_restart(&lab->machine);
	}
	lab->was_settled = r.settled;
	measure_shares(lab);
	lab->judged = lab->phase == PHASE_RUNNING && r.settled;
	for (size_t i = 0; i < lab->ngroups; i++)
		for (unsigned s = 0; s < lab->groups[i].capacity; s++)
			judge_worker(lab, &lab->groups[i], &lab->groups[i].workers[s], &r);
	qsort(lab->verdicts, lab->nverdicts, sizeof(lab->verdicts[0]), compare_entries);
	free(crowd);
}

void judge_update(struct lab *lab, uint64_t now)
{
	uint64_t every = crew_count_threads(lab) > MANY ? EVERY_MANY : EVERY;

	if (!lab->judge_now && now - lab->judged_at < every)
		return;
	lab->judge_now = false;
	lab->judged_at = now;
	judge_all(lab);
}
