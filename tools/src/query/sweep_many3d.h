#pragma once
/* sweep_many3d (internal): one thing moving against one triangle after another, for lists and trees: what is the same for all is
 * made once.
 *
 * cdi_X_triangle says what the single sweep says, bit for bit, but a contact at or after the time of cdi_X_until may be given as
 * none. */

#include "hull/hull.h"
#include "query/sweep3d.h"
#include "query/sweep_box3d.h"
#include "shape/swept.h"

/* ---- spheres ---- */

/* The box around all places of the centre, and the largest coordinate. */
typedef struct cdi_ball_way {
    cdi_v3 lo, hi;
    double radius, most;
} cdi_ball_way;

typedef struct cdi_ball_course {
    cdi_cast whole;
    cdi_ball_way way;
    double until;
} cdi_ball_course;

CDI_FN bool cdi_ball_course_begin(cdi_ball_course *m, cd_sphere s, cd_vec3 motion,
                                  const cd_cast_options *options);
CDI_FN void cdi_ball_course_until(cdi_ball_course *m, double t);
CDI_FN bool cdi_ball_course_triangle(const cdi_ball_course *m, const cd_triangle *t, cd_hit *hit);

/* ---- capsules ---- */

/* The core of the moving capsule, its rod, is a + t d + [0, 1] s. It meets a figure F where a + t d meets F + [0, 1] w, w = -s.
 * Everything is relative to a point of F. */
typedef struct cdi_rod {
    cdi_cast c; /* o: the end a */
    cdi_v3 s, w, origin;
    double radius, most; /* of the capsule; the largest coordinate of capsule and motion, then of F, too */
    double own, reach, slack; /* F's radius; both radii and the slack */
    double last;              /* a contact from then on may be given as none */
} cdi_rod;

/* Most triangles that a mesh offers are not met, or not before the best so far: some axis parts them from all that the rod does
 * till then, which is a parallelogram. Axes are taken as they come out, so that no rounding of theirs is of matter. */
typedef struct cdi_aim {
    cdi_v3 o, s, way; /* the end a when it starts; the rod; the motion, as far as it matters */
    cdi_v3 across;    /* both */
    double inverse;   /* of the rod's square; 0 for a point */
    bool many;        /* triangles: of one alone, most often a near one, bounds and plane tell enough */
} cdi_aim;

typedef struct cdi_rod_course {
    cdi_rod rod;
    cdi_aim aim;
} cdi_rod_course;

CDI_FN bool cdi_rod_course_begin(cdi_rod_course *m, const cd_capsule *c, cd_vec3 motion,
                                 const cd_cast_options *options);
CDI_FN void cdi_rod_course_until(cdi_rod_course *m, double t);
CDI_FN bool cdi_rod_course_triangle(const cdi_rod_course *m, const cd_triangle *t, cd_hit *hit);

/* ---- boxes ---- */

/* One axis, of length `norm`: the two overlap along it while lo <= speed time <= hi, grown by the slack and, with it, by `reach`
 * for the moving box. */
typedef struct cdi_moving_axis {
    cdi_v3 n;
    double norm, reach, lo, hi, speed;
} cdi_moving_axis;

/* Faces of B, then of A, then edges across edges. The time counts from the start. */
typedef struct cdi_moving_axes {
    cdi_moving_axis axis[15];
    int count, faces, last; /* `last` to come to overlap, -1 where they do along all from the start */
    double slack, in, out, end;
} cdi_moving_axes;

/* The frame is that of the centre of the moving box at the start. */
typedef struct cdi_box_sweep {
    cdi_obb a;           /* but for its centre, which is not read */
    cdi_v3 side[3];      /* the normals of its faces, of any length */
    cdi_v3 motion, from; /* `from`: where the frame's origin is */
    cdi_v3 half, speed;  /* its reach and its motion along the sides */
    cdi_target_body b;
    double top, most; /* the largest coordinate, without and with the target, as given and scaled */
    int shift;        /* all lengths are times 2^shift */
    cdi_moving_axes axes;
} cdi_box_sweep;

typedef struct cdi_box_course {
    cdi_cast c;
    cdi_obb a;
    cdi_box_sweep s;
} cdi_box_course;

CDI_FN bool cdi_box_course_begin_aabb(cdi_box_course *m, cd_aabb a, cd_vec3 motion,
                                      const cd_cast_options *options);
CDI_FN bool cdi_box_course_begin_obb(cdi_box_course *m, const cd_obb *a, cd_vec3 motion,
                                     const cd_cast_options *options);
CDI_FN void cdi_box_course_until(cdi_box_course *m, double t);
CDI_FN bool cdi_box_course_triangle(cdi_box_course *m, const cd_triangle *t, cd_hit *hit);

/* A box against one thing. */
CDI_FN bool cdi_sweep_to_box(const cdi_cast *c, const cdi_obb *a, const cdi_obb *b, cd_hit *hit);
CDI_FN bool cdi_sweep_to_triangle(const cdi_cast *c, const cdi_obb *a, const cd_triangle *t, cd_hit *hit);
CDI_FN bool cdi_sweep_to_aabb(const cdi_cast *c, cd_aabb a, cd_aabb b, cd_hit *hit);

/* ---- hulls ---- */

/* What is found out about the faces of a hull, one after another: their normals, and the farthest vertex along each, as an axis
 * and as a bound, which takes long as three or more are as good as level; CD_NONE: not yet. */
#define CDI_HULL_KEPT 128u

typedef struct cdi_hull_memory {
    int shift; /* for one scale only */
    uint32_t along[CDI_HULL_KEPT], clip[CDI_HULL_KEPT];
    bool known[CDI_HULL_KEPT];
    cdi_v3 normal[CDI_HULL_KEPT];
} cdi_hull_memory;

typedef struct cdi_hulls_course {
    cdi_hull_memory *memory; /* or NULL; its shift INT32_MIN at first */
    cdi_cast c;
    cd_hull_parts parts;
    cd_aabb bounds;
} cdi_hulls_course;

CDI_FN bool cdi_hulls_course_begin(cdi_hulls_course *m, const cd_hull *hull, cd_vec3 motion,
                                   const cd_cast_options *options);
CDI_FN void cdi_hulls_course_until(cdi_hulls_course *m, double t);
CDI_FN bool cdi_hulls_course_triangle(cdi_hulls_course *m, const cd_triangle *t, cd_hit *hit);

/* A hull by its parts, against one thing; the bounds are those of its vertices. */
CDI_FN cdi_meets cdi_sweep_parts_triangle(const cdi_cast *c, const cd_hull_parts *hull, cd_aabb bounds,
                                          const cd_triangle *t, cdi_hull_memory *memory, cdi_impact *met);
CDI_FN bool cdi_sweep_parts_box(const cdi_cast *c, const cd_hull_parts *hull, cd_aabb bounds,
                                const cdi_obb *b, cd_hit *hit);
