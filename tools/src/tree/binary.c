#include "tree/binary.h"

/* ---- what is built from ---- */

static bool cdi_source_triangle_box(const cdi_source *s, uint32_t i, cd_aabb *box) {
    cd_triangle t;
    if (s->tree) {
        t = cdi_bvh_triangle_of(s->tree, i);
    } else if (!cd_mesh_triangle(s->mesh, i, &t) || !cd_triangle_is_valid(&t)) {
        return false;
    }
    box->min = cd_vec3_min(t.a, cd_vec3_min(t.b, t.c));
    box->max = cd_vec3_max(t.a, cd_vec3_max(t.b, t.c));
    return true;
}

CDI_FN bool cdi_is_plain_mesh(const cdi_source *s) {
    const uint32_t own = sizeof(cd_real) == 4 ? CD_POSITION_F32 : CD_POSITION_F64;
    const cd_mesh_view *m = s->mesh;
    return m && !s->tree && (m->position_format == CD_POSITION_REAL || m->position_format == own) &&
           m->indices && m->index_format == CD_INDEX_U32;
}

CDI_FN cdi_plain_mesh cdi_plain_mesh_of(const cd_mesh_view *mesh) {
    cdi_plain_mesh m;
    m.positions = (const unsigned char *)mesh->positions;
    m.indices = (const unsigned char *)mesh->indices;
    m.stride = mesh->stride ? mesh->stride : 3 * sizeof(cd_real);
    m.index_stride = mesh->index_stride ? mesh->index_stride : 3 * sizeof(uint32_t);
    m.vertices = mesh->vertex_count;
    return m;
}

CDI_FN bool cdi_source_box(const cdi_source *s, uint32_t i, cd_aabb *box) {
    if (s->kind == CD_BVH_BOXES) {
        *box = s->tree ? cdi_bvh_box_of(s->tree, i) : s->boxes[i];
    } else if (s->kind == CD_BVH_POINTS) {
        box->min = box->max = s->tree ? cdi_bvh_point_of(s->tree, i) : s->points[i];
    } else {
        return cdi_source_triangle_box(s, i, box);
    }
    return cd_aabb_is_valid(*box);
}

CDI_FN cd_triangle cdi_source_triangle(const cdi_source *s, uint32_t i) {
    cd_triangle t;
    if (s->tree) return cdi_bvh_triangle_of(s->tree, i);
    cdi_clear(&t, sizeof t);
    (void)cd_mesh_triangle(s->mesh, i, &t);
    return t;
}

CDI_FN uint32_t cdi_source_index(const cdi_source *s, uint32_t i) {
    return s->tree ? cdi_bvh_index(s->tree, i) : i;
}

CDI_FN bool cdi_builder_take(cdi_builder *b, uint32_t count) {
    b->box = (cdi_box *)cdi_alloc(&b->allocator, count, sizeof *b->box);
    b->order = (uint32_t *)cdi_alloc(&b->allocator, count, sizeof *b->order);
    b->node = (cdi_binary_node *)cdi_alloc(&b->allocator, 2 * (size_t)count, sizeof *b->node);
    if (count == 0 || (b->box && b->order && b->node)) return true;
    cdi_builder_give_back(b, count);
    return false;
}

CDI_FN void cdi_builder_give_back(cdi_builder *b, uint32_t count) {
    cdi_free(&b->allocator, b->node, 2 * (size_t)count, sizeof *b->node);
    cdi_free(&b->allocator, b->order, count, sizeof *b->order);
    cdi_free(&b->allocator, b->box, count, sizeof *b->box);
}

/* ---- runs ---- */

CDI_FN bool cdi_run_tasks(const cdi_builder *b, uint32_t count, void (*task)(void *ctx, uint32_t i),
                          void *ctx, double from, double to) {
    if (b->executor.run) {
        b->executor.run(b->executor.user, count, task, ctx);
        return cdi_tell_progress(b, to);
    }
    for (uint32_t i = 0; i < count; ++i) {
        task(ctx, i);
        if (!cdi_tell_progress(b, from + (to - from) * (double)(i + 1) / (double)count)) return false;
    }
    return true;
}

