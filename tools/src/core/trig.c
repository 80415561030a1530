#include "core/trig.h"
#include "core/angle.h"
#include "core/expansion.h"

/* ---- reduction: x = quadrant * pi/2 + hi + lo, |hi + lo| a little above pi/4 at most ---- */

typedef struct cdi_reduced {
    double hi, lo;
    unsigned quadrant;
} cdi_reduced;

/* 0 <= x <= 2^20 (Cody and Waite 1980). The first three parts of pi/2 have 33 bits, so that their products with up to
 * 20 bits are exact, and the first difference is exact, too. The nearest that such a double comes to a multiple is about
 * 2^-58; what is left of pi/2 after the four parts, times 2^20, is below 2^-139. */
static cdi_reduced cdi_reduce(double x) {
    const double half_pi[4] = {1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21,
                               8.4784276603689e-32};
    const double shift = 6755399441055744.0; /* 1.5 * 2^52: rounds to a whole number */
    double n = (x * 0.6366197723675814 + shift) - shift;
    double a = x - n * half_pi[0], b, c, b_rest, c_rest;
    cdi_reduced r;
    cdi_two_diff(a, n * half_pi[1], &b, &b_rest);
    cdi_two_diff(b, n * half_pi[2], &c, &c_rest);
    cdi_two_sum(c, (b_rest + c_rest) - n * half_pi[3], &r.hi, &r.lo);
    r.quadrant = (unsigned)n & 3u;
    return r;
}

/* The 32 bits of `words`, lowest word first, from bit `at` on. */
static uint32_t cdi_bits_at(const uint32_t *words, int at) {
    int i = at / 32, shift = at % 32;
    return (uint32_t)(((uint64_t)words[i + 1] << 32 | words[i]) >> shift);
}

/* The mantissa of x times 224 bits of 2/pi, from where the product is below 4 * 2^32 quarters on. Returns how many
 * bits of the product are below the point. */
static int cdi_times_two_over_pi(double x, uint32_t product[10]) {
    static const uint32_t two_over_pi[38] = {
        0xA2F9836Eu, 0x4E441529u, 0xFC2757D1u, 0xF534DDC0u, 0xDB629599u, 0x3C439041u, 0xFE5163ABu,
        0xDEBBC561u, 0xB7246E3Au, 0x424DD2E0u, 0x06492EEAu, 0x09D1921Cu, 0xFE1DEB1Cu, 0xB129A73Eu,
        0xE88235F5u, 0x2EBB4484u, 0xE99C7026u, 0xB45F7E41u, 0x3991D639u, 0x835339F4u, 0x9C845F8Bu,
        0xBDF9283Bu, 0x1FF897FFu, 0xDE05980Fu, 0xEF2F118Bu, 0x5A0A6D1Fu, 0x6D367ECFu, 0x27CB09B7u,
        0x4F463F66u, 0x9E5FEA2Du, 0x7527BAC7u, 0xEBE5F17Bu, 0x3D0739F7u, 0x8A5292EAu, 0x6BFB5FB1u,
        0x1F8D5D08u, 0x56033046u, 0xFC7B6BABu};
    uint64_t mantissa = (cdi_bits(x) & 0xFFFFFFFFFFFFFu) | 0x10000000000000u, factor[2];
    int e = cdi_exponent(x) - 52, first = e > 2 ? (e - 2) / 32 : 0;
    factor[0] = mantissa & 0xFFFFFFFFu;
    factor[1] = mantissa >> 32;
    for (int i = 0; i < 10; ++i) product[i] = 0;
    for (int f = 0; f < 2; ++f) {
        uint64_t carry = 0;
        for (int i = 0; i < 7; ++i) {
            carry += factor[f] * two_over_pi[first + 6 - i] + product[i + f];
            product[i + f] = (uint32_t)carry;
            carry >>= 32;
        }
        product[7 + f] = (uint32_t)carry;
    }
    return 32 * (first + 7) - e;
}

/* x >= 2^20 (Payne and Hanek 1983): whole turns are left out of the product with 2/pi, in integers. No double comes nearer
 * to a multiple of pi/2 than 2^-62; what is cut off is below 2^-137. */
