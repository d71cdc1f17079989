/* The way of a thread through its worker's file, over and over, and what of it is a sample. */
#include "load/disk.h"
#include "base/clock.h"

/* Of one thread. */
struct pass {
	uint64_t offset, done; /* where the next block is; bytes of this pass */
	uint64_t started; /* of the sample in hand, CLOCK_MONOTONIC ns */
	bool per_file;
	bool silent; /* the rest of a pass that began when blocks were samples: it is neither */
	void *buffer;
};

/* Thread i of n begins at i/n, so that the threads do not follow each other over the same blocks. */
static uint64_t first_offset(const struct load_thread *t, const struct disk_file *f)
{
	uint64_t n = threads_wanted(t->load);

	return f->size / f->block * (t->index % n) / n * f->block;
}

static void begin(struct load_thread *t)
{
	const struct disk_work *w = t->shared;
	struct pass *p = t->own;

	if (!p) {
		p = disk_alloc(t->load, sizeof(*p));
		p->buffer = disk_buffer(t->load, &w->file);
		t->own = p;
	}
	p->offset = first_offset(t, &w->file);
	p->done = 0;
}

static void begin_sample(struct load_thread *t, struct pass *p)
{
	bool ordered = atomic_load_explicit(&t->load->arena->disk.per_file, memory_order_relaxed);

	p->per_file = ordered && (p->done == 0 || p->per_file);
	p->silent = ordered && !p->per_file;
	if (!p->per_file || p->done == 0)
		p->started = threads_piece_begins(t);
}

static void end_pass(struct load_thread *t)
{
	const struct disk_work *w = t->shared;
	struct pass *p = t->own;

	if (w->whole && !p->per_file)
		threads_piece_pauses(t);
	if (w->whole)
		w->whole(t->load, &w->file);
	if (p->per_file)
		threads_piece_ends(t, p->started, clock_now());
	p->done = 0;
	atomic_fetch_add_explicit(&t->load->worker->passes, 1, memory_order_relaxed);
}

static bool do_block(struct load_thread *t)
{
	const struct disk_work *w = t->shared;
	struct pass *p = t->own;
	uint64_t end;

	begin_sample(t, p);
	w->block(t->load, &w->file, p->buffer, p->offset);
	end = clock_now();
	if (!threads_is_wanted(t))
		return false;
	if (!p->per_file && !p->silent)
		threads_piece_ends(t, p->started, end);
	p->offset = (p->offset + w->file.block) % w->file.size;
	p->done += w->file.block;
	if (p->done == w->file.size)
		end_pass(t);
	return true;
}

void disk_run(const struct load *l, const struct disk_work *work)
{
	load_ready(l);
	threads_run(l, work, begin, do_block);
}
