#!/bin/sh
# The benches compile without a word, with and without what they can be told. They are not run here.
. "${0%/*}/common.sh"

compile() {
    label=$1
    shift
    for source in "$ROOT"/bench/*.c; do
        attempt "$compiler-$(basename "$source" .c)-$label" "$compiler" -std=c99 -O1 -ffp-contract=off -Wall -Wextra \
            -Werror -DBENCH_NAME='"name"' -DBENCH_TREE=tree -DBENCH_PREDICATES=table -DBENCH_HULL=hull -DBENCH_OBB=obb -DBENCH_OBB_FAST=fast -DBENCH_KDOP=kdop "$@" -I"$ROOT" -I"$ROOT/bench" \
            -c "$source" -o bench.o
    done
}

for compiler in $COMPILERS; do
    compile plain
    compile counted -DBENCH_COUNTED -DBENCH_NO_INCIRCLE
    compile all -DBENCH_KERNELS=kernels -DBENCH_NATIVE -DBENCH_EMBREE -DBENCH_CGAL -DBENCH_QHULL -DBENCH_BULLET -DBENCH_FCL -DBENCH_ODE -DBENCH_PLAIN -DPLAIN_FLOATS -DBENCH_TUMBLE=tumble -DBENCH_ROUGH=rough
done
finish
