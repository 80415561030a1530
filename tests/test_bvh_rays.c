/* Rays and segments against trees, beside a loop over all primitives: every kind of item in every layout. */
#include "parts.h"

#include "cases.h"
#include "gen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 200, SCENES = 20 };
typedef enum thing { TRIANGLES, INDEXED, BOXES, SPHERES, POINTS, THINGS } thing;

/* What trees are over, and a tree of each layout. */
typedef struct scene {
    thing kind;
    uint32_t count;
    cd_triangle triangle[MOST_ITEMS];
    cd_aabb box[MOST_ITEMS];
    cd_sphere sphere[MOST_ITEMS];
    cd_vec3 point[MOST_ITEMS];
    uint32_t mask[MOST_ITEMS];
    cd_bvh_custom custom;
    int layouts; /* 3, and of triangles the compact one */
    cd_bvh tree[4];
} scene;

static scene *scenes;
static int scene_count;

/* ---- building ---- */

static bool cast_at_sphere(void *user, uint32_t index, const cd_ray *r, cd_real t_max,
                           const cd_cast_options *options, cd_hit *hit) {
    return cd_cast_ray_sphere(r, t_max, ((const scene *)user)->sphere[index], options, hit);
}

static cd_status build_tree(scene *s, const gen_mesh *mesh, const cd_bvh_options *o, cd_bvh *out) {
    if (s->kind == TRIANGLES || s->kind == INDEXED) {
        cd_mesh_view view = gen_mesh_view(mesh);
        return cd_bvh_build_mesh(out, &view, o);
    }
    if (s->kind == POINTS) return cd_bvh_build_points(out, s->point, s->count, o);
    return cd_bvh_build_boxes(out, s->box, s->count, o);
}

static void build_scene(test_rng *rng, scene *s, thing kind, const gen_mesh *mesh) {
    static const uint32_t leaf_sizes[4] = {0, 1, 7, 19};
    s->kind = kind;
    s->count = mesh->triangle_count;
    s->custom.user = s;
    s->custom.cast_ray = cast_at_sphere;
    for (uint32_t i = 0; i < s->count; ++i) {
        s->triangle[i] = gen_mesh_triangle(mesh, i);
        s->box[i] = cd_aabb_from_points(&s->triangle[i].a, 3);
        s->point[i] = s->triangle[i].a;
        s->sphere[i].center = s->triangle[i].b;
        s->sphere[i].radius = cd_vec3_dist(s->triangle[i].a, s->triangle[i].b);
        if (kind == SPHERES) s->box[i] = cd_aabb_from_sphere(s->sphere[i]);
        s->mask[i] = (uint32_t)test_int(rng, 0, 7);
    }
    s->layouts = kind == TRIANGLES ? 4 : 3;
    for (int layout = 0; layout < s->layouts; ++layout) {
        cd_bvh_options o;
        memset(&o, 0, sizeof o);
        o.layout = (uint32_t)layout;
        o.leaf_size = leaf_sizes[test_int(rng, 0, 3)];
        o.masks = s->mask;
        o.flags = kind == INDEXED ? (uint32_t)CD_BVH_INDEXED : 0u;
        if (build_tree(s, mesh, &o, &s->tree[layout]) != CD_OK) abort();
        if (kind == SPHERES) s->tree[layout].custom = &s->custom;
    }
}

/* The named meshes that are small, as one kind of thing or another. */
static void setup(void) {
    test_rng rng;
    gen_named_mesh meshes[16];
    int count;
    rng.state = 98;
    count = gen_all_meshes(&rng, meshes);
    scenes = (scene *)calloc(SCENES, sizeof *scenes);
    if (!scenes) abort();
    scene_count = 0;
    for (int m = 0, kind = 0; m < count; ++m) {
        gen_mesh part = meshes[m].mesh;
        if (part.triangle_count > MOST_ITEMS) part.triangle_count = MOST_ITEMS;
        for (int k = 0; k < 2 && scene_count < SCENES; ++k)
            build_scene(&rng, &scenes[scene_count++], (thing)(kind++ % THINGS), &part);
        gen_mesh_free(&meshes[m].mesh);
    }
}

static void teardown(void) {
    for (int i = 0; i < scene_count; ++i) {
        for (int layout = 0; layout < scenes[i].layouts; ++layout) cd_bvh_destroy(&scenes[i].tree[layout]);
    }
    free(scenes);
}

/* ---- questions ---- */

typedef struct question {
    cd_ray ray;
    cd_segment segment;
    bool is_segment;
    cd_real t_max;
    cd_cast_options options;
} question;

