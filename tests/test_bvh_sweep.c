/* Moving volumes against a tree: a loop over all primitives with the single sweeps, on every named mesh, for triangles, boxes,
 * points and primitives of the caller's own, in all layouts; options, ties and bad input. */
#include "gen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MESHES = 16, ITEMS = 4, CUSTOM = 3, MASKS = 5, VOLUMES = 5 };

static gen_named_mesh meshes[MESHES];
static int mesh_count;

typedef struct scene {
    cd_bvh tree;
    int item;
    uint32_t count;
    cd_triangle *triangles;
    cd_aabb *boxes;
    cd_vec3 *points;
    uint32_t *masks;
} scene;

static scene scenes[MESHES * ITEMS];

/* ---- primitives of the caller's own: spheres in boxes ---- */

static cd_sphere sphere_in(const scene *s, uint32_t index) {
    cd_aabb b = s->boxes[index];
    cd_sphere r;
    r.center = cd_vec3_lerp(b.min, b.max, (cd_real)0.5);
    r.radius = 0;
    return r;
}

static bool sweep_sphere_at_rest(const cd_bvh_volume *v, cd_vec3 motion, cd_sphere s,
                                 const cd_cast_options *o, cd_hit *hit) {
    switch (v->kind) {
    case CD_BVH_AABB: return cd_sweep_aabb_sphere(v->u.aabb, motion, s, o, hit);
    case CD_BVH_SPHERE: return cd_sweep_sphere_sphere(v->u.sphere, motion, s, o, hit);
    case CD_BVH_CAPSULE: return cd_sweep_capsule_sphere(&v->u.capsule, motion, s, o, hit);
    case CD_BVH_OBB: return cd_sweep_obb_sphere(&v->u.obb, motion, s, o, hit);
    case CD_BVH_HULL: return cd_sweep_hull_sphere(v->u.hull, motion, s, o, hit);
    default: return false;
    }
}

static bool sweep_own(void *user, uint32_t index, const cd_bvh_volume *v, cd_vec3 motion,
                      const cd_cast_options *o, cd_hit *hit) {
    return sweep_sphere_at_rest(v, motion, sphere_in((const scene *)user, index), o, hit);
}

static cd_bvh_custom own_of(scene *s) {
    cd_bvh_custom own;
    memset(&own, 0, sizeof own);
    own.user = s;
    own.sweep = sweep_own;
    return own;
}

/* ---- scenes ---- */

static cd_bvh_custom owns[MESHES * ITEMS];

static void make_scene(scene *s, const gen_mesh *mesh, int item, uint32_t layout) {
    cd_mesh_view view = gen_mesh_view(mesh);
    cd_bvh_options o;
    cd_status status;
    memset(&o, 0, sizeof o);
    s->item = item;
    s->count = mesh->triangle_count;
    s->triangles = (cd_triangle *)calloc(s->count, sizeof *s->triangles);
    s->boxes = (cd_aabb *)calloc(s->count, sizeof *s->boxes);
    s->points = (cd_vec3 *)calloc(s->count, sizeof *s->points);
    s->masks = (uint32_t *)calloc(s->count, sizeof *s->masks);
    for (uint32_t i = 0; i < s->count; ++i) {
        cd_triangle t = gen_mesh_triangle(mesh, i);
        s->triangles[i] = t;
        s->boxes[i] = cd_aabb_from_points(&t.a, 3);
        s->points[i] = t.a;
        s->masks[i] = 1u << i % MASKS;
    }
    o.layout = layout;
    o.leaf_size = layout * 3;
    o.masks = s->masks;
    if (item == CD_BVH_TRIANGLES)
        status = cd_bvh_build_mesh(&s->tree, &view, &o);
    else if (item == CD_BVH_POINTS)
        status = cd_bvh_build_points(&s->tree, s->points, s->count, &o);
    else
        status = cd_bvh_build_boxes(&s->tree, s->boxes, s->count, &o);
    if (status != CD_OK) abort();
}

static void setup(void) {
    test_rng rng;
    rng.state = 99;
    mesh_count = gen_all_meshes(&rng, meshes);
    for (int m = 0; m < mesh_count * ITEMS; ++m) {
        make_scene(&scenes[m], &meshes[m / ITEMS].mesh, m % ITEMS,
                   (uint32_t)(m / ITEMS + m % ITEMS) % (m % ITEMS == CD_BVH_TRIANGLES ? 4 : 3));
        owns[m] = own_of(&scenes[m]);
        if (m % ITEMS == CUSTOM) scenes[m].tree.custom = &owns[m];
    }
}

