#include "tree/spheretree.h"
#include "bounds/sphere_fit.h"
#include "query/closest.h"
#include "tree/bvh_pairs.h"
#include "tree/building.h"
#include "tree/bvtree_build.h"
#include "tree/sphere_cover.h"
#include "tree/sphere_octree.h"
#include "tree/sphere_prune.h"

/* ---- fits ---- */

typedef struct cdi_sphere_fits {
    const cdi_bvtree_draft *d;
    const cdi_plan *plan;
    const cd_vec3 *corner; /* of all triangles, three each, in the order of the leaves */
} cdi_sphere_fits;

/* The least radius about the stored centre that holds the triangles, as the rules of the block check it. */
static float cdi_fit_radius(const cdi_bvtree *t, const float *v, uint32_t first, uint32_t count) {
    cdi_v3 center = cdi_v3_make((double)v[0], (double)v[1], (double)v[2]);
    double most = 0.0;
    float r;
    for (uint32_t i = first; i < first + count; ++i) {
        cdi_tri tri = cdi_draft_tri(t, i);
        for (int k = 0; k < 3; ++k) most = cdi_max(most, cdi_v3_sqlength(cdi_v3_sub(tri.v[k], center)));
    }
    r = (float)cdi_sqrt(most);
    while ((double)r * (double)r < most) r = cdi_next_float(r, true);
    return r;
}

static void cdi_fit_sphere(const cdi_sphere_fits *f, uint32_t number) {
    const cdi_plan_node *node = &f->plan->node[number];
    const cdi_frame *frame = &f->d->opened.items.header->frame;
    float *v = cdi_draft_volume(f->d, number);
    cd_sphere s;
    cd_status status =
        cd_sphere_ritter_iterative(f->corner + 3 * (size_t)node->first, 3 * (size_t)node->count, NULL, &s);
    if (status != CD_OK) s.center = f->corner[3 * (size_t)node->first];
    v[0] = (float)cdi_frame_in(frame, 0, (double)s.center.x);
    v[1] = (float)cdi_frame_in(frame, 1, (double)s.center.y);
    v[2] = (float)cdi_frame_in(frame, 2, (double)s.center.z);
    v[3] = cdi_fit_radius(&f->d->opened, v, node->first, node->count);
}

static void cdi_fit_spheres_part(void *ctx, uint32_t part) {
    const cdi_sphere_fits *f = (const cdi_sphere_fits *)ctx;
    uint32_t end = cdi_part_end(part, f->plan->node_count);
    for (uint32_t i = part * CDI_PART; i < end; ++i) {
        const cdi_plan_node *node = &f->plan->node[i];
        bool leaf = node->child_count == 0;
        cdi_draft_link(f->d, i, leaf ? node->first : node->child,
                       leaf ? CDI_BVTREE_LEAF | node->count : node->child_count);
        cdi_fit_sphere(f, i);
    }
}

/* Room for the corners of all triangles; NULL where there is no memory. */
static cd_vec3 *cdi_plan_corners(const cdi_builder *b) {
    cd_vec3 *corner = (cd_vec3 *)cdi_alloc(&b->allocator, 3 * (size_t)b->count, sizeof *corner);
    for (uint32_t i = 0; corner && i < b->count; ++i) {
        cd_triangle t = cdi_source_triangle(&b->source, b->order[i]);
        corner[3 * (size_t)i] = t.a;
        corner[3 * (size_t)i + 1] = t.b;
        corner[3 * (size_t)i + 2] = t.c;
    }
    return corner;
}

/* The block of a plan. */
static cd_status cdi_spheretree_write(const cdi_plan *p, cd_bvtree *out) {
    const cdi_builder *b = p->b;
    cd_vec3 *corner = cdi_plan_corners(b);
    cdi_bvtree_draft d;
    cdi_sphere_fits f;
    cd_status status =
        corner ? cdi_bvtree_take(&d, b, CD_BVTREE_SPHERES, 0, p->node_count) : CD_OUT_OF_MEMORY;
    if (status == CD_OK) {
        d.header->depth = p->depth;
        f.d = &d;
        f.plan = p;
        f.corner = corner;
        if (cdi_run_tasks(b, cdi_part_count(p->node_count), cdi_fit_spheres_part, &f, 0.85, 1.0)) {
            status = cdi_bvtree_finish(&d, out);
        } else {
            cdi_draft_drop(&d);
            status = CD_CANCELLED;
        }
    }
    cdi_free(&b->allocator, corner, 3 * (size_t)b->count, sizeof *corner);
    return status;
}

