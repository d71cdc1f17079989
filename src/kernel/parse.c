/* Parsers of kernel text. */
#include "kernel/parse.h"
#include "kernel/line.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* comm stands between the first '(' and the last ')': it may hold both. */
static const char *split_comm(const char *text, struct stat_line *out)
{
	const char *open = strchr(text, '('), *close = strrchr(text, ')');
	size_t len;

	if (!open || !close || close < open || close[1] != ' ')
		return NULL;
	len = (size_t)(close - open) - 1;
	if (len >= COMM_SIZE)
		len = COMM_SIZE - 1;
	memcpy(out->comm, open + 1, len);
	out->comm[len] = '\0';
	return close + 2;
}

int parse_stat(const char *text, struct stat_line *out)
{
	enum { FIRST = 4, LAST = 41 };
	long long field[LAST + 1] = {0}, tid;
	const char *p = text;

	memset(out, 0, sizeof(*out));
	if (line_number(&p, &tid) < 0 || tid <= 0 || tid > INT_MAX)
		return -EINVAL;
	p = split_comm(text, out);
	if (!p || !*p)
		return -EINVAL;
	out->state = *p++;
	for (int i = FIRST; i <= LAST; i++) {
		/* (25) rsslim and a few addresses may exceed a signed 64-bit number: their value is not used. */
		char *end;
		field[i] = strtoll(p, &end, 10);
		if (end == p || (*end != ' ' && *end != '\n' && *end != '\0'))
			return -EINVAL;
		p = end;
	}
	if (field[19] < -20 || field[19] > 19 || field[20] < 0 || field[20] > INT_MAX || field[22] < 0 ||
	    field[39] < 0 || field[39] > INT_MAX || field[40] < 0 || field[40] > 99 || field[41] < 0 ||
	    field[41] > INT_MAX)
		return -EINVAL;
	out->tid = (pid_t)tid;
	out->ppid = (pid_t)field[4];
	out->session = (pid_t)field[6];
	out->flags = (unsigned long)field[9];
	out->nice = (int)field[19];
	out->threads = (long)field[20];
	out->start = (uint64_t)field[22];
	out->cpu = (int)field[39];
	out->rt_priority = (int)field[40];
	out->policy = (int)field[41];
	return 0;
}

int parse_schedstat(const char *text, struct schedstat_line *out)
{
	long long run, wait, slices;

	if (line_number(&text, &run) < 0 || line_number(&text, &wait) < 0 || line_number(&text, &slices) < 0)
		return -EINVAL;
	if (run < 0 || wait < 0 || slices < 0)
		return -EINVAL;
	*out = (struct schedstat_line){(uint64_t)run, (uint64_t)wait, (uint64_t)slices};
	return 0;
}

int parse_status_hex(const char *text, const char *key, uint64_t *out)
{
	const char *p = line_value(text, key, ":");
	char *end;

	if (!p)
		return -ENOENT;
	p++;
	p += strspn(p, " \t");
	errno = 0;
	*out = strtoull(p, &end, 16);
	return end == p || errno || *end != '\n' ? -EINVAL : 0;
}

int parse_status_numbers(const char *text, const char *key, long long *out, size_t max)
{
	const char *p = line_value(text, key, ":");
	size_t n = 0;

	if (!p)
		return -ENOENT;
	p++;
	while (p[strspn(p, " \t")] != '\n') {
		long long v;
		if (line_number(&p, &v) < 0 || !*p || !strchr(" \t\n", *p))
			return -EINVAL;
		if (n == max)
			break;
		out[n++] = v;
	}
	return n ? (int)n : -EINVAL;
}

int parse_number(const char *text, long long *out)
{
	if (line_number(&text, out) < 0)
		return -EINVAL;
	return *text == '\0' || (*text == '\n' && text[1] == '\0') ? 0 : -EINVAL;
}

