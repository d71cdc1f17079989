/* Histogram, rolling window, time line. */
#include "stats/histogram.h"
#include "stats/timeline.h"
#include "stats/window.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

static struct histogram h;

static int clear(void **state)
{
	(void)state;
	histogram_clear(&h);
	return 0;
}

static void every_value_lies_in_its_bucket(void **state)
{
	uint32_t last = 0;

	(void)state;
	for (uint64_t v = 0; v < UINT64_C(1) << HISTOGRAM_TOP_BITS; v += v / 300 + 1) {
		uint32_t b = histogram_bucket(v);
		assert_true(b < HISTOGRAM_BUCKETS);
		assert_true(b >= last);
		assert_true(histogram_lower(b) <= v);
		assert_true(b + 1 == HISTOGRAM_BUCKETS || v < histogram_lower(b + 1));
		double off = fabs((double)histogram_midpoint(b) - (double)v);
		assert_true(off <= (double)v * 0.0040 + 0.5);
		last = b;
	}
	assert_int_equal(histogram_bucket((UINT64_C(1) << HISTOGRAM_TOP_BITS) - 1), HISTOGRAM_BUCKETS - 1);
}

static void percentiles_need_their_samples(void **state)
{
	static const struct {
		unsigned tenths;
		uint64_t needs;
	} cases[] = {{500, 5}, {900, 10}, {950, 20}, {990, 100}, {999, 1000}};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint64_t ns = 77;
		assert_int_equal(histogram_needs(cases[i].tenths), cases[i].needs);
		histogram_clear(&h);
		for (uint64_t k = 1; k < cases[i].needs; k++)
			histogram_record(&h, 1000);
		assert_false(histogram_percentile(&h, cases[i].tenths, &ns));
		assert_int_equal(ns, 77);
		histogram_record(&h, 1000);
		assert_true(histogram_percentile(&h, cases[i].tenths, &ns));
	}
}

static void a_percentile_is_the_sample_of_its_rank(void **state)
{
	uint64_t ns;

	(void)state;
	for (uint64_t v = 1; v <= 5; v++)
		histogram_record(&h, v);
	assert_true(histogram_percentile(&h, 500, &ns));
	assert_int_equal(ns, 3); /* ceil(0.5 x 5) */
	histogram_record(&h, 6);
	assert_true(histogram_percentile(&h, 500, &ns));
	assert_int_equal(ns, 3);
	for (uint64_t v = 7; v <= 20; v++)
		histogram_record(&h, v);
	assert_true(histogram_percentile(&h, 950, &ns));
	assert_int_equal(ns, 19);
}

static void percentiles_stay_within_the_exact_extremes(void **state)
{
	uint64_t ns;

	(void)state;
	for (int i = 0; i < 100; i++)
		histogram_record(&h, 1000001);
	assert_true(histogram_percentile(&h, 500, &ns));
	assert_int_equal(ns, 1000001);
	assert_int_equal(h.min, 1000001);
	assert_int_equal(h.sum, 100 * UINT64_C(1000001));
}

static void overflow_is_counted_and_known_to_max(void **state)
{
	uint64_t huge = UINT64_C(1) << 43, ns;

	(void)state;
	for (int i = 0; i < 10; i++)
		histogram_record(&h, huge + (uint64_t)i);
	assert_int_equal(h.overflow, 10);
	assert_int_equal(h.max, huge + 9);
	assert_true(histogram_percentile(&h, 500, &ns));
	assert_int_equal(ns, huge + 9);
}

static int ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* A million log-normal samples from 3 us to seconds: within 0.5 % of the exact percentiles. */
static void percentiles_are_within_half_a_percent(void **state)
{
	static const unsigned tenths[] = {100, 500, 900, 950, 990, 999};
	const size_t n = 1000000;
	uint64_t *all = malloc(n * sizeof(*all));

	(void)state;
	assert_non_null(all);
	srand48(7);
	for (size_t i = 0; i < n; i++) {
		double normal = sqrt(-2 * log(1 - drand48())) * cos(2 * M_PI * drand48());
		all[i] = (uint64_t)exp(16.1 + 1.5 * normal);
		histogram_record(&h, all[i]);
	}
	qsort(all, n, sizeof(*all), ascending);
	for (size_t i = 0; i < COUNT(tenths); i++) {
		uint64_t exact = all[(n * tenths[i] + 999) / 1000 - 1], got;
		assert_true(histogram_percentile(&h, tenths[i], &got));
		assert_true(fabs((double)got - (double)exact) <= 0.005 * (double)exact);
	}
	free(all);
}

/* The window against a plain list of all samples. */
static void a_window_is_the_histogram_of_its_last_seconds(void **state)
{
	enum { SECONDS = 700 };
	static struct {
		uint64_t second, ns;
	} all[SECONDS * 20];
	struct window *w = window_new(10);
	size_t n = 0;
	unsigned seconds = 10;

	(void)state;
	assert_non_null(w);
	srand48(3);
	for (uint64_t s = 1000; s < 1000 + SECONDS; s++) {
		if (lrand48() % 40 == 0) { /* a gap */
			s += (uint64_t)(lrand48() % 25);
			window_advance(w, s);
		}
		if (lrand48() % 50 == 0)
			window_resize(w, seconds = (unsigned)(1 + lrand48() % 300));
		for (long k = lrand48() % 18; k > 0; k--) {
			all[n].second = s;
			all[n].ns = (uint64_t)(1 + lrand48());
			assert_int_equal(window_record(w, s, all[n].ns), 0);
			n++;
		}
		assert_int_equal(window_advance(w, s), 0);
		histogram_clear(&h);
		for (size_t i = 0; i < n; i++)
			if (all[i].second + seconds > s)
				histogram_record(&h, all[i].ns);
		const struct histogram *t = window_total(w);
		assert_int_equal(t->count, h.count);
		assert_int_equal(t->sum, h.sum);
		assert_int_equal(t->max, h.max);
		if (h.count)
			assert_int_equal(t->min, h.min);
		assert_memory_equal(t->buckets, h.buckets, sizeof(h.buckets));
	}
	assert_int_equal(window_lost(w), 0);
	window_free(w);
}

