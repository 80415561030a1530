/* Trees of any numbers in any layout, by any builder: what they answer is what a loop over all says, bit for bit. */
#include "fuzz.h"
#include <math.h>
#include <string.h>

typedef struct wood {
    fuzz f;
    fuzz_mesh mesh;
    cd_bvh tree;
    bool kept[FUZZ_TRIANGLES]; /* in the tree: those that are valid */
    cd_bvh_options options;
} wood;

static bool plant(wood *w, test_rng *r, int most) {
    cd_mesh_view view;
    cd_real how[5];
    w->f = fuzz_begin(r, FUZZ_BITS);
    test_note("");
    fuzz_draw_mesh(&w->f, &w->mesh, most);
    fuzz_options(&w->f, &w->options);
    how[0] = (cd_real)w->options.flags;
    how[1] = (cd_real)w->options.leaf_size;
    how[2] = (cd_real)w->options.method;
    how[3] = (cd_real)w->options.layout;
    how[4] = (cd_real)w->options.axis;
    test_note_reals("flags, leaf, method, layout, axis", how, 5);
    view = fuzz_view(&w->mesh);
    for (uint32_t i = 0; i < w->mesh.count; ++i) {
        cd_triangle t = fuzz_triangle_of(&w->mesh, i);
        w->kept[i] = cd_triangle_is_valid(&t);
    }
    CHECK_INT(cd_bvh_build_mesh(&w->tree, &view, &w->options), CD_OK);
    CHECK_INT(cd_bvh_validate(&w->tree), CD_OK);
    return true;
}

/* ---- one tree ---- */

static void rays(wood *w) {
    cd_ray r = fuzz_ray(&w->f);
    cd_real t_max = test_int(w->f.rng, 0, 1) ? CD_REAL_MAX : fuzz_real(&w->f);
    cd_cast_options o;
    cd_hit hit, one, best;
    bool hits, any = false;
    memset(&o, 0, sizeof o);
    memset(&hit, 0x5A, sizeof hit);
    memset(&best, 0, sizeof best);
    o.flags = (uint32_t)test_int(w->f.rng, 0, 31);
    if (!test_int(w->f.rng, 0, 3)) o.t_min = fuzz_real(&w->f);
    FUZZ_NOTE(r);
    FUZZ_NOTE(t_max);
    FUZZ_NOTE(o.t_min);
    one = hit;
    hits = cd_bvh_cast_ray(&w->tree, &r, t_max, &o, &hit);
    CHECK_INT(cd_bvh_test_ray(&w->tree, &r, t_max, &o), hits);
    if (!hits) CHECK(memcmp(&hit, &one, sizeof hit) == 0);
    for (uint32_t i = 0; i < w->mesh.count; ++i) {
        cd_triangle t = fuzz_triangle_of(&w->mesh, i);
        if (!w->kept[i] || !cd_cast_ray_triangle(&r, t_max, &t, &o, &one)) continue;
        if (!any || one.t < best.t) best = one;
        any = true;
        if (hits && hit.index == i) {
            one.index = i;
            CHECK(FUZZ_SAME(hit, one) && hit.feature == one.feature && hit.flags == one.flags);
        }
    }
    CHECK_INT(hits, any);
    if (hits) CHECK(hit.index < w->mesh.count && FUZZ_SAME(hit.t, best.t));
}

