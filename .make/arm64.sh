#!/bin/sh
# Cross-builds the matrix kernels for arm64 and runs their tests under qemu-user. Last line: "N passed, M failed".
# usage: BUILD=… arm64.sh
set -u
folder=$BUILD/arm64
cc=${CROSS_CC:-aarch64-linux-gnu-gcc}
for tool in "$cc" qemu-aarch64; do
    command -v "$tool" >/dev/null || { echo "arm64: needs $tool: install with \"make deps-dev\""; exit 1; }
done
mkdir -p "$folder"
passed=0 failed=0
for test in tensor matmul; do
    if "$cc" -std=c11 -O2 -Wall -Wextra -Wpedantic -Wshadow -Werror -ffp-contract=off -D_POSIX_C_SOURCE=200809L \
            -fopenmp -iquote . -I tests/arm64 -o "$folder/test_$test" tests/test_$test.c tests/arm64/check.c \
            common/matmul.c common/matmul_*.c common/tensor.c common/bf16.c common/rng.c common/status.c \
            common/require.c -lm &&
        qemu-aarch64 -L /usr/aarch64-linux-gnu "$folder/test_$test"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
