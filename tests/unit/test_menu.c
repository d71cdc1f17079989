/* The menus and the disk at the keyboard: kinds of load, I/O priorities, elevators, sizes. */
#include "pressing.h"
#include "test.h"

#define IDLE (IOCLASS_IDLE << 13)
#define BE(level) (IOCLASS_BE << 13 | (level))

static void a_menu_opens_at_what_is_set(void **state)
{
	(void)state;
	press("i Enter");
	assert_int_equal(nsent, 1);
	assert_int_equal(sent[0].kind, COMMAND_SET);
	assert_int_equal(sent[0].knob, KNOB_IONICE);
	assert_int_equal(sent[0].group, 1);
	assert_int_equal(sent[0].value, IDLE);
	press("i Up Enter");
	assert_int_equal(sent[1].value, BE(7));
	assert_int_equal(view.mode, MODE_NORMAL);
}

static void the_menu_goes_to_the_selected_thread(void **state)
{
	(void)state;
	press("Tab Down i Up Enter");
	assert_int_equal(sent[0].kind, COMMAND_THREAD_IOPRIO);
	assert_int_equal(sent[0].tid, 8123);
}

static void escape_and_the_own_key_close_a_menu(void **state)
{
	static const char *const scripts[] = {"i Esc", "i i", "o o", "v Esc", "E E", "E Esc", "E Enter Esc"};

	(void)state;
	for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++) {
		press(scripts[i]);
		assert_int_equal(view.mode, MODE_NORMAL);
	}
	assert_int_equal(nsent, 0);
}

static void every_kind_can_be_chosen(void **state)
{
	(void)state;
	press("o Up Up Up Up Up Up Enter");
	assert_int_equal(sent[0].kind, COMMAND_KIND);
	assert_int_equal(sent[0].group, 0);
	assert_int_equal(sent[0].value, LOAD_SPIN);
	press("o Down Down Down Down Down Down Down Down Enter");
	assert_int_equal(sent[1].value, LOAD_TREE_HOG);
	press("v Up Up Up Up Up Up Enter");
	assert_int_equal(sent[2].group, 1);
	assert_int_equal(sent[2].value, LOAD_WORK);
	press("v Down Down Down Down Down Down Down Down Enter");
	assert_int_equal(sent[3].value, LOAD_TREE);
}

static void a_shared_device_is_asked_about_once(void **state)
{
	(void)state;
	press("E Down Enter");
	assert_int_equal(nsent, 0);
	assert_true(view.menu_confirm);
	press("Enter");
	assert_int_equal(nsent, 1);
	assert_int_equal(sent[0].kind, COMMAND_ELEVATOR);
	assert_string_equal(sent[0].word, "kyber");
	/* Another choice is another question. */
	press("E Up Enter Down Enter");
	assert_int_equal(nsent, 1);
	press("Enter");
	assert_string_equal(sent[1].word, "mq-deadline");
}

static void the_own_loop_device_is_not_asked_about(void **state)
{
	(void)state;
	scene.disk.device = 0;
	press("E Down Down Down Enter");
	assert_int_equal(nsent, 1);
	assert_string_equal(sent[0].word, "bfq");
}

static void without_a_device_it_is_said(void **state)
{
	(void)state;
	press("E");
	assert_int_equal(view.mode, MODE_NORMAL);
	assert_non_null(strstr(view.message, "no device"));
}

static void whoever_may_not_is_told(void **state)
{
	(void)state;
	scene.disk.may_set = false;
	press("E");
	assert_int_equal(view.mode, MODE_NORMAL);
	assert_non_null(strstr(view.message, "only root"));
}

/* The first remedy is the idle class; the second sets an elevator that others would feel too. */
static void f_on_a_shared_device_asks_before_it_sets_an_elevator(void **state)
{
	(void)state;
	press("f");
	assert_int_equal(sent[0].kind, COMMAND_FIX);
	assert_int_equal(sent[0].value, FIX_CLASS_IDLE);
	press("Enter Down Enter");
	assert_int_equal(nsent, 1);
	assert_int_equal(view.mode, MODE_MENU);
	press("Enter");
	assert_int_equal(nsent, 1);
	press("Enter");
	assert_int_equal(sent[1].kind, COMMAND_ELEVATOR);
	assert_string_equal(sent[1].word, "bfq");
}

