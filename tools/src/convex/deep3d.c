#include "convex/deep3d.h"
#include "convex/simplex.h"
#include "shape/ellipsoid3d.h"

/* ---- what bodies are made of ---- */

/* A core: the hull of one or two images of one ball, or points without number. A ball's image has half axes along unit vectors, the longest
 * first. All is in units of the couple's scale, and in the frame of the search. */
typedef struct cdi_deep_body {
    const cdi_convex *body;
    double sign; /* 1 for B, -1 for A: of B - A it is asked along n, or against it */
    int rounds;  /* 0: only farthest points are known */
    cdi_v3 center[2];
    double size[2]; /* times the half axes */
    cdi_v3 axis[3];
    double half[3];
    uint32_t vertex; /* the last one */
} cdi_deep_body;

typedef struct cdi_deep_proof {
    cdi_deep_body body[2];
    cdi_m3 frame; /* the axis of the cells is the last column */
    double unit;
    double upper; /* the least of H found, and where; zero: where the search began, at */
    cdi_v3 axis, start;
    uint32_t asked, most; /* farthest points of B - A so far, and when to end */
    uint32_t tips; /* are planes of single points tried, too: 0, or of which bodies last with success */
} cdi_deep_proof;

/* K + C . (n - pole), with the pole that the cell is about: beside it no digit of n is lost. */
typedef struct cdi_deep_plane {
    double k;
    cdi_v3 c;
} cdi_deep_plane;

/* Between unit vectors of the plane, the second counter-clockwise of the first by no more than half a turn; or all around. */
typedef struct cdi_deep_sector {
    double x[2], y[2];
    bool whole;
} cdi_deep_sector;

/* Directions (sin t cos f, sin t sin f, cos t) of a half of the sphere. H is at least `bound` there. */
typedef struct cdi_deep_cell {
    cdi_deep_sector t, f; /* of (cos t, sin t), of (cos f, sin f) */
    double pole;          /* of the half: (0, 0, 1) or (0, 0, -1) */
    double bound;
    cdi_v3 n;    /* where that is */
    bool around; /* was f the last one that was halved? */
} cdi_deep_cell;

/* ---- cells ---- */

/* The cosine less the pole, 1 or -1, to all digits also where they are near each other; `square` of the sine. With a pole of 0 the cosine. */
static double cdi_deep_less_pole(double cosine, double square, double pole) {
    return pole == 0.0 ? cosine : 0.0 - pole * (square / (1.0 + pole * cosine));
}

static double cdi_deep_along(double x, double y, double pole, double cosine, double sine) {
    return y * sine + x * cdi_deep_less_pole(cosine, sine * sine, pole);
}

/* The vector of the sector that is least along (x, y); how far it is from the pole along that. */
static double cdi_deep_least_of(const cdi_deep_sector *s, double pole, double x, double y, double *u,
                                double *v) {
    double first = cdi_deep_along(x, y, pole, s->x[0], s->y[0]),
           last = cdi_deep_along(x, y, pole, s->x[1], s->y[1]);
    double length = cdi_sqrt(x * x + y * y);
    int end = first <= last ? 0 : 1;
    bool inside = s->y[0] * x - s->x[0] * y > 0.0 && s->x[1] * y - s->y[1] * x > 0.0;
    if ((inside || s->whole) && length > 0.0) {
        *u = 0.0 - x / length;
        *v = 0.0 - y / length;
        return cdi_deep_along(x, y, pole, *u, *v);
    }
    *u = s->x[end];
    *v = s->y[end];
    return end == 0 ? first : last;
}

/* The least C . (n - pole) of a cell, and where. */
static double cdi_deep_least(const cdi_deep_cell *cell, cdi_v3 c, cdi_v3 *n) {
    double u, v, cosine, sine, out = cdi_deep_least_of(&cell->f, 0.0, c.x, c.y, &u, &v);
    out = cdi_deep_least_of(&cell->t, cell->pole, c.z, out, &cosine, &sine);
    *n = cdi_v3_make(sine * u, sine * v, cosine);
    return out;
}

static double cdi_deep_most(const cdi_deep_cell *cell, cdi_v3 c) {
    cdi_v3 n, back = cdi_v3_neg(c);
    return 0.0 - cdi_deep_least(cell, back, &n);
}

/* n - pole. */
static cdi_v3 cdi_deep_off_pole(const cdi_deep_cell *cell, cdi_v3 n) {
    return cdi_v3_make(n.x, n.y, cdi_deep_less_pole(n.z, n.x * n.x + n.y * n.y, cell->pole));
}

static double cdi_deep_at(const cdi_deep_cell *cell, const cdi_deep_plane *plane, cdi_v3 n) {
    return plane->k + cdi_v3_dot(plane->c, cdi_deep_off_pole(cell, n));
}

/* Adds K + C . n. */
static void cdi_deep_add_plane(const cdi_deep_cell *cell, double k, cdi_v3 c, cdi_deep_plane *out) {
    out->k += k + c.z * cell->pole;
    out->c = cdi_v3_add(out->c, c);
}

static void cdi_deep_middle(const cdi_deep_sector *s, double *x, double *y) {
    double u = s->x[0] + s->x[1], v = s->y[0] + s->y[1], length = cdi_sqrt(u * u + v * v);
    *x = length > 0.5 ? u / length : 0.0 - s->y[0];
    *y = length > 0.5 ? v / length : s->x[0];
}

