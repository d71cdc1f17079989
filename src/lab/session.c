/* The nice of autogroups: asked of a session through any process in it, read back, and tried again where the kernel is busy. */
#include "lab/state.h"
#include "base/clock.h"
#include "base/err.h"

#include <errno.h>

#define RETRY (120 * NS_PER_MS) /* one write in 100 ms over the whole system, without CAP_SYS_ADMIN */

/* Reads the worker's session; false: it has no autogroup, or is gone. */
static bool read_session(const struct lab *lab, struct lab_worker *w)
{
	struct surround around;

	if (surround_read(&lab->fs, w->pid, &around) < 0 || around.has_autogroup != TRI_YES)
		return false;
	w->around.around = around;
	return true;
}

static void read_back(const struct lab *lab, struct lab_worker *w)
{
	struct attempt *a = &w->session;

	if (!read_session(lab, w))
		return;
	a->read = true;
	a->stored = w->around.around.autogroup_nice;
	a->held = a->stored == a->wanted;
}

/* Asks for one worker's session. Where the kernel is busy the attempt stays open, and is made again. */
static void ask_session(struct lab *lab, struct lab_worker *w, int wanted)
{
	struct attempt *a = &w->session;

	w->session_retry = 0;
	if (!w->nthreads || !apply_read_same(lab, w->pid, &w->threads[0]))
		return; /* gone, or another process by now */
	*a = (struct attempt){.asked = true, .sent = true, .wanted = wanted};
	a->error = -autogroup_write(&lab->fs, w->pid, wanted);
	read_back(lab, w);
	if (a->error == EAGAIN && !a->held) {
		a->error = 0;
		a->read = false;
		w->session_retry = clock_now() + RETRY;
	}
}

static void report(struct lab *lab, const struct lab_group *g)
{
	unsigned total = 0, good = 0, waiting = 0;
	char words[64] = "";
	int error = 0;

	for (unsigned s = 0; s < g->capacity; s++) {
		const struct lab_worker *w = &g->workers[s];
		if (w->life != LIFE_RUNNING || !w->session.asked)
			continue;
		if (w->session_retry) {
			waiting++;
			continue;
		}
		total++;
		good += w->session.held;
		error = w->session.error ? w->session.error : error;
	}
	if (error)
		err_words(error, words, sizeof(words));
	if (!total && !waiting) {
		journal_add(lab, JOURNAL_INFO, g->index, "%s session nice %ld: asked of each as it starts",
			    group_name(g), g->knobs[KNOB_SESSION_NICE]);
		return;
	}
	if (waiting) {
		journal_add(lab, JOURNAL_INFO, g->index,
			    "%s session nice %ld: the kernel takes one in 100 ms, %u to go", group_name(g),
			    g->knobs[KNOB_SESSION_NICE], waiting);
		return;
	}
	journal_add(lab, good == total ? JOURNAL_INFO : JOURNAL_WARNING, g->index,
		    "%s session nice %ld: holds for %u of %u workers%s%s", group_name(g),
		    g->knobs[KNOB_SESSION_NICE], good, total, error ? ", " : "", words);
}

/* With one session for all, one write is enough, and what came of it is everybody's. */
static void share_outcome(struct lab *lab, const struct lab_worker *from)
{
	for (size_t i = 0; i < lab->ngroups; i++) {
		struct lab_group *g = &lab->groups[i];
		g->knobs[KNOB_SESSION_NICE] = from->session.wanted;
		for (unsigned s = 0; s < g->capacity; s++)
			if (g->workers[s].life == LIFE_RUNNING && &g->workers[s] != from) {
				g->workers[s].session = from->session;
				g->workers[s].session_retry = 0;
				g->workers[s].around.around.autogroup_nice =
					from->around.around.autogroup_nice;
			}
	}
}

static bool is_shared(const struct lab *lab)
{
	return lab->knobs[KNOB_SESSIONS] == SESSIONS_SHARED;
}

void session_apply(struct lab *lab, struct lab_group *g)
{
	int wanted = (int)g->knobs[KNOB_SESSION_NICE];

	for (unsigned s = 0; s < g->capacity; s++)
		if (g->workers[s].life == LIFE_RUNNING &&
		    (is_shared(lab) || !apply_is_too_early(lab, g, &g->workers[s]))) {
			ask_session(lab, &g->workers[s], wanted);
			if (is_shared(lab)) {
				share_outcome(lab, &g->workers[s]);
				break;
			}
		}
	around_forget(lab);
	report(lab, g);
}

/* A session of its own begins at nice 0; the shared one has what it has, and is not written to again. */
void session_new_worker(struct lab *lab, struct lab_group *g, struct lab_worker *w)
{
	int wanted = (int)g->knobs[KNOB_SESSION_NICE];

	if (wanted == 0)
		return;
	if (is_shared(lab) && read_session(lab, w) && w->around.around.autogroup_nice == wanted) {
		w->session = (struct attempt){.asked = true, .sent = true, .wanted = wanted};
		read_back(lab, w);
	} else
		ask_session(lab, w, wanted);
}

int session_nice_now(const struct lab *lab)
{
	struct surround around;

	return surround_read(&lab->fs, stage_pid(lab->stage), &around) == 0 && around.has_autogroup == TRI_YES
		       ? around.autogroup_nice
		       : 0;
}

void session_tick(struct lab *lab)
{
	for (size_t i = 0; i < lab->ngroups; i++)
		for (unsigned s = 0; s < lab->groups[i].capacity; s++) {
			struct lab_worker *w = &lab->groups[i].workers[s];
			if (w->life != LIFE_RUNNING || !w->session_retry || clock_now() < w->session_retry)
				continue;
			ask_session(lab, w, w->session.wanted);
			if (!w->session_retry) {
				if (is_shared(lab))
					share_outcome(lab, w);
				judge_soon(lab);
			}
			return; /* the next in the next tick: the kernel takes one in 100 ms */
		}
}
