#pragma once
/* sweep_box3d (internal): round things moving against any box, also for boxes that move against them; and what moving boxes and
 * hulls share: a box or a triangle that they meet, and its part that is farthest along a direction. */

#include "query/sweep3d.h"
#include "shape/swept.h"
#include "shape/triangle3d.h"
#include "shape/volume3d.h"

/* A sphere, c->o its centre. */
CDI_FN cdi_meets cdi_sweep_ball_box(const cdi_cast *c, double radius, const cdi_obb *b, cdi_impact *met);

/* A capsule, c->o its end a; `most` is the largest coordinate of the box. */
CDI_FN cdi_meets cdi_sweep_rod_box(const cdi_cast *c, const cd_capsule *capsule, const cdi_obb *b,
                                   double most, cdi_impact *met);

/* Of two contacts of one convex thing the one that counts: at the start the deeper one, else the first. */
CDI_FN cdi_meets cdi_sweep_first(cdi_meets a, cdi_impact *first, cdi_meets b, const cdi_impact *other);

/* Where a contact inside of a box or a hull is not on the round thing, a ball about q there, the nearest point of that. */
CDI_FN cdi_v3 cdi_onto_round(cdi_v3 p, cdi_v3 q, double radius);

/* ---- what is met ---- */

typedef struct cdi_target_body {
    cdi_obb box;
    cdi_tri tri;
    bool is_box;
} cdi_target_body;

CDI_FN bool cdi_any_box_of_aabb(cd_aabb b, cdi_obb *out);
CDI_FN bool cdi_any_box_of_obb(const cd_obb *b, cdi_obb *out);
CDI_FN double cdi_obb_top(const cdi_obb *b); /* the largest coordinate */
CDI_FN cdi_obb cdi_obb_scale2(const cdi_obb *b, int shift);

/* From where to where it reaches along n, times its length. */
CDI_FN void cdi_target_extent(const cdi_target_body *b, cdi_v3 n, double *lo, double *hi);

/* The directions of its edges; and, from these, the normals of its faces, of any length: how many. */
CDI_FN void cdi_target_edges(const cdi_target_body *b, cdi_v3 edge[3]);
CDI_FN int cdi_target_normals(const cdi_target_body *b, const cdi_v3 edge[3], cdi_v3 normal[3]);

/* a x b, to the last place also where they are nearly parallel. */
CDI_FN cdi_v3 cdi_edges_cross(cdi_v3 a, cdi_v3 b);

/* The part of a body that is farthest along a direction: corners in order. */
enum { CDI_FACET_ROOM = 16 };

typedef struct cdi_facet {
    cdi_v3 p[CDI_FACET_ROOM];
    int count;
    uint32_t feature;
} cdi_facet;

CDI_FN void cdi_target_facet(const cdi_target_body *b, cdi_v3 u, double level_below, cdi_facet *f);
CDI_FN void cdi_triangle_facet(const cdi_tri *t, cdi_v3 u, double level_below, cdi_facet *f);
CDI_FN void cdi_box_facet(const cdi_obb *b, cdi_v3 u, double level_below, cdi_facet *f);

/* What is left of it where n . p <= most; the mean of its corners. */
CDI_FN void cdi_facet_clip(cdi_facet *f, cdi_v3 n, double most);
CDI_FN cdi_v3 cdi_facet_middle(const cdi_facet *f);

CDI_FN void cdi_impact_begin(cdi_impact *met); /* but for point and normal */
CDI_FN void cdi_impact_weights(const cdi_tri *t, cdi_impact *met);