static cdi_v3 cdi_deep_center(const cdi_deep_cell *cell) {
    double cosine, sine, u, v;
    cdi_deep_middle(&cell->t, &cosine, &sine);
    cdi_deep_middle(&cell->f, &u, &v);
    return cdi_v3_make(sine * u, sine * v, cosine);
}

/* One half of it. */
static void cdi_deep_halve(cdi_deep_sector *s, int side) {
    double x, y;
    if (s->whole) {
        s->x[side] = 1.0;
        s->x[1 - side] = -1.0;
        s->y[0] = s->y[1] = 0.0;
        s->whole = false;
        return;
    }
    cdi_deep_middle(s, &x, &y);
    s->x[1 - side] = x;
    s->y[1 - side] = y;
}

/* How wide a sector is, as a chord. */
static double cdi_deep_width(const cdi_deep_sector *s) {
    double x = s->x[1] - s->x[0], y = s->y[1] - s->y[0];
    return s->whole ? 4.0 : cdi_sqrt(x * x + y * y);
}

/* ---- bounds ---- */

/* Of q(n), the length of (h0 n . e0, h1 n . e1, h2 n . e2), where the shortest half axes are nearly alike: q is convex in the other
 * coordinates of n, so above its plane at any place. */
static void cdi_deep_touch(const cdi_deep_body *b, const cdi_deep_cell *cell, cdi_v3 n, double size,
                           cdi_deep_plane *out) {
    double least = b->half[2], square = least * least, slope[2], length;
    cdi_v3 c = cdi_v3_make(0.0, 0.0, 0.0);
    for (int k = 0; k < 2; ++k) {
        double x = cdi_v3_dot(b->axis[k], n);
        slope[k] = (b->half[k] * b->half[k] - least * least) * x;
        square += slope[k] * x;
    }
    length = cdi_sqrt(square);
    for (int k = 0; k < 2; ++k) c = cdi_v3_along(c, b->axis[k], size * (slope[k] / length));
    cdi_deep_add_plane(cell, size * (least * least / length), c, out);
}

/* How far from the pole a cell goes: the square is twice what the cosine is less than 1. */
static double cdi_deep_reach(const cdi_deep_cell *cell) {
    const cdi_deep_sector *t = &cell->t;
    int end = t->y[0] >= t->y[1] ? 0 : 1;
    return cdi_sqrt(2.0 * cdi_abs(cdi_deep_less_pole(t->x[end], t->y[end] * t->y[end], cell->pole)));
}

#define CDI_DEEP_ROUNDING 1.7763568394002505e-15 /* 2^-49 */

/* A plane below q^2, which is h^2 of one axis, and of each other the square of a coordinate times how much more its h^2 is: these are above their
 * tangents, or where it is less, above their chords. Coordinates are counted from the pole's, or from 0 where they are less: so little of
 * their squares cancels. Returns what rounding may have done to it. */
static double cdi_deep_below_square(const cdi_deep_body *b, const cdi_deep_cell *cell, cdi_v3 n, int axis,
                                    cdi_deep_plane *out) {
    cdi_v3 off = cdi_deep_off_pole(cell, n), at;
    double own = b->half[axis], reach = cdi_deep_reach(cell), terms = 0.0;
    cdi_deep_cell from_0 = *cell;
    from_0.pole = 0.0;
    out->k = 0.0;
    out->c = cdi_v3_make(0.0, 0.0, 0.0);
    for (int i = 0; i < 3; ++i) {
        double more = (b->half[i] - own) * (b->half[i] + own), pole = cell->pole * b->axis[i].z;
        double from = cdi_v3_dot(b->axis[i], off), to = from, x = cdi_v3_dot(b->axis[i], n);
        bool bare = cdi_abs(x) < cdi_abs(from);
        double start = bare ? 0.0 : pole, h = bare ? own : b->half[i], size;
        if (bare) from = to = x;
        if (more < 0.0) {
            from = cdi_deep_least(bare ? &from_0 : cell, b->axis[i], &at);
            to = cdi_deep_most(bare ? &from_0 : cell, b->axis[i]);
        }
        size = cdi_abs(from) + cdi_abs(to);
        out->k += h * h * (pole * pole) + more * ((from + to) * (pole - start) - from * to);
        out->c = cdi_v3_along(out->c, b->axis[i], more * (2.0 * start + from + to));
        terms += h * h * (pole * pole) +
                 cdi_abs(more) *
                     (cdi_abs(from * to) + (2.0 * cdi_abs(start) + size) * reach + (bare ? size : 0.0));
    }
    return CDI_DEEP_ROUNDING * terms;
}

/* The same by q^2: the root is above its chord, wherever rounding left its ends; where that says no more, above its least. */
static void cdi_deep_span(const cdi_deep_body *b, const cdi_deep_cell *cell, cdi_v3 n, double size, int axis,
                          cdi_deep_plane *out) {
    cdi_deep_plane square;
    cdi_v3 at;
    double low, high, sum, off, least = b->half[2] * b->half[2];
    off = cdi_deep_below_square(b, cell, n, axis, &square);
    low = cdi_sqrt(cdi_max(square.k + cdi_deep_least(cell, square.c, &at) - off, least));
    high = cdi_max(cdi_sqrt(cdi_max(square.k + cdi_deep_most(cell, square.c) + off, 0.0)), low);
    sum = low + high;
    if (!(off < 0.25 * (sum * (high - low)))) {
        out->k += size * low;
        return;
    }
    out->k += size * ((low * high + square.k - off) / sum);
    out->c = cdi_v3_along(out->c, square.c, size / sum);
}

