#include "tree/dyn_nodes.h"
#include "tree/bvh_layout.h"

/* A frame this much larger than it need be, by the exponent, becomes smaller. */
#define CDI_DYN_TOO_WIDE 8

/* ---- room ---- */

static uint64_t cdi_dyn_bytes(uint64_t room) {
    return sizeof(cdi_bvh_header) +
           room * (sizeof(cdi_bvh_node) + 8 * (sizeof(cdi_bvh_box) + sizeof(uint32_t)));
}

/* The header of a block for `room` nodes, none of which is in use. */
static void cdi_dyn_header_begin(cdi_bvh_header *h, uint32_t room) {
    cdi_clear(h, sizeof *h);
    h->magic = CDI_BVH_MAGIC;
    h->version = CDI_BVH_VERSION;
    h->real_size = (uint32_t)sizeof(cd_real);
    h->node_count = room;
    h->item_count = 8 * room;
    h->layout = CD_BVH_WIDE;
    h->item = CD_BVH_BOXES;
    h->has_masks = 1;
    h->bytes = cdi_dyn_bytes(room);
}

CDI_FN void cdi_dyn_copy_nodes(cd_dyntree *to, const cd_dyntree *from) {
    cdi_bvh_header *h = cdi_dyn_header(to);
    size_t n = from->node_count;
    uint64_t bytes;
    if (!from->block) return;
    bytes = h->bytes;
    *h = *cdi_dyn_header(from);
    h->node_count = to->node_room;
    h->item_count = 8 * to->node_room;
    h->bytes = bytes;
    cdi_copy(cdi_dyn_node(to, 0), cdi_dyn_node(from, 0), n * sizeof(cdi_bvh_node));
    cdi_copy(cdi_dyn_item(to, 0), cdi_dyn_item(from, 0), 8 * n * sizeof(cdi_bvh_box));
    cdi_copy(cdi_dyn_mask(to, 0), cdi_dyn_mask(from, 0), 8 * n * sizeof(uint32_t));
}

CDI_FN cd_status cdi_dyn_reserve(cd_dyntree *t, uint32_t more) {
    uint64_t need = (uint64_t)t->node_count - t->free_nodes + more, room = t->node_room;
    cd_dyntree old;
    void *block;
    if (need <= room) return CD_OK;
    if (need > CDI_DYN_NODES) return CD_TOO_LARGE;
    room += room / 2;
    room = room < need ? need : room > CDI_DYN_NODES ? CDI_DYN_NODES : room;
    if (cdi_dyn_bytes(room) > SIZE_MAX) return CD_TOO_LARGE;
    block = cdi_alloc(&t->options.allocator, (size_t)cdi_dyn_bytes(room), 1);
    if (!block) return CD_OUT_OF_MEMORY;
    old = *t;
    t->block = block;
    t->node_room = (uint32_t)room;
    cdi_dyn_header_begin(cdi_dyn_header(t), t->node_room);
    cdi_dyn_copy_nodes(t, &old);
    cdi_free(&t->options.allocator, old.block, (size_t)cdi_dyn_bytes(old.node_room), 1);
    return CD_OK;
}

CDI_FN uint32_t cdi_dyn_take(cd_dyntree *t, uint32_t height) {
    uint32_t number = t->free_node ? t->free_node - 1 : t->node_count;
    cdi_bvh_node *n = cdi_dyn_node(t, number);
    if (t->free_node) {
        t->free_node = n->parent;
        --t->free_nodes;
    } else {
        cdi_dyn_header(t)->dynamic = ++t->node_count;
    }
    cdi_clear(n, sizeof *n);
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 8; ++i) {
            n->lo[k][i] = 2.0f;
            n->hi[k][i] = -2.0f;
        }
    }
    n->height = height;
    n->parent = CD_NONE;
    return number;
}

CDI_FN void cdi_dyn_give_back(cd_dyntree *t, uint32_t number) {
    cdi_bvh_node *n = cdi_dyn_node(t, number);
    cdi_clear(n, sizeof *n);
    n->parent = t->free_node;
    t->free_node = number + 1;
    ++t->free_nodes;
}

