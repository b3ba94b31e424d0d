#!/bin/sh
# Runs the tests named as arguments, one line each, and counts. What fails prints in full.
# usage: BUILD=… BIN=… run.sh test_rope test_chapter3 …
#
# RUN: an emulator that the programs are run with (qemu-aarch64), or nothing.
# A test is $BUILD/tests/<name>, a Check program, or tests/<name>.sh, a script whose last line is "N passed, M failed".
# The counts come from the test that ran: one that ends before its summary, or that ran nothing, has failed.
set -u
export BUILD BIN
# Tests ask for more memory than there is, to see the error: malloc must then return NULL under AddressSanitizer too.
export ASAN_OPTIONS="allocator_may_return_null=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
rm -rf "$BUILD/golden-used"
mkdir -p "$BUILD/golden-used" "$BUILD/tests"
passed=0 failed=0
log=$BUILD/tests/output.txt

counts_of() { # "checks bad" from the summary in the log, nothing when there is none
    awk '/^[0-9]+%: Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+$/ { checks = $3 + 0; bad = $5 + $7; seen = 1 }
         /^[0-9]+ passed, [0-9]+ failed$/ { checks = $1 + $3; bad = $3; seen = 1 }
         END { if (seen) print checks, bad }' "$log"
}

for name in "$@"; do
    if [ -f "tests/$name.sh" ]; then set -- sh "tests/$name.sh"; else set -- ${RUN:+"$RUN"} "$BUILD/tests/$name"; fi
    "$@" >"$log" 2>&1 </dev/null
    code=$?
    counts=$(counts_of)
    reason=$(sed -n 's/^skipped: //p' "$log")
    if [ "$code" -eq 0 ] && [ -n "$reason" ]; then
        printf '  %-24s skipped: %s\n' "$name" "$reason"
        continue
    fi
    checks=${counts% *} bad=${counts#* }
    if [ -z "$counts" ] || [ "$checks" -eq 0 ]; then
        checks=1 bad=1
        echo "ended with exit code $code and no summary" >>"$log"
    elif [ "$code" -ne 0 ] && [ "$bad" -eq 0 ]; then
        bad=1
        echo "ended with exit code $code" >>"$log"
    fi
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
