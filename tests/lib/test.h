/* What every unit test includes: cmocka and its prerequisites, in the order it wants them. */
#ifndef NICELAB_TESTS_TEST_H
#define NICELAB_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

#endif
