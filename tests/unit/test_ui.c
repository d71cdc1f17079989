/* Keys, layout, axis and the command line: everything of the screen that is not drawing. */
#include "base/clock.h"
#include "cmd/options.h"
#include "pressing.h"
#include "ui/axis.h"
#include "ui/commands.h"
#include "ui/key.h"
#include "ui/view.h"
#include "test.h"

#include <errno.h>
#include <stdlib.h>

static void every_key_of_the_table_exists_and_is_unique(void **state)
{
	int seen[1024] = {0};

	(void)state;
	for (int i = 0; i < UI_COMMAND_COUNT; i++) {
		const struct ui_command_info *info = ui_command((enum ui_command)i);
		assert_true(info->what[0] != '\0');
		for (const char *k = info->keys; *k;) {
			size_t len = strcspn(k, " ");
			int code = key_parse(k, len);
			assert_true(code > 0 && code < 1024);
			assert_int_equal(seen[code]++, 0);
			assert_int_equal(ui_command_of_key(code), i);
			k += len + strspn(k + len, " ");
		}
	}
}

static void keys_have_names(void **state)
{
	const char *script = " F8  @1.5 ^L Esc x";
	struct key_step step;

	(void)state;
	assert_int_equal(key_parse("F12", 3), KEY_F(12));
	assert_int_equal(key_parse("F13", 3), -1);
	assert_int_equal(key_parse("Bogus", 5), -1);
	assert_int_equal(key_parse("\x01", 1), -1);
	assert_int_equal(key_script_next(&script, &step), 1);
	assert_int_equal(step.key, KEY_F(8));
	assert_int_equal(key_script_next(&script, &step), 1);
	assert_int_equal(step.key, -1);
	assert_float_equal(step.wait_s, 1.5, 1e-9);
	for (int i = 0; i < 3; i++)
		assert_int_equal(key_script_next(&script, &step), 1);
	assert_int_equal(key_script_next(&script, &step), 0);
	script = "@";
	assert_int_equal(key_script_next(&script, &step), -EINVAL);
	script = "@-1";
	assert_int_equal(key_script_next(&script, &step), -EINVAL);
	script = "@nan";
	assert_int_equal(key_script_next(&script, &step), -EINVAL);
}

static void nice_keys_go_to_what_is_selected(void **state)
{
	(void)state;
	press("F8 F7");
	assert_int_equal(nsent, 2);
	assert_int_equal(sent[0].kind, COMMAND_SET);
	assert_int_equal(sent[0].group, 1);
	assert_int_equal(sent[0].knob, KNOB_NICE_VALUE);
	assert_true(sent[0].relative);
	assert_int_equal(sent[0].value, 1);
	assert_int_equal(sent[1].value, -1);
	press("S-Tab [");
	assert_int_equal(view.pane, PANE_HOGS);
	assert_int_equal(sent[2].group, 0);
	press("S-Tab S-Tab Down F8");
	assert_int_equal(view.pane, PANE_THREADS);
	assert_int_equal(sent[3].kind, COMMAND_THREAD_NICE);
	assert_int_equal(sent[3].tid, 8122);
}

static void a_nice_is_typed(void **state)
{
	(void)state;
	press("n 1 9 Enter");
	assert_int_equal(nsent, 1);
	assert_int_equal(sent[0].group, 1);
	assert_int_equal(sent[0].value, 19);
	assert_false(sent[0].relative);
	press("n - 5 BSpace 7 Enter");
	assert_int_equal(sent[1].value, -7);
	press("n 9 9 Enter");
	assert_int_equal(nsent, 2);
	assert_int_equal(view.mode, MODE_PROMPT); /* open, to be mended */
	assert_true(view.prompt.refused);
	press("BSpace Enter");
	assert_int_equal(sent[2].value, 9);
	nsent = 2;
	press("n 1 9 Esc n Enter");
	assert_int_equal(nsent, 2);
	assert_int_equal(view.mode, MODE_NORMAL);
	assert_false(view.quit);
}

static void digits_go_to_the_selected_knob(void **state)
{
	(void)state;
	press("S-Tab 1 2 Enter");
	assert_int_equal(sent[0].knob, KNOB_COUNT);
	assert_int_equal(sent[0].value, 12);
	press("Down Down 3");
	assert_int_equal(view.mode, MODE_NORMAL);
	assert_non_null(strstr(view.message, "no number"));
}

