#include "convex/box_manifold.h"
#include "core/pose.h"
#include "shape/feature.h"
#include "shape/volume3d.h"

/* All happens in the frame of A's center and axes, in double. The quick way takes boxes whose axes are orthonormal up to the rounding
 * of the number type, and makes them so; what is out of the ordinary goes the way of any two bodies: other axes, sizes out of
 * range, anything invalid, boxes whose nearest points are not over the axis found, and contacts without a face. */

#ifdef COLLIDE_DOUBLE
#define CDI_BOX_SKEW 4.5474735088646412e-13 /* 2^-41 */
#else
#define CDI_BOX_SKEW 9.5367431640625e-7 /* 2^-20 */
#endif

#define CDI_BOX_TAG 0xB0C50000u /* a cache of this module: with the axis in the low bits */

enum { CDI_BOX_EDGES = 6, CDI_BOX_APART = 15 }; /* axes: 3 of A's faces, 3 of B's, 9 of edges */

/* Two boxes; the frame is that of A. */
typedef struct cdi_boxes {
    double r[3][3], q[3][3]; /* axis i of A along axis j of B, and the magnitude */
    double t[3];             /* from center to center */
    double ha[3], hb[3];
    cdi_v3 center; /* of A, */
    cdi_m3 axes;   /* and its axes, in the frame of the answer */
    double noise;  /* what rounding does to any length */
    double level;  /* lengths that differ by less are as good as equal */
} cdi_boxes;

/* ---- the two boxes ---- */

/* Times this, a square of 1 + e becomes 1, but for a third of e^3. */
CDI_HOT double cdi_box_unit(double e) {
    return 1.0 - e * (0.5 - 0.375 * e);
}

/* Makes axes orthonormal that nearly are: how far from it they were. */
CDI_HOT double cdi_box_straighten(cdi_m3 *m) {
    cdi_v3 x = m->c[0], y = m->c[1], z;
    double e = cdi_v3_sqlength(x) - 1.0, f, g, off;
    x = cdi_v3_scale(x, cdi_box_unit(e));
    f = cdi_v3_dot(x, y);
    y = cdi_v3_along(y, x, -f);
    g = cdi_v3_sqlength(y) - 1.0;
    y = cdi_v3_scale(y, cdi_box_unit(g));
    z = cdi_v3_cross(x, y);
    off = cdi_abs(z.x - m->c[2].x) + cdi_abs(z.y - m->c[2].y) + cdi_abs(z.z - m->c[2].z);
    m->c[0] = x;
    m->c[1] = y;
    m->c[2] = z;
    return (cdi_abs(e) + cdi_abs(f)) + (cdi_abs(g) + off);
}

CDI_HOT void cdi_boxes_turn(cdi_boxes *p, const cdi_m3 *b, cdi_v3 way) {
    for (int i = 0; i < 3; ++i) {
        cdi_v3 row = cdi_m3_tmul_v3(b, p->axes.c[i]);
        p->r[i][0] = row.x;
        p->r[i][1] = row.y;
        p->r[i][2] = row.z;
        p->q[i][0] = cdi_abs(row.x);
        p->q[i][1] = cdi_abs(row.y);
        p->q[i][2] = cdi_abs(row.z);
        p->t[i] = cdi_v3_dot(p->axes.c[i], way);
    }
}

/* False where the quick way is not for them. */
CDI_HOT bool cdi_boxes_open(cdi_boxes *p, const cd_obb *a, const cd_obb *b, const cd_transform *b_in_a) {
    cdi_v3 other = cdi_v3_of(b->center), ha = cdi_v3_of(a->half), hb = cdi_v3_of(b->half), way;
    cdi_m3 turned = cdi_m3_of(&b->axes);
    double own, small, size, skew_a, skew_b, reach = 0.0;
    p->center = cdi_v3_of(a->center);
    p->axes = cdi_m3_of(&a->axes);
    if (b_in_a) {
        cdi_pose pose;
        cdi_pose_put(&pose, b_in_a);
        other = cdi_pose_point(&pose, other);
        turned = cdi_m3_mul(&pose.rotation, &turned);
        reach = cdi_v3_max_abs(pose.position) + cdi_v3_max_abs(other);
    }
    skew_a = cdi_box_straighten(&p->axes);
    skew_b = cdi_box_straighten(&turned);
    way = cdi_v3_sub(other, p->center);
    cdi_boxes_turn(p, &turned, way);
    cdi_v3_store(p->ha, ha);
    cdi_v3_store(p->hb, hb);
    own = ha.x + ha.y + ha.z;
    small = hb.x + hb.y + hb.z;
    size = own + small + cdi_v3_max_abs(way);
    small = cdi_min(own, small);
    p->noise = 1.7763568394002505e-15 * (size + 0.25 * reach); /* 2^-49 */
    p->level = 32.0 * p->noise + (double)CD_REAL_EPSILON * small;
    return skew_a <= CDI_BOX_SKEW && skew_b <= CDI_BOX_SKEW && ha.x >= 0.0 && ha.y >= 0.0 && ha.z >= 0.0 &&
           hb.x >= 0.0 && hb.y >= 0.0 && hb.z >= 0.0 && size > 5e-61 && size < 2e60 && reach < 2e60;
}