static void teardown(void) {
    for (int m = 0; m < mesh_count * ITEMS; ++m) {
        scene *s = &scenes[m];
        cd_bvh_destroy(&s->tree);
        free(s->triangles);
        free(s->boxes);
        free(s->points);
        free(s->masks);
    }
    for (int m = 0; m < mesh_count; ++m) gen_mesh_free(&meshes[m].mesh);
}

/* ---- the loop ---- */

static bool sweep_triangle(const cd_bvh_volume *v, cd_vec3 motion, const cd_triangle *t,
                           const cd_cast_options *o, cd_hit *hit) {
    switch (v->kind) {
    case CD_BVH_AABB: return cd_sweep_aabb_triangle(v->u.aabb, motion, t, o, hit);
    case CD_BVH_SPHERE: return cd_sweep_sphere_triangle(v->u.sphere, motion, t, o, hit);
    case CD_BVH_CAPSULE: return cd_sweep_capsule_triangle(&v->u.capsule, motion, t, o, hit);
    case CD_BVH_OBB: return cd_sweep_obb_triangle(&v->u.obb, motion, t, o, hit);
    case CD_BVH_HULL: return cd_sweep_hull_triangle(v->u.hull, motion, t, o, hit);
    default: return false;
    }
}

static bool sweep_box(const cd_bvh_volume *v, cd_vec3 motion, cd_aabb b, const cd_cast_options *o,
                      cd_hit *hit) {
    switch (v->kind) {
    case CD_BVH_AABB: return cd_sweep_aabb_aabb(v->u.aabb, motion, b, o, hit);
    case CD_BVH_SPHERE: return cd_sweep_sphere_aabb(v->u.sphere, motion, b, o, hit);
    case CD_BVH_CAPSULE: return cd_sweep_capsule_aabb(&v->u.capsule, motion, b, o, hit);
    case CD_BVH_OBB: return cd_sweep_obb_aabb(&v->u.obb, motion, b, o, hit);
    case CD_BVH_HULL: return cd_sweep_hull_aabb(v->u.hull, motion, b, o, hit);
    default: return false;
    }
}

static bool sweep_one(const scene *s, uint32_t i, const cd_bvh_volume *v, cd_vec3 motion,
                      const cd_cast_options *o, cd_hit *hit) {
    cd_sphere point;
    memset(hit, 0, sizeof *hit);
    if (s->item == CD_BVH_TRIANGLES) return sweep_triangle(v, motion, &s->triangles[i], o, hit);
    if (s->item == CD_BVH_BOXES) return sweep_box(v, motion, s->boxes[i], o, hit);
    if (s->item == CUSTOM) return sweep_sphere_at_rest(v, motion, sphere_in(s, i), o, hit);
    point.center = s->points[i];
    point.radius = 0;
    return sweep_sphere_at_rest(v, motion, point, o, hit);
}

static bool sweep_all(const scene *s, const cd_bvh_volume *v, cd_vec3 motion, const cd_cast_options *o,
                      cd_hit *best) {
    bool found = false;
    for (uint32_t i = 0; i < s->count; ++i) {
        cd_hit hit;
        if (!sweep_one(s, i, v, motion, o, &hit) || (found && !(hit.t < best->t))) continue;
        if (o && ((s->masks[i] & o->ignore_mask) || (o->filter && !o->filter(o->user, i)))) continue;
        hit.index = i;
        *best = hit;
        found = true;
    }
    return found;
}

static void check_same(const cd_hit *a, const cd_hit *b) {
    CHECK_SAME(a->t, b->t);
    CHECK_VEC(a->point, b->point, 0);
    CHECK_VEC(a->normal, b->normal, 0);
    CHECK_SAME(a->depth, b->depth);
    CHECK_SAME(a->u, b->u);
    CHECK_SAME(a->v, b->v);
    CHECK_INT(a->feature, b->feature);
    CHECK_INT(a->index, b->index);
    CHECK_INT(a->flags, b->flags);
}

