#include "any_things.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the caller's own ---- */

static uint32_t farthest_of_inner(const void *user, cd_vec3 dir, uint32_t hint, cd_vec3 *out) {
    (void)hint;
    *out = cd_support_farthest((const cd_support *)user, dir);
    return CD_NONE;
}

cd_shape any_shape_of_function(const cd_support *inner) {
    cd_support s = cd_support_of_function(farthest_of_inner, inner, inner->center, 0);
    return cd_shape_of_support(&s);
}

static cd_aabb pile_bounds(void *object) {
    const any_pile *p = (const any_pile *)object;
    cd_aabb all = cd_aabb_empty();
    for (uint32_t i = 0; i < p->count; ++i)
        all = cd_merge_aabb_aabb(all, cd_shape_aabb(p->placed[i].shape, &p->placed[i].pose));
    return all;
}

static bool pile_parts(void *object, cd_aabb box, cd_emit_part_fn emit, void *context) {
    const any_pile *p = (const any_pile *)object;
    for (uint32_t i = 0; i < p->count; ++i) {
        cd_aabb own = cd_shape_aabb(p->placed[i].shape, &p->placed[i].pose);
        if (cd_test_aabb_aabb(own, box) && !emit(context, p->placed[i].shape, &p->placed[i].pose, i))
            return false;
    }
    return true;
}

const cd_shape_class any_pile_class = {pile_bounds, pile_parts, NULL};

/* ---- drawing ---- */

static cd_real number(gen *g, double lo, double hi) {
    return (cd_real)(test_range(g->rng, lo, hi) * g->scale);
}

static cd_vec3 on_axis(const cd_vec3 *at, const cd_mat3 *axes, double x, double y) {
    cd_vec3 p = cd_vec3_along(*at, axes->col[0], (cd_real)x);
    return cd_vec3_along(p, axes->col[1], (cd_real)y);
}

/* Corners of a flat polygon, around. */
static uint32_t draw_polygon(gen *g, any_thing *t) {
    cd_obb b = gen_obb(g);
    uint32_t count = (uint32_t)test_int(g->rng, 3, 7);
    double rx = (double)number(g, 0.3, 1), ry = (double)number(g, 0.3, 1);
    if (g->kind == GEN_GRID || g->kind == GEN_ULP) {
        cd_aabb a = gen_aabb(g);
        for (int i = 0; i < 4; ++i)
            t->corners[i] =
                cd_vec3_make(i == 1 || i == 2 ? a.max.x : a.min.x, i > 1 ? a.max.y : a.min.y, a.min.z);
        return 4;
    }
    for (uint32_t i = 0; i < count; ++i) {
        double turn = 6.283185307179586 * i / count;
        t->corners[i] = on_axis(&b.center, &b.axes, rx * cos(turn), ry * sin(turn));
    }
    return count;
}

static cd_shape draw_kdop(gen *g, any_thing *t) {
    static const uint32_t k[5] = {6, 8, 12, 14, 18};
    int count = test_int(g->rng, 4, 8);
    for (int i = 0; i < count; ++i) t->corners[i] = gen_point(g);
    t->set = cd_kdop_set_standard(k[test_int(g->rng, 0, 4)]);
    CHECK_INT(cd_kdop_from_points(t->corners, (size_t)count, &t->set, &t->dop), CD_OK);
    return cd_shape_of_kdop(&t->dop, &t->set);
}

static cd_shape draw_hull(gen *g, any_thing *t) {
    size_t count = (size_t)test_int(g->rng, 4, 14);
    for (size_t i = 0; i < count; ++i) t->corners[i] = gen_point(g);
    CHECK_INT(cd_hull3_build(&t->hull, t->corners, count, NULL), CD_OK);
    return cd_shape_of_hull(&t->hull);
}

static cd_cylinder draw_cylinder(gen *g) {
    cd_segment s = gen_segment(g);
    cd_cylinder c;
    c.a = s.a;
    c.b = s.b;
    c.radius = gen_length(g);
    if (!cd_cylinder_is_valid(&c)) c.radius = 0;
    return c;
}

