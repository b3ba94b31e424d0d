#!/bin/sh
# Runs the test programs named as arguments, one line each, and counts. What fails prints in full.
# usage: BUILD=… BIN=… run.sh test_rope test_chapter3 …
set -u
export BUILD BIN
rm -rf "$BUILD/golden-used"
mkdir -p "$BUILD/golden-used"
passed=0 failed=0
log=$BUILD/tests/output.txt
for name in "$@"; do
    "$BUILD/tests/$name" >"$log" 2>&1 </dev/null
    code=$?
    # Check's summary: "100%: Checks: 12, Failures: 0, Errors: 0". The count comes from the program that ran.
    counts=$(sed -n 's/^[0-9]*%: Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\)$/\1 \2 \3/p' "$log")
    checks=${counts%% *} bad=${counts#* }
    if [ -z "$counts" ]; then
        failed=$((failed + 1))
        printf '  %-24s FAILED: ended with %d before its summary\n' "$name" "$code"
        sed 's/^/    /' "$log"
        continue
    fi
    bad=$((${bad% *} + ${bad#* }))
    [ "$code" -ne 0 ] && [ "$bad" -eq 0 ] && bad=1
    [ "$checks" -eq 0 ] && bad=1
    passed=$((passed + checks - bad))
    failed=$((failed + bad))
    if [ "$bad" -eq 0 ]; then
        printf '  %-24s %4d ok\n' "$name" "$checks"
    else
        printf '  %-24s %4d of %d FAILED\n' "$name" "$bad" "$checks"
        sed 's/^/    /' "$log"
    fi
done
rm -f "$log"
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
