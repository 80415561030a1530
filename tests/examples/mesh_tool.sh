#!/bin/sh
# Runs the mesh tool on small files, good and bad, and checks exit codes, counts and messages.
#
#     tests/examples/mesh_tool.sh PATH_TO_BINARY

set -u
case ${1:-} in
'') echo "usage: $0 PATH_TO_BINARY" >&2 && exit 2 ;;
/*) tool=$1 ;;
*) tool=$PWD/$1 ;;
esac
cd "${0%/*}/files" || exit 1
work=${TMPDIR:-/tmp}/mesh_tool_test.$$
mkdir "$work" || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
passed=0 failed=0

# check WHAT COMMAND...: counts a command that should succeed.
check() {
    what=$1
    shift
    if "$@" >/dev/null 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $what"
    fi
}

# run CODE ARGUMENTS...: runs the tool; its exit code must be CODE. What it prints is kept.
run() {
    want=$1
    shift
    "$tool" "$@" >"$work/out" 2>"$work/err" </dev/null
    code=$?
    check "mesh_tool $*: exit code $code instead of $want" [ "$code" -eq "$want" ]
}

# row NAME VALUE: one of the rows printed must begin so.
row() {
    check "row '$1' is '$(sed -n "s/^  $1  *//p" "$work/out" | tr '\n' '|')', not '$2'" \
        grep -q "^  $1  *$2\$" "$work/out"
}

# mesh FILE TRIANGLES VERTICES FLAT CLOSED MANIFOLD ORIENTED EULER: all that is known of a file.
mesh() {
    run 0 "$1"
    row triangles "$2"
    row vertices "$3"
    row degenerate "$4 without area"
    row closed "$5"
    row manifold "$6"
    row oriented "$7"
    row Euler "$8"
}

yes_closed='yes (edges with one triangle: 0)'
yes_manifold='yes (edges with more than two: 0, pinched vertices: 0)'
yes_oriented='yes (edges whose triangles disagree: 0)'

# bad FILE MESSAGE: the file must be refused with exactly this line.
bad() {
    run 1 "$1"
    check "$1: said '$(cat "$work/err")', not '$1$2'" [ "$(cat "$work/err")" = "$1$2" ]
    check "$1: printed something" [ ! -s "$work/out" ]
}

# usage MESSAGE ARGUMENTS...: the command line must be refused.
usage() {
    message=$1
    shift
    run 2 "$@"
    check "mesh_tool $*: said '$(cat "$work/err")'" grep -q "^mesh_tool: $message" "$work/err"
}

# ---- good files ----

mesh cube.off 12 '8, used: 8' 0 "$yes_closed" "$yes_manifold" "$yes_oriented" 2
row bounds '-1 -1 -1 to 1 1 1'
mesh forms.obj 12 '8, used: 8' 0 "$yes_closed" "$yes_manifold" "$yes_oriented" 2
row bounds '0 0 0 to 1 1 1'
mesh tetrahedron.stl 4 '4, used: 4' 0 "$yes_closed" "$yes_manifold" "$yes_oriented" 2
mesh colors.off 3 '5, used: 5' 0 'no (edges with one triangle: 5)' "$yes_manifold" "$yes_oriented" 1
mesh normals.off 1 '3, used: 3' 0 'no (edges with one triangle: 3)' "$yes_manifold" "$yes_oriented" 1
mesh edge_of_three.off 3 '5, used: 5' 0 'no (edges with one triangle: 6)' \
    'no (edges with more than two: 1, pinched vertices: 0)' "$yes_oriented" 1
mesh pinched.off 8 '7, used: 7' 0 "$yes_closed" 'no (edges with more than two: 0, pinched vertices: 1)' \
    "$yes_oriented" 3
mesh flipped.off 4 '4, used: 4' 0 "$yes_closed" "$yes_manifold" 'no (edges whose triangles disagree: 3)' 2
mesh flat.off 3 '4, used: 4' 2 'no (edges with one triangle: 4)' "$yes_manifold" \
    'no (edges whose triangles disagree: 1)' 1

# line ends of other systems, no last line end, a byte order mark
awk '{ printf "%s\r\n", $0 }' forms.obj >"$work/crlf.obj"
mesh "$work/crlf.obj" 12 '8, used: 8' 0 "$yes_closed" "$yes_manifold" "$yes_oriented" 2
tr '\n' '\r' <cube.off >"$work/cr.off"
mesh "$work/cr.off" 12 '8, used: 8' 0 "$yes_closed" "$yes_manifold" "$yes_oriented" 2
printf '\357\273\277v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3' >"$work/mark.OBJ"
run 0 "$work/mark.OBJ"
row triangles 1

