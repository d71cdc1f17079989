/* The report of a probe for a person. */
#include "report/probe.h"
#include "report/wrap.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define LABEL 10 /* columns before the text of a line */
#define LINE 2400

/* One line that grows. */
struct line {
	char text[LINE];
	size_t used;
};

__attribute__((format(printf, 2, 3))) static void put(struct line *l, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(l->text + l->used, sizeof(l->text) - l->used, fmt, ap);
	va_end(ap);
	if (n > 0)
		l->used += (size_t)n < sizeof(l->text) - l->used ? (size_t)n : sizeof(l->text) - l->used - 1;
}

static void print_line(FILE *out, const char *label, const struct line *l, unsigned width)
{
	fprintf(out, "  %-*s", LABEL - 2, label);
	wrap_print(out, l->text, LABEL, LABEL, width);
}

/* The codes of the rules among n results, each once: " [denied-eacces]". */
static void put_codes(struct line *l, const int *a, unsigned na, const int *b, unsigned nb)
{
	bool seen[256] = {false};
	const char *sep = " [";

	for (unsigned i = 0; i < na + nb; i++) {
		int rule = i < na ? a[i] : b[i - na];
		if (rule < 0 || seen[rule & 255])
			continue;
		seen[rule & 255] = true;
		put(l, "%s%s", sep, verdict_info((unsigned)rule)->code);
		sep = ", ";
	}
	if (sep[0] == ',')
		put(l, "]");
}

static bool all_are(const int *results, unsigned n, int what)
{
	for (unsigned i = 0; i < n; i++)
		if (results[i] != what)
			return false;
	return true;
}

/* Why a family has no answer. True where it has none at all. */
static bool put_failure(struct line *l, const struct probe *p, unsigned family, bool nothing)
{
	char words[96];

	if (p->failed[family] == 0 || !nothing)
		return false;
	put(l, "could not be tried: %s", probe_failure(p->failed[family], words, sizeof(words)));
	return true;
}

/* "-20 to 19", "0 to 3, 7": the values that are allowed (or refused). Returns whether there are any. */
static bool put_nices(struct line *l, const int *results, bool allowed)
{
	const char *sep = "";

	for (int i = 0, end; i < NICE_COUNT; i = end + 1) {
		for (end = i;
		     end < NICE_COUNT && (allowed ? results[end] == PROBE_ALLOWED : results[end] >= 0);)
			end++;
		if (end == i)
			continue;
		put(l, "%s%d", sep, i + NICE_MIN);
		if (end - i > 1)
			put(l, " to %d", end - 1 + NICE_MIN);
		sep = ", ";
	}
	return sep[0] != '\0';
}

/* The lowest value that can be taken back, from 19 on without a gap; above 19: not even that. */
static int lowest_back(const struct probe_judged *j)
{
	int nice = NICE_MAX + 1;

	while (nice > NICE_MIN && j->back[nice - 1 - NICE_MIN] == PROBE_ALLOWED)
		nice--;
	return nice;
}

static void print_nice(FILE *out, const struct probe *p, const struct probe_judged *j, unsigned width)
{
	struct line l = {.used = 0}, refused = {.used = 0};
	int back = lowest_back(j), floor = NICE_MAX;

	if (!put_failure(&l, p, TRYOUT_NICE, all_are(j->back, NICE_COUNT, PROBE_UNTRIED))) {
		bool some = probe_nice_floor(j, &floor);
		if (!put_nices(&l, j->set, true))
			put(&l, "none");
		put(&l, " may be set");
		if (some && back <= floor)
			put(&l, ", and taken back");
		if (put_nices(&refused, j->set, false))
			put(&l, "; %s refused", refused.text);
		if (back > floor && back <= NICE_MAX)
			put(&l, "; coming back below %d is refused", back);
		put_codes(&l, j->set, NICE_COUNT, j->back, NICE_COUNT);
	}
	print_line(out, "nice", &l, width);
}

/* "none, rt/0-7, idle" of those that are allowed (or refused). */
static bool put_ioprios(struct line *l, const int *results, bool allowed)
{
	const char *sep = "";

	for (int i = 0, end; i < IOPRIO_CHOICES; i = end) {
		struct ioprio first = ioprio_unpack(ioprio_choice(i));
		char name[24];
		end = i;
		while (end < IOPRIO_CHOICES && ioprio_unpack(ioprio_choice(end)).io_class == first.io_class &&
		       (allowed ? results[end] == PROBE_ALLOWED : results[end] >= 0))
			end++;
		if (end == i) {
			end++;
			continue;
		}
		put(l, "%s%s", sep, ioprio_format(name, sizeof(name), ioprio_choice(i)));
		if (end - i > 1)
			put(l, "-%d", ioprio_unpack(ioprio_choice(end - 1)).level);
		sep = ", ";
	}
	return sep[0] != '\0';
}

