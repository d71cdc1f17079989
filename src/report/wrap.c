/* Breaking text into lines. */
#include "report/wrap.h"
#include "base/text.h"

#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>

#define DEFAULT 80
#define LEAST 40

unsigned wrap_width(int fd)
{
	struct winsize w;

	if (ioctl(fd, TIOCGWINSZ, &w) < 0 || w.ws_col == 0)
		return DEFAULT;
	return w.ws_col < LEAST ? LEAST : w.ws_col;
}

/* Columns of a word, a character a column: names from outside may be wider, and then a line is too. */
static unsigned columns(const char *word, size_t len)
{
	unsigned n = 0;
	uint32_t cp;

	for (size_t i = 0; i < len; n++) {
		size_t step = text_decode(word + i, len - i, &cp);
		i += step ? step : 1;
	}
	return n;
}

void wrap_print(FILE *out, const char *text, unsigned used, unsigned indent, unsigned width)
{
	bool begun = false; /* a word stands on this line */

	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		size_t len = strcspn(text, " ");
		unsigned n = columns(text, len);
		if (begun && used + 1 + n > width) {
			fprintf(out, "\n%*s", (int)indent, "");
			used = indent;
			begun = false;
		}
		used += n + begun;
		fprintf(out, "%s%.*s", begun ? " " : "", (int)len, text);
		begun = true;
		text += len;
	}
	putc('\n', out);
}
