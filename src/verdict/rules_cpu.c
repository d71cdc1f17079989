/* Rules for a nice (or policy) that is stored as asked: whether the scheduler uses it, and whether there is anything to arbitrate.
 * KERNEL-FACTS B and the order of its section 6. */
#include "verdict/rules.h"
#include "sched/prio.h"
#include "sched/share.h"

#include <math.h>
#include <sched.h>

#define POLICY_DEADLINE 6
#define POLICY_EXT 7
#define LITTLE 0.02 /* a share below counts as none */
#define THROTTLED 0.05 /* of the periods */
#define SMALL_STEP 2
#define OFF_POINTS 0.03
#define OFF_RELATIVE 0.15
#define OFF_SECONDS 3

static bool is_fair(const struct facts *f)
{
	return !f->policy_known || f->policy == SCHED_OTHER || f->policy == SCHED_BATCH;
}

static bool stopped(const struct facts *f)
{
	return is_stored(f, WHAT_NICE) && (f->state == 'T' || f->state == 't');
}

/* The nice is stored whatever the policy is, and read back equal. */
static bool has_policy(const struct facts *f, int policy)
{
	return is_asked(f, WHAT_NICE) && f->base == STATUS_APPLIED && f->policy_known && f->policy == policy;
}

static bool idle_apart(const struct facts *f)
{
	return has_policy(f, SCHED_IDLE) && f->rivals.known && f->rivals.reachable > 0 &&
	       f->rivals.differ_session + f->rivals.differ_cgroup == f->rivals.reachable;
}

static bool policy_idle(const struct facts *f)
{
	return has_policy(f, SCHED_IDLE);
}

static bool policy_realtime(const struct facts *f)
{
	return has_policy(f, SCHED_FIFO) || has_policy(f, SCHED_RR);
}

static bool policy_deadline(const struct facts *f)
{
	return has_policy(f, POLICY_DEADLINE);
}

static bool sched_ext(const struct facts *f)
{
	return is_stored(f, WHAT_NICE) && f->host->sched_ext == TRI_YES &&
	       (is_fair(f) || f->policy == POLICY_EXT);
}

static bool weight_differs(const struct facts *f)
{
	return is_asked(f, WHAT_NICE) && f->base == STATUS_APPLIED && f->weight.known && f->policy_known &&
	       is_fair(f) && fabs(f->weight.value - weight_of_nice(f->actual)) >= 1;
}

static bool uses_no_cpu(const struct facts *f)
{
	return is_stored(f, WHAT_NICE) && f->settled && f->run.known && f->wait.known &&
	       f->run.value + f->wait.value < LITTLE;
}

static bool client(const struct facts *f)
{
	return uses_no_cpu(f) && f->process->waits_on_socket == TRI_YES;
}

static bool throttled(const struct facts *f)
{
	return is_asked(f, WHAT_NICE) && f->base == STATUS_APPLIED && f->group->throttled.known &&
	       f->group->throttled.value >= THROTTLED;
}

static bool group_idle(const struct facts *f)
{
	return is_stored(f, WHAT_NICE) && f->group->idle == TRI_YES;
}

static bool waits_little(struct known_number wait)
{
	return wait.known && wait.value < LITTLE;
}

/* There are rivals, but all that it meets are threads of its own process. */
static bool no_shared_cpu(const struct facts *f)
{
	const struct facts_rivals *r = &f->rivals;

	return is_stored(f, WHAT_NICE) && r->known && r->total > r->reachable && r->reachable <= r->siblings;
}

/* By count there is a CPU for everyone and nothing measured says otherwise; or nobody has waited to speak of. */
static bool no_contention(const struct facts *f)
{
	const struct facts_rivals *r = &f->rivals;

	if (!is_stored(f, WHAT_NICE) || !r->known || no_shared_cpu(f))
		return false;
	if (f->cpus && r->reachable + 1 <= f->cpus)
		return !(f->settled && f->wait.known && f->wait.value > 0.1);
	return f->settled && waits_little(f->wait) && (r->reachable == 0 || waits_little(r->waiting));
}

static bool some_realtime(const struct facts *f)
{
	return is_stored(f, WHAT_NICE) && is_fair(f) && f->rivals.known && f->rivals.realtime > 0;
}

