/* The report of `nicelab probe` from made-up readings: text for people, and JSON read back with jansson. */
#include "level.h"
#include "report/probe.h"
#include "test.h"

#include <errno.h>
#include <jansson.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/sysmacros.h>

/* A host on which everything may be set and nothing makes it moot. */
static void all_allowed(struct probe *p)
{
	struct tryout *t = &p->tryout;

	memset(p, 0, sizeof(*p));
	for (int i = 0; i < NICE_COUNT; i++)
		t->set[i] = t->back[i] = (struct tryout_result){true, 0, true, i + NICE_MIN};
	for (int i = 0; i < IOPRIO_CHOICES; i++)
		t->ioprio[i] = (struct tryout_result){true, 0, true, ioprio_choice(i)};
	for (unsigned i = 0; i < TRYOUT_POLICIES; i++) {
		t->policies[i].set = (struct tryout_result){true, 0, true, tryout_policy_number(i)};
		t->policies[i].back = (struct tryout_result){true, 0, true, SCHED_OTHER};
	}
	snprintf(p->host.kernel, sizeof(p->host.kernel), "6.18.0");
	cpulist_set(&p->host.cpus, 0);
	cpulist_set(&p->host.cpus, 1);
	p->rights = (struct system_rights){0, TRI_YES, TRI_YES, TRI_YES, TRI_NO};
	p->system =
		(struct system_reading){.autogroup = TRI_NO, .sched_ext = TRI_NO, .foreign_pidns = TRI_NO};
	p->self = (struct surround){.has_autogroup = TRI_NO, .rlimit_nice = known(0)};
	p->group_known = true;
	p->place = (struct cgroup_place){.version = 2, .path = "/"};
	snprintf(p->dir, sizeof(p->dir), "/var/tmp");
	p->where = (struct block_place){
		.dev = makedev(8, 1), .direct = TRI_YES, .memory_align = 4, .offset_align = 512};
	p->block = (struct block_reading){.filesystem = "ext4", .sure = true};
	strcpy(level_add(&p->block, 0, "sda", "bfq", BLOCK_HONOURS_LEVEL)->partition, "sda1");
}

static void refuse(struct tryout_result *r, int error, int actual)
{
	*r = (struct tryout_result){true, error, true, actual};
}

/* What a user without rights meets: down is refused, also the way back, class rt and real time are, and IDLE is not left again. */
static void refuse_as_kernel(struct probe *p)
{
	struct tryout *t = &p->tryout;

	for (int nice = NICE_MIN; nice < NICE_MAX; nice++)
		refuse(&t->back[nice - NICE_MIN], EACCES, NICE_MAX);
	for (int nice = NICE_MIN; nice < 0; nice++)
		refuse(&t->set[nice - NICE_MIN], EACCES, NICE_MAX);
	for (int i = 1; i <= 8; i++)
		refuse(&t->ioprio[i], EPERM, 0);
	for (unsigned i = 3; i < TRYOUT_POLICIES; i++) {
		refuse(&t->policies[i].set, EPERM, SCHED_OTHER);
		t->policies[i].back = (struct tryout_result){0};
	}
	refuse(&t->policies[2].back, EPERM, SCHED_IDLE);
}

static void unprivileged(struct probe *p)
{
	all_allowed(p);
	refuse_as_kernel(p);
	p->rights = (struct system_rights){1000, TRI_NO, TRI_NO, TRI_YES, TRI_NO};
}

/* The report, with its line breaks made blanks so that they do not matter; to be freed. */
static char *print(const struct probe *p, unsigned width)
{
	struct probe_judged *j = malloc(sizeof(*j));
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	probe_judge(p, j);
	probe_print(out, p, j, width);
	fclose(out);
	free(j);
	return text;
}

static void assert_says(const struct probe *p, const char *what)
{
	char *text = print(p, 1000);

	if (!strstr(text, what))
		fail_msg("'%s' is not in:\n%s", what, text);
	free(text);
}

