/* What the engine publishes: a complete, immutable picture of one moment. The screen, JSON, CSV and recordings read this
 * struct and nothing else. What is not known is marked so, never 0.
 *
 * The store holds three buffers: the published one, one that the reader may hold, one that the engine fills. One
 * publisher, one reader. */
#ifndef NICELAB_LAB_SNAPSHOT_H
#define NICELAB_LAB_SNAPSHOT_H

#include "base/known.h"
#include "kernel/block.h"
#include "kernel/host.h"
#include "kernel/parse.h"
#include "lab/knobs.h"
#include "load/kind.h"
#include "load/scratch.h"
#include "sample/disk.h"
#include "sample/task.h"
#include "stats/histogram.h"
#include "stats/timeline.h"
#include "verdict/verdict.h"

#define SNAPSHOT_GROUPS 8
#define SNAPSHOT_JOURNAL 8
#define SNAPSHOT_TEXT 240
#define SNAPSHOT_VERDICTS 12
#define SNAPSHOT_ALSO 4
#define SNAPSHOT_THEORY 12
#define SNAPSHOT_DISTURBED 0.1 /* a baseline of which others took less is as good as it gets */

enum lab_phase {
	PHASE_CALIBRATING, /* the unit of work is being measured */
	PHASE_BASELINE, /* the victims run alone */
	PHASE_RUNNING,
	PHASE_LOST, /* the stage died: no workers any more */
};

struct snapshot_thread {
	int group; /* index into groups */
	unsigned ordinal; /* of the hog, from 1 */
	unsigned index; /* of the thread within its process, from 1; 0: not told by the worker */
	pid_t pid, tid;
	char comm[COMM_SIZE]; /* raw bytes: clean before showing */
	char state; /* of proc_pid_stat(5) */
	bool nice_asked, ioprio_asked;
	int nice_wanted, nice_actual;
	int ioprio_wanted, ioprio_actual, ioprio_effective; /* raw */
	bool nice_known, ioprio_known; /* of actual (and effective) */
	int policy, cpu;
	struct sample_shares shares;
	struct known_ns p50, in_flight; /* victims */
	uint64_t samples;
	bool policy_asked;
	int policy_wanted; /* SCHED_ number */
	enum status nice_status, ioprio_status, policy_status; /* after the verdict: MOOT and IGNORED too */
	enum status status; /* the worst of them */
	int nice_error, ioprio_error; /* errno of the call, 0 for none */
	int verdict; /* number of the rule behind the status, -1: none */
	struct known_number weight; /* that the scheduler uses for it, 1024 at nice 0 */
	struct known_number predicted, predicted_low, predicted_high; /* share of a CPU by the weights */
};

/* One verdict with everything that it concerns. */
struct snapshot_verdict {
	unsigned rule; /* verdict/verdict.h */
	enum status status;
	enum facts_what what;
	int group; /* of the first thread it concerns */
	pid_t tid; /* of that */
	unsigned count; /* threads of the group that it concerns */
	enum verdict_fix fix, other_fix; /* that nicelab can carry out now */
	char why[SNAPSHOT_TEXT], remedy[SNAPSHOT_TEXT];
	unsigned nalso; /* rules that hold too, and stand below in the table */
	struct {
		unsigned rule;
		char why[SNAPSHOT_TEXT];
	} also[SNAPSHOT_ALSO];
};

/* The arithmetic of the prediction: like threads in like groups make one row. */
struct theory_row {
	int group; /* index into groups */
	unsigned threads, measured_threads; /* of the row together; of which a share was measured */
	char place
		[48]; /* the group they compete in: "session 3070", "/k/a", "" at the top; "a session each" */
	double place_weight; /* of one such place */
	unsigned places;
	int nice, policy;
	double weight; /* of one thread */
	double share, low, high; /* of one thread, fraction of a CPU */
	struct known_number used; /* the weight that the scheduler says it uses */
	struct known_number measured; /* mean share of the last seconds */
};

struct snapshot_theory {
	bool known;
	const char *why_not; /* one line where it is not known; NULL: nobody is there yet */
	bool more; /* there are rows that did not find room */
	unsigned cpus; /* that are shared out */
	double total_weight; /* of what stands side by side at the top: places, or the threads where there is one place */
	bool one_place;
	size_t nrows;
	struct theory_row rows[SNAPSHOT_THEORY];
};

struct snapshot_latency {
	struct histogram window; /* the last `window` seconds */
	uint64_t dropped; /* the ring was full */
	uint64_t discarded; /* spanned a time when the workers were stopped */
	struct known_ns in_flight; /* age of the oldest unfinished piece */
	bool baseline_known;
	uint64_t baseline_p50;
	double baseline_disturbed; /* fraction of the victim's CPU time that others took while it was measured */
	uint64_t
		mixed_ns; /* so long the window still holds samples from before the last change, 0: no more */
	struct histogram baseline;
	struct known_number ratio; /* p50 of the window to that of the baseline */
	struct known_number predicted; /* the same from the weights; where it is a range, its middle */
	struct known_number predicted_low, predicted_high; /* the range; equal where it is exact */
};

