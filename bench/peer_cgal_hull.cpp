/* peer_cgal_hull: CGAL's convex_hull_3 on the kernel with exact predicates, into a polygon mesh. */
#include "hull.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/convex_hull_3.h>

#include <vector>

namespace {

typedef CGAL::Exact_predicates_inexact_constructions_kernel Kernel;
typedef Kernel::Point_3 Point;
typedef CGAL::Surface_mesh<Point> Mesh;
typedef std::vector<Point> Points;

void *points(const float (*from)[3], int count) {
    Points *p = new Points;
    for (int i = 0; i < count; ++i) p->push_back(Point(from[i][0], from[i][1], from[i][2]));
    return p;
}

void free_points(void *points) {
    delete static_cast<Points *>(points);
}

void build(const void *points, Mesh &mesh) {
    const Points *p = static_cast<const Points *>(points);
    CGAL::convex_hull_3(p->begin(), p->end(), mesh);
}

void run(const void *points, int) {
    Mesh mesh;
    build(points, mesh);
}

bench_answer measure(const void *points, int) {
    Mesh mesh;
    bench_answer a = {0, 0, 0.0};
    build(points, mesh);
    a.count = mesh.number_of_vertices();
    for (Mesh::Face_index f : mesh.faces()) {
        double corner[3][3];
        int n = 0;
        for (Mesh::Vertex_index v : mesh.vertices_around_face(mesh.halfedge(f))) {
            for (int k = 0; k < 3; ++k) corner[n][k] = mesh.point(v)[k];
            ++n;
        }
        a.distance_sum += bench_wedge(corner[0], corner[1], corner[2]);
    }
    return a;
}

} // namespace

const bench_hull bench_hull_cgal = {"CGAL", points, free_points, run, measure};
