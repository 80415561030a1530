/* Tori: exact tests of points and spheres, measures, closest points, and casts against a slow search in long double. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)
#define PI  3.14159265358979323846

/* Rings, horns, apples, balls, circles. */
static cd_torus gen_torus(gen *g) {
    cd_torus t;
    t.center = gen_point(g);
    t.axis = gen_direction(g);
    t.major = gen_length(g);
    t.minor = gen_length(g);
    switch (test_int(g->rng, 0, 9)) {
    case 0: t.minor = t.major; break;
    case 1: t.major = 0; break;
    case 2: t.minor = 0; break;
    case 3:
    case 4: t.minor = (cd_real)ldexp((double)t.major, -test_int(g->rng, 1, 12)); break;
    default: break;
    }
    return t;
}

static cd_torus simple_torus(double major, double minor) {
    cd_torus t;
    t.center = cd_vec3_make(0, 0, 0);
    t.axis = cd_vec3_make(0, 0, 3);
    t.major = (cd_real)major;
    t.minor = (cd_real)minor;
    return t;
}

static cd_real step_up(double x) {
    return sizeof(cd_real) == 4 ? (cd_real)nextafterf((float)x, 1e9f) : (cd_real)nextafter(x, 1e9);
}

/* ---- the torus in long double ---- */

typedef long double wide;

typedef struct ring {
    wide c[3], u[3], major, minor;
} ring;

static ring ring_of(const cd_torus *t) {
    ring r;
    wide length = 0;
    for (int k = 0; k < 3; ++k) {
        r.c[k] = (wide)(&t->center.x)[k];
        r.u[k] = (wide)(&t->axis.x)[k];
        length = hypotl(length, r.u[k]);
    }
    for (int k = 0; k < 3; ++k) r.u[k] /= length;
    r.major = (wide)t->major;
    r.minor = (wide)t->minor;
    return r;
}

/* The distance from the circle less the minor radius. */
static wide gap_at(const ring *r, const wide p[3]) {
    wide q[3], off[3], z = 0;
    for (int k = 0; k < 3; ++k) {
        q[k] = p[k] - r->c[k];
        z += q[k] * r->u[k];
    }
    for (int k = 0; k < 3; ++k) off[k] = q[k] - z * r->u[k];
    return hypotl(hypotl(hypotl(off[0], off[1]), off[2]) - r->major, z) - r->minor;
}

static double gap_of(const cd_torus *t, cd_vec3 p) {
    ring r = ring_of(t);
    wide x[3];
    for (int k = 0; k < 3; ++k) x[k] = (wide)REALS(p)[k];
    return (double)gap_at(&r, x);
}

typedef struct wide_line {
    wide o[3], d[3];    /* from the point nearest to the centre; unit */
    wide middle, speed; /* t = middle + s / speed */
} wide_line;

static wide_line line_of(const ring *r, const double o[3], const double d[3]) {
    wide_line l;
    wide dot = 0;
    l.speed = hypotl(hypotl((wide)d[0], (wide)d[1]), (wide)d[2]);
    for (int k = 0; k < 3; ++k) {
        l.d[k] = (wide)d[k] / l.speed;
        dot += ((wide)o[k] - r->c[k]) * l.d[k];
    }
    for (int k = 0; k < 3; ++k) l.o[k] = (wide)o[k] - dot * l.d[k];
    l.middle = -dot / l.speed;
    return l;
}

static wide gap_along(const ring *r, const wide_line *l, wide s) {
    wide p[3];
    for (int k = 0; k < 3; ++k) p[k] = l->o[k] + s * l->d[k];
    return gap_at(r, p);
}

/* Where the squared distance from the circle is concave: half of it is s^2 / 2 - major w and what is linear in s, and w, the
 * distance from the axis, is hypotl(a (s - axis), b), with the second derivative a^2 b^2 / w^3. Elsewhere it is convex. */
