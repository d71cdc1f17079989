/* Judging what a probe has seen. The rules of verdict/ are asked in two ways: over what was refused, and over what would be if a rival stood
 * beside: a nice of 19 that holds, against a thread of another session, of another cgroup, and an I/O priority in the directory. */
#include "report/probe.h"
#include "base/err.h"
#include "base/text.h"
#include "sample/device.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

#define POLICY_DEADLINE 6
#define SUPPOSED_NICE NICE_MAX

/* The parts of struct facts that stay the same. */
struct parts {
	struct facts_host host;
	struct facts_group group;
	struct facts_process process;
	struct facts_io io;
};

static void copy(char *dst, size_t size, const char *src)
{
	text_clean(dst, size, src, strlen(src));
}

static void fill_host(const struct probe *p, struct facts_host *out)
{
	*out = (struct facts_host){
		.autogroup = p->system.autogroup,
		.sched_ext = p->system.sched_ext,
		.root = tri_of(p->rights.euid == 0),
		.sys_nice = p->rights.sys_nice,
		.sys_admin = p->rights.sys_admin,
		.init_userns = p->rights.init_userns,
		.seccomp = p->rights.seccomp,
		.hidepid = p->system.hidepid > 0 ? p->system.hidepid : 0,
		.foreign_pidns = p->system.foreign_pidns,
	};
	copy(out->sched_ext_name, sizeof(out->sched_ext_name), p->system.sched_ext_name);
}

static void fill_group(const struct probe *p, struct facts_group *out)
{
	const struct cgroup_reading *g = &p->group;

	memset(out, 0, sizeof(*out));
	if (!p->group_known)
		return;
	out->below_root = tri_of(p->place.below_root);
	out->version = p->place.version;
	copy(out->path, sizeof(out->path), p->place.path);
	out->weight = g->weight;
	out->raw_weight = g->raw_weight;
	out->quota = g->quota;
	copy(out->quota_path, sizeof(out->quota_path), g->quota_path);
	if (g->throttle_known && g->periods > 0)
		out->throttled = known((double)g->throttled / (double)g->periods);
	out->idle = g->idle;
	out->mixed = g->mixed;
	out->rt_refused = g->rt_refused;
}

static void fill_process(const struct probe *p, struct facts_process *out)
{
	*out = (struct facts_process){
		.comm = "nicelab",
		.same_owner = TRI_YES,
		.threads = 1,
		.reached = 1,
		.rlimit_nice = p->self.rlimit_nice,
		.has_autogroup = p->self.has_autogroup,
		.autogroup = p->self.autogroup,
		.autogroup_nice = p->self.autogroup_nice,
	};
}

static void fill_io(const struct probe *p, struct facts_io *out)
{
	*out = (struct facts_io){.rivals_same_class = TRI_YES};
	sample_device_facts(&p->where, &p->block, out);
}

static struct facts facts_of(const struct probe *p, const struct parts *parts, enum facts_what what)
{
	return (struct facts){
		.host = &parts->host,
		.group = &parts->group,
		.process = &parts->process,
		.what = what,
		.deliberate = true,
		.nice = p->tryout.own_nice,
		.policy_known = p->tryout.own_policy >= 0,
		.policy = p->tryout.own_policy,
	};
}

static bool has_rule(const struct probe_findings *l, unsigned rule)
{
	for (unsigned i = 0; i < l->count; i++)
		if (l->at[i].rule == rule)
			return true;
	return false;
}

static void add(struct probe_findings *l, unsigned rule, const struct facts *f)
{
	struct probe_finding *one = &l->at[l->count];

	if (l->count == PROBE_FINDINGS || has_rule(l, rule))
		return;
	one->rule = rule;
	one->what = f->what;
	verdict_why(one->why, sizeof(one->why), rule, f);
	verdict_remedy(one->remedy, sizeof(one->remedy), rule, f);
	l->count++;
}

