/* What the tests of the rules share: a world of facts, cases in which a rule holds, does not, or loses to one above it, and their checks.
 * Each file has the cases of some parts of the table, and proves that it has them all. */
#ifndef NICELAB_TESTS_VERDICT_H
#define NICELAB_TESTS_VERDICT_H

#include "base/text.h"
#include "sched/prio.h"
#include "test.h"
#include "verdict/verdict.h"

#include <errno.h>
#include <sched.h>

#define TEXT 400 /* room for any text */
#define TEXT_LIMIT 240 /* what a text may take with its figures */
#define DEADLINE 6
#define EXT 7

/* The pointers of f are set by facts_of. Facts about I/O are there where an ioprio was asked. */
struct world {
	struct facts f;
	struct facts_host h;
	struct facts_group g;
	struct facts_process p;
	struct facts_io i;
};

enum expect { EXPECT_FIRES, EXPECT_SILENT, EXPECT_LOSES };

struct rule_case {
	const char *code, *to;
	enum expect expect;
	struct world w;
};

/* It is the verdict; a note holds where there is no verdict. It does not hold. It holds, and the verdict is another. */
#define FIRES(c) .code = (c), .expect = EXPECT_FIRES
#define SILENT(c) .code = (c), .expect = EXPECT_SILENT
#define LOSES(c, winner) .code = (c), .expect = EXPECT_LOSES, .to = (winner)

#define IS(x)             \
	{                 \
		true, (x) \
	}
#define NICE_STORED(n) NICE_BORN(n), .deliberate = true
#define NICE_BORN(n) NICE_READ(STATUS_APPLIED, n, n), .settled = true
#define NICE_READ(s, w, a) .what = WHAT_NICE, .base = (s), .wanted = (w), .actual = (a), .nice = (a)
#define NICE_REFUSED(n, e) .what = WHAT_NICE, .base = STATUS_DENIED, .wanted = (n), .error = (e)
#define POLICY(p) .policy_known = true, .policy = (p)
#define POLICY_REFUSED(p, e) .what = WHAT_POLICY, .base = STATUS_DENIED, .wanted = (p), .error = (e)
#define SESSION_REFUSED(n, e) .what = WHAT_AUTOGROUP, .base = STATUS_DENIED, .wanted = (n), .error = (e)
#define IOPRIO(c, level) ((c) << 13 | (level))
#define IO_STORED(r) IO_READ(STATUS_APPLIED, r, r), .deliberate = true, .settled = true
#define IO_READ(s, w, a) .what = WHAT_IOPRIO, .base = (s), .wanted = (w), .actual = (a)
#define IO_REFUSED(r, e) .what = WHAT_IOPRIO, .base = STATUS_DENIED, .wanted = (r), .error = (e)
#define BE(level) IOPRIO(IOCLASS_BE, level)
#define RIVALS(...) .rivals = {.known = true, __VA_ARGS__}
#define SHARE(l, h, ...) .share = {.low = IS(l), .high = IS(h), .seconds = 10, .measured = __VA_ARGS__}

static inline struct facts facts_of(const struct world *w)
{
	struct facts f = w->f;

	f.host = &w->h;
	f.group = &w->g;
	f.process = &w->p;
	f.io = w->f.what == WHAT_IOPRIO ? &w->i : NULL;
	return f;
}

static inline unsigned rule_of(const char *code)
{
	int rule = verdict_find(code);

	if (rule < 0)
		fail_msg("no rule has the code '%s'", code);
	return (unsigned)rule;
}

static inline bool holds(const struct verdict_list *list, unsigned rule)
{
	for (unsigned i = 0; i < list->count; i++)
		if (list->rules[i] == rule)
			return true;
	return false;
}

static inline bool is_note(unsigned rule)
{
	return verdict_info(rule)->status == STATUS_APPLIED;
}

/* Says what is wrong with the list; NULL: nothing. The verdict first, the others in the order of the table. */
static inline const char *list_fault(const struct verdict_list *list, const struct facts *f)
{
	if (list->count > VERDICTS_MAX)
		return "more than there is room for";
	if (list->found && (list->count == 0 || is_note(list->rules[0])))
		return "found, and there is none";
	if (list->status != (list->found ? verdict_info(list->rules[0])->status : f->base))
		return "the status is not that of the verdict";
	for (unsigned i = 0; i < list->count; i++) {
		if (i > 1 && list->rules[i] <= list->rules[i - 1])
			return "out of order";
		if (!is_note(list->rules[i]) && (!list->found || list->rules[i] < list->rules[0]))
			return "an earlier rule is not the verdict";
	}
	return NULL;
}

