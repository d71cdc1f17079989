/* Text from outside made safe to show: no control byte of a process name reaches the terminal. */
#include "base/text.h"

#include <stdbool.h>
#include <string.h>

size_t text_decode(const char *src, size_t len, uint32_t *cp)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *s = (const unsigned char *)src;
	size_t n = s[0] < 0x80		   ? 1
		   : (s[0] & 0xe0) == 0xc0 ? 2
		   : (s[0] & 0xf0) == 0xe0 ? 3
		   : (s[0] & 0xf8) == 0xf0 ? 4
					   : 0;
	uint32_t v;

	if (n == 0 || n > len)
		return 0;
	v = n == 1 ? s[0] : s[0] & (0xffu >> (n + 1));
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		v = v << 6 | (s[i] & 0x3f);
	}
	if (v < least[n] || v > 0x10ffff || (v >= 0xd800 && v < 0xe000))
		return 0;
	*cp = v;
	return n;
}

/* C0, DEL, C1, line and paragraph separators, bidirectional and zero-width controls, the byte order mark. */
static bool is_control(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || (cp >= 0x200b && cp <= 0x200f) ||
	       (cp >= 0x2028 && cp <= 0x202e) || cp == 0x061c || (cp >= 0xfff9 && cp <= 0xfffb) ||
	       (cp >= 0xe0000 && cp <= 0xe007f) || (cp >= 0x2060 && cp <= 0x206f) || cp == 0xfeff;
}

size_t text_clean(char *dst, size_t cap, const char *src, size_t len)
{
	size_t out = 0;

	for (size_t in = 0; in < len;) {
		uint32_t cp = 0;
		size_t n = text_decode(src + in, len - in, &cp);
		bool bad = n == 0 || is_control(cp);
		size_t put = bad ? 1 : n;

		if (out + put >= cap)
			break;
		if (bad)
			dst[out] = '?';
		else
			memcpy(dst + out, src + in, n);
		out += put;
		in += n ? n : 1;
	}
	dst[out] = '\0';
	return out;
}