/* ---- builds ---- */

static cd_status cdi_spheretree_plan(cdi_plan *p, const cd_spheretree_options *o) {
    switch (o->method) {
    case CD_SPHERETREE_OCTREE: return cdi_plan_octree(p);
    case CD_SPHERETREE_COVER: return cdi_plan_cover(p, (double)o->radius * p->frame.scale);
    default: return cdi_plan_prune(p);
    }
}

static cd_status cdi_spheretree_grow(cdi_builder *b, const cd_spheretree_options *o, cd_bvtree *out) {
    cdi_bvtree_draft d;
    cdi_plan p;
    cd_status status;
    if (b->count == 0) {
        status = cdi_bvtree_take(&d, b, CD_BVTREE_SPHERES, 0, 0);
        return status == CD_OK ? cdi_bvtree_finish(&d, out) : status;
    }
    status = cdi_plan_begin(&p, b);
    if (status != CD_OK) return status;
    status = cdi_spheretree_plan(&p, o);
    if (status == CD_OK) status = cdi_spheretree_write(&p, out);
    cdi_plan_end(&p);
    return status;
}

static bool cdi_spheretree_options_are_valid(const cd_spheretree_options *o) {
    return (o->flags & ~(uint32_t)CD_BVH_SKIP_INVALID) == 0 && o->method <= CD_SPHERETREE_COVER &&
           o->leaf_size <= CDI_BVH_LEAF_MAX && o->radius >= 0 && o->radius <= CD_REAL_MAX;
}

/* The items are read by the fastest builder, whose tree is not used. */
static cd_bvh_options cdi_spheretree_reading(const cd_spheretree_options *o) {
    cd_bvh_options r;
    cdi_clear(&r, sizeof r);
    r.flags = o->flags;
    r.leaf_size = o->leaf_size ? o->leaf_size : 1;
    r.method = CD_BVH_LINEAR;
    r.masks = o->masks;
    r.allocator = o->allocator;
    r.executor.run = o->executor.run; /* progress is told from then on */
    r.executor.user = o->executor.user;
    return r;
}

CD_API cd_status cd_spheretree_build_mesh(cd_bvtree *out, const cd_mesh_view *mesh,
                                          const cd_spheretree_options *options) {
    cd_spheretree_options o;
    cd_bvh_options reading;
    cdi_source source;
    cdi_builder b;
    cd_status status;
    cdi_clear(out, sizeof *out);
    cdi_clear(&o, sizeof o);
    if (options) o = *options;
    if (!cd_mesh_view_is_valid(mesh) || !cdi_spheretree_options_are_valid(&o)) return CD_INVALID_ARGUMENT;
    cdi_clear(&source, sizeof source);
    source.kind = CD_BVH_TRIANGLES;
    source.count = mesh->triangle_count;
    source.mesh = mesh;
    reading = cdi_spheretree_reading(&o);
    status = cdi_build_canonical(&b, &source, &reading);
    if (status != CD_OK) return status;
    b.executor = o.executor;
    status = cdi_spheretree_grow(&b, &o, out);
    cdi_builder_give_back(&b, source.count);
    return status;
}

/* ---- levels ---- */

/* A ball around a node in the caller's frame: what it is off by is in the radius. */
static cdi_v3 cdi_node_ball(const cdi_bvtree *t, uint32_t number, double *radius) {
    const cdi_frame *f = &t->items.header->frame;
    cdi_v3 at, center;
    double r = t->ops->ball(t, cdi_bvtree_volume(t, number), &at) + CDI_VOLUME_ROOM;
    at = cdi_v3_scale2(at, f->exponent);
    center = cdi_v3_make(f->origin[0] + at.x, f->origin[1] + at.y, f->origin[2] + at.z);
    *radius = cdi_scale2(r, f->exponent) + 1e-15 * (cdi_v3_max_abs(center) + cdi_v3_max_abs(at));
    return center;
}

