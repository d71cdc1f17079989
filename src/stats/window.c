/* Rolling window of one-second slices. The total is kept up to date by adding each sample and subtracting each slice
 * that leaves; only the extremes are gathered anew, from the slices' own. */
#include "stats/window.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct cell {
	uint32_t bucket;
	uint32_t count;
};

struct slice {
	uint64_t second;
	uint64_t count, sum, min, max, overflow;
	size_t used;
	struct cell *cells;
};

struct window {
	unsigned seconds;
	uint64_t second; /* of the current slice */
	uint64_t lost;
	struct histogram total;
	struct histogram current;
	size_t touched_used;
	uint16_t touched[HISTOGRAM_BUCKETS]; /* the buckets that current has hit */
	struct slice slices[WINDOW_SECONDS_MAX]; /* by second modulo WINDOW_SECONDS_MAX */
};

_Static_assert(HISTOGRAM_BUCKETS <= UINT16_MAX, "a bucket fits the touched list");

struct window *window_new(unsigned seconds)
{
	struct window *w = calloc(1, sizeof(*w));

	if (w)
		w->seconds = seconds;
	return w;
}

static void slice_release(struct slice *s)
{
	free(s->cells);
	memset(s, 0, sizeof(*s));
}

void window_free(struct window *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < WINDOW_SECONDS_MAX; i++)
		slice_release(&w->slices[i]);
	free(w);
}

/* Empties `current` in O(buckets hit). */
static void current_clear(struct window *w)
{
	struct histogram *h = &w->current;

	for (size_t i = 0; i < w->touched_used; i++)
		h->buckets[w->touched[i]] = 0;
	w->touched_used = 0;
	h->count = h->sum = h->min = h->max = h->overflow = 0;
}

/* A slice is inside when its second is one of the last W, the current one being the newest. */
static bool slice_inside(const struct window *w, const struct slice *s)
{
	return s->count && s->second + w->seconds > w->second;
}

static void total_extremes(struct window *w)
{
	struct histogram *t = &w->total;

	t->min = w->current.count ? w->current.min : UINT64_MAX;
	t->max = w->current.max;
	for (size_t i = 0; i < WINDOW_SECONDS_MAX; i++) {
		const struct slice *s = &w->slices[i];
		if (!slice_inside(w, s))
			continue;
		t->min = s->min < t->min ? s->min : t->min;
		t->max = s->max > t->max ? s->max : t->max;
	}
	if (t->count == 0)
		t->min = t->max = 0;
}

static void total_add(struct window *w, const struct slice *s)
{
	for (size_t i = 0; i < s->used; i++)
		w->total.buckets[s->cells[i].bucket] += s->cells[i].count;
	w->total.count += s->count;
	w->total.sum += s->sum;
	w->total.overflow += s->overflow;
}

static void total_subtract(struct window *w, const struct slice *s)
{
	for (size_t i = 0; i < s->used; i++)
		w->total.buckets[s->cells[i].bucket] -= s->cells[i].count;
	w->total.count -= s->count;
	w->total.sum -= s->sum;
	w->total.overflow -= s->overflow;
}

/* Stores `current` as the slice of its second. */
static int current_close(struct window *w)
{
	const struct histogram *h = &w->current;
	struct slice *s = &w->slices[w->second % WINDOW_SECONDS_MAX];
	struct slice fresh = {w->second, h->count,    h->sum,	       h->min,
			      h->max,	 h->overflow, w->touched_used, NULL};

	slice_release(s);
	if (h->count == 0)
		return 0;
	if (fresh.used) {
		fresh.cells = malloc(fresh.used * sizeof(*fresh.cells));
		if (!fresh.cells) {
			w->lost += h->count;
			return -ENOMEM;
		}
	}
	for (size_t i = 0; i < fresh.used; i++)
		fresh.cells[i] = (struct cell){w->touched[i], h->buckets[w->touched[i]]};
	*s = fresh;
	return 0;
}

static void total_rebuild(struct window *w)
{
	struct histogram *t = &w->total;

	*t = w->current;
	for (size_t i = 0; i < WINDOW_SECONDS_MAX; i++)
		if (slice_inside(w, &w->slices[i]))
			total_add(w, &w->slices[i]);
	total_extremes(w);
}

int window_advance(struct window *w, uint64_t second)
{
	int rc;

	if (second <= w->second)
		return 0;
	if (w->total.count == 0 && w->current.count == 0) { /* nothing to keep: also the first call ever */
		w->second = second;
		return 0;
	}
	rc = current_close(w);
	current_clear(w);
	if (rc < 0 || second - w->second >= WINDOW_SECONDS_MAX) {
		w->second = second;
		total_rebuild(w);
		return rc;
	}
	for (uint64_t step = w->second; step < second; step++) {
		/* While the newest is step + 1, the slice that leaves is W older. */
		if (step + 1 < w->seconds)
			continue;
		const struct slice *old = &w->slices[(step + 1 - w->seconds) % WINDOW_SECONDS_MAX];
		if (old->count && old->second == step + 1 - w->seconds)
			total_subtract(w, old);
	}
	w->second = second;
	total_extremes(w);
	return 0;
}

int window_record(struct window *w, uint64_t second, uint64_t latency_ns)
{
	int rc = second > w->second ? window_advance(w, second) : 0;

	uint32_t b = histogram_overflows(latency_ns) ? HISTOGRAM_BUCKETS : histogram_bucket(latency_ns);

	if (b < HISTOGRAM_BUCKETS && w->current.buckets[b] == 0)
		w->touched[w->touched_used++] = (uint16_t)b;
	histogram_add(&w->current, latency_ns, b);
	histogram_add(&w->total, latency_ns, b);
	return rc;
}

void window_resize(struct window *w, unsigned seconds)
{
	w->seconds = seconds;
	total_rebuild(w);
}

void window_clear(struct window *w)
{
	for (size_t i = 0; i < WINDOW_SECONDS_MAX; i++)
		slice_release(&w->slices[i]);
	current_clear(w);
	histogram_clear(&w->total);
}

const struct histogram *window_total(const struct window *w)
{
	return &w->total;
}

const struct histogram *window_current(const struct window *w)
{
	return &w->current;
}

uint64_t window_lost(const struct window *w)
{
	return w->lost;
}
