/* Pieces are in long double; far from the origin eleven bits are left over the library's doubles. */
#include "any_truth.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef long double real;

#define EPS       ((double)CD_REAL_EPSILON)
#define UNBOUNDED HUGE_VALL

static const real tiny = 16 * LDBL_EPSILON; /* rounding, of numbers up to 1 */

/* ---- vectors ---- */

static real dot(const real a[3], const real b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static real length(const real a[3]) {
    return sqrtl(dot(a, a));
}
static void set(real out[3], const real a[3]) {
    for (int k = 0; k < 3; ++k) out[k] = a[k];
}
static void sub(const real a[3], const real b[3], real out[3]) {
    for (int k = 0; k < 3; ++k) out[k] = a[k] - b[k];
}
static void add(real p[3], const real d[3], real t) {
    for (int k = 0; k < 3; ++k) p[k] += d[k] * t;
}
static void negate(const real a[3], real out[3]) {
    for (int k = 0; k < 3; ++k) out[k] = -a[k];
}
static void cross(const real a[3], const real b[3], real out[3]) {
    for (int k = 0; k < 3; ++k) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}
static bool make_unit(real v[3]) {
    real most = fmaxl(fmaxl(fabsl(v[0]), fabsl(v[1])), fabsl(v[2])), size;
    for (int k = 0; k < 3 && most > 0; ++k) v[k] /= most;
    size = length(v);
    for (int k = 0; k < 3 && size > 0; ++k) v[k] /= size;
    return size > 0;
}
static void vec(cd_vec3 v, real out[3]) {
    out[0] = (real)v.x;
    out[1] = (real)v.y;
    out[2] = (real)v.z;
}
static void apply(real m[3][3], const real v[3], real out[3]) {
    real r[3];
    for (int k = 0; k < 3; ++k) r[k] = dot(m[k], v);
    set(out, r);
}

/* ---- frames: x -> map x + by ---- */

typedef struct frame {
    real map[3][3], by[3];
    real factor; /* by which lengths grow; 0 where not all alike */
    bool turned;
    real radius; /* what compounds and classes add to their parts */
    cd_real offset;
    uint32_t layers;
} frame;

static const frame own_frame = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}, 1, false, 0, 0, 0};

/* What is stretched first, and then goes through the frame. */
static frame stretched(const frame *f, cd_vec3 scale) {
    frame g = *f;
    real s[3];
    vec(scale, s);
    if (s[0] == 0 && s[1] == 0 && s[2] == 0) return g;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) g.map[i][k] *= s[k];
    g.turned = true;
    return g;
}

static void matrix_of(cd_quat rotation, real m[3][3]) {
    real q[4] = {(real)rotation.x, (real)rotation.y, (real)rotation.z, (real)rotation.w}, most = 0, n;
    for (int k = 0; k < 4; ++k) most = fmaxl(most, fabsl(q[k]));
    if (!(most > 0)) q[3] = most = 1;
    for (int k = 0; k < 4; ++k) q[k] /= most;
    n = sqrtl(dot(q, q) + q[3] * q[3]);
    for (int k = 0; k < 4; ++k) q[k] /= n;
    for (int k = 0; k < 3; ++k) { /* the images of the axes, as columns */
        real e[3] = {0, 0, 0}, t[3], u[3];
        e[k] = 1;
        cross(q, e, t);
        add(t, e, q[3]);
        cross(q, t, u);
        for (int i = 0; i < 3; ++i) m[i][k] = e[i] + 2 * u[i];
    }
}

/* What is posed first, and then goes through the frame. */
static frame posed(const frame *f, const cd_transform *pose) {
    frame g = *f;
    real m[3][3], p[3];
    if (!pose) return g;
    matrix_of(pose->rotation, m);
    vec(pose->position, p);
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k)
            g.map[i][k] = f->map[i][0] * m[0][k] + f->map[i][1] * m[1][k] + f->map[i][2] * m[2][k];
        g.by[i] += dot(f->map[i], p);
    }
    g.turned = true;
    return g;
}

/* ---- pieces ---- */

static void add_corner(truth_body *b, const real p[3]) {
    if (CHECK(b->count < TRUTH_CORNERS)) set(b->corner[b->count++], p);
}

static void add_vec(truth_body *b, cd_vec3 p) {
    real v[3];
    vec(p, v);
    add_corner(b, v);
}

static any_piece *add_piece(any_body *b) {
    any_piece *p;
    if (b->count == b->room) {
        b->room = b->room ? 2 * b->room : 1;
        b->piece = (any_piece *)realloc(b->piece, (size_t)b->room * sizeof *b->piece);
        if (!b->piece) abort();
    }
    p = &b->piece[b->count++];
    memset(p, 0, offsetof(any_piece, body) + offsetof(truth_body, corner));
    memset(p->body.middle, 0, sizeof *p - offsetof(any_piece, body) - offsetof(truth_body, middle));
    p->part.child = CD_NONE;
    return p;
}

/* The corners of an image of a cube, the balls' frame of an image of a ball. */
static void set_axes(truth_body *b, cd_vec3 center, const cd_mat3 *axes, cd_vec3 half) {
    real h[3];
    vec(half, h);
    vec(center, b->middle);
    for (int k = 0; k < 3; ++k) {
        vec(axes->col[k], b->half[k]);
        for (int i = 0; i < 3; ++i) b->half[k][i] *= h[k];
    }
}

static void set_box(truth_body *b, const real middle[3], real half[3][3]) {
    for (int i = 0; i < 8; ++i) {
        real p[3];
        set(p, middle);
        for (int k = 0; k < 3; ++k) add(p, half[k], i >> k & 1 ? 1 : -1);
        add_corner(b, p);
    }
}

