/* Rules about the call and what was read back, and about what cannot be seen: each holds, is silent and loses. */
#include "test_verdict.h"

static const struct rule_case calls[] = {
	{FIRES("pid-gone"), .w = {.f = {NICE_STORED(5)}, .p = {.gone = TRI_YES}}},
	{FIRES("pid-gone"), .w = {.f = {NICE_REFUSED(5, ESRCH)}}},
	{FIRES("pid-gone"), .w = {.f = {IO_REFUSED(BE(4), ESRCH)}}},
	{SILENT("pid-gone"), .w = {.f = {.what = WHAT_NICE}, .p = {.gone = TRI_YES}}},
	{SILENT("pid-gone"), .w = {.f = {NICE_REFUSED(5, EPERM)}, .p = {.gone = TRI_NO}}},
	{FIRES("pid-reused"), .w = {.f = {NICE_STORED(5)}, .p = {.reused = TRI_YES}}},
	{SILENT("pid-reused"), .w = {.f = {NICE_STORED(5)}, .p = {.reused = TRI_NO}}},
	{LOSES("pid-reused", "pid-gone"), .w = {.f = {NICE_REFUSED(5, ESRCH)}, .p = {.reused = TRI_YES}}},
	{FIRES("zombie"), .w = {.f = {NICE_STORED(5), .state = 'Z'}}},
	{FIRES("zombie"), .w = {.f = {NICE_STORED(5), .state = 'X'}}},
	{SILENT("zombie"), .w = {.f = {NICE_STORED(5), .state = 'S'}}},
	{SILENT("zombie"), .w = {.f = {.what = WHAT_NICE, .state = 'Z'}}},
	{LOSES("zombie", "pid-reused"), .w = {.f = {NICE_STORED(5), .state = 'Z'}, .p = {.reused = TRI_YES}}},
	{FIRES("ioprio-invalid"), .w = {.f = {IO_REFUSED(IOPRIO(IOCLASS_NONE, 3), EINVAL)}}},
	{SILENT("ioprio-invalid"), .w = {.f = {IO_REFUSED(BE(3), EPERM)}}},
	{LOSES("ioprio-invalid", "zombie"), .w = {.f = {IO_REFUSED(3, EINVAL), .state = 'Z'}}},
	{FIRES("policy-invalid"), .w = {.f = {POLICY_REFUSED(SCHED_OTHER, EINVAL)}}},
	{SILENT("policy-invalid"), .w = {.f = {NICE_REFUSED(5, EINVAL)}}},
	{LOSES("policy-invalid", "zombie"), .w = {.f = {POLICY_REFUSED(SCHED_OTHER, EINVAL), .state = 'Z'}}},
	{FIRES("autogroup-range"), .w = {.f = {SESSION_REFUSED(20, EINVAL)}}},
	{SILENT("autogroup-range"), .w = {.f = {SESSION_REFUSED(19, EAGAIN)}}},
	{LOSES("autogroup-range", "pid-gone"),
	 .w = {.f = {SESSION_REFUSED(20, EINVAL)}, .p = {.gone = TRI_YES}}},
	{FIRES("autogroup-busy"), .w = {.f = {SESSION_REFUSED(19, EAGAIN)}}},
	{SILENT("autogroup-busy"), .w = {.f = {NICE_REFUSED(19, EAGAIN)}}},
	{LOSES("autogroup-busy", "pid-gone"),
	 .w = {.f = {SESSION_REFUSED(19, EAGAIN)}, .p = {.gone = TRI_YES}}},
	{FIRES("autogroup-denied"), .w = {.f = {SESSION_REFUSED(-5, EPERM)}}},
	{FIRES("autogroup-denied"), .w = {.f = {SESSION_REFUSED(5, EACCES)}, .p = {.same_owner = TRI_NO}}},
	{SILENT("autogroup-denied"), .w = {.f = {NICE_REFUSED(-5, EPERM)}}},
	{LOSES("autogroup-denied", "zombie"), .w = {.f = {SESSION_REFUSED(-5, EPERM), .state = 'Z'}}},
	{FIRES("rt-group"), .w = {.f = {POLICY_REFUSED(SCHED_FIFO, EPERM)},
				  .g = {.rt_refused = TRI_YES},
				  .h = {.root = TRI_YES, .sys_nice = TRI_YES, .init_userns = TRI_YES}}},
	{SILENT("rt-group"), .w = {.f = {POLICY_REFUSED(SCHED_BATCH, EPERM)}, .g = {.rt_refused = TRI_YES}}},
	{SILENT("rt-group"), .w = {.f = {POLICY_REFUSED(SCHED_RR, EPERM)}, .g = {.rt_refused = TRI_NO}}},
	{LOSES("rt-group", "pid-reused"), .w = {.f = {POLICY_REFUSED(SCHED_RR, EPERM)},
						.g = {.rt_refused = TRI_YES},
						.p = {.reused = TRI_YES}}},
	{FIRES("denied-eperm"),
	 .w = {.f = {NICE_REFUSED(5, EPERM)}, .p = {.same_owner = TRI_NO}, .h = {.sys_nice = TRI_NO}}},
	/* Whose it is could not be read, as with hidepid, but setpriority(2) tells by its errno. */
	{FIRES("denied-eperm"), .w = {.f = {NICE_REFUSED(5, EPERM)}}},
	{FIRES("denied-eperm"), .w = {.f = {IO_REFUSED(BE(4), EPERM)}, .p = {.same_owner = TRI_NO}}},
	{SILENT("denied-eperm"), .w = {.f = {NICE_REFUSED(-5, EACCES)}}},
	{SILENT("denied-eperm"), .w = {.f = {NICE_REFUSED(5, EPERM)}, .p = {.same_owner = TRI_YES}}},
	{SILENT("denied-eperm"), .w = {.f = {IO_REFUSED(BE(4), EPERM)}}},
	{SILENT("denied-eperm"),
	 .w = {.f = {NICE_REFUSED(5, EPERM)}, .p = {.same_owner = TRI_NO}, .h = {.sys_nice = TRI_YES}}},
	{LOSES("denied-eperm", "rt-group"), .w = {.f = {POLICY_REFUSED(SCHED_RR, EPERM)},
						  .g = {.rt_refused = TRI_YES},
						  .p = {.same_owner = TRI_NO}}},
	{FIRES("denied-userns"),
	 .w = {.f = {NICE_REFUSED(-5, EACCES)}, .h = {.sys_nice = TRI_YES, .init_userns = TRI_NO}}},
	{SILENT("denied-userns"),
	 .w = {.f = {NICE_REFUSED(-5, EACCES)}, .h = {.sys_nice = TRI_YES, .init_userns = TRI_YES}}},
	{SILENT("denied-userns"),
	 .w = {.f = {NICE_REFUSED(-5, EACCES)}, .h = {.sys_nice = TRI_NO, .init_userns = TRI_NO}}},
	{LOSES("denied-userns", "rt-group"), .w = {.f = {POLICY_REFUSED(SCHED_FIFO, EPERM)},
						   .g = {.rt_refused = TRI_YES},
						   .h = {.sys_nice = TRI_YES, .init_userns = TRI_NO}}},
	{FIRES("denied-seccomp"),
	 .w = {.f = {NICE_REFUSED(-5, EPERM)}, .h = {.sys_nice = TRI_YES, .seccomp = TRI_YES}}},
	{FIRES("denied-seccomp"), .w = {.f = {NICE_REFUSED(5, ENOSYS)}, .h = {.seccomp = TRI_YES}}},
	{FIRES("denied-seccomp"),
	 .w = {.f = {NICE_REFUSED(-5, EACCES)}, .p = {.rlimit_nice = IS(25)}, .h = {.seccomp = TRI_YES}}},
	{SILENT("denied-seccomp"),
	 .w = {.f = {NICE_REFUSED(-5, EPERM)}, .h = {.sys_nice = TRI_YES, .seccomp = TRI_NO}}},
	{SILENT("denied-seccomp"),
	 .w = {.f = {NICE_REFUSED(-5, EACCES)}, .h = {.sys_nice = TRI_NO, .seccomp = TRI_YES}}},
	{LOSES("denied-seccomp", "denied-userns"),
	 .w = {.f = {NICE_REFUSED(-5, EACCES)},
	       .p = {.rlimit_nice = IS(40)},
	       .h = {.sys_nice = TRI_YES, .init_userns = TRI_NO, .seccomp = TRI_YES}}},
	{FIRES("denied-lsm"),
	 .w = {.f = {NICE_REFUSED(-5, EACCES)}, .h = {.sys_nice = TRI_YES, .init_userns = TRI_YES}}},
	{FIRES("denied-lsm"), .w = {.f = {NICE_REFUSED(-5, EACCES)}, .p = {.rlimit_nice = IS(25)}}},
	{SILENT("denied-lsm"), .w = {.f = {NICE_REFUSED(-5, EACCES)}, .p = {.rlimit_nice = IS(24)}}},
	{SILENT("denied-lsm"), .w = {.f = {NICE_REFUSED(-5, EACCES)}, .h = {.sys_nice = TRI_YES}}},
	{LOSES("denied-lsm", "denied-seccomp"),
	 .w = {.f = {NICE_REFUSED(-5, EPERM)},
	       .h = {.sys_nice = TRI_YES, .init_userns = TRI_YES, .seccomp = TRI_YES}}},
	{FIRES("denied-capability"),
	 .w = {.f = {NICE_REFUSED(-5, EACCES)}, .h = {.root = TRI_YES, .sys_nice = TRI_NO}}},
	{SILENT("denied-capability"),
	 .w = {.f = {NICE_REFUSED(-5, EACCES)}, .h = {.root = TRI_NO, .sys_nice = TRI_NO}}},
	{LOSES("denied-capability", "denied-eperm"), .w = {.f = {NICE_REFUSED(-5, EPERM)},
							   .p = {.same_owner = TRI_NO},
							   .h = {.root = TRI_YES, .sys_nice = TRI_NO}}},
	{FIRES("policy-one-way"), .w = {.f = {POLICY_REFUSED(SCHED_OTHER, EPERM), POLICY(SCHED_IDLE)}}},
	{SILENT("policy-one-way"), .w = {.f = {POLICY_REFUSED(SCHED_OTHER, EPERM), POLICY(SCHED_BATCH)}}},
	{SILENT("policy-one-way"), .w = {.f = {POLICY_REFUSED(SCHED_FIFO, EPERM), POLICY(SCHED_IDLE)}}},
	{LOSES("policy-one-way", "denied-capability"),
	 .w = {.f = {POLICY_REFUSED(SCHED_BATCH, EPERM), POLICY(SCHED_IDLE)},
	       .h = {.root = TRI_YES, .sys_nice = TRI_NO}}},
	{FIRES("ioprio-rt-denied"), .w = {.f = {IO_REFUSED(IOPRIO(IOCLASS_RT, 0), EPERM)}}},
	{SILENT("ioprio-rt-denied"), .w = {.f = {IO_REFUSED(BE(0), EPERM)}}},
	{FIRES("ioprio-rt-denied"),
	 .w = {.f = {IO_REFUSED(IOPRIO(IOCLASS_RT, 7), EPERM)},
	       .p = {.same_owner = TRI_YES},
	       .h = {.root = TRI_NO, .sys_nice = TRI_NO, .sys_admin = TRI_NO, .init_userns = TRI_YES}}},
	{LOSES("ioprio-rt-denied", "denied-eperm"),
	 .w = {.f = {IO_REFUSED(IOPRIO(IOCLASS_RT, 0), EPERM)}, .p = {.same_owner = TRI_NO}}},
	{FIRES("ioprio-idle-denied"), .w = {.f = {IO_REFUSED(IOPRIO(IOCLASS_IDLE, 0), EPERM)}}},
	{SILENT("ioprio-idle-denied"), .w = {.f = {IO_REFUSED(BE(7), EPERM)}}},
	{LOSES("ioprio-idle-denied", "denied-eperm"),
	 .w = {.f = {IO_REFUSED(IOPRIO(IOCLASS_IDLE, 0), EPERM)}, .p = {.same_owner = TRI_NO}}},
	{FIRES("policy-rt-denied"), .w = {.f = {POLICY_REFUSED(SCHED_FIFO, EPERM)}}},
	{FIRES("policy-rt-denied"), .w = {.f = {POLICY_REFUSED(DEADLINE, EPERM)}}},
	{SILENT("policy-rt-denied"), .w = {.f = {POLICY_REFUSED(SCHED_BATCH, EPERM)}}},
	{LOSES("policy-rt-denied", "rt-group"),
	 .w = {.f = {POLICY_REFUSED(SCHED_RR, EPERM)}, .g = {.rt_refused = TRI_YES}}},
	{FIRES("rlimit-nice"), .w = {.f = {NICE_REFUSED(-5, EACCES)}, .p = {.rlimit_nice = IS(20)}}},
	{SILENT("rlimit-nice"), .w = {.f = {NICE_REFUSED(-5, EACCES)}, .p = {.rlimit_nice = IS(0)}}},
	{SILENT("rlimit-nice"), .w = {.f = {NICE_REFUSED(-5, EACCES)}, .p = {.rlimit_nice = IS(25)}}},
	/* Below -20 the wish is clamped before it is judged. */
	{SILENT("rlimit-nice"), .w = {.f = {NICE_REFUSED(-99, EACCES)}, .p = {.rlimit_nice = IS(40)}}},
	{LOSES("rlimit-nice", "denied-capability"), .w = {.f = {NICE_REFUSED(-5, EACCES)},
							  .p = {.rlimit_nice = IS(20)},
							  .h = {.root = TRI_YES, .sys_nice = TRI_NO}}},
	{FIRES("denied-eacces"), .w = {.f = {NICE_REFUSED(-5, EACCES)}, .p = {.rlimit_nice = IS(0)}}},
	{SILENT("denied-eacces"), .w = {.f = {NICE_REFUSED(-5, EIO)}}},
	{LOSES("denied-eacces", "rlimit-nice"),
	 .w = {.f = {NICE_REFUSED(-5, EACCES)}, .p = {.rlimit_nice = IS(20)}}},
	{FIRES("denied"), .w = {.f = {NICE_REFUSED(-5, EIO)}}},
	{FIRES("denied"), .w = {.f = {IO_REFUSED(BE(2), EPERM)}}},
	{SILENT("denied"), .w = {.f = {NICE_STORED(5)}}},
	/* Refused, but it holds all the same. */
	{SILENT("denied"), .w = {.f = {NICE_STORED(5), .error = EPERM}}},
	{LOSES("denied", "denied-eacces"), .w = {.f = {NICE_REFUSED(-5, EACCES)}}},
};

