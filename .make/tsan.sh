#!/bin/sh
# The tests and programs that use threads, under ThreadSanitizer: two threads that touch the same memory without order,
# one of them writing, fail. Nothing is suppressed.
# usage: CC=clang BUILD=build/tsan BIN=build/tsan tsan.sh test_attention test_qwen2 …      last line: N passed, M failed
#
# ThreadSanitizer sees the order that OpenMP makes only through Archer, a tool that comes with clang's OpenMP runtime;
# the runtime itself is not instrumented, so what happens inside it is not looked at. First a program with a race and one
# without show that it works here.
set -u
export BUILD BIN CK_TIMEOUT_MULTIPLIER=20
probe=$BUILD/tsan-probe
trap 'rm -f "$probe".c "$probe" "$probe.log"' EXIT

make_probe() { # make_probe CLAUSE
    printf '#include <omp.h>\nint main(void)\n{\n    int sum = 0;\n#pragma omp parallel for num_threads(4) %s\n%s\n%s\n%s\n}\n' \
        "$1" '    for (int i = 0; i < 1000; i++)' '        sum += i;' '    return sum < omp_get_thread_num();' >"$probe.c"
    "$CC" -O1 -g -fsanitize=thread -fopenmp -o "$probe" "$probe.c"
}
make_probe '' || {
    echo 'tsan: clang with ThreadSanitizer and OpenMP is not installed; "make deps-dev" installs it' >&2
    exit 1
}
runtime=$(ldd "$probe" | awk '/libomp/ { print $3 }')
archer=$(dirname "$(readlink -f "$runtime")")/libarcher.so
[ -f "$archer" ] || {
    echo "tsan: there is no $archer; \"make deps-dev\" installs it (libomp-dev)" >&2
    exit 1
}
export OMP_TOOL_LIBRARIES="$archer" TSAN_OPTIONS="ignore_noninstrumented_modules=1${TSAN_OPTIONS:+:$TSAN_OPTIONS}"
if "$probe" >"$probe.log" 2>&1 || ! grep -q 'data race' "$probe.log"; then
    echo 'tsan: a program with a race was not noticed' >&2
    exit 1
fi
make_probe 'reduction(+ : sum)'
"$probe" >"$probe.log" 2>&1 || {
    cat "$probe.log" >&2
    echo 'tsan: a program without a race was reported' >&2
    exit 1
}

# The whole of test_matmul takes minutes here: the test that compares numbers of threads is the one that uses them.
passed=0 failed=0
check() { # check NAME COMMAND…
    name=$1
    shift
    if "$@" >"$probe.log" 2>&1 </dev/null; then
        printf '  %-28s ok\n' "$name"
        passed=$((passed + 1))
    else
        printf '  %-28s FAILED\n' "$name"
        sed 's/^/    /' "$probe.log"
        failed=$((failed + 1))
    fi
}
for test in "$@"; do
    case $test in
    test_matmul) check "$test, threads" env CK_RUN_CASE=threads "$BUILD/tests/$test" ;;
    *) check "$test" "$BUILD/tests/$test" ;;
    esac
done
check 'chapter4' "$BIN/chapter4" --steps 20 --seeds 4
check 'chapter5' "$BIN/chapter5"
for kernel in $("$BIN/chapter6" --kernels | awk '/usable/ { print $1 }'); do
    check "chapter6, $kernel, 4 threads" env KERNEL="$kernel" "$BIN/chapter6" --threads 4 -n 40
    check "chapter6 --check, $kernel" env KERNEL="$kernel" "$BIN/chapter6" --threads 4 --check
done
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
