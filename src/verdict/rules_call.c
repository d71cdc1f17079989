/* Rules about the thread's identity, the call, and what was read back: KERNEL-FACTS A. The order matters. */
#include "verdict/rules.h"
#include "sched/prio.h"

#include <errno.h>
#include <sched.h>

static bool failed(const struct facts *f)
{
	return f->base == STATUS_DENIED && f->error != 0;
}

static bool not_allowed(const struct facts *f)
{
	return failed(f) && (f->error == EPERM || f->error == EACCES);
}

static bool is_gone(const struct facts *f)
{
	return f->base != STATUS_NONE && (f->process->gone == TRI_YES || (failed(f) && f->error == ESRCH));
}

static bool is_reused(const struct facts *f)
{
	return f->base != STATUS_NONE && f->process->reused == TRI_YES;
}

static bool is_zombie(const struct facts *f)
{
	return f->base != STATUS_NONE && (f->state == 'Z' || f->state == 'X');
}

static bool is_kthread(const struct facts *f)
{
	return is_asked(f, f->what) && f->process->kthread == TRI_YES;
}

static int in_range(double nice)
{
	return nice < NICE_MIN ? NICE_MIN : nice > NICE_MAX ? NICE_MAX : (int)nice;
}

/* The target's RLIMIT_NICE allows the nice (getrlimit(2)). */
static bool limit_allows(const struct facts *f)
{
	return f->what == WHAT_NICE && f->process->rlimit_nice.known &&
	       f->process->rlimit_nice.value >= 20 - in_range(f->wanted);
}

/* By all that the manual says the call is permitted. */
static bool has_right(const struct facts *f)
{
	return limit_allows(f) || (f->host->sys_nice == TRI_YES && f->host->init_userns != TRI_NO);
}

static bool ioprio_invalid(const struct facts *f)
{
	return f->what == WHAT_IOPRIO && failed(f) && f->error == EINVAL;
}

static bool policy_invalid(const struct facts *f)
{
	return f->what == WHAT_POLICY && failed(f) && f->error == EINVAL;
}

static bool autogroup_range(const struct facts *f)
{
	return f->what == WHAT_AUTOGROUP && failed(f) && f->error == EINVAL;
}

static bool autogroup_busy(const struct facts *f)
{
	return f->what == WHAT_AUTOGROUP && failed(f) && f->error == EAGAIN;
}

static bool autogroup_denied(const struct facts *f)
{
	return f->what == WHAT_AUTOGROUP && not_allowed(f);
}

static bool rt_group(const struct facts *f)
{
	return f->what == WHAT_POLICY && not_allowed(f) &&
	       (f->wanted == SCHED_FIFO || f->wanted == SCHED_RR) && f->group->rt_refused == TRI_YES;
}

/* setpriority(2) says EPERM where the owner is another, and EACCES where the caller's own may not go lower. */
static bool other_user(const struct facts *f)
{
	bool by_errno = f->what == WHAT_NICE && f->error == EPERM && f->process->same_owner == TRI_UNKNOWN;

	return not_allowed(f) && (f->process->same_owner == TRI_NO || by_errno) &&
	       f->host->sys_nice != TRI_YES;
}

static bool user_namespace(const struct facts *f)
{
	return not_allowed(f) && f->host->sys_nice == TRI_YES && f->host->init_userns == TRI_NO;
}

static bool seccomp(const struct facts *f)
{
	return failed(f) && f->host->seccomp == TRI_YES &&
	       (f->error == ENOSYS || (not_allowed(f) && has_right(f)));
}

static bool security_module(const struct facts *f)
{
	return not_allowed(f) &&
	       (limit_allows(f) || (f->host->sys_nice == TRI_YES && f->host->init_userns == TRI_YES));
}

static bool root_without(const struct facts *f)
{
	return not_allowed(f) && f->host->root == TRI_YES && f->host->sys_nice == TRI_NO;
}

