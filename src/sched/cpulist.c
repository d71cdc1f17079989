/* CPU lists as text and back. */
#include "sched/cpulist.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cpulist_set(struct cpulist *list, unsigned cpu)
{
	list->bits[cpu / 64] |= UINT64_C(1) << cpu % 64;
}

bool cpulist_has(const struct cpulist *list, unsigned cpu)
{
	return cpu < CPULIST_MAX && list->bits[cpu / 64] >> cpu % 64 & 1;
}

unsigned cpulist_count(const struct cpulist *list)
{
	unsigned n = 0;

	for (size_t i = 0; i < CPULIST_MAX / 64; i++)
		n += (unsigned)__builtin_popcountll(list->bits[i]);
	return n;
}

bool cpulist_equal(const struct cpulist *a, const struct cpulist *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

struct cpulist cpulist_last(const struct cpulist *list)
{
	struct cpulist one = {{0}};

	for (unsigned cpu = CPULIST_MAX; cpu-- > 0;)
		if (cpulist_has(list, cpu)) {
			cpulist_set(&one, cpu);
			break;
		}
	return one;
}

struct cpulist cpulist_without(const struct cpulist *a, const struct cpulist *b)
{
	struct cpulist left = *a;

	for (size_t i = 0; i < sizeof(left.bits) / sizeof(left.bits[0]); i++)
		left.bits[i] &= ~b->bits[i];
	return left;
}

struct cpulist cpulist_first(const struct cpulist *list)
{
	struct cpulist first = {0};

	for (unsigned c = 0; c < CPULIST_MAX; c++)
		if (cpulist_has(list, c)) {
			cpulist_set(&first, c);
			break;
		}
	return first;
}

struct cpulist cpulist_and(const struct cpulist *a, const struct cpulist *b)
{
	struct cpulist both;

	for (size_t i = 0; i < CPULIST_MAX / 64; i++)
		both.bits[i] = a->bits[i] & b->bits[i];
	return both;
}

/* One number at *text, which moves past it. */
static int parse_cpu(const char **text, unsigned *cpu)
{
	char *end;
	unsigned long v;

	if (!isdigit((unsigned char)**text))
		return -EINVAL;
	v = strtoul(*text, &end, 10);
	if (v >= CPULIST_MAX)
		return -ERANGE;
	*text = end;
	*cpu = (unsigned)v;
	return 0;
}

static int parse_range(const char **text, struct cpulist *list)
{
	unsigned from, to;
	int rc = parse_cpu(text, &from);

	if (rc < 0)
		return rc;
	to = from;
	if (**text == '-') {
		++*text;
		rc = parse_cpu(text, &to);
		if (rc < 0)
			return rc;
	}
	if (to < from)
		return -ERANGE;
	for (unsigned c = from; c <= to; c++)
		cpulist_set(list, c);
	return 0;
}

int cpulist_parse(const char *text, struct cpulist *list)
{
	memset(list, 0, sizeof(*list));
	for (;;) {
		int rc = parse_range(&text, list);
		if (rc < 0)
			return rc;
		if (*text == '\n' && text[1] == '\0')
			return 0;
		if (*text == '\0')
			return 0;
		if (*text++ != ',')
			return -EINVAL;
	}
}

char *cpulist_format(char *buf, size_t size, const struct cpulist *list)
{
	size_t used = 0;

	buf[0] = '\0';
	for (unsigned c = 0; c < CPULIST_MAX; c++) {
		char item[24];
		unsigned last = c;
		int n;

		if (!cpulist_has(list, c))
			continue;
		while (cpulist_has(list, last + 1))
			last++;
		n = last == c ? snprintf(item, sizeof(item), "%s%u", used ? "," : "", c)
			      : snprintf(item, sizeof(item), "%s%u-%u", used ? "," : "", c, last);
		if (used + (size_t)n + 1 >= size) {
			if (used + 1 < size)
				memcpy(buf + used, "+", 2);
			break;
		}
		memcpy(buf + used, item, (size_t)n + 1);
		used += (size_t)n;
		c = last;
	}
	return buf;
}
