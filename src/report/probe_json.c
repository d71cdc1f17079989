/* The report of a probe as JSON. What is not known is null; text from outside is cleaned, since jansson takes valid UTF-8 only. */
#include "report/probe.h"
#include "base/text.h"

#include <jansson.h>
#include <string.h>

static json_t *text_of(const char *s)
{
	char clean[PROBE_TEXT];

	text_clean(clean, sizeof(clean), s, strlen(s));
	return json_string(clean);
}

static json_t *text_or_null(const char *s)
{
	return s[0] ? text_of(s) : json_null();
}

static json_t *tri_of_json(enum tri t)
{
	return t == TRI_UNKNOWN ? json_null() : json_boolean(t == TRI_YES);
}

static json_t *number_of(struct known_number n)
{
	if (!n.known)
		return json_null();
	return n.value == (double)(json_int_t)n.value ? json_integer((json_int_t)n.value)
						      : json_real(n.value);
}

static json_t *errno_of(const struct tryout_result *r)
{
	const char *name = r->tried && r->error ? strerrorname_np(r->error) : NULL;

	if (!r->tried || !r->error)
		return json_null();
	return name ? json_string(name) : json_integer(r->error);
}

static json_t *code_of(int rule)
{
	return rule < 0 ? json_null() : json_string(verdict_info((unsigned)rule)->code);
}

static json_t *value_of(enum facts_what what, int value)
{
	char text[32];

	if (what == WHAT_NICE)
		return json_integer(value);
	return json_string(what == WHAT_IOPRIO ? ioprio_format(text, sizeof(text), value)
					       : policy_format(text, sizeof(text), value));
}

static json_t *actual_of(enum facts_what what, const struct tryout_result *r)
{
	return r->tried && r->read ? value_of(what, r->actual) : json_null();
}

/* {NAME: value, tried, errno, actual, code}; without a name for a way back. */
static json_t *result_of(const char *name, enum facts_what what, int value, const struct tryout_result *r,
			 int rule)
{
	json_t *o = json_object();

	if (name)
		json_object_set_new(o, name, value_of(what, value));
	json_object_set_new(o, "tried", json_boolean(r->tried));
	json_object_set_new(o, "errno", errno_of(r));
	json_object_set_new(o, "actual", actual_of(what, r));
	json_object_set_new(o, "code", code_of(rule));
	return o;
}

static json_t *nices_of(const struct probe *p, const struct probe_judged *j)
{
	json_t *a = json_array();

	for (int i = 0; i < NICE_COUNT; i++) {
		const struct tryout *t = &p->tryout;
		json_t *o = result_of("nice", WHAT_NICE, i + NICE_MIN, &t->set[i], j->set[i]);
		json_object_set_new(o, "back", result_of(NULL, WHAT_NICE, 0, &t->back[i], j->back[i]));
		json_array_append_new(a, o);
	}
	return a;
}

static json_t *ioprios_of(const struct probe *p, const struct probe_judged *j)
{
	json_t *a = json_array();

	for (int i = 0; i < IOPRIO_CHOICES; i++)
		json_array_append_new(a, result_of("ioprio", WHAT_IOPRIO, ioprio_choice(i),
						   &p->tryout.ioprio[i], j->ioprio[i]));
	return a;
}

static json_t *policies_of(const struct probe *p, const struct probe_judged *j)
{
	json_t *a = json_array();

	for (unsigned i = 0; i < TRYOUT_POLICIES; i++) {
		const struct tryout_policy *t = &p->tryout.policies[i];
		json_t *o =
			result_of("policy", WHAT_POLICY, tryout_policy_number(i), &t->set, j->policy_set[i]);
		json_object_set_new(o, "back", result_of(NULL, WHAT_POLICY, 0, &t->back, j->policy_back[i]));
		json_array_append_new(a, o);
	}
	return a;
}

static json_t *findings_of(const struct probe_findings *l)
{
	static const char *const whats[] = {"nice", "ioprio", "policy", "autogroup"};
	json_t *a = json_array();

	for (unsigned i = 0; i < l->count; i++) {
		const struct probe_finding *f = &l->at[i];
		const struct verdict_info *info = verdict_info(f->rule);
		json_t *o = json_object();
		json_object_set_new(o, "code", json_string(info->code));
		json_object_set_new(o, "status", json_string(status_word(info->status)));
		json_object_set_new(o, "subject", json_string(whats[f->what]));
		json_object_set_new(o, "text", text_of(f->why));
		json_object_set_new(o, "remedy", text_of(f->remedy));
		json_object_set_new(o, "reference", json_string(info->reference));
		json_array_append_new(a, o);
	}
	return a;
}

static json_t *rights_of(const struct probe *p)
{
	json_t *o = json_object();

	json_object_set_new(o, "uid", json_integer(p->rights.euid));
	json_object_set_new(o, "sys_nice", tri_of_json(p->rights.sys_nice));
	json_object_set_new(o, "sys_admin", tri_of_json(p->rights.sys_admin));
	json_object_set_new(o, "init_userns", tri_of_json(p->rights.init_userns));
	json_object_set_new(o, "seccomp", tri_of_json(p->rights.seccomp));
	json_object_set_new(o, "rlimit_nice", number_of(p->self.rlimit_nice));
	return o;
}