static void nearest(wood *w) {
    cd_vec3 p = fuzz_vec(&w->f);
    cd_real most = test_int(w->f.rng, 0, 1) ? CD_REAL_MAX : fuzz_real(&w->f), least = 0;
    cd_closest c, many[5];
    bool found, any = false;
    size_t count;
    FUZZ_NOTE(p);
    FUZZ_NOTE(most);
    found = cd_bvh_closest(&w->tree, p, most, NULL, &c);
    CHECK_INT(cd_bvh_test_distance(&w->tree, p, most, NULL), found);
    for (uint32_t i = 0; i < w->mesh.count; ++i) {
        cd_triangle t = fuzz_triangle_of(&w->mesh, i);
        cd_closest one = cd_closest_pts_point_triangle(p, &t);
        if (!w->kept[i] || one.sqdist != one.sqdist) continue;
        if (!any || one.sqdist < least) least = one.sqdist;
        any = true;
        if (found && c.index_b == i) CHECK(FUZZ_SAME(c.b, one.b) && FUZZ_SAME(c.sqdist, one.sqdist));
    }
    if (found) CHECK(any && c.index_b < w->mesh.count && FUZZ_SAME(c.sqdist, least));
    if (most == CD_REAL_MAX && any && least < CD_REAL_MAX) CHECK(found);
    count = cd_bvh_closest_k(&w->tree, p, 5, most, NULL, many);
    CHECK_INT(count > 0, found);
    if (count) CHECK(FUZZ_SAME(many[0].sqdist, c.sqdist) && many[0].index_b == c.index_b);
    for (size_t i = 1; i < count; ++i) CHECK(many[i].sqdist >= many[i - 1].sqdist);
}

typedef struct marks {
    uint8_t of[FUZZ_TRIANGLES];
    uint32_t end;
} marks;

static bool mark(void *user, uint32_t index) {
    marks *m = (marks *)user;
    CHECK(index < m->end);
    CHECK(!m->of[index]++);
    return true;
}

static void overlaps(wood *w) {
    cd_plane planes[6];
    cd_bvh_volume v = fuzz_volume(&w->f, planes);
    marks m;
    size_t count = 0;
    memset(&m, 0, sizeof m);
    m.end = w->mesh.count;
    fuzz_note("volume", &v.u, sizeof v.u);
    cd_bvh_overlap(&w->tree, &v, NULL, mark, &m);
    for (uint32_t i = 0; i < w->mesh.count; ++i) {
        cd_triangle t = fuzz_triangle_of(&w->mesh, i);
        bool meets = w->kept[i] && cd_bvh_volume_test_triangle(&v, &t);
        CHECK_INT(m.of[i], meets);
        count += meets;
    }
    CHECK_INT(cd_bvh_test_overlap(&w->tree, &v, NULL), count > 0);
    CHECK_INT(cd_bvh_overlap_list(&w->tree, &v, NULL, NULL, 0), count);
}

/* Other layouts and other instances of kernels find the same. */
static void sweeps(wood *w) {
    cd_plane planes[6];
    cd_bvh_volume v = fuzz_volume(&w->f, planes);
    cd_vec3 motion = fuzz_vec(&w->f);
    cd_cast_options o;
    cd_bvh other;
    cd_hit x, y;
    bool hits;
    memset(&o, 0, sizeof o);
    o.flags = (uint32_t)test_int(w->f.rng, 0, 31);
    fuzz_note("volume", &v.u, sizeof v.u);
    FUZZ_NOTE(motion);
    hits = cd_bvh_sweep(&w->tree, &v, motion, &o, &x);
    CHECK_INT(cd_bvh_test_sweep(&w->tree, &v, motion, &o), hits);
    if (hits) CHECK(x.index < w->mesh.count && x.t == x.t && cd_vec3_is_valid(x.normal));
    CHECK_INT(cd_bvh_convert(&other, &w->tree, (uint32_t)test_int(w->f.rng, 0, 2), NULL), CD_OK);
    CHECK_INT(cd_bvh_validate(&other), CD_OK);
    test_isa_level = 2 - test_isa_level / 2 * 2;
    CHECK_INT(cd_bvh_sweep(&other, &v, motion, &o, &y), hits);
    if (hits) CHECK(FUZZ_SAME(x, y) && x.index == y.index);
    cd_bvh_destroy(&other);
}

static void self_pairs(wood *w) {
    size_t count = 0;
    for (uint32_t i = 0; i < w->mesh.count; ++i)
        for (uint32_t k = i + 1; k < w->mesh.count; ++k) {
            cd_triangle a = fuzz_triangle_of(&w->mesh, i), b = fuzz_triangle_of(&w->mesh, k);
            count += w->kept[i] && w->kept[k] && cd_test_triangle_triangle(&a, &b);
        }
    CHECK_INT(cd_bvh_self_pairs(&w->tree, NULL, NULL, 0), count);
    CHECK_INT(cd_bvh_test_self(&w->tree, NULL, NULL), count > 0);
}