static void print_ionice(FILE *out, const struct probe *p, const struct probe_judged *j, unsigned width)
{
	struct line l = {.used = 0}, refused = {.used = 0};

	if (!put_failure(&l, p, TRYOUT_IOPRIO, all_are(j->ioprio, IOPRIO_CHOICES, PROBE_UNTRIED))) {
		if (!put_ioprios(&l, j->ioprio, true))
			put(&l, "none of them");
		put(&l, " may be set");
		if (put_ioprios(&refused, j->ioprio, false))
			put(&l, "; %s refused", refused.text);
		put_codes(&l, j->ioprio, IOPRIO_CHOICES, j->ioprio, 0);
	}
	print_line(out, "ionice", &l, width);
}

/* The names of the policies whose results are as asked, and the codes of what refuses them. */
static unsigned put_policies(struct line *names, struct line *codes, const struct probe_judged *j,
			     bool (*is)(const struct probe_judged *, unsigned))
{
	int set[TRYOUT_POLICIES], back[TRYOUT_POLICIES];
	unsigned n = 0;
	char name[16];

	for (unsigned i = 0; i < TRYOUT_POLICIES; i++)
		if (is(j, i)) {
			put(names, "%s%s", n ? ", " : "",
			    policy_format(name, sizeof(name), tryout_policy_number(i)));
			set[n] = j->policy_set[i];
			back[n++] = j->policy_back[i];
		}
	put_codes(codes, set, n, back, n);
	return n;
}

static bool may_return(const struct probe_judged *j, unsigned i)
{
	return j->policy_set[i] == PROBE_ALLOWED && j->policy_back[i] == PROBE_ALLOWED;
}

static bool is_one_way(const struct probe_judged *j, unsigned i)
{
	return j->policy_set[i] == PROBE_ALLOWED && j->policy_back[i] >= 0;
}

static bool is_refused(const struct probe_judged *j, unsigned i)
{
	return j->policy_set[i] >= 0;
}

static bool lacks_cpus(const struct probe_judged *j, unsigned i)
{
	return j->policy_set[i] == PROBE_CPUS;
}

static bool is_untried(const struct probe_judged *j, unsigned i)
{
	return j->policy_set[i] == PROBE_UNTRIED;
}

static void print_policies(FILE *out, const struct probe_judged *j, unsigned width)
{
	static const struct {
		bool (*is)(const struct probe_judged *, unsigned);
		const char *words;
	} parts[] = {
		{may_return, " may be set, and left again"},
		{is_one_way, " may be set, and then not left again"},
		{is_refused, " refused"},
		{lacks_cpus, " refused: it wants every CPU of the machine, and a cpuset withholds some"},
		{is_untried, " could not be tried"},
	};
	struct line l = {.used = 0};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		struct line names = {.used = 0}, codes = {.used = 0};
		if (put_policies(&names, &codes, j, parts[i].is))
			put(&l, "%s%.150s%s%.150s", l.used ? "; " : "", names.text, parts[i].words,
			    codes.text);
	}
	print_line(out, "policy", &l, width);
}

static void print_rights(FILE *out, const struct probe *p, unsigned width)
{
	static const char *const nice[] = {"CAP_SYS_NICE unknown", "no CAP_SYS_NICE", "CAP_SYS_NICE"};
	const struct known_number *r = &p->self.rlimit_nice;
	bool counts = p->rights.sys_nice != TRI_YES || p->rights.init_userns == TRI_NO;
	struct line l = {.used = 0};

	put(&l, "%s", nice[p->rights.sys_nice]);
	if (p->rights.init_userns == TRI_NO)
		put(&l, " (of a user namespace, where it does not count)");
	if (!r->known)
		put(&l, "; RLIMIT_NICE unknown");
	else if (!counts)
		put(&l, "; RLIMIT_NICE is %.0f, which does not matter then", r->value);
	else if (r->value < 1)
		put(&l, "; RLIMIT_NICE is 0: no nice may be lowered");
	else
		put(&l, "; RLIMIT_NICE is %.0f: nice may be lowered down to %.0f", r->value, 20 - r->value);
	if (p->rights.seccomp == TRI_YES)
		put(&l, "; a seccomp filter is on this process");
	print_line(out, "rights", &l, width);
}

static void print_head(FILE *out, const struct probe *p, unsigned width)
{
	struct line l = {.used = 0};
	unsigned cpus = cpulist_count(&p->host.cpus);

	put(&l, "nicelab probe: Linux %s, %u CPU%s, as user %u%s", p->host.kernel, cpus, cpus == 1 ? "" : "s",
	    (unsigned)p->rights.euid, p->rights.euid == 0 ? " (root)" : "");
	wrap_print(out, l.text, 0, 2, width);
}

