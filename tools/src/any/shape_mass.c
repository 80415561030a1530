#include "any/shape_mass.h"
#include "any/lump.h"
#include "convex/polyhedron.h"
#include "hull/mass3d.h"
#include "shape/cylinder3d.h"
#include "shape/ellipsoid3d.h"
#include "shape/kdop3d.h"
#include "tree/bvh_walk.h"

/* ---- what is asked ---- */

/* A core that is stretched, and then rounded. */
typedef struct cdi_mass_of {
    const cd_support *support;
    cdi_v3 by; /* the factors: 1, 1, 1 for none */
    bool stretched, even;
    double size; /* of an even one, without signs */
    double radius;
} cdi_mass_of;

static cdi_v3 cdi_mass_point(const cdi_mass_of *m, cd_vec3 p) {
    return cdi_stretched(cdi_v3_of(p), m->by);
}

static cdi_m3 cdi_diagonal(cdi_v3 by) {
    cdi_m3 m;
    m.c[0] = cdi_v3_make(by.x, 0.0, 0.0);
    m.c[1] = cdi_v3_make(0.0, by.y, 0.0);
    m.c[2] = cdi_v3_make(0.0, 0.0, by.z);
    return m;
}

/* The power of two about a length. */
static int cdi_mass_shift(double size) {
    return size > 0.0 ? cdi_exponent(size) : 0;
}

static cd_status cdi_mass_none(cdi_v3 middle, cd_mass *out) {
    cdi_clear(out, sizeof *out);
    cdi_v3_store(out->center, middle);
    return cdi_mass_finish(out);
}

/* ---- round bodies ---- */

/* A profile along the axis u from `origin`, in units of 2^shift; stretched after that. */
static cd_status cdi_mass_of_silhouette(const cdi_mass_of *m, const cdi_silhouette *p, cdi_v3 origin,
                                        cdi_v3 u, int shift, cd_mass *out) {
    cdi_lump l;
    cdi_lump_begin(&l);
    cdi_lump_silhouette(&l, p, u);
    if (m && m->stretched) {
        cdi_m3 map = cdi_diagonal(m->by);
        cdi_lump_map(&l, &map);
        origin = cdi_stretched(origin, m->by);
    }
    cdi_lump_mass(&l, origin, shift, out);
    return cdi_mass_finish(out);
}

static const double cdi_silhouette_down[2] = {0.0, -1.0}, cdi_silhouette_up[2] = {0.0, 1.0};

/* A ball around b holds none around a of which the difference of radii is not larger than the way between. */
static cd_status cdi_mass_of_balls(const cdi_mass_of *m, cdi_v3 a, cdi_v3 b, double ra, double rb,
                                   cd_mass *out) {
    cdi_v3 d = cdi_v3_sub(b, a), u = cdi_v3_unit(d);
    double length = cdi_v3_norm(d), slope, side[2];
    int shift = cdi_mass_shift(cdi_max(length, cdi_max(ra, rb)));
    cdi_silhouette p;
    if (ra == 0.0 && rb == 0.0) return cdi_mass_none(cdi_v3_along(a, d, 0.5), out);
    cdi_clear(&p, sizeof p);
    length = cdi_scale2(length, -shift);
    ra = cdi_scale2(ra, -shift);
    rb = cdi_scale2(rb, -shift);
    if (cdi_abs(ra - rb) >= length) { /* one ball */
        cdi_silhouette_arc(&p, 0.0, 0.0, cdi_max(ra, rb), cdi_silhouette_down, cdi_silhouette_up);
        return cdi_mass_of_silhouette(m, &p, ra > rb ? a : b, cdi_v3_make(0.0, 0.0, 1.0), shift, out);
    }
    slope = (ra - rb) / length;
    side[0] = cdi_sqrt((1.0 - slope) * (1.0 + slope));
    side[1] = slope;
    cdi_silhouette_arc(&p, 0.0, 0.0, ra, cdi_silhouette_down, side);
    cdi_silhouette_line(&p, ra * side[0], ra * side[1], rb * side[0], length + rb * side[1]);
    cdi_silhouette_arc(&p, 0.0, length, rb, side, cdi_silhouette_up);
    return cdi_mass_of_silhouette(m, &p, a, u, shift, out);
}

/* Radii r[0] and r[1] at heights 0 and h, rounded: the bottom, its rim, the side, the rim and the top. */
static void cdi_silhouette_frustum(cdi_silhouette *p, const double r[2], double h, double round) {
    double slant = r[1] - r[0], length = cdi_sqrt(h * h + slant * slant), side[2];
    side[0] = length > 0.0 ? h / length : 1.0;
    side[1] = length > 0.0 ? 0.0 - slant / length : 0.0;
    cdi_clear(p, sizeof *p);
    cdi_silhouette_arc(p, r[0], 0.0, round, cdi_silhouette_down, side);
    cdi_silhouette_line(p, r[0] + round * side[0], round * side[1], r[1] + round * side[0],
                        h + round * side[1]);
    cdi_silhouette_arc(p, r[1], h, round, side, cdi_silhouette_up);
}

