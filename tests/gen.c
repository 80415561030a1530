/* The order in which numbers are drawn must not depend on the compiler: one draw in a call's arguments at most. */
#include "gen.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef COLLIDE_DOUBLE
#define REAL_DIGITS 53
#define EXPONENTS   190 /* exponents drawn: inside the domain with room for sums */
#define NEXT        nextafter
#define HIGHEST     199 /* all coordinates of the domain are below 2^(HIGHEST + 1) */
#else
#define REAL_DIGITS 24
#define EXPONENTS   50
#define NEXT        nextafterf
#define HIGHEST     55
#endif

const double gen_bad_numbers[] = {0.0,      -0.0,      DBL_MIN, -DBL_MIN, 4.9406564584124654e-324,
                                  FLT_MIN,  1e-45,     1e-300,  -1e-40,   1e-20,
                                  -1e-20,   1.0,       -1.0,    1e20,     -1e20,
                                  FLT_MAX,  1e300,     DBL_MAX, -FLT_MAX, -DBL_MAX,
                                  INFINITY, -INFINITY, NAN};
const int gen_bad_count = (int)(sizeof gen_bad_numbers / sizeof gen_bad_numbers[0]);

static cd_real random_bits(test_rng *rng) {
    cd_real x;
    uint64_t bits64 = test_next(rng);
    uint32_t bits32 = (uint32_t)bits64;
    if (sizeof x == sizeof bits32)
        memcpy(&x, &bits32, sizeof x);
    else
        memcpy(&x, &bits64, sizeof x);
    return isfinite((double)x) ? x : 0;
}

cd_real gen_near(test_rng *rng, cd_real x) {
    int steps = test_int(rng, -3, 3);
    for (; steps > 0; --steps) x = NEXT(x, (cd_real)INFINITY);
    for (; steps < 0; ++steps) x = NEXT(x, -(cd_real)INFINITY);
    return x;
}

cd_real gen_any_real(test_rng *rng) {
    int low = sizeof(cd_real) == 4 ? -149 : -1074, high = sizeof(cd_real) == 4 ? 127 : 1023;
    int sign = test_int(rng, 0, 1) ? 1 : -1, what = test_int(rng, 0, 7);
    cd_real x = 0;
    if (what < 4)
        x = random_bits(rng);
    else if (what == 4)
        x = (cd_real)(sign * test_int(rng, 0, 9));
    else if (what == 5)
        x = gen_near(rng, (cd_real)ldexp(sign, test_int(rng, low, high)));
    else if (what == 6)
        x = gen_near(rng, (cd_real)(sign * (double)CD_REAL_MAX));
    else
        x = gen_near(rng, 0);
    return isfinite((double)x) ? x : (cd_real)(sign * (double)CD_REAL_MAX);
}

/* ---- numbers ---- */

gen gen_begin(test_rng *rng, gen_kind kind) {
    static const test_inputs inputs[GEN_KINDS] = {TEST_UNIT,   TEST_HARD,   TEST_HARD,
                                                  TEST_SCALED, TEST_SCALED, TEST_FAR};
    gen g;
    test_inputs_are(inputs[kind]);
    g.rng = rng;
    g.kind = kind;
    g.scale = kind == GEN_SCALE ? ldexp(1.0, test_int(rng, -EXPONENTS, EXPONENTS)) : 1.0;
    for (int i = 0; i < 3; ++i)
        g.place[i] = kind == GEN_FAR ? test_range(rng, -1.0, 1.0) * ldexp(1.0, REAL_DIGITS / 2) : 0.0;
    return g;
}

static cd_real ulp_off(test_rng *rng, cd_real x) {
    int steps = test_int(rng, 0, 3) ? 0 : test_int(rng, -2, 2);
    for (; steps > 0; --steps) x = NEXT(x, 10);
    for (; steps < 0; ++steps) x = NEXT(x, -10);
    return x;
}

