#define READER_EXAMPLE
#include "reader.h"

#include "../../examples/hull.c"

bool reader_hull(const char *name, cd_mesh_view *out) {
    static cloud c;
    (void)reader_main;
    free(c.points);
    memset(&c, 0, sizeof c);
    if (!read_file(name, &c)) return false;
    *out = cd_mesh_view_make(c.points, (uint32_t)c.count, NULL, 0);
    return true;
}
