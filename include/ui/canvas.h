/* Drawing: clipped text in named inks on an ncurses window. Text is UTF-8; where the screen is ASCII, each glyph that
 * nicelab uses has an ASCII twin of the same width. Only the UI thread. */
#ifndef NICELAB_UI_CANVAS_H
#define NICELAB_UI_CANVAS_H

#include <curses.h>
#include <stdbool.h>
#include <stddef.h>

/* The inks, one table: X(ink, colour of 256 on dark, on light, background on dark, on light, colour of 8, attributes with
 * 8 colours or more, attributes without colour); -1 is the terminal's own. An ink with a background has the attributes only
 * where there are fewer than 256 colours. Hogs are orange, victims blue, theory purple: hues that red-green blind people
 * tell apart (after Okabe and Ito). */
#define INKS(X)                                                           \
	X(INK_TEXT, -1, -1, -1, -1, -1, A_NORMAL, A_NORMAL)               \
	X(INK_DIM, 245, 242, -1, -1, -1, A_NORMAL, A_NORMAL)              \
	X(INK_STRONG, -1, -1, -1, -1, -1, A_BOLD, A_BOLD)                 \
	X(INK_HOG, 214, 130, -1, -1, COLOR_YELLOW, A_NORMAL, A_NORMAL)    \
	X(INK_VICTIM, 75, 25, -1, -1, COLOR_CYAN, A_NORMAL, A_NORMAL)     \
	X(INK_THEORY, 176, 90, -1, -1, COLOR_MAGENTA, A_NORMAL, A_NORMAL) \
	X(INK_GOOD, 79, 29, -1, -1, COLOR_GREEN, A_NORMAL, A_NORMAL)      \
	X(INK_WARNING, 221, 94, -1, -1, COLOR_YELLOW, A_BOLD, A_BOLD)     \
	X(INK_BAD, 203, 160, -1, -1, COLOR_RED, A_BOLD, A_BOLD)           \
	X(INK_BAR, 254, 235, 237, 253, -1, A_REVERSE, A_REVERSE)          \
	X(INK_KEY, 254, 235, 240, 250, -1, A_REVERSE, A_REVERSE)

enum ink {
#define X(id, dark, light, bg_dark, bg_light, eight, attr, mono) id,
	INKS(X)
#undef X
		INK_COUNT
};

/* Added to an ink. */
#define INK_BOLD 0x100
#define INK_REVERSE 0x200

struct canvas {
	WINDOW *win;
	int rows, cols;
	bool ascii, color;
	attr_t inks[INK_COUNT];
};

struct rect {
	int row, col, rows, cols;
};

/* Names of the themes, for messages: "dark, light, mono". */
bool canvas_theme_exists(const char *theme);

/* Prepares the inks for the terminal that is open: 256 colours, 8, or none. theme: dark, light or mono. */
void canvas_init(struct canvas *c, WINDOW *win, bool ascii, bool color, const char *theme);

/* Draws formatted text of at most `width` columns; returns the columns used. Text outside the canvas is cut. */
int canvas_text(const struct canvas *c, int row, int col, int width, int ink, const char *fmt, ...)
	__attribute__((format(printf, 6, 7)));

/* The same, right-aligned so that it ends before column `end`; returns its first column. */
int canvas_text_right(const struct canvas *c, int row, int end, int width, int ink, const char *fmt, ...)
	__attribute__((format(printf, 6, 7)));

/* Repeats one glyph. */
void canvas_repeat(const struct canvas *c, int row, int col, int count, int ink, const char *glyph);

/* A pane's title rule: "── title ───────── right ──" over the width of the rectangle. */
void canvas_title(const struct canvas *c, const struct rect *r, int ink, const char *title,
		  const char *right);

/* The width of UTF-8 text in columns. */
int canvas_width(const char *text);

/* How many bytes of text make its first line of at most `width` columns, broken after a blank where there is one; at
 * least one character. */
int canvas_wrap(const char *text, int width);

/* Filling of a cell from below in eighths: 0 is blank, 8 the full block. In ASCII, '.', ':' and '#'. */
const char *canvas_eighth(int eighths);

#endif
