/* Rules for a nice that is stored as asked: whether it is used, and whether there is anything to arbitrate. */
#include "test_verdict.h"

/* Six rivals at another nice: in its own group, in other sessions, in other cgroups. */
#define SIX .total = 6, .reachable = 6, .differ = 6
#define TOGETHER RIVALS(SIX, .nearest = 19, .farthest = 19, .waiting = IS(0.7))
#define SESSIONS RIVALS(SIX, .differ_session = 6)
#define CGROUPS RIVALS(SIX, .differ_cgroup = 6)
#define BUSY .run = IS(0.3), .wait = IS(0.7)

static const struct rule_case uses[] = {
	{FIRES("stopped"), .w = {.f = {NICE_STORED(19), .state = 'T'}}},
	{FIRES("stopped"), .w = {.f = {NICE_STORED(19), .state = 't'}}},
	{SILENT("stopped"), .w = {.f = {NICE_STORED(19), .state = 'R'}}},
	{LOSES("stopped", "children-unaffected"),
	 .w = {.f = {NICE_STORED(19), .state = 'T'}, .p = {.children_apart = 1}}},
	{FIRES("idle-apart"), .w = {.f = {NICE_STORED(0), POLICY(SCHED_IDLE),
					  RIVALS(.total = 2, .reachable = 2, .differ = 2, .differ_session = 1,
						 .differ_cgroup = 1)}}},
	{SILENT("idle-apart"),
	 .w = {.f = {NICE_STORED(0), POLICY(SCHED_IDLE),
		     RIVALS(.total = 2, .reachable = 2, .differ = 2, .differ_session = 1)}}},
	{SILENT("idle-apart"), .w = {.f = {NICE_STORED(0), POLICY(SCHED_IDLE)}}},
	{SILENT("idle-apart"), .w = {.f = {NICE_STORED(0), POLICY(SCHED_IDLE), RIVALS(.total = 2)}}},
	{LOSES("idle-apart", "stopped"),
	 .w = {.f = {NICE_STORED(0), POLICY(SCHED_IDLE), SESSIONS, .state = 'T'}}},
	{FIRES("policy-idle"), .w = {.f = {NICE_STORED(-20), POLICY(SCHED_IDLE)}}},
	{FIRES("policy-idle"), .w = {.f = {NICE_BORN(0), POLICY(SCHED_IDLE)}}},
	{SILENT("policy-idle"), .w = {.f = {NICE_STORED(-20), POLICY(SCHED_OTHER)}}},
	{SILENT("policy-idle"), .w = {.f = {NICE_STORED(-20), .policy = SCHED_IDLE}}},
	{LOSES("policy-idle", "idle-apart"), .w = {.f = {NICE_STORED(0), POLICY(SCHED_IDLE), SESSIONS}}},
	{FIRES("policy-realtime"), .w = {.f = {NICE_STORED(19), POLICY(SCHED_FIFO)}}},
	{FIRES("policy-realtime"), .w = {.f = {NICE_STORED(19), POLICY(SCHED_RR)}}},
	{SILENT("policy-realtime"), .w = {.f = {NICE_STORED(19), POLICY(SCHED_BATCH)}}},
	{LOSES("policy-realtime", "stopped"), .w = {.f = {NICE_STORED(19), POLICY(SCHED_RR), .state = 'T'}}},
	{FIRES("policy-deadline"), .w = {.f = {NICE_STORED(19), POLICY(DEADLINE)}}},
	{SILENT("policy-deadline"), .w = {.f = {NICE_STORED(19), POLICY(SCHED_FIFO)}}},
	{LOSES("policy-deadline", "stopped"), .w = {.f = {NICE_STORED(19), POLICY(DEADLINE), .state = 'T'}}},
	{FIRES("sched-ext"),
	 .w = {.f = {NICE_STORED(19)}, .h = {.sched_ext = TRI_YES, .sched_ext_name = "lavd"}}},
	{FIRES("sched-ext"), .w = {.f = {NICE_STORED(19), POLICY(EXT)}, .h = {.sched_ext = TRI_YES}}},
	{SILENT("sched-ext"), .w = {.f = {NICE_STORED(19)}, .h = {.sched_ext = TRI_NO}}},
	{SILENT("sched-ext"), .w = {.f = {NICE_STORED(19), POLICY(SCHED_FIFO)}, .h = {.sched_ext = TRI_YES}}},
	{LOSES("sched-ext", "stopped"),
	 .w = {.f = {NICE_STORED(19), .state = 'T'}, .h = {.sched_ext = TRI_YES}}},
	{FIRES("weight-differs"), .w = {.f = {NICE_STORED(19), POLICY(SCHED_OTHER), .weight = IS(1024)}}},
	{SILENT("weight-differs"), .w = {.f = {NICE_STORED(19), POLICY(SCHED_OTHER), .weight = IS(15)}}},
	{SILENT("weight-differs"), .w = {.f = {NICE_STORED(19), POLICY(SCHED_IDLE), .weight = IS(3)}}},
	/* Stale under real time: KERNEL-FACTS, trap 11. */
	{SILENT("weight-differs"), .w = {.f = {NICE_STORED(19), POLICY(SCHED_RR), .weight = IS(1024)}}},
	{LOSES("weight-differs", "sched-ext"),
	 .w = {.f = {NICE_STORED(19), POLICY(SCHED_OTHER), .weight = IS(88761)},
	       .h = {.sched_ext = TRI_YES}}},
	{FIRES("client-of-daemon"), .w = {.f = {NICE_STORED(19), .run = IS(0.004), .wait = IS(0.001)},
					  .p = {.comm = "docker", .waits_on_socket = TRI_YES}}},
	{SILENT("client-of-daemon"),
	 .w = {.f = {NICE_STORED(19), .run = IS(0.3), .wait = IS(0.1)}, .p = {.waits_on_socket = TRI_YES}}},
	{LOSES("client-of-daemon", "sched-ext"), .w = {.f = {NICE_STORED(19), .run = IS(0), .wait = IS(0)},
						       .p = {.waits_on_socket = TRI_YES},
						       .h = {.sched_ext = TRI_YES}}},
	{FIRES("not-cpu-bound"), .w = {.f = {NICE_STORED(19), .run = IS(0.004), .wait = IS(0.001)}}},
	/* A starved thread runs as little, but it waits. */
	{SILENT("not-cpu-bound"), .w = {.f = {NICE_STORED(19), .run = IS(0.004), .wait = IS(0.99)}}},
	{SILENT("not-cpu-bound"),
	 .w = {.f = {NICE_READ(STATUS_APPLIED, 19, 19), .deliberate = true, .run = IS(0), .wait = IS(0)}}},
	{SILENT("not-cpu-bound"), .w = {.f = {NICE_STORED(19), .run = IS(0.004)}}},
	{LOSES("not-cpu-bound", "client-of-daemon"),
	 .w = {.f = {NICE_STORED(19), .run = IS(0), .wait = IS(0)}, .p = {.waits_on_socket = TRI_YES}}},
	{FIRES("cgroup-quota"),
	 .w = {.f = {NICE_STORED(-20), BUSY},
	       .g = {.throttled = IS(1), .quota = IS(0.2), .quota_path = "/system.slice"}}},
	{SILENT("cgroup-quota"), .w = {.f = {NICE_STORED(-20), BUSY}, .g = {.throttled = IS(0.01)}}},
	{LOSES("cgroup-quota", "not-cpu-bound"),
	 .w = {.f = {NICE_STORED(19), .run = IS(0), .wait = IS(0)}, .g = {.throttled = IS(0.5)}}},
	{FIRES("cgroup-idle"), .w = {.f = {NICE_STORED(-20)}, .g = {.idle = TRI_YES, .path = "/a"}}},
	{SILENT("cgroup-idle"), .w = {.f = {NICE_STORED(-20)}, .g = {.idle = TRI_NO}}},
	{LOSES("cgroup-idle", "cgroup-quota"),
	 .w = {.f = {NICE_STORED(-20)}, .g = {.idle = TRI_YES, .throttled = IS(0.5)}}},
};

