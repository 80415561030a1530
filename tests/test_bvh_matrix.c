/* The matrix of trees: every layout x every kind of primitive (of the compact one: triangles; of height fields: their own) x every query, each cell against a loop over all primitives
 * with the call for one, on the named meshes and on a corpus of hostile ones. The methods of building take turns. */
#include "test.h"

#include "gen.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a tree is over ---- */

/* balls: primitives of the caller's own; cells: the triangles of a height field */
enum { TRIANGLES, INDEXED, BOXES, POINTS, BALLS, CELLS, THINGS };
enum { LAYOUTS = 5, METHODS = 12 };

static const char *const thing_names[THINGS] = {"triangles", "indexed", "boxes", "points", "balls", "cells"};
static const char *const layout_names[LAYOUTS] = {"wide", "binary", "quantised", "compact", "heights"};

typedef struct things {
    const char *mesh;
    int thing;
    uint32_t layout, count;
    cd_triangle *t;
    cd_aabb *b;
    cd_vec3 *p;
    cd_sphere *s;
    uint32_t *masks;
    cd_bvh_custom custom;
    cd_bvh tree;
    double extent;
} things;

/* ---- one primitive ---- */

static bool ball_overlap(void *user, uint32_t i, const cd_bvh_volume *v) {
    const things *w = (const things *)user;
    return cd_bvh_volume_test_point(v, w->s[i].center); /* its centre stands for it */
}

static bool ball_cast(void *user, uint32_t i, const cd_ray *r, cd_real t_max, const cd_cast_options *o,
                      cd_hit *hit) {
    return cd_cast_ray_sphere(r, t_max, ((const things *)user)->s[i], o, hit);
}

static bool ball_closest(void *user, uint32_t i, cd_vec3 p, cd_real most, cd_closest *out) {
    const things *w = (const things *)user;
    cd_closest c = cd_closest_pts_point_aabb(p, w->b[i]);
    if (!((double)c.sqdist <= (double)most * (double)most)) return false;
    *out = c;
    return true;
}

static bool ball_sweep(void *user, uint32_t i, const cd_bvh_volume *v, cd_vec3 motion,
                       const cd_cast_options *o, cd_hit *hit) {
    const things *w = (const things *)user;
    return v->kind == CD_BVH_SPHERE && cd_sweep_sphere_sphere(v->u.sphere, motion, w->s[i], o, hit);
}

static bool one_cast(const things *w, uint32_t i, const cd_ray *r, cd_real t_max, const cd_cast_options *o,
                     cd_hit *hit) {
    switch (w->thing) {
    case TRIANGLES:
    case CELLS:
    case INDEXED: return cd_cast_ray_triangle(r, t_max, &w->t[i], o, hit);
    case BOXES: return cd_cast_ray_aabb(r, t_max, w->b[i], o, hit);
    case BALLS: return cd_cast_ray_sphere(r, t_max, w->s[i], o, hit);
    default: return false;
    }
}

static bool one_overlap(const things *w, uint32_t i, const cd_bvh_volume *v) {
    switch (w->thing) {
    case TRIANGLES:
    case CELLS:
    case INDEXED: return cd_bvh_volume_test_triangle(v, &w->t[i]);
    case BOXES: return cd_bvh_volume_test_aabb(v, w->b[i]);
    case POINTS: return cd_bvh_volume_test_point(v, w->p[i]);
    default: return cd_bvh_volume_test_point(v, w->s[i].center);
    }
}

static cd_closest one_closest(const things *w, uint32_t i, cd_vec3 p) {
    cd_aabb b;
    switch (w->thing) {
    case TRIANGLES:
    case CELLS:
    case INDEXED: return cd_closest_pts_point_triangle(p, &w->t[i]);
    case POINTS: b.min = b.max = w->p[i]; return cd_closest_pts_point_aabb(p, b);
    default: return cd_closest_pts_point_aabb(p, w->b[i]);
    }
}

