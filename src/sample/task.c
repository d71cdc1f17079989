/* Run and wait shares of one thread from the deltas of its schedstat clocks. */
#include "sample/task.h"

#include <string.h>

void sample_task_restart(struct sample_task *s)
{
	s->used = 0;
	s->other_at = 0;
}

static const struct sample_point *newest(const struct sample_task *s)
{
	return s->used ? &s->points[(s->used - 1) % SAMPLE_POINTS] : NULL;
}

void sample_task_update(struct sample_task *s, const struct task_reading *r)
{
	if (s->valid && s->last.stat.start != r->stat.start)
		sample_task_restart(s);
	if (s->valid &&
	    (s->last.times.run_ns != r->times.run_ns || s->last.times.wait_ns != r->times.wait_ns))
		s->other_at = s->last.at;
	s->last = *r;
	s->valid = true;
	if (!r->times_known)
		return;
	if (!newest(s) || r->at - newest(s)->at >= SAMPLE_SPACING)
		s->points[s->used++ % SAMPLE_POINTS] =
			(struct sample_point){r->at, r->times.run_ns, r->times.wait_ns};
}

/* The youngest kept point that is at least SAMPLE_WINDOW old, else the oldest. */
static const struct sample_point *window_start(const struct sample_task *s)
{
	size_t held = s->used < SAMPLE_POINTS ? s->used : SAMPLE_POINTS;
	const struct sample_point *p = NULL;

	for (size_t i = 1; i <= held; i++) {
		p = &s->points[(s->used - i) % SAMPLE_POINTS];
		if (s->last.at - p->at >= SAMPLE_WINDOW)
			break;
	}
	return p;
}

/* Run-queue time that no clock shows yet, ns: see the header. */
static uint64_t pending_wait(const struct sample_task *s, const struct sample_point *from)
{
	uint64_t since = s->other_at > from->at ? s->other_at : from->at;

	return s->last.stat.state == 'R' ? s->last.at - since : 0;
}

struct sample_shares sample_task_shares(const struct sample_task *s)
{
	const struct sample_point *from = s->valid && s->last.times_known ? window_start(s) : NULL;
	struct sample_shares out = {0};

	if (!from || s->last.at - from->at < SAMPLE_WINDOW_OK || s->last.times.run_ns < from->run_ns ||
	    s->last.times.wait_ns < from->wait_ns)
		return out;

	double span = (double)(s->last.at - from->at);
	out.known = true;
	out.run = (double)(s->last.times.run_ns - from->run_ns) / span;
	out.wait = (double)(s->last.times.wait_ns - from->wait_ns + pending_wait(s, from)) / span;
	out.run = out.run > 1 ? 1 : out.run;
	out.wait = out.wait > 1 - out.run ? 1 - out.run : out.wait;
	out.sleep = 1 - out.run - out.wait;
	return out;
}

struct known_number sample_task_rate(const struct sample_task *s, uint64_t since, double *seconds)
{
	size_t held = s->used < SAMPLE_POINTS ? s->used : SAMPLE_POINTS;
	const struct sample_point *from = NULL;

	for (size_t i = 1; i <= held; i++) {
		const struct sample_point *p = &s->points[(s->used - i) % SAMPLE_POINTS];
		if (p->at < since)
			break;
		from = p;
	}
	if (!s->valid || !s->last.times_known || !from || s->last.at - from->at < SAMPLE_WINDOW_OK ||
	    s->last.times.run_ns < from->run_ns)
		return (struct known_number){0};
	*seconds = (double)(s->last.at - from->at) / 1e9;
	return known((double)(s->last.times.run_ns - from->run_ns) / (double)(s->last.at - from->at));
}
