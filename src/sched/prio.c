/* Priority values as text and back. */
#include "sched/prio.h"
#include "base/units.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define LEVELS 8
#define LEVEL_DEFAULT 4

static const struct io_class {
	const char *name, *long_name, *digit;
	int io_class;
	bool has_level;
} io_classes[] = {
	{"none", "none", "0", IOCLASS_NONE, false},
	{"rt", "realtime", "1", IOCLASS_RT, true},
	{"be", "best-effort", "2", IOCLASS_BE, true},
	{"idle", "idle", "3", IOCLASS_IDLE, false},
};

#define IO_CLASSES (sizeof(io_classes) / sizeof(io_classes[0]))

int ioprio_pack(struct ioprio p)
{
	return p.io_class << 13 | p.hint << 3 | p.level;
}

struct ioprio ioprio_unpack(int raw)
{
	return (struct ioprio){.io_class = raw >> 13 & 7, .hint = raw >> 3 & 0x3ff, .level = raw & 7};
}

char *ioprio_format(char *buf, size_t size, int raw)
{
	struct ioprio p = ioprio_unpack(raw);

	if ((size_t)p.io_class >= IO_CLASSES)
		snprintf(buf, size, "class-%d/%d", p.io_class, p.level);
	else if (io_classes[p.io_class].has_level)
		snprintf(buf, size, "%s/%d", io_classes[p.io_class].name, p.level);
	else
		snprintf(buf, size, "%s", io_classes[p.io_class].name);
	return buf;
}

static const struct io_class *class_named(const char *text, size_t len)
{
	for (size_t i = 0; i < IO_CLASSES; i++) {
		const char *const names[] = {io_classes[i].name, io_classes[i].long_name,
					     io_classes[i].digit};
		for (size_t k = 0; k < 3; k++)
			if (strlen(names[k]) == len && strncasecmp(names[k], text, len) == 0)
				return &io_classes[i];
	}
	return NULL;
}

int ioprio_parse(const char *text, int *raw)
{
	size_t len = strcspn(text, ":/");
	const struct io_class *c = class_named(text, len);
	long level = LEVEL_DEFAULT;

	if (!c)
		return -EINVAL;
	if (text[len]) {
		int rc = units_parse_long(text + len + 1, 0, LEVELS - 1, &level);
		if (rc < 0)
			return rc;
		if (!c->has_level)
			return -ERANGE;
	}
	*raw = ioprio_pack((struct ioprio){.io_class = c->io_class, .level = c->has_level ? (int)level : 0});
	return 0;
}

int ioprio_effective(int raw, int nice, int policy)
{
	struct ioprio p = ioprio_unpack(raw);

	if (p.io_class != IOCLASS_NONE)
		return raw;
	p.level = (nice + 20) / 5;
	p.io_class = IOCLASS_BE;
	if (policy == SCHED_IDLE)
		p = (struct ioprio){.io_class = IOCLASS_IDLE, .level = LEVEL_DEFAULT};
	else if (policy == SCHED_FIFO || policy == SCHED_RR || policy == 6 /* SCHED_DEADLINE */)
		p = (struct ioprio){.io_class = IOCLASS_RT, .level = LEVEL_DEFAULT};
	return ioprio_pack(p);
}

bool ioprio_same(int wanted, int actual, int nice, int policy)
{
	struct ioprio w = ioprio_unpack(wanted), a = ioprio_unpack(actual);

	if (w.io_class == IOCLASS_NONE)
		return a.io_class == IOCLASS_NONE || actual == ioprio_effective(0, nice, policy) ||
		       actual == ioprio_pack((struct ioprio){.io_class = IOCLASS_BE, .level = LEVEL_DEFAULT});
	if (w.io_class == IOCLASS_IDLE)
		return a.io_class == IOCLASS_IDLE;
	return wanted == actual;
}

int ioprio_choice(int index)
{
	struct ioprio p = {0};

	if (index >= 1 && index <= LEVELS)
		p = (struct ioprio){.io_class = IOCLASS_RT, .level = index - 1};
	else if (index > LEVELS && index <= 2 * LEVELS)
		p = (struct ioprio){.io_class = IOCLASS_BE, .level = index - LEVELS - 1};
	else if (index > 2 * LEVELS)
		p = (struct ioprio){.io_class = IOCLASS_IDLE};
	return ioprio_pack(p);
}

int ioprio_choice_index(int raw)
{
	for (int i = 0; i < IOPRIO_CHOICES; i++)
		if (ioprio_choice(i) == raw)
			return i;
	return -1;
}

char *policy_format(char *buf, size_t size, int policy)
{
	static const char *const names[] = {"OTHER", "FIFO", "RR", "BATCH", NULL, "IDLE", "DEADLINE", "EXT"};

	if (policy >= 0 && (size_t)policy < sizeof(names) / sizeof(names[0]) && names[policy])
		snprintf(buf, size, "%s", names[policy]);
	else
		snprintf(buf, size, "policy-%d", policy);
	return buf;
}
