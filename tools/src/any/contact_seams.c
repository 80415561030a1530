#include "any/contact_seams.h"
#include "convex/body.h"
#include "convex/gjk.h"
#include "query/closest3d.h"

#define CDI_SEAM_TOUCH 1e-4 /* of the size */

typedef struct cdi_seams_query {
    const cdi_seams *seams;
    cdi_v3 out;
    const cdi_v3 *samples;
    int count;
    bool flat;
    double reach;    /* no coordinate of the samples is larger */
    uint32_t hidden; /* a bit a sample */
} cdi_seams_query;

/* A part beside it, in its own frame. */
typedef struct cdi_seam_part {
    const cdi_shape_part *part;
    cdi_pose pose;
    cdi_v3 out, top; /* the farthest point that way */
    cdi_tri corners; /* of a triangle */
    double radius;   /* ... and its rounding */
    double noise;    /* how well coordinates are known */
    double slack;    /* ... as they are computed; triangles of a mesh share them */
} cdi_seam_part;

/* ---- a part ---- */

CDI_FN double cdi_box_extent(cd_aabb box) {
    return 2.0 * cdi_v3_max_abs(cdi_v3_sub(cdi_v3_scale(cdi_v3_of(box.max), 0.5),
                                           cdi_v3_scale(cdi_v3_of(box.min), 0.5)));
}

CDI_FN double cdi_shape_part_size(const cdi_shape_part *part) {
    cdi_tri t;
    cdi_v3 lo, hi;
    if (!part->triangle) return cdi_box_extent(cdi_shape_part_bounds(part));
    t = cdi_shape_part_corners(part);
    cdi_tri_bounds(&t, &lo, &hi);
    return cdi_v3_max_abs(cdi_v3_sub(hi, lo)) + 2.0 * (double)part->store.radius;
}

static cdi_v3 cdi_seam_part_local(const cdi_seam_part *b, cdi_v3 p) {
    if (!b->part->posed) return p;
    return cdi_m3_tmul_v3(&b->pose.rotation, cdi_v3_sub(p, b->pose.position));
}

CDI_FN cdi_tri cdi_shape_part_corners(const cdi_shape_part *part) {
    cdi_tri t = cdi_tri_of(&part->store.u.triangle);
    cdi_v3 by = cdi_v3_of(part->store.scale);
    if (cdi_v3_is_zero(by)) return t;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 p = cdi_v3_make(t.v[i].x * by.x, t.v[i].y * by.y, t.v[i].z * by.z);
        t.v[i] = p;
    }
    return t;
}

static void cdi_seam_part_triangle(cdi_seam_part *b, double *reach) {
    const cdi_v3 *v = b->corners.v;
    int best = 0;
    b->corners = cdi_shape_part_corners(b->part);
    *reach = b->radius = (double)b->part->store.radius;
    for (int i = 0; i < 3; ++i) {
        if (cdi_v3_dot(b->out, v[i]) > cdi_v3_dot(b->out, v[best])) best = i;
        *reach = cdi_max(*reach, cdi_v3_max_abs(v[i]));
    }
    b->top = cdi_v3_along(v[best], b->out, b->radius);
}

/* False for what is not valid. */
static bool cdi_seam_part_farthest(cdi_seam_part *b, double *reach) {
    cdi_convex body;
    uint32_t vertex = CD_NONE;
    if (b->part->triangle) {
        cdi_seam_part_triangle(b, reach);
        return cdi_tri_finite(&b->corners);
    }
    if (!cdi_convex_open(&body, &b->part->support, NULL)) return false;
    b->top = cdi_v3_along(cdi_convex_farthest(&body, b->out, &vertex), b->out, body.radius);
    *reach = body.reach + body.radius;
    return true;
}

static bool cdi_seam_part_open(cdi_seam_part *b, const cdi_seams_query *q, const cdi_shape_part *part) {
    double reach = 0.0;
    b->part = part;
    b->out = q->out;
    if (part->posed) {
        cdi_pose_put(&b->pose, &part->pose);
        b->out = cdi_m3_tmul_v3(&b->pose.rotation, q->out);
    }
    if (part->unsupported) return false;
    if (!part->halfspace && !cdi_seam_part_farthest(b, &reach)) return false;
    reach = cdi_max(reach, q->reach);
    b->noise = 4.0 * (double)CD_REAL_EPSILON * reach;
    b->slack = 1.4e-14 * reach; /* of doubles */
    if (!part->triangle) b->slack += b->noise;
    return true;
}

