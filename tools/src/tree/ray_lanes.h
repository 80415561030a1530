#pragma once
/* ray_lanes (internal): a ray in the frame of a tree and eight boxes, and the short way into the frame, which most rays
 * take. */

#include "tree/bvh_ray.h"

/* Where the ray enters the eight boxes; a bit for each that it meets no later than `limit`. */
CDI_INLINE uint32_t cdi_ray_enters(const cdi_frame_ray *f, const cdi_bvh_node *node, float limit,
                                   float enter[8]) {
    cdi_f8 in = cdi_f8_all(f->from), out = cdi_f8_all(limit);
    for (int k = 0; k < 3; ++k) {
        cdi_f8 inverse = cdi_f8_all(f->inverse[k]);
        cdi_f8 first = cdi_f8_load(cdi_node_row(node, f->first_side[k]));
        cdi_f8 last = cdi_f8_load(cdi_node_row(node, f->last_side[k]));
        first = cdi_f8_mul(cdi_f8_sub(first, cdi_f8_all(f->first_origin[k])), inverse);
        last = cdi_f8_mul(cdi_f8_sub(last, cdi_f8_all(f->last_origin[k])), inverse);
        in = cdi_f8_max(in, first);
        out = cdi_f8_min(out, last);
    }
    cdi_f8_store(enter, in);
    return cdi_f8_le(in, cdi_f8_mul(out, cdi_f8_all(CDI_SLACK)));
}

/* ---- most rays ---- */

#define CDI_DIRECT_MOST 32.0 /* how far from the frame's middle such a ray may begin */
#define CDI_DIRECT_LEAST_INVERSE                                                                             \
    9.5367431640625e-7 /* 2^-20, and 2^50: of its t along one unit of the frame */
#define CDI_DIRECT_MOST_INVERSE 1125899906842624.0

/* A ray that begins near the tree, is along no axis, and neither very long nor very short: as it is, uncut, with tau = t.
 * `o` and `inverse` are its origin and 1 / direction, t_min at least 0. False where it is not such a ray.
 *
 * The origin in the frame is off by two roundings of double, for which cdi_float_up and cdi_float_down, whose steps are
 * taken here, have room. Differences and products of floats then err by three roundings, upward for the sides met last and downward for the first,
 * as with any ray. Nothing overflows: 34 * 2^50 is in the range. What underflow takes, 2^-149 at most, is below the
 * least step 1e-36 of an origin, times the least inverse. */
CDI_INLINE bool cdi_frame_ray_direct(cdi_frame_ray *f, const cdi_frame *frame, cdi_d4 o, cdi_d4 inverse,
                                     double t_min) {
    static const uint32_t sides[8][6] = {
        {0, 8, 16, 24, 32, 40}, {24, 8, 16, 0, 32, 40}, {0, 32, 16, 24, 8, 40}, {24, 32, 16, 0, 8, 40},
        {0, 8, 40, 24, 32, 16}, {24, 8, 40, 0, 32, 16}, {0, 32, 40, 24, 8, 16}, {24, 32, 40, 0, 8, 16}};
    const double *middle = frame->origin;
    cdi_d4 at, along, step, up, down;
    uint32_t fit, back;
    at = cdi_d4_sub(o, cdi_d4_make(middle[0], middle[1], middle[2], 0.0));
    at = cdi_d4_mul(at, cdi_d4_all(cdi_exp2i(-frame->exponent)));
    along = cdi_d4_mul(inverse, cdi_d4_all(cdi_exp2i(frame->exponent)));
    fit = cdi_d4_le(cdi_d4_abs(at), cdi_d4_all(CDI_DIRECT_MOST)) &
          cdi_d4_le(cdi_d4_abs(along), cdi_d4_all(CDI_DIRECT_MOST_INVERSE)) &
          cdi_d4_le(cdi_d4_all(CDI_DIRECT_LEAST_INVERSE), cdi_d4_abs(along));
    if ((fit & 7u) != 7u || frame->exponent > 1000 || frame->exponent < -1000) return false;
    step = cdi_d4_add(cdi_d4_mul(cdi_d4_abs(at), cdi_d4_all(1.2e-7)), cdi_d4_all(1e-36));
    up = cdi_d4_add(at, step);
    down = cdi_d4_sub(at, step);
    cdi_d4_store_floats(f->first_origin, cdi_d4_pick(along, up, down));
    cdi_d4_store_floats(f->last_origin, cdi_d4_pick(along, down, up));
    cdi_d4_store_floats(f->inverse, along);
    back = cdi_d4_le(along, cdi_d4_all(0.0)) & 7u;
    cdi_copy(f->first_side, sides[back], sizeof f->first_side);
    cdi_copy(f->last_side, sides[back] + 3, sizeof f->last_side);
    f->from = t_min > 0.0 ? cdi_float_down(t_min) : 0.0f;
    if (f->from < 0.0f) f->from = 0.0f;
    f->start = 0.0;
    f->power.a = f->power.b = 1.0;
    return true;
}
