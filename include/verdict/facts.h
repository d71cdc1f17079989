/* What is known about one asked priority on one thread when it is judged: plain data, filled in by whoever looks (the lab, later an
 * audit, tests from fixtures). What was not read is unknown (all zero), and a rule that needs it then does not hold. */
#ifndef NICELAB_VERDICT_FACTS_H
#define NICELAB_VERDICT_FACTS_H

#include "base/known.h"
#include "verdict/status.h"

#define FACTS_NAME 64
#define FACTS_PATH 128

/* Which priority was asked. */
enum facts_what { WHAT_NICE, WHAT_IOPRIO, WHAT_POLICY, WHAT_AUTOGROUP, WHAT_COUNT };

/* Of the host and of the caller; one for all threads. */
struct facts_host {
	enum tri autogroup; /* kernel.sched_autogroup_enabled */
	enum tri sched_ext; /* a BPF scheduler runs */
	char sched_ext_name[FACTS_NAME];
	enum tri root, sys_nice, sys_admin, init_userns,
		seccomp; /* of the caller: uid 0, capabilities, first user namespace, a filter */
	int hidepid; /* of /proc; 0 is off */
	enum tri foreign_pidns, delayacct, psi, debugfs, schedstat,
		sched_file; /* what this kernel lets one see */
	struct known_number steal; /* fraction of the CPU time that the hypervisor took */
	char renicer[FACTS_NAME]; /* a running daemon that is known to set priorities by itself */
};

/* Of the cpu cgroup that the thread competes in; one for all threads in it. */
struct facts_group {
	enum tri below_root; /* it is not the root group */
	int version; /* 1, 2, or 0: unknown */
	char path[FACTS_PATH];
	struct known_number weight; /* as the weight of a task is counted */
	struct known_number raw_weight; /* what the file says: cpu.shares or cpu.weight */
	struct known_number quota; /* CPUs that the tightest quota allows */
	char quota_path[FACTS_PATH];
	struct known_number throttled; /* fraction of the last periods in which it was throttled */
	enum tri idle, mixed,
		rt_refused; /* cpu.idle; processes beside sub-groups; v1 with no real-time budget */
};

/* Of the process; one for all its threads. */
struct facts_process {
	char comm[FACTS_NAME]; /* raw bytes: cleaned when put into words */
	enum tri gone, reused, kthread;
	enum tri same_owner; /* the caller may name it as its own (setpriority(2)) */
	unsigned threads, reached; /* threads there are; that have the asked value */
	struct known_number reached_cpu; /* fraction of the process's CPU time that those use */
	unsigned children, children_apart; /* child processes; with another nice than the asked one */
	struct known_number rlimit_nice; /* RLIMIT_NICE of the process */
	enum tri moved; /* its CPUs are others than it was given */
	char cpus[FACTS_NAME]; /* that it may run on now: "0-1" */
	enum tri in_autogroup; /* the scheduler's own list says so (debugfs); unknown: nobody could look */
	enum tri sessions_alike; /* the autogroups of all rivals, and its own, have the same nice */
	enum tri has_autogroup; /* /proc/PID/autogroup names one, which proves nothing by itself */
	long autogroup;
	int autogroup_nice;
	struct known_number launcher; /* the nice that its command line or launcher asked for */
	enum tri from_zsh; /* started in the background by zsh */
	enum tri waits_on_socket; /* blocked in a socket read */
};

/* Who competes with the thread. Counted without the thread itself; verdict/crowd.h does the counting. */
struct facts_rivals {
	bool known;
	unsigned total; /* that want a CPU */
	unsigned reachable; /* of those: may run on a CPU that this one may run on */
	unsigned siblings; /* of the reachable: threads of its own process. The caller fills this in */
	unsigned differ; /* of the reachable: have another weight, so that a priority could matter */
	unsigned differ_session,
		differ_cgroup; /* of those: in another autogroup of the same cgroup; in another cgroup */
	unsigned realtime; /* reachable, FIFO, RR or DEADLINE */
	int nearest, farthest; /* least and greatest nice difference to those that differ in the same group */
	struct known_number waiting; /* the greatest wait share among the reachable */
};

