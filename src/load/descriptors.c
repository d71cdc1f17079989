/* Closing what was inherited: a process that is meant to live on must not hold somebody else's pipe open. */
#include "load/descriptors.h"

#include <stdlib.h>
#include <unistd.h>

static int by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

void descriptors_keep(const int *kept, size_t n)
{
	int sorted[DESCRIPTORS_MAX] = {0}, from = 3;

	for (size_t i = 0; i < n; i++)
		sorted[i] = kept[i];
	qsort(sorted, n, sizeof(sorted[0]), by_number);
	for (size_t i = 0; i < n; i++) {
		if (sorted[i] > from)
			close_range((unsigned)from, (unsigned)sorted[i] - 1, 0);
		if (sorted[i] >= from)
			from = sorted[i] + 1;
	}
	close_range((unsigned)from, ~0U, 0);
}