static void arrows_turn_the_selected_knob(void **state)
{
	(void)state;
	press("Down Right");
	assert_int_equal(sent[0].knob, KNOB_SCOPE);
	assert_int_equal(sent[0].group, -1);
	press("Down Down Left");
	assert_int_equal(sent[1].knob, KNOB_THREADS);
	assert_int_equal(sent[1].value, -1);
	press("Down Down Down Down Down Down Down");
	assert_non_null(view_knob(&scene, PANE_VICTIM, view.row[PANE_VICTIM]));
	assert_null(view_knob(&scene, PANE_VICTIM, view.row[PANE_VICTIM] + 1));
}

static void simple_keys_send_their_command(void **state)
{
	static const struct {
		const char *key;
		enum command_kind kind;
	} cases[] = {{"R", COMMAND_RESPAWN},
		     {"b", COMMAND_BASELINE},
		     {"z", COMMAND_CLEAR},
		     {"Space", COMMAND_PAUSE},
		     {"x", COMMAND_END_HOGS}};
	static const struct {
		const char *key;
		enum knob knob;
		int value;
	} knobs[] = {{"+", KNOB_COUNT, 1},    {"-", KNOB_COUNT, -1}, {"t", KNOB_SCOPE, 1},
		     {"a", KNOB_SESSIONS, 1}, {"p", KNOB_CPUS, 1},   {"<", KNOB_INTERVAL, 1},
		     {">", KNOB_INTERVAL, -1}};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		nsent = 0;
		press(cases[i].key);
		assert_int_equal(nsent, 1);
		assert_int_equal(sent[0].kind, cases[i].kind);
	}
	for (size_t i = 0; i < COUNT(knobs); i++) {
		nsent = 0;
		press(knobs[i].key);
		assert_int_equal(nsent, 1);
		assert_int_equal(sent[0].knob, knobs[i].knob);
		assert_int_equal(sent[0].value, knobs[i].value);
		assert_true(sent[0].relative);
	}
}

static void an_io_priority_is_chosen(void **state)
{
	(void)state;
	press("i Down Down Enter");
	assert_int_equal(nsent, 1);
	assert_int_equal(sent[0].knob, KNOB_IONICE);
	assert_int_equal(sent[0].value, 1 << 13 | 1);
	press("i Esc");
	assert_int_equal(nsent, 1);
	press("Tab i Enter");
	assert_int_equal(sent[1].kind, COMMAND_THREAD_IOPRIO);
	assert_int_equal(sent[1].tid, 8121);
}

static void esc_never_quits_and_q_does(void **state)
{
	(void)state;
	press("Esc F1 q");
	assert_false(view.quit);
	assert_int_equal(view.mode, MODE_NORMAL);
	press("/ q Enter");
	assert_false(view.quit);
	assert_string_equal(view.filter, "q");
	press("Esc q");
	assert_true(view.quit);
	assert_string_equal(view.filter, "");
}

static void control_c_quits_whatever_is_open(void **state)
{
	(void)state;
	press("n 1 ^C");
	assert_true(view.quit);
}

static void filter_and_h_choose_the_threads(void **state)
{
	(void)state;
	assert_int_equal(view_threads(&view, &scene, NULL, 0), 8);
	press("H");
	assert_int_equal(view_threads(&view, &scene, NULL, 0), 2);
	press("H / H o g - 4 Enter");
	assert_int_equal(view_threads(&view, &scene, NULL, 0), 1);
	assert_int_equal(view_thread(&view, &scene)->ordinal, 4);
	press("Esc / n o n e Enter");
	assert_null(view_thread(&view, &scene));
	press("Tab F8 n i");
	assert_int_equal(nsent, 0);
}

static void the_selection_walks_the_threads_and_stops_at_the_ends(void **state)
{
	(void)state;
	press("Tab Down Down");
	assert_int_equal(view_thread(&view, &scene)->tid, 8123);
	press("PgDn PgDn PgDn");
	assert_int_equal(view_thread(&view, &scene)->tid, 8128);
	press("PgUp PgUp PgUp Up");
	assert_int_equal(view_thread(&view, &scene)->tid, 8121);
}

static void a_vanished_thread_is_not_replaced_by_another(void **state)
{
	(void)state;
	press("Tab Down Down Down");
	assert_int_equal(view_thread(&view, &scene)->ordinal, 2);
	scene.threads[3].tid = scene.threads[3].pid = 9999; /* hog-2 was replaced: it is still hog-2 */
	assert_int_equal(view_thread(&view, &scene)->tid, 9999);
	scene.nthreads = 3; /* hog-2 is gone */
	assert_null(view_thread(&view, &scene));
	press("F8 n i 5");
	assert_int_equal(nsent, 0);
	assert_int_equal(view.mode, MODE_NORMAL);
	assert_non_null(strstr(view.message, "no thread is selected"));
	press("Down");
	assert_non_null(view_thread(&view, &scene));
}

