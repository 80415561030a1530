/* internal.h - for suites that look inside a module: the whole library, static, in this file. Include it first. It takes long
 * to compile: see parts.h for what modules share. */
#ifndef INTERNAL_H
#define INTERNAL_H

#define COLLIDE_STATIC
#define COLLIDE_IMPLEMENTATION
#define CDI_COUNT(what) ((void)++test_counted.what)
#include "test.h"

#endif
