/* From a directory to the devices below it. */
#include "kernel/block.h"
#include "base/text.h"
#include "kernel/block_device.h"
#include "kernel/block_stack.h"

#include <stdlib.h>
#include <string.h>

/* The text of mountinfo, to be freed; NULL where it cannot be read. */
static char *read_mounts(const struct procfs *fs)
{
	char *text;

	procfs_read_new(fs->proc, "self/mountinfo", PROCFS_MOUNTS_MAX, &text);
	return text;
}

static void name_mount(const struct block_search *s, const struct block_place *place,
		       struct block_reading *out)
{
	struct block_mount m;

	if (!s->mounts || block_parse_mount(s->mounts, place, &m) < 0)
		return;
	text_clean(out->filesystem, sizeof(out->filesystem), m.type, strlen(m.type));
	text_clean(out->mount, sizeof(out->mount), m.point, strlen(m.point));
}

void block_read(const struct procfs *fs, const struct block_place *place, struct block_reading *out)
{
	char *mounts = read_mounts(fs);
	const struct block_search s = {fs, mounts};
	struct block_device top;

	memset(out, 0, sizeof(*out));
	out->counts = -1;
	name_mount(&s, place, out);
	if (block_device_of_place(&s, place, &top))
		block_stack_read(&s, &top, out);
	free(mounts);
}

void block_read_device(const struct procfs *fs, const char *name, struct block_reading *out)
{
	char *mounts = read_mounts(fs);
	const struct block_search s = {fs, mounts};
	struct block_device top = {{0}, {0}};

	memset(out, 0, sizeof(*out));
	out->counts = -1;
	if (block_device_valid(name)) {
		strcpy(top.disk, name);
		block_stack_read(&s, &top, out);
	}
	free(mounts);
}
