/* internal.h - for suites that look inside: the whole library, static, in this file. Include it first. */
#ifndef INTERNAL_H
#define INTERNAL_H

#define COLLIDE_STATIC
#define COLLIDE_IMPLEMENTATION
#define CDI_COUNT(what) ((void)++test_counted.what)
#include "test.h"

#endif
