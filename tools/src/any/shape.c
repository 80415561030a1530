#include "any/compound.h"
#include "core/platform.h"
#include "convex/body.h"
#include "core/scalar.h"

static cd_shape cdi_shape_begin(uint32_t type) {
    cd_shape s;
    cdi_clear(&s, sizeof s);
    s.type = type;
    return s;
}

cd_shape cd_shape_of_point(cd_vec3 p) {
    cd_shape r = cdi_shape_begin(CD_SHAPE_POINT);
    r.u.point = p;
    return r;
}

cd_shape cd_shape_of_segment(const cd_segment *s) {
    cd_shape r = cdi_shape_begin(CD_SHAPE_SEGMENT);
    r.u.segment = *s;
    return r;
}

cd_shape cd_shape_of_triangle(const cd_triangle *t) {
    cd_shape r = cdi_shape_begin(CD_SHAPE_TRIANGLE);
    r.u.triangle = *t;
    return r;
}

cd_shape cd_shape_of_tetrahedron(const cd_tetrahedron *t) {
    cd_shape r = cdi_shape_begin(CD_SHAPE_TETRAHEDRON);
    r.u.tetrahedron = *t;
    return r;
}

cd_shape cd_shape_of_disc(const cd_disc *d) {
    cd_shape r = cdi_shape_begin(CD_SHAPE_DISC);
    r.u.disc = *d;
    return r;
}

cd_shape cd_shape_of_sphere(cd_sphere s) {
    cd_shape r = cdi_shape_begin(CD_SHAPE_SPHERE);
    r.u.sphere = s;
    return r;
}

cd_shape cd_shape_of_capsule(const cd_capsule *c) {
    cd_shape r = cdi_shape_begin(CD_SHAPE_CAPSULE);
    r.u.capsule = *c;
    return r;
}

cd_shape cd_shape_of_tapered_capsule(const cd_tapered_capsule *c) {
    cd_shape r = cdi_shape_begin(CD_SHAPE_TAPERED_CAPSULE);
    r.u.tapered = *c;
    return r;
}

cd_shape cd_shape_of_aabb(cd_aabb b) {
    cd_shape r = cdi_shape_begin(CD_SHAPE_AABB);
    r.u.aabb = b;
    return r;
}

cd_shape cd_shape_of_obb(const cd_obb *b) {
    cd_shape r = cdi_shape_begin(CD_SHAPE_OBB);
    r.u.obb = *b;
    return r;
}

cd_shape cd_shape_of_cylinder(const cd_cylinder *c) {
    cd_shape r = cdi_shape_begin(CD_SHAPE_CYLINDER);
    r.u.cylinder = *c;
    return r;
}

cd_shape cd_shape_of_cone(const cd_cone *c) {
    cd_shape r = cdi_shape_begin(CD_SHAPE_CONE);
    r.u.cone = *c;
    return r;
}

cd_shape cd_shape_of_ellipsoid(const cd_ellipsoid *e) {
    cd_shape r = cdi_shape_begin(CD_SHAPE_ELLIPSOID);
    r.u.ellipsoid = *e;
    return r;
}

cd_shape cd_shape_of_lozenge(const cd_lozenge *l) {
    cd_shape r = cdi_shape_begin(CD_SHAPE_LOZENGE);
    r.u.lozenge = *l;
    return r;
}

cd_shape cd_shape_of_hull(const cd_hull *hull) {
    cd_shape r = cdi_shape_begin(CD_SHAPE_HULL);
    r.u.hull = hull;
    return r;
}

cd_shape cd_shape_of_support(const cd_support *s) {
    cd_shape r = cdi_shape_begin(CD_SHAPE_SUPPORT);
    r.u.support = *s;
    return r;
}

cd_shape cd_shape_of_halfspace(const cd_plane *p) {
    cd_shape r = cdi_shape_begin(CD_SHAPE_HALFSPACE);
    r.u.halfspace = *p;
    return r;
}

cd_shape cd_shape_of_compound(const struct cd_compound *compound) {
    cd_shape r = cdi_shape_begin(CD_SHAPE_COMPOUND);
    r.u.compound = compound;
    return r;
}

cd_shape cd_shape_of_polygon(const cd_vec3 *corners, uint32_t count) {
    cd_shape r = cdi_shape_begin(CD_SHAPE_POLYGON);
    r.u.points = corners;
    r.count = count;
    return r;
}

