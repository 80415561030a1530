#include "convex/box_kernel.h"
#include "core/lanes.h"
#include "core/pose.h"
#include "shape/feature.h"

/* How far a number of an axis may be off where it is made straight at once, and where it takes two steps. */
#define CDI_BOX_SKEW 2.384185791015625e-7 /* 2^-22 */
#define CDI_BOX_MOST 9.5367431640625e-7   /* 2^-20 */

#define CDI_BOX_TAG 0xB0C50000u /* a cache of this module: with the axis in the low bits */

enum {
    CDI_BOX_EDGES = 6
}; /* axes: 0...2 of A's faces, 3...5 of B's, then edge i of A across edge j of B: 6 + 3 i + j */

static const uint8_t cdi_boxes_next[5] = {0, 1, 2, 0, 1};

/* -1 for numbers below 0 and for -0, else 1. */
CDI_INLINE double cdi_boxes_sign(double x) {
    return cdi_from_bits((cdi_bits(x) & 0x8000000000000000u) | 0x3FF0000000000000u);
}
/* 1 for numbers below 0 and for -0. */
CDI_INLINE uint32_t cdi_boxes_below(double x) {
    return (uint32_t)(cdi_bits(x) >> 63);
}

/* ---- the two boxes ---- */

/* The three axes of a box, one in each lane, and another vector. */
typedef struct cdi_boxes_axes {
    cdi_d4 x, y, z;
} cdi_boxes_axes;

/* Two boxes; the frame is that of A. */
typedef struct cdi_boxes {
    cdi_d4 row[3];           /* axis i of A along those of B; the last is how far B's center is along it */
    double r[3][4];          /* the same */
    double ha[4], hb[4];     /* half extents, and any */
    double x[4], y[4], z[4]; /* A's axes in the frame of the answer: component by component */
    cdi_v3 center;           /* A's */
    double noise;            /* what rounding does to any length */
    double level;            /* lengths that differ by less are as good as equal */
} cdi_boxes;

CDI_INLINE cdi_d4 cdi_boxes_cross(cdi_d4 a, cdi_d4 b, cdi_d4 c, cdi_d4 d) {
    return cdi_d4_sub(cdi_d4_mul(a, b), cdi_d4_mul(c, d));
}
/* a x + b y + c z */
CDI_INLINE cdi_d4 cdi_boxes_dot(cdi_d4 a, cdi_d4 x, cdi_d4 b, cdi_d4 y, cdi_d4 c, cdi_d4 z) {
    return cdi_d4_add(cdi_d4_add(cdi_d4_mul(a, x), cdi_d4_mul(b, y)), cdi_d4_mul(c, z));
}

/* Halfway to the inverse, transposed: orthonormal up to the square of the error (Higham 1986). Is it right-handed, and was no number off by
 * more than `most`? */
CDI_INLINE bool cdi_boxes_straighten(cdi_boxes_axes *m, double limit) {
    cdi_d4 x1 = cdi_d4_turned(m->x), y1 = cdi_d4_turned(m->y), z1 = cdi_d4_turned(m->z);
    cdi_d4 x2 = cdi_d4_turned(x1), y2 = cdi_d4_turned(y1), z2 = cdi_d4_turned(z1);
    cdi_d4 nx = cdi_boxes_cross(y1, z2, z1, y2), ny = cdi_boxes_cross(z1, x2, x1, z2),
           nz = cdi_boxes_cross(x1, y2, y1, x2);
    cdi_d4 half = cdi_d4_all(0.5), most = cdi_d4_all(limit);
    cdi_d4 f = cdi_d4_sub(cdi_d4_all(2.0), cdi_boxes_dot(m->x, nx, m->y, ny, m->z, nz));
    nx = cdi_d4_mul(half, cdi_d4_sub(cdi_d4_mul(f, nx), m->x)); /* what it lacks */
    ny = cdi_d4_mul(half, cdi_d4_sub(cdi_d4_mul(f, ny), m->y));
    nz = cdi_d4_mul(half, cdi_d4_sub(cdi_d4_mul(f, nz), m->z));
    m->x = cdi_d4_add(m->x, nx);
    m->y = cdi_d4_add(m->y, ny);
    m->z = cdi_d4_add(m->z, nz);
    return (cdi_d4_le(cdi_d4_abs(nx), most) & cdi_d4_le(cdi_d4_abs(ny), most) &
            cdi_d4_le(cdi_d4_abs(nz), most) & 7u) == 7u;
}

CDI_INLINE void cdi_boxes_load(const cd_obb *b, cdi_boxes_axes *m, double half[4]) {
    cdi_d4 v[3];
    cdi_d4_points((const cd_real *)(const void *)&b->axes, v);
    m->x = v[0];
    m->y = v[1];
    m->z = v[2];
    half[0] = (double)b->half.x;
    half[1] = (double)b->half.y;
    half[2] = (double)b->half.z;
    half[3] = 0.0;
}

CDI_INLINE void cdi_boxes_turn(const cdi_m3 *by, cdi_boxes_axes *m) {
    cdi_d4 x = m->x, y = m->y, z = m->z;
    m->x = cdi_boxes_dot(cdi_d4_all(by->c[0].x), x, cdi_d4_all(by->c[1].x), y, cdi_d4_all(by->c[2].x), z);
    m->y = cdi_boxes_dot(cdi_d4_all(by->c[0].y), x, cdi_d4_all(by->c[1].y), y, cdi_d4_all(by->c[2].y), z);
    m->z = cdi_boxes_dot(cdi_d4_all(by->c[0].z), x, cdi_d4_all(by->c[1].z), y, cdi_d4_all(by->c[2].z), z);
}

/* Another vector in the last lane. */
CDI_INLINE cdi_d4 cdi_boxes_with(cdi_d4 a, double last) {
    return cdi_d4_pick(cdi_d4_make(1.0, 1.0, 1.0, 0.0), a, cdi_d4_all(last));
}

/* Axes worse than rounding makes them. */
static CDI_COLD bool cdi_boxes_straighten_twice(const cd_obb *b, const cdi_m3 *by, cdi_boxes_axes *m) {
    double half[4];
    cdi_boxes_load(b, m, half);
    if (by) cdi_boxes_turn(by, m);
    return cdi_boxes_straighten(m, CDI_BOX_MOST) && cdi_boxes_straighten(m, CDI_BOX_MOST);
}

