/* Hog kind "cpu": busy loops that want a whole CPU each, always. */
#include "load/threads.h"

#include <limits.h>

static bool spin(struct load_thread *t)
{
	for (volatile unsigned turns = 0; turns < UINT_MAX; turns++)
		;
	return threads_is_wanted(t);
}

void load_spin(const struct load *l)
{
	threads_run(l, NULL, NULL, spin);
}