/* The axis by which the least is lost: by how far the coordinates go in the cell. */
static int cdi_deep_best_axis(const cdi_deep_body *b, const cdi_deep_cell *cell) {
    double wide[3], least = CDI_HUGE;
    int best = 0;
    if (b->half[1] == b->half[2] || b->half[0] == b->half[1]) return b->half[1] == b->half[2] ? 2 : 0;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 n;
        wide[i] = cdi_deep_most(cell, b->axis[i]) - cdi_deep_least(cell, b->axis[i], &n);
        wide[i] *= wide[i];
    }
    for (int i = 0; i < 3; ++i) {
        double lost = 0.0;
        for (int k = 0; k < 3; ++k)
            lost += cdi_abs(b->half[k] * b->half[k] - b->half[i] * b->half[i]) * wide[k];
        if (lost < least) best = i;
        least = cdi_min(lost, least);
    }
    return best;
}

static double cdi_deep_length(const cdi_deep_body *b, cdi_v3 n) {
    double square = 0.0;
    for (int k = 0; k < 3; ++k) {
        double x = b->half[k] * cdi_v3_dot(b->axis[k], n);
        square += x * x;
    }
    return cdi_sqrt(square);
}

static void cdi_deep_add_round(const cdi_deep_body *b, const cdi_deep_cell *cell, cdi_v3 n, double size,
                               cdi_deep_plane *out) {
    int axis = cdi_deep_best_axis(b, cell);
    if (axis == 2) {
        cdi_deep_touch(b, cell, n, size, out);
    } else {
        cdi_deep_span(b, cell, n, size, axis, out);
    }
}

/* What a body adds to a plane below H in the cell, by the part of it that is farthest along n; how far that is along n. */
static double cdi_deep_add(const cdi_deep_proof *d, cdi_deep_body *b, const cdi_deep_cell *cell, cdi_v3 n,
                           cdi_deep_plane *out) {
    double most = -CDI_HUGE, length;
    int best = 0;
    if (b->rounds == 0) {
        cdi_v3 way = cdi_v3_scale(cdi_m3_mul_v3(&d->frame, n), b->sign), w;
        w = cdi_m3_tmul_v3(&d->frame,
                           cdi_v3_scale(cdi_convex_farthest(b->body, way, &b->vertex), b->sign * d->unit));
        cdi_deep_add_plane(cell, 0.0, w, out);
        return cdi_v3_dot(n, w);
    }
    length = cdi_deep_length(b, n);
    for (int i = 0; i < b->rounds; ++i) {
        double x = cdi_v3_dot(n, b->center[i]) + b->size[i] * length;
        if (x > most) best = i;
        most = cdi_max(most, x);
    }
    cdi_deep_add_plane(cell, 0.0, b->center[best], out);
    if (b->size[best] > 0.0) cdi_deep_add_round(b, cell, n, b->size[best], out);
    return most;
}

/* H at n, and a plane below H in the cell. */
static double cdi_deep_ask(cdi_deep_proof *d, const cdi_deep_cell *cell, cdi_v3 n, cdi_deep_plane *out) {
    double a, b;
    out->k = 0.0;
    out->c = cdi_v3_make(0.0, 0.0, 0.0);
    a = cdi_deep_add(d, &d->body[0], cell, n, out);
    b = cdi_deep_add(d, &d->body[1], cell, n, out);
    ++d->asked;
    if (a + b < d->upper) {
        d->upper = a + b;
        d->axis = n;
    }
    return a + b;
}

static cdi_deep_plane cdi_deep_mix(const cdi_deep_plane *a, const cdi_deep_plane *b, double t) {
    cdi_deep_plane out;
    out.k = a->k + t * (b->k - a->k);
    out.c = cdi_v3_along(a->c, cdi_v3_sub(b->c, a->c), t);
    return out;
}

#define CDI_DEEP_ROUNDS 12
#define CDI_DEEP_STEPS  16

/* The least in the cell of a mixture, with its slope in the weight. */
typedef struct cdi_deep_mixture {
    double t, least, slope;
    cdi_v3 n;
} cdi_deep_mixture;

static void cdi_deep_weigh(const cdi_deep_cell *cell, const cdi_deep_plane *a, const cdi_deep_plane *b,
                           double t, cdi_deep_mixture *out) {
    cdi_deep_plane mixed = cdi_deep_mix(a, b, t);
    out->t = t;
    out->least = mixed.k + cdi_deep_least(cell, mixed.c, &out->n);
    out->slope = b->k - a->k + cdi_v3_dot(cdi_v3_sub(b->c, a->c), cdi_deep_off_pole(cell, out->n));
}

/* Where both planes are alike between the places where mixtures with more of the one and of the other are least: there H may be low. Around
 * the axis that is between them only where they are not on opposite sides of it. */
static cdi_v3 cdi_deep_between(const cdi_deep_mixture *low, const cdi_deep_mixture *high) {
    double t = low->slope / (low->slope - high->slope);
    cdi_v3 p = low->n, q = high->n;
    if (p.x * q.x + p.y * q.y <= 0.0) {
        double r = cdi_sqrt(p.x * p.x + p.y * p.y), s = cdi_sqrt(q.x * q.x + q.y * q.y);
        q.x = r > 0.0 ? p.x * (s / r) : s;
        q.y = r > 0.0 ? p.y * (s / r) : 0.0;
    }
    return cdi_v3_unit(cdi_v3_along(p, cdi_v3_sub(q, p), t));
}

