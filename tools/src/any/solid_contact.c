#include "any/solid_contact.h"
#include "any/bulk.h"
#include "any/part.h"
#include "query/test.h"
#include "shape/aabb.h"
#include "query/triangle_triangle.h"
#include "tree/bvh_cast.h"
#include "tree/bvh_pairs_kernel.h"

/* ---- pieces ---- */

/* All pairs that meet, and what is made of them: pieces, and how far they reach along a direction. */
typedef struct cdi_seam {
    cdi_pair_walk w;
    cd_solid_piece *pieces;
    size_t capacity, count;
    cdi_v3 unit;
    double from, to;
    bool found;
} cdi_seam;

static cd_triangle cdi_tri_round(const cdi_tri *t) {
    cd_triangle r;
    r.a = cdi_v3_round(t->v[0]);
    r.b = cdi_v3_round(t->v[1]);
    r.c = cdi_v3_round(t->v[2]);
    return r;
}

/* What two items have in common. */
static bool cdi_seam_cut(const cdi_seam *c, uint32_t item_a, uint32_t item_b, cdi_tri *a, cdi_tri *b,
                         cd_triangle_cut *cut) {
    cdi_posed p, q;
    cd_triangle t, u;
    cdi_posed_read(&p, &c->w.a, item_a, &c->w.place_a);
    cdi_posed_read(&q, &c->w.b, item_b, &c->w.place_b);
    *a = p.u.tri;
    *b = q.u.tri;
    t = cdi_tri_round(a);
    u = cdi_tri_round(b);
    return cd_intersect_triangle_triangle(&t, &u, cut);
}

static double cdi_cut_area(const cd_triangle_cut *cut) {
    cdi_v3 sum = cdi_v3_make(0.0, 0.0, 0.0), p = cdi_v3_of(cut->points[0]);
    for (uint32_t i = 2; i < cut->count; ++i)
        sum = cdi_v3_add(sum, cdi_v3_cross(cdi_v3_sub(cdi_v3_of(cut->points[i - 1]), p),
                                           cdi_v3_sub(cdi_v3_of(cut->points[i]), p)));
    return 0.5 * cdi_v3_norm(sum);
}

/* The ends: of a segment along the cross product of the normals. */
static void cdi_piece_ends(const cd_triangle_cut *cut, cdi_v3 along, cd_solid_piece *out) {
    cd_vec3 p = cut->points[0], q = cut->points[cut->count / 2];
    bool turned = cdi_v3_dot(cdi_v3_sub(cdi_v3_of(q), cdi_v3_of(p)), along) < 0.0;
    out->a = turned ? q : p;
    out->b = turned ? p : q;
}

static void cdi_piece_write(const cd_triangle_cut *cut, cd_pair pair, const cdi_tri *a, const cdi_tri *b,
                            cd_solid_piece *out) {
    cdi_v3 n = cdi_tri_normal(a), m = cdi_tri_normal(b);
    cd_aabb box = cd_aabb_from_points(cut->points, cut->count);
    cdi_clear(out, sizeof *out);
    out->pair = pair;
    out->points = cut->count;
    out->box = box;
    out->area = cdi_real_of(cdi_cut_area(cut));
    out->normal = cdi_v3_round(cdi_v3_sub(n, m));
    cdi_piece_ends(cut, cdi_v3_cross(n, m), out);
}

static void cdi_seam_reach(cdi_seam *c, cdi_v3 p) {
    double at = cdi_v3_dot(c->unit, p);
    c->from = c->found ? cdi_min(at, c->from) : at;
    c->to = c->found ? cdi_max(at, c->to) : at;
    c->found = true;
}

static bool cdi_seam_pair(void *user, uint32_t item_a, uint32_t item_b, cd_pair pair) {
    cdi_seam *c = (cdi_seam *)user;
    cd_triangle_cut cut;
    cdi_tri a, b;
    if (!cdi_seam_cut(c, item_a, item_b, &a, &b, &cut)) return true;
    if (c->count < c->capacity) cdi_piece_write(&cut, pair, &a, &b, &c->pieces[c->count]);
    for (uint32_t i = 0; i < cut.count; ++i) cdi_seam_reach(c, cdi_v3_of(cut.points[i]));
    ++c->count;
    return true;
}