static cd_ellipsoid draw_ellipsoid(gen *g) {
    cd_obb b = gen_obb(g);
    cd_ellipsoid e;
    e.center = b.center;
    e.axes = b.axes;
    e.half = b.half;
    return e;
}

static cd_shape draw_support(gen *g, any_thing *t) {
    switch (test_int(g->rng, 0, 3)) {
    case 0: t->box = gen_obb(g), t->inner = cd_support_of_obb(&t->box); break;
    case 1: t->cylinder = draw_cylinder(g), t->inner = cd_support_of_cylinder(&t->cylinder); break;
    case 2: t->ellipsoid = draw_ellipsoid(g), t->inner = cd_support_of_ellipsoid(&t->ellipsoid); break;
    default:
        for (int i = 0; i < 6; ++i) t->corners[i] = gen_point(g);
        t->inner = cd_support_of_points(t->corners, 6);
        return cd_shape_of_support(&t->inner);
    }
    return any_shape_of_function(&t->inner);
}

static void draw_soup(gen *g, any_thing *t, cd_mesh_view *view) {
    int count = test_int(g->rng, 1, 8);
    cd_vec3 at = gen_point(g);
    for (int i = 0; i < 3 * count; ++i) {
        t->corners[i] = test_int(g->rng, 0, 3) ? gen_point(g) : at;
        t->indices[i] = (uint32_t)i;
    }
    *view = cd_mesh_view_make(t->corners, (uint32_t)(3 * count), t->indices, (uint32_t)count);
}