static const struct rule_case reads[] = {
	{FIRES("kthread"), .w = {.f = {NICE_STORED(1)}, .p = {.kthread = TRI_YES}}},
	{SILENT("kthread"), .w = {.f = {NICE_STORED(1)}, .p = {.kthread = TRI_NO}}},
	{SILENT("kthread"), .w = {.f = {NICE_READ(STATUS_PENDING, 1, 0)}, .p = {.kthread = TRI_YES}}},
	{LOSES("kthread", "denied-eperm"),
	 .w = {.f = {NICE_REFUSED(1, EPERM)}, .p = {.kthread = TRI_YES, .same_owner = TRI_NO}}},
	{FIRES("ioprio-level-overflow"), .w = {.f = {IO_STORED(BE(8))}}},
	{FIRES("ioprio-level-overflow"), .w = {.f = {IO_READ(STATUS_CLAMPED, BE(7), BE(8))}}},
	{FIRES("ioprio-level-overflow"), .w = {.f = {IO_STORED(IOPRIO(IOCLASS_RT, 15))}}},
	{SILENT("ioprio-level-overflow"), .w = {.f = {IO_STORED(BE(7))}}},
	/* Classes without levels. */
	{SILENT("ioprio-level-overflow"), .w = {.f = {IO_STORED(IOPRIO(IOCLASS_IDLE, 8))}}},
	{SILENT("ioprio-level-overflow"), .w = {.f = {IO_STORED(8)}}},
	{SILENT("ioprio-level-overflow"), .w = {.f = {IO_READ(STATUS_CLAMPED, BE(2), BE(3))}}},
	{SILENT("ioprio-level-overflow"), .w = {.f = {IO_READ(STATUS_PENDING, BE(8), 0)}}},
	{LOSES("ioprio-level-overflow", "kthread"),
	 .w = {.f = {IO_STORED(BE(8))}, .p = {.kthread = TRI_YES}}},
	{FIRES("clamped"), .w = {.f = {NICE_READ(STATUS_CLAMPED, 20, 19)}}},
	{FIRES("clamped"), .w = {.f = {NICE_READ(STATUS_CLAMPED, -400, -20)}}},
	{SILENT("clamped"), .w = {.f = {NICE_READ(STATUS_CLAMPED, 19, 7)}}},
	{SILENT("clamped"), .w = {.f = {NICE_READ(STATUS_CLAMPED, -20, 7)}}},
	{LOSES("clamped", "kthread"),
	 .w = {.f = {NICE_READ(STATUS_CLAMPED, 20, 19)}, .p = {.kthread = TRI_YES}}},
	{FIRES("stored-other"), .w = {.f = {NICE_READ(STATUS_CLAMPED, 5, 7)}}},
	{SILENT("stored-other"), .w = {.f = {NICE_STORED(5)}}},
	{LOSES("stored-other", "clamped"), .w = {.f = {NICE_READ(STATUS_CLAMPED, 20, 19)}}},
	{FIRES("policy-call-reset"),
	 .w = {.f = {NICE_READ(STATUS_REVERTED, 11, 0), .policy_changed = TRI_YES}}},
	{SILENT("policy-call-reset"),
	 .w = {.f = {NICE_READ(STATUS_REVERTED, 11, 0), .policy_changed = TRI_NO}}},
	{SILENT("policy-call-reset"),
	 .w = {.f = {NICE_READ(STATUS_REVERTED, 11, 3), .policy_changed = TRI_YES}}},
	{LOSES("policy-call-reset", "kthread"),
	 .w = {.f = {NICE_READ(STATUS_REVERTED, 11, 0), .policy_changed = TRI_YES},
	       .p = {.kthread = TRI_YES}}},
	{FIRES("reset-on-fork"), .w = {.f = {NICE_READ(STATUS_PARTIAL, -5, 0), .reset_on_fork = TRI_YES}}},
	{SILENT("reset-on-fork"), .w = {.f = {NICE_READ(STATUS_PARTIAL, -5, 0), .reset_on_fork = TRI_NO}}},
	{SILENT("reset-on-fork"), .w = {.f = {NICE_READ(STATUS_PARTIAL, 7, 0), .reset_on_fork = TRI_YES}}},
	{LOSES("reset-on-fork", "policy-call-reset"),
	 .w = {.f = {NICE_READ(STATUS_REVERTED, -5, 0), .reset_on_fork = TRI_YES,
		     .policy_changed = TRI_YES}}},
	{FIRES("reverted"), .w = {.f = {NICE_READ(STATUS_REVERTED, 5, 10)}, .h = {.renicer = "ananicy-cpp"}}},
	{SILENT("reverted"), .w = {.f = {NICE_STORED(5)}, .h = {.renicer = "ananicy-cpp"}}},
	{LOSES("reverted", "policy-call-reset"),
	 .w = {.f = {NICE_READ(STATUS_REVERTED, 11, 0), .policy_changed = TRI_YES}}},
	{FIRES("cpus-reverted"), .w = {.f = {NICE_BORN(0)}, .p = {.moved = TRI_YES, .cpus = "1"}}},
	{SILENT("cpus-reverted"), .w = {.f = {NICE_STORED(5)}, .p = {.moved = TRI_NO}}},
	{SILENT("cpus-reverted"), .w = {.f = {IO_STORED(BE(7))}, .p = {.moved = TRI_YES}}},
	{LOSES("cpus-reverted", "reverted"),
	 .w = {.f = {NICE_READ(STATUS_REVERTED, 5, 10)}, .p = {.moved = TRI_YES, .cpus = "1"}}},
	{FIRES("thread-born-after"), .w = {.f = {NICE_READ(STATUS_PARTIAL, 5, 0), .born_after = TRI_YES}}},
	{SILENT("thread-born-after"), .w = {.f = {NICE_READ(STATUS_PARTIAL, 5, 0), .born_after = TRI_NO}}},
	{LOSES("thread-born-after", "reset-on-fork"),
	 .w = {.f = {NICE_READ(STATUS_PARTIAL, -5, 0), .born_after = TRI_YES, .reset_on_fork = TRI_YES}}},
	{FIRES("main-thread-only"), .w = {.f = {NICE_READ(STATUS_PARTIAL, 7, 0)},
					  .p = {.threads = 3, .reached = 1, .reached_cpu = IS(0.02)}}},
	{FIRES("main-thread-only"), .w = {.f = {IO_READ(STATUS_PARTIAL, BE(7), 0)}}},
	{SILENT("main-thread-only"), .w = {.f = {NICE_STORED(7)}, .p = {.threads = 3, .reached = 1}}},
	{LOSES("main-thread-only", "thread-born-after"),
	 .w = {.f = {NICE_READ(STATUS_PARTIAL, 5, 0), .born_after = TRI_YES}}},
	{FIRES("launcher-lost"), .w = {.f = {.what = WHAT_NICE}, .p = {.launcher = IS(10)}}},
	{FIRES("launcher-lost"), .w = {.f = {NICE_BORN(0)}, .p = {.launcher = IS(-5)}}},
	{SILENT("launcher-lost"), .w = {.f = {.what = WHAT_NICE, .nice = 10}, .p = {.launcher = IS(10)}}},
	{SILENT("launcher-lost"), .w = {.f = {.what = WHAT_NICE, .nice = 19}, .p = {.launcher = IS(25)}}},
	/* It was started at another, and since then this one was asked, and holds. */
	{SILENT("launcher-lost"), .w = {.f = {NICE_STORED(5)}, .p = {.launcher = IS(10)}}},
	{LOSES("launcher-lost", "kthread"),
	 .w = {.f = {NICE_BORN(0)}, .p = {.launcher = IS(10), .kthread = TRI_YES}}},
	{FIRES("shell-bg-nice"), .w = {.f = {.what = WHAT_NICE, .nice = 5}, .p = {.from_zsh = TRI_YES}}},
	{SILENT("shell-bg-nice"), .w = {.f = {.what = WHAT_NICE, .nice = 0}, .p = {.from_zsh = TRI_YES}}},
	{SILENT("shell-bg-nice"), .w = {.f = {NICE_STORED(5)}, .p = {.from_zsh = TRI_YES}}},
	{LOSES("shell-bg-nice", "launcher-lost"),
	 .w = {.f = {.what = WHAT_NICE, .nice = 5}, .p = {.from_zsh = TRI_YES, .launcher = IS(0)}}},
	{FIRES("children-unaffected"), .w = {.f = {NICE_STORED(5)}, .p = {.children_apart = 2}}},
	{SILENT("children-unaffected"), .w = {.f = {NICE_STORED(5)}, .p = {.children = 2}}},
	{SILENT("children-unaffected"), .w = {.f = {NICE_BORN(0)}, .p = {.children_apart = 2}}},
	{LOSES("children-unaffected", "zombie"),
	 .w = {.f = {NICE_STORED(5), .state = 'Z'}, .p = {.children_apart = 2}}},
};