static cd_status cdi_mass_of_frustum(const cdi_mass_of *m, const cdi_frustum *f, cd_mass *out) {
    cdi_mass_of plain = *m;
    cdi_v3 origin = f->end[0], u = f->u;
    double k = 1.0, h = f->h, r[2];
    cdi_silhouette p;
    int shift;
    if (m->stretched && m->radius > 0.0 && !m->even) return CD_UNSUPPORTED;
    if (m->even) { /* the core by itself, so that the rounding stays */
        k = m->size;
        origin = cdi_stretched(origin, m->by);
        u = cdi_v3_unit(cdi_stretched(u, m->by));
        plain.stretched = false;
    }
    shift = cdi_mass_shift(cdi_max(k * cdi_max(h, cdi_max(f->r[0], f->r[1])), m->radius));
    h = cdi_scale2(k * h, -shift);
    for (int i = 0; i < 2; ++i) r[i] = cdi_scale2(k * f->r[i], -shift);
    cdi_silhouette_frustum(&p, r, h, cdi_scale2(m->radius, -shift));
    if (p.mass > 0.0) return cdi_mass_of_silhouette(&plain, &p, origin, u, shift, out);
    return cdi_mass_none(
        cdi_v3_scale(cdi_v3_add(cdi_stretched(f->end[0], m->by), cdi_stretched(f->end[1], m->by)), 0.5), out);
}

/* Both of its radii are rounding for as much as the smaller. */
static cd_status cdi_mass_of_tapered(const cdi_mass_of *m, const cd_tapered_capsule *c, cd_mass *out) {
    double least = cdi_min((double)c->radius_a, (double)c->radius_b);
    double a = (double)c->radius_a - least, b = (double)c->radius_b - least;
    if (m->stretched && !m->even && m->radius > 0.0 && a != b) return CD_UNSUPPORTED;
    if (m->stretched && !m->even && m->radius == 0.0)
        return cdi_mass_of_balls(m, cdi_v3_of(c->a), cdi_v3_of(c->b), a, b, out);
    return cdi_mass_of_balls(NULL, cdi_mass_point(m, c->a), cdi_mass_point(m, c->b), a * m->size + m->radius,
                             b * m->size + m->radius, out);
}

/* Stretched or not, it is an ellipsoid. */
static cd_status cdi_mass_of_ellipsoid(const cdi_mass_of *m, const cd_ellipsoid *e, cd_mass *out) {
    cdi_m3 map = cdi_ellipsoid_map(e), axes, by = cdi_diagonal(m->by);
    double half[3], radius;
    cdi_lump l;
    int shift;
    map = cdi_m3_mul(&by, &map);
    cdi_map_axes(&map, &axes, half);
    shift = cdi_mass_shift(cdi_max(half[0], m->radius));
    for (int k = 0; k < 3; ++k) half[k] = cdi_scale2(half[k], -shift);
    radius = cdi_scale2(m->radius, -shift);
    if (half[0] == 0.0) {
        cdi_v3 c = cdi_mass_point(m, e->center);
        return cdi_mass_of_balls(NULL, c, c, m->radius, m->radius, out);
    }
    cdi_lump_begin(&l);
    cdi_lump_egg(&l, half, radius);
    cdi_lump_map(&l, &axes);
    cdi_lump_mass(&l, cdi_mass_point(m, e->center), shift, out);
    return cdi_mass_finish(out);
}

/* ---- flat polygons ---- */

/* Corners in order, as seen from their mean, in units of 2^shift. */
typedef struct cdi_wreath {
    const cd_vec3 *points;
    uint32_t count;
    const cdi_mass_of *of;
    cdi_v3 mean;
    int shift;
} cdi_wreath;

static cdi_v3 cdi_wreath_corner(const cdi_wreath *r, uint32_t i) {
    cdi_v3 p = cdi_mass_point(r->of, r->points[i < r->count ? i : 0]);
    return cdi_v3_scale2(cdi_v3_sub(p, r->mean), -r->shift);
}

static void cdi_wreath_open(cdi_wreath *r, const cdi_mass_of *of, const cd_vec3 *points, uint32_t count) {
    double size = of->radius;
    r->points = points;
    r->count = count;
    r->of = of;
    r->shift = 0;
    r->mean = cdi_v3_make(0.0, 0.0, 0.0);
    for (uint32_t i = 0; i < count; ++i)
        r->mean = cdi_v3_along(r->mean, cdi_mass_point(of, points[i]), 1.0 / (double)count);
    for (uint32_t i = 0; i < count; ++i) size = cdi_max(size, cdi_v3_max_abs(cdi_wreath_corner(r, i)));
    r->shift = cdi_mass_shift(size);
}

/* Its area as a vector. */
static cdi_v3 cdi_wreath_area(const cdi_wreath *r) {
    cdi_v3 sum = cdi_v3_make(0.0, 0.0, 0.0);
    for (uint32_t i = 0; i < r->count; ++i)
        sum = cdi_v3_add(sum, cdi_v3_cross(cdi_wreath_corner(r, i), cdi_wreath_corner(r, i + 1)));
    return cdi_v3_scale(sum, 0.5);
}

static uint32_t cdi_wreath_farthest(const cdi_wreath *r, cdi_v3 from) {
    double most = -1.0;
    uint32_t best = 0;
    for (uint32_t i = 0; i < r->count; ++i) {
        double x = cdi_v3_sqlength(cdi_v3_sub(cdi_wreath_corner(r, i), from));
        if (x > most) most = x, best = i;
    }
    return best;
}

/* Without area it is a segment. */
static cd_status cdi_mass_of_thread(const cdi_wreath *r, cd_mass *out) {
    uint32_t i = cdi_wreath_farthest(r, cdi_v3_make(0.0, 0.0, 0.0));
    uint32_t j = cdi_wreath_farthest(r, cdi_wreath_corner(r, i));
    return cdi_mass_of_balls(NULL, cdi_mass_point(r->of, r->points[i]), cdi_mass_point(r->of, r->points[j]),
                             r->of->radius, r->of->radius, out);
}

