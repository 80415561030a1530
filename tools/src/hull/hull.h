#pragma once
/* hull: a convex hull as a polyhedron (Ericson 3.9, 9.1), and what it is made of.
 *
 * A hull is one block of memory without pointers: it can be copied, written to a file and mapped back. Its faces are
 * polygons in half-edge form; corners are in the order of a space-filling curve, so that neighbours are near each other
 * in memory. The hull of points in a plane has two faces, front and back; that of points in a line two half-edges and no
 * face; that of one point neither. V - E + F is 2 for dimensions 2 and 3.
 *
 * Queries only read the hull, allocate nothing and may run on many threads at once. A zeroed `cd_hull` is the empty hull. */

#include "core/allocator.h"
#include "core/status.h"
#include "shape/linear.h"
#include "shape/volume.h"

/// A hull: one block of memory, and who owns it.
typedef struct cd_hull {
    const void *block;
    size_t bytes;
    cd_allocator allocator; ///< what gave the block; of no meaning in a view
    uint32_t owned;         ///< 1 when cd_hull_destroy gives the block back, 0 in a view
} cd_hull;

/// One side of an edge. The half-edges of a face follow each other, counter-clockwise from outside.
typedef struct cd_half_edge {
    uint32_t origin; ///< the vertex where it starts
    uint32_t twin;   ///< the half-edge of the other side
    uint32_t face;   ///< the face to its left; CD_NONE in a hull of dimension 1
} cd_half_edge;

/// A face: the half-edges `first` to `first + count - 1`, at least three.
typedef struct cd_hull_face {
    cd_plane plane; ///< unit normal, outward; no vertex is in front by more than the rounding of n and d
    uint32_t first, count;
} cd_hull_face;

/// What a hull is made of; the pointers are into its block.
typedef struct cd_hull_parts {
    int32_t dimension; ///< -1 for the empty hull, 0 a point, 1 a segment, 2 a polygon, 3 a body
    uint32_t vertex_count, half_edge_count, face_count;
    const cd_vec3 *vertices;
    const uint32_t *sources;  ///< of each vertex: which point it is, of equal ones the first; or CD_NONE
    const uint32_t *outgoing; ///< of each vertex: a half-edge from it; CD_NONE in a hull of dimension 0
    const cd_half_edge *half_edges;
    const cd_hull_face *faces;
    /// after merging or rounding: no point is farther from its plane, nor outside, but for rounding
    cd_real flatness;
    cd_real deviation; ///< after simplifying or rounding: no point of one hull is farther from the other
    cd_vec3 center;    ///< the mean of the vertices, a point inside
    cd_real reach;     ///< the largest magnitude of a coordinate
    uint32_t row_count;
    /// the vertices again, each row eight x, eight y, eight z: number i of row r is vertex i * row_count + r, or the last
    const cd_real *rows;
    /// of each vertex, and one more: where in `neighbours` its own begin; NULL in a hull of few vertices
    const uint32_t *neighbour_starts;
    const uint32_t *neighbours; ///< the other ends of its edges, around it from `outgoing`
} cd_hull_parts;

/// The parts of a hull. Cost: constant.
CD_API cd_hull_parts cd_hull_get_parts(const cd_hull *hull);

/// The half-edge after `half_edge` in its face.
CD_API uint32_t cd_hull_next(const cd_hull_parts *parts, uint32_t half_edge);

/// The half-edge before `half_edge` in its face.
CD_API uint32_t cd_hull_previous(const cd_hull_parts *parts, uint32_t half_edge);

/// The faces as triangles, three vertices of the hull each, counter-clockwise from outside; fans from the first corners.
///
/// Returns how many there are and fills at most `capacity` of them (3 `capacity` indices; NULL with 0).
CD_API size_t cd_hull_triangles(const cd_hull *hull, uint32_t *indices, size_t capacity);

/// The vertex farthest along a direction of any length; CD_NONE for the empty hull, vertex 0 for NaN or infinity.
///
/// Class: exact. Of vertices that are exactly as far, the one with the largest x, then y, then z; so for zero, too. Cost: hulls of few
/// vertices, and such with a flatness other than 0, are looked at in full, eight vertices at once; large ones are climbed from an entry
/// near by, about the square root of the number of vertices (Ericson 9.5.4).
CD_API uint32_t cd_hull_support(const cd_hull *hull, cd_vec3 direction);

/// The same vertex, looked for from `hint`: in a large hull, fast when that was the farthest along a similar direction ("vertex caching").
/// Any number is allowed, CD_NONE for no hint.
CD_API uint32_t cd_hull_support_from(const cd_hull *hull, cd_vec3 direction, uint32_t hint);

/// The bounding box of a hull.
CD_API cd_aabb cd_hull_bounds(const cd_hull *hull);

/// Gives the hull's memory back and leaves the empty hull; an empty hull or a view may be destroyed too.
CD_API void cd_hull_destroy(cd_hull *hull);

/// A hull in bytes that were a hull's block, without copying: `bytes` must be aligned to 64 and outlive the view.
///
/// All rules of cd_hull_validate are checked: CD_CORRUPT where one is broken, CD_UNSUPPORTED for a
/// block of another version, byte order or number type, CD_INVALID_ARGUMENT for a bad alignment. Cost: linear. `out` is
/// the empty hull on failure.
CD_API cd_status cd_hull_view(cd_hull *out, const void *bytes, size_t size);

/// Checks the hull's own rules: counts and offsets, twins and loops, V - E + F = 2, finite numbers, unit normals, rows and neighbours; and, when its
/// flatness is 0, that faces are exactly flat and convex, and the body exactly convex at each edge. CD_OK or CD_CORRUPT. Cost: linear; allocates nothing.
CD_API cd_status cd_hull_validate(const cd_hull *hull);
