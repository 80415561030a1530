#!/bin/sh
# Makes sure that there is a C compiler with a C library, and make; does nothing where they are. Nothing else is needed to
# compile the library, its tests and its examples.

set -eu

# A program that uses the headers and the math library can be built.
compiles() {
    command -v make >/dev/null || return 1
    probe=$(mktemp -d)
    printf '#include <math.h>\n#include <stdio.h>\nint main(int n, char **v) { (void)v; return printf("%%g", sqrt(n)) < 0; }\n' \
        >"$probe/probe.c"
    ${CC:-cc} "$probe/probe.c" -o "$probe/probe" -lm 2>/dev/null && found=0 || found=1
    rm -r "$probe"
    return $found
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        echo "tools/setup.sh: to install a C compiler and make, run this as root: $*" >&2
        exit 1
    fi
}

if compiles; then exit 0; fi

if command -v apt-get >/dev/null; then
    apt="apt-get -q -o DPkg::Lock::Timeout=400"
    as_root $apt update
    as_root env DEBIAN_FRONTEND=noninteractive $apt install -y --no-install-recommends gcc libc6-dev make
elif command -v dnf >/dev/null; then
    as_root dnf install -y gcc make
elif command -v apk >/dev/null; then
    as_root apk add gcc musl-dev make
elif command -v pacman >/dev/null; then
    as_root pacman -S --noconfirm --needed gcc make
elif command -v zypper >/dev/null; then
    as_root zypper --non-interactive install gcc make
elif command -v brew >/dev/null; then
    brew install gcc make
fi

if ! compiles; then
    echo "tools/setup.sh: install a C compiler (cc) and make, and try again" >&2
    exit 1
fi
