/* Fills a snapshot from the engine's state: the only place where the one becomes the other. */
#include "lab/state.h"
#include "base/clock.h"

#include <stdio.h>
#include <string.h>

static void fill_p50(const struct lab_group *g, unsigned index, struct snapshot_thread *out)
{
	const struct window *w = index && index <= ARENA_THREADS ? g->thread_windows[index - 1] : NULL;

	if (!w)
		return;
	out->samples = window_total(w)->count;
	out->p50.known = histogram_percentile(window_total(w), 500, &out->p50.ns);
}

/* What was judged a moment ago counts while what is read back now is what it was then. */
static enum status status_now(const struct lab_thread *t, enum facts_what what, enum knob k)
{
	enum status now = attempt_status(t, k);

	return now == STATUS_APPLIED && t->verdicts[what].found && t->verdicts[what].status < STATUS_CLAMPED
		       ? t->verdicts[what].status
		       : now;
}

static void fill_thread(const struct lab_group *g, const struct lab_worker *w, const struct lab_thread *t,
			struct snapshot_thread *out)
{
	const struct task_reading *r = &t->sample.last;

	*out = (struct snapshot_thread){
		.group = g->index,
		.ordinal = (unsigned)(w - g->workers) + 1,
		.index = t->index,
		.pid = w->pid,
		.tid = t->tid,
		.state = r->stat.state,
		.nice_asked = t->nice.asked,
		.nice_wanted = t->nice.wanted,
		.nice_known = t->sample.valid,
		.nice_actual = r->stat.nice,
		.ioprio_asked = t->ioprio.asked,
		.ioprio_wanted = t->ioprio.wanted,
		.ioprio_known = t->sample.valid && r->ioprio_error == 0,
		.ioprio_actual = r->ioprio,
		.policy = r->stat.policy,
		.cpu = r->stat.cpu,
		.shares = sample_task_shares(&t->sample),
		.policy_asked = t->policy.asked,
		.policy_wanted = t->policy.wanted,
		.nice_status = status_now(t, WHAT_NICE, KNOB_NICE_VALUE),
		.ioprio_status = status_now(t, WHAT_IOPRIO, KNOB_IONICE),
		.policy_status = status_now(t, WHAT_POLICY, KNOB_POLICY),
		.verdict = t->verdict,
		.weight = t->used.weight,
		.predicted = t->share,
		.predicted_low = t->share_low,
		.predicted_high = t->share_high,
		.nice_error = t->nice.error,
		.ioprio_error = t->ioprio.error,
	};
	memcpy(out->comm, r->stat.comm, sizeof(out->comm));
	if (out->ioprio_known)
		out->ioprio_effective = ioprio_effective(r->ioprio, r->stat.nice, r->stat.policy);
	out->status = status_worse(status_worse(out->nice_status, out->ioprio_status), out->policy_status);
	out->status = status_worse(out->status, t->verdicts[WHAT_AUTOGROUP].status);
}

static void fill_victim_thread(const struct lab *lab, const struct lab_group *g, uint64_t now,
			       struct snapshot_thread *out)
{
	fill_p50(g, out->index, out);
	if (out->index)
		measure_in_flight(lab, g, out->index - 1, now, &out->in_flight);
}

static void add_shares(struct sample_shares *sum, unsigned *n, const struct sample_shares *s)
{
	if (!s->known)
		return;
	sum->run += s->run;
	sum->wait += s->wait;
	sum->sleep += s->sleep;
	++*n;
}

static void fill_threads(const struct lab *lab, const struct lab_group *g, uint64_t now, struct snapshot *out)
{
	struct snapshot_group *sg = &out->groups[g->index];
	struct sample_shares sum = {0};
	unsigned known = 0;

	for (unsigned s = 0; s < g->capacity; s++) {
		const struct lab_worker *w = &g->workers[s];
		sg->running += w->life == LIFE_RUNNING;
		sg->refused += w->life == LIFE_REFUSED;
		sg->preparing += apply_is_too_early(lab, g, w);
		for (size_t i = 0; w->life == LIFE_RUNNING && i < w->nthreads; i++) {
			struct snapshot_thread *t = &out->threads[out->nthreads++];
			fill_thread(g, w, &w->threads[i], t);
			if (g->is_victim)
				fill_victim_thread(lab, g, now, t);
			sg->threads++;
			add_shares(&sum, &known, &t->shares);
		}
	}
	if (known)
		sg->shares =
			(struct sample_shares){true, sum.run / known, sum.wait / known, sum.sleep / known};
}

static uint64_t mixed_for(const struct lab *lab, const struct histogram *window, uint64_t now)
{
	uint64_t until = lab->changed_at + (uint64_t)lab->knobs[KNOB_WINDOW] * NS_PER_SEC;

	return lab->changed_at && window->count && now < until ? until - now : 0;
}

static void fill_latency(const struct lab *lab, const struct lab_group *g, uint64_t now,
			 struct snapshot_latency *out)
{
	uint64_t p50;

