/* Selection: which knob, which thread; and drawing all panes in their places. */
#include "ui/view.h"
#include "base/clock.h"
#include "base/text.h"
#include "ui/panes.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define MESSAGE_TIME (6 * NS_PER_SEC)

/* The knobs of the two panes, from top to bottom, for groups that use no disk; those of the lab stand where they belong in thought. */
static const struct view_knob cpu_knobs[2][VIEW_KNOB_ROWS + 1] = {
	[PANE_HOGS] = {{KNOB_COUNT, false},
		       {KNOB_NICE_VALUE, false},
		       {KNOB_IONICE, false},
		       {KNOB_SESSIONS, true},
		       {KNOB_CPUS, true},
		       {KNOB_POLICY, false},
		       {KNOB_SESSION_NICE, false},
		       {KNOB_USER, true},
		       {KNOB_THREADS, false},
		       {KNOB_INTERVAL, true},
		       {KNOB_TOTAL, false}},
	[PANE_VICTIM] = {{KNOB_NICE_VALUE, false},
			 {KNOB_SCOPE, true},
			 {KNOB_IONICE, false},
			 {KNOB_THREADS, false},
			 {KNOB_POLICY, false},
			 {KNOB_SESSION_NICE, false},
			 {KNOB_WORK, false},
			 {KNOB_WINDOW, true},
			 {KNOB_TOTAL, false}},
};

/* And for those that do. */
static const struct view_knob disk_knobs[2][VIEW_KNOB_ROWS + 1] = {
	[PANE_HOGS] = {{KNOB_COUNT, false},
		       {KNOB_IONICE, false},
		       {KNOB_THREADS, false},
		       {KNOB_NICE_VALUE, false},
		       {KNOB_SPACE, true},
		       {KNOB_CPUS, true},
		       {KNOB_TREE, true},
		       {KNOB_SESSIONS, true},
		       {KNOB_POLICY, false},
		       {KNOB_SESSION_NICE, false},
		       {KNOB_USER, true},
		       {KNOB_INTERVAL, true},
		       {KNOB_TOTAL, false}},
	[PANE_VICTIM] = {{KNOB_IONICE, false},
			 {KNOB_IO_SAMPLE, true},
			 {KNOB_THREADS, false},
			 {KNOB_BLOCK, true},
			 {KNOB_FILE, true},
			 {KNOB_TREE, true},
			 {KNOB_NICE_VALUE, false},
			 {KNOB_SCOPE, true},
			 {KNOB_POLICY, false},
			 {KNOB_SESSION_NICE, false},
			 {KNOB_WINDOW, true},
			 {KNOB_TOTAL, false}},
};

bool view_uses_disk(const struct snapshot *s, enum view_pane pane)
{
	int group = snapshot_group_of(s, pane == PANE_VICTIM);

	return group >= 0 && load_kind(s->groups[group].kind)->io;
}

/* A walk through a tree is one sample whatever else is set, and only a tree has the size of one. */
static bool matters(const struct snapshot *s, enum view_pane pane, enum knob k)
{
	int group = snapshot_group_of(s, pane == PANE_VICTIM);
	bool tree = group >= 0 && (load_kind(s->groups[group].kind)->io & IO_TREE);

	return k == KNOB_TREE ? tree : !tree || (k != KNOB_FILE && k != KNOB_IO_SAMPLE);
}

const struct view_knob *view_knob(const struct snapshot *s, enum view_pane pane, int row)
{
	const struct view_knob *k;

	if (pane > PANE_VICTIM || row < 0)
		return NULL;
	k = view_uses_disk(s, pane) ? disk_knobs[pane] : cpu_knobs[pane];
	for (; k->knob != KNOB_TOTAL; k++)
		if (matters(s, pane, k->knob) && row-- == 0)
			return k;
	return NULL;
}

const char *view_knob_name(const struct snapshot *s, enum view_pane pane, const struct view_knob *k)
{
	return k->knob == KNOB_THREADS && view_uses_disk(s, pane) ? "depth" : knob_info(k->knob)->name;
}

long view_knob_value(const struct snapshot *s, enum view_pane pane, const struct view_knob *k)
{
	int group = snapshot_group_of(s, pane == PANE_VICTIM);

	return k->of_lab || group < 0 ? s->knobs[k->knob] : s->groups[group].knobs[k->knob];
}

static bool contains(const char *text, const char *part)
{
	size_t len = strlen(part);

	for (; *text; text++)
		if (strncasecmp(text, part, len) == 0)
			return true;
	return false;
}

static bool is_shown(const struct view *v, const struct snapshot *s, const struct snapshot_thread *t)
{
	char text[160], name[32], comm[COMM_SIZE];

	if (v->hide_hogs && !s->groups[t->group].is_victim)
		return false;
	if (!v->filter[0])
		return true;
	text_clean(comm, sizeof(comm), t->comm, strlen(t->comm));
	snprintf(text, sizeof(text), "%s %d %s %s %s", snapshot_thread_name(name, sizeof(name), s, t),
		 (int)t->tid, comm, status_word(t->status),
		 t->verdict < 0 ? "" : verdict_info((unsigned)t->verdict)->code);
	return contains(text, v->filter);
}

