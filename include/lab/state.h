/* What the engine thread owns. Private to lab/: every function below runs in the engine thread only. */
#ifndef NICELAB_LAB_STATE_H
#define NICELAB_LAB_STATE_H

#include "kernel/task.h"
#include "lab/lab.h"
#include "sample/around.h"
#include "sample/disk.h"
#include "sample/machine.h"
#include "stats/window.h"

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
	struct attempt nice, ioprio, policy;
	bool late; /* it came after its process was asked */
	int policy_then; /* when its nice was asked */
	int told_policy; /* the last that the journal was told of */
	struct thread_weight used; /* what the scheduler says it uses, read now and then */
	int used_nice, used_policy; /* that it had then */
	struct known_number share, share_low, share_high; /* predicted */
	struct verdict_list verdicts[WHAT_COUNT]; /* by enum facts_what */
	enum status status; /* the worst of what was asked of it */
	int verdict; /* rule behind that, or -1 */
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
	uint64_t
		settling_from; /* its threads are waited for from here on: when it was last seen to prepare */
	struct sample_around around;
	struct attempt session; /* the nice of its session's autogroup */
	uint64_t session_retry; /* not before; 0: nothing to do */
	enum tri reset_on_fork, uclamp; /* of the main thread */
	bool cpus_known, moved; /* moved: one of its threads has other CPUs than it was given */
	struct cpulist cpus; /* that its main thread may really run on, as read back */
	enum tri
		in_autogroup; /* what the scheduler's own list of groups says, where it is open; of workers with an autogroup verdict */
	uint64_t bytes_then; /* of its counter in the arena, when it was last added to the group's */
	struct sample_io io; /* kinds that do I/O */
	bool autogrouped; /* the switch of autogroup when it was started: changing it later does not change the worker */
	size_t nthreads, room;
	struct lab_thread *threads;
};

#define RATE_POINTS 26 /* DISK_SPACING apart: ten seconds */
#define LAB_BASELINE_TIME (2 * UINT64_C(1000000000)) /* ns that the victim runs alone */

struct lab_baseline {
	bool wanted; /* being taken */
	bool given_up; /* its victim could not run */
	uint64_t from; /* only pieces begun after this count; 0: not begun */
	struct histogram taking;
	bool known;
	uint64_t p50;
	uint64_t bytes_from; /* the group's counter when it began */
	struct known_number device_from; /* bytes that the device had moved then */
	struct known_number rate; /* bytes a second of the victim alone */
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
	unsigned
		generation; /* of its workers, beside the lab's: raised when its kind or its threads change */
	uint64_t bytes; /* that all its workers ever read or wrote */
	size_t rate_used; /* points since the last change; a ring of RATE_POINTS */
	struct {
		uint64_t at, bytes;
	} rate_points[RATE_POINTS];
	char fault[SNAPSHOT_TEXT]; /* why a worker stopped by itself */
	unsigned fault_code; /* of that, as in the arena; 0: none did */
	unsigned told_room, told_wanted; /* so many of so many fit onto the disk; 0 and 0: all do */
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
	struct known_number share_low, share_high, ratio_low, ratio_high; /* their ranges */
	struct known_number measured; /* mean share of its threads since the last change, 10 s at most */
	double measured_seconds;
	struct known_number other_low, other_high; /* the share if sessions counted the other way */
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
	uint64_t changed_at; /* the last change that samples in the window may be from before; 0: none */
	uint64_t touched_at; /* the last change of anything: shares measured before do not speak of now */

	/* Verdicts (judge.c). */
	struct sample_machine machine;
	struct sample_groups cgroups;
	uint64_t groups_read_at; /* the scheduler's list of groups */
	struct sample_around home; /* of the stage: what every worker begins with */
	bool was_settled;
	enum tri sessions_alike; /* all sessions of workers have the same nice of their own */
	int smt[CPULIST_MAX]; /* sibling of each CPU: -1 none, 0 not looked up yet, else its number + 1 */
	struct known_number outside; /* fraction of the CPUs that others than the workers take */
	size_t around_group, around_slot; /* where reading the surroundings goes on */
	uint64_t judged_at;
	bool judge_now, judged;
	size_t nverdicts;
	unsigned verdicts_more;
	struct snapshot_verdict verdicts[SNAPSHOT_VERDICTS];
	struct snapshot_theory theory;
	struct lab_user user;

