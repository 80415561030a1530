#!/bin/sh
# Valgrind over the suites where memory is looked at: foreign bytes, structures that grow and shrink, walks over their blocks. Unlike the
# compilers' sanitizers it sees the optimised code, as it is; those see all suites.
#
# The test program is that of the folder TESTED, or of the first lane (see tests/check.sh): it is not built here. Valgrind knows no
# AVX-512: half of the suites take the kernels of the baseline, the others those for AVX2.
. "${0%/*}/common.sh"

BASELINE='memory/ dyntree/ bvtree/ hull/ classic_linear_cache/ bvh_spheres/'
AVX2='bvh_fuzz/ bvh_refit/ bvh_layouts/ dk_hierarchy/ classic_kdtree/ bvh_compact/'

if ! have valgrind; then
    skipped valgrind "not installed"
    finish
fi
program=
for folder in ${TESTED:+"$ROOT/$TESTED"} "$ROOT/build/check/gcc-O2"; do
    [ "$program" ] || [ ! -x "$folder/float/tests" ] || program=$folder/float/tests
done
if [ ! "$program" ]; then
    skipped valgrind "no test program, neither in a folder TESTED nor of the lane gcc-O2"
    finish
fi
grind() {
    valgrind --error-exitcode=9 -q "$program" -x 0.01 "$@"
}
attempt baseline grind -i 0 $BASELINE
attempt avx2 grind -i 1 $AVX2
finish
