/* The lab's files: how much room the workers have, what is below their directory, what they read and write, and the elevator. */
#include "lab/state.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/units.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define GROUP_EVERY (5 * NS_PER_SEC)
#define FOREIGN_SHARE 0.1 /* of the workers' rate: more than that comes from somebody else */
#define FOREIGN_LEAST 4e6 /* bytes a second: less is the background of every machine */

static unsigned io_of(const struct lab_group *g)
{
	return load_kind(g->kind)->io;
}

bool disk_in_use(const struct lab *lab)
{
	for (size_t i = 0; i < lab->ngroups; i++)
		if (io_of(&lab->groups[i]))
			return true;
	return false;
}

/* Whole blocks only. */
static uint64_t file_size(const struct lab *lab)
{
	uint64_t size = (uint64_t)lab->knobs[KNOB_FILE], block = (uint64_t)lab->knobs[KNOB_BLOCK];

	return size < block ? block : size - size % block;
}

/* A block at least. */
static uint64_t tree_size(const struct lab *lab)
{
	return (uint64_t)(lab->knobs[KNOB_TREE] < lab->knobs[KNOB_BLOCK] ? lab->knobs[KNOB_BLOCK]
									 : lab->knobs[KNOB_TREE]);
}

void disk_store_sizes(struct lab *lab)
{
	struct arena_disk *d = &lab->arena->disk;

	atomic_store_explicit(&d->file_size, file_size(lab), memory_order_relaxed);
	atomic_store_explicit(&d->block, (uint64_t)lab->knobs[KNOB_BLOCK], memory_order_relaxed);
	atomic_store_explicit(&d->tree_size, tree_size(lab), memory_order_relaxed);
	atomic_store_explicit(&d->per_file, lab->knobs[KNOB_IO_SAMPLE] == SAMPLE_FILE, memory_order_relaxed);
}

static uint64_t footprint(const struct lab *lab, enum load_kind kind)
{
	return load_footprint(kind, file_size(lab), tree_size(lab));
}

/* Victims come first, then the hogs, group by group. */
static unsigned room_for(const struct lab *lab, const struct lab_group *g, uint64_t each)
{
	uint64_t left = (uint64_t)lab->knobs[KNOB_SPACE];

	if (!each)
		return g->capacity;
	for (size_t i = 0; i < lab->ngroups; i++) {
		const struct lab_group *o = &lab->groups[i];
		uint64_t wanted = o->is_victim ? 1 : (uint64_t)o->knobs[KNOB_COUNT], takes;
		if (o == g || o->is_victim < g->is_victim ||
		    (o->is_victim == g->is_victim && i > (size_t)g->index))
			continue;
		takes = wanted * footprint(lab, o->kind);
		left = takes < left ? left - takes : 0;
	}
	return left / each < g->capacity ? (unsigned)(left / each) : g->capacity;
}

unsigned disk_room(const struct lab *lab, const struct lab_group *g)
{
	return room_for(lab, g, footprint(lab, g->kind));
}

bool disk_takes(const struct lab *lab, const struct lab_group *g, enum load_kind kind)
{
	bool refused = (load_kind(kind)->io & IO_DIRECT) && lab->disk.where.direct == TRI_NO;

	return lab->scratch.dir >= 0 && !refused && room_for(lab, g, footprint(lab, kind)) > 0;
}

/* Said once for each time that it is so, whatever made it so: another kind of the victim takes the room of a hog. */
void disk_tell_room(struct lab *lab, struct lab_group *g)
{
	unsigned count = g->is_victim ? 1 : (unsigned)g->knobs[KNOB_COUNT], room = disk_room(lab, g);
	unsigned wanted = count < g->capacity ? count : g->capacity;
	bool lacks = io_of(g) && room < wanted, told = g->told_room == room && g->told_wanted == wanted;
	char each[24], space[24];

	g->told_room = lacks ? room : 0;
	g->told_wanted = lacks ? wanted : 0;
	if (!lacks || told)
		return;
	units_format_bytes(each, sizeof(each), footprint(lab, g->kind));
	units_format_bytes(space, sizeof(space), (uint64_t)lab->knobs[KNOB_SPACE]);
	journal_add(
		lab, JOURNAL_WARNING, g->index,
		"%u of %u %s: %s each, and all together may take %s. Smaller files, or more space (--space)",
		room, wanted, group_name(g), each, space);
}

bool disk_is_preparing(const struct lab *lab, const struct lab_group *g, const struct lab_worker *w)
{
	return io_of(g) && atomic_load_explicit(&lab->arena->worker[crew_slot(g, w)].state,
						memory_order_relaxed) < ARENA_READY;
}

