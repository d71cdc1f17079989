/* Status of one asked priority: an ordered table of rules, the first that holds is the answer. */
#include "verdict/status.h"
#include "base/err.h"
#include "sched/prio.h"

#include <errno.h>
#include <stdio.h>

typedef bool (*rule_fn)(const struct attempt *a, const struct observation *now);

static bool nothing_asked(const struct attempt *a, const struct observation *now)
{
	(void)now;
	return !a->asked;
}

static bool holds(const struct attempt *a, const struct observation *now)
{
	(void)a;
	return now->known && now->equal;
}

static bool call_failed(const struct attempt *a, const struct observation *now)
{
	(void)now;
	return a->error != 0;
}

static bool cannot_be_read(const struct attempt *a, const struct observation *now)
{
	(void)a;
	return !now->known;
}

static bool not_read_back(const struct attempt *a, const struct observation *now)
{
	(void)now;
	return !a->read;
}

/* A thread that neither had the value nor was sent it has nothing that could be reverted. */
static bool changed_since(const struct attempt *a, const struct observation *now)
{
	return now->actual != a->stored && (a->sent || a->held);
}

static bool sent_elsewhere(const struct attempt *a, const struct observation *now)
{
	(void)now;
	return !a->sent;
}

static bool always(const struct attempt *a, const struct observation *now)
{
	(void)a;
	(void)now;
	return true;
}

static const struct {
	rule_fn applies;
	enum status status;
} rules[] = {
	{nothing_asked, STATUS_NONE},	  {holds, STATUS_APPLIED},	   {call_failed, STATUS_DENIED},
	{cannot_be_read, STATUS_UNKNOWN}, {not_read_back, STATUS_PENDING}, {changed_since, STATUS_REVERTED},
	{sent_elsewhere, STATUS_PARTIAL}, {always, STATUS_CLAMPED},
};

enum status status_judge(const struct attempt *a, const struct observation *now)
{
	size_t i = 0;

	while (!rules[i].applies(a, now))
		i++;
	return rules[i].status;
}

const char *status_word(enum status s)
{
	static const char *const words[STATUS_COUNT] = {"-",	   "APPLIED", "PENDING",  "UNKNOWN",
							"CLAMPED", "PARTIAL", "REVERTED", "DENIED"};

	return words[s];
}

enum status status_worse(enum status a, enum status b)
{
	return a > b ? a : b;
}

/* "nice 19", "be/4". */
static void priority_words(char *buf, size_t size, bool is_nice, int value)
{
	if (is_nice)
		snprintf(buf, size, "nice %d", value);
	else
		ioprio_format(buf, size, value);
}

/* The bare value, where the priority was named before. */
static void value_words(char *buf, size_t size, bool is_nice, int value)
{
	if (is_nice)
		snprintf(buf, size, "%d", value);
	else
		ioprio_format(buf, size, value);
}

/* Which rule of the kernel refused, and the way out. */
static void denied_reason(char *buf, size_t size, const char *wanted, const struct attempt *a,
			  const struct status_context *c)
{
	char errno_words[64];

	err_words(a->error, errno_words, sizeof(errno_words));
	if (c->is_nice && a->error == EACCES)
		snprintf(buf, size,
			 "%s refused, R respawns at it (%s: needs CAP_SYS_NICE or RLIMIT_NICE %d, is %ld)",
			 wanted, errno_words, 20 - a->wanted, c->rlimit_nice);
	else if (!c->is_nice && a->error == EPERM && ioprio_unpack(a->wanted).io_class == IOCLASS_RT)
		snprintf(buf, size,
			 "%s refused, be/0 is free (%s: class rt needs CAP_SYS_NICE or CAP_SYS_ADMIN)",
			 wanted, errno_words);
	else
		snprintf(buf, size, "%s refused (%s)", wanted, errno_words);
}

char *status_reason(char *buf, size_t size, enum status s, const struct attempt *a,
		    const struct status_context *c)
{
	char wanted[32], actual[32];

	priority_words(wanted, sizeof(wanted), c->is_nice, a->wanted);
	value_words(actual, sizeof(actual), c->is_nice, c->actual);
	switch (s) {
	case STATUS_PENDING:
		snprintf(buf, size, "%s asked, not read back yet", wanted);
		break;
	case STATUS_UNKNOWN:
		snprintf(buf, size, "%s asked, but it cannot be read back here", wanted);
		break;
	case STATUS_CLAMPED:
		snprintf(buf, size, "%s asked, the kernel stored %s without an error", wanted, actual);
		break;
	case STATUS_PARTIAL:
		snprintf(buf, size, "%s asked, is %s: main thread only. t asks every thread", wanted, actual);
		break;
	case STATUS_REVERTED:
		snprintf(buf, size, "%s was set, then something else set %s. n asks again", wanted, actual);
		break;
	case STATUS_DENIED:
		denied_reason(buf, size, wanted, a, c);
		break;
	default:
		buf[0] = '\0';
	}
	return buf;
}
