/* From the engine's state to the plain facts that the rules want. Nothing is judged here, and what was not read stays unknown. */
#include "lab/state.h"
#include "base/clock.h"
#include "base/text.h"
#include "verdict/crowd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PF_KTHREAD 0x00200000UL
#define SETTLED \
	(SAMPLE_WINDOW + 500 * NS_PER_MS) /* then the sampled shares hold nothing from before the change */

static enum knob knob_of(enum facts_what what)
{
	return what == WHAT_IOPRIO ? KNOB_IONICE : what == WHAT_POLICY ? KNOB_POLICY : KNOB_NICE_VALUE;
}

/* Workers keep to what the switch was when they were started, whatever it is now. */
static enum tri acts_on_workers(const struct lab *lab)
{
	for (size_t i = 0; i < lab->ngroups; i++)
		for (unsigned s = 0; s < lab->groups[i].capacity; s++)
			if (lab->groups[i].workers[s].life == LIFE_RUNNING)
				return tri_of(lab->groups[i].workers[s].autogrouped);
	return lab->machine.system.autogroup;
}

void facts_host(const struct lab *lab, struct facts_host *out)
{
	const struct system_reading *s = &lab->machine.system;
	const struct system_rights *r = &lab->machine.rights;

	*out = (struct facts_host){
		.autogroup = acts_on_workers(lab),
		.sched_ext = s->sched_ext,
		.root = tri_of(r->euid == 0),
		.sys_nice = r->sys_nice,
		.sys_admin = r->sys_admin,
		.init_userns = r->init_userns,
		.seccomp = r->seccomp,
		.hidepid = s->hidepid < 0 ? 0 : s->hidepid,
		.foreign_pidns = s->foreign_pidns,
		.delayacct = TRI_UNKNOWN, /* latencies are measured here: nobody misses it */
		.psi = s->psi,
		.debugfs = s->debugfs,
		.schedstat = lab->machine.schedstat,
		.sched_file = lab->machine.sched_file,
		.steal = sample_machine_steal(&lab->machine),
	};
	snprintf(out->sched_ext_name, sizeof(out->sched_ext_name), "%s", s->sched_ext_name);
	snprintf(out->renicer, sizeof(out->renicer), "%s", lab->machine.renicer);
}

static void copy_path(char *dst, size_t size, const char *path)
{
	text_clean(dst, size, path, strlen(path));
}

void facts_cgroup(struct lab *lab, const struct lab_worker *w, struct facts_group *out)
{
	const struct sample_around *a = around_of(lab, w);
	const struct sample_group *g;

	memset(out, 0, sizeof(*out));
	if (!a->valid || !a->placed)
		return;
	out->below_root = tri_of(a->place.below_root);
	out->version = a->place.version;
	copy_path(out->path, sizeof(out->path), a->place.path);
	g = sample_groups_get(&lab->cgroups, &lab->fs, &a->place);
	if (!g)
		return;
	out->weight = g->last.weight;
	out->raw_weight = g->last.raw_weight;
	out->quota = g->last.quota;
	out->throttled = g->throttled;
	out->idle = g->last.idle;
	out->mixed = g->last.mixed;
	out->rt_refused = g->last.rt_refused;
	copy_path(out->quota_path, sizeof(out->quota_path), g->last.quota_path);
}

/* setpriority(2): the caller's effective uid is the real or the effective one of the process. */
static enum tri same_owner(const struct lab *lab, const struct surround *a)
{
	uid_t me = lab->machine.rights.euid;

	return a->owner_known ? tri_of(me == a->ruid || me == a->euid) : TRI_UNKNOWN;
}

/* The part of the process's CPU time that the threads use which have what was asked. */
static struct known_number reached_cpu(const struct lab_worker *w, enum facts_what what)
{
	double all = 0, reached = 0;

