/* oracle.h - the references that the tests judge the library by: slow, obviously right, exact.
 *
 * All of it works on plain doubles, read as the dyadic rationals they are, and is right for every finite double,
 * denormal ones included: verdicts are exact, and a number is the double nearest to the exact value. All sets are
 * closed (touching counts), and every degenerate input is welcome: triangles that are segments or points, segments
 * without length, flat boxes. NaN and infinity stop the program. Nothing here is shared with the library.
 *
 * The exact numbers live in one pool, so none of this may run in two threads at a time. The oracle_ functions give
 * back what they take; who computes with exact numbers writes
 *
 *     exact_pool pool = exact_begin();
 *     ...numbers made here are good until...
 *     exact_end(pool);
 */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- exact numbers ---- */

/* sign * (sum of limb[i] * 2^(32 * (low + i))); the first and the last limb are not 0, and 0 has none. */
typedef struct exact {
    int sign, low, length;
    const uint32_t *limb;
} exact;

typedef struct exact_pool {
    int block;
    size_t used;
} exact_pool;

exact_pool exact_begin(void);
void exact_end(exact_pool pool);

exact exact_from(double value);  /* finite */
exact exact_power(int exponent); /* 2^exponent */
exact exact_negate(exact a);
exact exact_add(exact a, exact b);
exact exact_sub(exact a, exact b);
exact exact_mul(exact a, exact b);
int exact_compare(exact a, exact b); /* the sign of a - b */
double exact_to_double(exact a);     /* the nearest; infinite when too large */

/* num / den with den > 0. */
typedef struct ratio {
    exact num, den;
} ratio;

ratio ratio_make(exact num, exact den); /* den not 0, of either sign */
int ratio_compare(ratio a, ratio b);    /* the sign of a - b */
double ratio_to_double(ratio a);        /* the nearest */
double ratio_sqrt(ratio a);             /* the double nearest to the square root; a is not negative */

typedef struct exact3 {
    exact c[3];
} exact3;

exact3 exact3_from(const double v[3]);
exact3 exact3_add(exact3 a, exact3 b);
exact3 exact3_sub(exact3 a, exact3 b);
exact3 exact3_scale(exact3 a, exact s);
exact exact3_dot(exact3 a, exact3 b);
exact3 exact3_cross(exact3 a, exact3 b);
exact exact3_triple(exact3 a, exact3 b, exact3 c); /* the determinant with these rows: a . (b x c) */
bool exact3_is_zero(exact3 a);

/* ---- predicates: the signs of Shewchuk's determinants ---- */

/* (b - a) x (c - a): 1 when a, b, c turn counter-clockwise. */
int oracle_orient2d(const double a[2], const double b[2], const double c[2]);
/* det[a - d; b - d; c - d]: 1 when a, b, c turn clockwise as seen from d. */
int oracle_orient3d(const double a[3], const double b[3], const double c[3], const double d[3]);
/* 1 when d is inside the circle of a, b, c, which turn counter-clockwise. */
int oracle_incircle(const double a[2], const double b[2], const double c[2], const double d[2]);
/* 1 when e is inside the sphere of a, b, c, d, which have orient3d 1. */
int oracle_insphere(const double a[3], const double b[3], const double c[3], const double d[3],
                    const double e[3]);

/* ---- do they meet? Triangles are three points, segments two. ---- */

bool oracle_triangle_triangle(const double t[9], const double u[9]);
bool oracle_segment_triangle(const double s[6], const double t[9]);
bool oracle_triangle_box(const double t[9], const double lo[3], const double hi[3]); /* none meets lo > hi */

/* All center + sum of s[i] * axis[i] with |s[i]| <= half[i]. The axes are taken as they are, not made unit or
 * perpendicular. */
typedef struct oracle_box {
    double center[3], axis[3][3], half[3];
} oracle_box;

/* `separation`: the largest gap, below 0 an overlap, between the shadows of the two on the 15 axes of the separating
 * axis theorem, the axes made unit; -infinity when all are 0. `axes`: which attain it, exactly: bits 0-2 for the faces
 * of a (axis[1] x axis[2] and so on), 3-5 for those of b, 6 + 3 i + j for axis i of a x axis j of b. The verdict does
 * not hang on it: it knows boxes that are flat, or whose axes are, too. */
typedef struct oracle_gap {
    bool overlap;
    double separation;
    int axes;
} oracle_gap;
oracle_gap oracle_box_box(const oracle_box *a, const oracle_box *b);

