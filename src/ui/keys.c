/* What each key does: one handler a line of the table of commands. Handlers change the view and send commands; they never
 * touch the lab itself. */
#include "base/clock.h"
#include "ui/commands.h"
#include "ui/key.h"
#include "ui/press.h"

#include <string.h>

typedef void (*handler_fn)(struct press *p);

#define X(id, keys, label, rank, handler, what) static void handler(struct press *p);
COMMANDS(X)
#undef X

static const struct ui_command_info table[UI_COMMAND_COUNT] = {
#define X(id, keys, label, rank, handler, what) [id] = {keys, label, rank, what},
	COMMANDS(X)
#undef X
};

static const handler_fn handlers[UI_COMMAND_COUNT] = {
#define X(id, keys, label, rank, handler, what) [id] = handler,
	COMMANDS(X)
#undef X
};

const struct ui_command_info *ui_command(enum ui_command c)
{
	return &table[c];
}

void press_command(struct press *p, int command)
{
	if (command >= 0)
		handlers[command](p);
}

int ui_command_of_key(int key)
{
	for (int i = 0; i < UI_COMMAND_COUNT; i++)
		for (const char *k = table[i].keys; *k; k += strspn(k, " ")) {
			size_t len = strcspn(k, " ");
			if (key_parse(k, len) == key)
				return i;
			k += len;
		}
	return -1;
}

void press_send(struct press *p, struct command c)
{
	c.issued_ns = clock_now();
	if (p->sink->send(p->sink->context, &c) < 0)
		view_say(p->view, "the engine does not keep up: the key was not taken");
}

static void send_simple(struct press *p, enum command_kind kind)
{
	press_send(p, (struct command){.kind = kind, .group = -1});
}

static void step_lab(struct press *p, enum knob k, int steps)
{
	press_send(p, (struct command){
			      .kind = COMMAND_SET, .group = -1, .knob = k, .value = steps, .relative = true});
}

static void step_hogs(struct press *p, int steps)
{
	int group = snapshot_group_of(p->s, false);

	if (group >= 0)
		press_send(p, (struct command){.kind = COMMAND_SET,
					       .group = group,
					       .knob = KNOB_COUNT,
					       .value = steps,
					       .relative = true});
}

/* The selected knob of a knob pane; NULL on the threads pane. */
static const struct view_knob *selected_knob(const struct view *v)
{
	return view_knob(v->pane, v->row[v->pane]);
}

static int knob_group(const struct press *p, const struct view_knob *k)
{
	return k->of_lab ? -1 : view_group(p->view, p->s);
}

static void step_selected(struct press *p, int steps)
{
	const struct view_knob *k = selected_knob(p->view);

	if (!k)
		return;
	press_send(p, (struct command){.kind = COMMAND_SET,
				       .group = knob_group(p, k),
				       .knob = k->knob,
				       .value = steps,
				       .relative = true});
}

/* F7 and F8 go to the selected hogs, victim or one thread, whichever knob is selected. */
static void step_nice(struct press *p, int steps)
{
	const struct snapshot_thread *t = p->view->pane == PANE_THREADS ? view_thread(p->view, p->s) : NULL;
	struct command c = {.kind = COMMAND_SET, .knob = KNOB_NICE_VALUE, .value = steps, .relative = true};

	c.group = view_group(p->view, p->s);
	if (t) {
		c.kind = COMMAND_THREAD_NICE;
		c.tid = t->tid;
	}
	if (c.group >= 0)
		press_send(p, c);
}

static void open_prompt(struct press *p, enum knob k, int group, pid_t tid)
{
	p->view->mode = MODE_PROMPT;
	p->view->prompt = (struct view_prompt){.knob = k, .group = group, .tid = tid};
}

static pid_t selected_tid(const struct press *p)
{
	const struct snapshot_thread *t = p->view->pane == PANE_THREADS ? view_thread(p->view, p->s) : NULL;

	return t ? t->tid : 0;
}

void press_select_thread(struct press *p, long to)
{
	size_t total = view_threads(p->view, p->s, NULL, 0), n = 0;

	if (to < 0)
		to = 0;
	if (total && (size_t)to >= total)
		to = (long)total - 1;
	for (size_t i = 0; i < p->s->nthreads; i++) {
		struct view one = *p->view;
		one.tid = p->s->threads[i].tid;
		if (view_thread(&one, p->s) == &p->s->threads[i] && n++ == (size_t)to) {
			p->view->tid = one.tid;
			return;
		}
	}
}

