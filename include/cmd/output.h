/* What the commands that print a report have in common. */
#ifndef NICELAB_CMD_OUTPUT_H
#define NICELAB_CMD_OUTPUT_H

/* Values of long options begin here, so that none is taken for a letter. */
#define OUTPUT_FIRST_VALUE 256

/* One line about what getopt_long did not like (c is what it returned; its options begin with ':'). EXIT_USAGE. */
int output_bad_option(int c, char **argv, const char *command);

/* Prints the text and a newline, and frees it; NULL: there was no memory for it. EXIT_OK, or another after one line. */
int output_json(char *text);

/* Ends standard output: what could not be written is told. EXIT_OK or EXIT_ENVIRONMENT. */
int output_end(void);

#endif
