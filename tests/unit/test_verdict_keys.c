/* Verdicts at the keyboard and the mouse: walked, told whole, mended. */
#include "pressing.h"
#include "ui/layout.h"
#include "test.h"

static const char *shown(void)
{
	const struct snapshot_verdict *v = view_verdict(&view, &scene, NULL);

	return v ? verdict_info(v->rule)->code : "";
}

static void assert_fix(const struct command *c, enum verdict_fix fix)
{
	assert_int_equal(c->kind, COMMAND_FIX);
	assert_int_equal(c->value, fix);
	assert_int_equal(c->group, 1);
	assert_int_equal(c->what, WHAT_NICE);
	assert_int_equal(c->tid, 8121);
}

static void f_sends_the_first_remedy(void **state)
{
	(void)state;
	press("f");
	assert_int_equal(nsent, 1);
	assert_fix(&sent[0], FIX_SESSION_NICE);
}

static void the_whole_verdict_offers_both_remedies(void **state)
{
	(void)state;
	press("Enter");
	assert_int_equal(view.mode, MODE_VERDICT);
	press("Down Down Up Enter");
	assert_int_equal(view.mode, MODE_NORMAL);
	assert_fix(&sent[0], FIX_SESSION_NICE);
	press("Enter Down Enter");
	assert_fix(&sent[1], FIX_SHARE_SESSION);
	press("Enter Esc q");
	assert_int_equal(nsent, 2);
	assert_true(view.quit);
}

static void arrows_walk_the_verdicts_round(void **state)
{
	static const char *const order[] = {"denied-eacces", "reverted", "clamped", "denied-eacces"};

	(void)state;
	press("Tab Tab");
	assert_int_equal(view.pane, PANE_VERDICT);
	for (size_t i = 0; i < COUNT(order); i++) {
		assert_string_equal(shown(), order[i]);
		press("Right");
	}
	assert_string_equal(shown(), "reverted");
	press("Up Up");
	assert_string_equal(shown(), "clamped");
	press("Enter Left");
	assert_string_equal(shown(), "reverted");
	assert_int_equal(nsent, 0);
}

/* What is shown stays what it is while others come and go before it. */
static void the_selected_verdict_stays_selected(void **state)
{
	(void)state;
	press("Tab Tab Right");
	assert_string_equal(shown(), "reverted");
	scene.verdicts[0] = scene.verdicts[1];
	scene.nverdicts = 1;
	assert_string_equal(shown(), "reverted");
	scene.verdicts[0] = scene.verdicts[2];
	assert_string_equal(shown(), "clamped");
	scene.nverdicts = 0;
	assert_string_equal(shown(), "");
	press("f");
	assert_int_equal(nsent, 0);
}

static void without_a_verdict_the_keys_say_so(void **state)
{
	(void)state;
	press("f");
	assert_non_null(strstr(view.message, "no verdict"));
	press("Enter");
	assert_int_equal(view.mode, MODE_NORMAL);
	assert_int_equal(nsent, 0);
}

static void what_nicelab_cannot_do_is_told(void **state)
{
	(void)state;
	scene.verdicts[0].fix = FIX_NONE;
	press("f");
	assert_int_equal(nsent, 0);
	assert_non_null(strstr(view.message, "cannot"));
}

static void the_mouse_walks_and_sends_nothing(void **state)
{
	struct layout l = layout_of(32, 100, false);

	(void)state;
	view_click(&view, &scene, &l, l.verdict.row + 1, 10);
	assert_int_equal(view.pane, PANE_VERDICT);
	assert_string_equal(shown(), "reverted");
	view_wheel(&view, &scene, 1);
	assert_string_equal(shown(), "clamped");
	assert_int_equal(nsent, 0);
}

/* The lab can be turned while the arithmetic is shown. */
static void the_arithmetic_leaves_the_keys_free(void **state)
{
	(void)state;
	press("T");
	assert_int_equal(view.mode, MODE_THEORY);
	press("F8");
	assert_int_equal(view.mode, MODE_THEORY);
	assert_int_equal(sent[0].knob, KNOB_NICE_VALUE);
	press("T");
	assert_int_equal(view.mode, MODE_NORMAL);
}

static void traps_have_a_key_each(void **state)
{
	static const struct {
		const char *key;
		int group;
		enum knob knob;
		long value;
	} keys[] = {{"t", -1, KNOB_SCOPE, 1},	   {"a", -1, KNOB_SESSIONS, 1},
		    {"p", -1, KNOB_CPUS, 1},	   {"u", -1, KNOB_USER, 1},
		    {"y", 1, KNOB_POLICY, 1},	   {"{", 1, KNOB_SESSION_NICE, -1},
		    {"}", 1, KNOB_SESSION_NICE, 1}};

	(void)state;
	for (size_t i = 0; i < COUNT(keys); i++) {
		press(keys[i].key);
		assert_int_equal(nsent, i + 1);
		assert_int_equal(sent[i].kind, COMMAND_SET);
		assert_int_equal(sent[i].group, keys[i].group);
		assert_int_equal(sent[i].knob, keys[i].knob);
		assert_int_equal(sent[i].value, keys[i].value);
		assert_true(sent[i].relative);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(f_sends_the_first_remedy, pressing_autogroup,
						pressing_teardown),
		cmocka_unit_test_setup_teardown(the_whole_verdict_offers_both_remedies, pressing_autogroup,
						pressing_teardown),
		cmocka_unit_test_setup_teardown(arrows_walk_the_verdicts_round, pressing_trouble,
						pressing_teardown),
		cmocka_unit_test_setup_teardown(the_selected_verdict_stays_selected, pressing_trouble,
						pressing_teardown),
		cmocka_unit_test_setup_teardown(without_a_verdict_the_keys_say_so, pressing_default,
						pressing_teardown),
		cmocka_unit_test_setup_teardown(what_nicelab_cannot_do_is_told, pressing_autogroup,
						pressing_teardown),
		cmocka_unit_test_setup_teardown(the_mouse_walks_and_sends_nothing, pressing_trouble,
						pressing_teardown),
		cmocka_unit_test_setup_teardown(the_arithmetic_leaves_the_keys_free, pressing_default,
						pressing_teardown),
		cmocka_unit_test_setup_teardown(traps_have_a_key_each, pressing_default, pressing_teardown),
	};

	return cmocka_run_group_tests_name("verdict keys", tests, NULL, NULL);
}