static void explain_fault(unsigned fault, char *buf, size_t size)
{
	static const char *const steps[STEP_COUNT] = {
		[STEP_NONE] = "it ended",
		[STEP_DIRECTORY] = "there is no directory for its file",
		[STEP_CREATE] = "it may or can not make a file in the directory",
		[STEP_DIRECT] = "its file takes no O_DIRECT, or not in blocks of this size",
		[STEP_SPACE] = "no room: twice the size of its file must be free",
		[STEP_FILL] = "its file could not be filled",
		[STEP_READ] = "a read failed",
		[STEP_WRITE] = "a write failed",
		[STEP_SYNC] = "fdatasync failed",
		[STEP_WALK] = "its tree could not be walked",
		[STEP_MEMORY] = "no memory for a buffer",
		[STEP_THREAD] = "a thread could not be started",
	};
	unsigned step = fault >> 16;
	char words[64];

	snprintf(buf, size, "%s (%s)", steps[step < STEP_COUNT ? step : STEP_NONE],
		 err_words((int)(fault & 0xffff), words, sizeof(words)));
}

bool disk_has_failed(struct lab *lab, struct lab_group *g, const struct lab_worker *w, const char *name)
{
	const struct arena_worker *a = &lab->arena->worker[crew_slot(g, w)];
	unsigned fault = atomic_load_explicit(&a->fault, memory_order_relaxed);
	char why[SNAPSHOT_TEXT - 64];

	if (atomic_load_explicit(&a->state, memory_order_relaxed) != ARENA_FAILED)
		return false;
	if (g->fault[0] && g->fault_code == fault)
		return true;
	g->fault_code = fault;
	explain_fault(fault, why, sizeof(why));
	snprintf(g->fault, sizeof(g->fault), "%s stopped: %s", name, why);
	journal_add(lab, JOURNAL_WARNING, g->index, "%s. R starts it again", g->fault);
	journal_mark(lab, g->index, KNOB_TOTAL, "%s stopped", name);
	return true;
}

/* Adds what the group's workers have read and written since the last time. */
static void count_bytes(struct lab *lab, struct lab_group *g, uint64_t now)
{
	size_t last = (g->rate_used + RATE_POINTS - 1) % RATE_POINTS;

	for (unsigned s = 0; s < g->capacity; s++) {
		struct lab_worker *w = &g->workers[s];
		uint64_t bytes = w->life != LIFE_RUNNING
					 ? 0
					 : atomic_load_explicit(&lab->arena->worker[crew_slot(g, w)].bytes,
								memory_order_relaxed);
		if (bytes > w->bytes_then) {
			g->bytes += bytes - w->bytes_then;
			w->bytes_then = bytes;
		}
	}
	if (g->rate_used && now < g->rate_points[last].at + DISK_SPACING)
		return;
	g->rate_points[g->rate_used % RATE_POINTS].at = now;
	g->rate_points[g->rate_used % RATE_POINTS].bytes = g->bytes;
	g->rate_used++;
}

struct known_number disk_rate(const struct lab_group *g, size_t points)
{
	size_t kept = g->rate_used < points ? g->rate_used : points;
	size_t last = (g->rate_used + RATE_POINTS - 1) % RATE_POINTS, first;

	if (!io_of(g) || kept < 2)
		return (struct known_number){0};
	first = (g->rate_used - kept) % RATE_POINTS;
	return known((double)(g->rate_points[last].bytes - g->rate_points[first].bytes) * 1e9 /
		     (double)(g->rate_points[last].at - g->rate_points[first].at));
}

/* Requests of our own are counted where they pass the cache; where buffered writes of our own get to the disk later, and by others,
 * nobody can tell. */
struct known_number disk_foreign(const struct lab *lab)
{
	int level = lab->disk.below.counts;
	struct disk_use use = sample_disk_use(&lab->disk, level < 0 ? 0 : (size_t)level);
	double own = 0;

	for (size_t i = 0; i < lab->ngroups; i++) {
		unsigned io = io_of(&lab->groups[i]);
		struct known_number rate = disk_rate(&lab->groups[i], DISK_POINTS);
		if ((io & IO_WRITES) && !(io & IO_DIRECT))
			return (struct known_number){0};
		if ((io & IO_DIRECT) && !rate.known)
			return rate;
		own += io & IO_DIRECT ? rate.value : 0;
	}
	if (!use.rate.known)
		return use.rate;
	return known(use.rate.value - own > FOREIGN_LEAST + FOREIGN_SHARE * own ? use.rate.value - own : 0);
}