	out->window = *window_total(g->window);
	out->dropped = 0;
	for (unsigned i = 0; i < ARENA_THREADS; i++)
		if (g->thread_windows[i])
			out->dropped += ring_dropped(&lab->arena->victim[g->victim].thread[i].ring);
	out->discarded = g->discarded + window_lost(g->window);
	out->in_flight = (struct known_ns){0};
	for (unsigned i = 0; i < (unsigned)g->knobs[KNOB_THREADS]; i++)
		measure_in_flight(lab, g, i, now, &out->in_flight);
	out->baseline_known = g->baseline.known;
	out->baseline_p50 = g->baseline.p50;
	out->baseline = g->baseline.histogram;
	out->baseline_disturbed = g->baseline.disturbed;
	out->mixed_ns = mixed_for(lab, &out->window, now);
	out->ratio.known =
		g->baseline.known && g->baseline.p50 && histogram_percentile(&out->window, 500, &p50);
	if (out->ratio.known)
		out->ratio.value = (double)p50 / (double)g->baseline.p50;
	out->predicted = g->predicted_ratio;
	out->predicted_low = g->ratio_low;
	out->predicted_high = g->ratio_high;
}

static void fill_group(const struct lab *lab, const struct lab_group *g, uint64_t now, struct snapshot *out)
{
	struct snapshot_group *sg = &out->groups[g->index];

	sg->is_victim = g->is_victim;
	sg->kind = g->kind;
	memcpy(sg->knobs, g->knobs, sizeof(sg->knobs));
	sg->running = sg->threads = sg->refused = sg->preparing = 0;
	sg->rate = disk_rate(g, RATE_POINTS);
	if (lab->phase == PHASE_LOST)
		sg->rate.known = false;
	sg->room = disk_room(lab, g);
	sg->baseline_rate = g->baseline.rate;
	memcpy(sg->fault, g->fault, sizeof(sg->fault));
	sg->shares = (struct sample_shares){0};
	sg->paused = g->paused;
	sg->held = g->held;
	sg->predicted_share = g->predicted_share;
	sg->predicted_low = g->share_low;
	sg->predicted_high = g->share_high;
	if (g->is_victim) {
		sg->timeline = g->timeline;
		fill_latency(lab, g, now, &sg->latency);
	}
}

/* The longest that any victim's baseline still takes, as far as that is known: samples may be wanting then. */
static uint64_t phase_left(const struct lab *lab, uint64_t now)
{
	uint64_t left = 0;

	for (size_t i = 0; i < lab->ngroups && lab->phase == PHASE_BASELINE; i++) {
		const struct lab_baseline *b = &lab->groups[i].baseline;
		uint64_t until = b->from ? b->from + LAB_BASELINE_TIME : now + LAB_BASELINE_TIME;
		if (b->wanted && until > now && until - now > left)
			left = until - now;
	}
	return left;
}

static void fill_journal(const struct lab_journal *j, struct snapshot *out)
{
	out->njournal = j->count < SNAPSHOT_JOURNAL ? (size_t)j->count : SNAPSHOT_JOURNAL;
	for (size_t i = 0; i < out->njournal; i++)
		out->journal[i] = j->entries[(j->count - 1 - i) % SNAPSHOT_JOURNAL];
}

static void fill_lab(const struct lab *lab, uint64_t now, struct snapshot *out)
{
	out->at = now;
	out->started = lab->started;
	out->phase = lab->phase;
	out->phase_left = phase_left(lab, now);
	out->host = lab->host;
	out->cpus = pin_all_cpus(lab);
	out->own_raised = lab->own_raised;
	out->own_nice = lab->own_nice;
	out->self_cpu = lab->self_cpu;
	out->sweep_ns = lab->sweep_last_cost;
	out->reaction_ns = lab->reaction_ns;
	memcpy(out->knobs, lab->knobs, sizeof(out->knobs));
	snprintf(out->user, sizeof(out->user), "%s", lab->user.known ? lab->user.name : "");
	out->nverdicts = lab->nverdicts;
	out->verdicts_more = lab->verdicts_more;
	memcpy(out->verdicts, lab->verdicts, sizeof(out->verdicts));
	out->judged = lab->judged;
	out->theory = lab->theory;
	disk_publish(lab, &out->disk);
	out->ngroups = lab->ngroups;
	out->nthreads = 0;
	fill_journal(&lab->journal, out);
}

void publish_snapshot(struct lab *lab, uint64_t now)
{
	struct snapshot *out = snapshot_begin(lab->store);

	if (snapshot_reserve(out, crew_count_threads(lab)) < 0)
		return; /* the screen keeps the last one */
	predict_update(lab);
	judge_update(lab, now);
	fill_lab(lab, now, out);
	out->number = ++lab->numbers;
	for (size_t i = 0; i < lab->ngroups; i++)
		fill_group(lab, &lab->groups[i], now, out);
	for (int victims = 1; victims >= 0; victims--)
		for (size_t i = 0; i < lab->ngroups; i++)
			if (lab->groups[i].is_victim == (victims == 1))
				fill_threads(lab, &lab->groups[i], now, out);
	snapshot_publish(lab->store);
}
