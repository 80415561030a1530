#include "convex/epa3d.h"
#include "convex/simplex.h"

enum { CDI_EPA_TIPS = 54, CDI_EPA_FACES = 108, CDI_EPA_BOUND = 400, CDI_EPA_NOTHING = 0xFFFF };

#define CDI_EPA_FLAT 9.094947017729282e-13 /* 2^-40 */
#define CDI_EPA_FAT  0.0009765625

/* What is fine enough, times the size of B - A. */
#ifdef COLLIDE_DOUBLE
#define CDI_EPA_CURVED 2.2737367544323206e-13 /* 2^-42 */
#else
#define CDI_EPA_CURVED 7.450580596923828e-9 /* 2^-27 */
#endif

/* What a tip is made of again: b is w + a, or a vertex. All w, and all that is made of them, are in units of the couple's scale. */
typedef struct cdi_epa_tip {
    cdi_v3 w, a;
    uint32_t vertex_a, vertex_b;
} cdi_epa_tip;

/* Half-edge 4 f + k runs from corner k of face f to the next. */
typedef struct cdi_epa_face {
    cdi_v3 normal;    /* unit, outward; zero for a face without area, whose distance is CDI_HUGE */
    uint16_t twin[3]; /* of each half-edge; CDI_EPA_NOTHING where the face there was given up */
    uint8_t corner[3];
    uint8_t live;
} cdi_epa_face;

/* A half-edge around what the new corner sees: its ends, and its twin behind. */
typedef struct cdi_epa_rim {
    uint8_t from, to;
    uint16_t twin;
} cdi_epa_rim;

typedef struct cdi_epa {
    const cdi_couple *pair;
    cdi_depth *out;
    double unit;            /* times the caller's lengths is ours */
    double slack;           /* what counts as nothing */
    double tolerance;       /* bounds as near as this are near enough */
    double fine;            /* bounds that are not nearer are no failure */
    double rounding;        /* no corner is farther off */
    double lower;           /* the nearest face's distance: no new face is nearer, but where it is folded */
    bool curved;            /* have bodies more than corners? */
    bool inside;            /* the origin is inside the polytope, beyond rounding, and stays there */
    int tips, faces, spare; /* how many corners, faces with free ones, and free ones there are */
    int rims, seen, best;   /* ... of the new corner's rim, of what it sees; the nearest face */
    double distance[CDI_EPA_FACES]; /* of the planes; CDI_HUGE for faces that are free or without area */
    cdi_epa_face face[CDI_EPA_FACES];
    cdi_epa_tip tip[CDI_EPA_TIPS];
    cdi_epa_rim rim[CDI_EPA_FACES + 2];
    uint8_t sight[CDI_EPA_FACES], free_faces[CDI_EPA_FACES];
} cdi_epa;

/* ---- bounds ---- */

/* Curved bodies are as fine as their size asks for, wherever they are. */
static void cdi_epa_measure(cdi_epa *e, cdi_v3 w) {
    e->fine = cdi_max(e->fine, CDI_EPA_CURVED * cdi_v3_max_abs(w));
    if (e->curved) e->tolerance = cdi_max(e->tolerance, e->fine);
}

static void cdi_epa_keep(const cdi_epa *e, const cdi_tip *tip, cdi_epa_tip *to) {
    to->w = cdi_v3_scale(tip->w, e->unit);
    to->a = tip->a;
    to->vertex_a = tip->vertex_a;
    to->vertex_b = tip->vertex_b;
}

static void cdi_epa_whole_tip(const cdi_epa *e, const cdi_epa_tip *from, cdi_tip *out) {
    out->w = cdi_v3_scale(from->w, 1.0 / e->unit);
    out->a = from->a;
    out->vertex_a = from->vertex_a;
    out->vertex_b = from->vertex_b;
    if (from->vertex_b == CD_NONE || !cdi_convex_vertex(&e->pair->b, from->vertex_b, &out->b))
        out->b = cdi_v3_add(from->a, out->w);
}

