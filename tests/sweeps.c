/* The two bodies as one: all b - a, the differences of their points, and how near they come to the origin while they move. */
#include "sweeps.h"
#include <float.h>
#include <math.h>
#include <string.h>

typedef long double real;

/* ---- bodies ---- */

static sweep_body body_of(const cd_vec3 *corner, int count, cd_real radius, sweep_features features) {
    sweep_body s;
    memset(&s, 0, sizeof s);
    s.features = features;
    s.count = count;
    s.radius = (double)radius;
    for (int i = 0; i < count; ++i) {
        s.corner[i][0] = (double)corner[i].x;
        s.corner[i][1] = (double)corner[i].y;
        s.corner[i][2] = (double)corner[i].z;
    }
    return s;
}

sweep_body sweep_of_sphere(cd_sphere s) {
    return body_of(&s.center, 1, s.radius, SWEEP_BALL);
}
sweep_body sweep_of_capsule(const cd_capsule *c) {
    return body_of(&c->a, 2, c->radius, SWEEP_CAPSULE);
}
sweep_body sweep_of_triangle(const cd_triangle *t) {
    return body_of(&t->a, 3, 0, SWEEP_TRIANGLE);
}
sweep_body sweep_of_polygon(const cd_vec3 *corner, int count) {
    return body_of(corner, count, 0, SWEEP_POLYGON);
}
sweep_body sweep_of_points(const cd_vec3 *corner, int count) {
    return body_of(corner, count, 0, SWEEP_UNNAMED);
}
sweep_body sweep_of_hull(const cd_hull *hull) {
    cd_hull_parts parts = cd_hull_get_parts(hull);
    sweep_body s = body_of(parts.vertices, (int)parts.vertex_count, 0, SWEEP_HULL);
    s.hull = *hull;
    return s;
}

sweep_body sweep_of_aabb(cd_aabb b) {
    cd_vec3 corner[8];
    for (int i = 0; i < 8; ++i)
        corner[i] =
            cd_vec3_make(i & 1 ? b.max.x : b.min.x, i & 2 ? b.max.y : b.min.y, i & 4 ? b.max.z : b.min.z);
    return body_of(corner, 8, 0, SWEEP_BOX);
}

sweep_body sweep_of_obb(const cd_obb *b) {
    const cd_vec3 *column = b->axes.col;
    sweep_body s = body_of(&b->center, 1, 0, SWEEP_BOX);
    double h[3] = {(double)b->half.x, (double)b->half.y, (double)b->half.z};
    memcpy(s.origin, s.corner[0], sizeof s.origin);
    memset(s.corner, 0, sizeof s.corner);
    s.half = fmax(h[0], fmax(h[1], h[2]));
    s.count = 8;
    for (int i = 0; i < 8; ++i)
        for (int k = 0; k < 3; ++k) {
            double by = i & (1 << k) ? h[k] : -h[k];
            s.corner[i][0] += by * (double)column[k].x;
            s.corner[i][1] += by * (double)column[k].y;
            s.corner[i][2] += by * (double)column[k].z;
        }
    return s;
}

/* ---- the two, as seen from the first corner of a ---- */

typedef struct scene {
    int na, nb;
    real a[SWEEP_CORNERS][3], b[SWEEP_CORNERS][3], motion[3];
    real radii, margin;
    int kept, index[4][2]; /* the simplex of the last distance, to start the next one with */
} scene;

