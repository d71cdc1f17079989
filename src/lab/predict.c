/* What the weights say that each thread gets now, level by level through cgroups and sessions, and what the victim had while the baseline was
 * taken. */
#include "lab/state.h"
#include "sched/share.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Who stands behind a task of the prediction. */
struct runner {
	struct lab_group *g;
	struct lab_worker *w;
	struct lab_thread *t;
};

/* What tells one group of the prediction from another. */
struct place_key {
	bool is_session;
	size_t id; /* of the session; else index into lab->cgroups */
};

struct crowd {
	struct share_task *tasks;
	struct runner *runners;
	struct share_group *groups;
	struct place_key *keys;
	size_t ntasks, ngroups, room;
	bool otherwise; /* sessions count where they do not, and do not where they do */
	bool unweighted; /* somebody runs under a policy that weights say nothing of */
};

static size_t add_group(struct crowd *c, struct place_key key, size_t parent, double weight)
{
	if (c->ngroups == c->room)
		return parent;
	c->keys[c->ngroups] = key;
	c->groups[c->ngroups] = (struct share_group){.parent = parent, .weight = weight};
	return c->ngroups++;
}

/* The group of this key, made below `parent` where it is new. */
static size_t find_group(struct crowd *c, struct place_key key, size_t parent, double weight)
{
	for (size_t g = c->ngroups; g-- > 1;)
		if (c->keys[g].is_session == key.is_session && c->keys[g].id == key.id)
			return g;
	return add_group(c, key, parent, weight);
}

static size_t cgroup_of(struct lab *lab, struct crowd *c, const struct cgroup_place *place)
{
	const struct sample_group *read;
	struct cgroup_place above;
	size_t parent;

	if (!place->below_root)
		return 0;
	parent = sample_groups_parent(place, &above) ? cgroup_of(lab, c, &above) : 0;
	read = sample_groups_get(&lab->cgroups, &lab->fs, place);
	if (!read)
		return parent;
	return find_group(c, (struct place_key){false, (size_t)(read - lab->cgroups.groups)}, parent,
			  read->last.weight.known ? read->last.weight.value : 1024);
}

/* Autogroup acts in the root group only. A worker that leads a session is alone in it: nothing to look for. A worker that was not
 * read yet stands where the stage does. */
static size_t group_of_worker(struct lab *lab, struct crowd *c, const struct lab_group *g,
			      const struct lab_worker *w)
{
	const struct sample_around *a = around_of(lab, w);
	size_t cgroup = a->valid && a->placed ? cgroup_of(lab, c, &a->place) : 0;
	pid_t session = w->threads[0].sample.last.stat.session;
	struct place_key key = {true, (size_t)session};
	int nice = w->around.valid && a->around.has_autogroup == TRI_YES ? a->around.autogroup_nice
									 : (int)g->knobs[KNOB_SESSION_NICE];

	if (cgroup || w->autogrouped == c->otherwise)
		return cgroup;
	return session == w->pid ? add_group(c, key, 0, weight_of_nice(nice))
				 : find_group(c, key, 0, weight_of_nice(nice));
}

static bool is_fair(int policy)
{
	return policy == SCHED_OTHER || policy == SCHED_BATCH || policy == SCHED_IDLE;
}

static void add_worker(struct lab *lab, struct crowd *c, struct lab_group *g, struct lab_worker *w)
{
	size_t group = group_of_worker(lab, c, g, w);

	for (size_t i = 0; i < w->nthreads; i++) {
		const struct stat_line *st = &w->threads[i].sample.last.stat;
		c->unweighted |= !is_fair(st->policy);
		c->runners[c->ntasks] = (struct runner){g, w, &w->threads[i]};
		c->tasks[c->ntasks++] =
			(struct share_task){.group = group, .weight = weight_of_task(st->nice, st->policy)};
	}
}

static bool takes_part(const struct lab_group *g, bool with_hogs)
{
	return g->is_victim || (with_hogs && !g->paused && !g->held);
}

