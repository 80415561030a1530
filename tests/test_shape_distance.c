/* The distance of any two shapes, against all pairs of their parts, which are listed here from what the shapes were made of: bodies by
 * functions that do scales and poses in double. */
#include "parts.h"

#include "gen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef COLLIDE_DOUBLE
#define PRECISION 1e-11
#else
#define PRECISION 1e-5
#endif

enum { MOST_PARTS = 420, MOST_POINTS = 24, CHILDREN = 5 };

/* ---- parts, as they should be ---- */

/* x -> by2 (pose (by1 core, rounded by `inner`)), rounded by `outer`. Half-spaces have a plane n.x <= d instead. */
typedef struct ref_part {
    cd_support core;
    double by1[3], inner, by2[3], outer;
    cd_transform pose;
    bool flat;
    double n[3], d;
    cd_part part;
    uint32_t layers;
} ref_part;

/* A part of B, where it is in A's frame. */
typedef struct ref_body {
    const ref_part *part;
    const cd_transform *at;
} ref_body;

static void turned(const cd_transform *t, const double v[3], bool back, double out[3]) {
    double q[4] = {(double)t->rotation.x, (double)t->rotation.y, (double)t->rotation.z,
                   (double)t->rotation.w};
    double s = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], w[3], x[3];
    if (s == 0.0) {
        memcpy(out, v, 3 * sizeof *out);
        return;
    }
    if (back) q[3] = -q[3];
    w[0] = q[1] * v[2] - q[2] * v[1];
    w[1] = q[2] * v[0] - q[0] * v[2];
    w[2] = q[0] * v[1] - q[1] * v[0];
    for (int k = 0; k < 3; ++k) w[k] = 2.0 * w[k] / s;
    x[0] = q[1] * w[2] - q[2] * w[1];
    x[1] = q[2] * w[0] - q[0] * w[2];
    x[2] = q[0] * w[1] - q[1] * w[0];
    for (int k = 0; k < 3; ++k) out[k] = v[k] + q[3] * w[k] + x[k];
}

static void add_position(const cd_transform *t, double p[3]) {
    p[0] += (double)t->position.x;
    p[1] += (double)t->position.y;
    p[2] += (double)t->position.z;
}

static void add_radius(double p[3], const double dir[3], double radius) {
    double length = sqrt(dir[0] * dir[0] + dir[1] * dir[1] + dir[2] * dir[2]);
    for (int k = 0; k < 3; ++k) p[k] += radius * dir[k] / length;
}

static uint32_t ref_farthest(const void *user, cd_vec3 dir, uint32_t hint, cd_vec3 *out) {
    const ref_body *b = (const ref_body *)user;
    const ref_part *r = b->part;
    double d[3] = {(double)dir.x, (double)dir.y, (double)dir.z}, d1[3], d2[3], p[3];
    cd_vec3 v;
    (void)hint;
    memcpy(d2, d, sizeof d);
    if (b->at) turned(b->at, d, true, d2);
    for (int k = 0; k < 3; ++k) d1[k] = d2[k] * r->by2[k];
    turned(&r->pose, d1, true, d1);
    v = cd_support_farthest(&r->core, cd_vec3_make((cd_real)(d1[0] * r->by1[0]), (cd_real)(d1[1] * r->by1[1]),
                                                   (cd_real)(d1[2] * r->by1[2])));
    p[0] = (double)v.x * r->by1[0];
    p[1] = (double)v.y * r->by1[1];
    p[2] = (double)v.z * r->by1[2];
    if (r->inner > 0.0) add_radius(p, d1, r->inner);
    turned(&r->pose, p, false, p);
    add_position(&r->pose, p);
    for (int k = 0; k < 3; ++k) p[k] *= r->by2[k];
    if (r->outer > 0.0) add_radius(p, d2, r->outer);
    if (b->at) {
        turned(b->at, p, false, p);
        add_position(b->at, p);
    }
    *out = cd_vec3_make((cd_real)p[0], (cd_real)p[1], (cd_real)p[2]);
    return CD_NONE;
}

static cd_support ref_support(const ref_body *b) {
    cd_vec3 p, q;
    ref_farthest(b, cd_vec3_make(1, 0, 0), CD_NONE, &p);
    ref_farthest(b, cd_vec3_make(-1, 0, 0), CD_NONE, &q);
    return cd_support_of_function(ref_farthest, b,
                                  cd_vec3_make((p.x + q.x) / 2, (p.y + q.y) / 2, (p.z + q.z) / 2), 0);
}

/* The plane where the part is. */
static void ref_plane(const ref_body *b, double n[3], double *d) {
    const ref_part *r = b->part;
    double m[3] = {r->n[0] / r->by1[0], r->n[1] / r->by1[1], r->n[2] / r->by1[2]};
    *d = r->d + r->inner * sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
    turned(&r->pose, m, false, m);
    *d += m[0] * (double)r->pose.position.x + m[1] * (double)r->pose.position.y +
          m[2] * (double)r->pose.position.z;
    for (int k = 0; k < 3; ++k) m[k] /= r->by2[k];
    *d += r->outer * sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
    memcpy(n, m, sizeof m);
    if (!b->at) return;
    turned(b->at, m, false, n);
    *d += n[0] * (double)b->at->position.x + n[1] * (double)b->at->position.y +
          n[2] * (double)b->at->position.z;
}

/* The distance of two parts; NaN where there is none. */
static double ref_distance(const ref_part *a, const ref_part *b, const cd_transform *at, double *gap) {
    ref_body x, y;
    double n[3], m[3], d, e, length, along, least;
    cd_support sa, sb;
    cd_separation s;
    cd_vec3 p;
    x.part = a;
    x.at = NULL;
    y.part = b;
    y.at = at;
    *gap = 0.0;
    if (!a->flat && !b->flat) {
        sa = ref_support(&x);
        sb = ref_support(&y);
        s = cd_convex_distance(&sa, &sb, NULL, NULL, NULL);
        *gap = (double)s.gap;
        return s.status == CD_OK || s.status == CD_NOT_CONVERGED ? (double)s.distance : NAN;
    }
    ref_plane(a->flat ? &x : &y, n, &d);
    length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (a->flat && b->flat) {
        ref_plane(&y, m, &e);
        along = sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
        for (int k = 0; k < 3; ++k)
            if (fabs(n[k] / length + m[k] / along) > PRECISION) return NAN;
        return -e / along - d / length;
    }
    ref_farthest(a->flat ? &y : &x, cd_vec3_make((cd_real)-n[0], (cd_real)-n[1], (cd_real)-n[2]), CD_NONE,
                 &p);
    least = n[0] * (double)p.x + n[1] * (double)p.y + n[2] * (double)p.z - d;
    return least / length;
}

/* ---- shapes of every type ---- */

typedef struct thing {
    cd_shape shape, plain; /* plain: before it was scaled */
    cd_vec3 points[MOST_POINTS];
    cd_hull hull;
    cd_kdop dop;
    cd_kdop_set set;
    cd_bvh tree;
    gen_mesh mesh;
    cd_vec3 *places; /* of a field */
    uint32_t *indices, *numbers;
    uint32_t materials[MOST_PARTS], masks[MOST_PARTS];
    cd_shape pieces[4]; /* of a class */
    cd_transform poses[4];
    struct thing *children; /* of a compound */
    cd_placed_shape placed[CHILDREN];
    cd_compound compound;
    ref_part *parts;
    int count;
    double extent;
} thing;

static double positive(test_rng *rng) {
    return test_range(rng, 0.2, 1.0);
}

static cd_vec3 draw_point(test_rng *rng) {
    double x = test_range(rng, -1, 1), y = test_range(rng, -1, 1), z = test_range(rng, -1, 1);
    return cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
}