static bool is_equal(const struct facts *f)
{
	if (f->what != WHAT_IOPRIO)
		return f->wanted == f->actual;
	return ioprio_same(f->wanted, f->actual, f->nice, f->policy_known ? f->policy : SCHED_OTHER);
}

/* The rule that refuses one value, which goes into the list of refusals. */
static int judge(const struct tryout_result *r, struct facts *f, struct probe_findings *refusals)
{
	struct verdict_list verdicts;

	if (!r->tried)
		return PROBE_UNTRIED;
	f->error = r->error;
	f->actual = r->actual;
	f->base = r->error	? STATUS_DENIED
		  : !r->read	? STATUS_UNKNOWN
		  : is_equal(f) ? STATUS_APPLIED
				: STATUS_CLAMPED;
	if (f->base == STATUS_APPLIED)
		return PROBE_ALLOWED;
	verdict_judge(f, &verdicts);
	if (!verdicts.found)
		return PROBE_UNTRIED;
	add(refusals, verdicts.rules[0], f);
	return verdicts.rules[0];
}

static int judge_nice(const struct probe *p, const struct parts *parts, const struct tryout_result *results,
		      int nice, struct probe_findings *refusals)
{
	struct facts f = facts_of(p, parts, WHAT_NICE);

	f.wanted = nice;
	return judge(&results[nice - NICE_MIN], &f, refusals);
}

/* The words of a rule are those of the value that is judged first: the way back to where one was tells most, then the value next to those
 * that are allowed. */
static void judge_nices(const struct probe *p, const struct parts *parts, struct probe_judged *out)
{
	int own = p->tryout.own_nice;

	judge_nice(p, parts, p->tryout.back, own, &out->refusals);
	for (int nice = NICE_MAX; nice >= NICE_MIN; nice--)
		out->set[nice - NICE_MIN] = judge_nice(p, parts, p->tryout.set, nice, &out->refusals);
	for (int nice = NICE_MAX; nice >= NICE_MIN; nice--)
		out->back[nice - NICE_MIN] = judge_nice(p, parts, p->tryout.back, nice, &out->refusals);
}

static void judge_ioprios(const struct probe *p, const struct parts *parts, struct probe_judged *out)
{
	for (int i = 0; i < IOPRIO_CHOICES; i++) {
		struct facts f = facts_of(p, parts, WHAT_IOPRIO);
		f.wanted = ioprio_choice(i);
		out->ioprio[i] = judge(&p->tryout.ioprio[i], &f, &out->refusals);
	}
}

/* One with every right that may set FIFO is refused DEADLINE for one reason: it must be allowed on all CPUs (sched(7)). */
static bool lacks_cpus(const struct probe *p, unsigned i, const struct probe_judged *j)
{
	for (unsigned k = 0; k < TRYOUT_POLICIES; k++)
		if (tryout_policy_number(k) == SCHED_FIFO && j->policy_set[k] == PROBE_ALLOWED)
			return tryout_policy_number(i) == POLICY_DEADLINE &&
			       p->tryout.policies[i].set.error == EPERM && p->rights.sys_nice == TRI_YES &&
			       p->rights.init_userns != TRI_NO;
	return false;
}

static void judge_policies(const struct probe *p, const struct parts *parts, struct probe_judged *out)
{
	for (unsigned i = 0; i < TRYOUT_POLICIES; i++) {
		const struct tryout_policy *t = &p->tryout.policies[i];
		struct facts f = facts_of(p, parts, WHAT_POLICY);

		f.wanted = tryout_policy_number(i);
		out->policy_set[i] = lacks_cpus(p, i, out) ? PROBE_CPUS : judge(&t->set, &f, &out->refusals);
		f = facts_of(p, parts, WHAT_POLICY);
		f.policy_known = true;
		f.policy = tryout_policy_number(i);
		f.wanted = SCHED_OTHER;
		out->policy_back[i] = judge(&t->back, &f, &out->refusals);
	}
}