int parse_limit(const char *text, const char *name, long long *out)
{
	static const char unlimited[] = "unlimited ";
	const char *p = line_value(text, name, " ");

	if (!p)
		return -ENOENT;
	p += strspn(p, " ");
	if (strncmp(p, unlimited, sizeof(unlimited) - 1) == 0) {
		*out = -1;
		return 0;
	}
	return line_number(&p, out) < 0 || *out < 0 || *p != ' ' ? -EINVAL : 0;
}

/* The values start behind a line of dashes, longer than any name: a name may hold newlines. */
static const char *sched_values(const char *text)
{
	enum { DASHES = 32 };

	for (const char *l = line_next(text); l; l = line_next(l)) {
		size_t n = strspn(l, "-");
		if (n >= DASHES && l[n] == '\n')
			return l + n + 1;
	}
	return NULL;
}

int parse_sched_value(const char *text, const char *key, long long *out)
{
	const char *p = sched_values(text);

	if (!p)
		return -EINVAL;
	p = line_value(p, key, " :");
	if (!p)
		return -ENOENT;
	p += strspn(p, " ");
	if (*p++ != ':' || line_number(&p, out) < 0)
		return -EINVAL;
	if (*p == '.')
		p += 1 + strspn(p + 1, "0123456789");
	return *p == '\n' ? 0 : -EINVAL;
}

int parse_autogroup(const char *text, long *id, int *nice)
{
	static const char prefix[] = "/autogroup-", between[] = " nice ";
	long long number, value;

	if (!*text)
		return -ENOENT;
	if (strncmp(text, prefix, sizeof(prefix) - 1))
		return -EINVAL;
	text += sizeof(prefix) - 1;
	if (line_number(&text, &number) < 0 || number < 0 || strncmp(text, between, sizeof(between) - 1))
		return -EINVAL;
	if (parse_number(text + sizeof(between) - 1, &value) < 0 || value < -20 || value > 19)
		return -EINVAL;
	*id = (long)number;
	*nice = (int)value;
	return 0;
}

/* The fields of one "cpuN" line, behind the number: user, nice, system, idle, iowait, irq, softirq, steal, and more. */
static int cpu_line(const char *p, struct cpu_times *out)
{
	enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, COUNT };
	long long v[COUNT];

	for (int i = 0; i < COUNT; i++)
		if (*p != ' ' || line_number(&p, &v[i]) < 0 || v[i] < 0)
			return -EINVAL;
	if ((*p != ' ' && *p != '\n') || !strchr(p, '\n'))
		return -EINVAL; /* cut short */
	*out = (struct cpu_times){
		.present = true,
		.busy = (uint64_t)v[USER] + (uint64_t)v[NICE] + (uint64_t)v[SYSTEM] + (uint64_t)v[IRQ] +
			(uint64_t)v[SOFTIRQ],
		.idle = (uint64_t)v[IDLE] + (uint64_t)v[IOWAIT],
		.steal = (uint64_t)v[STEAL],
	};
	return 0;
}

int parse_cpu_times(const char *text, struct cpu_times *out, size_t max)
{
	size_t count = 0; /* the lines stand in the order of the CPUs */

	memset(out, 0, max * sizeof(*out));
	for (const char *l = text; l && strncmp(l, "cpu", 3) == 0; l = line_next(l)) {
		const char *p = l + 3;
		long long cpu;

		if (*p == ' ')
			continue; /* the sum of all */
		if (*p < '0' || *p > '9' || line_number(&p, &cpu) < 0)
			return -EINVAL;
		if ((unsigned long long)cpu >= max)
			return (int)max;
		if (cpu_line(p, &out[cpu]) < 0)
			return -EINVAL;
		count = (size_t)cpu + 1;
	}
	return count ? (int)count : -EINVAL;
}

int parse_flat_value(const char *text, const char *key, uint64_t *out)
{
	const char *p = line_value(text, key, " ");
	long long v;

	if (!p)
		return -ENOENT;
	if (line_number(&p, &v) < 0 || v < 0 || *p != '\n')
		return -EINVAL;
	*out = (uint64_t)v;
	return 0;
}