static cd_transform draw_pose(test_rng *rng, double distance) {
    cd_transform t = gen_pose(rng, distance);
    return t;
}

static ref_part *add_part(thing *t, const cd_support *core) {
    ref_part *r = &t->parts[t->count];
    if (!CHECK(t->count < MOST_PARTS)) abort();
    ++t->count;
    memset(r, 0, sizeof *r);
    if (core) r->core = *core;
    for (int k = 0; k < 3; ++k) r->by1[k] = r->by2[k] = 1.0;
    r->part.child = CD_NONE;
    r->part.user = t->shape.user;
    r->part.material = t->shape.material;
    r->part.offset = t->shape.offset;
    r->layers = t->shape.layers;
    return r;
}

static void add_plane(thing *t, const cd_plane *h) {
    ref_part *r = add_part(t, NULL);
    r->flat = true;
    r->n[0] = (double)h->n.x;
    r->n[1] = (double)h->n.y;
    r->n[2] = (double)h->n.z;
    r->d = (double)h->d;
}

/* Points on a circle that is turned. */
static void draw_polygon(test_rng *rng, thing *t, int count) {
    cd_transform pose = draw_pose(rng, 0.5);
    for (int i = 0; i < count; ++i) {
        double angle = 6.283185307179586 * i / count;
        t->points[i] = cd_transform_point(&pose, cd_vec3_make((cd_real)cos(angle), (cd_real)sin(angle), 0));
    }
}

static uint32_t corner_farthest(const void *user, cd_vec3 dir, uint32_t hint, cd_vec3 *out) {
    cd_support s = cd_support_of_points((const cd_vec3 *)user, 6);
    (void)hint;
    *out = cd_support_farthest(&s, dir);
    return CD_NONE;
}

static cd_obb draw_obb(test_rng *rng) {
    cd_obb b;
    cd_transform pose = draw_pose(rng, 0.5);
    b.center = pose.position;
    b.axes = cd_quat_to_mat3(pose.rotation);
    b.half.x = (cd_real)positive(rng);
    b.half.y = (cd_real)positive(rng);
    b.half.z = (cd_real)positive(rng);
    return b;
}

static void make_convex(thing *t, test_rng *rng, uint32_t type) {
    cd_real r = (cd_real)(0.5 * positive(rng));
    cd_vec3 p[8];
    cd_obb box = draw_obb(rng);
    for (int i = 0; i < 8; ++i) p[i] = draw_point(rng);
    for (int i = 0; i < MOST_POINTS; ++i) t->points[i] = draw_point(rng);
    if (type == CD_SHAPE_POINT) t->shape = cd_shape_of_point(p[0]);
    if (type == CD_SHAPE_SEGMENT) t->shape = cd_shape_of_segment((const cd_segment *)(const void *)p);
    if (type == CD_SHAPE_TRIANGLE) t->shape = cd_shape_of_triangle((const cd_triangle *)(const void *)p);
    if (type == CD_SHAPE_TETRAHEDRON)
        t->shape = cd_shape_of_tetrahedron((const cd_tetrahedron *)(const void *)p);
    if (type == CD_SHAPE_POLYGON) {
        draw_polygon(rng, t, 6);
        t->shape = cd_shape_of_polygon(t->points, 6);
    }
    if (type == CD_SHAPE_DISC) {
        cd_disc d;
        d.center = p[0];
        d.normal = p[1];
        d.radius = r;
        t->shape = cd_shape_of_disc(&d);
    }
    if (type == CD_SHAPE_SPHERE) {
        cd_sphere s;
        s.center = p[0];
        s.radius = r;
        t->shape = cd_shape_of_sphere(s);
    }
    if (type == CD_SHAPE_CAPSULE || type == CD_SHAPE_CYLINDER || type == CD_SHAPE_CONE) {
        cd_capsule c;
        c.a = p[0];
        c.b = p[1];
        c.radius = r;
        if (type == CD_SHAPE_CAPSULE) t->shape = cd_shape_of_capsule(&c);
        if (type == CD_SHAPE_CYLINDER) t->shape = cd_shape_of_cylinder((const cd_cylinder *)(const void *)&c);
        if (type == CD_SHAPE_CONE) t->shape = cd_shape_of_cone((const cd_cone *)(const void *)&c);
    }
    if (type == CD_SHAPE_TAPERED_CAPSULE) {
        cd_tapered_capsule c;
        memset(&c, 0, sizeof c);
        c.a = p[0];
        c.b = p[1];
        c.radius_a = r;
        c.radius_b = r / 3;
        t->shape = cd_shape_of_tapered_capsule(&c);
    }
    if (type == CD_SHAPE_AABB) {
        cd_aabb b;
        b.min = cd_vec3_min(p[0], p[1]);
        b.max = cd_vec3_max(p[0], p[1]);
        t->shape = cd_shape_of_aabb(b);
    }
    if (type == CD_SHAPE_OBB) t->shape = cd_shape_of_obb(&box);
    if (type == CD_SHAPE_ELLIPSOID)
        t->shape = cd_shape_of_ellipsoid((const cd_ellipsoid *)(const void *)&box);
    if (type == CD_SHAPE_LOZENGE) {
        cd_lozenge l;
        l.a = p[0];
        l.edge[0] = box.axes.col[0];
        l.edge[1] = box.axes.col[1];
        l.radius = r;
        t->shape = cd_shape_of_lozenge(&l);
    }
    if (type == CD_SHAPE_KDOP) {
        t->set = cd_kdop_set_standard(14);
        CHECK_INT(cd_kdop_from_points(p, 8, &t->set, &t->dop), CD_OK);
        t->shape = cd_shape_of_kdop(&t->dop, &t->set);
    }
    if (type == CD_SHAPE_HULL) {
        CHECK_INT(cd_hull3_build(&t->hull, t->points, 20, NULL), CD_OK);
        t->shape = cd_shape_of_hull(&t->hull);
    }
    if (type == CD_SHAPE_SUPPORT) {
        cd_support s = cd_support_of_function(corner_farthest, t->points, t->points[0], 0);
        t->shape = cd_shape_of_support(&s);
    }
}

/* ---- surfaces ---- */

static void list_triangle(thing *t, const cd_vec3 *corners, uint32_t index, uint32_t material,
                          uint32_t mask) {
    cd_support core = cd_support_of_points(corners, 3);
    ref_part *r = add_part(t, &core);
    r->part.index = index;
    r->part.material = material;
    r->layers |= mask;
}

static void make_mesh(thing *t, test_rng *rng) {
    cd_bvh_options o;
    cd_mesh_view view;
    int what = test_int(rng, 0, 3);
    memset(&o, 0, sizeof o);
    t->mesh = what == 0 ? gen_mesh_ball(2, 0.1, rng) : gen_mesh_soup(what == 1 ? 3 : 40, 0.5, GEN_UNIT, rng);
    for (uint32_t i = 0; i < t->mesh.triangle_count; ++i) {
        t->materials[i] = i + 10;
        t->masks[i] = 1u << (4 + i % 4);
    }
    o.layout = (uint32_t)test_int(rng, 0, 3);
    o.flags = test_int(rng, 0, 1) ? CD_BVH_INDEXED : 0;
    o.leaf_size = (uint32_t)test_int(rng, 0, 8);
    o.masks = test_int(rng, 0, 1) ? t->masks : NULL;
    view = gen_mesh_view(&t->mesh);
    CHECK_INT(cd_bvh_build_mesh(&t->tree, &view, &o), CD_OK);
    t->shape = cd_shape_of_mesh(&t->tree, test_int(rng, 0, 1) ? t->materials : NULL);
    t->shape.material = 3;
    for (uint32_t i = 0; i < t->mesh.triangle_count; ++i) {
        cd_vec3 *corner = t->places + 3 * i;
        cd_triangle d = gen_mesh_triangle(&t->mesh, i);
        memcpy(corner, &d, sizeof d);
        list_triangle(t, corner, i, t->shape.u.mesh.materials ? t->materials[i] : 3,
                      o.masks ? t->masks[i] : 0);
    }
}