static bool check_sweep(const scene *s, const cd_bvh_volume *v, cd_vec3 motion, const cd_cast_options *o) {
    cd_hit want, got, untouched;
    bool hits;
    memset(&untouched, 0x5A, sizeof untouched);
    want = got = untouched;
    hits = sweep_all(s, v, motion, o, &want);
    CHECK_INT(ASK("loop", cd_bvh_sweep(&s->tree, v, motion, o, &got)), hits);
    CHECK_INT(ASK("loop", cd_bvh_test_sweep(&s->tree, v, motion, o)), hits);
    if (hits)
        check_same(&got, &want);
    else
        CHECK(!memcmp(&got, &untouched, sizeof got));
    return hits;
}

/* ---- volumes ---- */

static double extent_of(const scene *s) {
    cd_aabb b = cd_bvh_bounds(&s->tree);
    return (double)cd_vec3_dist(b.min, b.max);
}

static cd_vec3 place(test_rng *rng, const scene *s, double margin) {
    cd_aabb b = cd_bvh_bounds(&s->tree);
    const cd_real *lo = REALS(b.min), *hi = REALS(b.max);
    cd_vec3 p;
    for (int k = 0; k < 3; ++k) {
        double size = (double)hi[k] - (double)lo[k] + 0.01 * extent_of(s);
        REALS(p)[k] = (cd_real)((double)lo[k] + size * test_range(rng, -margin, 1.0 + margin));
    }
    if (!test_int(rng, 0, 3)) p = s->points[test_int(rng, 0, (int)s->count - 1)];
    return p;
}

static cd_vec3 rounded(const double v[3]) {
    return cd_vec3_make((cd_real)v[0], (cd_real)v[1], (cd_real)v[2]);
}

static cd_vec3 random_vector(test_rng *rng, double length) {
    double v[3];
    for (int k = 0; k < 3; ++k) v[k] = length * test_range(rng, -1, 1);
    return rounded(v);
}

static cd_bvh_volume draw_volume(test_rng *rng, const scene *s, int kind) {
    static const double sizes[] = {0.0, 0.001, 0.02, 0.1, 0.5};
    double size = extent_of(s) * sizes[test_int(rng, 0, 4)];
    cd_vec3 at = place(rng, s, 0.6), by = random_vector(rng, size);
    cd_sphere ball;
    cd_capsule capsule;
    cd_obb obb;
    if (kind == CD_BVH_SPHERE) {
        ball.center = at;
        ball.radius = (cd_real)(size * test_range(rng, 0, 1));
        return cd_bvh_volume_sphere(ball);
    }
    if (kind == CD_BVH_CAPSULE) {
        capsule.a = at;
        capsule.b = cd_vec3_add(at, by);
        capsule.radius = (cd_real)(test_int(rng, 0, 3) ? size * test_range(rng, 0, 1) : 0);
        return cd_bvh_volume_capsule(&capsule);
    }
    by = cd_vec3_make((cd_real)fabs((double)by.x), (cd_real)fabs((double)by.y), (cd_real)fabs((double)by.z));
    if (kind == CD_BVH_AABB) {
        cd_aabb b;
        b.min = at;
        b.max = cd_vec3_add(at, by);
        return cd_bvh_volume_aabb(b);
    }
    obb.center = at;
    obb.half = by;
    obb.axes = cd_quat_to_mat3(gen_quat(rng));
    return cd_bvh_volume_obb(&obb);
}

/* Of a point, a segment, a polygon and a body, each in place. */
static cd_bvh_volume draw_hull(test_rng *rng, const scene *s, cd_hull *hull) {
    static const double sizes[] = {0.0, 0.01, 0.1, 0.5};
    double size = extent_of(s) * sizes[test_int(rng, 0, 3)];
    cd_vec3 at = place(rng, s, 0.6), p[8];
    int count = test_int(rng, 1, 8);
    for (int i = 0; i < count; ++i) {
        cd_vec3 by = random_vector(rng, size);
        p[i] = cd_vec3_add(at, by);
    }
    if (cd_hull3_build(hull, p, (size_t)count, NULL) != CD_OK) abort();
    return cd_bvh_volume_hull(hull);
}

