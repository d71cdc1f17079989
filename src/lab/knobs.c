/* The knobs: stepping, formatting, parsing, all from the one table. */
#include "lab/knobs.h"
#include "base/units.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct knob_info table[KNOB_TOTAL] = {
#define X(id, name, owners, type, least, most, initial, words, what) \
	[id] = {name, owners, type, least, most, initial, words, what},
	KNOBS(X)
#undef X
};

const struct knob_info *knob_info(enum knob k)
{
	return &table[k];
}

bool knob_accepts(enum knob k, long v)
{
	if (table[k].type == KNOB_IOPRIO)
		return v == KNOB_UNASKED || ioprio_choice_index((int)v) >= 0;
	return v >= table[k].least && v <= table[k].most;
}

/* 1, 2, 5, 10, 20, 50 ...: the next of them above or below v. */
static long step_125(long v, int delta)
{
	static const long factors[] = {1, 2, 5};
	long below = 1, candidate = 1;

	for (long decade = 1;; decade *= 10)
		for (size_t i = 0; i < 3; i++) {
			candidate = factors[i] * decade;
			if (delta > 0 && candidate > v)
				return candidate;
			if (delta < 0 && candidate >= v)
				return below;
			below = candidate;
		}
}

/* The next power of two above or below v. */
static long step_power(long v, int delta)
{
	long power = 1;

	while (power < v)
		power *= 2;
	return delta < 0 ? power / 2 : power == v ? power * 2 : power;
}

long knob_step(enum knob k, long v, int delta)
{
	const struct knob_info *info = &table[k];
	long least = info->least, most = info->most, next = v + delta;

	if (info->type == KNOB_IOPRIO) {
		int at = v == KNOB_UNASKED ? -1 : ioprio_choice_index((int)v);
		int to = at + delta;
		return to < 0 ? (at < 0 ? v : ioprio_choice(0))
			      : ioprio_choice(to >= IOPRIO_CHOICES ? IOPRIO_CHOICES - 1 : to);
	}
	if (info->type == KNOB_NICE) {
		least = NICE_MIN;
		most = NICE_MAX;
	}
	if (info->type == KNOB_MS || info->type == KNOB_SECONDS)
		next = step_125(v, delta);
	if (info->type == KNOB_BYTES)
		next = step_power(v, delta);
	if (info->type == KNOB_CHOICE)
		return next < least ? most : next > most ? least : next;
	return next < least ? least : next > most ? most : next;
}

double knob_position(enum knob k, long v)
{
	const struct knob_info *info = &table[k];

	switch (info->type) {
	case KNOB_NICE:
		v = v < NICE_MIN ? NICE_MIN : v > NICE_MAX ? NICE_MAX : v;
		return (double)(v - NICE_MIN) / (NICE_COUNT - 1);
	case KNOB_IOPRIO:
		return v <= 0 ? -1 : (double)ioprio_choice_index((int)v) / (IOPRIO_CHOICES - 1);
	case KNOB_CHOICE:
		return -1;
	default:
		/* Ranges span decades: the slider is logarithmic. */
		return log1p((double)(v - info->least)) / log1p((double)(info->most - info->least));
	}
}

/* The i-th of the words; returns its length. */
static size_t choice_word(const char *words, long i, const char **word)
{
	*word = words;
	while (i-- > 0) {
		words = strchr(words, '|');
		if (!words)
			return 0;
		words++;
	}
	*word = words;
	return strcspn(words, "|");
}

char *knob_format(char *buf, size_t size, enum knob k, long v)
{
	const char *word = "";
	size_t len;

	switch (table[k].type) {
	case KNOB_IOPRIO:
		if (v == KNOB_UNASKED)
			snprintf(buf, size, "-");
		else
			ioprio_format(buf, size, (int)v);
		break;
	case KNOB_MS:
		snprintf(buf, size, "%ld ms", v);
		break;
	case KNOB_SECONDS:
		snprintf(buf, size, "%ld s", v);
		break;
	case KNOB_BYTES:
		units_format_bytes(buf, size, (uint64_t)v);
		break;
	case KNOB_CHOICE:
		len = choice_word(table[k].words, v, &word);
		snprintf(buf, size, "%.*s", (int)len, word);
		break;
	default:
		snprintf(buf, size, "%ld", v);
	}
	return buf;
}