static bool sweep_triangle(const cd_bvh_volume *v, cd_vec3 m, const cd_triangle *t, const cd_cast_options *o,
                           cd_hit *hit) {
    switch (v->kind) {
    case CD_BVH_SPHERE: return cd_sweep_sphere_triangle(v->u.sphere, m, t, o, hit);
    case CD_BVH_CAPSULE: return cd_sweep_capsule_triangle(&v->u.capsule, m, t, o, hit);
    case CD_BVH_AABB: return cd_sweep_aabb_triangle(v->u.aabb, m, t, o, hit);
    case CD_BVH_OBB: return cd_sweep_obb_triangle(&v->u.obb, m, t, o, hit);
    default: return false;
    }
}

static bool sweep_box(const cd_bvh_volume *v, cd_vec3 m, cd_aabb b, const cd_cast_options *o, cd_hit *hit) {
    switch (v->kind) {
    case CD_BVH_SPHERE: return cd_sweep_sphere_aabb(v->u.sphere, m, b, o, hit);
    case CD_BVH_CAPSULE: return cd_sweep_capsule_aabb(&v->u.capsule, m, b, o, hit);
    case CD_BVH_AABB: return cd_sweep_aabb_aabb(v->u.aabb, m, b, o, hit);
    case CD_BVH_OBB: return cd_sweep_obb_aabb(&v->u.obb, m, b, o, hit);
    default: return false;
    }
}

static bool sweep_ball(const cd_bvh_volume *v, cd_vec3 m, cd_sphere s, const cd_cast_options *o,
                       cd_hit *hit) {
    switch (v->kind) {
    case CD_BVH_SPHERE: return cd_sweep_sphere_sphere(v->u.sphere, m, s, o, hit);
    case CD_BVH_CAPSULE: return cd_sweep_capsule_sphere(&v->u.capsule, m, s, o, hit);
    case CD_BVH_AABB: return cd_sweep_aabb_sphere(v->u.aabb, m, s, o, hit);
    case CD_BVH_OBB: return cd_sweep_obb_sphere(&v->u.obb, m, s, o, hit);
    default: return false;
    }
}

static bool one_sweep(const things *w, uint32_t i, const cd_bvh_volume *v, cd_vec3 m,
                      const cd_cast_options *o, cd_hit *hit) {
    cd_sphere point;
    switch (w->thing) {
    case TRIANGLES:
    case CELLS:
    case INDEXED: return sweep_triangle(v, m, &w->t[i], o, hit);
    case BOXES: return sweep_box(v, m, w->b[i], o, hit);
    case POINTS:
        point.center = w->p[i];
        point.radius = 0;
        return sweep_ball(v, m, point, o, hit);
    default: return v->kind == CD_BVH_SPHERE && sweep_ball(v, m, w->s[i], o, hit);
    }
}

/* ---- the things ---- */

static cd_aabb box_of(const cd_triangle *t) {
    return cd_aabb_from_points(&t->a, 3);
}

static void *room(uint32_t count, size_t size) {
    void *p = calloc(count ? count : 1, size);
    if (!p) abort();
    return p;
}

/* A height field whose samples are the mesh's vertices, one coordinate of each. */
static cd_status cells_make(things *w, const gen_mesh *m) {
    uint32_t side = 2, n = m->vertex_count, materials[256];
    cd_height_view v;
    uint8_t cells[256];
    cd_vec3 size = cd_vec3_sub(m->vertices[n / 2], m->vertices[0]);
    cd_status status;
    while (side < 12 && side * side < n) ++side;
    memset(&v, 0, sizeof v);
    for (uint32_t i = 0; i < 256; ++i) {
        materials[i] = 1u << i % 5;
        cells[i] = (uint8_t)(i % 7);
    }
    v.samples = &m->vertices[0].z;
    v.columns = n < side * side ? 2 : side;
    v.rows = n < side * side ? n / 2 : side;
    v.row_stride = v.columns * (uint32_t)sizeof(cd_real);
    v.up = side % 3;
    v.cut = n % 4;
    v.origin = m->vertices[0];
    v.spacing[0] = (cd_real)fabs((double)size.x);
    v.spacing[1] = (cd_real)fabs((double)size.y);
    v.materials = cells;
    v.material_masks = materials;
    status = cd_bvh_build_heights(&w->tree, &v, NULL);
    w->count = cd_bvh_count(&w->tree);
    for (uint32_t i = 0; i < w->count; ++i) {
        CHECK(cd_heights_triangle(&w->tree, i, &w->t[i]));
        w->masks[i] = materials[cells[i / 2]];
    }
    return status;
}