/* A share of one CPU, predicted as a range and measured. */
struct facts_share {
	struct known_number low, high; /* what the weights say */
	struct known_number other_low,
		other_high; /* what they would say if sessions counted the other way (autogroup on for off) */
	struct known_number measured;
	double seconds; /* that it was measured over */
	struct known_number
		outside; /* CPUs that processes outside of the prediction took meanwhile, fraction of all */
};

enum facts_elevator {
	ELEVATOR_UNREAD,
	ELEVATOR_NONE,
	ELEVATOR_MQ_DEADLINE,
	ELEVATOR_KYBER,
	ELEVATOR_BFQ,
	ELEVATOR_OTHER,
	ELEVATOR_MISSING
};
enum facts_filesystem {
	FILESYSTEM_UNKNOWN,
	FILESYSTEM_BLOCK,
	FILESYSTEM_TMPFS,
	FILESYSTEM_NETWORK,
	FILESYSTEM_WORKERS,
	FILESYSTEM_ANONYMOUS
};

/* Of the thread's I/O and the devices below it. */
struct facts_io {
	enum tri does_io; /* it reads or writes at all */
	enum tri from_cache; /* reads grow while block reads do not */
	enum tri buffered_writes; /* it dirties pages and leaves them to writeback */
	enum tri direct, misaligned; /* O_DIRECT is asked; it was refused with EINVAL */
	enum tri journal; /* most of it is metadata that a journal thread writes */
	enum facts_filesystem filesystem;
	char filesystem_name[FACTS_NAME];
	char device[FACTS_NAME]; /* whose elevator decides, as "vda" */
	enum facts_elevator elevator; /* of that */
	char elevator_name[FACTS_NAME];
	struct known_number aging_ms; /* mq-deadline: prio_aging_expire */
	enum tri heuristics; /* bfq with low_latency on */
	enum tri stacked; /* the files stand on a device (top) that stands on others: loop, dm, md */
	char top[FACTS_NAME]; /* that one: "loop0" */
	char top_elevator[FACTS_NAME]; /* its elevator; empty: it has none */
	enum tri
		bottom_known; /* the way down to the device that decides is known, and the same for all devices side by side */
	enum tri drops_ioprio; /* a device above the bottom loses the priority (loop without direct I/O) */
	char group_policy[FACTS_NAME]; /* io.prio.class other than no-change */
	enum tri group_limits; /* io.max, io.weight, io.cost or blkio throttling is set */
	enum tri throttles_writeback; /* wbt_lat_usec above 0 */
	struct known_number rivals; /* other threads that do I/O on the device */
	enum tri rivals_same_class; /* they have the same class and another level */
	struct known_number depth, tags; /* requests in flight; that the queue takes */
	struct known_number
		cpu_wait; /* run-queue wait of the thread: CPU contention looks like an I/O effect */
};

struct facts {
	const struct facts_host *host; /* never NULL */
	const struct facts_group *group; /* never NULL */
	const struct facts_process *process; /* never NULL */
	const struct facts_io *io; /* NULL: nobody looked */

	enum facts_what what;
	enum status base; /* status_judge of the attempt: what came of it, mechanically */
	int wanted, actual, error; /* in the unit of what: a nice, a raw ioprio, a policy */
	bool deliberate; /* somebody wants an effect: it is not just what the thread was born with */
	bool settled; /* nothing has changed for so long that the measured shares speak of now */

	char state; /* of proc_pid_stat(5), 0 unknown */
	bool policy_known;
	int policy, nice;
	enum tri reset_on_fork; /* of the creator, for a thread that came later */
	enum tri born_after; /* it began after the call */
	enum tri policy_changed; /* since the call, by somebody else */
	struct known_number weight; /* that the scheduler uses: se.load.weight / 1024 */
	struct known_number slice_ns, base_slice_ns; /* its time slice; the kernel's default */
	enum tri uclamp; /* its utilization is clamped */
	struct known_number run, wait; /* fractions of the last seconds */
	unsigned cpus; /* that it may run on, 0 unknown */
	enum tri smt_rival; /* a rival runs on the other half of its core */
	struct facts_rivals rivals;
	struct facts_share share;
};

#endif
