#!/bin/sh
# What static analysers say of the modules, each compiled alone: cppcheck, clang-tidy (.clang-tidy has its checks), the analyzer of
# clang, gcc -fanalyzer. A finding is mended, or stands in analysis.txt with its reason; any other one fails, and so does a line
# there under which nothing is found any more.
#
#     tests/hygiene/analysis.sh [TOOL...]
#
# cppcheck reads all modules, clang-tidy one in SHARE of them, with each commit the next; that is what time allows in `make check`.
# With ANALYSIS=all in the environment all four read everything, which takes some fifteen minutes of a core (JOBS=2: of two); with
# ANALYSIS=convex/ what has that in its path. What is listed is found by one version of a tool; others find others, and are left out.
. "${0%/*}/common.sh"

LIST=$HERE/analysis.txt
ANALYSIS=${ANALYSIS-}
TOOLS=$*
SHARE=4
GCC_SECONDS=120 # for a module; beyond that it is a finding
[ "$ANALYSIS" ] && JOBS=${JOBS:-1} || JOBS=1

# Checks of cppcheck that are left out: what one call answers is declared in one line (variableScope); the numbers of a vector
# lie in a row, and are read so (objectIndex); a struct that a call fills is taken for one that it reads (ctuuninitvar).
CPPCHECK_OUT='--suppress=variableScope --suppress=objectIndex --suppress=ctuuninitvar'

# ---- the tools ----

version() {
    case $1 in
    cppcheck) cppcheck --version | sed 's/.* //' ;;
    clang-*) clang-tidy --version | sed -n 's/.*version \([0-9]*\).*/\1/p' ;;
    gcc) gcc -dumpversion | sed 's/\..*//' ;;
    esac
}

# It reads #if as gcc has it on x86-64, but for the vectors, which it does not know.
run_cppcheck() {
    cppcheck -q --std=c99 --platform=unix64 --enable=warning,performance,portability,style $CPPCHECK_OUT -D__GNUC__=12 \
        -D__x86_64__ -Itools/src --template='{file}:{line}:{column}: {message} [{id}]' --template-location= "$1"
}

run_clang_tidy() {
    clang-tidy --quiet "$1" -- -std=c99 -Itools/src
}

# It gives up a function after 30 000 states, a seventh of what it would look at by itself. Left out: memcpy and memset are all
# that there is in C99; structs are in the order in which they are read.
run_clang_analyzer() {
    clang-tidy --quiet --checks="-*,clang-analyzer-*,-clang-analyzer-security.insecureAPI.*,-clang-analyzer-optin.performance.*" "$1" -- -std=c99 -Itools/src -Xclang -analyzer-config -Xclang max-nodes=30000
}

# -O0: optimisers copy structs by their members, some of which nobody set or needs.
run_gcc() {
    (ulimit -t $GCC_SECONDS && exec gcc -std=c99 -O0 -fanalyzer -fdiagnostics-plain-output -Itools/src -S -o /dev/null "$1")
}

# findings TOOL FILE: lines FILE:LINE:COLUMN: MESSAGE [CHECK]. What is found at no line is the file's, as is a tool that fails.
findings() {
    "run_$(echo "$1" | tr - _)" "$2" >"$WORK/$3log" 2>&1 || echo "$2:1:1: $1 ends with exit code $? [failed]"
    sed -e "s|^$ROOT/||" -e "s|^cc1: |$2:1:1: |" -e 's/ \[CWE-[0-9]*\]//' "$WORK/$3log" |
        grep '^[^ :]*:[0-9]*:[0-9]*: .*\[[-A-Za-z][-A-Za-z0-9.,=]*\]$'
}

