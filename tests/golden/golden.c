/* Golden screens: fixed snapshots drawn without a terminal and compared, cell by cell, with the files beside this one.
 * GOLDEN_UPDATE=1 writes them anew; look at them before they are committed. */
#include "scene.h"
#include "ui/key.h"
#include "ui/term.h"
#include "ui/view.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct golden {
	const char *name;
	enum scene scene;
	int cols, rows;
	bool ascii;
	const char *keys;
} goldens[] = {
	{"start-80x24", SCENE_START, 80, 24, false, ""},
	{"default-100x32", SCENE_DEFAULT, 100, 32, false, ""},
	{"default-80x24", SCENE_DEFAULT, 80, 24, false, ""},
	{"default-40x10", SCENE_DEFAULT, 40, 10, false, ""},
	{"default-60x16", SCENE_DEFAULT, 60, 16, false, ""},
	{"default-160x50", SCENE_DEFAULT, 160, 50, false, ""},
	{"default-39x9", SCENE_DEFAULT, 39, 9, false, ""},
	{"nice19-100x32", SCENE_NICE19, 100, 32, false, ""},
	{"nice19-80x24", SCENE_NICE19, 80, 24, false, ""},
	{"nice19-ascii-80x24", SCENE_NICE19, 80, 24, true, ""},
	{"partial-100x32", SCENE_PARTIAL, 100, 32, false, ""},
	{"partial-40x10", SCENE_PARTIAL, 40, 10, false, ""},
	{"trouble-160x50", SCENE_TROUBLE, 160, 50, false, ""},
	{"trouble-80x24", SCENE_TROUBLE, 80, 24, false, ""},
	{"autogroup-100x32", SCENE_AUTOGROUP, 100, 32, false, ""},
	{"autogroup-80x24", SCENE_AUTOGROUP, 80, 24, false, ""},
	{"autogroup-detail-100x32", SCENE_AUTOGROUP, 100, 32, false, "Enter Down"},
	{"autogroup-detail-80x24", SCENE_AUTOGROUP, 80, 24, false, "Enter"},
	{"autogroup-detail-40x10", SCENE_AUTOGROUP, 40, 10, false, "Enter"},
	{"autogroup-theory-100x32", SCENE_AUTOGROUP, 100, 32, false, "T"},
	{"theory-40x10", SCENE_AUTOGROUP, 40, 10, false, "T"},
	{"theory-80x24", SCENE_NICE19, 80, 24, false, "T"},
	{"theory-160x50", SCENE_NICE19, 160, 50, false, "T"},
	{"trouble-second-100x32", SCENE_TROUBLE, 100, 32, false, "Tab Tab Right"},
	{"disk-100x32", SCENE_DISK, 100, 32, false, ""},
	{"disk-80x24", SCENE_DISK, 80, 24, false, ""},
	{"disk-60x16", SCENE_DISK, 60, 16, false, ""},
	{"disk-40x10", SCENE_DISK, 40, 10, false, ""},
	{"disk-160x50", SCENE_DISK, 160, 50, false, ""},
	{"disk-ascii-80x24", SCENE_DISK, 80, 24, true, ""},
	{"levels-100x32", SCENE_LEVELS, 100, 32, false, ""},
	{"warm-80x24", SCENE_WARM, 80, 24, false, ""},
	{"stack-100x32", SCENE_STACK, 100, 32, false, ""},
	{"stack-devices-80x24", SCENE_STACK, 80, 24, false, "D"},
	{"stack-devices-100x32", SCENE_STACK, 100, 32, false, "D"},
	{"disk-theory-80x24", SCENE_DISK, 80, 24, false, "T"},
	{"elevator-80x24", SCENE_DISK, 80, 24, false, "E Down Enter"},
	{"kinds-80x24", SCENE_DISK, 80, 24, false, "o"},
	{"lost-80x24", SCENE_LOST, 80, 24, false, ""},
	{"help-100x32", SCENE_DEFAULT, 100, 32, false, "F1"},
	{"help-scrolled-80x24", SCENE_DEFAULT, 80, 24, false, "F1 PgDn PgDn PgDn"},
	{"ionice-80x24", SCENE_DEFAULT, 80, 24, false, "i Down Down"},
	{"prompt-80x24", SCENE_DEFAULT, 80, 24, false, "n - 5"},
	{"filter-80x24", SCENE_DEFAULT, 80, 24, false, "/ h o g - 2 Enter Tab"},
	{"threads-selected-100x32", SCENE_DEFAULT, 100, 32, false, "Tab PgDn"},
};

static int ignore(void *context, const struct command *c)
{
	(void)context;
	(void)c;
	return 0;
}

/* Draws one screen into a file. */
static bool draw(const struct golden *g, const char *path)
{
	struct term_options o = {.headless = true, .cols = g->cols, .rows = g->rows, .ascii = g->ascii};
	const struct view_sink sink = {ignore, NULL};
	struct view v = {.pane = PANE_VICTIM, .page = 4};
	struct canvas c;
	struct snapshot *s = calloc(1, sizeof(*s));
	struct key_step step;
	const char *script = g->keys;
	char why[200];
	bool ok;

	if (!s || term_open(&o, &c, why, sizeof(why)) < 0) {
		free(s);
		return false;
	}
	scene_make(s, g->scene);
	view_draw(&c, &v, s);
	while (key_script_next(&script, &step) > 0) {
		view_key(&v, s, step.key, &sink);
		view_draw(&c, &v, s);
	}
	ok = term_dump(&c, path) == 0;
	term_close();
	snapshot_release(s);
	free(s);
	return ok;
}

static bool same(const char *a, const char *b)
{
	FILE *x = fopen(a, "r"), *y = fopen(b, "r");
	bool equal = x && y;
	int c = 0;

	while (equal && c != EOF) {
		c = getc(x);
		equal = c == getc(y);
	}
	if (x)
		fclose(x);
	if (y)
		fclose(y);
	return equal;
}

int main(int argc, char **argv)
{
	const char *dir = argc > 1 ? argv[1] : "tests/golden";
	bool update = getenv("GOLDEN_UPDATE") != NULL;

	int passed = 0, failed = 0;

	setenv("LC_ALL", "C.UTF-8", 1); /* the screens are those of a UTF-8 locale */

	for (size_t i = 0; i < sizeof(goldens) / sizeof(goldens[0]); i++) {
		char want[256], got[256], command[640];

		snprintf(want, sizeof(want), "%s/%s.txt", dir, goldens[i].name);
		snprintf(got, sizeof(got), "build/golden-%s.txt", goldens[i].name);
		if (draw(&goldens[i], update ? want : got) && (update || same(want, got))) {
			passed++;
			remove(got);
			continue;
		}
		failed++;
		printf("golden screen differs: %s\n", goldens[i].name);
		snprintf(command, sizeof(command), "diff -u %s %s", want, got);
		fflush(stdout);
		if (system(command) < 0)
			printf("diff could not be run\n");
	}
	printf("golden: %d passed, %d failed\n", passed, failed);
	return failed ? 1 : 0;
}
