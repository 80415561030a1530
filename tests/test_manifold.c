/* The contacts of any two convex bodies: each point is on both, none is deeper than the depth, and the patch is the one that their faces
 * have in common. */
#include "convex_truth.h"
#include "gen.h"
#include <float.h>
#include <math.h>
#include <string.h>

#ifdef COLLIDE_DOUBLE
#define PRECISION 1e-12
#else
#define PRECISION 1e-6
#endif

static truth_pair pair;

/* ---- bodies of all kinds, about as large as 1, that stand on their lower face ---- */

enum { CORNERS = 128 };

typedef struct body {
    cd_support support, inner;
    cd_vec3 points[CORNERS];
    cd_aabb box;
    cd_obb obb;
    cd_rect rect;
    cd_disc disc;
    cd_cylinder cylinder;
    cd_cone cone;
    cd_ellipsoid ellipsoid;
    cd_tapered_capsule tapered;
    cd_hull hull;
    cd_dk_hierarchy hierarchy;
    cd_kdop dop;
    cd_kdop_set set;
    cd_kdop_body dop_body;
    const char *name;
    bool round, flat; /* has curved parts; `flat`: has no faces but planes through three corners or more */
} body;

static cd_vec3 at(double x, double y, double z) {
    return cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
}

static double length_in(test_rng *rng) {
    return test_range(rng, 0.25, 1.0);
}

/* Two rings of corners, around z; sheared by nothing, so that both are flat. */
static int prism(test_rng *rng, cd_vec3 *p, int around) {
    double r = length_in(rng), top = length_in(rng), h = length_in(rng);
    for (int i = 0; i < around; ++i) {
        double angle = 6.283185307179586 * i / around;
        p[i] = at(r * cos(angle), r * sin(angle), -h);
        p[around + i] = at(top * cos(angle), top * sin(angle), h);
    }
    return 2 * around;
}

static void hull_of(body *b, test_rng *rng) {
    int n = prism(rng, b->points, test_int(rng, 3, 12));
    CHECK_INT(cd_hull3_build(&b->hull, b->points, (size_t)n, NULL), CD_OK);
}

static void of_point(body *b, test_rng *rng) {
    b->support = cd_support_of_point(at(length_in(rng), 0, 0));
}
static void of_sphere(body *b, test_rng *rng) {
    cd_sphere s;
    s.center = at(0, 0, 0);
    s.radius = (cd_real)length_in(rng);
    b->support = cd_support_of_sphere(s);
    b->round = true;
}
static void of_segment(body *b, test_rng *rng) {
    b->points[0] = at(-length_in(rng), 0, 0);
    b->points[1] = at(length_in(rng), 0, 0);
    b->support = cd_support_of_points(b->points, 2);
}
static void of_capsule(body *b, test_rng *rng) {
    of_segment(b, rng);
    b->support = cd_support_rounded(&b->support, (cd_real)length_in(rng));
    b->round = true;
}
static void of_triangle(body *b, test_rng *rng) {
    for (int i = 0; i < 3; ++i) b->points[i] = at(test_range(rng, -1, 1), test_range(rng, -1, 1), 0);
    b->support = cd_support_of_points(b->points, 3);
}
static void of_rect(body *b, test_rng *rng) {
    double u = length_in(rng), v = length_in(rng);
    b->rect.a = at(-u, -v, 0);
    b->rect.edge[0] = at(2 * u, 0, 0);
    b->rect.edge[1] = at(0, 2 * v, 0);
    b->support = cd_support_of_rect(&b->rect);
}
static void of_lozenge(body *b, test_rng *rng) {
    of_rect(b, rng);
    b->support = cd_support_rounded(&b->support, (cd_real)length_in(rng));
    b->round = true;
}
static void of_aabb(body *b, test_rng *rng) {
    b->box.min = at(-length_in(rng), -length_in(rng), -length_in(rng));
    b->box.max = at(length_in(rng), length_in(rng), length_in(rng));
    b->support = cd_support_of_aabb(&b->box);
}
static void of_obb(body *b, test_rng *rng) {
    b->obb.center = at(0, 0, 0);
    b->obb.axes = cd_mat3_identity();
    b->obb.half = at(length_in(rng), length_in(rng), length_in(rng));
    b->support = cd_support_of_obb(&b->obb);
}
static void of_tetrahedron(body *b, test_rng *rng) {
    for (int i = 0; i < 3; ++i) b->points[i] = at(test_range(rng, -1, 1), test_range(rng, -1, 1), -0.5);
    b->points[3] = at(test_range(rng, -0.5, 0.5), test_range(rng, -0.5, 0.5), length_in(rng));
    b->support = cd_support_of_points(b->points, 4);
}
static void of_quad(body *b, test_rng *rng) {
    double s = length_in(rng);
    for (int i = 0; i < 4; ++i) b->points[i] = at(i == 1 || i == 2 ? s : -s, i > 1 ? s : -s, 0);
    b->support = cd_support_of_points(b->points, 4);
}
static void of_cloud(body *b, test_rng *rng) {
    int n = prism(rng, b->points, test_int(rng, 3, 8));
    b->support = cd_support_of_points(b->points, (size_t)n);
}
static void of_hull(body *b, test_rng *rng) {
    hull_of(b, rng);
    b->support = cd_support_of_hull(&b->hull);
}
/* Of so many corners that it is climbed, and that of its faces not all corners are taken. */
static void of_large_hull(body *b, test_rng *rng) {
    int n = prism(rng, b->points, test_int(rng, 33, CORNERS / 2));
    CHECK_INT(cd_hull3_build(&b->hull, b->points, (size_t)n, NULL), CD_OK);
    b->support = cd_support_of_hull(&b->hull);
}
static void of_polygon(body *b, test_rng *rng) {
    int n = prism(rng, b->points, test_int(rng, 3, 40)) / 2;
    CHECK_INT(cd_hull3_build(&b->hull, b->points, (size_t)n, NULL), CD_OK);
    b->support = cd_support_of_hull(&b->hull);
}
static void of_thread(body *b, test_rng *rng) {
    int n = test_int(rng, 1, 2);
    of_segment(b, rng);
    CHECK_INT(cd_hull3_build(&b->hull, b->points, (size_t)n, NULL), CD_OK);
    b->support = cd_support_of_hull(&b->hull);
}
static void of_one_point(body *b, test_rng *rng) {
    b->points[0] = at(length_in(rng), 0, 0);
    b->support = cd_support_of_points(b->points, 1);
}
static void of_disc(body *b, test_rng *rng) {
    b->disc.center = at(0, 0, 0);
    b->disc.normal = at(0, 0, 1);
    b->disc.radius = (cd_real)length_in(rng);
    b->support = cd_support_of_disc(&b->disc);
    b->round = true;
}
static void of_cylinder(body *b, test_rng *rng) {
    b->cylinder.a = at(0, 0, -length_in(rng));
    b->cylinder.b = at(0, 0, length_in(rng));
    b->cylinder.radius = (cd_real)length_in(rng);
    b->support = cd_support_of_cylinder(&b->cylinder);
    b->round = true;
}
static void of_cone(body *b, test_rng *rng) {
    b->cone.base = at(0, 0, -length_in(rng));
    b->cone.apex = at(0, 0, length_in(rng));
    b->cone.radius = (cd_real)length_in(rng);
    b->support = cd_support_of_cone(&b->cone);
    b->round = true;
}
static void of_ellipsoid(body *b, test_rng *rng) {
    b->ellipsoid.center = at(0, 0, 0);
    b->ellipsoid.axes = cd_mat3_identity();
    b->ellipsoid.half = at(length_in(rng), length_in(rng), length_in(rng));
    b->support = cd_support_of_ellipsoid(&b->ellipsoid);
    b->round = true;
}
static void of_rounded(body *b, test_rng *rng) {
    of_obb(b, rng);
    b->support = cd_support_rounded(&b->support, (cd_real)(0.5 * length_in(rng)));
    b->round = true;
}
static void of_tapered(body *b, test_rng *rng) {
    b->tapered.a = at(-1, 0, 0);
    b->tapered.b = at(1, 0, 0);
    b->tapered.radius_a = (cd_real)(0.5 * length_in(rng));
    b->tapered.radius_b = (cd_real)(0.5 * length_in(rng));
    b->support = cd_support_of_tapered_capsule(&b->tapered);
    b->round = true;
}
static void of_stretched_hull(body *b, test_rng *rng) {
    of_hull(b, rng);
    b->support = cd_support_scaled(&b->support, at(length_in(rng), -length_in(rng), length_in(rng)));
}
static void of_stretched_box(body *b, test_rng *rng) {
    of_obb(b, rng);
    b->obb.axes = cd_quat_to_mat3(gen_quat(rng));
    b->support = cd_support_scaled(&b->support, at(length_in(rng), length_in(rng), length_in(rng)));
}
static void of_stretched_cylinder(body *b, test_rng *rng) {
    of_cylinder(b, rng);
    b->support = cd_support_scaled(&b->support, at(length_in(rng), length_in(rng), length_in(rng)));
}