static void things_make(things *w, const gen_named_mesh *m, int thing, uint32_t layout, int method) {
    cd_mesh_view view = gen_mesh_view(&m->mesh);
    cd_bvh_options o;
    cd_status status;
    uint32_t n = m->mesh.triangle_count < 242 ? 242 : m->mesh.triangle_count; /* 2 * 11 * 11 */
    memset(w, 0, sizeof *w);
    memset(&o, 0, sizeof o);
    w->mesh = m->name;
    w->thing = thing;
    w->layout = layout;
    w->t = (cd_triangle *)room(n, sizeof *w->t);
    w->b = (cd_aabb *)room(n, sizeof *w->b);
    w->p = (cd_vec3 *)room(n, sizeof *w->p);
    w->s = (cd_sphere *)room(n, sizeof *w->s);
    w->masks = (uint32_t *)room(n, sizeof *w->masks);
    w->count = n = m->mesh.triangle_count;
    for (uint32_t i = 0; i < n; ++i) {
        w->t[i] = gen_mesh_triangle(&m->mesh, i);
        w->b[i] = box_of(&w->t[i]);
        w->p[i] = w->t[i].a;
        w->s[i].center = w->t[i].b;
        w->s[i].radius = cd_vec3_dist(w->t[i].a, w->t[i].b);
        w->masks[i] = 1u << i % 5;
        if (thing == BALLS) w->b[i] = cd_aabb_from_sphere(w->s[i]);
    }
    o.layout = layout;
    o.method = (uint32_t)method;
    o.leaf_size = (uint32_t)(method % 3 == 0 ? 0 : method % 3 == 1 ? 1 : 9);
    o.masks = w->masks;
    o.flags = thing == INDEXED ? (uint32_t)CD_BVH_INDEXED : 0;
    o.axis = (uint32_t)(method + thing) % 5;
    o.optimise = (uint32_t)(method % 4 == 3);
    switch (thing) {
    case TRIANGLES:
    case INDEXED: status = cd_bvh_build_mesh(&w->tree, &view, &o); break;
    case CELLS: status = cells_make(w, &m->mesh); break;
    case POINTS: status = cd_bvh_build_points(&w->tree, w->p, n, &o); break;
    default: status = cd_bvh_build_boxes(&w->tree, w->b, n, &o); break;
    }
    CHECK_INT(status, CD_OK);
    CHECK_INT(cd_bvh_validate(&w->tree), CD_OK);
    CHECK_INT(cd_bvh_get_layout(&w->tree), layout);
    w->custom.user = w;
    w->custom.overlap = ball_overlap;
    w->custom.cast_ray = ball_cast;
    w->custom.closest = ball_closest;
    w->custom.sweep = ball_sweep;
    if (thing == BALLS) w->tree.custom = &w->custom;
    if (w->count) w->extent = (double)cd_vec3_dist(cd_bvh_bounds(&w->tree).min, cd_bvh_bounds(&w->tree).max);
}

static void things_free(things *w) {
    cd_bvh_destroy(&w->tree);
    free(w->t);
    free(w->b);
    free(w->p);
    free(w->s);
    free(w->masks);
}

/* ---- inputs ---- */

static cd_vec3 place(const things *w, test_rng *rng) {
    cd_aabb b = cd_bvh_bounds(&w->tree);
    uint32_t i = (uint32_t)test_int(rng, 0, (int)w->count - 1);
    double margin = 0.05 * w->extent, x[3];
    int kind = test_int(rng, 0, 3);
    if (kind == 0) return w->t[i].a;
    if (kind == 1) return cd_vec3_lerp(w->t[i].a, w->t[i].c, (cd_real)0.5);
    for (int k = 0; k < 3; ++k) {
        double lo = (double)REALS(b.min)[k] - margin, hi = (double)REALS(b.max)[k] + margin;
        x[k] = test_range(rng, lo, hi > lo ? hi : lo + 1e-30);
    }
    return cd_vec3_make((cd_real)x[0], (cd_real)x[1], (cd_real)x[2]);
}

