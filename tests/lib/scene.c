/* Made-up snapshots with fixed figures. */
#include "scene.h"
#include "base/clock.h"
#include "kernel/priority.h"
#include "sched/share.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define T0 (1000 * NS_PER_SEC)

struct snapshot_thread *scene_add_thread(struct snapshot *s, int group, unsigned ordinal, unsigned index,
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
		.status = STATUS_APPLIED,
		.verdict = -1,
		.weight = {true, 1024},
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
	t->nice_status = t->status = st;
	t->weight.value = weight_of_nice(actual);
	t->ioprio_effective = ioprio_effective(0, actual, 0);
}

/* A verdict with the table's own words, as the engine makes it. */
void scene_add_verdict(struct snapshot *s, const char *code, size_t thread, unsigned count, struct facts *f)
{
	static const struct facts_host host = {.autogroup = TRI_YES};
	static const struct facts_group group;
	static const struct facts_process process = {
		.comm = "nl-victim", .threads = 2, .reached = 1, .has_autogroup = TRI_YES, .autogroup = 3278};
	int rule = verdict_find(code);
	const struct verdict_info *info = verdict_info((unsigned)rule);
	struct snapshot_verdict *v = &s->verdicts[s->nverdicts++];

	f->host = &host;
	f->group = &group;
	f->process = &process;
	*v = (struct snapshot_verdict){.rule = (unsigned)rule,
				       .status = info->status,
				       .what = f->what,
				       .group = s->threads[thread].group,
				       .tid = s->threads[thread].tid,
				       .count = count,
				       .fix = info->fix,
				       .other_fix = info->other_fix};
	for (unsigned i = 0; i < count; i++)
		s->threads[thread + i].verdict = rule;
	verdict_why(v->why, sizeof(v->why), (unsigned)rule, f);
	verdict_remedy(v->remedy, sizeof(v->remedy), (unsigned)rule, f);
}

/* The arithmetic of six hogs at nice 0 and two victim threads in one session. */
static void add_theory(struct snapshot *s, int victim_nice)
{
	struct snapshot_theory *th = &s->theory;
	double weight = weight_of_nice(victim_nice), total = 6 * 1024 + 2 * weight;

	*th = (struct snapshot_theory){
		.known = true, .cpus = 2, .total_weight = total, .one_place = true, .nrows = 2};
	th->rows[0] = (struct theory_row){.group = 0,
					  .threads = 6,
					  .place = "session 8120",
					  .place_weight = 1024,
					  .places = 1,
					  .weight = 1024,
					  .share = 2 * 1024 / total,
					  .used = {true, 1024},
					  .measured = {true, 0.33}};
	th->rows[1] = (struct theory_row){.group = 1,
					  .threads = 2,
					  .place = "session 8120",
					  .place_weight = 1024,
					  .places = 1,
					  .nice = victim_nice,
					  .weight = weight,
					  .share = 2 * weight / total,
					  .used = {true, weight},
					  .measured = {true, 0.005}};
	for (size_t i = 0; i < 2; i++)
		th->rows[i].low = th->rows[i].high = th->rows[i].share;
}

void scene_add_samples(struct histogram *h, uint64_t ms, int n)
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
	s->groups[0].room = 1024;
	s->groups[1].kind = LOAD_WORK;
	s->groups[1].is_victim = true;
	s->groups[1].running = 1;
}

static void add_default_threads(struct snapshot *s)
{
	for (unsigned i = 0; i < 2; i++) {
		struct snapshot_thread *t = scene_add_thread(s, 1, 1, i + 1, (pid_t)(8121 + i));
		t->p50 = (struct known_ns){true, 35 * NS_PER_MS};
		t->samples = 280;
	}
	for (unsigned i = 0; i < 6; i++)
		scene_add_thread(s, 0, i + 1, 1, (pid_t)(8123 + i));
	s->groups[0].running = 6;
}

void scene_add_history(struct timeline *t, uint64_t from, uint64_t to, uint64_t ms, int n)
{
	for (uint64_t sec = from; sec < to; sec++) {
		struct histogram *h = calloc(1, sizeof(*h));
		scene_add_samples(h, ms, n);
		timeline_add(t, sec, h, n ? TIMELINE_UNKNOWN : 1500 * NS_PER_MS);
		free(h);
	}
}

static void running(struct snapshot *s)
{
	struct snapshot_group *v = &s->groups[1];

	add_default_threads(s);
	add_theory(s, 0);
	s->judged = true;
	v->latency.baseline_known = true;
	v->latency.baseline_p50 = 10100 * NS_PER_US;
	scene_add_samples(&v->latency.baseline, 10, 390);
	scene_add_samples(&v->latency.baseline, 14, 9);
	v->latency.in_flight = (struct known_ns){true, 21 * NS_PER_MS};
	v->shares = (struct sample_shares){true, 0.25, 0.75, 0};
	v->predicted_share = (struct known_number){true, 0.25};
	v->latency.ratio = (struct known_number){true, 3.47};
	v->latency.predicted = (struct known_number){true, 4.0};
	scene_add_samples(&v->latency.window, 35, 500);
	scene_add_samples(&v->latency.window, 60, 60);
	scene_add_history(&v->timeline, 1090, 1100, 10, 190);
	scene_add_history(&v->timeline, 1100, 1133, 35, 56);
	timeline_mark(&v->timeline, 1100, 0, KNOB_COUNT, "hogs 6");
}