/* They can fill all its CPUs; fewer of them leave some on which nice counts. */
static bool rival_realtime(const struct facts *f)
{
	return some_realtime(f) && f->rivals.realtime >= f->cpus;
}

static bool few_realtime(const struct facts *f)
{
	return some_realtime(f) && f->rivals.realtime < f->cpus;
}

/* A thread of a group that holds groups too, unless its session is the group that stands beside them. */
static bool beside_groups(const struct facts *f)
{
	return f->group->mixed == TRI_YES &&
	       (f->group->below_root == TRI_YES || f->host->autogroup == TRI_NO);
}

/* All other cgroups are below the root one: a thread in it meets them with its own weight. */
static bool root_beside_groups(const struct facts *f)
{
	return beside_groups(f) && f->group->below_root == TRI_NO;
}

/* Those that its priority could be weighed against are all in other groups. */
static bool all_apart(const struct facts *f)
{
	const struct facts_rivals *r = &f->rivals;

	return is_stored(f, WHAT_NICE) && is_fair(f) && r->known && r->differ > 0 &&
	       r->differ_session + r->differ_cgroup == r->differ;
}

static bool cgroup_weight(const struct facts *f)
{
	return all_apart(f) && f->rivals.differ_cgroup > 0 && !root_beside_groups(f);
}

/* Where the session's own nice is what was asked, the sessions arbitrate as it was meant. */
static bool autogroup(const struct facts *f)
{
	return all_apart(f) && f->rivals.differ_session > 0 && f->host->autogroup == TRI_YES &&
	       f->process->in_autogroup != TRI_NO && f->process->sessions_alike != TRI_NO &&
	       f->process->autogroup_nice != f->wanted;
}

/* Somebody has turned the sessions' own nice: that arbitrates between them now. */
static bool session_nice(const struct facts *f)
{
	return all_apart(f) && f->rivals.differ_session > 0 && f->host->autogroup == TRI_YES &&
	       f->process->sessions_alike == TRI_NO && f->process->autogroup_nice != f->wanted;
}

/* It waits, and not for anybody that is known here. */
static bool rivals_outside(const struct facts *f)
{
	const struct facts_rivals *r = &f->rivals;

	return is_stored(f, WHAT_NICE) && is_fair(f) && f->settled && r->known && r->total <= r->siblings &&
	       f->cpus && r->reachable + 1 <= f->cpus && f->wait.known && f->wait.value > 0.1;
}

static bool equal_nice(const struct facts *f)
{
	return is_stored(f, WHAT_NICE) && is_fair(f) && f->rivals.known &&
	       f->rivals.reachable > f->rivals.realtime + f->rivals.siblings && f->rivals.differ == 0;
}

static bool is_off(const struct facts *f)
{
	const struct facts_share *s = &f->share;
	double tolerance;

	if (!is_asked(f, WHAT_NICE) || f->base != STATUS_APPLIED || !f->settled || !s->low.known ||
	    !s->high.known || !s->measured.known || s->seconds < OFF_SECONDS)
		return false;
	tolerance = fmax(OFF_POINTS, OFF_RELATIVE * s->high.value);
	return s->measured.value < s->low.value - tolerance || s->measured.value > s->high.value + tolerance;
}

static bool stolen(const struct facts *f)
{
	return is_off(f) && f->host->steal.known && f->host->steal.value >= 0.05;
}

static bool other_load(const struct facts *f)
{
	return is_off(f) && f->share.outside.known && f->share.outside.value >= 0.05;
}

static bool autogroup_stale(const struct facts *f)
{
	const struct facts_share *s = &f->share;
	double tolerance;

	if (!is_off(f) || !s->other_low.known || !s->other_high.known)
		return false;
	tolerance = fmax(OFF_POINTS, OFF_RELATIVE * s->other_high.value);
	return s->measured.value >= s->other_low.value - tolerance &&
	       s->measured.value <= s->other_high.value + tolerance;
}

static bool small_step(const struct facts *f)
{
	const struct facts_rivals *r = &f->rivals;

	return is_stored(f, WHAT_NICE) && is_fair(f) && r->known && r->farthest > 0 &&
	       r->farthest <= SMALL_STEP;
}

static bool wrong_neighbour(const struct facts *f)
{
	return is_stored(f, WHAT_NICE) && f->rivals.known && f->rivals.reachable > 0 &&
	       f->rivals.reachable < f->rivals.total;
}

