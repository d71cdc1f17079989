/* From the rings into the windows and time lines, and the baseline that every ratio stands on. A sample counts in the
 * second in which it is taken out of the ring, at most one tick after it ended. */
#include "lab/state.h"
#include "base/clock.h"
#include "base/units.h"

#include <stdlib.h>
#include <string.h>

#define BASELINE_LONGEST (15 * NS_PER_SEC)
#define BASELINE_SAMPLES 5
#define BATCH 256

static struct arena_victim *victim_of(const struct lab *lab, const struct lab_group *g)
{
	return &lab->arena->victim[g->victim];
}

static struct window *thread_window(const struct lab *lab, struct lab_group *g, unsigned i)
{
	if (!g->thread_windows[i]) {
		g->thread_windows[i] = window_new((unsigned)lab->knobs[KNOB_WINDOW]);
		if (g->thread_windows[i])
			window_advance(g->thread_windows[i], g->second);
	}
	return g->thread_windows[i];
}

static void take_record(const struct lab *lab, struct lab_group *g, unsigned i, const struct ring_record *r)
{
	uint64_t begun = r->end_ns - r->latency_ns;
	struct window *own = thread_window(lab, g, i);

	if (r->latency_ns > r->end_ns || begun < g->valid_from) {
		g->discarded++;
		return;
	}
	window_record(g->window, g->second, r->latency_ns);
	if (own)
		window_record(own, g->second, r->latency_ns);
	if (g->baseline.wanted && g->baseline.from && begun >= g->baseline.from)
		histogram_record(&g->baseline.taking, r->latency_ns);
}

static void drain_group(struct lab *lab, struct lab_group *g)
{
	struct ring_record batch[BATCH];

	for (unsigned i = 0; i < ARENA_THREADS; i++) {
		struct ring *ring = &victim_of(lab, g)->thread[i].ring;
		size_t n;

		/* A ring that was never written is not read either: its pages stay untouched. */
		if (!g->thread_windows[i] && atomic_load_explicit(&ring->tail, memory_order_relaxed) == 0)
			continue;
		while ((n = ring_read(ring, batch, BATCH)) > 0)
			for (size_t k = 0; k < n; k++)
				take_record(lab, g, i, &batch[k]);
	}
}

void measure_drain(struct lab *lab)
{
	for (size_t i = 0; i < lab->ngroups; i++)
		if (lab->groups[i].is_victim)
			drain_group(lab, &lab->groups[i]);
}

void measure_in_flight(const struct lab *lab, const struct lab_group *g, unsigned index, uint64_t now,
		       struct known_ns *out)
{
	uint64_t started =
		atomic_load_explicit(&victim_of(lab, g)->thread[index].started_ns, memory_order_relaxed);

	if (g->workers[0].life != LIFE_RUNNING || !started || started > now || started < g->valid_from)
		return;
	if (!out->known || now - started > out->ns)
		*out = (struct known_ns){true, now - started};
}

static uint64_t oldest_in_flight(const struct lab *lab, const struct lab_group *g, uint64_t now)
{
	struct known_ns oldest = {0};

	for (unsigned i = 0; i < (unsigned)g->knobs[KNOB_THREADS]; i++)
		measure_in_flight(lab, g, i, now, &oldest);
	return oldest.known ? oldest.ns : TIMELINE_UNKNOWN;
}

static void next_second(struct lab *lab, struct lab_group *g, uint64_t now)
{
	timeline_add(&g->timeline, g->second, window_current(g->window), oldest_in_flight(lab, g, now));
	g->second = now / NS_PER_SEC;
	window_advance(g->window, g->second);
	for (unsigned i = 0; i < ARENA_THREADS; i++)
		if (g->thread_windows[i])
			window_advance(g->thread_windows[i], g->second);
}

void measure_clear(struct lab_group *g)
{
	window_clear(g->window);
	for (unsigned i = 0; i < ARENA_THREADS; i++)
		if (g->thread_windows[i])
			window_clear(g->thread_windows[i]);
}

/* A new victim process: what the old one left in the rings is counted, then everything begins anew. Where the old one had failed before
 * there was a baseline, now there can be one. */
void measure_victim_begins(struct lab *lab, struct lab_group *g)
{
	drain_group(lab, g);
	measure_clear(g);
	g->baseline.from = 0;
	if (g->baseline.given_up && lab->phase == PHASE_RUNNING)
		measure_baseline_begin(lab);
}