static void set_aabb(truth_body *b, const cd_aabb *box) {
    for (int i = 0; i < 8; ++i) {
        cd_vec3 p = box->min;
        if (i & 1) p.x = box->max.x;
        if (i & 2) p.y = box->max.y;
        if (i & 4) p.z = box->max.z;
        add_vec(b, p);
    }
}

static void set_lozenge(truth_body *b, const cd_lozenge *l) {
    real p[3], e[2][3];
    for (int k = 0; k < 2; ++k) vec(l->edge[k], e[k]);
    for (int i = 0; i < 4; ++i) {
        vec(l->a, p);
        if (i & 1) add(p, e[0], 1);
        if (i & 2) add(p, e[1], 1);
        add_corner(b, p);
    }
    b->radius += (real)l->radius;
}

static void set_balls(truth_body *b, cd_vec3 p, cd_real r, cd_vec3 q, cd_real s) {
    b->kind = TRUTH_BALLS;
    add_vec(b, p);
    add_vec(b, q);
    b->r[0] = (real)r;
    b->r[1] = (real)s;
    for (int k = 0; k < 3; ++k) b->half[k][k] = 1;
}

/* Two discs across an axis, as images of a ball that is flat. */
static void set_discs(truth_body *b, cd_vec3 p, cd_real r, cd_vec3 q, cd_real s, const real axis[3]) {
    int least = 0;
    real u[3] = {0, 0, 0}, n[3];
    set_balls(b, p, r, q, s);
    memset(b->half, 0, sizeof b->half);
    set(n, axis);
    if (!make_unit(n)) return;
    for (int k = 1; k < 3; ++k)
        if (fabsl(n[k]) < fabsl(n[least])) least = k;
    u[least] = 1;
    cross(n, u, b->half[0]);
    make_unit(b->half[0]);
    cross(n, b->half[0], b->half[1]);
    make_unit(b->half[1]);
}

static void set_between(truth_body *b, cd_vec3 p, cd_real r, cd_vec3 q, cd_real s) {
    real v[3], w[3], axis[3];
    vec(p, v);
    vec(q, w);
    sub(w, v, axis);
    set_discs(b, p, r, q, s, axis);
}

/* All points where three planes meet that no slab leaves out. */
static void set_kdop(truth_body *b, const cd_kdop *dop, const cd_kdop_set *dirs) {
    int count = (int)dirs->count;
    real n[CD_KDOP_AXES][3], most = 0;
    for (int i = 0; i < count; ++i) vec(dirs->axis[i], n[i]);
    for (int i = 0; i < count; ++i)
        most = fmaxl(most, fmaxl(fabsl((real)dop->min[i]), fabsl((real)dop->max[i])) / length(n[i]));
    for (int i = 0; i < 2 * count; ++i)
        for (int j = (i / 2 + 1) * 2; j < 2 * count; ++j)
            for (int k = (j / 2 + 1) * 2; k < 2 * count; ++k) {
                int at[3] = {i, j, k};
                real c[3][3], d[3], p[3], det;
                bool in = true;
                cross(n[j / 2], n[k / 2], c[0]);
                cross(n[k / 2], n[i / 2], c[1]);
                cross(n[i / 2], n[j / 2], c[2]);
                det = dot(n[i / 2], c[0]);
                if (fabsl(det) < 1e-9L * length(n[i / 2]) * length(n[j / 2]) * length(n[k / 2])) continue;
                for (int m = 0; m < 3; ++m)
                    d[m] = (real)(at[m] % 2 ? dop->max[at[m] / 2] : dop->min[at[m] / 2]);
                for (int m = 0; m < 3; ++m) p[m] = (d[0] * c[0][m] + d[1] * c[1][m] + d[2] * c[2][m]) / det;
                for (int m = 0; m < count && in; ++m) {
                    real x = dot(n[m], p), few = 1e-15L * most * length(n[m]);
                    in = x >= (real)dop->min[m] - few && x <= (real)dop->max[m] + few;
                }
                for (int m = 0; m < b->count && in; ++m) {
                    real off[3];
                    sub(p, b->corner[m], off);
                    in = length(off) > 1e-14L * most;
                }
                if (in) add_corner(b, p);
            }
}

static void set_hull(truth_body *b, const cd_hull *hull) {
    cd_hull_parts h = cd_hull_get_parts(hull);
    for (uint32_t i = 0; i < h.vertex_count; ++i) add_vec(b, h.vertices[i]);
}

static void set_support(truth_body *b, const cd_support *s) {
    static truth_body core;
    real radius = b->radius;
    truth_body_of(&core, s);
    *b = core;
    b->radius += radius;
    if (core.kind == TRUTH_FRUSTUM) {
        b->kind = TRUTH_BALLS;
        memset(b->half, 0, sizeof b->half);
        b->half[1][(fabsl(core.half[0][0]) > 0.6L)] = 1;
        cross(core.half[0], b->half[1], b->half[2]);
        make_unit(b->half[2]);
        cross(core.half[0], b->half[2], b->half[1]);
        make_unit(b->half[1]);
    }
    if (core.kind == TRUTH_BALL) {
        b->kind = TRUTH_BALLS;
        b->count = 0;
        add_corner(b, core.middle);
        add_corner(b, core.middle);
        b->r[0] = b->r[1] = 1;
    }
    b->box = false;
}

