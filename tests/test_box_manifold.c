/* The contact of two boxes, against all axes and a patch clipped without any cleverness, in long double. */
#include "cases.h"
#include "convex_truth.h"
#include "gen.h"
#include <float.h>
#include <math.h>
#include <string.h>

typedef long double real;

#ifdef COLLIDE_DOUBLE
#define PRECISION 1e-12
#else
#define PRECISION 1e-6
#endif

/* ---- a pair ---- */

typedef struct scene {
    cd_obb a, b;
    cd_transform pose;
    bool posed;
    cd_collide_options options;
    double size; /* of both, and what lies between them */
} scene;

static void note(const scene *s) {
    test_note("margin %a, posed %d", (double)s->options.margin, (int)s->posed);
    test_note_reals("a", &s->a.center.x, 15);
    test_note_reals("b", &s->b.center.x, 15);
    if (s->posed) test_note_reals("b_in_a", &s->pose.rotation.x, 7);
}

static const cd_transform *pose_of(const scene *s) {
    return s->posed ? &s->pose : NULL;
}

static bool collide(const scene *s, cd_cache *cache, cd_manifold *m) {
    return ASK("judge", cd_collide_obb_obb(&s->a, &s->b, pose_of(s), &s->options, cache, m));
}

static double half_sum(const cd_obb *b) {
    return (double)b->half.x + (double)b->half.y + (double)b->half.z;
}

/* How far axes are from perpendicular and unit, where that is small: by so much of its size the box is another one. */
static double skew_of(const cd_obb *b) {
    double most = 0;
    for (int i = 0; i < 9; ++i) {
        double sum = i / 3 == i % 3 ? -1 : 0;
        for (int k = 0; k < 3; ++k)
            sum += (double)REALS(b->axes.col[i / 3])[k] * (double)REALS(b->axes.col[i % 3])[k];
        most = fmax(most, fabs(sum));
    }
    return most > 4e-6 ? 0 : most;
}

/* Rounding of coordinates, which points have, counts as size, and so does that of axes. */
static void measure(scene *s) {
    cd_vec3 c = s->posed ? cd_transform_point(&s->pose, s->b.center) : s->b.center;
    s->size = half_sum(&s->a) + half_sum(&s->b);
    for (int k = 0; k < 3; ++k) {
        s->size = fmax(s->size, fabs((double)REALS(c)[k]));
        s->size = fmax(s->size, fabs((double)REALS(s->a.center)[k]));
    }
    if (sizeof(cd_real) == 8)
        s->size += (half_sum(&s->a) + half_sum(&s->b)) * (skew_of(&s->a) + skew_of(&s->b)) / PRECISION;
}

static cd_obb box_of(double hx, double hy, double hz) {
    cd_obb b;
    b.center = cd_vec3_make(0, 0, 0);
    b.axes = cd_quat_to_mat3(cd_quat_identity());
    b.half = cd_vec3_make((cd_real)hx, (cd_real)hy, (cd_real)hz);
    return b;
}

/* ---- the reference: two boxes in a frame whose origin is A's center ---- */

typedef struct solid {
    real center[3], axis[3][3], half[3];
} solid;

