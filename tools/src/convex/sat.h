#pragma once
/* sat: the separating-axis test of convex polyhedra (Ericson 5.2.1): which axis parts two of them best, and by how much.
 *
 * Two convex polyhedra are apart where some axis parts them: one of the normals of their faces, or of those across an edge of each. Along
 * each the separation is measured: above 0 it is a way between them, below 0 minus how far they overlap. The greatest separation of
 * those that overlap is minus their depth, exactly: the least way that parts them. Of those that are apart it is a lower bound of their
 * distance, and of the distance itself where a face is nearest to what it parts from.
 *
 * What an axis says is measured on all of both bodies: so nearly parallel edges, whose cross product is mostly rounding, cannot say
 * what is not so, and an edge pair is only taken where it is better than a face by more than rounding. Across edges only
 * those pairs are looked at whose normals can be shared (the arcs on the ball of normals cross: Gregorius 2013); and only those faces and
 * edges that could be better than the best so far.
 *
 * The bodies may be of any dimension: boxes with half extents of 0, triangles, segments and points, hulls that are flat. Where both
 * are in one plane the borders in that are axes, too.
 *
 * `b_in_a` is the pose of B in the frame of A, NULL for the same frame; answers are in A's frame. Class: tolerant: the separation within
 * 1e-6 (double build 1e-12) of the size of the two and the way between their middles; a hull with `flatness` above 0 is the convex hull of
 * its vertices, told apart where the planes of its faces or its edges do (see cd_hull3_build), and the depth right within that. Bad input,
 * and the empty hull: status CD_INVALID_ARGUMENT, and tests are false. No routine takes memory. */

#include "convex/separation.h"
#include "convex/support.h"

/// Which axis it is; of `cd_sat_axis.kind`.
typedef enum cd_sat_kind {
    CD_SAT_NONE = 0,
    CD_SAT_FACE_A, ///< the normal of a face of A
    CD_SAT_FACE_B, ///< of a face of B
    CD_SAT_EDGES,  ///< across an edge of each
    CD_SAT_BORDER  ///< of flat things: in their common plane, or on their common line
} cd_sat_kind;

/// The axis of the greatest separation. `feature_a` and `feature_b` are the face or the edges that it goes by, see CD_FEATURE (of a hull's
/// edge the smaller number of its two half-edges; of an edge that merging has taken away, the face that it was in); of the other body a
/// farthest vertex.
typedef struct cd_sat_axis {
    cd_status status;
    uint32_t kind;      ///< of `cd_sat_kind`
    cd_real separation; ///< > 0 apart by this along the normal; else minus the depth
    cd_vec3 normal;     ///< unit, from A to B
    cd_vec3 a, b; ///< points of the two bodies' planes or edges, b - a = separation * normal but for rounding
    uint32_t feature_a, feature_b;
    uint32_t tried; ///< how many axes were measured
} cd_sat_axis;

/// The axis of the greatest separation of two hulls.
///
/// `cache` may be NULL; else the axis of the call before is measured first, which makes this one quick where little has moved, and of
/// axes that are as good it is kept. Of several that are as good else: faces before edges, those of A first. Where the bodies overlap, `a` and
/// `b` are on them; but for edges as good as parallel, and faces taken for edges that are better by rounding only: there one of the points may
/// be beyond its body's edge. Cost: linear in faces and edges where the bound of the best so far leaves few of them, which is so for most.
/// Of hulls with a `flatness` all pairs of edges are looked at, and of diagonals that would be edges were faces not merged.
CD_API cd_sat_axis cd_sat_hull_hull(const cd_hull *a, const cd_hull *b, const cd_transform *b_in_a,
                                    cd_cache *cache);

/// The axis of the greatest separation of two oriented boxes, taken literally: of all 15, both ways.
///
/// Half extents may be 0. Source: Ericson 4.4.1.
CD_API cd_sat_axis cd_sat_obb_obb(const cd_obb *a, const cd_obb *b, const cd_transform *b_in_a,
                                  cd_cache *cache);

/// The axis of the greatest separation of any two of: hulls, boxes, rectangles, tetrahedra, triangles, segments, points.
///
/// Rounded and curved cores, tetrahedra whose corners are in a plane and more than four loose points: CD_UNSUPPORTED.
CD_API cd_sat_axis cd_sat_convex(const cd_support *a, const cd_support *b, const cd_transform *b_in_a,
                                 cd_cache *cache);

/// Do two hulls meet: does no axis part them? Stops at the first that does, which the cache keeps.
///
/// Touching counts; so does a gap that is below 2^-43 of the size of the two and the way between them.
CD_API bool cd_sat_test_hull_hull(const cd_hull *a, const cd_hull *b, const cd_transform *b_in_a,
                                  cd_cache *cache);

/// Do two oriented boxes meet? As for hulls.
CD_API bool cd_sat_test_obb_obb(const cd_obb *a, const cd_obb *b, const cd_transform *b_in_a,
                                cd_cache *cache);

/// Do any two meet? As for hulls; false for what cd_sat_convex does not take.
CD_API bool cd_sat_test_convex(const cd_support *a, const cd_support *b, const cd_transform *b_in_a,
                               cd_cache *cache);
