/* The {words} in the texts of the rules: with facts the figure of the moment, without a letter or a general word. */
#include "base/err.h"
#include "base/text.h"
#include "base/units.h"
#include "sched/prio.h"
#include "verdict/rules.h"

#include <stdio.h>
#include <string.h>

#define WORD 96
#define DEVICE 33 /* room for the name of a disk, or of an elevator */

/* Writes the figure into buf of WORD bytes; empty where it is not known, and then the general word stands. */
typedef void (*word_fn)(char *buf, const struct facts *f);

static void value_words(char *buf, const struct facts *f, int value)
{
	if (f->what == WHAT_IOPRIO)
		ioprio_format(buf, WORD, value);
	else if (f->what == WHAT_POLICY)
		policy_format(buf, WORD, value);
	else
		snprintf(buf, WORD, "%d", value);
}

static void word_asked(char *buf, const struct facts *f)
{
	static const char *const kinds[] = {"nice", "ioprio", "policy", "session nice"};
	char value[WORD];

	value_words(value, f, f->wanted);
	snprintf(buf, WORD, "%s %.70s", kinds[f->what], value);
}

static void word_asked_value(char *buf, const struct facts *f)
{
	value_words(buf, f, f->wanted);
}

static void word_actual(char *buf, const struct facts *f)
{
	value_words(buf, f, f->actual);
}

static void word_effective(char *buf, const struct facts *f)
{
	ioprio_format(buf, WORD, rules_own_ioprio(f));
}

static void word_errno(char *buf, const struct facts *f)
{
	if (f->error)
		err_words(f->error, buf, WORD);
}

static void clean(char *buf, const char *name)
{
	text_clean(buf, WORD, name, strlen(name));
}

static void word_comm(char *buf, const struct facts *f)
{
	clean(buf, f->process->comm);
}

static void word_nice(char *buf, const struct facts *f)
{
	snprintf(buf, WORD, "%d", f->nice);
}

static void word_policy(char *buf, const struct facts *f)
{
	if (f->policy_known)
		policy_format(buf, WORD, f->policy);
}

static void count(char *buf, unsigned n)
{
	if (n)
		snprintf(buf, WORD, "%u", n);
}

static void number(char *buf, struct known_number v)
{
	if (v.known)
		snprintf(buf, WORD, v.value < 1000 ? "%.4g" : "%.0f", v.value);
}

static void percent(char *buf, struct known_number v)
{
	if (v.known)
		units_format_share(buf, WORD, v.value);
}

static void word_threads(char *buf, const struct facts *f)
{
	count(buf, f->process->threads);
}

static void word_reached(char *buf, const struct facts *f)
{
	if (f->process->threads)
		snprintf(buf, WORD, "%u", f->process->reached);
}

static void word_reached_cpu(char *buf, const struct facts *f)
{
	char share[24];

	snprintf(buf, WORD, " ");
	if (!f->process->reached_cpu.known)
		return;
	units_format_share(share, sizeof(share), f->process->reached_cpu.value);
	snprintf(buf, WORD, ", with %s of its CPU time", share);
}

static void word_cpus(char *buf, const struct facts *f)
{
	snprintf(buf, WORD, "%s", f->process->cpus);
}

static void word_elsewhere(char *buf, const struct facts *f)
{
	count(buf, f->rivals.total - f->rivals.reachable);
}

static void word_children(char *buf, const struct facts *f)
{
	count(buf, f->process->children_apart);
}

static void word_launcher(char *buf, const struct facts *f)
{
	number(buf, f->process->launcher);
}

static void word_rlimit(char *buf, const struct facts *f)
{
	number(buf, f->process->rlimit_nice);
}

static void word_needs(char *buf, const struct facts *f)
{
	int nice = f->what == WHAT_NICE ? f->wanted : f->nice;

	snprintf(buf, WORD, "%d", 20 - (nice < NICE_MIN ? NICE_MIN : nice)); /* clamped before it is judged */
}

static void word_owner(char *buf, const struct facts *f)
{
	if (f->what == WHAT_IOPRIO)
		snprintf(buf, WORD, "set all but class rt");
}

static void word_renicer(char *buf, const struct facts *f)
{
	char name[FACTS_NAME];

	snprintf(buf, WORD, " ");
	text_clean(name, sizeof(name), f->host->renicer, strlen(f->host->renicer));
	if (name[0])
		snprintf(buf, WORD, " (%s runs here)", name);
}

static void word_scx(char *buf, const struct facts *f)
{
	clean(buf, f->host->sched_ext_name);
}

static void word_steal(char *buf, const struct facts *f)
{
	percent(buf, f->host->steal);
}

static void word_cgroup(char *buf, const struct facts *f)
{
	clean(buf, f->group->path);
}