void disk_restart_rates(struct lab *lab)
{
	lab->disk.used = 0;
	for (size_t i = 0; i < lab->ngroups; i++)
		lab->groups[i].rate_used = 0;
}

struct known_number disk_moved(struct lab *lab, struct lab_group *g)
{
	const struct block_reading *b = &lab->disk.below;
	struct block_usage use;

	if (!(io_of(g) & IO_DIRECT) || !lab->disk.valid || b->counts < 0 ||
	    block_read_usage(&lab->fs, b->levels[b->counts].name, &use) < 0)
		return (struct known_number){0};
	count_bytes(lab, g, clock_now());
	return known((double)(use.read_bytes + use.write_bytes));
}

static void read_workers(struct lab *lab, struct lab_group *g, uint64_t now)
{
	for (unsigned s = 0; io_of(g) && s < g->capacity; s++)
		if (g->workers[s].life == LIFE_RUNNING)
			sample_io_update(&g->workers[s].io, &lab->fs, g->workers[s].pid, now);
}

/* What is below a loop device is open to root alone, and only looking is done as root here, whoever the lab acts as. Should the way
 * back be refused, the screen says whose rights count from then on. */
static void look_below(struct lab *lab, uint64_t now)
{
	bool other = lab->user.known && lab->knobs[KNOB_USER] != USER_ROOT;

	if (other)
		turn_act_as(lab, USER_ROOT);
	sample_disk_update(&lab->disk, &lab->fs, now);
	if (!other || turn_act_as(lab, lab->knobs[KNOB_USER]) == 0)
		return;
	lab->knobs[KNOB_USER] = USER_ROOT;
	journal_add(lab, JOURNAL_WARNING, -1, "the way back to %s was refused: acting as root",
		    lab->user.name);
}

void disk_tick(struct lab *lab, uint64_t now)
{
	if (lab->scratch.dir < 0)
		return;
	look_below(lab, now);
	for (size_t i = 0; i < lab->ngroups; i++) {
		count_bytes(lab, &lab->groups[i], now);
		read_workers(lab, &lab->groups[i], now);
	}
	if (disk_in_use(lab) && now - lab->io_group_at >= GROUP_EVERY) {
		lab->io_group_at = now;
		io_group_read(&lab->fs, stage_pid(lab->stage), &lab->io_group);
	}
}

/* nicelab's own device where there is one; else that whose elevator decides. */
static int device_of(const struct scratch *s, const struct block_reading *b)
{
	int level = s->loop[0] ? 0 : b->counts;

	return b->nlevels && level >= 0 && b->levels[level].offered[0] ? level : -1;
}

int disk_device(const struct lab *lab)
{
	return lab->scratch.dir < 0 || !lab->disk.valid ? -1 : device_of(&lab->scratch, &lab->disk.below);
}

static bool is_offered(const char *offered, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = offered; len && (at = strstr(at, word)); at += len)
		if ((at == offered || at[-1] == ' ') && (at[len] == ' ' || at[len] == '\0'))
			return true;
	return false;
}

static int refuse_elevator(const struct lab_config *c, const struct block_reading *b, char *why, size_t size)
{
	int level = device_of(&c->scratch, b);

	if (level < 0)
		snprintf(why, size, "no device with an elevator is known below '%.100s'", c->scratch.path);
	else if (!is_offered(b->levels[level].offered, c->elevator))
		snprintf(why, size, "the kernel offers for %s: %s", b->levels[level].name,
			 b->levels[level].offered);
	else if (geteuid() != 0)
		snprintf(why, size, "only root can set the elevator of %s", b->levels[level].name);
	else
		return 0;
	return -EINVAL;
}

int lab_check_elevator(const struct lab_config *c, char *why, size_t size)
{
	struct block_place where;
	struct block_reading below;
	struct procfs fs;
	int rc = block_find_in(c->scratch.dir, &where);

	snprintf(why, size, "what is below its directory cannot be read");
	if (rc < 0 || (rc = procfs_open(&fs, c->proc_root, c->sys_root)) < 0)
		return rc;
	block_read(&fs, &where, &below);
	procfs_close(&fs);
	return refuse_elevator(c, &below, why, size);
}

static bool acts_as_root(const struct lab *lab)
{
	return lab->user.known ? lab->knobs[KNOB_USER] == USER_ROOT : lab->machine.rights.euid == 0;
}

