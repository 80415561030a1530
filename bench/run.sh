#!/bin/sh
# Compiles and runs the benches: bench/run.sh BUILD_DIR [AREA...]
#
# One line a measurement, tab-separated: area, case, implementation, value, unit, checksum; see bench.h. Peers that are
# not installed are named and left out.
#
#   QUICK=1     leaves the largest inputs out (a minute and a half instead of seven)
#   PIN=3       runs on that processor only (with taskset)
#   CC, CXX     the compilers
#   MESHES=DIR  a folder of OFF files for obb_fit and builders, as those of Debian's libcgal-demo
#   FLAGS       further flags, as -DBENCH_NO_INCIRCLE
#   SCENES      scenes of the area moving, as "10k-uniform 100k-clustered", instead of all
#   SIZES       meshes of the area growth, as "blob1e5 soup1e5", instead of all
#
# shellcheck disable=SC2086 # flags are several words each
set -eu

build=${1:?usage: bench/run.sh BUILD_DIR [AREA...]}
shift
areas=${*:-predicates tree growth builders hull sphere aabb obb swept kdop obb_fit rays tritri sweeps ccd front refit moving mesh_sweeps volumes heights convex boxes classic cost}
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
cc=${CC:-cc}
cxx=${CXX:-c++}
common="-ffp-contract=off -Wall -Wextra -I$root -I$here ${FLAGS:-}"
baseline="-O2"
native="-O3 -march=native"
mkdir -p "$build"

