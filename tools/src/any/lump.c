#include "any/lump.h"
#include "core/angle.h"

#define CDI_LUMP_PI 3.14159265358979323846

static const int cdi_lump_row[6] = {0, 1, 2, 0, 1, 2};
static const int cdi_lump_column[6] = {0, 1, 2, 1, 2, 0};

/* ---- sums ---- */

CDI_FN void cdi_lump_begin(cdi_lump *l) {
    cdi_clear(l, sizeof *l);
}

/* s (a b^T + b a^T) / 2 */
static void cdi_lump_product(double second[6], cdi_v3 a, cdi_v3 b, double s) {
    for (int n = 0; n < 6; ++n) {
        int i = cdi_lump_row[n], j = cdi_lump_column[n];
        second[n] += 0.5 * s * (cdi_v3_get(a, i) * cdi_v3_get(b, j) + cdi_v3_get(a, j) * cdi_v3_get(b, i));
    }
}

/* What has the integrals `part` about a point. */
static void cdi_lump_add(cdi_lump *l, cdi_v3 at, const cdi_lump *part, double times) {
    l->mass += times * part->mass;
    l->first = cdi_v3_along(cdi_v3_along(l->first, at, times * part->mass), part->first, times);
    for (int n = 0; n < 6; ++n) l->second[n] += times * part->second[n];
    cdi_lump_product(l->second, at, at, times * part->mass);
    cdi_lump_product(l->second, at, part->first, 2.0 * times);
}

/* ---- faces ---- */

/* Of a simplex of n corners, the origin not counted, the integral of x x^T is that of 1 times the sum of the products of each two corners,
 * those with themselves twice, over (n + 1) (n + 2), or one more with it. */
static void cdi_lump_corners(double second[6], cdi_v3 a, cdi_v3 b, cdi_v3 c, double s) {
    cdi_v3 sum = cdi_v3_add(cdi_v3_add(a, b), c);
    cdi_lump_product(second, sum, sum, s);
    cdi_lump_product(second, a, a, s);
    cdi_lump_product(second, b, b, s);
    cdi_lump_product(second, c, c, s);
}

CDI_FN void cdi_lump_tetrahedron(cdi_lump *l, cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    double volume = cdi_v3_dot(a, cdi_v3_cross(b, c)) / 6.0;
    l->mass += volume;
    l->first = cdi_v3_along(l->first, cdi_v3_add(cdi_v3_add(a, b), c), 0.25 * volume);
    cdi_lump_corners(l->second, a, b, c, volume / 20.0);
}

CDI_FN void cdi_lump_prism(cdi_lump *l, cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 n, double radius) {
    cdi_v3 area = cdi_v3_cross(cdi_v3_sub(b, a), cdi_v3_sub(c, a));
    double size = 0.5 * cdi_v3_dot(area, n), volume = size * radius;
    cdi_v3 mean = cdi_v3_scale(cdi_v3_add(cdi_v3_add(a, b), c), 1.0 / 3.0);
    l->mass += volume;
    l->first = cdi_v3_along(cdi_v3_along(l->first, mean, volume), n, 0.5 * volume * radius);
    cdi_lump_corners(l->second, a, b, c, volume / 12.0);
    cdi_lump_product(l->second, mean, n, volume * radius);
    cdi_lump_product(l->second, n, n, volume * radius * radius / 3.0);
}

/* ---- edges ---- */

/* The angle of a vector with y >= 0, 0...pi; 0 for none. */
static double cdi_half_turn(double x, double y) {
    const double quarter = 0.5 * CDI_LUMP_PI;
    double size = cdi_max(cdi_abs(x), y), length, c, s, angle;
    if (!(size > 0.0)) return 0.0;
    x /= size;
    y /= size;
    length = cdi_sqrt(x * x + y * y);
    c = cdi_abs(x) / length;
    s = y / length;
    angle = s <= c ? cdi_angle_of(s, c) : quarter - cdi_angle_of(c, s);
    return x < 0.0 ? 2.0 * quarter - angle : angle;
}

