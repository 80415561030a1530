#!/bin/sh
# Real meshes: the OFF files of Debian's libcgal-demo, or of the folder ARCHIVE, through the tree; see tests/archive. With a
# tenth of its rays, unless RAYS says otherwise (100000). The library is the one in the test programs of the folder TESTED
# (see tests/check.sh), if there is one.
. "${0%/*}/common.sh"

packed=/usr/share/doc/libcgal-dev/data.tar.gz
folder=${ARCHIVE:-$WORK/data/meshes}
if [ ! "${ARCHIVE-}" ] && [ -e $packed ]; then tar xzf $packed; fi
if [ ! -d "$folder" ]; then
    skipped archive "neither $packed (of libcgal-demo) nor a folder ARCHIVE"
    finish
fi
compiler=${COMPILERS# }
compiler=${compiler%% *}
for real in float double; do
    library=${TESTED:+$ROOT/$TESTED/$real/collide.o}
    [ -e "$library" ] || library=$ROOT/tests/archive/library.c
    attempt build-$real "$compiler" -std=gnu99 -O2 -Wall -Wextra -Werror $(real_flags $real) -I"$ROOT" -I"$ROOT/tests" \
        "$ROOT/tests/archive/archive.c" "$library" "$ROOT/tests/oracle.c" -lm -o archive-$real
    ./archive-$real "$folder" "${RAYS:-10000}" >report
    code=$?
    tail -n 1 report
    grep -e missed -e differences report | grep -v -e ' 0 missed.* 0 differences' -e 'triangles, [0-9]* pairs, 0 differences' |
        cat >output
    if [ $code -eq 0 ]; then ok $real; else failed $real "rays missed, or results differ from brute force"; fi
done
finish
