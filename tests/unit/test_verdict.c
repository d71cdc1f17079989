/* The table of rules as a whole: codes, texts, no false alarm, notes, lists that run over, names from outside. The rules one by one are in
 * the other files of this name. */
#include "test_verdict.h"

#include <ctype.h>
#include <stdlib.h>

static bool is_kebab(const char *code)
{
	if (!islower((unsigned char)code[0]))
		return false;
	for (const char *p = code; *p; p++)
		if (!islower((unsigned char)*p) && !isdigit((unsigned char)*p) &&
		    (*p != '-' || !isalnum((unsigned char)p[1])))
			return false;
	return true;
}

static void every_code_is_in_order(void **state)
{
	unsigned n = verdict_count();

	(void)state;
	assert_in_range(n, 1, 254); /* struct verdict_list keeps bytes */
	for (unsigned i = 0; i < n; i++) {
		const struct verdict_info *v = verdict_info(i);
		if (!is_kebab(v->code) || verdict_find(v->code) != (int)i)
			fail_msg("rule %u: '%s' is not kebab-case, or not its alone", i, v->code);
		if (v->status == STATUS_NONE || v->status == STATUS_PENDING || v->status >= STATUS_COUNT)
			fail_msg("%s: no status for a verdict", v->code);
		if (v->reference[0] == '\0')
			fail_msg("%s: nothing backs it", v->code);
	}
	assert_int_equal(verdict_find("no-such-code"), -1);
	assert_int_equal(verdict_find(""), -1);
}

/* Scripts rely on these. */
static void the_promised_codes_are_there(void **state)
{
	static const char *const codes[] = {
		"main-thread-only",
		"thread-born-after",
		"clamped",
		"denied-eacces",
		"denied-eperm",
		"denied-userns",
		"rlimit-nice",
		"reverted",
		"pid-gone",
		"pid-reused",
		"zombie",
		"kthread",
		"policy-idle",
		"policy-realtime",
		"policy-deadline",
		"reset-on-fork",
		"sched-ext",
		"autogroup",
		"cgroup-weight",
		"cgroup-quota",
		"cgroup-idle",
		"no-contention",
		"no-shared-cpu",
		"not-cpu-bound",
		"rival-realtime",
		"step-too-small",
		"off-prediction",
		"ioprio-from-nice",
		"elevator-none",
		"elevator-kyber",
		"elevator-unknown",
		"ioprio-level-overflow",
		"page-cache",
		"writeback",
		"stacked-device",
		"elevator-level-ignored",
		"tmpfs-direct",
		"no-device-queue",
		"io-no-contention",
		"io-cgroup-policy",
		"unreadable",
		"stack-unseen",
		"loop-drops-ioprio",
		"cpu-not-disk",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(codes); i++)
		rule_of(codes[i]);
}

static void every_fix_has_words(void **state)
{
	(void)state;
	for (int i = 0; i < FIX_COUNT; i++)
		assert_int_equal(verdict_fix_words((enum verdict_fix)i)[0] == '\0', i == FIX_NONE);
	for (unsigned i = 0; i < verdict_count(); i++) {
		const struct verdict_info *v = verdict_info(i);
		assert_true(v->fix < FIX_COUNT && v->other_fix < FIX_COUNT);
		assert_true(v->other_fix == FIX_NONE || v->fix != FIX_NONE);
	}
}

static void every_text_stands_in_general_form(void **state)
{
	char text[TEXT];

	(void)state;
	for (unsigned i = 0; i < verdict_count(); i++) {
		check_text(verdict_info(i)->code, verdict_why(text, TEXT, i, NULL));
		check_text(verdict_info(i)->code, verdict_remedy(text, TEXT, i, NULL));
	}
}

static void judge(const struct world *w, struct verdict_list *list)
{
	struct facts f = facts_of(w);

	verdict_judge(&f, list);
	assert_null(list_fault(list, &f));
}

#define SIX .total = 7, .reachable = 7, .differ = 6, .nearest = 19, .farthest = 19
#define HOST .h = {.autogroup = TRI_YES, .sched_ext = TRI_NO, .schedstat = TRI_YES, .steal = IS(0)}
#define FAIR POLICY(SCHED_OTHER), .state = 'R', .cpus = 2
#define WEIGHT(n, w) NICE_STORED(n), .weight = IS(w)
#define OUTSIDE .outside = IS(0.02)

