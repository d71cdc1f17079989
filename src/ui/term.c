/* The terminal. A crash gives it back too: with the strings that were fetched when it was taken, since ncurses may not be
 * called from a signal handler. */
#include "ui/term.h"

#include <errno.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>

#define ESCAPE_DELAY_MS 25
#define HEADLESS_TERM "xterm-256color"

static struct {
	bool open, headless, hung_up;
	SCREEN *screen;
	FILE *null;
	WINDOW *input; /* a pad: reading from it never draws */
	struct stage_terminal restore;
} term;

static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

/* Async-signal-safe: only tcsetattr and write. */
static void give_back(void)
{
	size_t done = 0;

	tcsetattr(STDIN_FILENO, TCSANOW, &term.restore.saved);
	while (done < term.restore.length) {
		ssize_t n = write(STDOUT_FILENO, term.restore.bytes + done, term.restore.length - done);
		if (n <= 0)
			break;
		done += (size_t)n;
	}
}

static void on_crash(int sig)
{
	if (term.open && !term.headless)
		give_back();
	signal(sig, SIG_DFL);
	raise(sig);
}

static void catch_crashes(bool on)
{
	struct sigaction sa = {.sa_handler = on ? on_crash : SIG_DFL};

	for (size_t i = 0; i < sizeof(crash_signals) / sizeof(crash_signals[0]); i++)
		sigaction(crash_signals[i], &sa, NULL);
}

static void add_restore(const char *capability)
{
	const char *s = tigetstr(capability);
	size_t len;

	if (!s || s == (char *)-1)
		return;
	len = strlen(s);
	if (term.restore.length + len > sizeof(term.restore.bytes))
		return;
	memcpy(term.restore.bytes + term.restore.length, s, len);
	term.restore.length += len;
}

/* Attributes off, cursor on, keypad off, the former screen back. The mouse reports are no terminfo capability. */
static void fetch_restore(void)
{
	static const char *const names[] = {"sgr0", "op", "cnorm", "rmkx", "rmcup"};
	static const char mouse_off[] = "\033[?1000l\033[?1006l";

	term.restore.length = 0;
	memcpy(term.restore.bytes, mouse_off, sizeof(mouse_off) - 1);
	term.restore.length = sizeof(mouse_off) - 1;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		add_restore(names[i]);
}

static bool is_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* What every screen needs; the terminal answers escape sequences slower than people press Esc. */
static void set_modes(void)
{
	raw();
	noecho();
	nonl();
	curs_set(0);
	term.input = newpad(1, 1);
	keypad(term.input, TRUE);
	nodelay(term.input, TRUE);
	set_escdelay(ESCAPE_DELAY_MS);
	mousemask(BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
	mouseinterval(0);
}

bool term_is_usable(const struct term_options *o, char *why, size_t size)
{
	const char *name = getenv("TERM");
	int status = 0;

	if (o->headless)
		return true;
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		snprintf(why, size, "not a terminal: nicelab live needs one on standard input and output");
		return false;
	}
	if (!name || !name[0] || setupterm(name, STDOUT_FILENO, &status) == ERR) {
		snprintf(why, size,
			 "unknown terminal: '%s': set TERM to what the terminal is, for example "
			 "xterm-256color",
			 name ? name : "");
		return false;
	}
	if (!tigetstr("cup") || !tigetstr("clear")) {
		snprintf(why, size, "terminal '%s' cannot move its cursor: set TERM to what the terminal is",
			 name);
		return false;
	}
	return true;
}

static int open_real(char *why, size_t size)
{
	tcgetattr(STDIN_FILENO, &term.restore.saved);
	term.screen = newterm(NULL, stdout, stdin);
	if (!term.screen) {
		snprintf(why, size, "the terminal cannot be used");
		return -ENOTSUP;
	}
	return 0;
}

static int open_headless(const struct term_options *o, char *why, size_t size)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", o->rows);
	setenv("LINES", number, 1);
	snprintf(number, sizeof(number), "%d", o->cols);
	setenv("COLUMNS", number, 1);
	term.null = fopen("/dev/null", "r+");
	term.screen = term.null ? newterm(HEADLESS_TERM, term.null, term.null) : NULL;
	if (!term.screen) {
		snprintf(why, size, "no terminfo entry: '%s': install ncurses-base", HEADLESS_TERM);
		return -ENOTSUP;
	}
	resizeterm(o->rows, o->cols);
	return 0;
}

