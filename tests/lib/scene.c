/* Made-up snapshots with fixed figures. */
#include "scene.h"
#include "base/clock.h"
#include "kernel/priority.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define T0 (1000 * NS_PER_SEC)

static struct snapshot_thread *add_thread(struct snapshot *s, int group, unsigned ordinal, unsigned index,
					  pid_t tid)
{
	struct snapshot_thread *t;

	snapshot_reserve(s, s->nthreads + 1);
	t = &s->threads[s->nthreads++];
	*t = (struct snapshot_thread){
		.group = group,
		.ordinal = ordinal,
		.index = index,
		.pid = index > 1 ? tid - 1 : tid,
		.tid = tid,
		.state = 'R',
		.nice_asked = true,
		.nice_known = true,
		.ioprio_known = true,
		.ioprio_effective = ioprio_effective(0, 0, 0),
		.cpu = (int)(tid % 2),
		.nice_status = STATUS_APPLIED,
		.shares = {true, 0.25, 0.75, 0},
	};
	snprintf(t->comm, sizeof(t->comm), group ? "nl-victim" : "nl-hog-%u", ordinal);
	s->groups[group].threads++;
	return t;
}

static void set_nice(struct snapshot_thread *t, int wanted, int actual, enum status st)
{
	t->nice_wanted = wanted;
	t->nice_actual = actual;
	t->nice_status = st;
	t->ioprio_effective = ioprio_effective(0, actual, 0);
}

static void add_samples(struct histogram *h, uint64_t ms, int n)
{
	for (int i = 0; i < n; i++)
		histogram_record(h, ms * NS_PER_MS + (uint64_t)(i * i % 97) * ms * 1500);
}

static void base(struct snapshot *s)
{
	struct cpulist cpus = {{3}};

	memset(s, 0, sizeof(*s));
	s->number = 1;
	s->started = T0;
	s->at = T0 + 133 * NS_PER_SEC;
	s->phase = PHASE_RUNNING;
	s->host = (struct host){.kernel = "6.18.0", .autogroup = AUTOGROUP_ON};
	s->cpus = s->host.cpus = cpus;
	s->self_cpu = (struct known_number){true, 0.004};
	s->sweep_ns = 180 * NS_PER_US;
	for (int k = 0; k < KNOB_TOTAL; k++)
		s->knobs[k] = knob_info((enum knob)k)->initial;
	s->ngroups = 2;
	for (int g = 0; g < 2; g++)
		for (int k = 0; k < KNOB_TOTAL; k++)
			s->groups[g].knobs[k] = knob_info((enum knob)k)->initial;
	s->groups[0].kind = LOAD_SPIN;
	s->groups[1].kind = LOAD_WORK;
	s->groups[1].is_victim = true;
	s->groups[1].running = 1;
}

static void add_default_threads(struct snapshot *s)
{
	for (unsigned i = 0; i < 2; i++) {
		struct snapshot_thread *t = add_thread(s, 1, 1, i + 1, (pid_t)(8121 + i));
		t->p50 = (struct known_ns){true, 35 * NS_PER_MS};
		t->samples = 280;
	}
	for (unsigned i = 0; i < 6; i++)
		add_thread(s, 0, i + 1, 1, (pid_t)(8123 + i));
	s->groups[0].running = 6;
}

static void add_history(struct timeline *t, uint64_t from, uint64_t to, uint64_t ms, int n)
{
	for (uint64_t sec = from; sec < to; sec++) {
		struct histogram *h = calloc(1, sizeof(*h));
		add_samples(h, ms, n);
		timeline_add(t, sec, h, n ? TIMELINE_UNKNOWN : 1500 * NS_PER_MS);
		free(h);
	}
}

static void running(struct snapshot *s)
{
	struct snapshot_group *v = &s->groups[1];

	add_default_threads(s);
	v->latency.baseline_known = true;
	v->latency.baseline_p50 = 10100 * NS_PER_US;
	add_samples(&v->latency.baseline, 10, 390);
	add_samples(&v->latency.baseline, 14, 9);
	v->latency.in_flight = (struct known_ns){true, 21 * NS_PER_MS};
	v->shares = (struct sample_shares){true, 0.25, 0.75, 0};
	v->predicted_share = (struct known_number){true, 0.25};
	v->latency.ratio = (struct known_number){true, 3.47};
	v->latency.predicted = (struct known_number){true, 4.0};
	add_samples(&v->latency.window, 35, 500);
	add_samples(&v->latency.window, 60, 60);
	add_history(&v->timeline, 1090, 1100, 10, 190);
	add_history(&v->timeline, 1100, 1133, 35, 56);
	timeline_mark(&v->timeline, 1100, 0, KNOB_COUNT, "hogs 6");
}