static void cdi_seam_run(cdi_seam *c, const cd_solid *a, const cd_solid *b, const cd_transform *b_in_a,
                         const cd_solid_options *options) {
    c->count = 0;
    c->found = false;
    if (!cdi_pairs_open(&c->w, a->tree, b->tree, b_in_a, 0.0, options ? &options->pairs : NULL)) return;
    c->w.visit_items = cdi_seam_pair;
    c->w.user = c;
    CDI_RUN(cdi_pairs_run, (&c->w));
}

CD_API size_t cd_solid_curve(const cd_solid *a, const cd_solid *b, const cd_transform *b_in_a,
                             const cd_solid_options *options, cd_solid_piece *pieces, size_t capacity) {
    cdi_seam c;
    if (!cd_solid_is_valid(a) || !cd_solid_is_valid(b)) return 0;
    cdi_clear(&c, sizeof c);
    c.pieces = pieces;
    c.capacity = pieces ? capacity : 0;
    cdi_seam_run(&c, a, b, b_in_a, options);
    return c.count;
}

/* ---- sorting without memory: slots are links of the pieces, two of each ---- */

static uint32_t cdi_slot_get(const cd_solid_piece *pieces, size_t slot) {
    return pieces[slot / 2].links[slot % 2];
}

/* Of the numbers in slots: by what they stand for. */
typedef bool (*cdi_slot_before)(const cd_solid_piece *pieces, uint32_t a, uint32_t b);

static void cdi_slot_sink(cd_solid_piece *pieces, size_t at, size_t count, cdi_slot_before before) {
    uint32_t value = cdi_slot_get(pieces, at);
    for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        uint32_t below = cdi_slot_get(pieces, child);
        if (child + 1 < count && before(pieces, below, cdi_slot_get(pieces, child + 1)))
            below = cdi_slot_get(pieces, ++child);
        if (!before(pieces, value, below)) break;
        pieces[at / 2].links[at % 2] = below;
        at = child;
    }
    pieces[at / 2].links[at % 2] = value;
}

/* The numbers below `count`, sorted. */
static void cdi_slots_sort(cd_solid_piece *pieces, size_t count, cdi_slot_before before) {
    for (size_t i = 0; i < count; ++i) pieces[i / 2].links[i % 2] = (uint32_t)i;
    for (size_t i = count / 2; i > 0; --i) cdi_slot_sink(pieces, i - 1, count, before);
    while (count > 1) {
        uint32_t first = cdi_slot_get(pieces, 0), last = cdi_slot_get(pieces, --count);
        pieces[0].links[0] = last;
        cdi_slot_sink(pieces, 0, count, before);
        pieces[count / 2].links[count % 2] = first;
    }
}

static bool cdi_piece_is_before(const cd_solid_piece *a, const cd_solid_piece *b) {
    if (a->region != b->region) return a->region < b->region;
    return a->pair.a < b->pair.a || (a->pair.a == b->pair.a && a->pair.b < b->pair.b);
}

static void cdi_pieces_sink(cd_solid_piece *pieces, size_t at, size_t count) {
    cd_solid_piece value = pieces[at];
    for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && cdi_piece_is_before(&pieces[child], &pieces[child + 1])) ++child;
        if (!cdi_piece_is_before(&value, &pieces[child])) break;
        pieces[at] = pieces[child];
        at = child;
    }
    pieces[at] = value;
}

/* The pieces themselves, by regions, then by pairs. */
static void cdi_pieces_sort(cd_solid_piece *pieces, size_t count) {
    for (size_t i = count / 2; i > 0; --i) cdi_pieces_sink(pieces, i - 1, count);
    while (count > 1) {
        cd_solid_piece first = pieces[0];
        pieces[0] = pieces[--count];
        cdi_pieces_sink(pieces, 0, count);
        pieces[count] = first;
    }
}

/* ---- joining: `region` is the number of another piece of the region, at last the smallest ---- */

static uint32_t cdi_piece_root(cd_solid_piece *pieces, uint32_t i) {
    while (pieces[i].region != i) {
        pieces[i].region = pieces[pieces[i].region].region;
        i = pieces[i].region;
    }
    return i;
}

static void cdi_pieces_join(cd_solid_piece *pieces, uint32_t i, uint32_t j) {
    i = cdi_piece_root(pieces, i);
    j = cdi_piece_root(pieces, j);
    if (i < j)
        pieces[j].region = i;
    else
        pieces[i].region = j;
}

