/* Log-linear latency histogram: 128 buckets an octave, so that a bucket is at most 1/128 of its value wide and its
 * midpoint at most 0.39 % off. 1 ns to 2^42 ns (73 minutes); beyond that, samples count as overflow and only max knows
 * them. Exact: count, sum, min, max. Pure; one thread at a time. The bucket scheme is that of HdrHistogram and fio. */
#ifndef NICELAB_STATS_HISTOGRAM_H
#define NICELAB_STATS_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HISTOGRAM_SUB_BITS 7
#define HISTOGRAM_SUB (1u << HISTOGRAM_SUB_BITS)
#define HISTOGRAM_TOP_BITS 42
#define HISTOGRAM_BUCKETS ((HISTOGRAM_TOP_BITS - HISTOGRAM_SUB_BITS + 1) * HISTOGRAM_SUB)

struct histogram {
	uint64_t count; /* with overflow */
	uint64_t sum; /* ns, of all samples */
	uint64_t min; /* exact; meaningless while count is 0 */
	uint64_t max; /* exact; 0 while count is 0 */
	uint64_t overflow;
	uint32_t buckets[HISTOGRAM_BUCKETS];
};

void histogram_clear(struct histogram *h);

/* The bucket of a value below 2^42. */
static inline uint32_t histogram_bucket(uint64_t ns)
{
	if (ns < HISTOGRAM_SUB)
		return (uint32_t)ns;
	unsigned octave = 63u - (unsigned)__builtin_clzll(ns);
	unsigned shift = octave - HISTOGRAM_SUB_BITS;
	return (shift + 1) * HISTOGRAM_SUB + (uint32_t)((ns >> shift) & (HISTOGRAM_SUB - 1));
}

/* The smallest value of a bucket, and the midpoint that stands for it. ns. */
uint64_t histogram_lower(uint32_t bucket);
uint64_t histogram_midpoint(uint32_t bucket);

static inline bool histogram_overflows(uint64_t ns)
{
	return ns >> HISTOGRAM_TOP_BITS != 0;
}

/* Adds a value whose bucket is known; HISTOGRAM_BUCKETS stands for the overflow. For callers that need the bucket too. */
static inline void histogram_add(struct histogram *h, uint64_t ns, uint32_t bucket)
{
	h->min = h->count == 0 || ns < h->min ? ns : h->min;
	h->max = ns > h->max ? ns : h->max;
	h->count++;
	h->sum += ns;
	if (bucket < HISTOGRAM_BUCKETS)
		h->buckets[bucket]++;
	else
		h->overflow++;
}

void histogram_record(struct histogram *h, uint64_t ns);

/* Samples that a percentile needs before it may be shown: 1 / (1 - p), and never under 5
 * (p50 5, p95 20, p99 100, p99.9 1000). tenths is the percentile times ten: p99.9 is 999. */
uint64_t histogram_needs(unsigned tenths);

/* The percentile (tenths as above): the midpoint of the bucket that holds the sample of rank ceil(p x count), kept
 * within the exact min and max. False, and *ns untouched, where there are fewer samples than histogram_needs. */
bool histogram_percentile(const struct histogram *h, unsigned tenths, uint64_t *ns);

#endif
