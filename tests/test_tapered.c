/* Tapered capsules: how far a point is out of the balls between the ends is a convex function of where the ball is, and of where the point
 * is: searches for least values are the reference for points and casts; boxes and farthest points are those of two balls. */
#include "gen.h"
#include <float.h>
#include <math.h>
#include <string.h>

typedef long double real;
#define EPS ((double)CD_REAL_EPSILON)

static cd_tapered_capsule draw(gen *g) {
    cd_tapered_capsule c;
    c.a = gen_point(g);
    c.b = test_int(g->rng, 0, 9) ? gen_point(g) : c.a;
    c.radius_a = test_int(g->rng, 0, 5) ? gen_length(g) : 0;
    c.radius_b = test_int(g->rng, 0, 5) ? gen_length(g) : 0;
    if (test_int(g->rng, 0, 9) == 0) c.radius_b = c.radius_a;
    return c;
}

static real ball_off(const cd_tapered_capsule *c, const real p[3], real s) {
    real sum = 0;
    for (int k = 0; k < 3; ++k) {
        real a = (real)(&c->a.x)[k], d = p[k] - (a + s * ((real)(&c->b.x)[k] - a));
        sum += d * d;
    }
    return sqrtl(sum) - ((real)c->radius_a + s * ((real)c->radius_b - (real)c->radius_a));
}

/* The least over all balls. */
static real off(const cd_tapered_capsule *c, const real p[3]) {
    real lo = 0, hi = 1;
    for (int i = 0; i < 90; ++i) {
        real x = lo + (hi - lo) * 0.382L, y = lo + (hi - lo) * 0.618L;
        if (ball_off(c, p, x) < ball_off(c, p, y))
            hi = y;
        else
            lo = x;
    }
    return fminl(fminl(ball_off(c, p, 0), ball_off(c, p, 1)), ball_off(c, p, (lo + hi) / 2));
}

static double size_of(const cd_tapered_capsule *c, cd_vec3 p) {
    double most = fmax((double)c->radius_a, (double)c->radius_b);
    for (int k = 0; k < 3; ++k) {
        most = fmax(most, fmax(fabs((double)(&c->a.x)[k]), fabs((double)(&c->b.x)[k])));
        most = fmax(most, fabs((double)(&p.x)[k]));
    }
    return most;
}

static void note(const cd_tapered_capsule *c) {
    cd_tapered_capsule copy = *c;
    test_note("tapered capsule");
    test_note_reals("c", REALS(copy), 8);
}

static gen_kind kind_of(long i) {
    static const gen_kind kinds[5] = {GEN_UNIT, GEN_GRID, GEN_ULP, GEN_SCALE, GEN_FAR};
    return kinds[i % 5];
}

static void points(void) {
    test_rng rng = test_random();
    int in = 0, out = 0;
    for (long i = test_times(2250); i > 0; --i) {
        gen g = gen_begin(&rng, kind_of(i));
        cd_tapered_capsule c = draw(&g);
        cd_vec3 p = gen_point(&g), q;
        real v[3], at[3], d, e;
        double size = size_of(&c, p);
        for (int k = 0; k < 3; ++k) v[k] = (real)(&p.x)[k];
        note(&c);
        test_note_reals("p", &p.x, 3);
        d = off(&c, v);
        if (fabsl(d) > (real)size * 1e-14L)
            CHECK_INT(ASK("judge", cd_test_point_tapered_capsule(p, &c)), d < 0);
        q = ASK("judge", cd_closest_pt_point_tapered_capsule(p, &c));
        for (int k = 0; k < 3; ++k) at[k] = (real)(&q.x)[k];
        e = sqrtl((at[0] - v[0]) * (at[0] - v[0]) + (at[1] - v[1]) * (at[1] - v[1]) +
                  (at[2] - v[2]) * (at[2] - v[2]));
        CHECK_NEAR(e, fmaxl(d, 0), size * (4 * EPS + 1e-14));
        CHECK(off(&c, at) <= (real)(size * (4 * EPS + 1e-14)));
        if (d < 0) ++in;
        if (d > 0) ++out;
    }
    CHECK_SEEN(in > 5 && out > 5);
}

static void at(const cd_ray *r, real t, real p[3]) {
    for (int k = 0; k < 3; ++k) p[k] = (real)(&r->origin.x)[k] + t * (real)(&r->dir.x)[k];
}

static real off_at(const cd_tapered_capsule *c, const cd_ray *r, real t) {
    real p[3];
    at(r, t, p);
    return off(c, p);
}

