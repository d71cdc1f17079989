/* What the disk victim measures beside what fio measures: the same file size, block and direction, one request at a time, in turns
 * so that both see the same disk. And what the sampling of a disk lab costs. */
#include "bench.h"
#include "base/clock.h"
#include "labrun.h"
#include "load/scratch.h"

#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TURNS 7u
#define SECONDS 3

struct turn {
	enum load_kind kind;
	const char *direction; /* as fio calls it */
	long block;
};

static struct lab *start_victim(const struct turn *t, long hogs)
{
	struct lab_config *c = calloc(1, sizeof(*c));
	struct lab *lab = NULL;
	const char *what;

	lab_config_default(c);
	c->groups[VICTIM].kind = t->kind;
	c->groups[HOGS].kind = LOAD_WRITE_HOG;
	c->groups[HOGS].knobs[KNOB_COUNT] = hogs;
	c->groups[VICTIM].knobs[KNOB_THREADS] = 1;
	c->knobs[KNOB_BLOCK] = t->block;
	if (scratch_open(&c->scratch, NULL) < 0 || lab_start(c, &lab, &what) < 0)
		lab = NULL;
	free(c);
	return lab;
}

/* The mean latency of a block, ns, of a victim that has just been let go on. */
static double victim_mean(struct lab *lab)
{
	const struct snapshot *s;

	labrun_sleep(lab, 0.3);
	labrun_send(lab, COMMAND_CLEAR);
	s = labrun_sleep(lab, SECONDS);
	return s && s->groups[VICTIM].latency.window.count
		       ? (double)s->groups[VICTIM].latency.window.sum /
				 (double)s->groups[VICTIM].latency.window.count
		       : NAN;
}

/* The path to the victim's own file, which has no name: both measure the same blocks of the disk. */
static bool victim_file(struct lab *lab, char *path, size_t size)
{
	const struct snapshot *s = labrun_sleep(lab, 0.1);
	char dir[64], target[256];
	struct dirent *e;
	bool found = false;
	DIR *d;

	snprintf(dir, sizeof(dir), "/proc/%d/fd", s && s->nthreads ? (int)s->threads[0].pid : 0);
	d = opendir(dir);
	while (d && !found && (e = readdir(d))) {
		snprintf(path, size, "%s/%.16s", dir, e->d_name);
		ssize_t n = readlink(path, target, sizeof(target) - 1);
		target[n > 0 ? n : 0] = '\0';
		found = strstr(target, "/#") && strstr(target, "(deleted)");
	}
	if (d)
		closedir(d);
	return found;
}

static double parse_fio(FILE *in, const char *direction)
{
	json_t *root = json_loadf(in, JSON_DISABLE_EOF_CHECK, NULL), *job, *mean;

	job = json_array_get(json_object_get(root, "jobs"), 0);
	mean = json_object_get(json_object_get(json_object_get(job, direction), "lat_ns"), "mean");
	double value = mean ? json_number_value(mean) : NAN;
	json_decref(root);
	return value;
}

static double fio_mean(const struct turn *t, const char *file)
{
	char command[640];
	FILE *in;
	double mean;

	snprintf(command, sizeof(command),
		 "fio --name=bench --filename=%s --size=64m --bs=%ld --rw=%s --direct=1 --ioengine=psync "
		 "--allow_file_create=0 --overwrite=1 --unlink=0 --time_based --runtime=%d --ramp_time=300ms "
		 "--invalidate=0 --output-format=json 2>/dev/null",
		 file, t->block, t->direction, SECONDS);
	in = popen(command, "r");
	if (!in)
		return NAN;
	mean = parse_fio(in, t->direction);
	pclose(in);
	return mean;
}

static void compare(struct lab *lab, const struct turn *t, const char *file)
{
	double ratios[TURNS], ours, theirs;
	char what[80];

	for (unsigned i = 0; i < TURNS; i++) {
		ours = victim_mean(lab);
		lab_freeze(lab, true);
		theirs = fio_mean(t, file);
		lab_freeze(lab, false);
		ratios[i] = ours / theirs;
		printf("  %s of %ld KiB: victim %.1f us, fio %.1f us\n", t->direction, t->block >> 10,
		       ours / 1000, theirs / 1000);
	}
	snprintf(what, sizeof(what), "O_DIRECT %s of %ld KiB against fio, median gap", t->direction,
		 t->block >> 10);
	bench_report(what, fabs(bench_percentile(ratios, TURNS, 0.5) - 1) * 100, "%", 5);
}

static void beside_fio(const struct turn *t)
{
	struct lab *lab = start_victim(t, 0);
	char file[96];

	if (!lab)
		return;
	if (labrun_wait(lab, labrun_is_running, NULL, 60) && victim_file(lab, file, sizeof(file)))
		compare(lab, t, file);
	lab_stop(lab);
}

/* What nicelab itself uses while a victim reads as fast as it can. */
static void cost(void)
{
	const struct turn t = {LOAD_READ, "read", 4096};
	struct lab *lab = start_victim(&t, 2);
	uint64_t from, cpu;

	if (!lab)
		return;
	labrun_wait(lab, labrun_is_running, NULL, 60);
	cpu = clock_process_cpu();
	from = clock_now();
	labrun_sleep(lab, 5);
	bench_report("own CPU with a disk lab (4 KiB reads, 2 writers)",
		     100 * (double)(clock_process_cpu() - cpu) / (double)(clock_now() - from), "%", 1);
	lab_stop(lab);
}

/* Blocks small enough to be one request whatever the pages of the buffer are: a disk may take 254 pieces of memory at a time (as
 * virtio does), and 1 MiB of scattered pages is 256. The victim's own buffers are in one piece where that is to be had. */
void bench_disk(void)
{
	static const struct turn turns[] = {{LOAD_READ, "read", 256L << 10},
					    {LOAD_READ, "read", 64L << 10},
					    {LOAD_WRITE, "write", 256L << 10}};

	cost();
	if (system("command -v fio >/dev/null") != 0) {
		printf("fio is not installed: the comparison of the disk victim with it is skipped\n");
		return;
	}
	for (size_t i = 0; i < sizeof(turns) / sizeof(turns[0]); i++)
		beside_fio(&turns[i]);
}
