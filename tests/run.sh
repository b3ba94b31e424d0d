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
logs=$BUILD/tests/logs
rm -rf "$logs"
mkdir -p "$logs"

# One test: its output goes into a file, its exit code into another. As many at a time as there are processors.
run_one='
    name=$1
    if [ -f "tests/$name.sh" ]; then set -- sh "tests/$name.sh"; else set -- ${RUN:+"$RUN"} "$BUILD/tests/$name"; fi
    "$@" >"$BUILD/tests/logs/$name" 2>&1 </dev/null
    echo $? >"$BUILD/tests/logs/$name.code"
'
processors=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
run_all() { # NAME…, in parallel
    [ $# -eq 0 ] || printf '%s\n' "$@" | xargs -P "${JOBS:-$processors}" -n 1 sh -c "$run_one" run_one
}

counts_of() { # "checks bad" from the summary in a log, nothing when there is none
    awk '/^[0-9]+%: Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+$/ { checks = $3 + 0; bad = $5 + $7; seen = 1 }
         /^[0-9]+ passed, [0-9]+ failed$/ { checks = $1 + $3; bad = $3; seen = 1 }
         END { if (seen) print checks, bad }' "$1"
}

report() { # NAME: one line, and the whole output of a test that failed
    log=$logs/$1
    code=$(cat "$log.code" 2>/dev/null || echo 255)
    counts=$(counts_of "$log")
    reason=$(sed -n 's/^skipped: //p' "$log")
    if [ "$code" -eq 0 ] && [ -n "$reason" ]; then
        printf '  %-24s skipped: %s\n' "$1" "$reason"
        return
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
        printf '  %-24s %4d ok\n' "$1" "$checks"
    else
        printf '  %-24s %4d of %d FAILED\n' "$1" "$bad" "$checks"
        sed 's/^/    /' "$log"
    fi
}

# test_goldens asks what the others used, so it runs when they are done.
last=''
first=''
for name in "$@"; do
    if [ "$name" = test_goldens ]; then last=$name; else first="$first $name"; fi
done
# shellcheck disable=SC2086
run_all $first
[ -z "$last" ] || run_all "$last"
for name in "$@"; do report "$name"; done
rm -rf "$logs"
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