/* All that is more than a note. */
static void add_moot(const struct facts *f, struct probe_judged *out)
{
	struct verdict_list verdicts;

	verdict_judge(f, &verdicts);
	for (unsigned i = 0; i < verdicts.count; i++) {
		unsigned rule = verdicts.rules[i];
		if (verdict_info(rule)->status != STATUS_APPLIED && !has_rule(&out->refusals, rule))
			add(&out->moot, rule, f);
	}
}

/* One rival that wants the same CPU; the group that keeps it apart is the caller's session or its cgroup. */
static void suppose_nice(const struct probe *p, const struct parts *parts, struct probe_judged *out)
{
	struct facts f = facts_of(p, parts, WHAT_NICE);

	f.base = STATUS_APPLIED;
	f.wanted = f.actual = f.nice = SUPPOSED_NICE;
	f.rivals = (struct facts_rivals){.known = true, .total = 1, .reachable = 1, .differ = 1};
	f.rivals.differ_cgroup = parts->group.below_root == TRI_YES;
	f.rivals.differ_session = !f.rivals.differ_cgroup && p->self.has_autogroup != TRI_NO;
	add_moot(&f, out);
}

/* Best effort of a level, against another level, as ionice(1) is mostly used. */
static void suppose_ioprio(const struct probe *p, const struct parts *parts, struct probe_judged *out)
{
	struct facts f = facts_of(p, parts, WHAT_IOPRIO);

	f.base = STATUS_APPLIED;
	f.wanted = f.actual = ioprio_pack((struct ioprio){.io_class = IOCLASS_BE, .level = 7});
	f.io = &parts->io;
	add_moot(&f, out);
}

/* What a user namespace would refuse to its root as well; and a process that cannot be read. */
static void suppose_limits(const struct probe *p, const struct parts *parts, struct probe_judged *out)
{
	struct facts f = facts_of(p, parts, WHAT_NICE);
	int userns = verdict_find("denied-userns"), unreadable = verdict_find("unreadable");

	f.wanted = NICE_MIN;
	f.error = EACCES;
	f.base = STATUS_DENIED;
	if (p->rights.init_userns == TRI_NO && out->set[0] >= 0 && userns >= 0 &&
	    !has_rule(&out->refusals, (unsigned)userns))
		add(&out->moot, (unsigned)userns, &f);
	f.error = 0;
	f.base = STATUS_UNKNOWN;
	struct verdict_list verdicts;
	verdict_judge(&f, &verdicts);
	for (unsigned i = 0; i < verdicts.count; i++)
		if (verdicts.rules[i] != unreadable &&
		    verdict_info(verdicts.rules[i])->status == STATUS_UNKNOWN)
			add(&out->moot, verdicts.rules[i], &f);
}

void probe_judge(const struct probe *p, struct probe_judged *out)
{
	struct parts parts;

	memset(out, 0, sizeof(*out));
	fill_host(p, &parts.host);
	fill_group(p, &parts.group);
	fill_process(p, &parts.process);
	fill_io(p, &parts.io);
	judge_nices(p, &parts, out);
	judge_ioprios(p, &parts, out);
	judge_policies(p, &parts, out);
	suppose_nice(p, &parts, out);
	suppose_ioprio(p, &parts, out);
	suppose_limits(p, &parts, out);
}

bool probe_nice_floor(const struct probe_judged *j, int *nice)
{
	for (int n = NICE_MIN; n <= NICE_MAX; n++)
		if (j->set[n - NICE_MIN] == PROBE_ALLOWED) {
			*nice = n;
			return true;
		}
	return false;
}

const char *probe_failure(int error, char *buf, size_t size)
{
	if (error == -ECANCELED)
		snprintf(buf, size, "the child was killed within the call, probably by a seccomp filter");
	else if (error == -ETIMEDOUT)
		snprintf(buf, size, "the child got no turn on a CPU for too long");
	else
		err_words(-error, buf, size);
	return buf;
}