static void init_canvas(const struct term_options *o, struct canvas *c)
{
	const char *no_color = getenv("NO_COLOR");

	canvas_init(c, stdscr, o->ascii || !is_utf8(), !o->no_color && !(no_color && no_color[0]),
		    o->theme ? o->theme : "dark");
}

int term_open(const struct term_options *o, struct canvas *c, char *why, size_t size)
{
	int rc;

	setlocale(LC_ALL, "");
	if (o->headless && !is_utf8())
		setlocale(LC_CTYPE, "C.UTF-8");
	rc = o->headless ? open_headless(o, why, size) : open_real(why, size);
	if (rc < 0)
		return rc;
	term.open = true;
	term.headless = o->headless;
	set_modes();
	init_canvas(o, c);
	if (!term.headless) {
		fetch_restore();
		tcgetattr(STDIN_FILENO, &term.restore.in_use);
		catch_crashes(true);
	}
	return 0;
}

void term_close(void)
{
	if (!term.open)
		return;
	term.open = false;
	if (!term.headless)
		catch_crashes(false);
	delwin(term.input);
	endwin();
	delscreen(term.screen);
	if (term.null)
		fclose(term.null);
	term.null = NULL;
}

void term_describe(struct stage_terminal *t)
{
	*t = term.restore;
}

int term_key(void)
{
	wint_t key;
	int rc;

	errno = 0;
	rc = wget_wch(term.input, &key);
	if (rc == ERR) {
		char probe;
		/* ncurses tells end-of-file and "nothing yet" apart only by what read(2) says. */
		if (!term.headless && errno != EAGAIN && errno != EINTR && errno != 0)
			term.hung_up = true;
		if (!term.headless && errno == 0 && ioctl(STDIN_FILENO, FIONREAD, &probe) < 0)
			term.hung_up = true;
		return -1;
	}
	return (int)key;
}

bool term_hung_up(void)
{
	return term.hung_up;
}

void term_resize(const struct term_options *o, struct canvas *c)
{
	struct winsize ws;

	if (!term.headless && ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_row && ws.ws_col)
		resizeterm(ws.ws_row, ws.ws_col);
	init_canvas(o, c);
	clearok(stdscr, TRUE);
}

void term_suspend(void)
{
	sigset_t stop, before;

	if (term.headless)
		return;
	def_prog_mode();
	endwin();
	/* The default action, which the kernel leaves out where no shell could say fg (an orphaned process group). */
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	signal(SIGTSTP, SIG_DFL);
	kill(getpid(), SIGTSTP);
	pthread_sigmask(SIG_UNBLOCK, &stop, &before);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	reset_prog_mode();
	clearok(stdscr, TRUE);
	refresh();
}

static int dump_rows(const struct canvas *c, FILE *out)
{
	for (int y = 0; y < c->rows; y++) {
		char line[4096];
		size_t used = 0, end = 0;

		for (int x = 0; x < c->cols; x++) {
			cchar_t cell;
			wchar_t glyphs[CCHARW_MAX + 1] = {0};
			attr_t attr;
			short pair;
			char bytes[MB_LEN_MAX + 1];

			if (mvwin_wch(c->win, y, x, &cell) == ERR ||
			    getcchar(&cell, glyphs, &attr, &pair, NULL) == ERR)
				continue;
			int n = wctomb(bytes, glyphs[0]);
			if (n <= 0 || used + (size_t)n >= sizeof(line))
				continue;
			memcpy(line + used, bytes, (size_t)n);
			used += (size_t)n;
			if (glyphs[0] != L' ')
				end = used;
		}
		fprintf(out, "%.*s\n", (int)end, line);
	}
	return ferror(out) ? -EIO : 0;
}

int term_dump(const struct canvas *c, const char *path)
{
	bool to_stdout = strcmp(path, "-") == 0;
	FILE *out = to_stdout ? stdout : fopen(path, "w");
	int rc;

	if (!out)
		return -errno;
	rc = dump_rows(c, out);
	if ((to_stdout ? fflush(out) : fclose(out)) != 0 && rc == 0)
		rc = -errno;
	return rc;
}
