/* Status of one asked priority: an ordered table of rules, the first that holds is the answer. */
#include "verdict/status.h"

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
	static const char *const words[STATUS_COUNT] = {"-",	    "APPLIED", "PENDING", "UNKNOWN",
							"MOOT",	    "IGNORED", "CLAMPED", "PARTIAL",
							"REVERTED", "DENIED"};

	return words[s];
}

enum status status_worse(enum status a, enum status b)
{
	return a > b ? a : b;
}
