#include "any/passage.h"
#include "query/flat3d.h"

/* ---- opening ---- */

CDI_FN bool cdi_passage_open(cdi_passage *p, const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a,
                             cdi_v3 motion, const cd_bvh_pair_options *options) {
    cdi_clear(p, sizeof *p);
    p->item_a = p->item_b = CD_NONE;
    if (!cdi_pairs_open(&p->s.w, a, b, b_in_a, 0.0, options)) return false;
    p->s.c.d = cdi_v3_neg(motion); /* of A, as seen from B */
    p->s.c.t_max = 1.0;
    return cdi_v3_finite(motion) && cdi_pair_sweep_aim(&p->s);
}

/* What bounds are made of for the present `at`. They are the span from an end to the limit, so that the last end comes first, or beginnings. */
static void cdi_passage_bounds(cdi_passage *p) {
    const cdi_pair_sweep *s = &p->s;
    double tau = cdi_scale2(p->at - s->start - 4.5e-16, s->rate);
    p->past = cdi_float_down(cdi_clamp(tau, -1e29, 1e29));
    p->by = p->mode == CDI_PASSAGE_CHAIN ? cdi_pair_sweep_limit(s, cdi_max(p->at, 0.0)) : 2e29f;
    if (p->mode == CDI_PASSAGE_NEXT)
        p->most = p->begin < 1.0 ? cdi_pair_sweep_limit(s, p->begin) : s->limit;
    else
        p->most = cdi_float_up((double)s->limit - (double)p->past + 1e-6 * (double)s->limit);
    if (s->blunt) p->most = 2e29f;
}

CDI_FN void cdi_passage_aim(cdi_passage *p, uint32_t mode, double at) {
    p->mode = mode;
    p->at = at;
    p->begin = cdi_infinity();
    cdi_passage_bounds(p);
}

/* ---- two triangles ---- */

/* From when to when, so far; `last` is the axis that says until when, from A to B. */
typedef struct cdi_crossover {
    cdi_tri a, b; /* scaled */
    cdi_v3 way;   /* B's */
    double room;
    double in, out;
    cdi_v3 last;
} cdi_crossover;

/* Any axis is right, the zero vector too. A speed that may be none counts as none. False when nothing is left. */
static bool cdi_crossover_axis(cdi_crossover *m, cdi_v3 n) {
    double room = m->room * (cdi_abs(n.x) + cdi_abs(n.y) + cdi_abs(n.z)), speed = cdi_v3_dot(n, m->way);
    double a_lo, a_hi, b_lo, b_hi, lo, hi, first, last;
    cdi_tri_shade(&m->a, n, &a_lo, &a_hi);
    cdi_tri_shade(&m->b, n, &b_lo, &b_hi);
    lo = a_lo - b_hi - room;
    hi = a_hi - b_lo + room;
    if (!(cdi_abs(speed) > room)) return !(lo > room) && !(hi < -room);
    first = (speed > 0.0 ? lo : hi) / speed;
    last = (speed > 0.0 ? hi : lo) / speed;
    m->in = cdi_max(first, m->in);
    if (last < m->out) {
        m->out = last;
        m->last = cdi_v3_scale(n, speed > 0.0 ? 1.0 : -1.0);
    }
    return m->in <= m->out;
}

/* The axes across the edges of both. */
static bool cdi_crossover_edges(cdi_crossover *m, const cdi_v3 e[3], const cdi_v3 f[3]) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            if (!cdi_crossover_axis(m, cdi_v3_cross(e[i], f[j]))) return false;
        }
    }
    return true;
}

/* Nearly in one plane: the sides of both in it. */
static bool cdi_crossover_sides(cdi_crossover *m, cdi_v3 n, const cdi_v3 e[3], const cdi_v3 f[3]) {
    n = cdi_v3_unit(n);
    for (int i = 0; i < 3; ++i) {
        if (!cdi_crossover_axis(m, cdi_v3_cross(n, e[i])) || !cdi_crossover_axis(m, cdi_v3_cross(n, f[i])))
            return false;
    }
    return true;
}

/* Where one is a segment or a point, all parallelograms of two edges may be faces by themselves: their sides, too. */
static bool cdi_crossover_needles(cdi_crossover *m, const cdi_v3 e[3], const cdi_v3 f[3]) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            cdi_v3 n = cdi_v3_unit(cdi_v3_cross(e[i], f[j]));
            if (!cdi_crossover_axis(m, cdi_v3_cross(n, e[i])) ||
                !cdi_crossover_axis(m, cdi_v3_cross(n, f[j])))
                return false;
        }
    }
    return true;
}

#define CDI_PASSAGE_ALIKE 1e-6 /* the square of the angle between planes that are nearly parallel */