static void make_heights(thing *t, test_rng *rng) {
    cd_height_view v;
    uint8_t samples[42], materials[30];
    uint32_t count;
    cd_vec3 places[42];
    bool with = test_int(rng, 0, 1) != 0;
    memset(&v, 0, sizeof v);
    for (int i = 0; i < 42; ++i) samples[i] = (uint8_t)test_int(rng, 0, 255);
    for (int i = 0; i < 30; ++i)
        materials[i] = test_int(rng, 0, 5) ? (uint8_t)test_int(rng, 0, 9) : (uint8_t)CD_HEIGHT_HOLE;
    for (int i = 0; i < 256; ++i) t->masks[i] = 1u << (4 + i % 4);
    v.samples = samples;
    v.format = CD_HEIGHT_U8;
    v.columns = 7;
    v.rows = 6;
    v.up = (uint32_t)test_int(rng, 0, 2);
    v.cut = (uint32_t)test_int(rng, 0, 3);
    v.materials = with ? materials : NULL;
    v.material_masks = with ? t->masks : NULL;
    v.origin = draw_point(rng);
    v.spacing[0] = v.spacing[1] = (cd_real)0.375;
    v.scale = (cd_real)(1.0 / 256);
    CHECK_INT(cd_bvh_build_heights(&t->tree, &v, NULL), CD_OK);
    t->shape = cd_shape_of_heights(&t->tree);
    t->shape.material = 77;
    count = cd_heights_mesh(&t->tree, places, t->indices, t->numbers);
    for (uint32_t i = 0; i < count; ++i) {
        cd_vec3 *corner = t->places + 3 * i;
        uint32_t number = t->numbers[i], material = with ? materials[number / 2] : 77;
        for (int k = 0; k < 3; ++k) corner[k] = places[t->indices[3 * i + (uint32_t)k]];
        list_triangle(t, corner, number, material, with ? t->masks[material] : 0);
    }
}

/* ---- classes ---- */

static cd_aabb pieces_bounds(void *object) {
    const thing *t = (const thing *)object;
    cd_aabb box = cd_aabb_empty();
    for (uint32_t i = 0; i < 4; ++i)
        box = cd_merge_aabb_aabb(box, cd_shape_aabb(&t->pieces[i], i % 2 ? &t->poses[i] : NULL));
    return box;
}

static bool pieces_parts(void *object, cd_aabb box, cd_emit_part_fn emit, void *context) {
    thing *t = (thing *)object;
    (void)box; /* more than asked for is right as well */
    for (uint32_t i = 0; i < 4; ++i)
        if (!emit(context, &t->pieces[i], i % 2 ? &t->poses[i] : NULL, i + 5)) return false;
    return true;
}

static const cd_shape_class pieces_class = {pieces_bounds, pieces_parts, NULL};

static void make_class(thing *t, test_rng *rng) {
    static const uint32_t types[4] = {CD_SHAPE_OBB, CD_SHAPE_SEGMENT, CD_SHAPE_TETRAHEDRON,
                                      CD_SHAPE_TRIANGLE};
    t->shape = cd_shape_of_class(&pieces_class, t);
    t->shape.material = 8;
    for (int i = 0; i < 4; ++i) {
        thing one;
        ref_part *r;
        cd_support core;
        memset(&one, 0, sizeof one);
        make_convex(&one, rng, types[i]);
        t->pieces[i] = one.shape;
        t->pieces[i].material = (uint32_t)i;
        t->pieces[i].layers = 1u << (4 + i);
        t->poses[i] = draw_pose(rng, 1.0);
        core = cd_shape_as_support(&t->pieces[i]);
        r = add_part(t, &core);
        if (i % 2) r->pose = t->poses[i];
        r->part.index = (uint32_t)i + 5;
        r->part.material = i ? (uint32_t)i : 8;
        r->layers |= t->pieces[i].layers;
    }
}

/* ---- compounds ---- */

static void make_thing(thing *t, test_rng *rng, uint32_t type, bool scaled);

static cd_transform after(const cd_transform *a, const cd_transform *b) {
    return cd_transform_mul(a, b);
}

/* The scales of the child's parts are within their frames, or none: classes are not scaled in compounds here. */
static void list_child(thing *t, uint32_t number) {
    const thing *c = &t->children[number];
    for (int i = 0; i < c->count; ++i) {
        ref_part *r = add_part(t, NULL);
        *r = c->parts[i];
        r->pose = after(&t->placed[number].pose, &r->pose);
        r->part.child = number;
    }
}

/* `types`: what the children may be; NULL: anything. */
static void make_compound(thing *t, test_rng *rng, const uint32_t *types, int type_count) {
    bool flat = test_int(rng, 0, 3) == 0;
    t->children = (thing *)calloc(CHILDREN, sizeof *t->children);
    if (!t->children) abort();
    for (uint32_t i = 0; i < CHILDREN; ++i) {
        uint32_t type = (uint32_t)test_int(rng, 1, CD_SHAPE_CLASS);
        if (type == CD_SHAPE_COMPOUND || (type == CD_SHAPE_HALFSPACE && !flat)) type = CD_SHAPE_OBB;
        if (types) type = types[test_int(rng, 0, type_count - 1)];
        make_thing(&t->children[i], rng, type, !types && type != CD_SHAPE_CLASS);
        t->children[i].shape.user = 100 + i;
        t->placed[i].shape = &t->children[i].shape;
        t->placed[i].pose = draw_pose(rng, 2.0);
    }
    if (test_int(rng, 0, 1)) {
        CHECK_INT(ASK("judge", cd_compound_build(&t->compound, t->placed, CHILDREN, NULL)), CD_OK);
    } else {
        t->compound = ASK("judge", cd_compound_of(t->placed, CHILDREN));
    }
    t->shape = cd_shape_of_compound(&t->compound);
    for (uint32_t i = 0; i < CHILDREN; ++i) {
        for (int k = 0; k < t->children[i].count; ++k) t->children[i].parts[k].part.user = 100 + i;
        list_child(t, i);
    }
}

/* ---- scales ---- */

static bool is_flat_cornered(uint32_t type) {
    return type == CD_SHAPE_SEGMENT || type == CD_SHAPE_TRIANGLE || type == CD_SHAPE_TETRAHEDRON ||
           type == CD_SHAPE_POLYGON || type == CD_SHAPE_AABB || type == CD_SHAPE_OBB ||
           type == CD_SHAPE_MESH || type == CD_SHAPE_HEIGHTS || type == CD_SHAPE_HULL ||
           type == CD_SHAPE_HALFSPACE;
}

static void scale_thing(thing *t, test_rng *rng) {
    uint32_t type = t->shape.type;
    bool even = !is_flat_cornered(type) || test_int(rng, 0, 1);
    double s[3] = {test_range(rng, 0.4, 1.8), test_range(rng, 0.4, 1.8), test_range(rng, 0.4, 1.8)};
    cd_vec3 by;
    cd_shape scaled;
    if (test_int(rng, 0, 2) == 0) s[1] = -s[1];
    if (even) s[1] = s[2] = s[0];
    by = cd_vec3_make((cd_real)s[0], (cd_real)s[1], (cd_real)s[2]);
    if (!CHECK_INT(ASK("judge", cd_shape_scaled(&t->shape, by, &scaled)), CD_OK)) return;
    t->shape = scaled;
    for (int i = 0; i < t->count; ++i) {
        double *to = type == CD_SHAPE_COMPOUND || type == CD_SHAPE_CLASS ? t->parts[i].by2 : t->parts[i].by1;
        to[0] *= (double)by.x;
        to[1] *= (double)by.y;
        to[2] *= (double)by.z;
    }
}