/* ... in the numbers of the interface. */
static cd_sphere cdi_ball_stored(cdi_v3 center, double radius) {
    cd_sphere s;
    cdi_v3 off;
    double r;
    s.center = cd_vec3_make(cdi_real_of(center.x), cdi_real_of(center.y), cdi_real_of(center.z));
    off = cdi_v3_sub(center, cdi_v3_of(s.center));
    r = radius + cdi_abs(off.x) + cdi_abs(off.y) + cdi_abs(off.z);
    r += 1e-15 * r;
    s.radius = cdi_real_or_infinity(r);
    if ((double)s.radius < r) s.radius = cdi_next_real(s.radius, true);
    if ((double)s.radius < r) s.radius = (cd_real)cdi_infinity();
    return s;
}

/* Goes over the nodes of a level. */
typedef struct cdi_level_walk {
    const cdi_bvtree *tree;
    uint32_t level, count;
    uint32_t node[CDI_BVH_STACK], depth[CDI_BVH_STACK];
} cdi_level_walk;

/* False for an empty tree. */
static bool cdi_level_begin(cdi_level_walk *w, cdi_bvtree *t, const cd_bvtree *tree, uint32_t level) {
    w->tree = t;
    w->level = level;
    w->node[0] = w->depth[0] = 0;
    w->count = 1;
    return cdi_bvtree_open(t, tree);
}

static bool cdi_level_next(cdi_level_walk *w, uint32_t *number) {
    while (w->count > 0) {
        uint32_t at = w->node[--w->count], depth = w->depth[w->count];
        cdi_bvtree_links l = cdi_bvtree_links_of(w->tree, at);
        *number = at;
        if (depth >= w->level || cdi_links_is_leaf(l)) return true;
        for (uint32_t i = l.count; i-- > 0;) {
            w->node[w->count] = l.first + i;
            w->depth[w->count++] = depth + 1;
        }
    }
    return false;
}

CD_API size_t cd_spheretree_level(const cd_bvtree *tree, uint32_t level, cd_sphere *spheres,
                                  size_t capacity) {
    cdi_level_walk w;
    cdi_bvtree t;
    size_t count = 0;
    uint32_t number;
    if (!cdi_level_begin(&w, &t, tree, level)) return 0;
    for (; cdi_level_next(&w, &number); ++count) {
        double radius;
        cdi_v3 center = cdi_node_ball(&t, number, &radius);
        if (spheres && count < capacity) spheres[count] = cdi_ball_stored(center, radius);
    }
    return count;
}

/* The triangles below a node: from the first of its leftmost leaf to the last of its rightmost. */
static uint32_t cdi_node_items(const cdi_bvtree *t, uint32_t number, uint32_t *end) {
    uint32_t at = number;
    cdi_bvtree_links l = cdi_bvtree_links_of(t, at);
    for (; !cdi_links_is_leaf(l); l = cdi_bvtree_links_of(t, at)) at = l.first + l.count - 1;
    *end = l.first + cdi_links_count(l);
    l = cdi_bvtree_links_of(t, number);
    for (; !cdi_links_is_leaf(l); l = cdi_bvtree_links_of(t, at)) at = l.first;
    return l.first;
}

static double cdi_node_sticks_out(const cdi_bvtree *t, uint32_t number, cd_sphere s) {
    uint32_t end, first = cdi_node_items(t, number, &end);
    double least = CDI_HUGE;
    for (uint32_t i = first; i < end; ++i) {
        cd_triangle tri = cdi_bvh_triangle_of(&t->items, i);
        least = cdi_min((double)cd_sqdist_point_triangle(s.center, &tri), least);
    }
    return (double)s.radius - cdi_sqrt(least);
}

