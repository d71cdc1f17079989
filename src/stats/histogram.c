/* Log-linear latency histogram with honest percentiles. */
#include "stats/histogram.h"

#include <string.h>

void histogram_clear(struct histogram *h)
{
	memset(h, 0, sizeof(*h));
}

uint64_t histogram_lower(uint32_t bucket)
{
	uint32_t octave = bucket / HISTOGRAM_SUB;
	uint64_t sub = bucket % HISTOGRAM_SUB;

	return octave == 0 ? sub : (HISTOGRAM_SUB + sub) << (octave - 1);
}

uint64_t histogram_midpoint(uint32_t bucket)
{
	uint32_t octave = bucket / HISTOGRAM_SUB;
	uint64_t width = octave == 0 ? 1 : UINT64_C(1) << (octave - 1);

	return histogram_lower(bucket) + width / 2;
}

void histogram_record(struct histogram *h, uint64_t ns)
{
	histogram_add(h, ns, histogram_overflows(ns) ? HISTOGRAM_BUCKETS : histogram_bucket(ns));
}

uint64_t histogram_needs(unsigned tenths)
{
	unsigned above = tenths >= 1000 ? 1 : 1000 - tenths;
	uint64_t needs = (1000 + above - 1) / above;

	return needs < 5 ? 5 : needs;
}

static uint64_t clamp(uint64_t v, uint64_t low, uint64_t high)
{
	return v < low ? low : v > high ? high : v;
}

bool histogram_percentile(const struct histogram *h, unsigned tenths, uint64_t *ns)
{
	if (h->count < histogram_needs(tenths))
		return false;

	uint64_t rank = (h->count * tenths + 999) / 1000;
	uint64_t seen = 0;
	if (rank == 0)
		rank = 1;
	for (uint32_t b = histogram_overflows(h->min) ? HISTOGRAM_BUCKETS : histogram_bucket(h->min);
	     b < HISTOGRAM_BUCKETS; b++) {
		seen += h->buckets[b];
		if (seen >= rank) {
			*ns = clamp(histogram_midpoint(b), h->min, h->max);
			return true;
		}
	}
	*ns = h->max; /* the rank is among the samples beyond the last bucket */
	return true;
}
