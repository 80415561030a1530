#include "any/shape.h"
#include "core/platform.h"
#include "core/scalar.h"

static cd_shape cdi_shape_begin(uint32_t type) {
    cd_shape s;
    memset(&s, 0, sizeof s);
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

cd_shape cd_shape_of_compound(const cd_compound *compound) {
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

cd_compound cd_compound_of(const cd_placed_shape *children, uint32_t count) {
    cd_compound c;
    memset(&c, 0, sizeof c);
    c.children = children;
    c.count = count;
    return c;
}

bool cd_shape_is_convex(const cd_shape *s) {
    return s && s->type > CD_SHAPE_NOTHING && s->type < CD_SHAPE_HALFSPACE;
}

bool cd_shape_is_valid(const cd_shape *s) { /* stub */
    if (!s || s->type == CD_SHAPE_NOTHING || s->type >= CD_SHAPE_TYPES) return false;
    if (cd_shape_is_convex(s)) {
        cd_support body = cd_shape_as_support(s);
        return cd_support_is_valid(&body);
    }
    return true;
}

cd_support cd_shape_as_support(const cd_shape *s) { /* stub: scale, k-DOPs */
    cd_support r;
    memset(&r, 0, sizeof r);
    r.kind = CD_SUPPORT_NOTHING;
    switch (s->type) {
        case CD_SHAPE_POINT: r = cd_support_of_point(s->u.point); break;
        case CD_SHAPE_SEGMENT: r = cd_support_of_segment(&s->u.segment); break;
        case CD_SHAPE_TRIANGLE: r = cd_support_of_triangle(&s->u.triangle); break;
        case CD_SHAPE_POLYGON: r = cd_support_of_points(s->u.points, s->count); break;
        case CD_SHAPE_TETRAHEDRON: r = cd_support_of_tetrahedron(&s->u.tetrahedron); break;
        case CD_SHAPE_DISC: r = cd_support_of_disc(&s->u.disc); break;
        case CD_SHAPE_SPHERE: r = cd_support_of_sphere(s->u.sphere); break;
        case CD_SHAPE_CAPSULE: r = cd_support_of_capsule(&s->u.capsule); break;
        case CD_SHAPE_TAPERED_CAPSULE: r = cd_support_of_tapered_capsule(&s->u.tapered); break;
        case CD_SHAPE_AABB: r = cd_support_of_aabb(&s->u.aabb); break;
        case CD_SHAPE_OBB: r = cd_support_of_obb(&s->u.obb); break;
        case CD_SHAPE_CYLINDER: r = cd_support_of_cylinder(&s->u.cylinder); break;
        case CD_SHAPE_CONE: r = cd_support_of_cone(&s->u.cone); break;
        case CD_SHAPE_ELLIPSOID: r = cd_support_of_ellipsoid(&s->u.ellipsoid); break;
        case CD_SHAPE_LOZENGE: r = cd_support_of_lozenge(&s->u.lozenge); break;
        case CD_SHAPE_HULL: r = cd_support_of_hull(s->u.hull); break;
        case CD_SHAPE_SUPPORT: r = s->u.support; break;
        default: break;
    }
    if (r.kind != CD_SUPPORT_NOTHING && s->radius != 0) {
        cd_support rounded = cd_support_rounded(&r, s->radius);
        r = rounded;
    }
    return r;
}
