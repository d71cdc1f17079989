/* From the devices below a directory to facts. */
#include "sample/device.h"

#include <string.h>

_Static_assert(BLOCK_NAME <= FACTS_NAME, "names are copied whole");

static enum facts_filesystem filesystem_of(const struct block_place *where, const struct block_reading *b)
{
	static const struct {
		const char *name;
		enum facts_filesystem is;
	} kinds[] = {
		{"tmpfs", FILESYSTEM_TMPFS},	  {"ramfs", FILESYSTEM_TMPFS},
		{"nfs", FILESYSTEM_NETWORK},	  {"nfs4", FILESYSTEM_NETWORK},
		{"cifs", FILESYSTEM_NETWORK},	  {"smb3", FILESYSTEM_NETWORK},
		{"ceph", FILESYSTEM_NETWORK},	  {"9p", FILESYSTEM_NETWORK},
		{"virtiofs", FILESYSTEM_NETWORK}, {"fuse", FILESYSTEM_NETWORK},
		{"fuseblk", FILESYSTEM_NETWORK},  {"btrfs", FILESYSTEM_WORKERS},
		{"bcachefs", FILESYSTEM_WORKERS}, {"zfs", FILESYSTEM_WORKERS},
	};
	const char *name = b->filesystem;

	if (where->memory)
		return FILESYSTEM_TMPFS;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].name, name) == 0)
			return kinds[i].is;
	if (strncmp(name, "fuse.", 5) == 0)
		return FILESYSTEM_NETWORK;
	if (b->nlevels)
		return FILESYSTEM_BLOCK;
	return name[0] ? FILESYSTEM_ANONYMOUS : FILESYSTEM_UNKNOWN;
}

static enum facts_elevator elevator_of(const struct block_level *l)
{
	static const char *const names[] = {[ELEVATOR_NONE] = "none",
					    [ELEVATOR_MQ_DEADLINE] = "mq-deadline",
					    [ELEVATOR_KYBER] = "kyber",
					    [ELEVATOR_BFQ] = "bfq"};

	if (l->queue != BLOCK_QUEUE_READ)
		return l->queue == BLOCK_QUEUE_MISSING ? ELEVATOR_MISSING : ELEVATOR_UNREAD;
	for (int i = ELEVATOR_NONE; i <= ELEVATOR_BFQ; i++)
		if (strcmp(names[i], l->elevator) == 0)
			return (enum facts_elevator)i;
	return ELEVATOR_OTHER;
}

static bool honours_any(const struct block_level *l)
{
	return l->honours == BLOCK_HONOURS_CLASS || l->honours == BLOCK_HONOURS_LEVEL;
}

/* Whether one below would use a priority, if it came down to it. Unknown also where not all is seen. */
static enum tri wanted_below(const struct block_reading *b, size_t level)
{
	enum tri wanted = b->more || block_below(b, level) < 0 ? TRI_UNKNOWN : TRI_NO;

	for (size_t i = level + 1; i < b->nlevels && b->levels[i].depth > b->levels[level].depth; i++) {
		const struct block_level *l = &b->levels[i];
		if (honours_any(l))
			return TRI_YES;
		if (l->honours == BLOCK_HONOURS_UNKNOWN || (l->kind != BLOCK_DISK && block_below(b, i) < 0))
			wanted = TRI_UNKNOWN;
	}
	return wanted;
}

/* A level that loses the priority, while none made use of it and one below would. */
static enum tri drops_ioprio(const struct block_reading *b)
{
	enum tri drops = TRI_NO;

	if (!b->nlevels)
		return TRI_UNKNOWN;
	if (honours_any(&b->levels[b->counts]))
		return TRI_NO;
	for (size_t i = 0; i < b->nlevels; i++) {
		enum tri wanted = b->levels[i].passes == TRI_NO ? wanted_below(b, i) : TRI_NO;
		if (wanted == TRI_YES)
			return TRI_YES;
		drops = wanted == TRI_UNKNOWN ? TRI_UNKNOWN : drops;
	}
	return drops;
}

/* Of the device that decides. */
static void fill_level(const struct block_level *l, struct facts_io *out)
{
	strcpy(out->device, l->name);
	strcpy(out->elevator_name, l->elevator);
	out->elevator = elevator_of(l);
	out->aging_ms = l->aging_ms;
	out->heuristics = l->low_latency;
	out->tags = l->tags;
	out->throttles_writeback = l->throttle_us.known ? tri_of(l->throttle_us.value > 0) : TRI_UNKNOWN;
}

void sample_device_facts(const struct block_place *where, const struct block_reading *b, struct facts_io *out)
{
	static const struct block_level nothing;
	const struct block_level *top = b->nlevels ? &b->levels[0] : &nothing;

	out->filesystem = filesystem_of(where, b);
	strcpy(out->filesystem_name, b->filesystem);
	fill_level(b->nlevels ? &b->levels[b->counts] : &nothing, out);
	strcpy(out->top, top->name);
	strcpy(out->top_elevator, top->elevator);
	out->stacked = b->nlevels ? tri_of(top->kind != BLOCK_DISK) : TRI_UNKNOWN;
	out->bottom_known = b->nlevels ? tri_of(b->sure) : TRI_UNKNOWN;
	out->drops_ioprio = drops_ioprio(b);
}