/* The tip farthest along a unit direction, with a corner's vertices as hints; its distance is a bound from above. */
static double cdi_epa_try(cdi_epa *e, cdi_v3 dir, int hint, cdi_epa_tip *to) {
    cdi_tip tip;
    double most;
    tip.vertex_a = hint < 0 ? CD_NONE : e->tip[hint].vertex_a;
    tip.vertex_b = hint < 0 ? CD_NONE : e->tip[hint].vertex_b;
    cdi_couple_least(e->pair, cdi_v3_neg(dir), &tip);
    cdi_epa_keep(e, &tip, to);
    most = cdi_v3_dot(dir, to->w);
    ++e->out->iterations;
    cdi_epa_measure(e, to->w);
    if (most < e->out->upper && !cdi_v3_is_zero(dir)) {
        e->out->upper = most;
        e->out->axis = dir;
    }
    return most;
}

/* The normal of a triangle by its two shorter edges, which bear the least rounding; of any length. */
static cdi_v3 cdi_epa_normal(cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    cdi_v3 ab = cdi_v3_sub(b, a), bc = cdi_v3_sub(c, b), ca = cdi_v3_sub(a, c);
    double x = cdi_v3_sqlength(ab), y = cdi_v3_sqlength(bc), z = cdi_v3_sqlength(ca);
    if (x >= y && x >= z) return cdi_v3_cross(bc, ca);
    return y >= z ? cdi_v3_cross(ca, ab) : cdi_v3_cross(ab, bc);
}

/* ---- faces ---- */

/* The plane that no corner of the face is behind: a bound from below whatever rounding did to the normal. */
static void cdi_epa_lay_plane(cdi_epa *e, int f) {
    cdi_epa_face *face = &e->face[f];
    cdi_v3 a = e->tip[face->corner[0]].w, b = e->tip[face->corner[1]].w, c = e->tip[face->corner[2]].w;
    cdi_v3 ab = cdi_v3_sub(b, a), ac = cdi_v3_sub(c, a), n = cdi_v3_cross(ab, ac);
    double area = cdi_v3_norm(n), size = cdi_max(cdi_v3_max_abs(ab), cdi_v3_max_abs(ac));
    face->normal = cdi_v3_make(0.0, 0.0, 0.0);
    e->distance[f] = CDI_HUGE;
    if (area <= e->slack * size) return;
    face->normal = n = cdi_v3_scale(n, 1.0 / area);
    e->distance[f] = cdi_min(cdi_v3_dot(n, a), cdi_min(cdi_v3_dot(n, b), cdi_v3_dot(n, c)));
}

/* The same across a known way. */
static void cdi_epa_lay_at(cdi_epa *e, int f, const cdi_v3 *p, cdi_v3 way) {
    cdi_v3 n = cdi_v3_unit(way);
    e->face[f].normal = n;
    e->distance[f] = cdi_v3_is_zero(n)
                         ? CDI_HUGE
                         : cdi_min(cdi_v3_dot(n, p[0]), cdi_min(cdi_v3_dot(n, p[1]), cdi_v3_dot(n, p[2])));
}

/* The same by the point of the face nearest to the origin, which is inside: for faces of which the normal does not tell, as they lie folded
 * on others. One that would be nearer than all before is solved with care: with a corner far off, doubles may find the wrong edge. */
static void cdi_epa_lay_across(cdi_epa *e, int f) {
    cdi_nearest point;
    cdi_v3 p[3];
    for (int k = 0; k < 3; ++k) p[k] = e->tip[e->face[f].corner[k]].w;
    cdi_simplex_solve(p, 3, &point);
    cdi_epa_lay_at(e, f, p, point.dir);
    if (e->distance[f] >= e->lower - e->slack) return;
    cdi_simplex_carefully(p, 3, &point);
    cdi_epa_lay_at(e, f, p, point.dir);
}

static int cdi_epa_take_face(cdi_epa *e) {
    return e->spare > 0 ? e->free_faces[--e->spare] : e->faces++;
}

static void cdi_epa_drop_face(cdi_epa *e, int f) {
    e->face[f].live = 0;
    e->distance[f] = CDI_HUGE;
    e->free_faces[e->spare++] = (uint8_t)f;
}

