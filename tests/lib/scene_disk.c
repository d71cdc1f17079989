/* Made-up snapshots of labs that use a disk. */
#include "level.h"
#include "scene.h"
#include "base/clock.h"

#include <stdio.h>
#include <string.h>

#define BE(level) (IOCLASS_BE << 13 | (level))
#define IDLE (IOCLASS_IDLE << 13)

static void set_ioprio(struct snapshot *s, int group, int raw, enum status st)
{
	s->groups[group].knobs[KNOB_IONICE] = raw;
	for (size_t i = 0; i < s->nthreads; i++) {
		struct snapshot_thread *t = &s->threads[i];
		if (t->group != group)
			continue;
		t->ioprio_asked = true;
		t->ioprio_wanted = t->ioprio_actual = t->ioprio_effective = raw;
		t->ioprio_status = t->status = st;
		t->shares = (struct sample_shares){true, 0.02, 0.01, 0.97};
		t->state = 'D';
	}
}

static struct block_level *add_level(struct snapshot *s, const char *name, const char *elevator,
				     enum block_honours honours)
{
	struct block_reading *b = &s->disk.below;

	s->disk.use[b->nlevels] = (struct disk_use){{true, 0.99}, {true, 865e6}, {true, 2.9}, {true, 3}};
	struct block_level *l = level_add(b, (unsigned)b->nlevels, name, elevator, honours);
	snprintf(l->offered, sizeof(l->offered), "none mq-deadline kyber bfq");
	return l;
}

static void add_disk(struct snapshot *s)
{
	struct snapshot_disk *d = &s->disk;

	d->known = d->in_use = d->shared = true;
	d->where = (struct block_place){.direct = TRI_YES, .memory_align = 512, .offset_align = 512};
	snprintf(d->path, sizeof(d->path), "/var/tmp");
	snprintf(d->below.filesystem, sizeof(d->below.filesystem), "ext4");
	snprintf(d->below.mount, sizeof(d->below.mount), "/");
	d->below.sure = true;
	add_level(s, "vda", "mq-deadline", BLOCK_HONOURS_CLASS);
}

static void add_workers(struct snapshot *s, enum load_kind victim, enum load_kind hogs)
{
	s->groups[0].kind = hogs;
	s->groups[1].kind = victim;
	s->groups[0].knobs[KNOB_COUNT] = 2;
	scene_add_thread(s, 1, 1, 1, 8121)->p50 = (struct known_ns){true, 6300 * NS_PER_US};
	scene_add_thread(s, 0, 1, 1, 8123);
	scene_add_thread(s, 0, 2, 1, 8124);
	s->groups[0].running = 2;
	s->groups[0].room = 8;
	s->groups[1].room = 1;
	set_ioprio(s, 0, BE(0), STATUS_APPLIED);
}

static void add_latency(struct snapshot *s, uint64_t alone_ms, uint64_t now_ms)
{
	struct snapshot_group *v = &s->groups[1];

	v->latency.baseline_known = true;
	v->latency.baseline_p50 = alone_ms * NS_PER_MS + 50 * NS_PER_US;
	scene_add_samples(&v->latency.baseline, alone_ms, 900);
	scene_add_samples(&v->latency.window, now_ms, 300);
	scene_add_samples(&v->latency.window, 3 * now_ms, 40);
	v->latency.ratio = (struct known_number){true, (double)now_ms / (double)alone_ms};
	v->latency.in_flight = (struct known_ns){true, now_ms * NS_PER_MS / 2};
	v->shares = (struct sample_shares){true, 0.02, 0.01, 0.97};
	v->rate = (struct known_number){true, 35.2e6};
	v->baseline_rate = (struct known_number){true, 612e6};
	s->groups[0].rate = (struct known_number){true, 830e6};
	s->disk.may_set = true;
	scene_add_history(&v->timeline, 1090, 1100, alone_ms, 190);
	scene_add_history(&v->timeline, 1100, 1118, alone_ms + 1, 90);
	scene_add_history(&v->timeline, 1118, 1133, now_ms, 30);
	timeline_mark(&v->timeline, 1100, 0, KNOB_COUNT, "hogs 2");
	timeline_mark(&v->timeline, 1118, 1, KNOB_IONICE, "victim idle");
}

static void add_stack(struct snapshot *s)
{
	struct snapshot_disk *d = &s->disk;
	struct block_level *loop;

	d->below.nlevels = 0;
	d->below.mount[0] = '\0';
	d->own_loop = d->loop_direct = true;
	d->shared = false;
	d->loop_size = UINT64_C(512) << 20;
	loop = add_level(s, "loop0", "none", BLOCK_HONOURS_NOTHING);
	loop->kind = BLOCK_LOOP;
	loop->passes = TRI_YES;
	snprintf(loop->backing, sizeof(loop->backing), "/var/tmp/#15040513 (deleted)");
	add_level(s, "vda", "mq-deadline", BLOCK_HONOURS_CLASS);
	d->below.counts = 1;
	s->groups[0].refused = 1;
	snprintf(s->groups[0].fault, sizeof(s->groups[0].fault),
		 "nl-hog-2 stopped: a write failed (no space left on device (ENOSPC))");
}

void scene_disk(struct snapshot *s, enum scene scene)
{
	struct facts_io io = {.does_io = TRI_YES,
			      .device = "vda",
			      .elevator = ELEVATOR_MQ_DEADLINE,
			      .elevator_name = "mq-deadline"};
	struct facts f = {
		.what = WHAT_IOPRIO, .base = STATUS_APPLIED, .io = &io, .wanted = IDLE, .actual = IDLE};
	bool warm = scene == SCENE_WARM;

	add_disk(s);
	add_workers(s, warm ? LOAD_BUFREAD : LOAD_READ, warm ? LOAD_BUFREAD_HOG : LOAD_WRITE_HOG);
	add_latency(s, 1, scene == SCENE_DISK || scene == SCENE_STACK ? 6 : 1);
	set_ioprio(s, 1, IDLE, STATUS_APPLIED);
	s->judged = true;
	s->theory.why_not = "the victim waits for a disk, not for a CPU: weights say nothing of that";
	if (scene == SCENE_STACK)
		add_stack(s);
	if (scene == SCENE_WARM) {
		set_ioprio(s, 1, IDLE, STATUS_MOOT);
		scene_add_verdict(s, "page-cache", 0, 1, &f);
	}
	if (scene == SCENE_LEVELS) {
		f.wanted = f.actual = BE(7);
		set_ioprio(s, 1, BE(7), STATUS_IGNORED);
		scene_add_verdict(s, "elevator-level-ignored", 0, 1, &f);
	}
}
