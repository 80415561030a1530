#!/bin/sh
# The volumes of a box from a file, the size of a picture, and messages about bad files.
#
#     tests/examples/fit_volumes.sh PATH_TO_BINARY

. "${0%/*}/common.sh"

{
    for z in 0 1; do printf 'v 0 0 %s\nv 3 0 %s\nv 3 1 %s\nv 0 1 %s\n' $z $z $z $z; done
    printf 'f %s\n' '1 4 3 2' '5 6 7 8' '1/1 2//2 6/3/4 5' '-7 -6 -2 -3' '3 4 8 7' '4 1 5 8'
} >box.obj
"$tool" box.obj box.ppm >table || complain "exit code $? for a box"
for name in 'hull' 'AABB' 'OBB, smallest' '26-DOP' 'zonotope'; do
    grep -q "^$name  *3.0000  *1.000\$" table || complain "$name: not the volume of the box"
done
picture box.ppm 900 540

echo 'f 1 2 3' >bad.obj
"$tool" bad.obj 2>message && complain "a face without vertices is read"
[ "$(cat message)" = 'cannot read the mesh' ] || complain "says $(cat message)"
"$tool" none.obj 2>message && complain "a file that is not there is read"
[ "$(cat message)" = 'cannot read the mesh' ] || complain "says $(cat message)"
exit $failed
