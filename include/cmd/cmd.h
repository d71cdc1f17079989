/* The sub-commands. Each takes the arguments from its own name on and returns an exit status. */
#ifndef NICELAB_CMD_CMD_H
#define NICELAB_CMD_CMD_H

/* X(name, function, what it does) */
#define COMMAND_TABLE(X)                                                           \
	X("live", cmd_live, "the interactive lab (the default)")                   \
	X("probe", cmd_probe, "what may be set here, and what would make it moot") \
	X("explain", cmd_explain, "the verdicts: why a priority has no effect, and what to do")

#define X(name, function, what) int function(int argc, char **argv);
COMMAND_TABLE(X)
#undef X

/* Prints the help of the whole program. */
void cmd_help(void);

#endif