cd_real gen_coordinate(gen *g, int axis) {
    switch (g->kind) {
    case GEN_GRID: return (cd_real)test_int(g->rng, -2, 2);
    case GEN_ULP: {
        int k = test_int(g->rng, -2, 2);
        return k ? ulp_off(g->rng, (cd_real)k) : (cd_real)0; /* the neighbours of 0 are denormal */
    }
    case GEN_WIDE: {
        double digits = test_range(g->rng, -2.0, 2.0);
        return (cd_real)ldexp(digits, test_int(g->rng, -EXPONENTS, EXPONENTS));
    }
    case GEN_SCALE: return (cd_real)(test_range(g->rng, -1.0, 1.0) * g->scale);
    case GEN_FAR: return (cd_real)(g->place[axis] + test_range(g->rng, -1.0, 1.0));
    default: return (cd_real)test_range(g->rng, -1.0, 1.0);
    }
}

cd_real gen_length(gen *g) {
    double unit =
        g->kind == GEN_GRID || g->kind == GEN_ULP ? (double)test_int(g->rng, 0, 2) : test_unit(g->rng);
    if (g->kind == GEN_WIDE) unit = ldexp(unit, test_int(g->rng, -EXPONENTS, EXPONENTS));
    return (cd_real)(unit * g->scale);
}

/* ---- shapes ---- */

cd_vec3 gen_point(gen *g) {
    cd_vec3 p;
    p.x = gen_coordinate(g, 0);
    p.y = gen_coordinate(g, 1);
    p.z = gen_coordinate(g, 2);
    return p;
}

cd_vec3 gen_direction(gen *g) {
    cd_vec3 d;
    do {
        d = gen_point(g);
        d = cd_vec3_sub(d, gen_point(g));
        if (!test_int(g->rng, 0, 9)) d.x = 0;
        if (!test_int(g->rng, 0, 9)) d.y = 0;
        if (!test_int(g->rng, 0, 9)) d.z = 0;
    } while (d.x == 0 && d.y == 0 && d.z == 0);
    return d;
}

cd_triangle gen_triangle(gen *g) {
    cd_triangle t;
    t.a = gen_point(g);
    t.b = gen_point(g);
    t.c = gen_point(g);
    return t;
}

cd_segment gen_segment(gen *g) {
    cd_segment s;
    s.a = gen_point(g);
    s.b = gen_point(g);
    return s;
}

cd_aabb gen_aabb(gen *g) {
    cd_vec3 p = gen_point(g), q = gen_point(g);
    cd_aabb b;
    b.min = cd_vec3_min(p, q);
    b.max = cd_vec3_max(p, q);
    return b;
}

cd_sphere gen_sphere(gen *g) {
    cd_sphere s;
    s.center = gen_point(g);
    s.radius = gen_length(g);
    return s;
}

cd_quat gen_quat(test_rng *rng) {
    cd_quat q;
    double x[4], sum;
    do {
        sum = 0.0;
        for (int i = 0; i < 4; ++i) {
            x[i] = test_range(rng, -1.0, 1.0);
            sum += x[i] * x[i];
        }
    } while (sum > 1.0 || sum < 1e-4);
    sum = sqrt(sum);
    q.x = (cd_real)(x[0] / sum);
    q.y = (cd_real)(x[1] / sum);
    q.z = (cd_real)(x[2] / sum);
    q.w = (cd_real)(x[3] / sum);
    return q;
}

cd_obb gen_obb(gen *g) {
    cd_obb b;
    b.center = gen_point(g);
    b.axes = cd_quat_to_mat3(test_int(g->rng, 0, 3) ? gen_quat(g->rng) : cd_quat_identity());
    for (int k = 0; k < 3; ++k) REALS(b.half)[k] = gen_length(g);
    return b;
}

void gen_rotate(cd_quat q, cd_vec3 v, long double out[3]) {
    long double x = q.x, y = q.y, z = q.z, w = q.w, n = x * x + y * y + z * z + w * w;
    long double tx = 2 * (y * v.z - z * v.y), ty = 2 * (z * v.x - x * v.z), tz = 2 * (x * v.y - y * v.x);
    out[0] = v.x + (w * tx + (y * tz - z * ty)) / n;
    out[1] = v.y + (w * ty + (z * tx - x * tz)) / n;
    out[2] = v.z + (w * tz + (x * ty - y * tx)) / n;
}

cd_transform gen_pose(test_rng *rng, double distance) {
    cd_transform t;
    t.rotation = gen_quat(rng);
    for (int k = 0; k < 3; ++k) REALS(t.position)[k] = (cd_real)test_range(rng, -distance, distance);
    return t;
}

