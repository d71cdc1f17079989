/* The frame of overlays, and the help, made from the table of keys. */
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

struct rect overlay_frame(const struct canvas *c, int rows, int cols, const char *title)
{
	struct rect r = centred(c, rows, cols);

	frame(c, &r, title);
	return r;
}

/* Draws line `line` of the help, counted over all wrapped lines, at a row; row below 0 only counts. Returns how many lines
 * there are in all. */
static int help_line(const struct canvas *c, const struct rect *r, int line, int row)
{
	int width = r->cols - HELP_KEYS - 4, n = 0;

	for (int i = 0; i < UI_COMMAND_COUNT; i++) {
		const struct ui_command_info *info = ui_command((enum ui_command)i);
		const char *rest = info->what;
		for (bool first = true; *rest; first = false, n++) {
			int len = canvas_wrap(rest, width);
			if (n == line && row >= 0) {
				canvas_text(c, row, r->col + 2, HELP_KEYS - 1, INK_STRONG, "%s",
					    !first		   ? ""
					    : info->keys[0] == '0' ? "digits"
								   : info->keys);
				canvas_text(c, row, r->col + 2 + HELP_KEYS, width, INK_TEXT, "%.*s", len,
					    rest);
			}
			rest += len;
		}
	}
	return n;
}

void overlay_help(const struct canvas *c, struct view *v)
{
	struct rect wide = centred(c, c->rows, 100);
	int lines = help_line(c, &wide, -1, -1);
	struct rect r = centred(c, lines + 2, 100);
	int visible = r.rows - 2, last = lines - visible;

	if (v->help_scroll > last)
		v->help_scroll = last;
	if (v->help_scroll < 0)
		v->help_scroll = 0;
	frame(c, &r, last > 0 ? "Keys · Up and Down scroll, F1 or Esc closes" : "Keys · F1 or Esc closes");
	for (int i = 0; i < visible; i++)
		help_line(c, &r, v->help_scroll + i, r.row + 1 + i);
}
