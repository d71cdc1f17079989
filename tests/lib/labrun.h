/* Running a real lab from a test: commands in, and waiting for what the snapshots shall show. */
#ifndef NICELAB_TESTS_LABRUN_H
#define NICELAB_TESTS_LABRUN_H

#include "lab/lab.h"

/* What a test waits for. */
typedef bool (*labrun_fn)(const struct snapshot *s, const void *arg);

/* Starts the default lab; a caller may change the config before. Fails the test where it cannot. */
struct lab *labrun_start(const struct lab_config *c);

/* Waits until the newest snapshot meets fn, at most `seconds`. Returns that snapshot, or NULL: then what the last one
 * held is printed. It stays valid until the next call. */
const struct snapshot *labrun_wait(struct lab *lab, labrun_fn fn, const void *arg, double seconds);

/* Fails the test where a snapshot of the next `seconds` meets fn. */
void labrun_never(struct lab *lab, labrun_fn fn, double seconds);

/* Lets the lab run and returns the newest snapshot. */
const struct snapshot *labrun_sleep(struct lab *lab, double seconds);

void labrun_set(struct lab *lab, int group, enum knob k, long value);
void labrun_send(struct lab *lab, enum command_kind kind);

/* A lab of this many hogs and short pieces of work; the second one waits until the baseline is taken and all hogs run. */
struct lab *labrun_start_small(unsigned hogs);
struct lab *labrun_start_running(unsigned hogs);

/* How long a test waits for what must become true, in seconds. */
#define LABRUN_PATIENCE 30.0

/* The groups of the default lab. */
#define HOGS 0
#define VICTIM 1

/* Ready-made conditions. */
bool labrun_is_running(const struct snapshot *s,
		       const void *arg); /* baseline taken, all hogs there, arg unused */
bool labrun_hogs_are(const struct snapshot *s, const void *arg); /* arg: const unsigned * */

/* The asked value is there, whether or not it has an effect. */
bool labrun_holds(enum status st);

/* Every thread of the group has this nice and status. */
struct labrun_nice {
	int group, nice;
	enum status status; /* STATUS_APPLIED: it holds, whether or not it has an effect */
	unsigned threads; /* at least */
};
bool labrun_nice_is(const struct snapshot *s, const void *arg);
void labrun_wait_nice(struct lab *lab, int group, int nice, enum status st, unsigned threads);

/* The verdict of this code in a snapshot, or NULL; and as conditions (arg: the code): it is there; all is judged and it is not. */
const struct snapshot_verdict *labrun_verdict(const struct snapshot *s, const char *code);
bool labrun_has_verdict(const struct snapshot *s, const void *arg);
bool labrun_has_no_verdict(const struct snapshot *s, const void *arg);

/* An entry of the journal holds this text (arg). */
bool labrun_journal_has(const struct snapshot *s, const void *arg);

/* The process of a hog, 0 where there is none. */
pid_t labrun_hog_pid(const struct snapshot *s, unsigned ordinal);

/* How many processes there are whose name begins with "nl-" and that descend from this process. */
unsigned labrun_count_workers(void);

#endif
