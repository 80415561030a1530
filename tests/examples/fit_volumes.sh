#!/bin/sh
# The volumes of a box from a file, the size of a picture, and messages about bad files.
#
#     tests/examples/fit_volumes.sh PATH_TO_BINARY

set -u
case ${1:-} in
'') echo "usage: $0 PATH_TO_BINARY" >&2 && exit 2 ;;
/*) tool=$1 ;;
*) tool=$PWD/$1 ;;
esac
work=${TMPDIR:-/tmp}/fit_volumes_test.$$
mkdir "$work" || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work" || exit 1
failed=0

# complain TEXT...
complain() {
    failed=1
    echo "$*"
}

{
    for z in 0 1; do printf 'v 0 0 %s\nv 3 0 %s\nv 3 1 %s\nv 0 1 %s\n' $z $z $z $z; done
    printf 'f %s\n' '1 4 3 2' '5 6 7 8' '1/1 2//2 6/3/4 5' '-7 -6 -2 -3' '3 4 8 7' '4 1 5 8'
} >box.obj
"$tool" box.obj box.ppm >table || complain "exit code $? for a box"
for name in 'hull' 'AABB' 'OBB, smallest' '26-DOP' 'zonotope'; do
    grep -q "^$name  *3.0000  *1.000\$" table || complain "$name: not the volume of the box"
done
[ "$(head -c 15 box.ppm | tr '\n' ' ')" = 'P6 900 540 255 ' ] || complain "not the picture's head"
[ "$(wc -c <box.ppm)" -eq $((15 + 3 * 900 * 540)) ] || complain "not the picture's size"

echo 'f 1 2 3' >bad.obj
"$tool" bad.obj 2>message && complain "a face without vertices is read"
[ "$(cat message)" = 'cannot read the mesh' ] || complain "says $(cat message)"
"$tool" none.obj 2>message && complain "a file that is not there is read"
[ "$(cat message)" = 'cannot read the mesh' ] || complain "says $(cat message)"
exit $failed