cd_shape cd_shape_of_kdop(const cd_kdop *dop, const cd_kdop_set *set) {
    cd_shape r = cdi_shape_begin(CD_SHAPE_KDOP);
    r.u.kdop.dop = dop;
    r.u.kdop.set = set;
    return r;
}

cd_shape cd_shape_of_mesh(const cd_bvh *tree, const uint32_t *materials) {
    cd_shape r = cdi_shape_begin(CD_SHAPE_MESH);
    r.u.mesh.tree = tree;
    r.u.mesh.materials = materials;
    return r;
}

cd_shape cd_shape_of_heights(const cd_bvh *tree) {
    cd_shape r = cdi_shape_begin(CD_SHAPE_HEIGHTS);
    r.u.mesh.tree = tree;
    return r;
}

cd_shape cd_shape_of_class(const cd_shape_class *table, void *object) {
    cd_shape r = cdi_shape_begin(CD_SHAPE_CLASS);
    r.u.custom.table = table;
    r.u.custom.object = object;
    return r;
}

/* ---- asking what it is ---- */

static const char *const cdi_shape_names[CD_SHAPE_TYPES] = {
    "nothing",  "point",      "segment",   "triangle",        "polygon",  "tetrahedron",
    "disc",     "sphere",     "capsule",   "tapered capsule", "aabb",     "obb",
    "cylinder", "cone",       "ellipsoid", "lozenge",         "k-DOP",    "hull",
    "support",  "half-space", "mesh",      "height field",    "compound", "class"};

CD_API const char *cd_shape_type_name(uint32_t type) {
    return type < CD_SHAPE_TYPES ? cdi_shape_names[type] : "unknown";
}

CD_API bool cd_shape_is_convex(const cd_shape *s) {
    return s && s->type > CD_SHAPE_NOTHING && s->type < CD_SHAPE_HALFSPACE;
}

static bool cdi_scale_is_zero(cd_vec3 s) {
    return s.x == 0 && s.y == 0 && s.z == 0;
}

/* Zero stands for 1, 1, 1. */
static bool cdi_scale_is_valid(cd_vec3 s) {
    return cdi_scale_is_zero(s) || (cd_vec3_is_valid(s) && s.x != 0 && s.y != 0 && s.z != 0);
}

static bool cdi_tree_is_of(const cd_bvh *tree, bool field) {
    if (!tree) return false;
    if (!tree->block) return true; /* an empty one */
    if (field) return cd_bvh_get_layout(tree) == CD_BVH_HEIGHTS;
    return cd_bvh_get_kind(tree) == CD_BVH_TRIANGLES;
}

static bool cdi_halfspace_is_valid(const cd_plane *h) {
    return cd_vec3_is_valid(h->n) && !cdi_scale_is_zero(h->n) && cdi_finite((double)h->d);
}

static bool cdi_class_is_valid(const cd_shape_class *table) {
    return table && table->bounds && table->parts;
}

static bool cdi_compound_is_valid(const cd_compound *c) {
    if (!c || (c->count > 0 && !c->children)) return false;
    for (uint32_t i = 0; i < c->count; ++i) {
        const cd_placed_shape *child = &c->children[i];
        if (!child->shape || child->shape->type == CD_SHAPE_COMPOUND || !cd_shape_is_valid(child->shape) ||
            !cd_transform_is_valid(&child->pose))
            return false;
    }
    return true;
}

CD_API bool cd_shape_is_valid(const cd_shape *s) {
    cd_support body;
    if (!s || !cdi_scale_is_valid(s->scale) || !(s->radius >= 0) || !cdi_finite((double)s->radius) ||
        !cdi_finite((double)s->offset))
        return false;
    switch (s->type) {
    case CD_SHAPE_HALFSPACE: return cdi_halfspace_is_valid(&s->u.halfspace);
    case CD_SHAPE_MESH: return cdi_tree_is_of(s->u.mesh.tree, false);
    case CD_SHAPE_HEIGHTS: return cdi_tree_is_of(s->u.mesh.tree, true);
    case CD_SHAPE_COMPOUND: return cdi_compound_is_valid(s->u.compound);
    case CD_SHAPE_CLASS: return cdi_class_is_valid(s->u.custom.table);
    default: break;
    }
    body = cd_shape_as_support(s);
    return cd_support_is_valid(&body);
}

/* ---- as a support ---- */

static cd_support cdi_support_of_nothing(void) {
    cd_support r;
    cdi_clear(&r, sizeof r);
    r.kind = CD_SUPPORT_NOTHING;
    return r;
}