static const struct rule_case rivals[] = {
	{FIRES("no-contention"),
	 .w = {.f = {NICE_STORED(19), .cpus = 4, RIVALS(.total = 3, .reachable = 3, .differ = 3)}}},
	{FIRES("no-contention"), .w = {.f = {NICE_STORED(19), .cpus = 2, RIVALS(SIX, .waiting = IS(0.01)),
					     .run = IS(0.99), .wait = IS(0.001)}}},
	{FIRES("no-contention"),
	 .w = {.f = {NICE_STORED(19), RIVALS(.total = 0), .run = IS(0.99), .wait = IS(0.001)}}},
	{FIRES("no-contention"),
	 .w = {.f = {NICE_STORED(19), .cpus = 4, RIVALS(.total = 3, .reachable = 3, .differ = 3),
		     .run = IS(0.9), .wait = IS(0.05)}}},
	/* The wait is from before: there were more rivals then. */
	{FIRES("no-contention"), .w = {.f = {NICE_READ(STATUS_APPLIED, 19, 19), .deliberate = true, .cpus = 4,
					     RIVALS(.total = 3, .reachable = 3, .differ = 3), BUSY}}},
	{SILENT("no-contention"), .w = {.f = {NICE_STORED(19), .cpus = 4}}},
	/* By count there are CPUs enough, but it waits all the same. */
	{SILENT("no-contention"),
	 .w = {.f = {NICE_STORED(19), .cpus = 4, RIVALS(.total = 3, .reachable = 3, .differ = 3), BUSY}}},
	{SILENT("no-contention"), .w = {.f = {NICE_STORED(-20), .cpus = 2, RIVALS(SIX, .waiting = IS(0.5)),
					      .run = IS(0.99), .wait = IS(0.001)}}},
	{SILENT("no-contention"), .w = {.f = {NICE_STORED(19), .cpus = 2, TOGETHER, BUSY}}},
	{SILENT("no-contention"), .w = {.f = {NICE_BORN(0), .cpus = 2, RIVALS(.total = 0)}}},
	{LOSES("no-contention", "cgroup-idle"),
	 .w = {.f = {NICE_STORED(19), .cpus = 2, RIVALS(.total = 0)}, .g = {.idle = TRI_YES}}},
	{FIRES("no-shared-cpu"), .w = {.f = {NICE_STORED(19), .cpus = 1, RIVALS(.total = 6)}}},
	/* All that it meets on its CPU are threads of its own process. */
	{FIRES("no-shared-cpu"),
	 .w = {.f = {NICE_STORED(19), .cpus = 1, RIVALS(.total = 7, .reachable = 1, .siblings = 1)}}},
	{SILENT("no-shared-cpu"),
	 .w = {.f = {NICE_STORED(19), .cpus = 1,
		     RIVALS(.total = 7, .reachable = 2, .siblings = 1, .differ = 1)}}},
	{SILENT("no-shared-cpu"), .w = {.f = {NICE_STORED(19), .cpus = 1, RIVALS(.total = 0)}}},
	{SILENT("no-shared-cpu"), .w = {.f = {NICE_STORED(19), .cpus = 1, TOGETHER}}},
	{LOSES("no-shared-cpu", "cgroup-quota"),
	 .w = {.f = {NICE_STORED(19), .cpus = 1, RIVALS(.total = 6)}, .g = {.throttled = IS(0.5)}}},
	{FIRES("rival-realtime"), .w = {.f = {NICE_STORED(-20), .cpus = 1, RIVALS(SIX, .realtime = 1)}}},
	{FIRES("rival-realtime"), .w = {.f = {NICE_STORED(-20), RIVALS(SIX, .realtime = 1)}}},
	{SILENT("rival-realtime"), .w = {.f = {NICE_STORED(-20), .cpus = 1, TOGETHER}}},
	/* One CPU of two is left to the others, and nice counts there. */
	{SILENT("rival-realtime"), .w = {.f = {NICE_STORED(-20), .cpus = 2, RIVALS(SIX, .realtime = 1)}}},
	{LOSES("rival-realtime", "no-contention"),
	 .w = {.f = {NICE_STORED(19), .cpus = 1, RIVALS(SIX, .realtime = 1, .waiting = IS(0)), .run = IS(0.9),
		     .wait = IS(0.001)}}},
	{FIRES("cgroup-weight"),
	 .w = {.f = {NICE_STORED(19), CGROUPS},
	       .g = {.below_root = TRI_YES, .version = 2, .path = "/a", .raw_weight = IS(100)}}},
	{FIRES("cgroup-weight"), .w = {.f = {NICE_STORED(19), CGROUPS},
				       .g = {.below_root = TRI_NO, .mixed = TRI_YES},
				       .h = {.autogroup = TRI_YES}}},
	{SILENT("cgroup-weight"),
	 .w = {.f = {NICE_STORED(19), RIVALS(SIX, .differ_cgroup = 5, .nearest = 19, .farthest = 19)}}},
	/* In the root group, without autogroup, it meets the groups below with its own weight. */
	{SILENT("cgroup-weight"), .w = {.f = {NICE_STORED(19), CGROUPS},
					.g = {.below_root = TRI_NO, .mixed = TRI_YES},
					.h = {.autogroup = TRI_NO}}},
	{LOSES("cgroup-weight", "rival-realtime"),
	 .w = {.f = {NICE_STORED(19), RIVALS(SIX, .differ_cgroup = 6, .realtime = 1)}}},
	{FIRES("autogroup"), .w = {.f = {NICE_STORED(19), SESSIONS}, .h = {.autogroup = TRI_YES}}},
	{FIRES("autogroup"), .w = {.f = {NICE_STORED(-5), SESSIONS},
				   .h = {.autogroup = TRI_YES},
				   .p = {.has_autogroup = TRI_YES, .autogroup = 77}}},
	{SILENT("autogroup"), .w = {.f = {NICE_STORED(19), SESSIONS}, .h = {.autogroup = TRI_NO}}},
	{SILENT("autogroup"),
	 .w = {.f = {NICE_STORED(19), RIVALS(SIX, .differ_session = 5, .nearest = 19, .farthest = 19)},
	       .h = {.autogroup = TRI_YES}}},
	/* The session itself has the nice that was asked. */
	{SILENT("autogroup"), .w = {.f = {NICE_STORED(19), SESSIONS},
				    .h = {.autogroup = TRI_YES},
				    .p = {.has_autogroup = TRI_YES, .autogroup_nice = 19}}},
	{LOSES("autogroup", "cgroup-weight"),
	 .w = {.f = {NICE_STORED(19), RIVALS(SIX, .differ_session = 3, .differ_cgroup = 3)},
	       .h = {.autogroup = TRI_YES}}},
	/* The sessions' own nice differ: they arbitrate, and not evenly. */
	{SILENT("autogroup"),
	 .w = {.f = {NICE_STORED(19), SESSIONS},
	       .h = {.autogroup = TRI_YES},
	       .p = {.has_autogroup = TRI_YES, .autogroup_nice = 9, .sessions_alike = TRI_NO}}},
	/* The scheduler's own list says that it is in none. */
	{SILENT("autogroup"),
	 .w = {.f = {NICE_STORED(19), SESSIONS}, .h = {.autogroup = TRI_YES}, .p = {.in_autogroup = TRI_NO}}},
	{FIRES("rivals-outside"),
	 .w = {.f = {NICE_STORED(5), .cpus = 2, RIVALS(.total = 1, .reachable = 1, .siblings = 1),
		     .run = IS(0.5), .wait = IS(0.4)}}},
	{SILENT("rivals-outside"),
	 .w = {.f = {NICE_STORED(5), .cpus = 2, RIVALS(.total = 1, .reachable = 1, .siblings = 1),
		     .run = IS(0.95), .wait = IS(0.05)}}},
	{SILENT("rivals-outside"), .w = {.f = {NICE_STORED(5), .cpus = 2, RIVALS(.total = 1, .reachable = 1),
					       .run = IS(0.5), .wait = IS(0.4)}}},
	/* Its own threads are too many for its CPUs: they wait for each other. */
	{SILENT("rivals-outside"),
	 .w = {.f = {NICE_STORED(5), .cpus = 1, RIVALS(.total = 1, .reachable = 1, .siblings = 1),
		     .run = IS(0.5), .wait = IS(0.4)}}},
	{LOSES("rivals-outside", "cgroup-quota"),
	 .w = {.f = {NICE_STORED(5), .cpus = 2, RIVALS(.total = 0), .run = IS(0.5), .wait = IS(0.4)},
	       .g = {.throttled = IS(0.5)}}},
	/* Threads of one process have the same nice by design. */
	{SILENT("equal-nice"),
	 .w = {.f = {NICE_STORED(19), .cpus = 1, RIVALS(.total = 1, .reachable = 1, .siblings = 1)}}},
	{FIRES("equal-nice"), .w = {.f = {NICE_STORED(19), RIVALS(.total = 6, .reachable = 6)}}},
	{SILENT("equal-nice"),
	 .w = {.f = {NICE_STORED(19), RIVALS(.total = 6, .reachable = 6, .differ = 1)}}},
	/* Its only rival has no nice that counts. */
	{SILENT("equal-nice"),
	 .w = {.f = {NICE_STORED(19), .cpus = 1, RIVALS(.total = 1, .reachable = 1, .realtime = 1)}}},
	{LOSES("equal-nice", "no-contention"),
	 .w = {.f = {NICE_STORED(19), .cpus = 8, RIVALS(.total = 6, .reachable = 6)}}},
	{FIRES("session-nice"),
	 .w = {.f = {NICE_STORED(19), SESSIONS},
	       .h = {.autogroup = TRI_YES},
	       .p = {.has_autogroup = TRI_YES, .autogroup_nice = 9, .sessions_alike = TRI_NO}}},
	{SILENT("session-nice"), .w = {.f = {NICE_STORED(19), SESSIONS},
				       .h = {.autogroup = TRI_YES},
				       .p = {.has_autogroup = TRI_YES, .sessions_alike = TRI_YES}}},
	{SILENT("session-nice"), .w = {.f = {NICE_STORED(19), SESSIONS},
				       .h = {.autogroup = TRI_YES},
				       .p = {.autogroup_nice = 19, .sessions_alike = TRI_NO}}},
	{LOSES("session-nice", "cgroup-weight"),
	 .w = {.f = {NICE_STORED(19), RIVALS(SIX, .differ_session = 3, .differ_cgroup = 3)},
	       .h = {.autogroup = TRI_YES},
	       .p = {.sessions_alike = TRI_NO}}},
	{FIRES("rival-realtime-some"), .w = {.f = {NICE_STORED(-20), .cpus = 2, RIVALS(SIX, .realtime = 1)}}},
	{SILENT("rival-realtime-some"), .w = {.f = {NICE_STORED(-20), .cpus = 2, TOGETHER}}},
	{SILENT("rival-realtime-some"),
	 .w = {.f = {NICE_STORED(-20), .cpus = 2, RIVALS(SIX, .realtime = 2)}}},
	{LOSES("rival-realtime-some", "autogroup"),
	 .w = {.f = {NICE_STORED(19), .cpus = 2, RIVALS(SIX, .differ_session = 6, .realtime = 1)},
	       .h = {.autogroup = TRI_YES}}},
};