/* Other volumes than boxes. */
static void other_volumes(wood *w) {
    static const uint32_t k[5] = {6, 8, 14, 18, 26};
    cd_mesh_view view = fuzz_view(&w->mesh);
    cd_bvtree tree;
    cd_spheretree_options so;
    cd_ray r = fuzz_ray(&w->f);
    cd_hit x, y;
    cd_closest c, d;
    bool hits, found;
    cd_status status;
    memset(&so, 0, sizeof so);
    w->options.layout = 0;
    w->options.masks = NULL;
    switch (test_int(w->f.rng, 0, 2)) {
    case 0: status = cd_kdoptree_build_mesh(&tree, &view, k[test_int(w->f.rng, 0, 4)], &w->options); break;
    case 1: status = cd_obbtree_build_mesh(&tree, &view, &w->options); break;
    default: so.flags = CD_BVH_SKIP_INVALID; status = cd_spheretree_build_mesh(&tree, &view, &so);
    }
    FUZZ_NOTE(r);
    if (status != CD_OK) {
        CHECK(status == CD_INVALID_ARGUMENT || status == CD_TOO_LARGE);
        return;
    }
    CHECK_INT(cd_bvtree_validate(&tree), CD_OK);
    CHECK_INT(cd_bvtree_count(&tree), cd_bvh_count(&w->tree));
    hits = cd_bvh_cast_ray(&w->tree, &r, CD_REAL_MAX, NULL, &x);
    CHECK_INT(cd_bvtree_cast_ray(&tree, &r, CD_REAL_MAX, NULL, &y), hits);
    if (hits) CHECK(FUZZ_SAME(x, y) && x.index == y.index);
    found = cd_bvh_closest(&w->tree, r.origin, CD_REAL_MAX, NULL, &c);
    CHECK_INT(cd_bvtree_closest(&tree, r.origin, CD_REAL_MAX, NULL, &d), found);
    if (found) CHECK(FUZZ_SAME(c.sqdist, d.sqdist) && c.index_b == d.index_b);
    CHECK_INT(cd_bvtree_collide(&tree, &tree, NULL, NULL, NULL, 0),
              cd_bvh_collide(&w->tree, &w->tree, NULL, NULL, NULL, 0));
    cd_bvtree_destroy(&tree);
}

static void refits(wood *w) {
    cd_bvh_refit_result result;
    cd_bvh_refit_options o;
    cd_mesh_view view;
    bool all = true;
    cd_status status;
    for (uint32_t i = 0; i < w->mesh.count; ++i) all = all && w->kept[i];
    for (int i = test_int(w->f.rng, 0, 9); i > 0; --i) {
        cd_vec3 p = fuzz_vec(&w->f);
        w->mesh.points[test_int(w->f.rng, 0, (int)w->mesh.point_count - 1)] = p;
    }
    view = fuzz_view(&w->mesh);
    memset(&o, 0, sizeof o);
    status = cd_bvh_refit_mesh(&w->tree, &view, &o, &result);
    if (status != CD_OK || !all) return;
    CHECK_INT(cd_bvh_validate(&w->tree), CD_OK);
    for (uint32_t i = 0; i < w->mesh.count; ++i) {
        cd_triangle t = fuzz_triangle_of(&w->mesh, i);
        w->kept[i] = cd_triangle_is_valid(&t);
    }
    rays(w);
    nearest(w);
}

static void winding(wood *w) {
    cd_bvh_winding n;
    cd_vec3 p = fuzz_vec(&w->f);
    cd_mesh_view view = fuzz_view(&w->mesh);
    cd_real fast, slow;
    bool all = true;
    FUZZ_NOTE(p);
    CHECK_INT(cd_bvh_winding_build(&n, &w->tree, NULL), CD_OK);
    for (uint32_t i = 0; i < w->mesh.count; ++i) all = all && w->kept[i];
    fast = cd_bvh_winding_number(&n, &w->tree, p, (cd_real)0.01);
    if (cd_vec3_is_valid(p)) CHECK(fast == fast);
    slow = cd_winding_number_mesh(p, &view);
    if (all && w->f.tame && slow == slow) CHECK_NEAR(fast, slow, 0.0101);
    cd_bvh_winding_destroy(&n);
}

