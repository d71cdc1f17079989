/* The terminal. A crash gives it back too: with the strings that were fetched when it was taken, since ncurses may not be
 * called from a signal handler. */
#include "ui/term.h"
#include "base/clock.h"
#include "ui/key.h"

#include <errno.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>

#define ESCAPE_DELAY_MS 100
#define SEQUENCE_NS (500 * NS_PER_MS) /* the rest of an escape sequence may come so late */
#define STUCK_S 2 /* a terminal that takes no output holds up an ending signal so long */
#define HEADLESS_TERM "xterm-256color"

static struct {
	bool open, headless, hung_up, suspended;
	SCREEN *screen;
	FILE *null;
	WINDOW *input; /* a pad: reading from it never draws */
	struct stage_terminal restore;
	uint64_t escape_at; /* when the last lone Esc came, 0: none */
	bool fresh_escape; /* and nothing was read since */
	bool in_sequence; /* what follows belongs to an escape sequence that ncurses does not know */
	volatile sig_atomic_t quit_signal;
} term;

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
const int term_quit_signals[TERM_QUIT_SIGNALS] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT};

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

static void on_quit(int sig)
{
	term.quit_signal = sig;
	alarm(STUCK_S);
}

/* The terminal takes no output, so ncurses will not come back: end as the signal would. The stage ends the workers and,
 * as soon as the terminal listens again, gives it back. */
static void on_stuck(int sig)
{
	sigset_t set;

	(void)sig;
	if (!term.quit_signal) /* an alarm from outside */
		return;
	tcsetattr(STDIN_FILENO, TCSANOW, &term.restore.saved);
	signal(term.quit_signal, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, term.quit_signal);
	raise(term.quit_signal);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void catch_all(const int *signals, size_t n, void (*handler)(int))
{
	struct sigaction sa = {.sa_handler = handler};

	for (size_t i = 0; i < n; i++)
		sigaction(signals[i], &sa, NULL);
}

static void catch_signals(bool on)
{
	static const int stuck[] = {SIGALRM};

	catch_all(crash_signals, COUNT(crash_signals), on ? on_crash : SIG_DFL);
	catch_all(term_quit_signals, TERM_QUIT_SIGNALS, on ? on_quit : SIG_DFL);
	catch_all(stuck, 1, on ? on_stuck : SIG_DFL);
}

/* The bytes of a capability without its padding, "$<2>". */
static void add_restore(const char *capability)
{
	const char *s = tigetstr(capability);

	if (!s || s == (char *)-1)
		return;
	while (*s && term.restore.length < sizeof(term.restore.bytes)) {
		const char *end = s[0] == '$' && s[1] == '<' ? strchr(s, '>') : NULL;
		if (end) {
			s = end + 1;
			continue;
		}
		term.restore.bytes[term.restore.length++] = *s++;
	}
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

	setlocale(LC_CTYPE, ""); /* numbers keep their point in every locale */
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
		catch_signals(true);
	}
	return 0;
}

/* Around output that must come through before anything else is done: if the terminal takes none for long, this process
 * ends as by SIGTERM, and the stage with its workers after it. */
static void guard(bool on)
{
	if (term.headless)
		return;
	if (on && !term.quit_signal)
		term.quit_signal = SIGTERM;
	alarm(on ? STUCK_S : 0);
	if (!on)
		term.quit_signal = 0;
}

void term_close(void)
{
	if (!term.open)
		return;
	term.open = false;
	delwin(term.input);
	if (!term.suspended) { /* else the terminal is in another's hands already */
		guard(true);
		endwin();
		delscreen(term.screen);
		guard(false);
	}
	if (!term.headless)
		catch_signals(false);
	if (term.null)
		fclose(term.null);
	term.null = NULL;
}

void term_describe(struct stage_terminal *t)
{
	*t = term.restore;
}

/* One key from ncurses, -1 for none. A typed character beyond ASCII shares its numbers with the function keys: it is no
 * key of ours, and TERM_NO_KEY. */