static cdi_v3 cdi_wreath_middle(const cdi_wreath *r, cdi_v3 n) {
    cdi_v3 sum = cdi_v3_make(0.0, 0.0, 0.0);
    double area = 0.0;
    for (uint32_t i = 0; i < r->count; ++i) {
        cdi_v3 p = cdi_wreath_corner(r, i), q = cdi_wreath_corner(r, i + 1);
        double part = cdi_v3_dot(n, cdi_v3_cross(p, q));
        sum = cdi_v3_along(sum, cdi_v3_add(p, q), part);
        area += part;
    }
    return cdi_v3_add(r->mean, cdi_v3_scale2(cdi_v3_scale(sum, 1.0 / (3.0 * area)), r->shift));
}

/* Both of its sides, and half a turn around each edge. */
static void cdi_lump_wreath(cdi_lump *l, const cdi_wreath *r, cdi_v3 n, double radius) {
    cdi_v3 middle = cdi_v3_make(0.0, 0.0, 0.0), back = cdi_v3_neg(n);
    for (uint32_t i = 0; i < r->count; ++i) {
        cdi_ridge e;
        e.p = cdi_wreath_corner(r, i);
        e.q = cdi_wreath_corner(r, i + 1);
        e.n = n;
        e.out = cdi_v3_cross(cdi_v3_unit(cdi_v3_sub(e.q, e.p)), n);
        e.other = back;
        cdi_lump_prism(l, middle, e.p, e.q, n, radius);
        cdi_lump_prism(l, middle, e.q, e.p, back, radius);
        cdi_lump_ridge(l, &e, radius);
    }
}

static cd_status cdi_mass_of_wreath(const cdi_mass_of *m, const cd_vec3 *points, uint32_t count,
                                    cd_mass *out) {
    cdi_wreath r;
    cdi_v3 area, n;
    cdi_lump l;
    cdi_wreath_open(&r, m, points, count);
    area = cdi_wreath_area(&r);
    n = cdi_v3_unit(area);
    if (!(cdi_v3_max_abs(area) > 1e-15)) return cdi_mass_of_thread(&r, out);
    if (!(m->radius > 0.0)) return cdi_mass_none(cdi_wreath_middle(&r, n), out);
    cdi_lump_begin(&l);
    cdi_lump_wreath(&l, &r, n, cdi_scale2(m->radius, -r.shift));
    cdi_lump_mass(&l, r.mean, r.shift, out);
    return cdi_mass_finish(out);
}

/* Four corners in a plane: of all rings of three or four of them, the one with the most area is around them all. */
static cd_status cdi_mass_of_flat_four(const cdi_mass_of *m, const cd_vec3 *p, cd_mass *out) {
    static const uint8_t rings[7][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 1, 3}, {0, 1, 2, 4},
                                        {0, 1, 3, 4}, {0, 2, 3, 4}, {1, 2, 3, 4}};
    cd_vec3 corner[4];
    double most = -1.0;
    int best = 0;
    for (int pass = 0; pass < 8; ++pass) {
        int which = pass < 7 ? pass : best;
        uint32_t count = rings[which][3] < 4 ? 4 : 3;
        cdi_wreath r;
        double area;
        for (uint32_t k = 0; k < count; ++k) corner[k] = p[rings[which][k]];
        if (pass == 7) return cdi_mass_of_wreath(m, corner, count, out);
        cdi_wreath_open(&r, m, corner, count);
        area = cdi_v3_norm(cdi_v3_scale2(cdi_wreath_area(&r), 2 * r.shift));
        if (area > most) most = area, best = which;
    }
    return CD_OK; /* never */
}

/* ---- polyhedra ---- */

/* A polyhedron seen from a point inside, in units of 2^shift. */
typedef struct cdi_faced {
    const cdi_polyhedron *p;
    cdi_v3 mean;
    int shift;
} cdi_faced;

static cdi_v3 cdi_faced_corner(const cdi_faced *b, uint32_t vertex) {
    return cdi_v3_scale2(cdi_v3_sub(cdi_polyhedron_vertex(b->p, vertex), b->mean), -b->shift);
}

static void cdi_faced_open(cdi_faced *b, const cdi_polyhedron *p, double radius) {
    uint32_t count = p->parts.vertex_count;
    b->p = p;
    b->mean = cdi_v3_make(0.0, 0.0, 0.0);
    for (uint32_t i = 0; i < count; ++i)
        b->mean = cdi_v3_along(b->mean, cdi_polyhedron_vertex(p, i), 1.0 / (double)count);
    b->shift = cdi_mass_shift(cdi_max(p->size, radius));
}

static cdi_v3 cdi_faced_normal(const cdi_faced *b, uint32_t face) {
    return cdi_v3_unit(cdi_polyhedron_normal(b->p, face));
}

static void cdi_lump_face(cdi_lump *l, const cdi_faced *b, uint32_t face, double radius) {
    const cd_hull_face *f = &b->p->parts.faces[face];
    const cd_half_edge *h = b->p->parts.half_edges + f->first;
    bool mirrored = b->p->mirror < 0.0;
    cdi_v3 n = cdi_faced_normal(b, face), a = cdi_faced_corner(b, h[0].origin);
    for (uint32_t i = 2; i < f->count; ++i) {
        cdi_v3 p = cdi_faced_corner(b, h[mirrored ? i : i - 1].origin);
        cdi_v3 q = cdi_faced_corner(b, h[mirrored ? i - 1 : i].origin);
        cdi_lump_tetrahedron(l, a, p, q);
        cdi_lump_prism(l, a, p, q, n, radius);
    }
}

