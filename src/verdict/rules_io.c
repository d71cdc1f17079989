/* Rules for an I/O priority that is stored as asked: whether it reaches a device and an elevator that uses it. KERNEL-FACTS C and the order of
 * its section 6, and in it: first why there is no I/O at all, then what the files are on, then how they are read and written, so that no fix
 * leads to the next verdict; what is certain goes before what cannot be told. */
#include "verdict/rules.h"
#include "sched/prio.h"

#include <string.h>

#define WAITS_FOR_CPU 0.3 /* of the time */

static bool is_io(const struct facts *f)
{
	return is_stored(f, WHAT_IOPRIO) && f->io != NULL;
}

/* What was asked and holds. The kernel may report the value that it derived where class none was asked. */
static bool is_class(const struct facts *f, enum ioprio_class c)
{
	return ioprio_unpack(f->wanted).io_class == (int)c;
}

static bool from_nice(const struct facts *f)
{
	return is_asked(f, WHAT_IOPRIO) && f->base == STATUS_APPLIED && is_class(f, IOCLASS_NONE);
}

static bool decoupled(const struct facts *f)
{
	return is_io(f) && !is_class(f, IOCLASS_NONE) && f->nice != 0 && f->io->does_io == TRI_YES;
}

static bool data_ignored(const struct facts *f)
{
	struct ioprio p = ioprio_unpack(f->wanted);

	return is_asked(f, WHAT_IOPRIO) && f->base == STATUS_APPLIED && p.io_class == IOCLASS_IDLE &&
	       (p.level != 0 || p.hint != 0);
}

static bool no_io(const struct facts *f)
{
	return is_io(f) && f->io->does_io == TRI_NO;
}

static bool page_cache(const struct facts *f)
{
	return is_io(f) && f->io->from_cache == TRI_YES;
}

static bool tmpfs_direct(const struct facts *f)
{
	return is_io(f) && f->io->filesystem == FILESYSTEM_TMPFS;
}

static bool direct_misaligned(const struct facts *f)
{
	return is_io(f) && f->io->direct == TRI_YES && f->io->misaligned == TRI_YES;
}

static bool network(const struct facts *f)
{
	return is_io(f) && f->io->filesystem == FILESYSTEM_NETWORK;
}

static bool workers(const struct facts *f)
{
	return is_io(f) && f->io->filesystem == FILESYSTEM_WORKERS;
}

static bool anonymous(const struct facts *f)
{
	return is_io(f) && f->io->filesystem == FILESYSTEM_ANONYMOUS && f->io->elevator == ELEVATOR_UNREAD;
}

static bool writeback(const struct facts *f)
{
	return is_io(f) && f->io->buffered_writes == TRI_YES;
}

static bool journal(const struct facts *f)
{
	return is_io(f) && f->io->journal == TRI_YES;
}

/* Which elevator decides is known: the way down to it is, or the priority is lost before any. */
static bool is_sure(const struct facts *f)
{
	return f->io->stacked != TRI_YES || f->io->bottom_known == TRI_YES || f->io->drops_ioprio == TRI_YES;
}

static bool has_elevator(const struct facts *f, enum facts_elevator e)
{
	return is_io(f) && f->io->elevator == e;
}

static bool elevator_none(const struct facts *f)
{
	return has_elevator(f, ELEVATOR_NONE) && is_sure(f);
}

static bool elevator_kyber(const struct facts *f)
{
	return has_elevator(f, ELEVATOR_KYBER) && is_sure(f);
}

static bool no_queue(const struct facts *f)
{
	return has_elevator(f, ELEVATOR_MISSING) && is_sure(f);
}

/* An elevator that nobody knows may have used it before it was lost. */
static bool drops(const struct facts *f)
{
	return is_io(f) && f->io->stacked == TRI_YES && f->io->drops_ioprio == TRI_YES &&
	       f->io->elevator != ELEVATOR_OTHER;
}

/* Also where it is not sure that the priority gets down to it: lost or not looked at is the same here. Class idle has no levels, and class
 * none asks for none. */
static bool elevator_level(const struct facts *f)
{
	return has_elevator(f, ELEVATOR_MQ_DEADLINE) && f->io->rivals_same_class == TRI_YES &&
	       (is_class(f, IOCLASS_RT) || is_class(f, IOCLASS_BE));
}

static bool elevator_other(const struct facts *f)
{
	return has_elevator(f, ELEVATOR_OTHER);
}

