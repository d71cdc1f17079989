/* The panes: each draws its rectangle from the snapshot and the view, and nothing else. Private to ui/. */
#ifndef NICELAB_UI_PANES_H
#define NICELAB_UI_PANES_H

#include "ui/view.h"

void pane_header(const struct canvas *c, const struct rect *r, const struct snapshot *s);
void pane_knobs(const struct canvas *c, const struct rect *r, const struct view *v, const struct snapshot *s,
		enum view_pane pane);
void pane_effect(const struct canvas *c, const struct rect *r, const struct snapshot *s);
void pane_latency(const struct canvas *c, const struct rect *r, const struct snapshot *s);
void pane_timeline(const struct canvas *c, const struct rect *r, const struct snapshot *s);
void pane_threads(const struct canvas *c, const struct rect *r, struct view *v, const struct snapshot *s);
void pane_status(const struct canvas *c, const struct rect *r, const struct view *v,
		 const struct snapshot *s);
void pane_footer(const struct canvas *c, const struct rect *r, const struct view *v,
		 const struct snapshot *s);
void overlay_help(const struct canvas *c, struct view *v);
void overlay_ionice(const struct canvas *c, const struct view *v);

/* The ink of a status and of a role. */
int ink_of_status(enum status s);
int ink_of_role(bool is_victim);

/* The first victim group, or NULL. */
const struct snapshot_group *first_victim(const struct snapshot *s);

#endif
