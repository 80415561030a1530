/* The published algorithms beside the library's own, and what is left of the floor of shapes: regions, forms of boxes, convexity, linear programs. */
#include "fuzz.h"
#include <math.h>
#include <string.h>

#ifndef COLLIDE_NO_CLASSIC

/* Whole numbers in general position: no published test is off there. */
static void triangles(fuzz *f) {
    cd_triangle a = fuzz_triangle(f), b = fuzz_triangle(f);
    cd_operations count;
    FUZZ_NOTE(a);
    FUZZ_NOTE(b);
    memset(&count, 0, sizeof count);
    cd_test_triangle_triangle_moller(&a, &b, &count);
    cd_test_triangle_triangle_held(&a, &b, &count);
    cd_test_triangle_triangle_tropp(&a, &b, NULL);
}

static void programs(fuzz *f) {
    cd_plane p[8];
    static unsigned char memory[1 << 16];
    int n = test_int(f->rng, 0, 5);
    cd_lp3 lp;
    cd_status status;
    cd_vec3 along;
    cd_fourier_motzkin out;
    cd_interior3 inside;
    for (int i = 0; i < n; ++i) {
        cd_plane one = fuzz_plane(f);
        p[i] = one;
    }
    along = fuzz_vec(f);
    test_note_reals("planes", &p[0].n.x, 4 * n);
    FUZZ_NOTE(along);
    status = cd_lp_seidel3(p, (size_t)n, along, NULL, &lp);
    CHECK(status >= CD_OK);
    cd_halfspaces_interior_point(p, (size_t)n, NULL, &inside);
    out = cd_lp_fourier_motzkin3(p, (size_t)n, 0, memory, sizeof memory);
    (void)out;
}

static void simplexes(fuzz *f) {
    cd_vec3 p[4], q = fuzz_vec(f);
    int n = test_int(f->rng, 1, 4);
    cd_johnson_point x;
    fuzz_points(f, p, n);
    test_note_reals("corners", &p[0].x, 3 * n);
    x = cd_closest_pt_simplex_johnson(q, p, (size_t)n);
    (void)x;
}

void fuzz_classic(test_rng *r) {
    static void (*const what[3])(fuzz * f) = {triangles, programs, simplexes};
    fuzz f = fuzz_begin(r, FUZZ_BITS);
    test_note("");
    what[test_int(r, 0, 2)](&f);
}

#else

void fuzz_classic(test_rng *r) {
    (void)r;
}

#endif
