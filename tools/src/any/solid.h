#pragma once
/* solid: bodies that meshes bound: is a point inside, do two of them overlap, how far are they apart or how deep in each other?
 *
 * A body is what a closed mesh surrounds, and its surface. Inside is where the winding number (tree/bvh_winding) is at least 0.5, so that
 * meshes need not be perfect: small holes, pieces that overlap and pieces in pieces are fine, fronts have to look outward. A height field is
 * the body below its surface, however deep down, where it has triangles. A tree without winding numbers has a surface and no inside.
 *
 * Two bodies overlap in one of two ways: their surfaces meet, which is decided exactly, triangle by triangle, as in tree/bvh_collide; or a piece
 * of one is inside the other, which a point of each such piece tells: all those are found, however many pieces there are. Below, B lies in A's frame at
 * `b_in_a` (NULL for the same frame), its corners taken there once by cd_transform_point.
 *
 * What the book has for convex bodies (9.3.8) is asked here of any: a single number for how deep two bodies are in each other hardly says
 * anything for a duct that goes through a wall. So there are three measures: how deep a point of one surface lies in the other body (here),
 * how far one has to go along a direction until the other lets it go, or along the best of many (any/solid_depth), and how far the overlap
 * reaches along a direction, the thickness of the wall (any/solid_contact).
 *
 * Nothing is allocated. Stack, measured (gcc -O2, floats): 18 KiB; cd_solid_depth with a tolerance 23; with doubles up to 24. */

#include "core/status.h"
#include "tree/bvh_collide.h"
#include "tree/bvh_winding.h"
#include "tree/heights.h"

/// A body: a tree over its triangles, in any layout, and their winding numbers; for a height field these are not needed.
typedef struct cd_solid {
    const cd_bvh *tree;
    const cd_bvh_winding *winding; ///< NULL: there is no inside
} cd_solid;

/// A tree, with its winding numbers or NULL, as a body; neither is copied.
CD_API cd_solid cd_solid_of(const cd_bvh *tree, const cd_bvh_winding *winding);

/// Is it one that can be asked: triangles, and winding numbers of that tree or none? An empty tree is nothing, and valid.
CD_API bool cd_solid_is_valid(const cd_solid *s);

/// Is the point in the body? On the surface of a mesh either may be answered. Class: tolerant, as cd_bvh_test_point_inside.
CD_API bool cd_solid_test_point(const cd_solid *s, cd_vec3 p);

/// The signed distance to the surface, below 0 inside; as cd_bvh_signed_distance, for height fields too.
CD_API bool cd_solid_signed_distance(const cd_solid *s, cd_vec3 p, cd_real max_distance, cd_closest *out,
                                     cd_real *distance);

/// Options of the calls for two bodies; the zero object is the default, and NULL stands for it. Each call says what it reads.
typedef struct cd_solid_options {
    uint32_t max_iterations; ///< 0 for each call's own
    cd_real tolerance;       ///< what is no deeper in the other than this counts as touching; not below 0
    cd_real max_distance;    ///< where above 0: what is farther apart is not looked at
    /// masks and a filter: which pairs of triangles count; what is inside is asked of the whole bodies
    cd_bvh_pair_options pairs;
} cd_solid_options;

/// Do they overlap? Touching counts. `pair`, which may be NULL, takes two triangles that meet; CD_NONE twice where one body is in the other.
///
/// False for what is not valid, NaN and infinity in the pose. Read of the options: pairs. Class: exact where surfaces meet; else
/// tolerant: pieces thinner than 16 units in the last place of the coordinates are not looked for inside the other.
/// Cost: that of cd_bvh_test_bvh, and where no triangles meet a few points of each body, more of them the more of it comes close to the other.
CD_API bool cd_solid_test(const cd_solid *a, const cd_solid *b, const cd_transform *b_in_a,
                          const cd_solid_options *options, cd_pair *pair);

/// How two bodies lie.
typedef enum cd_solid_relation {
    CD_SOLID_APART = 0,
    CD_SOLID_TOUCHING = 1, ///< surfaces meet, and nothing is deeper in the other than the tolerance
    CD_SOLID_CROSSING = 2, ///< surfaces meet, and something is
    CD_SOLID_B_IN_A = 3,   ///< a piece of B is in A; surfaces do not meet
    CD_SOLID_A_IN_B = 4    ///< a piece of A is in B; surfaces do not meet
} cd_solid_relation;

/// The answer of cd_solid_clearance.
typedef struct cd_solid_gap {
    cd_status status;  ///< CD_NOT_CONVERGED: `gap` still holds
    uint32_t relation; ///< of `cd_solid_relation`
    cd_real distance;  ///< apart: that of the surfaces; else 0, or minus the depth of the deepest point found
    /// where below 0: nothing is deeper than -distance + gap, unless that is below the tolerance
    cd_real gap;
    cd_vec3 a,
        b; ///< apart: the nearest points of the surfaces; else the deepest point of the one, and the nearest of the other's surface
    cd_pair pair; ///< the triangles they are on; CD_NONE where there are none
} cd_solid_gap;

/// How far apart they are, or how deep in each other, and which of the two: to be told what clashes from what only touches.
///
/// The depth is that of the deepest point of either surface, as the way from there to the nearest point of the other's: for a bolt through a plate half
/// the plate's thickness at most. It is found to a 64th of itself. A tolerance of 0 stands for 16 units in the last place of the largest
/// coordinate, which is what rounding makes of bodies that are set side by side. Nothing within max_distance: apart, with that distance
/// and points of zeros. An empty body: apart, infinitely far. CD_INVALID_ARGUMENT: not valid, NaN or infinity, a tolerance below 0; `distance` is NaN.
/// Read of the options: all; pairs do not matter to the depth. max_iterations: points that are measured, 0 for 16384.
/// Class: exact as to whether surfaces meet, else tolerant. Cost: that of cd_bvh_closest_bvh when apart; else some hundred distances of points
/// to a mesh, thousands where large faces lie on each other.
CD_API cd_solid_gap cd_solid_clearance(const cd_solid *a, const cd_solid *b, const cd_transform *b_in_a,
                                       const cd_solid_options *options);