static cd_real size_of(const things *w, test_rng *rng) {
    static const double share[] = {0.0, 0.01, 0.05, 0.2, 1.0};
    return (cd_real)(w->extent * share[test_int(rng, 0, 4)] * test_unit(rng));
}

static cd_filter some_filter(test_rng *rng) {
    cd_filter f = {0, NULL, NULL};
    f.ignore_mask = test_int(rng, 0, 2) ? 0 : (uint32_t)test_int(rng, 0, 31);
    return f;
}

static bool sees(const things *w, uint32_t i, uint32_t ignore_mask) {
    return !(w->masks[i] & ignore_mask);
}

static cd_cast_options some_options(test_rng *rng) {
    cd_cast_options o;
    memset(&o, 0, sizeof o);
    o.flags = test_int(rng, 0, 2) ? 0 : (uint32_t)test_int(rng, 0, 31);
    o.t_min = test_int(rng, 0, 4) ? 0 : (cd_real)0.25;
    o.ignore_mask = test_int(rng, 0, 2) ? 0 : (uint32_t)test_int(rng, 0, 31);
    return o;
}

static cd_obb some_obb(const things *w, test_rng *rng) {
    gen g = gen_begin(rng, GEN_UNIT);
    cd_obb b = gen_obb(&g);
    b.center = place(w, rng);
    b.half.x = size_of(w, rng);
    b.half.y = size_of(w, rng);
    b.half.z = size_of(w, rng);
    return b;
}

static cd_aabb some_aabb(const things *w, test_rng *rng) {
    cd_aabb b;
    cd_vec3 p = place(w, rng), d;
    d.x = size_of(w, rng);
    d.y = size_of(w, rng);
    d.z = size_of(w, rng);
    b.min = p;
    b.max = cd_vec3_add(p, d);
    return b;
}

/* Six planes around a box, as a frustum without its tip would have; `room` outlives the volume. */
static cd_bvh_volume some_region(const things *w, test_rng *rng, cd_plane planes[6]) {
    cd_obb b = some_obb(w, rng);
    for (int i = 0; i < 6; ++i) {
        cd_real side = (cd_real)(i % 2 ? -1 : 1);
        cd_vec3 axis = b.axes.col[i / 2];
        planes[i].n = cd_vec3_scale(axis, side);
        planes[i].d = cd_vec3_dot(planes[i].n, b.center) + REALS(b.half)[i / 2];
    }
    return cd_bvh_volume_planes(planes, (uint32_t)test_int(rng, 1, 6));
}

static cd_bvh_volume some_volume(const things *w, test_rng *rng, int kind, cd_plane planes[6],
                                 const cd_hull *hull) {
    cd_bvh_volume v;
    memset(&v, 0, sizeof v);
    v.kind = (uint32_t)kind;
    switch (kind) {
    case CD_BVH_AABB: v.u.aabb = some_aabb(w, rng); break;
    case CD_BVH_SPHERE:
        v.u.sphere.center = place(w, rng);
        v.u.sphere.radius = size_of(w, rng);
        break;
    case CD_BVH_CAPSULE:
        v.u.capsule.a = place(w, rng);
        v.u.capsule.b = place(w, rng);
        v.u.capsule.radius = size_of(w, rng);
        break;
    case CD_BVH_OBB: v.u.obb = some_obb(w, rng); break;
    case CD_BVH_TRIANGLE:
        v.u.triangle.a = place(w, rng);
        v.u.triangle.b = place(w, rng);
        v.u.triangle.c = place(w, rng);
        break;
    case CD_BVH_HULL: v.u.hull = hull; break;
    default: return some_region(w, rng, planes);
    }
    return v;
}

/* ---- the rows: each asks one question of a tree and of a loop ---- */

static bool same_hit(const cd_hit *a, const cd_hit *b) {
    return a->t == b->t && !memcmp(&a->point, &b->point, sizeof a->point) &&
           !memcmp(&a->normal, &b->normal, sizeof a->normal) && a->depth == b->depth &&
           a->feature == b->feature && a->flags == b->flags;
}

