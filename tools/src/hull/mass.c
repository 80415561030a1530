#include "hull/mass.h"
#include "core/eigen3d.h"
#include "core/orient.h"
#include "core/pose.h"
#include "hull/mass3d.h"
#include "shape/volume3d.h"

/* ---- sums over triangles ---- */

static const int cdi_moment_row[6] = {0, 1, 2, 0, 1, 2};
static const int cdi_moment_column[6] = {0, 1, 2, 1, 2, 0};

/* The middle, and e with half the size in 2^(e-1)...2^e. Halves first: the size may be beyond the range. */
static double cdi_span_middle(double lo, double hi, int *e) {
    double middle = 0.5 * lo + 0.5 * hi, half = cdi_max(hi - middle, middle - lo);
    *e = half > 0.0 ? cdi_exponent(half) + 1 : -1022;
    return middle;
}

CDI_FN void cdi_moments_begin(cdi_moments *m, cdi_v3 lo, cdi_v3 hi, bool shell) {
    cdi_clear(m, sizeof *m);
    m->origin.x = cdi_span_middle(lo.x, hi.x, &m->shift[0]);
    m->origin.y = cdi_span_middle(lo.y, hi.y, &m->shift[1]);
    m->origin.z = cdi_span_middle(lo.z, hi.z, &m->shift[2]);
    m->shell = shell;
    m->unit = m->shift[0] + m->shift[1] + m->shift[2];
    if (shell) {
        int most = m->shift[0] > m->shift[1] ? m->shift[0] : m->shift[1];
        m->unit = 2 * (most > m->shift[2] ? most : m->shift[2]);
    }
}

static void cdi_moments_local(const cdi_moments *m, cdi_v3 p, cdi_two out[3]) {
    out[0] = cdi_two_scale2(cdi_two_of_diff(p.x, m->origin.x), -m->shift[0]);
    out[1] = cdi_two_scale2(cdi_two_of_diff(p.y, m->origin.y), -m->shift[1]);
    out[2] = cdi_two_scale2(cdi_two_of_diff(p.z, m->origin.z), -m->shift[2]);
}

/* a d - b c */
static cdi_two cdi_two_det2(cdi_two a, cdi_two b, cdi_two c, cdi_two d) {
    return cdi_two_sub(cdi_two_mul(a, d), cdi_two_mul(b, c));
}

/* Six times the volume of the tetrahedron to the middle. */
static cdi_two cdi_moments_volume(cdi_moments *m, cdi_two p[3][3]) {
    cdi_two sum = cdi_two_of(0.0);
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        cdi_two minor = cdi_two_det2(p[1][j], p[1][k], p[2][j], p[2][k]);
        sum = cdi_two_add(sum, cdi_two_mul(p[0][i], minor));
        m->terms +=
            cdi_abs(p[0][i].hi) * (cdi_abs(p[1][j].hi * p[2][k].hi) + cdi_abs(p[1][k].hi * p[2][j].hi));
    }
    return sum;
}

/* Twice the area. Needles may need more digits than two doubles have. */
static cdi_two cdi_moments_area(const cdi_moments *m, cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    return cdi_two_of(cdi_scale2(cdi_v3_length(cdi_accurate_normal(a, b, c)), -m->unit));
}

/* Over a tetrahedron or a triangle, the integral of x is that of 1 times the mean of the corners, and that of x x^T is that
 * of 1 times the sum of the products of each two corners, those with themselves twice, over 20 or 12. */
