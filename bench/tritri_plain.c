/* tritri_plain: the method of Guigue and Devillers in plain doubles, with signs as they come out; triangles that seem to lie
 * in one plane are tested by the edges of their shadows. */
#include "tritri.h"

typedef struct point {
    double x, y, z;
} point;

typedef struct pair {
    point a[3], b[3];
} pair;

static void *prepare(const bench_pair *pairs, int count) {
    pair *p = (pair *)pg_alloc((size_t)count * sizeof *p);
    for (int i = 0; i < count; ++i) {
        double *to = &p[i].a[0].x;
        for (int k = 0; k < 18; ++k) to[k] = (double)pairs[i][k];
    }
    return p;
}

static point sub(point a, point b) {
    point r;
    r.x = a.x - b.x;
    r.y = a.y - b.y;
    r.z = a.z - b.z;
    return r;
}

static point cross(point a, point b) {
    point r;
    r.x = a.y * b.z - a.z * b.y;
    r.y = a.z * b.x - a.x * b.z;
    r.z = a.x * b.y - a.y * b.x;
    return r;
}

static double dot(point a, point b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static void sides(const point plane[3], const point t[3], double s[3]) {
    point n = cross(sub(plane[1], plane[0]), sub(plane[2], plane[0]));
    for (int i = 0; i < 3; ++i) s[i] = dot(n, sub(t[i], plane[0]));
}

static int one_side(const double s[3]) {
    return (s[0] > 0 && s[1] > 0 && s[2] > 0) || (s[0] < 0 && s[1] < 0 && s[2] < 0);
}

/* Turns t so that its first corner is alone on its side; is that side the upper one? */
static int turn(point t[3], const double s[3]) {
    int up[3], first;
    point r[3] = {t[0], t[1], t[2]};
    int any = s[0] > 0 || s[1] > 0 || s[2] > 0;
    for (int i = 0; i < 3; ++i) up[i] = any ? s[i] > 0 : s[i] >= 0;
    first = up[1] == up[2] ? 0 : up[2] == up[0] ? 1 : 2;
    for (int i = 0; i < 3; ++i) t[i] = r[(first + i) % 3];
    return up[first];
}

static void swap_last(point t[3]) {
    point p = t[1];
    t[1] = t[2];
    t[2] = p;
}

static double order(const point a[3], const point b[3], int i) {
    return dot(sub(a[i], a[0]), cross(sub(b[0], a[0]), sub(b[i], b[0])));
}

static double axis_of(point p, int axis) {
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

static int edges_part(const point p[3], const point q[3], int u, int v) {
    for (int i = 0; i < 3; ++i) {
        point a = p[i], b = p[(i + 1) % 3], c = p[(i + 2) % 3];
        double ex = axis_of(b, u) - axis_of(a, u), ey = axis_of(b, v) - axis_of(a, v);
        double inner = ex * (axis_of(c, v) - axis_of(a, v)) - ey * (axis_of(c, u) - axis_of(a, u));
        int outside = 0;
        for (int k = 0; k < 3; ++k) {
            double s = ex * (axis_of(q[k], v) - axis_of(a, v)) - ey * (axis_of(q[k], u) - axis_of(a, u));
            outside += inner > 0 ? s < 0 : s > 0;
        }
        if (outside == 3) return 1;
    }
    return 0;
}

static int in_plane(const pair *p) {
    point n = cross(sub(p->a[1], p->a[0]), sub(p->a[2], p->a[0]));
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    int axis = x > y && x > z ? 0 : y > z ? 1 : 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    return !edges_part(p->a, p->b, u, v) && !edges_part(p->b, p->a, u, v);
}

static int meet(const pair *in) {
    double sa[3], sb[3];
    pair p = *in;
    int flip_a, flip_b;
    sides(p.a, p.b, sb);
    if (one_side(sb)) return 0;
    sides(p.b, p.a, sa);
    if (one_side(sa)) return 0;
    if (sb[0] == 0 && sb[1] == 0 && sb[2] == 0) return in_plane(&p);
    flip_b = turn(p.a, sa);
    flip_a = turn(p.b, sb);
    if (flip_a) swap_last(p.a);
    if (flip_b) swap_last(p.b);
    return order(p.a, p.b, 1) >= 0 && order(p.a, p.b, 2) <= 0;
}

static bench_answer run(const void *prepared, int count, unsigned char *meets) {
    const pair *p = (const pair *)prepared;
    bench_answer answer = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) bench_meets(&answer, meets, i, meet(&p[i]));
    return answer;
}

const bench_tritri bench_tritri_plain[] = {{"plain-f64", 1, prepare, free, run}, {NULL, 0, NULL, NULL, NULL}};
