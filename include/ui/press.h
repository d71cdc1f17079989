/* One key press on its way through the handlers. Private to ui/. */
#ifndef NICELAB_UI_PRESS_H
#define NICELAB_UI_PRESS_H

#include "ui/view.h"

struct press {
	struct view *view;
	const struct snapshot *s;
	const struct view_sink *sink; /* NULL for mouse events: they send nothing */
	int key;
};

/* keys.c */
void press_command(struct press *p, int command); /* runs the handler; nothing for -1 */
void press_send(struct press *p, struct command c);
void press_move(struct press *p, int by);
void press_fix(struct press *p, enum verdict_fix fix);
void press_select_thread(struct press *p, long to);

/* menu.c */
void menu_open(struct press *p, enum view_menu menu, int group, pid_t tid);
void menu_open_elevator(struct press *p, const char *name); /* with that one chosen: Enter twice sets it */
void press_menu_key(struct press *p);

/* modes.c */
void press_prompt_key(struct press *p);

#endif
