#include "any/contact_join.h"
#include "convex/patch.h"
#include "core/platform.h"

#define CDI_JOIN_SAME  1e-6 /* the square of 1e-3: of normals that are one */
#define CDI_JOIN_APART 2e-3 /* so far two of these may be from each other */
/* So far beside its normal a point may be, of how far it is apart. */
#define CDI_JOIN_LEVEL (64.0 * (double)CD_REAL_EPSILON)
/* So much deeper a point may be by rounding, of how far it is from others. */
#define CDI_JOIN_TILT (4.0 * (double)CD_REAL_EPSILON)

CDI_FN void cdi_join_open(cdi_join *j, cd_manifold *out, size_t capacity) {
    j->out = out;
    j->capacity = out ? capacity : 0;
    j->held = j->count = 0;
}

/* ---- which manifold a point belongs to ---- */

static bool cdi_part_joins(const cd_part *a, const cd_part *b, bool surface) {
    return a->user == b->user && a->material == b->material && a->child == b->child &&
           (surface || a->index == b->index);
}

static bool cdi_join_matches(cd_vec3 normal, const cd_part *a, const cd_part *b, const cd_manifold *head,
                             const bool surface[2]) {
    cdi_v3 off = cdi_v3_sub(cdi_v3_of(normal), cdi_v3_of(head->normal));
    return cdi_v3_sqlength(off) < CDI_JOIN_SAME && cdi_part_joins(a, &head->part_a, surface[0]) &&
           cdi_part_joins(b, &head->part_b, surface[1]);
}

static cd_real cdi_manifold_deepest(const cd_manifold *m) {
    cd_real least = m->points[0].distance;
    for (uint32_t i = 1; i < m->count; ++i)
        if (m->points[i].distance < least) least = m->points[i].distance;
    return least;
}

/* Is what leads from a point to the other along the normal? `share`: so far beside it it may be, of how far they are apart; and what
 * rounding makes of the points. */
static bool cdi_contact_is_along(const cd_contact *c, cd_vec3 normal, double share) {
    cdi_v3 a = cdi_v3_of(c->a), b = cdi_v3_of(c->b), d = cdi_v3_sub(b, a), n = cdi_v3_of(normal);
    double slack = 4.0 * (double)CD_REAL_EPSILON * cdi_max(cdi_v3_max_abs(a), cdi_v3_max_abs(b));
    return cdi_v3_norm(cdi_v3_along(d, n, 0.0 - cdi_v3_dot(d, n))) <= share * cdi_v3_norm(d) + slack;
}

/* Does every point lie along the normal, as those of one manifold have to? */
static bool cdi_manifold_bears(const cd_manifold *m, cd_vec3 normal) {
    for (uint32_t i = 0; i < m->count; ++i)
        if (!cdi_contact_is_along(&m->points[i], normal, CDI_JOIN_APART)) return false;
    return true;
}

/* `held` where there is none. */
static size_t cdi_join_find(const cdi_join *j, const cd_manifold *head, const bool surface[2],
                            const cd_contact *point) {
    size_t i = 0;
    for (; i < j->held && i < CDI_JOIN_WIDE; ++i) {
        const cdi_contact_joined *w = &j->wide[i];
        if (cdi_join_matches(w->normal, &w->part_a, &w->part_b, head, surface)) return i;
    }
    for (; i < j->held; ++i) {
        const cd_manifold *m = &j->out[i];
        if (cdi_join_matches(m->normal, &m->part_a, &m->part_b, head, surface) &&
            (!(point->distance < cdi_manifold_deepest(m)) || cdi_manifold_bears(m, head->normal)))
            return i;
    }
    return i;
}

static cd_real cdi_join_deepest(const cdi_join *j, size_t i) {
    return i < CDI_JOIN_WIDE ? j->wide[i].point[CDI_JOIN_WAYS].distance : cdi_manifold_deepest(&j->out[i]);
}

/* ---- a wide one ---- */

static double cdi_joined_reach(const cdi_contact_joined *w, cd_vec3 at, int way) {
    static const double x[CDI_JOIN_WAYS] = {1, 1, 0, -1, -1, -1, 0, 1},
                        y[CDI_JOIN_WAYS] = {0, 1, 1, 1, 0, -1, -1, -1};
    cdi_v3 p = cdi_v3_of(at);
    return x[way] * cdi_v3_dot(w->across[0], p) + y[way] * cdi_v3_dot(w->across[1], p);
}

static void cdi_joined_put(cdi_contact_joined *w, int k, const cdi_contact_told *t) {
    w->point[k] = t->point;
    w->even[k] = t->even;
}

static void cdi_joined_open(cdi_contact_joined *w, const cdi_contact_told *t) {
    const cd_manifold *head = &t->head;
    cdi_v3 n = cdi_v3_unit(cdi_v3_of(head->normal));
    w->normal = head->normal;
    w->deepest = head->normal;
    w->part_a = head->part_a;
    w->part_b = head->part_b;
    w->across[0] = cdi_across(n);
    w->across[1] = cdi_v3_cross(n, w->across[0]);
    for (int k = 0; k < CDI_JOIN_WAYS; ++k) w->reach[k] = cdi_joined_reach(w, t->point.a, k);
    for (int k = 0; k < CDI_JOIN_POINTS; ++k) cdi_joined_put(w, k, t);
}

