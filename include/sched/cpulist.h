/* CPU lists as the kernel and taskset(1) write them: "0-3,6". Pure; any thread. */
#ifndef NICELAB_SCHED_CPULIST_H
#define NICELAB_SCHED_CPULIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CPULIST_MAX 1024

struct cpulist {
	uint64_t bits[CPULIST_MAX / 64];
};

void cpulist_set(struct cpulist *list, unsigned cpu);
bool cpulist_has(const struct cpulist *list, unsigned cpu);
unsigned cpulist_count(const struct cpulist *list);
bool cpulist_equal(const struct cpulist *a, const struct cpulist *b);

/* The lowest CPU of the list as a list of its own; empty stays empty. */
struct cpulist cpulist_first(const struct cpulist *list);

/* The highest, likewise. */
struct cpulist cpulist_last(const struct cpulist *list);

/* What is in a and not in b. */
struct cpulist cpulist_without(const struct cpulist *a, const struct cpulist *b);

/* What is in both. */
struct cpulist cpulist_and(const struct cpulist *a, const struct cpulist *b);

/* 0, -EINVAL (not a list, or empty), -ERANGE (a CPU of CPULIST_MAX or above, or a range that runs backwards). */
int cpulist_parse(const char *text, struct cpulist *list);

/* "0-3,6"; cut with a final "+" where it does not fit. Returns buf. */
char *cpulist_format(char *buf, size_t size, const struct cpulist *list);

#endif
