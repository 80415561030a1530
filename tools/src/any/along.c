#include "any/along.h"
#include "convex/body.h"
#include "shape/volume3d.h"
#include "tree/bvh_walk.h"
#include "tree/ray_lanes.h"

/* ---- the box ---- */

/* As good as without end: sums and products of it stay finite. */
#define CDI_BOX_WAY_WIDEST 1e300

CDI_FN void cdi_box_way_grow(cdi_box_way *c, double by) {
    c->half.x = cdi_min(c->half.x + by, CDI_BOX_WAY_WIDEST);
    c->half.y = cdi_min(c->half.y + by, CDI_BOX_WAY_WIDEST);
    c->half.z = cdi_min(c->half.z + by, CDI_BOX_WAY_WIDEST);
}

#undef CDI_BOX_WAY_WIDEST

CDI_FN bool cdi_box_way_begin(cdi_box_way *c, cd_aabb box, cdi_v3 way, double first, const double *until) {
    cdi_v3 lo = cdi_v3_of(box.min), hi = cdi_v3_of(box.max);
    c->middle = cdi_v3_add(cdi_v3_scale(lo, 0.5), cdi_v3_scale(hi, 0.5));
    c->half = cdi_v3_sub(cdi_v3_scale(hi, 0.5), cdi_v3_scale(lo, 0.5));
    c->way = way;
    c->first = first;
    c->until = until;
    cdi_box_way_grow(c, 0.0);
    return c->half.x >= 0.0 && c->half.y >= 0.0 && c->half.z >= 0.0;
}

/* The largest number of the box where it begins, and of its way. */
static double cdi_box_way_most(const cdi_box_way *c) {
    return cdi_max(cdi_v3_max_abs(c->middle) + cdi_v3_max_abs(c->half), cdi_v3_max_abs(c->way));
}

static double cdi_box_way_turned(cdi_v3 axis, cdi_v3 half) {
    return cdi_abs(axis.x) * half.x + cdi_abs(axis.y) * half.y + cdi_abs(axis.z) * half.z;
}

CDI_FN void cdi_box_way_unpose(cdi_box_way *c, const cdi_pose *pose) {
    const cdi_v3 *axis = pose->rotation.c;
    cdi_v3 half = c->half;
    double off = (cdi_box_way_most(c) + cdi_v3_max_abs(pose->position)) * 1e-14;
    c->middle = cdi_m3_tmul_v3(&pose->rotation, cdi_v3_sub(c->middle, pose->position));
    c->way = cdi_m3_tmul_v3(&pose->rotation, c->way);
    c->half = cdi_v3_make(cdi_box_way_turned(axis[0], half), cdi_box_way_turned(axis[1], half),
                          cdi_box_way_turned(axis[2], half));
    cdi_box_way_grow(c, off);
}

static cdi_v3 cdi_v3_divided(cdi_v3 v, cdi_v3 by) {
    return cdi_v3_make(v.x / by.x, v.y / by.y, v.z / by.z);
}

/* Before a shape is stretched and rounded. */
static void cdi_box_way_undo(cdi_box_way *c, const cd_shape *s) {
    cdi_v3 by = cdi_v3_of(s->scale);
    cdi_box_way_grow(c, (double)s->radius);
    if (by.x == 0.0 || by.y == 0.0 || by.z == 0.0) return;
    c->middle = cdi_v3_divided(c->middle, by);
    c->way = cdi_v3_divided(c->way, by);
    c->half = cdi_v3_divided(c->half, by);
    c->half = cdi_v3_make(cdi_abs(c->half.x), cdi_abs(c->half.y), cdi_abs(c->half.z));
    cdi_box_way_grow(c, cdi_box_way_most(c) * 1e-14);
}

/* More than all rounding, and than what a contact may be told too early. */
#define CDI_BOX_WAY_MARGIN 1.4551915228366852e-11 /* 2^-36 */

/* When it is between two planes; false where never in time. */
static bool cdi_box_way_clip(double at, double way, double lo, double hi, double still, double *in,
                             double *out) {
    double p, q;
    if (cdi_abs(way) <= still) return lo <= at && at <= hi;
    p = (lo - at) / way;
    q = (hi - at) / way;
    *in = cdi_max(cdi_min(p, q), *in);
    *out = cdi_min(cdi_max(p, q), *out);
    return !(*in > *out);
}

