#include "any/plain.h"
#include "any/compound.h"
#include "core/expansion.h"
#include "tree/bvh_node.h"

CDI_FN bool cdi_shape_as_ball(const cd_shape *s, cd_sphere *out) {
    bool point = s->type == CD_SHAPE_POINT;
    if ((!point && s->type != CD_SHAPE_SPHERE) || cdi_shape_is_stretched(s) || !(s->radius >= 0))
        return false;
    out->center = point ? s->u.point : s->u.sphere.center;
    out->radius = point ? s->radius : cdi_lengths_sum(s->u.sphere.radius, s->radius);
    return true;
}

CDI_FN bool cdi_shape_as_rod(const cd_shape *s, cd_capsule *out) {
    bool segment = s->type == CD_SHAPE_SEGMENT;
    if ((!segment && s->type != CD_SHAPE_CAPSULE) || cdi_shape_is_stretched(s) || !(s->radius >= 0))
        return false;
    out->a = segment ? s->u.segment.a : s->u.capsule.a;
    out->b = segment ? s->u.segment.b : s->u.capsule.b;
    out->radius = segment ? s->radius : cdi_lengths_sum(s->u.capsule.radius, s->radius);
    return true;
}

CDI_FN bool cdi_shape_as_lozenge(const cd_shape *s, cd_lozenge *out) {
    if (s->type != CD_SHAPE_LOZENGE || cdi_shape_is_stretched(s) || !(s->radius >= 0)) return false;
    *out = s->u.lozenge;
    out->radius = cdi_lengths_sum(out->radius, s->radius);
    return true;
}

CDI_FN bool cdi_shape_is_tree(const cd_shape *s) {
    bool heights = s->type == CD_SHAPE_HEIGHTS;
    const cd_bvh *tree;
    if ((!heights && s->type != CD_SHAPE_MESH) || !(s->radius == 0)) return false;
    tree = s->u.mesh.tree;
    return tree && cd_bvh_get_kind(tree) == CD_BVH_TRIANGLES &&
           (!heights || cd_bvh_get_layout(tree) == CD_BVH_HEIGHTS);
}

CDI_FN uint32_t cdi_shape_material(const cd_shape *s, uint32_t index) {
    cdi_bvh tree;
    if (s->type == CD_SHAPE_MESH) return s->u.mesh.materials ? s->u.mesh.materials[index] : s->material;
    if (!cdi_bvh_open(&tree, s->u.mesh.tree) || !cdi_bvh_field(&tree)->has_materials) return s->material;
    return cd_heights_material(s->u.mesh.tree, index);
}

CDI_FN void cdi_part_of_one(cd_part *part, const cd_shape *s) {
    part->user = s->user;
    part->material = s->material;
    part->child = CD_NONE;
    part->index = 0;
    part->offset = s->offset;
}

CDI_FN bool cdi_shape_is_askable(const cd_shape *s) {
    cd_shape own;
    if (!s) return false;
    if (s->type != CD_SHAPE_COMPOUND && s->type != CD_SHAPE_KDOP) return cd_shape_is_valid(s);
    own = *s;
    own.type = CD_SHAPE_POINT;
    own.u.point = cd_vec3_make(0, 0, 0);
    if (!cd_shape_is_valid(&own)) return false;
    if (s->type == CD_SHAPE_KDOP) return s->u.kdop.dop && s->u.kdop.set;
    return s->u.compound && (s->u.compound->children || !s->u.compound->count);
}

CDI_FN void cdi_part_of_mesh(cd_part *part, const cd_shape *s, uint32_t index) {
    cdi_part_of_one(part, s);
    part->material = cdi_shape_material(s, index);
    part->index = index;
}