/* ---- two trees ---- */

static void pairs(wood *w, test_rng *r) {
    static wood other;
    cd_transform pose;
    const cd_transform *at = NULL;
    cd_closest c;
    size_t count = 0;
    bool found;
    double least = INFINITY;
    plant(&other, r, 12);
    if (test_int(r, 0, 1)) {
        pose = fuzz_pose(&w->f);
        at = &pose;
        FUZZ_NOTE(pose);
    }
    for (uint32_t i = 0; i < w->mesh.count; ++i)
        for (uint32_t k = 0; k < other.mesh.count; ++k) {
            cd_triangle a = fuzz_triangle_of(&w->mesh, i), b = fuzz_triangle_of(&other.mesh, k);
            if (!w->kept[i] || !other.kept[k]) continue;
            if (at) {
                b.a = cd_transform_point(at, b.a);
                b.b = cd_transform_point(at, b.b);
                b.c = cd_transform_point(at, b.c);
            }
            count += cd_test_triangle_triangle(&a, &b);
            least = fmin(least, (double)cd_sqdist_triangle_triangle(&a, &b));
        }
    if (at && !cd_transform_is_valid(at)) count = 0;
    CHECK_INT(cd_bvh_collide(&w->tree, &other.tree, at, NULL, NULL, 0), count);
    CHECK_INT(cd_bvh_test_bvh(&w->tree, &other.tree, at, NULL, NULL), count > 0);
    CHECK_INT(cd_bvh_within(&w->tree, &other.tree, at, 0, NULL, NULL, 0), count);
    found = cd_bvh_closest_bvh(&w->tree, &other.tree, at, CD_REAL_MAX, NULL, &c);
    if (found) CHECK(c.index_a < w->mesh.count && c.index_b < other.mesh.count);
    if (found && w->f.tame && other.f.tame) CHECK_SAME(c.sqdist, least);
    cd_bvh_destroy(&other.tree);
}

/* ---- over boxes and points ---- */

static void boxes(test_rng *r) {
    enum { MOST = 40 };
    fuzz f = fuzz_begin(r, FUZZ_BITS);
    cd_aabb box[MOST], query;
    cd_bvh tree;
    cd_bvh_options o;
    marks m;
    uint32_t count = (uint32_t)test_int(r, 0, MOST);
    size_t meets = 0;
#ifndef COLLIDE_NO_CLASSIC
    cd_kdtree_compact kd;
    cd_status status;
#endif
    for (uint32_t i = 0; i < count; ++i) {
        cd_aabb b = fuzz_aabb(&f);
        box[i] = b;
    }
    test_note("");
    test_note_reals("boxes", &box[0].min.x, 6 * (int)count);
    query = fuzz_aabb(&f);
    FUZZ_NOTE(query);
    fuzz_options(&f, &o);
    o.layout %= 3;
    CHECK_INT(cd_bvh_build_boxes(&tree, box, count, &o), CD_OK);
    CHECK_INT(cd_bvh_validate(&tree), CD_OK);
    memset(&m, 0, sizeof m);
    m.end = count;
    cd_bvh_overlap_aabb(&tree, query, NULL, mark, &m);
    for (uint32_t i = 0; i < count; ++i) {
        bool want = cd_aabb_is_valid(box[i]) && cd_aabb_is_valid(query) && cd_test_aabb_aabb(box[i], query);
        CHECK_INT(m.of[i], want);
        meets += want;
    }
    cd_bvh_destroy(&tree);
#ifndef COLLIDE_NO_CLASSIC
    status = cd_kdtree_compact_build(&kd, box, count, (uint32_t)test_int(r, 0, 5), NULL);
    CHECK(status == CD_OK || status == CD_INVALID_ARGUMENT);
    if (status != CD_OK) return;
    memset(&m, 0, sizeof m);
    m.end = count;
    cd_kdtree_compact_overlap_aabb(&kd, query, box, mark, &m);
    for (uint32_t i = 0; i < count; ++i) meets -= m.of[i];
    if (cd_aabb_is_valid(query)) CHECK_INT(meets, 0); /* this one takes a box without end, too */
    cd_kdtree_compact_nearest(&kd, query.min, box, NULL);
    cd_kdtree_compact_destroy(&kd);
#endif
}

