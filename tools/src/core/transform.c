#include "core/transform.h"
#include "core/angle.h"
#include "core/pose.h"

/* A quaternion of doubles: vector part and w. */
typedef struct cdi_q {
    cdi_v3 v;
    double w;
} cdi_q;

/* The zero quaternion is no rotation. */
static cdi_q cdi_q_of(cd_quat q) {
    cdi_q r;
    r.v = cdi_v3_make((double)q.x, (double)q.y, (double)q.z);
    r.w = (double)q.w;
    if (r.w == 0.0 && cdi_v3_is_zero(r.v)) r.w = 1.0;
    return r;
}

static cd_quat cdi_q_round(cdi_q q) {
    cd_quat r;
    r.x = (cd_real)q.v.x;
    r.y = (cd_real)q.v.y;
    r.z = (cd_real)q.v.z;
    r.w = (cd_real)q.w;
    return r;
}

static CDI_COLD void cdi_q_shift(cdi_q *q, int shift) {
    q->v = cdi_v3_make(cdi_scale2(q->v.x, shift), cdi_scale2(q->v.y, shift), cdi_scale2(q->v.z, shift));
    q->w = cdi_scale2(q->w, shift);
}

/* Brought near length 1 by a power of two where a square might leave the range. */
CDI_HOT cdi_q cdi_q_tame(cdi_q q) {
    double m = cdi_max(cdi_v3_max_abs(q.v), cdi_abs(q.w));
    int shift = -cdi_exponent(m);
    if (!(shift > -200 && shift < 200)) cdi_q_shift(&q, shift);
    return q;
}

static double cdi_q_sqlength(const cdi_q *q) {
    return cdi_v3_sqlength(q->v) + q->w * q->w;
}

/* No rotation for zero, NaN or infinity. */
static cdi_q cdi_q_unit(cdi_q q) {
    double length;
    bool is_zero = q.w == 0.0 && cdi_v3_is_zero(q.v);
    if (is_zero || !cdi_v3_finite(q.v) || !cdi_finite(q.w)) return cdi_q_of(cd_quat_identity());
    q = cdi_q_tame(q);
    length = cdi_sqrt(cdi_q_sqlength(&q));
    q.v = cdi_v3_make(q.v.x / length, q.v.y / length, q.v.z / length);
    q.w /= length;
    return q;
}

/* Every entry is a quotient of sums of squares and products, so that it is rounded alone: orthonormal to 4 units in the
 * last place of a double, and exact for quarter turns about the axes and for third turns about the diagonals. */
CDI_HOT void cdi_m3_put_quat(cdi_m3 *m, const cd_quat *rotation) {
    cdi_q q = cdi_q_tame(cdi_q_of(*rotation));
    double xx = q.v.x * q.v.x, yy = q.v.y * q.v.y, zz = q.v.z * q.v.z, ww = q.w * q.w;
    double n = (xx + yy) + (zz + ww), half = 0.5 * n;
    double xy = q.v.x * q.v.y, yz = q.v.y * q.v.z, zx = q.v.z * q.v.x;
    double wx = q.w * q.v.x, wy = q.w * q.v.y, wz = q.w * q.v.z;
    m->c[0] = cdi_v3_make(((ww + xx) - (yy + zz)) / n, (xy + wz) / half, (zx - wy) / half);
    m->c[1] = cdi_v3_make((xy - wz) / half, ((ww + yy) - (xx + zz)) / n, (yz + wx) / half);
    m->c[2] = cdi_v3_make((zx + wy) / half, (yz - wx) / half, ((ww + zz) - (xx + yy)) / n);
}

CDI_FN cdi_m3 cdi_m3_of_quat(cd_quat rotation) {
    cdi_m3 m;
    cdi_m3_put_quat(&m, &rotation);
    return m;
}

CDI_FN void cdi_pose_put(cdi_pose *out, const cd_transform *t) {
    cdi_m3_put_quat(&out->rotation, &t->rotation);
    out->position = cdi_v3_of(t->position);
}

CDI_FN cdi_pose cdi_pose_of(const cd_transform *t) {
    cdi_pose pose;
    cdi_pose_put(&pose, t);
    return pose;
}

/* ---- quaternions ---- */

CD_API cd_quat cd_quat_identity(void) {
    cd_quat q;
    q.x = q.y = q.z = 0;
    q.w = 1;
    return q;
}

