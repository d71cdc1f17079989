/* nicelab live: the stage first, then the engine, then the terminal. */
#include "base/err.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/scratch.h"
#include "kernel/priority.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>

static void print_help(void)
{
	printf("usage: nicelab [live] [options]\n\n"
	       "Hogs and a victim run for real; every priority can be turned while they do, and the screen "
	       "shows what\n"
	       "the victim pays and whether each change reached each thread. F1 on the screen shows the "
	       "keys.\n\n");
	options_print();
}

/* A list may name CPUs that this process is not allowed to use: nothing would run there. */
static int check_cpus(const struct cpulist *asked)
{
	struct cpulist allowed, both;
	char a[64], b[64];

	if (cpulist_count(asked) == 0 || priority_get_cpus(0, &allowed) < 0)
		return 0;
	both = cpulist_and(asked, &allowed);
	if (cpulist_equal(&both, asked))
		return 0;
	err_line("--cpus: '%s': not all of them may be used here: use from %s",
		 cpulist_format(a, sizeof(a), asked), cpulist_format(b, sizeof(b), &allowed));
	return -EINVAL;
}

/* A terminal that does not do is found before any worker is started. */
static int open_terminal(struct live_request *r, struct canvas *c)
{
	char why[200];

	if (term_open(&r->ui.term, c, why, sizeof(why)) == 0)
		return 0;
	err_line("%s", why);
	return -ENOTTY;
}

static int start_lab(struct live_request *r, struct lab **lab)
{
	const char *what;
	char words[64];
	int rc = lab_start(&r->lab, lab, &what);

	if (rc < 0)
		err_line("%s: %s", what, err_words(-rc, words, sizeof(words)));
	return rc;
}

static void keep_terminal(struct lab *lab, const struct live_request *r)
{
	struct stage_terminal t;

	if (r->ui.term.headless)
		return;
	term_describe(&t);
	lab_keep_terminal(lab, &t);
}

int cmd_live(int argc, char **argv)
{
	struct live_request r;
	struct canvas canvas;
	struct lab *lab;
	char why[200];
	int ended_by = 0, status;

	if (options_parse(argc, argv, &r) < 0)
		return EXIT_USAGE;
	if (r.help || r.version) {
		if (r.help)
			print_help();
		else
			printf("nicelab %s\n", NICELAB_VERSION);
		return EXIT_OK;
	}
	if (check_cpus(&r.lab.cpus) < 0)
		return EXIT_USAGE;
	if (!term_is_usable(&r.ui.term, why, sizeof(why))) {
		err_line("%s", why);
		return EXIT_ENVIRONMENT;
	}
	status = cmd_open_scratch(&r);
	if (status != EXIT_OK)
		return status;
	if (start_lab(&r, &lab) < 0)
		return EXIT_ENVIRONMENT;
	if (open_terminal(&r, &canvas) < 0) {
		lab_stop(lab);
		return EXIT_ENVIRONMENT;
	}
	keep_terminal(lab, &r);
	status = ui_run(lab, &canvas, &r.ui, &ended_by);
	term_close();
	lab_stop(lab);
	if (ended_by) { /* as the signal would have ended it: the shell shall see that */
		signal(ended_by, SIG_DFL);
		sigset_t one;
		sigemptyset(&one);
		sigaddset(&one, ended_by);
		raise(ended_by);
		sigprocmask(SIG_UNBLOCK, &one, NULL);
	}
	return status;
}
