#pragma once
/* bvh_pair_spans (internal): from when to when do boxes of two trees meet, one of which moves? */

#include "tree/bvh_first_pairs.h"
#include "tree/bvh_map.h"
#include "tree/bvh_pair_sweep.h"

/* Spans of time, as taus. */
typedef struct cdi_span_lanes {
    cdi_f8 in, out;
} cdi_span_lanes;

/* Narrows the spans of time in which eight boxes of each row overlap along the axes of a frame. */
CDI_INLINE void cdi_span_narrow(const cdi_pair_rate *rate, const float (*a_lo)[8], const float (*a_hi)[8],
                                const float (*b_lo)[8], const float (*b_hi)[8], cdi_span_lanes *span) {
    for (int k = 0; k < 3; ++k) {
        cdi_f8 under = cdi_f8_sub(cdi_f8_load(b_lo[k]), cdi_f8_load(a_hi[k]));
        cdi_f8 over = cdi_f8_sub(cdi_f8_load(a_lo[k]), cdi_f8_load(b_hi[k]));
        cdi_f8 first = rate->falls[k] ? over : under, last = rate->falls[k] ? under : over;
        float slower = rate->inverse[k] * 0.999998f, faster = rate->inverse[k] * -1.000002f;
        span->in = cdi_f8_max(span->in, cdi_f8_mul(first, cdi_f8_all(slower)));
        span->out = cdi_f8_min(span->out, cdi_f8_mul(last, cdi_f8_all(faster)));
    }
}

/* In the frame of tree b if `of_b`. */
CDI_INLINE void cdi_span_in(const cdi_pair_sweep *s, bool of_b, const cdi_box_rows *a, const cdi_box_rows *b,
                            cdi_span_lanes *span) {
    cdi_span_narrow(of_b ? &s->in_b : &s->in_a, a->lo, a->hi, b->lo, b->hi, span);
}

CDI_INLINE void cdi_node_rows(const cdi_bvh_node *node, cdi_box_rows *out) {
    for (int k = 0; k < 3; ++k) {
        cdi_f8_store(out->lo[k], cdi_f8_load(node->lo[k]));
        cdi_f8_store(out->hi[k], cdi_f8_load(node->hi[k]));
    }
}

/* The spans in which a node's boxes, of tree b if `of_b`, meet a box of the other tree, none cut short; empty where `in` is above `out`. */
CDI_INLINE cdi_span_lanes cdi_pair_sweep_spans(const cdi_pair_sweep *s, const cdi_bvh_node *node, bool of_b,
                                               const cdi_lane_box *other) {
    const cdi_frame_map *there = of_b ? &s->w.to_b : &s->w.to_a;
    const cdi_frame_map *back = of_b ? &s->w.to_a : &s->w.to_b;
    cdi_span_lanes span;
    cdi_box_rows own, moved;
    span.in = cdi_f8_all(0.0f);
    span.out = cdi_f8_all(s->limit);
    if (s->blunt) return span;
    if (there->useful) {
        cdi_node_rows(node, &own);
        cdi_map_rows(there, other->box.lo, other->box.hi, &moved);
        cdi_span_in(s, of_b, of_b ? &moved : &own, of_b ? &own : &moved, &span);
        if (!s->w.place_b.moved || !(cdi_f8_le(span.in, span.out) & node->lanes)) return span;
    }
    if (back->useful) {
        cdi_map_rows(back, node->lo, node->hi, &moved);
        cdi_span_in(s, !of_b, of_b ? &other->box : &moved, of_b ? &moved : &other->box, &span);
    }
    return span;
}