/* ---- the axis ---- */

/* The axis of the greatest separation. */
typedef struct cdi_box_axis {
    uint32_t axis; /* 0...2 A's faces, 3...5 B's, then edge i of A across edge j of B: 6 + 3 i + j */
    double separation;
    double n[3]; /* unit, from A to B */
} cdi_box_axis;

/* What one edge of each says, all but the division by its axis' length. */
typedef struct cdi_box_edges {
    double gap[9], square[9]; /* separation times the length of the axis, less noise; the length squared */
    uint32_t found;           /* a bit for each that is better than the faces */
} cdi_box_edges;

/* Grows with x, and with squares can be compared without roots. */
CDI_HOT double cdi_box_square(double x) {
    return x * cdi_abs(x);
}

CDI_HOT void cdi_box_edge_pair(const cdi_boxes *p, int i, int j, double goal, cdi_box_edges *e) {
    const int k = (i + 1) % 3, l = (i + 2) % 3, m = (j + 1) % 3, o = (j + 2) % 3, at = 3 * i + j;
    double way = cdi_abs(p->t[l] * p->r[k][j] - p->t[k] * p->r[l][j]);
    double a = p->ha[k] * p->q[l][j] + p->ha[l] * p->q[k][j];
    double b = p->hb[m] * p->q[i][o] + p->hb[o] * p->q[i][m];
    double gap = way - (a + b) - p->noise, square = p->r[k][j] * p->r[k][j] + p->r[l][j] * p->r[l][j];
    e->gap[at] = gap;
    e->square[at] = square;
    e->found |= (uint32_t)(cdi_box_square(gap) > goal * square) << at;
}

CDI_HOT void cdi_box_all_edges(const cdi_boxes *p, double goal, cdi_box_edges *e) {
    e->found = 0;
    cdi_box_edge_pair(p, 0, 0, goal, e);
    cdi_box_edge_pair(p, 0, 1, goal, e);
    cdi_box_edge_pair(p, 0, 2, goal, e);
    cdi_box_edge_pair(p, 1, 0, goal, e);
    cdi_box_edge_pair(p, 1, 1, goal, e);
    cdi_box_edge_pair(p, 1, 2, goal, e);
    cdi_box_edge_pair(p, 2, 0, goal, e);
    cdi_box_edge_pair(p, 2, 1, goal, e);
    cdi_box_edge_pair(p, 2, 2, goal, e);
}

/* The best of those found. */
static uint32_t cdi_box_best_edge(const cdi_box_edges *e) {
    uint32_t left = e->found, best = cdi_lowest_bit(left);
    for (left &= left - 1; left; left &= left - 1) {
        uint32_t at = cdi_lowest_bit(left);
        if (cdi_box_square(e->gap[at]) * e->square[best] > cdi_box_square(e->gap[best]) * e->square[at])
            best = at;
    }
    return best;
}

/* The gaps along the six normals of faces. */
CDI_HOT void cdi_box_faces(const cdi_boxes *p, double gap[6]) {
    const double *ha = p->ha, *hb = p->hb, *t = p->t;
    for (int i = 0; i < 3; ++i) {
        const double *q = p->q[i];
        gap[i] = cdi_abs(t[i]) - (ha[i] + (q[0] * hb[0] + q[1] * hb[1] + q[2] * hb[2]));
    }
    for (int j = 0; j < 3; ++j) {
        double way = t[0] * p->r[0][j] + t[1] * p->r[1][j] + t[2] * p->r[2][j];
        double reach = p->q[0][j] * ha[0] + p->q[1][j] * ha[1] + p->q[2][j] * ha[2];
        gap[3 + j] = cdi_abs(way) - (hb[j] + reach);
    }
}

/* The first of the greatest. */
CDI_HOT uint32_t cdi_box_best_face(const double gap[6], double *most) {
    double best = cdi_max(cdi_max(cdi_max(gap[0], gap[1]), gap[2]), cdi_max(cdi_max(gap[3], gap[4]), gap[5]));
    uint32_t found = 64;
    for (int i = 0; i < 6; ++i) found |= (uint32_t)(gap[i] >= best) << i;
    *most = best;
    return cdi_lowest_bit(found);
}

