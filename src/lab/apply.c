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
	return k == KNOB_IONICE ? t->sample.last.ioprio : t->sample.last.stat.nice;
}

static struct attempt *attempt_of(struct lab_thread *t, enum knob k)
{
	return k == KNOB_IONICE ? &t->ioprio : &t->nice;
}

static struct observation observe(const struct lab_thread *t, enum knob k)
{
	const struct task_reading *r = &t->sample.last;
	const struct attempt *a = k == KNOB_IONICE ? &t->ioprio : &t->nice;
	struct observation now = {.known = t->sample.valid, .actual = stored_value(t, k)};

	if (k == KNOB_IONICE) {
		now.known &= r->ioprio_error == 0;
		now.equal = ioprio_same(a->wanted, now.actual, r->stat.nice, r->stat.policy);
	} else
		now.equal = now.actual == a->wanted;
	return now;
}

enum status thread_status_nice(const struct lab_thread *t)
{
	struct observation now = observe(t, KNOB_NICE_VALUE);

	return status_judge(&t->nice, &now);
}

enum status thread_status_ioprio(const struct lab_thread *t)
{
	struct observation now = observe(t, KNOB_IONICE);

	return status_judge(&t->ioprio, &now);
}

/* Reads the thread anew; false when it is gone or is another one by now. */
static bool read_same(struct lab *lab, pid_t pid, struct lab_thread *t)
{
	struct task_reading r;

	if (task_read(&lab->fs, pid, t->tid, &r) < 0 ||
	    (t->sample.valid && r.stat.start != t->sample.last.stat.start))
		return false;
	sample_task_update(&t->sample, &r);
	return true;
}

/* Notes what is wanted of a thread; where `send`, makes the call and reads back. */
static void ask_thread(struct lab *lab, pid_t pid, struct lab_thread *t, enum knob k, int wanted, bool send)
{
	struct attempt *a = attempt_of(t, k);
	int rc = 0;

	*a = (struct attempt){.asked = true, .sent = send, .wanted = wanted};
	if (!read_same(lab, pid, t))
		return;
	if (send) {
		rc = k == KNOB_IONICE ? priority_set_ioprio(t->tid, wanted)
				      : priority_set_nice(t->tid, wanted);
		if (!read_same(lab, pid, t))
			return;
	}
	a->error = -rc;
	a->read = k != KNOB_IONICE || t->sample.last.ioprio_error == 0;
	a->stored = stored_value(t, k);
}

static bool is_sent_to(const struct lab *lab, const struct lab_worker *w, const struct lab_thread *t)
{
	return lab->knobs[KNOB_SCOPE] == SCOPE_THREADS || t->tid == w->pid;
}

/* Asks the group's value of every thread of one worker, and scans again until no new thread has turned up meanwhile. */
static void ask_worker(struct lab *lab, struct lab_group *g, struct lab_worker *w, enum knob k)
{
	size_t known = 0;

	for (int i = 0; i < RESCANS_MAX; i++) {
		sweep_worker(lab, g, w);
		if (i > 0 && w->nthreads <= known)
			break;
		for (size_t t = known; t < w->nthreads; t++) {
			struct lab_thread *th = &w->threads[t];
			ask_thread(lab, w->pid, th, k, (int)g->knobs[k], is_sent_to(lab, w, th));
		}
		known = w->nthreads;
		if (w->nthreads == 1 && w->threads[0].sample.last.stat.threads == 1)
			break;
	}
}

/* "nice 19: 2 of 2 threads", or what went wrong with how many of them. */
static void report_outcome(struct lab *lab, const struct lab_group *g, enum knob k)
{
	char value[24], words[64] = "";
	unsigned total = 0, good = 0;
	int error = 0;

	for (unsigned s = 0; s < g->capacity; s++)
		for (size_t t = 0; t < g->workers[s].nthreads; t++) {
			const struct lab_thread *th = &g->workers[s].threads[t];
			enum status st = k == KNOB_IONICE ? thread_status_ioprio(th) : thread_status_nice(th);
			const struct attempt *a = k == KNOB_IONICE ? &th->ioprio : &th->nice;
			total++;
			good += st == STATUS_APPLIED;
			error = a->error ? a->error : error;
		}
	knob_format(value, sizeof(value), k, g->knobs[k]);
	if (error)
		snprintf(words, sizeof(words), ": ");
	if (total)
		journal_add(lab, good == total ? JOURNAL_INFO : JOURNAL_WARNING, g->index,
			    "%s %s %s: holds on %u of %u threads%s%s", group_name(g), knob_info(k)->name,
			    value, good, total, error ? ", " : "",
			    error ? err_words(error, words, sizeof(words)) : "");
}

void apply_group(struct lab *lab, struct lab_group *g, enum knob k)
{
	for (unsigned s = 0; s < g->capacity; s++)
		if (g->workers[s].life == LIFE_RUNNING)
			ask_worker(lab, g, &g->workers[s], k);
	report_outcome(lab, g, k);
}

/* A fresh worker runs at the dashboard's own nice. What the group was asked is asked of it once all its threads are
 * there, so that "main only" means what it means for a running program. */
void apply_new_worker(struct lab *lab, struct lab_group *g, struct lab_worker *w)
{
	w->asked = true;
	ask_worker(lab, g, w, KNOB_NICE_VALUE);
	if (g->knobs[KNOB_IONICE] != KNOB_UNASKED)
		ask_worker(lab, g, w, KNOB_IONICE);
}

/* A thread born later has what its creator had; it is asked only where that is not what is wanted. */
void apply_new_thread(struct lab *lab, struct lab_group *g, const struct lab_worker *w, struct lab_thread *t)
{
	static const enum knob properties[] = {KNOB_NICE_VALUE, KNOB_IONICE};

	for (size_t i = 0; i < 2; i++) {
		enum knob k = properties[i];
		int wanted = (int)g->knobs[k];

		if (g->knobs[k] == KNOB_UNASKED && k == KNOB_IONICE)
			continue;
		ask_thread(lab, w->pid, t, k, wanted, false);
		if (!observe(t, k).equal && is_sent_to(lab, w, t))
			ask_thread(lab, w->pid, t, k, wanted, true);
	}
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

int apply_thread(struct lab *lab, pid_t tid, enum knob k, int value)
{
	struct lab_worker *w;
	struct lab_thread *t = find_thread(lab, tid, &w);

	if (!t)
		return -ESRCH;
	ask_thread(lab, w->pid, t, k, value, true);
	return 0;
}
