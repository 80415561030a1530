/* The library as the tests use it: with its work counted. */
#include "test.h"

test_counts test_counted;

#define CDI_COUNT(what) ((void)++test_counted.what)
#define COLLIDE_IMPLEMENTATION
#include "collide.h"
