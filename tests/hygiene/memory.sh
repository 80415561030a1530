#!/bin/sh
# The table of tests/test_memory.c names every public function that may take memory: those that are given an allocator, options
# that hold one, or an object that holds one to be changed. (Not: to be given back or made a view of.)
. "${0%/*}/common.sh"

# Of the interface, without comments: each declaration on a line of its own.
sed -e '/^#if defined(COLLIDE_IMPLEMENTATION)/,$d' -e 's|//.*||' -e 's|/\*.*\*/||' -e '/^#/d' "$ROOT/collide.h" |
    awk '
        /^[ \t]*\/\*/ { comment = 1 }
        comment { if (/\*\//) comment = 0; next }
        { text = text " " $0 }
        /[;{}][ \t]*$/ { print text; text = "" }' >lines

# Structs with an allocator, or with another such struct, as a member of its own.
awk '
    /typedef struct [a-z0-9_]+ \{/ { name = $3; next }
    /^ *\} *[a-z0-9_]+;/ { name = "" }
    name && !/\*/ { print name, $0 }' lines >members
echo cd_allocator >holders
while :; do
    awk 'NR == FNR { holds[$1]; next } { for (i = 2; i < NF; ++i) if ($i in holds) { print $1; next } }' holders members |
        sort -u - holders >more
    ! cmp -s holders more || break
    mv more holders
done

# Those that have a parameter: an allocator, options, or something to be changed.
awk '
    NR == FNR { holds[$1]; next }
    /CD_API/ && match($0, /cd_[a-z0-9_]+\(/) {
        name = substr($0, RSTART, RLENGTH - 1)
        rest = substr($0, RSTART + RLENGTH)
        n = split(rest, parameter, ",")
        for (i = 1; i <= n; ++i) {
            split(parameter[i], word, " ")
            changed = word[1] in holds && parameter[i] ~ /\*/
            given = word[1] == "const" && word[2] in holds && (word[2] == "cd_allocator" || word[2] ~ /_options$/)
            if (changed || given) { print name; break }
        }
    }' holders lines | sort -u >takers

# What changes an object and yet takes no memory: told by the documentation, and by the suites of the objects.
cat >frugal <<'END'
cd_bvh_front_moved
cd_bvh_front_reset
cd_bvh_move_sphere
cd_bvh_remove_sphere
cd_bvh_spheres_set_mask
cd_dyntree_forget_moves
cd_dyntree_remove
cd_dyntree_set_mask
cd_heights_update
cd_kdop_climb
cd_kdop_climber_make
END

sed -n 's/^ *ROW(\([a-z0-9_]*\),.*/cd_\1/p' "$ROOT/tests/test_memory.c" | sort -u >rows
grep -v -e '_destroy$' -e '_view$' takers | sort - frugal frugal | uniq -u >wanted
[ "$(wc -l <wanted)" -gt 50 ] && ok found || failed found "only $(wc -l <wanted) functions that take memory were found"
comm -23 wanted rows >missing
empty complete "functions that take memory and have no row in tests/test_memory.c" missing
comm -13 wanted rows >strange
empty true "rows of tests/test_memory.c whose functions take no memory" strange
finish
