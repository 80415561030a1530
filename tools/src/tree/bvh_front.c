#include "tree/bvh_front.h"
#include "tree/bvh_front_kernel.h"
#include "tree/bvh_neighbours.h"

/* Added to what has moved, so that 0 is told, too. */
#define CDI_FRONT_LEAST 1e-300

/* ---- whose front it is ---- */

/* A tree's header as one number. */
static uint64_t cdi_front_header(const cdi_bvh *tree) {
    uint64_t hash = 14695981039346656037u, word;
    const unsigned char *at = (const unsigned char *)tree->header;
    for (size_t i = 0; i < sizeof *tree->header; i += sizeof word) {
        cdi_copy(&word, at + i, sizeof word);
        hash = (hash ^ word) * 1099511628211u;
        hash ^= hash >> 29;
    }
    return hash;
}

/* ... or only what of it a refit does not change; of a cd_dyntree any change does. */
static uint64_t cdi_front_shape(const cdi_bvh *tree) {
    const cdi_bvh_header *h = tree->header;
    uint64_t shape = h->node_count * (uint64_t)0x9E3779B97F4A7C15u ^ h->item_count;
    return ((shape * 31u + h->layout) * 31u + h->item) * 31u + h->changes;
}

/* Takes down whose front it is; false where it was another's. */
static bool cdi_front_meet(cd_bvh_front *front, const cdi_pair_walk *w) {
    bool known = front->self == (uint32_t)w->same && front->rule == w->rule;
    for (int i = 0; i < 2; ++i) {
        const cdi_bvh *tree = i ? &w->b : &w->a;
        uint64_t header = cdi_front_header(tree), shape = cdi_front_shape(tree);
        known = known && front->block[i] == (const void *)tree->header && front->shape[i] == shape;
        known = known && (front->header[i] == header || front->told > 0.0);
        front->block[i] = tree->header;
        front->header[i] = header;
        front->shape[i] = shape;
    }
    front->self = (uint32_t)w->same;
    front->rule = w->rule;
    return known;
}

/* ---- how far things have moved ---- */

/* The farthest that a point of b's bounds comes from one pose to another: a corner. */
static double cdi_front_way(const cdi_bvh_header *b, const cdi_pose *from, const cdi_pose *to) {
    double most = 0.0;
    for (int i = 0; i < 8; ++i) {
        cdi_v3 p = cdi_v3_make(i & 1 ? b->hi[0] : b->lo[0], i & 2 ? b->hi[1] : b->lo[1],
                               i & 4 ? b->hi[2] : b->lo[2]);
        cdi_v3 way = cdi_v3_sub(cdi_pose_point(to, p), cdi_pose_point(from, p));
        most = cdi_max(most, cdi_abs(way.x) + cdi_abs(way.y) + cdi_abs(way.z) < 1e150 ? cdi_v3_length(way)
                                                                                      : cdi_infinity());
    }
    return most;
}

static bool cdi_front_is_at(const cd_transform *p, const cd_transform *q) {
    return p->position.x == q->position.x && p->position.y == q->position.y &&
           p->position.z == q->position.z && p->rotation.x == q->rotation.x &&
           p->rotation.y == q->rotation.y && p->rotation.z == q->rotation.z && p->rotation.w == q->rotation.w;
}

/* How much nearer to each other, at most, any two primitives may be than they were for the last query: with what rounding makes of
 * posed corners then and now. */
static double cdi_front_nearer(const cd_bvh_front *front, const cdi_pair_walk *w, double distance) {
    cdi_pose last = cdi_pose_of(&front->pose);
    double sum = cdi_max(distance - front->distance, 0.0) * 1.00001 + 2.0 * front->told;
    if (!cdi_front_is_at(&front->pose, &w->place_b.transform))
        sum += cdi_front_way(w->b.header, &last, &w->place_b.pose);
    return sum > 0.0 ? sum * 1.001 + 4.0 * w->error : 0.0;
}

/* ---- following it ---- */

static cdi_front_list cdi_front_list_of(const cd_bvh_front *front, int which) {
    cdi_front_list list;
    list.entries = (cdi_front_entry *)front->entries[which];
    list.capacity = front->capacity[which];
    list.count = which ? 0 : front->count;
    list.failed = false;
    return list;
}

static void cdi_front_keep(cd_bvh_front *front, int which, const cdi_front_list *list) {
    front->entries[which] = list->entries;
    front->capacity[which] = list->capacity;
}

