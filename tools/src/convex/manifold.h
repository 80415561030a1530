#pragma once
/* manifold: all of a contact: the points where two convex bodies touch, or nearly touch, or overlap (Ericson 9.5.3).
 *
 * The normal is that of cd_convex_distance. Across it each body has a face, an edge or a corner that is foremost; the two, seen along the
 * normal, have a polygon in common, the patch, and its corners are the points of the contact: a corner of A over a face of B, a corner
 * of B over a face of A, or an edge of each crossing. So a point is named by a feature of each body, and the name is the same
 * whichever body is asked first, and from step to step as long as it is the same two features. Curved bodies have patches, too: caps and
 * the sides of cylinders, cones and capsules touch along discs and lines, whose points are laid by the shape, not by the motion.
 *
 * Where corners and edges of both lie near each other, within 1/32 of the shortest edge of the two fronts, a point is named by both: corner on
 * corner, corner on edge. So names last in stacks, too, where which of two corners is inside the other's face changes with rounding. No two
 * points of a contact have the same name. With a cache the names of the call before are kept within twice or half that distance: they do not change
 * where bodies move by less than 1 % of that edge; but for crossings of edges that all but lie along each other, which move much farther than the
 * bodies do.
 *
 * All is in A's frame. Every point is a pair, one on the surface of each body, with its own distance along the normal; none is deeper than
 * the depth, and none is farther apart than the margin. The deepest is as deep as the depth: on rims of caps the place nearest to where that is moves
 * there and keeps its name; of round sides that lie along each other it is a third point.
 */

#include "convex/separation.h"
#include "convex/support.h"
#include "query/hit.h"

/// One point of a contact.
typedef struct cd_contact {
    cd_vec3 a, b;     ///< on the surface of A and of B: b - a = distance * normal but for rounding
    cd_real distance; ///< above 0 apart, below 0 minus how deep
    uint32_t feature_a,
        feature_b; ///< the name of the point, see CD_FEATURE; on what is curved: face 0, and the number of the point's place as vertex
} cd_contact;

/// How many points a manifold has at most.
#define CD_MANIFOLD_POINTS 4

/// The contact of two bodies, or of two parts of them.
typedef struct cd_manifold {
    cd_vec3 normal;                        ///< unit, from A to B
    uint32_t count;                        ///< of the points: 1 to CD_MANIFOLD_POINTS
    cd_contact points[CD_MANIFOLD_POINTS]; ///< the deepest is among them; in the order of the patch
    cd_part part_a,
        part_b; ///< of the deepest point; zero, but for a child of CD_NONE, where bodies have no parts
} cd_manifold;

/// Options of contacts; the zero object is the default, and NULL stands for it.
typedef struct cd_collide_options {
    uint32_t flags; ///< none as yet: 0
    /// points no farther apart than this count, too ("speculative"); 0: those that touch or overlap
    cd_real margin;
} cd_collide_options;

/// Told of one point after another; false stops.
typedef bool (*cd_visit_contact_fn)(void *user, const cd_manifold *manifold, const cd_contact *point);

/// The contact of two convex bodies; false, with `out` untouched, where they are farther apart than the margin, or not valid.
///
/// Of patches with more corners four are kept: the deepest, and those that together span the most of the patch, at least a quarter of it and
/// mostly nearly all. (Corners that would have one name are one here: a patch as narrow as names reach is a line, or a point.) With a cache those
/// of the call before stay while they span half of what others would, and no other is deeper by more than 1/256 of their spread. `b_in_a` NULL:
/// the same frame; `options` and `cache` may be NULL; a margin below 0 or NaN is 0.
/// Class: tolerant: the normal and depth as cd_convex_distance; points within 1e-6 (double build 1e-12) of the size of both bodies' surfaces.
/// Cost: that of cd_convex_distance and about as many steps as the two faces have corners; nothing is allocated. Stack: below 16 KiB (gcc -O2,
/// x86-64: 14, most of it for deep pairs).
/// Source: Ericson 9.5.3; Gregorius 2013, "The separating axis test between convex polyhedra"; Coumans 2006 on the reduction.
CD_API bool cd_collide_convex(const cd_support *a, const cd_support *b, const cd_transform *b_in_a,
                              const cd_collide_options *options, cd_cache *cache, cd_manifold *out);

/// All corners of the patch, one after another: `manifold` holds the normal, its points are not set. Answers how many were told.
CD_API size_t cd_collide_convex_all(const cd_support *a, const cd_support *b, const cd_transform *b_in_a,
                                    const cd_collide_options *options, cd_cache *cache,
                                    cd_visit_contact_fn visit, void *user);

/// The contact of two hulls, as cd_collide_convex.
CD_API bool cd_collide_hull_hull(const cd_hull *a, const cd_hull *b, const cd_transform *b_in_a,
                                 const cd_collide_options *options, cd_cache *cache, cd_manifold *out);

/// Leaves four of `count` points, or all where there are no more: returns how many, which come first then, in the order they had.
///
/// The deepest stays (of those equal within 2^-20, double build 2^-40, of how far the points spread the outermost), and with it those that span
/// much of the convex hull of all as seen along `normal`, at least a quarter of its area. Points of the same
/// place count once. Cost: linear.
CD_API uint32_t cd_contacts_reduce(cd_contact *points, uint32_t count, cd_vec3 normal);