/* A choice may be given by the first word of its name: "every", "main", "own"; or "threads" and "process" for the scope,
 * as its option has it. */
static int parse_choice(enum knob k, const char *text, long *v)
{
	if (k == KNOB_SCOPE && strcmp(text, "threads") == 0) {
		*v = SCOPE_THREADS;
		return 0;
	}
	if (k == KNOB_SCOPE && strcmp(text, "process") == 0) {
		*v = SCOPE_PROCESS;
		return 0;
	}
	for (long i = table[k].least; i <= table[k].most; i++) {
		const char *word;
		size_t len = choice_word(table[k].words, i, &word);
		size_t first = strcspn(word, " |");
		if ((strlen(text) == len && strncasecmp(text, word, len) == 0) ||
		    (strlen(text) == first && strncasecmp(text, word, first) == 0)) {
			*v = i;
			return 0;
		}
	}
	return -EINVAL;
}

static int parse_bytes(enum knob k, const char *text, long *v)
{
	uint64_t bytes;
	int rc = units_parse_bytes(text, (uint64_t)table[k].least, (uint64_t)table[k].most, &bytes);

	if (rc == 0)
		*v = (long)bytes;
	return rc;
}

int knob_parse(enum knob k, const char *text, long *v)
{
	int raw, rc;

	switch (table[k].type) {
	case KNOB_IOPRIO:
		rc = ioprio_parse(text, &raw);
		if (rc == 0)
			*v = raw;
		return rc;
	case KNOB_CHOICE:
		return parse_choice(k, text, v);
	case KNOB_BYTES:
		return parse_bytes(k, text, v);
	default:
		return units_parse_long(text, table[k].least, table[k].most, v);
	}
}

/* "all, one or apart". */
static void choice_words(char *buf, size_t size, const char *words)
{
	size_t used = 0;

	buf[0] = '\0';
	while (*words && used < size) {
		size_t len = strcspn(words, "|");
		const char *rest = words + len + (words[len] == '|');
		used += (size_t)snprintf(buf + used, size - used, "%s%.*s",
					 !used	 ? ""
					 : *rest ? ", "
						 : " or ",
					 (int)len, words);
		words = rest;
	}
}

static const int policies[] = {[POLICY_CHOICE_OTHER] = SCHED_OTHER,
			       [POLICY_CHOICE_BATCH] = SCHED_BATCH,
			       [POLICY_CHOICE_IDLE] = SCHED_IDLE};

#define POLICIES (sizeof(policies) / sizeof(policies[0]))

int knob_policy(long choice)
{
	return choice >= 0 && (size_t)choice < POLICIES ? policies[choice] : -1;
}

char *knob_limits(char *buf, size_t size, enum knob k)
{
	const struct knob_info *info = &table[k];
	char least[24], most[24];

	if (info->type == KNOB_NICE && info->most > NICE_MAX)
		snprintf(buf, size, "%d to %d; beyond that (%ld to %ld) the kernel clamps it", NICE_MIN,
			 NICE_MAX, info->least, info->most);
	else if (info->type == KNOB_IOPRIO)
		snprintf(buf, size, "none, rt/0-7, be/0-7 or idle");
	else if (k == KNOB_SCOPE)
		snprintf(buf, size, "threads or process");
	else if (info->type == KNOB_CHOICE)
		choice_words(buf, size, info->words);
	else if (info->type == KNOB_BYTES)
		snprintf(buf, size, "%s to %s (K, M, G)",
			 units_format_bytes(least, sizeof(least), (uint64_t)info->least),
			 units_format_bytes(most, sizeof(most), (uint64_t)info->most));
	else
		snprintf(buf, size, "%ld to %ld%s", info->least, info->most,
			 info->type == KNOB_MS	      ? " ms"
			 : info->type == KNOB_SECONDS ? " s"
						      : "");
	return buf;
}
