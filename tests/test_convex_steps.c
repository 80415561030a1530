/* Small steps through every seam: the distance follows the motion, and the normal neither flips nor wavers. */
#include "convex_truth.h"
#include "gen.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { STEPS = 401, MOST_POINTS = 8 };

static truth_pair pair;

typedef struct body {
    const char *name;
    cd_support support;
    cd_vec3 points[MOST_POINTS];
    cd_aabb box;
    cd_obb obb;
    cd_rect rect;
    cd_disc disc;
    cd_cylinder cylinder;
    cd_cone cone;
    cd_ellipsoid ellipsoid;
    cd_hull hull;
} body;

/* ---- bodies: what is below has its top in z = 0, what is above ends there ---- */

static void add_points(body *b, const double *p, int count) {
    for (int i = 0; i < count; ++i)
        b->points[i] = cd_vec3_make((cd_real)p[3 * i], (cd_real)p[3 * i + 1], (cd_real)p[3 * i + 2]);
    b->support = cd_support_of_points(b->points, (size_t)count);
}

static const double slab[] = {-2, -2, -2, 2, -2, -2, -2, 2, -2, 2, 2, -2,
                              -2, -2, 0,  2, -2, 0,  -2, 2, 0,  2, 2, 0};

static void below_box(body *b) {
    b->box.min = cd_vec3_make(-2, -2, -2);
    b->box.max = cd_vec3_make(2, 2, 0);
    b->support = cd_support_of_aabb(&b->box);
}
static void below_points(body *b) {
    add_points(b, slab, 8);
}
static void below_hull(body *b) {
    add_points(b, slab, 8);
    CHECK_INT(cd_hull3_build(&b->hull, b->points, 8, NULL), CD_OK);
    b->support = cd_support_of_hull(&b->hull);
}
static void below_cylinder(body *b) {
    b->cylinder.a = cd_vec3_make(0, 0, 0);
    b->cylinder.b = cd_vec3_make(0, 0, -3);
    b->cylinder.radius = 2.5f;
    b->support = cd_support_of_cylinder(&b->cylinder);
}
static void below_rounded(body *b) {
    b->box.min = cd_vec3_make(-2, -2, -2);
    b->box.max = cd_vec3_make(2, 2, -0.25f);
    b->support = cd_support_of_aabb(&b->box);
    b->support.radius = 0.25f;
}

static void (*const below[])(body *b) = {below_box, below_points, below_hull, below_cylinder, below_rounded};