static void sizes_are_typed_with_their_letter(void **state)
{
	(void)state;
	press("Down Down Down 4 M Enter");
	assert_int_equal(nsent, 1);
	assert_int_equal(sent[0].knob, KNOB_BLOCK);
	assert_int_equal(sent[0].group, -1);
	assert_int_equal(sent[0].value, 4L << 20);
	press("1 0 x Enter");
	assert_int_equal(nsent, 1);
	assert_true(view.prompt.refused);
	press("Esc 1 . 5 M Enter");
	assert_int_equal(nsent, 1);
	assert_true(view.prompt.refused);
	press("Esc 9 9 9 9 9 9 9 9 9 9 9 9 G Enter");
	assert_int_equal(nsent, 1);
	assert_true(view.prompt.refused);
	press("Esc Left");
	assert_int_equal(sent[1].value, -1);
	assert_true(sent[1].relative);
}

static void knobs_of_a_disk_come_first_where_it_is_used(void **state)
{
	(void)state;
	assert_int_equal(view_knob(&scene, PANE_VICTIM, 0)->knob, KNOB_IONICE);
	assert_string_equal(view_knob_name(&scene, PANE_HOGS, view_knob(&scene, PANE_HOGS, 2)), "depth");
	assert_int_equal(view_knob(&scene, PANE_VICTIM, 1)->knob, KNOB_IO_SAMPLE);
	scene.groups[1].kind = LOAD_TREE;
	assert_int_equal(view_knob(&scene, PANE_VICTIM, 1)->knob, KNOB_THREADS);
	assert_int_equal(view_knob(&scene, PANE_VICTIM, 3)->knob, KNOB_TREE);
	scene.groups[1].kind = LOAD_WORK;
	assert_int_equal(view_knob(&scene, PANE_VICTIM, 0)->knob, KNOB_NICE_VALUE);
	assert_int_equal(view_knob(&scene, PANE_HOGS, 1)->knob, KNOB_IONICE);
}

static void the_devices_are_shown_while_the_lab_is_turned(void **state)
{
	(void)state;
	press("D");
	assert_int_equal(view.mode, MODE_DISK);
	press("+");
	assert_int_equal(view.mode, MODE_DISK);
	assert_int_equal(sent[0].knob, KNOB_COUNT);
	press("D");
	assert_int_equal(view.mode, MODE_NORMAL);
	press("D q");
	assert_false(view.quit);
	assert_int_equal(view.mode, MODE_NORMAL);
}

#define KEYS(test, pressing_default) \
	cmocka_unit_test_setup_teardown(test, pressing_default, pressing_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		KEYS(a_menu_opens_at_what_is_set, pressing_disk),
		KEYS(the_menu_goes_to_the_selected_thread, pressing_disk),
		KEYS(escape_and_the_own_key_close_a_menu, pressing_disk),
		KEYS(every_kind_can_be_chosen, pressing_disk),
		KEYS(a_shared_device_is_asked_about_once, pressing_disk),
		KEYS(the_own_loop_device_is_not_asked_about, pressing_stack),
		KEYS(without_a_device_it_is_said, pressing_default),
		KEYS(whoever_may_not_is_told, pressing_disk),
		KEYS(f_on_a_shared_device_asks_before_it_sets_an_elevator, pressing_levels),
		KEYS(sizes_are_typed_with_their_letter, pressing_disk),
		KEYS(knobs_of_a_disk_come_first_where_it_is_used, pressing_disk),
		KEYS(the_devices_are_shown_while_the_lab_is_turned, pressing_disk),
	};

	return cmocka_run_group_tests_name("menus", tests, NULL, NULL);
}