/* The mixture of two planes whose least in the cell is the most, as near as `fine`: that is concave in the weight, so below both tangents
 * where these meet. Returns the least; `n` is where it is, `between` a place where both are. */
static double cdi_deep_best_mix(const cdi_deep_cell *cell, cdi_deep_plane *a, const cdi_deep_plane *b,
                                double fine, cdi_v3 *n, cdi_v3 *between) {
    cdi_deep_mixture low, high, best;
    cdi_deep_weigh(cell, a, b, 0.0, &low);
    cdi_deep_weigh(cell, a, b, 1.0, &high);
    best = high.least > low.least ? high : low;
    for (int i = 0; i < CDI_DEEP_STEPS && low.slope > 0.0 && high.slope < 0.0; ++i) {
        double wide = high.t - low.t;
        double step = (high.least - low.least - high.slope * wide) / (low.slope - high.slope);
        cdi_deep_mixture next;
        if (low.least + step * low.slope - best.least <= fine) break;
        if (!(step > 0.0 && step < wide) || i % 4 == 3) step = 0.5 * wide;
        cdi_deep_weigh(cell, a, b, low.t + step, &next);
        if (next.least > best.least) best = next;
        if (next.slope > 0.0) {
            low = next;
        } else {
            high = next;
        }
    }
    *a = cdi_deep_mix(a, b, best.t);
    *n = *between = best.n;
    if (low.slope > 0.0 && high.slope < 0.0) *between = cdi_deep_between(&low, &high);
    return best.least;
}

/* A body's part of a plane below H everywhere: its farthest point along n, of balls the center and the radius. */
static void cdi_deep_add_tip(const cdi_deep_proof *d, cdi_deep_body *b, const cdi_deep_cell *cell, cdi_v3 n,
                             cdi_deep_plane *out) {
    double length = b->rounds ? cdi_deep_length(b, n) : 0.0;
    cdi_v3 c;
    int best;
    if (b->rounds == 0 || b->half[0] == b->half[2]) {
        cdi_deep_add(d, b, cell, n, out);
        return;
    }
    best = b->rounds == 2 && cdi_v3_dot(n, b->center[1]) + b->size[1] * length >
                                 cdi_v3_dot(n, b->center[0]) + b->size[0] * length
               ? 1
               : 0;
    c = b->center[best];
    for (int k = 0; k < 3 && length > 0.0; ++k)
        c = cdi_v3_along(c, b->axis[k],
                         b->size[best] * (b->half[k] * b->half[k] * cdi_v3_dot(b->axis[k], n) / length));
    cdi_deep_add_plane(cell, 0.0, c, out);
}

/* Are its points other planes than its parts? Not of balls, and of what has corners. */
static bool cdi_deep_has_tips(const cdi_deep_body *b) {
    return b->rounds > 0 && b->half[0] != b->half[2];
}

#define CDI_DEEP_TIPS 3

/* What planes of single points add to a mixture, of A (bit 0), of B, or of both. */
static double cdi_deep_mix_tips_of(cdi_deep_proof *d, const cdi_deep_cell *cell, uint32_t which,
                                   cdi_deep_plane *plane, double least, double rest, cdi_v3 *n) {
    cdi_v3 at = *n, between;
    for (int i = 0; i < CDI_DEEP_TIPS; ++i) {
        cdi_deep_plane tip;
        double next;
        tip.k = 0.0;
        tip.c = cdi_v3_make(0.0, 0.0, 0.0);
        for (int side = 0; side < 2; ++side) {
            if (which >> side & 1u)
                cdi_deep_add_tip(d, &d->body[side], cell, at, &tip);
            else
                (void)cdi_deep_add(d, &d->body[side], cell, at, &tip);
        }
        ++d->asked;
        if (!(cdi_deep_at(cell, &tip, *n) > least)) break;
        next = cdi_deep_best_mix(cell, plane, &tip, 0.01 * rest, n, &between);
        if (!(next - least > 0.05 * rest)) return cdi_max(next, least);
        least = next;
        at = *n;
    }
    return least;
}

/* Along the meridian of a point of a rim chords of the rim's part lose the square of the cell's height, but this point is the same all the
 * way. So may an ellipsoid's part be, where its point is not: about a point of a rim, the circle across its odd axis. */
static double cdi_deep_mix_tips(cdi_deep_proof *d, const cdi_deep_cell *cell, cdi_deep_plane *plane,
                                double least, double enough, cdi_v3 *n) {
    bool both = cdi_deep_has_tips(&d->body[0]) && cdi_deep_has_tips(&d->body[1]);
    for (int i = 0; i < (both ? 3 : 1) && least < enough; ++i) {
        double before = least;
        uint32_t which = both ? 1u + (d->tips + (uint32_t)i + 2u) % 3u : 3u;
        least = cdi_deep_mix_tips_of(d, cell, which, plane, least, enough - least, n);
        if (least >= enough || least - before > 0.5 * (enough - before)) d->tips = which;
    }
    return least;
}

