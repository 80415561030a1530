/* Reading meshes where they lie: formats, strides, alignment, bad indices. */
#include "gen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { V = 4, T = 2 };
static const double points[V][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0.1}};
static const uint32_t corners[T][3] = {{0, 1, 2}, {0, 2, 3}};

static void check_mesh(const cd_mesh_view *m) {
    CHECK(ASK("judge", cd_mesh_view_is_valid(m)));
    for (uint32_t t = 0; t < T; ++t) {
        cd_triangle tri;
        uint32_t k[3];
        CHECK(ASK("judge", cd_mesh_triangle(m, t, &tri)));
        ASK("judge", cd_mesh_indices(m, t, k));
        for (int i = 0; i < 3; ++i) {
            const double *want = points[corners[t][i]];
            cd_vec3 p = (&tri.a)[i];
            if (m->indices) CHECK_INT(k[i], corners[t][i]);
            CHECK_SAME(p.x, want[0]);
            CHECK_SAME(p.y, want[1]);
            CHECK_NEAR(p.z, (cd_real)want[2], 1e-8);
        }
    }
}

/* Every position format, index format and stride, from an odd address. */
static void all_layouts(void) {
    for (uint32_t position = 0; position < 3; ++position) {
        for (uint32_t index = 0; index < 2; ++index) {
            for (uint32_t extra = 0; extra < 8; extra += 7) {
                uint32_t size = position == CD_POSITION_F32   ? 12
                                : position == CD_POSITION_F64 ? 24
                                                              : 3 * sizeof(cd_real);
                uint32_t index_size = index == CD_INDEX_U16 ? 6 : 12;
                unsigned char bytes[400], index_bytes[100];
                cd_mesh_view m;
                memset(&m, 0, sizeof m);
                memset(bytes, 0xEE, sizeof bytes);
                memset(index_bytes, 0xEE, sizeof index_bytes);
                m.positions = bytes + 1;
                m.stride = extra ? size + extra : 0;
                m.position_format = position;
                m.vertex_count = V;
                m.indices = index_bytes + 1;
                m.index_stride = extra ? index_size + extra : 0;
                m.index_format = index;
                m.triangle_count = T;
                for (uint32_t i = 0; i < V; ++i) {
                    for (uint32_t k = 0; k < 3; ++k) {
                        float f = (float)points[i][k];
                        unsigned char *at = bytes + 1 + i * (size + extra);
                        if (size == 12) memcpy(at + 4 * k, &f, 4);
                        if (size == 24) memcpy(at + 8 * k, &points[i][k], 8);
                    }
                }
                for (uint32_t t = 0; t < T; ++t) {
                    for (uint32_t k = 0; k < 3; ++k) {
                        uint16_t small = (uint16_t)corners[t][k];
                        unsigned char *at = index_bytes + 1 + t * (index_size + extra);
                        if (index_size == 6) memcpy(at + 2 * k, &small, 2);
                        if (index_size == 12) memcpy(at + 4 * k, &corners[t][k], 4);
                    }
                }
                test_note("positions %u, indices %u, %u bytes more", position, index, extra);
                check_mesh(&m);
            }
        }
    }
}

static void soups_have_no_indices(void) {
    cd_vec3 v[7];
    cd_mesh_view m;
    cd_triangle t;
    for (int i = 0; i < 7; ++i) v[i] = cd_vec3_make((cd_real)i, 0, 0);
    m = ASK("judge", cd_mesh_view_make(v, 7, NULL, 2));
    CHECK(ASK("judge", cd_mesh_view_is_valid(&m)) && ASK("judge", cd_mesh_triangle(&m, 1, &t)) &&
          t.a.x == 3 && t.c.x == 5);
    m.triangle_count = 3;
    CHECK(!ASK("bad", cd_mesh_view_is_valid(&m)));
}

static void bad_indices_are_told(void) {
    cd_vec3 v[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    uint32_t k[6] = {0, 1, 2, 0, 1, 3};
    cd_mesh_view m = ASK("judge", cd_mesh_view_make(v, 3, k, 2));
    cd_triangle t;
    t.a.x = 77;
    CHECK(cd_mesh_view_is_valid(&m) && !ASK("bad", cd_mesh_triangle(&m, 1, &t)) && t.a.x == 77);
    k[5] = 0xFFFFFFFFu;
    CHECK(!ASK("bad", cd_mesh_triangle(&m, 1, &t)) && ASK("bad", cd_mesh_triangle(&m, 0, &t)));
}

static bool note_index(void *user, uint32_t index) {
    *(uint32_t *)user = index;
    return true;
}

/* The same tree from 16-bit indices and doubles as from the plain form. */
static void trees_do_not_care(void) {
    test_rng rng = test_random();
    gen_mesh g = gen_mesh_ball(6, 0.2, &rng);
    cd_mesh_view plain = gen_mesh_view(&g), m = plain;
    uint16_t *small = (uint16_t *)malloc(3 * g.triangle_count * sizeof *small);
    double *wide = (double *)malloc(3 * g.vertex_count * sizeof *wide);
    cd_sphere ball = {{0, 0, 1}, (cd_real)0.2};
    uint32_t last = CD_NONE;
    cd_bvh a, b;
    for (uint32_t i = 0; i < 3 * g.triangle_count; ++i) small[i] = (uint16_t)g.indices[i];
    for (uint32_t i = 0; i < 3 * g.vertex_count; ++i) wide[i] = (double)REALS(g.vertices[i / 3])[i % 3];
    m.positions = wide;
    m.stride = 0;
    m.position_format = CD_POSITION_F64;
    m.indices = small;
    m.index_format = CD_INDEX_U16;
    CHECK_INT(cd_bvh_build_mesh(&a, &plain, NULL), CD_OK);
    CHECK_INT(cd_bvh_build_mesh(&b, &m, NULL), CD_OK);
    CHECK(a.bytes == b.bytes && !memcmp(a.block, b.block, a.bytes));
    CHECK(cd_bvh_overlap_sphere(&b, ball, NULL, note_index, &last) && last != CD_NONE);
    cd_bvh_destroy(&a);
    cd_bvh_destroy(&b);
    free(small);
    free(wide);
    gen_mesh_free(&g);
}

void suite_mesh_view(void) {
    RUN(all_layouts);
    RUN(soups_have_no_indices);
    RUN(bad_indices_are_told);
    RUN(trees_do_not_care);
}
