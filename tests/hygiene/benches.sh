#!/bin/sh
# The benches compile without a word, with and without what they can be told. They are not run here. (That of the library which
# only its implementation holds is left out, but where it counts something: other scripts look at it.)
. "${0%/*}/common.sh"

NAMES='-DBENCH_NAME="name" -DBENCH_TREE=tree -DBENCH_PREDICATES=table -DBENCH_HULL=hull -DBENCH_OBB=obb -DBENCH_OBB_FAST=fast
    -DBENCH_KDOP=kdop -DBENCH_TRITRI=tritri -DBENCH_SWEEPS=sweeps -DBENCH_REFIT=refits -DBENCH_MOVING=moving -DBENCH_VOLUMES=volumes
    -DBENCH_HEIGHTS=heights -DBENCH_CONVEX=convex_table -DBENCH_BOXES=boxes_table -DBENCH_BOXES_CACHED=boxes_cached
    -DBENCH_BOXES_BATCH=boxes_batch'
PEERS='-DBENCH_NATIVE -DBENCH_EMBREE -DBENCH_CGAL -DBENCH_QHULL -DBENCH_BULLET -DBENCH_FCL -DBENCH_ODE -DBENCH_CCD'
PARTS='-DBENCH_KERNELS=kernels -DBENCH_TUMBLE=tumble -DBENCH_ROUGH=rough -DBENCH_PLAIN -DPLAIN_FLOATS -DBENCH_CLASSIC -DBENCH_BOXES_CONVEX=boxes_convex'

SOURCES=$(ls "$ROOT"/bench/*.c)
if ! echo '#include <ccd/ccd.h>' | ${CC:-cc} -E - >/dev/null 2>&1; then
    skipped peer_ccd_convex "no libccd (libccd-dev)"
    SOURCES=$(echo "$SOURCES" | grep -v /peer_ccd_)
fi
mkdir interface
{ echo '#undef COLLIDE_STATIC' && sed '/^#if defined(COLLIDE_IMPLEMENTATION)/,/^#endif .* COLLIDE_IMPLEMENTATION /d' "$ROOT/collide.h"; } >interface/collide.h

# compile LABEL FLAG...: all of $SOURCES.
compile() {
    label=$1
    shift
    for source in $SOURCES; do
        header=interface
        ! grep -q -w CDI_COUNT "$source" || header=$ROOT
        # What is the same text as before would compile as before.
        "$compiler" -std=c99 $NAMES "$@" -I"$header" -I"$ROOT" -I"$ROOT/bench" -E -P "$source" 2>&1 | cksum >sum
        kept=sum-$compiler-$(basename "$source" .c)
        ! grep -q -x -F -f sum "$kept" 2>/dev/null || continue
        cat sum >>"$kept"
        attempt "$compiler-$(basename "$source" .c)-$label" "$compiler" -std=c99 -ffp-contract=off -Wall -Wextra -Werror \
            -Wno-misleading-indentation $NAMES "$@" -I"$header" -I"$ROOT" -I"$ROOT/bench" -c "$source" -o bench.o
    done
}

for compiler in $COMPILERS; do
    compile all -fsyntax-only $PEERS $PARTS
done
compiler=${COMPILERS# }
compiler=${compiler%% *}
compile plain -fsyntax-only
compile counted -fsyntax-only -DBENCH_COUNTED -DBENCH_NO_INCIRCLE
rm -f sum-*
SOURCES=$(grep -L COLLIDE_IMPLEMENTATION $SOURCES)
compile optimised -O1 $PEERS $PARTS
attempt script sh -n "$ROOT/bench/run.sh"
finish
