/* Surroundings over time. */
#include "sample/around.h"
#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

#define REFRESH NS_PER_SEC
#define FORGET (60 * NS_PER_SEC)

bool sample_around_read(struct sample_groups *s, const struct procfs *fs, pid_t pid,
			struct sample_around *out)
{
	struct surround now;

	if (!s->mounts_read) {
		cgroup_mounts_read(fs, &s->mounts);
		s->mounts_read = true;
	}
	if (surround_read(fs, pid, &now) < 0)
		return false;
	out->at = clock_now();
	out->around = now;
	memset(&out->place, 0, sizeof(out->place)); /* places are compared as bytes */
	out->placed = cgroup_find(fs, &s->mounts, pid, &out->place) == 0;
	out->valid = true;
	return true;
}

static bool same_place(const struct cgroup_place *a, const struct cgroup_place *b)
{
	return a->version == b->version && strcmp(a->path, b->path) == 0;
}

/* What was throttled since the reading before. */
static void take_reading(struct sample_group *g, const struct cgroup_reading *now, uint64_t at)
{
	const struct cgroup_reading *old = &g->last;
	uint64_t periods = now->periods - old->periods, throttled = now->throttled - old->throttled;

	g->throttled.known = false;
	if (g->valid && old->throttle_known && now->throttle_known && now->periods > old->periods &&
	    now->throttled >= old->throttled)
		g->throttled = known((double)throttled / (double)periods);
	g->last = *now;
	g->at = at;
	g->valid = true;
}

static void read_group(struct sample_group *g, const struct procfs *fs)
{
	struct cgroup_reading now;
	uint64_t at = clock_now();

	if (cgroup_read(fs, &g->place, &now) == 0)
		take_reading(g, &now, at);
	else
		g->valid = false;
	g->at = at;
}

static struct sample_group *add_group(struct sample_groups *s, const struct cgroup_place *place)
{
	if (s->count == s->room) {
		size_t room = s->room ? s->room * 2 : 8;
		struct sample_group *bigger = realloc(s->groups, room * sizeof(*bigger));
		if (!bigger)
			return NULL;
		s->groups = bigger;
		s->room = room;
	}
	memset(&s->groups[s->count], 0, sizeof(*s->groups));
	s->groups[s->count].place = *place;
	return &s->groups[s->count++];
}

const struct sample_group *sample_groups_get(struct sample_groups *s, const struct procfs *fs,
					     const struct cgroup_place *place)
{
	struct sample_group *g = NULL;

	for (size_t i = 0; i < s->count && !g; i++)
		if (same_place(&s->groups[i].place, place))
			g = &s->groups[i];
	if (!g) {
		g = add_group(s, place);
		if (!g)
			return NULL;
		read_group(g, fs);
	}
	g->used_at = clock_now();
	return g->valid ? g : NULL;
}

/* Cuts the last name off; a path of one name leaves the top, "/". */
static void cut(char *path, const char *top)
{
	char *slash = strrchr(path, '/');

	if (slash && slash != path)
		*slash = '\0';
	else
		strcpy(path, top);
}

bool sample_groups_parent(const struct cgroup_place *place, struct cgroup_place *parent)
{
	if (strcmp(place->path, "/") == 0 || strcmp(place->dir, place->top) == 0)
		return false;
	*parent = *place;
	cut(parent->path, "/");
	cut(parent->dir, "");
	parent->below_root = strcmp(parent->path, "/") != 0;
	return true;
}

void sample_groups_update(struct sample_groups *s, const struct procfs *fs)
{
	uint64_t now = clock_now();

	for (size_t i = s->count; i-- > 0;) {
		struct sample_group *g = &s->groups[i];
		if (now - g->used_at > FORGET)
			*g = s->groups[--s->count];
		else if (now - g->at >= REFRESH)
			read_group(g, fs);
	}
}

void sample_groups_release(struct sample_groups *s)
{
	free(s->groups);
	memset(s, 0, sizeof(*s));
}
