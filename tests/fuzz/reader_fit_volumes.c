#define READER_EXAMPLE
#include "reader.h"

#include "../../examples/fit_volumes.c"

bool reader_fit_volumes(const char *name, cd_mesh_view *out) {
    static mesh m;
    (void)reader_main;
    free(m.points);
    free(m.corners);
    memset(&m, 0, sizeof m);
    if (!read_obj(&m, name)) return false;
    *out = cd_mesh_view_make(m.points, m.point_count, m.corners, m.corner_count / 3);
    return true;
}
