/* peer_cgal_obb: CGAL's oriented_bounding_box, an evolution of orientations with a final optimisation (Chang, Gorissen and
 * Melchior 2011). The points are a hull's vertices already, so that it builds none. */
#include "obb_fit.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/optimal_bounding_box.h>

#include <array>
#include <cmath>
#include <vector>

typedef CGAL::Exact_predicates_inexact_constructions_kernel Kernel;

double bench_obb_cgal(const double (*points)[3], int count) {
    std::vector<Kernel::Point_3> p;
    std::array<Kernel::Point_3, 8> box;
    for (int i = 0; i < count; ++i) p.push_back(Kernel::Point_3(points[i][0], points[i][1], points[i][2]));
    CGAL::oriented_bounding_box(p, box, CGAL::parameters::use_convex_hull(false));
    return std::sqrt(CGAL::squared_distance(box[0], box[1]) * CGAL::squared_distance(box[0], box[3]) *
                     CGAL::squared_distance(box[0], box[5]));
}
