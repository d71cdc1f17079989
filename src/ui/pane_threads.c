/* The threads: what was asked of each, what the kernel reports, and what came of it. Columns are given up from the least
 * important on where there is no room. */
#include "base/text.h"
#include "base/units.h"
#include "ui/panes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*cell_fn)(char *buf, size_t size, const struct snapshot *s, const struct snapshot_thread *t);

int ink_of_status(enum status s)
{
	return s == STATUS_APPLIED						? INK_GOOD
	       : s == STATUS_PENDING || s == STATUS_UNKNOWN || s == STATUS_NONE ? INK_DIM
	       : s == STATUS_CLAMPED || s == STATUS_MOOT			? INK_WARNING
										: INK_BAD;
}

static int cell_role(char *buf, size_t size, const struct snapshot *s, const struct snapshot_thread *t)
{
	snapshot_thread_name(buf, size, s, t);
	return ink_of_role(s->groups[t->group].is_victim) | INK_BOLD;
}

static int cell_tid(char *buf, size_t size, const struct snapshot *s, const struct snapshot_thread *t)
{
	(void)s;
	snprintf(buf, size, "%d", (int)t->tid);
	return INK_DIM;
}

static int cell_nice(char *buf, size_t size, const struct snapshot *s, const struct snapshot_thread *t)
{
	char asked[12] = "-", actual[12] = "?";

	(void)s;
	if (t->nice_asked)
		snprintf(asked, sizeof(asked), "%d", t->nice_wanted);
	if (t->nice_known)
		snprintf(actual, sizeof(actual), "%d", t->nice_actual);
	snprintf(buf, size, "%3s → %-3s", asked, actual);
	return t->nice_status > STATUS_UNKNOWN ? ink_of_status(t->nice_status) : INK_TEXT;
}

/* What the block layer uses stands on the right; "(nice)" says that it only follows the nice value. */
static int cell_ionice(char *buf, size_t size, const struct snapshot *s, const struct snapshot_thread *t)
{
	char asked[16] = "-", actual[24] = "?";

	(void)s;
	if (t->ioprio_asked)
		ioprio_format(asked, sizeof(asked), t->ioprio_wanted);
	if (t->ioprio_known)
		ioprio_format(actual, sizeof(actual), t->ioprio_effective);
	snprintf(buf, size, "%4s → %s%s", asked, actual,
		 t->ioprio_known && ioprio_unpack(t->ioprio_actual).io_class == IOCLASS_NONE ? " (nice)"
											     : "");
	return t->ioprio_status > STATUS_UNKNOWN ? ink_of_status(t->ioprio_status) : INK_TEXT;
}

static int cell_policy(char *buf, size_t size, const struct snapshot *s, const struct snapshot_thread *t)
{
	(void)s;
	policy_format(buf, size, t->policy);
	return INK_DIM;
}

static int cell_cpu(char *buf, size_t size, const struct snapshot *s, const struct snapshot_thread *t)
{
	(void)s;
	snprintf(buf, size, "%d", t->cpu);
	return INK_DIM;
}

static int cell_run(char *buf, size_t size, const struct snapshot *s, const struct snapshot_thread *t)
{
	(void)s;
	if (t->shares.known)
		snprintf(buf, size, "%.1f", 100 * t->shares.run);
	else
		snprintf(buf, size, "–");
	return INK_TEXT;
}

static int cell_wait(char *buf, size_t size, const struct snapshot *s, const struct snapshot_thread *t)
{
	(void)s;
	if (t->shares.known)
		snprintf(buf, size, "%.1f", 100 * t->shares.wait);
	else
		snprintf(buf, size, "–");
	return INK_TEXT;
}

static int cell_p50(char *buf, size_t size, const struct snapshot *s, const struct snapshot_thread *t)
{
	if (t->p50.known)
		units_format_ns(buf, size, t->p50.ns);
	else
		snprintf(buf, size, "%s", s->groups[t->group].is_victim ? "–" : "");
	return INK_VICTIM;
}

/* Where the I/O priority alone is what is wrong, that is said: the nice may be well. */
static int cell_status(char *buf, size_t size, const struct snapshot *s, const struct snapshot_thread *t)
{
	enum status st = t->status;
	bool of_io = t->ioprio_status == st && t->nice_status != st && t->policy_status != st;

	(void)s;
	snprintf(buf, size, "%s%s", of_io && st > STATUS_APPLIED ? "io:" : "", status_word(st));
	return ink_of_status(st) | INK_BOLD;
}

static int cell_name(char *buf, size_t size, const struct snapshot *s, const struct snapshot_thread *t)
{
	(void)s;
	text_clean(buf, size, t->comm, strlen(t->comm));
	return INK_DIM;
}

/* The code behind the status. */
static int cell_why(char *buf, size_t size, const struct snapshot *s, const struct snapshot_thread *t)
{
	(void)s;
	snprintf(buf, size, "%s", t->verdict < 0 ? "" : verdict_info((unsigned)t->verdict)->code);
	return ink_of_status(t->status);
}

