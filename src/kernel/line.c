/* Walking through the lines of kernel text. */
#include "kernel/line.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const char *line_next(const char *line)
{
	const char *nl = strchr(line, '\n');

	return nl && nl[1] ? nl + 1 : NULL;
}

const char *line_value(const char *text, const char *key, const char *after)
{
	size_t len = strlen(key);

	for (const char *l = text; l; l = line_next(l))
		if (strncmp(l, key, len) == 0 && l[len] && strchr(after, l[len]))
			return l + len;
	return NULL;
}

int line_number(const char **text, long long *out)
{
	const char *p = *text + strspn(*text, " \t");
	char *end;

	if (!strchr("+-0123456789", *p)) /* strtoll(3) would walk into the next line */
		return -EINVAL;
	errno = 0;
	*out = strtoll(p, &end, 10);
	if (end == p || errno == ERANGE)
		return -EINVAL;
	*text = end;
	return 0;
}

bool line_lists(const char *list, const char *word, char sep, char stop)
{
	const char ends[] = {sep, stop, '\n', '\0'};
	size_t want = strlen(word);

	for (;;) {
		size_t len = strcspn(list, ends);
		if (len == want && memcmp(list, word, want) == 0)
			return true;
		if (list[len] != sep)
			return false;
		list += len + 1;
	}
}
