/* Parsers of cgroup files and of mounts. */
#include "kernel/parse.h"
#include "kernel/line.h"
#include "kernel/mount.h"

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
int parse_cgroup(const char *text, const char *controller, char *path, size_t size, int *version)
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
		else if (line_lists(list + 1, controller, ',', ':')) {
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

/* The next line from *text on that is a mount of the type (with a blank behind it); moves behind it. */
static bool next_mount(const char **text, const char *type, struct mount_fields *out)
{
	while (*text) {
		const char *line = *text;

		*text = line_next(line);
		if (mount_split(line, out) && strncmp(out->type, type, strlen(type)) == 0)
			return true;
	}
	return false;
}

static int copy_mount(const struct mount_fields *f, struct mount_line *out)
{
	struct mount_line m = {{0}, {0}};

	if (mount_unescape(m.root, sizeof(m.root), f->root, " \n") < 0 ||
	    mount_unescape(m.point, sizeof(m.point), f->point, " \n") < 0)
		return -ENAMETOOLONG;
	*out = m;
	return 0;
}

int parse_mount_cgroup(const char *text, int version, const char *controller, struct mount_line *out)
{
	int rc = -ENOENT;
	struct mount_fields f;

	while (next_mount(&text, version == 2 ? "cgroup2 " : "cgroup ", &f)) {
		/* A later mount hides an earlier one; one outside /sys is of use only where there is no other. */
		bool reachable = strncmp(f.point, "/sys/", 5) == 0;
		if ((version == 2 || line_lists(f.options, controller, ',', ' ')) && (reachable || rc < 0)) {
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
