/* The library as the tests use it: with its work counted, and with what modules share external (see parts.h). */
#include "test.h"

test_counts test_counted;
int test_isa_level = 2;

#define CDI_COUNT(what) ((void)++test_counted.what)
#define CDI_LEVEL_CAP   test_isa_level
#ifdef __cplusplus
#define CDI_FN extern "C"
#else
#define CDI_FN extern
#endif
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

/* For tests/fused.sh. */
double user_fused(double a, double b, double c);
double user_fused(double a, double b, double c) {
    return a * b + c;
}