/* The directory that files are made in, and what is below it. */
struct snapshot_disk {
	bool known; /* there is a directory, and it was looked at */
	bool in_use; /* a group reads or writes there */
	char path[SCRATCH_PATH]; /* cleaned */
	bool own_loop, loop_direct; /* nicelab's own loop device stands there */
	uint64_t loop_size;
	struct known_number
		foreign; /* bytes a second of others on the device that decides; unknown where buffered writes of our own cannot be told apart */
	struct block_place where;
	struct block_reading below;
	struct disk_use use[BLOCK_LEVELS]; /* of each of its levels */
	int device; /* the level whose elevator is a knob here, -1: none */
	bool may_set; /* whoever acts now may turn it */
	bool shared; /* others than nicelab may use that device: it asks first */
	bool changed; /* nicelab has set its elevator; before is what it was */
	char before[BLOCK_NAME];
};

struct snapshot_group {
	bool is_victim;
	enum load_kind kind;
	unsigned room; /* workers that have room on the disk */
	unsigned preparing; /* workers that make their files: they load nothing yet */
	struct known_number rate, baseline_rate; /* bytes a second of all workers: now; of the victim alone */
	char fault
		[SNAPSHOT_TEXT]; /* why the last worker stopped by itself; empty: none did since it was asked for anew */
	long knobs[KNOB_TOTAL];
	unsigned running; /* worker processes there are */
	unsigned threads; /* of them */
	unsigned refused; /* workers that could not be started */
	bool paused; /* by the person */
	bool held; /* stopped while the baseline is taken */
	struct sample_shares shares; /* mean over the threads */
	struct known_number predicted_share; /* mean over the threads */
	struct known_number predicted_low, predicted_high; /* its range */
	struct snapshot_latency latency; /* victims */
	struct timeline timeline; /* victims; the marks of all groups stand in each */
};

enum journal_level { JOURNAL_INFO, JOURNAL_WARNING };

struct journal_entry {
	uint64_t number; /* from 1 */
	uint64_t at; /* CLOCK_MONOTONIC ns */
	enum journal_level level;
	int group; /* -1: the lab */
	char text[SNAPSHOT_TEXT];
};

struct snapshot {
	uint64_t number, at, started; /* CLOCK_MONOTONIC ns */
	enum lab_phase phase;
	uint64_t phase_left; /* ns until the baseline is complete, as far as can be told */
	struct host host;
	struct cpulist cpus; /* the workers may run on */
	bool own_raised; /* nicelab raised its own nice, see own_nice */
	int own_nice;
	struct known_number self_cpu; /* fraction of one CPU that nicelab itself uses */
	uint64_t sweep_ns; /* time that one reading of all threads takes */
	uint64_t reaction_ns; /* from the last command's issue to its last priority call */
	long knobs[KNOB_TOTAL]; /* of the lab */
	size_t ngroups, nthreads, njournal, nverdicts;
	bool judged; /* every rule has been asked since the last change; until then "no verdict" says nothing */
	struct snapshot_verdict verdicts[SNAPSHOT_VERDICTS]; /* the most severe first */
	unsigned verdicts_more; /* that did not find room */
	struct snapshot_theory theory;
	struct snapshot_disk disk;
	char user[32]; /* whom "act as user" means; empty: nicelab was not started as root */
	struct snapshot_group groups[SNAPSHOT_GROUPS];
	struct journal_entry journal[SNAPSHOT_JOURNAL]; /* the newest first */
	size_t threads_room;
	struct snapshot_thread *threads;
};

/* Makes room for n threads. 0 or -ENOMEM. */
int snapshot_reserve(struct snapshot *s, size_t n);
void snapshot_release(struct snapshot *s);

struct snapshot_store;
struct snapshot_store *snapshot_store_new(void); /* NULL without memory or descriptors */
void snapshot_store_free(struct snapshot_store *st);

/* The publisher: take a buffer to fill (its former content is still in it), then publish it. */
struct snapshot *snapshot_begin(struct snapshot_store *st);
void snapshot_publish(struct snapshot_store *st);

/* The reader: the newest snapshot, NULL before the first; it stays valid until the next call. */
const struct snapshot *snapshot_latest(struct snapshot_store *st);

/* For poll(2): readable when there is a newer one than the last that was taken. */
int snapshot_fd(const struct snapshot_store *st);

/* The first group of the role, or -1. */
int snapshot_group_of(const struct snapshot *s, bool is_victim);

/* "hog", "hog-3", "victim", "victim/2": how a thread is called on the screen. Returns buf. */
char *snapshot_thread_name(char *buf, size_t size, const struct snapshot *s, const struct snapshot_thread *t);

#endif