CDI_FN bool cdi_box_way_meets(const cdi_box_way *c, cd_aabb box) {
    cdi_v3 lo = cdi_v3_of(box.min), hi = cdi_v3_of(box.max), half = c->half;
    double in = c->first, out = *c->until;
    double most = cdi_max(cdi_box_way_most(c), cdi_max(cdi_v3_max_abs(lo), cdi_v3_max_abs(hi)));
    double margin = most * CDI_BOX_WAY_MARGIN + 1e-290, still = 0.0625 * margin;
    if (cd_aabb_is_empty(box)) return false;
    if (!(most < 1e290)) return true;
    half = cdi_v3_add(half, cdi_v3_make(margin, margin, margin));
    return cdi_box_way_clip(c->middle.x, c->way.x, lo.x - half.x, hi.x + half.x, still, &in, &out) &&
           cdi_box_way_clip(c->middle.y, c->way.y, lo.y - half.y, hi.y + half.y, still, &in, &out) &&
           cdi_box_way_clip(c->middle.z, c->way.z, lo.z - half.z, hi.z + half.z, still, &in, &out);
}

/* ---- a tree ---- */

typedef struct cdi_way_search cdi_way_search;

/* What is done with one item. */
typedef void (*cdi_along_item_fn)(cdi_way_search *a, const cdi_bvh *tree, uint32_t i);

struct cdi_way_search {
    cdi_frame_ray frame;
    const cdi_box_way *course;
    cdi_along_item_fn item;
    const cd_shape *shape; /* that was asked about */
    uint32_t child, ignore;
    cdi_shape_part_fn part;
    cdi_child_fn each;
    void *user;
};

/* False where it misses the tree. Numbers too large for its frame meet all of it. */
static bool cdi_along_aim(cdi_way_search *a, const cdi_bvh *tree) {
    const cdi_box_way *c = a->course;
    const cdi_bvh_header *h = tree->header;
    double most = cdi_box_way_most(c), unit = cdi_scale2(1.0, h->frame.exponent), margin, origin[3], way[3],
           half[3];
    for (int k = 0; k < 3; ++k) most = cdi_max(most, cdi_max(cdi_abs(h->lo[k]), cdi_abs(h->hi[k])));
    margin = most * CDI_BOX_WAY_MARGIN + 1e-290;
    if (!(most < 1e290) || !(most < 1e30 * unit)) {
        cdi_frame_ray_blunt(&a->frame);
        return true;
    }
    cdi_v3_store(origin, c->middle);
    cdi_v3_store(way, c->way);
    cdi_v3_store(half, cdi_v3_add(c->half, cdi_v3_make(margin, margin, margin)));
    for (int k = 0; k < 3; ++k)
        if (cdi_v3_max_abs(c->way) <= 0.0625 * margin) way[k] = 0.0;
    return cdi_frame_ray_aim(&a->frame, &h->frame, origin, way, half, c->first);
}

#undef CDI_BOX_WAY_MARGIN

static uint32_t cdi_along_bounds(const void *q, const cdi_bvh_node *node, float limit, float bound[8]) {
    return cdi_ray_enters(&((const cdi_way_search *)q)->frame, node, limit, bound);
}

static bool cdi_along_leaf(void *q, const cdi_bvh *tree, uint32_t first, uint32_t count, float *limit) {
    cdi_way_search *a = (cdi_way_search *)q;
    for (uint32_t n = 0, i = first; n < count; ++n, i = cdi_bvh_next_item(tree, i)) {
        a->item(a, tree, i);
    }
    *limit = cdi_frame_ray_limit(&a->frame, *a->course->until);
    return true;
}

static void cdi_along_run(cdi_way_search *a, const cdi_bvh *tree) {
    if (cdi_along_aim(a, tree))
        cdi_walk_nearest(tree, a, cdi_frame_ray_limit(&a->frame, *a->course->until), cdi_along_bounds,
                         cdi_along_leaf);
}

/* ---- children ---- */

static void cdi_along_child(cdi_way_search *a, const cdi_bvh *tree, uint32_t i) {
    const cd_compound *c = a->shape->u.compound;
    uint32_t child = cdi_bvh_index(tree, i);
    if (child >= c->count || !c->children[child].shape) return;
    if (c->children[child].shape->layers & a->ignore) return;
    if (cdi_box_way_meets(a->course, cdi_bvh_box_of(tree, i))) a->each(a->user, child);
}

