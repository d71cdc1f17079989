/* The one clock of nicelab: CLOCK_MONOTONIC in nanoseconds. Any thread. */
#ifndef NICELAB_BASE_CLOCK_H
#define NICELAB_BASE_CLOCK_H

#include <stdint.h>

#define NS_PER_US UINT64_C(1000)
#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_SEC UINT64_C(1000000000)

/* CLOCK_MONOTONIC, ns. Never goes back. */
uint64_t clock_now(void);

/* CPU time of the calling thread, ns. */
uint64_t clock_thread_cpu(void);

/* CPU time of the whole process, ns. */
uint64_t clock_process_cpu(void);

#endif
