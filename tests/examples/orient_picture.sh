#!/bin/sh
# The picture is the same to the byte everywhere, and a folder that is not there is an error.
#
#     tests/examples/orient_picture.sh PATH_TO_BINARY

set -u
picture=${TMPDIR:-/tmp}/orient_picture.$$.png
trap 'rm -f "$picture"' EXIT
trap 'exit 1' HUP INT TERM
"$1" "$picture" || exit 1
sum=$(cksum <"$picture")
if [ "$sum" != '3328533909 33628' ]; then
    echo "the picture's checksum is $sum"
    exit 1
fi
if "$1" /no/such/folder/picture.png >/dev/null; then
    echo "does not notice that it cannot write"
    exit 1
fi
