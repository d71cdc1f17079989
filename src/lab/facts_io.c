/* What the rules want to know of a worker's I/O: where it goes, who else uses the device, and whether the disk is what it waits for. */
#include "lab/state.h"
#include "sample/device.h"

#include <stdio.h>
#include <string.h>

#define FLUSHER_LEVEL 4 /* be/4: of the kernel worker that writes what others have dirtied */

static bool sends_requests(const struct lab *lab, const struct lab_group *g, const struct lab_worker *w)
{
	return load_kind(g->kind)->io && w->life == LIFE_RUNNING && !g->paused && !g->held &&
	       !disk_is_preparing(lab, g, w) && sample_io_from_cache(&w->io) != TRI_YES;
}

/* Class and level that the thread's requests come with; false where they are not known. */
static bool level_of(const struct lab_group *g, const struct lab_thread *t, int *io_class, int *level)
{
	const struct task_reading *r = &t->sample.last;
	unsigned io = load_kind(g->kind)->io;
	struct ioprio p;

	*io_class = IOCLASS_BE;
	*level = FLUSHER_LEVEL;
	if ((io & IO_WRITES) && !(io & IO_DIRECT))
		return true;
	if (!t->sample.valid || r->ioprio_error)
		return false;
	p = ioprio_unpack(ioprio_effective(r->ioprio, r->stat.nice, r->stat.policy));
	*io_class = p.io_class;
	*level = p.io_class == IOCLASS_IDLE ? 0 : p.level;
	return p.io_class >= IOCLASS_RT && p.io_class <= IOCLASS_IDLE && p.level >= 0 &&
	       p.level < IOPRIO_LEVELS;
}

/* What is the same for every thread that uses the disk. */
static void fill_device(const struct lab *lab, struct facts_io *out)
{
	const struct block_reading *b = &lab->disk.below;

	sample_device_facts(&lab->disk.where, b, out);
	out->depth = sample_disk_use(&lab->disk, b->counts < 0 ? 0 : (size_t)b->counts).now;
	snprintf(out->group_policy, sizeof(out->group_policy), "%s", lab->io_group.policy);
	out->group_limits = lab->io_group.limits;
}

static void count_threads(const struct lab *lab, struct io_census *out)
{
	int io_class, level;

	for (size_t i = 0; i < lab->ngroups; i++)
		for (unsigned s = 0; s < lab->groups[i].capacity; s++) {
			const struct lab_worker *w = &lab->groups[i].workers[s];
			for (size_t t = 0; sends_requests(lab, &lab->groups[i], w) && t < w->nthreads; t++) {
				if (!level_of(&lab->groups[i], &w->threads[t], &io_class, &level))
					continue;
				out->all++;
				out->of_class[io_class]++;
				out->of_level[io_class][level]++;
			}
		}
}

/* What the priorities of others are nicelab does not know; nor, where their load cannot be told, whether there are any. */
void facts_io_census(const struct lab *lab, struct io_census *out)
{
	struct known_number foreign;

	memset(out, 0, sizeof(*out));
	if (!disk_in_use(lab) || !lab->disk.valid)
		return;
	foreign = disk_foreign(lab);
	out->foreign = !foreign.known || foreign.value > 0;
	fill_device(lab, &out->device);
	count_threads(lab, out);
}

/* Others of the same class and another level, and nobody of another class: then levels are all that could tell them apart. */
static enum tri same_class(const struct io_census *c, int io_class, int level, unsigned self)
{
	unsigned others = c->all - self, alike = c->of_class[io_class] - self,
		 equal = c->of_level[io_class][level] - self;

	if (others == 0)
		return TRI_UNKNOWN;
	return alike < others ? TRI_NO : alike > equal ? TRI_YES : TRI_UNKNOWN;
}

/* Threads of the worker, this one too, that are no rivals to each other: their requests are alike. */
static unsigned count_alike(const struct lab_group *g, const struct lab_worker *w, int io_class, int level)
{
	unsigned n = 0;
	int other_class, other_level;

	for (size_t i = 0; i < w->nthreads; i++)
		n += level_of(g, &w->threads[i], &other_class, &other_level) && other_class == io_class &&
		     other_level == level;
	return n;
}

static void fill_rivals(const struct lab *lab, const struct lab_group *g, const struct lab_worker *w,
			const struct lab_thread *t, const struct io_census *c, struct facts_io *out)
{
	bool counted = sends_requests(lab, g, w);
	unsigned rivals;
	int io_class, level;

	if (!level_of(g, t, &io_class, &level))
		return;
	rivals = c->all - (counted ? count_alike(g, w, io_class, level) : 0);
	if (rivals || !c->foreign)
		out->rivals = known(rivals);
	out->rivals_same_class = same_class(c, io_class, level, counted);
}

void facts_io(const struct lab *lab, const struct lab_group *g, const struct lab_worker *w,
	      const struct lab_thread *t, const struct io_census *census, struct facts_io *out)
{
	unsigned io = load_kind(g->kind)->io;
	struct sample_shares shares = sample_task_shares(&t->sample);

	memset(out, 0, sizeof(*out));
	if (io)
		*out = census->device;
	out->does_io = tri_of(io);
	if (!io || !lab->disk.valid)
		return;
	out->from_cache = io & IO_READS ? sample_io_from_cache(&w->io) : TRI_NO;
	out->buffered_writes = tri_of((io & IO_WRITES) && !(io & IO_DIRECT));
	out->direct = tri_of(io & IO_DIRECT);
	if (shares.known)
		out->cpu_wait = known(shares.wait);
	fill_rivals(lab, g, w, t, census, out);
}
