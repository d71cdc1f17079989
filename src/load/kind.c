/* The table of the kinds of load. */
#include "load/kind.h"

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
