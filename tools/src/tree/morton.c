#include "core/scalar.h"
#include "tree/morton.h"

#define CDI_DIGIT_BITS 11

/* Puts two zeros between the 21 bits of x. */
static uint64_t cdi_spread_21(uint64_t x) {
    x = (x | x << 32) & 0x001F00000000FFFFu;
    x = (x | x << 16) & 0x001F0000FF0000FFu;
    x = (x | x << 8) & 0x100F00F00F00F00Fu;
    x = (x | x << 4) & 0x10C30C30C30C30C3u;
    return (x | x << 2) & 0x1249249249249249u;
}

/* Half the longest side of the cube; the middles' least coordinates are put in `lo`. Halves do not overflow. */
static double cdi_curve_cube(const cdi_builder *b, double lo[3]) {
    cdi_range all;
    double half = 0.0;
    all.first = 0;
    all.count = b->count;
    cdi_range_measure(b, &all);
    for (int k = 0; k < 3; ++k) {
        lo[k] = 0.5 * (double)all.middles.v[k];
        half = cdi_max(half, -0.5 * (double)all.middles.v[4 + k] - lo[k]);
    }
    return half;
}

CDI_FN void cdi_morton_codes(const cdi_builder *b, cdi_code *out) {
    double lo[3], half = cdi_curve_cube(b, lo);
    for (uint32_t i = 0; i < b->count; ++i) {
        uint64_t code = 0;
        for (int k = 0; k < 3 && half > 0.0; ++k) {
            double x = (0.5 * (double)cdi_box_middle(&b->box[i], k) - lo[k]) / half * 2097152.0;
            code |= cdi_spread_21((uint64_t)cdi_clamp(x, 0.0, 2097151.0)) << k;
        }
        out[i].code = code;
        out[i].item = i;
    }
}

/* One digit; false, with nothing done, when it is the same in all. */
static bool cdi_sort_by_digit(const cdi_code *from, cdi_code *to, uint32_t count, int shift) {
    uint32_t start[1u << CDI_DIGIT_BITS], mask = (1u << CDI_DIGIT_BITS) - 1u, sum = 0;
    cdi_clear(start, sizeof start);
    for (uint32_t i = 0; i < count; ++i) ++start[(uint32_t)(from[i].code >> shift) & mask];
    if (start[(uint32_t)(from[0].code >> shift) & mask] == count) return false;
    for (uint32_t d = 0; d <= mask; ++d) {
        uint32_t here = start[d];
        start[d] = sum;
        sum += here;
    }
    for (uint32_t i = 0; i < count; ++i) to[start[(uint32_t)(from[i].code >> shift) & mask]++] = from[i];
    return true;
}

CDI_FN void cdi_sort_codes(cdi_code *codes, cdi_code *other, uint32_t count) {
    cdi_code *from = codes, *to = other;
    for (int shift = 0; shift < 64 && count > 1; shift += CDI_DIGIT_BITS) {
        cdi_code *sorted = to;
        if (!cdi_sort_by_digit(from, to, count, shift)) continue;
        to = from;
        from = sorted;
    }
    if (from == other) cdi_copy(codes, other, count * sizeof *codes);
}

#undef CDI_DIGIT_BITS