static bool leaves_idle(const struct facts *f)
{
	return f->what == WHAT_POLICY && not_allowed(f) && f->policy_known && f->policy == SCHED_IDLE &&
	       (f->wanted == SCHED_OTHER || f->wanted == SCHED_BATCH);
}

static bool ioprio_rt(const struct facts *f)
{
	return f->what == WHAT_IOPRIO && not_allowed(f) && ioprio_unpack(f->wanted).io_class == IOCLASS_RT;
}

static bool ioprio_idle(const struct facts *f)
{
	return f->what == WHAT_IOPRIO && not_allowed(f) && ioprio_unpack(f->wanted).io_class == IOCLASS_IDLE;
}

static bool policy_rt(const struct facts *f)
{
	return f->what == WHAT_POLICY && not_allowed(f) &&
	       (f->wanted == SCHED_FIFO || f->wanted == SCHED_RR || f->wanted == 6);
}

static bool limited(const struct facts *f)
{
	return f->what == WHAT_NICE && not_allowed(f) && f->process->rlimit_nice.known &&
	       f->process->rlimit_nice.value > 0 && !limit_allows(f);
}

static bool lowering(const struct facts *f)
{
	return f->what == WHAT_NICE && not_allowed(f);
}

/* Classes without levels keep what was meant. */
static bool level_overflow(const struct facts *f)
{
	struct ioprio wanted = ioprio_unpack(f->wanted);

	return f->what == WHAT_IOPRIO && (f->base == STATUS_APPLIED || f->base == STATUS_CLAMPED) &&
	       (wanted.io_class == IOCLASS_RT || wanted.io_class == IOCLASS_BE) &&
	       (wanted.hint != 0 || (f->base == STATUS_CLAMPED && ioprio_unpack(f->actual).hint != 0));
}

static bool clamped(const struct facts *f)
{
	return f->what == WHAT_NICE && f->base == STATUS_CLAMPED &&
	       (f->wanted < NICE_MIN || f->wanted > NICE_MAX);
}

static bool stored_other(const struct facts *f)
{
	return f->base == STATUS_CLAMPED;
}

static bool policy_reset(const struct facts *f)
{
	return f->what == WHAT_NICE && f->base == STATUS_REVERTED && f->actual == 0 &&
	       f->policy_changed == TRI_YES;
}

static bool reverted(const struct facts *f)
{
	return f->base == STATUS_REVERTED;
}

static bool cpus_reverted(const struct facts *f)
{
	return f->what == WHAT_NICE && f->process->moved == TRI_YES;
}

static bool reset_on_fork(const struct facts *f)
{
	return (f->base == STATUS_PARTIAL || f->base == STATUS_REVERTED) && f->reset_on_fork == TRI_YES &&
	       f->actual == 0 && f->wanted < 0 && f->what == WHAT_NICE;
}

static bool born_after(const struct facts *f)
{
	return f->base == STATUS_PARTIAL && f->born_after == TRI_YES;
}

static bool main_only(const struct facts *f)
{
	return f->base == STATUS_PARTIAL;
}

/* What was asked of it since then, and holds, is no loss. */
static bool launcher_lost(const struct facts *f)
{
	return f->what == WHAT_NICE && f->process->launcher.known &&
	       in_range(f->process->launcher.value) != f->nice &&
	       (f->base == STATUS_NONE || (f->base == STATUS_APPLIED && !f->deliberate));
}

static bool zsh_background(const struct facts *f)
{
	return f->what == WHAT_NICE && f->process->from_zsh == TRI_YES && f->base == STATUS_NONE &&
	       f->nice >= 5;
}

static bool children_apart(const struct facts *f)
{
	return is_stored(f, WHAT_NICE) && f->process->children_apart > 0;
}

static bool denied(const struct facts *f)
{
	return failed(f);
}

