# The table of `make proof`: what was asked of which routine, by what the answers were judged, and how many were wrong. Reads collide.h,
# then what the test programs print with -p. Real cases have the name of their family; all else is explained at ASK in tests/test.h.
# Ends with the public functions that nothing was asked of, and fails where an answer was wrong or a name is none of the library's.

FILENAME != "-" {
    if (/^(CD_API|CD_INLINE) / && match($0, /cd_[a-z0-9_]+\(/)) known[substr($0, RSTART, RLENGTH - 1)] = 1
    next
}

/^== / { real = $2 }

/^row\t/ {
    split($0, cell, "\t")
    sub(/_f64$/, "", cell[3]) # as double builds name it, where a macro has put it in
    key = cell[3] "\t" cell[2]
    if (!(key in place)) {
        place[key] = ++count
        keys[count] = key
    }
    for (i = 4; i <= 8; ++i) {
        inputs[key, i] += cell[i]
        tried[key, real] += cell[i]
    }
    wrong[key, real] = cell[9]
    worst[key, real] = cell[10] > 0 ? sprintf("%.2f ulps", cell[10]) : cell[11] > 0 ? int(100 * cell[11] + 0.5) "%" : "-"
    asked[cell[3]] = 1
    next
}

/^[0-9]+ passed, / { ended[real] = 1 }
/(passed|failed)/ || /^skipped / || /: got / || /^    / { print }

function row_of(a, b, c, d, e, f, g, h, i, j, k, l, m) {
    printf "%-40s %-20s %8s %8s %8s %8s %8s   %9s %5s %10s   %9s %5s %10s\n", a, b, c, d, e, f, g, h, i, j, k, l, m
}

# The least first, by halves.
function sort(lo, hi,    i, j, t, middle) {
    if (lo >= hi) return
    middle = keys[int((lo + hi) / 2)]
    i = lo
    j = hi
    while (i <= j) {
        while (keys[i] < middle) ++i
        while (keys[j] > middle) --j
        if (i <= j) {
            t = keys[i]
            keys[i++] = keys[j]
            keys[j--] = t
        }
    }
    sort(lo, j)
    sort(i, hi)
}

function cell_of(key, real) {
    return (key, real) in wrong
}

END {
    sort(1, count)
    print "\nInputs: of both number types. Worst: the largest error seen, in ulps of the size that the check names, or as a part of what"
    print "the check allows; 100% would be as large as allowed.\n"
    row_of("", "", "random", "touching,", "all", "far", "", "float", "", "", "double", "", "")
    row_of("routine", "judged by", "in cube", "flat...", "sizes", "off", "others", "tried", "wrong", "worst", "tried", "wrong", "worst")
    for (n = 1; n <= count; ++n) {
        key = keys[n]
        split(key, name, "\t")
        for (r = 1; r <= 2; ++r) {
            real = r == 1 ? "float" : "double"
            t[r] = cell_of(key, real) ? tried[key, real] : "-"
            w[r] = cell_of(key, real) ? wrong[key, real] : "-"
            o[r] = cell_of(key, real) ? worst[key, real] : "-"
            all[real] += tried[key, real]
            bad += wrong[key, real]
        }
        row_of(name[1], name[2], inputs[key, 5], inputs[key, 6], inputs[key, 7], inputs[key, 8], inputs[key, 4], \
            t[1], w[1], o[1], t[2], w[2], o[2])
        if (!(name[1] in known)) {
            print "FAILED: " name[1] " is no public function"
            ++bad
        }
    }
    row_of("all", "", "", "", "", "", "", all["float"], "", "", all["double"], "", "")
    for (f in asked) ++routines
    for (f in known) {
        ++functions
        if (!(f in asked)) keys[++left] = f
    }
    sort(1, left)
    print "\n" routines " of " functions " public functions are in the table" \
        (left ? "; others are tested where nothing is counted, or in corpus only:" : "")
    for (n = 1; n <= left; ++n) {
        if (length(line keys[n]) > 130) {
            print line
            line = ""
        }
        line = line " " keys[n]
    }
    if (left) print line
    for (real in ended) ++ends
    if (ends < 2) print "FAILED: a program has not ended"
    print bad + 0 " wrong"
    exit bad > 0 || ends < 2
}
