#pragma once
/* exact (internal): sums, differences and products of finite doubles without any rounding.
 *
 * A number is a whole number of limbs times a power of 2^32. Limbs live in an arena on the caller's stack, whose room is
 * reckoned from the degree of the polynomial: a double, or a difference of two, has at most CDI_EXACT_LIMBS limbs, a
 * product as many as its factors together, a sum one more than the longer of its span. Integers only: the same on every
 * machine and under every flag. Numbers are typically two to four limbs, so that schoolbook products are the fastest. */

#include "core/scalar.h"

enum { CDI_EXACT_LIMBS = 67 }; /* 2^-1074 ... 2^1025 */

typedef struct cdi_exact {
    const uint32_t *limb; /* the lowest first; the lowest and the highest are not 0 */
    int n;                /* how many; 0 for zero */
    int low;              /* the value is sign * sum of limb[i] 2^(32 (low + i)) */
    int sign;             /* -1, 0, 1 */
} cdi_exact;

typedef struct cdi_arena {
    uint32_t *limb;
    int used, room;
} cdi_arena;

CDI_INLINE cdi_arena cdi_arena_on(uint32_t *limb, int room) {
    cdi_arena a;
    a.limb = limb;
    a.used = 0;
    a.room = room;
    return a;
}

CDI_FN cdi_exact cdi_exact_of(cdi_arena *arena, double x);
CDI_FN cdi_exact cdi_exact_diff(cdi_arena *arena, double a, double b);
CDI_FN cdi_exact cdi_exact_add(cdi_arena *arena, cdi_exact a, cdi_exact b);
CDI_FN cdi_exact cdi_exact_mul(cdi_arena *arena, cdi_exact a, cdi_exact b);

CDI_INLINE cdi_exact cdi_exact_square(cdi_arena *arena, cdi_exact a) {
    return cdi_exact_mul(arena, a, a);
}
CDI_INLINE cdi_exact cdi_exact_neg(cdi_exact a) {
    a.sign = -a.sign;
    return a;
}
CDI_INLINE cdi_exact cdi_exact_sub(cdi_arena *arena, cdi_exact a, cdi_exact b) {
    return cdi_exact_add(arena, a, cdi_exact_neg(b));
}

/* Gives back all that was taken since `mark` (an earlier `used`) but for x. */
CDI_FN cdi_exact cdi_exact_keep(cdi_arena *arena, int mark, cdi_exact x);

/* The nearest double (below 2^-1022 perhaps the other neighbour); never 0 or infinite where the number is not: the sign
 * stays right. */
CDI_FN double cdi_exact_to_double(cdi_exact x);

/* a d - b c, and the determinant of three rows. */
CDI_FN cdi_exact cdi_exact_det2(cdi_arena *arena, cdi_exact a, cdi_exact b, cdi_exact c, cdi_exact d);
CDI_FN cdi_exact cdi_exact_det3(cdi_arena *arena, cdi_exact (*m)[3]);
