/* The targets: TARGET(name, the suites that are run with it, by their names between blanks). */
TARGET(any, " any_hard any_matrix any_shape shape shape_cast shape_collide shape_distance shape_impact "
            "shape_mass shape_sweep mover solid solids ")
TARGET(tree, " bvh bvh_builders bvh_compact bvh_front bvh_instances bvh_layouts bvh_linked bvh_matrix "
             "bvh_near bvh_nodes bvh_pairs bvh_rays "
             "bvh_refit bvh_spheres bvh_stats bvh_sweep bvh_sweep_bvh bvh_volumes bvh_winding bvtree dyntree "
             "heights spheretree classic_kdtree ")
TARGET(blobs, " bvh_fuzz ")
TARGET(readers, "")
TARGET(convex, " box_manifold boundary classic_convex convex_deep convex_pairs convex_steps dk_hierarchy epa "
               "gjk gjk_cast manifold qp sat shell support sweep_sat "
               "time_of_impact ")
TARGET(batch, " batch batch_rays ")
TARGET(hull,
       " cases_hulls hull hull2 hull_approx hull_simplify mass minkowski2 minkowski3 quads_hulls convexity ")
TARGET(query, " cast ccd ccd_truth closest closest_pairs closest_solid ellipsoid errata halving line_casts "
              "linear_tests locate motion overlap overlap_table planes "
              "point_polygon point_solid region sweep_box sweep_capsule sweep_ellipsoid sweep_hull "
              "sweep_plane sweep_sphere sweep_triangle sweeps thick "
              "triangle_pairs triangle_triangle uncertain obb sphere cylinder torus swept tapered ")
TARGET(bounds,
       " big_fits kdop obb_fit obb_merge planar rect_min round_fit sphere_min swept_fit zonotope aabb ")
TARGET(core, " corpus eigen integer interval mat predicate solve statistics tolerance transform trig vec ")
TARGET(classic, " classic_convex classic_kdtree classic_linear_cache classic_lp classic_triangles ")
TARGET(shape,
       " barycentric obb_forms mesh_view euler voronoi support kdop zonotope shell planar convexity mass ")
