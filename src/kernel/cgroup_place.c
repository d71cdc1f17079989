/* Where a process is in the hierarchy of a controller. */
#include "kernel/cgroup_place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cgroup_place_mounts(const struct procfs *fs, const char *controller, struct cgroup_mounts *out)
{
	char *text;
	ssize_t n = procfs_read_new(fs->proc, "self/mountinfo", PROCFS_MOUNTS_MAX, &text);

	memset(out, 0, sizeof(*out));
	if (n < 0)
		return (int)n;
	out->has_v1 = parse_mount_cgroup(text, 1, controller, &out->v1) == 0;
	out->has_v2 = parse_mount_cgroup(text, 2, controller, &out->v2) == 0;
	free(text);
	return 0;
}

/* What of a path lies below the root: "" or "/...". NULL where it lies elsewhere. Groups outside the reader's cgroup
 * namespace have paths that begin with "/..". */
static const char *below(const char *path, const char *root)
{
	size_t len = strcmp(root, "/") == 0 ? 0 : strlen(root);
	const char *rest = path + len;

	if (strncmp(path, root, len) || (*rest && *rest != '/'))
		return NULL;
	for (const char *up = strstr(rest, "/.."); up; up = strstr(up + 3, "/.."))
		if (up[3] == '/' || up[3] == '\0')
			return NULL;
	return strcmp(rest, "/") == 0 ? "" : rest;
}

/* From the path to the directories below /sys, where the mount shows it. -ENAMETOOLONG where they do not fit. */
static int locate(const struct mount_line *mount, struct cgroup_place *p)
{
	const char *rest = below(p->path, mount->root);
	int n;

	if (!rest || strncmp(mount->point, "/sys/", 5))
		return 0;
	n = snprintf(p->dir, sizeof(p->dir), "%s%s", mount->point + 5, rest);
	if (n < 0 || (size_t)n >= sizeof(p->dir)) {
		p->dir[0] = '\0';
		return -ENAMETOOLONG;
	}
	memcpy(p->top, p->dir, (size_t)n - strlen(rest));
	return 0;
}

int cgroup_place_find(const struct procfs *fs, const struct cgroup_mounts *m, const char *controller,
		      pid_t pid, struct cgroup_place *out)
{
	struct cgroup_place p = {0};
	char path[32], text[8192];
	ssize_t n;
	int rc;

	if (pid == 0)
		snprintf(path, sizeof(path), "self/cgroup");
	else
		snprintf(path, sizeof(path), "%d/cgroup", (int)pid);
	n = procfs_read_all(fs->proc, path, text, sizeof(text));
	rc = n < 0 ? (int)n : parse_cgroup(text, controller, p.path, sizeof(p.path), &p.version);
	if (n >= 0 && rc == -ENOENT)
		rc = 0; /* neither version is there */
	if (rc == 0 && p.version == 2 && m->has_v2)
		rc = locate(&m->v2, &p);
	else if (rc == 0 && p.version == 1 && m->has_v1)
		locate(&m->v1, &p); /* v1 tells the group without it */
	memset(out, 0, sizeof(*out));
	if (rc == 0)
		*out = p;
	return rc;
}

/* Cuts the last part off the path of a group: "/a/b" to "/a", "/a" to "/". */
static void cut_path(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash)
		slash[slash == path] = '\0';
}

bool cgroup_place_up(struct cgroup_place *p)
{
	char *slash = strrchr(p->dir, '/');

	if (!slash || strlen(p->dir) <= strlen(p->top))
		return false;
	*slash = '\0';
	cut_path(p->path);
	return true;
}

/* The path of one file of the group. Returns buf, of FILE_PATH bytes. */
#define FILE_PATH (CGROUP_PATH + 48)
static const char *file_path(char *buf, const struct cgroup_place *p, const char *name)
{
	snprintf(buf, FILE_PATH, "%s/%s", p->dir, name);
	return buf;
}

ssize_t cgroup_place_read(const struct procfs *fs, const struct cgroup_place *p, const char *name, char *text,
			  size_t size)
{
	char path[FILE_PATH];

	return procfs_read(fs->sys, file_path(path, p, name), text, size);
}

int cgroup_place_number(const struct procfs *fs, const struct cgroup_place *p, const char *name,
			long long *out)
{
	char path[FILE_PATH];

	return procfs_read_number(fs->sys, file_path(path, p, name), out);
}