/* Past the cache it sleeps nearly always, and weights say nothing of what it gets. */
static bool waits_for_disk(const struct lab_group *g)
{
	return load_kind(g->kind)->io & IO_DIRECT;
}

/* The threads that may run on exactly these CPUs. */
static void gather(struct lab *lab, struct crowd *c, bool with_hogs, const struct cpulist *cpus)
{
	c->ntasks = 0;
	c->ngroups = 1;
	c->groups[0] = (struct share_group){0};
	c->unweighted = false;
	for (size_t i = 0; i < lab->ngroups; i++) {
		struct lab_group *g = &lab->groups[i];
		struct cpulist own = pin_cpus(lab, g);
		if (!takes_part(g, with_hogs) || waits_for_disk(g) || !cpulist_equal(&own, cpus))
			continue;
		for (unsigned s = 0; s < g->capacity; s++)
			if (g->workers[s].life == LIFE_RUNNING && g->workers[s].nthreads)
				add_worker(lab, c, g, &g->workers[s]);
	}
}

static int by_share_falling(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? 1 : x > y ? -1 : 0;
}

/* A thread of share s makes samples in proportion to s, each 1/s long: the median sample is the one at half of the summed
 * shares, taken from the fast end. */
static double median_share(double *shares, size_t n)
{
	double total = 0, seen = 0;

	for (size_t i = 0; i < n; i++)
		total += shares[i];
	qsort(shares, n, sizeof(*shares), by_share_falling);
	for (size_t i = 0; i < n; i++) {
		seen += shares[i];
		if (seen >= total / 2)
			return shares[i];
	}
	return 0;
}

enum bound { BOUND_SHARE, BOUND_LOW, BOUND_HIGH };

static double bound_of(const struct share_task *t, enum bound b)
{
	return b == BOUND_SHARE ? t->share : b == BOUND_LOW ? t->low : t->high;
}

/* Mean and median over the group's tasks; n gets how many there are. */
static double mean_of(const struct crowd *c, const struct lab_group *g, enum bound b, double *median,
		      double *scratch)
{
	double total = 0;
	size_t n = 0;

	for (size_t i = 0; i < c->ntasks; i++)
		if (c->runners[i].g == g) {
			scratch[n] = bound_of(&c->tasks[i], b);
			total += scratch[n++];
		}
	*median = median_share(scratch, n);
	return n ? total / (double)n : 0;
}

/* A block from the page cache takes less time than a turn on the CPU: its median sees nothing of waiting. */
static struct known_number ratio_of(const struct lab_group *g, double median)
{
	return !load_kind(g->kind)->io && median > 0 && g->baseline.share > 0
		       ? known(g->baseline.share / median)
		       : (struct known_number){0};
}

static void read_with_hogs(const struct crowd *c, struct lab_group *g, double *scratch)
{
	double median, mean = mean_of(c, g, BOUND_SHARE, &median, scratch);

	if (mean <= 0)
		return;
	g->predicted_share = known(mean);
	g->predicted_ratio = ratio_of(g, median);
	g->share_low = known(mean_of(c, g, BOUND_LOW, &median, scratch));
	g->ratio_high = ratio_of(g, median);
	g->share_high = known(mean_of(c, g, BOUND_HIGH, &median, scratch));
	g->ratio_low = ratio_of(g, median);
}

static void read_threads(const struct crowd *c)
{
	for (size_t i = 0; i < c->ntasks; i++) {
		struct lab_thread *t = c->runners[i].t;
		t->share = known(c->tasks[i].share);
		t->share_low = known(c->tasks[i].low);
		t->share_high = known(c->tasks[i].high);
	}
}

/* Which prediction: the victim alone, everybody, or everybody if sessions counted the other way. */
enum which { WHICH_ALONE, WHICH_ALL, WHICH_OTHERWISE };