/* The smaller radius is a rounding, which is not stretched. */
static void set_tapered(truth_body *b, const cd_tapered_capsule *t) {
    real ra = (real)t->radius_a, rb = (real)t->radius_b, least = fminl(ra, rb);
    set_balls(b, t->a, 0, t->b, 0);
    b->r[0] = ra - least;
    b->r[1] = rb - least;
    b->radius += least;
}

static void set_convex(truth_body *b, const cd_shape *s) {
    real n[3];
    b->radius = (real)s->radius;
    switch (s->type) {
    case CD_SHAPE_POINT: add_vec(b, s->u.point); break;
    case CD_SHAPE_SEGMENT: add_vec(b, s->u.segment.a), add_vec(b, s->u.segment.b); break;
    case CD_SHAPE_TRIANGLE:
        add_vec(b, s->u.triangle.a), add_vec(b, s->u.triangle.b), add_vec(b, s->u.triangle.c);
        break;
    case CD_SHAPE_POLYGON:
        for (uint32_t i = 0; i < s->count; ++i) add_vec(b, s->u.points[i]);
        break;
    case CD_SHAPE_TETRAHEDRON:
        add_vec(b, s->u.tetrahedron.a), add_vec(b, s->u.tetrahedron.b);
        add_vec(b, s->u.tetrahedron.c), add_vec(b, s->u.tetrahedron.d);
        break;
    case CD_SHAPE_DISC:
        vec(s->u.disc.normal, n);
        set_discs(b, s->u.disc.center, s->u.disc.radius, s->u.disc.center, s->u.disc.radius, n);
        break;
    case CD_SHAPE_SPHERE: add_vec(b, s->u.sphere.center), b->radius += (real)s->u.sphere.radius; break;
    case CD_SHAPE_CAPSULE:
        add_vec(b, s->u.capsule.a), add_vec(b, s->u.capsule.b);
        b->radius += (real)s->u.capsule.radius;
        break;
    case CD_SHAPE_TAPERED_CAPSULE: set_tapered(b, &s->u.tapered); break;
    case CD_SHAPE_AABB: set_aabb(b, &s->u.aabb); break;
    case CD_SHAPE_OBB:
        set_axes(b, s->u.obb.center, &s->u.obb.axes, s->u.obb.half);
        set_box(b, b->middle, b->half);
        break;
    case CD_SHAPE_CYLINDER:
        set_between(b, s->u.cylinder.a, s->u.cylinder.radius, s->u.cylinder.b, s->u.cylinder.radius);
        break;
    case CD_SHAPE_CONE: set_between(b, s->u.cone.apex, 0, s->u.cone.base, s->u.cone.radius); break;
    case CD_SHAPE_ELLIPSOID:
        set_balls(b, s->u.ellipsoid.center, 1, s->u.ellipsoid.center, 1);
        set_axes(b, s->u.ellipsoid.center, &s->u.ellipsoid.axes, s->u.ellipsoid.half);
        break;
    case CD_SHAPE_LOZENGE: set_lozenge(b, &s->u.lozenge); break;
    case CD_SHAPE_KDOP: set_kdop(b, s->u.kdop.dop, s->u.kdop.set); break;
    case CD_SHAPE_HULL: set_hull(b, s->u.hull); break;
    case CD_SHAPE_SUPPORT: set_support(b, &s->u.support); break;
    default: CHECK(!"a convex shape"); break;
    }
}

static void map_halfspace(any_piece *p, const frame *f) {
    real c[3][3], col[3][3], n[3], det, size;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) col[k][i] = f->map[i][k];
    for (int k = 0; k < 3; ++k) cross(col[(k + 1) % 3], col[(k + 2) % 3], c[k]);
    det = dot(col[0], c[0]);
    for (int i = 0; i < 3; ++i) n[i] = (c[0][i] * p->n[0] + c[1][i] * p->n[1] + c[2][i] * p->n[2]) / det;
    size = length(n);
    for (int i = 0; i < 3; ++i) p->n[i] = n[i] / size;
    p->d = p->d / size + dot(p->n, f->by) + p->body.radius;
    p->body.radius = 0;
}

static void map_point(const frame *f, real p[3]) {
    real q[3];
    for (int i = 0; i < 3; ++i) q[i] = dot(f->map[i], p) + f->by[i];
    set(p, q);
}

static void map_piece(any_piece *p, const frame *f) {
    truth_body *b = &p->body;
    b->radius = b->radius * f->factor + f->radius;
    if (p->halfspace) {
        map_halfspace(p, f);
        return;
    }
    for (int i = 0; i < b->count; ++i) map_point(f, b->corner[i]);
    for (int k = 0; k < 3; ++k) {
        real h[3];
        for (int i = 0; i < 3; ++i) h[i] = dot(f->map[i], b->half[k]);
        set(b->half[k], h);
    }
}

/* The ball around the middle of the corners. */
static void bound_piece(any_piece *p) {
    const truth_body *b = &p->body;
    real around = 0, d[3];
    memset(p->center, 0, sizeof p->center);
    p->reach = 0;
    if (p->halfspace) return;
    for (int i = 0; i < b->count; ++i) add(p->center, b->corner[i], 1 / (real)b->count);
    if (b->kind == TRUTH_BALLS) {
        for (int k = 0; k < 3; ++k) around += length(b->half[k]);
        around *= fmaxl(b->r[0], b->r[1]);
    }
    for (int i = 0; i < b->count; ++i) {
        sub(b->corner[i], p->center, d);
        p->reach = fmaxl(p->reach, length(d));
    }
    p->reach += around + b->radius;
}

/* ---- opening shapes ---- */

enum { MESHES = 64 };
static struct {
    const cd_bvh *tree;
    cd_mesh_view mesh;
} known[MESHES];
static int known_count;