static real dot(const real a[3], const real b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static real length(const real a[3]) {
    return sqrtl(dot(a, a));
}
static real most_of(real most, const real *x, int n) {
    for (int i = 0; i < n; ++i) most = fmaxl(most, fabsl(x[i]));
    return most;
}

static void scene_make(scene *s, const sweep_body *a, const double motion[3], const sweep_body *b) {
    real most;
    memset(s, 0, sizeof *s);
    s->na = a->count;
    s->nb = b->count;
    for (int k = 0; k < 3; ++k) {
        real apart = (real)b->origin[k] - (real)a->origin[k];
        s->motion[k] = motion[k];
        for (int i = 0; i < a->count; ++i) s->a[i][k] = (real)a->corner[i][k] - (real)a->corner[0][k];
        for (int i = 0; i < b->count; ++i)
            s->b[i][k] = apart + ((real)b->corner[i][k] - (real)a->corner[0][k]);
    }
    s->radii = (real)a->radius + (real)b->radius;
    most = most_of(most_of(most_of(s->radii, s->a[0], 3 * a->count), s->b[0], 3 * b->count), s->motion, 3);
    s->margin = 32 * LDBL_EPSILON * most;
}

static void difference(const scene *s, real t, const int index[2], real w[3]) {
    for (int k = 0; k < 3; ++k) w[k] = s->b[index[1]][k] - s->a[index[0]][k] - t * s->motion[k];
}

/* The difference that reaches least along v. */
static void reach_least(const scene *s, const real v[3], int index[2]) {
    real best = -HUGE_VALL;
    for (int i = 0; i < s->na; ++i) {
        real x = dot(s->a[i], v);
        if (x > best) index[0] = i;
        best = fmaxl(best, x);
    }
    best = HUGE_VALL;
    for (int i = 0; i < s->nb; ++i) {
        real x = dot(s->b[i], v);
        if (x < best) index[1] = i;
        best = fminl(best, x);
    }
}

cd_vec3 sweep_stretch(sweep_body *b, test_rng *rng) {
    static const double factors[6] = {0.5, 1, 2, -0.5, -1, -2};
    double half = b->half;
    cd_real by[3];
    for (int k = 0; k < 3; ++k) {
        double x = factors[test_int(rng, 0, 5)];
        b->origin[k] *= x;
        for (int i = 0; i < b->count; ++i) b->corner[i][k] *= x;
        b->half = fmax(b->half, half * fabs(x));
        by[k] = (cd_real)x;
    }
    return cd_vec3_make(by[0], by[1], by[2]);
}

/* ---- the point of a simplex nearest to the origin: the best of all its faces ---- */

typedef struct simplex {
    int count;
    real w[4][3];
    int index[4][2];
} simplex;

/* The foot of the perpendicular on the flat through n of the points, the first nearest to the origin: false when it is outside
 * of them, or when they lie in a smaller flat. */
static bool foot_on(const simplex *s, const int *corner, int n, real v[3]) {
    real axis[3][3], along[3][3], foot[3], sum = 0;
    memcpy(v, s->w[corner[0]], 3 * sizeof *v);
    for (int k = 0; k + 1 < n; ++k) {
        real e[3], whole;
        for (int i = 0; i < 3; ++i) e[i] = s->w[corner[k + 1]][i] - s->w[corner[0]][i];
        whole = length(e);
        for (int j = 0; j < k; ++j) along[k][j] = 0;
        for (int j = 0; j < 2 * k; ++j) { /* twice: the second time takes what rounding left */
            real c = dot(e, axis[j % k]);
            along[k][j % k] += c;
            for (int i = 0; i < 3; ++i) e[i] -= c * axis[j % k][i];
        }
        along[k][k] = length(e);
        if (!(along[k][k] > 8 * LDBL_EPSILON * whole)) return false;
        for (int i = 0; i < 3; ++i) axis[k][i] = e[i] / along[k][k];
        foot[k] = -dot(v, axis[k]);
        for (int i = 0; i < 3; ++i) v[i] += foot[k] * axis[k][i];
    }
    for (int k = n - 2; k >= 0; --k) {
        for (int j = k + 1; j + 1 < n; ++j) foot[k] -= along[j][k] * foot[j];
        foot[k] /= along[k][k];
        if (!(foot[k] >= 0)) return false;
        sum += foot[k];
    }
    if (n == 4) memset(v, 0, 3 * sizeof *v);
    return sum <= 1;
}

static void simplex_sort(simplex *s) {
    for (int i = 1; i < s->count; ++i)
        for (int j = i; j > 0 && dot(s->w[j], s->w[j]) < dot(s->w[j - 1], s->w[j - 1]); --j) {
            simplex old = *s;
            memcpy(s->w[j], old.w[j - 1], sizeof s->w[j]);
            memcpy(s->w[j - 1], old.w[j], sizeof s->w[j]);
            memcpy(s->index[j], old.index[j - 1], sizeof s->index[j]);
            memcpy(s->index[j - 1], old.index[j], sizeof s->index[j]);
        }
}

/* Leaves the corners of the face with the nearest point. */
static void simplex_nearest(simplex *s, real v[3]) {
    int best = 1;
    simplex old;
    simplex_sort(s);
    memcpy(v, s->w[0], sizeof s->w[0]);
    for (int mask = 3; mask < 1 << s->count; ++mask) {
        int corner[4], n = 0;
        real foot[3];
        for (int i = 0; i < s->count; ++i)
            if (mask >> i & 1) corner[n++] = i;
        if (n < 2 || !foot_on(s, corner, n, foot) || !(dot(foot, foot) < dot(v, v))) continue;
        memcpy(v, foot, sizeof foot);
        best = mask;
    }
    old = *s;
    s->count = 0;
    for (int i = 0; i < old.count; ++i)
        if (best >> i & 1) {
            memcpy(s->w[s->count], old.w[i], sizeof s->w[i]);
            memcpy(s->index[s->count++], old.index[i], sizeof s->index[i]);
        }
}

static bool simplex_has(const simplex *s, const int index[2]) {
    for (int i = 0; i < s->count; ++i)
        if (s->index[i][0] == index[0] && s->index[i][1] == index[1]) return true;
    return false;
}

static void simplex_add(simplex *s, const scene *all, real t, const int index[2]) {
    memcpy(s->index[s->count], index, sizeof s->index[0]);
    difference(all, t, index, s->w[s->count++]);
}

/* ---- the distance at t ---- */

typedef struct nearest {
    real distance, slope; /* of the cores, without the radii; d distance / dt */
    real gap;             /* how much less it might be */
} nearest;

static nearest meet_there(void) {
    nearest n = {0, 0, 0};
    return n;
}

/* Nearer with these more corners? */
static bool come_nearer(const scene *s, real t, simplex *x, real v[3], int (*index)[2], int count) {
    simplex more = *x;
    real to[3];
    for (int i = 0; i < count; ++i) {
        if (simplex_has(&more, index[i])) return false;
        simplex_add(&more, s, t, index[i]);
    }
    simplex_nearest(&more, to);
    if (!(dot(to, to) < dot(v, v))) return false;
    *x = more;
    memcpy(v, to, sizeof to);
    return true;
}

/* Any three of them nearer than v? */
static bool three_are_nearer(const scene *s, real t, simplex *x, real v[3], int (*index)[2], int count) {
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < i; ++j)
            for (int k = 0; k < j; ++k) {
                simplex three;
                real to[3];
                three.count = 0;
                simplex_add(&three, s, t, index[i]);
                simplex_add(&three, s, t, index[j]);
                simplex_add(&three, s, t, index[k]);
                simplex_nearest(&three, to);
                if (!(dot(to, to) < dot(v, v))) continue;
                *x = three;
                memcpy(v, to, sizeof to);
                return true;
            }
    return false;
}