/* Along a face of A, of B, or across edges; turned from A to B. */
CDI_HOT void cdi_box_turn_normal(const cdi_boxes *p, const cdi_box_edges *e, cdi_box_axis *x) {
    double way, s;
    x->n[0] = x->n[1] = x->n[2] = 0.0;
    if (x->axis < 3) {
        x->n[x->axis] = 1.0;
        way = p->t[x->axis];
    } else if (x->axis < CDI_BOX_EDGES) {
        for (int i = 0; i < 3; ++i) x->n[i] = p->r[i][x->axis - 3];
        way = p->t[0] * x->n[0] + p->t[1] * x->n[1] + p->t[2] * x->n[2];
    } else {
        uint32_t i = (x->axis - CDI_BOX_EDGES) / 3, j = (x->axis - CDI_BOX_EDGES) % 3;
        uint32_t k = i == 2 ? 0 : i + 1, l = i == 0 ? 2 : i - 1;
        s = 1.0 / cdi_sqrt(e->square[3 * i + j]);
        x->n[k] = -p->r[l][j] * s;
        x->n[l] = p->r[k][j] * s;
        way = p->t[k] * x->n[k] + p->t[l] * x->n[l];
    }
    s = way < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 3; ++i) x->n[i] *= s;
}

/* The greatest separation of the fifteen axes; where two are level, faces before edges, A's before B's, and before all the axis that was
 * the best `before`. False where an axis shows more than `most`. */
CDI_HOT bool cdi_box_search(const cdi_boxes *p, double most, uint32_t before, cdi_box_axis *x) {
    cdi_box_edges e;
    double gap[6], best, edge;
    cdi_box_faces(p, gap);
    if (before < CDI_BOX_EDGES) gap[before] += p->level;
    x->axis = cdi_box_best_face(gap, &best);
    if (x->axis == before) best -= p->level;
    if (best > most) return false;
    cdi_box_all_edges(p, cdi_box_square(best + (before >= CDI_BOX_EDGES ? -p->level : p->level)), &e);
    x->separation = best;
    if (e.found) {
        uint32_t at = cdi_box_best_edge(&e);
        edge = (e.gap[at] + p->noise) / cdi_sqrt(e.square[at]);
        if (edge > most) return false;
        if (edge > best + p->level || at + CDI_BOX_EDGES == before) {
            x->axis = at + CDI_BOX_EDGES;
            x->separation = edge;
        }
    }
    cdi_box_turn_normal(p, &e, x);
    return true;
}

/* ---- the patch ----
 *
 * Of each box the face whose normal is nearest to the axis; both are projected along the axis onto the plane of A's. There A's is a
 * rectangle around the origin, and B's a parallelogram. Each of the eight sides is cut by the other figure; what is left of it
 * begins at a corner of the patch. Sides around a convex figure come in the order of their directions. So that what
 * coincides is there once, B's sides may be a little outside of the rectangle, and A's have to be as far inside of the parallelogram.
 *
 *            2 (back)                      6 (-u)
 *        +------------+                  +------------+
 *      3 |            | 1            7  /            /  5 (v)
 *        +------------+                +------------+
 *            0 (along x)                   4 (u)
 */

typedef struct cdi_box_patch {
    uint32_t k, i, j;      /* A's axis across its face, the two along it, in turn */
    uint32_t l, m[2];      /* ... of B */
    uint32_t above, below; /* is it the positive side of A, of B? */
    double h[2];           /* of the rectangle */
    double c[3]; /* middle of B's face: along the two, and how far it is above A's plane along the axis */
    double u[3],
        v[3];      /* its half edges, so turned that both lead up (u[1], v[1] >= 0), and u to v to the left */
    double det;    /* of u, v: not below 0 */
    double lu, lv; /* no less than their lengths */
    double hu, hv; /* the half edges before they were projected */
    uint32_t swapped;        /* u is along m[1]? */
    double su, sv;           /* -1 where turned back */
    double x[8], y[8], d[8]; /* where sides begin, and how far B is there above A */
    double bu[8], bv[8];     /* the place in units of u and v */
    uint32_t place[8];       /* see cdi_box_place */
    uint32_t list[8], count; /* those that are there, in turn */
} cdi_box_patch;

/* Which of three is the largest, the first of equals. */
CDI_HOT uint32_t cdi_box_largest(double x, double y, double z) {
    return x >= y ? (x >= z ? 0u : 2u) : (y >= z ? 1u : 2u);
}

static const uint32_t cdi_box_next[5] = {0, 1, 2, 0, 1};