CD_API cd_spheretree_fit cd_spheretree_measure(const cd_bvtree *tree, uint32_t level) {
    cd_spheretree_fit fit;
    cdi_level_walk w;
    cdi_bvtree t;
    double out = 0.0, volume = 0.0, radius;
    uint32_t number;
    cdi_clear(&fit, sizeof fit);
    if (!cdi_level_begin(&w, &t, tree, level)) return fit;
    fit.levels = t.items.header->depth;
    for (; cdi_level_next(&w, &number); ++fit.count) {
        cdi_v3 center = cdi_node_ball(&t, number, &radius);
        cd_sphere s = cdi_ball_stored(center, radius);
        if (s.radius > fit.radius) fit.radius = s.radius;
        out = cdi_max(cdi_node_sticks_out(&t, number, s), out);
        volume += (double)s.radius * (double)s.radius * (double)s.radius * 4.18879020478639098;
    }
    fit.sticks_out = cdi_real_or_infinity(out);
    fit.volume = cdi_real_or_infinity(volume);
    return fit;
}

/* ---- two trees, for as long as there is time ---- */

typedef struct cdi_ball_pair {
    uint32_t a, b, depth_a, depth_b;
} cdi_ball_pair;

typedef struct cdi_ball_walk {
    cdi_bvtree a, b;
    cdi_pair_walk w; /* where B lies */
    uint32_t level, count;
    cdi_ball_pair pair[2 * CDI_BVH_STACK];
} cdi_ball_walk;

static cdi_v3 cdi_posed_ball(const cdi_ball_walk *w, uint32_t number, double *radius) {
    cdi_v3 center = cdi_node_ball(&w->b, number, radius);
    *radius = *radius * (1.0 + 1e-14) + 1.75 * w->w.error;
    return cdi_pose_point(&w->w.place_b.pose, center);
}

/* Do the balls of a pair meet? */
static bool cdi_balls_meet(const cdi_ball_walk *w, const cdi_ball_pair *p) {
    double r, s;
    cdi_v3 a = cdi_node_ball(&w->a, p->a, &r), b = cdi_posed_ball(w, p->b, &s);
    return !(cdi_v3_norm(cdi_v3_sub(a, b)) > (r + s) * (1.0 + 1e-14));
}

static bool cdi_ball_is_last(const cdi_bvtree *t, uint32_t number, uint32_t depth, uint32_t level) {
    return depth >= level || cdi_links_is_leaf(cdi_bvtree_links_of(t, number));
}

/* Is A's ball to be opened, not B's? The larger one that can be. */
static bool cdi_opens_a(const cdi_ball_walk *w, const cdi_ball_pair *p, bool last_a, bool last_b) {
    double r, s;
    if (last_a || last_b) return last_b;
    (void)cdi_node_ball(&w->a, p->a, &r);
    (void)cdi_node_ball(&w->b, p->b, &s);
    return r >= s;
}

static void cdi_open_balls(cdi_ball_walk *w, const cdi_ball_pair *p, bool of_a) {
    cdi_bvtree_links l = of_a ? cdi_bvtree_links_of(&w->a, p->a) : cdi_bvtree_links_of(&w->b, p->b);
    for (uint32_t i = l.count; i-- > 0;) {
        cdi_ball_pair *child = &w->pair[w->count++];
        *child = *p;
        if (of_a) {
            child->a = l.first + i;
            ++child->depth_a;
        } else {
            child->b = l.first + i;
            ++child->depth_b;
        }
    }
}

static void cdi_tell_contact(const cdi_ball_walk *w, const cdi_ball_pair *p, cd_spheretree_contact *c) {
    double r, s;
    cdi_v3 a = cdi_node_ball(&w->a, p->a, &r), b = cdi_posed_ball(w, p->b, &s);
    c->a = cdi_ball_stored(a, r);
    c->b = cdi_ball_stored(b, s);
}

/* Looks on from the pairs that wait. */
static bool cdi_balls_walk(cdi_ball_walk *w, uint32_t most_tests, cd_spheretree_contact *c) {
    while (w->count > 0) {
        cdi_ball_pair at = w->pair[--w->count];
        bool last_a, last_b;
        if (most_tests && c->tests == most_tests) {
            c->out_of_time = true;
            return true;
        }
        ++c->tests;
        if (!cdi_balls_meet(w, &at)) continue;
        last_a = cdi_ball_is_last(&w->a, at.a, at.depth_a, w->level);
        last_b = cdi_ball_is_last(&w->b, at.b, at.depth_b, w->level);
        if (last_a && last_b) {
            cdi_tell_contact(w, &at, c);
            return true;
        }
        cdi_open_balls(w, &at, cdi_opens_a(w, &at, last_a, last_b));
    }
    return false;
}

