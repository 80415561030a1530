/* parts.h - for suites that look inside the library: its modules' headers one by one, where others see collide.h. What they
 * declare is in the library of all tests. Include it first.
 *
 * The Makefile lists the headers in modules.inc, and has these suites compiled without fused products. */
#ifndef PARTS_H
#define PARTS_H

#define COLLIDE_H /* in its stead: */
#include "modules.inc"

#include "test.h"

#endif
