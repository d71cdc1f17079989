/* Parsers of kernel text. */
#include "kernel/parse.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads one blank-separated signed number and moves past it. */
static int next_number(const char **text, long long *out)
{
	char *end;

	errno = 0;
	*out = strtoll(*text, &end, 10);
	if (end == *text || errno == ERANGE)
		return -EINVAL;
	*text = end;
	return 0;
}

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
	if (next_number(&p, &tid) < 0 || tid <= 0 || tid > INT_MAX)
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
	    field[39] < 0 || field[39] > INT_MAX || field[41] < 0 || field[41] > INT_MAX)
		return -EINVAL;
	out->tid = (pid_t)tid;
	out->ppid = (pid_t)field[4];
	out->session = (pid_t)field[6];
	out->nice = (int)field[19];
	out->threads = (long)field[20];
	out->start = (uint64_t)field[22];
	out->cpu = (int)field[39];
	out->policy = (int)field[41];
	return 0;
}

int parse_schedstat(const char *text, struct schedstat_line *out)
{
	long long run, wait, slices;

	if (next_number(&text, &run) < 0 || next_number(&text, &wait) < 0 || next_number(&text, &slices) < 0)
		return -EINVAL;
	if (run < 0 || wait < 0 || slices < 0)
		return -EINVAL;
	*out = (struct schedstat_line){(uint64_t)run, (uint64_t)wait, (uint64_t)slices};
	return 0;
}

/* Moves *text to the next line; false at the end. */
static bool next_line(const char **text)
{
	const char *nl = strchr(*text, '\n');

	if (!nl || !nl[1])
		return false;
	*text = nl + 1;
	return true;
}

int parse_status_hex(const char *text, const char *key, uint64_t *out)
{
	size_t len = strlen(key);

	do {
		char *end;
		if (strncmp(text, key, len) || text[len] != ':')
			continue;
		text += len + 1;
		text += strspn(text, " \t");

		errno = 0;
		*out = strtoull(text, &end, 16);
		return end == text || errno || (*end && *end != '\n') ? -EINVAL : 0;
	} while (next_line(&text));
	return -ENOENT;
}

/* Whether a comma-separated list of controllers, ended by ':', names "cpu". */
static bool lists_cpu(const char *list)
{
	while (*list && *list != ':' && *list != '\n') {
		size_t len = strcspn(list, ",:\n");
		if (len == 3 && strncmp(list, "cpu", 3) == 0)
			return true;
		list += len + (list[len] == ',');
	}
	return false;
}

static int copy_until(char *dst, size_t size, const char *src, const char *stop)
{
	size_t len = strcspn(src, stop);

	if (len >= size)
		return -ENAMETOOLONG;
	memcpy(dst, src, len);
	dst[len] = '\0';
	return 0;
}

int parse_cgroup_cpu(const char *text, char *path, size_t size, int *version)
{
	const char *unified = NULL;

	do {
		const char *list = strchr(text, ':');
		const char *where = list ? strchr(list + 1, ':') : NULL;
		if (!where)
			continue;
		if (strncmp(text, "0::", 3) == 0)
			unified = where + 1;
		else if (lists_cpu(list + 1)) {
			*version = 1;
			return copy_until(path, size, where + 1, "\n");
		}
	} while (next_line(&text));
	if (!unified)
		return -ENOENT;
	*version = 2;
	return copy_until(path, size, unified, "\n");
}

int parse_mount_cgroup2(const char *text, char *path, size_t size)
{
	do {
		const char *line_end = text + strcspn(text, "\n");
		const char *sep = strstr(text, " - ");
		const char *p = text;

		if (!sep || sep > line_end || strncmp(sep + 3, "cgroup2 ", 8))
			continue;
		for (int i = 0; i < 4 && p && p < sep; i++) { /* (5) mount point */
			p = strchr(p, ' ');
			p = p ? p + 1 : NULL;
		}
		if (p && p < sep)
			return copy_until(path, size, p, " \n");
	} while (next_line(&text));
	return -ENOENT;
}