/* An end of a piece by its number: twice that of the piece, and one more for the second. */
static cd_vec3 cdi_piece_end(const cd_solid_piece *pieces, uint32_t end) {
    return end % 2 ? pieces[end / 2].b : pieces[end / 2].a;
}

static bool cdi_ends_differ(cd_vec3 p, cd_vec3 q) {
    return p.x != q.x || p.y != q.y || p.z != q.z;
}

static bool cdi_end_before(const cd_solid_piece *pieces, uint32_t i, uint32_t j) {
    cd_vec3 p = cdi_piece_end(pieces, i), q = cdi_piece_end(pieces, j);
    if (p.x != q.x) return p.x < q.x;
    if (p.y != q.y) return p.y < q.y;
    if (p.z != q.z) return p.z < q.z;
    return i < j;
}

static void cdi_pieces_join_ends(cd_solid_piece *pieces, size_t count) {
    cdi_slots_sort(pieces, 2 * count, cdi_end_before);
    for (size_t i = 1; i < 2 * count; ++i) {
        uint32_t e = cdi_slot_get(pieces, i - 1), f = cdi_slot_get(pieces, i);
        if (!cdi_ends_differ(cdi_piece_end(pieces, e), cdi_piece_end(pieces, f)))
            cdi_pieces_join(pieces, e / 2, f / 2);
    }
}

/* By a triangle, then by where boxes begin. */
static bool cdi_piece_before_of(const cd_solid_piece *p, const cd_solid_piece *q, uint32_t own,
                                uint32_t other, bool before) {
    if (own != other) return own < other;
    return p->box.min.x != q->box.min.x ? p->box.min.x < q->box.min.x : before;
}
static bool cdi_piece_before_a(const cd_solid_piece *pieces, uint32_t i, uint32_t j) {
    return cdi_piece_before_of(&pieces[i], &pieces[j], pieces[i].pair.a, pieces[j].pair.a, i < j);
}
static bool cdi_piece_before_b(const cd_solid_piece *pieces, uint32_t i, uint32_t j) {
    return cdi_piece_before_of(&pieces[i], &pieces[j], pieces[i].pair.b, pieces[j].pair.b, i < j);
}

/* Pieces on one triangle, of which one is no segment, at one place: their boxes meet, but for the rounding of corners. */
static void cdi_pieces_join_places(cd_solid_piece *pieces, size_t count, bool of_b) {
    cdi_slots_sort(pieces, count, of_b ? cdi_piece_before_b : cdi_piece_before_a);
    for (size_t i = 0; i < count; ++i) {
        uint32_t n = cdi_slot_get(pieces, i);
        const cd_solid_piece *p = &pieces[n];
        cd_aabb box = cdi_aabb_grown(p->box, 0.0);
        for (size_t j = i + 1; j < count; ++j) {
            uint32_t m = cdi_slot_get(pieces, j);
            const cd_solid_piece *q = &pieces[m];
            if ((of_b ? p->pair.b != q->pair.b : p->pair.a != q->pair.a) || q->box.min.x > box.max.x) break;
            if ((p->points != 2 || q->points != 2) && cd_test_aabb_aabb(box, q->box))
                cdi_pieces_join(pieces, n, m);
        }
    }
}

/* Puts the pieces in order and numbers their regions; returns how many there are. */
static uint32_t cdi_pieces_group(cd_solid_piece *pieces, size_t count) {
    uint32_t regions = 0;
    for (size_t i = 0; i < count; ++i) pieces[i].region = 0;
    cdi_pieces_sort(pieces, count);
    for (size_t i = 0; i < count; ++i) pieces[i].region = (uint32_t)i;
    cdi_pieces_join_ends(pieces, count);
    cdi_pieces_join_places(pieces, count, false);
    cdi_pieces_join_places(pieces, count, true);
    for (size_t i = 0; i < count;
         ++i) { /* the smallest comes first, and has its number when the others ask for it */
        uint32_t root = pieces[i].region == i ? (uint32_t)i : cdi_piece_root(pieces, (uint32_t)i);
        pieces[i].links[0] = root == i ? regions++ : pieces[root].links[0];
    }
    for (size_t i = 0; i < count; ++i) pieces[i].region = pieces[i].links[0];
    cdi_pieces_sort(pieces, count);
    return regions;
}

/* ---- what a region is like ---- */

typedef struct cdi_rift_sum {
    cdi_v3 middle, faces_middle, normal, faces_normal, around;
    double length, faces;
} cdi_rift_sum;