static void word_quota_path(char *buf, const struct facts *f)
{
	clean(buf, f->group->quota_path);
}

static void word_quota(char *buf, const struct facts *f)
{
	number(buf, f->group->quota);
}

static void word_throttled(char *buf, const struct facts *f)
{
	percent(buf, f->group->throttled);
}

static void word_weight_file(char *buf, const struct facts *f)
{
	number(buf, f->group->raw_weight);
	if (buf[0])
		snprintf(buf, WORD, "%s %.0f", f->group->version == 1 ? "cpu.shares" : "cpu.weight",
			 f->group->raw_weight.value);
}

static void word_weight(char *buf, const struct facts *f)
{
	number(buf, f->weight);
}

static void word_probably(char *buf, const struct facts *f)
{
	snprintf(buf, WORD, "%s", f->process->in_autogroup == TRI_YES ? " " : "probably: ");
}

static void word_session(char *buf, const struct facts *f)
{
	if (f->process->has_autogroup == TRI_YES)
		snprintf(buf, WORD, "%ld", f->process->autogroup);
}

static void word_session_nice(char *buf, const struct facts *f)
{
	if (f->process->has_autogroup == TRI_YES)
		snprintf(buf, WORD, "%d", f->process->autogroup_nice);
}

static void word_run(char *buf, const struct facts *f)
{
	percent(buf, f->run);
}

static void word_wait(char *buf, const struct facts *f)
{
	percent(buf, f->wait);
}

static void word_rivals(char *buf, const struct facts *f)
{
	count(buf, f->rivals.total);
}

static void word_reachable(char *buf, const struct facts *f)
{
	count(buf, f->rivals.reachable);
}

static void word_realtime(char *buf, const struct facts *f)
{
	count(buf, f->rivals.realtime);
}

static void word_step(char *buf, const struct facts *f)
{
	count(buf, (unsigned)f->rivals.farthest);
}

static void word_measured(char *buf, const struct facts *f)
{
	percent(buf, f->share.measured);
}

static void word_seconds(char *buf, const struct facts *f)
{
	snprintf(buf, WORD, "%.0f", f->share.seconds);
}

static void word_predicted(char *buf, const struct facts *f)
{
	char low[24], high[24];

	if (!f->share.low.known || !f->share.high.known)
		return;
	units_format_share(low, sizeof(low), f->share.low.value);
	units_format_share(high, sizeof(high), f->share.high.value);
	if (strcmp(low, high) == 0)
		snprintf(buf, WORD, "%s", low);
	else
		snprintf(buf, WORD, "%s to %s", low, high);
}

static void word_outside(char *buf, const struct facts *f)
{
	percent(buf, f->share.outside);
}

static void word_slice(char *buf, const struct facts *f)
{
	if (f->slice_ns.known)
		units_format_ns(buf, WORD, (uint64_t)f->slice_ns.value);
}

static const struct facts_io *io_of(const struct facts *f)
{
	static const struct facts_io nothing;

	return f->io ? f->io : &nothing;
}

/* No longer than the kernel lets them be. */
static void clean_device(char *buf, const char *name)
{
	text_clean(buf, DEVICE, name, strlen(name));
}

static void word_device(char *buf, const struct facts *f)
{
	clean_device(buf, io_of(f)->device);
}

static void word_top(char *buf, const struct facts *f)
{
	clean_device(buf, io_of(f)->top[0] ? io_of(f)->top : io_of(f)->device);
}

static void word_elevator(char *buf, const struct facts *f)
{
	clean_device(buf, io_of(f)->elevator_name);
}

static void word_top_elevator(char *buf, const struct facts *f)
{
	char name[DEVICE];

	clean_device(name, io_of(f)->top_elevator);
	if (io_of(f)->top[0])
		snprintf(buf, WORD, "%s%s", name[0] ? "the elevator " : "no elevator", name);
}

/* Of a top device that decides, since nobody below does. */
static void word_nothing_below(char *buf, const struct facts *f)
{
	const struct facts_io *io = io_of(f);
	bool known = io->stacked == TRI_YES && io->bottom_known == TRI_YES && io->drops_ioprio != TRI_YES;

	snprintf(buf, WORD, "%s", known ? ", and nothing below it orders by priority" : " ");
}

static void word_filesystem(char *buf, const struct facts *f)
{
	clean(buf, io_of(f)->filesystem_name);
}

static void word_io_policy(char *buf, const struct facts *f)
{
	clean(buf, io_of(f)->group_policy);
}

static void word_imposed(char *buf, const struct facts *f)
{
	int imposed = f->io && f->io->group_policy[0] ? rules_group_ioprio(f) : -1;

	if (imposed >= 0)
		ioprio_format(buf, WORD, imposed);
	else if (f->io && f->io->group_policy[0])
		snprintf(buf, WORD, "it says");
}