/* The normals along an edge: from n, by an angle, to the other face's; the integrals of them and of their products over the angle. */
typedef struct cdi_normal_arc {
    cdi_v3 n, out, end;
    double angle, sine, cosine;
    cdi_v3 first;
    double second[6];
} cdi_normal_arc;

/* Rounding must not turn an edge in. */
static void cdi_normal_arc_of(cdi_normal_arc *a, const cdi_ridge *e) {
    double x = cdi_v3_dot(e->other, e->n), y = cdi_max(cdi_v3_dot(e->other, e->out), 0.0), length;
    length = cdi_sqrt(x * x + y * y);
    a->n = e->n;
    a->out = e->out;
    a->angle = cdi_half_turn(x, y);
    a->cosine = length > 0.0 ? x / length : 1.0;
    a->sine = length > 0.0 ? y / length : 0.0;
    a->end = cdi_v3_along(cdi_v3_scale(a->n, a->cosine), a->out, a->sine);
    a->first = cdi_v3_along(cdi_v3_scale(a->n, a->sine), a->out, 1.0 - a->cosine);
    cdi_clear(a->second, sizeof a->second);
    cdi_lump_product(a->second, a->n, a->n, 0.5 * (a->angle + a->sine * a->cosine));
    cdi_lump_product(a->second, a->out, a->out, 0.5 * (a->angle - a->sine * a->cosine));
    cdi_lump_product(a->second, a->n, a->out, a->sine * a->sine);
}

/* Half the solid angle of a triangle of unit vectors (Van Oosterom and Strackee); `det` is that of them. */
static double cdi_triangle_turn(cdi_v3 a, cdi_v3 b, cdi_v3 c, double det) {
    double under = 1.0 + cdi_v3_dot(a, b) + cdi_v3_dot(b, c) + cdi_v3_dot(c, a);
    double angle = cdi_half_turn(under, cdi_abs(det));
    return det < 0.0 ? 0.0 - angle : angle;
}

/* The solid angle between a direction c and the arc, that counts as positive where it is seen to turn about `along`. */
static double cdi_normal_arc_solid_angle(const cdi_normal_arc *a, cdi_v3 c, cdi_v3 along) {
    bool beyond = a->cosine < 0.0;
    double x = beyond ? a->sine : 1.0 + a->cosine, y = beyond ? 1.0 - a->cosine : a->sine;
    double length = cdi_sqrt(x * x + y * y), half = y / length, det = half * cdi_v3_dot(c, along);
    cdi_v3 middle = cdi_v3_along(cdi_v3_scale(a->n, x / length), a->out, half);
    return 2.0 * (cdi_triangle_turn(c, a->n, middle, det) + cdi_triangle_turn(c, middle, a->end, det));
}

/* What belongs to the arc of the sector at an end: `along` leads from the edge out of it. */
static void cdi_lump_sector(cdi_lump *l, const cdi_normal_arc *a, cdi_v3 end, cdi_v3 along, double radius) {
    double r3 = radius * radius * radius, solid = cdi_normal_arc_solid_angle(a, cdi_v3_unit(end), along);
    cdi_lump part;
    cdi_lump_begin(&part);
    part.mass = solid * r3 / 3.0;
    part.first = cdi_v3_scale(along, 0.5 * a->angle * (r3 * radius / 4.0));
    for (int k = 0; k < 3; ++k) part.second[k] = solid / 3.0 * (r3 * radius * radius / 5.0);
    cdi_lump_product(part.second, along, a->first, r3 * radius * radius / 15.0);
    cdi_lump_add(l, end, &part, 1.0);
}

