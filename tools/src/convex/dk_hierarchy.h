#pragma once
/* dk_hierarchy: nested convex polyhedra, for the farthest vertex in logarithmic time (Ericson 9.3.1).
 *
 * The finest level is a hull. Each coarser one is the hull of its vertices without some of few neighbours of which no two are
 * neighbours themselves, down to a dozen that are all looked at. Where v is the farthest vertex of a level, then at the next finer
 * one either v still is, or one of those that were taken out beside v: vertices farther than v hang together along
 * edges, so there is one at most. So all that is kept is, for each vertex, the neighbours that were taken out before it was.
 *
 * A hierarchy is one block of memory without pointers, as a hull is, and needs the hull no more. Queries only read it, allocate
 * nothing and may run on many threads at once. The zero object is the empty hierarchy.
 *
 * When to build one: where directions come without a good guess and hulls have more than 10^5 vertices; below that cd_hull_support finds
 * its way as fast, and where each direction is near the one before, cd_hull_support_from is faster for any number. What a hierarchy
 * has before them is that this holds for long and flat hulls, too.
 */

#include "hull/hull.h"

/// A hierarchy: one block of memory, and who owns it.
typedef struct cd_dk_hierarchy {
    const void *block;
    size_t bytes;
    cd_allocator allocator; ///< what gave the block; of no meaning in a view
    uint32_t owned;         ///< 1 when cd_dk_hierarchy_destroy gives the block back, 0 in a view
} cd_dk_hierarchy;

/// What a hierarchy is made of; the pointers are into its block.
///
/// Its own vertices are numbered from the coarsest level to the finest: those of level i are 0 to level_ends[i] - 1.
typedef struct cd_dk_parts {
    uint32_t vertex_count, level_count, link_count;
    /// how many the hull had: more where some were no corners of it, after merging of faces
    uint32_t hull_vertex_count;
    const uint32_t *level_ends; ///< level 0 is the coarsest
    const cd_vec3 *vertices;
    const uint32_t *numbers;     ///< of each vertex: its number in the hull
    const uint32_t *places;      ///< of each vertex of the hull: its number here, or CD_NONE
    const uint32_t *first_links; ///< vertex i has the links first_links[i] to first_links[i + 1] - 1
    /// of each vertex its neighbours in finer levels than its own, while it was there; rising
    const uint32_t *links;
    cd_real reach;  ///< the largest magnitude of a coordinate
    cd_vec3 center; ///< that of the hull
} cd_dk_parts;

/// Builds the hierarchy of a hull of any dimension; that of the empty hull is empty, and CD_OK.
///
/// Class: exact. A hull of merged faces stands for the exact hull of its vertices. CD_TOO_LARGE beyond 2^28 vertices,
/// CD_OUT_OF_MEMORY; `out` is empty on failure. Memory: about 46 bytes a vertex in the float build, 58 in the double build; some three
/// times as much more while it is being built. Cost: linear, with 0.3 of the vertices gone from level to level.
/// Source: Dobkin and Kirkpatrick 1983, 1990; O'Rourke, Computational Geometry in C, 7.10.
CD_API cd_status cd_dk_hierarchy_build(cd_dk_hierarchy *out, const cd_hull *hull,
                                       const cd_allocator *allocator);

/// Gives the memory back and leaves the empty hierarchy; an empty one or a view may be destroyed too.
CD_API void cd_dk_hierarchy_destroy(cd_dk_hierarchy *hierarchy);

/// The parts of a hierarchy. Cost: constant.
CD_API cd_dk_parts cd_dk_hierarchy_get_parts(const cd_dk_hierarchy *hierarchy);

/// The hull's vertex farthest along a direction of any length, of equal ones the one with the largest x, then y, then z: the
/// number that cd_hull_support gives. CD_NONE for the empty hierarchy; NaN or infinity in: vertex 0.
///
/// Class: exact. Cost: logarithmic; a vertex with very many neighbours, as the apex of a cone, costs up to their number where the way
/// leads by it.
CD_API uint32_t cd_dk_hierarchy_support(const cd_dk_hierarchy *hierarchy, cd_vec3 direction);

/// A hierarchy in bytes that were a hierarchy's block, without copying: `bytes` must be aligned to 64 and outlive the view.
///
/// CD_CORRUPT where a rule of cd_dk_hierarchy_validate is broken, CD_UNSUPPORTED for a block of another version, byte order or number
/// type, CD_INVALID_ARGUMENT for a bad alignment. Cost: linear. `out` is empty on failure.
CD_API cd_status cd_dk_hierarchy_view(cd_dk_hierarchy *out, const void *bytes, size_t size);

/// Checks all that queries rely on to end and to stay inside the block: counts, finite numbers, that numbers and places belong
/// together, that links lead to finer levels. Whether coordinates and links are those of a convex body it cannot tell: where they are not,
/// answers are wrong, but nothing worse. CD_OK or CD_CORRUPT. Cost: linear; allocates nothing.
CD_API cd_status cd_dk_hierarchy_validate(const cd_dk_hierarchy *hierarchy);
