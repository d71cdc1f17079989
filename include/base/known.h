/* Values that may not be known: an unknown is never a 0. All zero is unknown. */
#ifndef NICELAB_BASE_KNOWN_H
#define NICELAB_BASE_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

enum tri { TRI_UNKNOWN, TRI_NO, TRI_YES };

struct known_ns {
	bool known;
	uint64_t ns;
};

struct known_number {
	bool known;
	double value;
};

static inline enum tri tri_of(bool yes)
{
	return yes ? TRI_YES : TRI_NO;
}

static inline struct known_number known(double value)
{
	return (struct known_number){true, value};
}

#endif