CD_API bool cd_spheretree_may_meet(const cd_bvtree *a, const cd_bvtree *b, const cd_transform *b_in_a,
                                   uint32_t level, uint32_t most_tests, cd_spheretree_contact *contact) {
    cd_spheretree_contact c;
    cdi_ball_walk w;
    bool may = false;
    cdi_clear(&c, sizeof c);
    if (cdi_bvtree_open(&w.a, a) && cdi_bvtree_open(&w.b, b)) {
        cdi_clear(&w.w, sizeof w.w);
        cdi_clear(&w.pair[0], sizeof w.pair[0]);
        w.w.a = w.a.items;
        w.w.b = w.b.items;
        w.level = level;
        w.count = 1;
        may = cdi_pairs_begin(&w.w, b_in_a, 0.0, NULL) && cdi_balls_walk(&w, most_tests, &c);
    }
    if (contact) *contact = c;
    return may;
}

/* ---- covers ---- */

typedef struct cdi_cover_list {
    cd_sphere *spheres;
    size_t capacity, count;
} cdi_cover_list;

/* The centre of the smallest sphere around a piece: the middle of its longest edge, or that of the circle through its corners,
 * which have no small angle across from it then. Edges are taken in units of the longest. */
static cdi_v3 cdi_cover_center(const cdi_v3 v[3]) {
    double length, square;
    int edge = cdi_longest_edge(v, &length);
    cdi_v3 from = v[(edge + 2) % 3], a, b, n, way;
    cdi_v3 middle = cdi_v3_add(cdi_v3_scale(v[edge], 0.5), cdi_v3_scale(v[(edge + 1) % 3], 0.5));
    if (!(length > 0.0)) return middle;
    a = cdi_v3_scale(cdi_v3_sub(v[edge], from), 1.0 / length);
    b = cdi_v3_scale(cdi_v3_sub(v[(edge + 1) % 3], from), 1.0 / length);
    n = cdi_v3_cross(a, b);
    square = cdi_v3_sqlength(n);
    if (!(cdi_v3_dot(a, b) > 0.0) || !(square > 0.01)) return middle;
    way =
        cdi_v3_cross(cdi_v3_sub(cdi_v3_scale(b, cdi_v3_sqlength(a)), cdi_v3_scale(a, cdi_v3_sqlength(b))), n);
    return cdi_v3_along(from, way, length / (2.0 * square));
}

static bool cdi_cover_piece(void *ctx, const cdi_v3 corner[3]) {
    cdi_cover_list *list = (cdi_cover_list *)ctx;
    cdi_v3 center = cdi_cover_center(corner);
    double radius = 0.0;
    cd_sphere s;
    for (int i = 0; i < 3; ++i) {
        double error = 1e-15 * (cdi_v3_max_abs(corner[i]) + cdi_v3_max_abs(center));
        radius = cdi_max(cdi_v3_norm(cdi_v3_sub(corner[i], center)) * (1.0 + 1e-15) + error, radius);
    }
    s = cdi_ball_stored(center, radius);
    if (!cd_sphere_is_valid(s)) return false;
    if (list->count < list->capacity) list->spheres[list->count] = s;
    ++list->count;
    return true;
}

CD_API cd_status cd_spheretree_cover(const cd_mesh_view *mesh, cd_real radius, cd_sphere *spheres,
                                     size_t capacity, size_t *count) {
    cdi_cover_list list;
    list.spheres = spheres;
    list.capacity = spheres ? capacity : 0;
    list.count = 0;
    *count = 0;
    if (!cd_mesh_view_is_valid(mesh) || !(radius > 0)) return CD_INVALID_ARGUMENT;
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
        cd_triangle t;
        cdi_tri tri;
        if (!cd_mesh_triangle(mesh, i, &t)) return CD_INVALID_ARGUMENT;
        tri = cdi_tri_of(&t);
        if (!cdi_tri_finite(&tri)) return CD_INVALID_ARGUMENT;
        if (!cdi_cover_pieces(tri.v, (double)radius, CDI_COVER_LEVELS, cdi_cover_piece, &list))
            return CD_TOO_LARGE;
    }
    *count = list.count;
    return CD_OK;
}