static void concave_stretch(const ring *r, const wide_line *l, wide *from, wide *to) {
    wide z = 0, dz = 0, along = 0, aa = 0, bb = 0, axis, w, half;
    wide off[3], way[3];
    for (int k = 0; k < 3; ++k) {
        z += (l->o[k] - r->c[k]) * r->u[k];
        dz += l->d[k] * r->u[k];
    }
    for (int k = 0; k < 3; ++k) {
        off[k] = l->o[k] - r->c[k] - z * r->u[k];
        way[k] = l->d[k] - dz * r->u[k];
        along += off[k] * way[k];
        aa += way[k] * way[k];
    }
    axis = aa > 0 ? -along / aa : 0;
    for (int k = 0; k < 3; ++k) bb += (off[k] + axis * way[k]) * (off[k] + axis * way[k]);
    w = cbrtl(r->major * aa * bb);
    half = aa > 0 ? sqrtl(fmaxl(w * w - bb, 0) / aa) : 0;
    *from = axis - half;
    *to = axis + half;
}

/* Where the gap is least, or most, between a and b, where it turns once at most. */
static wide turn_between(const ring *r, const wide_line *l, wide a, wide b, bool most) {
    for (int i = 0; i < 110; ++i) {
        wide x = (2 * a + b) / 3, y = (a + 2 * b) / 3, gx = gap_along(r, l, x), gy = gap_along(r, l, y);
        if (most ? gx >= gy : gx <= gy) {
            b = y;
        } else {
            a = x;
        }
    }
    return (a + b) / 2;
}

/* Places between which the gap only grows or only falls: the ends, and where it turns between them. */
enum { PLACES = 5 };

typedef struct profile {
    wide s[PLACES], gap[PLACES];
} profile;

static profile profile_of(const ring *r, const wide_line *l, wide a, wide b) {
    profile p;
    wide from, to;
    concave_stretch(r, l, &from, &to);
    from = fminl(fmaxl(from, a), b);
    to = fminl(fmaxl(to, a), b);
    p.s[0] = a;
    p.s[1] = turn_between(r, l, a, from, false);
    p.s[2] = turn_between(r, l, from, to, true);
    p.s[3] = turn_between(r, l, to, b, false);
    p.s[4] = b;
    for (int i = 0; i < PLACES; ++i) p.gap[i] = gap_along(r, l, p.s[i]);
    return p;
}

/* The first s from `from` on where the gap is at most `least`; 1e30 when there is none. */
static wide first_within(const ring *r, const wide_line *l, const profile *p, wide from, wide least) {
    wide before = from;
    if (gap_along(r, l, from) <= least) return from;
    for (int i = 0; i < PLACES; ++i) {
        wide a = before, b = p->s[i];
        if (b <= from) continue;
        before = b;
        if (p->gap[i] > least) continue;
        for (int k = 0; k < 70; ++k) {
            wide m = (a + b) / 2;
            if (gap_along(r, l, m) <= least) {
                b = m;
            } else {
                a = m;
            }
        }
        return b;
    }
    return 1e30L;
}

/* ---- points and spheres ---- */

/* The sign of the distance from the circle less radius + other. */
static int oracle_circle(const cd_torus *t, cd_vec3 p, double other) {
    exact_pool pool = exact_begin();
    double x[3], c[3], n[3];
    exact3 q, u, w;
    exact qq, uu, ww, rr, a, b;
    int sign;
    to_doubles(REALS(p), x, 3);
    for (int k = 0; k < 3; ++k) {
        c[k] = (double)(&t->center.x)[k];
        n[k] = (double)(&t->axis.x)[k];
    }
    q = exact3_sub(exact3_from(x), exact3_from(c));
    u = exact3_from(n);
    w = exact3_cross(q, u);
    qq = exact3_dot(q, q);
    uu = exact3_dot(u, u);
    ww = exact3_dot(w, w);
    rr = exact_mul(exact_from((double)t->major), exact_from((double)t->major));
    b = exact_add(exact_from((double)t->minor), exact_from(other));
    a = exact_sub(exact_add(qq, rr), exact_mul(b, b));
    b = exact_mul(exact_mul(exact_from(4), rr), ww);
    sign = a.sign < 0 ? -1 : exact_compare(exact_mul(exact_mul(a, a), uu), b);
    exact_end(pool);
    return sign;
}

