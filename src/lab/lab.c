/* Putting a lab together and taking it apart. */
#include "lab/lab.h"
#include "lab/state.h"
#include "base/clock.h"
#include "kernel/priority.h"

#include <errno.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define HOGS_PER_CPU 3
#define VICTIM_THREADS 2
#define RAISED_NICE (-10)
#define FREEZE_PATIENCE 2 /* s */

static void group_default(struct lab_group_config *g, bool is_victim, unsigned cpus)
{
	g->is_victim = is_victim;
	g->kind = is_victim ? LOAD_WORK : LOAD_SPIN;
	for (int k = 0; k < KNOB_TOTAL; k++)
		g->knobs[k] = knob_info((enum knob)k)->initial;
	g->knobs[KNOB_NICE_VALUE] = priority_own_nice();
	g->knobs[KNOB_COUNT] = HOGS_PER_CPU * (long)cpus;
	if (g->knobs[KNOB_COUNT] > STAGE_HOGS_MAX)
		g->knobs[KNOB_COUNT] = STAGE_HOGS_MAX;
	if (is_victim)
		g->knobs[KNOB_THREADS] = VICTIM_THREADS;
}

uint64_t lab_config_footprint(const struct lab_config *c)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < c->ngroups; i++) {
		const struct lab_group_config *g = &c->groups[i];
		sum += (g->is_victim ? 1 : (uint64_t)g->knobs[KNOB_COUNT]) *
		       load_footprint(g->kind, (uint64_t)c->knobs[KNOB_FILE], (uint64_t)c->knobs[KNOB_TREE]);
	}
	return sum;
}

/* Root may act as somebody else; everybody else is who they are. */
static void user_default(struct lab_config *c)
{
	const struct passwd *pw = geteuid() == 0 ? getpwnam("nobody") : NULL;

	c->knobs[KNOB_USER] = geteuid() == 0 ? USER_ROOT : USER_OTHER;
	if (pw) {
		c->user = (struct lab_user){.known = true, .uid = pw->pw_uid, .gid = pw->pw_gid};
		snprintf(c->user.name, sizeof(c->user.name), "%s", pw->pw_name);
	}
}

void lab_config_default(struct lab_config *c)
{
	struct cpulist cpus;

	memset(c, 0, sizeof(*c));
	c->scratch = SCRATCH_NONE;
	priority_get_cpus(0, &cpus);
	c->ngroups = 2;
	group_default(&c->groups[0], false, cpulist_count(&cpus));
	group_default(&c->groups[1], true, cpulist_count(&cpus));
	for (int k = 0; k < KNOB_TOTAL; k++)
		c->knobs[k] = knob_info((enum knob)k)->initial;
	user_default(c);
}

/* Hog groups divide the hog slots evenly; each victim group has one slot. */
static int make_groups(struct lab *lab, const struct lab_config *c)
{
	unsigned hog_groups = 0, hogs = 0, victims = 0;

	for (size_t i = 0; i < c->ngroups; i++)
		hog_groups += !c->groups[i].is_victim;
	for (size_t i = 0; i < c->ngroups; i++) {
		struct lab_group *g = &lab->groups[i];

		g->is_victim = c->groups[i].is_victim;
		g->kind = c->groups[i].kind;
		g->index = (int)i;
		memcpy(g->knobs, c->groups[i].knobs, sizeof(g->knobs));
		g->capacity = g->is_victim ? 1 : STAGE_HOGS_MAX / hog_groups;
		g->first_slot = g->is_victim ? STAGE_HOGS_MAX + victims : hogs++ * g->capacity;
		g->victim = g->is_victim ? (int)victims++ : -1;
		g->second = clock_now() / NS_PER_SEC;
		g->workers = calloc(g->capacity, sizeof(*g->workers));
		if (g->is_victim)
			g->window = window_new((unsigned)c->knobs[KNOB_WINDOW]);
		if (!g->workers || (g->is_victim && !g->window) || victims > ARENA_GROUPS)
			return -ENOMEM;
		lab->ngroups++;
	}
	return 0;
}

static void release_groups(struct lab *lab)
{
	sample_groups_release(&lab->cgroups);
	for (size_t i = 0; i < SNAPSHOT_GROUPS; i++) {
		struct lab_group *g = &lab->groups[i];
		for (unsigned s = 0; g->workers && s < g->capacity; s++)
			thread_list_clear(&g->workers[s]);
		free(g->workers);
		window_free(g->window);
		for (unsigned t = 0; t < ARENA_THREADS; t++)
			window_free(g->thread_windows[t]);
	}
}

/* Under autogroup the stage's session keeps the workers apart. Where it cannot, only a better nice helps the dashboard to
 * answer while hogs run. The workers were promised the nice from before. */
