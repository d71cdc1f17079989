/* The scheduler's own list of groups. */
#include "kernel/schedgroup.h"
#include "kernel/line.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LONGEST ((size_t)16 << 20) /* a line of 200 bytes a task */

int schedgroup_read(const struct procfs *fs, char **text)
{
	ssize_t n = procfs_read_new(fs->sys, "kernel/debug/sched/debug", LONGEST, text);

	return n < 0 ? (int)n : 0;
}

/* "  168497.679195 " (six decimals): what follows the pid; negative values are possible. */
static bool is_vruntime(const char *p)
{
	p += strspn(p, " ");
	p += *p == '-';
	size_t whole = strspn(p, "0123456789");

	return whole > 0 && p[whole] == '.' && strspn(p + whole + 1, "0123456789") >= 6;
}

/* Whether the line, up to its end, is that of the thread: " tid " before a vruntime. */
static bool is_line_of(const char *line, const char *end, const char *number)
{
	size_t len = strlen(number);

	for (const char *p = strstr(line, number); p && p < end; p = strstr(p + 1, number))
		if (p > line && p[-1] == ' ' && p[len] == ' ' && is_vruntime(p + len))
			return true;
	return false;
}

int schedgroup_parse(const char *text, pid_t tid, char *path, size_t size)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", (int)tid);
	for (const char *line = text; line; line = line_next(line)) {
		const char *end = line + strcspn(line, "\n"), *last = end;

		if (!is_line_of(line, end, number))
			continue;
		while (last > line && last[-1] != ' ')
			last--;
		if (*last != '/')
			return -ENOENT;
		if ((size_t)(end - last) >= size)
			return -ENAMETOOLONG;
		memcpy(path, last, (size_t)(end - last));
		path[end - last] = '\0';
		return 0;
	}
	return -ENOENT;
}
