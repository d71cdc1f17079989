/* libFuzzer over every parser: the first byte chooses (a letter: 'a' is the first of the table), the rest is the text.
 * FUZZ_TARGET=NAME runs that one alone, the first byte is skipped; FUZZ_TARGET=list prints the names. Nothing may crash, read
 * past its end, or print what could steer a terminal. */
#include "base/text.h"
#include "base/units.h"
#include "kernel/block.h"
#include "kernel/io.h"
#include "kernel/parse.h"
#include "kernel/schedgroup.h"
#include "lab/knobs.h"
#include "sched/cpulist.h"
#include "sched/prio.h"
#include "ui/key.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fuzz_stat(const char *text)
{
	struct stat_line s;

	if (parse_stat(text, &s) == 0 && (s.nice < -20 || s.nice > 19 || s.tid <= 0))
		abort();
}

static void fuzz_schedstat(const char *text)
{
	struct schedstat_line s;

	parse_schedstat(text, &s);
}

static void fuzz_status(const char *text)
{
	uint64_t v;

	parse_status_hex(text, "CapEff", &v);
}

static void fuzz_cgroup(const char *text)
{
	char path[32];
	int version = 0;

	if (parse_cgroup(text, "cpu", path, sizeof(path), &version) == 0 && version != 1 && version != 2)
		abort();
}

static void fuzz_status_numbers(const char *text)
{
	long long v[2];
	int n = parse_status_numbers(text, "Uid", v, 2);

	if (n == 0 || n > 2)
		abort();
}

static void fuzz_limit(const char *text)
{
	long long v = 0;

	if (parse_limit(text, "Max nice priority", &v) == 0 && v < -1)
		abort();
}

/* A key in the name must not be found: the text stands in for the name here, and after that for the whole file. */
static void fuzz_sched(const char *text)
{
	char file[256];
	long long v = 0;

	snprintf(file, sizeof(file),
		 "%.15s (1, #threads: 1)\n----------------------------------------\nse.slice : 7\n", text);
	if (parse_sched_value(file, "se.slice", &v) < 0 || v != 7)
		abort();
	parse_sched_value(text, "se.load.weight", &v);
}

static void fuzz_autogroup(const char *text)
{
	int nice = 0;
	long id = 0;

	if (parse_autogroup(text, &id, &nice) == 0 && (id < 0 || nice < -20 || nice > 19))
		abort();
}

static void fuzz_cpu_times(const char *text)
{
	struct cpu_times t[8];
	int n = parse_cpu_times(text, t, 8);

	if (n == 0 || n > 8 || (n > 0 && n < 8 && !t[n - 1].present))
		abort();
}

static void fuzz_flat(const char *text)
{
	uint64_t v;

	parse_flat_value(text, "nr_throttled", &v);
}

static void fuzz_cpu_max(const char *text)
{
	double cpus = 0;

	if (parse_cpu_max(text, &cpus) == 0 && cpus == 0)
		abort();
}

static void fuzz_number_file(const char *text)
{
	long long v;

	parse_number(text, &v);
}

static void fuzz_mounts(const char *text)
{
	struct mount_line m;
	int hidepid = parse_mount_hidepid(text);

	if (hidepid == 3 || hidepid > 4)
		abort();
	for (int version = 1; version <= 2; version++)
		if (parse_mount_cgroup(text, version, "cpu", &m) == 0 &&
		    (m.root[0] != '/' || m.point[0] != '/'))
			abort();
}

static void fuzz_numbers(const char *text)
{
	int cols, rows;
	long v;

	if (units_parse_long(text, -20, 19, &v) == 0 && (v < -20 || v > 19))
		abort();
	units_parse_size(text, &cols, &rows);
}

static void fuzz_ioprio(const char *text)
{
	char buf[32];
	int raw;

	if (ioprio_parse(text, &raw) == 0 && ioprio_choice_index(raw) < 0)
		abort();
	ioprio_format(buf, sizeof(buf), (int)strlen(text));
}

static void fuzz_cpulist(const char *text)
{
	struct cpulist l, again;
	char buf[8192];

	if (cpulist_parse(text, &l) < 0)
		return;
	cpulist_format(buf, sizeof(buf), &l);
	if (cpulist_parse(buf, &again) < 0 || !cpulist_equal(&l, &again))
		abort();
}

static void fuzz_knobs(const char *text)
{
	for (int k = 0; k < KNOB_TOTAL; k++) {
		long v;
		if (knob_parse((enum knob)k, text, &v) == 0 && !knob_accepts((enum knob)k, v))
			abort();
	}
}