static bool cdi_shape_has_target(const cd_shape *s) {
    if (s->type == CD_SHAPE_POLYGON) return s->u.points != NULL;
    if (s->type == CD_SHAPE_KDOP) return s->u.kdop.dop && s->u.kdop.set;
    return s->type != CD_SHAPE_HULL || s->u.hull;
}

/* Neither stretched nor rounded further. */
static cd_support cdi_shape_core(const cd_shape *s) {
    if (!cdi_shape_has_target(s)) return cdi_support_of_nothing();
    switch (s->type) {
    case CD_SHAPE_POINT: return cd_support_of_point(s->u.point);
    case CD_SHAPE_SEGMENT: return cd_support_of_segment(&s->u.segment);
    case CD_SHAPE_TRIANGLE: return cd_support_of_triangle(&s->u.triangle);
    case CD_SHAPE_POLYGON: return cd_support_of_points(s->u.points, s->count);
    case CD_SHAPE_TETRAHEDRON: return cd_support_of_tetrahedron(&s->u.tetrahedron);
    case CD_SHAPE_DISC: return cd_support_of_disc(&s->u.disc);
    case CD_SHAPE_SPHERE: return cd_support_of_sphere(s->u.sphere);
    case CD_SHAPE_CAPSULE: return cd_support_of_capsule(&s->u.capsule);
    case CD_SHAPE_TAPERED_CAPSULE: return cd_support_of_tapered_capsule(&s->u.tapered);
    case CD_SHAPE_AABB: return cd_support_of_aabb(&s->u.aabb);
    case CD_SHAPE_OBB: return cd_support_of_obb(&s->u.obb);
    case CD_SHAPE_CYLINDER: return cd_support_of_cylinder(&s->u.cylinder);
    case CD_SHAPE_CONE: return cd_support_of_cone(&s->u.cone);
    case CD_SHAPE_ELLIPSOID: return cd_support_of_ellipsoid(&s->u.ellipsoid);
    case CD_SHAPE_LOZENGE: return cd_support_of_lozenge(&s->u.lozenge);
    case CD_SHAPE_KDOP: return cd_support_of_kdop(&s->u.kdop);
    case CD_SHAPE_HULL: return cd_support_of_hull(s->u.hull);
    case CD_SHAPE_SUPPORT: return s->u.support;
    default: return cdi_support_of_nothing();
    }
}

CD_API cd_support cd_shape_as_support(const cd_shape *s) {
    cd_support r = cdi_shape_core(s);
    if (!cdi_scale_is_zero(s->scale)) {
        cd_support scaled = cd_support_scaled(&r, s->scale);
        r = scaled;
    }
    if (s->radius != 0) {
        cd_support rounded = cd_support_rounded(&r, s->radius);
        r = rounded;
    }
    return r;
}

/* ---- stretched ---- */

/* A factor for each axis. */
typedef struct cdi_stretching {
    cdi_v3 by;
    double size; /* where it is the same for all, but for the signs */
    bool even;
    bool same; /* the signs, too */
} cdi_stretching;

static cdi_stretching cdi_stretching_of(cd_vec3 scale) {
    cdi_stretching k;
    k.by = cdi_v3_of(scale);
    k.size = cdi_abs(k.by.x);
    k.even = cdi_abs(k.by.y) == k.size && cdi_abs(k.by.z) == k.size;
    k.same = scale.x == scale.y && scale.y == scale.z;
    return k;
}

static cd_vec3 cdi_vec_stretched(cd_vec3 p, const cdi_stretching *k) {
    return cdi_v3_round(cdi_stretched(cdi_v3_of(p), k->by));
}

static void cdi_length_stretch(cd_real *length, const cdi_stretching *k) {
    *length = cdi_real_or_infinity((double)*length * k->size);
}

static void cdi_vecs_stretch(cd_vec3 *p, int count, const cdi_stretching *k) {
    for (int i = 0; i < count; ++i) {
        cd_vec3 q = cdi_vec_stretched(p[i], k);
        p[i] = q;
    }
}

/* All radii that round a core, as one; below 0 or NaN for what is not valid. */
static double cdi_shape_rounding(const cd_shape *s) {
    double r = (double)s->radius;
    switch (s->type) {
    case CD_SHAPE_SPHERE: return r + (double)s->u.sphere.radius;
    case CD_SHAPE_CAPSULE: return r + (double)s->u.capsule.radius;
    case CD_SHAPE_TAPERED_CAPSULE:
        return r + cdi_min((double)s->u.tapered.radius_a, (double)s->u.tapered.radius_b);
    case CD_SHAPE_LOZENGE: return r + (double)s->u.lozenge.radius;
    case CD_SHAPE_SUPPORT: return r + (double)s->u.support.radius;
    default: return r;
    }
}

