#include "any/pairing.h"
#include "any/plain.h"

CDI_FN const cd_transform *cdi_child_pose(const cd_shape *s, uint32_t child) {
    const cd_transform *pose;
    if (child == CD_NONE) return NULL;
    pose = &s->u.compound->children[child].pose;
    return cdi_transform_is_none(pose) ? NULL : pose;
}

CDI_FN bool cdi_child_is_tree(const cd_shape *s, uint32_t child) {
    const cd_shape *one = cdi_shape_child(s, child);
    return cdi_shape_is_tree(one) && cdi_shape_is_plain(one) && (child == CD_NONE || cdi_shape_is_plain(s));
}

CDI_FN void cdi_part_of_tree(cd_part *part, const cd_shape *s, uint32_t child, uint32_t index) {
    cdi_part_of_mesh(part, cdi_shape_child(s, child), index);
    if (child == CD_NONE) return;
    part->child = child;
    part->offset += s->offset;
}

CDI_FN const cdi_pose *cdi_part_pose_of(const cdi_shape_part *p, const cdi_pose *outer, cdi_pose *store) {
    cdi_pose own;
    if (!p->posed || cdi_transform_is_none(&p->pose)) return outer;
    own = cdi_pose_of(&p->pose);
    *store = own;
    if (!outer) return store;
    store->rotation = cdi_m3_mul(&outer->rotation, &own.rotation);
    store->position = cdi_pose_point(outer, own.position);
    return store;
}

CDI_FN int cdi_parts_order(const cd_part *a, const cd_part *b) {
    if (a->child != b->child) return a->child < b->child ? -1 : 1;
    return a->index == b->index ? 0 : a->index < b->index ? -1 : 1;
}

/* ---- the parts of two that are no compounds ---- */

static bool cdi_pairing_inner_b(void *user, const cdi_shape_part *b) {
    cdi_pairing *p = (cdi_pairing *)user;
    p->parts(p, p->outer, b);
    return true;
}

static bool cdi_pairing_inner_a(void *user, const cdi_shape_part *a) {
    cdi_pairing *p = (cdi_pairing *)user;
    p->parts(p, a, p->outer);
    return true;
}

static bool cdi_pairing_outer_a(void *user, const cdi_shape_part *a) {
    cdi_pairing *p = (cdi_pairing *)user;
    cdi_box_way way;
    p->outer = a;
    if (p->to_b(p, cdi_shape_part_bounds(a), &way))
        cdi_parts_along(p->b, p->child_b, &way, p->ignore_b, cdi_pairing_inner_b, p);
    return true;
}

static bool cdi_pairing_outer_b(void *user, const cdi_shape_part *b) {
    cdi_pairing *p = (cdi_pairing *)user;
    cdi_box_way way;
    p->outer = b;
    if (!cdi_shape_has_parts(cdi_shape_child(p->a, p->child_a))) {
        cdi_parts_find(p->a, p->child_a, 0, cdi_pairing_inner_a, p);
    } else if (p->to_a(p, cdi_shape_part_bounds(b), &way)) {
        cdi_parts_along(p->a, p->child_a, &way, p->ignore_a, cdi_pairing_inner_a, p);
    }
    return true;
}

/* A box around a child, or the shape itself, in the frame of the whole. */
static cd_aabb cdi_child_bounds(const cd_shape *s, uint32_t child) {
    const cd_placed_shape *placed;
    if (child == CD_NONE || !cdi_shape_is_plain(s)) return cd_shape_aabb(s, NULL);
    placed = &s->u.compound->children[child];
    return cd_shape_aabb(placed->shape, &placed->pose);
}

/* A way through B for each part of A's; where B is of one piece, one through A. */
static void cdi_pairing_each(cdi_pairing *p) {
    cdi_box_way way;
    if (!cdi_shape_has_parts(cdi_shape_child(p->b, p->child_b))) {
        cdi_parts_find(p->b, p->child_b, 0, cdi_pairing_outer_b, p);
    } else if (!cdi_shape_has_parts(cdi_shape_child(p->a, p->child_a))) {
        cdi_parts_find(p->a, p->child_a, 0, cdi_pairing_outer_a, p);
    } else if (p->to_a(p, cdi_child_bounds(p->b, p->child_b), &way)) {
        cdi_parts_along(p->a, p->child_a, &way, p->ignore_a, cdi_pairing_outer_a, p);
    }
}

/* ---- children ---- */

static void cdi_pairing_of_b(void *user, uint32_t child) {
    cdi_pairing *p = (cdi_pairing *)user;
    p->child_b = child;
    if (!p->pair(p)) cdi_pairing_each(p);
}

static void cdi_pairing_of_a(void *user, uint32_t child) {
    cdi_pairing *p = (cdi_pairing *)user;
    cdi_box_way way;
    p->child_a = child;
    if (p->b->type != CD_SHAPE_COMPOUND) {
        cdi_pairing_of_b(p, CD_NONE);
    } else if (p->to_b(p, cdi_child_bounds(p->a, child), &way)) {
        cdi_children_along(p->b, &way, p->ignore_b, cdi_pairing_of_b, p);
    }
}

CDI_FN void cdi_pairing_run(cdi_pairing *p) {
    cdi_box_way way;
    if ((p->a->layers & p->ignore_a) || (p->b->layers & p->ignore_b)) return;
    if (p->a->type != CD_SHAPE_COMPOUND) {
        cdi_pairing_of_a(p, CD_NONE);
    } else if (p->to_a(p, cd_shape_aabb(p->b, NULL), &way)) {
        cdi_children_along(p->a, &way, p->ignore_a, cdi_pairing_of_a, p);
    }
}
