/* A logarithmic axis of durations, bounded by half decades, labelled at whole ones. Pure. */
#ifndef NICELAB_UI_AXIS_H
#define NICELAB_UI_AXIS_H

#include <stddef.h>
#include <stdint.h>

struct axis {
	int low, high; /* in half decades: 10^(low / 2) ns */
};

/* An axis that holds nothing yet; axis_include widens it so that the value is not at its edge; axis_settle makes it at
 * least `halves` half decades long. */
struct axis axis_empty(void);
void axis_include(struct axis *a, uint64_t ns);
void axis_settle(struct axis *a, int halves);

/* Where a duration stands, 0 to 1; values outside are put at the ends. */
double axis_position(const struct axis *a, uint64_t ns);

/* The whole decades on the axis: powers of ten from axis_first to axis_last. */
int axis_first(const struct axis *a);
int axis_last(const struct axis *a);

/* 10^power ns, and the same as a label: "1 ms", "100 s". Returns buf. */
uint64_t axis_power(int power);
char *axis_label(char *buf, size_t size, int power);

#endif
