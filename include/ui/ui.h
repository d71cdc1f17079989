/* The screen over a running lab, and the same without a terminal. */
#ifndef NICELAB_UI_UI_H
#define NICELAB_UI_UI_H

#include "lab/lab.h"
#include "ui/term.h"

struct ui_options {
	struct term_options term;
	const char *keys; /* a script of keys that are pressed first (ui/key.h), or NULL */
	const char *dump; /* headless: where the screen goes after the last key, "-" for standard output */
};

/* Runs until the person quits, the keys are used up (headless), or a signal ends it. The terminal is open before and is
 * closed after. Returns the exit status; *ended_by gets the signal that ended it, or 0. */
int ui_run(struct lab *lab, struct canvas *c, const struct ui_options *o, int *ended_by);

#endif
