#pragma once
/* plain (internal): which shapes are just what their type says, so that the calls for that type serve. */

#include "any/shape.h"
#include "core/vec3d.h"

CDI_INLINE bool cdi_shape_is_stretched(const cd_shape *s) {
    const cd_vec3 *by = &s->scale;
    bool none = by->x == 0 && by->y == 0 && by->z == 0;
    return !none && !(by->x == 1 && by->y == 1 && by->z == 1);
}

/* Neither stretched nor rounded besides what its type is. */
CDI_INLINE bool cdi_shape_is_plain(const cd_shape *s) {
    return s->radius == 0 && !cdi_shape_is_stretched(s);
}

/* Triangle, polygon or disc, without a radius: it has two sides. */
CDI_INLINE bool cdi_shape_is_flat(const cd_shape *s) {
    bool flat = s->type == CD_SHAPE_TRIANGLE || s->type == CD_SHAPE_POLYGON || s->type == CD_SHAPE_DISC;
    return flat && s->radius == 0;
}

/* Does the pose change nothing? */
CDI_INLINE bool cdi_transform_is_none(const cd_transform *t) {
    const cd_quat *q = &t->rotation;
    return q->x == 0 && q->y == 0 && q->z == 0 && t->position.x == 0 && t->position.y == 0 &&
           t->position.z == 0;
}

/* Is the front of a flat part not where its numbers, its own scale among them, have it? `mirrored`: as of parts. */
CDI_INLINE bool cdi_shape_is_turned(const cd_shape *s, bool mirrored) {
    const cd_vec3 *by = &s->scale;
    return (mirrored != (by->x < 0)) != ((by->y < 0) != (by->z < 0));
}

/* With their radius a point and a sphere are spheres, a segment and a capsule are capsules, a lozenge is one; false for others. */
CDI_FN bool cdi_shape_as_ball(const cd_shape *s, cd_sphere *out);
CDI_FN bool cdi_shape_as_rod(const cd_shape *s, cd_capsule *out);
CDI_FN bool cdi_shape_as_lozenge(const cd_shape *s, cd_lozenge *out);

/* Is it a mesh or height field without a radius, so that the tree can be asked? It may be stretched. */
CDI_FN bool cdi_shape_is_tree(const cd_shape *s);

/* The material of a mesh's or a field's triangle. */
CDI_FN uint32_t cdi_shape_material(const cd_shape *s, uint32_t index);

/* What is told of a shape of one part, and of a triangle of such. */
CDI_FN void cdi_part_of_one(cd_part *part, const cd_shape *s);
CDI_FN void cdi_part_of_mesh(cd_part *part, const cd_shape *s, uint32_t index);

/* Is it valid, as far as can be told without a look at all children, and without a linear program? */
CDI_FN bool cdi_shape_is_askable(const cd_shape *s);