static cd_vec3 some_corner(test_rng *rng, const scene *s) {
    uint32_t i = (uint32_t)test_int(rng, 0, (int)s->count - 1);
    const cd_real *lo = REALS(s->box[i].min), *hi = REALS(s->box[i].max);
    cd_vec3 p;
    cd_real *out = REALS(p);
    if (s->kind == TRIANGLES || s->kind == INDEXED) return (&s->triangle[i].a)[test_int(rng, 0, 2)];
    if (s->kind == SPHERES && test_int(rng, 0, 1)) return s->sphere[i].center;
    for (int k = 0; k < 3; ++k) out[k] = test_int(rng, 0, 1) ? lo[k] : hi[k];
    return p;
}

static cd_vec3 some_place(test_rng *rng, const scene *s, double margin) {
    cd_aabb b = cd_bvh_bounds(&s->tree[0]);
    double size = (double)cd_vec3_dist(b.min, b.max) * 0.01;
    const cd_real *lo = REALS(b), *hi = REALS(b.max);
    cd_vec3 p;
    cd_real *out = REALS(p);
    for (int k = 0; k < 3; ++k) {
        double x = test_range(rng, -margin, 1.0 + margin);
        out[k] = (cd_real)((double)lo[k] + ((double)hi[k] - (double)lo[k] + size) * x);
    }
    return p;
}

static cd_real zero_or_denormal(test_rng *rng) {
    double least = sizeof(cd_real) == 4 ? ldexp(1.0, -149) : ldexp(1.0, -1074);
    return (cd_real)(least * (test_int(rng, 0, 19) ? 0 : test_int(rng, -1, 2)));
}

/* Along edges and faces, from inside, from far away, of any length, along an axis or nearly so. */
static cd_ray hard_ray(test_rng *rng, const scene *s) {
    cd_vec3 from = test_int(rng, 0, 2) ? some_place(rng, s, 0.5) : some_corner(rng, s), to;
    cd_ray r;
    to = test_int(rng, 0, 1) ? some_corner(rng, s) : some_place(rng, s, 0.1);
    r = cd_ray_through(from, to);
    if (!test_int(rng, 0, 4)) r.dir.x = zero_or_denormal(rng);
    if (!test_int(rng, 0, 4)) r.dir.y = zero_or_denormal(rng);
    if (!test_int(rng, 0, 4)) r.dir.z = zero_or_denormal(rng);
    if (!(cd_vec3_length(r.dir) > (cd_real)1e-30))
        r.dir = cd_vec3_make(0, 0, 0); /* t would leave the range */
    if (!test_int(rng, 0, 6))
        r.origin = cd_vec3_along(r.origin, r.dir, (cd_real)-ldexp(1.0, test_int(rng, 1, 20)));
    if (!test_int(rng, 0, 3)) r.dir = cd_vec3_scale(r.dir, (cd_real)ldexp(1.0, test_int(rng, -30, 30)));
    return r;
}

static bool odd_only(void *user, uint32_t index) {
    (void)user;
    return index % 2 == 1;
}

static question hard_question(test_rng *rng, const scene *s) {
    question q;
    memset(&q, 0, sizeof q);
    q.ray = hard_ray(rng, s);
    q.is_segment = !test_int(rng, 0, 3);
    q.t_max = test_int(rng, 0, 2) ? CD_REAL_MAX : (cd_real)test_range(rng, 0.0, 2.0);
    q.segment.a = q.ray.origin;
    q.segment.b = test_int(rng, 0, 1) ? cd_vec3_add(q.ray.origin, q.ray.dir) : some_corner(rng, s);
    if (!test_int(rng, 0, 1)) q.options.flags = (uint32_t)test_int(rng, 0, 31);
    if (!test_int(rng, 0, 3)) q.options.t_min = (cd_real)test_range(rng, -0.5, 1.0);
    if (!test_int(rng, 0, 5)) q.options.filter = odd_only;
    if (!test_int(rng, 0, 3)) q.options.ignore_mask = (uint32_t)test_int(rng, 0, 15);
    test_note("kind %d, %u items, segment %d, t_max %a, t_min %a, flags %u", (int)s->kind, s->count,
              q.is_segment, (double)q.t_max, (double)q.options.t_min, q.options.flags);
    test_note_reals(q.is_segment ? "segment" : "ray", q.is_segment ? REALS(q.segment) : REALS(q.ray), 6);
    return q;
}

/* ---- the loop ---- */

typedef struct answer {
    double t; /* before it is rounded, where that is known */
    cd_hit hit;
} answer;

static bool ask_triangle(const question *q, const cd_triangle *t, answer *a) {
    cdi_tri tri = cdi_tri_of(t);
    cdi_cast c;
    cdi_ray r;
    cdi_tri_hit h;
    if (q->is_segment) return cd_cast_segment_triangle(&q->segment, t, &q->options, &a->hit);
    if (!cd_cast_ray_triangle(&q->ray, q->t_max, t, &q->options, &a->hit)) return false;
    if (!cdi_cast_begin(&c, &q->ray, q->t_max, &q->options) || !cdi_ray_prepare(&r, &c)) return false;
    if (!cdi_ray_tri(&r, &tri, c.flags, c.t_max, &h)) return false;
    a->t = h.t;
    return true;
}