CDI_FN void cdi_lump_ridge(cdi_lump *l, const cdi_ridge *edge, double radius) {
    const double inset = 0.21132486540518713; /* two points are enough along it (Gauss) */
    cdi_v3 d = cdi_v3_sub(edge->q, edge->p), u = cdi_v3_unit(d);
    double length = cdi_v3_norm(d), r2 = radius * radius;
    cdi_normal_arc arc;
    cdi_lump part;
    if (cdi_v3_is_zero(u) || cdi_v3_is_zero(edge->n)) return;
    cdi_normal_arc_of(&arc, edge);
    part.mass = 0.5 * arc.angle * r2;
    part.first = cdi_v3_scale(arc.first, r2 * radius / 3.0);
    for (int n = 0; n < 6; ++n) part.second[n] = arc.second[n] * (r2 * r2 / 4.0);
    cdi_lump_add(l, cdi_v3_along(edge->p, d, inset), &part, 0.5 * length);
    cdi_lump_add(l, cdi_v3_along(edge->q, d, 0.0 - inset), &part, 0.5 * length);
    cdi_lump_sector(l, &arc, edge->p, cdi_v3_neg(u), radius);
    cdi_lump_sector(l, &arc, edge->q, u, radius);
}

/* ---- profiles ---- */

/* Points and weights of Gauss and Legendre's rules on 0...1: for polynomials of degree 5 and 19. */
static const double cdi_gauss_three[3][2] = {{0.11270166537925831, 0.2777777777777778},
                                             {0.5, 0.4444444444444444},
                                             {0.8872983346207417, 0.2777777777777778}};
static const double cdi_gauss_ten[10][2] = {
    {0.01304673574141414, 0.03333567215434407}, {0.06746831665550775, 0.0747256745752903},
    {0.1602952158504878, 0.10954318125799102},  {0.2833023029353764, 0.13463335965499817},
    {0.4255628305091844, 0.14776211235737644},  {0.5744371694908156, 0.14776211235737644},
    {0.7166976970646236, 0.13463335965499817},  {0.8397047841495122, 0.10954318125799102},
    {0.9325316833444922, 0.0747256745752903},   {0.9869532642585859, 0.03333567215434407}};

/* A point of the border: the integrals of s, s z, s z^2 and s^3 over the profile are those of s^2 / 2 (1, z, z^2) and s^4 / 4 by dz. */
static void cdi_silhouette_point(cdi_silhouette *p, double s, double z, double dz) {
    double half = 0.5 * s * s * dz;
    p->mass += half;
    p->first += half * z;
    p->along += half * z * z;
    p->across += 0.5 * half * s * s;
}

CDI_FN void cdi_silhouette_line(cdi_silhouette *p, double s0, double z0, double s1, double z1) {
    for (int i = 0; i < 3; ++i) {
        double t = cdi_gauss_three[i][0];
        cdi_silhouette_point(p, s0 + t * (s1 - s0), z0 + t * (z1 - z0), cdi_gauss_three[i][1] * (z1 - z0));
    }
}

/* At most an eighth of a turn: by the tangent of half the angle, in which all is rational. */
static void cdi_silhouette_piece(cdi_silhouette *p, double s, double z, double radius, const double from[2],
                                 const double to[2]) {
    double cosine = from[0] * to[0] + from[1] * to[1], sine = from[0] * to[1] - from[1] * to[0];
    double most = sine / (1.0 + cosine);
    for (int i = 0; i < 10; ++i) {
        double t = most * cdi_gauss_ten[i][0], under = 1.0 + t * t, c = (1.0 - t * t) / under,
               d = 2.0 * t / under;
        double ns = c * from[0] - d * from[1], nz = c * from[1] + d * from[0];
        cdi_silhouette_point(p, s + radius * ns, z + radius * nz,
                             radius * ns * (2.0 * most * cdi_gauss_ten[i][1] / under));
    }
}

/* Between two, at most a half turn apart; what is straight on is to the right, away from the axis. */
static void cdi_silhouette_between(const double from[2], const double to[2], double out[2]) {
    double x = from[0] + to[0], y = from[1] + to[1], length = cdi_sqrt(x * x + y * y);
    if (length < 0.5) { /* across their difference */
        x = to[1] - from[1];
        y = from[0] - to[0];
        length = cdi_sqrt(x * x + y * y);
    }
    out[0] = x / length;
    out[1] = y / length;
}

