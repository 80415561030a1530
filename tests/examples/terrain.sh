#!/bin/sh
# The head and the size of the picture, and the message about one that cannot be written.
#
#     tests/examples/terrain.sh PATH_TO_BINARY

. "${0%/*}/common.sh"

"$tool" terrain.ppm >tables || complain "exit code $?"
picture terrain.ppm 640 400
"$tool" none/terrain.ppm >tables 2>message && complain "a picture in no folder is written"
[ "$(cat message)" = 'cannot write the picture' ] || complain "says $(cat message)"
exit $failed