static void above_point(body *b) {
    b->support = cd_support_of_point(cd_vec3_make(0.25f, 0.125f, 0));
}
static void above_sphere(body *b) {
    cd_sphere s = {{0.1f, 0.2f, 0.5f}, 0.5f};
    b->support = cd_support_of_sphere(s);
}
static void above_segment(body *b) {
    static const double p[] = {-0.5, 0.25, 0, 0.75, 0.5, 0};
    add_points(b, p, 2);
}
static void above_leaning_segment(body *b) {
    static const double p[] = {-0.5, 0.25, 0, 0.75, 0.5, 1e-3};
    add_points(b, p, 2);
}
static void above_triangle(body *b) {
    static const double p[] = {-0.5, 0.25, 0, 0.75, 0.5, 0, 0, -1, 0};
    add_points(b, p, 3);
}
static void above_corner(body *b) {
    static const double p[] = {0.1, 0.2, 0, 0.75, 0.5, 1, 0, -1, 1.25, -1, 0, 1};
    add_points(b, p, 4);
}
static void above_edge(body *b) {
    static const double p[] = {0.5, 0.2, 0, -0.75, 0.5, 0, 0, -1, 1.25, -1, 0, 1};
    add_points(b, p, 4);
}
static void above_wedge(body *b) {
    static const double p[] = {-1, 0, 0, 1, 0, 0, -1, -1, 1, 1, -1, 1, -1, 1, 1, 1, 1, 1};
    add_points(b, p, 6);
}
static void above_box(body *b) {
    b->box.min = cd_vec3_make(-0.5f, -1, 0);
    b->box.max = cd_vec3_make(0.75f, 0.5f, 1);
    b->support = cd_support_of_aabb(&b->box);
}
static void above_leaning_box(body *b) {
    cd_quat q = {0.25f, 0.5f, 0.125f, 1};
    double low = 0;
    b->obb.axes = cd_quat_to_mat3(cd_quat_normalize(q));
    b->obb.half = cd_vec3_make(0.5f, 0.25f, 0.75f);
    for (int k = 0; k < 3; ++k) low += fabs((double)b->obb.axes.col[k].z * (double)REALS(b->obb.half)[k]);
    b->obb.center = cd_vec3_make(0, 0, (cd_real)low);
    b->support = cd_support_of_obb(&b->obb);
}
static void above_rect(body *b) {
    b->rect.a = cd_vec3_make(-0.5f, -0.5f, 0);
    b->rect.edge[0] = cd_vec3_make(1, 0.5f, 0);
    b->rect.edge[1] = cd_vec3_make(-0.25f, 0.5f, 0);
    b->support = cd_support_of_rect(&b->rect);
}
static void above_lozenge(body *b) {
    above_rect(b);
    b->rect.a.z = 0.25f;
    b->support = cd_support_of_rect(&b->rect);
    b->support.radius = 0.25f;
}
static void above_capsule(body *b) {
    static const double p[] = {-0.5, 0.25, 0.25, 0.75, 0.5, 0.25};
    add_points(b, p, 2);
    b->support.radius = 0.25f;
}
static void above_cylinder(body *b) {
    b->cylinder.a = cd_vec3_make(0.1f, 0, 0);
    b->cylinder.b = cd_vec3_make(0.1f, 0, 1);
    b->cylinder.radius = 0.5f;
    b->support = cd_support_of_cylinder(&b->cylinder);
}
static void above_lying_cylinder(body *b) {
    b->cylinder.a = cd_vec3_make(-1, 0, 0.5f);
    b->cylinder.b = cd_vec3_make(1, 0, 0.5f);
    b->cylinder.radius = 0.5f;
    b->support = cd_support_of_cylinder(&b->cylinder);
}
static void above_leaning_cylinder(body *b) {
    b->cylinder.a = cd_vec3_make(0, 0, 0.4f);
    b->cylinder.b = cd_vec3_make(0.8f, 0, 1);
    b->cylinder.radius = 0.5f;
    b->support = cd_support_of_cylinder(&b->cylinder);
}
static void above_tip(body *b) {
    b->cone.apex = cd_vec3_make(0.1f, 0, 0);
    b->cone.base = cd_vec3_make(0.1f, 0.25f, 1);
    b->cone.radius = 0.5f;
    b->support = cd_support_of_cone(&b->cone);
}
static void above_cone(body *b) {
    b->cone.base = cd_vec3_make(0.1f, 0, 0);
    b->cone.apex = cd_vec3_make(0.1f, 0, 1);
    b->cone.radius = 0.5f;
    b->support = cd_support_of_cone(&b->cone);
}
static void above_disc(body *b) {
    b->disc.center = cd_vec3_make(0.1f, 0, 0);
    b->disc.normal = cd_vec3_make(0, 0, 3);
    b->disc.radius = 0.5f;
    b->support = cd_support_of_disc(&b->disc);
}
static void above_leaning_disc(body *b) {
    above_disc(b);
    b->disc.center.z = 0.3f;
    b->disc.normal = cd_vec3_make(3, 0, 4);
    b->support = cd_support_of_disc(&b->disc);
}
static void above_egg(body *b) {
    b->ellipsoid.center = cd_vec3_make(0, 0, 0.5f);
    b->ellipsoid.axes.col[0] = cd_vec3_make(1, 0, 0);
    b->ellipsoid.axes.col[1] = cd_vec3_make(0, 1, 0);
    b->ellipsoid.axes.col[2] = cd_vec3_make(0, 0, 1);
    b->ellipsoid.half = cd_vec3_make(1, 0.25f, 0.5f);
    b->support = cd_support_of_ellipsoid(&b->ellipsoid);
}