/* A bound of H in the cell: more and more planes are mixed, those of the place where the mixture is least, until that is enough. */
static void cdi_deep_bound_cell(cdi_deep_proof *d, cdi_deep_cell *cell, double tolerance) {
    cdi_deep_plane plane, other;
    cdi_v3 n = cdi_deep_center(cell), between;
    double least;
    cdi_deep_ask(d, cell, n, &plane);
    least = plane.k + cdi_deep_least(cell, plane.c, &n);
    between = n;
    for (int i = 0; i < CDI_DEEP_ROUNDS && least < d->upper - tolerance; ++i) {
        double before = least, rest = d->upper - tolerance - least;
        cdi_deep_ask(d, cell, between, &other);
        if (!(cdi_deep_at(cell, &other, n) > least)) {
            if (i == 0) break;
            cdi_deep_ask(d, cell, n, &other);
            if (!(cdi_deep_at(cell, &other, n) > least)) break;
        }
        least = cdi_deep_best_mix(cell, &plane, &other, 0.01 * rest, &n, &between);
        if (i > 0 && least - before <= 0.05 * rest) break;
    }
    if (d->tips && least < d->upper - tolerance)
        least = cdi_deep_mix_tips(d, cell, &plane, least, d->upper - tolerance, &n);
    if (least < d->upper - tolerance) cdi_deep_ask(d, cell, between, &other);
    cell->bound = cdi_max(cell->bound, least);
    cell->n = n;
}

/* ---- the search ---- */

enum { CDI_DEEP_CELLS = 72 };

/* Both halves of a cell. */
static void cdi_deep_split(cdi_deep_proof *d, const cdi_deep_cell *cell, bool around, double tolerance,
                           cdi_deep_cell half[2]) {
    for (int side = 0; side < 2; ++side) {
        half[side] = *cell;
        half[side].around = around;
        cdi_deep_halve(around ? &half[side].f : &half[side].t, side);
        cdi_deep_bound_cell(d, &half[side], tolerance);
    }
}

/* The bound of a small part of a cell where it is least: what halving it one way, again and again, comes to. */
static double cdi_deep_promise(cdi_deep_proof *d, const cdi_deep_cell *cell, bool around, double tolerance) {
    cdi_deep_cell part = *cell;
    cdi_deep_sector *s = around ? &part.f : &part.t;
    double x = around ? cell->n.x : cell->n.z, y = cell->n.y;
    if (!around) y = cdi_sqrt(cell->n.x * cell->n.x + cell->n.y * cell->n.y);
    for (int i = 0; i < 4; ++i) {
        double u, v;
        cdi_deep_middle(s, &u, &v);
        cdi_deep_halve(s, !s->whole ? (u * y - v * x >= 0.0 ? 1 : 0) : (y >= 0.0 ? 0 : 1));
    }
    cdi_deep_bound_cell(d, &part, tolerance);
    return part.bound;
}

/* H at a part of the way between the circles of latitude of a cell, on the meridian of n. */
static double cdi_deep_on_meridian(cdi_deep_proof *d, const cdi_deep_cell *cell, double part) {
    const cdi_deep_sector *t = &cell->t;
    double c = t->x[0] + part * (t->x[1] - t->x[0]), s = t->y[0] + part * (t->y[1] - t->y[0]);
    double r = cdi_sqrt(cell->n.x * cell->n.x + cell->n.y * cell->n.y);
    cdi_v3 n = cdi_v3_make(r > 0.0 ? s * (cell->n.x / r) : s, r > 0.0 ? s * (cell->n.y / r) : 0.0, c);
    cdi_deep_plane plane;
    return cdi_deep_ask(d, cell, cdi_v3_unit(n), &plane);
}

#define CDI_DEEP_GOLDEN 0.6180339887498949

/* Looks for a lesser H on the meridian of the place where the bound is least, by the golden section. */
static void cdi_deep_polish(cdi_deep_proof *d, const cdi_deep_cell *cell) {
    double low = 0.0, high = 1.0, p = 1.0 - CDI_DEEP_GOLDEN, q = CDI_DEEP_GOLDEN;
    double at_p = cdi_deep_on_meridian(d, cell, p), at_q = cdi_deep_on_meridian(d, cell, q);
    for (int i = 0; i < 40 && p < q; ++i) {
        if (at_p < at_q) {
            high = q;
            q = p;
            at_q = at_p;
            p = high - CDI_DEEP_GOLDEN * (high - low);
            at_p = cdi_deep_on_meridian(d, cell, p);
        } else {
            low = p;
            p = q;
            at_p = at_q;
            q = low + CDI_DEEP_GOLDEN * (high - low);
            at_q = cdi_deep_on_meridian(d, cell, q);
        }
    }
}

/* Which way is more to be had? Where that is all one, across: then the bound may be right, and it is H that is not low enough yet. */
static bool cdi_deep_wants_around(cdi_deep_proof *d, const cdi_deep_cell *cell, double tolerance) {
    double t = cdi_deep_promise(d, cell, false, tolerance), f = cdi_deep_promise(d, cell, true, tolerance);
    if (cdi_abs(t - f) > 0.02 * (d->upper - cell->bound)) return f > t;
    cdi_deep_polish(d, cell);
    return cdi_deep_width(&cell->f) > 4096.0 * cdi_deep_width(&cell->t);
}

/* How much a cell leaves to do, as a number of cells: along an arc of directions that are alike these are as many as the root of what each
 * lacks. */
static double cdi_deep_rest(const cdi_deep_proof *d, const cdi_deep_cell *cell, double tolerance) {
    return cdi_sqrt(cdi_max(d->upper - tolerance - cell->bound, 0.0));
}

