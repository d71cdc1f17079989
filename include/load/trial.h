/* Runs a function in a disposable child process and brings its result back: what it does to its own priorities is gone with it.
 *
 * Only for a process with a single thread: the child is a plain fork that goes on in the program. */
#ifndef NICELAB_LOAD_TRIAL_H
#define NICELAB_LOAD_TRIAL_H

#include <stddef.h>

#define TRIAL_MS 5000 /* the child is killed after */

/* What runs in the child. result is shared with the parent. */
typedef void (*trial_fn)(void *result, const void *arg);

/* Runs fn(result, arg) over a shared copy of the size bytes of *result, and copies back what stands there when the child has ended, however
 * that was. The child is a session of its own, ends with the parent, and is reaped before this returns. 0, -ETIMEDOUT (killed
 * after TRIAL_MS), -ECANCELED (it ended before fn had returned: some seccomp filters kill), or -errno where no child could be
 * started (*result is as it was). */
int trial_run(trial_fn fn, const void *arg, void *result, size_t size);

#endif
