/* The one clock of nicelab. */
#include "base/clock.h"

#include <errno.h>
#include <time.h>

static uint64_t read_clock(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_SEC + (uint64_t)ts.tv_nsec;
}

uint64_t clock_now(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t clock_thread_cpu(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t clock_process_cpu(void)
{
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

void clock_sleep_until(uint64_t due)
{
	struct timespec ts = {.tv_sec = (time_t)(due / NS_PER_SEC), .tv_nsec = (long)(due % NS_PER_SEC)};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
}