static const struct verdict_rule rules[] = {
	{{"pid-gone", STATUS_UNKNOWN, FIX_NONE, FIX_NONE, "proc_pid(5)"},
	 is_gone,
	 "{comm} is gone: there is no such thread any more (ESRCH)",
	 "name a process that still runs; a service may have been started anew under another pid"},
	{{"pid-reused", STATUS_UNKNOWN, FIX_NONE, FIX_NONE, "proc_pid_stat(5), starttime"},
	 is_reused,
	 "the number belongs to another process by now: its start time differs, so nothing was changed",
	 "look the pid up again; keep pid and start time together, or a pidfd"},
	{{"zombie", STATUS_MOOT, FIX_NONE, FIX_NONE, "proc_pid_stat(5), state Z"},
	 is_zombie,
	 "{comm} is a zombie: it has ended and waits to be reaped, and accepts any priority with success",
	 "look at its parent, which has not reaped it; the work is done elsewhere or not at all"},
	{{"ioprio-invalid", STATUS_DENIED, FIX_NONE, FIX_NONE, "ioprio_set(2), EINVAL"},
	 ioprio_invalid,
	 "the kernel knows no such I/O priority: a class above 3, or class none with a level ({errno})",
	 "use none, rt/0-7, be/0-7 or idle"},
	{{"policy-invalid", STATUS_DENIED, FIX_NONE, FIX_NONE, "sched_setscheduler(2), EINVAL"},
	 policy_invalid,
	 "the policy and its real-time priority do not go together: only FIFO and RR take one, 1 to 99 "
	 "({errno})",
	 "give priority 0 with OTHER, BATCH and IDLE"},
	{{"autogroup-range", STATUS_DENIED, FIX_NONE, FIX_NONE, "proc_pid_autogroup(5)"},
	 autogroup_range,
	 "an autogroup's nice is not clamped: only -20 to 19 is taken ({errno})",
	 "write a value from -20 to 19"},
	{{"autogroup-busy", STATUS_DENIED, FIX_ASK_AGAIN, FIX_NONE, "kernel/sched/autogroup.c"},
	 autogroup_busy,
	 "without CAP_SYS_ADMIN the whole system takes one write to an autogroup in 100 ms ({errno})",
	 "write it again a little later"},
	{{"autogroup-denied", STATUS_DENIED, FIX_NONE, FIX_NONE, "proc_pid_autogroup(5)"},
	 autogroup_denied,
	 "the session's nice was refused ({errno}): only its owner may set it, and below 0 only with "
	 "CAP_SYS_NICE or RLIMIT_NICE",
	 "write it as the owner with a value of 0 or more, or as root"},
	{{"rt-group", STATUS_DENIED, FIX_NONE, FIX_NONE, "kernel: sched-rt-group.rst"},
	 rt_group,
	 "the cpu cgroup {cgroup} has no real-time budget (cpu.rt_runtime_us 0), so even root is refused "
	 "({errno})",
	 "set cpu.rt_runtime_us of the group, or move the process to the root group first"},
	{{"denied-eperm", STATUS_DENIED, FIX_NONE, FIX_NONE, "setpriority(2), EPERM; ioprio_set(2)"},
	 other_user,
	 "{asked} refused: {comm} belongs to another user ({errno})",
	 "ask as its owner (who may {owner}), or with CAP_SYS_NICE, which root has outside of containers"},
	{{"denied-userns", STATUS_DENIED, FIX_NONE, FIX_NONE, "user_namespaces(7); capabilities(7)"},
	 user_namespace,
	 "{asked} refused: root of a user namespace has no power over priorities, CAP_SYS_NICE counts in the "
	 "host's own only ({errno})",
	 "set it from the host; a rootless container cannot, with any option"},
	{{"denied-seccomp", STATUS_DENIED, FIX_NONE, FIX_NONE,
	  "seccomp(2); systemd.exec(5), SystemCallFilter"},
	 seccomp,
	 "{asked} refused although the right to it is there: probably a seccomp filter on the caller "
	 "({errno})",
	 "allow setpriority, ioprio_set and sched_setattr in the profile (systemd: @resources)"},
	{{"denied-lsm", STATUS_DENIED, FIX_NONE, FIX_NONE,
	  "capabilities(7); audit log of SELinux or AppArmor"},
	 security_module,
	 "{asked} refused although the right to it is there: probably by a security module such as SELinux "
	 "({errno})",
	 "look into the audit log; allow setsched, or capability sys_nice, in the policy"},
	{{"denied-capability", STATUS_DENIED, FIX_RESPAWN, FIX_NONE, "capabilities(7), CAP_SYS_NICE"},
	 root_without,
	 "{asked} refused: root, but without CAP_SYS_NICE, as containers are by default ({errno})",
	 "run the container with --cap-add SYS_NICE, or set it from the host"},
	{{"policy-one-way", STATUS_DENIED, FIX_RESPAWN, FIX_NONE, "sched(7), SCHED_IDLE"},
	 leaves_idle,
	 "policy IDLE is a one-way street for an ordinary user: leaving it needs RLIMIT_NICE {needs} "
	 "({errno})",
	 "start it anew under the policy it shall have, or ask as root"},
	{{"ioprio-rt-denied", STATUS_DENIED, FIX_NONE, FIX_NONE, "ioprio_set(2), EPERM"},
	 ioprio_rt,
	 "{asked} refused: class rt needs CAP_SYS_NICE or CAP_SYS_ADMIN, whoever owns the process ({errno})",
	 "ask as root; or be/0, and class idle for its rivals: both are free for everybody"},
	{{"ioprio-idle-denied", STATUS_DENIED, FIX_NONE, FIX_NONE, "ioprio_set(2); Linux 2.6.25"},
	 ioprio_idle,
	 "class idle was refused: kernels before 2.6.25 keep it for root ({errno})",
	 "use be/7"},
	{{"policy-rt-denied", STATUS_DENIED, FIX_NONE, FIX_NONE, "sched(7); getrlimit(2), RLIMIT_RTPRIO"},
	 policy_rt,
	 "a real-time policy needs CAP_SYS_NICE or, for FIFO and RR, RLIMIT_RTPRIO ({errno})",
	 "raise RLIMIT_RTPRIO (limits.conf rtprio, systemd LimitRTPRIO=), or ask as root"},
	{{"rlimit-nice", STATUS_DENIED, FIX_RESPAWN, FIX_NONE, "getrlimit(2), RLIMIT_NICE; limits.conf(5)"},
	 limited,
	 "{asked} refused: RLIMIT_NICE of the process is {rlimit}, {asked} needs {needs} ({errno})",
	 "raise the limit of the target (limits.conf nice, systemd LimitNICE=), or ask as root"},
	{{"denied-eacces", STATUS_DENIED, FIX_RESPAWN, FIX_NONE,
	  "setpriority(2), EACCES; getrlimit(2), RLIMIT_NICE"},
	 lowering,
	 "{asked} refused ({errno}): a lower nice, even the one it had before, needs CAP_SYS_NICE or "
	 "RLIMIT_NICE {needs}",
	 "start it anew at the nice it shall have, or ask as root"},
	{{"denied", STATUS_DENIED, FIX_ASK_AGAIN, FIX_NONE, "setpriority(2); ioprio_set(2)"},
	 denied,
	 "{asked} refused by the kernel ({errno})",
	 "look the errno up in the manual page of the call"},
	{{"kthread", STATUS_MOOT, FIX_NONE, FIX_NONE, "setpriority(2); kernel: workqueue.rst"},
	 is_kthread,
	 "{comm} is a kernel thread: workers come from a pool, so work moves on to threads of another nice",
	 "use the subsystem's own knob, such as the nice of a workqueue in /sys/devices/virtual/workqueue"},
	{{"ioprio-level-overflow", STATUS_CLAMPED, FIX_NONE, FIX_NONE, "ioprio_set(2); Linux 6.5, I/O hints"},
	 level_overflow,
	 "a level above 7 spills into the hint bits, and the level starts over at 0, the highest (stored: "
	 "{actual})",
	 "ask a level from 0 to 7; 7 is the lowest"},
	{{"clamped", STATUS_CLAMPED, FIX_IN_RANGE, FIX_NONE, "setpriority(2)"},
	 clamped,
	 "{asked} was asked, the kernel stored {actual} and called it a success: the range is -20 to 19",
	 "ask for what there is: 19 is the nicest, -20 the least nice"},
	{{"stored-other", STATUS_CLAMPED, FIX_ASK_AGAIN, FIX_NONE, "setpriority(2); ioprio_set(2)"},
	 stored_other,
	 "{asked} was asked, the kernel stored {actual} without an error",
	 "read back after every change; ask for the value that is meant"},
	{{"policy-call-reset", STATUS_REVERTED, FIX_ASK_AGAIN, FIX_NONE, "sched_setattr(2), sched_nice"},
	 policy_reset,
	 "{asked} was set, then another program changed the policy and with it the nice to 0",
	 "that program must pass the nice, or SCHED_FLAG_KEEP_PARAMS; then ask again"},
	{{"reset-on-fork", STATUS_PARTIAL, FIX_EVERY_THREAD, FIX_NONE, "sched(7), SCHED_RESET_ON_FORK"},
	 reset_on_fork,
	 "its creator has the reset-on-fork flag: what it makes begins at nice 0, whatever the creator has",
	 "ask the new thread itself"},
	{{"reverted", STATUS_REVERTED, FIX_ASK_AGAIN, FIX_NONE, "setpriority(2)"},
	 reverted,
	 "{asked} was set and held, then something else set {actual}{renicer}",
	 "find who did (ananicy, gamemode, system76-scheduler, a person), teach it, then ask again"},
	{{"cpus-reverted", STATUS_REVERTED, FIX_GIVEN_CPUS, FIX_NONE, "sched_setaffinity(2); taskset(1)"},
	 cpus_reverted,
	 "it may run on CPUs {cpus} only, which are not those it was given: who shares a CPU with whom has "
	 "changed",
	 "find who did (taskset, a cpuset), or give it its CPUs again"},
	{{"thread-born-after", STATUS_PARTIAL, FIX_EVERY_THREAD, FIX_NONE, "clone(2); setpriority(2), NOTES"},
	 born_after,
	 "this thread began after {asked} was set, and inherited {actual} from the thread that made it",
	 "ask every thread of /proc/PID/task, and scan again until no new one turns up"},
	{{"main-thread-only", STATUS_PARTIAL, FIX_EVERY_THREAD, FIX_NONE,
	  "setpriority(2), NOTES; ioprio_set(2)"},
	 main_only,
	 "{asked} was sent to the main thread only, as renice -p and ionice -p do: {reached} of {threads} "
	 "threads have it{reachedcpu}",
	 "ask every thread of /proc/PID/task; or start the program under nice or ionice, so that all inherit "
	 "it"},
	{{"launcher-lost", STATUS_REVERTED, FIX_NONE, FIX_NONE, "nice(1); systemd.exec(5), Nice"},
	 launcher_lost,
	 "it was started to run at nice {launcher}, and runs at {nice}: nice(1) goes on after a refusal, "
	 "sudo, cron and units may reset it",
	 "set it where the program is started last (nice -n N, Nice= of the unit), then read it back"},
	{{"shell-bg-nice", STATUS_APPLIED, FIX_NONE, FIX_NONE, "zshoptions(1), BG_NICE"},
	 zsh_background,
	 "nobody asked, and it runs at nice {nice}: zsh adds 5 to jobs started with &",
	 "unsetopt BG_NICE in zsh"},
	{{"children-unaffected", STATUS_PARTIAL, FIX_NONE, FIX_NONE, "fork(2); renice(1)"},
	 children_apart,
	 "{asked} holds here, but {children} of its child processes run at another: fork copies a nice once",
	 "ask the children too, or start the tree under nice"},
};

const struct verdict_rules rules_call = {rules, sizeof(rules) / sizeof(rules[0])};
