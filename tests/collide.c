/* The library as the tests use it: with its work counted, and with what modules share external (see parts.h). */
#include "test.h"
#include <stdlib.h>

test_counts test_counted;
int test_isa_level = 2;

#if defined(__GNUC__) && __GNUC__ == 12 && defined(__x86_64__) && defined(__OPTIMIZE__) &&                   \
    !defined(__OPTIMIZE_SIZE__) && !defined(__clang__) && !defined(__AVX__) && !defined(__cplusplus) &&      \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
const bool test_library_is_measured = true;
#else
const bool test_library_is_measured = false;
#endif

#define CDI_COUNT(what)      ((void)++test_counted.what)
#define CDI_LEVEL_CAP        test_isa_level
#define COLLIDE_MALLOC(size) (++test_counted.memory, malloc(size))
#define COLLIDE_FREE(p)      free(p)
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
