/* Numbers as people read them, and back. */
#include "base/units.h"
#include "base/clock.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct unit {
	uint64_t ns;
	const char *name;
} time_units[] = {
	{NS_PER_SEC, "s"},
	{NS_PER_MS, "ms"},
	{NS_PER_US, "µs"},
	{1, "ns"},
};

char *units_format_ns(char *buf, size_t size, uint64_t ns)
{
	const struct unit *u = time_units;

	/* 999.5 of a unit would print as 1000: the next unit takes it from there. */
	while (u->ns > 1 && (double)ns < 0.9995 * (double)u->ns)
		u++;
	double v = (double)ns / (double)u->ns;
	int digits = u->ns == 1 || v >= 99.95 ? 0 : v >= 9.995 ? 1 : 2;
	snprintf(buf, size, "%.*f %s", digits, v, u->name);
	return buf;
}

char *units_format_ratio(char *buf, size_t size, double ratio)
{
	static const struct {
		double from, unit;
		int digits;
		const char *suffix;
	} forms[] = {{9995e2, 1e6, 1, "M"},
		     {9995, 1e3, 0, "k"},
		     {99.5, 1, 0, ""},
		     {9.95, 1, 1, ""},
		     {0, 1, 2, ""}};
	size_t i = 0;

	while (ratio < forms[i].from && forms[i].from > 0)
		i++;
	snprintf(buf, size, "×%.*f%s", forms[i].digits, ratio / forms[i].unit, forms[i].suffix);
	return buf;
}

char *units_format_share(char *buf, size_t size, double fraction)
{
	snprintf(buf, size, "%.*f %%", fraction < 0.9995 ? 1 : 0, fraction * 100.0);
	return buf;
}

char *units_format_uptime(char *buf, size_t size, uint64_t ns)
{
	uint64_t s = ns / NS_PER_SEC;

	snprintf(buf, size, "%u:%02u:%02u", (unsigned)(s / 3600), (unsigned)(s / 60 % 60),
		 (unsigned)(s % 60));
	return buf;
}

char *units_format_bytes(char *buf, size_t size, uint64_t bytes)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
	size_t i = 0;
	double v = (double)bytes;

	while (v >= 1024 && i + 1 < sizeof(units) / sizeof(units[0])) {
		v /= 1024;
		i++;
	}
	snprintf(buf, size, "%.*f %s", v == (double)(uint64_t)v ? 0 : v < 10 ? 2 : 1, v, units[i]);
	return buf;
}

char *units_format_rate(char *buf, size_t size, double rate)
{
	static const char *const units[] = {"B/s", "kB/s", "MB/s", "GB/s"};
	size_t i = 0;

	while (rate >= 999.5 && i + 1 < sizeof(units) / sizeof(units[0])) {
		rate /= 1000;
		i++;
	}
	snprintf(buf, size, "%.*f %s", i == 0 || rate >= 99.95 ? 0 : rate >= 9.995 ? 1 : 2, rate, units[i]);
	return buf;
}

/* How many times 1024 a suffix stands for; -1: it is none. */
static int bytes_power(const char *suffix)
{
	static const char letters[] = "KMGT";
	const char *at = *suffix ? strchr(letters, toupper((unsigned char)*suffix)) : NULL;

	if (!*suffix || strcasecmp(suffix, "B") == 0)
		return 0;
	if (!at || (suffix[1] && strcasecmp(suffix + 1, "B") != 0 && strcasecmp(suffix + 1, "iB") != 0))
		return -1;
	return (int)(at - letters) + 1;
}

int units_parse_bytes(const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
	unsigned long long v;
	char *end;
	int power;

	if (!isdigit((unsigned char)text[0]))
		return -EINVAL;
	errno = 0;
	v = strtoull(text, &end, 10);
	while (*end == ' ')
		end++;
	power = bytes_power(end);
	if (power < 0)
		return -EINVAL;
	if (errno == ERANGE || (power && v > UINT64_MAX >> (10 * power)))
		return -ERANGE;
	v <<= 10 * power;
	if (v < min || v > max)
		return -ERANGE;
	*out = v;
	return 0;
}

int units_parse_long(const char *text, long min, long max, long *out)
{
	char *end;
	long v;

	if (!isdigit((unsigned char)text[0]) &&
	    !((text[0] == '-' || text[0] == '+') && isdigit((unsigned char)text[1])))
		return -EINVAL;
	errno = 0;
	v = strtol(text, &end, 10);
	if (*end)
		return -EINVAL;
	if (errno == ERANGE || v < min || v > max)
		return -ERANGE;
	*out = v;
	return 0;
}

int units_parse_size(const char *text, int *cols, int *rows)
{
	int end = 0, c, r;

	if (sscanf(text, "%4dx%4d%n", &c, &r, &end) != 2 || text[end])
		return -EINVAL;
	if (c < 1 || c > 1000 || r < 1 || r > 1000)
		return -EINVAL;
	*cols = c;
	*rows = r;
	return 0;
}
