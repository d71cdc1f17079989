/* What a knob that was turned does: to workers, to what they follow, and to what was measured. */
#include "lab/state.h"
#include "base/clock.h"
#include "kernel/priority.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void set_threads(const struct lab *lab, const struct lab_group *g)
{
	atomic_store_explicit(&lab->arena->victim[g->victim].threads, (unsigned)g->knobs[KNOB_THREADS],
			      memory_order_relaxed);
}

static void set_work(const struct lab *lab, const struct lab_group *g)
{
	atomic_store_explicit(&lab->arena->victim[g->victim].work_ns,
			      (uint64_t)g->knobs[KNOB_WORK] * NS_PER_MS, memory_order_relaxed);
}

void turn_store_orders(struct lab *lab, const struct lab_group *g)
{
	if (!g->is_victim)
		return;
	set_threads(lab, g);
	set_work(lab, g);
}

/* Samples of another meaning: the baseline and those in hand are worthless. */
static void start_over(struct lab *lab, struct lab_group *g)
{
	g->valid_from = clock_now();
	g->baseline.known = g->baseline.rate.known = false;
	measure_clear(g);
	measure_baseline_begin(lab);
}

/* A hog's threads are there from its start on; a victim's come and go. */
static void change_threads(struct lab *lab, struct lab_group *g, const char *text)
{
	if (!g->is_victim) {
		journal_add(lab, JOURNAL_INFO, g->index, "threads %s in each hog: the hogs are started anew",
			    text);
		crew_respawn_group(lab, g);
		return;
	}
	journal_add(lab, JOURNAL_INFO, g->index, "victim threads %s", text);
	measure_baseline_restart(lab);
	set_threads(lab, g);
	if (load_kind(g->kind)->io) /* what it has alone depends on how many requests it has at a time */
		start_over(lab, g);
}

void turn_kind(struct lab *lab, struct lab_group *g, enum load_kind kind)
{
	const struct load_kind_info *info = load_kind(kind);

	if (g->kind == kind)
		return;
	g->kind = kind;
	journal_mark(lab, g->index, KNOB_TOTAL, "%s %s", g->is_victim ? "victim" : "hogs", info->name);
	journal_add(lab, JOURNAL_INFO, g->index, "%s: %s from now on", group_name(g), info->words);
	crew_respawn_group(lab, g);
	measure_changed(lab);
	if (g->is_victim)
		start_over(lab, g);
}

/* Whether the knob says something about the files that the group's workers make, or how they use them. A walk is a walk. */
static bool concerns(enum knob k, const struct lab_group *g)
{
	unsigned io = load_kind(g->kind)->io;

	switch (k) {
	case KNOB_BLOCK:
		return io;
	case KNOB_TREE:
		return io & IO_TREE;
	case KNOB_FILE:
		return io && !(io & IO_TREE);
	default:
		return g->is_victim && io && !(io & IO_TREE);
	}
}

/* Files of another size: whoever has one makes another. Another sample is one from the next on, of the same file. */
static void change_files(struct lab *lab, enum knob k)
{
	disk_store_sizes(lab);
	for (size_t i = 0; i < lab->ngroups; i++) {
		struct lab_group *g = &lab->groups[i];
		if (!concerns(k, g))
			continue;
		if (k != KNOB_IO_SAMPLE)
			crew_respawn_group(lab, g);
		if (g->is_victim)
			start_over(lab, g);
	}
}

void turn_group_knob(struct lab *lab, struct lab_group *g, enum knob k)
{
	char text[24];

	knob_format(text, sizeof(text), k, g->knobs[k]);
	if (k == KNOB_COUNT)
		journal_mark(lab, g->index, (int)k, "%s %s", group_name(g), text);
	else if (k == KNOB_IONICE && g->knobs[k] > 0) /* a class says by itself what it is */
		journal_mark(lab, g->index, (int)k, "%s %s", g->is_victim ? "victim" : "hog", text);
	else
		journal_mark(lab, g->index, (int)k, "%s %s %s", g->is_victim ? "victim" : "hog",
			     knob_info(k)->name, text);
	measure_changed(lab);
	switch (k) {
	case KNOB_COUNT:
		crew_retry_refused(g);
		journal_add(lab, JOURNAL_INFO, g->index, "hogs %ld%s", g->knobs[k],
			    g->paused ? ", paused: Space resumes them" : "");
		break;
	case KNOB_NICE_VALUE:
	case KNOB_IONICE:
	case KNOB_POLICY:
		apply_group(lab, g, k);
		break;
	case KNOB_SESSION_NICE:
		session_apply(lab, g);
		break;
	case KNOB_THREADS:
		change_threads(lab, g, text);
		break;
	case KNOB_WORK:
		set_work(lab, g);
		start_over(lab, g);
		break;
	default:
		break;
	}
}

/* OTHER too counts where somebody turned the knob back to it. */
static bool policy_was_asked(const struct lab_group *g)
{
	for (unsigned s = 0; s < g->capacity; s++)
		for (size_t t = 0; t < g->workers[s].nthreads; t++)
			if (g->workers[s].threads[t].policy.asked)
				return true;
	return false;
}

