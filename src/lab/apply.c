/* Ask and read back: a priority goes to each thread concerned by itself, is read back from the kernel, and what was
 * wanted, what the call said and what is stored are kept apart. Nothing here believes a return value. */
#include "lab/state.h"
#include "base/clock.h"
#include "base/err.h"
#include "kernel/priority.h"

#include <errno.h>
#include <stdio.h>

#define RESCANS_MAX 5

/* What is stored now, for the property. */
static int stored_value(const struct lab_thread *t, enum knob k)
{
	const struct task_reading *r = &t->sample.last;

	return k == KNOB_IONICE ? r->ioprio : k == KNOB_POLICY ? r->stat.policy : r->stat.nice;
}

struct attempt *attempt_of(struct lab_thread *t, enum knob k)
{
	return k == KNOB_IONICE ? &t->ioprio : k == KNOB_POLICY ? &t->policy : &t->nice;
}

static const struct attempt *attempt_read(const struct lab_thread *t, enum knob k)
{
	return k == KNOB_IONICE ? &t->ioprio : k == KNOB_POLICY ? &t->policy : &t->nice;
}

/* What the group's knob asks of a thread; KNOB_UNASKED: nothing. A policy counts as asked once it is not what every task begins with. */
int knob_wanted(const struct lab_group *g, enum knob k)
{
	if (k == KNOB_POLICY)
		return g->knobs[k] == POLICY_CHOICE_OTHER ? (int)KNOB_UNASKED : knob_policy(g->knobs[k]);
	return (int)g->knobs[k];
}

static bool is_unasked(enum knob k, int wanted)
{
	return k != KNOB_NICE_VALUE && wanted == KNOB_UNASKED;
}

static struct observation observe(const struct lab_thread *t, enum knob k)
{
	const struct task_reading *r = &t->sample.last;
	const struct attempt *a = attempt_read(t, k);
	struct observation now = {.known = t->sample.valid, .actual = stored_value(t, k)};

	if (k == KNOB_IONICE) {
		now.known &= r->ioprio_error == 0;
		now.equal = ioprio_same(a->wanted, now.actual, r->stat.nice, r->stat.policy);
	} else
		now.equal = now.actual == a->wanted;
	return now;
}

enum status attempt_status(const struct lab_thread *t, enum knob k)
{
	struct observation now = observe(t, k);

	return status_judge(attempt_read(t, k), &now);
}

/* Reads the thread anew; false when it is gone or is another one by now. */
bool apply_read_same(struct lab *lab, pid_t pid, struct lab_thread *t)
{
	struct task_reading r;

	if (task_read(&lab->fs, pid, t->tid, &r) < 0 ||
	    (t->sample.valid && r.stat.start != t->sample.last.stat.start))
		return false;
	sample_task_update(&t->sample, &r);
	return true;
}

/* Takes over what is stored now as the outcome of the attempt. */
static void read_back(struct lab_thread *t, enum knob k)
{
	struct attempt *a = attempt_of(t, k);

	if (k == KNOB_IONICE && t->sample.last.ioprio_error)
		return;
	a->read = true;
	a->stored = stored_value(t, k);
	a->held = observe(t, k).equal;
}

static int send_value(pid_t tid, enum knob k, int wanted)
{
	if (k == KNOB_IONICE)
		return priority_set_ioprio(tid, wanted);
	return k == KNOB_POLICY ? priority_set_policy(tid, wanted, 0) : priority_set_nice(tid, wanted);
}

/* Notes what is wanted of a thread; where `send`, makes the call and reads back. */
static void ask_thread(struct lab *lab, pid_t pid, struct lab_thread *t, enum knob k, int wanted, bool send)
{
	struct attempt *a = attempt_of(t, k);

	*a = (struct attempt){0};
	if (!apply_read_same(lab, pid,
			     t)) /* gone; or, if it could not be read now, it is asked when it can */
		return;
	*a = (struct attempt){.asked = true, .sent = send, .wanted = wanted};
	if (send)
		a->error = -send_value(t->tid, k, wanted);
	if (k == KNOB_NICE_VALUE)
		t->policy_then = t->sample.last.stat.policy;
	if (!send || apply_read_same(lab, pid, t))
		read_back(t, k);
}

