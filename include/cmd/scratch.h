/* The directory, the loop device and the elevator of a command line, looked at before anything is started. */
#ifndef NICELAB_CMD_SCRATCH_H
#define NICELAB_CMD_SCRATCH_H

#include "cmd/options.h"

/* Opens where files go into r->lab.scratch and tries what the kinds of load will need there. EXIT_OK, or another status after one
 * line on stderr; nothing is left behind then. */
int cmd_open_scratch(struct live_request *r);

#endif
