/* Rays, segments and lines against every shape, with every option, by one reference: where the line is inside the shape, found
 * by bisection, and what query/hit.h says that the options make of it. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

typedef long double real;

/* ---- shapes ---- */

typedef enum shape_kind {
    SPHERE,
    AABB,
    OBB,
    SLABS,
    KDOP,
    CAPSULE,
    LOZENGE,
    CYLINDER,
    CONE,
    ELLIPSOID,
    ZONOTOPE,
    SHAPES
} shape_kind;

static const char *const shape_names[SHAPES] = {"sphere", "aabb",      "obb",     "slabs",
                                                "kdop",   "capsule",   "lozenge", "cylinder",
                                                "cone",   "ellipsoid", "zonotope"};

typedef struct subject {
    shape_kind kind;
    cd_sphere sphere;
    cd_aabb aabb;
    cd_obb obb;
    cd_slab slabs[4];
    cd_kdop dop;
    cd_kdop_set set;
    cd_capsule capsule;
    cd_lozenge lozenge;
    cd_cylinder cylinder;
    cd_cone cone;
    cd_ellipsoid ellipsoid;
    cd_zonotope zonotope;
    cd_vec3 generators[3];
    cd_vec3 center;
    double reach; /* the shape is within this of its centre */
} subject;

static void wide(cd_vec3 v, real out[3]) {
    out[0] = (real)v.x;
    out[1] = (real)v.y;
    out[2] = (real)v.z;
}

