/* Parsers of kernel text, pure: bytes in, struct out, any thread. Text is NUL-terminated and may be cut short or
 * hold anything; -EINVAL then, never a guess. */
#ifndef NICELAB_KERNEL_PARSE_H
#define NICELAB_KERNEL_PARSE_H

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
	int nice; /* (19) */
	long threads; /* (20) */
	uint64_t start; /* (22) clock ticks since boot */
	int cpu; /* (39) */
	int policy; /* (41) */
};
int parse_stat(const char *text, struct stat_line *out);

/* /proc/PID/task/TID/schedstat: time on CPU and time waiting in the run queue, ns. */
struct schedstat_line {
	uint64_t run_ns, wait_ns, slices;
};
int parse_schedstat(const char *text, struct schedstat_line *out);

/* The value of a line "KEY:<blanks>HEX" of /proc/PID/status. 0, -ENOENT (no such line) or -EINVAL. */
int parse_status_hex(const char *text, const char *key, uint64_t *out);

/* The path of the cpu controller in /proc/PID/cgroup: of cgroup v1 where a line lists "cpu", else of v2 ("0::").
 * version gets 1 or 2. 0, -ENOENT (neither), -ENAMETOOLONG. */
int parse_cgroup_cpu(const char *text, char *path, size_t size, int *version);

/* Where the cgroup2 file system is mounted, from /proc/self/mountinfo. 0 or -ENOENT. */
int parse_mount_cgroup2(const char *text, char *path, size_t size);

#endif
