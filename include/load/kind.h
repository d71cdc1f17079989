/* The kinds of load, one table: a new kind is one line here and one function in a file of its own. */
#ifndef NICELAB_LOAD_KIND_H
#define NICELAB_LOAD_KIND_H

#include "load/arena.h"

#include <stdbool.h>

/* What a load is given. */
struct load {
	struct arena *arena;
	struct arena_victim *victim; /* NULL for hogs */
	struct arena_worker *worker; /* what it says of itself */
	unsigned
		threads; /* of a hog process, 1 to ARENA_THREADS: the queue depth of kinds that do I/O. Victims: see victim */
	int dir; /* open directory for files; -1: there is none */
	const char *
		tree; /* name within dir for a directory of its own, that the stage removes after its death */
};

/* Runs in the worker process, in its main thread, until it is killed; it never returns but to end the worker. */
typedef void (*load_fn)(const struct load *l);

/* What a kind does on a disk. */
enum load_io {
	IO_READS = 1,
	IO_WRITES = 2,
	IO_DIRECT = 4, /* O_DIRECT: past the page cache */
	IO_TREE = 8, /* in a directory tree of its own */
};

/* X(identifier, option value, what the screen says, is a victim, enum load_io or 0, function) */
#define LOAD_KINDS(X)                                                                                \
	X(LOAD_SPIN, "cpu", "busy loop", false, 0, load_spin)                                        \
	X(LOAD_WRITE_HOG, "write", "O_DIRECT write", false, IO_WRITES | IO_DIRECT, load_write)       \
	X(LOAD_READ_HOG, "read", "O_DIRECT read", false, IO_READS | IO_DIRECT, load_read)            \
	X(LOAD_BUFREAD_HOG, "bufread", "cached read", false, IO_READS, load_bufread)                 \
	X(LOAD_BUFWRITE_HOG, "bufwrite", "buffered write", false, IO_WRITES, load_bufwrite)          \
	X(LOAD_TREE_HOG, "tree", "cold tree walk", false, IO_READS | IO_DIRECT | IO_TREE, load_tree) \
	X(LOAD_WORK, "work", "fixed work", true, 0, load_work)                                       \
	X(LOAD_READ, "read", "O_DIRECT read", true, IO_READS | IO_DIRECT, load_read)                 \
	X(LOAD_WRITE, "write", "O_DIRECT write", true, IO_WRITES | IO_DIRECT, load_write)            \
	X(LOAD_BUFREAD, "bufread", "cached read", true, IO_READS, load_bufread)                      \
	X(LOAD_TREE, "tree", "cold tree walk", true, IO_READS | IO_DIRECT | IO_TREE, load_tree)

enum load_kind {
#define X(id, name, words, victim, io, fn) id,
	LOAD_KINDS(X)
#undef X
		LOAD_KIND_COUNT
};

struct load_kind_info {
	const char *name; /* of the option */
	const char *words; /* on the screen */
	bool is_victim;
	unsigned io; /* enum load_io; 0: it reads and writes no files */
	load_fn run;
};

const struct load_kind_info *load_kind(enum load_kind kind);

/* The kind of this name among the hogs or the victims, or -1. */
int load_kind_named(const char *name, bool is_victim);

/* The names of all hogs or victims, as "cpu, write or read". Returns buf. */
char *load_kind_names(char *buf, size_t size, bool is_victim);

/* What one sample of a victim is: "piece of work", "block", "file", "walk". */
const char *load_sample_word(enum load_kind kind, bool per_file);

/* Bytes that one worker of the kind keeps on the disk. */
uint64_t load_footprint(enum load_kind kind, uint64_t file_size, uint64_t tree_size);

void load_spin(const struct load *l);
void load_work(const struct load *l);
void load_read(const struct load *l); /* victim or hog, as l->victim says; so below */
void load_write(const struct load *l);
void load_bufread(const struct load *l);
void load_bufwrite(const struct load *l);
void load_tree(const struct load *l);

/* Measures how many rounds of the work loop one millisecond of CPU time holds and stores it in arena->rate.
 * Takes about 40 ms; counted in CPU time, so that a busy machine does not slow the unit. */
void load_work_calibrate(struct arena *arena);

#endif