	for (size_t i = 0; i < w->nthreads; i++) {
		struct sample_shares s = sample_task_shares(&w->threads[i].sample);
		if (!s.known || what == WHAT_AUTOGROUP)
			return (struct known_number){0};
		all += s.run;
		reached += attempt_status(&w->threads[i], knob_of(what)) == STATUS_APPLIED ? s.run : 0;
	}
	return all > 0 ? known(reached / all) : (struct known_number){0};
}

/* Whether all sessions have the same nice of their own. Those not read yet say nothing. */
enum tri facts_sessions_alike(const struct lab *lab)
{
	const struct surround *first = NULL;

	for (size_t i = 0; i < lab->ngroups; i++)
		for (unsigned s = 0; s < lab->groups[i].capacity; s++) {
			const struct lab_worker *w = &lab->groups[i].workers[s];
			if (w->life != LIFE_RUNNING || !w->around.valid ||
			    w->around.around.has_autogroup != TRI_YES)
				continue;
			if (first && first->autogroup_nice != w->around.around.autogroup_nice)
				return TRI_NO;
			first = &w->around.around;
		}
	return first ? TRI_YES : TRI_UNKNOWN;
}

void facts_process(const struct lab *lab, const struct lab_worker *w, enum facts_what what,
		   struct facts_process *out)
{
	const struct surround *a = &w->around.around;

	memset(out, 0, sizeof(*out));
	out->threads = (unsigned)w->nthreads;
	out->reached_cpu = reached_cpu(w, what);
	for (size_t i = 0; i < w->nthreads; i++)
		out->reached += what == WHAT_AUTOGROUP ||
				attempt_status(&w->threads[i], knob_of(what)) == STATUS_APPLIED;
	if (w->nthreads) {
		memcpy(out->comm, w->threads[0].sample.last.stat.comm, COMM_SIZE);
		out->kthread = tri_of(w->threads[0].sample.last.stat.flags & PF_KTHREAD);
	}
	out->in_autogroup = w->in_autogroup;
	out->sessions_alike = lab->sessions_alike;
	out->moved = w->cpus_known ? tri_of(w->moved) : TRI_UNKNOWN;
	if (w->moved)
		cpulist_format(out->cpus, sizeof(out->cpus), &w->cpus);
	if (!w->around.valid)
		return;
	out->same_owner = same_owner(lab, a);
	out->rlimit_nice = a->rlimit_nice;
	out->has_autogroup = a->has_autogroup;
	out->autogroup = a->autogroup;
	out->autogroup_nice = a->autogroup_nice;
}

static void fill_attempt(const struct lab *lab, const struct lab_worker *w, const struct lab_thread *t,
			 struct facts *f)
{
	const struct task_reading *r = &t->sample.last;
	const struct attempt *a = f->what == WHAT_AUTOGROUP ? &w->session
				  : f->what == WHAT_IOPRIO  ? &t->ioprio
				  : f->what == WHAT_POLICY  ? &t->policy
							    : &t->nice;
	const struct surround *around = &w->around.around;
	struct observation now = {.known = w->around.valid && around->has_autogroup == TRI_YES,
				  .actual = around->autogroup_nice,
				  .equal = around->autogroup_nice == a->wanted};

	f->base = f->what == WHAT_AUTOGROUP ? status_judge(a, &now) : attempt_status(t, knob_of(f->what));
	f->wanted = a->wanted;
	f->error = a->error;
	f->actual = f->what == WHAT_AUTOGROUP ? around->autogroup_nice
		    : f->what == WHAT_IOPRIO  ? r->ioprio
		    : f->what == WHAT_POLICY  ? r->stat.policy
					      : r->stat.nice;
	f->deliberate = a->asked && (f->what != WHAT_NICE || a->wanted != lab->host.own_nice);
}

static void fill_measured(const struct lab *lab, const struct lab_group *g, const struct lab_thread *t,
			  struct facts *f)
{
	struct sample_shares shares = sample_task_shares(&t->sample);