static void cdi_joined_add(cdi_contact_joined *w, const cdi_contact_told *t) {
    const cd_contact *point = &t->point;
    for (int k = 0; k < CDI_JOIN_WAYS; ++k) {
        double reach = cdi_joined_reach(w, point->a, k);
        if (!(reach > w->reach[k])) continue;
        w->reach[k] = reach;
        cdi_joined_put(w, k, t);
    }
    if (!(point->distance < w->point[CDI_JOIN_WAYS].distance)) return;
    cdi_joined_put(w, CDI_JOIN_WAYS, t);
    w->deepest = t->head.normal;
    w->part_a = t->head.part_a;
    w->part_b = t->head.part_b;
}

static bool cdi_contacts_equal(const cd_contact *p, const cd_contact *q) {
    return p->a.x == q->a.x && p->a.y == q->a.y && p->a.z == q->a.z && p->b.x == q->b.x && p->b.y == q->b.y &&
           p->b.z == q->b.z;
}

static uint32_t cdi_contacts_deepest(const cd_contact *points, uint32_t count) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < count; ++i)
        if (points[i].distance < points[best].distance) best = i;
    return best;
}

/* The deepest; of some that are as deep one along the normal. */
static uint32_t cdi_contacts_deepest_along(const cd_contact *points, uint32_t count, cd_vec3 normal) {
    uint32_t best = cdi_contacts_deepest(points, count);
    for (uint32_t i = best; i < count; ++i)
        if (points[i].distance == points[best].distance &&
            cdi_contact_is_along(&points[i], normal, CDI_JOIN_LEVEL))
            return i;
    return best;
}

/* Four of them. The deepest may give way to one as deep that is farther out, but not to one along another normal. */
static uint32_t cdi_joined_reduce(cd_vec3 normal, const cd_contact *all, uint32_t count, cd_contact *kept) {
    cdi_v3 n = cdi_v3_of(normal);
    uint32_t left, deepest = cdi_contacts_deepest_along(all, count, normal);
    cdi_copy(kept, all, count * sizeof *all);
    left = cdi_contacts_reduce(kept, count, n, CD_NONE);
    if (cdi_contact_is_along(&kept[cdi_contacts_deepest_along(kept, left, normal)], normal, CDI_JOIN_LEVEL))
        return left;
    cdi_copy(kept, all, count * sizeof *all);
    return cdi_contacts_reduce(kept, count, n, deepest);
}

/* Each point once; the deepest first. */
static uint32_t cdi_joined_list(const cdi_contact_joined *w, cd_contact *all) {
    uint32_t count = 0;
    for (int k = 0; k < CDI_JOIN_POINTS; ++k) {
        const cd_contact *p = &w->point[(k + CDI_JOIN_WAYS) % CDI_JOIN_POINTS];
        uint32_t i = 0;
        while (i < count && !cdi_contacts_equal(&all[i], p)) ++i;
        if (i == count) all[count++] = *p;
    }
    return count;
}

/* The deepest, where it is deeper than those that are kept by more than rounding: it takes the place of the nearest, and its names. */
static void cdi_joined_deepest(const cdi_contact_joined *w, cd_manifold *m) {
    const cd_contact *deepest = &w->point[CDI_JOIN_WAYS];
    cdi_v3 at = cdi_v3_of(deepest->a);
    double nearest = CDI_HUGE, widest = 0.0;
    cd_contact *place = &m->points[0], last;
    for (uint32_t i = 0; i < m->count; ++i) {
        double off = cdi_v3_sqlength(cdi_v3_sub(cdi_v3_of(m->points[i].a), at));
        widest = cdi_max(widest, off);
        if (off < nearest) nearest = off, place = &m->points[i];
    }
    widest = CDI_JOIN_TILT * cdi_sqrt(widest);
    if ((double)deepest->distance >= (double)cdi_manifold_deepest(m) - widest) return;
    last = *place;
    *place = *deepest;
    place->feature_a = last.feature_a;
    place->feature_b = last.feature_b;
}

/* The first of an even place, which is there. */
static const cd_contact *cdi_joined_even(const cdi_contact_joined *w, int bit) {
    int k = 0;
    while (k + 1 < CDI_JOIN_POINTS && !(w->even[k] >> bit & 1)) ++k;
    return &w->point[k];
}

/* Four even places of a rim; false where they are not all there. */
static bool cdi_joined_stand(const cdi_contact_joined *w, cd_manifold *out) {
    uint32_t all = 0;
    int shift;
    for (int k = 0; k < CDI_JOIN_POINTS; ++k) all |= w->even[k];
    if ((all & 15u) != 15u && (all & 240u) != 240u) return false;
    shift = (all & 15u) == 15u ? 0 : 4;
    out->count = 4;
    for (int i = 0; i < 4; ++i) out->points[i] = *cdi_joined_even(w, shift + i);
    cdi_joined_deepest(w, out);
    return true;
}

