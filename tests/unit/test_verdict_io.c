/* Rules for an I/O priority that is stored as asked: whether it reaches a device and an elevator that uses it. */
#include "test_verdict.h"

#define BE7 IO_STORED(BE(7))
#define RT0 IO_STORED(IOPRIO(IOCLASS_RT, 0))
#define IDLE IOPRIO(IOCLASS_IDLE, 0)
#define DOES .does_io = TRI_YES
#define MQ .elevator = ELEVATOR_MQ_DEADLINE, .elevator_name = "mq-deadline", .device = "vda"
#define BFQ .elevator = ELEVATOR_BFQ, .elevator_name = "bfq", .device = "vda"
#define NONE .elevator = ELEVATOR_NONE, .elevator_name = "none", .device = "nvme0n1"
#define TOP(name, word) .stacked = TRI_YES, .top = name, .top_elevator = word /* literals: no brackets */
#define LOOP TOP("loop0", "none")
#define LOOP_NONE LOOP, .elevator = ELEVATOR_NONE, .elevator_name = "none", .device = "loop0"
#define SEEN .bottom_known = TRI_YES
#define UNSEEN .bottom_known = TRI_NO
#define DROPS .drops_ioprio = TRI_YES
#define LEVELS .rivals_same_class = TRI_YES
#define CLASSES .rivals_same_class = TRI_NO

/* Why there is no I/O at all, what the files are on, how they are read and written. */
static const struct rule_case ways[] = {
	{FIRES("direct-misaligned"),
	 .w = {.f = {BE7}, .i = {DOES, .direct = TRI_YES, .misaligned = TRI_YES}}},
	/* Nothing is read since every read is refused. */
	{FIRES("direct-misaligned"),
	 .w = {.f = {BE7}, .i = {.does_io = TRI_NO, .direct = TRI_YES, .misaligned = TRI_YES}}},
	{SILENT("direct-misaligned"),
	 .w = {.f = {BE7}, .i = {DOES, .direct = TRI_YES, .misaligned = TRI_NO}}},
	{SILENT("direct-misaligned"),
	 .w = {.f = {BE7}, .i = {DOES, .direct = TRI_NO, .misaligned = TRI_YES}}},
	{LOSES("direct-misaligned", "kthread"),
	 .w = {.f = {BE7}, .i = {.direct = TRI_YES, .misaligned = TRI_YES}, .p = {.kthread = TRI_YES}}},
	{FIRES("no-io"), .w = {.f = {BE7}, .i = {.does_io = TRI_NO}}},
	{SILENT("no-io"), .w = {.f = {BE7}, .i = {DOES}}},
	{SILENT("no-io"),
	 .w = {.f = {IO_READ(STATUS_APPLIED, 0, 0), .settled = true}, .i = {.does_io = TRI_NO}}},
	{LOSES("no-io", "kthread"), .w = {.f = {BE7}, .i = {.does_io = TRI_NO}, .p = {.kthread = TRI_YES}}},
	{LOSES("no-io", "direct-misaligned"),
	 .w = {.f = {BE7}, .i = {.does_io = TRI_NO, .direct = TRI_YES, .misaligned = TRI_YES}}},
	{FIRES("tmpfs-direct"),
	 .w = {.f = {BE7}, .i = {DOES, .filesystem = FILESYSTEM_TMPFS, .filesystem_name = "tmpfs"}}},
	/* It is the page cache too, but O_DIRECT would not help. */
	{FIRES("tmpfs-direct"),
	 .w = {.f = {BE7}, .i = {DOES, .filesystem = FILESYSTEM_TMPFS, .from_cache = TRI_YES}}},
	{SILENT("tmpfs-direct"), .w = {.f = {BE7}, .i = {DOES, .filesystem = FILESYSTEM_BLOCK}}},
	{LOSES("tmpfs-direct", "no-io"),
	 .w = {.f = {BE7}, .i = {.does_io = TRI_NO, .filesystem = FILESYSTEM_TMPFS}}},
	{FIRES("network-filesystem"),
	 .w = {.f = {BE7}, .i = {DOES, .filesystem = FILESYSTEM_NETWORK, .filesystem_name = "nfs"}}},
	{SILENT("network-filesystem"), .w = {.f = {BE7}, .i = {DOES, .filesystem = FILESYSTEM_UNKNOWN}}},
	{LOSES("network-filesystem", "no-io"),
	 .w = {.f = {BE7}, .i = {.does_io = TRI_NO, .filesystem = FILESYSTEM_NETWORK}}},
	{FIRES("io-by-workers"),
	 .w = {.f = {BE7}, .i = {DOES, .filesystem = FILESYSTEM_WORKERS, .filesystem_name = "zfs"}}},
	{SILENT("io-by-workers"), .w = {.f = {BE7}, .i = {DOES, .filesystem = FILESYSTEM_BLOCK}}},
	{LOSES("io-by-workers", "no-io"),
	 .w = {.f = {BE7}, .i = {.does_io = TRI_NO, .filesystem = FILESYSTEM_WORKERS}}},
	{FIRES("page-cache"), .w = {.f = {BE7}, .i = {DOES, .from_cache = TRI_YES}}},
	{SILENT("page-cache"), .w = {.f = {BE7}, .i = {DOES, .from_cache = TRI_NO}}},
	{LOSES("page-cache", "no-io"), .w = {.f = {BE7}, .i = {.does_io = TRI_NO, .from_cache = TRI_YES}}},
	{LOSES("page-cache", "tmpfs-direct"),
	 .w = {.f = {BE7}, .i = {DOES, .filesystem = FILESYSTEM_TMPFS, .from_cache = TRI_YES}}},
	{LOSES("page-cache", "network-filesystem"),
	 .w = {.f = {BE7}, .i = {DOES, .filesystem = FILESYSTEM_NETWORK, .from_cache = TRI_YES}}},
	{LOSES("page-cache", "io-by-workers"),
	 .w = {.f = {BE7}, .i = {DOES, .filesystem = FILESYSTEM_WORKERS, .from_cache = TRI_YES}}},
	{FIRES("writeback"), .w = {.f = {BE7}, .i = {DOES, .buffered_writes = TRI_YES}}},
	{FIRES("writeback"), .w = {.f = {BE7}, .i = {DOES, .buffered_writes = TRI_YES, NONE}}},
	{SILENT("writeback"), .w = {.f = {BE7}, .i = {DOES, .buffered_writes = TRI_NO}}},
	{LOSES("writeback", "tmpfs-direct"),
	 .w = {.f = {BE7}, .i = {DOES, .buffered_writes = TRI_YES, .filesystem = FILESYSTEM_TMPFS}}},
	{FIRES("journal-io"), .w = {.f = {BE7}, .i = {DOES, .journal = TRI_YES}}},
	{SILENT("journal-io"), .w = {.f = {BE7}, .i = {DOES, .journal = TRI_NO}}},
	{LOSES("journal-io", "writeback"),
	 .w = {.f = {BE7}, .i = {DOES, .journal = TRI_YES, .buffered_writes = TRI_YES}}},
};

