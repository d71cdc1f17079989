/* Priority values: nice, ioprio, policy; how they are written, read and compared. Pure; any thread.
 * Layout of an ioprio: class << 13 | hint << 3 | level (ioprio_set(2); hints since Linux 6.5). */
#ifndef NICELAB_SCHED_PRIO_H
#define NICELAB_SCHED_PRIO_H

#include <stdbool.h>
#include <stddef.h>

#define NICE_MIN (-20)
#define NICE_MAX 19
#define NICE_COUNT 40
#define IOPRIO_LEVELS 8

enum ioprio_class {
	IOCLASS_NONE = 0, /* never set: follows nice and policy */
	IOCLASS_RT = 1,
	IOCLASS_BE = 2,
	IOCLASS_IDLE = 3,
};

struct ioprio {
	int io_class; /* enum ioprio_class, or 4 to 7 where the kernel reports something newer */
	int hint;
	int level; /* 0 (highest) to 7 */
};

int ioprio_pack(struct ioprio p);
struct ioprio ioprio_unpack(int raw);

/* "none", "idle", "rt/4", "be/0"; a class that is not known prints as "class-5/2". Returns buf. */
char *ioprio_format(char *buf, size_t size, int raw);

/* CLASS[:LEVEL] or CLASS[/LEVEL]; classes none, rt, be, idle and the long names realtime and best-effort, or the
 * numbers of ionice(1). The level is 4 where it is left out. 0, -EINVAL (not a class or level), or -ERANGE (a level
 * outside 0 to 7, or any level with none or idle). */
int ioprio_parse(const char *text, int *raw);

/* What the block layer uses: raw itself, or, where the class is none, best effort (nice + 20) / 5, idle for SCHED_IDLE,
 * rt for the real-time policies (kernel: get_current_ioprio, task_nice_ioprio). */
int ioprio_effective(int raw, int nice, int policy);

/* Whether asking for `wanted` and reading `actual` is the same thing. Some 5.x kernels report the derived value where
 * the class is none. */
bool ioprio_same(int wanted, int actual, int nice, int policy);

/* The choices in the order of a slider: none, rt/0 to rt/7, be/0 to be/7, idle. */
#define IOPRIO_CHOICES 18
int ioprio_choice(int index);
int ioprio_choice_index(int raw); /* -1 where raw is no choice */

/* "OTHER", "FIFO", "RR", "BATCH", "IDLE", "DEADLINE", "EXT"; "policy-N" else. Returns buf. */
char *policy_format(char *buf, size_t size, int policy);

#endif