CDI_FN void cdi_silhouette_arc(cdi_silhouette *p, double s, double z, double radius, const double from[2],
                               const double to[2]) {
    double n[5][2];
    for (int k = 0; k < 2; ++k) {
        n[0][k] = from[k];
        n[4][k] = to[k];
    }
    cdi_silhouette_between(n[0], n[4], n[2]);
    cdi_silhouette_between(n[0], n[2], n[1]);
    cdi_silhouette_between(n[2], n[4], n[3]);
    for (int i = 0; i < 4; ++i) cdi_silhouette_piece(p, s, z, radius, n[i], n[i + 1]);
}

CDI_FN void cdi_lump_silhouette(cdi_lump *l, const cdi_silhouette *p, cdi_v3 u) {
    double turn = 2.0 * CDI_LUMP_PI, across = 0.5 * turn * p->across;
    l->mass += turn * p->mass;
    l->first = cdi_v3_along(l->first, u, turn * p->first);
    cdi_lump_product(l->second, u, u, turn * p->along);
    for (int k = 0; k < 3; ++k) l->second[k] += across;
    cdi_lump_product(l->second, u, u, 0.0 - across);
}

/* ---- ellipsoids ---- */

/* A cell of an octant of the unit sphere: z, and the tangent of half the angle about its axis. */
typedef struct cdi_egg_cell {
    double z[2], t[2];
} cdi_egg_cell;

/* The normal n at the point x of the surface that a point of the unit sphere is mapped to, how much it is widened, and by how much more
 * a layer at the distance t: area + t bend + t^2 turn. All of squares of the coordinates. */
typedef struct cdi_egg_point {
    double xx[3], xn[3], nn[3];
    double area, bend, turn;
} cdi_egg_point;

static void cdi_egg_point_of(cdi_egg_point *e, const double h[3], const double uu[3]) {
    double side[3], under = 0.0, volume = h[0] * h[1] * h[2], root, way = 0.0;
    for (int k = 0; k < 3; ++k) {
        side[k] = h[(k + 1) % 3] * h[(k + 2) % 3];
        under += side[k] * side[k] * uu[k];
        way += h[k] * h[k] * (1.0 - uu[k]);
    }
    root = cdi_sqrt(under);
    e->area = root;
    e->bend = way * (volume / under);
    e->turn = volume / under * (volume / root);
    for (int k = 0; k < 3; ++k) {
        e->xx[k] = h[k] * h[k] * uu[k];
        e->xn[k] = volume / root * uu[k];
        e->nn[k] = side[k] / under * side[k] * uu[k];
    }
}

/* The layers up to the radius. */
static void cdi_egg_layers(cdi_lump *l, const cdi_egg_point *e, double radius, double weight) {
    double power[6], sum[3];
    power[0] = 1.0;
    for (int k = 1; k < 6; ++k) power[k] = power[k - 1] * radius;
    for (int m = 0; m < 3; ++m) /* of t^m */
        sum[m] = weight * (e->area * power[m + 1] / (m + 1) + e->bend * power[m + 2] / (m + 2) +
                           e->turn * power[m + 3] / (m + 3));
    l->mass += sum[0];
    for (int k = 0; k < 3; ++k)
        l->second[k] += e->xx[k] * sum[0] + 2.0 * e->xn[k] * sum[1] + e->nn[k] * sum[2];
}

static void cdi_lump_egg_cell(cdi_lump *l, const double h[3], double radius, const cdi_egg_cell *cell) {
    for (int i = 0; i < 10; ++i) {
        double z = cell->z[0] + (cell->z[1] - cell->z[0]) * cdi_gauss_ten[i][0];
        for (int j = 0; j < 10; ++j) {
            double t = cell->t[0] + (cell->t[1] - cell->t[0]) * cdi_gauss_ten[j][0], under = 1.0 + t * t;
            double c = (1.0 - t * t) / under, s = 2.0 * t / under, uu[3];
            double weight = (cell->z[1] - cell->z[0]) * cdi_gauss_ten[i][1] * (cell->t[1] - cell->t[0]) *
                            cdi_gauss_ten[j][1] * (2.0 / under);
            cdi_egg_point e;
            uu[2] = z * z;
            uu[0] = (1.0 - uu[2]) * c * c;
            uu[1] = (1.0 - uu[2]) * s * s;
            cdi_egg_point_of(&e, h, uu);
            cdi_egg_layers(l, &e, radius, 8.0 * weight);
        }
    }
}