/* Whether it reaches an elevator that uses it. */
static const struct rule_case elevators[] = {
	{FIRES("elevator-none"), .w = {.f = {BE7}, .i = {DOES, NONE}}},
	{FIRES("elevator-none"), .w = {.f = {BE7}, .i = {DOES, LOOP_NONE, SEEN}}},
	/* It is lost on the way, so that nothing below matters, seen or not. */
	{FIRES("elevator-none"), .w = {.f = {BE7}, .i = {DOES, LOOP_NONE, UNSEEN, DROPS}}},
	{SILENT("elevator-none"), .w = {.f = {BE7}, .i = {DOES, LOOP_NONE, UNSEEN}}},
	{SILENT("elevator-none"), .w = {.f = {BE7}, .i = {DOES, LOOP_NONE}}},
	{SILENT("elevator-none"), .w = {.f = {BE7}, .i = {DOES, MQ}}},
	{SILENT("elevator-none"), .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_UNREAD}}},
	/* It was born with what was asked, so nobody waits for an effect. */
	{SILENT("elevator-none"), .w = {.f = {IO_READ(STATUS_APPLIED, 0, 0)}, .i = {DOES, NONE}}},
	{LOSES("elevator-none", "writeback"), .w = {.f = {BE7}, .i = {NONE, .buffered_writes = TRI_YES}}},
	{FIRES("elevator-kyber"),
	 .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_KYBER, .device = "sda"}}},
	{SILENT("elevator-kyber"), .w = {.f = {BE7}, .i = {DOES, BFQ}}},
	{SILENT("elevator-kyber"),
	 .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_KYBER, TOP("loop0", "kyber"), UNSEEN}}},
	{LOSES("elevator-kyber", "writeback"),
	 .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_KYBER, .buffered_writes = TRI_YES}}},
	{FIRES("no-device-queue"),
	 .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_MISSING, .device = "zram0"}}},
	{FIRES("no-device-queue"),
	 .w = {.f = {BE7},
	       .i = {DOES, .elevator = ELEVATOR_MISSING, TOP("dm-0", ""), .device = "dm-0", SEEN}}},
	{SILENT("no-device-queue"),
	 .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_MISSING, .stacked = TRI_YES}}},
	{SILENT("no-device-queue"), .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_UNREAD}}},
	{LOSES("no-device-queue", "writeback"),
	 .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_MISSING, .buffered_writes = TRI_YES}}},
	{FIRES("loop-drops-ioprio"), .w = {.f = {BE7}, .i = {DOES, LOOP, DROPS}}},
	{SILENT("loop-drops-ioprio"), .w = {.f = {BE7}, .i = {DOES, LOOP, .drops_ioprio = TRI_NO, MQ}}},
	{SILENT("loop-drops-ioprio"), .w = {.f = {BE7}, .i = {DOES, .stacked = TRI_NO, DROPS}}},
	{SILENT("loop-drops-ioprio"),
	 .w = {.f = {BE7}, .i = {DOES, TOP("loop0", "adios"), .elevator = ELEVATOR_OTHER, DROPS}}},
	{LOSES("loop-drops-ioprio", "elevator-none"), .w = {.f = {BE7}, .i = {DOES, LOOP_NONE, SEEN, DROPS}}},
	{LOSES("loop-drops-ioprio", "elevator-kyber"),
	 .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_KYBER, TOP("loop0", "kyber"), SEEN, DROPS}}},
	{LOSES("loop-drops-ioprio", "no-device-queue"),
	 .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_MISSING, TOP("dm-0", ""), SEEN, DROPS}}},
	{LOSES("loop-drops-ioprio", "writeback"),
	 .w = {.f = {BE7}, .i = {DOES, LOOP, DROPS, .buffered_writes = TRI_YES}}},
	{FIRES("elevator-level-ignored"), .w = {.f = {BE7}, .i = {DOES, MQ, LEVELS}}},
	{FIRES("elevator-level-ignored"), .w = {.f = {RT0}, .i = {DOES, MQ, LEVELS}}},
	{FIRES("elevator-level-ignored"), .w = {.f = {BE7}, .i = {DOES, LOOP, MQ, SEEN, LEVELS}}},
	/* Lost on the way or not looked at is the same. */
	{FIRES("elevator-level-ignored"), .w = {.f = {BE7}, .i = {DOES, LOOP, MQ, UNSEEN, LEVELS}}},
	{SILENT("elevator-level-ignored"), .w = {.f = {IO_STORED(IDLE)}, .i = {DOES, MQ, LEVELS}}},
	{SILENT("elevator-level-ignored"), .w = {.f = {IO_STORED(0)}, .i = {DOES, MQ, LEVELS}}},
	/* Linux 5.x may report what it made of class none. */
	{SILENT("elevator-level-ignored"),
	 .w = {.f = {IO_READ(STATUS_APPLIED, 0, BE(4)), .deliberate = true}, .i = {DOES, MQ, LEVELS}}},
	{SILENT("elevator-level-ignored"), .w = {.f = {BE7}, .i = {DOES, MQ, CLASSES}}},
	{SILENT("elevator-level-ignored"), .w = {.f = {BE7}, .i = {DOES, MQ}}},
	{SILENT("elevator-level-ignored"), .w = {.f = {BE7}, .i = {DOES, BFQ, LEVELS}}},
	{LOSES("elevator-level-ignored", "journal-io"),
	 .w = {.f = {BE7}, .i = {DOES, MQ, LEVELS, .journal = TRI_YES}}},
};

