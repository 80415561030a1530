#!/bin/sh
# No name leaks: what an include of collide.h adds to the macros and to the names at file scope begins with its prefixes.
. "${0%/*}/common.sh"

# The system headers that the implementation may bring; a compiler lists what they define, and that is left out.
SYSTEM='stdbool.h stddef.h stdint.h'
MORE='assert.h math.h stdlib.h string.h'
for header in $SYSTEM; do echo "#include <$header>"; done >system.c
for header in $SYSTEM $MORE; do echo "#include <$header>"; done >more.c
printf '#if defined(__SSE2__)\n#include <immintrin.h>\n#elif defined(__aarch64__)\n#include <arm_neon.h>\n#endif\n' >>more.c
echo '#include "collide.h"' >interface.c
printf '#define COLLIDE_IMPLEMENTATION\n#include "collide.h"\n' >implementation.c

macros_of() {
    $compiler -x $language $flags -I"$ROOT" -dM -E "$1" | awk '{ sub(/\(.*/, "", $2); print $2 }' | sort -u
}

# The declarations at file scope and the constants of enums, from clang's own view of the file.
names_of() {
    clang -x $language $flags -I"$ROOT" -fsyntax-only -fno-color-diagnostics -Xclang -ast-dump "$1" | awk '
        /^[|`]-LinkageSpecDecl/ { linkage = 1; next }
        /^[|`]-/ { linkage = 0 }
        /^[|`]-[A-Za-z]*Decl / || linkage && /^[| ] [|`]-[A-Za-z]*Decl / || / EnumConstantDecl / || /-EnumConstantDecl / {
            if (/ParmVarDecl|EmptyDecl|-StaticAssertDecl/) next
            line = $0
            sub(/ \x27.*/, "", line)                   # the type
            sub(/( definition| extern| static| inline| cinit| callinit| struct| union)+$/, "", line)
            n = split(line, word, " ")
            if (word[n] ~ /^[A-Za-z_][A-Za-z0-9_]*$/ && word[n] !~ /^(struct|union|enum)$/) print word[n]
        }' | sort -u
}

for compiler in $COMPILERS; do
    for language in c c++; do
        for real in float double; do
            flags=$(real_flags $real)
            name=$compiler-$language-$real
            macros_of system.c >known
            macros_of interface.c | comm -13 known - >added
            allowed='^CD_\|^COLLIDE_'
            [ $real = float ] || allowed="$allowed\\|^cd_"
            grep -v "$allowed" added >strange
            empty "$name-interface-macros" "macros without prefix" strange
            macros_of more.c >known
            macros_of implementation.c | comm -13 known - | grep -v "$allowed" >strange
            empty "$name-implementation-macros" "macros without prefix" strange
        done
    done
done

if have clang; then
    for language in c c++; do
        for real in float double; do
            flags=$(real_flags $real)
            name=$language-$real
            names_of system.c >known
            names_of interface.c | comm -13 known - >added
            grep -q '^cd_vec3' added && grep -q '^CD_OK$' added && grep -q '^cd_bvh_build_mesh' added ||
                failed "$name-interface" "the list of names does not hold what it should"
            grep -v '^cd_\|^CD_' added >strange
            empty "$name-interface" "names without prefix" strange
            names_of more.c >known
            names_of implementation.c | comm -13 known - |
                grep -v '^cd_\|^CD_\|^cdi_\|^CDI_\|^__builtin_' >strange
            empty "$name-implementation" "names without prefix" strange
        done
    done
fi
finish
