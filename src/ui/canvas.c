/* Drawing clipped text in named inks, with ASCII twins for every glyph. */
#include "ui/canvas.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#define TEXT_MAX 1024
#define MONO "mono"

/* Every non-ASCII glyph that the screen uses, and what stands for it. */
static const struct {
	uint32_t glyph;
	char twin;
} twins[] = {
	{0x2500, '-'}, /* ─ */
	{0x2501, '='}, /* ━ */
	{0x253c, '+'}, /* ┼ */
	{0x2502, '|'}, /* │ */
	{0x25b8, '>'}, /* ▸ */
	{0x25cf, 'o'}, /* ● */
	{0x25c6, '*'}, /* ◆ */
	{0x25b2, '^'}, /* ▲ */
	{0x25b4, '^'}, /* ▴ */
	{0x00b7, '.'}, /* · */
	{0x00d7, 'x'}, /* × */
	{0x00b5, 'u'}, /* µ */
	{0x2192, '>'}, /* → */
	{0x2013, '-'}, /* – */
	{0x2026, '~'}, /* … */
	{0x2588, '#'}, /* █ */
	{0x2581, '.'}, /* ▁ */
	{0x2582, '.'}, /* ▂ */
	{0x2583, '.'}, /* ▃ */
	{0x2584, ':'}, /* ▄ */
	{0x2585, ':'}, /* ▅ */
	{0x2586, ':'}, /* ▆ */
	{0x2587, '#'}, /* ▇ */
	{0x2591, '`'}, /* ░ */
	{0x2592, '%'}, /* ▒ */
};

static const struct ink_info {
	short dark, light, bg_dark, bg_light, eight;
	attr_t attr, mono;
} inks[INK_COUNT] = {
#define X(id, dark, light, bg_dark, bg_light, eight, attr, mono) \
	[id] = {dark, light, bg_dark, bg_light, eight, attr, mono},
	INKS(X)
#undef X
};

bool canvas_theme_exists(const char *theme)
{
	return strcmp(theme, "dark") == 0 || strcmp(theme, "light") == 0 || strcmp(theme, MONO) == 0;
}

/* The attributes of an ink on this terminal. */
static attr_t mix(int i, bool light)
{
	bool many = COLORS >= 256;
	short fg = many ? (light ? inks[i].light : inks[i].dark) : inks[i].eight;
	short bg = many ? (light ? inks[i].bg_light : inks[i].bg_dark) : -1;
	attr_t attr = bg >= 0 ? A_NORMAL : inks[i].attr;

	if ((fg >= 0 || bg >= 0) && init_pair((short)(i + 1), fg, bg) == OK)
		attr |= (attr_t)COLOR_PAIR(i + 1);
	return attr;
}

void canvas_init(struct canvas *c, WINDOW *win, bool ascii, bool color, const char *theme)
{
	bool light = strcmp(theme, "light") == 0;

	*c = (struct canvas){
		.win = win, .ascii = ascii, .color = color && has_colors() && strcmp(theme, MONO) != 0};
	getmaxyx(win, c->rows, c->cols);
	if (c->color) {
		start_color();
		use_default_colors();
	}
	for (int i = 0; i < INK_COUNT; i++)
		c->inks[i] = c->color ? mix(i, light) : inks[i].mono;
}

static wchar_t twin_of(uint32_t cp)
{
	for (size_t i = 0; i < sizeof(twins) / sizeof(twins[0]); i++)
		if (twins[i].glyph == cp)
			return (wchar_t)twins[i].twin;
	return cp < 128 ? (wchar_t)cp : L'?';
}

/* One code point of text; what cannot be decoded or is not printable becomes '?'. */
static size_t next_glyph(const char *text, size_t len, uint32_t *cp, int *width)
{
	size_t n = text_decode(text, len, cp);

	if (n == 0) {
		*cp = '?';
		n = 1;
	}
	*width = *cp < 0xa0 && *cp >= 0x7f ? -1 : wcwidth((wchar_t)*cp);
	if (*width < 0 && *cp >= 0xa0) /* a C locale knows no width: our glyphs are all one column */
		*width = 1;
	if (*width < 0) {
		*cp = '?';
		*width = 1;
	}
	return n;
}

int canvas_width(const char *text)
{
	size_t len = strlen(text);
	int used = 0;

	for (size_t i = 0; i < len;) {
		uint32_t cp;
		int w;
		i += next_glyph(text + i, len - i, &cp, &w);
		used += w;
	}
	return used;
}

int canvas_wrap(const char *text, int width)
{
	size_t len = strlen(text), last_blank = 0;
	int used = 0;

	for (size_t i = 0; i < len;) {
		uint32_t cp;
		int w;
		size_t n = next_glyph(text + i, len - i, &cp, &w);

		if (used + w > width)
			return (int)(last_blank ? last_blank : i ? i : n);
		if (cp == ' ')
			last_blank = i + n;
		used += w;
		i += n;
	}
	return (int)len;
}

static attr_t attributes(const struct canvas *c, int ink)
{
	return c->inks[ink & 0xff] | (ink & INK_BOLD ? A_BOLD : 0) | (ink & INK_REVERSE ? A_REVERSE : 0);
}

static int put(const struct canvas *c, int row, int col, int width, int ink, const char *text)
{
	size_t len = strlen(text);
	int used = 0;

	if (row < 0 || row >= c->rows)
		return 0;
	if (width > c->cols - col)
		width = c->cols - col;
	wattrset(c->win, (int)attributes(c, ink));
	for (size_t i = 0; i < len;) {
		wchar_t glyph[2] = {0};
		uint32_t cp;
		int w;

		i += next_glyph(text + i, len - i, &cp, &w);
		if (used + w > width)
			break;
		if (w == 0 && c->ascii) /* a combining mark has no twin */
			continue;
		glyph[0] = c->ascii ? twin_of(cp) : (wchar_t)cp;
		if (col + used >= 0)
			mvwaddnwstr(c->win, row, col + used, glyph, 1);
		used += w;
	}
	wattrset(c->win, A_NORMAL);
	return used;
}

int canvas_text(const struct canvas *c, int row, int col, int width, int ink, const char *fmt, ...)
{
	char text[TEXT_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return put(c, row, col, width, ink, text);
}

int canvas_text_right(const struct canvas *c, int row, int end, int width, int ink, const char *fmt, ...)
{
	char text[TEXT_MAX];
	va_list ap;
	int w;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	w = canvas_width(text);
	w = w < width ? w : width;
	put(c, row, end - w, w, ink, text);
	return end - w;
}

void canvas_repeat(const struct canvas *c, int row, int col, int count, int ink, const char *glyph)
{
	for (int i = 0; i < count; i++)
		put(c, row, col + i, 1, ink, glyph);
}

void canvas_title(const struct canvas *c, const struct rect *r, int ink, const char *title, const char *right)
{
	int end = r->col + r->cols, used;

	canvas_repeat(c, r->row, r->col, r->cols, INK_DIM, "─");
	used = canvas_text(c, r->row, r->col + 1, r->cols - 2, ink | INK_BOLD, " %s ", title);
	if (right[0] && canvas_width(right) + used + 6 <= r->cols)
		canvas_text_right(c, r->row, end - 1, r->cols, INK_DIM, " %s ", right);
}

const char *canvas_eighth(int eighths)
{
	static const char *const glyphs[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

	return glyphs[eighths < 0 ? 0 : eighths > 8 ? 8 : eighths];
}
