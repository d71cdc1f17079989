/* Waiting in tests. */
#include "pause.h"
#include "base/clock.h"

#include <errno.h>
#include <time.h>

void pause_ns(uint64_t ns)
{
	uint64_t due = clock_now() + ns;
	struct timespec ts = {.tv_sec = (time_t)(due / NS_PER_SEC), .tv_nsec = (long)(due % NS_PER_SEC)};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
}