static void assert_silent(const struct probe *p, const char *what)
{
	char *text = print(p, 1000);

	if (strstr(text, what))
		fail_msg("'%s' is in:\n%s", what, text);
	free(text);
}

static json_t *parse(const struct probe *p)
{
	struct probe_judged *j = malloc(sizeof(*j));
	json_error_t error;
	json_t *root;
	char *text;

	probe_judge(p, j);
	text = probe_json(p, j);
	assert_non_null(text);
	root = json_loads(text, 0, &error);
	if (!root)
		fail_msg("%s: %s", error.text, text);
	free(text);
	free(j);
	return root;
}

static const char *string_at(const json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

static bool has_code(const json_t *list, const char *code)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (strcmp(string_at(json_array_get(list, i), "code"), code) == 0)
			return true;
	return false;
}

static void who_may_do_all_is_told_so(void **state)
{
	struct probe p;

	(void)state;
	all_allowed(&p);
	assert_says(&p, "as user 0 (root)\n");
	assert_says(&p, "nice    -20 to 19 may be set, and taken back\n");
	assert_says(&p, "ionice  none, rt/0-7, be/0-7, idle may be set\n");
	assert_says(&p, "policy  OTHER, BATCH, IDLE, FIFO, RR, DEADLINE may be set, and left again\n");
	assert_says(&p,
		    "/var/tmp: ext4 on sda1 of sda, elevator bfq (uses class and level); O_DIRECT is real");
	assert_says(&p, "would make a priority moot, and what to do:\n  nothing found\n");
	assert_silent(&p, "refused");
}

static void an_ordinary_user_is_told_the_rule(void **state)
{
	struct probe p;

	(void)state;
	unprivileged(&p);
	assert_says(&p, "nice    0 to 19 may be set; -20 to -1 refused; coming back below 19 is refused "
			"[denied-eacces]\n");
	assert_says(&p, "ionice  none, be/0-7, idle may be set; rt/0-7 refused [ioprio-rt-denied]\n");
	assert_says(&p, "OTHER, BATCH may be set, and left again; IDLE may be set, and then not left again "
			"[policy-one-way]; FIFO, RR, DEADLINE refused [policy-rt-denied]\n");
	assert_says(&p, "denied-eacces (DENIED)\n      nice 0 refused (EACCES: permission denied)");
	assert_says(&p, "RLIMIT_NICE is 0: no nice may be lowered");
}

/* With a limit of 25 nice -5 is allowed, and what is below is the limit's fault. */
static void a_limit_is_told_with_what_it_allows(void **state)
{
	struct probe p;

	(void)state;
	unprivileged(&p);
	p.self.rlimit_nice = known(25);
	for (int nice = -5; nice < NICE_MAX; nice++) {
		p.tryout.back[nice - NICE_MIN] = (struct tryout_result){true, 0, true, nice};
		p.tryout.set[nice - NICE_MIN] = p.tryout.back[nice - NICE_MIN];
	}
	assert_says(&p, "nice    -5 to 19 may be set, and taken back; -20 to -6 refused [rlimit-nice]\n");
	assert_says(&p, "nice -6 refused: RLIMIT_NICE of the process is 25, nice -6 needs 26");
	assert_says(&p, "RLIMIT_NICE is 25: nice may be lowered down to -5");
}

static void containers_are_told_which_kind_they_are(void **state)
{
	struct probe p;

	(void)state;
	unprivileged(&p);
	p.rights = (struct system_rights){0, TRI_NO, TRI_NO, TRI_YES, TRI_YES};
	assert_says(&p, "[denied-capability]");
	assert_says(&p, "--cap-add SYS_NICE");
	assert_says(&p, "a seccomp filter is on this process");
	p.rights = (struct system_rights){0, TRI_YES, TRI_YES, TRI_NO, TRI_NO};
	assert_says(&p, "[denied-userns]");
	assert_says(&p, "CAP_SYS_NICE (of a user namespace, where it does not count)");
	/* An ordinary user there is refused by the usual rule, and root would be too. */
	p.rights.sys_nice = TRI_NO;
	p.rights.euid = 1000;
	assert_says(&p, "[denied-eacces]");
	assert_says(&p, "denied-userns (DENIED)");
}