static const struct {
	const char *name;
	struct world w;
} plain[] = {
	{"nothing known", {.f = {.what = WHAT_NICE}}},
	{"nothing asked", {.f = {.what = WHAT_NICE, FAIR, RIVALS(SIX)}, HOST}},
	{"no ioprio asked",
	 {.f = {.what = WHAT_IOPRIO}, .i = {.does_io = TRI_YES, .elevator = ELEVATOR_NONE}}},
	{"pending", {.f = {NICE_READ(STATUS_PENDING, 19, 0), FAIR, .deliberate = true, RIVALS(SIX)}, HOST}},
	{"ioprio pending", {.f = {IO_READ(STATUS_PENDING, BE(8), 0)}, .i = {.elevator = ELEVATOR_NONE}}},
	{"born with what was asked",
	 {.f = {NICE_BORN(0), .weight = IS(1024), FAIR, RIVALS(SIX), SHARE(0.33, 0.33, IS(0.32), OUTSIDE)},
	  HOST,
	  .p = {.children_apart = 1, .threads = 3, .reached = 3}}},
	{"born with it, alone", {.f = {NICE_BORN(0), FAIR, RIVALS(.total = 0), .run = IS(0), .wait = IS(0)}}},
	{"born with its ioprio",
	 {.f = {IO_READ(STATUS_APPLIED, 0, 0), POLICY(SCHED_OTHER)},
	  .i = {.does_io = TRI_YES, .elevator = ELEVATOR_NONE, .buffered_writes = TRI_YES}}},
	{"victim 19, six hogs 0",
	 {.f = {WEIGHT(19, 15), FAIR, RIVALS(SIX, .waiting = IS(0.67)), .run = IS(0.005), .wait = IS(0.99),
		SHARE(0.0049, 0.0049, IS(0.0052), OUTSIDE)},
	  HOST}},
	{"hogs 19, victim 0: a hog",
	 {.f = {WEIGHT(19, 15), FAIR,
		RIVALS(.total = 7, .reachable = 7, .differ = 2, .nearest = 19, .farthest = 19,
		       .waiting = IS(0.99)),
		.run = IS(0.01), .wait = IS(0.98), SHARE(0.005, 0.005, IS(0.006), OUTSIDE)},
	  HOST}},
	{"hogs 19, victim 0: the victim",
	 {.f = {WEIGHT(0, 1024), FAIR, RIVALS(SIX, .waiting = IS(0.98)), .run = IS(0.97), .wait = IS(0.02),
		SHARE(0.96, 1, IS(0.97), OUTSIDE)},
	  HOST}},
	{"sessions apart with the nice of the session set",
	 {.f = {WEIGHT(19, 15), FAIR, RIVALS(.total = 6, .reachable = 6, .differ = 6, .differ_session = 6)},
	  HOST,
	  .p = {.has_autogroup = TRI_YES, .autogroup = 7, .autogroup_nice = 19}}},
	{"batch", {.f = {WEIGHT(5, 335), POLICY(SCHED_BATCH), .cpus = 1, RIVALS(SIX)}, HOST}},
	{"idle class on mq-deadline against best effort",
	 {.f = {IO_STORED(IOPRIO(IOCLASS_IDLE, 0)), POLICY(SCHED_OTHER)},
	  .i = {.does_io = TRI_YES,
		.filesystem = FILESYSTEM_BLOCK,
		.elevator = ELEVATOR_MQ_DEADLINE,
		.rivals = IS(2),
		.rivals_same_class = TRI_NO,
		.depth = IS(2),
		.tags = IS(256)}}},
};

static void where_all_is_well_nothing_is_said(void **state)
{
	struct verdict_list list;

	(void)state;
	for (size_t i = 0; i < COUNT(plain); i++) {
		judge(&plain[i].w, &list);
		if (list.found)
			fail_msg("%s: false alarm: %s", plain[i].name, verdict_info(list.rules[0])->code);
		assert_int_equal(list.status, plain[i].w.f.base);
	}
}

static void a_note_is_no_verdict(void **state)
{
	struct world w = {.f = {NICE_STORED(2),
				RIVALS(.total = 8, .reachable = 6, .differ = 6, .farthest = 2),
				.smt_rival = TRI_YES}};
	struct verdict_list list;

	(void)state;
	judge(&w, &list);
	assert_int_equal(list.count, 3);
	assert_false(list.found);
	assert_int_equal(list.status, STATUS_APPLIED);
	w.g.throttled = (struct known_number)IS(0.5);
	judge(&w, &list);
	assert_int_equal(list.count, 4);
	assert_true(list.found);
	assert_string_equal(verdict_info(list.rules[0])->code, "cgroup-quota");
	assert_int_equal(list.status, STATUS_MOOT);
}