void any_know_mesh(const cd_bvh *tree, const cd_mesh_view *mesh) {
    for (int i = 0; i < known_count; ++i)
        if (known[i].tree == tree) {
            known[i].mesh = *mesh;
            return;
        }
    if (!CHECK(known_count < MESHES)) return;
    known[known_count].tree = tree;
    known[known_count++].mesh = *mesh;
}

void any_forget_meshes(void) {
    known_count = 0;
}

static any_piece *open_piece(any_body *out, const cd_shape *s, const frame *f) {
    any_piece *p = add_piece(out);
    p->part.user = s->user;
    p->part.material = s->material;
    p->part.offset = s->offset + f->offset;
    p->layers = s->layers | f->layers;
    p->turned = f->turned;
    p->far = length(f->by);
    return p;
}

static void close_piece(any_body *out, any_piece *p, const frame *f) {
    if (f->factor == 0 && p->body.radius != 0) out->unsupported = true;
    map_piece(p, f);
    bound_piece(p);
}

static void open_triangle(any_body *out, const cd_shape *s, const frame *f, const cd_triangle *t,
                          uint32_t index) {
    any_piece *p = open_piece(out, s, f);
    add_vec(&p->body, t->a), add_vec(&p->body, t->b), add_vec(&p->body, t->c);
    p->body.radius = (real)s->radius;
    p->part.index = index;
    p->cell = s->type == CD_SHAPE_HEIGHTS && cd_heights_material(s->u.mesh.tree, index) == 0;
    if (s->type == CD_SHAPE_HEIGHTS && !p->cell)
        p->part.material = cd_heights_material(s->u.mesh.tree, index);
    else if (s->type == CD_SHAPE_MESH && s->u.mesh.materials)
        p->part.material = s->u.mesh.materials[index];
    close_piece(out, p, f);
}

static void open_mesh(any_body *out, const cd_shape *s, const frame *f) {
    for (int i = 0; i < known_count; ++i)
        if (known[i].tree == s->u.mesh.tree) {
            const cd_mesh_view *m = &known[i].mesh;
            for (uint32_t k = 0; k < m->triangle_count; ++k) {
                cd_triangle t;
                if (cd_mesh_triangle(m, k, &t)) open_triangle(out, s, f, &t, k);
            }
            return;
        }
    CHECK(cd_bvh_count(s->u.mesh.tree) == 0 && "a mesh that is known");
}

static void open_heights(any_body *out, const cd_shape *s, const frame *f) {
    cd_height_info info = cd_heights_get_info(s->u.mesh.tree);
    for (uint32_t k = 0; k < 2 * info.cells; ++k) {
        cd_triangle t;
        if (cd_heights_triangle(s->u.mesh.tree, k, &t)) open_triangle(out, s, f, &t, k);
    }
}

static void open_shape(any_body *out, const cd_shape *s, const frame *f, uint32_t ignore);

/* Each shape of these keeps what is said of it; the child's number is added. */
static void open_compound(any_body *out, const cd_shape *s, const frame *f, uint32_t ignore) {
    for (uint32_t i = 0; i < s->u.compound->count; ++i) {
        const cd_placed_shape *c = &s->u.compound->children[i];
        frame g = posed(f, &c->pose);
        int first = out->count;
        open_shape(out, c->shape, &g, ignore);
        for (int k = first; k < out->count; ++k) out->piece[k].part.child = i;
    }
}

typedef struct emitting {
    any_body *out;
    const cd_shape *shape;
    const frame *f;
} emitting;

static bool emit_part(void *context, const cd_shape *part, const cd_transform *pose, uint32_t index) {
    emitting *e = (emitting *)context;
    frame g = posed(e->f, pose);
    int first = e->out->count;
    open_shape(e->out, part, &g, 0);
    for (int k = first; k < e->out->count; ++k) {
        cd_part *p = &e->out->piece[k].part;
        p->index = index;
        p->user = e->shape->user;
        if (p->material == 0) p->material = e->shape->material;
    }
    return true;
}

static void open_class(any_body *out, const cd_shape *s, const frame *f) {
    emitting e;
    cd_aabb all;
    e.out = out;
    e.shape = s;
    e.f = f;
    all.min = cd_vec3_make(-CD_REAL_MAX, -CD_REAL_MAX, -CD_REAL_MAX);
    all.max = cd_vec3_make(CD_REAL_MAX, CD_REAL_MAX, CD_REAL_MAX);
    s->u.custom.table->parts(s->u.custom.object, all, emit_part, &e);
}

/* Compounds and classes are stretched with all that they are made of, the roundings too; what they have themselves their parts have. */
static frame stretched_whole(const frame *f, const cd_shape *s) {
    frame g = stretched(f, s->scale);
    real x = fabsl((real)s->scale.x), y = fabsl((real)s->scale.y), z = fabsl((real)s->scale.z);
    if (x != 0) g.factor = x == y && y == z ? g.factor * x : 0;
    g.radius += (real)s->radius * f->factor;
    g.offset += s->offset;
    g.layers |= s->layers;
    return g;
}