/* One of the caller's: that of `inner`. */
static uint32_t ask_inner(const void *user, cd_vec3 dir, uint32_t hint, cd_vec3 *out) {
    const cd_support *s = (const cd_support *)user;
    const cd_vec3 *p = (const cd_vec3 *)s->shape;
    uint32_t best = 0;
    (void)hint;
    for (uint32_t i = 1; i < s->count; ++i)
        if (cd_vec3_dot(dir, p[i]) > cd_vec3_dot(dir, p[best])) best = i;
    *out = p[best];
    return best;
}
static void of_user(body *b, test_rng *rng) {
    of_cloud(b, rng);
    b->inner = b->support;
    b->support = cd_support_of_function(ask_inner, &b->inner, b->inner.center, 0);
}
static void of_dk(body *b, test_rng *rng) {
    hull_of(b, rng);
    CHECK_INT(cd_dk_hierarchy_build(&b->hierarchy, &b->hull, NULL), CD_OK);
    b->support = cd_support_of_dk_hierarchy(&b->hierarchy);
}
static void of_kdop(body *b, test_rng *rng) {
    int n = prism(rng, b->points, 4);
    b->set = cd_kdop_set_standard(14);
    CHECK_INT(cd_kdop_from_points(b->points, (size_t)n, &b->set, &b->dop), CD_OK);
    b->dop_body.dop = &b->dop;
    b->dop_body.set = &b->set;
    b->support = cd_support_of_kdop(&b->dop_body);
}

