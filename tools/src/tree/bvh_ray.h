#pragma once
/* bvh_ray (internal): a ray, or a box that moves along one, in the frame of a tree.
 *
 * The frame holds the tree in [-1, 1]. The ray is cut where it comes near that cube, and its direction scaled by a power
 * of two so that its largest component is in [1, 2): tau = (t * 2^power) - start runs from 0 to a few units inside the
 * cube. The cut point is off by a known error, so every axis has two origins, one rounded up for the planes' low sides
 * and one down for the high ones; then the only error left in a slab is a relative one of three roundings
 * a side and one more, which CDI_SLACK covers. No NaN comes up: an axis along which the ray hardly moves gets an interval wide enough to hold all of
 * its movement. What moves may be a box about the ray's point: the boxes of the tree are then grown by its half widths,
 * which the two origins do at no cost (Ericson 5.5). */

#include "tree/bvh_node.h"
#include "tree/bvh_volume.h"

/* 2^e as two factors in range, as cdi_scale2 has them. */
typedef struct cdi_power2 {
    double a, b;
} cdi_power2;

CDI_INLINE cdi_power2 cdi_power2_of(int e) {
    int half = e / 2;
    cdi_power2 p;
    p.a = cdi_exp2i(half);
    p.b = cdi_exp2i(e - half);
    return p;
}

typedef struct cdi_frame_ray {
    float first_origin[4], last_origin[4]; /* subtracted from the sides that are met first and last */
    float inverse[4];
    uint32_t first_side[3], last_side[3]; /* which numbers of a node these sides are: see cdi_node_side */
    float from;                           /* the least tau that counts */
    double start;                         /* where the ray was cut, in tau */
    cdi_power2 power;
} cdi_frame_ray;

#define CDI_SLACK 1.0000005f             /* 1 + 2^-21: more than seven roundings */
#define CDI_STILL 9.094947017729282e-13  /* 2^-40: less movement than this counts as none ... */
#define CDI_WIDEN 1.4551915228366852e-11 /* ... and the interval is widened by 2^-36 */
/* What a cast may be off by, of the numbers it meets; the tree is about 1. */
#define CDI_OFF 1e-14

/* Where the ray is inside the box of half widths `side`, in units of tau; false when it misses it for certain. */
CDI_INLINE bool cdi_clip_to_cube(const double o[3], const double d[3], const double inverse[3],
                                 const double side[3], double *in, double *out) {
    *in = -CDI_HUGE;
    *out = CDI_HUGE;
    for (int k = 0; k < 3; ++k) {
        double p = (-side[k] - o[k]) * inverse[k], q = (side[k] - o[k]) * inverse[k];
        if (cdi_abs(d[k]) < 1e-290) {
            if (!(cdi_abs(o[k]) <= side[k])) return false;
            continue;
        }
        *in = cdi_max(cdi_min(p, q), *in);
        *out = cdi_min(cdi_max(p, q), *out);
    }
    return *in - cdi_abs(*in) * CDI_OFF <= *out + cdi_abs(*out) * CDI_OFF;
}

/* One axis of the ray where it was cut: `grown` is how far the box about it reaches, `reach` the most of any axis. */
CDI_INLINE void cdi_frame_ray_axis(cdi_frame_ray *f, int k, double o, double d, double inverse, double grown,
                                   double reach) {
    double way = f->start * d, at = o + way, error = CDI_OFF * (cdi_abs(o) + cdi_abs(way) + 1.0) + grown;
    bool still = cdi_abs(d) < CDI_STILL, back = !still && d < 0.0;
    float side[2]; /* taken by number, as nothing foretells which way a ray goes */
    if (still) error += (CDI_WIDEN + 8.0 * cdi_abs(d)) * reach;
    side[0] = cdi_float_up(at + error);
    side[1] = cdi_float_down(at - error);
    f->first_origin[k] = side[back ? 1 : 0];
    f->last_origin[k] = side[back ? 0 : 1];
    f->first_side[k] = cdi_node_side(k, back);
    f->last_side[k] = cdi_node_side(k, !back);
    f->inverse[k] = (float)(still ? 1.0 / CDI_STILL : inverse);
}