static real dot(const real a[3], const real b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const real a[3], const real b[3], real out[3]) {
    for (int k = 0; k < 3; ++k) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void turned(cd_quat q, const real v[3], real out[3]) {
    real x = q.x, y = q.y, z = q.z, w = q.w, s = x * x + y * y + z * z + w * w, k = s > 0 ? 2 / s : 0;
    out[0] = v[0] + k * (-(y * y + z * z) * v[0] + (x * y - z * w) * v[1] + (x * z + y * w) * v[2]);
    out[1] = v[1] + k * ((x * y + z * w) * v[0] - (x * x + z * z) * v[1] + (y * z - x * w) * v[2]);
    out[2] = v[2] + k * ((x * z - y * w) * v[0] + (y * z + x * w) * v[1] - (x * x + y * y) * v[2]);
}

static solid solid_of(const cd_obb *b, const cd_transform *pose, cd_vec3 origin) {
    solid s;
    for (int k = 0; k < 3; ++k) {
        s.center[k] = (real)REALS(b->center)[k];
        s.half[k] = (real)REALS(b->half)[k];
        for (int i = 0; i < 3; ++i) s.axis[i][k] = (real)REALS(b->axes.col[i])[k];
    }
    if (pose) {
        real v[3];
        for (int i = 0; i < 3; ++i) {
            turned(pose->rotation, s.axis[i], v);
            memcpy(s.axis[i], v, sizeof v);
        }
        turned(pose->rotation, s.center, v);
        for (int k = 0; k < 3; ++k) s.center[k] = v[k] + (real)REALS(pose->position)[k];
    }
    for (int k = 0; k < 3; ++k) s.center[k] -= (real)REALS(origin)[k];
    return s;
}

static real reach(const solid *s, const real n[3]) {
    real sum = 0;
    for (int i = 0; i < 3; ++i) sum += fabsl(dot(n, s->axis[i])) * s->half[i];
    return sum;
}

/* How far apart they are along a direction of any length. */
static real along(const solid *a, const solid *b, const real n[3]) {
    real way[3], length = sqrtl(dot(n, n));
    for (int k = 0; k < 3; ++k) way[k] = b->center[k] - a->center[k];
    return (fabsl(dot(n, way)) - reach(a, n) - reach(b, n)) / length;
}

/* The greatest separation of the fifteen axes. */
static real by_axes(const solid *a, const solid *b) {
    real best = -HUGE_VALL, n[3];
    for (int i = 0; i < 3; ++i) {
        cross(a->axis[(i + 1) % 3], a->axis[(i + 2) % 3], n);
        best = fmaxl(best, along(a, b, n));
        cross(b->axis[(i + 1) % 3], b->axis[(i + 2) % 3], n);
        best = fmaxl(best, along(a, b, n));
        for (int j = 0; j < 3; ++j) {
            cross(a->axis[i], b->axis[j], n);
            if (dot(n, n) > 1e-12L) best = fmaxl(best, along(a, b, n));
        }
    }
    return best;
}

/* How far a point of that frame is out of the box. */
static real outside(const solid *s, const real p[3]) {
    real most = 0;
    for (int i = 0; i < 3; ++i) {
        real v[3];
        for (int k = 0; k < 3; ++k) v[k] = p[k] - s->center[k];
        most = fmaxl(most, fabsl(dot(v, s->axis[i])) - s->half[i]);
    }
    return most;
}

/* ---- the patch: a polygon cut by one plane after another ---- */

typedef struct corner {
    real p[3], distance; /* on B's face; how far from A's along the normal */
} corner;

static int cut(const corner *in, int count, const real n[3], real d, corner *out) {
    int made = 0;
    for (int i = 0; i < count; ++i) {
        const corner *p = &in[i], *q = &in[(i + 1) % count];
        real s = dot(n, p->p) - d, t = dot(n, q->p) - d;
        if (s <= 0) out[made++] = *p;
        if ((s <= 0) != (t <= 0)) {
            for (int k = 0; k < 3; ++k) out[made].p[k] = p->p[k] + (q->p[k] - p->p[k]) * (s / (s - t));
            ++made;
        }
    }
    return made;
}

/* Of the face whose normal is nearest to n; the sign is that of the side. */
static int foremost(const solid *s, const real n[3], int *sign) {
    int best = 0;
    for (int i = 1; i < 3; ++i)
        if (fabsl(dot(n, s->axis[i])) > fabsl(dot(n, s->axis[best]))) best = i;
    *sign = dot(n, s->axis[best]) > 0 ? 1 : -1;
    return best;
}

/* The plane through a side of a face, along n: its normal points outward; sides 0 and 2 are opposite each other, and so 1 and 3. */
static real side_of(const solid *s, int face, int sign, int side, const real n[3], real m[3]) {
    int w = (face + 1 + side % 2) % 3, o = (face + 2 - side % 2) % 3;
    real at[3], length;
    cross(s->axis[o], n, m);
    length = sqrtl(dot(m, m));
    if ((dot(m, s->axis[w]) > 0) != (side < 2)) length = -length;
    for (int c = 0; c < 3; ++c) {
        m[c] /= length;
        at[c] = s->center[c] + sign * s->half[face] * s->axis[face][c] +
                (side < 2 ? 1 : -1) * s->half[w] * s->axis[w][c];
    }
    return dot(m, at);
}

static int patch_of(const solid *a, const solid *b, const real n[3], corner out[16]) {
    corner p[16];
    real back[3], up;
    int sign_a, sign_b, i, k = foremost(a, n, &sign_a), l, count = 4;
    for (int c = 0; c < 3; ++c) back[c] = -n[c];
    l = foremost(b, back, &sign_b);
    for (i = 0; i < 4; ++i) {
        real u = (i == 1 || i == 2 ? 1 : -1) * b->half[(l + 1) % 3],
             v = (i >= 2 ? 1 : -1) * b->half[(l + 2) % 3];
        for (int c = 0; c < 3; ++c)
            p[i].p[c] = b->center[c] + sign_b * b->half[l] * b->axis[l][c] + u * b->axis[(l + 1) % 3][c] +
                        v * b->axis[(l + 2) % 3][c];
    }
    for (int side = 0; side < 4; ++side) {
        real m[3], d = side_of(a, k, sign_a, side, n, m);
        count = cut(p, count, m, d, out);
        memcpy(p, out, sizeof p);
    }
    up = dot(a->axis[k], n);
    for (i = 0; i < count; ++i) {
        real v[3];
        for (int c = 0; c < 3; ++c) v[c] = out[i].p[c] - a->center[c];
        out[i].distance = (dot(a->axis[k], v) - sign_a * a->half[k]) / up;
    }
    return count;
}

/* Twice the area across n of a polygon in order. */
static real area_of(const corner *p, int count, const real n[3]) {
    real sum = 0;
    for (int i = 2; i < count; ++i) {
        real u[3], v[3], w[3];
        for (int k = 0; k < 3; ++k) {
            u[k] = p[i - 1].p[k] - p[0].p[k];
            v[k] = p[i].p[k] - p[0].p[k];
        }
        cross(u, v, w);
        sum += dot(w, n);
    }
    return fabsl(sum);
}

/* ---- the judge ---- */

static void to_frame(const scene *s, cd_vec3 p, real out[3]) {
    for (int k = 0; k < 3; ++k) out[k] = (real)REALS(p)[k] - (real)REALS(s->a.center)[k];
}

/* Each is on both surfaces, as far apart as it says, and none is deeper than they are. */
static void check_points(const scene *s, const solid *a, const solid *b, const cd_manifold *m,
                         const real n[3], real distance) {
    real tolerance = 2 * PRECISION * s->size, least = HUGE_VALL;
    CHECK(m->count >= 1 && m->count <= CD_MANIFOLD_POINTS);
    for (uint32_t i = 0; i < m->count; ++i) {
        const cd_contact *c = &m->points[i];
        real p[3], q[3];
        to_frame(s, c->a, p);
        to_frame(s, c->b, q);
        CHECK(outside(a, p) <= tolerance && outside(b, q) <= tolerance);
        for (int k = 0; k < 3; ++k) CHECK_NEAR(q[k] - p[k], c->distance * n[k], (double)tolerance);
        CHECK((real)c->distance >= distance - tolerance);
        CHECK((real)c->distance <= (real)s->options.margin + tolerance);
        CHECK(CD_FEATURE_KIND(c->feature_a) != 0 && CD_FEATURE_KIND(c->feature_b) != 0);
        least = fminl(least, (real)c->distance);
        for (uint32_t k = 0; k < i; ++k)
            CHECK(m->points[k].feature_a != c->feature_a || m->points[k].feature_b != c->feature_b);
    }
    CHECK_NEAR(least, distance, (double)tolerance);
}

/* Is a point in both foremost faces, as seen along n, and on two sides of them that are not opposite each other? So exactly is it the corner
 * of a patch whose sides are off by the tolerance at most; where two of them are all but parallel, it may be far from that of the patch itself. */
static bool is_corner(const solid *a, const solid *b, const real n[3], const real p[3], real tolerance) {
    bool on[2][2] = {{false, false}, {false, false}};
    for (int i = 0; i < 2; ++i) {
        const solid *s = i ? b : a;
        real front[3];
        int sign, face;
        for (int c = 0; c < 3; ++c) front[c] = i ? -n[c] : n[c];
        face = foremost(s, front, &sign);
        for (int side = 0; side < 4; ++side) {
            real m[3], d = side_of(s, face, sign, side, n, m), off = dot(m, p) - d;
            if (off > tolerance) return false;
            on[i][side % 2] = on[i][side % 2] || off >= -tolerance;
        }
    }
    return (on[0][0] && on[0][1]) || (on[1][0] && on[1][1]) ||
           ((on[0][0] || on[0][1]) && (on[1][0] || on[1][1]));
}

/* To the left around the normal, from the smallest name on. */
static void check_order(const corner *p, const cd_manifold *m, const real n[3], real tolerance) {
    uint32_t count = m->count;
    for (uint32_t i = 0; i < count && count > 2; ++i) {
        const real *a = p[i].p, *b = p[(i + 1) % count].p, *c = p[(i + 2) % count].p;
        real u[3], v[3], w[3];
        for (int k = 0; k < 3; ++k) {
            u[k] = b[k] - a[k];
            v[k] = c[k] - b[k];
        }
        cross(u, v, w);
        CHECK(dot(w, n) >= -tolerance);
    }
    for (uint32_t i = 1; i < count; ++i) {
        const cd_contact *c = &m->points[0], *d = &m->points[i];
        CHECK(c->feature_a < d->feature_a || (c->feature_a == d->feature_a && c->feature_b < d->feature_b));
    }
}

/* Every point is a corner of the patch, as near as points are to be to both surfaces; and those kept span at least half of what they may be
 * chosen of. */
static void check_patch(const scene *s, const solid *a, const solid *b, const cd_manifold *m,
                        const real n[3]) {
    real tolerance = 4 * PRECISION * s->size, nearby = HUGE_VALL, whole;
    corner all[16], kept[CD_MANIFOLD_POINTS], fine[16];
    int count = patch_of(a, b, n, all), left = 0;
    for (int k = 0; k < 3; ++k) {
        if (a->half[k] > 0) nearby = fminl(nearby, a->half[k] / 8);
        if (b->half[k] > 0) nearby = fminl(nearby, b->half[k] / 8);
    }
    for (uint32_t i = 0; i < m->count; ++i) {
        to_frame(s, m->points[i].b, kept[i].p);
        CHECK(is_corner(a, b, n, kept[i].p, PRECISION * s->size));
    }
    for (int j = 0; j < count; ++j)
        if (all[j].distance <= (real)s->options.margin) fine[left++] = all[j];
    check_order(kept, m, n, tolerance * (real)s->size);
    whole = area_of(fine, left, n);
    CHECK(2 * area_of(kept, (int)m->count, n) >= 0.98L * whole - (tolerance + nearby) * (real)s->size * 8);
}

/* The signed distance is in lower ... upper. */
static void distance_of(const scene *s, const solid *a, const solid *b, real tolerance, real *lower,
                        real *upper) {
    *lower = *upper = by_axes(a, b);
    if (*lower > 0 && *lower <= (real)s->options.margin + tolerance) { /* it may be more than the axes say */
        static truth_pair pair;
        cd_support x = cd_support_of_obb(&s->a), y = cd_support_of_obb(&s->b);
        truth t;
        truth_open(&pair, &x, &y, pose_of(s));
        t = truth_by_features(&pair);
        *lower = t.lower;
        *upper = t.upper;
    }
}

/* Whatever answered; `patch`: where overlapping boxes have faces in common. */
static bool judge(scene *s, cd_cache *cache, bool patch) {
    solid a, b;
    cd_manifold m;
    real lower, upper, distance, n[3], way[3], tolerance;
    bool met;
    measure(s);
    note(s);
    tolerance = 2 * PRECISION * s->size;
    met = collide(s, cache, &m);
    a = solid_of(&s->a, NULL, s->a.center);
    b = solid_of(&s->b, pose_of(s), s->a.center);
    distance_of(s, &a, &b, tolerance, &lower, &upper);
    if (!met) return !CHECK(upper >= (real)s->options.margin - tolerance);
    CHECK(lower <= (real)s->options.margin + tolerance);
    for (int k = 0; k < 3; ++k) n[k] = (real)REALS(m.normal)[k];
    for (int k = 0; k < 3; ++k) way[k] = b.center[k] - a.center[k];
    CHECK_NEAR(sqrtl(dot(n, n)), 1, 4 * CD_REAL_EPSILON);
    distance = dot(n, way) - reach(&a, n) - reach(&b, n);
    CHECK(distance >= lower - tolerance && distance <= upper + tolerance);
    check_points(s, &a, &b, &m, n, distance);
    if (patch && distance < -tolerance) check_patch(s, &a, &b, &m, n);
    CHECK_INT(m.part_a.child, CD_NONE);
    CHECK_INT(m.part_b.child, CD_NONE);
    return met;
}

/* ---- pairs ---- */

static double half_of(test_rng *rng) {
    return test_range(rng, 0.3, 1.0);
}

/* In any orientation, a point a little inside of A on one of B: or outside by a share. */
static scene any_pair(test_rng *rng, double lo, double hi) {
    scene s;
    double ha[3], hb[3], x[3], y[3], share = test_range(rng, lo, hi);
    int fa = test_int(rng, 0, 2), fb = test_int(rng, 0, 2);
    memset(&s, 0, sizeof s);
    for (int k = 0; k < 3; ++k) {
        ha[k] = half_of(rng);
        hb[k] = half_of(rng);
    }
    s.a = box_of(ha[0], ha[1], ha[2]);
    s.b = box_of(hb[0], hb[1], hb[2]);
    s.a.axes = cd_quat_to_mat3(gen_quat(rng));
    s.b.axes = cd_quat_to_mat3(gen_quat(rng));
    for (int k = 0; k < 3; ++k) {
        REALS(s.a.center)[k] = (cd_real)test_range(rng, -2, 2);
        x[k] = test_range(rng, -1, 1) * ha[k];
        y[k] = test_range(rng, -1, 1) * hb[k];
    }
    x[fa] = test_int(rng, 0, 1) ? ha[fa] : -ha[fa];
    y[fb] = test_int(rng, 0, 1) ? hb[fb] : -hb[fb];
    for (int c = 0; c < 3; ++c) {
        double at = (double)REALS(s.a.center)[c];
        for (int k = 0; k < 3; ++k)
            at +=
                share * ((double)REALS(s.a.axes.col[k])[c] * x[k] - (double)REALS(s.b.axes.col[k])[c] * y[k]);
        REALS(s.b.center)[c] = (cd_real)at;
    }
    return s;
}

/* B on A, a little deep; turned about the vertical, and tilted. */
static scene stack(test_rng *rng, double deep, double tilt) {
    scene s;
    double yaw = test_range(rng, -4, 4), off[3];
    cd_quat turn, lean;
    cd_vec3 axis = cd_vec3_make((cd_real)test_range(rng, -1, 1), (cd_real)test_range(rng, -1, 1),
                                (cd_real)test_range(rng, -1, 1));
    memset(&s, 0, sizeof s);
    for (int k = 0; k < 3; ++k) {
        REALS(s.a.half)[k] = (cd_real)half_of(rng);
        REALS(s.b.half)[k] = (cd_real)half_of(rng);
    }
    turn = cd_quat_from_axis_angle(cd_vec3_make(0, 0, 1), (cd_real)yaw);
    lean = cd_quat_from_axis_angle(axis, (cd_real)tilt);
    s.a.axes = cd_quat_to_mat3(cd_quat_identity());
    s.b.axes = cd_quat_to_mat3(cd_quat_mul(lean, turn));
    off[0] = test_range(rng, -0.8, 0.8) * (double)s.a.half.x;
    off[1] = test_range(rng, -0.8, 0.8) * (double)s.a.half.y;
    off[2] = (double)s.a.half.z + (double)s.b.half.z - deep;
    s.b.center = cd_vec3_make((cd_real)off[0], (cd_real)off[1], (cd_real)off[2]);
    return s;
}

static void random_pairs(void) {
    test_rng rng = test_random();
    long met = 0, times = test_times(1500);
    for (long i = 0; i < times; ++i) {
        scene s = any_pair(&rng, 0.6, 1.0);
        met += judge(&s, NULL, true);
        s.options.margin = 2; /* all corners of the patch */
        judge(&s, NULL, true);
    }
    CHECK_SEEN(met > times / 2);
}

static void stacks(void) {
    test_rng rng = test_random();
    for (long i = test_times(1500); i-- > 0;) {
        double tilt = test_int(&rng, 0, 3) ? pow(10, test_range(&rng, -9, -1)) : 0;
        scene s = stack(&rng, test_range(&rng, 0, 0.05), tilt);
        judge(&s, NULL, true);
        s.options.margin = (cd_real)0.01;
        judge(&s, NULL, true);
    }
}

/* B's lowest face, so moved that as seen from above the middle of one of its sides is in the middle of one of A's. */
static void cross_sides(scene *s, int side) {
    solid b = solid_of(&s->b, NULL, s->a.center);
    real down[3] = {0, 0, -1};
    int sign, l = foremost(&b, down, &sign), m = (l + 1 + side / 4 % 2) % 3, w = side / 2 % 2;
    for (int k = 0; k < 2; ++k) {
        real at = sign * b.half[l] * b.axis[l][k] + (side / 8 % 2 ? 1 : -1) * b.half[m] * b.axis[m][k];
        real to = k == w ? (side % 2 ? 1 : -1) * (real)REALS(s->a.half)[k] : 0;
        REALS(s->b.center)[k] = (cd_real)(to - at);
    }
}

/* Faces that are foremost, but steep, over a diagonal: seen along the normal, B's is no rectangle. */
static void steep(void) {
    test_rng rng = test_random();
    for (long i = test_times(1000); i-- > 0;) {
        scene s = stack(&rng, 0, 0);
        double course = test_range(&rng, -3, 3), off = test_range(&rng, -0.3, 0.3),
               up = (double)s.a.half.z - 0.05;
        cd_vec3 axis = cd_vec3_make((cd_real)cos(course), (cd_real)sin(course), 0);
        cd_quat yaw = cd_quat_from_axis_angle(cd_vec3_make(0, 0, 1), (cd_real)(0.785 + off));
        cd_quat turn = cd_quat_from_axis_angle(cd_vec3_make(0, 0, 1), (cd_real)course);
        cd_quat lean = cd_quat_from_axis_angle(axis, (cd_real)test_range(&rng, 0.6, 0.95));
        s.b.axes = cd_quat_to_mat3(cd_quat_mul(lean, cd_quat_mul(turn, yaw)));
        for (int k = 0; k < 3; ++k) up += fabs((double)s.b.axes.col[k].z) * (double)REALS(s.b.half)[k];
        s.b.center.z = (cd_real)up;
        cross_sides(&s, test_int(&rng, 0, 15));
        s.options.margin = 4;
        judge(&s, NULL, true);
    }
}

/* The centers so far apart, as a share of the sum of the radii, in any direction. */
static void spread(test_rng *rng, scene *s, double share) {
    cd_vec3 ha = s->a.half, hb = s->b.half, way;
    gen g = gen_begin(rng, GEN_UNIT);
    double radius = sqrt((double)cd_vec3_dot(ha, ha)) + sqrt((double)cd_vec3_dot(hb, hb));
    way = cd_vec3_normalize(gen_direction(&g));
    s->b.center = cd_vec3_add(s->a.center, cd_vec3_scale(way, (cd_real)(share * radius)));
}

static void speculative(void) {
    test_rng rng = test_random();
    long met = 0, times = test_times(400);
    for (long i = 0; i < times; ++i) {
        scene s = any_pair(&rng, 0.9, 1.0);
        spread(&rng, &s, test_range(&rng, 0.5, 1.1));
        s.options.margin = (cd_real)test_range(&rng, 0, 0.3);
        met += judge(&s, NULL, true);
    }
    CHECK_SEEN(met > times / 16 && met < times);
}

/* All kinds of inputs, boxes of whole numbers among them, that touch, coincide, and are flat. */
static void kinds(void) {
    test_rng rng = test_random();
    for (int kind = 0; kind < GEN_KINDS; ++kind) {
        for (long i = test_times(150); i-- > 0;) {
            gen g = gen_begin(&rng, (gen_kind)kind);
            scene s;
            memset(&s, 0, sizeof s);
            s.a = gen_obb(&g);
            s.b = gen_obb(&g);
            s.posed = test_int(&rng, 0, 3) == 0;
            s.pose = gen_pose(&rng, 1);
            if (test_int(&rng, 0, 2) == 0) s.options.margin = gen_length(&g);
            judge(&s, NULL, kind == GEN_UNIT);
        }
    }
}

/* Half extents of 0: plates, rods, points; needles; boxes of very different sizes; far from the origin. */
static void odd_sizes(void) {
    test_rng rng = test_random();
    for (long i = test_times(1000); i-- > 0;) {
        scene s =
            test_int(&rng, 0, 1) ? any_pair(&rng, 0.8, 1.0) : stack(&rng, 0.01, 0.001 * test_int(&rng, 0, 2));
        int what = test_int(&rng, 0, 3);
        for (int k = 0; k < 3 && what < 2; ++k) {
            cd_real by = what ? (cd_real)1e-3 : 0;
            if (test_int(&rng, 0, 2) == 0) REALS(s.a.half)[k] *= by;
            if (test_int(&rng, 0, 2) == 0) REALS(s.b.half)[k] *= by;
        }
        if (what == 2) s.a.half = cd_vec3_scale(s.a.half, (cd_real)pow(10, test_range(&rng, 0, 6)));
        if (what == 2)
            s.b.center = cd_vec3_add(s.a.center, cd_vec3_scale(s.a.axes.col[i % 3], REALS(s.a.half)[i % 3]));
        if (what == 3) s.a.center.x += 10000, s.b.center.x += 10000;
        if (test_int(&rng, 0, 1)) s.options.margin = (cd_real)0.05;
        judge(&s, NULL, what == 3);
    }
}

static bool same_manifold(const cd_manifold *m, const cd_manifold *o) {
    bool same = m->count == o->count && m->normal.x == o->normal.x && m->normal.y == o->normal.y &&
                m->normal.z == o->normal.z;
    for (uint32_t i = 0; i < m->count && same; ++i) {
        const cd_contact *c = &m->points[i], *d = &o->points[i];
        same = c->distance == d->distance && c->feature_a == d->feature_a && c->feature_b == d->feature_b;
        for (int k = 0; k < 3; ++k)
            same = same && REALS(c->a)[k] == REALS(d->a)[k] && REALS(c->b)[k] == REALS(d->b)[k];
    }
    return same;
}

static cd_obb scaled(const cd_obb *b, double by) {
    cd_obb r = *b;
    r.center = cd_vec3_scale(b->center, (cd_real)by);
    r.half = cd_vec3_scale(b->half, (cd_real)by);
    return r;
}

/* By powers of two: the same bits. */
static void scales(void) {
    test_rng rng = test_random();
    for (long i = test_times(500); i-- > 0;) {
        scene s = i & 1 ? any_pair(&rng, 0.6, 1.0) : stack(&rng, 0.01, 0.01), t = s;
        double by = ldexp(1, test_int(&rng, -40, 40));
        cd_manifold m, o;
        bool met;
        memset(&m, 0, sizeof m);
        memset(&o, 0, sizeof o);
        s.options.margin = (cd_real)0.125;
        t.options.margin = (cd_real)(0.125 * by);
        t.a = scaled(&s.a, by);
        t.b = scaled(&s.b, by);
        note(&s);
        met = collide(&s, NULL, &m);
        CHECK_INT(collide(&t, NULL, &o), met);
        for (uint32_t k = 0; k < m.count; ++k) {
            m.points[k].a = cd_vec3_scale(m.points[k].a, (cd_real)by);
            m.points[k].b = cd_vec3_scale(m.points[k].b, (cd_real)by);
            m.points[k].distance *= (cd_real)by;
        }
        CHECK(same_manifold(&m, &o));
    }
}

static real deepest(const cd_manifold *m) {
    real least = HUGE_VALL;
    for (uint32_t i = 0; i < m->count; ++i) least = fminl(least, (real)m->points[i].distance);
    return least;
}

/* How many of the names of one are in the other, or, `swapped`, with A's and B's exchanged. */
static uint32_t shared_names(const cd_manifold *m, const cd_manifold *o, bool swapped) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < m->count; ++i) {
        for (uint32_t k = 0; k < o->count; ++k) {
            const cd_contact *c = &m->points[i], *d = &o->points[k];
            found += c->feature_a == (swapped ? d->feature_b : d->feature_a) &&
                     c->feature_b == (swapped ? d->feature_a : d->feature_b);
        }
    }
    return found;
}