static void cdi_joined_close(const cdi_contact_joined *w, cd_manifold *out) {
    cd_contact all[CDI_JOIN_POINTS], kept[CDI_JOIN_POINTS];
    cdi_clear(out, sizeof *out);
    out->normal = w->deepest;
    out->part_a = w->part_a;
    out->part_b = w->part_b;
    if (cdi_joined_stand(w, out)) return;
    out->count = cdi_joined_reduce(w->deepest, all, cdi_joined_list(w, all), kept);
    for (uint32_t i = 0; i < out->count; ++i) out->points[i] = kept[i];
}

/* ---- one in the caller's array ---- */

static void cdi_manifold_open(cd_manifold *m, const cd_manifold *head, const cd_contact *point) {
    cdi_clear(m, sizeof *m);
    m->normal = head->normal;
    m->part_a = head->part_a;
    m->part_b = head->part_b;
    m->points[0] = *point;
    m->count = 1;
}

static void cdi_manifold_add(cd_manifold *m, const cd_manifold *head, const cd_contact *point) {
    cd_contact all[CD_MANIFOLD_POINTS + 1], kept[CD_MANIFOLD_POINTS + 1];
    uint32_t count = 0;
    if (point->distance < cdi_manifold_deepest(m)) {
        m->normal = head->normal;
        m->part_a = head->part_a;
        m->part_b = head->part_b;
    }
    for (; count < m->count; ++count) all[count] = m->points[count];
    all[count++] = *point;
    m->count = cdi_joined_reduce(m->normal, all, count, kept);
    for (uint32_t i = 0; i < m->count; ++i) m->points[i] = kept[i];
}

/* ---- all ---- */

static void cdi_join_put(cdi_join *j, size_t i, const cdi_contact_told *t) {
    if (i < CDI_JOIN_WIDE) {
        cdi_joined_open(&j->wide[i], t);
    } else {
        cdi_manifold_open(&j->out[i], &t->head, &t->point);
    }
}

/* Where there is no room the shallowest has to go, if the new one is deeper. */
static void cdi_join_begin(cdi_join *j, const cdi_contact_told *t) {
    size_t at = j->held;
    ++j->count;
    if (at < CDI_JOIN_WIDE || at < j->capacity) {
        ++j->held;
    } else {
        at = 0;
        for (size_t i = 1; i < j->held; ++i)
            if (cdi_join_deepest(j, i) > cdi_join_deepest(j, at)) at = i;
        if (!(t->point.distance < cdi_join_deepest(j, at))) return;
    }
    cdi_join_put(j, at, t);
}

CDI_FN void cdi_join_add(cdi_join *j, const cdi_contact_told *told) {
    size_t at = cdi_join_find(j, &told->head, told->surface, &told->point);
    if (at == j->held) {
        cdi_join_begin(j, told);
    } else if (at < CDI_JOIN_WIDE) {
        cdi_joined_add(&j->wide[at], told);
    } else {
        cdi_manifold_add(&j->out[at], &told->head, &told->point);
    }
}

CDI_FN bool cdi_join_has_below(const cdi_join *j, const cdi_contacts *q) {
    for (size_t i = 0; i < j->held && i < CDI_JOIN_WIDE; ++i)
        if (cdi_contacts_are_below(q, j->wide[i].normal, j->wide[i].point, CDI_JOIN_POINTS)) return true;
    return false;
}

/* The deepest first, by Shell's steps: of few that are as deep, those that came first. */
static void cdi_manifolds_sort(cd_manifold *m, size_t count) {
    for (size_t step = count > 16 ? count / 2 : 1; step > 0; step = step > 1 ? (step * 5 + 10) / 11 : 0) {
        for (size_t i = step; i < count; ++i) {
            cd_manifold moved = m[i];
            cd_real key = cdi_manifold_deepest(&moved);
            size_t k = i;
            for (; k >= step && cdi_manifold_deepest(&m[k - step]) > key; k -= step) m[k] = m[k - step];
            m[k] = moved;
        }
        if (step == 1) return;
    }
}

/* The wide ones where they do not all fit: the deepest of them. */
static void cdi_join_choose(cdi_join *j) {
    size_t most = CDI_JOIN_WIDE, wide = j->held < most ? j->held : most;
    for (size_t i = 0; i < wide && i < j->capacity; ++i) {
        size_t best = i;
        for (size_t k = i + 1; k < wide; ++k)
            if (cdi_join_deepest(j, k) < cdi_join_deepest(j, best)) best = k;
        cdi_joined_close(&j->wide[best], &j->out[i]);
        for (; best > i; --best) j->wide[best] = j->wide[best - 1];
    }
}

CDI_FN size_t cdi_join_close(cdi_join *j) {
    cdi_join_choose(j);
    cdi_manifolds_sort(j->out, j->held < j->capacity ? j->held : j->capacity);
    return j->count;
}

#undef CDI_JOIN_SAME
#undef CDI_JOIN_APART
#undef CDI_JOIN_LEVEL
#undef CDI_JOIN_TILT
