/* The host over time. */
#include "sample/machine.h"
#include "base/clock.h"
#include "kernel/surround.h"
#include "kernel/task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SLOW (5 * NS_PER_SEC)
#define SEARCH (60 * NS_PER_SEC)
#define PIDS_MAX 32768
#define ENOUGH (2 * NS_PER_SEC)

void sample_machine_restart(struct sample_machine *m)
{
	m->used = 0;
}

/* The i-th newest. */
static const struct machine_point *point(const struct sample_machine *m, size_t i)
{
	return &m->points[(m->used - 1 - i) % MACHINE_POINTS];
}

static void read_clocks(struct sample_machine *m, const struct procfs *fs, const struct cpulist *cpus)
{
	struct cpu_times times[CPULIST_MAX];
	struct machine_point *p = &m->points[m->used % MACHINE_POINTS];
	int n;

	if (m->used && clock_now() - point(m, 0)->at < NS_PER_SEC)
		return;
	n = system_cpu_times(fs, times, CPULIST_MAX);
	if (n <= 0)
		return;
	*p = (struct machine_point){.at = clock_now()};
	for (int i = 0; i < n; i++)
		if (cpulist_has(cpus, (unsigned)i) && times[i].present) {
			p->busy += times[i].busy;
			p->idle += times[i].idle;
			p->steal += times[i].steal;
		}
	m->used++;
}

/* What the kernel shows of a thread that surely runs: the caller. */
static void read_own(struct sample_machine *m, const struct procfs *fs)
{
	struct task_reading own;
	struct thread_weight used = {{0}, {0}};
	int rc;

	if (task_read(fs, getpid(), getpid(), &own) == 0)
		m->schedstat = tri_of(own.times_known);
	rc = thread_weight_read(fs, getpid(), getpid(), &used);
	m->sched_file = tri_of(rc == 0);
	m->base_slice_ns = used.slice_ns;
}

/* As comm has them: 15 characters at most. */
static const char *const renicers[] = {"ananicy",    "ananicy-cpp",  "gamemoded", "system76-schedu",
				       "uresourced", "rtkit-daemon", "verynice",  "and"};

static bool is_renicer(const struct procfs *fs, pid_t pid, char *name, size_t size)
{
	char path[32], comm[32];
	ssize_t n;

	snprintf(path, sizeof(path), "%d/comm", (int)pid);
	n = procfs_read(fs->proc, path, comm, sizeof(comm));
	if (n <= 0)
		return false;
	comm[strcspn(comm, "\n")] = '\0';
	for (size_t i = 0; i < sizeof(renicers) / sizeof(renicers[0]); i++)
		if (strcmp(comm, renicers[i]) == 0) {
			snprintf(name, size, "%s", renicers[i]);
			return true;
		}
	return false;
}

void sample_machine_find_renicer(struct sample_machine *m, const struct procfs *fs)
{
	uint64_t now = clock_now();
	pid_t *pids;
	ssize_t n;

	if (m->searched_at && now - m->searched_at < SEARCH)
		return;
	pids = calloc(PIDS_MAX, sizeof(*pids));
	if (!pids)
		return;
	m->searched_at = now;
	m->renicer[0] = '\0';
	n = procfs_processes(fs, pids, PIDS_MAX);
	for (ssize_t i = 0; i < n && i < PIDS_MAX; i++)
		if (is_renicer(fs, pids[i], m->renicer, sizeof(m->renicer)))
			break;
	free(pids);
}

void sample_machine_update(struct sample_machine *m, const struct procfs *fs, const struct cpulist *cpus)
{
	uint64_t now = clock_now();

	if (!m->read_at || now - m->read_at >= SLOW) {
		system_read(fs, &m->system);
		system_rights_read(fs, &m->rights);
		read_own(m, fs);
		m->read_at = now;
	}
	read_clocks(m, fs, cpus);
}

/* Clocks of /proc/stat may go back a little: that is no measurement. */
static bool ends(const struct sample_machine *m, struct machine_point *d)
{
	size_t held = m->used < MACHINE_POINTS ? m->used : MACHINE_POINTS;
	const struct machine_point *from, *to;

	if (held < 2)
		return false;
	from = point(m, held - 1);
	to = point(m, 0);
	if (to->at - from->at < ENOUGH || to->busy < from->busy || to->idle < from->idle ||
	    to->steal < from->steal)
		return false;
	*d = (struct machine_point){to->at - from->at, to->busy - from->busy, to->idle - from->idle,
				    to->steal - from->steal};
	return d->busy + d->idle + d->steal > 0;
}

struct known_number sample_machine_busy(const struct sample_machine *m)
{
	struct machine_point d;

	return ends(m, &d) ? known((double)d.busy / (double)(d.busy + d.idle + d.steal))
			   : (struct known_number){0};
}

struct known_number sample_machine_steal(const struct sample_machine *m)
{
	struct machine_point d;

	return ends(m, &d) ? known((double)d.steal / (double)(d.busy + d.idle + d.steal))
			   : (struct known_number){0};
}