/* Where along the ray it is nearest, or deepest. */
static real deepest(const cd_tapered_capsule *c, const cd_ray *r, real most) {
    real lo = 0, hi = most;
    for (int i = 0; i < 80; ++i) {
        real x = lo + (hi - lo) * 0.382L, y = lo + (hi - lo) * 0.618L;
        if (off_at(c, r, x) < off_at(c, r, y))
            hi = y;
        else
            lo = x;
    }
    return off_at(c, r, 0) <= off_at(c, r, (lo + hi) / 2) ? 0 : (lo + hi) / 2;
}

static void check_ray(const cd_tapered_capsule *c, const cd_ray *r, double size, int seen[3]) {
    cd_hit hit;
    real speed = 0, least, p[3], t;
    bool thin =
        c->radius_a == 0 || c->radius_b == 0; /* what is sharp is met as well as roots of rounding are */
    double room = size * 1e-13, slack = size * (8 * EPS + (thin ? 1e-6 : 1e-10));
    bool got;
    for (int k = 0; k < 3; ++k) speed += (real)(&r->dir.x)[k] * (real)(&r->dir.x)[k];
    speed = sqrtl(speed);
    memset(&hit, 0, sizeof hit);
    got = ASK("judge", cd_cast_ray_tapered_capsule(r, CD_REAL_MAX, c, NULL, &hit));
    t = deepest(c, r, 8 * (real)size / speed);
    least = off_at(c, r, t);
    if (least > (real)room) CHECK(!got);
    if (least < -(real)room) CHECK(got);
    ++seen[got ? 1 : 0];
    if (!got) return;
    test_note_reals("hit", &hit.t, 7);
    if (hit.flags & CD_HIT_START) {
        CHECK_SAME(hit.t, 0);
        CHECK(off_at(c, r, 0) <= (real)room);
        ++seen[2];
        return;
    }
    at(r, (real)hit.t, p);
    CHECK_NEAR(off(c, p), 0, slack + (double)(speed * (real)hit.t) * EPS);
    if (least < -(real)room * 100) { /* no earlier: the way between is convex */
        real lo = 0, hi = t;
        for (int i = 0; i < 80; ++i) {
            real mid = (lo + hi) / 2;
            if (off_at(c, r, mid) > 0)
                lo = mid;
            else
                hi = mid;
        }
        CHECK_NEAR((double)(speed * (lo - (real)hit.t)), 0,
                   (double)(speed * lo) * 2 * EPS + sqrt(size * room) + slack);
        CHECK(off_at(c, r, (real)hit.t - (real)slack / speed - (real)hit.t * 2 * (real)EPS) > -(real)room);
    }
    for (int k = 0; k < 3; ++k) p[k] = (real)(&hit.point.x)[k];
    CHECK_NEAR(off(c, p), 0, slack);
    if (thin) return;
    for (int k = 0; k < 3; ++k) p[k] += (real)(&hit.normal.x)[k] * (real)size / 16;
    CHECK_NEAR(off(c, p), size / 16, slack + (c->radius_a == 0 || c->radius_b == 0 ? size * 1e-5 : 0));
}

static void rays(void) {
    test_rng rng = test_random();
    int seen[3] = {0, 0, 0};
    for (long i = test_times(800); i > 0; --i) {
        gen g = gen_begin(&rng, kind_of(i));
        cd_tapered_capsule c = draw(&g);
        cd_ray r;
        cd_vec3 to = test_int(&rng, 0, 1) ? gen_point(&g) : cd_vec3_lerp(c.a, c.b, (cd_real)test_unit(&rng));
        r.origin = gen_point(&g);
        if (test_int(&rng, 0, 2)) r.origin = cd_vec3_along(r.origin, gen_direction(&g), 2);
        r.dir = cd_vec3_sub(to, r.origin);
        if (test_int(&rng, 0, 7) == 0) r.dir = cd_vec3_sub(c.b, c.a); /* along the axis */
        if (!(cd_vec3_length(r.dir) > 0)) continue;
        note(&c);
        test_note_reals("ray", &r.origin.x, 6);
        check_ray(&c, &r, size_of(&c, r.origin), seen);
    }
    CHECK_SEEN(seen[0] > 3 && seen[1] > 3 && seen[2] > 0);
}

