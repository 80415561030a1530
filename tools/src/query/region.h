#pragma once
/* region: convex regions of planes, the points with n . x <= d for all of them, as a camera's frustum; maybe unbounded.
 *
 * The usual test of a box looks at one plane after another, and takes boxes for met that are outside of no single plane
 * but of all together: those near the edges of a frustum, larger than it. The tests here tell these too: what two or
 * more planes cut is a linear program (shape/lp). The usual test is there as cd_cull_X_region, which also tells what lies
 * wholly inside.
 *
 * Normals may have any length but zero. A region has at most CD_REGION_PLANES planes, none of them all of space; with
 * more of them, or one that is not valid, it meets nothing. Closed sets: touching counts. NaN or infinity in: false.
 * Nothing is allocated. For points see cd_test_point_halfspaces. */

#include "shape/linear.h"
#include "shape/volume.h"

/// The most planes of a region.
#define CD_REGION_PLANES 32

/// At most CD_REGION_PLANES planes, all valid; without planes `planes` may be NULL.
CD_API bool cd_region_is_valid(const cd_plane *planes, size_t count);

/// Do box and region meet? Class: exact. Cost: linear, expected.
CD_API bool cd_test_aabb_region(cd_aabb b, const cd_plane *planes, size_t count);

/// Do triangle and region meet? The triangle may be a segment or a point.
///
/// Class: conservative: true whenever they meet, and otherwise only when they would if each plane's d were larger by
/// 2^-44 of the largest of |n| |x| and d, with x the corner farthest from the origin. Cost: linear, expected.
CD_API bool cd_test_triangle_region(const cd_triangle *t, const cd_plane *planes, size_t count);

/// The usual culling of a box: -1 when it is outside of one of the planes, 1 when it is inside of all, so that all in it
/// is, and 0 otherwise. Class: exact as to that; but 0 does not say that they meet. -1 for invalid input.
CD_API int cd_cull_aabb_region(cd_aabb b, const cd_plane *planes, size_t count);

/// The usual culling of a sphere. Class: conservative: -1 and 1 are never wrong; 0 where the sphere is within 2^-40 of
/// touching a plane. -1 for invalid input.
CD_API int cd_cull_sphere_region(cd_sphere s, const cd_plane *planes, size_t count);

/// The bounding box of a region, CD_REAL_MAX where it has no bound, rounded outward; empty for an empty or invalid one.
///
/// Class: conservative, a few units in the last place too wide. Cost: six linear programs.
CD_API cd_aabb cd_aabb_from_region(const cd_plane *planes, size_t count);

/// What a camera sees: it stands at the pose's position and looks along the pose's -z, with x to its right and y up.
///
/// The sides are slopes, x and y at distance 1: the tangents of the angles to the left, right, bottom and top, so that for
/// a symmetric view left = -right and bottom = -top. Distances are along the view.
typedef struct cd_frustum {
    cd_transform pose;
    cd_real left, right, bottom, top; ///< left < right, bottom < top
    cd_real first, last;              ///< 0 <= first < last, which may be infinite
} cd_frustum;

/// The planes of a frustum, with unit normals outward: left, right, bottom, top, near, and far unless `last` is infinite.
///
/// False, with `out` and `count` untouched, for invalid numbers. Class: tolerant, 2 units in the last place.
CD_API bool cd_region_from_frustum(const cd_frustum *f, cd_plane out[6], uint32_t *count);

/// Which depths a projection keeps.
typedef enum cd_clip_depth {
    CD_CLIP_SIGNED = 0,  ///< -w <= z <= w, as OpenGL
    CD_CLIP_UNSIGNED = 1 ///< 0 <= z <= w, as Direct3D, Metal and Vulkan; also reversed
} cd_clip_depth;

/// The planes of what a view-projection matrix keeps (Gribb and Hartmann 2001): clip = (row[0] . (x, 1), ... row[3] . (x, 1))
/// with -w <= x <= w, -w <= y <= w and one of the two depths. With unit normals outward.
///
/// Planes that cut nothing off, as the far one of an infinite projection, are left out. False, with `out` and `count`
/// untouched, when a number is not finite, or nothing is kept. Class: tolerant, 2 units in the last place of the sums of
/// rows.
CD_API bool cd_region_from_rows(const cd_vec4 row[4], uint32_t depth, cd_plane out[6], uint32_t *count);