static void print_cgroup(FILE *out, const struct probe *p, unsigned width)
{
	const struct cgroup_reading *g = &p->group;
	struct line l = {.used = 0};
	char path[CGROUP_PATH];

	if (!p->group_known)
		put(&l, "unknown");
	else if (!p->place.below_root)
		put(&l, "the root group of the cpu controller (v%d)", p->place.version);
	else {
		text_clean(path, sizeof(path), p->place.path, strlen(p->place.path));
		put(&l, "%s (v%d)", path, p->place.version);
	}
	if (g->raw_weight.known)
		put(&l, ", %s %.0f", p->place.version == 1 ? "cpu.shares" : "cpu.weight",
		    g->raw_weight.value);
	if (g->quota.known)
		put(&l, ", a quota of %.4g CPUs", g->quota.value);
	if (g->quota.known && g->throttle_known)
		put(&l, " (throttled in %llu of %llu periods)", (unsigned long long)g->throttled,
		    (unsigned long long)g->periods);
	print_line(out, "cgroup", &l, width);
}

static void put_direct(struct line *l, const struct block_place *w)
{
	if (w->direct == TRI_YES)
		put(l, "; O_DIRECT is real, aligned to %u bytes", w->offset_align);
	else
		put(l, w->direct == TRI_NO ? "; O_DIRECT is not real there" : "; O_DIRECT: unknown");
}

/* "sda1 of sda, elevator bfq (uses class and level)" */
static void put_level(struct line *l, const struct block_level *b)
{
	put(l, "%s%s%s", b->partition, b->partition[0] ? " of " : "", b->name);
	if (b->queue == BLOCK_QUEUE_READ)
		put(l, ", elevator %s (uses %s)", b->elevator,
		    b->honours == BLOCK_HONOURS_UNKNOWN ? "unknown parts of an I/O priority"
							: block_honours_word(b->honours));
	else
		put(l, b->queue == BLOCK_QUEUE_MISSING ? ", no elevator" : ", elevator unknown");
	if (b->passes == TRI_NO)
		put(l, ", which loses I/O priorities");
}

static void put_decider(struct line *l, const struct block_reading *b)
{
	const struct block_level *decides = &b->levels[b->counts];

	if (b->more)
		put(l, "; there are more devices");
	if (decides->honours == BLOCK_HONOURS_CLASS || decides->honours == BLOCK_HONOURS_LEVEL)
		put(l, "; %s decides%s", decides->name, b->sure ? "" : ", as far as can be told");
	else
		put(l, b->sure ? "; no I/O priority counts there" : "; which of them decides cannot be told");
}

/* The way down, from the top. */
static void put_levels(struct line *l, const struct block_reading *b)
{
	for (size_t i = 0; i < b->nlevels; i++) {
		bool deeper = i > 0 && b->levels[i].depth > b->levels[i - 1].depth;
		put(l, i == 0 ? " on " : deeper ? "; below that " : "; beside that ");
		put_level(l, &b->levels[i]);
	}
	if (b->nlevels == 0)
		put(l, ", no disk of its own");
	else if (b->nlevels > 1 || b->levels[0].kind != BLOCK_DISK)
		put_decider(l, b);
}

static void print_dir(FILE *out, const struct probe *p, unsigned width)
{
	const struct block_reading *b = &p->block;
	struct line l = {.used = 0};

	put(&l, "%s: %s", p->dir, b->filesystem[0] ? b->filesystem : "unknown file system");
	put_levels(&l, b);
	put_direct(&l, &p->where);
	print_line(out, "dir", &l, width);
}

static void print_findings(FILE *out, const char *title, const struct probe_findings *l, unsigned width)
{
	fprintf(out, "\n%s\n", title);
	for (unsigned i = 0; i < l->count; i++) {
		const struct probe_finding *f = &l->at[i];
		const struct verdict_info *info = verdict_info(f->rule);
		fprintf(out, "  %s (%s)\n      ", info->code, status_word(info->status));
		wrap_print(out, f->why, 6, 6, width);
		fputs("    > ", out);
		wrap_print(out, f->remedy, 6, 6, width);
	}
	if (l->count == 0)
		fputs("  nothing found\n", out);
}

void probe_print(FILE *out, const struct probe *p, const struct probe_judged *j, unsigned width)
{
	print_head(out, p, width);
	fputs("\nWhat this user may set (tried in child processes, and read back):\n", out);
	print_nice(out, p, j, width);
	print_ionice(out, p, j, width);
	print_policies(out, j, width);
	print_rights(out, p, width);
	if (j->refusals.count)
		print_findings(out, "Why the rest is refused, and what to do:", &j->refusals, width);
	fputs("\nWhere this runs:\n", out);
	print_cgroup(out, p, width);
	print_dir(out, p, width);
	print_findings(out, "What on this host would make a priority moot, and what to do:", &j->moot, width);
	fputs("\nnicelab explain CODE tells more about each.\n", out);
}