bool apply_is_too_early(const struct lab *lab, const struct lab_group *g, const struct lab_worker *w)
{
	return w->life == LIFE_RUNNING && !w->asked && disk_is_preparing(lab, g, w);
}

static bool is_sent_to(const struct lab *lab, const struct lab_worker *w, const struct lab_thread *t)
{
	return lab->knobs[KNOB_SCOPE] == SCOPE_THREADS || t->tid == w->pid;
}

/* Asks the group's value of every thread of one worker, and scans again until no new thread has turned up meanwhile. */
static void ask_worker(struct lab *lab, struct lab_group *g, struct lab_worker *w, enum knob k, int wanted)
{
	bool fresh = true;

	lab->rounds++;
	for (int i = 0; i < RESCANS_MAX && fresh; i++) {
		sweep_worker(lab, g, w);
		fresh = false;
		for (size_t t = 0; t < w->nthreads; t++) {
			struct lab_thread *th = &w->threads[t];
			if (th->round == lab->rounds)
				continue;
			th->round = lab->rounds;
			ask_thread(lab, w->pid, th, k, wanted, is_sent_to(lab, w, th));
			fresh = true;
		}
		/* A process of one thread has nobody who could make another meanwhile. */
		fresh = fresh &&
			(w->nthreads > 1 || (w->nthreads && w->threads[0].sample.last.stat.threads > 1));
	}
}

/* "nice 19: 2 of 2 threads", or what went wrong with how many of them. */
static void report_outcome(struct lab *lab, const struct lab_group *g, enum knob k)
{
	char value[24], words[64] = "";
	unsigned total = 0, good = 0, later = 0;
	int error = 0;

	for (unsigned s = 0; s < g->capacity; s++) {
		later += apply_is_too_early(lab, g, &g->workers[s]);
		for (size_t t = 0; g->workers[s].life == LIFE_RUNNING && t < g->workers[s].nthreads; t++) {
			const struct lab_thread *th = &g->workers[s].threads[t];
			const struct attempt *a = attempt_read(th, k);
			if (!a->asked)
				continue;
			total++;
			good += attempt_status(th, k) == STATUS_APPLIED;
			error = a->error ? a->error : error;
		}
	}
	knob_format(value, sizeof(value), k, g->knobs[k]);
	if (!total) {
		journal_add(lab, JOURNAL_INFO, g->index, "%s %s %s: asked of each as it starts",
			    group_name(g), knob_info(k)->name, value);
		return;
	}
	if (error)
		err_words(error, words, sizeof(words));
	journal_add(lab, good == total ? JOURNAL_INFO : JOURNAL_WARNING, g->index,
		    "%s %s %s: holds on %u of %u threads%s%s%s", group_name(g), knob_info(k)->name, value,
		    good, total, error ? ", " : "", words,
		    later ? ", the others are asked as they start" : "");
}

/* The person turned the knob: OTHER too is asked for then. */
void apply_group(struct lab *lab, struct lab_group *g, enum knob k)
{
	int wanted = k == KNOB_POLICY ? knob_policy(g->knobs[k]) : (int)g->knobs[k];

	for (unsigned s = 0; s < g->capacity; s++)
		if (g->workers[s].life == LIFE_RUNNING && !apply_is_too_early(lab, g, &g->workers[s]))
			ask_worker(lab, g, &g->workers[s], k, wanted);
	report_outcome(lab, g, k);
}

/* A fresh worker runs at the dashboard's own nice. What the group was asked is asked of it once all its threads are
 * there, so that "main only" means what it means for a running program. */
void apply_new_worker(struct lab *lab, struct lab_group *g, struct lab_worker *w)
{
	static const enum knob order[] = {KNOB_NICE_VALUE, KNOB_IONICE, KNOB_POLICY};

	w->asked = true;
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		int wanted = knob_wanted(g, order[i]);
		if (!is_unasked(order[i], wanted))
			ask_worker(lab, g, w, order[i], wanted);
	}
	session_new_worker(lab, g, w);
}

/* One property of a thread that was not asked of it yet: born later, it has what its creator had, and is sent the value
 * only where that is not what is wanted. An attempt whose read-back failed is completed. */
