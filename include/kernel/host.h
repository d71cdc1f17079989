/* Facts about this host and about what the caller may do here. Read once at the start; plain data. */
#ifndef NICELAB_KERNEL_HOST_H
#define NICELAB_KERNEL_HOST_H

#include "kernel/procfs.h"
#include "sched/cpulist.h"

#include <stdbool.h>

/* What decides whether sessions keep apart from each other. */
enum autogroup {
	AUTOGROUP_ON, /* each session is a group of its own */
	AUTOGROUP_OFF, /* kernel.sched_autogroup_enabled is 0, or not built in */
	AUTOGROUP_CGROUP, /* on, but without effect: the caller sits in a cpu cgroup below the root */
	AUTOGROUP_UNKNOWN, /* it cannot be read */
};

struct host {
	char kernel[64]; /* "6.18.0", cleaned */
	struct cpulist cpus; /* that the caller may run on */
	enum autogroup autogroup;
	int own_nice; /* of the caller at the start */
	bool may_lower_nice; /* CAP_SYS_NICE in the initial user namespace, as far as can be seen */
	long rlimit_nice; /* RLIMIT_NICE of the caller: 20 - the lowest nice it allows */
	long rlimit_nproc; /* RLIMIT_NPROC of the caller, -1 for none */
};

/* Fills in what can be read. 0 or -errno (the CPUs of the caller cannot be read). */
int host_read(const struct procfs *fs, struct host *out);

/* The lowest nice value that the caller may set without CAP_SYS_NICE, from RLIMIT_NICE (getrlimit(2)); never below -20;
 * 20 where it allows none. */
int host_nice_floor(const struct host *h);

/* "on", "off", "in a cgroup", "unknown". */
const char *host_autogroup_word(enum autogroup a);

#endif