static bool ask_one(const scene *s, uint32_t i, const question *q, answer *a) {
    bool hit = false;
    a->t = (double)NAN;
    switch (s->kind) {
    case TRIANGLES:
    case INDEXED: hit = ask_triangle(q, &s->triangle[i], a); break;
    case BOXES:
        hit = q->is_segment ? cd_cast_segment_aabb(&q->segment, s->box[i], &q->options, &a->hit)
                            : cd_cast_ray_aabb(&q->ray, q->t_max, s->box[i], &q->options, &a->hit);
        break;
    case SPHERES: {
        cd_ray r = q->ray;
        if (q->is_segment) r.dir = cd_vec3_sub(q->segment.b, q->segment.a);
        hit = cd_cast_ray_sphere(&r, q->is_segment ? 1 : q->t_max, s->sphere[i], &q->options, &a->hit);
        break;
    }
    default: break;
    }
    if (!hit || (s->mask[i] & q->options.ignore_mask) || (q->options.filter && i % 2 == 0)) return false;
    if (!(a->t == a->t)) a->t = (double)a->hit.t;
    a->hit.index = i;
    return true;
}

static int compare_answers(const void *p, const void *q) {
    const answer *a = (const answer *)p, *b = (const answer *)q;
    if (a->t != b->t) return a->t < b->t ? -1 : 1;
    return a->hit.index < b->hit.index ? -1 : a->hit.index > b->hit.index;
}

static size_t ask_all(const scene *s, const question *q, answer *out) {
    size_t count = 0;
    for (uint32_t i = 0; i < s->count; ++i) count += ask_one(s, i, q, &out[count]);
    qsort(out, count, sizeof *out, compare_answers);
    return count;
}

/* Without what lies between the members. */
static bool same_hit(const cd_hit *a, const cd_hit *b) {
    return !memcmp(a, b, 10 * sizeof(cd_real)) && a->feature == b->feature && a->index == b->index &&
           a->flags == b->flags;
}

/* ---- equal to the loop ---- */

static void check_list(const cd_bvh *tree, const question *q, const answer *want, size_t count) {
    cd_hit hits[MOST_ITEMS];
    size_t room = count < 4 ? count : 1 + count / 2;
    CHECK_INT(ASK("loop", cd_bvh_cast_ray_all(tree, &q->ray, q->t_max, &q->options, hits, MOST_ITEMS)),
              count);
    for (size_t i = 0; i < count; ++i) CHECK(same_hit(&hits[i], &want[i].hit));
    memset(hits, 0x5A, sizeof hits);
    CHECK_INT(ASK("loop", cd_bvh_cast_ray_all(tree, &q->ray, q->t_max, &q->options, hits, room)), count);
    for (size_t i = 0; i < room; ++i) CHECK(same_hit(&hits[i], &want[i].hit));
    CHECK(room == MOST_ITEMS || hits[room].flags == 0x5A5A5A5Au);
    CHECK_INT(ASK("loop", cd_bvh_cast_ray_all(tree, &q->ray, q->t_max, &q->options, NULL, 9)), count);
}

/* Is it the tree's own number of a primitive? In the compact layout there are larger ones than there are primitives. */
static bool is_number(const scene *s, const cd_bvh *tree, uint32_t number) {
    return cd_bvh_get_layout(tree) == CD_BVH_COMPACT ? number != CD_NONE : number < s->count;
}

static void check_memory(test_rng *rng, const scene *s, const cd_bvh *tree, const question *q,
                         const answer *want, size_t count) {
    uint32_t last = test_int(rng, 0, 3) ? (uint32_t)test_int(rng, 0, (int)s->count + 3) : CD_NONE,
             kept = last;
    for (int again = 0; again < 2; ++again) {
        cd_hit hit;
        CHECK_INT(ASK("loop", cd_bvh_cast_ray_again(tree, &q->ray, q->t_max, &q->options, &last, &hit)),
                  count > 0);
        CHECK(count ? same_hit(&hit, &want[0].hit) && is_number(s, tree, last) : last == kept);
        if (test_int(rng, 0, 1)) last = kept;
        CHECK_INT(ASK("loop", cd_bvh_test_ray_again(tree, &q->ray, q->t_max, &q->options, &last)), count > 0);
        CHECK(count ? is_number(s, tree, last) : last == kept);
    }
}