static bool cdi_crossover_span(cdi_crossover *m) {
    cdi_v3 e[3], f[3], n, p, across;
    double nn, pp;
    for (int i = 0; i < 3; ++i) {
        e[i] = cdi_v3_sub(m->a.v[(i + 1) % 3], m->a.v[i]);
        f[i] = cdi_v3_sub(m->b.v[(i + 1) % 3], m->b.v[i]);
    }
    n = cdi_v3_cross(e[0], e[1]);
    p = cdi_v3_cross(f[0], f[1]);
    if (!cdi_crossover_axis(m, n) || !cdi_crossover_axis(m, p)) return false;
    if (!cdi_crossover_edges(m, e, f)) return false;
    across = cdi_v3_cross(n, p);
    nn = cdi_v3_sqlength(n);
    pp = cdi_v3_sqlength(p);
    if (!(cdi_v3_sqlength(across) > CDI_PASSAGE_ALIKE * nn * pp)) {
        if (!cdi_crossover_sides(m, nn > pp ? n : p, e, f)) return false;
        if (!(nn > 0.0 && pp > 0.0)) return cdi_crossover_needles(m, e, f);
    }
    return true;
}

/* The axes of the frame come first: they leave little. */
static bool cdi_crossover_boxes(cdi_crossover *m) {
    return cdi_crossover_axis(m, cdi_v3_make(1.0, 0.0, 0.0)) &&
           cdi_crossover_axis(m, cdi_v3_make(0.0, 1.0, 0.0)) &&
           cdi_crossover_axis(m, cdi_v3_make(0.0, 0.0, 1.0));
}

/* Does what is known of the span so far leave it of interest? */
static bool cdi_passage_cares(const cdi_passage *p, const cdi_crossover *m) {
    if (!(m->out > p->at)) return false;
    if (p->mode == CDI_PASSAGE_NEXT) return m->in < p->begin;
    return p->mode == CDI_PASSAGE_LAST || m->in <= cdi_max(p->at, 0.0);
}

static void cdi_crossover_begin(cdi_crossover *m, const cdi_passage *p, const cdi_posed *a,
                                const cdi_posed *b) {
    const cdi_pair_sweep *s = &p->s;
    double most;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 u = cdi_v3_scale2(a->u.tri.v[i], s->shift), v = cdi_v3_scale2(b->u.tri.v[i], s->shift);
        m->a.v[i] = u;
        m->b.v[i] = v;
    }
    m->way = cdi_v3_neg(cdi_v3_scale2(s->c.d, s->shift));
    most = cdi_v3_max_abs(m->way);
    for (int i = 0; i < 3; ++i)
        most = cdi_max(most, cdi_max(cdi_v3_max_abs(m->a.v[i]), cdi_v3_max_abs(m->b.v[i])));
    m->room = most * 1.7763568394002505e-15; /* 2^-49 */
    m->in = 0.0;
    m->out = 1.0;
    m->last = m->way;
}

static void cdi_passage_note(cdi_passage *p, const cdi_posed *a, const cdi_posed *b, cd_pair pair,
                             const cdi_crossover *m) {
    p->item_a = a->item;
    p->item_b = b->item;
    p->pair = pair;
    p->normal = m->last;
    if (p->mode == CDI_PASSAGE_NEXT)
        p->begin = m->in;
    else
        p->at = m->out;
    cdi_passage_bounds(p);
}

CDI_FN void cdi_passage_meet(cdi_passage *p, const cdi_posed *a, const cdi_posed *b) {
    cdi_crossover m;
    cd_pair pair;
    CDI_COUNT(sweep);
    cdi_crossover_begin(&m, p, a, b);
    if (!cdi_crossover_boxes(&m) || !cdi_passage_cares(p, &m)) return;
    CDI_COUNT(triangle);
    if (!cdi_crossover_span(&m) || !cdi_passage_cares(p, &m)) return;
    pair.a = cdi_bvh_index(&p->s.w.a, a->item);
    pair.b = cdi_bvh_index(&p->s.w.b, b->item);
    if (cdi_pairs_sees(&p->s.w, a->item, b->item, pair)) cdi_passage_note(p, a, b, pair, &m);
}

CDI_FN void cdi_passage_triangles(const cdi_passage *p, uint32_t item_a, uint32_t item_b, double time,
                                  cdi_tri *a, cdi_tri *b) {
    cdi_posed of_a, of_b;
    cdi_posed_read(&of_a, &p->s.w.a, item_a, &p->s.w.place_a);
    cdi_posed_read(&of_b, &p->s.w.b, item_b, &p->s.w.place_b);
    *a = of_a.u.tri;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 at = cdi_v3_along(of_b.u.tri.v[i], p->s.c.d, -time);
        b->v[i] = at;
    }
}

#undef CDI_PASSAGE_ALIKE
