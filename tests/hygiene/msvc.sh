#!/bin/sh
# The dialect of Microsoft's compiler, as clang-cl has it: the library compiles without a word, in C and as C++, for its x86-64, its
# 32-bit x86 with SSE2 and its Arm. Headers of its C library are not to be had here: what is declared below stands for them.
. "${0%/*}/common.sh"

mkdir -p stubs
cat >stubs/stdlib.h <<'END_OF_HEADER'
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
void *malloc(size_t size);
void free(void *block);
void *_aligned_malloc(size_t size, size_t align);
void _aligned_free(void *block);
#ifdef __cplusplus
}
#endif
END_OF_HEADER
cat >stubs/string.h <<'END_OF_HEADER'
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
#ifdef __cplusplus
}
#endif
END_OF_HEADER
cat >stubs/math.h <<'END_OF_HEADER'
#ifdef __cplusplus
extern "C" {
#endif
double sqrt(double x);
#ifdef __cplusplus
}
#endif
END_OF_HEADER
echo '#define assert(held) ((void)(held))' >stubs/assert.h
echo '#include <stdlib.h>' >stubs/malloc.h

compiler=
for name in clang-cl clang-cl-14 clang-cl-19; do
    [ "$compiler" ] || ! have $name || compiler=$name
done
if [ ! "$compiler" ]; then
    skipped msvc "no clang-cl"
    finish
fi
printf '#define COLLIDE_IMPLEMENTATION\n#include "collide.h"\n' >library.c
for machine in x86_64 "i686 /arch:SSE2" aarch64; do
    for build in /TC '/TP /DCOLLIDE_DOUBLE'; do
        attempt "${machine%% *}$(echo "$build" | tr -d ' ' | tr / -)" $compiler --target=${machine%% *}-pc-windows-msvc \
            $(echo "$machine" | grep -o '/.*') $build /W4 /WX /Zs -Istubs -I"$ROOT" library.c
    done
done
finish