/* What decides before the elevator does, whether there is anything to order, what cannot be told. */
static const struct rule_case others[] = {
	{FIRES("io-cgroup-policy"), .w = {.f = {BE7}, .i = {DOES, MQ, .group_policy = "promote-to-rt"}}},
	{FIRES("io-cgroup-policy"), .w = {.f = {BE7}, .i = {DOES, MQ, .group_policy = "none-to-rt"}}},
	{FIRES("io-cgroup-policy"), .w = {.f = {RT0}, .i = {DOES, MQ, .group_policy = "restrict-to-be"}}},
	{FIRES("io-cgroup-policy"), .w = {.f = {BE7}, .i = {DOES, MQ, .group_policy = "idle"}}},
	{FIRES("io-cgroup-policy"), .w = {.f = {BE7}, .i = {DOES, MQ, .group_policy = "of-the-future"}}},
	{SILENT("io-cgroup-policy"), .w = {.f = {BE7}, .i = {DOES, MQ}}},
	/* It leaves alone what is no better than what it makes. */
	{SILENT("io-cgroup-policy"), .w = {.f = {BE7}, .i = {DOES, MQ, .group_policy = "restrict-to-be"}}},
	{SILENT("io-cgroup-policy"), .w = {.f = {RT0}, .i = {DOES, MQ, .group_policy = "promote-to-rt"}}},
	{SILENT("io-cgroup-policy"),
	 .w = {.f = {IO_STORED(IDLE)}, .i = {DOES, MQ, .group_policy = "restrict-to-be"}}},
	{SILENT("io-cgroup-policy"), .w = {.f = {IO_STORED(IDLE)}, .i = {DOES, MQ, .group_policy = "idle"}}},
	{SILENT("io-cgroup-policy"),
	 .w = {.f = {IO_STORED(0), POLICY(SCHED_IDLE)}, .i = {DOES, MQ, .group_policy = "idle"}}},
	{LOSES("io-cgroup-policy", "elevator-none"),
	 .w = {.f = {BE7}, .i = {DOES, NONE, .group_policy = "idle"}}},
	{FIRES("io-cgroup-limit"), .w = {.f = {BE7}, .i = {DOES, MQ, .group_limits = TRI_YES}}},
	{SILENT("io-cgroup-limit"), .w = {.f = {BE7}, .i = {DOES, MQ, .group_limits = TRI_NO}}},
	{LOSES("io-cgroup-limit", "io-cgroup-policy"),
	 .w = {.f = {BE7}, .i = {DOES, MQ, .group_limits = TRI_YES, .group_policy = "idle"}}},
	{FIRES("io-no-contention"), .w = {.f = {BE7}, .i = {DOES, MQ, .rivals = IS(0)}}},
	{SILENT("io-no-contention"), .w = {.f = {BE7}, .i = {DOES, MQ, .rivals = IS(1)}}},
	{SILENT("io-no-contention"), .w = {.f = {BE7}, .i = {DOES, MQ}}},
	{SILENT("io-no-contention"), .w = {.f = {BE7}, .i = {MQ, .rivals = IS(0)}}},
	{LOSES("io-no-contention", "elevator-none"), .w = {.f = {BE7}, .i = {DOES, NONE, .rivals = IS(0)}}},
	{FIRES("device-queue-full"), .w = {.f = {BE7}, .i = {DOES, MQ, .depth = IS(256), .tags = IS(256)}}},
	{SILENT("device-queue-full"), .w = {.f = {BE7}, .i = {DOES, MQ, .depth = IS(64), .tags = IS(256)}}},
	{SILENT("device-queue-full"), .w = {.f = {BE7}, .i = {DOES, MQ, .depth = IS(64), .tags = IS(0)}}},
	{LOSES("device-queue-full", "io-cgroup-limit"),
	 .w = {.f = {BE7}, .i = {DOES, MQ, .depth = IS(256), .tags = IS(256), .group_limits = TRI_YES}}},
	{LOSES("device-queue-full", "io-no-contention"),
	 .w = {.f = {BE7}, .i = {DOES, MQ, .depth = IS(2), .tags = IS(2), .rivals = IS(0)}}},
	{FIRES("elevator-unknown"),
	 .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_OTHER, .elevator_name = "adios"}}},
	{FIRES("elevator-unknown"),
	 .w = {.f = {BE7}, .i = {DOES, TOP("loop0", "adios"), .elevator = ELEVATOR_OTHER, DROPS}}},
	{SILENT("elevator-unknown"), .w = {.f = {BE7}, .i = {DOES, MQ}}},
	{LOSES("elevator-unknown", "page-cache"),
	 .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_OTHER, .from_cache = TRI_YES}}},
	{LOSES("elevator-unknown", "device-queue-full"),
	 .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_OTHER, .depth = IS(2), .tags = IS(2)}}},
	{LOSES("elevator-unknown", "io-no-contention"),
	 .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_OTHER, .rivals = IS(0)}}},
	{FIRES("stack-unseen"), .w = {.f = {BE7}, .i = {DOES, LOOP_NONE, UNSEEN}}},
	{FIRES("stack-unseen"), .w = {.f = {BE7}, .i = {DOES, .stacked = TRI_YES}}},
	{FIRES("stack-unseen"),
	 .w = {.f = {BE7}, .i = {DOES, TOP("dm-0", ""), .device = "dm-0", .elevator = ELEVATOR_MISSING}}},
	/* Whether it gets down there is not known. */
	{FIRES("stack-unseen"), .w = {.f = {IO_STORED(IDLE)}, .i = {DOES, TOP("dm-0", ""), MQ, UNSEEN}}},
	{SILENT("stack-unseen"), .w = {.f = {BE7}, .i = {DOES, LOOP, MQ, SEEN}}},
	{SILENT("stack-unseen"), .w = {.f = {BE7}, .i = {DOES, .bottom_known = TRI_NO, MQ}}},
	{SILENT("stack-unseen"), .w = {.f = {BE7}, .i = {DOES, LOOP_NONE, UNSEEN, DROPS}}},
	/* The top one uses it, whatever is below. */
	{SILENT("stack-unseen"),
	 .w = {.f = {IO_STORED(IDLE)}, .i = {DOES, TOP("vda", "mq-deadline"), MQ, UNSEEN}}},
	{SILENT("stack-unseen"), .w = {.f = {BE7}, .i = {DOES, TOP("vda", "bfq"), BFQ, UNSEEN}}},
	{LOSES("stack-unseen", "elevator-level-ignored"),
	 .w = {.f = {BE7}, .i = {DOES, TOP("dm-0", ""), MQ, UNSEEN, LEVELS}}},
	{LOSES("stack-unseen", "device-queue-full"),
	 .w = {.f = {BE7}, .i = {DOES, LOOP_NONE, UNSEEN, .depth = IS(2), .tags = IS(2)}}},
	{LOSES("stack-unseen", "elevator-unknown"),
	 .w = {.f = {BE7}, .i = {DOES, TOP("loop0", "adios"), .elevator = ELEVATOR_OTHER, UNSEEN}}},
	{LOSES("stack-unseen", "io-no-contention"),
	 .w = {.f = {BE7}, .i = {DOES, LOOP_NONE, UNSEEN, .rivals = IS(0)}}},
	{FIRES("anonymous-device"),
	 .w = {.f = {BE7}, .i = {DOES, .filesystem = FILESYSTEM_ANONYMOUS, .filesystem_name = "overlay"}}},
	{SILENT("anonymous-device"), .w = {.f = {BE7}, .i = {DOES, .filesystem = FILESYSTEM_ANONYMOUS, MQ}}},
	{LOSES("anonymous-device", "stack-unseen"),
	 .w = {.f = {BE7}, .i = {DOES, .filesystem = FILESYSTEM_ANONYMOUS, .stacked = TRI_YES}}},
};

