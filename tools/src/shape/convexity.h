#pragma once
/* convexity: is a quadrilateral, a polygon or a body convex (Ericson 3.7.1, 3.8.1)?
 *
 * Class of all: exact, for all finite numbers; NaN or infinity in: not convex. */

#include "core/allocator.h"
#include "shape/feature.h"
#include "shape/linear.h"

/// Is the quadrilateral a, b, c, d strictly convex?
///
/// It is when b and d lie on opposite sides of the diagonal from a to c, and a and c of the other one, each seen along
/// the normal of the triangle that the diagonal makes: for a planar one, when it is not a bow tie, not concave, and no three
/// corners are in line. For one that is not planar this is the definition.
CD_API bool cd_is_convex_quad(cd_vec3 a, cd_vec3 b, cd_vec3 c, cd_vec3 d);

/// Is the polygon convex? It may turn either way.
///
/// Runs of corners in line and repeated neighbouring corners are fine; a polygon without area is not convex, nor is one
/// that turns around more than once (the star of five points) or back on itself.
CD_API bool cd_is_convex_polygon(const cd_vec2 *v, size_t count);

/// The same for a polygon in space, whose corners are taken to lie in a plane: it is seen along the axis of the frame
/// that is nearest to the normal of its first corners that are not in line.
CD_API bool cd_is_convex_polygon3(const cd_vec3 *v, size_t count);

/// What keeps indexed triangles from being a convex body.
typedef enum cd_convexity_flaw {
    CD_CONVEXITY_MEMORY = 1, ///< nothing: the allocator gave no memory, or there is too much to count
    CD_CONVEXITY_INPUT,      ///< a triangle (the feature) has an index out of range, or a number not finite
    CD_CONVEXITY_DEGENERATE, ///< a triangle (the feature) has no area
    CD_CONVEXITY_OPEN,       ///< an edge (the feature) is not that of one other triangle, with the same front
    CD_CONVEXITY_REFLEX, ///< the triangles at an edge (the feature) form a hollow, or are folded onto each other
    CD_CONVEXITY_FLAT,       ///< there is no volume, or no triangle
    CD_CONVEXITY_INSIDE_OUT, ///< part of the body is in front of a triangle (the feature)
    CD_CONVEXITY_MULTIPLE    ///< each edge is as it should be, but the surface goes around more than once
} cd_convexity_flaw;

/// The first flaw that was found.
typedef struct cd_convexity {
    uint32_t flaw;    ///< of `cd_convexity_flaw`
    uint32_t feature; ///< a face or edge, see CD_FEATURE; or CD_FEATURE_NONE
} cd_convexity;

/// Are these triangles, three indices each, counter-clockwise from outside, the boundary of a convex body with volume?
///
/// Triangles may share a plane; every edge has to be used once in each direction (weld the corners first). Vertices that no
/// triangle uses are ignored. False with the first flaw in `out` (may be NULL), which is untouched when true. Flaws
/// are looked for in the order of their numbers from CD_CONVEXITY_INPUT on, features of one kind by their index.
/// Memory: (9 triangle_count + vertex_count) * 4 bytes from `allocator` (may be NULL). Cost: linear.
/// Source: the test of edges and one ray of Mehlhorn et al. 1999, "Checking geometric programs or verification of
/// geometric structures".
CD_API bool cd_is_convex_polyhedron(const cd_vec3 *vertices, size_t vertex_count, const uint32_t *triangles,
                                    size_t triangle_count, const cd_allocator *allocator, cd_convexity *out);
