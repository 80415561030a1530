/* sweeps.h - the reference for things that move: when does one convex body, in straight motion, first meet another?
 *
 * In long double, relative to the bodies: far from the origin it is as sharp. A distance is shown right by itself: two points
 * that near, and a direction along which the bodies are that far apart. Nothing is shared with the library. */
#ifndef SWEEPS_H
#define SWEEPS_H

#include "test.h"

#define SWEEP_CORNERS 16

/* What a feature number names: nothing that is judged; all of a ball; an end or all of a capsule's core, or the capsule; corner i, edge i
 * from there to the next, or all of a polygon, or of a triangle, whose hits have weights; those of a box; those of a hull. */
typedef enum sweep_features {
    SWEEP_UNNAMED,
    SWEEP_BALL,
    SWEEP_CAPSULE,
    SWEEP_POLYGON,
    SWEEP_TRIANGLE,
    SWEEP_BOX,
    SWEEP_HULL
} sweep_features;

/* All points no farther than `radius` from the hull of the corners, which are seen from the origin of the body: set that to zero
 * for corners as they are. */
typedef struct sweep_body {
    int count;
    double origin[3], corner[SWEEP_CORNERS][3], radius;
    bool
        along_axes; /* what is left of the way is promised along the normal only: tips may be farther from each other */
    double half; /* of an oriented box: the largest half width, which counts as a coordinate */
    sweep_features features;
    cd_hull hull; /* with the features of a hull */
} sweep_body;

sweep_body sweep_of_sphere(cd_sphere s);
sweep_body sweep_of_capsule(const cd_capsule *c);
sweep_body sweep_of_triangle(const cd_triangle *t);
sweep_body sweep_of_polygon(const cd_vec3 *corner, int count);
sweep_body sweep_of_points(const cd_vec3 *corner, int count); /* without features */
sweep_body sweep_of_hull(const cd_hull *hull);                /* which must not be destroyed before */
sweep_body sweep_of_aabb(cd_aabb b);
sweep_body sweep_of_obb(const cd_obb *b);

/* Stretches a body along the axes by factors that are drawn, powers of two and mirrored or not: exactly. Returns them. */
cd_vec3 sweep_stretch(sweep_body *b, test_rng *rng);

/* The distance between b and a moved by `offset`; 0 where they meet. How far off it may be: sweep_margin. */
long double sweep_distance(const sweep_body *a, const double offset[3], const sweep_body *b);

/* What rounding may do to the reference: some units of the last place of how far the corners are apart, and the motion. */
long double sweep_margin(const sweep_body *a, const double motion[3], const sweep_body *b);
/* The most that a sweep may leave between the two: the excess of query/sweep.h, without the rounding of t. */
double sweep_excess(const sweep_body *a, const double motion[3], const sweep_body *b);

typedef struct sweep_truth {
    bool hit;          /* at some t in [0, 1] */
    long double t;     /* the first; 0 for a start in contact, 1 in a miss */
    long double first; /* how far they are apart at t = 0, the radii included; 0 where they meet */
    long double least; /* the least of that on the way */
} sweep_truth;
sweep_truth sweep_first(const sweep_body *a, const double motion[3], const sweep_body *b);

/* Checks what a sweep without options answered: no contact missed, none late, the way left to b at hit->t within the
 * stated excess, the point on b, as its weights and the feature have it, and as near to a, the normal unit, and a apart from b along it. */
void sweep_judge(const sweep_body *a, cd_vec3 motion, const sweep_body *b, bool got, const cd_hit *hit);

/* Is the point on the feature of b that the hit names, but for the margin? */
void sweep_judge_feature(const sweep_body *b, const cd_hit *hit, double margin);

#endif
