#!/bin/sh
# The head and the size of the picture, and the message about one that cannot be written.
#
#     tests/examples/waving_cloth.sh PATH_TO_BINARY

. "${0%/*}/common.sh"

"$tool" path.ppm >report || complain "exit code $?"
picture path.ppm 480 320
"$tool" none/path.ppm >report 2>message && complain "a picture in no folder is written"
[ "$(cat message)" = 'cannot write the picture' ] || complain "says $(cat message)"
exit $failed