# a face of 20001 corners on one line
awk 'BEGIN { n = 20001; for (i = 0; i < n; i++) print "v", i, i * i / 1000, 0; printf "f"
             for (i = 1; i <= n; i++) printf " %d/%d/%d", i, i, i; print "" }' >"$work/long.obj"
run 0 "$work/long.obj"
row triangles 19999
row vertices '20001, used: 20001'

# vertices that are only equal by place
awk '/^[0-9-]/ && NR > 2 && NR <= 10 { v[NR - 3] = $0 } /^3 / { print v[$2] "\n" v[$3] "\n" v[$4] }' cube.off >"$work/points"
awk '{ print "v", $0 } NR % 3 == 0 { print "f -3 -2 -1" }' "$work/points" >"$work/soup.obj"
run 0 "$work/soup.obj"
row closed 'no (edges with one triangle: 36)'
run 0 --weld "$work/soup.obj"
row vertices '8, used: 8'
row closed "$yes_closed"

# ---- binary STL: a tetrahedron, of zeros and ones, under a header that begins like text ----

zero='\000\000\000\000' one='\000\000\200\077' infinite='\000\000\200\177'
o=$zero$zero$zero x=$one$zero$zero y=$zero$one$zero z=$zero$zero$one

# binary COUNT TRIANGLE...: the count in octal, a triangle is its three points.
# shellcheck disable=SC2059 # the data are octal escapes
binary() {
    printf 'solid %074d' 0
    count=$1
    shift
    printf "$count"
    for triangle; do printf "$o$triangle\\000\\000"; done
}

binary '\004\000\000\000' "$o$y$x" "$o$x$z" "$o$z$y" "$x$y$z" >"$work/binary.stl"
mesh "$work/binary.stl" 4 '4, used: 4' 0 "$yes_closed" "$yes_manifold" "$yes_oriented" 2
binary '\005\000\000\000' "$o$y$x" "$o$x$z" "$o$z$y" "$x$y$z" | tr s t >"$work/count.stl"
bad "$work/count.stl" ': 5 triangles, as it says, need 334 bytes, not 284'
binary '\377\377\377\377' "$o$y$x" | tr s t >"$work/huge.stl"
bad "$work/huge.stl" ': 4294967295 triangles, as it says, need 214748364834 bytes, not 134'
binary '\001\000\000\000' "$o$y$infinite$zero$zero" >"$work/infinite.stl"
bad "$work/infinite.stl" ': triangle 0: not a finite number'
binary '\000\000\000\000' >"$work/none.stl"
bad "$work/none.stl" ': no triangles in it'

# ---- bad files ----

bad bad/number.obj ':3: wanted a number, found 1.0.0'
bad bad/nan.obj ':2: nan is not finite'
bad bad/infinity.obj ':2: 1e999 is not finite'
bad bad/two_numbers.obj ':2: wanted a number, found the end of the line'
bad bad/vertex_high.obj ':4: wanted a vertex from -3 to 3, found 4'
bad bad/vertex_low.obj ':4: wanted a vertex from -3 to 3, found -4'
bad bad/vertex_zero.obj ':4: vertex 0: they are counted from 1'
bad bad/vertex_word.obj ':5: wanted a vertex from -3 to 3, found 3x'
bad bad/corner.obj ':4: wanted a corner like 1, 1/2, 1//3 or 1/2/3, found /1'
bad bad/two_corners.obj ':5: a face with fewer than three corners'
bad bad/no_triangles.obj ': no triangles in it'
bad bad/header.off ':1: wanted OFF, perhaps after ST, C or N, found PLY'
bad bad/binary.off ':1: wanted a number of vertices from 0 to 4294967280, found BINARY'
bad bad/count.off ':2: wanted a number of vertices from 0 to 4294967280, found three'
bad bad/counts_huge.off ':2: wanted a number of faces from 0 to 536870912, found 4000000000'
bad bad/counts_absurd.off ':2: wanted a number of faces from 0 to 536870912, found 99999999999999999999'
bad bad/vertices_missing.off ':5: the file ends after 2 of 3 vertices'
bad bad/faces_missing.off ':7: the file ends after 1 of 2 faces'
bad bad/faces_more.off ':7: more than the 3 vertices and 1 faces promised'
bad bad/vertex_high.off ':6: wanted a vertex from 0 to 2, found 3'
bad bad/corners_missing.off ':6: wanted a vertex from 0 to 2, found the end of the line'
bad bad/two_corners.off ':6: wanted a number of corners from 3 to 536870912, found 2'
bad bad/truncated.stl ':6: wanted vertex, found the end of the file'
bad bad/two_vertices.stl ':6: wanted vertex, found endloop'
bad bad/endsolid_missing.stl ':9: wanted endsolid, found the end of the file'
bad bad/infinity.stl ':5: inf is not finite'
bad bad/short.stl ': neither begins with solid nor is long enough for a binary STL file'
: >"$work/empty.obj"
bad "$work/empty.obj" ': the file is empty'
bad "$work/notes.txt" ': not an .obj, .off or .stl file'
mkdir "$work/folder.off"
run 1 "$work/folder.off"
run 1 "$work/missing.obj"

