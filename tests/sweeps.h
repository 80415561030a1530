/* sweeps.h - the reference for things that move: when does one convex body, in straight motion, first meet another?
 *
 * Slow and obviously right, in long double; nothing is shared with the library. */
#ifndef SWEEPS_H
#define SWEEPS_H

#include "test.h"

#define SWEEP_CORNERS 16

/* All points no farther than `radius` from the hull of the corners. */
typedef struct sweep_body {
    int count;
    double corner[SWEEP_CORNERS][3], radius;
} sweep_body;

sweep_body sweep_of_sphere(cd_sphere s);
sweep_body sweep_of_capsule(const cd_capsule *c);
sweep_body sweep_of_triangle(const cd_triangle *t);
sweep_body sweep_of_polygon(const cd_vec3 *corner, int count);
sweep_body sweep_of_aabb(cd_aabb b);
sweep_body sweep_of_obb(const cd_obb *b);

/* The distance between b and a moved by `offset`; 0 where they meet. */
long double sweep_distance(const sweep_body *a, const double offset[3], const sweep_body *b);

typedef struct sweep_truth {
    bool hit;          /* at some t in [0, 1] */
    long double t;     /* the first; 0 for a start in contact */
    long double first; /* the distance at t = 0 */
    long double least; /* the least distance on the way */
} sweep_truth;
sweep_truth sweep_first(const sweep_body *a, const double motion[3], const sweep_body *b);

/* Checks what a sweep without options answered: no contact missed, none late, the way left to b at hit->t within the
 * stated excess, the point on b and as near to a, the normal unit, and a apart from b along it. */
void sweep_judge(const sweep_body *a, cd_vec3 motion, const sweep_body *b, bool got, const cd_hit *hit);

#endif
