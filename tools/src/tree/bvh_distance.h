#pragma once
/* bvh_distance (internal): the distance of a point to eight boxes of a tree, never more than the truth; the nearest items;
 * winding numbers. */

#include "tree/bvh_node.h"
#include "tree/bvh_walk.h"
#include "tree/bvh_winding.h"

/* A point in the frame of a tree, rounded both ways; what is beyond 1e18 is put there, so that squares stay finite. */
typedef struct cdi_frame_point {
    float low[3], high[3];
} cdi_frame_point;

CDI_INLINE cdi_frame_point cdi_frame_point_of(const cdi_frame *f, cdi_v3 p) {
    cdi_frame_point r;
    for (int k = 0; k < 3; ++k) {
        double x = cdi_clamp(cdi_frame_in(f, k, cdi_v3_get(p, k)), -1e18, 1e18);
        r.low[k] = cdi_float_down(x);
        r.high[k] = cdi_float_up(x);
    }
    return r;
}

/* Lower bounds of the squared distances, but for a relative error of 2^-21 that cdi_frame_sqdist makes good. */
CDI_INLINE cdi_f8 cdi_sqdist_boxes(const cdi_frame_point *p, const cdi_bvh_node *node) {
    cdi_f8 sum = cdi_f8_all(0.0f);
    for (int k = 0; k < 3; ++k) {
        cdi_f8 below = cdi_f8_sub(cdi_f8_load(node->lo[k]), cdi_f8_all(p->high[k]));
        cdi_f8 above = cdi_f8_sub(cdi_f8_all(p->low[k]), cdi_f8_load(node->hi[k]));
        cdi_f8 d = cdi_f8_max(cdi_f8_max(below, above), cdi_f8_all(0.0f));
        sum = cdi_f8_add(sum, cdi_f8_mul(d, d));
    }
    return sum;
}

/* An upper bound of a squared distance in the frame, for comparison with cdi_sqdist_boxes. */
CDI_INLINE float cdi_frame_sqdist(const cdi_frame *f, double sqdist) {
    double d = cdi_scale2(cdi_scale2(sqdist, -f->exponent), -f->exponent);
    return d < 1e29 ? cdi_float_up(d * 1.000001 + 1e-30) : 1e38f;
}

/* cd_bvh_closest by a walk of another kind, which is given the point (cdi_v3) as `with`; its limit is what cdi_frame_sqdist
 * makes of squared distances. */
CDI_FN bool cdi_near_by(cdi_walk_fn walk, const cdi_bvh *tree, cd_vec3 p, cd_real max_distance,
                        const cd_filter *filter, cd_closest *out);

/* cd_bvh_closest_k, with the squared distance to the nearest before it is rounded (0 where there is none). */
CDI_FN size_t cdi_bvh_near(const cd_bvh *tree, cd_vec3 p, size_t k, cd_real max_distance,
                           const cd_filter *filter, cd_closest *out, double *sqdist);

/* The winding number with each cluster off by at most `most`, none taken below 0, and what it is off by at most. NaN for
 * what cd_bvh_winding_number says it for. */
CDI_FN double cdi_winding_within(const cd_bvh_winding *w, const cd_bvh *tree, cdi_v3 p, double most,
                                 double *error);

/* The number to an accuracy, or until it is certainly more or less than a threshold. First clusters may be off by `most`,
 * then by less and less. */
CDI_FN double cdi_winding_search(const cd_bvh_winding *w, const cd_bvh *tree, cdi_v3 p, double most,
                                 double accuracy, double threshold);

/* To begin with, where it is asked whether a point is inside. */
#define CDI_WINDING_FIRST (1.0 / 64.0)