/* A point of the surface, rounded. */
static cd_vec3 surface_point(const cd_torus *t, test_rng *rng, cd_vec3 *normal) {
    cd_vec3 d = cd_vec3_make((cd_real)test_range(rng, -1, 1), (cd_real)test_range(rng, -1, 1),
                             (cd_real)test_range(rng, -1, 1));
    cd_vec3 u = cd_vec3_normalize(t->axis), e = cd_vec3_cross(u, d), p;
    double angle = test_range(rng, 0, 6.3);
    if (!test_int(rng, 0, 3)) angle = test_int(rng, 0, 4) * (PI / 2);
    e = cd_vec3_normalize(e);
    *normal = cd_vec3_add(cd_vec3_scale(e, (cd_real)cos(angle)), cd_vec3_scale(u, (cd_real)sin(angle)));
    p = cd_vec3_along(t->center, e, t->major);
    return cd_vec3_along(p, *normal, t->minor);
}

static void points_are_judged_exactly(void) {
    test_rng rng = test_random();
    long in = 0, times = test_times(20000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_torus t = gen_torus(&g);
        cd_vec3 n, p = gen_point(&g);
        cd_sphere s;
        int side;
        if (test_int(&rng, 0, 1)) p = surface_point(&t, &rng, &n);
        if (!cd_vec3_is_valid(p)) continue;
        test_note("");
        test_note_reals("t", REALS(t), 8);
        test_note_reals("p", REALS(p), 3);
        side = oracle_circle(&t, p, 0);
        CHECK_INT(ASK("exact", cd_test_point_torus(p, &t)), side <= 0);
        in += side <= 0;
        s.center = gen_point(&g);
        s.radius = gen_length(&g);
        if (test_int(&rng, 0, 1)) { /* touching, up to rounding */
            double gap = gap_of(&t, s.center);
            s.radius = (cd_real)fmax(gap, 0);
        }
        CHECK_INT(ASK("exact", cd_test_sphere_torus(s, &t)),
                  oracle_circle(&t, s.center, (double)s.radius) <= 0);
    }
    CHECK_SEEN(in > times / 20);
}

/* On the grid, exactly on the surface: 3-4-5 triangles. */
static void touching_counts(void) {
    cd_torus t = simple_torus(10, 5);
    cd_sphere s;
    CHECK(cd_test_point_torus(cd_vec3_make(13, 0, 4), &t) &&
          cd_test_point_torus(cd_vec3_make(0, -7, -4), &t));
    CHECK(!cd_test_point_torus(cd_vec3_make(13, 0, step_up(4)), &t));
    CHECK(!cd_test_point_torus(cd_vec3_make(0, 0, 0), &t));
    s.center = cd_vec3_make(16, 0, 8);
    s.radius = 5;
    CHECK(cd_test_sphere_torus(s, &t));
    s.center.z = step_up(8);
    CHECK(!cd_test_sphere_torus(s, &t));
    t = simple_torus(3, 5); /* an apple, with dents 4 from its middle */
    CHECK(cd_test_point_torus(cd_vec3_make(0, 0, 4), &t) && cd_test_point_torus(cd_vec3_make(0, 0, 0), &t));
    CHECK(!cd_test_point_torus(cd_vec3_make(0, 0, step_up(4)), &t));
    t.axis = cd_vec3_make(0, 0, 0);
    CHECK(!ASK("bad", cd_torus_is_valid(&t)) && !cd_test_point_torus(cd_vec3_make(0, 0, 0), &t));
}

static void closest_points(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : GEN_GRID);
        cd_torus t = gen_torus(&g);
        cd_vec3 p = gen_point(&g), q;
        ring r = ring_of(&t);
        wide at[3], gap;
        double size, way;
        if (!test_int(&rng, 0, 3)) p = cd_vec3_along(t.center, t.axis, (cd_real)test_int(&rng, -2, 2));
        for (int k = 0; k < 3; ++k) at[k] = (wide)REALS(p)[k];
        gap = gap_at(&r, at);
        size = 4 + (double)(r.major + r.minor);
        test_note("");
        test_note_reals("t", REALS(t), 8);
        test_note_reals("p", REALS(p), 3);
        q = ASK("judge", cd_closest_pt_point_torus(p, &t));
        way = (double)cd_vec3_length(cd_vec3_sub(p, q));
        CHECK_ULPS(way, fmax((double)gap, 0), 8, size);
        CHECK_ULPS(sqrt((double)ASK("judge", cd_sqdist_point_torus(p, &t))), fmax((double)gap, 0), 4, size);
        for (int k = 0; k < 3; ++k) at[k] = (wide)REALS(q)[k];
        CHECK(gap_at(&r, at) <= 4 * EPS * size);
        if (gap < 0) CHECK_VEC(q, p, 0);
    }
}