/* What the new query makes of what was known. */
static void cdi_front_begin(cd_bvh_front *front, const cdi_pair_walk *w, double distance) {
    bool known = cdi_front_meet(front, w);
    double nearer = cdi_front_nearer(front, w, distance), moved = front->moved + nearer;
    if (nearer > 0.0)
        moved += moved * 2.3e-16; /* more than the sum lost by rounding, however much came before */
    if (!known || !(moved < 1e280)) {
        front->count = 0;
        moved = 0.0;
    }
    front->moved = moved;
    front->told = 0.0;
    front->distance = distance;
    front->pose = w->place_b.transform;
    front->status = CD_OK;
}

static bool cdi_front_follow(cd_bvh_front *front, cdi_pair_walk *w, double distance, cd_visit_pair_fn visit,
                             void *user) {
    cdi_front_walk f;
    bool done;
    w->visit = visit;
    w->user = user;
    cdi_front_begin(front, w, distance);
    cdi_clear(&f, sizeof f);
    f.w = w;
    f.allocator = &front->allocator;
    f.old = cdi_front_list_of(front, 0);
    f.made = cdi_front_list_of(front, 1);
    f.moved = front->moved;
    f.unit = cdi_min(cdi_scale2(1.0, w->a.header->frame.exponent), CDI_HUGE);
    done = CDI_RUN(cdi_front_run, (&f));
    front->tested = f.tested;
    cdi_front_keep(front, 1, &f.made);
    if (f.made.failed) front->status = CD_OUT_OF_MEMORY;
    if (!done || f.made.failed) return done;
    cdi_front_keep(front, 0, &f.made);
    cdi_front_keep(front, 1, &f.old);
    front->count = f.made.count;
    return true;
}

/* A query that looks at no tree: what the front is asked next may be about others in the same place. */
static bool cdi_front_pass(cd_bvh_front *front) {
    cd_bvh_front_reset(front);
    return true;
}

/* ---- the interface ---- */

CD_API void cd_bvh_front_reset(cd_bvh_front *front) {
    front->count = 0;
}

CD_API void cd_bvh_front_destroy(cd_bvh_front *front) {
    cd_allocator allocator = front->allocator;
    for (int i = 0; i < 2; ++i) {
        cdi_front_list list = cdi_front_list_of(front, i);
        cdi_front_free(&list, &allocator);
    }
    cdi_clear(front, sizeof *front);
    front->allocator = allocator;
}

CD_API void cd_bvh_front_moved(cd_bvh_front *front, cd_real distance) {
    if (!(distance >= 0))
        front->count = 0;
    else
        front->told += (double)distance + CDI_FRONT_LEAST;
}

CD_API bool cd_bvh_front_traverse(cd_bvh_front *front, const cd_bvh *a, const cd_bvh *b,
                                  const cd_transform *b_in_a, cd_real distance,
                                  const cd_bvh_pair_options *options, cd_visit_pair_fn visit, void *user) {
    cdi_pair_walk w;
    front->status = CD_OK;
    front->tested = 0;
    if (!cdi_pairs_open(&w, a, b, b_in_a, (double)distance, options)) return cdi_front_pass(front);
    return cdi_front_follow(front, &w, (double)distance, visit, user);
}

CD_API size_t cd_bvh_front_pairs(cd_bvh_front *front, const cd_bvh *a, const cd_bvh *b,
                                 const cd_transform *b_in_a, cd_real distance,
                                 const cd_bvh_pair_options *options, cd_pair *pairs, size_t capacity) {
    cdi_pair_list list = cdi_pair_list_of(pairs, capacity);
    cd_bvh_front_traverse(front, a, b, b_in_a, distance, options, cdi_pair_append, &list);
    return list.count;
}

CD_API bool cd_bvh_front_traverse_self(cd_bvh_front *front, const cd_bvh *tree,
                                       const cd_bvh_pair_options *options, cd_visit_pair_fn visit,
                                       void *user) {
    cd_bvh_pair_options own;
    cdi_pair_walk w;
    front->status = CD_OK;
    front->tested = 0;
    if (!cdi_self_open(&w, &own, tree, options)) return cdi_front_pass(front);
    return cdi_front_follow(front, &w, 0.0, visit, user);
}

CD_API size_t cd_bvh_front_self_pairs(cd_bvh_front *front, const cd_bvh *tree,
                                      const cd_bvh_pair_options *options, cd_pair *pairs, size_t capacity) {
    cdi_pair_list list = cdi_pair_list_of(pairs, capacity);
    cd_bvh_front_traverse_self(front, tree, options, cdi_pair_append, &list);
    return list.count;
}

#undef CDI_FRONT_LEAST
