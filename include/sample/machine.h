/* The host over time: how busy its CPUs are, and what about it can make priorities moot. The caller owns the struct (zeroed = empty) and uses it from
 * one thread. */
#ifndef NICELAB_SAMPLE_MACHINE_H
#define NICELAB_SAMPLE_MACHINE_H

#include "kernel/system.h"
#include "sched/cpulist.h"

#include <stddef.h>

#define MACHINE_POINTS 10 /* a second apart */

struct machine_point {
	uint64_t at; /* CLOCK_MONOTONIC ns */
	uint64_t busy, idle, steal; /* clock ticks, summed over the CPUs */
};

struct sample_machine {
	uint64_t read_at; /* of the slow readings, CLOCK_MONOTONIC ns */
	uint64_t searched_at; /* for the renicer */
	struct system_reading system;
	struct system_rights rights; /* of the calling thread */
	enum tri schedstat,
		sched_file; /* whether this kernel shows run and wait clocks, and /proc/PID/sched */
	struct known_number
		base_slice_ns; /* the time slice of a thread that asked for none: the caller's own */
	char renicer[32]; /* sample_machine_find_renicer: name of a daemon that sets priorities by itself */
	size_t used; /* points since the last restart; a ring of MACHINE_POINTS */
	struct machine_point points[MACHINE_POINTS];
};

/* Reads what is due: the clocks of these CPUs always, the rest every few seconds. */
void sample_machine_update(struct sample_machine *m, const struct procfs *fs, const struct cpulist *cpus);

/* Looks through all processes for a daemon that is known to set priorities by itself; at most once in a minute. */
void sample_machine_find_renicer(struct sample_machine *m, const struct procfs *fs);

/* The CPU clocks begin anew: what was measured before does not count. */
void sample_machine_restart(struct sample_machine *m);

/* Over the kept points (10 s at most, not before the last restart): fractions of the CPUs' time that was busy, and that the hypervisor
 * took. Unknown under two seconds. */
struct known_number sample_machine_busy(const struct sample_machine *m);
struct known_number sample_machine_steal(const struct sample_machine *m);

#endif
