/* nicelab probe: looks at the host, tries every priority in children, prints what came of it. */
#include "base/err.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/output.h"
#include "load/scratch.h"
#include "load/trial.h"
#include "report/probe.h"
#include "report/wrap.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct request {
	bool json;
	const char *dir; /* NULL: choose one */
};

static void print_help(void)
{
	printf("usage: nicelab probe [--json] [--dir DIR]\n\n"
	       "Tells what this user may set here: every nice, I/O priority and policy is tried in a child "
	       "process\n"
	       "and read back; and what on this host would make a priority moot.\n\n"
	       "  --json     the same as JSON, schema nicelab.probe/1\n"
	       "  --dir DIR  look at the disk below DIR (default: $TMPDIR or /var/tmp, whichever is on a "
	       "disk)\n"
	       "  --help     show this help\n"
	       "  --version  show the version\n");
}

static void try_one(void *result, const void *family)
{
	tryout_family(result, *(const unsigned *)family);
}

/* Returns EXIT_OK, or EXIT_ENVIRONMENT where something could not be tried to its end. */
static int try_all(struct probe *p)
{
	int status = EXIT_OK;
	char words[96];

	for (unsigned f = 0; f < TRYOUT_FAMILIES; f++) {
		p->failed[f] = trial_run(try_one, &f, &p->tryout, sizeof(p->tryout));
		if (p->failed[f] == 0)
			continue;
		if (status == EXIT_OK)
			err_line("not everything could be tried: %s",
				 probe_failure(p->failed[f], words, sizeof(words)));
		status = EXIT_ENVIRONMENT;
	}
	return status;
}

static int look_at_dir(const struct procfs *fs, const struct request *r, struct probe *p)
{
	const char *dir = r->dir ? r->dir : scratch_default_dir();
	int rc = block_find(dir, &p->where);
	char words[64];

	if (rc < 0) {
		err_line("--dir: '%.200s': %s", dir, err_words(-rc, words, sizeof(words)));
		return r->dir && (rc == -ENOENT || rc == -ENOTDIR) ? EXIT_USAGE : EXIT_ENVIRONMENT;
	}
	text_clean(p->dir, sizeof(p->dir), dir, strlen(dir));
	block_read(fs, &p->where, &p->block);
	return EXIT_OK;
}

static int look(const struct request *r, struct probe *p)
{
	struct cgroup_mounts mounts;
	struct procfs fs;
	char words[64];
	int rc = procfs_open(&fs, NULL, NULL);

	if (rc < 0) {
		err_line("/proc cannot be read: %s", err_words(-rc, words, sizeof(words)));
		return EXIT_ENVIRONMENT;
	}
	host_read(&fs, &p->host);
	system_rights_read(&fs, &p->rights);
	system_read(&fs, &p->system);
	surround_read(&fs, getpid(), &p->self);
	cgroup_mounts_read(&fs, &mounts);
	p->group_known = cgroup_find(&fs, &mounts, 0, &p->place) == 0;
	if (p->group_known)
		cgroup_read(&fs, &p->place, &p->group);
	rc = look_at_dir(&fs, r, p);
	procfs_close(&fs);
	return rc;
}

static int print_report(const struct request *r, const struct probe *p)
{
	struct probe_judged *j = calloc(1, sizeof(*j));

	if (!j)
		return EXIT_INTERNAL;
	probe_judge(p, j);
	if (r->json) {
		char *text = probe_json(p, j);
		free(j);
		return output_json(text);
	}
	probe_print(stdout, p, j, wrap_width(STDOUT_FILENO));
	free(j);
	return output_end();
}

static int run(const struct request *r)
{
	struct probe *p = calloc(1, sizeof(*p));
	int status, printed;

	if (!p)
		return EXIT_INTERNAL;
	status = look(r, p);
	if (status == EXIT_OK) {
		status = try_all(p);
		printed = print_report(r, p);
		status = printed == EXIT_OK ? status : printed;
	}
	free(p);
	return status;
}

int cmd_probe(int argc, char **argv)
{
	static const struct option longs[] = {{"json", no_argument, NULL, OUTPUT_FIRST_VALUE},
					      {"dir", required_argument, NULL, OUTPUT_FIRST_VALUE + 1},
					      {"help", no_argument, NULL, OUTPUT_FIRST_VALUE + 2},
					      {"version", no_argument, NULL, OUTPUT_FIRST_VALUE + 3},
					      {0}};
	struct request r = {0};
	int c;

	opterr = 0;
	optind = 1;
	while ((c = getopt_long(argc, argv, ":", longs, NULL)) != -1) {
		if (c == OUTPUT_FIRST_VALUE)
			r.json = true;
		else if (c == OUTPUT_FIRST_VALUE + 1)
			r.dir = optarg;
		else if (c == OUTPUT_FIRST_VALUE + 2) {
			print_help();
			return output_end();
		} else if (c == OUTPUT_FIRST_VALUE + 3) {
			printf("nicelab %s\n", NICELAB_VERSION);
			return output_end();
		} else
			return output_bad_option(c, argv, "probe");
	}
	if (optind < argc) {
		err_line("unexpected argument: '%s': see nicelab probe --help", argv[optind]);
		return EXIT_USAGE;
	}
	return run(&r);
}
