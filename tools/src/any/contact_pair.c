#include "any/contact_pair.h"
#include "convex/apart3d.h"
#include "convex/patch.h"
#include "convex/polyhedron.h"
#include "query/closest3d.h"

#define CDI_MEETING_LEVEL  1e-10 /* of the size: what of a front is as far out as any */
#define CDI_MEETING_SHARP  0.3   /* sine of the angle between neighbours at a sharp edge */
#define CDI_MEETING_BORDER 1e-4  /* of the size: so far beyond a triangle's border its face still bears */
#define CDI_EXIT_SHORT     0.5   /* of the length of a way out: others are much shorter */
#define CDI_EXIT_ALONG     0.7   /* cosine: a way out is about along another */
#define CDI_EXIT_REST      0.03125 /* of the length of a way out: what is left of another is nothing beside it */

#define CDI_BELOW_ALONG  0.95 /* cosine: contacts are along about the same way */
#define CDI_BELOW_ACROSS 0.3  /* ... and no longer */

/* A normal to be tried: that of a face of the part of a side. */
typedef struct cdi_way {
    double separation;
    cdi_v3 normal;
    int side;
} cdi_way;

typedef struct cdi_contact_ways {
    int count;
    cdi_way way[CDI_MEETING_WAYS]; /* the least depth first */
} cdi_contact_ways;

/* Two parts; in the frame of that of A. */
typedef struct cdi_part_meeting {
    cdi_contacts *query;
    const cdi_shape_part *part[2];
    cdi_couple couple;
    cdi_pose in_shape[2]; /* that frame, in those of the shapes */
    double margin, size;
    cdi_clearance natural;
    cdi_v3 normal;            /* of the natural contact */
    double depth;             /* its distance */
    cdi_contact_patch *patch; /* room for one */
    cd_rect ground;           /* stands for a half-space */
    cd_support stand_in;
} cdi_part_meeting;

/* ---- frames ---- */

static cdi_pose cdi_pose_none(void) {
    cd_transform none = cd_transform_identity();
    return cdi_pose_of(&none);
}

static cdi_pose cdi_contact_pose_after(const cdi_pose *outer, const cdi_pose *inner) {
    cdi_pose r;
    r.rotation = cdi_m3_mul(&outer->rotation, &inner->rotation);
    r.position = cdi_pose_point(outer, inner->position);
    return r;
}

static cdi_pose cdi_part_stands(const cdi_shape_part *p) {
    return p->posed ? cdi_pose_of(&p->pose) : cdi_pose_none();
}

/* The frame of B's part in that of A's, and that in those of the shapes. */
static cdi_pose cdi_part_meeting_place(cdi_part_meeting *m) {
    const cdi_contacts *q = m->query;
    cdi_pose b = cdi_part_stands(m->part[1]), back;
    m->in_shape[0] = cdi_part_stands(m->part[0]);
    m->in_shape[1] = m->in_shape[0];
    if (q->posed) {
        cdi_pose undo = cdi_pose_inverse(&q->b_in_a);
        m->in_shape[1] = cdi_contact_pose_after(&undo, &m->in_shape[0]);
        b = cdi_contact_pose_after(&q->b_in_a, &b);
    }
    if (!m->part[0]->posed) return b;
    back = cdi_pose_inverse(&m->in_shape[0]);
    return cdi_contact_pose_after(&back, &b);
}

static bool cdi_part_meeting_is_posed(const cdi_part_meeting *m) {
    return m->query->posed || m->part[0]->posed || m->part[1]->posed;
}

/* A direction between the frame of a side's part and that of the meeting. */
static cdi_v3 cdi_part_meeting_turn(const cdi_part_meeting *m, int side, cdi_v3 dir) {
    return side == 1 && m->couple.b.posed ? cdi_m3_mul_v3(&m->couple.b.pose.rotation, dir) : dir;
}

static cdi_v3 cdi_part_meeting_point(const cdi_part_meeting *m, int side, cdi_v3 p) {
    return side == 1 && m->couple.b.posed ? cdi_pose_point(&m->couple.b.pose, p) : p;
}

/* The direction out of a side's part along a normal from A to B; the same the other way round. */
static cdi_v3 cdi_part_meeting_out(int side, cdi_v3 normal) {
    return side == 0 ? normal : cdi_v3_neg(normal);
}

static cdi_v3 cdi_touch_on(const cdi_contact_point *t, int side) {
    return side == 0 ? t->a : t->b;
}

/* ---- what is told ---- */

CDI_FN void cdi_contact_head(cd_manifold *out, const cdi_shape_part *a, const cdi_shape_part *b) {
    cdi_clear(out, sizeof *out);
    out->part_a = a->part;
    out->part_b = b->part;
}

/* Triangles of a mesh have the names of their corners and edges from the whole. */
static uint32_t cdi_contact_name(const cdi_shape_part *p, uint32_t feature) {
    uint32_t kind = CD_FEATURE_KIND(feature), i = CD_FEATURE_INDEX(feature);
    if (!p->triangle || kind == CD_FEATURE_NONE) return feature;
    i = kind == CD_FEATURE_FACE ? p->part.index : 3u * p->part.index + i;
    return CD_FEATURE(kind, i & 0x3FFFFFFFu);
}

static void cdi_part_meeting_head(const cdi_part_meeting *m, cdi_v3 normal, cdi_contact_told *out) {
    cdi_contact_head(&out->head, m->part[0], m->part[1]);
    out->head.normal = cdi_v3_round(cdi_m3_mul_v3(&m->in_shape[0].rotation, normal));
    for (int i = 0; i < 2; ++i) out->surface[i] = m->part[i]->triangle;
}

/* What is nearer than this may touch. */
static double cdi_part_meeting_touching(const cdi_part_meeting *m) {
    return CDI_MEETING_BORDER * m->size + 8.0 * (double)CD_REAL_EPSILON * m->couple.scale;
}

static double cdi_part_meeting_offset(const cdi_part_meeting *m) {
    return (double)m->part[0]->part.offset + (double)m->part[1]->part.offset;
}