static void read_groups(struct lab *lab, const struct crowd *c, enum which which)
{
	double *scratch = calloc(c->ntasks + 1, sizeof(*scratch)), median;

	for (size_t i = 0; scratch && i < lab->ngroups; i++) {
		struct lab_group *g = &lab->groups[i];
		double mean = mean_of(c, g, BOUND_SHARE, &median, scratch);

		if (mean <= 0)
			continue;
		if (which == WHICH_ALL)
			read_with_hogs(c, g, scratch);
		else if (which == WHICH_OTHERWISE) {
			g->other_low = known(mean_of(c, g, BOUND_LOW, &median, scratch));
			g->other_high = known(mean_of(c, g, BOUND_HIGH, &median, scratch));
		} else if (g->is_victim && g->baseline.wanted)
			g->baseline.share = median;
	}
	free(scratch);
	if (which == WHICH_ALL)
		read_threads(c);
}

/* The row of the arithmetic that a task belongs to; NULL without room. */
static struct theory_row *find_row(struct snapshot_theory *th, const struct crowd *c, size_t i)
{
	const struct runner *r = &c->runners[i];
	const struct stat_line *st = &r->t->sample.last.stat;
	const struct share_group *place = &c->groups[c->tasks[i].group];

	for (size_t k = 0; k < th->nrows; k++) {
		struct theory_row *row = &th->rows[k];
		if (row->group == r->g->index && row->nice == st->nice && row->policy == st->policy &&
		    row->place_weight == place->weight)
			return row;
	}
	if (th->nrows == SNAPSHOT_THEORY) {
		th->more = true;
		return NULL;
	}
	struct theory_row *row = &th->rows[th->nrows++];
	*row = (struct theory_row){.group = r->g->index,
				   .place_weight = place->weight,
				   .nice = st->nice,
				   .policy = st->policy,
				   .weight = c->tasks[i].weight};
	return row;
}

static void name_place(char *buf, size_t size, const struct lab *lab, const struct crowd *c, size_t group)
{
	const struct place_key *k = &c->keys[group];

	if (group == 0)
		buf[0] = '\0';
	else if (k->is_session)
		snprintf(buf, size, "session %zu", k->id);
	else
		snprintf(buf, size, "%.40s", lab->cgroups.groups[k->id].place.path);
}

static void add_to_row(struct theory_row *row, const struct lab *lab, const struct crowd *c, size_t i)
{
	const struct share_task *t = &c->tasks[i];
	const struct lab_thread *th = c->runners[i].t;
	char place[48];
	double seconds;
	struct known_number rate = sample_task_rate(&th->sample, lab->touched_at, &seconds);

	name_place(place, sizeof(place), lab, c, t->group);
	if (row->threads == 0)
		memcpy(row->place, place, sizeof(place));
	if (row->places == 0 || strcmp(row->place, place) != 0) {
		row->places++;
		memcpy(row->place, place, sizeof(place));
	}
	row->threads++;
	row->share += t->share;
	row->low += t->low;
	row->high += t->high;
	if (th->used.weight.known)
		row->used = th->used.weight;
	row->measured_threads += rate.known;
	row->measured.value += rate.known ? rate.value : 0;
}

/* The rows as means, and what stands at the top. */
static void finish_theory(struct snapshot_theory *th, const struct crowd *c, unsigned cpus)
{
	size_t places = 0;

	for (size_t i = 0; i < th->nrows; i++) {
		struct theory_row *row = &th->rows[i];
		double n = row->threads;
		row->share /= n;
		row->low /= n;
		row->high /= n;
		row->measured.known = row->measured_threads == row->threads;
		row->measured.value /= n;
		if (row->places > 1)
			snprintf(row->place, sizeof(row->place), "a session each");
	}
	for (size_t g = 1; g < c->ngroups; g++)
		if (c->groups[g].parent == 0 && c->groups[g].tasks) {
			places++;
			th->total_weight += c->groups[g].weight;
		}
	for (size_t i = 0; i < c->ntasks; i++)
		if (c->tasks[i].group == 0) {
			places++;
			th->total_weight += c->tasks[i].weight;
		}
	th->one_place = places == 1 || c->ngroups == 1;
	if (th->one_place) {
		th->total_weight = 0;
		for (size_t i = 0; i < c->ntasks; i++)
			th->total_weight += c->tasks[i].weight;
	}
	th->cpus = cpus;
	th->known = th->nrows > 0;
}