static void a_filter_is_blamed_where_the_right_is_there(void **state)
{
	struct probe p;

	(void)state;
	all_allowed(&p);
	p.rights.seccomp = TRI_YES;
	for (int i = 0; i < NICE_COUNT; i++) {
		refuse(&p.tryout.set[i], EPERM, 0);
		refuse(&p.tryout.back[i], EPERM, 0);
	}
	assert_says(&p, "nice    none may be set; -20 to 19 refused [denied-seccomp]\n");
}

static void what_could_not_be_tried_is_unknown(void **state)
{
	struct probe p;
	json_t *root;

	(void)state;
	all_allowed(&p);
	p.failed[TRYOUT_NICE] = -ECANCELED;
	memset(p.tryout.set, 0, sizeof(p.tryout.set));
	memset(p.tryout.back, 0, sizeof(p.tryout.back));
	memset(&p.tryout.policies[1], 0, sizeof(p.tryout.policies[1]));
	p.failed[TRYOUT_POLICY + 1] = -EAGAIN;
	assert_says(&p, "nice    could not be tried: the child was killed within the call");
	assert_says(&p, "BATCH could not be tried\n");
	root = parse(&p);
	json_t *first = json_array_get(json_object_get(root, "nice"), 0);
	assert_true(json_is_false(json_object_get(first, "tried")));
	assert_true(json_is_null(json_object_get(first, "errno")));
	assert_true(json_is_null(json_object_get(first, "actual")));
	assert_true(json_is_null(json_object_get(json_object_get(root, "host"), "nice_floor")));
	json_t *failure = json_array_get(json_object_get(root, "failures"), 1);
	assert_string_equal(string_at(failure, "family"), "BATCH");
	assert_string_equal(string_at(failure, "errno"), "EAGAIN");
	json_decref(root);
}

/* Root that may set FIFO but not DEADLINE lacks CPUs: no filter and no security module is to be blamed. */
static void deadline_wants_every_cpu(void **state)
{
	struct probe p;

	(void)state;
	all_allowed(&p);
	refuse(&p.tryout.policies[5].set, EPERM, SCHED_OTHER);
	assert_says(&p, "DEADLINE refused: it wants every CPU");
	assert_silent(&p, "denied-lsm");
}

static void sessions_and_groups_make_it_moot(void **state)
{
	struct probe p;

	(void)state;
	all_allowed(&p);
	p.system.autogroup = TRI_YES;
	p.self.has_autogroup = TRI_YES;
	p.self.autogroup = 42;
	assert_says(&p, "autogroup (MOOT)\n      nice 19 counts only within its own session: sessions share "
			"the CPUs evenly, "
			"whatever the nice inside (probably: autogroup 42, nice 0)");
	p.place = (struct cgroup_place){.version = 2, .below_root = true, .path = "/user.slice"};
	p.group.raw_weight = known(100);
	p.group.quota = known(0.5);
	snprintf(p.group.quota_path, sizeof(p.group.quota_path), "/user.slice");
	p.group.throttle_known = true;
	p.group.periods = 10;
	p.group.throttled = 5;
	assert_silent(&p, "autogroup (MOOT)");
	assert_says(&p, "cgroup-weight (MOOT)");
	assert_says(&p,
		    "cgroup-quota (MOOT)\n      cgroup /user.slice may use 0.5 CPUs and was throttled in 50");
	assert_says(&p,
		    "/user.slice (v2), cpu.weight 100, a quota of 0.5 CPUs (throttled in 5 of 10 periods)");
	p.group.idle = TRI_YES;
	assert_says(&p, "cgroup-idle (MOOT)");
	p.system.sched_ext = TRI_YES;
	snprintf(p.system.sched_ext_name, sizeof(p.system.sched_ext_name), "lavd");
	assert_says(&p, "sched-ext (IGNORED)\n      a BPF scheduler runs this machine (lavd)");
	p.system.hidepid = 2;
	assert_says(&p, "hidepid (UNKNOWN)");
	assert_silent(&p, "unreadable");
}

