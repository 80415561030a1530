#!/bin/sh
# The tests fail when they should: a suite that is wrong on purpose is reported in full, and the program says so.
. "${0%/*}/common.sh"

echo 'SUITE(harness)' >suites.inc
compiler=${COMPILERS# }
compiler=${compiler%% *}
attempt build "$compiler" -std=c11 -Wall -Wextra -Werror -I"$ROOT" -I"$ROOT/tests" -I. "$ROOT/tests/main.c" "$ROOT/tests/harness.c" \
    "$HERE/harness_suite.c" -lm -o tests

./tests -s 7 >report
[ $? -eq 1 ] && ok exit-code || failed exit-code "the exit code is not 1"

# says NAME PATTERN: some line of the report is exactly of this form.
says() {
    cp report output
    if grep -q -x -e "$2" report; then ok "$1"; else failed "$1" "no line '$2' in the report"; fi
}

at() {
    echo ".*harness_suite\\.c:$(grep -n "$1" "$HERE/harness_suite.c" | cut -d: -f1): harness/$2 (seed 7, level [012]): "
}

says check "$(at '1 + 1 == 3' case_wrong)1 + 1 == 3: got false, wanted true"
says check-int "$(at '2 + 2, 5' case_wrong)2 + 2: got 4, wanted 5"
says check-near "$(at '0.75, 0.125' case_wrong)0.25: got 0.25 (0x1p-2), wanted 0.75 (0x1.8p-1) within 0.125"
says check-same "$(at '1.0, 2.0' case_wrong)1.0: got 1 (0x1p+0), wanted 2 (0x1p+1)"
says check-vec "$(at 'got, want, 0.5' case_wrong)got: got (1, 2, 3), wanted (1, 2, 4) within 0.5"
says note '    with input = (0x1p+0, -0x1p-1)'
says goes-on "$(at 'i, -1' case_goes_on)i: got 4, wanted -1"
says counts-the-rest '    ... and 4 more in harness/case_goes_on'
says nan-is-not-near "$(at 'nan, 0.0' case_nan)nan: got -\{0,1\}nan (-\{0,1\}nan), wanted 0 (0x0p+0) within 1"
says skipped 'skipped harness/case_left_out: for a reason'
tail -n 1 report >last
cp report output
if grep -q -x '3 passed, 4 failed' last; then ok count; else failed count "the last line is not '3 passed, 4 failed'"; fi

# Of four questions two are answered wrongly, each by two checks; the last is worst by 3 ulps.
tab=$(printf '\t')
./tests -p case_table >report
says table "row${tab}exact${tab}twice${tab}0${tab}0${tab}4${tab}0${tab}0${tab}2${tab}3${tab}24"
says table-share "row${tab}loop${tab}twice${tab}0${tab}0${tab}1${tab}0${tab}0${tab}0${tab}0${tab}0.25"

# A filter chooses cases; one that chooses none is a mistake, not a success.
./tests case_right >report && grep -q -x '1 passed, 0 failed' report && ok filter || failed filter "case_right alone fails"
./tests ness/case_r >report && grep -q -x '1 passed, 0 failed' report && ok filter-suite || failed filter-suite "ness/case_r fails"
if ./tests arness2/ >report; then failed other-suite "a suite of another name was run"; else ok other-suite; fi
if ./tests no_such_case >report; then failed empty-filter "nothing was run, and all is said to be well"; else ok empty-filter; fi
./tests -x 1 case_times >report && failed size "-x 1 does not repeat ten times as often" || ok size

# With -e a case that draws runs again with the next seeds, until it fails, which is told with that seed; others run once.
./tests -s 7 -e 1 case_draws >report && failed again "-e does not run a case again"
sed -i 's/seed 14/seed 7/' report
says again-seed "$(at '++runs < 8' case_draws)++runs < 8: got false, wanted true"
./tests -e 1 case_right >report
says again-not '1 runs of cases, 0 calls of 0 kinds judged'
./tests -e 1e-9 case_table >report
says again-calls '1 runs of cases, 5 calls of 2 kinds judged'
finish