static void cdi_part_meeting_write(const cdi_part_meeting *m, const cdi_contact_point *t,
                                   cdi_contact_told *out) {
    cdi_contact_point there = *t;
    there.a = cdi_pose_point(&m->in_shape[0], t->a);
    there.b = cdi_pose_point(&m->in_shape[0], t->b);
    there.distance -= cdi_part_meeting_offset(m);
    cdi_contact_point_write(&there, &out->point);
    out->point.feature_a = cdi_contact_name(m->part[0], t->feature_a);
    out->point.feature_b = cdi_contact_name(m->part[1], t->feature_b);
    out->even = (uint8_t)t->even;
}

static void cdi_contacts_tell(cdi_contacts *q, const cdi_contact_told *t) {
    if (q->stopped) return;
    ++q->count;
    q->stopped = !q->tell(q->to, t);
}

/* For those that wait, and those below; of more normals than there is room for they do not know some. */
static void cdi_part_meeting_exit(const cdi_part_meeting *m, cdi_v3 normal,
                                  const cdi_contact_point *deepest) {
    cdi_contacts *q = m->query;
    cdi_v3 n = cdi_m3_mul_v3(&m->in_shape[0].rotation, normal);
    double depth = cdi_part_meeting_offset(m) - deepest->distance;
    int i = 0;
    while (i < q->exits &&
           (q->exit[i].late != q->late || cdi_v3_sqlength(cdi_v3_sub(q->exit[i].normal, n)) > 1e-6))
        ++i;
    if (i == CDI_EXITS || (i < q->exits && depth <= q->exit[i].depth)) return;
    q->exit[i].normal = n;
    q->exit[i].depth = depth;
    q->exit[i].size = m->size;
    q->exit[i].late = q->late;
    q->exit[i].at[0] = cdi_pose_point(&m->in_shape[0], deepest->a);
    q->exit[i].at[1] = cdi_pose_point(&m->in_shape[0], deepest->b);
    if (i == q->exits) ++q->exits;
}

static void cdi_part_meeting_tell(const cdi_part_meeting *m, cdi_v3 normal) {
    const cdi_contacts *q = m->query;
    cdi_contact_told told;
    int deepest = 0;
    cdi_part_meeting_head(m, normal, &told);
    for (int i = 0; i < m->patch->count; ++i) {
        cdi_part_meeting_write(m, &m->patch->point[i], &told);
        cdi_contacts_tell(m->query, &told);
        if (m->patch->point[i].distance < m->patch->point[deepest].distance) deepest = i;
    }
    if (m->patch->count == 0 || q->again) return;
    if (m->patch->point[deepest].distance <= cdi_part_meeting_offset(m) + cdi_part_meeting_touching(m))
        cdi_part_meeting_exit(m, normal, &m->patch->point[deepest]);
}

/* The two points where the parts are nearest, or deepest. */
static cdi_contact_point cdi_part_meeting_witness(const cdi_part_meeting *m) {
    cdi_contact_point t;
    cdi_clear(&t, sizeof t);
    t.a = m->natural.a;
    t.b = m->natural.b;
    t.distance = m->depth;
    t.feature_a = m->natural.feature_a;
    t.feature_b = m->natural.feature_b;
    return t;
}

static void cdi_part_meeting_refuse(const cdi_part_meeting *m) {
    cdi_contacts *q = m->query;
    cdi_contact_point t = cdi_part_meeting_witness(m);
    cdi_contact_told told;
    cdi_part_meeting_head(m, m->natural.normal, &told);
    cdi_part_meeting_write(m, &t, &told);
    if (q->refused && !(told.point.distance < q->last.point.distance)) return;
    q->refused = true;
    q->last = told;
}

CDI_FN void cdi_contacts_end(cdi_contacts *q) {
    if (q->count == 0 && q->refused) cdi_contacts_tell(q, &q->last);
}

/* ---- faces ---- */

/* The front of a part that has nothing but two faces, in the frame of the meeting; false for what has others, or no area. */
static bool cdi_part_meeting_front(const cdi_part_meeting *m, int side, cdi_v3 *out) {
    cdi_v3 n = cdi_v3_unit(cdi_shape_part_front(m->part[side]));
    if (m->part[side]->store.type == CD_SHAPE_DISC || !cdi_v3_finite(n) || cdi_v3_is_zero(n)) return false;
    *out = cdi_part_meeting_turn(m, side, n);
    return true;
}

static bool cdi_part_meeting_is_one_sided(const cdi_part_meeting *m, int side) {
    return (m->query->flags & CD_SHAPE_ONE_SIDED) && m->part[side]->triangle;
}

/* How far the parts are apart along a normal. */
static double cdi_part_meeting_separation(const cdi_part_meeting *m, cdi_v3 normal) {
    cdi_tip tip;
    tip.vertex_a = tip.vertex_b = CD_NONE;
    cdi_couple_least(&m->couple, normal, &tip);
    return cdi_v3_dot(tip.w, normal) - m->couple.rounded;
}

static void cdi_ways_add(cdi_contact_ways *w, double separation, cdi_v3 normal, int side) {
    int at = w->count;
    for (int i = 0; i < w->count; ++i)
        if (w->way[i].side == side && cdi_v3_norm(cdi_v3_sub(w->way[i].normal, normal)) < 1e-12) return;
    while (at > 0 && separation > w->way[at - 1].separation) --at;
    if (at == CDI_MEETING_WAYS) return;
    if (w->count < CDI_MEETING_WAYS) ++w->count;
    for (int i = w->count - 1; i > at; --i) w->way[i] = w->way[i - 1];
    w->way[at].separation = separation;
    w->way[at].normal = normal;
    w->way[at].side = side;
}

/* Of what is flat the side that is left sooner; of one side, that. `settled` is where the neighbours leave the way, above 0 the front, 0 where that
 * is not known: if it is the other side, triangles of a mesh are left by the front, as its outside, and others not at all. */
static void cdi_ways_of_flat(const cdi_part_meeting *m, int side, cdi_v3 front, double settled,
                             cdi_contact_ways *w) {
    cdi_v3 n = cdi_part_meeting_out(side, front), back = cdi_v3_neg(n);
    double ahead = cdi_part_meeting_separation(m, n), behind = cdi_part_meeting_separation(m, back);
    bool sooner = !(behind > ahead), there = settled != 0.0 ? settled > 0.0 : sooner;
    bool outside = cdi_part_meeting_is_one_sided(m, side) || (m->part[side]->triangle && sooner != there);
    if (outside || (sooner && there)) cdi_ways_add(w, ahead, n, side);
    if (!outside && !sooner && !there) cdi_ways_add(w, behind, back, side);
}