/* The columns in their order on the screen; rank 1 is given up last. Where a disk is in use another rank counts. */
static const struct column {
	const char *title;
	int width, rank, disk_rank;
	bool right;
	cell_fn cell;
} columns[] = {
	{"ROLE", 10, 1, 1, false, cell_role},
	{"TID", 7, 6, 6, true, cell_tid},
	{"NICE asked→is", 13, 2, 8, false, cell_nice},
	{"IONICE asked→is", 20, 8, 3, false, cell_ionice},
	{"POLICY", 8, 10, 10, false, cell_policy},
	{"CPU", 4, 9, 9, true, cell_cpu},
	{"RUN%", 5, 5, 7, true, cell_run},
	{"WAIT%", 5, 7, 5, true, cell_wait},
	{"P50", 8, 4, 4, true, cell_p50},
	{"STATUS", 11, 3, 2, false, cell_status},
	{"WHY", 18, 11, 11, false, cell_why},
	{"NAME", 16, 12, 12, false, cell_name},
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

/* Which columns fit: by rank, as long as there is room for the next. */
static void choose(int room, bool disk, bool shown[COLUMNS])
{
	memset(shown, 0, COLUMNS * sizeof(*shown));
	for (int rank = 1; rank <= (int)COLUMNS; rank++)
		for (size_t i = 0; i < COLUMNS; i++) {
			if ((disk ? columns[i].disk_rank : columns[i].rank) != rank)
				continue;
			if (columns[i].width + 1 > room)
				return;
			room -= columns[i].width + 1;
			shown[i] = true;
		}
}

static void cell(const struct canvas *c, int row, int col, const struct column *k, int ink, const char *text)
{
	if (k->right)
		canvas_text_right(c, row, col + k->width, k->width, ink, "%s", text);
	else
		canvas_text(c, row, col, k->width, ink, "%s", text);
}

static void head(const struct canvas *c, const struct rect *r, const bool shown[COLUMNS], bool focused,
		 const char *right)
{
	int col = 1;

	canvas_repeat(c, r->row, 0, r->cols, INK_DIM, "─");
	canvas_text(c, r->row, 0, 1, INK_STRONG, "%s", focused ? "▸" : "─");
	for (size_t i = 0; i < COLUMNS; i++)
		if (shown[i]) {
			cell(c, r->row, col, &columns[i], INK_STRONG, columns[i].title);
			col += columns[i].width + 1;
		}
	if (col + canvas_width(right) + 2 < r->cols)
		canvas_text_right(c, r->row, r->cols - 1, r->cols - col, INK_DIM, " %s ", right);
}

static void thread_row(const struct canvas *c, int row, const struct snapshot *s,
		       const struct snapshot_thread *t, const bool shown[COLUMNS], bool selected)
{
	int col = 1;

	if (selected)
		canvas_text(c, row, 0, 1, INK_STRONG, "▸");
	for (size_t i = 0; i < COLUMNS; i++)
		if (shown[i]) {
			char text[96] = "";
			int ink = columns[i].cell(text, sizeof(text), s, t);
			cell(c, row, col, &columns[i], selected ? ink | INK_BOLD : ink, text);
			col += columns[i].width + 1;
		}
}

/* Keeps the selected thread on the screen. */
static void scroll_to(struct view *v, long selected, size_t total)
{
	int last = (int)total - v->page;

	if (v->pane == PANE_THREADS && selected >= 0 && selected < v->scroll)
		v->scroll = (int)selected;
	if (v->pane == PANE_THREADS && selected >= v->scroll + v->page)
		v->scroll = (int)selected - v->page + 1;
	if (v->scroll > last)
		v->scroll = last;
	if (v->scroll < 0)
		v->scroll = 0;
}

/* What hides threads is said where the rows would be, since it may hide all of them. */
static void hidden_words(char *buf, size_t size, const struct view *v, size_t total, const struct snapshot *s)
{
	buf[0] = '\0';
	if (v->filter[0])
		snprintf(buf, size, "%zu of %zu match '%s': Esc shows all", total, s->nthreads, v->filter);
	else if (v->hide_hogs)
		snprintf(buf, size, "%zu of %zu shown: H shows the hogs", total, s->nthreads);
}

void pane_threads(const struct canvas *c, const struct rect *r, struct view *v, const struct snapshot *s)
{
	size_t *list = calloc(s->nthreads + 1, sizeof(*list));
	char hidden[96], right[32];
	bool shown[COLUMNS];

	if (!list || r->rows < 1) {
		free(list);
		return;
	}
	size_t total = view_threads(v, s, list, s->nthreads);
	long selected = view_selected(v, s);
	hidden_words(hidden, sizeof(hidden), v, total, s);
	v->page = r->rows - 1;
	scroll_to(v, selected, total);
	choose(r->cols - 1, s->disk.in_use, shown);
	snprintf(right, sizeof(right), "%zu", total);
	head(c, r, shown, v->pane == PANE_THREADS, right);
	for (int i = 0; i < v->page && (size_t)(v->scroll + i) < total; i++)
		thread_row(c, r->row + 1 + i, s, &s->threads[list[v->scroll + i]], shown,
			   v->pane == PANE_THREADS && v->scroll + i == selected);
	if (hidden[0] && v->page > 0)
		canvas_text_right(c, r->row + r->rows - 1, r->cols - 1, r->cols - 2, INK_WARNING, " %s",
				  hidden);
	free(list);
}