/* A ray that meets every box at once: where the numbers are beyond what the frame can hold. */
CDI_INLINE void cdi_frame_ray_blunt(cdi_frame_ray *f) {
    for (int k = 0; k < 3; ++k) {
        f->first_origin[k] = 1e30f;
        f->last_origin[k] = -1e30f;
        f->inverse[k] = 1.0f;
        f->first_side[k] = cdi_node_side(k, 0);
        f->last_side[k] = cdi_node_side(k, 1);
    }
    f->from = 0.0f;
    f->start = 0.0;
    f->power = cdi_power2_of(0);
}

/* Where a number lies in the frame; the difference may be beyond the range where the two are not. */
CDI_INLINE double cdi_frame_from(double x, double origin, const cdi_power2 *into) {
    double way = x - origin;
    if (cdi_finite(way)) return way * into->a * into->b;
    return (0.5 * x - 0.5 * origin) * into->a * into->b * 2.0;
}

/* The ray origin + t dir, t from t_min on, with a box of half widths `half` about its point (NULL: none); dir may be 0. False
 * when it misses the tree. */
CDI_INLINE bool cdi_frame_ray_aim(cdi_frame_ray *f, const cdi_frame *frame, const double origin[3],
                                  const double dir[3], const double half[3], double t_min) {
    double o[3], d[3], inverse[3], grown[3], side[3], reach = 0.0, in, out;
    double most = cdi_max(cdi_max(cdi_abs(dir[0]), cdi_abs(dir[1])), cdi_abs(dir[2]));
    int shift = most > 0.0 ? -cdi_exponent(most) : 0;
    cdi_power2 turn = cdi_power2_of(shift), into = cdi_power2_of(-frame->exponent);
    f->power = cdi_power2_of(most > 0.0 ? -shift - frame->exponent : 0);
    for (int k = 0; k < 3; ++k) {
        o[k] = cdi_frame_from(origin[k], frame->origin[k], &into);
        d[k] = dir[k] * turn.a * turn.b;
        inverse[k] = 1.0 / (d[k] == 0.0 ? 1.0 : d[k]);
        grown[k] = half ? half[k] * into.a * into.b : 0.0;
        side[k] = 1.01 + grown[k];
        reach = cdi_max(reach, side[k]);
    }
    if (!(cdi_finite(o[0]) && cdi_finite(o[1]) && cdi_finite(o[2]))) {
        cdi_frame_ray_blunt(f);
        return true;
    }
    if (!cdi_clip_to_cube(o, d, inverse, side, &in, &out)) return false;
    f->start = cdi_max(t_min * f->power.a * f->power.b, in);
    f->from = 0.0f;
    for (int k = 0; k < 3; ++k) cdi_frame_ray_axis(f, k, o[k], d[k], inverse[k], grown[k], reach);
    return true;
}

/* ---- where it meets boxes ---- */

/* An upper bound of tau for a t that is off by a few roundings of double. */
CDI_INLINE float cdi_frame_ray_limit(const cdi_frame_ray *f, double t) {
    double end = t * f->power.a * f->power.b, tau = end - f->start;
    tau += CDI_OFF * (cdi_abs(end) + cdi_abs(f->start) + 1.0);
    return tau < 0.0 ? -1.0f : cdi_float_up(cdi_min(tau, 1e20)) * CDI_SLACK;
}

/* A moving volume against one box, as cd_sweep_X_aabb. */
CDI_FN bool cdi_sweep_volume_aabb(const cd_bvh_volume *v, cd_vec3 motion, cd_aabb b,
                                  const cd_cast_options *options, cd_hit *hit);