/* Something that other rules tell of bends what the weights say. */
static bool is_explained(const struct facts *f)
{
	return stolen(f) || other_load(f) || autogroup_stale(f) || wrong_neighbour(f) || some_realtime(f) ||
	       throttled(f) || sched_ext(f) || weight_differs(f);
}

static bool off_prediction(const struct facts *f)
{
	return is_off(f) && f->share.outside.known && !is_explained(f);
}

static bool smt(const struct facts *f)
{
	return is_stored(f, WHAT_NICE) && f->smt_rival == TRI_YES;
}

static bool custom_slice(const struct facts *f)
{
	return is_asked(f, WHAT_NICE) && is_fair(f) && f->slice_ns.known && f->base_slice_ns.known &&
	       fabs(f->slice_ns.value - f->base_slice_ns.value) > 0.01 * f->base_slice_ns.value;
}

static bool uclamped(const struct facts *f)
{
	return is_asked(f, WHAT_NICE) && f->base == STATUS_APPLIED && f->uclamp == TRI_YES;
}

static bool shares_converted(const struct facts *f)
{
	return is_asked(f, WHAT_NICE) && f->group->version == 2 && f->group->raw_weight.known &&
	       f->group->raw_weight.value == 39;
}

static bool mixed_group(const struct facts *f)
{
	return is_stored(f, WHAT_NICE) && beside_groups(f) && f->rivals.known && f->rivals.differ_cgroup > 0;
}

#define REF_CGROUP "kernel: cgroup-v2.rst, CPU; sched(7), cgroups"

