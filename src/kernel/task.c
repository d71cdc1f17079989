/* Reading one thread. */
#include "kernel/task.h"
#include "kernel/priority.h"
#include "base/clock.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool task_is_gone(int error)
{
	return error == -ENOENT || error == -ESRCH;
}

static void read_times(const struct procfs *fs, const char *path, struct task_reading *out)
{
	char text[96];

	out->times_known = procfs_read(fs->proc, path, text, sizeof(text)) > 0 &&
			   parse_schedstat(text, &out->times) == 0 &&
			   (out->times.run_ns || out->times.wait_ns || out->times.slices);
}

int task_read(const struct procfs *fs, pid_t pid, pid_t tid, struct task_reading *out)
{
	char path[64], text[1024];
	ssize_t n;
	int rc;

	memset(out, 0, sizeof(*out));
	snprintf(path, sizeof(path), "%d/task/%d/stat", (int)pid, (int)tid);
	out->at = clock_now();
	n = procfs_read(fs->proc, path, text, sizeof(text));
	if (n < 0)
		return (int)n;
	if (strlen(text) != (size_t)n)
		return -EINVAL;
	rc = parse_stat(text, &out->stat);
	if (rc < 0)
		return rc;
	snprintf(path, sizeof(path), "%d/task/%d/schedstat", (int)pid, (int)tid);
	read_times(fs, path, out);
	rc = priority_get_ioprio(tid, &out->ioprio);
	out->ioprio_error = -rc;
	return 0;
}