static void round_thing(thing *t, test_rng *rng) {
    cd_real radius = (cd_real)test_range(rng, 0.0, 0.3);
    bool whole = t->shape.type == CD_SHAPE_COMPOUND || t->shape.type == CD_SHAPE_CLASS;
    t->shape.radius += radius;
    for (int i = 0; i < t->count; ++i) {
        if (whole) {
            t->parts[i].outer += (double)radius;
        } else {
            t->parts[i].inner += (double)radius;
        }
    }
}

static void thing_begin(thing *t) {
    memset(t, 0, sizeof *t);
    t->parts = (ref_part *)calloc(MOST_PARTS, sizeof *t->parts);
    t->places = (cd_vec3 *)calloc(3 * MOST_PARTS, sizeof *t->places);
    t->indices = (uint32_t *)calloc(3 * MOST_PARTS, sizeof *t->indices);
    t->numbers = (uint32_t *)calloc(MOST_PARTS, sizeof *t->numbers);
    if (!t->parts || !t->places || !t->indices || !t->numbers) abort();
}

static void make_thing(thing *t, test_rng *rng, uint32_t type, bool scaled) {
    thing_begin(t);
    if (type < CD_SHAPE_HALFSPACE) {
        cd_support core;
        make_convex(t, rng, type);
        t->plain = t->shape;
        core = cd_shape_as_support(&t->plain);
        add_part(t, &core);
    }
    if (type == CD_SHAPE_HALFSPACE) {
        cd_plane h;
        h.n = draw_point(rng);
        h.d = (cd_real)test_range(rng, -1, 1);
        t->shape = cd_shape_of_halfspace(&h);
        add_plane(t, &h);
    }
    if (type == CD_SHAPE_MESH) make_mesh(t, rng);
    if (type == CD_SHAPE_HEIGHTS) make_heights(t, rng);
    if (type == CD_SHAPE_COMPOUND) make_compound(t, rng, NULL, 0);
    if (type == CD_SHAPE_CLASS) make_class(t, rng);
    if (scaled && type != CD_SHAPE_SUPPORT && test_int(rng, 0, 1)) scale_thing(t, rng);
    if (scaled && test_int(rng, 0, 3) == 0) round_thing(t, rng);
}

static void free_thing(thing *t) {
    for (int i = 0; t->children && i < CHILDREN; ++i) free_thing(&t->children[i]);
    free(t->children);
    cd_compound_destroy(&t->compound);
    cd_hull_destroy(&t->hull);
    cd_bvh_destroy(&t->tree);
    gen_mesh_free(&t->mesh);
    free(t->parts);
    free(t->places);
    free(t->indices);
    free(t->numbers);
}

/* ---- all pairs ---- */

typedef struct answer {
    double distance, gap;
    bool none, unsupported; /* no pair; half-spaces that do not face each other */
} answer;

static answer by_all_pairs(const thing *a, const thing *b, const cd_transform *at, uint32_t ignore_a,
                           uint32_t ignore_b) {
    answer r;
    memset(&r, 0, sizeof r);
    r.none = true;
    for (int i = 0; i < a->count; ++i) {
        for (int k = 0; k < b->count; ++k) {
            double gap, d;
            if ((a->parts[i].layers & ignore_a) || (b->parts[k].layers & ignore_b)) continue;
            d = ref_distance(&a->parts[i], &b->parts[k], at, &gap);
            if (isnan(d)) {
                r.unsupported = true;
                continue;
            }
            r.gap = fmax(r.gap, gap);
            r.distance = r.none ? d : fmin(r.distance, d);
            r.none = false;
        }
    }
    return r;
}

static const ref_part *part_named(const thing *t, const cd_part *p) {
    for (int i = 0; i < t->count; ++i) {
        const cd_part *q = &t->parts[i].part;
        if (q->child == p->child && q->index == p->index) return &t->parts[i];
    }
    return NULL;
}

static double dot3(cd_vec3 a, cd_vec3 b) {
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

static void check_part(const thing *t, const cd_part *p) {
    const ref_part *r = part_named(t, p);
    if (!CHECK(r != NULL)) return;
    CHECK_INT(p->material, r->part.material);
    CHECK_INT(p->user, r->part.user);
}

/* The pair that is named is as far apart as is said, and the points are on it, along the normal. */
static void check_separation(const thing *a, const thing *b, const cd_transform *at, const cd_separation *s,
                             const cd_part_pair *parts, double margin) {
    const ref_part *p = part_named(a, &parts->a), *q = part_named(b, &parts->b);
    double gap, d;
    check_part(a, &parts->a);
    check_part(b, &parts->b);
    if (!p || !q) return;
    d = ref_distance(p, q, at, &gap);
    CHECK_NEAR(s->distance, d, margin + gap);
    CHECK_NEAR(dot3(s->normal, s->normal), 1.0, 1e-5);
    CHECK_NEAR(dot3(cd_vec3_sub(s->b, s->a), s->normal), s->distance, margin);
}

static void note_pair(const thing *a, const thing *b, const cd_transform *at) {
    test_note("%u and %u", (unsigned)a->shape.type, (unsigned)b->shape.type);
    if (at) test_note_reals("at", (const cd_real *)(const void *)at, 7);
}

static double margin_of(const answer *want, const cd_separation *s) {
    return 8.0 * PRECISION + want->gap + (s->gap < 1 ? (double)s->gap : 1.0);
}

static void check_pair(const thing *a, const thing *b, const cd_transform *at) {
    answer want = by_all_pairs(a, b, at, 0, 0);
    cd_part_pair parts;
    cd_separation s = cd_shape_distance(&a->shape, &b->shape, at, NULL, NULL, &parts);
    cd_closest c;
    double margin = margin_of(&want, &s);
    bool meets = cd_shape_test(&a->shape, &b->shape, at, NULL, NULL, NULL);
    note_pair(a, b, at);
    if (want.unsupported) {
        CHECK_INT(s.status, CD_UNSUPPORTED);
        return;
    }
    if (want.none) {
        CHECK_INT(s.status, CD_OK);
        CHECK(s.distance == CD_REAL_MAX);
        CHECK(!meets);
        return;
    }
    if (!CHECK(s.status == CD_OK || s.status == CD_NOT_CONVERGED)) return;
    CHECK_NEAR(s.distance, want.distance, margin);
    check_separation(a, b, at, &s, &parts, margin);
    if (want.distance > margin) CHECK(!meets);
    if (want.distance < -margin) CHECK(meets);
    if (!CHECK(cd_shape_closest(&a->shape, &b->shape, at, NULL, &c, NULL))) return;
    if (s.distance > 0) {
        CHECK_NEAR(sqrt((double)c.sqdist), s.distance, margin);
    } else {
        CHECK(c.sqdist == 0 && c.a.x == c.b.x && c.a.y == c.b.y && c.a.z == c.b.z);
    }
}

static bool is_turn(uint32_t a, uint32_t b, long times) {
    return (a * 25 + b) % 10 < (uint32_t)times;
}

static void every_two_types(void) {
    test_rng rng = test_random();
    for (uint32_t type_a = 1; type_a < CD_SHAPE_TYPES; ++type_a) {
        for (uint32_t type_b = 1; type_b < CD_SHAPE_TYPES; ++type_b) {
            thing a, b;
            cd_transform at;
            if (!is_turn(type_a, type_b, test_times(10))) continue;
            make_thing(&a, &rng, type_a, true);
            make_thing(&b, &rng, type_b, true);
            at = draw_pose(&rng, test_range(&rng, 0.0, 6.0));
            check_pair(&a, &b, test_int(&rng, 0, 4) ? &at : NULL);
            free_thing(&a);
            free_thing(&b);
        }
    }
}

static bool same_part(const cd_part *a, const cd_part *b) {
    return a->child == b->child && a->index == b->index && a->user == b->user && a->material == b->material &&
           a->offset == b->offset;
}

/* ---- parts in a box ---- */

typedef struct part_list {
    cd_part parts[MOST_PARTS];
    uint32_t items[MOST_PARTS];
    cd_aabb boxes[MOST_PARTS];
    int count;
} part_list;

static bool list_part(void *user, const cdi_shape_part *p) {
    part_list *l = (part_list *)user;
    if (!CHECK(l->count < MOST_PARTS)) return false;
    l->parts[l->count] = p->part;
    l->items[l->count] = p->item;
    l->boxes[l->count++] = cdi_shape_part_bounds(p);
    return true;
}

static int count_of(const part_list *l, const cd_part *p) {
    int n = 0;
    for (int i = 0; i < l->count; ++i) n += l->parts[i].child == p->child && l->parts[i].index == p->index;
    return n;
}

static bool boxes_surely_meet(cd_aabb a, cd_aabb b) {
    cd_real room = (cd_real)PRECISION * 10;
    return a.min.x + room < b.max.x && b.min.x + room < a.max.x && a.min.y + room < b.max.y &&
           b.min.y + room < a.max.y && a.min.z + room < b.max.z && b.min.z + room < a.max.z;
}

/* By what the part should be; any box for half-spaces. */
static cd_aabb ref_box(const ref_part *r) {
    cd_aabb box = cd_aabb_empty();
    ref_body b;
    b.part = r;
    b.at = NULL;
    for (int k = 0; k < 6; ++k) {
        cd_real d = k % 2 ? 1 : -1;
        cd_vec3 p;
        ref_farthest(&b, cd_vec3_make(k / 2 == 0 ? d : 0, k / 2 == 1 ? d : 0, k / 2 == 2 ? d : 0), CD_NONE,
                     &p);
        box = cd_aabb_add_point(box, p);
    }
    return box;
}

/* Two triangles by their axes, and as two convex bodies. */
static void triangles_by_axes(void) {
    test_rng rng = test_random();
    long deep = 0;
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, i % 3 ? GEN_UNIT : GEN_GRID);
        cd_triangle a = gen_triangle(&g), b = gen_triangle(&g);
        cd_support sa = cd_support_of_triangle(&a), sb = cd_support_of_triangle(&b);
        cdi_tri p = cdi_tri_of(&a), q = cdi_tri_of(&b);
        cd_separation s;
        double depth;
        if (!cd_test_triangle_triangle(&a, &b)) continue;
        s = cd_convex_distance(&sa, &sb, NULL, NULL, NULL);
        depth = cdi_tri_depth(&p, &q, -1);
        test_note_reals("a", &a.a.x, 9);
        test_note_reals("b", &b.a.x, 9);
        CHECK_NEAR(depth, -(double)s.distance, (double)s.gap + 4 * (double)CD_REAL_EPSILON);
        CHECK(cdi_tri_depth(&p, &q, 0.25) < 0.25 || depth >= 0.25);
        deep += depth > 0.1;
    }
    CHECK_SEEN(deep > 10);
}