/* Rounding turns v, so that the corner to go on with is any of those about as low along it. Where none of them takes more from its length
 * than rounding hides, it is any two of them, one on each side; and where the simplex has three, these are the wrong ones. */
static bool come_nearer_anyhow(const scene *s, real t, simplex *x, real v[3]) {
    real distance = length(v), noise = s->margin / distance * (s->margin / (32 * LDBL_EPSILON));
    int index[SWEEP_CORNERS * SWEEP_CORNERS][2], count = 0;
    for (int i = 0; i < s->na * s->nb; ++i) {
        real w[3];
        index[count][0] = i / s->nb;
        index[count][1] = i % s->nb;
        difference(s, t, index[count], w);
        if (dot(w, v) / distance <= distance + noise) ++count;
    }
    for (int i = 0; i < count; ++i)
        if (come_nearer(s, t, x, v, &index[i], 1)) return true;
    if (x->count > 2) return three_are_nearer(s, t, x, v, index, count);
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < i; ++j) {
            int two[2][2];
            memcpy(two[0], index[i], sizeof two[0]);
            memcpy(two[1], index[j], sizeof two[1]);
            if (come_nearer(s, t, x, v, two, 2)) return true;
        }
    return false;
}

/* Gilbert, Johnson and Keerthi: the simplex comes nearer until nothing reaches farther to the origin than its nearest point. */
static nearest nearest_at(scene *s, real t) {
    simplex x;
    real v[3], w[3];
    nearest n = meet_there();
    int index[2] = {0, 0};
    x.count = 0;
    for (int i = 0; i < s->kept; ++i) simplex_add(&x, s, t, s->index[i]);
    if (!x.count) simplex_add(&x, s, t, index);
    simplex_nearest(&x, v);
    for (int round = 0; round < 100; ++round) {
        real distance = length(v);
        if (distance <= s->margin / 32) return meet_there();
        reach_least(s, v, index);
        difference(s, t, index, w);
        n.distance = distance;
        n.slope = -dot(v, s->motion) / distance;
        n.gap = fminl(distance - dot(w, v) / distance, distance);
        if (n.gap <= s->margin / 16) break;
        if (come_nearer(s, t, &x, v, &index, 1)) continue;
        if (n.gap <= 4 * s->margin || !come_nearer_anyhow(s, t, &x, v)) break;
    }
    s->kept = x.count;
    memcpy(s->index, x.index, sizeof x.index);
    return n;
}