static const struct above_kind {
    const char *name;
    void (*make)(body *b);
} above[] = {
    {"point", above_point},
    {"sphere", above_sphere},
    {"segment", above_segment},
    {"leaning segment", above_leaning_segment},
    {"triangle", above_triangle},
    {"corner", above_corner},
    {"edge", above_edge},
    {"wedge", above_wedge},
    {"box", above_box},
    {"leaning box", above_leaning_box},
    {"rect", above_rect},
    {"lozenge", above_lozenge},
    {"capsule", above_capsule},
    {"cylinder", above_cylinder},
    {"lying cylinder", above_lying_cylinder},
    {"leaning cylinder", above_leaning_cylinder},
    {"tip", above_tip},
    {"cone", above_cone},
    {"disc", above_disc},
    {"leaning disc", above_leaning_disc},
    {"egg", above_egg},
};
enum { ABOVE = (int)(sizeof above / sizeof *above), BELOW = (int)(sizeof below / sizeof *below) };

static void make(body *b, void (*with)(body *b)) {
    memset(b, 0, sizeof *b);
    with(b);
}

/* ---- walks ---- */

/* From `from` to `to`, turning about an axis through the origin of B from one half angle to the other. */
typedef struct walk {
    const body *a, *b;
    cd_vec3 from, to, axis; /* the axis unit */
    double half_from, half_to;
    const double *normal; /* known, or NULL */
    double step;          /* no point of B moves farther in one */
    const char *name;
    int asked; /* every so many steps the truth is asked; 0: never */
    int turns; /* no more than so many times does the normal jump */
} walk;

static cd_transform pose_at(const walk *w, int i) {
    double s = (double)i / (STEPS - 1), angle = w->half_from + s * (w->half_to - w->half_from);
    cd_transform t = cd_transform_identity();
    for (int k = 0; k < 3; ++k) {
        double p = (double)(&w->from.x)[k], q = (double)(&w->to.x)[k];
        REALS(t.position)[k] = (cd_real)(p + s * (q - p));
        REALS(t.rotation)[k] = (cd_real)(sin(angle) * (double)(&w->axis.x)[k]);
    }
    t.rotation.w = (cd_real)cos(angle);
    return t;
}

static void set_step(walk *w) {
    double move = 0, turn, reach;
    for (int k = 0; k < 3; ++k) {
        double d = (double)(&w->to.x)[k] - (double)(&w->from.x)[k];
        move += d * d;
    }
    truth_open(&pair, &w->b->support, &w->b->support, NULL);
    reach = (double)((pair.reach + pair.a.extent) * pair.unit) + fabs(pair.origin[0]) + fabs(pair.origin[1]) +
            fabs(pair.origin[2]);
    turn = 2 * fabs(w->half_to - w->half_from) * reach;
    w->step = (sqrt(move) + turn) / (STEPS - 1) + 4 * (double)CD_REAL_EPSILON * reach;
}

static double between(cd_vec3 a, double s, cd_vec3 b, double t) {
    double x = (double)a.x * s - (double)b.x * t, y = (double)a.y * s - (double)b.y * t,
           z = (double)a.z * s - (double)b.z * t;
    return sqrt(x * x + y * y + z * z);
}