static void open_shape(any_body *out, const cd_shape *s, const frame *f, uint32_t ignore) {
    frame g = stretched(f, s->scale), whole = stretched_whole(f, s);
    any_piece *p;
    if ((s->layers | f->layers) & ignore) return;
    switch (s->type) {
    case CD_SHAPE_MESH: open_mesh(out, s, &g); return;
    case CD_SHAPE_HEIGHTS: open_heights(out, s, &g); return;
    case CD_SHAPE_COMPOUND: open_compound(out, s, &whole, ignore); return;
    case CD_SHAPE_CLASS: open_class(out, s, &whole); return;
    default: break;
    }
    p = open_piece(out, s, &g);
    if (s->type == CD_SHAPE_HALFSPACE) {
        p->halfspace = true;
        vec(s->u.halfspace.n, p->n);
        p->d = (real)s->u.halfspace.d;
        p->body.radius = (real)s->radius;
        p->summed = s->radius != 0;
    } else {
        set_convex(&p->body, s);
        p->rough = s->type == CD_SHAPE_OBB || s->type == CD_SHAPE_POLYGON;
        p->summed = s->radius != 0 && p->body.radius != (real)s->radius;
    }
    close_piece(out, p, &g);
}

any_body any_open(const cd_shape *s, uint32_t ignore) {
    any_body b;
    memset(&b, 0, sizeof b);
    open_shape(&b, s, &own_frame, ignore);
    return b;
}

void any_place(any_body *b, real turn[3][3], const real by[3]) {
    frame f = own_frame;
    memcpy(f.map, turn, sizeof f.map);
    set(f.by, by);
    for (int i = 0; i < b->count; ++i) {
        any_piece *p = &b->piece[i];
        if (p->halfspace) {
            apply(f.map, p->n, p->n);
            p->d += dot(p->n, by);
            continue;
        }
        map_piece(p, &f);
        bound_piece(p);
    }
}

void any_pose(any_body *b, const cd_transform *pose) {
    frame f;
    if (!pose) return;
    f = posed(&own_frame, pose);
    any_place(b, f.map, f.by);
}

void any_copy(any_body *out, const any_body *b) {
    if (out->room < b->count) {
        out->room = b->count;
        out->piece = (any_piece *)realloc(out->piece, (size_t)out->room * sizeof *out->piece);
        if (!out->piece) abort();
    }
    out->count = b->count;
    out->unsupported = b->unsupported;
    for (int i = 0; i < b->count; ++i) out->piece[i] = b->piece[i];
}

void any_close(any_body *b) {
    free(b->piece);
    memset(b, 0, sizeof *b);
}

/* ---- how far cores are apart: a walk along simplexes of B - A ---- */

typedef struct tip {
    real w[3], a[3], b[3];
} tip;

enum { TIPS = 12 };

typedef struct walk {
    const truth_body *a, *b;
    real by[3], size; /* no b - a is longer than the size */
    tip tip[TIPS];
    real weight[4];
    int count;
    real v[3]; /* nearest to the origin of the simplex */
} walk;

static real tip_along(const walk *k, const real n[3], tip *out) {
    real back[3];
    negate(n, back);
    truth_farthest(k->a, n, out->a);
    add(out->a, k->by, 1);
    truth_farthest(k->b, back, out->b);
    sub(out->b, out->a, out->w);
    return dot(out->w, n);
}

/* Weights, none below 0, of the point of a subset's plane that is nearest to the origin; false where there are none. */
static bool solve_subset(const walk *k, const int *at, int count, real weight[4]) {
    real q[4][3], mu[4][4], c[4], sum = 0;
    const real *w0 = k->tip[at[0]].w;
    for (int i = 1; i < count; ++i) {
        real e[3], full;
        sub(k->tip[at[i]].w, w0, e);
        full = dot(e, e);
        for (int j = 1; j < i; ++j) {
            mu[i][j] = dot(e, q[j]) / dot(q[j], q[j]);
            add(e, q[j], -mu[i][j]);
        }
        if (!(dot(e, e) > full * LDBL_EPSILON * LDBL_EPSILON * 1e6L)) return false;
        set(q[i], e);
        c[i] = -dot(w0, e) / dot(e, e);
    }
    for (int i = count - 1; i > 0; --i) {
        weight[i] = c[i];
        for (int j = i + 1; j < count; ++j) weight[i] -= mu[j][i] * weight[j];
        if (weight[i] < 0) return false;
        sum += weight[i];
    }
    weight[0] = 1 - sum;
    return weight[0] >= 0;
}

static int bits(int mask) {
    int n = 0;
    for (; mask; mask &= mask - 1) ++n;
    return n;
}

/* The best of all subsets; leaves that. */
static void shrink(walk *k) {
    int best[4], best_count = 0;
    real best_weight[4], least = UNBOUNDED;
    tip kept[4];
    for (int count = 1; count <= 4; ++count)
        for (int mask = 1; mask < 1 << k->count; ++mask) {
            int at[4], n = 0;
            real weight[4], v[3] = {0, 0, 0}, vv;
            if (bits(mask) != count) continue;
            for (int i = 0; i < k->count; ++i)
                if (mask >> i & 1) at[n++] = i;
            if (!solve_subset(k, at, n, weight)) continue;
            for (int i = 0; i < n; ++i) add(v, k->tip[at[i]].w, weight[i]);
            vv = dot(v, v);
            if (vv >= least) continue;
            least = vv;
            best_count = n;
            set(k->v, v);
            memcpy(best, at, sizeof at);
            memcpy(best_weight, weight, sizeof weight);
        }
    for (int i = 0; i < best_count; ++i) kept[i] = k->tip[best[i]];
    for (int i = 0; i < best_count; ++i) {
        k->tip[i] = kept[i];
        k->weight[i] = best_weight[i];
    }
    k->count = best_count;
}

static void mix(const walk *k, any_gap *out) {
    memset(out->a, 0, sizeof out->a);
    memset(out->b, 0, sizeof out->b);
    for (int i = 0; i < k->count; ++i) {
        add(out->a, k->tip[i].a, k->weight[i]);
        add(out->b, k->tip[i].b, k->weight[i]);
    }
}