/* ---- the first contact: the distance is a convex function of t ---- */

static bool meets(const scene *s, real distance) {
    return distance <= s->radii + s->margin;
}

/* Contact at `hi`, none at `lo`: closer. */
static real first_between(scene *s, real lo, real hi) {
    while (hi - lo > 2 * LDBL_EPSILON * hi) {
        real middle = lo + (hi - lo) / 2;
        if (!(middle > lo && middle < hi)) break;
        if (meets(s, nearest_at(s, middle).distance))
            hi = middle;
        else
            lo = middle;
    }
    return hi;
}

/* Where the distance is least, falling at `lo` and rising at `hi`: the tangents at both bound it from below. */
static nearest least_between(scene *s, real lo, nearest at_lo, real hi, nearest at_hi, real *where) {
    nearest best = at_lo.distance < at_hi.distance ? at_lo : at_hi;
    *where = at_lo.distance < at_hi.distance ? lo : hi;
    for (int i = 0; i < 100 && !meets(s, best.distance); ++i) {
        real fall = at_lo.slope, rise = at_hi.slope, width = hi - lo;
        real by = (at_hi.distance - at_lo.distance - rise * width) / (fall - rise), middle;
        if (!(by > 0 && by < width) || i % 8 == 7) by = width / 2;
        middle = lo + by;
        if (at_lo.distance + fall * by >= best.distance - s->margin / 4 || !(middle > lo && middle < hi))
            break;
        nearest here = nearest_at(s, middle);
        if (here.distance < best.distance) {
            best = here;
            *where = middle;
        }
        if (here.slope < 0) {
            lo = middle;
            at_lo = here;
        } else {
            hi = middle;
            at_hi = here;
        }
    }
    return best;
}

static void truth_set(const scene *s, sweep_truth *truth, real t, real distance) {
    truth->hit = meets(s, distance);
    truth->least = fmaxl(distance - s->radii, 0);
    truth->t = truth->hit ? t : 1;
}

/* The way between `lo`, apart and falling, and the end or a rise at `hi`. */
static void truth_between(scene *s, sweep_truth *truth, real lo, nearest at_lo, real hi, nearest at_hi) {
    nearest least = at_hi;
    real where = hi;
    if (!meets(s, at_hi.distance) && at_hi.slope > 0) least = least_between(s, lo, at_lo, hi, at_hi, &where);
    truth_set(s, truth, where, least.distance);
    if (truth->hit) truth->t = first_between(s, lo, where);
}

/* Newton's steps from the left on a convex function never pass its root; each a trifle short, so as not to by rounding. */
static sweep_truth first_of(scene *s) {
    sweep_truth truth;
    nearest at = nearest_at(s, 0), next;
    real t = 0;
    memset(&truth, 0, sizeof truth);
    truth_set(s, &truth, 0, at.distance);
    truth.first = truth.least;
    for (int i = 0; i < 200 && !truth.hit && at.slope < 0; ++i) {
        real step = (at.distance - s->radii) / -at.slope * (1 - 1e-6L), to = t + step;
        if (!(to < 1)) to = 1;
        next = nearest_at(s, to);
        if (meets(s, next.distance) && s->radii - next.distance <= s->margin && next.distance > 0) {
            truth_set(s, &truth, to, next.distance);
        } else if (to >= 1 || meets(s, next.distance) || next.slope >= 0) {
            truth_between(s, &truth, t, at, to, next);
            break;
        }
        t = to;
        at = next;
        truth.least = fminl(truth.least, fmaxl(at.distance - s->radii, 0));
    }
    return truth;
}