CDI_FN void cdi_dyn_publish(cd_dyntree *t) {
    cdi_bvh_header *h = cdi_dyn_header(t);
    t->bvh.block = t->count ? t->block : NULL;
    t->bvh.bytes = h && t->count ? (size_t)h->bytes : 0;
    if (!h) return;
    ++h->changes;
    h->object_count = t->count;
    h->source_count = t->place_count;
    h->skipped_count = t->place_count - t->count;
    h->depth = t->count ? cdi_dyn_node(t, 0)->height + 1 : 0;
}

/* ---- boxes ---- */

CDI_FN cdi_dyn_box cdi_dyn_lane(const cdi_bvh_node *n, uint32_t lane) {
    cdi_dyn_box b;
    for (int k = 0; k < 3; ++k) {
        b.lo[k] = n->lo[k][lane];
        b.hi[k] = n->hi[k][lane];
    }
    return b;
}

CDI_FN void cdi_dyn_set_lane(cdi_bvh_node *n, uint32_t lane, const cdi_dyn_box *box) {
    for (int k = 0; k < 3; ++k) {
        n->lo[k][lane] = box->lo[k];
        n->hi[k][lane] = box->hi[k];
    }
}

static float cdi_least_float(float a, float b) {
    return a < b ? a : b;
}
static float cdi_most_float(float a, float b) {
    return a > b ? a : b;
}

static float cdi_least_of_eight(const float *row) {
    float a = cdi_least_float(row[0], row[1]), b = cdi_least_float(row[2], row[3]);
    float c = cdi_least_float(row[4], row[5]), d = cdi_least_float(row[6], row[7]);
    return cdi_least_float(cdi_least_float(a, b), cdi_least_float(c, d));
}

static float cdi_most_of_eight(const float *row) {
    float a = cdi_most_float(row[0], row[1]), b = cdi_most_float(row[2], row[3]);
    float c = cdi_most_float(row[4], row[5]), d = cdi_most_float(row[6], row[7]);
    return cdi_most_float(cdi_most_float(a, b), cdi_most_float(c, d));
}

CDI_FN cdi_dyn_box cdi_dyn_bounds(const cdi_bvh_node *n) {
    cdi_dyn_box b;
    for (int k = 0; k < 3; ++k) {
        b.lo[k] = cdi_least_of_eight(n->lo[k]);
        b.hi[k] = cdi_most_of_eight(n->hi[k]);
    }
    return b;
}

CDI_FN double cdi_dyn_area(const cdi_dyn_box *b) {
    double x = (double)b->hi[0] - (double)b->lo[0], y = (double)b->hi[1] - (double)b->lo[1],
           z = (double)b->hi[2] - (double)b->lo[2];
    return x * y + y * z + z * x;
}

CDI_FN void cdi_dyn_grow(cdi_dyn_box *b, const cdi_dyn_box *other) {
    for (int k = 0; k < 3; ++k) {
        b->lo[k] = other->lo[k] < b->lo[k] ? other->lo[k] : b->lo[k];
        b->hi[k] = other->hi[k] > b->hi[k] ? other->hi[k] : b->hi[k];
    }
}

CDI_FN bool cdi_dyn_equal(const cdi_dyn_box *a, const cdi_dyn_box *b) {
    bool equal = true;
    for (int k = 0; k < 3; ++k) equal = equal && a->lo[k] == b->lo[k] && a->hi[k] == b->hi[k];
    return equal;
}

/* ---- lanes ---- */

CDI_FN cdi_dyn_entry cdi_dyn_get(const cd_dyntree *t, uint32_t number, uint32_t lane) {
    const cdi_bvh_node *n = cdi_dyn_node(t, number);
    cdi_dyn_entry e;
    cdi_clear(&e, sizeof e);
    e.box = cdi_dyn_lane(n, lane);
    e.child = n->child[lane];
    e.moved = n->moved >> lane & 1u;
    if (n->height) return e;
    e.item = *cdi_dyn_item(t, 8 * number + lane);
    e.mask = *cdi_dyn_mask(t, 8 * number + lane);
    return e;
}

