#define READER_EXAMPLE
#include "reader.h"

#include "../../examples/distance_slice.c"

bool reader_distance_slice(const char *name, cd_mesh_view *out) {
    static mesh m;
    (void)reader_main;
    free(m.points);
    free(m.corners);
    memset(&m, 0, sizeof m);
    if (!read_mesh(&m, name)) return false;
    *out = cd_mesh_view_make(m.points, m.point_count, m.corners, m.corner_count / 3);
    return true;
}
