/* The whole verdict: why, what to do instead, what else holds, what backs it, and the actions that nicelab has for it. */
#include "ui/panes.h"

#include <stdio.h>

#define LABEL 9
#define WIDTH 84
#define PARTS (4 + SNAPSHOT_ALSO)

/* A labelled paragraph. */
struct part {
	const char *label;
	int ink;
	char text[SNAPSHOT_TEXT + 40];
};

struct page {
	size_t count;
	struct part parts[PARTS];
};

static struct part *add(struct page *p, const char *label, int ink)
{
	struct part *part = &p->parts[p->count++];

	part->label = label;
	part->ink = ink;
	return part;
}

static void fill(struct page *p, const struct snapshot *s, const struct snapshot_verdict *v)
{
	struct part *part = add(p, "whom", INK_TEXT);

	verdict_whom(part->text, sizeof(part->text), s, v);
	part = add(p, "why", INK_TEXT);
	snprintf(part->text, sizeof(part->text), "%s", v->why);
	part = add(p, "instead", INK_GOOD);
	snprintf(part->text, sizeof(part->text), "%s", v->remedy);
	for (unsigned i = 0; i < v->nalso; i++) {
		part = add(p, i ? "" : "also", INK_DIM);
		snprintf(part->text, sizeof(part->text), "%s: %s", verdict_info(v->also[i].rule)->code,
			 v->also[i].why);
	}
	part = add(p, "read", INK_DIM);
	snprintf(part->text, sizeof(part->text), "%s", verdict_info(v->rule)->reference);
}

static int lines_of(const char *text, int width)
{
	int lines = 0;

	for (; *text; lines++)
		text += canvas_wrap(text, width);
	return lines;
}

/* How many rows the page takes at this width, with its actions. */
static int height(const struct page *p, int width)
{
	int rows = 6; /* frame, a blank line above and below, two actions */

	for (size_t i = 0; i < p->count; i++)
		rows += lines_of(p->parts[i].text, width - 4 - LABEL);
	return rows;
}

static void action(const struct canvas *c, const struct rect *r, int row, enum verdict_fix fix, bool on)
{
	if (fix == FIX_NONE)
		return;
	canvas_text(c, row, r->col + 2, 2, INK_STRONG, "%s", on ? "▸" : " ");
	canvas_text(c, row, r->col + 4, 8, on ? INK_KEY | INK_BOLD : INK_TEXT, "%s", on ? " Enter " : "");
	canvas_text(c, row, r->col + 2 + LABEL + 1, r->cols - 5 - LABEL, on ? INK_STRONG : INK_TEXT, "%s",
		    verdict_fix_words(fix));
}

static void actions(const struct canvas *c, const struct rect *r, const struct view *v,
		    const struct snapshot_verdict *now)
{
	int row = r->row + r->rows - (now->other_fix == FIX_NONE ? 2 : 3);

	action(c, r, row, now->fix, v->action == 0);
	action(c, r, row + 1, now->other_fix, v->action == 1);
	if (now->fix == FIX_NONE)
		canvas_text(c, row, r->col + 2 + LABEL, r->cols - 4 - LABEL, INK_DIM,
			    "nicelab cannot do this by itself");
}

void overlay_verdict(const struct canvas *c, struct view *v, const struct snapshot *s)
{
	size_t place = 0;
	const struct snapshot_verdict *now = view_verdict(v, s, &place);
	struct page page = {0};
	char title[96];

	if (!now) {
		v->mode = MODE_NORMAL; /* it was mended meanwhile */
		return;
	}
	fill(&page, s, now);
	snprintf(title, sizeof(title), "%s · %s · %zu of %zu%s · Esc closes", status_word(now->status),
		 verdict_info(now->rule)->code, place + 1, s->nverdicts,
		 s->nverdicts > 1 ? ", Left Right" : "");
	int cols = c->cols < WIDTH ? c->cols : WIDTH;
	struct rect r = overlay_frame(c, height(&page, cols), cols, title);
	struct rect in = {r.row, r.col + 2 + LABEL, r.rows, r.cols - 4 - LABEL};
	int row = r.row + 1 + (height(&page, cols) <= c->rows), end = r.row + r.rows - 3;
	for (size_t i = 0; i < page.count && row < end; i++) {
		canvas_text(c, row, r.col + 2, LABEL - 1, INK_STRONG, "%s", page.parts[i].label);
		row += canvas_paragraph(c, &in, row, end - row, page.parts[i].ink, page.parts[i].text);
	}
	actions(c, &r, v, now);
}