/* The part itself, not only its box. */
static bool part_surely_meets(const ref_part *r, cd_aabb box) {
    cd_real room = (cd_real)PRECISION * 10;
    ref_body b;
    cd_support s, o;
    b.part = r;
    b.at = NULL;
    for (int k = 0; k < 3; ++k) {
        REALS(box.min)[k] += room;
        REALS(box.max)[k] -= room;
        if (REALS(box.min)[k] > REALS(box.max)[k]) return false;
    }
    s = ref_support(&b);
    o = cd_support_of_aabb(&box);
    return cd_gjk_test(&s, &o, NULL, NULL);
}

/* What has to be visited. The box is boxed again in a child's frame, which may pass by a part of a child's tree whose box it meets. */
static bool is_surely_in(const thing *t, const ref_part *r, cd_aabb box) {
    return r->flat || (boxes_surely_meet(ref_box(r), box) && (!t->children || part_surely_meets(r, box)));
}

static void check_found(const thing *t, const part_list *l) {
    for (int i = 0; i < l->count; ++i) {
        part_list one;
        one.count = 0;
        CHECK(cdi_parts_find(&t->shape, l->parts[i].child, l->items[i], list_part, &one));
        CHECK(one.count == 1 && same_part(&one.parts[0], &l->parts[i]));
    }
}

static void parts_in_a_box(void) {
    test_rng rng = test_random();
    for (long i = 0; i < test_times(300); ++i) {
        thing t;
        part_list in, again, near;
        cdi_parts_aim aim;
        cd_vec3 p = draw_point(&rng), q = draw_point(&rng);
        cd_aabb box;
        uint32_t ignore = test_int(&rng, 0, 1) ? (uint32_t)test_int(&rng, 0, 15) << 4 : 0;
        box.min = cd_vec3_min(p, q);
        box.max = cd_vec3_max(p, q);
        make_thing(&t, &rng, (uint32_t)test_int(&rng, 1, CD_SHAPE_CLASS), true);
        test_note("%u", (unsigned)t.shape.type);
        memset(&aim, 0, sizeof aim);
        in.count = again.count = near.count = 0;
        CHECK(cdi_parts_in(&t.shape, box, ignore, list_part, &in));
        CHECK(cdi_parts_in(&t.shape, box, ignore, list_part, &again));
        CHECK(cdi_parts_aimed(&t.shape, box, &aim, ignore, list_part, &near));
        CHECK_INT(again.count, in.count);
        CHECK_INT(near.count, in.count);
        for (int k = 0; k < in.count; ++k) {
            CHECK(same_part(&in.parts[k], &again.parts[k]));
            CHECK_INT(count_of(&near, &in.parts[k]), 1);
        }
        for (int k = 0; k < t.count; ++k) {
            const ref_part *r = &t.parts[k];
            int seen = count_of(&in, &r->part);
            bool hidden = (r->layers & ignore) != 0;
            CHECK(seen <= 1);
            if (hidden) CHECK_INT(seen, 0);
            if (!hidden && is_surely_in(&t, r, box)) CHECK_INT(seen, 1);
        }
        check_found(&t, &in);
        free_thing(&t);
    }
}

/* ---- compounds stretched as a whole ---- */

static void make_stretched(thing *t, test_rng *rng, const uint32_t *types, int count) {
    double x = test_range(rng, 0.4, 1.8), y = test_range(rng, -1.8, -0.4), z = test_range(rng, 0.4, 1.8);
    cd_shape scaled;
    thing_begin(t);
    make_compound(t, rng, types, count);
    CHECK_INT(
        ASK("judge", cd_shape_scaled(&t->shape, cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z), &scaled)),
        CD_OK);
    t->shape = scaled;
    for (int i = 0; i < t->count; ++i) {
        t->parts[i].by2[0] = (double)(cd_real)x;
        t->parts[i].by2[1] = (double)(cd_real)y;
        t->parts[i].by2[2] = (double)(cd_real)z;
    }
}

