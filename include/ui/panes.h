/* The panes: each draws its rectangle from the snapshot and the view, and nothing else. Private to ui/. */
#ifndef NICELAB_UI_PANES_H
#define NICELAB_UI_PANES_H

#include "ui/view.h"

void pane_header(const struct canvas *c, const struct rect *r, const struct snapshot *s);
void pane_knobs(const struct canvas *c, const struct rect *r, const struct view *v, const struct snapshot *s,
		enum view_pane pane);
void pane_effect(const struct canvas *c, const struct rect *r, const struct snapshot *s);
void pane_disk(const struct canvas *c, const struct rect *r, const struct snapshot *s);
void pane_latency(const struct canvas *c, const struct rect *r, const struct snapshot *s);
void pane_timeline(const struct canvas *c, const struct rect *r, const struct snapshot *s);
void pane_threads(const struct canvas *c, const struct rect *r, struct view *v, const struct snapshot *s);
void pane_verdict(const struct canvas *c, const struct rect *r, const struct view *v,
		  const struct snapshot *s);

/* has_bar: verdicts are shown in a pane of their own; else the status line tells of them. */
void pane_status(const struct canvas *c, const struct rect *r, const struct view *v, const struct snapshot *s,
		 bool has_bar);
void pane_footer(const struct canvas *c, const struct rect *r, const struct view *v,
		 const struct snapshot *s);
void overlay_help(const struct canvas *c, struct view *v);
void overlay_menu(const struct canvas *c, const struct view *v, const struct snapshot *s);
void overlay_disk(const struct canvas *c, const struct snapshot *s);
void overlay_verdict(const struct canvas *c, struct view *v, const struct snapshot *s);
void overlay_theory(const struct canvas *c, const struct snapshot *s);

/* The predicted slowdown: "×206", a range "×7.0-8.0", or "~×7.5" where there is no room for it; buf stays as it is where it is not known. */
void theory_words(char *buf, size_t size, const struct snapshot_latency *l, int cols);

/* "class, no levels"; "busy 99 % · in flight 3.0 · 865 MB/s"; "vda1 on vda mq-deadline (class, no levels)". Return buf. */
const char *disk_honours_words(enum block_honours h);
char *disk_use_words(char *buf, size_t size, const struct disk_use *u);
char *disk_level_words(char *buf, size_t size, const struct block_level *l, bool honours);

/* An empty framed area in the middle of the screen, of at most these rows and columns, with a title. */
struct rect overlay_frame(const struct canvas *c, int rows, int cols, const char *title);

/* Text in lines of at most r->cols columns from a row of the rectangle on, at most `most` lines; what is cut ends in "...". Returns the
 * lines used. */
int canvas_paragraph(const struct canvas *c, const struct rect *r, int row, int most, int ink,
		     const char *text);

/* "victim", "hogs, 6 threads": whom a verdict concerns. Returns buf. */
char *verdict_whom(char *buf, size_t size, const struct snapshot *s, const struct snapshot_verdict *v);

/* The ink of a status and of a role. */
int ink_of_status(enum status s);
int ink_of_role(bool is_victim);

/* The first victim group, or NULL. */
const struct snapshot_group *first_victim(const struct snapshot *s);

#endif
