/* Walking through the lines of kernel text (private to the floor). Pure; any thread. */
#ifndef NICELAB_KERNEL_LINE_H
#define NICELAB_KERNEL_LINE_H

#include <stdbool.h>

/* The line after this one, or NULL after the last. */
const char *line_next(const char *line);

/* What stands behind the key on the first line that begins with it and goes on with one of the characters in after: points
 * at that character. NULL where there is none. */
const char *line_value(const char *text, const char *key, const char *after);

/* Reads a decimal number, blanks before it, and moves behind it. 0 or -EINVAL (none, or too large). */
int line_number(const char **text, long long *out);

/* Whether a list of words with sep between them holds the word; the list ends at stop or at the line's end. */
bool line_lists(const char *list, const char *word, char sep, char stop);

#endif