static void the_mouse_selects_and_changes_nothing(void **state)
{
	struct layout l = layout_of(24, 80, false);

	(void)state;
	view_click(&view, &scene, &l, l.hogs.row + 3, 2);
	assert_int_equal(view.pane, PANE_HOGS);
	assert_int_equal(view.row[PANE_HOGS], 2);
	view_click(&view, &scene, &l, l.threads.row + 2, 5);
	assert_int_equal(view.pane, PANE_THREADS);
	assert_int_equal(view_thread(&view, &scene)->tid, 8122);
	for (int row = -2; row < 40; row++)
		for (int col = -2; col < 90; col += 3)
			view_click(&view, &scene, &l, row, col);
	view_wheel(&view, &scene, 1);
	view_wheel(&view, &scene, -1);
	assert_int_equal(nsent, 0);
}

static bool overlap(const struct rect *a, const struct rect *b)
{
	return a->rows > 0 && b->rows > 0 && a->row < b->row + b->rows && b->row < a->row + a->rows &&
	       a->col < b->col + b->cols && b->col < a->col + a->cols;
}

static void check_layouts(bool disk)
{
	for (int rows = 1; rows <= 80; rows++)
		for (int cols = 1; cols <= 240; cols += 7) {
			struct layout l = layout_of(rows, cols, disk);
			const struct rect *all[] = {&l.header,	&l.hogs,    &l.victim,	 &l.effect,
						    &l.disk,	&l.latency, &l.timeline, &l.threads,
						    &l.verdict, &l.status,  &l.footer};
			assert_int_equal(l.fits, rows >= 10 && cols >= 40);
			if (!l.fits)
				continue;
			assert_true(l.threads.rows >= 2 && l.latency.rows >= 1);
			for (size_t i = 0; i < COUNT(all); i++) {
				assert_true(all[i]->row >= 0 && all[i]->row + all[i]->rows <= rows);
				assert_true(all[i]->col >= 0 && all[i]->col + all[i]->cols <= cols);
				for (size_t k = 0; k < i; k++)
					assert_false(overlap(all[i], all[k]));
			}
		}
}

static void panes_fit_and_do_not_overlap_at_any_size(void **state)
{
	(void)state;
	check_layouts(false);
	check_layouts(true);
}

static void an_axis_holds_what_was_included(void **state)
{
	struct axis a = axis_empty();
	char buf[24];

	(void)state;
	axis_include(&a, 10 * NS_PER_MS);
	axis_include(&a, 2 * NS_PER_SEC);
	axis_settle(&a, 5);
	assert_true(axis_position(&a, 10 * NS_PER_MS) > 0);
	assert_true(axis_position(&a, 2 * NS_PER_SEC) < 1);
	assert_int_equal(axis_first(&a), 7);
	assert_int_equal(axis_last(&a), 9);
	assert_string_equal(axis_label(buf, sizeof(buf), 7), "10 ms");
	assert_string_equal(axis_label(buf, sizeof(buf), 9), "1 s");
	assert_float_equal(axis_position(&a, 0), 0, 1e-9);
	assert_float_equal(axis_position(&a, UINT64_MAX), 1, 1e-9);
	a = axis_empty();
	axis_settle(&a, 7);
	assert_int_equal(a.high - a.low, 7);
	axis_include(&a, 0);
	axis_include(&a, UINT64_MAX);
	assert_true(a.low >= 0 && a.high <= 26);
}

static int parse(const char *line, struct live_request *r)
{
	static char copy[256];
	char *argv[40] = {NULL};
	char *save = NULL;
	int argc = 0;

	snprintf(copy, sizeof(copy), "nicelab %s", line);
	for (char *word = strtok_r(copy, " ", &save); word && argc < 39; word = strtok_r(NULL, " ", &save))
		argv[argc++] = word;
	return options_parse(argc, argv, r);
}

