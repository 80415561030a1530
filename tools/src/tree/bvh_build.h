#pragma once
/* bvh_build: building trees: top-down, bottom-up, by insertion (Ericson 6.2), linear, and made better afterwards.
 *
 * Every method makes the same kind of tree, and every query gives the same answers on all of them: what differs is how
 * long the build takes and how good the tree is. No input makes a build quadratic or a tree deeper than 80: what is too
 * deep or cannot be told apart is halved. */

#include "core/executor.h"
#include "shape/mesh_view.h"
#include "tree/bvh.h"

/// Bits of `cd_bvh_options.flags`.
typedef enum cd_bvh_flag {
    CD_BVH_SKIP_INVALID =
        1,             ///< leave out what is not finite, empty boxes, triangles with an index out of range
    CD_BVH_INDEXED = 2 ///< triangles share their corners as the mesh does: fewer bytes, somewhat slower
} cd_bvh_flag;

/// How a tree is built. By methods 0 to 7 up to `leaf_size` items are always a leaf, by 8 to 11 and by `optimise` only
/// where that is cheaper.
///
/// Bytes an item that a build takes at its peak, the tree among them, over boxes in wide nodes, in floats (doubles):
/// methods 0 to 7: 180 to 190 (305 to 315), 8 to 10 and any with `optimise`: 310 (470), 11: 280 (440).
typedef enum cd_bvh_method {
    CD_BVH_SAH_BINNED = 0, ///< top-down, surface area heuristic over up to 16 bins on each axis (Wald 2007)
    CD_BVH_SAH_SWEPT =
        1, ///< top-down, surface area heuristic at every item on each axis: slower, somewhat better
    CD_BVH_OBJECT_MEDIAN = 2,  ///< top-down, half of the items on each side
    CD_BVH_OBJECT_MEAN = 3,    ///< top-down, at the mean of the items' middles
    CD_BVH_SPATIAL_MEDIAN = 4, ///< top-down, at the middle of the middles' extent
    CD_BVH_BOX_MIDDLE =
        5, ///< top-down, at the middle of the box, by where the middle of the projection falls (the article)
    CD_BVH_CANDIDATES = 6, ///< top-down, the cheapest of `candidates` evenly spaced planes, by surface area
    CD_BVH_LINEAR = 7,     ///< along a Morton curve: the fastest to build
    CD_BVH_BOTTOM_UP =
        8, ///< joins the two nearest over and over, by a priority queue; above 2048 items in pieces first
    CD_BVH_NEAR_LINEAR =
        9, ///< joins neighbours along a Morton curve that choose each other (Meister and Bittner 2018)
    CD_BVH_CLUSTERED = 10, ///< joins nearest neighbours in clusters of several, level by level
    CD_BVH_INSERTED = 11   ///< one item after another at the cheapest place (Goldsmith and Salmon 1987)
} cd_bvh_method;

/// Along which axis methods 2 to 6 split.
typedef enum cd_bvh_axis {
    CD_BVH_AXIS_LONGEST = 0,   ///< the longest side of the box around the middles
    CD_BVH_AXIS_WORLD = 1,     ///< x, y, z in turn, level by level
    CD_BVH_AXIS_VARIANCE = 2,  ///< of x, y, z, the one along which the middles vary most
    CD_BVH_AXIS_PRINCIPAL = 3, ///< the principal axis of the middles, in any direction
    CD_BVH_AXIS_FARTHEST = 4   ///< between two middles that are about farthest from each other
} cd_bvh_axis;

/// Options of a build; the zero object is the default, and NULL stands for it.
typedef struct cd_bvh_options {
    uint32_t flags; ///< of `cd_bvh_flag`
    /// the most items in a leaf, 1 to 64; 0 stands for 4, and for 8 in the compact layout, which has no longer ones
    uint32_t leaf_size;
    uint32_t method; ///< of `cd_bvh_method`
    uint32_t layout; ///< of `cd_bvh_layout`
    uint32_t axis;   ///< of `cd_bvh_axis`
    /// planes tried by CD_BVH_CANDIDATES, 63 at most, 0 stands for 7; or how many CD_BVH_CLUSTERED joins at once, 2 to 16, 0 stands for 4; what is beyond is put there
    uint32_t candidates;
    /// passes of reinsertion after the build (Bittner, Hapala and Havran 2013), fewer when one changes nothing; 0 for none
    uint32_t optimise;
    /// up to 64 items whose box is no longer than this in any direction become a leaf, whatever leaf_size is (the article's trimmed tree); 0: none do
    cd_real leaf_extent;
    const uint32_t *masks; ///< one for each primitive, for queries' `ignore_mask`; NULL: none
    cd_allocator allocator;
    cd_executor executor;
} cd_bvh_options;

/// Builds a tree over a mesh; it keeps its own copy of the triangles.
///
/// CD_INVALID_ARGUMENT: the view cannot be read (see cd_mesh_view_is_valid), an option is out of range, or, without
/// CD_BVH_SKIP_INVALID, some triangle has an index out of range or a corner that is not finite. CD_TOO_LARGE: more
/// than 2^29 triangles, or than fit the address space. CD_OUT_OF_MEMORY, CD_CANCELLED. `out` is an empty tree on
/// failure. A mesh without triangles gives an empty tree and CD_OK. Triangles without area are kept: rays do not hit
/// them, all other queries see them as the segments or points they are. The same mesh and options give the same bytes on every
/// machine and for every executor.
CD_API cd_status cd_bvh_build_mesh(cd_bvh *out, const cd_mesh_view *mesh, const cd_bvh_options *options);

/// Builds a tree over boxes, as cd_bvh_build_mesh; boxes must be valid (see cd_aabb_is_valid). With `out->custom` set
/// afterwards the boxes stand for primitives of the caller's own.
CD_API cd_status cd_bvh_build_boxes(cd_bvh *out, const cd_aabb *boxes, uint32_t count,
                                    const cd_bvh_options *options);

/// Builds a tree over points, as cd_bvh_build_mesh.
CD_API cd_status cd_bvh_build_points(cd_bvh *out, const cd_vec3 *points, uint32_t count,
                                     const cd_bvh_options *options);
