/* The report of `nicelab probe`: what may be set here, what refuses the rest, and what on this host would make it moot. Who looks fills
 * a struct probe in; judging and writing are pure. Any thread. */
#ifndef NICELAB_REPORT_PROBE_H
#define NICELAB_REPORT_PROBE_H

#include "kernel/block.h"
#include "kernel/cgroup.h"
#include "kernel/host.h"
#include "kernel/surround.h"
#include "kernel/system.h"
#include "kernel/tryout.h"
#include "verdict/verdict.h"

#include <stdio.h>

/* What was seen. */
struct probe {
	struct tryout tryout;
	int failed[TRYOUT_FAMILIES]; /* -errno where a family could not be tried to its end (trial_run) */
	struct host host;
	struct system_rights rights;
	struct system_reading system;
	struct surround self;
	bool group_known;
	struct cgroup_place place;
	struct cgroup_reading group;
	char dir[256]; /* as it was given, cleaned */
	struct block_place where;
	struct block_reading block;
};

#define PROBE_TEXT 400
#define PROBE_FINDINGS 16

/* A verdict in words. */
struct probe_finding {
	unsigned rule;
	enum facts_what what; /* the kind of priority that it was found on */
	char why[PROBE_TEXT], remedy[PROBE_TEXT];
};

struct probe_findings {
	unsigned count;
	struct probe_finding at[PROBE_FINDINGS];
};

#define PROBE_ALLOWED (-1) /* set, and read back equal */
#define PROBE_UNTRIED (-2)
#define PROBE_CPUS (-3) /* DEADLINE alone: refused since the cpuset withholds CPUs (no rule of the table) */

/* What came of it: the number of the rule that refuses, or one of the above. */
struct probe_judged {
	int set[NICE_COUNT], back[NICE_COUNT];
	int ioprio[IOPRIO_CHOICES];
	int policy_set[TRYOUT_POLICIES], policy_back[TRYOUT_POLICIES];
	struct probe_findings refusals; /* each rule once */
	struct probe_findings moot; /* without those of refusals */
};

void probe_judge(const struct probe *p, struct probe_judged *out);

/* The lowest nice that may be set; false where not one may. */
bool probe_nice_floor(const struct probe_judged *j, int *nice);

/* Why a family could not be tried to its end, in words. Returns buf. */
const char *probe_failure(int error, char *buf, size_t size);

/* The report for a person, wrapped at width. */
void probe_print(FILE *out, const struct probe *p, const struct probe_judged *j, unsigned width);

/* The JSON text, schema "nicelab.probe/1", without a final newline; to be freed. NULL: no memory. */
char *probe_json(const struct probe *p, const struct probe_judged *j);

#endif
