/* The journal: what was done and what came of it, in words; and the marks on the time lines. */
#include "lab/state.h"
#include "base/clock.h"

#include <stdarg.h>
#include <stdio.h>

const char *group_name(const struct lab_group *g)
{
	return g->is_victim ? "victim" : "hogs";
}

void journal_add(struct lab *lab, enum journal_level level, int group, const char *fmt, ...)
{
	struct lab_journal *j = &lab->journal;
	struct journal_entry *e = &j->entries[j->count % SNAPSHOT_JOURNAL];
	va_list ap;

	*e = (struct journal_entry){.number = ++j->count, .at = clock_now(), .level = level, .group = group};
	va_start(ap, fmt);
	vsnprintf(e->text, sizeof(e->text), fmt, ap);
	va_end(ap);
}

void journal_mark(struct lab *lab, int group, int what, const char *fmt, ...)
{
	char text[TIMELINE_TEXT];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	for (size_t i = 0; i < lab->ngroups; i++)
		if (lab->groups[i].is_victim)
			timeline_mark(&lab->groups[i].timeline, clock_now() / NS_PER_SEC, group, what, text);
}