CDI_FN void cdi_moments_add(cdi_moments *m, cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    cdi_two p[3][3], sum[3], weight;
    cdi_moments_local(m, a, p[0]);
    cdi_moments_local(m, b, p[1]);
    cdi_moments_local(m, c, p[2]);
    weight = m->shell ? cdi_moments_area(m, a, b, c) : cdi_moments_volume(m, p);
    m->count += 1.0;
    m->weight = cdi_two_add(m->weight, weight);
    for (int i = 0; i < 3; ++i) {
        sum[i] = cdi_two_add(cdi_two_add(p[0][i], p[1][i]), p[2][i]);
        m->first[i] = cdi_two_add(m->first[i], cdi_two_mul(weight, sum[i]));
    }
    for (int n = 0; n < 6; ++n) {
        int i = cdi_moment_row[n], j = cdi_moment_column[n];
        cdi_two q = cdi_two_mul(sum[i], sum[j]);
        for (int k = 0; k < 3; ++k) q = cdi_two_add(q, cdi_two_mul(p[k][i], p[k][j]));
        m->second[n] = cdi_two_add(m->second[n], cdi_two_mul(weight, q));
    }
}

/* Up to this, a sum of the determinants may be made of rounding errors: those are at most 19 u^2 of the terms of each, and
 * 3 u^2 of the sum before at each addition, u^2 = 2^-106. */
static double cdi_moments_doubt(const cdi_moments *m) {
    return (m->count + 8.0) * 1.9721522630525295e-31 * m->terms; /* 2^-102; 0 for a shell */
}

/* The integral of x x^T about the centre, which is at d, from that about the middle. A product in doubt is none: a box
 * along the axes has the axes for its principal ones. */
static cdi_two cdi_moments_spread(const cdi_moments *m, int n, cdi_two mass, const cdi_two d[3]) {
    int i = cdi_moment_row[n], j = cdi_moment_column[n];
    cdi_two about = cdi_two_div(m->second[n], cdi_two_of(m->shell ? 24.0 : 120.0));
    cdi_two moved = cdi_two_mul(mass, cdi_two_mul(d[i], d[j]));
    cdi_two spread = cdi_two_sub(about, moved);
    if (i != j && cdi_abs(spread.hi) <= cdi_moments_doubt(m)) return cdi_two_of(0.0);
    return cdi_two_scale2(spread, m->shift[i] + m->shift[j] + m->unit);
}

/* Rounded once: of bodies partly inside out two spreads may cancel in a moment. */
static void cdi_mass_set_inertia(cd_mass *out, const cdi_two spread[6]) {
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3;
        out->inertia[i][i] = cdi_two_add(spread[j], spread[(i + 2) % 3]).hi;
        out->inertia[i][j] = out->inertia[j][i] = 0.0 - spread[3 + i].hi;
    }
}

/* o + d in the frame's units, rounded once. */
static double cdi_moments_place(double o, cdi_two d, int shift) {
    double sum, rest;
    d = cdi_two_scale2(d, shift);
    cdi_two_sum(o, d.hi, &sum, &rest);
    return sum + (rest + d.lo);
}

CDI_FN bool cdi_moments_end(const cdi_moments *m, cd_mass *out) {
    cdi_two mass, d[3], corners, spread[6];
    cdi_clear(out, sizeof *out);
    cdi_v3_store(out->center, m->origin);
    if (!(cdi_abs(m->weight.hi) > cdi_moments_doubt(m))) return false;
    mass = cdi_two_div(m->weight, cdi_two_of(m->shell ? 2.0 : 6.0));
    corners = cdi_two_mul(m->weight, cdi_two_of(m->shell ? 3.0 : 4.0));
    for (int i = 0; i < 3; ++i) {
        d[i] = cdi_two_div(m->first[i], corners);
        out->center[i] = cdi_moments_place(out->center[i], d[i], m->shift[i]);
    }
    out->mass = cdi_scale2(mass.hi, m->unit);
    for (int n = 0; n < 6; ++n) spread[n] = cdi_moments_spread(m, n, mass, d);
    cdi_mass_set_inertia(out, spread);
    return true;
}

/* ---- meshes ---- */

static bool cdi_mass_is_finite(const cd_mass *m) {
    bool good = cdi_finite(m->mass) && cdi_finite3(m->center[0], m->center[1], m->center[2]);
    for (int i = 0; i < 3; ++i)
        good = good && cdi_finite3(m->inertia[i][0], m->inertia[i][1], m->inertia[i][2]);
    return good;
}