static void nice19(struct snapshot *s)
{
	struct snapshot_group *v = &s->groups[1];

	running(s);
	add_theory(s, 19);
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
	scene_add_samples(&v->latency.window, 1990, 8);
	scene_add_samples(&v->latency.window, 2310, 3);
	memset(&v->timeline, 0, sizeof(v->timeline));
	scene_add_history(&v->timeline, 1090, 1100, 10, 190);
	scene_add_history(&v->timeline, 1100, 1120, 35, 56);
	for (uint64_t sec = 1120; sec < 1133; sec++)
		scene_add_history(&v->timeline, sec, sec + 1, 1990, sec % 2 ? 2 : 0);
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
	scene_add_verdict(s, "main-thread-only", 1, 1, &(struct facts){.base = STATUS_PARTIAL, .wanted = 19});
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
	set_nice(&s->threads[1], 25, 19, STATUS_CLAMPED);
	set_nice(&s->threads[2], 0, 10, STATUS_REVERTED);
	s->threads[3].ioprio_asked = true;
	s->threads[3].ioprio_wanted = 1 << 13;
	s->threads[3].ioprio_status = s->threads[3].status = STATUS_DENIED;
	s->threads[4].nice_known = s->threads[4].ioprio_known = false;
	s->threads[4].nice_status = s->threads[4].status = STATUS_UNKNOWN;
	s->threads[4].shares.known = false;
	scene_add_verdict(s, "denied-eacces", 0, 1,
			  &(struct facts){.base = STATUS_DENIED, .wanted = -5, .error = EACCES});
	scene_add_verdict(s, "reverted", 2, 1, &(struct facts){.base = STATUS_REVERTED, .actual = 10});
	scene_add_verdict(s, "clamped", 1, 1,
			  &(struct facts){.base = STATUS_CLAMPED, .wanted = 25, .actual = 19});
	snprintf(s->threads[5].comm, sizeof(s->threads[5].comm), "\033[31mred\n\xff) R");
}

/* Each worker in a session of its own: the trap that most people fall into. */
static void autogroup(struct snapshot *s)
{
	struct facts f = {.base = STATUS_APPLIED, .wanted = 19};
	struct theory_row *rows = s->theory.rows;

	nice19(s);
	s->knobs[KNOB_SESSIONS] = SESSIONS_OWN;
	s->groups[1].shares = (struct sample_shares){true, 0.137, 0.863, 0};
	s->groups[1].predicted_share.value = 0.143;
	for (size_t i = 0; i < 2; i++) {
		set_nice(&s->threads[i], 19, 19, STATUS_MOOT);
		s->threads[i].shares = s->groups[1].shares;
	}
	scene_add_verdict(s, "autogroup", 0, 2, &f);
	s->verdicts[0].nalso = 1;
	s->verdicts[0].also[0].rule = (unsigned)verdict_find("no-debugfs");
	verdict_why(s->verdicts[0].also[0].why, SNAPSHOT_TEXT, s->verdicts[0].also[0].rule, &f);
	s->theory.one_place = false;
	s->theory.total_weight = 7 * 1024;
	rows[0] = (struct theory_row){.group = 0,
				      .threads = 6,
				      .places = 6,
				      .place = "a session each",
				      .place_weight = 1024,
				      .weight = 1024,
				      .share = 0.286,
				      .low = 0.23,
				      .high = 0.286};
	rows[1].share = rows[1].high = 0.143;
	rows[1].low = 0.125;
	rows[1].measured.value = 0.137;
	s->groups[1].latency.predicted = s->groups[1].latency.predicted_low = (struct known_number){true, 7};
	s->groups[1].latency.predicted_high = (struct known_number){true, 8};
	s->groups[1].latency.ratio.value = 7.4;
}

void scene_make(struct snapshot *s, enum scene scene)
{
	static void (*const makers[])(struct snapshot * s) = {
		[SCENE_DEFAULT] = running, [SCENE_NICE19] = nice19, [SCENE_PARTIAL] = partial,
		[SCENE_TROUBLE] = trouble, [SCENE_LOST] = running,  [SCENE_AUTOGROUP] = autogroup,
	};
	bool disk = scene >= SCENE_DISK && scene <= SCENE_WARM;

	base(s);
	if (disk)
		scene_disk(s, scene);
	else if (makers[scene])
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