static cd_vec3 draw_motion(test_rng *rng, const scene *s) {
    cd_vec3 v = random_vector(rng, extent_of(s) * test_range(rng, 0, 2));
    int what = test_int(rng, 0, 19);
    if (what < 6) REALS(v)[what % 3] = 0;
    if (what == 1) v = cd_vec3_make(0, 0, v.z);
    if (what == 7) v = cd_vec3_make(0, 0, 0);
    if (what == 8) v = cd_vec3_scale(v, (cd_real)ldexp(1.0, test_int(rng, -60, 40)));
    return v;
}

static bool odd_only(void *user, uint32_t index) {
    (void)user;
    return index % 2 == 1;
}

static cd_cast_options draw_options(test_rng *rng) {
    cd_cast_options o;
    memset(&o, 0, sizeof o);
    o.flags = (uint32_t)test_int(rng, 0, 31);
    if (test_int(rng, 0, 2)) o.flags = 0;
    if (!test_int(rng, 0, 3)) o.t_min = (cd_real)test_range(rng, -0.5, 1.1);
    if (!test_int(rng, 0, 5)) o.filter = odd_only;
    if (!test_int(rng, 0, 5)) o.ignore_mask = (uint32_t)test_int(rng, 0, 31);
    return o;
}

static void note_scene(const scene *s, const cd_bvh_volume *v, cd_vec3 motion, const cd_cast_options *o) {
    int m = (int)(s - scenes);
    test_note("mesh %s, item %d, layout %u, volume %u, flags %u, t_min %a", meshes[m / ITEMS].name, s->item,
              cd_bvh_get_layout(&s->tree), v->kind, o->flags, (double)o->t_min);
    if (v->kind <= CD_BVH_OBB) test_note_reals("volume", (const cd_real *)(const void *)&v->u, 15);
    test_note_reals("motion", REALS(motion), 3);
}

static void sweeps_equal_a_loop(void) {
    static const uint32_t kinds[] = {CD_BVH_AABB, CD_BVH_SPHERE, CD_BVH_CAPSULE, CD_BVH_OBB};
    test_rng rng = test_random();
    long hits = 0, all = test_times(1000);
    for (long i = 0; i < all; ++i) {
        const scene *s = &scenes[test_int(&rng, 0, mesh_count * ITEMS - 1)];
        cd_bvh_volume v = draw_volume(&rng, s, (int)kinds[test_int(&rng, 0, 3)]);
        cd_vec3 motion = draw_motion(&rng, s);
        cd_cast_options o = draw_options(&rng);
        note_scene(s, &v, motion, &o);
        hits += check_sweep(s, &v, motion, &o);
    }
    CHECK_SEEN(hits > all / 10 && hits < all - all / 10);
}

static void hulls_equal_a_loop(void) {
    test_rng rng = test_random();
    long hits = 0, all = test_times(200);
    for (long i = 0; i < all; ++i) {
        const scene *s = &scenes[test_int(&rng, 0, mesh_count * ITEMS - 1)];
        cd_hull hull;
        cd_bvh_volume v = draw_hull(&rng, s, &hull);
        cd_vec3 motion = draw_motion(&rng, s);
        cd_cast_options o = draw_options(&rng);
        note_scene(s, &v, motion, &o);
        hits += check_sweep(s, &v, motion, &o);
        cd_hull_destroy(&hull);
    }
    CHECK_SEEN(hits > all / 20 && hits < all);
}

/* ---- what is parted from the volume before it is swept ---- */

/* A ball of triangles, larger, smaller and farther from the origin than floats like it. */
static void make_far_scene(test_rng *rng, scene *s) {
    static const int exponents[] = {0, 0, 0, -60, 60, -110, 100};
    gen_mesh mesh = test_int(rng, 0, 2) ? gen_mesh_ball(test_int(rng, 2, 6), 0.3, rng)
                                        : gen_mesh_soup((uint32_t)test_int(rng, 1, 60), 0.3, GEN_GRID, rng);
    double scale = ldexp(1.0, exponents[test_int(rng, 0, 6)]);
    double away = test_int(rng, 0, 2) ? 0.0 : ldexp(1.0, test_int(rng, 0, 22));
    cd_vec3 by = random_vector(rng, away);
    for (uint32_t i = 0; i < mesh.vertex_count; ++i)
        mesh.vertices[i] = cd_vec3_scale(cd_vec3_add(mesh.vertices[i], by), (cd_real)scale);
    memset(s, 0, sizeof *s);
    make_scene(s, &mesh, CD_BVH_TRIANGLES, (uint32_t)test_int(rng, 0, 2));
    gen_mesh_free(&mesh);
}