/* ---- half-spaces ---- */

static double cdi_halfspace_height(const cd_plane *h, cdi_v3 p, cdi_v3 *normal) {
    double length = cdi_v3_norm(cdi_v3_of(h->n));
    *normal = cdi_v3_unit(cdi_v3_of(h->n));
    return cdi_v3_dot(*normal, p) - (double)h->d / length;
}

static bool cdi_halfspace_hides(const cdi_seam_part *b, cdi_v3 p, double near_enough) {
    cdi_v3 n;
    double height = cdi_halfspace_height(&b->part->store.u.halfspace, p, &n);
    double off = cdi_v3_norm(cdi_v3_sub(n, b->out));
    return height <= near_enough && (off > CDI_SEAM_ANGLE || height < -near_enough);
}

/* ---- the question ---- */

static bool cdi_seam_part_sticks_out(const cdi_seam_part *b, cdi_v3 p, double angle) {
    cdi_v3 way = cdi_v3_sub(b->top, p);
    return cdi_v3_dot(b->out, way) > angle * cdi_v3_norm(way) + b->slack;
}

static bool cdi_seam_part_touches(const cdi_seam_part *b, cdi_v3 p, double near_enough) {
    cd_support point = cd_support_of_point(cdi_v3_round(p));
    cd_separation_options options;
    cd_separation s;
    if (b->part->triangle) {
        double most = near_enough + b->radius;
        return cdi_near_triangle(p, &b->corners).sqdist <= most * most;
    }
    cdi_clear(&options, sizeof options);
    options.max_distance = cdi_real_of(4.0 * near_enough);
    s = cd_gjk_distance(&point, &b->part->support, NULL, &options, NULL);
    return (double)s.distance <= near_enough;
}

static bool cdi_seam_part_hides(const cdi_seam_part *b, const cdi_seams *s, cdi_v3 sample) {
    cdi_v3 p = cdi_seam_part_local(b, sample);
    double near_enough = CDI_SEAM_TOUCH * s->size + 2.0 * b->noise;
    if (b->part->halfspace) return cdi_halfspace_hides(b, p, near_enough);
    return cdi_seam_part_sticks_out(b, p, s->angle) && cdi_seam_part_touches(b, p, near_enough);
}

static bool cdi_seams_are_hidden(const cdi_seams_query *q) {
    return q->flat ? q->hidden + 1u == 1u << q->count : q->hidden != 0;
}

static bool cdi_seams_is_own(const cdi_seams *s, const cdi_shape_part *part) {
    return part->part.child == s->own->part.child && part->item == s->own->item;
}

static bool cdi_seams_asks(const cdi_seams *s, const cdi_shape_part *part) {
    if (!s->filter) return true;
    return s->side == 0 ? s->filter(s->user, &part->part, &s->other->part)
                        : s->filter(s->user, &s->other->part, &part->part);
}

static bool cdi_seams_visit(void *user, const cdi_shape_part *part) {
    cdi_seams_query *q = (cdi_seams_query *)user;
    cdi_seam_part b;
    if (cdi_seams_is_own(q->seams, part) || !cdi_seams_asks(q->seams, part) ||
        !cdi_seam_part_open(&b, q, part))
        return true;
    for (int i = 0; i < q->count; ++i)
        if (!(q->hidden >> i & 1u) && cdi_seam_part_hides(&b, q->seams, q->samples[i])) q->hidden |= 1u << i;
    return !cdi_seams_are_hidden(q);
}

