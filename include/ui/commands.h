/* The keys, one table: a line yields the enum, the dispatch, the footer, the help overlay and the man page's KEYS.
 * X(command, keys, label in the footer or "", rank in the footer (0: not in it), handler, what it does)
 * Keys are tokens of ui/key.h, separated by blanks. */
#ifndef NICELAB_UI_COMMANDS_H
#define NICELAB_UI_COMMANDS_H

#define COMMANDS(X)                                                                                          \
	X(UI_HELP, "F1 ?", "Help", 1, do_help, "show this help")                                             \
	X(UI_UP, "Up k", "", 0, do_up, "select the knob or thread above")                                    \
	X(UI_DOWN, "Down j", "", 0, do_down, "select the knob or thread below")                              \
	X(UI_NEXT_PANE, "Tab", "Pane", 9, do_next_pane, "next pane: hogs, victim, threads, verdict")         \
	X(UI_PREVIOUS_PANE, "S-Tab", "", 0, do_previous_pane, "previous pane")                               \
	X(UI_LESS, "Left h", "", 0, do_less, "selected knob one step down")                                  \
	X(UI_MORE, "Right l", "", 0, do_more, "selected knob one step up")                                   \
	X(UI_DIGIT, "0 1 2 3 4 5 6 7 8 9", "", 0, do_digit, "type the selected knob's value, then Enter")    \
	X(UI_CANCEL, "Esc", "", 0, do_cancel,                                                                \
	  "cancel what is typed, close an overlay, end the filter; never quits")                             \
	X(UI_RAISE, "F7 ]", "Nice-", 3, do_raise,                                                            \
	  "raise the priority (nice -1) of the selected hogs, victim or thread")                             \
	X(UI_LOWER, "F8 [", "Nice+", 3, do_lower,                                                            \
	  "lower the priority (nice +1) of the selected hogs, victim or thread")                             \
	X(UI_FIX, "f", "Fix", 3, do_fix,                                                                     \
	  "carry out the remedy of the verdict that is shown, where nicelab can")                            \
	X(UI_DETAIL, "Enter", "", 0, do_detail, "tell the whole verdict: why, what to do, what else holds")  \
	X(UI_THEORY, "T", "Theory", 7, do_theory,                                                            \
	  "the arithmetic: groups, weights, shares, with the figures of this moment")                        \
	X(UI_NICE, "n", "Set nice", 4, do_nice, "type a nice for what is selected; a minus is allowed")      \
	X(UI_IONICE, "i", "Ionice", 5, do_ionice,                                                            \
	  "choose an I/O priority for what is selected: none, rt/0-7, be/0-7, idle")                         \
	X(UI_HOG_KIND, "o", "Hog kind", 8, do_hog_kind,                                                      \
	  "kind of the hogs: a busy loop, or reading and writing on the disk")                               \
	X(UI_VICTIM_KIND, "v", "Victim", 8, do_victim_kind,                                                  \
	  "kind of the victim: fixed work, reads, writes, cached reads, walks through a tree")               \
	X(UI_DISK, "D", "Disk", 9, do_disk,                                                                  \
	  "the disk in use: directory, devices down to the bottom, elevators")                               \
	X(UI_ELEVATOR, "E", "", 0, do_elevator,                                                              \
	  "set the elevator of the device in use (root; asks once where others use it too)")                 \
	X(UI_POLICY, "y", "Policy", 9, do_policy,                                                            \
	  "policy of the selected hogs or victim: OTHER, BATCH, IDLE")                                       \
	X(UI_SESSION_RAISE, "{", "", 0, do_session_raise,                                                    \
	  "nice -1 for the whole session (autogroup) of what is selected")                                   \
	X(UI_SESSION_LOWER, "}", "", 0, do_session_lower,                                                    \
	  "nice +1 for the whole session (autogroup) of what is selected")                                   \
	X(UI_HOG_MORE, "+", "Hog", 2, do_hog_more, "one hog more")                                           \
	X(UI_HOG_FEWER, "-", "Hog", 2, do_hog_fewer, "one hog fewer")                                        \
	X(UI_SCOPE, "t", "Scope", 6, do_scope,                                                               \
	  "send changes to every thread, or to the main thread only as renice does")                         \
	X(UI_SESSIONS, "a", "Sessions", 10, do_sessions,                                                     \
	  "workers in one shared session, or each in its own (the autogroup trap)")                          \
	X(UI_CPUS, "p", "Pin", 10, do_cpus,                                                                  \
	  "workers on all CPUs, all on one, or the victim on a CPU of its own")                              \
	X(UI_USER, "u", "", 0, do_user,                                                                      \
	  "act as root, as an ordinary user, or as a stranger to the workers (where nicelab is root)")       \
	X(UI_RESPAWN, "R", "Respawn", 8, do_respawn,                                                         \
	  "start the workers anew at the asked priority: the way back from 19 without CAP_SYS_NICE")         \
	X(UI_BASELINE, "b", "Baseline", 7, do_baseline, "take the baseline again: the victim alone for 2 s") \
	X(UI_CLEAR, "z", "", 0, do_clear, "clear the window")                                                \
	X(UI_WINDOW, "w", "", 0, do_window, "set the window: how many seconds the histogram looks back")     \
	X(UI_PAUSE, "Space", "Pause", 6, do_pause, "pause or resume the hogs")                               \
	X(UI_END_HOGS, "x", "", 0, do_end_hogs, "end all hogs at once")                                      \
	X(UI_SHOW_HOGS, "H", "", 0, do_show_hogs, "show or hide the hogs among the threads")                 \
	X(UI_FILTER, "/", "", 0, do_filter, "show only threads that match a text; Esc shows all again")      \
	X(UI_SLOWER, "<", "", 0, do_slower, "slower refresh")                                                \
	X(UI_FASTER, ">", "", 0, do_faster, "faster refresh")                                                \
	X(UI_PAGE_UP, "PgUp", "", 0, do_page_up, "threads: one page up")                                     \
	X(UI_PAGE_DOWN, "PgDn", "", 0, do_page_down, "threads: one page down")                               \
	X(UI_REDRAW, "^L", "", 0, do_redraw, "draw the screen anew")                                         \
	X(UI_SUSPEND, "^Z", "", 0, do_suspend, "suspend: the workers are stopped too; fg resumes both")      \
	X(UI_QUIT, "q F10 ^C", "Quit", 1, do_quit, "end the workers and quit")

enum ui_command {
#define X(id, keys, label, rank, handler, what) id,
	COMMANDS(X)
#undef X
		UI_COMMAND_COUNT
};

struct ui_command_info {
	const char *keys, *label;
	int rank;
	const char *what;
};

const struct ui_command_info *ui_command(enum ui_command c);

/* The command of a key code, or -1. */
int ui_command_of_key(int key);

#endif