/* The other way round, and from a pose: as deep, and by the same names but where two answers are nearly as good. */
static void swaps_and_poses(void) {
    test_rng rng = test_random();
    long times = test_times(1000), other = 0;
    for (long i = 0; i < times; ++i) {
        scene s = i & 1 ? any_pair(&rng, 0.6, 1.0) : stack(&rng, 0.01, 0.01), t = s;
        cd_transform move = gen_pose(&rng, 1), back = cd_transform_inverse(&move);
        cd_manifold m, o, q;
        measure(&s);
        note(&s);
        if (!collide(&s, NULL, &m)) continue;
        t.a = s.b;
        t.b = s.a;
        if (CHECK(collide(&t, NULL, &o))) {
            CHECK_NEAR(deepest(&o), deepest(&m), 2 * PRECISION * s.size);
            other += shared_names(&m, &o, true) != m.count;
        }
        t = s;
        t.b = cd_obb_transform(&s.b, &back);
        t.pose = move;
        t.posed = true;
        if (CHECK(collide(&t, NULL, &q))) {
            CHECK_NEAR(deepest(&q), deepest(&m), 4 * PRECISION * s.size);
            other += shared_names(&m, &q, false) != m.count;
        }
    }
    CHECK(other <= times / 20 + 3);
}

/* A cache of anything is a hint. */
static void caches(void) {
    test_rng rng = test_random();
    for (long i = test_times(500); i-- > 0;) {
        scene s = i & 1 ? any_pair(&rng, 0.6, 1.0) : stack(&rng, 0.01, 0.01);
        cd_cache cache, copy;
        cd_manifold m, o;
        for (int k = 0; k < 8; ++k) cache.words[k] = (uint32_t)test_next(&rng);
        if (test_int(&rng, 0, 1)) cache.words[0] = 0xB0C50000u | (cache.words[0] & 15u);
        copy = cache;
        judge(&s, &cache, true);
        judge(&s, &cache, true);
        memset(&m, 0, sizeof m);
        memset(&o, 0, sizeof o);
        cache = copy;
        collide(&s, &cache, &m);
        collide(&s, &copy, &o);
        CHECK(same_manifold(&m, &o) && memcmp(&cache, &copy, sizeof copy) == 0);
        collide(&s, &cache, &m);
        CHECK(same_manifold(&m, &o)); /* where it ends is where it stays */
    }
}

