/* Figures and ratios, measured side by side in one run. Nothing here fails: a figure over its limit is marked. */
#include "bench.h"
#include "base/clock.h"
#include "kernel/task.h"
#include "stats/ring.h"
#include "stats/window.h"
#include "verdict/crowd.h"
#include "verdict/verdict.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ROUNDS 2000u
#define BATCH 2048u
#define SAMPLES 1000000u

void bench_report(const char *what, double got, const char *unit, double limit)
{
	printf("%-52s %10.3f %-4s limit %-6g %s\n", what, got, unit, limit, got <= limit ? "ok" : "OVER");
	fflush(stdout);
}

static int rising(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

double bench_percentile(double *v, size_t n, double p)
{
	if (n == 0)
		return NAN;
	qsort(v, n, sizeof(*v), rising);
	size_t rank = (size_t)ceil(p * (double)n);
	return v[rank ? rank - 1 : 0];
}

/* A cheap stream of latencies around 10 ms, so that making them costs next to nothing. */
static uint64_t next_latency(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1;
	return 8 * NS_PER_MS + (*state >> 42);
}

/* Push, and drain with record, of the same batches; each is the median over the rounds. */
static void bench_ring(void)
{
	static double push[ROUNDS], drain[ROUNDS];
	static struct ring_record out[256];
	struct ring *r = aligned_alloc(64, sizeof(*r));
	struct window *w = window_new(10);
	uint64_t seed = 1;

	memset(r, 0, sizeof(*r));
	for (size_t round = 0; round < ROUNDS; round++) {
		uint64_t t0 = clock_now();
		for (uint64_t i = 0; i < BATCH; i++)
			ring_push(r, t0, next_latency(&seed));
		uint64_t t1 = clock_now();
		for (size_t n; (n = ring_read(r, out, 256)) > 0;)
			for (size_t i = 0; i < n; i++)
				window_record(w, 1 + round / 100, out[i].latency_ns);
		uint64_t t2 = clock_now();
		push[round] = (double)(t1 - t0) / BATCH;
		drain[round] = (double)(t2 - t1) / BATCH;
	}
	bench_report("ring push", bench_percentile(push, ROUNDS, 0.5), "ns", 10);
	bench_report("ring drain and histogram record, a sample", bench_percentile(drain, ROUNDS, 0.5), "ns",
		     10);
	window_free(w);
	free(r);
}

static void bench_percentiles(void)
{
	static const unsigned tenths[] = {100, 500, 900, 950, 990, 999};
	struct histogram *h = calloc(1, sizeof(*h));
	double *all = malloc(SAMPLES * sizeof(*all)), worst = 0;

	srand48(11);
	for (size_t i = 0; i < SAMPLES; i++) {
		double normal = sqrt(-2 * log(1 - drand48())) * cos(2 * M_PI * drand48());
		uint64_t ns = (uint64_t)exp(16.1 + 1.5 * normal);
		histogram_record(h, ns);
		all[i] = (double)ns;
	}
	for (size_t i = 0; i < sizeof(tenths) / sizeof(tenths[0]); i++) {
		double exact = bench_percentile(all, SAMPLES, tenths[i] / 1000.0);
		uint64_t got;
		histogram_percentile(h, tenths[i], &got);
		worst = fmax(worst, fabs((double)got - exact) / exact * 100);
	}
	bench_report("percentiles, worst error over 10^6 log-normal", worst, "%", 0.5);
	free(all);
	free(h);
}

static void bench_task_read(void)
{
	enum { READS = 20000 };
	static double cost[READS];
	pid_t tid = (pid_t)syscall(SYS_gettid);
	struct task_reading r;
	struct procfs fs;

	if (procfs_open(&fs, NULL, NULL) < 0)
		return;
	for (size_t i = 0; i < READS; i++) {
		uint64_t from = clock_now();
		task_read(&fs, getpid(), tid, &r);
		cost[i] = (double)(clock_now() - from) / 1000;
	}
	bench_report("reading one thread (stat, schedstat, ioprio), median",
		     bench_percentile(cost, READS, 0.5), "us", 15);
	procfs_close(&fs);
}

#define THREADS 10000u
#define JUDGINGS 15u

/* Threads of all sorts, so that no rule is left out early. */
static void bench_judge(void)
{
	static const enum status bases[] = {STATUS_APPLIED, STATUS_APPLIED, STATUS_APPLIED, STATUS_PARTIAL};
	static double cost[JUDGINGS];
	struct facts_host host = {.autogroup = TRI_YES, .steal = known(0)};
	struct facts_group group = {.throttled = known(0)};
	struct facts_process process = {.comm = "nl-hog-1", .threads = 2, .reached = 1};
	struct facts_io io = {.does_io = TRI_YES, .elevator = ELEVATOR_MQ_DEADLINE};
	struct facts *f = calloc(THREADS, sizeof(*f));
	struct verdict_list list;

	for (unsigned i = 0; i < THREADS; i++)
		f[i] = (struct facts){
			.host = &host,
			.group = &group,
			.process = &process,
			.io = &io,
			.what = i % 5 ? WHAT_NICE : WHAT_IOPRIO,
			.base = bases[i % 4],
			.wanted = 19,
			.actual = 19,
			.deliberate = true,
			.settled = true,
			.policy_known = true,
			.cpus = 2,
			.rivals = {.known = true,
				   .total = 9,
				   .reachable = 9,
				   .differ = 9,
				   .differ_session = i % 10},
			.share = {.low = known(0.3),
				  .high = known(0.3),
				  .measured = known(0.3),
				  .seconds = 5},
		};
	for (size_t round = 0; round < JUDGINGS; round++) {
		uint64_t from = clock_now();
		for (unsigned i = 0; i < THREADS; i++)
			verdict_judge(&f[i], &list);
		cost[round] = (double)(clock_now() - from) / NS_PER_MS;
	}
	bench_report("judging 10,000 threads with all rules, median", bench_percentile(cost, JUDGINGS, 0.5),
		     "ms", 20);
	free(f);
}

/* A thousand sessions in the root cgroup, and other cgroups, one after the other. */
static void bench_crowd(void)
{
	static double cost[JUDGINGS];
	struct crowd_member *m = calloc(THREADS, sizeof(*m));
	struct cpulist lists[8] = {0};

	for (unsigned i = 0; i < 8; i++)
		cpulist_set(&lists[i], i / 2);
	srand48(12);
	for (unsigned i = 0; i < THREADS; i++)
		m[i] = (struct crowd_member){
			.cgroup = i % 3,
			.session = i % 3 ? 0 : (unsigned long)(drand48() * 1000),
			.nice = (int)(drand48() * 40) - 20,
			.policy = drand48() < 0.1 ? SCHED_IDLE : SCHED_OTHER,
			.wants_cpu = drand48() < 0.8,
			.cpus = i % 4 ? NULL : &lists[i / 4 % 8],
		};
	for (size_t round = 0; round < JUDGINGS; round++) {
		uint64_t from = clock_now();
		crowd_count(m, THREADS);
		cost[round] = (double)(clock_now() - from) / NS_PER_MS;
	}
	bench_report("counting the rivals of 10,000 threads, median", bench_percentile(cost, JUDGINGS, 0.5),
		     "ms", 20);
	free(m);
}

/* Without arguments all of them, else those that are named. */
int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} parts[] = {
		{"ring", bench_ring},	   {"percentiles", bench_percentiles},
		{"read", bench_task_read}, {"judge", bench_judge},
		{"crowd", bench_crowd},	   {"disk", bench_disk},
		{"live", bench_live},
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		bool wanted = argc < 2;
		for (int a = 1; a < argc; a++)
			wanted |= strcmp(argv[a], parts[i].name) == 0;
		if (wanted)
			parts[i].run();
	}
	return 0;
}
