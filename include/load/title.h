/* The command line that ps and htop show for a process: written over the argument area. */
#ifndef NICELAB_LOAD_TITLE_H
#define NICELAB_LOAD_TITLE_H

/* Remembers where the argument area lies. Once, from main, before title_set. */
void title_init(int argc, char **argv);

/* Sets both the command line and the thread name (15 bytes). Only in a process that no longer needs its arguments and
 * environment: the stage and its workers. */
void title_set(const char *name);

#endif