# compile OBJECT SOURCE HEADER COMMAND...: unless that very command made the object after the last change of the source
# or a header.
compile() {
    object=$build/$1 source=$here/$2 header=$3
    shift 3
    objects="$objects $object"
    if [ -e "$object" ] && [ "$(cat "$object.how" 2>/dev/null)" = "$*" ]; then
        newer=$(find "$source" "$here"/*.h "$header" -newer "$object")
        [ -n "$newer" ] || return 0
    fi
    "$@" -c -o "$object" "$source"
    echo "$*" >"$object.how"
}

# c OBJECT SOURCE FLAGS...
c() {
    object=$1 source=$2
    shift 2
    compile "$object" "$source" "$root/collide.h" $cc -std=c99 $common "$@"
}

# The same in C++, which then has to link as well. Peers do not see collide.h.
cpp() {
    object=$1 source=$2
    shift 2
    linker=$cxx
    compile "$object" "$source" "$here/peers.h" $cxx -std=c++14 $common "$@"
}

has_header() {
    echo "#include <$1>" | $cxx -x c++ -E - >/dev/null 2>&1
}

has_native() {
    echo "int x;" | $cc $native -x c -S -o /dev/null - >/dev/null 2>&1
}

not_found() {
    echo "# peer not found: $1 ($2)"
}

# ours OBJECT TABLE_SUFFIX NAME FLAGS...
ours() {
    object_name=$1 suffix=$2 name=$3
    shift 3
    c "$object_name" tree_ours.c "$@" "-DBENCH_NAME=\"$name\"" "-DBENCH_TREE=bench_tree_$suffix"
}

bench_tree() {
    objects="" libraries="" defines="" linker=$cc
    ours tree_ours_o2.o ours_o2 ours-O2 $baseline -DBENCH_KERNELS=bench_kernels_ours_o2
    ours tree_ours_sse2.o ours_sse2 ours-O2-sse2 $baseline -DCDI_LEVEL_CAP=0 # of the kernels that it would choose from
    ours tree_ours_avx2.o ours_avx2 ours-O2-avx2 $baseline -DCDI_LEVEL_CAP=1
    ours tree_ours_counted.o ours_counted ours-counted $baseline -DBENCH_COUNTED
    if has_native; then
        ours tree_ours_native.o ours_native ours-native $native -DBENCH_KERNELS=bench_kernels_ours_native
        ours tree_ours_binary.o ours_binary ours-binary $native -DBENCH_LAYOUT=CD_BVH_BINARY
        ours tree_ours_quantised.o ours_quantised ours-quantised $native -DBENCH_LAYOUT=CD_BVH_QUANTISED
        ours tree_ours_compact.o ours_compact ours-compact $native -DBENCH_LAYOUT=CD_BVH_COMPACT
        defines="$defines -DBENCH_NATIVE"
    else
        native="-O3"
        echo "# this compiler has no -march=native: only the baseline is measured"
    fi
    if has_header embree3/rtcore.h; then
        cpp peer_embree.o peer_embree.cpp $native
        defines="$defines -DBENCH_EMBREE" libraries="$libraries -lembree3"
    else
        not_found "Embree 3" libembree-dev
    fi
    if has_header CGAL/AABB_tree.h && has_header gmp.h; then
        cpp peer_cgal.o peer_cgal.cpp $native -DNDEBUG -frounding-math
        defines="$defines -DBENCH_CGAL" libraries="$libraries -lmpfr -lgmp"
    else
        not_found CGAL libcgal-dev
    fi
    eigen=$(find /usr/include/eigen3 /usr/local/include/eigen3 -maxdepth 0 2>/dev/null | head -n 1)
    if [ -n "$eigen" ] && has_header fcl/config.h; then
        cpp peer_fcl_tree.o peer_fcl_tree.cpp $native "-isystem$eigen"
        defines="$defines -DBENCH_FCL" libraries="$libraries -lfcl"
    else
        not_found FCL libfcl-dev
    fi
    c tree_naive.o tree_naive.c $native
    c tree.o tree.c $baseline $defines
    $linker -o "$build/tree" $objects $libraries -lm
    BENCH_QUICK=${QUICK:-} ${PIN:+taskset -c "$PIN"} "$build/tree"
}

# volumes_ours OBJECT TABLE_SUFFIX FLAGS...
volumes_ours() {
    object_name=$1 suffix=$2
    shift 2
    c "$object_name" volumes_ours.c $baseline "-DBENCH_VOLUMES=bench_volumes_$suffix" "$@"
}

bench_volumes() {
    objects="" libraries="" defines="" linker=$cc
    volumes_ours volumes_ours.o ours
    volumes_ours volumes_counted.o counted -DBENCH_COUNTED
    has_native || native="-O3"
    eigen=$(find /usr/include/eigen3 /usr/local/include/eigen3 -maxdepth 0 2>/dev/null | head -n 1)
    if [ -n "$eigen" ] && has_header fcl/config.h; then
        cpp peer_fcl_volumes.o peer_fcl_volumes.cpp $native "-isystem$eigen"
        defines="$defines -DBENCH_FCL" libraries="$libraries -lfcl"
    else
        not_found FCL libfcl-dev
    fi
    c volumes.o volumes.c $baseline $defines
    $linker -o "$build/volumes" $objects $libraries -lm
    BENCH_QUICK=${QUICK:-} ${PIN:+taskset -c "$PIN"} "$build/volumes"
}

# Queries are those of the area tree, asked of one tree whatever their flags.
bench_growth() {
    objects="" libraries="" defines="" linker=$cc
    ours tree_ours_o2.o ours_o2 ours-O2 $baseline -DBENCH_KERNELS=bench_kernels_ours_o2
    ours tree_ours_counted.o ours_counted ours-counted $baseline -DBENCH_COUNTED
    if has_native; then
        ours tree_ours_native.o ours_native ours-native $native -DBENCH_KERNELS=bench_kernels_ours_native
        defines="$defines -DBENCH_NATIVE"
    else
        native="-O3"
    fi
    if has_header embree3/rtcore.h; then
        cpp peer_embree.o peer_embree.cpp $native
        defines="$defines -DBENCH_EMBREE" libraries="$libraries -lembree3"
    else
        not_found "Embree 3" libembree-dev
    fi
    c growth.o growth.c $baseline $defines
    $linker -o "$build/growth" $objects $libraries -lm -lpthread
    BENCH_QUICK=${QUICK:-} ${PIN:+taskset -c "$PIN"} "$build/growth" ${SIZES:-}
}

bench_builders() {
    objects="" linker=$cc
    c builders.o builders.c $baseline
    $linker -o "$build/builders" $objects -lm
    BENCH_QUICK=${QUICK:-} BENCH_MESHES=${MESHES:-} ${PIN:+taskset -c "$PIN"} "$build/builders"
}

# calls OBJECT TABLE_SUFFIX NAME FLAGS...: a file that calls the predicates, of ours or the plain ones.
calls() {
    object_name=$1 suffix=$2 name=$3
    shift 3
    c "$object_name" predicates_calls.c $baseline "$@" "-DBENCH_NAME=\"$name\"" \
        "-DBENCH_PREDICATES=bench_predicates_$suffix"
}

# All with the same flags: it is the price of a right sign that is asked for.
bench_predicates() {
    objects="" libraries="" defines="" linker=$cc
    calls predicates_calls_f32.o ours_f32 ours-f32
    calls predicates_calls_f64.o ours_f64 ours-f64 -DCOLLIDE_DOUBLE
    c predicates_library_f32.o predicates_library.c $baseline
    c predicates_library_f64.o predicates_library.c $baseline -DCOLLIDE_DOUBLE
    calls predicates_calls_plain_f32.o plain_f32 plain-f32 -DBENCH_PLAIN -DPLAIN_FLOATS
    calls predicates_calls_plain_f64.o plain_f64 plain-f64 -DBENCH_PLAIN
    c predicates_plain_f32.o predicates_plain.c $baseline -DPLAIN_FLOATS
    c predicates_plain_f64.o predicates_plain.c $baseline
    if has_header CGAL/Exact_predicates_inexact_constructions_kernel.h && has_header gmp.h; then
        header=$here/predicates.h linker=$cxx
        compile peer_cgal_predicates.o peer_cgal_predicates.cpp "$header" $cxx -std=c++14 $common $baseline -DNDEBUG \
            -frounding-math
        defines="$defines -DBENCH_CGAL" libraries="$libraries -lmpfr -lgmp"
    else
        not_found CGAL libcgal-dev
    fi
    c predicates.o predicates.c $baseline $defines
    $linker -o "$build/predicates" $objects $libraries -lm
    ${PIN:+taskset -c "$PIN"} "$build/predicates"
}

# hull_ours OBJECT TABLE_SUFFIX NAME FLAGS...
hull_ours() {
    object_name=$1 suffix=$2 name=$3
    shift 3
    c "$object_name" hull_ours.c "$@" "-DBENCH_NAME=\"$name\"" "-DBENCH_HULL=bench_hull_$suffix"
}

# Peers are compiled as for speed where they are headers; Qhull and Bullet come as they are installed.
bench_hull() {
    objects="" libraries="" defines="" linker=$cc
    hull_ours hull_ours_o2.o ours_o2 ours-O2 $baseline
    if has_native; then
        hull_ours hull_ours_native.o ours_native ours-native $native
        defines="$defines -DBENCH_NATIVE"
    else
        native="-O3"
    fi
    if has_header libqhull_r/libqhull_r.h; then
        hull_peer peer_qhull.o peer_qhull.cpp
        defines="$defines -DBENCH_QHULL" libraries="$libraries -lqhull_r"
    else
        not_found Qhull libqhull-dev
    fi
    if has_header CGAL/convex_hull_3.h && has_header gmp.h; then
        hull_peer peer_cgal_hull.o peer_cgal_hull.cpp -DNDEBUG -frounding-math
        defines="$defines -DBENCH_CGAL" libraries="$libraries -lmpfr -lgmp"
    else
        not_found CGAL libcgal-dev
    fi
    bullet=$(find /usr/include/bullet /usr/local/include/bullet -maxdepth 0 2>/dev/null | head -n 1)
    if [ -n "$bullet" ]; then
        hull_peer peer_bullet_hull.o peer_bullet_hull.cpp "-isystem$bullet"
        defines="$defines -DBENCH_BULLET" libraries="$libraries -lLinearMath"
    else
        not_found Bullet libbullet-dev
    fi
    c hull.o hull.c $baseline $defines
    $linker -o "$build/hull" $objects $libraries -lm
    BENCH_QUICK=${QUICK:-} ${PIN:+taskset -c "$PIN"} "$build/hull"
}

# obb_ours OBJECT TABLE_SUFFIX NAME FLAGS...
obb_ours() {
    object_name=$1 suffix=$2 name=$3
    shift 3
    c "$object_name" obb_ours.c "$@" "-DBENCH_NAME=\"$name\"" "-DBENCH_OBB=bench_obb_$suffix" \
        "-DBENCH_OBB_FAST=bench_obb_${suffix%%_*}_fast_${suffix#*_}"
}

# obb_peer OBJECT SOURCE FLAGS...
obb_peer() {
    object=$1 source=$2
    shift 2
    linker=$cxx
    compile "$object" "$source" "$here/obb.h" $cxx -std=c++14 $common $native "$@"
}

# Peers in headers are compiled as for speed; Bullet's and ODE's contacts come as they are installed.
bench_obb() {
    objects="" libraries="" defines="" linker=$cc
    obb_ours obb_ours_o2.o ours_o2 ours-O2 $baseline
    if has_native; then
        obb_ours obb_ours_native.o ours_native ours-native $native
        defines="$defines -DBENCH_NATIVE"
    else
        native="-O3"
    fi
    bullet=$(find /usr/include/bullet /usr/local/include/bullet -maxdepth 0 2>/dev/null | head -n 1)
    if [ -n "$bullet" ]; then
        obb_peer peer_bullet_obb.o peer_bullet_obb.cpp "-isystem$bullet"
        defines="$defines -DBENCH_BULLET" libraries="$libraries -lBulletCollision -lLinearMath"
    else
        not_found Bullet libbullet-dev
    fi
    eigen=$(find /usr/include/eigen3 /usr/local/include/eigen3 -maxdepth 0 2>/dev/null | head -n 1)
    if [ -n "$eigen" ] && has_header fcl/config.h; then
        obb_peer peer_fcl_obb.o peer_fcl_obb.cpp "-isystem$eigen"
        defines="$defines -DBENCH_FCL" libraries="$libraries -lfcl"
    else
        not_found FCL libfcl-dev
    fi
    if has_header ode/ode.h; then
        obb_peer peer_ode_obb.o peer_ode_obb.cpp
        defines="$defines -DBENCH_ODE" libraries="$libraries -lode"
    else
        not_found ODE libode-dev
    fi
    c obb_book.o obb_book.c $native
    c oracle.o ../tests/oracle.c $baseline
    c obb.o obb.c $baseline $defines
    $linker -o "$build/obb" $objects $libraries -lm
    ${PIN:+taskset -c "$PIN"} "$build/obb"
}

bench_swept() {
    objects="" linker=$cc
    c swept.o swept.c $baseline -Wno-unused-function
    $linker -o "$build/swept" $objects -lm
    ${PIN:+taskset -c "$PIN"} "$build/swept"
}

# hull_peer OBJECT SOURCE FLAGS...
hull_peer() {
    object=$1 source=$2
    shift 2
    linker=$cxx
    compile "$object" "$source" "$here/hull.h" $cxx -std=c++14 $common $native "$@"
}

# sphere_ours OBJECT TABLE_SUFFIX NAME FLAGS...
sphere_ours() {
    object_name=$1 suffix=$2 name=$3
    shift 3
    c "$object_name" sphere_ours.c "$@" "-DBENCH_NAME=\"$name\"" "-DBENCH_SPHERE=bench_sphere_$suffix"
}

bench_sphere() {
    objects="" libraries="" defines="" linker=$cc
    sphere_ours sphere_ours_o2.o ours_o2 ours-O2 $baseline
    if has_native; then
        sphere_ours sphere_ours_native.o ours_native ours-native $native
        defines="$defines -DBENCH_NATIVE"
    else
        native="-O3"
    fi
    if has_header CGAL/Min_sphere_of_spheres_d.h && has_header gmp.h; then
        linker=$cxx header=$here/sphere.h
        compile peer_cgal_sphere.o peer_cgal_sphere.cpp "$header" $cxx -std=c++14 $common $native -DNDEBUG -frounding-math
        defines="$defines -DBENCH_CGAL" libraries="$libraries -lmpfr -lgmp"
    else
        not_found CGAL libcgal-dev
    fi
    c sphere.o sphere.c $baseline $defines
    $linker -o "$build/sphere" $objects $libraries -lm
    BENCH_QUICK=${QUICK:-} ${PIN:+taskset -c "$PIN"} "$build/sphere"
}

# aabb_with NAME FLAGS...: the whole bench in one program, with one set of flags.
aabb_with() {
    objects="" name=$1
    shift
    c "aabb_$name.o" aabb.c "$@" "-DBENCH_NAME=\"$name\""
    $cc -o "$build/aabb_$name" $objects -lm
    ${PIN:+taskset -c "$PIN"} "$build/aabb_$name"
}

bench_aabb() {
    aabb_with O2 $baseline
    ! has_native || aabb_with native $native
}

# kdop_ours OBJECT TABLE_SUFFIX NAME FLAGS...
kdop_ours() {
    object_name=$1 suffix=$2 name=$3
    shift 3
    c "$object_name" kdop_ours.c "$@" "-DBENCH_NAME=\"$name\"" "-DBENCH_KDOP=bench_kdop_$suffix"
}

# FCL's k-DOPs are a template: compiled as for speed.
bench_kdop() {
    objects="" libraries="" defines="" linker=$cc
    kdop_ours kdop_ours_o2.o ours_o2 ours-O2 $baseline -DBENCH_TUMBLE=bench_tumble_ours_o2 \
        -DBENCH_ROUGH=bench_rough_ours_o2
    if has_native; then
        kdop_ours kdop_ours_native.o ours_native ours-native $native
        defines="$defines -DBENCH_NATIVE"
    else
        native="-O3"
    fi
    eigen=$(find /usr/include/eigen3 /usr/local/include/eigen3 -maxdepth 0 2>/dev/null | head -n 1)
    if echo '#include <fcl/math/bv/kDOP.h>' | $cxx "-isystem${eigen:-.}" -x c++ -E - >/dev/null 2>&1; then
        header=$here/kdop.h linker=$cxx
        compile peer_fcl_kdop.o peer_fcl_kdop.cpp "$header" $cxx -std=c++14 $common $native "-isystem$eigen"
        defines="$defines -DBENCH_FCL" libraries="$libraries -lfcl"
    else
        not_found FCL libfcl-dev
    fi
    c kdop.o kdop.c $baseline $defines
    $linker -o "$build/kdop" $objects $libraries -lm
    ${PIN:+taskset -c "$PIN"} "$build/kdop"
}

bench_obb_fit() {
    objects="" libraries="" defines="" linker=$cc
    eigen=$(find /usr/include/eigen3 /usr/local/include/eigen3 -maxdepth 0 2>/dev/null | head -n 1)
    if has_header CGAL/optimal_bounding_box.h && has_header gmp.h && [ -n "$eigen" ]; then
        linker=$cxx
        compile peer_cgal_obb.o peer_cgal_obb.cpp "$here/obb_fit.h" $cxx -std=c++14 $common $baseline -DNDEBUG \
            -frounding-math -DCGAL_EIGEN3_ENABLED "-isystem$eigen"
        defines="$defines -DBENCH_CGAL" libraries="$libraries -lmpfr -lgmp"
    else
        not_found "CGAL with Eigen" "libcgal-dev libeigen3-dev"
    fi
    c obb_fit.o obb_fit.c $baseline $defines
    $linker -o "$build/obb_fit" $objects $libraries -lm
    BENCH_QUICK=${QUICK:-} BENCH_MESHES=${MESHES:-} ${PIN:+taskset -c "$PIN"} "$build/obb_fit"
}

# tritri_ours OBJECT TABLE_SUFFIX NAME FLAGS...
tritri_ours() {
    object_name=$1 suffix=$2 name=$3
    shift 3
    c "$object_name" tritri_ours.c "$@" "-DBENCH_NAME=\"$name\"" "-DBENCH_TRITRI=bench_tritri_$suffix"
}

# CGAL's rounding is its own business; FCL's templates are compiled as for speed.
bench_tritri() {
    objects="" libraries="" defines="" linker=$cc
    tritri_ours tritri_ours_o2.o ours_o2 ours-O2 $baseline
    if has_native; then
        tritri_ours tritri_ours_native.o ours_native ours-native $native -DBENCH_CLASSIC
        tritri_ours tritri_ours_double.o ours_double ours-f64-native $native -DCOLLIDE_DOUBLE
        defines="$defines -DBENCH_NATIVE"
    else
        native="-O3"
    fi
    if has_header CGAL/Intersections_3/Triangle_3_Triangle_3.h && has_header gmp.h; then
        header=$here/tritri.h linker=$cxx
        compile peer_cgal_tritri.o peer_cgal_tritri.cpp "$header" $cxx -std=c++14 $common $native -DNDEBUG -frounding-math
        defines="$defines -DBENCH_CGAL" libraries="$libraries -lmpfr -lgmp"
    else
        not_found CGAL libcgal-dev
    fi
    eigen=$(find /usr/include/eigen3 /usr/local/include/eigen3 -maxdepth 0 2>/dev/null | head -n 1)
    if [ -n "$eigen" ] && has_header fcl/config.h; then
        header=$here/tritri.h linker=$cxx
        compile peer_fcl_tritri.o peer_fcl_tritri.cpp "$header" $cxx -std=c++14 $common $native "-isystem$eigen"
        defines="$defines -DBENCH_FCL" libraries="$libraries -lfcl"
    else
        not_found FCL libfcl-dev
    fi
    c tritri_plain.o tritri_plain.c $native
    c oracle.o ../tests/oracle.c $baseline
    c tritri.o tritri.c $baseline $defines
    $linker -o "$build/tritri" $objects $libraries -lm
    BENCH_QUICK=${QUICK:-} ${PIN:+taskset -c "$PIN"} "$build/tritri"
}

bench_mesh_sweeps() {
    objects="" libraries="" defines="" linker=$cc
    eigen=$(find /usr/include/eigen3 /usr/local/include/eigen3 -maxdepth 0 2>/dev/null | head -n 1)
    if [ -n "$eigen" ] && has_header fcl/config.h; then
        header=$here/mesh_sweeps.h linker=$cxx
        compile peer_fcl_mesh_sweeps.o peer_fcl_mesh_sweeps.cpp "$header" $cxx -std=c++14 $common $native "-isystem$eigen"
        defines="$defines -DBENCH_FCL" libraries="$libraries -lfcl"
    else
        not_found FCL libfcl-dev
    fi
    c mesh_sweeps.o mesh_sweeps.c $baseline $defines
    $linker -o "$build/mesh_sweeps" $objects $libraries -lm
    BENCH_QUICK=${QUICK:-} ${PIN:+taskset -c "$PIN"} "$build/mesh_sweeps"
}

# convex_ours OBJECT TABLE_SUFFIX NAME FLAGS...
convex_ours() {
    object_name=$1 suffix=$2 name=$3
    shift 3
    c "$object_name" convex_ours.c "$@" "-DBENCH_NAME=\"$name\"" "-DBENCH_CONVEX=bench_convex_$suffix"
}

# FCL is in headers, compiled as for speed; libccd and Bullet come as they are installed.
bench_convex() {
    objects="" libraries="" defines="" linker=$cc
    convex_ours convex_ours_o2.o ours_o2 ours-O2 $baseline
    convex_ours convex_ours_double.o ours_double ours-O2-double $baseline -DCOLLIDE_DOUBLE
    if has_native; then
        convex_ours convex_ours_native.o ours_native ours-native $native
        defines="$defines -DBENCH_NATIVE"
    else
        native="-O3"
    fi
    header=$here/convex.h
    bullet=$(find /usr/include/bullet /usr/local/include/bullet -maxdepth 0 2>/dev/null | head -n 1)
    if [ -n "$bullet" ]; then
        linker=$cxx
        compile peer_bullet_convex.o peer_bullet_convex.cpp "$header" $cxx -std=c++14 $common $native "-isystem$bullet"
        defines="$defines -DBENCH_BULLET" libraries="$libraries -lBulletCollision -lLinearMath"
    else
        not_found Bullet libbullet-dev
    fi
    if has_header ccd/ccd.h; then
        c peer_ccd_convex.o peer_ccd_convex.c $native
        defines="$defines -DBENCH_CCD" libraries="$libraries -lccd"
    else
        not_found libccd libccd-dev
    fi
    eigen=$(find /usr/include/eigen3 /usr/local/include/eigen3 -maxdepth 0 2>/dev/null | head -n 1)
    if [ -n "$eigen" ] && has_header fcl/config.h; then
        linker=$cxx
        compile peer_fcl_convex.o peer_fcl_convex.cpp "$header" $cxx -std=c++14 $common $native -DEIGEN_MAX_ALIGN_BYTES=16 "-isystem$eigen"
        defines="$defines -DBENCH_FCL" libraries="$libraries -lfcl -lccd"
    else
        not_found FCL libfcl-dev
    fi
    c convex.o convex.c $baseline $defines
    $linker -o "$build/convex" $objects $libraries -lm
    BENCH_QUICK=${QUICK:-} ${PIN:+taskset -c "$PIN"} "$build/convex"
}

# boxes_ours OBJECT TABLE_SUFFIX NAME FLAGS...
boxes_ours() {
    object_name=$1 suffix=$2 name=$3
    shift 3
    c "$object_name" boxes_ours.c "$@" "-DBENCH_NAME=\"$name\"" "-DBENCH_BOXES=bench_boxes_$suffix" \
        "-DBENCH_BOXES_CACHED=bench_boxes_${suffix}_cached" "-DBENCH_BOXES_BATCH=bench_boxes_${suffix}_batch"
}

# ODE and Bullet come as they are installed.
bench_boxes() {
    objects="" libraries="" defines="" linker=$cc
    boxes_ours boxes_ours_o2.o ours_o2 ours-O2 $baseline -DBENCH_BOXES_CONVEX=bench_boxes_ours_convex
    boxes_ours boxes_ours_double.o ours_double ours-O2-double $baseline -DCOLLIDE_DOUBLE
    if has_native; then
        boxes_ours boxes_ours_native.o ours_native ours-native $native
        defines="$defines -DBENCH_NATIVE"
    else
        native="-O3"
    fi
    header=$here/boxes.h
    bullet=$(find /usr/include/bullet /usr/local/include/bullet -maxdepth 0 2>/dev/null | head -n 1)
    if [ -n "$bullet" ]; then
        linker=$cxx
        compile peer_bullet_boxes.o peer_bullet_boxes.cpp "$header" $cxx -std=c++14 $common $native "-isystem$bullet"
        defines="$defines -DBENCH_BULLET" libraries="$libraries -lBulletCollision -lLinearMath"
    else
        not_found Bullet libbullet-dev
    fi
    if has_header ode/ode.h; then
        linker=$cxx
        compile peer_ode_boxes.o peer_ode_boxes.cpp "$header" $cxx -std=c++14 $common $native
        defines="$defines -DBENCH_ODE" libraries="$libraries -lode"
    else
        not_found ODE libode-dev
    fi
    c boxes_oracle.o ../tests/oracle.c $baseline
    c boxes.o boxes.c $baseline $defines
    $linker -o "$build/boxes" $objects $libraries -lm
    ${PIN:+taskset -c "$PIN"} "$build/boxes"
}

# sweeps_ours OBJECT TABLE_SUFFIX NAME FLAGS...
sweeps_ours() {
    object_name=$1 suffix=$2 name=$3
    shift 3
    c "$object_name" sweeps_ours.c "$@" "-DBENCH_NAME=\"$name\"" "-DBENCH_SWEEPS=bench_sweeps_$suffix"
}

# Bullet's casts come as they are installed.
bench_sweeps() {
    objects="" libraries="" defines="" linker=$cc
    sweeps_ours sweeps_ours_o2.o ours_o2 ours-O2 $baseline
    if has_native; then
        sweeps_ours sweeps_ours_native.o ours_native ours-native $native
        sweeps_ours sweeps_ours_double.o ours_double ours-f64-native $native -DCOLLIDE_DOUBLE
        defines="$defines -DBENCH_NATIVE"
    else
        native="-O3"
    fi
    bullet=$(find /usr/include/bullet /usr/local/include/bullet -maxdepth 0 2>/dev/null | head -n 1)
    if [ -n "$bullet" ]; then
        header=$here/sweeps.h linker=$cxx
        compile peer_bullet_sweeps.o peer_bullet_sweeps.cpp "$header" $cxx -std=c++14 $common $native "-isystem$bullet"
        defines="$defines -DBENCH_BULLET" libraries="$libraries -lBulletCollision -lLinearMath"
    else
        not_found Bullet libbullet-dev
    fi
    c sweeps.o sweeps.c $baseline $defines
    $linker -o "$build/sweeps" $objects $libraries -lm
    BENCH_QUICK=${QUICK:-} ${PIN:+taskset -c "$PIN"} "$build/sweeps"
}

# moving_ours OBJECT TABLE_SUFFIX NAME FLAGS...
moving_ours() {
    object_name=$1 suffix=$2 name=$3
    shift 3
    c "$object_name" moving_ours.c "$@" "-DBENCH_NAME=\"$name\"" "-DBENCH_MOVING=bench_moving_$suffix"
}

# moving_peer OBJECT SOURCE FLAGS...
moving_peer() {
    object=$1 source=$2
    shift 2
    linker=$cxx
    compile "$object" "$source" "$here/moving.h" $cxx -std=c++14 $common $native "$@"
}

# Bullet's tree is searched by templates, but changed by functions as they are installed, as is Embree.
bench_moving() {
    objects="" libraries="" defines="" linker=$cc
    moving_ours moving_ours_o2.o ours_o2 ours-O2 $baseline
    if has_native; then
        moving_ours moving_ours_native.o ours_native ours-native $native
        defines="$defines -DBENCH_NATIVE"
    else
        native="-O3"
    fi
    bullet=$(find /usr/include/bullet /usr/local/include/bullet -maxdepth 0 2>/dev/null | head -n 1)
    if [ -n "$bullet" ]; then
        moving_peer peer_bullet_moving.o peer_bullet_moving.cpp "-isystem$bullet"
        defines="$defines -DBENCH_BULLET" libraries="$libraries -lBulletCollision -lLinearMath"
    else
        not_found Bullet libbullet-dev
    fi
    eigen=$(find /usr/include/eigen3 /usr/local/include/eigen3 -maxdepth 0 2>/dev/null | head -n 1)
    if [ -n "$eigen" ] && has_header fcl/config.h; then
        moving_peer peer_fcl_moving.o peer_fcl_moving.cpp -DEIGEN_MAX_ALIGN_BYTES=16 "-isystem$eigen" # as the library has it
        defines="$defines -DBENCH_FCL" libraries="$libraries -lfcl"
    else
        not_found FCL libfcl-dev
    fi
    if has_header embree3/rtcore.h; then
        moving_peer peer_embree_moving.o peer_embree_moving.cpp
        defines="$defines -DBENCH_EMBREE" libraries="$libraries -lembree3"
    else
        not_found "Embree 3" libembree-dev
    fi
    if has_header CGAL/box_intersection_d.h && has_header gmp.h; then
        moving_peer peer_cgal_moving.o peer_cgal_moving.cpp -DNDEBUG -frounding-math
        defines="$defines -DBENCH_CGAL" libraries="$libraries -lmpfr -lgmp"
    else
        not_found CGAL libcgal-dev
    fi
    c moving.o moving.c $baseline $defines
    $linker -o "$build/moving" $objects $libraries -lm
    BENCH_QUICK=${QUICK:-} ${PIN:+taskset -c "$PIN"} "$build/moving" ${SCENES:-}
}

# heights_ours OBJECT TABLE_SUFFIX NAME FLAGS...
heights_ours() {
    object_name=$1 suffix=$2 name=$3
    shift 3
    c "$object_name" heights_ours.c "$@" "-DBENCH_NAME=\"$name\"" "-DBENCH_HEIGHTS=bench_heights_$suffix"
}

bench_heights() {
    objects="" libraries="" defines="" linker=$cc
    heights_ours heights_ours_o2.o ours_o2 ours-O2 $baseline
    if has_native; then
        heights_ours heights_ours_native.o ours_native ours-native $native
        defines="$defines -DBENCH_NATIVE"
    else
        native="-O3"
    fi
    bullet=$(find /usr/include/bullet /usr/local/include/bullet -maxdepth 0 2>/dev/null | head -n 1)
    if [ -n "$bullet" ]; then
        header=$here/heights.h linker=$cxx
        compile peer_bullet_heights.o peer_bullet_heights.cpp "$header" $cxx -std=c++14 $common $native "-isystem$bullet"
        defines="$defines -DBENCH_BULLET" libraries="$libraries -lBulletCollision -lLinearMath"
    else
        not_found Bullet libbullet-dev
    fi
    c heights.o heights.c $baseline $defines
    $linker -o "$build/heights" $objects $libraries -lm
    BENCH_QUICK=${QUICK:-} ${PIN:+taskset -c "$PIN"} "$build/heights"
}

# rays_with NAME FLAGS...: the whole bench in one program, with one set of flags.
rays_with() {
    objects="" name=$1
    shift
    c "rays_$name.o" rays.c "$@" "-DBENCH_NAME=\"$name\""
    $cc -o "$build/rays_$name" $objects -lm
    ${PIN:+taskset -c "$PIN"} "$build/rays_$name"
}

bench_rays() {
    rays_with O2 $baseline
    rays_with O2-f64 $baseline -DCOLLIDE_DOUBLE
    ! has_native || rays_with native $native
    ! has_native || rays_with native-f64 $native -DCOLLIDE_DOUBLE
}

bench_ccd() {
    objects="" linker=$cc
    c ccd_oracle.o ../tests/oracle.c $baseline
    c ccd.o ccd.c $baseline -Wno-unused-function
    $linker -o "$build/ccd" $objects -lm
    BENCH_QUICK=${QUICK:-} ${PIN:+taskset -c "$PIN"} "$build/ccd"
}

bench_classic() {
    objects="" linker=$cc
    c classic_oracle.o ../tests/oracle.c $baseline
    c classic.o classic.c $baseline
    $linker -o "$build/classic" $objects -lm
    ${PIN:+taskset -c "$PIN"} "$build/classic"
}

bench_cost() {
    if command -v python3 >/dev/null; then python3 "$here/cost.py"; else echo "# the area cost needs Python 3"; fi
}

bench_front() {
    objects="" linker=$cc
    c front.o front.c $baseline
    $linker -o "$build/front" $objects -lm
    BENCH_QUICK=${QUICK:-} ${PIN:+taskset -c "$PIN"} "$build/front"
}

# refit_ours OBJECT TABLE_SUFFIX NAME FLAGS...
refit_ours() {
    object_name=$1 suffix=$2 name=$3
    shift 3
    c "$object_name" refit_ours.c "$@" "-DBENCH_NAME=\"$name\"" "-DBENCH_REFIT=bench_refit_$suffix"
}

# FCL's models are a template: compiled as for speed. Embree comes as it is installed.
bench_refit() {
    objects="" libraries="" defines="" linker=$cc
    refit_ours refit_ours_o2.o ours_o2 ours-O2 $baseline
    if has_native; then
        refit_ours refit_ours_native.o ours_native ours-native $native
        defines="$defines -DBENCH_NATIVE"
    else
        native="-O3"
    fi
    header=$here/refit.h
    if has_header embree3/rtcore.h; then
        linker=$cxx
        compile peer_embree_refit.o peer_embree_refit.cpp "$header" $cxx -std=c++14 $common $native
        defines="$defines -DBENCH_EMBREE" libraries="$libraries -lembree3"
    else
        not_found "Embree 3" libembree-dev
    fi
    eigen=$(find /usr/include/eigen3 /usr/local/include/eigen3 -maxdepth 0 2>/dev/null | head -n 1)
    if [ -n "$eigen" ] && has_header fcl/config.h; then
        linker=$cxx
        compile peer_fcl_refit.o peer_fcl_refit.cpp "$header" $cxx -std=c++14 $common $native "-isystem$eigen"
        defines="$defines -DBENCH_FCL" libraries="$libraries -lfcl"
    else
        not_found FCL libfcl-dev
    fi
    c refit.o refit.c $baseline $defines
    $linker -o "$build/refit" $objects $libraries -lm
    BENCH_QUICK=${QUICK:-} ${PIN:+taskset -c "$PIN"} "$build/refit"
}

printf '# area\tcase\timplementation\tvalue\tunit\tchecksum\n'
for area in $areas; do
    "bench_$area"
done
