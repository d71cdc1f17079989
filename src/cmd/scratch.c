/* Where files go: what is in the way of that is told in one line, before any worker is started. */
#include "cmd/scratch.h"
#include "base/err.h"
#include "base/units.h"

#include <errno.h>
#include <stdio.h>

static int refuse_dir(const struct live_request *r, int rc)
{
	char words[64];

	err_line("--dir: '%.200s': %s: choose another directory with --dir", r->lab.scratch.path,
		 err_words(-rc, words, sizeof(words)));
	return r->dir && (rc == -ENOENT || rc == -ENOTDIR) ? EXIT_USAGE : EXIT_ENVIRONMENT;
}

/* A lab that uses no disk does without. */
static int open_directory(struct live_request *r, bool needed)
{
	struct scratch *s = &r->lab.scratch;
	int rc = scratch_open(s, r->dir);

	if (rc == 0 || (!needed && !r->dir))
		return EXIT_OK;
	return refuse_dir(r, rc);
}

static int make_loop(struct live_request *r)
{
	struct scratch *s = &r->lab.scratch;
	char size[24], room_text[24], words[64];
	const char *why;
	uint64_t room;
	int rc = scratch_try(s, r->loop, r->loop_direct, &room);

	units_format_bytes(size, sizeof(size), r->loop);
	if (rc == -ENOSPC) {
		err_line("--loop: '%s': twice that must be free in '%.150s', and only %s is", size, s->path,
			 units_format_bytes(room_text, sizeof(room_text), room));
		return EXIT_ENVIRONMENT;
	}
	if (rc == 0)
		rc = scratch_loop(s, r->loop, r->loop_direct, &why);
	else
		why = "no file can be made there";
	if (rc < 0)
		err_line("--loop: '%s': %s: %s", size, why, err_words(-rc, words, sizeof(words)));
	return rc < 0 ? EXIT_ENVIRONMENT : EXIT_OK;
}

static unsigned io_of_all(const struct live_request *r)
{
	unsigned io = 0;

	for (size_t i = 0; i < r->lab.ngroups; i++)
		io |= load_kind(r->lab.groups[i].kind)->io;
	return io;
}

/* What they would take, against what they may. */
static int check_space(const struct live_request *r, uint64_t need)
{
	char want[24], may[24];

	if (need <= (uint64_t)r->lab.knobs[KNOB_SPACE])
		return EXIT_OK;
	err_line("--space: '%s': hogs and victim would take %s on the disk: smaller files (--file-size, "
		 "--tree-size), "
		 "fewer --hogs, or more --space",
		 units_format_bytes(may, sizeof(may), (uint64_t)r->lab.knobs[KNOB_SPACE]),
		 units_format_bytes(want, sizeof(want), need));
	return EXIT_USAGE;
}

static int try_directory(const struct live_request *r, uint64_t need)
{
	const struct scratch *s = &r->lab.scratch;
	char want[24], have[24], words[64];
	uint64_t room;
	int rc = scratch_try(s, need, io_of_all(r) & IO_DIRECT, &room);

	units_format_bytes(want, sizeof(want), need);
	units_format_bytes(have, sizeof(have), room);
	if (rc == -ENOSPC && r->loop)
		err_line("--loop: '%s': files of %s need twice that free in it, and only %s is: a larger "
			 "--loop, or smaller "
			 "files (--file-size, --tree-size)",
			 units_format_bytes(words, sizeof(words), r->loop), want, have);
	else if (rc == -ENOSPC)
		err_line("--dir: '%.150s': files of %s need twice that free, and only %s is: smaller files "
			 "(--file-size, --tree-size) or another --dir",
			 s->path, want, have);
	else if (rc == -EINVAL)
		err_line("--dir: '%.150s': no O_DIRECT on this file system: use another --dir, or the kinds "
			 "bufread and "
			 "bufwrite",
			 s->path);
	else if (rc < 0)
		err_line("--dir: '%.150s': no file can be made there: %s: choose another --dir", s->path,
			 err_words(-rc, words, sizeof(words)));
	return rc < 0 ? EXIT_ENVIRONMENT : EXIT_OK;
}

static int check_elevator(const struct live_request *r)
{
	char why[200];

	if (!r->lab.elevator[0] || lab_check_elevator(&r->lab, why, sizeof(why)) == 0)
		return EXIT_OK;
	err_line("--elevator: '%s': %s", r->lab.elevator, why);
	return EXIT_ENVIRONMENT;
}

int cmd_open_scratch(struct live_request *r)
{
	uint64_t need = lab_config_footprint(&r->lab);
	int status = check_space(r, need);

	if (status == EXIT_OK)
		status = open_directory(r, need || r->loop || r->lab.elevator[0]);
	if (status == EXIT_OK && r->loop)
		status = make_loop(r);
	if (status == EXIT_OK && need)
		status = try_directory(r, need);
	if (status == EXIT_OK)
		status = check_elevator(r);
	if (status != EXIT_OK)
		scratch_close(&r->lab.scratch);
	return status;
}
