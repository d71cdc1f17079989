/* nicelab explain: the catalogue of verdicts. */
#include "base/err.h"
#include "cmd/cmd.h"
#include "cmd/output.h"
#include "report/catalogue.h"
#include "report/wrap.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#define NEAR 4

static void print_help(void)
{
	printf("usage: nicelab explain [--json] [CODE]\n\n"
	       "Explains the verdicts: why a priority is not there, not used or without effect, and what to "
	       "do\n"
	       "instead. Without a CODE it lists all of them; with a status, as MOOT, those that give it.\n"
	       "nicelab-verdicts(7) has the same texts.\n\n"
	       "  --json     the same as JSON\n"
	       "  --help     show this help\n"
	       "  --version  show the version\n");
}

static int refuse_code(const char *word)
{
	unsigned near[NEAR], n = catalogue_near(word, near, NEAR);
	char list[200] = "";
	size_t used = 0;

	for (unsigned i = 0; i < n; i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "",
					 verdict_info(near[i])->code);
	if (n)
		err_line("unknown verdict: '%.100s': did you mean %s?", word, list);
	else
		err_line("unknown verdict: '%.100s': nicelab explain lists them all", word);
	return EXIT_USAGE;
}

/* "PARTIAL": the verdicts that give this status, as the screen shows it in large letters. */
static bool explain_status(const char *word)
{
	for (int st = STATUS_APPLIED; st < STATUS_COUNT; st++)
		if (strcasecmp(word, status_word((enum status)st)) == 0) {
			printf("%s: %s\n\n", status_word((enum status)st), catalogue_status((enum status)st));
			catalogue_list(stdout, wrap_width(STDOUT_FILENO), (enum status)st);
			return true;
		}
	return false;
}

static int explain(const char *code, bool json)
{
	int rule = code ? verdict_find(code) : -1;

	if (code && rule < 0 && !json && explain_status(code))
		return output_end();
	if (code && rule < 0)
		return refuse_code(code);
	if (json)
		return output_json(catalogue_json(rule));
	if (rule < 0)
		catalogue_list(stdout, isatty(STDOUT_FILENO) ? wrap_width(STDOUT_FILENO) : 0, STATUS_NONE);
	else
		catalogue_explain(stdout, (unsigned)rule, wrap_width(STDOUT_FILENO));
	return output_end();
}

int cmd_explain(int argc, char **argv)
{
	static const struct option longs[] = {{"json", no_argument, NULL, OUTPUT_FIRST_VALUE},
					      {"help", no_argument, NULL, OUTPUT_FIRST_VALUE + 1},
					      {"version", no_argument, NULL, OUTPUT_FIRST_VALUE + 2},
					      {0}};
	bool json = false;
	int c;

	opterr = 0;
	optind = 1;
	while ((c = getopt_long(argc, argv, ":", longs, NULL)) != -1) {
		if (c == OUTPUT_FIRST_VALUE)
			json = true;
		else if (c == OUTPUT_FIRST_VALUE + 1) {
			print_help();
			return output_end();
		} else if (c == OUTPUT_FIRST_VALUE + 2) {
			printf("nicelab %s\n", NICELAB_VERSION);
			return output_end();
		} else
			return output_bad_option(c, argv, "explain");
	}
	if (optind + 1 < argc) {
		err_line("unexpected argument: '%s': see nicelab explain --help", argv[optind + 1]);
		return EXIT_USAGE;
	}
	return explain(argv[optind], json);
}
