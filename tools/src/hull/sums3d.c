#include "hull/sums3d.h"

enum { CDI_SUMS_ROOM = 40 * CDI_EXACT_LIMBS };

/* Coordinate `axis` of point i taken from that of point j. */
static cdi_exact cdi_sums_diff(cdi_arena *arena, const cdi_v3 *high, const cdi_v3 *low, int i, int j,
                               int axis) {
    int mark = arena->used;
    cdi_exact h = cdi_exact_diff(arena, cdi_v3_get(high[i], axis), cdi_v3_get(high[j], axis));
    cdi_exact l = cdi_exact_diff(arena, cdi_v3_get(low[i], axis), cdi_v3_get(low[j], axis));
    return cdi_exact_keep(arena, mark, cdi_exact_add(arena, h, l));
}

CDI_FN CDI_COLD double cdi_orient3d_sums(const cdi_v3 high[4], const cdi_v3 low[4]) {
    uint32_t limbs[CDI_SUMS_ROOM];
    cdi_arena arena = cdi_arena_on(limbs, CDI_SUMS_ROOM);
    cdi_exact m[3][3];
    for (int i = 0; i < 9; ++i) m[i / 3][i % 3] = cdi_sums_diff(&arena, high, low, i / 3, 3, i % 3);
    return cdi_exact_to_double(cdi_exact_det3(&arena, m));
}

static cdi_exact cdi_sums_shadow(cdi_arena *arena, const cdi_v3 *high, const cdi_v3 *low, int axis) {
    cdi_exact m[2][2];
    int mark = arena->used;
    for (int i = 0; i < 4; ++i)
        m[i / 2][i % 2] = cdi_sums_diff(arena, high, low, 1 + i / 2, 0, (axis + 1 + i % 2) % 3);
    return cdi_exact_keep(arena, mark, cdi_exact_det2(arena, m[0][0], m[0][1], m[1][0], m[1][1]));
}

CDI_FN CDI_COLD double cdi_orient2d_sums(const cdi_v3 high[3], const cdi_v3 low[3], int axis) {
    uint32_t limbs[CDI_SUMS_ROOM];
    cdi_arena arena = cdi_arena_on(limbs, CDI_SUMS_ROOM);
    return cdi_exact_to_double(cdi_sums_shadow(&arena, high, low, axis));
}

CDI_FN CDI_COLD cdi_v3 cdi_normal_sums(const cdi_v3 high[3], const cdi_v3 low[3]) {
    uint32_t limbs[CDI_SUMS_ROOM];
    cdi_arena arena = cdi_arena_on(limbs, CDI_SUMS_ROOM);
    cdi_exact n[3];
    int top = -100000;
    for (int k = 0; k < 3; ++k) {
        n[k] = cdi_sums_shadow(&arena, high, low, k);
        if (n[k].sign && n[k].low + n[k].n > top) top = n[k].low + n[k].n;
    }
    for (int k = 0; k < 3; ++k) n[k].low -= n[k].sign ? top : 0;
    return cdi_v3_make(cdi_exact_to_double(n[0]), cdi_exact_to_double(n[1]), cdi_exact_to_double(n[2]));
}
