#include "any/parts.h"
#include "core/platform.h"
#include "core/scalar.h"

/* A simple form: convex shapes, half-spaces and compounds of these. */
static void cdi_shape_part_make(cdi_shape_part *p, const cd_shape *s, const cd_transform *pose, uint32_t child) {
    p->store = *s;
    p->posed = pose != NULL;
    p->pose = pose ? *pose : cd_transform_identity();
    p->halfspace = s->type == CD_SHAPE_HALFSPACE;
    p->triangle = false;
    p->layers = s->layers;
    p->part.user = s->user;
    p->part.material = s->material;
    p->part.child = child;
    p->part.index = 0;
    p->part.offset = s->offset;
    p->support = cd_shape_as_support(&p->store);
}

CDI_FN bool cdi_parts_in(const cd_shape *s, cd_aabb box, uint32_t ignore, cdi_shape_part_fn visit, void *user) {
    cdi_shape_part p;
    (void)box;
    if (s->type == CD_SHAPE_COMPOUND) {
        for (uint32_t i = 0; i < s->u.compound->count; ++i) {
            const cd_placed_shape *c = &s->u.compound->children[i];
            if (c->shape->layers & ignore) continue;
            cdi_shape_part_make(&p, c->shape, &c->pose, i);
            if (!visit(user, &p)) return false;
        }
        return true;
    }
    if (s->layers & ignore) return true;
    cdi_shape_part_make(&p, s, NULL, CD_NONE);
    return visit(user, &p);
}

CDI_FN bool cdi_parts_near(const cd_shape *s, cd_aabb box, const double *limit, uint32_t ignore,
                           cdi_shape_part_fn visit, void *user) {
    (void)limit;
    return cdi_parts_in(s, box, ignore, visit, user);
}
