/* The engine thread: one loop that waits for its timer, for commands and for the stage, and owns all measurement. */
#include "lab/state.h"
#include "base/clock.h"
#include "base/err.h"
#include "kernel/priority.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define TICK_LONGEST \
	(200 * NS_PER_MS) /* samples are taken out at least so often, however slow the screen is */
#define SELF_WINDOW NS_PER_SEC

static uint64_t tick_length(const struct lab *lab)
{
	uint64_t interval = (uint64_t)lab->knobs[KNOB_INTERVAL] * NS_PER_MS;

	return interval < TICK_LONGEST ? interval : TICK_LONGEST;
}

static void arm_timer(struct lab *lab)
{
	struct itimerspec t = {.it_value = {.tv_sec = (time_t)(lab->next_tick / NS_PER_SEC),
					    .tv_nsec = (long)(lab->next_tick % NS_PER_SEC)}};

	timerfd_settime(lab->timer, TFD_TIMER_ABSTIME, &t, NULL);
}

/* Where the command's value leads from `now`; steps walk one by one, so that each obeys the knob's own scale. */
static long target_value(const struct command *c, enum knob k, long now)
{
	if (!c->relative)
		return c->value;
	for (long left = c->value; left; left += left > 0 ? -1 : 1)
		now = knob_step(k, now, left > 0 ? 1 : -1);
	return now;
}

/* The knobs that the command names, or NULL where it names none that there is. */
static long *find_knobs(struct lab *lab, const struct command *c)
{
	unsigned owner = OWNER_LAB;

	if (c->knob >= KNOB_TOTAL || c->group >= (int)lab->ngroups)
		return NULL;
	if (c->group >= 0)
		owner = lab->groups[c->group].is_victim ? OWNER_VICTIMS : OWNER_HOGS;
	if (!(knob_info(c->knob)->owners & owner))
		return NULL;
	return c->group < 0 ? lab->knobs : lab->groups[c->group].knobs;
}

static void command_set(struct lab *lab, const struct command *c)
{
	long *knobs = find_knobs(lab, c);
	long to = knobs ? target_value(c, c->knob, knobs[c->knob]) : 0;
	char text[24];

	if (!knobs || !knob_accepts(c->knob, to) || (c->knob == KNOB_IONICE && to == KNOB_UNASKED))
		return;
	if (c->relative && to == knobs[c->knob]) {
		journal_add(lab, JOURNAL_INFO, c->group, "%s %s is the end of its range",
			    knob_info(c->knob)->name, knob_format(text, sizeof(text), c->knob, to));
		return;
	}
	knobs[c->knob] = to;
	if (c->group < 0)
		turn_lab_knob(lab, c->knob);
	else
		turn_group_knob(lab, &lab->groups[c->group], c->knob);
}

static void command_thread(struct lab *lab, const struct command *c)
{
	enum knob k = c->kind == COMMAND_THREAD_IOPRIO ? KNOB_IONICE : KNOB_NICE_VALUE;
	char text[24], name[APPLY_NAME];
	long now, to;

	if (!apply_thread_wanted(lab, c->tid, k, &now)) {
		journal_add(lab, JOURNAL_WARNING, -1, "thread %d is gone: nothing was changed", (int)c->tid);
		return;
	}
	if (apply_thread_is_too_early(lab, c->tid)) {
		journal_add(lab, JOURNAL_WARNING, -1, "%s still makes its files: nothing was asked of it",
			    apply_thread_name(lab, c->tid, name));
		return;
	}
	to = target_value(c, k, now);
	if (!knob_accepts(k, to) || (k == KNOB_IONICE && to == KNOB_UNASKED))
		return;
	measure_changed(lab);
	if (apply_thread(lab, c->tid, k, (int)to) == 0)
		journal_mark(lab, c->group, KNOB_TOTAL + (int)k, "%s %s %s",
			     apply_thread_name(lab, c->tid, name), knob_info(k)->name,
			     knob_format(text, sizeof(text), k, to));
}