sweep_truth sweep_first(const sweep_body *a, const double motion[3], const sweep_body *b) {
    scene s;
    scene_make(&s, a, motion, b);
    return first_of(&s);
}

/* Would they miss each other, were one of them a few margins aside? */
static bool barely_meet(const sweep_body *a, const double motion[3], const sweep_body *b) {
    for (int way = 0; way < 6; ++way) {
        scene s;
        scene_make(&s, a, motion, b);
        for (int i = 0; i < s.nb; ++i) s.b[i][way / 2] += (way & 1 ? 6 : -6) * s.margin;
        if (!first_of(&s).hit) return true;
    }
    return false;
}

long double sweep_distance(const sweep_body *a, const double offset[3], const sweep_body *b) {
    scene s;
    scene_make(&s, a, offset, b);
    return fmaxl(nearest_at(&s, 1).distance - s.radii, 0);
}

long double sweep_margin(const sweep_body *a, const double motion[3], const sweep_body *b) {
    scene s;
    scene_make(&s, a, motion, b);
    return s.margin;
}

/* ---- what a sweep answered ---- */

static double body_most(const sweep_body *x) {
    double most = x->half;
    for (int i = 0; i < x->count; ++i)
        for (int k = 0; k < 3; ++k) most = fmax(most, fabs(x->origin[k] + x->corner[i][k]) + x->radius);
    return most;
}

static double body_extent(const sweep_body *x) {
    double most = x->radius;
    for (int i = 0; i < x->count; ++i)
        for (int k = 0; k < 3; ++k) most = fmax(most, fabs(x->corner[i][k] - x->corner[0][k]) + x->radius);
    return most;
}

static double motion_most(const double motion[3]) {
    return fmax(fabs(motion[0]), fmax(fabs(motion[1]), fabs(motion[2])));
}

double sweep_excess(const sweep_body *a, const double motion[3], const sweep_body *b) {
    double most = fmax(motion_most(motion), fmax(body_most(a), body_most(b)));
    return most * (sizeof(cd_real) == 4 ? 5.6843418860808015e-14 : 9.0949470177292824e-13);
}

typedef struct judged {
    const sweep_body *a, *b;
    double motion[3], t, excess;
    long double margin;
    sweep_truth truth;
} judged;

static void at_t(const judged *j, double t, double offset[3]) {
    for (int k = 0; k < 3; ++k) offset[k] = t * j->motion[k];
}

static sweep_body point_body(cd_vec3 p) {
    return body_of(&p, 1, 0, SWEEP_UNNAMED);
}

/* Within a few units of the type of what a's and b's coordinates are there, and the excess. */
static double place_margin(const judged *j) {
    return 4 * (double)CD_REAL_EPSILON * body_most(j->b) + 2 * j->excess;
}

static real left_at(const judged *j, double t) {
    double offset[3];
    at_t(j, t, offset);
    return sweep_distance(j->a, offset, j->b);
}

/* The least way between two times: it is convex in t. For those that pass within the excess for less than a unit of t. */
static real least_left(const judged *j, double lo, double hi) {
    for (int i = 0; i < 100 && hi - lo > DBL_EPSILON * hi; ++i) {
        double third = (hi - lo) / 3;
        if (left_at(j, lo + third) < left_at(j, hi - third))
            hi -= third;
        else
            lo += third;
    }
    return fminl(left_at(j, lo), left_at(j, hi));
}

/* How far a and b are apart along the normal, from what reaches farthest. */
static real along_normal(const judged *j, const real n[3]) {
    real gap = HUGE_VALL, reach = HUGE_VALL;
    scene s;
    scene_make(&s, j->a, j->motion, j->b);
    for (int i = 0; i < s.na; ++i) gap = fminl(gap, dot(s.a[i], n));
    for (int i = 0; i < s.nb; ++i) reach = fminl(reach, -dot(s.b[i], n));
    return gap + reach + (real)j->t * dot(s.motion, n) - s.radii;
}

