/* Errors in words: the name of the errno and what it means, one line on stderr. */
#include "base/err.h"
#include "base/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *err_words(int errnum, char *buf, size_t size)
{
	const char *name = strerrorname_np(errnum);
	const char *words = strerrordesc_np(errnum);

	snprintf(buf, size, "%s: %s", name ? name : "error", words ? words : "unknown");
	for (char *p = strchr(buf, ':'); p && *p; p++)
		if (isupper((unsigned char)*p)) {
			*p = (char)tolower((unsigned char)*p);
			break;
		}
	return buf;
}

void err_line(const char *fmt, ...)
{
	char raw[600], clean[800];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(raw, sizeof(raw), fmt, ap);
	va_end(ap);
	text_clean(clean, sizeof(clean), raw, strlen(raw));
	fprintf(stderr, "nicelab: %s\n", clean);
}