static cd_ray some_ray(const things *w, test_rng *rng) {
    cd_vec3 from = place(w, rng), to = place(w, rng);
    cd_ray r = cd_ray_through(from, to);
    int kind = test_int(rng, 0, 3);
    if (kind == 0) r.dir.x = 0;
    if (kind == 1) r.dir.y = r.dir.z = 0;
    return r;
}

/* Of hits with the same t, rounded, the tree may tell another than the first: its exact t is smaller. */
static void row_cast_ray(const things *w, test_rng *rng) {
    cd_ray r = some_ray(w, rng);
    cd_cast_options o = some_options(rng);
    cd_real t_max = test_int(rng, 0, 1) ? CD_REAL_MAX : 1;
    cd_hit best, one, got, all[8];
    size_t count = 0, told;
    test_note_reals("ray", REALS(r), 6);
    memset(&best, 0, sizeof best);
    for (uint32_t i = 0; i < w->count; ++i) {
        if (!sees(w, i, o.ignore_mask) || !one_cast(w, i, &r, t_max, &o, &one)) continue;
        if (!count++ || one.t < best.t) best = one;
    }
    CHECK_INT(ASK("loop", cd_bvh_cast_ray(&w->tree, &r, t_max, &o, &got)), count > 0);
    CHECK_INT(ASK("loop", cd_bvh_test_ray(&w->tree, &r, t_max, &o)), count > 0);
    told = cd_bvh_cast_ray_all(&w->tree, &r, t_max, &o, all, 8);
    CHECK_INT(told, count);
    if (!count) return;
    CHECK_SAME(got.t, best.t);
    CHECK(got.index < w->count && one_cast(w, got.index, &r, t_max, &o, &one) && same_hit(&one, &got));
    CHECK(all[0].index == got.index && same_hit(&all[0], &got));
}

typedef struct marks {
    uint8_t *seen;
    size_t count;
} marks;

static bool mark(void *user, uint32_t index) {
    marks *m = (marks *)user;
    ++m->seen[index];
    ++m->count;
    return true;
}

static void overlap_with(const things *w, test_rng *rng, int kind) {
    cd_plane planes[6];
    cd_vec3 corners[8];
    cd_hull hull;
    cd_bvh_volume v;
    cd_filter f = some_filter(rng);
    marks m;
    size_t want = 0;
    memset(&hull, 0, sizeof hull);
    for (int i = 0; kind == CD_BVH_HULL && i < 8; ++i) corners[i] = place(w, rng);
    if (kind == CD_BVH_HULL && cd_hull3_build(&hull, corners, 8, NULL) != CD_OK) return;
    v = some_volume(w, rng, kind, planes, &hull);
    m.seen = (uint8_t *)room(w->count, 1);
    m.count = 0;
    test_note("volume of kind %d", kind);
    CHECK(ASK("loop", cd_bvh_overlap(&w->tree, &v, &f, mark, &m)));
    for (uint32_t i = 0; i < w->count; ++i) {
        bool meets = sees(w, i, f.ignore_mask) && one_overlap(w, i, &v);
        if (!CHECK_INT(m.seen[i], meets)) break;
        want += meets;
    }
    CHECK_INT(ASK("loop", cd_bvh_overlap_list(&w->tree, &v, &f, NULL, 0)), want);
    CHECK_INT(ASK("loop", cd_bvh_test_overlap(&w->tree, &v, &f)), want > 0);
    free(m.seen);
    cd_hull_destroy(&hull);
}

static void row_overlap_aabb(const things *w, test_rng *rng) {
    overlap_with(w, rng, CD_BVH_AABB);
}
static void row_overlap_sphere(const things *w, test_rng *rng) {
    overlap_with(w, rng, CD_BVH_SPHERE);
}
static void row_overlap_capsule(const things *w, test_rng *rng) {
    overlap_with(w, rng, CD_BVH_CAPSULE);
}
static void row_overlap_obb(const things *w, test_rng *rng) {
    overlap_with(w, rng, CD_BVH_OBB);
}
static void row_overlap_triangle(const things *w, test_rng *rng) {
    overlap_with(w, rng, CD_BVH_TRIANGLE);
}
static void row_overlap_hull(const things *w, test_rng *rng) {
    overlap_with(w, rng, CD_BVH_HULL);
}
static void row_overlap_planes(const things *w, test_rng *rng) {
    overlap_with(w, rng, CD_BVH_PLANES);
}

