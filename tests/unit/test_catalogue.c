/* The catalogue of verdicts as `nicelab explain` prints it, and the wrapping of lines. */
#include "report/catalogue.h"
#include "report/wrap.h"
#include "test.h"

#include <jansson.h>
#include <stdlib.h>

static char *wrapped(const char *what, unsigned used, unsigned indent, unsigned width)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	wrap_print(out, what, used, indent, width);
	fclose(out);
	return text;
}

static void words_are_wrapped(void **state)
{
	static const struct {
		const char *text;
		unsigned used, indent, width;
		const char *want;
	} cases[] = {
		{"one two three", 0, 2, 80, "one two three\n"},
		{"one two three", 0, 2, 7, "one two\n  three\n"},
		{"one two three", 4, 4, 11, "one two\n    three\n"},
		{"one two three", 4, 4, 10, "one\n    two\n    three\n"},
		{"extraordinary is a", 0, 1, 5, "extraordinary\n is a\n"},
		{"\xc3\xa4\xc3\xa4\xc3\xa4 \xc3\xb6\xc3\xb6", 0, 0, 6,
		 "\xc3\xa4\xc3\xa4\xc3\xa4 \xc3\xb6\xc3\xb6\n"},
		{"", 0, 0, 40, "\n"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char *text = wrapped(cases[i].text, cases[i].used, cases[i].indent, cases[i].width);
		assert_string_equal(text, cases[i].want);
		free(text);
	}
}

static void every_code_is_explained(void **state)
{
	(void)state;
	for (unsigned i = 0; i < verdict_count(); i++) {
		char *text = NULL;
		size_t size = 0;
		FILE *out = open_memstream(&text, &size);
		catalogue_explain(out, i, 80);
		fclose(out);
		assert_non_null(strstr(text, verdict_info(i)->code));
		assert_non_null(strstr(text, "\n  why     "));
		assert_non_null(strstr(text, "\n  do      "));
		assert_non_null(strstr(text, "\n  see     "));
		for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
			assert_true(strlen(line) <= 80);
			for (const char *c = line; *c; c++)
				assert_true(*c >= ' ' && *c <= '~');
		}
		free(text);
	}
}

static void near_codes_are_found(void **state)
{
	static const struct {
		const char *word, *nearest;
	} cases[] = {
		{"autogrup", "autogroup"},
		{"AUTOGROUP", "autogroup"},
		{"main-thread", "main-thread-only"},
		{"quota", "cgroup-quota"},
		{"clampt", "clamped"},
		{"elevator_none", "elevator-none"},
		{"zebra", NULL},
		{"", NULL},
	};
	unsigned rules[4];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		unsigned n = catalogue_near(cases[i].word, rules, 4);
		if (!cases[i].nearest) {
			assert_int_equal(n, 0);
			continue;
		}
		assert_true(n >= 1);
		assert_string_equal(verdict_info(rules[0])->code, cases[i].nearest);
	}
}

static void the_list_has_a_line_a_code(void **state)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	unsigned lines = 0;

	(void)state;
	catalogue_list(out, 60, STATUS_NONE);
	fclose(out);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++) {
		assert_true(strlen(line) <= 60);
		assert_int_equal(strncmp(line, verdict_info(lines)->code, strlen(verdict_info(lines)->code)),
				 0);
	}
	assert_int_equal(lines, verdict_count());
	free(text);
}

static void the_catalogue_is_json_too(void **state)
{
	char *text = catalogue_json(-1);
	json_t *root = json_loads(text, 0, NULL), *all = json_object_get(root, "verdicts");

	(void)state;
	assert_int_equal(json_array_size(all), verdict_count());
	for (size_t i = 0; i < json_array_size(all); i++)
		assert_string_equal(json_string_value(json_object_get(json_array_get(all, i), "code")),
				    verdict_info((unsigned)i)->code);
	json_decref(root);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_wrapped),	     cmocka_unit_test(every_code_is_explained),
		cmocka_unit_test(near_codes_are_found),	     cmocka_unit_test(the_list_has_a_line_a_code),
		cmocka_unit_test(the_catalogue_is_json_too),
	};

	return cmocka_run_group_tests_name("catalogue", tests, NULL, NULL);
}