static void cdi_rift_add(cdi_rift_sum *s, const cd_solid_piece *p) {
    cdi_v3 a = cdi_v3_of(p->a), b = cdi_v3_of(p->b), n = cdi_v3_of(p->normal);
    cdi_v3 middle = cdi_v3_along(cdi_v3_scale(a, 0.5), b, 0.5);
    double length = cdi_v3_norm(cdi_v3_sub(b, a));
    if (p->points > 2) {
        cdi_v3 lo = cdi_v3_of(p->box.min), hi = cdi_v3_of(p->box.max);
        middle = cdi_v3_along(cdi_v3_scale(lo, 0.5), hi, 0.5);
        s->faces += (double)p->area;
        s->faces_middle = cdi_v3_along(s->faces_middle, middle, (double)p->area);
        s->faces_normal = cdi_v3_along(s->faces_normal, n, (double)p->area);
        return;
    }
    s->length += length;
    s->middle = cdi_v3_along(s->middle, middle, length);
    s->normal = cdi_v3_along(s->normal, n, length);
}

/* The area around which segments go, as a vector. */
static cdi_v3 cdi_rift_around(const cd_solid_piece *p, uint32_t count, cdi_v3 center) {
    cdi_v3 sum = cdi_v3_make(0.0, 0.0, 0.0);
    for (uint32_t i = 0; i < count; ++i) {
        cdi_v3 a = cdi_v3_sub(cdi_v3_of(p[i].a), center), b = cdi_v3_sub(cdi_v3_of(p[i].b), center);
        if (p[i].points == 2) sum = cdi_v3_along(sum, cdi_v3_cross(a, b), 0.5);
    }
    return sum;
}

/* A curve goes around much when its area is at least a fiftieth of that of a circle as long. */
#define CDI_REGION_ROUND (0.02 / 12.566370614359172)

static cdi_v3 cdi_rift_normal(const cdi_rift_sum *s, const cd_solid_piece *first) {
    cdi_v3 n = s->around;
    if (s->faces > 0.0 && !cdi_v3_is_zero(s->faces_normal)) return cdi_v3_unit(s->faces_normal);
    if (!(cdi_v3_norm(n) >= CDI_REGION_ROUND * s->length * s->length)) n = s->normal;
    if (cdi_v3_is_zero(n)) n = s->around;
    if (cdi_v3_is_zero(n)) n = cdi_v3_of(first->normal);
    if (cdi_v3_is_zero(n)) n = cdi_v3_make(0.0, 0.0, 1.0);
    return cdi_v3_unit(n);
}

/* ---- how far the overlap reaches along a line ---- */

/* The next surface of either along the line, after s; infinite for none. */
static double cdi_chord_next(const cdi_bulks *x, cdi_v3 p, cdi_v3 n, double s) {
    double next = cdi_infinity();
    for (int k = 0; k < 2; ++k) {
        const cdi_bulk *body = k ? &x->b : &x->a;
        cd_cast_options o;
        cd_ray ray;
        cd_hit hit;
        cdi_v3 at = cdi_v3_along(p, n, s);
        cdi_clear(&o, sizeof o);
        o.t_min = cdi_real_of(x->margin);
        ray.origin = cdi_v3_round(k ? cdi_pose_point(&x->a_in_b, at) : at);
        ray.dir = cdi_v3_round(k ? cdi_m3_mul_v3(&x->a_in_b.rotation, n) : n);
        if (!cd_bvh_cast_ray(body->solid->tree, &ray, CD_REAL_MAX, &o, &hit)) continue;
        next = cdi_min(next, s + cdi_max((double)hit.t, x->margin));
    }
    return next;
}

static bool cdi_chord_is_in_both(const cdi_bulks *x, cdi_v3 p) {
    return cdi_bulk_inside(&x->a, p, 0.0) && cdi_bulk_inside(&x->b, cdi_pose_point(&x->a_in_b, p), 0.0);
}

/* The first stretch of the line in both, from p on: how long it is, and whether it begins at p. Six surfaces on, it is not looked for any more. */
static double cdi_chord_stretch(const cdi_bulks *x, cdi_v3 p, cdi_v3 n, bool *at_once) {
    double from = 0.0, length = 0.0;
    *at_once = false;
    for (int i = 0; i < 6; ++i) {
        double to = cdi_chord_next(x, p, n, from);
        bool in;
        if (!cdi_finite(to)) break;
        in = cdi_chord_is_in_both(x, cdi_v3_along(p, n, 0.5 * from + 0.5 * to));
        if (!in && length > 0.0) break;
        if (in && i == 0) *at_once = true;
        if (in) length += to - from;
        from = to;
    }
    return length;
}