/* A face that does not look away from the natural contact. */
static void cdi_ways_of_face(const cdi_part_meeting *m, int side, cdi_v3 face, cdi_contact_ways *w) {
    cdi_v3 n = cdi_part_meeting_out(side, cdi_part_meeting_turn(m, side, face));
    if (cdi_v3_is_zero(n) || cdi_v3_dot(n, m->normal) < -1e-3) return;
    cdi_ways_add(w, cdi_part_meeting_separation(m, n), n, side);
}

static void cdi_ways_of_polyhedron(const cdi_part_meeting *m, int side, cdi_contact_ways *w) {
    cd_support core = m->part[side]->support;
    cdi_polyhedron p;
    core.radius = 0;
    if (cdi_polyhedron_of_support(&p, &core) != CD_OK || p.parts.dimension < 3) return;
    for (uint32_t i = 0; i < p.parts.face_count; ++i)
        cdi_ways_of_face(m, side, cdi_v3_unit(cdi_polyhedron_normal(&p, i)), w);
}

/* The flat ends of a cylinder or a cone. */
static void cdi_ways_of_caps(const cdi_part_meeting *m, int side, cdi_contact_ways *w) {
    const cd_shape *s = &m->part[side]->store;
    cdi_v3 axis;
    if (!cdi_scale_is_none(s->scale)) return;
    if (s->type == CD_SHAPE_CYLINDER) {
        axis = cdi_v3_unit(cdi_v3_sub(cdi_v3_of(s->u.cylinder.b), cdi_v3_of(s->u.cylinder.a)));
        cdi_ways_of_face(m, side, axis, w);
        cdi_ways_of_face(m, side, cdi_v3_neg(axis), w);
    } else if (s->type == CD_SHAPE_CONE) {
        axis = cdi_v3_unit(cdi_v3_sub(cdi_v3_of(s->u.cone.base), cdi_v3_of(s->u.cone.apex)));
        cdi_ways_of_face(m, side, axis, w);
    }
}

static void cdi_ways_of(const cdi_part_meeting *m, int side, double settled, cdi_contact_ways *w) {
    cdi_v3 front;
    if (cdi_part_meeting_front(m, side, &front)) {
        cdi_ways_of_flat(m, side, front, settled, w);
    } else {
        cdi_ways_of_polyhedron(m, side, w);
        cdi_ways_of_caps(m, side, w);
    }
}

/* ---- is a normal one of the shape? ---- */

static cdi_v3 cdi_part_meeting_foremost(const cdi_part_meeting *m, int side, cdi_v3 out) {
    const cdi_convex *body = side == 0 ? &m->couple.a : &m->couple.b;
    uint32_t vertex = CD_NONE;
    return cdi_v3_along(cdi_convex_farthest(body, out, &vertex), out, body->radius);
}

/* Points of the patch on a side's part that are foremost, some of them where there are many; or else the one that is known. */
static int cdi_part_meeting_front_points(const cdi_part_meeting *m, int side, cdi_v3 out, cdi_v3 known,
                                         cdi_v3 *points) {
    double most = cdi_v3_dot(out, cdi_part_meeting_foremost(m, side, out));
    double level = most - CDI_MEETING_LEVEL * m->size - 4e-14 * m->couple.scale;
    int index[CDI_PATCH_POINTS], found = 0, kept;
    for (int i = 0; i < m->patch->count; ++i)
        if (cdi_v3_dot(out, cdi_touch_on(&m->patch->point[i], side)) >= level) index[found++] = i;
    points[0] = known;
    kept = found < CDI_SEAM_SAMPLES ? found : CDI_SEAM_SAMPLES - 1;
    for (int i = 0; i < kept; ++i) {
        cdi_v3 p = cdi_touch_on(&m->patch->point[index[i * found / kept]], side);
        points[i] = p;
    }
    return kept > 0 ? kept : 1;
}

/* Is the part flat or smooth where it is foremost, and the direction its normal there? */
static bool cdi_part_meeting_is_flat(const cdi_part_meeting *m, int side, cdi_v3 out) {
    cdi_foremost front;
    cdi_foremost_of(side == 0 ? &m->couple.a : &m->couple.b, out, CD_NONE, &front);
    if (front.count < 3 && !(front.round > 0.0)) return false;
    return cdi_v3_norm(cdi_v3_sub(front.normal, out)) <= CDI_SEAM_ANGLE;
}

/* Points inside the front: each is drawn to the middle of all, which is added. */
static int cdi_points_draw(cdi_v3 *p, int count) {
    cdi_v3 middle = cdi_v3_make(0.0, 0.0, 0.0);
    if (count < 2) return count;
    for (int i = 0; i < count; ++i) middle = cdi_v3_add(middle, cdi_v3_scale(p[i], 1.0 / count));
    for (int i = 0; i < count; ++i) p[i] = cdi_v3_along(p[i], cdi_v3_sub(middle, p[i]), 0.125);
    p[count] = middle;
    return count + 1;
}

/* Points of a face that may all lie on its border: one more, beside the last of them toward the middle of the part. */
static int cdi_points_beside(const cdi_part_meeting *m, int side, cdi_v3 out, cdi_v3 *p, int count) {
    cd_aabb box = cdi_shape_part_bounds(m->part[side]);
    cdi_v3 middle = cdi_v3_scale(cdi_v3_add(cdi_v3_of(box.min), cdi_v3_of(box.max)), 0.5), way;
    double length;
    way = cdi_v3_sub(middle, p[count - 1]);
    way = cdi_v3_along(way, out, 0.0 - cdi_v3_dot(way, out));
    length = cdi_v3_norm(way);
    if (!(length > 1e-2 * m->size)) return count;
    p[count] = cdi_v3_along(p[count - 1], way, 1e-3 * m->size / length);
    return count + 1;
}

static cdi_seams cdi_part_meeting_seams(const cdi_part_meeting *m, int side, double angle) {
    const cdi_contacts *q = m->query;
    cdi_seams seams;
    seams.shape = q->shape[side];
    seams.side = side;
    seams.ignore = q->ignore[side];
    seams.filter = q->filter;
    seams.user = q->user;
    seams.own = m->part[side];
    seams.other = m->part[1 - side];
    seams.size = m->size;
    seams.angle = angle;
    return seams;
}