#define APART RIVALS(.total = 6, .reachable = 6, .differ = 6, .differ_session = 6)
#define DOES .does_io = TRI_YES

static const struct rule_case sights[] = {
	{FIRES("hidepid"), .w = {.f = {NICE_READ(STATUS_UNKNOWN, 5, 0)}, .h = {.hidepid = 2}}},
	{SILENT("hidepid"), .w = {.f = {NICE_READ(STATUS_UNKNOWN, 5, 0)}, .h = {.hidepid = -1}}},
	{SILENT("hidepid"), .w = {.f = {NICE_STORED(5)}, .h = {.hidepid = 2}}},
	{LOSES("hidepid", "pid-gone"),
	 .w = {.f = {NICE_READ(STATUS_UNKNOWN, 5, 0)}, .h = {.hidepid = 2}, .p = {.gone = TRI_YES}}},
	{FIRES("other-pid-namespace"),
	 .w = {.f = {NICE_READ(STATUS_UNKNOWN, 5, 0)}, .h = {.foreign_pidns = TRI_YES}}},
	{SILENT("other-pid-namespace"),
	 .w = {.f = {NICE_READ(STATUS_UNKNOWN, 5, 0)}, .h = {.foreign_pidns = TRI_NO}}},
	{LOSES("other-pid-namespace", "hidepid"),
	 .w = {.f = {NICE_READ(STATUS_UNKNOWN, 5, 0)}, .h = {.foreign_pidns = TRI_YES, .hidepid = 1}}},
	{FIRES("unreadable"), .w = {.f = {IO_READ(STATUS_UNKNOWN, BE(7), 0)}}},
	{SILENT("unreadable"), .w = {.f = {IO_READ(STATUS_PENDING, BE(7), 0)}}},
	{LOSES("unreadable", "other-pid-namespace"),
	 .w = {.f = {NICE_READ(STATUS_UNKNOWN, 5, 0)}, .h = {.foreign_pidns = TRI_YES}}},
	{FIRES("no-schedstat"), .w = {.f = {NICE_STORED(5)}, .h = {.schedstat = TRI_NO}}},
	{SILENT("no-schedstat"), .w = {.f = {NICE_STORED(5)}, .h = {.schedstat = TRI_YES}}},
	{LOSES("no-schedstat", "policy-idle"),
	 .w = {.f = {NICE_STORED(5), POLICY(SCHED_IDLE)}, .h = {.schedstat = TRI_NO}}},
	{FIRES("no-sched-file"), .w = {.f = {NICE_STORED(5)}, .h = {.sched_file = TRI_NO}}},
	{SILENT("no-sched-file"), .w = {.f = {NICE_BORN(0)}, .h = {.sched_file = TRI_NO}}},
	{LOSES("no-sched-file", "policy-idle"),
	 .w = {.f = {NICE_STORED(5), POLICY(SCHED_IDLE)}, .h = {.sched_file = TRI_NO}}},
	{FIRES("io-unreadable"), .w = {.f = {IO_STORED(BE(7))}}},
	{SILENT("io-unreadable"), .w = {.f = {IO_STORED(BE(7))}, .i = {DOES}}},
	{SILENT("io-unreadable"), .w = {.f = {IO_READ(STATUS_APPLIED, BE(7), BE(7)), .deliberate = true}}},
	{LOSES("io-unreadable", "elevator-none"),
	 .w = {.f = {IO_STORED(BE(7))}, .i = {.elevator = ELEVATOR_NONE}}},
	{FIRES("no-delayacct"), .w = {.f = {IO_STORED(BE(7))}, .i = {DOES}, .h = {.delayacct = TRI_NO}}},
	{SILENT("no-delayacct"), .w = {.f = {IO_STORED(BE(7))}, .i = {DOES}, .h = {.delayacct = TRI_YES}}},
	{LOSES("no-delayacct", "elevator-none"),
	 .w = {.f = {IO_STORED(BE(7))}, .i = {DOES, .elevator = ELEVATOR_NONE}, .h = {.delayacct = TRI_NO}}},
	{FIRES("no-psi"), .w = {.f = {IO_STORED(BE(7))}, .i = {DOES}, .h = {.psi = TRI_NO}}},
	{SILENT("no-psi"), .w = {.f = {IO_STORED(BE(7))}, .i = {DOES}, .h = {.psi = TRI_YES}}},
	{LOSES("no-psi", "elevator-none"),
	 .w = {.f = {IO_STORED(BE(7))}, .i = {DOES, .elevator = ELEVATOR_NONE}, .h = {.psi = TRI_NO}}},
	{FIRES("no-debugfs"), .w = {.f = {NICE_STORED(19), APART}, .h = {.debugfs = TRI_NO}}},
	{SILENT("no-debugfs"), .w = {.f = {NICE_STORED(19), APART}, .h = {.debugfs = TRI_YES}}},
	{SILENT("no-debugfs"),
	 .w = {.f = {NICE_STORED(19), APART}, .h = {.debugfs = TRI_NO}, .p = {.autogroup_nice = 19}}},
	{LOSES("no-debugfs", "autogroup"),
	 .w = {.f = {NICE_STORED(19), APART}, .h = {.debugfs = TRI_NO, .autogroup = TRI_YES}}},
};