void engine_set(struct lab *lab, int group, enum knob k, long value)
{
	struct command c = {.kind = COMMAND_SET, .group = group, .knob = k, .value = value};

	command_set(lab, &c);
}

void engine_respawn(struct lab *lab)
{
	crew_respawn(lab);
	measure_changed(lab);
	journal_mark(lab, -1, KNOB_TOTAL, "respawn");
	journal_add(lab, JOURNAL_INFO, -1, "all workers are started anew at the asked priorities");
}

static void command_kind(struct lab *lab, const struct command *c)
{
	bool fits =
		c->group >= 0 && c->group < (int)lab->ngroups && c->value >= 0 && c->value < LOAD_KIND_COUNT;

	if (fits && load_kind((enum load_kind)c->value)->is_victim == lab->groups[c->group].is_victim)
		turn_kind(lab, &lab->groups[c->group], (enum load_kind)c->value);
}

static void command_elevator(struct lab *lab, const struct command *c)
{
	disk_set_elevator(lab, c->word);
}

static void command_respawn(struct lab *lab, const struct command *c)
{
	(void)c;
	engine_respawn(lab);
}

static void command_baseline(struct lab *lab, const struct command *c)
{
	(void)c;
	measure_baseline_begin(lab);
}

static void command_clear(struct lab *lab, const struct command *c)
{
	(void)c;
	for (size_t i = 0; i < lab->ngroups; i++)
		if (lab->groups[i].is_victim)
			measure_clear(&lab->groups[i]);
	lab->changed_at = 0; /* nothing from before a change is left */
	journal_add(lab, JOURNAL_INFO, -1, "window cleared");
}

static void command_pause(struct lab *lab, const struct command *c)
{
	(void)c;
	for (size_t i = 0; i < lab->ngroups; i++) {
		struct lab_group *g = &lab->groups[i];
		if (g->is_victim)
			continue;
		g->paused = !g->paused;
		journal_mark(lab, g->index, KNOB_TOTAL, g->paused ? "hogs paused" : "hogs resumed");
		journal_add(lab, JOURNAL_INFO, g->index,
			    g->paused ? "hogs paused: Space resumes them" : "hogs resumed");
	}
	crew_restart_samples(lab);
	measure_changed(lab);
}

static void command_end_hogs(struct lab *lab, const struct command *c)
{
	(void)c;
	for (size_t i = 0; i < lab->ngroups; i++)
		if (!lab->groups[i].is_victim) {
			lab->groups[i].knobs[KNOB_COUNT] = 0;
			turn_group_knob(lab, &lab->groups[i], KNOB_COUNT);
		}
}

/* Over a suspension nothing is measured. */
static void command_freeze(struct lab *lab, const struct command *c)
{
	lab->frozen = c->kind == COMMAND_FREEZE;
	if (!lab->frozen)
		measure_thaw(lab);
	crew_restart_samples(lab);
	pthread_mutex_lock(&lab->freeze_lock);
	lab->freeze_reached = false;
	lab->freezes++;
	pthread_mutex_unlock(&lab->freeze_lock);
}

/* Tells lab_freeze when every worker is stopped or going, as the last command wanted. Without a stage there are none. */
static void answer_freeze(struct lab *lab)
{
	bool reached = true;

	for (size_t i = 0; i < lab->ngroups && lab->phase != PHASE_LOST; i++)
		reached &= crew_hold_is_done(lab, &lab->groups[i]);
	if (!reached || lab->freeze_reached)
		return;
	pthread_mutex_lock(&lab->freeze_lock);
	lab->freeze_reached = true;
	pthread_cond_broadcast(&lab->freeze_done);
	pthread_mutex_unlock(&lab->freeze_lock);
}

static void (*const commands[])(struct lab *lab, const struct command *c) = {
	[COMMAND_SET] = command_set,
	[COMMAND_THREAD_NICE] = command_thread,
	[COMMAND_THREAD_IOPRIO] = command_thread,
	[COMMAND_KIND] = command_kind,
	[COMMAND_ELEVATOR] = command_elevator,
	[COMMAND_RESPAWN] = command_respawn,
	[COMMAND_BASELINE] = command_baseline,
	[COMMAND_CLEAR] = command_clear,
	[COMMAND_PAUSE] = command_pause,
	[COMMAND_END_HOGS] = command_end_hogs,
	[COMMAND_FIX] = remedy_carry_out,
	[COMMAND_FREEZE] = command_freeze,
	[COMMAND_THAW] = command_freeze,
};