/* A point on the plane of t up to rounding, on its boundary or beyond it. */
static cd_vec3 point_near(gen *g, const cd_triangle *t) {
    double u = test_range(g->rng, -0.5, 1.5), v = test_range(g->rng, -0.5, 1.5);
    const cd_vec3 *c = &t->a;
    int edge = test_int(g->rng, 0, 4);
    if (edge < 3) return cd_vec3_lerp(c[edge], c[(edge + 1) % 3], (cd_real)u);
    return cd_vec3_lerp(cd_vec3_lerp(t->a, t->b, (cd_real)u), t->c, (cd_real)v);
}

cd_triangle gen_triangle_near(gen *g, const cd_triangle *t) {
    const cd_vec3 *c = &t->a;
    cd_triangle r = gen_triangle(g);
    cd_vec3 *p = &r.a;
    int corners = test_int(g->rng, 1, 3);
    for (int i = 0; i < corners; ++i) {
        int k = (i + test_int(g->rng, 0, 1)) % 3;
        p[k] = test_int(g->rng, 0, 1) ? c[test_int(g->rng, 0, 2)] : point_near(g, t);
    }
    return r;
}

/* ---- points in special position ----
 *
 * Whole numbers below 2^SMALL, with a place added below 2^(REAL_DIGITS - 1), are numbers of type cd_real, and stay so
 * under a power of two. */

enum { SMALL = 16 };

typedef struct whole3 {
    int c[3];
} whole3;

static whole3 draw_whole(test_rng *rng, int limit) {
    whole3 v;
    for (int k = 0; k < 3; ++k) v.c[k] = test_int(rng, -limit, limit);
    return v;
}

/* The points about their place, at their scale; then one of them a unit in the last place off, or not. */
static bool put_points(gen *g, const whole3 *from, int count, int dimension, cd_real *to) {
    double place[3] = {0, 0, 0}, far = ldexp(1.0, test_int(g->rng, SMALL, REAL_DIGITS - 2));
    int lowest = -HIGHEST, scale = 0, moved = test_int(g->rng, 0, 2 * count * dimension - 1);
    if (test_int(g->rng, 0, 1)) {
        for (int k = 0; k < dimension; ++k) place[k] = floor(test_range(g->rng, -far, far));
    }
    if (test_int(g->rng, 0, 1)) scale = test_int(g->rng, lowest, HIGHEST - REAL_DIGITS);
    for (int i = 0; i < count * dimension; ++i)
        to[i] = (cd_real)ldexp(from[i / dimension].c[i % dimension] + place[i % dimension], scale);
    if (moved >= count * dimension) return true;
    while (moved < count * dimension && to[moved] == 0) ++moved; /* the neighbours of 0 are denormal */
    if (moved == count * dimension) return true;
    to[moved] = NEXT(to[moved], test_int(g->rng, 0, 1) ? CD_REAL_MAX : -CD_REAL_MAX);
    return false;
}

bool gen_collinear(gen *g, cd_vec3 p[3]) {
    whole3 q[3], from = draw_whole(g->rng, 1 << 12), along = draw_whole(g->rng, 1 << 8);
    for (int i = 0; i < 3; ++i) {
        int steps = test_int(g->rng, -100, 100);
        for (int k = 0; k < 3; ++k) q[i].c[k] = from.c[k] + steps * along.c[k];
    }
    return put_points(g, q, 3, 3, REALS(p[0]));
}

bool gen_coplanar(gen *g, cd_vec3 p[4]) {
    whole3 q[4], from = draw_whole(g->rng, 1 << 12), u = draw_whole(g->rng, 1 << 8),
                 v = draw_whole(g->rng, 1 << 8);
    for (int i = 0; i < 4; ++i) {
        int s = test_int(g->rng, -50, 50), t = test_int(g->rng, -50, 50);
        for (int k = 0; k < 3; ++k) q[i].c[k] = from.c[k] + s * u.c[k] + t * v.c[k];
    }
    return put_points(g, q, 4, 3, REALS(p[0]));
}

static void turn(int z[2], int x, int y) {
    int real = z[0] * x - z[1] * y;
    z[1] = z[0] * y + z[1] * x;
    z[0] = real;
}

/* The Gaussian primes 2+i, 3+2i, 4+i, 5+2i and their conjugates: from each pair two factors make a whole number of the
 * same length, in three ways; and then a quarter turn or more. At most 5 * 13 * 17 * 29 = 32045. */
