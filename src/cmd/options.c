/* The command line of `nicelab live`. */
#include "cmd/options.h"
#include "base/err.h"
#include "base/units.h"
#include "report/wrap.h"
#include "ui/key.h"

#include <errno.h>
#include <getopt.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* getopt_long tells the options apart by this and above: no two share a value, so that it sees ambiguous abbreviations. */
#define FIRST_VALUE 256
#define LEFT 34 /* columns of --help before the explanations */

#define LOOP_LEAST (UINT64_C(16) << 20) /* an ext4 with room for files */
#define LOOP_MOST (UINT64_C(1) << 40)

static const struct option_info table[LIVE_OPTION_COUNT] = {
#define X(id, name, argument, target, knob, what) [id] = {name, argument, target, knob, what},
	LIVE_OPTIONS(X)
#undef X
};

const struct option_info *option_info(enum live_option o)
{
	return &table[o];
}

void options_print(void)
{
	unsigned width = wrap_width(STDOUT_FILENO), indent = width < 70 ? 8 : LEFT;

	for (int i = 0; i < LIVE_OPTION_COUNT; i++) {
		int used = printf("  --%s%s%s", table[i].name, table[i].argument[0] ? " " : "",
				  table[i].argument);

		if (used + 1 > (int)indent) {
			printf("\n");
			used = 0;
		}
		printf("%*s", (int)indent - used, "");
		wrap_print(stdout, table[i].what, indent, indent, width);
	}
}

static int refuse(const char *name, const char *value, const char *why)
{
	err_line("--%s: '%s': %s", name, value, why);
	return -EINVAL;
}

static int set_knob(const struct option_info *o, const char *text, struct live_request *out)
{
	enum knob k = (enum knob)o->knob;
	char limits[64], why[128];
	long v = 0;
	int rc = k == KNOB_NICE_VALUE ? units_parse_long(text, NICE_MIN, NICE_MAX, &v)
				      : knob_parse(k, text, &v);

	if (rc < 0) {
		knob_limits(limits, sizeof(limits), k);
		if (k == KNOB_NICE_VALUE)
			snprintf(limits, sizeof(limits), "%d to %d", NICE_MIN, NICE_MAX);
		if (k == KNOB_SESSIONS)
			snprintf(limits, sizeof(limits), "shared or own");
		snprintf(why, sizeof(why), "%s: use %s", rc == -ERANGE ? "out of range" : "not understood",
			 limits);
		return refuse(o->name, text, why);
	}
	if (o->target == TARGET_LAB)
		out->lab.knobs[k] = v;
	else
		for (size_t i = 0; i < out->lab.ngroups; i++)
			if (out->lab.groups[i].is_victim == (o->target == TARGET_VICTIM))
				out->lab.groups[i].knobs[k] = v;
	return 0;
}

static int set_kind(const char *name, const char *text, bool is_victim, struct live_request *out)
{
	int kind = load_kind_named(text, is_victim);
	char names[96], why[160];

	if (kind < 0) {
		snprintf(why, sizeof(why), "no such kind of %s: use %s", is_victim ? "victim" : "hog",
			 load_kind_names(names, sizeof(names), is_victim));
		return refuse(name, text, why);
	}
	for (size_t i = 0; i < out->lab.ngroups; i++)
		if (out->lab.groups[i].is_victim == is_victim)
			out->lab.groups[i].kind = (enum load_kind)kind;
	return 0;
}

static int set_cpus(const char *text, struct live_request *out)
{
	if (strcmp(text, "all") == 0 || strcmp(text, "one") == 0 || strcmp(text, "apart") == 0)
		return knob_parse(KNOB_CPUS, text, &out->lab.knobs[KNOB_CPUS]);
	if (cpulist_parse(text, &out->lab.cpus) < 0)
		return refuse("cpus", text, "not a list of CPUs: use all, one, apart, or a list as 0-1,3");
	return 0;
}

static int set_user(const char *text, struct live_request *out)
{
	const struct passwd *pw = getpwnam(text);

	if (!pw)
		return refuse("as-user", text, "no such user");
	if (geteuid() != 0)
		return refuse("as-user", text, "only root can act as somebody else: start nicelab as root");
	if (pw->pw_uid == 0)
		return refuse("as-user", text, "that is root: use an ordinary user, as nobody");
	out->lab.user = (struct lab_user){.known = true, .uid = pw->pw_uid, .gid = pw->pw_gid};
	snprintf(out->lab.user.name, sizeof(out->lab.user.name), "%s", text);
	out->lab.knobs[KNOB_USER] = USER_OTHER;
	return 0;
}

/* "512M" or "512M:direct". */
static int set_loop(const char *text, struct live_request *out)
{
	size_t len = strcspn(text, ":");
	char size[24];
	int rc;

	snprintf(size, sizeof(size), "%.*s", (int)(len < sizeof(size) ? len : sizeof(size) - 1), text);
	out->loop_direct = strcmp(text + len, ":direct") == 0;
	rc = text[len] && !out->loop_direct ? -EINVAL
					    : units_parse_bytes(size, LOOP_LEAST, LOOP_MOST, &out->loop);
	if (rc == -ERANGE)
		return refuse("loop", text, "out of range: use 16M to 1T");
	return rc < 0 ? refuse("loop", text, "not understood: use a size, as 512M, or 512M:direct") : 0;
}