CDI_INLINE bool cdi_boxes_halves(const double h[4]) {
    return h[0] >= 0.0 && h[1] >= 0.0 && h[2] >= 0.0;
}

/* What B's axes and center are in A's frame. */
CDI_INLINE void cdi_boxes_relate(cdi_boxes *p, const cdi_boxes_axes *b, cdi_v3 way) {
    cdi_d4 x = cdi_boxes_with(b->x, way.x), y = cdi_boxes_with(b->y, way.y), z = cdi_boxes_with(b->z, way.z);
    for (int i = 0; i < 3; ++i) {
        p->row[i] = cdi_boxes_dot(cdi_d4_all(p->x[i]), x, cdi_d4_all(p->y[i]), y, cdi_d4_all(p->z[i]), z);
        cdi_d4_store(p->r[i], p->row[i]);
    }
}

/* False where this is not for them. */
CDI_INLINE bool cdi_boxes_open(cdi_boxes *p, const cd_obb *a, const cd_obb *b, const cd_transform *b_in_a) {
    cdi_boxes_axes own, turned;
    cdi_pose pose;
    cdi_v3 other = cdi_v3_of(b->center), way;
    double lesser, size, reach = 0.0;
    bool straight;
    p->center = cdi_v3_of(a->center);
    cdi_boxes_load(a, &own, p->ha);
    cdi_boxes_load(b, &turned, p->hb);
    if (b_in_a) {
        cdi_pose_put(&pose, b_in_a);
        other = cdi_pose_point(&pose, other);
        cdi_boxes_turn(&pose.rotation, &turned);
        reach = cdi_v3_max_abs(pose.position) + cdi_v3_max_abs(other);
    }
    straight = cdi_boxes_straighten(&own, CDI_BOX_SKEW) || cdi_boxes_straighten_twice(a, NULL, &own);
    straight = (cdi_boxes_straighten(&turned, CDI_BOX_SKEW) ||
                cdi_boxes_straighten_twice(b, b_in_a ? &pose.rotation : NULL, &turned)) &&
               straight;
    cdi_d4_store(p->x, own.x);
    cdi_d4_store(p->y, own.y);
    cdi_d4_store(p->z, own.z);
    way = cdi_v3_sub(other, p->center);
    cdi_boxes_relate(p, &turned, way);
    size = p->ha[0] + p->ha[1] + p->ha[2];
    lesser = p->hb[0] + p->hb[1] + p->hb[2];
    reach += size + lesser + (cdi_abs(way.x) + cdi_abs(way.y) + cdi_abs(way.z));
    lesser = size < lesser ? size : lesser;
    p->noise = 5.6843418860808015e-14 * reach; /* 2^-44 */
    p->level = p->noise + (double)CD_REAL_EPSILON * lesser;
    return straight && cdi_boxes_halves(p->ha) && cdi_boxes_halves(p->hb) && reach > 5e-61 && reach < 2e60;
}

/* ---- the axis ---- */

/* The axis of the greatest separation. */
typedef struct cdi_boxes_axis {
    uint32_t axis;
    double separation;
    double n[3]; /* unit, from A to B */
} cdi_boxes_axis;

/* What an edge of each says, all but the division by its axis' length; A's edge i across B's j at 4 i + j. */
typedef struct cdi_boxes_edges {
    double gap[12], square[12]; /* separation times the length of the axis, less noise; the length squared */
    uint32_t found;             /* a bit for each that is better than the faces */
} cdi_boxes_edges;

/* Grows with x, and is compared with squares without roots. */
CDI_INLINE double cdi_boxes_square(double x) {
    return x * cdi_abs(x);
}

/* A's edge i across those of B; q: magnitudes of the rows, h: B's halves, the next ones and those after, k: the number after i, and l. */
CDI_INLINE void cdi_boxes_edge(const cdi_boxes *p, int i, int k, int l, const cdi_d4 q[3], const cdi_d4 h[2],
                               cdi_d4 goal, cdi_boxes_edges *e) {
    cdi_d4 q1 = cdi_d4_turned(q[i]), q2 = cdi_d4_turned(q1);
    cdi_d4 b = cdi_d4_add(cdi_d4_mul(h[0], q2), cdi_d4_mul(h[1], q1));
    cdi_d4 a = cdi_d4_add(cdi_d4_mul(cdi_d4_all(p->ha[k]), q[l]), cdi_d4_mul(cdi_d4_all(p->ha[l]), q[k]));
    cdi_d4 way =
        cdi_d4_abs(cdi_boxes_cross(cdi_d4_all(p->r[l][3]), p->row[k], cdi_d4_all(p->r[k][3]), p->row[l]));
    cdi_d4 gap = cdi_d4_sub(cdi_d4_sub(way, cdi_d4_add(a, b)), cdi_d4_all(p->noise));
    cdi_d4 square = cdi_d4_add(cdi_d4_mul(p->row[k], p->row[k]), cdi_d4_mul(p->row[l], p->row[l]));
    cdi_d4_store(e->gap + 4 * i, gap);
    cdi_d4_store(e->square + 4 * i, square);
    e->found |= (cdi_d4_less(cdi_d4_mul(goal, square), cdi_d4_mul(gap, cdi_d4_abs(gap))) & 7u) << 4 * i;
}

/* The gaps along the normals of A's faces, and of B's. */
CDI_INLINE void cdi_boxes_faces(const cdi_boxes *p, const cdi_d4 q[3], double gap[8]) {
    const double *ha = p->ha, *hb = p->hb;
    cdi_d4 t0 = cdi_d4_all(p->r[0][3]), t1 = cdi_d4_all(p->r[1][3]), t2 = cdi_d4_all(p->r[2][3]);
    cdi_d4 way = cdi_boxes_dot(t0, p->row[0], t1, p->row[1], t2, p->row[2]);
    cdi_d4 reach = cdi_boxes_dot(cdi_d4_all(ha[0]), q[0], cdi_d4_all(ha[1]), q[1], cdi_d4_all(ha[2]), q[2]);
    cdi_d4_store(gap + 4, cdi_d4_sub(cdi_d4_abs(way), cdi_d4_add(cdi_d4_load(hb), reach)));
    for (int i = 0; i < 3; ++i) {
        const double *r = p->r[i];
        double own = ha[i] + (cdi_abs(r[0]) * hb[0] + cdi_abs(r[1]) * hb[1] + cdi_abs(r[2]) * hb[2]);
        gap[i] = cdi_abs(r[3]) - own;
    }
    gap[3] = gap[7] = -CDI_HUGE;
}