static void options_set_the_knobs(void **state)
{
	struct live_request *r = malloc(sizeof(*r));

	(void)state;
	assert_int_equal(parse("--hogs 9 --hog-nice -5 --victim-nice=-3 --victim-ionice be:7 --work 20 "
			       "--scope process "
			       "--sessions own --cpus 0 --window 30 --interval 200 --size 100x32 --ascii",
			       r),
			 0);
	assert_int_equal(r->lab.groups[0].knobs[KNOB_COUNT], 9);
	assert_int_equal(r->lab.groups[0].knobs[KNOB_NICE_VALUE], -5);
	assert_int_equal(r->lab.groups[1].knobs[KNOB_NICE_VALUE], -3);
	assert_int_equal(r->lab.groups[1].knobs[KNOB_IONICE], 2 << 13 | 7);
	assert_int_equal(r->lab.groups[0].knobs[KNOB_IONICE], KNOB_UNASKED);
	assert_int_equal(r->lab.groups[1].knobs[KNOB_WORK], 20);
	assert_int_equal(r->lab.knobs[KNOB_SCOPE], SCOPE_PROCESS);
	assert_int_equal(r->lab.knobs[KNOB_SESSIONS], SESSIONS_OWN);
	assert_int_equal(r->lab.knobs[KNOB_WINDOW], 30);
	assert_int_equal(cpulist_count(&r->lab.cpus), 1);
	assert_int_equal(r->ui.term.cols, 100);
	assert_true(r->ui.term.ascii);
	assert_int_equal(parse("--cpus one", r), 0);
	assert_int_equal(r->lab.knobs[KNOB_CPUS], CPUS_ONE);
	free(r);
}

static void bad_options_are_refused(void **state)
{
	static const char *const bad[] = {
		"--hogs abc",
		"--hogs 1025",
		"--hogs -1",
		"--hogs",
		"--bogus",
		"--hog-nice 20",
		"--hog-nice x",
		"--victim-nice -21",
		"--hog-ionice be:8",
		"--victim-ionice idle:2",
		"--hog-ionice nope",
		"--victim-threads 0",
		"--victim-threads 65",
		"--work 0",
		"--work 10001",
		"--scope all",
		"--sessions mine",
		"--cpus 3-1",
		"--cpus x",
		"--window 0",
		"--window 301",
		"--interval 1",
		"--theme pink",
		"--keys Bogus",
		"--size 80",
		"--hog-kind disk",
		"--victim-kind cpu",
		"stray",
		"--ascii=1",
		"--w 300",
		"--s own",
		"-x",
	};
	struct live_request *r = malloc(sizeof(*r));
	FILE *err = stderr, *null = fopen("/dev/null", "w");

	(void)state;
	stderr = null;
	for (size_t i = 0; i < COUNT(bad); i++)
		if (parse(bad[i], r) != -EINVAL)
			fail_msg("accepted: %s", bad[i]);
	stderr = err;
	fclose(null);
	free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_key_of_the_table_exists_and_is_unique),
		cmocka_unit_test(keys_have_names),
		cmocka_unit_test_setup_teardown(nice_keys_go_to_what_is_selected, pressing_default,
						pressing_teardown),
		cmocka_unit_test_setup_teardown(a_nice_is_typed, pressing_default, pressing_teardown),
		cmocka_unit_test_setup_teardown(digits_go_to_the_selected_knob, pressing_default,
						pressing_teardown),
		cmocka_unit_test_setup_teardown(arrows_turn_the_selected_knob, pressing_default,
						pressing_teardown),
		cmocka_unit_test_setup_teardown(simple_keys_send_their_command, pressing_default,
						pressing_teardown),
		cmocka_unit_test_setup_teardown(an_io_priority_is_chosen, pressing_default,
						pressing_teardown),
		cmocka_unit_test_setup_teardown(esc_never_quits_and_q_does, pressing_default,
						pressing_teardown),
		cmocka_unit_test_setup_teardown(control_c_quits_whatever_is_open, pressing_default,
						pressing_teardown),
		cmocka_unit_test_setup_teardown(filter_and_h_choose_the_threads, pressing_default,
						pressing_teardown),
		cmocka_unit_test_setup_teardown(the_selection_walks_the_threads_and_stops_at_the_ends,
						pressing_default, pressing_teardown),
		cmocka_unit_test_setup_teardown(a_vanished_thread_is_not_replaced_by_another,
						pressing_default, pressing_teardown),
		cmocka_unit_test_setup_teardown(the_mouse_selects_and_changes_nothing, pressing_default,
						pressing_teardown),
		cmocka_unit_test(panes_fit_and_do_not_overlap_at_any_size),
		cmocka_unit_test(an_axis_holds_what_was_included),
		cmocka_unit_test(options_set_the_knobs),
		cmocka_unit_test(bad_options_are_refused),
	};

	return cmocka_run_group_tests_name("ui", tests, NULL, NULL);
}