static const struct rule_case notes[] = {
	{FIRES("cpu-not-disk"), .w = {.f = {BE7}, .i = {DOES, MQ, .cpu_wait = IS(0.31)}}},
	{SILENT("cpu-not-disk"), .w = {.f = {BE7}, .i = {DOES, MQ, .cpu_wait = IS(0.3)}}},
	{SILENT("cpu-not-disk"), .w = {.f = {BE7}, .i = {.does_io = TRI_NO, MQ, .cpu_wait = IS(0.9)}}},
	{LOSES("cpu-not-disk", "elevator-level-ignored"),
	 .w = {.f = {BE7}, .i = {DOES, MQ, .cpu_wait = IS(0.9), LEVELS}}},
	{FIRES("stacked-device"), .w = {.f = {BE7}, .i = {DOES, LOOP, MQ, SEEN}}},
	{FIRES("stacked-device"), .w = {.f = {BE7}, .i = {DOES, TOP("md0", ""), BFQ, SEEN}}},
	{SILENT("stacked-device"), .w = {.f = {BE7}, .i = {DOES, LOOP, MQ, UNSEEN}}},
	{SILENT("stacked-device"), .w = {.f = {BE7}, .i = {DOES, LOOP, MQ}}},
	{SILENT("stacked-device"), .w = {.f = {BE7}, .i = {DOES, LOOP_NONE, SEEN}}},
	{SILENT("stacked-device"), .w = {.f = {BE7}, .i = {DOES, MQ, SEEN}}},
	{LOSES("stacked-device", "elevator-level-ignored"),
	 .w = {.f = {BE7}, .i = {DOES, LOOP, MQ, SEEN, LEVELS}}},
	/* A note that is of use beside this verdict alone. */
	{SILENT("writeback-throttled"),
	 .w = {.f = {BE7}, .i = {DOES, .throttles_writeback = TRI_YES, .buffered_writes = TRI_NO}}},
	{LOSES("writeback-throttled", "writeback"),
	 .w = {.f = {BE7}, .i = {DOES, .throttles_writeback = TRI_YES, .buffered_writes = TRI_YES}}},
	{FIRES("elevator-aging"),
	 .w = {.f = {IO_STORED(IDLE)}, .i = {DOES, MQ, .aging_ms = IS(10000), CLASSES}}},
	{SILENT("elevator-aging"), .w = {.f = {IO_STORED(IDLE)}, .i = {DOES, MQ, .aging_ms = IS(10000)}}},
	{LOSES("elevator-aging", "io-no-contention"),
	 .w = {.f = {IO_STORED(IDLE)}, .i = {DOES, MQ, .aging_ms = IS(10000), CLASSES, .rivals = IS(0)}}},
	{FIRES("elevator-heuristics"), .w = {.f = {BE7}, .i = {DOES, BFQ, .heuristics = TRI_YES}}},
	{SILENT("elevator-heuristics"), .w = {.f = {BE7}, .i = {DOES, BFQ, .heuristics = TRI_NO}}},
	{LOSES("elevator-heuristics", "io-no-contention"),
	 .w = {.f = {BE7}, .i = {DOES, BFQ, .heuristics = TRI_YES, .rivals = IS(0)}}},
	{FIRES("ioprio-from-nice"), .w = {.f = {IO_STORED(0), .nice = 19}, .i = {DOES, MQ}}},
	{FIRES("ioprio-from-nice"), .w = {.f = {IO_READ(STATUS_APPLIED, 0, 0), POLICY(SCHED_IDLE)}}},
	{FIRES("ioprio-from-nice"), .w = {.f = {IO_READ(STATUS_APPLIED, 0, BE(4))}, .i = {DOES}}},
	{SILENT("ioprio-from-nice"), .w = {.f = {BE7, .nice = 19}, .i = {DOES, MQ}}},
	{LOSES("ioprio-from-nice", "elevator-none"), .w = {.f = {IO_STORED(0)}, .i = {DOES, NONE}}},
	{FIRES("ioprio-decoupled"), .w = {.f = {IO_STORED(BE(2)), .nice = 19}, .i = {DOES, MQ}}},
	{SILENT("ioprio-decoupled"), .w = {.f = {IO_STORED(BE(2)), .nice = 0}, .i = {DOES, MQ}}},
	{SILENT("ioprio-decoupled"), .w = {.f = {IO_STORED(0), .nice = 19}, .i = {DOES, MQ}}},
	{SILENT("ioprio-decoupled"),
	 .w = {.f = {IO_READ(STATUS_APPLIED, 0, BE(4)), .deliberate = true, .nice = 5}, .i = {DOES}}},
	{LOSES("ioprio-decoupled", "writeback"),
	 .w = {.f = {IO_STORED(BE(2)), .nice = 19}, .i = {DOES, .buffered_writes = TRI_YES}}},
	{FIRES("ioprio-data-ignored"), .w = {.f = {IO_STORED(IOPRIO(IOCLASS_IDLE, 7))}, .i = {DOES, MQ}}},
	{FIRES("ioprio-data-ignored"), .w = {.f = {IO_STORED(IOPRIO(IOCLASS_IDLE, 8))}, .i = {DOES, MQ}}},
	{SILENT("ioprio-data-ignored"), .w = {.f = {IO_STORED(IDLE)}, .i = {DOES, MQ}}},
	{SILENT("ioprio-data-ignored"), .w = {.f = {BE7}, .i = {DOES, MQ}}},
	{LOSES("ioprio-data-ignored", "no-io"),
	 .w = {.f = {IO_STORED(IOPRIO(IOCLASS_IDLE, 7))}, .i = {.does_io = TRI_NO}}},
};

