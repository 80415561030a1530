#include "any/passage_kernel.h"
#include "tree/bvh_pair_spans.h"

typedef struct cdi_passage_query {
    cdi_passage *p;
    cdi_posed_block a, b; /* what was read last */
} cdi_passage_query;

/* Lower bounds for a node's boxes, of tree b if `of_b`, and a box of the other tree. */
CDI_INLINE cdi_f8 cdi_passage_lanes(const void *query, const cdi_bvh_node *node, bool of_b,
                                    const cdi_lane_box *other) {
    const cdi_passage *p = ((const cdi_passage_query *)query)->p;
    cdi_span_lanes span = cdi_pair_sweep_spans(&p->s, node, of_b, other);
    cdi_f8 bound = span.in, never;
    if (p->s.blunt) return bound;
    if (p->mode != CDI_PASSAGE_NEXT) bound = cdi_f8_sub(cdi_f8_all(p->s.limit), span.out);
    never = cdi_f8_max(cdi_f8_sub(span.in, cdi_f8_all(p->by)), cdi_f8_sub(cdi_f8_all(p->past), span.out));
    never = cdi_f8_max(never, cdi_f8_sub(span.in, span.out));
    return cdi_f8_pick(never, cdi_f8_all(3e38f), cdi_f8_max(bound, cdi_f8_all(0.0f)));
}

static bool cdi_passage_leaves(void *query, const cdi_lane_box *a, const cdi_lane_box *b) {
    cdi_passage_query *q = (cdi_passage_query *)query;
    for (uint32_t j = 0; j < b->count; j += 8) {
        cdi_posed_hold(&q->p->s.w, &q->b, true, b->child + j, b->count - j);
        for (uint32_t i = 0; i < a->count; i += 8) {
            cdi_posed_hold(&q->p->s.w, &q->a, false, a->child + i, a->count - i);
            for (uint32_t k = 0; k < q->a.count * q->b.count; ++k)
                cdi_passage_meet(q->p, &q->a.item[k % q->a.count], &q->b.item[k / q->a.count]);
        }
    }
    return true;
}

CDI_FN void cdi_passage_run(cdi_passage *p) {
    cdi_passage_query q;
    q.p = p;
    q.a.first = q.a.count = q.b.first = q.b.count = 0;
    cdi_walk_first_pairs(&p->s.w, &q, &p->most, p->s.w.b_size, cdi_passage_lanes, cdi_passage_leaves);
}