# every file, cut off anywhere, is read or refused
for file in forms.obj cube.off tetrahedron.stl "$work/binary.stl"; do
    size=$(wc -c <"$file")
    ending=${file##*.} at=0 wrong=
    while [ "$at" -lt "$size" ]; do
        dd if="$file" of="$work/cut.$ending" bs="$at" count=1 2>/dev/null || : >"$work/cut.$ending"
        "$tool" --quiet "$work/cut.$ending" 2>/dev/null
        [ $? -le 1 ] || wrong="$wrong $at"
        at=$((at + 13))
    done
    check "$file cut off at$wrong" [ -z "$wrong" ]
done

# ---- two meshes ----

# curves: every polyline written must be closed, and run along what was counted.
# shellcheck disable=SC2016 # awk has its own variables
curves() {
    check "$1: a polyline is open" \
        awk '$1 == "l" { if ($2 != $NF) exit 1; n += NF - 2 } END { if (n != '"$2"') exit 1 }' "$work/curve.obj"
}

run 0 --translate 0.5 0.25 0.125 --pairs "$work/pairs" --polyline "$work/curve.obj" cube.off cube.off
row pairs '14 triangles meet'
row 'in one plane' 0
row 'in one point' 0
row curve '14 segments in 1 polylines, closed: 1'
check '14 pairs are written' [ "$(wc -l <"$work/pairs")" -eq 14 ]
curves 'cube and cube' 14
run 0 --scale 0.5 --rotate 10 20 30 --polyline "$work/curve.obj" cube.off "$work/binary.stl"
row pairs '0 triangles meet'
row curve '0 segments in 0 polylines, closed: 0'
run 0 --scale 3 --rotate 10 20 30 --polyline "$work/curve.obj" tetrahedron.stl cube.off
row pairs '0 triangles meet'
run 0 --scale 0.75 --translate 1 1 1 --polyline "$work/curve.obj" cube.off cube.off
row curve '6 segments in 1 polylines, closed: 1'
curves 'cube and small cube' 6
run 0 --translate 2 0 0 cube.off cube.off
row 'in one plane' 16
run 0 --translate 5 0 0 cube.off cube.off
row pairs '0 triangles meet'

# ---- pictures ----

run 0 --picture "$work/a.png" --size 20 10 cube.off
check 'the picture has 678 bytes' [ "$(wc -c <"$work/a.png")" -eq 678 ]
check 'the picture begins as a PNG' [ "$(dd if="$work/a.png" bs=1 skip=1 count=3 2>/dev/null)" = PNG ]
run 0 --picture "$work/b.png" --size 20 10 cube.off
check 'the picture is the same again' cmp "$work/a.png" "$work/b.png"
run 0 --picture "$work/b.png" --size 20 10 --from 90 -30 --up z cube.off
check 'another view is another picture' test "$(cksum <"$work/a.png")" != "$(cksum <"$work/b.png")"
run 0 --quiet --picture "$work/c.png" --size 1 1 cube.off forms.obj
check '--quiet prints nothing' [ ! -s "$work/out" ]
run 1 --picture "$work/no/such.png" cube.off

# ---- demo ----

run 0 --size 40 30 --demo "$work"
row triangles 64800
row closed "$yes_closed"
row Euler 0
# shellcheck disable=SC2016 # as above
check 'the demo finds closed curves only' awk '/^  curve/ { n = $5; m = $8 } END { exit !(n > 0 && n == m) }' "$work/out"
for file in mesh.png pair.png intersection.obj; do check "the demo writes $file" [ -s "$work/$file" ]; done
run 0 --size 40 30 --demo "$work" cube.off
row triangles 12
run 1 --demo "$work/no"

# ---- command lines ----

run 0 --help
check '--help shows examples' grep -q '^Examples:' "$work/out"
usage 'wants a mesh'
usage 'more than two meshes' cube.off cube.off cube.off
usage 'unknown option --colour' --colour cube.off
usage '--size wants 2 numbers' --size 3
usage '--size wants 1 to 16384 pixels' --size 0 10 cube.off
usage '--rotate wants 3 numbers' --rotate 1 2 x cube.off
usage '--scale wants more than 0' --scale 0 cube.off
usage '--up wants x, y or z' --up w cube.off
usage '--picture wants a name' cube.off --picture

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
