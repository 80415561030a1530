#include "any/shape_collide.h"
#include "any/plain.h"
#include "any/contact_join.h"
#include "any/contact_pair.h"
#include "bounds/aabb.h"
#include "convex/box_manifold.h"

/* ---- the query ---- */

/* How much farther out than it is a shape may count, at most. */
static double cdi_most_offset(const cd_shape *s) {
    double most = 0.0;
    if (s->type != CD_SHAPE_COMPOUND || !s->u.compound) return (double)s->offset;
    for (uint32_t i = 0; i < s->u.compound->count; ++i) {
        const cd_shape *child = s->u.compound->children[i].shape;
        if (child) most = i == 0 ? (double)child->offset : cdi_max(most, (double)child->offset);
    }
    return most + (double)s->offset;
}

static bool cdi_shape_may_collide(const cd_shape *s) {
    return s && s->type > CD_SHAPE_NOTHING && s->type < CD_SHAPE_TYPES;
}

/* False where there is nothing to ask. */
static bool cdi_contacts_open(cdi_contacts *q, const cd_shape *a, const cd_shape *b,
                              const cd_transform *b_in_a, const cd_shape_options *options) {
    cdi_clear(q, sizeof *q);
    if (!cdi_shape_may_collide(a) || !cdi_shape_may_collide(b)) return false;
    if (!cdi_shape_is_askable(a) || !cdi_shape_is_askable(b)) return false;
    if (b_in_a && !cd_transform_is_valid(b_in_a)) return false;
    q->shape[0] = a;
    q->shape[1] = b;
    for (int i = 0; i < 2; ++i) q->many[i] = cdi_shape_has_parts(q->shape[i]);
    q->posed = b_in_a != NULL;
    if (b_in_a) q->b_in_a = cdi_pose_of(b_in_a);
    if (options) {
        q->ignore[0] = options->ignore_a;
        q->ignore[1] = options->ignore_b;
        q->flags = options->flags;
        q->max_iterations = options->max_iterations;
        q->margin = (double)options->margin;
        q->filter = options->filter;
        q->user = options->user;
    }
    return cdi_finite(q->margin);
}

/* ---- all pairs of parts that are near each other ---- */

typedef struct cdi_contacts_walk {
    cdi_contacts *query;
    const cd_transform *b_in_a;
    cdi_pose a_in_b;
    double wide; /* how far apart boxes may be */
    const cdi_shape_part *part;
} cdi_contacts_walk;

/* A half-space's plane in the frame that its shape stands at: parts of the other are no nearer than they are over that. */
static bool cdi_contacts_aim(const cdi_contacts_walk *w, const cdi_shape_part *part, const cdi_pose *at,
                             cdi_parts_aim *out) {
    double length;
    cdi_clear(out, sizeof *out);
    out->limit = cdi_max(w->wide, 0.0) * 1.000001;
    out->listed = true;
    if (!part->halfspace || !cdi_shape_part_plane(part, at, &out->n, &out->d)) return false;
    length = cdi_v3_norm(out->n);
    out->n = cdi_v3_unit(out->n);
    out->d /= length;
    return true;
}

static bool cdi_contacts_visit_b(void *user, const cdi_shape_part *part) {
    cdi_contacts_walk *w = (cdi_contacts_walk *)user;
    cdi_contacts *q = w->query;
    if (!q->filter || q->filter(q->user, &w->part->part, &part->part)) cdi_contacts_of_pair(q, w->part, part);
    return !q->stopped;
}

static bool cdi_contacts_visit_a(void *user, const cdi_shape_part *part) {
    cdi_contacts_walk *w = (cdi_contacts_walk *)user;
    cdi_contacts *q = w->query;
    cdi_parts_aim aim;
    cd_aabb box = cdi_shape_part_bounds(part);
    bool faced;
    q->size_a = cdi_box_extent(box);
    if (w->b_in_a) {
        cd_transform back = cd_transform_inverse(w->b_in_a);
        box = cd_aabb_transform(box, &back);
    }
    w->part = part;
    faced = cdi_contacts_aim(w, part, w->b_in_a ? &w->a_in_b : NULL, &aim);
    return cdi_parts_aimed(q->shape[1], cdi_aabb_grown(box, w->wide), faced ? &aim : NULL, q->ignore[1],
                           cdi_contacts_visit_b, w);
}

/* Where B is a half-space. */
static bool cdi_contacts_aim_at_b(const cdi_contacts_walk *w, cdi_parts_aim *out) {
    const cdi_contacts *q = w->query;
    cdi_shape_part b;
    if (q->shape[1]->type != CD_SHAPE_HALFSPACE) return false;
    cdi_part_of_shape(&b, q->shape[1]);
    return cdi_contacts_aim(w, &b, w->b_in_a ? &q->b_in_a : NULL, out);
}