static bool cdi_part_meeting_hides(const cdi_part_meeting *m, int side, cdi_v3 out, cdi_v3 known) {
    cdi_seams seams = cdi_part_meeting_seams(m, side, CDI_SEAM_ANGLE);
    cdi_v3 points[CDI_SEAM_SAMPLES], away = cdi_m3_mul_v3(&m->in_shape[side].rotation, out);
    bool flat = cdi_part_meeting_is_flat(m, side, out), bordered;
    int count = cdi_part_meeting_front_points(m, side, out, known, points);
    bordered = flat && count < 3;
    count = cdi_points_draw(points, count);
    for (int i = 0; i < count; ++i) points[i] = cdi_pose_point(&m->in_shape[side], points[i]);
    if (bordered) count = cdi_points_beside(m, side, away, points, count);
    return cdi_seams_hide(&seams, away, points, count, flat);
}

/* Does the way out along the normal of a flat part lead into another that rises from where it is met? So it does on the inner side of a
 * sharp edge: there, it is the other that is met. */
static bool cdi_part_meeting_blocks(const cdi_part_meeting *m, const cdi_way *w) {
    cdi_seams seams = cdi_part_meeting_seams(m, w->side, CDI_MEETING_SHARP);
    const cdi_pose *pose = &m->in_shape[w->side];
    cdi_v3 at = cdi_pose_point(pose, w->side == 0 ? m->natural.a : m->natural.b);
    cdi_v3 out = cdi_m3_mul_v3(&pose->rotation, cdi_part_meeting_out(w->side, w->normal)), front;
    return cdi_part_meeting_front(m, w->side, &front) && cdi_seams_hide(&seams, out, &at, 1, false);
}

/* Is the direction the normal of the flat part of a side? */
static bool cdi_part_meeting_is_front(const cdi_part_meeting *m, int side, cdi_v3 out) {
    cdi_v3 front;
    return cdi_part_meeting_front(m, side, &front) && cdi_abs(cdi_v3_dot(front, out)) > 1.0 - 1e-12;
}

/* May the shape of a side have the normal where the patch is? A triangle always has its own. `known`: a point where the part has it. */
static bool cdi_part_meeting_allows(const cdi_part_meeting *m, int side, cdi_v3 normal, const cdi_v3 *known) {
    cdi_v3 out = cdi_part_meeting_out(side, normal);
    if (!m->query->many[side]) return true;
    if (m->part[side]->triangle && cdi_part_meeting_is_front(m, side, out)) return true;
    return !cdi_part_meeting_hides(m, side, out, known ? *known : cdi_part_meeting_foremost(m, side, out));
}

/* ---- the natural contact ---- */

/* The normal of the flat part that meets it, where they are one but for rounding: as long as the patch is not lost by it. False where
 * it stays. */
static bool cdi_part_meeting_straighten(cdi_part_meeting *m) {
    for (int side = 0; side < 2; ++side) {
        cdi_v3 front, out = cdi_part_meeting_out(side, m->normal), n;
        if (!cdi_part_meeting_front(m, side, &front)) continue;
        if (cdi_v3_dot(front, out) < 0.0) front = cdi_v3_neg(front);
        if (cdi_v3_norm(cdi_v3_sub(front, out)) > CDI_SEAM_ANGLE) continue;
        n = cdi_part_meeting_out(side, front);
        cdi_patch_along(&m->couple, n, m->margin, m->patch);
        if (m->patch->count == 0) continue;
        m->normal = n;
        return true;
    }
    return false;
}

/* Where the parts are nearest, or deepest; false where they are farther apart than the margin. */
static bool cdi_part_meeting_measure(cdi_part_meeting *m) {
    cdi_gjk_limits limits = cdi_gjk_limits_of(NULL, m->couple.rounded);
    cdi_apart_hint hint;
    double slack = m->couple.scale * 5.6843418860808015e-14; /* 2^-44 */
    cdi_clear(&hint, sizeof hint);
    limits.enough = cdi_max(m->margin, 0.0) + m->couple.rounded + slack;
    limits.iterations = m->query->max_iterations;
    cdi_convex_apart(&m->couple, &limits, &hint, &m->natural);
    m->depth = hint.deep ? m->natural.lower : m->natural.upper;
    m->normal = m->natural.normal;
    if (!(cdi_v3_sqlength(m->normal) > 0.25)) return false; /* numbers beyond what can be told */
    return m->depth <= m->margin + slack;
}

/* The patch of the natural contact, the deepest point among it. */
static void cdi_part_meeting_natural_patch(cdi_part_meeting *m) {
    cdi_contact_point deepest = cdi_part_meeting_witness(m);
    m->patch->count = 0;
    if (cdi_part_meeting_straighten(m))
        deepest.distance = cdi_v3_dot(m->normal, cdi_v3_sub(deepest.b, deepest.a));
    if (m->patch->count == 0) cdi_patch_along(&m->couple, m->normal, m->margin, m->patch);
    cdi_patch_deepest(m->patch, &deepest);
    cdi_patch_order(m->patch);
}

/* Is the point where the part is met one where it has that normal? Not where rounding made the normal of a face a little oblique. */
static bool cdi_part_meeting_is_true(const cdi_part_meeting *m, int side, cdi_v3 normal) {
    cdi_v3 out = cdi_part_meeting_out(side, normal), at = side == 0 ? m->natural.a : m->natural.b;
    uint32_t kind = m->part[side]->support.kind;
    bool corners = kind == CD_SUPPORT_POINTS || kind == CD_SUPPORT_AABB || kind == CD_SUPPORT_OBB ||
                   kind == CD_SUPPORT_HULL;
    cdi_v3 way;
    if (!corners) return true;
    way = cdi_v3_sub(cdi_part_meeting_foremost(m, side, out), at);
    return cdi_v3_dot(out, way) <= CDI_SEAM_ANGLE * cdi_v3_norm(way) + 1e-11 * m->couple.scale;
}

static bool cdi_part_meeting_is_wrong(const cdi_part_meeting *m, int side) {
    const cdi_v3 *known = side == 0 ? &m->natural.a : &m->natural.b;
    if (!m->query->many[side]) return false;
    return !cdi_part_meeting_is_true(m, side, m->normal) ||
           !cdi_part_meeting_allows(m, side, m->normal, known);
}

