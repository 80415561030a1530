#include "core/selftest.h"
#include "core/vec3d.h"

/* Values the compiler cannot see through, so that the machine does the arithmetic. */
static double cdi_opaque(double x) {
    volatile double v = x;
    return v;
}

static bool cdi_is_contracted(void) {
    double a = cdi_opaque(1.0 + 1.0 / 134217728.0); /* 1 + 2^-27: its square needs 55 bits */
    float b = (float)cdi_opaque(1.0 + 1.0 / 8192.0);
    double r = a * a - cdi_opaque(1.0 + 1.0 / 67108864.0);
    float s = b * b - (float)cdi_opaque(1.0 + 1.0 / 4096.0);
    return cdi_opaque(r) != 0.0 || cdi_opaque((double)s) != 0.0;
}

static bool cdi_is_flushed(void) {
    double tiny = cdi_opaque(2.2250738585072014e-308) * cdi_opaque(0.5); /* out */
    volatile float tinyf = (float)cdi_opaque(1.1754943508222875e-38);
    volatile float half = tinyf * 0.5f;
    return cdi_opaque(tiny) == 0.0 || half == 0.0f || cdi_opaque(cdi_opaque(tiny) * 2.0) == 0.0 || /* in */
           half * 2.0f != tinyf;
}

static bool cdi_is_rounding_off(void) {
    double u = cdi_opaque(1.0 / 9007199254740992.0); /* 2^-53, half a unit of 1 */
    bool up = cdi_opaque(1.0) + u > 1.0;             /* nearest even: stays 1 */
    bool down = cdi_opaque(1.0) + 1.5 * u < 1.0 + 2.0 * u;
    bool toward = cdi_opaque(-1.0) - 1.5 * u > -1.0 - 2.0 * u;
    return up || down || toward;
}

static bool cdi_is_wide(void) {
    float big = (float)cdi_opaque(16777216.0), one = (float)cdi_opaque(1.0);
    float sum = big + one; /* 2^24 + 1 is no float */
    double wide = cdi_opaque(9007199254740992.0) + cdi_opaque(1.0);
    return (double)sum - 16777216.0 != 0.0 || wide - 9007199254740992.0 != 0.0;
}

/* Rounded to float and back, three at a time: some optimisers drop it. */
static bool cdi_is_rounding_dropped(void) {
    double third = cdi_opaque(1.0 / 3.0);
    cdi_v3 v = cdi_v3_make(third, third, third);
    cd_vec3 r = cdi_v3_round(v);
    v = cdi_v3_of(r);
    return v.x != cdi_opaque((double)(cd_real)third) || v.y != v.x || v.z != v.x;
}

static bool cdi_is_fast_math(void) {
    double zero = cdi_opaque(0.0), inf = 1.0 / zero, nan = inf - inf;
    bool nan_right = nan != nan && !(nan < 0.0) && !(nan >= 0.0);
    return !nan_right || !(inf > 1e300) || !(1.0 / cdi_opaque(-0.0) < 0.0);
}

CD_API uint32_t cd_selftest(void) {
    uint32_t found = 0;
    if (cdi_is_contracted()) found |= (uint32_t)CD_SELFTEST_CONTRACTION;
    if (cdi_is_flushed()) found |= (uint32_t)CD_SELFTEST_FLUSH_TO_ZERO;
    if (cdi_is_rounding_off()) found |= (uint32_t)CD_SELFTEST_ROUNDING;
    if (cdi_is_wide() || cdi_is_rounding_dropped()) found |= (uint32_t)CD_SELFTEST_PRECISION;
    if (cdi_is_fast_math()) found |= (uint32_t)CD_SELFTEST_FAST_MATH;
    return found;
}