static void cdi_lump_edge(cdi_lump *l, const cdi_faced *b, uint32_t half, double radius) {
    const cd_half_edge *h = b->p->parts.half_edges;
    uint32_t twin = h[half].twin;
    cdi_ridge e;
    cdi_v3 d;
    if (twin < half) return;
    e.p = cdi_faced_corner(b, h[half].origin);
    e.q = cdi_faced_corner(b, h[twin].origin);
    e.n = cdi_faced_normal(b, h[half].face);
    e.other = cdi_faced_normal(b, h[twin].face);
    d = cdi_v3_scale(cdi_v3_unit(cdi_v3_sub(e.q, e.p)), b->p->mirror);
    e.out = cdi_v3_cross(d, e.n);
    cdi_lump_ridge(l, &e, radius);
}

static cd_status cdi_mass_of_faced(const cdi_polyhedron *p, double radius, cd_mass *out) {
    cdi_faced b;
    cdi_lump l;
    cdi_faced_open(&b, p, radius);
    radius = cdi_scale2(radius, -b.shift);
    cdi_lump_begin(&l);
    for (uint32_t f = 0; f < p->parts.face_count; ++f) cdi_lump_face(&l, &b, f, radius);
    for (uint32_t h = 0; h < p->parts.half_edge_count && radius > 0.0; ++h) cdi_lump_edge(&l, &b, h, radius);
    if (!(radius > 0.0) && p->parts.dimension < 3) l.mass = 0.0;
    cdi_lump_mass(&l, cdi_v3_add(p->center, b.mean), b.shift, out);
    return cdi_mass_finish(out);
}

/* Of what is thinner than it seems: points and segments. */
static cd_status cdi_mass_of_polyhedron(const cdi_mass_of *m, cd_mass *out) {
    cd_support core = *m->support;
    cdi_polyhedron p;
    cd_status status;
    core.radius = 0;
    status = cdi_polyhedron_of_support(&p, &core);
    if (status == CD_UNSUPPORTED && core.kind == CD_SUPPORT_POINTS && core.count == 4)
        return cdi_mass_of_flat_four(m, (const cd_vec3 *)core.shape, out);
    if (status != CD_OK) return status;
    if (p.parts.dimension < 2) {
        cdi_v3 a = cdi_v3_add(p.center, cdi_polyhedron_vertex(&p, 0));
        cdi_v3 b = cdi_v3_add(p.center, cdi_polyhedron_vertex(&p, p.parts.vertex_count - 1));
        return cdi_mass_of_balls(NULL, a, b, m->radius, m->radius, out);
    }
    return cdi_mass_of_faced(&p, m->radius, out);
}

static cd_status cdi_mass_turned_out(cd_mass *out) {
    if (out->mass < 0.0) *out = cd_mass_scale(out, -1.0);
    return cdi_mass_finish(out);
}

/* The middle of what has no mass; the same after it is stretched. */
static cd_status cdi_mass_of_flat_hull(const cdi_mass_of *m, const cd_hull *hull, cd_mass *out) {
    cd_mass plain = cd_mass_from_hull(hull);
    cdi_v3 c = cdi_v3_make(plain.center[0], plain.center[1], plain.center[2]);
    return cdi_mass_none(cdi_stretched(c, m->by), out);
}

static cd_status cdi_mass_of_sharp_hull(const cdi_mass_of *m, const cd_hull *hull, cd_mass *out) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cd_aabb box = cd_hull_bounds(hull);
    cdi_v3 lo = cdi_mass_point(m, box.min), hi = cdi_mass_point(m, box.max);
    cdi_moments sum;
    cdi_moments_begin(&sum, cdi_v3_make(cdi_min(lo.x, hi.x), cdi_min(lo.y, hi.y), cdi_min(lo.z, hi.z)),
                      cdi_v3_make(cdi_max(lo.x, hi.x), cdi_max(lo.y, hi.y), cdi_max(lo.z, hi.z)), false);
    for (uint32_t f = 0; f < p.face_count; ++f) {
        const cd_half_edge *e = p.half_edges + p.faces[f].first;
        for (uint32_t i = 2; i < p.faces[f].count; ++i)
            cdi_moments_add(&sum, cdi_mass_point(m, p.vertices[e[0].origin]),
                            cdi_mass_point(m, p.vertices[e[i - 1].origin]),
                            cdi_mass_point(m, p.vertices[e[i].origin]));
    }
    if (!cdi_moments_end(&sum, out)) return cdi_mass_of_flat_hull(m, hull, out);
    return cdi_mass_turned_out(out);
}

static cd_status cdi_mass_of_sharp_four(const cdi_mass_of *m, const cd_vec3 *p, cd_mass *out) {
    static const uint8_t faces[12] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0};
    cdi_v3 v[4], lo = cdi_mass_point(m, p[0]), hi = lo;
    cdi_moments sum;
    v[0] = lo;
    for (int i = 1; i < 4; ++i) {
        cdi_v3 q = cdi_mass_point(m, p[i]);
        v[i] = q;
        lo = cdi_v3_make(cdi_min(lo.x, q.x), cdi_min(lo.y, q.y), cdi_min(lo.z, q.z));
        hi = cdi_v3_make(cdi_max(hi.x, q.x), cdi_max(hi.y, q.y), cdi_max(hi.z, q.z));
    }
    cdi_moments_begin(&sum, lo, hi, false);
    for (int i = 0; i < 12; i += 3) cdi_moments_add(&sum, v[faces[i]], v[faces[i + 1]], v[faces[i + 2]]);
    if (!cdi_moments_end(&sum, out)) return cdi_mass_of_flat_four(m, p, out);
    return cdi_mass_turned_out(out);
}

/* ---- boxes ---- */

