#pragma once
/* shape: any of the library's shapes in one type, so that one call serves for any two.
 *
 * A `cd_shape` is a small value: the plain types are copied into it, the large ones (points, hulls, trees, compounds) are pointed at and
 * have to stay where they are, and as they are. Besides its geometry a shape has what the caller wants to hear about it in results: a number,
 * a material, layers for masks, a contact offset.
 *
 * Every convex one is a core, stretched by a scale and rounded by a radius (convex/support): about eight kinds of cores make all of them.
 * Meshes, height fields, compounds and classes are made of parts, each of which is convex: what is asked of such a shape is asked of the parts that
 * matter, and the answer is the best of theirs, of equal ones that of the smallest child and index. A mesh is a surface: its parts are triangles
 * without an inside; for the body that it bounds see any/solid. A half-space is n.x <= d, without end.
 *
 * Poses are as everywhere: B is given in its own frame, `b_in_a` leads to A's frame, NULL is the same frame, and answers are in A's frame.
 *
 * Which pairs can be asked what is told by cd_shape_can: the answer to a pair that cannot is CD_UNSUPPORTED, or false where there is no
 * status. Not valid (NaN, infinity, a negative radius, no points, a scale with a 0): CD_INVALID_ARGUMENT, or false; children of a compound
 * are looked at when they are met, so that one that is not valid may be passed over. */

#include "convex/manifold.h"
#include "convex/time_of_impact.h"
#include "hull/mass.h"
#include "query/hit.h"
#include "shape/kdop.h"
#include "tree/bvh_volume.h"
#include "tree/heights.h"

/// What a shape is.
typedef enum cd_shape_type {
    CD_SHAPE_NOTHING = 0, ///< not valid
    CD_SHAPE_POINT,
    CD_SHAPE_SEGMENT,
    CD_SHAPE_TRIANGLE,
    CD_SHAPE_POLYGON, ///< convex: `count` corners in a plane, in order
    CD_SHAPE_TETRAHEDRON,
    CD_SHAPE_DISC,
    CD_SHAPE_SPHERE,
    CD_SHAPE_CAPSULE,
    CD_SHAPE_TAPERED_CAPSULE,
    CD_SHAPE_AABB,
    CD_SHAPE_OBB,
    CD_SHAPE_CYLINDER,
    CD_SHAPE_CONE,
    CD_SHAPE_ELLIPSOID,
    CD_SHAPE_LOZENGE,
    CD_SHAPE_KDOP,
    CD_SHAPE_HULL,
    CD_SHAPE_SUPPORT,   ///< the caller's own convex body, by a support function
    CD_SHAPE_HALFSPACE, ///< solid below a plane
    CD_SHAPE_MESH,      ///< the triangles of a tree, a surface
    CD_SHAPE_HEIGHTS,   ///< a height field, a surface
    CD_SHAPE_COMPOUND,  ///< shapes set in one frame
    CD_SHAPE_CLASS,     ///< the caller's own, by a table of functions
    CD_SHAPE_TYPES      ///< how many there are
} cd_shape_type;

struct cd_compound;
struct cd_shape_class;

/// A shape. The zero object is nothing; made by cd_shape_of_X, whose result may be altered: radius, scale and what follows.
typedef struct cd_shape {
    uint32_t type;  ///< of `cd_shape_type`
    uint32_t count; ///< of a polygon's corners
    /// of a rounding, besides that of spheres, capsules, lozenges, and the smaller one of tapered capsules; 0 or more
    cd_real radius;
    cd_real offset; ///< contacts take the surface to be this much farther out; may be below 0
    /// stretches about the frame's origin, before any rounding; zero: 1, 1, 1; see cd_shape_scaled
    cd_vec3 scale;
    uint64_t user; ///< the caller's
    uint32_t material;
    uint32_t layers; ///< a query whose mask has a bit of these passes over the shape
    union {
        cd_vec3 point;
        cd_segment segment;
        cd_triangle triangle;
        const cd_vec3 *points;
        cd_tetrahedron tetrahedron;
        cd_disc disc;
        cd_sphere sphere;
        cd_capsule capsule;
        cd_tapered_capsule tapered;
        cd_aabb aabb;
        cd_obb obb;
        cd_cylinder cylinder;
        cd_cone cone;
        cd_ellipsoid ellipsoid;
        cd_lozenge lozenge;
        cd_kdop_body kdop;
        const cd_hull *hull;
        cd_support support;
        cd_plane halfspace; ///< n.x <= d; n need not be unit
        struct {
            const cd_bvh *tree;        ///< of triangles, in any layout; or a height field
            const uint32_t *materials; ///< one a triangle, or NULL; height fields have their own
        } mesh;
        const struct cd_compound *compound;
        struct {
            const struct cd_shape_class *table;
            void *object;
        } custom;
    } u;
} cd_shape;

/// Told of one convex part after another: the shape, where it is in the frame of the whole (NULL: as it is), its number. False stops.
typedef bool (*cd_emit_part_fn)(void *context, const cd_shape *part, const cd_transform *pose,
                                uint32_t index);

