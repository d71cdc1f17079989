/* What each key does: one handler a line of the table of commands. Handlers change the view and send commands; they never
 * touch the lab itself. */
#include "base/clock.h"
#include "ui/commands.h"
#include "ui/key.h"
#include "ui/press.h"

#include <stdlib.h>
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
static const struct view_knob *selected_knob(const struct press *p)
{
	return view_knob(p->s, p->view->pane, p->view->row[p->view->pane]);
}

static int knob_group(const struct press *p, const struct view_knob *k)
{
	return k->of_lab ? -1 : view_group(p->view, p->s);
}

static void step_selected(struct press *p, int steps)
{
	const struct view_knob *k = selected_knob(p);

	if (p->view->pane == PANE_VERDICT)
		view_walk_verdicts(p->view, p->s, steps);
	if (!k)
		return;
	press_send(p, (struct command){.kind = COMMAND_SET,
				       .group = knob_group(p, k),
				       .knob = k->knob,
				       .value = steps,
				       .relative = true});
}

/* What the nice and ionice keys go to: the selected hogs, victim or one thread. False, with a word, where that is none. */
struct target {
	int group;
	pid_t tid; /* 0: the whole group */
};

static bool find_target(struct press *p, struct target *t)
{
	const struct snapshot_thread *th = p->view->pane == PANE_THREADS ? view_thread(p->view, p->s) : NULL;

	t->group = view_group(p->view, p->s);
	t->tid = th ? th->tid : 0;
	if (t->group >= 0)
		return true;
	view_say(p->view, "no thread is selected: Up and Down select one");
	return false;
}

static void step_nice(struct press *p, int steps)
{
	struct target t;

	if (find_target(p, &t))
		press_send(p, (struct command){.kind = t.tid ? COMMAND_THREAD_NICE : COMMAND_SET,
					       .group = t.group,
					       .knob = KNOB_NICE_VALUE,
					       .value = steps,
					       .relative = true,
					       .tid = t.tid});
}

static void open_prompt(struct press *p, enum knob k, int group, pid_t tid)
{
	p->view->mode = MODE_PROMPT;
	p->view->prompt = (struct view_prompt){.knob = k, .group = group, .tid = tid};
}

void press_select_thread(struct press *p, long to)
{
	size_t *list = calloc(p->s->nthreads + 1, sizeof(*list));
	size_t total = list ? view_threads(p->view, p->s, list, p->s->nthreads) : 0;

	if (to >= (long)total)
		to = (long)total - 1;
	if (total)
		view_select(p->view, &p->s->threads[list[to < 0 ? 0 : to]]);
	free(list);
}

void press_move(struct press *p, int by)
{
	struct view *v = p->view;

	if (v->pane == PANE_THREADS)
		press_select_thread(p, view_selected(v, p->s) + by);
	else if (v->pane == PANE_VERDICT)
		view_walk_verdicts(v, p->s, by);
	else if (view_knob(p->s, v->pane, v->row[v->pane] + by))
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
	const struct view_knob *k = selected_knob(p);
	struct target t;

	if (!k) {
		if (!find_target(p, &t))
			return;
		open_prompt(p, KNOB_NICE_VALUE, t.group, t.tid);
	} else if (knob_info(k->knob)->type == KNOB_IOPRIO || knob_info(k->knob)->type == KNOB_CHOICE) {
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

void press_fix(struct press *p, enum verdict_fix fix)
{
	const struct snapshot_verdict *v = view_verdict(p->view, p->s, NULL);

	if (!v)
		view_say(p->view, "there is no verdict to mend");
	else if (verdict_fix_elevator(fix) && p->s->disk.shared)
		menu_open_elevator(p, verdict_fix_elevator(fix));
	else if (fix == FIX_NONE)
		view_say(p->view, "nicelab cannot mend this by itself: %s", v->remedy);
	else
		press_send(p, (struct command){.kind = COMMAND_FIX,
					       .group = v->group,
					       .tid = v->tid,
					       .what = (int)v->what,
					       .value = (long)fix});
}

static void do_fix(struct press *p)
{
	const struct snapshot_verdict *v = view_verdict(p->view, p->s, NULL);

	press_fix(p, v ? v->fix : FIX_NONE);
}

static void do_detail(struct press *p)
{
	p->view->action = 0;
	if (view_verdict(p->view, p->s, NULL))
		p->view->mode = MODE_VERDICT;
	else
		view_say(p->view, "there is no verdict: every asked priority holds");
}

static void do_theory(struct press *p)
{
	p->view->mode = MODE_THEORY;
}

/* A knob of the selected group. */
static void step_group(struct press *p, enum knob k, int steps)
{
	int group = view_group(p->view, p->s);

	if (group >= 0)
		press_send(p, (struct command){.kind = COMMAND_SET,
					       .group = group,
					       .knob = k,
					       .value = steps,
					       .relative = true});
}

static void do_policy(struct press *p)
{
	step_group(p, KNOB_POLICY, 1);
}

static void do_session_raise(struct press *p)
{
	step_group(p, KNOB_SESSION_NICE, -1);
}

static void do_session_lower(struct press *p)
{
	step_group(p, KNOB_SESSION_NICE, 1);
}

static void do_user(struct press *p)
{
	step_lab(p, KNOB_USER, 1);
}

static void do_nice(struct press *p)
{
	struct target t;

	if (find_target(p, &t))
		open_prompt(p, KNOB_NICE_VALUE, t.group, t.tid);
}

static void do_ionice(struct press *p)
{
	struct target t;

	if (find_target(p, &t))
		menu_open(p, MENU_IONICE, t.group, t.tid);
}

static void open_kinds(struct press *p, bool is_victim)
{
	int group = snapshot_group_of(p->s, is_victim);

	if (group >= 0)
		menu_open(p, is_victim ? MENU_VICTIM_KIND : MENU_HOG_KIND, group, 0);
}

static void do_hog_kind(struct press *p)
{
	open_kinds(p, false);
}

static void do_victim_kind(struct press *p)
{
	open_kinds(p, true);
}

static void do_elevator(struct press *p)
{
	if (p->s->disk.may_set)
		menu_open(p, MENU_ELEVATOR, -1, 0);
	else if (p->s->disk.known && p->s->disk.device >= 0)
		view_say(p->view, "only root can set the elevator of %s",
			 p->s->disk.below.levels[p->s->disk.device].name);
	else
		view_say(p->view, "no device is known here whose elevator could be set");
}

static void do_disk(struct press *p)
{
	p->view->mode = MODE_DISK;
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
	p->view->prompt = (struct view_prompt){.is_filter = true, .length = strlen(p->view->filter)};
	memcpy(p->view->prompt.typed, p->view->filter, sizeof(p->view->filter));
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