/* "Every thread" is asked at once; "main only" counts from the next change on, as renice would. */
static void change_scope(struct lab *lab)
{
	if (lab->knobs[KNOB_SCOPE] == SCOPE_PROCESS)
		journal_add(lab, JOURNAL_INFO, -1,
			    "from now on changes go to the main thread only, as renice -p sends them");
	for (size_t i = 0; i < lab->ngroups && lab->knobs[KNOB_SCOPE] == SCOPE_THREADS; i++) {
		apply_group(lab, &lab->groups[i], KNOB_NICE_VALUE);
		if (lab->groups[i].knobs[KNOB_IONICE] != KNOB_UNASKED)
			apply_group(lab, &lab->groups[i], KNOB_IONICE);
		if (policy_was_asked(&lab->groups[i]))
			apply_group(lab, &lab->groups[i], KNOB_POLICY);
	}
}

/* New sessions begin at nice 0; the shared one is the stage's, which has kept its own. */
static void forget_session_nice(struct lab *lab)
{
	int now = lab->knobs[KNOB_SESSIONS] == SESSIONS_SHARED ? session_nice_now(lab) : 0;

	for (size_t i = 0; i < lab->ngroups; i++)
		lab->groups[i].knobs[KNOB_SESSION_NICE] = now;
}

/* The engine thread alone changes sides: by way of root, as the kernel wants it. */
int turn_act_as(const struct lab *lab, long who)
{
	int rc = priority_act_as(0, 0);

	return rc < 0 || who == USER_ROOT ? rc : priority_act_as(lab->user.uid, lab->user.gid);
}

/* What an ordinary user may do to own workers, or to those of root: the workers are started anew. */
static void change_user(struct lab *lab)
{
	long who = lab->knobs[KNOB_USER];
	int rc = lab->user.known ? turn_act_as(lab, who) : -EPERM;
	char text[128];

	if (rc < 0) {
		lab->knobs[KNOB_USER] = lab->user.known && geteuid() == 0 ? USER_ROOT : USER_OTHER;
		journal_add(lab, JOURNAL_WARNING, -1,
			    "only root can act as somebody else: start nicelab as root");
		return;
	}
	lab->machine.read_at = 0; /* its rights are others now */
	crew_respawn(lab);
	if (who == USER_ROOT)
		snprintf(text, sizeof(text), "acting as root: the workers are started anew");
	else
		snprintf(text, sizeof(text), "acting as %s, the workers are started anew%s", lab->user.name,
			 who == USER_STRANGER ? " and belong to root: a stranger to them" : " as that user");
	journal_add(lab, JOURNAL_INFO, -1, "%s", text);
}

/* What a turn of this knob marks on the time line: those that the victim feels. */
static bool is_felt(enum knob k)
{
	return k == KNOB_SCOPE || k == KNOB_SESSIONS || k == KNOB_CPUS || k == KNOB_USER || k == KNOB_FILE ||
	       k == KNOB_BLOCK || k == KNOB_TREE || k == KNOB_IO_SAMPLE;
}

static void resize_windows(struct lab *lab)
{
	unsigned seconds = (unsigned)lab->knobs[KNOB_WINDOW];

	for (size_t i = 0; i < lab->ngroups; i++) {
		struct lab_group *g = &lab->groups[i];
		if (g->window)
			window_resize(g->window, seconds);
		for (unsigned t = 0; t < ARENA_THREADS; t++)
			if (g->thread_windows[t])
				window_resize(g->thread_windows[t], seconds);
	}
}

void turn_lab_knob(struct lab *lab, enum knob k)
{
	char text[24];

	knob_format(text, sizeof(text), k, lab->knobs[k]);
	if (is_felt(k) && k != KNOB_SCOPE)
		measure_changed(lab);
	if (is_felt(k))
		journal_mark(lab, -1, (int)k, "%s %s", knob_info(k)->name, text);
	switch (k) {
	case KNOB_SCOPE:
		change_scope(lab);
		break;
	case KNOB_USER:
		change_user(lab);
		break;
	case KNOB_SESSIONS:
		forget_session_nice(lab);
		crew_respawn(lab);
		journal_add(lab, JOURNAL_INFO, -1, "sessions %s: all workers are started anew", text);
		break;
	case KNOB_CPUS:
		measure_baseline_restart(lab);
		lab->cpus_changes++;
		pin_apply(lab);
		break;
	case KNOB_FILE:
	case KNOB_BLOCK:
	case KNOB_TREE:
		journal_add(lab, JOURNAL_INFO, -1, "%s %s: workers with such files are started anew",
			    knob_info(k)->name, text);
		change_files(lab, k);
		break;
	case KNOB_SPACE:
		journal_add(lab, JOURNAL_INFO, -1, "workers may take %s on the disk", text);
		break;
	case KNOB_IO_SAMPLE:
		journal_add(lab, JOURNAL_INFO, -1, "one sample is a %s from now on", text);
		change_files(lab, k);
		break;
	case KNOB_WINDOW:
		resize_windows(lab);
		journal_add(lab, JOURNAL_INFO, -1, "window %s", text);
		break;
	case KNOB_INTERVAL:
		journal_add(lab, JOURNAL_INFO, -1, "refresh %s", text);
		lab->next_tick = lab->next_publish = clock_now();
		break;
	default:
		break;
	}
}
