/* A logarithmic axis of durations. */
#include "ui/axis.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

#define HALVES_MAX 26 /* 10^13 ns, nearly three hours */
#define MARGIN 1.25

struct axis axis_empty(void)
{
	return (struct axis){.low = HALVES_MAX, .high = 0};
}

uint64_t axis_power(int power)
{
	uint64_t v = 1;

	while (power-- > 0)
		v *= 10;
	return v;
}

void axis_include(struct axis *a, uint64_t ns)
{
	double v = ns ? (double)ns : 1;
	int low = (int)floor(2 * log10(v / MARGIN)), high = (int)ceil(2 * log10(v * MARGIN));

	low = low < 0 ? 0 : low;
	high = high > HALVES_MAX ? HALVES_MAX : high;
	if (low < a->low)
		a->low = low;
	if (high > a->high)
		a->high = high;
}

void axis_settle(struct axis *a, int halves)
{
	if (a->low > a->high) /* nothing included: from 3 ms on */
		a->low = a->high = 13;
	while (a->high - a->low < halves && a->high < HALVES_MAX)
		a->high++;
	while (a->high - a->low < halves && a->low > 0)
		a->low--;
}

double axis_position(const struct axis *a, uint64_t ns)
{
	double at = ns ? (2 * log10((double)ns) - a->low) / (a->high - a->low) : 0;

	return at < 0 ? 0 : at > 1 ? 1 : at;
}

int axis_first(const struct axis *a)
{
	return (a->low + 1) / 2;
}

int axis_last(const struct axis *a)
{
	return a->high / 2;
}

char *axis_label(char *buf, size_t size, int power)
{
	char *dot, *unit;

	units_format_ns(buf, size, axis_power(power));
	dot = strchr(buf, '.');
	unit = strchr(buf, ' ');
	if (dot && unit) /* "1.00 ms" is exact for a power of ten: the zeros say nothing */
		memmove(dot, unit, strlen(unit) + 1);
	return buf;
}
