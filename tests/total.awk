# Passes a test run through, and ends it with the sum of its lines `N passed, N failed`. A program that says `failed` without
# a failure of its own, because it crashed, counts as one.
/^[0-9]+ passed, [0-9]+ failed$/ {
    passed += $1
    failed += $3
    explained = $3 > 0
}
$0 == "failed" {
    failed += !explained
    explained = 0
    next
}
{ print }
END {
    print "== all"
    print passed + 0 " passed, " failed + 0 " failed"
    exit failed > 0 || passed == 0
}