static void check_tree(test_rng *rng, const scene *s, const cd_bvh *tree, const question *q,
                       const answer *want, size_t count) {
    cd_hit hit, untouched;
    bool found;
    memset(&untouched, 0x5A, sizeof untouched);
    hit = untouched;
    found = q->is_segment ? ASK("loop", cd_bvh_cast_segment(tree, &q->segment, &q->options, &hit))
                          : ASK("loop", cd_bvh_cast_ray(tree, &q->ray, q->t_max, &q->options, &hit));
    CHECK_INT(found, count > 0);
    CHECK(same_hit(&hit, count ? &want[0].hit : &untouched));
    if (q->is_segment) {
        CHECK_INT(ASK("loop", cd_bvh_test_segment(tree, &q->segment, &q->options)), count > 0);
        CHECK_INT(ASK("loop", cd_bvh_cast_segment(tree, &q->segment, &q->options, NULL)), count > 0);
        return;
    }
    CHECK_INT(ASK("loop", cd_bvh_test_ray(tree, &q->ray, q->t_max, &q->options)), count > 0);
    CHECK_INT(ASK("loop", cd_bvh_cast_ray(tree, &q->ray, q->t_max, &q->options, NULL)), count > 0);
    check_list(tree, q, want, count);
    check_memory(rng, s, tree, q, want, count);
}

static void trees_equal_a_loop(void) {
    test_rng rng = test_random();
    answer *want = (answer *)calloc(MOST_ITEMS, sizeof *want);
    size_t hits = 0;
    if (!want) abort();
    for (long i = test_times(1200); i > 0; --i) {
        const scene *s = &scenes[test_int(&rng, 0, scene_count - 1)];
        question q = hard_question(&rng, s);
        size_t count = ask_all(s, &q, want);
        for (int layout = 0; layout < s->layouts; ++layout)
            check_tree(&rng, s, &s->tree[layout], &q, want, count);
        hits += count > 0;
    }
    CHECK(hits > 0);
    free(want);
}

/* ---- the edges of what the kernel of plain triangles makes ready itself ---- */

/* Begins about 32 units of the tree's frame from its middle, where such rays end, or in the plane of a side of a box. */
static cd_vec3 edge_origin(test_rng *rng, const scene *s) {
    const cdi_frame *f = &((const cdi_bvh_header *)s->tree[0].block)->frame;
    cd_vec3 p = test_int(rng, 0, 2) ? some_place(rng, s, 0.5) : some_corner(rng, s);
    cd_real *v = REALS(p);
    if (test_int(rng, 0, 1)) {
        int k = test_int(rng, 0, 2);
        double from = ldexp(test_int(rng, 0, 1) ? 32.0 : -32.0, f->exponent);
        double ulps = (double)test_int(rng, -3, 3) * (sizeof(cd_real) == 4 ? 6e-8 : 1.2e-16);
        v[k] = (cd_real)(f->origin[k] + from * (1.0 + ulps));
    }
    return p;
}

/* Its largest component over the tree's extent, or over that of the component, is about a limit; some are 0, -0 or denormal. */
static cd_vec3 edge_dir(test_rng *rng, const scene *s, cd_vec3 from) {
    static const int shifts[8] = {0, 0, 0, 18, 19, 20, 21, -49};
    const cdi_frame *f = &((const cdi_bvh_header *)s->tree[0].block)->frame;
    cd_vec3 d = cd_vec3_sub(some_corner(rng, s), from);
    cd_real *v = REALS(d);
    int k = test_int(rng, 0, 2), shift = shifts[test_int(rng, 0, 7)];
    double size = (double)cd_vec3_length(d) > 0.0 ? (double)cd_vec3_length(d) : 1.0;
    if (!test_int(rng, 0, 2)) v[k] = zero_or_denormal(rng);
    if (!test_int(rng, 0, 2)) v[k] = -v[k];
    if (!test_int(rng, 0, 2))
        v[(k + 1) % 3] = (cd_real)(size * ldexp(test_range(rng, -1.0, 1.0), -test_int(rng, 38, 52)));
    if (shift) d = cd_vec3_scale(d, (cd_real)(ldexp(1.0, shift + f->exponent) / size));
    return cd_vec3_length(d) > (cd_real)1e-30 ? d : cd_vec3_make(0, 0, 0);
}

static question edge_question(test_rng *rng, const scene *s) {
    static const double t_min[6] = {0.0, 0.0, -0.0, 1e-40, 1e-3, 0.5};
    question q;
    memset(&q, 0, sizeof q);
    q.ray.origin = edge_origin(rng, s);
    q.ray.dir = edge_dir(rng, s, q.ray.origin);
    q.t_max = test_int(rng, 0, 2) ? CD_REAL_MAX : (cd_real)ldexp(test_unit(rng), test_int(rng, -20, 20));
    q.options.t_min = (cd_real)t_min[test_int(rng, 0, 5)];
    if (!test_int(rng, 0, 3)) q.options.flags = (uint32_t)test_int(rng, 0, 31);
    test_note("edge: kind %d, %u items, t_max %a, t_min %a", (int)s->kind, s->count, (double)q.t_max,
              (double)q.options.t_min);
    test_note_reals("ray", REALS(q.ray), 6);
    return q;
}