static void cdi_epa_join(cdi_epa *e, int h, int twin) {
    e->face[h >> 2].twin[h & 3] = (uint16_t)twin;
    if (twin != CDI_EPA_NOTHING) e->face[twin >> 2].twin[twin & 3] = (uint16_t)h;
}

/* A tetrahedron of the first four corners. */
static void cdi_epa_start(cdi_epa *e) {
    static const uint8_t corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const uint8_t twins[6][2] = {{0, 6}, {1, 10}, {2, 14}, {4, 13}, {5, 8}, {9, 12}};
    cdi_v3 o = e->tip[0].w, n = cdi_v3_cross(cdi_v3_sub(e->tip[1].w, o), cdi_v3_sub(e->tip[2].w, o));
    bool turned = cdi_v3_dot(n, cdi_v3_sub(e->tip[3].w, o)) > 0.0;
    if (turned) {
        cdi_epa_tip t = e->tip[1];
        e->tip[1] = e->tip[2];
        e->tip[2] = t;
    }
    e->faces = 4;
    for (int f = 0; f < 4; ++f) {
        for (int k = 0; k < 3; ++k) e->face[f].corner[k] = corner[f][k];
        e->face[f].live = 1;
        cdi_epa_lay_plane(e, f);
    }
    for (int i = 0; i < 6; ++i) cdi_epa_join(e, twins[i][0], twins[i][1]);
}

/* ---- a tetrahedron to start with ---- */

/* How far a tip is from the hull of the first `n` corners' plane, line or point, times what only hangs on these; `across`: the normal of
 * the plane, the direction of the line. */
static double cdi_epa_height(const cdi_epa *e, cdi_v3 w, int n, cdi_v3 across) {
    cdi_v3 d = cdi_v3_sub(w, e->tip[0].w);
    if (n == 1) return cdi_v3_norm(d);
    if (n == 2) return cdi_v3_norm(cdi_v3_cross(across, d));
    return cdi_abs(cdi_v3_dot(across, d));
}

/* The unit direction of the first two corners, or the unit normal of the first three. */
static cdi_v3 cdi_epa_across(const cdi_epa *e, int n) {
    if (n == 1) return cdi_v3_make(1.0, 0.0, 0.0);
    if (n == 2) return cdi_v3_unit(cdi_v3_sub(e->tip[1].w, e->tip[0].w));
    return cdi_v3_unit(cdi_epa_normal(e->tip[0].w, e->tip[1].w, e->tip[2].w));
}

/* The tip given that is farthest off. */
static bool cdi_epa_span_given(cdi_epa *e, const cdi_tip *tips, int count, int n, cdi_v3 across) {
    double most = e->slack;
    bool found = false;
    for (int i = 0; i < count; ++i) {
        double height = cdi_epa_height(e, cdi_v3_scale(tips[i].w, e->unit), n, across);
        if (height <= most) continue;
        most = height;
        cdi_epa_keep(e, &tips[i], &e->tip[n]);
        found = true;
    }
    return found;
}

/* A tip along a direction across what there is, one way or the other. */
static bool cdi_epa_span_along(cdi_epa *e, int n, cdi_v3 across, cdi_v3 dir) {
    for (int side = 0; side < 2; ++side) {
        cdi_epa_try(e, side ? dir : cdi_v3_neg(dir), -1, &e->tip[n]);
        if (cdi_epa_height(e, e->tip[n].w, n, across) > e->slack) return true;
    }
    return false;
}

static bool cdi_epa_span_searched(cdi_epa *e, int n, cdi_v3 across) {
    cdi_v3 dir;
    if (n == 3) return cdi_epa_span_along(e, n, across, across);
    if (n == 1 && cdi_epa_span_along(e, n, across, across)) return true;
    dir = cdi_across(across);
    return cdi_epa_span_along(e, n, across, dir) ||
           cdi_epa_span_along(e, n, across, cdi_v3_cross(across, dir));
}

