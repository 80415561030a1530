/* Moving spheres, judged by the reference for sweeps, and by what must hold between answers. */
#include "gen.h"
#include "sweeps.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* ---- inputs ---- */

#define CORNERS 9

/* One of each thing to be met, and a way. */
typedef struct scene {
    cd_sphere s, ball;
    cd_vec3 motion;
    cd_capsule capsule;
    cd_triangle triangle;
    cd_vec3 polygon[CORNERS];
    int count;
    cd_aabb box;
    cd_obb turned;
} scene;

static cd_real zero_or(gen *g, cd_real x) {
    return test_int(g->rng, 0, 4) ? x : 0;
}

/* Needles, segments and points among them, and large ones. */
static cd_triangle any_triangle(gen *g) {
    cd_triangle t = gen_triangle(g);
    cd_real size = (cd_real)ldexp(1.0, test_int(g->rng, 0, 12));
    switch (test_int(g->rng, 0, 9)) {
    case 0: t.c = t.a; break;
    case 1: t.b = t.c = t.a; break;
    case 2: t.c = cd_vec3_lerp(t.a, t.b, (cd_real)test_range(g->rng, -1, 2)); break;
    case 3:
    case 4:
        t.b = cd_vec3_along(t.a, cd_vec3_sub(t.b, t.a), size);
        t.c = cd_vec3_along(t.a, cd_vec3_sub(t.c, t.a), size);
        break;
    default: break;
    }
    return t;
}

/* A part of a circle or of an affine image of it, which is convex; its plane is that of three points, up to rounding. */
static int any_polygon(gen *g, cd_vec3 *p) {
    int count = test_int(g->rng, 1, CORNERS);
    cd_triangle t = any_triangle(g);
    cd_vec3 x = cd_vec3_sub(t.b, t.a), y = cd_vec3_sub(t.c, t.a);
    for (int i = 0; i < count; ++i) {
        double angle = 6.283185307179586 * i / count;
        p[i] = cd_vec3_along(cd_vec3_along(t.a, x, (cd_real)cos(angle)), y, (cd_real)sin(angle));
    }
    if (count == 3) memcpy(p, &t.a, sizeof t);
    if (count == 4) p[0] = t.b, p[1] = t.a, p[2] = t.c, p[3] = cd_vec3_add(t.b, y);
    return count;
}

static cd_aabb any_box(gen *g) {
    cd_aabb b = gen_aabb(g);
    if (!test_int(g->rng, 0, 4)) b.max.x = b.min.x;
    if (!test_int(g->rng, 0, 4)) b.max.z = b.min.z;
    return b;
}

/* A way from where the sphere is: to or past a point of something; along an edge of it; nowhere. */
static cd_vec3 any_motion(gen *g, const scene *x) {
    const cd_triangle *t = &x->triangle;
    double u = test_range(g->rng, 0, 1), v = test_range(g->rng, 0, 1 - u);
    cd_vec3 to = cd_vec3_along(cd_vec3_along(t->a, cd_vec3_sub(t->b, t->a), (cd_real)u),
                               cd_vec3_sub(t->c, t->a), (cd_real)v);
    cd_real length = (cd_real)test_range(g->rng, 0.2, 3);
    switch (test_int(g->rng, 0, 9)) {
    case 0: return cd_vec3_make(0, 0, 0);
    case 1: return cd_vec3_scale(cd_vec3_sub(t->b, t->a), length);
    case 2: return cd_vec3_sub(t->b, x->s.center);
    case 3: return cd_vec3_scale(cd_vec3_sub(cd_vec3_lerp(t->b, t->c, (cd_real)u), x->s.center), length);
    case 4: return cd_vec3_scale(cd_vec3_sub(x->ball.center, x->s.center), length);
    case 5: return cd_vec3_scale(cd_vec3_sub(x->box.max, x->s.center), length);
    case 6: return cd_vec3_sub(gen_point(g), x->s.center);
    default: return cd_vec3_scale(cd_vec3_sub(to, x->s.center), length);
    }
}