/* An edge of B's face, or its middle, along the axis on A's plane. */
CDI_HOT void cdi_box_project(const cdi_box_patch *f, const double n[3], const double p[3], double out[3]) {
    double d = p[f->k] / n[f->k];
    out[0] = p[f->i] - n[f->i] * d;
    out[1] = p[f->j] - n[f->j] * d;
    out[2] = d;
}

CDI_HOT void cdi_box_pick_faces(const cdi_boxes *p, const double n[3], cdi_box_patch *f) {
    double g[3];
    for (int j = 0; j < 3; ++j) g[j] = n[0] * p->r[0][j] + n[1] * p->r[1][j] + n[2] * p->r[2][j];
    f->k = cdi_box_largest(cdi_abs(n[0]), cdi_abs(n[1]), cdi_abs(n[2]));
    f->l = cdi_box_largest(cdi_abs(g[0]), cdi_abs(g[1]), cdi_abs(g[2]));
    f->i = cdi_box_next[f->k + 1];
    f->j = cdi_box_next[f->k + 2];
    f->m[0] = cdi_box_next[f->l + 1];
    f->m[1] = cdi_box_next[f->l + 2];
    f->above = n[f->k] > 0.0;
    f->below = g[f->l] < 0.0;
    f->h[0] = p->ha[f->i];
    f->h[1] = p->ha[f->j];
}

/* An edge turned so that it leads up. */
CDI_HOT double cdi_box_upward(double w[3]) {
    double s = w[1] < 0.0 ? -1.0 : 1.0;
    w[0] *= s;
    w[1] *= s;
    w[2] *= s;
    return s;
}

CDI_HOT void cdi_box_lay(const cdi_boxes *p, const double n[3], cdi_box_patch *f) {
    double c[3], w[2][3], e[2][3], s[2], det;
    double up = f->above ? p->ha[f->k] : -p->ha[f->k], out = f->below ? p->hb[f->l] : -p->hb[f->l];
    for (int i = 0; i < 3; ++i) {
        c[i] = p->t[i] + out * p->r[i][f->l];
        w[0][i] = p->hb[f->m[0]] * p->r[i][f->m[0]];
        w[1][i] = p->hb[f->m[1]] * p->r[i][f->m[1]];
    }
    c[f->k] -= up;
    cdi_box_project(f, n, c, f->c);
    cdi_box_project(f, n, w[0], e[0]);
    cdi_box_project(f, n, w[1], e[1]);
    s[0] = cdi_box_upward(e[0]);
    s[1] = cdi_box_upward(e[1]);
    det = e[0][0] * e[1][1] - e[0][1] * e[1][0];
    f->swapped = det < 0.0;
    for (int i = 0; i < 3; ++i) {
        f->u[i] = e[f->swapped][i];
        f->v[i] = e[1 - f->swapped][i];
    }
    f->hu = p->hb[f->m[f->swapped]];
    f->hv = p->hb[f->m[1 - f->swapped]];
    f->su = s[f->swapped];
    f->sv = s[1 - f->swapped];
    f->det = cdi_abs(det);
    f->lu = cdi_abs(f->u[0]) + f->u[1];
    f->lv = cdi_abs(f->v[0]) + f->v[1];
}

/* What is left of a side. */
typedef struct cdi_box_span {
    double lo, hi;
} cdi_box_span;

CDI_HOT cdi_box_span cdi_box_cut(double most, double m, double r, double o, double s) {
    cdi_box_span x;
    x.lo = cdi_max(cdi_max(m - r, o - s), -most);
    x.hi = cdi_min(cdi_min(m + r, o + s), most);
    return x;
}

/* 1 / x, finite. */
CDI_HOT double cdi_box_inverse(double x, double tiny) {
    double y = 1.0 / cdi_max(cdi_abs(x), tiny);
    return x < 0.0 ? -y : y;
}

/* A side of B begins here. */
CDI_HOT void cdi_box_begin_b(cdi_box_patch *f, uint32_t side, double bu, double bv) {
    f->bu[side] = bu;
    f->bv[side] = bv;
    f->x[side] = f->c[0] + bu * f->u[0] + bv * f->v[0];
    f->y[side] = f->c[1] + bu * f->u[1] + bv * f->v[1];
    f->d[side] = f->c[2] + bu * f->u[2] + bv * f->v[2];
}

/* ... of A. */
CDI_HOT void cdi_box_begin_a(cdi_box_patch *f, uint32_t side, double x, double y, double over) {
    double dx = x - f->c[0], dy = y - f->c[1];
    f->bu[side] = (dx * f->v[1] - dy * f->v[0]) * over;
    f->bv[side] = (dy * f->u[0] - dx * f->u[1]) * over;
    f->x[side] = x;
    f->y[side] = y;
    f->d[side] = f->c[2] + f->bu[side] * f->u[2] + f->bv[side] * f->v[2];
}