static double cdi_deep_rests(const cdi_deep_proof *d, const cdi_deep_cell half[2], double tolerance) {
    return cdi_deep_rest(d, &half[0], tolerance) + cdi_deep_rest(d, &half[1], tolerance);
}

/* Did it help so much that the other way need not be looked at? Not where both halves gain alike: across an arc that is alike one of them is
 * done with, and along it, again and again, the lack is only shared out. */
static bool cdi_deep_helped(const cdi_deep_proof *d, const cdi_deep_cell *cell, double tolerance,
                            const cdi_deep_cell half[2]) {
    return cdi_deep_rests(d, half, tolerance) <= cdi_deep_rest(d, cell, tolerance);
}

/* Is the other way of halving the better one? With planes of single points both may gain alike, but across an arc one half is done with: it
 * is seen by trying. */
static bool cdi_deep_turns(cdi_deep_proof *d, const cdi_deep_cell *cell, double tolerance,
                           const cdi_deep_cell half[2], cdi_deep_cell other[2]) {
    double rest, left;
    if (!d->tips && cdi_deep_wants_around(d, cell, tolerance) == cell->around) return false;
    cdi_deep_split(d, cell, !cell->around, tolerance, other);
    if (!d->tips) return true;
    rest = cdi_deep_rests(d, half, tolerance);
    left = cdi_deep_rests(d, other, tolerance);
    if (cdi_abs(rest - left) <= 0.02 * rest) return cdi_deep_wants_around(d, cell, tolerance) != cell->around;
    return left < rest;
}

/* Halves in the way that helped last, or in the other; the one that proves less is the last. */
static void cdi_deep_part(cdi_deep_proof *d, const cdi_deep_cell *cell, double tolerance,
                          cdi_deep_cell half[2]) {
    cdi_deep_cell other[2];
    cdi_deep_split(d, cell, cell->around, tolerance, half);
    if (!cdi_deep_helped(d, cell, tolerance, half) && cdi_deep_turns(d, cell, tolerance, half, other)) {
        half[0] = other[0];
        half[1] = other[1];
    }
    if (half[0].bound < half[1].bound) {
        other[0] = half[0];
        half[0] = half[1];
        half[1] = other[0];
    }
}

/* The halves of a cell into places of their own. */
static void cdi_deep_halve_all(cdi_deep_cell *cells, int count) {
    for (int i = 0; i < count; ++i) {
        cells[count + i] = cells[i];
        cdi_deep_halve(&cells[i].f, 0);
        cdi_deep_halve(&cells[count + i].f, 1);
    }
}

/* Both halves of the sphere; where planes of single points are tried, in sectors, as these are not below H all around: not along the axes of
 * the frame, where arcs of directions that are alike would be of two of them. */
static int cdi_deep_begin_cells(cdi_deep_proof *d, double tolerance, cdi_deep_cell *cells) {
    int count = d->tips ? 16 : 2;
    cdi_deep_cell cell;
    cell.bound = -CDI_HUGE;
    cell.around = cell.t.whole = false;
    cell.f.whole = true;
    cell.t.x[0] = cell.f.x[0] = cell.f.x[1] = 1.0;
    cell.t.x[1] = -1.0;
    cell.t.y[0] = cell.t.y[1] = cell.f.y[0] = cell.f.y[1] = 0.0;
    for (int side = 0; side < 2; ++side) {
        cells[side] = cell;
        cdi_deep_halve(&cells[side].t, side);
        cells[side].pole = side ? -1.0 : 1.0;
    }
    if (d->tips) {
        cdi_deep_halve_all(cells, 2);
        for (int i = 0; i < 4; ++i)
            for (int k = 0; k < 2; ++k) {
                cells[i].f.y[k] = 0.6 * cells[i].f.x[k];
                cells[i].f.x[k] *= 0.8;
            }
        cdi_deep_halve_all(cells, 4);
        cdi_deep_halve_all(cells, 8);
    }
    for (int i = 0; i < count; ++i) cdi_deep_bound_cell(d, &cells[i], tolerance);
    return count;
}

/* What is proved of all directions, as near to the least of H as the tolerance where the end is not met before. */
static double cdi_deep_search_cells(cdi_deep_proof *d, double tolerance) {
    cdi_deep_cell cells[CDI_DEEP_CELLS];
    double lower = CDI_HUGE;
    int count = cdi_deep_begin_cells(d, tolerance, cells);
    while (count > 0) {
        cdi_deep_cell cell = cells[--count];
        if (cell.bound >= d->upper - tolerance || d->asked >= d->most || count + 2 > CDI_DEEP_CELLS) {
            lower = cdi_min(lower, cell.bound);
        } else {
            cdi_deep_part(d, &cell, tolerance, cells + count);
            count += 2;
        }
    }
    return lower;
}

/* ---- the bodies ---- */

static void cdi_deep_round(cdi_deep_body *out, int i, cdi_v3 center, double size) {
    out->center[i] = center;
    out->size[i] = size;
    out->rounds = i + 1;
}

/* Across the axis of a frustum; the ball of a tapered capsule. */
static cdi_m3 cdi_deep_map_of(const cdi_convex *b) {
    cdi_m3 map = b->map;
    if (b->support->kind == CD_SUPPORT_ELLIPSOID) return map;
    map.c[2] = b->frustum.u;
    if (b->support->kind == CD_SUPPORT_TAPERED) map.c[2] = cdi_v3_make(0.0, 0.0, 1.0);
    map.c[0] = cdi_across(map.c[2]);
    map.c[1] = cdi_v3_cross(map.c[2], map.c[0]);
    return map;
}