bool gen_cocircular(gen *g, cd_vec2 p[4]) {
    static const int prime[4][2] = {{2, 1}, {3, 2}, {4, 1}, {5, 2}};
    int primes = test_int(g->rng, 1, 15);
    whole3 q[4];
    for (int i = 0; i < 4; ++i) {
        int z[2] = {1, 0};
        for (int k = 0; k < 4; ++k) {
            int signs = test_int(g->rng, 0, 3);
            if (!(primes >> k & 1)) continue;
            turn(z, prime[k][0], signs & 1 ? prime[k][1] : -prime[k][1]);
            turn(z, prime[k][0], signs & 2 ? prime[k][1] : -prime[k][1]);
        }
        for (int k = test_int(g->rng, 0, 3); k > 0; --k) turn(z, 0, 1);
        q[i].c[0] = z[0];
        q[i].c[1] = z[1];
        q[i].c[2] = 0;
    }
    return put_points(g, q, 4, 2, REALS(p[0]));
}

/* Shuffles, and turns some signs. */
static void shuffle(test_rng *rng, int *v, int count) {
    for (int i = count - 1; i >= 0; --i) {
        int k = test_int(rng, 0, i), other = v[k];
        v[k] = v[i];
        v[i] = test_int(rng, 0, 1) ? other : -other;
    }
}

/* v turned by the quaternion q, times |q|^2: whole, and |q|^2 |v| long. */
static whole3 turned(const int q[4], const int v[3]) {
    int w = q[3], length = w * w - q[0] * q[0] - q[1] * q[1] - q[2] * q[2];
    int dot = q[0] * v[0] + q[1] * v[1] + q[2] * v[2];
    whole3 r;
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        r.c[k] = 2 * dot * q[k] + length * v[k] + 2 * w * (q[i] * v[j] - q[j] * v[i]);
    }
    return r;
}

bool gen_cospherical(gen *g, cd_vec3 p[5]) {
    int q[4], v[3];
    whole3 r[5];
    for (int k = 0; k < 4; ++k) q[k] = test_int(g->rng, 0, 6);
    for (int k = 0; k < 3; ++k) v[k] = test_int(g->rng, 0, 200);
    for (int i = 0; i < 5; ++i) {
        shuffle(g->rng, q, 4);
        shuffle(g->rng, v, 3);
        r[i] = turned(q, v);
    }
    return put_points(g, r, 5, 3, REALS(p[0]));
}

void gen_ulp_grid(gen *g, cd_vec3 *p, int count) {
    int scale = test_int(g->rng, 0, 1) ? test_int(g->rng, -HIGHEST, HIGHEST) : 0;
    double step = ldexp(1.0, -REAL_DIGITS), middle[3];
    for (int k = 0; k < 3; ++k) {
        double at = test_int(g->rng, 0, 1) ? 0.75 : test_range(g->rng, 0.6, 0.9);
        middle[k] = test_int(g->rng, 0, 1) ? (double)(cd_real)at : -(double)(cd_real)at;
    }
    for (int i = 0; i < 3 * count; ++i) {
        int steps = test_int(g->rng, -7, 7);
        REALS(p[i / 3])[i % 3] = (cd_real)ldexp(middle[i % 3] + steps * step, scale);
    }
}

/* ---- meshes ---- */

cd_mesh_view gen_mesh_view(const gen_mesh *m) {
    return cd_mesh_view_make(m->vertices, m->vertex_count, m->indices, m->triangle_count);
}

cd_triangle gen_mesh_triangle(const gen_mesh *m, uint32_t i) {
    cd_triangle t;
    t.a = m->vertices[m->indices[3 * i]];
    t.b = m->vertices[m->indices[3 * i + 1]];
    t.c = m->vertices[m->indices[3 * i + 2]];
    return t;
}

static gen_mesh mesh_alloc(uint32_t vertices, uint32_t triangles) {
    gen_mesh m;
    m.vertices = (cd_vec3 *)malloc((vertices + 1) * sizeof *m.vertices);
    m.indices = (uint32_t *)malloc((3 * (size_t)triangles + 1) * sizeof *m.indices);
    m.vertex_count = vertices;
    m.triangle_count = triangles;
    if (!m.vertices || !m.indices) abort();
    return m;
}