CDI_FN void cdi_dyn_put(cd_dyntree *t, uint32_t number, uint32_t lane, const cdi_dyn_entry *e) {
    cdi_bvh_node *n = cdi_dyn_node(t, number);
    uint32_t place = 8 * number + lane;
    cdi_dyn_set_lane(n, lane, &e->box);
    n->moved = (n->moved & ~(1u << lane)) | e->moved << lane;
    n->count[lane] = n->height == 0;
    n->child[lane] = n->height ? e->child : place;
    if (n->height) {
        cdi_dyn_node(t, e->child)->parent = place;
        return;
    }
    *cdi_dyn_item(t, place) = e->item;
    *cdi_dyn_mask(t, place) = e->mask;
    t->place[e->item.index] = place;
}

CDI_FN void cdi_dyn_append(cd_dyntree *t, uint32_t number, const cdi_dyn_entry *e) {
    cdi_bvh_node *n = cdi_dyn_node(t, number);
    uint32_t lane = cdi_dyn_width(n);
    n->lanes |= 1u << lane;
    cdi_dyn_put(t, number, lane, e);
}

CDI_FN void cdi_dyn_drop(cd_dyntree *t, uint32_t number, uint32_t lane) {
    static const cdi_dyn_box none = {{2.0f, 2.0f, 2.0f}, {-2.0f, -2.0f, -2.0f}};
    cdi_bvh_node *n = cdi_dyn_node(t, number);
    uint32_t last = cdi_dyn_width(n) - 1u;
    if (lane != last) {
        cdi_dyn_entry e = cdi_dyn_get(t, number, last);
        cdi_dyn_put(t, number, lane, &e);
    }
    cdi_dyn_set_lane(n, last, &none);
    n->lanes &= ~(1u << last);
    n->moved &= n->lanes;
    n->count[last] = 0;
    n->child[last] = 0;
}

CDI_FN cdi_dyn_entry cdi_dyn_entry_of(const cd_dyntree *t, uint32_t number) {
    const cdi_bvh_node *n = cdi_dyn_node(t, number);
    cdi_dyn_entry e;
    cdi_clear(&e, sizeof e);
    e.box = cdi_dyn_bounds(n);
    e.child = number;
    e.moved = n->moved != 0;
    return e;
}

CDI_FN bool cdi_dyn_tell(cd_dyntree *t, uint32_t number) {
    const cdi_bvh_node *n = cdi_dyn_node(t, number);
    cdi_bvh_node *parent;
    cdi_dyn_box now, was;
    uint32_t lane = n->parent & 7u, moved;
    if (n->parent == CD_NONE) return false;
    parent = cdi_dyn_node(t, n->parent >> 3);
    now = cdi_dyn_bounds(n);
    was = cdi_dyn_lane(parent, lane);
    moved = (parent->moved & ~(1u << lane)) | (uint32_t)(n->moved != 0) << lane;
    if (cdi_dyn_equal(&now, &was) && moved == parent->moved) return false;
    cdi_dyn_set_lane(parent, lane, &now);
    parent->moved = moved;
    return true;
}

CDI_FN void cdi_dyn_tell_all(cd_dyntree *t, uint32_t number) {
    while (cdi_dyn_tell(t, number)) number = cdi_dyn_node(t, number)->parent >> 3;
}

/* ---- the frame ---- */

/* A frame whose origin is so far out that differences from it may overflow becomes one about 0. */
static cdi_frame cdi_dyn_tame(cdi_frame f) {
    int reach = f.exponent;
    bool wild = false;
    for (int k = 0; k < 3; ++k) {
        int e = cdi_exponent(f.origin[k]);
        if (e < 960) continue; /* half the last bit of the largest number is 2^970 */
        wild = true;
        f.origin[k] = 0.0;
        reach = e + 1 > reach ? e + 1 : reach;
    }
    if (wild) f.exponent = reach + 2;
    return f;
}

/* With room for the margin. */
CDI_FN cdi_frame cdi_dyn_frame_of(const cd_dyntree *t, const cdi_box *bounds) {
    cdi_box b = *bounds;
    cd_real most = CD_REAL_MAX;
    for (int k = 0; k < 3; ++k) {
        b.v[k] = b.v[k] - t->options.margin > -most ? b.v[k] - t->options.margin : -most;
        b.v[4 + k] = b.v[4 + k] - t->options.margin > -most ? b.v[4 + k] - t->options.margin : -most;
    }
    return cdi_dyn_tame(cdi_frame_of(&b));
}

