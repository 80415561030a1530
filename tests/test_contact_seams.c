/* What the parts beside a part hide of it: boxes, segments, triangles and half-spaces, where that is known. */
#include "parts.h"

#include "gen.h"
#include <math.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

enum { MOST_PARTS = 8, SAMPLES = 4 };

static cd_vec3 at(cdi_v3 p) {
    return cd_vec3_make((cd_real)p.x, (cd_real)p.y, (cd_real)p.z);
}

static cdi_v3 axis_by(int axis, double by) {
    return cdi_v3_make(axis == 0 ? by : 0.0, axis == 1 ? by : 0.0, axis == 2 ? by : 0.0);
}

/* ---- a compound, and what is asked about its first child ---- */

typedef struct stage {
    cd_shape part[MOST_PARTS];
    cd_placed_shape placed[MOST_PARTS];
    uint32_t count, ignore;
    cd_filter_parts_fn filter;
    double size;
    cdi_v3 out, sample[SAMPLES];
    int samples;
    bool flat, settles, answer;
} stage;

static cd_shape *stage_add(stage *s, cd_shape shape, cdi_v3 where) {
    uint32_t i = s->count++;
    s->part[i] = shape;
    s->placed[i].shape = &s->part[i];
    s->placed[i].pose = cd_transform_identity();
    s->placed[i].pose.position = at(where);
    return &s->part[i];
}

static cd_shape *stage_box(stage *s, cdi_v3 middle) {
    cd_aabb box;
    box.min = at(cdi_v3_make(-0.5, -0.5, -0.5));
    box.max = at(cdi_v3_make(0.5, 0.5, 0.5));
    return stage_add(s, cd_shape_of_aabb(box), middle);
}

static cd_shape *stage_segment(stage *s, cdi_v3 from, cdi_v3 way) {
    cd_segment g;
    g.a = cd_vec3_make(0, 0, 0);
    g.b = at(way);
    return stage_add(s, cd_shape_of_segment(&g), from);
}

/* All begin with a box far off, which is the part that is asked about. */
static void stage_begin(stage *s) {
    memset(s, 0, sizeof *s);
    stage_box(s, cdi_v3_make(40.0, 40.0, 40.0));
    s->size = 1.0;
    s->samples = 1;
}

static bool stage_visit(void *user, const cdi_shape_part *own) {
    stage *s = (stage *)user;
    cd_compound compound = cd_compound_of(s->placed, s->count);
    cd_shape whole = cd_shape_of_compound(&compound);
    cdi_seams seams;
    memset(&seams, 0, sizeof seams);
    seams.shape = &whole;
    seams.ignore = s->ignore;
    seams.filter = s->filter;
    seams.own = seams.other = own;
    seams.size = s->size;
    seams.angle = CDI_SEAM_ANGLE;
    s->answer = s->settles ? cdi_seams_settle(&seams, s->sample[0], &s->out)
                           : cdi_seams_hide(&seams, s->out, s->sample, s->samples, s->flat);
    return true;
}

static bool stage_asks(stage *s) {
    cd_compound compound = cd_compound_of(s->placed, s->count);
    cd_shape whole = cd_shape_of_compound(&compound);
    s->answer = false;
    CHECK(cdi_parts_find(&whole, 0, 0, stage_visit, s));
    return s->answer;
}

/* ---- */

/* Boxes side by side so far away that their numbers are 2^-14 apart: a step of two of these is rounding, a larger one is there. Each face,
 * each side of it. */