static void judge_time(const judged *j, const cd_hit *hit) {
    double up = fmin(j->t + (double)CD_REAL_EPSILON * j->t, 1), most = j->excess + 2 * (double)j->margin;
    real left;
    CHECK(j->t >= 0 && j->t <= 1);
    if (j->truth.hit) CHECK_NEAR(fmax(j->t - (double)j->truth.t, 0), 0, 2 * DBL_EPSILON * j->t);
    if (j->truth.hit && up >= (double)j->truth.t) up = (double)j->truth.t;
    left = fminl(left_at(j, j->t), left_at(j, up));
    if (!(left <= (real)most)) left = least_left(j, j->t, up);
    if (!(left <= (real)most) && j->a->along_axes) {
        real n[3] = {hit->normal.x, hit->normal.y, hit->normal.z};
        left = fmaxl(along_normal(j, n), 0);
    }
    CHECK_NEAR(left, 0, most);
}

/* How far a point is before what a has foremost, along the normal. */
static real before_foremost(const judged *j, cd_vec3 p, cd_vec3 normal) {
    real n[3] = {normal.x, normal.y, normal.z}, at[3] = {p.x, p.y, p.z}, least = HUGE_VALL;
    scene s;
    for (int k = 0; k < 3; ++k) at[k] -= (real)j->a->origin[k] + (real)j->a->corner[0][k];
    scene_make(&s, j->a, j->motion, j->b);
    for (int i = 0; i < s.na; ++i) least = fminl(least, dot(s.a[i], n));
    return least + (real)j->t * dot(s.motion, n) - (real)j->a->radius - dot(at, n);
}

/* Where times are told axis by axis, a tip may be farther by as much as it grows when its faces move out: along the normal it is not. */
static void judge_point(const judged *j, const cd_hit *hit) {
    static const double nowhere[3] = {0, 0, 0};
    sweep_body p = point_body(hit->point);
    double offset[3], rounding = (double)CD_REAL_EPSILON * j->t * motion_most(j->motion) * 2;
    double most = place_margin(j) + rounding;
    real off;
    CHECK_NEAR(sweep_distance(&p, nowhere, j->b), 0, place_margin(j));
    if (hit->flags & CD_HIT_START) return;
    at_t(j, -j->t, offset);
    off = sweep_distance(&p, offset, j->a);
    if (j->a->along_axes && off > (real)most && off < 8 * (real)most)
        off = fmaxl(before_foremost(j, hit->point, hit->normal), 0);
    CHECK_NEAR(off, 0, most);
}

/* The corners of a box that are on the side of bits `side` of each axis of bits `axes`. */
static uint32_t box_corners(uint32_t axes, uint32_t side) {
    uint32_t corners = 0;
    for (uint32_t i = 0; i < 8; ++i)
        if ((i & axes) == side) corners |= 1u << i;
    return corners;
}

static uint32_t box_feature(uint32_t kind, uint32_t index) {
    uint32_t axis = index / 4, lower = axis == 0, higher = axis == 2 ? 1 : 2;
    if (kind == CD_FEATURE_VERTEX && index < 8) return 1u << index;
    if (kind == CD_FEATURE_FACE && index < 6) return box_corners(1u << index / 2, (index & 1) << index / 2);
    if (kind != CD_FEATURE_EDGE || index >= 12) return 0;
    return box_corners(7u ^ 1u << axis, (index & 1) << lower | (index >> 1 & 1) << higher);
}

static uint32_t hull_feature(const cd_hull *hull, uint32_t kind, uint32_t index) {
    cd_hull_parts h = cd_hull_get_parts(hull);
    uint32_t corners = 0;
    if (kind == CD_FEATURE_VERTEX && index < h.vertex_count) return 1u << index;
    if (h.dimension == 1) return kind == CD_FEATURE_EDGE && index == 0 ? 3u : 0u;
    if (kind == CD_FEATURE_EDGE && index < h.half_edge_count)
        return 1u << h.half_edges[index].origin | 1u << h.half_edges[h.half_edges[index].twin].origin;
    if (kind == CD_FEATURE_FACE && index < h.face_count)
        for (uint32_t i = 0; i < h.faces[index].count; ++i)
            corners |= 1u << h.half_edges[h.faces[index].first + i].origin;
    return corners;
}

