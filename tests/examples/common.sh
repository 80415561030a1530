# common.sh - what the examples' scripts share; one begins with
#
#     . "${0%/*}/common.sh"
#
# and ends with `exit $failed`. It gets the path of the example's program as its argument, $tool then, and works in a folder of
# its own, which goes away.

set -u
case ${1:-} in
'') echo "usage: $0 PATH_TO_BINARY" >&2 && exit 2 ;;
/*) tool=$1 ;;
*) tool=$PWD/$1 ;;
esac
work=${TMPDIR:-/tmp}/$(basename "$tool")_test.$$
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

# picture FILE WIDTH HEIGHT: a picture of that size.
picture() {
    head="P6 $2 $3 255 "
    [ "$(head -c ${#head} "$1" | tr '\n' ' ')" = "$head" ] || complain "not the picture's head"
    [ "$(wc -c <"$1")" -eq $((${#head} + 3 * $2 * $3)) ] || complain "not the picture's size"
}