CDI_FN cd_status cdi_mass_finish(cd_mass *out) {
    if (cdi_mass_is_finite(out)) return CD_OK;
    cdi_clear(out, sizeof *out);
    return CD_TOO_LARGE;
}

/* The box of all triangles; false for an index out of range or a number that is not finite. */
static bool cdi_mesh_bounds(const cd_mesh_view *mesh, cd_aabb *box) {
    *box = cd_aabb_empty();
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
        cd_triangle t;
        if (!cd_mesh_triangle(mesh, i, &t) || !cd_triangle_is_valid(&t)) return false;
        *box = cd_aabb_add_point(cd_aabb_add_point(cd_aabb_add_point(*box, t.a), t.b), t.c);
    }
    return true;
}

static bool cdi_mesh_moments(const cd_mesh_view *mesh, cd_aabb box, bool shell, cd_mass *out) {
    cdi_moments m;
    cdi_moments_begin(&m, cdi_v3_of(box.min), cdi_v3_of(box.max), shell);
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
        cd_triangle t;
        if (!cd_mesh_triangle(mesh, i, &t)) return false; /* cdi_mesh_bounds has seen them all */
        cdi_moments_add(&m, cdi_v3_of(t.a), cdi_v3_of(t.b), cdi_v3_of(t.c));
    }
    return cdi_moments_end(&m, out);
}

CD_API cd_status cd_mass_properties(const cd_mesh_view *mesh, cd_mass *out) {
    cd_aabb box;
    cd_mass surface;
    cdi_clear(out, sizeof *out);
    if (!cd_mesh_view_is_valid(mesh) || !cdi_mesh_bounds(mesh, &box)) return CD_INVALID_ARGUMENT;
    if (mesh->triangle_count == 0) return CD_OK;
    if (!cdi_mesh_moments(mesh, box, false, out)) {
        cdi_mesh_moments(mesh, box, true, &surface);
        cdi_copy(out->center, surface.center, sizeof out->center);
    }
    return cdi_mass_finish(out);
}

CD_API cd_status cd_mass_properties_shell(const cd_mesh_view *mesh, cd_mass *out) {
    cd_aabb box;
    cdi_clear(out, sizeof *out);
    if (!cd_mesh_view_is_valid(mesh) || !cdi_mesh_bounds(mesh, &box)) return CD_INVALID_ARGUMENT;
    if (mesh->triangle_count == 0) return CD_OK;
    cdi_mesh_moments(mesh, box, true, out);
    return cdi_mass_finish(out);
}

/* ---- hulls ---- */

CDI_FN bool cdi_hull_moments(const cd_hull_parts *p, cd_aabb box, bool shell, cd_mass *out) {
    cdi_moments m;
    cdi_moments_begin(&m, cdi_v3_of(box.min), cdi_v3_of(box.max), shell);
    for (uint32_t f = 0; f < p->face_count; ++f) {
        const cd_half_edge *e = p->half_edges + p->faces[f].first;
        for (uint32_t i = 2; i < p->faces[f].count; ++i) {
            cdi_moments_add(&m, cdi_v3_of(p->vertices[e[0].origin]), cdi_v3_of(p->vertices[e[i - 1].origin]),
                            cdi_v3_of(p->vertices[e[i].origin]));
        }
    }
    return cdi_moments_end(&m, out);
}

CD_API cd_mass cd_mass_from_hull(const cd_hull *hull) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cd_aabb box = cd_hull_bounds(hull);
    cd_mass out, surface;
    cdi_clear(&out, sizeof out);
    if (p.dimension < 0) return out;
    if (!cdi_hull_moments(&p, box, false, &out)) {
        cdi_hull_moments(&p, box, true, &surface);
        cdi_copy(out.center, surface.center, sizeof out.center);
    }
    cdi_mass_finish(&out);
    return out;
}

/* ---- simple shapes ---- */