/// What a class of the caller's own is able to do. All must answer the same for the same arguments.
typedef struct cd_shape_class {
    /// A box that holds the object.
    cd_aabb (*bounds)(void *object);
    /// Emits every convex part that may meet the box, in a fixed order; false when `emit` said so. Parts are convex shapes, half-spaces
    /// among them; they need to stay only during the call of `emit`.
    bool (*parts)(void *object, cd_aabb box, cd_emit_part_fn emit, void *context);
    /// Its mass at density 1; NULL: it has none (CD_UNSUPPORTED).
    cd_status (*mass)(void *object, cd_mass *out);
} cd_shape_class;

/// A point; with a radius a sphere.
CD_API cd_shape cd_shape_of_point(cd_vec3 p);
/// A segment.
CD_API cd_shape cd_shape_of_segment(const cd_segment *s);
/// A triangle: flat, with two sides.
CD_API cd_shape cd_shape_of_triangle(const cd_triangle *t);
/// A convex polygon, its corners in order around; not copied.
CD_API cd_shape cd_shape_of_polygon(const cd_vec3 *corners, uint32_t count);
/// A tetrahedron.
CD_API cd_shape cd_shape_of_tetrahedron(const cd_tetrahedron *t);
/// A disc: flat.
CD_API cd_shape cd_shape_of_disc(const cd_disc *d);
/// A sphere.
CD_API cd_shape cd_shape_of_sphere(cd_sphere s);
/// A capsule.
CD_API cd_shape cd_shape_of_capsule(const cd_capsule *c);
/// A tapered capsule.
CD_API cd_shape cd_shape_of_tapered_capsule(const cd_tapered_capsule *c);
/// An axis-aligned box.
CD_API cd_shape cd_shape_of_aabb(cd_aabb b);
/// An oriented box.
CD_API cd_shape cd_shape_of_obb(const cd_obb *b);
/// A cylinder.
CD_API cd_shape cd_shape_of_cylinder(const cd_cylinder *c);
/// A cone.
CD_API cd_shape cd_shape_of_cone(const cd_cone *c);
/// An ellipsoid.
CD_API cd_shape cd_shape_of_ellipsoid(const cd_ellipsoid *e);
/// A lozenge.
CD_API cd_shape cd_shape_of_lozenge(const cd_lozenge *l);
/// A k-DOP; neither it nor the set is copied. Slow: see cd_support_of_kdop.
CD_API cd_shape cd_shape_of_kdop(const cd_kdop *dop, const cd_kdop_set *set);
/// A hull; not copied.
CD_API cd_shape cd_shape_of_hull(const cd_hull *hull);
/// A convex body by its support, which is copied; what it points at is not.
CD_API cd_shape cd_shape_of_support(const cd_support *s);
/// A half-space: what is on or below the plane, n.x <= d.
CD_API cd_shape cd_shape_of_halfspace(const cd_plane *p);
/// The triangles of a tree, not copied; `materials` (one a triangle by its index) may be NULL.
CD_API cd_shape cd_shape_of_mesh(const cd_bvh *tree, const uint32_t *materials);
/// A height field; not copied.
CD_API cd_shape cd_shape_of_heights(const cd_bvh *tree);
/// A compound; not copied.
CD_API cd_shape cd_shape_of_compound(const struct cd_compound *compound);
/// An object of a class.
CD_API cd_shape cd_shape_of_class(const cd_shape_class *table, void *object);

/// The same shape stretched along the axes of its frame, about the origin; factors may be negative (mirrored), not 0.
///
/// A scale is uniform when its factors differ in their signs at most: it goes into all radii (but not into `offset`). Under others a sphere
/// becomes an ellipsoid, and what is rounded in another way (capsules, lozenges, anything with a radius) is CD_UNSUPPORTED: roundings are
/// round. Half-spaces are turned, radius and all. Where that is as good, the shape's own numbers are multiplied, rounded once; else `scale` is. Compounds
/// and classes are scaled as a whole, where that can be done to each part that is met.
/// CD_INVALID_ARGUMENT: a shape that is not valid, or a factor that is 0 or not finite; CD_TOO_LARGE: a number leaves the range. `out` is zero then.
CD_API cd_status cd_shape_scaled(const cd_shape *s, cd_vec3 scale, cd_shape *out);

/// Is it a shape that queries take? Cost: constant, for points linear; compounds are looked at child by child.
///
/// Of trees only what they are over is looked at, and of classes that there are `bounds` and `parts`. A k-DOP without a point is not valid.
CD_API bool cd_shape_is_valid(const cd_shape *s);

/// Is it one convex, bounded body: anything but half-spaces, meshes, height fields, compounds, classes?
CD_API bool cd_shape_is_convex(const cd_shape *s);

/// A convex shape as a support, which points into `s`; nothing for others.
CD_API cd_support cd_shape_as_support(const cd_shape *s);

/// The name of a type, as "tapered capsule"; never NULL.
CD_API const char *cd_shape_type_name(uint32_t type);
