/* Running a real lab from a test. */
#include "labrun.h"
#include "base/clock.h"
#include "test.h"

#include <dirent.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

struct lab *labrun_start(const struct lab_config *c)
{
	const char *what;
	struct lab *lab = NULL;
	int rc = lab_start(c, &lab, &what);

	if (rc < 0)
		fail_msg("%s: %s", what, strerror(-rc));
	return lab;
}

static void print_state(const struct snapshot *s)
{
	if (!s)
		return;
	printf("last snapshot: phase %d, %u hogs, %zu threads\n", s->phase, s->groups[HOGS].running,
	       s->nthreads);
	for (size_t i = 0; i < s->nthreads && i < 4; i++)
		printf("  thread %d: nice %d -> %d %s\n", (int)s->threads[i].tid, s->threads[i].nice_wanted,
		       s->threads[i].nice_actual, status_word(s->threads[i].nice_status));
	for (size_t i = 0; i < s->nverdicts; i++)
		printf("  verdict: %s %s\n", verdict_info(s->verdicts[i].rule)->code, s->verdicts[i].why);
	for (size_t i = 0; i < s->njournal; i++)
		printf("  journal: %s\n", s->journal[i].text);
}

const struct snapshot *labrun_wait(struct lab *lab, labrun_fn fn, const void *arg, double seconds)
{
	uint64_t until = clock_now() + (uint64_t)(seconds * 1e9);
	const struct snapshot *s = NULL;

	while (clock_now() < until) {
		struct pollfd p = {.fd = snapshot_fd(lab_snapshots(lab)), .events = POLLIN};
		poll(&p, 1, 50);
		s = snapshot_latest(lab_snapshots(lab));
		if (s && fn(s, arg))
			return s;
	}
	print_state(s);
	return NULL;
}

void labrun_never(struct lab *lab, labrun_fn fn, double seconds)
{
	uint64_t until = clock_now() + (uint64_t)(seconds * 1e9);

	while (clock_now() < until) {
		struct pollfd p = {.fd = snapshot_fd(lab_snapshots(lab)), .events = POLLIN};
		const struct snapshot *s;
		poll(&p, 1, 50);
		s = snapshot_latest(lab_snapshots(lab));
		if (s && fn(s, NULL)) {
			print_state(s);
			fail_msg("what must never be came true");
		}
	}
}

static bool is_past(const struct snapshot *s, const void *arg)
{
	const uint64_t *until = arg;

	return s->at >= *until;
}

const struct snapshot *labrun_sleep(struct lab *lab, double seconds)
{
	uint64_t until = clock_now() + (uint64_t)(seconds * 1e9);

	return labrun_wait(lab, is_past, &until, seconds + 20);
}

void labrun_set(struct lab *lab, int group, enum knob k, long value)
{
	struct command c = {.kind = COMMAND_SET, .group = group, .knob = k, .value = value};

	assert_int_equal(lab_send(lab, &c), 0);
}

void labrun_send(struct lab *lab, enum command_kind kind)
{
	struct command c = {.kind = kind, .group = -1};

	assert_int_equal(lab_send(lab, &c), 0);
}

bool labrun_is_running(const struct snapshot *s, const void *arg)
{
	(void)arg;
	return s->phase == PHASE_RUNNING &&
	       s->groups[HOGS].running == (unsigned)s->groups[HOGS].knobs[KNOB_COUNT] &&
	       s->groups[VICTIM].threads >= (unsigned)s->groups[VICTIM].knobs[KNOB_THREADS];
}

bool labrun_hogs_are(const struct snapshot *s, const void *arg)
{
	return s->groups[HOGS].running == *(const unsigned *)arg;
}

static pid_t parent_of(pid_t pid, char name[64])
{
	char path[64], line[256] = "";
	FILE *f;
	int ppid = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "r");
	if (!f)
		return 0;
	size_t n = fread(line, 1, sizeof(line) - 1, f);
	fclose(f);
	line[n] = '\0';
	char *open = strchr(line, '('), *close = strrchr(line, ')');
	if (!open || !close || sscanf(close + 1, " %*c %d", &ppid) != 1)
		return 0;
	snprintf(name, 64, "%.*s", (int)(close - open - 1), open + 1);
	return (pid_t)ppid;
}

unsigned labrun_count_workers(void)
{
	DIR *d = opendir("/proc");
	struct dirent *e;
	unsigned n = 0;

	while (d && (e = readdir(d))) {
		char name[64], other[64];
		pid_t pid = (pid_t)atoi(e->d_name), parent;
		if (pid <= 0)
			continue;
		parent = parent_of(pid, name);
		if (strncmp(name, "nl-", 3) != 0 || !parent)
			continue;
		for (int i = 0; i < 3 && parent > 1 && parent != getpid(); i++)
			parent = parent_of(parent, other);
		n += parent == getpid();
	}
	if (d)
		closedir(d);
	return n;
}

struct lab *labrun_start_small(unsigned hogs)
{
	struct lab_config *c = malloc(sizeof(*c));
	struct lab *lab;

	lab_config_default(c);
	c->groups[HOGS].knobs[KNOB_COUNT] = hogs;
	c->groups[VICTIM].knobs[KNOB_WORK] = 2;
	lab = labrun_start(c);
	free(c);
	return lab;
}

struct lab *labrun_start_running(unsigned hogs)
{
	struct lab *lab = labrun_start_small(hogs);

	assert_non_null(labrun_wait(lab, labrun_is_running, NULL, LABRUN_PATIENCE));
	return lab;
}

bool labrun_holds(enum status st)
{
	return st == STATUS_APPLIED || st == STATUS_MOOT || st == STATUS_IGNORED;
}

bool labrun_nice_is(const struct snapshot *s, const void *arg)
{
	const struct labrun_nice *want = arg;
	unsigned n = 0;

	for (size_t i = 0; i < s->nthreads; i++) {
		const struct snapshot_thread *t = &s->threads[i];
		if (t->group != want->group)
			continue;
		if (t->nice_actual != want->nice ||
		    (want->status == STATUS_APPLIED ? !labrun_holds(t->nice_status)
						    : t->nice_status != want->status))
			return false;
		n++;
	}
	return n >= want->threads;
}

void labrun_wait_nice(struct lab *lab, int group, int nice, enum status st, unsigned threads)
{
	struct labrun_nice want = {group, nice, st, threads};

	assert_non_null(labrun_wait(lab, labrun_nice_is, &want, LABRUN_PATIENCE));
}

const struct snapshot_verdict *labrun_verdict(const struct snapshot *s, const char *code)
{
	for (size_t i = 0; i < s->nverdicts; i++)
		if (strcmp(verdict_info(s->verdicts[i].rule)->code, code) == 0)
			return &s->verdicts[i];
	return NULL;
}

bool labrun_has_verdict(const struct snapshot *s, const void *arg)
{
	return labrun_verdict(s, arg) != NULL;
}

bool labrun_has_no_verdict(const struct snapshot *s, const void *arg)
{
	return s->judged && !labrun_verdict(s, arg);
}

bool labrun_journal_has(const struct snapshot *s, const void *arg)
{
	for (size_t i = 0; i < s->njournal; i++)
		if (strstr(s->journal[i].text, arg))
			return true;
	return false;
}

pid_t labrun_hog_pid(const struct snapshot *s, unsigned ordinal)
{
	for (size_t i = 0; i < s->nthreads; i++)
		if (s->threads[i].group == HOGS && s->threads[i].ordinal == ordinal)
			return s->threads[i].pid;
	return 0;
}
