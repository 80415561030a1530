#pragma once
/* euler: is a mesh of triangles a proper surface, and which one? Counted by Euler's formula (Ericson 12.6).
 *
 * For a surface of s pieces, g handles in all and h boundary curves, V - E + F = 2 (s - g) - h. Only indices count:
 * corners at one place with different indices are different, so weld them first. Positions are not looked at. */

#include "core/allocator.h"
#include "core/status.h"
#include "shape/feature.h"
#include "shape/mesh_view.h"

/// What keeps a mesh from being a closed surface with a consistent front, the worst first.
///
/// From CD_MESH_OPEN on it is a surface all the same, one with a boundary or with vertices to spare.
typedef enum cd_mesh_defect {
    CD_MESH_SOUND = 0,  ///< nothing
    CD_MESH_BAD_INDEX,  ///< a triangle (the feature) has an index out of range; it is left out of all counts
    CD_MESH_DEGENERATE, ///< a triangle (the feature) has a corner twice; it is left out of all counts
    CD_MESH_EDGE_CROWDED, ///< more than two triangles share an edge (the feature)
    CD_MESH_EDGE_TURNED,  ///< the fronts of the two triangles at an edge (the feature) are on opposite sides
    CD_MESH_VERTEX_PINCHED, ///< the triangles at a vertex (the feature) hang together in no single fan
    CD_MESH_OPEN,           ///< an edge (the feature) has one triangle only
    CD_MESH_UNUSED          ///< no triangle uses a vertex (the feature)
} cd_mesh_defect;

/// What a mesh consists of.
typedef struct cd_euler {
    uint32_t defect;  ///< the worst, of `cd_mesh_defect`
    uint32_t feature; ///< where it is first: a vertex, edge or face, see CD_FEATURE; or CD_FEATURE_NONE

    uint32_t vertices, edges, faces; ///< V, E, F: used vertices, edges, triangles that are counted
    uint32_t bad_indices, degenerate, crowded, turned, pinched, open,
        unused; ///< how often each defect occurs

    uint32_t pieces; ///< s: groups of triangles that hang together across edges
    /// groups of triangles that hang together at a vertex, across edges; V when none is pinched
    uint32_t fans;
    uint32_t loops;  ///< h: closed curves that the open edges form
    bool orientable; ///< could turning triangles around mend all turned edges? Crowded ones aside
    /// V - E + F; with the fans for V, that of the surface with its pinched vertices split
    int32_t characteristic;
    /// g, pinched vertices split; -1 where a crowded edge or a surface that is not orientable has none
    int32_t genus;
} cd_euler;

/// Counts what the mesh consists of, and names its worst defect.
///
/// A sound mesh has `defect` CD_MESH_SOUND: each edge has two triangles with the same front, each vertex one fan; the mesh is
/// then the boundary of solids as far as indices can tell, of as many pieces and handles as stated. That it does not
/// pass through itself, and that its front is outside, has to be asked of its positions (cd_mass_properties tells
/// the latter). Triangles that are there twice crowd their edges, or, where they have nobody else, turn or close them.
/// CD_INVALID_ARGUMENT: the view cannot be read; CD_TOO_LARGE: more than 2^30 vertices or 2^30 / 3 triangles, the bound
/// of feature numbers; CD_OUT_OF_MEMORY. `out` is zero then.
/// Memory: at most (17 triangles + vertices + 17) * 4 bytes from `allocator` (may be NULL). Cost: linear but for the forests of
/// union-find, whose paths are halved: n log n at most.
CD_API cd_status cd_mesh_euler(const cd_mesh_view *mesh, const cd_allocator *allocator, cd_euler *out);

/// One English sentence for a defect; never NULL, for any value.
CD_API const char *cd_mesh_defect_text(uint32_t defect);
