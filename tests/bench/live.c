/* The real program on a pseudo-terminal: time to the first frame, from key to system call, lateness of frames, and what
 * the dashboard itself costs. */
#include "bench.h"
#include "base/clock.h"
#include "pause.h"
#include "kernel/procfs.h"
#include "kernel/task.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM "build/nicelab"

struct session {
	pid_t pid;
	int pty;
	uint64_t started;
};

static void become_program(int master, const char *hogs)
{
	struct winsize size = {.ws_row = 32, .ws_col = 100};
	char *name = ptsname(master);
	int tty;

	setsid();
	tty = name ? open(name, O_RDWR) : -1;
	if (tty < 0)
		_exit(127);
	ioctl(tty, TIOCSWINSZ, &size);
	for (int fd = 0; fd <= 2; fd++)
		dup2(tty, fd);
	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	execl(PROGRAM, PROGRAM, "--hogs", hogs, (char *)NULL);
	_exit(127);
}

static struct session start(const char *hogs)
{
	struct session s = {.pty = posix_openpt(O_RDWR | O_NOCTTY)};

	grantpt(s.pty);
	unlockpt(s.pty);
	s.started = clock_now();
	s.pid = fork();
	if (s.pid == 0)
		become_program(s.pty, hogs);
	return s;
}

/* Reads what there is within the time; returns the bytes, 0 for none. */
static size_t take(const struct session *s, char *buf, size_t size, int timeout_ms)
{
	struct pollfd p = {.fd = s->pty, .events = POLLIN};
	ssize_t n = 0;

	if (poll(&p, 1, timeout_ms) > 0)
		n = read(s->pty, buf, size - 1);
	if (n < 0)
		n = 0;
	buf[n] = '\0';
	return (size_t)n;
}

/* Keeps the program's output flowing for a while. */
static void let_run(const struct session *s, double seconds)
{
	uint64_t until = clock_now() + (uint64_t)(seconds * 1e9);
	char buf[65536];

	while (clock_now() < until)
		take(s, buf, sizeof(buf), 20);
}

static void stop(struct session *s)
{
	char buf[65536];

	if (write(s->pty, "q", 1) != 1)
		kill(s->pid, SIGTERM);
	while (waitpid(s->pid, NULL, WNOHANG) == 0)
		take(s, buf, sizeof(buf), 20);
	close(s->pty);
}

static void bench_first_frame(void)
{
	enum { RUNS = 9 };
	double ms[RUNS];
	size_t n = 0;

	for (int i = 0; i < RUNS; i++) {
		struct session s = start("6");
		char buf[65536];
		uint64_t until = s.started + 3 * NS_PER_SEC;
		bool seen = false;
		while (!seen && clock_now() < until)
			seen = take(&s, buf, sizeof(buf), 100) && strstr(buf, "Victim");
		ms[n++] = (double)(clock_now() - s.started) / 1e6;
		stop(&s);
	}
	bench_report("first frame after the start, median", bench_percentile(ms, n, 0.5), "ms", 150);
}

/* The victim's main thread: a grandchild by way of the stage. */
static pid_t find_victim(const struct session *s)
{
	struct procfs fs;
	DIR *d = opendir("/proc");
	struct dirent *e;
	pid_t found = 0;

	if (!d || procfs_open(&fs, NULL, NULL) < 0)
		return 0;
	while (!found && (e = readdir(d))) {
		struct task_reading r, stage;
		pid_t pid = (pid_t)atoi(e->d_name);
		if (pid > 0 && task_read(&fs, pid, pid, &r) == 0 && strcmp(r.stat.comm, "nl-victim") == 0 &&
		    task_read(&fs, r.stat.ppid, r.stat.ppid, &stage) == 0 && stage.stat.ppid == s->pid)
			found = pid;
	}
	closedir(d);
	procfs_close(&fs);
	return found;
}

static int nice_of(const struct procfs *fs, pid_t pid)
{
	struct task_reading r;

	return task_read(fs, pid, pid, &r) == 0 ? r.stat.nice : -99;
}

/* From writing F8 or F7 into the terminal until the kernel reports the other nice. */
static void bench_reaction(const struct session *s)
{
	enum { PRESSES = 60 };
	static const char *const keys[] = {"\033[19~", "\033[18~"};
	double ms[PRESSES];
	struct procfs fs;
	char buf[65536];
	pid_t victim = find_victim(s);

	if (!victim || procfs_open(&fs, NULL, NULL) < 0)
		return;
	for (int i = 0; i < PRESSES; i++) {
		int before = nice_of(&fs, victim);
		uint64_t from = clock_now();
		if (write(s->pty, keys[i % 2], 5) != 5)
			break;
		while (nice_of(&fs, victim) == before && clock_now() - from < NS_PER_SEC)
			pause_ns(200 * NS_PER_US);
		ms[i] = (double)(clock_now() - from) / 1e6;
		for (uint64_t until = clock_now() + 70 * NS_PER_MS; clock_now() < until;)
			take(s, buf, sizeof(buf), 10);
	}
	procfs_close(&fs);
	bench_report("key press to setpriority, 100 hogs, p95", bench_percentile(ms, PRESSES, 0.95), "ms",
		     20);
}

/* Each frame changes something (the age of the piece in flight): a burst of output is a frame. */
static void bench_frames(const struct session *s, const char *what)
{
	enum { FRAMES = 100 };
	double late[FRAMES];
	size_t n = 0;
	uint64_t last = 0, until = clock_now() + 20 * NS_PER_SEC;
	char buf[65536];

	while (n < FRAMES && clock_now() < until) {
		if (!take(s, buf, sizeof(buf), 100))
			continue;
		uint64_t now = clock_now();
		while (take(s, buf, sizeof(buf), 5)) /* the rest of the same frame */
			;
		if (last)
			late[n++] = (double)(now - last) / 1e6 > 100 ? (double)(now - last) / 1e6 - 100 : 0;
		last = now;
	}
	bench_report(what, bench_percentile(late, n, 0.95), "ms", 100);
}

static double cpu_seconds(pid_t pid)
{
	char path[64], text[1024];
	unsigned long user, system;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "r");
	if (!f)
		return 0;
	size_t n = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[n] = '\0';
	if (sscanf(strrchr(text, ')') + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
		   &system) != 2)
		return 0;
	return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static double resident_mb(pid_t pid)
{
	char path[64], line[256];
	double kb = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "VmRSS: %lf", &kb) == 1)
			break;
	if (f)
		fclose(f);
	return kb / 1024;
}

static void bench_cost(void)
{
	struct session s = start("6");
	double from, seconds = 15;

	let_run(&s, 5);
	from = cpu_seconds(s.pid);
	let_run(&s, seconds);
	bench_report("dashboard, 6 hogs, 10 frames a second: CPU",
		     (cpu_seconds(s.pid) - from) / seconds * 100, "%", 2);
	bench_report("dashboard, 6 hogs: resident", resident_mb(s.pid), "MB", 10);
	stop(&s);
}

void bench_live(void)
{
	struct session s;

	bench_first_frame();
	bench_cost();
	s = start("100");
	let_run(&s, 6);
	bench_reaction(&s);
	bench_frames(&s, "lateness of frames, 100 hogs, p95");
	stop(&s);
	s = start("1000");
	let_run(&s, 10);
	bench_frames(&s, "lateness of frames, 1000 hogs, p95");
	stop(&s);
}
