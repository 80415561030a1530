#pragma once
/* kdop: slab volumes and k-DOPs against points, rays, planes, each other and other volumes (Ericson 4.6.1-4.6.3).
 *
 * Two volumes whose slabs have the same directions are compared slab by slab: apart for sure when two slabs are, which is
 * all that is asked. Their order is that of the set, the most perpendicular first, so that most pairs apart are known to be
 * after three. Against other shapes, the shape's own k-DOP is compared: conservative, never false for things that meet. A
 * k-DOP against a polytope that needs no error on the safe side is a matter for algorithms on convex bodies in general.
 *
 * NaN, an empty volume, or a k-DOP of another set: false. */

#include "query/hit.h"
#include "shape/kdop_body.h"

/// Is the point in all slabs? Class: exact. True for no slabs.
CD_API bool cd_test_point_slabs(cd_vec3 p, const cd_slab *slabs, size_t count);

/// Could two slab volumes of the same directions, slab by slab, meet? The directions are taken from `a` alone, and are not
/// compared. Class: conservative, see above; for three perpendicular slabs (boxes of one frame) exact.
CD_API bool cd_test_slabs_slabs(const cd_slab *a, const cd_slab *b, size_t count);

/// Ray against a slab volume (Kay and Kajiya 1986), as the casts of query/cast.
///
/// `hit->feature` is a face, 2 i for the lower plane of slab i, 2 i + 1 for the upper. Class: tolerant, 8 units of double of
/// the largest coordinate; rays along a slab and starts are decided exactly. False for slabs that are not valid. None: false.
CD_API bool cd_cast_ray_slabs(const cd_ray *r, cd_real t_max, const cd_slab *slabs, size_t count,
                              const cd_cast_options *options, cd_hit *hit);

/// Segment against a slab volume.
CD_API bool cd_cast_segment_slabs(const cd_segment *s, const cd_slab *slabs, size_t count,
                                  const cd_cast_options *options, cd_hit *hit);

/// Line against a slab volume; none hits that is inside from end to end.
CD_API bool cd_cast_line_slabs(const cd_line *l, const cd_slab *slabs, size_t count,
                               const cd_cast_options *options, cd_hit *hit);

/// Is the point in the k-DOP? Class: exact.
CD_API bool cd_test_point_kdop(cd_vec3 p, const cd_kdop *dop, const cd_kdop_set *set);

/// Could two k-DOPs of one set meet? Class: conservative; compares at most k numbers (4.6.3).
CD_API bool cd_test_kdop_kdop(const cd_kdop *a, const cd_kdop *b);

/// The same for a pair that is asked again and again: begins with slab `*witness`, and leaves there the one that parts the
/// two, which is likely to part them next time. Any number will do at first.
CD_API bool cd_test_kdop_kdop_cached(const cd_kdop *a, const cd_kdop *b, uint32_t *witness);

/// Does the k-DOP meet the plane? Class: exact, by two linear programs.
CD_API bool cd_test_kdop_plane(const cd_kdop *dop, const cd_kdop_set *set, cd_plane plane);

/// Does the k-DOP meet the half-space behind the plane? Class: exact, by a linear program.
CD_API bool cd_test_kdop_halfspace(const cd_kdop *dop, const cd_kdop_set *set, cd_plane plane);

/// Could the k-DOP meet a sphere? Class: conservative: compares with the sphere's k-DOP.
CD_API bool cd_test_sphere_kdop(cd_sphere s, const cd_kdop *dop, const cd_kdop_set *set);

/// Could the k-DOP meet a box? Class: conservative, as cd_test_sphere_kdop; exact for boxes, when k is 6.
CD_API bool cd_test_kdop_aabb(const cd_kdop *dop, const cd_kdop_set *set, cd_aabb b);

/// Could the k-DOP meet an oriented box? Class: conservative, as cd_test_sphere_kdop.
CD_API bool cd_test_kdop_obb(const cd_kdop *dop, const cd_kdop_set *set, const cd_obb *b);

/// Could the k-DOP meet a triangle? Class: conservative, as cd_test_sphere_kdop.
CD_API bool cd_test_triangle_kdop(const cd_triangle *t, const cd_kdop *dop, const cd_kdop_set *set);

/// Ray against k-DOP: cd_cast_ray_slabs of its slabs.
CD_API bool cd_cast_ray_kdop(const cd_ray *r, cd_real t_max, const cd_kdop *dop, const cd_kdop_set *set,
                             const cd_cast_options *options, cd_hit *hit);

/// Segment against k-DOP.
CD_API bool cd_cast_segment_kdop(const cd_segment *s, const cd_kdop *dop, const cd_kdop_set *set,
                                 const cd_cast_options *options, cd_hit *hit);

/// Line against k-DOP.
CD_API bool cd_cast_line_kdop(const cd_line *l, const cd_kdop *dop, const cd_kdop_set *set,
                              const cd_cast_options *options, cd_hit *hit);