static void the_elevator_of_the_directory_is_judged(void **state)
{
	enum {
		UNKNOWN = BLOCK_HONOURS_UNKNOWN,
		NOTHING = BLOCK_HONOURS_NOTHING,
		CLASS = BLOCK_HONOURS_CLASS
	};
	static const struct {
		const char *filesystem, *device, *elevator;
		int honours;
		const char *says;
	} cases[] = {
		{"ext4", "nvme0n1", "none", NOTHING, "elevator-none (IGNORED)"},
		{"ext4", "sda", "kyber", NOTHING, "elevator-kyber (IGNORED)"},
		{"ext4", "sda", "mq-deadline", CLASS, "elevator-level-ignored (IGNORED)"},
		{"ext4", "sda", "adios", UNKNOWN, "elevator-unknown (UNKNOWN)"},
		{"ext4", "zram0", NULL, NOTHING, "no-device-queue (IGNORED)"},
		{"tmpfs", NULL, NULL, 0, "tmpfs-direct (MOOT)"},
		{"nfs4", NULL, NULL, 0, "network-filesystem (MOOT)"},
		{"fuse.sshfs", NULL, NULL, 0, "network-filesystem (MOOT)"},
		{"btrfs", NULL, NULL, 0, "io-by-workers (IGNORED)"},
		{"overlay", NULL, NULL, 0, "anonymous-device (UNKNOWN)"},
	};
	struct probe p;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		all_allowed(&p);
		p.block = (struct block_reading){.counts = -1, .sure = true};
		strcpy(p.block.filesystem, cases[i].filesystem);
		if (cases[i].device) {
			level_add(&p.block, 0, cases[i].device, cases[i].elevator,
				  (enum block_honours)cases[i].honours);
			p.block.counts = 0;
		}
		assert_says(&p, cases[i].says);
		assert_silent(&p, "nothing found");
	}
}

static void lines_fit(void **state)
{
	struct probe p;

	(void)state;
	unprivileged(&p);
	p.system.autogroup = p.self.has_autogroup = TRI_YES;
	for (unsigned width = 50; width <= 120; width += 7) {
		char *text = print(&p, width);
		for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
			if (strlen(line) > width && line[0] == ' ' && strncmp(line, "  denied", 8))
				fail_msg("over %u: %s", width, line);
		free(text);
	}
}

static void json_has_every_value(void **state)
{
	struct probe p;
	json_t *root, *nices, *low;

	(void)state;
	unprivileged(&p);
	root = parse(&p);
	nices = json_object_get(root, "nice");
	assert_string_equal(string_at(root, "schema"), "nicelab.probe/1");
	assert_int_equal(json_array_size(nices), NICE_COUNT);
	assert_int_equal(json_array_size(json_object_get(root, "ioprio")), IOPRIO_CHOICES);
	assert_int_equal(json_array_size(json_object_get(root, "policies")), TRYOUT_POLICIES);
	low = json_array_get(nices, 0);
	assert_int_equal(json_integer_value(json_object_get(low, "nice")), -20);
	assert_string_equal(string_at(low, "errno"), "EACCES");
	assert_int_equal(json_integer_value(json_object_get(low, "actual")), 19);
	assert_string_equal(string_at(low, "code"), "denied-eacces");
	low = json_array_get(nices, 20);
	assert_true(json_is_null(json_object_get(low, "errno")));
	assert_int_equal(json_integer_value(json_object_get(low, "actual")), 0);
	assert_string_equal(string_at(json_object_get(low, "back"), "errno"), "EACCES");
	low = json_array_get(json_object_get(root, "policies"), 2);
	assert_string_equal(string_at(low, "policy"), "IDLE");
	assert_string_equal(string_at(json_object_get(low, "back"), "actual"), "IDLE");
	assert_string_equal(string_at(json_object_get(low, "back"), "code"), "policy-one-way");
	assert_true(has_code(json_object_get(root, "refusals"), "policy-rt-denied"));
	low = json_object_get(root, "host");
	assert_int_equal(json_integer_value(json_object_get(low, "nice_floor")), 0);
	assert_true(json_is_false(json_object_get(low, "autogroup")));
	assert_string_equal(string_at(json_object_get(root, "dir"), "honours"), "class and level");
	json_decref(root);
}

