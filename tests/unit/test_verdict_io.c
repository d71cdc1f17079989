/* Rules for an I/O priority that is stored as asked: whether it reaches a device and an elevator that uses it. */
#include "test_verdict.h"

#define BE7 IO_STORED(BE(7))
#define IDLE IOPRIO(IOCLASS_IDLE, 0)
#define DOES .does_io = TRI_YES
#define MQ .elevator = ELEVATOR_MQ_DEADLINE, .device = "vda"

static const struct rule_case paths[] = {
	{FIRES("no-io"), .w = {.f = {BE7}, .i = {.does_io = TRI_NO}}},
	{SILENT("no-io"), .w = {.f = {BE7}, .i = {DOES}}},
	{SILENT("no-io"),
	 .w = {.f = {IO_READ(STATUS_APPLIED, 0, 0), .settled = true}, .i = {.does_io = TRI_NO}}},
	{LOSES("no-io", "kthread"), .w = {.f = {BE7}, .i = {.does_io = TRI_NO}, .p = {.kthread = TRI_YES}}},
	{FIRES("page-cache"), .w = {.f = {BE7}, .i = {DOES, .from_cache = TRI_YES}}},
	{SILENT("page-cache"), .w = {.f = {BE7}, .i = {DOES, .from_cache = TRI_NO}}},
	{LOSES("page-cache", "no-io"), .w = {.f = {BE7}, .i = {.does_io = TRI_NO, .from_cache = TRI_YES}}},
	{FIRES("tmpfs-direct"),
	 .w = {.f = {BE7}, .i = {DOES, .filesystem = FILESYSTEM_TMPFS, .filesystem_name = "tmpfs"}}},
	{SILENT("tmpfs-direct"), .w = {.f = {BE7}, .i = {DOES, .filesystem = FILESYSTEM_BLOCK}}},
	{LOSES("tmpfs-direct", "page-cache"),
	 .w = {.f = {BE7}, .i = {DOES, .filesystem = FILESYSTEM_TMPFS, .from_cache = TRI_YES}}},
	{FIRES("direct-misaligned"),
	 .w = {.f = {BE7}, .i = {DOES, .direct = TRI_YES, .misaligned = TRI_YES}}},
	{SILENT("direct-misaligned"),
	 .w = {.f = {BE7}, .i = {DOES, .direct = TRI_YES, .misaligned = TRI_NO}}},
	{SILENT("direct-misaligned"),
	 .w = {.f = {BE7}, .i = {DOES, .direct = TRI_NO, .misaligned = TRI_YES}}},
	{LOSES("direct-misaligned", "no-io"),
	 .w = {.f = {BE7}, .i = {.does_io = TRI_NO, .direct = TRI_YES, .misaligned = TRI_YES}}},
	{FIRES("network-filesystem"),
	 .w = {.f = {BE7}, .i = {DOES, .filesystem = FILESYSTEM_NETWORK, .filesystem_name = "nfs"}}},
	{SILENT("network-filesystem"), .w = {.f = {BE7}, .i = {DOES, .filesystem = FILESYSTEM_UNKNOWN}}},
	{LOSES("network-filesystem", "page-cache"),
	 .w = {.f = {BE7}, .i = {DOES, .filesystem = FILESYSTEM_NETWORK, .from_cache = TRI_YES}}},
	{FIRES("io-by-workers"),
	 .w = {.f = {BE7}, .i = {DOES, .filesystem = FILESYSTEM_WORKERS, .filesystem_name = "zfs"}}},
	{SILENT("io-by-workers"), .w = {.f = {BE7}, .i = {DOES, .filesystem = FILESYSTEM_BLOCK}}},
	{LOSES("io-by-workers", "page-cache"),
	 .w = {.f = {BE7}, .i = {DOES, .filesystem = FILESYSTEM_WORKERS, .from_cache = TRI_YES}}},
	{FIRES("writeback"), .w = {.f = {BE7}, .i = {DOES, .buffered_writes = TRI_YES}}},
	{SILENT("writeback"), .w = {.f = {BE7}, .i = {DOES, .buffered_writes = TRI_NO}}},
	{LOSES("writeback", "tmpfs-direct"),
	 .w = {.f = {BE7}, .i = {DOES, .buffered_writes = TRI_YES, .filesystem = FILESYSTEM_TMPFS}}},
	{FIRES("journal-io"), .w = {.f = {BE7}, .i = {DOES, .journal = TRI_YES}}},
	{SILENT("journal-io"), .w = {.f = {BE7}, .i = {DOES, .journal = TRI_NO}}},
	{LOSES("journal-io", "writeback"),
	 .w = {.f = {BE7}, .i = {DOES, .journal = TRI_YES, .buffered_writes = TRI_YES}}},
	{FIRES("loop-drops-ioprio"),
	 .w = {.f = {BE7}, .i = {DOES, .stacked = TRI_YES, .drops_ioprio = TRI_YES, MQ}}},
	{SILENT("loop-drops-ioprio"),
	 .w = {.f = {BE7}, .i = {DOES, .stacked = TRI_YES, .drops_ioprio = TRI_NO, MQ}}},
	{LOSES("loop-drops-ioprio", "writeback"),
	 .w = {.f = {BE7},
	       .i = {DOES, .stacked = TRI_YES, .drops_ioprio = TRI_YES, .buffered_writes = TRI_YES}}},
	{FIRES("elevator-none"),
	 .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_NONE, .device = "nvme0n1"}}},
	{SILENT("elevator-none"), .w = {.f = {BE7}, .i = {DOES, MQ}}},
	{SILENT("elevator-none"), .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_UNREAD}}},
	/* It was born with what was asked, so nobody waits for an effect. */
	{SILENT("elevator-none"),
	 .w = {.f = {IO_READ(STATUS_APPLIED, 0, 0)}, .i = {DOES, .elevator = ELEVATOR_NONE}}},
	{LOSES("elevator-none", "loop-drops-ioprio"),
	 .w = {.f = {BE7},
	       .i = {DOES, .elevator = ELEVATOR_NONE, .stacked = TRI_YES, .drops_ioprio = TRI_YES}}},
	{FIRES("elevator-kyber"),
	 .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_KYBER, .device = "sda"}}},
	{SILENT("elevator-kyber"), .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_BFQ}}},
	{LOSES("elevator-kyber", "writeback"),
	 .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_KYBER, .buffered_writes = TRI_YES}}},
	{FIRES("elevator-level-ignored"), .w = {.f = {BE7}, .i = {DOES, MQ, .rivals_same_class = TRI_YES}}},
	{SILENT("elevator-level-ignored"), .w = {.f = {BE7}, .i = {DOES, MQ, .rivals_same_class = TRI_NO}}},
	{SILENT("elevator-level-ignored"),
	 .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_BFQ, .rivals_same_class = TRI_YES}}},
	{LOSES("elevator-level-ignored", "journal-io"),
	 .w = {.f = {BE7}, .i = {DOES, MQ, .rivals_same_class = TRI_YES, .journal = TRI_YES}}},
	{FIRES("elevator-unknown"),
	 .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_OTHER, .elevator_name = "adios"}}},
	{SILENT("elevator-unknown"), .w = {.f = {BE7}, .i = {DOES, MQ}}},
	{LOSES("elevator-unknown", "page-cache"),
	 .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_OTHER, .from_cache = TRI_YES}}},
	{FIRES("stacked-device"),
	 .w = {.f = {BE7}, .i = {DOES, .stacked = TRI_YES, .elevator = ELEVATOR_MISSING}}},
	{SILENT("stacked-device"), .w = {.f = {BE7}, .i = {DOES, .stacked = TRI_YES, MQ}}},
	{LOSES("stacked-device", "loop-drops-ioprio"),
	 .w = {.f = {BE7}, .i = {DOES, .stacked = TRI_YES, .drops_ioprio = TRI_YES}}},
	{FIRES("no-device-queue"),
	 .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_MISSING, .device = "zram0"}}},
	{SILENT("no-device-queue"),
	 .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_MISSING, .stacked = TRI_YES}}},
	{SILENT("no-device-queue"), .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_UNREAD}}},
	{LOSES("no-device-queue", "writeback"),
	 .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_MISSING, .buffered_writes = TRI_YES}}},
	{FIRES("anonymous-device"),
	 .w = {.f = {BE7}, .i = {DOES, .filesystem = FILESYSTEM_ANONYMOUS, .filesystem_name = "overlay"}}},
	{SILENT("anonymous-device"), .w = {.f = {BE7}, .i = {DOES, .filesystem = FILESYSTEM_ANONYMOUS, MQ}}},
	{LOSES("anonymous-device", "stacked-device"),
	 .w = {.f = {BE7}, .i = {DOES, .filesystem = FILESYSTEM_ANONYMOUS, .stacked = TRI_YES}}},
};

