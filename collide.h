/* collide.h - collision detection in one C header.                                    version 0.1.0
 *
 * Exact, robust and fast tests of points, rays, triangles, spheres and boxes, and of meshes by a bounding volume
 * hierarchy: the same answer to the bit on every machine, for every input, degenerate ones included. Names and order
 * follow Christer Ericson, "Real-Time Collision Detection" (2005); numbers such as 5.1.5 are its sections.
 *
 * Made from the modules in tools/src by tools/amalgamate.py: change them, not this file.
 *
 * QUICK START
 *
 *     #define COLLIDE_IMPLEMENTATION          // in one file of the program
 *     #include "collide.h"
 *
 *     cd_mesh_view mesh = cd_mesh_view_make(positions, vertex_count, indices, triangle_count);
 *     cd_bvh tree;
 *     if (cd_bvh_build_mesh(&tree, &mesh, NULL) != CD_OK) return;
 *     cd_ray ray = {{0, 0, 5}, {0, 0, -1}};
 *     cd_hit hit;
 *     if (cd_bvh_cast_ray(&tree, &ray, CD_REAL_MAX, NULL, &hit)) use(hit.index, hit.t, hit.point, hit.normal);
 *     cd_bvh_destroy(&tree);
 *
 * C99 or C++11 and later. On x86-64 and 64-bit Arm nothing but the C library is linked; elsewhere, or with
 * COLLIDE_NO_SIMD, add -lm for sqrt.
 *
 * CONTENTS
 *
 *   core/config                number type, linkage, version
 *   core/status                how a call ended
 *   core/allocator             the user's memory
 *   core/executor              the user's threads and progress bar
 *   core/selftest              is the floating-point environment what results rely on?
 *   core/vec                   vectors of two, three and four numbers
 *   core/mat                   2x2 and 3x3 matrices
 *   core/solve                 linear systems of two and three unknowns
 *   core/eigen                 eigenvalues and eigenvectors of symmetric matrices
 *   core/trig                  sine and cosine
 *   core/transform             quaternions, rigid poses, poses far from the origin
 *   core/predicate             orient2d, orient3d, incircle and insphere with the exact sign
 *   core/statistics            variance and covariance
 *   core/tolerance             are two numbers nearly the same?
 *   core/interval              arithmetic with bounds that are never wrong
 *   core/integer               128-bit numbers, fractions, segments of the integer grid
 *   shape/feature              the corners, edges and faces of shapes, as numbers
 *   shape/linear               lines, rays, segments, planes, triangles
 *   shape/volume               spheres, axis-aligned and oriented boxes
 *   shape/swept                capsules and lozenges
 *   shape/round                cylinders, cones, discs, ellipsoids, spherical shells, zonotopes
 *   shape/planar               circles and boxes in the plane
 *   shape/mesh_view            how a mesh of the caller is read
 *   shape/barycentric          the weights of a triangle's corners
 *   shape/convexity            is it convex?
 *   shape/voronoi              the feature of a body that owns a point
 *   shape/lp                   linear programs of two and three variables, interior points
 *   hull/hull2                 convex hulls of points in the plane
 *   hull/minkowski2            Minkowski sums and differences of convex polygons
 *   hull/hull                  a convex hull: its parts, blob, validator
 *   hull/hull_build            the convex hull of points in space
 *   hull/hull_simplify         a hull with fewer vertices or faces, inside or around it
 *   hull/minkowski3            Minkowski sums and differences of hulls in space
 *   hull/mass                  mass, centre and inertia of solids and surfaces
 *   query/hit                  what queries answer with, and their options
 *   query/closest              closest points and distances
 *   query/test                 do two things meet?
 *   query/locate               is a point outside, on or inside?
 *   query/uncertain            tests with numbers known only within bounds
 *   query/cast                 rays and segments against planes, spheres, boxes
 *   query/cast_triangle        lines, rays and segments against triangles, watertight
 *   query/triangle_triangle    do two triangles meet, and where
 *   bounds/rect_min            the rectangle of least area
 *   bounds/obb_fit             oriented boxes around points, hulls and meshes
 *   bounds/obb_search          oriented boxes made smaller by search
 *   bounds/obb_min             the oriented box of least volume
 *   mesh/euler                 is it a proper surface, by Euler's formula
 *   tree/bvh                   a bounding volume hierarchy over a mesh
 *   tree/bvh_build             building it
 *   tree/bvh_cast              rays against it
 *   tree/bvh_overlap           boxes and spheres against it
 *   tree/bvh_closest           the nearest point of it
 *   tree/bvh_collide           tree against tree
 *
 * CONVENTIONS
 *
 * Space         Right-handed; column vectors; the front of a triangle is where its corners turn counter-clockwise; a
 *               plane is n . x = d. Rotations are q v q^-1 / |q|^2, so quaternions need not be unit.
 * Sets          Closed: touching counts as meeting. A sphere or box is solid, a triangle or mesh a surface.
 * Casts         Ray directions need not be unit; t counts in them. The normal of a hit is on the side the cast comes
 *               from; a cast that begins inside a solid hits it at once, unless options say otherwise. A normal is
 *               never zero. The nearest hit has the smallest t, then the smallest index.
 * Answers       A query with a verdict returns bool and writes its output only when true. A query that always has an
 *               answer returns it by value. Output pointers may be NULL. Array outputs return the true count and fill
 *               what fits. Builders return cd_status and leave a zeroed object on failure; destroying that is fine.
 * Options       A struct whose all-zero value is the default; NULL stands for it.
 * Exactness     Every routine names its class. exact: the right answer for the given numbers, always. tolerant: within
 *               the stated error. conservative: errs to the named side only.
 * Numbers       cd_real is float, or double with COLLIDE_DOUBLE. Routines of a float build compute in double and round
 *               once. Domain: finite, 0 or of magnitude 2^-56...2^56 in float, 2^-200...2^200 in double; outside of it
 *               answers may be off, but nothing crashes, hangs, or turns finite input into NaN. No tolerance is
 *               absolute: scaling all input by a power of two scales the answer.
 * NaN, infinity No hit, false, CD_INVALID_ARGUMENT or NaN, as each routine says; never a crash or an endless loop.
 * Same bits     On every compiler, optimisation level, instruction set and thread count, in the default IEEE mode and
 *               without flags like -ffast-math. cd_selftest() asks the running program.
 * Threads       No global state. Queries only read: any number of threads may use one structure.
 * Memory        Builders take it from cd_allocator or COLLIDE_MALLOC; queries allocate nothing and use at most 16 KiB
 *               of stack.
 *
 * SWITCHES, to be defined before the header is included
 *
 *   in one file only:
 *     COLLIDE_IMPLEMENTATION          compiles the library into this file
 *     COLLIDE_NO_SIMD                 no vector instructions; the same results
 *     COLLIDE_NO_STDLIB               no C library but <stddef.h>, <stdint.h>, <stdbool.h>; bring COLLIDE_MALLOC
 *     COLLIDE_MALLOC(size), COLLIDE_FREE(p)   instead of malloc and free
 *     COLLIDE_ASSERT(condition)       instead of assert; checks the library's own rules, not your input
 *   in every file alike:
 *     COLLIDE_DOUBLE                  cd_real is double; functions and types get the suffix _f64 for the linker
 *     COLLIDE_STATIC                  all functions are static: the library is private to the file
 *     COLLIDE_API                     an attribute for all functions, such as an export
 *     COLLIDE_VEC3_EXTRA              members for cd_vec3 in C++, such as conversions from your own vector
 */

#ifndef COLLIDE_H
#define COLLIDE_H

#ifdef COLLIDE_DOUBLE
#define cd_aabb cd_aabb_f64
#define cd_aabb2 cd_aabb2_f64
#define cd_aabb_add_point cd_aabb_add_point_f64
#define cd_aabb_empty cd_aabb_empty_f64
#define cd_aabb_from_obb cd_aabb_from_obb_f64
#define cd_aabb_from_points cd_aabb_from_points_f64
#define cd_aabb_from_sphere cd_aabb_from_sphere_f64
#define cd_aabb_intersect cd_aabb_intersect_f64
#define cd_aabb_is_empty cd_aabb_is_empty_f64
#define cd_aabb_is_valid cd_aabb_is_valid_f64
#define cd_allocator cd_allocator_f64
#define cd_barycentric cd_barycentric_f64
#define cd_barycentric2d cd_barycentric2d_f64
#define cd_barycentric_projected cd_barycentric_projected_f64
#define cd_bvh cd_bvh_f64
#define cd_bvh_bounds cd_bvh_bounds_f64
#define cd_bvh_build_mesh cd_bvh_build_mesh_f64
#define cd_bvh_cast_ray cd_bvh_cast_ray_f64
#define cd_bvh_cast_ray_all cd_bvh_cast_ray_all_f64
#define cd_bvh_cast_rays cd_bvh_cast_rays_f64
#define cd_bvh_closest cd_bvh_closest_f64
#define cd_bvh_collide cd_bvh_collide_f64
#define cd_bvh_destroy cd_bvh_destroy_f64
#define cd_bvh_flag cd_bvh_flag_f64
#define cd_bvh_get_stats cd_bvh_get_stats_f64
#define cd_bvh_options cd_bvh_options_f64
#define cd_bvh_overlap_aabb cd_bvh_overlap_aabb_f64
#define cd_bvh_overlap_sphere cd_bvh_overlap_sphere_f64
#define cd_bvh_stats cd_bvh_stats_f64
#define cd_bvh_test_bvh cd_bvh_test_bvh_f64
#define cd_bvh_test_ray cd_bvh_test_ray_f64
#define cd_bvh_traverse_pairs cd_bvh_traverse_pairs_f64
#define cd_bvh_validate cd_bvh_validate_f64
#define cd_bvh_view cd_bvh_view_f64
#define cd_capsule cd_capsule_f64
#define cd_cast_flag cd_cast_flag_f64
#define cd_cast_line_triangle cd_cast_line_triangle_f64
#define cd_cast_options cd_cast_options_f64
#define cd_cast_ray_aabb cd_cast_ray_aabb_f64
#define cd_cast_ray_obb cd_cast_ray_obb_f64
#define cd_cast_ray_plane cd_cast_ray_plane_f64
#define cd_cast_ray_sphere cd_cast_ray_sphere_f64
#define cd_cast_ray_triangle cd_cast_ray_triangle_f64
#define cd_cast_segment_plane cd_cast_segment_plane_f64
#define cd_cast_segment_triangle cd_cast_segment_triangle_f64
#define cd_circle cd_circle_f64
#define cd_closest cd_closest_f64
#define cd_closest_pt_point_aabb cd_closest_pt_point_aabb_f64
#define cd_closest_pt_point_obb cd_closest_pt_point_obb_f64
#define cd_closest_pt_point_plane cd_closest_pt_point_plane_f64
#define cd_closest_pt_point_segment cd_closest_pt_point_segment_f64
#define cd_closest_pt_point_triangle cd_closest_pt_point_triangle_f64
#define cd_closest_pts_point_triangle cd_closest_pts_point_triangle_f64
#define cd_compare_fractions cd_compare_fractions_f64
#define cd_cone cd_cone_f64
#define cd_convexity cd_convexity_f64
#define cd_convexity_flaw cd_convexity_flaw_f64
#define cd_cos cd_cos_f64
#define cd_covariance cd_covariance_f64
#define cd_cylinder cd_cylinder_f64
#define cd_deviation cd_deviation_f64
#define cd_disc cd_disc_f64
#define cd_dist_point_plane cd_dist_point_plane_f64
#define cd_eigen cd_eigen_f64
#define cd_eigen_cubic cd_eigen_cubic_f64
#define cd_eigen_jacobi cd_eigen_jacobi_f64
#define cd_ellipsoid cd_ellipsoid_f64
#define cd_euler cd_euler_f64
#define cd_executor cd_executor_f64
#define cd_feature_kind cd_feature_kind_f64
#define cd_filter_fn cd_filter_fn_f64
#define cd_half_edge cd_half_edge_f64
#define cd_halfplanes_interior_point cd_halfplanes_interior_point_f64
#define cd_halfspace2 cd_halfspace2_f64
#define cd_halfspaces_interior_point cd_halfspaces_interior_point_f64
#define cd_hit cd_hit_f64
#define cd_hit_flag cd_hit_flag_f64
#define cd_hull cd_hull_f64
#define cd_hull2_andrew cd_hull2_andrew_f64
#define cd_hull2_quickhull cd_hull2_quickhull_f64
#define cd_hull3_build cd_hull3_build_f64
#define cd_hull3_build_mesh cd_hull3_build_mesh_f64
#define cd_hull_bounds cd_hull_bounds_f64
#define cd_hull_destroy cd_hull_destroy_f64
#define cd_hull_face cd_hull_face_f64
#define cd_hull_flag cd_hull_flag_f64
#define cd_hull_get_parts cd_hull_get_parts_f64
#define cd_hull_next cd_hull_next_f64
#define cd_hull_options cd_hull_options_f64
#define cd_hull_parts cd_hull_parts_f64
#define cd_hull_previous cd_hull_previous_f64
#define cd_hull_side cd_hull_side_f64
#define cd_hull_simplify cd_hull_simplify_f64
#define cd_hull_simplify_options cd_hull_simplify_options_f64
#define cd_hull_support cd_hull_support_f64
#define cd_hull_triangles cd_hull_triangles_f64
#define cd_hull_validate cd_hull_validate_f64
#define cd_hull_view cd_hull_view_f64
#define cd_incircle2d cd_incircle2d_f64
#define cd_index_format cd_index_format_f64
#define cd_insphere cd_insphere_f64
#define cd_int128 cd_int128_f64
#define cd_int128_add cd_int128_add_f64
#define cd_int128_compare cd_int128_compare_f64
#define cd_int128_from_int64 cd_int128_from_int64_f64
#define cd_int128_mul_int64 cd_int128_mul_int64_f64
#define cd_int128_neg cd_int128_neg_f64
#define cd_int128_sign cd_int128_sign_f64
#define cd_int128_sub cd_int128_sub_f64
#define cd_int128_to_double cd_int128_to_double_f64
#define cd_interior cd_interior_f64
#define cd_interior2 cd_interior2_f64
#define cd_interior3 cd_interior3_f64
#define cd_intersect_2d_segment_segment_exact cd_intersect_2d_segment_segment_exact_f64
#define cd_intersect_triangle_triangle cd_intersect_triangle_triangle_f64
#define cd_interval cd_interval_f64
#define cd_interval3 cd_interval3_f64
#define cd_interval3_add cd_interval3_add_f64
#define cd_interval3_cross cd_interval3_cross_f64
#define cd_interval3_dot cd_interval3_dot_f64
#define cd_interval3_from_vec3 cd_interval3_from_vec3_f64
#define cd_interval3_scale cd_interval3_scale_f64
#define cd_interval3_sqlength cd_interval3_sqlength_f64
#define cd_interval3_sub cd_interval3_sub_f64
#define cd_interval_abs cd_interval_abs_f64
#define cd_interval_add cd_interval_add_f64
#define cd_interval_contains cd_interval_contains_f64
#define cd_interval_div cd_interval_div_f64
#define cd_interval_empty cd_interval_empty_f64
#define cd_interval_equal cd_interval_equal_f64
#define cd_interval_from_value cd_interval_from_value_f64
#define cd_interval_hull cd_interval_hull_f64
#define cd_interval_intersect cd_interval_intersect_f64
#define cd_interval_is_empty cd_interval_is_empty_f64
#define cd_interval_is_valid cd_interval_is_valid_f64
#define cd_interval_less cd_interval_less_f64
#define cd_interval_less_equal cd_interval_less_equal_f64
#define cd_interval_make cd_interval_make_f64
#define cd_interval_max cd_interval_max_f64
#define cd_interval_middle cd_interval_middle_f64
#define cd_interval_min cd_interval_min_f64
#define cd_interval_mul cd_interval_mul_f64
#define cd_interval_neg cd_interval_neg_f64
#define cd_interval_sign cd_interval_sign_f64
#define cd_interval_sqr cd_interval_sqr_f64
#define cd_interval_sqrt cd_interval_sqrt_f64
#define cd_interval_sub cd_interval_sub_f64
#define cd_interval_whole cd_interval_whole_f64
#define cd_interval_width cd_interval_width_f64
#define cd_is_convex_polygon cd_is_convex_polygon_f64
#define cd_is_convex_polygon3 cd_is_convex_polygon3_f64
#define cd_is_convex_polyhedron cd_is_convex_polyhedron_f64
#define cd_is_convex_quad cd_is_convex_quad_f64
#define cd_is_finite cd_is_finite_f64
#define cd_ivec2 cd_ivec2_f64
#define cd_line cd_line_f64
#define cd_line_is_valid cd_line_is_valid_f64
#define cd_line_through cd_line_through_f64
#define cd_locate_point_aabb cd_locate_point_aabb_f64
#define cd_locate_point_plane cd_locate_point_plane_f64
#define cd_locate_point_sphere cd_locate_point_sphere_f64
#define cd_lozenge cd_lozenge_f64
#define cd_lp2 cd_lp2_f64
#define cd_lp3 cd_lp3_f64
#define cd_lp_seidel2 cd_lp_seidel2_f64
#define cd_lp_seidel3 cd_lp_seidel3_f64
#define cd_lp_verdict cd_lp_verdict_f64
#define cd_mass cd_mass_f64
#define cd_mass_add cd_mass_add_f64
#define cd_mass_from_aabb cd_mass_from_aabb_f64
#define cd_mass_from_hull cd_mass_from_hull_f64
#define cd_mass_from_obb cd_mass_from_obb_f64
#define cd_mass_from_sphere cd_mass_from_sphere_f64
#define cd_mass_from_tetrahedron cd_mass_from_tetrahedron_f64
#define cd_mass_inertia_at cd_mass_inertia_at_f64
#define cd_mass_is_valid cd_mass_is_valid_f64
#define cd_mass_principal cd_mass_principal_f64
#define cd_mass_properties cd_mass_properties_f64
#define cd_mass_properties_shell cd_mass_properties_shell_f64
#define cd_mass_scale cd_mass_scale_f64
#define cd_mass_transform cd_mass_transform_f64
#define cd_mat2 cd_mat2_f64
#define cd_mat2_determinant cd_mat2_determinant_f64
#define cd_mat2_from_columns cd_mat2_from_columns_f64
#define cd_mat2_identity cd_mat2_identity_f64
#define cd_mat2_inverse cd_mat2_inverse_f64
#define cd_mat2_mul cd_mat2_mul_f64
#define cd_mat2_mul_vec cd_mat2_mul_vec_f64
#define cd_mat2_transpose cd_mat2_transpose_f64
#define cd_mat3 cd_mat3_f64
#define cd_mat3_add cd_mat3_add_f64
#define cd_mat3_determinant cd_mat3_determinant_f64
#define cd_mat3_diagonal cd_mat3_diagonal_f64
#define cd_mat3_from_axis_angle cd_mat3_from_axis_angle_f64
#define cd_mat3_from_columns cd_mat3_from_columns_f64
#define cd_mat3_identity cd_mat3_identity_f64
#define cd_mat3_inverse cd_mat3_inverse_f64
#define cd_mat3_is_rotation cd_mat3_is_rotation_f64
#define cd_mat3_is_valid cd_mat3_is_valid_f64
#define cd_mat3_mul cd_mat3_mul_f64
#define cd_mat3_mul_vec cd_mat3_mul_vec_f64
#define cd_mat3_mul_vec_transposed cd_mat3_mul_vec_transposed_f64
#define cd_mat3_outer cd_mat3_outer_f64
#define cd_mat3_scale cd_mat3_scale_f64
#define cd_mat3_skew cd_mat3_skew_f64
#define cd_mat3_sub cd_mat3_sub_f64
#define cd_mat3_trace cd_mat3_trace_f64
#define cd_mat3_transpose cd_mat3_transpose_f64
#define cd_merge_aabb_aabb cd_merge_aabb_aabb_f64
#define cd_mesh_defect cd_mesh_defect_f64
#define cd_mesh_defect_text cd_mesh_defect_text_f64
#define cd_mesh_euler cd_mesh_euler_f64
#define cd_mesh_indices cd_mesh_indices_f64
#define cd_mesh_position cd_mesh_position_f64
#define cd_mesh_triangle cd_mesh_triangle_f64
#define cd_mesh_view cd_mesh_view_f64
#define cd_mesh_view_is_valid cd_mesh_view_is_valid_f64
#define cd_mesh_view_make cd_mesh_view_make_f64
#define cd_min_area_rect cd_min_area_rect_f64
#define cd_min_area_rect_calipers cd_min_area_rect_calipers_f64
#define cd_minkowski_corner2 cd_minkowski_corner2_f64
#define cd_minkowski_difference2 cd_minkowski_difference2_f64
#define cd_minkowski_difference3 cd_minkowski_difference3_f64
#define cd_minkowski_locate_origin2 cd_minkowski_locate_origin2_f64
#define cd_minkowski_locate_origin3 cd_minkowski_locate_origin3_f64
#define cd_minkowski_pair cd_minkowski_pair_f64
#define cd_minkowski_pair_of cd_minkowski_pair_of_f64
#define cd_minkowski_sum2 cd_minkowski_sum2_f64
#define cd_minkowski_sum3 cd_minkowski_sum3_f64
#define cd_nearly_equal cd_nearly_equal_f64
#define cd_nearly_equal_abs cd_nearly_equal_abs_f64
#define cd_nearly_equal_rel cd_nearly_equal_rel_f64
#define cd_nearly_equal_ulps cd_nearly_equal_ulps_f64
#define cd_next_down cd_next_down_f64
#define cd_next_up cd_next_up_f64
#define cd_obb cd_obb_f64
#define cd_obb2 cd_obb2_f64
#define cd_obb_barequet cd_obb_barequet_f64
#define cd_obb_brute_force cd_obb_brute_force_f64
#define cd_obb_from_aabb cd_obb_from_aabb_f64
#define cd_obb_from_hull cd_obb_from_hull_f64
#define cd_obb_from_inertia cd_obb_from_inertia_f64
#define cd_obb_from_mesh cd_obb_from_mesh_f64
#define cd_obb_from_points cd_obb_from_points_f64
#define cd_obb_is_valid cd_obb_is_valid_f64
#define cd_obb_min_volume cd_obb_min_volume_f64
#define cd_obb_optimize cd_obb_optimize_f64
#define cd_obb_pca cd_obb_pca_f64
#define cd_obb_refine cd_obb_refine_f64
#define cd_obb_search_options cd_obb_search_options_f64
#define cd_obb_to_vertices cd_obb_to_vertices_f64
#define cd_obb_transform cd_obb_transform_f64
#define cd_orient2d cd_orient2d_f64
#define cd_orient2d_int cd_orient2d_int_f64
#define cd_orient3d cd_orient3d_f64
#define cd_pair cd_pair_f64
#define cd_pca_axes cd_pca_axes_f64
#define cd_plane cd_plane_f64
#define cd_plane_from_point_normal cd_plane_from_point_normal_f64
#define cd_plane_from_points cd_plane_from_points_f64
#define cd_plane_from_triangle cd_plane_from_triangle_f64
#define cd_plane_is_valid cd_plane_is_valid_f64
#define cd_plane_normalize cd_plane_normalize_f64
#define cd_plane_transform cd_plane_transform_f64
#define cd_position_format cd_position_format_f64
#define cd_quat cd_quat_f64
#define cd_quat_conjugate cd_quat_conjugate_f64
#define cd_quat_from_axis cd_quat_from_axis_f64
#define cd_quat_from_axis_angle cd_quat_from_axis_angle_f64
#define cd_quat_from_mat3 cd_quat_from_mat3_f64
#define cd_quat_from_to cd_quat_from_to_f64
#define cd_quat_identity cd_quat_identity_f64
#define cd_quat_is_valid cd_quat_is_valid_f64
#define cd_quat_mul cd_quat_mul_f64
#define cd_quat_nlerp cd_quat_nlerp_f64
#define cd_quat_normalize cd_quat_normalize_f64
#define cd_quat_rotate cd_quat_rotate_f64
#define cd_quat_slerp cd_quat_slerp_f64
#define cd_quat_to_mat3 cd_quat_to_mat3_f64
#define cd_ray cd_ray_f64
#define cd_ray_is_valid cd_ray_is_valid_f64
#define cd_ray_through cd_ray_through_f64
#define cd_real cd_real_f64
#define cd_relative cd_relative_f64
#define cd_segment cd_segment_f64
#define cd_segment_cut2 cd_segment_cut2_f64
#define cd_segment_cut_kind cd_segment_cut_kind_f64
#define cd_segment_is_valid cd_segment_is_valid_f64
#define cd_selftest cd_selftest_f64
#define cd_selftest_flag cd_selftest_flag_f64
#define cd_sin cd_sin_f64
#define cd_sincos cd_sincos_f64
#define cd_solve2 cd_solve2_f64
#define cd_solve3 cd_solve3_f64
#define cd_sphere cd_sphere_f64
#define cd_sphere_is_valid cd_sphere_is_valid_f64
#define cd_spherical_shell cd_spherical_shell_f64
#define cd_sqdist_point_aabb cd_sqdist_point_aabb_f64
#define cd_sqdist_point_obb cd_sqdist_point_obb_f64
#define cd_sqdist_point_segment cd_sqdist_point_segment_f64
#define cd_sqdist_point_triangle cd_sqdist_point_triangle_f64
#define cd_status cd_status_f64
#define cd_status_text cd_status_text_f64
#define cd_ternary cd_ternary_f64
#define cd_test_2d_segment_segment_exact cd_test_2d_segment_segment_exact_f64
#define cd_test_aabb_aabb cd_test_aabb_aabb_f64
#define cd_test_obb_obb cd_test_obb_obb_f64
#define cd_test_point_aabb cd_test_point_aabb_f64
#define cd_test_point_obb cd_test_point_obb_f64
#define cd_test_point_sphere cd_test_point_sphere_f64
#define cd_test_segment_plane cd_test_segment_plane_f64
#define cd_test_segment_triangle cd_test_segment_triangle_f64
#define cd_test_sphere_aabb cd_test_sphere_aabb_f64
#define cd_test_sphere_obb cd_test_sphere_obb_f64
#define cd_test_sphere_sphere cd_test_sphere_sphere_f64
#define cd_test_sphere_sphere_interval cd_test_sphere_sphere_interval_f64
#define cd_test_sphere_triangle cd_test_sphere_triangle_f64
#define cd_test_triangle_aabb cd_test_triangle_aabb_f64
#define cd_test_triangle_obb cd_test_triangle_obb_f64
#define cd_test_triangle_triangle cd_test_triangle_triangle_f64
#define cd_transform cd_transform_f64
#define cd_transform_identity cd_transform_identity_f64
#define cd_transform_inverse cd_transform_inverse_f64
#define cd_transform_inverse_point cd_transform_inverse_point_f64
#define cd_transform_inverse_vector cd_transform_inverse_vector_f64
#define cd_transform_is_valid cd_transform_is_valid_f64
#define cd_transform_mul cd_transform_mul_f64
#define cd_transform_point cd_transform_point_f64
#define cd_transform_points cd_transform_points_f64
#define cd_transform_relative cd_transform_relative_f64
#define cd_transform_vector cd_transform_vector_f64
#define cd_triangle cd_triangle_f64
#define cd_triangle_area cd_triangle_area_f64
#define cd_triangle_cut cd_triangle_cut_f64
#define cd_triangle_is_valid cd_triangle_is_valid_f64
#define cd_triangle_normal cd_triangle_normal_f64
#define cd_triangle_transform cd_triangle_transform_f64
#define cd_triple cd_triple_f64
#define cd_ulps_between cd_ulps_between_f64
#define cd_variance cd_variance_f64
#define cd_variance_one_pass cd_variance_one_pass_f64
#define cd_vec2 cd_vec2_f64
#define cd_vec2_add cd_vec2_add_f64
#define cd_vec2_cross cd_vec2_cross_f64
#define cd_vec2_dist cd_vec2_dist_f64
#define cd_vec2_dot cd_vec2_dot_f64
#define cd_vec2_is_valid cd_vec2_is_valid_f64
#define cd_vec2_length cd_vec2_length_f64
#define cd_vec2_lerp cd_vec2_lerp_f64
#define cd_vec2_make cd_vec2_make_f64
#define cd_vec2_neg cd_vec2_neg_f64
#define cd_vec2_normalize cd_vec2_normalize_f64
#define cd_vec2_perp cd_vec2_perp_f64
#define cd_vec2_scale cd_vec2_scale_f64
#define cd_vec2_sqlength cd_vec2_sqlength_f64
#define cd_vec2_sub cd_vec2_sub_f64
#define cd_vec3 cd_vec3_f64
#define cd_vec3_add cd_vec3_add_f64
#define cd_vec3_along cd_vec3_along_f64
#define cd_vec3_cross cd_vec3_cross_f64
#define cd_vec3_dist cd_vec3_dist_f64
#define cd_vec3_dot cd_vec3_dot_f64
#define cd_vec3_is_valid cd_vec3_is_valid_f64
#define cd_vec3_length cd_vec3_length_f64
#define cd_vec3_lerp cd_vec3_lerp_f64
#define cd_vec3_make cd_vec3_make_f64
#define cd_vec3_max cd_vec3_max_f64
#define cd_vec3_min cd_vec3_min_f64
#define cd_vec3_nearly_equal cd_vec3_nearly_equal_f64
#define cd_vec3_neg cd_vec3_neg_f64
#define cd_vec3_normalize cd_vec3_normalize_f64
#define cd_vec3_scale cd_vec3_scale_f64
#define cd_vec3_sqlength cd_vec3_sqlength_f64
#define cd_vec3_sub cd_vec3_sub_f64
#define cd_vec4 cd_vec4_f64
#define cd_vec4_add cd_vec4_add_f64
#define cd_vec4_dot cd_vec4_dot_f64
#define cd_vec4_is_valid cd_vec4_is_valid_f64
#define cd_vec4_length cd_vec4_length_f64
#define cd_vec4_make cd_vec4_make_f64
#define cd_vec4_scale cd_vec4_scale_f64
#define cd_vec4_sub cd_vec4_sub_f64
#define cd_version cd_version_f64
#define cd_visit_fn cd_visit_fn_f64
#define cd_visit_pair_fn cd_visit_pair_fn_f64
#define cd_voronoi_region_aabb cd_voronoi_region_aabb_f64
#define cd_voronoi_region_obb cd_voronoi_region_obb_f64
#define cd_voronoi_region_polyhedron cd_voronoi_region_polyhedron_f64
#define cd_voronoi_region_segment cd_voronoi_region_segment_f64
#define cd_voronoi_region_tetrahedron cd_voronoi_region_tetrahedron_f64
#define cd_voronoi_region_triangle cd_voronoi_region_triangle_f64
#define cd_world_pose cd_world_pose_f64
#define cd_world_pose_is_valid cd_world_pose_is_valid_f64
#define cd_zonotope cd_zonotope_f64
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Clang fuses a * b + c by default; not here. (GCC is told in the implementation: what it inlines from here computes
 * with exact products.) On x86 clang can put back what held before; elsewhere it goes back to the command line's. */
#if defined(__clang__)
#if defined(__x86_64__) || defined(__i386__)
#pragma float_control(push)
#endif
#pragma STDC FP_CONTRACT OFF
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- core/config.h ------------------------------------------------------------------------------------------- */

/* config: what every other module needs first: the number type, the linkage of functions, the version.
 *
 * Everything here must be seen alike by all files of a program that share objects of this library; the
 * link names of a double build carry a suffix, so that two files that disagree do not link by accident. */

/// Version of this header as a number: major * 10000 + minor * 100 + patch.
#define CD_VERSION        100u
#define CD_VERSION_STRING "0.1.0"

/// The number type of the interface: float, or double with COLLIDE_DOUBLE.
#ifdef COLLIDE_DOUBLE
typedef double cd_real;
#define CD_REAL_MAX     1.7976931348623157e308
#define CD_REAL_EPSILON 2.220446049250313e-16
#else
typedef float cd_real;
#define CD_REAL_MAX     3.402823466e38f
#define CD_REAL_EPSILON 1.1920928955078125e-7f
#endif

/// No index: what a call answers that found none.
#define CD_NONE 0xFFFFFFFFu

/* Linkage of the functions. COLLIDE_STATIC keeps the whole library inside one file; COLLIDE_API may hold
 * an export or visibility attribute. */
#if defined(COLLIDE_STATIC) && defined(__GNUC__)
#define CD_API static __attribute__((unused))
#elif defined(COLLIDE_STATIC)
#define CD_API static
#elif defined(COLLIDE_API)
#define CD_API COLLIDE_API
#else
#define CD_API extern
#endif

/* The few functions that are inlined into the caller. */
#if defined(__GNUC__)
#define CD_INLINE static inline __attribute__((always_inline, unused))
#elif defined(_MSC_VER)
#define CD_INLINE static __forceinline
#else
#define CD_INLINE static inline
#endif

/// Version of the compiled implementation; equal to CD_VERSION when header and object agree.
CD_API uint32_t cd_version(void);

/* ---- core/status.h ------------------------------------------------------------------------------------------- */

/* status: how a builder or an iterative query ended. */

/// How a call ended.
typedef enum cd_status {
    CD_OK = 0,           ///< done, and right
    CD_INVALID_ARGUMENT, ///< an input breaks the call's stated conditions; nothing was done
    CD_OUT_OF_MEMORY,    ///< the allocator gave no memory; nothing is left allocated
    CD_TOO_LARGE,        ///< a count or size is beyond what the call can hold
    CD_CANCELLED,        ///< the progress callback asked to stop; nothing is left allocated
    CD_NOT_CONVERGED,    ///< an iteration met its bound; the result's own error bound still holds
    CD_UNSUPPORTED,      ///< the question has no answer for these kinds of objects, or for this build
    CD_CORRUPT           ///< stored bytes are not what they should be
} cd_status;

/// One English sentence for a status; never NULL, for any value.
CD_API const char *cd_status_text(cd_status status);

/* ---- core/allocator.h ---------------------------------------------------------------------------------------- */

/* allocator: where builders take memory from. Queries never allocate. */

/// A source of memory; the zero object stands for COLLIDE_MALLOC and COLLIDE_FREE.
///
/// `alloc` gives `size` bytes (> 0) aligned to `align` (a power of two, at most 64), or NULL; `free` takes them
/// back with the same size, and may be NULL where memory is given back as a whole. Both are called only from the thread that called the builder.
typedef struct cd_allocator {
    void *user;
    void *(*alloc)(void *user, size_t size, size_t align);
    void (*free)(void *user, void *p, size_t size);
} cd_allocator;

/* ---- core/executor.h ----------------------------------------------------------------------------------------- */

/* executor: the user's threads and progress bar, for long builds. */

/// How a builder runs parallel loops and tells its progress; the zero object means: one thread, no report.
///
/// `run` calls `task(ctx, i)` once for every `i` below `count`, in any order and on any threads, and returns when
/// all are done. `progress` is called from the builder's own thread with a fraction that grows from 0 to 1;
/// false cancels the build. The result has the same bytes for every executor.
typedef struct cd_executor {
    void *user;
    void (*run)(void *user, uint32_t count, void (*task)(void *ctx, uint32_t i), void *ctx);
    bool (*progress)(void *user, float done);
} cd_executor;

/* ---- core/selftest.h ----------------------------------------------------------------------------------------- */

/* selftest: asks the running program whether its arithmetic is what the results rely on. */

/// What `cd_selftest` found wrong; bits that may come together.
typedef enum cd_selftest_flag {
    CD_SELFTEST_CONTRACTION = 1,   ///< a * b + c is fused: a compiler flag overrode the header
    CD_SELFTEST_FLUSH_TO_ZERO = 2, ///< denormal numbers are flushed to zero, in or out
    CD_SELFTEST_ROUNDING = 4,      ///< the rounding mode is not round-to-nearest
    CD_SELFTEST_PRECISION = 8,     ///< intermediate results are kept wider than their type
    CD_SELFTEST_FAST_MATH = 16     ///< NaN, infinity or signed zero do not behave
} cd_selftest_flag;

/// Checks the floating-point environment of the calling thread: 0 when results are bit-exact as documented,
/// else a set of `cd_selftest_flag`. It divides by zero and underflows on purpose, so do not call it with
/// floating-point traps enabled.
CD_API uint32_t cd_selftest(void);

/* ---- core/vec.h ---------------------------------------------------------------------------------------------- */

/* vec: vectors of two, three and four numbers.
 *
 * Sums, products and dot products are evaluated in double and rounded once; in a float build the products are
 * exact there, so that a compiler that fuses them in your code changes nothing. Class of all: tolerant, in a float
 * build one unit in the last place of the largest term, in a double build 5 * 2^-53 of the sum of the terms' magnitudes.
 *
 * Lengths, distances and unit vectors are as good for every finite input, from the least denormal number to the largest:
 * in a float build within one unit in the last place of the true result, in a double build lengths within 2,
 * distances, lengths of four numbers and components of unit vectors within 3. A length beyond the largest number is
 * infinite, and so is one with an infinite component; with NaN it is NaN. */

/// A point or vector of the plane.
typedef struct cd_vec2 {
    cd_real x, y;
} cd_vec2;

/// A point or vector of space. In C++, COLLIDE_VEC3_EXTRA may add members such as conversions.
typedef struct cd_vec3 {
    cd_real x, y, z;
#if defined(__cplusplus) && defined(COLLIDE_VEC3_EXTRA)
    COLLIDE_VEC3_EXTRA
#endif
} cd_vec3;

/// Four numbers: homogeneous coordinates, or a plane in one vector.
typedef struct cd_vec4 {
    cd_real x, y, z, w;
} cd_vec4;

/// The vector (x, y).
CD_INLINE cd_vec2 cd_vec2_make(cd_real x, cd_real y) {
    cd_vec2 v;
    v.x = x;
    v.y = y;
    return v;
}

/// a + b.
CD_INLINE cd_vec2 cd_vec2_add(cd_vec2 a, cd_vec2 b) {
    return cd_vec2_make(a.x + b.x, a.y + b.y);
}

/// a - b.
CD_INLINE cd_vec2 cd_vec2_sub(cd_vec2 a, cd_vec2 b) {
    return cd_vec2_make(a.x - b.x, a.y - b.y);
}

/// v times s.
CD_INLINE cd_vec2 cd_vec2_scale(cd_vec2 v, cd_real s) {
    return cd_vec2_make(v.x * s, v.y * s);
}

/// -v.
CD_API cd_vec2 cd_vec2_neg(cd_vec2 v);

/// v turned counter-clockwise by a quarter: (-y, x).
CD_API cd_vec2 cd_vec2_perp(cd_vec2 v);

/// a + t (b - a): a for t = 0, b for t = 1.
CD_API cd_vec2 cd_vec2_lerp(cd_vec2 a, cd_vec2 b, cd_real t);

/// Dot product.
CD_API cd_real cd_vec2_dot(cd_vec2 a, cd_vec2 b);

/// The z component of the cross product (Ericson 3.3.5, "perp dot"): positive when b is to the left of a.
CD_API cd_real cd_vec2_cross(cd_vec2 a, cd_vec2 b);

/// Squared length.
CD_API cd_real cd_vec2_sqlength(cd_vec2 v);

/// Length, without overflow or underflow on the way.
CD_API cd_real cd_vec2_length(cd_vec2 v);

/// Distance of two points, without overflow or underflow on the way.
CD_API cd_real cd_vec2_dist(cd_vec2 a, cd_vec2 b);

/// Unit vector along v; zero for a zero vector, NaN or infinity.
CD_API cd_vec2 cd_vec2_normalize(cd_vec2 v);

/// Neither NaN nor infinity in any component.
CD_API bool cd_vec2_is_valid(cd_vec2 v);

/// The vector (x, y, z).
CD_INLINE cd_vec3 cd_vec3_make(cd_real x, cd_real y, cd_real z) {
    cd_vec3 v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

/// a + b.
CD_INLINE cd_vec3 cd_vec3_add(cd_vec3 a, cd_vec3 b) {
    return cd_vec3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

/// a - b.
CD_INLINE cd_vec3 cd_vec3_sub(cd_vec3 a, cd_vec3 b) {
    return cd_vec3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

/// -v.
CD_INLINE cd_vec3 cd_vec3_neg(cd_vec3 v) {
    return cd_vec3_make(-v.x, -v.y, -v.z);
}

/// v times s.
CD_INLINE cd_vec3 cd_vec3_scale(cd_vec3 v, cd_real s) {
    return cd_vec3_make(v.x * s, v.y * s, v.z * s);
}

/// The smaller of each component; that of b where either is NaN.
CD_INLINE cd_vec3 cd_vec3_min(cd_vec3 a, cd_vec3 b) {
    return cd_vec3_make(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}

/// The larger of each component; that of b where either is NaN.
CD_INLINE cd_vec3 cd_vec3_max(cd_vec3 a, cd_vec3 b) {
    return cd_vec3_make(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}

/// Dot product.
CD_API cd_real cd_vec3_dot(cd_vec3 a, cd_vec3 b);

/// Cross product, right-handed.
CD_API cd_vec3 cd_vec3_cross(cd_vec3 a, cd_vec3 b);

/// Scalar triple product (a x b) . c, the signed volume of the parallelepiped (Ericson 3.3.6).
CD_API cd_real cd_triple(cd_vec3 a, cd_vec3 b, cd_vec3 c);

/// a + t (b - a): a for t = 0, b for t = 1.
CD_API cd_vec3 cd_vec3_lerp(cd_vec3 a, cd_vec3 b, cd_real t);

/// a + t d: the point of a line at parameter t.
CD_API cd_vec3 cd_vec3_along(cd_vec3 a, cd_vec3 d, cd_real t);

/// Squared length.
CD_API cd_real cd_vec3_sqlength(cd_vec3 v);

/// Length, without overflow or underflow on the way.
CD_API cd_real cd_vec3_length(cd_vec3 v);

/// Distance of two points, without overflow or underflow on the way.
CD_API cd_real cd_vec3_dist(cd_vec3 a, cd_vec3 b);

/// Unit vector along v; zero for a zero vector, NaN or infinity.
CD_API cd_vec3 cd_vec3_normalize(cd_vec3 v);

/// Neither NaN nor infinity in any component.
CD_API bool cd_vec3_is_valid(cd_vec3 v);

/// The vector (x, y, z, w).
CD_API cd_vec4 cd_vec4_make(cd_real x, cd_real y, cd_real z, cd_real w);

/// a + b.
CD_API cd_vec4 cd_vec4_add(cd_vec4 a, cd_vec4 b);

/// a - b.
CD_API cd_vec4 cd_vec4_sub(cd_vec4 a, cd_vec4 b);

/// v times s.
CD_API cd_vec4 cd_vec4_scale(cd_vec4 v, cd_real s);

/// Dot product of four numbers; with w = 1 in one, a plane against a point.
CD_API cd_real cd_vec4_dot(cd_vec4 a, cd_vec4 b);

/// Length, without overflow or underflow on the way.
CD_API cd_real cd_vec4_length(cd_vec4 v);

/// Neither NaN nor infinity in any component.
CD_API bool cd_vec4_is_valid(cd_vec4 v);

/* ---- core/mat.h ---------------------------------------------------------------------------------------------- */

/* mat: 2x2 and 3x3 matrices, kept as columns (Ericson 3.1.1).
 *
 * Entries are computed in double and rounded once. Class of all: tolerant, two units in the last place of the sum of
 * the magnitudes of an entry's terms; add, sub, scale and outer round each entry correctly. */

/// A 2x2 matrix by columns: M v = col[0] v.x + col[1] v.y.
typedef struct cd_mat2 {
    cd_vec2 col[2];
} cd_mat2;

/// A 3x3 matrix by columns: M v = col[0] v.x + col[1] v.y + col[2] v.z.
typedef struct cd_mat3 {
    cd_vec3 col[3];
} cd_mat3;

/// The identity.
CD_API cd_mat2 cd_mat2_identity(void);

/// The matrix with these columns.
CD_API cd_mat2 cd_mat2_from_columns(cd_vec2 x, cd_vec2 y);

/// M v.
CD_API cd_vec2 cd_mat2_mul_vec(const cd_mat2 *m, cd_vec2 v);

/// A B, which applies B first.
CD_API cd_mat2 cd_mat2_mul(const cd_mat2 *a, const cd_mat2 *b);

/// The transpose.
CD_API cd_mat2 cd_mat2_transpose(const cd_mat2 *m);

/// The determinant.
CD_API cd_real cd_mat2_determinant(const cd_mat2 *m);

/// The inverse by cofactors (Ericson 3.1.5); false, with `out` untouched, by the rule of `cd_mat3_inverse`.
CD_API bool cd_mat2_inverse(const cd_mat2 *m, cd_mat2 *out);

/// The identity.
CD_API cd_mat3 cd_mat3_identity(void);

/// The matrix with these columns.
CD_API cd_mat3 cd_mat3_from_columns(cd_vec3 x, cd_vec3 y, cd_vec3 z);

/// The matrix that scales by d.x, d.y, d.z along the axes.
CD_API cd_mat3 cd_mat3_diagonal(cd_vec3 d);

/// The outer product a b^T: maps v to a (b . v).
CD_API cd_mat3 cd_mat3_outer(cd_vec3 a, cd_vec3 b);

/// The matrix of the cross product: maps w to v x w.
CD_API cd_mat3 cd_mat3_skew(cd_vec3 v);

/// A + B.
CD_API cd_mat3 cd_mat3_add(const cd_mat3 *a, const cd_mat3 *b);

/// A - B.
CD_API cd_mat3 cd_mat3_sub(const cd_mat3 *a, const cd_mat3 *b);

/// M times s.
CD_API cd_mat3 cd_mat3_scale(const cd_mat3 *m, cd_real s);

/// M v.
CD_API cd_vec3 cd_mat3_mul_vec(const cd_mat3 *m, cd_vec3 v);

/// Transposed M times v: for a rotation, the inverse rotation.
CD_API cd_vec3 cd_mat3_mul_vec_transposed(const cd_mat3 *m, cd_vec3 v);

/// A B, which applies B first.
CD_API cd_mat3 cd_mat3_mul(const cd_mat3 *a, const cd_mat3 *b);

/// The transpose.
CD_API cd_mat3 cd_mat3_transpose(const cd_mat3 *m);

/// The sum of the diagonal.
CD_API cd_real cd_mat3_trace(const cd_mat3 *m);

/// The determinant.
CD_API cd_real cd_mat3_determinant(const cd_mat3 *m);

/// The inverse by cofactors (Ericson 3.1.5).
///
/// False, with `out` untouched, when the matrix is singular to working precision: when the determinant is not
/// larger than 16 units in the last place of the sum of its terms' magnitudes, or anything is NaN or infinite.
/// Scaling rows or columns by powers of two changes no verdict. Entries too large for cd_real are infinite.
CD_API bool cd_mat3_inverse(const cd_mat3 *m, cd_mat3 *out);

/// Neither NaN nor infinity in any entry.
CD_API bool cd_mat3_is_valid(const cd_mat3 *m);

/// True for an orthonormal, right-handed matrix: every product of two columns within `tolerance` of 0 or 1, the
/// determinant positive. A tolerance of 0 means 1e-3, as loose as data read from text files needs.
CD_API bool cd_mat3_is_rotation(const cd_mat3 *m, cd_real tolerance);

/* ---- core/solve.h -------------------------------------------------------------------------------------------- */

/* solve: linear systems of two and three unknowns by Cramer's rule (Ericson 3.1.4).
 *
 * A system counts as singular by the rule of cd_mat3_inverse: the determinant is not larger than 16 units in the last
 * place of the sum of its terms' magnitudes, the permanent. Scaling an equation, an unknown or the right side by
 * a power of two changes no verdict and no digit. Exactly singular systems are always reported.
 *
 * Class: tolerant. With per the permanent and per_i that of the matrix whose column i is b, the error of x_i is below
 * 8 units of 2^-52 of (per_i + |x_i| per) / |det|, and half a unit in the last place of x_i. */

/// Solves M x = b for two unknowns.
///
/// False, with `x` untouched, for a singular matrix, NaN or infinity. An unknown too large for cd_real is infinite.
CD_API bool cd_solve2(const cd_mat2 *m, cd_vec2 b, cd_vec2 *x);

/// Solves M x = b for three unknowns; the rest as in cd_solve2.
CD_API bool cd_solve3(const cd_mat3 *m, cd_vec3 b, cd_vec3 *x);

/* ---- core/eigen.h -------------------------------------------------------------------------------------------- */

/* eigen: eigenvalues and eigenvectors of symmetric 3x3 matrices, such as covariances and inertia tensors.
 *
 * Two methods with one promise. Jacobi's turns away the largest entry off the diagonal until none is left; it is
 * the more accurate one, keeps the digits of the small values of a definite matrix, and is the default choice. The cubic
 * finds the root of the characteristic polynomial that stands alone, takes it out, and solves the 2x2 rest; it takes the
 * same few steps for every matrix.
 *
 * Both read the diagonal and the entries above it (col[1].x, col[2].x, col[2].y). Class: tolerant: |A v - value v| is
 * below 8 CD_REAL_EPSILON |A| for each pair, |A| being the largest magnitude of a value, and the vectors are orthonormal
 * to 4 CD_REAL_EPSILON, for every magnitude of A; only values too small or too large for cd_real are rounded to
 * denormals or infinite. The matrix is brought near 1 by a power of two first, so scaling by one changes no digit. */

/// Eigenvalues, from largest to smallest, and the unit eigenvectors that belong to them, as the columns of a
/// right-handed rotation. Signs of vectors, and directions within the space of equal values, are arbitrary but
/// always the same for the same matrix.
typedef struct cd_eigen {
    cd_real value[3];
    cd_mat3 vector;
} cd_eigen;

/// By Jacobi's method with the largest entry first (Ericson 4.3.3; Golub and Van Loan, Matrix Computations, 8.5).
///
/// False, with `out` untouched, when an entry that is read is NaN or infinite. A diagonal matrix is exact. Cost: nine
/// turns are usual, 48 the bound.
CD_API bool cd_eigen_jacobi(const cd_mat3 *m, cd_eigen *out);

/// By the characteristic cubic (Ericson 4.3.3), without trigonometric functions; the rest as in cd_eigen_jacobi.
CD_API bool cd_eigen_cubic(const cd_mat3 *m, cd_eigen *out);

/* ---- core/trig.h --------------------------------------------------------------------------------------------- */

/* trig: sine and cosine, the same bits on every machine; libm's differ between systems.
 *
 * The angle is reduced to an eighth of a turn either side of a multiple of a quarter, in twice the working precision, so
 * that nothing is lost near the zeros; then come polynomials. Class of all: tolerant, for every finite angle: in
 * a float build within 0.51 units in the last place, in a double build within 1. Never above 1 in magnitude.
 * cd_sin(-x) is -cd_sin(x) and cd_cos(-x) is cd_cos(x) to the bit. NaN for NaN and infinity. Angles above 2^20 take
 * about three times as long. */

/// The sine of an angle in radians.
CD_API cd_real cd_sin(cd_real radians);

/// The cosine of an angle in radians.
CD_API cd_real cd_cos(cd_real radians);

/// Both at once, the same bits as one by one; either pointer may be NULL.
CD_API void cd_sincos(cd_real radians, cd_real *sine, cd_real *cosine);

/* ---- core/transform.h ---------------------------------------------------------------------------------------- */

/* transform: rotations by quaternions, rigid poses, and poses far from the origin.
 *
 * A quaternion need not be unit: it rotates by q v q^-1 / |q|^2, so that rounding never scales or shears, and the
 * zero quaternion stands for no rotation, so that a zeroed transform is the identity. */

/// A quaternion, x i + y j + z k + w.
typedef struct cd_quat {
    cd_real x, y, z, w;
} cd_quat;

/// A rigid motion: rotation, then displacement. The zero object is the identity.
typedef struct cd_transform {
    cd_quat rotation;
    cd_vec3 position;
} cd_transform;

/// A pose in a world too large for `cd_real`: the position is double in every build.
typedef struct cd_world_pose {
    cd_quat rotation;
    double position[3];
} cd_world_pose;

/// No rotation: (0, 0, 0, 1).
CD_API cd_quat cd_quat_identity(void);

/// The unit quaternion that turns by the angle whose half has this sine and cosine, about `axis`.
///
/// `axis` of any length; no rotation when it is zero or not finite, or when both numbers are 0. For an angle in radians
/// see `cd_quat_from_axis_angle`.
CD_API cd_quat cd_quat_from_axis(cd_vec3 axis, cd_real sin_half, cd_real cos_half);

/// The unit quaternion that turns by an angle in radians about `axis`, counter-clockwise as seen from its tip.
///
/// `axis` of any length; no rotation when it is zero, or anything is not finite. Class: tolerant, 2 units in the last
/// place of 1.
CD_API cd_quat cd_quat_from_axis_angle(cd_vec3 axis, cd_real radians);

/// The matrix of the same rotation; the identity where that is no rotation.
CD_API cd_mat3 cd_mat3_from_axis_angle(cd_vec3 axis, cd_real radians);

/// The shortest rotation that turns direction `from` into direction `to`; lengths do not matter.
///
/// Half a turn about some perpendicular axis when they are opposite, none when either is zero or not finite.
CD_API cd_quat cd_quat_from_to(cd_vec3 from, cd_vec3 to);

/// The rotation of an orthonormal, right-handed matrix, as a unit quaternion.
CD_API cd_quat cd_quat_from_mat3(const cd_mat3 *rotation);

/// The matrix of the rotation, for quaternions of any length: orthonormal to 4 units in the last place of 1, and exact
/// for the symmetries of a cube.
CD_API cd_mat3 cd_quat_to_mat3(cd_quat q);

/// The product a b: rotates by b, then by a. Lengths multiply; zero counts as no rotation.
CD_API cd_quat cd_quat_mul(cd_quat a, cd_quat b);

/// The conjugate: the opposite rotation.
CD_API cd_quat cd_quat_conjugate(cd_quat q);

/// Unit quaternion along q; no rotation for zero, NaN or infinity.
CD_API cd_quat cd_quat_normalize(cd_quat q);

/// Between two rotations, the shorter way round, at the fraction t: a unit quaternion, a for t = 0, b or -b for t = 1.
///
/// Straight from a to b, then brought to unit length: quicker than `cd_quat_slerp`, and on the same path, but not at
/// constant speed. Any lengths; t may leave 0...1. No rotation where anything is not finite.
CD_API cd_quat cd_quat_nlerp(cd_quat a, cd_quat b, cd_real t);

/// The same at constant speed: turned by t times the angle between the two (Shoemake 1985).
///
/// Class: tolerant, 3 units in the last place of 1 for t in 0...1.
CD_API cd_quat cd_quat_slerp(cd_quat a, cd_quat b, cd_real t);

/// Rotates a vector.
CD_API cd_vec3 cd_quat_rotate(cd_quat q, cd_vec3 v);

/// Neither NaN nor infinity in any component.
CD_API bool cd_quat_is_valid(cd_quat q);

/// The identity.
CD_API cd_transform cd_transform_identity(void);

/// Finite, in rotation and position.
CD_API bool cd_transform_is_valid(const cd_transform *t);

/// Finite, in rotation and position.
CD_API bool cd_world_pose_is_valid(const cd_world_pose *p);

/// Applies the motion to a point. Class: tolerant, 3 units in the last place of the largest coordinate met.
CD_API cd_vec3 cd_transform_point(const cd_transform *t, cd_vec3 p);

/// Applies the rotation to a vector.
CD_API cd_vec3 cd_transform_vector(const cd_transform *t, cd_vec3 v);

/// Applies the inverse motion to a point.
CD_API cd_vec3 cd_transform_inverse_point(const cd_transform *t, cd_vec3 p);

/// Applies the inverse rotation to a vector.
CD_API cd_vec3 cd_transform_inverse_vector(const cd_transform *t, cd_vec3 v);

/// `cd_transform_point` on `count` points, bit for bit; `out` may be `points`.
CD_API void cd_transform_points(const cd_transform *t, const cd_vec3 *points, size_t count, cd_vec3 *out);

/// The motion that does b, then a.
CD_API cd_transform cd_transform_mul(const cd_transform *a, const cd_transform *b);

/// The inverse motion.
CD_API cd_transform cd_transform_inverse(const cd_transform *t);

/// The pose of B in the frame of A, where both are given in one frame: inverse(a) b.
CD_API cd_transform cd_transform_relative(const cd_transform *a, const cd_transform *b);

/// The pose of B in the frame of A for two poses in the world.
///
/// The positions are subtracted in double before anything is rounded, so that it is as exact far from the world's
/// origin as near it.
CD_API cd_transform cd_relative(const cd_world_pose *a, const cd_world_pose *b);

/* ---- core/predicate.h ---------------------------------------------------------------------------------------- */

/* predicate: on which side a point lies, with the exact sign.
 *
 * The determinant is evaluated in double beside a bound of its rounding error; only when the bound cannot tell the
 * sign is it evaluated exactly (Ericson 3.1.6; Shewchuk 1997), by expansions where nothing can leave their range and
 * by whole numbers of any length elsewhere. Class: exact, for all finite numbers. The result is a double in both builds,
 * so that a tiny determinant does not vanish: its sign is exact, its value within 1e-14 of the sum of its terms'
 * magnitudes; beyond the range of doubles it is the largest or smallest of them. NaN or infinity in: 0. */

/// Twice the signed area of the triangle a, b, c: positive when they turn counter-clockwise, 0 when collinear.
CD_API double cd_orient2d(cd_vec2 a, cd_vec2 b, cd_vec2 c);

/// Six times the signed volume of the tetrahedron a, b, c, d: det [a-d; b-d; c-d].
///
/// Positive when d lies on the side of the plane from which a, b, c look clockwise (below a counter-clockwise
/// face), 0 when the four are coplanar.
CD_API double cd_orient3d(cd_vec3 a, cd_vec3 b, cd_vec3 c, cd_vec3 d);

/// Is d inside the circle through a, b, c? Positive when it is, 0 when the four lie on one circle or line.
///
/// For a, b, c that turn counter-clockwise; the other way round the sign is the opposite.
CD_API double cd_incircle2d(cd_vec2 a, cd_vec2 b, cd_vec2 c, cd_vec2 d);

/// Is e inside the sphere through a, b, c, d? Positive when it is, 0 when the five lie on one sphere or plane.
///
/// For cd_orient3d(a, b, c, d) > 0; otherwise the sign is the opposite.
CD_API double cd_insphere(cd_vec3 a, cd_vec3 b, cd_vec3 c, cd_vec3 d, cd_vec3 e);

/* ---- core/statistics.h --------------------------------------------------------------------------------------- */

/* statistics: variance of numbers and covariance of points (Ericson 4.3.3). */

/// The variance of `count` numbers about their mean, by the formula in two passes, sum (x - mean)^2 / count; 0 for none.
///
/// Class: tolerant, (count + 4) units of double of the largest square of a difference, hence exact to rounding for any usual
/// count. NaN or infinity in: NaN. Squares beyond the range are infinite.
CD_API cd_real cd_variance(const cd_real *x, size_t count);

/// The same by the formula in one pass, mean of squares less square of mean: it needs no mean beforehand, and loses the
/// digits that mean and numbers share. Never negative. Class: tolerant, (count + 4) units of double of the largest square.
CD_API cd_real cd_variance_one_pass(const cd_real *x, size_t count);

/// The standard deviation: the root of the variance.
CD_API cd_real cd_deviation(const cd_real *x, size_t count);

/// The covariance matrix of points about their mean, which is stored too; both zero for no points.
///
/// Its entries are sums of products of differences from the mean over `count`. Class, bad input: as cd_variance.
CD_API cd_mat3 cd_covariance(const cd_vec3 *points, size_t count, cd_vec3 *mean);

/* ---- core/tolerance.h ---------------------------------------------------------------------------------------- */

/* tolerance: are two numbers nearly the same? (Ericson 11.2 to 11.3.1)
 *
 * An absolute tolerance suits numbers of known size, a relative one numbers of any size but 0, units in the last place the
 * results of a few roundings; the combined form takes the more generous of the first two. Every verdict is that of
 * exact arithmetic: nothing is rounded, overflows or underflows on the way.
 *
 * Of all forms: equal numbers are nearly equal, +0 and -0 among them, whatever the tolerance; NaN equals nothing; an
 * infinity equals itself only, except in units in the last place, where it is the number after the largest. A
 * tolerance that is negative or NaN counts as 0, and an infinite one lets any two finite numbers pass. */

/// |a - b| <= tolerance. Class: exact.
CD_API bool cd_nearly_equal_abs(cd_real a, cd_real b, cd_real tolerance);

/// |a - b| <= tolerance * max(|a|, |b|). Class: exact. Any two finite numbers pass from 2 on.
CD_API bool cd_nearly_equal_rel(cd_real a, cd_real b, cd_real tolerance);

/// |a - b| <= max(abs_tolerance, rel_tolerance * max(|a|, |b|)). Class: exact. Source: Ericson 11.3.1.
CD_API bool cd_nearly_equal(cd_real a, cd_real b, cd_real abs_tolerance, cd_real rel_tolerance);

/// At most `ulps` steps from a to b, each to the next number of the type. Class: exact. NaN in: false.
CD_API bool cd_nearly_equal_ulps(cd_real a, cd_real b, uint64_t ulps);

/// How many numbers of the type it is from a to b: 0 for equal ones, 1 for neighbours.
///
/// Both zeros are one number, and an infinity is the one after the largest. NaN in: UINT64_MAX. Class: exact.
CD_API uint64_t cd_ulps_between(cd_real a, cd_real b);

/// The least number above x: infinity after the largest; infinity and NaN stay. Class: exact.
CD_API cd_real cd_next_up(cd_real x);

/// The largest number below x: -infinity after the least; -infinity and NaN stay. Class: exact.
CD_API cd_real cd_next_down(cd_real x);

/// Neither NaN nor infinite.
CD_API bool cd_is_finite(cd_real x);

/// Is the distance of a and b at most max(abs_tolerance, rel_tolerance * max(|a|, |b|)), by Euclid's lengths?
///
/// Class: exact. An infinite or NaN component is nearly equal to nothing but vectors of the same
/// components, NaN not even to itself.
CD_API bool cd_vec3_nearly_equal(cd_vec3 a, cd_vec3 b, cd_real abs_tolerance, cd_real rel_tolerance);

/* ---- core/interval.h ----------------------------------------------------------------------------------------- */

/* interval: arithmetic with bounds that are never wrong (Ericson 11.4; Moore 1966).
 *
 * An interval holds all real numbers from lo to hi, and the result of an operation holds every result for numbers of its
 * operands. Instead of switching the rounding mode of the machine, each bound is computed with the sign of its rounding
 * error, and moved to the next number outward only where that error would leave something out. So the bounds of all
 * operations on single intervals are the tightest there are: class exact. Bounds of operations on vectors are computed
 * in doubles and rounded outward once more at the end: class conservative, never too narrow.
 *
 * An infinite bound means no bound: the interval has no number infinity, and 0 times it is 0. As a bound on the wrong
 * side, or as a value, an infinity stands for what lies beyond the largest number. An interval with lo > hi is empty,
 * and makes every result empty (bounds infinity, -infinity). A bound that is NaN says nothing: the interval is taken as
 * the whole line, so that nothing is excluded by mistake. */

/// The real numbers from lo to hi; empty when lo > hi, everything when either is NaN.
typedef struct cd_interval {
    cd_real lo, hi;
} cd_interval;

/// Three intervals: a box that holds a point or vector.
typedef struct cd_interval3 {
    cd_interval x, y, z;
} cd_interval3;

/// What is known of a statement about numbers that are known by their intervals.
typedef enum cd_ternary {
    CD_NO = -1,   ///< false for all numbers of the intervals
    CD_MAYBE = 0, ///< true for some and false for others, or an interval is empty
    CD_YES = 1    ///< true for all
} cd_ternary;

/// The interval with these bounds.
CD_API cd_interval cd_interval_make(cd_real lo, cd_real hi);

/// The interval of one number; of infinity, all from the largest number on; of NaN, the whole line.
CD_API cd_interval cd_interval_from_value(cd_real x);

/// All real numbers.
CD_API cd_interval cd_interval_whole(void);

/// No number.
CD_API cd_interval cd_interval_empty(void);

/// Neither bound NaN, and not empty.
CD_API bool cd_interval_is_valid(cd_interval a);

/// lo > hi.
CD_API bool cd_interval_is_empty(cd_interval a);

/// Does the interval hold x? An infinity where there is no bound on its side; never NaN.
CD_API bool cd_interval_contains(cd_interval a, cd_real x);

/// The least interval that holds both.
CD_API cd_interval cd_interval_hull(cd_interval a, cd_interval b);

/// What both hold.
CD_API cd_interval cd_interval_intersect(cd_interval a, cd_interval b);

/// hi - lo, rounded up; 0 for an empty interval.
CD_API cd_real cd_interval_width(cd_interval a);

/// A number of the interval, finite, to a rounding in the middle of it.
///
/// 0 for the whole line and the empty interval, and the largest number on the open side where one bound is infinite.
CD_API cd_real cd_interval_middle(cd_interval a);

/// -a.
CD_API cd_interval cd_interval_neg(cd_interval a);

/// a + b.
CD_API cd_interval cd_interval_add(cd_interval a, cd_interval b);

/// a - b.
CD_API cd_interval cd_interval_sub(cd_interval a, cd_interval b);

/// a times b.
CD_API cd_interval cd_interval_mul(cd_interval a, cd_interval b);

/// a / b; the whole line where b holds 0, inside or as a bound.
CD_API cd_interval cd_interval_div(cd_interval a, cd_interval b);

/// The squares: never below 0, as a product of a with itself may be.
CD_API cd_interval cd_interval_sqr(cd_interval a);

/// The square roots of the numbers that are not negative; empty where all are.
CD_API cd_interval cd_interval_sqrt(cd_interval a);

/// The magnitudes.
CD_API cd_interval cd_interval_abs(cd_interval a);

/// The smaller of a number of each.
CD_API cd_interval cd_interval_min(cd_interval a, cd_interval b);

/// The larger of a number of each.
CD_API cd_interval cd_interval_max(cd_interval a, cd_interval b);

/// x < y, for x of a and y of b?
CD_API cd_ternary cd_interval_less(cd_interval a, cd_interval b);

/// x <= y, for x of a and y of b?
CD_API cd_ternary cd_interval_less_equal(cd_interval a, cd_interval b);

/// x = y, for x of a and y of b?
CD_API cd_ternary cd_interval_equal(cd_interval a, cd_interval b);

/// The sign: CD_YES where all numbers are positive, CD_NO where all are negative.
CD_API cd_ternary cd_interval_sign(cd_interval a);

/// The three intervals of one number each.
CD_API cd_interval3 cd_interval3_from_vec3(cd_vec3 v);

/// a + b.
CD_API cd_interval3 cd_interval3_add(const cd_interval3 *a, const cd_interval3 *b);

/// a - b.
CD_API cd_interval3 cd_interval3_sub(const cd_interval3 *a, const cd_interval3 *b);

/// a times s.
CD_API cd_interval3 cd_interval3_scale(const cd_interval3 *a, cd_interval s);

/// Dot product.
CD_API cd_interval cd_interval3_dot(const cd_interval3 *a, const cd_interval3 *b);

/// Cross product, right-handed.
CD_API cd_interval3 cd_interval3_cross(const cd_interval3 *a, const cd_interval3 *b);

/// Squared length: the dot product of each vector with itself, never below 0.
CD_API cd_interval cd_interval3_sqlength(const cd_interval3 *a);

/* ---- core/integer.h ------------------------------------------------------------------------------------------ */

/* integer: geometry on whole numbers, where nothing is ever rounded (Ericson 11.5).
 *
 * Coordinates are 32-bit; each step of a routine has a budget of bits, stated here, and takes a type that is wide enough, so
 * that every answer is exact for all inputs, the ends of the range included. With w = 2^32 - 1, the largest difference
 * of two coordinates:
 *
 *   a difference of coordinates                       |d| <= w           32 bits and a sign: int64_t
 *   a product of two differences                      |p| <= w^2         64 bits and a sign
 *   orientation (b-a) x (c-a), twice a triangle       |o| <= w^2         64 bits and a sign; its sign alone needs no
 *                                                                        more than comparing two products
 *   cross product of two unrelated differences        |x| <= 2 w^2       65 bits and a sign: cd_int128
 *
 * 128-bit numbers are made of two 64-bit ones, without extensions of the compiler. Class of all: exact. */

/* ---- 128-bit numbers ---- */

/// A whole number from -2^127 to 2^127 - 1: hi 2^64 + lo. The zero object is 0.
typedef struct cd_int128 {
    uint64_t lo;
    int64_t hi;
} cd_int128;

/// x as a 128-bit number.
CD_API cd_int128 cd_int128_from_int64(int64_t x);

/// x y, which always fits.
CD_API cd_int128 cd_int128_mul_int64(int64_t x, int64_t y);

/// a + b, modulo 2^128 where it does not fit.
CD_API cd_int128 cd_int128_add(cd_int128 a, cd_int128 b);

/// a - b, modulo 2^128 where it does not fit.
CD_API cd_int128 cd_int128_sub(cd_int128 a, cd_int128 b);

/// -a; -2^127 stays what it is.
CD_API cd_int128 cd_int128_neg(cd_int128 a);

/// -1, 0 or 1: the sign of a - b, which may itself not fit.
CD_API int cd_int128_compare(cd_int128 a, cd_int128 b);

/// -1, 0 or 1.
CD_API int cd_int128_sign(cd_int128 a);

/// The double nearest to a, the even one of two.
CD_API double cd_int128_to_double(cd_int128 a);

/* ---- fractions ---- */

/// The sign of a_num / a_den - b_num / b_den: -1, 0 or 1.
///
/// Exact for all numbers of any sign, by Euclid's division: whole parts are compared, then the reciprocals of what is
/// left. With denominator 0 a fraction is infinite, with the sign of its numerator, and equal to the infinity of that
/// sign; 0 / 0 counts as 0. Cost: at most 92 rounds of two divisions, two or three as a rule. Source: Ericson 11.5.2.
CD_API int cd_compare_fractions(int64_t a_num, int64_t a_den, int64_t b_num, int64_t b_den);

/* ---- points and segments of the plane ---- */

/// A point of the integer grid.
typedef struct cd_ivec2 {
    int32_t x, y;
} cd_ivec2;

/// Where c lies as seen along a to b: 1 to the left (a, b, c turn counter-clockwise), -1 to the right, 0 on the line.
CD_API int cd_orient2d_int(cd_ivec2 a, cd_ivec2 b, cd_ivec2 c);

/// Do the segments a b and c d meet? Closed: touching counts, so does overlapping; either may be a point.
///
/// Needs four signs of 64-bit comparisons and comparisons of coordinates. Source: Ericson 5.1.9.1, 11.5.3.
CD_API bool cd_test_2d_segment_segment_exact(cd_ivec2 a, cd_ivec2 b, cd_ivec2 c, cd_ivec2 d);

/// How two segments meet.
typedef enum cd_segment_cut_kind {
    CD_SEGMENT_CUT_POINT = 1,  ///< in one point
    CD_SEGMENT_CUT_OVERLAP = 2 ///< in a segment: they lie on one line
} cd_segment_cut_kind;

/// The common points of two segments of the grid, as parameters on the first.
///
/// From a + num[0] / den (b - a) to a + num[1] / den (b - a), with 0 <= num[0] <= num[1] <= den and den > 0: the same
/// for a point. The fraction is not reduced; den has at most 65 bits.
typedef struct cd_segment_cut2 {
    uint32_t kind; ///< cd_segment_cut_kind
    cd_int128 num[2], den;
    cd_ivec2 ends[2]; ///< of an overlap, its ends, the one nearer to a first; 0 for a point
} cd_segment_cut2;

/// The common points of the segments a b and c d; false, with `out` untouched, when there are none.
///
/// True just when cd_test_2d_segment_segment_exact is. Where a and b are one point its parameter is 0 / 1.
CD_API bool cd_intersect_2d_segment_segment_exact(cd_ivec2 a, cd_ivec2 b, cd_ivec2 c, cd_ivec2 d,
                                                  cd_segment_cut2 *out);

/* ---- shape/feature.h ----------------------------------------------------------------------------------------- */

/* feature: the corners, edges and faces of shapes, as numbers. */

/// The kind of a boundary feature, in the two high bits of a feature number.
typedef enum cd_feature_kind {
    CD_FEATURE_NONE = 0, ///< the inside, or nothing
    CD_FEATURE_VERTEX = 1,
    CD_FEATURE_EDGE = 2,
    CD_FEATURE_FACE = 3
} cd_feature_kind;

/// A feature number: 2 bits kind, 30 bits index.
///
/// Triangle: vertices 0-2, edge i from vertex i to the next, face 0. Segment: vertices 0 and 1, edge 0. Tetrahedron:
/// edges 0-2 as of the triangle of its first three corners, edge 3 + i from corner i to the last; face i is opposite
/// corner i. Box: vertices as in cd_obb_to_vertices; face 2 * axis + (1 for the positive side); edge 4 * (the axis that it
/// runs along) + (1 for the positive side of the lower one of the other two axes) + (2 for that of the higher one).
/// Indexed triangles: vertices and faces by their own numbers, edge 3 i + k from corner k of triangle i to the next.
/// Sphere and plane: face 0.
#define CD_FEATURE(kind, index)   (((0u + (kind)) << 30) | (index))
#define CD_FEATURE_KIND(feature)  ((feature) >> 30)
#define CD_FEATURE_INDEX(feature) ((feature)&0x3FFFFFFFu)

/* ---- shape/linear.h ------------------------------------------------------------------------------------------ */

/* linear: lines, rays, segments, planes and triangles (Ericson 3.3-3.5). */

/// The points origin + t dir for all t. `dir` need not be unit, and may not be zero.
typedef struct cd_line {
    cd_vec3 origin, dir;
} cd_line;

/// The points origin + t dir for t >= 0. `dir` need not be unit: t counts in it. A zero `dir` is a point.
typedef struct cd_ray {
    cd_vec3 origin, dir;
} cd_ray;

/// The points between a and b; may be a point.
typedef struct cd_segment {
    cd_vec3 a, b;
} cd_segment;

/// The points x with n . x = d. `n` need not be unit unless a routine says so, and may not be zero.
///
/// As a half-space (Ericson 3.7) it is the side behind: the points with n . x <= d. A convex body given by half-spaces has
/// their normals outward.
typedef struct cd_plane {
    cd_vec3 n;
    cd_real d;
} cd_plane;

/// Three corners; the front is where they turn counter-clockwise. May be a segment or a point.
typedef struct cd_triangle {
    cd_vec3 a, b, c;
} cd_triangle;

/// The ray from `from` through `to`: t = 1 is at `to`.
CD_API cd_ray cd_ray_through(cd_vec3 from, cd_vec3 to);

/// The line through two points: t = 0 is at `a`, t = 1 at `b`.
CD_API cd_line cd_line_through(cd_vec3 a, cd_vec3 b);

/// The plane through a point with a given normal of any length.
CD_API cd_plane cd_plane_from_point_normal(cd_vec3 point, cd_vec3 normal);

/// The plane of three points, with unit normal on the side where they turn counter-clockwise (Ericson 3.6).
///
/// False, with `out` untouched, when the points are exactly collinear or not finite.
CD_API bool cd_plane_from_points(cd_vec3 a, cd_vec3 b, cd_vec3 c, cd_plane *out);

/// The plane of a triangle, as cd_plane_from_points makes it.
CD_API bool cd_plane_from_triangle(const cd_triangle *t, cd_plane *out);

/// The same plane with a unit normal; all zero when the normal is zero or not finite.
///
/// Class: tolerant, 2 units in the last place of the normal's length and of d.
CD_API cd_plane cd_plane_normalize(cd_plane p);

/// The plane moved by a pose, its normal as long as before.
///
/// Class: tolerant, 4 units in the last place of the largest of d and |n| |position|.
CD_API cd_plane cd_plane_transform(cd_plane p, const cd_transform *pose);

/// The unit normal of a triangle, on the side where its corners turn counter-clockwise.
///
/// False, with `out` untouched, when the corners are exactly collinear or not finite. Class: tolerant, 4 units in
/// the last place, needles included.
CD_API bool cd_triangle_normal(const cd_triangle *t, cd_vec3 *out);

/// The area of a triangle; 0 when its corners are collinear.
CD_API cd_real cd_triangle_area(const cd_triangle *t);

/// The triangle with its corners moved by cd_transform_point.
CD_API cd_triangle cd_triangle_transform(const cd_triangle *t, const cd_transform *pose);

/// Finite, and with a direction other than zero.
CD_API bool cd_line_is_valid(const cd_line *l);

/// Finite.
CD_API bool cd_ray_is_valid(const cd_ray *r);

/// Finite.
CD_API bool cd_segment_is_valid(const cd_segment *s);

/// Finite, and with a normal other than zero.
CD_API bool cd_plane_is_valid(const cd_plane *p);

/// Finite.
CD_API bool cd_triangle_is_valid(const cd_triangle *t);

/* ---- shape/volume.h ------------------------------------------------------------------------------------------ */

/* volume: spheres, axis-aligned and oriented boxes (Ericson 4.2-4.4). */

/// A ball: the points no farther than `radius` from `center`. A radius of 0 is a point, a negative one nothing.
typedef struct cd_sphere {
    cd_vec3 center;
    cd_real radius;
} cd_sphere;

/// An axis-aligned box, closed; empty when min > max on any axis.
typedef struct cd_aabb {
    cd_vec3 min, max;
} cd_aabb;

/// An oriented box, closed: center + axes.col[i] * s_i with |s_i| <= half's components.
///
/// The axes are orthonormal and right-handed, the half extents at least 0.
typedef struct cd_obb {
    cd_vec3 center;
    cd_mat3 axes;
    cd_vec3 half;
} cd_obb;

/// The empty box, min = +CD_REAL_MAX and max = -CD_REAL_MAX: what a growing box starts from.
CD_API cd_aabb cd_aabb_empty(void);

/// The smallest box that holds both.
CD_INLINE cd_aabb cd_merge_aabb_aabb(cd_aabb a, cd_aabb b) {
    a.min = cd_vec3_min(a.min, b.min);
    a.max = cd_vec3_max(a.max, b.max);
    return a;
}

/// The smallest box that holds the box and the point.
CD_INLINE cd_aabb cd_aabb_add_point(cd_aabb b, cd_vec3 p) {
    b.min = cd_vec3_min(b.min, p);
    b.max = cd_vec3_max(b.max, p);
    return b;
}

/// The common part of two boxes; empty when they do not meet.
CD_INLINE cd_aabb cd_aabb_intersect(cd_aabb a, cd_aabb b) {
    a.min = cd_vec3_max(a.min, b.min);
    a.max = cd_vec3_min(a.max, b.max);
    return a;
}

/// min > max on some axis.
CD_INLINE bool cd_aabb_is_empty(cd_aabb b) {
    return b.min.x > b.max.x || b.min.y > b.max.y || b.min.z > b.max.z;
}

/// The smallest box that holds `count` points; empty for none. A NaN component is passed over.
CD_API cd_aabb cd_aabb_from_points(const cd_vec3 *points, size_t count);

/// A box that holds the sphere, rounded outward; empty for a negative radius.
CD_API cd_aabb cd_aabb_from_sphere(cd_sphere s);

/// A box that holds the oriented box, rounded outward.
CD_API cd_aabb cd_aabb_from_obb(const cd_obb *b);

/// The oriented box with the axes of the frame, holding all of the box; all zero for an empty one.
CD_API cd_obb cd_obb_from_aabb(cd_aabb b);

/// The oriented box moved by a pose.
CD_API cd_obb cd_obb_transform(const cd_obb *b, const cd_transform *pose);

/// The eight corners: bit k of the index chooses the positive side on axis k.
CD_API void cd_obb_to_vertices(const cd_obb *b, cd_vec3 out[8]);

/// Finite, radius >= 0.
CD_API bool cd_sphere_is_valid(cd_sphere s);

/// Finite and not empty.
CD_API bool cd_aabb_is_valid(cd_aabb b);

/// Finite, axes orthonormal within 1e-3, half extents >= 0.
CD_API bool cd_obb_is_valid(const cd_obb *b);

/* ---- shape/swept.h ------------------------------------------------------------------------------------------- */

/* swept: sphere-swept volumes, the points within a radius of a segment or of a rectangle (Ericson 4.5). */

/// A capsule: the points no farther than `radius` from the segment between a and b, which may be a point.
///
/// A negative radius is nothing.
typedef struct cd_capsule {
    cd_vec3 a, b;
    cd_real radius;
} cd_capsule;

/// A lozenge, also called a rectangle-swept sphere: the points no farther than `radius` from the rectangle a + s edge[0] +
/// t edge[1] with s and t in [0, 1].
///
/// The edges are perpendicular; either or both may be zero, which makes it a capsule or a sphere. A negative radius is
/// nothing.
typedef struct cd_lozenge {
    cd_vec3 a;
    cd_vec3 edge[2];
    cd_real radius;
} cd_lozenge;

/* ---- shape/round.h ------------------------------------------------------------------------------------------- */

/* round: cylinders, cones, discs, ellipsoids, spherical shells and zonotopes (Ericson 4.7). All are closed. */

/// A solid cylinder with flat caps around a and b, perpendicular to the segment between them. A negative radius is nothing.
typedef struct cd_cylinder {
    cd_vec3 a, b;
    cd_real radius;
} cd_cylinder;

/// A solid cone from `apex` to the disc of `radius` around `base`, perpendicular to the axis between them. A negative
/// radius is nothing.
typedef struct cd_cone {
    cd_vec3 apex, base;
    cd_real radius;
} cd_cone;

/// A flat disc: the points no farther than `radius` from `center` in the plane through it that is perpendicular to `normal`,
/// which need not be unit and may not be zero. A negative radius is nothing.
typedef struct cd_disc {
    cd_vec3 center, normal;
    cd_real radius;
} cd_disc;

/// A solid ellipsoid: center + axes.col[i] * half_i * s_i with |s| <= 1. The axes are orthonormal and right-handed, the
/// half lengths at least 0.
typedef struct cd_ellipsoid {
    cd_vec3 center;
    cd_mat3 axes;
    cd_vec3 half;
} cd_ellipsoid;

/// A spherical shell: the points whose distance from `center` is between `inner` and `outer`, and whose direction from there
/// makes an angle with `axis` whose cosine is at least `cos_angle` (Krishnan and others 1998). A `cos_angle` of -1 is all
/// around. `axis` need not be unit and may not be zero. An `outer` below `inner` is nothing.
typedef struct cd_spherical_shell {
    cd_vec3 center, axis;
    cd_real inner, outer, cos_angle;
} cd_spherical_shell;

/// A zonotope: center + sum of generators[i] * s_i with |s_i| <= 1, the Minkowski sum of segments. Boxes, prisms over
/// polygons with parallel sides, and lozenges without their rounding are zonotopes.
typedef struct cd_zonotope {
    cd_vec3 center;
    const cd_vec3 *generators; ///< of the caller
    uint32_t count;
} cd_zonotope;

/* ---- shape/planar.h ------------------------------------------------------------------------------------------ */

/* planar: circles and boxes in the plane (Ericson 4.2-4.4). */

/// A disc in the plane: the points no farther than `radius` from `center`. A negative radius is nothing.
typedef struct cd_circle {
    cd_vec2 center;
    cd_real radius;
} cd_circle;

/// An axis-aligned rectangle, closed; empty when min > max on either axis.
typedef struct cd_aabb2 {
    cd_vec2 min, max;
} cd_aabb2;

/// An oriented rectangle, closed: center + axis * s + cd_vec2_perp(axis) * t with |s| <= half.x and |t| <= half.y. The axis
/// is unit, the half extents at least 0.
typedef struct cd_obb2 {
    cd_vec2 center, axis, half;
} cd_obb2;

/* ---- shape/mesh_view.h --------------------------------------------------------------------------------------- */

/* mesh_view: how a triangle mesh of the caller is read, where it lies and as it lies. */

/// How positions are stored.
typedef enum cd_position_format {
    CD_POSITION_REAL = 0, ///< three `cd_real`
    CD_POSITION_F32 = 1,  ///< three floats
    CD_POSITION_F64 = 2   ///< three doubles, rounded once in a float build
} cd_position_format;

/// How indices are stored.
typedef enum cd_index_format { CD_INDEX_U32 = 0, CD_INDEX_U16 = 1 } cd_index_format;

/// A mesh in the caller's memory; nothing is copied.
///
/// Positions are `stride` bytes apart (0: tightly packed) and need no alignment. Three indices make a triangle, its
/// front where they turn counter-clockwise; triangles are `index_stride` bytes apart (0: tightly packed). Without
/// indices (NULL) the positions 3i, 3i + 1, 3i + 2 make triangle i.
typedef struct cd_mesh_view {
    const void *positions;
    uint32_t stride, position_format, vertex_count;
    const void *indices;
    uint32_t index_stride, index_format, triangle_count;
} cd_mesh_view;

/// A view of packed positions and 32-bit indices.
CD_API cd_mesh_view cd_mesh_view_make(const cd_vec3 *positions, uint32_t vertex_count,
                                      const uint32_t *indices, uint32_t triangle_count);

/// Position `i`, rounded to the number type of the interface; `i` below the vertex count.
CD_API cd_vec3 cd_mesh_position(const cd_mesh_view *mesh, uint32_t i);

/// The corners of triangle `i` (below the triangle count); false, with `out` untouched, when one of its indices is
/// out of range.
CD_API bool cd_mesh_triangle(const cd_mesh_view *mesh, uint32_t i, cd_triangle *out);

/// The three indices of triangle `i` (below the triangle count), as they stand, unchecked.
CD_API void cd_mesh_indices(const cd_mesh_view *mesh, uint32_t i, uint32_t out[3]);

/// Can the view be read at all: known formats, no missing pointer, strides large enough, no more triangles without
/// indices than positions? The indices and positions themselves are not looked at.
CD_API bool cd_mesh_view_is_valid(const cd_mesh_view *mesh);

/* ---- shape/barycentric.h ------------------------------------------------------------------------------------- */

/* barycentric: a point as weights of a triangle's corners (Ericson 3.4).
 *
 * The weights x, y, z of the corners a, b, c add up to 1 and give the point x a + y b + z c; the point is in the triangle
 * when none is negative. They are quotients of areas, evaluated in double beside a bound of their errors, and where that
 * is too large, as it is for needles and for points far off the plane, without rounding.
 * Class: tolerant, for all finite numbers, needles included: each weight within 2 units (12 in a double build) in the
 * last place of the largest of the three; a weight beyond the range of numbers is the largest of them. */

/// The weights of the point of the triangle's plane that is nearest to p.
///
/// False, with `out` untouched, when the corners are exactly collinear or anything is not finite.
CD_API bool cd_barycentric(const cd_triangle *t, cd_vec3 p, cd_vec3 *out);

/// The weights of the point of the triangle's plane that is in line with p along an axis of the frame: the axis on which
/// the normal, as computed, is largest, the first of equals. The same as above for points of the plane, and cheaper.
///
/// False, with `out` untouched, when the corners are exactly collinear or anything is not finite.
CD_API bool cd_barycentric_projected(const cd_triangle *t, cd_vec3 p, cd_vec3 *out);

/// The weights of p in a triangle of the plane, which may turn either way.
///
/// False, with `out` untouched, when the corners are exactly collinear or anything is not finite.
CD_API bool cd_barycentric2d(cd_vec2 a, cd_vec2 b, cd_vec2 c, cd_vec2 p, cd_vec3 *out);

/* ---- shape/convexity.h --------------------------------------------------------------------------------------- */

/* convexity: is a quadrilateral, a polygon or a body convex (Ericson 3.7.1, 3.8.1)?
 *
 * Class of all: exact, for all finite numbers; NaN or infinity in: not convex. */

/// Is the quadrilateral a, b, c, d strictly convex?
///
/// It is when b and d lie on opposite sides of the diagonal from a to c, and a and c of the other one, each seen along
/// the normal of the triangle that the diagonal makes: for a planar one, when it is not a bow tie, not concave, and no three
/// corners are in line. For one that is not planar this is the definition.
CD_API bool cd_is_convex_quad(cd_vec3 a, cd_vec3 b, cd_vec3 c, cd_vec3 d);

/// Is the polygon convex? It may turn either way.
///
/// Runs of corners in line and repeated neighbouring corners are fine; a polygon without area is not convex, nor is one
/// that turns around more than once (the star of five points) or back on itself.
CD_API bool cd_is_convex_polygon(const cd_vec2 *v, size_t count);

/// The same for a polygon in space, whose corners are taken to lie in a plane: it is seen along the axis of the frame
/// that is nearest to the normal of its first corners that are not in line.
CD_API bool cd_is_convex_polygon3(const cd_vec3 *v, size_t count);

/// What keeps indexed triangles from being a convex body.
typedef enum cd_convexity_flaw {
    CD_CONVEXITY_MEMORY = 1, ///< nothing: the allocator gave no memory, or there is too much to count
    CD_CONVEXITY_INPUT,      ///< a triangle (the feature) has an index out of range, or a number not finite
    CD_CONVEXITY_DEGENERATE, ///< a triangle (the feature) has no area
    CD_CONVEXITY_OPEN,       ///< an edge (the feature) is not that of one other triangle, with the same front
    CD_CONVEXITY_REFLEX, ///< the triangles at an edge (the feature) form a hollow, or are folded onto each other
    CD_CONVEXITY_FLAT,       ///< there is no volume, or no triangle
    CD_CONVEXITY_INSIDE_OUT, ///< part of the body is in front of a triangle (the feature)
    CD_CONVEXITY_MULTIPLE    ///< each edge is as it should be, but the surface goes around more than once
} cd_convexity_flaw;

/// The first flaw that was found.
typedef struct cd_convexity {
    uint32_t flaw;    ///< of `cd_convexity_flaw`
    uint32_t feature; ///< a face or edge, see CD_FEATURE; or CD_FEATURE_NONE
} cd_convexity;

/// Are these triangles, three indices each, counter-clockwise from outside, the boundary of a convex body with volume?
///
/// Triangles may share a plane; every edge has to be used once in each direction (weld the corners first). Vertices that no
/// triangle uses are ignored. False with the first flaw in `out` (may be NULL), which is untouched when true. Flaws
/// are looked for in the order of their numbers from CD_CONVEXITY_INPUT on, features of one kind by their index.
/// Memory: (9 triangle_count + vertex_count) * 4 bytes from `allocator` (may be NULL). Cost: linear.
/// Source: the test of edges and one ray of Mehlhorn et al. 1999, "Checking geometric programs or verification of
/// geometric structures".
CD_API bool cd_is_convex_polyhedron(const cd_vec3 *vertices, size_t vertex_count, const uint32_t *triangles,
                                    size_t triangle_count, const cd_allocator *allocator, cd_convexity *out);

/* ---- shape/voronoi.h ----------------------------------------------------------------------------------------- */

/* voronoi: which feature of a body owns a point: the corner, edge or face that the point of the body nearest to it lies
 * on (Ericson 3.10, 5.1.5).
 *
 * The answer is a feature number, see CD_FEATURE; CD_FEATURE_NONE inside the body, and for NaN or infinity anywhere. On the
 * boundary between regions it is the smallest feature: a corner before an edge before a face, then the smaller index.
 * Bodies may be flat, thin or a point. Class of all: exact, for all finite numbers. */

/// The feature of a segment that owns p.
CD_API uint32_t cd_voronoi_region_segment(cd_vec3 p, const cd_segment *s);

/// The feature of a triangle that owns p; the face for both sides.
CD_API uint32_t cd_voronoi_region_triangle(cd_vec3 p, const cd_triangle *t);

/// The feature of a tetrahedron that owns p; CD_FEATURE_NONE strictly inside. The corners may be in any order.
CD_API uint32_t cd_voronoi_region_tetrahedron(cd_vec3 p, cd_vec3 a, cd_vec3 b, cd_vec3 c, cd_vec3 d);

/// The feature of a box that owns p; CD_FEATURE_NONE strictly inside, and for an empty box.
CD_API uint32_t cd_voronoi_region_aabb(cd_vec3 p, cd_aabb b);

/// The feature of an oriented box that owns p; CD_FEATURE_NONE strictly inside, and for a negative half extent.
///
/// The axes are taken as they stand: on each, (p - center) . axis is compared with the half extent, without rounding.
CD_API uint32_t cd_voronoi_region_obb(cd_vec3 p, const cd_obb *b);

/// The feature of a convex body that owns p; CD_FEATURE_NONE strictly inside.
///
/// The body is given by triangles of three indices, counter-clockwise from outside, as cd_is_convex_polyhedron asks for. Where it
/// is not convex the answer means nothing; CD_FEATURE_NONE for an index out of range. An edge has the smaller of its two
/// numbers. Edges between triangles of one plane count as edges. Cost: linear in the triangles; more when many edges are
/// about as near to p as the nearest.
CD_API uint32_t cd_voronoi_region_polyhedron(cd_vec3 p, const cd_vec3 *vertices, size_t vertex_count,
                                             const uint32_t *triangles, size_t triangle_count);

/* ---- shape/lp.h ---------------------------------------------------------------------------------------------- */

/* lp: linear programs of two and three variables over half-planes and half-spaces n . x <= d.
 *
 * Seidel's algorithm (Seidel 1991; de Berg et al., chapter 4; Ericson 9.4.1): the constraints come in random order, and
 * only one that cuts off the best point so far costs a program of one dimension less on its boundary, which happens
 * seldom enough for an expected time linear in their number. Against Fourier-Motzkin elimination, whose constraints
 * may square in number with each variable and which suits a handful of them, it is the one to use; against a simplex
 * method it cannot cycle and needs no pivot rule.
 *
 * Class of all verdicts and bases: exact, for all finite numbers. Every decision is the sign of a determinant of the
 * constraints' own numbers, in double beside a bound of its rounding error, and in whole numbers of any length where
 * that cannot tell. Unbounded programs are solved inside a box whose half side is a symbol larger than any number, ties
 * by an objective tilted by symbols smaller than any. Only the points given are rounded, each coordinate to 2 units in
 * its last place, and to CD_REAL_MAX where it is beyond. The order is random but always the same: same input, same bits;
 * it assumes that nobody chose the constraints against it, otherwise the time may be their number to the power of the
 * dimension. Magnitudes (other than 0) outside 2^-200...2^200 (2^-160...2^160 for interior points) are as exact but slow.
 *
 * Memory: a copy of the constraints, 6 doubles each at most; none is taken for up to 32 of them. */

/// The points x of the plane with n . x <= d.
///
/// n = 0 holds everywhere when d >= 0, and nowhere when d < 0.
typedef struct cd_halfspace2 {
    cd_vec2 n;
    cd_real d;
} cd_halfspace2;

/// What a linear program came to.
typedef enum cd_lp_verdict {
    CD_LP_OPTIMAL = 0, ///< there is a best point
    CD_LP_UNBOUNDED,   ///< there are points as good as you like
    CD_LP_INFEASIBLE   ///< no point satisfies all constraints
} cd_lp_verdict;

/// The answer of cd_lp_seidel2.
typedef struct cd_lp2 {
    cd_lp_verdict verdict;
    cd_vec2 point; ///< the best point; unbounded: a feasible one; zero when infeasible
    cd_vec2 ray; ///< unbounded: all point + t ray, t >= 0, are feasible and ever better; largest component 1
    /// Indices of constraints that prove the verdict. Optimal: the point lies on their boundaries, and the direction is a
    /// sum of their normals with factors >= 0. Infeasible: no point satisfies just these. Unbounded: the ray runs along
    /// their boundaries.
    uint32_t basis[3];
    uint32_t basis_count; ///< at most 2, 3 when infeasible; independent of each other when optimal
} cd_lp2;

/// The answer of cd_lp_seidel3, as that of cd_lp_seidel2.
typedef struct cd_lp3 {
    cd_lp_verdict verdict;
    cd_vec3 point, ray;
    uint32_t basis[4];
    uint32_t basis_count; ///< at most 3, 4 when infeasible
} cd_lp3;

/// The point of `count` half-planes that is farthest along `direction`.
///
/// Of several: the one with the smallest x, then the smallest y; where there is no smallest, some point on the boundary
/// of what is feasible, or on a line through the origin. A zero direction asks only whether there are points. `out` is
/// zeroed unless CD_OK is returned; NaN or infinity: CD_INVALID_ARGUMENT; 2^32 - 1 constraints or more: CD_TOO_LARGE.
/// Class: exact verdict and basis; the point within 2 units in the last place of each coordinate. Cost: expected linear.
/// Source: Seidel 1991; Ericson 9.4.1.
CD_API cd_status cd_lp_seidel2(const cd_halfspace2 *halfspaces, size_t count, cd_vec2 direction,
                               const cd_allocator *allocator, cd_lp2 *out);

/// The point of `count` half-spaces that is farthest along `direction`.
///
/// Each plane stands for n . x <= d, n of any length; n = 0 holds everywhere when d >= 0, and nowhere when d < 0. Of several
/// points: the one with the smallest x, then y, then z. All else as in cd_lp_seidel2.
CD_API cd_status cd_lp_seidel3(const cd_plane *halfspaces, size_t count, cd_vec3 direction,
                               const cd_allocator *allocator, cd_lp3 *out);

/// What the interior of an intersection of half-spaces came to.
typedef enum cd_interior {
    CD_INTERIOR_FOUND = 0, ///< the point given is strictly inside all of them
    CD_INTERIOR_THIN,      ///< there are such points, but the one given, as rounded, is not
    CD_INTERIOR_FLAT, ///< their intersection is part of a plane (2D: a line); the point is on it up to rounding
    CD_INTERIOR_EMPTY ///< they have no point in common; the point is zero
} cd_interior;

/// The answer of cd_halfplanes_interior_point.
typedef struct cd_interior2 {
    cd_interior verdict;
    cd_vec2 point;
    /// Its distance from the nearest boundary; 0 when flat; when empty, below 0: by how much all must yield.
    cd_real margin;
} cd_interior2;

/// The answer of cd_halfspaces_interior_point.
typedef struct cd_interior3 {
    cd_interior verdict;
    cd_vec3 point;
    cd_real margin; ///< as in cd_interior2
} cd_interior3;

/// A point strictly inside all half-planes, as far from their boundaries as can be: the centre of a largest circle.
///
/// Where circles of any size fit, the margin is the largest distance of a boundary from the origin, or 1. Empty because of
/// a half-plane with n = 0 and d < 0: the margin is -CD_REAL_MAX. Class: exact verdict; the margin within a relative 1e-15
/// of the best before rounding. Errors, memory and cost as cd_lp_seidel3; a program of three variables.
CD_API cd_status cd_halfplanes_interior_point(const cd_halfspace2 *halfspaces, size_t count,
                                              const cd_allocator *allocator, cd_interior2 *out);

/// A point strictly inside all half-spaces, as far from their boundaries as can be: the centre of a largest ball.
///
/// As cd_halfplanes_interior_point, by a program of four variables (Ericson 9.4.1).
CD_API cd_status cd_halfspaces_interior_point(const cd_plane *halfspaces, size_t count,
                                              const cd_allocator *allocator, cd_interior3 *out);

/* ---- hull/hull2.h -------------------------------------------------------------------------------------------- */

/* hull2: convex hulls of points in the plane (Ericson 3.9.1, 3.9.2).
 *
 * Both functions give the same for all finite input. In `hull`, which the caller provides with room for `count` indices
 * and which is all the memory they use, they leave the indices of the extreme points, the corners at which the hull
 * really turns: counter-clockwise, starting at the leftmost point (the lowest of these), a point given several times
 * under its smallest index. `*hull_count` tells what the hull is:
 *
 *     0  nothing, there are no points          2  a segment: all points are in line, these are the ends
 *     1  a point: all are equal                3 and more  a convex polygon, as cd_is_convex_polygon has it
 *
 * Neither the order of the points nor how often each is given changes the corners. Points strictly inside eight outer ones
 * are set aside first, so that of points spread evenly over an area most cost two looks.
 *
 * Class: exact, for all finite numbers (core/predicate). NaN or infinity in: CD_INVALID_ARGUMENT; 2^32 - 1 points or more:
 * CD_TOO_LARGE; in both cases `*hull_count` is 0 and `hull` undefined. */

/// The convex hull by Andrew's algorithm: sorted from left to right, the points are walked along below and back above.
///
/// The best where most points are corners, or none are known. Cost: count log count, at most
/// 8 count (log2 count + 2) comparisons and side tests. Source: Andrew 1979; Ericson 3.9.1.
CD_API cd_status cd_hull2_andrew(const cd_vec2 *points, size_t count, uint32_t *hull, size_t *hull_count);

/// The convex hull by Quickhull: the point farthest outside an edge is a corner, and splits the points outside in two.
///
/// The best where few points are corners: its cost is count times the logarithm of the number of corners for evenly spread
/// points. Inputs made against it are noticed, and their rest sorted as in Andrew's algorithm, so that it never costs more
/// than 16 count (log2 count + 2) comparisons and side tests. Source: Eddy 1977; Ericson 3.9.2.
CD_API cd_status cd_hull2_quickhull(const cd_vec2 *points, size_t count, uint32_t *hull, size_t *hull_count);

/* ---- hull/minkowski2.h --------------------------------------------------------------------------------------- */

/* minkowski2: Minkowski sums and differences of convex polygons (Ericson 3.11).
 *
 * A polygon is given as the hulls of hull/hull2 are: its corners counter-clockwise, from any one on. Repeated corners and
 * corners in line are fine, and left out. Points that are all in line stand for the segment that they span, one point
 * for itself, none for the empty set.
 *
 * Class: exact for all finite numbers as to which corners the result has, since those are given by the two corners that
 * make them up; only `position` is rounded. NaN or infinity, or a polygon that is not convex or turns clockwise:
 * CD_INVALID_ARGUMENT; 2^32 - 1 corners or more: CD_TOO_LARGE; in both cases `*count` is 0. Cost: linear, no memory. */

/// A corner of a Minkowski sum or difference.
typedef struct cd_minkowski_corner2 {
    cd_vec2 position; ///< each coordinate the nearest number, at most CD_REAL_MAX
    uint32_t a, b;    ///< the corners of the first and the second polygon whose sum or difference it is
} cd_minkowski_corner2;

/// The sum of two convex polygons: all points p + q with p in `a` and q in `b`.
///
/// Its edges are those of both, ordered by direction. `*count` tells how many corners it has, at most a_count + b_count; the
/// first `capacity` of them are written: the extreme points, counter-clockwise, starting at the leftmost (the lowest of these).
/// One corner: it is a point; two: a segment; none: `a` or `b` is empty. A corner given several times has its smallest index.
/// Source: de Berg et al., chapter 13; Ericson 3.11.
CD_API cd_status cd_minkowski_sum2(const cd_vec2 *a, size_t a_count, const cd_vec2 *b, size_t b_count,
                                   cd_minkowski_corner2 *corners, size_t capacity, size_t *count);

/// The difference of two convex polygons as collision detection has it: all points p - q with p in `a` and q in `b`.
///
/// The polygons meet exactly when the origin is in it, which cd_minkowski_locate_origin2 tells. All else as in
/// cd_minkowski_sum2.
CD_API cd_status cd_minkowski_difference2(const cd_vec2 *a, size_t a_count, const cd_vec2 *b, size_t b_count,
                                          cd_minkowski_corner2 *corners, size_t capacity, size_t *count);

/// Where is the origin: outside (-1), on the boundary of (0) or inside (1) the difference of two convex polygons?
///
/// That is: are they apart, do they meet so that some smallest motion takes them apart, or so that none does? The
/// difference itself is not rounded: exact. A difference that is a point or a segment is all boundary. What the others
/// refuse, and an empty polygon: -1. Cost: linear, less where they are apart.
CD_API int cd_minkowski_locate_origin2(const cd_vec2 *a, size_t a_count, const cd_vec2 *b, size_t b_count);

/* ---- hull/hull.h --------------------------------------------------------------------------------------------- */

/* hull: a convex hull as a polyhedron (Ericson 3.9, 9.1), and what it is made of.
 *
 * A hull is one block of memory without pointers: it can be copied, written to a file and mapped back. Its faces are
 * polygons in half-edge form; corners are in the order of a space-filling curve, so that neighbours are near each other
 * in memory. The hull of points in a plane has two faces, front and back; that of points in a line two half-edges and no
 * face; that of one point neither. V - E + F is 2 for dimensions 2 and 3.
 *
 * Queries only read the hull, allocate nothing and may run on many threads at once. A zeroed `cd_hull` is the empty hull. */

/// A hull: one block of memory, and who owns it.
typedef struct cd_hull {
    const void *block;
    size_t bytes;
    cd_allocator allocator; ///< what gave the block; of no meaning in a view
    uint32_t owned;         ///< 1 when cd_hull_destroy gives the block back, 0 in a view
} cd_hull;

/// One side of an edge. The half-edges of a face follow each other, counter-clockwise from outside.
typedef struct cd_half_edge {
    uint32_t origin; ///< the vertex where it starts
    uint32_t twin;   ///< the half-edge of the other side
    uint32_t face;   ///< the face to its left; CD_NONE in a hull of dimension 1
} cd_half_edge;

/// A face: the half-edges `first` to `first + count - 1`, at least three.
typedef struct cd_hull_face {
    cd_plane plane; ///< unit normal, outward; no vertex is in front by more than the rounding of n and d
    uint32_t first, count;
} cd_hull_face;

/// What a hull is made of; the pointers are into its block.
typedef struct cd_hull_parts {
    int32_t dimension; ///< -1 for the empty hull, 0 a point, 1 a segment, 2 a polygon, 3 a body
    uint32_t vertex_count, half_edge_count, face_count;
    const cd_vec3 *vertices;
    const uint32_t *sources;  ///< of each vertex: which point it is, of equal ones the first; or CD_NONE
    const uint32_t *outgoing; ///< of each vertex: a half-edge from it; CD_NONE in a hull of dimension 0
    const cd_half_edge *half_edges;
    const cd_hull_face *faces;
    cd_real
        flatness; ///< after merging or rounding: no point is farther from its plane, nor outside, but for rounding
    cd_real deviation; ///< after simplifying or rounding: no point of one hull is farther from the other
    cd_vec3 center;    ///< the mean of the vertices, a point inside
} cd_hull_parts;

/// The parts of a hull. Cost: constant.
CD_API cd_hull_parts cd_hull_get_parts(const cd_hull *hull);

/// The half-edge after `half_edge` in its face.
CD_API uint32_t cd_hull_next(const cd_hull_parts *parts, uint32_t half_edge);

/// The half-edge before `half_edge` in its face.
CD_API uint32_t cd_hull_previous(const cd_hull_parts *parts, uint32_t half_edge);

/// The faces as triangles, three vertices of the hull each, counter-clockwise from outside; fans from the first corners.
///
/// Returns how many there are and fills at most `capacity` of them (3 `capacity` indices; NULL with 0).
CD_API size_t cd_hull_triangles(const cd_hull *hull, uint32_t *indices, size_t capacity);

/// The vertex farthest along a direction of any length, of equal ones the one with the smallest number; CD_NONE for the
/// empty hull. Dot products are those of doubles. NaN or infinity in: vertex 0. Cost: linear.
CD_API uint32_t cd_hull_support(const cd_hull *hull, cd_vec3 direction);

/// The bounding box of a hull.
CD_API cd_aabb cd_hull_bounds(const cd_hull *hull);

/// Gives the hull's memory back and leaves the empty hull; an empty hull or a view may be destroyed too.
CD_API void cd_hull_destroy(cd_hull *hull);

/// A hull in bytes that were a hull's block, without copying: `bytes` must be aligned to 64 and outlive the view.
///
/// All rules of cd_hull_validate are checked: CD_CORRUPT where one is broken, CD_UNSUPPORTED for a
/// block of another version, byte order or number type, CD_INVALID_ARGUMENT for a bad alignment. Cost: linear. `out` is
/// the empty hull on failure.
CD_API cd_status cd_hull_view(cd_hull *out, const void *bytes, size_t size);

/// Checks the hull's own rules: counts and offsets, twins and loops, V - E + F = 2, finite numbers, unit normals; and, when its
/// flatness is 0, that faces are exactly flat and convex, and the body exactly convex at each edge. CD_OK or CD_CORRUPT. Cost: linear; allocates nothing.
CD_API cd_status cd_hull_validate(const cd_hull *hull);

/* ---- hull/hull_build.h --------------------------------------------------------------------------------------- */

/* hull_build: the convex hull of points in space (Ericson 3.9.2). */

/// Switches of a build.
typedef enum cd_hull_flag {
    CD_HULL_SKIP_INVALID = 1 ///< points that are not finite are left out instead of refused
} cd_hull_flag;

/// Options of a build; the zero object is the default, and NULL stands for it.
typedef struct cd_hull_options {
    uint32_t flags; ///< of `cd_hull_flag`
    cd_real
        merge_distance; ///< neighbouring faces are merged while they stay this near to a plane; 0: only coplanar ones
    cd_allocator allocator;
    cd_executor executor;
} cd_hull_options;

/// The convex hull of any points, by Quickhull on exact predicates.
///
/// Class: exact. The vertices are exactly the extreme points, the faces exactly the maximal polygons on the boundary: no
/// point is in front of any face, no vertex lies inside a face or an edge, V - E + F = 2. The order of the points changes
/// nothing but `sources`. Points that are all equal, collinear or coplanar have a hull of dimension 0, 1 or 2; no points
/// have the empty hull and CD_OK.
///
/// With a `merge_distance` faces of a body become one polygon where they lie within that distance under the plane of a large
/// one of them, and turn from it by less than 60 degrees; the polygon is then not quite flat. Points inside such a face or
/// near the line of an edge are no vertices any more: they are outside of the hull by `flatness` at most, and behind all
/// planes but for rounding. A vertex may be left with two edges, and V - E + F = 2 holds.
///
/// CD_INVALID_ARGUMENT: an option is out of range, or, without CD_HULL_SKIP_INVALID, some number is not finite.
/// CD_TOO_LARGE: more than 2^28 points. CD_OUT_OF_MEMORY, CD_CANCELLED. `out` is the empty hull on failure.
///
/// Cost: expected n log n. Where the farthest points split badly, points are taken at random after 64 n log2 n tests.
/// Source: Barber, Dobkin and Huhdanpaa 1996, "The Quickhull algorithm for convex hulls"; Clarkson and Shor 1989.
CD_API cd_status cd_hull3_build(cd_hull *out, const cd_vec3 *points, size_t count,
                                const cd_hull_options *options);

/// The convex hull of the positions of a mesh; its triangles are not looked at.
CD_API cd_status cd_hull3_build_mesh(cd_hull *out, const cd_mesh_view *mesh, const cd_hull_options *options);

/* ---- hull/hull_simplify.h ------------------------------------------------------------------------------------ */

/* hull_simplify: a hull with fewer vertices or faces, inside or around the one given (collision hulls of a game, bounds).
 *
 * Inside, vertices are chosen: farthest points first, half as many again as wanted; then those go that are missed least,
 * and the farthest one is exchanged for the one missed least while that helps; at last all move some way to where the hull
 * is missed most, and the better one of both results is taken. Around, the same is done in the
 * polar dual, where planes are points and distance is how far corners reach beyond a plane; faces of the hull and
 * planes that touch it along boxes' directions can be chosen, and for few faces boxes, prisms and tetrahedra are tried, too.
 * Of many vertices or faces only those go into the choice that are extreme in one of many directions, some for the body as
 * it is, some for it made round, so that the cost of the choice does not depend on their number. */

/// On which side of the hull the result lies.
typedef enum cd_hull_side {
    CD_HULL_INNER = 0, ///< inside: the hull of some of its vertices
    CD_HULL_OUTER = 1  ///< around it
} cd_hull_side;

/// Options of a simplification; the zero object limits nothing, and NULL stands for it.
typedef struct cd_hull_simplify_options {
    uint32_t flags;        ///< none are known: 0
    uint32_t side;         ///< of `cd_hull_side`
    uint32_t max_vertices; ///< 0: any number; otherwise at least 4, in dimension 2 at least 3
    uint32_t max_faces;    ///< 0: any number; otherwise at least 4; of no meaning in dimension 2
    cd_allocator allocator;
} cd_hull_simplify_options;

/// A hull within a budget of vertices and faces, near to the one given, and how near: see `deviation` of cd_hull_parts.
///
/// A hull within the budget is copied, as are those of dimension 0 and 1; the copy's deviation is 0. `hull` may be a view. One
/// with a `flatness` above 0 (merged faces, rounded vertices) stands for the exact hull of its vertices.
///
/// Inside: the result is the exact hull of a subset of the vertices, of the same dimension, and keeps their `sources`. It
/// has exactly `max_vertices` vertices where only that is limited; with `max_faces`, as many as fit: triangles alone allow
/// for half of it and two, and more are tried where faces are larger.
///
/// Around: the result contains the hull, by exact tests, and its vertices are new, with CD_NONE for a source. Its faces lie
/// on touching planes, pushed out by what rounding the vertices asks for. Where the exact hull of the rounded vertices
/// would have more faces than allowed for, each plane's face is one polygon, and the rounding is told as `flatness`; it is
/// the hull of the vertices that contains the hull then. With `max_vertices` as many planes are used as have no more
/// corners. Hulls too thin for doubles (their thickness below 1e-14 of their size), or so small
/// beside their coordinates that rounding spoils the vertices, get their bounding box, or a tetrahedron around it. CD_UNSUPPORTED: around a hull of dimension 2, whose plane could not be kept exactly.
///
/// Class: exact for inside-ness and topology, conservative for the deviation: support functions differ by no more in any
/// unit direction, at most by the rounding of CD_REAL_EPSILON and 1e-14 of the size too large. The choice itself is
/// greedy; around spheres the deviation is about 1.1 to 1.3 times the best one known.
///
/// CD_INVALID_ARGUMENT: an unknown flag or side, a budget below the least. CD_OUT_OF_MEMORY. CD_NOT_CONVERGED: no result, only
/// where coordinates come near the largest of their type. `out` is the empty hull on failure.
///
/// Cost: linear, and b log b for a budget of b, times a few for each try; a bisection of at most 8 tries where `max_faces`
/// limits the inside of a hull with larger faces.
/// Source: Gonzalez 1985 (farthest points); Barber, Dobkin and Huhdanpaa 1996; Gilbert, Johnson and Keerthi 1988.
CD_API cd_status cd_hull_simplify(cd_hull *out, const cd_hull *hull, const cd_hull_simplify_options *options);

/* ---- hull/minkowski3.h --------------------------------------------------------------------------------------- */

/* minkowski3: the sum and the difference of two hulls in space (Ericson 3.11).
 *
 * A + B is the set of all a + b, A - B that of all a - b. Both are convex; their vertices are sums (differences) of vertices. The
 * bodies A and B overlap exactly when the origin is in A - B. */

/// Where a vertex of a sum or difference comes from: a vertex of each operand.
typedef struct cd_minkowski_pair {
    uint32_t a, b;
} cd_minkowski_pair;

/// The sum of two hulls, { a + b }, of any dimensions.
///
/// Class: exact. The vertices, edges and faces are those of the sum without rounding, only then are the vertices rounded to
/// cd_real, each coordinate to the nearest number. Which vertices of `a` and `b` make a vertex of the sum tells
/// cd_minkowski_pair_of from its number in `sources`. Where no vertex had to be rounded the result is as good as
/// one of cd_hull3_build, with `flatness` 0. Else `deviation` is a bound of the distance by which vertices were moved and
/// `flatness` twice that: faces may be out of flat and edges hollow by it, vertices may even coincide, and cd_hull_validate
/// does not ask for exact convexity; `dimension` is that of the exact sum. The normals of faces are the exact ones,
/// rounded.
///
/// An operand with a `flatness` above 0 (merged faces, rounded vertices) stands for the exact hull of its vertices. The
/// sum with the empty hull is empty. Of the options the allocator and the executor are used.
///
/// CD_TOO_LARGE: a coordinate is beyond half of CD_REAL_MAX; the product of the operands' numbers of vertices is not below
/// 2^32 - 1; the result has more than 2^28 vertices. CD_OUT_OF_MEMORY, CD_CANCELLED. `out` is the empty hull on failure.
///
/// Cost: for each vertex of the sum the product of the numbers of edges at its two vertices, then that of a hull of the
/// sum's vertices. Source: Fukuda 2004, "From the zonotope construction to the Minkowski addition of convex
/// polytopes", for the walk along the edges of the sum.
CD_API cd_status cd_minkowski_sum3(cd_hull *out, const cd_hull *a, const cd_hull *b,
                                   const cd_hull_options *options);

/// The difference of two hulls, { a - b }: all as in cd_minkowski_sum3.
CD_API cd_status cd_minkowski_difference3(cd_hull *out, const cd_hull *a, const cd_hull *b,
                                          const cd_hull_options *options);

/// The two vertices that make a vertex of a sum or difference: `source` is its entry in `sources`, `b` the second
/// operand. The entry itself is the first one's vertex times the number of vertices of `b`, plus the second one's vertex. CD_NONE
/// twice for CD_NONE or an empty `b`.
CD_API cd_minkowski_pair cd_minkowski_pair_of(uint32_t source, const cd_hull *b);

/// Where is the origin in the difference of two hulls, or: do they overlap?
///
/// Class: exact, no rounding of the difference comes in. `where` is -1 when the hulls have no common point; 0 when the
/// origin is on the boundary of the difference: they touch, and can be parted by an arbitrarily small motion; 1 when it is
/// strictly inside. A difference of dimension 2 or less, as of two polygons in parallel planes, is all boundary. A hull with
/// a `flatness` above 0 stands for the exact hull of its vertices; the empty hull overlaps nothing.
///
/// CD_TOO_LARGE, CD_OUT_OF_MEMORY, CD_CANCELLED as in cd_minkowski_difference3 (in the float build no difference is too
/// large); `where` is -1 then. Cost: as there, but constant memory and linear time when the bounding boxes are
/// apart. A reference rather than a fast test.
CD_API cd_status cd_minkowski_locate_origin3(int *where, const cd_hull *a, const cd_hull *b,
                                             const cd_hull_options *options);

/* ---- hull/mass.h --------------------------------------------------------------------------------------------- */

/* mass: mass, centre and inertia of solids and surfaces (Ericson 4.4.3), and how those of several bodies combine.
 *
 * All numbers are doubles in both builds: the inertia grows with the fifth power of the size, and would leave the range of
 * floats long before a body leaves the library's domain. Densities are 1: multiply with cd_mass_scale.
 *
 * A body ready for dynamics, of 80 units of mass:
 *
 *     cd_mass m;
 *     if (cd_mass_properties(&mesh, &m) == CD_OK && m.mass > 0) m = cd_mass_scale(&m, 80 / m.mass);
 */

/// How a body resists being pushed and turned.
///
/// `inertia` is the inertia tensor about `center`, along the axes of the frame: the diagonal holds the moments of inertia,
/// the integral of y^2 + z^2 first, the rest the products with their minus sign, minus the integral of x y first. It is
/// symmetric. The zero object is a body without mass.
typedef struct cd_mass {
    double mass;
    double center[3];
    double inertia[3][3];
} cd_mass;

/// Mass properties of the solid that the mesh bounds, at density 1: `mass` is the volume.
///
/// The mesh should be closed, its fronts outside. Nothing checks that (cd_mesh_euler does): where it is inside out the
/// volume and the inertia are negative and the centre is right; parts that overlap count twice; an open mesh is closed
/// by triangles between its boundary and the middle of its bounds. Vertices that no triangle uses do not matter.
/// Without volume (flat, empty) mass and inertia are 0, and the centre is that of the surface; without area, the
/// middle of the bounds; without triangles, 0.
/// Class: tolerant: every number within one unit in its last place, two on the diagonal of the inertia, and, for n
/// triangles, n (n + 8) 2^-98 of what it would be for the box of the bounds, corner to corner: volume v; for the entry i, j
/// of the inertia, v times the largest product of two extents that goes into it; for the centre, the extent times v over
/// the body's volume. That addition is far below the unit for all but bodies that are next to nothing in their bounds.
/// (Where parts turned inside out put the centre outside of the bounds, only the volume and the centre are so good.)
/// CD_INVALID_ARGUMENT: the view cannot be read, an index is out of range, or a number is not finite; CD_TOO_LARGE: a
/// result is beyond the range of doubles. `out` is zero then.
/// Cost: linear, half a microsecond a triangle; no memory. Source: Eberly, "Polyhedral mass properties (revisited)".
CD_API cd_status cd_mass_properties(const cd_mesh_view *mesh, cd_mass *out);

/// The same for the surface alone, a hollow body with a thin wall: `mass` is the area. The mesh may be open, and turned
/// either way.
///
/// Class: tolerant: 4 units in the last place of the area, of the largest extent (and one of the centre's own), and of the
/// area times the square of the extent.
CD_API cd_status cd_mass_properties_shell(const cd_mesh_view *mesh, cd_mass *out);

/// A hull as a solid; one without volume has no mass, and its centre is that of its surface, of its ends, or itself.
///
/// Class: as cd_mass_properties for the triangles of cd_hull_triangles. The zero object for the empty hull and where a result
/// is beyond the range. Cost: linear; no memory.
CD_API cd_mass cd_mass_from_hull(const cd_hull *hull);

/// A tetrahedron, its corners in any order; zero mass when flat. Class and centre as for meshes; zero where a number is not
/// finite or a result is beyond the range.
CD_API cd_mass cd_mass_from_tetrahedron(cd_vec3 a, cd_vec3 b, cd_vec3 c, cd_vec3 d);

/// A ball; zero for a radius below 0, and where a number is not finite. Class: tolerant, 5 units in the last place.
CD_API cd_mass cd_mass_from_sphere(cd_sphere s);

/// A box; zero for an empty one, and where a number is not finite. Class: tolerant, 5 units in the last place.
CD_API cd_mass cd_mass_from_aabb(cd_aabb b);

/// An oriented box; zero where a half extent is below 0, or a number is not finite. Class: tolerant, 8 units in the last
/// place of the largest entry, when the axes are orthonormal to that.
CD_API cd_mass cd_mass_from_obb(const cd_obb *b);

/// The same body with another density: mass and inertia times `factor`.
CD_API cd_mass cd_mass_scale(const cd_mass *m, double factor);

/// Two bodies as one. What is scaled by -1 is taken away.
///
/// Where the masses cancel there is no centre: that of `a` is given, and the inertia is about it.
/// Class: tolerant, 2^-46 of the largest term. Source: the parallel axis theorem (Steiner).
CD_API cd_mass cd_mass_add(const cd_mass *a, const cd_mass *b);

/// The body moved by a pose.
CD_API cd_mass cd_mass_transform(const cd_mass *m, const cd_transform *pose);

/// The inertia tensor about another point, rounded to cd_real; entries beyond its range are infinite.
CD_API cd_mat3 cd_mass_inertia_at(const cd_mass *m, cd_vec3 point);

/// The principal moments of inertia about the centre, largest first, and their axes: the unit columns of a right-handed
/// rotation, in which the inertia is diagonal.
///
/// False, with the outputs untouched, when an entry is not finite. Either output may be NULL. Class: tolerant: the axes
/// as in cd_eigen_jacobi; each moment within 2^-42 of the largest.
CD_API bool cd_mass_principal(const cd_mass *m, double moments[3], cd_mat3 *axes);

/// Could a body be so: finite, its mass above 0, its inertia symmetric, no moment below 0, or above the sum of the others by
/// more than 2^-40 of it? Asked of the given axes.
CD_API bool cd_mass_is_valid(const cd_mass *m);

/* ---- query/hit.h --------------------------------------------------------------------------------------------- */

/* hit: what queries answer with, and the options they share. */

/// What is true of a hit; bits of `cd_hit.flags`.
typedef enum cd_hit_flag {
    CD_HIT_BACK = 1, ///< the surface was met from behind: from inside, or against a triangle's winding
    CD_HIT_START = 2 ///< the cast began in contact: t is where it began
} cd_hit_flag;

/// The first contact of a cast.
typedef struct cd_hit {
    cd_real t;        ///< where, in units of the cast's direction
    cd_vec3 point;    ///< the contact point
    cd_vec3 normal;   ///< unit, of the surface, on the side the cast comes from; never zero
    cd_real depth;    ///< > 0 only when it began inside and CD_CAST_START_DEPTH asks for it
    cd_real u, v;     ///< triangles: the weights of corners b and c (1 - u - v is a's); else 0
    uint32_t feature; ///< see CD_FEATURE
    uint32_t index;   ///< of the primitive in a structure; 0 for single shapes
    uint32_t flags;   ///< of `cd_hit_flag`
} cd_hit;

/// How casts treat surfaces and starts; bits of `cd_cast_options.flags`. None: both faces are hit, and a cast that
/// begins inside a solid hits it where it begins, with the normal against the motion.
typedef enum cd_cast_flag {
    CD_CAST_CULL_BACK = 1, ///< pass through surfaces met from behind
    CD_CAST_CULL_FRONT =
        2, ///< pass through surfaces met from the front: solids are hit where the cast leaves
    CD_CAST_START_IGNORE = 4,  ///< what the cast begins in or exactly on is not hit
    CD_CAST_START_LEAVING = 8, ///< ... only when the motion leads out through the nearest surface
    CD_CAST_START_DEPTH =
        16 ///< starts inside report the depth, and the outward normal of the nearest surface
} cd_cast_flag;

/// False to have a primitive of a structure passed over.
typedef bool (*cd_filter_fn)(void *user, uint32_t index);

/// Options of all casts; the zero object is the default, and NULL stands for it.
typedef struct cd_cast_options {
    uint32_t flags; ///< of `cd_cast_flag`
    cd_real t_min;  ///< the cast begins here instead of at 0
    cd_filter_fn filter;
    void *user; ///< handed to `filter`
} cd_cast_options;

/// Closest points of two things.
typedef struct cd_closest {
    cd_vec3 a, b;   ///< the point of each
    cd_real sqdist; ///< squared distance, >= 0; NaN when an input is not finite (the rest is zero then)
    cd_real s, t;   ///< where on each: a segment's parameter; a triangle's u in s and v in t
    uint32_t feature_a, feature_b; ///< see CD_FEATURE
    uint32_t index_a, index_b;     ///< of the primitive in a structure; 0 for single shapes
} cd_closest;

/// Told of one result after another; false stops the query.
typedef bool (*cd_visit_fn)(void *user, uint32_t index);

/// Two primitives of two structures.
typedef struct cd_pair {
    uint32_t a, b;
} cd_pair;

/// Told of one pair after another; false stops the query.
typedef bool (*cd_visit_pair_fn)(void *user, cd_pair pair);

/* ---- query/closest.h ----------------------------------------------------------------------------------------- */

/* closest: closest points and distances between a point and one shape (Ericson 5.1).
 *
 * Class of all: tolerant; points within 4 units in the last place of the largest coordinate met. NaN or infinity in:
 * NaN points and distances. A squared distance is never negative. */

/// Closest point of a plane, whose normal may have any length but zero (Ericson 5.1.1).
CD_API cd_vec3 cd_closest_pt_point_plane(cd_vec3 p, cd_plane plane);

/// Signed distance to a plane, positive on the normal's side; the normal may have any length but zero.
CD_API cd_real cd_dist_point_plane(cd_vec3 p, cd_plane plane);

/// Closest point of a segment, which may be a point (Ericson 5.1.2).
CD_API cd_vec3 cd_closest_pt_point_segment(cd_vec3 p, const cd_segment *s);

/// Squared distance to a segment.
CD_API cd_real cd_sqdist_point_segment(cd_vec3 p, const cd_segment *s);

/// Closest point of an axis-aligned box; p itself when inside. NaN for an empty box (Ericson 5.1.3).
CD_API cd_vec3 cd_closest_pt_point_aabb(cd_vec3 p, cd_aabb b);

/// Squared distance to an axis-aligned box; NaN for an empty box.
CD_API cd_real cd_sqdist_point_aabb(cd_vec3 p, cd_aabb b);

/// Closest point of an oriented box; p itself, up to rounding, when inside (Ericson 5.1.4).
CD_API cd_vec3 cd_closest_pt_point_obb(cd_vec3 p, const cd_obb *b);

/// Squared distance to an oriented box.
CD_API cd_real cd_sqdist_point_obb(cd_vec3 p, const cd_obb *b);

/// Closest point of a triangle, needles, segments and points included (Ericson 5.1.5).
CD_API cd_vec3 cd_closest_pt_point_triangle(cd_vec3 p, const cd_triangle *t);

/// Squared distance to a triangle; at least that to the triangle's bounding box.
CD_API cd_real cd_sqdist_point_triangle(cd_vec3 p, const cd_triangle *t);

/// The same with everything known: a = p, b the point of the triangle, s and t the weights of the corners b and c,
/// feature_b the feature the point lies on, the smallest for ties.
CD_API cd_closest cd_closest_pts_point_triangle(cd_vec3 p, const cd_triangle *t);

/* ---- query/test.h -------------------------------------------------------------------------------------------- */

/* test: do two things meet? Closed sets: touching counts (Ericson 5.2). NaN in, or an infinite number but where a
 * routine allows it: false. */

/// Is the point in the box? Class: exact. Infinite boxes are fine.
CD_INLINE bool cd_test_point_aabb(cd_vec3 p, cd_aabb b) {
    return b.min.x <= p.x && p.x <= b.max.x && b.min.y <= p.y && p.y <= b.max.y && b.min.z <= p.z &&
           p.z <= b.max.z;
}

/// Do two axis-aligned boxes meet? Class: exact; false when either is empty. Infinite boxes are fine (4.2.1).
CD_INLINE bool cd_test_aabb_aabb(cd_aabb a, cd_aabb b) {
    return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y &&
           a.min.z <= b.max.z && b.min.z <= a.max.z && !cd_aabb_is_empty(a) && !cd_aabb_is_empty(b);
}

/// Is the point in the sphere? Class: exact.
CD_API bool cd_test_point_sphere(cd_vec3 p, cd_sphere s);

/// Is the point in the oriented box? Class: tolerant, 4 units of double of the largest coordinate.
CD_API bool cd_test_point_obb(cd_vec3 p, const cd_obb *b);

/// Do two spheres meet? Class: exact (4.3.1).
CD_API bool cd_test_sphere_sphere(cd_sphere a, cd_sphere b);

/// Do sphere and box meet? Class: exact (5.2.5).
CD_API bool cd_test_sphere_aabb(cd_sphere s, cd_aabb b);

/// Do sphere and oriented box meet? Class: tolerant, 8 units of double of the largest coordinate (5.2.6).
CD_API bool cd_test_sphere_obb(cd_sphere s, const cd_obb *b);

/// Do sphere and triangle meet? Class: tolerant, 8 units of double of the largest coordinate (5.2.7).
CD_API bool cd_test_sphere_triangle(cd_sphere s, const cd_triangle *t);

/// Do segment and plane meet? Class: exact; the plane's normal may have any length.
CD_API bool cd_test_segment_plane(const cd_segment *s, cd_plane plane);

/// Do two oriented boxes meet, by the fifteen separating axes (4.4.1)?
///
/// Class: conservative: never false for boxes that meet; true for boxes apart only when the gap is below 1e-14 of
/// their size and distance, or below the error of axes that are not quite orthonormal. Every axis is weighed by its
/// own length, so that parallel edges, flat and needle-like boxes need no tolerance of their own.
CD_API bool cd_test_obb_obb(const cd_obb *a, const cd_obb *b);

/// Do triangle and box meet? Class: exact, for every triangle, needles, segments and points included (5.2.9).
CD_API bool cd_test_triangle_aabb(const cd_triangle *t, cd_aabb b);

/// Do triangle and oriented box meet? The triangle is taken to the box's frame, with an error of 4 units of double
/// of the largest coordinate; there the test is exact.
CD_API bool cd_test_triangle_obb(const cd_triangle *t, const cd_obb *b);

/* ---- query/locate.h ------------------------------------------------------------------------------------------ */

/* locate: is a point outside (-1), on the surface (0) or inside (+1)? NaN or infinity in: -1. */

/// The point against the half-space behind a plane, n . x <= d: -1 in front of it, 0 on it, +1 behind. Class: exact.
///
/// `n` may have any length but zero.
CD_API int cd_locate_point_plane(cd_vec3 p, cd_plane plane);

/// The point against a ball. Class: exact. A ball of radius 0 has a surface only; -1 for a negative radius.
CD_API int cd_locate_point_sphere(cd_vec3 p, cd_sphere s);

/// The point against a box. Class: exact. -1 for an empty box.
CD_API int cd_locate_point_aabb(cd_vec3 p, cd_aabb b);

/* ---- query/uncertain.h --------------------------------------------------------------------------------------- */

/* uncertain: tests of things whose numbers are known only within bounds, by interval arithmetic (Ericson 11.4).
 *
 * Measured poses, whole spans of time, results of rounded arithmetic: the answer is yes or no only where it holds for all
 * numbers within the bounds. */

/// Do two spheres meet, whose centres and radii are known within bounds?
///
/// CD_YES: whichever numbers they are, the spheres meet. CD_NO: in no case. CD_MAYBE: both may be, or the bounds are too
/// wide, or touch, to tell. Class: conservative. A radius below 0 is no sphere, as in cd_test_sphere_sphere. An empty
/// interval, which holds no number, gives CD_MAYBE; so does NaN, which stands for any. Cost: constant.
CD_API cd_ternary cd_test_sphere_sphere_interval(const cd_interval3 *center_a, cd_interval radius_a,
                                                 const cd_interval3 *center_b, cd_interval radius_b);

/* ---- query/cast.h -------------------------------------------------------------------------------------------- */

/* cast: the first contact of a ray or segment with one plane, sphere or box (Ericson 5.3.1-5.3.3).
 *
 * A cast answers true and fills `hit`, or answers false and leaves it alone. `t_max` may be infinite; it and
 * `options->t_min` count in the ray's direction, which may have any length; a zero direction asks about the origin
 * alone. Options and hit may be NULL. NaN or infinity in the rest: false. */

/// Ray against plane, whose normal may have any length. A ray that begins on the plane hits it there.
///
/// Class: tolerant, 4 units of double of the largest term.
CD_API bool cd_cast_ray_plane(const cd_ray *r, cd_real t_max, cd_plane plane, const cd_cast_options *options,
                              cd_hit *hit);

/// Segment against plane; t from 0 at `a` to 1 at `b` (5.3.1).
CD_API bool cd_cast_segment_plane(const cd_segment *s, cd_plane plane, const cd_cast_options *options,
                                  cd_hit *hit);

/// Ray against solid sphere (5.3.2).
///
/// Class: tolerant; the distance of the line to the centre is compared, which stays good far from the sphere: a
/// decision may be wrong only within 8 units of double of the distance from the origin to the sphere.
CD_API bool cd_cast_ray_sphere(const cd_ray *r, cd_real t_max, cd_sphere s, const cd_cast_options *options,
                               cd_hit *hit);

/// Ray against solid axis-aligned box, by slabs (5.3.3).
///
/// Class: exact in whether the line meets the box, edges and corners included; t to 2 units in the last place.
CD_API bool cd_cast_ray_aabb(const cd_ray *r, cd_real t_max, cd_aabb b, const cd_cast_options *options,
                             cd_hit *hit);

/// Ray against solid oriented box (5.3.3).
///
/// The ray is taken to the box's frame, with an error of 4 units of double of the largest coordinate; there the
/// test is exact.
CD_API bool cd_cast_ray_obb(const cd_ray *r, cd_real t_max, const cd_obb *b, const cd_cast_options *options,
                            cd_hit *hit);

/* ---- query/cast_triangle.h ----------------------------------------------------------------------------------- */

/* cast_triangle: lines, rays and segments against triangles (Ericson 5.3.4, 5.3.6).
 *
 * Class: exact in whether there is a hit, and on which feature: three signs of the line against the edges and one of
 * the origin against the plane, by the scalar triple products of the book in a form with an error bound, and exactly
 * where the bound cannot tell. So a closed mesh never lets a ray through between two triangles, and the answer
 * does not depend on the order of the corners. The sheared form of the products is that of Woop, Benthin and Wald
 * 2013. t lies within the triangle's bounding box and is good to a few units in the last place of the numbers met, but
 * loses digits as the ray comes to graze the plane; the weights u and v also as the triangle becomes thin.
 *
 * A line in the plane of the triangle does not hit it, nor does any line hit a triangle without area: the neighbours
 * in a closed mesh answer. (cd_test_segment_triangle counts such contacts.) */

/// Ray against triangle; `t_max` may be infinite.
///
/// `hit->normal` is on the side the ray comes from; CD_HIT_BACK tells that this is not the front. `hit->u` and
/// `hit->v` are the weights of b and c; `hit->feature` is a vertex or edge only when the ray meets it exactly.
/// NaN or infinity in: false.
CD_API bool cd_cast_ray_triangle(const cd_ray *r, cd_real t_max, const cd_triangle *t,
                                 const cd_cast_options *options, cd_hit *hit);

/// Line against triangle: as a ray that has no beginning; t may be negative. `options->t_min` is not used.
CD_API bool cd_cast_line_triangle(const cd_line *l, const cd_triangle *t, const cd_cast_options *options,
                                  cd_hit *hit);

/// Segment against triangle; t from 0 at `a` to 1 at `b`. Exact for the segment's own two points, whose difference
/// no ray can hold.
CD_API bool cd_cast_segment_triangle(const cd_segment *s, const cd_triangle *t,
                                     const cd_cast_options *options, cd_hit *hit);

/* ---- query/triangle_triangle.h ------------------------------------------------------------------------------- */

/* triangle_triangle: do two triangles meet, and where (Ericson 5.2.10).
 *
 * The method is that of Guigue and Devillers 2003: the planes of each against the corners of the other, then one
 * comparison at each end of the two intervals on the common line, every step the sign of an orient3d. With exact
 * signs, and with every case of a zero sign followed to its end, the answer is exact.
 *
 * Class: exact, for every finite input in the domain of cd_orient3d: coplanar, sharing corners or edges, needles,
 * segments and points included; the same for every order of the corners and of the triangles. Closed sets: touching
 * counts. NaN or infinity in: false. */

/// Do two triangles meet?
CD_API bool cd_test_triangle_triangle(const cd_triangle *a, const cd_triangle *b);

/// Do segment and triangle meet? Also in the triangle's plane, and where either has no extent.
CD_API bool cd_test_segment_triangle(const cd_segment *s, const cd_triangle *t);

/// The common points of two triangles: a point, a segment, or a convex polygon.
typedef struct cd_triangle_cut {
    uint32_t count;    ///< 1 for a point, 2 for a segment, 3 to 6 for a polygon
    uint32_t coplanar; ///< 1 when the triangles lie in one plane, else 0
    cd_vec3 points[6]; ///< a polygon counter-clockwise about the normal of the first triangle that has one
} cd_triangle_cut;

/// The common points of two triangles; false, with `out` untouched, when there are none.
///
/// Whether and which corners and edges meet is exact; the points where an edge crosses a plane or another edge are
/// rounded, to 2 units in the last place of the edge's size. Such a point depends on the edge and the triangle alone,
/// not on the order of their corners, so that the pieces of the intersection of two meshes join exactly,
/// unless a triangle without area takes part: its part is that of the segment between its ends.
CD_API bool cd_intersect_triangle_triangle(const cd_triangle *a, const cd_triangle *b, cd_triangle_cut *out);

/* ---- bounds/rect_min.h --------------------------------------------------------------------------------------- */

/* rect_min: the rectangle of least area around points in the plane (Ericson 4.4.4).
 *
 * One of its sides holds an edge of the convex hull (Freeman and Shapira 1975), so that only these need be tried. Both
 * functions build the hull first, and take any points in any order: duplicates and points in line cost nothing but time.
 *
 * Class of both: conservative: every point is in the stored rectangle exactly, as cd_obb2 defines it and as seen along its
 * axes, rounding included. Tolerant: the area is the least one within 64 CD_REAL_EPSILON of the area, and of the product of
 * the diameter and the distance of the points from the origin. Points in line have a rectangle of no height but
 * for rounding; of no points, NaN, infinity: CD_INVALID_ARGUMENT; 2^32 - 1 points or more: CD_TOO_LARGE; CD_OUT_OF_MEMORY.
 * `out` is zero then. Memory: 4 bytes a point from `allocator`, which may be NULL. */

/// The rectangle of least area, by looking at all h corners of the hull for each of its edges.
///
/// Cost: the hull, count log count, and h^2. Kept as the plain form; the other function gives the same.
CD_API cd_status cd_min_area_rect(const cd_vec2 *points, size_t count, const cd_allocator *allocator,
                                  cd_obb2 *out);

/// The rectangle of least area by rotating calipers: from edge to edge the three opposite corners only move on.
///
/// Cost: the hull, and at most 5 h steps, on exact predicates. Source: Toussaint 1983, "Solving geometric problems with
/// the rotating calipers".
CD_API cd_status cd_min_area_rect_calipers(const cd_vec2 *points, size_t count, const cd_allocator *allocator,
                                           cd_obb2 *out);

/* ---- bounds/obb_fit.h ---------------------------------------------------------------------------------------- */

/* obb_fit: oriented boxes around points, hulls and meshes by statistics and by extreme points (Ericson 4.4.3, 4.4.4).
 *
 * What the fits of this module, obb_search and obb_min have in common:
 * Class: conservative: every point is in the stored box exactly, by the definition of cd_obb and as seen along its axes,
 * rounding included; beyond that the box is as tight as its axes allow within 64 units of the number type of the distance
 * to the farthest point. Its volume is never above that of the box along the axes of the world, which is what
 * is given where it is smaller; of boxes without volume the one with the smaller surface, then the shorter one.
 * Points in a plane, in line, or all equal: extents of 0 but for that rounding, exactly 0 where the plane or line is
 * across axes of the world. Deterministic. No point, NaN or infinity: CD_INVALID_ARGUMENT, and `out` is zero; so it is with
 * CD_OUT_OF_MEMORY. Points far apart relative to CD_REAL_MAX may get the box along the axes of the world.
 *
 * Which one? For a tight box of a hull: cd_obb_min_volume, or cd_obb_pca (of the box smallest across) and cd_obb_refine. For points by the
 * hundred thousand: cd_obb_from_points, or better cd_obb_from_hull, which does not see how densely points lie. */

/// From the covariance of the points: the axes are its eigenvectors.
///
/// Points inside count as much as those outside, so a cluster may turn the box away from the best one. Cost: linear, no memory.
/// Source: Gottschalk, Lin and Manocha 1996, "OBBTree".
CD_API cd_status cd_obb_from_points(const cd_vec3 *points, size_t count, cd_obb *out);

/// From the covariance of the surface of a hull, as if it were densely covered with points (the continuous form): neither
/// interior points nor their density matter.
///
/// A hull without area is fitted by its extreme points; the empty hull is CD_INVALID_ARGUMENT. Cost: linear in the
/// hull, no memory. Source: Gottschalk 2000, "Collision queries using oriented bounding boxes".
CD_API cd_status cd_obb_from_hull(const cd_hull *hull, cd_obb *out);

/// The same for the surface of a mesh as it stands, which may be open. Vertices that no triangle uses do not matter.
///
/// CD_INVALID_ARGUMENT too where the view cannot be read, or an index is out of range. Cost: linear, no memory.
CD_API cd_status cd_obb_from_mesh(const cd_mesh_view *mesh, cd_obb *out);

/// From the principal axes of inertia of the solid that a closed mesh bounds; its surface's where it has no volume.
///
/// Bad input, cost: as cd_obb_from_mesh.
CD_API cd_status cd_obb_from_inertia(const cd_mesh_view *mesh, cd_obb *out);

/// By two extreme pairs: the first axis joins two points far apart, the second one joins two that are so seen along the first.
///
/// The pairs are those found by going to the farthest point twice, from an end of the longest side of the bounds. Where the
/// volume of the hull is not 0, the box has at most a constant times the volume of the smallest one. Cost: linear, eight passes; no memory.
/// Source: Barequet and Har-Peled 2001, "Efficiently approximating the minimum-volume bounding box of a point set in
/// three dimensions".
CD_API cd_status cd_obb_barequet(const cd_vec3 *points, size_t count, cd_obb *out);

/// Which axes of the covariance a box takes.
typedef enum cd_pca_axes {
    CD_PCA_ALL = 0, ///< all three: cd_obb_from_points
    CD_PCA_MAX,     ///< that of the largest value; across it, the rectangle of least area
    CD_PCA_MIN      ///< that of the smallest value; across it, the rectangle of least area
} cd_pca_axes;

/// The box of the principal components, all of them or one, and the best rectangle across it.
///
/// Cost: count log count; 12 bytes a point (20 in double) from `allocator`, which may be NULL. More than 2^32 - 2
/// points: CD_TOO_LARGE. Source: Barequet et al. 1996, "BOXTREE: a hierarchical representation for surfaces in 3D".
CD_API cd_status cd_obb_pca(const cd_vec3 *points, size_t count, cd_pca_axes axes,
                            const cd_allocator *allocator, cd_obb *out);

/* ---- bounds/obb_search.h ------------------------------------------------------------------------------------- */

/* obb_search: oriented boxes made smaller by looking for better axes (Ericson 4.4.4, 4.4.5).
 *
 * For the class, degenerate and bad input see obb_fit. All look at every point again and again: give them the vertices of the
 * hull (cd_hull_get_parts), which are few, rather than all points. */

/// Makes a box smaller by iterated projection: the points are seen along each of its axes in turn, and the box takes the
/// rectangle of least area across that axis, until none of them gains more than rounding errors.
///
/// `box` gives the axes to start with, which may be anything: what is not a rotation is made one. The result holds all points, and
/// is not larger than the box of the points along the axes at the start, but for rounding. Ends in a local minimum in nearly all cases
/// (the book says "not", which is a misprint): each axis is best for the other two, but turning all at once may still gain.
/// Cost: count log count for each projection, usually less than twenty, at most 512. Memory, CD_TOO_LARGE: as cd_obb_pca; `box` is zero then.
CD_API cd_status cd_obb_refine(const cd_vec3 *points, size_t count, const cd_allocator *allocator,
                               cd_obb *box);

/// How hard to search; the zero object is the default, and NULL stands for it.
typedef struct cd_obb_search_options {
    uint32_t
        steps; ///< brute force: orientations along each of three directions, 2...256; 0: 8. Optimiser: tries in all from each start; 0: 200
    uint32_t rounds; ///< brute force: how often the interval shrinks, 1...64; 0: 8. Not of the optimiser
    uint32_t starts; ///< optimiser: how many starts, 1...4096; 0: 8. Not of brute force
    uint32_t seed;   ///< optimiser: of its random numbers
} cd_obb_search_options;

/// The best box of a grid of orientations around that of the principal components, which is then made finer around the best.
///
/// The first grid covers all orientations: boxes look alike after quarter turns, so turns by vectors tan(angle / 2) * axis within
/// a cube of half width sqrt(2) - 1 are enough. Each round has a cube of 2.5 steps of the one before. Of each orientation
/// the six points extreme along the axes of the best box are tried first; nine in ten need no more.
/// Options out of range: CD_INVALID_ARGUMENT. Cost: at most steps^3 * rounds times the count, no memory.
CD_API cd_status cd_obb_brute_force(const cd_vec3 *points, size_t count, const cd_obb_search_options *options,
                                    cd_obb *out);

/// The best box that random turns lead to: one turn is tried at a time, and kept if the box got smaller; else the next ones
/// are smaller.
///
/// Starts at the principal components, the axes of the world, and random orientations. The same for the same seed everywhere.
/// Options out of range: CD_INVALID_ARGUMENT. Cost: at most steps * starts times the count, no memory.
CD_API cd_status cd_obb_optimize(const cd_vec3 *points, size_t count, const cd_obb_search_options *options,
                                 cd_obb *out);

/* ---- bounds/obb_min.h ---------------------------------------------------------------------------------------- */

/* obb_min: the oriented box of least volume around a convex hull (Ericson 4.4.3).
 *
 * O'Rourke (1985): such a box has two neighbouring faces that each hold an edge of the hull. So for each pair of edges there is a family of
 * boxes with one parameter, and of each family the least is looked for. */

/// The box of least volume around a hull.
///
/// For class, degenerate and bad input see obb_fit; a flat hull gets the rectangle of least area, the empty hull is
/// CD_INVALID_ARGUMENT. The volume is the least one within a share of 1e-7 (1e-9 in double), and the rounding of the axes.
///
/// Normals of planes that touch the hull along an edge make an arc on the sphere of directions; the pairs are those of arcs
/// that hold perpendicular directions. Each is bisected while the box could still be smaller than the best one known: the
/// corners that a box touches bound the volume of the boxes beside it from below, and between two of them the volume has no
/// minimum of its own that differs from its ends by more than the square of the angle.
///
/// Cost, for e edges: e^2 / 2 looks at four numbers, and one to a few boxes for each pair of arcs that holds perpendicular
/// directions, of which round hulls have about e^1.5: 7 ms for 100 vertices, a quarter of a second for 1000 on a sphere.
/// Memory: at most 700 bytes a vertex, taken from `allocator`, which may be NULL.
/// Source: O'Rourke 1985, "Finding minimal enclosing boxes"; the pairs of arcs as in Jylanki 2015, "An exact algorithm for
/// finding minimum oriented bounding boxes".
CD_API cd_status cd_obb_min_volume(const cd_hull *hull, const cd_allocator *allocator, cd_obb *out);

/* ---- mesh/euler.h -------------------------------------------------------------------------------------------- */

/* euler: is a mesh of triangles a proper surface, and which one? Counted by Euler's formula (Ericson 12.6).
 *
 * For a surface of s pieces, g handles in all and h boundary curves, V - E + F = 2 (s - g) - h. Only indices count:
 * corners at one place with different indices are different, so weld them first. Positions are not looked at. */

/// What keeps a mesh from being a closed surface with a consistent front, the worst first.
///
/// From CD_MESH_OPEN on it is a surface all the same, one with a boundary or with vertices to spare.
typedef enum cd_mesh_defect {
    CD_MESH_SOUND = 0,  ///< nothing
    CD_MESH_BAD_INDEX,  ///< a triangle (the feature) has an index out of range; it is left out of all counts
    CD_MESH_DEGENERATE, ///< a triangle (the feature) has a corner twice; it is left out of all counts
    CD_MESH_EDGE_CROWDED, ///< more than two triangles share an edge (the feature)
    CD_MESH_EDGE_TURNED,  ///< the fronts of the two triangles at an edge (the feature) are on opposite sides
    CD_MESH_VERTEX_PINCHED, ///< the triangles at a vertex (the feature) hang together in no single fan
    CD_MESH_OPEN,           ///< an edge (the feature) has one triangle only
    CD_MESH_UNUSED          ///< no triangle uses a vertex (the feature)
} cd_mesh_defect;

/// What a mesh consists of.
typedef struct cd_euler {
    uint32_t defect;  ///< the worst, of `cd_mesh_defect`
    uint32_t feature; ///< where it is first: a vertex, edge or face, see CD_FEATURE; or CD_FEATURE_NONE

    uint32_t vertices, edges, faces; ///< V, E, F: used vertices, edges, triangles that are counted
    uint32_t bad_indices, degenerate, crowded, turned, pinched, open,
        unused; ///< how often each defect occurs

    uint32_t pieces; ///< s: groups of triangles that hang together across edges
    uint32_t
        fans; ///< groups of triangles that hang together at a vertex, across edges; V when none is pinched
    uint32_t loops;  ///< h: closed curves that the open edges form
    bool orientable; ///< could turning triangles around mend all turned edges? Crowded ones aside
    int32_t
        characteristic; ///< V - E + F; with the fans for V, that of the surface with its pinched vertices split
    int32_t
        genus; ///< g, pinched vertices split; -1 where a crowded edge or a surface that is not orientable has none
} cd_euler;

/// Counts what the mesh consists of, and names its worst defect.
///
/// A sound mesh has `defect` CD_MESH_SOUND: each edge has two triangles with the same front, each vertex one fan; the mesh is
/// then the boundary of solids as far as indices can tell, of as many pieces and handles as stated. That it does not
/// pass through itself, and that its front is outside, has to be asked of its positions (cd_mass_properties tells
/// the latter). Triangles that are there twice crowd their edges, or, where they have nobody else, turn or close them.
/// CD_INVALID_ARGUMENT: the view cannot be read; CD_TOO_LARGE: more than 2^30 vertices or 2^30 / 3 triangles, the bound
/// of feature numbers; CD_OUT_OF_MEMORY. `out` is zero then.
/// Memory: at most (17 triangles + vertices + 17) * 4 bytes from `allocator` (may be NULL). Cost: linear but for the forests of
/// union-find, whose paths are halved: n log n at most.
CD_API cd_status cd_mesh_euler(const cd_mesh_view *mesh, const cd_allocator *allocator, cd_euler *out);

/// One English sentence for a defect; never NULL, for any value.
CD_API const char *cd_mesh_defect_text(uint32_t defect);

/* ---- tree/bvh.h ---------------------------------------------------------------------------------------------- */

/* bvh: a bounding volume hierarchy over the triangles of a mesh (Ericson 6).
 *
 * A tree is one block of memory without pointers: it can be copied, written to a file and mapped back. It keeps its own
 * copy of the triangles, so that the mesh may go. Nodes have up to eight children; their boxes are floats in a frame
 * scaled to the tree, rounded outward, so that every query gives the answer of a loop over all triangles, ties
 * included: results name the triangle's index in the mesh, and of equal results the smallest index wins.
 *
 * Queries only read the tree, allocate nothing, use at most 16 KiB of stack and may run on many threads at once. They
 * never touch more than the tree's depth (at most 96) times 8 nodes at a time, whatever the mesh. A zeroed `cd_bvh` is an
 * empty tree. */

/// A tree: one block of memory, and who owns it.
typedef struct cd_bvh {
    const void *block;
    size_t bytes;
    cd_allocator allocator; ///< what gave the block; of no meaning in a view
    uint32_t owned;         ///< 1 when cd_bvh_destroy gives the block back, 0 in a view
} cd_bvh;

/// Facts about a tree.
typedef struct cd_bvh_stats {
    uint32_t triangle_count; ///< in the tree
    uint32_t skipped_count;  ///< triangles of the mesh left out by CD_BVH_SKIP_INVALID
    uint32_t node_count, leaf_count;
    uint32_t depth; ///< nodes on the longest way from the root to a leaf
    size_t bytes;
    double cost; ///< expected node visits plus triangle tests of a random line through the root's box (6.1.2)
} cd_bvh_stats;

/// Gives the tree's memory back and leaves an empty tree; an empty tree or a view may be destroyed too.
CD_API void cd_bvh_destroy(cd_bvh *tree);

/// A tree in bytes that were a tree's block, without copying: `bytes` must be aligned to 64 and outlive the view.
///
/// Everything is checked, so that no query on the view reads outside of it: CD_CORRUPT for anything else than what a
/// build wrote, CD_UNSUPPORTED for a block of another version, byte order or number type, CD_INVALID_ARGUMENT for a
/// bad alignment. Cost: linear. `out` is an empty tree on failure.
CD_API cd_status cd_bvh_view(cd_bvh *out, const void *bytes, size_t size);

/// Checks the tree's own rules: counts and offsets, children after their parents, every triangle in exactly one leaf
/// and inside all boxes above it, depth at most 96. CD_OK or CD_CORRUPT. Cost: linear; allocates nothing.
CD_API cd_status cd_bvh_validate(const cd_bvh *tree);

/// Facts about a tree. Cost: linear in the nodes.
CD_API cd_bvh_stats cd_bvh_get_stats(const cd_bvh *tree);

/// The bounding box of the tree's triangles; empty for an empty tree.
CD_API cd_aabb cd_bvh_bounds(const cd_bvh *tree);

/* ---- tree/bvh_build.h ---------------------------------------------------------------------------------------- */

/* bvh_build: building a tree over a mesh, top-down by the surface area heuristic with bins (Ericson 6.2.1; Wald 2007).
 *
 * Cost: n log n; at most 64 levels are split by cost, what is deeper or cannot be told apart is halved, so that no input
 * makes it quadratic. Peak memory besides the tree: 100 bytes a triangle in a float build, 170 in a double build. */

/// Bits of `cd_bvh_options.flags`.
typedef enum cd_bvh_flag {
    CD_BVH_SKIP_INVALID = 1 ///< leave out triangles with an index out of range or a corner that is not finite
} cd_bvh_flag;

/// Options of a build; the zero object is the default, and NULL stands for it.
typedef struct cd_bvh_options {
    uint32_t flags;     ///< of `cd_bvh_flag`
    uint32_t leaf_size; ///< the most triangles in a leaf, 1 to 64; 0 stands for 4
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

/* ---- tree/bvh_cast.h ----------------------------------------------------------------------------------------- */

/* bvh_cast: rays against a tree (Ericson 6.4.2, 5.3.6).
 *
 * Class: exact in what is hit, as cd_cast_ray_triangle on every triangle: nothing slips between neighbours. The nearest
 * hit is the one with the smallest t, compared before it is rounded, then with the smallest index. `t_max` may be
 * infinite; options and outputs may be NULL; NaN or infinity in the ray: no hit. */

/// The nearest hit; false, with `hit` untouched, when there is none.
CD_API bool cd_bvh_cast_ray(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                            const cd_cast_options *options, cd_hit *hit);

/// Is there any hit with t up to `t_max`? Faster than asking for the nearest: for shadows and lines of sight.
CD_API bool cd_bvh_test_ray(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                            const cd_cast_options *options);

/// All hits: returns how many there are, and writes the first `capacity` of them, nearest first.
///
/// With more hits than room, those written are the nearest. Cost: every triangle along the ray; n log capacity.
CD_API size_t cd_bvh_cast_ray_all(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                                  const cd_cast_options *options, cd_hit *hits, size_t capacity);

/// cd_bvh_cast_ray on `count` rays, bit for bit. Returns how many hit; `hits[i].index` is CD_NONE and the rest zero where
/// ray i does not. `t_max` may be NULL for rays without end.
CD_API size_t cd_bvh_cast_rays(const cd_bvh *tree, const cd_ray *rays, const cd_real *t_max, size_t count,
                               const cd_cast_options *options, cd_hit *hits);

/* ---- tree/bvh_overlap.h -------------------------------------------------------------------------------------- */

/* bvh_overlap: which triangles of a tree meet a box or a sphere.
 *
 * The visitor is called once for every triangle that meets the volume, in the order of the leaves; it may stop the
 * query by answering false, and then the call answers false. Invalid volumes meet nothing. */

/// Visits the triangles that meet a box. Class: exact, as cd_test_triangle_aabb.
CD_API bool cd_bvh_overlap_aabb(const cd_bvh *tree, cd_aabb box, cd_visit_fn visit, void *user);

/// Visits the triangles that meet a sphere. Class: tolerant, as cd_test_sphere_triangle.
CD_API bool cd_bvh_overlap_sphere(const cd_bvh *tree, cd_sphere sphere, cd_visit_fn visit, void *user);

/* ---- tree/bvh_closest.h -------------------------------------------------------------------------------------- */

/* bvh_closest: the point of a mesh nearest to a point. */

/// The point of the tree's triangles nearest to `p`, if it is no farther than `max_distance` (which may be infinite).
///
/// `out->a` is p, `out->b` the point found, `out->index_b` its triangle, `out->s` and `out->t` the weights of the corners b
/// and c, `out->feature_b` what it lies on. The nearest is the one with the smallest squared distance, compared
/// before it is rounded, then with the smallest index. False, with `out` untouched, when there is none, or for NaN
/// or infinity in `p`. `filter` may be NULL. Class: tolerant, as cd_closest_pts_point_triangle.
CD_API bool cd_bvh_closest(const cd_bvh *tree, cd_vec3 p, cd_real max_distance, cd_filter_fn filter,
                           void *user, cd_closest *out);

/* ---- tree/bvh_collide.h -------------------------------------------------------------------------------------- */

/* bvh_collide: which triangles of one mesh meet which of another (Ericson 6.3; the article on AABB trees).
 *
 * The corners of B are taken once into A's frame by cd_transform_point; what is decided then is exact, as
 * cd_test_triangle_triangle: every tree over the same meshes finds the same pairs, all of them. Both trees are
 * descended at once; two boxes are compared along the axes of both frames. A pair visitor is called once for every
 * pair, in an order that is fixed for the two trees; the pair holds the triangles' indices in their meshes. A pose of
 * NULL is the identity, in which nothing is rounded; one that is not finite meets nothing. */

/// Visits all pairs that meet; false when the visitor stopped it.
CD_API bool cd_bvh_traverse_pairs(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a,
                                  cd_visit_pair_fn visit, void *user);

/// Returns how many pairs meet, and writes the first `capacity` of them.
CD_API size_t cd_bvh_collide(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a, cd_pair *pairs,
                             size_t capacity);

/// Do the meshes' surfaces meet at all? `pair`, which may be NULL, takes the first pair found.
CD_API bool cd_bvh_test_bvh(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a, cd_pair *pair);

#ifdef __cplusplus
}
#endif

#if defined(__clang__) && (defined(__x86_64__) || defined(__i386__))
#pragma float_control(pop)
#elif defined(__clang__)
#pragma STDC FP_CONTRACT DEFAULT
#endif

#endif /* COLLIDE_H */

/* ================================================================================================================
 * The implementation
 * ============================================================================================================== */

#if defined(COLLIDE_IMPLEMENTATION) && !defined(COLLIDE_IMPLEMENTED)
#define COLLIDE_IMPLEMENTED

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || defined(_M_FP_FAST) ||       \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "collide.h: results would not be right under -ffast-math and its parts; compile this file without it"
#endif
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 16
#error "collide.h: float must be evaluated as float; on 32-bit x86 compile this file with -msse2 -mfpmath=sse"
#endif

#define CDI_FN static

#if defined(__clang__)
#if defined(__x86_64__) || defined(__i386__) /* precise: whatever parts of fast math the command line asks for */
#pragma float_control(push)
#pragma float_control(precise, on)
#endif
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__) /* the second: GCC 12 drops the rounding of doubles to float and back where it vectorises it */
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off", "no-tree-slp-vectorize")
#elif defined(_MSC_VER)
#pragma float_control(precise, on, push)
#pragma fp_contract(off)
#endif

/* ---- core/platform.h ----------------------------------------------------------------------------------------- */

/* platform (internal): what the implementation takes from the compiler, the machine and the C library. */

/* Internal functions are static in the one header and external where the modules are compiled alone. */
#ifndef CDI_FN
#define CDI_FN extern
#endif

#if defined(__GNUC__)
#define CDI_INLINE static inline __attribute__((unused))
#else
#define CDI_INLINE static inline
#endif

/* Rare paths, kept out of line so that the common one stays small. */
#if defined(__GNUC__)
#define CDI_COLD __attribute__((noinline, cold))
#else
#define CDI_COLD
#endif

#if defined(__GNUC__)
#define CDI_UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
#define CDI_UNLIKELY(x) (x)
#endif

/* The tests count work with this; it costs nothing otherwise. */
#ifndef CDI_COUNT
#define CDI_COUNT(what) ((void)0)
#endif

/* The instruction set: decides speed, never a result. */
#if !defined(COLLIDE_NO_SIMD) && defined(__AVX__)
#define CDI_AVX 1
#include <immintrin.h>
#elif !defined(COLLIDE_NO_SIMD) && (defined(__SSE2__) || defined(_M_X64))
#define CDI_SSE2 1
#include <emmintrin.h>
#elif !defined(COLLIDE_NO_SIMD) && defined(__ARM_NEON) && (defined(__aarch64__) || defined(_M_ARM64))
#define CDI_NEON 1
#include <arm_neon.h>
#endif

#ifndef COLLIDE_NO_STDLIB
#include <math.h>
#include <string.h>
#endif

#if defined(COLLIDE_ASSERT)
#define CDI_ASSERT(condition) COLLIDE_ASSERT(condition)
#elif defined(COLLIDE_NO_STDLIB)
#define CDI_ASSERT(condition) ((void)0)
#else
#include <assert.h>
#define CDI_ASSERT(condition) assert(condition)
#endif

/* memcpy and memset, also where there is no C library. */
#ifdef COLLIDE_NO_STDLIB
CDI_INLINE void cdi_copy(void *to, const void *from, size_t size) {
    unsigned char *t = (unsigned char *)to;
    const unsigned char *f = (const unsigned char *)from;
    for (size_t i = 0; i < size; ++i) t[i] = f[i];
}
CDI_INLINE void cdi_clear(void *to, size_t size) {
    unsigned char *t = (unsigned char *)to;
    for (size_t i = 0; i < size; ++i) t[i] = 0;
}
#else
CDI_INLINE void cdi_copy(void *to, const void *from, size_t size) {
    memcpy(to, from, size);
}
CDI_INLINE void cdi_clear(void *to, size_t size) {
    memset(to, 0, size);
}
#endif

/* The correctly rounded square root: the one function that the machine has to give. */
#if defined(CDI_AVX) || defined(CDI_SSE2)
CDI_INLINE double cdi_sqrt(double x) {
    __m128d v = _mm_set_sd(x);
    return _mm_cvtsd_f64(_mm_sqrt_sd(v, v));
}
#elif defined(CDI_NEON)
CDI_INLINE double cdi_sqrt(double x) {
    return vget_lane_f64(vsqrt_f64(vdup_n_f64(x)), 0);
}
#elif defined(COLLIDE_NO_STDLIB) && defined(__GNUC__)
CDI_INLINE double cdi_sqrt(double x) {
    return __builtin_sqrt(x);
}
#else
CDI_INLINE double cdi_sqrt(double x) {
    return sqrt(x);
}
#endif

/* ---- core/memory.h ------------------------------------------------------------------------------------------- */

/* memory (internal): allocation through the user's allocator, with sizes that cannot overflow. */

/* `count` objects of `size` bytes, aligned to 64, not cleared; NULL when there is no memory, when the size
 * overflows, or when the count is 0. */
CDI_FN void *cdi_alloc(const cd_allocator *allocator, size_t count, size_t size);

/* Gives back what cdi_alloc gave; NULL is fine. */
CDI_FN void cdi_free(const cd_allocator *allocator, void *p, size_t count, size_t size);

/* ---- core/scalar.h ------------------------------------------------------------------------------------------- */

/* scalar (internal): numbers. Routines compute in double in both builds and round once at the end.
 *
 * Minimum and maximum are comparisons, so that a NaN or a signed zero gives the same bits everywhere:
 * cdi_min(a, b) is b when either is NaN. */

/* The largest double. */
#define CDI_HUGE 1.7976931348623157e308

CDI_INLINE uint64_t cdi_bits(double x) {
    uint64_t u;
    cdi_copy(&u, &x, sizeof u);
    return u;
}
CDI_INLINE double cdi_from_bits(uint64_t u) {
    double x;
    cdi_copy(&x, &u, sizeof x);
    return x;
}

CDI_INLINE double cdi_min(double a, double b) {
    return a < b ? a : b;
}
CDI_INLINE double cdi_max(double a, double b) {
    return a > b ? a : b;
}
CDI_INLINE double cdi_abs(double x) {
#if defined(__GNUC__)
    return __builtin_fabs(x);
#else
    return cdi_from_bits(cdi_bits(x) & 0x7FFFFFFFFFFFFFFFu);
#endif
}
CDI_INLINE int cdi_sign(double x) {
    return (x > 0.0) - (x < 0.0);
}
/* x in [lo, hi]; lo for NaN. */
CDI_INLINE double cdi_clamp(double x, double lo, double hi) {
    return x > lo ? (x < hi ? x : hi) : lo;
}

/* Rounded to the number type of the interface, and never infinite; the smallest number for NaN. */
CDI_INLINE cd_real cdi_real_of(double x) {
    return (cd_real)cdi_clamp(x, -(double)CD_REAL_MAX, (double)CD_REAL_MAX);
}

CDI_INLINE double cdi_nan(void) {
    return cdi_from_bits(0x7FF8000000000000u);
}
CDI_INLINE double cdi_infinity(void) {
    return cdi_from_bits(0x7FF0000000000000u);
}

/* Neither NaN nor infinite; asks the bits, so that it raises nothing. */
CDI_INLINE bool cdi_finite(double x) {
    return (cdi_bits(x) & 0x7FF0000000000000u) != 0x7FF0000000000000u;
}
CDI_INLINE bool cdi_finite3(double x, double y, double z) {
    return cdi_finite(x) && cdi_finite(y) && cdi_finite(z);
}

/* 2^e, for e in -1022...1023; beyond it the nearest of these. */
CDI_INLINE double cdi_exp2i(int e) {
    e = e < -1022 ? -1022 : e > 1023 ? 1023 : e;
    return cdi_from_bits((uint64_t)(e + 1023) << 52);
}

/* floor(log2 |x|); below -1074 for 0, 1024 for NaN and infinity. */
CDI_INLINE int cdi_exponent(double x) {
    int e = (int)((cdi_bits(x) >> 52) & 0x7FFu);
    if (e == 0) e = (int)((cdi_bits(x * 18014398509481984.0) >> 52) & 0x7FFu) - 54; /* denormal: times 2^54 */
    return e - 1023;
}

/* x * 2^e in two steps, so that neither factor leaves the range. */
CDI_INLINE double cdi_scale2(double x, int e) {
    int half = e / 2;
    return x * cdi_exp2i(half) * cdi_exp2i(e - half);
}

/* The number next to `x` toward +infinity (up) or -infinity; finite x, and stays finite at the end of the range. */
CDI_INLINE float cdi_next_float(float x, bool up) {
    int32_t i;
    cdi_copy(&i, &x, sizeof i);
    i = i < 0 ? INT32_MIN - i : i; /* ordered like the numbers, -0 and +0 both 0 */
    if (up ? i < 0x7F7FFFFF : i > -0x7F7FFFFF) i += up ? 1 : -1;
    i = i < 0 ? INT32_MIN - i : i;
    cdi_copy(&x, &i, sizeof x);
    return x;
}
CDI_INLINE double cdi_next_double(double x, bool up) {
    int64_t i;
    cdi_copy(&i, &x, sizeof i);
    i = i < 0 ? INT64_MIN - i : i;
    if (up ? i < 0x7FEFFFFFFFFFFFFF : i > -0x7FEFFFFFFFFFFFFF) i += up ? 1 : -1;
    i = i < 0 ? INT64_MIN - i : i;
    cdi_copy(&x, &i, sizeof x);
    return x;
}
#ifdef COLLIDE_DOUBLE
CDI_INLINE double cdi_next_real(double x, bool up) {
    return cdi_next_double(x, up);
}
#else
CDI_INLINE float cdi_next_real(float x, bool up) {
    return cdi_next_float(x, up);
}
#endif

/* ---- core/simd.h --------------------------------------------------------------------------------------------- */

/* simd (internal): eight floats at once, on every instruction set.
 *
 * Only operations that are exact or correctly rounded lane by lane, so that every form gives the same bits. Minimum
 * and maximum are comparisons: the second operand where either is NaN. */

#if defined(CDI_AVX)

typedef __m256 cdi_f8;

CDI_INLINE cdi_f8 cdi_f8_load(const float *p) {
    return _mm256_loadu_ps(p);
}
CDI_INLINE void cdi_f8_store(float *p, cdi_f8 a) {
    _mm256_storeu_ps(p, a);
}
CDI_INLINE cdi_f8 cdi_f8_all(float x) {
    return _mm256_set1_ps(x);
}
CDI_INLINE cdi_f8 cdi_f8_add(cdi_f8 a, cdi_f8 b) {
    return _mm256_add_ps(a, b);
}
CDI_INLINE cdi_f8 cdi_f8_sub(cdi_f8 a, cdi_f8 b) {
    return _mm256_sub_ps(a, b);
}
CDI_INLINE cdi_f8 cdi_f8_mul(cdi_f8 a, cdi_f8 b) {
    return _mm256_mul_ps(a, b);
}
CDI_INLINE cdi_f8 cdi_f8_min(cdi_f8 a, cdi_f8 b) {
    return _mm256_min_ps(a, b);
}
CDI_INLINE cdi_f8 cdi_f8_max(cdi_f8 a, cdi_f8 b) {
    return _mm256_max_ps(a, b);
}
/* Bit i set where a <= b in lane i. */
CDI_INLINE uint32_t cdi_f8_le(cdi_f8 a, cdi_f8 b) {
    return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LE_OQ));
}

#elif defined(CDI_SSE2)

typedef struct cdi_f8 {
    __m128 l, h;
} cdi_f8;

CDI_INLINE cdi_f8 cdi_f8_of(__m128 l, __m128 h) {
    cdi_f8 r;
    r.l = l;
    r.h = h;
    return r;
}
CDI_INLINE cdi_f8 cdi_f8_load(const float *p) {
    return cdi_f8_of(_mm_loadu_ps(p), _mm_loadu_ps(p + 4));
}
CDI_INLINE void cdi_f8_store(float *p, cdi_f8 a) {
    _mm_storeu_ps(p, a.l);
    _mm_storeu_ps(p + 4, a.h);
}
CDI_INLINE cdi_f8 cdi_f8_all(float x) {
    return cdi_f8_of(_mm_set1_ps(x), _mm_set1_ps(x));
}
CDI_INLINE cdi_f8 cdi_f8_add(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(_mm_add_ps(a.l, b.l), _mm_add_ps(a.h, b.h));
}
CDI_INLINE cdi_f8 cdi_f8_sub(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(_mm_sub_ps(a.l, b.l), _mm_sub_ps(a.h, b.h));
}
CDI_INLINE cdi_f8 cdi_f8_mul(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(_mm_mul_ps(a.l, b.l), _mm_mul_ps(a.h, b.h));
}
CDI_INLINE cdi_f8 cdi_f8_min(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(_mm_min_ps(a.l, b.l), _mm_min_ps(a.h, b.h));
}
CDI_INLINE cdi_f8 cdi_f8_max(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(_mm_max_ps(a.l, b.l), _mm_max_ps(a.h, b.h));
}
CDI_INLINE uint32_t cdi_f8_le(cdi_f8 a, cdi_f8 b) {
    int l = _mm_movemask_ps(_mm_cmple_ps(a.l, b.l)), h = _mm_movemask_ps(_mm_cmple_ps(a.h, b.h));
    return (uint32_t)(l | h << 4);
}

#elif defined(CDI_NEON)

typedef struct cdi_f8 {
    float32x4_t l, h;
} cdi_f8;

CDI_INLINE cdi_f8 cdi_f8_of(float32x4_t l, float32x4_t h) {
    cdi_f8 r;
    r.l = l;
    r.h = h;
    return r;
}
CDI_INLINE cdi_f8 cdi_f8_load(const float *p) {
    return cdi_f8_of(vld1q_f32(p), vld1q_f32(p + 4));
}
CDI_INLINE void cdi_f8_store(float *p, cdi_f8 a) {
    vst1q_f32(p, a.l);
    vst1q_f32(p + 4, a.h);
}
CDI_INLINE cdi_f8 cdi_f8_all(float x) {
    return cdi_f8_of(vdupq_n_f32(x), vdupq_n_f32(x));
}
CDI_INLINE cdi_f8 cdi_f8_add(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(vaddq_f32(a.l, b.l), vaddq_f32(a.h, b.h));
}
CDI_INLINE cdi_f8 cdi_f8_sub(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(vsubq_f32(a.l, b.l), vsubq_f32(a.h, b.h));
}
CDI_INLINE cdi_f8 cdi_f8_mul(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(vmulq_f32(a.l, b.l), vmulq_f32(a.h, b.h));
}
CDI_INLINE cdi_f8 cdi_f8_min(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(vbslq_f32(vcltq_f32(a.l, b.l), a.l, b.l), vbslq_f32(vcltq_f32(a.h, b.h), a.h, b.h));
}
CDI_INLINE cdi_f8 cdi_f8_max(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(vbslq_f32(vcgtq_f32(a.l, b.l), a.l, b.l), vbslq_f32(vcgtq_f32(a.h, b.h), a.h, b.h));
}
CDI_INLINE uint32_t cdi_f8_le(cdi_f8 a, cdi_f8 b) {
    static const uint32_t bit[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    uint32x4_t l = vandq_u32(vcleq_f32(a.l, b.l), vld1q_u32(bit));
    uint32x4_t h = vandq_u32(vcleq_f32(a.h, b.h), vld1q_u32(bit + 4));
    return vaddvq_u32(vorrq_u32(l, h));
}

#else

typedef struct cdi_f8 {
    float v[8];
} cdi_f8;

CDI_INLINE cdi_f8 cdi_f8_load(const float *p) {
    cdi_f8 r;
    for (int i = 0; i < 8; ++i) r.v[i] = p[i];
    return r;
}
CDI_INLINE void cdi_f8_store(float *p, cdi_f8 a) {
    for (int i = 0; i < 8; ++i) p[i] = a.v[i];
}
CDI_INLINE cdi_f8 cdi_f8_all(float x) {
    cdi_f8 r;
    for (int i = 0; i < 8; ++i) r.v[i] = x;
    return r;
}
CDI_INLINE cdi_f8 cdi_f8_add(cdi_f8 a, cdi_f8 b) {
    for (int i = 0; i < 8; ++i) a.v[i] += b.v[i];
    return a;
}
CDI_INLINE cdi_f8 cdi_f8_sub(cdi_f8 a, cdi_f8 b) {
    for (int i = 0; i < 8; ++i) a.v[i] -= b.v[i];
    return a;
}
CDI_INLINE cdi_f8 cdi_f8_mul(cdi_f8 a, cdi_f8 b) {
    for (int i = 0; i < 8; ++i) a.v[i] *= b.v[i];
    return a;
}
CDI_INLINE cdi_f8 cdi_f8_min(cdi_f8 a, cdi_f8 b) {
    for (int i = 0; i < 8; ++i) a.v[i] = a.v[i] < b.v[i] ? a.v[i] : b.v[i];
    return a;
}
CDI_INLINE cdi_f8 cdi_f8_max(cdi_f8 a, cdi_f8 b) {
    for (int i = 0; i < 8; ++i) a.v[i] = a.v[i] > b.v[i] ? a.v[i] : b.v[i];
    return a;
}
CDI_INLINE uint32_t cdi_f8_le(cdi_f8 a, cdi_f8 b) {
    uint32_t mask = 0;
    for (int i = 0; i < 8; ++i) mask |= (uint32_t)(a.v[i] <= b.v[i]) << i;
    return mask;
}

#endif

/* ---- core/vec3d.h -------------------------------------------------------------------------------------------- */

/* vec3d (internal): vectors of three doubles, what routines compute with in both builds. */

typedef struct cdi_v3 {
    double x, y, z;
} cdi_v3;

CDI_INLINE cdi_v3 cdi_v3_make(double x, double y, double z) {
    cdi_v3 v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}
CDI_INLINE cdi_v3 cdi_v3_of(cd_vec3 v) {
    return cdi_v3_make((double)v.x, (double)v.y, (double)v.z);
}
/* Rounds once to the number type of the interface. */
CDI_INLINE cd_vec3 cdi_v3_round(cdi_v3 v) {
    return cd_vec3_make((cd_real)v.x, (cd_real)v.y, (cd_real)v.z);
}
CDI_INLINE cdi_v3 cdi_v3_add(cdi_v3 a, cdi_v3 b) {
    return cdi_v3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}
CDI_INLINE cdi_v3 cdi_v3_sub(cdi_v3 a, cdi_v3 b) {
    return cdi_v3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}
CDI_INLINE cdi_v3 cdi_v3_neg(cdi_v3 a) {
    return cdi_v3_make(0.0 - a.x, 0.0 - a.y, 0.0 - a.z); /* no negative zeros */
}
CDI_INLINE cdi_v3 cdi_v3_scale(cdi_v3 a, double s) {
    return cdi_v3_make(a.x * s, a.y * s, a.z * s);
}
/* a + s b */
CDI_INLINE cdi_v3 cdi_v3_along(cdi_v3 a, cdi_v3 b, double s) {
    return cdi_v3_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
CDI_INLINE double cdi_v3_dot(cdi_v3 a, cdi_v3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
CDI_INLINE cdi_v3 cdi_v3_cross(cdi_v3 a, cdi_v3 b) {
    return cdi_v3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
CDI_INLINE double cdi_v3_sqlength(cdi_v3 a) {
    return cdi_v3_dot(a, a);
}
CDI_INLINE double cdi_v3_max_abs(cdi_v3 a) {
    return cdi_max(cdi_max(cdi_abs(a.x), cdi_abs(a.y)), cdi_abs(a.z));
}
CDI_INLINE bool cdi_v3_is_zero(cdi_v3 a) {
    return a.x == 0.0 && a.y == 0.0 && a.z == 0.0;
}
CDI_INLINE bool cdi_v3_finite(cdi_v3 a) {
    return cdi_finite3(a.x, a.y, a.z);
}
CDI_INLINE double cdi_v3_get(cdi_v3 a, int axis) {
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}
CDI_INLINE void cdi_v3_store(double out[3], cdi_v3 a) {
    out[0] = a.x;
    out[1] = a.y;
    out[2] = a.z;
}

/* Length and unit vector for any finite input; zero has length 0 and no direction (zero). */
CDI_FN double cdi_v3_length(cdi_v3 a);
CDI_FN cdi_v3 cdi_v3_normalize(cdi_v3 a);

/* A unit vector across a unit vector. */
CDI_FN cdi_v3 cdi_across(cdi_v3 u);

/* ---- core/mat3d.h -------------------------------------------------------------------------------------------- */

/* mat3d (internal): 3x3 matrices of doubles. */

typedef struct cdi_m3 {
    cdi_v3 c[3]; /* columns */
} cdi_m3;

CDI_INLINE cdi_m3 cdi_m3_of(const cd_mat3 *m) {
    cdi_m3 r;
    for (int i = 0; i < 3; ++i) r.c[i] = cdi_v3_of(m->col[i]);
    return r;
}
CDI_INLINE cd_mat3 cdi_m3_round(const cdi_m3 *m) {
    cd_mat3 r;
    for (int i = 0; i < 3; ++i) r.col[i] = cdi_v3_round(m->c[i]);
    return r;
}
/* M v */
CDI_INLINE cdi_v3 cdi_m3_mul_v3(const cdi_m3 *m, cdi_v3 v) {
    return cdi_v3_make(m->c[0].x * v.x + m->c[1].x * v.y + m->c[2].x * v.z,
                       m->c[0].y * v.x + m->c[1].y * v.y + m->c[2].y * v.z,
                       m->c[0].z * v.x + m->c[1].z * v.y + m->c[2].z * v.z);
}
/* transposed M times v */
CDI_INLINE cdi_v3 cdi_m3_tmul_v3(const cdi_m3 *m, cdi_v3 v) {
    return cdi_v3_make(cdi_v3_dot(m->c[0], v), cdi_v3_dot(m->c[1], v), cdi_v3_dot(m->c[2], v));
}
CDI_INLINE cdi_m3 cdi_m3_transpose(const cdi_m3 *m) {
    cdi_m3 r;
    r.c[0] = cdi_v3_make(m->c[0].x, m->c[1].x, m->c[2].x);
    r.c[1] = cdi_v3_make(m->c[0].y, m->c[1].y, m->c[2].y);
    r.c[2] = cdi_v3_make(m->c[0].z, m->c[1].z, m->c[2].z);
    return r;
}
CDI_INLINE cdi_m3 cdi_m3_mul(const cdi_m3 *a, const cdi_m3 *b) {
    cdi_m3 r;
    for (int i = 0; i < 3; ++i) r.c[i] = cdi_m3_mul_v3(a, b->c[i]);
    return r;
}

/* ---- core/moments.h ------------------------------------------------------------------------------------------ */

/* moments (internal): mean and covariance of points in double. */

CDI_FN cdi_v3 cdi_mean(const cd_vec3 *points, size_t count);

/* Sum of (p - mean)(p - mean)^T over count, where each difference is multiplied by `scale` first: a power of two that keeps
 * squares in range (see cdi_spread_scale), or 1. */
CDI_FN cdi_m3 cdi_covariance(const cd_vec3 *points, size_t count, cdi_v3 mean, double scale);

/* A power of two that brings the largest coordinate of a difference from `mean` near 1; 1 when all are zero or one is not
 * finite. */
CDI_FN double cdi_spread_scale(const cd_vec3 *points, size_t count, cdi_v3 mean);

/* ---- core/cramer.h ------------------------------------------------------------------------------------------- */

/* cramer (internal): determinant, adjugate and the one rule of singularity, for inverses and linear systems.
 *
 * A matrix counts as singular when its determinant is not larger than 16 units in the last place of its permanent,
 * the sum of the magnitudes of the determinant's six terms. The rounding error of the determinant is below 6 units
 * of a double, so a matrix that is exactly singular is always found. Both sides of the comparison are homogeneous in
 * every row and in every column: scaling one by a power of two changes no verdict and no digit.
 *
 * A 2x2 matrix is one of 3x3 with a 1 in the corner, which has the same determinant and permanent. */

/* A regular matrix M made ready: adj / det is the inverse of the matrix with entries M[i][j] 2^(row[i] + col[j]). The
 * exponents are 0 for all entries in 2^-300...2^300, where no product of three leaves the range. */
typedef struct cdi_cramer {
    cdi_m3 adjugate_rows; /* c[i] is row i */
    double det;
    int row[3], col[3];
} cdi_cramer;

/* False, with `out` untouched, for a singular matrix, NaN or infinity. */
CDI_FN bool cdi_cramer_of(const cdi_m3 *m, cdi_cramer *out);

/* The inverse; entries outside the range become 0 or infinite. */
CDI_FN cdi_m3 cdi_cramer_inverse(const cdi_cramer *a);

CDI_INLINE cdi_m3 cdi_m3_of_mat2(const cd_mat2 *m) {
    cdi_m3 r;
    r.c[0] = cdi_v3_make((double)m->col[0].x, (double)m->col[0].y, 0.0);
    r.c[1] = cdi_v3_make((double)m->col[1].x, (double)m->col[1].y, 0.0);
    r.c[2] = cdi_v3_make(0.0, 0.0, 1.0);
    return r;
}

/* ---- core/angle.h -------------------------------------------------------------------------------------------- */

/* angle (internal): sine, cosine and angles on doubles. */

/* Both within a unit in the last place, for every finite x; NaN for NaN and infinity. */
CDI_FN void cdi_sincos(double x, double *sine, double *cosine);

/* The angle in 0...pi/4 with this sine and cosine, within a few units in the last place. */
CDI_FN double cdi_angle_of(double sine, double cosine);

/* ---- core/pose.h --------------------------------------------------------------------------------------------- */

/* pose (internal): a transform made ready for many points, in double. */

typedef struct cdi_pose {
    cdi_m3 rotation;
    cdi_v3 position;
} cdi_pose;

/* The rotation matrix of any quaternion; the identity for zero. */
CDI_FN cdi_m3 cdi_m3_of_quat(cd_quat q);

CDI_FN cdi_pose cdi_pose_of(const cd_transform *t);

CDI_INLINE cdi_v3 cdi_pose_point(const cdi_pose *pose, cdi_v3 p) {
    return cdi_v3_add(cdi_m3_mul_v3(&pose->rotation, p), pose->position);
}

/* cd_transform_point: rounded to the number type of the interface. */
CDI_INLINE cd_vec3 cdi_pose_point_round(const cdi_pose *pose, cd_vec3 p) {
    return cdi_v3_round(cdi_pose_point(pose, cdi_v3_of(p)));
}

/* ---- core/exact.h -------------------------------------------------------------------------------------------- */

/* exact (internal): sums, differences and products of finite doubles without any rounding.
 *
 * A number is a whole number of limbs times a power of 2^32. Limbs live in an arena on the caller's stack, whose room is
 * reckoned from the degree of the polynomial: a double, or a difference of two, has at most CDI_EXACT_LIMBS limbs, a
 * product as many as its factors together, a sum one more than the longer of its span. Integers only: the same on every
 * machine and under every flag. Numbers are typically two to four limbs, so that schoolbook products are the fastest. */

enum { CDI_EXACT_LIMBS = 67 }; /* 2^-1074 ... 2^1025 */

typedef struct cdi_exact {
    const uint32_t *limb; /* the lowest first; the lowest and the highest are not 0 */
    int n;                /* how many; 0 for zero */
    int low;              /* the value is sign * sum of limb[i] 2^(32 (low + i)) */
    int sign;             /* -1, 0, 1 */
} cdi_exact;

typedef struct cdi_arena {
    uint32_t *limb;
    int used, room;
} cdi_arena;

CDI_INLINE cdi_arena cdi_arena_on(uint32_t *limb, int room) {
    cdi_arena a;
    a.limb = limb;
    a.used = 0;
    a.room = room;
    return a;
}

CDI_FN cdi_exact cdi_exact_of(cdi_arena *arena, double x);
CDI_FN cdi_exact cdi_exact_diff(cdi_arena *arena, double a, double b);
CDI_FN cdi_exact cdi_exact_add(cdi_arena *arena, cdi_exact a, cdi_exact b);
CDI_FN cdi_exact cdi_exact_mul(cdi_arena *arena, cdi_exact a, cdi_exact b);

CDI_INLINE cdi_exact cdi_exact_neg(cdi_exact a) {
    a.sign = -a.sign;
    return a;
}
CDI_INLINE cdi_exact cdi_exact_sub(cdi_arena *arena, cdi_exact a, cdi_exact b) {
    return cdi_exact_add(arena, a, cdi_exact_neg(b));
}

/* Gives back all that was taken since `mark` (an earlier `used`) but for x. */
CDI_FN cdi_exact cdi_exact_keep(cdi_arena *arena, int mark, cdi_exact x);

/* The nearest double (below 2^-1022 perhaps the other neighbour); never 0 or infinite where the number is not: the sign
 * stays right. */
CDI_FN double cdi_exact_to_double(cdi_exact x);

/* a d - b c, and the determinant of three rows. */
CDI_FN cdi_exact cdi_exact_det2(cdi_arena *arena, cdi_exact a, cdi_exact b, cdi_exact c, cdi_exact d);
CDI_FN cdi_exact cdi_exact_det3(cdi_arena *arena, cdi_exact m[3][3]);

/* ---- core/expansion.h ---------------------------------------------------------------------------------------- */

/* expansion (internal): exact sums and products of doubles.
 *
 * An expansion is a sum of doubles that do not overlap, smallest first, without zeros (Shewchuk 1997, "Adaptive
 * precision floating-point arithmetic and fast robust geometric predicates"; Dekker 1971 for the splitting). All
 * operations are exact while no product over- or underflows: factors below 2^995, products above 2^-968. */

/* x + y = a + b exactly, x = fl(a + b) (Knuth). */
CDI_INLINE void cdi_two_sum(double a, double b, double *x, double *y) {
    double s = a + b, t = s - a;
    *y = (a - (s - t)) + (b - t);
    *x = s;
}

/* x + y = a - b exactly, x = fl(a - b). */
CDI_INLINE void cdi_two_diff(double a, double b, double *x, double *y) {
    cdi_two_sum(a, -b, x, y);
}

/* x + y = a + b exactly for |a| >= |b| or a = 0 (Dekker). */
CDI_INLINE void cdi_fast_two_sum(double a, double b, double *x, double *y) {
    double s = a + b;
    *y = b - (s - a);
    *x = s;
}

/* a = hi + lo with 26 bits each (Veltkamp). */
CDI_INLINE void cdi_split(double a, double *hi, double *lo) {
    double c = 134217729.0 * a; /* 2^27 + 1 */
    *hi = c - (c - a);
    *lo = a - *hi;
}

/* x + y = a b exactly, x = fl(a b). */
CDI_INLINE void cdi_two_product(double a, double b, double *x, double *y) {
    double p = a * b, ah, al, bh, bl;
    cdi_split(a, &ah, &al);
    cdi_split(b, &bh, &bl);
    *y = al * bl - (((p - ah * bh) - al * bh) - ah * bl);
    *x = p;
}

/* h = e + f, for expansions of m and n terms; h has room for m + n, and may not overlap e or f. Returns the length. */
CDI_FN int cdi_expansion_sum(const double *e, int m, const double *f, int n, double *h);

/* h = b e; room for 2 m. */
CDI_FN int cdi_expansion_scale(const double *e, int m, double b, double *h);

/* h = e f for m <= 16 terms of e and n <= 2 of f; room for 2 m n. */
CDI_FN int cdi_expansion_product(const double *e, int m, const double *f, int n, double *h);

/* The value, to within a unit in the last place and with the exact sign; 0 for no terms. */
CDI_FN double cdi_expansion_estimate(const double *e, int m);

/* A number as two terms, hi + lo, the form of an exact difference. */
typedef struct cdi_two {
    double hi, lo;
} cdi_two;

CDI_INLINE cdi_two cdi_two_of_diff(double a, double b) {
    cdi_two t;
    cdi_two_diff(a, b, &t.hi, &t.lo);
    return t;
}
/* The number a - b, without rounding. */
typedef struct cdi_diff {
    double a, b;
} cdi_diff;

CDI_INLINE cdi_diff cdi_diff_of(double a, double b) {
    cdi_diff d;
    d.a = a;
    d.b = b;
    return d;
}

/* The determinants of such numbers: to within a unit in the last place and with the exact sign; 0 where an entry is not
 * finite. Expansions where no product leaves the range, otherwise core/exact. */
CDI_FN double cdi_det2_exact(cdi_diff m[2][2]);
CDI_FN double cdi_det3_exact(cdi_diff m[3][3]);

/* ---- core/twofold.h ------------------------------------------------------------------------------------------ */

/* twofold (internal): arithmetic on numbers of two doubles, about 106 bits.
 *
 * hi is the double nearest to hi + lo. Class: with u = 2^-53, a sum or difference is within 3 u^2 of the exact one, a
 * product within 5 u^2, a quotient within 15 u^2, each relative to its own magnitude, while nothing leaves the range of
 * doubles. Source: Dekker 1971; Joldes, Muller and Popescu 2017, "Tight and rigorous error bounds for basic building
 * blocks of double-word arithmetic". */

CDI_INLINE cdi_two cdi_two_of(double x) {
    cdi_two t;
    t.hi = x;
    t.lo = 0.0;
    return t;
}
CDI_INLINE cdi_two cdi_two_neg(cdi_two a) {
    a.hi = 0.0 - a.hi;
    a.lo = 0.0 - a.lo;
    return a;
}
CDI_INLINE cdi_two cdi_two_add(cdi_two a, cdi_two b) {
    double s, t, e, f;
    cdi_two r;
    cdi_two_sum(a.hi, b.hi, &s, &e);
    cdi_two_sum(a.lo, b.lo, &t, &f);
    cdi_fast_two_sum(s, e + t, &s, &e);
    cdi_fast_two_sum(s, e + f, &r.hi, &r.lo);
    return r;
}
CDI_INLINE cdi_two cdi_two_sub(cdi_two a, cdi_two b) {
    return cdi_two_add(a, cdi_two_neg(b));
}
CDI_INLINE cdi_two cdi_two_mul(cdi_two a, cdi_two b) {
    double p, e;
    cdi_two r;
    cdi_two_product(a.hi, b.hi, &p, &e);
    e += a.hi * b.lo + a.lo * b.hi;
    cdi_fast_two_sum(p, e, &r.hi, &r.lo);
    return r;
}
/* a / b, b not 0. */
CDI_INLINE cdi_two cdi_two_div(cdi_two a, cdi_two b) {
    double q = a.hi / b.hi;
    cdi_two rest = cdi_two_sub(a, cdi_two_mul(cdi_two_of(q), b)), r;
    cdi_fast_two_sum(q, rest.hi / b.hi, &r.hi, &r.lo);
    return r;
}
/* times 2^e */
CDI_INLINE cdi_two cdi_two_scale2(cdi_two a, int e) {
    a.hi = cdi_scale2(a.hi, e);
    a.lo = cdi_scale2(a.lo, e);
    return a;
}

/* ---- core/orient.h ------------------------------------------------------------------------------------------- */

/* orient (internal): the predicates on doubles, as the exact routines use them. */

typedef struct cdi_v2 {
    double x, y;
} cdi_v2;

CDI_INLINE cdi_v2 cdi_v2_of(cd_vec2 v) {
    cdi_v2 r;
    r.x = (double)v.x;
    r.y = (double)v.y;
    return r;
}
CDI_INLINE bool cdi_v2_same(cdi_v2 a, cdi_v2 b) {
    return a.x == b.x && a.y == b.y;
}
/* Is b to the right of a, or straight above it? The order of the plane from left to right. */
CDI_INLINE bool cdi_goes_up(cdi_v2 a, cdi_v2 b) {
    return b.x > a.x || (b.x == a.x && b.y > a.y);
}

/* The shadow of v along an axis on the plane of the other two, right-handed (y z, z x, x y). */
CDI_INLINE cdi_v2 cdi_v3_drop(cdi_v3 v, int axis) {
    cdi_v2 r;
    r.x = axis == 0 ? v.y : axis == 1 ? v.z : v.x;
    r.y = axis == 0 ? v.z : axis == 1 ? v.x : v.y;
    return r;
}

CDI_FN double cdi_orient2d(cdi_v2 a, cdi_v2 b, cdi_v2 c);
CDI_FN double cdi_orient3d(cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 d);

/* (b-a) x (q-p): positive when the edge from p to q turns counter-clockwise from that from a to b. Exact sign. */
CDI_FN double cdi_orient_edges(cdi_v2 a, cdi_v2 b, cdi_v2 p, cdi_v2 q);

/* The same, its value good to the last place of the interface's number type, however much cancels. */
CDI_FN double cdi_orient3d_accurate(cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 d);

/* det [d; p-o; q-o]: on which side the line from o along d passes the line from p to q. Exact sign; slower,
 * exact to the last place. */
CDI_FN double cdi_orient_line(cdi_v3 o, cdi_v3 d, cdi_v3 p, cdi_v3 q);
CDI_FN double cdi_orient_line_exact(cdi_v3 o, cdi_v3 d, cdi_v3 p, cdi_v3 q);

/* A vector from one point to another, without rounding, and the determinant of three with its exact sign. */
typedef struct cdi_edge3d {
    cdi_v3 from, to;
} cdi_edge3d;
CDI_FN double cdi_orient_edges3d(const cdi_edge3d *a, const cdi_edge3d *b, const cdi_edge3d *c);

/* The normal (b-a) x (c-a): each component with the exact sign, or (slow) each to its last place. */
CDI_FN cdi_v3 cdi_exact_normal(cdi_v3 a, cdi_v3 b, cdi_v3 c);
CDI_FN cdi_v3 cdi_accurate_normal(cdi_v3 a, cdi_v3 b, cdi_v3 c);

/* The sign of n . p - d, and that of x^2 + y^2 + z^2 - r^2 for differences: exact; 0 where a number is not finite. */
CDI_FN int cdi_plane_side(cdi_v3 n, double d, cdi_v3 p);
CDI_FN int cdi_compare_squares(const cdi_diff x[3], cdi_diff r);

/* ---- shape/triangle3d.h -------------------------------------------------------------------------------------- */

/* triangle3d (internal): a triangle of doubles, and what is common to the routines on it. */

typedef struct cdi_tri {
    cdi_v3 v[3];
} cdi_tri;

CDI_INLINE cdi_tri cdi_tri_of(const cd_triangle *t) {
    cdi_tri r;
    r.v[0] = cdi_v3_of(t->a);
    r.v[1] = cdi_v3_of(t->b);
    r.v[2] = cdi_v3_of(t->c);
    return r;
}

CDI_INLINE bool cdi_tri_finite(const cdi_tri *t) {
    return cdi_v3_finite(t->v[0]) && cdi_v3_finite(t->v[1]) && cdi_v3_finite(t->v[2]);
}

CDI_INLINE void cdi_tri_bounds(const cdi_tri *t, cdi_v3 *lo, cdi_v3 *hi) {
    const cdi_v3 *v = t->v;
    *lo = cdi_v3_make(cdi_min(cdi_min(v[0].x, v[1].x), v[2].x), cdi_min(cdi_min(v[0].y, v[1].y), v[2].y),
                      cdi_min(cdi_min(v[0].z, v[1].z), v[2].z));
    *hi = cdi_v3_make(cdi_max(cdi_max(v[0].x, v[1].x), v[2].x), cdi_max(cdi_max(v[0].y, v[1].y), v[2].y),
                      cdi_max(cdi_max(v[0].z, v[1].z), v[2].z));
}

CDI_INLINE bool cdi_tri_bounds_meet(const cdi_tri *a, const cdi_tri *b) {
    cdi_v3 alo, ahi, blo, bhi;
    cdi_tri_bounds(a, &alo, &ahi);
    cdi_tri_bounds(b, &blo, &bhi);
    return alo.x <= bhi.x && blo.x <= ahi.x && alo.y <= bhi.y && blo.y <= ahi.y && alo.z <= bhi.z &&
           blo.z <= ahi.z;
}

/* (b - a) x (c - a), each component to about the last place of the largest, of the interface's numbers. */
CDI_FN cdi_v3 cdi_cross_at(cdi_v3 a, cdi_v3 b, cdi_v3 c);

/* The normal, right also for needles, as long as twice the area, or unit; zero exactly when the corners are collinear. */
CDI_FN cdi_v3 cdi_tri_cross(const cdi_tri *t);
CDI_FN cdi_v3 cdi_tri_normal(const cdi_tri *t);

/* ---- shape/volume3d.h ---------------------------------------------------------------------------------------- */

/* volume3d (internal): an oriented box of doubles; rounding toward a side. */

typedef struct cdi_obb {
    cdi_v3 center;
    cdi_m3 axes;
    double half[3];
} cdi_obb;

CDI_INLINE cdi_obb cdi_obb_of(const cd_obb *b) {
    cdi_obb r;
    r.center = cdi_v3_of(b->center);
    r.axes = cdi_m3_of(&b->axes);
    r.half[0] = (double)b->half.x;
    r.half[1] = (double)b->half.y;
    r.half[2] = (double)b->half.z;
    return r;
}

CDI_INLINE bool cdi_obb_finite(const cdi_obb *b) {
    return cdi_v3_finite(b->center) && cdi_v3_finite(b->axes.c[0]) && cdi_v3_finite(b->axes.c[1]) &&
           cdi_v3_finite(b->axes.c[2]) && cdi_finite3(b->half[0], b->half[1], b->half[2]);
}

/* A point in the box's frame, and back. */
CDI_INLINE cdi_v3 cdi_obb_local(const cdi_obb *b, cdi_v3 p) {
    return cdi_m3_tmul_v3(&b->axes, cdi_v3_sub(p, b->center));
}
CDI_INLINE cdi_v3 cdi_obb_world(const cdi_obb *b, cdi_v3 p) {
    return cdi_v3_add(cdi_m3_mul_v3(&b->axes, p), b->center);
}

CDI_INLINE bool cdi_aabb_finite(cd_aabb b) {
    return cdi_v3_finite(cdi_v3_of(b.min)) && cdi_v3_finite(cdi_v3_of(b.max));
}

/* x + tail rounded down to the number type of the interface, exactly, where x + tail is the sum of two numbers and its
 * rounding error. Stays finite. */
CDI_FN cd_real cdi_round_down(double x, double tail);

/* ---- shape/side3d.h ------------------------------------------------------------------------------------------ */

/* side3d (internal): on which side of the planes through corners and edges a point lies, with the exact sign. */

/* Room for the limbs of cdi_exact_edge, and its result. */
enum { CDI_EDGE_ROOM = 27 * CDI_EXACT_LIMBS, CDI_EDGE_LIMBS = 4 * CDI_EXACT_LIMBS + 4 };

/* The sign of (b-a) . (p-a): 1 when p is, from a, toward b. 0 when anything is not finite. */
CDI_FN int cdi_along_sign(cdi_v3 a, cdi_v3 b, cdi_v3 p);

/* The sign of ((b-a) x (c-a)) . ((b-a) x (p-a)): 1 when p is on c's side of the plane through a and b that is
 * perpendicular to the triangle. 0 when the triangle has no area, or anything is not finite. */
CDI_FN int cdi_edge_sign(cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 p);

/* The same number without rounding; finite input. For p = c it is the square of the normal. */
CDI_FN cdi_exact cdi_exact_edge(cdi_arena *arena, cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 p);

/* The sign of d . (p-o) - s. 0 when anything is not finite. */
CDI_FN int cdi_height_sign(cdi_v3 d, cdi_v3 o, double s, cdi_v3 p);

/* ---- shape/polyhedron3d.h ------------------------------------------------------------------------------------ */

/* polyhedron3d (internal): a body of indexed triangles, in the caller's memory.
 *
 * Half-edge 3 i + k runs from corner k of triangle i to the next corner. */

typedef struct cdi_poly {
    const cd_vec3 *vertices;
    const uint32_t *triangles;
    uint32_t vertex_count, triangle_count;
} cdi_poly;

/* False when a count is too large for the numbers of features. */
CDI_INLINE bool cdi_poly_make(cdi_poly *b, const cd_vec3 *vertices, size_t vertex_count,
                              const uint32_t *triangles, size_t triangle_count) {
    if (vertex_count > 0x3FFFFFFFu || triangle_count > 0x3FFFFFFFu / 3) return false;
    b->vertices = vertices;
    b->triangles = triangles;
    b->vertex_count = (uint32_t)vertex_count;
    b->triangle_count = (uint32_t)triangle_count;
    return true;
}

CDI_INLINE uint32_t cdi_half_edge_next(uint32_t h) {
    return h % 3 == 2 ? h - 2 : h + 1;
}
CDI_INLINE uint32_t cdi_half_edge_start(const cdi_poly *b, uint32_t h) {
    return b->triangles[h];
}
CDI_INLINE uint32_t cdi_half_edge_end(const cdi_poly *b, uint32_t h) {
    return b->triangles[cdi_half_edge_next(h)];
}
CDI_INLINE cdi_v3 cdi_poly_vertex(const cdi_poly *b, uint32_t i) {
    return cdi_v3_of(b->vertices[i]);
}
/* Where half-edge h begins. */
CDI_INLINE cdi_v3 cdi_poly_corner(const cdi_poly *b, uint32_t h) {
    return cdi_poly_vertex(b, b->triangles[h]);
}
CDI_INLINE void cdi_poly_corners(const cdi_poly *b, uint32_t triangle, cdi_v3 out[3]) {
    for (uint32_t k = 0; k < 3; ++k) out[k] = cdi_poly_corner(b, 3 * triangle + k);
}

/* Indices in range and corners finite. */
CDI_INLINE bool cdi_poly_triangle_is_valid(const cdi_poly *b, uint32_t triangle) {
    for (uint32_t h = 3 * triangle; h < 3 * triangle + 3; ++h) {
        if (b->triangles[h] >= b->vertex_count || !cdi_v3_finite(cdi_poly_corner(b, h))) return false;
    }
    return true;
}

/* Half-edges such that those of one edge, whichever way they run, follow each other by their numbers. `order` has room for
 * all, `work` for one more than all and the vertices. Indices in range. */
CDI_FN void cdi_order_half_edges(const cdi_poly *b, uint32_t *order, uint32_t *work);

/* Where in that order the half-edges of the edge end that begin at i. */
CDI_FN uint32_t cdi_edge_end(const cdi_poly *b, const uint32_t *order, uint32_t i);

/* ---- shape/seidel.h ------------------------------------------------------------------------------------------ */

/* seidel (internal): linear programs of two to four variables, solved exactly.
 *
 * A row is n . x <= d + beyond M: M is larger than any number, and beyond is 1 in the rows of the box -M <= x <= M, 0 in all
 * others. Feasible programs have a vertex x = p + M q in the box. That a row is violated there is the sign of a
 * determinant that is linear in M: its factor of M decides, and where that is 0, the rest.
 * The objective is goal - t e0 - t^2 e1 - ... with t smaller than any number, so that the best vertex is the only one.
 * Why the bases prove the verdict: let v be the best vertex of some rows, h a row violated by v, and w the best vertex on
 * the plane of h, whose further rows span the objective up to a multiple of h's normal, with factors above 0. All of
 * these rows hold at v, which is better than w; so the factor of h is above 0 too. And where rows C have no point on the
 * plane of h, C is convex and holds v: all of C violates h. */

enum { CDI_LP_DIM = 4, CDI_LP_ROW = CDI_LP_DIM + 2, CDI_LP_SMALL = 33 };

typedef struct cdi_lp_row {
    double c[CDI_LP_DIM + 1]; /* the normal, then d */
    double beyond;
    uint32_t index; /* the caller's; CD_NONE for others */
} cdi_lp_row;

/* Where `dim` independent rows meet. `x`: homogeneous coordinates such that a row is violated when its product with
 * them is above 0, [0] the factors of M, [1] the rest; `size` the sum of the magnitudes of their terms. */
typedef struct cdi_lp_vertex {
    cdi_lp_row row[CDI_LP_DIM];
    double x[2][CDI_LP_DIM + 1], size[2][CDI_LP_DIM + 1];
    int side;    /* the sign of the determinant of the normals */
    bool beyond; /* a row of the box is among them */
} cdi_lp_vertex;

typedef struct cdi_lp {
    int dim, stride; /* a stored row is the normal, d and the caller's index */
    size_t count, room;
    double *rows;
    uint64_t random;
    double least, most; /* magnitudes whose determinants neither overflow nor underflow */
    bool filter;        /* all numbers are among them */
    uint32_t never;     /* the first row that holds nowhere */
    double goal[CDI_LP_DIM];
    cdi_lp_row fixed[CDI_LP_DIM];     /* on whose planes the program is being solved */
    cdi_lp_row proof[CDI_LP_DIM + 1]; /* that it is infeasible */
    int proof_count;
    double own[CDI_LP_SMALL * CDI_LP_ROW];
} cdi_lp;

typedef struct cdi_lp_answer {
    cd_lp_verdict verdict;
    double point[CDI_LP_DIM], ray[CDI_LP_DIM];
    uint32_t basis[CDI_LP_DIM + 1], basis_count;
} cdi_lp_answer;

/* A program without rows, and room for `room` of them; false without memory. */
CDI_FN bool cdi_lp_begin(cdi_lp *lp, int dim, const double *goal, size_t room, const cd_allocator *allocator);
CDI_FN void cdi_lp_end(cdi_lp *lp, const cd_allocator *allocator);

/* One more row of finite numbers (the normal, then d), put at a random place. */
CDI_FN void cdi_lp_add(cdi_lp *lp, const double *c, uint32_t index);

/* The best vertex; false, with `proof`, when there is none. */
CDI_FN bool cdi_lp_best(cdi_lp *lp, cdi_lp_vertex *v);
CDI_FN void cdi_lp_solve(cdi_lp *lp, cdi_lp_answer *out);

/* Do all rows hold strictly at a point of finite numbers? The first `dim` numbers of each row alone are looked at, as those
 * of the normal. */
CDI_FN bool cdi_lp_inside(const cdi_lp *lp, int dim, const double *point);

/* ---- hull/hull_block.h --------------------------------------------------------------------------------------- */

/* hull_block (internal): the layout of a hull's block.
 *
 * header | vertices | faces | sources | outgoing | half-edges */

#define CDI_HULL_MAGIC         0x4C4C5548u /* "HULL" */
#define CDI_HULL_MAGIC_SWAPPED 0x48554C4Cu
#define CDI_HULL_VERSION       1u
#define CDI_HULL_MOST          0x10000000u /* points */

typedef struct cdi_hull_header {
    uint32_t magic, version, real_size;
    int32_t dimension;
    uint32_t vertex_count, half_edge_count, face_count, unused;
    uint64_t bytes;
    double flatness, deviation, center[3];
    uint32_t unused_too[12];
} cdi_hull_header;

/* A block with room for so many parts, its header filled in but for the numbers at its end, the rest not cleared; NULL when
 * there is no memory. */
CDI_FN cdi_hull_header *cdi_hull_take_block(const cd_allocator *allocator, int dimension,
                                            uint32_t vertex_count, uint32_t half_edge_count,
                                            uint32_t face_count);

/* The parts in a block; `out` points into it and may be written through while the hull is being made. */
typedef struct cdi_hull_arrays {
    cd_vec3 *vertices;
    cd_hull_face *faces;
    uint32_t *sources, *outgoing;
    cd_half_edge *half_edges;
} cdi_hull_arrays;
CDI_FN cdi_hull_arrays cdi_hull_open(const cdi_hull_header *header);

/* The least number of the interface not below x; at most the largest. */
CDI_FN cd_real cdi_hull_round_up(double x);

/* The last of a build: moves the faces' planes out where a vertex of theirs is in front, sets the center and the owner. */
CDI_FN void cdi_hull_finish(cd_hull *out, cdi_hull_header *header, const cd_allocator *allocator);

/* ---- hull/cloud.h -------------------------------------------------------------------------------------------- */

/* cloud (internal): points brought into an order that depends on nothing but where they are.
 *
 * Equal points become one; the others follow a space-filling curve, so that near points are near in memory. Coordinates are
 * kept about the middle of all, rounded, for quick tests with a bound; exact tests go back to the input. */

/* Input points: `points`, or the exact sums high + low, where `high` is the double nearest to the sum. */
typedef struct cdi_cloud_input {
    const cd_vec3 *points;
    const cdi_v3 *high, *low;
    uint32_t count;
} cdi_cloud_input;

typedef struct cdi_cloud_point {
    double x, y, z;  /* about the middle */
    uint32_t source; /* its number in the input */
    uint32_t next;   /* for lists */
} cdi_cloud_point;

typedef struct cdi_cloud {
    cdi_cloud_input input;
    cdi_cloud_point *point;
    uint32_t count;
    uint32_t room; /* one more than the input had: for a point that somebody adds */
    cdi_v3 middle;
    cdi_v3 reach; /* no coordinate about the middle is larger */
    cdi_v3 slack; /* an input coordinate is off by no more than this, beside the rounding of `point` */
} cdi_cloud;

CDI_INLINE cdi_v3 cdi_cloud_input_at(const cdi_cloud_input *in, uint32_t source) {
    return in->points ? cdi_v3_of(in->points[source]) : in->high[source];
}

/* Is the point lexicographically before the other one? Exact. */
CDI_FN bool cdi_cloud_before(const cdi_cloud *cloud, uint32_t a, uint32_t b);

/* All of the input, or the `count` points whose numbers are in `chosen`, with finite coordinates. The memory of an arranged
 * cloud is given back by cdi_cloud_free. */
CDI_FN cd_status cdi_cloud_arrange(cdi_cloud *cloud, const cdi_cloud_input *input, const uint32_t *chosen,
                                   uint32_t count, const cd_allocator *allocator);
CDI_FN void cdi_cloud_free(cdi_cloud *cloud, const cd_allocator *allocator);

/* ---- hull/sums3d.h ------------------------------------------------------------------------------------------- */

/* sums3d (internal): orientation of points whose coordinates are sums of two doubles, high + low. Exact for all finite ones. */

/* The signs of cdi_orient3d, and of a component of the normal of a, b, c: cdi_orient2d of their shadows along the axis. */
CDI_FN double cdi_orient3d_sums(const cdi_v3 high[4], const cdi_v3 low[4]);
CDI_FN double cdi_orient2d_sums(const cdi_v3 high[3], const cdi_v3 low[3], int axis);

/* The normal of a, b, c times a power of two that brings it into the range of doubles; each component to its last place. */
CDI_FN cdi_v3 cdi_normal_sums(const cdi_v3 high[3], const cdi_v3 low[3]);

/* ---- hull/quickhull.h ---------------------------------------------------------------------------------------- */

/* quickhull (internal): the hull of a cloud as triangles, exactly (Barber, Dobkin and Huhdanpaa 1996).
 *
 * A face has the points strictly in front of it in a list, each point in the list of at most one face. The farthest point
 * of a face is joined to the horizon: the edges between the faces that it sees, strictly, and those it does not. Every sign is
 * exact, so that the horizon is one simple loop and no triangle is without area. Coplanar neighbours remain, and
 * corners inside their union.
 *
 * Half-edge 4 f + k runs from corner k of face f to the next one. */

typedef struct cdi_qh_face {
    cdi_v3 n; /* not unit; outward */
    double d, error;
    uint32_t vertex[3], twin[3];
    uint32_t points, eye;    /* the list, and the farthest of it */
    double height;           /* of the eye, times the length of n; under a rule what the rule says */
    double scale;            /* under a rule: what makes heights of faces comparable */
    uint32_t next, previous; /* among the faces with points; `next` among the free ones, too */
    uint32_t seen; /* twice the number of the last insertion that asked, plus 1 when its point is in front */
} cdi_qh_face;

/* Another measure of how far points are in front, for users that stop before the hull is whole: a point goes to the face
 * that it is highest above, heights times `scale`, and counts there as `worth` tells. */
typedef struct cdi_qh cdi_qh;
typedef struct cdi_qh_rule {
    double (*scale)(const cdi_qh *q, const cdi_qh_face *f);
    double (*worth)(const cdi_qh *q, const cdi_qh_face *f, uint32_t point, double scaled_height);
    const void *user;
} cdi_qh_rule;

struct cdi_qh {
    cdi_cloud *cloud;
    const cdi_qh_rule *rule; /* or NULL */
    const cd_allocator *allocator;
    const cd_executor *executor;
    int dimension;               /* of the cloud; -1 for none */
    uint32_t corner[4];          /* points that span it: dimension + 1 of them */
    uint32_t apex;               /* in dimension 2: a point added to make a pyramid, else CD_NONE */
    cdi_v3 apex_at, apex_low;    /* where it is, exactly */
    cdi_qh_face *face;           /* a free one has vertex[0] = CD_NONE */
    uint32_t face_count, room;   /* numbers in use up to now */
    uint32_t free_face, pending; /* lists */
    uint32_t *visible, *horizon; /* room for `room` each */
    uint32_t visible_count, horizon_count;
    uint32_t *start; /* for each point: the new face whose base starts there */
    uint32_t *where; /* for each point: the face in whose list it is; only when points are taken at random */
    uint32_t insertion, settled;
    uint64_t work; /* tests of points against faces */
};

CDI_INLINE uint32_t cdi_qh_after(uint32_t half_edge) {
    return (half_edge & 3u) == 2 ? half_edge - 2 : half_edge + 1;
}
CDI_INLINE uint32_t cdi_qh_before(uint32_t half_edge) {
    return (half_edge & 3u) == 0 ? half_edge + 2 : half_edge - 1;
}
CDI_INLINE uint32_t cdi_qh_origin(const cdi_qh *q, uint32_t half_edge) {
    return q->face[half_edge >> 2].vertex[half_edge & 3u];
}
CDI_INLINE uint32_t cdi_qh_twin(const cdi_qh *q, uint32_t half_edge) {
    return q->face[half_edge >> 2].twin[half_edge & 3u];
}

/* Where a point is: what is returned, the double nearest to it, and `low`. */
CDI_FN cdi_v3 cdi_qh_at(const cdi_qh *q, uint32_t point, cdi_v3 *low);

/* How far a point is in front of a face, times the length of its normal: the sign is exact. */
CDI_FN double cdi_qh_height(const cdi_qh *q, const cdi_qh_face *f, uint32_t point);

/* Is no component of the face's normal off by more than `most` times the largest of them? */
CDI_FN bool cdi_qh_normal_is_within(const cdi_qh *q, const cdi_qh_face *f, double most);

/* Step by step: the first simplex; one point more, in front of the face (false: no memory), after which q->horizon has the
 * new faces; and the parts of other changes. The lists of given faces are the caller's to hand on. */
CDI_FN cd_status cdi_qh_begin(cdi_qh *q, cdi_cloud *cloud, const cdi_qh_rule *rule,
                              const cd_allocator *allocator, const cd_executor *executor);
CDI_FN bool cdi_qh_insert(cdi_qh *q, uint32_t point, uint32_t face);
CDI_FN cd_status cdi_qh_insert_all(cdi_qh *q,
                                   uint64_t allowance); /* the farthest, for so many tests; then at random */
CDI_FN uint32_t cdi_qh_take_face(cdi_qh *q);
CDI_FN void cdi_qh_give_face(cdi_qh *q, uint32_t f);
CDI_FN void cdi_qh_set_face(const cdi_qh *q, cdi_qh_face *f, uint32_t a, uint32_t b, uint32_t c);
CDI_FN void cdi_qh_join(cdi_qh *q, uint32_t g, uint32_t h);
CDI_FN void cdi_qh_assign(cdi_qh *q, uint32_t point, const uint32_t *faces, uint32_t count);

/* The whole hull. In dimension 2 it is that of a pyramid over the cloud, below it there are no faces. Whatever it
 * returns, cdi_qh_free gives the memory back. */
CDI_FN cd_status cdi_qh_build(cdi_qh *q, cdi_cloud *cloud, const cd_allocator *allocator,
                              const cd_executor *executor);
CDI_FN void cdi_qh_free(cdi_qh *q);

/* False when the user cancels. */
CDI_FN bool cdi_qh_tell_progress(const cdi_qh *q, double done);

/* Is a finite point outside (-1), on (0) or inside (1) the hull that was built? Exact. Nothing is inside a flat hull. */
CDI_FN int cdi_qh_locate(const cdi_qh *q, cdi_v3 point);

/* ---- hull/groups.h ------------------------------------------------------------------------------------------- */

/* groups (internal): which triangles of a hull make one face, and which points are then its corners.
 *
 * A group is a set of triangles; it is known by a number, not all of which are in use. An edge between two groups is a border.
 * Of the points along borders those with a rank are vertices of the hull: a run of borders from one to the next is one
 * edge. */

typedef struct cdi_groups {
    cdi_qh *q;
    uint32_t room;         /* numbers of groups */
    uint32_t count;        /* groups */
    uint32_t vertex_count; /* points with a rank */
    uint32_t *rank;  /* of each point: its number as a vertex, or CD_NONE; q->start has a border out of it */
    uint32_t *group; /* of each triangle; CD_NONE where there is none */
    unsigned char *border; /* of each triangle: a bit for each half-edge that is a border */
    uint32_t *seed;        /* of each group: its largest triangle, whose plane is that of the face */
    uint32_t *mark;        /* of each group: the one that took it, perhaps itself, or CD_NONE */
    uint32_t
        *number; /* of each group, for users: CD_NONE; before the end its first triangle, `next` goes on */
    double flatness; /* no point of a face is farther behind its plane, nor outside of the hull */
} cdi_groups;

/* Groups all triangles: coplanar ones always, and neighbours that come no deeper than `distance` under the plane of a large
 * triangle and turn by less than 60 degrees. False when there is no memory. cdi_groups_free follows in any case. */
CDI_FN bool cdi_groups_make(cdi_groups *g, cdi_qh *q, double distance);
CDI_FN void cdi_groups_free(cdi_groups *g);

CDI_INLINE uint32_t cdi_group_of(const cdi_groups *g, uint32_t half_edge) {
    return g->group[half_edge >> 2];
}
/* Once all are made. */
CDI_INLINE bool cdi_is_border(const cdi_groups *g, uint32_t half_edge) {
    return (g->border[half_edge >> 2] >> (half_edge & 3u) & 1u) != 0;
}

/* The border after this one around its group. */
CDI_FN uint32_t cdi_next_border(const cdi_groups *g, uint32_t border);
/* The next border out of the same point, counter-clockwise. */
CDI_FN uint32_t cdi_turn_border(const cdi_groups *g, uint32_t border);
/* The last border of the edge that starts with this one at a point with a rank; sets `next` to the one after it. */
CDI_FN uint32_t cdi_border_run(const cdi_groups *g, uint32_t border, uint32_t *next);

/* The outward normal of a group, of any length, and where its plane is along it. */
CDI_FN cdi_v3 cdi_group_normal(const cdi_groups *g, uint32_t group);
CDI_FN double cdi_group_offset(const cdi_groups *g, uint32_t group, cdi_v3 normal);

/* ---- hull/facets.h ------------------------------------------------------------------------------------------- */

/* facets (internal): from the triangles of Quickhull to a hull of polygons in its final order. */

/* Coplanar triangles become one face; with a distance, in a body, nearly coplanar ones too. CD_OUT_OF_MEMORY, with `out`
 * zeroed. */
CDI_FN cd_status cdi_facets_write(cd_hull *out, cdi_qh *q, double merge_distance);

/* ---- hull/mass3d.h ------------------------------------------------------------------------------------------- */

/* mass3d (internal): the integrals of 1, x and x x^T over a solid or its surface, triangle by triangle.
 *
 * A solid is summed as tetrahedra between its triangles and the middle of its bounds, each with the sign of its volume
 * (Eberly, "Polyhedral mass properties (revisited)"; Blow and Binstock 2004, "How to find the inertia tensor of a
 * triangle mesh"). Coordinates are taken from that middle without rounding, brought into -1...1 by a power of two for
 * each axis, and everything is summed as numbers of two doubles: neither the distance from the origin nor the scale nor
 * thinness along an axis costs a digit, and bodies far apart within one mesh cost few. */

typedef struct cdi_moments {
    cdi_v3 origin;      /* the middle of the bounds */
    int shift[3], unit; /* coordinates are in units of 2^shift, weights in units of 2^unit */
    bool shell;
    cdi_two weight, first[3], second[6]; /* sums over triangles; second: xx, yy, zz, xy, yz, zx */
    double terms, count;                 /* the magnitudes of all terms of the weights; triangles */
} cdi_moments;

/* Nothing yet, for triangles in the box from `lo` to `hi`, which is finite; of the surface, for a shell. */
CDI_FN void cdi_moments_begin(cdi_moments *m, cdi_v3 lo, cdi_v3 hi, bool shell);

/* A triangle, counter-clockwise from outside. */
CDI_FN void cdi_moments_add(cdi_moments *m, cdi_v3 a, cdi_v3 b, cdi_v3 c);

/* False when the weight does not stand out of the rounding errors: then `out` is zero but for the centre, which is the
 * middle of the bounds. Numbers beyond the range are infinite or NaN. */
CDI_FN bool cdi_moments_end(const cdi_moments *m, cd_mass *out);

/* The same for a hull, whose bounds are given. */
CDI_FN bool cdi_hull_moments(const cd_hull_parts *p, cd_aabb box, bool shell, cd_mass *out);

/* ---- hull/hull_gap.h ----------------------------------------------------------------------------------------- */

/* hull_gap (internal): how far points are from a hull, never told too small. */

/* The point of a triangle nearest to p, about; a point of the triangle in any case. */
CDI_FN cdi_v3 cdi_gap_triangle(cdi_v3 p, cdi_v3 a, cdi_v3 b, cdi_v3 c);

/* Distances of many points from one hull of dimension 1 to 3. Coordinates are taken about `base` and times 2^`exponent`, so
 * that no product leaves the range; the last nearest triangle is where the next search starts. */
typedef struct cdi_hull_gap {
    cd_hull_parts parts;
    cdi_v3 base;
    int exponent;
    double size;      /* of both hulls, scaled: 1 to 8 */
    double tolerance; /* relative, of squared distances */
    int steps;        /* at most */
    uint32_t corner[3];
} cdi_hull_gap;

/* For the points of `other`. */
CDI_FN cdi_hull_gap cdi_gap_begin(const cd_hull *hull, const cd_hull *other);

/* About how far a point is from the hull, times the scale of the search, and the unit vector from the hull's nearest point to it. */
CDI_FN double cdi_gap_reach(cdi_hull_gap *g, cdi_v3 p, cdi_v3 *away);

/* The largest distance of the vertices of `other` from the hull, rounded up to a number of the interface. */
CDI_FN double cdi_gap_largest(const cd_hull *hull, const cd_hull *other);

/* The vertex of a hull of dimension 1 to 3 that is farthest along d, by edges uphill from a vertex. */
CDI_FN uint32_t cdi_hull_climb(const cd_hull_parts *p, uint32_t vertex, cdi_v3 d);

/* ---- hull/directions.h --------------------------------------------------------------------------------------- */

/* directions (internal): directions all around a hull. */

/* A power of two that brings the hull's size near 1; dimension 1 to 3. */
CDI_FN double cdi_unit_scale(const cd_hull *hull);

/* An affine map under which a body is about as long as wide as high: L L^T is the covariance of its vertices, times the scale
 * above (Cholesky's method). */
typedef struct cdi_round_frame {
    double l[6]; /* xx, yx, yy, zx, zy, zz of L */
} cdi_round_frame;
CDI_FN cdi_round_frame cdi_round_frame_of(const cd_hull *hull);

/* L^-T u, made unit: what the direction u in the round body is for the hull itself. */
CDI_FN cdi_v3 cdi_round_direction(const cdi_round_frame *f, cdi_v3 u);

/* Direction number i of the 6 n n through the middles of the squares of a cube's sides, each near the one before. */
CDI_FN cdi_v3 cdi_cube_direction(uint32_t i, uint32_t n);

/* ---- hull/hull_around.h -------------------------------------------------------------------------------------- */

/* hull_around (internal): hulls around a hull, from few half-spaces that touch it. */

/* A hull of dimension 3 around another one, within the budgets (at least 4 each). */
CDI_FN cd_status cdi_hull_around(cd_hull *out, const cd_hull *hull, uint32_t max_vertices, uint32_t max_faces,
                                 const cd_allocator *allocator);

/* ---- hull/selection.h ---------------------------------------------------------------------------------------- */

/* selection (internal): of the points of a cloud in convex position, the few whose hull is nearest to that of all.
 *
 * The farthest point is added to the hull so far until there are half as many again as wanted; those are taken away
 * again whose absence costs least; at last the farthest point is exchanged for the cheapest one while that helps
 * (compare Gonzalez 1985 for the first half, Schroeder, Zarge and Lorensen 1992 for the second). */

typedef struct cdi_heap_item {
    double key;
    uint32_t id, unused;
} cdi_heap_item;

/* The largest key first, of equal ones the smallest number; what finds no room is not taken. */
typedef struct cdi_heap {
    cdi_heap_item *item;
    uint32_t count, room;
} cdi_heap;
CDI_FN void cdi_heap_push(cdi_heap *h, double key, uint32_t id);
CDI_FN void cdi_heap_pop(cdi_heap *h);

/* How far points count to be from the hull of the selected: by Euclid; or, where each point stands for a plane
 * n . x = e as n / e, by how far the planes' common interior reaches beyond it. */
typedef enum cdi_selection_kind { CDI_SELECT_NEAR, CDI_SELECT_DUAL } cdi_selection_kind;

typedef struct cdi_selection {
    cdi_selection_kind kind;
    const double *weight; /* dual: e of each point of the input */
    uint32_t wanted;      /* how many; at least 4 */
    uint32_t spare;       /* how many more are taken at first */
    uint32_t exchanges;   /* at most */
} cdi_selection;

/* Writes the numbers of the selected, in the cloud's input, to `chosen` (room for wanted); how many there are to `count`:
 * `wanted`, unless there are fewer extreme points, or, dual, fewer do not bound a body. CD_UNSUPPORTED for points in a plane.*/
CDI_FN cd_status cdi_select(const cdi_cloud_input *input, const cdi_selection *how,
                            const cd_allocator *allocator, uint32_t *chosen, uint32_t *count);

/* ---- query/closest3d.h --------------------------------------------------------------------------------------- */

/* closest3d (internal): closest points in double. */

/* A point of a triangle: where, how far, on what. */
typedef struct cdi_near {
    cdi_v3 point;
    double sqdist;
    double u, v;
    uint32_t feature;
} cdi_near;

/* n . p - d to the last place of the largest term, with the plane's equation scaled so that |n|, which is given back, is
 * near 1; divide by it for the distance. */
CDI_FN double cdi_plane_height(cd_plane plane, cdi_v3 p, cdi_v3 *normal);

/* The point of a segment nearest to p, and its parameter in [0, 1]. */
CDI_FN cdi_v3 cdi_near_segment(cdi_v3 p, cdi_v3 a, cdi_v3 b, double *t);

/* The point of a triangle nearest to p; finite input. The squared distance is at least that to the bounding box. */
CDI_FN cdi_near cdi_near_triangle(cdi_v3 p, const cdi_tri *t);

/* Squared distance to the box lo, hi; 0 inside. */
CDI_FN double cdi_sqdist_box(cdi_v3 p, cdi_v3 lo, cdi_v3 hi);

/* ---- query/cast3d.h ------------------------------------------------------------------------------------------ */

/* cast3d (internal): what all casts share: the ray in double, its range, and what counts as a hit of a solid. */

typedef struct cdi_cast {
    cdi_v3 o, d;
    double t_min, t_max;
    uint32_t flags;
} cdi_cast;

/* False when the question makes no sense: not finite, NaN range, empty range. */
CDI_FN bool cdi_cast_begin(cdi_cast *c, const cd_ray *r, cd_real t_max, const cd_cast_options *options);

/* Where a line is inside a solid, and a number the shape gives to the surfaces there. */
typedef struct cdi_span {
    double in, out;
    int face_in, face_out;
} cdi_span;

/* The line o + t d inside the box lo, hi; false when it misses. Exact in that decision. */
CDI_FN bool cdi_line_box(cdi_v3 o, cdi_v3 d, cdi_v3 lo, cdi_v3 hi, cdi_span *span);

/* Which contact of the span counts, by the options. */
typedef enum cdi_contact { CDI_CONTACT_NONE, CDI_CONTACT_IN, CDI_CONTACT_OUT, CDI_CONTACT_START } cdi_contact;

CDI_FN cdi_contact cdi_cast_solid(const cdi_cast *c, const cdi_span *span);

/* ---- query/ray3d.h ------------------------------------------------------------------------------------------- */

/* ray3d (internal): a ray made ready for many triangles, in double. */

typedef struct cdi_ray {
    double o[3], d[3], inv[3]; /* inv: 1 / d, not used where d is 0 */
    int kx, ky, kz; /* kz: the axis the ray is longest in; kx, ky keep the handedness of the sheared frame */
    double sx, sy, sz; /* the shear that takes the ray to the z axis, and 1 / d[kz] */
    cdi_v3 origin, dir;
    double t_min;
} cdi_ray;

/* False for a zero direction, which hits no triangle. */
CDI_FN bool cdi_ray_prepare(cdi_ray *r, const cdi_cast *c);

/* Where a ray meets a triangle; `t` in double, so that near hits are told apart before rounding. */
typedef struct cdi_tri_hit {
    double t, u, v;
    uint32_t feature, flags;
} cdi_tri_hit;

/* The hit with t in [r->t_min, t_max], by the culling flags of cd_cast_flag; `hit` is untouched when false. */
CDI_FN bool cdi_ray_tri(const cdi_ray *r, const cdi_tri *t, uint32_t flags, double t_max, cdi_tri_hit *hit);

/* The public form; false, with `out` untouched, where the numbers left the range, far outside the domain. */
CDI_FN bool cdi_tri_hit_write(cd_hit *out, const cdi_tri_hit *h, const cdi_tri *t, const cdi_ray *r,
                              uint32_t index);

/* ---- query/triangle_box.h ------------------------------------------------------------------------------------ */

/* triangle_box (internal): the exact test of a triangle against a box. */

CDI_FN bool cdi_test_tri_box(const cdi_tri *t, cdi_v3 lo, cdi_v3 hi);

/* ---- query/triangle_triangle3d.h ----------------------------------------------------------------------------- */

/* triangle_triangle3d (internal): the test on triangles of doubles. */

CDI_FN bool cdi_test_tri_tri(const cdi_tri *a, const cdi_tri *b);

/* ---- bounds/box3d.h ------------------------------------------------------------------------------------------ */

/* box3d (internal): the box with given axes around points, for all fits.
 *
 * Fits look for a frame in local coordinates, where the points lie within -1...1 about the middle of their bounds. Only then
 * is the box made: the axes are rounded as they will be stored, and its extents are measured for the stored numbers. */

/* The points of a fit: in space, in the plane, or the corners of a mesh's triangles. */
typedef struct cdi_fit {
    const cd_vec3 *points;
    const cd_vec2 *flat;
    const cd_mesh_view *mesh;
    size_t count;
    cd_aabb bounds;
    cdi_v3 origin; /* the middle of the bounds */
    double scale;  /* of local coordinates: a power of two */
} cdi_fit;

CDI_FN cd_status cdi_fit_points(cdi_fit *f, const cd_vec3 *points, size_t count);
CDI_FN cd_status cdi_fit_flat(cdi_fit *f, const cd_vec2 *points, size_t count);
CDI_FN cd_status cdi_fit_mesh(cdi_fit *f, const cd_mesh_view *mesh);

/* Point i as it was given, and in local coordinates. */
CDI_FN cdi_v3 cdi_fit_point(const cdi_fit *f, size_t i);
CDI_INLINE cdi_v3 cdi_fit_local(const cdi_fit *f, size_t i) {
    return cdi_v3_scale(cdi_v3_sub(cdi_fit_point(f, i), f->origin), f->scale);
}

/* A right-handed frame with the first axis along x and the second one as near to y as can be; both may have any length. */
CDI_FN cdi_m3 cdi_fit_frame(cdi_v3 x, cdi_v3 y);
CDI_FN cdi_m3 cdi_fit_identity(void);

/* The frame in which a covariance matrix is diagonal, the axis of the largest value first. */
CDI_FN cdi_m3 cdi_principal_frame(const cdi_m3 *covariance);

/* The extents of points along three axes. */
typedef struct cdi_extents {
    double lo[3], hi[3];
} cdi_extents;

CDI_FN cdi_extents cdi_extents_none(void);
CDI_INLINE void cdi_extents_add(cdi_extents *e, const cdi_m3 *axes, cdi_v3 p) {
    for (int k = 0; k < 3; ++k) {
        double along = cdi_v3_dot(axes->c[k], p);
        e->lo[k] = cdi_min(e->lo[k], along);
        e->hi[k] = cdi_max(e->hi[k], along);
    }
}
/* Of all points, in local coordinates. */
CDI_FN cdi_extents cdi_fit_extents(const cdi_fit *f, const cdi_m3 *axes);
CDI_INLINE double cdi_extents_volume(const cdi_extents *e) {
    return (e->hi[0] - e->lo[0]) * (e->hi[1] - e->lo[1]) * (e->hi[2] - e->lo[2]);
}

/* Is the first one smaller: in volume, or in surface where both have the same, or in the length of its edges? */
CDI_FN bool cdi_is_smaller(const double a[3], const double b[3]);

/* The smaller one of the box with these axes and the box along the axes of the world. */
CDI_FN void cdi_fit_finish(const cdi_fit *f, const cdi_m3 *axes, cd_obb *out);

/* ---- bounds/rect2d.h ----------------------------------------------------------------------------------------- */

/* rect2d (internal): the direction of the rectangle of least area around a convex polygon. */

/* Some points in counter-clockwise order, strictly convex; any number from 1. */
typedef struct cdi_ring2 {
    const cd_vec2 *points;
    const uint32_t *corner;
    size_t count;
} cdi_ring2;

/* A unit vector along a side; (1, 0) for a single point. */
CDI_FN cdi_v3 cdi_ring2_by_calipers(const cdi_ring2 *r);

/* ---- bounds/obb_axes.h --------------------------------------------------------------------------------------- */

/* obb_axes (internal): how fits find a frame. */

/* The principal frame of the points. */
CDI_FN cdi_m3 cdi_fit_pca(const cdi_fit *f);

/* The frame of two extreme pairs: never without a direction that the points have. */
CDI_FN cdi_m3 cdi_fit_by_pairs(const cdi_fit *f);

/* Memory to project the points of a fit along an axis, of which there are at least one. */
typedef struct cdi_fit_shadow {
    cd_vec2 *points;
    uint32_t *corner;
    size_t count;
} cdi_fit_shadow;
CDI_FN cd_status cdi_fit_shadow_take(cdi_fit_shadow *s, size_t count, const cd_allocator *allocator);
CDI_FN void cdi_fit_shadow_free(cdi_fit_shadow *s, const cd_allocator *allocator);

/* The frame with this axis first, across which the rectangle around the points has the least area. */
CDI_FN cdi_m3 cdi_fit_across(const cdi_fit *f, cdi_fit_shadow *s, cdi_v3 axis);

/* The surface of a hull, its principal frame in `axes`; false when it has no area. */
CDI_FN bool cdi_hull_frame(const cd_hull *hull, cdi_m3 *axes);

/* Projects along one axis after the other while the box gets smaller by more than rounding errors. */
CDI_FN void cdi_fit_refine(const cdi_fit *f, cdi_fit_shadow *s, cdi_m3 *axes);

/* ---- tree/bvh_node.h ----------------------------------------------------------------------------------------- */

/* bvh_node (internal): the layout of a tree's block, and the frame its boxes are in.
 *
 * header | nodes, in depth-first order | triangles, in the order of the leaves
 *
 * Depth-first means that a walk over children in lane order meets nodes and triangles with rising numbers and leaves
 * none out: that makes a block easy to check without memory. */

#define CDI_BVH_MAGIC    0x48564243u /* "CBVH" */
#define CDI_BVH_VERSION  1u
#define CDI_BVH_DEPTH    96u
#define CDI_BVH_LEAF_MAX 64u
#define CDI_BVH_MOST     0x20000000u /* triangles */
#define CDI_BVH_STACK    (7u * CDI_BVH_DEPTH + 8u)

/* A frame scaled to a tree: x -> (x - origin) 2^-exponent takes its bounds into [-1, 1]. */
typedef struct cdi_frame {
    double origin[3];
    int32_t exponent;
    uint32_t unused;
} cdi_frame;

typedef struct cdi_bvh_header {
    uint32_t magic, version, real_size, depth;
    uint32_t node_count, triangle_count, skipped_count, mesh_count;
    uint64_t bytes;
    cdi_frame frame;
    double lo[3], hi[3]; /* the exact bounds, in the mesh's own frame */
    uint32_t unused[18];
} cdi_bvh_header;

/* Eight children: lanes in use have a bit in `lanes`; count[i] is 0 for a node child[i], else child[i] is the first of
 * that many triangles. */
typedef struct cdi_bvh_node {
    float lo[3][8], hi[3][8];
    uint32_t child[8];
    uint8_t count[8];
    uint32_t lanes;
    uint32_t unused[5];
} cdi_bvh_node;

typedef struct cdi_bvh_triangle {
    cd_real v[9];
    uint32_t index;
#ifdef COLLIDE_DOUBLE
    uint32_t unused;
#endif
} cdi_bvh_triangle;

/* A tree opened for a query. */
typedef struct cdi_bvh {
    const cdi_bvh_header *header;
    const cdi_bvh_node *nodes;
    const cdi_bvh_triangle *triangles;
} cdi_bvh;

/* False for an empty tree. */
CDI_INLINE bool cdi_bvh_open(cdi_bvh *out, const cd_bvh *tree) {
    const unsigned char *block = (const unsigned char *)tree->block;
    if (!block) return false;
    out->header = (const cdi_bvh_header *)tree->block;
    out->nodes = (const cdi_bvh_node *)(const void *)(block + sizeof(cdi_bvh_header));
    out->triangles = (const cdi_bvh_triangle *)(const void *)(out->nodes + out->header->node_count);
    return out->header->node_count != 0;
}

CDI_INLINE cdi_tri cdi_bvh_tri(const cdi_bvh_triangle *t) {
    cdi_tri r;
    for (int i = 0; i < 3; ++i) {
        r.v[i] = cdi_v3_make((double)t->v[3 * i], (double)t->v[3 * i + 1], (double)t->v[3 * i + 2]);
    }
    return r;
}

/* ---- the frame ---- */

/* A coordinate in the frame, off by at most 2^-52 of itself. */
CDI_INLINE double cdi_frame_in(const cdi_frame *f, int axis, double x) {
    return cdi_scale2(x - f->origin[axis], -f->exponent);
}

/* A float below (above) x and within two units in the last place of it, with room for the error above: a step down, and
 * then to the nearest. What is beyond 1e30 is put there, as far outside of [-1, 1] as any other number. */
CDI_INLINE float cdi_float_down(double x) {
    return (float)cdi_clamp(x - (cdi_abs(x) * 1.2e-7 + 1e-36), -1e30, 1e30);
}
CDI_INLINE float cdi_float_up(double x) {
    return (float)cdi_clamp(x + (cdi_abs(x) * 1.2e-7 + 1e-36), -1e30, 1e30);
}

/* The index of the lowest bit set; mask not 0. */
CDI_INLINE uint32_t cdi_lowest_bit(uint32_t mask) {
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctz(mask);
#else
    uint32_t i = 0;
    while (!(mask & 1u)) {
        mask >>= 1;
        ++i;
    }
    return i;
#endif
}

/* ---- tree/bvh_distance.h ------------------------------------------------------------------------------------- */

/* bvh_distance (internal): the distance of a point to eight boxes of a tree, never more than the truth. */

/* A point in the frame of a tree, rounded both ways. */
typedef struct cdi_frame_point {
    float low[3], high[3];
} cdi_frame_point;

CDI_INLINE cdi_frame_point cdi_frame_point_of(const cdi_frame *f, cdi_v3 p) {
    cdi_frame_point r;
    for (int k = 0; k < 3; ++k) {
        double x = cdi_frame_in(f, k, cdi_v3_get(p, k));
        r.low[k] = cdi_float_down(x);
        r.high[k] = cdi_float_up(x);
    }
    return r;
}

/* Lower bounds of the squared distances, but for a relative error of 2^-21 that cdi_frame_sqdist makes good. */
CDI_INLINE cdi_f8 cdi_sqdist_boxes(const cdi_frame_point *p, const cdi_bvh_node *node) {
    cdi_f8 sum = cdi_f8_all(0.0f);
    for (int k = 0; k < 3; ++k) {
        cdi_f8 below = cdi_f8_sub(cdi_f8_load(node->lo[k]), cdi_f8_all(p->high[k]));
        cdi_f8 above = cdi_f8_sub(cdi_f8_all(p->low[k]), cdi_f8_load(node->hi[k]));
        cdi_f8 d = cdi_f8_max(cdi_f8_max(below, above), cdi_f8_all(0.0f));
        sum = cdi_f8_add(sum, cdi_f8_mul(d, d));
    }
    return sum;
}

/* An upper bound of a squared distance in the frame, for comparison with cdi_sqdist_boxes. */
CDI_INLINE float cdi_frame_sqdist(const cdi_frame *f, double sqdist) {
    double d = cdi_scale2(cdi_scale2(sqdist, -f->exponent), -f->exponent);
    return d < 1e29 ? cdi_float_up(d * 1.000001 + 1e-30) : 1e38f;
}

/* ---- core/config.c ------------------------------------------------------------------------------------------- */

CD_API uint32_t cd_version(void) {
    return CD_VERSION;
}

/* ---- core/status.c ------------------------------------------------------------------------------------------- */

CD_API const char *cd_status_text(cd_status status) {
    switch (status) {
    case CD_OK: return "done";
    case CD_INVALID_ARGUMENT: return "an input breaks the stated conditions";
    case CD_OUT_OF_MEMORY: return "out of memory";
    case CD_TOO_LARGE: return "too large";
    case CD_CANCELLED: return "cancelled by the progress callback";
    case CD_NOT_CONVERGED: return "not converged; the stated error bound holds";
    case CD_UNSUPPORTED: return "not supported for these objects or in this build";
    case CD_CORRUPT: return "the stored bytes are corrupt";
    }
    return "unknown status";
}

/* ---- core/selftest.c ----------------------------------------------------------------------------------------- */

/* Values the compiler cannot see through, so that the machine does the arithmetic. */
static double cdi_opaque(double x) {
    volatile double v = x;
    return v;
}

static bool cdi_is_contracted(void) {
    double a = cdi_opaque(1.0 + 1.0 / 134217728.0); /* 1 + 2^-27: its square needs 55 bits */
    float b = (float)cdi_opaque(1.0 + 1.0 / 8192.0);
    double r = a * a - cdi_opaque(1.0 + 1.0 / 67108864.0);
    float s = b * b - (float)cdi_opaque(1.0 + 1.0 / 4096.0);
    return cdi_opaque(r) != 0.0 || cdi_opaque((double)s) != 0.0;
}

static bool cdi_is_flushed(void) {
    double tiny = cdi_opaque(2.2250738585072014e-308) * cdi_opaque(0.5); /* out */
    volatile float tinyf = (float)cdi_opaque(1.1754943508222875e-38);
    volatile float half = tinyf * 0.5f;
    return cdi_opaque(tiny) == 0.0 || half == 0.0f || cdi_opaque(cdi_opaque(tiny) * 2.0) == 0.0 || /* in */
           half * 2.0f != tinyf;
}

static bool cdi_is_rounding_off(void) {
    double u = cdi_opaque(1.0 / 9007199254740992.0); /* 2^-53, half a unit of 1 */
    bool up = cdi_opaque(1.0) + u > 1.0;             /* nearest even: stays 1 */
    bool down = cdi_opaque(1.0) + 1.5 * u < 1.0 + 2.0 * u;
    bool toward = cdi_opaque(-1.0) - 1.5 * u > -1.0 - 2.0 * u;
    return up || down || toward;
}

static bool cdi_is_wide(void) {
    float big = (float)cdi_opaque(16777216.0), one = (float)cdi_opaque(1.0);
    float sum = big + one; /* 2^24 + 1 is no float */
    double wide = cdi_opaque(9007199254740992.0) + cdi_opaque(1.0);
    return (double)sum - 16777216.0 != 0.0 || wide - 9007199254740992.0 != 0.0;
}

/* Rounded to float and back, three at a time: some optimisers drop it. */
static bool cdi_is_rounding_dropped(void) {
    double third = cdi_opaque(1.0 / 3.0);
    cdi_v3 v = cdi_v3_make(third, third, third);
    cd_vec3 r = cdi_v3_round(v);
    v = cdi_v3_of(r);
    return v.x != cdi_opaque((double)(cd_real)third) || v.y != v.x || v.z != v.x;
}

static bool cdi_is_fast_math(void) {
    double zero = cdi_opaque(0.0), inf = 1.0 / zero, nan = inf - inf;
    bool nan_right = nan != nan && !(nan < 0.0) && !(nan >= 0.0);
    return !nan_right || !(inf > 1e300) || !(1.0 / cdi_opaque(-0.0) < 0.0);
}

CD_API uint32_t cd_selftest(void) {
    uint32_t found = 0;
    if (cdi_is_contracted()) found |= (uint32_t)CD_SELFTEST_CONTRACTION;
    if (cdi_is_flushed()) found |= (uint32_t)CD_SELFTEST_FLUSH_TO_ZERO;
    if (cdi_is_rounding_off()) found |= (uint32_t)CD_SELFTEST_ROUNDING;
    if (cdi_is_wide() || cdi_is_rounding_dropped()) found |= (uint32_t)CD_SELFTEST_PRECISION;
    if (cdi_is_fast_math()) found |= (uint32_t)CD_SELFTEST_FAST_MATH;
    return found;
}

/* ---- core/vec.c ---------------------------------------------------------------------------------------------- */

/* ---- lengths that neither overflow nor underflow: scaled by a power of two where the squares would ---- */

/* The exponent to bring |m| near 1, or 0 where squares are safe anyway. */
static int cdi_length_shift(double m) {
    int e = cdi_exponent(m);
    return e > 500 || e < -480 ? -e : 0;
}

CDI_FN double cdi_v3_length(cdi_v3 a) {
    double m = cdi_v3_max_abs(a);
    int shift;
    if (cdi_v3_is_zero(a)) return 0.0;
    shift = cdi_length_shift(m);
    if (shift == 0) return cdi_sqrt(cdi_v3_sqlength(a));
    a = cdi_v3_make(cdi_scale2(a.x, shift), cdi_scale2(a.y, shift), cdi_scale2(a.z, shift));
    return cdi_scale2(cdi_sqrt(cdi_v3_sqlength(a)), -shift);
}

CDI_FN cdi_v3 cdi_v3_normalize(cdi_v3 a) {
    double m = cdi_v3_max_abs(a), length;
    int shift = cdi_length_shift(m);
    if (cdi_v3_is_zero(a) || !cdi_v3_finite(a)) return cdi_v3_make(0.0, 0.0, 0.0);
    if (shift) a = cdi_v3_make(cdi_scale2(a.x, shift), cdi_scale2(a.y, shift), cdi_scale2(a.z, shift));
    length = cdi_sqrt(cdi_v3_sqlength(a));
    return cdi_v3_make(a.x / length, a.y / length, a.z / length);
}

CDI_FN cdi_v3 cdi_across(cdi_v3 u) {
    double x = cdi_abs(u.x), y = cdi_abs(u.y), z = cdi_abs(u.z);
    if (x <= y && x <= z) return cdi_v3_normalize(cdi_v3_make(0.0, -u.z, u.y));
    if (y <= z) return cdi_v3_normalize(cdi_v3_make(u.z, 0.0, -u.x));
    return cdi_v3_normalize(cdi_v3_make(-u.y, u.x, 0.0));
}

/* ---- the public operations ---- */

CD_API cd_vec2 cd_vec2_neg(cd_vec2 v) {
    return cd_vec2_make(-v.x, -v.y);
}

CD_API cd_vec2 cd_vec2_perp(cd_vec2 v) {
    return cd_vec2_make(-v.y, v.x);
}

CD_API cd_vec2 cd_vec2_lerp(cd_vec2 a, cd_vec2 b, cd_real t) {
    double x = (double)a.x + (double)t * ((double)b.x - (double)a.x);
    double y = (double)a.y + (double)t * ((double)b.y - (double)a.y);
    if (t == 1) return b; /* a + (b - a) need not be b */
    return cd_vec2_make((cd_real)x, (cd_real)y);
}

CD_API cd_real cd_vec2_dot(cd_vec2 a, cd_vec2 b) {
    return (cd_real)((double)a.x * (double)b.x + (double)a.y * (double)b.y);
}

CD_API cd_real cd_vec2_cross(cd_vec2 a, cd_vec2 b) {
    return (cd_real)((double)a.x * (double)b.y - (double)a.y * (double)b.x);
}

CD_API cd_real cd_vec2_sqlength(cd_vec2 v) {
    return cd_vec2_dot(v, v);
}

CD_API cd_real cd_vec2_length(cd_vec2 v) {
    return (cd_real)cdi_v3_length(cdi_v3_make((double)v.x, (double)v.y, 0.0));
}

CD_API cd_real cd_vec2_dist(cd_vec2 a, cd_vec2 b) {
    return (cd_real)cdi_v3_length(cdi_v3_make((double)a.x - (double)b.x, (double)a.y - (double)b.y, 0.0));
}

CD_API cd_vec2 cd_vec2_normalize(cd_vec2 v) {
    cdi_v3 n = cdi_v3_normalize(cdi_v3_make((double)v.x, (double)v.y, 0.0));
    return cd_vec2_make((cd_real)n.x, (cd_real)n.y);
}

CD_API bool cd_vec2_is_valid(cd_vec2 v) {
    return cdi_finite((double)v.x) && cdi_finite((double)v.y);
}

CD_API cd_real cd_vec3_dot(cd_vec3 a, cd_vec3 b) {
    return (cd_real)cdi_v3_dot(cdi_v3_of(a), cdi_v3_of(b));
}

CD_API cd_vec3 cd_vec3_cross(cd_vec3 a, cd_vec3 b) {
    return cdi_v3_round(cdi_v3_cross(cdi_v3_of(a), cdi_v3_of(b)));
}

CD_API cd_real cd_triple(cd_vec3 a, cd_vec3 b, cd_vec3 c) {
    return (cd_real)cdi_v3_dot(cdi_v3_cross(cdi_v3_of(a), cdi_v3_of(b)), cdi_v3_of(c));
}

CD_API cd_vec3 cd_vec3_lerp(cd_vec3 a, cd_vec3 b, cd_real t) {
    cdi_v3 p = cdi_v3_of(a), q = cdi_v3_of(b);
    if (t == 1) return b; /* a + (b - a) need not be b */
    return cdi_v3_round(cdi_v3_along(p, cdi_v3_sub(q, p), (double)t));
}

CD_API cd_vec3 cd_vec3_along(cd_vec3 a, cd_vec3 d, cd_real t) {
    return cdi_v3_round(cdi_v3_along(cdi_v3_of(a), cdi_v3_of(d), (double)t));
}

CD_API cd_real cd_vec3_sqlength(cd_vec3 v) {
    return (cd_real)cdi_v3_sqlength(cdi_v3_of(v));
}

CD_API cd_real cd_vec3_length(cd_vec3 v) {
    return (cd_real)cdi_v3_length(cdi_v3_of(v));
}

CD_API cd_real cd_vec3_dist(cd_vec3 a, cd_vec3 b) {
    return (cd_real)cdi_v3_length(cdi_v3_sub(cdi_v3_of(a), cdi_v3_of(b)));
}

CD_API cd_vec3 cd_vec3_normalize(cd_vec3 v) {
    return cdi_v3_round(cdi_v3_normalize(cdi_v3_of(v)));
}

CD_API bool cd_vec3_is_valid(cd_vec3 v) {
    return cdi_v3_finite(cdi_v3_of(v));
}

CD_API cd_vec4 cd_vec4_make(cd_real x, cd_real y, cd_real z, cd_real w) {
    cd_vec4 v;
    v.x = x;
    v.y = y;
    v.z = z;
    v.w = w;
    return v;
}

CD_API cd_vec4 cd_vec4_add(cd_vec4 a, cd_vec4 b) {
    return cd_vec4_make(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

CD_API cd_vec4 cd_vec4_sub(cd_vec4 a, cd_vec4 b) {
    return cd_vec4_make(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w);
}

CD_API cd_vec4 cd_vec4_scale(cd_vec4 v, cd_real s) {
    return cd_vec4_make(v.x * s, v.y * s, v.z * s, v.w * s);
}

CD_API cd_real cd_vec4_dot(cd_vec4 a, cd_vec4 b) {
    return (cd_real)((double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z +
                     (double)a.w * (double)b.w);
}

CD_API cd_real cd_vec4_length(cd_vec4 v) {
    cdi_v3 xyz = cdi_v3_make((double)v.x, (double)v.y, (double)v.z);
    double w = (double)v.w;
    int shift = cdi_length_shift(cdi_max(cdi_v3_max_abs(xyz), cdi_abs(w)));
    if (w == 0.0) return (cd_real)cdi_v3_length(xyz);
    xyz = cdi_v3_make(cdi_scale2(xyz.x, shift), cdi_scale2(xyz.y, shift), cdi_scale2(xyz.z, shift));
    w = cdi_scale2(w, shift);
    return (cd_real)cdi_scale2(cdi_sqrt(cdi_v3_sqlength(xyz) + w * w), -shift);
}

CD_API bool cd_vec4_is_valid(cd_vec4 v) {
    return cdi_finite3((double)v.x, (double)v.y, (double)v.z) && cdi_finite((double)v.w);
}

/* ---- core/mat.c ---------------------------------------------------------------------------------------------- */

/* ---- 2x2 ---- */

CD_API cd_mat2 cd_mat2_from_columns(cd_vec2 x, cd_vec2 y) {
    cd_mat2 m;
    m.col[0] = x;
    m.col[1] = y;
    return m;
}

CD_API cd_mat2 cd_mat2_identity(void) {
    return cd_mat2_from_columns(cd_vec2_make(1, 0), cd_vec2_make(0, 1));
}

CD_API cd_vec2 cd_mat2_mul_vec(const cd_mat2 *m, cd_vec2 v) {
    cd_mat2 rows = cd_mat2_transpose(m);
    return cd_vec2_make(cd_vec2_dot(rows.col[0], v), cd_vec2_dot(rows.col[1], v));
}

CD_API cd_mat2 cd_mat2_mul(const cd_mat2 *a, const cd_mat2 *b) {
    return cd_mat2_from_columns(cd_mat2_mul_vec(a, b->col[0]), cd_mat2_mul_vec(a, b->col[1]));
}

CD_API cd_mat2 cd_mat2_transpose(const cd_mat2 *m) {
    return cd_mat2_from_columns(cd_vec2_make(m->col[0].x, m->col[1].x),
                                cd_vec2_make(m->col[0].y, m->col[1].y));
}

CD_API cd_real cd_mat2_determinant(const cd_mat2 *m) {
    return cd_vec2_cross(m->col[0], m->col[1]);
}

CD_API bool cd_mat2_inverse(const cd_mat2 *m, cd_mat2 *out) {
    cdi_m3 d = cdi_m3_of_mat2(m);
    cdi_cramer a;
    if (!cdi_cramer_of(&d, &a)) return false;
    d = cdi_cramer_inverse(&a);
    if (out) {
        *out = cd_mat2_from_columns(cd_vec2_make((cd_real)d.c[0].x, (cd_real)d.c[0].y),
                                    cd_vec2_make((cd_real)d.c[1].x, (cd_real)d.c[1].y));
    }
    return true;
}

/* ---- 3x3 ---- */

CD_API cd_mat3 cd_mat3_from_columns(cd_vec3 x, cd_vec3 y, cd_vec3 z) {
    cd_mat3 m;
    m.col[0] = x;
    m.col[1] = y;
    m.col[2] = z;
    return m;
}

CD_API cd_mat3 cd_mat3_identity(void) {
    return cd_mat3_from_columns(cd_vec3_make(1, 0, 0), cd_vec3_make(0, 1, 0), cd_vec3_make(0, 0, 1));
}

CD_API cd_mat3 cd_mat3_diagonal(cd_vec3 d) {
    return cd_mat3_from_columns(cd_vec3_make(d.x, 0, 0), cd_vec3_make(0, d.y, 0), cd_vec3_make(0, 0, d.z));
}

CD_API cd_mat3 cd_mat3_outer(cd_vec3 a, cd_vec3 b) {
    return cd_mat3_from_columns(cd_vec3_scale(a, b.x), cd_vec3_scale(a, b.y), cd_vec3_scale(a, b.z));
}

CD_API cd_mat3 cd_mat3_skew(cd_vec3 v) {
    return cd_mat3_from_columns(cd_vec3_make(0, v.z, -v.y), cd_vec3_make(-v.z, 0, v.x),
                                cd_vec3_make(v.y, -v.x, 0));
}

CD_API cd_mat3 cd_mat3_add(const cd_mat3 *a, const cd_mat3 *b) {
    return cd_mat3_from_columns(cd_vec3_add(a->col[0], b->col[0]), cd_vec3_add(a->col[1], b->col[1]),
                                cd_vec3_add(a->col[2], b->col[2]));
}

CD_API cd_mat3 cd_mat3_sub(const cd_mat3 *a, const cd_mat3 *b) {
    return cd_mat3_from_columns(cd_vec3_sub(a->col[0], b->col[0]), cd_vec3_sub(a->col[1], b->col[1]),
                                cd_vec3_sub(a->col[2], b->col[2]));
}

CD_API cd_mat3 cd_mat3_scale(const cd_mat3 *m, cd_real s) {
    return cd_mat3_from_columns(cd_vec3_scale(m->col[0], s), cd_vec3_scale(m->col[1], s),
                                cd_vec3_scale(m->col[2], s));
}

CD_API cd_vec3 cd_mat3_mul_vec(const cd_mat3 *m, cd_vec3 v) {
    cdi_m3 d = cdi_m3_of(m);
    return cdi_v3_round(cdi_m3_mul_v3(&d, cdi_v3_of(v)));
}

CD_API cd_vec3 cd_mat3_mul_vec_transposed(const cd_mat3 *m, cd_vec3 v) {
    cdi_m3 d = cdi_m3_of(m);
    return cdi_v3_round(cdi_m3_tmul_v3(&d, cdi_v3_of(v)));
}

CD_API cd_mat3 cd_mat3_mul(const cd_mat3 *a, const cd_mat3 *b) {
    cdi_m3 p = cdi_m3_of(a), q = cdi_m3_of(b), r = cdi_m3_mul(&p, &q);
    return cdi_m3_round(&r);
}

CD_API cd_mat3 cd_mat3_transpose(const cd_mat3 *m) {
    cdi_m3 d = cdi_m3_of(m), t = cdi_m3_transpose(&d);
    return cdi_m3_round(&t);
}

CD_API cd_real cd_mat3_trace(const cd_mat3 *m) {
    return (cd_real)((double)m->col[0].x + (double)m->col[1].y + (double)m->col[2].z);
}

CD_API cd_real cd_mat3_determinant(const cd_mat3 *m) {
    return cd_triple(m->col[0], m->col[1], m->col[2]);
}

CD_API bool cd_mat3_inverse(const cd_mat3 *m, cd_mat3 *out) {
    cdi_m3 d = cdi_m3_of(m);
    cdi_cramer a;
    if (!cdi_cramer_of(&d, &a)) return false;
    d = cdi_cramer_inverse(&a);
    if (out) *out = cdi_m3_round(&d);
    return true;
}

CD_API bool cd_mat3_is_valid(const cd_mat3 *m) {
    return cd_vec3_is_valid(m->col[0]) && cd_vec3_is_valid(m->col[1]) && cd_vec3_is_valid(m->col[2]);
}

CD_API bool cd_mat3_is_rotation(const cd_mat3 *m, cd_real tolerance) {
    cdi_m3 d = cdi_m3_of(m);
    double allowed = tolerance > 0 ? (double)tolerance : 1e-3;
    for (int i = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j) {
            double error = cdi_v3_dot(d.c[i], d.c[j]) - (i == j ? 1.0 : 0.0);
            if (!(cdi_abs(error) <= allowed)) return false;
        }
    }
    return cdi_v3_dot(cdi_v3_cross(d.c[0], d.c[1]), d.c[2]) > 0.0;
}

/* ---- core/solve.c -------------------------------------------------------------------------------------------- */

/* The exponent that brings the largest right side of the scaled equations near 1. */
static int cdi_right_side_shift(cdi_v3 b, const int row[3]) {
    int top = INT32_MIN;
    for (int i = 0; i < 3; ++i) {
        double v = cdi_v3_get(b, i);
        if (v != 0.0 && cdi_exponent(v) + row[i] > top) top = cdi_exponent(v) + row[i];
    }
    return top == INT32_MIN ? 0 : -top;
}

/* x_i = det(M with b for column i) / det = b . (row i of the adjugate) / det. */
static bool cdi_solve(const cdi_m3 *m, cdi_v3 b, cdi_v3 *x) {
    cdi_cramer a;
    int shift;
    if (!cdi_v3_finite(b) || !cdi_cramer_of(m, &a)) return false;
    shift = cdi_right_side_shift(b, a.row);
    b = cdi_v3_make(cdi_scale2(b.x, a.row[0] + shift), cdi_scale2(b.y, a.row[1] + shift),
                    cdi_scale2(b.z, a.row[2] + shift));
    x->x = cdi_scale2(cdi_v3_dot(b, a.adjugate_rows.c[0]) / a.det, a.col[0] - shift);
    x->y = cdi_scale2(cdi_v3_dot(b, a.adjugate_rows.c[1]) / a.det, a.col[1] - shift);
    x->z = cdi_scale2(cdi_v3_dot(b, a.adjugate_rows.c[2]) / a.det, a.col[2] - shift);
    return true;
}

CD_API bool cd_solve2(const cd_mat2 *m, cd_vec2 b, cd_vec2 *x) {
    cdi_m3 d = cdi_m3_of_mat2(m);
    cdi_v3 r;
    if (!cdi_solve(&d, cdi_v3_make((double)b.x, (double)b.y, 0.0), &r)) return false;
    if (x) *x = cd_vec2_make((cd_real)r.x, (cd_real)r.y);
    return true;
}

CD_API bool cd_solve3(const cd_mat3 *m, cd_vec3 b, cd_vec3 *x) {
    cdi_m3 d = cdi_m3_of(m);
    cdi_v3 r;
    if (!cdi_solve(&d, cdi_v3_of(b), &r)) return false;
    if (x) *x = cdi_v3_round(r);
    return true;
}

/* ---- core/eigen.c -------------------------------------------------------------------------------------------- */

/* A symmetric matrix with its largest entry brought near 1 by 2^shift. */
typedef struct cdi_symmetric {
    double a[3][3];
    int shift;
} cdi_symmetric;

static void cdi_set_symmetric(double a[3][3], double xx, double yy, double zz, double xy, double yz,
                              double zx) {
    a[0][0] = xx;
    a[1][1] = yy;
    a[2][2] = zz;
    a[0][1] = a[1][0] = xy;
    a[1][2] = a[2][1] = yz;
    a[0][2] = a[2][0] = zx;
}

static double cdi_max_entry(double a[3][3]) {
    cdi_v3 diagonal = cdi_v3_make(a[0][0], a[1][1], a[2][2]), rest = cdi_v3_make(a[0][1], a[1][2], a[0][2]);
    return cdi_max(cdi_v3_max_abs(diagonal), cdi_v3_max_abs(rest));
}

static void cdi_scale_symmetric(double a[3][3], int e) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) a[i][j] = cdi_scale2(a[i][j], e);
    }
}

static bool cdi_symmetric_of(const cd_mat3 *m, cdi_symmetric *s) {
    cdi_m3 d = cdi_m3_of(m);
    double largest;
    if (!cdi_finite3(d.c[0].x, d.c[1].y, d.c[2].z) || !cdi_finite3(d.c[1].x, d.c[2].y, d.c[2].x))
        return false;
    cdi_set_symmetric(s->a, d.c[0].x, d.c[1].y, d.c[2].z, d.c[1].x, d.c[2].y, d.c[2].x);
    largest = cdi_max_entry(s->a);
    s->shift = largest > 0.0 ? -cdi_exponent(largest) : 0;
    cdi_scale_symmetric(s->a, s->shift);
    return true;
}

static void cdi_swap_pairs(double value[3], cdi_m3 *vector, int i, int j) {
    double t = value[i];
    cdi_v3 v = vector->c[i];
    value[i] = value[j];
    value[j] = t;
    vector->c[i] = vector->c[j];
    vector->c[j] = v;
}

/* One step to the nearest orthonormal matrix, V (3 - V^T V) / 2: takes out what rounding has gathered. */
static void cdi_orthonormalize(cdi_m3 *v) {
    cdi_m3 old = *v;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            double error = cdi_v3_dot(old.c[i], old.c[j]) - (i == j ? 1.0 : 0.0);
            v->c[i] = cdi_v3_along(v->c[i], old.c[j], -0.5 * error);
        }
    }
}

/* Sorts, makes the vectors right-handed, takes the scale back. */
static void cdi_eigen_store(double value[3], cdi_m3 *vector, int shift, cd_eigen *out) {
    if (!out) return;
    cdi_orthonormalize(vector);
    if (value[0] < value[1]) cdi_swap_pairs(value, vector, 0, 1);
    if (value[1] < value[2]) cdi_swap_pairs(value, vector, 1, 2);
    if (value[0] < value[1]) cdi_swap_pairs(value, vector, 0, 1);
    if (cdi_v3_dot(cdi_v3_cross(vector->c[0], vector->c[1]), vector->c[2]) < 0.0)
        vector->c[2] = cdi_v3_neg(vector->c[2]);
    for (int i = 0; i < 3; ++i) out->value[i] = (cd_real)cdi_scale2(value[i], -shift);
    out->vector = cdi_m3_round(vector);
}

/* The tangent of the smaller angle whose rotation takes the entry `pq` of a symmetric 2x2 matrix to 0, and what that
 * rotation is: the matrix becomes diag(pp - t pq, qq + t pq). */
typedef struct cdi_turn {
    double t, c, s;
} cdi_turn;

static cdi_turn cdi_turn_of(double pp, double pq, double qq) {
    cdi_turn turn;
    double cot2 = (qq - pp) / (2.0 * pq); /* infinite for a tiny pq: no turn */
    turn.t = 1.0 / (cdi_abs(cot2) + cdi_sqrt(cot2 * cot2 + 1.0));
    if (cot2 < 0.0) turn.t = -turn.t;
    turn.c = 1.0 / cdi_sqrt(turn.t * turn.t + 1.0);
    turn.s = turn.t * turn.c;
    return turn;
}

/* Columns p and q of the vectors turn with the matrix. */
static void cdi_turn_vectors(cdi_v3 *p, cdi_v3 *q, cdi_turn turn) {
    cdi_v3 old = *p;
    *p = cdi_v3_along(cdi_v3_scale(old, turn.c), *q, -turn.s);
    *q = cdi_v3_along(cdi_v3_scale(*q, turn.c), old, turn.s);
}

/* ---- Jacobi ---- */

static void cdi_jacobi_turn(double a[3][3], cdi_m3 *vector, int p, int q) {
    int r = 3 - p - q;
    double pq = a[p][q], rp = a[r][p], rq = a[r][q];
    cdi_turn turn = cdi_turn_of(a[p][p], pq, a[q][q]);
    a[p][p] -= turn.t * pq;
    a[q][q] += turn.t * pq;
    a[p][q] = a[q][p] = 0.0;
    a[r][p] = a[p][r] = turn.c * rp - turn.s * rq;
    a[r][q] = a[q][r] = turn.s * rp + turn.c * rq;
    cdi_turn_vectors(&vector->c[p], &vector->c[q], turn);
}

/* The largest entry off the diagonal that is not negligible beside its two diagonal entries; that threshold is what
 * keeps small values of a definite matrix (Demmel and Veselic 1992). False when there is none. */
static bool cdi_jacobi_pivot(double a[3][3], int *p, int *q) {
    const double least = cdi_exp2i(-108);
    double largest = 0.0;
    for (int i = 0; i < 2; ++i) {
        for (int j = i + 1; j < 3; ++j) {
            double size = cdi_abs(a[i][j]);
            if (size > largest && size * size > least * cdi_abs(a[i][i] * a[j][j])) {
                largest = size;
                *p = i;
                *q = j;
            }
        }
    }
    return largest > 0.0;
}

CD_API bool cd_eigen_jacobi(const cd_mat3 *m, cd_eigen *out) {
    cdi_symmetric s;
    cdi_m3 vector;
    double value[3];
    int p = 0, q = 1;
    if (!cdi_symmetric_of(m, &s)) return false;
    for (int i = 0; i < 3; ++i) vector.c[i] = cdi_v3_make(i == 0, i == 1, i == 2);
    for (int turns = 0; turns < 48 && cdi_jacobi_pivot(s.a, &p, &q); ++turns)
        cdi_jacobi_turn(s.a, &vector, p, q);
    for (int i = 0; i < 3; ++i) value[i] = s.a[i][i];
    cdi_eigen_store(value, &vector, s.shift, out);
    return true;
}

/* ---- the cubic ---- */

static cdi_v3 cdi_mul_symmetric(double a[3][3], cdi_v3 v) {
    return cdi_v3_make(a[0][0] * v.x + a[0][1] * v.y + a[0][2] * v.z,
                       a[1][0] * v.x + a[1][1] * v.y + a[1][2] * v.z,
                       a[2][0] * v.x + a[2][1] * v.y + a[2][2] * v.z);
}

/* The largest root of x^3 - 3 x - 2 r for r in [0, 1]: between sqrt(3) and 2, where the slope is at least 6. Newton's
 * steps from 2 go down until rounding stops them. */
static double cdi_lone_root(double r) {
    double x = 2.0;
    for (int i = 0; i < 8; ++i) {
        double next = x - (x * (x * x - 3.0) - 2.0 * r) / (3.0 * (x * x - 1.0));
        if (!(next < x)) break;
        x = next;
    }
    return x;
}

/* The eigenvalue farthest from the other two of a matrix without trace: with 6 p^2 the sum of the squares of its
 * entries, p x solves the characteristic cubic when x^3 - 3 x = det / p^3. */
static double cdi_lone_value(double b[3][3]) {
    double diagonal = b[0][0] * b[0][0] + b[1][1] * b[1][1] + b[2][2] * b[2][2];
    double rest = b[0][1] * b[0][1] + b[1][2] * b[1][2] + b[0][2] * b[0][2];
    double p = cdi_sqrt((diagonal + 2.0 * rest) / 6.0);
    double det = b[0][0] * (b[1][1] * b[2][2] - b[1][2] * b[1][2]) -
                 b[0][1] * (b[0][1] * b[2][2] - b[1][2] * b[0][2]) +
                 b[0][2] * (b[0][1] * b[1][2] - b[1][1] * b[0][2]);
    double r = det / (2.0 * p * p * p);
    return r < 0.0 ? -p * cdi_lone_root(cdi_min(-r, 1.0)) : p * cdi_lone_root(cdi_min(r, 1.0));
}

/* The kernel of b - value, a matrix of rank 2: the cross product of two rows; the longest of the three. */
static cdi_v3 cdi_kernel(double b[3][3], double value) {
    cdi_v3 row[3], best;
    row[0] = cdi_v3_make(b[0][0] - value, b[0][1], b[0][2]);
    row[1] = cdi_v3_make(b[1][0], b[1][1] - value, b[1][2]);
    row[2] = cdi_v3_make(b[2][0], b[2][1], b[2][2] - value);
    best = cdi_v3_cross(row[0], row[1]);
    for (int i = 1; i < 3; ++i) {
        cdi_v3 other = cdi_v3_cross(row[i], row[(i + 1) % 3]);
        if (cdi_v3_sqlength(other) > cdi_v3_sqlength(best)) best = other;
    }
    return cdi_v3_normalize(best);
}

/* The vectors of b, which has no trace and a largest entry near 1. The lone value is at least sqrt(3) p away from the
 * others, so its vector is well determined; the other two values may be as near as they like: they are taken from the
 * 2x2 matrix that b is on the plane across, not from the cubic, where a double root would cost half the digits. */
static cdi_m3 cdi_cubic_vectors(double b[3][3]) {
    cdi_m3 vector;
    cdi_v3 bu, bw;
    double uw;
    vector.c[0] = cdi_kernel(b, cdi_lone_value(b));
    vector.c[1] = cdi_across(vector.c[0]);
    vector.c[2] = cdi_v3_cross(vector.c[0], vector.c[1]);
    bu = cdi_mul_symmetric(b, vector.c[1]);
    bw = cdi_mul_symmetric(b, vector.c[2]);
    uw = cdi_v3_dot(vector.c[1], bw);
    if (uw != 0.0) {
        cdi_turn turn = cdi_turn_of(cdi_v3_dot(vector.c[1], bu), uw, cdi_v3_dot(vector.c[2], bw));
        cdi_turn_vectors(&vector.c[1], &vector.c[2], turn);
    }
    return vector;
}

/* Takes the trace out of `b` and brings it near 1; again, because the first time leaves a trace of rounding errors that
 * may be all there is to a multiple of the identity. False when nothing is left. */
static bool cdi_take_trace(double b[3][3]) {
    for (int round = 0; round < 3; ++round) {
        double mean = (b[0][0] + b[1][1] + b[2][2]) / 3.0, largest;
        for (int i = 0; i < 3; ++i) b[i][i] -= mean;
        largest = cdi_max_entry(b);
        if (largest == 0.0) return false;
        cdi_scale_symmetric(b, -cdi_exponent(largest));
    }
    return true;
}

/* The values are those of the vectors in the matrix itself (Rayleigh's quotients): exact for a diagonal one. */
CD_API bool cd_eigen_cubic(const cd_mat3 *m, cd_eigen *out) {
    cdi_symmetric s;
    cdi_m3 vector;
    double b[3][3], value[3];
    if (!cdi_symmetric_of(m, &s)) return false;
    for (int i = 0; i < 3; ++i) vector.c[i] = cdi_v3_make(i == 0, i == 1, i == 2);
    cdi_copy(b, s.a, sizeof b);
    if (cdi_take_trace(b)) vector = cdi_cubic_vectors(b);
    for (int i = 0; i < 3; ++i) value[i] = cdi_v3_dot(vector.c[i], cdi_mul_symmetric(s.a, vector.c[i]));
    cdi_eigen_store(value, &vector, s.shift, out);
    return true;
}

/* ---- core/trig.c --------------------------------------------------------------------------------------------- */

/* ---- reduction: x = quadrant * pi/2 + hi + lo, |hi + lo| a little above pi/4 at most ---- */

typedef struct cdi_reduced {
    double hi, lo;
    unsigned quadrant;
} cdi_reduced;

/* 0 <= x <= 2^20 (Cody and Waite 1980). The first three parts of pi/2 have 33 bits, so that their products with up to
 * 20 bits are exact, and the first difference is exact, too. The nearest that such a double comes to a multiple is about
 * 2^-58; what is left of pi/2 after the four parts, times 2^20, is below 2^-139. */
static cdi_reduced cdi_reduce(double x) {
    const double half_pi[4] = {1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21,
                               8.4784276603689e-32};
    const double shift = 6755399441055744.0; /* 1.5 * 2^52: rounds to a whole number */
    double n = (x * 0.6366197723675814 + shift) - shift;
    double a = x - n * half_pi[0], b, c, b_rest, c_rest;
    cdi_reduced r;
    cdi_two_diff(a, n * half_pi[1], &b, &b_rest);
    cdi_two_diff(b, n * half_pi[2], &c, &c_rest);
    cdi_two_sum(c, (b_rest + c_rest) - n * half_pi[3], &r.hi, &r.lo);
    r.quadrant = (unsigned)n & 3u;
    return r;
}

/* The 32 bits of `words`, lowest word first, from bit `at` on. */
static uint32_t cdi_bits_at(const uint32_t *words, int at) {
    int i = at / 32, shift = at % 32;
    return (uint32_t)(((uint64_t)words[i + 1] << 32 | words[i]) >> shift);
}

/* The mantissa of x times 224 bits of 2/pi, from where the product is below 4 * 2^32 quarters on. Returns how many
 * bits of the product are below the point. */
static int cdi_times_two_over_pi(double x, uint32_t product[10]) {
    static const uint32_t two_over_pi[38] = {
        0xA2F9836Eu, 0x4E441529u, 0xFC2757D1u, 0xF534DDC0u, 0xDB629599u, 0x3C439041u, 0xFE5163ABu,
        0xDEBBC561u, 0xB7246E3Au, 0x424DD2E0u, 0x06492EEAu, 0x09D1921Cu, 0xFE1DEB1Cu, 0xB129A73Eu,
        0xE88235F5u, 0x2EBB4484u, 0xE99C7026u, 0xB45F7E41u, 0x3991D639u, 0x835339F4u, 0x9C845F8Bu,
        0xBDF9283Bu, 0x1FF897FFu, 0xDE05980Fu, 0xEF2F118Bu, 0x5A0A6D1Fu, 0x6D367ECFu, 0x27CB09B7u,
        0x4F463F66u, 0x9E5FEA2Du, 0x7527BAC7u, 0xEBE5F17Bu, 0x3D0739F7u, 0x8A5292EAu, 0x6BFB5FB1u,
        0x1F8D5D08u, 0x56033046u, 0xFC7B6BABu};
    uint64_t mantissa = (cdi_bits(x) & 0xFFFFFFFFFFFFFu) | 0x10000000000000u, factor[2];
    int e = cdi_exponent(x) - 52, first = e > 2 ? (e - 2) / 32 : 0;
    factor[0] = mantissa & 0xFFFFFFFFu;
    factor[1] = mantissa >> 32;
    for (int i = 0; i < 10; ++i) product[i] = 0;
    for (int f = 0; f < 2; ++f) {
        uint64_t carry = 0;
        for (int i = 0; i < 7; ++i) {
            carry += factor[f] * two_over_pi[first + 6 - i] + product[i + f];
            product[i + f] = (uint32_t)carry;
            carry >>= 32;
        }
        product[7 + f] = (uint32_t)carry;
    }
    return 32 * (first + 7) - e;
}

/* x >= 2^20 (Payne and Hanek 1983): whole turns are left out of the product with 2/pi, in integers. No double comes nearer
 * to a multiple of pi/2 than 2^-62; what is cut off is below 2^-137. */
static cdi_reduced cdi_reduce_large(double x) {
    const double half_pi[2] = {1.5707963267948966, 6.123233995736766e-17};
    uint32_t product[10];
    int point = cdi_times_two_over_pi(x, product);
    bool up = cdi_bits_at(product, point - 1) & 1u; /* the nearest multiple is the next one */
    double hi = 0.0, lo = 0.0, rest;
    cdi_reduced r;
    for (int i = 5; i >= 1; --i) { /* the fraction, less 1 when it is a half or more */
        uint32_t word = cdi_bits_at(product, point - 32 * i);
        double term = cdi_scale2((double)(up ? ~word : word), -32 * i);
        cdi_two_sum(term, hi, &hi, &rest);
        lo += rest;
    }
    r.quadrant = (cdi_bits_at(product, point) + (up ? 1u : 0u)) & 3u;
    if (up) {
        hi = -hi;
        lo = -lo;
    }
    cdi_two_product(hi, half_pi[0], &r.hi, &rest);
    rest += hi * half_pi[1] + lo * half_pi[0];
    cdi_fast_two_sum(r.hi, rest, &r.hi, &r.lo);
    return r;
}

/* ---- sine and cosine of hi + lo ----
 *
 * The polynomials interpolate (sin y / y - 1) / y^2 and (cos y - 1 + y^2 / 2) / y^4, as functions of z = y^2, in the
 * Chebyshev nodes of 0...(pi/4)^2; with their rounded coefficients the error is 2^-57 of the sine and 2^-59 of the
 * cosine. */

static double cdi_sin_reduced(double y, double lo) {
    double z = y * y;
    double p = 1.605853141458901e-10 + z * -7.586685070091267e-13;
    p = 2.7557319219335453e-06 + z * (-2.5052106231157904e-08 + z * p);
    p = -0.16666666666666666 + z * (0.008333333333333331 + z * (-0.0001984126984126506 + z * p));
    return y + (y * (z * p) + lo * (1.0 - 0.5 * z));
}

static double cdi_cos_reduced(double y, double lo) {
    double z = y * y, half = 0.5 * z, head = 1.0 - half;
    double p = 2.0876146024689747e-09 + z * -1.1382614868556325e-11;
    p = 2.4801587298763433e-05 + z * (-2.7557317270560326e-07 + z * p);
    p = 0.041666666666666664 + z * (-0.0013888888888887395 + z * p);
    return head + (((1.0 - head) - half) + (z * z * p - y * lo));
}

CDI_FN void cdi_sincos(double x, double *sine, double *cosine) {
    double size = cdi_abs(x), s, c, swap;
    cdi_reduced r;
    if (!cdi_finite(x)) {
        *sine = *cosine = cdi_nan();
        return;
    }
    r = size <= 1048576.0 ? cdi_reduce(size) : cdi_reduce_large(size);
    s = cdi_sin_reduced(r.hi, r.lo);
    c = cdi_cos_reduced(r.hi, r.lo);
    if (r.quadrant & 1u) { /* a quarter turn on: the sine becomes the cosine, the cosine minus the sine */
        swap = s;
        s = c;
        c = -swap;
    }
    if (r.quadrant & 2u) {
        s = -s;
        c = -c;
    }
    *sine = cdi_bits(x) >> 63 ? -s : s;
    *cosine = c;
}

/* From the first terms of the series of the arc sine, good to 1/50; the sine of what is missing is a cross product, and
 * two more terms of the series make each step leave the fifth power of the error. */
CDI_FN double cdi_angle_of(double sine, double cosine) {
    double z = sine * sine, angle = sine * (1.0 + z * (1.0 / 6.0 + z * 0.1));
    for (int i = 0; i < 2; ++i) {
        double s, c, d;
        cdi_sincos(angle, &s, &c);
        d = sine * c - cosine * s;
        angle += d * (1.0 + d * d / 6.0);
    }
    return angle;
}

/* ---- the public functions ---- */

CD_API cd_real cd_sin(cd_real radians) {
    double s, c;
    cdi_sincos((double)radians, &s, &c);
    return (cd_real)s;
}

CD_API cd_real cd_cos(cd_real radians) {
    double s, c;
    cdi_sincos((double)radians, &s, &c);
    return (cd_real)c;
}

CD_API void cd_sincos(cd_real radians, cd_real *sine, cd_real *cosine) {
    double s, c;
    cdi_sincos((double)radians, &s, &c);
    if (sine) *sine = (cd_real)s;
    if (cosine) *cosine = (cd_real)c;
}

/* ---- core/transform.c ---------------------------------------------------------------------------------------- */

/* A quaternion of doubles: vector part and w. */
typedef struct cdi_q {
    cdi_v3 v;
    double w;
} cdi_q;

/* The zero quaternion is no rotation. */
static cdi_q cdi_q_of(cd_quat q) {
    cdi_q r;
    r.v = cdi_v3_make((double)q.x, (double)q.y, (double)q.z);
    r.w = (double)q.w;
    if (r.w == 0.0 && cdi_v3_is_zero(r.v)) r.w = 1.0;
    return r;
}

static cd_quat cdi_q_round(cdi_q q) {
    cd_quat r;
    r.x = (cd_real)q.v.x;
    r.y = (cd_real)q.v.y;
    r.z = (cd_real)q.v.z;
    r.w = (cd_real)q.w;
    return r;
}

/* Brought near length 1 by a power of two where a square might leave the range. */
static cdi_q cdi_q_tame(cdi_q q) {
    double m = cdi_max(cdi_v3_max_abs(q.v), cdi_abs(q.w));
    int shift = -cdi_exponent(m);
    if (shift > -200 && shift < 200) return q;
    q.v = cdi_v3_make(cdi_scale2(q.v.x, shift), cdi_scale2(q.v.y, shift), cdi_scale2(q.v.z, shift));
    q.w = cdi_scale2(q.w, shift);
    return q;
}

static double cdi_q_sqlength(const cdi_q *q) {
    return cdi_v3_sqlength(q->v) + q->w * q->w;
}

/* No rotation for zero, NaN or infinity. */
static cdi_q cdi_q_unit(cdi_q q) {
    double length;
    bool is_zero = q.w == 0.0 && cdi_v3_is_zero(q.v);
    if (is_zero || !cdi_v3_finite(q.v) || !cdi_finite(q.w)) return cdi_q_of(cd_quat_identity());
    q = cdi_q_tame(q);
    length = cdi_sqrt(cdi_q_sqlength(&q));
    q.v = cdi_v3_make(q.v.x / length, q.v.y / length, q.v.z / length);
    q.w /= length;
    return q;
}

/* Every entry is a quotient of sums of squares and products, so that it is rounded alone: orthonormal to 4 units in the
 * last place of a double, and exact for quarter turns about the axes and for third turns about the diagonals. */
CDI_FN cdi_m3 cdi_m3_of_quat(cd_quat rotation) {
    cdi_q q = cdi_q_tame(cdi_q_of(rotation));
    double xx = q.v.x * q.v.x, yy = q.v.y * q.v.y, zz = q.v.z * q.v.z, ww = q.w * q.w;
    double n = (xx + yy) + (zz + ww), half = 0.5 * n;
    double xy = q.v.x * q.v.y, yz = q.v.y * q.v.z, zx = q.v.z * q.v.x;
    double wx = q.w * q.v.x, wy = q.w * q.v.y, wz = q.w * q.v.z;
    cdi_m3 m;
    m.c[0] = cdi_v3_make(((ww + xx) - (yy + zz)) / n, (xy + wz) / half, (zx - wy) / half);
    m.c[1] = cdi_v3_make((xy - wz) / half, ((ww + yy) - (xx + zz)) / n, (yz + wx) / half);
    m.c[2] = cdi_v3_make((zx + wy) / half, (yz - wx) / half, ((ww + zz) - (xx + yy)) / n);
    return m;
}

CDI_FN cdi_pose cdi_pose_of(const cd_transform *t) {
    cdi_pose pose;
    pose.rotation = cdi_m3_of_quat(t->rotation);
    pose.position = cdi_v3_of(t->position);
    return pose;
}

/* ---- quaternions ---- */

CD_API cd_quat cd_quat_identity(void) {
    cd_quat q;
    q.x = q.y = q.z = 0;
    q.w = 1;
    return q;
}

static cd_quat cdi_quat_about(cd_vec3 axis, double sin_half, double cos_half) {
    cdi_v3 unit = cdi_v3_normalize(cdi_v3_of(axis));
    cdi_q q;
    if (cdi_v3_is_zero(unit)) return cd_quat_identity();
    q.v = cdi_v3_scale(unit, sin_half);
    q.w = cos_half;
    return cdi_q_round(cdi_q_unit(q));
}

CD_API cd_quat cd_quat_from_axis(cd_vec3 axis, cd_real sin_half, cd_real cos_half) {
    return cdi_quat_about(axis, (double)sin_half, (double)cos_half);
}

CD_API cd_quat cd_quat_from_axis_angle(cd_vec3 axis, cd_real radians) {
    double s, c;
    cdi_sincos(0.5 * (double)radians, &s, &c);
    return cdi_quat_about(axis, s, c);
}

CD_API cd_mat3 cd_mat3_from_axis_angle(cd_vec3 axis, cd_real radians) {
    return cd_quat_to_mat3(cd_quat_from_axis_angle(axis, radians));
}

/* The unit vector half-way between two unit vectors. For nearly opposite ones their sum is short and mostly rounding:
 * what of it lies along their difference is taken out, and where nothing is left any vector across will do. */
static cdi_v3 cdi_half_way(cdi_v3 a, cdi_v3 b) {
    cdi_v3 half = cdi_v3_add(a, b), d;
    if (cdi_v3_dot(a, b) >= 0.0) return cdi_v3_normalize(half);
    d = cdi_v3_normalize(cdi_v3_sub(a, b));
    if (cdi_v3_max_abs(half) < 4e-16) {
        half = cdi_abs(d.x) < 0.5 ? cdi_v3_make(0.0, -d.z, d.y) : cdi_v3_make(d.y, -d.x, 0.0);
    }
    for (int i = 0; i < 2; ++i) half = cdi_v3_normalize(cdi_v3_along(half, d, -cdi_v3_dot(half, d)));
    return half;
}

/* q = (a x h, a . h) turns by twice the angle from a to h. */
CD_API cd_quat cd_quat_from_to(cd_vec3 from, cd_vec3 to) {
    cdi_v3 a = cdi_v3_normalize(cdi_v3_of(from)), b = cdi_v3_normalize(cdi_v3_of(to)), half;
    cdi_q q;
    if (cdi_v3_is_zero(a) || cdi_v3_is_zero(b)) return cd_quat_identity();
    half = cdi_half_way(a, b);
    q.v = cdi_v3_cross(a, half);
    q.w = cdi_v3_dot(a, half);
    return cdi_q_round(cdi_q_unit(q));
}

/* Shepperd's method: divides by the largest of the four components. */
CD_API cd_quat cd_quat_from_mat3(const cd_mat3 *rotation) {
    cdi_m3 m = cdi_m3_of(rotation);
    double x = m.c[0].x, y = m.c[1].y, z = m.c[2].z;
    cdi_v3 skew = cdi_v3_make(m.c[1].z - m.c[2].y, m.c[2].x - m.c[0].z, m.c[0].y - m.c[1].x);
    double xy = m.c[1].x + m.c[0].y, yz = m.c[2].y + m.c[1].z, zx = m.c[0].z + m.c[2].x;
    cdi_q q;
    if (x + y + z >= cdi_max(x, cdi_max(y, z))) { /* w is largest; each case gives 4 w q or 4 x q ... */
        q.v = skew;
        q.w = 1.0 + x + y + z;
    } else if (x >= y && x >= z) {
        q.v = cdi_v3_make(1.0 + x - y - z, xy, zx);
        q.w = skew.x;
    } else if (y >= z) {
        q.v = cdi_v3_make(xy, 1.0 + y - x - z, yz);
        q.w = skew.y;
    } else {
        q.v = cdi_v3_make(zx, yz, 1.0 + z - x - y);
        q.w = skew.z;
    }
    return cdi_q_round(cdi_q_unit(q));
}

CD_API cd_mat3 cd_quat_to_mat3(cd_quat q) {
    cdi_m3 m = cdi_m3_of_quat(q);
    return cdi_m3_round(&m);
}

static cdi_q cdi_q_mul(cdi_q a, cdi_q b) {
    cdi_q r;
    r.v = cdi_v3_add(cdi_v3_add(cdi_v3_scale(b.v, a.w), cdi_v3_scale(a.v, b.w)), cdi_v3_cross(a.v, b.v));
    r.w = a.w * b.w - cdi_v3_dot(a.v, b.v);
    return r;
}

CD_API cd_quat cd_quat_mul(cd_quat a, cd_quat b) {
    return cdi_q_round(cdi_q_mul(cdi_q_of(a), cdi_q_of(b)));
}

CD_API cd_quat cd_quat_conjugate(cd_quat q) {
    q.x = -q.x;
    q.y = -q.y;
    q.z = -q.z;
    return q;
}

CD_API cd_quat cd_quat_normalize(cd_quat q) {
    return cdi_q_round(cdi_q_unit(cdi_q_of(q)));
}

/* p a + q b */
static cdi_q cdi_q_mix(cdi_q a, double p, cdi_q b, double q) {
    cdi_q r;
    r.v = cdi_v3_along(cdi_v3_scale(a.v, p), b.v, q);
    r.w = p * a.w + q * b.w;
    return r;
}

/* Both made unit, b on the side of a: q and -q are one rotation. */
static void cdi_q_pair(cd_quat a, cd_quat b, cdi_q *p, cdi_q *q) {
    *p = cdi_q_unit(cdi_q_of(a));
    *q = cdi_q_unit(cdi_q_of(b));
    if (cdi_v3_dot(p->v, q->v) + p->w * q->w < 0.0) {
        q->v = cdi_v3_neg(q->v);
        q->w = 0.0 - q->w;
    }
}

CD_API cd_quat cd_quat_nlerp(cd_quat a, cd_quat b, cd_real t) {
    cdi_q p, q, chord;
    cdi_q_pair(a, b, &p, &q);
    chord = cdi_q_mix(q, 1.0, p, -1.0);
    return cdi_q_round(cdi_q_unit(cdi_q_mix(p, 1.0, chord, (double)t)));
}

/* The angle from the chord between the two and the sum, which are accurate where the angle's cosine is not. Below
 * 2^-30 the chord is as good as the arc. */
CD_API cd_quat cd_quat_slerp(cd_quat a, cd_quat b, cd_real t) {
    cdi_q p, q, chord, sum;
    double half, from_b, from_a, unused;
    cdi_q_pair(a, b, &p, &q);
    chord = cdi_q_mix(q, 1.0, p, -1.0);
    sum = cdi_q_mix(q, 1.0, p, 1.0);
    half = cdi_angle_of(0.5 * cdi_sqrt(cdi_q_sqlength(&chord)), 0.5 * cdi_sqrt(cdi_q_sqlength(&sum)));
    if (half < 1.0 / 1073741824.0) return cd_quat_nlerp(a, b, t);
    cdi_sincos(2.0 * half * (double)t, &from_b, &unused);
    cdi_sincos(2.0 * half * (1.0 - (double)t), &from_a, &unused);
    return cdi_q_round(cdi_q_unit(cdi_q_mix(p, from_a, q, from_b)));
}

CD_API cd_vec3 cd_quat_rotate(cd_quat q, cd_vec3 v) {
    cdi_m3 m = cdi_m3_of_quat(q);
    return cdi_v3_round(cdi_m3_mul_v3(&m, cdi_v3_of(v)));
}

/* ---- transforms ---- */

CD_API cd_transform cd_transform_identity(void) {
    cd_transform t;
    t.rotation = cd_quat_identity();
    t.position = cd_vec3_make(0, 0, 0);
    return t;
}

CD_API bool cd_quat_is_valid(cd_quat q) {
    return cdi_finite3((double)q.x, (double)q.y, (double)q.z) && cdi_finite((double)q.w);
}

CD_API bool cd_transform_is_valid(const cd_transform *t) {
    return cd_vec3_is_valid(t->position) && cd_quat_is_valid(t->rotation);
}

CD_API bool cd_world_pose_is_valid(const cd_world_pose *p) {
    return cdi_finite3(p->position[0], p->position[1], p->position[2]) && cd_quat_is_valid(p->rotation);
}

CD_API cd_vec3 cd_transform_point(const cd_transform *t, cd_vec3 p) {
    cdi_pose pose = cdi_pose_of(t);
    return cdi_pose_point_round(&pose, p);
}

CD_API cd_vec3 cd_transform_vector(const cd_transform *t, cd_vec3 v) {
    return cd_quat_rotate(t->rotation, v);
}

CD_API cd_vec3 cd_transform_inverse_point(const cd_transform *t, cd_vec3 p) {
    cdi_pose pose = cdi_pose_of(t);
    return cdi_v3_round(cdi_m3_tmul_v3(&pose.rotation, cdi_v3_sub(cdi_v3_of(p), pose.position)));
}

CD_API cd_vec3 cd_transform_inverse_vector(const cd_transform *t, cd_vec3 v) {
    cdi_m3 m = cdi_m3_of_quat(t->rotation);
    return cdi_v3_round(cdi_m3_tmul_v3(&m, cdi_v3_of(v)));
}

CD_API void cd_transform_points(const cd_transform *t, const cd_vec3 *points, size_t count, cd_vec3 *out) {
    cdi_pose pose = cdi_pose_of(t);
    for (size_t i = 0; i < count; ++i) out[i] = cdi_pose_point_round(&pose, points[i]);
}

/* The product of two rotations, brought to unit length: lengths would multiply without end. */
static cd_quat cdi_rotation_mul(cd_quat a, cd_quat b) {
    return cdi_q_round(cdi_q_unit(cdi_q_mul(cdi_q_tame(cdi_q_of(a)), cdi_q_tame(cdi_q_of(b)))));
}

CD_API cd_transform cd_transform_mul(const cd_transform *a, const cd_transform *b) {
    cd_transform r;
    r.rotation = cdi_rotation_mul(a->rotation, b->rotation);
    r.position = cd_transform_point(a, b->position);
    return r;
}

CD_API cd_transform cd_transform_inverse(const cd_transform *t) {
    cd_transform r;
    r.rotation = cd_quat_conjugate(t->rotation);
    r.position = cd_transform_inverse_vector(t, cd_vec3_neg(t->position));
    return r;
}

/* inverse(a) b, with the difference of positions given. */
static cd_transform cdi_relative(cd_quat a, cd_quat b, cdi_v3 from_a_to_b) {
    cdi_m3 m = cdi_m3_of_quat(a);
    cd_transform r;
    r.rotation = cdi_rotation_mul(cd_quat_conjugate(a), b);
    r.position = cdi_v3_round(cdi_m3_tmul_v3(&m, from_a_to_b));
    return r;
}

CD_API cd_transform cd_transform_relative(const cd_transform *a, const cd_transform *b) {
    cdi_v3 d = cdi_v3_sub(cdi_v3_of(b->position), cdi_v3_of(a->position));
    return cdi_relative(a->rotation, b->rotation, d);
}

CD_API cd_transform cd_relative(const cd_world_pose *a, const cd_world_pose *b) {
    cdi_v3 d = cdi_v3_make(b->position[0] - a->position[0], b->position[1] - a->position[1],
                           b->position[2] - a->position[2]);
    return cdi_relative(a->rotation, b->rotation, d);
}

/* ---- core/predicate.c ---------------------------------------------------------------------------------------- */

/* Bounds of the rounding error relative to the sum of the terms' magnitudes, as the determinants are written below
 * (Shewchuk 1997, table 1 and section 4: (3 + 16 u) u and so on, u = 2^-53), rounded up by a few u^2. A product that
 * underflows may be off by 1e-323 as well: CDI_LEAST stands for it in the last sum, CDI_MORE in those before. Products of
 * four floats cannot underflow. */
#define CDI_LEAST 1e-280
#ifdef COLLIDE_DOUBLE
#define CDI_MORE(x) ((x) + 1e-300)
#else
#define CDI_MORE(x) (x)
#endif
#define CDI_ORIENT2D_BOUND 3.330669073875474e-16
#define CDI_ORIENT3D_BOUND 7.771561172376115e-16
#define CDI_QUADRIC_BOUND  8.9e-16 /* (8 + 16 u) u: differences, squares, three sums */
#define CDI_INCIRCLE_BOUND 1.1102230246251610e-15
#define CDI_INSPHERE_BOUND 1.7763568394002560e-15

/* Are the differences multiples of one power of two, of at most `bits` bits, and exact? Then the determinant was evaluated
 * without rounding, as most are whose points have few digits: those of grids, and of much that people draw. */
static bool cdi_has_few_bits(const cdi_diff *d, int count, int bits) {
    double most = 0.0, unit;
    for (int i = 0; i < count; ++i) most = cdi_max(most, cdi_abs(d[i].a - d[i].b));
    if (!(most > 1e-60 && most < 1e60)) return false;
    unit = 1.5 * cdi_exp2i(cdi_exponent(most) + 53 - bits); /* a sum with it is rounded to the power of two */
    for (int i = 0; i < count; ++i) {
        double x = d[i].a - d[i].b, y = d[i].a - x;
        if (y != d[i].b || x + y != d[i].a || (x + unit) - unit != x) return false;
    }
    return true;
}

static CDI_COLD double cdi_orient_edges_exact(cdi_v2 a, cdi_v2 b, cdi_v2 p, cdi_v2 q) {
    cdi_diff m[2][2];
    m[0][0] = cdi_diff_of(b.x, a.x);
    m[0][1] = cdi_diff_of(b.y, a.y);
    m[1][0] = cdi_diff_of(q.x, p.x);
    m[1][1] = cdi_diff_of(q.y, p.y);
    return cdi_det2_exact(m);
}

CDI_INLINE double cdi_orient_edges_inline(cdi_v2 a, cdi_v2 b, cdi_v2 p, cdi_v2 q) {
    double left = (b.x - a.x) * (q.y - p.y), right = (b.y - a.y) * (q.x - p.x);
    double det = left - right, error = CDI_ORIENT2D_BOUND * (cdi_abs(left) + cdi_abs(right)) + CDI_LEAST;
    if (cdi_abs(det) > error) return det;
    return cdi_orient_edges_exact(a, b, p, q);
}

CDI_FN double cdi_orient_edges(cdi_v2 a, cdi_v2 b, cdi_v2 p, cdi_v2 q) {
    return cdi_orient_edges_inline(a, b, p, q);
}

CDI_FN double cdi_orient2d(cdi_v2 a, cdi_v2 b, cdi_v2 c) {
    return cdi_orient_edges_inline(c, a, c, b);
}

static void cdi_diff_row(cdi_diff row[3], cdi_v3 p, cdi_v3 o) {
    row[0] = cdi_diff_of(p.x, o.x);
    row[1] = cdi_diff_of(p.y, o.y);
    row[2] = cdi_diff_of(p.z, o.z);
}

/* det of three rows in double, and the sum of the magnitudes of its terms. */
CDI_INLINE double cdi_det3(cdi_v3 a, cdi_v3 b, cdi_v3 c, double *permanent) {
    double bycz = b.y * c.z, bzcy = b.z * c.y, bzcx = b.z * c.x;
    double bxcz = b.x * c.z, bxcy = b.x * c.y, bycx = b.y * c.x;
    *permanent = CDI_MORE(cdi_abs(bycz) + cdi_abs(bzcy)) * cdi_abs(a.x) +
                 CDI_MORE(cdi_abs(bzcx) + cdi_abs(bxcz)) * cdi_abs(a.y) +
                 CDI_MORE(cdi_abs(bxcy) + cdi_abs(bycx)) * cdi_abs(a.z);
    return a.x * (bycz - bzcy) + a.y * (bzcx - bxcz) + a.z * (bxcy - bycx);
}

static CDI_COLD double cdi_orient3d_exact(cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 d, double det) {
    cdi_diff m[3][3];
    cdi_diff_row(m[0], a, d);
    cdi_diff_row(m[1], b, d);
    cdi_diff_row(m[2], c, d);
    if (cdi_has_few_bits(m[0], 9, 16)) return det;
    return cdi_det3_exact(m);
}

/* Inlined where it is called: to hand on structs of three doubles costs more than the determinant. */
CDI_INLINE double cdi_orient3d_inline(cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 d) {
    double permanent, det = cdi_det3(cdi_v3_sub(a, d), cdi_v3_sub(b, d), cdi_v3_sub(c, d), &permanent);
    if (cdi_abs(det) > CDI_ORIENT3D_BOUND * permanent + CDI_LEAST) return det;
    return cdi_orient3d_exact(a, b, c, d, det);
}

CDI_FN double cdi_orient3d(cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 d) {
    return cdi_orient3d_inline(a, b, c, d);
}

CDI_FN double cdi_orient3d_accurate(cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 d) {
    double permanent, det = cdi_det3(cdi_v3_sub(a, d), cdi_v3_sub(b, d), cdi_v3_sub(c, d), &permanent);
#ifndef COLLIDE_DOUBLE
    if (cdi_abs(det) > 1e-6 * permanent + CDI_LEAST) return det; /* nine digits are right */
#endif
    return cdi_orient3d_exact(a, b, c, d, det);
}

CDI_FN CDI_COLD double cdi_orient_line_exact(cdi_v3 o, cdi_v3 d, cdi_v3 p, cdi_v3 q) {
    cdi_diff m[3][3];
    cdi_diff_row(m[0], d, cdi_v3_make(0.0, 0.0, 0.0));
    cdi_diff_row(m[1], p, o);
    cdi_diff_row(m[2], q, o);
    return cdi_det3_exact(m);
}

CDI_FN double cdi_orient_line(cdi_v3 o, cdi_v3 d, cdi_v3 p, cdi_v3 q) {
    double permanent, error;
    double det = cdi_det3(d, cdi_v3_sub(p, o), cdi_v3_sub(q, o), &permanent);
    error =
        CDI_ORIENT3D_BOUND * permanent + CDI_LEAST; /* one difference less than orient3d: its bound holds */
    if (cdi_abs(det) > error) return det;
    return cdi_orient_line_exact(o, d, p, q);
}

static CDI_COLD double cdi_orient_edges3d_exact(const cdi_edge3d *a, const cdi_edge3d *b, const cdi_edge3d *c,
                                                double det) {
    cdi_diff m[3][3];
    cdi_diff_row(m[0], a->to, a->from);
    cdi_diff_row(m[1], b->to, b->from);
    cdi_diff_row(m[2], c->to, c->from);
    if (cdi_has_few_bits(m[0], 9, 16)) return det;
    return cdi_det3_exact(m);
}

CDI_FN double cdi_orient_edges3d(const cdi_edge3d *a, const cdi_edge3d *b, const cdi_edge3d *c) {
    double permanent, det = cdi_det3(cdi_v3_sub(a->to, a->from), cdi_v3_sub(b->to, b->from),
                                     cdi_v3_sub(c->to, c->from), &permanent);
    if (cdi_abs(det) > CDI_ORIENT3D_BOUND * permanent + CDI_LEAST) return det;
    return cdi_orient_edges3d_exact(a, b, c, det);
}

/* ---- incircle and insphere ---- */

/* x^2 + y^2 (+ z^2) without rounding. */
static cdi_exact cdi_exact_lift(cdi_arena *arena, const cdi_exact *p, int dimension) {
    int mark = arena->used;
    cdi_exact sum = cdi_exact_mul(arena, p[0], p[0]);
    for (int i = 1; i < dimension; ++i) {
        sum = cdi_exact_keep(arena, mark, cdi_exact_add(arena, sum, cdi_exact_mul(arena, p[i], p[i])));
    }
    return sum;
}

static CDI_COLD double cdi_incircle2d_exact(const cdi_v2 p[3], cdi_v2 o, double det) {
    uint32_t limbs[28 * CDI_EXACT_LIMBS];
    cdi_arena arena = cdi_arena_on(limbs, 28 * CDI_EXACT_LIMBS);
    cdi_diff d[3][2];
    cdi_exact m[3][3];
    for (int i = 0; i < 3; ++i) {
        if (!cdi_finite(p[i].x) || !cdi_finite3(p[i].y, o.x, o.y)) return 0.0;
        d[i][0] = cdi_diff_of(p[i].x, o.x);
        d[i][1] = cdi_diff_of(p[i].y, o.y);
    }
    if (cdi_has_few_bits(d[0], 6, 12)) return det;
    for (int i = 0; i < 3; ++i) {
        m[i][1] = cdi_exact_diff(&arena, p[i].x, o.x);
        m[i][2] = cdi_exact_diff(&arena, p[i].y, o.y);
        m[i][0] = cdi_exact_lift(&arena, &m[i][1], 2);
    }
    return cdi_exact_to_double(cdi_exact_det3(&arena, m));
}

static cdi_v2 cdi_v2_sub(cdi_v2 a, cdi_v2 b) {
    a.x -= b.x;
    a.y -= b.y;
    return a;
}

/* The largest magnitude. */
CDI_INLINE double cdi_max_size(double a, double b, double c) {
    return cdi_max(cdi_max(cdi_abs(a), cdi_abs(b)), cdi_abs(c));
}

/* det [p p^2], each p taken from o. The sum of the terms' magnitudes is bounded by the largest of each column. */
CDI_INLINE double cdi_incircle2d(const cdi_v2 p[3], cdi_v2 o) {
    cdi_v2 a = cdi_v2_sub(p[0], o), b = cdi_v2_sub(p[1], o), c = cdi_v2_sub(p[2], o);
    double aa = a.x * a.x + a.y * a.y, bb = b.x * b.x + b.y * b.y, cc = c.x * c.x + c.y * c.y;
    double bc = b.x * c.y - c.x * b.y, ca = c.x * a.y - a.x * c.y, ab = a.x * b.y - b.x * a.y;
    double det = aa * bc + bb * ca + cc * ab;
    double size = cdi_max_size(a.x, b.x, c.x) * cdi_max_size(a.y, b.y, c.y);
    double error = CDI_MORE(6.0 * CDI_INCIRCLE_BOUND * size) * cdi_max_size(aa, bb, cc) + CDI_LEAST;
    return cdi_abs(det) > error ? det : cdi_incircle2d_exact(p, o, det);
}

/* Expanded by the column of the squares. */
static CDI_COLD double cdi_insphere_exact(const cdi_v3 p[4], cdi_v3 o, double det) {
    uint32_t limbs[36 * CDI_EXACT_LIMBS];
    cdi_arena arena = cdi_arena_on(limbs, 36 * CDI_EXACT_LIMBS);
    cdi_diff row[4][3];
    cdi_exact d[4][3], sum = cdi_exact_of(&arena, 0.0);
    int mark;
    for (int i = 0; i < 4; ++i) {
        if (!cdi_v3_finite(p[i]) || !cdi_v3_finite(o)) return 0.0;
        cdi_diff_row(row[i], p[i], o);
    }
    if (cdi_has_few_bits(row[0], 12, 9)) return det;
    for (int i = 0; i < 12; ++i)
        d[i / 3][i % 3] = cdi_exact_diff(&arena, row[i / 3][i % 3].a, row[i / 3][i % 3].b);
    mark = arena.used;
    for (int i = 0; i < 4; ++i) {
        cdi_exact m[3][3], minor, lift;
        for (int k = 0; k < 9; ++k) m[k / 3][k % 3] = d[k / 3 + (k / 3 >= i)][k % 3];
        minor = cdi_exact_det3(&arena, m);
        lift = cdi_exact_lift(&arena, d[i], 3);
        minor = cdi_exact_mul(&arena, i % 2 ? lift : cdi_exact_neg(lift), minor);
        sum = cdi_exact_keep(&arena, mark, cdi_exact_add(&arena, sum, minor));
    }
    return cdi_exact_to_double(sum);
}

/* p.x q.y - q.x p.y */
CDI_INLINE double cdi_minor_xy(cdi_v3 p, cdi_v3 q) {
    return p.x * q.y - q.x * p.y;
}

/* det [p p^2], each p taken from o. The sum of the terms' magnitudes is bounded by the largest of each column. */
CDI_INLINE double cdi_insphere(const cdi_v3 p[4], cdi_v3 o) {
    cdi_v3 a = cdi_v3_sub(p[0], o), b = cdi_v3_sub(p[1], o), c = cdi_v3_sub(p[2], o), d = cdi_v3_sub(p[3], o);
    double ab = cdi_minor_xy(a, b), ac = cdi_minor_xy(a, c), ad = cdi_minor_xy(a, d);
    double bc = cdi_minor_xy(b, c), bd = cdi_minor_xy(b, d), cd = cdi_minor_xy(c, d);
    double abc = a.z * bc - b.z * ac + c.z * ab, abd = a.z * bd - b.z * ad + d.z * ab;
    double acd = a.z * cd - c.z * ad + d.z * ac, bcd = b.z * cd - c.z * bd + d.z * bc;
    double aa = cdi_v3_sqlength(a), bb = cdi_v3_sqlength(b), cc = cdi_v3_sqlength(c), dd = cdi_v3_sqlength(d);
    double det = (dd * abc - cc * abd) + (bb * acd - aa * bcd);
    double x = cdi_max(cdi_max_size(a.x, b.x, c.x), cdi_abs(d.x)),
           y = cdi_max(cdi_max_size(a.y, b.y, c.y), cdi_abs(d.y));
    double z = cdi_max(cdi_max_size(a.z, b.z, c.z), cdi_abs(d.z)),
           lift = cdi_max(cdi_max_size(aa, bb, cc), dd);
    double size = CDI_MORE(CDI_MORE(24.0 * CDI_INSPHERE_BOUND * x * y) * z);
    return cdi_abs(det) > size * lift + CDI_LEAST ? det : cdi_insphere_exact(p, o, det);
}

/* ---- planes and spheres ---- */

static CDI_COLD int cdi_plane_side_exact(const double n[3], double d, const double p[3]) {
    uint32_t limbs[16 * CDI_EXACT_LIMBS];
    cdi_arena arena = cdi_arena_on(limbs, 16 * CDI_EXACT_LIMBS);
    cdi_exact sum = cdi_exact_of(&arena, -d);
    for (int i = 0; i < 3; ++i) {
        cdi_exact term = cdi_exact_mul(&arena, cdi_exact_of(&arena, n[i]), cdi_exact_of(&arena, p[i]));
        sum = cdi_exact_add(&arena, sum, term);
    }
    return sum.sign;
}

CDI_FN int cdi_plane_side(cdi_v3 n, double d, cdi_v3 p) {
    double x = n.x * p.x, y = n.y * p.y, z = n.z * p.z, height = x + y + z - d;
    double error = CDI_QUADRIC_BOUND * (cdi_abs(x) + cdi_abs(y) + cdi_abs(z) + cdi_abs(d)) + CDI_LEAST;
    double at[3], normal[3];
    if (cdi_abs(height) > error) return height > 0.0 ? 1 : -1;
    if (!cdi_v3_finite(n) || !cdi_v3_finite(p) || !cdi_finite(d)) return 0;
    cdi_v3_store(normal, n);
    cdi_v3_store(at, p);
    return cdi_plane_side_exact(normal, d, at);
}

static CDI_COLD int cdi_compare_squares_exact(const cdi_diff x[3], cdi_diff r) {
    uint32_t limbs[24 * CDI_EXACT_LIMBS];
    cdi_arena arena = cdi_arena_on(limbs, 24 * CDI_EXACT_LIMBS);
    cdi_exact e[3], radius = cdi_exact_diff(&arena, r.a, r.b);
    for (int i = 0; i < 3; ++i) e[i] = cdi_exact_diff(&arena, x[i].a, x[i].b);
    return cdi_exact_sub(&arena, cdi_exact_lift(&arena, e, 3), cdi_exact_mul(&arena, radius, radius)).sign;
}

CDI_FN int cdi_compare_squares(const cdi_diff x[3], cdi_diff r) {
    double sum = 0.0, radius = r.a - r.b, square = radius * radius, error;
    for (int i = 0; i < 3; ++i) sum += (x[i].a - x[i].b) * (x[i].a - x[i].b);
    error = CDI_QUADRIC_BOUND * (sum + square) + CDI_LEAST;
    if (cdi_abs(sum - square) > error) return sum > square ? 1 : -1;
    for (int i = 0; i < 3; ++i) {
        if (!cdi_finite3(x[i].a, x[i].b, r.a) || !cdi_finite(r.b)) return 0;
    }
    return cdi_compare_squares_exact(x, r);
}

/* ---- normals ---- */

CDI_FN cdi_v3 cdi_exact_normal(cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    double n[3];
    for (int i = 0; i < 3; ++i) {
        n[i] = cdi_orient2d(cdi_v3_drop(a, i), cdi_v3_drop(b, i), cdi_v3_drop(c, i));
    }
    return cdi_v3_make(n[0], n[1], n[2]);
}

CDI_FN CDI_COLD cdi_v3 cdi_accurate_normal(cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    double n[3];
    for (int i = 0; i < 3; ++i) {
        cdi_v2 o = cdi_v3_drop(a, i);
        n[i] = cdi_orient_edges_exact(o, cdi_v3_drop(b, i), o, cdi_v3_drop(c, i));
    }
    return cdi_v3_make(n[0], n[1], n[2]);
}

/* ---- the interface ---- */

CD_API double cd_orient2d(cd_vec2 a, cd_vec2 b, cd_vec2 c) {
    return cdi_orient2d(cdi_v2_of(a), cdi_v2_of(b), cdi_v2_of(c));
}

CD_API double cd_orient3d(cd_vec3 a, cd_vec3 b, cd_vec3 c, cd_vec3 d) {
    return cdi_orient3d_inline(cdi_v3_of(a), cdi_v3_of(b), cdi_v3_of(c), cdi_v3_of(d));
}

CD_API double cd_incircle2d(cd_vec2 a, cd_vec2 b, cd_vec2 c, cd_vec2 d) {
    cdi_v2 p[3];
    p[0] = cdi_v2_of(a);
    p[1] = cdi_v2_of(b);
    p[2] = cdi_v2_of(c);
    return cdi_incircle2d(p, cdi_v2_of(d));
}

CD_API double cd_insphere(cd_vec3 a, cd_vec3 b, cd_vec3 c, cd_vec3 d, cd_vec3 e) {
    cdi_v3 p[4];
    p[0] = cdi_v3_of(a);
    p[1] = cdi_v3_of(b);
    p[2] = cdi_v3_of(c);
    p[3] = cdi_v3_of(d);
    return cdi_insphere(p, cdi_v3_of(e));
}

#undef CDI_LEAST
#undef CDI_MORE
#undef CDI_ORIENT2D_BOUND
#undef CDI_ORIENT3D_BOUND
#undef CDI_QUADRIC_BOUND
#undef CDI_INCIRCLE_BOUND
#undef CDI_INSPHERE_BOUND

/* ---- core/statistics.c --------------------------------------------------------------------------------------- */

static double cdi_mean_of_numbers(const cd_real *x, size_t count) {
    double sum = 0.0, share = count ? 1.0 / (double)count : 0.0;
    for (size_t i = 0; i < count; ++i) sum += (double)x[i] * share;
    return sum;
}

static double cdi_variance(const cd_real *x, size_t count) {
    double mean = cdi_mean_of_numbers(x, count), sum = 0.0;
    for (size_t i = 0; i < count; ++i) {
        double d = (double)x[i] - mean;
        sum += d * d;
    }
    return count ? sum / (double)count : 0.0;
}

cd_real cd_variance(const cd_real *x, size_t count) {
    return cdi_real_of(cdi_variance(x, count));
}

cd_real cd_variance_one_pass(const cd_real *x, size_t count) {
    double sum = 0.0, squares = 0.0, mean;
    if (count == 0) return 0;
    for (size_t i = 0; i < count; ++i) {
        sum += (double)x[i];
        squares += (double)x[i] * (double)x[i];
    }
    mean = sum / (double)count;
    return cdi_real_of(cdi_max(0.0, squares / (double)count - mean * mean));
}

cd_real cd_deviation(const cd_real *x, size_t count) {
    return cdi_real_of(cdi_sqrt(cdi_variance(x, count)));
}

cd_mat3 cd_covariance(const cd_vec3 *points, size_t count, cd_vec3 *mean) {
    cdi_v3 middle = cdi_mean(points, count);
    cdi_m3 m = cdi_covariance(points, count, middle, 1.0);
    if (mean) *mean = cdi_v3_round(middle);
    return cdi_m3_round(&m);
}

/* ---- core/tolerance.c ---------------------------------------------------------------------------------------- */

/* ---- numbers ---- */

/* |a - b| as large - little, where large >= |little|. */
typedef struct cdi_gap {
    double large, little;
} cdi_gap;

static cdi_gap cdi_gap_of(double a, double b) {
    bool first = cdi_abs(a) >= cdi_abs(b);
    cdi_gap g;
    g.large = first ? a : b;
    g.little = first ? b : a;
    if (g.large < 0.0) {
        g.large = -g.large;
        g.little = -g.little;
    }
    return g;
}

/* The difference is d + rest, and d its nearest double: where d is not the tolerance, d tells. */
static bool cdi_within_abs(cdi_gap g, double tolerance) {
    double d, rest;
    cdi_fast_two_sum(g.large, -g.little, &d, &rest);
    return d < tolerance || (d == tolerance && !(rest > 0.0));
}

/* The larger is brought into [1, 2), so that the difference is 2^-53 at least, and its product with any tolerance that comes near
 * to it is exact as p + low. Of a very little other one only the sign can matter, so it need not be scaled exactly. */
static bool cdi_within_rel(cdi_gap g, double tolerance) {
    const double least = 6.223015277861142e-61; /* 2^-200 */
    int e = cdi_exponent(g.large);
    double large = cdi_scale2(g.large, -e), little = cdi_scale2(g.little, -e), d, rest, p, low;
    if (g.little != 0.0 && cdi_abs(little) < least) little = g.little < 0.0 ? -least : least;
    cdi_fast_two_sum(large, -little, &d, &rest);
    cdi_two_product(tolerance, large, &p, &low);
    return d < p || (d == p && rest <= low);
}

CD_API bool cd_is_finite(cd_real x) {
    return cdi_finite((double)x);
}

CD_API bool cd_nearly_equal_abs(cd_real a, cd_real b, cd_real tolerance) {
    if (a == b) return true;
    if (!cd_is_finite(a) || !cd_is_finite(b)) return false;
    return cdi_within_abs(cdi_gap_of((double)a, (double)b), (double)tolerance);
}

CD_API bool cd_nearly_equal_rel(cd_real a, cd_real b, cd_real tolerance) {
    if (a == b) return true;
    if (!cd_is_finite(a) || !cd_is_finite(b)) return false;
    return cdi_within_rel(cdi_gap_of((double)a, (double)b), (double)tolerance);
}

CD_API bool cd_nearly_equal(cd_real a, cd_real b, cd_real abs_tolerance, cd_real rel_tolerance) {
    return cd_nearly_equal_abs(a, b, abs_tolerance) || cd_nearly_equal_rel(a, b, rel_tolerance);
}

/* ---- the order of the numbers of the type ---- */

/* A whole number ordered like x: 2^31 or 2^63 for both zeros, one more for each next number; x is no NaN. */
static uint64_t cdi_place(cd_real x) {
#ifdef COLLIDE_DOUBLE
    uint64_t bits = cdi_bits(x), zero = (uint64_t)1 << 63;
#else
    uint32_t bits, zero = (uint32_t)1 << 31;
    cdi_copy(&bits, &x, sizeof bits);
#endif
    return bits >= zero ? zero - (bits - zero) : zero + bits;
}

CD_API uint64_t cd_ulps_between(cd_real a, cd_real b) {
    uint64_t p, q;
    if (a != a || b != b) return UINT64_MAX;
    p = cdi_place(a);
    q = cdi_place(b);
    return p > q ? p - q : q - p;
}

CD_API bool cd_nearly_equal_ulps(cd_real a, cd_real b, uint64_t ulps) {
    return a == a && b == b && cd_ulps_between(a, b) <= ulps;
}

CD_API cd_real cd_next_up(cd_real x) {
    if (x != x) return x;
    if (x >= CD_REAL_MAX) return (cd_real)cdi_infinity();
    return cdi_next_real(x, true);
}

CD_API cd_real cd_next_down(cd_real x) {
    return -cd_next_up(-x);
}

/* ---- vectors ---- */

/* Whole numbers: |a - b|^2 <= t^2 |c|^2. */
static CDI_COLD bool cdi_is_near_exact(const double a[3], const double b[3], double t, const double c[3]) {
    uint32_t limbs[44 * CDI_EXACT_LIMBS];
    cdi_arena arena = cdi_arena_on(limbs, 44 * CDI_EXACT_LIMBS);
    cdi_exact gap = cdi_exact_of(&arena, 0.0), limit = gap, tolerance = cdi_exact_of(&arena, t);
    for (int i = 0; i < 3; ++i) {
        cdi_exact d = cdi_exact_diff(&arena, a[i], b[i]);
        cdi_exact l = cdi_exact_mul(&arena, tolerance, cdi_exact_of(&arena, c[i]));
        gap = cdi_exact_add(&arena, gap, cdi_exact_mul(&arena, d, d));
        limit = cdi_exact_add(&arena, limit, cdi_exact_mul(&arena, l, l));
    }
    return cdi_exact_sub(&arena, gap, limit).sign <= 0;
}

/* |a - b| <= t |c| */
static bool cdi_is_near(cdi_v3 a, cdi_v3 b, double t, cdi_v3 c) {
    double gap = cdi_v3_sqlength(cdi_v3_sub(a, b)), limit = cdi_v3_sqlength(cdi_v3_scale(c, t));
    double from[3], to[3], size[3];
    if (!(t > 0.0)) return false;
    if (cdi_abs(gap - limit) > 1e-14 * (gap + limit) + 1e-280) return gap < limit;
    cdi_v3_store(from, a);
    cdi_v3_store(to, b);
    cdi_v3_store(size, c);
    return cdi_is_near_exact(from, to, t, size);
}

CD_API bool cd_vec3_nearly_equal(cd_vec3 a, cd_vec3 b, cd_real abs_tolerance, cd_real rel_tolerance) {
    cdi_v3 p = cdi_v3_of(a), q = cdi_v3_of(b);
    double rel = (double)rel_tolerance;
    if (a.x == b.x && a.y == b.y && a.z == b.z) return true;
    if (!cdi_v3_finite(p) || !cdi_v3_finite(q)) return false;
    if ((double)abs_tolerance > CDI_HUGE || rel >= 2.0) return true;
    return cdi_is_near(p, q, (double)abs_tolerance, cdi_v3_make(1.0, 0.0, 0.0)) ||
           cdi_is_near(p, q, rel, p) || cdi_is_near(p, q, rel, q);
}

/* ---- core/interval.c ----------------------------------------------------------------------------------------- */

/* ---- upper bounds of single results ----
 *
 * Only upper bounds are computed: a lower bound is minus the upper bound of the negated result. No upper bound of a set
 * of numbers is -infinity, so where one comes out, a result below all doubles was rounded, and -CDI_HUGE is above it. */

/* An interval of doubles, as operations use it: no NaN, lo < infinity, hi > -infinity; or empty, lo > hi. */
typedef struct cdi_itv {
    double lo, hi;
} cdi_itv;

/* r, the double nearest to a result, or the next one, where the result is above r: where `error` is positive. */
static double cdi_bound_above(double r, int error) {
    if (r < -CDI_HUGE) return -CDI_HUGE;
    if (error <= 0 || r > CDI_HUGE) return r;
    return r == CDI_HUGE ? cdi_infinity() : cdi_next_double(r, true);
}

static bool cdi_is_middling(double x) {
    return cdi_abs(x) > 1e-120 && cdi_abs(x) < 1e120;
}

/* The sign of a b - c, for finite numbers, exactly. In the general case a and b are scaled into [1, 2), and c likewise,
 * where it does not differ from the product so much that its exponent tells. */
static int cdi_compare_product(double a, double b, double c) {
    double p, low;
    if (!cdi_is_middling(a) || !cdi_is_middling(b)) {
        int e = cdi_exponent(a), f = cdi_exponent(b), g = cdi_exponent(c);
        if (a == 0.0 || b == 0.0) return -cdi_sign(c);
        if (c == 0.0 || g < e + f - 4) return cdi_sign(a) * cdi_sign(b);
        if (g > e + f + 4) return -cdi_sign(c);
        a = cdi_scale2(a, -e);
        b = cdi_scale2(b, -f);
        c = cdi_scale2(c, -e - f);
    }
    cdi_two_product(a, b, &p, &low);
    return p > c ? 1 : p < c ? -1 : cdi_sign(low);
}

static double cdi_sum_above(double a, double b) {
    double sum = a + b, rest;
    bool first = cdi_abs(a) >= cdi_abs(b);
    if (!cdi_finite(sum)) return cdi_bound_above(sum, 0);
    cdi_fast_two_sum(first ? a : b, first ? b : a, &sum, &rest);
    return cdi_bound_above(sum, cdi_sign(rest));
}

static double cdi_product_above(double a, double b) {
    double p = a * b;
    if (a == 0.0 || b == 0.0) return 0.0; /* though the other may be infinite */
    return cdi_bound_above(p, cdi_finite(p) ? cdi_compare_product(a, b, p) : 0);
}

/* a / b for b not 0; 0 for an infinite b, which quotients only come near. */
static double cdi_quotient_above(double a, double b) {
    double q = a / b;
    if (a == 0.0 || !cdi_finite(b)) return 0.0;
    return cdi_bound_above(q, cdi_finite(q) ? -cdi_compare_product(q, b, a) * cdi_sign(b) : 0);
}

/* Roots of x >= 0. */
static double cdi_root_above(double x) {
    double r = cdi_sqrt(x);
    return cdi_bound_above(r, cdi_finite(x) ? -cdi_compare_product(r, r, x) : 0);
}
static double cdi_root_below(double x) {
    double r = cdi_sqrt(x);
    return cdi_finite(x) && cdi_compare_product(r, r, x) > 0 ? cdi_next_double(r, false) : r;
}

/* ---- intervals of doubles ---- */

static cdi_itv cdi_itv_make(double lo, double hi) {
    cdi_itv r;
    r.lo = lo;
    r.hi = hi;
    return r;
}

static cdi_itv cdi_itv_none(void) {
    return cdi_itv_make(cdi_infinity(), -cdi_infinity());
}

static cdi_itv cdi_itv_line(void) {
    return cdi_itv_make(-cdi_infinity(), cdi_infinity());
}

static bool cdi_itv_is_empty(cdi_itv a) {
    return a.lo > a.hi;
}

static bool cdi_itv_has_zero(cdi_itv a) {
    return a.lo <= 0.0 && a.hi >= 0.0;
}

static cdi_itv cdi_itv_neg(cdi_itv a) {
    return cdi_itv_make(0.0 - a.hi, 0.0 - a.lo);
}

static cdi_itv cdi_itv_add(cdi_itv a, cdi_itv b) {
    if (cdi_itv_is_empty(a) || cdi_itv_is_empty(b)) return cdi_itv_none();
    return cdi_itv_make(0.0 - cdi_sum_above(-a.lo, -b.lo), cdi_sum_above(a.hi, b.hi));
}

static cdi_itv cdi_itv_sub(cdi_itv a, cdi_itv b) {
    return cdi_itv_add(a, cdi_itv_neg(b));
}

/* The largest product, or quotient, of bounds. */
static double cdi_corners_above(cdi_itv a, cdi_itv b, bool divide) {
    double most = -CDI_HUGE;
    for (int i = 0; i < 4; ++i) {
        double x = i & 1 ? a.hi : a.lo, y = i & 2 ? b.hi : b.lo;
        most = cdi_max(most, divide ? cdi_quotient_above(x, y) : cdi_product_above(x, y));
    }
    return most;
}

static cdi_itv cdi_itv_mul(cdi_itv a, cdi_itv b) {
    if (cdi_itv_is_empty(a) || cdi_itv_is_empty(b)) return cdi_itv_none();
    return cdi_itv_make(0.0 - cdi_corners_above(cdi_itv_neg(a), b, false), cdi_corners_above(a, b, false));
}

static cdi_itv cdi_itv_div(cdi_itv a, cdi_itv b) {
    if (cdi_itv_is_empty(a) || cdi_itv_is_empty(b)) return cdi_itv_none();
    if (cdi_itv_has_zero(b)) return cdi_itv_line();
    return cdi_itv_make(0.0 - cdi_corners_above(cdi_itv_neg(a), b, true), cdi_corners_above(a, b, true));
}

static cdi_itv cdi_itv_abs(cdi_itv a) {
    if (a.lo >= 0.0 || cdi_itv_is_empty(a)) return a;
    if (a.hi <= 0.0) return cdi_itv_neg(a);
    return cdi_itv_make(0.0, cdi_max(-a.lo, a.hi));
}

static cdi_itv cdi_itv_sqr(cdi_itv a) {
    a = cdi_itv_abs(a);
    if (cdi_itv_is_empty(a)) return a;
    return cdi_itv_make(0.0 - cdi_product_above(-a.lo, a.lo), cdi_product_above(a.hi, a.hi));
}

static cdi_itv cdi_itv_sqrt(cdi_itv a) {
    if (cdi_itv_is_empty(a) || a.hi < 0.0) return cdi_itv_none();
    return cdi_itv_make(a.lo > 0.0 ? cdi_root_below(a.lo) : 0.0, cdi_root_above(a.hi));
}

/* ---- in and out ---- */

static cdi_itv cdi_itv_of(cd_interval a) {
    if (a.lo != a.lo || a.hi != a.hi) return cdi_itv_line();
    if (a.lo > a.hi) return cdi_itv_none();
    return cdi_itv_make(cdi_min((double)a.lo, (double)CD_REAL_MAX),
                        cdi_max((double)a.hi, -(double)CD_REAL_MAX));
}

/* The least number of the interface's type that is not below x. */
static cd_real cdi_real_above(double x) {
    cd_real r;
    if (x > (double)CD_REAL_MAX) return (cd_real)cdi_infinity();
    if (x < -(double)CD_REAL_MAX) return -CD_REAL_MAX;
    r = (cd_real)x;
    return (double)r < x ? cdi_next_real(r, true) : r;
}

static cd_interval cdi_itv_out(cdi_itv a) {
    cd_interval r;
    bool empty = cdi_itv_is_empty(a);
    r.lo = empty ? (cd_real)cdi_infinity() : 0 - cdi_real_above(0.0 - a.lo);
    r.hi = empty ? (cd_real)-cdi_infinity() : cdi_real_above(a.hi);
    return r;
}

/* ---- the public operations ---- */

CD_API cd_interval cd_interval_make(cd_real lo, cd_real hi) {
    cd_interval r;
    r.lo = lo;
    r.hi = hi;
    return cdi_itv_out(cdi_itv_of(r));
}

CD_API cd_interval cd_interval_from_value(cd_real x) {
    return cd_interval_make(x, x);
}

CD_API cd_interval cd_interval_whole(void) {
    return cdi_itv_out(cdi_itv_line());
}

CD_API cd_interval cd_interval_empty(void) {
    return cdi_itv_out(cdi_itv_none());
}

CD_API bool cd_interval_is_valid(cd_interval a) {
    return a.lo <= a.hi;
}

CD_API bool cd_interval_is_empty(cd_interval a) {
    return a.lo > a.hi;
}

CD_API bool cd_interval_contains(cd_interval a, cd_real x) {
    cdi_itv d = cdi_itv_of(a);
    return d.lo <= (double)x && (double)x <= d.hi;
}

CD_API cd_interval cd_interval_hull(cd_interval a, cd_interval b) {
    cdi_itv p = cdi_itv_of(a), q = cdi_itv_of(b);
    return cdi_itv_out(cdi_itv_make(cdi_min(p.lo, q.lo), cdi_max(p.hi, q.hi)));
}

CD_API cd_interval cd_interval_intersect(cd_interval a, cd_interval b) {
    cdi_itv p = cdi_itv_of(a), q = cdi_itv_of(b);
    return cdi_itv_out(cdi_itv_make(cdi_max(p.lo, q.lo), cdi_min(p.hi, q.hi)));
}

CD_API cd_real cd_interval_width(cd_interval a) {
    cdi_itv d = cdi_itv_of(a);
    return cdi_itv_is_empty(d) ? 0 : cdi_real_above(cdi_sum_above(d.hi, -d.lo));
}

CD_API cd_real cd_interval_middle(cd_interval a) {
    cdi_itv d = cdi_itv_of(a);
    double sum = d.lo + d.hi;
    if (cdi_itv_is_empty(d) || sum != sum) return 0; /* infinity - infinity: no bound at all */
    if (d.hi > CDI_HUGE) return CD_REAL_MAX;
    if (d.lo < -CDI_HUGE) return -CD_REAL_MAX;
    return (cd_real)(cdi_finite(sum) ? 0.5 * sum : 0.5 * d.lo + 0.5 * d.hi);
}

CD_API cd_interval cd_interval_neg(cd_interval a) {
    return cdi_itv_out(cdi_itv_neg(cdi_itv_of(a)));
}

CD_API cd_interval cd_interval_add(cd_interval a, cd_interval b) {
    return cdi_itv_out(cdi_itv_add(cdi_itv_of(a), cdi_itv_of(b)));
}

CD_API cd_interval cd_interval_sub(cd_interval a, cd_interval b) {
    return cdi_itv_out(cdi_itv_sub(cdi_itv_of(a), cdi_itv_of(b)));
}

CD_API cd_interval cd_interval_mul(cd_interval a, cd_interval b) {
    return cdi_itv_out(cdi_itv_mul(cdi_itv_of(a), cdi_itv_of(b)));
}

CD_API cd_interval cd_interval_div(cd_interval a, cd_interval b) {
    return cdi_itv_out(cdi_itv_div(cdi_itv_of(a), cdi_itv_of(b)));
}

CD_API cd_interval cd_interval_sqr(cd_interval a) {
    return cdi_itv_out(cdi_itv_sqr(cdi_itv_of(a)));
}

CD_API cd_interval cd_interval_sqrt(cd_interval a) {
    return cdi_itv_out(cdi_itv_sqrt(cdi_itv_of(a)));
}

CD_API cd_interval cd_interval_abs(cd_interval a) {
    return cdi_itv_out(cdi_itv_abs(cdi_itv_of(a)));
}

CD_API cd_interval cd_interval_min(cd_interval a, cd_interval b) {
    cdi_itv p = cdi_itv_of(a), q = cdi_itv_of(b);
    if (cdi_itv_is_empty(p) || cdi_itv_is_empty(q)) return cd_interval_empty();
    return cdi_itv_out(cdi_itv_make(cdi_min(p.lo, q.lo), cdi_min(p.hi, q.hi)));
}

CD_API cd_interval cd_interval_max(cd_interval a, cd_interval b) {
    cdi_itv p = cdi_itv_of(a), q = cdi_itv_of(b);
    if (cdi_itv_is_empty(p) || cdi_itv_is_empty(q)) return cd_interval_empty();
    return cdi_itv_out(cdi_itv_make(cdi_max(p.lo, q.lo), cdi_max(p.hi, q.hi)));
}

/* ---- comparisons: yes and no from bounds, else maybe; an empty interval tells nothing ---- */

static cd_ternary cdi_ternary(cdi_itv a, cdi_itv b, bool yes, bool no) {
    if (cdi_itv_is_empty(a) || cdi_itv_is_empty(b)) return CD_MAYBE;
    return yes ? CD_YES : no ? CD_NO : CD_MAYBE;
}

CD_API cd_ternary cd_interval_less(cd_interval a, cd_interval b) {
    cdi_itv p = cdi_itv_of(a), q = cdi_itv_of(b);
    return cdi_ternary(p, q, p.hi < q.lo, p.lo >= q.hi);
}

CD_API cd_ternary cd_interval_less_equal(cd_interval a, cd_interval b) {
    cdi_itv p = cdi_itv_of(a), q = cdi_itv_of(b);
    return cdi_ternary(p, q, p.hi <= q.lo, p.lo > q.hi);
}

CD_API cd_ternary cd_interval_equal(cd_interval a, cd_interval b) {
    cdi_itv p = cdi_itv_of(a), q = cdi_itv_of(b);
    return cdi_ternary(p, q, p.lo == q.hi && p.hi == q.lo, p.hi < q.lo || p.lo > q.hi);
}

CD_API cd_ternary cd_interval_sign(cd_interval a) {
    cdi_itv p = cdi_itv_of(a);
    return cdi_ternary(p, p, p.lo > 0.0, p.hi < 0.0);
}

/* ---- vectors ---- */

typedef struct cdi_itv3 {
    cdi_itv x, y, z;
} cdi_itv3;

static cdi_itv3 cdi_itv3_of(const cd_interval3 *a) {
    cdi_itv3 r;
    r.x = cdi_itv_of(a->x);
    r.y = cdi_itv_of(a->y);
    r.z = cdi_itv_of(a->z);
    return r;
}

static cd_interval3 cdi_itv3_out(cdi_itv x, cdi_itv y, cdi_itv z) {
    cd_interval3 r;
    r.x = cdi_itv_out(x);
    r.y = cdi_itv_out(y);
    r.z = cdi_itv_out(z);
    return r;
}

CD_API cd_interval3 cd_interval3_from_vec3(cd_vec3 v) {
    cd_interval3 r;
    r.x = cd_interval_from_value(v.x);
    r.y = cd_interval_from_value(v.y);
    r.z = cd_interval_from_value(v.z);
    return r;
}

CD_API cd_interval3 cd_interval3_add(const cd_interval3 *a, const cd_interval3 *b) {
    cdi_itv3 p = cdi_itv3_of(a), q = cdi_itv3_of(b);
    return cdi_itv3_out(cdi_itv_add(p.x, q.x), cdi_itv_add(p.y, q.y), cdi_itv_add(p.z, q.z));
}

CD_API cd_interval3 cd_interval3_sub(const cd_interval3 *a, const cd_interval3 *b) {
    cdi_itv3 p = cdi_itv3_of(a), q = cdi_itv3_of(b);
    return cdi_itv3_out(cdi_itv_sub(p.x, q.x), cdi_itv_sub(p.y, q.y), cdi_itv_sub(p.z, q.z));
}

CD_API cd_interval3 cd_interval3_scale(const cd_interval3 *a, cd_interval s) {
    cdi_itv3 p = cdi_itv3_of(a);
    cdi_itv q = cdi_itv_of(s);
    return cdi_itv3_out(cdi_itv_mul(p.x, q), cdi_itv_mul(p.y, q), cdi_itv_mul(p.z, q));
}

CD_API cd_interval cd_interval3_dot(const cd_interval3 *a, const cd_interval3 *b) {
    cdi_itv3 p = cdi_itv3_of(a), q = cdi_itv3_of(b);
    return cdi_itv_out(
        cdi_itv_add(cdi_itv_add(cdi_itv_mul(p.x, q.x), cdi_itv_mul(p.y, q.y)), cdi_itv_mul(p.z, q.z)));
}

static cdi_itv cdi_itv_minor(cdi_itv a, cdi_itv b, cdi_itv c, cdi_itv d) {
    return cdi_itv_sub(cdi_itv_mul(a, d), cdi_itv_mul(b, c));
}

CD_API cd_interval3 cd_interval3_cross(const cd_interval3 *a, const cd_interval3 *b) {
    cdi_itv3 p = cdi_itv3_of(a), q = cdi_itv3_of(b);
    return cdi_itv3_out(cdi_itv_minor(p.y, p.z, q.y, q.z), cdi_itv_minor(p.z, p.x, q.z, q.x),
                        cdi_itv_minor(p.x, p.y, q.x, q.y));
}

CD_API cd_interval cd_interval3_sqlength(const cd_interval3 *a) {
    cdi_itv3 p = cdi_itv3_of(a);
    return cdi_itv_out(cdi_itv_add(cdi_itv_add(cdi_itv_sqr(p.x), cdi_itv_sqr(p.y)), cdi_itv_sqr(p.z)));
}

/* ---- core/integer.c ------------------------------------------------------------------------------------------ */

/* ---- two's complement by hand: arithmetic is on unsigned numbers, which wrap by the rules of C ---- */

static cd_int128 cdi_int128_make(uint64_t hi, uint64_t lo) {
    cd_int128 r;
    r.lo = lo;
    r.hi = hi <= (uint64_t)INT64_MAX ? (int64_t)hi : -(int64_t)(UINT64_MAX - hi) - 1;
    return r;
}

static uint64_t cdi_magnitude(int64_t x) {
    return x < 0 ? 0u - (uint64_t)x : (uint64_t)x;
}

static int cdi_sign_int(int64_t x) {
    return (x > 0) - (x < 0);
}

CD_API cd_int128 cd_int128_from_int64(int64_t x) {
    return cdi_int128_make(x < 0 ? UINT64_MAX : 0u, (uint64_t)x);
}

CD_API cd_int128 cd_int128_add(cd_int128 a, cd_int128 b) {
    uint64_t lo = a.lo + b.lo;
    return cdi_int128_make((uint64_t)a.hi + (uint64_t)b.hi + (lo < a.lo), lo);
}

CD_API cd_int128 cd_int128_sub(cd_int128 a, cd_int128 b) {
    return cdi_int128_make((uint64_t)a.hi - (uint64_t)b.hi - (a.lo < b.lo), a.lo - b.lo);
}

CD_API cd_int128 cd_int128_neg(cd_int128 a) {
    return cd_int128_sub(cd_int128_from_int64(0), a);
}

/* Magnitudes by halves of 32 bits; no sum below exceeds 2^64 - 1. */
CD_API cd_int128 cd_int128_mul_int64(int64_t x, int64_t y) {
    uint64_t a = cdi_magnitude(x), b = cdi_magnitude(y), half = 0xFFFFFFFFu;
    uint64_t low = (a & half) * (b & half), cross = (a >> 32) * (b & half) + (low >> 32);
    uint64_t other = (a & half) * (b >> 32) + (cross & half);
    cd_int128 r =
        cdi_int128_make((a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32), (other << 32) | (low & half));
    return (x < 0) != (y < 0) ? cd_int128_neg(r) : r;
}

CD_API int cd_int128_compare(cd_int128 a, cd_int128 b) {
    if (a.hi != b.hi) return a.hi < b.hi ? -1 : 1;
    return (a.lo > b.lo) - (a.lo < b.lo);
}

CD_API int cd_int128_sign(cd_int128 a) {
    return a.hi != 0 ? cdi_sign_int(a.hi) : a.lo != 0;
}

/* The magnitude is moved up until its highest bit is that of hi; of this the leading 53 bits count, rounded by all below. */
CD_API double cd_int128_to_double(cd_int128 a) {
    cd_int128 size = a.hi < 0 ? cd_int128_neg(a) : a;
    uint64_t hi = (uint64_t)size.hi, lo = size.lo, mantissa, below;
    int exponent = 64 + 11;
    double r;
    if (hi == 0) {
        hi = lo;
        lo = 0;
        exponent -= 64;
    }
    if (hi == 0) return 0.0;
    while (hi >> 63 == 0) {
        hi = (hi << 1) | (lo >> 63);
        lo <<= 1;
        --exponent;
    }
    mantissa = hi >> 11;
    below = hi & 2047u;
    if (below > 1024u || (below == 1024u && (lo != 0 || (mantissa & 1u) != 0))) ++mantissa;
    r = (double)(int64_t)mantissa * cdi_exp2i(exponent); /* 2^53 at most: exact */
    return a.hi < 0 ? -r : r;
}

/* ---- fractions ---- */

/* The sign of an / ad - bn / bd, none of them 0. Each round is a step of Euclid's algorithm for both. */
static int cdi_compare_ratios(uint64_t an, uint64_t ad, uint64_t bn, uint64_t bd) {
    for (int sign = 1;; sign = -sign) {
        uint64_t p = an / ad, q = bn / bd, r = an % ad, s = bn % bd;
        if (p != q) return p < q ? -sign : sign;
        if (r == 0 || s == 0) return ((r != 0) - (s != 0)) * sign;
        an = ad; /* r / ad against s / bd: the other way round, ad / r against bd / s */
        ad = r;
        bn = bd;
        bd = s;
    }
}

/* 0 / 0 is 0, anything else over 0 infinite. */
static int cdi_sign_of_ratio(int64_t num, int64_t den) {
    return den < 0 ? -cdi_sign_int(num) : cdi_sign_int(num);
}

CD_API int cd_compare_fractions(int64_t a_num, int64_t a_den, int64_t b_num, int64_t b_den) {
    int a = cdi_sign_of_ratio(a_num, a_den), b = cdi_sign_of_ratio(b_num, b_den);
    if (a != b || a == 0) return (a > b) - (a < b);
    if (a_den == 0 || b_den == 0) return a * ((a_den == 0) - (b_den == 0));
    return a * cdi_compare_ratios(cdi_magnitude(a_num), cdi_magnitude(a_den), cdi_magnitude(b_num),
                                  cdi_magnitude(b_den));
}

/* ---- points and segments ---- */

static int64_t cdi_difference(int32_t a, int32_t b) {
    return (int64_t)a - (int64_t)b;
}

/* The sign of p q - r s, for differences of coordinates: their products have at most 64 bits and a sign. */
static int cdi_compare_products(int64_t p, int64_t q, int64_t r, int64_t s) {
    uint64_t pq = cdi_magnitude(p) * cdi_magnitude(q), rs = cdi_magnitude(r) * cdi_magnitude(s);
    int left = cdi_sign_int(p) * cdi_sign_int(q), right = cdi_sign_int(r) * cdi_sign_int(s);
    if (left != right) return left > right ? 1 : -1;
    return left * ((pq > rs) - (pq < rs));
}

CD_API int cd_orient2d_int(cd_ivec2 a, cd_ivec2 b, cd_ivec2 c) {
    return cdi_compare_products(cdi_difference(b.x, a.x), cdi_difference(c.y, a.y), cdi_difference(b.y, a.y),
                                cdi_difference(c.x, a.x));
}

/* Do the spans a b and c d of one coordinate meet? */
static bool cdi_spans_meet(int32_t a, int32_t b, int32_t c, int32_t d) {
    bool before = a < c && a < d && b < c && b<d, after = a> c && a > d && b > c && b > d;
    return !before && !after;
}

/* Neither segment lies on one side of the other's line, and their boxes meet: this last matters only where they are on one
 * line or are points, and there it is all that matters. */
CD_API bool cd_test_2d_segment_segment_exact(cd_ivec2 a, cd_ivec2 b, cd_ivec2 c, cd_ivec2 d) {
    if (!cdi_spans_meet(a.x, b.x, c.x, d.x) || !cdi_spans_meet(a.y, b.y, c.y, d.y)) return false;
    if (cd_orient2d_int(a, b, c) * cd_orient2d_int(a, b, d) > 0) return false;
    return cd_orient2d_int(c, d, a) * cd_orient2d_int(c, d, b) <= 0;
}

/* (q - p) x (s - r): 65 bits and a sign. */
static cd_int128 cdi_cross_int(cd_ivec2 p, cd_ivec2 q, cd_ivec2 r, cd_ivec2 s) {
    cd_int128 left = cd_int128_mul_int64(cdi_difference(q.x, p.x), cdi_difference(s.y, r.y));
    cd_int128 right = cd_int128_mul_int64(cdi_difference(q.y, p.y), cdi_difference(s.x, r.x));
    return cd_int128_sub(left, right);
}

/* How far p is from a toward b along the axis in which these differ more; 32 bits and a sign. */
static int64_t cdi_along_axis(cd_ivec2 a, cd_ivec2 b, cd_ivec2 p) {
    int64_t x = cdi_difference(b.x, a.x), y = cdi_difference(b.y, a.y);
    bool by_x = cdi_magnitude(x) >= cdi_magnitude(y);
    int64_t along = by_x ? cdi_difference(p.x, a.x) : cdi_difference(p.y, a.y);
    return (by_x ? x : y) < 0 ? -along : along;
}

/* The part of a b that c d covers, all on one line, a and b apart. */
static void cdi_overlap_on_line(cd_ivec2 a, cd_ivec2 b, cd_ivec2 c, cd_ivec2 d, cd_segment_cut2 *out) {
    int64_t length = cdi_along_axis(a, b, b), first = cdi_along_axis(a, b, c), last = cdi_along_axis(a, b, d);
    if (first > last) {
        int64_t swap = first;
        cd_ivec2 point = c;
        first = last;
        last = swap;
        c = d;
        d = point;
    }
    out->ends[0] = first > 0 ? c : a;
    out->ends[1] = last < length ? d : b;
    out->num[0] = cd_int128_from_int64(first > 0 ? first : 0);
    out->num[1] = cd_int128_from_int64(last < length ? last : length);
    out->den = cd_int128_from_int64(length);
}

CD_API bool cd_intersect_2d_segment_segment_exact(cd_ivec2 a, cd_ivec2 b, cd_ivec2 c, cd_ivec2 d,
                                                  cd_segment_cut2 *out) {
    cd_segment_cut2 cut;
    cd_ivec2 zero = {0, 0};
    cd_int128 det = cdi_cross_int(a, b, c, d);
    if (!cd_test_2d_segment_segment_exact(a, b, c, d)) return false;
    if (cd_int128_sign(det) != 0) { /* a + t (b - a) is on the line c d for t = (c - a) x (d - c) / det */
        cut.num[0] = cdi_cross_int(a, c, c, d);
        if (cd_int128_sign(det) < 0) cut.num[0] = cd_int128_neg(cut.num[0]);
        cut.num[1] = cut.num[0];
        cut.den = cd_int128_sign(det) < 0 ? cd_int128_neg(det) : det;
    } else if (a.x == b.x && a.y == b.y) {
        cut.num[0] = cut.num[1] = cd_int128_from_int64(0);
        cut.den = cd_int128_from_int64(1);
    } else {
        cdi_overlap_on_line(a, b, c, d, &cut);
    }
    cut.kind = (uint32_t)CD_SEGMENT_CUT_OVERLAP;
    if (cd_int128_compare(cut.num[0], cut.num[1]) == 0) {
        cut.kind = (uint32_t)CD_SEGMENT_CUT_POINT;
        cut.ends[0] = cut.ends[1] = zero;
    }
    if (out) *out = cut;
    return true;
}

/* ---- core/memory.c ------------------------------------------------------------------------------------------- */

#if defined(COLLIDE_MALLOC)
#define CDI_MALLOC(size) COLLIDE_MALLOC(size)
#define CDI_FREE(p)      COLLIDE_FREE(p)
#elif defined(COLLIDE_NO_STDLIB)
#define CDI_MALLOC(size) ((void)(size), (void *)0)
#define CDI_FREE(p)      ((void)(p))
#else
#include <stdlib.h>
#define CDI_MALLOC(size) malloc(size)
#define CDI_FREE(p)      free(p)
#endif

#define CDI_ALIGN 64u

/* malloc aligned: the distance to malloc's own pointer stands in the byte before the block. */
static void *cdi_aligned_malloc(size_t size) {
    unsigned char *raw;
    if (size > SIZE_MAX - CDI_ALIGN) return NULL;
    raw = (unsigned char *)CDI_MALLOC(size + CDI_ALIGN);
    if (!raw) return NULL;
    {
        size_t shift = CDI_ALIGN - ((uintptr_t)raw & (CDI_ALIGN - 1)); /* 1 to 64 */
        raw[shift - 1] = (unsigned char)shift;
        return raw + shift;
    }
}

static void cdi_aligned_free(void *p) {
    unsigned char *block = (unsigned char *)p;
    CDI_FREE(block - block[-1]);
}

CDI_FN void *cdi_alloc(const cd_allocator *allocator, size_t count, size_t size) {
    if (count == 0 || size == 0 || count > SIZE_MAX / size) return NULL;
    if (allocator && allocator->alloc) return allocator->alloc(allocator->user, count * size, CDI_ALIGN);
    return cdi_aligned_malloc(count * size);
}

CDI_FN void cdi_free(const cd_allocator *allocator, void *p, size_t count, size_t size) {
    if (!p) return;
    if (allocator && allocator->alloc) {
        if (allocator->free) allocator->free(allocator->user, p, count * size);
    } else {
        cdi_aligned_free(p);
    }
}

#undef CDI_ALIGN
#undef CDI_MALLOC
#undef CDI_FREE

/* ---- core/moments.c ------------------------------------------------------------------------------------------ */

/* Shares are summed, which cannot leave the range. */
cdi_v3 cdi_mean(const cd_vec3 *points, size_t count) {
    cdi_v3 sum = cdi_v3_make(0.0, 0.0, 0.0);
    double share = count ? 1.0 / (double)count : 0.0;
    for (size_t i = 0; i < count; ++i) sum = cdi_v3_add(sum, cdi_v3_scale(cdi_v3_of(points[i]), share));
    return sum;
}

cdi_m3 cdi_covariance(const cd_vec3 *points, size_t count, cdi_v3 mean, double scale) {
    cdi_m3 m;
    double xx = 0.0, yy = 0.0, zz = 0.0, xy = 0.0, yz = 0.0, zx = 0.0,
           share = count ? 1.0 / (double)count : 0.0;
    for (size_t i = 0; i < count; ++i) {
        cdi_v3 d = cdi_v3_scale(cdi_v3_sub(cdi_v3_of(points[i]), mean), scale);
        xx += d.x * d.x;
        yy += d.y * d.y;
        zz += d.z * d.z;
        xy += d.x * d.y;
        yz += d.y * d.z;
        zx += d.z * d.x;
    }
    m.c[0] = cdi_v3_scale(cdi_v3_make(xx, xy, zx), share);
    m.c[1] = cdi_v3_scale(cdi_v3_make(xy, yy, yz), share);
    m.c[2] = cdi_v3_scale(cdi_v3_make(zx, yz, zz), share);
    return m;
}

double cdi_spread_scale(const cd_vec3 *points, size_t count, cdi_v3 mean) {
    double largest = 0.0;
    for (size_t i = 0; i < count; ++i) {
        double d = cdi_v3_max_abs(cdi_v3_sub(cdi_v3_of(points[i]), mean));
        if (!(d <= largest)) largest = d;
    }
    return largest > 0.0 && cdi_finite(largest) ? cdi_scale2(1.0, -cdi_exponent(largest)) : 1.0;
}

/* ---- core/cramer.c ------------------------------------------------------------------------------------------- */

#define CDI_CRAMER_TAME 300 /* exponents: products of three stay in the range */

static bool cdi_m3_is_tame(const cdi_m3 *m) {
    const double huge = cdi_exp2i(CDI_CRAMER_TAME), tiny = cdi_exp2i(-CDI_CRAMER_TAME);
    for (int j = 0; j < 3; ++j) {
        double a[3];
        cdi_v3_store(a, m->c[j]);
        for (int i = 0; i < 3; ++i) {
            if (a[i] != 0.0 && !(cdi_abs(a[i]) >= tiny && cdi_abs(a[i]) <= huge)) return false;
        }
    }
    return true;
}

static int cdi_exponent3(double x, double y, double z) {
    return cdi_exponent(cdi_v3_max_abs(cdi_v3_make(x, y, z)));
}

/* Brings the largest entry of every row, then of every column, near 1. Such a matrix has a term of its determinant that
 * is at least as large as its smallest entry, or no term at all; so with entries below 2^-900 taken for 0, what is lost
 * to underflow in the other terms is nothing beside it. */
static void cdi_m3_equilibrate(cdi_m3 *m, int row[3], int col[3]) {
    double a[3][3];
    for (int j = 0; j < 3; ++j) cdi_v3_store(a[j], m->c[j]);
    for (int i = 0; i < 3; ++i) {
        row[i] = -cdi_exponent3(a[0][i], a[1][i], a[2][i]);
        for (int j = 0; j < 3; ++j) a[j][i] = cdi_scale2(a[j][i], row[i]);
    }
    for (int j = 0; j < 3; ++j) {
        col[j] = -cdi_exponent3(a[j][0], a[j][1], a[j][2]);
        for (int i = 0; i < 3; ++i) {
            a[j][i] = cdi_scale2(a[j][i], col[j]);
            if (cdi_abs(a[j][i]) < cdi_exp2i(-900)) a[j][i] = 0.0;
        }
        m->c[j] = cdi_v3_make(a[j][0], a[j][1], a[j][2]);
    }
}

static double cdi_m3_permanent(const cdi_m3 *m) {
    const cdi_v3 *a = &m->c[0], *b = &m->c[1], *c = &m->c[2];
    return cdi_abs(a->x) * (cdi_abs(b->y * c->z) + cdi_abs(b->z * c->y)) +
           cdi_abs(a->y) * (cdi_abs(b->z * c->x) + cdi_abs(b->x * c->z)) +
           cdi_abs(a->z) * (cdi_abs(b->x * c->y) + cdi_abs(b->y * c->x));
}

CDI_FN bool cdi_cramer_of(const cdi_m3 *m, cdi_cramer *out) {
    cdi_cramer r;
    cdi_m3 a = *m;
    for (int i = 0; i < 3; ++i) {
        if (!cdi_v3_finite(a.c[i])) return false;
        r.row[i] = r.col[i] = 0;
    }
    if (!cdi_m3_is_tame(&a)) cdi_m3_equilibrate(&a, r.row, r.col);
    r.adjugate_rows.c[0] = cdi_v3_cross(a.c[1], a.c[2]);
    r.adjugate_rows.c[1] = cdi_v3_cross(a.c[2], a.c[0]);
    r.adjugate_rows.c[2] = cdi_v3_cross(a.c[0], a.c[1]);
    r.det = cdi_v3_dot(a.c[0], r.adjugate_rows.c[0]);
    if (!(cdi_abs(r.det) > 16.0 * (double)CD_REAL_EPSILON * cdi_m3_permanent(&a))) return false;
    *out = r;
    return true;
}

/* The inverse of R M C is C^-1 M^-1 R^-1. */
CDI_FN cdi_m3 cdi_cramer_inverse(const cdi_cramer *a) {
    double reciprocal = 1.0 / a->det;
    cdi_m3 r;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 v = cdi_v3_scale(a->adjugate_rows.c[i], reciprocal);
        r.c[i] = cdi_v3_make(cdi_scale2(v.x, a->row[0] + a->col[i]), cdi_scale2(v.y, a->row[1] + a->col[i]),
                             cdi_scale2(v.z, a->row[2] + a->col[i]));
    }
    return cdi_m3_transpose(&r);
}

#undef CDI_CRAMER_TAME

/* ---- core/exact.c -------------------------------------------------------------------------------------------- */

/* Limbs of 0 at both ends are dropped; those above the number are given back. */
static cdi_exact cdi_exact_trim(cdi_arena *arena, uint32_t *limb, int n, int low, int sign) {
    cdi_exact r;
    int zeros = 0;
    while (n > 0 && limb[n - 1] == 0) --n;
    while (zeros < n && limb[zeros] == 0) ++zeros;
    arena->used = (int)(limb - arena->limb) + n;
    r.limb = limb + zeros;
    r.n = n - zeros;
    r.low = low + zeros;
    r.sign = n > 0 ? sign : 0;
    return r;
}

static uint32_t *cdi_exact_take(cdi_arena *arena, int n) {
    uint32_t *limb = arena->limb + arena->used;
    CDI_ASSERT(arena->used + n <= arena->room);
    arena->used += n;
    return limb;
}

CDI_FN cdi_exact cdi_exact_of(cdi_arena *arena, double x) {
    uint64_t bits = cdi_bits(x), mantissa = bits & 0xFFFFFFFFFFFFFu;
    int e = (int)(bits >> 52 & 0x7FFu), place, shift;
    uint32_t *limb = cdi_exact_take(arena, 3);
    CDI_ASSERT(e < 0x7FF);
    if (e > 0) mantissa |= (uint64_t)1 << 52;
    place = (e > 0 ? e - 1075 : -1074) + 34 * 32; /* of the lowest bit, counted from 2^-1088 */
    shift = place % 32;
    limb[0] = (uint32_t)(mantissa << shift);
    limb[1] = (uint32_t)(mantissa >> (32 - shift));
    limb[2] = (uint32_t)(mantissa >> 32 >> (32 - shift));
    return cdi_exact_trim(arena, limb, 3, place / 32 - 34, bits >> 63 ? -1 : 1);
}

/* Limb number i of the whole row of limbs that the number is cut from. */
CDI_INLINE uint32_t cdi_exact_limb(cdi_exact a, int i) {
    return i >= a.low && i < a.low + a.n ? a.limb[i - a.low] : 0u;
}

/* The sign of |a| - |b|. */
static int cdi_exact_compare_sizes(cdi_exact a, cdi_exact b) {
    int top_a = a.low + a.n, top_b = b.low + b.n, bottom = a.low < b.low ? a.low : b.low;
    if (top_a != top_b) return top_a > top_b ? 1 : -1;
    for (int i = top_a - 1; i >= bottom; --i) {
        uint32_t x = cdi_exact_limb(a, i), y = cdi_exact_limb(b, i);
        if (x != y) return x > y ? 1 : -1;
    }
    return 0;
}

CDI_FN cdi_exact cdi_exact_add(cdi_arena *arena, cdi_exact a, cdi_exact b) {
    int low, top, order = 1;
    uint64_t carry = 0;
    uint32_t *limb;
    if (b.sign == 0) return a;
    if (a.sign == 0) return b;
    if (a.sign != b.sign) order = cdi_exact_compare_sizes(a, b);
    if (order < 0) {
        cdi_exact larger = b;
        b = a;
        a = larger;
    }
    low = a.low < b.low ? a.low : b.low;
    top = a.low + a.n > b.low + b.n ? a.low + a.n : b.low + b.n;
    limb = cdi_exact_take(arena, top - low + 1);
    for (int i = low; i < top; ++i) {
        uint64_t x = cdi_exact_limb(a, i), y = cdi_exact_limb(b, i);
        carry = a.sign == b.sign ? x + y + carry : x - y - (carry >> 63);
        limb[i - low] = (uint32_t)carry;
        if (a.sign == b.sign) carry >>= 32;
    }
    limb[top - low] = a.sign == b.sign ? (uint32_t)carry : 0u;
    return cdi_exact_trim(arena, limb, top - low + 1, low, order == 0 ? 0 : a.sign);
}

/* A difference that doubles hold exactly, as most do, needs no limbs to be taken from each other. */
CDI_FN cdi_exact cdi_exact_diff(cdi_arena *arena, double a, double b) {
    double d = a - b, t = a - d; /* what was taken from a, when d is exact */
    if (t == b && cdi_finite(d) && d + b == a) return cdi_exact_of(arena, d);
    return cdi_exact_sub(arena, cdi_exact_of(arena, a), cdi_exact_of(arena, b));
}

CDI_FN cdi_exact cdi_exact_mul(cdi_arena *arena, cdi_exact a, cdi_exact b) {
    uint32_t *limb = cdi_exact_take(arena, a.n + b.n);
    for (int i = 0; i < a.n + b.n; ++i) limb[i] = 0;
    for (int i = 0; i < a.n; ++i) {
        uint64_t carry = 0, x = a.limb[i];
        for (int j = 0; j < b.n; ++j) {
            carry += x * b.limb[j] + limb[i + j];
            limb[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        limb[i + b.n] = (uint32_t)carry;
    }
    return cdi_exact_trim(arena, limb, a.n + b.n, a.low + b.low, a.sign * b.sign);
}

CDI_FN cdi_exact cdi_exact_keep(cdi_arena *arena, int mark, cdi_exact x) {
    uint32_t *limb = arena->limb + mark;
    arena->used = mark;
    if (x.n == 0 || x.limb < limb) return x; /* it lies below */
    for (int i = 0; i < x.n; ++i) limb[i] = x.limb[i];
    x.limb = limb;
    arena->used += x.n;
    return x;
}

/* The highest 64 bits, what is below them marked in the last one, and their place. */
static uint64_t cdi_exact_leading(cdi_exact x, int *place) {
    int top = x.low + x.n - 1, zeros = 0;
    uint64_t high = (uint64_t)cdi_exact_limb(x, top) << 32 | cdi_exact_limb(x, top - 1);
    uint32_t next = cdi_exact_limb(x, top - 2);
    bool rest = x.n > 3;
    while (!(high >> 63)) {
        high = high << 1 | next >> 31;
        next <<= 1;
        ++zeros;
    }
    *place = 32 * (top - 1) - zeros;
    return rest || next ? high | 1u : high;
}

/* To 53 bits, ties to even. */
static double cdi_round_leading(uint64_t x) {
    uint64_t kept = x >> 11, dropped = x & 0x7FFu;
    if (dropped > 0x400u || (dropped == 0x400u && (kept & 1u))) ++kept;
    return (double)(int64_t)kept;
}

CDI_FN double cdi_exact_to_double(cdi_exact x) {
    int place;
    double r;
    if (x.sign == 0) return 0.0;
    r = cdi_round_leading(cdi_exact_leading(x, &place)); /* the number is r 2^(place + 11) */
    if (place > 960) return x.sign * CDI_HUGE;
    if (place < -1137) return x.sign * 4.9406564584124654e-324;
    return x.sign * cdi_min(cdi_scale2(r, place + 11), CDI_HUGE);
}

CDI_FN cdi_exact cdi_exact_det2(cdi_arena *arena, cdi_exact a, cdi_exact b, cdi_exact c, cdi_exact d) {
    int mark = arena->used;
    cdi_exact ad = cdi_exact_mul(arena, a, d), bc = cdi_exact_mul(arena, b, c);
    return cdi_exact_keep(arena, mark, cdi_exact_sub(arena, ad, bc));
}

/* Expanded by the first row. */
CDI_FN cdi_exact cdi_exact_det3(cdi_arena *arena, cdi_exact m[3][3]) {
    int mark = arena->used;
    cdi_exact sum = {NULL, 0, 0, 0};
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        cdi_exact minor = cdi_exact_det2(arena, m[1][j], m[1][k], m[2][j], m[2][k]);
        sum = cdi_exact_add(arena, sum, cdi_exact_mul(arena, m[0][i], minor));
        sum = cdi_exact_keep(arena, mark, sum);
    }
    return sum;
}

/* ---- core/expansion.c ---------------------------------------------------------------------------------------- */

/* Merges by magnitude, then sums upward; zeros are left out (FAST-EXPANSION-SUM). */
CDI_FN int cdi_expansion_sum(const double *e, int m, const double *f, int n, double *h) {
    int i = 0, j = 0, length = 0;
    double q = 0.0;
    while (i < m || j < n) {
        bool from_e = j >= n || (i < m && cdi_abs(e[i]) < cdi_abs(f[j]));
        double next = from_e ? e[i++] : f[j++], rest;
        cdi_two_sum(q, next, &q, &rest);
        if (rest != 0.0) h[length++] = rest;
    }
    if (q != 0.0) h[length++] = q;
    return length;
}

CDI_FN int cdi_expansion_scale(const double *e, int m, double b, double *h) {
    int length = 0;
    double q = 0.0, rest;
    for (int i = 0; i < m; ++i) {
        double high, low;
        cdi_two_product(e[i], b, &high, &low);
        cdi_two_sum(q, low, &q, &rest);
        if (rest != 0.0) h[length++] = rest;
        cdi_fast_two_sum(high, q, &q, &rest);
        if (rest != 0.0) h[length++] = rest;
    }
    if (q != 0.0) h[length++] = q;
    return length;
}

CDI_FN int cdi_expansion_product(const double *e, int m, const double *f, int n, double *h) {
    double low[32], high[32];
    int l, k;
    CDI_ASSERT(m <= 16 && n <= 2);
    if (m == 0 || n == 0) return 0;
    if (n == 1) return cdi_expansion_scale(e, m, f[0], h);
    l = cdi_expansion_scale(e, m, f[0], low);
    k = cdi_expansion_scale(e, m, f[1], high);
    return cdi_expansion_sum(low, l, high, k, h);
}

CDI_FN double cdi_expansion_estimate(const double *e, int m) {
    double sum = 0.0;
    for (int i = 0; i < m; ++i) sum += e[i];
    return sum;
}

/* As an expansion: smallest first, zeros left out. */
static int cdi_two_terms(cdi_two t, double out[2]) {
    int n = 0;
    if (t.lo != 0.0) out[n++] = t.lo;
    if (t.hi != 0.0) out[n++] = t.hi;
    return n;
}

/* h = a d - b c, at most 16 terms. */
static int cdi_minor(cdi_two a, cdi_two b, cdi_two c, cdi_two d, double h[16]) {
    double p[2], q[2], ad[8], bc[8];
    int n = cdi_two_terms(a, p), m = cdi_two_terms(d, q), l, k;
    l = cdi_expansion_product(p, n, q, m, ad);
    n = cdi_two_terms(b, p);
    m = cdi_two_terms(c, q);
    k = cdi_expansion_product(p, n, q, m, bc);
    for (int i = 0; i < k; ++i) bc[i] = -bc[i];
    return cdi_expansion_sum(ad, l, bc, k, h);
}

/* The entries as hi + lo; false when products of three of them might leave the range, or one is not finite. */
static bool cdi_mid_range(const cdi_diff *m, int count, cdi_two *out) {
    const double most = 2.037035976334486e90, least = 4.909093465297727e-91; /* 2^300, 2^-300 */
    for (int i = 0; i < count; ++i) {
        double hi, lo;
        out[i] = cdi_two_of_diff(m[i].a, m[i].b);
        hi = cdi_abs(out[i].hi);
        lo = cdi_abs(out[i].lo);
        if (!(hi < most && (hi > least || hi == 0.0) && (lo > least || lo == 0.0))) return false;
    }
    return true;
}

static bool cdi_all_finite(const cdi_diff *m, int count) {
    for (int i = 0; i < count; ++i) {
        if (!cdi_finite(m[i].a) || !cdi_finite(m[i].b)) return false;
    }
    return true;
}

static CDI_COLD double cdi_det2_wide(cdi_diff m[2][2]) {
    uint32_t limbs[4 * CDI_EXACT_LIMBS + 7 * CDI_EXACT_LIMBS];
    cdi_arena arena = cdi_arena_on(limbs, 11 * CDI_EXACT_LIMBS);
    cdi_exact e[4];
    if (!cdi_all_finite(m[0], 4)) return 0.0;
    for (int i = 0; i < 4; ++i) e[i] = cdi_exact_diff(&arena, m[i / 2][i % 2].a, m[i / 2][i % 2].b);
    return cdi_exact_to_double(cdi_exact_det2(&arena, e[0], e[1], e[2], e[3]));
}

static CDI_COLD double cdi_det3_wide(cdi_diff m[3][3]) {
    uint32_t limbs[24 * CDI_EXACT_LIMBS];
    cdi_arena arena = cdi_arena_on(limbs, 24 * CDI_EXACT_LIMBS);
    cdi_exact e[3][3];
    if (!cdi_all_finite(m[0], 9)) return 0.0;
    for (int i = 0; i < 9; ++i)
        e[i / 3][i % 3] = cdi_exact_diff(&arena, m[i / 3][i % 3].a, m[i / 3][i % 3].b);
    return cdi_exact_to_double(cdi_exact_det3(&arena, e));
}

CDI_FN CDI_COLD double cdi_det2_exact(cdi_diff m[2][2]) {
    cdi_two e[2][2];
    double h[16];
    if (!cdi_mid_range(m[0], 4, e[0])) return cdi_det2_wide(m);
    return cdi_expansion_estimate(h, cdi_minor(e[0][0], e[0][1], e[1][0], e[1][1], h));
}

/* Expanded by the first row. */
CDI_FN CDI_COLD double cdi_det3_exact(cdi_diff m[3][3]) {
    cdi_two e[3][3];
    double minor[16], factor[2], term[3][64], sum[128], det[192];
    int length[3], n;
    if (!cdi_mid_range(m[0], 9, e[0])) return cdi_det3_wide(m);
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        int l = cdi_minor(e[1][j], e[1][k], e[2][j], e[2][k], minor);
        int f = cdi_two_terms(e[0][i], factor);
        length[i] = cdi_expansion_product(minor, l, factor, f, term[i]);
    }
    n = cdi_expansion_sum(term[0], length[0], term[1], length[1], sum);
    n = cdi_expansion_sum(sum, n, term[2], length[2], det);
    return cdi_expansion_estimate(det, n);
}

/* ---- shape/linear.c ------------------------------------------------------------------------------------------ */

CD_API cd_ray cd_ray_through(cd_vec3 from, cd_vec3 to) {
    cd_ray r;
    r.origin = from;
    r.dir = cd_vec3_sub(to, from);
    return r;
}

CD_API cd_line cd_line_through(cd_vec3 a, cd_vec3 b) {
    cd_line l;
    l.origin = a;
    l.dir = cd_vec3_sub(b, a);
    return l;
}

CD_API cd_plane cd_plane_from_point_normal(cd_vec3 point, cd_vec3 normal) {
    cd_plane p;
    p.n = normal;
    p.d = cd_vec3_dot(point, normal);
    return p;
}

#ifdef COLLIDE_DOUBLE

/* a b - c d, where each factor has a tail: right to the last place unless the products cancel altogether. */
static double cdi_product_difference(cdi_two a, cdi_two b, cdi_two c, cdi_two d) {
    double ab, ab_tail, cd, cd_tail, difference, rest;
    cdi_two_product(a.hi, b.hi, &ab, &ab_tail);
    cdi_two_product(c.hi, d.hi, &cd, &cd_tail);
    cdi_two_diff(ab, cd, &difference, &rest);
    rest += (ab_tail - cd_tail) + ((a.hi * b.lo + a.lo * b.hi) - (c.hi * d.lo + c.lo * d.hi));
    return difference + rest;
}

static cdi_v3 cdi_compensated_cross(cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    cdi_two ex = cdi_two_of_diff(b.x, a.x), ey = cdi_two_of_diff(b.y, a.y), ez = cdi_two_of_diff(b.z, a.z);
    cdi_two fx = cdi_two_of_diff(c.x, a.x), fy = cdi_two_of_diff(c.y, a.y), fz = cdi_two_of_diff(c.z, a.z);
    return cdi_v3_make(cdi_product_difference(ey, fz, ez, fy), cdi_product_difference(ez, fx, ex, fz),
                       cdi_product_difference(ex, fy, ey, fx));
}

#endif

/* In a float build the plain product has digits to spare. CDI_CROSS_LEFT: how much of the product of the two lengths has
 * to be left for the result to be good. */
#ifdef COLLIDE_DOUBLE
#define CDI_CROSS_LEFT 1e-12
CDI_FN cdi_v3 cdi_cross_at(cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    return cdi_compensated_cross(a, b, c);
}
#else
#define CDI_CROSS_LEFT 1e-7
CDI_FN cdi_v3 cdi_cross_at(cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    return cdi_v3_cross(cdi_v3_sub(b, a), cdi_v3_sub(c, a));
}
#endif

CDI_FN cdi_v3 cdi_tri_cross(const cdi_tri *t) {
    const cdi_v3 *v = t->v;
    cdi_v3 n = cdi_cross_at(v[0], v[1], v[2]);
    double size = cdi_v3_max_abs(cdi_v3_sub(v[1], v[0])) * cdi_v3_max_abs(cdi_v3_sub(v[2], v[0]));
    return cdi_v3_max_abs(n) > CDI_CROSS_LEFT * size ? n : cdi_accurate_normal(v[0], v[1], v[2]);
}

CDI_FN cdi_v3 cdi_tri_normal(const cdi_tri *t) {
    return cdi_v3_normalize(cdi_tri_cross(t));
}

#undef CDI_CROSS_LEFT

CD_API bool cd_triangle_normal(const cd_triangle *t, cd_vec3 *out) {
    cdi_tri d = cdi_tri_of(t);
    cdi_v3 n = cdi_tri_normal(&d);
    if (cdi_v3_is_zero(n)) return false;
    if (out) *out = cdi_v3_round(n);
    return true;
}

CD_API bool cd_plane_from_points(cd_vec3 a, cd_vec3 b, cd_vec3 c, cd_plane *out) {
    cdi_tri t;
    cdi_v3 n;
    t.v[0] = cdi_v3_of(a);
    t.v[1] = cdi_v3_of(b);
    t.v[2] = cdi_v3_of(c);
    n = cdi_tri_normal(&t);
    if (cdi_v3_is_zero(n)) return false;
    if (out) {
        out->n = cdi_v3_round(n);
        out->d = (cd_real)cdi_v3_dot(n, t.v[0]);
    }
    return true;
}

CD_API bool cd_plane_from_triangle(const cd_triangle *t, cd_plane *out) {
    return cd_plane_from_points(t->a, t->b, t->c, out);
}

CD_API cd_plane cd_plane_normalize(cd_plane p) {
    cdi_v3 n = cdi_v3_of(p.n), unit = cdi_v3_normalize(n);
    p.n = cdi_v3_round(unit);
    p.d = cdi_v3_is_zero(unit) ? 0 : (cd_real)((double)p.d / cdi_v3_length(n));
    return p;
}

CD_API cd_plane cd_plane_transform(cd_plane p, const cd_transform *pose) {
    cdi_pose q = cdi_pose_of(pose);
    cdi_v3 n = cdi_m3_mul_v3(&q.rotation, cdi_v3_of(p.n));
    p.n = cdi_v3_round(n);
    p.d = (cd_real)((double)p.d + cdi_v3_dot(n, q.position));
    return p;
}

CD_API cd_real cd_triangle_area(const cd_triangle *t) {
    cdi_tri d = cdi_tri_of(t);
    double area = 0.5 * cdi_v3_length(cdi_tri_cross(&d));
    if (area != area && cdi_tri_finite(&d)) return CD_REAL_MAX; /* far outside the domain */
    return (cd_real)area;
}

CD_API cd_triangle cd_triangle_transform(const cd_triangle *t, const cd_transform *pose) {
    cdi_pose p = cdi_pose_of(pose);
    cd_triangle r;
    r.a = cdi_pose_point_round(&p, t->a);
    r.b = cdi_pose_point_round(&p, t->b);
    r.c = cdi_pose_point_round(&p, t->c);
    return r;
}

CD_API bool cd_line_is_valid(const cd_line *l) {
    return cd_vec3_is_valid(l->origin) && cd_vec3_is_valid(l->dir) && !cdi_v3_is_zero(cdi_v3_of(l->dir));
}

CD_API bool cd_ray_is_valid(const cd_ray *r) {
    return cd_vec3_is_valid(r->origin) && cd_vec3_is_valid(r->dir);
}

CD_API bool cd_segment_is_valid(const cd_segment *s) {
    return cd_vec3_is_valid(s->a) && cd_vec3_is_valid(s->b);
}

CD_API bool cd_plane_is_valid(const cd_plane *p) {
    return cd_vec3_is_valid(p->n) && !cdi_v3_is_zero(cdi_v3_of(p->n)) && cdi_finite((double)p->d);
}

CD_API bool cd_triangle_is_valid(const cd_triangle *t) {
    return cd_vec3_is_valid(t->a) && cd_vec3_is_valid(t->b) && cd_vec3_is_valid(t->c);
}

/* ---- shape/volume.c ------------------------------------------------------------------------------------------ */

CDI_FN cd_real cdi_round_down(double x, double tail) {
    cd_real r = (cd_real)cdi_clamp(x, -(double)CD_REAL_MAX, (double)CD_REAL_MAX);
    if ((double)r > x || ((double)r == x && tail < 0.0)) r = cdi_next_real(r, false);
    return r;
}

CD_API cd_aabb cd_aabb_empty(void) {
    cd_aabb b;
    b.min = cd_vec3_make(CD_REAL_MAX, CD_REAL_MAX, CD_REAL_MAX);
    b.max = cd_vec3_neg(b.min);
    return b;
}

CD_API cd_aabb cd_aabb_from_points(const cd_vec3 *points, size_t count) {
    cd_aabb b = cd_aabb_empty();
    for (size_t i = 0; i < count; ++i) {
        b.min = cd_vec3_min(points[i], b.min); /* the second is kept where the first is NaN */
        b.max = cd_vec3_max(points[i], b.max);
    }
    return b;
}

/* a - b and a + b, rounded outward. */
static cd_real cdi_diff_down(double a, double b) {
    cdi_two d = cdi_two_of_diff(a, b);
    return cdi_round_down(d.hi, d.lo);
}
static cd_real cdi_sum_up(double a, double b) {
    return -cdi_diff_down(-a, b);
}

/* The box center +- extent, rounded outward. */
static cd_aabb cdi_aabb_around(cdi_v3 c, cdi_v3 e) {
    cd_aabb b;
    b.min = cd_vec3_make(cdi_diff_down(c.x, e.x), cdi_diff_down(c.y, e.y), cdi_diff_down(c.z, e.z));
    b.max = cd_vec3_make(cdi_sum_up(c.x, e.x), cdi_sum_up(c.y, e.y), cdi_sum_up(c.z, e.z));
    return b;
}

CD_API cd_aabb cd_aabb_from_sphere(cd_sphere s) {
    double r = (double)s.radius;
    if (!(r >= 0.0)) return cd_aabb_empty();
    return cdi_aabb_around(cdi_v3_of(s.center), cdi_v3_make(r, r, r));
}

/* Half the extent along a world axis is the sum of |axis component| * half (Ericson 4.2.6), grown by its rounding. */
CD_API cd_aabb cd_aabb_from_obb(const cd_obb *b) {
    cdi_obb d = cdi_obb_of(b);
    double e[3];
    for (int i = 0; i < 3; ++i) {
        e[i] = 0.0;
        for (int j = 0; j < 3; ++j) e[i] += cdi_abs(cdi_v3_get(d.axes.c[j], i)) * d.half[j];
        e[i] += e[i] * 8.881784197001252e-16;
    }
    return cdi_aabb_around(d.center, cdi_v3_make(e[0], e[1], e[2]));
}

/* The least half extent around a rounded centre that still reaches both ends. */
static cd_real cdi_half_around(cd_real center, cd_real lo, cd_real hi) {
    cd_real below = cdi_sum_up((double)center, -(double)lo), above = cdi_sum_up((double)hi, -(double)center);
    return below > above ? below : above;
}

CD_API cd_obb cd_obb_from_aabb(cd_aabb b) {
    cd_obb r;
    if (cd_aabb_is_empty(b)) b.min = b.max = cd_vec3_make(0, 0, 0);
    r.center = cdi_v3_round(cdi_v3_along(cdi_v3_scale(cdi_v3_of(b.min), 0.5), cdi_v3_of(b.max), 0.5));
    r.axes = cd_mat3_identity();
    r.half = cd_vec3_make(cdi_half_around(r.center.x, b.min.x, b.max.x),
                          cdi_half_around(r.center.y, b.min.y, b.max.y),
                          cdi_half_around(r.center.z, b.min.z, b.max.z));
    return r;
}

CD_API cd_obb cd_obb_transform(const cd_obb *b, const cd_transform *pose) {
    cd_obb r;
    r.center = cd_transform_point(pose, b->center);
    r.half = b->half;
    for (int i = 0; i < 3; ++i) r.axes.col[i] = cd_transform_vector(pose, b->axes.col[i]);
    return r;
}

CD_API void cd_obb_to_vertices(const cd_obb *b, cd_vec3 out[8]) {
    cdi_obb d = cdi_obb_of(b);
    for (int i = 0; i < 8; ++i) {
        cdi_v3 p = cdi_v3_make(i & 1 ? d.half[0] : -d.half[0], i & 2 ? d.half[1] : -d.half[1],
                               i & 4 ? d.half[2] : -d.half[2]);
        out[i] = cdi_v3_round(cdi_obb_world(&d, p));
    }
}

CD_API bool cd_sphere_is_valid(cd_sphere s) {
    return cd_vec3_is_valid(s.center) && cdi_finite((double)s.radius) && s.radius >= 0;
}

CD_API bool cd_aabb_is_valid(cd_aabb b) {
    return cdi_aabb_finite(b) && !cd_aabb_is_empty(b);
}

CD_API bool cd_obb_is_valid(const cd_obb *b) {
    return cd_vec3_is_valid(b->center) && cd_vec3_is_valid(b->half) && b->half.x >= 0 && b->half.y >= 0 &&
           b->half.z >= 0 && cd_mat3_is_rotation(&b->axes, 0);
}

/* ---- shape/mesh_view.c --------------------------------------------------------------------------------------- */

static uint32_t cdi_position_size(const cd_mesh_view *mesh) {
    switch (mesh->position_format) {
    case CD_POSITION_REAL: return (uint32_t)(3 * sizeof(cd_real));
    case CD_POSITION_F32: return 12;
    case CD_POSITION_F64: return 24;
    default: return 0;
    }
}

static uint32_t cdi_index_size(const cd_mesh_view *mesh) {
    return mesh->index_format == CD_INDEX_U16 ? 6u : mesh->index_format == CD_INDEX_U32 ? 12u : 0u;
}

CD_API cd_mesh_view cd_mesh_view_make(const cd_vec3 *positions, uint32_t vertex_count,
                                      const uint32_t *indices, uint32_t triangle_count) {
    cd_mesh_view mesh;
    cdi_clear(&mesh, sizeof mesh);
    mesh.positions = positions;
    mesh.stride = (uint32_t)sizeof(cd_vec3);
    mesh.vertex_count = vertex_count;
    mesh.indices = indices;
    mesh.triangle_count = triangle_count;
    return mesh;
}

CD_API cd_vec3 cd_mesh_position(const cd_mesh_view *mesh, uint32_t i) {
    uint32_t size = cdi_position_size(mesh);
    const unsigned char *at = (const unsigned char *)mesh->positions;
    at += (size_t)i * (mesh->stride ? mesh->stride : size);
    if (size == 12) {
        float p[3];
        cdi_copy(p, at, sizeof p);
        return cd_vec3_make((cd_real)p[0], (cd_real)p[1], (cd_real)p[2]);
    } else {
        double p[3];
        cdi_copy(p, at, sizeof p);
        return cd_vec3_make((cd_real)p[0], (cd_real)p[1], (cd_real)p[2]);
    }
}

CD_API void cd_mesh_indices(const cd_mesh_view *mesh, uint32_t i, uint32_t out[3]) {
    const unsigned char *at = (const unsigned char *)mesh->indices;
    if (!at) {
        for (uint32_t k = 0; k < 3; ++k) out[k] = 3 * i + k;
        return;
    }
    at += (size_t)i * (mesh->index_stride ? mesh->index_stride : cdi_index_size(mesh));
    if (mesh->index_format == CD_INDEX_U16) {
        uint16_t k[3];
        cdi_copy(k, at, sizeof k);
        for (int j = 0; j < 3; ++j) out[j] = k[j];
    } else {
        cdi_copy(out, at, 3 * sizeof *out);
    }
}

CD_API bool cd_mesh_triangle(const cd_mesh_view *mesh, uint32_t i, cd_triangle *out) {
    uint32_t k[3];
    cd_mesh_indices(mesh, i, k);
    if (k[0] >= mesh->vertex_count || k[1] >= mesh->vertex_count || k[2] >= mesh->vertex_count) return false;
    out->a = cd_mesh_position(mesh, k[0]);
    out->b = cd_mesh_position(mesh, k[1]);
    out->c = cd_mesh_position(mesh, k[2]);
    return true;
}

CD_API bool cd_mesh_view_is_valid(const cd_mesh_view *mesh) {
    uint32_t position = cdi_position_size(mesh), index = cdi_index_size(mesh);
    if (position == 0 || index == 0) return false;
    if (mesh->stride != 0 && mesh->stride < position) return false;
    if (mesh->index_stride != 0 && mesh->index_stride < index) return false;
    if (!mesh->positions && mesh->vertex_count != 0) return false;
    if (!mesh->indices && mesh->triangle_count > mesh->vertex_count / 3) return false;
    return true;
}

/* ---- shape/barycentric.c ------------------------------------------------------------------------------------- */

/* The weight of corner i is n . x / n . n, with the normal n and x = (v[j]-p) x (v[k]-p) of the two other corners. As
 * parts of the lengths |n| |x| and of the product of the two edges in x, with u = 2^-53:
 * float: x is off by 16 u of that product, n by 1.5e-8;
 * double: x and n by u each, and x by 1e-30 of that product; the dot product adds 3 u. */
#ifdef COLLIDE_DOUBLE
#define CDI_WEIGHT_NOISE     1e-30
#define CDI_WEIGHT_BOUND     6.661338147750939e-16
#define CDI_WEIGHT_TOLERANCE 1.7763568394002505e-15
#else
#define CDI_WEIGHT_NOISE     1.7763568394002505e-15
#define CDI_WEIGHT_BOUND     2e-8
#define CDI_WEIGHT_TOLERANCE 1e-7
#endif

/* The quotient, within two units in the last place; both are first brought near 1 by a power of two. */
static double cdi_exact_ratio(cdi_exact num, cdi_exact den) {
    int shift = den.low + den.n;
    num.low -= shift;
    den.low -= shift;
    return cdi_exact_to_double(num) / cdi_exact_to_double(den);
}

static CDI_COLD void cdi_weights_exact(const cdi_tri *t, cdi_v3 p, double w[3]) {
    uint32_t limbs[CDI_EDGE_LIMBS + CDI_EDGE_ROOM];
    cdi_arena arena = cdi_arena_on(limbs, CDI_EDGE_LIMBS + CDI_EDGE_ROOM);
    const cdi_v3 *v = t->v;
    cdi_exact den = cdi_exact_edge(&arena, v[0], v[1], v[2], v[2]);
    int mark = arena.used;
    for (int i = 0; i < 3; ++i) {
        w[i] = cdi_exact_ratio(cdi_exact_edge(&arena, v[(i + 1) % 3], v[(i + 2) % 3], v[i], p), den);
        arena.used = mark;
    }
}

/* False when they may be off by more than they should. */
static bool cdi_weights_fast(const cdi_tri *t, cdi_v3 n, cdi_v3 p, double w[3]) {
    double square = cdi_v3_sqlength(n), length = cdi_sqrt(square), error = 0.0, largest = 0.0;
    if (!(square > 1e-290 && square < 1e290)) return false;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 b = t->v[(i + 1) % 3], c = t->v[(i + 2) % 3], x = cdi_cross_at(p, b, c);
        double size = cdi_v3_max_abs(cdi_v3_sub(b, p)) * cdi_v3_max_abs(cdi_v3_sub(c, p));
        double off = CDI_WEIGHT_NOISE * size + CDI_WEIGHT_BOUND * cdi_sqrt(cdi_v3_sqlength(x));
        double dot = cdi_v3_dot(n, x);
        if (!(off * length < 1e290)) return false;
        error = cdi_max(error, off * length);
        largest = cdi_max(largest, cdi_abs(dot));
        w[i] = dot / square;
    }
    return error <= CDI_WEIGHT_TOLERANCE * largest;
}

/* n is not 0, and all is finite. */
static cd_vec3 cdi_weights(const cdi_tri *t, cdi_v3 n, cdi_v3 p) {
    double w[3];
    if (!cdi_weights_fast(t, n, p, w)) cdi_weights_exact(t, p, w);
    return cd_vec3_make(cdi_real_of(w[0]), cdi_real_of(w[1]), cdi_real_of(w[2]));
}

#undef CDI_WEIGHT_NOISE
#undef CDI_WEIGHT_BOUND
#undef CDI_WEIGHT_TOLERANCE

/* The normal; false when there is none, or something is not finite. */
static bool cdi_weights_normal(const cdi_tri *t, cdi_v3 p, cdi_v3 *n) {
    if (!cdi_tri_finite(t) || !cdi_v3_finite(p)) return false;
    *n = cdi_tri_cross(t);
    return !cdi_v3_is_zero(*n);
}

static bool cdi_weights_checked(const cdi_tri *t, cdi_v3 p, cd_vec3 *out) {
    cdi_v3 n;
    if (!cdi_weights_normal(t, p, &n)) return false;
    if (out) *out = cdi_weights(t, n, p);
    return true;
}

CD_API bool cd_barycentric(const cd_triangle *t, cd_vec3 p, cd_vec3 *out) {
    cdi_tri d = cdi_tri_of(t);
    return cdi_weights_checked(&d, cdi_v3_of(p), out);
}

/* The shadow along an axis, in the plane z = 0. */
static cdi_v3 cdi_v3_flatten(cdi_v3 v, int axis) {
    cdi_v2 s = cdi_v3_drop(v, axis);
    return cdi_v3_make(s.x, s.y, 0.0);
}

static int cdi_largest_axis(cdi_v3 n) {
    double x = cdi_abs(n.x), y = cdi_abs(n.y), z = cdi_abs(n.z);
    if (x >= y && x >= z) return 0;
    return y >= z ? 1 : 2;
}

CD_API bool cd_barycentric_projected(const cd_triangle *t, cd_vec3 p, cd_vec3 *out) {
    cdi_tri d = cdi_tri_of(t);
    cdi_v3 n, q = cdi_v3_of(p);
    int axis;
    if (!cdi_weights_normal(&d, q, &n)) return false;
    axis = cdi_largest_axis(n);
    for (int i = 0; i < 3; ++i) d.v[i] = cdi_v3_flatten(d.v[i], axis);
    return cdi_weights_checked(&d, cdi_v3_flatten(q, axis), out);
}

static cdi_v3 cdi_v3_of_vec2(cd_vec2 v) {
    return cdi_v3_make((double)v.x, (double)v.y, 0.0);
}

CD_API bool cd_barycentric2d(cd_vec2 a, cd_vec2 b, cd_vec2 c, cd_vec2 p, cd_vec3 *out) {
    cdi_tri d;
    d.v[0] = cdi_v3_of_vec2(a);
    d.v[1] = cdi_v3_of_vec2(b);
    d.v[2] = cdi_v3_of_vec2(c);
    return cdi_weights_checked(&d, cdi_v3_of_vec2(p), out);
}

/* ---- shape/convexity.c --------------------------------------------------------------------------------------- */

/* ---- quadrilateral ---- */

CD_API bool cd_is_convex_quad(cd_vec3 a, cd_vec3 b, cd_vec3 c, cd_vec3 d) {
    cdi_v3 p = cdi_v3_of(a), q = cdi_v3_of(b), r = cdi_v3_of(c), s = cdi_v3_of(d);
    return cdi_edge_sign(q, s, p, r) < 0 && cdi_edge_sign(p, r, q, s) < 0;
}

/* ---- polygon ----
 * A closed line that turns to one side only is the boundary of a convex polygon when it turns around once, that is, when
 * its direction changes twice between the half of all directions that goes up (right, or straight up) and the other. */

/* A polygon of the plane, or the shadow of one along an axis. */
typedef struct cdi_ring {
    const cd_vec2 *flat;
    const cd_vec3 *space;
    size_t count;
    int axis;
} cdi_ring;

static cdi_v2 cdi_ring_point(const cdi_ring *r, size_t i) {
    return r->flat ? cdi_v2_of(r->flat[i]) : cdi_v3_drop(cdi_v3_of(r->space[i]), r->axis);
}

/* The last corner that differs from the first; false when all are one. */
static bool cdi_ring_before_first(const cdi_ring *r, cdi_v2 *out) {
    cdi_v2 first = cdi_ring_point(r, 0);
    for (size_t i = r->count; i-- > 1;) {
        *out = cdi_ring_point(r, i);
        if (!cdi_v2_same(*out, first)) return true;
    }
    return false;
}

/* Finite corners, at least one. */
static bool cdi_ring_is_convex(const cdi_ring *r) {
    cdi_v2 before, at = cdi_ring_point(r, 0);
    int turn = 0, changes = 0;
    bool up;
    if (!cdi_ring_before_first(r, &before)) return false;
    up = cdi_goes_up(before, at);
    for (size_t i = 1; i <= r->count; ++i) {
        cdi_v2 next = cdi_ring_point(r, i == r->count ? 0 : i);
        int side;
        if (cdi_v2_same(next, at)) continue;
        side = cdi_sign(cdi_orient2d(before, at, next));
        if (side * turn < 0) return false;
        if (side != 0) turn = side;
        if (cdi_goes_up(at, next) != up) {
            if (side == 0 || ++changes > 2) return false; /* back on itself, or around again */
            up = !up;
        }
        before = at;
        at = next;
    }
    return turn != 0;
}

CD_API bool cd_is_convex_polygon(const cd_vec2 *v, size_t count) {
    cdi_ring r;
    if (count < 3) return false;
    for (size_t i = 0; i < count; ++i) {
        if (!cdi_finite((double)v[i].x) || !cdi_finite((double)v[i].y)) return false;
    }
    r.flat = v;
    r.space = NULL;
    r.count = count;
    r.axis = 2;
    return cdi_ring_is_convex(&r);
}

/* The axis on which the normal of the first corners that are not in line is largest; -1 when all are. */
static int cdi_ring_axis(const cd_vec3 *v, size_t count) {
    cdi_v3 a = cdi_v3_of(v[0]), b = a;
    for (size_t i = 1; i < count; ++i) {
        cdi_v3 c = cdi_v3_of(v[i]), n;
        double most;
        if (cdi_v3_is_zero(cdi_v3_sub(b, a))) b = c;
        n = cdi_exact_normal(a, b, c);
        most = cdi_v3_max_abs(n);
        if (most > 0.0) return cdi_abs(n.x) == most ? 0 : cdi_abs(n.y) == most ? 1 : 2;
    }
    return -1;
}

CD_API bool cd_is_convex_polygon3(const cd_vec3 *v, size_t count) {
    cdi_ring r;
    if (count < 3) return false;
    for (size_t i = 0; i < count; ++i) {
        if (!cd_vec3_is_valid(v[i])) return false;
    }
    r.flat = NULL;
    r.space = v;
    r.count = count;
    r.axis = cdi_ring_axis(v, count);
    return r.axis >= 0 && cdi_ring_is_convex(&r);
}

/* ---- polyhedron ----
 * Let o be strictly behind the planes of all triangles. Seen from o, the triangles cover the sphere of directions, two
 * neighbours never on the same side of their edge, so that every direction but those of the corners is covered equally
 * often; by the direction of one ray, once. Then the body is the set where a function is at most 1 that grows evenly along
 * rays from o and is linear on the cone of each triangle; it is convex across the edges, so along almost every line, so
 * everywhere. */

static bool cdi_flawed(cd_convexity *out, cd_convexity_flaw flaw, uint32_t feature) {
    if (out) {
        out->flaw = (uint32_t)flaw;
        out->feature = feature;
    }
    return false;
}

static bool cdi_check_faces(const cdi_poly *b, cd_convexity *out) {
    cdi_v3 v[3];
    for (uint32_t i = 0; i < b->triangle_count; ++i) {
        if (!cdi_poly_triangle_is_valid(b, i))
            return cdi_flawed(out, CD_CONVEXITY_INPUT, CD_FEATURE(CD_FEATURE_FACE, i));
    }
    for (uint32_t i = 0; i < b->triangle_count; ++i) {
        cdi_poly_corners(b, i, v);
        if (cdi_v3_is_zero(cdi_exact_normal(v[0], v[1], v[2])))
            return cdi_flawed(out, CD_CONVEXITY_DEGENERATE, CD_FEATURE(CD_FEATURE_FACE, i));
    }
    return true;
}

/* For each half-edge the one that runs back along it, its own number where there is none or more than one. `twin` has
 * room for all, `work` for twice as many and one more than there are vertices. */
static void cdi_find_twins(const cdi_poly *b, uint32_t *twin, uint32_t *work) {
    uint32_t count = 3 * b->triangle_count, *order = work;
    cdi_order_half_edges(b, order, work + count);
    for (uint32_t i = 0; i < count; ++i) twin[i] = i;
    for (uint32_t i = 0, end; i < count; i = end) {
        end = cdi_edge_end(b, order, i);
        if (end - i != 2 || cdi_half_edge_start(b, order[i]) == cdi_half_edge_start(b, order[i + 1]))
            continue;
        twin[order[i]] = order[i + 1];
        twin[order[i + 1]] = order[i];
    }
}

/* Convex, or flat with the triangles on opposite sides. */
static bool cdi_edge_is_convex(const cdi_poly *b, uint32_t h, uint32_t twin) {
    uint32_t next = cdi_half_edge_next(h);
    cdi_v3 from = cdi_poly_corner(b, h), to = cdi_poly_corner(b, next);
    cdi_v3 left = cdi_poly_corner(b, cdi_half_edge_next(next));
    cdi_v3 right = cdi_poly_corner(b, cdi_half_edge_next(cdi_half_edge_next(twin)));
    double side = cdi_orient3d(from, to, left, right);
    return side > 0.0 || (side == 0.0 && cdi_edge_sign(from, to, left, right) < 0);
}

static bool cdi_check_edges_with(const cdi_poly *b, uint32_t *twin, uint32_t *work, cd_convexity *out) {
    cdi_find_twins(b, twin, work);
    for (uint32_t h = 0; h < 3 * b->triangle_count; ++h) {
        if (twin[h] == h) return cdi_flawed(out, CD_CONVEXITY_OPEN, CD_FEATURE(CD_FEATURE_EDGE, h));
    }
    for (uint32_t h = 0; h < 3 * b->triangle_count; ++h) {
        if (twin[h] > h && !cdi_edge_is_convex(b, h, twin[h]))
            return cdi_flawed(out, CD_CONVEXITY_REFLEX, CD_FEATURE(CD_FEATURE_EDGE, h));
    }
    return true;
}

static bool cdi_check_edges(const cdi_poly *b, const cd_allocator *allocator, cd_convexity *out) {
    size_t edges = 3 * (size_t)b->triangle_count, count = 3 * edges + b->vertex_count + 1;
    uint32_t *memory = (uint32_t *)cdi_alloc(allocator, count, sizeof *memory);
    bool good;
    if (!memory) return cdi_flawed(out, CD_CONVEXITY_MEMORY, CD_FEATURE_NONE);
    good = cdi_check_edges_with(b, memory, memory + edges, out);
    cdi_free(allocator, memory, count, sizeof *memory);
    return good;
}

/* The centre of a tetrahedron of four corners of the body, which doubles need not hold: the corners, and about what the
 * centre is apart from the first; no corner is farther from it than `spread` on any axis. */
typedef struct cdi_body_kernel {
    cdi_v3 w[4], offset;
    double spread;
} cdi_body_kernel;

static bool cdi_find_kernel(const cdi_poly *b, cdi_body_kernel *k, cd_convexity *out) {
    uint32_t h = 3, count = 3 * b->triangle_count;
    cdi_poly_corners(b, 0, k->w);
    while (h < count && cdi_orient3d(k->w[0], k->w[1], k->w[2], cdi_poly_corner(b, h)) == 0.0) ++h;
    if (h == count) return cdi_flawed(out, CD_CONVEXITY_FLAT, CD_FEATURE_NONE);
    k->w[3] = cdi_poly_corner(b, h);
    k->offset = cdi_v3_make(0.0, 0.0, 0.0);
    k->spread = 0.0;
    for (int i = 1; i < 4; ++i) {
        cdi_v3 d = cdi_v3_sub(k->w[i], k->w[0]);
        k->offset = cdi_v3_along(k->offset, d, 0.25);
        k->spread = cdi_max(k->spread, cdi_v3_max_abs(d));
    }
    return true;
}

/* No corner of the tetrahedron is in front of a triangle: its centre is strictly behind all. */
static bool cdi_check_kernel(const cdi_poly *b, const cdi_body_kernel *k, cd_convexity *out) {
    cdi_v3 v[3];
    for (uint32_t i = 0; i < b->triangle_count; ++i) {
        cdi_poly_corners(b, i, v);
        for (int j = 0; j < 4; ++j) {
            if (cdi_orient3d(v[0], v[1], v[2], k->w[j]) < 0.0)
                return cdi_flawed(out, CD_CONVEXITY_INSIDE_OUT, CD_FEATURE(CD_FEATURE_FACE, i));
        }
    }
    return true;
}

/* 4 x less the sum of the corners' coordinates. */
static cdi_exact cdi_exact_from_kernel(cdi_arena *arena, double x, const cdi_body_kernel *k, int axis) {
    int mark = arena->used;
    cdi_exact sum = cdi_exact_mul(arena, cdi_exact_of(arena, 4.0), cdi_exact_of(arena, x));
    for (int i = 0; i < 4; ++i) {
        cdi_exact w = cdi_exact_of(arena, cdi_v3_get(k->w[i], axis));
        sum = cdi_exact_keep(arena, mark, cdi_exact_sub(arena, sum, w));
    }
    return sum;
}

/* The sign of component `axis` of (x-o) x (y-o), with the centre o. */
static CDI_COLD int cdi_body_kernel_cross_exact(const cdi_body_kernel *k, cdi_v3 x, cdi_v3 y, int axis) {
    uint32_t limbs[12 * CDI_EXACT_LIMBS];
    cdi_arena arena = cdi_arena_on(limbs, 12 * CDI_EXACT_LIMBS);
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    cdi_exact xi = cdi_exact_from_kernel(&arena, cdi_v3_get(x, i), k, i);
    cdi_exact xj = cdi_exact_from_kernel(&arena, cdi_v3_get(x, j), k, j);
    cdi_exact yi = cdi_exact_from_kernel(&arena, cdi_v3_get(y, i), k, i);
    cdi_exact yj = cdi_exact_from_kernel(&arena, cdi_v3_get(y, j), k, j);
    return cdi_exact_det2(&arena, xi, xj, yi, yj).sign;
}

/* On which side of the plane through o, x and y the ray from o runs that goes along z, turned toward x by next to nothing
 * and toward y by next to nothing of that. It is in the plane only if o, x and y are in line. */
static int cdi_body_kernel_ray_side(const cdi_body_kernel *k, cdi_v3 x, cdi_v3 y) {
    static const int order[3] = {2, 0, 1};
    cdi_v3 from_x = cdi_v3_sub(x, k->w[0]), from_y = cdi_v3_sub(y, k->w[0]), cross;
    double error =
        7.105427357601002e-15 * (cdi_v3_max_abs(from_x) + k->spread) * (cdi_v3_max_abs(from_y) + k->spread) +
        1e-280; /* 64 u; each difference is off by 4 u */
    cross = cdi_v3_cross(cdi_v3_sub(from_x, k->offset), cdi_v3_sub(from_y, k->offset));
    for (int i = 0; i < 3; ++i) {
        double c = cdi_v3_get(cross, order[i]);
        int side = cdi_abs(c) > error ? cdi_sign(c) : cdi_body_kernel_cross_exact(k, x, y, order[i]);
        if (side != 0) return side;
    }
    return 0;
}

/* How many triangles the ray meets, up to 2. */
static int cdi_body_kernel_covers(const cdi_poly *b, const cdi_body_kernel *k) {
    int covers = 0;
    for (uint32_t i = 0; i < b->triangle_count && covers < 2; ++i) {
        cdi_v3 v[3];
        cdi_poly_corners(b, i, v);
        covers += cdi_body_kernel_ray_side(k, v[0], v[1]) > 0 &&
                  cdi_body_kernel_ray_side(k, v[1], v[2]) > 0 && cdi_body_kernel_ray_side(k, v[2], v[0]) > 0;
    }
    return covers;
}

CD_API bool cd_is_convex_polyhedron(const cd_vec3 *vertices, size_t vertex_count, const uint32_t *triangles,
                                    size_t triangle_count, const cd_allocator *allocator, cd_convexity *out) {
    cdi_poly b;
    cdi_body_kernel k;
    if (!cdi_poly_make(&b, vertices, vertex_count, triangles, triangle_count))
        return cdi_flawed(out, CD_CONVEXITY_MEMORY, CD_FEATURE_NONE);
    if (triangle_count == 0) return cdi_flawed(out, CD_CONVEXITY_FLAT, CD_FEATURE_NONE);
    if (!cdi_check_faces(&b, out) || !cdi_check_edges(&b, allocator, out)) return false;
    if (!cdi_find_kernel(&b, &k, out) || !cdi_check_kernel(&b, &k, out)) return false;
    return cdi_body_kernel_covers(&b, &k) == 1 || cdi_flawed(out, CD_CONVEXITY_MULTIPLE, CD_FEATURE_NONE);
}

/* ---- shape/voronoi.c ----------------------------------------------------------------------------------------- */

/* ---- simplices ----
 * A point q of a convex hull is the nearest to p exactly when (p-q) . (w-q) <= 0 for every corner w. For q in the inside of
 * an edge this is the sign of a product of cross products, as the part of p-q along the edge is 0. */

static bool cdi_owned_by_corner(cdi_v3 p, const cdi_v3 *v, int count, int i) {
    for (int k = 0; k < count; ++k) {
        if (k != i && cdi_along_sign(v[i], v[k], p) > 0) return false;
    }
    return true;
}

/* Is the foot of the perpendicular strictly between a and b? */
static bool cdi_is_between(cdi_v3 p, cdi_v3 a, cdi_v3 b) {
    return cdi_along_sign(a, b, p) > 0 && cdi_along_sign(b, a, p) > 0;
}

static bool cdi_owned_by_edge(cdi_v3 p, const cdi_v3 *v, int count, int i, int j) {
    if (!cdi_is_between(p, v[i], v[j])) return false;
    for (int k = 0; k < count; ++k) {
        if (k != i && k != j && cdi_edge_sign(v[i], v[j], v[k], p) > 0) return false;
    }
    return true;
}

/* Is the foot strictly in the triangle, and p not on the side of `opposite`? */
static bool cdi_owned_by_face(cdi_v3 p, cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 opposite) {
    return cdi_edge_sign(a, b, c, p) > 0 && cdi_edge_sign(b, c, a, p) > 0 && cdi_edge_sign(c, a, b, p) > 0 &&
           cdi_sign(cdi_orient3d(a, b, c, p)) * cdi_sign(cdi_orient3d(a, b, c, opposite)) <= 0;
}

/* The corner or edge that owns p; CD_FEATURE_NONE when a face or the inside does. */
static uint32_t cdi_simplex_rim(cdi_v3 p, const cdi_v3 *v, int count) {
    static const int edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    for (int i = 0; i < count; ++i) {
        if (cdi_owned_by_corner(p, v, count, i)) return CD_FEATURE(CD_FEATURE_VERTEX, (uint32_t)i);
    }
    for (int i = 0; i < count * (count - 1) / 2; ++i) {
        if (cdi_owned_by_edge(p, v, count, edge[i][0], edge[i][1]))
            return CD_FEATURE(CD_FEATURE_EDGE, (uint32_t)i);
    }
    return CD_FEATURE_NONE;
}

static bool cdi_all_points_finite(const cdi_v3 *v, int count) {
    for (int i = 0; i < count; ++i) {
        if (!cdi_v3_finite(v[i])) return false;
    }
    return true;
}

CD_API uint32_t cd_voronoi_region_segment(cd_vec3 p, const cd_segment *s) {
    cdi_v3 v[3];
    v[0] = cdi_v3_of(s->a);
    v[1] = cdi_v3_of(s->b);
    v[2] = cdi_v3_of(p);
    if (!cdi_all_points_finite(v, 3)) return CD_FEATURE_NONE;
    return cdi_simplex_rim(v[2], v, 2);
}

/* Finite input. A triangle without area has no point that only its face could own. */
static uint32_t cdi_triangle_region(cdi_v3 p, const cdi_v3 v[3]) {
    uint32_t rim = cdi_simplex_rim(p, v, 3);
    return rim ? rim : CD_FEATURE(CD_FEATURE_FACE, 0u);
}

CD_API uint32_t cd_voronoi_region_triangle(cd_vec3 p, const cd_triangle *t) {
    cdi_tri d = cdi_tri_of(t);
    if (!cd_vec3_is_valid(p) || !cdi_tri_finite(&d)) return CD_FEATURE_NONE;
    return cdi_triangle_region(cdi_v3_of(p), d.v);
}

CD_API uint32_t cd_voronoi_region_tetrahedron(cd_vec3 p, cd_vec3 a, cd_vec3 b, cd_vec3 c, cd_vec3 d) {
    cdi_v3 v[5];
    uint32_t rim;
    v[0] = cdi_v3_of(a);
    v[1] = cdi_v3_of(b);
    v[2] = cdi_v3_of(c);
    v[3] = cdi_v3_of(d);
    v[4] = cdi_v3_of(p);
    if (!cdi_all_points_finite(v, 5)) return CD_FEATURE_NONE;
    rim = cdi_simplex_rim(v[4], v, 4);
    if (rim) return rim;
    for (uint32_t i = 0; i < 4; ++i) {
        if (cdi_owned_by_face(v[4], v[(i + 1) % 4], v[(i + 2) % 4], v[(i + 3) % 4], v[i]))
            return CD_FEATURE(CD_FEATURE_FACE, i);
    }
    return CD_FEATURE_NONE;
}

/* ---- boxes ---- */

/* From the side of p on each axis: -1 or 1 on or beyond the end, 0 between. */
static uint32_t cdi_box_region(const int side[3]) {
    uint32_t up[3], outside = 0, axis = 0, low, high;
    for (uint32_t k = 0; k < 3; ++k) {
        up[k] = side[k] > 0;
        if (side[k] != 0) ++outside;
    }
    if (outside == 0) return CD_FEATURE_NONE;
    if (outside == 3) return CD_FEATURE(CD_FEATURE_VERTEX, up[0] | up[1] << 1 | up[2] << 2);
    while ((side[axis] != 0) != (outside == 1)) ++axis; /* the one that differs from the others */
    if (outside == 1) return CD_FEATURE(CD_FEATURE_FACE, 2 * axis + up[axis]);
    low = axis == 0 ? 1u : 0u;
    high = axis == 2 ? 1u : 2u;
    return CD_FEATURE(CD_FEATURE_EDGE, 4 * axis + up[low] + 2 * up[high]);
}

static int cdi_span_side(cd_real x, cd_real lo, cd_real hi) {
    return x <= lo ? -1 : x >= hi ? 1 : 0;
}

CD_API uint32_t cd_voronoi_region_aabb(cd_vec3 p, cd_aabb b) {
    int side[3];
    if (!cd_vec3_is_valid(p) || !cd_aabb_is_valid(b)) return CD_FEATURE_NONE;
    side[0] = cdi_span_side(p.x, b.min.x, b.max.x);
    side[1] = cdi_span_side(p.y, b.min.y, b.max.y);
    side[2] = cdi_span_side(p.z, b.min.z, b.max.z);
    return cdi_box_region(side);
}

CD_API uint32_t cd_voronoi_region_obb(cd_vec3 p, const cd_obb *b) {
    cdi_obb d = cdi_obb_of(b);
    cdi_v3 q = cdi_v3_of(p);
    int side[3];
    if (!cdi_v3_finite(q) || !cdi_obb_finite(&d)) return CD_FEATURE_NONE;
    for (int k = 0; k < 3; ++k) {
        if (d.half[k] < 0.0) return CD_FEATURE_NONE;
        if (cdi_height_sign(d.axes.c[k], d.center, -d.half[k], q) <= 0) {
            side[k] = -1;
        } else {
            side[k] = cdi_height_sign(d.axes.c[k], d.center, d.half[k], q) >= 0 ? 1 : 0;
        }
    }
    return cdi_box_region(side);
}

/* ---- convex bodies ----
 * Where the nearest point lies in the inside of a face, that triangle claims p with p not behind its plane, and this is
 * enough, since the plane bounds the body. Where it lies on an edge or corner, one of the triangles there that do not
 * have p behind them claims p with that edge or corner. Which of the claims is right is told by all corners of the body;
 * the nearest, by plain arithmetic, is asked first. */

/* The feature of a triangle that owns p, numbered as the body's; CD_FEATURE_NONE when p is behind the triangle. */
static uint32_t cdi_poly_claim(const cdi_poly *b, uint32_t triangle, cdi_v3 p) {
    cdi_v3 v[3];
    uint32_t f, i;
    cdi_poly_corners(b, triangle, v);
    if (cdi_orient3d(v[0], v[1], v[2], p) > 0.0) return CD_FEATURE_NONE;
    f = cdi_triangle_region(p, v);
    i = CD_FEATURE_INDEX(f);
    switch (CD_FEATURE_KIND(f)) {
    case CD_FEATURE_VERTEX: return CD_FEATURE(CD_FEATURE_VERTEX, b->triangles[3 * triangle + i]);
    case CD_FEATURE_EDGE: return CD_FEATURE(CD_FEATURE_EDGE, 3 * triangle + i);
    default: return CD_FEATURE(CD_FEATURE_FACE, triangle);
    }
}

/* Squared distance to a corner or to the line of an edge, about. */
static double cdi_claim_sqdist(const cdi_poly *b, uint32_t feature, cdi_v3 p) {
    uint32_t i = CD_FEATURE_INDEX(feature);
    cdi_v3 a, along, x;
    if (CD_FEATURE_KIND(feature) == CD_FEATURE_VERTEX)
        return cdi_v3_sqlength(cdi_v3_sub(p, cdi_poly_vertex(b, i)));
    a = cdi_poly_corner(b, i);
    along = cdi_v3_sub(cdi_poly_corner(b, cdi_half_edge_next(i)), a);
    x = cdi_v3_cross(along, cdi_v3_sub(p, a));
    return cdi_v3_sqlength(x) / cdi_v3_sqlength(along);
}

/* Does a claimed corner or edge own p, against all corners? */
static bool cdi_claim_holds(const cdi_poly *b, uint32_t feature, cdi_v3 p) {
    bool corner = CD_FEATURE_KIND(feature) == CD_FEATURE_VERTEX;
    uint32_t i = CD_FEATURE_INDEX(feature);
    cdi_v3 from = corner ? cdi_poly_vertex(b, i) : cdi_poly_corner(b, i);
    cdi_v3 to = corner ? from : cdi_poly_corner(b, cdi_half_edge_next(i));
    for (uint32_t h = 0; h < 3 * b->triangle_count; ++h) {
        cdi_v3 w = cdi_poly_corner(b, h);
        if ((corner ? cdi_along_sign(from, w, p) : cdi_edge_sign(from, to, w, p)) > 0) return false;
    }
    return true;
}

/* The smallest number of the feature: of an edge's two. */
static uint32_t cdi_claim_smallest(const cdi_poly *b, uint32_t feature) {
    uint32_t i = CD_FEATURE_INDEX(feature), start, end;
    if (CD_FEATURE_KIND(feature) == CD_FEATURE_VERTEX) return feature;
    start = cdi_half_edge_start(b, i);
    end = cdi_half_edge_end(b, i);
    for (uint32_t h = 0; h < i; ++h) {
        if (cdi_half_edge_start(b, h) == end && cdi_half_edge_end(b, h) == start)
            return CD_FEATURE(CD_FEATURE_EDGE, h);
    }
    return feature;
}

static bool cdi_poly_is_valid(const cdi_poly *b) {
    for (uint32_t i = 0; i < b->triangle_count; ++i) {
        if (!cdi_poly_triangle_is_valid(b, i)) return false;
    }
    return true;
}

/* The face that claims p, or of the other claims the nearest. */
static uint32_t cdi_poly_nearest_claim(const cdi_poly *b, cdi_v3 p) {
    uint32_t best = CD_FEATURE_NONE;
    double least = 0.0;
    for (uint32_t i = 0; i < b->triangle_count; ++i) {
        uint32_t claim = cdi_poly_claim(b, i, p);
        double sqdist;
        if (claim == CD_FEATURE_NONE) continue;
        if (CD_FEATURE_KIND(claim) == CD_FEATURE_FACE) return claim;
        sqdist = cdi_claim_sqdist(b, claim, p);
        if (best != CD_FEATURE_NONE && !(sqdist < least)) continue;
        best = claim;
        least = sqdist;
    }
    return best;
}

CD_API uint32_t cd_voronoi_region_polyhedron(cd_vec3 p, const cd_vec3 *vertices, size_t vertex_count,
                                             const uint32_t *triangles, size_t triangle_count) {
    cdi_v3 q = cdi_v3_of(p);
    cdi_poly b;
    uint32_t claim;
    if (!cdi_poly_make(&b, vertices, vertex_count, triangles, triangle_count)) return CD_FEATURE_NONE;
    if (!cdi_v3_finite(q) || !cdi_poly_is_valid(&b)) return CD_FEATURE_NONE;
    claim = cdi_poly_nearest_claim(&b, q);
    if (claim == CD_FEATURE_NONE || CD_FEATURE_KIND(claim) == CD_FEATURE_FACE) return claim;
    if (cdi_claim_holds(&b, claim, q)) return cdi_claim_smallest(&b, claim);
    for (uint32_t i = 0; i < b.triangle_count; ++i) { /* rounding had the wrong one nearest */
        claim = cdi_poly_claim(&b, i, q);
        if (claim != CD_FEATURE_NONE && cdi_claim_holds(&b, claim, q)) return cdi_claim_smallest(&b, claim);
    }
    return CD_FEATURE_NONE;
}

/* ---- shape/lp.c ---------------------------------------------------------------------------------------------- */

/* A half-plane or half-space as doubles: the normal, then d. */
static void cdi_lp_read2(const cd_halfspace2 *h, double c[3]) {
    c[0] = (double)h->n.x;
    c[1] = (double)h->n.y;
    c[2] = (double)h->d;
}

static void cdi_lp_read3(const cd_plane *h, double c[4]) {
    c[0] = (double)h->n.x;
    c[1] = (double)h->n.y;
    c[2] = (double)h->n.z;
    c[3] = (double)h->d;
}

static cd_vec2 cdi_lp_vec2(const double *x) {
    return cd_vec2_make(cdi_real_of(x[0]), cdi_real_of(x[1]));
}

static cd_vec3 cdi_lp_vec3(const double *x) {
    return cd_vec3_make(cdi_real_of(x[0]), cdi_real_of(x[1]), cdi_real_of(x[2]));
}

/* The caller's half-planes or half-spaces, one of the two. */
typedef struct cdi_lp_input {
    const cd_halfspace2 *two;
    const cd_plane *three;
    size_t count;
    int dim;
} cdi_lp_input;

static void cdi_lp_read(const cdi_lp_input *in, size_t i, double *c) {
    if (in->dim == 2) {
        cdi_lp_read2(&in->two[i], c);
    } else {
        cdi_lp_read3(&in->three[i], c);
    }
}

static cdi_lp_input cdi_lp_input_of(const cd_halfspace2 *two, const cd_plane *three, size_t count, int dim) {
    cdi_lp_input in;
    in.two = two;
    in.three = three;
    in.count = count;
    in.dim = dim;
    return in;
}

static cd_status cdi_lp_check(const cdi_lp_input *in) {
    if (in->count > 0 && !in->two && !in->three) return CD_INVALID_ARGUMENT;
    if (in->count >= CD_NONE) return CD_TOO_LARGE;
    for (size_t i = 0; i < in->count; ++i) {
        double c[4];
        cdi_lp_read(in, i, c);
        if (!cdi_finite3(c[0], c[1], c[2])) return CD_INVALID_ARGUMENT;
        if (in->dim == 3 && !cdi_finite(c[3])) return CD_INVALID_ARGUMENT;
    }
    return CD_OK;
}

/* ---- linear programs ---- */

static cd_status cdi_lp_optimize(const cdi_lp_input *in, const double *goal, const cd_allocator *allocator,
                                 cdi_lp_answer *answer) {
    cdi_lp lp;
    cd_status status = cdi_lp_check(in);
    if (status != CD_OK) return status;
    for (int k = 0; k < in->dim; ++k) {
        if (!cdi_finite(goal[k])) return CD_INVALID_ARGUMENT;
    }
    if (!cdi_lp_begin(&lp, in->dim, goal, in->count, allocator)) return CD_OUT_OF_MEMORY;
    for (size_t i = 0; i < in->count; ++i) {
        double c[4];
        cdi_lp_read(in, i, c);
        cdi_lp_add(&lp, c, (uint32_t)i);
    }
    cdi_lp_solve(&lp, answer);
    cdi_lp_end(&lp, allocator);
    return CD_OK;
}

CD_API cd_status cd_lp_seidel2(const cd_halfspace2 *halfspaces, size_t count, cd_vec2 direction,
                               const cd_allocator *allocator, cd_lp2 *out) {
    cdi_lp_input in = cdi_lp_input_of(halfspaces, NULL, count, 2);
    cdi_lp_answer answer;
    cd_status status;
    double goal[2];
    goal[0] = (double)direction.x;
    goal[1] = (double)direction.y;
    status = cdi_lp_optimize(&in, goal, allocator, &answer);
    if (!out) return status;
    cdi_clear(out, sizeof *out);
    if (status != CD_OK) return status;
    out->verdict = answer.verdict;
    out->point = cdi_lp_vec2(answer.point);
    out->ray = cdi_lp_vec2(answer.ray);
    out->basis_count = answer.basis_count;
    for (uint32_t i = 0; i < answer.basis_count; ++i) out->basis[i] = answer.basis[i];
    return CD_OK;
}

CD_API cd_status cd_lp_seidel3(const cd_plane *halfspaces, size_t count, cd_vec3 direction,
                               const cd_allocator *allocator, cd_lp3 *out) {
    cdi_lp_input in = cdi_lp_input_of(NULL, halfspaces, count, 3);
    cdi_lp_answer answer;
    cd_status status;
    double goal[3];
    cdi_v3_store(goal, cdi_v3_of(direction));
    status = cdi_lp_optimize(&in, goal, allocator, &answer);
    if (!out) return status;
    cdi_clear(out, sizeof *out);
    if (status != CD_OK) return status;
    out->verdict = answer.verdict;
    out->point = cdi_lp_vec3(answer.point);
    out->ray = cdi_lp_vec3(answer.ray);
    out->basis_count = answer.basis_count;
    for (uint32_t i = 0; i < answer.basis_count; ++i) out->basis[i] = answer.basis[i];
    return CD_OK;
}

/* ---- interior points ---- */

typedef struct cdi_lp_ball {
    cd_interior verdict;
    double center[3], margin;
} cdi_lp_ball;

/* n . x + |n| r <= d: a ball of radius r about x fits in. `reach`: the largest distance of a boundary from the origin. */
static void cdi_lp_add_balls(cdi_lp *lp, const cdi_lp_input *in, double *reach) {
    for (size_t i = 0; i < in->count; ++i) {
        double c[5], d, length;
        c[2] = 0.0;
        cdi_lp_read(in, i, c);
        d = c[in->dim];
        length = cdi_v3_length(cdi_v3_make(c[0], c[1], in->dim == 3 ? c[2] : 0.0));
        c[in->dim] = cdi_min(length, CDI_HUGE);
        c[in->dim + 1] = d;
        cdi_lp_add(lp, c, (uint32_t)i);
        if (length > 0.0) *reach = cdi_max(*reach, cdi_abs(d) / length);
    }
}

/* The largest ball, its radius bounded by one more row. */
static void cdi_lp_inscribe(cdi_lp *lp, const cdi_lp_input *in, cdi_lp_ball *ball) {
    cdi_lp_answer answer;
    double c[5] = {0.0, 0.0, 0.0, 0.0, 0.0}, reach = 0.0;
    cdi_lp_add_balls(lp, in, &reach);
    c[in->dim] = 1.0;
    c[in->dim + 1] = reach > 0.0 ? cdi_min(reach, CDI_HUGE) : 1.0;
    cdi_lp_add(lp, c, CD_NONE);
    cdi_lp_solve(lp, &answer);
    ball->verdict = CD_INTERIOR_EMPTY;
    ball->margin = -(double)CD_REAL_MAX;
    if (answer.verdict == CD_LP_INFEASIBLE) return;
    ball->margin = answer.point[in->dim];
    if (ball->margin < 0.0) return;
    for (int k = 0; k < in->dim; ++k) ball->center[k] = (double)cdi_real_of(answer.point[k]);
    ball->verdict = ball->margin == 0.0                        ? CD_INTERIOR_FLAT
                    : cdi_lp_inside(lp, in->dim, ball->center) ? CD_INTERIOR_FOUND
                                                               : CD_INTERIOR_THIN;
}

static cd_status cdi_lp_interior(const cdi_lp_input *in, const cd_allocator *allocator, cdi_lp_ball *ball) {
    cdi_lp lp;
    double goal[4] = {0.0, 0.0, 0.0, 0.0};
    cd_status status = cdi_lp_check(in);
    cdi_clear(ball, sizeof *ball);
    if (status != CD_OK) return status;
    goal[in->dim] = 1.0;
    if (!cdi_lp_begin(&lp, in->dim + 1, goal, in->count + 1, allocator)) return CD_OUT_OF_MEMORY;
    cdi_lp_inscribe(&lp, in, ball);
    cdi_lp_end(&lp, allocator);
    return CD_OK;
}

CD_API cd_status cd_halfplanes_interior_point(const cd_halfspace2 *halfspaces, size_t count,
                                              const cd_allocator *allocator, cd_interior2 *out) {
    cdi_lp_input in = cdi_lp_input_of(halfspaces, NULL, count, 2);
    cdi_lp_ball ball;
    cd_status status = cdi_lp_interior(&in, allocator, &ball);
    if (!out) return status;
    out->verdict = ball.verdict;
    out->point = cdi_lp_vec2(ball.center);
    out->margin = cdi_real_of(ball.margin);
    return status;
}

CD_API cd_status cd_halfspaces_interior_point(const cd_plane *halfspaces, size_t count,
                                              const cd_allocator *allocator, cd_interior3 *out) {
    cdi_lp_input in = cdi_lp_input_of(NULL, halfspaces, count, 3);
    cdi_lp_ball ball;
    cd_status status = cdi_lp_interior(&in, allocator, &ball);
    if (!out) return status;
    out->verdict = ball.verdict;
    out->point = cdi_lp_vec3(ball.center);
    out->margin = cdi_real_of(ball.margin);
    return status;
}

/* ---- shape/side3d.c ------------------------------------------------------------------------------------------ */

/* Bounds of the rounding error relative to the sum of the terms' magnitudes, u = 2^-53. A dot product of differences: two
 * u for these, one for the product, two for the sums, rounded up to 8 u. A product of cross products: four u for each of
 * the two, three for the rest, rounded up to 16 u. A product that underflows is off by less than CDI_SIDE_UNDERFLOW. */
#define CDI_SIDE_LEAST     1e-280
#define CDI_SIDE_UNDERFLOW 1e-250
#define CDI_ALONG_BOUND    8.881784197001252e-16
#define CDI_EDGE_BOUND     1.7763568394002505e-15

static void cdi_exact_vector(cdi_arena *arena, cdi_v3 a, cdi_v3 b, cdi_exact out[3]) {
    out[0] = cdi_exact_diff(arena, a.x, b.x);
    out[1] = cdi_exact_diff(arena, a.y, b.y);
    out[2] = cdi_exact_diff(arena, a.z, b.z);
}

static cdi_exact cdi_exact_dot(cdi_arena *arena, const cdi_exact a[3], const cdi_exact b[3]) {
    int mark = arena->used;
    cdi_exact sum = cdi_exact_mul(arena, a[0], b[0]);
    for (int i = 1; i < 3; ++i) {
        sum = cdi_exact_keep(arena, mark, cdi_exact_add(arena, sum, cdi_exact_mul(arena, a[i], b[i])));
    }
    return sum;
}

static CDI_COLD int cdi_along_sign_exact(cdi_v3 a, cdi_v3 b, cdi_v3 p) {
    uint32_t limbs[14 * CDI_EXACT_LIMBS];
    cdi_arena arena = cdi_arena_on(limbs, 14 * CDI_EXACT_LIMBS);
    cdi_exact ab[3], ap[3];
    if (!cdi_v3_finite(a) || !cdi_v3_finite(b) || !cdi_v3_finite(p)) return 0;
    cdi_exact_vector(&arena, b, a, ab);
    cdi_exact_vector(&arena, p, a, ap);
    return cdi_exact_dot(&arena, ab, ap).sign;
}

CDI_FN int cdi_along_sign(cdi_v3 a, cdi_v3 b, cdi_v3 p) {
    cdi_v3 ab = cdi_v3_sub(b, a), ap = cdi_v3_sub(p, a);
    double x = ab.x * ap.x, y = ab.y * ap.y, z = ab.z * ap.z, dot = x + y + z;
    double error = CDI_ALONG_BOUND * (cdi_abs(x) + cdi_abs(y) + cdi_abs(z)) + CDI_SIDE_LEAST;
    if (dot > error || -dot > error) return cdi_sign(dot);
    return cdi_along_sign_exact(a, b, p);
}

static CDI_COLD int cdi_height_sign_exact(cdi_v3 d, cdi_v3 o, double s, cdi_v3 p) {
    uint32_t limbs[16 * CDI_EXACT_LIMBS];
    cdi_arena arena = cdi_arena_on(limbs, 16 * CDI_EXACT_LIMBS);
    cdi_exact n[3], op[3], dot;
    if (!cdi_v3_finite(d) || !cdi_v3_finite(o) || !cdi_v3_finite(p) || !cdi_finite(s)) return 0;
    cdi_exact_vector(&arena, d, cdi_v3_make(0.0, 0.0, 0.0), n);
    cdi_exact_vector(&arena, p, o, op);
    dot = cdi_exact_dot(&arena, n, op);
    return cdi_exact_sub(&arena, dot, cdi_exact_of(&arena, s)).sign;
}

CDI_FN int cdi_height_sign(cdi_v3 d, cdi_v3 o, double s, cdi_v3 p) {
    cdi_v3 op = cdi_v3_sub(p, o);
    double x = d.x * op.x, y = d.y * op.y, z = d.z * op.z, height = x + y + z - s;
    double size = cdi_abs(x) + cdi_abs(y) + cdi_abs(z) + cdi_abs(s);
    double error = CDI_ALONG_BOUND * size + CDI_SIDE_LEAST;
    if (height > error || -height > error) return cdi_sign(height);
    return cdi_height_sign_exact(d, o, s, p);
}

CDI_FN cdi_exact cdi_exact_edge(cdi_arena *arena, cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 p) {
    int start = arena->used, mark;
    cdi_exact ab[3], ac[3], ap[3], sum = cdi_exact_of(arena, 0.0);
    cdi_exact_vector(arena, b, a, ab);
    cdi_exact_vector(arena, c, a, ac);
    cdi_exact_vector(arena, p, a, ap);
    mark = arena->used;
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        cdi_exact n = cdi_exact_det2(arena, ab[i], ab[j], ac[i], ac[j]);
        cdi_exact x = cdi_exact_det2(arena, ab[i], ab[j], ap[i], ap[j]);
        sum = cdi_exact_keep(arena, mark, cdi_exact_add(arena, sum, cdi_exact_mul(arena, n, x)));
    }
    return cdi_exact_keep(arena, start, sum);
}

static CDI_COLD int cdi_edge_sign_exact(cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 p) {
    uint32_t limbs[CDI_EDGE_ROOM];
    cdi_arena arena = cdi_arena_on(limbs, CDI_EDGE_ROOM);
    if (!cdi_v3_finite(a) || !cdi_v3_finite(b) || !cdi_v3_finite(c) || !cdi_v3_finite(p)) return 0;
    return cdi_exact_edge(&arena, a, b, c, p).sign;
}

/* The sizes of the terms of each component of a x b. */
static cdi_v3 cdi_cross_sizes(cdi_v3 a, cdi_v3 b) {
    cdi_v3 s;
    s.x = cdi_abs(a.y * b.z) + cdi_abs(a.z * b.y) + CDI_SIDE_UNDERFLOW;
    s.y = cdi_abs(a.z * b.x) + cdi_abs(a.x * b.z) + CDI_SIDE_UNDERFLOW;
    s.z = cdi_abs(a.x * b.y) + cdi_abs(a.y * b.x) + CDI_SIDE_UNDERFLOW;
    return s;
}

CDI_FN int cdi_edge_sign(cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 p) {
    cdi_v3 ab = cdi_v3_sub(b, a), ac = cdi_v3_sub(c, a), ap = cdi_v3_sub(p, a);
    double dot = cdi_v3_dot(cdi_v3_cross(ab, ac), cdi_v3_cross(ab, ap));
    double size = cdi_v3_dot(cdi_cross_sizes(ab, ac), cdi_cross_sizes(ab, ap));
    double error = CDI_EDGE_BOUND * size + CDI_SIDE_LEAST;
    if (dot > error || -dot > error) return cdi_sign(dot);
    return cdi_edge_sign_exact(a, b, c, p);
}

#undef CDI_SIDE_LEAST
#undef CDI_SIDE_UNDERFLOW
#undef CDI_ALONG_BOUND
#undef CDI_EDGE_BOUND

/* ---- shape/polyhedron3d.c ------------------------------------------------------------------------------------ */

/* The smaller or the larger end. */
static uint32_t cdi_half_edge_key(const cdi_poly *b, uint32_t h, bool larger) {
    uint32_t i = cdi_half_edge_start(b, h), j = cdi_half_edge_end(b, h);
    return (i > j) == larger ? i : j;
}

/* Half-edges by one of their ends, those of one end in the order they came. */
static void cdi_sort_half_edges(const cdi_poly *b, const uint32_t *from, uint32_t *to, uint32_t *place,
                                bool larger) {
    uint32_t count = 3 * b->triangle_count;
    cdi_clear(place, ((size_t)b->vertex_count + 1) * sizeof *place);
    for (uint32_t i = 0; i < count; ++i) ++place[cdi_half_edge_key(b, from[i], larger) + 1];
    for (uint32_t i = 1; i < b->vertex_count; ++i) place[i] += place[i - 1];
    for (uint32_t i = 0; i < count; ++i) to[place[cdi_half_edge_key(b, from[i], larger)]++] = from[i];
}

CDI_FN void cdi_order_half_edges(const cdi_poly *b, uint32_t *order, uint32_t *work) {
    uint32_t count = 3 * b->triangle_count, *place = work + count;
    for (uint32_t i = 0; i < count; ++i) order[i] = i;
    cdi_sort_half_edges(b, order, work, place, true);
    cdi_sort_half_edges(b, work, order, place, false);
}

CDI_FN uint32_t cdi_edge_end(const cdi_poly *b, const uint32_t *order, uint32_t i) {
    uint32_t low = cdi_half_edge_key(b, order[i], false), high = cdi_half_edge_key(b, order[i], true);
    for (++i; i < 3 * b->triangle_count; ++i) {
        if (cdi_half_edge_key(b, order[i], false) != low) break;
        if (cdi_half_edge_key(b, order[i], true) != high) break;
    }
    return i;
}

/* ---- shape/seidel.c ------------------------------------------------------------------------------------------ */

/* A determinant of five rows takes fourteen roundings at most, each of 2^-53 of the sum of the terms' magnitudes. */
#define CDI_LP_BOUND 4e-15
#define CDI_LP_LIMBS (28 * CDI_EXACT_LIMBS)

typedef double (*cdi_lp_matrix)[CDI_LP_DIM + 1];

/* ---- determinants ---- */

/* A value and the sum of the magnitudes of its terms. */
typedef struct cdi_lp_sum {
    double value, size;
} cdi_lp_sum;

/* The minors of the last rows of n, for each set of at most n of the columns as a mask: expanded by their first row. */
static void cdi_lp_minors(cdi_lp_matrix m, int n, int columns, cdi_lp_sum *out) {
    static const unsigned char size_of[32] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                                              1, 2, 2, 3, 2, 3, 3, 4, 2, 3, 3, 4, 3, 4, 4, 5};
    out[0].value = out[0].size = 1.0;
    for (unsigned set = 1; set < 1u << columns; ++set) {
        cdi_lp_sum sum = {0.0, 0.0};
        double sign = 1.0;
        const double *row;
        if (size_of[set] > n) continue;
        row = m[n - size_of[set]];
        for (int j = 0; j < columns; ++j) {
            const cdi_lp_sum *rest = &out[set & ~(1u << j)];
            if (!(set >> j & 1u)) continue;
            sum.value += sign * row[j] * rest->value;
            sum.size += cdi_abs(row[j]) * rest->size;
            sign = -sign;
        }
        out[set] = sum;
    }
}

/* The determinant of the first n rows in the columns of a mask, expanded by the first row. */
static cdi_exact cdi_lp_minor_exact(cdi_arena *arena, cdi_lp_matrix m, int n, unsigned columns) {
    cdi_exact sum = cdi_exact_of(arena, n == 0 ? 1.0 : 0.0);
    int mark = arena->used, odd = 0;
    for (int j = 0; n > 0 && j <= CDI_LP_DIM; ++j) {
        if (!(columns >> j & 1u)) continue;
        if (m[0][j] != 0.0) {
            cdi_exact rest = cdi_lp_minor_exact(arena, m + 1, n - 1, columns & ~(1u << j));
            rest = cdi_exact_mul(arena, cdi_exact_of(arena, odd ? -m[0][j] : m[0][j]), rest);
            sum = cdi_exact_keep(arena, mark, cdi_exact_add(arena, sum, rest));
        }
        odd = !odd;
    }
    return sum;
}

static CDI_COLD int cdi_lp_sign_exact(cdi_lp_matrix m, int n) {
    uint32_t limbs[CDI_LP_LIMBS];
    cdi_arena arena = cdi_arena_on(limbs, CDI_LP_LIMBS);
    return cdi_lp_minor_exact(&arena, m, n, (1u << n) - 1u).sign;
}

/* The sign that the value is sure to have; 2 when it is not. */
CDI_INLINE int cdi_lp_sure(const cdi_lp *lp, double value, double size) {
    double error = CDI_LP_BOUND * size;
    if (!lp->filter) return 2;
    return value > error ? 1 : -value > error ? -1 : size == 0.0 ? 0 : 2;
}

static int cdi_lp_sign(const cdi_lp *lp, cdi_lp_matrix m, int n) {
    cdi_lp_sum minor[1 << CDI_LP_DIM], *det = &minor[(1u << n) - 1u];
    int sign;
    cdi_lp_minors(m, n, n, minor);
    sign = cdi_lp_sure(lp, det->value, det->size);
    return sign == 2 ? cdi_lp_sign_exact(m, n) : sign;
}

/* ---- rows ---- */

static cdi_lp_row cdi_lp_row_zero(void) {
    cdi_lp_row r;
    for (int j = 0; j <= CDI_LP_DIM; ++j) r.c[j] = 0.0;
    r.beyond = 0.0;
    r.index = CD_NONE;
    return r;
}

/* sign * x[axis] <= M */
static cdi_lp_row cdi_lp_row_box(int axis, int sign) {
    cdi_lp_row r = cdi_lp_row_zero();
    r.c[axis] = (double)sign;
    r.beyond = 1.0;
    return r;
}

/* The rows in their order: those of the box, then the given ones. */
static cdi_lp_row cdi_lp_row_at(const cdi_lp *lp, size_t i) {
    cdi_lp_row r;
    const double *c;
    if (i < 2u * (size_t)lp->dim) return cdi_lp_row_box((int)(i / 2), i % 2 ? 1 : -1);
    c = lp->rows + (i - 2u * (size_t)lp->dim) * (size_t)lp->stride;
    r = cdi_lp_row_zero();
    for (int j = 0; j <= lp->dim; ++j) r.c[j] = c[j];
    r.index = (uint32_t)c[lp->dim + 1];
    return r;
}

static void cdi_lp_put(double *to, const double *from, int n) {
    for (int j = 0; j < n; ++j) to[j] = from[j];
}

/* The sign of the determinant of dim - 1 normals and one more. */
static int cdi_lp_sign_of(const cdi_lp *lp, const cdi_lp_row *rows, const double *last) {
    double m[CDI_LP_DIM][CDI_LP_DIM + 1];
    for (int i = 0; i < lp->dim - 1; ++i) cdi_lp_put(m[i], rows[i].c, lp->dim);
    cdi_lp_put(m[lp->dim - 1], last, lp->dim);
    return cdi_lp_sign(lp, m, lp->dim);
}

/* ---- vertices ---- */

/* The vertex's rows with the factors of M (part 0) or the rest on the right. */
static void cdi_lp_fill(const cdi_lp *lp, const cdi_lp_vertex *v, int part, cdi_lp_matrix m) {
    for (int i = 0; i < lp->dim; ++i) {
        cdi_lp_put(m[i], v->row[i].c, lp->dim);
        m[i][lp->dim] = part == 0 ? v->row[i].beyond : v->row[i].c[lp->dim];
    }
}

/* From its rows: the determinant of one more row below is expanded by that row, and signed. */
static void cdi_lp_vertex_make(const cdi_lp *lp, cdi_lp_vertex *v) {
    double m[CDI_LP_DIM][CDI_LP_DIM + 1];
    int dim = lp->dim;
    unsigned all = (2u << dim) - 1u;
    v->beyond = false;
    for (int i = 0; i < dim; ++i) v->beyond = v->beyond || v->row[i].beyond != 0.0;
    cdi_lp_fill(lp, v, 1, m);
    v->side = cdi_lp_sign(lp, m, dim);
    CDI_ASSERT(v->side != 0);
    for (int part = 0; part < 2; ++part) {
        cdi_lp_sum minor[2 << CDI_LP_DIM];
        cdi_lp_fill(lp, v, part, m);
        cdi_lp_minors(m, dim, dim + 1, minor);
        for (int j = 0; j <= dim; ++j) {
            const cdi_lp_sum *x = &minor[all & ~(1u << j)];
            v->x[part][j] = (dim + j) % 2 == (v->side > 0) ? x->value : -x->value;
            v->size[part][j] = x->size;
        }
    }
}

/* The vertex's own rows, which are what is doubtful most often, and copies of them are on it. */
static CDI_COLD int cdi_lp_slack_exact(const cdi_lp *lp, const cdi_lp_vertex *v, const double *n,
                                       double right, int part) {
    double m[CDI_LP_DIM + 1][CDI_LP_DIM + 1];
    cdi_lp_fill(lp, v, part, m);
    for (int i = 0; i < lp->dim; ++i) {
        bool same = m[i][lp->dim] == right;
        for (int k = 0; k < lp->dim; ++k) same = same && m[i][k] == n[k];
        if (same) return 0;
    }
    cdi_lp_put(m[lp->dim], n, lp->dim);
    m[lp->dim][lp->dim] = right;
    return -v->side * cdi_lp_sign_exact(m, lp->dim + 1);
}

/* The sign of n . x - right at the vertex, in one of its parts. */
CDI_INLINE int cdi_lp_slack(const cdi_lp *lp, const cdi_lp_vertex *v, const double *n, double right,
                            int part) {
    const double *x = v->x[part], *size = v->size[part];
    double value = right * x[lp->dim], sum = cdi_abs(right) * size[lp->dim];
    int sign;
    for (int j = 0; j < lp->dim; ++j) {
        value += n[j] * x[j];
        sum += cdi_abs(n[j]) * size[j];
    }
    sign = cdi_lp_sure(lp, value, sum);
    return sign == 2 ? cdi_lp_slack_exact(lp, v, n, right, part) : sign;
}

/* Row i against the vertex. */
CDI_INLINE bool cdi_lp_violated(const cdi_lp *lp, const cdi_lp_vertex *v, size_t i) {
    size_t box = 2u * (size_t)lp->dim;
    const double *c;
    CDI_COUNT(halfspace);
    if (i < box) {
        cdi_lp_row r = cdi_lp_row_box((int)(i / 2), i % 2 ? 1 : -1);
        int sign = cdi_lp_slack(lp, v, r.c, 1.0, 0);
        return sign == 0 ? cdi_lp_slack(lp, v, r.c, 0.0, 1) > 0 : sign > 0;
    }
    c = lp->rows + (i - box) * (size_t)lp->stride;
    if (v->beyond) {
        int sign = cdi_lp_slack(lp, v, c, 0.0, 0);
        if (sign != 0) return sign > 0;
    }
    return cdi_lp_slack(lp, v, c, c[lp->dim], 1) > 0;
}

/* ---- the algorithm ---- */

/* The sign of the objective along the line of dim - 1 rows, of which it is never 0: that of det [rows; objective]. */
static int cdi_lp_rise(const cdi_lp *lp, const cdi_lp_row *rows) {
    int sign = cdi_lp_sign_of(lp, rows, lp->goal);
    for (int k = 0; sign == 0 && k < lp->dim; ++k) {
        sign = cdi_lp_sign_of(lp, rows, cdi_lp_row_box(k, -1).c);
    }
    return sign;
}

/* The first set of axes, as a mask, that complete the fixed rows; 0 when the rows depend on each other. */
static unsigned cdi_lp_axes(const cdi_lp *lp, int fixed) {
    for (unsigned axes = 1; axes < 1u << lp->dim; ++axes) {
        double m[CDI_LP_DIM][CDI_LP_DIM + 1];
        int n = fixed;
        for (int k = 0; k < lp->dim; ++k) n += (int)(axes >> k & 1u);
        if (n != lp->dim) continue;
        for (int i = 0; i < fixed; ++i) cdi_lp_put(m[i], lp->fixed[i].c, lp->dim);
        n = fixed;
        for (int k = 0; k < lp->dim; ++k) {
            if (axes >> k & 1u) cdi_lp_put(m[n++], cdi_lp_row_box(k, 1).c, lp->dim);
        }
        if (cdi_lp_sign(lp, m, lp->dim) != 0) return axes;
    }
    return 0;
}

/* The best vertex on the planes of the fixed rows as to one row of the box for each axis of a complete set. */
static bool cdi_lp_start(const cdi_lp *lp, int fixed, cdi_lp_vertex *v) {
    unsigned axes = cdi_lp_axes(lp, fixed);
    int at = fixed;
    if (axes == 0) return false;
    for (int i = 0; i < fixed; ++i) v->row[i] = lp->fixed[i];
    for (int a = 0; a < lp->dim; ++a) {
        cdi_lp_row line[CDI_LP_DIM]; /* all but axis a */
        int n = fixed;
        if (!(axes >> a & 1u)) continue;
        for (int i = 0; i < fixed; ++i) line[i] = lp->fixed[i];
        for (int b = 0; b < lp->dim; ++b) {
            if (b != a && axes >> b & 1u) line[n++] = cdi_lp_row_box(b, 1);
        }
        v->row[at++] =
            cdi_lp_row_box(a, cdi_lp_rise(lp, line) * cdi_lp_sign_of(lp, line, cdi_lp_row_box(a, 1).c));
    }
    cdi_lp_vertex_make(lp, v);
    return true;
}

/* Infeasible: the fixed rows, and up to two more, have no point in common. */
static bool cdi_lp_refute(cdi_lp *lp, int fixed, const cdi_lp_row *a, const cdi_lp_row *b) {
    lp->proof_count = 0;
    for (int i = 0; i < fixed; ++i) lp->proof[lp->proof_count++] = lp->fixed[i];
    if (a) lp->proof[lp->proof_count++] = *a;
    if (b) lp->proof[lp->proof_count++] = *b;
    return false;
}

/* A row violated where the line meets its bound so far: a nearer bound, or one from the other side. */
static bool cdi_lp_shorten(cdi_lp *lp, cdi_lp_vertex *v, size_t i) {
    int last = lp->dim - 1, sign;
    cdi_lp_row r = cdi_lp_row_at(lp, i);
    sign = cdi_lp_sign_of(lp, lp->fixed, r.c);
    if (sign != v->side) return cdi_lp_refute(lp, last, &r, sign == 0 ? NULL : &v->row[last]);
    v->row[last] = r;
    cdi_lp_vertex_make(lp, v);
    return true;
}

/* One variable: the nearest bound ahead, then whether those from behind leave room for it. */
static bool cdi_lp_on_line(cdi_lp *lp, size_t count, cdi_lp_vertex *v) {
    size_t nearest = 0;
    for (size_t i = 0; i < count; ++i) {
        if (!cdi_lp_violated(lp, v, i)) continue;
        if (!cdi_lp_shorten(lp, v, i)) return false;
        nearest = i;
    }
    for (size_t i = 0; i < nearest; ++i) {
        if (cdi_lp_violated(lp, v, i)) return cdi_lp_shorten(lp, v, i);
    }
    return true;
}

/* The best vertex of the first `count` rows on the planes of the fixed ones. */
static bool cdi_lp_on(cdi_lp *lp, int fixed, size_t count, cdi_lp_vertex *v) {
    if (!cdi_lp_start(lp, fixed, v)) return cdi_lp_refute(lp, fixed, NULL, NULL);
    if (fixed == lp->dim - 1) return cdi_lp_on_line(lp, count, v);
    for (size_t i = 0; i < count; ++i) {
        if (!cdi_lp_violated(lp, v, i)) continue;
        lp->fixed[fixed] = cdi_lp_row_at(lp, i);
        if (!cdi_lp_on(lp, fixed + 1, i, v)) return false;
    }
    return true;
}

CDI_FN bool cdi_lp_best(cdi_lp *lp, cdi_lp_vertex *v) {
    if (lp->never != CD_NONE) {
        cdi_lp_row r = cdi_lp_row_zero();
        r.index = lp->never;
        return cdi_lp_refute(lp, 0, &r, NULL);
    }
    return cdi_lp_on(lp, 0, lp->count + 2u * (size_t)lp->dim, v);
}

/* ---- the answer ---- */

/* The nearest double, up to two units in its last place; never infinite, and 0 only where the number is. */
static double cdi_lp_ratio(cdi_exact num, cdi_exact den) {
    int e = 32 * (num.low + num.n - den.low - den.n);
    double r;
    if (num.sign == 0) return 0.0;
    num.low = -num.n;
    den.low = -den.n; /* both between 2^-32 and 1 */
    r = cdi_scale2(cdi_exact_to_double(num) / cdi_exact_to_double(den), e);
    if (r == 0.0) return num.sign == den.sign ? 4.9406564584124654e-324 : -4.9406564584124654e-324;
    return cdi_clamp(r, -CDI_HUGE, CDI_HUGE);
}

/* One part of the vertex's coordinates, by Cramer's rule. */
static void cdi_lp_coordinates(const cdi_lp *lp, const cdi_lp_vertex *v, int part, double *out) {
    double m[CDI_LP_DIM][CDI_LP_DIM + 1];
    uint32_t limbs[CDI_LP_LIMBS];
    int dim = lp->dim;
    unsigned all = (2u << dim) - 1u;
    cdi_lp_fill(lp, v, part, m);
    for (int j = 0; j < dim; ++j) {
        cdi_arena arena = cdi_arena_on(limbs, CDI_LP_LIMBS);
        cdi_exact den = cdi_lp_minor_exact(&arena, m, dim, all >> 1);
        cdi_exact num = cdi_lp_minor_exact(&arena, m, dim, all & ~(1u << j));
        /* the right side stands last, dim - 1 - j columns too late */
        out[j] = cdi_lp_ratio((dim - 1 - j) % 2 ? cdi_exact_neg(num) : num, den);
    }
}

/* Does a row of the box hold the objective back? Its factor is det [the normals with the objective in its place] over
 * that of the normals. */
static bool cdi_lp_unbounded(const cdi_lp *lp, const cdi_lp_vertex *v) {
    for (int r = 0; r < lp->dim; ++r) {
        double m[CDI_LP_DIM][CDI_LP_DIM + 1];
        if (v->row[r].beyond == 0.0) continue;
        cdi_lp_fill(lp, v, 1, m);
        cdi_lp_put(m[r], lp->goal, lp->dim);
        if (cdi_lp_sign(lp, m, lp->dim) * v->side > 0) return true;
    }
    return false;
}

/* p + M q with the smallest M that all rows allow, or with M = 0 when they allow all: the rows of the box give way to
 * their differences, which make a line with the others, and to the first row that the line meets. */
static void cdi_lp_pull_back(cdi_lp *lp, cdi_lp_vertex *v) {
    size_t box = 2u * (size_t)lp->dim;
    cdi_lp_row first = cdi_lp_row_zero();
    int n = 0, out;
    bool met = false;
    for (int i = 0; i < lp->dim; ++i) {
        cdi_lp_row r = v->row[i];
        if (r.beyond != 0.0 && first.beyond == 0.0) {
            first = r;
            continue;
        }
        for (int j = 0; r.beyond != 0.0 && j < lp->dim; ++j) r.c[j] -= first.c[j];
        r.beyond = 0.0;
        lp->fixed[n++] = r;
    }
    for (int i = 0; i < n; ++i) v->row[i] = lp->fixed[i];
    first.beyond = 0.0;
    v->row[n] = first;
    cdi_lp_vertex_make(lp, v);
    out = v->side; /* of a row that grows with M */
    for (size_t i = box; i < box + lp->count; ++i) {
        cdi_lp_row r = cdi_lp_row_at(lp, i);
        if (met ? !cdi_lp_violated(lp, v, i) : cdi_lp_sign_of(lp, lp->fixed, r.c) != -out) continue;
        v->row[n] = r;
        cdi_lp_vertex_make(lp, v);
        met = true;
    }
}

static void cdi_lp_list(cdi_lp_answer *out, const cdi_lp_row *rows, int count) {
    for (int i = 0; i < count; ++i) {
        if (rows[i].index != CD_NONE) out->basis[out->basis_count++] = rows[i].index;
    }
}

CDI_FN void cdi_lp_solve(cdi_lp *lp, cdi_lp_answer *out) {
    cdi_lp_vertex v;
    cdi_clear(out, sizeof *out);
    if (!cdi_lp_best(lp, &v)) {
        out->verdict = CD_LP_INFEASIBLE;
        cdi_lp_list(out, lp->proof, lp->proof_count);
        return;
    }
    cdi_lp_list(out, v.row, lp->dim);
    if (v.beyond) {
        if (cdi_lp_unbounded(lp, &v)) {
            out->verdict = CD_LP_UNBOUNDED;
            cdi_lp_coordinates(lp, &v, 0, out->ray);
        }
        cdi_lp_pull_back(lp, &v);
    }
    cdi_lp_coordinates(lp, &v, 1, out->point);
}

CDI_FN bool cdi_lp_inside(const cdi_lp *lp, int dim, const double *point) {
    cdi_lp at = *lp; /* a program of fewer variables on the same rows */
    cdi_lp_vertex v;
    at.dim = dim;
    if (lp->never != CD_NONE) return false;
    for (int k = 0; k < dim; ++k) {
        double size = cdi_abs(point[k]);
        v.row[k] = cdi_lp_row_box(k, 1);
        v.row[k].beyond = 0.0;
        v.row[k].c[dim] = point[k];
        at.filter = at.filter && (size == 0.0 || (size >= lp->least && size <= lp->most));
    }
    cdi_lp_vertex_make(&at, &v);
    for (size_t i = 0; i < lp->count; ++i) {
        const double *c = lp->rows + i * (size_t)lp->stride;
        if (c[lp->dim + 1] == (double)CD_NONE) continue;
        if (cdi_lp_slack(&at, &v, c, c[lp->dim], 1) >= 0) return false;
    }
    return true;
}

/* ---- the rows in random order ---- */

static void cdi_lp_note_size(cdi_lp *lp, double x) {
    double size = cdi_abs(x);
    if (size != 0.0 && !(size >= lp->least && size <= lp->most)) lp->filter = false;
}

CDI_FN bool cdi_lp_begin(cdi_lp *lp, int dim, const double *goal, size_t room,
                         const cd_allocator *allocator) {
    lp->dim = dim;
    lp->stride = dim + 2;
    lp->count = 0;
    lp->room = room;
    lp->random = 1991;
    lp->most =
        cdi_exp2i(800 / (dim + 1)); /* a product of dim + 1 of them, its last bits thrice lost: 2^-960 */
    lp->least = 1.0 / lp->most;
    lp->filter = true;
    lp->never = CD_NONE;
    lp->proof_count = 0;
    for (int j = 0; j < dim; ++j) {
        lp->goal[j] = goal[j];
        cdi_lp_note_size(lp, goal[j]);
    }
    lp->rows = lp->own;
    if (room > CDI_LP_SMALL) {
        lp->rows = (double *)cdi_alloc(allocator, room, (size_t)lp->stride * sizeof(double));
    }
    return lp->rows != NULL;
}

CDI_FN void cdi_lp_end(cdi_lp *lp, const cd_allocator *allocator) {
    if (lp->room > CDI_LP_SMALL) cdi_free(allocator, lp->rows, lp->room, (size_t)lp->stride * sizeof(double));
}

/* One of 0 ... last, by splitmix64. */
static size_t cdi_lp_random(cdi_lp *lp, size_t last) {
    uint64_t x = lp->random += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return (size_t)((x >> 32) * ((uint64_t)last + 1u) >> 32);
}

CDI_FN void cdi_lp_add(cdi_lp *lp, const double *c, uint32_t index) {
    double *to = lp->rows + lp->count * (size_t)lp->stride, *other;
    bool zero = true;
    for (int j = 0; j < lp->dim; ++j) zero = zero && c[j] == 0.0;
    if (zero) {
        if (c[lp->dim] < 0.0 && lp->never == CD_NONE) lp->never = index;
        return;
    }
    CDI_ASSERT(lp->count < lp->room);
    for (int j = 0; j <= lp->dim; ++j) cdi_lp_note_size(lp, c[j]);
    other = lp->rows + cdi_lp_random(lp, lp->count++) * (size_t)lp->stride;
    if (other != to) cdi_lp_put(to, other, lp->stride);
    cdi_lp_put(other, c, lp->dim + 1);
    other[lp->dim + 1] = (double)index;
}

#undef CDI_LP_BOUND
#undef CDI_LP_LIMBS

/* ---- hull/hull2.c -------------------------------------------------------------------------------------------- */

/* A bound of the rounding error of two products of differences, relative to their magnitudes: (3 + 16 u) u, u = 2^-53,
 * rounded up to 4 u. A product that underflows is off by much less than CDI_HULL2_LEAST. */
#define CDI_HULL2_BOUND 4.440892098500627e-16
#define CDI_HULL2_LEAST 1e-280

/* In `hull`: not a corner. */
#define CDI_HULL2_DROPPED 0xFFFFFFFFu

/* Parts not larger than this are sorted by insertion. */
#define CDI_HULL2_SHORT 12

/* A stack of parts is never deeper: the smaller half is taken first, and it is no longer than half. */
#define CDI_HULL2_STACK 34

/* Work in progress: hull[0] is the leftmost point, hull[1]...hull[right-1] are below the line to the rightmost one, whose
 * place is hull[right], and hull[above] to the end are above it. */
typedef struct cdi_hull2 {
    const cd_vec2 *points;
    uint32_t *hull;
    uint32_t count, right, above;
} cdi_hull2;

/* The points hull[from]...hull[to-1], all to the right of the line from corner a to corner b: the hull may go on between
 * the two through some of them. */
typedef struct cdi_hull2_part {
    uint32_t from, to, a, b;
} cdi_hull2_part;

typedef struct cdi_hull2_stack {
    cdi_hull2_part part[CDI_HULL2_STACK];
    int count;
} cdi_hull2_stack;

static cdi_v2 cdi_hull2_point(const cdi_hull2 *h, uint32_t i) {
    return cdi_v2_of(h->points[i]);
}

static cdi_hull2_part cdi_hull2_part_of(uint32_t from, uint32_t to, uint32_t a, uint32_t b) {
    cdi_hull2_part p;
    p.from = from;
    p.to = to;
    p.a = a;
    p.b = b;
    return p;
}

static void cdi_hull2_push(cdi_hull2_stack *s, const cdi_hull2_part *p) {
    if (p->from == p->to) return;
    CDI_ASSERT(s->count < CDI_HULL2_STACK);
    s->part[s->count++] = *p;
}

/* Both halves of a part, the smaller on top. */
static void cdi_hull2_push_both(cdi_hull2_stack *s, const cdi_hull2_part *p, const cdi_hull2_part *q) {
    bool second = q->to - q->from > p->to - p->from;
    cdi_hull2_push(s, second ? q : p);
    cdi_hull2_push(s, second ? p : q);
}

/* A multiple of n log2 n that grows with n: how much work is thought normal. */
static uint64_t cdi_hull2_patience(uint32_t n) {
    uint64_t bits = 1;
    for (uint32_t rest = n; rest > 1; rest >>= 1) ++bits;
    return 2 * bits * n;
}

/* ---- which points are out of the question ---- */

/* Eight outer points, counter-clockwise, as found in double: left, left and low, low, ... Whichever they are, what is done with
 * them is right. */
enum { CDI_HULL2_OUTER = 8 };

/* Points strictly inside are not corners: in each quarter around them is an outer point. */
typedef struct cdi_hull2_box {
    cdi_v2 lo, hi;
} cdi_hull2_box;

/* The points between which all are in one direction. */
typedef struct cdi_hull2_range {
    double lo, hi;
    uint32_t least, most;
} cdi_hull2_range;

static cdi_hull2_range cdi_hull2_range_at(double x) {
    cdi_hull2_range r;
    r.lo = r.hi = x;
    r.least = r.most = 0;
    return r;
}

static void cdi_hull2_widen(cdi_hull2_range *r, double x, uint32_t i) {
    if (x > r->hi) {
        r->hi = x;
        r->most = i;
    } else if (x < r->lo) {
        r->lo = x;
        r->least = i;
    }
}

/* The outer points of at least one; the first and the fifth are the first and the last from left to right. False when a
 * number is not finite. */
static bool cdi_hull2_find_outer(const cd_vec2 *points, uint32_t count, uint32_t outer[CDI_HULL2_OUTER]) {
    cdi_v2 left = cdi_v2_of(points[0]), right = left;
    cdi_hull2_range y = cdi_hull2_range_at(left.y), sum = cdi_hull2_range_at(left.x + left.y),
                    difference = cdi_hull2_range_at(left.x - left.y);
    outer[0] = outer[4] = 0;
    for (uint32_t i = 0; i < count; ++i) {
        cdi_v2 p = cdi_v2_of(points[i]);
        if (!cdi_finite(p.x) || !cdi_finite(p.y)) return false;
        if (cdi_goes_up(p, left)) left = p, outer[0] = i;
        if (cdi_goes_up(right, p)) right = p, outer[4] = i;
        cdi_hull2_widen(&y, p.y, i);
        cdi_hull2_widen(&sum, p.x + p.y, i);
        cdi_hull2_widen(&difference, p.x - p.y, i);
    }
    outer[1] = sum.least;
    outer[2] = y.least;
    outer[3] = difference.most;
    outer[5] = sum.most;
    outer[6] = y.most;
    outer[7] = difference.least;
    return true;
}

static cdi_hull2_box cdi_hull2_inner_box(const cdi_v2 outer[CDI_HULL2_OUTER]) {
    cdi_hull2_box b;
    b.lo.x = cdi_max(outer[1].x, outer[7].x);
    b.lo.y = cdi_max(outer[1].y, outer[3].y);
    b.hi.x = cdi_min(outer[3].x, outer[5].x);
    b.hi.y = cdi_min(outer[5].y, outer[7].y);
    return b;
}

static bool cdi_hull2_in_box(const cdi_hull2_box *b, cdi_v2 p) {
    return p.x > b->lo.x && p.x < b->hi.x && p.y > b->lo.y && p.y < b->hi.y;
}

/* To the left of the line from a to b beyond doubt. */
static bool cdi_hull2_surely_left(cdi_v2 a, cdi_v2 b, cdi_v2 p) {
    double left = (b.x - a.x) * (p.y - a.y), right = (b.y - a.y) * (p.x - a.x);
    return left - right > CDI_HULL2_BOUND * (cdi_abs(left) + cdi_abs(right)) + CDI_HULL2_LEAST;
}

/* Is p, which is strictly beyond the line between the ends, strictly on this side of the five points? Then they go around it,
 * and it is no corner. */
static bool cdi_hull2_inside_chain(const cdi_v2 *outer, int first, cdi_v2 p) {
    for (int k = first; k < first + 4; ++k) {
        cdi_v2 a = outer[k], b = outer[(k + 1) % CDI_HULL2_OUTER];
        if (!cdi_v2_same(a, b) && !cdi_hull2_surely_left(a, b, p)) return false;
    }
    return true;
}

/* Positive where p is to the left of the line from a to b. */
static double cdi_hull2_side(cdi_v2 a, cdi_v2 b, cdi_v2 p) {
    CDI_COUNT(hull);
    return cdi_orient2d(a, b, p);
}

/* Parts the points that may be corners by the line through the ends. */
static void cdi_hull2_split_by_ends(cdi_hull2 *h, const uint32_t index[CDI_HULL2_OUTER]) {
    cdi_v2 outer[CDI_HULL2_OUTER];
    cdi_hull2_box box;
    uint32_t lower = 1, upper = h->count;
    for (int k = 0; k < CDI_HULL2_OUTER; ++k) outer[k] = cdi_hull2_point(h, index[k]);
    box = cdi_hull2_inner_box(outer);
    for (uint32_t i = 0; i < h->count; ++i) {
        cdi_v2 p = cdi_hull2_point(h, i);
        double side;
        if (cdi_hull2_in_box(&box, p)) continue;
        side = cdi_hull2_side(outer[0], outer[4], p);
        if (side == 0.0 || cdi_hull2_inside_chain(outer, side < 0.0 ? 0 : 4, p)) continue;
        h->hull[side < 0.0 ? lower++ : --upper] = i;
    }
    h->hull[0] = index[0];
    h->hull[lower] = index[4];
    h->right = lower;
    h->above = upper;
}

/* ---- sorting ---- */

/* From left to right (up) or back; equal points by their index. */
typedef struct cdi_hull2_order {
    const cd_vec2 *points;
    bool up;
} cdi_hull2_order;

static bool cdi_hull2_before(const cdi_hull2_order *o, uint32_t i, uint32_t j) {
    cd_vec2 a = o->points[i], b = o->points[j];
    CDI_COUNT(hull);
    if (a.x != b.x) return (a.x < b.x) == o->up;
    if (a.y != b.y) return (a.y < b.y) == o->up;
    return i < j;
}

static void cdi_hull2_insertion_sort(const cdi_hull2_order *o, uint32_t *a, uint32_t count) {
    for (uint32_t i = 1; i < count; ++i) {
        uint32_t x = a[i], j = i;
        for (; j > 0 && cdi_hull2_before(o, x, a[j - 1]); --j) a[j] = a[j - 1];
        a[j] = x;
    }
}

static void cdi_hull2_sift(const cdi_hull2_order *o, uint32_t *a, uint32_t root, uint32_t count) {
    uint32_t x = a[root];
    while (root < count / 2) {
        uint32_t child = 2 * root + 1;
        if (child + 1 < count && cdi_hull2_before(o, a[child], a[child + 1])) ++child;
        if (!cdi_hull2_before(o, x, a[child])) break;
        a[root] = a[child];
        root = child;
    }
    a[root] = x;
}

static void cdi_hull2_heap_sort(const cdi_hull2_order *o, uint32_t *a, uint32_t count) {
    for (uint32_t i = count / 2; i-- > 0;) cdi_hull2_sift(o, a, i, count);
    for (uint32_t i = count; i-- > 1;) {
        uint32_t last = a[i];
        a[i] = a[0];
        a[0] = last;
        cdi_hull2_sift(o, a, 0, i);
    }
}

/* The one in the middle. */
static uint32_t cdi_hull2_median(const cdi_hull2_order *o, uint32_t x, uint32_t y, uint32_t z) {
    if (cdi_hull2_before(o, y, x)) {
        uint32_t t = x;
        x = y;
        y = t;
    }
    if (!cdi_hull2_before(o, z, y)) return y;
    return cdi_hull2_before(o, z, x) ? x : z;
}

/* Parts at least three into [0, result) and the rest, none in the first after one in the second, neither empty (Hoare). */
static uint32_t cdi_hull2_partition(const cdi_hull2_order *o, uint32_t *a, uint32_t count) {
    uint32_t pivot = cdi_hull2_median(o, a[0], a[count / 2], a[count - 1]), i = 0, j = count - 1;
    for (;; ++i, --j) {
        uint32_t t;
        while (cdi_hull2_before(o, a[i], pivot)) ++i;
        while (cdi_hull2_before(o, pivot, a[j])) --j;
        if (i >= j) return i;
        t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
}

/* Quicksort; what is left when it took too long goes to heapsort. */
static void cdi_hull2_sort(const cdi_hull2_order *o, uint32_t *a, uint32_t count) {
    cdi_hull2_part all = cdi_hull2_part_of(0, count, 0, 0);
    cdi_hull2_stack stack;
    uint64_t work = 0, patience = cdi_hull2_patience(count);
    stack.count = 0;
    cdi_hull2_push(&stack, &all);
    while (stack.count > 0) {
        cdi_hull2_part p = stack.part[--stack.count], low = p, high = p;
        uint32_t size = p.to - p.from;
        work += size;
        if (size <= CDI_HULL2_SHORT) {
            cdi_hull2_insertion_sort(o, a + p.from, size);
        } else if (work > patience) {
            cdi_hull2_heap_sort(o, a + p.from, size);
        } else {
            low.to = high.from = p.from + cdi_hull2_partition(o, a + p.from, size);
            cdi_hull2_push_both(&stack, &low, &high);
        }
    }
}

/* ---- Andrew's algorithm ---- */

/* Keeps the corners of sorted points, and drops the others. */
static void cdi_hull2_walk(cdi_hull2 *h, const cdi_hull2_part *part) {
    uint32_t *hull = h->hull, from = part->from, top = from;
    for (uint32_t i = from; i <= part->to; ++i) {
        uint32_t index = i < part->to ? hull[i] : part->b;
        cdi_v2 p = cdi_hull2_point(h, index);
        if (top > from && cdi_v2_same(cdi_hull2_point(h, hull[top - 1]), p)) continue;
        while (top > from) {
            cdi_v2 before = cdi_hull2_point(h, top - from > 1 ? hull[top - 2] : part->a);
            if (cdi_hull2_side(before, cdi_hull2_point(h, hull[top - 1]), p) > 0.0) break;
            --top;
        }
        if (i < part->to) hull[top++] = index;
    }
    for (; top < part->to; ++top) hull[top] = CDI_HULL2_DROPPED;
}

static void cdi_hull2_finish_sorted(cdi_hull2 *h, const cdi_hull2_part *part) {
    cdi_hull2_order order;
    order.points = h->points;
    order.up = cdi_goes_up(cdi_hull2_point(h, part->a), cdi_hull2_point(h, part->b));
    cdi_hull2_sort(&order, h->hull + part->from, part->to - part->from);
    cdi_hull2_walk(h, part);
}

/* ---- Quickhull ---- */

/* How far p is to the right of the line from a to b, times their distance, and by how much that may be wrong. */
typedef struct cdi_hull2_height {
    double value, error;
} cdi_hull2_height;

static cdi_hull2_height cdi_hull2_height_of(cdi_v2 a, cdi_v2 b, cdi_v2 p) {
    double left = (b.y - a.y) * (p.x - a.x), right = (b.x - a.x) * (p.y - a.y);
    cdi_hull2_height h;
    CDI_COUNT(hull);
    h.value = left - right;
    h.error = CDI_HULL2_BOUND * (cdi_abs(left) + cdi_abs(right)) + CDI_HULL2_LEAST;
    return h;
}

/* Exactly; of equally far ones the first from left to right, of equal ones the one with the smaller index. */
static bool cdi_hull2_farther_exact(const cdi_hull2 *h, const cdi_hull2_part *part, uint32_t i,
                                    uint32_t best) {
    cdi_v2 p = cdi_hull2_point(h, i), q = cdi_hull2_point(h, best);
    double turn = cdi_orient_edges(cdi_hull2_point(h, part->a), cdi_hull2_point(h, part->b), q, p);
    CDI_COUNT(hull);
    if (turn != 0.0) return turn < 0.0;
    return cdi_goes_up(p, q) || (cdi_v2_same(p, q) && i < best);
}

/* Where in `hull` the farthest point of a part is; it is a corner. */
static uint32_t cdi_hull2_farthest(const cdi_hull2 *h, const cdi_hull2_part *part) {
    cdi_v2 a = cdi_hull2_point(h, part->a), b = cdi_hull2_point(h, part->b);
    uint32_t best = part->from;
    cdi_hull2_height most = cdi_hull2_height_of(a, b, cdi_hull2_point(h, h->hull[best]));
    for (uint32_t i = part->from + 1; i < part->to; ++i) {
        cdi_hull2_height x = cdi_hull2_height_of(a, b, cdi_hull2_point(h, h->hull[i]));
        double ahead = x.value - most.value, error = x.error + most.error;
        if (-ahead > error) continue;
        if (ahead > error || cdi_hull2_farther_exact(h, part, h->hull[i], h->hull[best])) {
            most = x;
            best = i;
        }
    }
    return best;
}

/* Takes the farthest point as a corner between the points outside the line to it and those outside the line from it, and
 * drops those inside both. */
static void cdi_hull2_split(cdi_hull2 *h, const cdi_hull2_part *part, cdi_hull2_part *first,
                            cdi_hull2_part *second) {
    uint32_t *hull = h->hull, place = cdi_hull2_farthest(h, part), corner = hull[place];
    uint32_t low = part->from, high = part->to;
    cdi_v2 a = cdi_hull2_point(h, part->a), b = cdi_hull2_point(h, part->b), c = cdi_hull2_point(h, corner);
    hull[place] = hull[low]; /* which is free from here on */
    for (uint32_t i = low + 1; i < high;) {
        uint32_t index = hull[i];
        cdi_v2 p = cdi_hull2_point(h, index);
        if (cdi_hull2_side(a, c, p) < 0.0) {
            hull[low++] = index;
            ++i;
        } else if (cdi_hull2_side(c, b, p) < 0.0) {
            hull[i] = hull[--high];
            hull[high] = index;
        } else {
            ++i;
        }
    }
    hull[low] = corner;
    for (uint32_t i = low + 1; i < high; ++i) hull[i] = CDI_HULL2_DROPPED;
    *first = cdi_hull2_part_of(part->from, low, part->a, corner);
    *second = cdi_hull2_part_of(high, part->to, corner, part->b);
}

/* A part may lose but one point at each split: when that has cost too much, the parts left are sorted. */
static void cdi_hull2_split_all(cdi_hull2 *h, const cdi_hull2_part *below, const cdi_hull2_part *above) {
    cdi_hull2_stack stack;
    uint64_t work = 0, patience = cdi_hull2_patience(below->to - below->from + above->to - above->from);
    stack.count = 0;
    cdi_hull2_push_both(&stack, below, above);
    while (stack.count > 0) {
        cdi_hull2_part part = stack.part[--stack.count], first, second;
        work += part.to - part.from;
        if (work > patience) {
            cdi_hull2_finish_sorted(h, &part);
        } else {
            cdi_hull2_split(h, &part, &first, &second);
            cdi_hull2_push_both(&stack, &first, &second);
        }
    }
}

/* ---- what both have in common ---- */

/* The corners without gaps; how many. */
static uint32_t cdi_hull2_close_up(cdi_hull2 *h) {
    uint32_t *hull = h->hull, n = 0;
    for (uint32_t i = 0; i <= h->right; ++i) {
        if (hull[i] != CDI_HULL2_DROPPED) hull[n++] = hull[i];
    }
    for (uint32_t i = h->above; i < h->count; ++i) {
        if (hull[i] != CDI_HULL2_DROPPED) hull[n++] = hull[i];
    }
    return n;
}

/* The hull of at least one finite point whose outer ones are known. */
static uint32_t cdi_hull2_run(cdi_hull2 *h, const uint32_t outer[CDI_HULL2_OUTER], bool quick) {
    cdi_hull2_part below, above;
    h->hull[0] = outer[0];
    if (cdi_v2_same(cdi_hull2_point(h, outer[0]), cdi_hull2_point(h, outer[4]))) return 1;
    cdi_hull2_split_by_ends(h, outer);
    below = cdi_hull2_part_of(1, h->right, outer[0], outer[4]);
    above = cdi_hull2_part_of(h->above, h->count, outer[4], outer[0]);
    if (quick) {
        cdi_hull2_split_all(h, &below, &above);
    } else {
        cdi_hull2_finish_sorted(h, &below);
        cdi_hull2_finish_sorted(h, &above);
    }
    return cdi_hull2_close_up(h);
}

static cd_status cdi_hull2_build(const cd_vec2 *points, size_t count, uint32_t *hull, size_t *hull_count,
                                 bool quick) {
    cdi_hull2 h;
    uint32_t outer[CDI_HULL2_OUTER];
    *hull_count = 0;
    if (count >= 0xFFFFFFFFu) return CD_TOO_LARGE;
    if (count == 0) return CD_OK;
    h.points = points;
    h.hull = hull;
    h.count = (uint32_t)count;
    h.right = h.above = 0;
    if (!cdi_hull2_find_outer(points, h.count, outer)) return CD_INVALID_ARGUMENT;
    *hull_count = cdi_hull2_run(&h, outer, quick);
    return CD_OK;
}

CD_API cd_status cd_hull2_andrew(const cd_vec2 *points, size_t count, uint32_t *hull, size_t *hull_count) {
    return cdi_hull2_build(points, count, hull, hull_count, false);
}

CD_API cd_status cd_hull2_quickhull(const cd_vec2 *points, size_t count, uint32_t *hull, size_t *hull_count) {
    return cdi_hull2_build(points, count, hull, hull_count, true);
}

#undef CDI_HULL2_BOUND
#undef CDI_HULL2_LEAST
#undef CDI_HULL2_DROPPED
#undef CDI_HULL2_SHORT
#undef CDI_HULL2_STACK

/* ---- hull/minkowski2.c --------------------------------------------------------------------------------------- */

/* ---- one polygon ---- */

/* The corners v, or -v where it is mirrored. */
typedef struct cdi_convex2 {
    const cd_vec2 *v;
    uint32_t count;
    bool mirrored, flat;
    uint32_t first, last; /* from left to right, of equal ones that with the smallest index */
} cdi_convex2;

static cdi_v2 cdi_convex2_point(const cdi_convex2 *c, uint32_t i) {
    cdi_v2 p = cdi_v2_of(c->v[i]);
    if (c->mirrored) {
        p.x = 0.0 - p.x;
        p.y = 0.0 - p.y;
    }
    return p;
}

/* The next corner around that differs; there is one. */
static uint32_t cdi_convex2_other(const cdi_convex2 *c, uint32_t i, bool back) {
    uint32_t j = i;
    do {
        j = back ? (j > 0 ? j : c->count) - 1 : j + 1 < c->count ? j + 1 : 0;
    } while (cdi_v2_same(cdi_v2_of(c->v[i]), cdi_v2_of(c->v[j])));
    return j;
}

/* False when a number is not finite. */
static bool cdi_convex2_find_ends(cdi_convex2 *c) {
    c->first = c->last = 0;
    for (uint32_t i = 0; i < c->count; ++i) {
        cdi_v2 p = cdi_convex2_point(c, i);
        if (!cdi_finite(p.x) || !cdi_finite(p.y)) return false;
        if (cdi_goes_up(p, cdi_convex2_point(c, c->first))) c->first = i;
        if (cdi_goes_up(cdi_convex2_point(c, c->last), p)) c->last = i;
    }
    return true;
}

/* Are all on the line through the ends? */
static bool cdi_convex2_is_flat(const cdi_convex2 *c) {
    cdi_v2 a = cdi_convex2_point(c, c->first), b = cdi_convex2_point(c, c->last);
    for (uint32_t i = 0; i < c->count; ++i) {
        cdi_v2 p = cdi_convex2_point(c, i);
        if (!cdi_v2_same(p, a) && !cdi_v2_same(p, b) && cdi_orient2d(a, b, p) != 0.0) return false;
    }
    return true;
}

/* Of a polygon with area: counter-clockwise? */
static bool cdi_convex2_turns_left(const cdi_convex2 *c) {
    cdi_v2 before = cdi_convex2_point(c, cdi_convex2_other(c, c->first, true));
    cdi_v2 after = cdi_convex2_point(c, cdi_convex2_other(c, c->first, false));
    return cdi_orient2d(before, cdi_convex2_point(c, c->first), after) > 0.0;
}

/* At least one corner. */
static bool cdi_convex2_check(cdi_convex2 *c) {
    if (!cdi_convex2_find_ends(c)) return false;
    c->flat = !cd_is_convex_polygon(c->v, c->count);
    return c->flat ? cdi_convex2_is_flat(c) : cdi_convex2_turns_left(c);
}

static cd_status cdi_convex2_make(cdi_convex2 *c, const cd_vec2 *v, size_t count, bool mirrored) {
    if (count >= 0xFFFFFFFFu) return CD_TOO_LARGE;
    c->v = v;
    c->count = (uint32_t)count;
    c->mirrored = mirrored;
    c->flat = true;
    c->first = c->last = 0;
    return count == 0 || cdi_convex2_check(c) ? CD_OK : CD_INVALID_ARGUMENT;
}

/* The extreme point after the extreme point i. */
static uint32_t cdi_convex2_next(const cdi_convex2 *c, uint32_t i) {
    uint32_t j, k;
    if (c->flat) return i == c->first ? c->last : c->first;
    k = cdi_convex2_other(c, i, false);
    do {
        j = k;
        k = cdi_convex2_other(c, j, false);
    } while (cdi_orient2d(cdi_convex2_point(c, i), cdi_convex2_point(c, j), cdi_convex2_point(c, k)) == 0.0);
    if (cdi_v2_same(cdi_v2_of(c->v[j]), cdi_v2_of(c->v[0]))) return 0; /* of a run across the end */
    return j;
}

/* ---- around both ---- */

/* Once around a polygon from its leftmost corner. */
typedef struct cdi_edge_walk {
    cdi_convex2 polygon;
    uint32_t at, next;
    bool done;
} cdi_edge_walk;

static void cdi_edge_walk_begin(cdi_edge_walk *w) {
    w->at = w->polygon.first;
    w->done = w->polygon.first == w->polygon.last;
    w->next = w->done ? w->at : cdi_convex2_next(&w->polygon, w->at);
}

static void cdi_edge_walk_advance(cdi_edge_walk *w) {
    w->at = w->next;
    w->done = w->at == w->polygon.first;
    if (!w->done) w->next = cdi_convex2_next(&w->polygon, w->at);
}

static cdi_v2 cdi_edge_walk_at(const cdi_edge_walk *w) {
    return cdi_convex2_point(&w->polygon, w->at);
}

static cdi_v2 cdi_edge_walk_next(const cdi_edge_walk *w) {
    return cdi_convex2_point(&w->polygon, w->next);
}

/* The boundary of the sum: at each corner, which edge comes next. */
typedef struct cdi_minkowski2 {
    cdi_edge_walk a, b;
} cdi_minkowski2;

static cd_status cdi_minkowski2_begin(cdi_minkowski2 *m, const cd_vec2 *a, size_t a_count, const cd_vec2 *b,
                                      size_t b_count, bool difference) {
    cd_status status = cdi_convex2_make(&m->a.polygon, a, a_count, false);
    if (status == CD_OK) status = cdi_convex2_make(&m->b.polygon, b, b_count, difference);
    if (status != CD_OK || a_count == 0 || b_count == 0) return status;
    cdi_edge_walk_begin(&m->a);
    cdi_edge_walk_begin(&m->b);
    return CD_OK;
}

static bool cdi_minkowski2_done(const cdi_minkowski2 *m) {
    return m->a.done && m->b.done;
}

/* Whose edge is next, counted counter-clockwise from straight down: that of a (1) or b (-1), or both (0), in parallel. Not
 * done. The two are less than half a turn apart, since the edge before the later one was no later than the other, and no
 * corner turns by more: the side tells. */
static int cdi_minkowski2_turn(const cdi_minkowski2 *m) {
    if (m->a.done || m->b.done) return m->b.done ? 1 : -1;
    return cdi_sign(cdi_orient_edges(cdi_edge_walk_at(&m->a), cdi_edge_walk_next(&m->a),
                                     cdi_edge_walk_at(&m->b), cdi_edge_walk_next(&m->b)));
}

static void cdi_minkowski2_advance(cdi_minkowski2 *m, int turn) {
    if (turn >= 0) cdi_edge_walk_advance(&m->a);
    if (turn <= 0) cdi_edge_walk_advance(&m->b);
}

/* ---- the sum and the difference ---- */

static cd_minkowski_corner2 cdi_minkowski2_corner(const cdi_minkowski2 *m) {
    cdi_v2 a = cdi_edge_walk_at(&m->a), b = cdi_edge_walk_at(&m->b);
    cd_minkowski_corner2 c;
    c.position = cd_vec2_make(cdi_real_of(a.x + b.x), cdi_real_of(a.y + b.y));
    c.a = m->a.at;
    c.b = m->b.at;
    return c;
}

static cd_status cdi_minkowski2_corners(const cd_vec2 *a, size_t a_count, const cd_vec2 *b, size_t b_count,
                                        bool difference, cd_minkowski_corner2 *corners, size_t capacity,
                                        size_t *count) {
    cdi_minkowski2 m;
    cd_status status = cdi_minkowski2_begin(&m, a, a_count, b, b_count, difference);
    *count = 0;
    if (status != CD_OK || a_count == 0 || b_count == 0) return status;
    for (;;) {
        if (*count < capacity) corners[*count] = cdi_minkowski2_corner(&m);
        ++*count;
        if (!cdi_minkowski2_done(&m)) cdi_minkowski2_advance(&m, cdi_minkowski2_turn(&m));
        if (cdi_minkowski2_done(&m)) return CD_OK;
    }
}

CD_API cd_status cd_minkowski_sum2(const cd_vec2 *a, size_t a_count, const cd_vec2 *b, size_t b_count,
                                   cd_minkowski_corner2 *corners, size_t capacity, size_t *count) {
    return cdi_minkowski2_corners(a, a_count, b, b_count, false, corners, capacity, count);
}

CD_API cd_status cd_minkowski_difference2(const cd_vec2 *a, size_t a_count, const cd_vec2 *b, size_t b_count,
                                          cd_minkowski_corner2 *corners, size_t capacity, size_t *count) {
    return cdi_minkowski2_corners(a, a_count, b, b_count, true, corners, capacity, count);
}

/* ---- the origin ---- */

/* On which side of the edge that is next the origin lies: at the corner a - b of the difference the way to it is b - a. */
static int cdi_minkowski2_origin_side(const cdi_minkowski2 *m, int turn) {
    const cdi_edge_walk *w = turn >= 0 ? &m->a : &m->b;
    cdi_v2 b = cdi_v2_of(m->b.polygon.v[m->b.at]);
    return cdi_sign(cdi_orient_edges(cdi_edge_walk_at(w), cdi_edge_walk_next(w), cdi_edge_walk_at(&m->a), b));
}

/* Of a difference that is a point, or a segment whose line the origin is on: is the origin between its ends? */
static int cdi_minkowski2_between(const cdi_minkowski2 *m) {
    const cdi_convex2 *a = &m->a.polygon, *b = &m->b.polygon;
    return cdi_goes_up(cdi_v2_of(b->v[b->first]), cdi_v2_of(a->v[a->first])) ||
                   cdi_goes_up(cdi_v2_of(a->v[a->last]), cdi_v2_of(b->v[b->last]))
               ? -1
               : 0;
}

CD_API int cd_minkowski_locate_origin2(const cd_vec2 *a, size_t a_count, const cd_vec2 *b, size_t b_count) {
    cdi_minkowski2 m;
    uint64_t edges = 0;
    int least = 1;
    if (cdi_minkowski2_begin(&m, a, a_count, b, b_count, true) != CD_OK) return -1;
    if (a_count == 0 || b_count == 0) return -1;
    for (; !cdi_minkowski2_done(&m); ++edges) {
        int turn = cdi_minkowski2_turn(&m), side = cdi_minkowski2_origin_side(&m, turn);
        if (side < 0) return -1;
        if (side < least) least = side;
        cdi_minkowski2_advance(&m, turn);
    }
    return edges < 3 ? cdi_minkowski2_between(&m) : least;
}

/* ---- hull/hull.c --------------------------------------------------------------------------------------------- */

typedef char cdi_hull_header_is_128_bytes[sizeof(cdi_hull_header) == 128 ? 1 : -1];
typedef char cdi_hull_face_has_no_gap[sizeof(cd_hull_face) == 4 * sizeof(cd_real) + 8 ? 1 : -1];

/* ---- the block ---- */

static uint64_t cdi_hull_bytes(uint32_t vertices, uint32_t half_edges, uint32_t faces) {
    return sizeof(cdi_hull_header) + vertices * (uint64_t)(sizeof(cd_vec3) + 2 * sizeof(uint32_t)) +
           half_edges * (uint64_t)sizeof(cd_half_edge) + faces * (uint64_t)sizeof(cd_hull_face);
}

CDI_FN cdi_hull_header *cdi_hull_take_block(const cd_allocator *allocator, int dimension,
                                            uint32_t vertex_count, uint32_t half_edge_count,
                                            uint32_t face_count) {
    uint64_t bytes = cdi_hull_bytes(vertex_count, half_edge_count, face_count);
    cdi_hull_header *h =
        (size_t)bytes == bytes ? (cdi_hull_header *)cdi_alloc(allocator, (size_t)bytes, 1) : NULL;
    if (!h) return NULL;
    cdi_clear(h, sizeof *h);
    h->magic = CDI_HULL_MAGIC;
    h->version = CDI_HULL_VERSION;
    h->real_size = (uint32_t)sizeof(cd_real);
    h->dimension = dimension;
    h->vertex_count = vertex_count;
    h->half_edge_count = half_edge_count;
    h->face_count = face_count;
    h->bytes = bytes;
    return h;
}

CDI_FN cdi_hull_arrays cdi_hull_open(const cdi_hull_header *header) {
    cdi_hull_arrays a;
    a.vertices = (cd_vec3 *)(void *)((unsigned char *)header + sizeof *header);
    a.faces = (cd_hull_face *)(void *)(a.vertices + header->vertex_count);
    a.sources = (uint32_t *)(void *)(a.faces + header->face_count);
    a.outgoing = a.sources + header->vertex_count;
    a.half_edges = (cd_half_edge *)(void *)(a.outgoing + header->vertex_count);
    return a;
}

CDI_FN cd_real cdi_hull_round_up(double x) {
    const double most = (double)CD_REAL_MAX;
    cd_real r = (cd_real)cdi_clamp(x, -most, most);
    r = (double)r < x ? cdi_next_real(r, true) : r; /* which stays at the largest */
    return r + 0;                                   /* no negative zero */
}

/* None of a face's vertices is in front of its plane, as doubles multiply. */
static void cdi_hull_settle_plane(const cdi_hull_arrays *a, cd_hull_face *f) {
    cdi_v3 n = cdi_v3_of(f->plane.n);
    double most = (double)f->plane.d;
    for (uint32_t i = 0; i < f->count; ++i)
        most = cdi_max(most, cdi_v3_dot(n, cdi_v3_of(a->vertices[a->half_edges[f->first + i].origin])));
    f->plane.d = cdi_hull_round_up(most);
}

static void cdi_hull_find_center(cdi_hull_header *h, const cdi_hull_arrays *a) {
    double share = 1.0 / (double)h->vertex_count;
    cdi_v3 sum = cdi_v3_make(0.0, 0.0, 0.0);
    for (uint32_t i = 0; i < h->vertex_count; ++i) sum = cdi_v3_along(sum, cdi_v3_of(a->vertices[i]), share);
    cdi_v3_store(h->center, sum);
    for (int k = 0; k < 3; ++k)
        h->center[k] = cdi_clamp(h->center[k], -(double)CD_REAL_MAX, (double)CD_REAL_MAX);
}

CDI_FN void cdi_hull_finish(cd_hull *out, cdi_hull_header *header, const cd_allocator *allocator) {
    cdi_hull_arrays a = cdi_hull_open(header);
    for (uint32_t i = 0; i < header->face_count; ++i) cdi_hull_settle_plane(&a, &a.faces[i]);
    cdi_hull_find_center(header, &a);
    out->block = header;
    out->bytes = (size_t)header->bytes;
    out->allocator = *allocator;
    out->owned = 1;
}

CD_API void cd_hull_destroy(cd_hull *hull) {
    if (hull->owned) cdi_free(&hull->allocator, (void *)hull->block, hull->bytes, 1);
    cdi_clear(hull, sizeof *hull);
}

/* ---- reading ---- */

CD_API cd_hull_parts cd_hull_get_parts(const cd_hull *hull) {
    const cdi_hull_header *h = (const cdi_hull_header *)hull->block;
    cd_hull_parts p;
    cdi_hull_arrays a;
    cdi_clear(&p, sizeof p);
    p.dimension = -1;
    if (!h) return p;
    a = cdi_hull_open(h);
    p.dimension = h->dimension;
    p.vertex_count = h->vertex_count;
    p.half_edge_count = h->half_edge_count;
    p.face_count = h->face_count;
    p.vertices = a.vertices;
    p.sources = a.sources;
    p.outgoing = a.outgoing;
    p.half_edges = a.half_edges;
    p.faces = a.faces;
    p.flatness = cdi_hull_round_up(h->flatness);
    p.deviation = cdi_hull_round_up(h->deviation);
    p.center = cdi_v3_round(cdi_v3_make(h->center[0], h->center[1], h->center[2]));
    return p;
}

CD_API uint32_t cd_hull_next(const cd_hull_parts *parts, uint32_t half_edge) {
    uint32_t face = parts->half_edges[half_edge].face;
    const cd_hull_face *f = &parts->faces[face == CD_NONE ? 0 : face];
    if (face == CD_NONE) return 1 - half_edge;
    return half_edge + 1 < f->first + f->count ? half_edge + 1 : f->first;
}

CD_API uint32_t cd_hull_previous(const cd_hull_parts *parts, uint32_t half_edge) {
    uint32_t face = parts->half_edges[half_edge].face;
    const cd_hull_face *f = &parts->faces[face == CD_NONE ? 0 : face];
    if (face == CD_NONE) return 1 - half_edge;
    return half_edge > f->first ? half_edge - 1 : f->first + f->count - 1;
}

CD_API size_t cd_hull_triangles(const cd_hull *hull, uint32_t *indices, size_t capacity) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    size_t count = 0;
    for (uint32_t f = 0; f < p.face_count; ++f) {
        const cd_half_edge *e = p.half_edges + p.faces[f].first;
        for (uint32_t i = 2; i < p.faces[f].count; ++i, ++count) {
            if (count >= capacity) continue;
            indices[3 * count] = e[0].origin;
            indices[3 * count + 1] = e[i - 1].origin;
            indices[3 * count + 2] = e[i].origin;
        }
    }
    return count;
}

CD_API uint32_t cd_hull_support(const cd_hull *hull, cd_vec3 direction) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cdi_v3 d = cdi_v3_of(direction);
    uint32_t best = 0;
    double most = -cdi_infinity();
    for (uint32_t i = 0; i < p.vertex_count; ++i) {
        double along = cdi_v3_dot(d, cdi_v3_of(p.vertices[i]));
        if (along > most) {
            most = along;
            best = i;
        }
    }
    if (p.vertex_count == 0) return CD_NONE;
    return cd_vec3_is_valid(direction) ? best : 0;
}

CD_API cd_aabb cd_hull_bounds(const cd_hull *hull) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cd_aabb box = cd_aabb_empty();
    for (uint32_t i = 0; i < p.vertex_count; ++i) {
        box.min = cd_vec3_min(box.min, p.vertices[i]);
        box.max = cd_vec3_max(box.max, p.vertices[i]);
    }
    return box;
}

/* ---- checking ---- */

static bool cdi_hull_header_fits(const cdi_hull_header *h, size_t size) {
    uint32_t v = h->vertex_count, e = h->half_edge_count, f = h->face_count;
    if (h->bytes != size || h->bytes != cdi_hull_bytes(v, e, f)) return false;
    if (!cdi_finite3(h->center[0], h->center[1], h->center[2])) return false;
    if (!cdi_finite(h->flatness) || !cdi_finite(h->deviation) || h->flatness < 0.0 || h->deviation < 0.0)
        return false;
    switch (h->dimension) {
    case 0: return v == 1 && e == 0 && f == 0;
    case 1: return v == 2 && e == 2 && f == 0;
    case 2: return v >= 3 && e == 2 * (uint64_t)v && f == 2;
    case 3:
        return (h->flatness > 0.0 ? v >= 3 && f >= 2 : v >= 4 && f >= 4) && e % 2 == 0 &&
               (uint64_t)v + f == (uint64_t)e / 2 + 2;
    default: return false;
    }
}

/* About unit length, which a NaN is not. */
static bool cdi_plane_is_sound(const cd_plane *plane) {
    double square = cdi_v3_sqlength(cdi_v3_of(plane->n));
    return square > 0.999 && square < 1.001 && cd_is_finite(plane->d);
}

/* In dimension 2 each half-edge of the front has its twin on the back, and there are as many as vertices. */
static bool cdi_hull_sides_match(const cd_hull_parts *p) {
    if (p->faces[0].count != p->vertex_count) return false;
    for (uint32_t i = 0; i < p->vertex_count; ++i) {
        if (p->half_edges[i].twin < p->vertex_count) return false;
    }
    return true;
}

/* Faces take all half-edges one after the other. */
static bool cdi_hull_faces_are_sound(const cd_hull_parts *p) {
    uint32_t count = 0;
    for (uint32_t f = 0; f < p->face_count; ++f) {
        const cd_hull_face *face = &p->faces[f];
        if (face->first != count || face->count < 3 || face->count > p->half_edge_count - count) return false;
        if (!cdi_plane_is_sound(&face->plane)) return false;
        for (uint32_t i = 0; i < face->count; ++i) {
            if (p->half_edges[count + i].face != f) return false;
        }
        count += face->count;
    }
    return p->face_count == 0 || count == p->half_edge_count;
}

static bool cdi_hull_half_edges_are_sound(const cd_hull_parts *p) {
    for (uint32_t i = 0; i < p->half_edge_count; ++i) {
        const cd_half_edge *e = &p->half_edges[i];
        if (e->origin >= p->vertex_count || e->twin >= p->half_edge_count || e->twin == i) return false;
        if (p->face_count == 0 && e->face != CD_NONE) return false;
        if (p->half_edges[e->twin].twin != i) return false;
    }
    for (uint32_t i = 0; i < p->half_edge_count; ++i) {
        if (p->half_edges[p->half_edges[i].twin].origin != p->half_edges[cd_hull_next(p, i)].origin)
            return false;
    }
    return true;
}

/* The half-edges out of each vertex make one circle. */
static bool cdi_hull_vertices_are_sound(const cd_hull_parts *p) {
    uint32_t met = 0;
    for (uint32_t v = 0; v < p->vertex_count; ++v) {
        uint32_t first = p->outgoing[v], e = first;
        if (!cd_vec3_is_valid(p->vertices[v])) return false;
        if (p->half_edge_count == 0) return first == CD_NONE;
        if (first >= p->half_edge_count || p->half_edges[first].origin != v) return false;
        do {
            ++met;
            e = p->half_edges[cd_hull_previous(p, e)].twin;
        } while (e != first);
    }
    return met == p->half_edge_count;
}

static cdi_v3 cdi_hull_corner(const cd_hull_parts *p, const cd_hull_face *f, uint32_t i) {
    return cdi_v3_of(p->vertices[p->half_edges[f->first + i % f->count].origin]);
}

/* The side of the plane of a face's first three corners: 1 in front, exactly. */
static int cdi_hull_side(const cd_hull_parts *p, const cd_hull_face *f, cdi_v3 at) {
    return -cdi_sign(
        cdi_orient3d(cdi_hull_corner(p, f, 0), cdi_hull_corner(p, f, 1), cdi_hull_corner(p, f, 2), at));
}

static bool cdi_rises(cdi_v2 a, cdi_v2 b) {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

/* A face is flat, and seen along an axis it turns one way at each corner, around once: from rising to falling one time. */
static bool cdi_hull_face_is_convex(const cd_hull_parts *p, const cd_hull_face *f) {
    cdi_v3 n = cdi_exact_normal(cdi_hull_corner(p, f, 0), cdi_hull_corner(p, f, 1), cdi_hull_corner(p, f, 2));
    int axis = n.x != 0.0 ? 0 : n.y != 0.0 ? 1 : 2, tops = 0;
    double up = cdi_v3_get(n, axis);
    if (up == 0.0) return false;
    for (uint32_t i = 0; i < f->count; ++i) {
        cdi_v2 a = cdi_v3_drop(cdi_hull_corner(p, f, i), axis),
               b = cdi_v3_drop(cdi_hull_corner(p, f, i + 1), axis);
        cdi_v2 c = cdi_v3_drop(cdi_hull_corner(p, f, i + 2), axis);
        double turn = cdi_orient2d(a, b, c);
        if (turn == 0.0 || (turn > 0.0) != (up > 0.0) || cdi_hull_side(p, f, cdi_hull_corner(p, f, i)) != 0)
            return false;
        tops += cdi_rises(a, b) && !cdi_rises(b, c);
    }
    return tops == 1;
}

/* Across each edge of the face the neighbour bends back. */
static bool cdi_hull_edges_are_convex(const cd_hull_parts *p, const cd_hull_face *f) {
    for (uint32_t e = f->first; e < f->first + f->count; ++e) {
        uint32_t beyond = cd_hull_previous(p, p->half_edges[e].twin);
        if (cdi_hull_side(p, f, cdi_v3_of(p->vertices[p->half_edges[beyond].origin])) >= 0) return false;
    }
    return true;
}

/* Convex at each edge, and around only once: nothing is in front of the first face, and it is in front of no other. */
static bool cdi_hull_is_convex(const cd_hull_parts *p) {
    const cd_hull_face *first = &p->faces[0];
    for (uint32_t v = 0; v < p->vertex_count; ++v) {
        if (cdi_hull_side(p, first, cdi_v3_of(p->vertices[v])) > 0) return false;
    }
    for (uint32_t i = 0; i < p->face_count; ++i) {
        const cd_hull_face *f = &p->faces[i];
        int least = 0;
        if (!cdi_hull_edges_are_convex(p, f) || !cdi_hull_face_is_convex(p, f)) return false;
        for (uint32_t k = 0; k < 3; ++k) {
            int side = cdi_hull_side(p, f, cdi_hull_corner(p, first, k));
            if (side > 0) return false;
            least = side < least ? side : least;
        }
        if (i > 0 && least == 0) return false;
    }
    return true;
}

static bool cdi_hull_is_sound(const cd_hull *hull) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    const cdi_hull_header *h = (const cdi_hull_header *)hull->block;
    if (!cdi_hull_faces_are_sound(&p) || !cdi_hull_half_edges_are_sound(&p) ||
        !cdi_hull_vertices_are_sound(&p))
        return false;
    if (p.dimension == 2 && !cdi_hull_sides_match(&p)) return false;
    if (h->flatness > 0.0) return true;
    if (p.dimension == 1)
        return !cdi_v3_is_zero(cdi_v3_sub(cdi_v3_of(p.vertices[0]), cdi_v3_of(p.vertices[1])));
    if (p.dimension == 2) return cdi_hull_face_is_convex(&p, &p.faces[0]);
    return p.dimension == 0 || cdi_hull_is_convex(&p);
}

CD_API cd_status cd_hull_validate(const cd_hull *hull) {
    const cdi_hull_header *h = (const cdi_hull_header *)hull->block;
    if (!h) return hull->bytes == 0 ? CD_OK : CD_CORRUPT;
    if (hull->bytes < sizeof *h || !cdi_hull_header_fits(h, hull->bytes)) return CD_CORRUPT;
    return cdi_hull_is_sound(hull) ? CD_OK : CD_CORRUPT;
}

CD_API cd_status cd_hull_view(cd_hull *out, const void *bytes, size_t size) {
    const cdi_hull_header *h = (const cdi_hull_header *)bytes;
    cd_status status;
    cdi_clear(out, sizeof *out);
    if (!bytes || ((uintptr_t)bytes & 63u)) return CD_INVALID_ARGUMENT;
    if (size < sizeof *h) return CD_CORRUPT;
    if (h->magic != CDI_HULL_MAGIC) return h->magic == CDI_HULL_MAGIC_SWAPPED ? CD_UNSUPPORTED : CD_CORRUPT;
    if (h->version != CDI_HULL_VERSION || h->real_size != sizeof(cd_real)) return CD_UNSUPPORTED;
    out->block = bytes;
    out->bytes = size;
    status = cd_hull_validate(out);
    if (status != CD_OK) cdi_clear(out, sizeof *out);
    return status;
}

/* ---- hull/hull_build.c --------------------------------------------------------------------------------------- */

/* ---- which points matter ---- */

/* A box inside the hull: of the points in it only the eight that make it matter.
 *
 * Of each octant of directions one point is known, far along its diagonal. A box whose corners are all dominated by their
 * octant's point, coordinate by coordinate, has a smaller support than these points in every direction. */
typedef struct cdi_inner_box {
    cd_real lo[3], hi[3];
} cdi_inner_box;

/* The farthest points along the four diagonals, both ways; of equally far ones the first by place. */
typedef struct cdi_diagonals {
    double least[4], most[4];
    uint32_t first[4], last[4];
} cdi_diagonals;

static cdi_diagonals cdi_diagonals_none(void) {
    cdi_diagonals d;
    for (int k = 0; k < 4; ++k) {
        d.least[k] = cdi_infinity();
        d.most[k] = -d.least[k];
        d.first[k] = d.last[k] = 0;
    }
    return d;
}

static bool cdi_place_before(cd_vec3 a, cd_vec3 b) {
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

static void cdi_diagonal_take(cdi_diagonals *d, const cd_vec3 *points, uint32_t i, int k, double along) {
    if (along < d->least[k] || (along == d->least[k] && cdi_place_before(points[i], points[d->first[k]]))) {
        d->least[k] = along;
        d->first[k] = i;
    }
    if (along > d->most[k] || (along == d->most[k] && cdi_place_before(points[i], points[d->last[k]]))) {
        d->most[k] = along;
        d->last[k] = i;
    }
}

/* Records are rare: one branch asks for all. A sum that is NaN sets none. */
static void cdi_diagonals_take(cdi_diagonals *d, const cd_vec3 *points, uint32_t i) {
    double x = (double)points[i].x, y = (double)points[i].y, z = (double)points[i].z, along[4];
    int record = 0;
    along[0] = x + y + z;
    along[1] = x + y - z;
    along[2] = x - y + z;
    along[3] = x - y - z;
    for (int k = 0; k < 4; ++k) record |= (along[k] <= d->least[k]) | (along[k] >= d->most[k]);
    if (!record || !cd_vec3_is_valid(points[i])) return;
    for (int k = 0; k < 4; ++k) cdi_diagonal_take(d, points, i, k, along[k]);
}

static void cdi_inner_box_shrink(cdi_inner_box *box, cd_vec3 p, int signs) {
    const cd_real c[3] = {p.x, p.y, p.z};
    for (int k = 0; k < 3; ++k) {
        if (signs >> k & 1) {
            box->hi[k] = c[k] < box->hi[k] ? c[k] : box->hi[k];
        } else {
            box->lo[k] = c[k] > box->lo[k] ? c[k] : box->lo[k];
        }
    }
}

/* Holds no point: where a sum is beyond the range. */
static cdi_inner_box cdi_inner_box_none(void) {
    cdi_inner_box box;
    for (int k = 0; k < 3; ++k) {
        box.lo[k] = CD_REAL_MAX;
        box.hi[k] = -CD_REAL_MAX;
    }
    return box;
}

static cdi_inner_box cdi_inner_box_of(const cd_vec3 *points, const cdi_diagonals *d) {
    static const int octant[4] = {7, 3, 5, 1}; /* bit k: the diagonal rises along axis k */
    cdi_inner_box box;
    for (int k = 0; k < 3; ++k) {
        box.lo[k] = -(cd_real)cdi_infinity();
        box.hi[k] = (cd_real)cdi_infinity();
    }
    for (int k = 0; k < 4; ++k) {
        if (!cdi_finite(d->least[k]) || !cdi_finite(d->most[k])) return cdi_inner_box_none();
        cdi_inner_box_shrink(&box, points[d->last[k]], octant[k]);
        cdi_inner_box_shrink(&box, points[d->first[k]], 7 - octant[k]);
    }
    return box;
}

static bool cdi_is_inside_box(const cdi_inner_box *box, cd_vec3 p) {
    return (box->lo[0] < p.x) & (p.x < box->hi[0]) & (box->lo[1] < p.y) & (p.y < box->hi[1]) &
           (box->lo[2] < p.z) & (p.z < box->hi[2]);
}

static bool cdi_is_in_box(const cdi_inner_box *box, cd_vec3 p) {
    return (box->lo[0] <= p.x) & (p.x <= box->hi[0]) & (box->lo[1] <= p.y) & (p.y <= box->hi[1]) &
           (box->lo[2] <= p.z) & (p.z <= box->hi[2]);
}

static bool cdi_same_place(cd_vec3 a, cd_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool cdi_is_on_diagonal(const cdi_diagonals *d, const cd_vec3 *points, cd_vec3 p) {
    for (int k = 0; k < 4; ++k) {
        if (cdi_same_place(p, points[d->first[k]]) || cdi_same_place(p, points[d->last[k]])) return true;
    }
    return false;
}

/* Not NaN, which infinities make as well. */
static bool cdi_all_valid(const cd_vec3 *points, uint32_t count) {
    cd_real sum = 0;
    for (uint32_t i = 0; i < count; ++i)
        sum += (points[i].x - points[i].x) + (points[i].y - points[i].y) + (points[i].z - points[i].z);
    return sum == 0;
}

static uint32_t cdi_leave_invalid_out(const cd_vec3 *points, uint32_t *chosen, uint32_t count) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (cd_vec3_is_valid(points[chosen[i]])) chosen[n++] = chosen[i];
    }
    return n;
}

/* The numbers of the points that may be corners; without points that are not finite. */
static uint32_t cdi_choose_points(const cd_vec3 *points, uint32_t count, bool all_valid, uint32_t *chosen) {
    cdi_diagonals d = cdi_diagonals_none();
    cdi_inner_box box;
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; ++i) cdi_diagonals_take(&d, points, i);
    box = cdi_inner_box_of(points, &d);
    for (uint32_t i = 0; i < count; ++i) {
        chosen[n] = i;
        if (cdi_is_inside_box(&box, points[i])) continue;
        n += !cdi_is_in_box(&box, points[i]) || cdi_is_on_diagonal(&d, points, points[i]);
    }
    return all_valid ? n : cdi_leave_invalid_out(points, chosen, n);
}

/* ---- building ---- */

static cd_status cdi_hull_of_cloud(cd_hull *out, cdi_cloud *cloud, const cd_hull_options *o) {
    cdi_qh q;
    cd_status status = cdi_qh_build(&q, cloud, &o->allocator, &o->executor);
    if (status == CD_OK) status = cdi_facets_write(out, &q, (double)o->merge_distance);
    if (status == CD_OK && !cdi_qh_tell_progress(&q, 1.0)) {
        cd_hull_destroy(out);
        status = CD_CANCELLED;
    }
    cdi_qh_free(&q);
    return status;
}

static cd_status cdi_hull_of_points(cd_hull *out, const cd_vec3 *points, uint32_t count,
                                    const cd_hull_options *o) {
    cdi_cloud_input input;
    cdi_cloud cloud;
    cd_status status;
    bool all_valid = cdi_all_valid(points, count);
    uint32_t *chosen, chosen_count;
    if (!all_valid && !(o->flags & CD_HULL_SKIP_INVALID)) return CD_INVALID_ARGUMENT;
    chosen = (uint32_t *)cdi_alloc(&o->allocator, count, sizeof *chosen);
    if (!chosen) return CD_OUT_OF_MEMORY;
    cdi_clear(&input, sizeof input);
    input.points = points;
    input.count = count;
    chosen_count = cdi_choose_points(points, count, all_valid, chosen);
    status = cdi_cloud_arrange(&cloud, &input, chosen, chosen_count, &o->allocator);
    cdi_free(&o->allocator, chosen, count, sizeof *chosen);
    if (status == CD_OK) status = cdi_hull_of_cloud(out, &cloud, o);
    cdi_cloud_free(&cloud, &o->allocator);
    return status;
}

static bool cdi_hull_options_fit(const cd_hull_options *o) {
    return (o->flags & ~(0u + CD_HULL_SKIP_INVALID)) == 0 && o->merge_distance >= 0 &&
           cd_is_finite(o->merge_distance);
}

CD_API cd_status cd_hull3_build(cd_hull *out, const cd_vec3 *points, size_t count,
                                const cd_hull_options *options) {
    cd_hull_options o;
    cdi_clear(out, sizeof *out);
    cdi_clear(&o, sizeof o);
    if (options) o = *options;
    if (!cdi_hull_options_fit(&o) || (!points && count > 0)) return CD_INVALID_ARGUMENT;
    if (count > CDI_HULL_MOST) return CD_TOO_LARGE;
    return count == 0 ? CD_OK : cdi_hull_of_points(out, points, (uint32_t)count, &o);
}

CD_API cd_status cd_hull3_build_mesh(cd_hull *out, const cd_mesh_view *mesh, const cd_hull_options *options) {
    cd_allocator allocator;
    cd_vec3 *points;
    cd_status status;
    cdi_clear(out, sizeof *out);
    cdi_clear(&allocator, sizeof allocator);
    if (options) allocator = options->allocator;
    if (!cd_mesh_view_is_valid(mesh)) return CD_INVALID_ARGUMENT;
    if (mesh->vertex_count > CDI_HULL_MOST) return CD_TOO_LARGE;
    if (mesh->vertex_count == 0) return cd_hull3_build(out, NULL, 0, options);
    points = (cd_vec3 *)cdi_alloc(&allocator, mesh->vertex_count, sizeof *points);
    if (!points) return CD_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        cd_vec3 p = cd_mesh_position(mesh, i); /* straight into the array tcc gets wrong */
        points[i] = p;
    }
    status = cd_hull3_build(out, points, mesh->vertex_count, options);
    cdi_free(&allocator, points, mesh->vertex_count, sizeof *points);
    return status;
}

/* ---- hull/hull_simplify.c ------------------------------------------------------------------------------------ */

/* ---- copies and subsets ---- */

static cdi_hull_header *cdi_own_header(cd_hull *hull) {
    return (cdi_hull_header *)(void *)hull->block;
}

static cd_status cdi_hull_copy(cd_hull *out, const cd_hull *hull, const cd_allocator *allocator) {
    void *block = cdi_alloc(allocator, hull->bytes, 1);
    if (!block) return CD_OUT_OF_MEMORY;
    cdi_copy(block, hull->block, hull->bytes);
    out->block = block;
    out->bytes = hull->bytes;
    out->allocator = *allocator;
    out->owned = 1;
    cdi_own_header(out)->deviation = 0.0;
    return CD_OK;
}

/* Its sources are places in `chosen`. */
static cd_status cdi_hull_of_chosen(cd_hull *out, const cd_hull *hull, const uint32_t *chosen, uint32_t count,
                                    const cd_allocator *allocator) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cd_hull_options o;
    cd_status status;
    cd_vec3 *points = (cd_vec3 *)cdi_alloc(allocator, count, sizeof *points);
    if (!points) return CD_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < count; ++i) points[i] = p.vertices[chosen[i]];
    cdi_clear(&o, sizeof o);
    o.allocator = *allocator;
    status = cd_hull3_build(out, points, count, &o);
    cdi_free(allocator, points, count, sizeof *points);
    return status;
}

/* The hull of some vertices, with the sources that these have, and how far it is from the whole. */
static cd_status cdi_hull_of_some(cd_hull *out, const cd_hull *hull, const uint32_t *chosen, uint32_t count,
                                  const cd_allocator *allocator) {
    const uint32_t *sources = cd_hull_get_parts(hull).sources;
    cd_status status = cdi_hull_of_chosen(out, hull, chosen, count, allocator);
    cdi_hull_header *header = cdi_own_header(out);
    cdi_hull_arrays a;
    if (status != CD_OK) return status;
    a = cdi_hull_open(header);
    for (uint32_t i = 0; i < header->vertex_count; ++i) a.sources[i] = sources[chosen[a.sources[i]]];
    header->deviation = cdi_gap_largest(out, hull);
    return CD_OK;
}

/* The exact hull of the vertices, where the hull has merged faces or rounded vertices. */
static cd_status cdi_hull_made_exact(cd_hull *out, const cd_hull *hull, const cd_allocator *allocator) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cd_hull_options o;
    cd_status status;
    cdi_hull_arrays a;
    cdi_clear(&o, sizeof o);
    o.allocator = *allocator;
    status = cd_hull3_build(out, p.vertices, p.vertex_count, &o);
    if (status != CD_OK) return status;
    a = cdi_hull_open(cdi_own_header(out));
    for (uint32_t i = 0; i < cdi_own_header(out)->vertex_count; ++i) a.sources[i] = p.sources[a.sources[i]];
    return CD_OK;
}

/* ---- which vertices may be chosen ---- */

/* The vertices farthest along these directions: of the body as it is, and as it looks when made round. */
static uint32_t cdi_choose_extreme(const cd_hull *hull, uint32_t n, uint32_t *candidates) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cdi_round_frame frame = cdi_round_frame_of(hull);
    uint32_t count = 0, last = 0;
    for (uint32_t i = 0; i < 12 * n * n; ++i) {
        cdi_v3 u = cdi_cube_direction(i % (6 * n * n), n);
        uint32_t top = cdi_hull_climb(&p, last, i < 6 * n * n ? u : cdi_round_direction(&frame, u));
        if (count == 0 || top != last) candidates[count++] = top;
        last = top;
    }
    return count;
}

/* Of many vertices those; of few all. */
static uint32_t cdi_choose_candidates(const cd_hull *hull, uint32_t wanted, uint32_t *candidates) {
    uint32_t all = cd_hull_get_parts(hull).vertex_count, n = 8;
    while (6 * n * n < 24.0 * wanted && n < 1024) n *= 2;
    if (all > 24 * n * n) return cdi_choose_extreme(hull, n, candidates);
    for (uint32_t i = 0; i < all; ++i) candidates[i] = i;
    return all;
}

/* ---- inside ---- */

static cd_status cdi_select_among(const cd_hull *hull, const uint32_t *candidates, uint32_t count,
                                  const cdi_selection *how, const cd_allocator *allocator, uint32_t *chosen,
                                  uint32_t *chosen_count) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cdi_cloud_input input;
    cd_status status;
    cd_vec3 *points = (cd_vec3 *)cdi_alloc(allocator, count, sizeof *points);
    *chosen_count = 0;
    if (!points) return CD_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < count; ++i) points[i] = p.vertices[candidates[i]];
    cdi_clear(&input, sizeof input);
    input.points = points;
    input.count = count;
    status = cdi_select(&input, how, allocator, chosen, chosen_count);
    cdi_free(allocator, points, count, sizeof *points);
    for (uint32_t i = 0; i < *chosen_count; ++i) chosen[i] = candidates[chosen[i]];
    return status == CD_UNSUPPORTED ? CD_OK : status;
}

/* Chooses exactly so many vertices of a body. Should fewer candidates do, or should they be in a plane, all are taken. */
static cd_status cdi_select_vertices(const cd_hull *hull, uint32_t wanted, const cd_allocator *allocator,
                                     uint32_t *candidates, uint32_t *chosen) {
    uint32_t all = cd_hull_get_parts(hull).vertex_count, count, n;
    cdi_selection how;
    cd_status status;
    cdi_clear(&how, sizeof how);
    how.kind = CDI_SELECT_NEAR;
    how.wanted = wanted;
    how.spare = wanted / 2 + 8;
    how.exchanges = wanted + 8;
    count = cdi_choose_candidates(hull, wanted, candidates);
    status = cdi_select_among(hull, candidates, count, &how, allocator, chosen, &n);
    if (status != CD_OK || n == wanted) return status;
    for (uint32_t i = 0; i < all; ++i) candidates[i] = i;
    how.spare = how.exchanges = 0;
    status = cdi_select_among(hull, candidates, all, &how, allocator, chosen, &n);
    return status == CD_OK && n < wanted ? CD_NOT_CONVERGED : status;
}

/* ---- chosen vertices move to where they are needed ---- */

/* How far the hull reaches beyond each face of a smaller one; the largest is returned. */
static double cdi_measure_faces(const cd_hull_parts *s, const cd_hull_parts *p, const uint32_t *chosen,
                                double scale, double *beyond) {
    double most = 0.0;
    for (uint32_t f = 0; f < s->face_count; ++f) {
        uint32_t corner = s->half_edges[s->faces[f].first].origin, from = chosen[s->sources[corner]];
        cdi_v3 n = cdi_v3_of(s->faces[f].plane.n);
        cdi_v3 top = cdi_v3_of(p->vertices[cdi_hull_climb(p, from, n)]);
        beyond[f] = cdi_v3_dot(n, cdi_v3_sub(top, cdi_v3_of(s->vertices[corner]))) * scale;
        most = cdi_max(most, beyond[f]);
    }
    return most;
}

/* The mean of the normals around a vertex, made unit. */
static cdi_v3 cdi_vertex_normal(const cd_hull_parts *p, uint32_t vertex) {
    cdi_v3 sum = cdi_v3_make(0.0, 0.0, 0.0);
    uint32_t first = p->outgoing[vertex], h = first;
    do {
        sum = cdi_v3_add(sum, cdi_v3_of(p->faces[p->half_edges[h].face].plane.n));
        h = p->half_edges[cd_hull_previous(p, h)].twin;
    } while (h != first);
    return cdi_v3_normalize(sum);
}

/* Where a vertex with the normal n is drawn to: some way to the normals around it, mostly to those whose faces miss most. */
static cdi_v3 cdi_pull(const cd_hull_parts *s, uint32_t vertex, cdi_v3 n, const double *beyond, double most,
                       double strength) {
    cdi_v3 sum = n;
    uint32_t first = s->outgoing[vertex], h = first;
    do {
        uint32_t f = s->half_edges[h].face;
        double weight = cdi_max(beyond[f] / most, 0.0);
        weight *= weight;
        weight *= weight;
        sum = cdi_v3_along(sum, cdi_v3_sub(cdi_v3_of(s->faces[f].plane.n), n), strength * weight);
        h = s->half_edges[cd_hull_previous(s, h)].twin;
    } while (h != first);
    return sum;
}

typedef struct cdi_relaxation {
    const cd_hull *hull;
    cd_hull_parts parts;
    const cd_allocator *allocator;
    double scale;
    uint32_t count;
    uint32_t *chosen, *best, *taken; /* taken: for each vertex, whether it is chosen */
    double *beyond;                  /* for each face */
    double least;                    /* the smallest error so far, that of `best` */
} cdi_relaxation;

/* One step: all vertices move to the top of the hull along their pull, one by one, where that is not taken. As Lloyd's
 * method for the centres of cells, but for the largest error instead of the mean one. */
static cd_status cdi_relax_once(cdi_relaxation *r, double strength) {
    cd_hull hull;
    cd_hull_parts s;
    double most;
    cd_status status = cdi_hull_of_chosen(&hull, r->hull, r->chosen, r->count, r->allocator);
    if (status != CD_OK) return status;
    s = cd_hull_get_parts(&hull);
    most = s.dimension == 3 ? cdi_measure_faces(&s, &r->parts, r->chosen, r->scale, r->beyond) : CDI_HUGE;
    if (most < r->least && s.vertex_count == r->count) {
        r->least = most;
        cdi_copy(r->best, r->chosen, r->count * sizeof *r->best);
    }
    for (uint32_t v = 0; v < s.vertex_count && s.dimension == 3 && most > 0.0; ++v) {
        uint32_t slot = s.sources[v], from = r->chosen[slot];
        cdi_v3 n = cdi_vertex_normal(&r->parts, from);
        uint32_t to = cdi_hull_climb(&r->parts, from, cdi_pull(&s, v, n, r->beyond, most, strength));
        if (r->taken[to]) continue;
        r->taken[from] = 0;
        r->taken[to] = 1;
        r->chosen[slot] = to;
    }
    cd_hull_destroy(&hull);
    return CD_OK;
}

/* Improves a choice by steps that become smaller, fewer for many vertices; where that does not help it is left as it is. `taken` has room for all vertices. */
static cd_status cdi_relax(const cd_hull *hull, uint32_t *chosen, uint32_t count, uint32_t *taken,
                           const cd_allocator *allocator) {
    cdi_relaxation r;
    cd_status status = CD_OUT_OF_MEMORY;
    uint32_t steps = (uint32_t)cdi_min(48.0, 8192.0 / (double)count);
    cdi_clear(&r, sizeof r);
    r.hull = hull;
    r.parts = cd_hull_get_parts(hull);
    r.allocator = allocator;
    r.scale = cdi_unit_scale(hull);
    r.count = count;
    r.chosen = chosen;
    r.taken = taken;
    r.least = CDI_HUGE;
    r.best = (uint32_t *)cdi_alloc(allocator, count, sizeof *r.best);
    r.beyond = (double *)cdi_alloc(allocator, 2 * (size_t)count, sizeof *r.beyond);
    cdi_clear(taken, r.parts.vertex_count * sizeof *taken);
    for (uint32_t i = 0; i < count; ++i) taken[chosen[i]] = 1;
    if (r.best && r.beyond) {
        cdi_copy(r.best, chosen, count * sizeof *chosen);
        status = CD_OK;
        for (uint32_t i = 0; i < steps && status == CD_OK; ++i)
            status = cdi_relax_once(&r, 0.02 + 0.4 * (1.0 - (double)i / (double)steps));
        cdi_copy(chosen, r.best, count * sizeof *chosen);
    }
    cdi_free(allocator, r.best, count, sizeof *r.best);
    cdi_free(allocator, r.beyond, 2 * (size_t)count, sizeof *r.beyond);
    return status;
}

/* Keeps the better one of two hulls in `best`; one that has too many faces is no good. */
static bool cdi_keep_better(cd_hull *best, cd_hull *other, uint32_t max_faces) {
    bool fits = cdi_own_header(other)->face_count <= max_faces;
    if (fits && cdi_own_header(other)->deviation <= cdi_own_header(best)->deviation) {
        cd_hull t = *best;
        *best = *other;
        *other = t;
    }
    cd_hull_destroy(other);
    return fits;
}

/* What the choice comes to, and what it comes to after it was relaxed: the better one. */
static cd_status cdi_simplify_body(cd_hull *out, const cd_hull *hull, uint32_t wanted,
                                   const cd_allocator *allocator) {
    uint32_t all = cd_hull_get_parts(hull).vertex_count;
    uint32_t *candidates, *chosen = (uint32_t *)cdi_alloc(allocator, 2 * (size_t)all, sizeof *chosen);
    cd_hull relaxed;
    cd_status status;
    if (!chosen) return CD_OUT_OF_MEMORY;
    cdi_clear(&relaxed, sizeof relaxed);
    candidates = chosen + all;
    status = cdi_select_vertices(hull, wanted, allocator, candidates, chosen);
    if (status == CD_OK) status = cdi_hull_of_some(out, hull, chosen, wanted, allocator);
    if (status == CD_OK) status = cdi_relax(hull, chosen, wanted, candidates, allocator);
    if (status == CD_OK) status = cdi_hull_of_some(&relaxed, hull, chosen, wanted, allocator);
    if (status == CD_OK) (void)cdi_keep_better(out, &relaxed, CD_NONE);
    if (status != CD_OK) cd_hull_destroy(out);
    cdi_free(allocator, chosen, 2 * (size_t)all, sizeof *chosen);
    return status;
}

/* Triangles alone allow for max_faces / 2 + 2 vertices; where faces are larger, more may do: bisection looks how many. */
static cd_status cdi_simplify_body_faces(cd_hull *out, const cd_hull *hull, uint32_t most, uint32_t max_faces,
                                         const cd_allocator *allocator) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    uint32_t fits = max_faces / 2 + 2, fails = (uint32_t)cdi_min(most, 2.0 * max_faces - 4.0) + 1;
    cd_status status;
    if (fits >= most) return cdi_simplify_body(out, hull, most, allocator);
    status = cdi_simplify_body(out, hull, fits, allocator);
    if (status != CD_OK || p.face_count == 2 * p.vertex_count - 4) return status;
    for (int i = 0; i < 8 && fails - fits > 1; ++i) {
        uint32_t half = fits + (fails - fits) / 2;
        cd_hull other;
        cdi_clear(&other, sizeof other);
        status = cdi_simplify_body(&other, hull, half, allocator);
        if (status != CD_OK && status != CD_NOT_CONVERGED) return status;
        if (status == CD_OK && cdi_keep_better(out, &other, max_faces)) {
            fits = half;
        } else {
            fails = half;
        }
    }
    return CD_OK;
}

/* ---- in a plane ---- */

/* Stretches of a polygon's corners, from `first` to `last` around, with the corner farthest from the chord. */
typedef struct cdi_stretch {
    uint32_t first, last, farthest;
    double distance;
} cdi_stretch;

typedef struct cdi_polygon {
    cd_hull_parts parts;
    double scale;
    cdi_stretch *stretch;
    uint32_t count;
    cdi_heap heap;
} cdi_polygon;

static cdi_v3 cdi_polygon_corner(const cdi_polygon *g, uint32_t i) {
    cdi_v3 base = cdi_v3_of(g->parts.vertices[0]);
    uint32_t v = g->parts.half_edges[i % g->parts.vertex_count].origin;
    cdi_v3 corner =
        cdi_v3_scale(cdi_v3_of(g->parts.vertices[v]), g->scale); /* first, for the largest numbers */
    return cdi_v3_sub(corner, cdi_v3_scale(base, g->scale));
}

static void cdi_polygon_stretch(cdi_polygon *g, uint32_t slot, uint32_t first, uint32_t last) {
    cdi_stretch *s = &g->stretch[slot];
    cdi_v3 a = cdi_polygon_corner(g, first), b = cdi_polygon_corner(g, last);
    s->first = first;
    s->last = last;
    s->distance = -1.0;
    for (uint32_t i = first + 1; i < last; ++i) {
        cdi_v3 p = cdi_polygon_corner(g, i);
        double d = cdi_v3_length(cdi_v3_sub(p, cdi_gap_triangle(p, a, b, b)));
        if (d <= s->distance) continue;
        s->distance = d;
        s->farthest = i;
    }
    if (s->distance >= 0.0) cdi_heap_push(&g->heap, s->distance, slot);
}

/* The corner that is farthest from corner 0 and that itself make the first two stretches; the farthest corner from its chord
 * parts a stretch in two, until there are enough (Ramer 1972; Douglas and Peucker 1973). */
static void cdi_polygon_split(cdi_polygon *g, uint32_t wanted) {
    uint32_t n = g->parts.vertex_count, across;
    cdi_polygon_stretch(g, 0, 0, n);
    across = g->stretch[0].farthest;
    g->heap.count = 0;
    cdi_polygon_stretch(g, 0, 0, across);
    cdi_polygon_stretch(g, 1, across, n);
    for (g->count = 2; g->count < wanted && g->heap.count > 0; ++g->count) {
        cdi_stretch s = g->stretch[g->heap.item[0].id];
        uint32_t slot = g->heap.item[0].id;
        cdi_heap_pop(&g->heap);
        cdi_polygon_stretch(g, slot, s.first, s.farthest);
        cdi_polygon_stretch(g, g->count, s.farthest, s.last);
    }
}

static cd_status cdi_simplify_polygon(cd_hull *out, const cd_hull *hull, uint32_t wanted,
                                      const cd_allocator *allocator) {
    cdi_polygon g;
    cd_status status = CD_OUT_OF_MEMORY;
    uint32_t *chosen = (uint32_t *)cdi_alloc(allocator, wanted, sizeof *chosen);
    cdi_clear(&g, sizeof g);
    g.parts = cd_hull_get_parts(hull);
    g.scale = cdi_unit_scale(hull);
    g.heap.room = wanted + 1;
    g.heap.item = (cdi_heap_item *)cdi_alloc(allocator, g.heap.room, sizeof *g.heap.item);
    g.stretch = (cdi_stretch *)cdi_alloc(allocator, wanted, sizeof *g.stretch);
    if (chosen && g.heap.item && g.stretch) {
        cdi_polygon_split(&g, wanted);
        for (uint32_t i = 0; i < g.count; ++i) chosen[i] = g.parts.half_edges[g.stretch[i].first].origin;
        status =
            g.count < wanted ? CD_NOT_CONVERGED : cdi_hull_of_some(out, hull, chosen, g.count, allocator);
    }
    cdi_free(allocator, chosen, wanted, sizeof *chosen);
    cdi_free(allocator, g.heap.item, g.heap.room, sizeof *g.heap.item);
    cdi_free(allocator, g.stretch, wanted, sizeof *g.stretch);
    return status;
}

/* ---- the whole ---- */

static bool cdi_simplify_options_fit(const cd_hull_simplify_options *o, int dimension) {
    uint32_t least = dimension == 3 ? 4u : dimension == 2 ? 3u : 0u;
    return o->flags == 0 && o->side <= CD_HULL_OUTER && (o->max_vertices == 0 || o->max_vertices >= least) &&
           (o->max_faces == 0 || dimension != 3 || o->max_faces >= least);
}

static bool cdi_is_within(uint32_t count, uint32_t most) {
    return most == 0 || count <= most;
}

static bool cdi_is_within_budget(const cd_hull_parts *p, const cd_hull_simplify_options *o) {
    return p->dimension < 2 || (cdi_is_within(p->vertex_count, o->max_vertices) &&
                                (p->dimension == 2 || cdi_is_within(p->face_count, o->max_faces)));
}

/* An exact hull. */
static cd_status cdi_simplify_to(cd_hull *out, const cd_hull *hull, const cd_hull_simplify_options *o) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    uint32_t most = o->max_vertices ? (uint32_t)cdi_min(o->max_vertices, p.vertex_count) : p.vertex_count;
    if (cdi_is_within_budget(&p, o)) return p.dimension < 0 ? CD_OK : cdi_hull_copy(out, hull, &o->allocator);
    if (o->side == CD_HULL_OUTER && p.dimension == 2) return CD_UNSUPPORTED;
    if (o->side == CD_HULL_OUTER)
        return cdi_hull_around(out, hull, o->max_vertices ? o->max_vertices : CDI_HULL_MOST,
                               o->max_faces ? o->max_faces : CDI_HULL_MOST, &o->allocator);
    if (p.dimension == 2) return cdi_simplify_polygon(out, hull, most, &o->allocator);
    if (o->max_faces == 0) return cdi_simplify_body(out, hull, most, &o->allocator);
    return cdi_simplify_body_faces(out, hull, most, o->max_faces, &o->allocator);
}

static cd_status cdi_simplify_any(cd_hull *out, const cd_hull *hull, const cd_hull_simplify_options *o) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cd_hull exact;
    cd_status status;
    if (cdi_is_within_budget(&p, o) || p.flatness == 0) return cdi_simplify_to(out, hull, o);
    cdi_clear(&exact, sizeof exact);
    status = cdi_hull_made_exact(&exact, hull, &o->allocator);
    if (status == CD_OK) status = cdi_simplify_to(out, &exact, o);
    cd_hull_destroy(&exact);
    return status;
}

CD_API cd_status cd_hull_simplify(cd_hull *out, const cd_hull *hull,
                                  const cd_hull_simplify_options *options) {
    cd_hull_simplify_options o;
    cd_hull result;
    cd_status status;
    cdi_clear(&o, sizeof o);
    cdi_clear(&result, sizeof result);
    if (options) o = *options;
    status = CD_INVALID_ARGUMENT;
    if (cdi_simplify_options_fit(&o, cd_hull_get_parts(hull).dimension))
        status = cdi_simplify_any(&result, hull, &o);
    if (status != CD_OK) cd_hull_destroy(&result);
    *out = result;
    return status;
}

/* ---- hull/minkowski3.c --------------------------------------------------------------------------------------- */

/* An operand: exactly convex, and mirrored in the origin when it is taken away. */
typedef struct cdi_summand {
    cd_hull_parts parts;
    cd_hull made; /* in place of an operand that is only nearly convex, else empty */
    bool mirrored;
} cdi_summand;

/* The walk over the vertices of the sum. A vertex is known by its pair: the first one's vertex times the number of the
 * second one's, plus the second one's. */
typedef struct cdi_minkowski {
    cdi_summand side[2];
    const cd_hull_options *options;
    uint32_t *found, count, room; /* pairs in the order in which they were found */
    uint32_t *slot;               /* a hash table of them with 2 `room` places, free ones CD_NONE */
    cdi_v3 *high, *low;           /* the sums of the pairs, once all are found; room for `count` */
} cdi_minkowski;

/* ---- operands ---- */

static cdi_v3 cdi_summand_at(const cdi_summand *s, uint32_t vertex) {
    cdi_v3 v = cdi_v3_of(s->parts.vertices[vertex]);
    return s->mirrored ? cdi_v3_neg(v) : v;
}

static uint32_t cdi_summand_name(const cdi_summand *s, uint32_t vertex) {
    return s->made.block ? s->parts.sources[vertex] : vertex;
}

/* The vertex where a half-edge ends. */
static uint32_t cdi_summand_end(const cdi_summand *s, uint32_t half_edge) {
    return s->parts.half_edges[s->parts.half_edges[half_edge].twin].origin;
}

static cdi_edge3d cdi_summand_edge(const cdi_summand *s, uint32_t half_edge) {
    cdi_edge3d e;
    e.from = cdi_summand_at(s, s->parts.half_edges[half_edge].origin);
    e.to = cdi_summand_at(s, cdi_summand_end(s, half_edge));
    return e;
}

/* The half-edge that follows around the same vertex, and the one before. */
static uint32_t cdi_summand_turn(const cdi_summand *s, uint32_t half_edge) {
    return s->parts.half_edges[cd_hull_previous(&s->parts, half_edge)].twin;
}
static uint32_t cdi_summand_turn_back(const cdi_summand *s, uint32_t half_edge) {
    return cd_hull_next(&s->parts, s->parts.half_edges[half_edge].twin);
}

static cd_status cdi_summand_begin(cdi_summand *s, const cd_hull *hull, bool mirrored,
                                   const cd_hull_options *options) {
    cd_hull_options plain;
    cd_status status;
    s->mirrored = mirrored;
    s->parts = cd_hull_get_parts(hull);
    if (s->parts.dimension < 0 || ((const cdi_hull_header *)hull->block)->flatness == 0.0) return CD_OK;
    cdi_clear(&plain, sizeof plain);
    plain.allocator = options->allocator;
    plain.executor = options->executor;
    status = cd_hull3_build(&s->made, s->parts.vertices, s->parts.vertex_count, &plain);
    s->parts = cd_hull_get_parts(&s->made);
    return status;
}

/* The vertex that is the last one along x, of these along y, of these along z. */
static uint32_t cdi_summand_last(const cdi_summand *s) {
    uint32_t last = 0;
    for (uint32_t i = 1; i < s->parts.vertex_count; ++i) {
        cdi_v3 p = cdi_summand_at(s, i), q = cdi_summand_at(s, last);
        if (p.x != q.x ? p.x > q.x : p.y != q.y ? p.y > q.y : p.z > q.z) last = i;
    }
    return last;
}

/* ---- is an edge of a summand one of the sum? ----
 *
 * At a vertex of the sum its edges run along edges of the two vertices that it is made of: those that are extreme among
 * all. Seen along such an edge the others lie within less than half a turn. */

/* What is seen along an edge, up to now: nothing, one direction, or those from the right one to the left one. */
typedef struct cdi_fan {
    cdi_edge3d axis, right, left;
    int count;
} cdi_fan;

/* For parallel edges: 1 when they have the same direction, else -1. */
static int cdi_parallel_sign(const cdi_edge3d *a, const cdi_edge3d *b) {
    for (int k = 0; k < 3; ++k) {
        double from = cdi_v3_get(a->from, k), to = cdi_v3_get(a->to, k);
        if (from != to) return (from < to) == (cdi_v3_get(b->from, k) < cdi_v3_get(b->to, k)) ? 1 : -1;
    }
    return -1;
}

/* A component of the cross product of two edges. */
static double cdi_cross_edges(const cdi_edge3d *a, const cdi_edge3d *b, int axis) {
    return cdi_orient_edges(cdi_v3_drop(a->from, axis), cdi_v3_drop(a->to, axis), cdi_v3_drop(b->from, axis),
                            cdi_v3_drop(b->to, axis));
}

/* For f in the plane of the axis and another edge: on the same side of the axis, on the axis' line, or beyond? */
static int cdi_fan_side(const cdi_edge3d *axis, const cdi_edge3d *other, const cdi_edge3d *f) {
    for (int k = 0; k < 3; ++k) {
        int side = cdi_sign(cdi_cross_edges(axis, other, k));
        if (side) return side * cdi_sign(cdi_cross_edges(axis, f, k));
    }
    return 0;
}

/* How f was added to a fan. */
typedef enum cdi_fan_answer {
    CDI_FAN_BROKEN,  /* the axis is not extreme */
    CDI_FAN_ALONG,   /* f is parallel to the axis */
    CDI_FAN_EXTENDED /* f is another direction */
} cdi_fan_answer;

static cdi_fan_answer cdi_fan_along(const cdi_fan *fan, const cdi_edge3d *f) {
    return cdi_parallel_sign(&fan->axis, f) > 0 ? CDI_FAN_ALONG : CDI_FAN_BROKEN;
}

static cdi_fan_answer cdi_fan_first(cdi_fan *fan, const cdi_edge3d *f) {
    if (cdi_fan_side(&fan->axis, f, f) == 0) return cdi_fan_along(fan, f);
    fan->right = fan->left = *f;
    fan->count = 1;
    return CDI_FAN_EXTENDED;
}

static cdi_fan_answer cdi_fan_second(cdi_fan *fan, const cdi_edge3d *f) {
    double turn = cdi_orient_edges3d(&fan->axis, &fan->right, f);
    int side = turn == 0.0 ? cdi_fan_side(&fan->axis, &fan->right, f) : 1;
    if (side == 0) return cdi_fan_along(fan, f);
    if (side < 0) return CDI_FAN_BROKEN;
    if (turn > 0.0) fan->left = *f;
    if (turn < 0.0) fan->right = *f;
    if (turn != 0.0) fan->count = 2;
    return CDI_FAN_EXTENDED;
}

static cdi_fan_answer cdi_fan_add(cdi_fan *fan, const cdi_edge3d *f) {
    double right, left;
    if (fan->count == 0) return cdi_fan_first(fan, f);
    if (fan->count == 1) return cdi_fan_second(fan, f);
    right = cdi_orient_edges3d(&fan->axis, &fan->right, f);
    left = cdi_orient_edges3d(&fan->axis, f, &fan->left);
    if (right == 0.0 && left == 0.0) return cdi_fan_along(fan, f);
    if (right <= 0.0 && left <= 0.0) return CDI_FAN_BROKEN;
    if (left < 0.0) fan->left = *f;
    if (right < 0.0) fan->right = *f;
    return CDI_FAN_EXTENDED;
}

/* The edges of the axis' own vertex are seen between its two neighbours. */
static cdi_fan cdi_fan_of(const cdi_summand *s, uint32_t half_edge) {
    cdi_fan fan;
    uint32_t turn = cdi_summand_turn(s, half_edge), back = cdi_summand_turn_back(s, half_edge);
    fan.axis = cdi_summand_edge(s, half_edge);
    fan.count = 0;
    if (turn != half_edge) {
        cdi_edge3d e = cdi_summand_edge(s, turn);
        cdi_fan_add(&fan, &e);
    }
    if (back != half_edge && back != turn) {
        cdi_edge3d e = cdi_summand_edge(s, back);
        cdi_fan_add(&fan, &e);
    }
    return fan;
}

/* Is the half-edge of the first one an edge of the sum where its origin meets that of `*beside`, a half-edge of the second one
 * (CD_NONE when that is a point)? Then `end` becomes the vertex of the second one at its end, if that is another one.
 * Otherwise `*beside` becomes one that shows it, likely for the next half-edge as well. */
static bool cdi_is_edge_of_sum(const cdi_summand *one, uint32_t half_edge, const cdi_summand *two,
                               uint32_t *beside, uint32_t *end) {
    cdi_fan fan = cdi_fan_of(one, half_edge);
    uint32_t h = *beside;
    if (h == CD_NONE) return true;
    do {
        cdi_edge3d f = cdi_summand_edge(two, h);
        cdi_fan_answer answer = cdi_fan_add(&fan, &f);
        if (answer == CDI_FAN_ALONG) *end = cdi_summand_end(two, h);
        if (answer == CDI_FAN_BROKEN) {
            *beside = h;
            return false;
        }
        h = cdi_summand_turn(two, h);
    } while (h != *beside);
    return true;
}

/* ---- the pairs that were found ---- */

static uint32_t *cdi_minkowski_slot(const cdi_minkowski *m, uint32_t pair) {
    uint32_t mask = 2 * m->room - 1, i = pair * 0x9E3779B1u;
    for (i = (i ^ i >> 15) & mask; m->slot[i] != CD_NONE && m->slot[i] != pair;) i = (i + 1) & mask;
    return &m->slot[i];
}

static void cdi_minkowski_give(const cdi_minkowski *m, uint32_t *found, uint32_t *slot, uint32_t room) {
    cdi_free(&m->options->allocator, found, room, sizeof *found);
    cdi_free(&m->options->allocator, slot, 2 * (size_t)room, sizeof *slot);
}

static bool cdi_minkowski_grow(cdi_minkowski *m) {
    cdi_minkowski grown = *m;
    grown.room = m->room ? 2 * m->room : 64;
    grown.found = (uint32_t *)cdi_alloc(&m->options->allocator, grown.room, sizeof *m->found);
    grown.slot = (uint32_t *)cdi_alloc(&m->options->allocator, 2 * (size_t)grown.room, sizeof *m->slot);
    if (!grown.found || !grown.slot) {
        cdi_minkowski_give(m, grown.found, grown.slot, grown.room);
        return false;
    }
    for (uint32_t i = 0; i < 2 * grown.room; ++i) grown.slot[i] = CD_NONE;
    for (uint32_t i = 0; i < m->count; ++i) {
        grown.found[i] = m->found[i];
        *cdi_minkowski_slot(&grown, m->found[i]) = m->found[i];
    }
    cdi_minkowski_give(m, m->found, m->slot, m->room);
    *m = grown;
    return true;
}

static cd_status cdi_minkowski_add(cdi_minkowski *m, const uint32_t vertex[2]) {
    uint32_t pair = vertex[0] * m->side[1].parts.vertex_count + vertex[1], *slot;
    if (m->count == m->room && !cdi_minkowski_grow(m)) return CD_OUT_OF_MEMORY;
    slot = cdi_minkowski_slot(m, pair);
    if (*slot == pair) return CD_OK;
    if (m->count == CDI_HULL_MOST) return CD_TOO_LARGE;
    *slot = m->found[m->count++] = pair;
    return CD_OK;
}

/* ---- the walk ---- */

/* The ends of the edges of the sum at a vertex that run along edges of one side. */
static cd_status cdi_minkowski_leave(cdi_minkowski *m, const uint32_t vertex[2], int side) {
    const cdi_summand *one = &m->side[side], *two = &m->side[1 - side];
    uint32_t first = one->parts.outgoing[vertex[side]], h = first;
    uint32_t beside = two->parts.outgoing[vertex[1 - side]];
    cd_status status = CD_OK;
    if (first == CD_NONE) return CD_OK;
    do {
        uint32_t end[2];
        end[side] = cdi_summand_end(one, h);
        end[1 - side] = vertex[1 - side];
        if (cdi_is_edge_of_sum(one, h, two, &beside, &end[1 - side])) status = cdi_minkowski_add(m, end);
        h = cdi_summand_turn(one, h);
    } while (h != first && status == CD_OK);
    return status;
}

static bool cdi_minkowski_goes_on(const cdi_minkowski *m, uint32_t done) {
    const cd_executor *e = &m->options->executor;
    return !e->progress || (done & 1023u) != 1023u || e->progress(e->user, 0.0f);
}

/* All vertices of the sum, from one of them along its edges. */
static cd_status cdi_minkowski_walk(cdi_minkowski *m) {
    uint32_t vertex[2];
    cd_status status;
    vertex[0] = cdi_summand_last(&m->side[0]);
    vertex[1] = cdi_summand_last(&m->side[1]);
    status = cdi_minkowski_add(m, vertex);
    for (uint32_t i = 0; i < m->count && status == CD_OK; ++i) {
        vertex[0] = m->found[i] / m->side[1].parts.vertex_count;
        vertex[1] = m->found[i] % m->side[1].parts.vertex_count;
        status = cdi_minkowski_leave(m, vertex, 0);
        if (status == CD_OK) status = cdi_minkowski_leave(m, vertex, 1);
        if (status == CD_OK && !cdi_minkowski_goes_on(m, i)) status = CD_CANCELLED;
    }
    return status;
}

/* ---- the hull of the sums ---- */

static void cdi_exact_sum(double a, double b, double *high, double *low) {
    if (cdi_abs(a) >= cdi_abs(b)) {
        cdi_fast_two_sum(a, b, high, low);
    } else {
        cdi_fast_two_sum(b, a, high, low);
    }
    *high += 0.0; /* no negative zeros */
}

static bool cdi_minkowski_take_sums(cdi_minkowski *m) {
    const cd_allocator *allocator = &m->options->allocator;
    m->high = (cdi_v3 *)cdi_alloc(allocator, m->count, sizeof *m->high);
    m->low = (cdi_v3 *)cdi_alloc(allocator, m->count, sizeof *m->low);
    if (!m->high || !m->low) return false;
    for (uint32_t i = 0; i < m->count; ++i) {
        cdi_v3 a = cdi_summand_at(&m->side[0], m->found[i] / m->side[1].parts.vertex_count);
        cdi_v3 b = cdi_summand_at(&m->side[1], m->found[i] % m->side[1].parts.vertex_count);
        cdi_exact_sum(a.x, b.x, &m->high[i].x, &m->low[i].x);
        cdi_exact_sum(a.y, b.y, &m->high[i].y, &m->low[i].y);
        cdi_exact_sum(a.z, b.z, &m->high[i].z, &m->low[i].z);
    }
    return true;
}

static cdi_v3 cdi_sum_rounded_off(cdi_v3 high, cdi_v3 low, cd_vec3 rounded) {
    return cdi_v3_add(cdi_v3_sub(high, cdi_v3_of(rounded)), low);
}

/* Sources become pairs; flatness and deviation tell what the rounding of the vertices did. */
static void cdi_minkowski_name(const cdi_minkowski *m, cdi_hull_header *header, uint32_t b_count) {
    cdi_hull_arrays to = cdi_hull_open(header);
    uint32_t count = m->side[1].parts.vertex_count;
    double most = 0.0;
    CDI_ASSERT(header->vertex_count == m->count); /* the walk found vertices only */
    for (uint32_t i = 0; i < header->vertex_count; ++i) {
        uint32_t from = to.sources[i], pair = m->found[from];
        cdi_v3 off = cdi_sum_rounded_off(m->high[from], m->low[from], to.vertices[i]);
        most = cdi_max(most, cdi_v3_length(off));
        to.sources[i] = cdi_summand_name(&m->side[0], pair / count) * b_count +
                        cdi_summand_name(&m->side[1], pair % count);
    }
    if (most == 0.0) return;
    header->deviation = (double)cdi_next_real((cd_real)(most * (1.0 + 1e-15)), true);
    header->flatness = (double)cdi_next_real((cd_real)(2.0 * header->deviation), true);
}

static cd_status cdi_minkowski_write(const cdi_minkowski *m, cd_hull *out, cdi_qh *q, uint32_t b_count) {
    cd_status status = cdi_facets_write(out, q, 0.0);
    if (status == CD_OK) cdi_minkowski_name(m, (cdi_hull_header *)(void *)(uintptr_t)out->block, b_count);
    return status;
}

/* ---- all together ---- */

/* What is asked for: the hull, or where the origin is; the other one is NULL. */
typedef struct cdi_minkowski_goal {
    cd_hull *out;
    int *where;
} cdi_minkowski_goal;

/* Does the sum of the boxes fit between -most and most? And does it hold the origin? */
static bool cdi_minkowski_fits(const cdi_minkowski *m, double most, bool *holds_origin) {
    double lo[2][3], hi[2][3];
    bool fits = true;
    *holds_origin = true;
    for (int s = 0; s < 2; ++s) {
        for (uint32_t i = 0; i < m->side[s].parts.vertex_count; ++i) {
            cdi_v3 p = cdi_summand_at(&m->side[s], i);
            for (int k = 0; k < 3; ++k) {
                double x = cdi_v3_get(p, k);
                if (i == 0) lo[s][k] = hi[s][k] = x;
                lo[s][k] = cdi_min(lo[s][k], x);
                hi[s][k] = cdi_max(hi[s][k], x);
            }
        }
    }
    for (int k = 0; k < 3; ++k) {
        fits = fits && lo[0][k] + lo[1][k] >= -most && hi[0][k] + hi[1][k] <= most;
        if (lo[0][k] > -lo[1][k] || hi[0][k] < -hi[1][k]) *holds_origin = false;
    }
    return fits;
}

static cd_status cdi_minkowski_solve(cdi_minkowski *m, const cdi_minkowski_goal *goal, uint32_t b_count) {
    const cd_hull_options *o = m->options;
    cdi_cloud_input input;
    cdi_cloud cloud;
    cdi_qh q;
    cd_status status;
    if (!cdi_minkowski_take_sums(m)) return CD_OUT_OF_MEMORY;
    cdi_clear(&input, sizeof input);
    input.high = m->high;
    input.low = m->low;
    input.count = m->count;
    status = cdi_cloud_arrange(&cloud, &input, NULL, m->count, &o->allocator);
    if (status != CD_OK) return status;
    status = cdi_qh_build(&q, &cloud, &o->allocator, &o->executor);
    if (status == CD_OK && goal->where) *goal->where = cdi_qh_locate(&q, cdi_v3_make(0.0, 0.0, 0.0));
    if (status == CD_OK && goal->out) status = cdi_minkowski_write(m, goal->out, &q, b_count);
    cdi_qh_free(&q);
    cdi_cloud_free(&cloud, &o->allocator);
    return status;
}

static cd_status cdi_minkowski_of(cdi_minkowski *m, const cdi_minkowski_goal *goal, uint32_t b_count) {
    bool holds_origin;
    cd_status status;
    if (!cdi_minkowski_fits(m, 0.5 * (goal->out ? (double)CD_REAL_MAX : CDI_HUGE), &holds_origin))
        return goal->out || holds_origin ? CD_TOO_LARGE : CD_OK;
    if (!goal->out && !holds_origin) return CD_OK;
    status = cdi_minkowski_walk(m);
    return status == CD_OK ? cdi_minkowski_solve(m, goal, b_count) : status;
}

static void cdi_minkowski_free(cdi_minkowski *m) {
    const cd_allocator *allocator = &m->options->allocator;
    cdi_minkowski_give(m, m->found, m->slot, m->room);
    cdi_free(allocator, m->high, m->count, sizeof *m->high);
    cdi_free(allocator, m->low, m->count, sizeof *m->low);
    cd_hull_destroy(&m->side[0].made);
    cd_hull_destroy(&m->side[1].made);
}

static cd_status cdi_minkowski_run(const cdi_minkowski_goal *goal, const cd_hull *a, const cd_hull *b,
                                   bool mirrored, const cd_hull_options *options) {
    cd_hull_options o;
    cdi_minkowski m;
    uint32_t b_count = cd_hull_get_parts(b).vertex_count;
    cd_status status;
    cdi_clear(&o, sizeof o);
    cdi_clear(&m, sizeof m);
    if (options) o = *options;
    m.options = &o;
    if (cd_hull_get_parts(a).vertex_count * (uint64_t)b_count >= CD_NONE) return CD_TOO_LARGE;
    status = cdi_summand_begin(&m.side[0], a, false, &o);
    if (status == CD_OK) status = cdi_summand_begin(&m.side[1], b, mirrored, &o);
    if (status == CD_OK && m.side[0].parts.dimension >= 0 && m.side[1].parts.dimension >= 0)
        status = cdi_minkowski_of(&m, goal, b_count);
    cdi_minkowski_free(&m);
    return status;
}

/* ---- the interface ---- */

static cd_status cdi_minkowski_build(cd_hull *out, const cd_hull *a, const cd_hull *b, bool mirrored,
                                     const cd_hull_options *options) {
    cdi_minkowski_goal goal;
    cd_hull made;
    cd_status status;
    cdi_clear(&made, sizeof made);
    goal.out = &made;
    goal.where = NULL;
    status = cdi_minkowski_run(&goal, a, b, mirrored, options);
    *out = made;
    return status;
}

CD_API cd_status cd_minkowski_sum3(cd_hull *out, const cd_hull *a, const cd_hull *b,
                                   const cd_hull_options *options) {
    return cdi_minkowski_build(out, a, b, false, options);
}

CD_API cd_status cd_minkowski_difference3(cd_hull *out, const cd_hull *a, const cd_hull *b,
                                          const cd_hull_options *options) {
    return cdi_minkowski_build(out, a, b, true, options);
}

CD_API cd_minkowski_pair cd_minkowski_pair_of(uint32_t source, const cd_hull *b) {
    uint32_t count = cd_hull_get_parts(b).vertex_count;
    cd_minkowski_pair pair;
    pair.a = source == CD_NONE || count == 0 ? CD_NONE : source / count;
    pair.b = source == CD_NONE || count == 0 ? CD_NONE : source % count;
    return pair;
}

CD_API cd_status cd_minkowski_locate_origin3(int *where, const cd_hull *a, const cd_hull *b,
                                             const cd_hull_options *options) {
    cdi_minkowski_goal goal;
    cd_status status;
    int found = -1;
    goal.out = NULL;
    goal.where = &found;
    status = cdi_minkowski_run(&goal, a, b, true, options);
    *where = status == CD_OK ? found : -1;
    return status;
}

/* ---- hull/mass.c --------------------------------------------------------------------------------------------- */

/* ---- sums over triangles ---- */

static const int cdi_moment_row[6] = {0, 1, 2, 0, 1, 2};
static const int cdi_moment_column[6] = {0, 1, 2, 1, 2, 0};

/* The middle, and e with half the size in 2^(e-1)...2^e. Halves first: the size may be beyond the range. */
static double cdi_span_middle(double lo, double hi, int *e) {
    double middle = 0.5 * lo + 0.5 * hi, half = cdi_max(hi - middle, middle - lo);
    *e = half > 0.0 ? cdi_exponent(half) + 1 : -1022;
    return middle;
}

CDI_FN void cdi_moments_begin(cdi_moments *m, cdi_v3 lo, cdi_v3 hi, bool shell) {
    cdi_clear(m, sizeof *m);
    m->origin.x = cdi_span_middle(lo.x, hi.x, &m->shift[0]);
    m->origin.y = cdi_span_middle(lo.y, hi.y, &m->shift[1]);
    m->origin.z = cdi_span_middle(lo.z, hi.z, &m->shift[2]);
    m->shell = shell;
    m->unit = m->shift[0] + m->shift[1] + m->shift[2];
    if (shell) {
        int most = m->shift[0] > m->shift[1] ? m->shift[0] : m->shift[1];
        m->unit = 2 * (most > m->shift[2] ? most : m->shift[2]);
    }
}

static void cdi_moments_local(const cdi_moments *m, cdi_v3 p, cdi_two out[3]) {
    out[0] = cdi_two_scale2(cdi_two_of_diff(p.x, m->origin.x), -m->shift[0]);
    out[1] = cdi_two_scale2(cdi_two_of_diff(p.y, m->origin.y), -m->shift[1]);
    out[2] = cdi_two_scale2(cdi_two_of_diff(p.z, m->origin.z), -m->shift[2]);
}

/* a d - b c */
static cdi_two cdi_two_det2(cdi_two a, cdi_two b, cdi_two c, cdi_two d) {
    return cdi_two_sub(cdi_two_mul(a, d), cdi_two_mul(b, c));
}

/* Six times the volume of the tetrahedron to the middle. */
static cdi_two cdi_moments_volume(cdi_moments *m, cdi_two p[3][3]) {
    cdi_two sum = cdi_two_of(0.0);
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        cdi_two minor = cdi_two_det2(p[1][j], p[1][k], p[2][j], p[2][k]);
        sum = cdi_two_add(sum, cdi_two_mul(p[0][i], minor));
        m->terms +=
            cdi_abs(p[0][i].hi) * (cdi_abs(p[1][j].hi * p[2][k].hi) + cdi_abs(p[1][k].hi * p[2][j].hi));
    }
    return sum;
}

/* Twice the area. Needles may need more digits than two doubles have. */
static cdi_two cdi_moments_area(const cdi_moments *m, cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    return cdi_two_of(cdi_scale2(cdi_v3_length(cdi_accurate_normal(a, b, c)), -m->unit));
}

/* Over a tetrahedron or a triangle, the integral of x is that of 1 times the mean of the corners, and that of x x^T is that
 * of 1 times the sum of the products of each two corners, those with themselves twice, over 20 or 12. */
CDI_FN void cdi_moments_add(cdi_moments *m, cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    cdi_two p[3][3], sum[3], weight;
    cdi_moments_local(m, a, p[0]);
    cdi_moments_local(m, b, p[1]);
    cdi_moments_local(m, c, p[2]);
    weight = m->shell ? cdi_moments_area(m, a, b, c) : cdi_moments_volume(m, p);
    m->count += 1.0;
    m->weight = cdi_two_add(m->weight, weight);
    for (int i = 0; i < 3; ++i) {
        sum[i] = cdi_two_add(cdi_two_add(p[0][i], p[1][i]), p[2][i]);
        m->first[i] = cdi_two_add(m->first[i], cdi_two_mul(weight, sum[i]));
    }
    for (int n = 0; n < 6; ++n) {
        int i = cdi_moment_row[n], j = cdi_moment_column[n];
        cdi_two q = cdi_two_mul(sum[i], sum[j]);
        for (int k = 0; k < 3; ++k) q = cdi_two_add(q, cdi_two_mul(p[k][i], p[k][j]));
        m->second[n] = cdi_two_add(m->second[n], cdi_two_mul(weight, q));
    }
}

/* Up to this, a sum of the determinants may be made of rounding errors: those are at most 19 u^2 of the terms of each, and
 * 3 u^2 of the sum before at each addition, u^2 = 2^-106. */
static double cdi_moments_doubt(const cdi_moments *m) {
    return (m->count + 8.0) * 1.9721522630525295e-31 * m->terms; /* 2^-102; 0 for a shell */
}

/* The integral of x x^T about the centre, which is at d, from that about the middle. A product in doubt is none: a box
 * along the axes has the axes for its principal ones. */
static double cdi_moments_spread(const cdi_moments *m, int n, cdi_two mass, const cdi_two d[3]) {
    int i = cdi_moment_row[n], j = cdi_moment_column[n];
    cdi_two about = cdi_two_div(m->second[n], cdi_two_of(m->shell ? 24.0 : 120.0));
    cdi_two moved = cdi_two_mul(mass, cdi_two_mul(d[i], d[j]));
    double spread = cdi_two_sub(about, moved).hi;
    if (i != j && cdi_abs(spread) <= cdi_moments_doubt(m)) return 0.0;
    return cdi_scale2(spread, m->shift[i] + m->shift[j] + m->unit);
}

static void cdi_mass_set_inertia(cd_mass *out, const double spread[6]) {
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3;
        out->inertia[i][i] = spread[j] + spread[(i + 2) % 3];
        out->inertia[i][j] = out->inertia[j][i] = 0.0 - spread[3 + i];
    }
}

/* o + d in the frame's units, rounded once. */
static double cdi_moments_place(double o, cdi_two d, int shift) {
    double sum, rest;
    d = cdi_two_scale2(d, shift);
    cdi_two_sum(o, d.hi, &sum, &rest);
    return sum + (rest + d.lo);
}

CDI_FN bool cdi_moments_end(const cdi_moments *m, cd_mass *out) {
    cdi_two mass, d[3], corners;
    double spread[6];
    cdi_clear(out, sizeof *out);
    cdi_v3_store(out->center, m->origin);
    if (!(cdi_abs(m->weight.hi) > cdi_moments_doubt(m))) return false;
    mass = cdi_two_div(m->weight, cdi_two_of(m->shell ? 2.0 : 6.0));
    corners = cdi_two_mul(m->weight, cdi_two_of(m->shell ? 3.0 : 4.0));
    for (int i = 0; i < 3; ++i) {
        d[i] = cdi_two_div(m->first[i], corners);
        out->center[i] = cdi_moments_place(out->center[i], d[i], m->shift[i]);
    }
    out->mass = cdi_scale2(mass.hi, m->unit);
    for (int n = 0; n < 6; ++n) spread[n] = cdi_moments_spread(m, n, mass, d);
    cdi_mass_set_inertia(out, spread);
    return true;
}

/* ---- meshes ---- */

static bool cdi_mass_is_finite(const cd_mass *m) {
    bool good = cdi_finite(m->mass) && cdi_finite3(m->center[0], m->center[1], m->center[2]);
    for (int i = 0; i < 3; ++i)
        good = good && cdi_finite3(m->inertia[i][0], m->inertia[i][1], m->inertia[i][2]);
    return good;
}

static cd_status cdi_mass_finish(cd_mass *out) {
    if (cdi_mass_is_finite(out)) return CD_OK;
    cdi_clear(out, sizeof *out);
    return CD_TOO_LARGE;
}

/* The box of all triangles; false for an index out of range or a number that is not finite. */
static bool cdi_mesh_bounds(const cd_mesh_view *mesh, cd_aabb *box) {
    *box = cd_aabb_empty();
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
        cd_triangle t;
        if (!cd_mesh_triangle(mesh, i, &t) || !cd_triangle_is_valid(&t)) return false;
        *box = cd_aabb_add_point(cd_aabb_add_point(cd_aabb_add_point(*box, t.a), t.b), t.c);
    }
    return true;
}

static bool cdi_mesh_moments(const cd_mesh_view *mesh, cd_aabb box, bool shell, cd_mass *out) {
    cdi_moments m;
    cdi_moments_begin(&m, cdi_v3_of(box.min), cdi_v3_of(box.max), shell);
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
        cd_triangle t;
        cd_mesh_triangle(mesh, i, &t);
        cdi_moments_add(&m, cdi_v3_of(t.a), cdi_v3_of(t.b), cdi_v3_of(t.c));
    }
    return cdi_moments_end(&m, out);
}

CD_API cd_status cd_mass_properties(const cd_mesh_view *mesh, cd_mass *out) {
    cd_aabb box;
    cd_mass surface;
    cdi_clear(out, sizeof *out);
    if (!cd_mesh_view_is_valid(mesh) || !cdi_mesh_bounds(mesh, &box)) return CD_INVALID_ARGUMENT;
    if (mesh->triangle_count == 0) return CD_OK;
    if (!cdi_mesh_moments(mesh, box, false, out)) {
        cdi_mesh_moments(mesh, box, true, &surface);
        cdi_copy(out->center, surface.center, sizeof out->center);
    }
    return cdi_mass_finish(out);
}

CD_API cd_status cd_mass_properties_shell(const cd_mesh_view *mesh, cd_mass *out) {
    cd_aabb box;
    cdi_clear(out, sizeof *out);
    if (!cd_mesh_view_is_valid(mesh) || !cdi_mesh_bounds(mesh, &box)) return CD_INVALID_ARGUMENT;
    if (mesh->triangle_count == 0) return CD_OK;
    cdi_mesh_moments(mesh, box, true, out);
    return cdi_mass_finish(out);
}

/* ---- hulls ---- */

CDI_FN bool cdi_hull_moments(const cd_hull_parts *p, cd_aabb box, bool shell, cd_mass *out) {
    cdi_moments m;
    cdi_moments_begin(&m, cdi_v3_of(box.min), cdi_v3_of(box.max), shell);
    for (uint32_t f = 0; f < p->face_count; ++f) {
        const cd_half_edge *e = p->half_edges + p->faces[f].first;
        for (uint32_t i = 2; i < p->faces[f].count; ++i) {
            cdi_moments_add(&m, cdi_v3_of(p->vertices[e[0].origin]), cdi_v3_of(p->vertices[e[i - 1].origin]),
                            cdi_v3_of(p->vertices[e[i].origin]));
        }
    }
    return cdi_moments_end(&m, out);
}

CD_API cd_mass cd_mass_from_hull(const cd_hull *hull) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cd_aabb box = cd_hull_bounds(hull);
    cd_mass out, surface;
    cdi_clear(&out, sizeof out);
    if (p.dimension < 0) return out;
    if (!cdi_hull_moments(&p, box, false, &out)) {
        cdi_hull_moments(&p, box, true, &surface);
        cdi_copy(out.center, surface.center, sizeof out.center);
    }
    cdi_mass_finish(&out);
    return out;
}

/* ---- simple shapes ---- */

CD_API cd_mass cd_mass_from_tetrahedron(cd_vec3 a, cd_vec3 b, cd_vec3 c, cd_vec3 d) {
    static const uint32_t faces[12] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0};
    cd_vec3 v[4];
    cd_mesh_view mesh;
    cd_mass m;
    v[0] = a;
    v[1] = b;
    v[2] = c;
    v[3] = d;
    mesh = cd_mesh_view_make(v, 4, faces, 4);
    cd_mass_properties(&mesh, &m);
    return m.mass < 0.0 ? cd_mass_scale(&m, -1.0) : m;
}

/* From the integrals of x^2, y^2 and z^2 about the centre. All zero where anything is not finite. */
static cd_mass cdi_mass_of_spreads(double mass, cdi_v3 center, cdi_v3 spread) {
    cd_mass m;
    double all[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    m.mass = mass;
    cdi_v3_store(m.center, center);
    cdi_v3_store(all, spread);
    cdi_mass_set_inertia(&m, all);
    cdi_mass_finish(&m);
    return m;
}

CD_API cd_mass cd_mass_from_sphere(cd_sphere s) {
    double r = (double)s.radius, volume = 4.1887902047863905 * (r * r * r), spread; /* 4/3 pi */
    if (!(r >= 0.0)) volume = cdi_nan();
    spread = 0.2 * volume * (r * r);
    return cdi_mass_of_spreads(volume, cdi_v3_of(s.center), cdi_v3_make(spread, spread, spread));
}

/* A box of these half extents, along the axes. */
static cd_mass cdi_mass_of_box(cdi_v3 center, const double half[3]) {
    double volume = 8.0 * (half[0] * half[1] * half[2]), third = volume / 3.0;
    if (!(half[0] >= 0.0 && half[1] >= 0.0 && half[2] >= 0.0)) volume = cdi_nan();
    return cdi_mass_of_spreads(
        volume, center,
        cdi_v3_make(third * (half[0] * half[0]), third * (half[1] * half[1]), third * (half[2] * half[2])));
}

CD_API cd_mass cd_mass_from_aabb(cd_aabb b) {
    cdi_v3 lo = cdi_v3_scale(cdi_v3_of(b.min), 0.5), hi = cdi_v3_scale(cdi_v3_of(b.max), 0.5);
    double half[3];
    cdi_v3_store(half, cdi_v3_sub(hi, lo));
    return cdi_mass_of_box(cdi_v3_add(lo, hi), half);
}

/* R I R^T, made symmetric. */
static void cdi_rotate_inertia(cd_mass *m, const cdi_m3 *r) {
    cdi_m3 inertia, t = cdi_m3_transpose(r);
    for (int j = 0; j < 3; ++j)
        inertia.c[j] = cdi_v3_make(m->inertia[0][j], m->inertia[1][j], m->inertia[2][j]);
    inertia = cdi_m3_mul(&inertia, &t);
    inertia = cdi_m3_mul(r, &inertia);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            m->inertia[i][j] = 0.5 * cdi_v3_get(inertia.c[j], i) + 0.5 * cdi_v3_get(inertia.c[i], j);
    }
}

CD_API cd_mass cd_mass_from_obb(const cd_obb *b) {
    cdi_obb box = cdi_obb_of(b);
    cd_mass m = cdi_mass_of_box(box.center, box.half);
    cdi_rotate_inertia(&m, &box.axes);
    cdi_mass_finish(&m);
    return m;
}

/* ---- bodies ---- */

CD_API cd_mass cd_mass_scale(const cd_mass *m, double factor) {
    cd_mass r = *m;
    r.mass *= factor;
    for (int i = 0; i < 9; ++i) r.inertia[i / 3][i % 3] *= factor;
    return r;
}

/* What a mass at the distance d adds to the inertia. */
static void cdi_add_inertia_at(double inertia[3][3], double mass, cdi_v3 d) {
    double v[3];
    if (mass == 0.0) return;
    cdi_v3_store(v, d);
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double product = mass * v[i] * v[j];
        inertia[i][i] += mass * (v[j] * v[j] + v[k] * v[k]);
        inertia[i][j] -= product;
        inertia[j][i] = inertia[i][j];
    }
}

CD_API cd_mass cd_mass_add(const cd_mass *a, const cd_mass *b) {
    cd_mass m = *a;
    cdi_v3 d =
        cdi_v3_make(b->center[0] - a->center[0], b->center[1] - a->center[1], b->center[2] - a->center[2]);
    double share = 0.0; /* of the way to the centre of b */
    m.mass = a->mass + b->mass;
    if (a->mass == 0.0 && b->mass != 0.0) {
        cdi_copy(m.center, b->center, sizeof m.center);
        d = cdi_v3_make(0.0, 0.0, 0.0);
    } else if (m.mass != 0.0) {
        share = b->mass / m.mass;
        cdi_v3_store(m.center, cdi_v3_along(cdi_v3_make(a->center[0], a->center[1], a->center[2]), d, share));
    }
    for (int i = 0; i < 9; ++i) m.inertia[i / 3][i % 3] += b->inertia[i / 3][i % 3];
    cdi_add_inertia_at(m.inertia, b->mass * (m.mass != 0.0 ? a->mass / m.mass : 1.0), d);
    return m;
}

CD_API cd_mass cd_mass_transform(const cd_mass *m, const cd_transform *pose) {
    cdi_pose p = cdi_pose_of(pose);
    cd_mass r = *m;
    cdi_v3_store(r.center, cdi_pose_point(&p, cdi_v3_make(m->center[0], m->center[1], m->center[2])));
    cdi_rotate_inertia(&r, &p.rotation);
    return r;
}

/* The inertia times 2^e, in the number type of the interface. */
static cd_mat3 cdi_inertia_round(double inertia[3][3], int e) {
    cdi_m3 m;
    for (int j = 0; j < 3; ++j) {
        m.c[j] = cdi_v3_make(cdi_scale2(inertia[0][j], e), cdi_scale2(inertia[1][j], e),
                             cdi_scale2(inertia[2][j], e));
    }
    return cdi_m3_round(&m);
}

CD_API cd_mat3 cd_mass_inertia_at(const cd_mass *m, cd_vec3 point) {
    cd_mass r = *m;
    cdi_v3 c = cdi_v3_make(m->center[0], m->center[1], m->center[2]);
    cdi_add_inertia_at(r.inertia, m->mass, cdi_v3_sub(c, cdi_v3_of(point)));
    return cdi_inertia_round(r.inertia, 0);
}

/* v^T I v / v^T v: an axis that is off by e gives a moment that is off by e^2. */
static double cdi_moment_along(double inertia[3][3], cdi_v3 v) {
    cdi_v3 row[3];
    for (int i = 0; i < 3; ++i) row[i] = cdi_v3_make(inertia[i][0], inertia[i][1], inertia[i][2]);
    return cdi_v3_dot(v, cdi_v3_make(cdi_v3_dot(row[0], v), cdi_v3_dot(row[1], v), cdi_v3_dot(row[2], v))) /
           cdi_v3_sqlength(v);
}

CD_API bool cd_mass_principal(const cd_mass *m, double moments[3], cd_mat3 *axes) {
    double inertia[3][3], largest = 0.0;
    cd_mat3 tame;
    cd_eigen eigen;
    int e;
    for (int i = 0; i < 9; ++i) {
        if (!cdi_finite(m->inertia[i / 3][i % 3])) return false;
        largest = cdi_max(largest, cdi_abs(m->inertia[i / 3][i % 3]));
    }
    e = largest > 0.0 ? cdi_exponent(largest) : 0;
    for (int i = 0; i < 9; ++i) inertia[i / 3][i % 3] = cdi_scale2(m->inertia[i / 3][i % 3], -e);
    tame = cdi_inertia_round(inertia, 0);
    if (!cd_eigen_jacobi(&tame, &eigen)) return false;
    for (int i = 0; i < 3 && moments; ++i)
        moments[i] = cdi_scale2(cdi_moment_along(inertia, cdi_v3_of(eigen.vector.col[i])), e);
    if (axes) *axes = eigen.vector;
    return true;
}

CD_API bool cd_mass_is_valid(const cd_mass *m) {
    const double slack = 1.0 + 9.094947017729282e-13; /* 2^-40 */
    if (!cdi_mass_is_finite(m) || !(m->mass > 0.0)) return false;
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        if (m->inertia[i][j] != m->inertia[j][i] || !(m->inertia[i][i] >= 0.0)) return false;
        if (!(m->inertia[i][i] <= slack * (m->inertia[j][j] + m->inertia[k][k]))) return false;
    }
    return true;
}

/* ---- hull/cloud.c -------------------------------------------------------------------------------------------- */

/* A point's place on the curve, and which it is. */
typedef struct cdi_cloud_key {
    uint64_t code;
    uint32_t source, unused;
} cdi_cloud_key;

/* ---- the frame ---- */

/* How far the ends of an interval are from its rounded middle. */
static double cdi_reach_of(double lo, double middle, double hi) {
    return cdi_min(cdi_max(middle - lo, hi - middle) * (1.0 + 1e-15), CDI_HUGE);
}

static void cdi_cloud_frame(cdi_cloud *c, const uint32_t *chosen, uint32_t count) {
    cdi_v3 lo = cdi_v3_make(CDI_HUGE, CDI_HUGE, CDI_HUGE), hi = cdi_v3_neg(lo);
    for (uint32_t i = 0; i < count; ++i) {
        cdi_v3 p = cdi_cloud_input_at(&c->input, chosen ? chosen[i] : i);
        lo = cdi_v3_make(cdi_min(p.x, lo.x), cdi_min(p.y, lo.y), cdi_min(p.z, lo.z));
        hi = cdi_v3_make(cdi_max(p.x, hi.x), cdi_max(p.y, hi.y), cdi_max(p.z, hi.z));
    }
    c->middle = cdi_v3_make(lo.x * 0.5 + hi.x * 0.5, lo.y * 0.5 + hi.y * 0.5, lo.z * 0.5 + hi.z * 0.5);
    c->reach = cdi_v3_make(cdi_reach_of(lo.x, c->middle.x, hi.x), cdi_reach_of(lo.y, c->middle.y, hi.y),
                           cdi_reach_of(lo.z, c->middle.z, hi.z));
    if (c->input.low) {
        c->slack = cdi_v3_make(cdi_max(-lo.x, hi.x), cdi_max(-lo.y, hi.y), cdi_max(-lo.z, hi.z));
        c->slack = cdi_v3_scale(c->slack, 1.2e-16);
    }
}

/* ---- the curve (Morton 1966) ---- */

/* 21 bits, with two zeros after each. */
static uint64_t cdi_spread_bits(uint64_t v) {
    v = (v | v << 32) & 0x001F00000000FFFFu;
    v = (v | v << 16) & 0x001F0000FF0000FFu;
    v = (v | v << 8) & 0x100F00F00F00F00Fu;
    v = (v | v << 4) & 0x10C30C30C30C30C3u;
    return (v | v << 2) & 0x1249249249249249u;
}

static uint64_t cdi_curve_step(double x, double reach) {
    return reach > 0.0
               ? (uint64_t)cdi_spread_bits((uint32_t)cdi_clamp((x / reach + 1.0) * 1048575.5, 0.0, 2097151.0))
               : 0;
}

static uint64_t cdi_curve_code(const cdi_cloud *c, cdi_v3 p) {
    cdi_v3 v = cdi_v3_sub(p, c->middle);
    return cdi_curve_step(v.x, c->reach.x) << 2 | cdi_curve_step(v.y, c->reach.y) << 1 |
           cdi_curve_step(v.z, c->reach.z);
}

/* ---- sorting ---- */

/* By place alone, axis after axis: 0 for equal points. Of two sums the one with the larger `high` is larger. */
static int cdi_compare_places(const cdi_cloud_input *in, uint32_t a, uint32_t b) {
    cdi_v3 p = cdi_cloud_input_at(in, a), q = cdi_cloud_input_at(in, b);
    for (int k = 0; k < 3; ++k) {
        double x = cdi_v3_get(p, k), y = cdi_v3_get(q, k);
        if (x == y && in->low) {
            x = cdi_v3_get(in->low[a], k);
            y = cdi_v3_get(in->low[b], k);
        }
        if (x != y) return x < y ? -1 : 1;
    }
    return 0;
}

static bool cdi_key_before(const cdi_cloud_input *in, cdi_cloud_key a, cdi_cloud_key b) {
    int order = cdi_compare_places(in, a.source, b.source);
    return order ? order < 0 : a.source < b.source;
}

/* Lets keys[root] sink where it belongs in the heap (Williams 1964; Floyd 1964). */
static void cdi_key_sink(const cdi_cloud_input *in, cdi_cloud_key *keys, uint32_t root, uint32_t count) {
    cdi_cloud_key key = keys[root];
    for (uint32_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && cdi_key_before(in, keys[child], keys[child + 1])) ++child;
        if (!cdi_key_before(in, key, keys[child])) break;
        keys[root] = keys[child];
    }
    keys[root] = key;
}

/* Sorts keys with the same code. */
static void cdi_sort_run(const cdi_cloud_input *in, cdi_cloud_key *keys, uint32_t count) {
    for (uint32_t i = count / 2; i-- > 0;) cdi_key_sink(in, keys, i, count);
    for (uint32_t last = count; last-- > 1;) {
        cdi_cloud_key top = keys[0];
        keys[0] = keys[last];
        keys[last] = top;
        cdi_key_sink(in, keys, 0, last);
    }
}

enum { CDI_DIGIT_BITS = 9, CDI_DIGITS = 7, CDI_DIGIT_VALUES = 1 << CDI_DIGIT_BITS };

/* Moves the keys from `from` to `to` in the order of one digit; false, with nothing moved, when all have the same. */
static bool cdi_sort_digit(const cdi_cloud_key *from, cdi_cloud_key *to, uint32_t count, int shift) {
    uint32_t start[CDI_DIGIT_VALUES], sum = 0;
    cdi_clear(start, sizeof start);
    for (uint32_t i = 0; i < count; ++i) ++start[from[i].code >> shift & (CDI_DIGIT_VALUES - 1)];
    if (start[from[0].code >> shift & (CDI_DIGIT_VALUES - 1)] == count) return false;
    for (int v = 0; v < CDI_DIGIT_VALUES; ++v) {
        uint32_t n = start[v];
        start[v] = sum;
        sum += n;
    }
    for (uint32_t i = 0; i < count; ++i)
        to[start[from[i].code >> shift & (CDI_DIGIT_VALUES - 1)]++] = from[i];
    return true;
}

/* Sorts by code, then place, then number; the answer is in one of the two arrays. */
static cdi_cloud_key *cdi_sort_keys(const cdi_cloud_input *in, cdi_cloud_key *keys, cdi_cloud_key *other,
                                    uint32_t count) {
    for (int digit = 0; digit < CDI_DIGITS; ++digit) {
        if (cdi_sort_digit(keys, other, count, digit * CDI_DIGIT_BITS)) {
            cdi_cloud_key *t = keys;
            keys = other;
            other = t;
        }
    }
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && keys[end].code == keys[i].code; ++end) {}
        if (end - i > 1) cdi_sort_run(in, keys + i, end - i);
    }
    return keys;
}

/* ---- putting it together ---- */

/* The first of equal points has the smallest number. */
static void cdi_cloud_take(cdi_cloud *c, const cdi_cloud_key *keys, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t source = keys[i].source;
        cdi_cloud_point *p = &c->point[c->count];
        cdi_v3 v;
        if (i > 0 && keys[i].code == keys[i - 1].code &&
            cdi_compare_places(&c->input, source, keys[i - 1].source) == 0)
            continue;
        v = cdi_v3_sub(cdi_cloud_input_at(&c->input, source), c->middle);
        p->x = v.x;
        p->y = v.y;
        p->z = v.z;
        p->source = source;
        p->next = CD_NONE;
        ++c->count;
    }
}

CDI_FN cd_status cdi_cloud_arrange(cdi_cloud *cloud, const cdi_cloud_input *input, const uint32_t *chosen,
                                   uint32_t count, const cd_allocator *allocator) {
    cdi_cloud_key *keys;
    bool complete;
    cdi_clear(cloud, sizeof *cloud);
    cloud->input = *input;
    if (count == 0) return CD_OK;
    keys = (cdi_cloud_key *)cdi_alloc(allocator, 2 * (size_t)count, sizeof *keys);
    cloud->room = count + 1;
    cloud->point = (cdi_cloud_point *)cdi_alloc(allocator, cloud->room, sizeof *cloud->point);
    complete = keys && cloud->point;
    if (complete) {
        cdi_cloud_frame(cloud, chosen, count);
        for (uint32_t i = 0; i < count; ++i) {
            keys[i].source = chosen ? chosen[i] : i;
            keys[i].code = cdi_curve_code(cloud, cdi_cloud_input_at(input, keys[i].source));
        }
        cdi_cloud_take(cloud, cdi_sort_keys(input, keys, keys + count, count), count);
    }
    cdi_free(allocator, keys, 2 * (size_t)count, sizeof *keys);
    if (complete) return CD_OK;
    cdi_cloud_free(cloud, allocator);
    return CD_OUT_OF_MEMORY;
}

CDI_FN bool cdi_cloud_before(const cdi_cloud *cloud, uint32_t a, uint32_t b) {
    return cdi_compare_places(&cloud->input, cloud->point[a].source, cloud->point[b].source) < 0;
}

CDI_FN void cdi_cloud_free(cdi_cloud *cloud, const cd_allocator *allocator) {
    cdi_free(allocator, cloud->point, cloud->room, sizeof *cloud->point);
    cdi_clear(cloud, sizeof *cloud);
}

/* ---- hull/sums3d.c ------------------------------------------------------------------------------------------- */

enum { CDI_SUMS_ROOM = 40 * CDI_EXACT_LIMBS };

/* Coordinate `axis` of point i taken from that of point j. */
static cdi_exact cdi_sums_diff(cdi_arena *arena, const cdi_v3 *high, const cdi_v3 *low, int i, int j,
                               int axis) {
    int mark = arena->used;
    cdi_exact h = cdi_exact_diff(arena, cdi_v3_get(high[i], axis), cdi_v3_get(high[j], axis));
    cdi_exact l = cdi_exact_diff(arena, cdi_v3_get(low[i], axis), cdi_v3_get(low[j], axis));
    return cdi_exact_keep(arena, mark, cdi_exact_add(arena, h, l));
}

CDI_FN CDI_COLD double cdi_orient3d_sums(const cdi_v3 high[4], const cdi_v3 low[4]) {
    uint32_t limbs[CDI_SUMS_ROOM];
    cdi_arena arena = cdi_arena_on(limbs, CDI_SUMS_ROOM);
    cdi_exact m[3][3];
    for (int i = 0; i < 9; ++i) m[i / 3][i % 3] = cdi_sums_diff(&arena, high, low, i / 3, 3, i % 3);
    return cdi_exact_to_double(cdi_exact_det3(&arena, m));
}

static cdi_exact cdi_sums_shadow(cdi_arena *arena, const cdi_v3 *high, const cdi_v3 *low, int axis) {
    cdi_exact m[2][2];
    int mark = arena->used;
    for (int i = 0; i < 4; ++i)
        m[i / 2][i % 2] = cdi_sums_diff(arena, high, low, 1 + i / 2, 0, (axis + 1 + i % 2) % 3);
    return cdi_exact_keep(arena, mark, cdi_exact_det2(arena, m[0][0], m[0][1], m[1][0], m[1][1]));
}

CDI_FN CDI_COLD double cdi_orient2d_sums(const cdi_v3 high[3], const cdi_v3 low[3], int axis) {
    uint32_t limbs[CDI_SUMS_ROOM];
    cdi_arena arena = cdi_arena_on(limbs, CDI_SUMS_ROOM);
    return cdi_exact_to_double(cdi_sums_shadow(&arena, high, low, axis));
}

CDI_FN CDI_COLD cdi_v3 cdi_normal_sums(const cdi_v3 high[3], const cdi_v3 low[3]) {
    uint32_t limbs[CDI_SUMS_ROOM];
    cdi_arena arena = cdi_arena_on(limbs, CDI_SUMS_ROOM);
    cdi_exact n[3];
    int top = -100000;
    for (int k = 0; k < 3; ++k) {
        n[k] = cdi_sums_shadow(&arena, high, low, k);
        if (n[k].sign && n[k].low + n[k].n > top) top = n[k].low + n[k].n;
    }
    for (int k = 0; k < 3; ++k) n[k].low -= n[k].sign ? top : 0;
    return cdi_v3_make(cdi_exact_to_double(n[0]), cdi_exact_to_double(n[1]), cdi_exact_to_double(n[2]));
}

/* ---- hull/quickhull.c ---------------------------------------------------------------------------------------- */

/* ---- heights ---- */

static cdi_v3 cdi_qh_about(const cdi_qh *q, uint32_t point) {
    const cdi_cloud_point *p = &q->cloud->point[point];
    return cdi_v3_make(p->x, p->y, p->z);
}

CDI_FN cdi_v3 cdi_qh_at(const cdi_qh *q, uint32_t point, cdi_v3 *low) {
    const cdi_cloud_input *in = &q->cloud->input;
    uint32_t source = q->cloud->point[point].source;
    *low = point == q->apex ? q->apex_low : cdi_v3_make(0.0, 0.0, 0.0);
    if (point == q->apex) return q->apex_at;
    if (in->low) *low = in->low[source];
    return cdi_cloud_input_at(in, source);
}

/* Minus det [a-p; b-p; c-p]: positive in front of a counter-clockwise a, b, c. */
static double cdi_qh_exact_height(const cdi_qh *q, const uint32_t v[3], uint32_t point) {
    cdi_v3 high[4], low[4];
    bool plain = true;
    for (int i = 0; i < 4; ++i) {
        high[i] = cdi_qh_at(q, i < 3 ? v[i] : point, &low[i]);
        plain = plain && cdi_v3_is_zero(low[i]);
    }
    if (plain) return -cdi_orient3d(high[0], high[1], high[2], high[3]);
    return -cdi_orient3d_sums(high, low);
}

CDI_FN double cdi_qh_height(const cdi_qh *q, const cdi_qh_face *f, uint32_t point) {
    const cdi_cloud_point *p = &q->cloud->point[point];
    double height = f->n.x * p->x + f->n.y * p->y + f->n.z * p->z - f->d;
    return cdi_abs(height) > f->error ? height : cdi_qh_exact_height(q, f->vertex, point);
}

/* The normal of a triangle, the sums of the magnitudes of its terms, and errors of it that come from its corners. */
typedef struct cdi_qh_normal {
    cdi_v3 at, n, size, wrong;
} cdi_qh_normal;

static cdi_qh_normal cdi_qh_normal_of(const cdi_qh *q, const uint32_t vertex[3]) {
    const cdi_v3 reach = q->cloud->reach, slack = q->cloud->slack;
    cdi_v3 a = cdi_qh_about(q, vertex[0]);
    cdi_v3 u = cdi_v3_sub(cdi_qh_about(q, vertex[1]), a), v = cdi_v3_sub(cdi_qh_about(q, vertex[2]), a);
    cdi_v3 mu = cdi_v3_make(cdi_abs(u.x), cdi_abs(u.y), cdi_abs(u.z));
    cdi_v3 mv = cdi_v3_make(cdi_abs(v.x), cdi_abs(v.y), cdi_abs(v.z));
    cdi_v3 off = cdi_v3_add(cdi_v3_scale(slack, 2.1), cdi_v3_scale(reach, 6e-16));
    cdi_v3 sum = cdi_v3_add(cdi_v3_add(mu, mv), off);
    cdi_qh_normal r;
    r.at = a;
    r.n = cdi_v3_cross(u, v);
    r.size = cdi_v3_make(mu.y * mv.z + mu.z * mv.y, mu.z * mv.x + mu.x * mv.z, mu.x * mv.y + mu.y * mv.x);
    r.wrong = cdi_v3_make(off.y * sum.z + off.z * sum.y, off.z * sum.x + off.x * sum.z,
                          off.x * sum.y + off.y * sum.x);
    r.wrong = cdi_v3_add(r.wrong, cdi_v3_make(1e-300, 1e-300, 1e-300));
    return r;
}

/* The plane of a face about the middle of the cloud, and a bound of the error of heights above it.
 *
 * A coordinate is off by `slack` and by half a unit in its last place, a difference of two by a bit more than twice that:
 * `off`. That gives the error of each component of n, which counts twice the reach of the cloud; the products of
 * n . p and n . a are rounded as well. The constants are generous by a third; 1e-300 covers what underflows. */
static void cdi_qh_plane(const cdi_qh *q, cdi_qh_face *f) {
    const cdi_v3 reach = q->cloud->reach, slack = q->cloud->slack;
    cdi_qh_normal n = cdi_qh_normal_of(q, f->vertex);
    f->n = n.n;
    f->d = cdi_v3_dot(n.n, n.at);
    f->error = 2.7 * cdi_v3_dot(n.wrong, reach) + 2.7 * cdi_v3_dot(n.size, slack) +
               4e-15 * cdi_v3_dot(n.size, reach) + 1e-300;
}

/* The error of heights has that of each component times a reach in it. */
CDI_FN bool cdi_qh_normal_is_within(const cdi_qh *q, const cdi_qh_face *f, double most) {
    const cdi_v3 reach = q->cloud->reach;
    double least = cdi_min(cdi_min(reach.x, reach.y), reach.z), size = cdi_v3_max_abs(f->n);
    cdi_qh_normal n;
    if (!(size < CDI_HUGE)) return false;
    if (f->error < most * size * least) return true;
    n = cdi_qh_normal_of(q, f->vertex);
    return 1.4 * cdi_v3_max_abs(n.wrong) + 6e-16 * cdi_v3_max_abs(n.size) < most * size;
}

/* ---- memory ---- */

static bool cdi_qh_grow(cdi_qh *q) {
    uint32_t room = q->room ? 2 * q->room : 64;
    cdi_qh grown = *q;
    grown.face = (cdi_qh_face *)cdi_alloc(q->allocator, room, sizeof *q->face);
    grown.visible = (uint32_t *)cdi_alloc(q->allocator, 2 * (size_t)room, sizeof *q->visible);
    if (!grown.face || !grown.visible) {
        cdi_free(q->allocator, grown.face, room, sizeof *q->face);
        cdi_free(q->allocator, grown.visible, 2 * (size_t)room, sizeof *q->visible);
        return false;
    }
    grown.horizon = grown.visible + room;
    if (q->face) cdi_copy(grown.face, q->face, q->face_count * sizeof *q->face);
    cdi_free(q->allocator, q->face, q->room, sizeof *q->face);
    cdi_free(q->allocator, q->visible, 2 * (size_t)q->room, sizeof *q->visible);
    grown.room = room;
    *q = grown;
    return true;
}

CDI_FN void cdi_qh_free(cdi_qh *q) {
    uint32_t points = q->cloud ? q->cloud->room : 0;
    cdi_free(q->allocator, q->face, q->room, sizeof *q->face);
    cdi_free(q->allocator, q->visible, 2 * (size_t)q->room, sizeof *q->visible);
    cdi_free(q->allocator, q->start, points, sizeof *q->start);
    cdi_free(q->allocator, q->where, points, sizeof *q->where);
    cdi_clear(q, sizeof *q);
}

CDI_FN uint32_t cdi_qh_take_face(cdi_qh *q) {
    uint32_t f = q->free_face;
    if (f == CD_NONE) return q->face_count++;
    q->free_face = q->face[f].next;
    return f;
}

CDI_FN void cdi_qh_give_face(cdi_qh *q, uint32_t f) {
    q->face[f].vertex[0] = CD_NONE;
    q->face[f].next = q->free_face;
    q->free_face = f;
}

/* ---- faces and their points ---- */

CDI_FN void cdi_qh_set_face(const cdi_qh *q, cdi_qh_face *f, uint32_t a, uint32_t b, uint32_t c) {
    f->vertex[0] = a;
    f->vertex[1] = b;
    f->vertex[2] = c;
    f->points = f->eye = CD_NONE;
    f->height = 0.0;
    f->seen = 0;
    cdi_qh_plane(q, f);
    if (q->rule) f->scale = q->rule->scale(q, f);
}

CDI_FN void cdi_qh_join(cdi_qh *q, uint32_t g, uint32_t h) {
    q->face[g >> 2].twin[g & 3u] = h;
    q->face[h >> 2].twin[h & 3u] = g;
}

static void cdi_qh_list(cdi_qh *q, uint32_t point, uint32_t face, double height) {
    cdi_qh_face *f = &q->face[face];
    if (!(height >= 0.0)) height = 0.0;
    if (f->eye == CD_NONE || height > f->height || (height == f->height && point < f->eye)) {
        f->height = height;
        f->eye = point;
    }
    q->cloud->point[point].next = f->points;
    f->points = point;
    if (q->where) q->where[point] = face;
}

/* The face that the point is highest above, and how high; CD_NONE when it is above none. */
static uint32_t cdi_qh_highest(const cdi_qh *q, uint32_t point, const uint32_t *faces, uint32_t count,
                               double *most) {
    uint32_t best = CD_NONE;
    *most = -1.0;
    for (uint32_t i = 0; i < count; ++i) {
        const cdi_qh_face *f = &q->face[faces[i]];
        double height = cdi_qh_height(q, f, point);
        if (height <= 0.0 || height * f->scale <= *most) continue;
        *most = height * f->scale;
        best = faces[i];
    }
    return best;
}

/* Puts the point into the list of the first of the faces that it is in front of; where there is none it is inside. */
CDI_FN void cdi_qh_assign(cdi_qh *q, uint32_t point, const uint32_t *faces, uint32_t count) {
    uint32_t i = 0, best;
    double height = 0.0;
    if (q->rule) {
        best = cdi_qh_highest(q, point, faces, count, &height);
        if (best != CD_NONE) cdi_qh_list(q, point, best, q->rule->worth(q, &q->face[best], point, height));
        return;
    }
    while (i < count && (height = cdi_qh_height(q, &q->face[faces[i]], point)) <= 0.0) ++i;
    q->work += i + 1;
    if (i < count) {
        cdi_qh_list(q, point, faces[i], height);
    } else {
        ++q->settled;
        if (q->where) q->where[point] = CD_NONE;
    }
}

static void cdi_qh_await(cdi_qh *q, uint32_t id) {
    cdi_qh_face *f = &q->face[id];
    if (f->points == CD_NONE || q->rule) return; /* under a rule the user keeps order */
    f->previous = CD_NONE;
    f->next = q->pending;
    if (q->pending != CD_NONE) q->face[q->pending].previous = id;
    q->pending = id;
}

static void cdi_qh_await_no_more(cdi_qh *q, const cdi_qh_face *f) {
    if (f->points == CD_NONE || q->rule) return;
    if (f->next != CD_NONE) q->face[f->next].previous = f->previous;
    if (f->previous == CD_NONE) {
        q->pending = f->next;
    } else {
        q->face[f->previous].next = f->next;
    }
}

/* ---- one more point ---- */

static bool cdi_qh_sees(cdi_qh *q, uint32_t point, uint32_t face) {
    cdi_qh_face *f = &q->face[face];
    if (f->seen >> 1 != q->insertion) {
        f->seen = q->insertion << 1;
        if (cdi_qh_height(q, f, point) > 0.0) {
            f->seen |= 1u;
            q->visible[q->visible_count++] = face;
        }
    }
    return (f->seen & 1u) != 0;
}

/* All faces that the point sees, from one of them, and the half-edges on the far side of the horizon. */
static void cdi_qh_find_horizon(cdi_qh *q, uint32_t point, uint32_t face) {
    ++q->insertion;
    q->visible_count = q->horizon_count = 0;
    q->face[face].seen = q->insertion << 1 | 1u;
    q->visible[q->visible_count++] = face;
    for (uint32_t i = 0; i < q->visible_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            uint32_t beyond = q->face[q->visible[i]].twin[k];
            if (!cdi_qh_sees(q, point, beyond >> 2)) q->horizon[q->horizon_count++] = beyond;
        }
    }
    q->work += 3 * (uint64_t)q->visible_count;
}

/* Frees the visible faces; their lists remain in q->visible. */
static void cdi_qh_remove_visible(cdi_qh *q) {
    for (uint32_t i = 0; i < q->visible_count; ++i) {
        uint32_t id = q->visible[i];
        cdi_qh_await_no_more(q, &q->face[id]);
        q->visible[i] = q->face[id].points;
        cdi_qh_give_face(q, id);
    }
}

/* A fan of new faces from the horizon to the point; they replace the half-edges in q->horizon. */
static void cdi_qh_make_cone(cdi_qh *q, uint32_t point) {
    for (uint32_t i = 0; i < q->horizon_count; ++i) {
        uint32_t beyond = q->horizon[i], id = cdi_qh_take_face(q);
        uint32_t a = cdi_qh_origin(q, cdi_qh_after(beyond)), b = cdi_qh_origin(q, beyond);
        cdi_qh_set_face(q, &q->face[id], a, b, point);
        cdi_qh_join(q, 4 * id, beyond);
        q->start[a] = id;
        q->horizon[i] = id;
    }
    for (uint32_t i = 0; i < q->horizon_count; ++i) {
        uint32_t id = q->horizon[i], neighbour = q->start[q->face[id].vertex[1]];
        cdi_qh_join(q, 4 * id + 1, 4 * neighbour + 2);
    }
}

/* The points of the faces that went go to the new ones. */
static void cdi_qh_hand_over(cdi_qh *q, uint32_t inserted) {
    for (uint32_t i = 0; i < q->visible_count; ++i) {
        for (uint32_t point = q->visible[i], next; point != CD_NONE; point = next) {
            next = q->cloud->point[point].next;
            if (point != inserted) cdi_qh_assign(q, point, q->horizon, q->horizon_count);
        }
    }
    for (uint32_t i = 0; i < q->horizon_count; ++i) cdi_qh_await(q, q->horizon[i]);
}

/* A hull of v points has at most 2 v - 4 faces: one point more, two faces more. */
CDI_FN bool cdi_qh_insert(cdi_qh *q, uint32_t point, uint32_t face) {
    if (q->room - q->face_count < 2 && !cdi_qh_grow(q)) return false;
    cdi_qh_find_horizon(q, point, face);
    cdi_qh_remove_visible(q);
    cdi_qh_make_cone(q, point);
    cdi_qh_hand_over(q, point);
    if (q->where) q->where[point] = CD_NONE;
    ++q->settled;
    CDI_COUNT(build);
    return true;
}

/* ---- the first simplex ---- */

/* Two points far apart; false when there is only one. */
static bool cdi_qh_first_edge(cdi_qh *q) {
    uint32_t extreme[6] = {0, 0, 0, 0, 0, 0};
    double most = -1.0;
    for (uint32_t i = 1; i < q->cloud->count; ++i) {
        cdi_v3 p = cdi_qh_about(q, i);
        for (int k = 0; k < 3; ++k) {
            double x = cdi_v3_get(p, k);
            if (x < cdi_v3_get(cdi_qh_about(q, extreme[2 * k]), k)) extreme[2 * k] = i;
            if (x > cdi_v3_get(cdi_qh_about(q, extreme[2 * k + 1]), k)) extreme[2 * k + 1] = i;
        }
    }
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < i; ++j) {
            double length =
                cdi_v3_length(cdi_v3_sub(cdi_qh_about(q, extreme[i]), cdi_qh_about(q, extreme[j])));
            if (extreme[i] == extreme[j] || length <= most) continue;
            most = length;
            q->corner[0] = extreme[j];
            q->corner[1] = extreme[i];
        }
    }
    if (most < 0.0 && q->cloud->count > 1) { /* all the same about the middle */
        q->corner[0] = 0;
        q->corner[1] = 1;
    }
    return q->cloud->count > 1;
}

/* A normal component of the plane through the two corners and the point, with the exact sign. */
static double cdi_qh_shadow(const cdi_qh *q, uint32_t point, int axis) {
    cdi_v3 high[3], low[3];
    for (int i = 0; i < 3; ++i) high[i] = cdi_qh_at(q, i < 2 ? q->corner[i] : point, &low[i]);
    return cdi_orient2d_sums(high, low, axis);
}

static bool cdi_qh_is_off_line(const cdi_qh *q, uint32_t point) {
    return cdi_qh_shadow(q, point, 0) != 0.0 || cdi_qh_shadow(q, point, 1) != 0.0 ||
           cdi_qh_shadow(q, point, 2) != 0.0;
}

/* A third corner far from the line of the two; false when all are on it. */
static bool cdi_qh_first_triangle(cdi_qh *q) {
    cdi_v3 a = cdi_qh_about(q, q->corner[0]);
    cdi_v3 along = cdi_v3_normalize(cdi_v3_sub(cdi_qh_about(q, q->corner[1]), a));
    double most = -1.0;
    for (uint32_t i = 0; i < q->cloud->count; ++i) {
        cdi_v3 off = cdi_v3_cross(along, cdi_v3_sub(cdi_qh_about(q, i), a));
        double distance = cdi_abs(off.x) + cdi_abs(off.y) + cdi_abs(off.z);
        if (distance > most) {
            most = distance;
            q->corner[2] = i;
        }
    }
    if (most >= 0.0 && cdi_qh_is_off_line(q, q->corner[2])) return true;
    for (uint32_t i = 0; i < q->cloud->count; ++i) {
        q->corner[2] = i;
        if (cdi_qh_is_off_line(q, i)) return true;
    }
    return false;
}

/* A fourth corner far from the plane of the three, which are turned so that it is behind; false when all are on it. */
static bool cdi_qh_first_tetrahedron(cdi_qh *q) {
    cdi_qh_face base;
    double most = 0.0;
    cdi_clear(&base, sizeof base);
    for (int k = 0; k < 3; ++k) base.vertex[k] = q->corner[k];
    cdi_qh_plane(q, &base);
    for (uint32_t i = 0; i < q->cloud->count; ++i) {
        double height = cdi_qh_height(q, &base, i);
        if (cdi_abs(height) <= cdi_abs(most)) continue;
        most = height;
        q->corner[3] = i;
    }
    if (most > 0.0) {
        q->corner[1] = base.vertex[2];
        q->corner[2] = base.vertex[1];
    }
    return most != 0.0;
}

/* For points in a plane: a point off it, along an axis that is not in the plane: exactly so from one of them. Points that
 * differ in `low` alone have no reach, but slack. */
static void cdi_qh_add_apex(cdi_qh *q) {
    cdi_cloud *c = q->cloud;
    cdi_cloud_point *apex = &c->point[c->count];
    int axis = 0;
    cdi_v3 low, at = cdi_qh_at(q, q->corner[0], &low), reach = c->reach;
    double step = cdi_v3_max_abs(cdi_v3_add(reach, c->slack)), about[3], furthest[3];
    while (axis < 2 && cdi_qh_shadow(q, q->corner[2], axis) == 0.0) ++axis;
    cdi_v3_store(about, at);
    step = cdi_min(cdi_max(step, 0.5 * cdi_abs(about[axis])), CDI_HUGE);
    about[axis] += about[axis] > 0.0 ? -step : step;
    q->apex = c->count;
    q->apex_at = cdi_v3_make(about[0], about[1], about[2]);
    q->apex_low = low;
    cdi_v3_store(about, cdi_v3_sub(q->apex_at, c->middle));
    cdi_v3_store(furthest, reach);
    furthest[axis] = cdi_max(furthest[axis], cdi_abs(about[axis]));
    c->reach = cdi_v3_make(furthest[0], furthest[1], furthest[2]);
    apex->x = about[0];
    apex->y = about[1];
    apex->z = about[2];
    apex->source = CD_NONE;
    q->corner[3] = q->apex;
}

/* The ends of points in a line. */
static void cdi_qh_find_ends(cdi_qh *q) {
    for (uint32_t i = 0; i < q->cloud->count; ++i) {
        if (i == 0 || cdi_cloud_before(q->cloud, i, q->corner[0])) q->corner[0] = i;
        if (i == 0 || cdi_cloud_before(q->cloud, q->corner[1], i)) q->corner[1] = i;
    }
}

/* The corners of the first simplex, turned so that its faces are as in cdi_qh_first_faces; sets the dimension. */
static void cdi_qh_first_simplex(cdi_qh *q) {
    q->dimension = q->cloud->count == 0           ? -1
                   : !cdi_qh_first_edge(q)        ? 0
                   : !cdi_qh_first_triangle(q)    ? 1
                   : !cdi_qh_first_tetrahedron(q) ? 2
                                                  : 3;
    if (q->dimension == 1) cdi_qh_find_ends(q);
    if (q->dimension == 2) {
        cdi_qh_add_apex(q);
        if (cdi_qh_exact_height(q, q->corner, q->apex) > 0.0) {
            uint32_t t = q->corner[1];
            q->corner[1] = q->corner[2];
            q->corner[2] = t;
        }
    }
}

static void cdi_qh_first_faces(cdi_qh *q) {
    static const unsigned char corners[4][3] = {{0, 1, 2}, {1, 0, 3}, {2, 1, 3}, {0, 2, 3}};
    uint32_t faces[4];
    for (uint32_t i = 0; i < 4; ++i) {
        faces[i] = cdi_qh_take_face(q);
        cdi_qh_set_face(q, &q->face[i], q->corner[corners[i][0]], q->corner[corners[i][1]],
                        q->corner[corners[i][2]]);
    }
    for (uint32_t k = 0; k < 3; ++k) {
        cdi_qh_join(q, k, 4 * (k + 1));
        cdi_qh_join(q, 4 * (k + 1) + 1, 4 * ((k + 2) % 3 + 1) + 2);
    }
    for (uint32_t i = 0; i < q->cloud->count; ++i) {
        if (i != q->corner[0] && i != q->corner[1] && i != q->corner[2] && i != q->corner[3])
            cdi_qh_assign(q, i, faces, 4);
    }
    for (uint32_t i = 0; i < 4; ++i) cdi_qh_await(q, i);
}

/* ---- the whole ---- */

CDI_FN bool cdi_qh_tell_progress(const cdi_qh *q, double done) {
    const cd_executor *e = q->executor;
    return !e || !e->progress || e->progress(e->user, (float)done);
}

static bool cdi_qh_goes_on(const cdi_qh *q) {
    if ((q->insertion & 1023u) != 1023u) return true;
    return cdi_qh_tell_progress(q, 0.9 * (double)q->settled / (double)q->cloud->count);
}

/* So many tests may be spent on farthest points. */
static uint64_t cdi_qh_allowance(uint32_t count) {
    return 64u * (uint64_t)count * (uint64_t)(cdi_exponent((double)count) + 1);
}

/* A one-to-one map of the numbers below 2^bits, which are mixed well. */
static uint32_t cdi_qh_shuffle(uint32_t i, int bits) {
    uint32_t mask = 0xFFFFFFFFu >> (32 - bits);
    for (int round = 0; round < 3; ++round) {
        i = (i * 0x9E3779B1u + 0x7F4A7C15u) & mask;
        i ^= i >> (bits / 2 + 1);
    }
    return i;
}

/* Where the farthest points split the others badly, all that are left go in at random: that takes an expected n log n tests
 * for any input (Clarkson and Shor 1989). */
static cd_status cdi_qh_insert_at_random(cdi_qh *q) {
    uint32_t count = q->cloud->count;
    int bits = cdi_exponent((double)count) + 1;
    q->where = (uint32_t *)cdi_alloc(q->allocator, q->cloud->room, sizeof *q->where);
    if (!q->where) return CD_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < count; ++i) q->where[i] = CD_NONE;
    for (uint32_t f = q->pending; f != CD_NONE; f = q->face[f].next) {
        for (uint32_t p = q->face[f].points; p != CD_NONE; p = q->cloud->point[p].next) q->where[p] = f;
    }
    for (uint32_t i = 0; i >> bits == 0; ++i) {
        uint32_t point = cdi_qh_shuffle(i, bits);
        if (point >= count || q->where[point] == CD_NONE) continue;
        if (!cdi_qh_insert(q, point, q->where[point])) return CD_OUT_OF_MEMORY;
        if (!cdi_qh_goes_on(q)) return CD_CANCELLED;
    }
    return CD_OK;
}

CDI_FN cd_status cdi_qh_insert_all(cdi_qh *q, uint64_t allowance) {
    while (q->pending != CD_NONE) {
        if (q->work >= allowance) return cdi_qh_insert_at_random(q);
        if (!cdi_qh_insert(q, q->face[q->pending].eye, q->pending)) return CD_OUT_OF_MEMORY;
        if (!cdi_qh_goes_on(q)) return CD_CANCELLED;
    }
    return CD_OK;
}

CDI_FN cd_status cdi_qh_begin(cdi_qh *q, cdi_cloud *cloud, const cdi_qh_rule *rule,
                              const cd_allocator *allocator, const cd_executor *executor) {
    cdi_clear(q, sizeof *q);
    q->cloud = cloud;
    q->rule = rule;
    q->allocator = allocator;
    q->executor = executor;
    q->apex = q->free_face = q->pending = CD_NONE;
    cdi_qh_first_simplex(q);
    if (q->dimension < 2) return CD_OK;
    q->start = (uint32_t *)cdi_alloc(allocator, cloud->room, sizeof *q->start);
    if (!q->start || !cdi_qh_grow(q)) return CD_OUT_OF_MEMORY;
    cdi_qh_first_faces(q);
    return CD_OK;
}

CDI_FN cd_status cdi_qh_build(cdi_qh *q, cdi_cloud *cloud, const cd_allocator *allocator,
                              const cd_executor *executor) {
    cd_status status = cdi_qh_begin(q, cloud, NULL, allocator, executor);
    return status == CD_OK ? cdi_qh_insert_all(q, cdi_qh_allowance(cloud->count)) : status;
}

/* ---- where is a point? ---- */

static double cdi_qh_height_of(const cdi_qh *q, const cdi_qh_face *f, cdi_v3 at) {
    cdi_v3 p = cdi_v3_sub(at, q->cloud->middle), reach = q->cloud->reach, high[4], low[4];
    double height = cdi_v3_dot(f->n, p) - f->d;
    bool is_in_reach = cdi_abs(p.x) <= reach.x && cdi_abs(p.y) <= reach.y && cdi_abs(p.z) <= reach.z;
    if (is_in_reach && cdi_abs(height) > f->error) return height;
    for (int i = 0; i < 3; ++i) high[i] = cdi_qh_at(q, f->vertex[i], &low[i]);
    high[3] = at;
    low[3] = cdi_v3_make(0.0, 0.0, 0.0);
    return -cdi_orient3d_sums(high, low);
}

/* In dimension 2 a point of the pyramid that is off its base is outside. */
static int cdi_qh_locate_among_faces(const cdi_qh *q, cdi_v3 point) {
    int where = 1;
    for (uint32_t i = 0; i < q->face_count; ++i) {
        const cdi_qh_face *f = &q->face[i];
        bool is_base = f->vertex[0] != q->apex && f->vertex[1] != q->apex && f->vertex[2] != q->apex;
        double height;
        if (f->vertex[0] == CD_NONE) continue;
        height = cdi_qh_height_of(q, f, point);
        if (height > 0.0 || (q->dimension == 2 && is_base && height != 0.0)) return -1;
        if (height == 0.0) where = 0;
    }
    return where;
}

/* The sign of a coordinate of a cloud's point less that of a number. */
static int cdi_qh_beyond(const cdi_qh *q, uint32_t corner, cdi_v3 at, int axis) {
    cdi_v3 low, high = cdi_qh_at(q, corner, &low);
    int side = cdi_sign(cdi_v3_get(high, axis) - cdi_v3_get(at, axis));
    return side ? side : cdi_sign(cdi_v3_get(low, axis));
}

static int cdi_qh_locate_on_line(const cdi_qh *q, cdi_v3 point) {
    cdi_v3 high[3], low[3];
    for (int i = 0; i < 2; ++i) high[i] = cdi_qh_at(q, q->corner[q->dimension > 0 ? i : 0], &low[i]);
    high[2] = point;
    low[2] = cdi_v3_make(0.0, 0.0, 0.0);
    for (int k = 0; k < 3; ++k) {
        int side = cdi_qh_beyond(q, q->corner[0], point, k);
        int other = q->dimension > 0 ? cdi_qh_beyond(q, q->corner[1], point, k) : side;
        if (side * other > 0 || cdi_orient2d_sums(high, low, k) != 0.0) return -1;
    }
    return 0;
}

CDI_FN int cdi_qh_locate(const cdi_qh *q, cdi_v3 point) {
    if (q->dimension < 0) return -1;
    return q->dimension < 2 ? cdi_qh_locate_on_line(q, point) : cdi_qh_locate_among_faces(q, point);
}

/* ---- hull/groups.c ------------------------------------------------------------------------------------------- */

enum { CDI_GROUP_BYTES = 4 * sizeof(uint32_t) + 1 }; /* for each triangle */

static bool cdi_is_triangle(const cdi_qh_face *f) {
    return f->vertex[0] != CD_NONE; /* not a free place */
}

/* Where a point is, rounded to double. */
static cdi_v3 cdi_groups_at(const cdi_groups *g, uint32_t point) {
    cdi_v3 low;
    return cdi_qh_at(g->q, point, &low);
}

/* ---- walking along borders ---- */

CDI_FN uint32_t cdi_next_border(const cdi_groups *g, uint32_t border) {
    uint32_t h = cdi_qh_after(border);
    while (!cdi_is_border(g, h)) h = cdi_qh_after(cdi_qh_twin(g->q, h));
    return h;
}

CDI_FN uint32_t cdi_turn_border(const cdi_groups *g, uint32_t border) {
    uint32_t h = border;
    do {
        h = cdi_qh_twin(g->q, cdi_qh_before(h));
    } while (!cdi_is_border(g, h));
    return h;
}

CDI_FN uint32_t cdi_border_run(const cdi_groups *g, uint32_t border, uint32_t *next) {
    uint32_t h = border;
    *next = cdi_next_border(g, h);
    while (g->rank[cdi_qh_origin(g->q, *next)] == CD_NONE) {
        h = *next;
        *next = cdi_next_border(g, h);
    }
    return h;
}

/* ---- planes ---- */

static double cdi_normal_size(const cdi_qh_face *f) {
    return cdi_v3_max_abs(f->n);
}

/* That of the seed; computed again where rounding got at it. */
CDI_FN cdi_v3 cdi_group_normal(const cdi_groups *g, uint32_t group) {
    const cdi_qh_face *f = &g->q->face[g->seed[group]];
    const double most = sizeof(cd_real) == 4 ? 1e-9 : 1e-14;
    cdi_v3 high[3], low[3];
    if (cdi_qh_normal_is_within(g->q, f, most)) return f->n;
    for (int k = 0; k < 3; ++k) high[k] = cdi_qh_at(g->q, f->vertex[k], &low[k]);
    return cdi_normal_sums(high, low);
}

CDI_FN double cdi_group_offset(const cdi_groups *g, uint32_t group, cdi_v3 normal) {
    const cdi_qh_face *f = &g->q->face[g->seed[group]];
    double most = -CDI_HUGE;
    for (int k = 0; k < 3; ++k) most = cdi_max(most, cdi_v3_dot(normal, cdi_groups_at(g, f->vertex[k])));
    return most;
}

/* ---- coplanar triangles ---- */

static void cdi_group_add(cdi_groups *g, uint32_t face, uint32_t group) {
    cdi_qh *q = g->q;
    g->group[face] = group;
    q->face[face].next = g->number[group];
    g->number[group] = face;
    q->visible[q->visible_count++] = face;
    if (cdi_normal_size(&q->face[face]) > cdi_normal_size(&q->face[g->seed[group]])) g->seed[group] = face;
}

/* The corner of the face across a half-edge that is not on it. */
static uint32_t cdi_opposite(const cdi_qh *q, uint32_t half_edge) {
    return cdi_qh_origin(q, cdi_qh_before(cdi_qh_twin(q, half_edge)));
}

/* All that is coplanar around a face, exactly. */
static void cdi_group_coplanar(cdi_groups *g, uint32_t face) {
    cdi_qh *q = g->q;
    uint32_t group = g->count++;
    g->seed[group] = face;
    g->number[group] = CD_NONE;
    q->visible_count = 0;
    cdi_group_add(g, face, group);
    for (uint32_t i = 0; i < q->visible_count; ++i) {
        for (uint32_t h = 4 * q->visible[i], k = 0; k < 3; ++k) {
            uint32_t across = cdi_qh_twin(q, h + k) >> 2;
            if (g->group[across] != CD_NONE) continue;
            if (cdi_qh_height(q, &q->face[h >> 2], cdi_opposite(q, h + k)) == 0.0)
                cdi_group_add(g, across, group);
        }
    }
}

static void cdi_group_all_coplanar(cdi_groups *g) {
    for (uint32_t f = 0; f < g->q->face_count; ++f) {
        if (cdi_is_triangle(&g->q->face[f]) && g->group[f] == CD_NONE) cdi_group_coplanar(g, f);
    }
    g->room = g->count;
}

/* ---- nearly coplanar groups ----
 *
 * From the largest triangles on, each takes the groups around it that stay in the layer under its plane, which no point of the
 * hull is in front of. What was taken is a disk, or is given back. `mark` is the number of the taker. */

typedef struct cdi_layer {
    cdi_v3 n; /* unit */
    double top, depth;
    double deepest; /* of the points in it */
} cdi_layer;

static cdi_layer cdi_layer_under(const cdi_groups *g, uint32_t group, double depth) {
    cdi_layer s;
    s.n = cdi_v3_normalize(cdi_group_normal(g, group));
    s.top = cdi_group_offset(g, group, s.n);
    s.depth = depth;
    s.deepest = 0.0;
    return s;
}

static bool cdi_layer_has(cdi_layer *s, const cdi_groups *g, uint32_t group) {
    cdi_v3 n = cdi_v3_normalize(cdi_group_normal(g, group));
    double deepest = s->deepest;
    if (!(cdi_v3_dot(n, s->n) > 0.5)) return false;
    for (uint32_t f = g->number[group]; f != CD_NONE; f = g->q->face[f].next) {
        for (int k = 0; k < 3; ++k) {
            double under = s->top - cdi_v3_dot(s->n, cdi_groups_at(g, g->q->face[f].vertex[k]));
            if (!(under <= s->depth)) return false;
            deepest = cdi_max(deepest, under);
        }
    }
    s->deepest = deepest;
    return true;
}

/* Appends the coplanar triangles of `group` to those taken. */
static void cdi_take_group(cdi_groups *g, uint32_t group, uint32_t taker) {
    cdi_qh *q = g->q;
    for (uint32_t f = g->number[group]; f != CD_NONE; f = q->face[f].next) {
        q->face[f].seen = group; /* to give it back */
        g->group[f] = taker;
        q->visible[q->visible_count++] = f;
    }
    g->mark[group] = taker;
}

static void cdi_give_groups_back(cdi_groups *g, uint32_t taker) {
    cdi_qh *q = g->q;
    for (uint32_t i = 0; i < q->visible_count; ++i) {
        uint32_t f = q->visible[i], own = q->face[f].seen;
        g->group[f] = own;
        if (own != taker) g->mark[own] = CD_NONE;
    }
}

/* Counts a point of the taken triangles: of new ones, and of borders out of each. q->start: 2 taker + 1, plus 1 when it has one. */
static bool cdi_count_point(cdi_qh *q, uint32_t point, uint32_t taker, bool border, int64_t *points) {
    uint32_t *mark = &q->start[point];
    if (*mark >> 1 != taker + 1) {
        *mark = (taker + 1) << 1;
        ++*points;
    }
    if (border && (*mark & 1u)) return false;
    *mark |= border;
    return true;
}

/* Are the taken triangles a disk whose border meets each point once? V - E + F = 1. */
static bool cdi_is_disk(const cdi_groups *g, uint32_t taker) {
    cdi_qh *q = g->q;
    int64_t points = 0, sides = 0, borders = 0;
    for (uint32_t i = 0; i < q->visible_count; ++i) {
        for (uint32_t k = 0; k < 3; ++k) {
            uint32_t h = 4 * q->visible[i] + k;
            bool border = cdi_group_of(g, cdi_qh_twin(q, h)) != taker;
            if (!cdi_count_point(q, cdi_qh_origin(q, h), taker, border, &points)) return false;
            ++sides;
            borders += border;
        }
    }
    return points - (sides + borders) / 2 + (int64_t)q->visible_count == 1;
}

/* Above the rounding of depths, and above 0: what was merged is not known to be coplanar. */
static double cdi_depth_error(const cdi_cloud *c) {
    return 8e-16 * cdi_v3_max_abs(c->middle) + 8e-16 * cdi_v3_max_abs(c->reach) + 5e-324;
}

static void cdi_take_around(cdi_groups *g, uint32_t taker, double distance) {
    cdi_qh *q = g->q;
    cdi_layer layer = cdi_layer_under(g, taker, distance);
    uint32_t taken = 0;
    q->visible_count = 0;
    cdi_take_group(g, taker, taker);
    for (uint32_t i = 0; i < q->visible_count; ++i) {
        for (uint32_t k = 0; k < 3; ++k) {
            uint32_t across = g->group[cdi_qh_twin(q, 4 * q->visible[i] + k) >> 2];
            if (g->mark[across] != CD_NONE || !cdi_layer_has(&layer, g, across)) continue;
            cdi_take_group(g, across, taker);
            ++taken;
        }
    }
    if (taken == 0) return;
    if (cdi_is_disk(g, taker)) {
        g->count -= taken;
        g->flatness = cdi_max(g->flatness, layer.deepest + cdi_depth_error(q->cloud));
    } else {
        cdi_give_groups_back(g, taker);
    }
}

/* The numbers of the groups by the size of their seed's normal, in powers of two, the largest first, in q->horizon. */
static void cdi_order_by_size(const cdi_groups *g, uint32_t *order) {
    uint32_t start[2110], sum = 0;
    cdi_clear(start, sizeof start);
    for (uint32_t i = 0; i < g->room; ++i)
        ++start[1024 - cdi_exponent(cdi_normal_size(&g->q->face[g->seed[i]]))];
    for (int e = 0; e < 2110; ++e) {
        uint32_t n = start[e];
        start[e] = sum;
        sum += n;
    }
    for (uint32_t i = 0; i < g->room; ++i)
        order[start[1024 - cdi_exponent(cdi_normal_size(&g->q->face[g->seed[i]]))]++] = i;
}

static void cdi_merge_groups(cdi_groups *g, double distance) {
    cdi_qh *q = g->q;
    for (uint32_t i = 0; i < q->cloud->room; ++i) q->start[i] = 0;
    cdi_order_by_size(g, q->horizon);
    for (uint32_t i = 0; i < g->room; ++i) {
        if (g->mark[q->horizon[i]] == CD_NONE) cdi_take_around(g, q->horizon[i], distance);
    }
}

/* ---- vertices ---- */

static uint32_t cdi_point_count(const cdi_qh *q) {
    return q->cloud->count + (q->apex != CD_NONE);
}

/* Runs `act` for each border. */
#define CDI_EACH_BORDER(g, h, act)                                                                           \
    for (uint32_t f = 0; f < (g)->q->face_count; ++f) {                                                      \
        for (uint32_t h = 4 * f; (h & 3u) < 3; ++h) {                                                        \
            if (cdi_is_border(g, h)) {                                                                       \
                act;                                                                                         \
            }                                                                                                \
        }                                                                                                    \
    }

static void cdi_mark_borders(cdi_groups *g) {
    for (uint32_t f = 0; f < g->q->face_count; ++f) {
        unsigned bits = 0;
        for (uint32_t k = 0; k < 3 && g->group[f] != CD_NONE; ++k)
            bits |= (unsigned)(g->group[f] != cdi_group_of(g, g->q->face[f].twin[k])) << k;
        g->border[f] = (unsigned char)bits;
    }
}

/* Where three or more faces meet; afterwards q->start has a border out of each point on one. */
static void cdi_find_corners(cdi_groups *g) {
    cdi_qh *q = g->q;
    for (uint32_t i = 0; i < cdi_point_count(q); ++i) g->rank[i] = 0;
    CDI_EACH_BORDER(g, h, {
        ++g->rank[cdi_qh_origin(q, h)];
        q->start[cdi_qh_origin(q, h)] = h;
    })
    for (uint32_t i = 0; i < cdi_point_count(q); ++i) g->rank[i] = g->rank[i] >= 3 ? 0 : CD_NONE;
}

/* The corners of the group to the left of a border. */
static uint32_t cdi_corner_count(const cdi_groups *g, uint32_t border) {
    uint32_t h = border, count = 0;
    do {
        count += g->rank[cdi_qh_origin(g->q, h)] != CD_NONE;
        h = cdi_next_border(g, h);
    } while (h != border);
    return count;
}

static void cdi_make_all_corners(const cdi_groups *g, uint32_t border) {
    uint32_t h = border;
    do {
        g->rank[cdi_qh_origin(g->q, h)] = 0;
        h = cdi_next_border(g, h);
    } while (h != border);
}

static void cdi_clear_numbers(cdi_groups *g) {
    for (uint32_t i = 0; i < g->room; ++i) g->number[i] = CD_NONE;
}

/* A face with fewer than three corners keeps all of its points. */
static void cdi_keep_three_corners(cdi_groups *g) {
    cdi_clear_numbers(g);
    CDI_EACH_BORDER(g, h, {
        if (g->number[cdi_group_of(g, h)] == CD_NONE) {
            g->number[cdi_group_of(g, h)] = 0;
            if (cdi_corner_count(g, h) < 3) cdi_make_all_corners(g, h);
        }
    })
}

static double cdi_distance_to_chord(cdi_v3 p, cdi_v3 a, cdi_v3 b) {
    cdi_v3 ab = cdi_v3_sub(b, a), ap = cdi_v3_sub(p, a);
    double square = cdi_v3_sqlength(ab),
           t = square > 0.0 ? cdi_clamp(cdi_v3_dot(ap, ab) / square, 0.0, 1.0) : 0.0;
    return cdi_v3_length(cdi_v3_along(ap, ab, -t));
}

/* Of the points between the ends of an edge the one farthest from it, if farther than `distance`; notes how far the others
 * are. */
static uint32_t cdi_farthest_from_chord(cdi_groups *g, uint32_t border, double distance) {
    uint32_t next, last = cdi_border_run(g, border, &next), best = CD_NONE;
    cdi_v3 a = cdi_groups_at(g, cdi_qh_origin(g->q, border));
    cdi_v3 b = cdi_groups_at(g, cdi_qh_origin(g->q, cdi_qh_twin(g->q, last)));
    double most = 0.0;
    for (uint32_t h = border; h != last;) {
        double far_off;
        h = cdi_next_border(g, h);
        far_off = cdi_distance_to_chord(cdi_groups_at(g, cdi_qh_origin(g->q, h)), a, b);
        if (!(far_off <= CDI_HUGE)) far_off = CDI_HUGE; /* NaN: beyond the range */
        if (far_off > most) {
            most = far_off;
            best = cdi_qh_origin(g->q, h);
        }
    }
    if (most > distance) return best;
    g->flatness = cdi_max(g->flatness, most);
    return CD_NONE;
}

/* The run of borders from a point with a rank to the next one: pieces are split until all are straight. */
static void cdi_straighten_run(cdi_groups *g, uint32_t border, double distance) {
    uint32_t next, at = border, end;
    cdi_border_run(g, border, &next);
    end = next;
    while (at != end) {
        uint32_t keep = cdi_farthest_from_chord(g, at, distance);
        if (keep != CD_NONE) {
            g->rank[keep] = 0;
        } else {
            cdi_border_run(g, at, &next);
            at = next;
        }
    }
}

/* Points with two edges are kept only as far as the edge needs them (Ramer 1972; Douglas and Peucker 1973). */
static void cdi_straighten_edges(cdi_groups *g, double distance) {
    CDI_EACH_BORDER(g, h, {
        if (g->rank[cdi_qh_origin(g->q, h)] != CD_NONE) cdi_straighten_run(g, h, distance);
    })
}

static void cdi_number_vertices(cdi_groups *g) {
    for (uint32_t i = 0; i < cdi_point_count(g->q); ++i) {
        if (g->rank[i] != CD_NONE) g->rank[i] = g->vertex_count++;
    }
}

/* ---- the whole ---- */

CDI_FN bool cdi_groups_make(cdi_groups *g, cdi_qh *q, double distance) {
    cdi_clear(g, sizeof *g);
    g->q = q;
    g->rank = (uint32_t *)cdi_alloc(q->allocator, q->cloud->room, sizeof(uint32_t));
    g->group = (uint32_t *)cdi_alloc(q->allocator, q->face_count, CDI_GROUP_BYTES);
    if (!g->rank || !g->group) return false;
    g->seed = g->group + q->face_count;
    g->number = g->seed + q->face_count;
    g->mark = g->number + q->face_count;
    g->border = (unsigned char *)(g->mark + q->face_count);
    for (uint32_t i = 0; i < q->face_count; ++i) g->group[i] = g->mark[i] = CD_NONE;
    cdi_group_all_coplanar(g);
    if (distance > 0.0) cdi_merge_groups(g, distance);
    cdi_mark_borders(g);
    cdi_find_corners(g);
    if (g->flatness > 0.0) {
        cdi_keep_three_corners(g);
        cdi_straighten_edges(g, distance);
    }
    cdi_number_vertices(g);
    cdi_clear_numbers(g);
    return true;
}

CDI_FN void cdi_groups_free(cdi_groups *g) {
    cdi_free(g->q->allocator, g->rank, g->q->cloud->room, sizeof(uint32_t));
    cdi_free(g->q->allocator, g->group, g->q->face_count, CDI_GROUP_BYTES);
}

#undef CDI_EACH_BORDER

/* ---- hull/facets.c ------------------------------------------------------------------------------------------- */

/* What a hull is written from. */
typedef struct cdi_facets {
    cdi_groups g;
    uint32_t *place; /* of each half-edge that starts an edge: its number in the hull */
} cdi_facets;

/* ---- vertices ---- */

static void cdi_write_vertices(const cdi_facets *s, const cdi_hull_arrays *to) {
    const cdi_qh *q = s->g.q;
    for (uint32_t i = 0; i < q->cloud->count; ++i) {
        uint32_t source = q->cloud->point[i].source, rank = s->g.rank[i];
        cdi_v3 at;
        if (rank == CD_NONE) continue;
        at = cdi_cloud_input_at(&q->cloud->input, source);
        to->vertices[rank] =
            cdi_v3_round(cdi_v3_make(at.x + 0.0, at.y + 0.0, at.z + 0.0)); /* no negative zeros */
        to->sources[rank] = source;
        to->outgoing[rank] = CD_NONE;
    }
}

/* ---- planes ---- */

static void cdi_write_plane(const cdi_facets *s, cd_plane *plane, uint32_t group, double sign) {
    cdi_v3 n = cdi_v3_scale(cdi_v3_normalize(cdi_group_normal(&s->g, group)), sign);
    plane->n = cdi_v3_round(cdi_v3_make(n.x + 0.0, n.y + 0.0, n.z + 0.0));
    plane->d =
        cdi_hull_round_up(sign * cdi_group_offset(&s->g, group, cdi_v3_scale(cdi_v3_of(plane->n), sign)));
}

/* ---- the order ---- */

/* Numbers the half-edges of a face from this border on. Their twins are borders yet. */
static void cdi_write_loop(const cdi_facets *s, const cdi_hull_arrays *to, uint32_t first, uint32_t face,
                           uint32_t *count) {
    const cdi_qh *q = s->g.q;
    uint32_t h = first, next;
    to->faces[face].first = *count;
    do {
        uint32_t rank = s->g.rank[cdi_qh_origin(q, h)];
        cd_half_edge *e = &to->half_edges[*count];
        e->origin = rank;
        e->face = face;
        e->twin = cdi_qh_twin(q, cdi_border_run(&s->g, h, &next));
        to->outgoing[rank] = *count;
        s->place[h] = (*count)++;
        h = next;
    } while (h != first);
    to->faces[face].count = *count - to->faces[face].first;
}

/* Faces are numbered as their triangles come up. The points' order is their own, and so is all that follows from it. */
static void cdi_write_faces(const cdi_facets *s, const cdi_hull_arrays *to) {
    const cdi_groups *g = &s->g;
    uint32_t faces = 0, half_edges = 0;
    for (uint32_t f = 0; f < g->q->face_count; ++f) {
        for (uint32_t h = 4 * f; (h & 3u) < 3; ++h) {
            uint32_t group = g->group[f];
            if (!cdi_is_border(g, h) || g->rank[cdi_qh_origin(g->q, h)] == CD_NONE) continue;
            if (g->number[group] != CD_NONE) continue;
            g->number[group] = faces;
            cdi_write_plane(s, &to->faces[faces].plane, group, 1.0);
            cdi_write_loop(s, to, h, faces++, &half_edges);
        }
    }
    for (uint32_t i = 0; i < half_edges; ++i) to->half_edges[i].twin = s->place[to->half_edges[i].twin];
}

static cd_status cdi_write_body(cd_hull *out, const cdi_facets *s) {
    uint32_t half_edges = 2 * (s->g.vertex_count + s->g.count - 2); /* Euler */
    const cd_allocator *allocator = s->g.q->allocator;
    cdi_hull_header *header = cdi_hull_take_block(allocator, 3, s->g.vertex_count, half_edges, s->g.count);
    cdi_hull_arrays to;
    if (!header) return CD_OUT_OF_MEMORY;
    to = cdi_hull_open(header);
    cdi_write_vertices(s, &to);
    cdi_write_faces(s, &to);
    header->flatness = s->g.flatness;
    cdi_hull_finish(out, header, allocator);
    return CD_OK;
}

/* ---- flat hulls: the base of a pyramid, twice ---- */

static bool cdi_touches_apex(const cdi_qh *q, uint32_t face) {
    const uint32_t *v = q->face[face].vertex;
    return v[0] == q->apex || v[1] == q->apex || v[2] == q->apex;
}

/* The border of the base at its vertex with the smallest number. */
static uint32_t cdi_base_start(const cdi_facets *s) {
    uint32_t point = 0, h;
    while (s->g.rank[point] == CD_NONE) ++point;
    h = s->g.q->start[point];
    while (cdi_touches_apex(s->g.q, h >> 2)) h = cdi_turn_border(&s->g, h);
    return h;
}

static cd_status cdi_write_flat(cd_hull *out, cdi_facets *s) {
    const cdi_qh *q = s->g.q;
    uint32_t n = s->g.vertex_count - 1, start, h, next; /* without the apex, whose number is the last */
    cdi_hull_header *header = cdi_hull_take_block(q->allocator, 2, n, 2 * n, 2);
    cdi_hull_arrays to;
    if (!header) return CD_OUT_OF_MEMORY;
    to = cdi_hull_open(header);
    cdi_write_vertices(s, &to);
    start = h = cdi_base_start(s);
    for (uint32_t i = 0; i < n; ++i) {
        uint32_t rank = s->g.rank[cdi_qh_origin(q, h)], back = n + (n - i) % n;
        to.half_edges[i].origin = to.half_edges[back].origin = rank;
        to.half_edges[i].face = 0;
        to.half_edges[back].face = 1;
        to.half_edges[i].twin = n + (n - 1 - i);
        to.half_edges[n + (n - 1 - i)].twin = i;
        to.outgoing[rank] = i;
        cdi_border_run(&s->g, h, &next);
        h = next;
    }
    cdi_write_plane(s, &to.faces[0].plane, cdi_group_of(&s->g, start), 1.0);
    cdi_write_plane(s, &to.faces[1].plane, cdi_group_of(&s->g, start), -1.0);
    to.faces[0].first = 0;
    to.faces[1].first = n;
    to.faces[0].count = to.faces[1].count = n;
    cdi_hull_finish(out, header, q->allocator);
    return CD_OK;
}

/* ---- segments and points ---- */

static cd_status cdi_write_thin(cd_hull *out, cdi_qh *q) {
    uint32_t n = (uint32_t)q->dimension + 1;
    cdi_hull_header *header = cdi_hull_take_block(q->allocator, q->dimension, n, n == 2 ? 2u : 0u, 0);
    cdi_hull_arrays to;
    if (!header) return CD_OUT_OF_MEMORY;
    to = cdi_hull_open(header);
    for (uint32_t i = 0; i < n; ++i) {
        uint32_t source = q->cloud->point[q->corner[i]].source;
        cdi_v3 at = cdi_cloud_input_at(&q->cloud->input, source);
        to.vertices[i] = cdi_v3_round(cdi_v3_make(at.x + 0.0, at.y + 0.0, at.z + 0.0));
        to.sources[i] = source;
        to.outgoing[i] = n == 2 ? i : CD_NONE;
        if (n < 2) continue;
        to.half_edges[i].origin = i;
        to.half_edges[i].twin = 1 - i;
        to.half_edges[i].face = CD_NONE;
    }
    cdi_hull_finish(out, header, q->allocator);
    return CD_OK;
}

/* ---- the whole ---- */

CDI_FN cd_status cdi_facets_write(cd_hull *out, cdi_qh *q, double merge_distance) {
    cdi_facets s;
    cd_status status = CD_OUT_OF_MEMORY;
    size_t half_edges = 4 * (size_t)q->face_count;
    cdi_clear(out, sizeof *out);
    if (q->dimension < 2) return q->dimension < 0 ? CD_OK : cdi_write_thin(out, q);
    s.place = (uint32_t *)cdi_alloc(q->allocator, half_edges, sizeof *s.place);
    if (cdi_groups_make(&s.g, q, q->dimension == 2 ? 0.0 : merge_distance) && s.place)
        status = q->dimension == 2 ? cdi_write_flat(out, &s) : cdi_write_body(out, &s);
    cdi_groups_free(&s.g);
    cdi_free(q->allocator, s.place, half_edges, sizeof *s.place);
    return status;
}

/* ---- hull/hull_gap.c ----------------------------------------------------------------------------------------- */

/* ---- a triangle ---- */

static cdi_v3 cdi_gap_segment(cdi_v3 p, cdi_v3 a, cdi_v3 b) {
    cdi_v3 along = cdi_v3_sub(b, a);
    double length = cdi_v3_sqlength(along), t = cdi_v3_dot(cdi_v3_sub(p, a), along);
    if (t <= 0.0 || length <= 0.0) return a;
    return t >= length ? b : cdi_v3_along(a, along, t / length);
}

static cdi_v3 cdi_nearer(cdi_v3 p, cdi_v3 a, cdi_v3 b) {
    return cdi_v3_sqlength(cdi_v3_sub(p, b)) < cdi_v3_sqlength(cdi_v3_sub(p, a)) ? b : a;
}

CDI_FN cdi_v3 cdi_gap_triangle(cdi_v3 p, cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    cdi_v3 u = cdi_v3_sub(b, a), v = cdi_v3_sub(c, a), q = cdi_v3_sub(p, a), n = cdi_v3_cross(u, v);
    double s = cdi_v3_dot(cdi_v3_cross(q, v), n), t = cdi_v3_dot(cdi_v3_cross(u, q), n);
    double whole = cdi_v3_sqlength(n);
    if (s >= 0.0 && t >= 0.0 && s + t <= whole && whole > 0.0)
        return cdi_v3_along(cdi_v3_along(a, u, s / whole), v, t / whole);
    return cdi_nearer(p, cdi_nearer(p, cdi_gap_segment(p, a, b), cdi_gap_segment(p, b, c)),
                      cdi_gap_segment(p, c, a));
}

/* ---- a hull ---- */

static cdi_v3 cdi_gap_scaled(const cdi_hull_gap *g, cdi_v3 p) {
    cdi_v3 v = cdi_v3_sub(p, g->base);
    return cdi_v3_make(cdi_scale2(v.x, g->exponent), cdi_scale2(v.y, g->exponent),
                       cdi_scale2(v.z, g->exponent));
}

static cdi_v3 cdi_gap_place(const cdi_hull_gap *g, cd_vec3 p) {
    return cdi_gap_scaled(g, cdi_v3_of(p));
}

static cdi_v3 cdi_gap_vertex(const cdi_hull_gap *g, uint32_t vertex) {
    return cdi_gap_place(g, g->parts.vertices[vertex]);
}

static double cdi_gap_extent(const cd_hull *hull, cdi_v3 base) {
    cd_aabb box = cd_hull_bounds(hull);
    return cdi_max(cdi_v3_max_abs(cdi_v3_sub(cdi_v3_of(box.min), base)),
                   cdi_v3_max_abs(cdi_v3_sub(cdi_v3_of(box.max), base)));
}

CDI_FN cdi_hull_gap cdi_gap_begin(const cd_hull *hull, const cd_hull *other) {
    cdi_hull_gap g;
    double extent;
    cdi_clear(&g, sizeof g);
    g.parts = cd_hull_get_parts(hull);
    g.tolerance = 1e-14;
    g.steps = 64;
    g.base = cdi_v3_of(g.parts.vertices[0]);
    extent = cdi_max(cdi_gap_extent(hull, g.base), cdi_gap_extent(other, g.base));
    g.exponent = extent > 0.0 ? -cdi_exponent(extent) : 0;
    g.size = cdi_scale2(extent, g.exponent);
    return g;
}

/* The top of a convex body is the only one. */
CDI_FN uint32_t cdi_hull_climb(const cd_hull_parts *p, uint32_t vertex, cdi_v3 d) {
    cdi_v3 base = cdi_v3_of(p->vertices[vertex]);
    double most = 0.0;
    for (bool higher = true; higher;) {
        uint32_t first = p->outgoing[vertex], h = first;
        higher = false;
        do {
            uint32_t to = p->half_edges[p->half_edges[h].twin].origin;
            double height = cdi_v3_dot(d, cdi_v3_sub(cdi_v3_of(p->vertices[to]), base));
            if (height > most) {
                most = height;
                vertex = to;
                higher = true;
            }
            h = p->half_edges[cd_hull_previous(p, h)].twin;
        } while (h != first);
    }
    return vertex;
}

static cdi_v3 cdi_gap_nearest(const cdi_hull_gap *g, const uint32_t corner[3], cdi_v3 p) {
    return cdi_gap_triangle(p, cdi_gap_vertex(g, corner[0]), cdi_gap_vertex(g, corner[1]),
                            cdi_gap_vertex(g, corner[2]));
}

/* Of the triangles of the new vertex and two of the old ones, the one nearest to p; false when none is nearer than `x`.
 * For p outside, the best one holds the point of all four's tetrahedron that is nearest (Gilbert, Johnson and Keerthi 1988). */
static bool cdi_gap_advance(cdi_hull_gap *g, uint32_t vertex, cdi_v3 p, cdi_v3 *x, double *squared) {
    uint32_t best = 3;
    for (uint32_t i = 0; i < 3; ++i) {
        uint32_t corner[3] = {vertex, g->corner[(i + 1) % 3], g->corner[(i + 2) % 3]};
        cdi_v3 at = cdi_gap_nearest(g, corner, p);
        double d = cdi_v3_sqlength(cdi_v3_sub(p, at));
        if (d >= *squared) continue;
        *squared = d;
        *x = at;
        best = i;
    }
    if (best < 3) g->corner[best] = vertex;
    return best < 3;
}

/* The squared distance of p, scaled, or a number not above `enough`. Every step ends with a point of the hull, so that the
 * answer errs upwards only; the limit of steps is never met in practice. */
static double cdi_gap_squared(cdi_hull_gap *g, cdi_v3 p, double enough, cdi_v3 *away) {
    cdi_v3 x = cdi_gap_nearest(g, g->corner, p);
    double squared = cdi_v3_sqlength(cdi_v3_sub(p, x));
    for (int step = 0; step < g->steps && squared > enough; ++step) {
        cdi_v3 d = cdi_v3_sub(p, x);
        uint32_t vertex = cdi_hull_climb(&g->parts, g->corner[0], d);
        if (cdi_v3_dot(d, cdi_v3_sub(cdi_gap_vertex(g, vertex), x)) <= g->tolerance * squared) break;
        if (!cdi_gap_advance(g, vertex, p, &x, &squared)) break;
    }
    *away = cdi_v3_sub(p, x);
    return squared;
}

CDI_FN double cdi_gap_reach(cdi_hull_gap *g, cdi_v3 p, cdi_v3 *away) {
    cdi_v3 at = cdi_gap_scaled(g, p);
    double squared;
    uint32_t top = cdi_hull_climb(&g->parts, g->corner[0], cdi_v3_sub(p, cdi_v3_of(g->parts.center)));
    for (int k = 0; k < 3; ++k) g->corner[k] = top;
    squared = cdi_gap_squared(g, at, 0.0, away);
    *away = cdi_v3_normalize(*away);
    return cdi_sqrt(squared);
}

/* A scaled length, with all that rounding may have taken from it, as a number of the interface. */
static double cdi_gap_round_up(const cdi_hull_gap *g, double length) {
    double whole = cdi_scale2(length * (1.0 + 1e-14) + 1e-14 * g->size, -g->exponent);
    cd_real r;
    if (!(whole < (double)CD_REAL_MAX)) return (double)CD_REAL_MAX;
    r = (cd_real)whole;
    return (double)((double)r < whole ? cdi_next_real(r, true) : r);
}

CDI_FN double cdi_gap_largest(const cd_hull *hull, const cd_hull *other) {
    cd_hull_parts p = cd_hull_get_parts(other);
    cdi_hull_gap g = cdi_gap_begin(hull, other);
    double most = 0.0;
    cdi_v3 away;
    for (uint32_t i = 0; i < p.vertex_count; ++i)
        most = cdi_max(most, cdi_gap_squared(&g, cdi_gap_place(&g, p.vertices[i]), most, &away));
    return cdi_gap_round_up(&g, cdi_sqrt(most));
}

/* ---- hull/directions.c --------------------------------------------------------------------------------------- */

CDI_FN double cdi_unit_scale(const cd_hull *hull) {
    cd_aabb box = cd_hull_bounds(hull);
    double size = cdi_v3_max_abs(cdi_v3_sub(cdi_v3_of(box.max), cdi_v3_of(box.min)));
    return cdi_exp2i(-cdi_exponent(size));
}

static void cdi_add_spread(double c[6], cdi_v3 v) {
    c[0] += v.x * v.x;
    c[1] += v.y * v.x;
    c[2] += v.y * v.y;
    c[3] += v.z * v.x;
    c[4] += v.z * v.y;
    c[5] += v.z * v.z;
}

CDI_FN cdi_round_frame cdi_round_frame_of(const cd_hull *hull) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cdi_v3 center = cdi_v3_of(p.center);
    double scale = cdi_unit_scale(hull), share = 1.0 / (double)p.vertex_count;
    double c[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, least;
    cdi_round_frame f;
    for (uint32_t i = 0; i < p.vertex_count; ++i)
        cdi_add_spread(c, cdi_v3_scale(cdi_v3_sub(cdi_v3_of(p.vertices[i]), center), scale));
    for (int k = 0; k < 6; ++k) c[k] *= share;
    least = 1e-24 * (c[0] + c[2] + c[5]);
    f.l[0] = cdi_sqrt(cdi_max(c[0], least));
    f.l[1] = c[1] / f.l[0];
    f.l[2] = cdi_sqrt(cdi_max(c[2] - f.l[1] * f.l[1], least));
    f.l[3] = c[3] / f.l[0];
    f.l[4] = (c[4] - f.l[3] * f.l[1]) / f.l[2];
    f.l[5] = cdi_sqrt(cdi_max(c[5] - f.l[3] * f.l[3] - f.l[4] * f.l[4], least));
    return f;
}

CDI_FN cdi_v3 cdi_round_direction(const cdi_round_frame *f, cdi_v3 u) {
    double z = u.z / f->l[5], y = (u.y - f->l[4] * z) / f->l[2],
           x = (u.x - f->l[1] * y - f->l[3] * z) / f->l[0];
    return cdi_v3_normalize(cdi_v3_make(x, y, z));
}

CDI_FN cdi_v3 cdi_cube_direction(uint32_t i, uint32_t n) {
    double u[3];
    uint32_t side = i / (n * n), row = i / n % n, column = i % n;
    if (row % 2) column = n - 1 - column; /* there and back, so that the next is near */
    u[side % 3] = side < 3 ? 1.0 : -1.0;
    u[(side + 1) % 3] = (2.0 * row + 1.0) / n - 1.0;
    u[(side + 2) % 3] = (2.0 * column + 1.0) / n - 1.0;
    return cdi_v3_make(u[0], u[1], u[2]);
}

/* ---- hull/hull_around.c -------------------------------------------------------------------------------------- */

/* Half-spaces n . x <= e, n unit, with x about `center` and times `scale`, which touch the hull; each is also the point
 * L^T n / e: the polar dual, in the frame in which the hull is round. Corners of the common interior of some of them are the
 * planes of the hull of these points, and the body is bounded when the origin is inside. */
typedef struct cdi_around {
    const cd_hull *hull;
    cd_hull_parts parts;
    const cd_allocator *allocator;
    uint32_t max_vertices, max_faces;
    cdi_v3 center;
    double scale, step; /* step: what rounding a corner may move it by, scaled */
    cdi_round_frame frame;
    cdi_v3 *n, *dual;
    double *e;
    uint32_t *chosen; /* room for as many as there are half-spaces */
    uint32_t count, room, last;
    cd_hull best;
    cdi_v3 *
        kept; /* the normals of the half-spaces of `best`; then those drawn to, and a pull for each: 3 times the room */
    uint32_t kept_count;
} cdi_around;

/* ---- half-spaces ---- */

static cdi_v3 cdi_around_place(const cdi_around *a, uint32_t vertex) {
    return cdi_v3_scale(cdi_v3_sub(cdi_v3_of(a->parts.vertices[vertex]), a->center), a->scale);
}

static cdi_v3 cdi_around_mean(const cd_hull_parts *p) {
    cdi_v3 base = cdi_v3_of(p->vertices[0]), sum = cdi_v3_make(0.0, 0.0, 0.0);
    double share = 1.0 / (double)p->vertex_count;
    for (uint32_t i = 1; i < p->vertex_count; ++i)
        sum = cdi_v3_along(sum, cdi_v3_sub(cdi_v3_of(p->vertices[i]), base), share);
    return cdi_v3_add(base, sum);
}

/* The half-space with this outward normal that touches the hull; none is added where the hull is too thin. */
static void cdi_around_touch(cdi_around *a, cdi_v3 direction) {
    const double *l = a->frame.l;
    cdi_v3 n = cdi_v3_normalize(direction), d;
    double e;
    a->last = cdi_hull_climb(&a->parts, a->last, n);
    e = cdi_v3_dot(n, cdi_around_place(a, a->last));
    d = cdi_v3_make((l[0] * n.x + l[1] * n.y + l[3] * n.z) / e, (l[2] * n.y + l[4] * n.z) / e,
                    l[5] * n.z / e);
    if (!(e > 1e-14) || !cdi_finite(e) || !cdi_v3_finite(d) || a->count == a->room) return;
    a->n[a->count] = n;
    a->e[a->count] = e;
    a->dual[a->count++] = d;
}

/* Of the faces around a vertex the one that looks most along u. */
static uint32_t cdi_facing(const cd_hull_parts *p, uint32_t vertex, cdi_v3 u) {
    uint32_t first = p->outgoing[vertex], h = first, best = 0;
    double most = -CDI_HUGE;
    do {
        uint32_t f = p->half_edges[h].face;
        double along = cdi_v3_dot(u, cdi_v3_of(p->faces[f].plane.n));
        if (along > most) {
            most = along;
            best = f;
        }
        h = p->half_edges[cd_hull_previous(p, h)].twin;
    } while (h != first);
    return best;
}

/* The faces, all of them or those that face many directions, and 2 * 26 directions of boxes. */
static void cdi_around_take_faces(cdi_around *a, uint32_t n) {
    const cd_hull_parts *p = &a->parts;
    uint32_t vertex = 0, before = CD_NONE;
    if (p->face_count <= 24 * n * n) {
        for (uint32_t f = 0; f < p->face_count; ++f) {
            a->last = p->half_edges[p->faces[f].first].origin;
            cdi_around_touch(a, cdi_v3_of(p->faces[f].plane.n));
        }
        return;
    }
    for (uint32_t i = 0; i < 12 * n * n; ++i) {
        cdi_v3 u = cdi_cube_direction(i % (6 * n * n), n);
        uint32_t f;
        if (i >= 6 * n * n) u = cdi_round_direction(&a->frame, u);
        vertex = cdi_hull_climb(p, vertex, u);
        f = cdi_facing(p, vertex, u);
        if (f != before) cdi_around_touch(a, cdi_v3_of(p->faces[f].plane.n));
        before = f;
    }
}

static void cdi_around_take_boxes(cdi_around *a) {
    for (int i = 0; i < 27; ++i) {
        cdi_v3 u = cdi_v3_make(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
        if (i == 13) continue;
        cdi_around_touch(a, u);
        cdi_around_touch(a, cdi_round_direction(&a->frame, u));
    }
}

/* ---- the corners of some half-spaces ---- */

/* The corners of the interior, one for each triangle of the dual; those at nearly the same place are one. */
typedef struct cdi_corners {
    cdi_cloud cloud;
    cdi_qh q;
    cdi_v3 *dual;       /* of the chosen, pushed out */
    cdi_v3 *at;         /* of each triangle */
    uint32_t *same;     /* of each triangle: an earlier one at the same place, or itself */
    uint32_t *rank;     /* of each triangle that stands for itself: its number in the result */
    uint32_t *place;    /* of each half-edge of the dual: that of the result */
    cd_vec3 *point;     /* rounded */
    uint32_t *triangle; /* of each point */
    uint32_t room, point_count, dual_count;
} cdi_corners;

static void cdi_corners_free(const cdi_around *a, cdi_corners *c) {
    cdi_free(a->allocator, c->dual, c->dual_count, sizeof *c->dual);
    cdi_free(a->allocator, c->at, c->room, sizeof *c->at);
    cdi_free(a->allocator, c->same, 7 * (size_t)c->room, sizeof *c->same);
    cdi_free(a->allocator, c->point, c->room, sizeof *c->point);
    c->q.allocator = a->allocator;
    cdi_qh_free(&c->q);
    cdi_cloud_free(&c->cloud, a->allocator);
}

static bool cdi_corners_take(const cdi_around *a, cdi_corners *c) {
    c->room = c->q.face_count;
    c->at = (cdi_v3 *)cdi_alloc(a->allocator, c->room, sizeof *c->at);
    c->same = (uint32_t *)cdi_alloc(a->allocator, 7 * (size_t)c->room, sizeof *c->same);
    c->point = (cd_vec3 *)cdi_alloc(a->allocator, c->room, sizeof *c->point);
    if (!c->at || !c->same || !c->point) return false;
    c->rank = c->same + c->room;
    c->triangle = c->rank + c->room;
    c->place = c->triangle + c->room;
    return true;
}

static cd_status cdi_corners_dual(const cdi_around *a, cdi_corners *c, uint32_t count, double margin) {
    cdi_cloud_input input;
    cd_status status;
    c->dual_count = count;
    c->dual = (cdi_v3 *)cdi_alloc(a->allocator, count, sizeof *c->dual);
    if (!c->dual) return CD_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t k = a->chosen[i];
        c->dual[i] = cdi_v3_scale(a->dual[k], a->e[k] / (a->e[k] + margin));
    }
    cdi_clear(&input, sizeof input);
    input.high = c->dual;
    input.count = count;
    status = cdi_cloud_arrange(&c->cloud, &input, NULL, count, a->allocator);
    if (status == CD_OK) status = cdi_qh_build(&c->q, &c->cloud, a->allocator, NULL);
    return status == CD_OK && c->q.dimension < 3 ? CD_UNSUPPORTED : status;
}

/* Where the corner of a dual triangle is; false when there is none. */
static bool cdi_corner_at(const cdi_around *a, const cdi_corners *c, const cdi_qh_face *f, cdi_v3 *at) {
    const double *l = a->frame.l;
    double e = f->d + cdi_v3_dot(f->n, c->cloud.middle);
    cdi_v3 w;
    if (e <= 1e-9 * cdi_v3_length(f->n)) return false;
    w = cdi_v3_scale(f->n, 1.0 / (e * a->scale));
    w = cdi_v3_make(l[0] * w.x, l[1] * w.x + l[2] * w.y, l[3] * w.x + l[4] * w.y + l[5] * w.z);
    *at = cdi_v3_add(a->center, w);
    return cdi_v3_finite(*at) && cdi_v3_max_abs(*at) <= (double)CD_REAL_MAX;
}

static uint32_t cdi_corner_root(cdi_corners *c, uint32_t t) {
    while (c->same[t] != t) t = c->same[t] = c->same[c->same[t]];
    return t;
}

/* Neighbours at the same place, up to rounding, become one. */
static void cdi_corners_weld(const cdi_around *a, cdi_corners *c, double margin) {
    double limit = cdi_max(8.0 * a->step, 0.5 * margin) / a->scale;
    for (uint32_t t = 0; t < c->room; ++t) c->same[t] = t;
    for (uint32_t t = 0; t < c->room; ++t) {
        if (c->q.face[t].vertex[0] == CD_NONE) continue;
        for (int k = 0; k < 3; ++k) {
            uint32_t r = cdi_corner_root(c, t), u = cdi_corner_root(c, c->q.face[t].twin[k] >> 2);
            if (cdi_v3_max_abs(cdi_v3_sub(c->at[r], c->at[u])) > limit) continue;
            if (r < u) c->same[u] = r;
            if (u < r) c->same[r] = u;
        }
    }
}

static cd_status cdi_corners_find(const cdi_around *a, cdi_corners *c, uint32_t count, double margin) {
    cd_status status = cdi_corners_dual(a, c, count, margin);
    if (status != CD_OK) return status;
    if (!cdi_corners_take(a, c)) return CD_OUT_OF_MEMORY;
    for (uint32_t t = 0; t < c->room; ++t) {
        if (c->q.face[t].vertex[0] != CD_NONE && !cdi_corner_at(a, c, &c->q.face[t], &c->at[t]))
            return CD_UNSUPPORTED;
    }
    cdi_corners_weld(a, c, margin);
    for (uint32_t t = 0; t < c->room; ++t) {
        if (c->q.face[t].vertex[0] == CD_NONE || cdi_corner_root(c, t) != t) continue;
        c->triangle[c->point_count] = t;
        c->point[c->point_count++] = cdi_v3_round(c->at[t]);
    }
    return CD_OK;
}

/* ---- is the hull inside? ---- */

static cdi_v3 cdi_loop_corner(const cd_hull_parts *p, uint32_t face, uint32_t i) {
    return cdi_v3_of(p->vertices[p->half_edges[p->faces[face].first + i].origin]);
}

/* det [b-a; c-a; q-p], exact sign: how much higher q is than p above the triangle. The error in doubles is below 1e-14 of the
 * product of the largest components. */
static double cdi_rise(const cdi_v3 t[3], cdi_v3 p, cdi_v3 q) {
    cdi_v3 u = cdi_v3_sub(t[1], t[0]), v = cdi_v3_sub(t[2], t[0]), w = cdi_v3_sub(q, p);
    double rise = cdi_v3_dot(cdi_v3_cross(u, v), w);
    double noise = 1e-13 * cdi_v3_max_abs(u) * cdi_v3_max_abs(v) * cdi_v3_max_abs(w) + 1e-290;
    cdi_diff m[3][3];
    if (rise > noise || rise < -noise) return rise;
    for (int k = 0; k < 3; ++k) {
        m[0][k] = cdi_diff_of(cdi_v3_get(t[1], k), cdi_v3_get(t[0], k));
        m[1][k] = cdi_diff_of(cdi_v3_get(t[2], k), cdi_v3_get(t[0], k));
        m[2][k] = cdi_diff_of(cdi_v3_get(q, k), cdi_v3_get(p, k));
    }
    return cdi_det3_exact(m);
}

/* A neighbour of the vertex that is higher above the triangle, or the vertex. */
static uint32_t cdi_higher_neighbour(const cd_hull_parts *p, uint32_t vertex, const cdi_v3 t[3]) {
    uint32_t first = p->outgoing[vertex], h = first;
    do {
        uint32_t to = p->half_edges[p->half_edges[h].twin].origin;
        if (cdi_rise(t, cdi_v3_of(p->vertices[vertex]), cdi_v3_of(p->vertices[to])) > 0.0) return to;
        h = p->half_edges[cd_hull_previous(p, h)].twin;
    } while (h != first);
    return vertex;
}

/* Is no vertex of a body that is exactly convex in front of the triangle? One without higher neighbours is the highest. */
static bool cdi_face_holds_top(const cdi_v3 t[3], cdi_v3 n, const cd_hull_parts *inner, uint32_t *top) {
    uint32_t before = CD_NONE;
    *top = cdi_hull_climb(inner, *top, n);
    while (*top != before) {
        before = *top;
        *top = cdi_higher_neighbour(inner, before, t);
    }
    return cdi_orient3d(t[0], t[1], t[2], cdi_v3_of(inner->vertices[*top])) >= 0.0;
}

static bool cdi_face_holds(const cdi_v3 t[3], const cd_hull_parts *inner) {
    for (uint32_t i = 0; i < inner->vertex_count; ++i) {
        if (cdi_orient3d(t[0], t[1], t[2], cdi_v3_of(inner->vertices[i])) < 0.0) return false;
    }
    return true;
}

static bool cdi_hull_holds(const cd_hull *outer, const cd_hull *inner) {
    cd_hull_parts p = cd_hull_get_parts(outer), q = cd_hull_get_parts(inner);
    bool convex = ((const cdi_hull_header *)inner->block)->flatness <= 0.0;
    uint32_t top = 0;
    if (p.dimension != 3) return false;
    for (uint32_t f = 0; f < p.face_count; ++f) {
        cdi_v3 t[3];
        for (uint32_t k = 0; k < 3; ++k) t[k] = cdi_loop_corner(&p, f, k);
        if (!(convex ? cdi_face_holds_top(t, cdi_v3_of(p.faces[f].plane.n), &q, &top)
                     : cdi_face_holds(t, &q)))
            return false;
    }
    return true;
}

/* ---- faces that are flat but for rounding ---- */

/* The half-edge g of the dual, in triangle t and to point i, is that of face i that starts at the corner of t. */
static uint32_t cdi_around_next(const cdi_corners *c, uint32_t g) {
    return cdi_qh_before(cdi_qh_twin(&c->q, g));
}

static bool cdi_around_is_edge(cdi_corners *c, uint32_t g) {
    return cdi_corner_root(c, g >> 2) != cdi_corner_root(c, cdi_qh_twin(&c->q, g) >> 2);
}

/* Numbers the edges of all faces; false when a face has fewer than three. */
static bool cdi_around_number(cdi_corners *c, uint32_t *faces, uint32_t *half_edges) {
    uint32_t t, k, count = 0;
    *faces = 0;
    for (uint32_t i = 0; i < 4 * c->room; ++i) c->place[i] = CD_NONE;
    for (uint32_t i = 0; i < c->cloud.room; ++i) c->q.start[i] = CD_NONE;
    for (t = 0; t < c->room; ++t) {
        if (c->q.face[t].vertex[0] == CD_NONE) continue;
        for (k = 0; k < 3; ++k) c->q.start[c->q.face[t].vertex[(k + 1) % 3]] = 4 * t + k;
    }
    for (uint32_t i = 0; i < c->cloud.count; ++i) {
        uint32_t g = c->q.start[i], first = count;
        if (g == CD_NONE) continue;
        do {
            if (cdi_around_is_edge(c, g)) c->place[g] = count++;
            g = cdi_around_next(c, g);
        } while (g != c->q.start[i]);
        if (count - first < 3) return false;
        ++*faces;
    }
    *half_edges = count;
    return true;
}

/* The corners in the order of the hull of the rounded points; false when not all of them are its vertices. */
static bool cdi_around_rank(cdi_corners *c, const cd_hull *flat) {
    cd_hull_parts p = cd_hull_get_parts(flat);
    if (p.vertex_count != c->point_count) return false;
    for (uint32_t v = 0; v < p.vertex_count; ++v) c->rank[c->triangle[p.sources[v]]] = v;
    return true;
}

static void cdi_around_write_faces(const cdi_around *a, cdi_corners *c, const cdi_hull_arrays *to) {
    uint32_t face = 0;
    for (uint32_t i = 0; i < c->cloud.count; ++i) {
        uint32_t g = c->q.start[i], count = 0;
        if (g == CD_NONE) continue;
        do {
            uint32_t at = c->place[g];
            if (at != CD_NONE) {
                if (count++ == 0) to->faces[face].first = at;
                to->half_edges[at].origin = c->rank[cdi_corner_root(c, g >> 2)];
                to->half_edges[at].face = face;
                to->half_edges[at].twin = c->place[cdi_qh_twin(&c->q, g)];
                to->outgoing[to->half_edges[at].origin] = at;
            }
            g = cdi_around_next(c, g);
        } while (g != c->q.start[i]);
        to->faces[face].count = count;
        to->faces[face].plane.d = -CD_REAL_MAX; /* cdi_hull_finish finds the vertices' */
        to->faces[face++].plane.n = cdi_v3_round(a->n[a->chosen[c->cloud.point[i].source]]);
    }
}

/* How far corners are behind the planes of their faces, at most, rounded up. */
static double cdi_flatness_of(const cd_hull *hull) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    double most = 0.0, size = 0.0;
    for (uint32_t f = 0; f < p.face_count; ++f) {
        for (uint32_t i = 0; i < p.faces[f].count; ++i) {
            cdi_v3 v = cdi_loop_corner(&p, f, i), n = cdi_v3_of(p.faces[f].plane.n);
            most = cdi_max(most, (double)p.faces[f].plane.d - cdi_v3_dot(n, v));
            size = cdi_max(size, cdi_v3_max_abs(v));
        }
    }
    return (most + 4e-15 * size) * (1.0 + 4.0 * (double)CD_REAL_EPSILON);
}

/* A hull with one polygon for each half-space; `flat` is the exact hull of its corners. CD_NOT_CONVERGED: some
 * corners are too near each other to be told apart after rounding. */
static cd_status cdi_around_write(cd_hull *out, const cdi_around *a, cdi_corners *c, const cd_hull *flat) {
    uint32_t faces, half_edges;
    cdi_hull_header *header;
    cdi_hull_arrays to;
    if (!cdi_around_rank(c, flat) || !cdi_around_number(c, &faces, &half_edges)) return CD_NOT_CONVERGED;
    if (c->point_count + faces != half_edges / 2 + 2) return CD_NOT_CONVERGED;
    header = cdi_hull_take_block(a->allocator, 3, c->point_count, half_edges, faces);
    if (!header) return CD_OUT_OF_MEMORY;
    to = cdi_hull_open(header);
    cdi_copy(to.vertices, cd_hull_get_parts(flat).vertices, c->point_count * sizeof(cd_vec3));
    for (uint32_t v = 0; v < c->point_count; ++v) to.sources[v] = CD_NONE;
    cdi_around_write_faces(a, c, &to);
    cdi_hull_finish(out, header, a->allocator);
    header->flatness = cdi_flatness_of(out);
    return cd_hull_validate(out) == CD_OK ? CD_OK : CD_NOT_CONVERGED;
}

/* ---- the interior of the chosen ---- */

static void cdi_forget_sources(const cd_hull *hull) {
    cdi_hull_header *header = (cdi_hull_header *)(void *)hull->block;
    cdi_hull_arrays to = cdi_hull_open(header);
    for (uint32_t v = 0; v < header->vertex_count; ++v) to.sources[v] = CD_NONE;
}

/* The exact hull of the corners where its faces are few enough, otherwise one with a polygon for each half-space. */
static cd_status cdi_around_finish(cd_hull *out, cdi_around *a, cdi_corners *c, cd_hull *flat) {
    cd_hull_parts p = cd_hull_get_parts(flat);
    if (p.vertex_count > a->max_vertices) return CD_UNSUPPORTED;
    if (p.face_count > a->max_faces) return cdi_around_write(out, a, c, flat);
    cdi_forget_sources(flat);
    *out = *flat;
    cdi_clear(flat, sizeof *flat);
    return CD_OK;
}

/* CD_NOT_CONVERGED: with this margin the hull is not inside, or corners are too near each other. CD_UNSUPPORTED: no body
 * within the budget. */
static cd_status cdi_around_try(cd_hull *out, cdi_around *a, uint32_t count, double margin) {
    cdi_corners c;
    cd_hull flat;
    cd_hull_options o;
    cd_status status;
    cdi_clear(&c, sizeof c);
    cdi_clear(&flat, sizeof flat);
    cdi_clear(&o, sizeof o);
    o.allocator = *a->allocator;
    status = cdi_corners_find(a, &c, count, margin);
    if (status == CD_OK) status = cd_hull3_build(&flat, c.point, c.point_count, &o);
    if (status == CD_OK && !cdi_hull_holds(&flat, a->hull)) status = CD_NOT_CONVERGED;
    if (status == CD_OK) status = cdi_around_finish(out, a, &c, &flat);
    cd_hull_destroy(&flat);
    cdi_corners_free(a, &c);
    if (status != CD_OK) cd_hull_destroy(out);
    return status;
}

/* The interior of the first `count` of the chosen, the planes pushed out as far as rounding asks for: a body pushed out by
 * m holds a ball of radius m about each point of the first one, so that corners may move by m. The margin grows until that is
 * more than what rounding does, and the hull is inside. The better one of this and `best` is kept. */
static cd_status cdi_around_consider(cdi_around *a, uint32_t count) {
    cd_status status = CD_NOT_CONVERGED;
    cd_hull hull;
    double margin = 0.0;
    cdi_clear(&hull, sizeof hull);
    while (status == CD_NOT_CONVERGED && margin < 1.0) {
        status = cdi_around_try(&hull, a, count, margin);
        margin = margin > 0.0 ? 8.0 * margin : 16.0 * a->step;
    }
    if (status != CD_OK) return status == CD_OUT_OF_MEMORY ? status : CD_OK;
    ((cdi_hull_header *)(void *)hull.block)->deviation = cdi_gap_largest(a->hull, &hull);
    if (!a->best.block || cd_hull_get_parts(&hull).deviation < cd_hull_get_parts(&a->best).deviation) {
        cd_hull_destroy(&a->best);
        a->best = hull;
        a->kept_count = count;
        for (uint32_t i = 0; i < count; ++i) a->kept[i] = a->n[a->chosen[i]];
    } else {
        cd_hull_destroy(&hull);
    }
    return CD_OK;
}

/* ---- which half-spaces ---- */

static cd_status cdi_around_select(cdi_around *a, uint32_t wanted) {
    cdi_cloud_input input;
    cdi_selection how;
    uint32_t count = 0;
    cd_status status;
    cdi_clear(&input, sizeof input);
    cdi_clear(&how, sizeof how);
    input.high = a->dual;
    input.count = a->count;
    how.kind = CDI_SELECT_DUAL;
    how.weight = a->e;
    how.wanted = wanted;
    how.spare = wanted / 2 + 8;
    how.exchanges = wanted + 8;
    status = cdi_select(&input, &how, a->allocator, a->chosen, &count);
    if (status != CD_OK) return status == CD_UNSUPPORTED ? CD_OK : status;
    return count >= 4 ? cdi_around_consider(a, count) : CD_OK;
}

/* The half-spaces along these directions, in the hull's axes or those of its round frame. */
static cd_status cdi_around_along(cdi_around *a, const cdi_v3 *directions, uint32_t count, bool round) {
    uint32_t first = a->count;
    cd_status status = CD_OK;
    for (uint32_t i = 0; i < count; ++i)
        cdi_around_touch(a, round ? cdi_round_direction(&a->frame, directions[i]) : directions[i]);
    for (uint32_t i = 0; i < count; ++i) a->chosen[i] = first + i;
    if (a->count == first + count) status = cdi_around_consider(a, count);
    a->count = first;
    return status;
}

/* The principal axes of a body whose covariance is L L^T. */
static void cdi_principal_axes(const cdi_round_frame *f, cdi_v3 axis[3]) {
    const double *l = f->l;
    cd_mat3 m;
    cd_eigen e;
    double xx = l[0] * l[0], xy = l[1] * l[0], yy = l[1] * l[1] + l[2] * l[2], xz = l[3] * l[0];
    double yz = l[3] * l[1] + l[4] * l[2], zz = l[3] * l[3] + l[4] * l[4] + l[5] * l[5];
    m.col[0] = cdi_v3_round(cdi_v3_make(xx, xy, xz));
    m.col[1] = cdi_v3_round(cdi_v3_make(xy, yy, yz));
    m.col[2] = cdi_v3_round(cdi_v3_make(xz, yz, zz));
    for (int k = 0; k < 3; ++k) axis[k] = cdi_v3_make(k == 0, k == 1, k == 2);
    if (!cd_eigen_jacobi(&m, &e)) return;
    for (int k = 0; k < 3; ++k) axis[k] = cdi_v3_of(e.vector.col[k]);
}

/* Boxes along the axes and along the principal ones. */
static cd_status cdi_around_boxes(cdi_around *a) {
    cdi_v3 box[6], axis[3];
    cd_status status;
    for (int k = 0; k < 6; ++k)
        box[k] = cdi_v3_make(k == 0   ? 1
                             : k == 3 ? -1
                                      : 0,
                             k == 1   ? 1
                             : k == 4 ? -1
                                      : 0,
                             k == 2   ? 1
                             : k == 5 ? -1
                                      : 0);
    status = cdi_around_along(a, box, 6, false);
    cdi_principal_axes(&a->frame, axis);
    for (int k = 0; k < 6; ++k) box[k] = k < 3 ? axis[k] : cdi_v3_neg(axis[k - 3]);
    return status == CD_OK ? cdi_around_along(a, box, 6, false) : status;
}

/* The tetrahedra whose faces look along every other diagonal of a cube, the directions scaled to the body. */
static cd_status cdi_around_tetrahedra(cdi_around *a) {
    cd_status status = CD_OK;
    for (int i = 0; i < 4 && status == CD_OK; ++i) {
        double s = i % 2 ? 1.0 : -1.0;
        cdi_v3 d[4] = {{s, s, s}, {s, -s, -s}, {-s, s, -s}, {-s, -s, s}};
        status = cdi_around_along(a, d, 4, i / 2 == 0);
    }
    return status;
}

/* Prisms with three sides along an axis of the round frame. */
static cd_status cdi_around_prisms(cdi_around *a) {
    cd_status status = CD_OK;
    for (int i = 0; i < 6 && status == CD_OK; ++i) {
        cdi_v3 d[5];
        double side[3][2] = {{1.0, 0.0}, {-0.5, 0.8660254037844386}, {-0.5, -0.8660254037844386}};
        for (int k = 0; k < 5; ++k) {
            double u[3], s = i < 3 ? 1.0 : -1.0;
            u[i % 3] = k == 3 ? 1.0 : k == 4 ? -1.0 : 0.0;
            u[(i + 1) % 3] = k < 3 ? s * side[k][0] : 0.0;
            u[(i + 2) % 3] = k < 3 ? side[k][1] : 0.0;
            d[k] = cdi_v3_make(u[0], u[1], u[2]);
        }
        status = cdi_around_along(a, d, 5, true);
    }
    return status;
}

static cd_status cdi_around_all(cdi_around *a) {
    uint32_t wanted = (uint32_t)cdi_min((double)a->max_faces, (double)a->max_vertices / 2.0 + 2.0);
    cd_status status = CD_OK;
    for (uint32_t n = wanted; status == CD_OK && !a->best.block && n >= 4; n -= n / 4)
        status = cdi_around_select(a, n);
    if (status == CD_OK && wanted >= 6 && (wanted <= 12 || !a->best.block)) status = cdi_around_boxes(a);
    if (status == CD_OK && wanted >= 5 && (wanted == 5 || !a->best.block)) status = cdi_around_prisms(a);
    if (status == CD_OK && (wanted == 4 || !a->best.block)) status = cdi_around_tetrahedra(a);
    return status;
}

/* ---- half-spaces turn to where the body reaches too far ---- */

/* Only these half-spaces are left; false when some do not touch a body that is thick enough. */
static bool cdi_around_take_only(cdi_around *a, const cdi_v3 *normals, uint32_t count) {
    a->count = 0;
    for (uint32_t i = 0; i < count; ++i) cdi_around_touch(a, normals[i]);
    for (uint32_t i = 0; i < a->count; ++i) a->chosen[i] = i;
    return a->count == count;
}

/* How far the body reaches beyond the hull at most, and for each half-space the sum of its pulls to the corners on it, much
 * stronger to the farthest. Below 0: there is no body. */
static cd_status cdi_around_pulls(cdi_around *a, cdi_hull_gap *g, cdi_v3 *pull, double *most) {
    cdi_corners c;
    cd_status status;
    cdi_clear(&c, sizeof c);
    status = cdi_corners_find(a, &c, a->count, 0.0);
    *most = -1.0;
    for (uint32_t t = 0; t < c.room && status == CD_OK; ++t) {
        cdi_v3 away;
        double reach;
        if (c.q.face[t].vertex[0] == CD_NONE) continue;
        reach = cdi_gap_reach(g, c.at[t], &away);
        *most = cdi_max(*most, reach);
        c.q.face[t].height = reach; /* no more needed */
        c.at[t] = away;
    }
    for (uint32_t t = 0; t<c.room && * most> 0.0; ++t) {
        double weight = c.q.face[t].height / *most;
        weight *= weight;
        weight *= weight;
        if (c.q.face[t].vertex[0] == CD_NONE) continue;
        for (int k = 0; k < 3; ++k) {
            uint32_t i = c.cloud.point[c.q.face[t].vertex[k]].source;
            pull[i] = cdi_v3_along(pull[i], cdi_v3_sub(c.at[t], a->n[i]), weight);
        }
    }
    cdi_corners_free(a, &c);
    return status == CD_UNSUPPORTED ? CD_OK : status;
}

/* As vertices are relaxed inside: steps that become smaller, fewer for large hulls; the best body is considered. */
static cd_status cdi_around_relax(cdi_around *a) {
    uint32_t count = a->kept_count;
    double work =
        (double)count * cdi_sqrt((double)a->parts.vertex_count); /* of a step: a climb for each corner */
    uint32_t steps = (uint32_t)cdi_clamp(250000.0 / work, 1.0, 48.0);
    cdi_v3 *best = a->kept + a->room, *pull = best + a->room;
    cdi_hull_gap g = cdi_gap_begin(a->hull, a->hull);
    double least = CDI_HUGE, most;
    g.tolerance = 1e-2;
    g.steps = 8;
    if (!cdi_around_take_only(a, a->kept, count)) return CD_OK;
    for (uint32_t i = 0; i < steps; ++i) {
        double strength = 0.02 + 0.4 * (1.0 - (double)i / (double)steps);
        cd_status status;
        cdi_clear(pull, count * sizeof *pull);
        status = cdi_around_pulls(a, &g, pull, &most);
        if (status != CD_OK) return status;
        if (most < 0.0) break;
        if (most < least) {
            least = most;
            cdi_copy(best, a->n, count * sizeof *best);
        }
        for (uint32_t k = 0; k < count; ++k) pull[k] = cdi_v3_along(a->n[k], pull[k], strength);
        if (!cdi_around_take_only(a, pull, count)) break;
    }
    if (least >= CDI_HUGE || !cdi_around_take_only(a, best, count)) return CD_OK;
    return cdi_around_consider(a, count);
}

/* The exact hull of a few points around the hull. */
static cd_status cdi_around_plain(cdi_around *a, const cd_vec3 *points, uint32_t count) {
    cd_hull_options o;
    cd_status status;
    cdi_clear(&o, sizeof o);
    o.allocator = *a->allocator;
    status = cd_hull3_build(&a->best, points, count, &o);
    if (status != CD_OK) return status == CD_OUT_OF_MEMORY ? status : CD_NOT_CONVERGED;
    if (!cdi_hull_holds(&a->best, a->hull)) return CD_NOT_CONVERGED;
    cdi_forget_sources(&a->best);
    ((cdi_hull_header *)(void *)a->best.block)->deviation = cdi_gap_largest(a->hull, &a->best);
    return CD_OK;
}

/* For hulls so thin that nothing else is to be had: the bounding box, or a corner of it cut off by a plane behind it. */
static cd_status cdi_around_bounds(cdi_around *a) {
    cd_aabb box = cd_hull_bounds(a->hull);
    cd_vec3 corner[8];
    bool whole = a->max_faces >= 6 && a->max_vertices >= 8;
    for (int i = 0; i < 8; ++i)
        corner[i] = cd_vec3_make(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y,
                                 i & 4 ? box.max.z : box.min.z);
    if (whole) return cdi_around_plain(a, corner, 8);
    for (int i = 1; i < 4; ++i) corner[i] = box.min;
    corner[1].x += 4 * (box.max.x - box.min.x);
    corner[2].y += 4 * (box.max.y - box.min.y);
    corner[3].z += 4 * (box.max.z - box.min.z);
    return cdi_around_plain(a, corner, 4);
}

/* ---- the whole ---- */

static void cdi_around_measure(cdi_around *a) {
    cd_aabb box = cd_hull_bounds(a->hull);
    double most = cdi_max(cdi_v3_max_abs(cdi_v3_of(box.min)), cdi_v3_max_abs(cdi_v3_of(box.max)));
    a->parts = cd_hull_get_parts(a->hull);
    a->center = cdi_around_mean(&a->parts);
    a->scale = cdi_unit_scale(a->hull);
    a->step = most * a->scale * (double)CD_REAL_EPSILON + 4e-16;
    a->frame = cdi_round_frame_of(a->hull);
}

static bool cdi_around_take(cdi_around *a, uint32_t room) {
    a->room = room;
    a->n = (cdi_v3 *)cdi_alloc(a->allocator, room, sizeof *a->n);
    a->dual = (cdi_v3 *)cdi_alloc(a->allocator, room, sizeof *a->dual);
    a->e = (double *)cdi_alloc(a->allocator, room, sizeof *a->e);
    a->chosen = (uint32_t *)cdi_alloc(a->allocator, room, sizeof *a->chosen);
    a->kept = (cdi_v3 *)cdi_alloc(a->allocator, 3 * (size_t)room, sizeof *a->kept);
    return a->kept && a->n && a->dual && a->e && a->chosen;
}

static void cdi_around_give(cdi_around *a) {
    cdi_free(a->allocator, a->n, a->room, sizeof *a->n);
    cdi_free(a->allocator, a->dual, a->room, sizeof *a->dual);
    cdi_free(a->allocator, a->e, a->room, sizeof *a->e);
    cdi_free(a->allocator, a->chosen, a->room, sizeof *a->chosen);
    cdi_free(a->allocator, a->kept, 3 * (size_t)a->room, sizeof *a->kept);
}

CDI_FN cd_status cdi_hull_around(cd_hull *out, const cd_hull *hull, uint32_t max_vertices, uint32_t max_faces,
                                 const cd_allocator *allocator) {
    cdi_around a;
    uint32_t n = 8;
    cd_status status = CD_OUT_OF_MEMORY;
    cdi_clear(&a, sizeof a);
    a.hull = hull;
    a.allocator = allocator;
    a.max_vertices = max_vertices;
    a.max_faces = max_faces;
    cdi_around_measure(&a);
    while (6 * n * n < 24u * cdi_min((double)max_faces, max_vertices / 2.0 + 2.0) && n < 1024) n *= 2;
    if (cdi_around_take(&a, (uint32_t)cdi_min(24.0 * n * n, a.parts.face_count) + 64)) {
        cdi_around_take_faces(&a, n);
        cdi_around_take_boxes(&a);
        status = cdi_around_all(&a);
        if (status == CD_OK && a.best.block) status = cdi_around_relax(&a);
        if (status == CD_OK && !a.best.block) status = cdi_around_bounds(&a);
    }
    cdi_around_give(&a);
    if (status == CD_OK) {
        *out = a.best;
    } else {
        cd_hull_destroy(&a.best);
    }
    return status;
}

/* ---- hull/selection.c ---------------------------------------------------------------------------------------- */

enum { CDI_LINK = 32 }; /* vertices with more neighbours than this are not taken away */

static const double CDI_UNBOUNDED = 1e100;

/* What happens when a vertex is taken away: its neighbours, around it, and the triangles that close the gap. */
typedef struct cdi_cap {
    uint32_t link[CDI_LINK],
        outside[CDI_LINK]; /* outside[i]: the half-edge on the far side from link i to i + 1 */
    uint32_t star[CDI_LINK];
    uint32_t ear[CDI_LINK]; /* where each triangle was cut off from what was left of the link */
    cdi_qh_face face[CDI_LINK];
    uint32_t degree, count;
} cdi_cap;

typedef struct cdi_pick {
    const cdi_selection *how;
    cdi_cloud cloud;
    cdi_qh_rule rule;
    cdi_qh q;
    cdi_heap faces, vertices; /* items that hold no more are left in, and passed over later */
    uint32_t *out;            /* of each point: a half-edge that starts there, or CD_NONE */
    double *cost;             /* of each vertex, to take it away; below 0: not asked yet, or impossible */
    uint32_t face_count, vertex_count; /* of the hull in hand */
    cdi_cap cap;
} cdi_pick;

/* ---- how far ---- */

static cdi_v3 cdi_pick_at(const cdi_qh *q, uint32_t point) {
    const cdi_cloud_point *p = &q->cloud->point[point];
    return cdi_v3_make(p->x, p->y, p->z);
}

static double cdi_near_scale(const cdi_qh *q, const cdi_qh_face *f) {
    (void)q;
    return 1.0 / cdi_max(cdi_v3_length(f->n), 1e-300);
}

static double cdi_near_worth(const cdi_qh *q, const cdi_qh_face *f, uint32_t point, double scaled_height) {
    cdi_v3 p = cdi_pick_at(q, point);
    cdi_v3 x = cdi_gap_triangle(p, cdi_pick_at(q, f->vertex[0]), cdi_pick_at(q, f->vertex[1]),
                                cdi_pick_at(q, f->vertex[2]));
    return cdi_max(scaled_height, cdi_sqrt(cdi_v3_sqlength(cdi_v3_sub(p, x))));
}

/* The plane of a face is w . y = 1 for a corner w of the body; where the origin is in front of it there is no such corner. */
static double cdi_dual_scale(const cdi_qh *q, const cdi_qh_face *f) {
    double e = f->d + cdi_v3_dot(f->n, q->cloud->middle), least = 1e-9 * cdi_v3_length(f->n);
    return e > least ? 1.0 / e : CDI_UNBOUNDED / cdi_max(cdi_v3_length(f->n), 1e-300);
}

static double cdi_dual_worth(const cdi_qh *q, const cdi_qh_face *f, uint32_t point, double scaled_height) {
    const double *weight = (const double *)q->rule->user;
    (void)f;
    return scaled_height * weight[q->cloud->point[point].source];
}

/* ---- the heap ---- */

static bool cdi_item_before(cdi_heap_item a, cdi_heap_item b) {
    return a.key > b.key || (a.key == b.key && a.id < b.id);
}

static void cdi_heap_sink(cdi_heap *h, uint32_t root) {
    cdi_heap_item item = h->item[root];
    for (uint32_t child; (child = 2 * root + 1) < h->count; root = child) {
        if (child + 1 < h->count && cdi_item_before(h->item[child + 1], h->item[child])) ++child;
        if (!cdi_item_before(h->item[child], item)) break;
        h->item[root] = h->item[child];
    }
    h->item[root] = item;
}

CDI_FN void cdi_heap_pop(cdi_heap *h) {
    h->item[0] = h->item[--h->count];
    if (h->count > 0) cdi_heap_sink(h, 0);
}

CDI_FN void cdi_heap_push(cdi_heap *h, double key, uint32_t id) {
    uint32_t at = h->count;
    cdi_heap_item item;
    if (at == h->room) return;
    ++h->count;
    item.key = key;
    item.id = id;
    item.unused = 0;
    for (uint32_t up; at > 0 && cdi_item_before(item, h->item[up = (at - 1) / 2]); at = up)
        h->item[at] = h->item[up];
    h->item[at] = item;
}

/* ---- the farthest point ---- */

static bool cdi_pick_face_waits(const cdi_pick *s, uint32_t f) {
    return s->q.face[f].vertex[0] != CD_NONE && s->q.face[f].points != CD_NONE;
}

static void cdi_pick_await_all(cdi_pick *s) {
    s->faces.count = 0;
    for (uint32_t f = 0; f < s->q.face_count; ++f) {
        if (cdi_pick_face_waits(s, f)) cdi_heap_push(&s->faces, s->q.face[f].height, f);
    }
}

static void cdi_pick_await(cdi_pick *s, uint32_t f) {
    if (!cdi_pick_face_waits(s, f)) return;
    if (s->faces.count == s->faces.room) {
        cdi_pick_await_all(s); /* which has f */
    } else {
        cdi_heap_push(&s->faces, s->q.face[f].height, f);
    }
}

/* The face with the farthest point, or CD_NONE. */
static uint32_t cdi_pick_farthest(cdi_pick *s) {
    while (s->faces.count > 0) {
        cdi_heap_item top = s->faces.item[0];
        if (cdi_pick_face_waits(s, top.id) && s->q.face[top.id].height == top.key) return top.id;
        cdi_heap_pop(&s->faces);
    }
    return CD_NONE;
}

/* Points in convex position stay vertices; others may vanish below a new one, and their half-edge is then no more theirs. */
static bool cdi_pick_is_vertex(const cdi_pick *s, uint32_t point) {
    uint32_t h = s->out[point];
    return h != CD_NONE && s->q.face[h >> 2].vertex[0] != CD_NONE && cdi_qh_origin(&s->q, h) == point;
}

static void cdi_pick_count(cdi_pick *s, uint32_t faces) {
    s->face_count = faces;
    s->vertex_count = faces / 2 + 2;
}

static void cdi_pick_touch(cdi_pick *s, uint32_t f) {
    for (uint32_t k = 0; k < 3; ++k) s->out[s->q.face[f].vertex[k]] = 4 * f + k;
}

static bool cdi_pick_insert(cdi_pick *s, uint32_t face) {
    if (!cdi_qh_insert(&s->q, s->q.face[face].eye, face)) return false;
    for (uint32_t i = 0; i < s->q.horizon_count; ++i) cdi_pick_touch(s, s->q.horizon[i]);
    for (uint32_t i = 0; i < s->q.horizon_count; ++i) cdi_pick_await(s, s->q.horizon[i]);
    cdi_pick_count(s, s->face_count + s->q.horizon_count - s->q.visible_count);
    return true;
}

/* ---- what a vertex is worth ---- */

/* The faces around a vertex; false when there are too many. */
static bool cdi_cap_open(cdi_pick *s, uint32_t vertex) {
    cdi_cap *c = &s->cap;
    uint32_t first = s->out[vertex], h = first;
    c->degree = c->count = 0;
    do {
        if (c->degree == CDI_LINK) return false;
        c->star[c->degree] = h >> 2;
        c->link[c->degree] = cdi_qh_origin(&s->q, cdi_qh_after(h));
        c->outside[c->degree++] = cdi_qh_twin(&s->q, cdi_qh_after(h));
        h = cdi_qh_twin(&s->q, cdi_qh_before(h));
    } while (h != first);
    return true;
}

/* Is nothing of the link in front of the face? `flat`: is all of it in its plane? */
static bool cdi_cap_is_below(const cdi_pick *s, const cdi_qh_face *f, bool *flat) {
    *flat = true;
    for (uint32_t i = 0; i < s->cap.degree; ++i) {
        uint32_t v = s->cap.link[i];
        double height;
        if (v == f->vertex[0] || v == f->vertex[1] || v == f->vertex[2]) continue;
        height = cdi_qh_height(&s->q, f, v);
        if (height > 0.0) return false;
        *flat = *flat && height == 0.0;
    }
    return true;
}

/* Is the triangle one of the hull of the others? Where all of the link is in its plane, the vertex tells which way is out:
 * not when it is in the plane, too, or when the triangle has no area. And something has to be left below. */
static bool cdi_cap_is_outside(const cdi_pick *s, const cdi_qh_face *f, uint32_t vertex) {
    bool flat;
    if (!cdi_cap_is_below(s, f, &flat)) return false;
    return !flat || (s->cap.degree + 1 < s->vertex_count && cdi_qh_height(&s->q, f, vertex) > 0.0);
}

/* Cuts one ear off what is left of the link: a triangle of the hull of the others. */
static bool cdi_cap_cut_ear(cdi_pick *s, uint32_t vertex, uint32_t *left, uint32_t count) {
    cdi_cap *c = &s->cap;
    cdi_qh_face *f = &c->face[c->count];
    for (uint32_t i = 0; i < count; ++i) {
        cdi_qh_set_face(&s->q, f, left[(i + count - 1) % count], left[i], left[(i + 1) % count]);
        if (!cdi_cap_is_outside(s, f, vertex)) continue;
        c->ear[c->count++] = i;
        for (uint32_t k = i + 1; k < count; ++k) left[k - 1] = left[k];
        return true;
    }
    return false;
}

/* The hull without the vertex, near it; false when there are too many neighbours, or nothing with a volume remains. */
static bool cdi_cap_close(cdi_pick *s, uint32_t vertex) {
    uint32_t left[CDI_LINK];
    if (s->vertex_count <= 4 || !cdi_cap_open(s, vertex)) return false;
    cdi_copy(left, s->cap.link, sizeof left);
    for (uint32_t count = s->cap.degree; count >= 3; --count) {
        if (!cdi_cap_cut_ear(s, vertex, left, count)) return false;
    }
    return true;
}

/* How far a point is from the gap's triangles; 0 when it is in front of none. */
static double cdi_cap_worth(const cdi_pick *s, uint32_t point) {
    const cdi_qh_face *best = NULL;
    double most = 0.0;
    for (uint32_t i = 0; i < s->cap.count; ++i) {
        const cdi_qh_face *f = &s->cap.face[i];
        double height = cdi_qh_height(&s->q, f, point) * f->scale;
        if (height <= most) continue;
        most = height;
        best = f;
    }
    return best ? s->rule.worth(&s->q, best, point, most) : 0.0;
}

static double cdi_cap_cost(cdi_pick *s, uint32_t vertex) {
    double most = cdi_cap_worth(s, vertex);
    for (uint32_t i = 0; i < s->cap.degree; ++i) {
        for (uint32_t p = s->q.face[s->cap.star[i]].points; p != CD_NONE; p = s->cloud.point[p].next)
            most = cdi_max(most, cdi_cap_worth(s, p));
    }
    return most;
}

static bool cdi_cap_is_bounded(const cdi_pick *s) {
    for (uint32_t i = 0; i < s->cap.count; ++i) {
        const cdi_qh_face *f = &s->cap.face[i];
        if (f->d + cdi_v3_dot(f->n, s->cloud.middle) <= 1e-9 * cdi_v3_length(f->n)) return false;
    }
    return true;
}

static void cdi_pick_price(cdi_pick *s, uint32_t vertex) {
    s->cost[vertex] = -1.0;
    if (!cdi_cap_close(s, vertex) || (s->how->kind == CDI_SELECT_DUAL && !cdi_cap_is_bounded(s))) return;
    s->cost[vertex] = cdi_cap_cost(s, vertex);
    if (s->vertices.count < s->vertices.room) {
        cdi_heap_push(&s->vertices, -s->cost[vertex], vertex);
    } else {
        s->vertices.count = 0;
        for (uint32_t v = 0; v < s->cloud.count; ++v) {
            if (cdi_pick_is_vertex(s, v) && s->cost[v] >= 0.0) cdi_heap_push(&s->vertices, -s->cost[v], v);
        }
    }
}

static void cdi_pick_price_all(cdi_pick *s) {
    s->vertices.count = 0;
    for (uint32_t v = 0; v < s->cloud.count; ++v) s->cost[v] = -1.0;
    for (uint32_t v = 0; v < s->cloud.count; ++v) {
        if (cdi_pick_is_vertex(s, v)) cdi_pick_price(s, v);
    }
}

/* The vertex that is cheapest to take away, or CD_NONE. */
static uint32_t cdi_pick_cheapest(cdi_pick *s) {
    while (s->vertices.count > 0) {
        cdi_heap_item top = s->vertices.item[0];
        if (cdi_pick_is_vertex(s, top.id) && s->cost[top.id] == -top.key) return top.id;
        cdi_heap_pop(&s->vertices);
    }
    return CD_NONE;
}

/* ---- taking a vertex away ---- */

/* The new faces take the place of the star: room is there, they are two fewer. Their numbers go to `s->q.horizon`. */
static void cdi_cap_join(cdi_pick *s) {
    cdi_cap *c = &s->cap;
    uint32_t beyond[CDI_LINK], count = c->degree;
    cdi_copy(beyond, c->outside, sizeof beyond);
    for (uint32_t e = 0; e < c->count; ++e, --count) {
        uint32_t id = cdi_qh_take_face(&s->q), i = c->ear[e], before = (i + count - 1) % count;
        s->q.face[id] = c->face[e];
        s->q.horizon[e] = id;
        cdi_qh_join(&s->q, 4 * id, beyond[before]);
        cdi_qh_join(&s->q, 4 * id + 1, beyond[i]);
        if (count == 3) {
            cdi_qh_join(&s->q, 4 * id + 2, beyond[(i + 1) % count]);
            return;
        }
        beyond[before] = 4 * id + 2;
        for (uint32_t k = i + 1; k < count; ++k) beyond[k - 1] = beyond[k];
    }
}

/* A point goes to one of the new faces or to a neighbour of theirs; where it sees none of them, which is rare, it is
 * forgotten. */
static void cdi_cap_hand_over(cdi_pick *s, uint32_t list, const uint32_t *faces, uint32_t count) {
    for (uint32_t p = list, next; p != CD_NONE; p = next) {
        next = s->cloud.point[p].next;
        cdi_qh_assign(&s->q, p, faces, count);
    }
}

/* Takes away a vertex whose gap is closed by the cap. */
static void cdi_pick_remove(cdi_pick *s, uint32_t vertex) {
    cdi_cap *c = &s->cap;
    uint32_t lists[CDI_LINK], faces[2 * CDI_LINK], count = 0;
    for (uint32_t i = 0; i < c->degree; ++i) {
        lists[i] = s->q.face[c->star[i]].points;
        s->q.face[c->star[i]].points = CD_NONE;
        cdi_qh_give_face(&s->q, c->star[i]);
    }
    cdi_cap_join(s);
    cdi_pick_count(s, s->face_count - 2);
    s->out[vertex] = CD_NONE;
    for (uint32_t i = 0; i < c->count; ++i) {
        cdi_pick_touch(s, s->q.horizon[i]);
        faces[count++] = s->q.horizon[i];
    }
    for (uint32_t i = 0; i < c->degree; ++i) faces[count++] = c->outside[i] >> 2;
    s->cloud.point[vertex].next = CD_NONE;
    cdi_cap_hand_over(s, vertex, faces, count);
    for (uint32_t i = 0; i < c->degree; ++i) cdi_cap_hand_over(s, lists[i], faces, count);
    for (uint32_t i = 0; i < count; ++i) cdi_pick_await(s, faces[i]);
}

/* After an insertion: the prices of the vertex and its neighbours. */
static void cdi_pick_price_around(cdi_pick *s, uint32_t vertex) {
    uint32_t link[CDI_LINK], degree;
    if (!cdi_cap_open(s, vertex)) return;
    degree = s->cap.degree;
    cdi_copy(link, s->cap.link, sizeof link);
    for (uint32_t i = 0; i < degree; ++i) cdi_pick_price(s, link[i]);
    cdi_pick_price(s, vertex);
}

/* False, with nothing changed, where the vertex cannot be taken away. */
static bool cdi_pick_drop(cdi_pick *s, uint32_t vertex) {
    uint32_t link[CDI_LINK], degree;
    s->cost[vertex] = -1.0;
    if (!cdi_cap_close(s, vertex)) return false;
    degree = s->cap.degree;
    cdi_copy(link, s->cap.link, sizeof link);
    cdi_pick_remove(s, vertex);
    for (uint32_t i = 0; i < degree; ++i) cdi_pick_price(s, link[i]);
    return true;
}

/* ---- the plan ---- */

/* Dual: the planes chosen so far leave a way to infinity through the face. */
static bool cdi_pick_is_unbounded(const cdi_pick *s, uint32_t face) {
    return s->how->kind == CDI_SELECT_DUAL && s->q.face[face].height >= CDI_UNBOUNDED * 1e-20;
}

static cd_status cdi_pick_grow(cdi_pick *s, uint32_t count) {
    cdi_pick_await_all(s);
    for (uint32_t f = 0; f < s->q.face_count; ++f) cdi_pick_touch(s, f);
    for (;;) {
        uint32_t face = cdi_pick_farthest(s);
        if (face == CD_NONE) return CD_OK;
        if (s->vertex_count >= count && !cdi_pick_is_unbounded(s, face)) return CD_OK;
        if (!cdi_pick_insert(s, face)) return CD_OUT_OF_MEMORY;
    }
}

static void cdi_pick_shrink(cdi_pick *s, uint32_t count) {
    while (s->vertex_count > count) {
        uint32_t vertex = cdi_pick_cheapest(s);
        if (vertex == CD_NONE) return;
        (void)cdi_pick_drop(s, vertex);
    }
}

/* The farthest point comes in for the vertex that is then cheapest, while all errors made are smaller than that mended. */
static cd_status cdi_pick_exchange(cdi_pick *s, uint32_t count) {
    for (uint32_t i = 0; i < s->how->exchanges && s->vertex_count == count; ++i) {
        uint32_t face = cdi_pick_farthest(s), point, vertex;
        double error;
        if (face == CD_NONE) return CD_OK;
        error = s->q.face[face].height;
        point = s->q.face[face].eye;
        if (!cdi_pick_insert(s, face)) return CD_OUT_OF_MEMORY;
        cdi_pick_price_around(s, point);
        if (s->vertex_count <= count) continue;
        vertex = cdi_pick_cheapest(s);
        if (vertex == CD_NONE || s->cost[vertex] >= error) vertex = point;
        if (!cdi_pick_drop(s, vertex)) cdi_pick_shrink(s, count);
        if (vertex == point) return CD_OK;
    }
    return CD_OK;
}

static bool cdi_pick_take(cdi_pick *s, const cd_allocator *allocator) {
    uint32_t most = (uint32_t)cdi_min((double)s->cloud.count, (double)s->how->wanted + (double)s->how->spare);
    s->faces.room = s->vertices.room = (uint32_t)cdi_min(16.0 * most + 256.0, 4e9);
    s->faces.item = (cdi_heap_item *)cdi_alloc(allocator, s->faces.room, sizeof(cdi_heap_item));
    s->vertices.item = (cdi_heap_item *)cdi_alloc(allocator, s->vertices.room, sizeof(cdi_heap_item));
    s->out = (uint32_t *)cdi_alloc(allocator, s->cloud.room, sizeof *s->out);
    s->cost = (double *)cdi_alloc(allocator, s->cloud.room, sizeof *s->cost);
    if (!s->faces.item || !s->vertices.item || !s->out || !s->cost) return false;
    for (uint32_t i = 0; i < s->cloud.room; ++i) {
        s->out[i] = CD_NONE;
        s->cost[i] = -1.0;
    }
    return true;
}

static void cdi_pick_give(cdi_pick *s, const cd_allocator *allocator) {
    cdi_free(allocator, s->faces.item, s->faces.room, sizeof(cdi_heap_item));
    cdi_free(allocator, s->vertices.item, s->vertices.room, sizeof(cdi_heap_item));
    cdi_free(allocator, s->out, s->cloud.room, sizeof *s->out);
    cdi_free(allocator, s->cost, s->cloud.room, sizeof *s->cost);
}

static cd_status cdi_pick_run(cdi_pick *s, const cd_allocator *allocator) {
    uint32_t wanted = s->how->wanted;
    cd_status status = cdi_qh_begin(&s->q, &s->cloud, &s->rule, allocator, NULL);
    if (status != CD_OK) return status;
    if (s->q.dimension < 3) return CD_UNSUPPORTED;
    if (!cdi_pick_take(s, allocator)) return CD_OUT_OF_MEMORY;
    cdi_pick_count(s, 4);
    status = cdi_pick_grow(s, wanted + s->how->spare);
    if (status != CD_OK || (s->vertex_count <= wanted && s->how->exchanges == 0)) return status;
    cdi_pick_price_all(s);
    cdi_pick_shrink(s, wanted);
    return cdi_pick_exchange(s, wanted);
}

static void cdi_pick_write(const cdi_pick *s, uint32_t *chosen, uint32_t *count) {
    *count = 0;
    for (uint32_t i = 0; i < s->cloud.count && *count < s->how->wanted; ++i) {
        if (cdi_pick_is_vertex(s, i)) chosen[(*count)++] = s->cloud.point[i].source;
    }
    if (s->vertex_count > s->how->wanted) *count = 0;
}

CDI_FN cd_status cdi_select(const cdi_cloud_input *input, const cdi_selection *how,
                            const cd_allocator *allocator, uint32_t *chosen, uint32_t *count) {
    cdi_pick s;
    cd_status status;
    cdi_clear(&s, sizeof s);
    s.how = how;
    s.rule.scale = how->kind == CDI_SELECT_DUAL ? cdi_dual_scale : cdi_near_scale;
    s.rule.worth = how->kind == CDI_SELECT_DUAL ? cdi_dual_worth : cdi_near_worth;
    s.rule.user = how->weight;
    status = cdi_cloud_arrange(&s.cloud, input, NULL, input->count, allocator);
    if (status == CD_OK) {
        status = cdi_pick_run(&s, allocator);
        if (status == CD_OK) cdi_pick_write(&s, chosen, count);
        cdi_pick_give(&s, allocator);
        cdi_qh_free(&s.q);
    }
    cdi_cloud_free(&s.cloud, allocator);
    return status;
}

/* ---- query/closest.c ----------------------------------------------------------------------------------------- */

static cd_vec3 cdi_nan3(void) {
    cd_real nan = (cd_real)cdi_nan();
    return cd_vec3_make(nan, nan, nan);
}

/* ---- plane ---- */

/* n . p - d with the errors of the products; in a float build these are 0. */
static double cdi_compensated_height(cdi_v3 n, cdi_v3 p, double d) {
    double term[3], tail[3], sum, rest, lost;
    cdi_two_product(n.x, p.x, &term[0], &tail[0]);
    cdi_two_product(n.y, p.y, &term[1], &tail[1]);
    cdi_two_product(n.z, p.z, &term[2], &tail[2]);
    lost = tail[0] + tail[1] + tail[2];
    cdi_two_diff(term[0], d, &sum, &rest);
    lost += rest;
    for (int i = 1; i < 3; ++i) {
        cdi_two_sum(sum, term[i], &sum, &rest);
        lost += rest;
    }
    return sum + lost;
}

/* The plane's equation by a power of two, so that |n| is near 1. */
static cdi_v3 cdi_tame_plane(cd_plane plane, double *d) {
    cdi_v3 n = cdi_v3_of(plane.n);
    int shift = -cdi_exponent(cdi_v3_max_abs(n));
    *d = cdi_scale2((double)plane.d, shift);
    return cdi_v3_make(cdi_scale2(n.x, shift), cdi_scale2(n.y, shift), cdi_scale2(n.z, shift));
}

CDI_FN double cdi_plane_height(cd_plane plane, cdi_v3 p, cdi_v3 *normal) {
    double d, height;
    *normal = cdi_tame_plane(plane, &d);
    height = cdi_compensated_height(*normal, p, d);
    if (height == height) return height;
    p = cdi_v3_scale(p, 6.2230152778611417e-61); /* 2^-200: a product had left the range */
    height = cdi_compensated_height(*normal, p, d * 6.2230152778611417e-61) * 1.6069380442589903e60;
    return height == height ? height : CDI_HUGE;
}

CD_API cd_vec3 cd_closest_pt_point_plane(cd_vec3 p, cd_plane plane) {
    cdi_v3 n, q = cdi_v3_of(p);
    double height;
    if (!cdi_v3_finite(q) || !cd_plane_is_valid(&plane)) return cdi_nan3();
    height = cdi_plane_height(plane, q, &n);
    return cdi_v3_round(cdi_v3_along(q, n, -cdi_clamp(height, -CDI_HUGE, CDI_HUGE) / cdi_v3_sqlength(n)));
}

CD_API cd_real cd_dist_point_plane(cd_vec3 p, cd_plane plane) {
    cdi_v3 n, q = cdi_v3_of(p);
    double height;
    if (!cdi_v3_finite(q) || !cd_plane_is_valid(&plane)) return cdi_nan3().x;
    height = cdi_plane_height(plane, q, &n);
    return (cd_real)(height / cdi_v3_length(n));
}

/* ---- segment ---- */

CDI_FN cdi_v3 cdi_near_segment(cdi_v3 p, cdi_v3 a, cdi_v3 b, double *t) {
    cdi_v3 ab = cdi_v3_sub(b, a);
    double along = cdi_v3_dot(cdi_v3_sub(p, a), ab), length = cdi_v3_sqlength(ab);
    *t = 0.0;
    if (!(along > 0.0)) return a;
    *t = 1.0;
    if (along >= length) return b;
    *t = along / length;
    return cdi_v3_along(a, ab, *t);
}

CD_API cd_vec3 cd_closest_pt_point_segment(cd_vec3 p, const cd_segment *s) {
    double t;
    if (!cd_vec3_is_valid(p) || !cd_segment_is_valid(s)) return cdi_nan3();
    return cdi_v3_round(cdi_near_segment(cdi_v3_of(p), cdi_v3_of(s->a), cdi_v3_of(s->b), &t));
}

CD_API cd_real cd_sqdist_point_segment(cd_vec3 p, const cd_segment *s) {
    double t;
    cdi_v3 q = cdi_v3_of(p);
    if (!cd_vec3_is_valid(p) || !cd_segment_is_valid(s)) return cdi_nan3().x;
    return (cd_real)cdi_v3_sqlength(cdi_v3_sub(cdi_near_segment(q, cdi_v3_of(s->a), cdi_v3_of(s->b), &t), q));
}

/* ---- boxes ---- */

static bool cdi_box_asked_rightly(cd_vec3 p, cd_aabb b) {
    return cd_vec3_is_valid(p) && cd_aabb_is_valid(b);
}

CD_API cd_vec3 cd_closest_pt_point_aabb(cd_vec3 p, cd_aabb b) {
    if (!cdi_box_asked_rightly(p, b)) return cdi_nan3();
    return cd_vec3_min(cd_vec3_max(p, b.min), b.max);
}

CDI_FN double cdi_sqdist_box(cdi_v3 p, cdi_v3 lo, cdi_v3 hi) {
    double x = cdi_max(cdi_max(lo.x - p.x, p.x - hi.x), 0.0);
    double y = cdi_max(cdi_max(lo.y - p.y, p.y - hi.y), 0.0);
    double z = cdi_max(cdi_max(lo.z - p.z, p.z - hi.z), 0.0);
    return x * x + y * y + z * z;
}

CD_API cd_real cd_sqdist_point_aabb(cd_vec3 p, cd_aabb b) {
    if (!cdi_box_asked_rightly(p, b)) return cdi_nan3().x;
    return (cd_real)cdi_sqdist_box(cdi_v3_of(p), cdi_v3_of(b.min), cdi_v3_of(b.max));
}

/* The point of the box nearest to p, in the box's frame. */
static cdi_v3 cdi_near_obb_local(const cdi_obb *b, cdi_v3 p) {
    cdi_v3 q = cdi_obb_local(b, p);
    return cdi_v3_make(cdi_clamp(q.x, -b->half[0], b->half[0]), cdi_clamp(q.y, -b->half[1], b->half[1]),
                       cdi_clamp(q.z, -b->half[2], b->half[2]));
}

CD_API cd_vec3 cd_closest_pt_point_obb(cd_vec3 p, const cd_obb *b) {
    cdi_obb d = cdi_obb_of(b);
    if (!cd_vec3_is_valid(p) || !cdi_obb_finite(&d)) return cdi_nan3();
    return cdi_v3_round(cdi_obb_world(&d, cdi_near_obb_local(&d, cdi_v3_of(p))));
}

CD_API cd_real cd_sqdist_point_obb(cd_vec3 p, const cd_obb *b) {
    cdi_obb d = cdi_obb_of(b);
    cdi_v3 half = cdi_v3_make(d.half[0], d.half[1], d.half[2]);
    if (!cd_vec3_is_valid(p) || !cdi_obb_finite(&d)) return cdi_nan3().x;
    return (cd_real)cdi_sqdist_box(cdi_obb_local(&d, cdi_v3_of(p)), cdi_v3_neg(half), half);
}

/* ---- triangle ----
 * The Voronoi regions are told apart by the planes through the edges along the normal. The book's six dot products
 * (5.1.5) cancel on needles; these planes do not, since the normal is good there. */

static cdi_near cdi_near_tri_edge(cdi_v3 p, const cdi_tri *t, uint32_t i) {
    uint32_t j = i == 2 ? 0 : i + 1;
    double s, weight[3] = {0.0, 0.0, 0.0};
    cdi_near r;
    r.point = cdi_near_segment(p, t->v[i], t->v[j], &s);
    r.sqdist = cdi_v3_sqlength(cdi_v3_sub(r.point, p));
    r.feature = s <= 0.0 ? CD_FEATURE(1u, i) : s >= 1.0 ? CD_FEATURE(1u, j) : CD_FEATURE(2u, i);
    weight[i] = 1.0 - s;
    weight[j] = s;
    r.u = weight[1];
    r.v = weight[2];
    return r;
}

/* How far p is inside the plane through edge i along the normal, times the edge's length; and how much of that may be
 * rounding. */
static double cdi_edge_side(cdi_v3 p, const cdi_tri *t, cdi_v3 n, uint32_t i, double *noise) {
    cdi_v3 a = t->v[i], b = t->v[(i + 1) % 3], x = cdi_cross_at(a, b, p);
    double size = cdi_v3_max_abs(cdi_v3_sub(b, a)) * cdi_v3_max_abs(cdi_v3_sub(p, a));
#ifdef COLLIDE_DOUBLE
    *noise = 1e-30 * size + 2e-15 * cdi_v3_max_abs(x);
#else
    *noise = 5e-15 * size;
#endif
    return cdi_v3_dot(n, x);
}

/* The foot of the perpendicular, where it is inside all edges. Beyond the tip of a needle it may only seem to be: there
 * it is outside the bounding box. */
static bool cdi_near_tri_face(cdi_v3 p, const cdi_tri *t, cdi_v3 n, const double side[3], cdi_near *r) {
    double height = cdi_v3_dot(n, cdi_v3_sub(p, t->v[0])), all = side[0] + side[1] + side[2], size;
    cdi_v3 q = cdi_v3_along(p, n, -height), lo, hi, in;
    if (!(side[0] > 0.0 && side[1] > 0.0 && side[2] > 0.0)) return false;
    cdi_tri_bounds(t, &lo, &hi);
    in = cdi_v3_make(cdi_clamp(q.x, lo.x, hi.x), cdi_clamp(q.y, lo.y, hi.y), cdi_clamp(q.z, lo.z, hi.z));
    size = cdi_max(cdi_max(cdi_v3_max_abs(lo), cdi_v3_max_abs(hi)), cdi_v3_max_abs(p));
    if (!(cdi_v3_max_abs(cdi_v3_sub(q, in)) <= 1e-15 * size)) return false;
    r->point = in;
    r->sqdist = height * height;
    r->u = side[2] / all;
    r->v = side[0] / all;
    r->feature = CD_FEATURE(3u, 0u);
    return true;
}

/* |p - a|^2 - |p - b|^2, also where all digits of the two are the same because p is far away. */
static double cdi_farther_by(cdi_v3 p, cdi_v3 a, cdi_v3 b) {
    return cdi_v3_dot(cdi_v3_add(cdi_v3_sub(p, a), cdi_v3_sub(p, b)), cdi_v3_sub(b, a));
}

/* The nearest point of the edges that p is not clearly inside of; one of them holds it. A foot in the inside of such an
 * edge is the nearest point, since the edge's line bounds the triangle: it goes before all corners. */
static void cdi_near_tri_edges(cdi_v3 p, const cdi_tri *t, const double side[3], const double noise[3],
                               cdi_near *r) {
    bool found = false, on_edge = false;
    for (uint32_t i = 0; i < 3; ++i) {
        cdi_near s = cdi_near_tri_edge(p, t, i);
        bool inside = CD_FEATURE_KIND(s.feature) == 2u, better;
        double farther;
        if (side[i] > noise[i] || (on_edge && !inside)) continue;
        if (found && cdi_v3_is_zero(cdi_v3_sub(t->v[i], t->v[(i + 1) % 3]))) continue;
        farther = cdi_farther_by(p, r->point, s.point);
        better = farther > 0.0 || (farther == 0.0 && s.feature < r->feature);
        if (!found || (inside && !on_edge) || better) *r = s;
        found = true;
        on_edge = on_edge || inside;
    }
}

CDI_FN cdi_near cdi_near_triangle(cdi_v3 p, const cdi_tri *t) {
    cdi_v3 n = cdi_tri_normal(t), lo, hi;
    double side[3], noise[3];
    cdi_near r = {t->v[0], CDI_HUGE, 0.0, 0.0, CD_FEATURE(1u, 0u)};
    for (uint32_t i = 0; i < 3; ++i) side[i] = cdi_edge_side(p, t, n, i, &noise[i]); /* all 0 without area */
    if (!cdi_near_tri_face(p, t, n, side, &r)) cdi_near_tri_edges(p, t, side, noise, &r);
    cdi_tri_bounds(t, &lo, &hi);
    r.sqdist = cdi_max(r.sqdist, cdi_sqdist_box(p, lo, hi));
    return r;
}

CD_API cd_vec3 cd_closest_pt_point_triangle(cd_vec3 p, const cd_triangle *t) {
    cdi_tri d = cdi_tri_of(t);
    if (!cd_vec3_is_valid(p) || !cdi_tri_finite(&d)) return cdi_nan3();
    return cdi_v3_round(cdi_near_triangle(cdi_v3_of(p), &d).point);
}

CD_API cd_real cd_sqdist_point_triangle(cd_vec3 p, const cd_triangle *t) {
    return cd_closest_pts_point_triangle(p, t).sqdist;
}

CD_API cd_closest cd_closest_pts_point_triangle(cd_vec3 p, const cd_triangle *t) {
    cdi_tri d = cdi_tri_of(t);
    cd_closest r;
    cdi_near q;
    cdi_clear(&r, sizeof r);
    r.sqdist = cdi_nan3().x;
    if (!cd_vec3_is_valid(p) || !cdi_tri_finite(&d)) return r;
    q = cdi_near_triangle(cdi_v3_of(p), &d);
    r.a = p;
    r.b = cdi_v3_round(q.point);
    r.sqdist = (cd_real)q.sqdist;
    r.s = (cd_real)q.u;
    r.t = (cd_real)q.v;
    r.feature_b = q.feature;
    return r;
}

/* ---- query/test.c -------------------------------------------------------------------------------------------- */

/* r >= 0 and a squared distance within r^2; false for NaN. */
static bool cdi_within(double sqdist, cd_real radius) {
    return radius >= 0 && sqdist <= (double)radius * (double)radius;
}

/* Is some point of the box no farther than r from c? Exact. */
static bool cdi_box_near(cdi_v3 c, cdi_v3 lo, cdi_v3 hi, cdi_diff r) {
    cdi_diff d[3];
    for (int i = 0; i < 3; ++i) {
        double x = cdi_v3_get(c, i);
        d[i] = cdi_diff_of(x, cdi_clamp(x, cdi_v3_get(lo, i), cdi_v3_get(hi, i)));
    }
    return cdi_compare_squares(d, r) <= 0;
}

CD_API bool cd_test_point_sphere(cd_vec3 p, cd_sphere s) {
    cdi_v3 q = cdi_v3_of(p);
    if (!cd_vec3_is_valid(p) || !cd_sphere_is_valid(s)) return false;
    return cdi_box_near(cdi_v3_of(s.center), q, q, cdi_diff_of((double)s.radius, 0.0));
}

CD_API bool cd_test_point_obb(cd_vec3 p, const cd_obb *b) {
    cdi_obb d = cdi_obb_of(b);
    cdi_v3 q = cdi_obb_local(&d, cdi_v3_of(p));
    return cdi_abs(q.x) <= d.half[0] && cdi_abs(q.y) <= d.half[1] && cdi_abs(q.z) <= d.half[2];
}

CD_API bool cd_test_sphere_sphere(cd_sphere a, cd_sphere b) {
    cdi_v3 c = cdi_v3_of(b.center);
    if (!cd_sphere_is_valid(a) || !cd_sphere_is_valid(b)) return false;
    return cdi_box_near(cdi_v3_of(a.center), c, c, cdi_diff_of((double)a.radius, -(double)b.radius));
}

CD_API bool cd_test_sphere_aabb(cd_sphere s, cd_aabb b) {
    if (!cd_sphere_is_valid(s) || !cd_aabb_is_valid(b)) return false;
    return cdi_box_near(cdi_v3_of(s.center), cdi_v3_of(b.min), cdi_v3_of(b.max),
                        cdi_diff_of((double)s.radius, 0.0));
}

CD_API bool cd_test_sphere_obb(cd_sphere s, const cd_obb *b) {
    cdi_obb d = cdi_obb_of(b);
    cdi_v3 half = cdi_v3_make(d.half[0], d.half[1], d.half[2]);
    if (!cd_vec3_is_valid(s.center) || !cdi_obb_finite(&d)) return false;
    return cdi_within(cdi_sqdist_box(cdi_obb_local(&d, cdi_v3_of(s.center)), cdi_v3_neg(half), half),
                      s.radius);
}

CD_API bool cd_test_sphere_triangle(cd_sphere s, const cd_triangle *t) {
    cdi_tri d = cdi_tri_of(t);
    if (!cd_vec3_is_valid(s.center) || !cdi_tri_finite(&d)) return false;
    return cdi_within(cdi_near_triangle(cdi_v3_of(s.center), &d).sqdist, s.radius);
}

CD_API bool cd_test_segment_plane(const cd_segment *s, cd_plane plane) {
    cdi_v3 n = cdi_v3_of(plane.n);
    if (!cd_segment_is_valid(s) || !cd_plane_is_valid(&plane)) return false;
    return cdi_plane_side(n, (double)plane.d, cdi_v3_of(s->a)) *
               cdi_plane_side(n, (double)plane.d, cdi_v3_of(s->b)) <=
           0;
}

/* ---- two oriented boxes ---- */

/* Half the box's extent along `axis`, in units of its length. */
static double cdi_obb_radius(const cdi_obb *b, cdi_v3 axis) {
    double r = 0.0;
    for (int i = 0; i < 3; ++i) r += cdi_abs(cdi_v3_dot(b->axes.c[i], axis)) * b->half[i];
    return r;
}

/* Does `axis`, of any length, separate the boxes, beyond the rounding of its own projections? Since the projections
 * are taken on the very axis that was computed, a badly conditioned axis can only fail to separate. */
static bool cdi_axis_separates(const cdi_obb *a, const cdi_obb *b, cdi_v3 d, cdi_v3 axis, double size) {
    double gap = cdi_abs(cdi_v3_dot(d, axis)) - (cdi_obb_radius(a, axis) + cdi_obb_radius(b, axis));
    return gap > 3e-15 * size * cdi_v3_max_abs(axis);
}

CD_API bool cd_test_obb_obb(const cd_obb *a, const cd_obb *b) {
    cdi_obb p = cdi_obb_of(a), q = cdi_obb_of(b);
    cdi_v3 d = cdi_v3_sub(q.center, p.center);
    double size = cdi_v3_max_abs(d);
    if (!cdi_obb_finite(&p) || !cdi_obb_finite(&q)) return false;
    for (int i = 0; i < 3; ++i) {
        if (!(p.half[i] >= 0.0) || !(q.half[i] >= 0.0)) return false;
        size += p.half[i] + q.half[i];
    }
    for (int i = 0; i < 3; ++i) {
        if (cdi_axis_separates(&p, &q, d, p.axes.c[i], size)) return false;
        if (cdi_axis_separates(&p, &q, d, q.axes.c[i], size)) return false;
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            if (cdi_axis_separates(&p, &q, d, cdi_v3_cross(p.axes.c[i], q.axes.c[j]), size)) return false;
        }
    }
    return true;
}

/* ---- triangle against box ----
 * The thirteen axes of the separating-axis test are read as predicates: the box's faces are comparisons, the
 * triangle's plane is orient3d of the two extreme corners of the box, and the nine crosses of edges are, in the
 * shadow along each axis, orient2d of a triangle's edge and the extreme corner of a rectangle. So every decision is
 * exact. */

static bool cdi_tri_plane_misses_box(const cdi_tri *t, cdi_v3 n, cdi_v3 lo, cdi_v3 hi) {
    cdi_v3 least = cdi_v3_make(n.x > 0.0 ? lo.x : hi.x, n.y > 0.0 ? lo.y : hi.y, n.z > 0.0 ? lo.z : hi.z);
    cdi_v3 most = cdi_v3_make(n.x > 0.0 ? hi.x : lo.x, n.y > 0.0 ? hi.y : lo.y, n.z > 0.0 ? hi.z : lo.z);
    if (cdi_v3_is_zero(n)) return false;
    return cdi_orient3d(t->v[0], t->v[1], t->v[2], least) < 0.0 ||
           cdi_orient3d(t->v[0], t->v[1], t->v[2], most) > 0.0;
}

/* Is the rectangle strictly outside the edge p q of a triangle that turns as `turn` says (0: outside on either side)? */
static bool cdi_edge_misses_rectangle(cdi_v2 p, cdi_v2 q, double turn, cdi_v2 lo, cdi_v2 hi) {
    cdi_v2 most, least; /* the corners farthest to the left and to the right of the edge */
    most.x = p.y > q.y ? hi.x : lo.x;
    least.x = p.y > q.y ? lo.x : hi.x;
    most.y = q.x > p.x ? hi.y : lo.y;
    least.y = q.x > p.x ? lo.y : hi.y;
    return (turn >= 0.0 && cdi_orient2d(p, q, most) < 0.0) ||
           (turn <= 0.0 && cdi_orient2d(p, q, least) > 0.0);
}

CDI_FN bool cdi_test_tri_box(const cdi_tri *t, cdi_v3 lo, cdi_v3 hi) {
    cdi_v3 tlo, thi, n;
    cdi_tri_bounds(t, &tlo, &thi);
    if (!(tlo.x <= hi.x && lo.x <= thi.x && tlo.y <= hi.y && lo.y <= thi.y && tlo.z <= hi.z &&
          lo.z <= thi.z)) {
        return false;
    }
    n = cdi_exact_normal(t->v[0], t->v[1], t->v[2]);
    if (cdi_tri_plane_misses_box(t, n, lo, hi)) return false;
    for (int axis = 0; axis < 3; ++axis) {
        cdi_v2 l = cdi_v3_drop(lo, axis), h = cdi_v3_drop(hi, axis);
        for (int i = 0; i < 3; ++i) {
            cdi_v2 p = cdi_v3_drop(t->v[i], axis), q = cdi_v3_drop(t->v[(i + 1) % 3], axis);
            if (cdi_edge_misses_rectangle(p, q, cdi_v3_get(n, axis), l, h)) return false;
        }
    }
    return true;
}

CD_API bool cd_test_triangle_aabb(const cd_triangle *t, cd_aabb b) {
    cdi_tri d = cdi_tri_of(t);
    if (!cdi_tri_finite(&d) || !cd_aabb_is_valid(b)) return false;
    return cdi_test_tri_box(&d, cdi_v3_of(b.min), cdi_v3_of(b.max));
}

CD_API bool cd_test_triangle_obb(const cd_triangle *t, const cd_obb *b) {
    cdi_obb box = cdi_obb_of(b);
    cdi_tri d = cdi_tri_of(t);
    cdi_v3 half = cdi_v3_make(box.half[0], box.half[1], box.half[2]);
    if (!cdi_tri_finite(&d) || !cdi_obb_finite(&box) || !(half.x >= 0.0 && half.y >= 0.0 && half.z >= 0.0))
        return false;
    for (int i = 0; i < 3; ++i) d.v[i] = cdi_obb_local(&box, d.v[i]);
    return cdi_test_tri_box(&d, cdi_v3_neg(half), half);
}

/* ---- query/locate.c ------------------------------------------------------------------------------------------ */

CD_API int cd_locate_point_plane(cd_vec3 p, cd_plane plane) {
    if (!cd_vec3_is_valid(p) || !cd_plane_is_valid(&plane)) return -1;
    return -cdi_plane_side(cdi_v3_of(plane.n), (double)plane.d, cdi_v3_of(p));
}

CD_API int cd_locate_point_sphere(cd_vec3 p, cd_sphere s) {
    cdi_diff d[3];
    if (!cd_vec3_is_valid(p) || !cd_sphere_is_valid(s)) return -1;
    d[0] = cdi_diff_of((double)p.x, (double)s.center.x);
    d[1] = cdi_diff_of((double)p.y, (double)s.center.y);
    d[2] = cdi_diff_of((double)p.z, (double)s.center.z);
    return -cdi_compare_squares(d, cdi_diff_of((double)s.radius, 0.0));
}

CD_API int cd_locate_point_aabb(cd_vec3 p, cd_aabb b) {
    if (!cd_vec3_is_valid(p)) return -1;
    if (!(b.min.x <= p.x && p.x <= b.max.x && b.min.y <= p.y && p.y <= b.max.y && b.min.z <= p.z &&
          p.z <= b.max.z)) {
        return -1;
    }
    return b.min.x < p.x && p.x < b.max.x && b.min.y < p.y && p.y < b.max.y && b.min.z < p.z && p.z < b.max.z;
}

/* ---- query/uncertain.c --------------------------------------------------------------------------------------- */

CD_API cd_ternary cd_test_sphere_sphere_interval(const cd_interval3 *center_a, cd_interval radius_a,
                                                 const cd_interval3 *center_b, cd_interval radius_b) {
    cd_interval3 d = cd_interval3_sub(center_a, center_b);
    cd_interval zero = cd_interval_from_value(0), reach = cd_interval_add(radius_a, radius_b);
    cd_ternary meet =
        cd_interval_less_equal(cd_interval3_sqlength(&d), cd_interval_sqr(cd_interval_max(reach, zero)));
    cd_ternary a = cd_interval_less_equal(zero, radius_a), b = cd_interval_less_equal(zero, radius_b);
    if (cd_interval_is_empty(d.x) || cd_interval_is_empty(d.y) || cd_interval_is_empty(d.z)) return CD_MAYBE;
    if (a == CD_NO || b == CD_NO || meet == CD_NO) return CD_NO;
    return a == CD_YES && b == CD_YES ? meet : CD_MAYBE;
}

/* ---- query/cast.c -------------------------------------------------------------------------------------------- */

CDI_FN bool cdi_cast_begin(cdi_cast *c, const cd_ray *r, cd_real t_max, const cd_cast_options *options) {
    c->o = cdi_v3_of(r->origin);
    c->d = cdi_v3_of(r->dir);
    c->t_min = options ? (double)options->t_min : 0.0;
    c->t_max = cdi_min((double)CD_REAL_MAX, (double)t_max); /* the second where it is NaN */
    c->flags = options ? options->flags : 0;
    return cdi_v3_finite(c->o) && cdi_v3_finite(c->d) && cdi_finite(c->t_min) && c->t_min <= c->t_max;
}

/* False where the numbers left the range, far outside the domain: no hit then. */
static bool cdi_hit_write(cd_hit *hit, double t, cdi_v3 point, cdi_v3 normal, uint32_t face, uint32_t flags) {
    if (!cdi_finite(t) || !cdi_v3_finite(point) || !cdi_v3_finite(normal) || cdi_v3_is_zero(normal))
        return false;
    if (!hit) return true;
    cdi_clear(hit, sizeof *hit);
    hit->t = (cd_real)t;
    hit->point = cdi_v3_round(point);
    hit->normal = cdi_v3_round(normal);
    hit->feature = CD_FEATURE(3u, face);
    hit->flags = flags;
    return true;
}

/* ---- plane ---- */

static bool cdi_cast_plane(const cdi_cast *c, cd_plane plane, cd_hit *hit) {
    cdi_v3 n, o = cdi_v3_along(c->o, c->d, c->t_min);
    double height = -cdi_plane_height(plane, o, &n), speed = cdi_v3_dot(n, c->d), t = c->t_min;
    bool back = speed > 0.0 || (speed == 0.0 && height < 0.0);
    uint32_t flags = back ? (uint32_t)CD_HIT_BACK : 0u;
    if (!cd_plane_is_valid(&plane)) return false;
    if (c->flags & (back ? CD_CAST_CULL_BACK : CD_CAST_CULL_FRONT)) return false;
    if (height == 0.0) {
        if (c->flags & CD_CAST_START_IGNORE) return false;
        if ((c->flags & CD_CAST_START_LEAVING) && speed != 0.0) return false;
        flags |= (uint32_t)CD_HIT_START;
    } else {
        if (speed == 0.0) return false;
        t = c->t_min + height / speed;
        if (!(t >= c->t_min && t <= c->t_max)) return false;
    }
    n = cdi_v3_normalize(n);
    return cdi_hit_write(hit, t, cdi_v3_along(c->o, c->d, t), back ? cdi_v3_neg(n) : n, 0, flags);
}

CD_API bool cd_cast_ray_plane(const cd_ray *r, cd_real t_max, cd_plane plane, const cd_cast_options *options,
                              cd_hit *hit) {
    cdi_cast c;
    return cdi_cast_begin(&c, r, t_max, options) && cdi_cast_plane(&c, plane, hit);
}

CD_API bool cd_cast_segment_plane(const cd_segment *s, cd_plane plane, const cd_cast_options *options,
                                  cd_hit *hit) {
    cdi_cast c;
    cd_ray r;
    r.origin = s->a;
    r.dir = s->b;
    if (!cdi_cast_begin(&c, &r, 1, options)) return false;
    c.d = cdi_v3_sub(c.d, c.o); /* in double, not rounded */
    return cdi_cast_plane(&c, plane, hit);
}

/* ---- solids in general ---- */

CDI_FN cdi_contact cdi_cast_solid(const cdi_cast *c, const cdi_span *span) {
    if (!(span->out >= c->t_min && span->in <= c->t_max)) return CDI_CONTACT_NONE;
    if (c->flags & CD_CAST_CULL_FRONT) {
        if ((c->flags & CD_CAST_CULL_BACK) || span->out > c->t_max) return CDI_CONTACT_NONE;
        return CDI_CONTACT_OUT;
    }
    if (span->in >= c->t_min) return CDI_CONTACT_IN;
    return c->flags & CD_CAST_START_IGNORE ? CDI_CONTACT_NONE : CDI_CONTACT_START;
}

/* A start inside: `out` is the unit normal of the nearest surface and `depth` the way to it. */
static bool cdi_hit_start(const cdi_cast *c, cdi_v3 out, double depth, uint32_t face, cd_hit *hit) {
    cdi_v3 against = cdi_v3_normalize(cdi_v3_neg(c->d));
    bool wants_depth = (c->flags & CD_CAST_START_DEPTH) != 0;
    if ((c->flags & CD_CAST_START_LEAVING) && cdi_v3_dot(out, c->d) >= 0.0) return false;
    if (wants_depth || cdi_v3_is_zero(against)) against = out;
    if (!cdi_hit_write(hit, c->t_min, cdi_v3_along(c->o, c->d, c->t_min), against, face,
                       (uint32_t)CD_HIT_START)) {
        return false;
    }
    if (hit && !wants_depth) hit->feature = 0;
    if (hit && wants_depth) hit->depth = (cd_real)cdi_max(depth, 0.0);
    return true;
}

/* ---- sphere ---- */

/* The line inside a sphere about the origin: half a chord to each side of the point nearest to the centre. */
static bool cdi_line_sphere(cdi_v3 o, cdi_v3 d, double radius, cdi_span *span) {
    double dd = cdi_v3_sqlength(d), middle, half;
    cdi_v3 nearest;
    span->face_in = span->face_out = 0;
    if (dd == 0.0) {
        span->in = -CDI_HUGE;
        span->out = CDI_HUGE;
        return cdi_v3_sqlength(o) <= radius * radius;
    }
    middle = -cdi_v3_dot(o, d) / dd;
    nearest = cdi_v3_along(o, d, middle);
    half = radius * radius - cdi_v3_sqlength(nearest);
    if (!(half >= 0.0)) return false;
    half = cdi_sqrt(half / dd);
    span->in = middle - half;
    span->out = middle + half;
    return true;
}

CD_API bool cd_cast_ray_sphere(const cd_ray *r, cd_real t_max, cd_sphere s, const cd_cast_options *options,
                               cd_hit *hit) {
    cdi_cast c;
    cdi_span span;
    cdi_contact contact;
    cdi_v3 from_center, normal;
    double radius = (double)s.radius, t;
    if (!cdi_cast_begin(&c, r, t_max, options) || !cd_sphere_is_valid(s)) return false;
    from_center = cdi_v3_sub(c.o, cdi_v3_of(s.center));
    if (!cdi_line_sphere(from_center, c.d, radius, &span)) return false;
    contact = cdi_cast_solid(&c, &span);
    if (contact == CDI_CONTACT_NONE) return false;
    t = contact == CDI_CONTACT_IN ? span.in : contact == CDI_CONTACT_OUT ? span.out : c.t_min;
    from_center = cdi_v3_along(from_center, c.d, t);
    normal = cdi_v3_normalize(from_center);
    if (cdi_v3_is_zero(normal))
        normal = cdi_v3_normalize(cdi_v3_neg(c.d)); /* at the very centre, or radius 0 */
    if (cdi_v3_is_zero(normal)) normal = cdi_v3_make(1.0, 0.0, 0.0);
    if (contact == CDI_CONTACT_START)
        return cdi_hit_start(&c, normal, radius - cdi_v3_length(from_center), 0, hit);
    return cdi_hit_write(hit, t, cdi_v3_along(cdi_v3_of(s.center), normal, radius),
                         contact == CDI_CONTACT_IN ? normal : cdi_v3_neg(normal), 0,
                         contact == CDI_CONTACT_IN ? 0u : (uint32_t)CD_HIT_BACK);
}

/* ---- boxes ---- */

/* One axis of the slab test, in units the exact test can come back to. */
typedef struct cdi_slab {
    double near_side, far_side; /* the planes in the order the line meets them */
    double o, d;
} cdi_slab;

/* Does the line enter slab a no later than it leaves slab b? Exact: (near_a - o_a) / d_a <= (far_b - o_b) / d_b. */
static CDI_COLD bool cdi_enters_before(const cdi_slab *a, const cdi_slab *b) {
    cdi_diff m[2][2];
    double det;
    m[0][0] = cdi_diff_of(a->near_side, a->o);
    m[0][1] = cdi_diff_of(b->far_side, b->o);
    m[1][0] = cdi_diff_of(a->d, 0.0);
    m[1][1] = cdi_diff_of(b->d, 0.0);
    det = cdi_det2_exact(m);
    return (a->d < 0.0) == (b->d < 0.0) ? det <= 0.0 : det >= 0.0;
}

static CDI_COLD bool cdi_slabs_meet(const cdi_slab *slab, int count) {
    for (int i = 0; i < count; ++i) {
        for (int j = 0; j < count; ++j) {
            if (i != j && !cdi_enters_before(&slab[i], &slab[j])) return false;
        }
    }
    return true;
}

CDI_FN bool cdi_line_box(cdi_v3 o3, cdi_v3 d3, cdi_v3 lo3, cdi_v3 hi3, cdi_span *span) {
    double o[3], d[3], lo[3], hi[3], slack;
    cdi_slab slab[3];
    int count = 0;
    cdi_v3_store(o, o3);
    cdi_v3_store(d, d3);
    cdi_v3_store(lo, lo3);
    cdi_v3_store(hi, hi3);
    span->in = -CDI_HUGE;
    span->out = CDI_HUGE;
    span->face_in = span->face_out = 0;
    for (int i = 0; i < 3; ++i) {
        int back = d[i] < 0.0;
        cdi_slab s;
        double in, out;
        if (d[i] == 0.0) {
            if (!(lo[i] <= o[i] && o[i] <= hi[i])) return false;
            continue;
        }
        s.near_side = back ? hi[i] : lo[i];
        s.far_side = back ? lo[i] : hi[i];
        s.o = o[i];
        s.d = d[i];
        slab[count++] = s;
        in = (s.near_side - o[i]) / d[i];
        out = (s.far_side - o[i]) / d[i];
        if (in > span->in) {
            span->in = in;
            span->face_in = 2 * i + back;
        }
        if (out < span->out) {
            span->out = out;
            span->face_out = 2 * i + !back;
        }
    }
    slack = 1e-15 * cdi_abs(span->in) + 1e-15 * cdi_abs(span->out);
    if (span->in > span->out + slack) return false;
    if (span->in < span->out - slack) return true;
    if (!cdi_slabs_meet(slab, count)) return false;
    if (span->in > span->out) span->in = span->out;
    return true;
}

/* A box in a frame of its own, the ray taken there. */
typedef struct cdi_boxed {
    double lo[3], hi[3];
    cdi_v3 o, d;
} cdi_boxed;

/* The nearest face to a point inside, and the way to it. */
static int cdi_nearest_face(const cdi_boxed *b, cdi_v3 p, double *depth) {
    int face = 0;
    *depth = CDI_HUGE;
    for (int i = 0; i < 6; ++i) {
        double x = cdi_v3_get(p, i / 2), way = i & 1 ? b->hi[i / 2] - x : x - b->lo[i / 2];
        if (way < *depth) {
            *depth = way;
            face = i;
        }
    }
    return face;
}

/* A point of the face: the ray's point, put on the face's plane and inside the face's edges. */
static cdi_v3 cdi_on_face(const cdi_boxed *b, int face, double t) {
    double p[3];
    cdi_v3_store(p, cdi_v3_along(b->o, b->d, t));
    for (int i = 0; i < 3; ++i) p[i] = cdi_clamp(p[i], b->lo[i], b->hi[i]);
    p[face / 2] = face & 1 ? b->hi[face / 2] : b->lo[face / 2];
    return cdi_v3_make(p[0], p[1], p[2]);
}

/* The cast in the box's frame; `frame` takes normals and points back. */
static bool cdi_cast_box(const cdi_cast *c, const cdi_boxed *b, const cdi_obb *frame, cd_hit *hit) {
    cdi_v3 lo = cdi_v3_make(b->lo[0], b->lo[1], b->lo[2]), hi = cdi_v3_make(b->hi[0], b->hi[1], b->hi[2]), n;
    cdi_span span;
    cdi_contact contact;
    double t = 0.0, depth = 0.0;
    int face;
    if (!cdi_line_box(b->o, b->d, lo, hi, &span)) return false;
    contact = cdi_cast_solid(c, &span);
    if (contact == CDI_CONTACT_NONE) return false;
    if (contact == CDI_CONTACT_START) {
        face = cdi_nearest_face(b, cdi_v3_along(b->o, b->d, c->t_min), &depth);
    } else {
        face = contact == CDI_CONTACT_IN ? span.face_in : span.face_out;
        t = contact == CDI_CONTACT_IN ? span.in : span.out;
    }
    n = cdi_v3_normalize(frame->axes.c[face / 2]);
    if (!(face & 1)) n = cdi_v3_neg(n);
    if (contact == CDI_CONTACT_START) return cdi_hit_start(c, n, depth, (uint32_t)face, hit);
    return cdi_hit_write(hit, t, cdi_obb_world(frame, cdi_on_face(b, face, t)),
                         contact == CDI_CONTACT_IN ? n : cdi_v3_neg(n), (uint32_t)face,
                         contact == CDI_CONTACT_IN ? 0u : (uint32_t)CD_HIT_BACK);
}

CD_API bool cd_cast_ray_aabb(const cd_ray *r, cd_real t_max, cd_aabb b, const cd_cast_options *options,
                             cd_hit *hit) {
    cdi_cast c;
    cdi_boxed box;
    cdi_obb world;
    cd_obb unit;
    if (!cdi_cast_begin(&c, r, t_max, options) || !cd_aabb_is_valid(b)) return false;
    cdi_clear(&unit, sizeof unit);
    unit.axes = cd_mat3_identity();
    world = cdi_obb_of(&unit);
    cdi_v3_store(box.lo, cdi_v3_of(b.min));
    cdi_v3_store(box.hi, cdi_v3_of(b.max));
    box.o = c.o;
    box.d = c.d;
    return cdi_cast_box(&c, &box, &world, hit);
}

CD_API bool cd_cast_ray_obb(const cd_ray *r, cd_real t_max, const cd_obb *b, const cd_cast_options *options,
                            cd_hit *hit) {
    cdi_cast c;
    cdi_boxed box;
    cdi_obb d = cdi_obb_of(b);
    if (!cdi_cast_begin(&c, r, t_max, options) || !cdi_obb_finite(&d)) return false;
    for (int i = 0; i < 3; ++i) {
        if (!(d.half[i] >= 0.0)) return false;
        box.lo[i] = -d.half[i];
        box.hi[i] = d.half[i];
    }
    box.o = cdi_obb_local(&d, c.o);
    box.d = cdi_m3_tmul_v3(&d.axes, c.d);
    return cdi_cast_box(&c, &box, &d, hit);
}

/* ---- query/cast_triangle.c ----------------------------------------------------------------------------------- */

CDI_FN bool cdi_ray_prepare(cdi_ray *r, const cdi_cast *c) {
    r->origin = c->o;
    r->dir = c->d;
    r->t_min = c->t_min;
    cdi_v3_store(r->o, c->o);
    cdi_v3_store(r->d, c->d);
    if (cdi_v3_is_zero(c->d)) return false;
    r->kz = 0;
    for (int i = 0; i < 3; ++i) {
        r->inv[i] = r->d[i] != 0.0 ? 1.0 / r->d[i] : 0.0;
        if (cdi_abs(r->d[i]) > cdi_abs(r->d[r->kz])) r->kz = i;
    }
    r->kx = (r->kz + (r->d[r->kz] < 0.0 ? 2 : 1)) % 3;
    r->ky = (r->kz + (r->d[r->kz] < 0.0 ? 1 : 2)) % 3;
    r->sx = r->d[r->kx] / r->d[r->kz];
    r->sy = r->d[r->ky] / r->d[r->kz];
    r->sz = 1.0 / r->d[r->kz];
    return true;
}

/* ---- which side of the three edges the line passes ---- */

/* The weights of the corners, up to a common factor: the products det [d; c-o; b-o], det [d; a-o; c-o] and
 * det [d; b-o; a-o]. All >= 0: the line meets the front; all <= 0: the back. */
typedef struct cdi_edge_sides {
    double a, b, c;
} cdi_edge_sides;

static bool cdi_sides_agree(const cdi_edge_sides *s) {
    return (s->a >= 0.0 && s->b >= 0.0 && s->c >= 0.0) || (s->a <= 0.0 && s->b <= 0.0 && s->c <= 0.0);
}

/* The signs exactly; on a hit also the values, which near an edge or for a needle were mostly rounding. */
static CDI_COLD bool cdi_sides_exact(const cdi_ray *r, const cdi_tri *t, cdi_edge_sides *s) {
    if (!cdi_tri_finite(t)) return false;
    s->a = cdi_orient_line(r->origin, r->dir, t->v[2], t->v[1]);
    s->b = cdi_orient_line(r->origin, r->dir, t->v[0], t->v[2]);
    s->c = cdi_orient_line(r->origin, r->dir, t->v[1], t->v[0]);
    if (!cdi_sides_agree(s) || (s->a == 0.0 && s->b == 0.0 && s->c == 0.0))
        return false; /* all 0: in the plane */
    s->a = cdi_orient_line_exact(r->origin, r->dir, t->v[2], t->v[1]);
    s->b = cdi_orient_line_exact(r->origin, r->dir, t->v[0], t->v[2]);
    s->c = cdi_orient_line_exact(r->origin, r->dir, t->v[1], t->v[0]);
    return true;
}

/* A corner relative to the origin, and sheared so that the ray is the z axis. */
typedef struct cdi_sheared {
    double x, y, z, size;
} cdi_sheared;

CDI_INLINE cdi_sheared cdi_shear(const cdi_ray *r, cdi_v3 p) {
    double q[3], x, y;
    cdi_sheared s;
    q[0] = p.x - r->o[0];
    q[1] = p.y - r->o[1];
    q[2] = p.z - r->o[2];
    x = q[r->kx];
    y = q[r->ky];
    s.z = q[r->kz];
    s.x = x - r->sx * s.z;
    s.y = y - r->sy * s.z;
    s.size = cdi_max(cdi_max(cdi_abs(x), cdi_abs(y)), cdi_abs(s.z));
    return s;
}

/* With u = 2^-53 and m the largest coordinate relative to the origin, a sheared coordinate is off by at most 6 u m,
 * and a product of two minus a product of two by at most 64 u m^2. */
#define CDI_SIDE_BOUND 8e-15

/* ---- how far along the ray ---- */

/* Is the plane met behind the origin (-1), at it (0), ahead of it (+1)? Exact. */
static int cdi_side_of_origin(const cdi_ray *r, const cdi_tri *t, bool back) {
    int below = cdi_sign(cdi_orient3d(t->v[0], t->v[1], t->v[2], r->origin));
    return back ? below : -below;
}

/* Where the ray crosses the plane. (The corners' depths by their weights are good only when the weights are exact.) */
static double cdi_plane_parameter(const cdi_ray *r, const cdi_tri *t) {
    cdi_v3 n = cdi_tri_cross(t);
    return cdi_v3_dot(n, cdi_v3_sub(t->v[0], r->origin)) / cdi_v3_dot(n, r->dir);
}

/* t put into the range in which the line is inside the triangle's bounding box. */
static double cdi_clamp_to_bounds(const cdi_ray *r, const cdi_tri *t, double at) {
    double lo[3], hi[3], in = -CDI_HUGE, out = CDI_HUGE;
    cdi_v3 lo3, hi3;
    cdi_tri_bounds(t, &lo3, &hi3);
    cdi_v3_store(lo, lo3);
    cdi_v3_store(hi, hi3);
    for (int i = 0; i < 3; ++i) {
        double p, q;
        if (r->d[i] == 0.0) continue;
        p = (lo[i] - r->o[i]) * r->inv[i];
        q = (hi[i] - r->o[i]) * r->inv[i];
        in = cdi_max(cdi_min(p, q), in);
        out = cdi_min(cdi_max(p, q), out);
    }
    return cdi_max(cdi_min(at, out), in);
}

/* The features by which weights are 0: two of them a vertex, one the edge across. */
static uint32_t cdi_feature_of_sides(const cdi_edge_sides *s) {
    if (s->b == 0.0 && s->c == 0.0) return CD_FEATURE(1u, 0u);
    if (s->c == 0.0 && s->a == 0.0) return CD_FEATURE(1u, 1u);
    if (s->a == 0.0 && s->b == 0.0) return CD_FEATURE(1u, 2u);
    if (s->c == 0.0) return CD_FEATURE(2u, 0u);
    if (s->a == 0.0) return CD_FEATURE(2u, 1u);
    if (s->b == 0.0) return CD_FEATURE(2u, 2u);
    return CD_FEATURE(3u, 0u);
}

/* The weights made a hit; false where culled. */
static bool cdi_hit_from_sides(const cdi_edge_sides *s, uint32_t flags, cdi_tri_hit *hit) {
    double sum = s->a + s->b + s->c;
    if (!cdi_finite(sum)) return false; /* far outside the domain */
    if (flags & (sum < 0.0 ? CD_CAST_CULL_BACK : CD_CAST_CULL_FRONT)) return false;
    hit->u = s->b / sum;
    hit->v = s->c / sum;
    hit->feature = cdi_feature_of_sides(s);
    hit->flags = sum < 0.0 ? (uint32_t)CD_HIT_BACK : 0u;
    return true;
}

/* To the sum of two numbers of the interface's type, which is how a list of hits keeps it. */
static double cdi_round_parameter(double t) {
    cd_real high = (cd_real)t, low = (cd_real)(t - (double)high);
    return (double)high + (double)low;
}

CDI_FN bool cdi_ray_tri(const cdi_ray *r, const cdi_tri *t, uint32_t flags, double t_max, cdi_tri_hit *hit) {
    cdi_sheared a = cdi_shear(r, t->v[0]), b = cdi_shear(r, t->v[1]), c = cdi_shear(r, t->v[2]);
    double m = cdi_max(cdi_max(a.size, b.size), c.size), bound = CDI_SIDE_BOUND * m * m;
    bool ahead = a.z * r->sz > 0.0 && b.z * r->sz > 0.0 && c.z * r->sz > 0.0, above, below, exact;
    int side = 1;
    cdi_edge_sides s;
    cdi_tri_hit h;
    s.a = c.x * b.y - c.y * b.x;
    s.b = a.x * c.y - a.y * c.x;
    s.c = b.x * a.y - b.y * a.x;
    above = s.a > bound || s.b > bound || s.c > bound;
    below = s.a < -bound || s.b < -bound || s.c < -bound;
    if (above && below) return false;
    exact = !(s.a > bound && s.b > bound && s.c > bound) && !(s.a < -bound && s.b < -bound && s.c < -bound);
    if (exact && !cdi_sides_exact(r, t, &s)) return false;
    if (!cdi_hit_from_sides(&s, flags, &h)) return false;
    h.t = exact ? (s.a * a.z + s.b * b.z + s.c * c.z) / (s.a + s.b + s.c) * r->sz : cdi_plane_parameter(r, t);
    h.t = cdi_round_parameter(cdi_clamp_to_bounds(r, t, h.t));
    if (!ahead) {
        side = cdi_side_of_origin(r, t, (h.flags & (uint32_t)CD_HIT_BACK) != 0);
        if (side < 0 && r->t_min >= 0.0) return false;
        h.t = side == 0 ? 0.0 : side < 0 ? cdi_min(h.t, 0.0) : cdi_max(h.t, 0.0);
    }
    if (!(h.t >= r->t_min && h.t <= t_max)) return false;
    if (h.t == r->t_min && (side == 0 || r->t_min != 0.0)) {
        if (flags & (CD_CAST_START_IGNORE | CD_CAST_START_LEAVING)) return false;
        h.flags |= (uint32_t)CD_HIT_START;
    }
    *hit = h;
    return true;
}

/* ---- the public forms ---- */

CDI_FN bool cdi_tri_hit_write(cd_hit *out, const cdi_tri_hit *h, const cdi_tri *t, const cdi_ray *r,
                              uint32_t index) {
    cdi_v3 n = cdi_tri_normal(t), p = cdi_v3_along(r->origin, r->dir, h->t);
    if (cdi_v3_is_zero(n) || !cdi_v3_finite(p) || !cdi_finite3(h->t, h->u, h->v)) return false;
    if (!out) return true;
    cdi_clear(out, sizeof *out);
    out->t = (cd_real)h->t;
    out->point = cdi_v3_round(p);
    out->normal = cdi_v3_round(h->flags & (uint32_t)CD_HIT_BACK ? cdi_v3_neg(n) : n);
    out->u = (cd_real)h->u;
    out->v = (cd_real)h->v;
    out->feature = h->feature;
    out->index = index;
    out->flags = h->flags;
    return true;
}

/* The cast of a ray or line that was made ready. */
static bool cdi_cast_tri(const cdi_cast *c, const cd_triangle *t, cd_hit *hit) {
    cdi_tri d = cdi_tri_of(t);
    cdi_ray r;
    cdi_tri_hit h;
    if (!cdi_ray_prepare(&r, c) || !cdi_ray_tri(&r, &d, c->flags, c->t_max, &h)) return false;
    return cdi_tri_hit_write(hit, &h, &d, &r, 0);
}

CD_API bool cd_cast_ray_triangle(const cd_ray *r, cd_real t_max, const cd_triangle *t,
                                 const cd_cast_options *options, cd_hit *hit) {
    cdi_cast c;
    return cdi_cast_begin(&c, r, t_max, options) && cdi_cast_tri(&c, t, hit);
}

CD_API bool cd_cast_line_triangle(const cd_line *l, const cd_triangle *t, const cd_cast_options *options,
                                  cd_hit *hit) {
    cdi_cast c;
    cd_ray r;
    r.origin = l->origin;
    r.dir = l->dir;
    if (!cdi_cast_begin(&c, &r, CD_REAL_MAX, NULL)) return false;
    c.t_min = -c.t_max;
    c.flags = options ? options->flags : 0u;
    return cdi_cast_tri(&c, t, hit);
}

/* The same three products for the line through two points. */
static void cdi_segment_sides(cdi_v3 p, cdi_v3 q, const cdi_tri *t, cdi_edge_sides *s) {
    s->a = cdi_orient3d_accurate(q, t->v[2], t->v[1], p);
    s->b = cdi_orient3d_accurate(q, t->v[0], t->v[2], p);
    s->c = cdi_orient3d_accurate(q, t->v[1], t->v[0], p);
}

CD_API bool cd_cast_segment_triangle(const cd_segment *s, const cd_triangle *t,
                                     const cd_cast_options *options, cd_hit *hit) {
    cdi_tri d = cdi_tri_of(t);
    cdi_v3 p = cdi_v3_of(s->a), q = cdi_v3_of(s->b);
    double from = cdi_orient3d_accurate(d.v[0], d.v[1], d.v[2], p),
           to = cdi_orient3d_accurate(d.v[0], d.v[1], d.v[2], q);
    cdi_edge_sides sides;
    cdi_tri_hit h;
    cdi_ray r;
    if (!cd_segment_is_valid(s) || !cdi_tri_finite(&d)) return false;
    if ((from > 0.0 && to > 0.0) || (from < 0.0 && to < 0.0) || (from == 0.0 && to == 0.0)) return false;
    cdi_segment_sides(p, q, &d, &sides);
    if (!cdi_sides_agree(&sides) || !cdi_hit_from_sides(&sides, options ? options->flags : 0u, &h))
        return false;
    r.origin = p;
    r.dir = cdi_v3_sub(q, p);
    r.t_min = options ? (double)options->t_min : 0.0;
    h.t = from / (from - to);
    if (!(h.t >= r.t_min)) return false;
    return cdi_tri_hit_write(hit, &h, &d, &r, 0);
}

#undef CDI_SIDE_BOUND

/* ---- query/triangle_triangle.c ------------------------------------------------------------------------------- */

/* ---- triangles in one plane, degenerate ones in any position ---- */

/* Is the hull of three points strictly on the outer side of the edge p q of a triangle that turns as `turn` says? */
static bool cdi_edge_misses(cdi_v2 p, cdi_v2 q, double turn, const cdi_v2 other[3]) {
    double s[3];
    for (int i = 0; i < 3; ++i) s[i] = cdi_orient2d(p, q, other[i]);
    return (turn >= 0.0 && s[0] < 0.0 && s[1] < 0.0 && s[2] < 0.0) ||
           (turn <= 0.0 && s[0] > 0.0 && s[1] > 0.0 && s[2] > 0.0);
}

static bool cdi_edges_miss(const cdi_v2 t[3], const cdi_v2 other[3]) {
    double turn = cdi_orient2d(t[0], t[1], t[2]);
    return cdi_edge_misses(t[0], t[1], turn, other) || cdi_edge_misses(t[1], t[2], turn, other) ||
           cdi_edge_misses(t[2], t[0], turn, other);
}

static void cdi_shadow(const cdi_tri *t, int axis, cdi_v2 out[3]) {
    for (int i = 0; i < 3; ++i) out[i] = cdi_v3_drop(t->v[i], axis);
}

/* Two hulls of three points each, all six in one plane. They meet in space when all their shadows meet, since along
 * some axis the plane (or the line that holds them) is seen without being folded; two shadows miss each other when
 * an edge of one, or for hulls on one line their bounds, separates them. */
static CDI_COLD bool cdi_test_tri_tri_coplanar(const cdi_tri *a, const cdi_tri *b) {
    if (!cdi_tri_finite(a) || !cdi_tri_finite(b) || !cdi_tri_bounds_meet(a, b)) return false;
    for (int axis = 0; axis < 3; ++axis) {
        cdi_v2 p[3], q[3];
        cdi_shadow(a, axis, p);
        cdi_shadow(b, axis, q);
        if (cdi_edges_miss(p, q) || cdi_edges_miss(q, p)) return false;
    }
    return true;
}

/* The ends of a triangle without area: its first and last corner in lexicographic order. */
static bool cdi_v3_before(cdi_v3 a, cdi_v3 b) {
    if (a.x != b.x) return a.x < b.x;
    if (a.y != b.y) return a.y < b.y;
    return a.z < b.z;
}

static void cdi_tri_ends(const cdi_tri *t, cdi_v3 *p, cdi_v3 *q) {
    *p = *q = t->v[0];
    for (int i = 1; i < 3; ++i) {
        if (cdi_v3_before(t->v[i], *p)) *p = t->v[i];
        if (cdi_v3_before(*q, t->v[i])) *q = t->v[i];
    }
}

/* ---- the general case ---- */

static void cdi_plane_sides(const cdi_tri *plane, const cdi_tri *t, double side[3]) {
    for (int i = 0; i < 3; ++i) side[i] = cdi_orient3d(plane->v[0], plane->v[1], plane->v[2], t->v[i]);
}

static bool cdi_all_on_one_side(const double s[3]) {
    return (s[0] > 0.0 && s[1] > 0.0 && s[2] > 0.0) || (s[0] < 0.0 && s[1] < 0.0 && s[2] < 0.0);
}

static bool cdi_all_zero(const double s[3]) {
    return s[0] == 0.0 && s[1] == 0.0 && s[2] == 0.0;
}

/* Segment against triangle with area, from the sides of the segment's ends, not both 0: the line passes all three
 * edges on one side. */
static bool cdi_crosses(cdi_v3 p, cdi_v3 q, const cdi_tri *t) {
    double a = cdi_orient3d(p, q, t->v[0], t->v[1]);
    double b = cdi_orient3d(p, q, t->v[1], t->v[2]);
    double c = cdi_orient3d(p, q, t->v[2], t->v[0]);
    return (a >= 0.0 && b >= 0.0 && c >= 0.0) || (a <= 0.0 && b <= 0.0 && c <= 0.0);
}

static bool cdi_test_segment_tri(cdi_v3 p, cdi_v3 q, const cdi_tri *t) {
    double sp = cdi_orient3d(t->v[0], t->v[1], t->v[2], p), sq = cdi_orient3d(t->v[0], t->v[1], t->v[2], q);
    cdi_tri s;
    if ((sp > 0.0 && sq > 0.0) || (sp < 0.0 && sq < 0.0)) return false;
    if (sp != 0.0 || sq != 0.0) return cdi_crosses(p, q, t);
    s.v[0] = p;
    s.v[1] = s.v[2] = q;
    return cdi_test_tri_tri_coplanar(&s, t);
}

static bool cdi_has_area(const cdi_tri *t) {
    return !cdi_v3_is_zero(cdi_exact_normal(t->v[0], t->v[1], t->v[2]));
}

/* All of b's corners were found on a's plane, or all of a's on b's: one plane, or one or both without area. */
static CDI_COLD bool cdi_test_tri_tri_special(const cdi_tri *a, const cdi_tri *b) {
    bool area_a = cdi_has_area(a), area_b = cdi_has_area(b);
    cdi_v3 p, q, r, s;
    if (!cdi_tri_finite(a) || !cdi_tri_finite(b)) return false;
    if (area_a && area_b) return cdi_test_tri_tri_coplanar(a, b);
    cdi_tri_ends(a, &p, &q);
    cdi_tri_ends(b, &r, &s);
    if (area_b) return cdi_test_segment_tri(p, q, b);
    if (area_a) return cdi_test_segment_tri(r, s, a);
    return cdi_orient3d(p, q, r, s) == 0.0 && cdi_test_tri_tri_coplanar(a, b);
}

/* The corner from which both edges cross the other's plane, or reach it: alone on its side with the others at or beyond
 * the plane, or alone on the plane with the others on one side. There is one whenever the sides are neither all of one
 * sign nor all 0. `flip`: it is on the wrong side, or the others on the right one. */
static int cdi_alone(const double side[3], bool *flip) {
    for (int i = 0; i < 3; ++i) {
        int own = cdi_sign(side[i]), next = cdi_sign(side[(i + 1) % 3]), last = cdi_sign(side[(i + 2) % 3]);
        *flip = own < 0 || (own == 0 && next > 0);
        if (own == 0 ? next * last > 0 : next != own && last != own) return i;
    }
    return 0;
}

static void cdi_rotate_corners(cdi_tri *t, int first) {
    cdi_tri r = *t;
    for (int i = 0; i < 3; ++i) t->v[i] = r.v[(first + i) % 3];
}

static void cdi_reverse_corners(cdi_tri *t) {
    cdi_v3 swap = t->v[1];
    t->v[1] = t->v[2];
    t->v[2] = swap;
}

typedef enum cdi_meeting { CDI_APART, CDI_SPECIAL, CDI_ON_LINE } cdi_meeting;

/* The two planes against the corners. On CDI_ON_LINE both triangles meet the common line of the planes, and are turned
 * so that corner 0 of each is alone on the side from which the other is seen clockwise. */
static cdi_meeting cdi_meet_planes(cdi_tri *a, cdi_tri *b) {
    double sa[3], sb[3];
    bool flip_a, flip_b;
    cdi_plane_sides(a, b, sb);
    if (cdi_all_on_one_side(sb)) return CDI_APART;
    cdi_plane_sides(b, a, sa);
    if (cdi_all_on_one_side(sa)) return CDI_APART;
    if (cdi_all_zero(sa) || cdi_all_zero(sb)) return CDI_SPECIAL;
    cdi_rotate_corners(a, cdi_alone(sa, &flip_b));
    cdi_rotate_corners(b, cdi_alone(sb, &flip_a));
    if (flip_a) cdi_reverse_corners(a); /* turns a's plane over, and with it the sides of b's corners */
    if (flip_b) cdi_reverse_corners(b);
    return CDI_ON_LINE;
}

/* With I_i the point where edge 0 i of a crosses b's plane, and J_j that of edge 0 j of b and a's plane: the order
 * of I_i and J_j along the common line. a's interval runs from I_1 to I_2, b's from J_2 to J_1. */
static double cdi_line_order(const cdi_tri *a, int i, const cdi_tri *b, int j) {
    return cdi_orient3d(a->v[0], a->v[i], b->v[0], b->v[j]);
}

static bool cdi_intervals_meet(const cdi_tri *a, const cdi_tri *b) {
    return cdi_line_order(a, 1, b, 1) <= 0.0 && cdi_line_order(a, 2, b, 2) >= 0.0;
}

CDI_FN bool cdi_test_tri_tri(const cdi_tri *a, const cdi_tri *b) {
    cdi_tri p = *a, q = *b;
    cdi_meeting meeting = cdi_meet_planes(&p, &q);
    if (meeting == CDI_SPECIAL) return cdi_test_tri_tri_special(a, b);
    return meeting == CDI_ON_LINE && cdi_intervals_meet(&p, &q);
}

CD_API bool cd_test_triangle_triangle(const cd_triangle *a, const cd_triangle *b) {
    cdi_tri p = cdi_tri_of(a), q = cdi_tri_of(b);
    return cdi_test_tri_tri(&p, &q);
}

CD_API bool cd_test_segment_triangle(const cd_segment *s, const cd_triangle *t) {
    cdi_tri a, b = cdi_tri_of(t);
    a.v[0] = cdi_v3_of(s->a);
    a.v[1] = a.v[2] = cdi_v3_of(s->b);
    return cdi_test_tri_tri(&a, &b);
}

/* ---- where they meet ---- */

/* The point of an edge where a linear function with these values at the ends is 0: from the nearer end p on,
 * p + (q - p) from / (from - to), with half of q - p, which cannot overflow. */
static cdi_v3 cdi_zero_on_edge(cdi_v3 p, cdi_v3 q, double from, double to) {
    cdi_v3 half;
    if (cdi_abs(from) > cdi_abs(to)) {
        cdi_v3 swap = p;
        double value = from;
        p = q;
        q = swap;
        from = to;
        to = value;
    }
    if (from == 0.0) return p;
    half = cdi_v3_sub(cdi_v3_scale(q, 0.5), cdi_v3_scale(p, 0.5));
    return cdi_v3_along(p, half, 2.0 * (from / (from - to)));
}

static void cdi_swap_if_after(cdi_v3 *a, cdi_v3 *b) {
    if (cdi_v3_before(*b, *a)) {
        cdi_v3 swap = *a;
        *a = *b;
        *b = swap;
    }
}

/* The point where an edge crosses a triangle's plane, from the corners in an order of their own, so that every
 * caller gets the same bits. */
static cdi_v3 cdi_edge_plane_point(cdi_v3 p, cdi_v3 q, const cdi_tri *t) {
    cdi_tri s = *t;
    cdi_swap_if_after(&p, &q);
    cdi_swap_if_after(&s.v[0], &s.v[1]);
    cdi_swap_if_after(&s.v[1], &s.v[2]);
    cdi_swap_if_after(&s.v[0], &s.v[1]);
    return cdi_zero_on_edge(p, q, cdi_orient3d_accurate(s.v[0], s.v[1], s.v[2], p),
                            cdi_orient3d_accurate(s.v[0], s.v[1], s.v[2], q));
}

/* The later (order > 0: x is later) of two points on a line; of equal ones the first lexicographically. */
static cdi_v3 cdi_later(cdi_v3 x, cdi_v3 y, double order) {
    if (order == 0.0) return cdi_v3_before(x, y) ? x : y;
    return order > 0.0 ? x : y;
}

static void cdi_cut_add(cd_triangle_cut *cut, cdi_v3 p) {
    cd_vec3 r = cdi_v3_round(p);
    for (uint32_t i = 0; i < cut->count; ++i) {
        cd_vec3 q = cut->points[i];
        if (q.x == r.x && q.y == r.y && q.z == r.z) return;
    }
    if (cut->count < 6) cut->points[cut->count++] = r;
}

/* The common part of the intervals [I_1, I_2] and [J_2, J_1]. */
static void cdi_cut_line(const cdi_tri *a, const cdi_tri *b, cd_triangle_cut *cut) {
    cdi_v3 i1 = cdi_edge_plane_point(a->v[0], a->v[1], b), i2 = cdi_edge_plane_point(a->v[0], a->v[2], b);
    cdi_v3 j1 = cdi_edge_plane_point(b->v[0], b->v[1], a), j2 = cdi_edge_plane_point(b->v[0], b->v[2], a);
    cdi_v3 start = cdi_later(i1, j2, cdi_line_order(a, 1, b, 2));
    cdi_v3 end = cdi_later(i2, j1, -cdi_line_order(a, 2, b, 1));
    cdi_swap_if_after(&start, &end);
    cdi_cut_add(cut, start);
    cdi_cut_add(cut, end);
}

/* An axis along which the plane of both is seen without being folded; -1 when all corners are on one line. */
static int cdi_common_axis(const cdi_tri *a, const cdi_tri *b) {
    cdi_v3 p, q, n = cdi_exact_normal(a->v[0], a->v[1], a->v[2]);
    int axis = 0;
    if (cdi_v3_is_zero(n)) n = cdi_exact_normal(b->v[0], b->v[1], b->v[2]);
    cdi_tri_ends(a, &p, &q);
    for (int i = 0; i < 3 && cdi_v3_is_zero(n); ++i) n = cdi_exact_normal(p, q, b->v[i]);
    if (cdi_v3_is_zero(n)) return -1;
    for (int i = 1; i < 3; ++i) {
        if (cdi_abs(cdi_v3_get(n, i)) > cdi_abs(cdi_v3_get(n, axis))) axis = i;
    }
    return axis;
}

/* The corners of a that lie in b; both in one plane. */
static void cdi_cut_corners(const cdi_tri *a, const cdi_tri *b, cd_triangle_cut *cut) {
    for (int i = 0; i < 3; ++i) {
        cdi_tri p;
        p.v[0] = p.v[1] = p.v[2] = a->v[i];
        if (cdi_test_tri_tri_coplanar(&p, b)) cdi_cut_add(cut, a->v[i]);
    }
}

/* The point where two edges cross inside both, if they do. */
static void cdi_cut_crossing(cdi_v3 p, cdi_v3 q, cdi_v3 r, cdi_v3 s, int axis, cd_triangle_cut *cut) {
    cdi_v2 p2, q2, r2, s2;
    double from, to, r_side, s_side;
    cdi_swap_if_after(&p, &q);
    cdi_swap_if_after(&r, &s);
    p2 = cdi_v3_drop(p, axis);
    q2 = cdi_v3_drop(q, axis);
    r2 = cdi_v3_drop(r, axis);
    s2 = cdi_v3_drop(s, axis);
    from = cdi_orient2d(r2, s2, p2);
    to = cdi_orient2d(r2, s2, q2);
    r_side = cdi_orient2d(p2, q2, r2);
    s_side = cdi_orient2d(p2, q2, s2);
    if (from * cdi_sign(to) >= 0.0 || r_side * cdi_sign(s_side) >= 0.0) return;
    cdi_cut_add(cut, cdi_zero_on_edge(p, q, from, to));
}

/* A number that grows with the angle of (x, y), from 0 to 4. */
static double cdi_pseudo_angle(double x, double y) {
    double sum = cdi_abs(x) + cdi_abs(y);
    if (sum == 0.0) return 0.0;
    return y >= 0.0 ? 1.0 - x / sum : 3.0 + x / sum;
}

/* Put in order about the middle, counter-clockwise in the shadow along `axis`, or clockwise. */
static void cdi_cut_sort(cd_triangle_cut *cut, int axis, bool clockwise) {
    cdi_v3 middle = cdi_v3_make(0.0, 0.0, 0.0);
    double angle[6];
    for (uint32_t i = 0; i < cut->count; ++i) {
        middle = cdi_v3_along(middle, cdi_v3_of(cut->points[i]), 1.0 / (double)cut->count);
    }
    for (uint32_t i = 0; i < cut->count; ++i) {
        cdi_v2 d = cdi_v3_drop(cdi_v3_sub(cdi_v3_of(cut->points[i]), middle), axis);
        double own = cdi_pseudo_angle(d.x, clockwise ? -d.y : d.y);
        cd_vec3 p = cut->points[i];
        uint32_t j = i;
        for (; j > 0 && angle[j - 1] > own; --j) {
            angle[j] = angle[j - 1];
            cut->points[j] = cut->points[j - 1];
        }
        angle[j] = own;
        cut->points[j] = p;
    }
}

static void cdi_cut_plane(const cdi_tri *a, const cdi_tri *b, cd_triangle_cut *cut) {
    int axis = cdi_common_axis(a, b);
    cdi_cut_corners(a, b, cut);
    cdi_cut_corners(b, a, cut);
    if (axis < 0) return;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            cdi_cut_crossing(a->v[i], a->v[(i + 1) % 3], b->v[j], b->v[(j + 1) % 3], axis, cut);
        }
    }
    if (cut->count > 2) {
        cdi_v3 n = cdi_exact_normal(a->v[0], a->v[1], a->v[2]);
        if (cdi_v3_is_zero(n)) n = cdi_exact_normal(b->v[0], b->v[1], b->v[2]);
        cdi_cut_sort(cut, axis, cdi_v3_get(n, axis) < 0.0);
    }
}

/* A triangle without area as the segment between its ends. */
static cdi_tri cdi_tri_as_segment(const cdi_tri *t) {
    cdi_tri s = *t;
    if (cdi_has_area(t)) return s;
    cdi_tri_ends(t, &s.v[0], &s.v[1]);
    s.v[2] = s.v[1];
    return s;
}

/* One of the two is a segment that crosses the other's plane, or both are segments or points, or in one plane. */
static void cdi_cut_special(const cdi_tri *a, const cdi_tri *b, cd_triangle_cut *cut) {
    cdi_v3 p, q;
    double sp, sq;
    if (!cdi_has_area(a)) {
        const cdi_tri *swap = a;
        a = b;
        b = swap;
    }
    cdi_tri_ends(b, &p, &q);
    sp = cdi_orient3d(a->v[0], a->v[1], a->v[2], p);
    sq = cdi_orient3d(a->v[0], a->v[1], a->v[2], q);
    if (cdi_has_area(a) && !cdi_has_area(b) && (sp != 0.0 || sq != 0.0)) {
        cdi_cut_add(cut, cdi_edge_plane_point(p, q, a));
    } else {
        cdi_tri s = cdi_tri_as_segment(a), t = cdi_tri_as_segment(b);
        cut->coplanar = 1;
        cdi_cut_plane(&s, &t, cut);
    }
}

CD_API bool cd_intersect_triangle_triangle(const cd_triangle *a, const cd_triangle *b, cd_triangle_cut *out) {
    cdi_tri first = cdi_tri_of(a), second = cdi_tri_of(b), p = first, q = second;
    cdi_meeting meeting = cdi_meet_planes(&p, &q);
    cd_triangle_cut cut;
    cdi_clear(&cut, sizeof cut);
    if (meeting == CDI_APART) return false;
    if (meeting == CDI_SPECIAL) {
        if (!cdi_test_tri_tri_special(&first, &second)) return false;
        cdi_cut_special(&first, &second, &cut);
    } else {
        if (!cdi_intervals_meet(&p, &q)) return false;
        cdi_cut_line(&p, &q, &cut);
    }
    if (cut.count == 0) return false; /* far outside the domain */
    if (out) *out = cut;
    return true;
}

/* ---- bounds/rect_min.c --------------------------------------------------------------------------------------- */

/* ---- the sides of a polygon ---- */

static cdi_v2 cdi_ring2_at(const cdi_ring2 *r, size_t i) {
    return cdi_v2_of(r->points[r->corner[i % r->count]]);
}

/* From corner i to corner j; halved, so that it stays in range. */
static cdi_v3 cdi_ring2_between(const cdi_ring2 *r, size_t i, size_t j) {
    cdi_v2 a = cdi_ring2_at(r, i), b = cdi_ring2_at(r, j);
    return cdi_v3_make(0.5 * b.x - 0.5 * a.x, 0.5 * b.y - 0.5 * a.y, 0.0);
}

static cdi_v3 cdi_perp(cdi_v3 v) {
    return cdi_v3_make(-v.y, v.x, 0.0);
}

/* The corners that touch the sides of a rectangle: its base is the edge from `base`, then follow the others. */
typedef struct cdi_calipers {
    size_t base, right, top, left;
} cdi_calipers;

/* The best rectangle so far: its extents and the direction of its base. */
typedef struct cdi_best_rect {
    double size[3];
    cdi_v3 along;
} cdi_best_rect;

static void cdi_best_rect_try(cdi_best_rect *best, const cdi_ring2 *r, const cdi_calipers *c) {
    cdi_v3 along = cdi_v3_normalize(cdi_ring2_between(r, c->base, c->base + 1));
    double size[3];
    size[0] = cdi_v3_dot(along, cdi_ring2_between(r, c->left, c->right));
    size[1] = cdi_v3_dot(cdi_perp(along), cdi_ring2_between(r, c->base, c->top));
    size[2] = 0.0;
    if (c->base > 0 && !cdi_is_smaller(size, best->size)) return;
    cdi_copy(best->size, size, sizeof size);
    best->along = along;
}

static cdi_v3 cdi_ring2_all_edges(const cdi_ring2 *r) {
    cdi_best_rect best;
    cdi_calipers c;
    best.along = cdi_v3_make(1.0, 0.0, 0.0);
    for (c.base = 0; c.base < r->count && r->count > 1; ++c.base) {
        cdi_v3 along = cdi_v3_normalize(cdi_ring2_between(r, c.base, c.base + 1)), across = cdi_perp(along);
        double right = 0.0, left = 0.0, top = 0.0;
        c.right = c.left = c.top = c.base;
        for (size_t i = 0; i < r->count; ++i) {
            cdi_v3 d = cdi_ring2_between(r, c.base, i);
            double x = cdi_v3_dot(along, d), y = cdi_v3_dot(across, d);
            if (x > right) right = x, c.right = i;
            if (x < left) left = x, c.left = i;
            if (y > top) top = y, c.top = i;
        }
        cdi_best_rect_try(&best, r, &c);
    }
    return best.along;
}

/* ---- calipers ---- */

/* The sign of the product of the base with the edge from corner i, turned by a right angle first if asked to. */
static int cdi_ring2_rises(const cdi_ring2 *r, size_t base, size_t i, bool turned) {
    cdi_v2 a = cdi_ring2_at(r, base), b = cdi_ring2_at(r, base + 1);
    cdi_v2 p = cdi_ring2_at(r, i), q = cdi_ring2_at(r, i + 1), s = p, t = q;
    CDI_COUNT(rect);
    if (!turned) {
        s.x = -p.y, s.y = p.x;
        t.x = -q.y, t.y = q.x;
    }
    return cdi_sign(cdi_orient_edges(a, b, s, t));
}

/* Each corner is not before the one before it, and moves on while the polygon still rises toward its side. */
static void cdi_calipers_move(cdi_calipers *c, const cdi_ring2 *r) {
    if (c->right <= c->base) c->right = c->base + 1;
    while (cdi_ring2_rises(r, c->base, c->right, false) > 0) ++c->right;
    if (c->top < c->right) c->top = c->right;
    while (cdi_ring2_rises(r, c->base, c->top, true) > 0) ++c->top;
    if (c->left < c->top) c->left = c->top;
    while (cdi_ring2_rises(r, c->base, c->left, false) < 0) ++c->left;
}

CDI_FN cdi_v3 cdi_ring2_by_calipers(const cdi_ring2 *r) {
    cdi_best_rect best;
    cdi_calipers c;
    best.along = cdi_v3_make(1.0, 0.0, 0.0);
    c.right = c.top = c.left = 0;
    if (r->count == 2) return cdi_v3_normalize(cdi_ring2_between(r, 0, 1));
    for (c.base = 0; c.base < r->count && r->count > 2; ++c.base) {
        cdi_calipers_move(&c, r);
        cdi_best_rect_try(&best, r, &c);
    }
    return best.along;
}

/* ---- the rectangle ---- */

static void cdi_rect_store(const cdi_fit *f, cdi_v3 along, cd_obb2 *out) {
    cdi_m3 axes = cdi_fit_frame(along, cdi_perp(along));
    cd_obb box;
    cdi_fit_finish(f, &axes, &box);
    out->center = cd_vec2_make(box.center.x, box.center.y);
    out->axis = cd_vec2_make(box.axes.col[0].x, box.axes.col[0].y);
    out->half = cd_vec2_make(box.half.x, box.half.y);
}

static cd_status cdi_rect_around(const cd_vec2 *points, size_t count, const cd_allocator *allocator,
                                 bool calipers, cd_obb2 *out) {
    uint32_t *corner = NULL;
    cdi_ring2 ring;
    cdi_fit f;
    cd_status status = cdi_fit_flat(&f, points, count);
    cdi_clear(out, sizeof *out);
    if (status != CD_OK) return status;
    if (count >= CD_NONE) return CD_TOO_LARGE;
    corner = (uint32_t *)cdi_alloc(allocator, count, sizeof *corner);
    if (!corner) return CD_OUT_OF_MEMORY;
    cd_hull2_andrew(points, count, corner, &ring.count);
    ring.points = points;
    ring.corner = corner;
    cdi_rect_store(&f, calipers ? cdi_ring2_by_calipers(&ring) : cdi_ring2_all_edges(&ring), out);
    cdi_free(allocator, corner, count, sizeof *corner);
    return CD_OK;
}

CD_API cd_status cd_min_area_rect(const cd_vec2 *points, size_t count, const cd_allocator *allocator,
                                  cd_obb2 *out) {
    return cdi_rect_around(points, count, allocator, false, out);
}

CD_API cd_status cd_min_area_rect_calipers(const cd_vec2 *points, size_t count, const cd_allocator *allocator,
                                           cd_obb2 *out) {
    return cdi_rect_around(points, count, allocator, true, out);
}

/* ---- bounds/obb_fit.c ---------------------------------------------------------------------------------------- */

/* ---- covariance ---- */

CDI_FN cdi_m3 cdi_fit_pca(const cdi_fit *f) {
    cdi_v3 mean = cdi_mean(f->points, f->count);
    cdi_m3 m = cdi_covariance(f->points, f->count, mean, f->scale);
    return cdi_principal_frame(&m);
}

/* The moments of inertia are sums of two of the second moments each. False without mass. */
static bool cdi_mass_frame(const cd_mass *mass, cdi_m3 *axes) {
    double m[3][3], largest = 0.0, half_trace;
    for (int i = 0; i < 3; ++i) largest = cdi_max(largest, cdi_abs(mass->inertia[i][i]));
    if (mass->mass == 0.0 || !(largest > 0.0)) return false;
    for (int i = 0; i < 9; ++i)
        m[i / 3][i % 3] = cdi_scale2(mass->inertia[i / 3][i % 3], -cdi_exponent(largest));
    half_trace = 0.5 * (m[0][0] + m[1][1] + m[2][2]);
    for (int j = 0; j < 3; ++j) {
        double c[3];
        for (int i = 0; i < 3; ++i) c[i] = (i == j ? half_trace : 0.0) - m[i][j];
        axes->c[j] = cdi_v3_make(c[0], c[1], c[2]);
    }
    *axes = cdi_principal_frame(axes);
    return true;
}

CD_API cd_status cd_obb_from_points(const cd_vec3 *points, size_t count, cd_obb *out) {
    return cd_obb_pca(points, count, CD_PCA_ALL, NULL, out);
}

/* ---- surfaces and solids ---- */

CDI_FN bool cdi_hull_frame(const cd_hull *hull, cdi_m3 *axes) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cd_mass m;
    return p.face_count > 0 && cdi_hull_moments(&p, cd_hull_bounds(hull), true, &m) &&
           cdi_mass_frame(&m, axes);
}

CD_API cd_status cd_obb_from_hull(const cd_hull *hull, cd_obb *out) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cdi_m3 axes;
    cdi_fit f;
    cd_status status = cdi_fit_points(&f, p.vertices, p.vertex_count);
    cdi_clear(out, sizeof *out);
    if (status != CD_OK) return status;
    if (!cdi_hull_frame(hull, &axes)) axes = cdi_fit_by_pairs(&f);
    cdi_fit_finish(&f, &axes, out);
    return CD_OK;
}

/* The solid in the place of its surface, unless it is thinner than 1e-11 of its size: then its moments are rounding errors. */
static void cdi_prefer_solid(const cdi_fit *f, cd_mass *surface) {
    cd_mass solid;
    cd_mass_properties(f->mesh, &solid);
    if (surface->mass > 0.0 && cdi_abs(solid.mass) / surface->mass * f->scale > 1e-11) *surface = solid;
}

static cd_status cdi_obb_of_mesh(const cd_mesh_view *mesh, bool solid, cd_obb *out) {
    cd_mass mass;
    cdi_m3 axes;
    cdi_fit f;
    cd_status status = cdi_fit_mesh(&f, mesh);
    cdi_clear(out, sizeof *out);
    if (status != CD_OK) return status;
    cd_mass_properties_shell(mesh, &mass);
    if (solid) cdi_prefer_solid(&f, &mass);
    if (!cdi_mass_frame(&mass, &axes)) axes = cdi_fit_by_pairs(&f);
    cdi_fit_finish(&f, &axes, out);
    return CD_OK;
}

CD_API cd_status cd_obb_from_mesh(const cd_mesh_view *mesh, cd_obb *out) {
    return cdi_obb_of_mesh(mesh, false, out);
}

CD_API cd_status cd_obb_from_inertia(const cd_mesh_view *mesh, cd_obb *out) {
    return cdi_obb_of_mesh(mesh, true, out);
}

/* ---- extreme pairs ---- */

/* v less its part along the unit vector. */
static cdi_v3 cdi_v3_across(cdi_v3 v, cdi_v3 unit) {
    return cdi_v3_along(v, unit, -cdi_v3_dot(unit, v));
}

/* The point farthest from `from` as seen along `axis` (zero: in space). */
static cdi_v3 cdi_fit_farthest(const cdi_fit *f, cdi_v3 from, cdi_v3 axis) {
    double most = -1.0;
    cdi_v3 best = from;
    for (size_t i = 0; i < f->count; ++i) {
        cdi_v3 p = cdi_fit_local(f, i);
        double far_off = cdi_v3_sqlength(cdi_v3_across(cdi_v3_sub(p, from), axis));
        if (far_off > most) {
            most = far_off;
            best = p;
        }
    }
    return best;
}

/* Between two points far apart, from the one with the least coordinate on the longest side of the bounds. */
static cdi_v3 cdi_fit_long_pair(const cdi_fit *f, cdi_v3 axis) {
    cdi_extents e = cdi_extents_none();
    cdi_m3 frame = axis.x == 0.0 && axis.y == 0.0 && axis.z == 0.0 ? cdi_fit_identity()
                                                                   : cdi_fit_frame(axis, cdi_across(axis));
    cdi_v3 p;
    int k = cdi_v3_is_zero(axis) ? 0 : 1;
    e = cdi_fit_extents(f, &frame);
    for (int i = k + 1; i < 3; ++i) {
        if (e.hi[i] - e.lo[i] > e.hi[k] - e.lo[k]) k = i;
    }
    p = cdi_v3_scale(frame.c[k], e.lo[k]);
    p = cdi_fit_farthest(f, p, axis);
    return cdi_v3_across(cdi_v3_sub(cdi_fit_farthest(f, p, axis), p), axis);
}

CDI_FN cdi_m3 cdi_fit_by_pairs(const cdi_fit *f) {
    cdi_v3 first = cdi_v3_normalize(cdi_fit_long_pair(f, cdi_v3_make(0.0, 0.0, 0.0)));
    return cdi_fit_frame(first, cdi_v3_is_zero(first) ? first : cdi_fit_long_pair(f, first));
}

CD_API cd_status cd_obb_barequet(const cd_vec3 *points, size_t count, cd_obb *out) {
    cdi_m3 axes;
    cdi_fit f;
    cd_status status = cdi_fit_points(&f, points, count);
    cdi_clear(out, sizeof *out);
    if (status != CD_OK) return status;
    axes = cdi_fit_by_pairs(&f);
    cdi_fit_finish(&f, &axes, out);
    return CD_OK;
}

/* ---- rectangles across an axis ---- */

CDI_FN cd_status cdi_fit_shadow_take(cdi_fit_shadow *s, size_t count, const cd_allocator *allocator) {
    s->count = count;
    s->corner = NULL;
    s->points = NULL;
    if (count >= CD_NONE) return CD_TOO_LARGE;
    s->points = (cd_vec2 *)cdi_alloc(allocator, count, sizeof *s->points);
    s->corner = s->points ? (uint32_t *)cdi_alloc(allocator, count, sizeof *s->corner) : NULL;
    if (s->corner) return CD_OK;
    cdi_fit_shadow_free(s, allocator);
    return CD_OUT_OF_MEMORY;
}

CDI_FN void cdi_fit_shadow_free(cdi_fit_shadow *s, const cd_allocator *allocator) {
    cdi_free(allocator, s->corner, s->count, sizeof *s->corner);
    cdi_free(allocator, s->points, s->count, sizeof *s->points);
}

CDI_FN cdi_m3 cdi_fit_across(const cdi_fit *f, cdi_fit_shadow *s, cdi_v3 axis) {
    cdi_m3 frame = cdi_fit_frame(axis, cdi_across(axis));
    cdi_ring2 ring;
    cdi_v3 along;
    for (size_t i = 0; i < f->count; ++i) {
        cdi_v3 p = cdi_fit_local(f, i);
        s->points[i] = cd_vec2_make((cd_real)cdi_v3_dot(frame.c[1], p), (cd_real)cdi_v3_dot(frame.c[2], p));
    }
    cd_hull2_andrew(s->points, f->count, s->corner, &ring.count);
    ring.points = s->points;
    ring.corner = s->corner;
    along = cdi_ring2_by_calipers(&ring);
    return cdi_fit_frame(frame.c[0], cdi_v3_along(cdi_v3_scale(frame.c[1], along.x), frame.c[2], along.y));
}

CD_API cd_status cd_obb_pca(const cd_vec3 *points, size_t count, cd_pca_axes axes,
                            const cd_allocator *allocator, cd_obb *out) {
    cdi_fit_shadow shadow;
    cdi_m3 frame;
    cdi_fit f;
    cd_status status = cdi_fit_points(&f, points, count);
    cdi_clear(out, sizeof *out);
    if (status != CD_OK) return status;
    frame = cdi_fit_pca(&f);
    if (axes == CD_PCA_MAX || axes == CD_PCA_MIN) {
        status = cdi_fit_shadow_take(&shadow, count, allocator);
        if (status != CD_OK) return status;
        frame = cdi_fit_across(&f, &shadow, frame.c[axes == CD_PCA_MAX ? 0 : 2]);
        cdi_fit_shadow_free(&shadow, allocator);
    }
    cdi_fit_finish(&f, &frame, out);
    return CD_OK;
}

/* ---- bounds/obb_search.c ------------------------------------------------------------------------------------- */

/* ---- iterated projection ---- */

/* Extents in local coordinates: smaller by more than rounding errors? */
static bool cdi_extents_gain(const cdi_extents *a, const cdi_extents *b) {
    double p[3], q[3];
    for (int k = 0; k < 3; ++k) {
        p[k] = a->hi[k] - a->lo[k];
        q[k] = (b->hi[k] - b->lo[k]) * (1.0 - 2.0 * (double)CD_REAL_EPSILON);
    }
    return cdi_is_smaller(p, q);
}

CDI_FN void cdi_fit_refine(const cdi_fit *f, cdi_fit_shadow *s, cdi_m3 *axes) {
    cdi_extents best = cdi_fit_extents(f, axes);
    int axis = 0, idle = 0;
    for (int i = 0; i < 512 && idle < 3; ++i, axis = (axis + 1) % 3) {
        cdi_m3 next = cdi_fit_across(f, s, axes->c[axis]);
        cdi_extents e = cdi_fit_extents(f, &next);
        ++idle;
        if (!cdi_extents_gain(&e, &best)) continue;
        best = e;
        *axes = next;
        axis = 0; /* the axis that was used is the first one now */
        idle = 1;
    }
}

/* Then the box along the axes of the world would be given, and could be made smaller. */
static bool cdi_bounds_are_smaller(const cdi_fit *f, const cdi_m3 *axes) {
    cdi_m3 world = cdi_fit_identity();
    cdi_extents a = cdi_fit_extents(f, &world), b = cdi_fit_extents(f, axes);
    return cdi_extents_gain(&a, &b);
}

CD_API cd_status cd_obb_refine(const cd_vec3 *points, size_t count, const cd_allocator *allocator,
                               cd_obb *box) {
    cdi_m3 axes = cdi_m3_of(&box->axes);
    cdi_fit_shadow shadow;
    cdi_fit f;
    cd_status status = cdi_fit_points(&f, points, count);
    cdi_clear(box, sizeof *box);
    if (status == CD_OK) status = cdi_fit_shadow_take(&shadow, count, allocator);
    if (status != CD_OK) return status;
    axes = cdi_fit_frame(axes.c[0], axes.c[1]);
    cdi_fit_refine(&f, &shadow, &axes);
    if (cdi_bounds_are_smaller(&f, &axes)) {
        axes = cdi_fit_identity();
        cdi_fit_refine(&f, &shadow, &axes);
    }
    cdi_fit_shadow_free(&shadow, allocator);
    cdi_fit_finish(&f, &axes, box);
    return CD_OK;
}

/* ---- trying orientations ---- */

/* The best orientation so far, and the points at its six sides. */
typedef struct cdi_obb_search {
    const cdi_fit *fit;
    cdi_m3 axes;
    double volume;
    cdi_v3 outer[6];
} cdi_obb_search;

/* Takes the axes if their box is smaller; true if so. The outer points often show that it cannot be. */
static bool cdi_obb_search_try(cdi_obb_search *s, const cdi_m3 *axes) {
    cdi_extents e = cdi_extents_none();
    double volume;
    CDI_COUNT(obb_tried);
    for (int i = 0; i < 6; ++i) cdi_extents_add(&e, axes, s->outer[i]);
    if (cdi_extents_volume(&e) >= s->volume) return false;
    CDI_COUNT(obb_measured);
    for (size_t i = 0; i < s->fit->count; ++i) {
        cdi_extents_add(&e, axes, cdi_fit_local(s->fit, i));
        if (i % 64 == 63 && cdi_extents_volume(&e) >= s->volume) return false;
    }
    volume = cdi_extents_volume(&e);
    if (!(volume < s->volume)) return false;
    s->volume = volume;
    s->axes = *axes;
    return true;
}

static void cdi_obb_search_find_outer(cdi_obb_search *s) {
    cdi_extents e = cdi_extents_none(), before;
    for (size_t i = 0; i < s->fit->count; ++i) {
        cdi_v3 p = cdi_fit_local(s->fit, i);
        before = e;
        cdi_extents_add(&e, &s->axes, p);
        for (int k = 0; k < 3; ++k) {
            if (e.lo[k] < before.lo[k]) s->outer[2 * k] = p;
            if (e.hi[k] > before.hi[k]) s->outer[2 * k + 1] = p;
        }
    }
}

static void cdi_obb_search_begin(cdi_obb_search *s, const cdi_fit *f, const cdi_m3 *axes) {
    cdi_extents e = cdi_fit_extents(f, axes);
    s->fit = f;
    s->axes = *axes;
    s->volume = cdi_extents_volume(&e);
    cdi_obb_search_find_outer(s);
}

/* The rotation by an axis times tan(angle / 2) (Rodrigues' vector; Cayley), after the given one. */
static cdi_m3 cdi_turned(const cdi_m3 *axes, cdi_v3 turn) {
    double square = cdi_v3_sqlength(turn), share = 2.0 / (1.0 + square);
    cdi_m3 m;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 v = axes->c[i], w = cdi_v3_cross(turn, v);
        m.c[i] = cdi_v3_along(v, cdi_v3_add(w, cdi_v3_cross(turn, w)), share);
    }
    return cdi_fit_frame(m.c[0], m.c[1]);
}

static bool cdi_obb_search_options_of(const cd_obb_search_options *options, uint32_t steps,
                                      cd_obb_search_options *o) {
    cdi_clear(o, sizeof *o);
    if (options) *o = *options;
    if (o->steps == 0) o->steps = steps;
    if (o->rounds == 0) o->rounds = 8;
    if (o->starts == 0) o->starts = 8;
    return o->rounds <= 64 && o->starts <= 4096;
}

/* ---- the grid ---- */

/* One round: a grid of turns around the best orientation so far, as far as `reach` along each direction. */
static void cdi_obb_search_grid(cdi_obb_search *s, int steps, double reach) {
    cdi_m3 middle = s->axes;
    double step = 2.0 * reach / (double)(steps - 1);
    bool better = false;
    for (int i = 0; i < steps * steps * steps; ++i) {
        cdi_v3 turn = cdi_v3_make(i % steps, i / steps % steps, i / steps / steps);
        cdi_m3 axes = cdi_turned(&middle, cdi_v3_along(cdi_v3_make(-reach, -reach, -reach), turn, step));
        better = cdi_obb_search_try(s, &axes) || better;
    }
    if (better) cdi_obb_search_find_outer(s);
}

CD_API cd_status cd_obb_brute_force(const cd_vec3 *points, size_t count, const cd_obb_search_options *options,
                                    cd_obb *out) {
    double reach = 0.41421356237309503; /* sqrt(2) - 1 */
    cd_obb_search_options o;
    cdi_obb_search s;
    cdi_m3 axes;
    cdi_fit f;
    bool good = cdi_obb_search_options_of(options, 8, &o) && o.steps >= 2 && o.steps <= 256;
    cd_status status = good ? cdi_fit_points(&f, points, count) : CD_INVALID_ARGUMENT;
    cdi_clear(out, sizeof *out);
    if (status != CD_OK) return status;
    axes = cdi_fit_pca(&f);
    cdi_obb_search_begin(&s, &f, &axes);
    for (uint32_t i = 0; i < o.rounds; ++i) {
        cdi_obb_search_grid(&s, (int)o.steps, reach);
        reach *= cdi_min(2.5 / (double)(o.steps - 1), 0.75);
    }
    cdi_fit_finish(&f, &s.axes, out);
    return CD_OK;
}

/* ---- random turns ---- */

/* In -1...1 (splitmix64). */
static double cdi_random_next(uint64_t *state) {
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return (double)(int64_t)(z >> 11) * 2.220446049250313e-16 - 1.0; /* 2^-52 */
}

static cdi_v3 cdi_random_turn(uint64_t *state, double reach) {
    double x = cdi_random_next(state), y = cdi_random_next(state), z = cdi_random_next(state);
    return cdi_v3_make(reach * x, reach * y, reach * z);
}

/* From one start: turns, each smaller than the last one that did not help. */
static void cdi_obb_search_walk(cdi_obb_search *s, uint32_t steps, uint64_t *state) {
    double reach = 0.41421356237309503;
    for (uint32_t i = 0; i < steps && reach > 1e-9; ++i) {
        cdi_m3 axes = cdi_turned(&s->axes, cdi_random_turn(state, reach));
        if (cdi_obb_search_try(s, &axes)) {
            cdi_obb_search_find_outer(s);
        } else {
            reach *= 0.93;
        }
    }
}

CD_API cd_status cd_obb_optimize(const cd_vec3 *points, size_t count, const cd_obb_search_options *options,
                                 cd_obb *out) {
    cdi_obb_search best, s;
    cd_obb_search_options o;
    uint64_t state;
    cdi_m3 axes;
    cdi_fit f;
    bool good = cdi_obb_search_options_of(options, 200, &o) && o.steps <= 1000000;
    cd_status status = good ? cdi_fit_points(&f, points, count) : CD_INVALID_ARGUMENT;
    cdi_clear(out, sizeof *out);
    if (status != CD_OK) return status;
    state = o.seed;
    axes = cdi_fit_pca(&f);
    for (uint32_t i = 0; i < o.starts; ++i) {
        if (i == 1) axes = cdi_fit_identity();
        if (i > 1) axes = cdi_turned(&axes, cdi_random_turn(&state, 1.0));
        cdi_obb_search_begin(&s, &f, &axes);
        cdi_obb_search_walk(&s, o.steps, &state);
        if (i == 0 || s.volume < best.volume) best = s;
    }
    cdi_fit_finish(&f, &best.axes, out);
    return CD_OK;
}

/* ---- bounds/obb_min.c ---------------------------------------------------------------------------------------- */

/* A box is taken for no smaller when it is not by this share. */
#ifdef COLLIDE_DOUBLE
#define CDI_MIN_BOX_SHARE 1e-9
#else
#define CDI_MIN_BOX_SHARE 1e-7
#endif

/* An interval is halved this often at most, in all and one part of it: what is thinner than rounding errors never shows enough. */
#define CDI_MIN_BOX_PARTS 500
#define CDI_MIN_BOX_DEPTH 40

/* The normals of the planes that touch the hull along an edge: from one to the other on the shorter way. */
typedef struct cdi_arc {
    uint32_t from, to; /* normals */
    uint32_t vertex;   /* an end of the edge */
    uint32_t opposite; /* the farthest vertex from a plane in the middle */
} cdi_arc;

/* The hull in local coordinates, the arcs of its edges, and the best box so far. */
typedef struct cdi_min_box {
    cdi_v3 *vertex, *normal;
    cdi_arc *arc;
    double *from, *to;          /* the products of each normal with both ends of the arc in hand */
    uint32_t *first, *neighbor; /* the neighbours of vertex i: first[i] to first[i + 1] */
    uint32_t vertex_count, normal_count, arc_count;
    uint32_t parts;     /* that the interval in hand may still be halved into */
    uint32_t high, low; /* where to look first for the ends along the third axis */
    double volume;
    cdi_m3 axes;
} cdi_min_box;

/* ---- preparing ---- */

/* All arrays in one block; their number is bounded by that of the edges, each of which gives up to two arcs. */
typedef struct cdi_min_box_memory {
    double *block;
    size_t count;
} cdi_min_box_memory;

static bool cdi_min_box_take(cdi_min_box *m, const cd_hull_parts *p, const cd_allocator *allocator,
                             cdi_min_box_memory *memory) {
    size_t vertices = p->vertex_count, edges = p->half_edge_count / 2, normals = p->face_count + edges;
    size_t arcs = 2 * edges;
    memory->count = 3 * vertices + 5 * normals + 2 * arcs + (vertices + 2 * edges) / 2 + 1;
    memory->block = (double *)cdi_alloc(allocator, memory->count, sizeof(double));
    if (!memory->block) return false;
    m->vertex = (cdi_v3 *)(void *)memory->block;
    m->normal = m->vertex + vertices;
    m->from = (double *)(void *)(m->normal + normals);
    m->to = m->from + normals;
    m->arc = (cdi_arc *)(void *)(m->to + normals);
    m->first = (uint32_t *)(void *)(m->arc + arcs);
    m->neighbor = m->first + vertices + 1;
    m->vertex_count = p->vertex_count;
    m->normal_count = p->face_count;
    m->arc_count = 0;
    m->high = m->low = 0;
    return true;
}

static void cdi_min_box_find_neighbors(cdi_min_box *m, const cd_hull_parts *p) {
    uint32_t n = 0;
    for (uint32_t v = 0; v < p->vertex_count; ++v) {
        uint32_t e = p->outgoing[v];
        m->first[v] = n;
        do {
            m->neighbor[n++] = p->half_edges[p->half_edges[e].twin].origin;
            e = p->half_edges[cd_hull_previous(p, e)].twin;
        } while (e != p->outgoing[v]);
    }
    m->first[p->vertex_count] = n;
}

/* Of a face as a fan of triangles. */
static cdi_v3 cdi_min_box_face_normal(const cdi_min_box *m, const cd_hull_parts *p, const cd_hull_face *f) {
    const cd_half_edge *e = p->half_edges + f->first;
    cdi_v3 a = m->vertex[e[0].origin], sum = cdi_v3_make(0.0, 0.0, 0.0);
    for (uint32_t i = 2; i < f->count; ++i) {
        cdi_v3 b = cdi_v3_sub(m->vertex[e[i - 1].origin], a), c = cdi_v3_sub(m->vertex[e[i].origin], a);
        sum = cdi_v3_add(sum, cdi_v3_cross(b, c));
    }
    sum = cdi_v3_normalize(sum);
    return cdi_v3_is_zero(sum) ? cdi_v3_of(f->plane.n) : sum;
}

/* The farthest vertex, by way of ever farther neighbours. */
static uint32_t cdi_min_box_climb(const cdi_min_box *m, cdi_v3 n, uint32_t v) {
    double most = cdi_v3_dot(n, m->vertex[v]);
    for (uint32_t i = m->first[v]; i < m->first[v + 1];) {
        double along = cdi_v3_dot(n, m->vertex[m->neighbor[i]]);
        if (along > most) {
            most = along;
            v = m->neighbor[i];
            i = m->first[v];
        } else {
            ++i;
        }
    }
    return v;
}

static void cdi_min_box_add_arc(cdi_min_box *m, uint32_t from, uint32_t to, uint32_t vertex) {
    cdi_arc *a = &m->arc[m->arc_count++];
    a->from = from;
    a->to = to;
    a->vertex = vertex;
    a->opposite = cdi_min_box_climb(m, cdi_v3_neg(cdi_v3_add(m->normal[from], m->normal[to])),
                                    m->arc_count > 1 ? a[-1].opposite : vertex);
}

/* An arc of more than a right angle is two: the middle is the sum of the directions in which its faces leave the edge. */
static void cdi_min_box_add_edge(cdi_min_box *m, const cd_half_edge *e, const cd_half_edge *twin) {
    cdi_v3 a = m->normal[e->face], b = m->normal[twin->face];
    cdi_v3 along = cdi_v3_normalize(cdi_v3_sub(m->vertex[twin->origin], m->vertex[e->origin]));
    uint32_t middle = m->normal_count;
    if (cdi_v3_dot(a, b) >= 0.0) {
        cdi_min_box_add_arc(m, e->face, twin->face, e->origin);
        return;
    }
    m->normal[middle] = cdi_v3_normalize(cdi_v3_add(cdi_v3_cross(along, a), cdi_v3_cross(b, along)));
    ++m->normal_count;
    cdi_min_box_add_arc(m, e->face, middle, e->origin);
    cdi_min_box_add_arc(m, middle, twin->face, e->origin);
}

static void cdi_min_box_prepare(cdi_min_box *m, const cdi_fit *f, const cd_hull_parts *p) {
    for (uint32_t i = 0; i < p->vertex_count; ++i) m->vertex[i] = cdi_fit_local(f, i);
    for (uint32_t i = 0; i < p->face_count; ++i) m->normal[i] = cdi_min_box_face_normal(m, p, &p->faces[i]);
    cdi_min_box_find_neighbors(m, p);
    for (uint32_t i = 0; i < p->half_edge_count; ++i) {
        const cd_half_edge *e = &p->half_edges[i];
        if (e->twin > i) cdi_min_box_add_edge(m, e, &p->half_edges[e->twin]);
    }
}

/* ---- the boxes on two edges ----
 * n1 = from1 + s (to1 - from1) and n2 = from2 + t (to2 - from2) are perpendicular where c[0] + c[1] s + c[2] t + c[3] s t = 0. */

typedef struct cdi_arc_pair {
    const cdi_arc *arc[2];
    double c[4];
} cdi_arc_pair;

/* A box on both edges; the third axis is across both. `d[i]` joins the vertices at its ends on axis i. */
typedef struct cdi_edge_box {
    double at[2]; /* s and t */
    double volume;
    cdi_m3 axes;
    cdi_v3 d[3];
} cdi_edge_box;

static cdi_v3 cdi_arc_normal(const cdi_min_box *m, const cdi_arc *a, double s) {
    return cdi_v3_normalize(cdi_v3_along(cdi_v3_scale(m->normal[a->from], 1.0 - s), m->normal[a->to], s));
}

static void cdi_edge_box_place(const cdi_min_box *m, const cdi_arc_pair *p, double s, double t,
                               cdi_edge_box *b) {
    b->at[0] = s;
    b->at[1] = t;
    b->axes = cdi_fit_frame(cdi_arc_normal(m, p->arc[0], s), cdi_arc_normal(m, p->arc[1], t));
}

static double cdi_edge_box_volume(const cdi_m3 *axes, const cdi_v3 d[3]) {
    double x = cdi_v3_dot(axes->c[0], d[0]), y = cdi_v3_dot(axes->c[1], d[1]),
           z = cdi_v3_dot(axes->c[2], d[2]);
    return x > 0.0 && y > 0.0 && z > 0.0 ? x * y * z : 0.0;
}

/* Asks all vertices: climbing may have been stopped by rounding errors among vertices next to each other. */
static void cdi_min_box_keep(cdi_min_box *m, const cdi_m3 *axes) {
    cdi_extents e = cdi_extents_none();
    double volume;
    for (uint32_t i = 0; i < m->vertex_count; ++i) cdi_extents_add(&e, axes, m->vertex[i]);
    volume = cdi_extents_volume(&e);
    if (!(volume < m->volume)) return;
    m->volume = volume;
    m->axes = *axes;
}

static void cdi_edge_box_measure(cdi_min_box *m, const cdi_arc_pair *p, cdi_edge_box *b) {
    for (int k = 0; k < 2; ++k) {
        uint32_t u = cdi_min_box_climb(m, b->axes.c[k], p->arc[k]->vertex);
        uint32_t v = cdi_min_box_climb(m, cdi_v3_neg(b->axes.c[k]), p->arc[k]->opposite);
        b->d[k] = cdi_v3_sub(m->vertex[u], m->vertex[v]);
    }
    m->high = cdi_min_box_climb(m, b->axes.c[2], m->high);
    m->low = cdi_min_box_climb(m, cdi_v3_neg(b->axes.c[2]), m->low);
    b->d[2] = cdi_v3_sub(m->vertex[m->high], m->vertex[m->low]);
    b->volume = cdi_edge_box_volume(&b->axes, b->d);
    CDI_COUNT(obb_measured);
    if (b->volume < m->volume) cdi_min_box_keep(m, &b->axes);
}

/* ---- an interval of them ---- */

/* The square of the largest angle between the axes, about. */
static double cdi_edge_box_turn(const cdi_edge_box *a, const cdi_edge_box *b) {
    double most = 0.0;
    for (int k = 0; k < 3; ++k) most = cdi_max(most, cdi_v3_sqlength(cdi_v3_sub(a->axes.c[k], b->axes.c[k])));
    return most;
}

/* How far the product of the three extents can fall below what its ends let expect, relative to it: an extent d . n changes along
 * the way by its second derivative, which |d| bounds. */
static double cdi_edge_box_sag(const cdi_edge_box *b, double turn) {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        double extent = cdi_v3_dot(b->axes.c[k], b->d[k]);
        if (!(extent > 0.0)) return 1.0;
        sum += cdi_v3_length(b->d[k]) / extent;
    }
    return 0.25 * turn * sum;
}

/* Between a and b the volume is at least that of either's vertices. One over the volume of the same vertices is about convex, so it is below
 * its chord; the lesser of both chords is largest where they cross: `where`, a share of the way. */
static double cdi_edge_box_bound(const cdi_edge_box *a, const cdi_edge_box *b, double *where) {
    double ab = cdi_edge_box_volume(&b->axes, a->d), ba = cdi_edge_box_volume(&a->axes, b->d);
    double pa, pb, qa, qb, gap, most;
    *where = 0.5;
    if (!(ab > 0.0 && ba > 0.0 && a->volume > 0.0 && b->volume > 0.0)) return 0.0;
    pa = 1.0 / a->volume, pb = 1.0 / ab; /* the vertices of a, at a and at b */
    qa = 1.0 / ba, qb = 1.0 / b->volume;
    most = cdi_max(pa, qb);
    gap = (qa - pa) + (pb - qb);
    if (gap > 1e-12 * most) {
        *where = cdi_clamp((qa - pa) / gap, 0.0, 1.0);
        most = cdi_max(most, pa + *where * (pb - pa));
    }
    return 1.0 / most;
}

/* The other parameter, where one of them is x. */
static double cdi_arc_pair_solve(const cdi_arc_pair *p, int given, double x, double lo, double hi) {
    double constant = p->c[0] + p->c[1 + given] * x, slope = p->c[2 - given] + p->c[3] * x;
    double y = slope != 0.0 ? -constant / slope : 0.5 * (lo + hi);
    return cdi_clamp(y, cdi_min(lo, hi), cdi_max(lo, hi));
}

/* A box between two, at a share of the way by the parameter that turns the box more. */
static void cdi_edge_box_between(const cdi_min_box *m, const cdi_arc_pair *p, const cdi_edge_box *a,
                                 const cdi_edge_box *b, double share, cdi_edge_box *out) {
    double turn0 = cdi_v3_sqlength(cdi_v3_sub(a->axes.c[0], b->axes.c[0]));
    double turn1 = cdi_v3_sqlength(cdi_v3_sub(a->axes.c[1], b->axes.c[1]));
    int k = turn0 >= turn1 ? 0 : 1;
    double x[2];
    x[k] = a->at[k] + share * (b->at[k] - a->at[k]);
    x[1 - k] = cdi_arc_pair_solve(p, k, x[k], a->at[1 - k], b->at[1 - k]);
    cdi_edge_box_place(m, p, x[0], x[1], out);
}

static void cdi_min_box_search(cdi_min_box *m, const cdi_arc_pair *p, const cdi_edge_box *a,
                               const cdi_edge_box *b, int depth) {
    double turn = cdi_edge_box_turn(a, b), where, bound = cdi_edge_box_bound(a, b, &where), sag;
    cdi_edge_box middle;
    sag = cdi_max(cdi_edge_box_sag(a, turn), cdi_edge_box_sag(b, turn));
    if (depth == 0 || m->parts == 0 || turn < 1e-28 ||
        bound * (1.0 - sag) >= m->volume * (1.0 - CDI_MIN_BOX_SHARE))
        return;
    --m->parts;
    where = turn > 0.01 ? 0.5 : cdi_clamp(where, 0.05, 0.95);
    cdi_edge_box_between(m, p, a, b, depth % 4 == 0 ? 0.5 : where, &middle);
    cdi_edge_box_measure(m, p, &middle);
    cdi_min_box_search(m, p, a, &middle, depth - 1);
    cdi_min_box_search(m, p, &middle, b, depth - 1);
}

/* ---- pairs of arcs ---- */

/* The point of the unit square where two parameters begin, before another: in the order of s, then of t. */
static bool cdi_arc_end_before(const double a[2], const double b[2]) {
    return a[0] != b[0] ? a[0] < b[0] : a[1] < b[1];
}

/* Puts a point into its place among `n` in order, and returns how many there are then. */
static int cdi_arc_ends_add(double ends[4][2], int n, int k, double at_k, double at_other) {
    double end[2];
    int i = n;
    end[k] = at_k;
    end[1 - k] = at_other;
    for (int j = 0; j < n; ++j) {
        if (ends[j][0] == end[0] && ends[j][1] == end[1]) return n; /* a corner of the square, met twice */
    }
    for (; i > 0 && cdi_arc_end_before(end, ends[i - 1]); --i) cdi_copy(ends[i], ends[i - 1], sizeof end);
    cdi_copy(ends[i], end, sizeof end);
    return n + 1;
}

/* Where the curve of perpendicular normals meets the sides of the unit square, in order: at two points, or at four, which
 * belong together two by two. `corner[s][t]` are the products of the normals at its corners. */
static int cdi_arc_pair_ends(double corner[2][2], double ends[4][2]) {
    int n = 0;
    for (int side = 0; side < 4; ++side) {
        int k = side & 1, end = side >> 1; /* parameter k is at this end */
        double x = k == 0 ? corner[end][0] : corner[0][end], y = k == 0 ? corner[end][1] : corner[1][end];
        if ((x > 0.0 && y > 0.0) || (x < 0.0 && y < 0.0)) continue;
        n = cdi_arc_ends_add(ends, n, k, (double)end, x == y ? 0.5 : cdi_clamp(x / (x - y), 0.0, 1.0));
    }
    return n;
}

/* First one box in the middle: its vertices often show that none of the family is small enough. */
static void cdi_min_box_try_interval(cdi_min_box *m, const cdi_arc_pair *p, const double from[2],
                                     const double to[2]) {
    cdi_edge_box a, b, middle;
    double turn, least;
    cdi_edge_box_place(m, p, from[0], from[1], &a);
    cdi_edge_box_place(m, p, to[0], to[1], &b);
    turn = cdi_edge_box_turn(&a, &b);
    cdi_edge_box_between(m, p, &a, &b, 0.5, &middle);
    cdi_edge_box_measure(m, p, &middle);
    least = cdi_min(cdi_edge_box_volume(&a.axes, middle.d), cdi_edge_box_volume(&b.axes, middle.d));
    if (least * (1.0 - cdi_edge_box_sag(&middle, turn)) >= m->volume * (1.0 - CDI_MIN_BOX_SHARE)) return;
    cdi_edge_box_measure(m, p, &a);
    cdi_edge_box_measure(m, p, &b);
    m->parts = CDI_MIN_BOX_PARTS;
    cdi_min_box_search(m, p, &a, &middle, CDI_MIN_BOX_DEPTH);
    cdi_min_box_search(m, p, &middle, &b, CDI_MIN_BOX_DEPTH);
}

static void cdi_min_box_try_pair(cdi_min_box *m, const cdi_arc *first, const cdi_arc *second,
                                 double corner[2][2]) {
    cdi_arc_pair p;
    double ends[4][2];
    int n;
    p.arc[0] = first;
    p.arc[1] = second;
    p.c[0] = corner[0][0];
    p.c[1] = corner[1][0] - corner[0][0];
    p.c[2] = corner[0][1] - corner[0][0];
    p.c[3] = (corner[1][1] - corner[1][0]) - (corner[0][1] - corner[0][0]);
    n = cdi_arc_pair_ends(corner, ends);
    for (int i = 0; i + 1 < n; i += n == 4 ? 2 : 1) cdi_min_box_try_interval(m, &p, ends[i], ends[i + 1]);
}

static bool cdi_one_sign(double c[2][2]) {
    return ((c[0][0] > 0.0) & (c[0][1] > 0.0) & (c[1][0] > 0.0) & (c[1][1] > 0.0)) |
           ((c[0][0] < 0.0) & (c[0][1] < 0.0) & (c[1][0] < 0.0) & (c[1][1] < 0.0));
}

static void cdi_min_box_try_all(cdi_min_box *m) {
    for (uint32_t i = 0; i < m->arc_count; ++i) {
        const cdi_arc *a = &m->arc[i];
        for (uint32_t k = 0; k < m->normal_count; ++k) {
            m->from[k] = cdi_v3_dot(m->normal[a->from], m->normal[k]);
            m->to[k] = cdi_v3_dot(m->normal[a->to], m->normal[k]);
        }
        for (uint32_t k = i; k < m->arc_count; ++k) {
            const cdi_arc *b = &m->arc[k];
            double corner[2][2];
            corner[0][0] = m->from[b->from];
            corner[0][1] = m->from[b->to];
            corner[1][0] = m->to[b->from];
            corner[1][1] = m->to[b->to];
            if (!cdi_one_sign(corner)) cdi_min_box_try_pair(m, a, b, corner);
        }
    }
}

/* ---- the box ---- */

/* From the frame in `axes`, to the best one. */
static cd_status cdi_min_box_run(const cdi_fit *f, const cd_hull_parts *p, const cd_allocator *allocator,
                                 cdi_m3 *axes) {
    cdi_min_box_memory memory;
    cdi_min_box m;
    cdi_extents e = cdi_fit_extents(f, axes);
    if (!cdi_min_box_take(&m, p, allocator, &memory)) return CD_OUT_OF_MEMORY;
    m.volume = cdi_extents_volume(&e);
    m.axes = *axes;
    cdi_min_box_prepare(&m, f, p);
    cdi_min_box_try_all(&m);
    *axes = m.axes;
    cdi_free(allocator, memory.block, memory.count, sizeof(double));
    return CD_OK;
}

/* The axis to look along first: the normal of a flat hull, the direction of a segment. */
static cdi_m3 cdi_min_box_start(const cd_hull *hull, const cd_hull_parts *p, const cdi_fit *f) {
    cdi_m3 axes;
    if (p->dimension == 2) {
        const cd_half_edge *e = p->half_edges;
        cdi_v3 n =
            cdi_accurate_normal(cdi_v3_of(p->vertices[e[0].origin]), cdi_v3_of(p->vertices[e[1].origin]),
                                cdi_v3_of(p->vertices[e[2].origin]));
        return cdi_fit_frame(n, cdi_across(cdi_v3_normalize(n)));
    }
    if (p->dimension < 3 || !cdi_hull_frame(hull, &axes)) axes = cdi_fit_by_pairs(f);
    return axes;
}

static cd_status cdi_min_box_with(const cd_hull *hull, const cdi_fit *f, const cd_allocator *allocator,
                                  cdi_fit_shadow *shadow, cdi_m3 *axes) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cd_status status = CD_OK;
    *axes = cdi_min_box_start(hull, &p, f);
    if (p.dimension == 2) *axes = cdi_fit_across(f, shadow, axes->c[0]);
    if (p.dimension < 3) return CD_OK;
    cdi_fit_refine(f, shadow, axes);
    status = cdi_min_box_run(f, &p, allocator, axes);
    if (status == CD_OK) cdi_fit_refine(f, shadow, axes);
    return status;
}

CD_API cd_status cd_obb_min_volume(const cd_hull *hull, const cd_allocator *allocator, cd_obb *out) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cdi_fit_shadow shadow;
    cdi_m3 axes;
    cdi_fit f;
    cd_status status = cdi_fit_points(&f, p.vertices, p.vertex_count);
    cdi_clear(out, sizeof *out);
    if (status == CD_OK) status = cdi_fit_shadow_take(&shadow, p.vertex_count, allocator);
    if (status != CD_OK) return status;
    status = cdi_min_box_with(hull, &f, allocator, &shadow, &axes);
    cdi_fit_shadow_free(&shadow, allocator);
    if (status == CD_OK) cdi_fit_finish(&f, &axes, out);
    return status;
}

#undef CDI_MIN_BOX_SHARE
#undef CDI_MIN_BOX_PARTS
#undef CDI_MIN_BOX_DEPTH

/* ---- bounds/box3d.c ------------------------------------------------------------------------------------------ */

/* ---- points ---- */

CDI_FN cdi_v3 cdi_fit_point(const cdi_fit *f, size_t i) {
    uint32_t corner[3];
    if (f->points) return cdi_v3_of(f->points[i]);
    if (f->flat) return cdi_v3_make((double)f->flat[i].x, (double)f->flat[i].y, 0.0);
    cd_mesh_indices(f->mesh, (uint32_t)(i / 3), corner);
    return cdi_v3_of(cd_mesh_position(f->mesh, corner[i % 3]));
}

/* Bounds, middle and scale of points that are there. */
static cd_status cdi_fit_measure(cdi_fit *f) {
    cdi_v3 lo, hi;
    double most;
    f->bounds = cd_aabb_empty();
    for (size_t i = 0; i < f->count; ++i) {
        cdi_v3 p = cdi_fit_point(f, i);
        if (!cdi_v3_finite(p)) return CD_INVALID_ARGUMENT;
        f->bounds = cd_aabb_add_point(f->bounds, cdi_v3_round(p));
    }
    lo = cdi_v3_scale(cdi_v3_of(f->bounds.min), 0.5);
    hi = cdi_v3_scale(cdi_v3_of(f->bounds.max), 0.5);
    f->origin = cdi_v3_add(lo, hi);
    most = cdi_v3_max_abs(cdi_v3_sub(hi, lo));
    f->scale = most > 0.0 ? cdi_exp2i(-1 - cdi_exponent(most)) : 1.0;
    return CD_OK;
}

CDI_FN cd_status cdi_fit_points(cdi_fit *f, const cd_vec3 *points, size_t count) {
    cdi_clear(f, sizeof *f);
    f->points = points;
    f->count = count;
    return points && count > 0 ? cdi_fit_measure(f) : CD_INVALID_ARGUMENT;
}

CDI_FN cd_status cdi_fit_flat(cdi_fit *f, const cd_vec2 *points, size_t count) {
    cdi_clear(f, sizeof *f);
    f->flat = points;
    f->count = count;
    return points && count > 0 ? cdi_fit_measure(f) : CD_INVALID_ARGUMENT;
}

CDI_FN cd_status cdi_fit_mesh(cdi_fit *f, const cd_mesh_view *mesh) {
    cd_triangle t;
    cdi_clear(f, sizeof *f);
    if (!cd_mesh_view_is_valid(mesh) || mesh->triangle_count == 0) return CD_INVALID_ARGUMENT;
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
        if (!cd_mesh_triangle(mesh, i, &t)) return CD_INVALID_ARGUMENT;
    }
    f->mesh = mesh;
    f->count = (size_t)3 * mesh->triangle_count; /* whose indices are in memory */
    return cdi_fit_measure(f);
}

/* ---- frames ---- */

CDI_FN cdi_m3 cdi_fit_identity(void) {
    cdi_m3 m;
    for (int i = 0; i < 3; ++i) m.c[i] = cdi_v3_make(i == 0, i == 1, i == 2);
    return m;
}

CDI_FN cdi_m3 cdi_fit_frame(cdi_v3 x, cdi_v3 y) {
    cdi_m3 m;
    m.c[0] = cdi_v3_normalize(x);
    if (cdi_v3_is_zero(m.c[0])) m.c[0] = cdi_v3_make(1.0, 0.0, 0.0);
    y = cdi_v3_normalize(y);
    y = cdi_v3_along(y, m.c[0], -cdi_v3_dot(m.c[0], y));
    y = cdi_v3_max_abs(y) > 1e-12 ? cdi_v3_normalize(y) : cdi_across(m.c[0]);
    y = cdi_v3_along(y, m.c[0], -cdi_v3_dot(m.c[0], y)); /* what cancelled before */
    m.c[1] = cdi_v3_normalize(y);
    m.c[2] = cdi_v3_cross(m.c[0], m.c[1]);
    return m;
}

/* Twice: the matrix is rounded for the eigenvectors, which costs the small values their digits; in the frame found first it
 * is nearly diagonal, and has all of them. */
CDI_FN cdi_m3 cdi_principal_frame(const cdi_m3 *covariance) {
    cdi_m3 frame = cdi_fit_identity();
    for (int i = 0; i < 2; ++i) {
        cdi_m3 turned = cdi_m3_mul(covariance, &frame), back = cdi_m3_transpose(&frame);
        cd_mat3 m;
        cd_eigen e;
        turned = cdi_m3_mul(&back, &turned);
        m = cdi_m3_round(&turned);
        if (!cd_eigen_jacobi(&m, &e)) break;
        turned = cdi_m3_of(&e.vector);
        frame = cdi_m3_mul(&frame, &turned);
        frame = cdi_fit_frame(frame.c[0], frame.c[1]);
    }
    return frame;
}

/* ---- extents ---- */

CDI_FN cdi_extents cdi_extents_none(void) {
    cdi_extents e;
    for (int k = 0; k < 3; ++k) {
        e.lo[k] = cdi_infinity();
        e.hi[k] = -cdi_infinity();
    }
    return e;
}

CDI_FN cdi_extents cdi_fit_extents(const cdi_fit *f, const cdi_m3 *axes) {
    cdi_extents e = cdi_extents_none();
    for (size_t i = 0; i < f->count; ++i) cdi_extents_add(&e, axes, cdi_fit_local(f, i));
    return e;
}

CDI_FN bool cdi_is_smaller(const double a[3], const double b[3]) {
    cdi_v3 p = cdi_v3_make(a[0], a[1], a[2]), q = cdi_v3_make(b[0], b[1], b[2]);
    double most = cdi_max(cdi_v3_max_abs(p), cdi_v3_max_abs(q)), x, y;
    if (!(most > 0.0)) return false;
    p = cdi_v3_make(p.x / most, p.y / most, p.z / most);
    q = cdi_v3_make(q.x / most, q.y / most, q.z / most);
    x = p.x * p.y * p.z;
    y = q.x * q.y * q.z;
    if (x == y) {
        x = p.x * p.y + p.y * p.z + p.z * p.x;
        y = q.x * q.y + q.y * q.z + q.z * q.x;
    }
    return x != y ? x < y : p.x + p.y + p.z < q.x + q.y + q.z;
}

/* ---- the box ----
 * A point p is in the box when the solution s of center + sum of axis[i] s[i] = p is within the half extents, and also when
 * the products of p - center with the axes are: that differs by how far the rounded axes are from orthonormal. Both are
 * measured, with these bounds of their rounding errors, u = 2^-53: a component of p - center is off by u of it. With the
 * magnitudes P of the two products of a component of the cross product of two axes, that component is off by 2 u P, the
 * determinant by 6 u of it, so the solution by less than 14 u times the sum of P times the components; the products with an
 * axis by 4 u times the sum of the magnitudes. 16 u takes the last roundings in. A difference that may have lost digits to
 * underflow counts as 2^-800 of the size of all; zeros are exact, so that flat boxes are flat. */

#define CDI_BOX_ERROR 1.7763568394002505e-15 /* 16 u */
#define CDI_BOX_LEAST 1.499696813895631e-241 /* 2^-800 */
#define CDI_BOX_SNAP  8.881784197001252e-16  /* 2^-50 */

/* The two forms of a box's axes, and the error bounds of the components of both. */
typedef struct cdi_box_axes {
    cdi_m3 axis, inverse, error;
} cdi_box_axes;

/* The magnitudes of the two products in each component of a x b, or that of c where it is larger, times 16 u. */
static cdi_v3 cdi_box_error(cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    double p = cdi_max(cdi_abs(a.y * b.z) + cdi_abs(a.z * b.y), cdi_abs(c.x));
    double q = cdi_max(cdi_abs(a.z * b.x) + cdi_abs(a.x * b.z), cdi_abs(c.y));
    double r = cdi_max(cdi_abs(a.x * b.y) + cdi_abs(a.y * b.x), cdi_abs(c.z));
    return cdi_v3_scale(cdi_v3_make(p, q, r), CDI_BOX_ERROR);
}

static cdi_box_axes cdi_box_axes_of(const cd_mat3 *stored) {
    cdi_box_axes b;
    b.axis = cdi_m3_of(stored);
    for (int i = 0; i < 3; ++i) {
        cdi_v3 p = b.axis.c[(i + 1) % 3], q = b.axis.c[(i + 2) % 3], n = cdi_v3_cross(p, q);
        double det = cdi_v3_dot(b.axis.c[i], n);
        b.inverse.c[i] = cdi_v3_make(n.x / det, n.y / det, n.z / det);
        b.error.c[i] = cdi_box_error(p, q, b.axis.c[i]);
    }
    return b;
}

static double cdi_box_term(double p, double center, double scale) {
    return p == center ? 0.0 : cdi_max(cdi_abs(p - center) * scale, CDI_BOX_LEAST);
}

/* Makes room for a point, exactly. */
static void cdi_box_add(const cdi_box_axes *b, const cdi_fit *f, cdi_v3 center, cdi_v3 p, double half[3]) {
    cdi_v3 d = cdi_v3_scale(cdi_v3_sub(p, center), f->scale);
    cdi_v3 size = cdi_v3_make(cdi_box_term(p.x, center.x, f->scale), cdi_box_term(p.y, center.y, f->scale),
                              cdi_box_term(p.z, center.z, f->scale));
    for (int i = 0; i < 3; ++i) {
        double along = cdi_max(cdi_abs(cdi_v3_dot(b->axis.c[i], d)), cdi_abs(cdi_v3_dot(b->inverse.c[i], d)));
        along += cdi_v3_dot(b->error.c[i], size);
        if (along > half[i] || along != along) half[i] = along; /* NaN, beyond the range, stays */
    }
}

/* Components next to 0 are 0: the box of points in a plane across an axis of the world is flat. */
static double cdi_box_snap(double x) {
    return cdi_abs(x) < CDI_BOX_SNAP ? 0.0 : x;
}

static cd_mat3 cdi_box_round_axes(const cdi_m3 *axes) {
    cdi_m3 m;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 a = axes->c[i];
        m.c[i] = cdi_v3_make(cdi_box_snap(a.x), cdi_box_snap(a.y), cdi_box_snap(a.z));
    }
    return cdi_m3_round(&m);
}

/* The middle of the extents along the axes, as it will be stored. */
static cd_vec3 cdi_box_center(const cdi_fit *f, const cdi_m3 *axes) {
    cdi_extents e = cdi_fit_extents(f, axes);
    cdi_v3 c = cdi_v3_make(0.5 * (e.lo[0] + e.hi[0]), 0.5 * (e.lo[1] + e.hi[1]), 0.5 * (e.lo[2] + e.hi[2]));
    double back = 1.0 / f->scale;
    c = cdi_m3_mul_v3(axes, c);
    return cd_vec3_make(cdi_real_of(f->origin.x + c.x * back), cdi_real_of(f->origin.y + c.y * back),
                        cdi_real_of(f->origin.z + c.z * back));
}

/* local / scale, rounded up; false when that is beyond the range. */
static bool cdi_box_round_up(double local, double scale, cd_real *out) {
    double x = local / scale;
    if (x * scale < local) x = cdi_next_double(x, true);
    if (!(x <= (double)CD_REAL_MAX)) return false;
    *out = cdi_hull_round_up(x);
    return true;
}

static bool cdi_box_around(const cdi_fit *f, const cdi_m3 *axes, cd_obb *out) {
    cdi_box_axes b;
    cdi_v3 center;
    double half[3] = {0.0, 0.0, 0.0};
    out->axes = cdi_box_round_axes(axes);
    b = cdi_box_axes_of(&out->axes);
    out->center = cdi_box_center(f, &b.axis);
    center = cdi_v3_of(out->center);
    for (size_t i = 0; i < f->count; ++i) cdi_box_add(&b, f, center, cdi_fit_point(f, i), half);
    return cdi_box_round_up(half[0], f->scale, &out->half.x) &&
           cdi_box_round_up(half[1], f->scale, &out->half.y) &&
           cdi_box_round_up(half[2], f->scale, &out->half.z);
}

CDI_FN void cdi_fit_finish(const cdi_fit *f, const cdi_m3 *axes, cd_obb *out) {
    cd_obb other = cd_obb_from_aabb(f->bounds);
    double a[3], b[3];
    bool good = cdi_box_around(f, axes, out);
    cdi_v3_store(a, cdi_v3_of(other.half));
    cdi_v3_store(b, cdi_v3_of(out->half));
    if (!good || cdi_is_smaller(a, b)) *out = other;
}

#undef CDI_BOX_ERROR
#undef CDI_BOX_LEAST
#undef CDI_BOX_SNAP

/* ---- mesh/euler.c -------------------------------------------------------------------------------------------- */

CD_API const char *cd_mesh_defect_text(uint32_t defect) {
    switch (defect) {
    case CD_MESH_SOUND: return "the mesh is a closed surface with a consistent front";
    case CD_MESH_BAD_INDEX: return "a triangle has an index out of range";
    case CD_MESH_DEGENERATE: return "a triangle has a corner twice";
    case CD_MESH_EDGE_CROWDED: return "more than two triangles share an edge";
    case CD_MESH_EDGE_TURNED: return "the fronts of the two triangles at an edge are on opposite sides";
    case CD_MESH_VERTEX_PINCHED: return "the triangles at a vertex hang together in no single fan";
    case CD_MESH_OPEN: return "an edge has one triangle only";
    case CD_MESH_UNUSED: return "no triangle uses a vertex";
    default: return "unknown defect";
    }
}

/* ---- forests: element i points to its parent, the root of a set, its smallest element, to itself ----
 * With sides, the lowest bit of an entry tells whether the element is on the other side than its parent. */

static uint32_t cdi_forest_root(uint32_t *parent, uint32_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static void cdi_forest_join(uint32_t *parent, uint32_t i, uint32_t j) {
    i = cdi_forest_root(parent, i);
    j = cdi_forest_root(parent, j);
    if (i < j) parent[j] = i;
    if (j < i) parent[i] = j;
}

static void cdi_forest_begin(uint32_t *parent, uint32_t count, uint32_t step) {
    for (uint32_t i = 0; i < count; ++i) parent[i] = i * step;
}

/* 2 root + (1 on the other side than the root). */
static uint32_t cdi_sided_root(uint32_t *parent, uint32_t i) {
    uint32_t side = 0;
    while (parent[i] >> 1 != i) {
        uint32_t up = parent[i] >> 1;
        parent[i] = parent[up] ^ (parent[i] & 1u);
        side ^= parent[i] & 1u;
        i = parent[i] >> 1;
    }
    return 2 * i + side;
}

/* Says that the two are on opposite sides, or on one; false when that contradicts what was said before. */
static bool cdi_sided_join(uint32_t *parent, uint32_t i, uint32_t j, bool opposite) {
    uint32_t a = cdi_sided_root(parent, i), b = cdi_sided_root(parent, j);
    uint32_t side = (a ^ b ^ (opposite ? 1u : 0u)) & 1u;
    if (a >> 1 == b >> 1) return side == 0;
    if (a < b) {
        parent[b >> 1] = (a & ~1u) | side;
    } else {
        parent[a >> 1] = (b & ~1u) | side;
    }
    return true;
}

/* ---- counting ---- */

enum { CDI_EULER_WORDS = 17 }; /* of memory for each triangle */

/* A corner has the number of the half-edge that starts there. */
typedef struct cdi_euler_work {
    cdi_poly body;     /* the triangles that are counted */
    uint32_t *indices; /* theirs */
    uint32_t *number;  /* of each, in the mesh */
    uint32_t *order;   /* half-edges by edges */
    uint32_t *fan;     /* a forest of corners: those of one fan */
    uint32_t *loop;    /* a forest of open half-edges: those of one boundary curve */
    uint32_t *piece;   /* a forest of triangles with sides */
    uint32_t *scratch; /* as many as half-edges and vertices, and one more */
    cd_euler *out;
} cdi_euler_work;

/* Counts a defect; of the worst kind, the one with the smallest number is named. */
static void cdi_euler_note(cd_euler *out, cd_mesh_defect defect, uint32_t *count, uint32_t feature) {
    ++*count;
    if (out->defect != CD_MESH_SOUND && out->defect < (uint32_t)defect) return;
    if (out->defect == (uint32_t)defect && out->feature < feature) return;
    out->defect = (uint32_t)defect;
    out->feature = feature;
}

static bool cdi_euler_in_range(const uint32_t k[3], uint32_t vertex_count) {
    return k[0] < vertex_count && k[1] < vertex_count && k[2] < vertex_count;
}

static void cdi_euler_read(cdi_euler_work *w, const cd_mesh_view *mesh) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
        uint32_t k[3];
        cd_mesh_indices(mesh, i, k);
        if (!cdi_euler_in_range(k, mesh->vertex_count)) {
            cdi_euler_note(w->out, CD_MESH_BAD_INDEX, &w->out->bad_indices, CD_FEATURE(CD_FEATURE_FACE, i));
        } else if (k[0] == k[1] || k[1] == k[2] || k[2] == k[0]) {
            cdi_euler_note(w->out, CD_MESH_DEGENERATE, &w->out->degenerate, CD_FEATURE(CD_FEATURE_FACE, i));
        } else {
            cdi_copy(w->indices + 3 * (size_t)n, k, sizeof k);
            w->number[n++] = i;
        }
    }
    w->body.triangles = w->indices;
    w->body.vertex_count = mesh->vertex_count;
    w->body.triangle_count = w->out->faces = n;
}

static uint32_t cdi_euler_edge_feature(const cdi_euler_work *w, uint32_t h) {
    return CD_FEATURE(CD_FEATURE_EDGE, 3 * w->number[h / 3] + h % 3);
}

/* Joins the fans at both ends of two half-edges of one edge, and their triangles. */
static bool cdi_euler_cross(cdi_euler_work *w, uint32_t g, uint32_t h, bool turned) {
    uint32_t from = turned ? h : cdi_half_edge_next(h), to = turned ? cdi_half_edge_next(h) : h;
    cdi_forest_join(w->fan, g, from);
    cdi_forest_join(w->fan, cdi_half_edge_next(g), to);
    return cdi_sided_join(w->piece, g / 3, h / 3, turned);
}

/* The half-edges order[i ... end - 1] are an edge of one triangle or two. */
static void cdi_euler_edge(cdi_euler_work *w, uint32_t i, uint32_t end) {
    uint32_t g = w->order[i], h = w->order[end - 1], feature = cdi_euler_edge_feature(w, g);
    bool turned = cdi_half_edge_start(&w->body, g) == cdi_half_edge_start(&w->body, h);
    if (end - i == 1) {
        cdi_euler_note(w->out, CD_MESH_OPEN, &w->out->open, feature);
        return;
    }
    if (turned) cdi_euler_note(w->out, CD_MESH_EDGE_TURNED, &w->out->turned, feature);
    if (!cdi_euler_cross(w, g, h, turned)) w->out->orientable = false;
}

static void cdi_euler_crowded_edge(cdi_euler_work *w, uint32_t i, uint32_t end) {
    uint32_t g = w->order[i];
    cdi_euler_note(w->out, CD_MESH_EDGE_CROWDED, &w->out->crowded, cdi_euler_edge_feature(w, g));
    for (++i; i < end; ++i) {
        uint32_t h = w->order[i];
        cdi_euler_cross(w, g, h, cdi_half_edge_start(&w->body, g) == cdi_half_edge_start(&w->body, h));
    }
}

/* Crowded edges last: they hold pieces together, but do not tell which side their triangles are on. */
static void cdi_euler_edges(cdi_euler_work *w) {
    uint32_t count = 3 * w->body.triangle_count;
    cdi_order_half_edges(&w->body, w->order, w->scratch);
    cdi_forest_begin(w->fan, count, 1);
    cdi_forest_begin(w->piece, w->body.triangle_count, 2);
    for (uint32_t i = 0, end; i < count; i = end) {
        end = cdi_edge_end(&w->body, w->order, i);
        if (end - i <= 2) cdi_euler_edge(w, i, end);
        ++w->out->edges;
    }
    for (uint32_t i = 0, end; i < count; i = end) {
        end = cdi_edge_end(&w->body, w->order, i);
        if (end - i > 2) cdi_euler_crowded_edge(w, i, end);
    }
}

/* Roots of fans at each vertex; scratch gets their number. */
static void cdi_euler_vertices(cdi_euler_work *w) {
    uint32_t *fans = w->scratch;
    cdi_clear(fans, ((size_t)w->body.vertex_count + 1) * sizeof *fans);
    for (uint32_t h = 0; h < 3 * w->body.triangle_count; ++h) {
        if (w->fan[h] == h) ++fans[w->indices[h]];
    }
    for (uint32_t v = 0; v < w->body.vertex_count; ++v) {
        uint32_t feature = CD_FEATURE(CD_FEATURE_VERTEX, v);
        w->out->fans += fans[v];
        w->out->vertices += fans[v] > 0;
        if (fans[v] > 1) cdi_euler_note(w->out, CD_MESH_VERTEX_PINCHED, &w->out->pinched, feature);
        if (fans[v] == 0) cdi_euler_note(w->out, CD_MESH_UNUSED, &w->out->unused, feature);
    }
}

/* Open half-edge h ends at the fan of this corner: it is joined with the one that did so before, kept in scratch. */
static void cdi_euler_loop_end(cdi_euler_work *w, uint32_t h, uint32_t corner) {
    uint32_t *before = &w->scratch[cdi_forest_root(w->fan, corner)];
    if (*before == CD_NONE) {
        *before = h;
    } else {
        cdi_forest_join(w->loop, *before, h);
    }
}

static void cdi_euler_loops(cdi_euler_work *w) {
    uint32_t count = 3 * w->body.triangle_count;
    cdi_forest_begin(w->loop, count, 1);
    for (uint32_t h = 0; h < count; ++h) w->scratch[h] = CD_NONE;
    for (uint32_t i = 0, end; i < count; i = end) {
        end = cdi_edge_end(&w->body, w->order, i);
        if (end - i != 1) continue;
        cdi_euler_loop_end(w, w->order[i], w->order[i]);
        cdi_euler_loop_end(w, w->order[i], cdi_half_edge_next(w->order[i]));
    }
    for (uint32_t i = 0, end; i < count; i = end) {
        end = cdi_edge_end(&w->body, w->order, i);
        w->out->loops += end - i == 1 && w->loop[w->order[i]] == w->order[i];
    }
}

/* g = s - (V - E + F + h) / 2, with the fans for V. */
static void cdi_euler_sum_up(cdi_euler_work *w) {
    cd_euler *out = w->out;
    int32_t split = (int32_t)out->fans - (int32_t)out->edges + (int32_t)out->faces;
    for (uint32_t i = 0; i < out->faces; ++i) out->pieces += w->piece[i] >> 1 == i;
    out->characteristic = split - (int32_t)(out->fans - out->vertices);
    out->genus = -1;
    if (out->crowded == 0 && out->orientable)
        out->genus = (int32_t)out->pieces - (split + (int32_t)out->loops) / 2;
}

static void cdi_euler_count(cdi_euler_work *w, const cd_mesh_view *mesh, uint32_t *memory) {
    size_t n = mesh->triangle_count;
    w->indices = memory;
    w->number = memory + 3 * n;
    w->order = memory + 4 * n;
    w->fan = memory + 7 * n;
    w->loop = memory + 10 * n;
    w->piece = memory + 13 * n;
    w->scratch = memory + 14 * n;
    w->out->orientable = true;
    cdi_euler_read(w, mesh);
    cdi_euler_edges(w);
    cdi_euler_loops(w);
    cdi_euler_vertices(w);
    cdi_euler_sum_up(w);
}

CD_API cd_status cd_mesh_euler(const cd_mesh_view *mesh, const cd_allocator *allocator, cd_euler *out) {
    cdi_euler_work w;
    size_t count = (size_t)mesh->triangle_count + mesh->vertex_count / CDI_EULER_WORDS + 1;
    uint32_t *memory;
    cdi_clear(out, sizeof *out);
    cdi_clear(&w, sizeof w);
    if (!cd_mesh_view_is_valid(mesh)) return CD_INVALID_ARGUMENT;
    if (!cdi_poly_make(&w.body, NULL, mesh->vertex_count, NULL, mesh->triangle_count)) return CD_TOO_LARGE;
    memory = (uint32_t *)cdi_alloc(allocator, count, CDI_EULER_WORDS * sizeof *memory);
    if (!memory) return CD_OUT_OF_MEMORY;
    w.out = out;
    cdi_euler_count(&w, mesh, memory);
    cdi_free(allocator, memory, count, CDI_EULER_WORDS * sizeof *memory);
    return CD_OK;
}

/* ---- tree/bvh.c ---------------------------------------------------------------------------------------------- */

/* The layout is the same on every machine. */
typedef char cdi_bvh_header_is_192_bytes[sizeof(cdi_bvh_header) == 192 ? 1 : -1];
typedef char cdi_bvh_node_is_256_bytes[sizeof(cdi_bvh_node) == 256 ? 1 : -1];
typedef char cdi_bvh_triangle_has_no_gap[sizeof(cdi_bvh_triangle) == 10 * sizeof(cd_real) ? 1 : -1];

CD_API void cd_bvh_destroy(cd_bvh *tree) {
    if (tree->owned) cdi_free(&tree->allocator, (void *)tree->block, tree->bytes, 1);
    cdi_clear(tree, sizeof *tree);
}

/* ---- checking ---- */

static bool cdi_bvh_header_fits(const cdi_bvh_header *h, size_t size) {
    uint64_t bytes = sizeof *h + (uint64_t)h->node_count * sizeof(cdi_bvh_node) +
                     (uint64_t)h->triangle_count * sizeof(cdi_bvh_triangle);
    bool empty = h->triangle_count == 0;
    if (bytes != h->bytes || bytes != size || empty != (h->node_count == 0)) return false;
    if (h->triangle_count > CDI_BVH_MOST || h->skipped_count > h->mesh_count) return false;
    if (h->triangle_count != h->mesh_count - h->skipped_count || h->depth > CDI_BVH_DEPTH) return false;
    for (int i = 0; i < 3; ++i) {
        if (!cdi_finite(h->frame.origin[i]) || !cdi_finite(h->lo[i]) || !cdi_finite(h->hi[i])) return false;
    }
    return h->frame.exponent >= -1100 && h->frame.exponent <= 1100;
}

/* Are the lanes filled from 0 up, with finite boxes, and are the rest zero? */
static bool cdi_bvh_node_is_tidy(const cdi_bvh_node *node) {
    bool used_before = true;
    for (uint32_t i = 0; i < 8; ++i) {
        bool used = (node->lanes >> i & 1u) != 0;
        if (used && !used_before) return false;
        if (!used && (node->count[i] != 0 || node->child[i] != 0)) return false;
        if (used && node->count[i] > CDI_BVH_LEAF_MAX) return false;
        for (int k = 0; k < 3; ++k) {
            if (!(node->lo[k][i] >= -2.0f && node->hi[k][i] <= 2.0f && node->lo[k][i] <= node->hi[k][i]))
                return false;
        }
        used_before = used;
    }
    return node->lanes != 0 && node->lanes < 256;
}

static bool cdi_lane_inside_lane(const cdi_bvh_node *node, uint32_t i, const cdi_bvh_node *parent,
                                 uint32_t lane) {
    for (int k = 0; k < 3; ++k) {
        if (node->lo[k][i] < parent->lo[k][lane] || node->hi[k][i] > parent->hi[k][lane]) return false;
    }
    return true;
}

static bool cdi_triangle_inside_lane(const cdi_bvh *tree, uint32_t t, const cdi_bvh_node *node,
                                     uint32_t lane) {
    cdi_tri tri = cdi_bvh_tri(&tree->triangles[t]);
    if (tree->triangles[t].index >= tree->header->mesh_count || !cdi_tri_finite(&tri)) return false;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            double x = cdi_frame_in(&tree->header->frame, k, cdi_v3_get(tri.v[i], k));
            if (!((double)node->lo[k][lane] <= x && x <= (double)node->hi[k][lane])) return false;
        }
    }
    return true;
}

/* Where the walk is: a node and the next lane to look at. */
typedef struct cdi_bvh_step {
    uint32_t node, lane;
} cdi_bvh_step;

/* Walks the tree depth first: every node and triangle has to come up with the next number. */
static bool cdi_bvh_is_sound(const cdi_bvh *tree) {
    cdi_bvh_step path[CDI_BVH_DEPTH];
    uint32_t length = 1, nodes = 1, triangles = 0, deepest = 1;
    path[0].node = path[0].lane = 0;
    if (!cdi_bvh_node_is_tidy(&tree->nodes[0])) return false;
    while (length > 0) {
        cdi_bvh_step *at = &path[length - 1];
        const cdi_bvh_node *node = &tree->nodes[at->node];
        uint32_t lane = at->lane++, child;
        if (lane == 8 || !(node->lanes >> lane & 1u)) {
            --length;
            continue;
        }
        child = node->child[lane];
        if (node->count[lane] == 0) {
            if (child != nodes || nodes >= tree->header->node_count || length == CDI_BVH_DEPTH) return false;
            if (!cdi_bvh_node_is_tidy(&tree->nodes[child])) return false;
            for (uint32_t i = 0; i < 8 && (tree->nodes[child].lanes >> i & 1u); ++i) {
                if (!cdi_lane_inside_lane(&tree->nodes[child], i, node, lane)) return false;
            }
            ++nodes;
            path[length].node = child;
            path[length++].lane = 0;
            deepest = deepest > length ? deepest : length;
        } else {
            uint32_t count = node->count[lane];
            if (child != triangles || count > tree->header->triangle_count - triangles) return false;
            for (uint32_t i = 0; i < count; ++i) {
                if (!cdi_triangle_inside_lane(tree, child + i, node, lane)) return false;
            }
            triangles += count;
        }
    }
    return nodes == tree->header->node_count && triangles == tree->header->triangle_count &&
           deepest == tree->header->depth;
}

CD_API cd_status cd_bvh_validate(const cd_bvh *tree) {
    cdi_bvh t;
    if (!tree->block) return tree->bytes == 0 ? CD_OK : CD_CORRUPT;
    if (tree->bytes < sizeof(cdi_bvh_header)) return CD_CORRUPT;
    if (!cdi_bvh_header_fits((const cdi_bvh_header *)tree->block, tree->bytes)) return CD_CORRUPT;
    return !cdi_bvh_open(&t, tree) || cdi_bvh_is_sound(&t) ? CD_OK : CD_CORRUPT;
}

CD_API cd_status cd_bvh_view(cd_bvh *out, const void *bytes, size_t size) {
    const cdi_bvh_header *h = (const cdi_bvh_header *)bytes;
    cd_status status;
    cdi_clear(out, sizeof *out);
    if (!bytes || ((uintptr_t)bytes & 63u)) return CD_INVALID_ARGUMENT;
    if (size < sizeof *h) return CD_CORRUPT;
    if (h->magic != CDI_BVH_MAGIC)
        return h->magic == 0x43425648u ? CD_UNSUPPORTED : CD_CORRUPT; /* swapped bytes */
    if (h->version != CDI_BVH_VERSION || h->real_size != sizeof(cd_real)) return CD_UNSUPPORTED;
    out->block = bytes;
    out->bytes = size;
    status = cd_bvh_validate(out);
    if (status != CD_OK) cdi_clear(out, sizeof *out);
    return status;
}

/* ---- facts ---- */

static double cdi_lane_area(const cdi_bvh_node *node, uint32_t i) {
    double x = (double)node->hi[0][i] - (double)node->lo[0][i];
    double y = (double)node->hi[1][i] - (double)node->lo[1][i];
    double z = (double)node->hi[2][i] - (double)node->lo[2][i];
    return x * y + y * z + z * x;
}

/* The area of the box around all lanes. */
static double cdi_node_area(const cdi_bvh_node *node) {
    double d[3];
    for (int k = 0; k < 3; ++k) {
        float lo = node->lo[k][0], hi = node->hi[k][0];
        for (uint32_t i = 1; i < 8 && (node->lanes >> i & 1u); ++i) {
            lo = node->lo[k][i] < lo ? node->lo[k][i] : lo;
            hi = node->hi[k][i] > hi ? node->hi[k][i] : hi;
        }
        d[k] = (double)hi - (double)lo;
    }
    return d[0] * d[1] + d[1] * d[2] + d[2] * d[0];
}

CD_API cd_bvh_stats cd_bvh_get_stats(const cd_bvh *tree) {
    cd_bvh_stats s;
    cdi_bvh t;
    double root, sum = 0.0;
    cdi_clear(&s, sizeof s);
    s.bytes = tree->bytes;
    if (tree->block) s.skipped_count = ((const cdi_bvh_header *)tree->block)->skipped_count;
    if (!cdi_bvh_open(&t, tree)) return s;
    s.triangle_count = t.header->triangle_count;
    s.node_count = t.header->node_count;
    s.depth = t.header->depth;
    root = cdi_node_area(&t.nodes[0]);
    for (uint32_t n = 0; n < s.node_count; ++n) {
        for (uint32_t i = 0; i < 8 && (t.nodes[n].lanes >> i & 1u); ++i) {
            uint32_t count = t.nodes[n].count[i];
            if (count) ++s.leaf_count;
            sum += cdi_lane_area(&t.nodes[n], i) * (count ? (double)count : 1.0);
        }
    }
    s.cost = 1.0 + (root > 0.0 ? sum / root : 0.0);
    return s;
}

CD_API cd_aabb cd_bvh_bounds(const cd_bvh *tree) {
    cd_aabb b = cd_aabb_empty();
    cdi_bvh t;
    if (!cdi_bvh_open(&t, tree)) return b;
    b.min = cdi_v3_round(cdi_v3_make(t.header->lo[0], t.header->lo[1], t.header->lo[2]));
    b.max = cdi_v3_round(cdi_v3_make(t.header->hi[0], t.header->hi[1], t.header->hi[2]));
    return b;
}

/* ---- tree/bvh_build.c ---------------------------------------------------------------------------------------- */

#define CDI_BINS       16
#define CDI_COST_DEPTH 64u /* levels split by cost; halving adds at most 29 */
#define CDI_TASKS      64u /* parts that may be built side by side */
#define CDI_TASK_LEAST 4096u

/* A box as eight numbers: min, 0, -max, 0. Two are merged by one minimum of each. */
typedef struct cdi_box {
    cd_real v[8];
} cdi_box;

CDI_INLINE void cdi_box_grow(cdi_box *b, const cdi_box *other) {
    for (int i = 0; i < 8; ++i) b->v[i] = b->v[i] < other->v[i] ? b->v[i] : other->v[i];
}

static cdi_box cdi_box_empty(void) {
    cdi_box b;
    for (int i = 0; i < 8; ++i) b.v[i] = CD_REAL_MAX;
    return b;
}

/* Half the surface; 0 for an empty box. */
static double cdi_box_area(const cdi_box *b) {
    double x = -(double)b->v[4] - (double)b->v[0], y = -(double)b->v[5] - (double)b->v[1];
    double z = -(double)b->v[6] - (double)b->v[2];
    return x < 0.0 ? 0.0 : x * y + y * z + z * x;
}

/* The middle of a box on an axis; a point as a box is (p, 0, -p, 0). */
CDI_INLINE cd_real cdi_box_middle(const cdi_box *b, int axis) {
    cd_real half = (cd_real)0.5;
    return half * b->v[axis] - half * b->v[4 + axis];
}

CDI_INLINE cdi_box cdi_box_of_middle(const cdi_box *b) {
    cdi_box c;
    for (int k = 0; k < 3; ++k) {
        c.v[k] = cdi_box_middle(b, k);
        c.v[4 + k] = -c.v[k];
    }
    c.v[3] = c.v[7] = 0;
    return c;
}

/* ---- the binary tree: the subtree of n triangles takes the 2n - 1 slots from its root on ---- */

/* A leaf has count > 0 and its first triangle in `next`; an inner node has its left child in the next slot and its right
 * one in slot `next`. */
typedef struct cdi_binary_node {
    cdi_box box;
    uint32_t next, count;
} cdi_binary_node;

/* A run of triangles to be made a subtree. */
typedef struct cdi_range {
    uint32_t first, count, slot, depth;
    cdi_box box, middles;
} cdi_range;

typedef struct cdi_builder {
    const cd_mesh_view *mesh;
    cd_allocator allocator;
    cd_executor executor;
    uint32_t count, leaf_size;
    cdi_box *box; /* of each triangle, in the order of the leaves to be */
    uint32_t *index;
    cdi_binary_node *node;
    cdi_range task[CDI_TASKS];
    uint32_t task_count;
} cdi_builder;

static void cdi_range_measure(const cdi_builder *b, cdi_range *r) {
    r->box = r->middles = cdi_box_empty();
    for (uint32_t i = r->first; i < r->first + r->count; ++i) {
        cdi_box middle = cdi_box_of_middle(&b->box[i]);
        cdi_box_grow(&r->box, &b->box[i]);
        cdi_box_grow(&r->middles, &middle);
        CDI_COUNT(build);
    }
}

/* ---- the choice of a split ---- */

typedef struct cdi_bin {
    cdi_box box;
    uint32_t count;
} cdi_bin;

/* From the middle of a box to a bin number, axis by axis. */
typedef struct cdi_binning {
    cd_real start[3], scale[3];
} cdi_binning;

static cdi_binning cdi_binning_of(const cdi_range *r) {
    cdi_binning m;
    for (int k = 0; k < 3; ++k) {
        cd_real extent = -r->middles.v[4 + k] - r->middles.v[k];
        m.start[k] = r->middles.v[k];
        m.scale[k] = extent > 0 ? (cd_real)CDI_BINS / extent : 0;
    }
    return m;
}

CDI_INLINE uint32_t cdi_bin_of(const cdi_binning *m, const cdi_box *b, int axis) {
    cd_real x = (cdi_box_middle(b, axis) - m->start[axis]) * m->scale[axis];
    return x > 0 ? (x < CDI_BINS - 1 ? (uint32_t)x : CDI_BINS - 1) : 0;
}

/* Triangles whose bin on `axis` is below `bin` go left; axis -1: no split by cost is worth while or possible. */
typedef struct cdi_bin_split {
    int axis;
    uint32_t bin;
    double cost;
} cdi_bin_split;

static void cdi_fill_bins(const cdi_builder *b, const cdi_range *r, const cdi_binning *m,
                          cdi_bin bins[3][CDI_BINS]) {
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < CDI_BINS; ++i) {
            bins[k][i].box = cdi_box_empty();
            bins[k][i].count = 0;
        }
    }
    for (uint32_t i = r->first; i < r->first + r->count; ++i) {
        const cdi_box *box = &b->box[i];
        for (int k = 0; k < 3; ++k) {
            cdi_bin *bin = &bins[k][cdi_bin_of(m, box, k)];
            cdi_box_grow(&bin->box, box);
            ++bin->count;
        }
        CDI_COUNT(build);
    }
}

/* Sweeps the bins of one axis from the right, then from the left, and keeps the cheapest place to cut. */
static void cdi_sweep_bins(const cdi_bin *bins, int axis, cdi_bin_split *best) {
    double right_cost[CDI_BINS];
    cdi_box box = cdi_box_empty();
    uint32_t count = 0;
    for (int i = CDI_BINS - 1; i > 0; --i) {
        cdi_box_grow(&box, &bins[i].box);
        count += bins[i].count;
        right_cost[i] = count ? cdi_box_area(&box) * (double)count : -1.0;
    }
    box = cdi_box_empty();
    count = 0;
    for (int i = 1; i < CDI_BINS; ++i) {
        double cost;
        cdi_box_grow(&box, &bins[i - 1].box);
        count += bins[i - 1].count;
        if (count == 0 || right_cost[i] < 0.0) continue;
        cost = cdi_box_area(&box) * (double)count + right_cost[i];
        if (cost < best->cost) {
            best->cost = cost;
            best->axis = axis;
            best->bin = (uint32_t)i;
        }
    }
}

static cdi_bin_split cdi_choose_split(const cdi_builder *b, const cdi_range *r, const cdi_binning *m) {
    cdi_bin bins[3][CDI_BINS];
    cdi_bin_split best;
    best.axis = -1;
    best.bin = 0;
    best.cost = CDI_HUGE;
    cdi_fill_bins(b, r, m, bins);
    for (int k = 0; k < 3; ++k) {
        if (m->scale[k] > 0) cdi_sweep_bins(bins[k], k, &best);
    }
    return best;
}

/* ---- splitting ---- */

static void cdi_exchange(cdi_builder *b, uint32_t i, uint32_t j) {
    cdi_box box = b->box[i];
    uint32_t index = b->index[i];
    b->box[i] = b->box[j];
    b->box[j] = box;
    b->index[i] = b->index[j];
    b->index[j] = index;
}

/* Orders the run by the split, and measures both sides on the way. */
static void cdi_partition(cdi_builder *b, const cdi_bin_split *s, const cdi_binning *m, cdi_range *left,
                          cdi_range *right) {
    uint32_t i = left->first, end = right->first + right->count;
    left->box = left->middles = right->box = right->middles = cdi_box_empty();
    while (i < end) {
        cdi_box middle = cdi_box_of_middle(&b->box[i]);
        bool goes_left = cdi_bin_of(m, &b->box[i], s->axis) < s->bin;
        cdi_range *side = goes_left ? left : right;
        cdi_box_grow(&side->box, &b->box[i]);
        cdi_box_grow(&side->middles, &middle);
        if (goes_left) {
            ++i;
        } else {
            cdi_exchange(b, i, --end);
        }
        CDI_COUNT(build);
    }
    right->count += right->first - end;
    right->first = end;
    left->count = end - left->first;
}

static void cdi_write_leaf(cdi_builder *b, const cdi_range *r) {
    cdi_binary_node *node = &b->node[r->slot];
    node->box = r->box;
    node->next = r->first;
    node->count = r->count;
}

/* Splits a run in two, or makes it a leaf (false). */
static bool cdi_split_range(cdi_builder *b, const cdi_range *r, cdi_range *left, cdi_range *right) {
    cdi_binning m = cdi_binning_of(r);
    cdi_bin_split split;
    bool told_apart = m.scale[0] > 0 || m.scale[1] > 0 || m.scale[2] > 0;
    if (r->count <= b->leaf_size) {
        cdi_write_leaf(b, r);
        return false;
    }
    split.axis = -1;
    if (told_apart && r->depth < CDI_COST_DEPTH) split = cdi_choose_split(b, r, &m);
    *left = *right = *r;
    left->depth = right->depth = r->depth + 1;
    if (split.axis >= 0) {
        right->first = r->first + r->count;
        right->count = 0;
        cdi_partition(b, &split, &m, left, right);
    } else {
        left->count = r->count / 2;
        right->first = r->first + left->count;
        right->count = r->count - left->count;
        cdi_range_measure(b, left);
        cdi_range_measure(b, right);
    }
    left->slot = r->slot + 1;
    right->slot = r->slot + 2 * left->count;
    b->node[r->slot].box = r->box;
    b->node[r->slot].next = right->slot;
    b->node[r->slot].count = 0;
    return true;
}

/* The whole subtree of a run. */
static void cdi_build_range(cdi_builder *b, const cdi_range *run) {
    cdi_range todo[CDI_BVH_DEPTH + 1], right;
    uint32_t count = 0;
    todo[count++] = *run;
    while (count > 0) {
        cdi_range at = todo[count - 1], left;
        --count;
        while (cdi_split_range(b, &at, &left, &right)) {
            todo[count++] = right;
            at = left;
        }
    }
}

static void cdi_build_task(void *ctx, uint32_t i) {
    cdi_builder *b = (cdi_builder *)ctx;
    cdi_build_range(b, &b->task[i]);
}

static bool cdi_tell_progress(const cdi_builder *b, double done) {
    return !b->executor.progress || b->executor.progress(b->executor.user, (float)done);
}

/* Splits the largest run until there are enough for all threads. What is split does not depend on the executor. */
static bool cdi_build_top(cdi_builder *b) {
    while (b->task_count < CDI_TASKS) {
        uint32_t largest = 0;
        cdi_range left, right;
        for (uint32_t i = 1; i < b->task_count; ++i) {
            if (b->task[i].count > b->task[largest].count) largest = i;
        }
        if (b->task[largest].count < CDI_TASK_LEAST) break;
        if (!cdi_split_range(b, &b->task[largest], &left, &right)) break;
        b->task[largest] = left;
        b->task[b->task_count++] = right;
        if (!cdi_tell_progress(b, 0.05 + 0.35 * (double)b->task_count / CDI_TASKS)) return false;
    }
    return true;
}

static bool cdi_build_binary(cdi_builder *b) {
    cdi_range *all = &b->task[0];
    all->first = all->slot = all->depth = 0;
    all->count = b->count;
    cdi_range_measure(b, all);
    b->task_count = 1;
    if (!cdi_build_top(b)) return false;
    if (b->executor.run) {
        b->executor.run(b->executor.user, b->task_count, cdi_build_task, b);
    } else {
        for (uint32_t i = 0; i < b->task_count; ++i) {
            cdi_build_task(b, i);
            if (!cdi_tell_progress(b, 0.4 + 0.4 * (double)(i + 1) / (double)b->task_count)) return false;
        }
    }
    return cdi_tell_progress(b, 0.8);
}

/* ---- reading the mesh ---- */

static bool cdi_read_triangle(const cd_mesh_view *mesh, uint32_t i, cdi_box *box) {
    cd_triangle t;
    cd_aabb bounds;
    if (!cd_mesh_triangle(mesh, i, &t) || !cd_triangle_is_valid(&t)) return false;
    bounds.min = cd_vec3_min(t.a, cd_vec3_min(t.b, t.c));
    bounds.max = cd_vec3_max(t.a, cd_vec3_max(t.b, t.c));
    box->v[0] = bounds.min.x;
    box->v[1] = bounds.min.y;
    box->v[2] = bounds.min.z;
    box->v[4] = -bounds.max.x;
    box->v[5] = -bounds.max.y;
    box->v[6] = -bounds.max.z;
    box->v[3] = box->v[7] = 0;
    return true;
}

static cd_status cdi_read_mesh(cdi_builder *b, bool skip) {
    for (uint32_t i = 0; i < b->mesh->triangle_count; ++i) {
        if (cdi_read_triangle(b->mesh, i, &b->box[b->count])) {
            b->index[b->count++] = i;
        } else if (!skip) {
            return CD_INVALID_ARGUMENT;
        }
        if ((i & 0xFFFFFu) == 0xFFFFFu && !cdi_tell_progress(b, 0.0)) return CD_CANCELLED;
    }
    return cdi_tell_progress(b, 0.05) ? CD_OK : CD_CANCELLED;
}

/* ---- from the binary tree to nodes of eight children ---- */

/* Opens the child with the largest box until there are eight or all are leaves; they stay in order. */
static uint32_t cdi_gather_children(const cdi_builder *b, uint32_t slot, uint32_t child[8]) {
    uint32_t count = 1;
    child[0] = slot;
    while (count < 8) {
        uint32_t widest = 8;
        double area = -1.0;
        for (uint32_t i = 0; i < count; ++i) {
            const cdi_binary_node *n = &b->node[child[i]];
            if (n->count == 0 && cdi_box_area(&n->box) > area) {
                area = cdi_box_area(&n->box);
                widest = i;
            }
        }
        if (widest == 8) break;
        for (uint32_t i = count; i > widest + 1; --i) child[i] = child[i - 1];
        child[widest + 1] = b->node[child[widest]].next;
        ++child[widest];
        ++count;
    }
    return count;
}

static void cdi_write_lane(const cdi_frame *f, const cdi_box *box, cdi_bvh_node *node, uint32_t lane) {
    for (int k = 0; k < 3; ++k) {
        node->lo[k][lane] = cdi_float_down(cdi_frame_in(f, k, (double)box->v[k]));
        node->hi[k][lane] = cdi_float_up(cdi_frame_in(f, k, -(double)box->v[4 + k]));
    }
}

/* A binary subtree to become a node, and where its number is to be put. */
typedef struct cdi_collapse_step {
    uint32_t slot, parent, lane, depth;
} cdi_collapse_step;

/* Numbers the wide nodes depth first, and writes them unless `nodes` is NULL. Returns how many. */
static uint32_t cdi_collapse(const cdi_builder *b, const cdi_frame *f, cdi_bvh_node *nodes, uint32_t *depth) {
    cdi_collapse_step todo[CDI_BVH_STACK];
    uint32_t todo_count = 1, count = 0;
    cdi_clear(&todo[0], sizeof todo[0]);
    *depth = 0;
    while (todo_count > 0) {
        cdi_collapse_step at = todo[--todo_count];
        uint32_t child[8], number = count++, width = cdi_gather_children(b, at.slot, child);
        if (*depth < at.depth + 1) *depth = at.depth + 1;
        if (nodes) {
            cdi_clear(&nodes[number], sizeof *nodes);
            nodes[number].lanes = (1u << width) - 1u;
            if (number) nodes[at.parent].child[at.lane] = number;
        }
        for (uint32_t i = width; i-- > 0;) {
            const cdi_binary_node *n = &b->node[child[i]];
            if (nodes) {
                cdi_write_lane(f, &n->box, &nodes[number], i);
                nodes[number].count[i] = (uint8_t)n->count;
                if (n->count) nodes[number].child[i] = n->next;
            }
            if (n->count == 0) {
                cdi_collapse_step *next = &todo[todo_count++];
                next->slot = child[i];
                next->parent = number;
                next->lane = i;
                next->depth = at.depth + 1;
            }
        }
    }
    return count;
}

/* ---- the block ---- */

static cdi_frame cdi_frame_of(const cdi_box *bounds) {
    double half = 0.0;
    cdi_frame f;
    cdi_clear(&f, sizeof f);
    for (int k = 0; k < 3; ++k) {
        double lo = (double)bounds->v[k], hi = -(double)bounds->v[4 + k];
        f.origin[k] = 0.5 * lo + 0.5 * hi;
        half = cdi_max(half, cdi_max(hi - f.origin[k], f.origin[k] - lo));
    }
    f.exponent = half > 0.0 ? cdi_exponent(half) + 1 : 0;
    return f;
}

static void cdi_write_triangles(const cdi_builder *b, cdi_bvh_triangle *out) {
    for (uint32_t i = 0; i < b->count; ++i) {
        cd_triangle t;
        cdi_clear(&out[i], sizeof out[i]);
        if (!cd_mesh_triangle(b->mesh, b->index[i], &t)) continue; /* cannot be: it was read before */
        cdi_copy(out[i].v, &t.a, 3 * sizeof(cd_real));
        cdi_copy(out[i].v + 3, &t.b, 3 * sizeof(cd_real));
        cdi_copy(out[i].v + 6, &t.c, 3 * sizeof(cd_real));
        out[i].index = b->index[i];
    }
}

static cd_status cdi_write_block(const cdi_builder *b, cd_bvh *out) {
    cdi_bvh_header h;
    uint64_t bytes;
    unsigned char *block;
    cdi_clear(&h, sizeof h);
    h.magic = CDI_BVH_MAGIC;
    h.version = CDI_BVH_VERSION;
    h.real_size = (uint32_t)sizeof(cd_real);
    h.mesh_count = b->mesh->triangle_count;
    h.triangle_count = b->count;
    h.skipped_count = h.mesh_count - h.triangle_count;
    if (b->count) {
        const cdi_box *bounds = &b->node[0].box;
        h.frame = cdi_frame_of(bounds);
        for (int k = 0; k < 3; ++k) {
            h.lo[k] = (double)bounds->v[k];
            h.hi[k] = -(double)bounds->v[4 + k];
        }
        h.node_count = cdi_collapse(b, &h.frame, NULL, &h.depth);
    }
    bytes = sizeof h + (uint64_t)h.node_count * sizeof(cdi_bvh_node) +
            (uint64_t)b->count * sizeof(cdi_bvh_triangle);
    h.bytes = bytes;
    if (bytes > SIZE_MAX) return CD_TOO_LARGE;
    block = (unsigned char *)cdi_alloc(&b->allocator, (size_t)bytes, 1);
    if (!block) return CD_OUT_OF_MEMORY;
    cdi_copy(block, &h, sizeof h);
    if (b->count) {
        cdi_bvh_node *nodes = (cdi_bvh_node *)(void *)(block + sizeof h);
        cdi_collapse(b, &h.frame, nodes, &h.depth);
        cdi_write_triangles(b, (cdi_bvh_triangle *)(void *)(nodes + h.node_count));
    }
    out->block = block;
    out->bytes = (size_t)bytes;
    out->allocator = b->allocator;
    out->owned = 1;
    return CD_OK;
}

/* ---- the whole ---- */

static cd_status cdi_build(cdi_builder *b, cd_bvh *out, bool skip) {
    cd_status status = cdi_read_mesh(b, skip);
    if (status != CD_OK) return status;
    if (b->count && !cdi_build_binary(b)) return CD_CANCELLED;
    status = cdi_write_block(b, out);
    if (status == CD_OK && !cdi_tell_progress(b, 1.0)) {
        cd_bvh_destroy(out);
        status = CD_CANCELLED;
    }
    return status;
}

CD_API cd_status cd_bvh_build_mesh(cd_bvh *out, const cd_mesh_view *mesh, const cd_bvh_options *options) {
    cdi_builder b;
    uint32_t n = mesh->triangle_count;
    cd_status status = CD_OUT_OF_MEMORY;
    cdi_clear(out, sizeof *out);
    cdi_clear(&b, sizeof b);
    b.mesh = mesh;
    b.leaf_size = 4;
    if (options) {
        b.allocator = options->allocator;
        b.executor = options->executor;
        if (options->leaf_size) b.leaf_size = options->leaf_size;
    }
    if (!cd_mesh_view_is_valid(mesh) || b.leaf_size > CDI_BVH_LEAF_MAX) return CD_INVALID_ARGUMENT;
    if (n > CDI_BVH_MOST) return CD_TOO_LARGE;
    b.box = (cdi_box *)cdi_alloc(&b.allocator, n, sizeof *b.box);
    b.index = (uint32_t *)cdi_alloc(&b.allocator, n, sizeof *b.index);
    b.node = (cdi_binary_node *)cdi_alloc(&b.allocator, 2 * (size_t)n, sizeof *b.node);
    if (n == 0 || (b.box && b.index && b.node)) {
        status = cdi_build(&b, out, options && (options->flags & CD_BVH_SKIP_INVALID));
    }
    cdi_free(&b.allocator, b.node, 2 * (size_t)n, sizeof *b.node);
    cdi_free(&b.allocator, b.index, n, sizeof *b.index);
    cdi_free(&b.allocator, b.box, n, sizeof *b.box);
    return status;
}

#undef CDI_BINS
#undef CDI_COST_DEPTH
#undef CDI_TASKS
#undef CDI_TASK_LEAST

/* ---- tree/bvh_cast.c ----------------------------------------------------------------------------------------- */

/* ---- a ray in the frame of a tree ----
 *
 * The frame holds the tree in [-1, 1]. The ray is cut where it comes near that cube, and its direction scaled by a power
 * of two so that its largest component is in [1, 2): tau = (t * 2^power) - start runs from 0 to a few units inside the
 * cube. The cut point is off by a known error, so every axis has two origins, one rounded up for the planes' low sides
 * and one down for the high ones; then the only error left in a slab is a relative one of three roundings, which
 * CDI_SLACK covers. No infinity or NaN comes up: an axis along which the ray hardly moves gets an interval wide enough
 * to hold all of its movement. */
typedef struct cdi_frame_ray {
    float low_origin[3], high_origin[3]; /* subtracted from the low and the high sides of boxes */
    float inverse[3];
    int near_high[3]; /* the direction is negative: high sides come first */
    double start;     /* where the ray was cut, in tau */
    int power;
} cdi_frame_ray;

#define CDI_SLACK 1.0000005f             /* above (1 + 2^-24)^4 */
#define CDI_STILL 9.094947017729282e-13  /* 2^-40: less movement than this counts as none ... */
#define CDI_WIDEN 1.4551915228366852e-11 /* ... and the interval is widened by 2^-36 */

/* Where the ray is inside the cube of half side `side`, in units of tau; false when it misses it for certain. */
static bool cdi_clip_to_cube(const double o[3], const double d[3], double side, double *in, double *out) {
    *in = -CDI_HUGE;
    *out = CDI_HUGE;
    for (int k = 0; k < 3; ++k) {
        double p, q;
        if (d[k] == 0.0) {
            if (!(cdi_abs(o[k]) <= side)) return false;
            continue;
        }
        p = (-side - o[k]) / d[k];
        q = (side - o[k]) / d[k];
        *in = cdi_max(cdi_min(p, q), *in);
        *out = cdi_min(cdi_max(p, q), *out);
    }
    return *in - cdi_abs(*in) * 1e-14 <= *out + cdi_abs(*out) * 1e-14;
}

/* False when the ray misses the tree. */
static bool cdi_frame_ray_begin(cdi_frame_ray *f, const cdi_bvh *tree, const cdi_ray *r) {
    const cdi_frame *frame = &tree->header->frame;
    int shift = -cdi_exponent(r->d[r->kz]);
    double o[3], d[3], in, out;
    f->power = -shift - frame->exponent;
    for (int k = 0; k < 3; ++k) {
        o[k] = cdi_frame_in(frame, k, r->o[k]);
        d[k] = cdi_scale2(r->d[k], shift);
    }
    if (!cdi_clip_to_cube(o, d, 1.01, &in, &out)) return false;
    f->start = cdi_max(cdi_scale2(r->t_min, f->power), in);
    for (int k = 0; k < 3; ++k) {
        double way = f->start * d[k], at = o[k] + way;
        double error = 1e-15 * (cdi_abs(o[k]) + cdi_abs(way)) + 1e-30;
        bool still = cdi_abs(d[k]) < CDI_STILL;
        if (still) error += CDI_WIDEN + 8.0 * cdi_abs(d[k]);
        f->low_origin[k] = cdi_float_up(at + error);
        f->high_origin[k] = cdi_float_down(at - error);
        f->inverse[k] = (float)(still ? 1.0 / CDI_STILL : 1.0 / d[k]);
        f->near_high[k] = !still && d[k] < 0.0;
    }
    return true;
}

/* An upper bound of tau for a t. */
static float cdi_frame_ray_limit(const cdi_frame_ray *f, double t) {
    double end = cdi_scale2(t, f->power), tau = end - f->start;
    tau += 1e-14 * (cdi_abs(end) + cdi_abs(f->start));
    return tau < 0.0 ? -1.0f : cdi_float_up(cdi_min(tau, 1e20)) * CDI_SLACK;
}

/* ---- the walk ---- */

/* A child to be looked at, and where the ray enters its box. */
typedef struct cdi_ray_step {
    float enter;
    uint32_t child, count;
} cdi_ray_step;

/* What is done with the triangles of a leaf: lowers `*t_max` when nothing farther matters; false ends the walk. */
typedef bool (*cdi_ray_leaf_fn)(void *ctx, const cdi_ray *r, const cdi_bvh_triangle *t, uint32_t count,
                                double *t_max);

/* Where the ray enters the eight boxes; a bit for each that it meets no later than `limit`. */
CDI_INLINE uint32_t cdi_ray_enters(const cdi_frame_ray *f, const cdi_bvh_node *node, float limit,
                                   float enter[8]) {
    cdi_f8 in = cdi_f8_all(0.0f), out = cdi_f8_all(limit);
    for (int k = 0; k < 3; ++k) {
        cdi_f8 inverse = cdi_f8_all(f->inverse[k]);
        cdi_f8 low = cdi_f8_mul(cdi_f8_sub(cdi_f8_load(node->lo[k]), cdi_f8_all(f->low_origin[k])), inverse);
        cdi_f8 high =
            cdi_f8_mul(cdi_f8_sub(cdi_f8_load(node->hi[k]), cdi_f8_all(f->high_origin[k])), inverse);
        in = cdi_f8_max(in, f->near_high[k] ? high : low);
        out = cdi_f8_min(out, cdi_f8_mul(f->near_high[k] ? low : high, cdi_f8_all(CDI_SLACK)));
    }
    cdi_f8_store(enter, in);
    return cdi_f8_le(in, out) & node->lanes;
}

/* Pushes the children that were met so that the nearest comes off first; of equal ones the lower lane. */
CDI_INLINE uint32_t cdi_push_sorted(cdi_ray_step *stack, uint32_t top, const cdi_bvh_node *node,
                                    uint32_t mask, const float enter[8]) {
    uint32_t bottom = top;
    while (mask) {
        uint32_t lane = cdi_lowest_bit(mask), at = top++;
        mask &= mask - 1;
        for (; at > bottom && stack[at - 1].enter <= enter[lane]; --at) stack[at] = stack[at - 1];
        stack[at].enter = enter[lane];
        stack[at].child = node->child[lane];
        stack[at].count = node->count[lane];
    }
    return top;
}

/* All leaves that the ray meets at t up to `t_max`, roughly in order. Answers false when a leaf ended the walk. */
CDI_INLINE bool cdi_ray_walk(const cdi_bvh *tree, const cdi_ray *r, double t_max, cdi_ray_leaf_fn leaf,
                             void *ctx) {
    cdi_ray_step stack[CDI_BVH_STACK];
    float enter[8], limit;
    cdi_frame_ray f;
    uint32_t top = 1;
    if (!cdi_frame_ray_begin(&f, tree, r)) return true;
    limit = cdi_frame_ray_limit(&f, t_max);
    stack[0].enter = 0.0f;
    stack[0].child = stack[0].count = 0;
    while (top > 0) {
        cdi_ray_step at = stack[--top];
        if (at.enter > limit) continue;
        if (at.count == 0) {
            const cdi_bvh_node *node = &tree->nodes[at.child];
            uint32_t mask = cdi_ray_enters(&f, node, limit, enter);
            CDI_COUNT(node);
            top = cdi_push_sorted(stack, top, node, mask, enter);
        } else {
            double before = t_max;
            if (!leaf(ctx, r, tree->triangles + at.child, at.count, &t_max)) return false;
            if (t_max < before) limit = cdi_frame_ray_limit(&f, t_max);
        }
    }
    return true;
}

/* ---- the nearest hit ---- */

/* What a leaf is told, and what was found. */
typedef struct cdi_nearest {
    const cd_cast_options *options;
    uint32_t flags;
    const cdi_bvh_triangle *best;
    cdi_tri_hit hit;
} cdi_nearest;

static bool cdi_passes(const cd_cast_options *options, uint32_t index) {
    return !options || !options->filter || options->filter(options->user, index);
}

CDI_INLINE bool cdi_nearest_leaf(void *ctx, const cdi_ray *r, const cdi_bvh_triangle *t, uint32_t count,
                                 double *t_max) {
    cdi_nearest *n = (cdi_nearest *)ctx;
    for (uint32_t i = 0; i < count; ++i) {
        cdi_tri tri = cdi_bvh_tri(&t[i]);
        cdi_tri_hit h;
        CDI_COUNT(triangle);
        if (!cdi_ray_tri(r, &tri, n->flags, *t_max, &h)) continue;
        if (n->best && h.t == n->hit.t && t[i].index > n->best->index) continue;
        if (!cdi_passes(n->options, t[i].index)) continue;
        n->best = &t[i];
        n->hit = h;
        *t_max = h.t;
    }
    return true;
}

/* The cast made ready; false when nothing can be hit. */
static bool cdi_bvh_cast_begin(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                               const cd_cast_options *options, cdi_bvh *t, cdi_cast *c, cdi_ray *ray) {
    return cdi_bvh_open(t, tree) && cdi_cast_begin(c, r, t_max, options) && cdi_ray_prepare(ray, c);
}

CD_API bool cd_bvh_cast_ray(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                            const cd_cast_options *options, cd_hit *hit) {
    cdi_bvh t;
    cdi_cast c;
    cdi_ray ray;
    cdi_nearest n;
    cdi_tri tri;
    if (!cdi_bvh_cast_begin(tree, r, t_max, options, &t, &c, &ray)) return false;
    n.options = options;
    n.flags = c.flags;
    n.best = NULL;
    cdi_ray_walk(&t, &ray, c.t_max, cdi_nearest_leaf, &n);
    if (!n.best) return false;
    tri = cdi_bvh_tri(n.best);
    return cdi_tri_hit_write(hit, &n.hit, &tri, &ray, n.best->index);
}

CD_API size_t cd_bvh_cast_rays(const cd_bvh *tree, const cd_ray *rays, const cd_real *t_max, size_t count,
                               const cd_cast_options *options, cd_hit *hits) {
    size_t found = 0;
    for (size_t i = 0; i < count; ++i) {
        cd_hit hit;
        cdi_clear(&hit, sizeof hit);
        hit.index = CD_NONE;
        if (cd_bvh_cast_ray(tree, &rays[i], t_max ? t_max[i] : CD_REAL_MAX, options, &hit)) ++found;
        if (hits) hits[i] = hit;
    }
    return found;
}

/* ---- any hit ---- */

CDI_INLINE bool cdi_any_leaf(void *ctx, const cdi_ray *r, const cdi_bvh_triangle *t, uint32_t count,
                             double *t_max) {
    const cdi_nearest *n = (const cdi_nearest *)ctx;
    for (uint32_t i = 0; i < count; ++i) {
        cdi_tri tri = cdi_bvh_tri(&t[i]);
        cdi_tri_hit h;
        CDI_COUNT(triangle);
        if (cdi_ray_tri(r, &tri, n->flags, *t_max, &h) && cdi_passes(n->options, t[i].index)) return false;
    }
    return true;
}

CD_API bool cd_bvh_test_ray(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                            const cd_cast_options *options) {
    cdi_bvh t;
    cdi_cast c;
    cdi_ray ray;
    cdi_nearest n;
    if (!cdi_bvh_cast_begin(tree, r, t_max, options, &t, &c, &ray)) return false;
    n.options = options;
    n.flags = c.flags;
    n.best = NULL;
    return !cdi_ray_walk(&t, &ray, c.t_max, cdi_any_leaf, &n);
}

/* ---- all hits ---- */

/* The nearest `room` hits so far, as a heap with the farthest on top. */
typedef struct cdi_all_hits {
    cdi_nearest base;
    cd_hit *hits;
    size_t room, kept, found;
} cdi_all_hits;

/* Is a farther than b? While hits are in the heap, `depth` holds what rounding took from t. */
static bool cdi_hit_after(const cd_hit *a, const cd_hit *b) {
    if (a->t != b->t) return a->t > b->t;
    return a->depth > b->depth || (a->depth == b->depth && a->index > b->index);
}

static void cdi_hit_sink(cd_hit *heap, size_t count, size_t i) {
    cd_hit moved = heap[i];
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= count) break;
        if (child + 1 < count && cdi_hit_after(&heap[child + 1], &heap[child])) ++child;
        if (!cdi_hit_after(&heap[child], &moved)) break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = moved;
}

static void cdi_hit_rise(cd_hit *heap, size_t i) {
    cd_hit moved = heap[i];
    while (i > 0 && cdi_hit_after(&moved, &heap[(i - 1) / 2])) {
        heap[i] = heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap[i] = moved;
}

static void cdi_keep_hit(cdi_all_hits *all, const cd_hit *hit) {
    if (all->kept < all->room) {
        all->hits[all->kept] = *hit;
        cdi_hit_rise(all->hits, all->kept++);
    } else if (all->room && cdi_hit_after(&all->hits[0], hit)) {
        all->hits[0] = *hit;
        cdi_hit_sink(all->hits, all->kept, 0);
    }
}

/* A heap with the farthest on top, put in rising order. */
static void cdi_sort_hits(cd_hit *heap, size_t count) {
    while (count > 1) {
        cd_hit farthest = heap[0];
        heap[0] = heap[--count];
        heap[count] = farthest;
        cdi_hit_sink(heap, count, 0);
    }
}

static void cdi_clear_depths(cd_hit *hits, size_t count) {
    for (size_t i = 0; i < count; ++i) hits[i].depth = 0;
}

CDI_INLINE bool cdi_all_leaf(void *ctx, const cdi_ray *r, const cdi_bvh_triangle *t, uint32_t count,
                             double *t_max) {
    cdi_all_hits *all = (cdi_all_hits *)ctx;
    for (uint32_t i = 0; i < count; ++i) {
        cdi_tri tri = cdi_bvh_tri(&t[i]);
        cdi_tri_hit h;
        cd_hit hit;
        CDI_COUNT(triangle);
        if (!cdi_ray_tri(r, &tri, all->base.flags, *t_max, &h) || !cdi_passes(all->base.options, t[i].index))
            continue;
        if (!cdi_tri_hit_write(&hit, &h, &tri, r, t[i].index)) continue;
        ++all->found;
        hit.depth = (cd_real)(h.t - (double)hit.t);
        cdi_keep_hit(all, &hit);
    }
    return true;
}

CD_API size_t cd_bvh_cast_ray_all(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                                  const cd_cast_options *options, cd_hit *hits, size_t capacity) {
    cdi_bvh t;
    cdi_cast c;
    cdi_ray ray;
    cdi_all_hits all;
    if (!cdi_bvh_cast_begin(tree, r, t_max, options, &t, &c, &ray)) return 0;
    all.base.options = options;
    all.base.flags = c.flags;
    all.base.best = NULL;
    all.hits = hits;
    all.room = hits ? capacity : 0;
    all.kept = all.found = 0;
    cdi_ray_walk(&t, &ray, c.t_max, cdi_all_leaf, &all);
    cdi_sort_hits(all.hits, all.kept);
    cdi_clear_depths(all.hits, all.kept);
    return all.found;
}

#undef CDI_SLACK
#undef CDI_STILL
#undef CDI_WIDEN

/* ---- tree/bvh_overlap.c -------------------------------------------------------------------------------------- */

/* A volume as the walk asks it: which of a node's boxes may it meet, and does it meet a triangle? */
typedef struct cdi_volume {
    uint32_t (*meets_boxes)(const struct cdi_volume *v, const cdi_bvh_node *node);
    bool (*meets_triangle)(const struct cdi_volume *v, const cdi_tri *t);
    float lo[3], hi[3]; /* a box in the tree's frame */
    cdi_frame_point point;
    float sqradius;
    cdi_v3 a, b; /* the box, or a sphere's centre, as the caller gave it */
    double radius;
} cdi_volume;

/* Visits the triangles in the order of the leaves. */
CDI_INLINE bool cdi_overlap_walk(const cdi_bvh *tree, const cdi_volume *v, cd_visit_fn visit, void *user) {
    struct {
        uint32_t node, mask;
    } path[CDI_BVH_DEPTH];
    uint32_t length = 1;
    path[0].node = 0;
    path[0].mask = v->meets_boxes(v, &tree->nodes[0]) & tree->nodes[0].lanes;
    CDI_COUNT(node);
    while (length > 0) {
        const cdi_bvh_node *node = &tree->nodes[path[length - 1].node];
        uint32_t mask = path[length - 1].mask, lane, child;
        if (!mask) {
            --length;
            continue;
        }
        lane = cdi_lowest_bit(mask);
        path[length - 1].mask = mask & (mask - 1);
        child = node->child[lane];
        if (node->count[lane] == 0) {
            path[length].node = child;
            path[length++].mask = v->meets_boxes(v, &tree->nodes[child]) & tree->nodes[child].lanes;
            CDI_COUNT(node);
            continue;
        }
        for (uint32_t i = child; i < child + node->count[lane]; ++i) {
            cdi_tri tri = cdi_bvh_tri(&tree->triangles[i]);
            CDI_COUNT(triangle);
            if (v->meets_triangle(v, &tri) && !visit(user, tree->triangles[i].index)) return false;
        }
    }
    return true;
}

/* ---- box ---- */

static uint32_t cdi_box_meets_boxes(const cdi_volume *v, const cdi_bvh_node *node) {
    uint32_t mask = 255;
    for (int k = 0; k < 3; ++k) {
        mask &= cdi_f8_le(cdi_f8_load(node->lo[k]), cdi_f8_all(v->hi[k]));
        mask &= cdi_f8_le(cdi_f8_all(v->lo[k]), cdi_f8_load(node->hi[k]));
    }
    return mask;
}

static bool cdi_box_meets_triangle(const cdi_volume *v, const cdi_tri *t) {
    return cdi_test_tri_box(t, v->a, v->b);
}

CD_API bool cd_bvh_overlap_aabb(const cd_bvh *tree, cd_aabb box, cd_visit_fn visit, void *user) {
    cdi_bvh t;
    cdi_volume v;
    if (!cdi_bvh_open(&t, tree) || !cd_aabb_is_valid(box)) return true;
    cdi_clear(&v, sizeof v);
    v.meets_boxes = cdi_box_meets_boxes;
    v.meets_triangle = cdi_box_meets_triangle;
    v.a = cdi_v3_of(box.min);
    v.b = cdi_v3_of(box.max);
    for (int k = 0; k < 3; ++k) {
        v.lo[k] = cdi_float_down(cdi_frame_in(&t.header->frame, k, cdi_v3_get(v.a, k)));
        v.hi[k] = cdi_float_up(cdi_frame_in(&t.header->frame, k, cdi_v3_get(v.b, k)));
    }
    return cdi_overlap_walk(&t, &v, visit, user);
}

/* ---- sphere ---- */

static uint32_t cdi_sphere_meets_boxes(const cdi_volume *v, const cdi_bvh_node *node) {
    return cdi_f8_le(cdi_sqdist_boxes(&v->point, node), cdi_f8_all(v->sqradius));
}

static bool cdi_sphere_meets_triangle(const cdi_volume *v, const cdi_tri *t) {
    return cdi_near_triangle(v->a, t).sqdist <= v->radius * v->radius;
}

CD_API bool cd_bvh_overlap_sphere(const cd_bvh *tree, cd_sphere sphere, cd_visit_fn visit, void *user) {
    cdi_bvh t;
    cdi_volume v;
    if (!cdi_bvh_open(&t, tree) || !cd_sphere_is_valid(sphere)) return true;
    cdi_clear(&v, sizeof v);
    v.meets_boxes = cdi_sphere_meets_boxes;
    v.meets_triangle = cdi_sphere_meets_triangle;
    v.a = cdi_v3_of(sphere.center);
    v.radius = (double)sphere.radius;
    v.point = cdi_frame_point_of(&t.header->frame, v.a);
    v.sqradius = cdi_frame_sqdist(&t.header->frame, v.radius * v.radius);
    return cdi_overlap_walk(&t, &v, visit, user);
}

/* ---- tree/bvh_closest.c -------------------------------------------------------------------------------------- */

/* A child to be looked at, and a lower bound of its squared distance. */
typedef struct cdi_near_step {
    float sqdist;
    uint32_t child, count;
} cdi_near_step;

/* The best so far. */
typedef struct cdi_near_best {
    double sqdist;
    uint32_t index;
    cdi_near near_point;
} cdi_near_best;

static bool cdi_near_leaf(cdi_v3 p, const cdi_bvh_triangle *t, uint32_t count, cd_filter_fn filter,
                          void *user, cdi_near_best *best) {
    bool better = false;
    for (uint32_t i = 0; i < count; ++i) {
        cdi_tri tri = cdi_bvh_tri(&t[i]);
        cdi_near n = cdi_near_triangle(p, &tri);
        CDI_COUNT(triangle);
        if (n.sqdist > best->sqdist || (n.sqdist == best->sqdist && t[i].index > best->index)) continue;
        if (filter && !filter(user, t[i].index)) continue;
        best->sqdist = n.sqdist;
        best->index = t[i].index;
        best->near_point = n;
        better = true;
    }
    return better;
}

/* Pushes the boxes no farther than `limit` so that the nearest comes off first; of equal ones the lower lane. */
static uint32_t cdi_push_near(cdi_near_step *stack, uint32_t top, const cdi_bvh_node *node,
                              const cdi_frame_point *p, float limit) {
    cdi_f8 sqdist = cdi_sqdist_boxes(p, node);
    uint32_t mask = cdi_f8_le(sqdist, cdi_f8_all(limit)) & node->lanes, bottom = top;
    float d[8];
    cdi_f8_store(d, sqdist);
    CDI_COUNT(node);
    while (mask) {
        uint32_t lane = cdi_lowest_bit(mask), at = top++;
        mask &= mask - 1;
        for (; at > bottom && stack[at - 1].sqdist <= d[lane]; --at) stack[at] = stack[at - 1];
        stack[at].sqdist = d[lane];
        stack[at].child = node->child[lane];
        stack[at].count = node->count[lane];
    }
    return top;
}

static void cdi_closest_write(cd_closest *out, cd_vec3 p, const cdi_near_best *best) {
    if (!out) return;
    cdi_clear(out, sizeof *out);
    out->a = p;
    out->b = cdi_v3_round(best->near_point.point);
    out->sqdist = (cd_real)best->sqdist;
    out->s = (cd_real)best->near_point.u;
    out->t = (cd_real)best->near_point.v;
    out->feature_b = best->near_point.feature;
    out->index_b = best->index;
}

CD_API bool cd_bvh_closest(const cd_bvh *tree, cd_vec3 p, cd_real max_distance, cd_filter_fn filter,
                           void *user, cd_closest *out) {
    cdi_near_step stack[CDI_BVH_STACK];
    cdi_v3 q = cdi_v3_of(p);
    double most = (double)max_distance;
    cdi_frame_point point;
    cdi_near_best best;
    cdi_bvh t;
    float limit;
    uint32_t top = 1;
    if (!cdi_bvh_open(&t, tree) || !cdi_v3_finite(q) || !(most >= 0.0)) return false;
    cdi_clear(&best, sizeof best);
    best.sqdist = cdi_min(most * most, CDI_HUGE);
    best.index = CD_NONE;
    point = cdi_frame_point_of(&t.header->frame, q);
    limit = cdi_frame_sqdist(&t.header->frame, best.sqdist);
    stack[0].sqdist = 0.0f;
    stack[0].child = stack[0].count = 0;
    while (top > 0) {
        cdi_near_step at = stack[--top];
        if (at.sqdist > limit) continue;
        if (at.count == 0) {
            top = cdi_push_near(stack, top, &t.nodes[at.child], &point, limit);
        } else if (cdi_near_leaf(q, t.triangles + at.child, at.count, filter, user, &best)) {
            limit = cdi_frame_sqdist(&t.header->frame, best.sqdist);
        }
    }
    if (best.index == CD_NONE) return false;
    cdi_closest_write(out, p, &best);
    return true;
}

/* ---- tree/bvh_collide.c -------------------------------------------------------------------------------------- */

/* ---- boxes of one tree in the frame of the other ---- */

/* From a tree's frame into the other's: x -> turn x + shift, and how much a box has to grow there, axis by axis, to make
 * up for all rounding: of the transformed corners, and of this computation. */
typedef struct cdi_frame_map {
    cdi_m3 turn, abs_turn;
    cdi_v3 shift;
    double grow[3];
} cdi_frame_map;

/* The bounds of one lane's box on the other side. */
typedef struct cdi_mapped {
    float lo[3], hi[3];
} cdi_mapped;

static cdi_mapped cdi_map_lane(const cdi_frame_map *m, const cdi_bvh_node *node, uint32_t lane) {
    double c[3], h[3];
    cdi_v3 center, half;
    cdi_mapped r;
    for (int k = 0; k < 3; ++k) {
        c[k] = 0.5 * ((double)node->hi[k][lane] + (double)node->lo[k][lane]);
        h[k] = 0.5 * ((double)node->hi[k][lane] - (double)node->lo[k][lane]);
    }
    center = cdi_v3_add(cdi_m3_mul_v3(&m->turn, cdi_v3_make(c[0], c[1], c[2])), m->shift);
    half = cdi_m3_mul_v3(&m->abs_turn, cdi_v3_make(h[0], h[1], h[2]));
    for (int k = 0; k < 3; ++k) {
        double e = cdi_v3_get(half, k) + m->grow[k];
        r.lo[k] = cdi_float_down(cdi_v3_get(center, k) - e);
        r.hi[k] = cdi_float_up(cdi_v3_get(center, k) + e);
    }
    return r;
}

/* Which lanes of the other tree's node it meets. */
static uint32_t cdi_mapped_meets(const cdi_mapped *b, const cdi_bvh_node *node) {
    uint32_t mask = node->lanes;
    for (int k = 0; k < 3; ++k) {
        mask &= cdi_f8_le(cdi_f8_load(node->lo[k]), cdi_f8_all(b->hi[k]));
        mask &= cdi_f8_le(cdi_f8_all(b->lo[k]), cdi_f8_load(node->hi[k]));
    }
    return mask;
}

static void cdi_frame_map_finish(cdi_frame_map *m) {
    for (int i = 0; i < 3; ++i) {
        cdi_v3 c = m->turn.c[i];
        m->abs_turn.c[i] = cdi_v3_make(cdi_abs(c.x), cdi_abs(c.y), cdi_abs(c.z));
    }
}

/* The largest coordinate, axis by axis, that a corner of b takes in a's frame. */
static cdi_v3 cdi_reach(const cdi_bvh_header *b, const cdi_pose *pose) {
    cdi_v3 lo = cdi_v3_make(b->lo[0], b->lo[1], b->lo[2]), hi = cdi_v3_make(b->hi[0], b->hi[1], b->hi[2]);
    cdi_v3 most = cdi_v3_make(cdi_max(cdi_abs(lo.x), cdi_abs(hi.x)), cdi_max(cdi_abs(lo.y), cdi_abs(hi.y)),
                              cdi_max(cdi_abs(lo.z), cdi_abs(hi.z)));
    cdi_v3 r = cdi_v3_make(cdi_abs(pose->position.x), cdi_abs(pose->position.y), cdi_abs(pose->position.z));
    for (int i = 0; i < 3; ++i) {
        cdi_v3 c = pose->rotation.c[i];
        r = cdi_v3_along(r, cdi_v3_make(cdi_abs(c.x), cdi_abs(c.y), cdi_abs(c.z)), cdi_v3_get(most, i));
    }
    return r;
}

/* b's frame in a's. With a point y = (x - origin_b) 2^-eb and the pose R x + p, the other frame's coordinate is
 * (R (y 2^eb + origin_b) + p - origin_a) 2^-ea. */
static void cdi_map_b_to_a(const cdi_bvh_header *a, const cdi_bvh_header *b, const cdi_pose *pose,
                           cdi_frame_map *m) {
    cdi_v3 reach = cdi_reach(b, pose);
    cdi_v3 origin =
        cdi_pose_point(pose, cdi_v3_make(b->frame.origin[0], b->frame.origin[1], b->frame.origin[2]));
    double shift[3];
    for (int i = 0; i < 3; ++i) {
        cdi_v3 c = pose->rotation.c[i];
        int e = b->frame.exponent - a->frame.exponent;
        m->turn.c[i] = cdi_v3_make(cdi_scale2(c.x, e), cdi_scale2(c.y, e), cdi_scale2(c.z, e));
        shift[i] = cdi_frame_in(&a->frame, i, cdi_v3_get(origin, i));
        m->grow[i] = cdi_scale2(((double)CD_REAL_EPSILON + 1e-14) *
                                    (cdi_v3_get(reach, i) + cdi_abs(a->frame.origin[i])),
                                -a->frame.exponent);
    }
    m->shift = cdi_v3_make(shift[0], shift[1], shift[2]);
    cdi_frame_map_finish(m);
}

/* The other way: R^T (x - p). The box is grown in a's frame first; rotated, it grows by at most the sum. */
static void cdi_map_a_to_b(const cdi_bvh_header *a, const cdi_bvh_header *b, const cdi_pose *pose,
                           const cdi_frame_map *to_a, cdi_frame_map *m) {
    cdi_m3 back = cdi_m3_transpose(&pose->rotation);
    cdi_v3 origin = cdi_v3_make(a->frame.origin[0], a->frame.origin[1], a->frame.origin[2]), grow;
    double shift[3], e_abs;
    int e = a->frame.exponent - b->frame.exponent;
    origin = cdi_m3_mul_v3(&back, cdi_v3_sub(origin, pose->position));
    for (int i = 0; i < 3; ++i) {
        cdi_v3 c = back.c[i];
        m->turn.c[i] = cdi_v3_make(cdi_scale2(c.x, e), cdi_scale2(c.y, e), cdi_scale2(c.z, e));
        shift[i] = cdi_frame_in(&b->frame, i, cdi_v3_get(origin, i));
    }
    m->shift = cdi_v3_make(shift[0], shift[1], shift[2]);
    cdi_frame_map_finish(m);
    grow = cdi_m3_mul_v3(&m->abs_turn, cdi_v3_make(to_a->grow[0], to_a->grow[1], to_a->grow[2]));
    for (int i = 0; i < 3; ++i) {
        e_abs = cdi_abs(b->frame.origin[i]) + cdi_abs(a->frame.origin[0]) + cdi_abs(a->frame.origin[1]) +
                cdi_abs(a->frame.origin[2]) + cdi_abs(pose->position.x) + cdi_abs(pose->position.y) +
                cdi_abs(pose->position.z);
        m->grow[i] = 1.5 * cdi_v3_get(grow, i) + cdi_scale2(1e-14 * e_abs, -b->frame.exponent) +
                     1e-14 * cdi_scale2(1.0, e);
    }
}

/* ---- the walk ---- */

/* A pair of nodes (or of single lanes of nodes: leaves), and which pairs of their lanes are still to be done: bit
 * 8 * (lane of b) + (lane of a). */
typedef struct cdi_pair_step {
    uint64_t todo;
    uint32_t a, b;
} cdi_pair_step;

typedef struct cdi_pair_walk {
    cdi_bvh a, b;
    cdi_frame_map to_a, to_b;
    cdi_pose pose;
    bool posed;
    cd_visit_pair_fn visit;
    void *user;
    uint32_t held_first, held_count; /* the leaf of b that is held, transformed */
    cdi_tri held[CDI_BVH_LEAF_MAX];
} cdi_pair_walk;

/* The pairs of lanes whose boxes meet along the axes of both frames. */
static uint64_t cdi_lanes_meet(const cdi_pair_walk *w, const cdi_bvh_node *a, uint32_t lanes_a,
                               const cdi_bvh_node *b, uint32_t lanes_b) {
    uint64_t meet = 0;
    uint32_t mask_a = 0, mask;
    CDI_COUNT(node);
    for (mask = lanes_b; mask; mask &= mask - 1) {
        uint32_t lane = cdi_lowest_bit(mask), met;
        cdi_mapped box = cdi_map_lane(&w->to_a, b, lane);
        met = cdi_mapped_meets(&box, a) & lanes_a;
        meet |= (uint64_t)met << (8 * lane);
        mask_a |= met;
    }
    for (mask = mask_a; mask; mask &= mask - 1) {
        uint32_t lane = cdi_lowest_bit(mask), met;
        cdi_mapped box = cdi_map_lane(&w->to_b, a, lane);
        met = cdi_mapped_meets(&box, b);
        for (uint32_t i = 0; i < 8; ++i) {
            if (!(met >> i & 1u)) meet &= ~((uint64_t)1 << (8 * i + lane));
        }
    }
    return meet;
}

/* The triangles of a leaf of b, in a's frame. */
static void cdi_hold_leaf(cdi_pair_walk *w, uint32_t first, uint32_t count) {
    if (w->held_count && w->held_first == first) return;
    w->held_first = first;
    w->held_count = count;
    for (uint32_t i = 0; i < count; ++i) {
        const cdi_bvh_triangle *t = &w->b.triangles[first + i];
        w->held[i] = cdi_bvh_tri(t);
        for (int k = 0; k < 3 && w->posed; ++k) {
            cd_vec3 p = cd_vec3_make(t->v[3 * k], t->v[3 * k + 1], t->v[3 * k + 2]);
            w->held[i].v[k] = cdi_v3_of(cdi_pose_point_round(&w->pose, p));
        }
    }
}

/* All pairs of two leaves; false when the visitor stopped. */
static bool cdi_leaf_pairs(cdi_pair_walk *w, uint32_t first_a, uint32_t count_a, uint32_t first_b,
                           uint32_t count_b) {
    cdi_hold_leaf(w, first_b, count_b);
    for (uint32_t i = 0; i < count_a; ++i) {
        cdi_tri a = cdi_bvh_tri(&w->a.triangles[first_a + i]);
        for (uint32_t j = 0; j < count_b; ++j) {
            cd_pair pair;
            CDI_COUNT(triangle);
            if (!cdi_tri_bounds_meet(&a, &w->held[j]) || !cdi_test_tri_tri(&a, &w->held[j])) continue;
            pair.a = w->a.triangles[first_a + i].index;
            pair.b = w->b.triangles[first_b + j].index;
            if (!w->visit(w->user, pair)) return false;
        }
    }
    return true;
}

static bool cdi_pair_walk_run(cdi_pair_walk *w) {
    cdi_pair_step path[2 * CDI_BVH_DEPTH];
    uint32_t length = 1;
    path[0].a = path[0].b = 0;
    path[0].todo =
        cdi_lanes_meet(w, &w->a.nodes[0], w->a.nodes[0].lanes, &w->b.nodes[0], w->b.nodes[0].lanes);
    while (length > 0) {
        cdi_pair_step *at = &path[length - 1], *next = &path[length];
        const cdi_bvh_node *a = &w->a.nodes[at->a], *b = &w->b.nodes[at->b];
        uint32_t low = (uint32_t)at->todo, bit, i, j, lanes_a, lanes_b;
        if (at->todo == 0) {
            --length;
            continue;
        }
        bit = low ? cdi_lowest_bit(low) : 32 + cdi_lowest_bit((uint32_t)(at->todo >> 32));
        at->todo &= at->todo - 1;
        i = bit & 7u;
        j = bit >> 3;
        if (a->count[i] && b->count[j]) {
            if (!cdi_leaf_pairs(w, a->child[i], a->count[i], b->child[j], b->count[j])) return false;
            continue;
        }
        /* a leaf stays behind as one lane of its node, while the other side is descended */
        next->a = a->count[i] ? at->a : a->child[i];
        next->b = b->count[j] ? at->b : b->child[j];
        lanes_a = a->count[i] ? 1u << i : w->a.nodes[next->a].lanes;
        lanes_b = b->count[j] ? 1u << j : w->b.nodes[next->b].lanes;
        next->todo = cdi_lanes_meet(w, &w->a.nodes[next->a], lanes_a, &w->b.nodes[next->b], lanes_b);
        ++length;
    }
    return true;
}

CD_API bool cd_bvh_traverse_pairs(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a,
                                  cd_visit_pair_fn visit, void *user) {
    cdi_pair_walk w;
    cd_transform identity = cd_transform_identity();
    if (!cdi_bvh_open(&w.a, a) || !cdi_bvh_open(&w.b, b)) return true;
    if (b_in_a && !cd_transform_is_valid(b_in_a)) return true;
    w.posed = b_in_a != NULL;
    w.pose = cdi_pose_of(b_in_a ? b_in_a : &identity);
    w.visit = visit;
    w.user = user;
    w.held_first = w.held_count = 0;
    cdi_map_b_to_a(w.a.header, w.b.header, &w.pose, &w.to_a);
    cdi_map_a_to_b(w.a.header, w.b.header, &w.pose, &w.to_a, &w.to_b);
    return cdi_pair_walk_run(&w);
}

/* ---- answers in an array, and the first only ---- */

typedef struct cdi_pair_list {
    cd_pair *pairs;
    size_t capacity, count;
} cdi_pair_list;

static bool cdi_pair_append(void *user, cd_pair pair) {
    cdi_pair_list *list = (cdi_pair_list *)user;
    if (list->count < list->capacity) list->pairs[list->count] = pair;
    ++list->count;
    return true;
}

CD_API size_t cd_bvh_collide(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a, cd_pair *pairs,
                             size_t capacity) {
    cdi_pair_list list;
    list.pairs = pairs;
    list.capacity = pairs ? capacity : 0;
    list.count = 0;
    cd_bvh_traverse_pairs(a, b, b_in_a, cdi_pair_append, &list);
    return list.count;
}

static bool cdi_pair_first(void *user, cd_pair pair) {
    if (user) *(cd_pair *)user = pair;
    return false;
}

CD_API bool cd_bvh_test_bvh(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a, cd_pair *pair) {
    return !cd_bvh_traverse_pairs(a, b, b_in_a, cdi_pair_first, pair);
}

#if defined(__clang__) && (defined(__x86_64__) || defined(__i386__))
#pragma float_control(pop)
#elif defined(__clang__)
#pragma STDC FP_CONTRACT DEFAULT
#elif defined(__GNUC__)
#pragma GCC pop_options
#elif defined(_MSC_VER)
#pragma float_control(pop)
#endif

#undef CDI_FN
#undef CDI_INLINE
#undef CDI_COLD
#undef CDI_UNLIKELY
#undef CDI_COUNT
#undef CDI_AVX
#undef CDI_SSE2
#undef CDI_NEON
#undef CDI_ASSERT
#undef CDI_HUGE
#undef CDI_HULL_MAGIC
#undef CDI_HULL_MAGIC_SWAPPED
#undef CDI_HULL_VERSION
#undef CDI_HULL_MOST
#undef CDI_BVH_MAGIC
#undef CDI_BVH_VERSION
#undef CDI_BVH_DEPTH
#undef CDI_BVH_LEAF_MAX
#undef CDI_BVH_MOST
#undef CDI_BVH_STACK

#endif /* COLLIDE_IMPLEMENTATION */

/* ================================================================================================================
 * Licence
 *
 * MIT No Attribution
 *
 * Copyright (c) 2026 the collide.h authors
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy
 * of this software and associated documentation files (the "Software"), to deal
 * in the Software without restriction, including without limitation the rights
 * to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
 * copies of the Software, and to permit persons to whom the Software is
 * furnished to do so.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 * AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
 * LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
 * OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
 * SOFTWARE.
 * ============================================================================================================== */