/* More rules hold than there is room for. */
static void a_full_list_keeps_the_verdict(void **state)
{
	struct world w = {.f = {IO_STORED(BE(7)), .nice = 5},
			  .h = {.delayacct = TRI_NO, .psi = TRI_NO},
			  .i = {.does_io = TRI_YES,
				.elevator = ELEVATOR_MQ_DEADLINE,
				.from_cache = TRI_YES,
				.filesystem = FILESYSTEM_TMPFS,
				.direct = TRI_YES,
				.misaligned = TRI_YES,
				.buffered_writes = TRI_YES,
				.journal = TRI_YES,
				.rivals_same_class = TRI_YES,
				.group_policy = "idle",
				.group_limits = TRI_YES,
				.rivals = IS(0),
				.cpu_wait = IS(0.9)}};
	static const char *const first[VERDICTS_MAX] = {
		"direct-misaligned", "tmpfs-direct",	       "page-cache",	   "writeback",
		"journal-io",	     "elevator-level-ignored", "io-cgroup-policy", "io-cgroup-limit",
	};
	struct verdict_list list;

	(void)state;
	judge(&w, &list);
	assert_int_equal(list.count, VERDICTS_MAX);
	for (size_t i = 0; i < VERDICTS_MAX; i++)
		assert_string_equal(verdict_info(list.rules[i])->code, first[i]);
	w.p.gone = TRI_YES;
	judge(&w, &list);
	assert_int_equal(list.count, VERDICTS_MAX);
	assert_string_equal(verdict_info(list.rules[0])->code, "pid-gone");
	assert_int_equal(list.status, STATUS_UNKNOWN);
}

/* Everything that names and paths from outside may hold: escape sequences, broken UTF-8, controls that turn the writing. */
#define EVIL "\033[2J\033]0;x\a\xff\xc3(\xe2\x80\xae\xf0\x9f\n\t{comm}"

static struct world evil_world(const char *name, enum facts_what what)
{
	struct world w = {.f = {.what = what, .base = STATUS_DENIED, .error = EPERM, POLICY(SCHED_OTHER)}};
	char *const places[] = {
		w.p.comm,	   w.h.sched_ext_name, w.h.renicer,    w.i.filesystem_name, w.i.device,
		w.i.elevator_name, w.g.path,	       w.g.quota_path, w.i.group_policy,    w.i.top,
		w.i.top_elevator};

	for (size_t i = 0; i < COUNT(places); i++)
		snprintf(places[i], FACTS_NAME, "%s", name);
	return w;
}

static void names_from_outside_are_cleaned(void **state)
{
	struct world w = evil_world(EVIL, WHAT_IOPRIO);
	struct facts f = facts_of(&w);
	char text[TEXT];

	(void)state;
	for (unsigned i = 0; i < verdict_count(); i++) {
		if (!is_clean(verdict_why(text, TEXT, i, &f)) || strchr(text, '\033'))
			fail_msg("%s: why is not clean", verdict_info(i)->code);
		if (!is_clean(verdict_remedy(text, TEXT, i, &f)))
			fail_msg("%s: remedy is not clean", verdict_info(i)->code);
	}
	verdict_why(text, TEXT, rule_of("zombie"), &f);
	assert_true(strncmp(text,
			    "?[2J?]0;x?"
			    "?"
			    "?(",
			    13) == 0);
}

/* Cut texts stay text: whole characters, a final NUL, not a byte beyond. The buffers are exact, for the address sanitizer. */
static void small_buffers_are_enough(void **state)
{
	struct world w = evil_world("日本語日本語日本語日本語", WHAT_NICE);
	struct facts f = facts_of(&w);

	(void)state;
	for (size_t size = 1; size < 60; size++) {
		char *buf = malloc(size);
		for (unsigned i = 0; i < verdict_count(); i++) {
			memset(buf, 'x', size);
			assert_ptr_equal(verdict_why(buf, size, i, &f), buf);
			assert_true(memchr(buf, '\0', size) != NULL && is_clean(buf));
			memset(buf, 'x', size);
			verdict_remedy(buf, size, i, &f);
			assert_true(memchr(buf, '\0', size) != NULL && is_clean(buf));
		}
		free(buf);
	}
}

