/* The overlays: help, made from the table of keys, and the menu of I/O priorities. */
#include "ui/commands.h"
#include "ui/panes.h"

#include <stdio.h>
#include <string.h>

#define HELP_KEYS 13

static struct rect centred(const struct canvas *c, int rows, int cols)
{
	rows = rows > c->rows ? c->rows : rows;
	cols = cols > c->cols ? c->cols : cols;
	return (struct rect){(c->rows - rows) / 2, (c->cols - cols) / 2, rows, cols};
}

/* An empty framed area. */
static void frame(const struct canvas *c, const struct rect *r, const char *title)
{
	for (int y = 0; y < r->rows; y++)
		canvas_repeat(c, r->row + y, r->col, r->cols, INK_TEXT, " ");
	canvas_title(c, r, INK_STRONG, title, "");
	for (int y = 1; y < r->rows - 1; y++) {
		canvas_text(c, r->row + y, r->col, 1, INK_DIM, "│");
		canvas_text(c, r->row + y, r->col + r->cols - 1, 1, INK_DIM, "│");
	}
	canvas_repeat(c, r->row + r->rows - 1, r->col, r->cols, INK_DIM, "─");
}

void overlay_help(const struct canvas *c, struct view *v)
{
	struct rect r = centred(c, UI_COMMAND_COUNT + 2, 100);
	int visible = r.rows - 2, last = UI_COMMAND_COUNT - visible;
	char title[80];

	if (v->help_scroll > last)
		v->help_scroll = last;
	if (v->help_scroll < 0)
		v->help_scroll = 0;
	snprintf(title, sizeof(title), "Keys · %s",
		 last > 0 ? "Up and Down scroll, F1 or Esc closes" : "F1 or Esc closes");
	frame(c, &r, title);
	for (int i = 0; i < visible && v->help_scroll + i < UI_COMMAND_COUNT; i++) {
		const struct ui_command_info *info = ui_command((enum ui_command)(v->help_scroll + i));
		const char *keys = info->keys[0] == '0' ? "digits" : info->keys;
		canvas_text(c, r.row + 1 + i, r.col + 2, HELP_KEYS, INK_STRONG, "%s", keys);
		canvas_text(c, r.row + 1 + i, r.col + 2 + HELP_KEYS, r.cols - HELP_KEYS - 4, INK_TEXT, "%s",
			    info->what);
	}
}

static const char *class_words(int raw)
{
	switch (ioprio_unpack(raw).io_class) {
	case IOCLASS_RT:
		return "real time, needs a privilege";
	case IOCLASS_BE:
		return "best effort";
	case IOCLASS_IDLE:
		return "only when nobody else wants the disk";
	default:
		return "follows the nice value";
	}
}

void overlay_ionice(const struct canvas *c, const struct view *v)
{
	struct rect r = centred(c, IOPRIO_CHOICES + 2, 52);
	int visible = r.rows - 2, first = v->menu_row >= visible ? v->menu_row - visible + 1 : 0;

	frame(c, &r, "I/O priority · Enter sets, Esc cancels");
	for (int i = 0; i < visible && first + i < IOPRIO_CHOICES; i++) {
		bool on = first + i == v->menu_row;
		char name[16];
		ioprio_format(name, sizeof(name), ioprio_choice(first + i));
		canvas_text(c, r.row + 1 + i, r.col + 2, 2, INK_STRONG, "%s", on ? "▸" : " ");
		canvas_text(c, r.row + 1 + i, r.col + 4, 6, on ? INK_STRONG : INK_TEXT, "%s", name);
		canvas_text(c, r.row + 1 + i, r.col + 11, r.cols - 13, INK_DIM, "%s",
			    class_words(ioprio_choice(first + i)));
	}
}
