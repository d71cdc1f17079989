/* What the cgroup of a process does to its I/O. */
#include "base/text.h"
#include "kernel/cgroup_place.h"
#include "kernel/io.h"
#include "kernel/line.h"

#include <errno.h>
#include <string.h>

/* Calls is for each value of the text: words that are no device number, behind any "key=". True where it holds for one. */
static bool any_value(const char *text, bool (*is)(const char *value, size_t len))
{
	for (const char *l = text; l; l = line_next(l)) {
		const char *end = strchr(l, '\n'), *word = l;
		if (!end)
			return false; /* cut */
		while (word < end) {
			size_t len = strcspn(word, " \n");
			const char *equals = memchr(word, '=', len);
			const char *value = equals ? equals + 1 : word;
			if (!memchr(word, ':', len) && is(value, len - (size_t)(value - word)))
				return true;
			word += len;
			word += strspn(word, " ");
		}
	}
	return false;
}

static bool is_word(const char *value, size_t len, const char *word)
{
	return len == strlen(word) && memcmp(value, word, len) == 0;
}

static bool is_limit(const char *value, size_t len)
{
	return len > 0 && !is_word(value, len, "max");
}

/* 0 is a weight that was never given. */
static bool is_weight(const char *value, size_t len)
{
	return len > 0 && !is_word(value, len, "default") && !is_word(value, len, "100") &&
	       !is_word(value, len, "0");
}

bool io_parse_limits(const char *text)
{
	return any_value(text, is_limit);
}

bool io_parse_weights(const char *text)
{
	return any_value(text, is_weight);
}

struct limit_file {
	int version;
	const char *name;
	bool (*sets)(const char *text);
	bool inherited; /* it holds for the groups below, too */
};
static const struct limit_file limit_files[] = {
	{2, "io.max", io_parse_limits, true},
	{2, "io.weight", io_parse_weights, true},
	{2, "io.latency", io_parse_limits, true},
	{2, "io.bfq.weight", io_parse_weights, true},
	{1, "blkio.throttle.read_bps_device", io_parse_limits, false},
	{1, "blkio.throttle.write_bps_device", io_parse_limits, false},
	{1, "blkio.throttle.read_iops_device", io_parse_limits, false},
	{1, "blkio.throttle.write_iops_device", io_parse_limits, false},
	{1, "blkio.bfq.weight", io_parse_weights, true},
	{1, "blkio.bfq.weight_device", io_parse_weights, true},
};

static void copy_clean(char *dst, size_t size, const char *src)
{
	text_clean(dst, size, src, strcspn(src, "\n"));
}

/* A file that is not there was not given to the group, and sets nothing. */
static enum tri sets(const struct procfs *fs, const struct cgroup_place *p, const struct limit_file *f)
{
	char text[4096];
	ssize_t n = cgroup_place_read(fs, p, f->name, text, sizeof(text));

	if (n < 0)
		return n == -ENOENT ? TRI_NO : TRI_UNKNOWN;
	if (f->sets(text))
		return TRI_YES;
	return n < (ssize_t)sizeof(text) - 1 ? TRI_NO : TRI_UNKNOWN;
}

static enum tri read_limits(const struct procfs *fs, const struct cgroup_place *p, bool own,
			    struct io_group *out)
{
	enum tri any = TRI_NO;

	for (size_t i = 0; i < sizeof(limit_files) / sizeof(limit_files[0]); i++) {
		const struct limit_file *f = &limit_files[i];
		enum tri set = f->version == p->version && (own || f->inherited) ? sets(fs, p, f) : TRI_NO;
		if (set == TRI_YES) {
			copy_clean(out->limit_file, sizeof(out->limit_file), f->name);
			copy_clean(out->limit_path, sizeof(out->limit_path), p->path);
			return TRI_YES;
		}
		if (set == TRI_UNKNOWN)
			any = TRI_UNKNOWN;
	}
	return any;
}

/* The root of the hierarchy, and not just that of a container: it alone lacks the one file, or has the other. */
static bool is_root(const struct procfs *fs, const struct cgroup_place *top)
{
	char text[64];

	if (top->version == 2)
		return cgroup_place_read(fs, top, "cgroup.type", text, sizeof(text)) == -ENOENT;
	return cgroup_place_read(fs, top, "cgroup.sane_behavior", text, sizeof(text)) >= 0;
}

static void find_limits(const struct procfs *fs, const struct cgroup_place *place, struct io_group *out)
{
	struct cgroup_place at = *place;
	enum tri unread = TRI_NO;
	bool own = true;

	do {
		enum tri set = read_limits(fs, &at, own, out);
		out->limits = set == TRI_YES ? TRI_YES : out->limits;
		unread = set == TRI_UNKNOWN ? TRI_YES : unread;
		own = false;
	} while (out->limits != TRI_YES && cgroup_place_up(&at));
	if (out->limits != TRI_YES && unread == TRI_NO && is_root(fs, &at))
		out->limits = TRI_NO;
}

static void find_policy(const struct procfs *fs, const struct cgroup_place *place, struct io_group *out)
{
	const char *name = place->version == 2 ? "io.prio.class" : "blkio.prio.class";
	struct cgroup_place at = *place;
	char text[IO_POLICY];
	ssize_t n;

	do
		n = cgroup_place_read(fs, &at, name, text, sizeof(text));
	while (n == -ENOENT && cgroup_place_up(&at));
	if (n <= 0 || strcmp(text, "no-change\n") == 0 || strcmp(text, "none\n") == 0)
		return;
	copy_clean(out->policy, sizeof(out->policy), text);
}

int io_group_read(const struct procfs *fs, pid_t pid, struct io_group *out)
{
	struct cgroup_mounts mounts;
	struct cgroup_place place;
	int rc = cgroup_place_mounts(fs, "blkio", &mounts);

	memset(out, 0, sizeof(*out));
	if (rc == 0)
		rc = cgroup_place_find(fs, &mounts, "blkio", pid, &place);
	if (rc < 0)
		return rc == -ENAMETOOLONG ? 0 : rc;
	out->version = place.version;
	copy_clean(out->path, sizeof(out->path), place.path);
	if (!place.dir[0]) {
		out->placed = TRI_NO;
		return 0;
	}
	if (!procfs_exists(fs->sys, place.dir))
		return 0;
	out->placed = TRI_YES;
	find_policy(fs, &place, out);
	find_limits(fs, &place, out);
	return 0;
}
