#pragma once
/* solid3d (internal): polygons, tetrahedra and hulls as surfaces of triangles, against whatever has a test for triangles.
 *
 * A connected set meets a solid when it meets a triangle of its surface, or when it is wholly inside, which any one of its
 * points tells. So all of these tests are one, and each is as exact as that of triangles. Inside is where a closed surface
 * goes around: exactly, even where merged faces leave it a little hollow, so that it does not matter which point is asked. */

#include "hull/hull.h"
#include "query/polygon.h"
#include "shape/triangle3d.h"

/* Faces in fans of triangles. Not valid ones have no corners. */
typedef struct cdi_solid {
    const cd_vec3 *vertices;
    const cd_half_edge *half_edges; /* NULL: one face, of all corners as they come */
    const cd_hull_face *faces;
    size_t vertex_count, face_count;
    bool closed; /* has an inside */
} cdi_solid;

CDI_FN cdi_solid cdi_solid_of_polygon(const cd_vec3 *polygon, size_t count);
CDI_FN cdi_solid cdi_solid_of_tetrahedron(const cd_tetrahedron *t, cd_vec3 corner[4]); /* which must stay */
CDI_FN cdi_solid cdi_solid_of_hull(const cd_hull *hull);

/* Outside (-1), on a triangle (0), inside (1). */
CDI_FN int cdi_locate_in_solid(const cdi_solid *s, cd_vec3 p);

/* What a solid is tested against: it lies in the box, and holds the point. Not valid ones have an empty box. The shape must
 * stay. */
typedef struct cdi_target {
    cd_test_triangle_fn test;
    const void *shape;
    cd_aabb box;
    cd_vec3 point;
} cdi_target;

CDI_FN cdi_target cdi_target_ray(const cd_ray *r);
CDI_FN cdi_target cdi_target_segment(const cd_segment *s);
CDI_FN cdi_target cdi_target_triangle(const cd_triangle *t);
CDI_FN cdi_target cdi_target_sphere(const cd_sphere *s);
CDI_FN cdi_target cdi_target_capsule(const cd_capsule *c);
CDI_FN cdi_target cdi_target_aabb(const cd_aabb *b);
CDI_FN cdi_target cdi_target_obb(const cd_obb *b);

CDI_FN bool cdi_solid_meets(const cdi_solid *s, const cdi_target *x);
CDI_FN bool cdi_solids_meet(const cdi_solid *a, const cdi_solid *b);

/* Do the points o + d t, t >= 0, meet a triangle? Exact: in its plane, through its edges, and where either has no extent. */
CDI_FN bool cdi_ray_meets_tri(cdi_v3 o, cdi_v3 d, const cdi_tri *t);
