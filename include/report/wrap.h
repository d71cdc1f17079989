/* Text for a person in lines that fit. Any thread. */
#ifndef NICELAB_REPORT_WRAP_H
#define NICELAB_REPORT_WRAP_H

#include <stdio.h>

/* The columns of the terminal behind fd, 80 where it is none; 40 at least. */
unsigned wrap_width(int fd);

/* Writes text in lines of at most width columns and ends the last one. `used` columns of the first are taken already; the others
 * begin with `indent` blanks. A word that fits nowhere gets a line of its own. */
void wrap_print(FILE *out, const char *text, unsigned used, unsigned indent, unsigned width);

#endif