/* From behind, what has one side is not there; but what reaches through it is to go back. */
static bool cdi_part_meeting_is_behind(const cdi_part_meeting *m, int side) {
    cdi_v3 front;
    if (!cdi_part_meeting_is_one_sided(m, side) || !cdi_part_meeting_front(m, side, &front)) return false;
    return cdi_v3_dot(front, cdi_part_meeting_out(side, m->normal)) < 0.0;
}

/* ---- another one ---- */

/* Where a neighbour ought to have the foremost point, but a crack or rounding lies between: the face bears it a little beyond its border. */
static void cdi_part_meeting_bear(cdi_part_meeting *m, const cdi_way *w) {
    const cdi_shape_part *p = m->part[w->side];
    int other = 1 - w->side;
    cdi_v3 out = cdi_part_meeting_out(w->side, w->normal);
    cdi_v3 x = cdi_part_meeting_foremost(m, other, cdi_v3_neg(out)), foot;
    cdi_tri t = cdi_shape_part_corners(p);
    double border = CDI_MEETING_BORDER * m->size, height;
    cdi_contact_point touch;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 c = cdi_v3_along(cdi_part_meeting_point(m, w->side, t.v[i]), out, (double)p->support.radius);
        t.v[i] = c;
    }
    height = cdi_v3_dot(out, cdi_v3_sub(x, t.v[0]));
    foot = cdi_v3_along(x, out, 0.0 - height);
    if (height > m->margin || cdi_near_triangle(foot, &t).sqdist > border * border) return;
    cdi_clear(&touch, sizeof touch);
    touch.a = w->side == 0 ? foot : x;
    touch.b = w->side == 0 ? x : foot;
    touch.distance = height;
    touch.feature_a = w->side == 0 ? CD_FEATURE(CD_FEATURE_FACE, 0u) : m->natural.feature_a;
    touch.feature_b = w->side == 1 ? CD_FEATURE(CD_FEATURE_FACE, 0u) : m->natural.feature_b;
    m->patch->point[0] = touch;
    m->patch->count = 1;
}

/* Of parts that are apart no point is deep: seen along another normal they may lie over each other by a hair. */
static void cdi_part_meeting_drop_deep(const cdi_part_meeting *m) {
    double least = 0.0 - cdi_part_meeting_touching(m);
    int count = 0;
    for (int i = 0; i < m->patch->count; ++i)
        if (!(m->depth > 0.0) || m->patch->point[i].distance >= least)
            m->patch->point[count++] = m->patch->point[i];
    m->patch->count = count;
}

/* Do both shapes have the way? Its patch is found. */
static bool cdi_part_meeting_has(cdi_part_meeting *m, const cdi_way *w) {
    const cdi_v3 *known = NULL;
    cdi_patch_along(&m->couple, w->normal, m->margin, m->patch);
    cdi_part_meeting_drop_deep(m);
    if (m->patch->count == 0 && m->part[w->side]->store.type == CD_SHAPE_TRIANGLE &&
        cdi_part_meeting_is_front(m, w->side, w->normal))
        cdi_part_meeting_bear(m, w);
    if (m->patch->count == 0 && cdi_part_meeting_is_true(m, w->side, w->normal))
        known = w->side == 0 ? &m->natural.a : &m->natural.b;
    return !cdi_part_meeting_blocks(m, w) && cdi_part_meeting_allows(m, w->side, w->normal, known) &&
           cdi_part_meeting_allows(m, 1 - w->side, w->normal, NULL);
}

/* ---- points below an edge ---- */

/* Is a point that is lower than the foremost one on the edge of a triangle below another part, as one on the diagonal of a wall is below
 * the rest of it? */
static bool cdi_part_meeting_is_inner(const cdi_part_meeting *m, int side, cdi_v3 out, cdi_v3 p) {
    cdi_seams seams = cdi_part_meeting_seams(m, side, CDI_SEAM_ANY);
    double lower = cdi_v3_dot(out, cdi_v3_sub(cdi_part_meeting_foremost(m, side, out), p));
    double touching = cdi_part_meeting_touching(m);
    if (!(lower > 4.0 * touching)) return false; /* its own edge would touch what is above it */
    p = cdi_pose_point(&m->in_shape[side], cdi_v3_along(p, out, 0.5 * lower));
    return cdi_seams_hide(&seams, cdi_m3_mul_v3(&m->in_shape[side].rotation, out), &p, 1, false);
}

static CDI_OUTLINE void cdi_part_meeting_drop_inner(const cdi_part_meeting *m, cdi_v3 normal) {
    for (int side = 0; side < 2; ++side) {
        cdi_v3 out = cdi_part_meeting_out(side, normal);
        int count = 0;
        if (!m->query->many[side] || !m->part[side]->triangle || cdi_part_meeting_is_front(m, side, out))
            continue;
        for (int i = 0; i < m->patch->count; ++i)
            if (!cdi_part_meeting_is_inner(m, side, out, cdi_touch_on(&m->patch->point[i], side)))
                m->patch->point[count++] = m->patch->point[i];
        m->patch->count = count;
    }
}

/* What is left of the patch is told. */
static void cdi_part_meeting_conclude(const cdi_part_meeting *m, cdi_v3 normal) {
    if (!(m->query->flags & CD_SHAPE_KEEP_GHOSTS)) cdi_part_meeting_drop_inner(m, normal);
    if (m->patch->count == 0) {
        cdi_part_meeting_refuse(m);
    } else {
        cdi_part_meeting_tell(m, normal);
    }
}

/* ---- those below another ---- */

/* How far a point on a side is over the plane of a contact, and the direction out of the side there; both in A's frame. */
static double cdi_exit_height(const cdi_exit *e, int side, cdi_v3 p, cdi_v3 *out) {
    *out = cdi_part_meeting_out(side, e->normal);
    return cdi_v3_dot(*out, cdi_v3_sub(p, e->at[side]));
}

/* A point of A's frame in that of a side's shape, and a direction. */
static cdi_v3 cdi_contacts_point_in(const cdi_contacts *q, int side, cdi_v3 p) {
    if (side == 0 || !q->posed) return p;
    return cdi_m3_tmul_v3(&q->b_in_a.rotation, cdi_v3_sub(p, q->b_in_a.position));
}

