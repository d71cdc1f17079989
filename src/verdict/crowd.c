/* Counting rivals: members are sorted into classes of equal place, group and weight, and the classes are summed up by place and group. */
#include "verdict/crowd.h"
#include "sched/prio.h"
#include "sched/share.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* What the members of one place (CPU list) and one group have in common. */
struct cell {
	unsigned long cgroup, session;
	unsigned place;
	unsigned total, realtime;
	unsigned at[NICE_COUNT + 1]; /* by nice; the last is SCHED_IDLE */
};

struct crowd {
	const struct cpulist *places[CROWD_PLACES];
	bool reach[CROWD_PLACES][CROWD_PLACES];
	unsigned nplaces;
	struct cell *cells; /* sorted by cgroup, session, place */
	size_t ncells;
	struct cell by_place[CROWD_PLACES]; /* sums over all groups */
	struct known_number most[CROWD_PLACES], next[CROWD_PLACES]; /* the two greatest wait shares */
};

static bool is_realtime(int policy)
{
	return policy == SCHED_FIFO || policy == SCHED_RR || policy == 6 /* SCHED_DEADLINE */;
}

static unsigned slot_of(const struct crowd_member *m)
{
	int nice = m->nice < NICE_MIN ? NICE_MIN : m->nice > NICE_MAX ? NICE_MAX : m->nice;

	return m->policy == SCHED_IDLE ? NICE_COUNT : (unsigned)(nice - NICE_MIN);
}

/* The number of a CPU list among those seen; the last one stands for all that did not find room. */
static unsigned place_of(struct crowd *c, const struct cpulist *cpus)
{
	for (unsigned i = 0; i < c->nplaces; i++)
		if (c->places[i] == cpus || (c->places[i] && cpus && cpulist_equal(c->places[i], cpus)))
			return i;
	if (c->nplaces == CROWD_PLACES)
		return CROWD_PLACES - 1;
	c->places[c->nplaces] = c->nplaces == CROWD_PLACES - 1 ? NULL : cpus;
	return c->nplaces++;
}

static void find_reach(struct crowd *c)
{
	for (unsigned i = 0; i < c->nplaces; i++)
		for (unsigned k = 0; k < c->nplaces; k++) {
			struct cpulist both;
			if (i == k || !c->places[i] || !c->places[k]) {
				c->reach[i][k] = true;
				continue;
			}
			both = cpulist_and(c->places[i], c->places[k]);
			c->reach[i][k] = cpulist_count(&both) > 0;
		}
}