/* ... and its own t as the end or the beginning. */
static void rays_at_edges_equal_a_loop(void) {
    test_rng rng = test_random();
    answer *want = (answer *)calloc(MOST_ITEMS, sizeof *want);
    size_t hits = 0;
    if (!want) abort();
    for (long i = test_times(2000); i > 0; --i) {
        const scene *s = &scenes[test_int(&rng, 0, scene_count - 1)];
        question q = edge_question(&rng, s);
        size_t count = ask_all(s, &q, want);
        for (int again = 0; again < 3; ++again) {
            check_tree(&rng, s, &s->tree[0], &q, want, count);
            if (!count) break;
            ++hits;
            if (again == 0) q.t_max = want[0].hit.t;
            if (again == 1) q.options.t_min = want[0].hit.t > 0 ? want[0].hit.t : 0;
            count = ask_all(s, &q, want);
        }
    }
    CHECK(hits > 0);
    free(want);
}

/* ---- many rays ---- */

static void batches_are_the_single_calls(void) {
    enum { N = 24 };
    test_rng rng = test_random();
    cd_ray rays[N];
    cd_real t_max[N];
    cd_hit hits[N];
    bool any[N];
    for (int i = 0; i < scene_count; ++i) {
        const cd_bvh *tree = &scenes[i].tree[i % scenes[i].layouts];
        size_t found = 0;
        for (int k = 0; k < N; ++k) {
            rays[k] = hard_ray(&rng, &scenes[i]);
            t_max[k] = (cd_real)test_range(&rng, 0.0, 3.0);
        }
        ASK("loop", cd_bvh_cast_rays(tree, rays, t_max, N, NULL, hits));
        ASK("loop", cd_bvh_test_rays(tree, rays, t_max, N, NULL, any));
        for (int k = 0; k < N; ++k) {
            cd_hit one;
            bool hit = cd_bvh_cast_ray(tree, &rays[k], t_max[k], NULL, &one);
            CHECK(any[k] == hit && (hit ? same_hit(&one, &hits[k]) : hits[k].index == CD_NONE));
            found += hit;
        }
        CHECK_INT(ASK("loop", cd_bvh_cast_rays(tree, rays, t_max, N, NULL, NULL)), found);
        CHECK_INT(ASK("loop", cd_bvh_test_rays(tree, rays, t_max, N, NULL, NULL)), found);
        CHECK_INT(ASK("loop", cd_bvh_test_rays(tree, rays, NULL, N, NULL, any)),
                  ASK("loop", cd_bvh_cast_rays(tree, rays, NULL, N, NULL, hits)));
    }
}

/* ---- special ones ---- */

/* Equal hits by the dozen: the smallest index answers, whatever was hit before. */
static void ties_go_to_the_smallest_index(void) {
    test_rng rng = test_random();
    enum { N = 60 };
    cd_aabb boxes[N];
    for (int i = 0; i < N; ++i) {
        boxes[i].min = cd_vec3_make((cd_real)test_int(&rng, 0, 2), -1, -1);
        boxes[i].max = cd_vec3_make(5, (cd_real)test_int(&rng, 1, 2), 1);
    }
    for (uint32_t layout = 0; layout < 3; ++layout) {
        cd_bvh_options o;
        cd_bvh tree;
        memset(&o, 0, sizeof o);
        o.layout = layout;
        CHECK_INT(cd_bvh_build_boxes(&tree, boxes, N, &o), CD_OK);
        for (int side = 0; side < 3; ++side) {
            cd_ray r = cd_ray_through(cd_vec3_make(-1, 0, 0), cd_vec3_make(0, 0, 0));
            cd_cast_options from = {0, 0, NULL, NULL, 0};
            uint32_t want = 0, last = (uint32_t)test_int(&rng, 0, N - 1);
            cd_hit hit;
            from.flags = (uint32_t)CD_CAST_START_IGNORE;
            from.t_min = (cd_real)side + (cd_real)0.5; /* inside those that begin before */
            while (boxes[want].min.x != (cd_real)side) ++want;
            CHECK(cd_bvh_cast_ray_again(&tree, &r, CD_REAL_MAX, &from, &last, &hit));
            CHECK_INT(hit.index, want);
            from.flags = 0; /* they begin where it begins */
            from.t_min = 4;
            CHECK(cd_bvh_cast_ray_again(&tree, &r, CD_REAL_MAX, &from, &last, &hit) && hit.index == 0);
        }
        cd_bvh_destroy(&tree);
    }
}