/* Reciprocals of what sides of B have along A's axes. */
typedef struct cdi_box_slopes {
    double ux, uy, vx, vy;
} cdi_box_slopes;

/* The sides of B along one of its edges, from the middle of each; a bit for each that is there. */
CDI_HOT uint32_t cdi_box_cut_b(const cdi_box_patch *f, const double to[3], double ix, double iy,
                               double length, double level, cdi_box_span out[2]) {
    double rx = (f->h[0] + level) * cdi_abs(ix), ry = (f->h[1] + level) * iy, least = 2.0 * level;
    out[0] = cdi_box_cut(1.0, (to[0] - f->c[0]) * ix, rx, (to[1] - f->c[1]) * iy, ry);
    out[1] = cdi_box_cut(1.0, (-to[0] - f->c[0]) * ix, rx, (-to[1] - f->c[1]) * iy, ry);
    return (uint32_t)((out[0].hi - out[0].lo) * length > least) |
           (uint32_t)((out[1].hi - out[1].lo) * length > least) << 2;
}

CDI_HOT uint32_t cdi_box_sides_of_b(cdi_box_patch *f, const cdi_box_slopes *s, double level) {
    cdi_box_span along_u[2], along_v[2];
    double back[3];
    uint32_t found;
    for (int i = 0; i < 3; ++i) back[i] = -f->u[i];
    found = cdi_box_cut_b(f, f->v, s->ux, s->uy, f->lu, level, along_u) << 4;
    found |= cdi_box_cut_b(f, back, s->vx, s->vy, f->lv, level, along_v) << 5;
    cdi_box_begin_b(f, 4, along_u[0].lo, -1.0);
    cdi_box_begin_b(f, 5, 1.0, along_v[0].lo);
    cdi_box_begin_b(f, 6, along_u[1].hi, 1.0);
    cdi_box_begin_b(f, 7, -1.0, along_v[1].hi);
    return found;
}

CDI_HOT uint32_t cdi_box_sides_of_a(cdi_box_patch *f, const cdi_box_slopes *s, double level) {
    double hx = f->h[0], hy = f->h[1], cx = f->c[0], cy = f->c[1], least = 2.0 * level;
    double wu = f->det - level * f->lu, wv = f->det - level * f->lv,
           over = 1.0 / cdi_max(f->det, level * level);
    double vx = f->v[0] * s->vy, ux = f->u[0] * s->uy, vy = f->v[1] * s->vx, uy = f->u[1] * s->ux;
    double rv = wv * s->vy, ru = wu * s->uy, sv = wv * cdi_abs(s->vx), su = wu * cdi_abs(s->ux);
    cdi_box_span low = cdi_box_cut(hx, cx + (-hy - cy) * vx, rv, cx + (-hy - cy) * ux, ru);
    cdi_box_span high = cdi_box_cut(hx, cx + (hy - cy) * vx, rv, cx + (hy - cy) * ux, ru);
    cdi_box_span left = cdi_box_cut(hy, cy + (-hx - cx) * vy, sv, cy + (-hx - cx) * uy, su);
    cdi_box_span right = cdi_box_cut(hy, cy + (hx - cx) * vy, sv, cy + (hx - cx) * uy, su);
    cdi_box_begin_a(f, 0, low.lo, -hy, over);
    cdi_box_begin_a(f, 1, hx, right.lo, over);
    cdi_box_begin_a(f, 2, high.hi, hy, over);
    cdi_box_begin_a(f, 3, -hx, left.hi, over);
    return (uint32_t)(low.hi - low.lo > least) | (uint32_t)(right.hi - right.lo > least) << 1 |
           (uint32_t)(high.hi - high.lo > least) << 2 | (uint32_t)(left.hi - left.lo > least) << 3;
}

/* The sides in the order of their directions, by how many of u and v lead to the left. */
static const uint8_t cdi_box_order[3][8] = {
    {0, 4, 5, 1, 2, 6, 7, 3}, {0, 4, 1, 5, 2, 6, 3, 7}, {0, 1, 4, 5, 2, 3, 6, 7}};

/* The corners of the patch that are no farther apart than `most`. */
CDI_HOT void cdi_box_clip(const cdi_boxes *p, const double n[3], double most, cdi_box_patch *f) {
    cdi_box_slopes s;
    double tiny = p->noise * 1e-15;
    uint32_t found, count = 0;
    const uint8_t *order;
    cdi_box_pick_faces(p, n, f);
    cdi_box_lay(p, n, f);
    s.ux = cdi_box_inverse(f->u[0], tiny);
    s.uy = cdi_box_inverse(f->u[1], tiny);
    s.vx = cdi_box_inverse(f->v[0], tiny);
    s.vy = cdi_box_inverse(f->v[1], tiny);
    found = cdi_box_sides_of_b(f, &s, p->level) | cdi_box_sides_of_a(f, &s, p->level);
    order = cdi_box_order[(f->u[0] <= 0.0) + (f->v[0] <= 0.0)];
    for (int i = 0; i < 8; ++i) {
        uint32_t side = order[i];
        f->list[count] = side;
        count += (found >> side & 1u) & (uint32_t)(f->d[side] <= most);
    }
    f->count = count;
}