static int compare_cells(const void *a, const void *b)
{
	const struct cell *x = a, *y = b;

	if (x->cgroup != y->cgroup)
		return x->cgroup < y->cgroup ? -1 : 1;
	if (x->session != y->session)
		return x->session < y->session ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

static void add_cell(struct cell *to, const struct cell *from)
{
	to->total += from->total;
	to->realtime += from->realtime;
	for (size_t i = 0; i <= NICE_COUNT; i++)
		to->at[i] += from->at[i];
}

static bool is_more(struct known_number a, struct known_number b)
{
	return a.known && (!b.known || a.value > b.value);
}

static void add_wait(struct crowd *c, unsigned place, struct known_number wait)
{
	if (is_more(wait, c->most[place])) {
		c->next[place] = c->most[place];
		c->most[place] = wait;
	} else if (is_more(wait, c->next[place]))
		c->next[place] = wait;
}

/* The greatest wait of a place, without the member's own. */
static struct known_number other_wait(const struct crowd *c, unsigned place, const struct crowd_member *m,
				      unsigned own_place)
{
	bool is_own =
		place == own_place && m->wants_cpu && m->wait.known && m->wait.value >= c->most[place].value;

	return is_own ? c->next[place] : c->most[place];
}

/* One cell a member, sorted, then those of one place and group put together. */
static void fill_cells(struct crowd *c, const struct crowd_member *m, size_t n)
{
	size_t used = 0;

	for (size_t i = 0; i < n; i++) {
		struct cell *cell = &c->cells[c->ncells];
		if (!m[i].wants_cpu)
			continue;
		memset(cell, 0, sizeof(*cell));
		cell->cgroup = m[i].cgroup;
		cell->session = m[i].session;
		cell->place = place_of(c, m[i].cpus);
		cell->total = 1;
		if (is_realtime(m[i].policy))
			cell->realtime = 1;
		else
			cell->at[slot_of(&m[i])] = 1;
		add_wait(c, cell->place, m[i].wait);
		add_cell(&c->by_place[cell->place], cell);
		c->ncells++;
	}
	qsort(c->cells, c->ncells, sizeof(*c->cells), compare_cells);
	for (size_t i = 0; i < c->ncells; i++)
		if (used && compare_cells(&c->cells[used - 1], &c->cells[i]) == 0)
			add_cell(&c->cells[used - 1], &c->cells[i]);
		else
			c->cells[used++] = c->cells[i];
	c->ncells = used;
}

/* The first cell of the cgroup, and of the session in it where one is given. */
static size_t first_cell(const struct crowd *c, unsigned long cgroup, unsigned long session, bool by_session)
{
	size_t low = 0, high = c->ncells;

	while (low < high) {
		size_t mid = (low + high) / 2;
		const struct cell *x = &c->cells[mid];
		bool before = x->cgroup != cgroup ? x->cgroup < cgroup : by_session && x->session < session;
		if (before)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Members of other weight in a sum. */
static unsigned differing(const struct cell *sum, unsigned slot)
{
	return sum->total - sum->realtime - sum->at[slot];
}

static void set_steps(struct facts_rivals *r, const struct cell *same, unsigned slot)
{
	for (int i = 0; i < NICE_COUNT && slot < NICE_COUNT; i++) {
		int step = abs(i - (int)slot);
		if (!same->at[i] || !step)
			continue;
		if (!r->nearest || step < r->nearest)
			r->nearest = step;
		if (step > r->farthest)
			r->farthest = step;
	}
}

/* The cells of its own group that it can reach, summed. */
static struct cell sum_group(const struct crowd *c, const struct crowd_member *m, unsigned place)
{
	struct cell sum = {0};

	for (size_t i = first_cell(c, m->cgroup, m->session, true);
	     i < c->ncells && c->cells[i].cgroup == m->cgroup && c->cells[i].session == m->session; i++)
		if (c->reach[place][c->cells[i].place])
			add_cell(&sum, &c->cells[i]);
	return sum;
}

/* The sums over a whole cgroup, for each place: counted once, since one cgroup may hold a thousand sessions. */
struct cgroup_sums {
	bool valid;
	unsigned long cgroup;
	struct cell by_place[CROWD_PLACES];
};

static void sum_cgroup(const struct crowd *c, unsigned long cgroup, struct cgroup_sums *s)
{
	if (s->valid && s->cgroup == cgroup)
		return;
	memset(s, 0, sizeof(*s));
	s->valid = true;
	s->cgroup = cgroup;
	for (size_t i = first_cell(c, cgroup, 0, false); i < c->ncells && c->cells[i].cgroup == cgroup; i++)
		add_cell(&s->by_place[c->cells[i].place], &c->cells[i]);
}

static void count_member(struct crowd *c, struct crowd_member *m, struct cgroup_sums *sums)
{
	struct facts_rivals *r = &m->rivals;
	unsigned place = place_of(c, m->cpus), slot = slot_of(m);
	struct cell all = {0}, cgroup = {0}, group = sum_group(c, m, place);
	bool rt = is_realtime(m->policy);

	*r = (struct facts_rivals){.known = true};
	sum_cgroup(c, m->cgroup, sums);
	for (unsigned p = 0; p < c->nplaces; p++) {
		r->total += c->by_place[p].total;
		if (!c->reach[place][p])
			continue;
		add_cell(&all, &c->by_place[p]);
		add_cell(&cgroup, &sums->by_place[p]);
		if (is_more(other_wait(c, p, m, place), r->waiting))
			r->waiting = other_wait(c, p, m, place);
	}
	r->total -= m->wants_cpu;
	r->reachable = all.total - m->wants_cpu;
	r->realtime = all.realtime - (rt && m->wants_cpu);
	if (rt)
		return;
	r->differ = differing(&all, slot);
	r->differ_cgroup = r->differ - differing(&cgroup, slot);
	r->differ_session = differing(&cgroup, slot) - differing(&group, slot);
	set_steps(r, &group, slot);
}

static int by_cgroup(const void *a, const void *b)
{
	const struct crowd_member *x = *(struct crowd_member *const *)a,
				  *y = *(struct crowd_member *const *)b;

	return x->cgroup < y->cgroup ? -1 : x->cgroup > y->cgroup;
}

/* Cgroup by cgroup, so that each is summed up once. */
static void count_all(struct crowd *c, struct crowd_member *m, size_t n, struct crowd_member **order)
{
	struct cgroup_sums sums = {0};

	fill_cells(c, m, n);
	for (size_t i = 0; i < n; i++) {
		place_of(c, m[i].cpus); /* those that want no CPU have a place too */
		order[i] = &m[i];
	}
	find_reach(c);
	qsort(order, n, sizeof(*order), by_cgroup);
	for (size_t i = 0; i < n; i++)
		count_member(c, order[i], &sums);
}

int crowd_count(struct crowd_member *m, size_t n)
{
	struct crowd *c = calloc(1, sizeof(*c));
	struct crowd_member **order = calloc(n + 1, sizeof(*order));
	int rc = -ENOMEM;

	if (c)
		c->cells = calloc(n + 1, sizeof(*c->cells));
	if (c && c->cells && order) {
		count_all(c, m, n, order);
		rc = 0;
	}
	if (c)
		free(c->cells);
	free(c);
	free(order);
	return rc;
}