static void steps_that_rounding_makes(void) {
    double far = 6.103515625e-05 / EPS, ulp = 6.103515625e-05, high = (sizeof(cd_real) == 4 ? 16 : 128) * ulp;
    for (int way = 0; way < 12; ++way) {
        int up = way % 3, beside = (up + 1 + way / 6) % 3;
        double sign = way / 3 % 2 ? -1.0 : 1.0;
        for (int n = 0; n < 4; ++n) {
            static const int place[4][3] = {{1, 1, 1}, {-1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
            cdi_v3 origin = cdi_v3_make(far * place[n][0], far * place[n][1], far * place[n][2]);
            for (int step = 0; step < 3; ++step) {
                stage s;
                double by = step == 0 ? -2.0 * ulp : step == 1 ? 2.0 * ulp : high;
                cdi_v3 shift = cdi_v3_add(axis_by(beside, 1.0), axis_by(up, sign * by));
                stage_begin(&s);
                s.count = 0;
                stage_box(&s, origin);
                stage_box(&s, cdi_v3_add(origin, shift));
                s.out = axis_by(up, sign);
                s.sample[0] = cdi_v3_add(origin, cdi_v3_add(axis_by(beside, 0.5), axis_by(up, 0.5 * sign)));
                test_note("way %d, place %d, step %d", way, n, step);
                CHECK_INT(stage_asks(&s), step == 2);
                s.settles = true;
                if (step < 2 && CHECK(stage_asks(&s))) CHECK_VEC(at(s.out), at(axis_by(up, sign)), 0);
            }
        }
    }
}

static bool refuses(void *user, const cd_part *a, const cd_part *b) {
    (void)user;
    (void)a;
    (void)b;
    return false;
}

/* One of some samples is far from the others, and what sticks out there is found, wherever that is; of a face, all have to be hidden. */
static void one_sample_of_some(void) {
    test_rng rng = test_random();
    for (int n = 0; n < 6 * SAMPLES; ++n) {
        stage s;
        int axis = n % 3, i = n / 6;
        cdi_v3 middle =
            cdi_v3_make(test_range(&rng, -4, 4), test_range(&rng, -4, 4), test_range(&rng, -4, 4));
        stage_begin(&s);
        s.samples = SAMPLES;
        for (int k = 0; k < SAMPLES; ++k) {
            cdi_v3 p = cdi_v3_make(test_range(&rng, -0.5, 0.5), test_range(&rng, -0.5, 0.5),
                                   test_range(&rng, -0.5, 0.5));
            p = cdi_v3_add(middle, p);
            if (k == i) p = cdi_v3_add(p, axis_by(axis, n % 2 ? 8.0 : -8.0));
            s.sample[k] = cdi_v3_of(at(p));
        }
        s.out = axis_by(test_int(&rng, 0, 2), n % 4 < 2 ? 1.0 : -1.0);
        test_note("axis %d, sample %d", axis, i);
        CHECK(!stage_asks(&s));
        stage_segment(&s, s.sample[i], cdi_v3_scale(s.out, 0.25));
        CHECK(stage_asks(&s));
        s.filter = refuses;
        CHECK(!stage_asks(&s));
        s.filter = NULL;
        s.part[1].layers = 2;
        s.ignore = 6;
        CHECK(!stage_asks(&s));
        s.ignore = 4;
        CHECK(stage_asks(&s));
        s.flat = true;
        CHECK(!stage_asks(&s));
        for (int k = 0; k < SAMPLES; ++k) {
            if (k == i) continue;
            CHECK(!stage_asks(&s));
            stage_segment(&s, s.sample[k], cdi_v3_scale(s.out, 0.25));
        }
        CHECK(stage_asks(&s));
        s.samples = 0;
        CHECK(!stage_asks(&s));
    }
}

/* As near as 1e-4 of the size touches; what rises by less than 1e-5 does not stick out. Segments, and triangles of a mesh, sharp and
 * rounded. */
static void as_near_and_as_steep(void) {
    static const uint32_t index[3] = {0, 1, 2};
    for (int n = 0; n < 3 * 2 * 3 * 3 * 4; ++n) {
        int up = n % 3, beside = (up + 1 + n / 3 % 2) % 3, kind = n / 18 % 3;
        double size = n / 6 % 3 == 0 ? 1.0 : n / 6 % 3 == 1 ? 4.0 : 0.25, radius = kind == 2 ? 0.5 : 0.0;
        double rise = n / 54 & 1 ? 3e-5 : 3e-6, apart = (n / 54 & 2 ? 2e-4 : 5e-5) * size;
        cdi_v3 begin = axis_by(kind == 2 ? up : beside, kind == 2 ? -apart : apart);
        cdi_v3 end = cdi_v3_add(axis_by(beside, 1.0), axis_by(up, rise));
        cd_bvh tree;
        stage s;
        stage_begin(&s);
        s.size = size;
        s.out = axis_by(up, 1.0);
        s.sample[0] = axis_by(up, radius);
        memset(&tree, 0, sizeof tree);
        if (kind == 0) {
            stage_segment(&s, begin, cdi_v3_sub(end, begin));
        } else {
            cd_vec3 v[3];
            cd_mesh_view view = cd_mesh_view_make(v, 3, index, 1);
            v[n % 3] = at(begin);
            v[(n + 1) % 3] = at(end);
            v[(n + 2) % 3] = at(cdi_v3_sub(begin, axis_by(up, 1.0)));
            CHECK_INT(cd_bvh_build_mesh(&tree, &view, NULL), CD_OK);
            stage_add(&s, cd_shape_of_mesh(&tree, NULL), axis_by(0, 0.0))->radius = (cd_real)radius;
        }
        test_note("n %d", n);
        CHECK_INT(stage_asks(&s), n / 54 == 1);
        cd_bvh_destroy(&tree);
    }
}

/* A half-space hides what is in it, and what is on its plane but with another normal. */
static void half_spaces(void) {
    for (int way = 0; way < 6; ++way) {
        cdi_v3 n = axis_by(way % 3, way < 3 ? 1.0 : -1.0), other = axis_by((way + 1) % 3, 1.0);
        for (int k = 0; k < 6; ++k) {
            static const double height[3] = {-0.01, 0.0, 0.01};
            stage s;
            cd_plane p;
            p.n = at(cdi_v3_scale(n, 2.0));
            p.d = 6; /* three from the origin of its own */
            stage_begin(&s);
            stage_add(&s, cd_shape_of_halfspace(&p), other);
            s.out = k < 3 ? n : other;
            s.sample[0] = cdi_v3_scale(n, 3.0 + height[k % 3]);
            test_note("way %d, k %d", way, k);
            CHECK_INT(stage_asks(&s), k % 3 == 0 || k == 4);
        }
    }
}

/* At the seam of two boxes a direction that leans over the other one, or over the box itself, is turned to the normal of both; where a
 * wall rises there is none. */
static void leaning_directions_are_turned(void) {
    enum { SEAM, ITSELF, REFUSED, APART, WALL, KINDS };
    for (int n = 0; n < 12 * KINDS; ++n) {
        stage s;
        int up = n % 3, beside = (up + 1 + n / 6 % 2) % 3, kind = n / 12;
        double sign = n / 3 % 2 ? -1.0 : 1.0, apart = kind == APART ? 1.01 : 1.0;
        cdi_v3 normal = axis_by(up, sign), next = axis_by(beside, apart);
        cdi_v3 leaning = cdi_v3_unit(cdi_v3_add(normal, axis_by(beside, kind == ITSELF ? -0.25 : 0.25)));
        stage_begin(&s);
        s.count = 0;
        stage_box(&s, cdi_v3_make(0.0, 0.0, 0.0));
        if (kind == WALL) next = cdi_v3_add(next, normal);
        if (kind != ITSELF) stage_box(&s, next);
        s.settles = true;
        s.filter = kind == REFUSED ? refuses : NULL;
        s.out = kind == WALL ? normal : leaning;
        s.sample[0] = cdi_v3_add(axis_by(beside, 0.5), axis_by(up, 0.5 * sign));
        test_note("n %d", n);
        CHECK_INT(stage_asks(&s), kind != WALL);
        if (kind == WALL) continue;
        CHECK_VEC(at(s.out), at(kind == REFUSED || kind == APART ? leaning : normal), 1e-5);
    }
}

/* ---- stretched and rounded triangles ---- */

typedef struct stretched {
    cd_triangle t;
    cdi_v3 by;
    double radius;
} stretched;

static bool stretched_visit(void *user, const cdi_shape_part *part) {
    stretched *s = (stretched *)user;
    cdi_tri t = cdi_shape_part_corners(part);
    double most = 0.0;
    for (int k = 0; k < 3; ++k) {
        double lo = HUGE_VAL, hi = -HUGE_VAL;
        for (int i = 0; i < 3; ++i) {
            double want = (double)REALS(s->t)[3 * i + k] * cdi_v3_get(s->by, k);
            CHECK_SAME(cdi_v3_get(t.v[i], k), want);
            lo = fmin(lo, want);
            hi = fmax(hi, want);
        }
        most = fmax(most, hi - lo);
    }
    CHECK_NEAR(cdi_shape_part_size(part), most + 2.0 * s->radius, (8 * EPS + 1e-13) * most);
    return true;
}

static void corners_and_size_of_a_part(void) {
    static const double by[4][3] = {{2, 0.5, -4}, {-0.25, 4, 2}, {8, 0.125, 0.5}, {0, 0, 0}};
    static const uint32_t index[3] = {0, 1, 2};
    for (int n = 0; n < 36; ++n) {
        int kind = n / 12;
        const double *one = by[n / 3 % 4], *two = by[(n / 3 + 1) % 4];
        cd_placed_shape placed;
        cd_compound compound;
        cd_mesh_view view;
        cd_bvh tree;
        cd_shape shape, whole;
        stretched s;
        memset(&s, 0, sizeof s);
        s.t.a = at(cdi_v3_make(1.0, 2.0, -3.0));
        s.t.b = at(cdi_v3_make(-2.0, 0.5, 1.0));
        s.t.c = at(cdi_v3_add(cdi_v3_make(0.25, -1.0, 0.75), axis_by(n % 3, n % 2 ? -40.0 : 30.0)));
        view = cd_mesh_view_make(&s.t.a, 3, index, 1);
        if (!CHECK_INT(cd_bvh_build_mesh(&tree, &view, NULL), CD_OK)) return;
        shape = kind == 1 ? cd_shape_of_triangle(&s.t) : cd_shape_of_mesh(&tree, NULL);
        shape.scale = at(cdi_v3_make(one[0], one[1], one[2]));
        shape.radius = (cd_real)(n % 4 == 3 ? 0.5 : 0);
        placed.shape = &shape;
        placed.pose = cd_transform_identity();
        compound = cd_compound_of(&placed, 1);
        whole = cd_shape_of_compound(&compound);
        if (kind == 2) whole.scale = at(cdi_v3_make(two[0], two[1], two[2]));
        if (kind == 2) shape.radius = 0;
        s.radius = (double)shape.radius;
        s.by = cdi_v3_make(one[0] == 0 ? 1 : one[0], one[1] == 0 ? 1 : one[1], one[2] == 0 ? 1 : one[2]);
        if (kind == 2 && two[0] != 0.0) s.by = cdi_v3_make(s.by.x * two[0], s.by.y * two[1], s.by.z * two[2]);
        test_note("n %d", n);
        CHECK(cdi_parts_find(kind == 2 ? &whole : &shape, kind == 2 ? 0 : CD_NONE, 0, stretched_visit, &s));
        cd_bvh_destroy(&tree);
    }
}

static void extents_of_boxes(void) {
    for (int axis = 0; axis < 3; ++axis)
        for (int k = -2; k <= 2; ++k) {
            cd_aabb box;
            box.min = at(cdi_v3_add(cdi_v3_make(k, 2 * k, -k), axis_by(axis, -2.0)));
            box.max = at(cdi_v3_add(cdi_v3_make(k + 1, 2 * k + 1.5, 1.25 - k), axis_by(axis, 5.0)));
            CHECK_SAME(cdi_box_extent(box), 7.0 + (axis == 0 ? 1.0 : axis == 1 ? 1.5 : 1.25));
        }
}

/* Points as deep as the one whose normal is told, found along others near it and farther out: that one stays, in each manifold, also in those
 * beyond the eight that are kept wide. */
static void one_of_the_deepest_is_along_the_normal(void) {
    static cd_manifold out[16];
    static cdi_join join;
    cdi_join_open(&join, out, 16);
    for (int i = 0; i < 12; ++i)
        for (int k = 0; k < 6; ++k) {
            double turn = 0.1 * i + (k ? 5e-4 : 0), c = cos(turn), s = sin(turn);
            cdi_contact_told t;
            cd_contact *p = &t.point;
            memset(&t, 0, sizeof t);
            t.surface[0] = t.surface[1] = true;
            t.head.normal = cd_vec3_make((cd_real)s, 0, (cd_real)c);
            p->a = k ? cd_vec3_make((cd_real)(k & 1 ? c : -c), k & 2 ? 1 : -1, (cd_real)(k & 1 ? -s : s))
                     : cd_vec3_make(0, 0, 0);
            p->b = cd_vec3_sub(p->a, t.head.normal);
            p->distance = -1;
            cdi_join_add(&join, &t);
        }
    CHECK_INT(cdi_join_close(&join), 12);
    for (int i = 0; i < 12; ++i) {
        double best = 1;
        for (uint32_t k = 0; k < out[i].count; ++k) {
            cd_vec3 d = cd_vec3_sub(out[i].points[k].b, out[i].points[k].a);
            best = fmin(best, (double)cd_vec3_length(cd_vec3_add(d, out[i].normal)));
        }
        test_note("%d of %u points", i, (unsigned)out[i].count);
        CHECK(best <= 80 * (double)CD_REAL_EPSILON);
    }
}

void suite_contact_seams(void) {
    RUN(steps_that_rounding_makes);
    RUN(one_sample_of_some);
    RUN(as_near_and_as_steep);
    RUN(half_spaces);
    RUN(leaning_directions_are_turned);
    RUN(corners_and_size_of_a_part);
    RUN(extents_of_boxes);
    RUN(one_of_the_deepest_is_along_the_normal);
}