/* As long as they get: names and paths to the last byte, figures of many digits. */
static void the_longest_texts_have_room(void **state)
{
	char name[FACTS_PATH], text[TEXT];

	(void)state;
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	for (int what = WHAT_NICE; what <= WHAT_AUTOGROUP; what++) {
		struct world w = evil_world(name, (enum facts_what)what);
		memcpy(w.g.path, name, sizeof(name));
		memcpy(w.g.quota_path, name, sizeof(name));
		w.g.raw_weight = (struct known_number)IS(262144);
		w.f.wanted = what == WHAT_NICE ? -20 : 0;
		struct facts f = facts_of(&w);
		for (unsigned i = 0; i < verdict_count(); i++) {
			check_text(verdict_info(i)->code, verdict_why(text, TEXT, i, &f));
			check_text(verdict_info(i)->code, verdict_remedy(text, TEXT, i, &f));
		}
	}
}

static void figures_stand_in_the_texts(void **state)
{
	static const struct {
		const char *code;
		struct world w;
		const char *why;
	} cases[] = {
		{"rlimit-nice",
		 {.f = {NICE_REFUSED(-5, EACCES)}, .p = {.rlimit_nice = IS(20)}},
		 "nice -5 refused: RLIMIT_NICE of the process is 20, nice -5 needs 25 (EACCES: permission "
		 "denied)"},
		{"denied-eacces",
		 {.f = {NICE_REFUSED(-30, EACCES)}},
		 "nice -30 refused (EACCES: permission denied): a lower nice, even the one it had before, "
		 "needs "
		 "CAP_SYS_NICE or RLIMIT_NICE 40"},
		{"ioprio-rt-denied",
		 {.f = {IO_REFUSED(IOPRIO(IOCLASS_RT, 0), EPERM)}},
		 "ioprio rt/0 refused: class rt needs CAP_SYS_NICE or CAP_SYS_ADMIN, whoever owns the "
		 "process "
		 "(EPERM: operation not permitted)"},
		{"ioprio-level-overflow",
		 {.f = {IO_STORED(BE(9))}},
		 "a level above 7 spills into the hint bits, and the level starts over at 0, the highest "
		 "(stored: "
		 "be/1)"},
		{"main-thread-only",
		 {.f = {NICE_READ(STATUS_PARTIAL, 7, 0)},
		  .p = {.threads = 20, .reached = 1, .reached_cpu = IS(0.012)}},
		 "nice 7 was sent to the main thread only, as renice -p and ionice -p do: 1 of 20 threads "
		 "have it, with 1.2 % of its CPU time"},
		{"reverted",
		 {.f = {NICE_READ(STATUS_REVERTED, 0, 10)}, .h = {.renicer = "gamemoded"}},
		 "nice 0 was set and held, then something else set 10 (gamemoded runs here)"},
		{"reverted",
		 {.f = {NICE_READ(STATUS_REVERTED, 0, 10)}},
		 "nice 0 was set and held, then something else set 10"},
		{"weight-differs",
		 {.f = {NICE_STORED(19), POLICY(SCHED_OTHER), .weight = IS(88761)}},
		 "nice 19 is stored, but the scheduler uses the weight 88761 for it, not that of its nice"},
		{"elevator-aging",
		 {.f = {IO_STORED(BE(7))}, .i = {.aging_ms = IS(10000)}},
		 "mq-deadline lets a request of a lower class through when it is 10.0 s old"},
		{"cgroup-quota",
		 {.f = {NICE_STORED(-20)}, .g = {.throttled = IS(1), .quota = IS(0.2), .quota_path = "/k/b"}},
		 "cgroup /k/b may use 0.2 CPUs and was throttled in 100 % of the periods: no nice helps "
		 "against "
		 "that"},
		{"cgroup-weight",
		 {.f = {NICE_STORED(19)}, .g = {.version = 1, .path = "/k/a", .raw_weight = IS(262144)}},
		 "nice 19 counts only inside its cgroup /k/a; against its rivals elsewhere the groups' "
		 "weights "
		 "decide (here cpu.shares 262144)"},
		{"cgroup-weight",
		 {.f = {NICE_STORED(19)}, .g = {.version = 2, .path = "/user.slice", .raw_weight = IS(100)}},
		 "nice 19 counts only inside its cgroup /user.slice; against its rivals elsewhere the "
		 "groups' "
		 "weights decide (here cpu.weight 100)"},
		{"autogroup",
		 {.f = {NICE_STORED(19)},
		  .p = {.has_autogroup = TRI_YES, .autogroup = 77, .autogroup_nice = -3}},
		 "nice 19 counts only within its own session: sessions share the CPUs evenly, whatever the "
		 "nice "
		 "inside (probably: autogroup 77, nice -3)"},
		{"off-prediction",
		 {.f = {NICE_STORED(19), SHARE(0.3, 0.45, IS(0.6))}},
		 "measured 60.0 % over 10 s, the weights say 30.0 % to 45.0 %, and nothing seen here "
		 "explains "
		 "it"},
		{"steal",
		 {.f = {NICE_STORED(19), SHARE(0.5, 0.5, IS(0.3))}, .h = {.steal = IS(0.4)}},
		 "measured 30.0 %, the weights say 50.0 %: the hypervisor took 40.0 % of the CPU time"},
		{"ioprio-from-nice",
		 {.f = {IO_STORED(0), .nice = 19, POLICY(SCHED_OTHER)}},
		 "no I/O priority is set: it follows nice, level (nice + 20) / 5 of class be, or policy "
		 "IDLE, FIFO or "
		 "RR (is be/7)"},
		/* Linux 5.x may report be/4 whatever it is. */
		{"ioprio-from-nice",
		 {.f = {IO_READ(STATUS_APPLIED, 0, BE(4)), .nice = 19}},
		 "no I/O priority is set: it follows nice, level (nice + 20) / 5 of class be, or policy "
		 "IDLE, FIFO or "
		 "RR (is be/7)"},
		{"io-cgroup-policy",
		 {.f = {IO_STORED(0), .nice = -20}, .i = {.group_policy = "none-to-rt"}},
		 "io.prio.class of its cgroup is none-to-rt: its requests go out as rt/4, not as be/0"},
		{"io-cgroup-policy",
		 {.f = {IO_STORED(BE(7))}, .i = {.group_policy = "promote-to-rt"}},
		 "io.prio.class of its cgroup is promote-to-rt: its requests go out as rt/4, not as be/7"},
		{"io-cgroup-policy",
		 {.f = {IO_STORED(BE(7))}, .i = {.group_policy = "of-the-future"}},
		 "io.prio.class of its cgroup is of-the-future: its requests go out as it says, not as be/7"},
	};
	char text[TEXT];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct facts f = facts_of(&cases[i].w);
		assert_string_equal(verdict_why(text, TEXT, rule_of(cases[i].code), &f), cases[i].why);
	}
}