CD_API cd_mass cd_mass_from_tetrahedron(cd_vec3 a, cd_vec3 b, cd_vec3 c, cd_vec3 d) {
    static const uint32_t faces[12] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0};
    cd_vec3 v[4];
    cd_mesh_view mesh;
    cd_mass m;
    v[0] = a;
    v[1] = b;
    v[2] = c;
    v[3] = d;
    mesh = cd_mesh_view_make(v, 4, faces, 4);
    cd_mass_properties(&mesh, &m);
    return m.mass < 0.0 ? cd_mass_scale(&m, -1.0) : m;
}

/* From the integrals of x^2, y^2 and z^2 about the centre. All zero where anything is not finite. */
static cd_mass cdi_mass_of_spreads(double mass, cdi_v3 center, cdi_v3 spread) {
    cd_mass m;
    cdi_two all[6];
    m.mass = mass;
    cdi_v3_store(m.center, center);
    for (int n = 0; n < 6; ++n) all[n] = cdi_two_of(n < 3 ? cdi_v3_get(spread, n) : 0.0);
    cdi_mass_set_inertia(&m, all);
    cdi_mass_finish(&m);
    return m;
}

CD_API cd_mass cd_mass_from_sphere(cd_sphere s) {
    double r = (double)s.radius, volume = 4.1887902047863905 * (r * r * r), spread; /* 4/3 pi */
    if (!(r >= 0.0)) volume = cdi_nan();
    spread = 0.2 * volume * (r * r);
    return cdi_mass_of_spreads(volume, cdi_v3_of(s.center), cdi_v3_make(spread, spread, spread));
}

/* A box of these half extents, along the axes. */
static cd_mass cdi_mass_of_box(cdi_v3 center, const double half[3]) {
    double volume = 8.0 * (half[0] * half[1] * half[2]), third = volume / 3.0;
    if (!(half[0] >= 0.0 && half[1] >= 0.0 && half[2] >= 0.0)) volume = cdi_nan();
    return cdi_mass_of_spreads(
        volume, center,
        cdi_v3_make(third * (half[0] * half[0]), third * (half[1] * half[1]), third * (half[2] * half[2])));
}

CD_API cd_mass cd_mass_from_aabb(cd_aabb b) {
    cdi_v3 lo = cdi_v3_scale(cdi_v3_of(b.min), 0.5), hi = cdi_v3_scale(cdi_v3_of(b.max), 0.5);
    double half[3];
    cdi_v3_store(half, cdi_v3_sub(hi, lo));
    return cdi_mass_of_box(cdi_v3_add(lo, hi), half);
}

/* R I R^T, made symmetric. */
static void cdi_rotate_inertia(cd_mass *m, const cdi_m3 *r) {
    cdi_m3 inertia, t = cdi_m3_transpose(r);
    for (int j = 0; j < 3; ++j)
        inertia.c[j] = cdi_v3_make(m->inertia[0][j], m->inertia[1][j], m->inertia[2][j]);
    inertia = cdi_m3_mul(&inertia, &t);
    inertia = cdi_m3_mul(r, &inertia);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            m->inertia[i][j] = 0.5 * cdi_v3_get(inertia.c[j], i) + 0.5 * cdi_v3_get(inertia.c[i], j);
    }
}

CD_API cd_mass cd_mass_from_obb(const cd_obb *b) {
    cdi_obb box = cdi_obb_of(b);
    cd_mass m = cdi_mass_of_box(box.center, box.half);
    cdi_rotate_inertia(&m, &box.axes);
    cdi_mass_finish(&m);
    return m;
}

/* ---- bodies ---- */

CD_API cd_mass cd_mass_scale(const cd_mass *m, double factor) {
    cd_mass r = *m;
    r.mass *= factor;
    for (int i = 0; i < 9; ++i) r.inertia[i / 3][i % 3] *= factor;
    return r;
}