/* ---- measures ---- */

/* Sums over the half plane of the axis: rings of the minor circle's part there. */
static void sums_over_the_circle(const cd_torus *t, double *volume, double *area) {
    double R = (double)t->major, r = (double)t->minor;
    int n = 200000;
    *volume = *area = 0;
    for (int i = 0; i < n; ++i) {
        double angle = 2 * PI * (i + 0.5) / n, x = R + r * cos(angle), step = 2 * PI / n;
        if (x < 0) continue;
        *area += 2 * PI * x * r * step;
        *volume += PI * x * x * r * cos(angle) * step; /* annuli between heights */
    }
}

static void measures(void) {
    static const double radii[][2] = {{2, 0.5}, {1, 1}, {3, 5}, {0, 2}, {0.5, 4}, {4, 4.5}, {7, 1}};
    for (int i = 0; i < 7; ++i) {
        cd_torus t = simple_torus(radii[i][0], radii[i][1]);
        double volume, area;
        sums_over_the_circle(&t, &volume, &area);
        CHECK_NEAR(ASK("judge", cd_torus_volume(&t)), volume, 2e-6 * volume);
        CHECK_NEAR(ASK("judge", cd_torus_surface_area(&t)), area, 2e-6 * area);
    }
    {
        cd_torus t = simple_torus(2, 1), none = simple_torus(1, -1), big = simple_torus(1, 1);
        CHECK_ULPS(ASK("judge", cd_torus_volume(&t)), 4 * PI * PI, 16, 10);
        CHECK_ULPS(ASK("judge", cd_torus_surface_area(&t)), 8 * PI * PI, 16, 20);
        CHECK(ASK("judge", cd_torus_volume(&none)) == 0 && cd_torus_surface_area(&none) == 0);
        big.major = big.minor = CD_REAL_MAX;
        CHECK(isinf((double)ASK("judge", cd_torus_volume(&big))));
        t = simple_torus(0, 3);
        CHECK_NEAR(ASK("judge", cd_torus_volume(&t)), 36 * PI, 1000 * EPS);
        CHECK_NEAR(ASK("judge", cd_torus_surface_area(&t)), 36 * PI, 1000 * EPS);
    }
}