static void walk_on(walk *k, any_gap *out) {
    tip next;
    for (int round = 0; round < 400; ++round) {
        real n[3], x, before = length(k->v);
        if (k->count == 4 || before <= tiny * k->size) {
            out->meet = true;
            out->upper = 0;
            break;
        }
        set(n, k->v);
        make_unit(n);
        x = tip_along(k, n, &next);
        if (x > out->lower) {
            out->lower = x;
            set(out->normal, n);
        }
        if (before - out->lower <= tiny * k->size) break;
        k->tip[k->count++] = next;
        shrink(k);
        out->upper = length(k->v);
        if (out->upper >= before) break;
    }
}

static real size_of(const truth_body *a) {
    real most = 0, around = 0;
    for (int k = 0; k < 3 && a->kind == TRUTH_BALLS; ++k) around += length(a->half[k]);
    for (int i = 0; i < a->count; ++i) most = fmaxl(most, length(a->corner[i]));
    return 2 * (most + around * fmaxl(a->r[0], a->r[1]));
}

/* The best direction of all, by a search over them. */
static void search_on(const walk *k, any_gap *out) {
    static truth_pair pair;
    frame f = own_frame;
    truth t;
    set(f.by, k->by);
    pair.a = *k->a;
    pair.b = *k->b;
    for (int i = 0; i < pair.a.count; ++i) map_point(&f, pair.a.corner[i]);
    pair.a.radius = pair.b.radius = 0;
    truth_open_bodies(&pair);
    t = truth_by_search(&pair, out->normal, 3000);
    if (t.lower <= out->lower) return;
    out->lower = t.lower;
    set(out->normal, t.normal);
}

/* The points nearest to each other of those that are farthest along the best direction and such as lie around it: what is curved is
 * flat there, to the square of how far they lie around. */
static void look_around(walk *k, any_gap *out) {
    real u[3] = {0, 0, 0}, v[3], n[3];
    int least = 0;
    for (int i = 1; i < 3; ++i)
        if (fabsl(out->normal[i]) < fabsl(out->normal[least])) least = i;
    u[least] = 1;
    set(v, k->v); /* rather where the nearest so far is off the normal */
    add(v, out->normal, -dot(v, out->normal));
    if (dot(v, v) > 0) set(u, v);
    cross(out->normal, u, v);
    make_unit(v);
    cross(out->normal, v, u);
    make_unit(u);
    tip_along(k, out->normal, &k->tip[k->count++]);
    for (int i = 0; k->count < TIPS; ++i) {
        real far = (i & 1 ? -1 : 1) * (i < 4 ? 1e-6L : 1e-4L);
        set(n, out->normal);
        add(n, i & 2 ? v : u, far);
        tip_along(k, n, &k->tip[k->count++]);
    }
    shrink(k);
    out->upper = fminl(out->upper, length(k->v));
}

/* Where the walk ends with rounding before its direction is found, as it does where two touch. Those that touch along more than a point, or within
 * one plane, may have no best direction that could be found: they count as meeting, and it is left to who asks for a depth. */
static void sharpen(walk *k, any_gap *out) {
    const real few = 1e-13L * k->size;
    if (out->meet || out->upper - out->lower <= few) return;
    search_on(k, out);
    for (int round = 0; round < 8 && out->upper - out->lower > few; ++round) {
        look_around(k, out);
        walk_on(k, out);
    }
    if (out->meet || out->upper > few || out->upper - out->lower <= few) return;
    out->meet = true;
    out->upper = 0;
}

/* Of cores. */
static any_gap core_gap(const truth_body *a, const truth_body *b, const real *by) {
    walk k;
    any_gap out;
    real n[3] = {1, 0, 0};
    memset(&out, 0, sizeof out);
    k.a = a;
    k.b = b;
    memset(k.by, 0, sizeof k.by);
    if (by) set(k.by, by);
    k.size = size_of(a) + size_of(b) + length(k.by);
    k.count = 1;
    out.lower = tip_along(&k, n, &k.tip[0]);
    set(out.normal, n);
    shrink(&k);
    out.upper = length(k.v);
    walk_on(&k, &out);
    sharpen(&k, &out);
    mix(&k, &out);
    return out;
}

static void round_gap(any_gap *g, real radius_a, real radius_b) {
    g->lower -= radius_a + radius_b;
    g->upper -= radius_a + radius_b;
    if (g->meet) return;
    add(g->a, g->normal, radius_a);
    add(g->b, g->normal, -radius_b);
}

/* Of what a half-space leaves: the body's least point along its normal. `sign` 1: the half-space is A. */
static any_gap halfspace_gap(const any_piece *h, const any_piece *b, real sign, const real *by) {
    any_gap g;
    real back[3], p[3], d = h->d, x;
    memset(&g, 0, sizeof g);
    negate(h->n, back);
    if (by) d += sign * dot(h->n, by);
    truth_farthest(&b->body, back, p);
    add(p, h->n, -b->body.radius);
    x = dot(h->n, p) - d;
    g.lower = x - tiny * (fabsl(d) + fabsl(x));
    g.upper = x + tiny * (fabsl(d) + fabsl(x));
    for (int k = 0; k < 3; ++k) {
        g.normal[k] = sign * h->n[k];
        g.a[k] = sign > 0 ? p[k] - x * h->n[k] : p[k];
        g.b[k] = sign > 0 ? p[k] : p[k] - x * h->n[k];
        if (by && sign < 0) {
            g.a[k] += by[k];
            g.b[k] += by[k];
        }
    }
    return g;
}

