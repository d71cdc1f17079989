/* What the engine thread owns. Private to lab/: every function below runs in the engine thread only. */
#ifndef NICELAB_LAB_STATE_H
#define NICELAB_LAB_STATE_H

#include "kernel/task.h"
#include "lab/lab.h"
#include "stats/window.h"
#include "verdict/status.h"

#include <pthread.h>

/* The life of one worker slot; crew.c has the table of what moves it on. */
enum worker_life {
	LIFE_NONE, /* no process */
	LIFE_ORDERED, /* the stage was asked to fork it */
	LIFE_RUNNING,
	LIFE_ENDING, /* the stage was asked to end it */
	LIFE_REFUSED, /* it could not be started; tried again when the person asks for something */
	LIFE_COUNT
};

struct lab_thread {
	pid_t tid;
	unsigned index; /* of the victim's thread, from 1; 0: not told */
	struct sample_task sample;
	struct attempt nice, ioprio;
	unsigned round; /* of the last request that reached it, see ask_worker */
	enum status told; /* the last status that the journal was told of */
};

struct lab_worker {
	enum worker_life life;
	pid_t pid;
	unsigned quick_deaths; /* in a row, each within a second of its start */
	bool asked; /* the group's priorities were asked of it once */
	unsigned generation,
		cpus_at; /* the lab's counters when it was ordered: it may have missed a change */
	uint64_t spawned_at;
	size_t nthreads, room;
	struct lab_thread *threads;
};

#define LAB_BASELINE_TIME (2 * UINT64_C(1000000000)) /* ns that the victim runs alone */

struct lab_baseline {
	bool wanted; /* being taken */
	uint64_t from; /* only pieces begun after this count; 0: not begun */
	struct histogram taking;
	bool known;
	uint64_t p50;
	double share; /* that the weights predict for the victim alone */
	uint64_t run_from; /* the victim's run clock when it began, ns */
	double disturbed; /* fraction of the predicted share that others took, 0 for none to speak of */
	struct histogram histogram;
};

struct lab_group {
	bool is_victim;
	enum load_kind kind;
	int index;
	long knobs[KNOB_TOTAL];
	unsigned first_slot, capacity; /* of its workers */
	struct lab_worker *workers; /* capacity of them */
	int start_error; /* errno of the last refused start */
	unsigned threads_refused; /* that the journal was told of */
	bool paused, held; /* stopped by the person; for the baseline */
	bool hold_sent; /* what the last stop order said */
	unsigned hold_order, hold_done; /* cookies: of the last one sent, and of the last one carried out */

	/* Victims. */
	int victim; /* index into arena->victim, -1 for hogs */
	struct window *window, *thread_windows[ARENA_THREADS];
	struct timeline timeline;
	uint64_t second; /* the second that samples are counted in now */
	uint64_t valid_from; /* pieces begun before this spanned a stop: discarded */
	uint64_t discarded;
	struct lab_baseline baseline;
	struct known_number predicted_share, predicted_ratio;
};

struct lab_journal {
	uint64_t count;
	struct journal_entry entries[SNAPSHOT_JOURNAL]; /* by number modulo the size */
};

struct lab {
	/* Fixed after lab_start. */
	struct procfs fs;
	struct arena *arena;
	struct stage *stage;
	struct command_queue *commands;
	struct snapshot_store *store;
	pthread_t thread;
	int timer, quit; /* timerfd, eventfd */
	struct host host;
	struct cpulist cpus_given;
	uint64_t started;
	int own_nice;
	bool own_raised;

	/* The engine thread's. */
	enum lab_phase phase;
	uint64_t baseline_since;
	long knobs[KNOB_TOTAL];
	size_t ngroups;
	struct lab_group groups[SNAPSHOT_GROUPS];
	struct lab_journal journal;
	uint64_t numbers; /* snapshots published */
	uint64_t next_publish, next_tick;
	bool publish_now;
	size_t sweep_group, sweep_slot; /* where the rotating sweep goes on */
	uint64_t sweep_cost, sweep_last_cost;
	uint64_t reaction_ns;
	unsigned rounds; /* requests made of whole workers */
	uint64_t self_at, self_cpu_at;
	struct known_number self_cpu;
	bool frozen;
	unsigned generation; /* of workers: raised by each respawn */
	unsigned cpus_changes;
	uint64_t changed_at; /* the last change that samples in the window may be from before */

	/* Handshake of lab_freeze; under freeze_lock. */
	pthread_mutex_t freeze_lock;
	pthread_cond_t freeze_done;
	bool freeze_reached; /* every worker is as `frozen` wants it */
	unsigned freezes; /* commands carried out */
};

/* journal.c */
void journal_add(struct lab *lab, enum journal_level level, int group, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* A mark on every victim's time line. what: the knob, or KNOB_TOTAL for anything else. */
void journal_mark(struct lab *lab, int group, int what, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* The group's name in messages: "hogs", "victim". */
const char *group_name(const struct lab_group *g);

/* crew.c: workers come and go. */
void crew_reconcile(struct lab *lab, struct lab_group *g);
void crew_handle(struct lab *lab, const struct stage_event *e);
void crew_respawn(struct lab *lab);
void crew_retry_refused(struct lab_group *g);
void crew_tick(struct lab *lab);
bool crew_hold_is_done(const struct lab *lab, const struct lab_group *g);
void crew_restart_samples(struct lab *lab);
void crew_apply_cpus(struct lab *lab);
struct cpulist crew_cpus(const struct lab *lab);
void crew_lost(struct lab *lab);
void thread_list_clear(struct lab_worker *w);

/* apply.c: ask, read back. */
void apply_group(struct lab *lab, struct lab_group *g, enum knob k);
void apply_new_worker(struct lab *lab, struct lab_group *g, struct lab_worker *w);
void apply_new_thread(struct lab *lab, struct lab_group *g, const struct lab_worker *w, struct lab_thread *t);
bool apply_read_same(struct lab *lab, pid_t pid, struct lab_thread *t);
int apply_thread(struct lab *lab, pid_t tid, enum knob k, int value);
bool apply_thread_wanted(struct lab *lab, pid_t tid, enum knob k, long *wanted);
enum status thread_status_nice(const struct lab_thread *t);
enum status thread_status_ioprio(const struct lab_thread *t);

/* sweep.c: reading the threads. */
void sweep_worker(struct lab *lab, struct lab_group *g, struct lab_worker *w);
void sweep_tick(struct lab *lab, uint64_t tick_ns);

/* measure.c: rings into windows, the baseline. */
void measure_drain(struct lab *lab);
void measure_tick(struct lab *lab, uint64_t now);
void measure_baseline_begin(struct lab *lab);
void measure_in_flight(const struct lab *lab, const struct lab_group *g, unsigned index, uint64_t now,
		       struct known_ns *out);
void measure_clear(struct lab_group *g);
void measure_victim_begins(struct lab *lab, struct lab_group *g);
void measure_forget_thread(struct lab_group *g, unsigned index);
void measure_thaw(struct lab *lab);
void measure_changed(struct lab *lab);
void measure_baseline_restart(struct lab *lab);
bool group_is_starting(const struct lab *lab, const struct lab_group *g);

/* predict.c */
void predict_update(struct lab *lab);

/* publish.c */
void publish_snapshot(struct lab *lab, uint64_t now);

/* engine.c */
void *engine_main(void *arg);

#endif