static void children_turned_and_stretched(void) {
    static const uint32_t types[] = {
        CD_SHAPE_POINT,     CD_SHAPE_SEGMENT, CD_SHAPE_TRIANGLE, CD_SHAPE_TETRAHEDRON, CD_SHAPE_SPHERE,
        CD_SHAPE_AABB,      CD_SHAPE_OBB,     CD_SHAPE_DISC,     CD_SHAPE_CYLINDER,    CD_SHAPE_CONE,
        CD_SHAPE_ELLIPSOID, CD_SHAPE_MESH,    CD_SHAPE_HEIGHTS,  CD_SHAPE_HALFSPACE};
    static const uint32_t others[] = {CD_SHAPE_CAPSULE, CD_SHAPE_LOZENGE, CD_SHAPE_HULL, CD_SHAPE_POLYGON,
                                      CD_SHAPE_SUPPORT};
    test_rng rng = test_random();
    for (long i = 0; i < test_times(100); ++i) {
        thing a, b;
        cd_transform at = draw_pose(&rng, test_range(&rng, 0.0, 5.0));
        make_stretched(&a, &rng, types, 14);
        make_thing(&b, &rng, (uint32_t)test_int(&rng, 1, CD_SHAPE_SUPPORT), true);
        check_pair(&a, &b, &at);
        check_pair(&b, &a, &at);
        free_thing(&a);
        make_stretched(&a, &rng, others, 5);
        CHECK_INT(cd_shape_distance(&a.shape, &b.shape, &at, NULL, NULL, NULL).status, CD_UNSUPPORTED);
        free_thing(&a);
        free_thing(&b);
    }
}

/* ---- options ---- */

static void draw_two(thing *a, thing *b, test_rng *rng, cd_transform *at) {
    uint32_t type_a = (uint32_t)test_int(rng, 1, CD_SHAPE_TYPES - 1),
             type_b = (uint32_t)test_int(rng, 1, CD_SHAPE_TYPES - 1);
    if (test_int(rng, 0, 1)) type_a = (uint32_t)test_int(rng, CD_SHAPE_MESH, CD_SHAPE_CLASS);
    if (test_int(rng, 0, 1)) type_b = (uint32_t)test_int(rng, CD_SHAPE_MESH, CD_SHAPE_CLASS);
    if (type_a == CD_SHAPE_HALFSPACE && type_b == type_a) type_b = CD_SHAPE_SPHERE;
    make_thing(a, rng, type_a, true);
    make_thing(b, rng, type_b, true);
    *at = draw_pose(rng, test_range(rng, 0.0, 5.0));
}