CDI_FN void cdi_dyn_set_frame(cd_dyntree *t, const cdi_frame *frame) {
    int e = frame->exponent;
    cdi_dyn_header(t)->frame = *frame;
    t->cost = 0.0; /* it was in units of the old one */
    t->scale[0] = cdi_exp2i(-(e / 2));
    t->scale[1] = cdi_exp2i(e / 2 - e);
}

static double cdi_dyn_in(const cd_dyntree *t, int axis, double x) {
    return (x - cdi_dyn_header(t)->frame.origin[axis]) * t->scale[0] * t->scale[1];
}

/* How far a foreseen motion may stretch a box: far beyond all objects it would only make the frame too large. */
static double cdi_dyn_stretch_most(const cd_dyntree *t) {
    const cdi_bvh_header *h = cdi_dyn_header(t);
    double size = 0.0;
    for (int k = 0; k < 3; ++k) size = cdi_max(size, 0.5 * h->hi[k] - 0.5 * h->lo[k]);
    return cdi_min(size, 1e300) * 16.0;
}

/* The fat box, in the caller's numbers. */
static void cdi_dyn_fatten(const cd_dyntree *t, cd_aabb box, cd_vec3 motion, double lo[3], double hi[3]) {
    cdi_v3 a = cdi_v3_of(box.min), b = cdi_v3_of(box.max), way = cdi_v3_of(motion);
    double margin = (double)t->options.margin, most = cdi_dyn_stretch_most(t);
    for (int k = 0; k < 3; ++k) {
        double along = cdi_clamp(cdi_v3_get(way, k), -most, most);
        lo[k] = cdi_max(cdi_v3_get(a, k) - margin + cdi_min(along, 0.0), -CDI_HUGE);
        hi[k] = cdi_min(cdi_v3_get(b, k) + margin + cdi_max(along, 0.0), CDI_HUGE);
    }
}

/* Where a box has neither margin nor motion, it is its own fat box. */
static bool cdi_dyn_is_lean(const cd_dyntree *t, cd_vec3 motion) {
    return t->options.margin == 0 && motion.x == 0 && motion.y == 0 && motion.z == 0;
}

static bool cdi_dyn_encode_sides(const cd_dyntree *t, const double lo[3], const double hi[3],
                                 cdi_dyn_box *out) {
    bool inside = true;
    for (int k = 0; k < 3; ++k) {
        double a = cdi_dyn_in(t, k, lo[k]), b = cdi_dyn_in(t, k, hi[k]);
        inside = inside && a >= -CDI_DYN_EDGE && b <= CDI_DYN_EDGE;
        out->lo[k] = cdi_float_down(a);
        out->hi[k] = cdi_float_up(b);
    }
    return inside;
}

CDI_FN bool cdi_dyn_encode(const cd_dyntree *t, cd_aabb box, cd_vec3 motion, cdi_dyn_box *own,
                           cdi_dyn_box *fat) {
    double lo[3], hi[3];
    bool inside;
    lo[0] = (double)box.min.x, lo[1] = (double)box.min.y, lo[2] = (double)box.min.z;
    hi[0] = (double)box.max.x, hi[1] = (double)box.max.y, hi[2] = (double)box.max.z;
    inside = cdi_dyn_encode_sides(t, lo, hi, own);
    *fat = *own;
    if (cdi_dyn_is_lean(t, motion)) return inside;
    cdi_dyn_fatten(t, box, motion, lo, hi);
    inside = cdi_dyn_encode_sides(t, lo, hi, fat);
    for (int k = 0; k < 3; ++k) { /* where there is no wider frame */
        fat->lo[k] = fat->lo[k] > -1.0f ? fat->lo[k] : -1.0f;
        fat->hi[k] = fat->hi[k] < 1.0f ? fat->hi[k] : 1.0f;
    }
    cdi_dyn_grow(fat, own);
    return inside;
}