/* ---- names ---- */

/* On which side of 0 is a coordinate, where it is as good as at the end: 1 below, 2 above; 0 elsewhere. */
CDI_HOT uint32_t cdi_box_at_end(double x, double room, double near_by) {
    return (uint32_t)(room <= near_by) << (x > 0.0);
}

/* What is near a corner: 1/32 of the shortest edge of both faces. */
CDI_HOT double cdi_box_nearby(const cdi_boxes *p, const cdi_box_patch *f) {
    double half[4], least = CDI_HUGE;
    half[0] = f->h[0];
    half[1] = f->h[1];
    half[2] = p->hb[f->m[0]];
    half[3] = p->hb[f->m[1]];
    for (int i = 0; i < 4; ++i) least = cdi_min(least, half[i] > 0.0 ? half[i] : least);
    return 0.0625 * least;
}

/* The place of a corner of the patch on both faces, a digit of three for each of the four axes along them. */
CDI_HOT uint32_t cdi_box_place(const cdi_box_patch *f, uint32_t side, double nearby) {
    double x = f->x[side], y = f->y[side], u = f->bu[side], v = f->bv[side];
    uint32_t a =
        3 * cdi_box_at_end(x, f->h[0] - cdi_abs(x), nearby) + cdi_box_at_end(y, f->h[1] - cdi_abs(y), nearby);
    uint32_t at_u = cdi_box_at_end(u * f->su, (1.0 - cdi_abs(u)) * f->hu, nearby);
    uint32_t at_v = cdi_box_at_end(v * f->sv, (1.0 - cdi_abs(v)) * f->hv, nearby);
    return 9 * a + (f->swapped ? 3 * at_v + at_u : 3 * at_u + at_v);
}

/* Names all of the list; of those of one name the deepest is kept. They are side by side. */
CDI_HOT void cdi_box_name_all(const cdi_boxes *p, cdi_box_patch *f) {
    double nearby = cdi_box_nearby(p, f);
    uint32_t count = 0, last = CD_NONE;
    for (uint32_t i = 0; i < f->count; ++i) {
        uint32_t side = f->list[i], place = cdi_box_place(f, side, nearby);
        f->place[side] = place;
        if (place == last) {
            if (f->d[side] < f->d[f->list[count - 1]]) f->list[count - 1] = side;
            continue;
        }
        last = place;
        f->list[count++] = side;
    }
    f->count = count;
    if (count < 2 || last != f->place[f->list[0]]) return;
    if (f->d[f->list[count - 1]] < f->d[f->list[0]]) f->list[0] = f->list[count - 1];
    f->count = count - 1;
}

/* The corner, edge or face that has the place on the face of axis k (`side`: the positive one), i and j along it. Axes without extent
 * have no positive side. */
static uint32_t cdi_box_feature(const double half[3], uint32_t k, uint32_t side, uint32_t i, uint32_t j,
                                uint32_t place) {
    uint32_t at_i = place / 3, at_j = place % 3, axis = at_i ? j : i;
    uint32_t ends = side << k | (at_i >> 1) << i | (at_j >> 1) << j;
    uint32_t low = axis == 0 ? 1 : 0, high = axis == 2 ? 1 : 2;
    ends &= (uint32_t)(half[0] > 0.0) | (uint32_t)(half[1] > 0.0) << 1 | (uint32_t)(half[2] > 0.0) << 2;
    if (place == 0) return CD_FEATURE(CD_FEATURE_FACE, 2 * k + (ends >> k & 1u));
    if (at_i && at_j) return CD_FEATURE(CD_FEATURE_VERTEX, ends);
    return CD_FEATURE(CD_FEATURE_EDGE, 4 * axis + (ends >> low & 1u) + 2 * (ends >> high & 1u));
}

/* ---- four of them ---- */

/* Twice the area of the triangle of three corners of the list. */
CDI_HOT double cdi_box_area3(const cdi_box_patch *f, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t i = f->list[a], j = f->list[b], k = f->list[c];
    return (f->x[j] - f->x[i]) * (f->y[k] - f->y[i]) - (f->y[j] - f->y[i]) * (f->x[k] - f->x[i]);
}