static void boxes_and_supports_hold_points(void) {
    test_rng rng = test_random();
    for (long i = test_times(4000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_torus t = gen_torus(&g), moved;
        cd_transform pose = gen_pose(&rng, 2);
        cd_aabb b = ASK("samples", cd_aabb_from_torus(&t));
        cd_vec3 d = gen_direction(&g), s = ASK("samples", cd_torus_support(&t, d)), n, p;
        double slack = 16 * EPS, unit = 1 / (double)cd_vec3_length(d);
        test_note("");
        test_note_reals("t", REALS(t), 8);
        CHECK(fabs(gap_of(&t, s)) <= slack);
        for (int k = 0; k < 8; ++k) {
            p = surface_point(&t, &rng, &n);
            CHECK(((double)cd_vec3_dot(p, d) - (double)cd_vec3_dot(s, d)) * unit <= slack);
            for (int j = 0; j < 3; ++j)
                CHECK((double)REALS(p)[j] >= (double)REALS(b)[j] - slack &&
                      (double)REALS(p)[j] <= (double)REALS(b)[3 + j] + slack);
        }
        for (int j = 0; j < 3; ++j) { /* tight, and never too small */
            ring r = ring_of(&t);
            double reach, c = (double)REALS(t.center)[j];
            reach = (double)(r.major * hypotl(r.u[(j + 1) % 3], r.u[(j + 2) % 3]) + r.minor);
            CHECK_NEAR(REALS(b)[j], c - reach, slack);
            CHECK_NEAR(REALS(b)[3 + j], c + reach, slack);
            CHECK((double)REALS(b)[3 + j] >= c + reach * (1 - 1e-15) - 1e-16);
        }
        moved = ASK("samples", cd_torus_transform(&t, &pose));
        CHECK_SAME(moved.major, t.major);
        CHECK_NEAR(cd_vec3_length(moved.axis), cd_vec3_length(t.axis), slack);
        p = surface_point(&t, &rng, &n);
        CHECK_NEAR(gap_of(&moved, cd_transform_point(&pose, p)), gap_of(&t, p), 4 * slack);
    }
}

/* ---- casts ---- */

/* Rays at points of the surface, along it, through the hole, along and across the axis, from far away and from inside. */
static cd_ray ray_at_torus(gen *g, const cd_torus *t) {
    cd_vec3 n, p = surface_point(t, g->rng, &n), from = gen_point(g);
    cd_ray r;
    r.origin = from;
    r.dir = cd_vec3_sub(p, from);
    switch (test_int(g->rng, 0, 9)) {
    case 0: r.dir = gen_direction(g); break;
    case 1: /* a tangent */
        r.dir = cd_vec3_cross(n, gen_direction(g));
        r.origin = cd_vec3_along(p, r.dir, (cd_real)-2);
        break;
    case 2: /* about along the axis, through the hole or near its rim */
        r.dir = test_int(g->rng, 0, 1) ? t->axis : cd_vec3_add(t->axis, cd_vec3_scale(n, (cd_real)1e-3));
        r.origin = cd_vec3_along(test_int(g->rng, 0, 1) ? t->center : p, r.dir, -3);
        break;
    case 3: /* in the equator's plane */
        r.dir = cd_vec3_cross(t->axis, gen_direction(g));
        r.origin = cd_vec3_along(
            cd_vec3_along(t->center, cd_vec3_cross(t->axis, gen_direction(g)), (cd_real)0.5), r.dir, -3);
        break;
    case 4: /* in the plane on top */
        r.dir = cd_vec3_cross(t->axis, gen_direction(g));
        r.origin = cd_vec3_along(cd_vec3_along(t->center, cd_vec3_normalize(t->axis), t->minor), r.dir, -2);
        break;
    case 5: /* from far away */
        r.origin = cd_vec3_along(p, r.dir, -(cd_real)ldexp(1, test_int(g->rng, 3, 20)));
        r.dir = cd_vec3_sub(p, r.origin);
        break;
    case 6: /* from inside */
        r.origin = cd_vec3_along(p, n, -t->minor * (cd_real)test_unit(g->rng));
        r.dir = gen_direction(g);
        break;
    default: break;
    }
    return r;
}

static void casts_agree_with_a_search(void) {
    test_rng rng = test_random();
    long hits = 0, misses = 0, second = 0, times = test_times(6000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 3) ? GEN_UNIT : GEN_GRID);
        cd_torus t = gen_torus(&g);
        cd_ray r = ray_at_torus(&g, &t);
        cd_line line;
        ring ideal = ring_of(&t);
        wide_line l;
        wide tol, most, first, last, s;
        double o[3], d[3], size;
        profile all;
        cd_hit h, e;
        cd_cast_options options;
        bool hit;
        if (cd_vec3_length(r.dir) == 0 || t.major + t.minor == 0) continue;
        memset(&options, 0, sizeof options);
        to_doubles(REALS(r.origin), o, 3);
        to_doubles(REALS(r.dir), d, 3);
        l = line_of(&ideal, o, d);
        most = ideal.major + ideal.minor;
        size = (double)(cd_vec3_length(cd_vec3_sub(r.origin, t.center))) + (double)most;
        tol = 32 * 2.3e-16L * (wide)size;
        test_note("");
        test_note_reals("t", REALS(t), 8);
        test_note_reals("r", REALS(r), 6);
        line.origin = r.origin;
        line.dir = r.dir;
        hit = ASK("judge", cd_cast_line_torus(&line, &t, NULL, &h));
        /* between the first contacts with a torus a little larger and with one a little smaller */
        all = profile_of(&ideal, &l, -most * 1.2L, most * 1.2L);
        first = first_within(&ideal, &l, &all, -most * 1.01L, tol);
        last = first_within(&ideal, &l, &all, -most * 1.01L, -tol);
        if (!hit) {
            ++misses;
            CHECK(last >= 1e30L);
        } else {
            wide x[3];
            ++hits;
            s = ((wide)h.t - l.middle) * l.speed;
            CHECK(s >= first - tol - 2 * EPS * fabsl((wide)h.t * l.speed));
            CHECK(s <= last + tol + 2 * EPS * fabsl((wide)h.t * l.speed));
            for (int k = 0; k < 3; ++k) x[k] = (wide)REALS(h.point)[k];
            CHECK(fabsl(gap_at(&ideal, x)) <= 4 * EPS * (4 + most));
            CHECK(h.feature == CD_FEATURE(3u, 0) && h.flags == 0);
            CHECK_NEAR(cd_vec3_length(h.normal), 1, 4 * EPS);
            CHECK((double)cd_vec3_dot(h.normal, r.dir) <= 4 * EPS * (double)l.speed);
            options.flags = CD_CAST_CULL_FRONT;
            CHECK(cd_cast_line_torus(&line, &t, &options, &e) && (e.flags & CD_HIT_BACK) && e.t >= h.t);
            s = ((wide)e.t - l.middle) * l.speed;
            CHECK(fabsl(gap_along(&ideal, &l, s)) <= tol + 2 * EPS * fabsl((wide)e.t * l.speed));
            for (int k = 1; k < 4; ++k) /* inside between the two */
                CHECK(
                    gap_along(&ideal, &l, (((wide)h.t * k + (wide)e.t * (4 - k)) / 4 - l.middle) * l.speed) <=
                    tol + 2 * EPS * fabsl((wide)e.t * l.speed));
        }
        /* the ray: what is behind its origin is left out */
        hit = ASK("judge", cd_cast_ray_torus(&r, CD_REAL_MAX, &t, NULL, &e));
        s = fmaxl(-l.middle * l.speed, -most * 1.01L);
        first = first_within(&ideal, &l, &all, s, tol);
        last = first_within(&ideal, &l, &all, s, -tol);
        if (!hit) {
            CHECK(last >= 1e30L);
            continue;
        }
        s = ((wide)e.t - l.middle) * l.speed;
        CHECK(s >= first - tol - 2 * EPS * fabsl((wide)e.t * l.speed));
        CHECK(s <= last + tol + 2 * EPS * fabsl((wide)e.t * l.speed));
        CHECK(e.t >= 0);
        second += e.t > h.t;
        if (e.flags & CD_HIT_START) {
            wide x[3];
            CHECK(e.t == 0);
            options.flags = CD_CAST_START_DEPTH;
            CHECK(cd_cast_ray_torus(&r, CD_REAL_MAX, &t, &options, &e));
            for (int k = 0; k < 3; ++k) /* moved by the depth it is on the surface */
                x[k] = (wide)o[k] + (wide)e.depth * (wide)REALS(e.normal)[k];
            CHECK(e.depth >= 0 && fabsl(gap_at(&ideal, x)) <= tol + 4 * EPS * (4 + most));
            for (int k = 0; k < 3; ++k) x[k] = (wide)o[k];
            if (ideal.minor <= ideal.major)
                CHECK_NEAR(e.depth, -gap_at(&ideal, x), 4 * EPS * (double)most + (double)tol);
        }
    }
    CHECK_SEEN(hits > times / 3 && misses > times / 20 && second > times / 50);
}

