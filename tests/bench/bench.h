/* What the bench files share. */
#ifndef NICELAB_TESTS_BENCH_H
#define NICELAB_TESTS_BENCH_H

#include <stddef.h>

/* Prints one line: what, the figure, its limit, and whether it is within. */
void bench_report(const char *what, double got, const char *unit, double limit);

/* The percentile p (0 to 1) of n values; sorts them. */
double bench_percentile(double *v, size_t n, double p);

/* The disk victim beside fio (which is skipped with a word where it is missing), and what sampling it costs. */
void bench_disk(void);

/* The real program on a pseudo-terminal. */
void bench_live(void);

#endif