static const struct kind {
    const char *name;
    void (*make)(body *b, test_rng *rng);
} kinds[] = {{"point", of_point},
             {"sphere", of_sphere},
             {"segment", of_segment},
             {"capsule", of_capsule},
             {"triangle", of_triangle},
             {"rectangle", of_rect},
             {"lozenge", of_lozenge},
             {"aabb", of_aabb},
             {"obb", of_obb},
             {"tetrahedron", of_tetrahedron},
             {"quad", of_quad},
             {"cloud", of_cloud},
             {"hull", of_hull},
             {"disc", of_disc},
             {"cylinder", of_cylinder},
             {"cone", of_cone},
             {"ellipsoid", of_ellipsoid},
             {"rounded box", of_rounded},
             {"tapered capsule", of_tapered},
             {"stretched hull", of_stretched_hull},
             {"stretched box", of_stretched_box},
             {"stretched cylinder", of_stretched_cylinder},
             {"dk", of_dk},
             {"k-dop", of_kdop},
             {"user", of_user},
             {"large hull", of_large_hull},
             {"flat hull", of_polygon},
             {"thread hull", of_thread},
             {"one point", of_one_point}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void make_body(body *b, int kind, test_rng *rng) {
    memset(b, 0, sizeof *b);
    b->name = kinds[kind].name;
    kinds[kind].make(b, rng);
    CHECK(cd_support_is_valid(&b->support));
}

static void free_body(body *b) {
    cd_hull_destroy(&b->hull);
    cd_dk_hierarchy_destroy(&b->hierarchy);
}

/* ---- poses ---- */

static cd_quat turn_about(cd_vec3 axis, double angle) {
    cd_quat q;
    double s = sin(angle / 2) / sqrt((double)cd_vec3_dot(axis, axis));
    q.x = (cd_real)(s * (double)axis.x);
    q.y = (cd_real)(s * (double)axis.y);
    q.z = (cd_real)(s * (double)axis.z);
    q.w = (cd_real)cos(angle / 2);
    return q;
}

/* How high B has to be over A for a distance, at a turn and a place beside. */
static cd_transform set_upon(const cd_support *a, const cd_support *b, cd_quat turn, double x, double y,
                             double distance) {
    cd_transform t;
    cd_vec3 down = cd_quat_rotate(cd_quat_conjugate(turn), at(0, 0, -1)), top, low;
    top = cd_support_farthest(a, at(0, 0, 1));
    low = cd_quat_rotate(turn, cd_support_farthest(b, down));
    t.rotation = turn;
    t.position = at(x, y, (double)top.z - (double)low.z + distance);
    return t;
}

/* Random; or at rest upon A, tilted by nothing, or a little. */
static cd_transform draw_pose(test_rng *rng, const body *a, const body *b) {
    int how = test_int(rng, 0, 5);
    double tilt = how == 1 ? 1e-4 : how == 2 ? 0.01 : how == 3 ? 0.3 : 0.0;
    double x = test_range(rng, -0.5, 0.5), y = test_range(rng, -0.5, 0.5), z = test_range(rng, -0.05, 0.05);
    cd_vec3 axis = cd_vec3_add(at(1, 0, 0), at(0, test_range(rng, -1, 1), 0));
    cd_quat turn = turn_about(at(0, 0, 1), test_range(rng, 0, 6.28));
    if (how == 5) return gen_pose(rng, 1.0);
    if (test_int(rng, 0, 1)) turn = cd_quat_mul(turn_about(at(1, 0, 0), 1.5707963267948966), turn);
    turn = cd_quat_mul(turn_about(axis, tilt), turn);
    return set_upon(&a->support, &b->support, turn, x, y, z);
}

/* ---- what is true of every contact ---- */

enum { ALL = 64 };

typedef struct listed {
    cd_contact point[ALL];
    size_t count;
    cd_vec3 normal;
} listed;

static bool list_point(void *user, const cd_manifold *m, const cd_contact *p) {
    listed *l = (listed *)user;
    l->normal = m->normal;
    CHECK_INT(m->count, 0);
    if (CHECK(l->count < ALL)) l->point[l->count++] = *p;
    return true;
}

static listed all_of(const cd_support *a, const cd_support *b, const cd_transform *pose, double margin) {
    listed l;
    size_t told;
    cd_collide_options o;
    memset(&o, 0, sizeof o);
    o.margin = (cd_real)margin;
    l.count = 0;
    told = ASK("judge", cd_collide_convex_all(a, b, pose, &o, NULL, list_point, &l));
    CHECK_INT(told, l.count);
    return l;
}

static bool manifold_of(const cd_support *a, const cd_support *b, const cd_transform *pose, double margin,
                        cd_cache *cache, cd_manifold *out) {
    cd_collide_options o;
    memset(&o, 0, sizeof o);
    o.margin = (cd_real)margin;
    return ASK("judge", cd_collide_convex(a, b, pose, &o, cache, out));
}

static void doubles(cd_vec3 v, double out[3]) {
    to_doubles(&v.x, out, 3);
}

/* No deeper inside of the body than the margin. */
static bool on_surface(const cd_support *s, const cd_transform *pose, cd_vec3 p, double margin) {
    static truth_pair own;
    cd_support point = cd_support_of_point(p);
    truth_open(&own, &point, s, pose);
    return (double)truth_by_search(&own, NULL, 300).upper >= -margin;
}

static void check_point(const cd_support *a, const cd_support *b, const cd_transform *pose,
                        const cd_contact *p, cd_vec3 normal, double tolerance, bool thorough) {
    double x[3], y[3];
    cd_vec3 way = cd_vec3_sub(p->b, p->a);
    CHECK_VEC(way, cd_vec3_scale(normal, p->distance), tolerance);
    CHECK(CD_FEATURE_KIND(p->feature_a) != CD_FEATURE_NONE &&
          CD_FEATURE_KIND(p->feature_b) != CD_FEATURE_NONE);
    doubles(p->a, x);
    doubles(p->b, y);
    CHECK(truth_holds(&pair, &pair.a, x, tolerance));
    CHECK(truth_holds(&pair, &pair.b, y, tolerance));
    if (!thorough) return;
    CHECK(on_surface(a, NULL, p->a, tolerance));
    CHECK(on_surface(b, pose, p->b, tolerance));
}

static bool same_names(const cd_contact *p, const cd_contact *q) {
    return p->feature_a == q->feature_a && p->feature_b == q->feature_b;
}

static void check_names(const cd_contact *p, size_t count) {
    for (size_t i = 0; i < count; ++i)
        for (size_t k = 0; k < i; ++k) CHECK(!same_names(&p[i], &p[k]));
}

/* Twice the area of the hull of points as seen along the normal. */
static double area_of(const cd_contact *p, size_t count, cd_vec3 normal) {
    double n[3], sum = 0;
    size_t first = 0, now, next;
    doubles(normal, n);
    for (size_t i = 1; i < count; ++i) /* wrapped around, from the one that is first along some direction */
        if ((double)p[i].a.x + 0.37 * (double)p[i].a.y + 0.71 * (double)p[i].a.z <
            (double)p[first].a.x + 0.37 * (double)p[first].a.y + 0.71 * (double)p[first].a.z)
            first = i;
    now = first;
    for (size_t step = 0; step < count; ++step) {
        double o[3], u[3], v[3], turn;
        doubles(p[now].a, o);
        next = now == 0 ? 1 % count : 0;
        for (size_t i = 0; i < count; ++i) {
            doubles(p[next].a, u);
            doubles(p[i].a, v);
            for (int k = 0; k < 3; ++k) u[k] -= o[k], v[k] -= o[k];
            turn = 0;
            for (int k = 0; k < 3; ++k)
                turn += n[k] * (u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
            if (turn < 0 || (turn == 0 && v[0] * v[0] + v[1] * v[1] + v[2] * v[2] >
                                              u[0] * u[0] + u[1] * u[1] + u[2] * u[2]))
                next = i;
        }
        doubles(p[first].a, o);
        doubles(p[now].a, u);
        doubles(p[next].a, v);
        for (int k = 0; k < 3; ++k) u[k] -= o[k], v[k] -= o[k];
        for (int k = 0; k < 3; ++k)
            sum += n[k] * (u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
        now = next;
        if (now == first) break;
    }
    return fabs(sum);
}

static double deepest_of(const cd_contact *p, size_t count) {
    double least = HUGE_VAL;
    for (size_t i = 0; i < count; ++i) least = fmin(least, (double)p[i].distance);
    return least;
}

typedef struct tally {
    long contacts, faces, corners[5], deep;
} tally;

static double off_segment(cd_vec3 point, cd_vec3 from, cd_vec3 to) {
    double p[3], a[3], b[3], along = 0, length = 0, off = 0;
    doubles(point, p);
    doubles(from, a);
    doubles(to, b);
    for (int k = 0; k < 3; ++k) {
        along += (p[k] - a[k]) * (b[k] - a[k]);
        length += (b[k] - a[k]) * (b[k] - a[k]);
    }
    along = length > 0 ? fmax(0, fmin(1, along / length)) : 0;
    for (int k = 0; k < 3; ++k) off += pow(p[k] - a[k] - along * (b[k] - a[k]), 2);
    return sqrt(off);
}

/* Is no corner of the patch farther than two of the zones in which points have one name from what is left, a point or a line? No zone is
 * larger than 1/32 of either body. */
static bool is_thin(const listed *l, const cd_manifold *m, double zones) {
    if (m->count > 2) return false;
    for (size_t i = 0; i < l->count; ++i)
        if (off_segment(l->point[i].a, m->points[0].a, m->points[m->count - 1].a) > zones) return false;
    return true;
}

/* All of it for a pair; returns whether they touch. */
static bool check_pair(const body *a, const body *b, const cd_transform *pose, double margin, bool thorough,
                       tally *t) {
    cd_separation s = cd_convex_distance(&a->support, &b->support, pose, NULL, NULL);
    double d = (double)s.distance, n[3], tolerance, along;
    listed l;
    cd_manifold m;
    bool has;
    truth_open(&pair, &a->support, &b->support, pose);
    tolerance = 2 * truth_tolerance(&pair, d) + (double)s.gap;
    memset(&m, 0x55, sizeof m);
    has = manifold_of(&a->support, &b->support, pose, margin, NULL, &m);
    if (fabs(d - margin) > tolerance) CHECK_INT(has, d <= margin);
    l = all_of(&a->support, &b->support, pose, margin);
    CHECK_INT(l.count > 0, has);
    if (!has) return false;
    ++t->contacts;
    t->deep += d < 0;
    CHECK(m.count >= 1 && m.count <= CD_MANIFOLD_POINTS && m.count <= l.count);
    ++t->corners[m.count];
    CHECK_VEC(l.normal, m.normal, 0);
    doubles(m.normal, n);
    CHECK_NEAR(sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), 1, 4 * PRECISION);
    along = (double)truth_along(&pair, n);
    CHECK_NEAR(along, d, tolerance);
    CHECK_NEAR(deepest_of(m.points, m.count), d, tolerance);
    CHECK_NEAR(deepest_of(l.point, l.count), d, tolerance);
    check_names(m.points, m.count);
    check_names(l.point, l.count);
    for (size_t i = 0; i < l.count + m.count; ++i) {
        const cd_contact *p = i < l.count ? &l.point[i] : &m.points[i - l.count];
        test_note_reals("point", &p->a.x, 7);
        CHECK((double)p->distance >= d - tolerance && (double)p->distance <= margin + tolerance);
        check_point(&a->support, &b->support, pose, p, m.normal, tolerance, thorough && i == 0);
    }
    if (l.count > 4 && !is_thin(&l, &m, (double)(fminl(pair.a.extent, pair.b.extent) * pair.unit) / 16))
        CHECK(4.001 * area_of(m.points, m.count, m.normal) >= area_of(l.point, l.count, m.normal));
    return true;
}

/* ---- all kinds against all ---- */

static void all_kinds(void) {
    static body a, b;
    test_rng rng = test_random();
    tally t;
    long i = 0;
    memset(&t, 0, sizeof t);
    for (long n = test_times(6000); n > 0; --n, ++i) {
        int k = (int)(i % KINDS), l = (int)(i / KINDS % KINDS);
        cd_transform pose;
        double margin = test_int(&rng, 0, 1) ? test_range(&rng, 0, 0.2) : 0.0;
        make_body(&a, k, &rng);
        make_body(&b, l, &rng);
        pose = draw_pose(&rng, &a, &b);
        test_note("%ld: %s on %s, margin %a ", i, b.name, a.name, margin);
        test_note_reals("pose", REALS(pose), 7);
        check_pair(&a, &b, &pose, margin, test_int(&rng, 0, 7) == 0, &t);
        free_body(&a);
        free_body(&b);
    }
    CHECK_SEEN(t.contacts > i / 4 && t.deep > i / 8);
    for (int k = 1; k <= 4; ++k) CHECK_SEEN(t.corners[k] > 0);
}

/* ---- the patch, by clipping ---- */

enum { RING = 64 };

typedef struct ring {
    int count;
    long double x[RING], y[RING];
} ring;

/* What of a ring is to the left of the way from p to q. */
static ring clip(const ring *r, long double px, long double py, long double qx, long double qy) {
    ring out;
    out.count = 0;
    for (int i = 0; i < r->count; ++i) {
        int k = (i + 1) % r->count;
        long double s = (qx - px) * (r->y[i] - py) - (qy - py) * (r->x[i] - px);
        long double t = (qx - px) * (r->y[k] - py) - (qy - py) * (r->x[k] - px);
        if (s >= 0) out.x[out.count] = r->x[i], out.y[out.count++] = r->y[i];
        if ((s > 0 && t < 0) || (s < 0 && t > 0)) {
            out.x[out.count] = r->x[i] + s / (s - t) * (r->x[k] - r->x[i]);
            out.y[out.count++] = r->y[i] + s / (s - t) * (r->y[k] - r->y[i]);
        }
    }
    return out;
}

static double ring_area(const ring *r) {
    long double sum = 0;
    for (int i = 0; i < r->count; ++i) {
        int k = (i + 1) % r->count;
        sum += r->x[i] * r->y[k] - r->x[k] * r->y[i];
    }
    return (double)sum;
}

/* The corners that are highest (+1) or lowest (-1) along z, in order around; wrapped. */
static ring foremost_ring(const truth_pair *p, const truth_body *b, int side) {
    long double most = -HUGE_VALL;
    int take[TRUTH_CORNERS], n = 0, first = 0, now;
    ring out;
    out.count = 0;
    for (int i = 0; i < b->count; ++i) most = fmaxl(most, side * b->corner[i][2]);
    for (int i = 0; i < b->count; ++i)
        if (side * b->corner[i][2] >= most - 1e-5L / p->unit) take[n++] = i;
    for (int i = 1; i < n; ++i)
        if (b->corner[take[i]][0] < b->corner[take[first]][0]) first = i;
    now = first;
    do {
        const long double *o = b->corner[take[now]], *u, *v;
        int next = now == 0 ? 1 % n : 0;
        for (int i = 0; i < n; ++i) {
            u = b->corner[take[next]];
            v = b->corner[take[i]];
            if ((u[0] - o[0]) * (v[1] - o[1]) - (u[1] - o[1]) * (v[0] - o[0]) < 0) next = i;
        }
        out.x[out.count] = o[0] * p->unit + (long double)p->origin[0];
        out.y[out.count++] = o[1] * p->unit + (long double)p->origin[1];
        now = next;
    } while (now != first && out.count < RING / 2);
    return out;
}

static void patches(void) {
    static const int plain[] = {4, 5, 7, 8, 9, 10, 11, 12, 24};
    static body a, b;
    test_rng rng = test_random();
    long seen = 0;
    for (long n = test_times(3000); n > 0; --n) {
        cd_transform pose;
        listed l;
        ring r, s;
        double want, got;
        make_body(&a, plain[test_int(&rng, 0, 8)], &rng);
        make_body(&b, plain[test_int(&rng, 0, 8)], &rng);
        pose = set_upon(&a.support, &b.support, turn_about(at(0, 0, 1), test_range(&rng, 0, 6.28)),
                        test_range(&rng, -0.75, 0.75), test_range(&rng, -0.75, 0.75), 0.01);
        test_note("%s on %s ", b.name, a.name);
        test_note_reals("pose", REALS(pose), 7);
        l = all_of(&a.support, &b.support, &pose, 0.05);
        truth_open(&pair, &a.support, &b.support, &pose);
        r = foremost_ring(&pair, &pair.a, 1);
        s = foremost_ring(&pair, &pair.b, -1);
        for (int i = 0; i < s.count; ++i)
            r = clip(&r, s.x[i], s.y[i], s.x[(i + 1) % s.count], s.y[(i + 1) % s.count]);
        want = ring_area(&s) > 0 ? ring_area(&r) : 0; /* without an area of its own, it cuts nothing off */
        if (want > 0.05) {                            /* else another normal may be the nearest */
            got = area_of(l.point, l.count, at(0, 0, 1));
            ++seen;
            CHECK(fabs((double)l.normal.z - 1) <= PRECISION);
            CHECK_NEAR(got, want, 1e-5);
        }
        free_body(&a);
        free_body(&b);
    }
    CHECK_SEEN(seen > 20);
}

/* ---- names that last ---- */

static const cd_contact *named(const cd_contact *p, size_t count, const cd_contact *name) {
    for (size_t i = 0; i < count; ++i)
        if (same_names(&p[i], name)) return &p[i];
    return NULL;
}

static bool same_set(const cd_manifold *m, const cd_manifold *l) {
    if (m->count != l->count) return false;
    for (uint32_t i = 0; i < m->count; ++i)
        if (!named(l->points, l->count, &m->points[i])) return false;
    return true;
}

/* All corners as they were at the start, and which of them are crossings of edges that have moved far since. */
typedef struct crossings {
    listed start;
    bool ran[ALL];
} crossings;

static void look_at_crossings(crossings *c, const listed *now, double most) {
    for (size_t i = 0; i < c->start.count; ++i) {
        const cd_contact *p = &c->start.point[i], *q = named(now->point, now->count, p);
        if (CD_FEATURE_KIND(p->feature_a) != CD_FEATURE_EDGE ||
            CD_FEATURE_KIND(p->feature_b) != CD_FEATURE_EDGE)
            continue;
        if (q && (double)cd_vec3_dist(p->a, q->a) > most) c->ran[i] = true;
    }
}

/* Has `l` all points of `m`, but for crossings that ran? */
static bool has_all(const cd_manifold *l, const cd_manifold *m, const crossings *c) {
    for (uint32_t i = 0; i < m->count; ++i) {
        const cd_contact *p = named(c->start.point, c->start.count, &m->points[i]);
        if (!named(l->points, l->count, &m->points[i]) && !(p && c->ran[p - c->start.point])) return false;
    }
    return true;
}

/* One thing upon another, slid, turned and tilted a little: how often the names are others than at the start, but for crossings that move twice
 * as far as the things may, which is of edges that all but lie along each other. */
static long changes_of(const cd_support *a, const cd_support *b, const cd_quat *turn, double x, double y,
                       double slide, double tilt, cd_cache *cache, test_rng *rng, int frames) {
    cd_manifold first, now;
    crossings c;
    long changed = 0;
    memset(&c, 0, sizeof c);
    for (int i = 0; i < frames; ++i) {
        cd_quat q = cd_quat_mul(
            turn_about(at(test_range(rng, -1, 1), 1, test_range(rng, -1, 1)), i ? tilt : 0.0), *turn);
        double u = test_range(rng, -slide, slide), v = test_range(rng, -slide, slide);
        cd_transform pose = set_upon(a, b, q, x + u, y + v, -0.001);
        listed all = all_of(a, b, &pose, 0.05);
        if (!CHECK(manifold_of(a, b, &pose, 0.05, cache, i ? &now : &first))) break;
        if (i == 0) c.start = all;
        look_at_crossings(&c, &all, 4 * (slide + tilt));
        changed += i && !(has_all(&now, &first, &c) && has_all(&first, &now, &c));
    }
    return changed;
}

/* With a cache, whatever stands on whatever; without one where there are no more than four corners. */
static void names_last(void) {
    static const int standing[] = {3, 6, 7, 8, 11, 12, 14, 15, 17, 19, 21, 22, 24};
    static body a, b;
    test_rng rng = test_random();
    for (long n = test_times(300); n > 0; --n) {
        cd_cache cache;
        cd_quat turn = turn_about(at(0, 0, 1), test_range(&rng, 0, 6.28));
        double x = test_range(&rng, -0.2, 0.2), y = test_range(&rng, -0.2, 0.2);
        memset(&cache, 0, sizeof cache);
        make_body(&a, 7 + test_int(&rng, 0, 1), &rng);
        make_body(&b, standing[test_int(&rng, 0, 12)], &rng);
        test_note("%s on %s at %a %a ", b.name, a.name, x, y);
        CHECK_INT(changes_of(&a.support, &b.support, &turn, x, y, 0.0005, 5e-4, &cache, &rng, 100), 0);
        free_body(&a);
        free_body(&b);
    }
}

/* A corner of a prism sticks out over an edge of a box, which the two edges that meet there cross: one in the corner's zone, and named by it,
 * the other one just outside, with a name of its own. The other one is in the zone of twice the size, too, and took the name of the first: a
 * point was lost in the step after the first. */
static void two_crossings_beside_a_corner(void) {
    static const double corners[6][3] = {
        {0x1.2b4c6468998d2p-1, 0, -0x1.08ef03f16b2acp-1},
        {-0x1.2b4c6468998dp-2, 0x1.033334c3b6fe5p-1, -0x1.08ef03f16b2acp-1},
        {-0x1.2b4c6468998d7p-2, -0x1.033334c3b6fe3p-1, -0x1.08ef03f16b2acp-1},
        {0x1.b9be1b97a3c9dp-2, 0, 0x1.08ef03f16b2acp-1},
        {-0x1.b9be1b97a3c9ap-3, 0x1.7e8f71310f0d2p-2, 0x1.08ef03f16b2acp-1},
        {-0x1.b9be1b97a3ca4p-3, -0x1.7e8f71310f0dp-2, 0x1.08ef03f16b2acp-1}};
    test_rng rng = test_random();
    cd_vec3 p[6];
    cd_obb box;
    cd_support a, b;
    cd_quat turn = cd_quat_identity();
    cd_cache cache;
    for (int i = 0; i < 6; ++i) p[i] = at(corners[i][0], corners[i][1], corners[i][2]);
    box.center = at(0, 0, 0);
    box.axes = cd_mat3_identity();
    box.half = at(0x1.73d7b4f4ecac4p-1, 0x1.036afa059db98p-1, 0x1.2e012c565915ap-2);
    a = cd_support_of_obb(&box);
    b = cd_support_of_points(p, 6);
    turn.z = (cd_real)0x1.a5db29b9d884cp-1;
    turn.w = (cd_real)0x1.2223ee628c6d7p-1;
    memset(&cache, 0, sizeof cache);
    CHECK_INT(changes_of(&a, &b, &turn, 0x1.688f493943c2cp-3, -0x1.45ca20e018c18p-6, 0.0005, 5e-4, &cache,
                         &rng, 100),
              0);
}

/* A corner of one box over the face of another one, as far from one of its edges as from the next, and not near enough to their corner to be
 * named by it: the name is by the nearer edge, and stays that where the other one comes to be nearer. */
static void a_corner_between_two_edges(void) {
    cd_obb box[2];
    cd_support s[2];
    for (int i = 0; i < 2; ++i) {
        box[i].center = at(0, 0, 0);
        box[i].axes = cd_mat3_identity();
        box[i].half = i ? at(0.4, 0.4, 0.4) : at(0.5, 0.5, 0.5);
        s[i] = cd_support_of_obb(&box[i]);
    }
    for (int upper = 0; upper < 2; ++upper) {
        cd_cache cache;
        cd_manifold m[3];
        memset(&cache, 0, sizeof cache);
        for (int i = 0; i < 3; ++i) {
            double more = 0.0005 * (i - 1), side = upper ? 0.078 : -0.078;
            cd_transform pose =
                set_upon(&s[1 - upper], &s[upper], cd_quat_identity(), side + more, side - more, -0.001);
            if (!CHECK(manifold_of(&s[1 - upper], &s[upper], &pose, 0.05, &cache, &m[i]))) return;
            CHECK(m[i].count == 4 && same_set(&m[i], &m[0]));
        }
    }
}

/* A prism tilted onto four corners that are near each other, and then laid down: these four span too little of the patch to be kept. Wherever
 * in the patch of the table, as this is seen from a corner of the table's. */
static void few_that_span_little_give_way(void) {
    static const double corners[8][2] = {{-1, -0.2}, {-1, 0.2}, {-0.9, 0.3}, {0.9, 1.1},
                                         {1, 1},     {1, -1},   {0.9, -1.1}, {-0.9, -0.3}};
    for (int i = 0; i < 16; ++i) {
        cd_vec3 p[16];
        cd_obb table;
        cd_support a, b;
        cd_quat turn = turn_about(at(0, 0, 1), 0.1 + 1.5 * i), tilt = turn_about(at(0, 1, 0), -0.05);
        cd_manifold m, fresh;
        cd_transform pose;
        cd_cache cache;
        memset(&cache, 0, sizeof cache);
        for (int k = 0; k < 16; ++k) p[k] = at(corners[k % 8][0], corners[k % 8][1], k < 8 ? 0 : 1);
        table.center = at(0, 0, 0);
        table.axes = cd_quat_to_mat3(turn_about(at(0, 0, 1), i / 4 * 1.5707963267948966));
        table.half = at(4, 4, 1);
        a = cd_support_of_obb(&table);
        b = cd_support_of_points(p, 16);
        test_note("%d: ", i);
        pose = set_upon(&a, &b, cd_quat_mul(turn, tilt), 0, 0, -0.001);
        if (i % 2) pose = cd_transform_inverse(&pose);
        if (!CHECK(manifold_of(i % 2 ? &b : &a, i % 2 ? &a : &b, &pose, 0.02, &cache, &m))) return;
        CHECK_INT(m.count, 4);
        CHECK(area_of(m.points, m.count, m.normal) < 0.25);
        pose = set_upon(&a, &b, turn, 0, 0, -0.001);
        if (i % 2) pose = cd_transform_inverse(&pose);
        if (!CHECK(manifold_of(i % 2 ? &b : &a, i % 2 ? &a : &b, &pose, 0.02, &cache, &m))) return;
        CHECK(manifold_of(i % 2 ? &b : &a, i % 2 ? &a : &b, &pose, 0.02, NULL, &fresh));
        CHECK(area_of(m.points, m.count, m.normal) >= 0.5 * area_of(fresh.points, fresh.count, m.normal));
    }
}

/* A prism that the caller tells of lies on a box. In floats its normal is known to a millionth, by which the box's own far corner is deeper than
 * those of the patch: no deepest point is to be told beside them. */
static void a_body_of_the_callers_on_a_box(void) {
    static const double corners[6][3] = {{0x1.344982p-2, 0, -0x1.9bd826p-2},
                                         {-0x1.344982p-3, 0x1.0afc08p-2, -0x1.9bd826p-2},
                                         {-0x1.344982p-3, -0x1.0afc08p-2, -0x1.9bd826p-2},
                                         {0x1.99c2c6p-1, 0, 0x1.9bd826p-2},
                                         {-0x1.99c2c6p-2, 0x1.62ddp-1, 0x1.9bd826p-2},
                                         {-0x1.99c2c6p-2, -0x1.62ddp-1, 0x1.9bd826p-2}};
    cd_vec3 p[6];
    cd_aabb box;
    cd_support a, b, inner;
    cd_transform pose;
    cd_manifold m;
    for (int i = 0; i < 6; ++i) p[i] = at(corners[i][0], corners[i][1], corners[i][2]);
    box.min = at(-0x1.269fcep-1, -0x1.540296p-1, -0x1.ffc824p-1);
    box.max = at(0x1.331834p-2, 0x1.166c86p-1, 0x1.19e366p-2);
    a = cd_support_of_aabb(&box);
    inner = cd_support_of_points(p, 6);
    b = cd_support_of_function(ask_inner, &inner, inner.center, 0);
    pose.rotation.x = (cd_real)0x1.c6f7dp-14;
    pose.rotation.y = (cd_real)-0x1.3c306ap-13;
    pose.rotation.z = (cd_real)0x1.9f8ef2p-2;
    pose.rotation.w = (cd_real)-0x1.d3f1b8p-1;
    pose.position = at(-0x1.79f0fep-3, -0x1.6ccb94p-5, 0x1.5a621ap-1);
    if (!CHECK(manifold_of(&a, &b, &pose, 0.05, NULL, &m))) return;
    CHECK_INT(m.count, 3);
    for (uint32_t i = 0; i < m.count; ++i)
        CHECK_INT(CD_FEATURE_KIND(m.points[i].feature_b), CD_FEATURE_VERTEX);
}

/* A segment, capsule or cylinder lying along x of a frame, from one place to another. */
typedef struct bar {
    cd_segment segment;
    cd_capsule capsule;
    cd_cylinder cylinder;
    cd_support support;
} bar;

static void lay_bar(bar *b, int kind, const cd_transform *frame, double from, double to, double up,
                    double radius) {
    b->segment.a = b->capsule.a = b->cylinder.a = cd_transform_point(frame, at(from, 0, up));
    b->segment.b = b->capsule.b = b->cylinder.b = cd_transform_point(frame, at(to, 0, up));
    b->capsule.radius = b->cylinder.radius = (cd_real)radius;
    b->support = kind == 0   ? cd_support_of_segment(&b->segment)
                 : kind == 1 ? cd_support_of_capsule(&b->capsule)
                             : cd_support_of_cylinder(&b->cylinder);
}

/* One lies along another: they stand on the ends of what both have. */
static void bars_along_bars(void) {
    test_rng rng = test_random();
    for (long left = test_times(1000); left > 0; --left) {
        cd_transform frame = gen_pose(&rng, 1.0);
        int kind[2] = {test_int(&rng, 0, 2), test_int(&rng, 0, 2)};
        double from[2], to[2], radius[2], gap, ends[2], seen[2] = {0, 0};
        bar b[2];
        cd_manifold m;
        for (int k = 0; k < 2; ++k) {
            from[k] = test_range(&rng, -3, -0.3);
            to[k] = test_range(&rng, 0.3, 3);
            radius[k] = kind[k] ? test_range(&rng, 0.1, 1) : 0;
        }
        gap = test_range(&rng, kind[0] + kind[1] ? -0.1 * (radius[0] + radius[1]) : 0.01, 0.05);
        lay_bar(&b[0], kind[0], &frame, from[0], to[0], 0, radius[0]);
        lay_bar(&b[1], kind[1], &frame, from[1], to[1], radius[0] + radius[1] + gap, radius[1]);
        ends[0] = fmax(from[0], from[1]);
        ends[1] = fmin(to[0], to[1]);
        test_note("kinds %d and %d, from %g to %g, gap %g", kind[0], kind[1], ends[0], ends[1], gap);
        test_note_reals("frame", REALS(frame), 7);
        if (!CHECK(manifold_of(&b[0].support, &b[1].support, NULL, 0.1, NULL, &m))) continue;
        CHECK_INT(m.count, 2);
        CHECK_VEC(m.normal, cd_transform_vector(&frame, at(0, 0, 1)),
                  4 * sqrt(PRECISION)); /* told by depths */
        for (uint32_t i = 0; i < m.count; ++i) {
            CHECK_NEAR(m.points[i].distance, gap, 16 * PRECISION);
            for (int k = 0; k < 2; ++k) {
                cd_vec3 want = cd_transform_point(&frame, at(ends[k], 0, radius[0]));
                seen[k] += (double)cd_vec3_dist(m.points[i].a, want) <= 8 * sqrt(PRECISION);
            }
        }
        CHECK(seen[0] == 1 && seen[1] == 1);
    }
}

/* What stood on odd places of its rim, partly over an edge, stays on these when it comes to stand on all: they were chosen before. */
static void rims_stay_where_they_stood(void) {
    cd_aabb box = {at(-2, -2, -2), at(2, 2, 0)};
    cd_cylinder can = {at(0, 0, 0), at(0, 0, 1), (cd_real)0.4};
    cd_support a = cd_support_of_aabb(&box), b = cd_support_of_cylinder(&can);
    int odd = 0, kept = 0;
    for (int turn = 0; turn < 16; ++turn) {
        cd_transform pose = cd_transform_identity();
        cd_cache cache;
        cd_manifold before, after;
        memset(&cache, 0, sizeof cache);
        pose.rotation.z = (cd_real)(0.0625 * turn);
        pose.position = at(1.65, 0, -0.001);
        test_note("turn %d", turn);
        CHECK(manifold_of(&a, &b, &pose, 0.01, &cache, &before));
        pose.position = at(1.59, 0, -0.001);
        CHECK(manifold_of(&a, &b, &pose, 0.01, &cache, &after));
        for (uint32_t i = 0; i < before.count; ++i) {
            uint32_t name = before.points[i].feature_b;
            if (CD_FEATURE_KIND(name) != CD_FEATURE_VERTEX || CD_FEATURE_INDEX(name) % 2 == 0) continue;
            ++odd;
            for (uint32_t k = 0; k < after.count; ++k) kept += after.points[k].feature_b == name;
        }
    }
    test_note("%d of %d", kept, odd);
    CHECK(odd > 0);
    CHECK_INT(kept, odd);
}

/* A cylinder lies along the upper edge of a wall, far from the origin: within what coordinates are rounded by it is over the wall or beside it,
 * which falls away under it sixteen and more times as fast. Points are on both all the same. */
static void along_the_top_of_a_wall(void) {
    static const double units = sizeof(cd_real) == 4 ? 4 : 512; /* twice the 2^-44 that depths are known to */
    test_rng rng = test_random();
    for (long i = test_times(1000); i > 0; --i) {
        double place = pow(2, test_range(&rng, 7, 10)), off = test_range(&rng, 0.01, 0.06),
               depth = pow(10, -test_range(&rng, 2.3, 3.4)),
               tilt = test_int(&rng, 0, 1) ? 0 : test_range(&rng, -1e-4, 1e-4);
        cd_triangle wall = {at(place, 4, -6.5), at(place, -4, 0), at(place, 4, 0)};
        cd_cylinder cylinder = {at(0, -0.5, 0), at(0, 0.5, 0), (cd_real)0.3};
        cd_support a = cd_support_of_triangle(&wall), b = cd_support_of_cylinder(&cylinder);
        cd_transform pose = cd_transform_identity();
        cd_manifold m;
        bool swapped = test_int(&rng, 0, 1) == 1;
        pose.position = at(place - off, test_range(&rng, -3, 3), sqrt(0.09 - off * off) - depth);
        pose.rotation.z = (cd_real)tilt;
        if (swapped) {
            cd_support c = a;
            a = b;
            b = c;
            pose = cd_transform_inverse(&pose);
        }
        test_note("place %g, off %g, depth %g, swapped %d", place, off, depth, swapped);
        truth_open(&pair, &a, &b, &pose);
        if (!CHECK(manifold_of(&a, &b, &pose, 0.01, NULL, &m))) continue;
        for (uint32_t k = 0; k < m.count; ++k)
            check_point(&a, &b, &pose, &m.points[k], m.normal, units * (double)CD_REAL_EPSILON * (place + 8),
                        false);
    }
}

/* Without a cache there may be more than four corners, but seldom, and the deepest then is where two edges cross. */
static void stacks_keep_their_names(void) {
    test_rng rng = test_random();
    cd_quat turn = cd_quat_identity();
    long other = 0, times = test_times(50);
    for (long n = times; n > 0; --n) {
        cd_obb box;
        cd_support s;
        cd_cache cache;
        memset(&cache, 0, sizeof cache);
        box.center = at(0, 0, 0);
        box.axes = cd_mat3_identity();
        box.half = at(length_in(&rng), length_in(&rng), length_in(&rng));
        s = cd_support_of_obb(&box);
        test_note("");
        test_note_reals("box", REALS(box), 15);
        other += changes_of(&s, &s, &turn, 0, 0, 0.001, 1e-3, NULL, &rng, 100);
        CHECK_INT(changes_of(&s, &s, &turn, 0, 0, 0.001, 1e-3, &cache, &rng, 100), 0);
    }
    CHECK(other <= times / 2 + 2);
}

/* All of a scene, frame by frame, moved by less than a hundredth of an edge: no name changes, and no pair is lost. */
static void a_scene_keeps_its_names(void) {
    enum { PAIRS = 6 };
    static const int standing[] = {3, 6, 7, 8, 11, 12, 14, 15, 17, 19, 21, 22, 24};
    static body a[PAIRS], b[PAIRS];
    static cd_manifold first[PAIRS];
    cd_cache cache[PAIRS];
    cd_quat turn[PAIRS];
    cd_manifold now;
    test_rng rng = test_random();
    long frames = test_times(1000);
    memset(cache, 0, sizeof cache);
    for (int i = 0; i < PAIRS; ++i) {
        make_body(&a[i], 7 + i % 2, &rng);
        make_body(&b[i], standing[test_int(&rng, 0, 12)], &rng);
        turn[i] = turn_about(at(0, 0, 1), test_range(&rng, 0, 6.28));
    }
    for (long n = 0; n < frames; ++n)
        for (int i = 0; i < PAIRS; ++i) {
            double x = test_range(&rng, -1, 1), y = test_range(&rng, -1, 1), u = test_range(&rng, -1, 1),
                   v = test_range(&rng, -1, 1);
            cd_quat q = cd_quat_mul(turn_about(at(x, 1, y), n ? 5e-4 : 0.0), turn[i]);
            cd_transform pose =
                set_upon(&a[i].support, &b[i].support, q, 0.1 + 0.0005 * u, 0.05 + 0.0005 * v, -0.001);
            test_note("%s on %s, frame %ld ", b[i].name, a[i].name, n);
            if (!CHECK(
                    manifold_of(&a[i].support, &b[i].support, &pose, 0.05, &cache[i], n ? &now : &first[i])))
                continue;
            if (n) CHECK(same_set(&now, &first[i]));
        }
    for (int i = 0; i < PAIRS; ++i) {
        free_body(&a[i]);
        free_body(&b[i]);
    }
}

/* ---- faces without a direction ---- */

/* Polygons as thin as rounding, and rounded: points lie on the surface though no face tells which way is out. */
static void slivers(void) {
    test_rng rng = test_random();
    for (long n = test_times(400); n > 0; --n) {
        cd_vec3 p[4], corner[4];
        cd_support s, t;
        cd_transform pose = gen_pose(&rng, 1.5);
        cd_manifold m;
        int axis = test_int(&rng, 0, 2);
        for (int i = 0; i < 4; ++i) {
            cd_vec3 c = at(-2, -1, i < 2 ? -1 : -2);
            REALS(c)[axis] = (cd_real)(i == 1 || i == 2 ? 2 : -1);
            for (int k = 0; k < 3; ++k) REALS(c)
            [k] = (cd_real)((double)REALS(c)[k] * (1 + (double)CD_REAL_EPSILON * test_int(&rng, -1, 1)));
            if (i > 1) c.z = p[3 - i].z;
            p[i] = c;
            corner[i] = at(test_range(&rng, -1, 1), test_range(&rng, -1, 1), test_range(&rng, -1, 1));
        }
        s = cd_support_of_points(corner, 4);
        t = cd_support_of_points(p, 4);
        t = cd_support_rounded(&t, 1);
        truth_open(&pair, &s, &t, &pose);
        test_note("");
        test_note_reals("sliver", &p[0].x, 12);
        test_note_reals("corners", &corner[0].x, 12);
        test_note_reals("pose", REALS(pose), 7);
        if (!manifold_of(&s, &t, &pose, 0.5, NULL, &m)) continue;
        for (uint32_t i = 0; i < m.count; ++i) {
            double b[3] = {(double)m.points[i].b.x, (double)m.points[i].b.y, (double)m.points[i].b.z};
            CHECK(truth_holds(&pair, &pair.b, b, 20 * PRECISION));
        }
    }
}

/* ---- what changes nothing ---- */

/* One name, or two faces of one direction: a face of the body that building left in two, where neither is nearer. */
static bool is_same_name(const body *b, uint32_t f, uint32_t g) {
    cd_hull_parts p;
    if (f == g) return true;
    if (b->support.kind != CD_SUPPORT_HULL || CD_FEATURE_KIND(f) != 3 || CD_FEATURE_KIND(g) != 3)
        return false;
    p = cd_hull_get_parts(&b->hull);
    return (double)cd_vec3_dot(p.faces[CD_FEATURE_INDEX(f)].plane.n, p.faces[CD_FEATURE_INDEX(g)].plane.n) >
           1 - 1e-12;
}

/* Is a point on the face of a hull, which may be stretched, that it is named after? Other names, and other bodies, say nothing. */
static bool lies_on_face(const body *b, uint32_t feature, cd_vec3 p) {
    cd_vec3 by = b->support.scale;
    double shortest = 1;
    cd_plane side;
    if (b->support.kind != CD_SUPPORT_HULL || CD_FEATURE_KIND(feature) != 3) return true;
    if (by.x != 0) {
        p = cd_vec3_make(p.x / by.x, p.y / by.y, p.z / by.z);
        shortest = fmin(fabs((double)by.x), fmin(fabs((double)by.y), fabs((double)by.z)));
    }
    side = cd_hull_get_parts(&b->hull).faces[CD_FEATURE_INDEX(feature)].plane;
    return fabs((double)cd_vec3_dot(side.n, p) - (double)side.d) <= 20 * PRECISION / fmin(shortest, 1);
}

/* A and B exchanged, in one frame. */
static void swaps(void) {
    static const int movable[] = {0, 1, 3, 4, 9, 11, 12};
    static body a, b;
    test_rng rng = test_random();
    for (long n = test_times(1500); n > 0; --n) {
        cd_transform pose;
        listed l, k;
        double d;
        make_body(&a, test_int(&rng, 0, KINDS - 1), &rng);
        make_body(&b, movable[test_int(&rng, 0, 6)], &rng);
        pose = draw_pose(&rng, &a, &b);
        for (int i = 0; i < CORNERS; ++i) b.points[i] = cd_transform_point(&pose, b.points[i]);
        b.support.center = cd_transform_point(&pose, b.support.center);
        if (b.support.kind == CD_SUPPORT_HULL) {
            uint32_t count = cd_hull_get_parts(&b.hull).vertex_count;
            cd_hull_destroy(&b.hull);
            CHECK_INT(cd_hull3_build(&b.hull, b.points, count, NULL), CD_OK);
        }
        test_note("%s on %s ", b.name, a.name);
        test_note_reals("pose", REALS(pose), 7);
        l = all_of(&a.support, &b.support, NULL, 0.125);
        k = all_of(&b.support, &a.support, NULL, 0.125);
        d = (double)cd_convex_distance(&a.support, &b.support, NULL, NULL, NULL).distance;
        for (size_t i = 0; i < l.count; ++i)
            CHECK(lies_on_face(&a, l.point[i].feature_a, l.point[i].a) &&
                  lies_on_face(&b, l.point[i].feature_b, l.point[i].b));
        for (size_t i = 0; i < k.count; ++i)
            CHECK(lies_on_face(&b, k.point[i].feature_a, k.point[i].a) &&
                  lies_on_face(&a, k.point[i].feature_b, k.point[i].b));
        if (fabs(d - 0.125) > 1e-5) CHECK_INT(l.count > 0, k.count > 0);
        if (l.count > 0 && k.count > 0)
            CHECK_NEAR(deepest_of(l.point, l.count), deepest_of(k.point, k.count), 8 * PRECISION);
        if (l.count == k.count && l.count > 0 && (double)cd_vec3_dot(l.normal, k.normal) < -0.9999) {
            size_t found = 0;
            for (size_t i = 0; i < l.count; ++i)
                for (size_t j = 0; j < k.count; ++j)
                    found += is_same_name(&a, l.point[i].feature_a, k.point[j].feature_b) &&
                             is_same_name(&b, l.point[i].feature_b, k.point[j].feature_a);
            CHECK(found == l.count || a.round || b.round || l.count > 1);
        }
        free_body(&a);
        free_body(&b);
    }
}

/* Over a face that building left in three the name of a corner is that of the corner, whichever of the three is foremost. */
static void names_over_fans(void) {
    static const cd_vec3 fan[10] = {
        {(cd_real)-0.29211478913076583, (cd_real)-0.37202235738885836, (cd_real)-0.07198149293775552},
        {(cd_real)-0.47733967320464266, (cd_real)0.7260683439855815, (cd_real)-0.3849430412661726},
        {(cd_real)0.33778515179614427, (cd_real)1.3810661120708179, (cd_real)0.10963336367861087},
        {(cd_real)1.0267848827943176, (cd_real)0.6877862939283752, (cd_real)0.7282599402966359},
        {(cd_real)0.6374853097899362, (cd_real)-0.39568196548323686, (cd_real)0.6160157860457829},
        {(cd_real)1.0448010539668313, (cd_real)-0.19959021323610787, (cd_real)-1.3677404548361185},
        {(cd_real)0.9557115262887691, (cd_real)0.3285698254231803, (cd_real)-1.5182688066900365},
        {(cd_real)1.3477705415829515, (cd_real)0.6436108744737195, (cd_real)-1.2803872793911943},
        {(cd_real)1.6791658663086335, (cd_real)0.31015691197908724, (cd_real)-0.9828400583708556},
        {(cd_real)1.4919204254077307, (cd_real)-0.21097001957646722, (cd_real)-1.0368272898210513}};
    static cd_vec3 corners[14] = {
        {(cd_real)0.34448676396171735, 0, (cd_real)-0.3212289106458526},
        {(cd_real)0.21478398420544748, (cd_real)0.2693305973588037, (cd_real)-0.3212289106458526},
        {(cd_real)-0.07665551645234975, (cd_real)0.3358497615634698, (cd_real)-0.3212289106458526},
        {(cd_real)-0.3103718497339563, (cd_real)0.14946720522421764, (cd_real)-0.3212289106458526},
        {(cd_real)-0.3103718497339564, (cd_real)-0.14946720522421755, (cd_real)-0.3212289106458526},
        {(cd_real)-0.07665551645234983, (cd_real)-0.3358497615634698, (cd_real)-0.3212289106458526},
        {(cd_real)0.2147839842054474, (cd_real)-0.26933059735880377, (cd_real)-0.3212289106458526},
        {(cd_real)0.5441370301463109, 0, (cd_real)0.3212289106458526},
        {(cd_real)0.3392638891099231, (cd_real)0.42542346094504124, (cd_real)0.3212289106458526},
        {(cd_real)-0.12108188014837226, (cd_real)0.5304943787413609, (cd_real)0.3212289106458526},
        {(cd_real)-0.49025052403470615, (cd_real)0.23609220923220486, (cd_real)0.3212289106458526},
        {(cd_real)-0.4902505240347062, (cd_real)-0.23609220923220475, (cd_real)0.3212289106458526},
        {(cd_real)-0.1210818801483724, (cd_real)-0.5304943787413609, (cd_real)0.3212289106458526},
        {(cd_real)0.339263889109923, (cd_real)-0.4254234609450413, (cd_real)0.3212289106458526}};
    cd_support s = cd_support_of_points(corners, 14), user, hull;
    cd_hull h;
    listed l, k;
    user = cd_support_of_function(ask_inner, &s, s.center, 0);
    CHECK_INT(cd_hull3_build(&h, fan, 10, NULL), CD_OK);
    hull = cd_support_of_hull(&h);
    l = all_of(&user, &hull, NULL, 0.125);
    k = all_of(&hull, &user, NULL, 0.125);
    CHECK_INT(l.count, 1);
    CHECK_INT(k.count, 1);
    CHECK_INT(l.point[0].feature_a, CD_FEATURE(CD_FEATURE_VERTEX, 0u));
    CHECK_INT(k.point[0].feature_b, CD_FEATURE(CD_FEATURE_VERTEX, 0u));
    cd_hull_destroy(&h);
}

static cd_vec3 times(cd_vec3 v, double s) {
    return at((double)v.x * s, (double)v.y * s, (double)v.z * s);
}

/* All twice a power of two: the same numbers. */
static void scales(void) {
    test_rng rng = test_random();
    for (long n = test_times(500); n > 0; --n) {
        cd_obb a, b, big_a, big_b;
        cd_cylinder c, big_c;
        cd_support s[3], big[3];
        cd_transform pose = gen_pose(&rng, 1.0), far = pose;
        double by = ldexp(1.0, test_int(&rng, -40, 40));
        cd_manifold m, k;
        int i = test_int(&rng, 0, 2), j = test_int(&rng, 0, 2);
        a.center = b.center = at(0, 0, 0);
        a.axes = b.axes = cd_mat3_identity();
        a.half = at(length_in(&rng), length_in(&rng), length_in(&rng));
        b.half = at(length_in(&rng), length_in(&rng), length_in(&rng));
        c.a = at(0, 0, -1);
        c.b = at(0, length_in(&rng), 1);
        c.radius = (cd_real)length_in(&rng);
        big_a = a;
        big_b = b;
        big_a.half = times(a.half, by);
        big_b.half = times(b.half, by);
        big_c.a = times(c.a, by);
        big_c.b = times(c.b, by);
        big_c.radius = (cd_real)((double)c.radius * by);
        far.position = times(pose.position, by);
        s[0] = cd_support_of_obb(&a);
        s[1] = cd_support_of_obb(&b);
        s[2] = cd_support_of_cylinder(&c);
        big[0] = cd_support_of_obb(&big_a);
        big[1] = cd_support_of_obb(&big_b);
        big[2] = cd_support_of_cylinder(&big_c);
        if (!CHECK_INT(manifold_of(&s[i], &s[j], &pose, 0.25, NULL, &m),
                       manifold_of(&big[i], &big[j], &far, 0.25 * by, NULL, &k)) ||
            !cd_gjk_test(&s[i], &s[j], &pose, NULL))
            continue;
        CHECK_INT(m.count, k.count);
        for (uint32_t p = 0; p < m.count && p < k.count; ++p) {
            CHECK(same_names(&m.points[p], &k.points[p]));
            CHECK_SAME((double)m.points[p].distance * by, (double)k.points[p].distance);
            CHECK_VEC(times(m.points[p].a, by), k.points[p].a, 0);
        }
    }
}

/* Any bytes in a cache: a right answer, and the same for the same bytes. */
static void caches(void) {
    static body a, b;
    test_rng rng = test_random();
    for (long n = test_times(1000); n > 0; --n) {
        cd_transform pose;
        cd_cache cache, copy;
        cd_manifold plain, m, k;
        bool has;
        make_body(&a, test_int(&rng, 0, KINDS - 1), &rng);
        make_body(&b, test_int(&rng, 0, KINDS - 1), &rng);
        pose = draw_pose(&rng, &a, &b);
        for (int i = 0; i < 8; ++i)
            cache.words[i] =
                test_int(&rng, 0, 2) ? (uint32_t)test_int(&rng, 0, 9) : (uint32_t)test_next(&rng);
        if (test_int(&rng, 0, 1)) cache.words[6] |= 0x80000000u;
        copy = cache;
        memset(&m, 0, sizeof m);
        memset(&k, 0, sizeof k);
        test_note("%s on %s ", b.name, a.name);
        test_note_reals("pose", REALS(pose), 7);
        has = manifold_of(&a.support, &b.support, &pose, 0.1, NULL, &plain);
        if (CHECK_INT(manifold_of(&a.support, &b.support, &pose, 0.1, &cache, &m), has) && has) {
            CHECK_NEAR(deepest_of(m.points, m.count), deepest_of(plain.points, plain.count),
                       0.01 + 8 * PRECISION); /* those that were kept before may rock */
            CHECK(manifold_of(&a.support, &b.support, &pose, 0.1, &copy, &k));
            for (int i = 0; i < 8; ++i) CHECK_INT(copy.words[i], cache.words[i]);
            CHECK_INT(k.count, m.count);
            for (uint32_t i = 0; i < m.count; ++i) {
                CHECK(same_names(&m.points[i], &k.points[i]));
                CHECK_SAME(m.points[i].distance, k.points[i].distance);
            }
        }
        free_body(&a);
        free_body(&b);
    }
}

/* A larger margin takes nothing away. */
static void margins(void) {
    static body a, b;
    test_rng rng = test_random();
    for (long n = test_times(1000); n > 0; --n) {
        cd_transform pose;
        listed l, k;
        double margin = test_range(&rng, 0, 0.2);
        make_body(&a, test_int(&rng, 0, KINDS - 1), &rng);
        make_body(&b, test_int(&rng, 0, KINDS - 1), &rng);
        pose = draw_pose(&rng, &a, &b);
        test_note("%s on %s ", b.name, a.name);
        test_note_reals("pose", REALS(pose), 7);
        l = all_of(&a.support, &b.support, &pose, margin);
        k = all_of(&a.support, &b.support, &pose, margin + 0.1);
        CHECK(l.count <= k.count);
        if (l.count > 0) CHECK_VEC(l.normal, k.normal, 0);
        free_body(&a);
        free_body(&b);
    }
}

/* ---- edges that are as good as faces ---- */

/* Boxes upon each other whose edges are parallel but for a hair: the normal is that of the faces, and they touch all over. */
static void no_phantom_edges(void) {
    test_rng rng = test_random();
    for (long n = test_times(2000); n > 0; --n) {
        cd_obb a, b;
        cd_support s, t;
        cd_transform pose;
        cd_manifold m;
        double depth = ldexp(1.0, -test_int(&rng, 3, 30)), angle = ldexp(1.0, -test_int(&rng, 1, 40));
        a.center = b.center = at(0, 0, 0);
        a.axes = b.axes = cd_mat3_identity();
        a.half = at(1, 1, length_in(&rng));
        b.half = at(1, 1, length_in(&rng));
        s = cd_support_of_obb(&a);
        t = cd_support_of_obb(&b);
        pose = set_upon(&s, &t, turn_about(at(0, 0, 1), angle), 0.1, 0.1, -depth);
        test_note("depth %a angle %a ", depth, angle);
        if (!CHECK(manifold_of(&s, &t, &pose, 0.01, NULL, &m))) continue;
        CHECK_NEAR((double)m.normal.z, 1, PRECISION);
        CHECK_INT(m.count, 4);
        for (uint32_t i = 0; i < m.count; ++i)
            CHECK_NEAR((double)m.points[i].distance, -depth, 4 * PRECISION);
    }
}

/* ---- reducing ---- */

static void reductions(void) {
    static cd_contact p[40], q[40];
    test_rng rng = test_random();
    for (long n = test_times(3000); n > 0; --n) {
        int count = test_int(&rng, 0, 40), how = test_int(&rng, 0, 4);
        cd_vec3 normal = at(0, 0, 1);
        uint32_t kept, last = 0;
        double least = HUGE_VAL;
        for (int i = 0; i < count; ++i) {
            double x = test_range(&rng, -1, 1), y = how == 0 ? 0.5 : test_range(&rng, -1, 1);
            memset(&p[i], 0, sizeof p[i]);
            p[i].a = how == 1   ? at(1, 2, 3)
                     : how == 2 ? at(test_int(&rng, -1, 1), test_int(&rng, -1, 1), 0)
                                : at(x, y, 0);
            p[i].distance = (cd_real)(how == 3 ? 0.0 : test_range(&rng, -1, 1));
            p[i].b = cd_vec3_add(p[i].a, cd_vec3_scale(normal, p[i].distance));
            p[i].feature_a = (uint32_t)i;
            least = fmin(least, (double)p[i].distance);
            q[i] = p[i];
        }
        test_note("%d points, %d ", count, how);
        kept = ASK("judge", cd_contacts_reduce(q, (uint32_t)count, normal));
        CHECK(kept <= 4 && kept <= (uint32_t)count && (kept > 0) == (count > 0));
        if (kept == 0) continue;
        CHECK_NEAR(deepest_of(q, kept), least, how == 3 ? 0 : 4e-6);
        for (uint32_t i = 0; i < kept; ++i) {
            CHECK(q[i].feature_a < (uint32_t)count && (i == 0 || q[i].feature_a > last));
            last = q[i].feature_a;
            CHECK_SAME(q[i].distance, p[last].distance);
        }
        CHECK(4.001 * area_of(q, kept, normal) + 1e-9 >= area_of(p, (size_t)count, normal));
        if (how == 0 && count > 1) { /* on a line: both ends */
            double lo = HUGE_VAL, hi = -HUGE_VAL, from = HUGE_VAL, to = -HUGE_VAL;
            for (int i = 0; i < count; ++i) lo = fmin(lo, (double)p[i].a.x), hi = fmax(hi, (double)p[i].a.x);
            for (uint32_t i = 0; i < kept; ++i)
                from = fmin(from, (double)q[i].a.x), to = fmax(to, (double)q[i].a.x);
            CHECK(from == lo && to == hi);
        }
    }
}

/* Something with many corners that rocks on a floor: the points of before are kept as long as the deepest is not much deeper than they. */
static void rocking(void) {
    test_rng rng = test_random();
    long kept = 0, changed = 0;
    for (long n = test_times(100); n > 0; --n) {
        cd_aabb floor_box;
        cd_support a, b;
        cd_vec3 p[24];
        cd_hull hull;
        cd_cache cache;
        int around = test_int(&rng, 5, 12), count;
        cd_manifold last;
        memset(&cache, 0, sizeof cache);
        memset(&last, 0, sizeof last);
        floor_box.min = at(-2, -2, -1);
        floor_box.max = at(2, 2, 0);
        a = cd_support_of_aabb(&floor_box);
        count = prism(&rng, p, around);
        CHECK_INT(cd_hull3_build(&hull, p, (size_t)count, NULL), CD_OK);
        b = cd_support_of_hull(&hull);
        for (int step = 0; step < 12; ++step) {
            double tilt = test_int(&rng, 0, 2) ? 1e-4 : 0.03, turn = test_range(&rng, 0, 6.28), deepest;
            cd_transform pose = set_upon(&a, &b, turn_about(at(cos(turn), sin(turn), 0), tilt), 0, 0, -0.001);
            cd_manifold m;
            listed l = all_of(&a, &b, &pose, 0.25);
            test_note("%d around, step %d, tilt %g ", around, step, tilt);
            if (!CHECK(manifold_of(&a, &b, &pose, 0.25, &cache, &m))) break;
            deepest = deepest_of(l.point, l.count);
            CHECK_NEAR(deepest_of(m.points, m.count), deepest, 0.0040 * 2 + 8 * PRECISION);
            CHECK(m.count >= 1 && m.count <= 4);
            check_names(m.points, m.count);
            for (uint32_t i = 0; step && i < m.count; ++i)
                for (uint32_t k = 0; k < last.count; ++k) {
                    if (same_names(&m.points[i], &last.points[k])) ++kept;
                }
            if (step && tilt > 0.01 && deepest_of(m.points, m.count) > deepest + 0.0081) ++changed;
            last = m;
        }
        CHECK_INT(changed, 0);
        cd_hull_destroy(&hull);
    }
    CHECK_SEEN(kept > 0);
}

/* Two hulls: what their supports give, to the bit, with caches from step to step, too. */
static void hulls_are_convex_bodies(void) {
    test_rng rng = test_random();
    long met = 0, all = 0;
    for (long i = test_times(540); i > 0; --i) {
        body one, other;
        cd_cache cache[2];
        cd_transform pose = gen_pose(&rng, 1.2);
        cd_collide_options o;
        memset(&one, 0, sizeof one);
        memset(&other, 0, sizeof other);
        memset(cache, 0, sizeof cache);
        memset(&o, 0, sizeof o);
        o.margin = (cd_real)(i % 2 ? 0.1 : 0);
        hull_of(&one, &rng);
        hull_of(&other, &rng);
        for (int step = 0; step < 4; ++step) {
            cd_support s = cd_support_of_hull(&one.hull), t = cd_support_of_hull(&other.hull);
            cd_manifold want, got;
            bool touch;
            memset(&want, 0, sizeof want);
            memset(&got, 0, sizeof got);
            test_note("margin %g ", (double)o.margin);
            test_note_reals("pose", REALS(pose), 7);
            touch = cd_collide_convex(&s, &t, &pose, &o, &cache[0], &want);
            CHECK_INT(ASK("forms", cd_collide_hull_hull(&one.hull, &other.hull, &pose, &o, &cache[1], &got)),
                      touch);
            CHECK(got.count == want.count);
            for (uint32_t k = 0; k < want.count && touch; ++k) {
                CHECK_VEC(got.points[k].a, want.points[k].a, 0);
                CHECK_VEC(got.points[k].b, want.points[k].b, 0);
                CHECK(got.points[k].distance == want.points[k].distance &&
                      got.points[k].feature_a == want.points[k].feature_a);
            }
            if (touch) CHECK_VEC(got.normal, want.normal, 0);
            met += touch;
            ++all;
            pose.position.x += (cd_real)0.01;
        }
        cd_hull_destroy(&one.hull);
        cd_hull_destroy(&other.hull);
    }
    CHECK_SEEN(met > all / 10 && met < all);
}

void suite_manifold(void) {
    RUN(hulls_are_convex_bodies);
    RUN(swaps);
    RUN(names_over_fans);
    RUN(scales);
    RUN(caches);
    RUN(margins);
    RUN(no_phantom_edges);
    RUN(reductions);
    RUN(all_kinds);
    RUN(patches);
    RUN(names_last);
    RUN(two_crossings_beside_a_corner);
    RUN(a_corner_between_two_edges);
    RUN(few_that_span_little_give_way);
    RUN(a_body_of_the_callers_on_a_box);
    RUN(along_the_top_of_a_wall);
    RUN(bars_along_bars);
    RUN(rims_stay_where_they_stood);
    RUN(stacks_keep_their_names);
    RUN(a_scene_keeps_its_names);
    RUN(rocking);
    RUN(slivers);
}
