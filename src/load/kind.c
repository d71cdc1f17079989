/* The table of the kinds of load. */
#include "load/kind.h"

#include <stdio.h>
#include <string.h>

static const struct load_kind_info kinds[LOAD_KIND_COUNT] = {
#define X(id, name, words, victim, io, fn) [id] = {name, words, victim, io, fn},
	LOAD_KINDS(X)
#undef X
};

const struct load_kind_info *load_kind(enum load_kind kind)
{
	return &kinds[kind];
}

int load_kind_named(const char *name, bool is_victim)
{
	for (int k = 0; k < LOAD_KIND_COUNT; k++)
		if (kinds[k].is_victim == is_victim && strcmp(kinds[k].name, name) == 0)
			return k;
	return -1;
}

/* The next kind of this side after k; -1 begins. LOAD_KIND_COUNT: there is none. */
static int kind_after(int k, bool is_victim)
{
	do
		k++;
	while (k < LOAD_KIND_COUNT && kinds[k].is_victim != is_victim);
	return k;
}

char *load_kind_names(char *buf, size_t size, bool is_victim)
{
	size_t len = 0;

	for (int k = kind_after(-1, is_victim), next; k < LOAD_KIND_COUNT && len < size; k = next) {
		const char *between = "";
		next = kind_after(k, is_victim);
		if (len)
			between = next < LOAD_KIND_COUNT ? ", " : " or ";
		len += (size_t)snprintf(buf + len, size - len, "%s%s", between, kinds[k].name);
	}
	return buf;
}

const char *load_sample_word(enum load_kind kind, bool per_file)
{
	unsigned io = kinds[kind].io;

	if (io == 0)
		return "piece of work";
	if (io & IO_TREE)
		return "walk";
	return per_file ? "file" : "block";
}

uint64_t load_footprint(enum load_kind kind, uint64_t file_size, uint64_t tree_size)
{
	unsigned io = kinds[kind].io;

	if (io == 0)
		return 0;
	return io & IO_TREE ? tree_size : file_size;
}