static void row_closest(const things *w, test_rng *rng) {
    cd_vec3 p = place(w, rng);
    cd_filter f = some_filter(rng);
    cd_real most = test_int(rng, 0, 1) ? (cd_real)INFINITY : size_of(w, rng);
    cd_closest best, got;
    bool any = false;
    memset(&best, 0, sizeof best);
    test_note_reals("p", REALS(p), 3);
    for (uint32_t i = 0; i < w->count; ++i) {
        cd_closest one = one_closest(w, i, p);
        if (!sees(w, i, f.ignore_mask) || (any && !(one.sqdist < best.sqdist))) continue;
        best = one;
        any = true;
    }
    if (ASK("loop", cd_bvh_closest(&w->tree, p, most, &f, &got))) {
        cd_closest one;
        CHECK(any && got.index_b < w->count && sees(w, got.index_b, f.ignore_mask));
        CHECK_SAME(got.sqdist, best.sqdist);
        one = one_closest(w, got.index_b, p);
        CHECK_SAME(one.sqdist, got.sqdist);
        CHECK_VEC(one.b, got.b, 0);
    } else {
        CHECK(!any ||
              !((double)best.sqdist < (double)most * (double)most * (1 - 4 * (double)CD_REAL_EPSILON)));
    }
}

static int by_number(const void *a, const void *b) {
    cd_real x = *(const cd_real *)a, y = *(const cd_real *)b;
    return x < y ? -1 : x > y;
}

static void row_closest_k(const things *w, test_rng *rng) {
    cd_vec3 p = place(w, rng);
    size_t k = (size_t)test_int(rng, 0, 12), count, want = 0;
    cd_filter f = some_filter(rng);
    cd_real *all = (cd_real *)room(w->count, sizeof *all);
    cd_closest got[12];
    test_note_reals("p", REALS(p), 3);
    for (uint32_t i = 0; i < w->count; ++i) {
        if (sees(w, i, f.ignore_mask)) all[want++] = one_closest(w, i, p).sqdist;
    }
    qsort(all, want, sizeof *all, by_number);
    count = ASK("loop", cd_bvh_closest_k(&w->tree, p, k, (cd_real)INFINITY, &f, got));
    CHECK_INT(count, want < k ? want : k);
    for (size_t i = 0; i < count; ++i) {
        CHECK_SAME(got[i].sqdist, all[i]);
        CHECK_SAME(one_closest(w, got[i].index_b, p).sqdist, got[i].sqdist);
        for (size_t j = 0; j < i; ++j) CHECK(got[j].index_b != got[i].index_b);
    }
    free(all);
}

static void sweep_with(const things *w, test_rng *rng, int kind) {
    cd_plane planes[6];
    cd_bvh_volume v = some_volume(w, rng, kind, planes, NULL);
    cd_vec3 from = place(w, rng), to = place(w, rng), motion = cd_vec3_sub(to, from);
    cd_cast_options o = some_options(rng);
    cd_hit best, one, got;
    bool any = false;
    memset(&best, 0, sizeof best);
    test_note("volume of kind %d", kind);
    for (uint32_t i = 0; i < w->count; ++i) {
        if (!sees(w, i, o.ignore_mask) || !one_sweep(w, i, &v, motion, &o, &one)) continue;
        if (any && !(one.t < best.t)) continue;
        best = one;
        best.index = i;
        any = true;
    }
    CHECK_INT(ASK("loop", cd_bvh_sweep(&w->tree, &v, motion, &o, &got)), any);
    CHECK_INT(ASK("loop", cd_bvh_test_sweep(&w->tree, &v, motion, &o)), any);
    if (any) CHECK(got.index == best.index && same_hit(&got, &best));
}

