/* Entry: finds the sub-command. */
#include "base/err.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "load/title.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *what;
} commands[] = {
#define X(name, function, what) {name, function, what},
	COMMAND_TABLE(X)
#undef X
};

#define COMMANDS_COUNT (sizeof(commands) / sizeof(commands[0]))

void cmd_help(void)
{
	printf("usage: nicelab [COMMAND] [options]\n\nA live lab bench for CPU and I/O priorities.\n\n");
	for (size_t i = 0; i < COMMANDS_COUNT; i++)
		printf("  %-8s %s\n", commands[i].name, commands[i].what);
	printf("\noptions of live:\n");
	options_print();
	printf("\nnicelab COMMAND --help shows the options of a command; man nicelab tells it all.\n");
}

int main(int argc, char **argv)
{
	title_init(argc, argv);
	if (argc > 1 && strcmp(argv[1], "--help") == 0) {
		cmd_help();
		return EXIT_OK;
	}
	if (argc < 2 || argv[1][0] == '-')
		return commands[0].run(argc, argv);
	for (size_t i = 0; i < COMMANDS_COUNT; i++)
		if (strcmp(commands[i].name, argv[1]) == 0)
			return commands[i].run(argc - 1, argv + 1);
	err_line("unknown command: '%s': see nicelab --help", argv[1]);
	return EXIT_USAGE;
}
