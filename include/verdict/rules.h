/* The table of rules in its parts, in the order in which they are asked. Private to verdict/. */
#ifndef NICELAB_VERDICT_RULES_H
#define NICELAB_VERDICT_RULES_H

#include "verdict/verdict.h"

struct verdict_rule {
	struct verdict_info info;
	bool (*applies)(const struct facts *f);
	const char *why, *remedy; /* with {words} of words.c */
};

struct verdict_rules {
	const struct verdict_rule *rules;
	unsigned count;
};

extern const struct verdict_rules rules_call; /* identity, the call, reading back */
extern const struct verdict_rules rules_cpu; /* stored, but not used, or nothing to arbitrate */
extern const struct verdict_rules rules_io; /* the same for I/O priorities */
extern const struct verdict_rules rules_see; /* what cannot be seen here */

/* Puts the figures into a text. */
char *rules_words(char *buf, size_t size, const char *text, const struct facts *f);

/* The I/O priority that the thread's requests have by themselves, of facts about an ioprio; and what io.prio.class of its
 * cgroup makes of that, -1 for a policy that is not known (f->io is not NULL). */
int rules_own_ioprio(const struct facts *f);
int rules_group_ioprio(const struct facts *f);

/* Shared conditions. */
static inline bool is_asked(const struct facts *f, enum facts_what what)
{
	return f->what == what && f->base != STATUS_NONE && f->base != STATUS_PENDING;
}

/* It is stored as it was asked, and somebody wants an effect of it. */
static inline bool is_stored(const struct facts *f, enum facts_what what)
{
	return f->what == what && f->base == STATUS_APPLIED && f->deliberate;
}

#endif