size_t view_threads(const struct view *v, const struct snapshot *s, size_t *out, size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < s->nthreads; i++)
		if (is_shown(v, s, &s->threads[i])) {
			if (out && n < max)
				out[n] = i;
			n++;
		}
	return n;
}

void view_select(struct view *v, const struct snapshot_thread *t)
{
	v->sel = (struct view_thread_id){true, t->group, t->ordinal, t->index, t->tid};
}

static bool is_selected(const struct view *v, const struct snapshot_thread *t)
{
	const struct view_thread_id *id = &v->sel;

	return !id->chosen || (t->group == id->group && t->ordinal == id->ordinal && t->index == id->index &&
			       (t->index || t->tid == id->tid));
}

const struct snapshot_thread *view_thread(const struct view *v, const struct snapshot *s)
{
	for (size_t i = 0; i < s->nthreads; i++)
		if (is_shown(v, s, &s->threads[i]) && is_selected(v, &s->threads[i]))
			return &s->threads[i];
	return NULL;
}

long view_selected(const struct view *v, const struct snapshot *s)
{
	long n = 0;

	for (size_t i = 0; i < s->nthreads; i++) {
		if (!is_shown(v, s, &s->threads[i]))
			continue;
		if (is_selected(v, &s->threads[i]))
			return n;
		n++;
	}
	return -1;
}

const struct snapshot_verdict *view_verdict(const struct view *v, const struct snapshot *s, size_t *place)
{
	const struct view_verdict_id *id = &v->verdict;
	size_t at = 0;

	for (size_t i = 0; id->chosen && i < s->nverdicts; i++)
		if (s->verdicts[i].rule == id->rule && s->verdicts[i].what == id->what &&
		    s->verdicts[i].group == id->group)
			at = i;
	if (place)
		*place = at;
	return s->nverdicts ? &s->verdicts[at] : NULL;
}

void view_walk_verdicts(struct view *v, const struct snapshot *s, int by)
{
	size_t at;

	if (!view_verdict(v, s, &at))
		return;
	at = (at + s->nverdicts + (size_t)(by + (int)s->nverdicts)) % s->nverdicts;
	v->verdict = (struct view_verdict_id){true, s->verdicts[at].rule, s->verdicts[at].what,
					      s->verdicts[at].group};
	v->action = 0;
}

int view_group(const struct view *v, const struct snapshot *s)
{
	const struct snapshot_thread *t;

	if (v->pane == PANE_VERDICT) {
		const struct snapshot_verdict *verdict = view_verdict(v, s, NULL);
		return verdict ? verdict->group : snapshot_group_of(s, true);
	}
	if (v->pane != PANE_THREADS)
		return snapshot_group_of(s, v->pane == PANE_VICTIM);
	t = view_thread(v, s);
	return t ? t->group : -1;
}

void view_say(struct view *v, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(v->message, sizeof(v->message), fmt, ap);
	va_end(ap);
	v->message_at = clock_now();
	v->message_until = v->message_at + MESSAGE_TIME;
}

/* Another kind of load may have fewer knobs. */
static void keep_selected(struct view *v, const struct snapshot *s)
{
	for (int pane = PANE_HOGS; pane <= PANE_VICTIM; pane++)
		while (v->row[pane] > 0 && !view_knob(s, (enum view_pane)pane, v->row[pane]))
			v->row[pane]--;
}

void view_draw(const struct canvas *c, struct view *v, const struct snapshot *s)
{
	struct layout l = layout_of(c->rows, c->cols, s->disk.in_use);

	werase(c->win);
	if (!l.fits) {
		canvas_text(c, 0, 0, c->cols, INK_STRONG, "nicelab needs %dx%d, has %dx%d", LAYOUT_COLS_MIN,
			    LAYOUT_ROWS_MIN, c->cols, c->rows);
		return;
	}
	keep_selected(v, s);
	pane_header(c, &l.header, s);
	pane_knobs(c, &l.hogs, v, s, PANE_HOGS);
	pane_knobs(c, &l.victim, v, s, PANE_VICTIM);
	if (l.effect.rows)
		pane_effect(c, &l.effect, s);
	if (l.disk.rows)
		pane_disk(c, &l.disk, s);
	pane_latency(c, &l.latency, s);
	pane_timeline(c, &l.timeline, s);
	pane_threads(c, &l.threads, v, s);
	if (l.verdict.rows)
		pane_verdict(c, &l.verdict, v, s);
	pane_status(c, &l.status, v, s, l.verdict.rows > 0);
	pane_footer(c, &l.footer, v, s);
	if (v->mode == MODE_HELP)
		overlay_help(c, v);
	if (v->mode == MODE_MENU)
		overlay_menu(c, v, s);
	if (v->mode == MODE_VERDICT)
		overlay_verdict(c, v, s);
	if (v->mode == MODE_THEORY)
		overlay_theory(c, s);
	if (v->mode == MODE_DISK)
		overlay_disk(c, s);
}
