/* What surrounds processes, over time: sessions, owners, limits, and the cpu cgroups they sit in, each cgroup read once for all. The caller owns the
 * structs (zeroed = empty) and uses them from one thread. */
#ifndef NICELAB_SAMPLE_AROUND_H
#define NICELAB_SAMPLE_AROUND_H

#include "kernel/cgroup.h"
#include "kernel/surround.h"

#include <stddef.h>

/* Of one process. */
struct sample_around {
	bool valid; /* it was read at least once */
	uint64_t at; /* CLOCK_MONOTONIC ns of that */
	struct surround around;
	bool placed; /* its cgroup was found */
	struct cgroup_place place;
};

struct sample_group {
	struct cgroup_place place;
	bool valid;
	uint64_t at, used_at;
	struct cgroup_reading last;
	struct known_number
		throttled; /* fraction of the periods between the last readings a second or more apart; unknown: none passed */
};

struct sample_groups {
	bool mounts_read;
	struct cgroup_mounts mounts;
	size_t count, room;
	struct sample_group *groups;
};

/* Reads the process anew. False: it is gone. */
bool sample_around_read(struct sample_groups *s, const struct procfs *fs, pid_t pid,
			struct sample_around *out);

/* The readings of a group, read for the first time where they are new; NULL where they cannot be read (or without memory). They stay
 * valid until the next call. */
const struct sample_group *sample_groups_get(struct sample_groups *s, const struct procfs *fs,
					     const struct cgroup_place *place);

/* The group above; false at the top. */
bool sample_groups_parent(const struct cgroup_place *place, struct cgroup_place *parent);

/* Reads groups whose readings are older than a second, and forgets those that nobody asked for in a minute. */
void sample_groups_update(struct sample_groups *s, const struct procfs *fs);
void sample_groups_release(struct sample_groups *s);

#endif