static void free_scene(scene *s) {
    cd_bvh_destroy(&s->tree);
    free(s->triangles);
    free(s->boxes);
    free(s->points);
    free(s->masks);
}

/* Of more or fewer points than are looked at one by one. */
static cd_bvh_volume draw_round_hull(test_rng *rng, const scene *s, double size, cd_hull *hull) {
    cd_vec3 at = place(rng, s, 0.6), p[100];
    int count = test_int(rng, 0, 1) ? 100 : test_int(rng, 4, 40);
    for (int i = 0; i < count; ++i) {
        cd_vec3 by = cd_vec3_normalize(random_vector(rng, 1));
        p[i] = cd_vec3_add(at, cd_vec3_scale(by, (cd_real)size));
    }
    if (cd_hull3_build(hull, p, (size_t)count, NULL) != CD_OK) abort();
    return cd_bvh_volume_hull(hull);
}

/* Somewhat or much smaller or larger than the tree. */
static cd_bvh_volume draw_sized(test_rng *rng, const scene *s, cd_hull *hull) {
    static const double sizes[] = {0.01, 0.1, 0.5, 3.0, 100.0, 1e5};
    double size = extent_of(s) * sizes[test_int(rng, 0, 5)];
    int kind = test_int(rng, 0, 4);
    cd_vec3 center = place(rng, s, 2), by = random_vector(rng, size);
    cd_bvh_volume v;
    memset(hull, 0, sizeof *hull);
    if (kind == 4) return draw_round_hull(rng, s, size, hull);
    v = draw_volume(rng, s, kind);
    if (kind == CD_BVH_SPHERE) {
        v.u.sphere.center = cd_vec3_add(center, by);
        v.u.sphere.radius = (cd_real)size;
    } else if (kind == CD_BVH_CAPSULE) {
        v.u.capsule.a = center;
        v.u.capsule.b = cd_vec3_add(center, by);
    } else if (kind == CD_BVH_OBB) {
        v.u.obb.center = cd_vec3_add(center, random_vector(rng, size));
        REALS(v.u.obb.half)[test_int(rng, 0, 2)] = (cd_real)size;
    } else {
        v.u.aabb.max = cd_vec3_add(v.u.aabb.min, cd_vec3_make((cd_real)size, (cd_real)size, 0));
    }
    return v;
}

/* The first contact is put to the end of the motion, and a step before and after it. */
static void check_at_the_end(const scene *s, const cd_bvh_volume *v, cd_vec3 motion,
                             const cd_cast_options *o) {
    cd_hit hit;
    cd_vec3 steps[3];
    if (!cd_bvh_sweep(&s->tree, v, motion, o, &hit) || !(hit.t > 0)) return;
    for (int k = 0; k < 3; ++k) {
        steps[0] = steps[1] = steps[2] = cd_vec3_scale(motion, hit.t);
        REALS(steps[0])[k] = (cd_real)((double)REALS(steps[0])[k] * (1 - 2 * (double)CD_REAL_EPSILON));
        REALS(steps[2])[k] = (cd_real)((double)REALS(steps[2])[k] * (1 + 2 * (double)CD_REAL_EPSILON));
        for (int i = 0; i < 3; ++i) check_sweep(s, v, steps[i], o);
    }
}

static void what_is_parted_is_not_met(void) {
    test_rng rng = test_random();
    long hits = 0, all = test_times(400);
    for (long i = 0; i < all; ++i) {
        scene s;
        cd_hull hull;
        make_far_scene(&rng, &s);
        for (int k = 0; k < 2; ++k) {
            cd_bvh_volume v = draw_sized(&rng, &s, &hull);
            cd_cast_options o = draw_options(&rng);
            cd_vec3 motion = test_int(&rng, 0, 5)
                                 ? random_vector(&rng, extent_of(&s) * test_range(&rng, 0, 6))
                                 : draw_motion(&rng, &s);
            test_note("size %g, volume %u, flags %u, t_min %a", extent_of(&s), v.kind, o.flags,
                      (double)o.t_min);
            hits += check_sweep(&s, &v, motion, &o);
            check_at_the_end(&s, &v, motion, &o);
            cd_hull_destroy(&hull);
        }
        free_scene(&s);
    }
    CHECK_SEEN(hits > all / 10);
}