/* ---- rays and lines, o + t d ----
 *
 * The verdicts are exact where the numbers are rounded: a t just behind the start may have become -0, and one just
 * beyond 1 may have become 1. */

/* Where the line crosses the plane of the triangle. When it is parallel to it, or the triangle has no area, or d is 0,
 * then `parallel_or_degenerate` is all that is set. Otherwise all is set, in a miss too: u and v are the weights of the
 * second and third corner, w of the first; bit i of `zero_weights` tells that the weight of corner i is exactly 0. */
typedef struct oracle_crossing {
    bool parallel_or_degenerate, hit;
    double t, u, v, w, point[3];
    int zero_weights;
} oracle_crossing;
oracle_crossing oracle_ray_triangle(const double o[3], const double d[3], const double t[9], bool whole_line);

/* Where the line is inside the box: t_in ... t_out, -infinity ... infinity for d = 0. `hit_ray` asks for t >= 0 as
 * well, which does not change t_in. A component of d that is 0 asks o to be in the closed slab. */
typedef struct oracle_span {
    bool hit_line, hit_ray;
    double t_in, t_out; /* 0 in a miss */
} oracle_span;
oracle_span oracle_ray_box(const double o[3], const double d[3], const double lo[3], const double hi[3]);

/* ---- closest points ---- */

/* The closest point is the sum of weight[i] * corner i. `feature` is the smallest that holds it: corners 0, 1, 2,
 * edges 3, 4, 5 (ab, bc, ca), 6 the face; of a segment 0 and 1 the ends, 3 between them, and weight[1] is the
 * parameter. */
typedef struct oracle_nearest {
    double squared, distance, point[3], weight[3];
    int feature;
} oracle_nearest;
oracle_nearest oracle_point_triangle(const double p[3], const double t[9]);
oracle_nearest oracle_point_segment(const double p[3], const double s[6]);

/* `parallel`: the cross product of the two directions is 0, which a segment without length makes it too. */
typedef struct oracle_distance {
    double squared, distance;
    bool parallel;
} oracle_distance;
oracle_distance oracle_segment_segment(const double s[6], const double t[6]);
/* Is the distance of two segments smaller (-1), equal (0) or larger (1) than the sum of two numbers that are not negative? */
int oracle_segments_against(const double s[6], const double t[6], double radius, double other);
/* The distance from p to the parallelogram a, a + e, a + e + g, a + g, given as a, e, g, against `radius` - `less`: smaller
 * (-1), equal, or larger, as it is than any negative number. */
int oracle_parallelogram_against(const double p[3], const double shape[9], double radius, double less);
/* The distance of two convex polygons of 1 (a point), 2 (a segment) or more corners in a plane: by brute force over corners,
 * edges and insides. */
double oracle_polygon_polygon(const double *a, int m, const double *b, int n);

/* ---- convex sets by what generates them ---- */

/* The point x / w where w > 0, the direction x where w is 0. */
typedef struct oracle_generator {
    exact3 x;
    exact w;
} oracle_generator;

enum { ORACLE_GENERATORS = 64 };

/* Do two convex sets meet? Each is all means of its points plus all multiples, from 0 on, of its directions; at least one
 * point, and together at most ORACLE_GENERATORS generators. By a linear program in exact numbers. */
bool oracle_sets_meet(const oracle_generator *a, int m, const oracle_generator *b, int n);

/* ---- corners that move: (x, y, z) of four, from start at t = 0 straight and evenly to end at t = 1 ---- */

/* Do the two, closed and of any shape, touch at some t in [0, 1]? `t`: the double nearest to the first one. */
typedef struct oracle_contact {
    bool hit;
    bool exact; /* the first is t itself */
    double t;   /* 0 in a miss */
} oracle_contact;
/* A vertex, and the three corners of a face. */
oracle_contact oracle_ccd_vertex_face(const double start[12], const double end[12]);
/* The ends of an edge, and those of another one. */
oracle_contact oracle_ccd_edge_edge(const double start[12], const double end[12]);

/* ---- in or out ---- */

/* The solid angles of the triangles as seen from p, over 4 pi: 1 inside a closed mesh with counter-clockwise fronts.
 * Not exact: with the rounding errors of doubles. */
double oracle_winding_number(const double p[3], const double (*tri)[9], size_t count);

#endif