/* Are these the corners of a tetrahedron that is no needle, nor flat? */
static bool cdi_epa_is_fat(const cdi_epa *e) {
    const cdi_epa_tip *t = e->tip;
    cdi_v3 x = cdi_v3_sub(t[1].w, t[0].w), y = cdi_v3_sub(t[2].w, t[0].w), z = cdi_v3_sub(t[3].w, t[0].w);
    double longest = cdi_max(cdi_v3_max_abs(x), cdi_max(cdi_v3_max_abs(y), cdi_v3_max_abs(z)));
    double volume = cdi_abs(cdi_v3_dot(cdi_v3_cross(x, y), z));
    return longest > CDI_EPA_FAT * e->pair->scale * e->unit &&
           volume > CDI_EPA_FAT * longest * longest * longest;
}

/* Four corners of a body; false when B - A is flat, a line or a point, so that the bound from above is the depth. */
static bool cdi_epa_span(cdi_epa *e, const cdi_tip *tips, int count) {
    for (e->tips = 0; e->tips < count; ++e->tips) cdi_epa_keep(e, &tips[e->tips], &e->tip[e->tips]);
    if (count == 4 && cdi_epa_is_fat(e)) return true;
    if (count == 0) cdi_epa_try(e, cdi_v3_make(-1.0, 0.0, 0.0), -1, &e->tip[0]);
    for (e->tips = 1; e->tips < 4; ++e->tips) {
        cdi_v3 across = cdi_epa_across(e, e->tips);
        if (!cdi_epa_span_given(e, tips, count, e->tips, across) &&
            !cdi_epa_span_searched(e, e->tips, across))
            return false;
    }
    return true;
}

/* ---- what a new corner sees ---- */

/* A face without area is seen when what is beside it is. */
static bool cdi_epa_sees(const cdi_epa *e, int f, cdi_v3 w) {
    return e->distance[f] == CDI_HUGE || cdi_v3_dot(e->face[f].normal, w) > e->distance[f] + e->rounding;
}

static void cdi_epa_see(cdi_epa *e, int f) {
    e->face[f].live = 2;
    e->sight[e->seen++] = (uint8_t)f;
}

static void cdi_epa_add_rim(cdi_epa *e, int h) {
    const cdi_epa_face *face = &e->face[h >> 2];
    cdi_epa_rim *rim = &e->rim[e->rims++];
    int k = h & 3;
    rim->from = face->corner[k];
    rim->to = face->corner[k == 2 ? 0 : k + 1];
    rim->twin = face->twin[k];
}

/* From face to face over their edges, around each counter-clockwise, so that the rim comes in order. */
static void cdi_epa_look(cdi_epa *e, cdi_v3 w) {
    uint16_t stack[CDI_EPA_FACES + 4];
    int count = 0;
    e->rims = e->seen = 0;
    cdi_epa_see(e, e->best);
    for (int k = 3; k-- > 0;) stack[count++] = (uint16_t)(4 * e->best + k);
    while (count > 0) {
        int h = stack[--count], twin = e->face[h >> 2].twin[h & 3], f = twin >> 2, k = twin & 3;
        if (twin == CDI_EPA_NOTHING || (e->face[f].live == 1 && !cdi_epa_sees(e, f, w))) {
            cdi_epa_add_rim(e, h);
        } else if (e->face[f].live == 1) {
            cdi_epa_see(e, f);
            stack[count++] = (uint16_t)(4 * f + (k == 0 ? 2 : k - 1));
            stack[count++] = (uint16_t)(4 * f + (k == 2 ? 0 : k + 1));
        }
    }
}

/* Is the rim one line that closes and does not touch itself? */
static bool cdi_epa_rim_is_whole(const cdi_epa *e) {
    uint64_t met = 0;
    for (int i = 0; i < e->rims; ++i) {
        uint64_t bit = (uint64_t)1 << e->rim[i].from;
        if (e->rim[i].to != e->rim[i + 1 < e->rims ? i + 1 : 0].from || (met & bit)) return false;
        met |= bit;
    }
    return e->rims >= 3;
}

