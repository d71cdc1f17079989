/* Labs and stages on files of their own. */
#include "diskrun.h"
#include "base/clock.h"
#include "labrun.h"
#include "pause.h"
#include "test.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATIENCE (10 * NS_PER_SEC)
#define LOOK_EVERY (10 * NS_PER_MS)

static void small_config(struct lab_config *c)
{
	lab_config_default(c);
	c->groups[HOGS].knobs[KNOB_COUNT] = 0;
	c->groups[VICTIM].knobs[KNOB_WORK] = 2;
	c->knobs[KNOB_FILE] = DISKRUN_FILE;
	c->knobs[KNOB_BLOCK] = DISKRUN_BLOCK;
	c->knobs[KNOB_TREE] = DISKRUN_TREE;
}

int diskrun_setup(void **state)
{
	struct diskrun *d = calloc(1, sizeof(*d));

	if (!d)
		return -1;
	*state = d;
	snprintf(d->path, sizeof(d->path), "/var/tmp/nicelab-lab-XXXXXX");
	if (!mkdtemp(d->path) || chmod(d->path, 01777) < 0)
		return -1;
	small_config(&d->config);
	return scratch_open(&d->config.scratch, d->path);
}

int diskrun_teardown(void **state)
{
	struct diskrun *d = *state;
	int rc;

	scratch_close(&d->config.scratch);
	rc = rmdir(d->path);
	if (rc < 0 && errno != ENOENT)
		print_error("%s: %s\n", d->path, strerror(errno));
	free(d);
	return rc < 0 && errno != ENOENT ? -1 : 0;
}

struct lab *diskrun_start(struct diskrun *d)
{
	struct lab *lab = labrun_start(&d->config);

	d->config.scratch = SCRATCH_NONE;
	return lab;
}

void diskrun_skip(const char *why)
{
	print_message("[  SKIPPED ] %s\n", why);
	skip();
	abort();
}

void diskrun_use_loop(struct diskrun *d, uint64_t size)
{
	const char *why = NULL;

	if (geteuid() != 0)
		diskrun_skip("only root can make a loop device");
	if (scratch_loop(&d->config.scratch, size, false, &why) < 0)
		diskrun_skip(why);
}

char *diskrun_elevator(const char *device, char buf[DISKRUN_WORD])
{
	char path[128], text[256] = "", *open, *close;
	FILE *f;

	buf[0] = '\0';
	snprintf(path, sizeof(path), "/sys/block/%s/queue/scheduler", device);
	f = fopen(path, "r");
	if (!f)
		return buf;
	if (!fgets(text, sizeof(text), f))
		text[0] = '\0';
	fclose(f);
	open = strchr(text, '[');
	close = strchr(text, ']');
	if (open && close)
		snprintf(buf, DISKRUN_WORD, "%.*s", (int)(close - open - 1), open + 1);
	return buf;
}

static bool has_elevator(const char *device, const void *want)
{
	char now[DISKRUN_WORD];

	return strcmp(diskrun_elevator(device, now), want) == 0;
}

static bool has_no_file(const char *device, const void *arg)
{
	char path[128];

	(void)arg;
	snprintf(path, sizeof(path), "/sys/block/%s/loop/backing_file", device);
	return access(path, F_OK) < 0;
}

static bool wait_for(bool (*what)(const char *name, const void *arg), const char *name, const void *arg)
{
	uint64_t until = clock_now() + PATIENCE;

	while (!what(name, arg)) {
		if (clock_now() > until)
			return false;
		pause_ns(LOOK_EVERY);
	}
	return true;
}

bool diskrun_becomes(const char *device, const char *elevator)
{
	return wait_for(has_elevator, device, elevator);
}

bool diskrun_is_detached(const char *device)
{
	return wait_for(has_no_file, device, NULL);
}

unsigned diskrun_count(const char *path, const char *prefix)
{
	DIR *d = opendir(path);
	struct dirent *e;
	unsigned n = 0;

	while (d && (e = readdir(d)))
		n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 &&
		     strncmp(e->d_name, prefix, strlen(prefix)) == 0;
	if (d)
		closedir(d);
	return n;
}

struct names {
	const char *prefix;
	unsigned count;
};

static bool has_names(const char *path, const void *arg)
{
	const struct names *want = arg;

	return diskrun_count(path, want->prefix) == want->count;
}

bool diskrun_count_becomes(const char *path, const char *prefix, unsigned n)
{
	struct names want = {prefix, n};

	return wait_for(has_names, path, &want);
}

/* Parent and state of a process; false: it is not there. */
static bool read_stat(pid_t pid, char name[64], pid_t *parent, char *state)
{
	char path[64], line[512] = "", *open, *close;
	int ppid = 0;
	FILE *f;
	size_t n;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "r");
	if (!f)
		return false;
	n = fread(line, 1, sizeof(line) - 1, f);
	fclose(f);
	line[n] = '\0';
	open = strchr(line, '(');
	close = strrchr(line, ')');
	if (!open || !close || sscanf(close + 1, " %c %d", state, &ppid) != 2)
		return false;
	snprintf(name, 64, "%.*s", (int)(close - open - 1), open + 1);
	*parent = ppid;
	return true;
}

pid_t diskrun_child(pid_t parent, const char *name)
{
	DIR *d = opendir("/proc");
	struct dirent *e;
	pid_t found = 0, of;
	char comm[64], state;

	while (d && !found && (e = readdir(d))) {
		pid_t pid = (pid_t)atoi(e->d_name);
		if (pid > 0 && read_stat(pid, comm, &of, &state) && of == parent && strcmp(comm, name) == 0)
			found = pid;
	}
	if (d)
		closedir(d);
	return found;
}

static bool no_process(const char *name, const void *arg)
{
	const pid_t *pid = arg;
	char comm[64], state = 0;
	pid_t parent;

	(void)name;
	return !read_stat(*pid, comm, &parent, &state) || (state == 'Z' && parent != getpid());
}

bool diskrun_is_gone(pid_t pid)
{
	return wait_for(no_process, "", &pid);
}

unsigned diskrun_count_fds(pid_t pid, const char *prefix)
{
	char path[64], target[256];
	unsigned count = 0;

	for (int fd = 0; fd < 64; fd++) {
		snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, fd);
		ssize_t n = readlink(path, target, sizeof(target) - 1);
		target[n > 0 ? n : 0] = '\0';
		count += n > 0 && strncmp(target, prefix, strlen(prefix)) == 0;
	}
	return count;
}

const struct snapshot *diskrun_await(struct lab *lab, labrun_fn fn, const void *arg)
{
	const struct snapshot *s = labrun_wait(lab, fn, arg, LABRUN_PATIENCE);

	assert_non_null(s);
	return s;
}

void diskrun_set_kind(struct lab *lab, int group, enum load_kind kind)
{
	struct command c = {.kind = COMMAND_KIND, .group = group, .value = kind};

	assert_int_equal(lab_send(lab, &c), 0);
}

void diskrun_set_elevator(struct lab *lab, const char *word)
{
	struct command c = {.kind = COMMAND_ELEVATOR, .group = -1};

	snprintf(c.word, sizeof(c.word), "%s", word);
	assert_int_equal(lab_send(lab, &c), 0);
}