/* The slot of a victim's thread has a new owner. */
void measure_forget_thread(struct lab_group *g, unsigned index)
{
	if (g->is_victim && index && index <= ARENA_THREADS && g->thread_windows[index - 1])
		window_clear(g->thread_windows[index - 1]);
}

/* Samples of before and after a change are in one window for a while: the snapshot says so. */
void measure_changed(struct lab *lab)
{
	lab->changed_at = lab->touched_at = clock_now();
	for (size_t i = 0; i < lab->ngroups; i++)
		lab->groups[i].rate_used = 0; /* they speak of what is now */
	sample_machine_restart(&lab->machine);
	judge_soon(lab);
}

/* What the victim alone can have has changed: a baseline that is being taken begins anew. */
void measure_baseline_restart(struct lab *lab)
{
	for (size_t i = 0; i < lab->ngroups; i++)
		lab->groups[i].baseline.from = 0;
}

void measure_baseline_begin(struct lab *lab)
{
	bool hogs_run = lab->phase == PHASE_RUNNING;

	if (lab->phase == PHASE_LOST)
		return;
	for (size_t i = 0; i < lab->ngroups; i++) {
		struct lab_group *g = &lab->groups[i];
		g->baseline.wanted = g->is_victim;
		g->baseline.from = 0;
		g->baseline.given_up = false;
		g->baseline.share = 0;
		histogram_clear(&g->baseline.taking);
		if (!g->is_victim && hogs_run)
			g->held = true;
	}
	crew_tick(lab);
	lab->phase = PHASE_BASELINE;
	lab->baseline_since = clock_now();
}

/* Time that the victim's threads have had on a CPU, ns. */
static uint64_t run_clock(const struct lab_group *g)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < g->workers[0].nthreads; i++)
		sum += g->workers[0].threads[i].sample.last.times.run_ns;
	return sum;
}

/* The fraction of what the weights promise the victim alone that somebody else took meanwhile. */
static double taken_by_others(const struct lab_group *g, uint64_t now)
{
	const struct lab_baseline *b = &g->baseline;
	double promised = b->share * (double)(now - b->from) * (double)g->workers[0].nthreads;
	uint64_t run = run_clock(g);
	double had = run > b->run_from ? (double)(run - b->run_from) : 0;

	return promised > 0 && had > 0 && had < promised ? 1 - had / promised : 0;
}

/* The same of a disk: the part of what it moved meanwhile that was not the victim's. */
static double moved_by_others(struct lab *lab, struct lab_group *g)
{
	const struct lab_baseline *b = &g->baseline;
	struct known_number moved = disk_moved(lab, g);
	double all = moved.value - b->device_from.value, own = (double)(g->bytes - b->bytes_from);

	return moved.known && b->device_from.known && all > own ? 1 - own / all : 0;
}

/* Takes over what was measured; false while there is too little of it. */
static bool baseline_take(struct lab *lab, struct lab_group *g, uint64_t now, bool last_chance)
{
	struct lab_baseline *b = &g->baseline;

	if (!b->wanted)
		return true;
	if (!last_chance &&
	    (!b->from || now - b->from < LAB_BASELINE_TIME || b->taking.count < BASELINE_SAMPLES))
		return false;
	b->wanted = false;
	b->known = histogram_percentile(&b->taking, 500, &b->p50);
	b->histogram = b->taking;
	b->disturbed = !b->from				    ? 0
		       : load_kind(g->kind)->io & IO_DIRECT ? moved_by_others(lab, g)
							    : taken_by_others(g, now);
	b->rate = b->from && load_kind(g->kind)->io
			  ? known((double)(g->bytes - b->bytes_from) * 1e9 / (double)(now - b->from))
			  : (struct known_number){0};
	return true;
}