static void raise_self(struct lab *lab)
{
	lab->own_nice = lab->host.own_nice;
	if (lab->host.autogroup != AUTOGROUP_ON && lab->own_nice > RAISED_NICE &&
	    priority_set_nice(0, RAISED_NICE) == 0) {
		lab->own_nice = priority_own_nice();
		lab->own_raised = lab->own_nice == RAISED_NICE;
	}
}

/* The engine takes no signals: they are the reader's. */
static int start_engine(struct lab *lab)
{
	sigset_t all, before;
	int rc;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	rc = pthread_create(&lab->thread, NULL, engine_main, lab);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -rc;
}

static int make_descriptors(struct lab *lab)
{
	lab->commands = command_queue_new();
	lab->store = snapshot_store_new();
	lab->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	lab->quit = eventfd(0, EFD_CLOEXEC);
	return lab->commands && lab->store && lab->timer >= 0 && lab->quit >= 0 ? 0 : -EMFILE;
}

static void release(struct lab *lab)
{
	stage_stop(lab->stage);
	scratch_close(&lab->scratch);
	release_groups(lab);
	command_queue_free(lab->commands);
	snapshot_store_free(lab->store);
	if (lab->timer >= 0)
		close(lab->timer);
	if (lab->quit >= 0)
		close(lab->quit);
	procfs_close(&lab->fs);
	arena_free(lab->arena);
	pthread_mutex_destroy(&lab->freeze_lock);
	pthread_cond_destroy(&lab->freeze_done);
	free(lab);
}

static int prepare(struct lab *lab, const struct lab_config *c, const char **what)
{
	int rc;

	*what = "/proc cannot be read";
	rc = procfs_open(&lab->fs, c->proc_root, c->sys_root);
	if (rc < 0)
		return rc;
	*what = "the CPUs of this process cannot be read";
	rc = host_read(&lab->fs, &lab->host);
	if (rc < 0)
		return rc;
	*what = "no memory for the lab";
	lab->arena = arena_new();
	rc = lab->arena ? make_groups(lab, c) : -errno;
	if (rc < 0)
		return rc;
	*what = "the stage process cannot be started";
	rc = stage_start(lab->arena, lab->scratch.dir, &lab->stage);
	if (rc < 0)
		return rc;
	*what = "no descriptors for the lab";
	return make_descriptors(lab);
}

int lab_start(const struct lab_config *c, struct lab **out, const char **what)
{
	struct lab *lab = calloc(1, sizeof(*lab));
	int rc;

	*what = "no memory for the lab";
	if (!lab) {
		struct scratch s = c->scratch;
		scratch_close(&s);
		return -ENOMEM;
	}
	lab->timer = lab->quit = lab->fs.proc = lab->fs.sys = -1;
	lab->started = clock_now();
	lab->cpus_given = c->cpus;
	lab->user = c->user;
	lab->scratch = c->scratch;
	memcpy(lab->knobs, c->knobs, sizeof(lab->knobs));
	pthread_mutex_init(&lab->freeze_lock, NULL);
	pthread_cond_init(&lab->freeze_done, NULL);
	rc = prepare(lab, c, what);
	if (rc == 0) {
		raise_self(lab);
		sample_machine_update(&lab->machine, &lab->fs, &lab->host.cpus);
		disk_start(lab, c->elevator);
		*what = "the engine thread cannot be started";
		rc = start_engine(lab);
	}
	if (rc < 0) {
		release(lab);
		return rc;
	}
	*out = lab;
	return 0;
}

void lab_stop(struct lab *lab)
{
	if (!lab)
		return;
	eventfd_write(lab->quit, 1);
	pthread_join(lab->thread, NULL);
	if (lab->own_raised)
		priority_set_nice(0, lab->host.own_nice);
	release(lab);
}

int lab_send(struct lab *lab, const struct command *c)
{
	return command_queue_put(lab->commands, c);
}

struct snapshot_store *lab_snapshots(struct lab *lab)
{
	return lab->store;
}

int lab_freeze(struct lab *lab, bool on)
{
	struct command c = {.kind = on ? COMMAND_FREEZE : COMMAND_THAW, .group = -1};
	struct timespec until;
	unsigned before;
	int rc;

	pthread_mutex_lock(&lab->freeze_lock);
	before = lab->freezes;
	rc = lab_send(lab, &c);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += FREEZE_PATIENCE;
	while (rc == 0 && (lab->freezes == before || !lab->freeze_reached))
		rc = -pthread_cond_timedwait(&lab->freeze_done, &lab->freeze_lock, &until);
	pthread_mutex_unlock(&lab->freeze_lock);
	return rc;
}

int lab_keep_terminal(struct lab *lab, const struct stage_terminal *t)
{
	return stage_order_terminal(lab->stage, t);
}