void press_move(struct press *p, int by)
{
	struct view *v = p->view;

	if (v->pane == PANE_THREADS)
		press_select_thread(p, (long)view_selected(v, p->s) + by);
	else if (view_knob(v->pane, v->row[v->pane] + by))
		v->row[v->pane] += by;
}

static void do_help(struct press *p)
{
	p->view->mode = MODE_HELP;
	p->view->help_scroll = 0;
}

static void do_up(struct press *p)
{
	press_move(p, -1);
}

static void do_down(struct press *p)
{
	press_move(p, 1);
}

static void do_page_up(struct press *p)
{
	p->view->pane = PANE_THREADS;
	press_move(p, -p->view->page);
}

static void do_page_down(struct press *p)
{
	p->view->pane = PANE_THREADS;
	press_move(p, p->view->page);
}

static void do_next_pane(struct press *p)
{
	p->view->pane = (enum view_pane)((p->view->pane + 1) % PANE_COUNT);
}

static void do_previous_pane(struct press *p)
{
	p->view->pane = (enum view_pane)((p->view->pane + PANE_COUNT - 1) % PANE_COUNT);
}

static void do_less(struct press *p)
{
	step_selected(p, -1);
}

static void do_more(struct press *p)
{
	step_selected(p, 1);
}

static void do_digit(struct press *p)
{
	const struct view_knob *k = selected_knob(p->view);

	if (!k)
		open_prompt(p, KNOB_NICE_VALUE, view_group(p->view, p->s), selected_tid(p));
	else if (knob_info(k->knob)->type == KNOB_IOPRIO || knob_info(k->knob)->type == KNOB_CHOICE) {
		view_say(p->view, "%s is no number: Left and Right turn it", knob_info(k->knob)->name);
		return;
	} else
		open_prompt(p, k->knob, knob_group(p, k), 0);
	press_prompt_key(p);
}

static void do_cancel(struct press *p)
{
	p->view->filter[0] = '\0';
	p->view->message[0] = '\0';
}

static void do_raise(struct press *p)
{
	step_nice(p, -1);
}

static void do_lower(struct press *p)
{
	step_nice(p, 1);
}

static void do_nice(struct press *p)
{
	if (view_group(p->view, p->s) >= 0)
		open_prompt(p, KNOB_NICE_VALUE, view_group(p->view, p->s), selected_tid(p));
}

static void do_ionice(struct press *p)
{
	int group = view_group(p->view, p->s);

	if (group < 0)
		return;
	long now = p->s->groups[group].knobs[KNOB_IONICE];
	p->view->mode = MODE_IONICE;
	p->view->menu_row = now == KNOB_UNASKED ? 0 : ioprio_choice_index((int)now);
	p->view->prompt = (struct view_prompt){.knob = KNOB_IONICE, .group = group, .tid = selected_tid(p)};
}

static void do_hog_more(struct press *p)
{
	step_hogs(p, 1);
}

static void do_hog_fewer(struct press *p)
{
	step_hogs(p, -1);
}

static void do_scope(struct press *p)
{
	step_lab(p, KNOB_SCOPE, 1);
}

static void do_sessions(struct press *p)
{
	step_lab(p, KNOB_SESSIONS, 1);
}

static void do_cpus(struct press *p)
{
	step_lab(p, KNOB_CPUS, 1);
}

static void do_respawn(struct press *p)
{
	send_simple(p, COMMAND_RESPAWN);
}

static void do_baseline(struct press *p)
{
	send_simple(p, COMMAND_BASELINE);
}

static void do_clear(struct press *p)
{
	send_simple(p, COMMAND_CLEAR);
}

static void do_window(struct press *p)
{
	open_prompt(p, KNOB_WINDOW, -1, 0);
}

static void do_pause(struct press *p)
{
	send_simple(p, COMMAND_PAUSE);
}

static void do_end_hogs(struct press *p)
{
	send_simple(p, COMMAND_END_HOGS);
}

static void do_show_hogs(struct press *p)
{
	p->view->hide_hogs = !p->view->hide_hogs;
}

static void do_filter(struct press *p)
{
	p->view->mode = MODE_PROMPT;
	p->view->prompt = (struct view_prompt){.is_filter = true};
}

static void do_slower(struct press *p)
{
	step_lab(p, KNOB_INTERVAL, 1);
}

static void do_faster(struct press *p)
{
	step_lab(p, KNOB_INTERVAL, -1);
}

static void do_redraw(struct press *p)
{
	p->view->redraw = true;
}

static void do_suspend(struct press *p)
{
	p->view->suspend = true;
}

static void do_quit(struct press *p)
{
	p->view->quit = true;
}