static void baseline_report(struct lab *lab, const struct lab_group *g)
{
	bool per_file = lab->knobs[KNOB_IO_SAMPLE] == SAMPLE_FILE;
	char p50[24];

	if (!g->baseline.known && g->baseline.given_up)
		journal_add(lab, JOURNAL_WARNING, g->index, "no baseline: the victim %s",
			    g->workers[0].life == LIFE_REFUSED ? "has stopped" : "has no room on the disk");
	else if (!g->baseline.known)
		journal_add(lab, JOURNAL_WARNING, g->index,
			    "no baseline: %llu samples (one is a %s) in %d s, 5 are needed. b tries again",
			    (unsigned long long)g->baseline.taking.count, load_sample_word(g->kind, per_file),
			    (int)(BASELINE_LONGEST / NS_PER_SEC));
	else if (g->baseline.disturbed > SNAPSHOT_DISTURBED && load_kind(g->kind)->io & IO_DIRECT)
		journal_add(lab, JOURNAL_WARNING, g->index,
			    "baseline disturbed: others made %.0f %% of the disk's traffic. b takes it again",
			    g->baseline.disturbed * 100);
	else if (g->baseline.disturbed > SNAPSHOT_DISTURBED)
		journal_add(
			lab, JOURNAL_WARNING, g->index,
			"baseline disturbed: others took %.0f %% of the victim's CPU time. b takes it again",
			g->baseline.disturbed * 100);
	else
		journal_add(lab, JOURNAL_INFO, g->index, "baseline taken: p50 %s",
			    units_format_ns(p50, sizeof(p50), g->baseline.p50));
}

static void baseline_end(struct lab *lab)
{
	lab->phase = PHASE_RUNNING;
	for (size_t i = 0; i < lab->ngroups; i++) {
		struct lab_group *g = &lab->groups[i];
		if (g->is_victim) {
			baseline_report(lab, g);
			measure_clear(g); /* so that the figures speak of the hogs at once */
		} else if (g->knobs[KNOB_COUNT] > 0)
			journal_mark(lab, g->index, KNOB_COUNT, "hogs %ld", g->knobs[KNOB_COUNT]);
		g->held = false;
	}
	measure_changed(lab);
	lab->changed_at = 0; /* the window has just been cleared */
	crew_restart_samples(lab);
	crew_tick(lab);
}

static bool hogs_are_quiet(const struct lab *lab)
{
	for (size_t i = 0; i < lab->ngroups; i++)
		if (!lab->groups[i].is_victim && !crew_hold_is_done(lab, &lab->groups[i]))
			return false;
	return true;
}

/* A victim that has failed, or that there is no room for, is not waited for; one that makes its files is. */
static void look_after_victims(struct lab *lab, uint64_t now)
{
	for (size_t i = 0; i < lab->ngroups; i++) {
		struct lab_group *g = &lab->groups[i];
		const struct lab_worker *w = &g->workers[0];

		if (!g->is_victim)
			continue;
		g->baseline.given_up = w->life == LIFE_REFUSED || crew_wanted(lab, g) == 0;
		if (w->life == LIFE_RUNNING && disk_is_preparing(lab, g, w))
			lab->baseline_since = now;
	}
}

static void baseline_tick(struct lab *lab, uint64_t now)
{
	bool last_chance, complete = true;

	look_after_victims(lab, now);
	last_chance = now - lab->baseline_since > BASELINE_LONGEST;
	predict_update(lab); /* the baseline wants the share of the victim alone */
	for (size_t i = 0; i < lab->ngroups; i++) {
		struct lab_group *g = &lab->groups[i];
		if (!g->is_victim)
			continue;
		if (!g->baseline.from && g->workers[0].life == LIFE_RUNNING && g->workers[0].asked &&
		    !group_is_starting(lab, g) && hogs_are_quiet(lab)) {
			histogram_clear(&g->baseline.taking);
			g->baseline.from = now;
			g->baseline.run_from = run_clock(g);
			g->baseline.device_from = disk_moved(lab, g);
			g->baseline.bytes_from = g->bytes;
		}
		complete &= baseline_take(lab, g, now, last_chance || g->baseline.given_up);
	}
	if (complete)
		baseline_end(lab);
}

/* After a suspension: what spanned it is no measurement, and a baseline begins anew. */
void measure_thaw(struct lab *lab)
{
	for (size_t i = 0; i < lab->ngroups; i++) {
		struct lab_group *g = &lab->groups[i];
		g->valid_from = clock_now();
		g->baseline.from = 0;
	}
	lab->baseline_since = clock_now();
	disk_restart_rates(lab);
}

void measure_tick(struct lab *lab, uint64_t now)
{
	if (lab->frozen)
		return;
	measure_drain(lab);
	for (size_t i = 0; i < lab->ngroups; i++) {
		struct lab_group *g = &lab->groups[i];
		if (g->is_victim && now / NS_PER_SEC > g->second)
			next_second(lab, g, now);
	}
	if (lab->phase == PHASE_BASELINE)
		baseline_tick(lab, now);
}
