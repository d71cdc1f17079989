/* Parsers of kernel text, pure: bytes in, struct out, any thread. Text is NUL-terminated and may be cut short or
 * hold anything; -EINVAL then, never a guess. */
#ifndef NICELAB_KERNEL_PARSE_H
#define NICELAB_KERNEL_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define COMM_SIZE 64 /* comm is at most 15 bytes for tasks, 63 for kernel workers */

/* /proc/PID/task/TID/stat, proc_pid_stat(5); the numbers are the fields there. */
struct stat_line {
	pid_t tid; /*  (1) */
	char comm[COMM_SIZE]; /*  (2) raw bytes: may hold ')', spaces, newlines; clean before showing */
	char state; /*  (3) */
	pid_t ppid; /*  (4) */
	pid_t session; /*  (6) */
	unsigned long flags; /*  (9) PF_ flags of the kernel: PF_KTHREAD */
	int nice; /* (19) */
	long threads; /* (20) */
	uint64_t start; /* (22) clock ticks since boot */
	int cpu; /* (39) */
	int rt_priority; /* (40) 1 to 99 for SCHED_FIFO and SCHED_RR, else 0 */
	int policy; /* (41) */
};
int parse_stat(const char *text, struct stat_line *out);

/* /proc/PID/task/TID/schedstat: time on CPU and time waiting in the run queue, ns. */
struct schedstat_line {
	uint64_t run_ns, wait_ns, slices;
};
int parse_schedstat(const char *text, struct schedstat_line *out);

/* The value of a line "KEY:<blanks>HEX" of /proc/PID/status. 0, -ENOENT (no such line) or -EINVAL (the line is cut, too). */
int parse_status_hex(const char *text, const char *key, uint64_t *out);

/* The path of a controller ("cpu", "blkio") in /proc/PID/cgroup: of cgroup v1 where a line lists it, else of v2 ("0::").
 * version gets 1 or 2. 0, -ENOENT (neither), -ENAMETOOLONG. */
int parse_cgroup(const char *text, const char *controller, char *path, size_t size, int *version);

/* The numbers (decimal) that follow "KEY:" in /proc/PID/status, at most max: "Uid", "Seccomp", "NSpid". Returns how
 * many, -ENOENT (no such line) or -EINVAL (no number there, or the line is cut). */
int parse_status_numbers(const char *text, const char *key, long long *out, size_t max);

/* A file that holds one number (decimal) and nothing else. 0 or -EINVAL. */
int parse_number(const char *text, long long *out);

/* The soft limit of a line of /proc/PID/limits, as "Max nice priority". -1 for unlimited. 0, -ENOENT or -EINVAL. */
int parse_limit(const char *text, const char *name, long long *out);

/* The number (whole part) of a line "KEY <blanks> : VALUE" of /proc/PID/sched: "se.load.weight", "se.slice". The name
 * of the thread stands first and may look like anything, newlines and keys too: only what follows the line of dashes
 * counts. 0, -ENOENT or -EINVAL. */
int parse_sched_value(const char *text, const char *key, long long *out);

/* /proc/PID/autogroup: "/autogroup-3070 nice 0". 0, -ENOENT (empty: the task has none) or -EINVAL. */
int parse_autogroup(const char *text, long *id, int *nice);

/* Lines "cpuN ..." of /proc/stat, in clock ticks since boot; entry N of out is CPU N. CPUs that are offline stay zero
 * with present false. Returns the highest CPU number + 1, at most max, or -EINVAL where there is none, or a line is cut. */
struct cpu_times {
	bool present;
	uint64_t busy; /* user, nice, system, irq, softirq; guest time is within user and nice */
	uint64_t idle; /* idle and iowait */
	uint64_t steal;
};
int parse_cpu_times(const char *text, struct cpu_times *out, size_t max);

/* The value of a line "KEY VALUE" of cpu.stat. 0, -ENOENT or -EINVAL. */
int parse_flat_value(const char *text, const char *key, uint64_t *out);

/* cpu.max of cgroup v2: "max 100000" or "20000 100000". CPUs that it allows; negative for no limit. 0 or -EINVAL. */
int parse_cpu_max(const char *text, double *cpus);

/* A mount of /proc/self/mountinfo. Both paths are unescaped (\040 is a blank). */
struct mount_line {
	char root
		[256]; /* (4) what of the file system is mounted: in a container, the container's own group */
	char point[256]; /* (5) */
};

/* The mount of a controller: of cgroup v1 (file system "cgroup" with the controller among its super options), or of v2
 * ("cgroup2", which has all of them). Where there are several, the last below /sys, as it hides those before; else the first. 0, -ENOENT or
 * -ENAMETOOLONG. */
int parse_mount_cgroup(const char *text, int version, const char *controller, struct mount_line *out);

/* The hidepid of the proc mounted at /proc: 0, 1, 2 or 4 (the words off, noaccess, invisible, ptraceable too).
 * -ENOENT where there is no such mount, -EINVAL for a word that is not known. */
int parse_mount_hidepid(const char *text);

#endif