static cdi_v3 cdi_contacts_turn_in(const cdi_contacts *q, int side, cdi_v3 dir) {
    return side == 1 && q->posed ? cdi_m3_tmul_v3(&q->b_in_a.rotation, dir) : dir;
}

/* Does the shape of a side rise, in the plane of a contact, over one of the points that are below it? It is asked about all of its parts:
 * where that is wrong, no more than time is lost. */
static bool cdi_contacts_rise(const cdi_contacts *q, const cdi_exit *e, int side, cd_vec3 normal,
                              const cd_contact *points, int count) {
    cdi_v3 out = cdi_contacts_turn_in(q, side, cdi_part_meeting_out(side, cdi_v3_of(normal)));
    cdi_v3 sample[CDI_SEAM_SAMPLES], p, up;
    cdi_shape_part none;
    cdi_seams seams;
    int found = 0;
    for (int i = 0; i < count && found < CDI_SEAM_SAMPLES; ++i) {
        double height, noise;
        p = cdi_v3_of(side == 0 ? points[i].a : points[i].b);
        height = cdi_exit_height(e, side, p, &up);
        noise = 8.0 * (double)CD_REAL_EPSILON * cdi_max(cdi_v3_max_abs(p), cdi_v3_max_abs(e->at[side]));
        if (height > CDI_MEETING_BORDER * e->size + noise) continue;
        p = cdi_contacts_point_in(q, side, cdi_v3_along(p, up, 0.0 - height));
        sample[found++] = p;
    }
    none.item = none.part.child = CD_NONE;
    cdi_clear(&seams, sizeof seams);
    seams.shape = q->shape[side];
    seams.side = side;
    seams.ignore = q->ignore[side];
    seams.own = seams.other = &none;
    seams.size = e->size;
    seams.angle = CDI_SEAM_ANGLE;
    return cdi_seams_hide(&seams, out, sample, found, false);
}

CDI_FN bool cdi_contacts_are_below(const cdi_contacts *q, cd_vec3 normal, const cd_contact *points,
                                   int count) {
    for (int i = 0; i < q->exits; ++i) {
        if (cdi_v3_dot(q->exit[i].normal, cdi_v3_of(normal)) > CDI_BELOW_ALONG) continue;
        for (int side = 0; side < 2; ++side)
            if (q->many[side] && cdi_contacts_rise(q, &q->exit[i], side, normal, points, count)) return true;
    }
    return false;
}

CDI_FN void cdi_contacts_ask_again(cdi_contacts *q) {
    q->again = true;
    q->count = 0;
    q->refused = q->late = q->crowded = false;
    q->waits = 0;
}

static double cdi_part_meeting_height(const cdi_part_meeting *m, const cdi_exit *e, int side, cdi_v3 p,
                                      cdi_v3 *out) {
    double height = cdi_exit_height(e, side, cdi_pose_point(&m->in_shape[0], p), out);
    *out = cdi_m3_tmul_v3(&m->in_shape[0].rotation, *out);
    return height;
}

/* How far a triangle reaches over the plane of a contact. */
static double cdi_part_meeting_top(const cdi_part_meeting *m, const cdi_exit *e, int side) {
    cdi_tri t = cdi_shape_part_corners(m->part[side]);
    double most = -CDI_HUGE;
    cdi_v3 out;
    for (int i = 0; i < 3; ++i)
        most =
            cdi_max(most, cdi_part_meeting_height(m, e, side, cdi_part_meeting_point(m, side, t.v[i]), &out));
    return most;
}

/* Does the shape rise, from the plane of another contact, into the way out of a triangle that is met below it? Of one that is met in that
 * plane, if it does not reach over it, and stands across. */
static bool cdi_part_meeting_is_below(const cdi_part_meeting *m, int side, cdi_v3 normal, const cdi_exit *e) {
    cdi_seams seams = cdi_part_meeting_seams(m, side, CDI_SEAM_ANGLE);
    cdi_v3 points[CDI_SEAM_SAMPLES],
        away = cdi_m3_mul_v3(&m->in_shape[side].rotation, cdi_part_meeting_out(side, normal));
    double level = CDI_MEETING_BORDER * m->size, lowest = 0.0;
    double along = cdi_v3_dot(e->normal, cdi_m3_mul_v3(&m->in_shape[0].rotation, normal));
    int count = m->patch->count, kept = count < CDI_SEAM_SAMPLES ? count : CDI_SEAM_SAMPLES;
    if (along > CDI_BELOW_ALONG) return false;
    for (int i = 0; i < kept; ++i) {
        cdi_v3 p = cdi_touch_on(&m->patch->point[i * count / kept], side), up;
        double height = cdi_part_meeting_height(m, e, side, p, &up);
        if (height > level) return false;
        lowest = cdi_min(lowest, height);
        p = cdi_v3_along(p, up, 0.0 - height);
        points[i] = cdi_pose_point(&m->in_shape[side], p);
    }
    if (lowest > -level && (along > CDI_BELOW_ACROSS || cdi_part_meeting_top(m, e, side) > level))
        return false;
    return cdi_seams_hide(&seams, away, points, kept, true);
}

/* Is the contact along a normal, whose patch is there, below another? */
static CDI_OUTLINE bool cdi_part_meeting_is_covered(const cdi_part_meeting *m, cdi_v3 normal) {
    const cdi_contacts *q = m->query;
    if (!q->again || (q->flags & CD_SHAPE_KEEP_GHOSTS)) return false;
    for (int side = 0; side < 2; ++side) {
        if (!q->many[side] || !m->part[side]->triangle) continue;
        for (int i = 0; i < q->exits; ++i)
            if (cdi_part_meeting_is_below(m, side, normal, &q->exit[i])) return true;
    }
    return false;
}

/* ---- those that wait ---- */

static cdi_waiting cdi_waiting_of(const cdi_shape_part *a, const cdi_shape_part *b) {
    cdi_waiting w;
    cdi_clear(&w, sizeof w);
    w.child[0] = a->part.child;
    w.child[1] = b->part.child;
    w.item[0] = a->item;
    w.item[1] = b->item;
    return w;
}