/* Triangles so small, or so thin, that the square of their normal, or the normal itself, underflows in floats: specks in the
 * middle of the tree, and needles all over it. */
static void make_specks(test_rng *rng, scene *s) {
    gen_mesh mesh = gen_mesh_soup((uint32_t)test_int(rng, 3, 40), 0.5, GEN_UNIT, rng);
    bool needles = test_int(rng, 0, 1);
    for (uint32_t i = 0; i < 3 * mesh.triangle_count; ++i) {
        cd_vec3 *v = &mesh.vertices[mesh.indices[i]];
        double thin = ldexp(1.0, -test_int(rng, 24, 149));
        if (i < 6) {
            *v = cd_vec3_make(1, 1, 1);
            if (i < 3) *v = cd_vec3_neg(*v);
        } else if (needles) {
            v->x = (cd_real)(i % 3 == 0 ? -1 : 1);
            v->y = (cd_real)(i % 3 == 2 ? thin : 0);
            v->z = mesh.vertices[mesh.indices[i - i % 3]].z;
        } else {
            *v = cd_vec3_scale(*v, (cd_real)ldexp(1.0, -test_int(rng, 24, 60)));
        }
    }
    memset(s, 0, sizeof *s);
    make_scene(s, &mesh, CD_BVH_TRIANGLES, (uint32_t)test_int(rng, 0, 2));
    gen_mesh_free(&mesh);
}

/* Something of that radius about that place: with a point of its core, or of its surface, there. */
static cd_bvh_volume draw_at(test_rng *rng, int kind, cd_vec3 at, double radius) {
    cd_capsule c;
    cd_sphere s;
    cd_obb b;
    if (kind == CD_BVH_SPHERE) {
        s.center = at;
        s.radius = (cd_real)radius;
        return cd_bvh_volume_sphere(s);
    }
    if (kind == CD_BVH_CAPSULE) {
        c.a = at;
        c.b = cd_vec3_add(at, random_vector(rng, radius));
        c.radius = (cd_real)(radius * test_int(rng, 0, 1));
        return cd_bvh_volume_capsule(&c);
    }
    b.center = at;
    b.half = cd_vec3_make((cd_real)radius, (cd_real)radius, (cd_real)radius);
    b.axes = cd_quat_to_mat3(gen_quat(rng));
    return cd_bvh_volume_obb(&b);
}

static void specks_are_met(void) {
    static const uint32_t kinds[] = {CD_BVH_SPHERE, CD_BVH_CAPSULE, CD_BVH_OBB};
    test_rng rng = test_random();
    long hits = 0, all = test_times(400);
    for (long i = 0; i < all; ++i) {
        scene s;
        make_specks(&rng, &s);
        for (int k = 0; k < 6; ++k) {
            double radius = ldexp(1.0, -test_int(&rng, 0, 12));
            cd_vec3 from = random_vector(&rng, 1), over = random_vector(&rng, radius);
            cd_bvh_volume v = draw_at(&rng, (int)kinds[k % 3], from, radius);
            cd_cast_options o = draw_options(&rng);
            hits += check_sweep(&s, &v, cd_vec3_scale(cd_vec3_sub(over, from), 2), &o);
        }
        free_scene(&s);
    }
    CHECK_SEEN(hits > all);
}

