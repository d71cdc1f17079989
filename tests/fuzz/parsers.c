/* libFuzzer over every parser: the first byte chooses, the rest is the text. Nothing may crash, read past its end, or
 * print what could steer a terminal. */
#include "base/text.h"
#include "base/units.h"
#include "kernel/parse.h"
#include "lab/knobs.h"
#include "sched/cpulist.h"
#include "sched/prio.h"
#include "ui/key.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

	if (parse_cgroup_cpu(text, path, sizeof(path), &version) == 0 && version != 1 && version != 2)
		abort();
	parse_mount_cgroup2(text, path, sizeof(path));
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const targets[])(const char *text) = {
		fuzz_stat,   fuzz_schedstat, fuzz_status, fuzz_cgroup, fuzz_numbers,
		fuzz_ioprio, fuzz_cpulist,   fuzz_knobs,  fuzz_keys,   fuzz_text};
	char *text;

	if (size == 0)
		return 0;
	text = malloc(size);
	if (!text)
		return 0;
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	targets[data[0] % (sizeof(targets) / sizeof(targets[0]))](text);
	free(text);
	return 0;
}
