#include "internal.h"
#include "gen.h"
#include <string.h>
static void all_methods_build(void) {
    gen_named_mesh meshes[16];
    test_rng rng = test_random();
    int count = gen_all_meshes(&rng, meshes);
    for (int m = 0; m < count; ++m) {
        cd_mesh_view v = gen_mesh_view(&meshes[m].mesh);
        for (uint32_t method = 0; method < 12; ++method) {
            cd_bvh_options o;
            cd_bvh t;
            memset(&o, 0, sizeof o);
            o.method = method;
            o.optimise = 2 * (method & 1);
            CHECK_INT(cd_bvh_build_mesh(&t, &v, &o), CD_OK);
            CHECK_INT(cd_bvh_validate(&t), CD_OK);
            cd_bvh_destroy(&t);
        }
        gen_mesh_free(&meshes[m].mesh);
    }
}
void suite_bvh_linked(void) {
    RUN(all_methods_build);
}