void gen_mesh_free(gen_mesh *m) {
    free(m->vertices);
    free(m->indices);
    memset(m, 0, sizeof *m);
}

static void put_triangle(gen_mesh *m, uint32_t *count, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *at = &m->indices[3 * (*count)++];
    at[0] = a;
    at[1] = b;
    at[2] = c;
}

/* The number of the lattice point g of a cube's surface, given the numbers handed out so far. */
static uint32_t lattice_vertex(gen_mesh *m, uint32_t *known, int n, const int g[3], double bumps,
                               test_rng *rng) {
    size_t l = (size_t)n + 1;
    uint32_t *at = &known[((size_t)g[0] * l + (size_t)g[1]) * l + (size_t)g[2]];
    if (*at == CD_NONE) {
        double p[3], length = 0.0, radius = 1.0 + bumps * test_range(rng, -1.0, 1.0);
        for (int k = 0; k < 3; ++k) {
            p[k] = 2.0 * g[k] / n - 1.0;
            length += p[k] * p[k];
        }
        length = sqrt(length) / radius;
        m->vertices[m->vertex_count] =
            cd_vec3_make((cd_real)(p[0] / length), (cd_real)(p[1] / length), (cd_real)(p[2] / length));
        *at = m->vertex_count++;
    }
    return *at;
}

gen_mesh gen_mesh_ball(int n, double bumps, test_rng *rng) {
    size_t l = (size_t)n + 1;
    uint32_t count = 0, *known = (uint32_t *)malloc(l * l * l * sizeof *known);
    gen_mesh m = mesh_alloc((uint32_t)(6 * n * n + 2), (uint32_t)(12 * n * n));
    if (!known) abort();
    memset(known, 0xFF, l * l * l * sizeof *known);
    m.vertex_count = 0;
    for (int face = 0; face < 6; ++face) {
        int axis = face % 3, u = (axis + 1) % 3, v = (axis + 2) % 3, high = face / 3;
        for (int i = 0; i < n * n; ++i) {
            uint32_t id[4];
            for (int c = 0; c < 4; ++c) {
                int g[3];
                g[axis] = high ? n : 0;
                g[u] = i % n + (c == 1 || c == 2);
                g[v] = i / n + (c >= 2);
                id[c] = lattice_vertex(&m, known, n, g, bumps, rng);
            }
            put_triangle(&m, &count, id[0], id[high ? 1 : 2], id[high ? 2 : 1]);
            put_triangle(&m, &count, id[0], id[high ? 2 : 3], id[high ? 3 : 2]);
        }
    }
    free(known);
    return m;
}

gen_mesh gen_mesh_soup(uint32_t count, double size, gen_kind kind, test_rng *rng) {
    gen_mesh m = mesh_alloc(3 * count, count);
    gen g = gen_begin(rng, kind);
    for (uint32_t i = 0; i < count; ++i) {
        cd_vec3 center = gen_point(&g);
        for (uint32_t k = 0; k < 3; ++k) {
            m.vertices[3 * i + k] = cd_vec3_along(center, gen_point(&g), (cd_real)size);
            m.indices[3 * i + k] = 3 * i + k;
        }
    }
    return m;
}

gen_mesh gen_mesh_grid(int n) {
    gen_mesh m = mesh_alloc((uint32_t)((n + 1) * (n + 1)), (uint32_t)(2 * n * n));
    uint32_t row = (uint32_t)n + 1, count = 0;
    for (int i = 0; i < (n + 1) * (n + 1); ++i)
        m.vertices[i] = cd_vec3_make((cd_real)(i % (n + 1)), (cd_real)(i / (n + 1)), 0);
    for (int i = 0; i < n * n; ++i) {
        uint32_t a = (uint32_t)(i / n) * row + (uint32_t)(i % n);
        put_triangle(&m, &count, a, a + 1, a + 1 + row);
        put_triangle(&m, &count, a, a + 1 + row, a + row);
    }
    return m;
}

gen_mesh gen_mesh_identical(uint32_t count) {
    gen_mesh m = mesh_alloc(3, count);
    m.vertices[0] = cd_vec3_make(0, 0, 0);
    m.vertices[1] = cd_vec3_make(1, 0, 0);
    m.vertices[2] = cd_vec3_make(0, 1, 0);
    for (uint32_t i = 0; i < 3 * count; ++i) m.indices[i] = i % 3;
    return m;
}