/* Rays that all but run along a line of the cone, a little in or out of it, and a little aside. */
static void rays_along_the_cone(void) {
    test_rng rng = test_random();
    int seen[3] = {0, 0, 0};
    for (long i = test_times(300); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_tapered_capsule c = draw(&g);
        cd_vec3 axis = cd_vec3_sub(c.b, c.a), u = cd_vec3_normalize(axis), w, aside, from, to;
        double length = (double)cd_vec3_length(axis), sine, cosine,
               lift = ldexp(test_range(&rng, -1, 1), -test_int(&rng, 2, 8));
        cd_ray r;
        c.radius_a = (cd_real)(0.6 * length * test_range(&rng, 0.5, 1) + 0.01);
        c.radius_b = (cd_real)(0.25 * length * test_unit(&rng) + 0.01);
        if (!(length > 0.1) || !cd_tapered_capsule_is_valid(&c)) continue;
        sine = ((double)c.radius_a - (double)c.radius_b) / length;
        if (!(fabs(sine) < 0.99)) continue;
        cosine = sqrt(1 - sine * sine);
        w = cd_vec3_normalize(cd_vec3_cross(u, gen_direction(&g)));
        aside = cd_vec3_scale(cd_vec3_cross(u, w),
                              (cd_real)ldexp(test_range(&rng, -1, 1), -test_int(&rng, 1, 6)));
        from = cd_vec3_along(cd_vec3_along(c.a, u, (cd_real)((double)c.radius_a * sine)), w,
                             (cd_real)((double)c.radius_a * cosine + lift));
        to = cd_vec3_along(cd_vec3_along(c.b, u, (cd_real)((double)c.radius_b * sine)), w,
                           (cd_real)((double)c.radius_b * cosine + lift * test_range(&rng, 0.5, 2)));
        r.origin = cd_vec3_add(cd_vec3_along(from, cd_vec3_sub(to, from), -2), aside);
        r.dir = cd_vec3_sub(to, from);
        if (test_int(&rng, 0, 1)) r.dir = cd_vec3_along(r.dir, aside, (cd_real)test_range(&rng, -1, 1));
        if (!(cd_vec3_length(r.dir) > 0)) continue;
        note(&c);
        test_note_reals("ray", &r.origin.x, 6);
        check_ray(&c, &r, size_of(&c, r.origin), seen);
    }
    CHECK_SEEN(seen[0] > 3 && seen[1] > 3);
}

/* How far from the axis the surface is at a height: balls of 7 and 1, 10 apart, and the cone that touches both. */
static double wide_at(double height) {
    if (height < 4.2) return 49 > height * height ? sqrt(49 - height * height) : -1;
    if (height <= 10.6) return (7 - 0.6 * height) / 0.8;
    return height < 11 ? sqrt(1 - (height - 10) * (height - 10)) : -1;
}

/* Rays that are exactly across an axis of coordinates. */
static void rays_across_the_axis(void) {
    for (int k = 0; k < 6; ++k) {
        int u = k % 3, v = (u + 1 + k / 3) % 3, w = 3 - u - v;
        cd_tapered_capsule c = {{0, 0, 0}, {0, 0, 0}, 7, 1};
        (&c.b.x)[u] = 10;
        for (double height = -7.75; height < 12; height += 0.5) {
            for (double beside = 0; beside <= 3; beside += 1.5) {
                double wide = wide_at(height), want = wide > 0 ? wide * wide - beside * beside : -1;
                cd_ray r = {{0, 0, 0}, {0, 0, 0}};
                cd_hit hit;
                bool got;
                (&r.origin.x)[u] = (cd_real)height;
                (&r.origin.x)[v] = 20;
                (&r.origin.x)[w] = (cd_real)beside;
                (&r.dir.x)[v] = -2;
                test_note("");
                test_note_reals("ray", &r.origin.x, 6);
                if (want > -0.01 && want < 0.01) continue;
                got = ASK("judge", cd_cast_ray_tapered_capsule(&r, CD_REAL_MAX, &c, NULL, &hit));
                if (!CHECK_INT(got, want > 0) || !got) continue;
                CHECK_NEAR(hit.t, 10 - sqrt(want) / 2, 32 * EPS);
                if (height > 4.2 && height < 10.6) CHECK_NEAR((&hit.normal.x)[u], 0.6, 32 * EPS);
                CHECK_NEAR((double)cd_vec3_length(hit.normal), 1, 8 * EPS);
            }
        }
    }
}

