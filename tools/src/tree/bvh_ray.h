#pragma once
/* bvh_ray (internal): a ray, or a box that moves along one, in the frame of a tree.
 *
 * The frame holds the tree in [-1, 1]. The ray is cut where it comes near that cube, and its direction scaled by a power
 * of two so that its largest component is in [1, 2): tau = (t * 2^power) - start runs from 0 to a few units inside the
 * cube. The cut point is off by a known error, so every axis has two origins, one rounded up for the planes' low sides
 * and one down for the high ones; then the only error left in a slab is a relative one of three roundings, which
 * CDI_FRAME_SLACK covers. No NaN comes up: an axis along which the ray hardly moves gets an interval wide enough to hold all of
 * its movement. What moves may be a box about the ray's point: the boxes of the tree are then grown by its half widths,
 * which the two origins do at no cost (Ericson 5.5). */

#include "tree/bvh_node.h"

typedef struct cdi_frame_box {
    float low_origin[3], high_origin[3]; /* subtracted from the low and the high sides of boxes */
    float inverse[3];
    int near_high[3]; /* the direction is negative: high sides come first */
    double start;     /* where the ray was cut, in tau */
    int power;
} cdi_frame_box;

#define CDI_FRAME_SLACK 1.0000005f             /* above (1 + 2^-24)^4 */
#define CDI_FRAME_STILL 9.094947017729282e-13  /* 2^-40: less movement than this counts as none ... */
#define CDI_FRAME_WIDEN 1.4551915228366852e-11 /* ... and the interval is widened by 2^-36 */

/* Where the ray is inside the box of half widths `side`, in units of tau; false when it misses it for certain. */
CDI_INLINE bool cdi_clip_to_box(const double o[3], const double d[3], const double side[3], double *in,
                                double *out) {
    *in = -CDI_HUGE;
    *out = CDI_HUGE;
    for (int k = 0; k < 3; ++k) {
        double p, q;
        if (d[k] == 0.0) {
            if (!(cdi_abs(o[k]) <= side[k])) return false;
            continue;
        }
        p = (-side[k] - o[k]) / d[k];
        q = (side[k] - o[k]) / d[k];
        *in = cdi_max(cdi_min(p, q), *in);
        *out = cdi_min(cdi_max(p, q), *out);
    }
    return *in - cdi_abs(*in) * 1e-14 <= *out + cdi_abs(*out) * 1e-14;
}

/* The ray origin + t dir, t from t_min on, with a box of half widths `half` about its point; dir may be 0. False when it misses
 * the tree. */
CDI_INLINE bool cdi_frame_box_aim(cdi_frame_box *f, const cdi_frame *frame, const double origin[3],
                                  const double dir[3], const double half[3], double t_min) {
    double o[3], d[3], grown[3], side[3], reach = 0.0, in, out;
    double most = cdi_max(cdi_max(cdi_abs(dir[0]), cdi_abs(dir[1])), cdi_abs(dir[2]));
    int shift = most > 0.0 ? -cdi_exponent(most) : 0;
    f->power = most > 0.0 ? -shift - frame->exponent : 0;
    for (int k = 0; k < 3; ++k) {
        o[k] = cdi_frame_in(frame, k, origin[k]);
        d[k] = cdi_scale2(dir[k], shift);
        grown[k] = cdi_scale2(half[k], -frame->exponent);
        side[k] = 1.01 + grown[k];
        reach = cdi_max(reach, side[k]);
    }
    if (!cdi_clip_to_box(o, d, side, &in, &out)) return false;
    f->start = cdi_max(cdi_scale2(t_min, f->power), in);
    for (int k = 0; k < 3; ++k) {
        double way = f->start * d[k], at = o[k] + way;
        double error = 1e-15 * (cdi_abs(o[k]) + cdi_abs(way)) + 1e-30;
        bool still = cdi_abs(d[k]) < CDI_FRAME_STILL;
        if (still) error += (CDI_FRAME_WIDEN + 8.0 * cdi_abs(d[k])) * reach;
        error += grown[k];
        f->low_origin[k] = cdi_float_up(at + error);
        f->high_origin[k] = cdi_float_down(at - error);
        f->inverse[k] = (float)(still ? 1.0 / CDI_FRAME_STILL : 1.0 / d[k]);
        f->near_high[k] = !still && d[k] < 0.0;
    }
    return true;
}

/* A ray that meets every box at once: where the numbers are beyond what the frame can hold. */
CDI_INLINE void cdi_frame_box_blunt(cdi_frame_box *f) {
    for (int k = 0; k < 3; ++k) {
        f->low_origin[k] = 1e30f;
        f->high_origin[k] = -1e30f;
        f->inverse[k] = 1.0f;
        f->near_high[k] = 0;
    }
    f->start = 0.0;
    f->power = 0;
}

/* An upper bound of tau for a t. */
CDI_INLINE float cdi_frame_box_limit(const cdi_frame_box *f, double t) {
    double end = cdi_scale2(t, f->power), tau = end - f->start;
    tau += 1e-14 * (cdi_abs(end) + cdi_abs(f->start));
    return tau < 0.0 ? -1.0f : cdi_float_up(cdi_min(tau, 1e20)) * CDI_FRAME_SLACK;
}

/* Where the ray enters the eight boxes; a bit for each that it meets no later than `limit`. */
CDI_INLINE uint32_t cdi_frame_box_enters(const cdi_frame_box *f, const cdi_bvh_node *node, float limit,
                                         float enter[8]) {
    cdi_f8 in = cdi_f8_all(0.0f), out = cdi_f8_all(limit);
    for (int k = 0; k < 3; ++k) {
        cdi_f8 inverse = cdi_f8_all(f->inverse[k]);
        cdi_f8 low = cdi_f8_mul(cdi_f8_sub(cdi_f8_load(node->lo[k]), cdi_f8_all(f->low_origin[k])), inverse);
        cdi_f8 high =
            cdi_f8_mul(cdi_f8_sub(cdi_f8_load(node->hi[k]), cdi_f8_all(f->high_origin[k])), inverse);
        in = cdi_f8_max(in, f->near_high[k] ? high : low);
        out = cdi_f8_min(out, cdi_f8_mul(f->near_high[k] ? low : high, cdi_f8_all(CDI_FRAME_SLACK)));
    }
    cdi_f8_store(enter, in);
    return cdi_f8_le(in, out);
}