/* How often a unit is halved to be as fine as a ratio. */
static int cdi_egg_halvings(double ratio) {
    return 2 - cdi_exponent(ratio);
}

/* Where the surface bends most, z and t are small: cells are halved towards that, as often as it is flat. */
CDI_FN void cdi_lump_egg(cdi_lump *l, const double h[3], double radius) {
    double volume = 4.0 / 3.0 * CDI_LUMP_PI * (h[0] * h[1] * h[2]), half[3];
    int rows, columns;
    for (int k = 0; k < 3; ++k) {
        half[k] = cdi_max(h[k], h[0] * 8.8817841970012523e-16); /* 2^-50 */
        l->second[k] += volume * (h[k] * h[k]) / 5.0;
    }
    l->mass += volume;
    if (!(radius > 0.0) || !(h[0] > 0.0)) return;
    rows = cdi_egg_halvings(half[2] / half[0]);
    columns = cdi_egg_halvings(half[1] / half[0]);
    for (int i = 0; i <= rows; ++i) {
        for (int j = 0; j <= columns; ++j) {
            cdi_egg_cell cell;
            cell.z[1] = cdi_exp2i(-i);
            cell.z[0] = i < rows ? cdi_exp2i(-i - 1) : 0.0;
            cell.t[1] = cdi_exp2i(-j);
            cell.t[0] = j < columns ? cdi_exp2i(-j - 1) : 0.0;
            cdi_lump_egg_cell(l, half, radius, &cell);
        }
    }
}

/* ---- as a mass ---- */

CDI_FN void cdi_lump_map(cdi_lump *l, const cdi_m3 *map) {
    double size = cdi_abs(cdi_v3_dot(map->c[0], cdi_v3_cross(map->c[1], map->c[2])));
    const double *s = l->second;
    cdi_m3 m;
    m.c[0] = cdi_v3_make(s[0], s[3], s[5]);
    m.c[1] = cdi_v3_make(s[3], s[1], s[4]);
    m.c[2] = cdi_v3_make(s[5], s[4], s[2]);
    m = cdi_m3_mul(map, &m);
    m = cdi_m3_transpose(&m);
    m = cdi_m3_mul(map, &m);
    for (int n = 0; n < 6; ++n) l->second[n] = size * cdi_v3_get(m.c[cdi_lump_column[n]], cdi_lump_row[n]);
    l->mass *= size;
    l->first = cdi_v3_scale(cdi_m3_mul_v3(map, l->first), size);
}

static double cdi_power_of_unit(double x, int shift, int power) {
    for (int i = 0; i < power; ++i) x = cdi_scale2(x, shift);
    return x;
}

CDI_FN void cdi_lump_mass(const cdi_lump *l, cdi_v3 origin, int shift, cd_mass *out) {
    cdi_v3 c = cdi_v3_make(0.0, 0.0, 0.0);
    double spread[6];
    cdi_clear(out, sizeof *out);
    out->mass = cdi_power_of_unit(l->mass, shift, 3);
    if (l->mass != 0.0) c = cdi_v3_scale(l->first, 1.0 / l->mass);
    cdi_copy(spread, l->second, sizeof spread);
    cdi_lump_product(spread, c, c, 0.0 - l->mass);
    cdi_v3_store(out->center, cdi_v3_add(origin, cdi_v3_scale2(c, shift)));
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out->inertia[i][i] = cdi_power_of_unit(spread[j] + spread[k], shift, 5);
        out->inertia[i][j] = cdi_power_of_unit(0.0 - spread[3 + i], shift, 5);
        out->inertia[j][i] = out->inertia[i][j];
    }
}

#undef CDI_LUMP_PI
