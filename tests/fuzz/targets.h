/* The targets: TARGET(name, the suites that are run with it, by their names between blanks). */
TARGET(any, " any_hard any_matrix any_shape shape shape_cast shape_collide shape_distance shape_impact shape_mass shape_sweep mover solids ")
TARGET(tree, " bvh bvh_builders bvh_compact bvh_front bvh_instances bvh_layouts bvh_linked bvh_matrix bvh_near bvh_nodes bvh_pairs bvh_rays "
             "bvh_refit bvh_spheres bvh_stats bvh_sweep bvh_sweep_bvh bvh_volumes bvh_winding bvtree dyntree heights spheretree classic_kdtree ")
TARGET(blobs, " bvh_fuzz ")
TARGET(readers, "")
TARGET(convex, " box_manifold boundary classic_convex convex_deep convex_pairs convex_steps dk_hierarchy epa gjk gjk_cast manifold qp sat shell support sweep_sat "
               "time_of_impact ")