static void cdi_deep_axes(cdi_deep_body *out, const cdi_convex *b) {
    bool disc = b->support->kind != CD_SUPPORT_ELLIPSOID && b->support->kind != CD_SUPPORT_TAPERED;
    cdi_m3 map = cdi_deep_map_of(b), axes = map;
    if (b->support->kind != CD_SUPPORT_ELLIPSOID && !b->stretched) {
        out->half[0] = out->half[1] = 1.0;
        out->half[2] = disc ? 0.0 : 1.0;
    } else {
        if (disc) map.c[2] = cdi_v3_make(0.0, 0.0, 0.0);
        for (int k = 0; k < 3 && b->stretched; ++k) map.c[k] = cdi_stretched(map.c[k], b->stretch);
        cdi_map_axes(&map, &axes, out->half);
    }
    for (int k = 0; k < 3; ++k) {
        out->axis[k] = axes.c[k];
        if (b->posed) out->axis[k] = cdi_m3_mul_v3(&b->pose.rotation, out->axis[k]);
    }
}

static bool cdi_deep_is_frustum(const cdi_convex *b) {
    return b->support->kind == CD_SUPPORT_TAPERED ||
           (b->support->kind >= CD_SUPPORT_DISC && b->support->kind <= CD_SUPPORT_CONE);
}

/* In the frame of A, in the caller's units. */
static void cdi_deep_body_of(cdi_deep_body *out, const cdi_convex *b, double sign) {
    out->body = b;
    out->sign = sign;
    out->rounds = 0;
    out->vertex = CD_NONE;
    if (b->support->kind == CD_SUPPORT_ELLIPSOID) {
        cdi_deep_round(out, 0, b->middle, 1.0);
    } else if (cdi_deep_is_frustum(b)) {
        cdi_deep_round(out, 0, b->frustum.end[0], b->frustum.r[0]);
        cdi_deep_round(out, 1, b->frustum.end[1], b->frustum.r[1]);
    } else {
        return;
    }
    cdi_deep_axes(out, b);
    for (int i = 0; i < out->rounds; ++i) {
        if (b->stretched) out->center[i] = cdi_stretched(out->center[i], b->stretch);
        if (b->posed) out->center[i] = cdi_pose_point(&b->pose, out->center[i]);
        out->center[i] = cdi_v3_scale(out->center[i], sign);
    }
}

/* How much longer its odd axis is than the others, or shorter; and that axis. Of balls, which have none, the line through both. */
static double cdi_deep_odd(const cdi_deep_body *b, cdi_v3 *axis) {
    double size = b->rounds ? cdi_max(b->size[0], b->size[b->rounds - 1]) : 0.0;
    bool longest;
    if (b->rounds == 0) return -1.0;
    longest = b->half[1] - b->half[2] <= b->half[0] - b->half[1];
    *axis = b->axis[longest ? 0 : 2];
    if (b->half[2] == b->half[0] && b->rounds == 2)
        *axis = cdi_v3_unit(cdi_v3_sub(b->center[1], b->center[0]));
    return size * (b->half[0] - b->half[2]);
}

static cdi_m3 cdi_deep_frame_of(cdi_v3 axis) {
    cdi_m3 frame;
    frame.c[2] = axis;
    frame.c[0] = cdi_across(axis);
    frame.c[1] = cdi_v3_cross(axis, frame.c[0]);
    return frame;
}

/* As seen in a frame. */
static void cdi_deep_turn_body(cdi_deep_body *b, const cdi_m3 *frame) {
    for (int i = 0; i < b->rounds; ++i) b->center[i] = cdi_m3_tmul_v3(frame, b->center[i]);
    for (int k = 0; k < 3 && b->rounds; ++k) b->axis[k] = cdi_m3_tmul_v3(frame, b->axis[k]);
}

/* A frame about the axis of the larger round body. */
static void cdi_deep_turn(cdi_deep_proof *d) {
    cdi_v3 axis[2], u = cdi_v3_make(0.0, 0.0, 1.0);
    double a = cdi_deep_odd(&d->body[0], &axis[0]), b = cdi_deep_odd(&d->body[1], &axis[1]);
    if (a >= 0.0 || b >= 0.0) u = cdi_v3_unit(axis[a >= b ? 0 : 1]);
    if (cdi_v3_is_zero(u)) u = cdi_v3_make(0.0, 0.0, 1.0);
    d->frame = cdi_deep_frame_of(u);
    for (int side = 0; side < 2; ++side) {
        cdi_deep_body *body = &d->body[side];
        for (int i = 0; i < body->rounds; ++i) {
            body->center[i] = cdi_v3_scale(body->center[i], d->unit);
            body->size[i] *= d->unit;
        }
        cdi_deep_turn_body(body, &d->frame);
    }
}

#define CDI_DEEP_ACROSS 0.0009765625 /* 2^-10 */

/* Is n one of a circle of directions about an axis that a round body is as far along? Of a long ellipsoid those across its axis, of what lies
 * between two balls or discs those along which both are as far. */