static void fuzz_keys(const char *text)
{
	struct key_step step;

	while (key_script_next(&text, &step) > 0)
		;
}

static void fuzz_text(const char *text)
{
	char clean[64];

	text_clean(clean, sizeof(clean), text, strlen(text));
	for (const char *p = clean; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			abort();
}

/* New ones at the end: the seeds choose by place. */
static void fuzz_scheduler(const char *text)
{
	char name[16];

	if (block_parse_scheduler(text, name, sizeof(name)) == 0 && strpbrk(name, "[] \n"))
		abort();
}

static void fuzz_schedgroup(const char *text)
{
	char path[16];

	if (schedgroup_parse(text, 77, path, sizeof(path)) == 0 && path[0] != '/')
		abort();
}

static void fuzz_mount_type(const char *text)
{
	const struct block_place by_number = {.mount_known = true, .mount = 36}, by_device = {0};
	struct block_mount m;

	if (block_parse_mount(text, &by_number, &m) == 0 && !m.type[0] && strlen(text) < sizeof(m.type))
		abort();
	block_parse_mount(text, &by_device, &m);
}

static void fuzz_offered(const char *text)
{
	char words[32];

	if (block_parse_offered(text, words, sizeof(words)) < 0)
		return;
	if (!words[0] || strpbrk(words, "[]\n") || strstr(words, "  ") || words[0] == ' ' ||
	    words[strlen(words) - 1] == ' ')
		abort();
}

static void fuzz_block_stat(const char *text)
{
	struct block_usage u = {.busy_ms = 1};

	if (block_parse_stat(text, &u) == 0 && (u.read_bytes % 512 || u.write_bytes % 512))
		abort();
}

static void fuzz_inflight(const char *text)
{
	struct block_usage u;

	block_parse_inflight(text, &u);
}

static void fuzz_io(const char *text)
{
	struct io_counts c;

	io_parse(text, &c);
}

/* A line that is cut limits nothing. */
static void fuzz_io_limits(const char *text)
{
	if ((io_parse_limits(text) || io_parse_weights(text)) && !strchr(text, '\n'))
		abort();
}

static const struct {
	const char *name;
	void (*fn)(const char *text);
} targets[] = {
	{"stat", fuzz_stat},
	{"schedstat", fuzz_schedstat},
	{"status", fuzz_status},
	{"cgroup", fuzz_cgroup},
	{"numbers", fuzz_numbers},
	{"ioprio", fuzz_ioprio},
	{"cpulist", fuzz_cpulist},
	{"knobs", fuzz_knobs},
	{"keys", fuzz_keys},
	{"text", fuzz_text},
	{"status_numbers", fuzz_status_numbers},
	{"limit", fuzz_limit},
	{"sched", fuzz_sched},
	{"autogroup", fuzz_autogroup},
	{"cpu_times", fuzz_cpu_times},
	{"flat", fuzz_flat},
	{"cpu_max", fuzz_cpu_max},
	{"number_file", fuzz_number_file},
	{"mounts", fuzz_mounts},
	{"scheduler", fuzz_scheduler},
	{"mount_type", fuzz_mount_type},
	{"schedgroup", fuzz_schedgroup},
	{"offered", fuzz_offered},
	{"block_stat", fuzz_block_stat},
	{"inflight", fuzz_inflight},
	{"io", fuzz_io},
	{"io_limits", fuzz_io_limits},
};
#define TARGETS (sizeof(targets) / sizeof(targets[0]))

static size_t only = TARGETS; /* the target that was asked for; TARGETS for all */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *name = getenv("FUZZ_TARGET");
	bool list = name && strcmp(name, "list") == 0;

	(void)argc, (void)argv;
	for (size_t i = 0; name && i < TARGETS; i++) {
		if (list)
			puts(targets[i].name);
		else if (strcmp(name, targets[i].name) == 0)
			only = i;
	}
	if (list)
		exit(0);
	if (name && *name && only == TARGETS) {
		fprintf(stderr, "no such target: '%s'\n", name);
		exit(2);
	}
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t which;
	char *text;

	if (size == 0)
		return 0;
	text = malloc(size);
	if (!text)
		return 0;
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	which = only < TARGETS ? only : (uint8_t)(data[0] - 'a') % TARGETS;
	targets[which].fn(text);
	free(text);
	return 0;
}