static void nice19(struct snapshot *s)
{
	struct snapshot_group *v = &s->groups[1];

	running(s);
	v->knobs[KNOB_NICE_VALUE] = 19;
	for (size_t i = 0; i < 2; i++) {
		set_nice(&s->threads[i], 19, 19, STATUS_APPLIED);
		s->threads[i].shares = (struct sample_shares){true, 0.005, 0.995, 0};
		s->threads[i].p50 = (struct known_ns){i == 0, 1990 * NS_PER_MS};
	}
	v->shares = (struct sample_shares){true, 0.005, 0.995, 0};
	v->predicted_share.value = 0.0049;
	v->latency.ratio.value = 199.2;
	v->latency.predicted.value = 205.8;
	v->latency.in_flight.ns = 1840 * NS_PER_MS;
	histogram_clear(&v->latency.window);
	add_samples(&v->latency.window, 1990, 8);
	add_samples(&v->latency.window, 2310, 3);
	memset(&v->timeline, 0, sizeof(v->timeline));
	add_history(&v->timeline, 1090, 1100, 10, 190);
	add_history(&v->timeline, 1100, 1120, 35, 56);
	for (uint64_t sec = 1120; sec < 1133; sec++)
		add_history(&v->timeline, sec, sec + 1, 1990, sec % 2 ? 2 : 0);
	timeline_mark(&v->timeline, 1100, 0, KNOB_COUNT, "hogs 6");
	timeline_mark(&v->timeline, 1120, 1, KNOB_NICE_VALUE, "victim nice 19");
}

static void partial(struct snapshot *s)
{
	running(s);
	s->groups[1].knobs[KNOB_NICE_VALUE] = 19;
	s->knobs[KNOB_SCOPE] = SCOPE_PROCESS;
	set_nice(&s->threads[0], 19, 19, STATUS_APPLIED);
	set_nice(&s->threads[1], 19, 0, STATUS_PARTIAL);
	snprintf(s->threads[1].reason, sizeof(s->threads[1].reason),
		 "nice 19 asked, is 0: main thread only. t asks every thread");
}

static void trouble(struct snapshot *s)
{
	running(s);
	s->host.autogroup = AUTOGROUP_OFF;
	s->own_raised = true;
	s->own_nice = -10;
	s->groups[1].latency.dropped = 17;
	s->groups[1].latency.discarded = 3;
	s->groups[0].refused = 4;
	set_nice(&s->threads[0], -5, 0, STATUS_DENIED);
	s->threads[0].nice_error = EACCES;
	snprintf(s->threads[0].reason, sizeof(s->threads[0].reason),
		 "nice -5 refused, R respawns at it (EACCES: permission denied: needs CAP_SYS_NICE or "
		 "RLIMIT_NICE 25, is 0)");
	set_nice(&s->threads[1], 25, 19, STATUS_CLAMPED);
	set_nice(&s->threads[2], 0, 10, STATUS_REVERTED);
	s->threads[3].ioprio_asked = true;
	s->threads[3].ioprio_wanted = 1 << 13;
	s->threads[3].ioprio_status = STATUS_DENIED;
	s->threads[4].nice_known = s->threads[4].ioprio_known = false;
	s->threads[4].nice_status = STATUS_UNKNOWN;
	s->threads[4].shares.known = false;
	snprintf(s->threads[5].comm, sizeof(s->threads[5].comm), "\033[31mred\n\xff) R");
}

void scene_make(struct snapshot *s, enum scene scene)
{
	static void (*const makers[])(struct snapshot * s) = {
		[SCENE_DEFAULT] = running, [SCENE_NICE19] = nice19, [SCENE_PARTIAL] = partial,
		[SCENE_TROUBLE] = trouble, [SCENE_LOST] = running,
	};

	base(s);
	if (makers[scene])
		makers[scene](s);
	else {
		s->phase = PHASE_BASELINE;
		s->phase_left = 1300 * NS_PER_MS;
		s->self_cpu.known = false;
	}
	if (scene == SCENE_LOST) {
		s->phase = PHASE_LOST;
		s->nthreads = 0;
		s->njournal = 1;
		s->journal[0] = (struct journal_entry){
			.number = 1, .at = s->at, .level = JOURNAL_WARNING, .group = -1};
		snprintf(s->journal[0].text, sizeof(s->journal[0].text),
			 "the stage process (pid 8120) died and all workers with it: quit and start nicelab "
			 "again");
	}
}