/* The owner may do other things with a nice than with an I/O priority. */
static void remedies_speak_of_what_was_asked(void **state)
{
	struct world nice = {.f = {NICE_REFUSED(5, EPERM)}}, io = {.f = {IO_REFUSED(BE(0), EPERM)}};
	struct facts of_nice = facts_of(&nice), of_io = facts_of(&io);
	char text[TEXT];

	(void)state;
	verdict_remedy(text, TEXT, rule_of("denied-eperm"), &of_nice);
	assert_non_null(
		strstr(text, "as its owner (who may raise the nice, not lower it), or with CAP_SYS_NICE"));
	verdict_remedy(text, TEXT, rule_of("denied-eperm"), &of_io);
	assert_non_null(strstr(text, "as its owner (who may set all but class rt), or with CAP_SYS_NICE"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_code_is_in_order),
		cmocka_unit_test(the_promised_codes_are_there),
		cmocka_unit_test(every_fix_has_words),
		cmocka_unit_test(every_text_stands_in_general_form),
		cmocka_unit_test(where_all_is_well_nothing_is_said),
		cmocka_unit_test(a_note_is_no_verdict),
		cmocka_unit_test(a_full_list_keeps_the_verdict),
		cmocka_unit_test(names_from_outside_are_cleaned),
		cmocka_unit_test(small_buffers_are_enough),
		cmocka_unit_test(the_longest_texts_have_room),
		cmocka_unit_test(figures_stand_in_the_texts),
		cmocka_unit_test(remedies_speak_of_what_was_asked),
	};

	return cmocka_run_group_tests_name("verdict", tests, NULL, NULL);
}
