/* Units and text: what people read and type. */
#include "base/clock.h"
#include "pause.h"
#include "base/err.h"
#include "base/text.h"
#include "base/units.h"
#include "test.h"

#include <errno.h>

static void bytes_are_formatted_and_parsed(void **state)
{
	static const struct {
		const char *text;
		int rc;
		uint64_t bytes;
	} cases[] = {
		{"512", 0, 512},
		{"64M", 0, UINT64_C(64) << 20},
		{"64 MiB", 0, UINT64_C(64) << 20},
		{"4k", 0, 4096},
		{"1GB", 0, UINT64_C(1) << 30},
		{"7b", -ERANGE, 0},
		{"0", -ERANGE, 0},
		{"3T", -ERANGE, 0},
		{"99999999999999999999", -ERANGE, 0},
		{"17000000T", -ERANGE, 0},
		{"", -EINVAL, 0},
		{"M", -EINVAL, 0},
		{"-1M", -EINVAL, 0},
		{"1.5M", -EINVAL, 0},
		{"64Mx", -EINVAL, 0},
		{"64MM", -EINVAL, 0},
	};
	char buf[32];
	uint64_t v;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		v = 0;
		assert_int_equal(units_parse_bytes(cases[i].text, 512, UINT64_C(2) << 40, &v), cases[i].rc);
		assert_true(v == cases[i].bytes);
	}
	assert_string_equal(units_format_bytes(buf, sizeof(buf), 512), "512 B");
	assert_string_equal(units_format_bytes(buf, sizeof(buf), UINT64_C(64) << 20), "64 MiB");
	assert_string_equal(units_format_bytes(buf, sizeof(buf), UINT64_C(1536) << 10), "1.50 MiB");
	assert_string_equal(units_format_rate(buf, sizeof(buf), 0), "0 B/s");
	assert_string_equal(units_format_rate(buf, sizeof(buf), 35.2e6), "35.2 MB/s");
	assert_string_equal(units_format_rate(buf, sizeof(buf), 999.7e3), "1.00 MB/s");
	assert_string_equal(units_format_rate(buf, sizeof(buf), 12.34e9), "12.3 GB/s");
}

static void durations_have_three_digits(void **state)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} cases[] = {
		{0, "0 ns"},
		{840, "840 ns"},
		{999, "999 ns"},
		{1000, "1.00 µs"},
		{28400000, "28.4 ms"},
		{999400000, "999 ms"},
		{999600000, "1.00 s"},
		{9994000, "9.99 ms"},
		{9996000, "10.0 ms"},
		{5660000000, "5.66 s"},
		{128 * NS_PER_SEC, "128 s"},
	};
	char buf[32];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_string_equal(units_format_ns(buf, sizeof(buf), cases[i].ns), cases[i].text);
}

static void ratios_shares_and_times_read_well(void **state)
{
	char buf[32];

	(void)state;
	assert_string_equal(units_format_ratio(buf, sizeof(buf), 1.004), "×1.00");
	assert_string_equal(units_format_ratio(buf, sizeof(buf), 28.93), "×28.9");
	assert_string_equal(units_format_ratio(buf, sizeof(buf), 205.8), "×206");
	assert_string_equal(units_format_ratio(buf, sizeof(buf), 34952), "×35k");
	assert_string_equal(units_format_ratio(buf, sizeof(buf), 9994), "×9994");
	assert_string_equal(units_format_ratio(buf, sizeof(buf), 2.5e6), "×2.5M");
	assert_string_equal(units_format_share(buf, sizeof(buf), 0.0049), "0.5 %");
	assert_string_equal(units_format_share(buf, sizeof(buf), 0.9994), "99.9 %");
	assert_string_equal(units_format_share(buf, sizeof(buf), 1), "100 %");
	assert_string_equal(units_format_uptime(buf, sizeof(buf), 3733 * NS_PER_SEC), "1:02:13");
}

