#!/bin/sh
# The head and the size of the picture, and the message about one that cannot be written.
#
#     tests/examples/two_meshes.sh PATH_TO_BINARY

. "${0%/*}/common.sh"

"$tool" rings.ppm >steps || complain "exit code $?"
picture rings.ppm 960 240
"$tool" none/rings.ppm >steps 2>message && complain "a picture in no folder is written"
[ "$(cat message)" = 'cannot write the picture' ] || complain "says $(cat message)"
exit $failed
