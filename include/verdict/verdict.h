/* Verdicts: why an asked priority is not there, not used or without effect. An ordered table of rules over plain facts; the
 * first rule that holds is the verdict, the others are "also". Asks the kernel nothing; pure; any thread.
 *
 * A rule is known by its number (its place in the table, which may change) and by its code (which may not: scripts rely on it). */
#ifndef NICELAB_VERDICT_VERDICT_H
#define NICELAB_VERDICT_VERDICT_H

#include "verdict/facts.h"

#include <stddef.h>

/* What nicelab itself can do about it; the engine has a function for each, the screen a label. */
enum verdict_fix {
	FIX_NONE,
	FIX_EVERY_THREAD, /* ask every thread */
	FIX_ASK_AGAIN,
	FIX_IN_RANGE, /* ask what the kernel stored */
	FIX_SHARE_SESSION, /* all workers in one session */
	FIX_SESSION_NICE, /* the nice of the session's autogroup to what was asked */
	FIX_RESPAWN, /* start the workers anew at what was asked */
	FIX_POLICY_OTHER,
	FIX_ALL_CPUS, /* let all workers use all CPUs */
	FIX_MORE_HOGS, /* start hogs, or let them go on */
	FIX_CONTINUE, /* let go on what was stopped */
	FIX_GIVEN_CPUS, /* the CPUs that they were given */
	FIX_BIGGER_STEP, /* nice 19 for the nicer side */
	FIX_CLASS_IDLE, /* the idle class for the one whose priority was lowered */
	FIX_ELEVATOR_CLASS, /* an elevator that honours the class (mq-deadline) for the device in use */
	FIX_ELEVATOR_LEVEL, /* one that honours class and level (bfq) */
	FIX_DIRECT, /* the kind of load that does the same with O_DIRECT */
	FIX_DISK_HOGS, /* hogs that use the disk */
	FIX_COUNT
};

struct verdict_info {
	const char *code; /* "main-thread-only" */
	enum status status; /* STATUS_APPLIED: a note, nothing is wrong */
	enum verdict_fix fix, other_fix; /* the second is a choice, not a next step */
	const char *reference; /* the man page or kernel document that backs it */
};

/* Whether the rule is there to catch what no other does: beside another verdict it only repeats that. */
bool verdict_catches_all(unsigned rule);

unsigned verdict_count(void);
const struct verdict_info *verdict_info(unsigned rule);

/* The number of a code, or -1. */
int verdict_find(const char *code);

/* One line: what is, and why. One line: what to do instead. With facts the figures of the moment stand in it; without (NULL),
 * as in nicelab-verdicts(7), letters and general words. Returns buf. */
char *verdict_why(char *buf, size_t size, unsigned rule, const struct facts *f);
char *verdict_remedy(char *buf, size_t size, unsigned rule, const struct facts *f);

/* "ask every thread"; empty for FIX_NONE. */
const char *verdict_fix_words(enum verdict_fix fix);

/* The elevator that a fix sets; NULL: it sets none. */
const char *verdict_fix_elevator(enum verdict_fix fix);

#define VERDICTS_MAX 8

struct verdict_list {
	unsigned count;
	unsigned char rules[VERDICTS_MAX]; /* that hold; the verdict first, then in the order of the table */
	enum status status; /* of the verdict; facts.base where there is none */
	bool found; /* rules[0] is a verdict, not only a note */
};

void verdict_judge(const struct facts *f, struct verdict_list *out);

#endif
