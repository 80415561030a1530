#!/bin/sh
# An installed library is found and used by pkg-config and by CMake.
. "${0%/*}/common.sh"

PREFIX=$WORK/prefix
version=$(sed -n 's/^#define CD_VERSION_STRING "\(.*\)"/\1/p' "$ROOT/collide.h")
attempt install "$ROOT/tools/install.sh" "" "$PREFIX"
attempt same-header cmp "$ROOT/collide.h" "$PREFIX/include/collide.h"
attempt staged-install "$ROOT/tools/install.sh" "$WORK/stage" /usr
attempt staged-pkg-config grep -q -x 'prefix=/usr' "$WORK/stage/usr/share/pkgconfig/collide.pc"

if have pkg-config; then
    PKG_CONFIG_PATH=$PREFIX/share/pkgconfig
    export PKG_CONFIG_PATH
    attempt pkg-config-version test "$(pkg-config --modversion collide)" = "$version"
    attempt pkg-config-use sh -c '"$@" -o program && ./program' build cc -DHOLDS_LIBRARY \
        $(pkg-config --cflags collide) "$HERE/use.c" "$HERE/main.c" $(pkg-config --libs collide)
else
    skipped pkg-config "not installed"
fi

if have cmake; then
    mkdir project
    cat >project/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.5)
project(user C)
find_package(collide \${WANTED} REQUIRED)
add_executable(program $HERE/use.c $HERE/main.c)
target_compile_definitions(program PRIVATE HOLDS_LIBRARY)
target_link_libraries(program PRIVATE collide::collide)
END
    configure() {
        rm -rf built
        cmake -S project -B built -DCMAKE_PREFIX_PATH="$PREFIX" -DWANTED="$1"
    }
    attempt cmake configure "$version"
    attempt cmake-use sh -c 'cmake --build built && built/program'
    attempt cmake-any-version configure ""
    refuse cmake-later-version 'compatible with requested version\|requested version' configure "$version.1"
    refuse cmake-other-series 'requested version' configure 99.0
else
    skipped cmake "not installed"
fi
finish
