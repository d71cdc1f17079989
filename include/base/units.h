/* Numbers as people read them, and back. All functions are pure; any thread.
 * The format functions write at most size bytes with the final NUL and return buf. */
#ifndef NICELAB_BASE_UNITS_H
#define NICELAB_BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

/* A duration with three significant digits: "840 ns", "28.4 ms", "5.66 s", "128 s". */
char *units_format_ns(char *buf, size_t size, uint64_t ns);

/* A ratio in at most five digits: "x3.50", "x28.9", "x206", "x35k"; written with the sign U+00D7. */
char *units_format_ratio(char *buf, size_t size, double ratio);

/* A fraction as a percentage: "0.5 %", "99.5 %", "100 %". */
char *units_format_share(char *buf, size_t size, double fraction);

/* Seconds since the start as h:mm:ss. */
char *units_format_uptime(char *buf, size_t size, uint64_t ns);

/* A whole decimal number within [min, max], nothing before or after it but one sign.
 * 0, or -EINVAL (not a number), or -ERANGE (a number outside the limits). */
int units_parse_long(const char *text, long min, long max, long *out);

/* A size in bytes: "512 B", "64 KiB", "1.5 MiB", "2 GiB". */
char *units_format_bytes(char *buf, size_t size, uint64_t bytes);

/* A rate as disks are told by: "0 B/s", "840 kB/s", "35.2 MB/s", "1.06 GB/s" (powers of 1000). */
char *units_format_rate(char *buf, size_t size, double bytes_per_second);

/* A whole number of bytes, or of K, M, G or T of them (powers of 1024; "64M", "64MiB"). 0, -EINVAL or -ERANGE. */
int units_parse_bytes(const char *text, uint64_t min, uint64_t max, uint64_t *out);

/* COLSxROWS, each 1 to 1000. 0 or -EINVAL. */
int units_parse_size(const char *text, int *cols, int *rows);

#endif
