/* The determinants in plain double; see predicates_plain.h. */
#include "predicates_plain.h"

typedef struct row {
    double x, y, z, square;
} row;

static inline row row2(plain_vec2 a, plain_vec2 b) {
    row r;
    r.x = (double)a.x - (double)b.x;
    r.y = (double)a.y - (double)b.y;
    r.z = 0.0;
    r.square = r.x * r.x + r.y * r.y;
    return r;
}

static inline row row3(plain_vec3 a, plain_vec3 b) {
    row r;
    r.x = (double)a.x - (double)b.x;
    r.y = (double)a.y - (double)b.y;
    r.z = (double)a.z - (double)b.z;
    r.square = r.x * r.x + r.y * r.y + r.z * r.z;
    return r;
}

static inline double cross(row a, row b) {
    return a.x * b.y - a.y * b.x;
}

double PLAIN(plain_orient2d)(plain_vec2 a, plain_vec2 b, plain_vec2 c) {
    return cross(row2(a, c), row2(b, c));
}

double PLAIN(plain_orient3d)(plain_vec3 a, plain_vec3 b, plain_vec3 c, plain_vec3 d) {
    row p = row3(a, d), q = row3(b, d), r = row3(c, d);
    return p.z * cross(q, r) + q.z * cross(r, p) + r.z * cross(p, q);
}

double PLAIN(plain_incircle)(plain_vec2 a, plain_vec2 b, plain_vec2 c, plain_vec2 d) {
    row p = row2(a, d), q = row2(b, d), r = row2(c, d);
    return p.square * cross(q, r) + q.square * cross(r, p) + r.square * cross(p, q);
}

/* Along the lifted column, the minors from the six 2 by 2 determinants. */
double PLAIN(plain_insphere)(plain_vec3 a, plain_vec3 b, plain_vec3 c, plain_vec3 d, plain_vec3 e) {
    row p = row3(a, e), q = row3(b, e), r = row3(c, e), s = row3(d, e);
    double pq = cross(p, q), qr = cross(q, r), rs = cross(r, s), sp = cross(s, p), pr = cross(p, r),
           qs = cross(q, s);
    double pqr = p.z * qr - q.z * pr + r.z * pq, qrs = q.z * rs - r.z * qs + s.z * qr;
    double rsp = r.z * sp + s.z * pr + p.z * rs, spq = s.z * pq + p.z * qs + q.z * sp;
    return (s.square * pqr - r.square * spq) + (q.square * rsp - p.square * qrs);
}