CDI_FN void cdi_bound_middles(const cdi_box *box, uint32_t count, cd_real lo[4], cd_real hi[4]) {
    const cdi_box *end = box + count;
    cdi_quad least = cdi_box_middles(box), greatest = least;
    while (++box < end) {
        cdi_quad middle = cdi_box_middles(box);
        least = cdi_quad_min(middle, least);
        greatest = cdi_quad_max(middle, greatest);
    }
    cdi_quad_store(lo, least);
    cdi_quad_store(hi, greatest);
    CDI_COUNT(build);
}

CDI_FN void cdi_range_measure(const cdi_builder *b, cdi_range *r) {
    r->box = r->middles = cdi_box_empty();
    for (uint32_t i = r->first; i < r->first + r->count; ++i) {
        cdi_box middle = cdi_box_of_middle(&b->box[i]);
        cdi_box_grow(&r->box, &b->box[i]);
        cdi_box_grow(&r->middles, &middle);
        CDI_COUNT(build);
    }
}

/* No side is longer than `extent`; halves are compared, which cannot overflow. */
static bool cdi_box_within(const cdi_box *b, cd_real extent) {
    for (int k = 0; k < 3; ++k) {
        if (-0.5 * (double)b->v[4 + k] - 0.5 * (double)b->v[k] > 0.5 * (double)extent) return false;
    }
    return true;
}

CDI_FN bool cdi_range_is_leaf(const cdi_builder *b, const cdi_range *r) {
    cd_real extent = b->options->leaf_extent;
    if (r->count <= b->leaf_size) return true;
    return extent > 0 && r->count <= CDI_BVH_LEAF_MAX && cdi_box_within(&r->box, extent);
}

CDI_FN bool cdi_reorder(cdi_builder *b, const uint32_t *from) {
    size_t room = b->source.count;
    cdi_box *box = (cdi_box *)cdi_alloc(&b->allocator, room, sizeof *box);
    uint32_t *order = (uint32_t *)cdi_alloc(&b->allocator, room, sizeof *order);
    bool done = box && order;
    for (uint32_t i = 0; i < b->count && done; ++i) {
        box[i] = b->box[from[i]];
        order[i] = b->order[from[i]];
    }
    cdi_free(&b->allocator, done ? b->order : order, room, sizeof *order);
    cdi_free(&b->allocator, done ? b->box : box, room, sizeof *box);
    if (done) {
        b->box = box;
        b->order = order;
    }
    return done;
}

CDI_FN void cdi_write_leaf(cdi_builder *b, const cdi_range *r) {
    cdi_binary_node *node = &b->node[r->slot];
    node->box = r->box;
    node->next = r->first;
    node->count = r->count;
}

/* The two halves of a run, in the order in which it stands; `r` becomes an inner node. */
CDI_FN void cdi_halve_range(cdi_builder *b, const cdi_range *r, cdi_range *left, cdi_range *right) {
    *left = *right = *r;
    left->count = r->count / 2;
    right->first = r->first + left->count;
    right->count = r->count - left->count;
    cdi_range_measure(b, left);
    cdi_range_measure(b, right);
    cdi_write_inner(b, r, left, right);
}

CDI_FN void cdi_write_inner(cdi_builder *b, const cdi_range *r, cdi_range *left, cdi_range *right) {
    left->depth = right->depth = r->depth + 1;
    left->slot = r->slot + 1;
    right->slot = r->slot + 2 * left->count;
    b->node[r->slot].box = r->box;
    b->node[r->slot].next = right->slot;
    b->node[r->slot].count = 0;
}

CDI_FN void cdi_build_halved(cdi_builder *b, const cdi_range *r) {
    cdi_range todo[CDI_BINARY_DEPTH], at = *r, left;
    uint32_t count = 0;
    for (;;) {
        if (cdi_range_is_leaf(b, &at)) {
            cdi_write_leaf(b, &at);
            if (count == 0) return;
            at = todo[--count];
        } else {
            cdi_halve_range(b, &at, &left, &todo[count++]);
            at = left;
        }
    }
}