static int read_key(void)
{
	wint_t key;
	int rc, unread;

	errno = 0;
	rc = wget_wch(term.input, &key);
	if (rc == KEY_CODE_YES || (rc == OK && key < 128))
		return (int)key;
	if (rc == OK || errno == EILSEQ)
		return TERM_NO_KEY;
	/* ncurses tells end-of-file and "nothing yet" apart only by what the kernel says. */
	if (!term.headless &&
	    (errno == EIO || errno == ENXIO || errno == EBADF || ioctl(STDIN_FILENO, FIONREAD, &unread) < 0))
		term.hung_up = true;
	return -1;
}

/* Whether the key is a part of an escape sequence that ncurses does not know, or that came in pieces: its "[" must not
 * count as a key, and Alt with a key is no key either. */
static bool is_escaped(int key)
{
	bool late = clock_now() - term.escape_at > SEQUENCE_NS;

	if (term.in_sequence && !late) {
		term.in_sequence = key != TERM_NO_KEY && !(key >= 0x40 && key <= 0x7e);
		return true;
	}
	term.in_sequence = term.escape_at && !late && (key == '[' || key == 'O');
	bool alt = term.fresh_escape && key != KEY_CODE_ESC;
	if (!term.in_sequence)
		term.escape_at = 0;
	return term.in_sequence || alt;
}

int term_key(void)
{
	int key = read_key();
	bool escaped;

	if (key < 0) {
		term.fresh_escape = false;
		return -1;
	}
	escaped = is_escaped(key);
	term.fresh_escape = key == KEY_CODE_ESC;
	if (key == KEY_CODE_ESC)
		term.escape_at = clock_now();
	return escaped ? TERM_NO_KEY : key;
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

static sigset_t quit_set(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < TERM_QUIT_SIGNALS; i++)
		sigaddset(&set, term_quit_signals[i]);
	return set;
}

static bool quit_is_pending(void)
{
	sigset_t pending;

	sigpending(&pending);
	for (size_t i = 0; i < TERM_QUIT_SIGNALS; i++)
		if (sigismember(&pending, term_quit_signals[i]))
			return true;
	return false;
}

/* Stops this process (or, with 0, its whole group) by the default action of SIGTSTP, which the kernel leaves out where no shell could say fg (an
 * orphaned process group). Returns after it was continued. */
static void stop_process(pid_t whom)
{
	sigset_t stop, before;

	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	signal(SIGTSTP, SIG_DFL);
	kill(whom, SIGTSTP);
	pthread_sigmask(SIG_UNBLOCK, &stop, &before);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Where the kernel discards the stop (no shell could continue us), waiting is all that is left. */
static void stop_self_or_wait(void)
{
	stop_process(getpid());
	poll(NULL, 0, 100);
}

void term_retake(void)
{
	if (term.headless)
		return;
	/* In the background the terminal is not ours to touch: wait for fg, or for a signal that ends us. */
	while (tcgetpgrp(STDIN_FILENO) != getpgrp() && !quit_is_pending() && tcgetpgrp(STDIN_FILENO) > 0)
		stop_self_or_wait();
	term.suspended = quit_is_pending();
	if (term.suspended)
		return;
	guard(true);
	reset_prog_mode();
	clearok(stdscr, TRUE);
	refresh();
	guard(false);
}

void term_suspend(void)
{
	if (term.headless)
		return;
	def_prog_mode();
	guard(true);
	endwin();
	guard(false);
	term.suspended = true;
	stop_process(0); /* whoever started it from here, as make does, belongs to the job and stops too */
	term_retake();
}

int term_refresh(void)
{
	sigset_t set = quit_set();

	if (term.headless || term.suspended)
		return 0;
	/* Only here can a terminal that does not listen hold up the thread: the signals that end it get through. */
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	wrefresh(stdscr);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	alarm(0);
	return term.quit_signal;
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
			for (size_t g = 0; g < CCHARW_MAX && glyphs[g]; g++) {
				int n = wctomb(bytes, glyphs[g]);
				if (n <= 0 || used + (size_t)n >= sizeof(line))
					continue;
				memcpy(line + used, bytes, (size_t)n);
				used += (size_t)n;
			}
			if (glyphs[0] != L' ')
				end = used;
			if (wcwidth(glyphs[0]) == 2) /* the next cell is its right half */
				x++;
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