#define OFF SHARE(0.5, 0.5, IS(0.3))
#define OFF_QUIET SHARE(0.5, 0.5, IS(0.3), .outside = IS(0.01))
#define OTHER_WAY SHARE(0.01, 0.02, IS(0.5), .other_low = IS(0.5), .other_high = IS(0.5))
#define SLICE(ns) .slice_ns = IS(ns), .base_slice_ns = IS(2.8e6)

static const struct rule_case shares[] = {
	{FIRES("steal"), .w = {.f = {NICE_STORED(10), OFF}, .h = {.steal = IS(0.3)}}},
	{SILENT("steal"), .w = {.f = {NICE_STORED(10), OFF}, .h = {.steal = IS(0.01)}}},
	{SILENT("steal"), .w = {.f = {NICE_STORED(10), SHARE(0.5, 0.5, IS(0.48))}, .h = {.steal = IS(0.3)}}},
	{LOSES("steal", "autogroup"),
	 .w = {.f = {NICE_STORED(10), OFF, SESSIONS}, .h = {.steal = IS(0.3), .autogroup = TRI_YES}}},
	{FIRES("other-load"), .w = {.f = {NICE_STORED(10), SHARE(0.5, 0.5, IS(0.3), .outside = IS(0.2))}}},
	{SILENT("other-load"), .w = {.f = {NICE_STORED(10), SHARE(0.5, 0.5, IS(0.45), .outside = IS(0.2))}}},
	{LOSES("other-load", "cgroup-quota"),
	 .w = {.f = {NICE_STORED(10), SHARE(0.5, 0.5, IS(0.3), .outside = IS(0.2))},
	       .g = {.throttled = IS(0.5)}}},
	{FIRES("autogroup-stale"), .w = {.f = {NICE_STORED(19), OTHER_WAY}}},
	{SILENT("autogroup-stale"),
	 .w = {.f = {NICE_STORED(19),
		     SHARE(0.01, 0.02, IS(0.5), .other_low = IS(0.9), .other_high = IS(0.99))}}},
	{SILENT("autogroup-stale"),
	 .w = {.f = {NICE_STORED(19),
		     SHARE(0.4, 0.5, IS(0.5), .other_low = IS(0.5), .other_high = IS(0.5))}}},
	{LOSES("autogroup-stale", "autogroup"),
	 .w = {.f = {NICE_STORED(19), OTHER_WAY, SESSIONS}, .h = {.autogroup = TRI_YES}}},
	{FIRES("off-prediction"), .w = {.f = {NICE_STORED(10), OFF_QUIET}}},
	{FIRES("off-prediction"), .w = {.f = {NICE_BORN(0), SHARE(0.1, 0.2, IS(0.3), .outside = IS(0))}}},
	{SILENT("off-prediction"), .w = {.f = {NICE_STORED(10), OFF}}},
	{SILENT("off-prediction"),
	 .w = {.f = {NICE_STORED(10),
		     .share = {.high = IS(0.2), .measured = IS(0.3), .seconds = 10, .outside = IS(0)}}}},
	{SILENT("off-prediction"),
	 .w = {.f = {NICE_STORED(10),
		     .share = {.low = IS(0.5), .measured = IS(0.3), .seconds = 10, .outside = IS(0)}}}},
	{SILENT("off-prediction"),
	 .w = {.f = {NICE_STORED(10),
		     .share = {.low = IS(0.5), .high = IS(0.5), .seconds = 10, .outside = IS(0)}}}},
	{SILENT("off-prediction"), .w = {.f = {NICE_STORED(10), OFF_QUIET}, .h = {.sched_ext = TRI_YES}}},
	{SILENT("off-prediction"),
	 .w = {.f = {NICE_STORED(10), POLICY(SCHED_OTHER), .weight = IS(15), OFF_QUIET}}},
	{SILENT("off-prediction"),
	 .w = {.f = {NICE_STORED(10), .cpus = 2, OFF_QUIET, RIVALS(SIX, .realtime = 1)}}},
	{SILENT("off-prediction"),
	 .w = {.f = {NICE_STORED(10), SHARE(0.5, 0.5, IS(0.44), .outside = IS(0))}}},
	{SILENT("off-prediction"),
	 .w = {.f = {NICE_STORED(19), SHARE(0.01, 0.01, IS(0.035), .outside = IS(0))}}},
	{SILENT("off-prediction"), .w = {.f = {NICE_STORED(10), .share = {.low = IS(0.5),
									  .high = IS(0.5),
									  .measured = IS(0.3),
									  .seconds = 2,
									  .outside = IS(0)}}}},
	/* Something changed: what was measured speaks of before. */
	{SILENT("off-prediction"),
	 .w = {.f = {NICE_READ(STATUS_APPLIED, 10, 10), .deliberate = true, OFF_QUIET}}},
	/* Where it is explained, it is not said that nothing explains it. */
	{SILENT("off-prediction"), .w = {.f = {NICE_STORED(10), OFF_QUIET}, .h = {.steal = IS(0.3)}}},
	{SILENT("off-prediction"),
	 .w = {.f = {NICE_STORED(10), SHARE(0.5, 0.5, IS(0.3), .outside = IS(0.2))}}},
	{SILENT("off-prediction"),
	 .w = {.f = {NICE_STORED(10), OFF_QUIET,
		     RIVALS(.total = 6, .reachable = 3, .differ = 3, .farthest = 10)}}},
	{SILENT("off-prediction"), .w = {.f = {NICE_STORED(10), OFF_QUIET}, .g = {.throttled = IS(0.5)}}},
	/* Two notes of the table are before the verdict. */
	{LOSES("other-load", "autogroup-stale"),
	 .w = {.f = {NICE_STORED(19), .cpus = 2, RIVALS(SIX, .realtime = 1),
		     SHARE(0.01, 0.02, IS(0.5), .other_low = IS(0.5), .other_high = IS(0.5),
			   .outside = IS(0.2))}}},
	{LOSES("off-prediction", "autogroup"),
	 .w = {.f = {NICE_STORED(10), OFF_QUIET, SESSIONS}, .h = {.autogroup = TRI_YES}}},
	{FIRES("step-too-small"), .w = {.f = {NICE_STORED(2), RIVALS(SIX, .nearest = 1, .farthest = 2)}}},
	{SILENT("step-too-small"), .w = {.f = {NICE_STORED(3), RIVALS(SIX, .nearest = 1, .farthest = 3)}}},
	{SILENT("step-too-small"), .w = {.f = {NICE_STORED(3), SESSIONS}}},
	{LOSES("step-too-small", "cgroup-quota"),
	 .w = {.f = {NICE_STORED(2), RIVALS(SIX, .nearest = 1, .farthest = 2)}, .g = {.throttled = IS(0.5)}}},
	{FIRES("wrong-neighbour"),
	 .w = {.f = {NICE_STORED(19), RIVALS(.total = 6, .reachable = 3, .differ = 3, .farthest = 19)}}},
	{SILENT("wrong-neighbour"), .w = {.f = {NICE_STORED(19), TOGETHER}}},
	{LOSES("wrong-neighbour", "autogroup"),
	 .w = {.f = {NICE_STORED(19), RIVALS(.total = 6, .reachable = 3, .differ = 3, .differ_session = 3)},
	       .h = {.autogroup = TRI_YES}}},
	{FIRES("smt-sibling"), .w = {.f = {NICE_STORED(19), .smt_rival = TRI_YES}}},
	{SILENT("smt-sibling"), .w = {.f = {NICE_STORED(19), .smt_rival = TRI_NO}}},
	{LOSES("smt-sibling", "no-shared-cpu"),
	 .w = {.f = {NICE_STORED(19), .smt_rival = TRI_YES, RIVALS(.total = 1)}}},
	{FIRES("uclamp"), .w = {.f = {NICE_STORED(19), .uclamp = TRI_YES}}},
	{SILENT("uclamp"), .w = {.f = {NICE_STORED(19), .uclamp = TRI_NO}}},
	{LOSES("uclamp", "sched-ext"),
	 .w = {.f = {NICE_STORED(19), .uclamp = TRI_YES}, .h = {.sched_ext = TRI_YES}}},
	{FIRES("custom-slice"), .w = {.f = {NICE_STORED(19), SLICE(1e8)}}},
	{FIRES("custom-slice"), .w = {.f = {NICE_STORED(19), SLICE(2.5e6)}}},
	{SILENT("custom-slice"), .w = {.f = {NICE_STORED(19), SLICE(2.8e6)}}},
	{SILENT("custom-slice"), .w = {.f = {NICE_STORED(19), .slice_ns = IS(1e8)}}},
	{LOSES("custom-slice", "sched-ext"),
	 .w = {.f = {NICE_STORED(19), SLICE(1e5)}, .h = {.sched_ext = TRI_YES}}},
	{FIRES("cgroup-shares-converted"),
	 .w = {.f = {NICE_STORED(19)}, .g = {.version = 2, .raw_weight = IS(39)}}},
	{SILENT("cgroup-shares-converted"),
	 .w = {.f = {NICE_STORED(19)}, .g = {.version = 1, .raw_weight = IS(39)}}},
	{SILENT("cgroup-shares-converted"),
	 .w = {.f = {NICE_STORED(19)}, .g = {.version = 2, .raw_weight = IS(100)}}},
	{LOSES("cgroup-shares-converted", "cgroup-weight"),
	 .w = {.f = {NICE_STORED(19), CGROUPS},
	       .g = {.below_root = TRI_YES, .version = 2, .raw_weight = IS(39)}}},
	{FIRES("task-beside-groups"), .w = {.f = {NICE_STORED(19), CGROUPS},
					    .g = {.mixed = TRI_YES, .below_root = TRI_NO},
					    .h = {.autogroup = TRI_NO}}},
	{SILENT("task-beside-groups"),
	 .w = {.f = {NICE_STORED(19), CGROUPS}, .g = {.mixed = TRI_NO, .below_root = TRI_YES}}},
	/* Its session's group stands beside the others, not the thread itself. */
	{SILENT("task-beside-groups"), .w = {.f = {NICE_STORED(19), CGROUPS},
					     .g = {.mixed = TRI_YES, .below_root = TRI_NO},
					     .h = {.autogroup = TRI_YES}}},
	{LOSES("task-beside-groups", "cgroup-weight"),
	 .w = {.f = {NICE_STORED(19), CGROUPS}, .g = {.mixed = TRI_YES, .below_root = TRI_YES}}},
};