static json_t *cgroup_of(const struct probe *p)
{
	const struct cgroup_reading *g = &p->group;
	json_t *o = json_object();

	if (!p->group_known) {
		json_decref(o);
		return json_null();
	}
	json_object_set_new(o, "version", json_integer(p->place.version));
	json_object_set_new(o, "path", text_of(p->place.path));
	json_object_set_new(o, "below_root", json_boolean(p->place.below_root));
	json_object_set_new(o, "weight", number_of(g->raw_weight));
	json_object_set_new(o, "idle", tri_of_json(g->idle));
	json_object_set_new(o, "quota_cpus", number_of(g->quota));
	json_object_set_new(o, "quota_path", g->quota.known ? text_of(g->quota_path) : json_null());
	json_object_set_new(o, "periods",
			    g->throttle_known ? json_integer((json_int_t)g->periods) : json_null());
	json_object_set_new(o, "throttled",
			    g->throttle_known ? json_integer((json_int_t)g->throttled) : json_null());
	json_object_set_new(o, "rt_refused", tri_of_json(g->rt_refused));
	return o;
}

static json_t *host_of(const struct probe *p, const struct probe_judged *j)
{
	json_t *o = json_object();
	int floor;

	json_object_set_new(o, "kernel", text_or_null(p->host.kernel));
	json_object_set_new(o, "cpus", json_integer(cpulist_count(&p->host.cpus)));
	json_object_set_new(o, "autogroup", tri_of_json(p->system.autogroup));
	json_object_set_new(o, "sched_ext", tri_of_json(p->system.sched_ext));
	json_object_set_new(o, "sched_ext_name", text_or_null(p->system.sched_ext_name));
	json_object_set_new(o, "hidepid",
			    p->system.hidepid < 0 ? json_null() : json_integer(p->system.hidepid));
	json_object_set_new(o, "foreign_pidns", tri_of_json(p->system.foreign_pidns));
	json_object_set_new(o, "nice_floor", probe_nice_floor(j, &floor) ? json_integer(floor) : json_null());
	json_object_set_new(o, "cgroup", cgroup_of(p));
	return o;
}

static json_t *honours_of(const struct block_level *l)
{
	return l->honours == BLOCK_HONOURS_UNKNOWN ? json_null()
						   : json_string(block_honours_word(l->honours));
}

/* All on the way down. */
static json_t *levels_of(const struct block_reading *b)
{
	json_t *a = json_array();

	for (size_t i = 0; i < b->nlevels; i++) {
		json_t *o = json_object();
		json_object_set_new(o, "name", text_or_null(b->levels[i].name));
		json_object_set_new(o, "elevator", text_or_null(b->levels[i].elevator));
		json_object_set_new(o, "honours", honours_of(&b->levels[i]));
		json_array_append_new(a, o);
	}
	return a;
}

/* The device is the one that decides. */
static json_t *dir_of(const struct probe *p)
{
	static const struct block_level nothing;
	const struct block_reading *b = &p->block;
	const struct block_level *l = b->nlevels ? &b->levels[b->counts] : &nothing;
	bool aligned = p->where.direct == TRI_YES;
	json_t *o = json_object();

	json_object_set_new(o, "path", text_of(p->dir));
	json_object_set_new(o, "filesystem", text_or_null(b->filesystem));
	json_object_set_new(o, "device", text_or_null(l->name));
	json_object_set_new(o, "partition", text_or_null(l->partition));
	json_object_set_new(o, "stacked", l == &nothing ? json_null() : json_boolean(l->kind != BLOCK_DISK));
	json_object_set_new(o, "elevator", text_or_null(l->elevator));
	json_object_set_new(o, "queue",
			    l->queue == BLOCK_QUEUE_UNREAD ? json_null()
							   : json_boolean(l->queue == BLOCK_QUEUE_READ));
	json_object_set_new(o, "honours", honours_of(l));
	json_object_set_new(o, "sure", b->nlevels ? json_boolean(b->sure) : json_null());
	json_object_set_new(o, "levels", levels_of(b));
	json_object_set_new(o, "direct", tri_of_json(p->where.direct));
	json_object_set_new(o, "direct_memory_align",
			    aligned ? json_integer(p->where.memory_align) : json_null());
	json_object_set_new(o, "direct_offset_align",
			    aligned ? json_integer(p->where.offset_align) : json_null());
	return o;
}

/* What could not be tried to its end, and the errno of it. */
static json_t *failures_of(const struct probe *p)
{
	json_t *a = json_array();
	char name[16];

	for (unsigned f = 0; f < TRYOUT_FAMILIES; f++) {
		json_t *o;
		const char *errno_name = strerrorname_np(-p->failed[f]);
		if (!p->failed[f])
			continue;
		o = json_object();
		json_object_set_new(
			o, "family",
			json_string(f == TRYOUT_NICE ? "nice"
				    : f == TRYOUT_IOPRIO
					    ? "ioprio"
					    : policy_format(name, sizeof(name),
							    tryout_policy_number(f - TRYOUT_POLICY))));
		json_object_set_new(o, "errno", errno_name ? json_string(errno_name) : json_null());
		json_array_append_new(a, o);
	}
	return a;
}

char *probe_json(const struct probe *p, const struct probe_judged *j)
{
	json_t *root = json_object();
	char *text;

	json_object_set_new(root, "schema", json_string("nicelab.probe/1"));
	json_object_set_new(root, "version", json_string(NICELAB_VERSION));
	json_object_set_new(root, "rights", rights_of(p));
	json_object_set_new(root, "own_nice", json_integer(p->tryout.own_nice));
	json_object_set_new(root, "nice", nices_of(p, j));
	json_object_set_new(root, "ioprio", ioprios_of(p, j));
	json_object_set_new(root, "policies", policies_of(p, j));
	json_object_set_new(root, "refusals", findings_of(&j->refusals));
	json_object_set_new(root, "failures", failures_of(p));
	json_object_set_new(root, "host", host_of(p, j));
	json_object_set_new(root, "dir", dir_of(p));
	json_object_set_new(root, "moot", findings_of(&j->moot));
	text = json_dumps(root, JSON_INDENT(2));
	json_decref(root);
	return text;
}