static void read_theory(struct lab *lab, const struct crowd *c, unsigned cpus)
{
	struct snapshot_theory *th = &lab->theory;

	memset(th, 0, sizeof(*th));
	for (size_t i = 0; i < c->ntasks; i++) {
		struct theory_row *row = find_row(th, c, i);
		if (row)
			add_to_row(row, lab, c, i);
	}
	finish_theory(th, c, cpus);
}

/* Those that share one list of CPUs are predicted together. */
static void predict(struct lab *lab, struct crowd *c, enum which which)
{
	struct cpulist done = {{0}};

	for (size_t i = lab->ngroups; i-- > 0;) {
		struct cpulist cpus = pin_cpus(lab, &lab->groups[i]), left = cpulist_without(&cpus, &done);
		unsigned n = cpulist_count(&cpus);

		if (cpulist_count(&left) == 0)
			continue;
		for (unsigned k = 0; k < sizeof(done.bits) / sizeof(done.bits[0]); k++)
			done.bits[k] |= cpus.bits[k];
		gather(lab, c, which != WHICH_ALONE, &cpus);
		if (c->unweighted && which == WHICH_ALL)
			lab->theory.why_not = "a worker has a real-time policy, of which weights say nothing";
		if (c->unweighted || !c->ntasks ||
		    share_predict(c->tasks, c->ntasks, c->groups, c->ngroups, n) < 0)
			continue;
		read_groups(lab, c, which);
		if (which == WHICH_ALL && lab->groups[i].is_victim)
			read_theory(lab, c, n);
	}
}

static void forget(struct lab *lab)
{
	const struct known_number unknown = {0};

	lab->theory.known = false;
	lab->theory.why_not = NULL;
	for (size_t i = 0; i < lab->ngroups; i++) {
		struct lab_group *g = &lab->groups[i];
		g->predicted_share = g->predicted_ratio = g->share_low = g->share_high = unknown;
		g->ratio_low = g->ratio_high = g->other_low = g->other_high = unknown;
		for (unsigned s = 0; s < g->capacity; s++)
			for (size_t t = 0; t < g->workers[s].nthreads; t++)
				g->workers[s].threads[t].share = g->workers[s].threads[t].share_low =
					g->workers[s].threads[t].share_high = unknown;
	}
}

static bool crowd_alloc(struct crowd *c, size_t threads)
{
	c->room = threads + 64; /* a session for each, and some cgroups */
	c->tasks = calloc(threads + 1, sizeof(*c->tasks));
	c->runners = calloc(threads + 1, sizeof(*c->runners));
	c->groups = calloc(c->room, sizeof(*c->groups));
	c->keys = calloc(c->room, sizeof(*c->keys));
	return c->tasks && c->runners && c->groups && c->keys;
}

static void explain_disk(struct lab *lab)
{
	for (size_t i = 0; i < lab->ngroups; i++)
		if (lab->groups[i].is_victim && waits_for_disk(&lab->groups[i]))
			lab->theory.why_not =
				"the victim waits for a disk, not for a CPU: weights say nothing of that";
}

void predict_update(struct lab *lab)
{
	struct crowd c = {0};

	forget(lab);
	explain_disk(lab);
	if (pin_somebody_moved(lab))
		lab->theory.why_not = "somebody moved a worker to other CPUs than it was given";
	else if (crowd_alloc(&c, crew_count_threads(lab))) {
		predict(lab, &c, WHICH_ALONE);
		predict(lab, &c, WHICH_ALL);
		c.otherwise = true;
		predict(lab, &c, WHICH_OTHERWISE);
	}
	free(c.tasks);
	free(c.runners);
	free(c.groups);
	free(c.keys);
}
