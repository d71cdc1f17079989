/* Waiting in tests, for what only time can show. */
#ifndef NICELAB_TESTS_PAUSE_H
#define NICELAB_TESTS_PAUSE_H

#include <stdint.h>

/* Sleeps for so many ns; a signal does not cut it short. */
void pause_ns(uint64_t ns);

#endif
