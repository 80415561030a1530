#!/bin/sh
# The numbers of a box from a file of either kind, closed and open, the picture of it, and messages about bad files.
#
#     tests/examples/distance_slice.sh PATH_TO_BINARY

. "${0%/*}/common.sh"

{
    for z in 0 2; do printf 'v 0 0 %s\nv 2 0 %s\nv 2 2 %s\nv 0 2 %s\n' $z $z $z $z; done
    printf 'f %s\n' '1 4 3 2' '5 6 7 8' '1/1 2//2 6/3/4 5' '-7 -6 -2 -3' '3 4 8 7' '4 1 5 8'
} >box.obj
{
    printf 'OFF\n8 6 0\n'
    for z in 0 2; do printf '0 0 %s\n2 0 %s\n2 2 %s\n0 2 %s\n' $z $z $z $z; done
    printf '4 %s\n' '0 3 2 1' '4 5 6 7' '0 1 5 4' '1 2 6 5' '2 3 7 6' '3 0 4 7'
} >box.off
"$tool" box.obj box.ppm >numbers || complain "exit code $? for a box"
"$tool" box.off >same || complain "exit code $? for a box as OFF"
cmp -s numbers same || complain "the kind of file counts"
grep -q '^12 triangles, 9409 points, 59.8 % of them inside$' numbers || complain "not the inside of the box"
grep -q '^distances from -1.0000 to ' numbers || complain "not the distance to its sides"
grep -q 'winding number 1.000, nearest triangles at 1.0000 1.0000 1.0000$' numbers || complain "not its middle"
picture box.ppm 600 600

# Its color in the middle is blue, at the corner red; on the side it is dark.
color() { tail -c $((3 * (600 * 600 - $1))) box.ppm | head -c 3 | od -An -tu1; }
color $((300 * 600 + 300)) | { read -r r _ b && [ "$b" -gt "$r" ]; } || complain "the inside is not blue"
color 0 | { read -r r _ b && [ "$r" -gt "$b" ]; } || complain "the outside is not red"
color $((300 * 600 + 69)) | { read -r r _ && [ "$r" -lt 120 ]; } || complain "there is no line along the side"

"$tool" box.obj box.ppm 2 >above || complain "exit code $? above the box"
grep -q ' 0.0 % of them inside' above || complain "something is above the box"
sed '$d' box.obj >open.obj
"$tool" open.obj >open || complain "exit code $? for an open box"
grep -q 'winding number 0.833' open || complain "not five sixths"

echo 'f 1 2 3' >bad.obj
"$tool" bad.obj 2>message && complain "a face without vertices is read"
[ "$(cat message)" = 'cannot read the mesh' ] || complain "says $(cat message)"
"$tool" none.obj 2>message && complain "a file that is not there is read"
[ "$(cat message)" = 'cannot read the mesh' ] || complain "says $(cat message)"
"$tool" box.obj none/box.ppm >numbers 2>message && complain "a picture in no folder is written"
[ "$(cat message)" = 'cannot write the picture' ] || complain "says $(cat message)"
exit $failed
