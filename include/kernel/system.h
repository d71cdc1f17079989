/* What on this host, or in the caller's own rights, can make a priority moot or refused. Slow to change; read now and
 * then. Any thread. */
#ifndef NICELAB_KERNEL_SYSTEM_H
#define NICELAB_KERNEL_SYSTEM_H

#include "base/known.h"
#include "kernel/parse.h"
#include "kernel/procfs.h"

#include <sys/types.h>

/* Of the calling process. */
struct system_rights {
	uid_t euid;
	enum tri sys_nice, sys_admin; /* CapEff of /proc/thread-self/status */
	enum tri init_userns; /* uid_map is the identity over the full range */
	enum tri seccomp; /* a filter is on the caller ("Seccomp: 2") */
};
void system_rights_read(const struct procfs *fs, struct system_rights *out);

struct system_reading {
	enum tri autogroup; /* kernel.sched_autogroup_enabled; NO where it is not built in */
	/* A scheduler of BPF is running: /sys/kernel/sched_ext/state is "enabled". NO where there is no such file. */
	enum tri sched_ext;
	char sched_ext_name[48]; /* root/ops, cleaned; empty if it cannot be read */
	int hidepid; /* of /proc: 0, 1, 2, 4; -1 unknown */
	/* The caller is in a pid namespace below the first, by the number of /proc/self/ns/pid. ("NSpid" would tell only where
	 * /proc belongs to another namespace; it decides where the link cannot be read.) */
	enum tri foreign_pidns;
	enum tri delayacct; /* kernel.task_delayacct; NO where the file is missing */
	enum tri psi; /* /proc/pressure/cpu can be read */
	enum tri debugfs; /* /sys/kernel/debug/sched/debug can be opened */
};
void system_read(const struct procfs *fs, struct system_reading *out);

/* system_reading.autogroup alone. */
enum tri system_autogroup(const struct procfs *fs);

/* /proc/stat of every CPU. Returns the count (highest CPU + 1, at most max) or -errno. */
int system_cpu_times(const struct procfs *fs, struct cpu_times *out, size_t max);

/* Another CPU that shares a core with this one (topology/thread_siblings_list), or -1: none, or unknown. */
int system_smt_sibling(const struct procfs *fs, unsigned cpu);

#endif
