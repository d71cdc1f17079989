/* One line of mountinfo. */
#include "kernel/mount.h"

#include <errno.h>
#include <string.h>

/* Behind the next n blanks, or NULL where there are not so many. */
static const char *skip_fields(const char *p, const char *end, int n)
{
	for (; p && n > 0; n--) {
		p = memchr(p, ' ', (size_t)(end - p));
		p = p ? p + 1 : NULL;
	}
	return p;
}

/* The optional fields end with a lone "-". */
bool mount_split(const char *line, struct mount_fields *out)
{
	const char *end = line + strcspn(line, "\n");
	const char *sep = memmem(line, (size_t)(end - line), " - ", 3);

	if (!sep)
		return false;
	out->root = skip_fields(line, sep, 3);
	out->point = skip_fields(line, sep, 4);
	out->type = sep + 3;
	out->source = skip_fields(out->type, end, 1);
	out->options = skip_fields(out->type, end, 2);
	return out->root && out->point && out->options && *out->root == '/' && *out->point == '/';
}

/* The byte of an escape "\ooo", or -1. */
static int octal(const char *p)
{
	int v = 0;

	if (*p != '\\')
		return -1;
	for (int i = 1; i <= 3; i++) {
		if (p[i] < '0' || p[i] > '7')
			return -1;
		v = v * 8 + p[i] - '0';
	}
	return v > 0 && v < 256 ? v : -1;
}

int mount_unescape(char *dst, size_t size, const char *src, const char *ends)
{
	size_t n = 0;

	while (!strchr(ends, *src)) { /* the NUL counts as found */
		int byte = octal(src);
		if (n + 1 >= size)
			return -ENAMETOOLONG;
		dst[n++] = byte < 0 ? *src : (char)byte;
		src += byte < 0 ? 1 : 4;
	}
	dst[n] = '\0';
	return 0;
}