static cd_quat cdi_quat_about(cd_vec3 axis, double sin_half, double cos_half) {
    cdi_v3 unit = cdi_v3_normalize(cdi_v3_of(axis));
    cdi_q q;
    if (cdi_v3_is_zero(unit)) return cd_quat_identity();
    q.v = cdi_v3_scale(unit, sin_half);
    q.w = cos_half;
    return cdi_q_round(cdi_q_unit(q));
}

CD_API cd_quat cd_quat_from_axis(cd_vec3 axis, cd_real sin_half, cd_real cos_half) {
    return cdi_quat_about(axis, (double)sin_half, (double)cos_half);
}

CD_API cd_quat cd_quat_from_axis_angle(cd_vec3 axis, cd_real radians) {
    double s, c;
    cdi_sincos(0.5 * (double)radians, &s, &c);
    return cdi_quat_about(axis, s, c);
}

CD_API cd_mat3 cd_mat3_from_axis_angle(cd_vec3 axis, cd_real radians) {
    return cd_quat_to_mat3(cd_quat_from_axis_angle(axis, radians));
}

/* The unit vector half-way between two unit vectors. For nearly opposite ones their sum is short and mostly rounding:
 * what of it lies along their difference is taken out, and where nothing is left any vector across will do. */
static cdi_v3 cdi_half_way(cdi_v3 a, cdi_v3 b) {
    cdi_v3 half = cdi_v3_add(a, b), d;
    if (cdi_v3_dot(a, b) >= 0.0) return cdi_v3_normalize(half);
    d = cdi_v3_normalize(cdi_v3_sub(a, b));
    if (cdi_v3_max_abs(half) < 4e-16) {
        half = cdi_abs(d.x) < 0.5 ? cdi_v3_make(0.0, -d.z, d.y) : cdi_v3_make(d.y, -d.x, 0.0);
    }
    for (int i = 0; i < 2; ++i) half = cdi_v3_normalize(cdi_v3_along(half, d, -cdi_v3_dot(half, d)));
    return half;
}

/* q = (a x h, a . h) turns by twice the angle from a to h. */
CD_API cd_quat cd_quat_from_to(cd_vec3 from, cd_vec3 to) {
    cdi_v3 a = cdi_v3_normalize(cdi_v3_of(from)), b = cdi_v3_normalize(cdi_v3_of(to)), half;
    cdi_q q;
    if (cdi_v3_is_zero(a) || cdi_v3_is_zero(b)) return cd_quat_identity();
    half = cdi_half_way(a, b);
    q.v = cdi_v3_cross(a, half);
    q.w = cdi_v3_dot(a, half);
    return cdi_q_round(cdi_q_unit(q));
}

/* Shepperd's method: divides by the largest of the four components. */
CD_API cd_quat cd_quat_from_mat3(const cd_mat3 *rotation) {
    cdi_m3 m = cdi_m3_of(rotation);
    double x = m.c[0].x, y = m.c[1].y, z = m.c[2].z;
    cdi_v3 skew = cdi_v3_make(m.c[1].z - m.c[2].y, m.c[2].x - m.c[0].z, m.c[0].y - m.c[1].x);
    double xy = m.c[1].x + m.c[0].y, yz = m.c[2].y + m.c[1].z, zx = m.c[0].z + m.c[2].x;
    cdi_q q;
    if (x + y + z >= cdi_max(x, cdi_max(y, z))) { /* w is largest; each case gives 4 w q or 4 x q ... */
        q.v = skew;
        q.w = 1.0 + x + y + z;
    } else if (x >= y && x >= z) {
        q.v = cdi_v3_make(1.0 + x - y - z, xy, zx);
        q.w = skew.x;
    } else if (y >= z) {
        q.v = cdi_v3_make(xy, 1.0 + y - x - z, yz);
        q.w = skew.y;
    } else {
        q.v = cdi_v3_make(zx, yz, 1.0 + z - x - y);
        q.w = skew.z;
    }
    return cdi_q_round(cdi_q_unit(q));
}

CD_API cd_mat3 cd_quat_to_mat3(cd_quat q) {
    cdi_m3 m = cdi_m3_of_quat(q);
    return cdi_m3_round(&m);
}

