/* The status of one asked priority on one thread, judged from plain facts. Asks the kernel nothing; pure; any thread. */
#ifndef NICELAB_VERDICT_STATUS_H
#define NICELAB_VERDICT_STATUS_H

#include <stdbool.h>
#include <stddef.h>

/* In order of severity, the least severe first. */
enum status {
	STATUS_NONE, /* nothing was asked */
	STATUS_APPLIED, /* read back equal */
	STATUS_PENDING, /* asked, not read back yet */
	STATUS_UNKNOWN, /* it cannot be read here */
	STATUS_MOOT, /* stored and honoured, but there is nothing to arbitrate */
	STATUS_IGNORED, /* stored, but the scheduler or the elevator does not use it */
	STATUS_CLAMPED, /* the kernel stored another value without an error */
	STATUS_PARTIAL, /* the call went to other threads of the process only */
	STATUS_REVERTED, /* it was applied, and something changed it afterwards */
	STATUS_DENIED, /* the call failed */
	STATUS_COUNT
};

/* One priority (a nice or a raw ioprio) asked of one thread, and what came of it. All zero: nothing asked. */
struct attempt {
	bool asked;
	bool sent; /* the call named this thread; false: it inherited, or the call named another thread */
	bool read; /* stored was read back after the call, or when the thread was first seen */
	int wanted;
	int error; /* errno of the call, 0 for none */
	int stored; /* the value after the call */
	bool held; /* and that was what was wanted */
};

/* What is read now. */
struct observation {
	bool known;
	int actual;
	bool equal; /* actual means the same as attempt.wanted (ioprio_same, or == for nice) */
};

enum status status_judge(const struct attempt *a, const struct observation *now);

/* "APPLIED" and so on; "-" for STATUS_NONE. */
const char *status_word(enum status s);

/* The worse of two. */
enum status status_worse(enum status a, enum status b);

#endif