/* Only the nearest face: never broken, if no longer convex. */
static void cdi_epa_look_less(cdi_epa *e) {
    while (e->seen > 0) e->face[e->sight[--e->seen]].live = 1;
    e->rims = 0;
    cdi_epa_see(e, e->best);
    for (int k = 0; k < 3; ++k) cdi_epa_add_rim(e, 4 * e->best + k);
}

/* ---- growing ---- */

/* Faces from the rim to the new corner in place of what it sees. */
static void cdi_epa_patch(cdi_epa *e, bool whole) {
    int first = -1, last = -1;
    for (int i = 0; i < e->seen; ++i) cdi_epa_drop_face(e, e->sight[i]);
    for (int i = 0; i < e->rims; ++i) {
        int f = cdi_epa_take_face(e);
        e->face[f].corner[0] = e->rim[i].from;
        e->face[f].corner[1] = e->rim[i].to;
        e->face[f].corner[2] = (uint8_t)e->tips;
        e->face[f].live = 1;
        cdi_epa_lay_plane(e, f);
        if (e->inside && (!whole || e->rim[i].twin == CDI_EPA_NOTHING || e->distance[f] < e->lower))
            cdi_epa_lay_across(e, f);
        cdi_epa_join(e, 4 * f, e->rim[i].twin);
        if (i > 0) cdi_epa_join(e, 4 * last + 1, 4 * f + 2);
        if (i == 0) first = f;
        last = f;
    }
    cdi_epa_join(e, 4 * last + 1, 4 * first + 2);
    ++e->tips;
}

/* Gives up a face: those beside it end there. */
static void cdi_epa_abandon(cdi_epa *e, int f) {
    for (int k = 0; k < 3; ++k) {
        int twin = e->face[f].twin[k];
        if (twin != CDI_EPA_NOTHING) e->face[twin >> 2].twin[twin & 3] = CDI_EPA_NOTHING;
    }
    cdi_epa_drop_face(e, f);
}

/* The corners that no face has any more are given up. */
static void cdi_epa_renumber(cdi_epa *e) {
    uint8_t number[CDI_EPA_TIPS];
    uint64_t used = 0;
    int count = 0;
    for (int f = 0; f < e->faces; ++f)
        for (int k = 0; e->face[f].live && k < 3; ++k) used |= (uint64_t)1 << e->face[f].corner[k];
    for (int i = 0; i < e->tips; ++i) {
        if (!(used >> i & 1u)) continue;
        if (count != i) e->tip[count] = e->tip[i];
        number[i] = (uint8_t)count++;
    }
    for (int f = 0; f < e->faces; ++f)
        for (int k = 0; e->face[f].live && k < 3; ++k) e->face[f].corner[k] = number[e->face[f].corner[k]];
    e->tips = count;
}

static bool cdi_epa_has_room(const cdi_epa *e) {
    return e->tips < CDI_EPA_TIPS && CDI_EPA_FACES - e->faces + e->spare >= 2;
}

/* Gives up the faces that are farther than the bound from above. */
static bool cdi_epa_make_room(cdi_epa *e) {
    if (cdi_epa_has_room(e)) return true;
    for (int f = 0; f < e->faces; ++f)
        if (e->face[f].live && e->distance[f] > e->out->upper + e->slack) cdi_epa_abandon(e, f);
    cdi_epa_renumber(e);
    return cdi_epa_has_room(e);
}

static int cdi_epa_nearest(const cdi_epa *e) {
    int best = 0;
    for (int f = 1; f < e->faces; ++f)
        if (e->distance[f] < e->distance[best]) best = f;
    return best;
}

/* One corner more; false at the end: the nearest face is on the boundary of B - A. For polytopes that is asked for: that both bounds are
 * the same is less, for they may be of two ways out that are as short. */
static bool cdi_epa_step(cdi_epa *e) {
    const cdi_epa_face *face = &e->face[e->best];
    cdi_epa_tip *tip = &e->tip[e->tips];
    bool whole;
    if (cdi_epa_try(e, face->normal, face->corner[2], tip) - e->distance[e->best] <= e->tolerance)
        return false;
    if (e->out->upper < 0.0 - e->slack) return false;
    cdi_epa_look(e, tip->w);
    whole = cdi_epa_rim_is_whole(e);
    if (!whole) cdi_epa_look_less(e);
    cdi_epa_patch(e, whole);
    return true;
}

