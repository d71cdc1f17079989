/* The menus: an I/O priority, a kind of load, an elevator. One table; each names its items and says what choosing one sends. */
#include "ui/commands.h"
#include "ui/key.h"
#include "ui/panes.h"
#include "ui/press.h"

#include <stdio.h>
#include <string.h>

#define WIDTH 76

struct item {
	char name[32], words[96];
	long value;
	bool now; /* it is what is set */
};

/* The i-th item; false past the last. */
typedef bool (*item_fn)(const struct view *v, const struct snapshot *s, int i, struct item *out);

static const char *class_words(int raw)
{
	switch (ioprio_unpack(raw).io_class) {
	case IOCLASS_RT:
		return "real time, needs a privilege";
	case IOCLASS_BE:
		return "best effort";
	case IOCLASS_IDLE:
		return "only when nobody else wants the disk";
	default:
		return "follows the nice value";
	}
}

static bool ioprio_item(const struct view *v, const struct snapshot *s, int i, struct item *out)
{
	const struct view_prompt *q = &v->prompt;

	if (i >= IOPRIO_CHOICES)
		return false;
	out->value = ioprio_choice(i);
	out->now = q->group >= 0 && s->groups[q->group].knobs[KNOB_IONICE] == out->value;
	ioprio_format(out->name, sizeof(out->name), ioprio_choice(i));
	snprintf(out->words, sizeof(out->words), "%s", class_words(ioprio_choice(i)));
	return true;
}

/* What a kind is for, where its words do not say it. */
static const char *kind_purpose(enum load_kind k)
{
	unsigned io = load_kind(k)->io;

	if (!io)
		return "no disk";
	if (io & IO_TREE)
		return "every file of a directory tree, past the cache";
	if (io & IO_DIRECT)
		return "the disk, past the page cache";
	return io & IO_WRITES ? "left to the flusher" : "page cache, never the disk";
}

static bool kind_item(const struct view *v, const struct snapshot *s, int i, struct item *out)
{
	const struct snapshot_group *g = &s->groups[v->prompt.group];

	for (int k = 0; k < LOAD_KIND_COUNT; k++) {
		const struct load_kind_info *info = load_kind((enum load_kind)k);
		if (info->is_victim != g->is_victim || i-- > 0)
			continue;
		out->value = k;
		out->now = g->kind == (enum load_kind)k;
		snprintf(out->name, sizeof(out->name), "%s", info->name);
		snprintf(out->words, sizeof(out->words), "%s: %s", info->words,
			 kind_purpose((enum load_kind)k));
		return true;
	}
	return false;
}

static bool elevator_item(const struct view *v, const struct snapshot *s, int i, struct item *out)
{
	const struct block_level *l = s->disk.device < 0 ? NULL : &s->disk.below.levels[s->disk.device];
	const char *at = l ? l->offered : "";
	size_t len;

	(void)v;
	while (i-- > 0 && *at) {
		at += strcspn(at, " ");
		at += strspn(at, " ");
	}
	len = strcspn(at, " ");
	if (!len)
		return false;
	snprintf(out->name, sizeof(out->name), "%.*s", (int)len, at);
	out->now = strcmp(out->name, l->elevator) == 0;
	snprintf(out->words, sizeof(out->words), "%s", disk_honours_words(block_honours_of(out->name)));
	return true;
}

static void choose_ioprio(struct press *p, const struct item *it)
{
	const struct view_prompt *q = &p->view->prompt;

	press_send(p, (struct command){.kind = q->tid ? COMMAND_THREAD_IOPRIO : COMMAND_SET,
				       .group = q->group,
				       .knob = KNOB_IONICE,
				       .value = it->value,
				       .tid = q->tid});
}

static void choose_kind(struct press *p, const struct item *it)
{
	press_send(p, (struct command){
			      .kind = COMMAND_KIND, .group = p->view->prompt.group, .value = it->value});
}

static void choose_elevator(struct press *p, const struct item *it)
{
	struct command c = {.kind = COMMAND_ELEVATOR, .group = -1};

	snprintf(c.word, sizeof(c.word), "%s", it->name);
	press_send(p, c);
}

static const struct {
	const char *title, *hint;
	item_fn item;
	void (*choose)(struct press *p, const struct item *it);
	enum ui_command key; /* that opens it, and closes it again */
} menus[] = {
	[MENU_IONICE] = {"I/O priority", "set and read back on every thread", ioprio_item, choose_ioprio,
			 UI_IONICE},
	[MENU_HOG_KIND] = {"Kind of hogs", "they are started anew", kind_item, choose_kind, UI_HOG_KIND},
	[MENU_VICTIM_KIND] = {"Kind of victim", "it is started anew, with a baseline of its own", kind_item,
			      choose_kind, UI_VICTIM_KIND},
	[MENU_ELEVATOR] = {"Elevator", "what was there before comes back when nicelab ends", elevator_item,
			   choose_elevator, UI_ELEVATOR},
};

