/* Trees that stand in for /proc and /sys. */
#include "tree.h"
#include "test.h"

#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct procfs tree_open_fixture(const char *name)
{
	char proc[96], sys[96];
	struct procfs fs;

	snprintf(proc, sizeof(proc), "tests/fixtures/%s/proc", name);
	snprintf(sys, sizeof(sys), "tests/fixtures/%s/sys", name);
	assert_int_equal(procfs_open(&fs, proc, sys), 0);
	return fs;
}

static void make_parents(const struct tree *t, const char *path, char *whole, size_t size)
{
	snprintf(whole, size, "%s/%s", t->root, path);
	for (char *slash = strchr(whole + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(whole, 0755);
		*slash = '/';
	}
}

void tree_write(const struct tree *t, const char *path, const char *text)
{
	char whole[256];
	FILE *f;

	make_parents(t, path, whole, sizeof(whole));
	f = fopen(whole, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

void tree_link(const struct tree *t, const char *path, const char *target)
{
	char whole[256];

	make_parents(t, path, whole, sizeof(whole));
	assert_int_equal(symlink(target, whole), 0);
}

void tree_make(struct tree *t)
{
	char proc[64], sys[64];

	snprintf(t->root, sizeof(t->root), "/tmp/nicelab-test-XXXXXX");
	assert_non_null(mkdtemp(t->root));
	snprintf(proc, sizeof(proc), "%s/proc", t->root);
	snprintf(sys, sizeof(sys), "%s/sys", t->root);
	tree_write(t, "proc/stat", "");
	assert_int_equal(mkdir(sys, 0755), 0);
	assert_int_equal(procfs_open(&t->fs, proc, sys), 0);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

void tree_remove(struct tree *t)
{
	procfs_close(&t->fs);
	nftw(t->root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}