/* Whole situations of the lab: all codes in their order, the verdict first, and what is said of the first of them. */
#define DISK \
	DOES, .filesystem = FILESYSTEM_BLOCK, .filesystem_name = "ext4", .rivals = IS(2), .cpu_wait = IS(0.02)
#define VDA DISK, MQ, .aging_ms = IS(10000), .tags = IS(256), .depth = IS(3)

static const struct {
	const char *name;
	struct world w;
	const char *codes[5];
	enum status status;
	enum verdict_fix fix, other_fix;
	const char *why;
} situations[] = {
	{"a loop device without direct I/O, best effort 7 against 0",
	 {.f = {BE7}, .i = {DISK, LOOP_NONE, SEEN, DROPS, LEVELS, .tags = IS(128)}},
	 {"elevator-none", "loop-drops-ioprio"},
	 STATUS_IGNORED,
	 FIX_ELEVATOR_CLASS,
	 FIX_ELEVATOR_LEVEL,
	 "loop0 has the elevator none: requests go out as they come, no class and no level counts"},
	{"a loop device with direct I/O, best effort 7 against 0",
	 {.f = {BE7}, .i = {VDA, LOOP, SEEN, .drops_ioprio = TRI_NO, LEVELS}},
	 {"elevator-level-ignored", "stacked-device"},
	 STATUS_IGNORED,
	 FIX_CLASS_IDLE,
	 FIX_ELEVATOR_LEVEL,
	 "ioprio be/7 is stored, but vda has mq-deadline, which looks at the class alone: all levels of a "
	 "class are the "
	 "same to it"},
	{"a loop device with direct I/O, idle against best effort",
	 {.f = {IO_STORED(IDLE)}, .i = {VDA, LOOP, SEEN, .drops_ioprio = TRI_NO, CLASSES}},
	 {"stacked-device", "elevator-aging"},
	 STATUS_APPLIED,
	 FIX_NONE,
	 FIX_NONE,
	 "loop0 has the elevator none, but hands requests down to vda: its mq-deadline decides"},
	{"a loop device over nothing that orders",
	 {.f = {BE7}, .i = {DISK, LOOP_NONE, SEEN, .drops_ioprio = TRI_NO, LEVELS}},
	 {"elevator-none"},
	 STATUS_IGNORED,
	 FIX_ELEVATOR_CLASS,
	 FIX_ELEVATOR_LEVEL,
	 "loop0 has the elevator none: requests go out as they come, no class and no level counts, and "
	 "nothing below it "
	 "orders by priority"},
	{"a mapped device that may lose it, idle against best effort",
	 {.f = {IO_STORED(IDLE)}, .i = {VDA, TOP("dm-0", ""), .bottom_known = TRI_UNKNOWN, CLASSES}},
	 {"stack-unseen", "elevator-aging"},
	 STATUS_UNKNOWN,
	 FIX_NONE,
	 FIX_NONE,
	 "dm-0 stands on other devices: whether ioprio idle gets down to an elevator that uses it cannot be "
	 "told here"},
	{"bfq, best effort 7 against 0",
	 {.f = {BE7}, .i = {DISK, BFQ, LEVELS, .heuristics = TRI_YES}},
	 {"elevator-heuristics"},
	 STATUS_APPLIED,
	 FIX_NONE,
	 FIX_NONE,
	 "bfq uses class and level, but low_latency guesses who is interactive and blurs them"},
	{"bfq below a raid", /* of a kernel that shows no elevator for it */
	 {.f = {BE7}, .i = {DISK, BFQ, TOP("md0", ""), SEEN, LEVELS, .heuristics = TRI_NO}},
	 {"stacked-device"},
	 STATUS_APPLIED,
	 FIX_NONE,
	 FIX_NONE,
	 "md0 has no elevator, but hands requests down to vda: its bfq decides"},
	{"tmpfs",
	 {.f = {BE7},
	  .i = {DOES, .filesystem = FILESYSTEM_TMPFS, .filesystem_name = "tmpfs", .from_cache = TRI_YES}},
	 {"tmpfs-direct", "page-cache"},
	 STATUS_MOOT,
	 FIX_NONE,
	 FIX_NONE,
	 "ioprio be/7 is stored, but the files are on tmpfs, which is memory: no disk is used, and O_DIRECT "
	 "means "
	 "nothing there"},
	{"a buffered writer in class idle",
	 {.f = {IO_STORED(IDLE)},
	  .i = {VDA, CLASSES, .buffered_writes = TRI_YES, .throttles_writeback = TRI_YES}},
	 {"writeback", "writeback-throttled", "elevator-aging"},
	 STATUS_IGNORED,
	 FIX_DIRECT,
	 FIX_NONE,
	 "ioprio idle is stored, but the writes are buffered: a kernel worker writes them later at be/4"},
	{"a reader of cached files in class idle",
	 {.f = {IO_STORED(IDLE)}, .i = {VDA, CLASSES, .from_cache = TRI_YES}},
	 {"page-cache", "elevator-aging"},
	 STATUS_MOOT,
	 FIX_DIRECT,
	 FIX_NONE,
	 "ioprio idle is stored, but the reads are served from the page cache: no request reaches the disk"},
	{"alone on the disk, beside hogs that use the CPU",
	 {.f = {IO_STORED(IDLE)}, .i = {DOES, MQ, CLASSES, .rivals = IS(0), .cpu_wait = IS(0.62)}},
	 {"io-no-contention", "cpu-not-disk"},
	 STATUS_MOOT,
	 FIX_MORE_HOGS,
	 FIX_DISK_HOGS,
	 "ioprio idle holds, but nobody else uses vda: there is nothing to order"},
};

