/* Text from outside (process names, paths, arguments) made safe to show. Any thread. */
#ifndef NICELAB_BASE_TEXT_H
#define NICELAB_BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Decodes one UTF-8 code point from at most len bytes. Returns the bytes taken (1 to 4) and
 * stores the code point, or returns 0 where the bytes are not valid UTF-8 (overlong forms,
 * surrogates and values past U+10FFFF count as not valid). len is at least 1. */
size_t text_decode(const char *src, size_t len, uint32_t *cp);

/* Copies len bytes of src into dst as text that cannot steer a terminal: control characters, bidirectional
 * controls and bytes that are not UTF-8 become '?'. dst gets at most cap bytes with the final NUL and is never
 * cut within a character. Returns the length of dst. cap is at least 1. */
size_t text_clean(char *dst, size_t cap, const char *src, size_t len);

#endif
