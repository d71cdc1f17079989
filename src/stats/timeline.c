/* Time line of per-second figures with the marks of what was changed. */
#include "stats/timeline.h"

#include <stdio.h>

static uint64_t percentile_or_unknown(const struct histogram *h, unsigned tenths)
{
	uint64_t ns = TIMELINE_UNKNOWN;

	histogram_percentile(h, tenths, &ns);
	return ns;
}

void timeline_add(struct timeline *t, uint64_t second, const struct histogram *h, uint64_t in_flight)
{
	if (t->points_used && t->points[(t->points_used - 1) % TIMELINE_POINTS].second >= second)
		return;
	t->points[t->points_used++ % TIMELINE_POINTS] = (struct timeline_point){
		.second = second,
		.count = h->count,
		.p50 = percentile_or_unknown(h, 500),
		.p95 = percentile_or_unknown(h, 950),
		.max = h->count ? h->max : TIMELINE_UNKNOWN,
		.in_flight = in_flight,
	};
}

void timeline_mark(struct timeline *t, uint64_t second, int who, int what, const char *text)
{
	struct timeline_mark *m = NULL;

	for (size_t i = timeline_marks(t); i-- > 0 && !m;) {
		struct timeline_mark *old = &t->marks[(t->marks_used - 1 - i) % TIMELINE_MARKS];
		if (old->second == second && old->who == who && old->what == what)
			m = old;
	}
	if (!m)
		m = &t->marks[t->marks_used++ % TIMELINE_MARKS];
	*m = (struct timeline_mark){.second = second, .who = who, .what = what};
	snprintf(m->text, sizeof(m->text), "%s", text);
}

const struct timeline_point *timeline_at(const struct timeline *t, uint64_t newest, uint64_t back)
{
	size_t held = t->points_used < TIMELINE_POINTS ? t->points_used : TIMELINE_POINTS;

	if (back > newest)
		return NULL;
	for (size_t i = 1; i <= held; i++) { /* gaps make the distance at most `back`, so this ends early */
		const struct timeline_point *p = &t->points[(t->points_used - i) % TIMELINE_POINTS];
		if (p->second == newest - back)
			return p;
		if (p->second < newest - back)
			return NULL;
	}
	return NULL;
}

size_t timeline_marks(const struct timeline *t)
{
	return t->marks_used < TIMELINE_MARKS ? t->marks_used : TIMELINE_MARKS;
}

const struct timeline_mark *timeline_mark_at(const struct timeline *t, size_t i)
{
	return &t->marks[(t->marks_used - timeline_marks(t) + i) % TIMELINE_MARKS];
}
