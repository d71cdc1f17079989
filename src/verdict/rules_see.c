/* Rules about what cannot be seen here: KERNEL-FACTS D. Where the priority itself cannot be read the status is UNKNOWN; else they are
 * notes that say what a verdict could not rest on. */
#include "verdict/rules.h"

static bool blind(const struct facts *f)
{
	return f->base == STATUS_UNKNOWN;
}

static bool hidepid(const struct facts *f)
{
	return blind(f) && f->host->hidepid > 0;
}

static bool other_pidns(const struct facts *f)
{
	return blind(f) && f->host->foreign_pidns == TRI_YES;
}

static bool no_schedstat(const struct facts *f)
{
	return is_stored(f, WHAT_NICE) && f->host->schedstat == TRI_NO;
}

static bool no_sched_file(const struct facts *f)
{
	return is_stored(f, WHAT_NICE) && f->host->sched_file == TRI_NO;
}

/* /proc/PID/io of another user. */
static bool io_unreadable(const struct facts *f)
{
	return is_stored(f, WHAT_IOPRIO) && f->settled && f->io && f->io->does_io == TRI_UNKNOWN;
}

static bool no_delayacct(const struct facts *f)
{
	return is_stored(f, WHAT_IOPRIO) && f->io && f->io->does_io == TRI_YES &&
	       f->host->delayacct == TRI_NO;
}

static bool no_psi(const struct facts *f)
{
	return is_stored(f, WHAT_IOPRIO) && f->io && f->io->does_io == TRI_YES && f->host->psi == TRI_NO;
}

/* It would matter only where the groups are in question. */
static bool no_debugfs(const struct facts *f)
{
	return is_stored(f, WHAT_NICE) && f->host->debugfs == TRI_NO && f->rivals.known &&
	       f->rivals.differ_session > 0 && f->process->autogroup_nice != f->wanted;
}

static const struct verdict_rule rules[] = {
	{{"hidepid", STATUS_UNKNOWN, FIX_NONE, FIX_NONE, "proc(5), hidepid"},
	 hidepid,
	 "/proc is mounted with hidepid: processes of other users cannot be read here",
	 "look as root, as the owner, or as a member of the group given to gid= of the mount"},
	{{"other-pid-namespace", STATUS_UNKNOWN, FIX_NONE, FIX_NONE, "pid_namespaces(7)"},
	 other_pidns,
	 "this runs in a pid namespace of its own: a pid of the host means another process here, or none",
	 "look from the host, or use the number that the process has inside (NSpid)"},
	{{"unreadable", STATUS_UNKNOWN, FIX_NONE, FIX_NONE, "proc(5); ptrace(2), access mode checking"},
	 blind,
	 "{asked} was asked, but what holds now cannot be read here",
	 "look as the owner of the process, or as root"},
	{{"no-schedstat", STATUS_APPLIED, FIX_NONE, FIX_NONE, "proc_pid_schedstat(5), CONFIG_SCHED_INFO"},
	 no_schedstat,
	 "this kernel does not count run and wait time: no share is measured, so the effect cannot be judged",
	 "use a kernel with CONFIG_SCHED_INFO"},
	{{"no-sched-file", STATUS_APPLIED, FIX_NONE, FIX_NONE, "CONFIG_SCHED_DEBUG"},
	 no_sched_file,
	 "this kernel does not show the weight that it uses (/proc/PID/sched)",
	 "use a kernel with CONFIG_SCHED_DEBUG, or 6.15 and later"},
	{{"io-unreadable", STATUS_APPLIED, FIX_NONE, FIX_NONE,
	  "proc_pid_io(5); ptrace(2), access mode checking"},
	 io_unreadable,
	 "what this thread reads and writes cannot be seen here (/proc/PID/io is for its owner and root)",
	 "look as the owner of the process, or as root"},
	{{"no-delayacct", STATUS_APPLIED, FIX_NONE, FIX_NONE,
	  "kernel.task_delayacct; proc_pid_stat(5), field 42"},
	 no_delayacct,
	 "waiting for disks is not counted: kernel.task_delayacct is 0",
	 "sysctl kernel.task_delayacct=1 as root; threads that run already stay at 0"},
	{{"no-psi", STATUS_APPLIED, FIX_NONE, FIX_NONE, "kernel: psi.rst"},
	 no_psi,
	 "pressure is not counted here (/proc/pressure)",
	 "boot with psi=1"},
	{{"no-debugfs", STATUS_APPLIED, FIX_NONE, FIX_NONE, "kernel: sched-debug.rst"},
	 no_debugfs,
	 "the real group of a thread can be read in /sys/kernel/debug/sched/debug alone, which is closed "
	 "here: hence probably",
	 "mount debugfs and look as root"},
};

const struct verdict_rules rules_see = {rules, sizeof(rules) / sizeof(rules[0])};
