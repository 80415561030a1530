#pragma once
/* shape_collide: contacts of any two shapes, without ghosts.
 *
 * A shape of many parts is one surface. What slides over it must not feel the seams: an edge between two triangles of a floor, or between
 * two boxes side by side, is not there for it, though each part alone has that edge. So the normal of a contact has to be one that the
 * surface has at that place: a plane through the point, across the normal, that no other part near it sticks out of. Where a part alone
 * would answer with another, its own face's normal is taken, and its points along that. Contacts of equal normals are joined and reduced, as
 * if the parts were one. Pieces that merely adjoin count as one surface, too: nothing is precomputed, and separate shapes may be listed
 * in a compound for the purpose. */

#include "any/options.h"

/// The contacts of two shapes: how many manifolds there are; the first `capacity` are written, the deepest first.
///
/// A manifold for each normal (normals nearer than 1e-3 rad and parts of the same material, user and child are joined). Read of the options: flags, max_iterations, margin, masks,
/// filter. Distances are those of the surfaces less the offsets of the two parts, points are on the surfaces. `cache` helps where both are convex; elsewhere it
/// is left alone. 0 where nothing is within the margin, or the pair cannot be asked. Where `capacity` is too small, some of what is counted may be joined in a larger one.
CD_API size_t cd_shape_collide(const cd_shape *a, const cd_shape *b, const cd_transform *b_in_a,
                               const cd_shape_options *options, cd_cache *cache, cd_manifold *out,
                               size_t capacity);

/// All points of all patches, neither joined nor reduced, one after another; answers how many were told.
CD_API size_t cd_shape_collide_all(const cd_shape *a, const cd_shape *b, const cd_transform *b_in_a,
                                   const cd_shape_options *options, cd_visit_contact_fn visit, void *user);