/* Many at once: the same bits, and what is told of those that do not meet. */
static void batches(void) {
    enum { MANY = 33 };
    static cd_obb a[MANY], b[MANY];
    static cd_cache caches[MANY], other[MANY];
    static cd_transform poses[MANY];
    static cd_manifold out[MANY];
    test_rng rng = test_random();
    for (long i = test_times(40); i-- > 0;) {
        size_t count = (size_t)test_int(&rng, 0, MANY), found = 0, told;
        bool posed = test_int(&rng, 0, 1), cached = test_int(&rng, 0, 1);
        cd_collide_options options;
        memset(&options, 0, sizeof options);
        options.margin = (cd_real)test_range(&rng, 0, 0.1);
        for (size_t k = 0; k < count; ++k) {
            scene s = k & 1 ? any_pair(&rng, 0.6, 1.0) : stack(&rng, 0.01, 0.01);
            if (k % 5 == 0) spread(&rng, &s, test_range(&rng, 0.5, 1.1));
            a[k] = s.a;
            b[k] = s.b;
            poses[k] = gen_pose(&rng, 0.25);
            memset(&caches[k], 0, sizeof caches[k]);
        }
        memcpy(other, caches, sizeof caches);
        for (int turn = 0; turn < 2; ++turn) {
            told = ASK("loop", cd_collide_obbs(a, b, posed ? poses : NULL, count, &options,
                                               cached ? caches : NULL, out));
            found = 0;
            for (size_t k = 0; k < count; ++k) {
                cd_manifold m;
                m.count = 0;
                found += ASK("loop", cd_collide_obb_obb(&a[k], &b[k], posed ? &poses[k] : NULL, &options,
                                                        cached ? &other[k] : NULL, &m));
                CHECK(m.count == 0 ? out[k].count == 0 : same_manifold(&m, &out[k]));
            }
            CHECK_INT(told, found);
            CHECK(memcmp(other, caches, sizeof caches) == 0);
            CHECK_INT(ASK("loop", cd_collide_obbs(a, b, posed ? poses : NULL, count, &options, NULL, NULL)) >
                          0,
                      found > 0);
        }
    }
}

