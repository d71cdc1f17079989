/* Judging: the parts of the table one after the other. */
#include "verdict/rules.h"

#include <string.h>

static const struct verdict_rules *const parts[] = {&rules_call, &rules_cpu, &rules_io, &rules_see};

#define PARTS (sizeof(parts) / sizeof(parts[0]))

unsigned verdict_count(void)
{
	unsigned n = 0;

	for (size_t p = 0; p < PARTS; p++)
		n += parts[p]->count;
	return n;
}

static const struct verdict_rule *rule_at(unsigned rule)
{
	size_t p = 0;

	while (rule >= parts[p]->count)
		rule -= parts[p++]->count;
	return &parts[p]->rules[rule];
}

const struct verdict_info *verdict_info(unsigned rule)
{
	return &rule_at(rule)->info;
}

int verdict_find(const char *code)
{
	unsigned n = verdict_count();

	for (unsigned i = 0; i < n; i++)
		if (strcmp(verdict_info(i)->code, code) == 0)
			return (int)i;
	return -1;
}

char *verdict_why(char *buf, size_t size, unsigned rule, const struct facts *f)
{
	return rules_words(buf, size, rule_at(rule)->why, f);
}

char *verdict_remedy(char *buf, size_t size, unsigned rule, const struct facts *f)
{
	return rules_words(buf, size, rule_at(rule)->remedy, f);
}

bool verdict_catches_all(unsigned rule)
{
	static const char *const codes[] = {"denied", "stored-other", "reverted", "main-thread-only",
					    "unreadable"};

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		if (strcmp(verdict_info(rule)->code, codes[i]) == 0)
			return true;
	return false;
}

const char *verdict_fix_words(enum verdict_fix fix)
{
	static const char *const words[FIX_COUNT] = {
		[FIX_NONE] = "",
		[FIX_EVERY_THREAD] = "ask every thread",
		[FIX_ASK_AGAIN] = "ask again",
		[FIX_IN_RANGE] = "ask what is stored",
		[FIX_SHARE_SESSION] = "put all workers into one session",
		[FIX_SESSION_NICE] = "set the nice of its session",
		[FIX_RESPAWN] = "start the workers anew",
		[FIX_POLICY_OTHER] = "set the policy to OTHER",
		[FIX_ALL_CPUS] = "let all use all CPUs",
		[FIX_MORE_HOGS] = "let hogs run",
		[FIX_CONTINUE] = "let it go on",
		[FIX_GIVEN_CPUS] = "give it its CPUs again",
		[FIX_BIGGER_STEP] = "go to nice 19",
		[FIX_CLASS_IDLE] = "set class idle",
		[FIX_ELEVATOR_CLASS] = "set the elevator mq-deadline",
		[FIX_ELEVATOR_LEVEL] = "set the elevator bfq",
		[FIX_DIRECT] = "use O_DIRECT",
		[FIX_DISK_HOGS] = "start hogs that use the disk",
	};

	return words[fix];
}

const char *verdict_fix_elevator(enum verdict_fix fix)
{
	return fix == FIX_ELEVATOR_CLASS ? "mq-deadline" : fix == FIX_ELEVATOR_LEVEL ? "bfq" : NULL;
}

/* The first that is more than a note goes to the front; the others keep their order. */
static void add(struct verdict_list *out, unsigned rule, enum status status)
{
	bool front = !out->found && status != STATUS_APPLIED;

	if (out->count == VERDICTS_MAX && !front)
		return;
	if (out->count == VERDICTS_MAX)
		out->count--;
	if (front) {
		memmove(out->rules + 1, out->rules, out->count * sizeof(out->rules[0]));
		out->rules[0] = (unsigned char)rule;
		out->found = true;
		out->status = status;
	} else
		out->rules[out->count] = (unsigned char)rule;
	out->count++;
}

void verdict_judge(const struct facts *f, struct verdict_list *out)
{
	unsigned at = 0;

	*out = (struct verdict_list){.status = f->base};
	for (size_t p = 0; p < PARTS; p++)
		for (unsigned i = 0; i < parts[p]->count; i++, at++)
			if (parts[p]->rules[i].applies(f))
				add(out, at, parts[p]->rules[i].info.status);
}
