#pragma once
/* feature: the corners, edges and faces of shapes, as numbers. */

#include "core/config.h"

/// The kind of a boundary feature, in the two high bits of a feature number.
typedef enum cd_feature_kind {
    CD_FEATURE_NONE = 0, ///< the inside, or nothing
    CD_FEATURE_VERTEX = 1,
    CD_FEATURE_EDGE = 2,
    CD_FEATURE_FACE = 3
} cd_feature_kind;

/// A feature number: 2 bits kind, 30 bits index.
///
/// Triangle: vertices 0-2, edge i from vertex i to the next, face 0. Quadrilateral: vertices 0-3, edge i from vertex i to the
/// next, face 0 the half a, b, c, face 1 the half a, c, d. Planes and hulls: the face's own number. Segment: vertices 0 and 1, edge 0. Tetrahedron:
/// edges 0-2 as of the triangle of its first three corners, edge 3 + i from corner i to the last; face i is opposite
/// corner i. Box: vertices as in cd_obb_to_vertices; face 2 * axis + (1 for the positive side); edge 4 * (the axis that it
/// runs along) + (1 for the positive side of the lower one of the other two axes) + (2 for that of the higher one).
/// Indexed triangles: vertices and faces by their own numbers, edge 3 i + k from corner k of triangle i to the next.
/// Sphere, torus and plane: face 0.
#define CD_FEATURE(kind, index)   (((0u + (kind)) << 30) | (index))
#define CD_FEATURE_KIND(feature)  ((feature) >> 30)
#define CD_FEATURE_INDEX(feature) ((feature)&0x3FFFFFFFu)