static void take_commands(struct lab *lab)
{
	struct command c;

	while (command_queue_take(lab->commands, &c)) {
		if (lab->phase != PHASE_LOST || c.kind == COMMAND_FREEZE || c.kind == COMMAND_THAW)
			commands[c.kind](lab, &c);
		crew_tick(lab);
		lab->reaction_ns = clock_now() - c.issued_ns;
		lab->publish_now = true;
	}
}

/* The unit of work is known: victims can start, and run alone first. */
static void on_calibrated(struct lab *lab)
{
	measure_baseline_begin(lab);
}

static void take_events(struct lab *lab)
{
	struct stage_event e;
	int rc;

	while ((rc = stage_next(lab->stage, &e)) > 0) {
		if (e.kind == STAGE_CALIBRATED)
			on_calibrated(lab);
		else if (e.kind == STAGE_ELEVATOR)
			disk_elevator_set(lab, &e);
		else
			crew_handle(lab, &e);
	}
	if (rc < 0)
		crew_lost(lab);
	crew_tick(lab);
}

static void measure_self(struct lab *lab, uint64_t now)
{
	uint64_t cpu = clock_process_cpu();

	if (now - lab->self_at < SELF_WINDOW)
		return;
	if (lab->self_at)
		lab->self_cpu = (struct known_number){true, (double)(cpu - lab->self_cpu_at) /
								    (double)(now - lab->self_at)};
	lab->self_at = now;
	lab->self_cpu_at = cpu;
}

static void tick(struct lab *lab, uint64_t now)
{
	uint64_t length = tick_length(lab), interval = (uint64_t)lab->knobs[KNOB_INTERVAL] * NS_PER_MS;

	crew_tick(lab);
	measure_tick(lab, now);
	if (lab->phase != PHASE_LOST) {
		sweep_tick(lab, length);
		around_tick(lab, length);
		session_tick(lab);
		disk_tick(lab, now);
	}
	measure_self(lab, now);
	while (lab->next_tick <= now)
		lab->next_tick += length;
	arm_timer(lab);
	if (now >= lab->next_publish) {
		lab->publish_now = true;
		while (lab->next_publish <= now)
			lab->next_publish += interval;
	}
}

static void lab_loop(struct lab *lab)
{
	for (;;) {
		bool ready = lab->phase != PHASE_CALIBRATING; /* commands wait for the unit of work: 40 ms */
		struct pollfd p[] = {
			{.fd = lab->quit, .events = POLLIN},
			{.fd = ready ? command_queue_fd(lab->commands) : -1, .events = POLLIN},
			{.fd = lab->timer, .events = POLLIN},
			{.fd = lab->phase == PHASE_LOST ? -1 : stage_fd(lab->stage), .events = POLLIN},
		};

		if (poll(p, 4, -1) < 0)
			continue;
		if (p[0].revents)
			return;
		if (p[1].revents)
			take_commands(lab);
		if (p[3].revents)
			take_events(lab);
		if (p[2].revents || lab->next_tick <= clock_now())
			tick(lab, clock_now());
		answer_freeze(lab);
		if (lab->publish_now) {
			lab->publish_now = false;
			publish_snapshot(lab, clock_now());
		}
	}
}

void *engine_main(void *arg)
{
	struct lab *lab = arg;

	for (size_t i = 0; i < lab->ngroups; i++)
		turn_store_orders(lab, &lab->groups[i]);
	if (lab->user.known)
		turn_act_as(lab, lab->knobs[KNOB_USER]);
	publish_snapshot(lab, clock_now());
	lab->next_tick = lab->next_publish = clock_now();
	arm_timer(lab);
	lab_loop(lab);
	return NULL;
}