/* At the pole of a small ball at the end of a long thing the normal is the axis, however slanted the ray is. */
static void poles_of_small_ends(void) {
    for (int k = 0; k < 3; ++k) {
        for (int side = -1; side <= 1; side += 2) {
            cd_tapered_capsule c = {{0, 0, 0}, {0, 0, 0}, (cd_real)0.0625, (cd_real)0.0625};
            cd_ray r = {{0, 0, 0}, {0, 0, 0}};
            cd_hit hit;
            (&c.b.x)[k] = (cd_real)(64 * side);
            (&r.dir.x)[k] = (cd_real)(-4 * side);
            (&r.dir.x)[(k + 1) % 3] = -3;
            (&r.origin.x)[k] = (cd_real)(side * (64.0625 + 4));
            (&r.origin.x)[(k + 1) % 3] = 3;
            test_note("");
            test_note_reals("ray", &r.origin.x, 6);
            if (!CHECK(ASK("judge", cd_cast_ray_tapered_capsule(&r, CD_REAL_MAX, &c, NULL, &hit)))) continue;
            CHECK_NEAR(hit.t, 1, 1e-6);
            CHECK_NEAR((&hit.normal.x)[k], side, 1e-9 + 8 * EPS);
            CHECK_NEAR((&hit.normal.x)[(k + 1) % 3], 0, 1e-9 + 64 * 16 * EPS);
        }
    }
}

static void lines_and_segments(void) {
    cd_tapered_capsule c = {{0, 0, 0}, {0, 0, 5}, 3, 1};
    cd_segment s = {{0, 0, 10}, {0, 0, 5.5f}};
    cd_line l = {{0, 0, -9}, {0, 0, 2}};
    cd_ray r = {{0, 0, 1}, {1, 0, 0}};
    cd_cast_options o;
    cd_hit hit;
    memset(&o, 0, sizeof o);
    CHECK(ASK("exact", cd_cast_segment_tapered_capsule(&s, &c, NULL, &hit)));
    CHECK_NEAR(hit.t, 4 / 4.5, 1e-6);
    CHECK_NEAR(hit.normal.z, 1, 1e-6);
    s.b.z = 6.5f;
    CHECK(!ASK("exact", cd_cast_segment_tapered_capsule(&s, &c, NULL, &hit)));
    CHECK(ASK("exact", cd_cast_line_tapered_capsule(&l, &c, NULL, &hit)));
    CHECK_NEAR(hit.t, 3, 1e-6);
    o.flags = (uint32_t)CD_CAST_START_DEPTH;
    CHECK(cd_cast_ray_tapered_capsule(&r, 100, &c, &o, &hit));
    CHECK(hit.t == 0 && (hit.flags & CD_HIT_START));
    CHECK_NEAR(hit.normal.z, 0.4, 1e-6); /* the sine is 2 / 5; the start is on the axis */
    o.flags = (uint32_t)CD_CAST_CULL_FRONT;
    CHECK(cd_cast_ray_tapered_capsule(&r, 100, &c, &o, &hit));
    CHECK_NEAR(hit.t, sqrt(8), 1e-6); /* below the circle */
}

static void measures_and_boxes(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, kind_of(i));
        cd_tapered_capsule c = draw(&g), moved;
        cd_sphere ball[2];
        cd_aabb box = ASK("judge", cd_aabb_from_tapered_capsule(&c)), want;
        cd_vec3 dir = gen_direction(&g), p = ASK("judge", cd_tapered_capsule_support(&c, dir));
        cd_transform pose = gen_pose(&rng, 2);
        double most = -INFINITY, got = 0, length = 0;
        ball[0].center = c.a, ball[0].radius = c.radius_a;
        ball[1].center = c.b, ball[1].radius = c.radius_b;
        want = cd_merge_aabb_aabb(cd_aabb_from_sphere(ball[0]), cd_aabb_from_sphere(ball[1]));
        note(&c);
        test_note_reals("dir", &dir.x, 3);
        for (int k = 0; k < 3; ++k) {
            CHECK_SAME((&box.min.x)[k], (&want.min.x)[k]);
            CHECK_SAME((&box.max.x)[k], (&want.max.x)[k]);
        }
        for (int k = 0; k < 3; ++k) length += (double)(&dir.x)[k] * (double)(&dir.x)[k];
        length = sqrt(length);
        for (int n = 0; n < 2; ++n) {
            double x = (double)ball[n].radius;
            for (int k = 0; k < 3; ++k) x += (double)(&ball[n].center.x)[k] * (double)(&dir.x)[k] / length;
            most = fmax(most, x);
        }
        for (int k = 0; k < 3; ++k) got += (double)(&p.x)[k] * (double)(&dir.x)[k] / length;
        if (length > 0 && isfinite(length)) CHECK_NEAR(got, most, 4 * size_of(&c, p) * (EPS + 1e-15));
        moved = ASK("forms", cd_tapered_capsule_transform(&c, &pose));
        want.min = cd_transform_point(&pose, c.b);
        CHECK(moved.radius_a == c.radius_a && moved.radius_b == c.radius_b);
        CHECK(moved.b.x == want.min.x && moved.b.y == want.min.y && moved.b.z == want.min.z);
        CHECK(ASK("judge", cd_tapered_capsule_is_valid(&c)));
        p = ASK("judge", cd_tapered_capsule_support(&c, cd_vec3_make(0, 0, 0)));
        want.max = c.radius_a >= c.radius_b ? c.a : c.b;
        CHECK(p.x == want.max.x && p.y == want.max.y && p.z == want.max.z);
    }
}

