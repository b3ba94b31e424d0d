#!/bin/sh
# The test programs and the six programs under valgrind: memory errors and leaks fail.
# usage: BUILD=… BIN=… valgrind.sh test_rope …      last line: N passed, M failed
#
# Tests that start a program (test_chapter*) are left to the second half: valgrind does not follow it there. valgrind
# knows AVX2 but not every AVX-512 instruction, so the kernel is chosen by hand.
set -u
export BUILD BIN KERNEL=avx2 CK_TIMEOUT_MULTIPLIER=40
passed=0 failed=0
log=$BUILD/valgrind.txt
run() { # run NAME COMMAND…
    name=$1
    shift
    if valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,indirect \
        --suppressions=.make/valgrind.supp "$@" >"$log" 2>&1 </dev/null && ! grep -q '^==[0-9]*== [A-Z]' "$log"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf '  %-24s FAILED\n' "$name"
        sed 's/^/    /' "$log"
    fi
}
command -v valgrind >/dev/null 2>&1 || {
    echo 'valgrind: is not installed; "make deps-dev" installs it' >&2
    exit 1
}
grep -q avx2 /proc/cpuinfo || KERNEL=portable
for test in "$@"; do
    case $test in
    test_chapter* | test_matmul) ;;
    *) run "$test" "$BUILD/tests/$test" ;;
    esac
done
run chapter1 "$BIN/chapter1"
run chapter2 "$BIN/chapter2"
run chapter3 "$BIN/chapter3" --trials 20
run chapter4 "$BIN/chapter4" --steps 5 --seeds 2
run chapter5 "$BIN/chapter5"
run chapter6 "$BIN/chapter6" -n 3
rm -f "$log"
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