static void row_sweep_sphere(const things *w, test_rng *rng) {
    sweep_with(w, rng, CD_BVH_SPHERE);
}
static void row_sweep_capsule(const things *w, test_rng *rng) {
    sweep_with(w, rng, CD_BVH_CAPSULE);
}
static void row_sweep_aabb(const things *w, test_rng *rng) {
    sweep_with(w, rng, CD_BVH_AABB);
}
static void row_sweep_obb(const things *w, test_rng *rng) {
    sweep_with(w, rng, CD_BVH_OBB);
}

/* ---- the matrix ---- */

typedef struct row {
    const char *name;
    void (*ask)(const things *w, test_rng *rng);
} row;

static const row rows[] = {
    {"cast ray", row_cast_ray},
    {"overlap aabb", row_overlap_aabb},
    {"overlap sphere", row_overlap_sphere},
    {"overlap capsule", row_overlap_capsule},
    {"overlap obb", row_overlap_obb},
    {"overlap triangle", row_overlap_triangle},
    {"overlap hull", row_overlap_hull},
    {"overlap planes", row_overlap_planes},
    {"closest", row_closest},
    {"closest k", row_closest_k},
    {"sweep sphere", row_sweep_sphere},
    {"sweep capsule", row_sweep_capsule},
    {"sweep aabb", row_sweep_aabb},
    {"sweep obb", row_sweep_obb},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static void ask_all(const gen_named_mesh *m, int turn, long times, test_rng *rng) {
    for (int thing = 0; thing < THINGS; ++thing) {
        for (uint32_t layout = 0; layout < LAYOUTS; ++layout) {
            things w;
            if (layout == CD_BVH_COMPACT && thing != TRIANGLES) continue;
            if ((layout == CD_BVH_HEIGHTS) != (thing == CELLS)) continue;
            if (thing == CELLS && m->mesh.vertex_count < 4) continue;
            things_make(&w, m, thing, layout, (turn * 7 + thing * 3 + (int)layout) % METHODS);
            for (int r = 0; r < ROWS; ++r) {
                char cell[96];
                snprintf(cell, sizeof cell, "%s of %s, %s: %s", thing_names[thing], m->name,
                         layout_names[layout], rows[r].name);
                for (long i = 0; i < times && w.count; ++i) {
                    test_note("%s", cell);
                    rows[r].ask(&w, rng);
                }
            }
            things_free(&w);
        }
    }
}

static void every_layout_and_query_on_named_meshes(void) {
    test_rng rng = test_random();
    gen_named_mesh meshes[16];
    int count = gen_all_meshes(&rng, meshes);
    long times = test_times(4);
    for (int m = 0; m < count; ++m) {
        if (!test_is_small() || m % (test_is_tiny() ? 15 : 5) == 1)
            ask_all(&meshes[m], m, times ? times : 1, &rng);
        gen_mesh_free(&meshes[m].mesh);
    }
}

/* Small soups of every kind of coordinates, with numbers that break things among them. */
static void every_layout_and_query_on_the_corpus(void) {
    test_rng rng = test_random();
    for (int kind = 0; kind < GEN_KINDS; ++kind) {
        for (long i = test_times(10); i >= 0; --i) {
            gen_named_mesh m;
            m.name = "corpus";
            m.mesh = gen_mesh_soup((uint32_t)test_int(&rng, 1, 40), 0.5, (gen_kind)kind, &rng);
            for (int k = test_int(&rng, 0, 4); k > 0; --k) {
                uint32_t v = (uint32_t)test_int(&rng, 0, (int)m.mesh.vertex_count - 1);
                m.mesh.vertices[v] = m.mesh.vertices[test_int(&rng, 0, (int)m.mesh.vertex_count - 1)];
            }
            ask_all(&m, (int)i + kind, 1, &rng);
            gen_mesh_free(&m.mesh);
        }
    }
}

void suite_bvh_matrix(void);
void suite_bvh_matrix(void) {
    RUN(every_layout_and_query_on_named_meshes);
    RUN(every_layout_and_query_on_the_corpus);
}