static inline void check_case(const struct rule_case *c, size_t at)
{
	struct facts f = facts_of(&c->w);
	unsigned rule = rule_of(c->code), winner = c->to ? rule_of(c->to) : rule;
	struct verdict_list list;
	const char *fault;

	verdict_judge(&f, &list);
	fault = list_fault(&list, &f);
	if (fault)
		fail_msg("case %zu, %s: %s", at, c->code, fault);
	if (holds(&list, rule) == (c->expect == EXPECT_SILENT))
		fail_msg("case %zu: %s %s", at, c->code, c->expect == EXPECT_SILENT ? "holds" : "is silent");
	if (c->expect == EXPECT_SILENT)
		return;
	if (is_note(winner) && list.found)
		fail_msg("case %zu: note %s, but %s is the verdict", at, c->code,
			 verdict_info(list.rules[0])->code);
	if (!is_note(winner) && (!list.found || list.rules[0] != winner))
		fail_msg("case %zu, %s: %s should be the verdict, but is %s", at, c->code,
			 verdict_info(winner)->code, list.found ? verdict_info(list.rules[0])->code : "none");
}

static inline void check_cases(const struct rule_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++)
		check_case(&cases[i], i);
}

/* Whether the text cannot steer a terminal and is valid UTF-8. */
static inline bool is_clean(const char *text)
{
	char copy[TEXT];

	return text_clean(copy, sizeof(copy), text, strlen(text)) == strlen(text) && strcmp(copy, text) == 0;
}

static inline void check_text(const char *code, const char *text)
{
	if (strlen(text) >= TEXT_LIMIT)
		fail_msg("%s: %zu bytes: %s", code, strlen(text), text);
	if (text[0] == '\0' || strpbrk(text, "{}") || strstr(text, "e+") || strstr(text, "  "))
		fail_msg("%s: %s", code, text);
	if (!is_clean(text))
		fail_msg("%s: the text is not clean", code);
}

/* The texts of every rule that holds in a case, with the figures of the case. */
static inline void check_case_texts(const struct rule_case *cases, size_t n)
{
	char text[TEXT];

	for (size_t i = 0; i < n; i++) {
		struct facts f = facts_of(&cases[i].w);
		if (cases[i].expect == EXPECT_SILENT)
			continue;
		check_text(cases[i].code, verdict_why(text, TEXT, rule_of(cases[i].code), &f));
		check_text(cases[i].code, verdict_remedy(text, TEXT, rule_of(cases[i].code), &f));
	}
}

/* Every rule from this code up to the other (NULL: to the end) holds in a case, is silent in one and loses in one; only the first rule of
 * the table cannot lose. */
static inline void check_coverage(const struct rule_case *cases, size_t n, const char *from, const char *to)
{
	for (unsigned rule = rule_of(from); rule < (to ? rule_of(to) : verdict_count()); rule++) {
		bool seen[] = {false, false, rule == 0};
		for (size_t i = 0; i < n; i++)
			if (rule_of(cases[i].code) == rule)
				seen[cases[i].expect] = true;
		if (!(seen[EXPECT_FIRES] || seen[EXPECT_LOSES]) || !seen[EXPECT_SILENT] ||
		    !seen[EXPECT_LOSES])
			fail_msg("%s: no case in which it %s", verdict_info(rule)->code,
				 !seen[EXPECT_SILENT]  ? "does not hold"
				 : !seen[EXPECT_FIRES] ? "holds"
						       : "loses");
	}
}

/* The thread of one case in the surroundings of another: whatever comes together, the list is in order and the texts are whole. */
static inline void check_mixtures(const struct rule_case *cases, size_t n)
{
	char text[TEXT];

	for (size_t i = 0; i < n * n; i++) {
		struct world w = cases[i % n].w;
		w.f = cases[i / n].w.f;
		struct facts f = facts_of(&w);
		struct verdict_list list;
		verdict_judge(&f, &list);
		const char *fault = list_fault(&list, &f);
		if (fault)
			fail_msg("facts of case %zu in the world of case %zu: %s", i / n, i % n, fault);
		for (unsigned k = 0; k < list.count; k++)
			check_text(verdict_info(list.rules[k])->code,
				   verdict_why(text, TEXT, list.rules[k], &f));
	}
}

#endif