static cdi_q cdi_q_mul(cdi_q a, cdi_q b) {
    cdi_q r;
    r.v = cdi_v3_add(cdi_v3_add(cdi_v3_scale(b.v, a.w), cdi_v3_scale(a.v, b.w)), cdi_v3_cross(a.v, b.v));
    r.w = a.w * b.w - cdi_v3_dot(a.v, b.v);
    return r;
}

CD_API cd_quat cd_quat_mul(cd_quat a, cd_quat b) {
    return cdi_q_round(cdi_q_mul(cdi_q_of(a), cdi_q_of(b)));
}

CD_API cd_quat cd_quat_conjugate(cd_quat q) {
    q.x = -q.x;
    q.y = -q.y;
    q.z = -q.z;
    return q;
}

CD_API cd_quat cd_quat_normalize(cd_quat q) {
    return cdi_q_round(cdi_q_unit(cdi_q_of(q)));
}

/* p a + q b */
static cdi_q cdi_q_mix(cdi_q a, double p, cdi_q b, double q) {
    cdi_q r;
    r.v = cdi_v3_along(cdi_v3_scale(a.v, p), b.v, q);
    r.w = p * a.w + q * b.w;
    return r;
}

/* Both made unit, b on the side of a: q and -q are one rotation. */
static void cdi_q_pair(cd_quat a, cd_quat b, cdi_q *p, cdi_q *q) {
    *p = cdi_q_unit(cdi_q_of(a));
    *q = cdi_q_unit(cdi_q_of(b));
    if (cdi_v3_dot(p->v, q->v) + p->w * q->w < 0.0) {
        q->v = cdi_v3_neg(q->v);
        q->w = 0.0 - q->w;
    }
}

CD_API cd_quat cd_quat_nlerp(cd_quat a, cd_quat b, cd_real t) {
    cdi_q p, q, chord;
    cdi_q_pair(a, b, &p, &q);
    chord = cdi_q_mix(q, 1.0, p, -1.0);
    return cdi_q_round(cdi_q_unit(cdi_q_mix(p, 1.0, chord, (double)t)));
}

/* Half the angle between two quaternions of one side, from their chord and sum, which are accurate where its cosine is
 * not. */
static double cdi_q_half_angle(cdi_q p, cdi_q q) {
    cdi_q chord = cdi_q_mix(q, 1.0, p, -1.0), sum = cdi_q_mix(q, 1.0, p, 1.0);
    return cdi_angle_of(0.5 * cdi_sqrt(cdi_q_sqlength(&chord)), 0.5 * cdi_sqrt(cdi_q_sqlength(&sum)));
}

/* Below 2^-30 the chord is as good as the arc. */
CD_API cd_quat cd_quat_slerp(cd_quat a, cd_quat b, cd_real t) {
    cdi_q p, q;
    double half, from_b, from_a, unused;
    cdi_q_pair(a, b, &p, &q);
    half = cdi_q_half_angle(p, q);
    if (half < 1.0 / 1073741824.0) return cd_quat_nlerp(a, b, t);
    cdi_sincos(2.0 * half * (double)t, &from_b, &unused);
    cdi_sincos(2.0 * half * (1.0 - (double)t), &from_a, &unused);
    return cdi_q_round(cdi_q_unit(cdi_q_mix(p, from_a, q, from_b)));
}

/* A turn by an angle is the quaternion of half of it. */
CDI_FN cdi_rotation cdi_quat_turn(cd_quat from, cd_quat to) {
    cdi_q p, q;
    cdi_rotation turn;
    cdi_q_pair(from, to, &p, &q);
    turn.angle = 4.0 * cdi_q_half_angle(p, q);
    p.v = cdi_v3_neg(p.v);
    turn.axis = cdi_v3_normalize(cdi_q_mul(q, p).v);
    if (cdi_v3_is_zero(turn.axis)) turn.angle = 0.0;
    return turn;
}

CDI_FN cd_quat cdi_quat_turned(cd_quat q, const cdi_rotation *turn) {
    cdi_q by;
    double sine;
    cdi_sincos(0.5 * turn->angle, &sine, &by.w);
    by.v = cdi_v3_scale(turn->axis, sine);
    return cdi_q_round(cdi_q_unit(cdi_q_mul(by, cdi_q_unit(cdi_q_of(q)))));
}