typedef struct told {
    cd_manifold corners[16]; /* a point each */
    uint32_t count;
} told;

static bool keep_corner(void *user, const cd_manifold *m, const cd_contact *c) {
    told *t = (told *)user;
    t->corners[t->count] = *m;
    t->corners[t->count].points[0] = *c;
    t->corners[t->count].count = 1;
    return ++t->count < 16;
}

/* As any two bodies: as deep, by a normal as good, and where that is the same, corners of the same names: all of them, where there are
 * no more than four. */
static void as_convex(void) {
    test_rng rng = test_random();
    long times = test_times(300), other = 0, compared = 0;
    for (long i = 0; i < times; ++i) {
        scene s = i & 1 ? any_pair(&rng, 0.6, 1.0) : stack(&rng, 0.01, 0.01);
        cd_support a, b;
        cd_manifold m;
        told all;
        bool met;
        uint32_t found = 0;
        if (i % 8 == 0) spread(&rng, &s, test_range(&rng, 0.5, 0.9));
        if (i % 16 == 0) s.options.margin = (cd_real)0.1;
        measure(&s);
        note(&s);
        a = cd_support_of_obb(&s.a);
        b = cd_support_of_obb(&s.b);
        all.count = 0;
        met = collide(&s, NULL, &m);
        CHECK_INT(ASK("forms", cd_collide_convex_all(&a, &b, NULL, &s.options, NULL, keep_corner, &all)) > 0,
                  met);
        if (!met || all.count == 0) continue;
        CHECK(cd_vec3_dot(m.normal, all.corners[0].normal) > 0 || deepest(&m) < -0.1L);
        if (cd_vec3_dot(m.normal, all.corners[0].normal) < 1 - (cd_real)1e-5) continue;
        ++compared;
        for (uint32_t k = 0; k < all.count; ++k) found += shared_names(&all.corners[k], &m, false);
        other += found != m.count || (all.count < 5 && all.count != m.count);
    }
    CHECK_SEEN(compared > times / 2);
    CHECK(other <= times / 20 + 3);
}

