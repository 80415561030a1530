/* A duct goes through a wall. How deep are the two in each other? It depends on what is asked: the way out along a direction, the shortest
 * of all ways, how thick the wall is there, and where the surfaces cross. A shelf that hangs on the wall only touches it.
 *
 *     cc -O2 examples/solids.c -I. -o solids && ./solids */
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

#include <stdio.h>

/* A box, or a pipe with as many sides as it has: a body with its tree and its winding numbers. */
typedef struct body {
    cd_vec3 vertices[64];
    uint32_t indices[3 * 128], vertex_count, triangle_count;
    cd_bvh tree;
    cd_bvh_winding winding;
    cd_solid solid;
} body;

static void add_triangle(body *b, int p, int q, int r) {
    uint32_t *at = &b->indices[3 * b->triangle_count++];
    at[0] = (uint32_t)p;
    at[1] = (uint32_t)q;
    at[2] = (uint32_t)r;
}

static void add_quad(body *b, int p, int q, int r, int s) {
    add_triangle(b, p, q, r);
    add_triangle(b, p, r, s);
}

static bool finish(body *b) {
    cd_mesh_view view = cd_mesh_view_make(b->vertices, b->vertex_count, b->indices, b->triangle_count);
    b->solid = cd_solid_of(&b->tree, &b->winding);
    return cd_bvh_build_mesh(&b->tree, &view, NULL) == CD_OK &&
           cd_bvh_winding_build(&b->winding, &b->tree, NULL) == CD_OK;
}

static bool make_box(body *b, cd_real x, cd_real y, cd_real z) {
    b->vertex_count = 8;
    b->triangle_count = 0;
    for (int i = 0; i < 8; ++i) b->vertices[i] = cd_vec3_make(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
    add_quad(b, 0, 2, 3, 1);
    add_quad(b, 4, 5, 7, 6);
    add_quad(b, 0, 1, 5, 4);
    add_quad(b, 2, 6, 7, 3);
    add_quad(b, 0, 4, 6, 2);
    add_quad(b, 1, 3, 7, 5);
    return finish(b);
}

/* Along y, hollow, open at both ends: its body is the sheet between two rounds. */
static bool make_duct(body *b, cd_real outer, cd_real inner, cd_real from, cd_real to) {
    enum { SIDES = 12 };
    b->vertex_count = 4 * SIDES;
    b->triangle_count = 0;
    for (int i = 0; i < SIDES; ++i) {
        cd_real s, c;
        int j = 4 * i, k = 4 * ((i + 1) % SIDES);
        cd_sincos((cd_real)(6.283185307179586 * i / SIDES), &s, &c);
        b->vertices[j] = cd_vec3_make(outer * c, from, outer * s);
        b->vertices[j + 1] = cd_vec3_make(outer * c, to, outer * s);
        b->vertices[j + 2] = cd_vec3_make(inner * c, to, inner * s);
        b->vertices[j + 3] = cd_vec3_make(inner * c, from, inner * s);
        for (int e = 0; e < 4; ++e) add_quad(b, j + e, j + (e + 1) % 4, k + (e + 1) % 4, k + e);
    }
    return finish(b);
}

/* For printing: no zeros below zero. */
static double tidy(cd_real x) {
    return x > (cd_real)-0.0005 && x < (cd_real)0.0005 ? 0.0 : (double)x;
}

static void print_way(const char *name, const cd_solid_way *w) {
    printf("%-22s %.3f along (%.2f, %.2f, %.2f)", name, tidy(w->t), tidy(w->direction.x),
           tidy(w->direction.y), tidy(w->direction.z));
    if (w->beyond > w->t && w->beyond <= CD_REAL_MAX) printf(", for good from %.3f on", (double)w->beyond);
    printf("\n");
}

static void print_regions(const cd_solid *a, const cd_solid *b) {
    static cd_solid_piece pieces[1024];
    cd_solid_region regions[8];
    size_t count = cd_solid_curve(a, b, NULL, NULL, pieces, 1024), found;
    if (count > 1024) return;
    found = cd_solid_regions(a, b, NULL, NULL, pieces, count, regions, 8);
    printf("%d regions of %d pieces\n", (int)found, (int)count);
    for (size_t i = 0; i < found && i < 8; ++i)
        printf("    around (%.2f, %.2f, %.2f), normal (%.2f, %.2f, %.2f), %.3f long, %.3f thick\n",
               tidy(regions[i].center.x), tidy(regions[i].center.y), tidy(regions[i].center.z),
               tidy(regions[i].normal.x), tidy(regions[i].normal.y), tidy(regions[i].normal.z),
               tidy(regions[i].length), tidy(regions[i].depth));
}

static void print_gap(const char *name, const cd_solid *a, const cd_solid *b, cd_real y) {
    static const char *const relation[] = {"apart", "touching", "crossing", "within the first",
                                           "within the second"};
    cd_transform pose = cd_transform_identity();
    cd_solid_options options = {0, 0, 0, {0, 0, 0, 0, NULL, NULL}};
    cd_solid_gap gap;
    pose.position.y = y;
    options.tolerance = (cd_real)0.001;
    gap = cd_solid_clearance(a, b, &pose, &options);
    printf("%-22s %s, %.3f\n", name, relation[gap.relation], tidy(gap.distance));
}

int main(void) {
    static body wall, duct, shelf;
    cd_solid_way way;
    cd_real from = 0, to = 0;
    if (!make_box(&wall, 2, (cd_real)0.1, 1) ||
        !make_box(&shelf, (cd_real)0.5, (cd_real)0.15, (cd_real)0.02) ||
        !make_duct(&duct, (cd_real)0.25, (cd_real)0.24, (cd_real)-0.45, (cd_real)0.65))
        return 1;
    way = cd_solid_depth(&wall.solid, &duct.solid, NULL, cd_vec3_make(0, 1, 0), NULL);
    print_way("forward", &way);
    way = cd_solid_depth(&wall.solid, &duct.solid, NULL, cd_vec3_make(0, -1, 0), NULL);
    print_way("backward", &way);
    way = cd_solid_depth(&wall.solid, &duct.solid, NULL, cd_vec3_make(0, 0, 1), NULL);
    print_way("upward", &way);
    way = cd_solid_depth_least(&wall.solid, &duct.solid, NULL, NULL, 0, NULL);
    print_way("the shortest", &way);
    if (cd_solid_extent(&wall.solid, &duct.solid, NULL, cd_vec3_make(0, 1, 0), NULL, &from, &to))
        printf("%-22s %.3f, from %.3f to %.3f\n", "in the wall", (double)(to - from), (double)from,
               (double)to);
    print_regions(&wall.solid, &duct.solid);
    print_gap("the duct", &wall.solid, &duct.solid, 0);
    print_gap("the shelf on the wall", &wall.solid, &shelf.solid, (cd_real)0.25);
    print_gap("a little in it", &wall.solid, &shelf.solid, (cd_real)0.2495);
    print_gap("too far in it", &wall.solid, &shelf.solid, (cd_real)0.24);
    print_gap("off it", &wall.solid, &shelf.solid, (cd_real)0.3);
    return 0;
}