/* The distance moves no farther than the bodies; apart, the shortest way follows, too. */
static void check_step(const walk *w, const cd_separation *old, const cd_separation *s) {
    double d = (double)s->distance, e = (double)old->distance, gaps = (double)s->gap + (double)old->gap;
    double slack = gaps + 4 * (double)CD_REAL_EPSILON * (fabs(d) + fabs(e)), far_apart = fmax(d, e);
    CHECK_NEAR(d, e, w->step + slack);
    if (d <= gaps || e <= gaps) return;
    slack += w->step + sqrt(4 * far_apart * gaps);
    if (w->half_from != w->half_to) slack += 2 * sqrt(far_apart * w->step);
    CHECK_NEAR(between(s->normal, d, old->normal, e), 0, slack + 8 * (double)CD_REAL_EPSILON * far_apart);
}

static void walk_check(walk *w) {
    cd_separation s, old;
    cd_cache memory;
    int turned = 0;
    bool jumps;
    memset(&memory, 0, sizeof memory);
    memset(&old, 0, sizeof old);
    set_step(w);
    for (int i = 0; i < STEPS; ++i) {
        cd_transform pose = pose_at(w, i);
        test_note("%s, step %d", w->name, i);
        test_note_reals("pose", &pose.rotation.x, 7);
        s = ASK("judge",
                cd_convex_distance(&w->a->support, &w->b->support, &pose, NULL, i % 2 ? &memory : NULL));
        truth_open(&pair, &w->a->support, &w->b->support, &pose);
        if (!truth_judge(&pair, &s, false)) return;
        if (w->normal) {
            cd_vec3 n = cd_vec3_make((cd_real)w->normal[0], (cd_real)w->normal[1], (cd_real)w->normal[2]);
            if (!CHECK_NEAR(between(s.normal, 1, n, 1), 0, sizeof(cd_real) == 4 ? 1e-5 : 1e-9)) return;
        }
        if (i) check_step(w, &old, &s);
        jumps = i && between(s.normal, 1, old.normal, 1) > 0.5;
        turned += jumps;
        if ((jumps && turned > 3) || (w->asked && i % w->asked == w->asked / 2)) {
            truth t = truth_of(&pair);
            truth_judge_against(&pair, &s, &t);
        }
        old = s;
    }
    CHECK(turned <= w->turns);
}

static walk walk_begin(const char *name, const body *a, const body *b, double z0, double z1) {
    walk w;
    memset(&w, 0, sizeof w);
    w.name = name;
    w.turns = 3;
    w.a = a;
    w.b = b;
    w.axis = cd_vec3_make(1, 0, 0);
    w.from = cd_vec3_make(0, 0, (cd_real)z0);
    w.to = cd_vec3_make(0, 0, (cd_real)z1);
    return w;
}

static const double up[3] = {0, 0, 1};

/* Every kind of body onto a face, from apart to deep, straight down: the normal leads up all the way. */
static void down_onto_a_face(void) {
    static body a, b;
    double height[3] = {0.05, 1e-4, sizeof(cd_real) == 4 ? 1e-6 : 1e-11};
    long stride = test_is_small() ? 151 : 1 + 40 / test_times(10), skip = 0;
    for (int i = 0; i < BELOW; ++i) {
        make(&a, below[i]);
        for (int k = 0; k < ABOVE; ++k) {
            make(&b, above[k].make);
            for (int h = 0; h < 3; ++h) {
                walk w = walk_begin(above[k].name, &a, &b, height[h], -height[h]);
                if (++skip % stride) continue;
                w.normal = up;
                w.asked = 200;
                walk_check(&w);
            }
        }
        cd_hull_destroy(&a.hull);
    }
}

