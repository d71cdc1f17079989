/* The cpu cgroup of a process: where it is, and what its files say. */
#include "kernel/cgroup.h"
#include "kernel/line.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define IDLE_WEIGHT 3 /* WEIGHT_IDLEPRIO of the kernel */

void cgroup_mounts_read(const struct procfs *fs, struct cgroup_mounts *out)
{
	char *text;

	memset(out, 0, sizeof(*out));
	if (procfs_read_new(fs->proc, "self/mountinfo", PROCFS_MOUNTS_MAX, &text) < 0)
		return;
	out->has_v1 = parse_mount_cgroup(text, 1, &out->v1) == 0;
	out->has_v2 = parse_mount_cgroup(text, 2, &out->v2) == 0;
	free(text);
}

/* What of a path lies below the root: "" or "/...". NULL where it lies elsewhere. Groups outside the reader's cgroup
 * namespace have paths that begin with "/..". */
static const char *below(const char *path, const char *root)
{
	size_t len = strcmp(root, "/") == 0 ? 0 : strlen(root);
	const char *rest = path + len;

	if (strncmp(path, root, len) || (*rest && *rest != '/'))
		return NULL;
	for (const char *up = strstr(rest, "/.."); up; up = strstr(up + 3, "/.."))
		if (up[3] == '/' || up[3] == '\0')
			return NULL;
	return strcmp(rest, "/") == 0 ? "" : rest;
}

/* From the path to the directories below /sys. */
static int locate(const struct mount_line *mount, struct cgroup_place *p)
{
	const char *rest = below(p->path, mount->root);
	int n;

	if (!rest || strncmp(mount->point, "/sys/", 5))
		return -EXDEV;
	n = snprintf(p->dir, sizeof(p->dir), "%s%s", mount->point + 5, rest);
	if (n < 0 || (size_t)n >= sizeof(p->dir)) {
		p->dir[0] = '\0';
		return -ENAMETOOLONG;
	}
	memcpy(p->top, p->dir, (size_t)n - strlen(rest));
	return 0;
}

/* Cuts the last part off the path of a group: "/a/b" to "/a", "/a" to "/". */
static void cut_path(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash)
		slash[slash == path] = '\0';
}

/* To the group above; false at the top. */
static bool go_up(struct cgroup_place *p)
{
	char *slash = strrchr(p->dir, '/');

	if (!slash || strlen(p->dir) <= strlen(p->top))
		return false;
	*slash = '\0';
	cut_path(p->path);
	return true;
}

/* The path of one file of the group. Returns buf, of FILE_PATH bytes. */
#define FILE_PATH (CGROUP_PATH + 32)
static const char *file_path(char *buf, const struct cgroup_place *p, const char *name)
{
	snprintf(buf, FILE_PATH, "%s/%s", p->dir, name);
	return buf;
}

static ssize_t read_file(const struct procfs *fs, const struct cgroup_place *p, const char *name, char *text,
			 size_t size)
{
	char path[FILE_PATH];

	return procfs_read(fs->sys, file_path(path, p, name), text, size);
}

static int read_number(const struct procfs *fs, const struct cgroup_place *p, const char *name,
		       long long *out)
{
	char path[FILE_PATH];

	return procfs_read_number(fs->sys, file_path(path, p, name), out);
}

/* In cgroup v2 the task group is the nearest ancestor that has cpu.weight. The true root has none; the root of a cgroup
 * namespace, as containers see it, may. Above the mount's own root nothing can be seen. */
static int find_weight(const struct procfs *fs, struct cgroup_place *p)
{
	long long weight;

	if (fs->sys < 0)
		return -ENOENT;
	do {
		if (read_number(fs, p, "cpu.weight", &weight) == 0) {
			p->below_root = true;
			return 0;
		}
	} while (go_up(p));
	return strcmp(p->path, "/") == 0 ? 0 : -EXDEV;
}

static int find(const struct procfs *fs, const struct cgroup_mounts *m, const char *text,
		struct cgroup_place *p)
{
	int rc = parse_cgroup_cpu(text, p->path, sizeof(p->path), &p->version);

	if (rc < 0)
		return rc;
	if (p->version == 1) {
		p->below_root = strcmp(p->path, "/") != 0;
		if (m->has_v1)
			locate(&m->v1, p); /* what it cannot find stays empty */
		return 0;
	}
	rc = m->has_v2 ? locate(&m->v2, p) : -EXDEV;
	return rc < 0 ? rc : find_weight(fs, p);
}

int cgroup_find(const struct procfs *fs, const struct cgroup_mounts *m, pid_t pid, struct cgroup_place *out)
{
	struct cgroup_place p = {0};
	char path[32], text[8192];
	ssize_t n;
	int rc;

	if (pid == 0)
		snprintf(path, sizeof(path), "self/cgroup");
	else
		snprintf(path, sizeof(path), "%d/cgroup", (int)pid);
	n = procfs_read_all(fs->proc, path, text, sizeof(text));
	memset(out, 0, sizeof(*out));
	rc = n < 0 ? (int)n : find(fs, m, text, &p);
	if (rc == 0)
		*out = p;
	return rc;
}