static double cdi_chord(const cdi_bulks *x, cdi_v3 p, cdi_v3 n) {
    bool ahead, behind;
    double forth = cdi_chord_stretch(x, p, n, &ahead), back = cdi_chord_stretch(x, p, cdi_v3_neg(n), &behind);
    return ahead && behind ? forth + back : cdi_max(forth, back);
}

/* In the middle of what both bodies have beside a segment, between their two surfaces: the normals' difference across the cross product of the two is against their sum. */
static bool cdi_rift_beside(const cdi_bulks *x, const cd_solid_piece *p, cdi_v3 *out) {
    cdi_v3 a = cdi_v3_of(p->a), b = cdi_v3_of(p->b),
           into = cdi_v3_cross(cdi_v3_of(p->normal), cdi_v3_sub(b, a));
    cdi_v3 middle = cdi_v3_along(cdi_v3_scale(a, 0.5), b, 0.5);
    double far_off;
    if (p->points != 2 || cdi_v3_is_zero(into)) return false;
    into = cdi_v3_unit(into);
    far_off = cdi_chord_next(x, middle, into, 0.0);
    *out = cdi_v3_along(middle, into, 0.5 * far_off);
    return cdi_finite(far_off) && cdi_chord_is_in_both(x, *out);
}

/* The longest along the line through the center, and some beside pieces all around. */
static double cdi_rift_depth(const cdi_bulks *x, const cd_solid_piece *p, uint32_t count, cdi_v3 center,
                             cdi_v3 n, uint32_t lines) {
    double most = cdi_chord(x, center, n);
    for (uint32_t i = 1; i < lines && i <= count; ++i) {
        cdi_v3 at;
        if (cdi_rift_beside(x, &p[(uint32_t)(((uint64_t)i * count) / lines) % count], &at))
            most = cdi_max(most, cdi_chord(x, at, n));
    }
    return most;
}

static void cdi_rift_write(const cdi_bulks *x, const cd_solid_piece *p, uint32_t first, uint32_t count,
                           uint32_t lines, cd_solid_region *out) {
    cdi_rift_sum s;
    cdi_v3 center, n;
    cd_aabb box = p[0].box;
    cdi_clear(&s, sizeof s);
    cdi_clear(out, sizeof *out);
    out->first = first;
    out->count = count;
    for (uint32_t i = 0; i < count; ++i) {
        cdi_rift_add(&s, &p[i]);
        box = cd_merge_aabb_aabb(box, p[i].box);
    }
    out->box = box;
    center = cdi_v3_of(p[0].a);
    if (s.faces > 0.0)
        center = cdi_v3_scale(s.faces_middle, 1.0 / s.faces);
    else if (s.length > 0.0)
        center = cdi_v3_scale(s.middle, 1.0 / s.length);
    s.around = cdi_rift_around(p, count, center);
    n = cdi_rift_normal(&s, &p[0]);
    out->center = cdi_v3_round(center);
    out->normal = cdi_v3_round(n);
    out->length = cdi_real_of(s.length);
    out->area = cdi_real_of(cdi_v3_norm(s.around));
    out->face_area = cdi_real_of(s.faces);
    out->depth = cdi_real_of(cdi_rift_depth(x, p, count, center, n, lines));
}

CD_API size_t cd_solid_regions(const cd_solid *a, const cd_solid *b, const cd_transform *b_in_a,
                               const cd_solid_options *options, cd_solid_piece *pieces, size_t count,
                               cd_solid_region *regions, size_t capacity) {
    cdi_bulks x;
    uint32_t found, lines = options && options->max_iterations ? options->max_iterations : 9u;
    if (count == 0 || count > 0x7FFFFFFFu || cdi_bulks_open(&x, a, b, b_in_a) != CD_OK) return 0;
    found = cdi_pieces_group(pieces, count);
    for (uint32_t i = 0, first = 0; i < found && regions && i < capacity; ++i) {
        uint32_t end = first;
        while (end < count && pieces[end].region == i) ++end;
        cdi_rift_write(&x, pieces + first, first, end - first, lines, &regions[i]);
        first = end;
    }
    return found;
}

/* ---- how far the whole overlap reaches ---- */

