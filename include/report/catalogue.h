/* The catalogue of verdicts in words: `nicelab explain`, and what nicelab-verdicts(7) is made of. Any thread. */
#ifndef NICELAB_REPORT_CATALOGUE_H
#define NICELAB_REPORT_CATALOGUE_H

#include "verdict/verdict.h"

#include <stdio.h>

/* "the call failed", as DESIGN.md, section 2, has it; for every status but STATUS_NONE. */
const char *catalogue_status(enum status s);

/* Every code with its status and why, a line each: cut to width, or whole with width 0. only: those of this status, or all
 * with STATUS_NONE. */
void catalogue_list(FILE *out, unsigned width, enum status only);

/* One verdict at length, wrapped. */
void catalogue_explain(FILE *out, unsigned rule, unsigned width);

/* One verdict, or all of them with rule -1, as JSON, schema "nicelab.explain/1"; to be freed. NULL: no memory. */
char *catalogue_json(int rule);

/* Codes that look like a word that is none: at most max, the nearest first. Returns how many. */
unsigned catalogue_near(const char *word, unsigned *rules, unsigned max);

#endif