/* The image of the cube [-1, 1]^3. */
static cd_status cdi_mass_of_sharp_box(const cdi_mass_of *m, const cdi_obb *o, cd_mass *out) {
    cdi_lump l;
    cdi_m3 map, by = cdi_diagonal(m->by);
    int shift;
    for (int k = 0; k < 3; ++k) map.c[k] = cdi_v3_scale(o->axes.c[k], o->half[k]);
    map = cdi_m3_mul(&by, &map);
    shift = cdi_mass_shift(
        cdi_max(cdi_v3_max_abs(map.c[0]), cdi_max(cdi_v3_max_abs(map.c[1]), cdi_v3_max_abs(map.c[2]))));
    for (int k = 0; k < 3; ++k) {
        cdi_v3 c = cdi_v3_scale2(map.c[k], -shift);
        map.c[k] = c;
    }
    cdi_lump_begin(&l);
    l.mass = 8.0;
    for (int k = 0; k < 3; ++k) l.second[k] = 8.0 / 3.0;
    cdi_lump_map(&l, &map);
    cdi_lump_mass(&l, cdi_stretched(o->center, m->by), shift, out);
    return cdi_mass_finish(out);
}

static cd_status cdi_mass_of_any_box(const cdi_mass_of *m, cd_mass *out) {
    const void *shape = m->support->shape;
    bool aligned = m->support->kind == CD_SUPPORT_AABB;
    cdi_obb o;
    if (m->radius > 0.0) return cdi_mass_of_polyhedron(m, out);
    if (aligned && !m->stretched) {
        *out = cd_mass_from_aabb(*(const cd_aabb *)shape);
        return cdi_mass_finish(out);
    }
    if (!aligned) {
        o = cdi_obb_of((const cd_obb *)shape);
    } else {
        cdi_v3 lo = cdi_v3_scale(cdi_v3_of(((const cd_aabb *)shape)->min), 0.5);
        cdi_v3 hi = cdi_v3_scale(cdi_v3_of(((const cd_aabb *)shape)->max), 0.5);
        o.axes = cdi_diagonal(cdi_v3_make(1.0, 1.0, 1.0));
        o.center = cdi_v3_add(lo, hi);
        cdi_v3_store(o.half, cdi_v3_sub(hi, lo));
    }
    return cdi_mass_of_sharp_box(m, &o, out);
}

/* ---- k-DOPs ---- */

/* Its sides, as seen from the middle of their corners, stretched; distances below `near` are none. */
typedef struct cdi_slabs {
    const cdi_mass_of *of;
    cdi_kdop_frame frame;
    cdi_v3 mean;
    double near_by;
} cdi_slabs;

static cdi_v3 cdi_slabs_normal(const cdi_slabs *s, int side) {
    cdi_v3 n = s->frame.side[side].n, by = s->of->by;
    return cdi_v3_unit(cdi_v3_make(n.x / by.x, n.y / by.y, n.z / by.z));
}

static cdi_v3 cdi_slabs_corner(const cdi_slabs *s, cdi_v3 p) {
    return cdi_stretched(cdi_v3_sub(p, s->mean), s->of->by);
}

static bool cdi_slabs_open(cdi_slabs *s, const cdi_mass_of *of, const cd_kdop_body *k) {
    cd_kdop tight = *k->dop;
    cdi_v3 sum = cdi_v3_make(0.0, 0.0, 0.0);
    double count = 0.0;
    s->of = of;
    if (!cd_kdop_tighten(&tight, k->set) || !cdi_kdop_frame_of(&tight, k->set, &s->frame)) return false;
    for (int i = 0; i < s->frame.count; ++i) {
        cdi_side_polygon g;
        cdi_kdop_side_of(&s->frame, i, &g);
        for (int j = 0; j < g.count; ++j) sum = cdi_v3_add(sum, g.v[j]);
        count += g.count;
    }
    s->mean = count > 0.0 ? cdi_v3_scale(sum, 1.0 / count) : sum;
    s->near_by = s->frame.reach * 1e-12;
    return true;
}

static bool cdi_slabs_on(const cdi_slabs *s, int side, cdi_v3 p) {
    return cdi_abs(cdi_v3_dot(s->frame.side[side].n, p) - s->frame.side[side].d) <= s->near_by;
}

/* Does a side with a smaller number lie in the same plane? */
static bool cdi_slabs_again(const cdi_slabs *s, int side) {
    for (int j = 0; j < side; ++j) {
        cdi_v3 off = cdi_v3_sub(s->frame.side[j].n, s->frame.side[side].n);
        if (cdi_v3_max_abs(off) < 1e-12 && cdi_abs(s->frame.side[j].d - s->frame.side[side].d) <= s->near_by)
            return true;
    }
    return false;
}

/* Of all sides that hold an edge, those at both ends of the fan of normals meet there: from the first, all others are outward, and the last is the
 * farthest. The edge is told by the one with the smaller number. */
static bool cdi_slabs_ridge(const cdi_slabs *s, int side, cdi_v3 p, cdi_v3 q, cdi_ridge *e) {
    cdi_v3 d = cdi_v3_sub(q, p), out = cdi_v3_cross(cdi_v3_unit(d), s->frame.side[side].n);
    double least = 2.0;
    int other = side;
    if (cdi_v3_max_abs(d) <= s->near_by) return false;
    for (int j = 0; j < s->frame.count; ++j) {
        cdi_v3 n = s->frame.side[j].n;
        if (j == side || !cdi_slabs_on(s, j, p) || !cdi_slabs_on(s, j, q) || cdi_slabs_again(s, j)) continue;
        if (cdi_v3_dot(n, out) < -1e-9) return false;
        if (cdi_v3_dot(n, s->frame.side[side].n) < least)
            least = cdi_v3_dot(n, s->frame.side[side].n), other = j;
    }
    if (other <= side) return false;
    e->p = cdi_slabs_corner(s, p);
    e->q = cdi_slabs_corner(s, q);
    e->n = cdi_slabs_normal(s, side);
    e->other = cdi_slabs_normal(s, other);
    d = cdi_v3_unit(cdi_v3_sub(e->q, e->p));
    e->out = cdi_v3_cross(d, e->n);
    if (cdi_v3_dot(cdi_stretched(out, s->of->by), e->out) < 0.0) e->out = cdi_v3_neg(e->out); /* mirrored */
    return true;
}