/* The first of the greatest, of six at 0...2 and 4...6. */
CDI_INLINE uint32_t cdi_boxes_best_face(const double gap[8], double *most) {
    double a = cdi_max(cdi_max(gap[0], gap[1]), gap[2]), b = cdi_max(cdi_max(gap[4], gap[5]), gap[6]);
    double best = cdi_max(a, b);
    cdi_d4 all = cdi_d4_all(best);
    uint32_t at = cdi_d4_le(all, cdi_d4_load(gap)) | cdi_d4_le(all, cdi_d4_load(gap + 4)) << 4 | 128u;
    *most = best;
    at = cdi_lowest_bit(at);
    return at - (at >> 2);
}

/* The best of those found, at 3 i + j. */
CDI_INLINE uint32_t cdi_boxes_best_edge(const cdi_boxes_edges *e) {
    uint32_t left = e->found, best = cdi_lowest_bit(left);
    for (left &= left - 1; left; left &= left - 1) {
        uint32_t at = cdi_lowest_bit(left);
        if (cdi_boxes_square(e->gap[at]) * e->square[best] > cdi_boxes_square(e->gap[best]) * e->square[at])
            best = at;
    }
    return best;
}

static const double cdi_boxes_units[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

/* A's axis, B's, or the one across two edges. */
CDI_INLINE void cdi_boxes_face_axis(const cdi_boxes *p, uint32_t axis, double n[3]) {
    const double *from = axis < 3 ? cdi_boxes_units[axis] : &p->r[0][axis - 3];
    uint32_t step = axis < 3 ? 1 : 4;
    n[0] = from[0];
    n[1] = from[step];
    n[2] = from[2 * step];
}
CDI_INLINE void cdi_boxes_edge_axis(const cdi_boxes *p, uint32_t edge, double length, double n[3]) {
    uint32_t i = edge >> 2, j = edge & 3u, k = cdi_boxes_next[i + 1], l = cdi_boxes_next[i + 2];
    double s = 1.0 / length;
    n[i] = 0.0;
    n[k] = (0.0 - p->r[l][j]) * s;
    n[l] = p->r[k][j] * s;
}

/* Turned from A to B. */
CDI_INLINE void cdi_boxes_point(const cdi_boxes *p, double n[3]) {
    double way = p->r[0][3] * n[0] + p->r[1][3] * n[1] + p->r[2][3] * n[2], s = cdi_boxes_sign(way + 0.0);
    for (int i = 0; i < 3; ++i) n[i] *= s;
}

/* The greatest separation of the fifteen axes; where two are level, faces before edges, A's before B's, and before all the axis that was
 * the best `before`. False where an axis shows more than `most`. */
CDI_INLINE bool cdi_boxes_search(const cdi_boxes *p, double most, uint32_t before, cdi_boxes_axis *x) {
    cdi_boxes_edges e;
    cdi_d4 q[3], h[2], goal;
    double gap[8], best;
    for (int i = 0; i < 3; ++i) q[i] = cdi_d4_abs(p->row[i]);
    cdi_boxes_faces(p, q, gap);
    if (before < CDI_BOX_EDGES) gap[before + before / 3] += p->level;
    x->axis = cdi_boxes_best_face(gap, &best);
    if (x->axis == before) best -= p->level;
    if (best > most) return false;
    h[0] = cdi_d4_turned(cdi_d4_load(p->hb));
    h[1] = cdi_d4_turned(h[0]);
    goal = cdi_d4_all(cdi_boxes_square(best + (before - CDI_BOX_EDGES < 9 ? 0.0 - p->level : p->level)));
    e.found = 0;
    cdi_boxes_edge(p, 0, 1, 2, q, h, goal, &e);
    cdi_boxes_edge(p, 1, 2, 0, q, h, goal, &e);
    cdi_boxes_edge(p, 2, 0, 1, q, h, goal, &e);
    x->separation = best;
    if (e.found) {
        uint32_t at = cdi_boxes_best_edge(&e), axis = CDI_BOX_EDGES + at - (at >> 2);
        double length = cdi_sqrt(e.square[at]), edge = (e.gap[at] + p->noise) / length;
        if (edge > most) return false;
        if (edge > best + p->level || axis == before) {
            x->axis = axis;
            x->separation = edge;
            cdi_boxes_edge_axis(p, at, length, x->n);
            cdi_boxes_point(p, x->n);
            return true;
        }
    }
    cdi_boxes_face_axis(p, x->axis, x->n);
    cdi_boxes_point(p, x->n);
    return true;
}

/* ---- the patch ----
 *
 * Sides, and which way they run: those of A's rectangle, and those of B's parallelogram, whose half edges u and v are so turned that both
 * lead up, and v to the left of u. So that what coincides is there once, B's sides may be a little outside of the rectangle, and A's
 * have to be as far inside of the parallelogram.
 *
 *             2 <                           6 <
 *        +------------+                  +------------+
 *     3 v|            |^ 1           7 v/            /^ 5
 *        +------------+                +------------+
 *             > 0                           > 4
 */

typedef struct cdi_boxes_patch {
    uint32_t k, i, j;      /* A's axis across its face, and the two along it */
    uint32_t l, m[2];      /* B's */
    uint32_t above, below; /* is it the positive side of A, of B? */
    double up, out;        /* of the faces along those axes */
    double h[2];           /* of the rectangle */
    double c[3];    /* middle of B's face: along the two, and how far it is above A's plane along the axis */
    double e[2][3]; /* its half edges in the same way, */
    const double *u, *v; /* the one to the right first */
    double he[2];        /* how long they are in space */
    uint32_t swapped;    /* is u along m[1]? */
    uint32_t turned;     /* bits 2 and 3: was u, was v turned around? */
    double det;          /* of u and v: not below 0 */
    double at[8][4],
        d[8];         /* where sides begin: along the two, in units of u and v; how far B is there above A */
    uint32_t name[8]; /* see cdi_boxes_name */
    uint32_t list[8], count; /* the sides that are there, in turn */
} cdi_boxes_patch;

/* Which of three is the largest magnitude, the first of equals. */
CDI_INLINE uint32_t cdi_boxes_largest(const double v[3]) {
    double x = cdi_abs(v[0]), y = cdi_abs(v[1]), z = cdi_abs(v[2]);
    uint32_t second = y > x, third = z > cdi_max(x, y);
    return third << 1 | (second & (third ^ 1u));
}

CDI_INLINE void cdi_boxes_pick_faces(const cdi_boxes *p, const double n[3], cdi_boxes_patch *f) {
    double g[4];
    cdi_d4_store(g, cdi_boxes_dot(cdi_d4_all(n[0]), p->row[0], cdi_d4_all(n[1]), p->row[1], cdi_d4_all(n[2]),
                                  p->row[2]));
    f->k = cdi_boxes_largest(n);
    f->l = cdi_boxes_largest(g);
    f->i = cdi_boxes_next[f->k + 1];
    f->j = cdi_boxes_next[f->k + 2];
    f->m[0] = cdi_boxes_next[f->l + 1];
    f->m[1] = cdi_boxes_next[f->l + 2];
    f->above = cdi_boxes_below(n[f->k]) ^ 1u;
    f->below = cdi_boxes_below(g[f->l]);
    f->up = p->ha[f->k] * cdi_boxes_sign(n[f->k]);
    f->out = p->hb[f->l] * (0.0 - cdi_boxes_sign(g[f->l]));
    f->h[0] = p->ha[f->i];
    f->h[1] = p->ha[f->j];
}

/* Along the axis onto A's plane. */
CDI_INLINE void cdi_boxes_project(const cdi_boxes_patch *f, const double n[3], double inverse, double x,
                                  double y, double z, double out[3]) {
    double d = z * inverse;
    out[0] = x - n[f->i] * d;
    out[1] = y - n[f->j] * d;
    out[2] = d;
}

CDI_INLINE void cdi_boxes_lay(const cdi_boxes *p, const double n[3], cdi_boxes_patch *f) {
    const double *ri = p->r[f->i], *rj = p->r[f->j], *rk = p->r[f->k];
    double(*e)[3] = f->e, det, inverse = 1.0 / n[f->k];
    double out = f->out;
    uint32_t turned[2];
    cdi_boxes_project(f, n, inverse, ri[3] + out * ri[f->l], rj[3] + out * rj[f->l],
                      rk[3] + out * rk[f->l] - f->up, f->c);
    for (int w = 0; w < 2; ++w) {
        uint32_t m = f->m[w];
        double h = p->hb[m], s;
        cdi_boxes_project(f, n, inverse, h * ri[m], h * rj[m], h * rk[m], e[w]);
        s = cdi_boxes_sign(e[w][1]);
        turned[w] = cdi_boxes_below(s);
        for (int x = 0; x < 3; ++x) e[w][x] *= s;
    }
    det = e[0][0] * e[1][1] - e[0][1] * e[1][0];
    f->swapped = det < 0.0;
    f->det = cdi_abs(det);
    f->u = e[f->swapped];
    f->v = e[1 - f->swapped];
    f->he[0] = p->hb[f->m[f->swapped]];
    f->he[1] = p->hb[f->m[1 - f->swapped]];
    f->turned = turned[f->swapped] << 2 | turned[1 - f->swapped] << 3;
}

/* What is left of four sides within m +- r and o +- s. */
CDI_INLINE void cdi_boxes_cut(cdi_d4 most, cdi_d4 m, cdi_d4 r, cdi_d4 o, cdi_d4 s, cdi_d4 *lo, cdi_d4 *hi) {
    *lo = cdi_d4_max(cdi_d4_max(cdi_d4_sub(m, r), cdi_d4_sub(o, s)), cdi_d4_sub(cdi_d4_all(0.0), most));
    *hi = cdi_d4_min(cdi_d4_min(cdi_d4_add(m, r), cdi_d4_add(o, s)), most);
}

/* 1 / ux, 1 / vx, 1 / uy, 1 / vy, and their magnitudes; none is infinite. */
typedef struct cdi_boxes_slopes {
    double of[4], size[4];
} cdi_boxes_slopes;

CDI_INLINE void cdi_boxes_invert(const cdi_boxes_patch *f, double tiny, cdi_boxes_slopes *s) {
    cdi_d4 v = cdi_d4_make(f->u[0], f->v[0], f->u[1], f->v[1]);
    cdi_d4 size = cdi_d4_div(cdi_d4_all(1.0), cdi_d4_max(cdi_d4_abs(v), cdi_d4_all(tiny)));
    cdi_d4_store(s->size, size);
    cdi_d4_store(s->of, cdi_d4_pick(v, size, cdi_d4_sub(cdi_d4_all(0.0), size)));
}

CDI_INLINE cdi_d4 cdi_boxes_pairwise(double x, double y) {
    return cdi_d4_make(x, y, x, y);
}

/* Where they begin: x, y, u, v, and how far apart the boxes are there. */
CDI_INLINE void cdi_boxes_begin(cdi_boxes_patch *f, int side, cdi_d4 x, cdi_d4 y, cdi_d4 u, cdi_d4 v) {
    cdi_d4 row[4];
    cdi_d4_store(f->d + side,
                 cdi_d4_add(cdi_d4_all(f->c[2]), cdi_d4_add(cdi_d4_mul(u, cdi_d4_all(f->u[2])),
                                                            cdi_d4_mul(v, cdi_d4_all(f->v[2])))));
    row[0] = x;
    row[1] = y;
    row[2] = u;
    row[3] = v;
    cdi_d4_turn(row);
    for (int i = 0; i < 4; ++i) cdi_d4_store(f->at[side + i], row[i]);
}

/* Those of B; a bit for each that is there. */
CDI_INLINE uint32_t cdi_boxes_sides_of_b(cdi_boxes_patch *f, const cdi_boxes_slopes *s, double level) {
    const double *u = f->u, *v = f->v;
    double lu = cdi_abs(u[0]) + u[1], lv = cdi_abs(v[0]) + v[1], from[4], to[4];
    cdi_d4 cx = cdi_d4_all(f->c[0]), cy = cdi_d4_all(f->c[1]), lo, hi, bu, bv, x, y;
    cdi_d4 m = cdi_d4_mul(cdi_d4_sub(cdi_d4_make(v[0], 0.0 - u[0], 0.0 - v[0], u[0]), cx),
                          cdi_boxes_pairwise(s->of[0], s->of[1]));
    cdi_d4 o = cdi_d4_mul(cdi_d4_sub(cdi_d4_make(v[1], 0.0 - u[1], 0.0 - v[1], u[1]), cy),
                          cdi_boxes_pairwise(s->of[2], s->of[3]));
    cdi_boxes_cut(cdi_d4_all(1.0), m,
                  cdi_d4_mul(cdi_d4_all(f->h[0] + level), cdi_boxes_pairwise(s->size[0], s->size[1])), o,
                  cdi_d4_mul(cdi_d4_all(f->h[1] + level), cdi_boxes_pairwise(s->size[2], s->size[3])), &lo,
                  &hi);
    cdi_d4_store(from, lo);
    cdi_d4_store(to, hi);
    bu = cdi_d4_make(from[0], 1.0, to[2], -1.0);
    bv = cdi_d4_make(-1.0, from[1], 1.0, to[3]);
    x = cdi_d4_add(cx, cdi_d4_add(cdi_d4_mul(bu, cdi_d4_all(u[0])), cdi_d4_mul(bv, cdi_d4_all(v[0]))));
    y = cdi_d4_add(cy, cdi_d4_add(cdi_d4_mul(bu, cdi_d4_all(u[1])), cdi_d4_mul(bv, cdi_d4_all(v[1]))));
    cdi_boxes_begin(f, 4, x, y, bu, bv);
    return cdi_d4_less(cdi_d4_all(2.0 * level), cdi_d4_mul(cdi_d4_sub(hi, lo), cdi_boxes_pairwise(lu, lv)))
           << 4;
}

/* Those of A. */
CDI_INLINE uint32_t cdi_boxes_sides_of_a(cdi_boxes_patch *f, const cdi_boxes_slopes *s, double level) {
    const double *u = f->u, *v = f->v, *h = f->h, *c = f->c;
    double wu = f->det - level * (cdi_abs(u[0]) + u[1]), wv = f->det - level * (cdi_abs(v[0]) + v[1]);
    double from[4], to[4];
    cdi_d4 off = cdi_d4_sub(cdi_d4_make(0.0 - h[1], h[0], h[1], 0.0 - h[0]), cdi_boxes_pairwise(c[1], c[0]));
    cdi_d4 mid = cdi_boxes_pairwise(c[0], c[1]), lo, hi, x, y;
    cdi_d4 over = cdi_d4_all(1.0 / cdi_max(f->det, level * level));
    cdi_d4 m = cdi_d4_mul(cdi_boxes_pairwise(v[0], v[1]), cdi_boxes_pairwise(s->of[3], s->of[1]));
    cdi_d4 o = cdi_d4_mul(cdi_boxes_pairwise(u[0], u[1]), cdi_boxes_pairwise(s->of[2], s->of[0]));
    cdi_boxes_cut(cdi_boxes_pairwise(h[0], h[1]), cdi_d4_add(mid, cdi_d4_mul(off, m)),
                  cdi_d4_mul(cdi_d4_all(wv), cdi_boxes_pairwise(s->size[3], s->size[1])),
                  cdi_d4_add(mid, cdi_d4_mul(off, o)),
                  cdi_d4_mul(cdi_d4_all(wu), cdi_boxes_pairwise(s->size[2], s->size[0])), &lo, &hi);
    cdi_d4_store(from, lo);
    cdi_d4_store(to, hi);
    x = cdi_d4_make(from[0], h[0], to[2], 0.0 - h[0]);
    y = cdi_d4_make(0.0 - h[1], from[1], h[1], to[3]);
    m = cdi_d4_sub(x, cdi_d4_all(c[0]));
    o = cdi_d4_sub(y, cdi_d4_all(c[1]));
    cdi_boxes_begin(f, 0, x, y, cdi_d4_mul(cdi_boxes_cross(m, cdi_d4_all(v[1]), o, cdi_d4_all(v[0])), over),
                    cdi_d4_mul(cdi_boxes_cross(o, cdi_d4_all(u[0]), m, cdi_d4_all(u[1])), over));
    return cdi_d4_less(cdi_d4_all(2.0 * level), cdi_d4_sub(hi, lo));
}

/* The sides in the order of their directions, by how many of u and v lead to the left. */
static const uint8_t cdi_boxes_order[3][8] = {
    {0, 4, 5, 1, 2, 6, 7, 3}, {0, 4, 1, 5, 2, 6, 3, 7}, {0, 1, 4, 5, 2, 3, 6, 7}};

/* The corners of the patch that are no farther apart than `most`. */
CDI_INLINE void cdi_boxes_clip(const cdi_boxes *p, const double n[3], double most, cdi_boxes_patch *f) {
    cdi_boxes_slopes s;
    cdi_d4 limit = cdi_d4_all(most);
    uint32_t found, count = 0;
    const uint8_t *order;
    cdi_boxes_pick_faces(p, n, f);
    cdi_boxes_lay(p, n, f);
    cdi_boxes_invert(f, p->noise * 1e-15, &s);
    found = cdi_boxes_sides_of_b(f, &s, p->level) | cdi_boxes_sides_of_a(f, &s, p->level);
    found &= cdi_d4_le(cdi_d4_load(f->d), limit) | cdi_d4_le(cdi_d4_load(f->d + 4), limit) << 4;
    order = cdi_boxes_order[cdi_boxes_below(f->u[0]) + cdi_boxes_below(f->v[0])];
    for (int i = 0; i < 8; ++i) {
        uint32_t side = order[i];
        f->list[count] = side;
        count += found >> side & 1u;
    }
    f->count = count;
}

/* ---- names ---- */

/* What is near a corner: 1/32 of the shortest edge of both faces. */
CDI_INLINE double cdi_boxes_near(const cdi_boxes_patch *f) {
    cdi_d4 h = cdi_d4_make(f->h[0], f->h[1], f->he[0], f->he[1]);
    double v[4];
    cdi_d4_store(v, cdi_d4_pick(h, h, cdi_d4_all(CDI_HUGE)));
    return 0.0625 * cdi_min(cdi_min(v[0], v[1]), cdi_min(v[2], v[3]));
}

/* The features of a box, kind times 64 and the number, by the axis across a face, its side, and whether the place is near an end of the first
 * axis along it (1), of the second (2), and there on the positive side of the first (4), of the second (8). */
static const uint8_t cdi_boxes_features[3][2][16] = {
    {{192, 136, 132, 64, 192, 138, 132, 66, 192, 136, 134, 68, 192, 138, 134, 70},
     {193, 137, 133, 65, 193, 139, 133, 67, 193, 137, 135, 69, 193, 139, 135, 71}},
    {{194, 128, 136, 64, 194, 130, 136, 68, 194, 128, 137, 65, 194, 130, 137, 69},
     {195, 129, 138, 66, 195, 131, 138, 70, 195, 129, 139, 67, 195, 131, 139, 71}},
    {{196, 132, 128, 64, 196, 133, 128, 65, 196, 132, 129, 66, 196, 133, 129, 67},
     {197, 134, 130, 68, 197, 135, 130, 69, 197, 134, 131, 70, 197, 135, 131, 71}}};

/* How to name points of one of the faces. */
typedef struct cdi_boxes_namer {
    const uint8_t *feature;
    uint32_t bits; /* those that matter: axes without extent have no positive side */
} cdi_boxes_namer;

CDI_INLINE cdi_boxes_namer cdi_boxes_namer_of(const double half[3], uint32_t k, uint32_t side, uint32_t i,
                                              uint32_t j) {
    cdi_boxes_namer n;
    n.feature = cdi_boxes_features[k][side & (uint32_t)(half[k] > 0.0)];
    n.bits = 3u | (uint32_t)(half[i] > 0.0) << 2 | (uint32_t)(half[j] > 0.0) << 3;
    return n;
}

/* Of u and v, what is of the first and the second axis. */
static const uint8_t cdi_boxes_swap[2][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                              {0, 2, 1, 3, 8, 10, 9, 11, 4, 6, 5, 7, 12, 14, 13, 15}};

/* Names all of the list, by A's feature in the high byte, and B's; of those of one name, which are side by side, the deepest is kept. Answers
 * how far apart the nearest are. */
CDI_INLINE double cdi_boxes_name_all(const cdi_boxes *p, cdi_boxes_patch *f) {
    cdi_boxes_namer a = cdi_boxes_namer_of(p->ha, f->k, f->above, f->i, f->j);
    cdi_boxes_namer b = cdi_boxes_namer_of(p->hb, f->l, f->below, f->m[0], f->m[1]);
    const uint8_t *swap = cdi_boxes_swap[f->swapped];
    double nearby = cdi_boxes_near(f), tiny = nearby * 1e-30, least = CDI_HUGE;
    cdi_d4 ends = cdi_d4_make(f->h[0] - nearby, f->h[1] - nearby, 1.0 - nearby / cdi_max(f->he[0], tiny),
                              1.0 - nearby / cdi_max(f->he[1], tiny));
    uint32_t count = 0, last = CD_NONE;
    for (uint32_t i = 0; i < f->count; ++i) {
        uint32_t side = f->list[i], close_by, positive, name;
        cdi_d4 at = cdi_d4_load(f->at[side]);
        close_by = cdi_d4_le(ends, cdi_d4_abs(at));
        positive = (cdi_d4_less(cdi_d4_all(0.0), at) ^ f->turned) & close_by;
        name = (uint32_t)a.feature[((close_by & 3u) | (positive & 3u) << 2) & a.bits] << 8 |
               b.feature[swap[close_by >> 2 | (positive & 12u)] & b.bits];
        least = cdi_min(f->d[side], least);
        f->name[side] = name;
        if (name == last) {
            if (f->d[side] < f->d[f->list[count - 1]]) f->list[count - 1] = side;
            continue;
        }
        last = name;
        f->list[count++] = side;
    }
    f->count = count;
    if (count < 2 || last != f->name[f->list[0]]) return least;
    if (f->d[f->list[count - 1]] < f->d[f->list[0]]) f->list[0] = f->list[count - 1];
    f->count = count - 1;
    return least;
}

/* ---- four of them ---- */

/* Twice the area of the triangle of three of the list. */
CDI_INLINE double cdi_boxes_area3(const cdi_boxes_patch *f, uint32_t a, uint32_t b, uint32_t c) {
    const double *p = f->at[f->list[a]], *q = f->at[f->list[b]], *r = f->at[f->list[c]];
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
}

/* Twice that of those in a mask. */
static double cdi_boxes_area(const cdi_boxes_patch *f, uint32_t mask) {
    uint32_t first = cdi_lowest_bit(mask), last;
    double sum = 0.0;
    mask &= mask - 1;
    if (!mask) return 0.0;
    last = cdi_lowest_bit(mask);
    for (mask &= mask - 1; mask; mask &= mask - 1) {
        uint32_t at = cdi_lowest_bit(mask);
        sum += cdi_boxes_area3(f, first, last, at);
        last = at;
    }
    return sum;
}

/* The first of the greatest of eight. */
CDI_INLINE uint32_t cdi_boxes_greatest(cdi_d4 a, cdi_d4 b) {
    double v[4];
    cdi_d4 most;
    cdi_d4_store(v, cdi_d4_max(a, b));
    most = cdi_d4_all(cdi_max(cdi_max(v[0], v[1]), cdi_max(v[2], v[3])));
    return cdi_lowest_bit(cdi_d4_le(most, a) | cdi_d4_le(most, b) << 4 | 128u);
}

/* The one at `pinned` and the three that span the most with it: one across, and the best on each side of the diagonal. As seen from the
 * pinned one all others come one after another, to the left: so those on the right of one have areas below 0. */
static uint32_t cdi_boxes_widest(const cdi_boxes_patch *f, uint32_t pinned) {
    const double *from = f->at[f->list[pinned]];
    cdi_d4 zero = cdi_d4_all(0.0), x0, x1, y0, y1, left0 = zero, left1 = zero, right0 = zero, right1 = zero;
    double x[8], y[8];
    uint32_t best;
    for (uint32_t i = 0; i < 8; ++i) {
        const double *at = i < f->count ? f->at[f->list[i]] : from;
        x[i] = at[0] - from[0];
        y[i] = at[1] - from[1];
    }
    x0 = cdi_d4_load(x);
    x1 = cdi_d4_load(x + 4);
    y0 = cdi_d4_load(y);
    y1 = cdi_d4_load(y + 4);
    for (uint32_t i = 0; i < f->count; ++i) {
        cdi_d4 a = cdi_d4_all(x[i]), b = cdi_d4_all(y[i]);
        cdi_d4 area0 = cdi_boxes_cross(a, y0, b, x0), area1 = cdi_boxes_cross(a, y1, b, x1);
        left0 = cdi_d4_max(left0, area0);
        left1 = cdi_d4_max(left1, area1);
        right0 = cdi_d4_min(right0, area0);
        right1 = cdi_d4_min(right1, area1);
    }
    best = cdi_boxes_greatest(cdi_d4_sub(left0, right0), cdi_d4_sub(left1, right1));
    left0 = cdi_boxes_cross(x0, cdi_d4_all(y[best]), y0, cdi_d4_all(x[best]));
    left1 = cdi_boxes_cross(x1, cdi_d4_all(y[best]), y1, cdi_d4_all(x[best]));
    best = 1u << pinned | 1u << best | 1u << cdi_boxes_greatest(left0, left1) |
           1u << cdi_boxes_greatest(cdi_d4_sub(zero, left0), cdi_d4_sub(zero, left1));
    return best & ((1u << f->count) - 1u);
}

/* One more, or without the one that is missed least of those that are not pinned. */
static uint32_t cdi_boxes_change(const cdi_boxes_patch *f, uint32_t mask, uint32_t pinned, bool more) {
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

/* Those kept before and the pinned one, made four: 0 where that is less than half of the patch. */
static uint32_t cdi_boxes_keep(const cdi_boxes_patch *f, uint32_t kept, uint32_t pinned, uint32_t count) {
    if (!(kept >> pinned & 1u)) {
        kept |= 1u << pinned;
        ++count;
    }
    if (count > 4) kept = cdi_boxes_change(f, kept, pinned, false);
    for (; count < 4; ++count) kept = cdi_boxes_change(f, kept, pinned, true);
    return 2.0 * cdi_boxes_area(f, kept) >= cdi_boxes_area(f, (1u << f->count) - 1u) ? kept : 0u;
}

/* Those of a name in the cache, as a mask; of these is `pinned`, where one is as deep. */
static uint32_t cdi_boxes_kept(const cdi_boxes_patch *f, const uint32_t names[2], double deep,
                               uint32_t *pinned, uint32_t *count) {
    uint32_t kept = 0, found = CD_NONE;
    *count = 0;
    for (uint32_t i = 0; i < f->count; ++i) {
        uint32_t side = f->list[i], name = f->name[side];
        if (name != (names[0] & 65535u) && name != names[0] >> 16 && name != (names[1] & 65535u) &&
            name != names[1] >> 16)
            continue;
        if (found == CD_NONE && f->d[side] <= deep) found = i;
        kept |= 1u << i;
        ++*count;
    }
    if (found != CD_NONE) *pinned = found;
    return kept;
}

/* Leaves four of the list. */
static void cdi_boxes_reduce(cdi_boxes_patch *f, const cd_cache *cache, double deep) {
    uint32_t pinned = 0, kept = 0, count = 0;
    while (f->d[f->list[pinned]] > deep) ++pinned;
    if (cache) {
        kept = cdi_boxes_kept(f, cache->words + 1, deep, &pinned, &count);
        if (kept && count < 5) kept = cdi_boxes_keep(f, kept, pinned, count);
    }
    if (!kept || count > 4) kept = cdi_boxes_widest(f, pinned);
    for (f->count = 0; kept; kept &= kept - 1) f->list[f->count++] = f->list[cdi_lowest_bit(kept)];
}

/* ---- the answer ---- */

/* The list from the smallest name on, to the left around the axis; where there are less than four, the last once more. */
CDI_INLINE void cdi_boxes_arrange(const cdi_boxes_patch *f, uint32_t list[4]) {
    uint32_t count = f->count, step = f->above ? 1u : count - 1u, least = CD_NONE, at;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t key = f->name[f->list[i]] << 8 | i;
        least = key < least ? key : least;
    }
    at = least & 255u;
    list[0] = list[1] = list[2] = list[3] = f->list[at];
    for (uint32_t i = 1; i < count; ++i) {
        at += step;
        at = at >= count ? at - count : at;
        list[i] = f->list[at];
    }
}

CDI_INLINE uint32_t cdi_boxes_feature(uint32_t name) {
    return (name << 24 & 0xC0000000u) | (name & 63u);
}

/* A number of a vector of four points: base + x's, of whose axes c has the component. */
CDI_INLINE cdi_d4 cdi_boxes_component(double base, const double c[4], const cdi_d4 at[3]) {
    return cdi_d4_add(cdi_d4_all(base), cdi_boxes_dot(cdi_d4_all(c[0]), at[0], cdi_d4_all(c[1]), at[1],
                                                      cdi_d4_all(c[2]), at[2]));
}

CDI_INLINE void cdi_boxes_write_points(const cdi_boxes *p, const cdi_boxes_patch *f, const double normal[3],
                                       const uint32_t list[4], cdi_quad a[4], cdi_quad b[4]) {
    const double *const q[4] = {f->at[list[0]], f->at[list[1]], f->at[list[2]], f->at[list[3]]};
    cdi_d4 at[3], ax, ay, az;
    cdi_d4 d = cdi_d4_make(f->d[list[0]], f->d[list[1]], f->d[list[2]], f->d[list[3]]);
    at[f->i] = cdi_d4_make(q[0][0], q[1][0], q[2][0], q[3][0]);
    at[f->j] = cdi_d4_make(q[0][1], q[1][1], q[2][1], q[3][1]);
    at[f->k] = cdi_d4_all(f->up);
    ax = cdi_boxes_component(p->center.x, p->x, at);
    ay = cdi_boxes_component(p->center.y, p->y, at);
    az = cdi_boxes_component(p->center.z, p->z, at);
    a[0] = cdi_quad_round(ax);
    a[1] = cdi_quad_round(ay);
    a[2] = cdi_quad_round(az);
    a[3] = cdi_quad_round(cdi_d4_add(ax, cdi_d4_mul(d, cdi_d4_all(normal[0]))));
    b[0] = cdi_quad_round(cdi_d4_add(ay, cdi_d4_mul(d, cdi_d4_all(normal[1]))));
    b[1] = cdi_quad_round(cdi_d4_add(az, cdi_d4_mul(d, cdi_d4_all(normal[2]))));
    b[2] = cdi_quad_round(d);
    b[3] = b[2];
    cdi_quad_turn(a);
    cdi_quad_turn(b);
}

CDI_INLINE void cdi_boxes_no_part(cd_part *part) {
    part->user = 0;
    part->material = part->index = 0;
    part->child = CD_NONE;
    part->offset = 0;
}

CDI_INLINE void cdi_boxes_write(const cdi_boxes *p, const cdi_boxes_patch *f, const cdi_boxes_axis *x,
                                cd_cache *cache, cd_manifold *out) {
    uint32_t list[4];
    double normal[3];
    cdi_quad a[4], b[4];
    for (int i = 0; i < 3; ++i) {
        const double *c = i == 0 ? p->x : i == 1 ? p->y : p->z;
        normal[i] = c[0] * x->n[0] + c[1] * x->n[1] + c[2] * x->n[2];
    }
    out->normal = cdi_v3_round(cdi_v3_make(normal[0], normal[1], normal[2]));
    out->count = f->count;
    cdi_boxes_arrange(f, list);
    cdi_boxes_write_points(p, f, normal, list, a, b);
    for (uint32_t i = 0; i < f->count; ++i) {
        cd_real v[8];
        cdi_quad_store(v, a[i]);
        cdi_quad_store(v + 4, b[i]);
        cdi_copy(&out->points[i], v, 4 * sizeof *v); /* a, and x of b */
        out->points[i].b.y = v[4];
        out->points[i].b.z = v[5];
        out->points[i].distance = v[6];
        out->points[i].feature_a = cdi_boxes_feature(f->name[list[i]] >> 8);
        out->points[i].feature_b = cdi_boxes_feature(f->name[list[i]]);
    }
    cdi_boxes_no_part(&out->part_a);
    cdi_boxes_no_part(&out->part_b);
    if (!cache) return;
    cdi_clear(cache, sizeof *cache);
    cache->words[0] = CDI_BOX_TAG | x->axis;
    for (uint32_t i = 0; i < 4; ++i) cache->words[1 + (i >> 1)] |= f->name[list[i]] << 16 * (i & 1u);
}

static CDI_COLD bool cdi_boxes_general(const cd_obb *a, const cd_obb *b, const cd_transform *b_in_a,
                                       const cd_collide_options *options, cd_cache *cache, cd_manifold *out) {
    cd_support s = cd_support_of_obb(a), t = cd_support_of_obb(b);
    return cd_collide_convex(&s, &t, b_in_a, options, cache, out);
}

/* What a pair of boxes comes to; OTHERWISE: it has to go the way of any two. */
typedef enum cdi_boxes_verdict { CDI_BOXES_APART, CDI_BOXES_MEET, CDI_BOXES_OTHERWISE } cdi_boxes_verdict;

/* Not inlined: what it holds is not there when others are asked. */
static CDI_OUTLINE cdi_boxes_verdict cdi_boxes_collide(const cd_obb *a, const cd_obb *b,
                                                       const cd_transform *b_in_a,
                                                       const cd_collide_options *options, cd_cache *cache,
                                                       cd_manifold *out) {
    double most = options ? (double)options->margin : 0.0, least;
    cdi_boxes p;
    cdi_boxes_axis x;
    cdi_boxes_patch f;
    uint32_t before = CD_NONE;
    if (!cdi_boxes_open(&p, a, b, b_in_a)) return CDI_BOXES_OTHERWISE;
    if (cache && (cache->words[0] & ~15u) == CDI_BOX_TAG) before = cache->words[0] & 15u;
    most += p.noise;
    if (!cdi_boxes_search(&p, most, before, &x)) return CDI_BOXES_APART;
    cdi_boxes_clip(&p, x.n, most, &f);
    least = cdi_boxes_name_all(&p, &f);
    if (!(least <= x.separation + 8.0 * p.level)) return CDI_BOXES_OTHERWISE;
    if (!out) return CDI_BOXES_MEET;
    if (f.count > 4) cdi_boxes_reduce(&f, before != CD_NONE ? cache : NULL, least + 8.0 * p.level);
    cdi_boxes_write(&p, &f, &x, cache, out);
    return CDI_BOXES_MEET;
}

CDI_INLINE bool cdi_boxes_pair_collide(const cdi_boxes_pairs *p, size_t i) {
    const cd_transform *b_in_a = p->b_in_a ? p->b_in_a + i : NULL;
    cd_cache *cache = p->caches ? p->caches + i : NULL;
    cd_manifold *out = p->out ? p->out + i : NULL;
    cdi_boxes_verdict v = cdi_boxes_collide(p->a + i, p->b + i, b_in_a, p->options, cache, out);
    if (v == CDI_BOXES_OTHERWISE)
        return cdi_boxes_general(p->a + i, p->b + i, b_in_a, p->options, cache, out);
    return v == CDI_BOXES_MEET;
}

CDI_FN size_t cdi_boxes_pairs_collide(const cdi_boxes_pairs *p) {
    size_t found = 0;
    for (size_t i = 0; i < p->count; ++i) {
        bool meet = cdi_boxes_pair_collide(p, i);
        if (!meet && p->out && p->count > 1) p->out[i].count = 0;
        found += meet;
    }
    return found;
}

#undef CDI_BOX_SKEW
#undef CDI_BOX_MOST
#undef CDI_BOX_TAG