# Reads findings; writes lines FILE FUNCTION CHECK FINDING; `-` is what is outside of functions.
place() {
    awk '
        function enclosing(file, line, text, n, name) {
            name = "-"
            while (n++ < line && (getline text <file) > 0) {
                if (text ~ /^}/ && n < line) name = "-"
                if (text ~ /^[A-Za-z].*\(/ && text !~ /;$/ && match(text, /cdi?_[a-z0-9_]+\(/))
                    name = substr(text, RSTART, RLENGTH - 1)
            }
            close(file)
            return name
        }
        {
            split($0, part, ":")
            check = $0
            sub(/.*\[/, "", check)
            sub(/[],].*/, "", check)
            sub(/^-W/, "", check)
            file = part[1]
            sub(/^tools\/src\//, "", file)
            print file, enclosing(part[1], part[2] + 0), check, $0
        }'
}

# examine TOOL LIST-OF-FILES: TOOL.found has what place() writes, each finding once; headers are read with many modules.
examine() {
    for part in $(seq "$JOBS"); do
        awk -v part="$part" -v parts="$JOBS" 'NR % parts == part % parts' "$2" |
            while read -r file; do findings "$1" "$file" "$part."; done >"$WORK/$part.part" &
    done
    wait
    cat "$WORK"/*.part | place | sort -u >"$WORK/$1.found"
    rm -f "$WORK"/*.part
}

# ---- what is found, and what is listed ----

# A tool that says nothing may have been asked wrongly.
cat >planted.c <<'END'
int cd_planted(int n);
int cd_planted(int n) {
    int *nothing = 0;
    if (n > 5 && n > 5) return *nothing;
    return n;
}
END

# judge TOOL: all that it found is listed, and what is listed of the files it read was found.
judge() {
    sed -n "s/^$1 //p" "$LIST" >"$WORK/listed"
    awk 'FILENAME ~ /listed$/ { listed[$1 " " $2 " " $3]; next } !($1 " " $2 " " $3 in listed)' \
        "$WORK/listed" "$WORK/$1.found" >"$WORK/output"
    if [ -s "$WORK/output" ]; then
        failed "$1" "$(grep -c '' "$WORK/output") findings that are neither mended nor listed with a reason"
    else
        ok "$1"
    fi
    sed 's|^tools/src/||' "$2" >"$WORK/read"
    awk -v all="$3" '
        FILENAME ~ /read$/ { read[$1]; next }
        FILENAME ~ /found$/ { found[$1 " " $2 " " $3]; next }
        NF < 4 { print "no reason: " $0 }
        !($1 " " $2 " " $3 in found) && (all || $1 in read) { print "found no more: " $0 }' \
        "$WORK/read" "$WORK/$1.found" "$WORK/listed" >"$WORK/stale"
    empty "$1-list" "analysis.txt does not fit" "$WORK/stale"
}

cd "$ROOT" || exit 1
ls tools/src/*/*.c >"$WORK/modules"
[ ! "$ANALYSIS" ] || [ "$ANALYSIS" = all ] || { ls tools/src/*/*.c | grep -e "$ANALYSIS" >"$WORK/modules"; }
turn=$(git rev-list --count HEAD 2>/dev/null || echo 0)
awk -v turn="$turn" -v share=$SHARE 'NR % share == turn % share' "$WORK/modules" >"$WORK/share"

# look TOOL VERSION COMMAND
look() {
    case " ${TOOLS:-$1} " in *" $1 "*) ;; *) return ;; esac
    [ "$ANALYSIS" ] || case $1 in clang-analyzer | gcc) return ;; esac
    if ! have "$3"; then skipped "$1" "not installed" && return; fi
    if [ "$(version "$1")" != "$2" ]; then skipped "$1" "analysis.txt is of version $2, this is $(version "$1")" && return; fi
    echo "$WORK/planted.c" >"$WORK/planted"
    examine "$1" "$WORK/planted"
    if [ ! -s "$WORK/$1.found" ]; then failed "$1-planted" "does not find what is wrong in planted.c" && return; fi
    chosen=$WORK/modules all=yes
    if [ ! "$ANALYSIS" ] && [ "$1" != cppcheck ]; then chosen=$WORK/share; fi
    if [ "$ANALYSIS" != all ] && [ "$ANALYSIS$1" != cppcheck ]; then all=; fi
    examine "$1" "$chosen"
    judge "$1" "$chosen" "$all"
}

look cppcheck 2.10 cppcheck
look clang-tidy 14 clang-tidy
look clang-analyzer 14 clang-tidy
look gcc 12 gcc
grep -v -e '^#' -e '^$' -e '^cppcheck ' -e '^clang-tidy ' -e '^clang-analyzer ' -e '^gcc ' "$LIST" >"$WORK/strange"
empty list "analysis.txt names no tool" "$WORK/strange"
finish
