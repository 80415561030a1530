#!/bin/sh
# The head and the size of the picture, and the message about one that cannot be written.
#
#     tests/examples/pick.sh PATH_TO_BINARY

. "${0%/*}/common.sh"

"$tool" pick.ppm >picks || complain "exit code $?"
picture pick.ppm 640 400
"$tool" none/pick.ppm >picks 2>message && complain "a picture in no folder is written"
[ "$(cat message)" = 'cannot write the picture' ] || complain "says $(cat message)"
exit $failed
