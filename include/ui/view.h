/* What the person has selected, opened and typed: the state of the screen beside the snapshot. Plain data, owned by the
 * UI thread; drawing reads it, keys change it. */
#ifndef NICELAB_UI_VIEW_H
#define NICELAB_UI_VIEW_H

#include "lab/command.h"
#include "lab/snapshot.h"
#include "ui/canvas.h"
#include "ui/layout.h"

enum view_pane { PANE_HOGS, PANE_VICTIM, PANE_THREADS, PANE_VERDICT, PANE_COUNT };
enum view_mode { MODE_NORMAL, MODE_HELP, MODE_MENU, MODE_PROMPT, MODE_VERDICT, MODE_THEORY, MODE_DISK };
enum view_menu { MENU_IONICE, MENU_HOG_KIND, MENU_VICTIM_KIND, MENU_ELEVATOR };

#define VIEW_KNOB_ROWS 14
#define VIEW_TYPED 32

struct view_prompt {
	bool is_filter; /* else a value for a knob */
	enum knob knob;
	int group; /* of the command */
	pid_t tid; /* above 0: for this thread alone */
	size_t length;
	bool refused; /* what was typed does not do */
	char typed[VIEW_TYPED];
};

/* A thread as a person means it: hog-3 stays hog-3 when it is replaced. All zero: none was selected yet, the first. */
struct view_thread_id {
	bool chosen;
	int group;
	unsigned ordinal, index;
	pid_t tid; /* counts only where index is 0 */
};

/* A verdict as it stays the same while its figures change. All zero: none was selected, the first. */
struct view_verdict_id {
	bool chosen;
	unsigned rule;
	enum facts_what what;
	int group;
};

struct view {
	enum view_pane pane;
	int row[PANE_COUNT]; /* selected knob of hogs and victim */
	struct view_thread_id sel; /* the selected thread */
	struct view_verdict_id verdict; /* the selected verdict */
	int action; /* selected row of the actions in the verdict's overlay */
	int scroll; /* first visible thread */
	int page; /* visible threads, set by drawing */
	bool hide_hogs;
	char filter[VIEW_TYPED];
	enum view_mode mode;
	int help_scroll;
	enum view_menu menu;
	int menu_row;
	bool menu_confirm; /* Enter was pressed once, on what is asked about once */
	struct view_prompt prompt;
	char message[SNAPSHOT_TEXT];
	uint64_t message_at, message_until; /* CLOCK_MONOTONIC */
	bool quit, suspend, redraw;
};

/* A knob's place in the two knob panes: tables in view.c. What stands first depends on whether the group uses the disk. */
struct view_knob {
	enum knob knob;
	bool of_lab; /* else of the pane's group */
};
const struct view_knob *view_knob(const struct snapshot *s, enum view_pane pane, int row);

/* Its name there: "depth" for the threads of a group that uses the disk. */
const char *view_knob_name(const struct snapshot *s, enum view_pane pane, const struct view_knob *k);

/* Whether the pane's group uses the disk. */
bool view_uses_disk(const struct snapshot *s, enum view_pane pane);

/* The group whose knobs a pane shows; for the threads pane, that of the selected thread. -1: there is none. */
int view_group(const struct view *v, const struct snapshot *s);

/* The value of a knob of a pane. */
long view_knob_value(const struct snapshot *s, enum view_pane pane, const struct view_knob *k);

/* The threads that are shown, as indices into the snapshot, in order. Returns how many; out may be NULL. */
size_t view_threads(const struct view *v, const struct snapshot *s, size_t *out, size_t max);

/* The index among the shown threads of the selected one; -1 where it is gone or hidden. */
long view_selected(const struct view *v, const struct snapshot *s);

void view_select(struct view *v, const struct snapshot_thread *t);

/* The snapshot's thread that is selected, or NULL: gone, hidden, or there is none. */
const struct snapshot_thread *view_thread(const struct view *v, const struct snapshot *s);

/* The verdict that is shown: the selected one, or the first where that is gone; its place among all. NULL: there is none. */
const struct snapshot_verdict *view_verdict(const struct view *v, const struct snapshot *s, size_t *place);

/* Goes to the next one (by +1 or -1), round the end. */
void view_walk_verdicts(struct view *v, const struct snapshot *s, int by);

void view_say(struct view *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Draws everything. */
void view_draw(const struct canvas *c, struct view *v, const struct snapshot *s);

/* One key or mouse event: changes the view, and sends commands through send. */
struct view_sink {
	int (*send)(void *context, const struct command *c);
	void *context;
};
void view_key(struct view *v, const struct snapshot *s, int key, const struct view_sink *sink);
void view_click(struct view *v, const struct snapshot *s, const struct layout *l, int row, int col);
void view_wheel(struct view *v, const struct snapshot *s, int direction);

#endif