gen_mesh gen_mesh_slivers(uint32_t count, test_rng *rng) {
    gen_mesh m = gen_mesh_soup(count, 1.0, GEN_UNIT, rng);
    for (uint32_t i = 0; i < count; ++i) {
        cd_vec3 *v = &m.vertices[3 * i];
        double off = test_int(rng, 0, 3) ? ldexp(1.0, -test_int(rng, 1, 30)) : 0.0;
        v[2] =
            cd_vec3_along(cd_vec3_lerp(v[0], v[1], (cd_real)test_range(rng, -0.2, 1.2)), v[2], (cd_real)off);
        if (!test_int(rng, 0, 15)) v[1] = v[0];
    }
    return m;
}

gen_mesh gen_mesh_spiral(uint32_t count) {
    gen_mesh m = mesh_alloc(3 * count, count);
    double size = 1.0;
    for (uint32_t i = 0; i < count; ++i) {
        m.vertices[3 * i] = cd_vec3_make((cd_real)size, 0, 0);
        m.vertices[3 * i + 1] = cd_vec3_make((cd_real)(size * 0.75), (cd_real)(size * 0.5), 0);
        m.vertices[3 * i + 2] = cd_vec3_make((cd_real)(size * 0.75), 0, (cd_real)(size * 0.5));
        for (uint32_t k = 0; k < 3; ++k) m.indices[3 * i + k] = 3 * i + k;
        size *= 0.9;
    }
    return m;
}

/* A soup with one triangle as large as the world. */
static gen_mesh mesh_with_giant(test_rng *rng) {
    gen_mesh m = gen_mesh_soup(500, 0.1, GEN_UNIT, rng);
    for (int k = 0; k < 3; ++k) {
        m.vertices[300 + k] = cd_vec3_scale(m.vertices[k], (cd_real)1e6);
    }
    return m;
}

static gen_mesh mesh_doubled(test_rng *rng) {
    gen_mesh m = gen_mesh_soup(600, 0.2, GEN_UNIT, rng);
    for (uint32_t i = 900; i < 1800; ++i) m.indices[i] = m.indices[i - 900];
    return m;
}

int gen_all_meshes(test_rng *rng, gen_named_mesh out[16]) {
    int n = 0;
    out[n].name = "ball";
    out[n++].mesh = gen_mesh_ball(8, 0.0, rng);
    out[n].name = "bumpy ball";
    out[n++].mesh = gen_mesh_ball(10, 0.2, rng);
    out[n].name = "soup";
    out[n++].mesh = gen_mesh_soup(1000, 0.1, GEN_UNIT, rng);
    out[n].name = "far soup";
    out[n++].mesh = gen_mesh_soup(500, 0.0, GEN_FAR, rng);
    out[n].name = "grid soup";
    out[n++].mesh = gen_mesh_soup(700, 1.0, GEN_GRID, rng);
    out[n].name = "flat grid";
    out[n++].mesh = gen_mesh_grid(20);
    out[n].name = "identical";
    out[n++].mesh = gen_mesh_identical(300);
    out[n].name = "slivers";
    out[n++].mesh = gen_mesh_slivers(800, rng);
    out[n].name = "spiral";
    out[n++].mesh = gen_mesh_spiral(300);
    out[n].name = "scaled soup";
    out[n++].mesh = gen_mesh_soup(400, 0.3, GEN_SCALE, rng);
    out[n].name = "wide soup";
    out[n++].mesh = gen_mesh_soup(400, 1.0, GEN_WIDE, rng);
    out[n].name = "one giant";
    out[n++].mesh = mesh_with_giant(rng);
    out[n].name = "doubled";
    out[n++].mesh = mesh_doubled(rng);
    out[n].name = "one triangle";
    out[n++].mesh = gen_mesh_identical(1);
    return n;
}

/* ---- for references in double ---- */

void to_doubles(const cd_real *from, double *to, int n) {
    for (int i = 0; i < n; ++i) to[i] = (double)from[i];
}

double largest(const double *x, int n) {
    double most = 0.0;
    for (int i = 0; i < n; ++i) most = fmax(most, fabs(x[i]));
    return most;
}