/* Bits of the corners that span the feature; none where there is no such feature. */
static uint32_t corners_of_feature(const sweep_body *b, uint32_t feature) {
    uint32_t kind = CD_FEATURE_KIND(feature), index = CD_FEATURE_INDEX(feature), n = (uint32_t)b->count;
    if (b->features == SWEEP_BOX) return box_feature(kind, index);
    if (b->features == SWEEP_HULL) return hull_feature(&b->hull, kind, index);
    if (kind == CD_FEATURE_FACE && index == 0) return (1u << n) - 1;
    if (b->features == SWEEP_BALL || index >= n) return 0;
    if (kind == CD_FEATURE_VERTEX) return 1u << index;
    if (kind != CD_FEATURE_EDGE || n < 2 || (n == 2 && index > 0)) return 0;
    return 1u << index | 1u << (index + 1) % n;
}

/* The centre of a ball that touches within the excess e: no point of the convex thing is nearer than radius - e, and that which was
 * taken for the contact is no farther than radius + e. That point is not beyond the plane across the way to the nearest one, so
 * the angle between the two ways has at least this cosine. */
static double turn_of_excess(const judged *j) {
    double radii = j->a->radius + j->b->radius;
    if (!(radii > 0)) return 0;
    return acos(fmax(radii - j->excess, 0) / (radii + j->excess));
}

/* A moving ball that is no larger than eight times the excess has the normal of what it meets: query/sweep.h. */
static bool is_tiny_ball(const judged *j) {
    return j->a->count == 1 && j->a->radius > 0 && !(j->a->radius > 8 * j->excess);
}

/* A normal to four units; where balls touch, it turns with the excess, too. */
static double normal_margin(const judged *j) {
    double size = body_extent(j->a) + body_extent(j->b);
    if (is_tiny_ball(j)) return 2 * size + 2 * j->excess;
    double turn = 8 * (double)CD_REAL_EPSILON + turn_of_excess(j);
    return turn * size + 2 * j->excess + 4 * (double)CD_REAL_EPSILON * j->t * motion_most(j->motion);
}

static void judge_normal(const judged *j, const cd_hit *hit) {
    real n[3] = {hit->normal.x, hit->normal.y, hit->normal.z};
    CHECK_NEAR(length(n), 1, 4 * (double)CD_REAL_EPSILON);
    if (!(hit->flags & CD_HIT_START)) CHECK_NEAR(fmin((double)along_normal(j, n), 0), 0, normal_margin(j));
}

/* Without radii things are met by axes, or by GJK: their starts have the feature that is farthest along the nearest way out, or none. Later ones
 * may have what is farthest along the normal, and the point on another feature that is as near. */
static bool is_met_by_axes(const judged *j) {
    const sweep_body *a = j->a, *b = j->b;
    return a->features != SWEEP_BALL && a->features != SWEEP_CAPSULE && b->features != SWEEP_BALL &&
           b->features != SWEEP_CAPSULE;
}

/* How far behind the farthest of b along the normal one of these corners is. */
static real behind_farthest(const judged *j, const cd_hit *hit, uint32_t corners) {
    real n[3] = {hit->normal.x, hit->normal.y, hit->normal.z}, most = -HUGE_VALL, least = HUGE_VALL;
    for (int i = 0; i < j->b->count; ++i) {
        real p[3] = {j->b->corner[i][0], j->b->corner[i][1], j->b->corner[i][2]}, at = dot(p, n);
        most = fmaxl(most, at);
        if (corners >> i & 1) least = fminl(least, at);
    }
    return most - least;
}

static void judge_feature(const judged *j, const cd_hit *hit) {
    bool start = (hit->flags & CD_HIT_START) != 0, by_axes = is_met_by_axes(j);
    uint32_t corners = corners_of_feature(j->b, hit->feature);
    if (start && (by_axes || hit->feature == CD_FEATURE_NONE)) return;
    if (by_axes && corners != 0 && behind_farthest(j, hit, corners) <= normal_margin(j)) return;
    sweep_judge_feature(j->b, hit, place_margin(j));
}

