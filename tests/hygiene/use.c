/* A user of the library: the same text in C and C++, float and double, under every switch; see use.h.
 *
 * HOLDS_LIBRARY: the implementation is in this file too. Memory comes from a block in this file, so that it can be had
 * without a C library. */
#include "switches.h"
#include "use.h"
#include <stddef.h>

static union {
    double align;
    unsigned char bytes[1 << 16];
} use_block;
static size_t use_taken;

/* The memory between two builds: everything is given back at once. */
static void *use_alloc(size_t size) {
    size_t at = (use_taken + 63u) & ~(size_t)63u;
    if (size > sizeof use_block.bytes - at) return NULL;
    use_taken = at + size;
    return use_block.bytes + at;
}

#ifdef WITH_MALLOC
static int use_free_calls;
static void use_free(void *p) {
    use_free_calls += p != NULL;
}
#endif

#ifdef WITH_ASSERT
static int use_asserts_failed;
static void use_assert(int held) {
    use_asserts_failed += !held;
}
#endif

#ifdef HOLDS_LIBRARY
#define COLLIDE_IMPLEMENTATION
#endif
#include "collide.h"
#include <stdio.h>

#ifndef WITH_MALLOC
/* cd_allocator asks for alignment to 64, use_alloc counts from the start of its block. */
static void *use_alloc_aligned(void *user, size_t size, size_t align) {
    unsigned char *p = (unsigned char *)use_alloc(size + align);
    (void)user;
    return p ? p + (align - ((uintptr_t)p & (align - 1))) : NULL;
}
#endif

static int use_wrong;
static void use_check(bool right, const char *what) {
    if (right) return;
    printf("wrong: %s\n", what);
    ++use_wrong;
}

/* A cube from -1 to 1. */
static const cd_vec3 use_corners[8] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                       {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
static const uint32_t use_faces[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                       2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};

static cd_status use_build(cd_bvh *tree) {
    cd_mesh_view mesh = cd_mesh_view_make(use_corners, 8, use_faces, 12);
    cd_bvh_options options = {0, 0, 0, 0, 0, 0, 0, 0, NULL, {NULL, NULL, NULL}, {NULL, NULL, NULL}};
    use_taken = 0;
#if defined(WITH_NO_STDLIB) && !defined(WITH_MALLOC)
    use_check(cd_bvh_build_mesh(tree, &mesh, &options) == CD_OUT_OF_MEMORY, "memory out of nowhere");
#endif
#ifndef WITH_MALLOC
    options.allocator.alloc = use_alloc_aligned;
#endif
    return cd_bvh_build_mesh(tree, &mesh, &options);
}

/* A ray down onto the top of the cube, and a point above it. */
static double use_tree(void) {
    cd_ray ray = {{(cd_real)0.25, (cd_real)0.5, 5}, {0, 0, -1}};
    cd_vec3 above = {0, 0, 3};
    cd_bvh tree;
    cd_hit hit;
    cd_closest closest;
    double t = 0;
    use_check(use_build(&tree) == CD_OK, "cd_bvh_build_mesh");
    use_check(cd_bvh_validate(&tree) == CD_OK, "cd_bvh_validate");
    if (cd_bvh_cast_ray(&tree, &ray, CD_REAL_MAX, NULL, &hit)) t = (double)hit.t;
    use_check(t == 4.0, "cd_bvh_cast_ray");
    use_check(cd_bvh_closest(&tree, above, CD_REAL_MAX, NULL, &closest), "cd_bvh_closest");
    use_check((double)closest.sqdist == 4.0, "cd_bvh_closest's distance");
    cd_bvh_destroy(&tree);
#ifdef WITH_MALLOC
    use_check(use_taken > 0 && use_free_calls > 0, "COLLIDE_MALLOC and COLLIDE_FREE are called");
#endif
    return t;
}

static void use_shapes(void) {
    cd_sphere sphere = {{2, 0, 0}, 1};
    cd_aabb box = {{-1, -1, -1}, {1, 1, 1}};
    cd_triangle a = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, b = {{1, 1, -1}, {1, 1, 1}, {1, 2, 1}};
    use_check(cd_test_sphere_aabb(sphere, box), "cd_test_sphere_aabb");
    use_check(cd_test_triangle_triangle(&a, &b), "cd_test_triangle_triangle");
    use_check((double)cd_vec3_length(cd_vec3_sub(a.b, a.c)) - 5.6568542494923806 < 1e-6, "cd_vec3_length");
}

#if defined(__cplusplus) && defined(WITH_VEC3_EXTRA)
static void use_extra(void) {
    use_vector mine = {1, 2, 3};
    cd_vec3 v = mine;
    use_vector back = v;
    use_check(back.v[0] == 1 && back.v[1] == 2 && back.v[2] == 3, "COLLIDE_VEC3_EXTRA");
}
#endif

#ifdef COLLIDE_DOUBLE
int use_double(void)
#else
int use_float(void)
#endif
{
    double t = use_tree();
    use_shapes();
#if defined(__cplusplus) && defined(WITH_VEC3_EXTRA)
    use_extra();
#endif
    use_check(cd_version() == CD_VERSION, "cd_version");
    use_check(cd_selftest() == 0, "cd_selftest");
#ifdef WITH_ASSERT
    use_check(use_asserts_failed == 0, "COLLIDE_ASSERT");
#endif
    printf("%s: t = %g, %d wrong\n", sizeof(cd_real) == sizeof(double) ? "double" : "float", t, use_wrong);
    return use_wrong;
}
