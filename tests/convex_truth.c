/* Points are seen from a center of A: far from the origin all this is as sharp. */
#include "convex_truth.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef long double real;

static const real rounding = 64 * LDBL_EPSILON; /* of what is computed of numbers up to 1 */

/* ---- vectors ---- */

static real dot(const real a[3], const real b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static real length(const real a[3]) {
    return sqrtl(dot(a, a));
}
static void set(real out[3], const real a[3]) {
    for (int k = 0; k < 3; ++k) out[k] = a[k];
}
static void from_to(const real a[3], const real b[3], real out[3]) {
    for (int k = 0; k < 3; ++k) out[k] = b[k] - a[k];
}
static void along(real p[3], const real d[3], real t) {
    for (int k = 0; k < 3; ++k) p[k] += d[k] * t;
}
static void cross(const real a[3], const real b[3], real out[3]) {
    for (int k = 0; k < 3; ++k) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}
static bool make_unit(real v[3]) {
    real size = length(v);
    for (int k = 0; k < 3 && size > 0; ++k) v[k] /= size;
    return size > 0;
}

/* ---- bodies ---- */

static void vec(cd_vec3 v, real out[3]) {
    out[0] = (real)v.x;
    out[1] = (real)v.y;
    out[2] = (real)v.z;
}

static void add_corner(truth_body *b, const real p[3]) {
    if (CHECK(b->count < TRUTH_CORNERS)) set(b->corner[b->count++], p);
}

static void add_points(truth_body *b, const cd_vec3 *p, size_t count) {
    real v[3];
    for (size_t i = 0; i < count; ++i) {
        vec(p[i], v);
        add_corner(b, v);
    }
}

static void take_frustum(truth_body *b, cd_vec3 p, cd_vec3 q, cd_vec3 axis, double r0, double r1) {
    b->kind = TRUTH_FRUSTUM;
    add_points(b, &p, 1);
    add_points(b, &q, 1);
    vec(axis, b->half[0]);
    make_unit(b->half[0]);
    b->r[0] = r0;
    b->r[1] = r1;
}

/* From p to q, or any direction when there is no way between. */
static void take_axis(truth_body *b) {
    real d[3];
    from_to(b->corner[0], b->corner[1], d);
    if (make_unit(d)) set(b->half[0], d);
}

static void take_axes(truth_body *b, cd_vec3 center, const cd_mat3 *axes, cd_vec3 half) {
    real h[3];
    vec(half, h);
    vec(center, b->middle);
    for (int k = 0; k < 3; ++k) {
        vec(axes->col[k], b->half[k]);
        for (int i = 0; i < 3; ++i) b->half[k][i] *= h[k];
    }
}

static void take_box_corners(truth_body *b) {
    b->box = true;
    for (int i = 0; i < 8; ++i) {
        real p[3];
        set(p, b->middle);
        for (int k = 0; k < 3; ++k) along(p, b->half[k], i >> k & 1 ? 1 : -1);
        add_corner(b, p);
    }
}

static void take_aabb(truth_body *b, const cd_aabb *box) {
    real lo[3], hi[3];
    vec(box->min, lo);
    vec(box->max, hi);
    for (int k = 0; k < 3; ++k) {
        b->middle[k] = (lo[k] + hi[k]) / 2;
        b->half[k][k] = (hi[k] - lo[k]) / 2;
    }
    take_box_corners(b);
}

static void take_rect(truth_body *b, const cd_rect *r) {
    vec(r->a, b->middle);
    for (int k = 0; k < 2; ++k) {
        vec(r->edge[k], b->half[k]);
        for (int i = 0; i < 3; ++i) b->half[k][i] /= 2;
        along(b->middle, b->half[k], 1);
    }
    take_box_corners(b);
}

/* Both balls without the smaller radius, which is the rounding. */
static void take_tapered(truth_body *b, const cd_tapered_capsule *c) {
    real ra = (real)c->radius_a, rb = (real)c->radius_b;
    b->kind = TRUTH_BALLS;
    add_points(b, &c->a, 1);
    add_points(b, &c->b, 1);
    b->r[0] = ra - fminl(ra, rb);
    b->r[1] = rb - fminl(ra, rb);
    for (int k = 0; k < 3; ++k) b->half[k][k] = 1;
}

/* Where the planes of three sides meet, by Cramer's rule, and how much rounding may matter; false where they are nearly dependent. */
static bool sides_meet(real n[3][3], const real d[3], real out[3], real *off) {
    real c[3][3], det;
    for (int k = 0; k < 3; ++k) cross(n[(k + 1) % 3], n[(k + 2) % 3], c[k]);
    det = dot(n[0], c[0]);
    *off = fabsl(det) / (length(n[0]) * length(n[1]) * length(n[2]));
    if (*off < 1e-6L) return false;
    *off = 16 * LDBL_EPSILON / *off;
    memset(out, 0, 3 * sizeof *out);
    for (int k = 0; k < 3; ++k) along(out, c[k], d[k] / det);
    return true;
}

typedef struct sides {
    int count;
    real n[2 * CD_KDOP_AXES][3], d[2 * CD_KDOP_AXES];
} sides;

static bool sides_hold(const sides *s, const real p[3], real off) {
    for (int i = 0; i < s->count; ++i) {
        real size = fabsl(s->d[i]) + length(s->n[i]) * length(p);
        if (dot(s->n[i], p) > s->d[i] + off * size) return false;
    }
    return true;
}

static bool has_corner(const truth_body *b, const real p[3]) {
    real d[3];
    for (int i = 0; i < b->count; ++i) {
        from_to(b->corner[i], p, d);
        if (length(d) <= 4 * LDBL_EPSILON * length(p)) return true;
    }
    return false;
}

/* All corners where three planes meet within all others. */
static void take_kdop(truth_body *b, const cd_kdop_body *k) {
    sides s;
    s.count = 2 * (int)k->dop->count;
    for (int i = 0; i < s.count; ++i) {
        vec(k->set->axis[i / 2], s.n[i]);
        s.d[i] = (real)(i % 2 ? k->dop->max[i / 2] : k->dop->min[i / 2]);
        for (int j = 0; j < 3 && i % 2 == 0; ++j) s.n[i][j] = -s.n[i][j];
        if (i % 2 == 0) s.d[i] = -s.d[i];
    }
    for (int i = 0; i < s.count; ++i)
        for (int j = i + 1; j < s.count; ++j)
            for (int l = j + 1; l < s.count; ++l) {
                real n[3][3], d[3], p[3], off;
                set(n[0], s.n[i]), set(n[1], s.n[j]), set(n[2], s.n[l]);
                d[0] = s.d[i], d[1] = s.d[j], d[2] = s.d[l];
                if (sides_meet(n, d, p, &off) && sides_hold(&s, p, off) && !has_corner(b, p))
                    add_corner(b, p);
            }
}

/* The rims of a frustum as ellipses. */
static void take_rims(truth_body *b) {
    real u[3] = {0, 0, 0}, v[3];
    int least = 0;
    for (int k = 1; k < 3; ++k)
        if (fabsl(b->half[0][k]) < fabsl(b->half[0][least])) least = k;
    u[least] = 1;
    cross(b->half[0], u, v);
    make_unit(v);
    cross(v, b->half[0], u);
    make_unit(u);
    for (int k = 0; k < 2; ++k)
        for (int i = 0; i < 3; ++i) {
            b->rim[k][0][i] = u[i] * b->r[k];
            b->rim[k][1][i] = v[i] * b->r[k];
        }
    b->kind = TRUTH_RIMS;
    b->r[0] = b->r[1] = 0;
    memset(b->half, 0, sizeof b->half);
}

static void stretch(real v[3], const real by[3]) {
    for (int k = 0; k < 3; ++k) v[k] *= by[k];
}

/* The core under the support's scale. */
static void stretch_core(truth_body *b, const cd_support *s) {
    real by[3];
    vec(s->scale, by);
    if (by[0] == 0 && by[1] == 0 && by[2] == 0) return;
    if (b->kind == TRUTH_FRUSTUM) take_rims(b);
    for (int i = 0; i < b->count; ++i) stretch(b->corner[i], by);
    stretch(b->middle, by);
    for (int k = 0; k < 3; ++k) stretch(b->half[k], by);
    for (int k = 0; k < 4; ++k) stretch(b->rim[k / 2][k % 2], by);
    if (b->box && s->kind != CD_SUPPORT_AABB) { /* no longer at right angles */
        b->box = false;
        memset(b->half, 0, sizeof b->half);
    }
}

static void take_plain_core(truth_body *b, const cd_support *s);

static void take_core(truth_body *b, const cd_support *s) {
    take_plain_core(b, s);
    stretch_core(b, s);
}

static void take_plain_core(truth_body *b, const cd_support *s) {
    const cd_vec3 up = {0, 0, 1};
    switch (s->kind) {
    case CD_SUPPORT_USER:
        b->user = true;
        take_core(b, (const cd_support *)s->shape);
        break;
    case CD_SUPPORT_POINT: add_points(b, &s->center, 1); break;
    case CD_SUPPORT_POINTS: add_points(b, (const cd_vec3 *)s->shape, s->count); break;
    case CD_SUPPORT_AABB: take_aabb(b, (const cd_aabb *)s->shape); break;
    case CD_SUPPORT_RECT: take_rect(b, (const cd_rect *)s->shape); break;
    case CD_SUPPORT_OBB: {
        const cd_obb *o = (const cd_obb *)s->shape;
        take_axes(b, o->center, &o->axes, o->half);
        take_box_corners(b);
        break;
    }
    case CD_SUPPORT_ELLIPSOID: {
        const cd_ellipsoid *e = (const cd_ellipsoid *)s->shape;
        b->kind = TRUTH_BALL;
        take_axes(b, e->center, &e->axes, e->half);
        break;
    }
    case CD_SUPPORT_DISC: {
        const cd_disc *d = (const cd_disc *)s->shape;
        take_frustum(b, d->center, d->center, d->normal, (double)d->radius, (double)d->radius);
        break;
    }
    case CD_SUPPORT_CYLINDER: {
        const cd_cylinder *c = (const cd_cylinder *)s->shape;
        take_frustum(b, c->a, c->b, up, (double)c->radius, (double)c->radius);
        take_axis(b);
        break;
    }
    case CD_SUPPORT_CONE: {
        const cd_cone *c = (const cd_cone *)s->shape;
        take_frustum(b, c->apex, c->base, up, 0, (double)c->radius);
        take_axis(b);
        break;
    }
    case CD_SUPPORT_HULL: {
        cd_hull_parts h = cd_hull_get_parts((const cd_hull *)s->shape);
        add_points(b, h.vertices, h.vertex_count);
        break;
    }
    case CD_SUPPORT_DK: {
        cd_dk_parts h = cd_dk_hierarchy_get_parts((const cd_dk_hierarchy *)s->shape);
        add_points(b, h.vertices, h.vertex_count);
        break;
    }
    case CD_SUPPORT_TAPERED: take_tapered(b, (const cd_tapered_capsule *)s->shape); break;
    case CD_SUPPORT_KDOP: take_kdop(b, (const cd_kdop_body *)s->shape); break;
    default: CHECK(!"a body"); break;
    }
}

void truth_body_of(truth_body *b, const cd_support *s) {
    b->kind = TRUTH_POINTS;
    b->box = b->user = false;
    b->count = 0;
    b->radius = (real)s->radius;
    memset(b->middle, 0, sizeof b->middle);
    memset(b->half, 0, sizeof b->half);
    memset(b->rim, 0, sizeof b->rim);
    b->r[0] = b->r[1] = 0;
    take_core(b, s);
}

/* ---- poses and units ---- */

static void rotate(const real q[4], real v[3]) {
    real t[3], u[3];
    cross(q, v, t);
    along(t, v, q[3]);
    cross(q, t, u);
    along(v, u, 2);
}

void truth_pose(truth_body *b, const cd_transform *t) {
    real q[4] = {(real)t->rotation.x, (real)t->rotation.y, (real)t->rotation.z, (real)t->rotation.w},
         position[3], size = 0;
    for (int k = 0; k < 4; ++k) size = fmaxl(size, fabsl(q[k]));
    if (!(size > 0)) q[3] = size = 1;
    for (int k = 0; k < 4; ++k) q[k] /= size;
    size = sqrtl(dot(q, q) + q[3] * q[3]);
    for (int k = 0; k < 4; ++k) q[k] /= size;
    vec(t->position, position);
    for (int i = 0; i < b->count; ++i) {
        rotate(q, b->corner[i]);
        along(b->corner[i], position, 1);
    }
    rotate(q, b->middle);
    along(b->middle, position, 1);
    for (int k = 0; k < 3; ++k) rotate(q, b->half[k]);
    for (int k = 0; k < 4; ++k) rotate(q, b->rim[k / 2][k % 2]);
}

static void move_body(truth_body *b, const real by[3]) {
    for (int i = 0; i < b->count; ++i) along(b->corner[i], by, -1);
    along(b->middle, by, -1);
}

static void scale_body(truth_body *b, real by) {
    for (int i = 0; i < b->count; ++i)
        for (int k = 0; k < 3; ++k) b->corner[i][k] *= by;
    for (int k = 0; k < 3; ++k) {
        b->middle[k] *= by;
        for (int i = 0; i < 3 && b->kind != TRUTH_FRUSTUM && b->kind != TRUTH_BALLS; ++i) b->half[k][i] *= by;
        for (int i = 0; i < 4; ++i) b->rim[i / 2][i % 2][k] *= by;
    }
    b->r[0] *= by;
    b->r[1] *= by;
    b->radius *= by;
}

/* The longest vector to a point of the rounded body. */
static real reach_of(const truth_body *b, const real from[3]) {
    real most = 0, v[3], sum = 0;
    for (int i = 0; i < b->count; ++i) {
        from_to(from, b->corner[i], v);
        most = fmaxl(most, length(v));
    }
    from_to(from, b->middle, v);
    for (int k = 0; k < 3; ++k) sum += length(b->half[k]);
    if (b->kind == TRUTH_BALL) most = length(v) + sum;
    if (b->kind == TRUTH_BALLS) return most + fmaxl(b->r[0], b->r[1]) * sum + b->radius;
    for (int k = 0; k < 4; ++k) most += length(b->rim[k / 2][k % 2]);
    return most + fmaxl(b->r[0], b->r[1]) + b->radius;
}

void truth_open(truth_pair *p, const cd_support *a, const cd_support *b, const cd_transform *b_in_a) {
    real place[3] = {0, 0, 0};
    double given;
    truth_body_of(&p->a, a);
    truth_body_of(&p->b, b);
    given = (double)fmaxl(reach_of(&p->a, place), reach_of(&p->b, place));
    if (b_in_a) {
        vec(b_in_a->position, place);
        for (int k = 0; k < 3; ++k) given = fmax(given, (double)fabsl(place[k]));
        truth_pose(&p->b, b_in_a);
    }
    truth_open_bodies(p);
    p->given = given;
}

void truth_open_bodies(truth_pair *p) {
    real origin[3], zero[3] = {0, 0, 0};
    int exponent = 0;
    p->given = 0;
    set(origin, p->a.kind == TRUTH_BALL ? p->a.middle : p->a.corner[0]);
    for (int k = 0; k < 3; ++k) {
        p->origin[k] = (double)origin[k];
        origin[k] = p->origin[k];
    }
    move_body(&p->a, origin);
    move_body(&p->b, origin);
    p->reach = reach_of(&p->a, zero) + reach_of(&p->b, zero);
    if (p->reach > 0) frexpl(p->reach, &exponent);
    p->unit = ldexpl(1, exponent);
    scale_body(&p->a, ldexpl(1, -exponent));
    scale_body(&p->b, ldexpl(1, -exponent));
    p->reach = reach_of(&p->a, zero) + reach_of(&p->b, zero);
    for (int side = 0; side < 2; ++side) {
        truth_body *body = side ? &p->b : &p->a;
        body->extent =
            2 * reach_of(body, body->kind == TRUTH_BALL || body->box ? body->middle : body->corner[0]);
    }
}

/* ---- farthest points ---- */

static void farthest_corner(const truth_body *b, const real n[3], real out[3]) {
    int best = 0;
    real most = dot(n, b->corner[0]);
    for (int i = 1; i < b->count; ++i) {
        real x = dot(n, b->corner[i]);
        if (x > most) most = x, best = i;
    }
    set(out, b->corner[best]);
}

/* Of an ellipse, or of the image of a ball, about a center. */
static void farthest_of_round(const real center[3], const real *half, int axes, const real n[3], real r,
                              real out[3]) {
    real q[3] = {0, 0, 0};
    for (int k = 0; k < axes; ++k) q[k] = dot(n, half + 3 * k);
    make_unit(q);
    set(out, center);
    for (int k = 0; k < axes; ++k) along(out, half + 3 * k, q[k] * r);
}

/* The farther of two ends. */
static void farthest_end(const truth_body *b, const real n[3], real out[3]) {
    real end[2][3] = {{0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < b->count; ++k) {
        if (b->kind == TRUTH_RIMS)
            farthest_of_round(b->corner[k], &b->rim[k][0][0], 2, n, 1, end[k]);
        else
            farthest_of_round(b->corner[k], &b->half[0][0], 3, n, b->r[k], end[k]);
    }
    set(out, b->count < 2 || dot(n, end[0]) >= dot(n, end[1]) ? end[0] : end[1]);
}

void truth_farthest(const truth_body *b, const real n[3], real out[3]) {
    if (b->kind == TRUTH_RIMS || b->kind == TRUTH_BALLS) {
        farthest_end(b, n, out);
    } else if (b->kind == TRUTH_POINTS) {
        farthest_corner(b, n, out);
    } else if (b->kind == TRUTH_BALL) {
        real q[3];
        for (int k = 0; k < 3; ++k) q[k] = dot(n, b->half[k]);
        make_unit(q);
        set(out, b->middle);
        for (int k = 0; k < 3; ++k) along(out, b->half[k], q[k]);
    } else {
        real side[3], end[2][3];
        set(side, n);
        along(side, b->half[0], -dot(n, b->half[0]));
        if (length(side) <=
            16 * LDBL_EPSILON * length(n)) { /* along the axis: any point of the end is as far */
            memset(side, 0, sizeof side);
        } else {
            make_unit(side);
            along(side, b->half[0], -dot(side, b->half[0]));
            make_unit(side);
        }
        for (int k = 0; k < 2; ++k) {
            set(end[k], b->corner[k]);
            along(end[k], side, b->r[k]);
        }
        set(out, dot(n, end[0]) >= dot(n, end[1]) ? end[0] : end[1]);
    }
}

/* The point of B - A that is least along n; how far that is. */
static real least(const truth_body *a, const truth_body *b, const real n[3], real w[3]) {
    real back[3] = {-n[0], -n[1], -n[2]}, p[3];
    truth_farthest(b, back, w);
    truth_farthest(a, n, p);
    along(w, p, -1);
    return dot(n, w);
}

/* ---- the search: cells of the six faces of a cube, seen from its middle ---- */

typedef struct cell {
    real u, v, h, upper;
    int face;
} cell;

enum { CELLS = 1 << 15 };
static cell heap[CELLS];
static int heap_count;

static void heap_push(cell c) {
    int i = heap_count++;
    for (; i > 0 && heap[(i - 1) / 2].upper < c.upper; i = (i - 1) / 2) heap[i] = heap[(i - 1) / 2];
    heap[i] = c;
}

static cell heap_pop(void) {
    cell top = heap[0], last = heap[--heap_count];
    int i = 0;
    for (int child; (child = 2 * i + 1) < heap_count; i = child) {
        if (child + 1 < heap_count && heap[child + 1].upper > heap[child].upper) ++child;
        if (heap[child].upper <= last.upper) break;
        heap[i] = heap[child];
    }
    heap[i] = last;
    return top;
}

/* The direction of the cell at u + i h, v + j h. */
static void cell_direction(const cell *c, real i, real j, real n[3]) {
    int k = c->face / 2;
    n[k] = c->face & 1 ? 1 : -1;
    n[(k + 1) % 3] = c->u + i * c->h;
    n[(k + 2) % 3] = c->v + j * c->h;
    make_unit(n);
}

/* No n of the cell has an n . w above this. In the plane that touches the sphere at the middle n . w is linear, so greatest at a
 * corner, and nothing of the cell is longer there than its farthest corner. */
static real cell_bound_by(real corner[4][3], const real w[3]) {
    real most = dot(corner[0], w), longest = 1;
    for (int i = 1; i < 4; ++i) most = fmaxl(most, dot(corner[i], w));
    for (int i = 0; i < 4 && most < 0; ++i) longest = fmaxl(longest, length(corner[i]));
    return most / longest;
}

static void try_direction(const truth_body *a, const truth_body *b, const real n[3], real w[3], truth *best) {
    real x = least(a, b, n, w);
    if (x <= best->lower) return;
    best->lower = x;
    set(best->normal, n);
}

/* The same of mixtures of the points of B - A that are least at the middle and at the corners: of those that lead along the middle
 * as near as these allow, one after another. */
static real cell_bound(const cell *c, const truth_body *a, const truth_body *b, truth *best) {
    real n[3], corner[4][3], w[3], tip[4][3], mixed[3], bound, x;
    cell_direction(c, 0, 0, n);
    try_direction(a, b, n, w, best);
    for (int i = 0; i < 4; ++i) {
        cell_direction(c, i & 1 ? 1 : -1, i & 2 ? 1 : -1, corner[i]);
        x = dot(corner[i], n);
        for (int k = 0; k < 3; ++k) corner[i][k] /= x;
    }
    bound = cell_bound_by(corner, w);
    if (bound <= best->lower) return bound;
    for (int i = 0; i < 4; ++i) least(a, b, corner[i], tip[i]);
    for (int i = 0; i < 12; ++i) {
        real d[3], e[3], dd, t;
        from_to(w, tip[i % 4], d);
        set(e, d);
        along(e, n, -dot(d, n));
        dd = dot(e, e);
        t = dd > 0 ? -dot(w, e) / dd : 0;
        if (!(t > 0)) continue;
        set(mixed, w);
        along(mixed, d, fminl(t, 1));
        x = cell_bound_by(corner, mixed);
        if (x >= bound) continue;
        bound = x;
        set(w, mixed);
    }
    return bound;
}

/* Of the cores. Ends, too, where it is known on which side of `decide` it is, if that is asked for. */
static truth search(const truth_body *a, const truth_body *b, const real *seed, real tolerance, int tries,
                    const real *decide) {
    truth t;
    real w[3], left_out = -HUGE_VALL;
    t.lower = -HUGE_VALL;
    heap_count = 0;
    if (seed) try_direction(a, b, seed, w, &t);
    for (int i = 0; i < 6; ++i) {
        cell c = {0, 0, 1, 0, 0};
        c.face = i;
        c.upper = HUGE_VALL;
        heap_push(c);
    }
    while (heap_count && heap_count + 4 < CELLS && tries > 0 && heap[0].upper > t.lower + tolerance) {
        cell c;
        if (decide && (heap[0].upper <= *decide || t.lower > *decide)) break;
        c = heap_pop();
        for (int i = 0; i < 4; ++i, --tries) {
            cell d = c;
            d.h = c.h / 2;
            d.u += i & 1 ? d.h : -d.h;
            d.v += i & 2 ? d.h : -d.h;
            d.upper = fminl(c.upper, cell_bound(&d, a, b, &t));
            if (d.upper > t.lower + tolerance)
                heap_push(d);
            else
                left_out = fmaxl(left_out, d.upper);
        }
    }
    t.upper = fmaxl(fmaxl(left_out, t.lower), heap_count ? heap[0].upper : t.lower);
    return t;
}

/* From cores to rounded bodies, and back to the caller's units. */
static truth finish(const truth_pair *p, truth t) {
    real radii = p->a.radius + p->b.radius, off = rounding * p->reach;
    t.lower = (t.lower - radii - off) * p->unit;
    t.upper = (t.upper - radii + off) * p->unit;
    return t;
}

truth truth_by_search(const truth_pair *p, const long double seed[3], int tries) {
    return finish(p, search(&p->a, &p->b, seed, fmaxl(1e-16L, rounding) * p->reach, tries, NULL));
}

truth truth_about(const truth_pair *p, const long double seed[3], int tries, long double limit) {
    real decide = limit / p->unit + p->a.radius + p->b.radius;
    return finish(p, search(&p->a, &p->b, seed, fmaxl(1e-16L, rounding) * p->reach, tries, &decide));
}

/* ---- all pairs of features ---- */

typedef struct pairs {
    const truth_body *a, *b;
    truth t; /* lower: along the best direction; upper: of the nearest points */
    real nearest[3];
} pairs;

static void try_both_ways(pairs *s, real n[3]) {
    real w[3];
    if (!make_unit(n)) return;
    for (int i = 0; i < 2; ++i) {
        try_direction(s->a, s->b, n, w, &s->t);
        for (int k = 0; k < 3; ++k) n[k] = -n[k];
    }
}

/* Takes out what of a direction is along a unit vector; again, as the first time leaves its own rounding. */
static void level(real n[3], const real u[3]) {
    for (int i = 0; i < 2; ++i) along(n, u, -dot(n, u));
}

/* Across both. Of edges that are all but parallel the product is mostly rounding: it is made level to the longer one, and to what the other
 * has across that, so that neither lets the bound down by its length. */
static void normal_of(const real d[3], const real e[3], real n[3]) {
    bool longer = dot(d, d) >= dot(e, e);
    real u[3], v[3];
    cross(d, e, n);
    set(u, longer ? d : e);
    set(v, longer ? e : d);
    if (!make_unit(n) || !make_unit(u) || !make_unit(v)) return;
    level(v, u);
    if (!make_unit(v)) return;
    level(v, u);
    level(n, v);
    level(n, u);
}

/* The normals of all planes through three corners. */
static void try_faces(pairs *s, const truth_body *b) {
    for (int i = 0; i < b->count; ++i)
        for (int j = i + 1; j < b->count; ++j)
            for (int k = j + 1; k < b->count; ++k) {
                real e[3], f[3], n[3];
                from_to(b->corner[i], b->corner[j], e);
                from_to(b->corner[i], b->corner[k], f);
                normal_of(e, f, n);
                try_both_ways(s, n);
            }
}

/* From p, of one body, to q, of the other. */
static void try_points(pairs *s, const real p[3], const real q[3], bool swapped) {
    real w[3];
    from_to(p, q, w);
    if (length(w) >= s->t.upper) return;
    s->t.upper = length(w);
    for (int k = 0; k < 3; ++k) s->nearest[k] = swapped ? -w[k] : w[k];
}

/* The points of two edges that are nearest to each other when both are inside of these. */
static void try_inner(pairs *s, const real p[3], const real d[3], const real q[3], const real e[3]) {
    real r[3], x[3], y[3], dd = dot(d, d), ee = dot(e, e), side[3], u, t;
    if (!(dd > 0 && ee > 0)) return;
    from_to(p, q, r);
    set(side, d); /* what of d is perpendicular to e */
    along(side, e, -dot(d, e) / ee);
    along(side, e, -dot(side, e) / ee);
    if (!(dot(side, side) > 0)) return;
    t = fminl(fmaxl(dot(r, side) / dot(side, d), 0), 1);
    set(x, p);
    along(x, d, t);
    from_to(q, x, r);
    u = fminl(fmaxl(dot(r, e) / ee, 0), 1);
    set(y, q);
    along(y, e, u);
    from_to(p, y, r); /* and once more, the other way */
    t = fminl(fmaxl(dot(r, d) / dd, 0), 1);
    set(x, p);
    along(x, d, t);
    try_points(s, x, y, false);
}

static void try_edges(pairs *s, const real p[3], const real p2[3], const real q[3], const real q2[3]) {
    real d[3], e[3], n[3];
    from_to(p, p2, d);
    from_to(q, q2, e);
    normal_of(d, e, n);
    try_both_ways(s, n);
    try_inner(s, p, d, q, e);
}

static void try_end(pairs *s, const real p[3], const real q[3], const real q2[3], bool swapped) {
    real e[3], r[3], x[3], ee;
    from_to(q, q2, e);
    from_to(q, p, r);
    ee = dot(e, e);
    set(x, q);
    if (ee > 0) along(x, e, fminl(fmaxl(dot(r, e) / ee, 0), 1));
    try_points(s, p, x, swapped);
}

/* The foot of p on the plane of three corners when it is between these. */
static void try_foot(pairs *s, const real p[3], const real a[3], const real b[3], const real c[3],
                     bool swapped) {
    real e[3], f[3], r[3], x[3], ee, ff, t, u;
    from_to(a, b, e);
    from_to(a, c, f);
    from_to(a, p, r);
    ee = dot(e, e);
    if (!(ee > 0)) return;
    t = dot(f, e) / ee;
    along(f, e, -t); /* perpendicular to e */
    along(f, e, -dot(f, e) / ee);
    ff = dot(f, f);
    if (!(ff > 0)) return;
    u = dot(r, f) / ff;
    t = dot(r, e) / ee - u * t;
    if (!(u >= 0 && t >= 0 && t + u <= 1)) return;
    from_to(a, c, f);
    set(x, a);
    along(x, e, t);
    along(x, f, u);
    try_points(s, p, x, swapped);
}

static void try_ends(pairs *s, const truth_body *a, const truth_body *b, bool swapped) {
    for (int h = 0; h < a->count; ++h)
        for (int i = 0; i < b->count; ++i)
            for (int j = i; j < b->count; ++j) {
                try_end(s, a->corner[h], b->corner[i], b->corner[j], swapped);
                for (int k = j + 1; k < b->count && j > i; ++k)
                    try_foot(s, a->corner[h], b->corner[i], b->corner[j], b->corner[k], swapped);
            }
}

/* The directions across edges to corners that are the nearest, or as good as that. Where the way is short and the edge long, the way
 * found is across it only but for rounding, which is large beside it: one end of the edge would be farther along than the other. */
static void try_across(pairs *s, const truth_body *a, const truth_body *b, bool swapped) {
    for (int h = 0; h < a->count; ++h)
        for (int i = 0; i < b->count; ++i)
            for (int j = i + 1; j < b->count; ++j) {
                real e[3], w[3], n[3];
                from_to(b->corner[i], b->corner[j], e);
                from_to(a->corner[h], b->corner[i], n);
                if (!make_unit(e)) continue;
                level(n, e);
                if (length(n) > 1.0001L * s->t.upper || !make_unit(n)) continue;
                level(n, e);
                for (int k = 0; k < 3 && swapped; ++k) n[k] = -n[k];
                try_direction(s->a, s->b, n, w, &s->t);
            }
}

/* Is all of B - A in a plane, but for rounding? By its longest edge, that which is farthest off it, and the one farthest off both. */
static bool is_flat(const pairs *s) {
    real e[3] = {0, 0, 0}, n[3] = {0, 0, 0}, d[3], x[3], most = 0;
    for (int round = 0; round < 3; ++round) {
        most = 0;
        for (int side = 0; side < 2; ++side) {
            const truth_body *b = side ? s->b : s->a;
            for (int i = 0; i < b->count; ++i)
                for (int j = i + 1; j < b->count; ++j) {
                    from_to(b->corner[i], b->corner[j], d);
                    cross(e, d, x);
                    if (round == 0 && length(d) > most) most = length(d), set(n, d);
                    if (round == 1 && length(x) > most) most = length(x), set(n, x);
                    if (round == 2) most = fmaxl(most, fabsl(dot(n, d)));
                }
        }
        if (most <= rounding) return true;
        make_unit(n);
        if (round == 0) set(e, n);
    }
    return false;
}

truth truth_by_features(const truth_pair *p) {
    pairs s;
    real w[3];
    s.a = &p->a;
    s.b = &p->b;
    s.t.lower = -HUGE_VALL;
    s.t.upper = HUGE_VALL;
    memset(s.t.normal, 0, sizeof s.t.normal);
    memset(s.nearest, 0, sizeof s.nearest);
    try_faces(&s, s.a);
    try_faces(&s, s.b);
    for (int i = 0; i < s.a->count; ++i)
        for (int j = i + 1; j < s.a->count; ++j)
            for (int k = 0; k < s.b->count; ++k)
                for (int l = k + 1; l < s.b->count; ++l)
                    try_edges(&s, s.a->corner[i], s.a->corner[j], s.b->corner[k], s.b->corner[l]);
    if (s.t.lower < -rounding && !is_flat(&s)) {
        s.t.upper = s.t.lower;
        return finish(p, s.t);
    }
    try_ends(&s, s.a, s.b, false);
    try_ends(&s, s.b, s.a, true);
    try_across(&s, s.a, s.b, false);
    try_across(&s, s.b, s.a, true);
    if (make_unit(s.nearest)) try_direction(s.a, s.b, s.nearest, w, &s.t);
    if (s.t.upper <= rounding) s.t.lower = fmaxl(s.t.lower, -rounding);
    return finish(p, s.t);
}

truth truth_of(const truth_pair *p) {
    bool corners = p->a.kind == TRUTH_POINTS && p->b.kind == TRUTH_POINTS;
    if (corners && p->a.count <= TRUTH_FEW && p->b.count <= TRUTH_FEW) return truth_by_features(p);
    return truth_by_search(p, NULL, 20000);
}

/* ---- asking ---- */

long double truth_along(const truth_pair *p, const double n[3]) {
    real d[3] = {n[0], n[1], n[2]}, w[3];
    make_unit(d);
    return (least(&p->a, &p->b, d, w) - p->a.radius - p->b.radius) * p->unit;
}

/* The point of the core with these coordinates along the half axes, or one scaled or clamped to be in it. */
static real off_axes(const truth_body *b, const real p[3]) {
    real q[3] = {0, 0, 0}, r[3], size = 0;
    from_to(b->middle, p, r);
    for (int round = 0; round < 4; ++round) /* the axes are only nearly perpendicular */
        for (int k = 0; k < 3; ++k) {
            real hh = dot(b->half[k], b->half[k]), t = hh > 0 ? dot(r, b->half[k]) / hh : 0;
            q[k] += t;
            along(r, b->half[k], -t);
        }
    for (int k = 0; k < 3; ++k) size += q[k] * q[k];
    size = fmaxl(sqrtl(size), 1);
    from_to(b->middle, p, r);
    for (int k = 0; k < 3; ++k)
        along(r, b->half[k], -(b->kind == TRUTH_BALL ? q[k] / size : fminl(fmaxl(q[k], -1), 1)));
    return length(r);
}

static real off_frustum(const truth_body *b, const real p[3]) {
    real r[3], e[3], h, t, in, side, at, off;
    from_to(b->corner[0], b->corner[1], e);
    from_to(b->corner[0], p, r);
    h = dot(e, b->half[0]);
    t = dot(r, b->half[0]);
    along(r, b->half[0], -t);
    side = length(r);
    in = fminl(fmaxl(t, 0), h);
    at = h > 0 ? b->r[0] + (b->r[1] - b->r[0]) * in / h : b->r[0];
    off = hypotl(t - in, fmaxl(side - at, 0));
    if (b->r[0] >= b->r[1]) return off;
    at = fminl(side, b->r[1]);
    in = fmaxl(in, h * at / b->r[1]);
    return fminl(off, hypotl(t - in, side - at));
}

/* The nearest of all triangles of three corners. */
static real off_corners(const truth_body *b, const truth_body *at) {
    pairs s;
    s.a = at;
    s.b = b;
    s.t.upper = HUGE_VALL;
    try_ends(&s, at, b, false);
    return s.t.upper;
}

/* Some point of the core is as near as this. */
static real off_core(const truth_body *b, const truth_body *at) {
    if (b->kind == TRUTH_FRUSTUM) return off_frustum(b, at->corner[0]);
    if (b->kind == TRUTH_BALL || b->box) return off_axes(b, at->corner[0]);
    return b->count <= TRUTH_FEW ? off_corners(b, at) : HUGE_VALL;
}

bool truth_holds(const truth_pair *p, const truth_body *body, const double point[3], double margin) {
    static truth_body at;
    real most = (real)margin / p->unit + body->radius + rounding;
    truth t;
    at.kind = TRUTH_POINTS;
    at.count = 1;
    for (int k = 0; k < 3; ++k) at.corner[0][k] = ((real)point[k] - p->origin[k]) / p->unit;
    if (off_core(body, &at) <= most) return true;
    t = search(body, &at, NULL, fmaxl((real)margin / p->unit / 16, rounding), 4000, &most);
    return t.lower <= most;
}

static bool asks_the_user(const truth_pair *p) {
    return sizeof(cd_real) == 4 && (p->a.user || p->b.user);
}

double truth_tolerance(const truth_pair *p, double distance) {
    double size = (double)(fmaxl(p->a.extent, p->b.extent) * p->unit), most = (double)(p->reach * p->unit);
    /* The gap is promised as a part of the largest coordinate: a body may be far out in its own frame, and be led back by the pose. */
    most = fmax(most, p->given);
    for (int k = 0; k < 3; ++k) most = fmax(most, fabs(p->origin[k]));
    return (sizeof(cd_real) == 4 ? 1e-6 : 1e-12) * fmax(size, fabs(distance)) +
           most * (asks_the_user(p) ? 3.814697265625e-6 : 5.684341886080802e-14);
}

/* ---- the judge ---- */

static double size_of(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void doubles(cd_vec3 v, double out[3]) {
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

/* The points: in the bodies, and where the normal leads. `tolerance` is the gap's. */
static bool judge_points(const truth_pair *p, const cd_separation *s, const double n[3], double tolerance) {
    double a[3], b[3], off[3], margin;
    bool held = true;
    doubles(s->a, a);
    doubles(s->b, b);
    margin = tolerance + (size_of(a) + size_of(b)) * 2 * (double)CD_REAL_EPSILON;
    for (int k = 0; k < 3; ++k) off[k] = b[k] - a[k] - (double)s->distance * n[k];
    held = CHECK_NEAR(size_of(off), 0, margin) && held;
    held = CHECK(truth_holds(p, &p->a, a, margin)) && held;
    return CHECK(truth_holds(p, &p->b, b, margin)) && held;
}

bool truth_judge(const truth_pair *p, const cd_separation *s, bool loose) {
    double n[3], distance = (double)s->distance, gap = (double)s->gap, eps = (double)CD_REAL_EPSILON;
    double slack = (double)(p->reach * p->unit) * eps * 2, tolerance = truth_tolerance(p, distance);
    bool held = CHECK(s->status == CD_OK || s->status == CD_NOT_CONVERGED);
    test_note_reals("answered", &s->distance, 11);
    doubles(s->normal, n);
    held = CHECK_NEAR(size_of(n), 1, 4 * eps) && held;
    held = CHECK(isfinite(distance) && gap >= 0 && isfinite(gap)) && held;
    if (!held) return false;
    if (!loose) held = CHECK_INT(s->status, CD_OK) && CHECK_NEAR(gap, 0, tolerance);
    held = CHECK((double)truth_along(p, n) >= distance - fmax(gap, tolerance) - slack) && held;
    return judge_points(p, s, n, fmax(tolerance, gap)) && held;
}

bool truth_judge_against(const truth_pair *p, const cd_separation *s, const truth *t) {
    double rest = (double)(p->reach * p->unit) * 8 * DBL_EPSILON;
    double distance = (double)s->distance, gap = (double)s->gap + rest;
    bool held = CHECK(distance - gap <= (double)t->upper);
    if (!held) CHECK_NEAR(distance, (double)t->upper, gap);
    if (CHECK(distance + gap >= (double)t->lower)) return held;
    return CHECK_NEAR(distance, (double)t->lower, gap) && held;
}