/* Triangles across a fast ray near its origin: their t are alike, and so tiny that they are rounded by more than in proportion. */
static void ties_of_a_tiny_t(void) {
    test_rng rng = test_random();
    enum { N = 6 };
    for (long i = test_times(100); i > 0; --i) {
        cd_vec3 p[3 * N];
        cd_bvh_options o;
        cd_bvh tree;
        cd_mesh_view mesh = cd_mesh_view_make(p, 3 * N, NULL, N);
        cd_real z = (cd_real)ldexp(1.0 + test_unit(&rng), -56),
                dir = (cd_real)ldexp(1.0 + test_unit(&rng), 55);
        cd_ray r;
        for (int k = 0; k < N; ++k) {
            p[3 * k] = cd_vec3_make((cd_real)test_range(&rng, -2, -1), -1, z);
            p[3 * k + 1] = cd_vec3_make(3, (cd_real)test_range(&rng, -1, 0), z);
            p[3 * k + 2] = cd_vec3_make((cd_real)test_range(&rng, -1, 0), 3, z);
        }
        r.origin = cd_vec3_make(0, 0, 0);
        r.dir = cd_vec3_make(test_int(&rng, 0, 1) ? 0 : dir / 8, dir / 16, dir);
        test_note_reals("ray", REALS(r), 6);
        memset(&o, 0, sizeof o);
        o.layout = (uint32_t)test_int(&rng, 0, 2);
        CHECK_INT(cd_bvh_build_mesh(&tree, &mesh, &o), CD_OK);
        for (uint32_t k = 0; k < N; ++k) {
            cd_hit hit;
            uint32_t last = k;
            CHECK(cd_bvh_cast_ray_again(&tree, &r, CD_REAL_MAX, NULL, &last, &hit) && hit.index == 0);
        }
        cd_bvh_destroy(&tree);
    }
}

/* From the triangle's box the plane is beyond any number ahead or behind: that is no hit at 0. */
static void t_beyond_all_numbers_is_no_hit(void) {
    cd_triangle t;
    cd_cast_options back = {0, -1, NULL, NULL, 0};
    cd_hit hit;
    cd_ray r;
    t.a = cd_vec3_make(-4, 4, 0);
    t.b = cd_vec3_make(4, 4, 0);
    t.c = cd_vec3_make(0, -8, 8);
    for (int side = -1; side <= 1; side += 2) {
        r.origin = cd_vec3_make(0, 0, 0);
        r.dir = cd_vec3_make(0, 0, (cd_real)(side * (sizeof(cd_real) == 4 ? 1e-40 : 1e-310)));
        CHECK(!cd_cast_ray_triangle(&r, CD_REAL_MAX, &t, NULL, &hit));
        CHECK(!cd_cast_ray_triangle(&r, CD_REAL_MAX, &t, &back, &hit));
    }
}

/* A ray without direction asks about its origin; only solids have an inside. */
static void a_ray_may_stand_still(void) {
    test_rng rng = test_random();
    answer want[MOST_ITEMS];
    for (long i = test_times(100); i > 0; --i) {
        const scene *s = &scenes[test_int(&rng, 0, scene_count - 1)];
        question q = hard_question(&rng, s);
        size_t count;
        q.ray.dir = cd_vec3_make(0, 0, 0);
        q.is_segment = false;
        count = ask_all(s, &q, want);
        for (int layout = 0; layout < s->layouts; ++layout)
            check_tree(&rng, s, &s->tree[layout], &q, want, count);
    }
}

static void bad_rays_hit_nothing(void) {
    static const double bad[3] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int i = 0; i < 6 * 3; ++i) {
        const scene *of = &scenes[i % scene_count];
        const cd_bvh *tree = &of->tree[i % of->layouts];
        cd_ray r = cd_ray_through(cd_vec3_make(-9, 0, 0), cd_vec3_make(0, 0, 0));
        cd_segment s;
        cd_hit hit;
        REALS(r)[i % 6] = (cd_real)bad[i / 6];
        s.a = r.origin;
        s.b = r.dir;
        CHECK(!cd_bvh_cast_ray(tree, &r, CD_REAL_MAX, NULL, &hit) &&
              !cd_bvh_test_ray(tree, &r, CD_REAL_MAX, NULL));
        CHECK(!cd_bvh_cast_segment(tree, &s, NULL, &hit) && !cd_bvh_test_segment(tree, &s, NULL));
        CHECK_INT(cd_bvh_cast_ray_all(tree, &r, CD_REAL_MAX, NULL, &hit, 1), 0);
    }
}

