/* Telling names in ps, top and htop: the kernel shows what stands in the argument area (proc_pid_cmdline(5)). */
#include "load/title.h"

#include <string.h>
#include <sys/prctl.h>

static struct {
	char *start;
	size_t size;
} area;

extern char **environ;

void title_init(int argc, char **argv)
{
	char *end = NULL;

	if (argc < 1)
		return;
	area.start = argv[0];
	for (int i = 0; i < argc; i++)
		if (!end || argv[i] == end)
			end = argv[i] + strlen(argv[i]) + 1;
	/* The environment follows; the kernel reads on into it where the last byte of the arguments is not NUL. */
	for (char **e = environ; e && *e && *e == end; e++)
		end = *e + strlen(*e) + 1;
	area.size = (size_t)(end - area.start);
}

void title_set(const char *name)
{
	size_t len = strlen(name);

	prctl(PR_SET_NAME, name);
	if (area.size < 2)
		return;
	if (len > area.size - 1)
		len = area.size - 1;
	memset(area.start, 0, area.size);
	memcpy(area.start, name, len);
}