/* ---- at rest ---- */

/* B on A, moved by less than a hundredth of an edge from step to step: its points keep their names. `hang`: over A's border, where there are
 * more than four; there a tilt may bring another one to be the deepest, and so in the place of one of them. So, but seldom, where both are
 * `equal`: an edge that lies in the tilt's axis may be crossed in its middle. */
static void rest(test_rng *rng, bool hang, bool equal, bool tilted) {
    enum { STEPS = 1000 };
    scene s = stack(rng, 0.002, 0);
    cd_cache cache;
    cd_manifold m, before;
    long changed = 0, steps = test_is_tiny() ? STEPS / 10 : STEPS;
    double edge = 0.6, yaw = 0;
    cd_vec3 at;
    if (equal) {
        s.b.half = s.a.half;
        s.b.center = cd_vec3_make(0, 0, s.b.center.z);
    } else if (!hang) {
        s.b.half = cd_vec3_make((cd_real)0.3, (cd_real)0.4, (cd_real)0.5);
        s.a.half = cd_vec3_make(2, 3, 1);
        s.b.center = cd_vec3_make(0, 0, (cd_real)1.5);
        yaw = test_range(rng, -3, 3);
    } else {
        s.a.half.x = s.b.half.x = 1;
        s.a.half.y = s.b.half.y = (cd_real)0.75;
        s.b.center = cd_vec3_make((cd_real)0.6, (cd_real)0.3, s.a.half.z + s.b.half.z);
        yaw = 0.5;
    }
    at = s.b.center;
    at.z = s.a.half.z + s.b.half.z - (cd_real)0.004;
    memset(&cache, 0, sizeof cache);
    memset(&before, 0, sizeof before);
    for (long i = 0; i < steps; ++i) {
        cd_quat turn =
            cd_quat_from_axis_angle(cd_vec3_make(0, 0, 1), (cd_real)(yaw + test_range(rng, -0.004, 0.004)));
        cd_quat lean = cd_quat_from_axis_angle(
            cd_vec3_make((cd_real)test_range(rng, -1, 1), (cd_real)test_range(rng, -1, 1), 0),
            (cd_real)(tilted ? test_range(rng, 0, 0.001) : 0));
        s.b.axes = cd_quat_to_mat3(cd_quat_mul(lean, turn));
        for (int k = 0; k < 3; ++k) REALS(s.b.center)
        [k] = REALS(at)[k] +
              (cd_real)test_range(rng, k == 2 ? -0.001 : -0.004 * edge, k == 2 ? 0.001 : 0.004 * edge);
        s.options.margin = (cd_real)0.01;
        note(&s);
        if (!CHECK(collide(&s, &cache, &m))) return;
        CHECK_INT(m.count, 4);
        if (i > 0) changed += 4 - (long)shared_names(&m, &before, false);
        if (i > 0) CHECK(shared_names(&m, &before, false) >= 3);
        before = m;
    }
    CHECK(changed <= (equal && tilted ? steps / 50 : 0) || (hang && tilted));
}

