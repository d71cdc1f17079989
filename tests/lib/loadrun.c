/* Running one kind of load in a child process. */
#include "loadrun.h"
#include "base/clock.h"
#include "pause.h"
#include "test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#define TMPFS 0x01021994
#define PATIENCE (30 * NS_PER_SEC)
#define LOOK_EVERY (2 * NS_PER_MS)
#define EXIT_FAULT 3

/* $TMPDIR where it is a disk, since memory may take no O_DIRECT. */
static const char *directory(void)
{
	const char *tmp = getenv("TMPDIR");
	struct statfs s;

	if (tmp && *tmp && statfs(tmp, &s) == 0 && s.f_type != TMPFS)
		return tmp;
	return "/var/tmp";
}

int loadrun_setup(void **state)
{
	struct loadrun *r = calloc(1, sizeof(*r));

	if (!r)
		return -1;
	*state = r;
	snprintf(r->path, sizeof(r->path), "%s/nicelab-load-XXXXXX", directory());
	r->arena = arena_new();
	if (!r->arena || !mkdtemp(r->path))
		return -1;
	atomic_store(&r->arena->disk.block, LOADRUN_BLOCK);
	atomic_store(&r->arena->disk.file_size, LOADRUN_FILE);
	atomic_store(&r->arena->disk.tree_size, LOADRUN_TREE);
	r->load = (struct load){
		.arena = r->arena,
		.worker = &r->arena->worker[5],
		.threads = 1,
		.dir = open(r->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
		.tree = "tree",
	};
	return r->load.dir < 0 ? -1 : 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

int loadrun_teardown(void **state)
{
	struct loadrun *r = *state;

	loadrun_kill(r);
	if (r->load.dir >= 0)
		close(r->load.dir);
	if (r->mounted)
		umount2(r->path, MNT_DETACH);
	nftw(r->path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	arena_free(r->arena);
	free(r);
	return 0;
}

void loadrun_victim(struct loadrun *r, unsigned threads)
{
	r->load.victim = &r->arena->victim[1];
	atomic_store(&r->load.victim->threads, threads);
}

/* As dashboard and stage do before each worker. */
static void forget(struct loadrun *r)
{
	struct arena_worker *w = r->load.worker;

	atomic_store(&w->state, ARENA_STARTING);
	atomic_store(&w->fault, 0);
	atomic_store(&w->bytes, 0);
	atomic_store(&w->passes, 0);
	if (r->load.victim)
		arena_victim_reset(r->load.victim);
}

void loadrun_start(struct loadrun *r, load_fn run)
{
	pid_t test = getpid();

	forget(r);
	r->pid = fork();
	assert_true(r->pid >= 0);
	if (r->pid)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != test)
		_exit(1);
	if (r->prepare)
		r->prepare(r);
	run(&r->load);
	_exit(0);
}

void loadrun_start_ready(struct loadrun *r, load_fn run)
{
	if (run != load_bufread && run != load_bufwrite)
		loadrun_need_direct(r);
	loadrun_start(r, run);
	assert_true(loadrun_wait(r, loadrun_is_ready, 0));
}

void loadrun_start_victim(struct loadrun *r, load_fn run, unsigned threads)
{
	loadrun_victim(r, threads);
	loadrun_start_ready(r, run);
	assert_true(loadrun_wait(r, loadrun_has_alive, threads));
}

void loadrun_kill(struct loadrun *r)
{
	if (r->pid <= 0)
		return;
	kill(r->pid, SIGKILL);
	while (waitpid(r->pid, NULL, 0) < 0 && errno == EINTR)
		;
	r->pid = 0;
}

static bool has_ended(const struct loadrun *r)
{
	siginfo_t si = {0};

	return waitid(P_PID, (id_t)r->pid, &si, WEXITED | WNOHANG | WNOWAIT) == 0 && si.si_pid == r->pid;
}

/* The end is looked for first: what is true then was so before. */
bool loadrun_wait(const struct loadrun *r, loadrun_true what, uint64_t arg)
{
	uint64_t until = clock_now() + PATIENCE;

	for (;;) {
		bool over = has_ended(r) || clock_now() > until;
		if (what(r, arg))
			return true;
		if (over)
			break;
		pause_ns(LOOK_EVERY);
	}
	print_message("state %u, fault %x, bytes %llu, passes %llu\n", atomic_load(&r->load.worker->state),
		      atomic_load(&r->load.worker->fault),
		      (unsigned long long)atomic_load(&r->load.worker->bytes),
		      (unsigned long long)atomic_load(&r->load.worker->passes));
	return false;
}

bool loadrun_is_ready(const struct loadrun *r, uint64_t arg)
{
	(void)arg;
	return atomic_load(&r->load.worker->state) == ARENA_READY;
}

uint64_t loadrun_bytes(const struct loadrun *r)
{
	return atomic_load(&r->load.worker->bytes);
}

uint64_t loadrun_passes(const struct loadrun *r)
{
	return atomic_load(&r->load.worker->passes);
}

void loadrun_expect_passes(const struct loadrun *r, uint64_t more)
{
	assert_true(loadrun_wait(r, loadrun_has_passes, loadrun_passes(r) + more));
}

bool loadrun_has_passes(const struct loadrun *r, uint64_t at_least)
{
	return atomic_load(&r->load.worker->passes) >= at_least;
}

uint64_t loadrun_samples(const struct loadrun *r, unsigned thread)
{
	struct ring *ring = &r->load.victim->thread[thread].ring;

	return atomic_load(&ring->tail) + ring_dropped(ring);
}

bool loadrun_has_samples(const struct loadrun *r, uint64_t at_least)
{
	return loadrun_samples(r, 0) >= at_least;
}

bool loadrun_all_have_samples(const struct loadrun *r, uint64_t threads)
{
	for (unsigned i = 0; i < threads; i++)
		if (loadrun_samples(r, i) < 3)
			return false;
	return true;
}

bool loadrun_has_alive(const struct loadrun *r, uint64_t exactly)
{
	return atomic_load(&r->load.victim->alive) == exactly;
}

static bool has_ended_by_itself(const struct loadrun *r, uint64_t arg)
{
	(void)arg;
	return has_ended(r);
}

void loadrun_expect_fault(struct loadrun *r, enum arena_step step, int error)
{
	int status = 0;

	assert_true(loadrun_wait(r, has_ended_by_itself, 0));
	assert_int_equal(waitpid(r->pid, &status, 0), r->pid);
	r->pid = 0;
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), EXIT_FAULT);
	assert_int_equal(atomic_load(&r->load.worker->state), ARENA_FAILED);
	assert_int_equal(atomic_load(&r->load.worker->fault) & 0xffff, error);
	assert_int_equal(atomic_load(&r->load.worker->fault) >> 16, step);
}