static void empty_trees_are_missed(void) {
    cd_ray r = cd_ray_through(cd_vec3_make(-9, 0, 0), cd_vec3_make(0, 0, 0));
    cd_segment s = {r.origin, r.dir};
    cd_bvh empty;
    uint32_t last = 3;
    cd_hit hit;
    memset(&empty, 0, sizeof empty);
    CHECK(!cd_bvh_cast_ray_again(&empty, &r, 1, NULL, &last, &hit) && last == 3);
    CHECK(!cd_bvh_test_ray_again(&empty, &r, 1, NULL, &last) &&
          !cd_bvh_test_rays(&empty, &r, NULL, 1, NULL, NULL));
    CHECK(!cd_bvh_cast_segment(&empty, &s, NULL, &hit) && !cd_bvh_test_segment(&empty, &s, NULL));
}

/* ---- the real cases ---- */

static void check_case_query(const cd_bvh *tree, const json *query, const json *want) {
    cd_ray r;
    cd_hit hits[64];
    double listed[64], t = json_real(want, "nearest_t");
    int count = json_reals(json_get(want, "hits"), listed, 64), seen = 0;
    cd_real t_max = (cd_real)json_real(query, "t_max"), numbers[6];
    double at[6];
    json_reals(json_get(query, "origin"), at, 3);
    json_reals(json_get(query, "dir"), at + 3, 3);
    for (int k = 0; k < 6; ++k) numbers[k] = (cd_real)at[k];
    memcpy(&r, numbers, sizeof r);
    CHECK_INT(ASK(cases_family(), cd_bvh_cast_ray_all(tree, &r, t_max, NULL, hits, 64)), count);
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < count; ++k) seen += hits[k].index == (uint32_t)listed[i];
    }
    CHECK_INT(seen, count);
    CHECK_INT(ASK(cases_family(), cd_bvh_test_ray(tree, &r, t_max, NULL)), count > 0);
    if (!CHECK(ASK(cases_family(), cd_bvh_cast_ray(tree, &r, t_max, NULL, &hits[63])) == (count > 0)) ||
        !count)
        return;
    CHECK_INT(hits[63].index, (int)json_real(want, "nearest"));
    CHECK_NEAR(hits[63].t, t, 4 * (double)CD_REAL_EPSILON * fabs(t));
}

static void check_case(const json *one, const json *expected) {
    const json *input = json_get(one, "input"), *results = json_get(expected, "results");
    cd_aabb boxes[64];
    uint32_t count = 0;
    if (!results) return;
    for (const json *b = json_get(input, "boxes")->child; b; b = b->next, ++count) {
        double at[6];
        if (!CHECK(count < 64 && json_reals(json_get(b, "min"), at, 3) == 3 &&
                   json_reals(json_get(b, "max"), at + 3, 3) == 3)) {
            return;
        }
        for (int k = 0; k < 6; ++k) {
            if (!isfinite(at[k])) return; /* no solid */
            REALS(boxes[count])[k] = (cd_real)at[k];
        }
    }
    for (uint32_t layout = 0; layout < 3; ++layout) {
        const json *query = json_get(input, "queries")->child;
        cd_bvh_options o;
        cd_bvh tree;
        memset(&o, 0, sizeof o);
        o.layout = layout;
        if (!CHECK(cd_bvh_build_boxes(&tree, boxes, count, &o) == CD_OK)) return;
        for (const json *want = results->child; want; want = want->next, query = query->next) {
            if (json_is(query, "type", "ray")) check_case_query(&tree, query, want);
        }
        cd_bvh_destroy(&tree);
    }
}

static void real_cases(void) {
    cases_each("aabb_tree", check_case);
}