static bool is_top(const struct facts_io *io)
{
	return strcmp(io->device, io->top) == 0;
}

/* What the top device does to it is known, whatever is below. */
static bool top_honours(const struct facts_io *io)
{
	return is_top(io) && (io->elevator == ELEVATOR_MQ_DEADLINE || io->elevator == ELEVATOR_BFQ);
}

static bool unseen(const struct facts *f)
{
	return is_io(f) && !is_sure(f) && !top_honours(f->io);
}

static bool stacked(const struct facts *f)
{
	return is_io(f) && f->io->stacked == TRI_YES && f->io->bottom_known == TRI_YES && !is_top(f->io);
}

int rules_own_ioprio(const struct facts *f)
{
	return ioprio_effective(is_class(f, IOCLASS_NONE) ? 0 : f->actual, f->nice, f->policy);
}

/* kernel: block/blk-ioprio.c, blkcg_set_ioprio */
int rules_group_ioprio(const struct facts *f)
{
	static const struct ioprio rt = {.io_class = IOCLASS_RT, .level = 4}, be = {.io_class = IOCLASS_BE},
				   idle = {.io_class = IOCLASS_IDLE};
	const char *policy = f->io->group_policy;
	int own = rules_own_ioprio(f), c = ioprio_unpack(own).io_class;

	if (strcmp(policy, "promote-to-rt") == 0 || strcmp(policy, "none-to-rt") == 0)
		return c == IOCLASS_RT ? own : ioprio_pack(rt);
	if (strcmp(policy, "restrict-to-be") == 0)
		return c == IOCLASS_RT ? ioprio_pack(be) : own;
	if (strcmp(policy, "idle") == 0)
		return c == IOCLASS_IDLE ? own : ioprio_pack(idle);
	return -1;
}

static bool group_policy(const struct facts *f)
{
	return is_io(f) && f->io->group_policy[0] != '\0' && rules_group_ioprio(f) != rules_own_ioprio(f);
}

static bool group_limits(const struct facts *f)
{
	return is_io(f) && f->io->group_limits == TRI_YES;
}

static bool throttles_writeback(const struct facts *f)
{
	return writeback(f) && f->io->throttles_writeback == TRI_YES;
}

static bool io_alone(const struct facts *f)
{
	return is_io(f) && f->io->does_io == TRI_YES && f->io->rivals.known && f->io->rivals.value < 1;
}

static bool queue_full(const struct facts *f)
{
	return is_io(f) && f->io->depth.known && f->io->tags.known && f->io->tags.value > 0 &&
	       f->io->depth.value >= f->io->tags.value;
}

static bool cpu_not_disk(const struct facts *f)
{
	return is_io(f) && f->io->does_io == TRI_YES && f->io->cpu_wait.known &&
	       f->io->cpu_wait.value > WAITS_FOR_CPU;
}

static bool aging(const struct facts *f)
{
	return has_elevator(f, ELEVATOR_MQ_DEADLINE) && f->io->aging_ms.known &&
	       f->io->rivals_same_class == TRI_NO;
}

static bool heuristics(const struct facts *f)
{
	return has_elevator(f, ELEVATOR_BFQ) && f->io->heuristics == TRI_YES;
}

#define REF_PRIO "kernel: block/ioprio.rst"
#define REF_SCHED "kernel: block/switching-sched.rst"