static void cdi_epa_grow(cdi_epa *e, double enough, uint32_t limit) {
    for (;;) {
        e->best = cdi_epa_nearest(e);
        e->lower = e->distance[e->best];
        e->inside = e->inside || e->lower > e->slack;
        if (e->out->upper <= enough || e->out->iterations >= limit) return;
        if (e->curved && e->out->upper - e->distance[e->best] <= e->tolerance) return;
        if (!cdi_epa_make_room(e)) return;
        if (!cdi_epa_step(e)) return;
    }
}

/* ---- the answer ---- */

static bool cdi_epa_tip_before(const cdi_tip *a, const cdi_tip *b) {
    return a->vertex_a < b->vertex_a || (a->vertex_a == b->vertex_a && a->vertex_b < b->vertex_b);
}

static void cdi_epa_sort_two(cdi_tip *a, cdi_tip *b) {
    if (cdi_epa_tip_before(b, a)) {
        cdi_tip t = *a;
        *a = *b;
        *b = t;
    }
}

/* The weights of the point where the line along `n` through the origin meets the triangle's plane. */
static void cdi_epa_weigh(const cdi_v3 *w, cdi_v3 n, double weight[3]) {
    cdi_v3 o = cdi_v3_scale(n, cdi_v3_dot(n, w[0])), d[3];
    double sum;
    for (int k = 0; k < 3; ++k) d[k] = cdi_v3_sub(w[k], o);
    for (int k = 0; k < 3; ++k) weight[k] = cdi_v3_dot(n, cdi_v3_cross(d[(k + 1) % 3], d[(k + 2) % 3]));
    sum = weight[0] + weight[1] + weight[2];
    for (int k = 0; k < 3; ++k) weight[k] = sum != 0.0 ? weight[k] / sum : k == 0 ? 1.0 : 0.0;
}

static void cdi_epa_corners(const cdi_epa *e, int f, cdi_tip t[3]) {
    for (int k = 0; k < 3; ++k) cdi_epa_whole_tip(e, &e->tip[e->face[f].corner[k]], &t[k]);
}

/* Of faces in one plane the one that the origin is in front of. */
static int cdi_epa_settle(const cdi_epa *e, int f) {
    for (int i = 0; i < CDI_EPA_FACES; ++i) {
        cdi_v3 w[3];
        double weight[3];
        int low = 0, twin;
        for (int k = 0; k < 3; ++k) w[k] = e->tip[e->face[f].corner[k]].w;
        cdi_epa_weigh(w, e->face[f].normal, weight);
        for (int k = 1; k < 3; ++k)
            if (weight[k] < weight[low]) low = k;
        twin = e->face[f].twin[(low + 1) % 3];
        if (weight[low] >= 0.0 || twin == CDI_EPA_NOTHING) return f;
        if (cdi_v3_dot(e->face[f].normal, e->face[twin >> 2].normal) < 1.0 - CDI_EPA_FLAT) return f;
        if (!(e->distance[twin >> 2] <= e->distance[e->best] + 4.0 * e->slack)) return f;
        f = twin >> 2;
    }
    return f;
}

/* No weight below 0. */
static void cdi_epa_clamp(double weight[3]) {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) sum += weight[k] = cdi_max(weight[k], 0.0);
    for (int k = 0; k < 3; ++k) weight[k] /= sum;
}

/* The face that looks the best way. */
static int cdi_epa_facing(const cdi_epa *e) {
    double most = -CDI_HUGE;
    int best = e->best;
    for (int f = 0; f < e->faces; ++f) {
        double along = cdi_v3_dot(e->face[f].normal, e->out->axis);
        if (e->distance[f] == CDI_HUGE || along <= most) continue;
        most = along;
        best = f;
    }
    return best;
}

