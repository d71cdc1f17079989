/* Facts about this host. */
#include "kernel/host.h"
#include "kernel/cgroup.h"
#include "kernel/priority.h"
#include "kernel/system.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

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

static bool in_cpu_cgroup(const struct procfs *fs)
{
	struct cgroup_mounts mounts;
	struct cgroup_place place;

	cgroup_mounts_read(fs, &mounts);
	return cgroup_find(fs, &mounts, 0, &place) == 0 && place.below_root;
}

static enum autogroup read_autogroup(const struct procfs *fs)
{
	enum tri on = system_autogroup(fs);

	if (on == TRI_UNKNOWN)
		return AUTOGROUP_UNKNOWN;
	if (on == TRI_NO)
		return AUTOGROUP_OFF;
	return in_cpu_cgroup(fs) ? AUTOGROUP_CGROUP : AUTOGROUP_ON;
}

/* The check in the kernel is against the initial user namespace: a "root" of another has no power. */
static bool read_may_lower(const struct procfs *fs)
{
	struct system_rights rights;

	system_rights_read(fs, &rights);
	return rights.sys_nice == TRI_YES && rights.init_userns != TRI_NO;
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