/* A tree that changes, beside a list. */
static void changes(test_rng *r) {
    enum { MOST = 40 };
    fuzz f = fuzz_begin(r, FUZZ_BITS);
    cd_aabb box[MOST];
    bool is_there[MOST];
    cd_dyntree tree;
    cd_dyntree_options o;
    uint32_t count = 0;
    memset(&o, 0, sizeof o);
    memset(is_there, 0, sizeof is_there);
    if (test_int(r, 0, 1)) o.margin = fuzz_length(&f);
    if (cd_dyntree_init(&tree, &o) != CD_OK) return;
    for (int steps = test_int(r, 1, 60); steps > 0; --steps) {
        int what = test_int(r, 0, 9);
        uint32_t id = (uint32_t)test_int(r, 0, MOST - 1);
        cd_aabb b = fuzz_aabb(&f);
        cd_status status;
        bool valid = cd_aabb_is_valid(b);
        if (what < 4) {
            status = cd_dyntree_insert(&tree, b, 0, &id);
            CHECK_INT(status, valid ? CD_OK : CD_INVALID_ARGUMENT);
            if (status == CD_OK) {
                CHECK(id < 64);
                if (id >= MOST) break;
                CHECK(!is_there[id]);
                is_there[id] = true;
                box[id] = b;
                ++count;
            }
        } else if (what < 6) {
            CHECK_INT(cd_dyntree_remove(&tree, id), is_there[id] ? CD_OK : CD_INVALID_ARGUMENT);
            count -= is_there[id];
            is_there[id] = false;
        } else if (what < 9) {
            cd_vec3 motion = fuzz_vec(&f);
            status = cd_dyntree_move(&tree, id, b, motion);
            CHECK_INT(status,
                      is_there[id] && valid && cd_vec3_is_valid(motion) ? CD_OK : CD_INVALID_ARGUMENT);
            if (status == CD_OK) box[id] = b;
        } else {
            marks m;
            memset(&m, 0, sizeof m);
            m.end = MOST;
            if (test_int(r, 0, 1)) CHECK_INT(cd_dyntree_optimise(&tree, 3), CD_OK);
            if (test_int(r, 0, 3) == 0) CHECK_INT(cd_dyntree_rebuild(&tree, NULL), CD_OK);
            cd_bvh_overlap_aabb(&tree.bvh, b, NULL, mark, &m);
            for (uint32_t i = 0; i < MOST; ++i)
                CHECK_INT(m.of[i], is_there[i] && valid && cd_test_aabb_aabb(box[i], b));
        }
        CHECK_INT(cd_dyntree_validate(&tree), CD_OK);
        CHECK_INT(cd_dyntree_count(&tree), count);
    }
    cd_dyntree_destroy(&tree);
}