/* With those ways before the one that is taken which are much shorter. */
static cdi_waiting cdi_part_meeting_waiting(const cdi_part_meeting *m, const cdi_contact_ways *w, int taken) {
    cdi_waiting r = cdi_waiting_of(m->part[0], m->part[1]);
    double offset = cdi_part_meeting_offset(m), separation = w->way[taken].separation;
    r.length = offset - separation;
    for (int i = 0; i < taken && separation < 0.0; ++i) {
        if (!(w->way[i].separation > CDI_EXIT_SHORT * separation)) continue;
        r.hidden[r.count].normal = cdi_m3_mul_v3(&m->in_shape[0].rotation, w->way[i].normal);
        r.hidden[r.count++].depth = offset - w->way[i].separation;
    }
    return r;
}

/* Does a way out that has been told, much shorter than that of the pair, lead out of its part along a hidden way? */
static bool cdi_contacts_leave(const cdi_contacts *q, const cdi_waiting *w) {
    for (int k = 0; k < w->count; ++k)
        for (int i = 0; i < q->exits; ++i) {
            double along = cdi_v3_dot(q->exit[i].normal, w->hidden[k].normal), depth = q->exit[i].depth;
            if (depth > 0.0 && !q->exit[i].late && along > CDI_EXIT_ALONG &&
                depth < CDI_EXIT_SHORT * w->length &&
                w->hidden[k].depth - depth * along < CDI_EXIT_REST * w->length)
                return true;
        }
    return false;
}

static bool cdi_contacts_waited(const cdi_contacts *q, const cdi_shape_part *a, const cdi_shape_part *b) {
    cdi_waiting w = cdi_waiting_of(a, b);
    for (int i = 0; i < q->waits; ++i) {
        const cdi_waiting *x = &q->waiting[i];
        if (x->child[0] == w.child[0] && x->child[1] == w.child[1] && x->item[0] == w.item[0] &&
            x->item[1] == w.item[1])
            return true;
    }
    return q->crowded;
}

CDI_FN bool cdi_contacts_again(cdi_contacts *q) {
    int left = 0;
    for (int i = 0; i < q->waits; ++i)
        if (!cdi_contacts_leave(q, &q->waiting[i])) q->waiting[left++] = q->waiting[i];
    q->waits = left;
    q->late = true;
    return !q->stopped && (left > 0 || q->crowded);
}

static void cdi_contacts_wait(cdi_contacts *q, const cdi_waiting *w) {
    q->crowded = q->crowded || q->waits == CDI_WAITING;
    if (q->waits < CDI_WAITING) q->waiting[q->waits++] = *w;
}

/* Of the ways the first that the shapes have; those before it are hidden. Where nothing of the other part is over its face, a neighbour has the
 * contact. */
static void cdi_part_meeting_take(cdi_part_meeting *m, const cdi_contact_ways *w, int taken) {
    cdi_contacts *q = m->query;
    cdi_waiting waiting = cdi_part_meeting_waiting(m, w, taken);
    if (m->patch->count == 0 || cdi_part_meeting_is_covered(m, w->way[taken].normal) ||
        cdi_contacts_leave(q, &waiting)) {
        cdi_part_meeting_refuse(m);
    } else if (q->late == (waiting.count > 0)) {
        cdi_part_meeting_conclude(m, w->way[taken].normal);
    } else if (!q->late) {
        cdi_contacts_wait(q, &waiting);
    }
}

/* The normal of the shape nearest to the natural one, where that was met. Answers on which side of a flat part that is, above 0 its front, 0 for
 * none. */
static double cdi_ways_of_seams(const cdi_part_meeting *m, int side, cdi_contact_ways *w) {
    cdi_seams seams = cdi_part_meeting_seams(m, side, CDI_SEAM_ANGLE);
    const cdi_pose *pose = &m->in_shape[side];
    cdi_v3 at = cdi_pose_point(pose, side == 0 ? m->natural.a : m->natural.b);
    cdi_v3 out = cdi_m3_mul_v3(&pose->rotation, cdi_part_meeting_out(side, m->normal)), front, normal;
    double settled = 0.0;
    if (!cdi_seams_settle(&seams, at, &out)) return 0.0;
    out = cdi_m3_tmul_v3(&pose->rotation, out);
    if (cdi_part_meeting_front(m, side, &front)) {
        settled = cdi_v3_dot(front, out);
        if (settled < 0.0) front = cdi_v3_neg(front);
        if (cdi_v3_norm(cdi_v3_sub(front, out)) <= CDI_SEAM_ANGLE) return settled; /* that will be tried */
    }
    normal = cdi_part_meeting_out(side, out);
    cdi_ways_add(w, cdi_part_meeting_separation(m, normal), normal, side);
    return settled;
}

/* By the faces of those that have not the natural normal, or by one that their neighbours leave. */
static void cdi_part_meeting_mend(cdi_part_meeting *m, const bool wrong[2]) {
    cdi_contact_ways w;
    double settled;
    w.count = 0;
    for (int side = 0; side < 2; ++side) {
        if (!wrong[side]) continue;
        settled = cdi_part_meeting_is_behind(m, side) ? 0.0 : cdi_ways_of_seams(m, side, &w);
        cdi_ways_of(m, side, settled, &w);
    }
    for (int i = 0; i < w.count; ++i) {
        if (!cdi_part_meeting_has(m, &w.way[i])) continue;
        cdi_part_meeting_take(m, &w, i);
        return;
    }
    cdi_part_meeting_refuse(m);
}

static void cdi_part_meeting_of_bodies(cdi_part_meeting *m) {
    bool mended = (m->query->flags & CD_SHAPE_KEEP_GHOSTS) == 0;
    bool behind[2], wrong[2];
    for (int side = 0; side < 2; ++side) behind[side] = cdi_part_meeting_is_behind(m, side);
    if ((behind[0] || behind[1]) && m->depth > 0.0) return;
    cdi_part_meeting_natural_patch(m);
    for (int side = 0; side < 2; ++side)
        wrong[side] = behind[side] || (mended && cdi_part_meeting_is_wrong(m, side));
    if (wrong[0] || wrong[1]) {
        cdi_part_meeting_mend(m, wrong);
    } else if (cdi_part_meeting_is_covered(m, m->normal)) {
        cdi_part_meeting_refuse(m);
    } else if (!m->query->late) {
        cdi_part_meeting_conclude(m, m->normal);
    }
}

/* ---- half-spaces ---- */

