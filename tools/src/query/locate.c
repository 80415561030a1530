#include "query/locate.h"
#include "core/orient.h"
#include "shape/volume3d.h"

CD_API int cd_locate_point_plane(cd_vec3 p, cd_plane plane) {
    if (!cd_vec3_is_valid(p) || !cd_plane_is_valid(&plane)) return -1;
    return -cdi_plane_side(cdi_v3_of(plane.n), (double)plane.d, cdi_v3_of(p));
}

CD_API int cd_locate_point_sphere(cd_vec3 p, cd_sphere s) {
    cdi_diff d[3];
    if (!cd_vec3_is_valid(p) || !cd_sphere_is_valid(s)) return -1;
    d[0] = cdi_diff_of((double)p.x, (double)s.center.x);
    d[1] = cdi_diff_of((double)p.y, (double)s.center.y);
    d[2] = cdi_diff_of((double)p.z, (double)s.center.z);
    return -cdi_compare_squares(d, cdi_diff_of((double)s.radius, 0.0));
}

CD_API int cd_locate_point_aabb(cd_vec3 p, cd_aabb b) {
    if (!cd_vec3_is_valid(p)) return -1;
    if (!(b.min.x <= p.x && p.x <= b.max.x && b.min.y <= p.y && p.y <= b.max.y && b.min.z <= p.z &&
          p.z <= b.max.z)) {
        return -1;
    }
    return b.min.x < p.x && p.x < b.max.x && b.min.y < p.y && p.y < b.max.y && b.min.z < p.z && p.z < b.max.z;
}

CD_API int cd_locate_point_obb(cd_vec3 p, const cd_obb *b) {
    cdi_obb d = cdi_obb_of(b);
    cdi_v3 q = cdi_obb_local(&d, cdi_v3_of(p));
    double x = cdi_abs(q.x), y = cdi_abs(q.y), z = cdi_abs(q.z);
    if (!cdi_obb_finite(&d) || !(x <= d.half[0] && y <= d.half[1] && z <= d.half[2])) return -1;
    return x < d.half[0] && y < d.half[1] && z < d.half[2];
}