static void whole_situations_are_judged(void **state)
{
	char why[TEXT];

	(void)state;
	for (size_t i = 0; i < COUNT(situations); i++) {
		struct facts f = facts_of(&situations[i].w);
		struct verdict_list list;
		unsigned n = 0;

		verdict_judge(&f, &list);
		for (; n < COUNT(situations[i].codes) && situations[i].codes[n]; n++)
			if (n >= list.count || list.rules[n] != rule_of(situations[i].codes[n]))
				fail_msg("%s: rule %u is %s, not %s", situations[i].name, n,
					 n < list.count ? verdict_info(list.rules[n])->code : "none",
					 situations[i].codes[n]);
		if (list.count != n)
			fail_msg("%s: %s holds too", situations[i].name, verdict_info(list.rules[n])->code);
		assert_int_equal(list.status, situations[i].status);
		assert_int_equal(list.found, situations[i].status != STATUS_APPLIED);
		assert_int_equal(verdict_info(list.rules[0])->fix, situations[i].fix);
		assert_int_equal(verdict_info(list.rules[0])->other_fix, situations[i].other_fix);
		assert_string_equal(verdict_why(why, TEXT, list.rules[0], &f), situations[i].why);
	}
}

static void how_it_reads_and_writes(void **state)
{
	(void)state;
	check_cases(ways, COUNT(ways));
	check_case_texts(ways, COUNT(ways));
}

