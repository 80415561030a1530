#pragma once
/* body (internal): two convex bodies made ready for many questions for farthest points, in double, in the frame of A.
 *
 * Minkowski's difference B - A is what distance routines walk on: its point nearest to the origin is the way from A to B. */

#include "convex/support.h"
#include "core/pose.h"
#include "core/vec3d.h"
#include "shape/cylinder3d.h"
#include "shape/feature.h"

/* A point of the core is of its face where it is no farther below it than this times the largest coordinate. */
#ifdef COLLIDE_DOUBLE
#define CDI_CONVEX_FLAT 4.5474735088646412e-13 /* 2^-41 */
#else
#define CDI_CONVEX_FLAT 4.76837158203125e-7 /* 2^-21 */
#endif

/* Only the parts of its own kind are set. */
typedef struct cdi_convex {
    const cd_support *support;
    uint32_t vertex_count; /* 0 where vertices have no numbers */
    cdi_v3 center;         /* of the support, not stretched */
    bool stretched;        /* the core, before it is posed, by: */
    cdi_v3 stretch;
    bool direct;   /* a hull, not stretched */
    double radius; /* of the rounding */
    double own;    /* no coordinate of the core's points in its own frame is larger, */
    double reach;  /* nor of those in A's frame: what rounding is measured by */
    bool posed;    /* by `pose`, that of the body in A's frame */
    cdi_pose pose;
    cd_hull_parts hull;  /* of CD_SUPPORT_HULL; only what farthest points ask for */
    double blur;         /* of it, see cdi_hull_blur */
    bool slopes;         /* may it be climbed? */
    cd_dk_parts dk;      /* of CD_SUPPORT_DK */
    cdi_frustum frustum; /* of cylinders, cones, discs; a tapered capsule's point and ball: `end` and `r` */
    cdi_v3 middle;       /* oriented boxes, ellipsoids: the image of the cube or ball of half width 1 ... */
    cdi_m3 map;          /* ... under this, about it; rectangles: a corner, and both edges */
} cdi_convex;

/* A point of B - A, w = b - a, and what it is made of. The numbers are CD_NONE where a body is curved or the
 * caller's function has none. */
typedef struct cdi_tip {
    cdi_v3 w, a, b;
    uint32_t vertex_a, vertex_b;
} cdi_tip;

CDI_INLINE cdi_v3 cdi_stretched(cdi_v3 p, cdi_v3 by) {
    return cdi_v3_make(p.x * by.x, p.y * by.y, p.z * by.z);
}

/* A point of the core in its own frame. */
CDI_INLINE cdi_v3 cdi_convex_center(const cdi_convex *b) {
    return b->stretched ? cdi_stretched(b->center, b->stretch) : b->center;
}

/* -1 where corners of faces go around the other way when stretched so. */
CDI_INLINE double cdi_stretch_sign(cdi_v3 by) {
    return ((by.x < 0.0) ^ (by.y < 0.0) ^ (by.z < 0.0)) ? -1.0 : 1.0;
}

/* What a support is stretched by: false where it is not, or not valid; `valid` tells. */
CDI_FN bool cdi_stretch_of(const cd_support *s, cdi_v3 *by, bool *valid);

/* The two, A at rest; the supports must stay. */
typedef struct cdi_couple {
    cdi_convex a, b;
    double scale;   /* of the larger reach: rounding errors are this times 2^-50 or so */
    double rounded; /* the sum of both radii */
} cdi_couple;

/* False when a body or the pose is not valid. */
CDI_FN bool cdi_convex_open(cdi_convex *out, const cd_support *s, const cd_transform *pose);
CDI_FN bool cdi_couple_open(cdi_couple *out, const cd_support *a, const cd_support *b,
                            const cd_transform *b_in_a);

/* The same with both posed in one frame; NULL: in its own. B is always one that can be moved. Poses are finite. */
CDI_FN bool cdi_couple_open_posed(cdi_couple *out, const cd_support *a, const cdi_pose *a_pose,
                                  const cd_support *b, const cdi_pose *b_pose);

/* Bodies opened one by one, each in a pose of its own where it was placed after it was opened without one. False where there is no couple. */
CDI_FN void cdi_convex_place(cdi_convex *body, const cdi_pose *pose);
CDI_FN bool cdi_couple_join(cdi_couple *pair);

/* Moves B; for a transform that cannot be told apart from the one it was opened with, the same bits as opening it so. */
CDI_FN void cdi_couple_move(cdi_couple *pair, const cdi_pose *b_in_a);

/* The core's farthest point along a direction of A's frame, in A's frame; `vertex` is a hint, any number, and then the vertex. A point of
 * the core up to rounding, as far as any up to the rounding of doubles. For zero, NaN and infinity, any point of the core. */
CDI_FN cdi_v3 cdi_convex_farthest(const cdi_convex *body, cdi_v3 dir, uint32_t *vertex);

/* The vertex of a number, in A's frame, the same bits as when it was the farthest; false where there is none. */
CDI_FN bool cdi_convex_vertex(const cdi_convex *body, uint32_t vertex, cdi_v3 *out);

/* The least feature that holds all of some vertices: see CD_FEATURE for the numbers; of clouds of more than four points, hierarchies and
 * the caller's own, which tell no edges or faces, only vertices; of hulls the edge is the smaller of its half-edges; of points with a radius, face 0. CD_FEATURE_NONE where
 * they are CD_NONE, and where no feature holds them. Numbers may repeat, and come in any order. */
CDI_FN uint32_t cdi_convex_feature(const cdi_convex *body, const uint32_t *vertices, int count);

/* The same for a point between vertices, core and A's frame; on a hull whose faces are level but for rounding, so that no one has all of them,
 * the face that the point is on. */
CDI_FN uint32_t cdi_convex_feature_at(const cdi_convex *body, const uint32_t *vertices, int count, cdi_v3 p);

/* The normal of a hull's face in A's frame, unit. */
CDI_FN cdi_v3 cdi_convex_face_normal(const cdi_convex *body, const cd_hull_face *face);

/* The point of B - A that is least along `dir` (of any length but 0): the farthest of A, the farthest of B the other way. The vertices in `out`
 * are hints, CD_NONE for none. */
CDI_FN void cdi_couple_least(const cdi_couple *pair, cdi_v3 dir, cdi_tip *out);
CDI_FN void cdi_couple_least_along(const cdi_couple *pair, const cdi_v3 *way, cdi_tip *out);