static real dot(const real *a, const real *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void between(cd_vec3 from, cd_vec3 to, real out[3]) {
    real a[3], b[3];
    wide(from, a);
    wide(to, b);
    for (int k = 0; k < 3; ++k) out[k] = b[k] - a[k];
}

static real larger(real a, real b) {
    return a > b ? a : b;
}

static real clamped(real x) {
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

/* ---- how far a point is outside: convex, negative inside, and there the way to the surface (but of ellipsoids) ---- */

static real outside_box(const real q[3], const real half[3]) {
    real most = fabsl(q[0]) - half[0];
    for (int k = 1; k < 3; ++k) most = larger(most, fabsl(q[k]) - half[k]);
    return most;
}

static void in_frame(const cd_mat3 *axes, const real q[3], real out[3]) {
    for (int k = 0; k < 3; ++k) {
        real axis[3];
        wide(axes->col[k], axis);
        out[k] = dot(axis, q);
    }
}

static real outside_slab(cd_vec3 n, real lo, real hi, const real p[3]) {
    real w[3], length, height;
    wide(n, w);
    length = sqrtl(dot(w, w));
    height = dot(w, p);
    return larger(height - hi, lo - height) / length;
}

/* The distance to a + s e + t f with s and t in [0, 1], e and f perpendicular or zero. */
static real to_rectangle(const real q[3], const real e[3], const real f[3]) {
    real ee = dot(e, e), ff = dot(f, f), away[3];
    real s = ee > 0 ? clamped(dot(q, e) / ee) : 0, t = ff > 0 ? clamped(dot(q, f) / ff) : 0;
    for (int k = 0; k < 3; ++k) away[k] = q[k] - s * e[k] - t * f[k];
    return sqrtl(dot(away, away));
}

static real outside_swept(const subject *s, const real p[3]) {
    static const real none[3] = {0, 0, 0};
    cd_vec3 a = s->kind == CAPSULE ? s->capsule.a : s->lozenge.a;
    real q[3], e[3], f[3];
    wide(a, q);
    for (int k = 0; k < 3; ++k) q[k] = p[k] - q[k];
    if (s->kind == CAPSULE) {
        between(a, s->capsule.b, e);
        return to_rectangle(q, e, none) - (real)s->capsule.radius;
    }
    wide(s->lozenge.edge[0], e);
    wide(s->lozenge.edge[1], f);
    return to_rectangle(q, e, f) - (real)s->lozenge.radius;
}

static real outside_round(const subject *s, const real p[3]) {
    bool cone = s->kind == CONE;
    cd_vec3 from = cone ? s->cone.apex : s->cylinder.a, to = cone ? s->cone.base : s->cylinder.b;
    real u[3], q[3], h, r = (real)(cone ? s->cone.radius : s->cylinder.radius), x, y;
    between(from, to, u);
    wide(from, q);
    for (int k = 0; k < 3; ++k) q[k] = p[k] - q[k];
    h = sqrtl(dot(u, u));
    for (int k = 0; k < 3; ++k) u[k] /= h;
    x = dot(q, u);
    for (int k = 0; k < 3; ++k) q[k] -= x * u[k];
    y = sqrtl(dot(q, q));
    if (cone) return larger((y * h - r * x) / sqrtl(h * h + r * r), x - h);
    return larger(y - r, larger(x - h, -x));
}

static real outside_zonotope(const subject *s, const real q[3]) {
    real g[3][3], n[3], most = 0, length, reach;
    for (int k = 0; k < 3; ++k) wide(s->generators[k], g[k]);
    for (int i = 0; i < 3; ++i) {
        const real *a = g[(i + 1) % 3], *b = g[(i + 2) % 3];
        for (int k = 0; k < 3; ++k) n[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
        length = sqrtl(dot(n, n));
        reach = (fabsl(dot(n, q)) - fabsl(dot(n, g[i]))) / length;
        most = i ? larger(most, reach) : reach;
    }
    return most;
}

static real outside(const subject *s, const real p[3]) {
    real q[3], y[3], half[3], most;
    wide(s->center, q);
    for (int k = 0; k < 3; ++k) q[k] = p[k] - q[k];
    switch (s->kind) {
    case SPHERE: return sqrtl(dot(q, q)) - (real)s->sphere.radius;
    case AABB:
        most = outside_slab(cd_vec3_make(1, 0, 0), (real)s->aabb.min.x, (real)s->aabb.max.x, p);
        most = larger(most, outside_slab(cd_vec3_make(0, 1, 0), (real)s->aabb.min.y, (real)s->aabb.max.y, p));
        return larger(most, outside_slab(cd_vec3_make(0, 0, 1), (real)s->aabb.min.z, (real)s->aabb.max.z, p));
    case OBB:
        wide(s->obb.half, half);
        in_frame(&s->obb.axes, q, y);
        return outside_box(y, half);
    case SLABS:
        most = outside_slab(s->slabs[0].n, (real)s->slabs[0].min, (real)s->slabs[0].max, p);
        for (int k = 1; k < 4; ++k)
            most = larger(most, outside_slab(s->slabs[k].n, (real)s->slabs[k].min, (real)s->slabs[k].max, p));
        return most;
    case KDOP:
        most = outside_slab(s->set.axis[0], (real)s->dop.min[0], (real)s->dop.max[0], p);
        for (uint32_t k = 1; k < s->set.count; ++k)
            most = larger(most, outside_slab(s->set.axis[k], (real)s->dop.min[k], (real)s->dop.max[k], p));
        return most;
    case ELLIPSOID:
        wide(s->ellipsoid.half, half);
        in_frame(&s->ellipsoid.axes, q, y);
        most = half[0] < half[1] ? half[0] : half[1];
        most = most < half[2] ? most : half[2];
        for (int k = 0; k < 3; ++k) y[k] /= half[k];
        return (sqrtl(dot(y, y)) - 1) * most;
    case ZONOTOPE: return outside_zonotope(s, q);
    case CAPSULE:
    case LOZENGE: return outside_swept(s, p);
    default: return outside_round(s, p);
    }
}

/* ---- drawing ---- */

/* Of the grid or even, at a scale; never two of them the same by intent. */
typedef struct place {
    test_rng *rng;
    bool grid;
    double scale;
} place;

static cd_vec3 draw_vector(const place *g) {
    cd_vec3 v;
    for (int k = 0; k < 3; ++k) {
        double x = g->grid ? (double)test_int(g->rng, -3, 3) : test_range(g->rng, -3, 3);
        REALS(v)[k] = (cd_real)(x * g->scale);
    }
    return v;
}

static cd_real draw_length(const place *g) {
    return (cd_real)((g->grid ? (double)test_int(g->rng, 1, 3) : test_range(g->rng, 0.05, 3)) * g->scale);
}

static cd_vec3 draw_lengths(const place *g) {
    cd_vec3 v;
    for (int k = 0; k < 3; ++k) REALS(v)[k] = draw_length(g);
    return v;
}

/* Two perpendicular edges, without rounding. */
static void draw_edges(const place *g, cd_vec3 edge[2]) {
    int p = test_int(g->rng, 1, 3), q = test_int(g->rng, -3, 3), axis = test_int(g->rng, 0, 2);
    double s = g->scale / 2, t = g->scale * test_int(g->rng, 1, 3) / 4;
    edge[0] = edge[1] = cd_vec3_make(0, 0, 0);
    REALS(edge[0])[axis] = (cd_real)(p * s);
    REALS(edge[0])[(axis + 1) % 3] = (cd_real)(q * s);
    REALS(edge[1])[axis] = (cd_real)(-q * t);
    REALS(edge[1])[(axis + 1) % 3] = (cd_real)(p * t);
}

static void draw_slabs(const place *g, subject *s) {
    for (int k = 0; k < 4; ++k) {
        cd_slab *slab = &s->slabs[k];
        real n[3], c[3];
        double height, half = (double)draw_length(g);
        for (int i = 0; i < 3; ++i) REALS(slab->n)[i] = (cd_real)test_int(g->rng, -1, 1);
        if (k < 3) REALS(slab->n)[k] = (cd_real)test_int(g->rng, 3, 4); /* the first three bound a body */
        wide(slab->n, n);
        wide(s->center, c);
        if (dot(n, n) == 0) slab->n.x = 1;
        wide(slab->n, n);
        height = (double)dot(n, c);
        slab->min = (cd_real)(height - half);
        slab->max = (cd_real)(height + half);
    }
}

static void draw_kdop(const place *g, subject *s) {
    s->set = cd_kdop_set_standard(test_int(g->rng, 0, 1) ? 14 : 18);
    s->dop.count = s->set.count;
    for (uint32_t k = 0; k < s->set.count; ++k) {
        real n[3], c[3];
        double height;
        wide(s->set.axis[k], n);
        wide(s->center, c);
        height = (double)dot(n, c);
        s->dop.min[k] = (cd_real)(height - (double)draw_length(g));
        s->dop.max[k] = (cd_real)(height + (double)draw_length(g));
    }
}

static void draw_axis(const place *g, cd_vec3 from, cd_vec3 *to) {
    do {
        *to = draw_vector(g);
        if (!test_int(g->rng, 0, 2)) REALS(*to)[test_int(g->rng, 0, 2)] = REALS(from)[0];
    } while (cd_vec3_dist(*to, from) < (cd_real)(0.05 * g->scale));
}

static subject draw_subject(const place *g, shape_kind kind) {
    subject s;
    cd_vec3 to, edges[2];
    cd_transform pose = gen_pose(g->rng, g->scale);
    memset(&s, 0, sizeof s);
    s.kind = kind;
    s.center = draw_vector(g);
    draw_axis(g, s.center, &to);
    draw_edges(g, edges);
    s.sphere.center = s.center;
    s.sphere.radius = draw_length(g);
    s.aabb.min = s.center;
    s.aabb.max = cd_vec3_add(s.center, draw_lengths(g));
    s.obb.center = s.center;
    s.obb.half = draw_lengths(g);
    s.obb.axes = cd_quat_to_mat3(pose.rotation);
    if (g->grid) s.obb.axes = cd_mat3_identity();
    draw_slabs(g, &s);
    draw_kdop(g, &s);
    s.capsule.a = s.lozenge.a = s.center;
    s.capsule.b = to;
    s.lozenge.edge[0] = edges[0];
    s.lozenge.edge[1] = edges[1];
    s.capsule.radius = s.lozenge.radius = draw_length(g);
    s.cylinder.a = s.cone.apex = s.center;
    s.cylinder.b = s.cone.base = to;
    s.cylinder.radius = s.cone.radius = draw_length(g);
    s.ellipsoid.center = s.center;
    s.ellipsoid.half = s.obb.half;
    s.ellipsoid.axes = s.obb.axes;
    for (int k = 0; k < 3; ++k) {
        s.generators[k] = cd_vec3_make(0, 0, 0);
        for (int i = 0; i < 3; ++i)
            REALS(s.generators[k])[i] = (cd_real)(test_int(g->rng, -1, 1) * g->scale / 4);
        REALS(s.generators[k])[k] = draw_length(g);
    }
    s.zonotope.center = s.center;
    s.zonotope.count = 3;
    s.reach = 40 * g->scale;
    return s;
}

static bool degenerate(const subject *s) {
    real a[3], b[3], c[3];
    if (s->kind != ZONOTOPE) return false;
    wide(s->generators[0], a);
    wide(s->generators[1], b);
    wide(s->generators[2], c);
    return fabsl(a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                 a[2] * (b[0] * c[1] - b[1] * c[0])) < 1e-3L * fabsl(a[0] * b[1] * c[2]);
}

/* ---- where a line is inside ---- */

typedef struct span {
    bool meets;
    real in, out;
} span;

typedef struct way {
    real o[3], d[3];
} way;

static real outside_at(const subject *s, const way *w, real t) {
    real p[3];
    for (int k = 0; k < 3; ++k) p[k] = w->o[k] + t * w->d[k];
    return outside(s, p);
}

/* The last t from `inside` towards `beyond` at which the point is no farther outside than `level`. */
static real crossing(const subject *s, const way *w, real inside, real beyond, real level) {
    for (int i = 0; i < 70; ++i) {
        real middle = (inside + beyond) / 2;
        if (outside_at(s, w, middle) <= level)
            inside = middle;
        else
            beyond = middle;
    }
    return inside;
}

/* The deepest point, by thirds. */
static real deepest(const subject *s, const way *w, real lo, real hi) {
    for (int i = 0; i < 110; ++i) {
        real a = lo + (hi - lo) / 3, b = hi - (hi - lo) / 3;
        if (outside_at(s, w, a) <= outside_at(s, w, b))
            hi = b;
        else
            lo = a;
    }
    return (lo + hi) / 2;
}

/* The spans in the shape grown and shrunk by `noise`: the truth is between them. */
static void find_spans(const subject *s, const way *w, real noise, span *grown, span *shrunk) {
    real c[3], dd = dot(w->d, w->d), middle, reach, best, at;
    wide(s->center, c);
    for (int k = 0; k < 3; ++k) c[k] -= w->o[k];
    if (dd == 0) {
        at = outside(s, w->o);
        grown->in = shrunk->in = -INFINITY;
        grown->out = shrunk->out = INFINITY;
        grown->meets = at <= noise;
        shrunk->meets = at <= -noise;
        return;
    }
    middle = dot(c, w->d) / dd;
    reach = (real)s->reach / sqrtl(dd);
    best = deepest(s, w, middle - reach, middle + reach);
    at = outside_at(s, w, best);
    grown->meets = at <= noise;
    shrunk->meets = at <= -noise;
    if (grown->meets) {
        grown->in = crossing(s, w, best, middle - reach, noise);
        grown->out = crossing(s, w, best, middle + reach, noise);
    }
    if (shrunk->meets) {
        shrunk->in = crossing(s, w, best, middle - reach, -noise);
        shrunk->out = crossing(s, w, best, middle + reach, -noise);
    }
}

/* ---- casts ---- */

typedef enum cast_kind { RAY, SEGMENT, LINE, CASTS } cast_kind;

static const char *const cast_names[CASTS] = {"ray", "segment", "line"};

typedef struct question {
    cast_kind kind;
    cd_ray ray;
    cd_segment segment;
    cd_line line;
    cd_real t_max;
    cd_cast_options options;
} question;

#define CAST_ONE(name, ...)                                                                                    \
    (q->kind == RAY       ? ASK("judge", cd_cast_ray_##name(&q->ray, q->t_max, __VA_ARGS__, &q->options, hit)) \
     : q->kind == SEGMENT ? ASK("judge", cd_cast_segment_##name(&q->segment, __VA_ARGS__, &q->options, hit))   \
                          : ASK("judge", cd_cast_line_##name(&q->line, __VA_ARGS__, &q->options, hit)))

static bool cast(const question *q, const subject *s, cd_hit *hit) {
    cd_zonotope z = s->zonotope;
    z.generators = s->generators;
    switch (s->kind) {
    case SPHERE: return CAST_ONE(sphere, s->sphere);
    case AABB: return CAST_ONE(aabb, s->aabb);
    case OBB: return CAST_ONE(obb, &s->obb);
    case SLABS: return CAST_ONE(slabs, s->slabs, 4);
    case KDOP: return CAST_ONE(kdop, &s->dop, &s->set);
    case CAPSULE: return CAST_ONE(capsule, &s->capsule);
    case LOZENGE: return CAST_ONE(lozenge, &s->lozenge);
    case CYLINDER: return CAST_ONE(cylinder, &s->cylinder);
    case CONE: return CAST_ONE(cone, &s->cone);
    case ELLIPSOID: return CAST_ONE(ellipsoid, &s->ellipsoid);
    default: return CAST_ONE(zonotope, &z);
    }
}

/* ---- what the options make of a span ---- */

/* BEYOND and PASSED_BY are no hits either, but for another reason. */
typedef enum outcome { NOTHING, ENTERS, LEAVES, BEGINS, BEYOND, PASSED_BY, OUTCOMES } outcome;

static outcome judge(const question *q, const span *s) {
    real from = q->kind == LINE ? -INFINITY : (real)q->options.t_min, to = q->kind == SEGMENT ? 1
                                                                           : q->kind == LINE  ? INFINITY
                                                                                             : (real)q->t_max;
    uint32_t flags = q->options.flags;
    if (q->kind == SEGMENT && from < 0) from = 0;
    if (!s->meets || s->out < from || s->in > to) return NOTHING;
    if (flags & CD_CAST_CULL_FRONT)
        return flags & CD_CAST_CULL_BACK ? PASSED_BY : s->out > to ? BEYOND : LEAVES;
    if (s->in > from) return ENTERS;
    return flags & CD_CAST_START_IGNORE ? PASSED_BY : BEGINS;
}

typedef struct scene {
    subject s;
    question q;
    way w;
    span grown, shrunk;
    double noise, size, speed; /* of t: 1 / |d| */
} scene;

static double from_of(const scene *x) {
    double from = (double)x->q.options.t_min;
    return x->q.kind == SEGMENT && from < 0 ? 0 : from;
}

/* How far a point is outside after a step along a direction. */
static real after_step(const scene *x, cd_vec3 p, cd_vec3 n, double step) {
    real q[3], m[3];
    wide(p, q);
    wide(n, m);
    for (int k = 0; k < 3; ++k) q[k] += (real)step * m[k];
    return outside(&x->s, q);
}

/* The normal leads out of the surface at once: by a step of it, a point of the surface is outside by as much. */
static void check_outward(const scene *x, cd_vec3 p, cd_vec3 n, double room) {
    double step = 0.01 * x->size / (1 + (x->size > 10 ? x->size : 0)), least = 0.9 * step;
    if (x->s.kind == ELLIPSOID) least = 0;
    if (x->s.kind == CONE && cd_vec3_dist(p, x->s.cone.apex) < (cd_real)0.01) least = 0;
    CHECK((double)after_step(x, p, n, step) >= least - room);
}

static void check_start(const scene *x, const cd_hit *h, double room) {
    double d[3] = {(double)x->w.d[0], (double)x->w.d[1], (double)x->w.d[2]};
    cd_vec3 inward, at;
    CHECK_SAME(h->t, (cd_real)from_of(x));
    CHECK_INT(h->flags, CD_HIT_START);
    for (int k = 0; k < 3; ++k) REALS(at)[k] = (cd_real)(x->w.o[k] + (real)from_of(x) * x->w.d[k]);
    CHECK_VEC(h->point, at, room);
    if (!(x->q.options.flags & CD_CAST_START_DEPTH)) {
        double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        CHECK(h->depth == 0);
        if (length > 0)
            CHECK_VEC(
                h->normal,
                cd_vec3_make((cd_real)(-d[0] / length), (cd_real)(-d[1] / length), (cd_real)(-d[2] / length)),
                4 * EPS);
        return;
    }
    inward = cd_vec3_along(h->point, h->normal, h->depth);
    CHECK(h->depth >= 0);
    CHECK_NEAR(after_step(x, inward, h->normal, 0), 0, 4 * room); /* the way out ends on the surface */
    if (x->s.kind != ELLIPSOID)
        CHECK_NEAR(h->depth, -(double)after_step(x, h->point, h->normal, 0), 4 * room);
    if ((double)h->depth > 0.01 * x->size) check_outward(x, inward, h->normal, 4 * room);
}

static void check_hit(const scene *x, outcome want, const cd_hit *h) {
    double t = (double)h->t, reach = EPS * fabs(t) + 1e-44, room, d[3], slope;
    bool enters = want == ENTERS;
    cd_vec3 p;
    for (int k = 0; k < 3; ++k) d[k] = (double)x->w.d[k];
    room = 8 * EPS * x->size + 64 * x->noise;
    CHECK(h->index == 0 && h->u == 0 && h->v == 0);
    CHECK_NEAR(cd_vec3_length(h->normal), 1, 4 * EPS);
    if (want == BEGINS) {
        check_start(x, h, room);
        return;
    }
    CHECK_INT(h->flags, enters ? 0 : CD_HIT_BACK);
    CHECK(h->depth == 0);
    CHECK(t >= (double)(enters ? x->grown.in : x->shrunk.out) - reach);
    CHECK(t <= (double)(enters ? x->shrunk.in : x->grown.out) + reach);
    for (int k = 0; k < 3; ++k) REALS(p)[k] = (cd_real)(x->w.o[k] + (real)t * x->w.d[k]);
    CHECK_VEC(h->point, p,
              room + 2 * EPS * fabs(t) / x->speed +
                  (double)(enters ? x->shrunk.in - x->grown.in : x->grown.out - x->shrunk.out) / x->speed);
    CHECK_NEAR(after_step(x, h->point, h->normal, 0), 0, room);
    slope = (double)h->normal.x * d[0] + (double)h->normal.y * d[1] + (double)h->normal.z * d[2];
    CHECK(slope * x->speed <= 4 * EPS + 1e-9 + sqrt(64 * x->noise / x->size));
    check_outward(x, h->point, enters ? h->normal : cd_vec3_neg(h->normal), 4 * room);
}

/* Does the start lead out through the nearest surface, or along it (1), in (-1), or is it hard to say (0)? */
static int leads_out(const scene *x) {
    question q = x->q;
    cd_hit h;
    double speed = 0;
    q.options.flags = CD_CAST_START_DEPTH;
    if (!cast(&q, &x->s, &h)) return 0;
    for (int k = 0; k < 3; ++k) speed += (double)REALS(h.normal)[k] * (double)x->w.d[k] * x->speed;
    return speed > 1e-3 ? 1 : speed < -1e-3 ? -1 : 0;
}

static void check_options(scene *x, long *seen) {
    for (uint32_t flags = 0; flags < 32; ++flags) {
        outcome want, other;
        cd_hit h;
        bool got;
        x->q.options.flags = flags;
        want = judge(&x->q, &x->grown);
        other = judge(&x->q, &x->shrunk);
        if (want != other) continue; /* too close to call */
        if (want == BEGINS && (flags & CD_CAST_START_LEAVING)) {
            int out = leads_out(x);
            x->q.options.flags = flags;
            if (out == 0) continue;
            if (out > 0) want = PASSED_BY;
        }
        memset(&h, 0, sizeof h);
        h.index = 77;
        ++seen[want];
        if (want > BEGINS) want = NOTHING;
        got = cast(&x->q, &x->s, &h);
        test_note("%s of %s, flags %u, t_min %g", cast_names[x->q.kind], shape_names[x->s.kind], flags,
                  (double)x->q.options.t_min);
        test_note_reals("ray", REALS(x->q.ray), 6);
        test_note_reals("t_max", &x->q.t_max, 1);
        if (x->q.kind == SEGMENT) test_note_reals("segment", REALS(x->q.segment), 6);
        test_note_reals("center, sphere, aabb, obb, slabs", REALS(x->s.sphere), 4 + 6 + 15 + 20);
        CHECK_INT(got, want != NOTHING);
        if (!got) CHECK_INT(h.index, 77);
        if (got && want != NOTHING) check_hit(x, want, &h);
    }
}

/* A point to begin at or to aim for: anywhere, inside, on a face or edge up to rounding, far away. */
static cd_vec3 draw_point(const place *g, const subject *s) {
    cd_vec3 p = draw_vector(g), q = cd_vec3_add(s->center, draw_vector(g));
    switch (test_int(g->rng, 0, 6)) {
    case 0: return s->center;
    case 1: return q;
    case 2: return cd_vec3_lerp(s->center, q, (cd_real)0.125);
    case 3: return cd_vec3_lerp(s->center, q, 100);
    case 4: return s->kind == AABB ? s->aabb.max : s->kind == CONE ? s->cone.base : p;
    case 5: REALS(p)[test_int(g->rng, 0, 2)] = REALS(s->center)[0]; return p;
    default: return p;
    }
}

/* A point inside, as far as it has any. */
static cd_vec3 middle_of(const subject *s) {
    if (s->kind == AABB) return cd_vec3_lerp(s->aabb.min, s->aabb.max, (cd_real)0.5);
    if (s->kind == CYLINDER) return cd_vec3_lerp(s->cylinder.a, s->cylinder.b, (cd_real)0.5);
    if (s->kind == CONE) return cd_vec3_lerp(s->cone.apex, s->cone.base, (cd_real)0.75);
    return s->center;
}

typedef enum aim { AIM_ANYWHERE, AIM_AT_IT, AIM_FROM_WITHIN } aim;

static void draw_question(const place *g, scene *x, aim aim) {
    cd_vec3 from = draw_point(g, &x->s), to = draw_point(g, &x->s), dir;
    double stretch = test_int(g->rng, 0, 1) ? 1.0 : ldexp(1.0, test_int(g->rng, -50, 50)), dd = 0;
    if (aim == AIM_AT_IT) to = cd_vec3_lerp(middle_of(&x->s), to, (cd_real)0.015625);
    if (aim == AIM_FROM_WITHIN) from = cd_vec3_lerp(middle_of(&x->s), from, (cd_real)0.015625);
    dir = cd_vec3_sub(to, from);
    if (aim == AIM_AT_IT && test_int(g->rng, 0, 3)) dir = cd_vec3_scale(dir, 4);
    if (!test_int(g->rng, 0, 4)) REALS(dir)[test_int(g->rng, 0, 2)] = 0;
    if (!test_int(g->rng, 0, 6)) REALS(dir)[test_int(g->rng, 0, 2)] = 0;
    if (!test_int(g->rng, 0, 20)) dir = cd_vec3_make(0, 0, 0);
    x->q.segment.a = from;
    x->q.segment.b = cd_vec3_add(from, dir);
    x->q.ray.origin = x->q.line.origin = from;
    x->q.ray.dir = x->q.line.dir = cd_vec3_scale(dir, (cd_real)stretch);
    x->q.t_max = test_int(g->rng, 0, 1) ? CD_REAL_MAX : (cd_real)(test_range(g->rng, 0, 3) / stretch);
    x->q.options.t_min = 0;
    x->q.kind = (cast_kind)test_int(g->rng, 0, CASTS - 1);
    if (aim == AIM_FROM_WITHIN && x->q.kind == LINE) x->q.kind = RAY; /* lines begin nowhere */
    if (!test_int(g->rng, 0, 2)) {
        double t = test_range(g->rng, -1, 1);
        if (x->q.kind == RAY) t /= stretch;
        if (x->q.kind == RAY && !(t <= (double)x->q.t_max)) t = 0;
        x->q.options.t_min = (cd_real)t;
    }
    wide(from, x->w.o);
    wide(x->q.ray.dir, x->w.d);
    if (x->q.kind == SEGMENT) between(x->q.segment.a, x->q.segment.b, x->w.d);
    for (int k = 0; k < 3; ++k) dd += (double)(x->w.d[k] * x->w.d[k]);
    x->speed = dd > 0 ? 1 / sqrt(dd) : 1;
}

static void measure(scene *x) {
    real way_to[3];
    double far_off;
    between(x->q.ray.origin, x->s.center, way_to);
    far_off = (double)sqrtl(dot(way_to, way_to));
    x->size = far_off + (double)cd_vec3_length(x->s.center) + (double)cd_vec3_length(x->q.ray.origin) +
              x->s.reach / 10;
    x->noise = 16 * 2.3e-16 * x->size;
    if (x->s.kind == ELLIPSOID) x->noise += 4 * EPS * x->size; /* its axes are not quite perpendicular */
}

static void check_shape(shape_kind kind) {
    test_rng rng = test_random();
    long seen[OUTCOMES] = {0, 0, 0, 0, 0, 0};
    for (long i = 0, questions = test_times(400); i < questions;) {
        place g;
        scene x;
        g.rng = &rng;
        g.grid = test_int(&rng, 0, 1) == 1;
        g.scale = test_int(&rng, 0, 1) ? 1.0 : ldexp(1.0, test_int(&rng, -12, 12));
        x.s = draw_subject(&g, kind);
        if (degenerate(&x.s)) continue;
        ++i;
        memset(&x.q, 0, sizeof x.q);
        draw_question(&g, &x, (aim)(i % 3));
        measure(&x);
        if (x.q.kind == LINE && x.speed == 1 && dot(x.w.d, x.w.d) == 0) {
            cd_hit h;
            CHECK(!cast(&x.q, &x.s, &h));
            continue;
        }
        find_spans(&x.s, &x.w, (real)x.noise, &x.grown, &x.shrunk);
        check_options(&x, seen);
    }
    for (int k = 0; k <= BEGINS; ++k) CHECK_SEEN(seen[k] > 0);
}

static void spheres(void) {
    check_shape(SPHERE);
}
static void boxes(void) {
    check_shape(AABB);
}
static void oriented_boxes(void) {
    check_shape(OBB);
}
static void slab_volumes(void) {
    check_shape(SLABS);
}
static void kdops(void) {
    check_shape(KDOP);
}
static void capsules(void) {
    check_shape(CAPSULE);
}
static void lozenges(void) {
    check_shape(LOZENGE);
}
static void cylinders(void) {
    check_shape(CYLINDER);
}
static void cones(void) {
    check_shape(CONE);
}
static void ellipsoids(void) {
    check_shape(ELLIPSOID);
}
static void zonotopes(void) {
    check_shape(ZONOTOPE);
}

/* ---- shells, which are not convex: the three kinds of cast agree ---- */

/* Directions of whole numbers, so that a segment's is that of the ray. */
static void shells(void) {
    test_rng rng = test_random();
    long hits = 0;
    for (long i = test_times(4000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_GRID);
        cd_spherical_shell s;
        question q;
        cd_vec3 dir = gen_point(&g);
        cd_hit a, b;
        bool got;
        cd_real shift;
        memset(&q, 0, sizeof q);
        s.center = gen_point(&g);
        s.axis = gen_direction(&g);
        s.inner = (cd_real)test_int(&rng, 0, 2);
        s.outer = s.inner + (cd_real)test_int(&rng, 0, 2);
        s.cos_angle = (cd_real)test_int(&rng, -2, 2) / 2;
        q.ray.origin = cd_vec3_scale(gen_point(&g), (cd_real)2);
        if (i % 2) dir = cd_vec3_sub(s.center, q.ray.origin); /* most of these meet it */
        q.ray.dir = dir;
        q.options.flags = (uint32_t)test_int(&rng, 0, 31);
        q.segment.a = q.ray.origin;
        q.segment.b = cd_vec3_add(q.ray.origin, dir);
        shift = test_int(&rng, 0, 1) ? 64 : 0;
        q.line.origin = cd_vec3_along(q.ray.origin, dir, shift);
        q.line.dir = dir;
        test_note("flags %u", q.options.flags);
        test_note_reals("ray", REALS(q.ray), 6);
        test_note_reals("shell", REALS(s), 9);
        memset(&a, 0, sizeof a);
        memset(&b, 0, sizeof b);
        got = ASK("forms", cd_cast_ray_spherical_shell(&q.ray, 1, &s, &q.options, &a));
        CHECK_INT(ASK("forms", cd_cast_segment_spherical_shell(&q.segment, &s, &q.options, &b)), got);
        CHECK(memcmp(&a, &b, sizeof a) == 0);
        hits += got;
        if (dir.x == 0 && dir.y == 0 && dir.z == 0) {
            CHECK(!ASK("forms", cd_cast_line_spherical_shell(&q.line, &s, &q.options, &b)));
            continue;
        }
        q.options.t_min = -64 - shift;
        got = ASK("forms", cd_cast_line_spherical_shell(&q.line, &s, &q.options, &b));
        q.ray.origin = q.line.origin;
        CHECK_INT(ASK("forms", cd_cast_ray_spherical_shell(&q.ray, CD_REAL_MAX, &s, &q.options, &a)), got);
        CHECK(!got || memcmp(&a, &b, sizeof a) == 0);
    }
    CHECK_SEEN(hits > 10);
}

/* ---- boxes and segments, exactly ---- */

typedef struct exact_span {
    bool meets, enters, leaves; /* at a t in (0, 1], in [0, 1] */
    double in, out;
} exact_span;

/* The segment clipped by one slab after the other. */
static exact_span segment_in_box(const double a[3], const double b[3], const double lo[3],
                                 const double hi[3]) {
    ratio zero = ratio_make(exact_from(0), exact_from(1)), one = ratio_make(exact_from(1), exact_from(1)),
          in = zero, out = one;
    bool bounded = false;
    exact_span s;
    memset(&s, 0, sizeof s);
    s.meets = true;
    for (int k = 0; k < 3; ++k) {
        exact d = exact_sub(exact_from(b[k]), exact_from(a[k]));
        ratio first, last;
        if (d.sign == 0) {
            s.meets = s.meets && lo[k] <= a[k] && a[k] <= hi[k];
            continue;
        }
        first = ratio_make(exact_sub(exact_from(d.sign > 0 ? lo[k] : hi[k]), exact_from(a[k])), d);
        last = ratio_make(exact_sub(exact_from(d.sign > 0 ? hi[k] : lo[k]), exact_from(a[k])), d);
        if (!bounded || ratio_compare(first, in) > 0) in = first;
        if (!bounded || ratio_compare(last, out) < 0) out = last;
        bounded = true;
    }
    if (!s.meets || ratio_compare(in, out) > 0 || ratio_compare(out, zero) < 0 ||
        ratio_compare(in, one) > 0) {
        s.meets = false;
        return s;
    }
    s.enters = bounded && ratio_compare(in, zero) > 0;
    s.leaves = bounded && ratio_compare(out, one) <= 0;
    s.in = ratio_to_double(in);
    s.out = ratio_to_double(out);
    return s;
}

/* Ends on faces and a unit in the last place off; along edges; inside; without length. */
static cd_vec3 end_at_box(gen *g, cd_aabb b) {
    cd_vec3 p = gen_point(g);
    for (int k = 0; k < 3; ++k) {
        if (test_int(g->rng, 0, 1)) REALS(p)[k] = test_int(g->rng, 0, 1) ? REALS(b)[k] : REALS(b.max)[k];
        if (!test_int(g->rng, 0, 3)) REALS(p)[k] = gen_near(g->rng, REALS(p)[k]);
    }
    return p;
}

static void check_segment_box(cd_segment s, cd_aabb b, long *hits) {
    double d[12];
    exact_pool pool = exact_begin();
    exact_span want;
    cd_cast_options o;
    cd_hit h;
    to_doubles(REALS(s), d, 6);
    to_doubles(REALS(b), d + 6, 6);
    want = segment_in_box(d, d + 3, d + 6, d + 9);
    exact_end(pool);
    memset(&o, 0, sizeof o);
    test_note("");
    test_note_reals("segment", REALS(s), 6);
    test_note_reals("box", REALS(b), 6);
    CHECK_INT(ASK("exact", cd_cast_segment_aabb(&s, b, &o, &h)), want.meets);
    if (want.meets) {
        ++*hits;
        CHECK_NEAR(h.t, want.enters ? want.in : 0, 4 * EPS * fabs(want.in) + 1e-44);
        CHECK(h.t >= 0 && h.t <= 1);
        CHECK_INT((h.flags & CD_HIT_START) != 0, !want.enters);
        CHECK(cd_test_point_aabb(h.point, b));
    }
    o.flags = CD_CAST_START_IGNORE;
    CHECK_INT(ASK("exact", cd_cast_segment_aabb(&s, b, &o, &h)), want.meets && want.enters);
    o.flags = CD_CAST_CULL_FRONT;
    CHECK_INT(ASK("exact", cd_cast_segment_aabb(&s, b, &o, &h)), want.meets && want.leaves);
    if (want.meets && want.leaves) CHECK_NEAR(h.t, want.out, 4 * EPS * fabs(want.out) + 1e-44);
    o.flags = CD_CAST_CULL_FRONT | CD_CAST_CULL_BACK;
    CHECK(!ASK("exact", cd_cast_segment_aabb(&s, b, &o, &h)));
}

static void segments_against_boxes_exactly(void) {
    test_rng rng = test_random();
    long hits = 0, times = test_times(20000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_aabb b = gen_aabb(&g);
        cd_segment s;
        s.a = end_at_box(&g, b);
        s.b = test_int(&rng, 0, 19) ? end_at_box(&g, b) : s.a;
        check_segment_box(s, b, &hits);
    }
    CHECK_SEEN(hits > times / 10);
}

static void lines_against_boxes_exactly(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_aabb b = gen_aabb(&g);
        cd_line l;
        double d[12];
        oracle_span want;
        cd_hit h;
        bool got;
        l.origin = end_at_box(&g, b);
        l.dir = test_int(&rng, 0, 1) ? gen_direction(&g) : cd_vec3_sub(end_at_box(&g, b), l.origin);
        to_doubles(REALS(l), d, 6);
        to_doubles(REALS(b), d + 6, 6);
        if (d[3] == 0 && d[4] == 0 && d[5] == 0) continue;
        want = oracle_ray_box(d, d + 3, d + 6, d + 9);
        if (fabs(want.t_in) > (double)CD_REAL_MAX) continue;
        test_note("");
        test_note_reals("line", REALS(l), 6);
        test_note_reals("box", REALS(b), 6);
        got = ASK("exact", cd_cast_line_aabb(&l, b, NULL, &h));
        CHECK_INT(got, want.hit_line);
        if (!got) continue;
        CHECK_NEAR(h.t, want.t_in, 4 * EPS * fabs(want.t_in) + 1e-44);
        CHECK_INT(h.flags, 0);
    }
}

/* ---- planes and discs of whole numbers: everything is exact ---- */

static void check_flat(const question *q, bool is_disc, const cd_plane *p, const cd_disc *disc) {
    double n[3], o[3], d[3], height = 0, speed = 0, off = 0, t;
    uint32_t flags = q->options.flags;
    bool start, back, want, tilted = (p->n.x != 0) + (p->n.y != 0) + (p->n.z != 0) > 1;
    cd_hit h, *hit = &h;
    cd_plane plane = *p;
    bool got = is_disc ? CAST_ONE(disc, disc) : CAST_ONE(plane, plane);
    to_doubles(REALS(*p), n, 3);
    to_doubles(REALS(q->ray), o, 3);
    to_doubles(REALS(q->ray.dir), d, 3);
    for (int k = 0; k < 3; ++k) {
        height += n[k] * o[k];
        speed += n[k] * d[k];
    }
    height -= (double)p->d;
    t = speed != 0 ? -height / speed : 0;
    start = height == 0 && q->kind != LINE;
    back = speed > 0 || (speed == 0 && height > 0);
    want = speed != 0 ? q->kind == LINE || (t >= 0 && t <= 1) : start && !is_disc;
    if (start && (flags & (CD_CAST_START_IGNORE | CD_CAST_START_LEAVING))) want = false;
    if (flags & (back ? (uint32_t)CD_CAST_CULL_BACK : (uint32_t)CD_CAST_CULL_FRONT)) want = false;
    for (int k = 0; k < 3; ++k) {
        double away = o[k] + t * d[k] - (double)REALS(disc->center)[k];
        off += away * away;
    }
    if (is_disc && fabs(sqrt(off) - (double)disc->radius) < 1e-9 && (tilted || off != floor(off))) return;
    if (is_disc && sqrt(off) > (double)disc->radius * (1 + 1e-12)) want = false;
    CHECK_INT(got, want);
    if (!got || !want) return;
    CHECK_NEAR(h.t, t, EPS * fabs(t));
    CHECK_INT(h.flags, (back ? CD_HIT_BACK : 0) | (start ? CD_HIT_START : 0));
    CHECK_NEAR(cd_vec3_length(h.normal), 1, 4 * EPS);
    CHECK((double)cd_vec3_dot(h.normal, q->ray.dir) <= 1e-6);
}

static void planes_and_discs(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_GRID);
        bool is_disc = test_int(&rng, 0, 1) == 1;
        cd_plane p;
        cd_disc disc;
        question q;
        memset(&q, 0, sizeof q);
        disc.center = gen_point(&g);
        disc.radius = (cd_real)test_int(&rng, 0, 3);
        disc.normal = cd_vec3_make(0, 0, 0);
        REALS(disc.normal)[test_int(&rng, 0, 2)] = test_int(&rng, 0, 1) ? 2 : -2;
        if (test_int(&rng, 0, 1)) disc.normal = gen_direction(&g);
        p.n = is_disc ? disc.normal : gen_direction(&g);
        p.d = is_disc ? cd_vec3_dot(p.n, disc.center) : (cd_real)test_int(&rng, -3, 3);
        q.kind = (cast_kind)test_int(&rng, 0, CASTS - 1);
        q.ray.origin = q.line.origin = q.segment.a = gen_point(&g);
        q.ray.dir = q.line.dir = cd_vec3_scale(gen_point(&g), 2);
        q.segment.b = cd_vec3_add(q.segment.a, q.ray.dir);
        q.t_max = 1;
        if (q.kind == LINE && q.ray.dir.x == 0 && q.ray.dir.y == 0 && q.ray.dir.z == 0) continue;
        for (q.options.flags = 0; q.options.flags < 16; ++q.options.flags) {
            test_note("%s, %s, flags %u", cast_names[q.kind], is_disc ? "disc" : "plane", q.options.flags);
            test_note_reals("ray", REALS(q.ray), 6);
            test_note_reals("plane", REALS(p), 4);
            test_note_reals("disc", REALS(disc), 7);
            check_flat(&q, is_disc, &p, &disc);
        }
    }
}

/* ---- starts exactly on a surface, lines in unbounded volumes ---- */

static void starts_on_round_surfaces(void) {
    subject s;
    question q;
    cd_hit h;
    memset(&s, 0, sizeof s);
    memset(&q, 0, sizeof q);
    s.sphere.center = s.capsule.a = s.cylinder.a = cd_vec3_make(1, 2, 3);
    s.capsule.b = s.cylinder.b = cd_vec3_make(1, 2, 7);
    s.sphere.radius = s.capsule.radius = s.cylinder.radius = 2;
    q.t_max = CD_REAL_MAX;
    q.ray.origin = q.segment.a = cd_vec3_make(-1, 2, 3);
    for (int k = 0; k < 3; ++k) {
        static const shape_kind kinds[3] = {SPHERE, CAPSULE, CYLINDER};
        s.kind = kinds[k];
        for (q.kind = RAY; q.kind < LINE; q.kind = (cast_kind)(q.kind + 1)) {
            for (int leaves = 0; leaves < 2; ++leaves) {
                q.ray.dir = cd_vec3_make(leaves ? -8 : 8, 0, 0);
                q.segment.b = cd_vec3_add(q.segment.a, q.ray.dir);
                test_note("%s of %s %d", cast_names[q.kind], shape_names[s.kind], leaves);
                q.options.flags = 0;
                CHECK(cast(&q, &s, &h) && h.t == 0 && (h.flags & CD_HIT_START));
                CHECK_VEC(h.point, q.ray.origin, 0);
                q.options.flags = CD_CAST_START_IGNORE;
                CHECK(!cast(&q, &s, &h));
                q.options.flags = CD_CAST_START_LEAVING;
                CHECK_INT(cast(&q, &s, &h), !leaves);
                q.options.flags = CD_CAST_START_DEPTH;
                CHECK(cast(&q, &s, &h) && h.t == 0 && h.depth == 0);
                CHECK_VEC(h.normal, cd_vec3_make(-1, 0, 0), 0);
                q.options.flags = CD_CAST_CULL_FRONT;
                CHECK(cast(&q, &s, &h) && (double)h.t == (leaves ? 0 : 0.5) && (h.flags & CD_HIT_BACK));
                q.options.flags = CD_CAST_CULL_FRONT | CD_CAST_START_IGNORE;
                CHECK_INT(cast(&q, &s, &h), !leaves);
            }
        }
    }
}

static void lines_in_unbounded_slabs(void) {
    cd_slab s = {{0, 0, 1}, -1, 1};
    cd_line l = {{0, 0, 0}, {1, 0, 0}}, across = {{0, 0, 0}, {0, 0, 2}};
    cd_ray r = {{0, 0, 0}, {1, 0, 0}};
    cd_cast_options o;
    cd_hit h;
    memset(&o, 0, sizeof o);
    CHECK(!cd_cast_line_slabs(&l, &s, 1, &o, &h));
    CHECK(cd_cast_line_slabs(&across, &s, 1, &o, &h) && (double)h.t == -0.5 && h.flags == 0);
    CHECK(cd_cast_ray_slabs(&r, CD_REAL_MAX, &s, 1, &o, &h) && h.t == 0 && h.flags == CD_HIT_START);
    o.flags = CD_CAST_CULL_FRONT;
    CHECK(!cd_cast_line_slabs(&l, &s, 1, &o, &h) && !cd_cast_ray_slabs(&r, CD_REAL_MAX, &s, 1, &o, &h));
    CHECK(cd_cast_line_slabs(&across, &s, 1, &o, &h) && (double)h.t == 0.5 && h.flags == CD_HIT_BACK);
}

/* ---- prepared rays: bit for bit the plain ones ---- */

/* Are reciprocals used? Only not to be told near the bounds, 1e-290 and 1e290. */
static void check_ready(const cd_ray *r, bool ready, uint32_t how) {
    bool usual = true, odd = false;
    for (int k = 0; k < 3; ++k) {
        double size = fabs((double)(&r->dir.x)[k]);
        if (size > 0) usual = usual && size > 1e-280 && size < 1e280;
        if (size > 0) odd = odd || size < 1e-300 || size > 1e300;
    }
    if (!ready) CHECK_INT(how, 0);
    if (ready && usual) CHECK_INT(how, 1);
    if (ready && odd) CHECK_INT(how, 2);
}

static void check_prepared(const cd_ray *r, cd_real t_max, const cd_cast_options *o, const cd_triangle *t,
                           cd_aabb b, long *hits) {
    cd_prepared_ray p, zero;
    cd_hit plain, prepared;
    cd_cast_options still = *o;
    cd_real in = -1, out = -1;
    bool ready = ASK("judge", cd_ray_prepare(r, t_max, o, &p)), hit;
    memset(&zero, 0, sizeof zero);
    if (!ready) CHECK(memcmp(&p, &zero, sizeof p) == 0);
    check_ready(r, ready, p.ready);
    memset(&plain, 0, sizeof plain);
    memset(&prepared, 0, sizeof prepared);
    hit = cd_cast_ray_triangle(r, t_max, t, o, &plain);
    CHECK_INT(ASK("forms", cd_cast_prepared_triangle(&p, t, &prepared)), hit);
    CHECK(memcmp(&plain, &prepared, sizeof plain) == 0);
    *hits += hit;
    hit = cd_cast_ray_aabb(r, t_max, b, o, &plain);
    CHECK_INT(ASK("forms", cd_cast_prepared_aabb(&p, b, &prepared)), hit);
    CHECK(memcmp(&plain, &prepared, sizeof plain) == 0);
    *hits += hit;
    still.flags = 0;
    hit = cd_cast_ray_aabb(r, t_max, b, &still, &plain);
    if (hit && !isfinite((double)plain.point.x + (double)plain.point.y + (double)plain.point.z)) return;
    CHECK_INT(ASK("forms", cd_test_prepared_aabb(&p, b, NULL, NULL)), hit);
    CHECK_INT(ASK("forms", cd_test_prepared_aabb(&p, b, &in, &out)), hit);
    if (hit) CHECK(in == plain.t && out >= in && (double)out <= (double)CD_REAL_MAX);
    if (!hit) CHECK(in == -1 && out == -1);
}

static void prepared_rays(void) {
    test_rng rng = test_random();
    long hits = 0, times = test_times(20000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_aabb b = gen_aabb(&g);
        cd_triangle t = gen_triangle(&g);
        cd_cast_options o;
        cd_ray r;
        cd_real t_max = test_int(&rng, 0, 2) ? CD_REAL_MAX : (cd_real)test_unit(&rng);
        memset(&o, 0, sizeof o);
        o.flags = test_int(&rng, 0, 1) ? 0 : (uint32_t)test_int(&rng, 0, 31);
        o.t_min = test_int(&rng, 0, 2) ? 0 : (cd_real)test_range(&rng, -1, 1);
        r.origin = end_at_box(&g, b);
        r.dir = cd_vec3_sub(test_int(&rng, 0, 1) ? end_at_box(&g, b) : cd_vec3_lerp(t.a, t.b, (cd_real)0.5),
                            r.origin);
        if (!test_int(&rng, 0, 3)) REALS(r.dir)[test_int(&rng, 0, 2)] = 0;
        test_note("flags %u, t_min %g, t_max %g", o.flags, (double)o.t_min, (double)t_max);
        test_note_reals("ray", REALS(r), 6);
        test_note_reals("t", REALS(t), 9);
        test_note_reals("box", REALS(b), 6);
        check_prepared(&r, t_max, &o, &t, b, &hits);
    }
    CHECK_SEEN(hits > times / 8);
}

static void prepared_rays_of_any_numbers(void) {
    test_rng rng = test_random();
    long hits = 0;
    for (long i = test_times(10000); i > 0; --i) {
        cd_real x[23];
        cd_ray r;
        cd_triangle t;
        cd_aabb b;
        cd_cast_options o;
        bool any = test_int(&rng, 0, 1) == 1;
        for (int k = 0; k < 23; ++k) {
            x[k] = test_int(&rng, 0, 3) ? (cd_real)test_int(&rng, -2, 2)
                   : any                ? gen_any_real(&rng)
                                        : (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
        }
        memcpy(&r, x, sizeof r);
        memcpy(&t, x + 6, sizeof t);
        memcpy(&b, x + 15, sizeof b);
        memset(&o, 0, sizeof o);
        o.t_min = x[21];
        test_note("");
        test_note_reals("x", x, 23);
        check_prepared(&r, x[22], &o, &t, b, &hits);
    }
}

void suite_line_casts(void) {
    RUN(spheres);
    RUN(boxes);
    RUN(oriented_boxes);
    RUN(slab_volumes);
    RUN(kdops);
    RUN(capsules);
    RUN(lozenges);
    RUN(cylinders);
    RUN(cones);
    RUN(ellipsoids);
    RUN(zonotopes);
    RUN(shells);
    RUN(segments_against_boxes_exactly);
    RUN(lines_against_boxes_exactly);
    RUN(planes_and_discs);
    RUN(starts_on_round_surfaces);
    RUN(lines_in_unbounded_slabs);
    RUN(prepared_rays);
    RUN(prepared_rays_of_any_numbers);
}