static void cdi_lump_slab(cdi_lump *l, const cdi_slabs *s, int side, double radius) {
    bool mirrored = s->of->by.x * s->of->by.y * s->of->by.z < 0.0;
    cdi_v3 n = cdi_slabs_normal(s, side);
    cdi_side_polygon g;
    cdi_ridge e;
    if (cdi_slabs_again(s, side)) return;
    cdi_kdop_side_of(&s->frame, side, &g);
    for (int j = 2; j < g.count; ++j) {
        cdi_v3 a = cdi_slabs_corner(s, g.v[0]), b = cdi_slabs_corner(s, g.v[mirrored ? j : j - 1]);
        cdi_v3 c = cdi_slabs_corner(s, g.v[mirrored ? j - 1 : j]);
        cdi_lump_tetrahedron(l, a, b, c);
        cdi_lump_prism(l, a, b, c, n, radius);
    }
    for (int j = 0; j < g.count && radius > 0.0; ++j)
        if (cdi_slabs_ridge(s, side, g.v[j], g.v[j + 1 < g.count ? j + 1 : 0], &e))
            cdi_lump_ridge(l, &e, radius);
}

static cd_status cdi_mass_of_kdop(const cdi_mass_of *m, const cd_kdop_body *k, cd_mass *out) {
    cdi_slabs s;
    cdi_lump l;
    cdi_v3 origin;
    int shift;
    if (!cdi_slabs_open(&s, m, k)) return CD_INVALID_ARGUMENT;
    shift = s.frame.exponent;
    cdi_lump_begin(&l);
    for (int i = 0; i < s.frame.count; ++i) cdi_lump_slab(&l, &s, i, cdi_scale2(m->radius, -shift));
    origin = cdi_v3_add(s.frame.center, cdi_v3_scale2(s.mean, shift));
    if (!(l.mass > 0.0)) return cdi_mass_none(cdi_stretched(origin, m->by), out);
    cdi_lump_mass(&l, cdi_stretched(origin, m->by), shift, out);
    return cdi_mass_finish(out);
}

/* ---- convex shapes ---- */

static cd_status cdi_mass_of_points(const cdi_mass_of *m, cd_mass *out) {
    const cd_vec3 *p = (const cd_vec3 *)m->support->shape;
    switch (m->support->count) {
    case 1:
        return cdi_mass_of_balls(NULL, cdi_mass_point(m, p[0]), cdi_mass_point(m, p[0]), m->radius, m->radius,
                                 out);
    case 2:
        return cdi_mass_of_balls(NULL, cdi_mass_point(m, p[0]), cdi_mass_point(m, p[1]), m->radius, m->radius,
                                 out);
    case 3: return cdi_mass_of_wreath(m, p, 3, out);
    case 4: return m->radius > 0.0 ? cdi_mass_of_polyhedron(m, out) : cdi_mass_of_sharp_four(m, p, out);
    default: return CD_UNSUPPORTED;
    }
}

static cd_status cdi_mass_of_hull(const cdi_mass_of *m, const cd_hull *hull, cd_mass *out) {
    if (m->radius > 0.0) return cdi_mass_of_polyhedron(m, out);
    if (m->stretched) return cdi_mass_of_sharp_hull(m, hull, out);
    *out = cd_mass_from_hull(hull);
    return cdi_mass_finish(out);
}

static cd_status cdi_mass_of_rect(const cdi_mass_of *m, const cd_rect *r, cd_mass *out) {
    cdi_v3 c;
    if (m->radius > 0.0) return cdi_mass_of_polyhedron(m, out);
    c = cdi_v3_add(cdi_v3_of(r->a),
                   cdi_v3_scale(cdi_v3_add(cdi_v3_of(r->edge[0]), cdi_v3_of(r->edge[1])), 0.5));
    return cdi_mass_none(cdi_stretched(c, m->by), out);
}

static cd_status cdi_mass_of_core(const cdi_mass_of *m, cd_mass *out) {
    const void *shape = m->support->shape;
    cdi_v3 center = cdi_mass_point(m, m->support->center);
    cdi_frustum f;
    switch (m->support->kind) {
    case CD_SUPPORT_POINT: return cdi_mass_of_balls(NULL, center, center, m->radius, m->radius, out);
    case CD_SUPPORT_POINTS: return cdi_mass_of_points(m, out);
    case CD_SUPPORT_AABB:
    case CD_SUPPORT_OBB: return cdi_mass_of_any_box(m, out);
    case CD_SUPPORT_RECT: return cdi_mass_of_rect(m, (const cd_rect *)shape, out);
    case CD_SUPPORT_HULL: return cdi_mass_of_hull(m, (const cd_hull *)shape, out);
    case CD_SUPPORT_KDOP: return cdi_mass_of_kdop(m, (const cd_kdop_body *)shape, out);
    case CD_SUPPORT_TAPERED: return cdi_mass_of_tapered(m, (const cd_tapered_capsule *)shape, out);
    case CD_SUPPORT_ELLIPSOID: return cdi_mass_of_ellipsoid(m, (const cd_ellipsoid *)shape, out);
    case CD_SUPPORT_DISC: (void)cdi_frustum_of_disc(&f, (const cd_disc *)shape); break;
    case CD_SUPPORT_CYLINDER: (void)cdi_frustum_of_cylinder(&f, (const cd_cylinder *)shape); break;
    case CD_SUPPORT_CONE: (void)cdi_frustum_of_cone(&f, (const cd_cone *)shape); break;
    default: return CD_UNSUPPORTED;
    }
    return cdi_mass_of_frustum(m, &f, out);
}