/* Almost along the axis of a horn, from where the rounded way to its middle is long beside what it hits there. */
static void thin_hits_from_afar(void) {
    cd_torus t;
    cd_ray r;
    cd_hit h;
    if (sizeof(cd_real) == 4) return;
    t.center = cd_vec3_make((cd_real)0x1.3377217a78578p-1, (cd_real)-0x1.9cd3dad0e98c4p-1,
                            (cd_real)0x1.a3d4e12d1a84p-5);
    t.axis = cd_vec3_make((cd_real)0x1.33cf3f26ad3e8p-1, (cd_real)-0x1.17197b15ca74cp-1,
                          (cd_real)-0x1.5e47ff5eb4c48p-2);
    t.major = t.minor = (cd_real)0x1.8a6506c78757p-5;
    r.origin = cd_vec3_make((cd_real)-0x1.348202f41ffffp+0, (cd_real)0x1.a96979991c8d8p-1,
                            (cd_real)0x1.14221facc51e7p+0);
    r.dir = cd_vec3_make((cd_real)0x1.34290d20e81d2p-1, (cd_real)-0x1.1769c6ce02089p-1,
                         (cd_real)-0x1.5eaf4b847b0dcp-2);
    CHECK(cd_cast_ray_torus(&r, CD_REAL_MAX, &t, NULL, &h));
    CHECK_NEAR(cd_vec3_length(cd_vec3_sub(h.point, t.center)), 0, 1e-6);
}