static void resting(void) {
    test_rng rng = test_random();
    rest(&rng, false, false, true);
    rest(&rng, false, true, true);
    rest(&rng, true, false, false);
    rest(&rng, true, false, true);
}

/* ---- edges ---- */

/* Edges all but parallel never win by rounding: B on A, turned by tiny angles. */
static void parallel_edges(void) {
    test_rng rng = test_random();
    for (long i = test_times(400); i-- > 0;) {
        scene s = stack(&rng, 0.01, 0);
        cd_manifold m;
        double angle = pow(10, test_range(&rng, -9, -4));
        cd_quat lean = cd_quat_from_axis_angle(
            cd_vec3_make((cd_real)test_range(&rng, -1, 1), (cd_real)test_range(&rng, -1, 1), 1),
            (cd_real)angle);
        cd_quat both = gen_quat(&rng);
        s.b.axes = cd_quat_to_mat3(cd_quat_mul(both, lean));
        s.a.axes = cd_quat_to_mat3(both);
        s.b.center = cd_quat_rotate(both, s.b.center);
        judge(&s, NULL, true);
        if (!CHECK(collide(&s, NULL, &m))) continue;
        CHECK_INT(m.count, 4);
        CHECK_NEAR(cd_vec3_dot(m.normal, s.a.axes.col[2]), 1, 1e-6);
    }
}

