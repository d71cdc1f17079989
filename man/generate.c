/* Fills in a man page: copies the template and replaces @OPTIONS@, @KEYS@, @STATUSES@ and @VERDICTS@ by what the program's own
 * tables say, so that no key, no option and no verdict can be undocumented. */
#include "cmd/options.h"
#include "report/catalogue.h"
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

static void statuses(void)
{
	static const enum status order[] = {STATUS_PENDING, STATUS_APPLIED, STATUS_PARTIAL,
					    STATUS_CLAMPED, STATUS_DENIED,  STATUS_REVERTED,
					    STATUS_IGNORED, STATUS_MOOT,    STATUS_UNKNOWN};

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		printf(".It %s\n", status_word(order[i]));
		text(catalogue_status(order[i]));
	}
}

static void labelled(const char *label, const char *what)
{
	printf(".Pp\n.Em %s :\n", label);
	text(what);
}

/* An apostrophe or a dot at the start of a line would be a request: no text of the table begins with one. */
static void verdicts(void)
{
	unsigned n = verdict_count();

	for (unsigned i = 0; i < n; i++) {
		const struct verdict_info *info = verdict_info(i);
		char buf[500];
		printf(".It Cm %s Pq %s\n", info->code,
		       info->status == STATUS_APPLIED ? "note" : status_word(info->status));
		text(verdict_why(buf, sizeof(buf), i, NULL));
		labelled("Instead", verdict_remedy(buf, sizeof(buf), i, NULL));
		if (info->fix != FIX_NONE) {
			snprintf(buf, sizeof(buf), "%s%s%s", verdict_fix_words(info->fix),
				 info->other_fix == FIX_NONE ? "" : "; or: ",
				 verdict_fix_words(info->other_fix));
			labelled("The key f", buf);
		}
		labelled("See", info->reference);
	}
}

static const struct {
	const char *mark;
	void (*fill)(void);
} marks[] = {
	{"@OPTIONS@\n", options},
	{"@KEYS@\n", keys},
	{"@STATUSES@\n", statuses},
	{"@VERDICTS@\n", verdicts},
};

#define MARKS (sizeof(marks) / sizeof(marks[0]))

int main(int argc, char **argv)
{
	FILE *in = argc > 1 ? fopen(argv[1], "r") : NULL;
	char line[1024];

	if (!in) {
		fprintf(stderr, "usage: generate TEMPLATE\n");
		return 2;
	}
	while (fgets(line, sizeof(line), in)) {
		size_t i = 0;
		while (i < MARKS && strcmp(line, marks[i].mark))
			i++;
		if (i < MARKS)
			marks[i].fill();
		else
			fputs(line, stdout);
	}
	fclose(in);
	return 0;
}
