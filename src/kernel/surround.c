/* What surrounds one process. */
#include "kernel/surround.h"
#include "kernel/parse.h"
#include "kernel/task.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define NICE_LIMIT_MAX 40 /* nice -20 */

static void read_autogroup(const struct procfs *fs, pid_t pid, struct surround *out)
{
	char path[32], text[64];
	int rc;

	snprintf(path, sizeof(path), "%d/autogroup", (int)pid);
	if (procfs_read(fs->proc, path, text, sizeof(text)) < 0)
		return;
	rc = parse_autogroup(text, &out->autogroup, &out->autogroup_nice);
	if (rc == 0 || rc == -ENOENT)
		out->has_autogroup = tri_of(rc == 0);
}

static void read_limit(const struct procfs *fs, pid_t pid, struct surround *out)
{
	char path[32], text[4096];
	long long v;

	snprintf(path, sizeof(path), "%d/limits", (int)pid);
	if (procfs_read(fs->proc, path, text, sizeof(text)) > 0 &&
	    parse_limit(text, "Max nice priority", &v) == 0)
		out->rlimit_nice = known(v < 0 || v > NICE_LIMIT_MAX ? NICE_LIMIT_MAX : (double)v);
}

int surround_read(const struct procfs *fs, pid_t pid, struct surround *out)
{
	char path[32], text[4096];
	long long uids[2];
	ssize_t n;

	memset(out, 0, sizeof(*out));
	snprintf(path, sizeof(path), "%d/status", (int)pid);
	n = procfs_read(fs->proc, path, text, sizeof(text));
	if (task_is_gone((int)n))
		return (int)n;
	if (n > 0 && parse_status_numbers(text, "Uid", uids, 2) == 2) {
		out->owner_known = true;
		out->ruid = (uid_t)uids[0];
		out->euid = (uid_t)uids[1];
	}
	read_autogroup(fs, pid, out);
	read_limit(fs, pid, out);
	return 0;
}

int thread_weight_read(const struct procfs *fs, pid_t pid, pid_t tid, struct thread_weight *out)
{
	char path[64], text[8192];
	long long v;
	ssize_t n;

	memset(out, 0, sizeof(*out));
	snprintf(path, sizeof(path), "%d/task/%d/sched", (int)pid, (int)tid);
	n = procfs_read(fs->proc, path, text, sizeof(text));
	if (n < 0)
		return (int)n;
	if (parse_sched_value(text, "se.load.weight", &v) == 0 && v > 0)
		out->weight = known((double)v / 1024);
	if (parse_sched_value(text, "se.slice", &v) == 0 && v > 0)
		out->slice_ns = known((double)v);
	return 0;
}

int autogroup_write(const struct procfs *fs, pid_t pid, int nice)
{
	char path[32], text[16];

	snprintf(path, sizeof(path), "%d/autogroup", (int)pid);
	snprintf(text, sizeof(text), "%d", nice);
	return procfs_write(fs->proc, path, text);
}