static void whether_it_is_used(void **state)
{
	(void)state;
	check_cases(uses, COUNT(uses));
	check_case_texts(uses, COUNT(uses));
}

static void whether_there_are_rivals(void **state)
{
	(void)state;
	check_cases(rivals, COUNT(rivals));
	check_case_texts(rivals, COUNT(rivals));
}

static void whether_the_share_is_as_predicted(void **state)
{
	(void)state;
	check_cases(shares, COUNT(shares));
	check_case_texts(shares, COUNT(shares));
}

static void any_mixture_gives_a_list_in_order(void **state)
{
	(void)state;
	check_mixtures(uses, COUNT(uses));
	check_mixtures(rivals, COUNT(rivals));
	check_mixtures(shares, COUNT(shares));
}

static void every_rule_has_its_cases(void **state)
{
	(void)state;
	check_coverage(uses, COUNT(uses), "stopped", "no-contention");
	check_coverage(rivals, COUNT(rivals), "no-contention", "steal");
	check_coverage(shares, COUNT(shares), "steal", "direct-misaligned");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whether_it_is_used),
		cmocka_unit_test(whether_there_are_rivals),
		cmocka_unit_test(whether_the_share_is_as_predicted),
		cmocka_unit_test(any_mixture_gives_a_list_in_order),
		cmocka_unit_test(every_rule_has_its_cases),
	};

	return cmocka_run_group_tests_name("verdict_cpu", tests, NULL, NULL);
}
