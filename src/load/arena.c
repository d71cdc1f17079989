/* Shared memory of dashboard and workers: a memfd, so that no crash can leave a file behind. */
#include "load/arena.h"

#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

struct arena *arena_new(void)
{
	int fd = memfd_create("nl-arena", MFD_CLOEXEC);
	void *p = MAP_FAILED;

	if (fd < 0)
		return NULL;
	if (ftruncate(fd, sizeof(struct arena)) == 0)
		p = mmap(NULL, sizeof(struct arena), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd); /* the mapping keeps it */
	return p == MAP_FAILED ? NULL : p;
}

void arena_free(struct arena *arena)
{
	if (arena)
		munmap(arena, sizeof(*arena));
}

void arena_victim_reset(struct arena_victim *v)
{
	atomic_store_explicit(&v->alive, 0, memory_order_relaxed);
	atomic_store_explicit(&v->refused, 0, memory_order_relaxed);
	for (unsigned i = 0; i < ARENA_THREADS; i++) {
		atomic_store_explicit(&v->thread[i].started_ns, 0, memory_order_relaxed);
		atomic_store_explicit(&v->thread[i].tid, 0, memory_order_relaxed);
	}
}
