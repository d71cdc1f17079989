/* Everything about the disk in use: directory, mount, O_DIRECT, and each device down to the bottom. */
#include "ui/panes.h"

#include <stdio.h>

#define WIDTH 96
#define LABEL 12

static int line(const struct canvas *c, const struct rect *r, int row, int ink, const char *label,
		const char *text)
{
	if (row >= r->row + r->rows - 1)
		return row;
	canvas_text(c, row, r->col + 2, LABEL, INK_DIM, "%s", label);
	canvas_text(c, row, r->col + 2 + LABEL, r->cols - 4 - LABEL, ink, "%s", text);
	return row + 1;
}

static void direct_words(char *buf, size_t size, const struct block_place *w)
{
	if (w->direct == TRI_YES)
		snprintf(buf, size, "real: buffers aligned to %u bytes, offsets to %u", w->memory_align,
			 w->offset_align);
	else if (w->memory)
		snprintf(buf, size, "accepted at most, and means nothing: this is memory");
	else
		snprintf(buf, size, "%s",
			 w->direct == TRI_NO ? "not taken here" : "the kernel does not tell");
}

static const char *passes_words(const struct block_level *l)
{
	return l->passes == TRI_YES  ? "hands I/O priorities down"
	       : l->passes == TRI_NO ? "loses I/O priorities: it goes through the page cache"
				     : "may lose I/O priorities on the way down";
}

static int device(const struct canvas *c, const struct rect *r, int row, const struct snapshot_disk *d,
		  size_t i)
{
	const struct block_level *l = &d->below.levels[i];
	bool decides = (int)i == d->below.counts;
	char words[256], text[512], label[LABEL + 8];

	snprintf(label, sizeof(label), "%*s%s", (int)(l->depth < 4 ? l->depth : 4), "",
		 i ? "└ device" : "device");
	snprintf(text, sizeof(text), "%s%s", disk_level_words(words, sizeof(words), l, true),
		 decides ? " ◂ this elevator decides" : "");
	row = line(c, r, row, decides ? INK_STRONG : INK_TEXT, label, text);
	row = line(c, r, row, INK_DIM, "", disk_use_words(text, sizeof(text), &d->use[i]));
	snprintf(text, sizeof(text), "offers %s%s", l->offered, (int)i == d->device ? " · E sets one" : "");
	if (l->offered[0])
		row = line(c, r, row, INK_DIM, "", text);
	if (l->backing[0])
		row = line(c, r, row, INK_DIM, "", l->backing);
	if (block_below(&d->below, i) >= 0)
		row = line(c, r, row, l->passes == TRI_NO ? INK_WARNING : INK_DIM, "", passes_words(l));
	return row;
}

void overlay_disk(const struct canvas *c, const struct snapshot *s)
{
	const struct snapshot_disk *d = &s->disk;
	struct rect r = overlay_frame(c, 8 + 5 * (int)d->below.nlevels, WIDTH, "Disk · D or Esc closes");
	int row = r.row + 2;
	char text[400];

	if (!d->known) {
		line(c, &r, row, INK_TEXT, "directory", "none: start with --dir");
		return;
	}
	row = line(c, &r, row, INK_STRONG, "directory", d->path);
	if (d->own_loop)
		row = line(c, &r, row, INK_TEXT, "", "holds the file behind nicelab's own loop device");
	snprintf(text, sizeof(text), "%s%s%s", d->below.filesystem[0] ? d->below.filesystem : "not known",
		 d->below.mount[0] ? " on " : "", d->below.mount);
	row = line(c, &r, row, INK_TEXT, "file system", text);
	direct_words(text, sizeof(text), &d->where);
	row = line(c, &r, row, INK_TEXT, "O_DIRECT", text) + 1;
	for (size_t i = 0; i < d->below.nlevels; i++)
		row = device(c, &r, row, d, i);
	if (d->below.nlevels == 0)
		line(c, &r, row, INK_TEXT, "device", "no block device is known below");
}