/* Along triangles that are level, of each axis, as near as they come to touching. */
static void level_triangles_are_grazed(void) {
    test_rng rng = test_random();
    long hits = 0, all = 12 + test_times(300);
    for (long i = 0; i < all; ++i) {
        gen_mesh mesh = gen_mesh_soup((uint32_t)test_int(&rng, 5, 30), 0.5, GEN_UNIT, &rng);
        int axis = (int)(i % 3);
        scene s;
        for (uint32_t k = 0; k < 3 * mesh.triangle_count; ++k) {
            cd_real *first = REALS(mesh.vertices[mesh.indices[k - k % 3]]);
            REALS(mesh.vertices[mesh.indices[k]])[axis] = first[axis];
        }
        memset(&s, 0, sizeof s);
        make_scene(&s, &mesh, CD_BVH_TRIANGLES, (uint32_t)(i / 3 % 3));
        for (int k = 0; k < 6; ++k) {
            cd_triangle t =
                gen_mesh_triangle(&mesh, (uint32_t)test_int(&rng, 0, (int)mesh.triangle_count - 1));
            cd_vec3 way = random_vector(&rng, 1), along = random_vector(&rng, 0.3), at;
            cd_real radius = (cd_real)test_range(&rng, 0.01, 0.3);
            cd_cast_options o = draw_options(&rng);
            cd_bvh_volume v;
            cd_sphere ball;
            at = cd_vec3_scale(cd_vec3_add(t.a, cd_vec3_add(t.b, t.c)), (cd_real)(1.0 / 3));
            REALS(way)[axis] = REALS(along)[axis] = 0;
            at = cd_vec3_sub(at, way);
            REALS(at)[axis] = REALS(t.a)[axis] + (test_int(&rng, 0, 1) ? radius : -radius);
            ball.center = at;
            ball.radius = radius;
            v = cd_bvh_volume_sphere(ball);
            if (k % 3 == 1) {
                cd_capsule c;
                c.a = at;
                c.b = cd_vec3_add(at, along);
                c.radius = radius;
                v = cd_bvh_volume_capsule(&c);
            }
            if (k % 3 == 2) {
                cd_obb b;
                b.center = at;
                b.half = cd_vec3_make(radius, radius, radius);
                b.axes = cd_mat3_identity();
                v = cd_bvh_volume_obb(&b);
            }
            hits += check_sweep(&s, &v, cd_vec3_scale(way, 2), &o);
        }
        free_scene(&s);
        gen_mesh_free(&mesh);
    }
    CHECK_SEEN(hits > all);
}

static void forms_are_the_volumes(void) {
    test_rng rng = test_random();
    for (long i = test_times(240); i > 0; --i) {
        const scene *s = &scenes[test_int(&rng, 0, mesh_count * ITEMS - 1)];
        cd_hull hull;
        cd_bvh_volume v[5];
        cd_vec3 motions[5], motion = draw_motion(&rng, s);
        cd_hit one[5], many[5];
        bool got[5];
        size_t found = 0;
        memset(one, 0, sizeof one);
        for (int k = 0; k < 4; ++k) v[k] = draw_volume(&rng, s, k);
        v[4] = draw_hull(&rng, s, &hull);
        got[0] = ASK("forms", cd_bvh_sweep_aabb(&s->tree, v[0].u.aabb, motion, NULL, &one[0]));
        got[1] = ASK("forms", cd_bvh_sweep_sphere(&s->tree, v[1].u.sphere, motion, NULL, &one[1]));
        got[2] = ASK("forms", cd_bvh_sweep_capsule(&s->tree, &v[2].u.capsule, motion, NULL, &one[2]));
        got[3] = ASK("forms", cd_bvh_sweep_obb(&s->tree, &v[3].u.obb, motion, NULL, &one[3]));
        got[4] = ASK("forms", cd_bvh_sweep_hull(&s->tree, &hull, motion, NULL, &one[4]));
        for (int k = 0; k < 5; ++k) {
            motions[k] = motion;
            found += got[k];
            if (!got[k]) one[k].index = CD_NONE;
        }
        CHECK_INT(ASK("forms", cd_bvh_sweeps(&s->tree, v, motions, 5, NULL, many)), found);
        CHECK_INT(ASK("forms", cd_bvh_sweeps(&s->tree, v, motions, 5, NULL, NULL)), found);
        for (int k = 0; k < 5; ++k) check_same(&many[k], &one[k]);
        cd_hull_destroy(&hull);
    }
}

