/* The table of verdicts for people and for scripts. */
#include "report/catalogue.h"
#include "report/wrap.h"

#include <ctype.h>
#include <jansson.h>
#include <string.h>

#define TEXT 400
#define CODE_COLUMNS 24
#define LABEL 10
#define WORD_MAX 48

const char *catalogue_status(enum status s)
{
	static const char *const words[STATUS_COUNT] = {
		[STATUS_NONE] = "nothing was asked",
		[STATUS_PENDING] = "asked, not read back yet",
		[STATUS_APPLIED] = "read back equal, and it can matter",
		[STATUS_PARTIAL] = "some threads of the process have it, others do not",
		[STATUS_CLAMPED] = "the kernel stored another value without an error",
		[STATUS_DENIED] = "the call failed",
		[STATUS_REVERTED] = "it was applied, and something changed it afterwards",
		[STATUS_IGNORED] = "stored, but the scheduler or the elevator does not use it",
		[STATUS_MOOT] = "stored and honoured, but nothing is there to arbitrate",
		[STATUS_UNKNOWN] = "it cannot be read here",
	};

	return words[s];
}

/* A note is a verdict that finds nothing wrong. */
static const char *status_of(const struct verdict_info *info)
{
	return info->status == STATUS_APPLIED ? "note" : status_word(info->status);
}

void catalogue_list(FILE *out, unsigned width, enum status only)
{
	unsigned n = verdict_count();

	for (unsigned i = 0; i < n; i++) {
		const struct verdict_info *info = verdict_info(i);
		char line[TEXT + 64], why[TEXT];
		size_t len;

		if (only != STATUS_NONE && info->status != only)
			continue;
		snprintf(line, sizeof(line), "%-*s %-8s %s", CODE_COLUMNS, info->code, status_of(info),
			 verdict_why(why, sizeof(why), i, NULL));
		len = strlen(line); /* ASCII: the table's own words */
		if (width && len > width)
			fprintf(out, "%.*s...\n", (int)width - 3, line);
		else
			fprintf(out, "%s\n", line);
	}
}

static void print_part(FILE *out, const char *label, const char *text, unsigned width)
{
	fprintf(out, "  %-*s", LABEL - 2, label);
	wrap_print(out, text, LABEL, LABEL, width);
}

void catalogue_explain(FILE *out, unsigned rule, unsigned width)
{
	const struct verdict_info *info = verdict_info(rule);
	char text[TEXT];
	int used = fprintf(out, "%s: ", info->code);

	snprintf(text, sizeof(text), "%s, %s", status_of(info),
		 info->status == STATUS_APPLIED ? "nothing is wrong" : catalogue_status(info->status));
	wrap_print(out, text, (unsigned)used, 2, width);
	print_part(out, "why", verdict_why(text, sizeof(text), rule, NULL), width);
	print_part(out, "do", verdict_remedy(text, sizeof(text), rule, NULL), width);
	if (info->fix != FIX_NONE) {
		snprintf(text, sizeof(text), "the key f in the lab does it: %s%s%s",
			 verdict_fix_words(info->fix),
			 info->other_fix == FIX_NONE ? "" : "; or: ", verdict_fix_words(info->other_fix));
		print_part(out, "fix", text, width);
	}
	print_part(out, "see", info->reference, width);
}

static json_t *json_of(unsigned rule)
{
	const struct verdict_info *info = verdict_info(rule);
	json_t *o = json_object();
	char text[TEXT];

	json_object_set_new(o, "code", json_string(info->code));
	json_object_set_new(o, "status", json_string(status_word(info->status)));
	json_object_set_new(o, "text", json_string(verdict_why(text, sizeof(text), rule, NULL)));
	json_object_set_new(o, "remedy", json_string(verdict_remedy(text, sizeof(text), rule, NULL)));
	json_object_set_new(o, "fix",
			    info->fix == FIX_NONE ? json_null() : json_string(verdict_fix_words(info->fix)));
	json_object_set_new(o, "reference", json_string(info->reference));
	return o;
}

char *catalogue_json(int rule)
{
	json_t *root = json_object(), *all = json_array();
	unsigned n = verdict_count();
	char *text;

	for (unsigned i = 0; i < n; i++)
		if (rule < 0 || (unsigned)rule == i)
			json_array_append_new(all, json_of(i));
	json_object_set_new(root, "schema", json_string("nicelab.explain/1"));
	json_object_set_new(root, "verdicts", all);
	text = json_dumps(root, JSON_INDENT(2));
	json_decref(root);
	return text;
}

static unsigned least(unsigned a, unsigned b, unsigned c)
{
	unsigned m = a < b ? a : b;

	return m < c ? m : c;
}

/* Letters to insert, drop or change from one word to the other (Levenshtein). */
static unsigned distance(const char *a, const char *b)
{
	unsigned row[WORD_MAX + 1];
	size_t nb = strnlen(b, WORD_MAX);

	for (size_t k = 0; k <= nb; k++)
		row[k] = (unsigned)k;
	for (size_t i = 0; i < WORD_MAX && a[i]; i++) {
		unsigned diagonal = row[0];
		row[0] = (unsigned)i + 1;
		for (size_t k = 1; k <= nb; k++) {
			unsigned above = row[k];
			bool same = tolower((unsigned char)a[i]) == b[k - 1];
			row[k] = least(above + 1, row[k - 1] + 1, diagonal + !same);
			diagonal = above;
		}
	}
	return row[nb];
}

/* How far a code is from the word; a code that holds the word (of three letters or more) is near. */
static unsigned farness(const char *word, const char *code)
{
	unsigned d = distance(word, code), limit = (unsigned)strlen(code) / 3 + 1;

	if (d > 0 && strlen(word) >= 3 && strcasestr(code, word))
		return 1;
	return d <= limit ? d : 1000;
}

unsigned catalogue_near(const char *word, unsigned *rules, unsigned max)
{
	unsigned n = verdict_count(), found = 0;

	for (unsigned far = 0; far < WORD_MAX && found < max; far++)
		for (unsigned i = 0; i < n && found < max; i++)
			if (farness(word, verdict_info(i)->code) == far)
				rules[found++] = i;
	return found;
}