static void cdi_radii_stretch(cd_shape *s, const cdi_stretching *k) {
    cdi_length_stretch(&s->radius, k);
    switch (s->type) {
    case CD_SHAPE_SPHERE: cdi_length_stretch(&s->u.sphere.radius, k); break;
    case CD_SHAPE_CAPSULE: cdi_length_stretch(&s->u.capsule.radius, k); break;
    case CD_SHAPE_LOZENGE: cdi_length_stretch(&s->u.lozenge.radius, k); break;
    case CD_SHAPE_SUPPORT: cdi_length_stretch(&s->u.support.radius, k); break;
    default: break;
    }
}

/* A ball about a point becomes an ellipsoid. */
static void cdi_ball_stretch(cd_shape *s, double radius, const cdi_stretching *k) {
    cd_ellipsoid e;
    e.center = cdi_vec_stretched(s->u.point, k); /* a sphere begins with its center */
    e.axes = cd_mat3_identity();
    e.half = cd_vec3_make(cdi_real_or_infinity(radius * cdi_abs(k->by.x)),
                          cdi_real_or_infinity(radius * cdi_abs(k->by.y)),
                          cdi_real_or_infinity(radius * cdi_abs(k->by.z)));
    s->type = CD_SHAPE_ELLIPSOID;
    s->radius = 0;
    s->u.ellipsoid = e;
}

/* What factors a shape's own numbers take: any, the same along all axes but for the signs, the same with these; or none. */
enum { CDI_TAKES_NONE, CDI_TAKES_ANY, CDI_TAKES_EVEN, CDI_TAKES_SAME };

/* Shapes begin with points and ways between them; where lengths are, and how many. */
typedef struct cdi_shape_numbers {
    uint8_t takes, vectors, at, lengths;
} cdi_shape_numbers;

static cdi_shape_numbers cdi_shape_numbers_of(uint32_t type) {
    static const cdi_shape_numbers all[CD_SHAPE_HALFSPACE] = {
        {CDI_TAKES_NONE, 0, 0, 0},  /* nothing */
        {CDI_TAKES_ANY, 1, 0, 0},   /* point */
        {CDI_TAKES_ANY, 2, 0, 0},   /* segment */
        {CDI_TAKES_ANY, 3, 0, 0},   /* triangle */
        {CDI_TAKES_NONE, 0, 0, 0},  /* polygon */
        {CDI_TAKES_ANY, 4, 0, 0},   /* tetrahedron */
        {CDI_TAKES_SAME, 1, 6, 1},  /* disc */
        {CDI_TAKES_ANY, 1, 0, 0},   /* sphere; its radius is rounding, */
        {CDI_TAKES_ANY, 2, 0, 0},   /* ... a capsule's, too */
        {CDI_TAKES_EVEN, 2, 6, 2},  /* tapered capsule */
        {CDI_TAKES_ANY, 2, 0, 0},   /* axis-aligned box: its corners, which may have to be exchanged */
        {CDI_TAKES_SAME, 1, 12, 3}, /* oriented box */
        {CDI_TAKES_EVEN, 2, 6, 1},  /* cylinder */
        {CDI_TAKES_EVEN, 2, 6, 1},  /* cone */
        {CDI_TAKES_SAME, 1, 12, 3}, /* ellipsoid */
        {CDI_TAKES_EVEN, 3, 0, 0},  /* lozenge */
        {CDI_TAKES_NONE, 0, 0, 0},  {CDI_TAKES_NONE, 0, 0, 0}, {CDI_TAKES_NONE, 0, 0, 0}};
    return all[type < CD_SHAPE_HALFSPACE ? type : 0u];
}

/* Puts the factors into its own numbers; false where these do not take them. */
static bool cdi_numbers_stretch(cd_shape *s, const cdi_stretching *k) {
    cdi_shape_numbers n = cdi_shape_numbers_of(s->type);
    cd_real *length = (cd_real *)(void *)&s->u + n.at;
    if (n.takes == CDI_TAKES_NONE || (n.takes == CDI_TAKES_EVEN && !k->even) ||
        (n.takes == CDI_TAKES_SAME && !k->same))
        return false;
    cdi_vecs_stretch((cd_vec3 *)(void *)&s->u, n.vectors, k);
    for (int i = 0; i < n.lengths; ++i) cdi_length_stretch(&length[i], k);
    if (s->type == CD_SHAPE_AABB) {
        cd_aabb b = s->u.aabb;
        s->u.aabb.min = cd_vec3_min(b.min, b.max);
        s->u.aabb.max = cd_vec3_max(b.min, b.max);
    }
    return true;
}