static int set_elevator(const char *text, struct live_request *out)
{
	if (!*text || strlen(text) >= sizeof(out->lab.elevator))
		return refuse("elevator", text, "not a name of an elevator");
	snprintf(out->lab.elevator, sizeof(out->lab.elevator), "%s", text);
	return 0;
}

static int set_keys(const char *text, struct live_request *out)
{
	const char *rest = text;
	struct key_step step;
	int rc;

	while ((rc = key_script_next(&rest, &step)) > 0)
		;
	if (rc < 0)
		return refuse("keys", rest + strspn(rest, " "),
			      "not a key: use names as F8, Up, Enter, Esc, Space, ^L, or @2");
	out->ui.keys = text;
	return 0;
}

static int set_other(enum live_option o, const char *text, struct live_request *out)
{
	struct term_options *term = &out->ui.term;

	switch (o) {
	case OPT_HOG_KIND:
		return set_kind(table[o].name, text, false, out);
	case OPT_VICTIM_KIND:
		return set_kind(table[o].name, text, true, out);
	case OPT_CPUS:
		return set_cpus(text, out);
	case OPT_AS_USER:
		return set_user(text, out);
	case OPT_DIR:
		out->dir = text;
		return 0;
	case OPT_LOOP:
		return set_loop(text, out);
	case OPT_ELEVATOR:
		return set_elevator(text, out);
	case OPT_KEYS:
		return set_keys(text, out);
	case OPT_ASCII:
		term->ascii = true;
		return 0;
	case OPT_NO_COLOR:
		term->no_color = true;
		return 0;
	case OPT_THEME:
		term->theme = text;
		return canvas_theme_exists(text)
			       ? 0
			       : refuse("theme", text, "no such theme: use dark, light or mono");
	case OPT_SIZE:
		return units_parse_size(text, &term->cols, &term->rows) < 0
			       ? refuse("size", text, "not a size: use COLSxROWS, as 80x24")
			       : 0;
	case OPT_DUMP:
		term->headless = true;
		out->ui.dump = text;
		return 0;
	case OPT_VERSION:
		out->version = true;
		return 0;
	default:
		out->help = true;
		return 0;
	}
}

/* What getopt_long did not like: the word itself where it is a long option, the letter where it is a short one. */
static int unknown(int c, char **argv)
{
	const char *given = argv[optind - 1];
	char letter[3] = {'-', (char)optopt, '\0'};

	if (c == ':')
		err_line("option needs a value: '%s': see nicelab live --help", given);
	else if (optopt >= FIRST_VALUE)
		err_line("option takes no value: '%s': see nicelab live --help", given);
	else
		err_line("unknown option: '%s': see nicelab live --help", optopt ? letter : given);
	return -EINVAL;
}

/* On a disk a few hogs do, and one request at a time. */
static void disk_defaults(struct live_request *out)
{
	for (size_t i = 0; i < out->lab.ngroups; i++) {
		struct lab_group_config *g = &out->lab.groups[i];
		unsigned io = load_kind(g->kind)->io;

		if (io && g->is_victim && !out->given[OPT_VICTIM_THREADS])
			g->knobs[KNOB_THREADS] = 1;
		if (io && !g->is_victim && !out->given[OPT_HOGS])
			g->knobs[KNOB_COUNT] = io & IO_TREE ? 1 : 2;
	}
}

/* What only all options together tell. */
static int complete(struct live_request *out)
{
	const long *k = out->lab.knobs;
	char file[24], text[24];

	disk_defaults(out);
	if (k[KNOB_BLOCK] % 512)
		return refuse("block", knob_format(text, sizeof(text), KNOB_BLOCK, k[KNOB_BLOCK]),
			      "not a multiple of 512 bytes: no disk takes it");
	if (k[KNOB_FILE] < k[KNOB_BLOCK]) {
		char why[96];
		snprintf(why, sizeof(why), "smaller than one block of %s",
			 knob_format(text, sizeof(text), KNOB_BLOCK, k[KNOB_BLOCK]));
		return refuse("file-size", knob_format(file, sizeof(file), KNOB_FILE, k[KNOB_FILE]), why);
	}
	return 0;
}

int options_parse(int argc, char **argv, struct live_request *out)
{
	struct option longs[LIVE_OPTION_COUNT + 1] = {0};
	int c, rc;

	memset(out, 0, sizeof(*out));
	lab_config_default(&out->lab);
	out->ui.term.cols = 80;
	out->ui.term.rows = 24;
	for (int i = 0; i < LIVE_OPTION_COUNT; i++)
		longs[i] = (struct option){.name = table[i].name,
					   .has_arg = table[i].argument[0] ? 1 : 0,
					   .val = FIRST_VALUE + i};
	opterr = 0;
	optind = 1;
	while ((c = getopt_long(argc, argv, "+:", longs, NULL)) != -1) {
		int o = c - FIRST_VALUE;
		if (o < 0)
			return unknown(c, argv);
		out->given[o] = true;
		rc = table[o].target == TARGET_OTHER ? set_other((enum live_option)o, optarg, out)
						     : set_knob(&table[o], optarg, out);
		if (rc < 0)
			return rc;
	}
	if (optind < argc) {
		err_line("unexpected argument: '%s': see nicelab live --help", argv[optind]);
		return -EINVAL;
	}
	return complete(out);
}
