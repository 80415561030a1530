#include "core/vec3d.h"
#include "shape/sphere.h"

cd_real cd_sphere_volume(cd_sphere s) {
    double r = (double)s.radius;
    return r < 0.0 ? 0 : cdi_real_or_infinity(4.1887902047863910 * r * r * r);
}

cd_real cd_sphere_surface_area(cd_sphere s) {
    double r = (double)s.radius;
    return r < 0.0 ? 0 : cdi_real_or_infinity(12.566370614359172 * r * r);
}

cd_sphere cd_sphere_transform(cd_sphere s, const cd_transform *pose) {
    s.center = cd_transform_point(pose, s.center);
    return s;
}

cd_vec3 cd_sphere_support(cd_sphere s, cd_vec3 dir) {
    cdi_v3 d = cd_vec3_is_valid(dir) ? cdi_v3_normalize(cdi_v3_of(dir)) : cdi_v3_make(0.0, 0.0, 0.0);
    if (!(s.radius >= 0)) return s.center;
    if (cdi_v3_is_zero(d)) d.x = 1.0;
    return cdi_v3_round(cdi_v3_along(cdi_v3_of(s.center), d, (double)s.radius));
}
