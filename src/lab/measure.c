/* From the rings into the windows and time lines, and the baseline that every ratio stands on. A sample counts in the
 * second in which it is taken out of the ring, at most one tick after it ended. */
#include "lab/state.h"
#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

#define BASELINE_TIME (2 * NS_PER_SEC)
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

	if (g->workers[0].life != LIFE_RUNNING || !started || started > now)
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

void measure_baseline_begin(struct lab *lab)
{
	bool hogs_run = lab->phase == PHASE_RUNNING;

	if (lab->phase == PHASE_LOST)
		return;
	for (size_t i = 0; i < lab->ngroups; i++) {
		struct lab_group *g = &lab->groups[i];
		g->baseline.wanted = g->is_victim;
		g->baseline.from = 0;
		histogram_clear(&g->baseline.taking);
		if (!g->is_victim && hogs_run) {
			g->held = true;
			crew_hold(lab, g);
		}
	}
	lab->phase = PHASE_BASELINE;
	lab->baseline_since = clock_now();
}

/* Takes over what was measured; false while there is too little of it. */
static bool baseline_take(struct lab_group *g, uint64_t now, bool last_chance)
{
	struct lab_baseline *b = &g->baseline;

	if (!b->wanted)
		return true;
	if (!last_chance && (!b->from || now - b->from < BASELINE_TIME || b->taking.count < BASELINE_SAMPLES))
		return false;
	b->wanted = false;
	b->known = histogram_percentile(&b->taking, 500, &b->p50);
	b->histogram = b->taking;
	return true;
}

static void baseline_end(struct lab *lab)
{
	lab->phase = PHASE_RUNNING;
	for (size_t i = 0; i < lab->ngroups; i++) {
		struct lab_group *g = &lab->groups[i];
		if (g->is_victim && !g->baseline.known)
			journal_add(lab, JOURNAL_WARNING, g->index,
				    "no baseline: %llu pieces of work in %d s, 5 are needed. b tries again",
				    (unsigned long long)g->baseline.taking.count,
				    (int)(BASELINE_LONGEST / NS_PER_SEC));
		if (g->is_victim)
			measure_clear(g); /* so that the figures speak of the hogs at once */
		if (!g->is_victim && g->held) {
			g->held = false;
			crew_hold(lab, g);
		}
		crew_reconcile(lab, g);
		if (!g->is_victim && g->knobs[KNOB_COUNT] > 0)
			journal_mark(lab, g->index, KNOB_COUNT, "hogs %ld", g->knobs[KNOB_COUNT]);
	}
}

static void baseline_tick(struct lab *lab, uint64_t now)
{
	bool last_chance = now - lab->baseline_since > BASELINE_LONGEST, complete = true;

	for (size_t i = 0; i < lab->ngroups; i++) {
		struct lab_group *g = &lab->groups[i];
		if (!g->is_victim)
			continue;
		if (!g->baseline.from && g->workers[0].life == LIFE_RUNNING && !group_is_starting(lab, g))
			g->baseline.from = now;
		complete &= baseline_take(g, now, last_chance);
	}
	if (complete)
		baseline_end(lab);
}

void measure_tick(struct lab *lab, uint64_t now)
{
	measure_drain(lab);
	for (size_t i = 0; i < lab->ngroups; i++) {
		struct lab_group *g = &lab->groups[i];
		if (g->is_victim && now / NS_PER_SEC > g->second)
			next_second(lab, g, now);
	}
	if (lab->phase == PHASE_BASELINE)
		baseline_tick(lab, now);
}
