#!/bin/sh
# The table of `make proof` counts routines by the names that tests ask with: each of them is a public function of collide.h, and the
# table tells what is none, and which answers were wrong.
. "${0%/*}/common.sh"

awk '/^(CD_API|CD_INLINE) / && match($0, /cd_[a-z0-9_]+\(/) { print substr($0, RSTART, RLENGTH - 1) }' "$ROOT/collide.h" |
    sort -u >functions
grep -q -x cd_test_aabb_aabb functions || failed functions "the list of functions does not hold what it should"

# What is asked with: the call within ASK, up to its parenthesis, and texts that are such a name, for test_asked. Names that macros put
# together or are given are left out: `make proof` tells of them, too.
cat "$ROOT"/tests/*.c | tr '\n' ' ' | awk '{ gsub(/ASK\(/, "\n&"); print }' |
    sed -n -E 's/^ASK\([^,]*, *([A-Za-z_0-9#]*)\(.*/\1/p' >calls
grep -h -o '"cd_[a-z0-9_]*"' "$ROOT"/tests/*.c | tr -d '"' >texts
[ "$(wc -l <calls)" -gt 1000 ] || failed calls "the list of what is asked does not hold what it should"
grep -v '##' calls | grep -E '^cdi?_' | sort -u - texts | comm -23 - functions >strange
empty asked "asked of what is no public function" strange

# Two programs with a row each.
table() {
    for real in float double; do
        printf '== %s build\nrow\texact\t%s\t0\t7\t0\t0\t0\t%s\t0\t0\n1 passed, 0 failed\n' $real "$1" "$2"
    done | awk -f "$ROOT/tests/proof.awk" "$ROOT/collide.h" -
}
attempt right table cd_test_aabb_aabb 0
refuse wrong '^2 wrong$' table cd_test_aabb_aabb 1
refuse inside 'cdi_walls_nearest is no public function' table cdi_walls_nearest 0
finish
