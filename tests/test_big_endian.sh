#!/bin/sh
# Weights files are little-endian and used where they lie, so a big-endian machine must be refused when chapters 4 to 6 are
# compiled, with the reason. There is none here: the compiler is told that it compiles for one.
# usage: test_big_endian.sh       last line: N passed, M failed
set -u
passed=0 failed=0
wanted='weights files are little-endian and used in place: chapters 4 to 6 need a little-endian machine'
refuses() { # refuses WHAT COMMAND…: does it fail, with that line and no other error?
    what=$1
    shift
    if got=$("$@" 2>&1); then got="compiles: $got"; fi
    errors=$(printf '%s\n' "$got" | grep -c 'error:')
    if [ "$errors" -eq 1 ] && printf '%s\n' "$got" | grep -qF "$wanted"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'failed: %s\n got: %s\nwanted: %s\n' "$what" "$got" "$wanted"
    fi
}
compiler=${CC:-cc}
refuses "$compiler, told so" "$compiler" -std=c11 -U__BYTE_ORDER__ -D__BYTE_ORDER__=__ORDER_BIG_ENDIAN__ -iquote . \
    -fsyntax-only common/tensor.c
# clang compiles for any machine, as far as no header of its system is needed.
if command -v clang >/dev/null 2>&1 && clang -print-targets 2>/dev/null | grep -q systemz; then
    refuses 'clang for s390x' clang --target=s390x-linux-gnu -std=c11 -ffreestanding -fsyntax-only -x c common/tensor.h
fi
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
