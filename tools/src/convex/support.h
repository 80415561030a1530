#pragma once
/* support: any convex body, told by its farthest point along a direction (Ericson 3.11, 9.5.3).
 *
 * A `cd_support` is a core, stretched along the axes of its frame, and a rounding radius: the body is all that is no farther than the radius
 * from the stretched core. It only points at the shape, which has to stay where it is, and as it is, as long as the support is used: its
 * center and radius are taken when it is made. Bodies of the caller's own are given by a function.
 *
 * A support of a shape that is not valid (NaN or infinity, negative radius or extent, no points) is the nothing: queries say
 * CD_INVALID_ARGUMENT, tests are false. So is one that a pose may bring beyond the range of doubles: what reaches, in the build
 * with doubles, beyond a quarter of the largest of them. */

#include "convex/dk_hierarchy.h"
#include "hull/hull.h"
#include "shape/cylinder.h"
#include "shape/ellipsoid.h"
#include "shape/kdop.h"
#include "shape/swept.h"

/// The point of a convex core that is farthest along `dir`, which is not zero, but of any length.
///
/// Returns the number of that vertex, or CD_NONE where the core has none; `hint` is a number that it returned for a similar direction, or
/// CD_NONE. Of points that are as far, any, but for the same direction always the same. Numbers
/// are below 2^30; a point that is NaN or infinite is taken for the center. Each query begins with asking for the
/// six farthest points along the axes.
typedef uint32_t (*cd_support_fn)(const void *user, cd_vec3 dir, uint32_t hint, cd_vec3 *out);

/// The kinds of cores; of `cd_support.kind`.
typedef enum cd_support_kind {
    CD_SUPPORT_USER = 0,  ///< what `fn` says
    CD_SUPPORT_POINT,     ///< `center` alone: with a radius, a sphere
    CD_SUPPORT_POINTS,    ///< `count` cd_vec3: segments, triangles, tetrahedra, polygons, any points
    CD_SUPPORT_AABB,      ///< a cd_aabb
    CD_SUPPORT_OBB,       ///< a cd_obb
    CD_SUPPORT_RECT,      ///< a cd_rect
    CD_SUPPORT_DISC,      ///< a cd_disc
    CD_SUPPORT_CYLINDER,  ///< a cd_cylinder
    CD_SUPPORT_CONE,      ///< a cd_cone
    CD_SUPPORT_ELLIPSOID, ///< a cd_ellipsoid
    CD_SUPPORT_HULL,      ///< a cd_hull
    CD_SUPPORT_DK,        ///< a cd_dk_hierarchy
    CD_SUPPORT_TAPERED,   ///< a cd_tapered_capsule without the smaller of its radii, which is the rounding
    CD_SUPPORT_KDOP,      ///< a cd_kdop_body
    CD_SUPPORT_NOTHING    ///< not valid
} cd_support_kind;

/// A convex body. The zero object is nothing.
typedef struct cd_support {
    uint32_t kind;     ///< of `cd_support_kind`
    uint32_t count;    ///< of the points
    const void *shape; ///< or what is handed to `fn`
    cd_support_fn fn;
    cd_vec3 center; ///< a point of the core, before it is stretched
    cd_real radius; ///< of the rounding, 0 or more
    /// stretches the core about its frame's origin, before it is posed and rounded; zero: 1, 1, 1
    cd_vec3 scale;
} cd_support;

/// A body of the caller's own: `center` is a point in it or on it.
CD_API cd_support cd_support_of_function(cd_support_fn fn, const void *user, cd_vec3 center, cd_real radius);

/// A point.
CD_API cd_support cd_support_of_point(cd_vec3 p);
/// A sphere, which is copied.
CD_API cd_support cd_support_of_sphere(cd_sphere s);
/// The convex hull of points, which need not be its corners. Where there are many, a cd_hull of them is faster.
CD_API cd_support cd_support_of_points(const cd_vec3 *points, size_t count);
/// A segment.
CD_API cd_support cd_support_of_segment(const cd_segment *s);
/// A triangle.
CD_API cd_support cd_support_of_triangle(const cd_triangle *t);
/// A tetrahedron.
CD_API cd_support cd_support_of_tetrahedron(const cd_tetrahedron *t);
/// A capsule: a rounded segment.
CD_API cd_support cd_support_of_capsule(const cd_capsule *c);
/// A tapered capsule, rounded by the smaller radius.
CD_API cd_support cd_support_of_tapered_capsule(const cd_tapered_capsule *c);
/// A k-DOP; one that is empty is nothing. Farthest points are linear programs (shape/kdop3d), some microseconds each: for many queries make
/// a hull of its corners (cd_kdop_vertices_dual, cd_hull3_build).
/// Queries of one take 15 KiB of stack more than of others, for the exact arithmetic of the programs.
CD_API cd_support cd_support_of_kdop(const cd_kdop_body *k);
/// An axis-aligned box.
CD_API cd_support cd_support_of_aabb(const cd_aabb *b);
/// An oriented box, with its axes as they are.
CD_API cd_support cd_support_of_obb(const cd_obb *b);
/// A rectangle.
CD_API cd_support cd_support_of_rect(const cd_rect *r);
/// A lozenge: a rounded rectangle.
CD_API cd_support cd_support_of_lozenge(const cd_lozenge *l);
/// A disc.
CD_API cd_support cd_support_of_disc(const cd_disc *d);
/// A cylinder.
CD_API cd_support cd_support_of_cylinder(const cd_cylinder *c);
/// A cone.
CD_API cd_support cd_support_of_cone(const cd_cone *c);
/// An ellipsoid.
CD_API cd_support cd_support_of_ellipsoid(const cd_ellipsoid *e);
/// A hull; the empty one is nothing.
CD_API cd_support cd_support_of_hull(const cd_hull *hull);
/// A hull by its hierarchy, with the hull's numbers of vertices; the empty one is nothing.
CD_API cd_support cd_support_of_dk_hierarchy(const cd_dk_hierarchy *hierarchy);

/// The same body rounded: grown by a radius of 0 or more; sums of radii are rounded up.
CD_API cd_support cd_support_rounded(const cd_support *s, cd_real radius);

/// The same core stretched about the origin of its frame, each axis by a factor that may be negative (mirrored), but not 0; the rounding
/// stays as it is. What was stretched before is stretched once more. Nothing, where a factor is or becomes 0 or not finite.
///
/// Numbers of vertices and features are those of the core as it was given.
CD_API cd_support cd_support_scaled(const cd_support *s, cd_vec3 scale);

/// Is it a body that queries take?
CD_API bool cd_support_is_valid(const cd_support *s);

/// The farthest point of the rounded body along a direction of any length but zero; the center for zero.
///
/// NaN or infinity in, nothing: NaN. Class: tolerant. Cost: that of its core: constant, for points linear, for hulls as cd_hull_support.
CD_API cd_vec3 cd_support_farthest(const cd_support *s, cd_vec3 dir);
