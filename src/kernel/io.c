/* What a process has read and written. */
#include "kernel/io.h"
#include "base/clock.h"
#include "kernel/parse.h"

#include <errno.h>
#include <stdio.h>

int io_parse(const char *text, struct io_counts *out)
{
	const struct {
		const char *key;
		uint64_t *count;
	} lines[] = {
		{"rchar", &out->read_chars},
		{"wchar", &out->write_chars},
		{"read_bytes", &out->read_bytes},
		{"write_bytes", &out->write_bytes},
		{"cancelled_write_bytes", &out->cancelled_bytes},
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		long long v;
		if (parse_status_numbers(text, lines[i].key, &v, 1) != 1 || v < 0)
			return -EINVAL;
		*lines[i].count = (uint64_t)v;
	}
	return 0;
}

int io_read(const struct procfs *fs, pid_t pid, struct io_counts *out)
{
	char path[32], text[512];
	ssize_t n;

	snprintf(path, sizeof(path), "%d/io", (int)pid);
	n = procfs_read(fs->proc, path, text, sizeof(text));
	*out = (struct io_counts){.at = clock_now()};
	return n < 0 ? (int)n : io_parse(text, out);
}
