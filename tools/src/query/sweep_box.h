#pragma once
/* sweep_box: a moving box against boxes, triangles, polygons, spheres and capsules (Ericson 5.5.2, 5.5.8).
 *
 * Separating axes in motion: along the normals of faces, and across every pair of an edge of the one and one of the other, the
 * two overlap from some time to another; they meet when they overlap along all of these. An axis is weighed by what the
 * bodies measure along that very vector, so that one of nearly parallel edges is as good as any: no axis is left out by a
 * tolerance, and none of those found in rounding tells of a contact that is not there (the book's IntersectMovingAABBAABB
 * leaves out those without speed, and so meets what it passes by: erratum).
 *
 * The normal is that of the axis along which they came to overlap last; where several did as good as together it is a face's
 * rather than that of two edges, B's rather than A's, and the lowest one's. The point is in the middle of what is shared: of
 * two faces, of a face and an edge, where two edges cross, or a corner. The feature is what of B is farthest along the normal:
 * a vertex, an edge or a face, see shape/feature.
 *
 * Oriented boxes are taken literally, as the points center + sum of s_i axes.col[i]. Options, class, starts and bad input are
 * those of query/sweep. */

#include "query/polygon.h"
#include "query/sweep.h"

/// A moving box against another one.
///
/// Source: Ericson 5.5.8. Cost: constant, three axes.
CD_API bool cd_sweep_aabb_aabb(cd_aabb a, cd_vec3 motion, cd_aabb b, const cd_cast_options *options,
                               cd_hit *hit);

/// A moving box against an oriented one, by fifteen axes.
CD_API bool cd_sweep_aabb_obb(cd_aabb a, cd_vec3 motion, const cd_obb *b, const cd_cast_options *options,
                              cd_hit *hit);

/// A moving box against a triangle of two sides, by thirteen axes; it may be a needle, a segment or a point.
CD_API bool cd_sweep_aabb_triangle(cd_aabb a, cd_vec3 motion, const cd_triangle *t,
                                   const cd_cast_options *options, cd_hit *hit);

/// A moving box against the nearest of many triangles, `hit->index` the triangle's: that of the smallest t, compared before it
/// is rounded, then that of the smallest index. False, with `hit` untouched, when none is hit.
///
/// What cd_sweep_aabb_triangle says of the triangle, bit for bit. The filter is asked about hits only, and of these only about
/// such as are nearer than all before. Indices above 2^32 - 1 cannot be told: counts beyond are cut there. NULL is fine where
/// the count is 0. Class: conservative. Cost: linear; little for what passes by, or comes later than what is found.
CD_API bool cd_sweep_aabb_triangles(cd_aabb a, cd_vec3 motion, const cd_triangle *t, size_t count,
                                    const cd_cast_options *options, cd_hit *hit);

/// A moving box against a convex polygon of two sides, see query/polygon; `u` and `v` are 0.
///
/// Corner i is vertex i, edge i runs from it to the next, the inside is face 0. The depth of a start ends the overlap with the
/// whole of it, and is the least along the axes of the first of its triangles that is in contact. Cost: linear; quadratic at
/// worst, where a corner is met in which several triangles of the fan meet.
CD_API bool cd_sweep_aabb_polygon(cd_aabb a, cd_vec3 motion, const cd_vec3 *polygon, size_t count,
                                  const cd_cast_options *options, cd_hit *hit);

/// A moving oriented box against a box, by fifteen axes.
CD_API bool cd_sweep_obb_aabb(const cd_obb *a, cd_vec3 motion, cd_aabb b, const cd_cast_options *options,
                              cd_hit *hit);

/// A moving oriented box against another one, by fifteen axes.
CD_API bool cd_sweep_obb_obb(const cd_obb *a, cd_vec3 motion, const cd_obb *b, const cd_cast_options *options,
                             cd_hit *hit);

/// A moving oriented box against a triangle; as cd_sweep_aabb_triangle.
CD_API bool cd_sweep_obb_triangle(const cd_obb *a, cd_vec3 motion, const cd_triangle *t,
                                  const cd_cast_options *options, cd_hit *hit);

/// A moving oriented box against the nearest of many triangles; as cd_sweep_aabb_triangles.
CD_API bool cd_sweep_obb_triangles(const cd_obb *a, cd_vec3 motion, const cd_triangle *t, size_t count,
                                   const cd_cast_options *options, cd_hit *hit);

/// A moving oriented box against a convex polygon; as cd_sweep_aabb_polygon.
CD_API bool cd_sweep_obb_polygon(const cd_obb *a, cd_vec3 motion, const cd_vec3 *polygon, size_t count,
                                 const cd_cast_options *options, cd_hit *hit);

/// A moving box against a sphere: as the sphere would meet it, see cd_sweep_sphere_aabb; the point is on the sphere, feature
/// face 0.
CD_API bool cd_sweep_aabb_sphere(cd_aabb a, cd_vec3 motion, cd_sphere s, const cd_cast_options *options,
                                 cd_hit *hit);

/// A moving oriented box against a sphere; as cd_sweep_aabb_sphere.
CD_API bool cd_sweep_obb_sphere(const cd_obb *a, cd_vec3 motion, cd_sphere s, const cd_cast_options *options,
                                cd_hit *hit);

/// A moving box against a capsule: as the capsule would meet it, see cd_sweep_capsule_aabb; the point is on the capsule, the
/// feature that of its core, a segment.
CD_API bool cd_sweep_aabb_capsule(cd_aabb a, cd_vec3 motion, const cd_capsule *b,
                                  const cd_cast_options *options, cd_hit *hit);

/// A moving oriented box against a capsule; as cd_sweep_aabb_capsule.
CD_API bool cd_sweep_obb_capsule(const cd_obb *a, cd_vec3 motion, const cd_capsule *b,
                                 const cd_cast_options *options, cd_hit *hit);