/* A half-space remains one, however it is rounded and stretched. */
static void cdi_halfspace_stretch_whole(cd_shape *s, const cdi_stretching *k) {
    cdi_v3 n = cdi_v3_of(s->u.halfspace.n);
    double d = (double)s->u.halfspace.d + (double)s->radius * cdi_v3_length(n);
    int e;
    n = cdi_v3_make(n.x / k->by.x, n.y / k->by.y, n.z / k->by.z);
    e = -cdi_exponent(cdi_v3_max_abs(n));
    if (cdi_v3_fits(n) && cdi_v3_max_abs(n) >= 1e-30) e = 0;
    s->radius = 0;
    s->u.halfspace.n = cdi_v3_round(cdi_v3_scale2(n, e));
    s->u.halfspace.d = cdi_real_or_infinity(cdi_scale2(d, e));
}

static void cdi_scale_multiply(cd_shape *s, cd_vec3 scale) {
    cdi_v3 by = cdi_v3_of(scale);
    if (!cdi_scale_is_zero(s->scale)) by = cdi_stretched(by, cdi_v3_of(s->scale));
    s->scale = cdi_v3_fits(by) ? cdi_v3_round(by) : cdi_no_point();
}

/* Where the core is stretched by `scale`, only the smaller of its radii is rounding. */
static void cdi_tapered_stretch(cd_tapered_capsule *c, const cdi_stretching *k) {
    double least = cdi_min((double)c->radius_a, (double)c->radius_b), more = least * k->size - least;
    c->radius_a = cdi_real_or_infinity((double)c->radius_a + more);
    c->radius_b = cdi_real_or_infinity((double)c->radius_b + more);
}

/* By what a shape is stretched already, where that is as good in its own numbers. */
static void cdi_scale_settle(cd_shape *s) {
    cdi_stretching k = cdi_stretching_of(s->scale);
    if (cdi_scale_is_zero(s->scale)) return;
    if (s->type == CD_SHAPE_HALFSPACE) {
        cd_real radius = s->radius; /* rounded afterwards */
        s->radius = 0;
        cdi_halfspace_stretch_whole(s, &k);
        s->radius = radius;
    } else if (!(s->scale.x == 1 && s->scale.y == 1 && s->scale.z == 1) &&
               (cdi_shape_numbers_of(s->type).takes != CDI_TAKES_ANY || !cdi_numbers_stretch(s, &k))) {
        return;
    }
    s->scale = cd_vec3_make(0, 0, 0);
}

static bool cdi_shape_stretch(cd_shape *s, cd_vec3 scale) {
    cdi_stretching k = cdi_stretching_of(scale);
    double rounding;
    cdi_scale_settle(s);
    rounding = cdi_shape_rounding(s);
    if (s->type == CD_SHAPE_HALFSPACE) {
        cdi_halfspace_stretch_whole(s, &k);
        return true;
    }
    if (!k.even && rounding > 0.0) {
        if (s->type != CD_SHAPE_POINT && s->type != CD_SHAPE_SPHERE) return false;
        cdi_ball_stretch(s, rounding, &k);
        return true;
    }
    if (k.even) cdi_radii_stretch(s, &k);
    if (cdi_scale_is_zero(s->scale) && cdi_numbers_stretch(s, &k)) return true;
    if (k.even && s->type == CD_SHAPE_TAPERED_CAPSULE) cdi_tapered_stretch(&s->u.tapered, &k);
    cdi_scale_multiply(s, scale);
    return true;
}

CD_API cd_status cd_shape_scaled(const cd_shape *s, cd_vec3 scale, cd_shape *out) {
    cd_shape r = *s;
    bool valid = cd_shape_is_valid(s) && cdi_scale_is_valid(scale) && !cdi_scale_is_zero(scale);
    cdi_clear(out, sizeof *out);
    if (!valid) return CD_INVALID_ARGUMENT;
    if (!cdi_shape_stretch(&r, scale)) return CD_UNSUPPORTED;
    if (!cd_shape_is_valid(&r)) return CD_TOO_LARGE;
    *out = r;
    return CD_OK;
}