static void cdi_contacts_run(cdi_contacts *q, const cd_transform *b_in_a) {
    cdi_contacts_walk w;
    cdi_parts_aim aim;
    cd_aabb box = cd_shape_aabb(q->shape[1], b_in_a);
    bool faced;
    w.query = q;
    w.b_in_a = b_in_a;
    w.a_in_b = cdi_pose_inverse(&q->b_in_a);
    w.wide = q->margin + cdi_most_offset(q->shape[0]) + cdi_most_offset(q->shape[1]);
    faced = cdi_contacts_aim_at_b(&w, &aim);
    do {
        cdi_parts_aimed(q->shape[0], cdi_aabb_grown(box, w.wide), faced ? &aim : NULL, q->ignore[0],
                        cdi_contacts_visit_a, &w);
    } while (!q->late && cdi_contacts_again(q));
}

static bool cdi_join_tell(void *to, const cdi_contact_told *told) {
    cdi_join_add((cdi_join *)to, told);
    return true;
}

static void cdi_contacts_run_joined(cdi_contacts *q, const cd_transform *b_in_a, cdi_join *join) {
    q->tell = cdi_join_tell;
    q->to = join;
    cdi_contacts_run(q, b_in_a);
}

/* Their points, joined; once more without those below others, where there are such. */
static void cdi_contacts_join(cdi_contacts *q, const cd_transform *b_in_a, cdi_join *join) {
    cdi_contacts_run_joined(q, b_in_a, join);
    if (!(q->flags & CD_SHAPE_KEEP_GHOSTS) && cdi_join_has_below(join, q)) {
        cdi_contacts_ask_again(q);
        cdi_join_open(join, join->out, join->capacity);
        cdi_contacts_run(q, b_in_a);
    }
    cdi_contacts_end(q);
}

/* ---- two convex ones ---- */

static bool cdi_contacts_are_whole(const cdi_contacts *q) {
    return cd_shape_is_convex(q->shape[0]) && cd_shape_is_convex(q->shape[1]);
}

typedef struct cdi_whole {
    cdi_contacts *query;
    const cd_transform *b_in_a;
    cd_cache *cache;
    cdi_shape_part first; /* A's */
    cd_manifold manifold; /* what two convex shapes have */
    bool all;             /* to be told point by point */
} cdi_whole;

static bool cdi_whole_as_box(const cdi_shape_part *p, cd_obb *out) {
    const cd_shape *s = &p->store;
    if (p->support.kind != CD_SUPPORT_AABB && p->support.kind != CD_SUPPORT_OBB) return false;
    if (p->support.radius > 0 || !cdi_v3_is_zero(cdi_v3_of(p->support.scale))) return false;
    *out = s->type == CD_SHAPE_OBB ? s->u.obb : cd_obb_from_aabb(s->u.aabb);
    return s->type == CD_SHAPE_OBB || s->type == CD_SHAPE_AABB;
}

/* What is farther apart than asked once the offsets are taken off is left out. */
static void cdi_whole_take_offsets(cdi_whole *w, const cdi_shape_part *b, double margin) {
    cd_manifold *m = &w->manifold;
    double off = (double)w->first.part.offset + (double)b->part.offset;
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->count; ++i) {
        cd_contact c = m->points[i];
        c.distance = cdi_nearest_real((double)c.distance - off);
        if (off == 0.0 || (double)c.distance <= margin) m->points[count++] = c;
    }
    if (cdi_v3_is_zero(cdi_v3_of(m->normal))) count = 0; /* numbers beyond what can be told */
    m->count = count;
    m->part_a = w->first.part;
    m->part_b = b->part;
}

static bool cdi_whole_point(void *user, const cd_manifold *manifold, const cd_contact *point) {
    cdi_whole *w = (cdi_whole *)user;
    cdi_contacts *q = w->query;
    cdi_contact_told t;
    double off = (double)w->manifold.part_a.offset + (double)w->manifold.part_b.offset;
    t.head = w->manifold;
    t.head.normal = manifold->normal;
    t.surface[0] = t.surface[1] = false;
    t.point = *point;
    t.point.distance = cdi_nearest_real((double)point->distance - off);
    t.even = 0;
    if (off != 0.0 && !((double)t.point.distance <= q->margin)) return true;
    if (cdi_v3_is_zero(cdi_v3_of(t.head.normal))) return true;
    ++q->count;
    return q->tell(q->to, &t);
}

