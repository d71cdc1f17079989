/* The cpu cgroup of a process: where it is, and what its files say. */
#include "kernel/cgroup_place.h"
#include "kernel/line.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define IDLE_WEIGHT 3 /* WEIGHT_IDLEPRIO of the kernel */

void cgroup_mounts_read(const struct procfs *fs, struct cgroup_mounts *out)
{
	cgroup_place_mounts(fs, "cpu", out); /* what cannot be read is not there */
}

/* In cgroup v2 the task group is the nearest ancestor that has cpu.weight. The true root has none; the root of a cgroup
 * namespace, as containers see it, may. Above the mount's own root nothing can be seen. */
static int find_weight(const struct procfs *fs, struct cgroup_place *p)
{
	long long weight;

	if (fs->sys < 0)
		return -ENOENT;
	do {
		if (cgroup_place_number(fs, p, "cpu.weight", &weight) == 0) {
			p->below_root = true;
			return 0;
		}
	} while (cgroup_place_up(p));
	return strcmp(p->path, "/") == 0 ? 0 : -EXDEV;
}

int cgroup_find(const struct procfs *fs, const struct cgroup_mounts *m, pid_t pid, struct cgroup_place *out)
{
	struct cgroup_place p;
	int rc = cgroup_place_find(fs, m, "cpu", pid, &p);

	memset(out, 0, sizeof(*out));
	if (rc == 0 && p.version == 0)
		rc = -ENOENT;
	else if (rc == 0 && p.version == 1)
		p.below_root = strcmp(p.path, "/") != 0; /* what no mount shows has an empty dir */
	else if (rc == 0)
		rc = p.dir[0] ? find_weight(fs, &p) : -EXDEV;
	if (rc == 0)
		*out = p;
	return rc;
}

static void read_weight(const struct procfs *fs, const struct cgroup_place *p, struct cgroup_reading *out)
{
	long long v;

	if (cgroup_place_number(fs, p, "cpu.idle", &v) == 0)
		out->idle = tri_of(v != 0);
	if (cgroup_place_number(fs, p, p->version == 1 ? "cpu.shares" : "cpu.weight", &v) == 0 && v >= 0)
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
		return cgroup_place_read(fs, p, "cpu.max", text, sizeof(text)) > 0 &&
		       parse_cpu_max(text, cpus) == 0 && *cpus > 0;
	if (cgroup_place_number(fs, p, "cpu.cfs_quota_us", &quota) < 0 || quota <= 0 ||
	    cgroup_place_number(fs, p, "cpu.cfs_period_us", &period) < 0 || period <= 0)
		return false;
	*cpus = (double)quota / (double)period;
	return true;
}

static void read_throttle(const struct procfs *fs, const struct cgroup_place *p, struct cgroup_reading *out)
{
	const char *time = p->version == 1 ? "throttled_time" : "throttled_usec";
	uint64_t periods, throttled, spent;
	char text[4096];

	if (cgroup_place_read(fs, p, "cpu.stat", text, sizeof(text)) <= 0 ||
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
	} while (cgroup_place_up(&at));
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
	ssize_t n = cgroup_place_read(fs, p, "cgroup.procs", text, sizeof(text));

	if (n == -EOPNOTSUPP) /* a threaded group */
		n = cgroup_place_read(fs, p, "cgroup.threads", text, sizeof(text));
	return n < 0 ? TRI_UNKNOWN : tri_of(n > 0);
}

/* In v2 groups below that were not given the controller are none for it: their tasks count as the group's own. */
static enum tri read_mixed(const struct procfs *fs, const struct cgroup_place *p, bool subgroups)
{
	char text[512];

	if (!subgroups)
		return TRI_NO;
	if (p->version == 2) {
		if (cgroup_place_read(fs, p, "cgroup.subtree_control", text, sizeof(text)) < 0)
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
	if (place->version == 1 && cgroup_place_number(fs, place, "cpu.rt_runtime_us", &runtime) == 0)
		out->rt_refused = tri_of(runtime == 0);
	return 0;
}