/* Two that face each other are as far apart as their planes; others overlap without end. */
static any_gap halfspaces_gap(const any_piece *a, const any_piece *b) {
    any_gap g;
    real sum[3];
    memset(&g, 0, sizeof g);
    set(sum, a->n);
    add(sum, b->n, 1);
    g.meet = length(sum) > 1e-12L;
    g.lower = g.upper = g.meet ? -UNBOUNDED : -(a->d + b->d);
    set(g.normal, a->n);
    return g;
}

any_gap any_near_pieces(const any_piece *a, const any_piece *b, const real *by) {
    any_gap g;
    if (a->halfspace && b->halfspace) return halfspaces_gap(a, b);
    if (a->halfspace) return halfspace_gap(a, b, 1, by);
    if (b->halfspace) return halfspace_gap(b, a, -1, by);
    g = core_gap(&a->body, &b->body, by);
    round_gap(&g, a->body.radius, b->body.radius);
    return g;
}

/* No pair of points is nearer; also below 0. */
static real balls_apart(const any_piece *a, const any_piece *b, const real *by) {
    real d[3];
    if (a->halfspace || b->halfspace) return -UNBOUNDED;
    sub(b->center, a->center, d);
    if (by) add(d, by, -1);
    return length(d) - a->reach - b->reach;
}

any_gap any_near(const any_body *a, const any_body *b, const real *by) {
    any_gap best;
    memset(&best, 0, sizeof best);
    best.lower = best.upper = UNBOUNDED;
    for (int i = 0; i < a->count; ++i)
        for (int j = 0; j < b->count; ++j) {
            any_gap g;
            real lower = best.lower;
            if (balls_apart(&a->piece[i], &b->piece[j], by) >= best.lower) continue;
            g = any_near_pieces(&a->piece[i], &b->piece[j], by);
            if (g.upper < best.upper) {
                best = g;
                best.i = i;
                best.j = j;
            }
            best.lower = fminl(lower, g.lower);
            if (best.meet && best.upper <= 0) return best;
        }
    return best;
}

/* ---- depths ---- */

static void pair_of(truth_pair *p, const any_piece *a, const any_piece *b) {
    p->a = a->body;
    p->b = b->body;
    truth_open_bodies(p);
}

/* Along the normal of a half-space only. */
static real along_halfspace(const any_piece *a, const any_piece *b, const real u[3]) {
    const any_piece *h = a->halfspace ? a : b;
    any_gap g = any_near_pieces(a, b, NULL);
    real d[3];
    set(d, u);
    add(d, h->n, a->halfspace ? -1 : 1);
    return length(d) < 1e-5L ? g.lower : -UNBOUNDED;
}

real any_along(const any_piece *a, const any_piece *b, const real n[3]) {
    real u[3], back[3], p[3], q[3];
    set(u, n);
    if (!make_unit(u)) return -UNBOUNDED;
    if (a->halfspace || b->halfspace) return along_halfspace(a, b, u);
    negate(u, back);
    truth_farthest(&a->body, u, p);
    truth_farthest(&b->body, back, q);
    return dot(u, q) - dot(u, p) - a->body.radius - b->body.radius;
}

int any_against(const any_piece *a, const any_piece *b, real limit, const real *seed) {
    static truth_pair pair;
    any_gap g;
    truth t;
    if (balls_apart(a, b, NULL) >= limit) return 1;
    if (seed && any_along(a, b, seed) >= limit) return 1;
    g = any_near_pieces(a, b, NULL);
    if (g.lower >= limit) return 1;
    if (!g.meet) return g.upper <= limit ? -1 : 0;
    if (g.upper <= limit || (a->halfspace && b->halfspace)) return -1; /* by their roundings alone */
    pair_of(&pair, a, b);
    t = truth_about(&pair, g.normal, 3000, limit);
    return t.lower >= limit ? 1 : t.upper <= limit ? -1 : 0;
}

truth any_pair_distance(const any_piece *a, const any_piece *b) {
    static truth_pair pair;
    any_gap g = any_near_pieces(a, b, NULL);
    truth t;
    t.lower = g.lower;
    t.upper = g.upper;
    set(t.normal, g.normal);
    if (!g.meet || (a->halfspace && b->halfspace)) return t;
    pair_of(&pair, a, b);
    if (pair.a.kind == TRUTH_POINTS && pair.b.kind == TRUTH_POINTS && pair.a.count + pair.b.count <= 16)
        return truth_by_features(&pair);
    return truth_by_search(&pair, NULL, 6000);
}

truth any_distance(const any_body *a, const any_body *b) {
    truth best;
    memset(&best, 0, sizeof best);
    best.lower = best.upper = UNBOUNDED;
    for (int i = 0; i < a->count; ++i)
        for (int j = 0; j < b->count; ++j) {
            const any_piece *p = &a->piece[i], *q = &b->piece[j];
            truth t;
            real lower = best.lower;
            if (balls_apart(p, q, NULL) >= best.upper) continue;
            if (best.upper < 0 && any_against(p, q, best.upper, best.normal) > 0) continue;
            t = any_pair_distance(p, q);
            if (t.upper < best.upper) best = t;
            best.lower = fminl(t.lower, lower);
        }
    return best;
}

/* ---- points ---- */

void any_set_point(any_piece *out, const real p[3]) {
    memset(out, 0, offsetof(any_piece, body) + offsetof(truth_body, corner));
    memset(out->body.middle, 0, sizeof *out - offsetof(any_piece, body) - offsetof(truth_body, middle));
    add_corner(&out->body, p);
    bound_piece(out);
}