typedef struct cdi_overhang {
    const cdi_bulk *x, *y; /* corners of y in x */
    const cdi_pose *y_in_x;
    cdi_v3 unit, up; /* in A's frame; in x's: the farthest along it is looked for */
    double base, best, margin;
    bool found;
} cdi_overhang;

/* How far up a point of x's frame is, in A's frame. */
static double cdi_overhang_of(const cdi_overhang *r, cdi_v3 p) {
    return cdi_v3_dot(r->up, p) + r->base;
}

static void cdi_overhang_item(cdi_overhang *r, uint32_t item, bool inside) {
    cdi_tri t = cdi_bvh_tri(&r->y->tree, item);
    for (int i = 0; i < 3; ++i) {
        cdi_v3 p = cdi_pose_point(r->y_in_x, t.v[i]);
        double at = cdi_overhang_of(r, p);
        if (r->found && !(at > r->best)) continue;
        if (!inside && !cdi_bulk_inside(r->x, p, 0.0)) continue;
        r->found = true;
        r->best = at;
    }
}

/* All corners of y that are in x, the farthest up; nodes below `best` are left out. */
static void cdi_overhang_run(cdi_overhang *r) {
    uint32_t stack[CDI_BVH_STACK], top = 0;
    if (!cdi_bulk_is_field(r->x) && !r->x->solid->winding) return;
    stack[top++] = 0;
    while (top > 0) {
        cdi_bvh_node scratch;
        uint32_t number = stack[--top];
        const cdi_bvh_node *node = cdi_bvh_at(&r->y->tree, number & 0x7FFFFFFFu, &scratch);
        CDI_COUNT(node);
        for (uint32_t i = 0; i < 8 && (node->lanes >> i & 1u); ++i) {
            cdi_v3 c;
            double radius;
            int state = number >> 31 ? 1 : 0;
            cdi_bulk_lane_ball(r->y, node, i, r->y_in_x, &c, &radius);
            if (r->found && cdi_overhang_of(r, c) + radius <= r->best) continue;
            if (state == 0) state = cdi_bulk_ball(r->x, c, radius, r->margin);
            if (state < 0) continue;
            if (node->count[i] == 0) stack[top++] = node->child[i] | (state > 0 ? 0x80000000u : 0u);
            for (uint32_t k = 0; k < node->count[i]; ++k) cdi_overhang_item(r, node->child[i] + k, state > 0);
        }
    }
}

/* The farthest point of the overlap along +-unit, of those that are corners of one in the other. */
static void cdi_overhang_both(const cdi_bulks *s, cdi_seam *c, double sign) {
    cdi_overhang r;
    cdi_clear(&r, sizeof r);
    r.unit = cdi_v3_scale(c->unit, sign);
    r.margin = s->margin;
    r.found = c->found;
    r.best = sign > 0.0 ? c->to : 0.0 - c->from;
    r.x = &s->a, r.y = &s->b, r.y_in_x = &s->b_in_a;
    r.up = r.unit;
    cdi_overhang_run(&r);
    r.x = &s->b, r.y = &s->a, r.y_in_x = &s->a_in_b;
    r.up = cdi_m3_tmul_v3(&s->b_in_a.rotation, r.unit);
    r.base = cdi_v3_dot(r.unit, s->b_in_a.position);
    cdi_overhang_run(&r);
    if (!r.found) return;
    cdi_seam_reach(c, cdi_v3_scale(r.unit, r.best));
}

CD_API bool cd_solid_extent(const cd_solid *a, const cd_solid *b, const cd_transform *b_in_a,
                            cd_vec3 direction, const cd_solid_options *options, cd_real *from, cd_real *to) {
    cdi_bulks s;
    cdi_seam c;
    cdi_clear(&c, sizeof c);
    c.unit = cdi_v3_unit(cdi_v3_of(direction));
    if (!cd_vec3_is_valid(direction) || cdi_v3_is_zero(c.unit) || cdi_bulks_open(&s, a, b, b_in_a) != CD_OK)
        return false;
    if (s.a.empty || s.b.empty) return false;
    cdi_seam_run(&c, a, b, b_in_a, options);
    cdi_overhang_both(&s, &c, 1.0);
    cdi_overhang_both(&s, &c, -1.0);
    if (!c.found) return false;
    *from = cdi_real_of(c.from);
    *to = cdi_real_of(c.to);
    return true;
}

#undef CDI_REGION_ROUND