static bool cdi_deep_ring(const cdi_deep_body *b, cdi_v3 n, cdi_v3 *axis) {
    cdi_v3 way;
    if (b->rounds == 0) return false;
    if (b->rounds == 1) {
        *axis = cdi_v3_unit(b->axis[0]);
        return b->half[1] - b->half[2] <= b->half[0] - b->half[1] && b->half[0] > b->half[1] &&
               cdi_abs(cdi_v3_dot(*axis, n)) <= CDI_DEEP_ACROSS;
    }
    way = cdi_v3_sub(b->center[1], b->center[0]);
    *axis = cdi_v3_unit(way);
    return b->half[0] == b->half[1] && !cdi_v3_is_zero(way) &&
           cdi_abs(cdi_v3_dot(way, n) + (b->size[1] - b->size[0]) * cdi_deep_length(b, n)) <=
               CDI_DEEP_ACROSS * cdi_v3_norm(way);
}

/* The least H that was found may be of an arc about an axis that is not the frame's, where the other body has a corner or an apex. In a frame
 * about this axis that is of a circle of latitude; about that of a larger cone it goes across all cells. */
static void cdi_deep_turn_again(cdi_deep_proof *d) {
    cdi_v3 n = cdi_v3_is_zero(d->axis) ? d->start : d->axis, axis[2];
    bool ring[2];
    cdi_m3 frame, turn;
    for (int side = 0; side < 2; ++side) {
        ring[side] = cdi_deep_ring(&d->body[side], n, &axis[side]);
        if (ring[side] && cdi_abs(axis[side].z) > 1.0 - CDI_DEEP_ACROSS) return;
    }
    if (!ring[0] && !ring[1]) return;
    turn = frame = cdi_deep_frame_of(axis[ring[0] ? 0 : 1]);
    for (int k = 0; k < 3; ++k) turn.c[k] = cdi_m3_mul_v3(&d->frame, frame.c[k]);
    d->frame = turn;
    d->axis = cdi_m3_tmul_v3(&frame, d->axis);
    for (int i = 0; i < 2; ++i) cdi_deep_turn_body(&d->body[i], &frame);
}

/* ---- the answer ---- */

/* A search ends with the first cell looked at after this many. A bound takes 25 farthest points, with planes of single points 34; to part a cell
 * takes 6 bounds and 42 on a meridian, the last search begins with 16: no more than MOST - 1 + 192 + 544 in all. */
enum { CDI_DEEP_MOST = 6144 };

#define CDI_DEEP_WIDE  0.00390625     /* 2^-8 */
#define CDI_DEEP_FINER 0.000244140625 /* 2^-12 */

/* First roughly: what was proved so holds where the fine search does not come to its end. A search that is ended by its share of the
 * farthest points, the half of what is left or at the last three quarters, is followed by one with planes of single points. */
static double cdi_deep_search_finer(cdi_deep_proof *d, double tolerance) {
    double lower = -CDI_HUGE;
    for (double wide = CDI_DEEP_WIDE;; wide *= CDI_DEEP_FINER) {
        bool last = wide <= 2.0 * tolerance || d->tips;
        uint32_t from = d->asked;
        d->most =
            d->tips ? 0u + CDI_DEEP_MOST : from + (CDI_DEEP_MOST - from) / (last ? 4 : 2) * (last ? 3 : 1);
        lower = cdi_max(lower, cdi_deep_search_cells(d, last ? tolerance : wide));
        if (d->tips || d->upper - lower <= tolerance || (last && d->asked < d->most)) return lower;
        if (d->asked < d->most) continue;
        d->tips = 3;
        cdi_deep_turn_again(d);
    }
}

CDI_FN bool cdi_deep_prove(const cdi_couple *pair, double tolerance, cdi_depth *depth) {
    cdi_deep_proof d;
    cdi_tip tip;
    cdi_v3 axis;
    double lower, upper, before = depth->upper - depth->lower;
    cdi_deep_body_of(&d.body[0], &pair->a, -1.0);
    cdi_deep_body_of(&d.body[1], &pair->b, 1.0);
    d.unit = cdi_unit_of_scale(pair->scale);
    d.upper = depth->upper * d.unit;
    d.axis = cdi_v3_make(0.0, 0.0, 0.0);
    d.asked = 0;
    d.tips = 0;
    cdi_deep_turn(&d);
    d.start = cdi_m3_tmul_v3(&d.frame, depth->axis);
    lower = cdi_deep_search_finer(&d, tolerance * d.unit);
    depth->iterations += d.asked;
    if (!cdi_v3_is_zero(d.axis)) {
        axis = cdi_v3_unit(cdi_m3_mul_v3(&d.frame, d.axis));
        tip.vertex_a = tip.vertex_b = CD_NONE;
        cdi_couple_least(pair, cdi_v3_neg(axis), &tip);
        upper = cdi_v3_dot(axis, tip.w);
        if (upper < depth->upper) {
            depth->upper = upper;
            depth->axis = axis;
        }
    }
    lower = cdi_min(lower / d.unit - 4.0 * cdi_couple_rounding(pair), depth->upper);
    if (!(depth->upper - lower < before)) return false;
    depth->lower = lower;
    return true;
}

#undef CDI_DEEP_WIDE
#undef CDI_DEEP_FINER
#undef CDI_DEEP_ROUNDS
#undef CDI_DEEP_STEPS
#undef CDI_DEEP_ROUNDING
#undef CDI_DEEP_TIPS
#undef CDI_DEEP_ACROSS
#undef CDI_DEEP_GOLDEN