static bool same_vec3(cd_vec3 a, cd_vec3 b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

/* To the bit, but for the work. */
static bool same_separation(const cd_separation *a, const cd_separation *b) {
    if (a->status != CD_OK && a->status != CD_NOT_CONVERGED) return a->status == b->status;
    return a->status == b->status && a->distance == b->distance && a->gap == b->gap &&
           same_vec3(a->normal, b->normal) && same_vec3(a->a, b->a) && same_vec3(a->b, b->b) &&
           a->feature_a == b->feature_a && a->feature_b == b->feature_b;
}

static void nothing_beyond_the_most(void) {
    test_rng rng = test_random();
    for (long i = 0; i < test_times(400); ++i) {
        thing a, b;
        cd_transform at;
        cd_shape_options o;
        cd_part_pair parts, got;
        cd_separation s, t;
        cd_closest c;
        draw_two(&a, &b, &rng, &at);
        note_pair(&a, &b, &at);
        memset(&o, 0, sizeof o);
        s = cd_shape_distance(&a.shape, &b.shape, &at, NULL, NULL, &parts);
        if (s.status == CD_OK && s.distance > 0 && s.distance < CD_REAL_MAX) {
            o.max_distance = s.distance * 2;
            t = cd_shape_distance(&a.shape, &b.shape, &at, &o, NULL, &got);
            CHECK(same_separation(&s, &t) && same_part(&parts.a, &got.a) && same_part(&parts.b, &got.b));
            o.max_distance = s.distance / 2;
            t = cd_shape_distance(&a.shape, &b.shape, &at, &o, NULL, &got);
            CHECK_INT(t.status, CD_OK);
            CHECK(t.distance == o.max_distance && dot3(t.normal, t.normal) == 0.0);
            CHECK(got.a.child == CD_NONE && got.b.index == CD_NONE);
            CHECK(!cd_shape_closest(&a.shape, &b.shape, &at, &o, &c, NULL));
            memset(&o, 0, sizeof o);
            o.distance = s.distance * (cd_real)1.01;
            CHECK(cd_shape_test(&a.shape, &b.shape, &at, &o, NULL, NULL));
            o.distance = s.distance * (cd_real)0.99;
            CHECK(!cd_shape_test(&a.shape, &b.shape, &at, &o, NULL, NULL));
        }
        memset(&o, 0, sizeof o);
        o.distance = -CD_REAL_EPSILON; /* whatever they do */
        CHECK(!cd_shape_test(&a.shape, &b.shape, &at, &o, NULL, NULL));
        free_thing(&a);
        free_thing(&b);
    }
}

/* Passes what it was told, and counts. */
typedef struct watcher {
    uint32_t allowed;
    long asked;
} watcher;

static bool is_allowed(void *user, const cd_part *a, const cd_part *b) {
    watcher *w = (watcher *)user;
    ++w->asked;
    return ((a->index + b->index) & w->allowed) == 0;
}

static answer by_allowed_pairs(const thing *a, const thing *b, const cd_transform *at, uint32_t allowed) {
    answer r;
    memset(&r, 0, sizeof r);
    r.none = true;
    for (int i = 0; i < a->count; ++i) {
        for (int k = 0; k < b->count; ++k) {
            double gap, d;
            if ((a->parts[i].part.index + b->parts[k].part.index) & allowed) continue;
            d = ref_distance(&a->parts[i], &b->parts[k], at, &gap);
            r.unsupported = r.unsupported || isnan(d);
            r.gap = fmax(r.gap, gap);
            r.distance = r.none ? d : fmin(r.distance, d);
            r.none = false;
        }
    }
    return r;
}

static void masks_and_filters(void) {
    test_rng rng = test_random();
    for (long i = 0; i < test_times(100); ++i) {
        thing a, b;
        cd_transform at;
        cd_shape_options o;
        cd_separation s;
        cd_part_pair parts;
        answer want;
        watcher w = {1, 0};
        bool by_mask = test_int(&rng, 0, 1) != 0, meets;
        draw_two(&a, &b, &rng, &at);
        note_pair(&a, &b, &at);
        memset(&o, 0, sizeof o);
        o.ignore_a = by_mask ? (uint32_t)test_int(&rng, 0, 15) << 4 : 0;
        o.ignore_b = by_mask ? (uint32_t)test_int(&rng, 0, 15) << 4 : 0;
        o.filter = by_mask ? NULL : is_allowed;
        o.user = &w;
        s = cd_shape_distance(&a.shape, &b.shape, &at, &o, NULL, &parts);
        meets = cd_shape_test(&a.shape, &b.shape, &at, &o, NULL, NULL);
        want = by_mask ? by_all_pairs(&a, &b, &at, o.ignore_a, o.ignore_b) : by_allowed_pairs(&a, &b, &at, 1);
        if (want.unsupported) {
            CHECK_INT(s.status, CD_UNSUPPORTED);
        } else if (want.none) {
            CHECK(s.status == CD_OK && s.distance == CD_REAL_MAX && !meets);
        } else {
            double margin = margin_of(&want, &s);
            CHECK_NEAR(s.distance, want.distance, margin);
            check_separation(&a, &b, &at, &s, &parts, margin);
            if (fabs(want.distance) > margin) CHECK_INT(meets, want.distance < 0);
        }
        free_thing(&a);
        free_thing(&b);
    }
}

/* ---- caches, batches ---- */

static void any_cache_and_batches(void) {
    test_rng rng = test_random();
    for (long i = 0; i < test_times(200); ++i) {
        thing a, b;
        cd_transform at;
        cd_shape_pair pair;
        cd_cache cache;
        cd_separation s, t;
        cd_part_pair parts, got;
        bool meets, met;
        draw_two(&a, &b, &rng, &at);
        note_pair(&a, &b, &at);
        pair.a = &a.shape;
        pair.b = &b.shape;
        pair.b_in_a = test_int(&rng, 0, 3) ? &at : NULL;
        s = cd_shape_distance(pair.a, pair.b, pair.b_in_a, NULL, NULL, &parts);
        meets = cd_shape_test(pair.a, pair.b, pair.b_in_a, NULL, NULL, NULL);
        ASK("loop", cd_shape_distances(&pair, 1, NULL, NULL, &t, &got));
        CHECK(same_separation(&s, &t) && same_part(&parts.a, &got.a) && same_part(&parts.b, &got.b));
        CHECK_INT(ASK("loop", cd_shape_tests(&pair, 1, NULL, NULL, &met)), meets);
        CHECK_INT(met, meets);
        for (int k = 0; k < 8; ++k) cache.words[k] = (uint32_t)(test_next(&rng) >> test_int(&rng, 32, 63));
        if (test_int(&rng, 0, 1)) cache.words[0] = 0x52494150u;
        for (int k = 0; k < 3; ++k) {
            t = cd_shape_distance(pair.a, pair.b, pair.b_in_a, NULL, &cache, &got);
            CHECK_INT(t.status, s.status);
            if (cdi_shape_has_parts(pair.a) || cdi_shape_has_parts(pair.b)) {
                CHECK(same_separation(&s, &t) && same_part(&parts.a, &got.a) && same_part(&parts.b, &got.b));
            } else if (s.status == CD_OK) {
                CHECK_NEAR(t.distance, s.distance, (double)s.gap + (double)t.gap);
            }
            CHECK_INT(cd_shape_test(pair.a, pair.b, pair.b_in_a, NULL, &cache, NULL), meets);
        }
        free_thing(&a);
        free_thing(&b);
    }
}

static bool is_round(const thing *t) {
    uint32_t type = t->shape.type;
    return type == CD_SHAPE_POINT || type == CD_SHAPE_SPHERE || type == CD_SHAPE_SEGMENT ||
           type == CD_SHAPE_CAPSULE;
}

/* Those that may have a closed form. */
static bool may_be_known(const thing *a, const thing *b) {
    bool box_a = a->shape.type == CD_SHAPE_AABB || a->shape.type == CD_SHAPE_OBB;
    bool box_b = b->shape.type == CD_SHAPE_AABB || b->shape.type == CD_SHAPE_OBB;
    return (is_round(a) && (is_round(b) || box_b)) || (is_round(b) && box_a);
}

/* As good as the default; true where features are the same, too. */
static bool check_known(const cd_separation *s, const cd_separation *t) {
    CHECK_INT(s->status, t->status);
    CHECK_NEAR(s->distance, t->distance, (double)s->gap + (double)t->gap);
    CHECK((double)s->gap <= 4 * (double)t->gap + 1e-13);
    CHECK_NEAR(dot3(s->normal, s->normal), 1, PRECISION);
    if (t->distance > (cd_real)0.01) CHECK_NEAR(dot3(s->normal, t->normal), 1, PRECISION);
    CHECK_VEC(cd_vec3_sub(cd_vec3_sub(s->b, s->a), cd_vec3_scale(s->normal, s->distance)),
              cd_vec3_make(0, 0, 0), 10 * PRECISION);
    return s->feature_a == t->feature_a && s->feature_b == t->feature_b;
}

/* Two convex bodies: nothing else than cd_convex_distance and cd_gjk_test, or closed forms that are as good. */
static void convex_ones_as_ever(void) {
    test_rng rng = test_random();
    long known = 0, alike = 0;
    for (long i = 0; i < test_times(2000); ++i) {
        thing a, b;
        cd_transform at;
        cd_support sa, sb;
        cd_separation s, t;
        static const uint32_t types[6] = {CD_SHAPE_POINT,   CD_SHAPE_SEGMENT, CD_SHAPE_SPHERE,
                                          CD_SHAPE_CAPSULE, CD_SHAPE_AABB,    CD_SHAPE_OBB};
        bool any = i % 2 == 0;
        make_thing(&a, &rng,
                   any ? (uint32_t)test_int(&rng, 1, CD_SHAPE_SUPPORT) : types[test_int(&rng, 0, 5)], true);
        make_thing(&b, &rng,
                   any ? (uint32_t)test_int(&rng, 1, CD_SHAPE_SUPPORT) : types[test_int(&rng, 0, 5)], true);
        at = draw_pose(&rng, test_range(&rng, 0.0, 3.0));
        note_pair(&a, &b, &at);
        sa = cd_shape_as_support(&a.shape);
        sb = cd_shape_as_support(&b.shape);
        s = cd_shape_distance(&a.shape, &b.shape, &at, NULL, NULL, NULL);
        t = cd_convex_distance(&sa, &sb, &at, NULL, NULL);
        if (may_be_known(&a, &b)) {
            ++known;
            alike += check_known(&s, &t);
        } else {
            CHECK(same_separation(&s, &t));
        }
        if (a.shape.type != CD_SHAPE_TRIANGLE || b.shape.type != CD_SHAPE_TRIANGLE)
            CHECK_INT(cd_shape_test(&a.shape, &b.shape, &at, NULL, NULL, NULL),
                      cd_gjk_test(&sa, &sb, &at, NULL));
        free_thing(&a);
        free_thing(&b);
    }
    CHECK_SEEN(known > 50 && alike > known - known / 8);
}

/* ---- trees of any layout ---- */

static void build_as(cd_bvh *tree, const gen_mesh *m, uint32_t layout, uint32_t leaf) {
    cd_bvh_options o;
    cd_mesh_view view = gen_mesh_view(m);
    memset(&o, 0, sizeof o);
    o.layout = layout & 3u;
    o.flags = layout & 4u ? CD_BVH_INDEXED : 0;
    o.leaf_size = leaf;
    CHECK_INT(cd_bvh_build_mesh(tree, &view, &o), CD_OK);
}

static void every_layout_alike(void) {
    test_rng rng = test_random();
    for (long i = 0; i < test_times(20); ++i) {
        gen_mesh m = gen_mesh_ball(test_int(&rng, 2, 4), 0.2, &rng);
        thing b;
        cd_transform at = draw_pose(&rng, test_range(&rng, 0.0, 3.0));
        cd_separation first;
        cd_part_pair parts;
        make_thing(&b, &rng, (uint32_t)test_int(&rng, 1, CD_SHAPE_CLASS), true);
        for (uint32_t layout = 0; layout < 8; ++layout) {
            cd_bvh tree;
            cd_shape a;
            cd_separation s;
            cd_part_pair got;
            build_as(&tree, &m, layout, 1 + layout);
            a = cd_shape_of_mesh(&tree, NULL);
            note_pair(&b, &b, &at);
            s = cd_shape_distance(&a, &b.shape, &at, NULL, NULL, &got);
            if (layout == 0) {
                first = s;
                parts = got;
            }
            CHECK(same_separation(&first, &s) && same_part(&parts.a, &got.a) && same_part(&parts.b, &got.b));
            cd_bvh_destroy(&tree);
        }
        gen_mesh_free(&m);
        free_thing(&b);
    }
}

/* ---- two surfaces ---- */

/* Apart as cd_bvh_closest_bvh has it, meeting as cd_bvh_test_bvh. */
static void meshes_as_their_trees(void) {
    test_rng rng = test_random();
    for (long i = 0; i < test_times(100); ++i) {
        gen_mesh m = gen_mesh_ball(test_int(&rng, 2, 4), 0.2, &rng),
                 n = gen_mesh_soup(100, 0.3, GEN_UNIT, &rng);
        cd_transform at = draw_pose(&rng, test_range(&rng, 0.0, 3.0));
        cd_bvh ta, tb;
        cd_shape a, b;
        cd_closest c;
        cd_separation s;
        bool meets;
        build_as(&ta, &m, (uint32_t)test_int(&rng, 0, 7), 4);
        build_as(&tb, &n, (uint32_t)test_int(&rng, 0, 7), 4);
        a = cd_shape_of_mesh(&ta, NULL);
        b = cd_shape_of_mesh(&tb, NULL);
        meets = cd_bvh_test_bvh(&ta, &tb, &at, NULL, NULL);
        CHECK(cd_bvh_closest_bvh(&ta, &tb, &at, CD_REAL_MAX, NULL, &c));
        s = cd_shape_distance(&a, &b, &at, NULL, NULL, NULL);
        CHECK_INT(cd_shape_test(&a, &b, &at, NULL, NULL, NULL), meets);
        if (meets) {
            CHECK(s.distance <= (cd_real)PRECISION);
        } else {
            CHECK_NEAR(s.distance, sqrt((double)c.sqdist), PRECISION);
        }
        cd_bvh_destroy(&ta);
        cd_bvh_destroy(&tb);
        gen_mesh_free(&m);
        gen_mesh_free(&n);
    }
}

/* ---- what can be asked ---- */

static void can_is_what_is(void) {
    test_rng rng = test_random();
    CHECK_INT(ASK("judge", cd_shape_can(CD_SHAPE_CALLS, 1, 1)), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("judge", cd_shape_can(CD_CALL_DISTANCE, 0, 1)), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("judge", cd_shape_can(CD_CALL_DISTANCE, 1, CD_SHAPE_TYPES)), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("judge", cd_shape_can(CD_CALL_AABB, 1, CD_SHAPE_TYPES)), CD_OK);
    for (uint32_t type = 1; type < CD_SHAPE_TYPES; ++type) {
        thing a;
        cd_vec3 far;
        cd_mass mass;
        make_thing(&a, &rng, type, false);
        test_note("%u", (unsigned)type);
        if (type < CD_SHAPE_COMPOUND) {
            CHECK_INT(cd_shape_support(&a.shape, cd_vec3_make(1, 2, 3), &far),
                      cd_shape_can(CD_CALL_SUPPORT, type, 0) == CD_OK);
            CHECK_INT(cd_shape_mass(&a.shape, 1.0, &mass) == CD_UNSUPPORTED,
                      cd_shape_can(CD_CALL_MASS, type, 0) == CD_UNSUPPORTED);
        }
        CHECK_INT(ASK("judge", cd_shape_can(CD_CALL_AABB, type, 0)), CD_OK);
        CHECK_INT(ASK("judge", cd_shape_can(CD_CALL_CAST_RAY, type, 0)), CD_OK);
        CHECK(!cd_aabb_is_empty(cd_shape_aabb(&a.shape, NULL)));
        free_thing(&a);
    }
    for (uint32_t type_a = 1; type_a < CD_SHAPE_TYPES; ++type_a) {
        for (uint32_t type_b = 1; type_b < CD_SHAPE_TYPES; ++type_b) {
            thing a, b;
            cd_separation s;
            if (!is_turn(type_a, type_b, test_times(10))) continue;
            make_thing(&a, &rng, type_a, false);
            make_thing(&b, &rng, type_b, false);
            note_pair(&a, &b, NULL);
            s = cd_shape_distance(&a.shape, &b.shape, NULL, NULL, NULL, NULL);
            if (s.status == CD_UNSUPPORTED) {
                bool parts = type_a == CD_SHAPE_COMPOUND || type_b == CD_SHAPE_COMPOUND;
                CHECK(parts ||
                      ASK("judge", cd_shape_can(CD_CALL_DISTANCE, type_a, type_b)) == CD_UNSUPPORTED);
            } else {
                CHECK_INT(ASK("judge", cd_shape_can(CD_CALL_DISTANCE, type_a, type_b)), CD_OK);
                CHECK_INT(ASK("judge", cd_shape_can(CD_CALL_CLOSEST, type_a, type_b)), CD_OK);
                CHECK(cd_shape_closest(&a.shape, &b.shape, NULL, NULL, NULL, NULL));
            }
            CHECK_INT(ASK("judge", cd_shape_can(CD_CALL_TEST, type_a, type_b)), CD_OK);
            free_thing(&a);
            free_thing(&b);
        }
    }
}

static void halfspaces_that_face(void) {
    cd_plane p, q;
    cd_shape a, b;
    cd_separation s;
    p.n = cd_vec3_make(0, 0, 2);
    p.d = 2; /* z <= 1 */
    q.n = cd_vec3_make(0, 0, -4);
    q.d = -12; /* z >= 3 */
    a = cd_shape_of_halfspace(&p);
    b = cd_shape_of_halfspace(&q);
    s = cd_shape_distance(&a, &b, NULL, NULL, NULL, NULL);
    CHECK(s.status == CD_OK && s.distance == 2 && s.normal.z == 1 && s.a.z == 1 && s.b.z == 3);
    CHECK(!cd_shape_test(&a, &b, NULL, NULL, NULL, NULL));
    q.d = 4; /* z >= -1 */
    b = cd_shape_of_halfspace(&q);
    s = cd_shape_distance(&a, &b, NULL, NULL, NULL, NULL);
    CHECK(s.status == CD_OK && s.distance == -2);
    CHECK(cd_shape_test(&a, &b, NULL, NULL, NULL, NULL));
    s = cd_shape_distance(&a, &a, NULL, NULL, NULL, NULL);
    CHECK_INT(s.status, CD_UNSUPPORTED);
    CHECK(cd_shape_test(&a, &a, NULL, NULL, NULL, NULL));
}

/* ---- bad ones ---- */

static void nothing_of_nothing(void) {
    cd_bvh tree;
    cd_compound none = cd_compound_of(NULL, 0);
    cd_shape empty, ball, list, bad;
    cd_sphere unit;
    cd_separation s;
    cd_part_pair parts;
    cd_closest c;
    cd_transform at = cd_transform_identity();
    memset(&tree, 0, sizeof tree);
    unit.center = cd_vec3_make(0, 0, 0);
    unit.radius = 1;
    ball = cd_shape_of_sphere(unit);
    empty = cd_shape_of_mesh(&tree, NULL);
    list = cd_shape_of_compound(&none);
    s = cd_shape_distance(&empty, &ball, NULL, NULL, NULL, &parts);
    CHECK(s.status == CD_OK && s.distance == CD_REAL_MAX && parts.a.child == CD_NONE &&
          parts.a.index == CD_NONE);
    s = cd_shape_distance(&ball, &list, NULL, NULL, NULL, &parts);
    CHECK(s.status == CD_OK && s.distance == CD_REAL_MAX);
    CHECK(!cd_shape_test(&list, &empty, NULL, NULL, NULL, NULL));
    CHECK(!cd_shape_closest(&list, &empty, NULL, NULL, &c, NULL));
    memset(&bad, 0, sizeof bad);
    s = cd_shape_distance(&bad, &ball, NULL, NULL, NULL, NULL);
    CHECK(s.status == CD_INVALID_ARGUMENT && s.distance != s.distance);
    s = cd_shape_distance(&ball, NULL, NULL, NULL, NULL, NULL);
    CHECK_INT(s.status, CD_INVALID_ARGUMENT);
    at.position.x = (cd_real)NAN;
    s = cd_shape_distance(&ball, &ball, &at, NULL, NULL, NULL);
    CHECK_INT(s.status, CD_INVALID_ARGUMENT);
    CHECK(!cd_shape_test(&ball, &ball, &at, NULL, NULL, NULL));
}

void suite_shape_distance(void) {
    RUN(every_two_types);
    RUN(parts_in_a_box);
    RUN(triangles_by_axes);
    RUN(children_turned_and_stretched);
    RUN(nothing_beyond_the_most);
    RUN(masks_and_filters);
    RUN(any_cache_and_batches);
    RUN(convex_ones_as_ever);
    RUN(every_layout_alike);
    RUN(meshes_as_their_trees);
    RUN(can_is_what_is);
    RUN(halfspaces_that_face);
    RUN(nothing_of_nothing);
}