static void numbers_are_parsed_whole_or_not_at_all(void **state)
{
	static const struct {
		const char *text;
		int rc;
		long value;
	} cases[] = {
		{"0", 0, 0},	     {"-5", 0, -5},	   {"+7", 0, 7},
		{"19", 0, 19},	     {"20", -ERANGE, 0},   {"-21", -ERANGE, 0},
		{"", -EINVAL, 0},    {"abc", -EINVAL, 0},  {"5x", -EINVAL, 0},
		{" 5", -EINVAL, 0},  {"--5", -EINVAL, 0},  {"-", -EINVAL, 0},
		{"1e3", -EINVAL, 0}, {"0x10", -EINVAL, 0}, {"99999999999999999999", -ERANGE, 0},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		long v = 0;
		assert_int_equal(units_parse_long(cases[i].text, -20, 19, &v), cases[i].rc);
		assert_int_equal(v, cases[i].value);
	}
}

static void sizes_are_cols_by_rows(void **state)
{
	int cols = 0, rows = 0;

	(void)state;
	assert_int_equal(units_parse_size("80x24", &cols, &rows), 0);
	assert_int_equal(cols, 80);
	assert_int_equal(rows, 24);
	assert_int_equal(units_parse_size("80", &cols, &rows), -EINVAL);
	assert_int_equal(units_parse_size("80x24x", &cols, &rows), -EINVAL);
	assert_int_equal(units_parse_size("0x24", &cols, &rows), -EINVAL);
	assert_int_equal(units_parse_size("80x9999", &cols, &rows), -EINVAL);
}

static void text_from_outside_cannot_steer_the_terminal(void **state)
{
	static const struct {
		const char *raw, *clean;
	} cases[] = {
		{"plain name", "plain name"},
		{"\033[2Jboo", "?[2Jboo"},
		{"a\nb\tc\r", "a?b?c?"},
		{"\x9b"
		 "31m",
		 "?31m"},
		{"\xc2\x9b"
		 "31m",
		 "?31m"},
		{"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"},
		{"\xe2\x80\xae"
		 "evil",
		 "?evil"},
		{"\xff\xfe", "??"},
		{"cut\xe2\x82", "cut??"},
		{"over\xc0\xaf", "over??"},
		{"sur\xed\xa0\x80", "sur???"},
		{"\xef\xbb\xbf"
		 "bom",
		 "?bom"},
	};
	char buf[64];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		text_clean(buf, sizeof(buf), cases[i].raw, strlen(cases[i].raw));
		assert_string_equal(buf, cases[i].clean);
	}
}

static void clean_text_is_never_cut_within_a_character(void **state)
{
	char buf[6];

	(void)state;
	assert_int_equal(text_clean(buf, sizeof(buf), "abc\xe2\x82\xac", 6), 3);
	assert_string_equal(buf, "abc");
	assert_int_equal(text_clean(buf, 1, "abc", 3), 0);
	assert_string_equal(buf, "");
}

static void errors_have_a_name_and_words(void **state)
{
	char buf[64];

	(void)state;
	assert_string_equal(err_words(EACCES, buf, sizeof(buf)), "EACCES: permission denied");
	assert_string_equal(err_words(EPERM, buf, sizeof(buf)), "EPERM: operation not permitted");
	assert_string_equal(err_words(99999, buf, sizeof(buf)), "error: unknown");
}

static void the_clock_goes_forward_and_sleeps_long_enough(void **state)
{
	uint64_t from = clock_now();

	(void)state;
	pause_ns(2 * NS_PER_MS);
	assert_true(clock_now() - from >= 2 * NS_PER_MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_are_formatted_and_parsed),
		cmocka_unit_test(durations_have_three_digits),
		cmocka_unit_test(ratios_shares_and_times_read_well),
		cmocka_unit_test(numbers_are_parsed_whole_or_not_at_all),
		cmocka_unit_test(sizes_are_cols_by_rows),
		cmocka_unit_test(text_from_outside_cannot_steer_the_terminal),
		cmocka_unit_test(clean_text_is_never_cut_within_a_character),
		cmocka_unit_test(errors_have_a_name_and_words),
		cmocka_unit_test(the_clock_goes_forward_and_sleeps_long_enough),
	};

	return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
