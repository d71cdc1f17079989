/* The nice of autogroups: asked of a session through any process in it, read back, and tried again where the kernel is busy. */
#include "lab/state.h"
#include "base/clock.h"
#include "base/err.h"

#include <errno.h>

#define RETRY (120 * NS_PER_MS) /* one write in 100 ms over the whole system, without CAP_SYS_ADMIN */

/* Asks for one worker's session. */
static void ask_session(struct lab *lab, struct lab_worker *w, int wanted)
{
	struct attempt *a = &w->session;
	struct surround around;

	*a = (struct attempt){.asked = true, .sent = true, .wanted = wanted};
	a->error = -autogroup_write(&lab->fs, w->pid, wanted);
	w->session_retry = a->error == EAGAIN ? clock_now() + RETRY : 0;
	if (surround_read(&lab->fs, w->pid, &around) == 0 && around.has_autogroup == TRI_YES) {
		a->read = true;
		a->stored = around.autogroup_nice;
		a->held = a->stored == wanted;
		w->around.around = around;
	}
}

static void report(struct lab *lab, const struct lab_group *g)
{
	unsigned total = 0, good = 0;
	char words[64] = "";
	int error = 0;

	for (unsigned s = 0; s < g->capacity; s++) {
		const struct lab_worker *w = &g->workers[s];
		if (w->life != LIFE_RUNNING || !w->session.asked)
			continue;
		total++;
		good += w->session.held;
		error = w->session.error ? w->session.error : error;
	}
	if (error)
		err_words(error, words, sizeof(words));
	journal_add(lab, good == total ? JOURNAL_INFO : JOURNAL_WARNING, g->index,
		    "%s session nice %ld: holds for %u of %u workers%s%s", group_name(g),
		    g->knobs[KNOB_SESSION_NICE], good, total, error ? ", " : "", words);
}

/* With one session for all, one write is enough, and it is everybody's value. */
void session_apply(struct lab *lab, struct lab_group *g)
{
	bool shared = lab->knobs[KNOB_SESSIONS] == SESSIONS_SHARED;
	int wanted = (int)g->knobs[KNOB_SESSION_NICE];

	for (unsigned s = 0; s < g->capacity; s++)
		if (g->workers[s].life == LIFE_RUNNING) {
			ask_session(lab, &g->workers[s], wanted);
			if (shared)
				break;
		}
	for (size_t i = 0; shared && i < lab->ngroups; i++)
		lab->groups[i].knobs[KNOB_SESSION_NICE] = wanted;
	around_forget(lab);
	report(lab, g);
}

/* A session of its own begins at nice 0. */
void session_new_worker(struct lab *lab, struct lab_group *g, struct lab_worker *w)
{
	if (g->knobs[KNOB_SESSION_NICE] != 0)
		ask_session(lab, w, (int)g->knobs[KNOB_SESSION_NICE]);
}

void session_tick(struct lab *lab)
{
	for (size_t i = 0; i < lab->ngroups; i++)
		for (unsigned s = 0; s < lab->groups[i].capacity; s++) {
			struct lab_worker *w = &lab->groups[i].workers[s];
			if (w->life != LIFE_RUNNING || !w->session_retry || clock_now() < w->session_retry)
				continue;
			ask_session(lab, w, w->session.wanted);
			judge_soon(lab);
			return; /* the next in the next tick */
		}
}