static void the_call_is_judged(void **state)
{
	(void)state;
	check_cases(calls, COUNT(calls));
	check_case_texts(calls, COUNT(calls));
}

static void what_was_read_back_is_judged(void **state)
{
	(void)state;
	check_cases(reads, COUNT(reads));
	check_case_texts(reads, COUNT(reads));
}

static void what_cannot_be_seen_is_told(void **state)
{
	(void)state;
	check_cases(sights, COUNT(sights));
	check_case_texts(sights, COUNT(sights));
}

static void any_mixture_gives_a_list_in_order(void **state)
{
	(void)state;
	check_mixtures(calls, COUNT(calls));
	check_mixtures(reads, COUNT(reads));
	check_mixtures(sights, COUNT(sights));
}

static void every_rule_has_its_cases(void **state)
{
	(void)state;
	check_coverage(calls, COUNT(calls), "pid-gone", "kthread");
	check_coverage(reads, COUNT(reads), "kthread", "stopped");
	check_coverage(sights, COUNT(sights), "hidepid", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_call_is_judged),
		cmocka_unit_test(what_was_read_back_is_judged),
		cmocka_unit_test(what_cannot_be_seen_is_told),
		cmocka_unit_test(any_mixture_gives_a_list_in_order),
		cmocka_unit_test(every_rule_has_its_cases),
	};

	return cmocka_run_group_tests_name("verdict_call", tests, NULL, NULL);
}
