/* Rules for an I/O priority that is stored as asked: whether it reaches a device and an elevator that uses it. KERNEL-FACTS C and the order of
 * its section 6. */
#include "verdict/rules.h"
#include "sched/prio.h"

static bool is_io(const struct facts *f)
{
	return is_stored(f, WHAT_IOPRIO) && f->io != NULL;
}

static bool is_class(const struct facts *f, enum ioprio_class c)
{
	return ioprio_unpack(f->actual).io_class == (int)c;
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
	return is_asked(f, WHAT_IOPRIO) && f->base == STATUS_APPLIED && is_class(f, IOCLASS_IDLE) &&
	       ioprio_unpack(f->wanted).level != 0;
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

static bool drops(const struct facts *f)
{
	return is_io(f) && f->io->stacked == TRI_YES && f->io->drops_ioprio == TRI_YES;
}

static bool has_elevator(const struct facts *f, enum facts_elevator e)
{
	return is_io(f) && f->io->elevator == e;
}

static bool elevator_none(const struct facts *f)
{
	return has_elevator(f, ELEVATOR_NONE);
}

static bool elevator_kyber(const struct facts *f)
{
	return has_elevator(f, ELEVATOR_KYBER);
}

static bool elevator_level(const struct facts *f)
{
	return has_elevator(f, ELEVATOR_MQ_DEADLINE) && f->io->rivals_same_class == TRI_YES;
}

static bool elevator_other(const struct facts *f)
{
	return has_elevator(f, ELEVATOR_OTHER);
}

static bool no_queue(const struct facts *f)
{
	return has_elevator(f, ELEVATOR_MISSING) && f->io->stacked != TRI_YES;
}

static bool stacked(const struct facts *f)
{
	return is_io(f) && f->io->stacked == TRI_YES &&
	       (f->io->elevator == ELEVATOR_MISSING || f->io->elevator == ELEVATOR_UNREAD);
}

static bool group_policy(const struct facts *f)
{
	return is_io(f) && f->io->group_policy[0] != '\0';
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
	return is_io(f) && f->io->does_io == TRI_YES && f->io->cpu_wait.known && f->io->cpu_wait.value > 0.3;
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
	{{"no-io", STATUS_MOOT, FIX_NONE, FIX_NONE, "ioprio_set(2)"},
	 no_io,
	 "{asked} is stored, but this thread reads and writes nothing: an I/O priority orders nothing here",
	 "for the CPU use nice; for I/O look at the thread that does it"},
	{{"page-cache", STATUS_MOOT, FIX_NONE, FIX_NONE, "proc_pid_io(5), rchar and read_bytes"},
	 page_cache,
	 "{asked} is stored, but the reads are served from the page cache: no request reaches the disk",
	 "read cold data, or with O_DIRECT, to see the disk"},
	{{"tmpfs-direct", STATUS_MOOT, FIX_NONE, FIX_NONE, "tmpfs(5); statx(2), STATX_DIOALIGN"},
	 tmpfs_direct,
	 "the files are on {filesystem}, which is memory: O_DIRECT is accepted there and means nothing",
	 "use a directory on a real disk, as /var/tmp"},
	{{"direct-misaligned", STATUS_MOOT, FIX_NONE, FIX_NONE,
	  "open(2), O_DIRECT; statx(2), STATX_DIOALIGN"},
	 direct_misaligned,
	 "O_DIRECT was refused (EINVAL): buffer, offset or length are not aligned as the file system wants",
	 "align all three to stx_dio_mem_align and stx_dio_offset_align"},
	{{"network-filesystem", STATUS_MOOT, FIX_NONE, FIX_NONE, "statfs(2)"},
	 network,
	 "the files are on {filesystem}: the disk is on another machine or in another process, out of reach "
	 "of ionice",
	 "set priorities or limits where the server runs"},
	{{"io-by-workers", STATUS_IGNORED, FIX_NONE, FIX_NONE, REF_PRIO},
	 workers,
	 "{filesystem} lets its own worker threads do the I/O: the requests carry their priority, not this "
	 "thread's",
	 "use the file system's own limits, or io.weight of a cgroup"},
	{{"writeback", STATUS_IGNORED, FIX_NONE, FIX_NONE, REF_PRIO},
	 writeback,
	 "{asked} is stored, but the writes are buffered: a kernel worker writes them later at be/4",
	 "write with O_DIRECT, or fsync from the thread itself; cgroup io.weight follows buffered writes "
	 "too"},
	{{"journal-io", STATUS_IGNORED, FIX_NONE, FIX_NONE, REF_PRIO},
	 journal,
	 "most of its I/O is metadata: the journal thread (jbd2, xfsaild) writes it at its own priority",
	 "fewer, larger files and fewer fsync; or limit it with a cgroup"},
	{{"loop-drops-ioprio", STATUS_IGNORED, FIX_NONE, FIX_NONE, "losetup(8), --direct-io; Linux 6.15"},
	 drops,
	 "the loop device in between writes through the page cache and loses the priority",
	 "losetup --direct-io=on, and a kernel from 6.15 on"},
	{{"elevator-none", STATUS_IGNORED, FIX_NONE, FIX_NONE, REF_SCHED},
	 elevator_none,
	 "{device} has the elevator none: requests go out as they come, no class and no level counts",
	 "set bfq (class and level) or mq-deadline (class) in queue/scheduler, or use io.max of a cgroup"},
	{{"elevator-kyber", STATUS_IGNORED, FIX_NONE, FIX_NONE, "kernel: block/kyber-iosched.c"},
	 elevator_kyber,
	 "{device} has the elevator kyber, which does not look at I/O priorities",
	 "set bfq (class and level) or mq-deadline (class) in queue/scheduler"},
	{{"elevator-level-ignored", STATUS_IGNORED, FIX_NONE, FIX_NONE, "kernel: block/deadline-iosched.rst"},
	 elevator_level,
	 "{device} has mq-deadline, which looks at the class alone: level 0 and 7 of one class are the same "
	 "to it",
	 "use class idle for the one that shall wait, or set bfq"},
	{{"elevator-unknown", STATUS_UNKNOWN, FIX_NONE, FIX_NONE, REF_SCHED},
	 elevator_other,
	 "{device} has the elevator {elevator}: whether it uses I/O priorities is not known here",
	 "measure it; mq-deadline and bfq are known to use them"},
	{{"stacked-device", STATUS_UNKNOWN, FIX_NONE, FIX_NONE, REF_SCHED},
	 stacked,
	 "{device} stands on other devices: the elevator that counts is at the bottom, if the layers pass "
	 "the priority down",
	 "look at the elevator of the bottom disk (lsblk -s, queue/scheduler)"},
	{{"no-device-queue", STATUS_IGNORED, FIX_NONE, FIX_NONE, REF_SCHED},
	 no_queue,
	 "{device} has no queue and no elevator (zram, brd): nothing orders its requests",
	 "use a device with an elevator, or a cgroup limit above it"},
	{{"anonymous-device", STATUS_UNKNOWN, FIX_NONE, FIX_NONE, "stat(2), st_dev; proc_pid_mountinfo(5)"},
	 anonymous,
	 "{filesystem} hides which disk a file is on: its elevator cannot be told",
	 "look the disk up by hand (findmnt, btrfs filesystem show, zpool status)"},
	{{"io-cgroup-policy", STATUS_IGNORED, FIX_NONE, FIX_NONE, "kernel: cgroup-v2.rst, io.prio.class"},
	 group_policy,
	 "io.prio.class of its cgroup is {iopolicy}: it overrides the class that the thread has",
	 "write no-change to io.prio.class (blkio.prio.class) of the group"},
	{{"io-cgroup-limit", STATUS_MOOT, FIX_NONE, FIX_NONE, "kernel: cgroup-v2.rst, io.max, io.weight"},
	 group_limits,
	 "limits or weights of its cgroup (io.max, io.weight, io.cost, blkio.throttle) decide before the "
	 "elevator does",
	 "change them for the group; ionice comes second"},
	{{"writeback-throttled", STATUS_APPLIED, FIX_NONE, FIX_NONE,
	  "kernel: block/blk-wbt.c; queue-sysfs.rst"},
	 throttles_writeback,
	 "the device slows background writes by itself (wbt_lat_usec is not 0)",
	 "write 0 to queue/wbt_lat_usec, or use bfq, which switches it off"},
	{{"io-no-contention", STATUS_MOOT, FIX_NONE, FIX_NONE, REF_PRIO},
	 io_alone,
	 "{asked} holds, but nobody else uses {device}: there is nothing to order",
	 "nothing is wrong; to limit it use io.max of a cgroup"},
	{{"device-queue-full", STATUS_MOOT, FIX_NONE, FIX_NONE, "kernel: queue-sysfs.rst, nr_requests"},
	 queue_full,
	 "{depth} requests wait for {tags} tags of {device}: who gets a tag is first come, first served, "
	 "before any elevator",
	 "fewer requests at a time (queue depth), or a greater nr_requests"},
	{{"cpu-not-disk", STATUS_APPLIED, FIX_NONE, FIX_NONE, "proc_pid_schedstat(5)"},
	 cpu_not_disk,
	 "it waits for a CPU {cpuwait} of the time: what looks like the disk is the CPU",
	 "compare at equal nice, or keep the hogs off its CPU"},
	{{"elevator-aging", STATUS_APPLIED, FIX_NONE, FIX_NONE,
	  "kernel: block/mq-deadline.c, prio_aging_expire"},
	 aging,
	 "mq-deadline lets a request of a lower class through when it is {aging} old",
	 "change iosched/prio_aging_expire of {device}"},
	{{"elevator-heuristics", STATUS_APPLIED, FIX_NONE, FIX_NONE, "kernel: block/bfq-iosched.rst"},
	 heuristics,
	 "bfq uses class and level, but low_latency guesses who is interactive and blurs them",
	 "write 0 to low_latency and 1 to strict_guarantees in iosched/"},
	{{"ioprio-from-nice", STATUS_APPLIED, FIX_NONE, FIX_NONE, REF_PRIO},
	 from_nice,
	 "no I/O priority is set: it follows the nice value, (nice + 20) / 5 in class be (is {effective})",
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