static real off_piece(const any_piece *b, const real p[3]) {
    static any_piece at;
    any_set_point(&at, p);
    return fmaxl(any_near_pieces(&at, b, NULL).lower, 0);
}

real any_off(const any_body *b, const real p[3]) {
    real least = UNBOUNDED;
    for (int i = 0; i < b->count && least > 0; ++i) {
        const any_piece *q = &b->piece[i];
        real d[3];
        sub(p, q->center, d);
        if (!q->halfspace && length(d) - q->reach >= least) continue;
        least = fminl(least, off_piece(q, p));
    }
    return least;
}

/* Close by an edge the hill is a ridge, all but level, which no step of a few ways follows. A point beyond is nearest to the side that is met
 * first: its normal is better, or there is no better one near. */
static real follow(const any_piece *b, const any_piece *at, real n[3], real best, real enough) {
    static any_piece beyond;
    for (int round = 0; round < 40 && best < -enough; ++round) {
        any_gap g;
        real p[3], x;
        set(p, at->center);
        add(p, n, -2 * best);
        any_set_point(&beyond, p);
        g = any_near_pieces(b, &beyond, NULL);
        if (g.meet) break;
        x = any_along(b, at, g.normal);
        if (!(x > best)) break;
        best = x;
        set(n, g.normal);
    }
    return best;
}

/* Uphill from a direction: one along which the point is as little below the body's farthest as near it there is. Leaves how far it is. */
static real climb(const any_piece *b, const any_piece *at, const real from[3], real enough) {
    static const real way[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};
    real n[3], best, step = 0.25L;
    set(n, from);
    make_unit(n);
    best = any_along(b, at, n);
    for (int round = 0; round < 400 && step > 1e-11L && best < -enough; ++round) {
        real u[3] = {0, 0, 0}, v[3], found[3];
        bool better = false;
        u[fabsl(n[0]) < 0.6L ? 0 : 1] = 1;
        cross(n, u, v);
        make_unit(v);
        cross(v, n, u);
        for (int k = 0; k < 8; ++k) {
            real d[3], x;
            set(d, n);
            add(d, u, step * way[k][0]);
            add(d, v, step * way[k][1]);
            make_unit(d);
            x = any_along(b, at, d);
            if (!(x > best)) continue;
            best = x;
            set(found, d);
            better = true;
        }
        if (better)
            set(n, found);
        else
            step *= 0.5L;
    }
    return fabsl(follow(b, at, n, best, enough));
}

real any_off_surface(const any_piece *b, const real p[3], const real *seed) {
    static any_piece at;
    real least = UNBOUNDED, enough = tiny * (b->reach + length(p));
    real good = 1e-13L * b->reach + 2 * (real)CD_REAL_EPSILON * (b->reach + length(p)); /* rounded points */
    truth t;
    any_gap g;
    any_set_point(&at, p);
    if (b->halfspace) {
        real x = dot(b->n, p) - b->d;
        return fabsl(x);
    }
    g = any_near_pieces(b, &at, NULL);
    if (!g.meet && g.upper >= 0) return fmaxl(g.lower, 0);
    if (seed) least = climb(b, &at, seed, enough);
    if (least > good && !g.meet) least = fminl(least, climb(b, &at, g.normal, enough));
    if (least > good) {
        t = any_pair_distance(b, &at);
        least = fminl(least, fminl(fabsl(t.upper), climb(b, &at, t.normal, enough)));
    }
    return least;
}

void any_shrink(any_piece *p, real share) {
    truth_body *b = &p->body;
    for (int i = 0; i < b->count; ++i) {
        real d[3];
        sub(p->center, b->corner[i], d);
        add(b->corner[i], d, share);
    }
    for (int k = 0; k < 2; ++k) b->r[k] *= 1 - share;
    b->radius *= 1 - share;
}

/* ---- the first contact ---- */

static real closing(const any_gap *g, const real motion[3]) {
    return dot(g->normal, motion);
}

/* Goes on by what each direction that parts them is worth. */
static any_contact first_of_pieces(const any_piece *a, const real motion[3], const any_piece *b, real near,
                                   real until) {
    any_contact c;
    real size = length(motion);
    memset(&c, 0, sizeof c);
    for (int round = 0; round < 200; ++round) {
        real by[3] = {0, 0, 0}, few, speed, step;
        add(by, motion, c.t);
        c.gap = any_near_pieces(a, b, by);
        few = tiny * 64 *
              (a->reach + b->reach + length(a->center) + length(b->center) + length(by) + fabsl(b->d));
        c.hit = true;
        speed = closing(&c.gap, motion);
        if (c.gap.upper <= near + few) { /* what only touches at the start, and leaves, may do so no more */
            c.sure = c.t > 0 || speed > 0 || c.gap.upper <= near - few;
            return c;
        }
        if (!(speed > 1e-16L * size)) {
            c.hit = false;
            return c;
        }
        step = (c.gap.lower - near) / speed;
        if (step <= 0 || c.t + step == c.t) return c;
        c.t += step;
        if (c.t > until) {
            c.hit = false;
            return c;
        }
    }
    return c;
}

any_contact any_first(const any_body *a, const real motion[3], const any_body *b, real near, real until) {
    any_contact best;
    memset(&best, 0, sizeof best);
    for (int i = 0; i < a->count; ++i)
        for (int j = 0; j < b->count; ++j) {
            any_contact c =
                first_of_pieces(&a->piece[i], motion, &b->piece[j], near, best.hit ? best.t : until);
            if (!c.hit || (best.hit && c.t >= best.t)) continue;
            best = c;
            best.gap.i = i;
            best.gap.j = j;
        }
    return best;
}