/* Half-spaces, or all, of which the boxes are to be asked. */
static void cdi_children_listed(const cdi_way_search *a, bool all) {
    const cd_compound *c = a->shape->u.compound;
    for (uint32_t i = 0; i < c->count; ++i) {
        const cd_placed_shape *child = &c->children[i];
        if (!child->shape || (child->shape->layers & a->ignore)) continue;
        if (child->shape->type != CD_SHAPE_HALFSPACE) {
            if (!all || !cdi_box_way_meets(a->course, cd_shape_aabb(child->shape, &child->pose))) continue;
        }
        a->each(a->user, i);
    }
}

CDI_FN void cdi_children_along(const cd_shape *compound, const cdi_box_way *course, uint32_t ignore,
                               cdi_child_fn visit, void *user) {
    const cd_compound *c = compound->u.compound;
    cdi_box_way own = *course;
    cdi_way_search a;
    cdi_bvh tree;
    if (!c || (compound->layers & ignore)) return;
    cdi_box_way_undo(&own, compound);
    cdi_clear(&a, sizeof a);
    a.course = &own;
    a.item = cdi_along_child;
    a.shape = compound;
    a.ignore = ignore;
    a.each = visit;
    a.user = user;
    if (!cdi_bvh_open(&tree, &c->tree) || tree.item != CD_BVH_BOXES) {
        cdi_children_listed(&a, true);
        return;
    }
    if (tree.header->skipped_count) cdi_children_listed(&a, false); /* as half-spaces have no box */
    cdi_along_run(&a, &tree);
}

/* ---- parts ---- */

/* The triangle's box first, which is sooner asked than the triangle. */
static void cdi_along_triangle(cdi_way_search *a, const cdi_bvh *tree, uint32_t i) {
    cd_triangle t;
    cd_aabb box;
    if (cdi_bvh_ignores(tree, i, a->ignore)) return;
    t = cdi_bvh_triangle_of(tree, i);
    box.min = cd_vec3_min(cd_vec3_min(t.a, t.b), t.c);
    box.max = cd_vec3_max(cd_vec3_max(t.a, t.b), t.c);
    if (cdi_box_way_meets(a->course, box)) cdi_parts_find(a->shape, a->child, i, a->part, a->user);
}

static void cdi_mesh_along(cdi_way_search *a, const cd_shape *mesh) {
    cdi_bvh tree;
    a->item = cdi_along_triangle;
    if (mesh->u.mesh.tree && cdi_bvh_open(&tree, mesh->u.mesh.tree) && cdi_bvh_is_triangles(&tree))
        cdi_along_run(a, &tree);
}

/* The box that holds all of the way. */
static cd_aabb cdi_box_way_bounds(const cdi_box_way *c) {
    cdi_v3 p = cdi_v3_along(c->middle, c->way, c->first), q = cdi_v3_along(c->middle, c->way, *c->until);
    cdi_v3 middle = cdi_v3_add(cdi_v3_scale(p, 0.5), cdi_v3_scale(q, 0.5));
    cdi_v3 half = cdi_v3_sub(cdi_v3_scale(q, 0.5), cdi_v3_scale(p, 0.5));
    double margin = cdi_box_way_most(c) * 3e-11;
    half = cdi_v3_make(cdi_abs(half.x) + margin, cdi_abs(half.y) + margin, cdi_abs(half.z) + margin);
    return cdi_aabb_around(middle, cdi_v3_add(half, c->half));
}

CDI_FN void cdi_parts_along(const cd_shape *s, uint32_t child, const cdi_box_way *course, uint32_t ignore,
                            cdi_shape_part_fn visit, void *user) {
    const cd_shape *one = s;
    cdi_box_way own = *course;
    cdi_way_search a;
    if (s->layers & ignore) return;
    if (child != CD_NONE) {
        const cd_placed_shape *placed = &s->u.compound->children[child];
        cdi_pose pose = cdi_pose_of(&placed->pose);
        one = placed->shape;
        if (one->layers & ignore) return;
        cdi_box_way_undo(&own, s);
        cdi_box_way_unpose(&own, &pose);
    }
    if (!cdi_shape_has_parts(one)) {
        cdi_parts_find(s, child, 0, visit, user);
        return;
    }
    if (one->type == CD_SHAPE_CLASS) {
        cdi_parts_of_child(s, child, cdi_box_way_bounds(course), ignore, visit, user);
        return;
    }
    cdi_box_way_undo(&own, one);
    cdi_clear(&a, sizeof a);
    a.course = &own;
    a.shape = s;
    a.child = child;
    a.ignore = ignore;
    a.part = visit;
    a.user = user;
    if (one->type != CD_SHAPE_COMPOUND) cdi_mesh_along(&a, one);
}
