/* Hog kind "cpu": a busy loop that wants a whole CPU, always. */
#include "load/kind.h"

void load_spin(struct arena *arena, struct arena_victim *v)
{
	volatile unsigned turns = 0;

	(void)arena;
	(void)v;
	for (;;)
		turns++;
}