/* From the corners in the order of their numbers, so that the same face gives the same bits however it was found. */
static void cdi_epa_answer(cdi_epa *e) {
    int f = cdi_epa_settle(e, e->curved ? cdi_epa_facing(e) : e->best);
    cdi_depth *out = e->out;
    cdi_tip *t = out->tip, tip;
    cdi_v3 n, w[3];
    double most, all;
    cdi_epa_corners(e, f, t);
    cdi_epa_sort_two(&t[0], &t[1]);
    cdi_epa_sort_two(&t[1], &t[2]);
    cdi_epa_sort_two(&t[0], &t[1]);
    for (int k = 0; k < 3; ++k) w[k] = cdi_v3_scale(t[k].w, e->unit);
    out->count = 3;
    out->lower = e->distance[e->best];
    n = cdi_v3_unit(cdi_epa_normal(w[0], w[1], w[2]));
    if (cdi_v3_is_zero(n)) n = out->axis; /* no face, but a line */
    if (cdi_v3_dot(n, e->face[f].normal) < 0.0) n = cdi_v3_neg(n);
    tip = t[0];
    cdi_couple_least(e->pair, cdi_v3_neg(n), &tip);
    all = cdi_v3_dot(n, cdi_v3_scale(tip.w, e->unit));
    most = cdi_max(cdi_v3_dot(n, w[0]), cdi_max(cdi_v3_dot(n, w[1]), cdi_v3_dot(n, w[2])));
    if (all > most + e->rounding) most = all;
    if (most <= out->upper + e->slack || (out->lower > 0.0 && most - out->lower <= e->tolerance)) {
        out->upper = most;
        out->axis = n;
    }
    cdi_epa_weigh(w, n, out->weight);
    cdi_epa_clamp(out->weight);
}

static bool cdi_epa_is_curved(const cd_support *s) {
    return s->kind == CD_SUPPORT_USER || s->kind == CD_SUPPORT_TAPERED ||
           (s->kind >= CD_SUPPORT_DISC && s->kind <= CD_SUPPORT_ELLIPSOID);
}

/* A length, which may be none. */
static double cdi_epa_in_units(const cdi_epa *e, double length) {
    return cdi_abs(length) < CDI_HUGE ? length * e->unit : length;
}

/* Back to the caller's lengths. */
static void cdi_epa_close(const cdi_epa *e, cdi_depth *out) {
    if (out->upper < CDI_HUGE) out->upper /= e->unit;
    if (out->lower < CDI_HUGE) out->lower /= e->unit;
    out->tolerance /= e->unit;
}

CDI_FN void cdi_epa_run(const cdi_couple *pair, const cdi_tip *tips, int count, double tolerance,
                        double enough, uint32_t limit, cdi_depth *out) {
    cdi_epa e;
    e.pair = pair;
    e.out = out;
    e.unit = cdi_unit_of_scale(pair->scale);
    e.rounding = cdi_couple_rounding(pair) * e.unit;
    e.slack = cdi_max(pair->scale * e.unit * 1.4210854715202004e-14, e.rounding); /* 2^-46 */
    e.curved = cdi_epa_is_curved(pair->a.support) || cdi_epa_is_curved(pair->b.support);
    e.fine = 0.0;
    out->tolerance = e.tolerance = cdi_max(cdi_epa_in_units(&e, tolerance), e.slack);
    out->upper = cdi_epa_in_units(&e, out->upper);
    for (int i = 0; i < count; ++i) cdi_epa_measure(&e, cdi_v3_scale(tips[i].w, e.unit));
    e.inside = false;
    e.spare = 0;
    out->count = 0;
    out->iterations = 0;
    out->lower = 0.0;
    if (cdi_epa_span(&e, tips, count)) {
        cdi_epa_start(&e);
        cdi_epa_grow(&e, cdi_epa_in_units(&e, enough),
                     limit > 0 && limit < CDI_EPA_BOUND ? limit : 0u + CDI_EPA_BOUND);
        cdi_epa_answer(&e);
        out->tolerance = cdi_max(e.fine, e.tolerance + 2.0 * e.slack);
    }
    cdi_epa_close(&e, out);
}

#undef CDI_EPA_FLAT
#undef CDI_EPA_FAT
#undef CDI_EPA_CURVED