static cdi_reduced cdi_reduce_large(double x) {
    const double half_pi[2] = {1.5707963267948966, 6.123233995736766e-17};
    uint32_t product[10];
    int point = cdi_times_two_over_pi(x, product);
    bool up = cdi_bits_at(product, point - 1) & 1u; /* the nearest multiple is the next one */
    double hi = 0.0, lo = 0.0, rest;
    cdi_reduced r;
    for (int i = 5; i >= 1; --i) { /* the fraction, less 1 when it is a half or more */
        uint32_t word = cdi_bits_at(product, point - 32 * i);
        double term = cdi_scale2((double)(up ? ~word : word), -32 * i);
        cdi_two_sum(term, hi, &hi, &rest);
        lo += rest;
    }
    r.quadrant = (cdi_bits_at(product, point) + (up ? 1u : 0u)) & 3u;
    if (up) {
        hi = -hi;
        lo = -lo;
    }
    cdi_two_product(hi, half_pi[0], &r.hi, &rest);
    rest += hi * half_pi[1] + lo * half_pi[0];
    cdi_fast_two_sum(r.hi, rest, &r.hi, &r.lo);
    return r;
}

/* ---- sine and cosine of hi + lo ----
 *
 * The polynomials interpolate (sin y / y - 1) / y^2 and (cos y - 1 + y^2 / 2) / y^4, as functions of z = y^2, in the
 * Chebyshev nodes of 0...(pi/4)^2; with their rounded coefficients the error is 2^-57 of the sine and 2^-59 of the
 * cosine. */

static double cdi_sin_reduced(double y, double lo) {
    double z = y * y;
    double p = 1.605853141458901e-10 + z * -7.586685070091267e-13;
    p = 2.7557319219335453e-06 + z * (-2.5052106231157904e-08 + z * p);
    p = -0.16666666666666666 + z * (0.008333333333333331 + z * (-0.0001984126984126506 + z * p));
    return y + (y * (z * p) + lo * (1.0 - 0.5 * z));
}

static double cdi_cos_reduced(double y, double lo) {
    double z = y * y, half = 0.5 * z, head = 1.0 - half;
    double p = 2.0876146024689747e-09 + z * -1.1382614868556325e-11;
    p = 2.4801587298763433e-05 + z * (-2.7557317270560326e-07 + z * p);
    p = 0.041666666666666664 + z * (-0.0013888888888887395 + z * p);
    return head + (((1.0 - head) - half) + (z * z * p - y * lo));
}

CDI_FN void cdi_sincos(double x, double *sine, double *cosine) {
    double size = cdi_abs(x), s, c, swap;
    cdi_reduced r;
    if (!cdi_finite(x)) {
        *sine = *cosine = cdi_nan();
        return;
    }
    r = size <= 1048576.0 ? cdi_reduce(size) : cdi_reduce_large(size);
    s = cdi_sin_reduced(r.hi, r.lo);
    c = cdi_cos_reduced(r.hi, r.lo);
    if (r.quadrant & 1u) { /* a quarter turn on: the sine becomes the cosine, the cosine minus the sine */
        swap = s;
        s = c;
        c = -swap;
    }
    if (r.quadrant & 2u) {
        s = -s;
        c = -c;
    }
    *sine = cdi_bits(x) >> 63 ? -s : s;
    *cosine = c;
}

/* From the first terms of the series of the arc sine, good to 1/50; the sine of what is missing is a cross product, and
 * two more terms of the series make each step leave the fifth power of the error. */
CDI_FN double cdi_angle_of(double sine, double cosine) {
    double z = sine * sine, angle = sine * (1.0 + z * (1.0 / 6.0 + z * 0.1));
    for (int i = 0; i < 2; ++i) {
        double s, c, d;
        cdi_sincos(angle, &s, &c);
        d = sine * c - cosine * s;
        angle += d * (1.0 + d * d / 6.0);
    }
    return angle;
}

/* ---- the public functions ---- */

CD_API cd_real cd_sin(cd_real radians) {
    double s, c;
    cdi_sincos((double)radians, &s, &c);
    return (cd_real)s;
}

CD_API cd_real cd_cos(cd_real radians) {
    double s, c;
    cdi_sincos((double)radians, &s, &c);
    return (cd_real)c;
}

CD_API void cd_sincos(cd_real radians, cd_real *sine, cd_real *cosine) {
    double s, c;
    cdi_sincos((double)radians, &s, &c);
    if (sine) *sine = (cd_real)s;
    if (cosine) *cosine = (cd_real)c;
}