/* A ray past one of many triangles that are far from each other: no node is looked at twice, and no other triangle. */
static void no_node_is_visited_twice(void) {
    enum { ROW = 700 };
    static cd_vec3 corners[3 * ROW];
    static uint32_t indices[3 * ROW];
    test_rng rng = test_random();
    cd_mesh_view view = cd_mesh_view_make(corners, 3 * ROW, indices, ROW);
    for (uint32_t i = 0; i < 3 * ROW; ++i) { /* along the diagonal */
        cd_real x = (cd_real)(i / 3 * 8);
        corners[i] = cd_vec3_make(x + (i % 3 == 1), x + (i % 3 == 2), x + (i % 3 == 0));
        indices[i] = i;
    }
    for (uint32_t layout = 0; layout < 4; ++layout) {
        cd_bvh_options o;
        cd_bvh t;
        memset(&o, 0, sizeof o);
        o.layout = layout;
        o.leaf_size = 1;
        CHECK_INT(cd_bvh_build_mesh(&t, &view, &o), CD_OK);
        for (long n = 5 + test_times(100); n > 0; --n) {
            int axis = test_int(&rng, 0, 2), which = test_int(&rng, 0, ROW - 1),
                nearest = test_int(&rng, 0, 1);
            cd_real x = (cd_real)(which * 8);
            cd_ray r;
            cd_hit hit;
            r.origin = cd_vec3_make(x + (cd_real)0.125, x + (cd_real)0.75, x + (cd_real)0.625);
            REALS(r.origin)[axis] = x - 40;
            REALS(r.origin)[(axis + 1) % 3] = x + (cd_real)0.75; /* beyond the side of its shadow */
            REALS(r.origin)[(axis + 2) % 3] = x + (cd_real)0.75;
            r.dir = cd_vec3_make(0, 0, 0);
            REALS(r.dir)[axis] = 1;
            for (int k = 1; k < 3; ++k) REALS(r.dir)[(axis + k) % 3] = (cd_real)test_range(&rng, -1e-3, 1e-3);
            test_note("layout %u, %d along %d, nearest %d ", (unsigned)layout, which, axis, nearest);
            memset(&test_counted, 0, sizeof test_counted);
            CHECK(nearest ? !cd_bvh_cast_ray(&t, &r, CD_REAL_MAX, NULL, &hit)
                          : !cd_bvh_test_ray(&t, &r, CD_REAL_MAX, NULL));
            CHECK(test_counted.node <= (layout == CD_BVH_BINARY || layout == CD_BVH_COMPACT ? 2u : 1u) *
                                           cd_bvh_get_stats(&t).depth);
            CHECK(test_counted.triangle <= 8);
        }
        cd_bvh_destroy(&t);
    }
}

/* A triangle whose corners are before and after the end of a ray, or its beginning, by less than the rounding of floats: casts and
 * tests are right about where between them it is met. */
static void ends_within_a_rounding(void) {
    test_rng rng = test_random();
    cd_vec3 corners[3];
    uint32_t indices[3] = {0, 1, 2};
    cd_mesh_view view = cd_mesh_view_make(corners, 3, indices, 1);
    for (long n = 8 + test_times(400); n > 0; --n) {
        cd_ray r;
        cd_real end = 0, height = 0, speed = 0;
        double over = 0, least = 0;
        int axis = test_int(&rng, 0, 2), later = test_int(&rng, 0, 1) ? 1 : -1;
        for (int tries = 0; tries < 40000 && !(fabs(over) > 1e-15 && fabs(over) < 4e-13); ++tries) {
            speed = (cd_real)(float)test_range(&rng, 1, 2);
            end = (cd_real)(float)test_range(&rng, 1, 2);
            height = (cd_real)(float)((double)speed * (double)end);
            over = (double)height - (double)speed * (double)end; /* without rounding */
        }
        if (fabs(over) > 4e-13) continue;
        for (int i = 0; i < 3; ++i) { /* the ray meets it at half of the first, and a quarter of the others */
            least = -over + (double)later * (i ? 4e-13 : -2e-13);
            REALS(corners[i])[axis] = (cd_real)least;
            REALS(corners[i])[(axis + 1) % 3] = i == 1 ? (cd_real)3 : (cd_real)-1;
            REALS(corners[i])[(axis + 2) % 3] = i == 2 ? (cd_real)3 : (cd_real)-1;
        }
        r.origin = r.dir = cd_vec3_make(0, 0, 0);
        REALS(r.origin)[axis] = -height;
        REALS(r.dir)[axis] = speed;
        for (uint32_t how = 0; how < 8; ++how) {
            cd_bvh_options o;
            cd_cast_options from;
            cd_bvh t;
            cd_hit hit;
            cd_real most = how & 4 ? 3 : end;
            bool want = how & 4 ? later > 0 : later < 0;
            memset(&o, 0, sizeof o);
            memset(&from, 0, sizeof from);
            if (how & 4) from.t_min = end;
            o.layout = how & 3;
            CHECK_INT(cd_bvh_build_mesh(&t, &view, &o), CD_OK);
            test_note("%u: %a * %a and %a, over %g ", (unsigned)how, (double)speed, (double)end,
                      (double)height, over);
            CHECK_INT(ASK("exact", cd_bvh_test_ray(&t, &r, most, &from)), want);
            CHECK_INT(ASK("exact", cd_bvh_cast_ray(&t, &r, most, &from, &hit)), want);
            cd_bvh_destroy(&t);
        }
    }
}

void suite_bvh_rays(void) {
    setup();
    RUN(trees_equal_a_loop);
    RUN(rays_at_edges_equal_a_loop);
    RUN(batches_are_the_single_calls);
    RUN(ties_go_to_the_smallest_index);
    RUN(ties_of_a_tiny_t);
    RUN(t_beyond_all_numbers_is_no_hit);
    RUN(a_ray_may_stand_still);
    RUN(no_node_is_visited_twice);
    RUN(ends_within_a_rounding);
    RUN(bad_rays_hit_nothing);
    RUN(empty_trees_are_missed);
    RUN(real_cases);
    teardown();
}