static void json_knows_what_it_does_not_know(void **state)
{
	static const char *const host[] = {"autogroup", "sched_ext",	 "sched_ext_name",
					   "hidepid",	"foreign_pidns", "cgroup"};
	static const char *const dir[] = {"filesystem",
					  "device",
					  "partition",
					  "stacked",
					  "elevator",
					  "queue",
					  "honours",
					  "sure",
					  "direct",
					  "direct_memory_align",
					  "direct_offset_align"};
	static const char *const rights[] = {"sys_nice", "sys_admin", "init_userns", "seccomp",
					     "rlimit_nice"};
	struct probe p;
	json_t *root;

	(void)state;
	memset(&p, 0, sizeof(p));
	p.system.hidepid = -1;
	root = parse(&p);
	for (size_t i = 0; i < COUNT(host); i++)
		assert_true(json_is_null(json_object_get(json_object_get(root, "host"), host[i])));
	for (size_t i = 0; i < COUNT(dir); i++)
		assert_true(json_is_null(json_object_get(json_object_get(root, "dir"), dir[i])));
	assert_int_equal(json_array_size(json_object_get(json_object_get(root, "dir"), "levels")), 0);
	for (size_t i = 0; i < COUNT(rights); i++)
		assert_true(json_is_null(json_object_get(json_object_get(root, "rights"), rights[i])));
	json_decref(root);
}

static void text_from_outside_breaks_nothing(void **state)
{
	struct probe p;
	json_t *root;

	(void)state;
	all_allowed(&p);
	p.place = (struct cgroup_place){.version = 2, .below_root = true, .path = "/a\033[31m\xff\"\n"};
	snprintf(p.dir, sizeof(p.dir), "/tmp/\xc3(");
	root = parse(&p);
	assert_string_equal(string_at(json_object_get(json_object_get(root, "host"), "cgroup"), "path"),
			    "/a?[31m?\"?");
	assert_string_equal(string_at(json_object_get(root, "dir"), "path"), "/tmp/?(");
	assert_true(has_code(json_object_get(root, "moot"), "cgroup-weight"));
	json_decref(root);
	assert_silent(&p, "\033");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_may_do_all_is_told_so),
		cmocka_unit_test(an_ordinary_user_is_told_the_rule),
		cmocka_unit_test(a_limit_is_told_with_what_it_allows),
		cmocka_unit_test(containers_are_told_which_kind_they_are),
		cmocka_unit_test(a_filter_is_blamed_where_the_right_is_there),
		cmocka_unit_test(what_could_not_be_tried_is_unknown),
		cmocka_unit_test(deadline_wants_every_cpu),
		cmocka_unit_test(sessions_and_groups_make_it_moot),
		cmocka_unit_test(the_elevator_of_the_directory_is_judged),
		cmocka_unit_test(lines_fit),
		cmocka_unit_test(json_has_every_value),
		cmocka_unit_test(json_knows_what_it_does_not_know),
		cmocka_unit_test(text_from_outside_breaks_nothing),
	};

	return cmocka_run_group_tests_name("probe", tests, NULL, NULL);
}
