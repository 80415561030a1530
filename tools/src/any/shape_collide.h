#pragma once
/* shape_collide: contacts of any two shapes, without ghosts.
 *
 * A shape of many parts is one surface. What slides over it must not feel the seams: an edge between two triangles of a floor, or between
 * two boxes side by side, is not there for it, though each part alone has that edge. So the normal of a contact has to be one that the
 * surface has at that place: a plane through the point, across the normal, that no other part near it sticks out of. Where a part alone
 * would answer with another, that is turned to the nearest one that its neighbours leave, or its own face's normal is taken, and its points
 * along that. Contacts of equal normals are joined and reduced, as if the parts were one. Pieces that merely adjoin count as one surface, too:
 * nothing is precomputed, and separate shapes may be listed in a compound for the purpose.
 *
 * Parts adjoin where they are no farther apart than 1e-4 of the smaller of the part and of what meets it, or than rounding of their
 * coordinates may put them; a neighbour whose foremost point, seen from the contact, rises by less than an angle of 1e-5 is level (beside
 * a needle the normal may so lean by 1e-5 over the sine of its angle). A step or a groove that is larger is felt, as it is there. Where
 * parts overlap, a contact inside another part is none, unless there is no other; nor is one with a part that is hidden where it is met,
 * if the ways out that its neighbours tell lead out of it: in the corner of two walls those push, and not what is behind both. A
 * triangle that is met below the plane of another contact, while the surface rises in that plane into its way, is not met: walls inside
 * a floor made of the faces of boxes, or below one, are not felt by what stands on it a little deep. Triangles are left on
 * the side that is nearer, those of a mesh that are met at an edge, where that is not clear, by the front. At sharp edges,
 * deep in, the depth may be told some tenths too small: it is then measured along a normal of the place, which may not be the one of the
 * least depth of all. */

#include "any/options.h"

/// The contacts of two shapes: how many manifolds there are; the first `capacity` are written, the deepest first.
///
/// Two convex shapes: what cd_collide_convex (of boxes cd_collide_obb_obb) says, and `cache` helps; elsewhere it is left alone, and may be NULL. Else
/// a manifold for each normal: normals nearer than 1e-3 are joined where the parts' materials, users and children are the same; and parts of
/// a class with other indices stay apart. Of the points that are joined those that span the most are kept, and the deepest; of a rim
/// that stands as a whole its four even places, whichever is the deepest by a hair. Points of a mesh's triangles have the face's number
/// from the triangle's index i, those of edges and corners are 3 i and up, so that a name stays what it is while the deepest triangle
/// changes; an edge or corner that triangles share has a name in each, and what rests just on it may come by either (the name on the other
/// body stays). part_a, part_b and the normal are those of the deepest point; what is joined with it was found along a normal of its own,
/// no farther than 2e-3 from that, and is so much of its distance off it. With CD_SHAPE_ONE_SIDED triangles push to their fronts only: what
/// is behind is not met, what reaches through is to go back, however far.
///
/// Read of the options: flags, max_iterations, margin, masks, filter (asked about neighbours, too: those that are passed over hide nothing).
/// Distances are those of the surfaces less the offsets of the two parts, and it is these that the margin is about; points are on the surfaces.
/// 0 where nothing is within the margin, for two half-spaces (as parts of a compound such a pair tells nothing, others do), and for what is
/// not valid. Where `capacity` is below the number of manifolds, the deepest are kept; above eight, some that come again may then be counted
/// twice. Cost: for each pair of parts whose boxes meet about that of cd_collide_convex, at edges several times that; twice all of it
/// where a part may be left by what its neighbours tell, and again twice where a face may be below another; compounds are gone
/// through once for their offsets. Class: tolerant, as cd_collide_convex for each pair. Stack, measured (gcc
/// -O2, floats): 18 KiB for two convex shapes, 34 with a half-space, 36 for
/// meshes, 37 for compounds; with doubles 40.
CD_API size_t cd_shape_collide(const cd_shape *a, const cd_shape *b, const cd_transform *b_in_a,
                               const cd_shape_options *options, cd_cache *cache, cd_manifold *out,
                               size_t capacity);

/// All points of all patches, neither joined nor reduced, one after another; answers how many were told. Unless both are convex, or
/// ghosts are kept, all is asked twice, the filter too, as only then it is known which faces are below others. Stack: 37 KiB, with doubles 41.
CD_API size_t cd_shape_collide_all(const cd_shape *a, const cd_shape *b, const cd_transform *b_in_a,
                                   const cd_shape_options *options, cd_visit_contact_fn visit, void *user);
