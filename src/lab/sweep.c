/* Reading every thread, again and again: a sweep over all workers takes at most half a second, in parts, so that a change
 * from outside shows within a second and no single tick has to read a thousand threads. */
#include "lab/state.h"
#include "base/clock.h"
#include "base/err.h"

#include <stdlib.h>
#include <string.h>

#define SWEEP_PERIOD (400 * NS_PER_MS)
#define TIDS_MAX 512
#define SETTLE_MAX (500 * NS_PER_MS) /* a new victim's threads are waited for so long */
#define PREPARES_LONG \
	NS_PER_SEC /* a hog that takes longer begins its load visibly later than it was asked for */
#define SETTLE_DISK (5 * NS_PER_SEC) /* where the first must have read a block before the others come */

static struct lab_thread *find_thread(struct lab_worker *w, pid_t tid)
{
	for (size_t i = 0; i < w->nthreads; i++)
		if (w->threads[i].tid == tid)
			return &w->threads[i];
	return NULL;
}

static struct lab_thread *add_thread(struct lab_worker *w, pid_t tid)
{
	if (w->nthreads == w->room) {
		size_t room = w->room ? w->room * 2 : 1;
		struct lab_thread *bigger = realloc(w->threads, room * sizeof(*bigger));
		if (!bigger)
			return NULL;
		w->threads = bigger;
		w->room = room;
	}
	memset(&w->threads[w->nthreads], 0, sizeof(*w->threads));
	w->threads[w->nthreads].tid = tid;
	return &w->threads[w->nthreads++];
}

static void remove_thread(struct lab_worker *w, struct lab_thread *t)
{
	size_t i = (size_t)(t - w->threads);

	memmove(t, t + 1, (w->nthreads - i - 1) * sizeof(*t));
	w->nthreads--;
}

/* Which of the victim's threads this is, as the worker itself says. */
static unsigned thread_index(const struct lab *lab, const struct lab_group *g, const struct lab_worker *w,
			     pid_t tid)
{
	if (tid == w->pid)
		return 1;
	for (unsigned i = 0; i < ARENA_THREADS; i++)
		if (atomic_load_explicit(&lab->arena->victim[g->victim].thread[i].tid,
					 memory_order_relaxed) == tid)
			return i + 1;
	return 0;
}

/* Reads one thread into its sample; false when it is gone. A thread of the same number but another start time is a new
 * one: what was asked of the old one does not count for it. */
static bool read_thread(struct lab *lab, const struct lab_worker *w, struct lab_thread *t)
{
	struct task_reading r;

	if (task_read(&lab->fs, w->pid, t->tid, &r) < 0)
		return false;
	if (t->sample.valid && t->sample.last.stat.start != r.stat.start) {
		pid_t tid = t->tid;
		memset(t, 0, sizeof(*t));
		t->tid = tid;
	}
	sample_task_update(&t->sample, &r);
	return true;
}

static bool is_listed(pid_t tid, const pid_t *tids, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (tids[i] == tid)
			return true;
	return false;
}

/* Brings the worker's list together with the kernel's: threads that are gone leave, new ones join. */
static void list_threads(struct lab *lab, struct lab_group *g, struct lab_worker *w)
{
	pid_t tids[TIDS_MAX];
	ssize_t n = procfs_threads(&lab->fs, w->pid, tids, TIDS_MAX);

	if (n <= 0)
		return;
	if (n > TIDS_MAX)
		n = TIDS_MAX;
	for (size_t i = w->nthreads; i-- > 0;)
		if (!is_listed(w->threads[i].tid, tids, (size_t)n))
			remove_thread(w, &w->threads[i]);
	for (ssize_t i = 0; i < n; i++)
		if (!find_thread(w, tids[i]))
			add_thread(w, tids[i]);
	for (size_t i = 0; i < w->nthreads; i++) {
		unsigned index = g->is_victim ? thread_index(lab, g, w, w->threads[i].tid) : (unsigned)i + 1;
		if (index && index != w->threads[i].index)
			measure_forget_thread(g, index);
		w->threads[i].index = index;
	}
}

void sweep_worker(struct lab *lab, struct lab_group *g, struct lab_worker *w)
{
	struct lab_thread *first;

	if (w->nthreads == 0 && !add_thread(w, w->pid))
		return;
	first = find_thread(w, w->pid);
	if (first && !read_thread(lab, w, first))
		return; /* gone: the stage will tell */
	if (!first || first->sample.last.stat.threads > 1 || w->nthreads > 1)
		list_threads(lab, g, w);
	else
		first->index = 1;
	for (size_t i = w->nthreads; i-- > 0;)
		if (w->threads[i].tid != w->pid && !read_thread(lab, w, &w->threads[i]))
			remove_thread(w, &w->threads[i]);
}

bool group_is_starting(const struct lab *lab, const struct lab_group *g)
{
	const struct arena_victim *v = g->is_victim ? &lab->arena->victim[g->victim] : NULL;

	return v && atomic_load_explicit(&v->alive, memory_order_relaxed) +
				    atomic_load_explicit(&v->refused, memory_order_relaxed) <
			    atomic_load_explicit(&v->threads, memory_order_relaxed);
}