/* What a mass at the distance d adds to the inertia. */
static void cdi_add_inertia_at(double inertia[3][3], double mass, cdi_v3 d) {
    double v[3];
    if (mass == 0.0) return;
    cdi_v3_store(v, d);
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double product = mass * v[i] * v[j];
        inertia[i][i] += mass * (v[j] * v[j] + v[k] * v[k]);
        inertia[i][j] -= product;
        inertia[j][i] = inertia[i][j];
    }
}

CD_API cd_mass cd_mass_add(const cd_mass *a, const cd_mass *b) {
    cd_mass m = *a;
    cdi_v3 d =
        cdi_v3_make(b->center[0] - a->center[0], b->center[1] - a->center[1], b->center[2] - a->center[2]);
    m.mass = a->mass + b->mass;
    if (a->mass == 0.0 && b->mass != 0.0) {
        cdi_copy(m.center, b->center, sizeof m.center);
        d = cdi_v3_make(0.0, 0.0, 0.0);
    } else if (m.mass != 0.0) {
        double share = b->mass / m.mass; /* of the way to the centre of b */
        cdi_v3_store(m.center, cdi_v3_along(cdi_v3_make(a->center[0], a->center[1], a->center[2]), d, share));
    }
    for (int i = 0; i < 9; ++i) m.inertia[i / 3][i % 3] += b->inertia[i / 3][i % 3];
    cdi_add_inertia_at(m.inertia, b->mass * (m.mass != 0.0 ? a->mass / m.mass : 1.0), d);
    return m;
}

CD_API cd_mass cd_mass_transform(const cd_mass *m, const cd_transform *pose) {
    cdi_pose p = cdi_pose_of(pose);
    cd_mass r = *m;
    cdi_v3_store(r.center, cdi_pose_point(&p, cdi_v3_make(m->center[0], m->center[1], m->center[2])));
    cdi_rotate_inertia(&r, &p.rotation);
    return r;
}

/* In the number type of the interface. */
static cd_mat3 cdi_inertia_round(double inertia[3][3]) {
    cdi_m3 m;
    for (int j = 0; j < 3; ++j) m.c[j] = cdi_v3_make(inertia[0][j], inertia[1][j], inertia[2][j]);
    return cdi_m3_round(&m);
}

CD_API cd_mat3 cd_mass_inertia_at(const cd_mass *m, cd_vec3 point) {
    cd_mass r = *m;
    cdi_v3 c = cdi_v3_make(m->center[0], m->center[1], m->center[2]);
    cdi_add_inertia_at(r.inertia, m->mass, cdi_v3_sub(c, cdi_v3_of(point)));
    return cdi_inertia_round(r.inertia);
}

CD_API bool cd_mass_principal(const cd_mass *m, double moments[3], cd_mat3 *axes) {
    double inertia[3][3], value[3], largest = 0.0;
    cdi_m3 vector;
    int e;
    for (int i = 0; i < 9; ++i) {
        if (!cdi_finite(m->inertia[i / 3][i % 3])) return false;
        largest = cdi_max(largest, cdi_abs(m->inertia[i / 3][i % 3]));
    }
    e = largest > 0.0 ? cdi_exponent(largest) : 0;
    for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j) inertia[i][j] = inertia[j][i] = cdi_scale2(m->inertia[i][j], -e);
    cdi_eigen_jacobi(inertia, value, &vector);
    for (int i = 0; i < 3 && moments; ++i) moments[i] = cdi_scale2(value[i], e);
    if (axes) *axes = cdi_m3_round(&vector);
    return true;
}

CD_API bool cd_mass_is_valid(const cd_mass *m) {
    const double slack = 1.0 + 9.094947017729282e-13; /* 2^-40 */
    if (!cdi_mass_is_finite(m) || !(m->mass > 0.0)) return false;
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        if (m->inertia[i][j] != m->inertia[j][i] || !(m->inertia[i][i] >= 0.0)) return false;
        if (!(m->inertia[i][i] <= slack * (m->inertia[j][j] + m->inertia[k][k]))) return false;
    }
    return true;
}
