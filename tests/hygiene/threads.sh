#!/bin/sh
# Threads: threads.c under the thread sanitizer, which tells of accesses that are in no order; the program itself compares the
# bytes that builders make with one thread and with several, and the answers of queries asked one after another and at once.
#
# The library is that of the baseline, and its builders share out smaller parts than they do for users: little work for many threads.
. "${0%/*}/common.sh"
baseline_header

smaller='s/^#define CDI_PART 16384u$/#define CDI_PART 64u/
    s/^#define CDI_TASK_LEAST 4096u$/#define CDI_TASK_LEAST 64u/
    s/CDI_KEY_PART_LEAST = 8192 /CDI_KEY_PART_LEAST = 64 /'
sed -e "$smaller" baseline/collide.h >collide.h
changed=$(diff baseline/collide.h collide.h | grep -c '^>')
[ "$changed" -eq 3 ] && ok parts || failed parts "$changed of 3 sizes of parts were found in collide.h"

echo 'int main(void) { return 0; }' >probe.c
for compiler in $COMPILERS; do
    # The quickest to compile with; the other would show the same.
    [ "$compiler" = clang ] || [ "$COMPILERS" = " $compiler" ] || continue
    sanitize='-O0 -g1 -fsanitize=thread'
    if ! $compiler $sanitize probe.c -o probe -lpthread 2>/dev/null || ! ./probe; then
        skipped "$compiler" "no thread sanitizer"
        continue
    fi
    attempt "$compiler-build" "$compiler" -std=gnu99 $sanitize -w -I. "$HERE/threads.c" -o program -lpthread -lm
    attempt "$compiler" env TSAN_OPTIONS='halt_on_error=1 exitcode=66 history_size=7' ./program
done
finish
