/* The terminal: taken, given back, and given back too when things go wrong. One terminal a process. */
#ifndef NICELAB_UI_TERM_H
#define NICELAB_UI_TERM_H

#include "load/stage.h"
#include "ui/canvas.h"

struct term_options {
	bool ascii, no_color;
	const char *theme;
	bool headless; /* no terminal: draws into memory, for --dump-screen */
	int cols, rows; /* of the headless screen */
};

/* Whether there is a terminal that can be opened; says why not. Asked before any worker is started. */
bool term_is_usable(const struct term_options *o, char *why, size_t size);

/* Opens the terminal and prepares the canvas. 0, or -ENOTTY (not a terminal), -ENOTSUP (the terminal cannot move its
 * cursor), with the words for it in why. */
int term_open(const struct term_options *o, struct canvas *c, char *why, size_t size);

/* Gives the terminal back. */
void term_close(void);

/* How to give it back from outside, for the stage. Only after term_open. */
void term_describe(struct stage_terminal *t);

/* The next key or KEY_MOUSE, TERM_NO_KEY for something typed that is no key of nicelab, or -1 for none. Never waits. */
#define TERM_NO_KEY 0x10000
int term_key(void);

/* The signals that end the program. */
#define TERM_QUIT_SIGNALS 4
extern const int term_quit_signals[TERM_QUIT_SIGNALS];

/* Sends what was drawn to the terminal. Returns 0, or the signal that came meanwhile and shall end the program. */
int term_refresh(void);

/* True after end-of-file on the terminal. */
bool term_hung_up(void);

/* Follows the terminal's size; call after SIGWINCH and after a suspension. */
void term_resize(const struct term_options *o, struct canvas *c);

/* Leaves the terminal, stops this process as ^Z does, and takes the terminal again after fg. If a signal that ends the
 * program is pending then, the terminal is left alone. */
void term_suspend(void);

/* Takes the terminal again after the process was continued. */
void term_retake(void);

/* Writes the screen as text, one line a row, trailing blanks cut. 0 or -errno. */
int term_dump(const struct canvas *c, const char *path);

#endif