/* A box, closed, its fronts outside. */
static void draw_closed(gen *g, any_thing *t, cd_mesh_view *view) {
    static const uint32_t face[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                      2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    cd_obb b = gen_obb(g);
    cd_vec3 corner[8];
    for (int i = 0; i < 8; ++i) {
        corner[i] = b.center;
        for (int k = 0; k < 3; ++k)
            corner[i] = cd_vec3_along(corner[i], b.axes.col[k], (i >> k & 1 ? 1 : -1) * (&b.half.x)[k]);
    }
    memcpy(t->corners, corner, sizeof corner);
    memcpy(t->indices, face, sizeof face);
    *view = cd_mesh_view_make(t->corners, 8, t->indices, 12);
}

static cd_shape draw_mesh(gen *g, any_thing *t) {
    cd_mesh_view view;
    cd_bvh_options o;
    memset(&o, 0, sizeof o);
    if (test_int(g->rng, 0, 1))
        draw_soup(g, t, &view);
    else
        draw_closed(g, t, &view);
    o.layout = (uint32_t)test_int(g->rng, 0, 3);
    o.leaf_size = (uint32_t)test_int(g->rng, 1, 4);
    if (test_int(g->rng, 0, 1)) o.flags |= CD_BVH_INDEXED;
    for (uint32_t i = 0; i < 12; ++i) t->materials[i] = 100 + i;
    CHECK_INT(cd_bvh_build_mesh(&t->tree, &view, &o), CD_OK);
    any_know_mesh(&t->tree, &view);
    return cd_shape_of_mesh(&t->tree, test_int(g->rng, 0, 1) ? t->materials : NULL);
}

static cd_shape draw_heights(gen *g, any_thing *t) {
    cd_height_view v;
    cd_real samples[12];
    uint8_t materials[6];
    memset(&v, 0, sizeof v);
    v.columns = (uint32_t)test_int(g->rng, 2, 4);
    v.rows = 3;
    for (int i = 0; i < 12; ++i)
        samples[i] =
            g->kind == GEN_UNIT ? (cd_real)test_range(g->rng, -0.5, 0.5) : (cd_real)test_int(g->rng, -1, 1);
    for (int i = 0; i < 6; ++i) materials[i] = test_int(g->rng, 0, 4) ? (uint8_t)i : (uint8_t)CD_HEIGHT_HOLE;
    v.samples = samples;
    v.materials = test_int(g->rng, 0, 1) ? materials : NULL;
    v.up = (uint32_t)test_int(g->rng, 0, 2);
    v.cut = (uint32_t)test_int(g->rng, 0, 3);
    v.origin = gen_point(g);
    v.spacing[0] = v.spacing[1] = v.scale = (cd_real)g->scale;
    CHECK_INT(cd_bvh_build_heights(&t->tree, &v, NULL), CD_OK);
    return cd_shape_of_heights(&t->tree);
}

static cd_transform draw_pose(gen *g, double apart) {
    cd_transform p = gen_pose(g->rng, apart);
    p.position = cd_vec3_scale(p.position, (cd_real)g->scale);
    return p;
}

static void draw_pile(gen *g, any_thing *t, bool convex) {
    t->pile.count = (uint32_t)test_int(g->rng, 1, ANY_PARTS);
    for (uint32_t i = 0; i < t->pile.count; ++i) {
        uint32_t most = convex ? CD_SHAPE_HULL : CD_SHAPE_HEIGHTS;
        uint32_t type = (uint32_t)test_int(g->rng, CD_SHAPE_POINT, (int)most);
        if (type == CD_SHAPE_HALFSPACE && test_int(g->rng, 0, 3)) type = CD_SHAPE_AABB;
        t->child[i] = any_draw(g, type, test_int(g->rng, 0, 3));
        t->child[i]->shape.user = 77 + i;
        t->child[i]->shape.layers = 1u << i;
        t->pile.placed[i].shape = &t->child[i]->shape;
        t->pile.placed[i].pose = draw_pose(g, test_int(g->rng, 0, 1) ? 0 : 1);
    }
}

static cd_shape draw_compound(gen *g, any_thing *t) {
    draw_pile(g, t, false);
    if (test_int(g->rng, 0, 1))
        t->compound = cd_compound_of(t->pile.placed, t->pile.count);
    else
        CHECK_INT(cd_compound_build(&t->compound, t->pile.placed, t->pile.count, NULL), CD_OK);
    return cd_shape_of_compound(&t->compound);
}

static cd_shape draw_shape(gen *g, any_thing *t, uint32_t type) {
    cd_segment s = gen_segment(g);
    cd_triangle tri = gen_triangle(g);
    cd_sphere ball = gen_sphere(g);
    cd_obb box = gen_obb(g);
    cd_cylinder cylinder = draw_cylinder(g);
    cd_tetrahedron tet;
    cd_disc disc;
    cd_capsule capsule;
    cd_tapered_capsule tapered;
    cd_cone cone;
    cd_ellipsoid ellipsoid = draw_ellipsoid(g);
    cd_lozenge lozenge;
    cd_plane plane;
    switch (type) {
    case CD_SHAPE_POINT: return cd_shape_of_point(gen_point(g));
    case CD_SHAPE_SEGMENT: return cd_shape_of_segment(&s);
    case CD_SHAPE_TRIANGLE: return cd_shape_of_triangle(&tri);
    case CD_SHAPE_POLYGON: return cd_shape_of_polygon(t->corners, draw_polygon(g, t));
    case CD_SHAPE_TETRAHEDRON:
        tet.a = tri.a, tet.b = tri.b, tet.c = tri.c, tet.d = gen_point(g);
        return cd_shape_of_tetrahedron(&tet);
    case CD_SHAPE_DISC:
        disc.center = ball.center, disc.normal = gen_direction(g), disc.radius = ball.radius;
        return cd_shape_of_disc(&disc);
    case CD_SHAPE_SPHERE: return cd_shape_of_sphere(ball);
    case CD_SHAPE_CAPSULE:
        capsule.a = s.a, capsule.b = s.b, capsule.radius = ball.radius;
        return cd_shape_of_capsule(&capsule);
    case CD_SHAPE_TAPERED_CAPSULE:
        tapered.a = s.a, tapered.b = s.b, tapered.radius_a = gen_length(g), tapered.radius_b = gen_length(g);
        return cd_shape_of_tapered_capsule(&tapered);
    case CD_SHAPE_AABB: return cd_shape_of_aabb(gen_aabb(g));
    case CD_SHAPE_OBB: return cd_shape_of_obb(&box);
    case CD_SHAPE_CYLINDER: return cd_shape_of_cylinder(&cylinder);
    case CD_SHAPE_CONE:
        cone.apex = cylinder.a, cone.base = cylinder.b, cone.radius = cylinder.radius;
        return cd_shape_of_cone(&cone);
    case CD_SHAPE_ELLIPSOID: return cd_shape_of_ellipsoid(&ellipsoid);
    case CD_SHAPE_LOZENGE:
        lozenge.a = box.center;
        lozenge.edge[0] = cd_vec3_scale(box.axes.col[0], box.half.x);
        lozenge.edge[1] = cd_vec3_scale(box.axes.col[1], box.half.y);
        lozenge.radius = box.half.z;
        return cd_shape_of_lozenge(&lozenge);
    case CD_SHAPE_KDOP: return draw_kdop(g, t);
    case CD_SHAPE_HULL: return draw_hull(g, t);
    case CD_SHAPE_SUPPORT: return draw_support(g, t);
    case CD_SHAPE_HALFSPACE:
        plane.n = gen_direction(g);
        plane.d = cd_vec3_dot(plane.n, ball.center);
        return cd_shape_of_halfspace(&plane);
    case CD_SHAPE_MESH: return draw_mesh(g, t);
    case CD_SHAPE_HEIGHTS: return draw_heights(g, t);
    case CD_SHAPE_COMPOUND: return draw_compound(g, t);
    default: draw_pile(g, t, true); return cd_shape_of_class(&any_pile_class, &t->pile);
    }
}

static cd_real draw_factor(gen *g) {
    double x = g->kind == GEN_GRID ? (double)test_int(g->rng, 1, 2) : test_range(g->rng, 0.4, 2);
    return (cd_real)(test_int(g->rng, 0, 2) ? x : -x);
}

/* Evenly where there is a rounding, or what may have one. */
static cd_vec3 draw_scale(gen *g, const cd_shape *s, bool whole) {
    cd_real x = draw_factor(g);
    cd_vec3 v = cd_vec3_make(x, x, x);
    if (whole && (s->radius != 0 || s->type == CD_SHAPE_CAPSULE || s->type == CD_SHAPE_LOZENGE ||
                  s->type == CD_SHAPE_TAPERED_CAPSULE))
        return v;
    if (s->type >= CD_SHAPE_COMPOUND) return v;
    v.y = draw_factor(g);
    v.z = draw_factor(g);
    return v;
}

any_thing *any_draw(gen *g, uint32_t type, int how) {
    any_thing *t = (any_thing *)calloc(1, sizeof *t);
    if (!t) abort();
    t->shape = draw_shape(g, t, type);
    t->shape.user = 1000 + type;
    t->shape.material = 7 * type;
    if (how & ANY_ROUND) t->shape.radius = gen_length(g);
    if (how & ANY_STRETCH) t->shape.scale = draw_scale(g, &t->shape, false);
    if (how & ANY_SCALED) {
        cd_shape scaled;
        if (CHECK_INT(cd_shape_scaled(&t->shape, draw_scale(g, &t->shape, true), &scaled), CD_OK))
            t->shape = scaled;
    }
    return t;
}

void any_free(any_thing *t) {
    for (int i = 0; i < ANY_PARTS; ++i)
        if (t->child[i]) any_free(t->child[i]);
    cd_hull_destroy(&t->hull);
    cd_bvh_destroy(&t->tree);
    cd_compound_destroy(&t->compound);
    free(t);
}

/* ---- one of each ---- */

typedef struct numbers {
    const cd_real *at;
    int count, used;
} numbers;

static cd_real next(numbers *n) {
    return n->at[n->used++ % n->count];
}

static cd_vec3 next_vec(numbers *n) {
    cd_vec3 v;
    v.x = next(n);
    v.y = next(n);
    v.z = next(n);
    return v;
}

static cd_transform next_pose(numbers *n) {
    cd_transform t;
    t.position = next_vec(n);
    t.rotation.x = next(n);
    t.rotation.y = next(n);
    t.rotation.z = next(n);
    t.rotation.w = next(n);
    return t;
}

/* Points, and what rounds them. */
static void small_ones(cd_shape *out, const cd_vec3 *p, numbers *n) {
    cd_segment segment = {p[0], p[1]};
    cd_triangle triangle = {p[1], p[2], p[3]};
    cd_tetrahedron tetrahedron = {p[0], p[2], p[4], p[6]};
    cd_disc disc;
    cd_sphere sphere;
    cd_capsule capsule;
    cd_tapered_capsule tapered;
    cd_lozenge lozenge;
    disc.center = p[5], disc.normal = p[3], disc.radius = next(n);
    sphere.center = p[1], sphere.radius = next(n);
    capsule.a = p[2], capsule.b = p[3], capsule.radius = next(n);
    tapered.a = p[4], tapered.b = p[5], tapered.radius_a = next(n), tapered.radius_b = next(n);
    lozenge.a = p[0], lozenge.edge[0] = cd_vec3_make(next(n), 0, 0),
    lozenge.edge[1] = cd_vec3_make(0, 0, next(n)), lozenge.radius = next(n);
    out[CD_SHAPE_POINT] = cd_shape_of_point(p[0]);
    out[CD_SHAPE_SEGMENT] = cd_shape_of_segment(&segment);
    out[CD_SHAPE_TRIANGLE] = cd_shape_of_triangle(&triangle);
    out[CD_SHAPE_TETRAHEDRON] = cd_shape_of_tetrahedron(&tetrahedron);
    out[CD_SHAPE_DISC] = cd_shape_of_disc(&disc);
    out[CD_SHAPE_SPHERE] = cd_shape_of_sphere(sphere);
    out[CD_SHAPE_CAPSULE] = cd_shape_of_capsule(&capsule);
    out[CD_SHAPE_TAPERED_CAPSULE] = cd_shape_of_tapered_capsule(&tapered);
    out[CD_SHAPE_LOZENGE] = cd_shape_of_lozenge(&lozenge);
}

static void solid_ones(any_all *all, numbers *n) {
    const cd_vec3 *p = all->corners;
    cd_aabb box;
    cd_cylinder cylinder;
    cd_cone cone;
    cd_ellipsoid ellipsoid;
    cd_plane plane;
    cd_support inner;
    cd_transform pose = next_pose(n);
    box.min = cd_vec3_min(p[3], p[6]), box.max = cd_vec3_max(p[3], p[6]);
    all->box.center = p[7], all->box.half = next_vec(n), all->box.axes = cd_quat_to_mat3(pose.rotation);
    cylinder.a = p[6], cylinder.b = p[7], cylinder.radius = next(n);
    cone.apex = p[1], cone.base = p[4], cone.radius = next(n);
    ellipsoid.center = p[2], ellipsoid.axes = all->box.axes, ellipsoid.half = next_vec(n);
    plane.n = p[5], plane.d = next(n);
    inner = cd_support_of_obb(&all->box);
    all->shape[CD_SHAPE_AABB] = cd_shape_of_aabb(box);
    all->shape[CD_SHAPE_OBB] = cd_shape_of_obb(&all->box);
    all->shape[CD_SHAPE_CYLINDER] = cd_shape_of_cylinder(&cylinder);
    all->shape[CD_SHAPE_CONE] = cd_shape_of_cone(&cone);
    all->shape[CD_SHAPE_ELLIPSOID] = cd_shape_of_ellipsoid(&ellipsoid);
    all->shape[CD_SHAPE_HALFSPACE] = cd_shape_of_halfspace(&plane);
    all->shape[CD_SHAPE_SUPPORT] = cd_shape_of_support(&inner);
}

static void large_ones(any_all *all, numbers *n) {
    static const uint32_t indices[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    cd_mesh_view view = cd_mesh_view_make(all->corners, 4, indices, 4);
    cd_height_view field;
    cd_bvh_options o;
    cd_real samples[9];
    memset(&o, 0, sizeof o);
    memset(&field, 0, sizeof field);
    o.flags = CD_BVH_SKIP_INVALID;
    for (int i = 0; i < 9; ++i) samples[i] = next(n);
    for (uint32_t i = 0; i < 4; ++i) all->materials[i] = 10 + i;
    field.samples = samples;
    field.columns = field.rows = 3;
    field.up = 2;
    if (cd_bvh_build_mesh(&all->mesh, &view, &o) != CD_OK) memset(&all->mesh, 0, sizeof all->mesh);
    if (cd_bvh_build_heights(&all->field, &field, NULL) != CD_OK) memset(&all->field, 0, sizeof all->field);
    if (cd_hull3_build(&all->hull, all->corners, 8, NULL) != CD_OK) memset(&all->hull, 0, sizeof all->hull);
    all->set = cd_kdop_set_standard(6);
    if (cd_kdop_from_points(all->corners, 5, &all->set, &all->dop) != CD_OK)
        all->dop = cd_kdop_empty(&all->set);
    all->shape[CD_SHAPE_POLYGON] = cd_shape_of_polygon(all->corners, 3);
    all->shape[CD_SHAPE_KDOP] = cd_shape_of_kdop(&all->dop, &all->set);
    all->shape[CD_SHAPE_HULL] = cd_shape_of_hull(&all->hull);
    all->shape[CD_SHAPE_MESH] = cd_shape_of_mesh(&all->mesh, all->materials);
    all->shape[CD_SHAPE_HEIGHTS] = cd_shape_of_heights(&all->field);
}

static cd_status first_mass(void *object, cd_mass *out) {
    return cd_shape_mass(((const any_pile *)object)->placed[0].shape, 1, out);
}

void any_all_open(any_all *out, const cd_real *at, int count) {
    static const cd_shape_class weighed = {pile_bounds, pile_parts, first_mass};
    static const uint32_t child[4] = {CD_SHAPE_CAPSULE, CD_SHAPE_MESH, CD_SHAPE_HALFSPACE, CD_SHAPE_OBB};
    static const uint32_t part[ANY_PARTS] = {CD_SHAPE_SPHERE, CD_SHAPE_CONE, CD_SHAPE_POLYGON};
    numbers n;
    n.at = at, n.count = count, n.used = 0;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < 8; ++i) out->corners[i] = next_vec(&n);
    small_ones(out->shape, out->corners, &n);
    solid_ones(out, &n);
    large_ones(out, &n);
    for (uint32_t i = 1; i < CD_SHAPE_COMPOUND; ++i) {
        out->shape[i].user = 100 + i;
        out->shape[i].material = 50 + i;
        out->shape[i].layers = 1u << i % 4;
    }
    for (int i = 0; i < 4; ++i) {
        out->placed[i].shape = &out->shape[child[i]];
        out->placed[i].pose = next_pose(&n);
    }
    for (int i = 0; i < ANY_PARTS; ++i) {
        out->pile.placed[i].shape = &out->shape[part[i]];
        out->pile.placed[i].pose = next_pose(&n);
    }
    out->pile.count = ANY_PARTS;
    if (cd_compound_build(&out->compound, out->placed, 4, NULL) != CD_OK)
        out->compound = cd_compound_of(out->placed, 4);
    out->shape[CD_SHAPE_COMPOUND] = cd_shape_of_compound(&out->compound);
    out->shape[CD_SHAPE_CLASS] = cd_shape_of_class(&weighed, &out->pile);
}

void any_all_close(any_all *all) {
    cd_compound_destroy(&all->compound);
    cd_hull_destroy(&all->hull);
    cd_bvh_destroy(&all->mesh);
    cd_bvh_destroy(&all->field);
}

/* ---- laying ---- */

typedef long double real;

/* The middle and the size of all that has an end. */
static void middle_of(const any_body *b, real middle[3], real *reach) {
    int count = 0;
    *reach = 0;
    memset(middle, 0, 3 * sizeof *middle);
    for (int i = 0; i < b->count; ++i)
        for (int k = 0; k < 3 && !b->piece[i].halfspace; ++k)
            middle[k] += b->piece[i].center[k], count += k == 0;
    for (int k = 0; k < 3; ++k) middle[k] /= count ? count : 1;
    for (int i = 0; i < b->count; ++i) {
        real d[3], sum = 0;
        if (b->piece[i].halfspace) continue;
        for (int k = 0; k < 3; ++k) d[k] = b->piece[i].center[k] - middle[k], sum += d[k] * d[k];
        *reach = fmaxl(*reach, sqrtl(sum) + b->piece[i].reach);
    }
}

static void draw_unit(gen *g, real out[3]) {
    real size = 0;
    if (g->kind == GEN_GRID && test_int(g->rng, 0, 1)) {
        int k = test_int(g->rng, 0, 2);
        memset(out, 0, 3 * sizeof *out);
        out[k] = test_int(g->rng, 0, 1) ? 1 : -1;
        return;
    }
    for (int k = 0; k < 3; ++k) out[k] = test_range(g->rng, -1, 1), size += out[k] * out[k];
    for (int k = 0; k < 3; ++k) out[k] /= sqrtl(size);
}

static cd_vec3 round_vec(const real v[3]) {
    return cd_vec3_make((cd_real)v[0], (cd_real)v[1], (cd_real)v[2]);
}

bool any_lay(gen *g, const cd_shape *a, const cd_shape *b, any_lie lie, cd_transform *out) {
    any_body ta, tb;
    any_contact c;
    real ca[3], cb[3], ra, rb, u[3], by[3], motion[3], back;
    if (lie == ANY_AS_DRAWN) {
        *out = draw_pose(g, test_int(g->rng, 0, 3) ? 1 : 8);
        return test_int(g->rng, 0, 1) != 0 && g->kind != GEN_FAR;
    }
    *out = cd_transform_identity();
    if (g->kind != GEN_GRID && g->kind != GEN_FAR) out->rotation = gen_quat(g->rng);
    ta = any_open(a, 0);
    tb = any_open(b, 0);
    any_pose(&tb, out);
    middle_of(&ta, ca, &ra);
    middle_of(&tb, cb, &rb);
    draw_unit(g, u);
    for (int k = 0; k < 3; ++k) motion[k] = u[k] * (ra + rb) * 3;
    for (int k = 0; k < 3; ++k) by[k] = ca[k] - cb[k] + motion[k];
    {
        real turn[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        any_place(&tb, turn, by);
    }
    c = any_first(&ta, motion, &tb, 0, 1);
    back = lie == ANY_DEEP ? test_range(g->rng, 0.9, 1.1) : c.hit ? c.t : 1;
    if (lie == ANY_APART) back *= test_range(g->rng, 0.3, 1);
    if (lie == ANY_OVERLAPPING) back += test_range(g->rng, 0, 0.1);
    for (int k = 0; k < 3; ++k) by[k] -= motion[k] * back;
    out->position = round_vec(by);
    any_close(&ta);
    any_close(&tb);
    return true;
}

cd_vec3 any_way(gen *g, const any_scene *s) {
    real ca[3], cb[3], ra, rb, u[3], far = test_range(g->rng, 0.5, 2), off = test_range(g->rng, 0, 1);
    middle_of(&s->ta, ca, &ra);
    middle_of(&s->tb, cb, &rb);
    draw_unit(g, u);
    if (!test_int(g->rng, 0, 9)) return cd_vec3_make(0, 0, 0);
    for (int k = 0; k < 3; ++k) u[k] = (cb[k] - ca[k]) * far + u[k] * off * (ra + rb);
    return round_vec(u);
}

static cd_motion motion_between(gen *g, const cd_transform *from, const cd_transform *to) {
    cd_motion m;
    cd_motion_kind kind = (cd_motion_kind)test_int(g->rng, 0, CD_MOTION_SCREW);
    CHECK_INT(cd_motion_make(kind, from, to, &m), CD_OK);
    return m;
}

void any_motions(gen *g, const any_scene *s, cd_motion *a, cd_motion *b) {
    cd_transform from = draw_pose(g, 1), to = draw_pose(g, 1), other, other_to;
    cd_vec3 way = any_way(g, s);
    if (s->b_in_a)
        other = cd_transform_mul(&from, s->b_in_a);
    else
        other = from;
    other_to = other;
    to.position = cd_transform_point(&from, way);
    if (test_int(g->rng, 0, 2)) to.rotation = from.rotation;
    if (test_int(g->rng, 0, 1))
        other_to = draw_pose(g, 1), other_to.position = cd_vec3_add(other_to.position, other.position);
    *a = motion_between(g, &from, &to);
    *b = motion_between(g, &other, &other_to);
}