static const struct rule_case others[] = {
	{FIRES("io-cgroup-policy"), .w = {.f = {BE7}, .i = {DOES, MQ, .group_policy = "restrict-to-be"}}},
	{SILENT("io-cgroup-policy"), .w = {.f = {BE7}, .i = {DOES, MQ}}},
	{LOSES("io-cgroup-policy", "elevator-none"),
	 .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_NONE, .group_policy = "idle"}}},
	{FIRES("io-cgroup-limit"), .w = {.f = {BE7}, .i = {DOES, MQ, .group_limits = TRI_YES}}},
	{SILENT("io-cgroup-limit"), .w = {.f = {BE7}, .i = {DOES, MQ, .group_limits = TRI_NO}}},
	{LOSES("io-cgroup-limit", "io-cgroup-policy"),
	 .w = {.f = {BE7}, .i = {DOES, MQ, .group_limits = TRI_YES, .group_policy = "idle"}}},
	/* A note that is of use beside this verdict alone. */
	{SILENT("writeback-throttled"),
	 .w = {.f = {BE7}, .i = {DOES, .throttles_writeback = TRI_YES, .buffered_writes = TRI_NO}}},
	{LOSES("writeback-throttled", "writeback"),
	 .w = {.f = {BE7}, .i = {DOES, .throttles_writeback = TRI_YES, .buffered_writes = TRI_YES}}},
	{FIRES("io-no-contention"), .w = {.f = {BE7}, .i = {DOES, MQ, .rivals = IS(0)}}},
	{SILENT("io-no-contention"), .w = {.f = {BE7}, .i = {DOES, MQ, .rivals = IS(1)}}},
	{SILENT("io-no-contention"), .w = {.f = {BE7}, .i = {DOES, MQ}}},
	{LOSES("io-no-contention", "elevator-none"),
	 .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_NONE, .rivals = IS(0)}}},
	{FIRES("device-queue-full"), .w = {.f = {BE7}, .i = {DOES, MQ, .depth = IS(256), .tags = IS(256)}}},
	{SILENT("device-queue-full"), .w = {.f = {BE7}, .i = {DOES, MQ, .depth = IS(64), .tags = IS(256)}}},
	{SILENT("device-queue-full"), .w = {.f = {BE7}, .i = {DOES, MQ, .depth = IS(64), .tags = IS(0)}}},
	{LOSES("device-queue-full", "io-cgroup-limit"),
	 .w = {.f = {BE7}, .i = {DOES, MQ, .depth = IS(256), .tags = IS(256), .group_limits = TRI_YES}}},
	{FIRES("cpu-not-disk"), .w = {.f = {BE7}, .i = {DOES, MQ, .cpu_wait = IS(0.4)}}},
	{SILENT("cpu-not-disk"), .w = {.f = {BE7}, .i = {DOES, MQ, .cpu_wait = IS(0.2)}}},
	{LOSES("cpu-not-disk", "elevator-level-ignored"),
	 .w = {.f = {BE7}, .i = {DOES, MQ, .cpu_wait = IS(0.9), .rivals_same_class = TRI_YES}}},
	{FIRES("elevator-aging"),
	 .w = {.f = {IO_STORED(IDLE)}, .i = {DOES, MQ, .aging_ms = IS(10000), .rivals_same_class = TRI_NO}}},
	{SILENT("elevator-aging"), .w = {.f = {IO_STORED(IDLE)}, .i = {DOES, MQ, .aging_ms = IS(10000)}}},
	{LOSES("elevator-aging", "io-no-contention"),
	 .w = {.f = {IO_STORED(IDLE)},
	       .i = {DOES, MQ, .aging_ms = IS(10000), .rivals_same_class = TRI_NO, .rivals = IS(0)}}},
	{FIRES("elevator-heuristics"),
	 .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_BFQ, .heuristics = TRI_YES}}},
	{SILENT("elevator-heuristics"),
	 .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_BFQ, .heuristics = TRI_NO}}},
	{LOSES("elevator-heuristics", "io-no-contention"),
	 .w = {.f = {BE7}, .i = {DOES, .elevator = ELEVATOR_BFQ, .heuristics = TRI_YES, .rivals = IS(0)}}},
	{FIRES("ioprio-from-nice"), .w = {.f = {IO_STORED(0), .nice = 19}, .i = {DOES, MQ}}},
	{FIRES("ioprio-from-nice"), .w = {.f = {IO_READ(STATUS_APPLIED, 0, 0), POLICY(SCHED_IDLE)}}},
	{SILENT("ioprio-from-nice"), .w = {.f = {BE7, .nice = 19}, .i = {DOES, MQ}}},
	{LOSES("ioprio-from-nice", "elevator-none"),
	 .w = {.f = {IO_STORED(0)}, .i = {DOES, .elevator = ELEVATOR_NONE}}},
	{FIRES("ioprio-decoupled"), .w = {.f = {IO_STORED(BE(2)), .nice = 19}, .i = {DOES, MQ}}},
	{SILENT("ioprio-decoupled"), .w = {.f = {IO_STORED(BE(2)), .nice = 0}, .i = {DOES, MQ}}},
	{SILENT("ioprio-decoupled"), .w = {.f = {IO_STORED(0), .nice = 19}, .i = {DOES, MQ}}},
	{LOSES("ioprio-decoupled", "writeback"),
	 .w = {.f = {IO_STORED(BE(2)), .nice = 19}, .i = {DOES, .buffered_writes = TRI_YES}}},
	{FIRES("ioprio-data-ignored"), .w = {.f = {IO_STORED(IOPRIO(IOCLASS_IDLE, 7))}, .i = {DOES, MQ}}},
	{SILENT("ioprio-data-ignored"), .w = {.f = {IO_STORED(IDLE)}, .i = {DOES, MQ}}},
	{SILENT("ioprio-data-ignored"), .w = {.f = {BE7}, .i = {DOES, MQ}}},
	{LOSES("ioprio-data-ignored", "no-io"),
	 .w = {.f = {IO_STORED(IOPRIO(IOCLASS_IDLE, 7))}, .i = {.does_io = TRI_NO}}},
};

static void whether_it_reaches_an_elevator(void **state)
{
	(void)state;
	check_cases(paths, COUNT(paths));
	check_case_texts(paths, COUNT(paths));
}

static void what_else_decides(void **state)
{
	(void)state;
	check_cases(others, COUNT(others));
	check_case_texts(others, COUNT(others));
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
	check_mixtures(paths, COUNT(paths));
	check_mixtures(others, COUNT(others));
}

static void every_rule_has_its_cases(void **state)
{
	(void)state;
	check_coverage(paths, COUNT(paths), "no-io", "io-cgroup-policy");
	check_coverage(others, COUNT(others), "io-cgroup-policy", "hidepid");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whether_it_reaches_an_elevator),
		cmocka_unit_test(what_else_decides),
		cmocka_unit_test(nothing_is_said_where_nobody_looked),
		cmocka_unit_test(any_mixture_gives_a_list_in_order),
		cmocka_unit_test(every_rule_has_its_cases),
	};

	return cmocka_run_group_tests_name("verdict_io", tests, NULL, NULL);
}
