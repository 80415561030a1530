#!/bin/sh
# The head and the size of the picture, and the message about one that cannot be written.
#
#     tests/examples/slide_on_mesh.sh PATH_TO_BINARY

set -u
case ${1:-} in
'') echo "usage: $0 PATH_TO_BINARY" >&2 && exit 2 ;;
/*) tool=$1 ;;
*) tool=$PWD/$1 ;;
esac
work=${TMPDIR:-/tmp}/slide_on_mesh_test.$$
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

"$tool" 300 path.ppm >report || complain "exit code $?"
[ "$(head -c 15 path.ppm | tr '\n' ' ')" = 'P6 512 320 255 ' ] || complain "not the picture's head"
[ "$(wc -c <path.ppm)" -eq $((15 + 3 * 512 * 320)) ] || complain "not the picture's size"
"$tool" 0 none/path.ppm >report 2>message && complain "a picture in no folder is written"
[ "$(cat message)" = 'cannot write the picture' ] || complain "says $(cat message)"
exit $failed