	/* Where files are (disk.c). */
	struct scratch scratch;
	struct sample_disk disk;
	struct io_group io_group; /* what the cgroup does to I/O */
	uint64_t io_group_at;
	char elevator[BLOCK_NAME], elevator_device[BLOCK_NAME]; /* asked of the stage, not answered yet */
	char changed_device[BLOCK_NAME],
		elevator_before[BLOCK_NAME]; /* the last that got another one, and what comes back there */

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
unsigned crew_wanted(const struct lab *lab, const struct lab_group *g); /* workers that there shall be now */
void crew_handle(struct lab *lab, const struct stage_event *e);
void crew_respawn(struct lab *lab);
void crew_respawn_group(struct lab *lab, struct lab_group *g);
unsigned crew_slot(const struct lab_group *g, const struct lab_worker *w); /* of the stage */
void crew_retry_refused(struct lab_group *g);
void crew_tick(struct lab *lab);
bool crew_hold_is_done(const struct lab *lab, const struct lab_group *g);
bool crew_is_settled(
	const struct lab
		*lab); /* everybody who shall run does, and nobody else; asked, stopped or going as wanted */
size_t crew_count_threads(const struct lab *lab);
void crew_continue(struct lab *lab, struct lab_group *g); /* lets go on whom somebody else has stopped */
void crew_restart_samples(struct lab *lab);
void crew_lost(struct lab *lab);
void thread_list_clear(struct lab_worker *w);

/* pin.c: where workers may run. */
struct cpulist pin_cpus(const struct lab *lab, const struct lab_group *g);
struct cpulist pin_all_cpus(const struct lab *lab); /* that any worker may run on */
bool pin_somebody_moved(const struct lab *lab); /* the prediction does not hold then */
void pin_apply(struct lab *lab);

/* Moves one worker's threads; returns how many could not be moved, and the errno of that. */
unsigned pin_worker(struct lab *lab, struct lab_group *g, struct lab_worker *w, int *error);

/* apply.c: ask, read back. While a worker makes its files it loads nothing, and nothing is asked of it: in the idle class it might never be
 * done. It is asked when it is ready. */
bool apply_is_too_early(const struct lab *lab, const struct lab_group *g, const struct lab_worker *w);
bool apply_thread_is_too_early(struct lab *lab, pid_t tid);
void apply_group(struct lab *lab, struct lab_group *g, enum knob k);
void apply_new_worker(struct lab *lab, struct lab_group *g, struct lab_worker *w);
void apply_new_thread(struct lab *lab, struct lab_group *g, const struct lab_worker *w, struct lab_thread *t);
bool apply_read_same(struct lab *lab, pid_t pid, struct lab_thread *t);
int apply_thread(struct lab *lab, pid_t tid, enum knob k, int value);
#define APPLY_NAME 24
const char *apply_thread_name(struct lab *lab, pid_t tid, char name[APPLY_NAME]); /* "hog-3", "victim/2" */
struct attempt *attempt_of(struct lab_thread *t, enum knob k);
enum status attempt_status(const struct lab_thread *t, enum knob k);
int knob_wanted(const struct lab_group *g, enum knob k);
bool apply_thread_wanted(struct lab *lab, pid_t tid, enum knob k, long *wanted);

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

/* session.c: the nice of autogroups. */
void session_apply(struct lab *lab, struct lab_group *g);
void session_new_worker(struct lab *lab, struct lab_group *g, struct lab_worker *w);
void session_tick(struct lab *lab);
int session_nice_now(const struct lab *lab); /* of the stage's session; 0 where there is none */

/* around.c: what surrounds the workers. */
void around_tick(struct lab *lab, uint64_t tick_ns);
const struct sample_around *around_of(const struct lab *lab,
				      const struct lab_worker *w); /* its own, or what it began with */
void around_forget(struct lab *lab);

/* judge.c, facts.c: the rules over all threads. facts_crowd: one member a thread, group by group, slot by slot; cpus holds the groups' CPUs, for
 * as long as the members are used. */
void judge_update(struct lab *lab, uint64_t now);
void judge_soon(struct lab *lab);
struct crowd_member;
struct crowd_member *facts_crowd(struct lab *lab, struct cpulist *cpus, size_t *n);
enum tri facts_sessions_alike(const struct lab *lab);
void facts_host(const struct lab *lab, struct facts_host *out);
void facts_cgroup(struct lab *lab, const struct lab_worker *w, struct facts_group *out);
void facts_process(const struct lab *lab, const struct lab_worker *w, enum facts_what what,
		   struct facts_process *out);
void facts_thread(const struct lab *lab, const struct lab_group *g, const struct lab_worker *w,
		  const struct lab_thread *t, enum facts_what what, struct facts *out);

/* disk.c: files, devices, rates. */
void disk_start(struct lab *lab, const char *elevator);
void disk_store_sizes(struct lab *lab);
unsigned disk_room(const struct lab *lab,
		   const struct lab_group *g); /* workers of the group that have room on the disk */
bool disk_takes(const struct lab *lab, const struct lab_group *g,
		enum load_kind kind); /* one worker at least, if the group were of this kind */
void disk_tell_room(struct lab *lab, struct lab_group *g);
bool disk_is_preparing(const struct lab *lab, const struct lab_group *g, const struct lab_worker *w);
bool disk_in_use(const struct lab *lab);
int disk_device(const struct lab *lab); /* the level whose elevator is a knob, or -1 */
void disk_tick(struct lab *lab, uint64_t now);
struct known_number disk_rate(const struct lab_group *g,
			      size_t points); /* over the last points; DISK_POINTS: as long as of a device */
struct known_number
disk_moved(struct lab *lab,
	   struct lab_group
		   *g); /* bytes that the device that decides has moved, read now; adds up the group's too */
struct known_number
disk_foreign(const struct lab *lab); /* bytes a second of others on the device that decides */
void disk_restart_rates(struct lab *lab); /* a suspension is no time that anything took */
/* A worker that is gone stopped because it had to, and would again: told, once for all of the group that stop alike. */
bool disk_has_failed(struct lab *lab, struct lab_group *g, const struct lab_worker *w, const char *name);
bool disk_may_set(const struct lab *lab, const char *word); /* an elevator that is offered, and not there */
void disk_set_elevator(struct lab *lab, const char *word);
void disk_elevator_set(struct lab *lab, const struct stage_event *e);
void disk_publish(const struct lab *lab, struct snapshot_disk *out);

/* facts_io.c: who does I/O on the device, and what is the same for everybody; one census for all threads. */
struct io_census {
	struct facts_io device; /* the part that the device and the cgroup decide */
	bool foreign; /* others than nicelab may keep it busy */
	unsigned all, of_class[IOCLASS_IDLE + 1], of_level[IOCLASS_IDLE + 1][IOPRIO_LEVELS];
};
void facts_io_census(const struct lab *lab, struct io_census *out);
void facts_io(const struct lab *lab, const struct lab_group *g, const struct lab_worker *w,
	      const struct lab_thread *t, const struct io_census *census, struct facts_io *out);

/* remedy.c: what f does. */
void remedy_carry_out(struct lab *lab, const struct command *c);
bool remedy_is_possible(const struct lab *lab, const struct lab_group *g, const struct facts *f,
			enum verdict_fix fix);

/* publish.c */
void publish_snapshot(struct lab *lab, uint64_t now);

/* turn.c: what a knob that was turned does. */
void turn_group_knob(struct lab *lab, struct lab_group *g, enum knob k);
void turn_lab_knob(struct lab *lab, enum knob k);
void turn_kind(struct lab *lab, struct lab_group *g, enum load_kind kind);
void turn_store_orders(struct lab *lab, const struct lab_group *g); /* what running victims follow */
int turn_act_as(const struct lab *lab, long who);

/* engine.c */
void engine_respawn(struct lab *lab);
void engine_set(struct lab *lab, int group, enum knob k, long value);
void *engine_main(void *arg);

#endif
