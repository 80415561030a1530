#pragma once
/* kdop3d (internal): linear programs over k-DOPs, and where they are when turned. */

#include "core/pose.h"
#include "core/twofold.h"
#include "shape/kdop_body.h"
#include "shape/seidel.h"
#include "shape/slab3d.h"

/* The half-spaces of a k-DOP, and room for one more. */
typedef struct cdi_kdop_program {
    cdi_side side[2 * CD_KDOP_AXES + 1];
    int count;
} cdi_kdop_program;

/* False, with no half-spaces, for what is no k-DOP of the set, or has a min > max. */
CDI_FN bool cdi_kdop_begin(cdi_kdop_program *p, const cd_kdop *dop, const cd_kdop_set *set);

/* False when they have no point in common. */
CDI_FN bool cdi_kdop_solve(const cdi_kdop_program *p, cdi_v3 goal, cdi_lp_answer *answer);

/* By how much a slab has to grow along n for the rounding of a motion of points whose coordinates' magnitudes sum up to
 * `reach` at most, that of cd_transform_point included. */
CDI_FN double cdi_kdop_margin(cdi_v3 n, double reach, const cdi_pose *pose);

/* Sets a side with the outward direction n to where the body, which reaches to `local` before it is displaced, ends. */
CDI_FN void cdi_kdop_put(cd_kdop *out, int side, cdi_v3 n, double local, double margin, const cdi_pose *pose);

/* The axis of a side, outward. */
CDI_INLINE cdi_v3 cdi_kdop_outward(const cd_kdop_set *set, int side) {
    cdi_v3 n = cdi_v3_of(set->axis[side / 2]);
    return side % 2 ? n : cdi_v3_neg(n);
}

/* Finite numbers. */
CDI_FN bool cdi_pose_is_finite(const cd_transform *pose);

/* CD_OK when all slabs are finite; otherwise CD_TOO_LARGE, and zeroed. */
CDI_FN cd_status cdi_kdop_check(cd_kdop *out);

/* The sides with the coordinates moved and scaled: the middle of the box around it to 0, its size near 1. */
typedef struct cdi_kdop_frame {
    cdi_side side[2 * CD_KDOP_AXES];
    int count, exponent;
    cdi_v3 center;
    double reach; /* the largest coordinate after that */
} cdi_kdop_frame;

/* False when empty. */
CDI_FN bool cdi_kdop_frame_of(const cd_kdop *dop, const cd_kdop_set *set, cdi_kdop_frame *f);

enum { CDI_SIDE_CORNERS = 4 + 2 * CD_KDOP_AXES };

typedef struct cdi_side_polygon {
    cdi_v3 v[2 * CDI_SIDE_CORNERS];
    int count;
} cdi_side_polygon;

/* What the others leave of a side's plane, counter-clockwise from outside. */
CDI_FN void cdi_kdop_side_of(const cdi_kdop_frame *f, int i, cdi_side_polygon *out);

/* Corners as they are found, those nearer than `apart` to one that is there left out. Where there are too many, `apart`
 * grows: each is within twice of it of one that is kept. */
typedef struct cdi_kdop_corners {
    cd_vec3 *out;
    uint32_t count;
    double apart;
} cdi_kdop_corners;
CDI_FN void cdi_kdop_corner(cdi_kdop_corners *c, cdi_v3 p);

/* The sides with twice the digits, normals and coordinates scaled by powers of two to near 1: corners of a body that is as small
 * as the rounding of its coordinates are parted only so. */
typedef struct cdi_fine_sides {
    cdi_two n[2 * CD_KDOP_AXES][3], d[2 * CD_KDOP_AXES];
    int exponent;
} cdi_fine_sides;

/* Of sides and a largest coordinate. */
CDI_FN void cdi_fine_sides_of(const cdi_side *side, int count, double size, cdi_fine_sides *out);

/* Where three sides meet, by Cramer's rule, to 200 u^2 over their determinant, which is returned; where that is 0, nothing else is. */
CDI_FN double cdi_fine_sides_meet(const cdi_fine_sides *f, const int side[3], cdi_two out[3]);

/* Where three sides with unit normals meet; the larger their determinant, the better. False when it is next to 0. */
CDI_FN bool cdi_sides_meet(const cdi_side *a, const cdi_side *b, const cdi_side *c, cdi_v3 *out, double *det);