static void the_very_first_second_expires_too(void **state)
{
	struct window *w = window_new(3);

	(void)state;
	window_record(w, 0, 100);
	for (uint64_t s = 1; s <= 2; s++) {
		window_advance(w, s);
		assert_int_equal(window_total(w)->count, 1);
	}
	window_advance(w, 3);
	assert_int_equal(window_total(w)->count, 0);
	assert_int_equal(window_total(w)->max, 0);
	window_free(w);
}

static void a_cleared_window_is_empty(void **state)
{
	struct window *w = window_new(5);

	(void)state;
	window_record(w, 1, 100);
	window_record(w, 2, UINT64_MAX / 4);
	window_clear(w);
	assert_int_equal(window_total(w)->count, 0);
	window_record(w, 3, 50);
	window_advance(w, 4);
	assert_int_equal(window_total(w)->count, 1);
	assert_int_equal(window_total(w)->max, 50);
	assert_int_equal(window_total(w)->overflow, 0);
	window_free(w);
	window_free(NULL);
}

static void the_time_line_keeps_what_is_unknown_apart(void **state)
{
	static struct timeline t;

	(void)state;
	histogram_record(&h, 500);
	timeline_add(&t, 10, &h, 7000);
	histogram_clear(&h);
	timeline_add(&t, 12, &h, TIMELINE_UNKNOWN);
	timeline_add(&t, 12, &h, 1); /* not newer: ignored */
	const struct timeline_point *p = timeline_at(&t, 12, 2);
	assert_non_null(p);
	assert_int_equal(p->count, 1);
	assert_int_equal(p->p50, TIMELINE_UNKNOWN);
	assert_int_equal(p->max, 500);
	assert_int_equal(p->in_flight, 7000);
	assert_null(timeline_at(&t, 12, 1));
	assert_int_equal(timeline_at(&t, 12, 0)->max, TIMELINE_UNKNOWN);
	assert_int_equal(timeline_at(&t, 12, 0)->in_flight, TIMELINE_UNKNOWN);
	assert_null(timeline_at(&t, 12, 3));
	assert_null(timeline_at(&t, 2, 3));
}

static void the_time_line_forgets_the_oldest(void **state)
{
	static struct timeline t;

	(void)state;
	for (uint64_t s = 1; s <= TIMELINE_POINTS + 5; s++)
		timeline_add(&t, s, &h, TIMELINE_UNKNOWN);
	assert_null(timeline_at(&t, TIMELINE_POINTS + 5, TIMELINE_POINTS));
	assert_int_equal(timeline_at(&t, TIMELINE_POINTS + 5, TIMELINE_POINTS - 1)->second, 6);
}

static void marks_of_one_kind_in_one_second_become_one(void **state)
{
	static struct timeline t;

	(void)state;
	timeline_mark(&t, 5, 0, 1, "nice 1");
	timeline_mark(&t, 5, 1, 1, "other group");
	timeline_mark(&t, 5, 0, 1, "nice 2");
	timeline_mark(&t, 6, 0, 1, "nice 3, with more words than fit");
	assert_int_equal(timeline_marks(&t), 3);
	assert_string_equal(timeline_mark_at(&t, 0)->text, "nice 2");
	assert_string_equal(timeline_mark_at(&t, 1)->text, "other group");
	assert_int_equal(strlen(timeline_mark_at(&t, 2)->text), TIMELINE_TEXT - 1);
	for (int i = 0; i < 100; i++)
		timeline_mark(&t, (uint64_t)(100 + i), 0, 0, "x");
	assert_int_equal(timeline_marks(&t), TIMELINE_MARKS);
	assert_int_equal(timeline_mark_at(&t, TIMELINE_MARKS - 1)->second, 199);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(every_value_lies_in_its_bucket, clear),
		cmocka_unit_test_setup(percentiles_need_their_samples, clear),
		cmocka_unit_test_setup(a_percentile_is_the_sample_of_its_rank, clear),
		cmocka_unit_test_setup(percentiles_stay_within_the_exact_extremes, clear),
		cmocka_unit_test_setup(overflow_is_counted_and_known_to_max, clear),
		cmocka_unit_test_setup(percentiles_are_within_half_a_percent, clear),
		cmocka_unit_test_setup(a_window_is_the_histogram_of_its_last_seconds, clear),
		cmocka_unit_test_setup(the_very_first_second_expires_too, clear),
		cmocka_unit_test_setup(a_cleared_window_is_empty, clear),
		cmocka_unit_test_setup(the_time_line_keeps_what_is_unknown_apart, clear),
		cmocka_unit_test_setup(the_time_line_forgets_the_oldest, clear),
		cmocka_unit_test_setup(marks_of_one_kind_in_one_second_become_one, clear),
	};

	return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
