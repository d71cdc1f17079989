/* Parsers of cgroup files and of mounts. */
#include "kernel/parse.h"
#include "kernel/line.h"

#include <errno.h>
#include <string.h>

static int copy_line(char *dst, size_t size, const char *src)
{
	size_t len = strcspn(src, "\n");

	if (len >= size)
		return -ENAMETOOLONG;
	memcpy(dst, src, len);
	dst[len] = '\0';
	return 0;
}

/* Lines "ID:CONTROLLERS:PATH", cgroups(7). */
int parse_cgroup_cpu(const char *text, char *path, size_t size, int *version)
{
	const char *unified = NULL;

	for (const char *l = text; l; l = line_next(l)) {
		const char *end = l + strcspn(l, "\n");
		const char *list = memchr(l, ':', (size_t)(end - l));
		const char *where = list ? memchr(list + 1, ':', (size_t)(end - list - 1)) : NULL;

		if (!where || where[1] != '/')
			continue;
		if (strncmp(l, "0::", 3) == 0)
			unified = where + 1;
		else if (line_lists(list + 1, "cpu", ',', ':')) {
			*version = 1;
			return copy_line(path, size, where + 1);
		}
	}
	if (!unified)
		return -ENOENT;
	*version = 2;
	return copy_line(path, size, unified);
}

int parse_cpu_max(const char *text, double *cpus)
{
	bool none = strncmp(text, "max ", 4) == 0;
	long long quota = -1, period;

	if (none)
		text += 3;
	else if (line_number(&text, &quota) < 0 || quota <= 0 || *text != ' ')
		return -EINVAL;
	if (parse_number(text, &period) < 0 || period <= 0)
		return -EINVAL;
	*cpus = none ? -1 : (double)quota / (double)period;
	return 0;
}

/* What matters of a line of mountinfo, proc_pid_mountinfo(5). Each ends at a blank, or at the end of the line. */
struct mount_fields {
	const char *root; /* (4) */
	const char *point; /* (5) */
	const char *type; /* (9) */
	const char *options; /* (11) of the super block */
};

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
static bool split_mount(const char *line, struct mount_fields *out)
{
	const char *end = line + strcspn(line, "\n");
	const char *sep = memmem(line, (size_t)(end - line), " - ", 3);

	if (!sep)
		return false;
	out->root = skip_fields(line, sep, 3);
	out->point = skip_fields(line, sep, 4);
	out->type = sep + 3;
	out->options = skip_fields(out->type, end, 2);
	return out->root && out->point && out->options && *out->root == '/' && *out->point == '/';
}

/* The next line from *text on that is a mount of the type (with a blank behind it); moves behind it. */
static bool next_mount(const char **text, const char *type, struct mount_fields *out)
{
	while (*text) {
		const char *line = *text;

		*text = line_next(line);
		if (split_mount(line, out) && strncmp(out->type, type, strlen(type)) == 0)
			return true;
	}
	return false;
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

static int unescape(char *dst, size_t size, const char *src)
{
	size_t n = 0;

	while (!strchr(" \n", *src)) { /* the NUL counts as found */
		int byte = octal(src);
		if (n + 1 >= size)
			return -ENAMETOOLONG;
		dst[n++] = byte < 0 ? *src : (char)byte;
		src += byte < 0 ? 1 : 4;
	}
	dst[n] = '\0';
	return 0;
}

static int copy_mount(const struct mount_fields *f, struct mount_line *out)
{
	struct mount_line m = {{0}, {0}};

	if (unescape(m.root, sizeof(m.root), f->root) < 0 || unescape(m.point, sizeof(m.point), f->point) < 0)
		return -ENAMETOOLONG;
	*out = m;
	return 0;
}

int parse_mount_cgroup(const char *text, int version, struct mount_line *out)
{
	int rc = -ENOENT;
	struct mount_fields f;

	while (next_mount(&text, version == 2 ? "cgroup2 " : "cgroup ", &f)) {
		/* A later mount hides an earlier one; one outside /sys is of use only where there is no other. */
		bool reachable = strncmp(f.point, "/sys/", 5) == 0;
		if ((version == 2 || line_lists(f.options, "cpu", ',', ' ')) && (reachable || rc < 0)) {
			int copied = copy_mount(&f, out);
			if (copied == 0 || rc == -ENOENT)
				rc = copied;
		}
	}
	return rc;
}

/* The option of proc(5), in numbers before Linux 5.8, in words since. */
static int hidepid_of(const char *options)
{
	static const struct {
		const char *word;
		int value;
	} words[] = {
		{"hidepid=0", 0}, {"hidepid=off", 0},	    {"hidepid=1", 1}, {"hidepid=noaccess", 1},
		{"hidepid=2", 2}, {"hidepid=invisible", 2}, {"hidepid=4", 4}, {"hidepid=ptraceable", 4},
	};
	const char *any = strstr(options, "hidepid=");

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (line_lists(options, words[i].word, ',', ' '))
			return words[i].value;
	return any && any < options + strcspn(options, " \n") ? -EINVAL : 0;
}

int parse_mount_hidepid(const char *text)
{
	struct mount_fields f;
	int rc = -ENOENT;

	while (next_mount(&text, "proc ", &f))
		if (strncmp(f.point, "/proc ", 6) == 0)
			rc = hidepid_of(f.options);
	return rc;
}
