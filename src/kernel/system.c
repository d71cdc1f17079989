/* The host and the caller's rights, as far as they decide what a priority is worth. */
#include "kernel/system.h"
#include "base/text.h"
#include "sched/cpulist.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CAP_SYS_ADMIN_BIT 21
#define CAP_SYS_NICE_BIT 23
#define SECCOMP_FILTER 2
#define STATUS_SIZE 16384 /* the list of groups may be long */

/* The first pid namespace has a fixed number: PROC_PID_INIT_INO of the kernel. */
#define FIRST_PIDNS "pid:[4026531836]"

/* The whole range, mapped to itself. Other than that it is a user namespace whose root has no power outside it. */
static enum tri is_init_userns(const struct procfs *fs)
{
	unsigned long inside, outside, count;
	char text[4096];
	ssize_t n = procfs_read(fs->proc, "thread-self/uid_map", text, sizeof(text));

	if (n == -ENOENT)
		return TRI_YES; /* the kernel has no user namespaces */
	if (n <= 0 || sscanf(text, "%lu %lu %lu", &inside, &outside, &count) != 3)
		return TRI_UNKNOWN;
	return tri_of(inside == 0 && outside == 0 && count == 4294967295UL);
}

void system_rights_read(const struct procfs *fs, struct system_rights *out)
{
	char text[STATUS_SIZE];
	long long n[2];
	uint64_t caps;

	*out = (struct system_rights){.euid = geteuid()};
	if (procfs_read(fs->proc, "thread-self/status", text, sizeof(text)) <= 0)
		return;
	if (parse_status_numbers(text, "Uid", n, 2) == 2)
		out->euid = (uid_t)n[1];
	if (parse_status_hex(text, "CapEff", &caps) == 0) {
		out->sys_nice = tri_of(caps >> CAP_SYS_NICE_BIT & 1);
		out->sys_admin = tri_of(caps >> CAP_SYS_ADMIN_BIT & 1);
	}
	if (parse_status_numbers(text, "Seccomp", n, 1) == 1)
		out->seccomp = tri_of(n[0] == SECCOMP_FILTER);
	out->init_userns = is_init_userns(fs);
}

/* A switch in /proc/sys that is 0 or 1; where it is missing, the feature is. */
static enum tri read_switch(const struct procfs *fs, const char *path)
{
	long long v;
	int rc = procfs_read_number(fs->proc, path, &v);

	if (rc == -ENOENT)
		return TRI_NO;
	return rc < 0 || v < 0 || v > 1 ? TRI_UNKNOWN : tri_of(v == 1);
}

enum tri system_autogroup(const struct procfs *fs)
{
	return read_switch(fs, "sys/kernel/sched_autogroup_enabled");
}

static void read_sched_ext(const struct procfs *fs, struct system_reading *out)
{
	char text[128];
	ssize_t n = procfs_read(fs->sys, "kernel/sched_ext/state", text, sizeof(text));

	if (n == -ENOENT && fs->sys >= 0)
		out->sched_ext = TRI_NO;
	if (n <= 0)
		return;
	out->sched_ext = tri_of(strcmp(text, "enabled\n") == 0 || strcmp(text, "enabled") == 0);
	n = procfs_read(fs->sys, "kernel/sched_ext/root/ops", text, sizeof(text));
	if (n > 0)
		text_clean(out->sched_ext_name, sizeof(out->sched_ext_name), text, strcspn(text, "\n"));
}

static int read_hidepid(const struct procfs *fs)
{
	char *text;
	int v;

	if (procfs_read_new(fs->proc, "self/mountinfo", PROCFS_MOUNTS_MAX, &text) < 0)
		return -1;
	v = parse_mount_hidepid(text);
	free(text);
	return v < 0 ? -1 : v;
}

static enum tri read_foreign_pidns(const struct procfs *fs)
{
	char text[STATUS_SIZE];
	long long pids[2];
	ssize_t n = readlinkat(fs->proc, "self/ns/pid", text, sizeof(text) - 1);
	int count;

	if (n > 0) {
		text[n] = '\0';
		return tri_of(strcmp(text, FIRST_PIDNS) != 0);
	}
	if (procfs_read(fs->proc, "self/status", text, sizeof(text)) <= 0)
		return TRI_UNKNOWN;
	count = parse_status_numbers(text, "NSpid", pids, 2);
	return count == 2 ? TRI_YES
			  : TRI_UNKNOWN; /* one number says nothing: /proc may be the namespace's own */
}

static bool can_read(int root, const char *path)
{
	char text[256];

	return procfs_read(root, path, text, sizeof(text)) > 0;
}

/* Opened alone: each reading of it walks every task. */
static bool can_open(int root, const char *path)
{
	int fd = root < 0 ? -1 : openat(root, path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

void system_read(const struct procfs *fs, struct system_reading *out)
{
	memset(out, 0, sizeof(*out));
	out->autogroup = system_autogroup(fs);
	read_sched_ext(fs, out);
	out->hidepid = read_hidepid(fs);
	out->foreign_pidns = read_foreign_pidns(fs);
	out->delayacct = read_switch(fs, "sys/kernel/task_delayacct");
	out->psi = tri_of(can_read(fs->proc, "pressure/cpu"));
	out->debugfs = tri_of(can_open(fs->sys, "kernel/debug/sched/debug"));
}

/* The lines of the CPUs come first: what follows them may be cut. */
int system_cpu_times(const struct procfs *fs, struct cpu_times *out, size_t max)
{
	enum { LINE = 256 };
	size_t size = (max + 8) * LINE;
	char *text = malloc(size);
	ssize_t n = text ? procfs_read(fs->proc, "stat", text, size) : -ENOMEM;
	int rc = n < 0 ? (int)n : parse_cpu_times(text, out, max);

	free(text);
	return rc;
}

int system_smt_sibling(const struct procfs *fs, unsigned cpu)
{
	char path[80], text[4096];
	struct cpulist all;

	snprintf(path, sizeof(path), "devices/system/cpu/cpu%u/topology/thread_siblings_list", cpu);
	if (procfs_read(fs->sys, path, text, sizeof(text)) <= 0 || cpulist_parse(text, &all) < 0)
		return -1;
	for (unsigned c = 0; c < CPULIST_MAX; c++)
		if (c != cpu && cpulist_has(&all, c))
			return (int)c;
	return -1;
}
