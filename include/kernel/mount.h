/* One line of mountinfo, proc_pid_mountinfo(5) (private to the floor). Pure; any thread. */
#ifndef NICELAB_KERNEL_MOUNT_H
#define NICELAB_KERNEL_MOUNT_H

#include <stdbool.h>
#include <stddef.h>

/* Where the fields of a line begin. Each ends at a blank, or at the end of the line. */
struct mount_fields {
	const char *root; /* (4) */
	const char *point; /* (5) */
	const char *type; /* (9) */
	const char *source; /* (10) */
	const char *options; /* (11) of the super block */
};

/* Finds the fields; false for a line that is none, or is cut before the last of them. */
bool mount_split(const char *line, struct mount_fields *out);

/* Copies a field without its escapes (\040 is a blank), up to one of the characters in ends or the NUL. 0 or -ENAMETOOLONG. */
int mount_unescape(char *dst, size_t size, const char *src, const char *ends);

#endif