static void cdi_whole_collide(cdi_whole *w, const cdi_shape_part *b) {
    cdi_contacts *q = w->query;
    const cd_support *sa = &w->first.support, *sb = &b->support;
    cd_collide_options o;
    cd_obb box[2];
    cdi_clear(&o, sizeof o);
    o.margin = cdi_real_of(cdi_max(q->margin + (double)w->first.part.offset + (double)b->part.offset, 0.0));
    if (w->all) {
        cdi_contact_head(&w->manifold, &w->first, b);
        cd_collide_convex_all(sa, sb, w->b_in_a, &o, w->cache, cdi_whole_point, w);
        return;
    }
    if (cdi_whole_as_box(&w->first, &box[0]) && cdi_whole_as_box(b, &box[1])) {
        if (!cd_collide_obb_obb(&box[0], &box[1], w->b_in_a, &o, w->cache, &w->manifold)) return;
    } else if (!cd_collide_convex(sa, sb, w->b_in_a, &o, w->cache, &w->manifold)) {
        return;
    }
    cdi_whole_take_offsets(w, b, q->margin);
}

static bool cdi_whole_visit_b(void *user, const cdi_shape_part *part) {
    cdi_whole *w = (cdi_whole *)user;
    cdi_contacts *q = w->query;
    if (part->unsupported || w->first.unsupported) return true;
    if (!q->filter || q->filter(q->user, &w->first.part, &part->part)) cdi_whole_collide(w, part);
    return true;
}

static bool cdi_whole_visit_a(void *user, const cdi_shape_part *part) {
    cdi_whole *w = (cdi_whole *)user;
    const cdi_contacts *q = w->query;
    cdi_parts_copy(&w->first, part);
    return cdi_parts_in(q->shape[1], cd_shape_aabb(q->shape[1], NULL), q->ignore[1], cdi_whole_visit_b, w);
}

static void cdi_whole_run(cdi_whole *w) {
    const cdi_contacts *q = w->query;
    w->manifold.count = 0;
    cdi_parts_in(q->shape[0], cd_shape_aabb(q->shape[0], NULL), q->ignore[0], cdi_whole_visit_a, w);
}

/* ---- the calls ---- */

/* Not within those that call it: its memory is not that of two convex ones. */
static CDI_OUTLINE size_t cdi_collide_joined(cdi_contacts *q, const cd_transform *b_in_a, cd_manifold *out,
                                             size_t capacity) {
    cdi_join join;
    cdi_join_open(&join, out, capacity);
    cdi_contacts_join(q, b_in_a, &join);
    return cdi_join_close(&join);
}

static CDI_OUTLINE size_t cdi_collide_whole(cdi_contacts *q, const cd_transform *b_in_a, cd_cache *cache,
                                            cd_manifold *out, size_t capacity) {
    cdi_whole w;
    w.query = q;
    w.b_in_a = b_in_a;
    w.cache = cache;
    w.all = false;
    cdi_whole_run(&w);
    if (w.manifold.count == 0) return 0;
    if (out && capacity > 0) out[0] = w.manifold;
    return 1;
}

size_t cd_shape_collide(const cd_shape *a, const cd_shape *b, const cd_transform *b_in_a,
                        const cd_shape_options *options, cd_cache *cache, cd_manifold *out, size_t capacity) {
    cdi_contacts q;
    if (!cdi_contacts_open(&q, a, b, b_in_a, options)) return 0;
    return cdi_contacts_are_whole(&q) ? cdi_collide_whole(&q, b_in_a, cache, out, capacity)
                                      : cdi_collide_joined(&q, b_in_a, out, capacity);
}

/* What is below others is known only once all has been asked. */
static CDI_OUTLINE void cdi_collide_first(cdi_contacts *q, const cd_transform *b_in_a) {
    cdi_join join;
    cdi_join_open(&join, NULL, 0);
    cdi_contacts_run_joined(q, b_in_a, &join);
    cdi_contacts_ask_again(q);
}

typedef struct cdi_contacts_teller {
    cd_visit_contact_fn visit;
    void *user;
} cdi_contacts_teller;

static bool cdi_contact_tell(void *to, const cdi_contact_told *told) {
    const cdi_contacts_teller *t = (const cdi_contacts_teller *)to;
    return !t->visit || t->visit(t->user, &told->head, &told->point);
}

size_t cd_shape_collide_all(const cd_shape *a, const cd_shape *b, const cd_transform *b_in_a,
                            const cd_shape_options *options, cd_visit_contact_fn visit, void *user) {
    cdi_contacts q;
    cdi_whole w;
    cdi_contacts_teller teller;
    teller.visit = visit;
    teller.user = user;
    if (!cdi_contacts_open(&q, a, b, b_in_a, options)) return 0;
    if (!cdi_contacts_are_whole(&q) && !(q.flags & CD_SHAPE_KEEP_GHOSTS)) cdi_collide_first(&q, b_in_a);
    q.tell = cdi_contact_tell;
    q.to = &teller;
    if (!cdi_contacts_are_whole(&q)) {
        cdi_contacts_run(&q, b_in_a);
        cdi_contacts_end(&q);
        return q.count;
    }
    w.query = &q;
    w.b_in_a = b_in_a;
    w.cache = NULL;
    w.all = true;
    cdi_whole_run(&w);
    return q.count;
}