/* By hand: a ball, a capsule, and one that holds the other. */
/* Of whole numbers: a segment as a ray up to t = 1; a line as the ray that begins before the body. */
static void segments_and_lines_are_rays(void) {
    test_rng rng = test_random();
    for (long i = test_times(2500); i > 0; --i) {
        cd_tapered_capsule c, less, more;
        cd_segment s;
        cd_line l;
        cd_ray r;
        cd_hit want, got;
        bool hit;
        for (int k = 0; k < 8; ++k) REALS(c)[k] = (cd_real)test_int(&rng, k < 6 ? -2 : 0, 2);
        for (int k = 0; k < 6; ++k) REALS(s)[k] = (cd_real)test_int(&rng, -5, 5);
        r.origin = s.a;
        r.dir = cd_vec3_sub(s.b, s.a);
        note(&c);
        test_note_reals("segment", &s.a.x, 6);
        memset(&want, 0, sizeof want);
        memset(&got, 0, sizeof got);
        hit = cd_cast_ray_tapered_capsule(&r, 1, &c, NULL, &want);
        CHECK_INT(ASK("forms", cd_cast_segment_tapered_capsule(&s, &c, NULL, &got)), hit);
        if (hit) CHECK(got.t == want.t && got.flags == want.flags);
        if (hit) CHECK_VEC(got.point, want.point, 0);
        if (r.dir.x == 0 && r.dir.y == 0 && r.dir.z == 0) continue;
        l.origin = s.a;
        l.dir = r.dir;
        r.origin = cd_vec3_along(s.a, r.dir, -16);
        hit = cd_cast_ray_tapered_capsule(&r, CD_REAL_MAX, &c, NULL, &want);
        less = more = c; /* where it grazes, either may be told */
        less.radius_a -= (cd_real)1e-4, less.radius_b -= (cd_real)1e-4;
        more.radius_a += (cd_real)1e-4, more.radius_b += (cd_real)1e-4;
        if (c.radius_a == 0 || c.radius_b == 0 ||
            cd_cast_ray_tapered_capsule(&r, CD_REAL_MAX, &less, NULL, NULL) !=
                cd_cast_ray_tapered_capsule(&r, CD_REAL_MAX, &more, NULL, NULL))
            continue;
        if (CHECK_INT(ASK("forms", cd_cast_line_tapered_capsule(&l, &c, NULL, &got)), hit) && hit)
            CHECK_NEAR(got.t, (double)want.t - 16, 256 * EPS);
    }
}

static void volumes(void) {
    cd_tapered_capsule c = {{1, 2, 3}, {1, 2, 8}, 2, 2};
    const double pi = 3.14159265358979323846;
    CHECK_NEAR(ASK("exact", cd_tapered_capsule_volume(&c)), 20 * pi + 32 * pi / 3, 1e-14 + 64 * 4 * EPS);
    c.radius_b = 0;
    c.b.z = 4;
    CHECK_NEAR(ASK("exact", cd_tapered_capsule_volume(&c)), 32 * pi / 3, 64 * 4 * EPS);
    c.b.z =
        7; /* a cone of half angle 30 degrees on a ball: its height 3, the circle's radius sqrt(3), the cap below */
    CHECK_NEAR(ASK("exact", cd_tapered_capsule_volume(&c)), 3 * pi + 9 * pi, 64 * 4 * EPS);
    c.radius_a = -1;
    CHECK(!ASK("exact", cd_tapered_capsule_is_valid(&c)));
    CHECK_SAME(ASK("exact", cd_tapered_capsule_volume(&c)), 0);
    CHECK(cd_aabb_is_empty(cd_aabb_from_tapered_capsule(&c)));
    CHECK(!cd_test_point_tapered_capsule(c.a, &c));
    CHECK(isnan((double)cd_closest_pt_point_tapered_capsule(c.a, &c).x));
    c.radius_a = (cd_real)NAN;
    CHECK(!ASK("exact", cd_tapered_capsule_is_valid(&c)));
}

void suite_tapered(void) {
    RUN(points);
    RUN(rays);
    RUN(rays_along_the_cone);
    RUN(rays_across_the_axis);
    RUN(poles_of_small_ends);
    RUN(lines_and_segments);
    RUN(measures_and_boxes);
    RUN(segments_and_lines_are_rays);
    RUN(volumes);
}
