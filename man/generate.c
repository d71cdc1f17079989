/* Fills in the man page: copies the template and replaces @OPTIONS@ and @KEYS@ by what the program's own tables
 * say, so that no key and no option can be undocumented. */
#include "cmd/options.h"
#include "ui/commands.h"

#include <stdio.h>
#include <string.h>

/* Text as mdoc wants it: a minus as \-, a backslash as \e. */
static void text(const char *s)
{
	for (; *s; s++)
		if (*s == '-')
			printf("\\-");
		else if (*s == '\\')
			printf("\\e");
		else
			putchar(*s);
	putchar('\n');
}

/* "COLSxROWS" as one argument; "threads|process" as alternatives. */
static void options(void)
{
	for (int i = 0; i < LIVE_OPTION_COUNT; i++) {
		const struct option_info *o = option_info((enum live_option)i);
		printf(".It Fl -%s", o->name);
		if (o->argument[0])
			printf(" Ar %s", o->argument);
		printf("\n");
		text(o->what);
	}
}

static void keys(void)
{
	for (int i = 0; i < UI_COMMAND_COUNT; i++) {
		const struct ui_command_info *info = ui_command((enum ui_command)i);
		if (info->keys[0] == '0')
			printf(".It Cm digits\n");
		else {
			printf(".It");
			for (const char *k = info->keys; *k; k += strspn(k, " ")) {
				size_t len = strcspn(k, " ");
				printf("%s Cm %s%.*s", k == info->keys ? "" : " ,", *k == '-' ? "\\" : "\\&",
				       (int)len, k);
				k += len;
			}
			printf("\n");
		}
		text(info->what);
	}
}

int main(int argc, char **argv)
{
	FILE *in = argc > 1 ? fopen(argv[1], "r") : NULL;
	char line[1024];

	if (!in) {
		fprintf(stderr, "usage: generate TEMPLATE\n");
		return 2;
	}
	while (fgets(line, sizeof(line), in)) {
		if (strcmp(line, "@OPTIONS@\n") == 0)
			options();
		else if (strcmp(line, "@KEYS@\n") == 0)
			keys();
		else
			fputs(line, stdout);
	}
	fclose(in);
	return 0;
}