/* A change from outside is news once: in words, and as a mark on the time line. */
static void tell_reverted(struct lab *lab, const struct lab_group *g, struct lab_thread *t)
{
	enum status st = status_worse(attempt_status(t, KNOB_NICE_VALUE), attempt_status(t, KNOB_IONICE));

	char policy[16];

	st = status_worse(st, attempt_status(t, KNOB_POLICY));

	if (t->nice.asked && !t->policy.asked && t->sample.last.stat.policy != t->policy_then &&
	    t->sample.last.stat.policy != t->told_policy) {
		journal_mark(lab, g->index, KNOB_TOTAL, "%s policy", g->is_victim ? "victim" : "hog");
		journal_add(lab, JOURNAL_WARNING, g->index,
			    "thread %d of the %s was given policy %s from outside", (int)t->tid,
			    group_name(g), policy_format(policy, sizeof(policy), t->sample.last.stat.policy));
		measure_changed(lab);
	}
	t->told_policy = t->sample.last.stat.policy;
	if (st == STATUS_REVERTED && t->told != STATUS_REVERTED) {
		journal_mark(lab, g->index, KNOB_TOTAL, "%s reverted", g->is_victim ? "victim" : "hog");
		journal_add(lab, JOURNAL_WARNING, g->index, "thread %d of the %s was changed from outside",
			    (int)t->tid, group_name(g));
		measure_changed(lab);
		sample_machine_find_renicer(&lab->machine, &lab->fs);
	}
	if (st != t->told)
		judge_soon(lab);
	t->told = st;
}

static void tell_refused_threads(struct lab *lab, struct lab_group *g)
{
	struct arena_victim *v = g->is_victim ? &lab->arena->victim[g->victim] : NULL;
	unsigned refused = v ? atomic_load_explicit(&v->refused, memory_order_relaxed) : 0;
	char words[64];

	if (refused && refused != g->threads_refused)
		journal_add(lab, JOURNAL_WARNING, g->index,
			    "%u threads of the victim could not be started (%s). Fewer threads", refused,
			    err_words(atomic_load_explicit(&v->refused_error, memory_order_relaxed), words,
				      sizeof(words)));
	g->threads_refused = refused;
}

/* Whether the threads of a new victim may still come. */
static bool is_patient(const struct lab_group *g, const struct lab_worker *w)
{
	return clock_now() - w->settling_from < (load_kind(g->kind)->io ? SETTLE_DISK : SETTLE_MAX);
}

static void visit(struct lab *lab, struct lab_group *g, struct lab_worker *w)
{
	sweep_worker(lab, g, w);
	if (apply_is_too_early(lab, g, w)) {
		w->settling_from = clock_now();
		return;
	}
	if (!w->asked) {
		if (is_patient(g, w) && group_is_starting(lab, g))
			return;
		apply_new_worker(lab, g, w);
		if (!g->is_victim && clock_now() - w->spawned_at > PREPARES_LONG)
			measure_changed(lab);
		return;
	}
	for (size_t i = 0; i < w->nthreads; i++) {
		apply_new_thread(lab, g, w, &w->threads[i]);
		tell_reverted(lab, g, &w->threads[i]);
	}
	tell_refused_threads(lab, g);
}

static size_t count_workers(const struct lab *lab)
{
	size_t n = 0;

	for (size_t i = 0; i < lab->ngroups; i++)
		n += lab->groups[i].capacity;
	return n;
}

/* Moves the cursor one slot on; true when it has come round. */
static bool cursor_next(struct lab *lab)
{
	if (++lab->sweep_slot < lab->groups[lab->sweep_group].capacity)
		return false;
	lab->sweep_slot = 0;
	if (++lab->sweep_group < lab->ngroups)
		return false;
	lab->sweep_group = 0;
	return true;
}

/* These are read in every tick: new workers, since until they are asked they run at the wrong priority, and victims, since
 * their time is what is being shown. */
static void visit_urgent(struct lab *lab)
{
	for (size_t i = 0; i < lab->ngroups; i++)
		for (unsigned s = 0; s < lab->groups[i].capacity; s++) {
			struct lab_worker *w = &lab->groups[i].workers[s];
			if (w->life == LIFE_RUNNING && (lab->groups[i].is_victim || !w->asked))
				visit(lab, &lab->groups[i], w);
		}
}

void sweep_tick(struct lab *lab, uint64_t tick_ns)
{
	size_t slots = count_workers(lab), quota;
	uint64_t from = clock_now();

	visit_urgent(lab);
	quota = tick_ns >= SWEEP_PERIOD ? slots : (size_t)(slots * tick_ns / SWEEP_PERIOD) + 1;
	for (size_t i = 0; i < quota && i < slots; i++) {
		struct lab_group *g = &lab->groups[lab->sweep_group];
		struct lab_worker *w = &g->workers[lab->sweep_slot];

		if (w->life == LIFE_RUNNING && !g->is_victim)
			visit(lab, g, w);
		if (cursor_next(lab)) {
			lab->sweep_last_cost = lab->sweep_cost + (clock_now() - from);
			lab->sweep_cost = 0;
			from = clock_now();
		}
	}
	lab->sweep_cost += clock_now() - from;
}