void menu_open(struct press *p, enum view_menu menu, int group, pid_t tid)
{
	struct view *v = p->view;
	struct item it = {0};

	v->mode = MODE_MENU;
	v->menu = menu;
	v->menu_row = 0;
	v->menu_confirm = false;
	v->prompt = (struct view_prompt){.knob = KNOB_IONICE, .group = group, .tid = tid};
	for (int i = 0; menus[menu].item(v, p->s, i, &it); i++, it = (struct item){0})
		if (it.now)
			v->menu_row = i;
}

void menu_open_elevator(struct press *p, const char *name)
{
	struct item it = {0};

	menu_open(p, MENU_ELEVATOR, -1, 0);
	for (int i = 0; elevator_item(p->view, p->s, i, &it); i++)
		if (strcmp(it.name, name) == 0)
			p->view->menu_row = i;
}

/* A device that others use too is asked about once. */
static bool must_confirm(const struct view *v, const struct snapshot *s)
{
	return v->menu == MENU_ELEVATOR && s->disk.shared && !v->menu_confirm;
}

static void menu_enter(struct press *p)
{
	struct view *v = p->view;
	struct item it = {0};

	if (must_confirm(v, p->s)) {
		v->menu_confirm = true;
		return;
	}
	v->mode = MODE_NORMAL;
	if (menus[v->menu].item(v, p->s, v->menu_row, &it))
		menus[v->menu].choose(p, &it);
}

void press_menu_key(struct press *p)
{
	struct view *v = p->view;
	int command = ui_command_of_key(p->key);
	struct item it;

	if (p->key == KEY_CODE_ENTER)
		menu_enter(p);
	else if (command == UI_CANCEL || command == (int)menus[v->menu].key)
		v->mode = MODE_NORMAL;
	else if (command == UI_UP || command == UI_DOWN) {
		v->menu_confirm = false;
		if (command == UI_UP && v->menu_row > 0)
			v->menu_row--;
		if (command == UI_DOWN && menus[v->menu].item(v, p->s, v->menu_row + 1, &it))
			v->menu_row++;
	}
}

/* Below the items: what it means, or the question. */
static void hint(const struct canvas *c, const struct rect *r, const struct view *v, const struct snapshot *s)
{
	int row = r->row + r->rows - 2, col = r->col + 2, width = r->cols - 4;

	if (v->menu_confirm)
		canvas_text(c, row, col, width, INK_WARNING,
			    "! %s serves others too: Enter once more sets it",
			    s->disk.below.levels[s->disk.device].name);
	else
		canvas_text(c, row, col, width, INK_DIM, "%s", menus[v->menu].hint);
}

static void draw_item(const struct canvas *c, const struct rect *r, int row, const struct item *it, bool on)
{
	int col = r->col + 4, names = 12;

	canvas_text(c, row, r->col + 2, 2, INK_STRONG, "%s", on ? "▸" : " ");
	canvas_text(c, row, col, names - 1, on ? INK_STRONG : INK_TEXT, "%s", it->name);
	canvas_text(c, row, col + names, r->cols - names - 6, INK_DIM, "%s%s", it->words,
		    it->now ? " (now)" : "");
}

void overlay_menu(const struct canvas *c, const struct view *v, const struct snapshot *s)
{
	char title[96];
	struct item it = {0};
	int count = 0;

	while (menus[v->menu].item(v, s, count, &it))
		count++;
	snprintf(title, sizeof(title), "%s%s%s · Enter sets, Esc cancels", menus[v->menu].title,
		 v->menu == MENU_ELEVATOR && s->disk.device >= 0 ? " of " : "",
		 v->menu == MENU_ELEVATOR && s->disk.device >= 0 ? s->disk.below.levels[s->disk.device].name
								 : "");
	struct rect r = overlay_frame(c, count + 3, WIDTH, title);
	int visible = r.rows - 3, first = v->menu_row >= visible ? v->menu_row - visible + 1 : 0;
	for (int i = 0; i < visible && first + i < count; i++) {
		it = (struct item){0};
		menus[v->menu].item(v, s, first + i, &it);
		draw_item(c, &r, r.row + 1 + i, &it, first + i == v->menu_row);
	}
	hint(c, &r, v, s);
}
