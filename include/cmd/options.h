/* The options of `nicelab live`, one table: a line yields parsing, --help and the man page's OPTIONS. */
#ifndef NICELAB_CMD_OPTIONS_H
#define NICELAB_CMD_OPTIONS_H

#include "lab/lab.h"
#include "ui/ui.h"

/* X(identifier, name, argument or "", target, knob, what it does)
 * target: whose knob it sets, or OPTION_OTHER for the special ones. */
#define LIVE_OPTIONS(X)                                                                                      \
	X(OPT_HOGS, "hogs", "N", TARGET_HOGS, KNOB_COUNT, "start N hogs (0 to 1024; default 3 a CPU)")       \
	X(OPT_HOG_KIND, "hog-kind", "KIND", TARGET_OTHER, 0,                                                 \
	  "kind of the hogs: cpu (a busy loop), write or read (O_DIRECT), bufread (from the page cache), "   \
	  "bufwrite (left to the flusher), tree (reads every file of a tree)")                               \
	X(OPT_HOG_THREADS, "hog-threads", "N", TARGET_HOGS, KNOB_THREADS,                                    \
	  "threads of each hog, on a disk its queue depth (1 to 64; default 1)")                             \
	X(OPT_HOG_NICE, "hog-nice", "N", TARGET_HOGS, KNOB_NICE_VALUE, "nice of the hogs (-20 to 19)")       \
	X(OPT_HOG_IONICE, "hog-ionice", "CLASS[:LEVEL]", TARGET_HOGS, KNOB_IONICE,                           \
	  "I/O priority of the hogs: none, rt, be or idle; level 0 to 7 (default 4)")                        \
	X(OPT_VICTIM_KIND, "victim-kind", "KIND", TARGET_OTHER, 0,                                           \
	  "kind of the victim: work (fixed pieces of work), read or write (O_DIRECT), bufread, tree")        \
	X(OPT_VICTIM_THREADS, "victim-threads", "N", TARGET_VICTIM, KNOB_THREADS,                            \
	  "threads of the victim, on a disk its queue depth (1 to 64; default 2, on a disk 1)")              \
	X(OPT_VICTIM_NICE, "victim-nice", "N", TARGET_VICTIM, KNOB_NICE_VALUE,                               \
	  "nice of the victim (-20 to 19)")                                                                  \
	X(OPT_VICTIM_IONICE, "victim-ionice", "CLASS[:LEVEL]", TARGET_VICTIM, KNOB_IONICE,                   \
	  "I/O priority of the victim")                                                                      \
	X(OPT_WORK, "work", "MS", TARGET_VICTIM, KNOB_WORK,                                                  \
	  "size of one piece of work, in ms alone at nice 0 (1 to 10000; default 10)")                       \
	X(OPT_SCOPE, "scope", "threads|process", TARGET_LAB, KNOB_SCOPE,                                     \
	  "send changes to every thread (default), or to the process's main thread only as renice does")     \
	X(OPT_SESSIONS, "sessions", "shared|own", TARGET_LAB, KNOB_SESSIONS,                                 \
	  "workers in one shared session (default), or each in its own: the autogroup trap")                 \
	X(OPT_CPUS, "cpus", "LIST", TARGET_OTHER, 0,                                                         \
	  "CPUs that the workers may use: all (default), one, apart (the victim has one of its own), or a "  \
	  "list as 0-1,3")                                                                                   \
	X(OPT_HOG_POLICY, "hog-policy", "POLICY", TARGET_HOGS, KNOB_POLICY,                                  \
	  "scheduling policy of the hogs: other (default), batch, idle")                                     \
	X(OPT_VICTIM_POLICY, "victim-policy", "POLICY", TARGET_VICTIM, KNOB_POLICY,                          \
	  "scheduling policy of the victim")                                                                 \
	X(OPT_AS_USER, "as-user", "NAME", TARGET_OTHER, 0,                                                   \
	  "started as root: run the workers and make all changes as this user; u goes back and forth "       \
	  "(default for u: nobody)")                                                                         \
	X(OPT_DIR, "dir", "DIR", TARGET_OTHER, 0,                                                            \
	  "where files are made (default $TMPDIR or /var/tmp, whichever is no memory)")                      \
	X(OPT_LOOP, "loop", "SIZE[:direct]", TARGET_OTHER, 0,                                                \
	  "make a file system of SIZE on a loop device of nicelab's own there, and use that; direct: with "  \
	  "direct I/O to the disk below")                                                                    \
	X(OPT_ELEVATOR, "elevator", "NAME", TARGET_OTHER, 0,                                                 \
	  "set the elevator of the device in use at the start; it is put back at the end")                   \
	X(OPT_FILE_SIZE, "file-size", "SIZE", TARGET_LAB, KNOB_FILE,                                         \
	  "file of each reading or writing worker (default 64M)")                                            \
	X(OPT_BLOCK, "block", "SIZE", TARGET_LAB, KNOB_BLOCK, "one read or write (512 to 64M; default 1M)")  \
	X(OPT_TREE_SIZE, "tree-size", "SIZE", TARGET_LAB, KNOB_TREE,                                         \
	  "directory tree of each worker of kind tree (default 256M)")                                       \
	X(OPT_SPACE, "space", "SIZE", TARGET_LAB, KNOB_SPACE,                                                \
	  "what all workers together may take on the disk (default 512M); twice that must be free")          \
	X(OPT_IO_SAMPLE, "io-sample", "block|file", TARGET_LAB, KNOB_IO_SAMPLE,                              \
	  "one sample is one block (default) or one whole file; of kind tree always one walk")               \
	X(OPT_WINDOW, "window", "SECONDS", TARGET_LAB, KNOB_WINDOW,                                          \
	  "how far the histogram looks back (1 to 300; default 10)")                                         \
	X(OPT_INTERVAL, "interval", "MS", TARGET_LAB, KNOB_INTERVAL,                                         \
	  "time between two frames (20 to 5000; default 100)")                                               \
	X(OPT_ASCII, "ascii", "", TARGET_OTHER, 0,                                                           \
	  "draw with ASCII only (automatic where the locale is not UTF-8)")                                  \
	X(OPT_THEME, "theme", "NAME", TARGET_OTHER, 0, "colours: dark (default), light or mono")             \
	X(OPT_NO_COLOR, "no-color", "", TARGET_OTHER, 0,                                                     \
	  "no colours; so does the environment variable NO_COLOR")                                           \
	X(OPT_KEYS, "keys", "SCRIPT", TARGET_OTHER, 0,                                                       \
	  "press these keys first: names separated by blanks, @N waits N seconds")                           \
	X(OPT_SIZE, "size", "COLSxROWS", TARGET_OTHER, 0,                                                    \
	  "size of the screen for --dump-screen (default 80x24)")                                            \
	X(OPT_DUMP, "dump-screen", "FILE", TARGET_OTHER, 0,                                                  \
	  "use no terminal: after the last key write the screen as text to FILE (- is standard output) and " \
	  "quit")                                                                                            \
	X(OPT_HELP, "help", "", TARGET_OTHER, 0, "show this help")                                           \
	X(OPT_VERSION, "version", "", TARGET_OTHER, 0, "show the version")

enum option_target { TARGET_HOGS, TARGET_VICTIM, TARGET_LAB, TARGET_OTHER };

enum live_option {
#define X(id, name, argument, target, knob, what) id,
	LIVE_OPTIONS(X)
#undef X
		LIVE_OPTION_COUNT
};

struct option_info {
	const char *name, *argument;
	enum option_target target;
	int knob;
	const char *what;
};

const struct option_info *option_info(enum live_option o);

/* What the command line asks for. */
struct live_request {
	bool help, version;
	bool given[LIVE_OPTION_COUNT];
	const char *dir; /* NULL: the default */
	uint64_t loop; /* bytes; 0: none */
	bool loop_direct;
	struct lab_config lab;
	struct ui_options ui;
};

/* Parses the arguments after the sub-command. 0, or -EINVAL after one line on stderr. The strings in *out point into
 * argv. */
int options_parse(int argc, char **argv, struct live_request *out);

/* Prints the options, one a line. */
void options_print(void);

#endif
