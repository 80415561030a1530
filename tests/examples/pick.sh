#!/bin/sh
# The head and the size of the picture, and the message about one that cannot be written.
#
#     tests/examples/pick.sh PATH_TO_BINARY

set -u
case ${1:-} in
'') echo "usage: $0 PATH_TO_BINARY" >&2 && exit 2 ;;
/*) tool=$1 ;;
*) tool=$PWD/$1 ;;
esac
work=${TMPDIR:-/tmp}/pick_test.$$
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

"$tool" pick.ppm >picks || complain "exit code $?"
[ "$(head -c 15 pick.ppm | tr '\n' ' ')" = 'P6 640 400 255 ' ] || complain "not the picture's head"
[ "$(wc -c <pick.ppm)" -eq $((15 + 3 * 640 * 400)) ] || complain "not the picture's size"
"$tool" none/pick.ppm >picks 2>message && complain "a picture in no folder is written"
[ "$(cat message)" = 'cannot write the picture' ] || complain "says $(cat message)"
exit $failed
