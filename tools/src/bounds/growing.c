#include "bounds/growing.h"

static cdi_ball cdi_ball_on_pair(cdi_v3 a, cdi_v3 b) {
    cdi_ball r;
    cdi_v3 half = cdi_v3_scale(cdi_v3_sub(b, a), 0.5);
    r.c = cdi_v3_add(a, half);
    r.r = cdi_sqrt(cdi_v3_sqlength(half));
    return r;
}

CDI_FN cdi_ball cdi_separated_along(const cdi_sites *s, cdi_v3 axis) {
    cdi_v3 lo = cdi_site(s, 0).c, hi = lo;
    double least = cdi_v3_dot(lo, axis), most = least;
    for (size_t i = 1; i < s->count; ++i) {
        cdi_v3 p = cdi_site(s, i).c;
        double t = cdi_v3_dot(p, axis);
        if (t < least) {
            least = t;
            lo = p;
        }
        if (t > most) {
            most = t;
            hi = p;
        }
    }
    return cdi_ball_on_pair(lo, hi);
}

CDI_FN cdi_ball cdi_most_separated(const cdi_sites *s) {
    cdi_ball best = cdi_separated_along(s, cdi_v3_make(1.0, 0.0, 0.0));
    for (int axis = 1; axis < 3; ++axis) {
        cdi_ball b = cdi_separated_along(s, cdi_v3_make(0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0));
        if (b.r > best.r) best = b;
    }
    return best;
}

static size_t cdi_common_divisor(size_t a, size_t b) {
    while (b) {
        size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* splitmix64 */
static uint64_t cdi_scramble(uint64_t x) {
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

CDI_FN void cdi_grow_over(const cdi_sites *s, uint32_t round, cdi_ball *b) {
    size_t n = s->count, step = 1, at = 0;
    if (round > 0 && n > 1) {
        at = (size_t)(cdi_scramble(2 * (uint64_t)round) % n);
        step = (size_t)(cdi_scramble(2 * (uint64_t)round + 1) % n) | 1u;
        while (step >= n || cdi_common_divisor(n, step) != 1) step = step >= n ? 1 : step + 1;
    }
    for (size_t i = 0; i < n; ++i) {
        cdi_v3 d = cdi_v3_sub(cdi_site(s, at).c, b->c);
        double square = cdi_v3_sqlength(d);
        if (square > b->r * b->r) {
            double distance = cdi_sqrt(square), add = 0.5 * (distance - b->r);
            b->c = cdi_v3_along(b->c, d, add / distance);
            b->r += add;
        }
        at = n - at > step ? at + step : at - (n - step);
    }
}
