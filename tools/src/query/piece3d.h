#pragma once
/* piece3d (internal): a point, segment, ray or line of doubles, without rounding. */

#include "core/orient.h"
#include "shape/linear.h"

typedef enum cdi_piece_reach { CDI_REACH_END, CDI_REACH_ONWARD, CDI_REACH_BOTH } cdi_piece_reach;

/* The points o + t d: t from 0 to 1 for a segment, from 0 on for a ray, any for a line. The direction is a difference. */
typedef struct cdi_piece {
    cdi_v3 o;
    cdi_edge3d d;
    cdi_piece_reach reach;
} cdi_piece;

CDI_INLINE cdi_piece cdi_piece_between(cdi_v3 a, cdi_v3 b) {
    cdi_piece s;
    s.o = s.d.from = a;
    s.d.to = b;
    s.reach = CDI_REACH_END;
    return s;
}

CDI_INLINE cdi_piece cdi_piece_along(cdi_v3 o, cdi_v3 d, cdi_piece_reach reach) {
    cdi_piece s;
    s.o = o;
    s.d.from = cdi_v3_make(0.0, 0.0, 0.0);
    s.d.to = d;
    s.reach = reach;
    return s;
}

CDI_INLINE cdi_piece cdi_piece_of_segment(const cd_segment *s) {
    return cdi_piece_between(cdi_v3_of(s->a), cdi_v3_of(s->b));
}

CDI_INLINE cdi_piece cdi_piece_of_ray(const cd_ray *r) {
    return cdi_piece_along(cdi_v3_of(r->origin), cdi_v3_of(r->dir), CDI_REACH_ONWARD);
}

/* Do two meet? All finite. */
CDI_FN bool cdi_pieces_meet(const cdi_piece *a, const cdi_piece *b);