static void two_pieces_and_all_options(void) {
    cd_torus t = simple_torus(2, 0.5);
    cd_ray r = {{-8, 0, 0}, {2, 0, 0}};
    cd_segment s = {{-8, 0, 0}, {0, 0, 0}};
    cd_line l = {{8, 0, 0}, {2, 0, 0}};
    cd_cast_options o;
    cd_hit h;
    memset(&o, 0, sizeof o);
    CHECK(cd_cast_ray_torus(&r, 9, &t, NULL, &h) && h.t == (cd_real)2.75 && h.flags == 0);
    CHECK_VEC(h.point, cd_vec3_make((cd_real)-2.5, 0, 0), 0);
    CHECK_VEC(h.normal, cd_vec3_make(-1, 0, 0), 0);
    CHECK(ASK("exact", cd_cast_segment_torus(&s, &t, NULL, &h)));
    CHECK_NEAR(h.t, 5.5 / 8, 2 * EPS);
    CHECK(cd_cast_line_torus(&l, &t, NULL, &h) && h.t == (cd_real)-5.25);
    CHECK(!cd_cast_ray_torus(&r, (cd_real)2.74, &t, NULL, &h) &&
          cd_cast_ray_torus(&r, (cd_real)2.75, &t, NULL, &h));
    o.flags = CD_CAST_CULL_FRONT;
    CHECK(cd_cast_ray_torus(&r, 9, &t, &o, &h) && h.t == (cd_real)3.25 && h.flags == CD_HIT_BACK);
    CHECK_VEC(h.normal, cd_vec3_make(-1, 0, 0), 0); /* towards the ray */
    o.t_min = (cd_real)3.5;                         /* in the hole */
    CHECK(cd_cast_ray_torus(&r, 9, &t, &o, &h) && h.t == (cd_real)5.25);
    o.flags = CD_CAST_CULL_BACK;
    CHECK(cd_cast_ray_torus(&r, 9, &t, &o, &h) && h.t == (cd_real)4.75);
    CHECK(!cd_cast_ray_torus(&r, 4, &t, &o, &h));
    o.flags = CD_CAST_CULL_BACK | CD_CAST_CULL_FRONT;
    CHECK(!cd_cast_ray_torus(&r, 9, &t, &o, &h));
    o.flags = 0;
    o.t_min = (cd_real)2.8125; /* inside, an eighth from outside */
    CHECK(cd_cast_ray_torus(&r, 9, &t, &o, &h) && h.t == o.t_min && h.flags == CD_HIT_START && h.depth == 0);
    CHECK_VEC(h.normal, cd_vec3_make(-1, 0, 0), 0);
    o.flags = CD_CAST_START_DEPTH;
    CHECK(cd_cast_ray_torus(&r, 9, &t, &o, &h) && h.feature == CD_FEATURE(3u, 0));
    CHECK_NEAR(h.depth, 0.125, 2 * EPS);
    o.flags = CD_CAST_START_IGNORE;
    CHECK(cd_cast_ray_torus(&r, 9, &t, &o, &h) && h.t == (cd_real)4.75 && h.flags == 0);
    o.flags = CD_CAST_START_LEAVING; /* goes further in */
    CHECK(cd_cast_ray_torus(&r, 9, &t, &o, &h) && h.t == o.t_min);
    o.t_min = (cd_real)3.125; /* leaves: the next piece */
    CHECK(cd_cast_ray_torus(&r, 9, &t, &o, &h) && h.t == (cd_real)4.75);
    o.t_min = 6;
    CHECK(!cd_cast_ray_torus(&r, 9, &t, &o, &h));
    /* no direction: the origin alone */
    r.dir = cd_vec3_make(0, 0, 0);
    CHECK(!cd_cast_ray_torus(&r, 9, &t, NULL, &h));
    r.origin = cd_vec3_make(2, 0, 0);
    CHECK(cd_cast_ray_torus(&r, 9, &t, NULL, &h) && h.flags == CD_HIT_START);
    CHECK_NEAR(cd_vec3_length(h.normal), 1, 4 * EPS);
    l.dir = r.dir;
    CHECK(!cd_cast_line_torus(&l, &t, NULL, &h));
    s.a = s.b = r.origin;
    CHECK(ASK("exact", cd_cast_segment_torus(&s, &t, NULL, &h)) && h.t == 0);
}

