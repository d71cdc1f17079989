/* The disk: where the files are, the devices below them and what each honours, and how busy they are. */
#include "base/units.h"
#include "ui/panes.h"

#include <stdio.h>
#include <string.h>

const char *disk_honours_words(enum block_honours h)
{
	static const char *const words[] = {
		[BLOCK_HONOURS_UNKNOWN] = "not known what it honours",
		[BLOCK_HONOURS_NOTHING] = "no class, no level",
		[BLOCK_HONOURS_CLASS] = "class, no levels",
		[BLOCK_HONOURS_LEVEL] = "class and level",
	};

	return words[h];
}

/* "vda1 on vda mq-deadline (class, no levels)"; buf is for one level. */
char *disk_level_words(char *buf, size_t size, const struct block_level *l, bool honours)
{
	int n = snprintf(buf, size, "%s%s%s %s", l->partition, l->partition[0] ? " on " : "", l->name,
			 l->elevator[0] ? l->elevator : "no elevator");

	if (honours && n > 0 && (size_t)n < size)
		snprintf(buf + n, size - (size_t)n, " (%s)", disk_honours_words(l->honours));
	return buf;
}

static int stack_width(const struct block_reading *b)
{
	char text[200];
	int width = 0;

	for (size_t i = 0; i < b->nlevels; i++)
		width += canvas_width(
				 disk_level_words(text, sizeof(text), &b->levels[i], (int)i == b->counts)) +
			 (i ? 3 : 0);
	return width;
}

/* The way from the file system down, as far as it fits; the device that decides is the one that stands out. */
static int put_stack(const struct canvas *c, int row, int col, int width, const struct block_reading *b)
{
	char text[200];
	bool wordy = stack_width(b) <= width; /* else without what they honour */
	int used = 0;

	if (b->nlevels == 0)
		return canvas_text(c, row, col, width, INK_DIM, "no block device below");
	for (size_t i = 0; i < b->nlevels && used < width; i++) {
		bool decides = (int)i == b->counts;
		if (i)
			used += canvas_text(c, row, col + used, width - used, INK_DIM,
					    b->levels[i].depth == b->levels[i - 1].depth ? " + " : " → ");
		used += canvas_text(c, row, col + used, width - used, decides ? INK_STRONG : INK_DIM, "%s",
				    disk_level_words(text, sizeof(text), &b->levels[i], decides && wordy));
	}
	return used;
}

static size_t level_shown(const struct snapshot_disk *d)
{
	return d->below.counts < 0 ? 0 : (size_t)d->below.counts;
}

char *disk_use_words(char *buf, size_t size, const struct disk_use *u)
{
	char busy[16] = "–", depth[16] = "–", rate[24] = "–";

	if (u->busy.known)
		snprintf(busy, sizeof(busy), "%.0f %%", 100 * u->busy.value);
	if (u->in_flight.known)
		snprintf(depth, sizeof(depth), "%.1f", u->in_flight.value);
	if (u->rate.known)
		units_format_rate(rate, sizeof(rate), u->rate.value);
	snprintf(buf, size, "busy %s · in flight %s · %s", busy, depth, rate);
	return buf;
}

static void title(const struct canvas *c, const struct rect *r, const struct snapshot *s)
{
	const struct snapshot_disk *d = &s->disk;
	char left[160], right[96], size[24];

	disk_use_words(right, sizeof(right), &d->use[level_shown(d)]);
	if (d->own_loop)
		snprintf(left, sizeof(left), "Disk · own %s, %s%s",
			 d->below.nlevels ? d->below.levels[0].name : "loop",
			 units_format_bytes(size, sizeof(size), d->loop_size),
			 d->loop_direct ? ", direct I/O" : "");
	else
		snprintf(left, sizeof(left), "Disk · %.*s · %s", r->cols >= 96 ? 48 : 24, d->path,
			 d->below.filesystem[0] ? d->below.filesystem : "file system not known");
	canvas_title(c, r, INK_STRONG, left, right);
}

static struct known_number rate_of(const struct snapshot *s, bool is_victim)
{
	struct known_number sum = {0};

	for (size_t i = 0; i < s->ngroups; i++)
		if (s->groups[i].is_victim == is_victim && s->groups[i].rate.known)
			sum = known(sum.value + s->groups[i].rate.value);
	return sum;
}

/* What it moves stays in the page cache, or gets to the disk later: the device's own rate is another. */
static bool is_cached(const struct snapshot *s, bool is_victim)
{
	int group = snapshot_group_of(s, is_victim);
	unsigned io = group < 0 ? 0 : load_kind(s->groups[group].kind)->io;

	return io && !(io & IO_DIRECT);
}

