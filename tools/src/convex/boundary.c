#include "convex/boundary.h"
#include "core/pose.h"
#include "query/crossing3d.h"
#include "query/test.h"
#include "query/triangle_triangle.h"
#include "shape/aabb.h"

typedef struct cdi_boundary {
    cd_hull_parts parts;
    cdi_pose pose;
    bool posed, closed;
    cd_aabb bounds;
} cdi_boundary;

/* ---- vertices, edges and faces: of a hull without faces, which is a segment or a point, one edge and one triangle ---- */

static cd_vec3 cdi_boundary_vertex(const cdi_boundary *b, uint32_t i) {
    if (i >= b->parts.vertex_count) i = b->parts.vertex_count - 1;
    return b->posed ? cdi_pose_point_round(&b->pose, b->parts.vertices[i]) : b->parts.vertices[i];
}

static bool cdi_boundary_open(cdi_boundary *b, const cd_hull *hull, const cd_transform *pose) {
    cdi_clear(b, sizeof *b);
    if (!hull || (pose && !cd_transform_is_valid(pose))) return false;
    b->parts = cd_hull_get_parts(hull);
    b->posed = pose != NULL;
    if (pose) b->pose = cdi_pose_of(pose);
    b->closed = b->parts.dimension == 3;
    b->bounds = cd_aabb_empty();
    for (uint32_t i = 0; i < b->parts.vertex_count; ++i) {
        cd_vec3 p = cdi_boundary_vertex(b, i);
        if (!cd_vec3_is_valid(p)) return false;
        b->bounds.min = cd_vec3_min(b->bounds.min, p);
        b->bounds.max = cd_vec3_max(b->bounds.max, p);
    }
    return b->parts.vertex_count > 0;
}

static uint32_t cdi_boundary_faces(const cdi_boundary *b) {
    return b->parts.face_count ? b->parts.face_count : 1;
}

static uint32_t cdi_boundary_corner(const cdi_boundary *b, uint32_t face, uint32_t i) {
    const cd_hull_face *f;
    if (!b->parts.face_count) return i;
    f = &b->parts.faces[face];
    return b->parts.half_edges[f->first + (i < f->count ? i : 0)].origin;
}

static uint32_t cdi_boundary_corners(const cdi_boundary *b, uint32_t face) {
    return b->parts.face_count ? b->parts.faces[face].count : 3;
}

/* Triangle i of a face's fan. */
static cd_triangle cdi_boundary_triangle(const cdi_boundary *b, uint32_t face, uint32_t i) {
    cd_triangle t;
    t.a = cdi_boundary_vertex(b, cdi_boundary_corner(b, face, 0));
    t.b = cdi_boundary_vertex(b, cdi_boundary_corner(b, face, i + 1));
    t.c = cdi_boundary_vertex(b, cdi_boundary_corner(b, face, i + 2));
    return t;
}

/* ---- edges against faces ---- */

static bool cdi_edge_meets_faces(const cd_segment *s, const cdi_boundary *b) {
    cd_aabb box;
    box.min = cd_vec3_min(s->a, s->b);
    box.max = cd_vec3_max(s->a, s->b);
    if (!cd_test_aabb_aabb(box, b->bounds)) return false;
    for (uint32_t face = 0; face < cdi_boundary_faces(b); ++face) {
        for (uint32_t i = 0; i + 2 < cdi_boundary_corners(b, face); ++i) {
            cd_triangle t = cdi_boundary_triangle(b, face, i);
            if (cd_test_segment_triangle(s, &t)) return true;
        }
    }
    return false;
}

/* The edges of a face; and the lines of its fan, along which it may be bent where it is not flat to the last bit. */
static bool cdi_face_edges_meet(const cdi_boundary *a, uint32_t face, const cdi_boundary *b) {
    uint32_t count = cdi_boundary_corners(a, face);
    cd_segment s;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t from = cdi_boundary_corner(a, face, i), to = cdi_boundary_corner(a, face, (i + 1) % count);
        if (a->closed && to < from) continue; /* the face beyond has it, too */
        s.a = cdi_boundary_vertex(a, from);
        s.b = cdi_boundary_vertex(a, to);
        if (cdi_edge_meets_faces(&s, b)) return true;
    }
    s.a = cdi_boundary_vertex(a, cdi_boundary_corner(a, face, 0));
    for (uint32_t i = 2; i + 1 < count; ++i) {
        s.b = cdi_boundary_vertex(a, cdi_boundary_corner(a, face, i));
        if (cdi_edge_meets_faces(&s, b)) return true;
    }
    return false;
}

static bool cdi_edges_meet_faces(const cdi_boundary *a, const cdi_boundary *b) {
    for (uint32_t face = 0; face < cdi_boundary_faces(a); ++face) {
        if (cdi_face_edges_meet(a, face, b)) return true;
    }
    return false;
}

/* ---- one in the other ---- */

static bool cdi_boundary_holds(const cdi_boundary *b, cd_vec3 p) {
    cdi_probe q = cdi_probe_of(p);
    if (!b->closed || !cd_test_point_aabb(p, b->bounds)) return false;
    for (uint32_t face = 0; face < cdi_boundary_faces(b); ++face) {
        for (uint32_t i = 0; i + 2 < cdi_boundary_corners(b, face); ++i) {
            cd_triangle t = cdi_boundary_triangle(b, face, i);
            cdi_tri d = cdi_tri_of(&t);
            cdi_v3 lo, hi;
            cdi_tri_bounds(&d, &lo, &hi);
            cdi_probe_triangle(&q, &d, &lo, &hi);
            if (q.around.on) return true;
        }
    }
    return cdi_rounds_verdict(&q.around, CD_FILL_NON_ZERO) > 0;
}

CD_API bool cd_test_polyhedron_boundary(const cd_hull *a, const cd_hull *b, const cd_transform *b_in_a) {
    cdi_boundary p, q;
    if (!cdi_boundary_open(&p, a, NULL) || !cdi_boundary_open(&q, b, b_in_a)) return false;
    if (!cd_test_aabb_aabb(p.bounds, q.bounds)) return false;
    return cdi_edges_meet_faces(&p, &q) || cdi_edges_meet_faces(&q, &p) ||
           cdi_boundary_holds(&p, cdi_boundary_vertex(&q, 0)) ||
           cdi_boundary_holds(&q, cdi_boundary_vertex(&p, 0));
}
