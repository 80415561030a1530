# The table of the area classic: bench/run.sh DIR classic | awk -f bench/classic.awk
#
# Of each question and each set of inputs: wrong answers and such as are missing / steps / nanoseconds (the least). Bold: the quickest
# of those that answered all and were right. Those that are handed what they found last, and those that only say yes or no, are
# compared among themselves.
BEGIN { FS = "\t" }
$1 != "classic" { next }
{
    split($2, at, "/")
    question = at[1] ($3 ~ /-again$/ ? ", again" : "") ($3 ~ /chung-wang|gjk-test/ ? ", yes or no" : "")
    key = question SUBSEP $3
    if (!(key in seen)) {
        seen[key] = 1
        if (!(question in methods)) questions[++asked] = question
        method[question, ++methods[question]] = $3
    }
    if (!((at[1], at[2]) in is_set)) {
        is_set[at[1], at[2]] = 1
        set[at[1], ++sets[at[1]]] = at[2]
    }
    if (at[3] ~ /^wrong/ || at[3] == "no answer") wrong[$3, at[1], at[2]] += $4
    if (at[3] == "steps") steps[$3, at[1], at[2]] = $4
    if (at[3] == "min") time[$3, at[1], at[2]] = $4
}
END {
    for (q = 1; q <= asked; ++q) {
        question = questions[q]
        family = question
        sub(/,.*/, "", family)
        line = "| " question " |"
        rule = "|---|"
        for (s = 1; s <= sets[family]; ++s) {
            line = line " " set[family, s] " |"
            rule = rule "--:|"
        }
        print line "\n" rule
        for (m = 1; m <= methods[question]; ++m) {
            line = "| " method[question, m] " |"
            for (s = 1; s <= sets[family]; ++s) line = line " " cell(method[question, m]) " |"
            print line
        }
        print ""
    }
}
function cell(name,    i, other, text, best) {
    best = 1
    for (i = 1; i <= methods[question]; ++i) {
        other = method[question, i]
        if (!wrong[other, family, set[family, s]] && time[other, family, set[family, s]] + 0 < time[name, family, set[family, s]] + 0)
            best = 0
    }
    text = wrong[name, family, set[family, s]] + 0 " / "
    if ((name, family, set[family, s]) in steps) text = text sprintf("%.3g / ", steps[name, family, set[family, s]])
    text = text sprintf("%d", time[name, family, set[family, s]])
    return best && !wrong[name, family, set[family, s]] ? "**" text "**" : text
}