CD_API cd_vec3 cd_quat_rotate(cd_quat q, cd_vec3 v) {
    cdi_m3 m = cdi_m3_of_quat(q);
    return cdi_v3_round(cdi_m3_mul_v3(&m, cdi_v3_of(v)));
}

/* ---- transforms ---- */

CD_API cd_transform cd_transform_identity(void) {
    cd_transform t;
    t.rotation = cd_quat_identity();
    t.position = cd_vec3_make(0, 0, 0);
    return t;
}

CD_API bool cd_quat_is_valid(cd_quat q) {
    return cdi_finite3((double)q.x, (double)q.y, (double)q.z) && cdi_finite((double)q.w);
}

CD_API bool cd_transform_is_valid(const cd_transform *t) {
    return cd_vec3_is_valid(t->position) && cd_quat_is_valid(t->rotation);
}

CD_API bool cd_world_pose_is_valid(const cd_world_pose *p) {
    return cdi_finite3(p->position[0], p->position[1], p->position[2]) && cd_quat_is_valid(p->rotation);
}

CD_API cd_vec3 cd_transform_point(const cd_transform *t, cd_vec3 p) {
    cdi_pose pose = cdi_pose_of(t);
    return cdi_pose_point_round(&pose, p);
}

CD_API cd_vec3 cd_transform_vector(const cd_transform *t, cd_vec3 v) {
    return cd_quat_rotate(t->rotation, v);
}

CD_API cd_vec3 cd_transform_inverse_point(const cd_transform *t, cd_vec3 p) {
    cdi_pose pose = cdi_pose_of(t);
    return cdi_v3_round(cdi_m3_tmul_v3(&pose.rotation, cdi_v3_sub(cdi_v3_of(p), pose.position)));
}

CD_API cd_vec3 cd_transform_inverse_vector(const cd_transform *t, cd_vec3 v) {
    cdi_m3 m = cdi_m3_of_quat(t->rotation);
    return cdi_v3_round(cdi_m3_tmul_v3(&m, cdi_v3_of(v)));
}

CD_API void cd_transform_points(const cd_transform *t, const cd_vec3 *points, size_t count, cd_vec3 *out) {
    cdi_pose pose = cdi_pose_of(t);
    for (size_t i = 0; i < count; ++i) out[i] = cdi_pose_point_round(&pose, points[i]);
}

/* The product of two rotations, brought to unit length: lengths would multiply without end. */
static cd_quat cdi_rotation_mul(cd_quat a, cd_quat b) {
    return cdi_q_round(cdi_q_unit(cdi_q_mul(cdi_q_tame(cdi_q_of(a)), cdi_q_tame(cdi_q_of(b)))));
}

CD_API cd_transform cd_transform_mul(const cd_transform *a, const cd_transform *b) {
    cd_transform r;
    r.rotation = cdi_rotation_mul(a->rotation, b->rotation);
    r.position = cd_transform_point(a, b->position);
    return r;
}

CD_API cd_transform cd_transform_inverse(const cd_transform *t) {
    cd_transform r;
    r.rotation = cd_quat_conjugate(t->rotation);
    r.position = cd_transform_inverse_vector(t, cd_vec3_neg(t->position));
    return r;
}

/* inverse(a) b, with the difference of positions given. */
static cd_transform cdi_relative(cd_quat a, cd_quat b, cdi_v3 from_a_to_b) {
    cdi_m3 m = cdi_m3_of_quat(a);
    cd_transform r;
    r.rotation = cdi_rotation_mul(cd_quat_conjugate(a), b);
    r.position = cdi_v3_round(cdi_m3_tmul_v3(&m, from_a_to_b));
    return r;
}

CD_API cd_transform cd_transform_relative(const cd_transform *a, const cd_transform *b) {
    cdi_v3 d = cdi_v3_sub(cdi_v3_of(b->position), cdi_v3_of(a->position));
    return cdi_relative(a->rotation, b->rotation, d);
}

CD_API cd_transform cd_relative(const cd_world_pose *a, const cd_world_pose *b) {
    cdi_v3 d = cdi_v3_make(b->position[0] - a->position[0], b->position[1] - a->position[1],
                           b->position[2] - a->position[2]);
    return cdi_relative(a->rotation, b->rotation, d);
}
