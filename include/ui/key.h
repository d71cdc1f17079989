/* Keys by name: "F8", "Up", "S-Tab", "Enter", "Esc", "Space", "^L", or the character itself. Pure; any thread. */
#ifndef NICELAB_UI_KEY_H
#define NICELAB_UI_KEY_H

#include <stddef.h>

#define KEY_CODE_ESC 27
#define KEY_CODE_ENTER '\n'

/* The key code (as of ncurses) of a token of len bytes, or -1. */
int key_parse(const char *token, size_t len);

/* A script of keys for --keys: tokens separated by blanks; "@1.5" waits 1.5 s. Steps through it. */
struct key_step {
	int key; /* the key, or -1 */
	double wait_s; /* to wait, where key is -1 */
};

/* Reads the next step and moves *script past it. 1, 0 (at the end) or -EINVAL (not a key: *script stays at it). */
int key_script_next(const char **script, struct key_step *step);

#endif