/* Twice that of those in a mask. */
static double cdi_boxes_area(const cdi_box_patch *f, uint32_t mask) {
    uint32_t first = cdi_lowest_bit(mask), last;
    double sum = 0.0;
    mask &= mask - 1;
    if (!mask) return 0.0;
    last = cdi_lowest_bit(mask);
    for (mask &= mask - 1; mask; mask &= mask - 1) {
        uint32_t at = cdi_lowest_bit(mask);
        sum += cdi_box_area3(f, first, last, at);
        last = at;
    }
    return sum;
}

/* The corner at `pinned` and the three that span the most with it: one across, and the best on each side of the diagonal. */
static uint32_t cdi_box_widest(const cdi_box_patch *f, uint32_t pinned) {
    double left[8], right[8], most = -1.0; /* of each diagonal */
    uint32_t at_left[8], at_right[8], n = f->count, best = 2;
    for (uint32_t i = 1; i < n; ++i) left[i] = right[i] = -1.0;
    for (uint32_t i = 1; i + 1 < n; ++i) {
        for (uint32_t k = i + 1; k < n; ++k) {
            double area = cdi_box_area3(f, pinned, (pinned + i) % n, (pinned + k) % n);
            if (area > left[k]) left[k] = area, at_left[k] = i;
            if (area > right[i]) right[i] = area, at_right[i] = k;
        }
    }
    for (uint32_t k = 2; k + 1 < n; ++k)
        if (left[k] + right[k] > most) most = left[k] + right[k], best = k;
    return 1u << pinned | 1u << (pinned + best) % n | 1u << (pinned + at_left[best]) % n |
           1u << (pinned + at_right[best]) % n;
}

/* One more, or the one that is best missed of those that are not `pinned`. */
static uint32_t cdi_box_change(const cdi_box_patch *f, uint32_t mask, uint32_t pinned, bool more) {
    uint32_t best = mask;
    double most = -CDI_HUGE;
    for (uint32_t i = 0; i < f->count; ++i) {
        uint32_t next = mask ^ 1u << i;
        double area;
        if ((mask >> i & 1u) == (uint32_t)more || i == pinned) continue;
        area = cdi_boxes_area(f, next);
        if (area > most) most = area, best = next;
    }
    return best;
}

/* What was kept before, with the pinned one, and made four: 0 where that is less than half of the patch. */
static uint32_t cdi_box_keep(const cdi_box_patch *f, uint32_t kept, uint32_t pinned, uint32_t count) {
    if (!(kept >> pinned & 1u)) {
        kept |= 1u << pinned;
        ++count;
    }
    if (count > 4) kept = cdi_box_change(f, kept, pinned, false);
    for (; count < 4; ++count) kept = cdi_box_change(f, kept, pinned, true);
    return 2.0 * cdi_boxes_area(f, kept) >= cdi_boxes_area(f, (1u << f->count) - 1u) ? kept : 0u;
}

/* The places of the cache that are there again, as a mask; `deepest` is one of them, where one is as deep. */
static uint32_t cdi_box_kept(const cdi_box_patch *f, const cd_cache *cache, double deep, uint32_t *deepest,
                             uint32_t *count) {
    uint32_t kept = 0, pinned = CD_NONE;
    *count = 0;
    for (uint32_t i = 0; i < f->count; ++i) {
        uint32_t place = f->place[f->list[i]], was = cache->words[1];
        if (place != (was & 255u) && place != (was >> 8 & 255u) && place != (was >> 16 & 255u) &&
            place != was >> 24)
            continue;
        if (pinned == CD_NONE && f->d[f->list[i]] <= deep) pinned = i;
        kept |= 1u << i;
        ++*count;
    }
    if (pinned != CD_NONE) *deepest = pinned;
    return kept;
}

/* Leaves four of the list. */
static void cdi_box_reduce(const cdi_boxes *p, cdi_box_patch *f, const cd_cache *cache, double least) {
    double deep = least + 8.0 * p->level;
    uint32_t pinned = 0, kept = 0, count = 0;
    while (f->d[f->list[pinned]] > deep) ++pinned;
    if (cache) {
        kept = cdi_box_kept(f, cache, deep, &pinned, &count);
        if (kept && count < 5) kept = cdi_box_keep(f, kept, pinned, count);
    }
    if (!kept || count > 4) kept = cdi_box_widest(f, pinned);
    for (f->count = 0; kept; kept &= kept - 1) f->list[f->count++] = f->list[cdi_lowest_bit(kept)];
}

/* ---- the answer ---- */

CDI_HOT cdi_v3 cdi_box_turn(const cdi_boxes *p, const double v[3]) {
    return cdi_m3_mul_v3(&p->axes, cdi_v3_make(v[0], v[1], v[2]));
}