bool disk_may_set(const struct lab *lab, const char *word)
{
	int level = disk_device(lab);

	return level >= 0 && acts_as_root(lab) && is_offered(lab->disk.below.levels[level].offered, word) &&
	       strcmp(lab->disk.below.levels[level].elevator, word) != 0;
}

/* One at a time: the answer tells nothing of which. */
static void order_elevator(struct lab *lab, const struct block_level *l, const char *word)
{
	if (lab->elevator[0])
		journal_add(lab, JOURNAL_WARNING, -1, "elevator %s of %s is being set: wait for that",
			    lab->elevator, lab->elevator_device);
	else if (!is_offered(l->offered, word))
		journal_add(lab, JOURNAL_WARNING, -1, "'%.32s' is none that the kernel offers for %s: %s",
			    word, l->name, l->offered);
	else if (stage_order_elevator(lab->stage, l->name, word) < 0)
		journal_add(lab, JOURNAL_WARNING, -1,
			    "elevator %.32s of %s not set: the stage does not keep up", word, l->name);
	else {
		snprintf(lab->elevator, sizeof(lab->elevator), "%.63s", word);
		memcpy(lab->elevator_device, l->name, sizeof(lab->elevator_device));
	}
}

void disk_set_elevator(struct lab *lab, const char *word)
{
	int level = disk_device(lab);

	if (level < 0)
		journal_add(lab, JOURNAL_WARNING, -1, "there is no device here whose elevator could be set");
	else if (!acts_as_root(lab))
		journal_add(lab, JOURNAL_WARNING, -1, "only root can set the elevator of %s",
			    lab->disk.below.levels[level].name);
	else
		order_elevator(lab, &lab->disk.below.levels[level], word);
}

void disk_elevator_set(struct lab *lab, const struct stage_event *e)
{
	char words[64];

	sample_disk_expire(&lab->disk);
	look_below(lab, clock_now());
	if (e->error)
		journal_add(lab, JOURNAL_WARNING, -1, "elevator %s of %s not set: %s", lab->elevator,
			    lab->elevator_device, err_words(e->error, words, sizeof(words)));
	else {
		memcpy(lab->elevator_before, e->before, sizeof(lab->elevator_before));
		memcpy(lab->changed_device, lab->elevator_device, sizeof(lab->changed_device));
		journal_mark(lab, -1, KNOB_TOTAL, "%s", lab->elevator);
		journal_add(lab, JOURNAL_INFO, -1,
			    "%s has the elevator %s now; elevator %s is put back at the end",
			    lab->elevator_device, lab->elevator, lab->elevator_before);
		measure_changed(lab);
	}
	lab->elevator[0] = '\0';
}

/* In the thread that starts the lab, before the engine's, and with the rights that nicelab was started with. */
void disk_start(struct lab *lab, const char *elevator)
{
	disk_store_sizes(lab);
	if (lab->scratch.dir < 0)
		return;
	if (block_find_in(lab->scratch.dir, &lab->disk.where) < 0)
		return;
	sample_disk_update(&lab->disk, &lab->fs, clock_now());
	if (elevator[0] &&
	    disk_device(lab) >= 0) /* whoever the lab acts as: root has asked on the command line */
		order_elevator(lab, &lab->disk.below.levels[disk_device(lab)], elevator);
}

void disk_publish(const struct lab *lab, struct snapshot_disk *out)
{
	out->known = lab->scratch.dir >= 0 && lab->disk.valid;
	out->in_use = disk_in_use(lab);
	if (!out->known)
		return;
	memcpy(out->path, lab->scratch.path, sizeof(out->path));
	out->own_loop = lab->scratch.loop[0];
	out->loop_direct = lab->scratch.loop_direct;
	out->loop_size = lab->scratch.loop_size;
	out->where = lab->disk.where;
	out->below = lab->disk.below;
	if (out->own_loop && !out->below.filesystem[0])
		snprintf(out->below.filesystem, sizeof(out->below.filesystem), "ext4");
	memset(out->use, 0, sizeof(out->use));
	out->foreign.known = false;
	if (lab->phase != PHASE_LOST) {
		for (size_t i = 0; i < BLOCK_LEVELS; i++)
			out->use[i] = sample_disk_use(&lab->disk, i);
		out->foreign = disk_foreign(lab);
	}
	out->device = disk_device(lab);
	out->may_set = out->device >= 0 && acts_as_root(lab);
	out->shared = !out->own_loop || out->device != 0;
	out->changed =
		out->device >= 0 && strcmp(lab->changed_device, out->below.levels[out->device].name) == 0;
	memcpy(out->before, lab->elevator_before, sizeof(out->before));
}