/* All lanes in a frame 2^steps as large about the same origin, in which nothing but the last bits is lost. */
static void cdi_dyn_shrink_lanes(cd_dyntree *t, int steps) {
    for (uint32_t i = 0; i < t->node_count; ++i) {
        cdi_bvh_node *n = cdi_dyn_node(t, i);
        uint32_t width = cdi_dyn_width(n);
        for (uint32_t k = 0; k < 3 * width; ++k) {
            float *lo = &n->lo[k / width][k % width], *hi = &n->hi[k / width][k % width];
            *lo = cdi_float_down(cdi_scale2((double)*lo, -steps));
            *hi = cdi_float_up(cdi_scale2((double)*hi, -steps));
        }
    }
}

CDI_FN void cdi_dyn_widen(cd_dyntree *t, cd_aabb box, cd_vec3 motion) {
    cdi_frame frame = cdi_dyn_header(t)->frame;
    double reach = 0.0, lo[3], hi[3];
    int e = frame.exponent;
    cdi_dyn_fatten(t, box, motion, lo, hi);
    for (int k = 0; k < 3; ++k) {
        reach = cdi_max(reach, 0.5 * frame.origin[k] - 0.5 * lo[k]);
        reach = cdi_max(reach, 0.5 * hi[k] - 0.5 * frame.origin[k]);
    }
    frame.exponent = cdi_exponent(reach) + 2;
    if (cdi_scale2(reach, 1 - frame.exponent) > CDI_DYN_EDGE) ++frame.exponent;
    ++frame.exponent; /* so that it is not soon too small again */
    if (frame.exponent <= e) return;
    if (t->count) cdi_dyn_shrink_lanes(t, frame.exponent - e);
    cdi_dyn_set_frame(t, &frame);
}

/* Lanes of objects anew; what motion was foreseen is forgotten. */
static void cdi_dyn_encode_objects(cd_dyntree *t, uint32_t number) {
    cdi_bvh_node *n = cdi_dyn_node(t, number);
    uint32_t width = cdi_dyn_width(n);
    for (uint32_t i = 0; i < width; ++i) {
        cdi_dyn_box own, fat;
        (void)cdi_dyn_encode(t, cdi_dyn_item(t, 8 * number + i)->box, cd_vec3_make(0, 0, 0), &own, &fat);
        cdi_dyn_set_lane(n, i, &fat);
    }
}

static void cdi_dyn_encode_nodes(cd_dyntree *t, uint32_t number) {
    cdi_bvh_node *n = cdi_dyn_node(t, number);
    uint32_t width = cdi_dyn_width(n);
    for (uint32_t i = 0; i < width; ++i) {
        cdi_dyn_box b = cdi_dyn_bounds(cdi_dyn_node(t, n->child[i]));
        cdi_dyn_set_lane(n, i, &b);
    }
}

/* Level by level from below. */
static void cdi_dyn_encode_all(cd_dyntree *t) {
    uint32_t top = cdi_dyn_node(t, 0)->height;
    for (uint32_t height = 0; height <= top; ++height) {
        for (uint32_t i = 0; i < t->node_count; ++i) {
            if (cdi_dyn_node(t, i)->height != height || !cdi_dyn_node(t, i)->lanes) continue;
            if (height) {
                cdi_dyn_encode_nodes(t, i);
            } else {
                cdi_dyn_encode_objects(t, i);
            }
        }
    }
}

CDI_FN void cdi_dyn_fit_frame(cd_dyntree *t) {
    cdi_bvh_header *h = cdi_dyn_header(t);
    cdi_box bounds = cdi_box_empty();
    cdi_frame frame;
    for (int k = 0; k < 3; ++k) {
        bounds.v[k] = (cd_real)h->lo[k];
        bounds.v[4 + k] = (cd_real)-h->hi[k];
    }
    frame = cdi_dyn_frame_of(t, &bounds);
    if (h->frame.exponent - frame.exponent < CDI_DYN_TOO_WIDE) return;
    cdi_dyn_set_frame(t, &frame);
    cdi_dyn_encode_all(t);
}

#undef CDI_DYN_TOO_WIDE