static void ask_late(struct lab *lab, struct lab_group *g, const struct lab_worker *w, struct lab_thread *t,
		     enum knob k)
{
	int wanted = knob_wanted(g, k);
	struct attempt *a = attempt_of(t, k);

	if (a->asked && !a->read && !a->error)
		read_back(t, k);
	if (a->asked || is_unasked(k, wanted))
		return;
	t->late = true;
	ask_thread(lab, w->pid, t, k, wanted, false);
	if (a->read && !a->held && is_sent_to(lab, w, t))
		ask_thread(lab, w->pid, t, k, wanted, true);
}

void apply_new_thread(struct lab *lab, struct lab_group *g, const struct lab_worker *w, struct lab_thread *t)
{
	ask_late(lab, g, w, t, KNOB_NICE_VALUE);
	ask_late(lab, g, w, t, KNOB_IONICE);
	ask_late(lab, g, w, t, KNOB_POLICY);
}

/* The thread of this number among the workers, and the worker it belongs to. */
static struct lab_thread *find_thread(struct lab *lab, pid_t tid, struct lab_worker **worker)
{
	for (size_t i = 0; i < lab->ngroups; i++)
		for (unsigned s = 0; s < lab->groups[i].capacity; s++) {
			struct lab_worker *w = &lab->groups[i].workers[s];
			for (size_t t = 0; w->life == LIFE_RUNNING && t < w->nthreads; t++)
				if (w->threads[t].tid == tid) {
					*worker = w;
					return &w->threads[t];
				}
		}
	return NULL;
}

/* What is asked of the thread now, as a value of the knob; false when there is no such thread. */
bool apply_thread_wanted(struct lab *lab, pid_t tid, enum knob k, long *wanted)
{
	struct lab_worker *w;
	struct lab_thread *t = find_thread(lab, tid, &w);

	if (!t)
		return false;
	*wanted = attempt_of(t, k)->asked ? attempt_of(t, k)->wanted
		  : k == KNOB_IONICE	  ? KNOB_UNASKED
					  : stored_value(t, k);
	return true;
}

bool apply_thread_is_too_early(struct lab *lab, pid_t tid)
{
	struct lab_worker *w;

	if (!find_thread(lab, tid, &w))
		return false;
	for (size_t i = 0; i < lab->ngroups; i++) {
		const struct lab_group *g = &lab->groups[i];
		if (w >= g->workers && w < g->workers + g->capacity)
			return apply_is_too_early(lab, g, w);
	}
	return false;
}

const char *apply_thread_name(struct lab *lab, pid_t tid, char name[APPLY_NAME])
{
	struct lab_worker *w;
	const struct lab_thread *t = find_thread(lab, tid, &w);

	snprintf(name, APPLY_NAME, "thread %d", (int)tid);
	for (size_t i = 0; t && i < lab->ngroups; i++) {
		const struct lab_group *g = &lab->groups[i];
		if (w < g->workers || w >= g->workers + g->capacity)
			continue;
		if (!g->is_victim)
			snprintf(name, APPLY_NAME, "hog-%u", (unsigned)(w - g->workers) + 1);
		else if (t->index > 1)
			snprintf(name, APPLY_NAME, "victim/%u", t->index);
		else
			snprintf(name, APPLY_NAME, "victim");
	}
	return name;
}

static void report_thread(struct lab *lab, const struct lab_thread *t, enum knob k)
{
	enum status st = attempt_status(t, k);
	const struct attempt *a = attempt_read(t, k);
	char value[24];

	knob_format(value, sizeof(value), k, a->wanted);
	journal_add(lab, st == STATUS_APPLIED ? JOURNAL_INFO : JOURNAL_WARNING, -1, "thread %d %s %s: %s",
		    (int)t->tid, knob_info(k)->name, value, st == STATUS_APPLIED ? "holds" : status_word(st));
}

int apply_thread(struct lab *lab, pid_t tid, enum knob k, int value)
{
	struct lab_worker *w;
	struct lab_thread *t = find_thread(lab, tid, &w);

	if (!t)
		return -ESRCH;
	ask_thread(lab, w->pid, t, k, value, true);
	report_thread(lab, t, k);
	return 0;
}