/* Rounded by so much more. */
static cd_status cdi_mass_of_convex(const cd_shape *s, double round, cd_mass *out) {
    cd_support support = cd_shape_as_support(s);
    cdi_mass_of m;
    bool valid;
    m.support = &support;
    m.stretched = cdi_stretch_of(&support, &m.by, &valid);
    if (!m.stretched) m.by = cdi_v3_make(1.0, 1.0, 1.0);
    m.size = cdi_abs(m.by.x);
    m.even = cdi_abs(m.by.y) == m.size && cdi_abs(m.by.z) == m.size;
    m.radius = (double)support.radius + round;
    if (s->type == CD_SHAPE_POLYGON) return cdi_mass_of_wreath(&m, s->u.points, s->count, out);
    return cdi_mass_of_core(&m, out);
}

/* ---- meshes ---- */

typedef struct cdi_mesh_sum {
    cdi_moments sum;
    cdi_v3 by;
} cdi_mesh_sum;

static uint32_t cdi_mesh_lanes(const void *q, const cdi_bvh_node *node) {
    (void)q;
    (void)node;
    return 255;
}

static bool cdi_mesh_items(void *q, const cdi_bvh *tree, uint32_t first, uint32_t count) {
    cdi_mesh_sum *m = (cdi_mesh_sum *)q;
    for (uint32_t n = 0, i = first; n < count; ++n, i = cdi_bvh_next_item(tree, i)) {
        cdi_tri t = cdi_bvh_tri(tree, i);
        cdi_moments_add(&m->sum, cdi_stretched(t.v[0], m->by), cdi_stretched(t.v[1], m->by),
                        cdi_stretched(t.v[2], m->by));
    }
    return true;
}

static bool cdi_mesh_pass(const cdi_bvh *tree, cd_aabb box, cdi_v3 by, bool shell, cd_mass *out) {
    cdi_v3 p = cdi_stretched(cdi_v3_of(box.min), by), q = cdi_stretched(cdi_v3_of(box.max), by);
    cdi_mesh_sum m;
    m.by = by;
    cdi_moments_begin(&m.sum, cdi_v3_make(cdi_min(p.x, q.x), cdi_min(p.y, q.y), cdi_min(p.z, q.z)),
                      cdi_v3_make(cdi_max(p.x, q.x), cdi_max(p.y, q.y), cdi_max(p.z, q.z)), shell);
    (void)cdi_walk_meeting(tree, &m, cdi_mesh_lanes, cdi_mesh_items);
    return cdi_moments_end(&m.sum, out);
}

static cdi_v3 cdi_factors_of(cd_vec3 scale) {
    if (scale.x == 0 && scale.y == 0 && scale.z == 0) return cdi_v3_make(1.0, 1.0, 1.0);
    return cdi_v3_of(scale);
}

static cd_status cdi_mass_of_mesh(const cd_shape *s, double round, cd_mass *out) {
    cdi_v3 by = cdi_factors_of(s->scale);
    cd_aabb box = cd_bvh_bounds(s->u.mesh.tree);
    cdi_bvh tree;
    cdi_clear(out, sizeof *out);
    if (s->radius > 0 || round > 0.0 || cd_bvh_get_layout(s->u.mesh.tree) == CD_BVH_HEIGHTS)
        return CD_UNSUPPORTED;
    if (!cdi_bvh_open(&tree, s->u.mesh.tree) || cd_aabb_is_empty(box)) return CD_OK;
    if (!cdi_mesh_pass(&tree, box, by, false, out)) {
        cd_mass surface;
        (void)cdi_mesh_pass(&tree, box, by, true, &surface);
        cdi_copy(out->center, surface.center, sizeof out->center);
    }
    if (by.x * by.y * by.z < 0.0) *out = cd_mass_scale(out, -1.0);
    return cdi_mass_finish(out);
}

/* ---- what is made of others ---- */

/* Of a body that is stretched. */
static void cdi_mass_stretch(cd_mass *m, cdi_v3 by) {
    cdi_m3 map = cdi_diagonal(by);
    double half = 0.5 * (m->inertia[0][0] + m->inertia[1][1] + m->inertia[2][2]);
    cdi_v3 center = cdi_stretched(cdi_v3_make(m->center[0], m->center[1], m->center[2]), by);
    cdi_lump l;
    if (by.x == 1.0 && by.y == 1.0 && by.z == 1.0) return;
    cdi_lump_begin(&l);
    l.mass = m->mass;
    for (int i = 0; i < 3; ++i) {
        l.second[i] = half - m->inertia[i][i];
        l.second[3 + i] = 0.0 - m->inertia[i][(i + 1) % 3];
    }
    cdi_lump_map(&l, &map);
    cdi_lump_mass(&l, center, 0, m);
    cdi_v3_store(m->center, center);
}

