/* Facts about this host. */
#include "kernel/host.h"
#include "kernel/parse.h"
#include "kernel/priority.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define CAP_SYS_NICE_BIT 23

static void read_kernel(const struct procfs *fs, struct host *out)
{
	char text[80];
	ssize_t n = procfs_read(fs->proc, "sys/kernel/osrelease", text, sizeof(text));

	if (n > 0 && text[n - 1] == '\n')
		n--;
	if (n > 0)
		text_clean(out->kernel, sizeof(out->kernel), text, (size_t)n);
	else
		snprintf(out->kernel, sizeof(out->kernel), "?");
}

/* In cgroup v2 the task group is the nearest ancestor that has cpu.weight. The true root has none; the root of a cgroup
 * namespace, as containers see it, may. The mount point comes as an absolute path, and is looked up below the sys root. */
static bool v2_group_has_cpu(const struct procfs *fs, const char *mount, char *path)
{
	const char *below = strncmp(mount, "/sys/", 5) == 0 ? mount + 5 : NULL;

	if (strcmp(path, "/") == 0)
		path[0] = '\0';
	while (below) {
		char file[700], value[32], *slash;

		snprintf(file, sizeof(file), "%.200s%.400s/cpu.weight", below, path);
		if (procfs_read(fs->sys, file, value, sizeof(value)) > 0)
			return true;
		slash = strrchr(path, '/');
		if (!slash)
			break;
		*slash = '\0';
	}
	return false;
}

static bool in_cpu_cgroup(const struct procfs *fs)
{
	static char mounts[256 * 1024]; /* hosts with containers have hundreds of mounts */
	char text[4096], mount[256], path[400];
	int version = 0;

	if (procfs_read_all(fs->proc, "self/cgroup", text, sizeof(text)) <= 0 ||
	    parse_cgroup_cpu(text, path, sizeof(path), &version) < 0)
		return false;
	if (version == 1)
		return strcmp(path, "/") != 0;
	if (procfs_read_all(fs->proc, "self/mountinfo", mounts, sizeof(mounts)) <= 0 ||
	    parse_mount_cgroup2(mounts, mount, sizeof(mount)) < 0)
		return false;
	return v2_group_has_cpu(fs, mount, path);
}

static enum autogroup read_autogroup(const struct procfs *fs)
{
	char text[16];
	ssize_t n = procfs_read(fs->proc, "sys/kernel/sched_autogroup_enabled", text, sizeof(text));

	if (n == -ENOENT)
		return AUTOGROUP_OFF;
	if (n <= 0 || (text[0] != '0' && text[0] != '1'))
		return AUTOGROUP_UNKNOWN;
	if (text[0] == '0')
		return AUTOGROUP_OFF;
	return in_cpu_cgroup(fs) ? AUTOGROUP_CGROUP : AUTOGROUP_ON;
}

/* The check in the kernel is against the initial user namespace: a "root" of another has no power. */
static bool read_may_lower(const struct procfs *fs)
{
	char text[4096];
	uint64_t caps;
	unsigned long inside, outside, count;

	if (procfs_read(fs->proc, "self/status", text, sizeof(text)) <= 0 ||
	    parse_status_hex(text, "CapEff", &caps) < 0 || !(caps >> CAP_SYS_NICE_BIT & 1))
		return false;
	if (procfs_read(fs->proc, "self/uid_map", text, sizeof(text)) <= 0)
		return true;
	return sscanf(text, "%lu %lu %lu", &inside, &outside, &count) == 3 && inside == 0 && outside == 0 &&
	       count == 4294967295UL;
}

static long soft_limit(__rlimit_resource_t resource)
{
	struct rlimit r;

	return getrlimit(resource, &r) < 0 || r.rlim_cur == RLIM_INFINITY ? -1 : (long)r.rlim_cur;
}

int host_read(const struct procfs *fs, struct host *out)
{
	memset(out, 0, sizeof(*out));
	read_kernel(fs, out);
	out->autogroup = read_autogroup(fs);
	out->own_nice = priority_own_nice();
	out->may_lower_nice = read_may_lower(fs);
	out->rlimit_nice = soft_limit(RLIMIT_NICE);
	out->rlimit_nproc = soft_limit(RLIMIT_NPROC);
	return priority_get_cpus(0, &out->cpus);
}

int host_nice_floor(const struct host *h)
{
	long limit = h->rlimit_nice < 0 ? 40 : h->rlimit_nice; /* -1: unlimited */

	return limit > 40 ? -20 : (int)(20 - limit);
}

const char *host_autogroup_word(enum autogroup a)
{
	static const char *const words[] = {"on", "off", "in a cgroup", "unknown"};

	return words[a];
}