static void whether_it_reaches_an_elevator(void **state)
{
	(void)state;
	check_cases(elevators, COUNT(elevators));
	check_case_texts(elevators, COUNT(elevators));
}

static void what_else_decides(void **state)
{
	(void)state;
	check_cases(others, COUNT(others));
	check_case_texts(others, COUNT(others));
}

static void what_is_worth_a_note(void **state)
{
	(void)state;
	check_cases(notes, COUNT(notes));
	check_case_texts(notes, COUNT(notes));
}

static void fixes_lead_to_an_elevator_or_past_the_cache(void **state)
{
	static const struct {
		const char *code;
		enum verdict_fix fix, other_fix;
	} cases[] = {
		{"page-cache", FIX_DIRECT, FIX_NONE},
		{"writeback", FIX_DIRECT, FIX_NONE},
		{"tmpfs-direct", FIX_NONE, FIX_NONE},
		{"elevator-none", FIX_ELEVATOR_CLASS, FIX_ELEVATOR_LEVEL},
		{"elevator-kyber", FIX_ELEVATOR_CLASS, FIX_ELEVATOR_LEVEL},
		{"elevator-unknown", FIX_ELEVATOR_CLASS, FIX_ELEVATOR_LEVEL},
		{"loop-drops-ioprio", FIX_ELEVATOR_CLASS, FIX_ELEVATOR_LEVEL},
		{"elevator-level-ignored", FIX_CLASS_IDLE, FIX_ELEVATOR_LEVEL},
		{"io-no-contention", FIX_MORE_HOGS, FIX_DISK_HOGS},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_int_equal(verdict_info(rule_of(cases[i].code))->fix, cases[i].fix);
		assert_int_equal(verdict_info(rule_of(cases[i].code))->other_fix, cases[i].other_fix);
	}
}