CDI_HOT void cdi_box_write_point(const cdi_boxes *p, const cdi_box_patch *f, uint32_t side, cdi_v3 normal,
                                 cd_contact *out) {
    double at[3];
    cdi_v3 a;
    uint32_t place = f->place[side];
    at[f->k] = f->above ? p->ha[f->k] : -p->ha[f->k];
    at[f->i] = f->x[side];
    at[f->j] = f->y[side];
    a = cdi_v3_add(p->center, cdi_box_turn(p, at));
    out->a = cdi_v3_round(a);
    out->b = cdi_v3_round(cdi_v3_along(a, normal, f->d[side]));
    out->distance = cdi_nearest_real(f->d[side]);
    out->feature_a = cdi_box_feature(p->ha, f->k, f->above, f->i, f->j, place / 9);
    out->feature_b = cdi_box_feature(p->hb, f->l, f->below, f->m[0], f->m[1], place % 9);
}

static void cdi_box_no_part(cd_part *part) {
    part->user = 0;
    part->material = part->index = 0;
    part->child = CD_NONE;
    part->offset = 0;
}

static void cdi_box_write(const cdi_boxes *p, const cdi_box_patch *f, const cdi_box_axis *x, cd_cache *cache,
                          cd_manifold *out) {
    cdi_v3 normal = cdi_box_turn(p, x->n);
    uint32_t names = 0;
    out->normal = cdi_v3_round(normal);
    out->count = f->count;
    for (uint32_t i = 0; i < f->count; ++i) {
        cdi_box_write_point(p, f, f->list[i], normal, &out->points[i]);
        names |= f->place[f->list[i]] << 8 * i;
    }
    cdi_box_no_part(&out->part_a);
    cdi_box_no_part(&out->part_b);
    if (!cache) return;
    for (uint32_t i = f->count; i < 4; ++i) names |= 255u << 8 * i;
    for (int i = 3; i < 8; ++i) cache->words[i] = 0;
    cache->words[0] = CDI_BOX_TAG | x->axis;
    cache->words[1] = names;
    cache->words[2] = 0;
}

static CDI_COLD bool cdi_box_general(const cd_obb *a, const cd_obb *b, const cd_transform *b_in_a,
                                     const cd_collide_options *options, cd_cache *cache, cd_manifold *out) {
    cd_support s = cd_support_of_obb(a), t = cd_support_of_obb(b);
    return cd_collide_convex(&s, &t, b_in_a, options, cache, out);
}

CDI_HOT bool cdi_box_collide(const cd_obb *a, const cd_obb *b, const cd_transform *b_in_a,
                             const cd_collide_options *options, cd_cache *cache, cd_manifold *out) {
    double most = options ? (double)options->margin : 0.0, least = CDI_HUGE;
    cdi_boxes p;
    cdi_box_axis x;
    cdi_box_patch f;
    uint32_t before = CD_NONE;
    if (!cdi_boxes_open(&p, a, b, b_in_a)) return cdi_box_general(a, b, b_in_a, options, cache, out);
    if (cache && (cache->words[0] & ~15u) == CDI_BOX_TAG) before = cache->words[0] & 15u;
    most += 32.0 * p.noise;
    if (!cdi_box_search(&p, most, before, &x)) return false;
    cdi_box_clip(&p, x.n, most, &f);
    for (uint32_t i = 0; i < f.count; ++i) least = cdi_min(least, f.d[f.list[i]]);
    if (!(least <= x.separation + 8.0 * p.level)) return cdi_box_general(a, b, b_in_a, options, cache, out);
    if (!out) return true;
    cdi_box_name_all(&p, &f);
    if (f.count > 4) cdi_box_reduce(&p, &f, before != CD_NONE ? cache : NULL, least);
    cdi_box_write(&p, &f, &x, cache, out);
    return true;
}

CD_API bool cd_collide_obb_obb(const cd_obb *a, const cd_obb *b, const cd_transform *b_in_a,
                               const cd_collide_options *options, cd_cache *cache, cd_manifold *out) {
    return cdi_box_collide(a, b, b_in_a, options, cache, out);
}

CD_API size_t cd_collide_obbs(const cd_obb *a, const cd_obb *b, const cd_transform *b_in_a, size_t count,
                              const cd_collide_options *options, cd_cache *caches, cd_manifold *out) {
    size_t found = 0;
    for (size_t i = 0; i < count; ++i) {
        bool meet = cd_collide_obb_obb(a + i, b + i, b_in_a ? b_in_a + i : NULL, options,
                                       caches ? caches + i : NULL, out ? out + i : NULL);
        if (!meet && out) out[i].count = 0;
        found += meet;
    }
    return found;
}

#undef CDI_BOX_SKEW
#undef CDI_BOX_TAG