	f->settled = clock_now() - lab->touched_at >= SETTLED;
	f->run = shares.known ? known(shares.run) : (struct known_number){0};
	f->wait = shares.known ? known(shares.wait) : (struct known_number){0};
	f->share.low = g->share_low;
	f->share.high = g->share_high;
	f->share.other_low = g->other_low;
	f->share.other_high = g->other_high;
	f->share.measured = g->measured;
	f->share.seconds = g->measured_seconds;
	f->share.outside = lab->outside;
}

void facts_thread(const struct lab *lab, const struct lab_group *g, const struct lab_worker *w,
		  const struct lab_thread *t, enum facts_what what, struct facts *f)
{
	const struct stat_line *st = &t->sample.last.stat;
	struct cpulist cpus = w->cpus_known ? w->cpus : pin_cpus(lab, g);
	bool policy_changed = t->policy_then != st->policy && !t->policy.asked;

	f->what = what;
	fill_attempt(lab, w, t, f);
	fill_measured(lab, g, t, f);
	f->state = st->state;
	f->policy_known = t->sample.valid;
	f->policy = st->policy;
	f->nice = st->nice;
	f->born_after = tri_of(t->late);
	f->reset_on_fork = t->late ? w->reset_on_fork : TRI_UNKNOWN;
	f->policy_changed = t->nice.asked ? tri_of(policy_changed) : TRI_UNKNOWN;
	f->uclamp = w->around.valid ? w->uclamp : TRI_UNKNOWN;
	f->slice_ns = t->used.slice_ns;
	f->base_slice_ns = lab->machine.base_slice_ns;
	if (t->used_nice == st->nice && t->used_policy == st->policy)
		f->weight = t->used.weight;
	f->cpus = cpulist_count(&cpus);
}

/* A thread that is stopped wants no CPU; one that sleeps nearly always does not either. */
static bool wants_cpu(const struct lab_thread *t)
{
	struct sample_shares s = sample_task_shares(&t->sample);
	char state = t->sample.last.stat.state;

	if (state == 'T' || state == 't' || state == 'Z' || state == 'X')
		return false;
	return state == 'R' || !s.known || s.run + s.wait >= 0.02;
}

/* Numbers that tell groups apart: the cgroup's path is told by its place among those that are kept. */
static void set_group(struct lab *lab, const struct lab_worker *w, const struct lab_thread *t,
		      struct crowd_member *m)
{
	const struct sample_around *a = around_of(lab, w);
	const struct sample_group *g = NULL;

	if (a->valid && a->placed && a->place.below_root)
		g = sample_groups_get(&lab->cgroups, &lab->fs, &a->place);
	m->cgroup = g ? (unsigned long)(g - lab->cgroups.groups) + 1 : 0;
	m->session = !g && lab->machine.system.autogroup == TRI_YES
			     ? (unsigned long)t->sample.last.stat.session
			     : 0;
}

struct crowd_member *facts_crowd(struct lab *lab, struct cpulist *cpus, size_t *n)
{
	struct crowd_member *m;

	*n = 0;
	m = calloc(crew_count_threads(lab) + 1, sizeof(*m));
	for (size_t i = 0; m && i < lab->ngroups; i++) {
		struct lab_group *g = &lab->groups[i];
		cpus[i] = pin_cpus(lab, g);
		for (unsigned s = 0; s < g->capacity; s++)
			for (size_t k = 0; k < g->workers[s].nthreads; k++) {
				const struct lab_thread *t = &g->workers[s].threads[k];
				struct sample_shares shares = sample_task_shares(&t->sample);
				m[*n] = (struct crowd_member){
					.nice = t->sample.last.stat.nice,
					.policy = t->sample.last.stat.policy,
					.wants_cpu = g->workers[s].life == LIFE_RUNNING && wants_cpu(t),
					.cpus = g->workers[s].cpus_known ? &g->workers[s].cpus : &cpus[i],
					.wait = shares.known ? known(shares.wait) : (struct known_number){0},
				};
				set_group(lab, &g->workers[s], t, &m[(*n)++]);
			}
	}
	if (m && crowd_count(m, *n) < 0) {
		free(m);
		return NULL;
	}
	return m;
}