/* Axes that are off by a little are made straight; those off by more are taken as they are. */
static void skewed_axes(void) {
    test_rng rng = test_random();
    for (long i = test_times(300); i-- > 0;) {
        scene s = i & 1 ? any_pair(&rng, 0.6, 1.0) : stack(&rng, 0.01, 0.01);
        double off = pow(10, test_range(&rng, -9, -3.5));
        solid a, b;
        cd_manifold m;
        for (int k = 0; k < 9; ++k) {
            REALS(s.a.axes)[k] += (cd_real)test_range(&rng, -off, off);
            REALS(s.b.axes)[k] += (cd_real)test_range(&rng, -off, off);
        }
        s.posed = test_int(&rng, 0, 1);
        s.pose = cd_transform_identity();
        measure(&s);
        note(&s);
        if (!collide(&s, NULL, &m)) continue;
        a = solid_of(&s.a, NULL, s.a.center);
        b = solid_of(&s.b, NULL, s.a.center);
        CHECK_NEAR(deepest(&m), by_axes(&a, &b), 1e-5 * (half_sum(&s.a) + half_sum(&s.b)));
    }
}

/* ---- the real cases ---- */

static void read_box(const json *one, const char *name, cd_obb *b) {
    const json *shape = json_get(json_get(one, "input"), name);
    double center[3], half[3], axes[9];
    json_reals(json_get(shape, "center"), center, 3);
    json_reals(json_get(shape, "half"), half, 3);
    json_reals(json_get(shape, "axes"), axes, 9);
    for (int k = 0; k < 3; ++k) {
        REALS(b->center)[k] = (cd_real)center[k];
        REALS(b->half)[k] = (cd_real)half[k];
        for (int i = 0; i < 3; ++i) REALS(b->axes.col[k])[i] = (cd_real)axes[3 * k + i];
    }
}

/* Rounded to floats they are other boxes, but nearly as far apart. */
static void check_case(const json *one, const json *expected) {
    const json *stated = json_get(one, "source_expected");
    double want = json_real(expected, "signed_distance"), points = json_real(stated, "contact_points");
    double normal[3], off = 0;
    scene s;
    cd_manifold m;
    memset(&s, 0, sizeof s);
    read_box(one, "a", &s.a);
    read_box(one, "b", &s.b);
    measure(&s);
    if (!cd_obb_is_valid(&s.a) || !cd_obb_is_valid(&s.b)) {
        CHECK(!collide(&s, NULL, &m));
        return;
    }
    if (fabs(want) > 4 * PRECISION * s.size) CHECK_INT(collide(&s, NULL, &m), want <= 0);
    judge(&s, NULL, true);
    if (!cases_is(one, "near")) s.options.margin = (cd_real)fmax(0, want + 4 * PRECISION * s.size);
    judge(&s, NULL, true);
    if (!collide(&s, NULL, &m)) {
        CHECK(cases_is(one, "near"));
        return;
    }
    CHECK_NEAR(deepest(&m), want, 4 * PRECISION * s.size);
    if (points == points && want < 0) CHECK_INT(m.count, (int)points);
    if (!json_true(expected, "normal_unique") || !cases_is(one, "clear")) return;
    json_reals(json_get(expected, "normal_a_to_b"), normal, 3);
    for (int k = 0; k < 3; ++k) off = fmax(off, fabs((double)REALS(m.normal)[k] - normal[k]));
    CHECK(off <= 1e-3 || -want < 1e-5);
}

static void real_cases(void) {
    cases_each("box_box_manifold", check_case);
    cases_each("obb_obb", check_case);
}

/* ---- invalid ---- */

static void invalid(void) {
    test_rng rng = test_random();
    for (int i = 0; i < gen_bad_count; ++i) {
        for (int k = 0; k < 31; ++k) {
            scene s = any_pair(&rng, 0.6, 0.9);
            cd_manifold m;
            cd_real bad = (cd_real)gen_bad_numbers[i];
            m.count = 77;
            s.posed = k >= 30;
            if (k < 15) REALS(s.a)[k] = bad;
            if (k >= 15 && k < 30) REALS(s.b)[k - 15] = bad;
            if (k == 30) s.pose.position.x = bad;
            note(&s);
            if (!collide(&s, NULL, &m)) {
                CHECK_INT(m.count, 77);
                continue;
            }
            CHECK(cd_obb_is_valid(&s.a) && cd_obb_is_valid(&s.b) && cd_vec3_is_valid(m.normal));
        }
    }
    {
        scene s = stack(&rng, 0.01, 0);
        s.a.axes.col[0] = cd_vec3_neg(s.a.axes.col[0]); /* left-handed */
        s.b.axes.col[0] = cd_vec3_neg(s.b.axes.col[0]);
        CHECK(!collide(&s, NULL, NULL));
        s = stack(&rng, 0.01, 0);
        CHECK(collide(&s, NULL, NULL));
        s.options.margin = (cd_real)-0.005;
        CHECK(collide(&s, NULL, NULL));
        s.options.margin = (cd_real)-0.02;
        CHECK(!collide(&s, NULL, NULL));
    }
}

void suite_box_manifold(void) {
    RUN(odd_sizes);
    RUN(scales);
    RUN(swaps_and_poses);
    RUN(caches);
    RUN(batches);
    RUN(as_convex);
    RUN(resting);
    RUN(parallel_edges);
    RUN(skewed_axes);
    RUN(real_cases);
    RUN(invalid);
    RUN(random_pairs);
    RUN(stacks);
    RUN(steep);
    RUN(speculative);
    RUN(kinds);
}