/* A height field, and a tree over the mesh that it stands for. */
static void fields(test_rng *r) {
    enum { SIDE = 7 };
    fuzz f = fuzz_begin(r, FUZZ_BITS);
    cd_height_view view;
    cd_real samples[SIDE * SIDE];
    uint8_t small[SIDE * SIDE], cuts[8], materials[SIDE * SIDE];
    static cd_vec3 positions[SIDE * SIDE];
    static uint32_t indices[6 * SIDE * SIDE], names[2 * SIDE * SIDE];
    cd_bvh field, tree;
    cd_bvh_options o;
    cd_mesh_view mesh;
    cd_ray ray;
    cd_hit x, y;
    cd_closest c, d;
    uint32_t triangles;
    bool hits, found;
    memset(&view, 0, sizeof view);
    memset(&o, 0, sizeof o);
    view.columns = (uint32_t)test_int(r, 2, SIDE);
    view.rows = (uint32_t)test_int(r, 2, SIDE);
    for (uint32_t i = 0; i < view.columns * view.rows; ++i) {
        cd_real s = fuzz_real(&f);
        samples[i] = s;
        small[i] = (uint8_t)test_int(r, 0, 255);
        materials[i] = (uint8_t)(test_int(r, 0, 9) ? 3 : CD_HEIGHT_HOLE);
    }
    for (int i = 0; i < 8; ++i) cuts[i] = (uint8_t)test_int(r, 0, 255);
    view.format = test_int(r, 0, 2) ? CD_HEIGHT_REAL : CD_HEIGHT_U8;
    view.samples = view.format == CD_HEIGHT_U8 ? (const void *)small : (const void *)samples;
    view.up = (uint32_t)test_int(r, 0, 2);
    view.cut = (uint32_t)test_int(r, 0, 4);
    view.cuts = cuts;
    if (test_int(r, 0, 1)) view.materials = materials;
    if (test_int(r, 0, 1)) view.origin = fuzz_vec(&f);
    if (test_int(r, 0, 1)) view.spacing[0] = fuzz_length(&f);
    if (test_int(r, 0, 1)) view.spacing[1] = fuzz_length(&f);
    if (test_int(r, 0, 1)) view.scale = fuzz_real(&f);
    o.flags = test_int(r, 0, 1) ? CD_BVH_SKIP_INVALID : 0;
    ray = fuzz_ray(&f);
    test_note("");
    test_note_reals("samples", samples, (int)(view.columns * view.rows));
    test_note_reals("origin, spacing, scale", &view.origin.x, 6);
    FUZZ_NOTE(ray);
    if (cd_bvh_build_heights(&field, &view, &o) != CD_OK) return;
    triangles = cd_heights_mesh(&field, positions, indices, names);
    CHECK(triangles <= 2 * (view.columns - 1) * (view.rows - 1));
    mesh = cd_mesh_view_make(positions, view.columns * view.rows, indices, triangles);
    CHECK_INT(cd_bvh_build_mesh(&tree, &mesh, NULL), CD_OK);
    hits = cd_bvh_cast_ray(&tree, &ray, CD_REAL_MAX, NULL, &x);
    CHECK_INT(cd_bvh_cast_ray(&field, &ray, CD_REAL_MAX, NULL, &y), hits);
    if (hits) {
        x.index = names[x.index];
        CHECK(FUZZ_SAME(x, y) && x.index == y.index);
    }
    found = cd_bvh_closest(&tree, ray.origin, CD_REAL_MAX, NULL, &c);
    CHECK_INT(cd_bvh_closest(&field, ray.origin, CD_REAL_MAX, NULL, &d), found);
    if (found) CHECK(FUZZ_SAME(c.sqdist, d.sqdist) && names[c.index_b] == d.index_b);
    {
        cd_plane planes[6];
        cd_bvh_volume v = fuzz_volume(&f, planes);
        fuzz_note("volume", &v.u, sizeof v.u);
        CHECK_INT(cd_bvh_overlap_list(&field, &v, NULL, NULL, 0),
                  cd_bvh_overlap_list(&tree, &v, NULL, NULL, 0));
    }
    cd_bvh_destroy(&tree);
    cd_bvh_destroy(&field);
}

void fuzz_tree(test_rng *r) {
    static void (*const of_one[])(wood * w) = {rays,   nearest,    overlaps,      sweeps,
                                               refits, self_pairs, other_volumes, winding};
    static wood w;
    int what = test_int(r, 0, 11);
    if (what == 8) {
        boxes(r);
    } else if (what == 9) {
        changes(r);
    } else if (what == 10) {
        fields(r);
    } else {
        plant(&w, r, what == 11 ? 12 : FUZZ_TRIANGLES);
        if (what == 11)
            pairs(&w, r);
        else
            of_one[what](&w);
        cd_bvh_destroy(&w.tree);
    }
}