static scene any_scene(test_rng *rng) {
    gen g = gen_begin(rng, (gen_kind)test_int(rng, 0, GEN_KINDS - 1));
    cd_segment core = gen_segment(&g);
    scene x;
    x.s = gen_sphere(&g);
    x.s.radius = zero_or(&g, x.s.radius);
    if (test_int(rng, 0, 2)) x.s.radius *= (cd_real)0.125;
    x.ball = gen_sphere(&g);
    x.ball.radius = zero_or(&g, x.ball.radius);
    x.capsule.a = core.a;
    x.capsule.b = test_int(rng, 0, 4) ? core.b : core.a;
    x.capsule.radius = zero_or(&g, gen_length(&g));
    x.triangle = any_triangle(&g);
    x.count = any_polygon(&g, x.polygon);
    x.box = any_box(&g);
    x.turned = gen_obb(&g);
    x.motion = any_motion(&g, &x);
    return x;
}

static void note_scene(const scene *x) {
    scene all = *x;
    test_note("sphere sweep");
    test_note_reals("s", REALS(all.s), 4);
    test_note_reals("motion", REALS(all.motion), 3);
}

/* ---- the reference ---- */

static bool sweep_any(const scene *x, int which, const cd_cast_options *options, cd_hit *hit) {
    switch (which) {
    case 0: return cd_sweep_sphere_sphere(x->s, x->motion, x->ball, options, hit);
    case 1: return cd_sweep_sphere_capsule(x->s, x->motion, &x->capsule, options, hit);
    case 2: return cd_sweep_sphere_triangle(x->s, x->motion, &x->triangle, options, hit);
    case 3: return cd_sweep_sphere_polygon(x->s, x->motion, x->polygon, (size_t)x->count, options, hit);
    case 4: return cd_sweep_sphere_aabb(x->s, x->motion, x->box, options, hit);
    default: return cd_sweep_sphere_obb(x->s, x->motion, &x->turned, options, hit);
    }
}

static sweep_body body_of_any(scene *x, int which) {
    switch (which) {
    case 0: test_note_reals("ball", REALS(x->ball), 4); return sweep_of_sphere(x->ball);
    case 1: test_note_reals("capsule", REALS(x->capsule), 7); return sweep_of_capsule(&x->capsule);
    case 2: test_note_reals("triangle", REALS(x->triangle), 9); return sweep_of_triangle(&x->triangle);
    case 3:
        test_note_reals("polygon", REALS(x->polygon), 3 * x->count);
        return sweep_of_polygon(x->polygon, x->count);
    case 4: test_note_reals("box", REALS(x->box), 6); return sweep_of_aabb(x->box);
    default: test_note_reals("obb", REALS(x->turned), 15); return sweep_of_obb(&x->turned);
    }
}

/* A polygon of rounded corners is not flat: the triangles of its fan are less than the hull. */
static bool is_flat(const scene *x, int which) {
    return which != 3 || x->count < 4;
}

static void sweeps_are_as_the_reference_says(void) {
    test_rng rng = test_random();
    long seen[6] = {0, 0, 0, 0, 0, 0};
    for (long i = 0; i < test_times(4000); ++i) {
        scene x = any_scene(&rng);
        for (int which = 0; which < 6; ++which) {
            sweep_body a = sweep_of_sphere(x.s), b;
            cd_hit hit;
            bool got;
            if (!is_flat(&x, which)) continue;
            note_scene(&x);
            b = body_of_any(&x, which);
            got = sweep_any(&x, which, NULL, &hit);
            sweep_judge(&a, x.motion, &b, got, &hit);
            seen[which] += got && !(hit.flags & CD_HIT_START);
        }
    }
    for (int which = 0; which < 6; ++which) CHECK_SEEN(seen[which] > 10);
}

void suite_sweep_sphere(void) {
    RUN(sweeps_are_as_the_reference_says);
}