static const struct verdict_rule rules[] = {
	{{"direct-misaligned", STATUS_MOOT, FIX_NONE, FIX_NONE,
	  "open(2), O_DIRECT; statx(2), STATX_DIOALIGN"},
	 direct_misaligned,
	 "O_DIRECT was refused (EINVAL): buffer, offset or length are not aligned as the file system wants",
	 "align all three to stx_dio_mem_align and stx_dio_offset_align, mostly 512 or 4096 bytes"},
	{{"no-io", STATUS_MOOT, FIX_NONE, FIX_NONE, "ioprio_set(2)"},
	 no_io,
	 "{asked} is stored, but this thread reads and writes nothing: an I/O priority orders nothing here",
	 "for the CPU use nice; for I/O look at the thread that does it"},
	{{"tmpfs-direct", STATUS_MOOT, FIX_NONE, FIX_NONE, "tmpfs(5); statx(2), STATX_DIOALIGN"},
	 tmpfs_direct,
	 "{asked} is stored, but the files are on {memory}, which is memory: no disk is used, and O_DIRECT "
	 "means nothing there",
	 "use a directory on a real disk, such as /var/tmp"},
	{{"network-filesystem", STATUS_MOOT, FIX_NONE, FIX_NONE, "statfs(2)"},
	 network,
	 "{asked} is stored, but the files are on {network}: the disk is on another machine or behind "
	 "another process, out of reach of ionice",
	 "set priorities or limits where the server runs"},
	{{"io-by-workers", STATUS_IGNORED, FIX_NONE, FIX_NONE, REF_PRIO},
	 workers,
	 "{filesystem} lets worker threads of its own do much of the I/O: those requests carry the workers' "
	 "priority, not this thread's",
	 "use the file system's own limits, or io.weight of a cgroup"},
	{{"page-cache", STATUS_MOOT, FIX_DIRECT, FIX_NONE, "proc_pid_io(5), rchar and read_bytes"},
	 page_cache,
	 "{asked} is stored, but the reads are served from the page cache: no request reaches the disk",
	 "nothing is wrong, such reads need the CPU alone (nice); to see the disk read cold data, or with "
	 "O_DIRECT"},
	{{"writeback", STATUS_IGNORED, FIX_DIRECT, FIX_NONE, REF_PRIO},
	 writeback,
	 "{asked} is stored, but the writes are buffered: a kernel worker writes them later at be/4",
	 "write with O_DIRECT, or fsync from the thread itself; io.weight of a cgroup (v2) follows buffered "
	 "writes too"},
	{{"journal-io", STATUS_IGNORED, FIX_NONE, FIX_NONE, REF_PRIO},
	 journal,
	 "most of its I/O is metadata: the journal thread (jbd2, xfsaild) writes it at its own priority",
	 "fewer, larger files and fewer fsync; or limit it with a cgroup"},
	{{"elevator-none", STATUS_IGNORED, FIX_ELEVATOR_CLASS, FIX_ELEVATOR_LEVEL, REF_SCHED},
	 elevator_none,
	 "{device} has the elevator none: requests go out as they come, no class and no level "
	 "counts{nothingbelow}",
	 "set mq-deadline (class) or bfq (class and level) in queue/scheduler of {device}, or use io.max of "
	 "a cgroup"},
	{{"elevator-kyber", STATUS_IGNORED, FIX_ELEVATOR_CLASS, FIX_ELEVATOR_LEVEL,
	  "kernel: block/kyber-iosched.c"},
	 elevator_kyber,
	 "{device} has the elevator kyber, which does not look at I/O priorities{nothingbelow}",
	 "set mq-deadline (class) or bfq (class and level) in queue/scheduler of {device}"},
	{{"no-device-queue", STATUS_IGNORED, FIX_NONE, FIX_NONE, REF_SCHED},
	 no_queue,
	 "{device} has no elevator (zram, brd and most dm and md have none): it does not order its "
	 "requests{nothingbelow}",
	 "use a device with an elevator, give one to what is below it, or use io.max of a cgroup"},
	{{"loop-drops-ioprio", STATUS_IGNORED, FIX_ELEVATOR_CLASS, FIX_ELEVATOR_LEVEL,
	  "losetup(8), --direct-io; Linux 6.15"},
	 drops,
	 "a loop device goes through the page cache of its file and loses the priority: a kernel worker does "
	 "the I/O below it, at its own",
	 "losetup --direct-io=on (Linux 6.15 on), or an elevator for the loop device itself"},
	{{"elevator-level-ignored", STATUS_IGNORED, FIX_CLASS_IDLE, FIX_ELEVATOR_LEVEL,
	  "kernel: block/mq-deadline.c; block/deadline-iosched.rst"},
	 elevator_level,
	 "{asked} is stored, but {device} has mq-deadline, which looks at the class alone: all levels of a "
	 "class are the same to it",
	 "use class idle for the one that shall wait (ionice -c 3), or set bfq, which looks at levels too"},
	{{"io-cgroup-policy", STATUS_IGNORED, FIX_NONE, FIX_NONE, "kernel: cgroup-v2.rst, io.prio.class"},
	 group_policy,
	 "io.prio.class of its cgroup is {iopolicy}: its requests go out as {imposed}, not as {effective}",
	 "as root, write no-change to io.prio.class (v1: blkio.prio.class) of the group"},
	{{"io-cgroup-limit", STATUS_MOOT, FIX_NONE, FIX_NONE, "kernel: cgroup-v2.rst, io.max, io.weight"},
	 group_limits,
	 "its cgroup has I/O limits or weights (io.max, io.weight, blkio.throttle): they decide first, "
	 "ioprio orders only what they let through",
	 "change them for the group; ionice comes second"},
	{{"io-no-contention", STATUS_MOOT, FIX_MORE_HOGS, FIX_DISK_HOGS, REF_PRIO},
	 io_alone,
	 "{asked} holds, but nobody else uses {device}: there is nothing to order",
	 "nothing is wrong; to see the effect let others use the same disk, to cap it use io.max of a "
	 "cgroup"},
	{{"device-queue-full", STATUS_MOOT, FIX_NONE, FIX_NONE, "kernel: queue-sysfs.rst, nr_requests"},
	 queue_full,
	 "all {tags} tags of {device} are taken ({depth} requests in flight): who gets the next is first "
	 "come, first served, before any elevator",
	 "fewer requests at a time (threads, queue depth), or a greater nr_requests"},
	{{"elevator-unknown", STATUS_UNKNOWN, FIX_ELEVATOR_CLASS, FIX_ELEVATOR_LEVEL, REF_SCHED},
	 elevator_other,
	 "{device} has the elevator {elevator}: whether it uses I/O priorities is not known here",
	 "measure it; mq-deadline and bfq are known to use them"},
	{{"stack-unseen", STATUS_UNKNOWN, FIX_NONE, FIX_NONE, REF_SCHED},
	 unseen,
	 "{top} stands on other devices: whether {asked} gets down to an elevator that uses it cannot be "
	 "told here",
	 "look at the elevators of all that is below (lsblk -s, queue/scheduler), and measure"},
	{{"anonymous-device", STATUS_UNKNOWN, FIX_NONE, FIX_NONE, "stat(2), st_dev; proc_pid_mountinfo(5)"},
	 anonymous,
	 "{filesystem} hides which disk a file is on: its elevator cannot be told",
	 "look the disk up by hand (findmnt, btrfs filesystem show, zpool status)"},
	{{"cpu-not-disk", STATUS_APPLIED, FIX_NONE, FIX_NONE, "proc_pid_schedstat(5)"},
	 cpu_not_disk,
	 "it waits for a CPU {cpuwait} of its time: what looks like the disk is the CPU, where nice decides",
	 "compare at equal nice, or keep what needs the CPU off its CPUs"},
	{{"stacked-device", STATUS_APPLIED, FIX_NONE, FIX_NONE, REF_SCHED},
	 stacked,
	 "{top} has {topelevator}, but hands requests down to {below}: its {elevator} decides",
	 "nothing is wrong; to change what decides set the elevator of {below}"},
	{{"writeback-throttled", STATUS_APPLIED, FIX_NONE, FIX_NONE,
	  "kernel: block/blk-wbt.c; queue-sysfs.rst"},
	 throttles_writeback,
	 "{device} slows background writes by itself (wbt_lat_usec is not 0)",
	 "write 0 to queue/wbt_lat_usec, or use bfq, which switches it off"},
	{{"elevator-aging", STATUS_APPLIED, FIX_NONE, FIX_NONE,
	  "kernel: block/mq-deadline.c, prio_aging_expire"},
	 aging,
	 "mq-deadline lets a request of a lower class through when it is {aging} old",
	 "change iosched/prio_aging_expire of {device}"},
	{{"elevator-heuristics", STATUS_APPLIED, FIX_NONE, FIX_NONE, "kernel: block/bfq-iosched.rst"},
	 heuristics,
	 "bfq uses class and level, but low_latency guesses who is interactive and blurs them",
	 "write 0 to low_latency and 1 to strict_guarantees in iosched/ of {device}"},
	{{"ioprio-from-nice", STATUS_APPLIED, FIX_NONE, FIX_NONE, REF_PRIO},
	 from_nice,
	 "no I/O priority is set: it follows nice, level (nice + 20) / 5 of class be, or policy IDLE, FIFO "
	 "or RR (is {effective})",
	 "set a class to keep it apart from nice"},
	{{"ioprio-decoupled", STATUS_APPLIED, FIX_NONE, FIX_NONE, REF_PRIO},
	 decoupled,
	 "an I/O priority was set ({actual}), so a later nice does not move it any more",
	 "set class none to let it follow nice again"},
	{{"ioprio-data-ignored", STATUS_APPLIED, FIX_NONE, FIX_NONE, "ionice(1)"},
	 data_ignored,
	 "class idle has no levels: the level that was given is stored and not used",
	 "leave the level out"},
};

const struct verdict_rules rules_io = {rules, sizeof(rules) / sizeof(rules[0])};
