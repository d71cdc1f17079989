/* What a key means while something is open: a value being typed, the I/O menu, the help; and what the mouse may do. */
#include "ui/commands.h"
#include "ui/key.h"
#include "ui/press.h"

#include <ctype.h>
#include <stdio.h>

/* What was typed or chosen goes to the group's knob or to one thread. */
static void send_value(struct press *p, long value)
{
	const struct view_prompt *q = &p->view->prompt;
	struct command c = {
		.kind = COMMAND_SET, .group = q->group, .knob = q->knob, .value = value, .tid = q->tid};

	if (q->tid)
		c.kind = q->knob == KNOB_IONICE ? COMMAND_THREAD_IOPRIO : COMMAND_THREAD_NICE;
	press_send(p, c);
}

/* A value that does not do stays open to be mended, with the reason beside it. */
static void prompt_enter(struct press *p)
{
	struct view *v = p->view;
	struct view_prompt *q = &v->prompt;
	long value;

	if (q->is_filter)
		snprintf(v->filter, sizeof(v->filter), "%s", q->typed);
	else if (q->length && knob_parse(q->knob, q->typed, &value) < 0) {
		q->refused = true;
		return;
	} else if (q->length)
		send_value(p, value);
	v->mode = MODE_NORMAL;
}

void press_prompt_key(struct press *p)
{
	struct view_prompt *q = &p->view->prompt;
	bool bytes = !q->is_filter && knob_info(q->knob)->type == KNOB_BYTES;
	bool takes = q->is_filter ? p->key >= ' ' && p->key < 127
				  : p->key > 0 && p->key < 127 &&
					    (isdigit(p->key) || p->key == '-' ||
					     (bytes && (isalpha(p->key) || p->key == '.')));

	q->refused = false;
	if (p->key == KEY_CODE_ESC)
		p->view->mode = MODE_NORMAL;
	else if (p->key == KEY_CODE_ENTER)
		prompt_enter(p);
	else if (p->key == KEY_BACKSPACE || p->key == 127 || p->key == '\b') {
		if (q->length)
			q->typed[--q->length] = '\0';
	} else if (takes && q->length + 1 < sizeof(q->typed)) {
		q->typed[q->length++] = (char)p->key;
		q->typed[q->length] = '\0';
	}
}

static void help_key(struct press *p)
{
	int command = ui_command_of_key(p->key);

	if (command == UI_UP || command == UI_PAGE_UP)
		p->view->help_scroll -= command == UI_UP ? 1 : 8;
	else if (command == UI_DOWN || command == UI_PAGE_DOWN)
		p->view->help_scroll += command == UI_DOWN ? 1 : 8;
	else if (command == UI_HELP || command == UI_CANCEL || command == UI_QUIT)
		p->view->mode = MODE_NORMAL;
}

/* Up and Down choose an action, Left and Right walk the verdicts, Enter does it. */
static void verdict_key(struct press *p)
{
	struct view *v = p->view;
	const struct snapshot_verdict *now = view_verdict(v, p->s, NULL);
	int command = ui_command_of_key(p->key),
	    actions = now ? (now->fix != FIX_NONE) + (now->other_fix != FIX_NONE) : 0;

	if (command == UI_LESS || command == UI_MORE)
		view_walk_verdicts(v, p->s, command == UI_MORE ? 1 : -1);
	else if (command == UI_UP && v->action > 0)
		v->action--;
	else if (command == UI_DOWN && v->action + 1 < actions)
		v->action++;
	else if (command == UI_CANCEL || command == UI_QUIT || (command == UI_DETAIL && !actions))
		v->mode = MODE_NORMAL;
	else if (command == UI_DETAIL || command == UI_FIX) {
		v->mode = MODE_NORMAL;
		press_fix(p, !now ? FIX_NONE : v->action == 1 ? now->other_fix : now->fix);
	}
}

/* The lab can be turned while the arithmetic is shown: only what closes it, or opens something else, is taken here. */
static void theory_key(struct press *p)
{
	int command = ui_command_of_key(p->key);

	if (command == UI_THEORY || command == UI_CANCEL || command == UI_QUIT)
		p->view->mode = MODE_NORMAL;
	else
		press_command(p, command);
}

static void disk_key(struct press *p)
{
	int command = ui_command_of_key(p->key);

	if (command == UI_DISK || command == UI_CANCEL || command == UI_QUIT)
		p->view->mode = MODE_NORMAL;
	else
		press_command(p, command);
}

static void normal_key(struct press *p)
{
	p->view->message[0] = '\0'; /* it answered the key before */
	press_command(p, ui_command_of_key(p->key));
}

void view_key(struct view *v, const struct snapshot *s, int key, const struct view_sink *sink)
{
	static void (*const modes[])(struct press * p) = {
		[MODE_NORMAL] = normal_key,	  [MODE_HELP] = help_key,	[MODE_MENU] = press_menu_key,
		[MODE_PROMPT] = press_prompt_key, [MODE_VERDICT] = verdict_key, [MODE_THEORY] = theory_key,
		[MODE_DISK] = disk_key,
	};
	struct press p = {v, s, sink, key == '\r' || key == KEY_ENTER ? KEY_CODE_ENTER : key};
	int command = ui_command_of_key(p.key);

	/* These mean the same whatever is open; ^C always quits. */
	if (command == UI_REDRAW || command == UI_SUSPEND || key == ('C' & 0x1f))
		press_command(&p, command);
	else
		modes[v->mode](&p);
}

void view_click(struct view *v, const struct snapshot *s, const struct layout *l, int row, int col)
{
	const struct rect *panes[] = {&l->hogs, &l->victim, &l->threads, &l->verdict};

	for (int i = 0; i < PANE_COUNT && v->mode == MODE_NORMAL; i++) {
		const struct rect *r = panes[i];
		int line = row - r->row - 1;

		if (!rect_contains(r, row, col))
			continue;
		v->pane = (enum view_pane)i;
		if (line < 0)
			return;
		if (i == PANE_VERDICT)
			view_walk_verdicts(v, s, 1);
		else if (i == PANE_THREADS) {
			struct press p = {.view = v, .s = s};
			press_select_thread(&p, v->scroll + line);
		} else {
			int rows = r->rows - 1, first = v->row[i] >= rows ? v->row[i] - rows + 1 : 0;
			if (view_knob(s, (enum view_pane)i, first + line))
				v->row[i] = first + line;
		}
	}
}

void view_wheel(struct view *v, const struct snapshot *s, int direction)
{
	struct press p = {.view = v, .s = s};

	if (v->mode == MODE_HELP)
		v->help_scroll += direction;
	else if (v->pane == PANE_VERDICT || v->mode == MODE_VERDICT)
		view_walk_verdicts(v, s, direction);
	else if (v->pane == PANE_THREADS)
		press_move(&p, direction * 3);
	else
		v->scroll += direction * 3;
}