/* How far a body reaches from its centre along the axes, at most. */
static double cdi_body_girth(const cdi_convex *body, cdi_v3 center) {
    static const double way[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    double most = 0.0;
    uint32_t vertex = CD_NONE;
    for (int i = 0; i < 6; ++i) {
        cdi_v3 dir = cdi_v3_make(way[i][0], way[i][1], way[i][2]);
        cdi_v3 p = cdi_convex_farthest(body, dir, &vertex);
        most = cdi_max(most, cdi_v3_dot(dir, cdi_v3_sub(p, center)));
    }
    return most + body->radius;
}

/* A piece of its plane, so large that the other part is over it, and no larger than a few times that: depths are told apart as well as the
 * larger of the two allows. */
static void cdi_part_meeting_ground(cdi_part_meeting *m, int side, const cdi_pose *b_in_a) {
    const cd_plane *plane = &m->part[side]->store.u.halfspace;
    const cd_support *other = &m->part[1 - side]->support;
    cdi_v3 n = cdi_v3_unit(cdi_v3_of(plane->n)), center, at, u, v;
    cdi_pose undo = cdi_pose_inverse(b_in_a);
    cdi_convex body;
    double height, half;
    m->stand_in.kind = CD_SUPPORT_NOTHING;
    if (!cdi_convex_open(&body, other, NULL)) return;
    center = cdi_convex_center(&body);
    at = cdi_pose_point(side == 1 ? &undo : b_in_a, center);
    height = cdi_v3_dot(n, at) - (double)plane->d / cdi_v3_norm(cdi_v3_of(plane->n));
    at = cdi_v3_along(at, n, 0.0 - height);
    half = 4.0 * cdi_body_girth(&body, center) + 4.0 * (double)CD_REAL_EPSILON * cdi_v3_max_abs(at);
    if (!(half > 0.0)) half = height != 0.0 ? cdi_abs(height) : 1.0;
    u = cdi_across(n);
    v = cdi_v3_cross(n, u);
    at = cdi_v3_along(cdi_v3_along(at, u, 0.0 - half), v, 0.0 - half);
    m->ground.a = cdi_v3_round(at);
    m->ground.edge[0] = cdi_v3_round(cdi_v3_scale(u, 2.0 * half));
    m->ground.edge[1] = cdi_v3_round(cdi_v3_scale(v, 2.0 * half));
    m->stand_in = cd_support_of_rect(&m->ground);
}

/* The heights of the points over the plane itself. */
static void cdi_part_meeting_level(cdi_part_meeting *m, int side, cdi_v3 out) {
    const cd_plane *plane = &m->part[side]->store.u.halfspace;
    double d = (double)plane->d / cdi_v3_norm(cdi_v3_of(plane->n));
    int count = 0;
    if (side == 1 && m->couple.b.posed) d += cdi_v3_dot(out, m->couple.b.pose.position);
    for (int i = 0; i < m->patch->count; ++i) {
        cdi_contact_point t = m->patch->point[i];
        cdi_v3 x = cdi_touch_on(&t, 1 - side), foot;
        t.distance = cdi_v3_dot(out, x) - d;
        foot = cdi_v3_along(x, out, 0.0 - t.distance);
        if (side == 0) t.a = foot;
        if (side == 1) t.b = foot;
        if (t.distance <= m->margin) m->patch->point[count++] = t;
    }
    m->patch->count = count;
}

static void cdi_part_meeting_of_halfspace(cdi_part_meeting *m, int side) {
    cdi_v3 n = cdi_v3_unit(cdi_v3_of(m->part[side]->store.u.halfspace.n));
    cdi_v3 out = cdi_part_meeting_turn(m, side, n), normal = cdi_part_meeting_out(side, out);
    double slack = 2.0 * (double)CD_REAL_EPSILON * m->couple.scale;
    if (cdi_v3_is_zero(n) || m->query->late) return;
    cdi_patch_along(&m->couple, normal, m->margin + slack, m->patch);
    cdi_part_meeting_level(m, side, out);
    cdi_part_meeting_tell(m, normal);
}

/* ---- both ---- */

static bool cdi_part_meeting_open(cdi_part_meeting *m) {
    cdi_pose b_in_a = cdi_part_meeting_place(m);
    const cd_support *s[2];
    for (int side = 0; side < 2; ++side) {
        s[side] = &m->part[side]->support;
        if (!m->part[side]->halfspace) continue;
        cdi_part_meeting_ground(m, side, &b_in_a);
        s[side] = &m->stand_in;
    }
    if (!cdi_couple_open(&m->couple, s[0], s[1], NULL)) return false;
    if (cdi_part_meeting_is_posed(m)) cdi_couple_move(&m->couple, &b_in_a);
    m->margin = m->query->margin + cdi_part_meeting_offset(m);
    m->size = cdi_min(m->query->size_a, cdi_shape_part_size(m->part[1]));
    return cdi_finite(m->couple.scale + m->couple.rounded + m->margin);
}

/* `ground`: the side that is a half-space, or -1. The patch is not there while depths are looked for, which take much of the stack. */
static CDI_OUTLINE void cdi_part_meeting_answer(cdi_part_meeting *m, int ground) {
    cdi_contact_patch patch;
    m->patch = &patch;
    if (ground < 0) {
        cdi_part_meeting_of_bodies(m);
    } else {
        cdi_part_meeting_of_halfspace(m, ground);
    }
}

CDI_FN void cdi_contacts_of_pair(cdi_contacts *q, const cdi_shape_part *a, const cdi_shape_part *b) {
    cdi_part_meeting m;
    m.query = q;
    m.part[0] = a;
    m.part[1] = b;
    if (a->unsupported || b->unsupported || (a->halfspace && b->halfspace) ||
        (q->late && !cdi_contacts_waited(q, a, b)) || !cdi_part_meeting_open(&m))
        return;
    if (a->halfspace || b->halfspace) {
        cdi_part_meeting_answer(&m, a->halfspace ? 0 : 1);
    } else if (cdi_part_meeting_measure(&m)) {
        cdi_part_meeting_answer(&m, -1);
    }
}

#undef CDI_MEETING_LEVEL
#undef CDI_MEETING_SHARP
#undef CDI_MEETING_BORDER
#undef CDI_EXIT_SHORT
#undef CDI_EXIT_ALONG
#undef CDI_EXIT_REST
#undef CDI_BELOW_ALONG
#undef CDI_BELOW_ACROSS
