#pragma once
/* vclip: the nearest features of two convex polyhedra by walking from feature to feature, as published, kept for comparison and
 * teaching (Mirtich 1998, "V-Clip: fast and robust polyhedral collision detection"; Ericson 9.2.1).
 *
 * Two features, one of each body, hold the nearest points when each point lies in the Voronoi region of the other's feature. Vertex,
 * edge and face give five states (two faces are never needed); each either finds that this holds, or names a neighbouring
 * feature that is nearer or of a lower dimension. An edge is judged by the part of it that is left when it is clipped by the planes
 * of a region, and by whether the distance falls toward an end of that part. Bodies that move little are at the same features as
 * before, or a few steps from them: the features are handed in and back.
 *
 * Class: classic. The distance is that of cd_gjk_distance, on whole numbers and with parallel faces, too, but for two kinds of hulls: with faces no
 * wider than rounding (of corners that should be one) the walk may go in circles, which its bound ends; and where faces were merged with a
 * flatness the regions do not fit together, and it may stop at features that are not the nearest. Where bodies meet it
 * ends at a vertex or an edge that is inside, but not with the depth that cd_convex_distance finds. COLLIDE_NO_CLASSIC
 * leaves this part out. */

#ifndef COLLIDE_NO_CLASSIC

#include "convex/separation.h"
#include "hull/hull.h"

/// Where a walk begins and ended: a feature of each hull, as CD_FEATURE numbers; zero: anywhere. Only a hint.
typedef struct cd_vclip_features {
    uint32_t a, b;
} cd_vclip_features;

/// What cd_vclip found.
typedef struct cd_vclip_report {
    /// CD_OK; CD_NOT_CONVERGED: all that follows is of the features at hand; CD_INVALID_ARGUMENT: all else is NaN or zero
    cd_status status;
    /// 1 when a vertex or edge of one is inside the other or touches it, by the features' planes
    uint32_t penetrating;
    cd_real distance; ///< of the features; penetrating: 0 or less, see cd_vclip
    cd_vec3 normal;   ///< unit, from A to B; penetrating: the face's; of edges and corners that touch, any
    cd_vec3 a, b;     ///< the nearest points of the features, in A's frame
    uint32_t feature_a, feature_b;
    uint32_t iterations; ///< features looked at in pairs
    uint32_t minima;     ///< local minima inside a face's region that were left for the outermost face
} cd_vclip_report;

/// The nearest features of two hulls, or two that penetrate.
///
/// `b_in_a` NULL: the same frame. `max_iterations` 0: 100 and the number of vertices, at most 16384. `features` may be NULL; numbers that the hulls
/// do not have count as zero. All dimensions are taken, from points to bodies; an empty hull or a pose that is not valid:
/// CD_INVALID_ARGUMENT. Penetrating: either a vertex is behind all faces of the other hull, and the distance is
/// minus its depth below the highest of these; or an edge crosses a face, and it is minus the depth of that end of its part within the face's prism
/// which is below. Both are local: not the least way that parts the bodies.
/// Class: classic. Cost: a few pairs of features with good hints, else their way across the hulls; nothing is allocated.
/// Source: Mirtich 1998; Ericson 9.2.1. Not as there: when an edge is beside a face's prism all edges of the face are looked at, as a
/// walk around it may end at the wrong one; and a vertex judges its edges by the slope that edges are judged by, not by heights, which may
/// contradict it.
CD_API cd_vclip_report cd_vclip(const cd_hull *a, const cd_hull *b, const cd_transform *b_in_a,
                                uint32_t max_iterations, cd_vclip_features *features);

#endif
