/* The first line: what this is, which machine, since when, and what looking costs. */
#include "base/units.h"
#include "ui/panes.h"

#include <stdio.h>
#include <string.h>

/* "6.18" of "6.18.44-arch1": the patch level says nothing here. */
static void short_kernel(char *buf, size_t size, const char *release)
{
	const char *dot = strchr(release, '.');
	size_t len = dot ? (size_t)(dot - release) + 1 + strspn(dot + 1, "0123456789") : strlen(release);

	snprintf(buf, size, "%.*s", (int)len, release);
}

static void autogroup_words(char *buf, size_t size, const struct snapshot *s)
{
	const char *word = host_autogroup_word(s->host.autogroup);

	if (s->host.autogroup == AUTOGROUP_ON)
		snprintf(buf, size, "autogroup on");
	else if (s->own_raised)
		snprintf(buf, size, "autogroup %s, own nice %d", word, s->own_nice);
	else
		snprintf(buf, size, "autogroup %s, nicelab competes", word);
}

/* "2 CPUs", or "1 of 2 CPUs" where the workers are pinned. */
static const char *cpus_words(char *buf, size_t size, const struct snapshot *s)
{
	unsigned used = cpulist_count(&s->cpus), all = cpulist_count(&s->host.cpus);

	if (used == all)
		snprintf(buf, size, "%u CPU%s", all, all == 1 ? "" : "s");
	else
		snprintf(buf, size, "%u of %u CPUs", used, all);
	return buf;
}

/* Whose rights changes are made with, where that is not simply whoever started nicelab. */
static void actor_words(char *buf, size_t size, const struct snapshot *s)
{
	buf[0] = '\0';
	if (s->user[0] && s->knobs[KNOB_USER] == USER_OTHER)
		snprintf(buf, size, "AS %.20s · ", s->user);
	else if (s->user[0] && s->knobs[KNOB_USER] == USER_STRANGER)
		snprintf(buf, size, "AS %.20s, A STRANGER · ", s->user);
}

/* "disk vda mq-deadline": the device whose elevator decides. */
static void disk_words(char *buf, size_t size, const struct snapshot *s)
{
	const struct block_reading *b = &s->disk.below;
	const struct block_level *l = s->disk.known && b->counts >= 0 ? &b->levels[b->counts] : NULL;

	buf[0] = '\0';
	if (l)
		snprintf(buf, size, " · disk %s %s", l->name, l->elevator[0] ? l->elevator : "no elevator");
}

void pane_header(const struct canvas *c, const struct rect *r, const struct snapshot *s)
{
	char kernel[32], autogroup[64], up[16], self[24] = "–", sweep[32] = "", took[24], words[32],
						actor[64], disk[160], line[400];
	int used, end;

	short_kernel(kernel, sizeof(kernel), s->host.kernel);
	autogroup_words(autogroup, sizeof(autogroup), s);
	if (s->self_cpu.known)
		units_format_share(self, sizeof(self), s->self_cpu.value);
	if (s->sweep_ns &&
	    r->cols >= (s->disk.in_use ? 120 : 96)) /* what looking at every thread once costs */
		snprintf(sweep, sizeof(sweep), " · sweep %s",
			 units_format_ns(took, sizeof(took), s->sweep_ns));
	canvas_repeat(c, r->row, 0, r->cols, INK_BAR, " ");
	used = canvas_text(c, r->row, 1, r->cols - 1, INK_BAR | INK_BOLD, "nicelab");
	used += 1 + canvas_text(c, r->row, 1 + used, r->cols, INK_BAR, " live ");
	end = canvas_text_right(c, r->row, r->cols - 1, r->cols - used - 2, INK_BAR, "%s · self %s%s",
				units_format_uptime(up, sizeof(up), s->at - s->started), self, sweep);
	actor_words(actor, sizeof(actor), s);
	disk_words(disk, sizeof(disk), s);
	snprintf(line, sizeof(line), "%s%s · Linux %s · %s%s", actor, cpus_words(words, sizeof(words), s),
		 kernel, autogroup, disk);
	if (canvas_width(line) > end - used - 2) /* the disk is told whole or not at all */
		line[strlen(line) - strlen(disk)] = '\0';
	canvas_text(c, r->row, used + 1, end - used - 2, INK_BAR, "%s", line);
}
