/* Pressing keys on a made-up snapshot. */
#include "pressing.h"
#include "ui/key.h"

#include <string.h>

struct snapshot scene;
struct view view;
struct command sent[SENT_MAX];
size_t nsent;

static int take(void *context, const struct command *c)
{
	(void)context;
	if (nsent < SENT_MAX)
		sent[nsent++] = *c;
	return 0;
}

void pressing_begin(enum scene which)
{
	scene_make(&scene, which);
	memset(&view, 0, sizeof(view));
	view.pane = PANE_VICTIM;
	view.page = 4;
	nsent = 0;
}

void pressing_end(void)
{
	snapshot_release(&scene);
}

#define SETUP(name, which)             \
	int name(void **state)         \
	{                              \
		(void)state;           \
		pressing_begin(which); \
		return 0;              \
	}
SETUP(pressing_default, SCENE_DEFAULT)
SETUP(pressing_autogroup, SCENE_AUTOGROUP)
SETUP(pressing_trouble, SCENE_TROUBLE)
SETUP(pressing_disk, SCENE_DISK)
SETUP(pressing_levels, SCENE_LEVELS)
SETUP(pressing_stack, SCENE_STACK)

int pressing_teardown(void **state)
{
	(void)state;
	pressing_end();
	return 0;
}

void press(const char *script)
{
	const struct view_sink sink = {take, NULL};
	struct key_step step;

	while (key_script_next(&script, &step) > 0)
		view_key(&view, &scene, step.key, &sink);
}