static const struct verdict_rule rules[] = {
	{{"stopped", STATUS_MOOT, FIX_CONTINUE, FIX_NONE, "signal(7), SIGSTOP"},
	 stopped,
	 "{asked} is stored, but the thread is stopped: it wants no CPU",
	 "let it go on (SIGCONT)"},
	{{"idle-apart", STATUS_IGNORED, FIX_POLICY_OTHER, FIX_SHARE_SESSION,
	  "sched(7), SCHED_IDLE and autogroup"},
	 idle_apart,
	 "policy IDLE counts only within its own group, and all its rivals are in others: it gets as much as "
	 "they",
	 "set cpu.idle of its cgroup or the nice of its session, or put all into one group"},
	{{"policy-idle", STATUS_IGNORED, FIX_POLICY_OTHER, FIX_NONE, "sched(7), SCHED_IDLE"},
	 policy_idle,
	 "{asked} is stored but not used: policy IDLE weighs 3, whatever the nice is (nice 0 weighs 1024)",
	 "set the policy to OTHER or BATCH (chrt -o 0), then nice counts again"},
	{{"policy-realtime", STATUS_IGNORED, FIX_POLICY_OTHER, FIX_NONE, "sched(7), SCHED_FIFO and SCHED_RR"},
	 policy_realtime,
	 "{asked} is stored but not used: policy {policy} goes before every nice, also -20",
	 "set the policy to OTHER (chrt -o 0), or change the real-time priority (chrt -f N)"},
	{{"policy-deadline", STATUS_IGNORED, FIX_POLICY_OTHER, FIX_NONE, "sched(7), SCHED_DEADLINE"},
	 policy_deadline,
	 "{asked} is stored but not used: policy DEADLINE runs by runtime and period alone",
	 "change its runtime and period (chrt -d), or set the policy to OTHER"},
	{{"sched-ext", STATUS_IGNORED, FIX_NONE, FIX_NONE, "kernel: sched-ext.rst"},
	 sched_ext,
	 "a BPF scheduler runs this machine ({scx}): it decides whether nice means anything",
	 "use its own knobs, or end it (the kernel's own scheduler comes back at once)"},
	{{"weight-differs", STATUS_IGNORED, FIX_ASK_AGAIN, FIX_NONE,
	  "proc_pid_sched; kernel/sched/core.c, sched_prio_to_weight"},
	 weight_differs,
	 "{asked} is stored, but the scheduler uses the weight {weight} for it, not that of its nice",
	 "set the nice again; if it stays, the policy or a kernel patch decides"},
	{{"client-of-daemon", STATUS_MOOT, FIX_NONE, FIX_NONE, "proc_pid_wchan(5)"},
	 client,
	 "{comm} hardly uses the CPU (run {run}) and waits on a socket: another process does the work",
	 "change the server's or the container's priority instead"},
	{{"not-cpu-bound", STATUS_MOOT, FIX_NONE, FIX_NONE, "proc_pid_schedstat(5)"},
	 uses_no_cpu,
	 "{comm} hardly wants the CPU (run {run}, wait {wait}): it waits for a disk, a lock or a network",
	 "find what it waits for; for a disk use ionice"},
	{{"cgroup-quota", STATUS_MOOT, FIX_NONE, FIX_NONE, "kernel: cgroup-v2.rst, cpu.max; sched-bwc.rst"},
	 throttled,
	 "cgroup {quotapath} may use {quota} CPUs and was throttled in {throttled} of the periods: no nice "
	 "helps against that",
	 "raise the quota: cpu.max, cpu.cfs_quota_us, CPUQuota=, docker --cpus"},
	{{"cgroup-idle", STATUS_MOOT, FIX_NONE, FIX_NONE, "kernel: cgroup-v2.rst, cpu.idle"},
	 group_idle,
	 "its cgroup {cgroup} has cpu.idle set: it weighs 3 beside others, whatever nice is inside",
	 "write 0 to cpu.idle of the group"},
	{{"no-contention", STATUS_MOOT, FIX_MORE_HOGS, FIX_NONE, "sched(7), The nice value"},
	 no_contention,
	 "{asked} holds, but nobody competes: there are CPUs enough, and nice only splits a contended one",
	 "nothing is wrong; to cap it use a quota, to see the effect give it rivals"},
	{{"no-shared-cpu", STATUS_MOOT, FIX_ALL_CPUS, FIX_NONE, "sched_setaffinity(2); cpuset(7)"},
	 no_shared_cpu,
	 "{asked} holds, but none of its {elsewhere} rivals may run on its CPUs: there is nothing to "
	 "arbitrate",
	 "let them share CPUs (taskset, cpuset), or leave it: they do not disturb each other"},
	{{"rival-realtime", STATUS_MOOT, FIX_NONE, FIX_NONE, "sched(7), SCHED_FIFO and SCHED_RR"},
	 rival_realtime,
	 "{realtime} of its rivals run under a real-time policy: they go first, whatever nice it has (about "
	 "5 % is left)",
	 "change the policy of the rival (chrt -o 0) or move it to another CPU"},
	{{"cgroup-weight", STATUS_MOOT, FIX_NONE, FIX_NONE, REF_CGROUP},
	 cgroup_weight,
	 "{asked} counts only inside its cgroup {cgroup}; against its rivals elsewhere the groups' weights "
	 "decide (here {weightfile})",
	 "set cpu.weight or cpu.shares (CPUWeight=, docker --cpu-shares), or put them into one group"},
	{{"autogroup", STATUS_MOOT, FIX_SESSION_NICE, FIX_SHARE_SESSION, "sched(7), The autogroup feature"},
	 autogroup,
	 "{asked} counts only within its own session: sessions share the CPUs evenly, whatever the nice "
	 "inside ({probably}autogroup {session}, "
	 "nice {sessionnice})",
	 "set the session's nice: echo {askedvalue} > /proc/PID/autogroup; or put them into one session or "
	 "cgroup"},
	{{"rivals-outside", STATUS_MOOT, FIX_MORE_HOGS, FIX_NONE, "sched(7), The autogroup feature"},
	 rivals_outside,
	 "{asked} holds, but what it waits for ({wait} of the time) are other programs of this machine: "
	 "between sessions and "
	 "cgroups nice does not count",
	 "look at them with top; set the nice of the session or the weight of the cgroup against them"},
	{{"equal-nice", STATUS_MOOT, FIX_NONE, FIX_NONE, "sched(7), The nice value"},
	 equal_nice,
	 "{asked} holds, but no rival has another nice: only the difference counts",
	 "give the rivals another nice"},
	{{"rival-realtime-some", STATUS_APPLIED, FIX_NONE, FIX_NONE, "sched(7), SCHED_FIFO and SCHED_RR"},
	 few_realtime,
	 "{realtime} of its rivals run under a real-time policy and go first: nice counts on the CPUs that "
	 "they "
	 "leave",
	 "change the policy of the rival (chrt -o 0) or keep it on a CPU of its own"},
	{{"session-nice", STATUS_APPLIED, FIX_SHARE_SESSION, FIX_NONE, "sched(7), The autogroup feature"},
	 session_nice,
	 "between sessions their own nice decides (here {sessionnice}), not that of the thread",
	 "turn the session's nice, or put all into one session"},
	{{"steal", STATUS_APPLIED, FIX_NONE, FIX_NONE, "proc_stat(5), steal"},
	 stolen,
	 "measured {measured}, the weights say {predicted}: the hypervisor took {steal} of the CPU time",
	 "compare shares with each other, not with the whole; ask for a quieter host"},
	{{"other-load", STATUS_APPLIED, FIX_NONE, FIX_NONE, "proc_stat(5)"},
	 other_load,
	 "measured {measured}, the weights say {predicted}: other processes took {outside} of the CPUs "
	 "meanwhile",
	 "wait until the machine is quiet, or move what is measured into a cgroup of great weight"},
	{{"autogroup-stale", STATUS_MOOT, FIX_RESPAWN, FIX_NONE, "sched(7), The autogroup feature"},
	 autogroup_stale,
	 "measured {measured}, as if autogroup were the other way: its switch does not change tasks that "
	 "already run",
	 "start the programs anew, or boot with noautogroup"},
	{{"off-prediction", STATUS_UNKNOWN, FIX_NONE, FIX_NONE, "kernel/sched/fair.c"},
	 off_prediction,
	 "measured {measured} over {seconds} s, the weights say {predicted}, and nothing seen here explains "
	 "it",
	 "look for cgroups, cpusets and BPF schedulers; as root, /sys/kernel/debug/sched/debug shows the "
	 "real groups"},
	{{"step-too-small", STATUS_APPLIED, FIX_BIGGER_STEP, FIX_NONE, "sched(7), The nice value"},
	 small_step,
	 "the nice values differ by {step}: each step is about 1.25x in weight, which is hard to see",
	 "use five steps or more: 5 is about 3x, 10 about 9x, 19 about 68x"},
	{{"wrong-neighbour", STATUS_APPLIED, FIX_ALL_CPUS, FIX_NONE, "sched_setaffinity(2)"},
	 wrong_neighbour,
	 "only {reachable} of {rivals} rivals may run on its CPUs: who shares a CPU with whom decides more "
	 "than nice",
	 "let all use the same CPUs"},
	{{"smt-sibling", STATUS_APPLIED, FIX_NONE, FIX_NONE, "kernel: core-scheduling.rst"},
	 smt,
	 "a rival runs on the other half of its core: it slows this one, and no nice arbitrates between the "
	 "halves",
	 "keep them on different cores (cpuset), or use core scheduling"},
	{{"custom-slice", STATUS_APPLIED, FIX_NONE, FIX_NONE, "sched_setattr(2), sched_runtime (Linux 6.12)"},
	 custom_slice,
	 "it has a time slice of its own, {slice}: that changes how long it waits, not how much it gets",
	 "for the share use nice or a weight"},
	{{"uclamp", STATUS_APPLIED, FIX_NONE, FIX_NONE,
	  "sched_setattr(2), sched_util_min; kernel: sched-util-clamp.rst"},
	 uclamped,
	 "its utilization is clamped: that changes the frequency and the CPU it is put on, not how much of "
	 "the CPU it gets",
	 "for the share use nice or a weight"},
	{{"cgroup-shares-converted", STATUS_APPLIED, FIX_NONE, FIX_NONE, "opencontainers/runc issue 4772"},
	 shares_converted,
	 "cpu.weight of {cgroup} is 39: older container runtimes make that of 1024 shares, the default, "
	 "which is 100 elsewhere",
	 "use a newer runtime, or write 100 to cpu.weight"},
	{{"task-beside-groups", STATUS_APPLIED, FIX_NONE, FIX_NONE,
	  "kernel: sched-design-CFS.rst, GROUP SCHEDULER"},
	 mixed_group,
	 "processes stand beside groups in {cgroup}: each process weighs as itself (15 at nice 19), a whole "
	 "group as 1024",
	 "move the processes into a group of their own"},
};

const struct verdict_rules rules_cpu = {rules, sizeof(rules) / sizeof(rules[0])};
