#pragma once
/* boundary: do two convex polyhedra meet, by their boundaries (Ericson 9.1)?
 *
 * Where the surfaces of two polyhedra meet, an edge of the one meets a face of the other; where they do not, the one may hold the other,
 * which one vertex tells. Both ways are looked at: an edge may pass through a face while the other body's edges pass all faces by. What
 * the usual form of this test leaves open, corners against corners, edges within faces and faces on faces, is no matter
 * here: the tests of edges with faces are exact, and touching counts.
 *
 * It is the plain way to ask, and good as a reference: all edges of the one that come near the other are tried against all its faces. */

#include "core/transform.h"
#include "hull/hull.h"

/// Do two hulls meet? `b_in_a` is the pose of B in the frame of A, NULL for the same frame.
///
/// Closed sets: touching counts. Hulls of dimension 0 to 2 are their own boundaries. The empty hull meets nothing; NaN or infinity in the
/// pose: false. Class: exact without a pose, the same as cd_test_hull_hull; with one, for the surface of B's faces after its
/// vertices were posed and rounded as by cd_transform_point. Cost: edges times faces where they come near each other.
CD_API bool cd_test_polyhedron_boundary(const cd_hull *a, const cd_hull *b, const cd_transform *b_in_a);
