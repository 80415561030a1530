#!/bin/sh
# Installs collide.h with the files by which pkg-config and CMake find it.
#
#     tools/install.sh DESTDIR PREFIX
#
# Files go to DESTDIR/PREFIX/...; DESTDIR, for packagers, is empty otherwise. All of it is independent of the machine.

set -eu
if [ $# -ne 2 ] || [ -z "$2" ]; then
    echo "usage: $0 DESTDIR PREFIX (DESTDIR may be empty)" >&2
    exit 2
fi
root=$(cd "${0%/*}/.." && pwd)
prefix=$2 target=$1$2
version=$(sed -n 's/^#define CD_VERSION_STRING "\([0-9.]*\)"$/\1/p' "$root/collide.h")

mkdir -p "$target/include" "$target/share/pkgconfig" "$target/share/cmake/collide"
cp "$root/collide.h" "$target/include/collide.h"

cat >"$target/share/pkgconfig/collide.pc" <<END
prefix=$prefix
includedir=\${prefix}/include

Name: collide
Description: Collision detection in one C header
Version: $version
Cflags: -I\${includedir}
Libs: -lm
END

# The folder of the header is found from the place of this file, so that an installed tree may be moved.
cat >"$target/share/cmake/collide/collideConfig.cmake" <<'END'
if(NOT TARGET collide::collide)
    get_filename_component(collide_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
    add_library(collide::collide INTERFACE IMPORTED)
    set_target_properties(collide::collide PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${collide_prefix}/include")
    if(UNIX)
        set_target_properties(collide::collide PROPERTIES INTERFACE_LINK_LIBRARIES m)
    endif()
    unset(collide_prefix)
endif()
END

# A request is met by the same major version that is not older; before 1.0 by the same minor version.
cat >"$target/share/cmake/collide/collideConfigVersion.cmake" <<END
set(PACKAGE_VERSION $version)
END
cat >>"$target/share/cmake/collide/collideConfigVersion.cmake" <<'END'
if(PACKAGE_VERSION MATCHES "^0\\.")
    string(REGEX MATCH "^[0-9]+\\.[0-9]+" collide_series "${PACKAGE_VERSION}")
else()
    string(REGEX MATCH "^[0-9]+" collide_series "${PACKAGE_VERSION}")
endif()
if(PACKAGE_FIND_VERSION VERSION_LESS collide_series OR PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
    set(PACKAGE_VERSION_COMPATIBLE FALSE)
else()
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
endif()
unset(collide_series)
END
