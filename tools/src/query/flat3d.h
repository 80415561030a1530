#pragma once
/* flat3d (internal): the closest points of points, segments, triangles and rectangles.
 *
 * Two convex flat figures that do not meet are nearest at two edges, or at a corner of one and the inside of the other: all
 * of these pairs are looked at but for edges that the other figure is wholly inside of, which cannot be nearest. So every
 * answer is a pair of points of the figures, whatever is degenerate. */

#include "query/closest3d.h"
#include "shape/swept3d.h"

/* A point of each, and `between`, b less a, which has more digits than the two points. */
typedef struct cdi_bridge {
    cdi_v3 a, b, between;
    double s, t, sqdist;           /* the parameters on two courses */
    uint32_t feature_a, feature_b; /* of flat figures: corners, edges from each corner to the next, face 0 */
} cdi_bridge;

/* A part of a line: start + t (to - from) for t in [lo, hi]. Where hi is 1, that is `to`. */
typedef struct cdi_course {
    cdi_v3 start, from, to;
    double lo, hi;
} cdi_course;

/* A ray or a line goes on until its points are 2^500 from its start. */
CDI_FN cdi_course cdi_course_of_segment(cdi_v3 a, cdi_v3 b);
CDI_FN cdi_course cdi_course_of_ray(cdi_v3 origin, cdi_v3 dir, bool line);
CDI_FN cdi_v3 cdi_course_point(const cdi_course *s, double t);

/* The parameter moved to where the way `between` is perpendicular to the course, as far as it goes. */
CDI_FN double cdi_foot(const cdi_course *on, double parameter, cdi_v3 between, cdi_v3 along);

/* Finite input, which cdi_tame_shift has seen. */
CDI_FN cdi_bridge cdi_near_courses(const cdi_course *s, const cdi_course *t);
CDI_FN cdi_bridge cdi_near_segments(cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 d);

/* The rectangle's four corners in order, also where it has no area; times 2^shift. */
CDI_FN cdi_flat cdi_flat_of_rect(const cd_rect *r, int shift);

/* The unit normal n of a figure where both edges at its first corner are in the plane that it says, to within `room`; else one that is good to
 * all digits: a needle's plain one may lead far out of the plane over its length. Zero without an area. */
CDI_FN cdi_v3 cdi_flat_normal(const cdi_flat *f, cdi_v3 n, double room);

/* A pair that is farther apart than `reach` may be given as CDI_HUGE apart. The second, of two that are known not to meet. */
CDI_FN cdi_bridge cdi_near_flats(const cdi_flat *a, const cdi_flat *b, double reach);
CDI_FN cdi_bridge cdi_near_flats_apart(const cdi_flat *a, const cdi_flat *b, double reach);

/* The parameter in [0, 1] at which the segment from p to q is nearest to the box. */
CDI_FN double cdi_near_segment_box(cdi_v3 p, cdi_v3 q, cdi_v3 lo, cdi_v3 hi);

/* Does the figure come as near as `reach` to the box? */
CDI_FN bool cdi_flat_reaches_box(const cdi_flat *f, cdi_v3 lo, cdi_v3 hi, double reach);

/* The power of two to multiply by for squares and products of four to stay in range, where the largest of all numbers is
 * `most`; 0 in the domain. */
#ifdef COLLIDE_DOUBLE
CDI_INLINE int cdi_tame_shift(double most) {
    int e = cdi_exponent(most);
    return e > 200 || e < -200 ? -e : 0;
}
#else
CDI_INLINE int cdi_tame_shift(double most) {
    (void)most; /* every float */
    return 0;
}
#endif

/* No answer; the answer of a bridge between things that had been scaled by 2^shift, but for the features. */
CDI_FN cd_closest cdi_closest_none(void);
CDI_FN cd_closest cdi_closest_of(const cdi_bridge *gap, int shift);
CDI_FN cd_vec3 cdi_v3_round_back(cdi_v3 v, int shift);
CDI_FN uint32_t cdi_segment_feature(double t);

/* The largest magnitude of two points. */
CDI_INLINE double cdi_most_of_two(cd_vec3 a, cd_vec3 b) {
    return cdi_max(cdi_v3_max_abs(cdi_v3_of(a)), cdi_v3_max_abs(cdi_v3_of(b)));
}

/* Is the ball in the capsule? Exact. */
CDI_FN bool cdi_capsule_holds_ball(const cd_capsule *c, cd_vec3 center, cd_real radius);