/* One role's rate. */
static int put_rate(const struct canvas *c, int row, int end, const struct snapshot *s, bool is_victim)
{
	struct known_number rate = rate_of(s, is_victim);
	char text[24] = "–";

	if (rate.known)
		units_format_rate(text, sizeof(text), rate.value);
	end = canvas_text_right(c, row, end, 12, ink_of_role(is_victim) | INK_BOLD, "%s", text);
	return canvas_text_right(c, row, end, 20, ink_of_role(is_victim), "%s%s ",
				 is_victim ? "victim" : "hogs",
				 is_cached(s, is_victim) ? ", page cache" : "");
}

/* Rates stand on the right of the row, the devices on the left. */
static void device_row(const struct canvas *c, const struct rect *r, int row, const struct snapshot *s)
{
	int end = r->col + r->cols - 1;

	end = put_rate(c, row, end, s, false);
	end = put_rate(c, row, end - 2, s, true);
	put_stack(c, row, r->col + 1, end - r->col - 3, &s->disk.below);
}

/* A loop device on the way that goes through the page cache of its file. */
static bool ends_at_loop(const struct block_reading *b)
{
	for (size_t i = 0; i < b->nlevels; i++)
		if (b->levels[i].kind == BLOCK_LOOP && b->levels[i].passes == TRI_NO)
			return true;
	return false;
}

static const char *direct_words(const struct snapshot_disk *d)
{
	if (d->where.direct == TRI_YES && ends_at_loop(&d->below))
		return "O_DIRECT ends at the loop device: its file is cached";
	return d->where.direct == TRI_YES  ? "O_DIRECT is real here"
	       : d->where.direct == TRI_NO ? "O_DIRECT means nothing here"
					   : "whether O_DIRECT is real here is not known";
}

/* Fewer than were asked for. */
static bool lacks_room(char *buf, size_t size, const struct snapshot *s)
{
	char space[24];

	for (size_t i = 0; i < s->ngroups; i++) {
		const struct snapshot_group *g = &s->groups[i];
		if (g->is_victim || g->knobs[KNOB_COUNT] <= (long)g->room)
			continue;
		snprintf(buf, size,
			 "! %u of %ld hogs have room in the space of %s: smaller files, or more space",
			 g->room, g->knobs[KNOB_COUNT],
			 knob_format(space, sizeof(space), KNOB_SPACE, s->knobs[KNOB_SPACE]));
		return true;
	}
	return false;
}

/* Why a worker has stopped, as long as it is; that others wait for room, or for their files; that somebody else is there. */
static bool trouble_words(char *buf, size_t size, const struct snapshot *s)
{
	unsigned preparing = 0;
	char rate[24];

	for (size_t i = 0; i < s->ngroups; i++) {
		preparing += s->groups[i].preparing;
		if (s->groups[i].fault[0]) {
			snprintf(buf, size, "! %s", s->groups[i].fault);
			return true;
		}
	}
	if (lacks_room(buf, size, s))
		return true;
	if (preparing)
		snprintf(buf, size, "%u worker%s files first", preparing,
			 preparing == 1 ? " makes its" : "s make their");
	else if (s->disk.foreign.known && s->disk.foreign.value > 0)
		snprintf(buf, size, "others use it too: %s",
			 units_format_rate(rate, sizeof(rate), s->disk.foreign.value));
	else
		return false;
	return true;
}

/* Else what there is to know of it. */
static void calm_words(char *buf, size_t size, const struct snapshot_disk *d)
{
	if (d->changed)
		snprintf(buf, size, "%s · elevator %s is put back at the end", direct_words(d), d->before);
	else
		snprintf(buf, size, "%s%s", direct_words(d), d->may_set ? " · E sets the elevator" : "");
}

static void state_row(const struct canvas *c, const struct rect *r, int row, const struct snapshot *s)
{
	char text[SNAPSHOT_TEXT + 4];
	bool trouble = trouble_words(text, sizeof(text), s);

	if (!trouble)
		calm_words(text, sizeof(text), &s->disk);
	canvas_text(c, row, r->col + 1, r->cols - 2,
		    !trouble	     ? INK_DIM
		    : text[0] == '!' ? INK_BAD
				     : INK_WARNING,
		    "%s", text);
}

void pane_disk(const struct canvas *c, const struct rect *r, const struct snapshot *s)
{
	if (!s->disk.known) {
		canvas_title(c, r, INK_STRONG, "Disk", "no directory");
		return;
	}
	title(c, r, s);
	device_row(c, r, r->row + 1, s);
	if (r->rows > 2)
		state_row(c, r, r->row + 2, s);
}