/* Along the axis, on top, around the equator; an apple's dents are met, and nothing is hollow inside. */
static void special_lines(void) {
    cd_torus ring_one = simple_torus(2, 0.5), apple = simple_torus(3, 5), ball = simple_torus(0, 2);
    cd_torus circle = simple_torus(1, 0), horn = simple_torus(2, 2);
    cd_ray axis = {{0, 0, 9}, {0, 0, -1}}, top = {{-9, 1, (cd_real)0.5}, {1, 0, 0}};
    cd_ray equator = {{(cd_real)2.5, -9, 0}, {0, 1, 0}}, across = {{-9, 0, 0}, {1, 0, 0}};
    cd_cast_options back;
    cd_hit h;
    memset(&back, 0, sizeof back);
    back.flags = CD_CAST_CULL_FRONT;
    CHECK(!cd_cast_ray_torus(&axis, 99, &ring_one, NULL, &h));
    CHECK(cd_cast_ray_torus(&axis, 99, &apple, NULL, &h));
    CHECK_NEAR(h.t, 5, 8 * EPS);
    CHECK(cd_cast_ray_torus(&axis, 99, &apple, &back, &h));
    CHECK_NEAR(h.t, 13, 8 * EPS);
    CHECK(cd_cast_ray_torus(&across, 99, &apple, &back, &h));
    CHECK_NEAR(h.t, 17, 8 * EPS);
    CHECK(cd_cast_ray_torus(&axis, 99, &horn, NULL, &h));
    CHECK_NEAR(h.t, 9, 1e-6);
    CHECK(cd_cast_ray_torus(&axis, 99, &ball, NULL, &h));
    CHECK_NEAR(h.t, 7, 8 * EPS);
    CHECK(cd_cast_ray_torus(&top, 99, &ring_one, NULL, &h)); /* touches the circle on top */
    CHECK_NEAR(h.t, 9 - sqrt(3.0), 1e-6);
    top.origin.z = step_up((cd_real)0.5);
    CHECK(!cd_cast_ray_torus(&top, 99, &ring_one, NULL, &h) || sizeof(cd_real) == 8);
    CHECK(cd_cast_ray_torus(&equator, 99, &ring_one, NULL, &h));
    CHECK_NEAR(h.t, 9, 1e-6);
    CHECK_VEC(h.point, cd_vec3_make((cd_real)2.5, 0, 0), 1e-6);
    CHECK(cd_cast_ray_torus(&across, 99, &circle, NULL, &h));
    CHECK_NEAR(h.t, 8, 1e-6);
    circle.axis.z = -circle.axis.z;
    circle.minor = circle.major = 0;
    cd_cast_ray_torus(&across, 99, &circle, NULL, &h); /* a point: either answer */
}

/* A power of two changes nothing but the numbers' exponents. */
static void scale_changes_nothing(void) {
    test_rng rng = test_random();
    for (long i = test_times(4000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_torus t = gen_torus(&g), big;
        cd_ray r = ray_at_torus(&g, &t), far_ray;
        double scale = ldexp(1, test_int(&rng, -40, 40));
        cd_hit h, b;
        bool hit = cd_cast_ray_torus(&r, CD_REAL_MAX, &t, NULL, &h);
        big = t;
        big.center = cd_vec3_scale(t.center, (cd_real)scale);
        big.major = (cd_real)((double)t.major * scale);
        big.minor = (cd_real)((double)t.minor * scale);
        far_ray.origin = cd_vec3_scale(r.origin, (cd_real)scale);
        far_ray.dir = cd_vec3_scale(r.dir, (cd_real)scale);
        test_note("");
        test_note_reals("t", REALS(t), 8);
        test_note_reals("r", REALS(r), 6);
        CHECK_INT(ASK("scale", cd_cast_ray_torus(&far_ray, CD_REAL_MAX, &big, NULL, &b)), hit);
        if (!hit) continue;
        CHECK_SAME(h.t, b.t);
        CHECK_VEC(b.normal, h.normal, 0);
        CHECK_VEC(b.point, cd_vec3_scale(h.point, (cd_real)scale), 0);
    }
}

void suite_torus(void) {
    RUN(points_are_judged_exactly);
    RUN(touching_counts);
    RUN(closest_points);
    RUN(measures);
    RUN(boxes_and_supports_hold_points);
    RUN(casts_agree_with_a_search);
    RUN(thin_hits_from_afar);
    RUN(two_pieces_and_all_options);
    RUN(special_lines);
    RUN(scale_changes_nothing);
}
