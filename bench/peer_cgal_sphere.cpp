/* peer_cgal_sphere: CGAL's Min_sphere_of_spheres_d on points of doubles, with its pivoting heuristic; and Welzl's method in
 * Min_sphere_d. */
#include "sphere.h"

#include <CGAL/Cartesian.h>
#include <CGAL/Min_sphere_annulus_d_traits_3.h>
#include <CGAL/Min_sphere_d.h>
#include <CGAL/Min_sphere_of_points_d_traits_3.h>
#include <CGAL/Min_sphere_of_spheres_d.h>

#include <cmath>
#include <vector>

namespace {

typedef CGAL::Cartesian<double> Kernel;
typedef Kernel::Point_3 Point;
typedef std::vector<Point> Points;
typedef CGAL::Min_sphere_of_points_d_traits_3<Kernel, double, CGAL::Tag_false> Traits;
typedef CGAL::Min_sphere_of_spheres_d<Traits> Ball;
typedef CGAL::Min_sphere_d<CGAL::Min_sphere_annulus_d_traits_3<Kernel>> Welzl;

void *points(const float (*from)[3], int count) {
    Points *p = new Points;
    for (int i = 0; i < count; ++i) p->push_back(Point(from[i][0], from[i][1], from[i][2]));
    return p;
}

void free_points(void *points) {
    delete static_cast<Points *>(points);
}

double run_ball(const void *points, int) {
    const Points *p = static_cast<const Points *>(points);
    Ball ball(p->begin(), p->end());
    return ball.radius();
}

double run_welzl(const void *points, int) {
    const Points *p = static_cast<const Points *>(points);
    Welzl ball(p->begin(), p->end());
    return std::sqrt(ball.squared_radius());
}

} // namespace

const bench_sphere bench_sphere_cgal = {"CGAL-Min_sphere_of_spheres", points, free_points, run_ball};
const bench_sphere bench_sphere_cgal_welzl = {"CGAL-Min_sphere_d", points, free_points, run_welzl};