/* A face turns through parallel to another, apart, touching and deep: about an axis in it, and about the normal. */
static void through_parallel(void) {
    static body a, b;
    static const cd_real axes[4][3] = {{1, 0, 0}, {0, 1, 0}, {0.6f, 0.8f, 0}, {0, 0, 1}};
    double height[3] = {0.01, 0, -0.01}, most[2] = {0.01, 1e-6};
    for (int i = 0; i < (test_is_small() ? 1 : BELOW); ++i) {
        make(&a, below[i]);
        for (int k = 0; k < 24; ++k) {
            walk w;
            make(&b, i % 2 ? above_cylinder : above_box);
            w = walk_begin("through parallel", &a, &b, height[k % 3], height[k % 3]);
            w.axis = cd_vec3_make(axes[k / 6][0], axes[k / 6][1], axes[k / 6][2]);
            w.half_from = -most[k / 3 % 2];
            w.half_to = -w.half_from;
            w.normal = up;
            if ((k + 2 * i) % (test_is_small() ? 14 : test_times(10) < 100 ? 5 : 1)) continue;
            walk_check(&w);
        }
        cd_hull_destroy(&a.hull);
    }
}

static const double ridge[] = {0, -1, 0, 0, 1, 0, -1, -1, -1, -1, 1, -1, 1, -1, -1, 1, 1, -1};

static void below_ridge(body *b) {
    add_points(b, ridge, 6);
}

/* An edge onto an edge across it, from apart to deep; and turning through parallel to it, apart and touching. */
static void edges_on_edges(void) {
    static body a, b;
    walk w;
    make(&a, below_ridge);
    make(&b, above_wedge);
    w = walk_begin("edge onto edge", &a, &b, 0.05, -0.05);
    w.normal = up;
    w.asked = 40;
    walk_check(&w);
    w = walk_begin("edge onto edge, slowly", &a, &b, 1e-6, -1e-6);
    w.normal = up;
    walk_check(&w);
    w = walk_begin("edges through parallel", &a, &b, 0.01, 0.01); /* a quarter turn: along the ridge */
    w.axis = cd_vec3_make(0, 0, 1);
    w.half_from = 0.785398163397448 - 0.01;
    w.half_to = 0.785398163397448 + 0.01;
    w.normal = up;
    walk_check(&w);
    w.from.z = w.to.z = -0.01f;
    w.from.x = w.to.x = 0.002f; /* one of the slopes is the nearer way out */
    w.normal = NULL;
    w.asked = 40;
    walk_check(&w);
}

/* Over the rim of a face and down beside it: from face to edge to corner, apart and deep. */
static void over_the_rim(void) {
    static body a, b;
    double height[3] = {0.02, 0, -0.02};
    for (int k = 0; k < ABOVE * 3; k += test_is_small() ? 32 : test_times(10) < 100 ? 4 : 1) {
        walk w;
        make(&a, below[k % 2]);
        make(&b, above[k / 3 % ABOVE].make);
        w = walk_begin(above[k / 3 % ABOVE].name, &a, &b, height[k % 3], height[k % 3]);
        w.from = cd_vec3_make(1, k % 4 ? 0 : 1, w.from.z);
        w.to = cd_vec3_make(4, k % 4 ? 0 : 4, w.to.z);
        w.asked = test_is_small() ? 0 : 133;
        walk_check(&w);
    }
}

/* Straight through each other, any bodies, while they turn. */
static void through_each_other(void) {
    test_rng rng = test_random();
    static body a, b;
    for (long i = test_times(20); i > 0; --i) {
        walk w;
        int k = test_int(&rng, 0, ABOVE - 1), j = test_int(&rng, 0, ABOVE - 1);
        make(&a, above[j].make);
        make(&b, above[k].make);
        w = walk_begin(above[k].name, &a, &b, 0, 0);
        for (int n = 0; n < 3; ++n) REALS(w.from)[n] = (cd_real)test_range(&rng, -2, 2);
        w.to = cd_vec3_neg(w.from);
        w.axis = cd_vec3_make(0, 0.6f, 0.8f);
        w.half_to = test_range(&rng, 0, 1);
        w.turns = 12; /* of both at once; mostly one or two */
        w.asked = test_is_small() ? 0 : 133;
        walk_check(&w);
    }
}

void suite_convex_steps(void) {
    RUN(down_onto_a_face);
    RUN(through_parallel);
    RUN(edges_on_edges);
    RUN(over_the_rim);
    RUN(through_each_other);
}