static void read_weight(const struct procfs *fs, const struct cgroup_place *p, struct cgroup_reading *out)
{
	long long v;

	if (read_number(fs, p, "cpu.idle", &v) == 0)
		out->idle = tri_of(v != 0);
	if (read_number(fs, p, p->version == 1 ? "cpu.shares" : "cpu.weight", &v) == 0 && v >= 0)
		out->raw_weight = known((double)v);
	if (out->idle == TRI_YES)
		out->weight = known(IDLE_WEIGHT);
	else if (out->raw_weight.known && v > 0)
		out->weight = known(p->version == 1 ? (double)v : (double)v * 1024 / 100);
}

/* The CPUs that the group's own quota allows. False: none, or not readable. */
static bool own_quota(const struct procfs *fs, const struct cgroup_place *p, double *cpus)
{
	long long quota, period;
	char text[64];

	if (p->version == 2)
		return read_file(fs, p, "cpu.max", text, sizeof(text)) > 0 &&
		       parse_cpu_max(text, cpus) == 0 && *cpus > 0;
	if (read_number(fs, p, "cpu.cfs_quota_us", &quota) < 0 || quota <= 0 ||
	    read_number(fs, p, "cpu.cfs_period_us", &period) < 0 || period <= 0)
		return false;
	*cpus = (double)quota / (double)period;
	return true;
}

static void read_throttle(const struct procfs *fs, const struct cgroup_place *p, struct cgroup_reading *out)
{
	const char *time = p->version == 1 ? "throttled_time" : "throttled_usec";
	uint64_t periods, throttled, spent;
	char text[4096];

	if (read_file(fs, p, "cpu.stat", text, sizeof(text)) <= 0 ||
	    parse_flat_value(text, "nr_periods", &periods) < 0 ||
	    parse_flat_value(text, "nr_throttled", &throttled) < 0 ||
	    parse_flat_value(text, time, &spent) < 0)
		return;
	out->throttle_known = true;
	out->periods = periods;
	out->throttled = throttled;
	out->throttled_ns = p->version == 1 ? spent : spent * 1000;
}

static void read_quota(const struct procfs *fs, const struct cgroup_place *place, struct cgroup_reading *out)
{
	struct cgroup_place at = *place, tightest = {0};

	do {
		double cpus;
		if (own_quota(fs, &at, &cpus) && (!out->quota.known || cpus < out->quota.value)) {
			out->quota = known(cpus);
			tightest = at;
		}
	} while (go_up(&at));
	if (!out->quota.known)
		return;
	memcpy(out->quota_path, tightest.path, sizeof(out->quota_path));
	read_throttle(fs, &tightest, out);
}

static bool is_dir(int dirfd, const struct dirent *e)
{
	struct stat st;

	if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
		return false;
	if (e->d_type != DT_UNKNOWN)
		return e->d_type == DT_DIR;
	return fstatat(dirfd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
}

/* 1, 0, or -errno where the group is gone. */
static int has_subgroups(const struct procfs *fs, const struct cgroup_place *p)
{
	int fd = openat(fs->sys, p->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct dirent *e;
	int found = 0;
	DIR *dir;

	if (fd < 0)
		return -errno;
	dir = fdopendir(fd);
	if (!dir) {
		int rc = -errno;
		close(fd);
		return rc;
	}
	while (!found && (e = readdir(dir)))
		found = is_dir(fd, e);
	closedir(dir);
	return found;
}

static enum tri has_processes(const struct procfs *fs, const struct cgroup_place *p)
{
	char text[64];
	ssize_t n = read_file(fs, p, "cgroup.procs", text, sizeof(text));

	if (n == -EOPNOTSUPP) /* a threaded group */
		n = read_file(fs, p, "cgroup.threads", text, sizeof(text));
	return n < 0 ? TRI_UNKNOWN : tri_of(n > 0);
}

/* In v2 groups below that were not given the controller are none for it: their tasks count as the group's own. */
static enum tri read_mixed(const struct procfs *fs, const struct cgroup_place *p, bool subgroups)
{
	char text[512];

	if (!subgroups)
		return TRI_NO;
	if (p->version == 2) {
		if (read_file(fs, p, "cgroup.subtree_control", text, sizeof(text)) < 0)
			return TRI_UNKNOWN;
		if (!line_lists(text, "cpu", ' ', '\n'))
			return TRI_NO;
	}
	return has_processes(fs, p);
}

int cgroup_read(const struct procfs *fs, const struct cgroup_place *place, struct cgroup_reading *out)
{
	long long runtime;
	int subgroups;

	memset(out, 0, sizeof(*out));
	if (fs->sys < 0 || !place->dir[0])
		return -ENOENT;
	subgroups = has_subgroups(fs, place);
	if (subgroups < 0)
		return subgroups;
	if (place->below_root)
		read_weight(fs, place, out);
	read_quota(fs, place, out);
	out->mixed = read_mixed(fs, place, subgroups);
	if (place->version == 1 && read_number(fs, place, "cpu.rt_runtime_us", &runtime) == 0)
		out->rt_refused = tri_of(runtime == 0);
	return 0;
}
