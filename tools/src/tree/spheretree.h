#pragma once
/* spheretree: trees of spheres over a mesh (Ericson 6.4.3 to 6.4.5).
 *
 * Three builders decide which triangles come together; each node then gets a sphere around its
 * triangles, some 2 % larger than the smallest. So a
 * sphere is never smaller than its triangles need: a mesh whose triangles are large beside the spheres that are wanted is to be divided
 * first. Queries of a cd_bvtree are exact, whichever builder it was.
 *
 * Beside that the spheres themselves are of use: those of a level cover the whole surface, coarsely near the root, so that two
 * trees may be compared for as long as there is time (Hubbard 1996). Levels count from 0, the root; a leaf stands on all
 * levels below its own. */

#include "core/executor.h"
#include "core/transform.h"
#include "shape/mesh_view.h"
#include "tree/bvh_build.h"
#include "tree/bvtree.h"

/// How a sphere tree is built.
typedef enum cd_spheretree_method {
    CD_SPHERETREE_PRUNED =
        0, ///< spheres about surface and inner points, eight chosen a node: the closest fit with few spheres
    CD_SPHERETREE_OCTREE = 1, ///< the octants of an octree that have surface in them: the fastest
    CD_SPHERETREE_COVER = 2   ///< two halves of the small spheres that cover the surface
} cd_spheretree_method;

/// Options of a build; the zero object is the default, and NULL stands for it.
typedef struct cd_spheretree_options {
    uint32_t flags;     ///< CD_BVH_SKIP_INVALID
    uint32_t method;    ///< of `cd_spheretree_method`
    uint32_t leaf_size; ///< the most triangles in a leaf, 1 to 64; 0 stands for 1
    cd_real radius; ///< CD_SPHERETREE_COVER: of the small spheres; 0: so that there are about four a triangle
    const uint32_t *masks; ///< one for each triangle, for queries' `ignore_mask`; NULL: none
    cd_allocator allocator;
    cd_executor executor;
} cd_spheretree_options;

/// Builds a tree of spheres; it keeps its own copy of the triangles.
///
/// - CD_SPHERETREE_OCTREE (6.4.3; Palmer and Grimsdale 1995, Hubbard 1996): a triangle belongs to the octant of its middle, octants
///   without any are pruned, and up to eight with some are the children.
/// - CD_SPHERETREE_COVER (6.4.4; Quinlan 1994): every triangle is covered with small spheres (as cd_spheretree_cover, 64 at most), and
///   these are cut at the mean of their centres across the longest side of the box around them; two children a node.
/// - CD_SPHERETREE_PRUNED (6.4.5; "expand and select" of Bradshaw and O'Sullivan 2004): see sphere_prune; up to eight children.
///
/// Errors, progress and executor: as cd_bvh_build_mesh; the same bytes on every machine and for every executor. No input makes it
/// quadratic or the tree deeper than 80. Cost: about count log count; the octree is about twice as fast as the cover and three times as
/// fast as pruned spheres. Of a bumpy ball of 19200 triangles the eight spheres of the first level have a volume of 18.7 when pruned, 21.5 in
/// the octree and 20.7 by the cover.
CD_API cd_status cd_spheretree_build_mesh(cd_bvtree *out, const cd_mesh_view *mesh,
                                          const cd_spheretree_options *options);

/// The spheres of a level: returns how many there are, and writes the first `capacity`.
///
/// Every triangle lies in at least one of them, exactly as they are stored. A level beyond the last (CD_NONE) is that of all leaves. Of a
/// tree of other volumes these are spheres around them. A radius beyond the range is infinite. Class: conservative.
CD_API size_t cd_spheretree_level(const cd_bvtree *tree, uint32_t level, cd_sphere *spheres, size_t capacity);

/// How well the spheres of a level fit.
typedef struct cd_spheretree_fit {
    uint32_t count;  ///< how many there are
    uint32_t levels; ///< no way down has more of them: level `levels` - 1 is that of all leaves
    cd_real radius;  ///< the largest one
    /// no point of a sphere whose centre is behind the surface is farther outside than this: the most of its radius less its centre's distance from its triangles
    cd_real sticks_out;
    cd_real volume; ///< of all together, what lies in several counted for each
} cd_spheretree_fit;

/// Measures a level; all zero for an empty tree. Class: tolerant. Cost: the triangles.
CD_API cd_spheretree_fit cd_spheretree_measure(const cd_bvtree *tree, uint32_t level);

/// What cd_spheretree_may_meet found.
typedef struct cd_spheretree_contact {
    cd_sphere a,
        b; ///< two spheres of the level that meet, both in A's frame; zero when there are none, or time ran out
    uint32_t tests;   ///< how many pairs of spheres were compared
    bool out_of_time; ///< the answer is true because `most_tests` were made
} cd_spheretree_contact;

/// May two trees meet, as far as the spheres down to a level tell? B lies in A's frame at `b_in_a`; NULL is the identity.
///
/// False: no two triangles meet, surely. True: two spheres of the level do, or `most_tests` were made before that was known; 0: no limit.
/// Asked for level 0, 1, 2 and so on, the answer gets better for as long as there is time for it (Hubbard 1996). False stands: now and then a
/// finer level, whose pairs are others, says true again. `contact` may be NULL.
/// A pose that is not finite meets nothing. Class: conservative.
CD_API bool cd_spheretree_may_meet(const cd_bvtree *a, const cd_bvtree *b, const cd_transform *b_in_a,
                                   uint32_t level, uint32_t most_tests, cd_spheretree_contact *contact);

/// Covers the surface of a mesh with spheres of a radius (6.4.4; Quinlan 1994): `*count` takes how many, of which the first `capacity` are
/// written.
///
/// Every point of every triangle is in one of the triangle's spheres: each is the smallest around a piece of it, no larger than `radius` but for
/// rounding (2e-15 of the largest coordinate, and that of the centre). A triangle is halved across its longest edge until that is so, 16 times at most: then they are larger. CD_INVALID_ARGUMENT: a radius that is not above 0, a view that cannot be
/// read, or a triangle that is not valid; CD_TOO_LARGE: a sphere beyond the range; `*count` is then 0.
CD_API cd_status cd_spheretree_cover(const cd_mesh_view *mesh, cd_real radius, cd_sphere *spheres,
                                     size_t capacity, size_t *count);