/* Weights of corners b and c of a triangle; of all else 0. */
static void judge_weights(const judged *j, const cd_hit *hit) {
    double u = (double)hit->u, v = (double)hit->v, off[3];
    if (j->b->features != SWEEP_TRIANGLE) {
        CHECK(j->b->features == SWEEP_UNNAMED || (u == 0 && v == 0));
        return;
    }
    CHECK(u >= 0 && v >= 0 && u + v <= 1 + 4 * (double)CD_REAL_EPSILON);
    for (int k = 0; k < 3; ++k)
        off[k] = (1 - u - v) * j->b->corner[0][k] + u * j->b->corner[1][k] + v * j->b->corner[2][k] -
                 (double)REALS(hit->point)[k];
    CHECK_NEAR(motion_most(off), 0, place_margin(j));
}

/* From the point a ball's radius along the normal, on either side, is the core of the ball; but of a ball that is within eight times the
 * excess the way to the point is mostly rounding, and the normal one of what is met. Where neither is a ball, the normal is any along which they are apart but for the
 * excess. */
static void judge_radius(const judged *j, const cd_hit *hit, const sweep_body *ball, double sign,
                         const double offset[3]) {
    double p[3] = {(double)hit->point.x, (double)hit->point.y, (double)hit->point.z};
    double n[3] = {(double)hit->normal.x, (double)hit->normal.y, (double)hit->normal.z}, turn = 0;
    sweep_body core = *ball, at;
    if (!(ball->radius > 8 * j->excess)) return;
    if (j->a->count > 1 && j->b->count > 1) turn = turn_of_excess(j);
    core.radius = 0;
    memset(&at, 0, sizeof at);
    at.count = 1;
    for (int k = 0; k < 3; ++k) at.corner[0][k] = p[k] + sign * ball->radius * n[k];
    CHECK_NEAR(sweep_distance(&at, offset, &core), 0,
               place_margin(j) + turn * ball->radius +
                   2 * (double)CD_REAL_EPSILON * (j->t * motion_most(j->motion) + 4 * ball->radius));
}

static void judge_normal_at_point(const judged *j, const cd_hit *hit) {
    static const double nowhere[3] = {0, 0, 0};
    double offset[3];
    if (hit->flags & CD_HIT_START) return;
    at_t(j, -j->t, offset);
    judge_radius(j, hit, j->a, 1, offset);
    judge_radius(j, hit, j->b, -1, nowhere);
}

static void judge_start(const judged *j, const cd_hit *hit) {
    bool start = (hit->flags & CD_HIT_START) != 0;
    real m[3] = {j->motion[0], j->motion[1], j->motion[2]},
         n[3] = {hit->normal.x, hit->normal.y, hit->normal.z};
    if (j->truth.first <= 0) CHECK(start);
    if (j->truth.first > (real)j->excess + 2 * j->margin) CHECK(!start);
    if (!start) return;
    CHECK_SAME(hit->t, 0);
    if (length(m) > 0) CHECK_NEAR(dot(m, n) / length(m), -1, 4 * (double)CD_REAL_EPSILON);
}

void sweep_judge(const sweep_body *a, cd_vec3 motion, const sweep_body *b, bool got, const cd_hit *hit) {
    judged j;
    j.a = a;
    j.b = b;
    j.motion[0] = (double)motion.x;
    j.motion[1] = (double)motion.y;
    j.motion[2] = (double)motion.z;
    j.excess = sweep_excess(a, j.motion, b);
    j.margin = sweep_margin(a, j.motion, b);
    j.truth = sweep_first(a, j.motion, b);
    if (!got) {
        CHECK(!j.truth.hit || barely_meet(a, j.motion, b));
        return;
    }
    j.t = (double)hit->t;
    judge_time(&j, hit);
    judge_point(&j, hit);
    judge_normal(&j, hit);
    judge_normal_at_point(&j, hit);
    judge_feature(&j, hit);
    judge_weights(&j, hit);
    judge_start(&j, hit);
}

void sweep_judge_feature(const sweep_body *b, const cd_hit *hit, double margin) {
    static const double nowhere[3] = {0, 0, 0};
    uint32_t corners = corners_of_feature(b, hit->feature);
    sweep_body p = point_body(hit->point), named = *b;
    if (b->features == SWEEP_UNNAMED || !CHECK(corners != 0)) return;
    named.count = 0;
    for (int i = 0; i < b->count; ++i)
        if (corners >> i & 1) memcpy(named.corner[named.count++], b->corner[i], sizeof named.corner[0]);
    CHECK_NEAR(sweep_distance(&p, nowhere, &named), 0, margin);
}
