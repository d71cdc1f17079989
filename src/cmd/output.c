/* The last steps of a report, and the first complaint about its options. */
#include "cmd/output.h"
#include "base/err.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

int output_bad_option(int c, char **argv, const char *command)
{
	const char letter[3] = {'-', (char)optopt, '\0'};
	const char *given = argv[optind - 1];

	if (c == ':')
		err_line("option needs a value: '%s': see nicelab %s --help", given, command);
	else if (optopt >= OUTPUT_FIRST_VALUE)
		err_line("option takes no value: '%s': see nicelab %s --help", given, command);
	else
		err_line("unknown option: '%s': see nicelab %s --help", optopt ? letter : given, command);
	return EXIT_USAGE;
}

int output_end(void)
{
	char words[64];

	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return EXIT_OK;
	err_line("standard output cannot be written: %s",
		 err_words(errno ? errno : EIO, words, sizeof(words)));
	return EXIT_ENVIRONMENT;
}

int output_json(char *text)
{
	if (!text) {
		err_line("the report cannot be made: no memory");
		return EXIT_INTERNAL;
	}
	puts(text);
	free(text);
	return output_end();
}
