#!/bin/sh
# The test programs and the six programs under valgrind: memory errors and leaks fail.
# usage: BUILD=… BIN=… valgrind.sh test_rope test_chapter3 …      last line: N passed, M failed
#
# Left out: tests that start a program (test_chapter*), which valgrind does not follow, as the programs run here
# themselves; test_matmul, which tries every kernel; test_goldens, which only asks what the others used. valgrind knows
# AVX2 but not every AVX-512 instruction, so the kernel is chosen by hand. It runs one thread at a time: one that waits
# must not spin.
set -u
export BUILD BIN KERNEL=avx2 CK_TIMEOUT_MULTIPLIER=40 OMP_WAIT_POLICY=passive
command -v valgrind >/dev/null 2>&1 || {
    echo 'valgrind: is not installed; "make deps-dev" installs it' >&2
    exit 1
}
grep -q avx2 /proc/cpuinfo || KERNEL=portable
logs=$BUILD/valgrind
rm -rf "$logs"
mkdir -p "$logs"

# One line, NAME COMMAND…: the log stays when the run failed.
run_one='
    set -- $1
    log=$BUILD/valgrind/$1
    shift
    if valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,indirect \
        --suppressions=.make/valgrind.supp "$@" >"$log" 2>&1 </dev/null && ! grep -q "^==[0-9]*== [A-Z]" "$log"; then
        rm "$log"
    fi
'
runs() {
    echo "chapter6 $BIN/chapter6 -n 3"
    echo "chapter5 $BIN/chapter5"
    echo "chapter4 $BIN/chapter4 --steps 5 --seeds 2"
    echo "chapter3 $BIN/chapter3 --trials 20"
    echo "chapter2 $BIN/chapter2"
    echo "chapter1 $BIN/chapter1"
    for test in "$@"; do
        case $test in
        test_chapter* | test_matmul | test_goldens) ;;
        *) echo "$test $BUILD/tests/$test" ;;
        esac
    done
}
runs "$@" >"$logs.txt"
total=$(wc -l <"$logs.txt")
# The last tests of the syllabus take the longest: they start first.
awk '{ line[NR] = $0 } END { while (NR > 0) print line[NR--] }' "$logs.txt" | tr '\n' '\0' | xargs -0 -P "${JOBS:-$(getconf _NPROCESSORS_ONLN)}" -n 1 sh -c "$run_one" run_one
failed=0
for log in "$logs"/*; do
    [ -f "$log" ] || continue
    failed=$((failed + 1))
    printf '  %-24s FAILED\n' "$(basename "$log")"
    sed 's/^/    /' "$log"
done
rm -rf "$logs" "$logs.txt"
printf '%d passed, %d failed\n' $((total - failed)) "$failed"
[ "$failed" -eq 0 ]