/* Where nobody looked at the I/O nothing is said of it, whatever the thread is. */
static void nothing_is_said_where_nobody_looked(void **state)
{
	struct world w = {.f = {IO_STORED(BE(2)), .nice = 19}};
	struct facts f = facts_of(&w);
	struct verdict_list list;

	(void)state;
	f.io = NULL;
	verdict_judge(&f, &list);
	assert_int_equal(list.count, 0);
	assert_int_equal(list.status, STATUS_APPLIED);
}

static void any_mixture_gives_a_list_in_order(void **state)
{
	(void)state;
	check_mixtures(ways, COUNT(ways));
	check_mixtures(elevators, COUNT(elevators));
	check_mixtures(others, COUNT(others));
	check_mixtures(notes, COUNT(notes));
}

static void every_rule_has_its_cases(void **state)
{
	(void)state;
	check_coverage(ways, COUNT(ways), "direct-misaligned", "elevator-none");
	check_coverage(elevators, COUNT(elevators), "elevator-none", "io-cgroup-policy");
	check_coverage(others, COUNT(others), "io-cgroup-policy", "cpu-not-disk");
	check_coverage(notes, COUNT(notes), "cpu-not-disk", "hidepid");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(how_it_reads_and_writes),
		cmocka_unit_test(whether_it_reaches_an_elevator),
		cmocka_unit_test(what_else_decides),
		cmocka_unit_test(what_is_worth_a_note),
		cmocka_unit_test(whole_situations_are_judged),
		cmocka_unit_test(fixes_lead_to_an_elevator_or_past_the_cache),
		cmocka_unit_test(nothing_is_said_where_nobody_looked),
		cmocka_unit_test(any_mixture_gives_a_list_in_order),
		cmocka_unit_test(every_rule_has_its_cases),
	};

	return cmocka_run_group_tests_name("verdict_io", tests, NULL, NULL);
}
