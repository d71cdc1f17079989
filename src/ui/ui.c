/* The UI thread: one loop that waits for keys, signals and snapshots, and draws. */
#include "ui/ui.h"
#include "base/clock.h"
#include "base/err.h"
#include "ui/key.h"
#include "ui/view.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <unistd.h>

struct ui {
	struct lab *lab;
	struct canvas *canvas;
	const struct ui_options *options;
	struct view view;
	const struct snapshot *s;
	struct view_sink sink;
	const char *script; /* what is left of the keys */
	uint64_t script_due; /* not before */
	uint64_t settled_from; /* headless: the dump wants a snapshot begun after the last key */
	bool script_done;
	int signals, ended_by, status;
};

static int send_to_lab(void *context, const struct command *c)
{
	return lab_send(context, c);
}

static void draw(struct ui *ui)
{
	if (!ui->s)
		return;
	if (ui->view.redraw)
		clearok(stdscr, TRUE);
	ui->view.redraw = false;
	view_draw(ui->canvas, &ui->view, ui->s);
	if (!ui->ended_by)
		ui->ended_by = term_refresh();
}

/* The stage must know; if it does not keep up it is told again. */
static void keep_terminal(struct ui *ui, const struct stage_terminal *t)
{
	for (int i = 0; i < 20 && lab_keep_terminal(ui->lab, t) == -EAGAIN; i++)
		poll(NULL, 0, 50);
}

/* The workers stop before this process does: nobody may hog a machine whose owner has left the screen. */
static void suspend(struct ui *ui)
{
	ui->view.suspend = false;
	if (ui->options->term.headless)
		return;
	struct stage_terminal ours;
	term_describe(&ours);
	lab_freeze(ui->lab, true);
	keep_terminal(ui, &(struct stage_terminal){0}); /* meanwhile it is the shell's */
	term_suspend();
	keep_terminal(ui, &ours);
	lab_freeze(ui->lab, false);
	term_resize(&ui->options->term, ui->canvas);
}

static void press(struct ui *ui, int key)
{
	view_key(&ui->view, ui->s, key, &ui->sink);
	if (ui->view.suspend)
		suspend(ui);
}

static void take_mouse(struct ui *ui)
{
	struct layout l = layout_of(ui->canvas->rows, ui->canvas->cols, ui->s && ui->s->disk.in_use);
	MEVENT m;

	if (getmouse(&m) != OK)
		return;
	if (m.bstate & BUTTON4_PRESSED)
		view_wheel(&ui->view, ui->s, -1);
	else if (m.bstate & BUTTON5_PRESSED)
		view_wheel(&ui->view, ui->s, 1);
	else
		view_click(&ui->view, ui->s, &l, m.y, m.x);
}

static void take_keys(struct ui *ui)
{
	int key;

	while ((key = term_key()) >= 0 && !ui->view.quit) {
		if (key == KEY_MOUSE)
			take_mouse(ui);
		else if (key != KEY_RESIZE && key != TERM_NO_KEY)
			press(ui, key);
	}
	if (term_hung_up())
		ui->ended_by = SIGHUP;
}

static void take_signal(struct ui *ui)
{
	struct signalfd_siginfo si;

	if (read(ui->signals, &si, sizeof(si)) != sizeof(si))
		return;
	if (si.ssi_signo == SIGWINCH)
		term_resize(&ui->options->term, ui->canvas);
	else if (si.ssi_signo == SIGTSTP)
		suspend(ui);
	else if (si.ssi_signo == SIGCONT) {
		term_retake();
		term_resize(&ui->options->term, ui->canvas);
	} else
		ui->ended_by = (int)si.ssi_signo;
}

/* Presses the keys of the script that are due. A key waits for a snapshot from after the one before, so that it meets the
 * screen that a person would have seen. */
static void run_script(struct ui *ui)
{
	struct key_step step;

	while (!ui->script_done && !ui->view.quit && clock_now() >= ui->script_due &&
	       ui->s->at >= ui->settled_from) {
		int rc = key_script_next(&ui->script, &step);
		if (rc <= 0) { /* the options have checked it: < 0 does not come */
			ui->script_done = true;
			ui->settled_from = clock_now();
			return;
		}
		if (step.key >= 0)
			press(ui, step.key);
		else
			ui->script_due = clock_now() + (uint64_t)(step.wait_s * 1e9);
		ui->settled_from = clock_now();
	}
}

static void finish_headless(struct ui *ui)
{
	char words[64];
	int rc;

	if (!ui->options->term.headless || !(ui->script_done || ui->view.quit) ||
	    ui->s->at < ui->settled_from)
		return;
	draw(ui);
	rc = ui->options->dump ? term_dump(ui->canvas, ui->options->dump) : 0;
	if (rc < 0) {
		err_line("the screen cannot be written: '%s': %s", ui->options->dump,
			 err_words(-rc, words, sizeof(words)));
		ui->status = EXIT_ENVIRONMENT;
	}
	ui->view.quit = true;
}

static int open_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < TERM_QUIT_SIGNALS; i++)
		sigaddset(&set, term_quit_signals[i]);
	sigaddset(&set, SIGWINCH);
	sigaddset(&set, SIGTSTP);
	sigaddset(&set, SIGCONT);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* How long to wait: until the script goes on, else for something to happen. */
static int patience(const struct ui *ui)
{
	uint64_t now = clock_now();

	if (ui->script_done)
		return -1;
	return ui->script_due > now ? (int)((ui->script_due - now) / NS_PER_MS) + 1 : 20;
}

static void wait_and_take(struct ui *ui)
{
	struct pollfd p[] = {
		{.fd = ui->options->term.headless ? -1 : STDIN_FILENO, .events = POLLIN},
		{.fd = ui->signals, .events = POLLIN},
		{.fd = snapshot_fd(lab_snapshots(ui->lab)), .events = POLLIN},
	};
	bool dirty = false;

	if (poll(p, 3, patience(ui)) < 0)
		return;
	if (p[2].revents) {
		ui->s = snapshot_latest(lab_snapshots(ui->lab));
		dirty = true;
	}
	if (p[1].revents) {
		take_signal(ui);
		dirty = true;
	}
	if (p[0].revents && ui->s) {
		take_keys(ui);
		dirty = true;
	}
	if (ui->s)
		run_script(ui);
	if (ui->s)
		finish_headless(ui);
	if (dirty && !ui->view.quit && !ui->ended_by)
		draw(ui);
}

int ui_run(struct lab *lab, struct canvas *c, const struct ui_options *o, int *ended_by)
{
	struct ui ui = {
		.lab = lab,
		.canvas = c,
		.options = o,
		.sink = {send_to_lab, lab},
		.script = o->keys ? o->keys : "",
		.script_done = !o->keys && !o->term.headless,
		.signals = open_signals(),
	};

	ui.view.pane = PANE_VICTIM;
	if (ui.signals < 0)
		return EXIT_INTERNAL;
	while (!ui.view.quit && !ui.ended_by)
		wait_and_take(&ui);
	close(ui.signals);
	*ended_by = ui.ended_by;
	return ui.status;
}