static cd_aabb cdi_seams_box(const cdi_seams_query *q) {
    double wide = CDI_SEAM_TOUCH * q->seams->size + 16.0 * (double)CD_REAL_EPSILON * q->reach;
    cdi_v3 by = cdi_v3_make(wide, wide, wide), lo = q->samples[0], hi = lo;
    cd_aabb box;
    for (int i = 1; i < q->count; ++i) {
        cdi_v3 p = q->samples[i];
        lo = cdi_v3_make(cdi_min(lo.x, p.x), cdi_min(lo.y, p.y), cdi_min(lo.z, p.z));
        hi = cdi_v3_make(cdi_max(hi.x, p.x), cdi_max(hi.y, p.y), cdi_max(hi.z, p.z));
    }
    lo = cdi_v3_sub(lo, by);
    hi = cdi_v3_add(hi, by);
    box.min = cd_vec3_make(cdi_real_of(lo.x), cdi_real_of(lo.y), cdi_real_of(lo.z));
    box.max = cd_vec3_make(cdi_real_of(hi.x), cdi_real_of(hi.y), cdi_real_of(hi.z));
    return box;
}

CDI_FN bool cdi_seams_hide(const cdi_seams *s, cdi_v3 out, const cdi_v3 *samples, int count, bool flat) {
    cdi_seams_query q;
    q.seams = s;
    q.out = out;
    q.samples = samples;
    q.count = count;
    q.flat = flat;
    q.reach = 0.0;
    q.hidden = 0;
    for (int i = 0; i < count; ++i) q.reach = cdi_max(q.reach, cdi_v3_max_abs(samples[i]));
    if (count == 0) return false;
    cdi_parts_in(s->shape, cdi_seams_box(&q), s->ignore, cdi_seams_visit, &q);
    return cdi_seams_are_hidden(&q);
}

/* ---- another direction ---- */

typedef struct cdi_seams_search {
    cdi_seams_query query;
    double most; /* the sine of the angle that something sticks out by */
    cdi_v3 way;  /* where to */
} cdi_seams_search;

static bool cdi_seams_search_visit(void *user, const cdi_shape_part *part) {
    cdi_seams_search *q = (cdi_seams_search *)user;
    const cdi_seams *s = q->query.seams;
    bool own = cdi_seams_is_own(s, part);
    cdi_seam_part b;
    cdi_v3 p, way;
    double length;
    if (part->halfspace || !(own || cdi_seams_asks(s, part)) || !cdi_seam_part_open(&b, &q->query, part))
        return true;
    p = cdi_seam_part_local(&b, q->query.samples[0]);
    way = cdi_v3_sub(b.top, p);
    length = cdi_v3_norm(way);
    if (!(cdi_v3_dot(b.out, way) > q->most * length) || !cdi_seam_part_sticks_out(&b, p, s->angle))
        return true;
    if (!own && !cdi_seam_part_touches(&b, p, CDI_SEAM_TOUCH * s->size + 2.0 * b.noise)) return true;
    q->most = cdi_v3_dot(b.out, way) / length;
    way = cdi_v3_unit(way); /* first: of parts that reach as far as numbers do it overflows when turned */
    q->way = part->posed ? cdi_m3_mul_v3(&b.pose.rotation, way) : way;
    return true;
}

/* What sticks out the most; false where nothing does. */
static bool cdi_seams_find(const cdi_seams *s, const cdi_v3 *at, cdi_v3 out, cdi_v3 *way) {
    cdi_seams_search q;
    q.query.seams = s;
    q.query.out = out;
    q.query.samples = at;
    q.query.count = 1;
    q.query.flat = false;
    q.query.reach = cdi_v3_max_abs(*at);
    q.query.hidden = 0;
    q.most = 0.0;
    cdi_parts_in(s->shape, cdi_seams_box(&q.query), s->ignore, cdi_seams_search_visit, &q);
    *way = q.way;
    return q.most > 0.0;
}

CDI_FN bool cdi_seams_settle(const cdi_seams *s, cdi_v3 at, cdi_v3 *out) {
    cdi_v3 level[2], way, o = *out;
    int count = 0;
    while (cdi_seams_find(s, &at, cdi_v3_unit(o), &way)) {
        if (count == 2) return false;
        if (count == 1) way = cdi_v3_unit(cdi_v3_along(way, level[0], 0.0 - cdi_v3_dot(way, level[0])));
        o = cdi_v3_along(o, way, 0.0 - cdi_v3_dot(o, way));
        if (count == 1) o = cdi_v3_along(o, level[0], 0.0 - cdi_v3_dot(o, level[0]));
        if (!(cdi_v3_norm(o) > 0.3)) return false;
        level[count++] = way;
    }
    *out = cdi_v3_unit(o);
    return true;
}

#undef CDI_SEAM_TOUCH