static cd_status cdi_mass_of_class(const cd_shape *s, double round, cd_mass *out) {
    const cd_shape_class *table = s->u.custom.table;
    cd_status status;
    cdi_clear(out, sizeof *out);
    if (!table->mass || s->radius > 0 || round > 0.0) return CD_UNSUPPORTED;
    status = table->mass(s->u.custom.object, out);
    if (status != CD_OK) return status;
    cdi_mass_stretch(out, cdi_factors_of(s->scale));
    return cdi_mass_finish(out);
}

static cd_status cdi_mass_of_simple(const cd_shape *s, double round, cd_mass *out) {
    switch (s->type) {
    case CD_SHAPE_HALFSPACE:
    case CD_SHAPE_COMPOUND:
    case CD_SHAPE_HEIGHTS: return CD_UNSUPPORTED;
    case CD_SHAPE_MESH: return cdi_mass_of_mesh(s, round, out);
    case CD_SHAPE_CLASS: return cdi_mass_of_class(s, round, out);
    default: return cdi_mass_of_convex(s, round, out);
    }
}

/* A child as it is, rounded by so much more; then posed, and stretched with the whole: none of its numbers is rounded. */
static cd_status cdi_mass_of_posed(const cd_placed_shape *child, double round, cdi_v3 by, cd_mass *out) {
    cd_status status = cdi_mass_of_simple(child->shape, round, out);
    if (status != CD_OK) return status;
    *out = cd_mass_transform(out, &child->pose);
    cdi_mass_stretch(out, by);
    return CD_OK;
}

static bool cdi_child_is_sharp(const cd_shape *s) {
    cd_support support;
    if (!cd_shape_is_convex(s)) return !(s->radius > 0);
    support = cd_shape_as_support(s);
    return !(support.radius > 0);
}

static bool cdi_child_is_ball(const cd_shape *s) {
    return s->type == CD_SHAPE_POINT || s->type == CD_SHAPE_SPHERE;
}

/* About its center. */
static cd_shape cdi_ball_as_ellipsoid(const cd_shape *s) {
    cd_support ball = cd_shape_as_support(s);
    cd_ellipsoid e;
    e.center = cd_vec3_make(0, 0, 0);
    e.axes = cd_mat3_identity();
    e.half = cd_vec3_make(ball.radius, ball.radius, ball.radius);
    return cd_shape_of_ellipsoid(&e);
}

/* Stretched unevenly, and then rounded: balls, and what is not turned and has no rounding of its own. */
static cd_status cdi_mass_of_uneven_part(const cd_shape *whole, const cd_placed_shape *child, cd_mass *out) {
    const cd_quat *q = &child->pose.rotation;
    cdi_v3 by = cdi_v3_of(whole->scale), own = cdi_factors_of(child->shape->scale);
    cdi_v3 at = cdi_v3_of(child->pose.position);
    cd_shape s = *child->shape;
    cd_status status;
    if (cdi_child_is_ball(&s)) { /* both begin with a point */
        cdi_pose pose = cdi_pose_of(&child->pose);
        at = cdi_pose_point(&pose, cdi_stretched(cdi_v3_of(s.u.point), own));
        s = cdi_ball_as_ellipsoid(child->shape);
        s.scale = whole->scale;
    } else {
        if (q->x != 0 || q->y != 0 || q->z != 0 || !cdi_child_is_sharp(&s)) return CD_UNSUPPORTED;
        own = cdi_stretched(own, by);
        if (!cdi_v3_fits(own)) return CD_TOO_LARGE;
        s.scale = cdi_v3_round(own);
        if (s.scale.x == 0 || s.scale.y == 0 || s.scale.z == 0) return CD_TOO_LARGE;
    }
    status = cdi_mass_of_simple(&s, (double)whole->radius, out);
    if (status != CD_OK) return status;
    at = cdi_stretched(at, by);
    cdi_v3_store(out->center, cdi_v3_add(at, cdi_v3_make(out->center[0], out->center[1], out->center[2])));
    return CD_OK;
}

static cd_status cdi_mass_of_part(const cd_shape *whole, const cd_placed_shape *child, cd_mass *out) {
    cdi_v3 by = cdi_factors_of(whole->scale);
    double size = cdi_abs(by.x), round = (double)whole->radius;
    if (cdi_abs(by.y) == size && cdi_abs(by.z) == size)
        return cdi_mass_of_posed(child, round / size, by, out);
    if (round > 0.0) return cdi_mass_of_uneven_part(whole, child, out);
    if (!cdi_child_is_ball(child->shape) && !cdi_child_is_sharp(child->shape)) return CD_UNSUPPORTED;
    return cdi_mass_of_posed(child, 0.0, by, out);
}

static cd_status cdi_mass_of_compound(const cd_shape *s, cd_mass *out) {
    const cd_compound *c = s->u.compound;
    cdi_clear(out, sizeof *out);
    for (uint32_t i = 0; i < c->count; ++i) {
        cd_mass part;
        cd_status status = cdi_mass_of_part(s, &c->children[i], &part);
        if (status != CD_OK) return status;
        *out = i ? cd_mass_add(out, &part) : part;
    }
    return cdi_mass_finish(out);
}

CD_API cd_status cd_shape_mass(const cd_shape *s, double density, cd_mass *out) {
    cd_status status;
    cdi_clear(out, sizeof *out);
    if (!cd_shape_is_valid(s) || !cdi_finite(density) || density < 0.0) return CD_INVALID_ARGUMENT;
    status = s->type == CD_SHAPE_COMPOUND ? cdi_mass_of_compound(s, out) : cdi_mass_of_simple(s, 0.0, out);
    if (status == CD_OK && density != 1.0) {
        *out = cd_mass_scale(out, density);
        status = cdi_mass_finish(out);
    }
    if (status != CD_OK) cdi_clear(out, sizeof *out);
    return status;
}
