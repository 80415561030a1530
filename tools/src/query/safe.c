#include "query/safe.h"
#include "core/expansion.h"
#include "core/vec3d.h"
#include "shape/swept3d.h"
#include "shape/volume3d.h"

/* a + b rounded down, for a + b that may be infinite. */
static double cdi_sum_below(double a, double b) {
    double sum, tail;
    if (!cdi_finite(a) || !cdi_finite(b)) return a + b;
    if (cdi_abs(a) > 0.5 * CDI_HUGE || cdi_abs(b) > 0.5 * CDI_HUGE)
        return cdi_next_double(cdi_min(a + b, CDI_HUGE), false);
    cdi_two_sum(a, b, &sum, &tail);
    return tail < 0.0 ? cdi_next_double(sum, false) : sum;
}

/* The quotient is rounded to double and then down by one: never above the true one. */
CD_API cd_real cd_safe_until(cd_real now, cd_real distance, cd_real speed) {
    double left = (double)distance, fast = (double)speed, wait;
    if (!(left > 0.0) || !(fast >= 0.0)) return now;
    if (fast == 0.0) return now == now ? (cd_real)cdi_infinity() : now;
    if (!cdi_finite(fast) || !cdi_finite((double)now)) return now;
    wait = cdi_min(left / fast, CDI_HUGE);
    wait = wait > 0.0 ? cdi_next_double(wait, false) : 0.0;
    return cdi_round_down(cdi_sum_below((double)now, wait), 0.0);
}

CD_API void cd_safe_advance(cd_safe *body, cd_real motion) {
    double step = (double)motion;
    body->way = step >= 0.0 ? -cdi_sum_below(-body->way, -step) : cdi_infinity();
}

static double cdi_ways(const cd_safe *a, const cd_safe *b) {
    return -cdi_sum_below(-a->way, -b->way);
}

/* From the two ways rounded down, as a mark must not be too far. */
CD_API double cd_safe_mark(const cd_safe *a, const cd_safe *b, cd_real distance) {
    double ways = cdi_sum_below(a->way, b->way), left = (double)distance;
    if (!(left > 0.0) || !(ways >= 0.0) || !cdi_finite(ways)) return 0.0;
    return cdi_sum_below(ways, left);
}

CD_API bool cd_safe_holds(const cd_safe *a, const cd_safe *b, double mark) {
    return cdi_ways(a, b) < mark;
}

/* The vector part of to * conjugate(from): |q| |r| sin(half the angle). */
static cdi_v3 cdi_turn_between(cd_quat q, cd_quat r) {
    double w = (double)q.w, v = (double)r.w;
    cdi_v3 a = cdi_v3_make((double)q.x, (double)q.y, (double)q.z);
    cdi_v3 b = cdi_v3_make((double)r.x, (double)r.y, (double)r.z);
    return cdi_v3_sub(cdi_v3_sub(cdi_v3_scale(b, w), cdi_v3_scale(a, v)), cdi_v3_cross(b, a));
}

/* A rotation has a quaternion of any length: of one whose squares would leave the range, another one. */
static cd_quat cdi_quat_tame(cd_quat q) {
    double x = cdi_max(cdi_abs((double)q.x), cdi_abs((double)q.y));
    int e = cdi_exponent(cdi_max(x, cdi_max(cdi_abs((double)q.z), cdi_abs((double)q.w))));
    if (e > -200 && e < 200) return q;
    q.x = (cd_real)cdi_scale2((double)q.x, -e);
    q.y = (cd_real)cdi_scale2((double)q.y, -e);
    q.z = (cd_real)cdi_scale2((double)q.z, -e);
    q.w = (cd_real)cdi_scale2((double)q.w, -e);
    return q;
}

static double cdi_quat_square(cd_quat q) {
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    return x * x + y * y + z * z + w * w;
}

static bool cdi_quats_same(cd_quat q, cd_quat r) {
    return q.x == r.x && q.y == r.y && q.z == r.z && q.w == r.w;
}

/* The chord of the turn is 2 sin(angle / 2); the products' errors are below 2^-49 of |q| |r|. */
CD_API cd_real cd_safe_motion(const cd_transform *from, const cd_transform *to, cd_real radius) {
    cd_quat q = cdi_quat_tame(from->rotation), r = cdi_quat_tame(to->rotation);
    double square = cdi_quat_square(q) * cdi_quat_square(r);
    double shift = cdi_v3_length(cdi_v3_sub(cdi_v3_of(to->position), cdi_v3_of(from->position)));
    double sine = cdi_v3_length(cdi_turn_between(q, r)) / cdi_sqrt(square);
    double noise = cdi_quats_same(from->rotation, to->rotation) ? 0.0 : 1.7763568394002505e-15;
    double most = shift + 2.0 * (double)radius * (sine + noise);
    if (!cd_transform_is_valid(from) || !cd_transform_is_valid(to) || !(square > 0.0) || !(radius >= 0))
        return (cd_real)cdi_infinity();
    return cdi_round_up(most * (1.0 + 8.8817841970012523e-16));
}
