/* Errors: -errno travels inside the program, words are made only at the edge. */
#ifndef NICELAB_BASE_ERR_H
#define NICELAB_BASE_ERR_H

#include <stddef.h>

/* The exit statuses of every command (nicelab(1), EXIT STATUS). */
enum exit_status {
	EXIT_OK = 0,
	EXIT_NO = 1, /* the question was answered "no" */
	EXIT_USAGE = 2, /* the command line is wrong */
	EXIT_ENVIRONMENT = 3, /* not a terminal, no /proc, not permitted */
	EXIT_INTERNAL = 4,
};

/* Writes "EACCES: permission denied" for an errno (positive) into buf and returns buf.
 * Any thread. */
const char *err_words(int errnum, char *buf, size_t size);

/* Prints one line "nicelab: ..." on stderr; control bytes in it are made harmless. */
void err_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