/* Of a large mesh, only what is near the way is looked at. */
static void little_is_looked_at(void) {
    test_rng rng = test_random();
    gen_mesh m = gen_mesh_ball(16, 0.1, &rng);
    cd_mesh_view view = gen_mesh_view(&m);
    cd_bvh tree;
    CHECK_INT(cd_bvh_build_mesh(&tree, &view, NULL), CD_OK);
    for (int i = 0; i < 12; ++i) {
        cd_vec3 from = cd_vec3_make(0, 0, 0), way = from;
        cd_bvh_volume v;
        cd_sphere s;
        cd_capsule c;
        cd_obb b;
        cd_hit hit;
        REALS(from)[i % 3] = 2;
        REALS(from)[(i + 1) % 3] = (cd_real)0.3;
        REALS(way)[i % 3] = -4;
        REALS(way)[(i + 2) % 3] = (cd_real)0.7;
        s.center = from;
        s.radius = (cd_real)0.01;
        c.a = c.b = from;
        REALS(c.b)[(i + 1) % 3] += (cd_real)0.02;
        c.radius = (cd_real)0.01;
        b.center = from;
        b.axes = cd_quat_to_mat3(gen_quat(&rng));
        b.half = cd_vec3_make((cd_real)0.01, (cd_real)0.02, (cd_real)0.01);
        v = i / 3 == 0   ? cd_bvh_volume_sphere(s)
            : i / 3 == 1 ? cd_bvh_volume_capsule(&c)
                         : cd_bvh_volume_obb(&b);
        if (i / 3 == 3) v = cd_bvh_volume_aabb(cd_aabb_from_obb(&b));
        memset(&test_counted, 0, sizeof test_counted);
        CHECK(cd_bvh_sweep(&tree, &v, way, NULL, &hit));
        CHECK(test_counted.node < 40 && test_counted.triangle < 100 && test_counted.sweep < 20);
    }
    cd_bvh_destroy(&tree);
    gen_mesh_free(&m);
}

static void nonsense_hits_nothing(void) {
    test_rng rng = test_random();
    const scene *s = &scenes[0];
    cd_vec3 motion = cd_vec3_make(1, 0, 0), up = cd_vec3_make(0, 1, 0);
    cd_bvh empty;
    cd_hull none;
    cd_plane plane = {up, 0};
    cd_bvh_volume v = cd_bvh_volume_triangle(&s->triangles[0]);
    memset(&empty, 0, sizeof empty);
    memset(&none, 0, sizeof none);
    CHECK(!cd_bvh_sweep(&s->tree, &v, motion, NULL, NULL));
    v = cd_bvh_volume_planes(&plane, 1);
    CHECK(!cd_bvh_sweep(&s->tree, &v, motion, NULL, NULL));
    CHECK(!cd_bvh_sweep_hull(&s->tree, NULL, motion, NULL, NULL));
    CHECK(!cd_bvh_sweep_hull(&s->tree, &none, motion, NULL, NULL));
    v = cd_bvh_volume_aabb(cd_bvh_bounds(&s->tree));
    CHECK(cd_bvh_sweep(&s->tree, &v, motion, NULL, NULL));
    CHECK(!cd_bvh_sweep(&empty, &v, motion, NULL, NULL));
    v.kind = 77;
    CHECK(!cd_bvh_sweep(&s->tree, &v, motion, NULL, NULL));
    CHECK_INT(cd_bvh_sweeps(&s->tree, NULL, NULL, 0, NULL, NULL), 0);
    for (long i = test_times(500); i > 0; --i) {
        const scene *any = &scenes[test_int(&rng, 0, mesh_count * ITEMS - 1)];
        cd_vec3 by = draw_motion(&rng, any);
        cd_cast_options o = draw_options(&rng);
        int numbers;
        v = draw_volume(&rng, any, test_int(&rng, 0, 3));
        numbers = v.kind == CD_BVH_AABB ? 6 : v.kind == CD_BVH_SPHERE ? 4 : v.kind == CD_BVH_CAPSULE ? 7 : 15;
        for (int k = test_int(&rng, 1, 3); k > 0; --k) {
            cd_real bad = (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
            if (test_int(&rng, 0, 1))
                REALS(by)[test_int(&rng, 0, 2)] = bad;
            else
                ((cd_real *)(void *)&v.u)[test_int(&rng, 0, numbers - 1)] = bad;
        }
        note_scene(any, &v, by, &o);
        check_sweep(any, &v, by, &o);
    }
}

void suite_bvh_sweep(void) {
    setup();
    RUN(sweeps_equal_a_loop);
    RUN(hulls_equal_a_loop);
    RUN(what_is_parted_is_not_met);
    RUN(specks_are_met);
    RUN(level_triangles_are_grazed);
    RUN(forms_are_the_volumes);
    RUN(little_is_looked_at);
    RUN(nonsense_hits_nothing);
    teardown();
}