static void word_aging(char *buf, const struct facts *f)
{
	if (io_of(f)->aging_ms.known)
		units_format_ns(buf, WORD, (uint64_t)(io_of(f)->aging_ms.value * 1e6));
}

static void word_depth(char *buf, const struct facts *f)
{
	number(buf, io_of(f)->depth);
}

static void word_tags(char *buf, const struct facts *f)
{
	number(buf, io_of(f)->tags);
}

static void word_cpu_wait(char *buf, const struct facts *f)
{
	percent(buf, io_of(f)->cpu_wait);
}

static const struct word {
	const char *name, *general;
	word_fn figure;
} words[] = {
	{"asked", "the priority", word_asked},
	{"askedvalue", "N", word_asked_value},
	{"actual", "M", word_actual},
	{"effective", "be/L", word_effective},
	{"errno", "errno", word_errno},
	{"comm", "the process", word_comm},
	{"nice", "N", word_nice},
	{"policy", "FIFO or RR", word_policy},
	{"threads", "n", word_threads},
	{"reached", "k", word_reached},
	{"cpus", "LIST", word_cpus},
	{"elsewhere", "n", word_elsewhere},
	{"reachedcpu", "", word_reached_cpu},
	{"children", "some", word_children},
	{"launcher", "M", word_launcher},
	{"rlimit", "L", word_rlimit},
	{"needs", "20 - N", word_needs},
	{"owner", "raise the nice, not lower it", word_owner},
	{"renicer", "", word_renicer},
	{"scx", "sched_ext", word_scx},
	{"steal", "p %", word_steal},
	{"cgroup", "PATH", word_cgroup},
	{"quotapath", "PATH", word_quota_path},
	{"quota", "q", word_quota},
	{"throttled", "p %", word_throttled},
	{"weightfile", "cpu.weight or cpu.shares", word_weight_file},
	{"weight", "w", word_weight},
	{"probably", "probably: ", word_probably},
	{"session", "number", word_session},
	{"sessionnice", "0 if nobody set it", word_session_nice},
	{"run", "p %", word_run},
	{"wait", "p %", word_wait},
	{"rivals", "n", word_rivals},
	{"reachable", "k", word_reachable},
	{"realtime", "some", word_realtime},
	{"step", "1 or 2", word_step},
	{"measured", "x %", word_measured},
	{"predicted", "y %", word_predicted},
	{"seconds", "some", word_seconds},
	{"outside", "p %", word_outside},
	{"slice", "t", word_slice},
	{"device", "the device", word_device},
	{"below", "the one below", word_device},
	{"nothingbelow", "", word_nothing_below},
	{"top", "the top device", word_top},
	{"elevator", "NAME", word_elevator},
	{"topelevator", "the elevator none", word_top_elevator},
	{"filesystem", "the file system", word_filesystem},
	{"memory", "tmpfs", word_filesystem},
	{"network", "a network file system", word_filesystem},
	{"iopolicy", "CLASS", word_io_policy},
	{"imposed", "rt/4, be/0 or idle", word_imposed},
	{"aging", "10 s", word_aging},
	{"depth", "d", word_depth},
	{"tags", "t", word_tags},
	{"cpuwait", "p %", word_cpu_wait},
};

/* The word of this name of len bytes; NULL: there is none. */
static const struct word *find_word(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i].name) == len && memcmp(words[i].name, name, len) == 0)
			return &words[i];
	return NULL;
}

/* Where it does not fit it ends before the character that has no room, and nothing comes after. */
static void append(char *buf, size_t size, size_t *used, const char *text, size_t len)
{
	size_t room = size - 1 - *used, put = len < room ? len : room;

	while (put < len && put > 0 && ((unsigned char)text[put] & 0xc0) == 0x80)
		put--;
	memcpy(buf + *used, text, put);
	buf[*used + put] = '\0';
	*used = put < len ? size - 1 : *used + put;
}

static void append_word(char *buf, size_t size, size_t *used, const struct word *w, const struct facts *f)
{
	char figure[WORD] = "";

	if (f)
		w->figure(figure, f);
	if (strcmp(figure, " ") == 0) /* known to be nothing */
		return;
	append(buf, size, used, figure[0] ? figure : w->general, strlen(figure[0] ? figure : w->general));
}

char *rules_words(char *buf, size_t size, const char *text, const struct facts *f)
{
	size_t used = 0;

	buf[0] = '\0';
	while (*text) {
		size_t plain = strcspn(text, "{");
		append(buf, size, &used, text, plain);
		text += plain;
		if (!*text)
			break;
		size_t len = strcspn(text + 1, "}");
		const struct word *w = find_word(text + 1, len);
		if (w)
			append_word(buf, size, &used, w, f);
		else
			append(buf, size, &used, text, len + 2);
		text += len + 2;
	}
	return buf;
}
