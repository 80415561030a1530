/* any_things.h - shapes of all types, drawn at random, with the memory that they point at; and poses that bring two of them together. */
#ifndef ANY_THINGS_H
#define ANY_THINGS_H

#include "any_judge.h"
#include "gen.h"

/* What is done to a shape besides. */
enum { ANY_ROUND = 1, ANY_STRETCH = 2, ANY_SCALED = 4, ANY_PARTS = 3 };

/* The caller's own bodies: a support in the caller's hands, and a pile of shapes. */
typedef struct any_pile {
    cd_placed_shape placed[ANY_PARTS];
    uint32_t count;
} any_pile;
extern const cd_shape_class any_pile_class;
cd_shape any_shape_of_function(const cd_support *inner);

typedef struct any_thing {
    cd_shape shape;
    cd_vec3 corners[32];
    uint32_t indices[36], materials[12];
    cd_kdop dop;
    cd_kdop_set set;
    cd_hull hull;
    cd_bvh tree;
    cd_obb box;
    cd_cylinder cylinder;
    cd_ellipsoid ellipsoid;
    cd_support inner;
    struct any_thing *child[ANY_PARTS];
    any_pile pile;
    cd_compound compound;
} any_thing;

any_thing *any_draw(gen *g, uint32_t type, int how);
void any_free(any_thing *t);

/* One shape of each type, made of given numbers of any kind, taken one after another and again from the first: nothing is computed here. */
typedef struct any_all {
    cd_shape shape[CD_SHAPE_TYPES];
    cd_vec3 corners[8];
    cd_kdop dop;
    cd_kdop_set set;
    cd_hull hull;
    cd_bvh mesh, field;
    cd_obb box;
    uint32_t materials[4];
    any_pile pile;
    cd_placed_shape placed[4];
    cd_compound compound;
} any_all;

/* Numbers that make no hull, tree or compound leave an empty one. */
void any_all_open(any_all *out, const cd_real *numbers, int count);
void any_all_close(any_all *all);

/* How two shapes are to lie. */
typedef enum any_lie { ANY_APART, ANY_TOUCHING, ANY_OVERLAPPING, ANY_DEEP, ANY_AS_DRAWN, ANY_LIES } any_lie;

/* A pose of b in the frame of a; false: none, they share a frame. */
bool any_lay(gen *g, const cd_shape *a, const cd_shape *b, any_lie lie, cd_transform *out);
/* A way for A that leads to B, or near it. */
cd_vec3 any_way(gen *g, const any_scene *s);
/* Motions that lead A and B to each other, or near. */
void any_motions(gen *g, const any_scene *s, cd_motion *a, cd_motion *b);

#endif