unsigned loadrun_count_names(const struct loadrun *r)
{
	DIR *d = opendir(r->path);
	struct dirent *e;
	unsigned n = 0;

	assert_non_null(d);
	while ((e = readdir(d)))
		n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
	closedir(d);
	return n;
}

long long loadrun_proc(const struct loadrun *r, const char *file, const char *word, int base)
{
	char path[96], line[256];
	long long value = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)r->pid, file);
	f = fopen(path, "r");
	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f))
		if (strncmp(line, word, strlen(word)) == 0)
			value = strtoll(line + strlen(word), NULL, base);
	fclose(f);
	return value;
}

int loadrun_fd(const struct loadrun *r)
{
	char path[96], target[512];
	size_t len = strlen(r->path);

	for (int fd = 0; fd < 64; fd++) {
		snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)r->pid, fd);
		ssize_t n = readlink(path, target, sizeof(target) - 1);
		if (n > (ssize_t)len && strncmp(target, r->path, len) == 0)
			return fd;
	}
	return -1;
}

bool loadrun_is_memory(const struct loadrun *r)
{
	struct statfs s;

	return fstatfs(r->load.dir, &s) == 0 && s.f_type == TMPFS;
}

bool loadrun_takes_direct(const struct loadrun *r)
{
	int fd = openat(r->load.dir, ".direct", O_CREAT | O_RDWR | O_DIRECT | O_CLOEXEC, 0600);

	unlinkat(r->load.dir, ".direct", 0);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

void loadrun_skip(const char *why)
{
	print_message("[  SKIPPED ] %s\n", why);
	skip();
	abort();
}

void loadrun_need_direct(const struct loadrun *r)
{
	if (!loadrun_takes_direct(r))
		loadrun_skip("no O_DIRECT below $TMPDIR or /var/tmp");
}

void loadrun_mount(struct loadrun *r, const char *type, unsigned long flags, const char *options)
{
	static bool own_namespace;

	if (!own_namespace &&
	    (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0))
		loadrun_skip("no mount namespace: run as root");
	own_namespace = true;
	if (mount("nicelab-test", r->path, type, flags, options) < 0)
		loadrun_skip("this file system cannot be mounted here");
	r->mounted = true;
	close(r->load.dir);
	r->load.dir = open(r->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(r->load.dir >= 0);
}
