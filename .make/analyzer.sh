#!/bin/sh
# The static analyzers of gcc and clang on common/ and chapters/: NULL, freed and uninitialized memory, file handles,
# followed through calls. A finding fails.
# usage: BUILD=… analyzer.sh [FILE.c…]      (none: all)
#
# -Wanalyzer-malloc-leak is off: gcc 12 loses a pointer that is stored through an array it has just seen realloc'd and
# calls it leaked. AddressSanitizer (make asan) and valgrind look for leaks in the running tests instead.
set -u
gcc=${ANALYZER_CC:-gcc}
clang=${ANALYZER_CLANG:-clang}
echo 'int main(void) { return 0; }' | "$gcc" -fanalyzer -x c -o /dev/null - >/dev/null 2>&1 || {
    echo "analyzer: $gcc does not know -fanalyzer; it takes gcc 12 or newer" >&2
    exit 1
}
echo 'int main(void) { return 0; }' | "$clang" --analyze -x c -o /dev/null - >/dev/null 2>&1 || {
    echo "analyzer: $clang cannot analyze; \"make deps-dev\" installs clang" >&2
    exit 1
}
if [ $# -eq 0 ]; then set -- common/*.c chapters/*/*.c; fi
libraries=$(sed -n 's/^CHAPTER6_CFLAGS =//p' "$BUILD/config.mk")
export gcc clang libraries BUILD

# One file with both; its name goes to standard output when there was a finding, the finding to standard error.
analyze='
    kernel=$(sed -n "s/^FLAGS_$(basename "$1" .c) = //p" "$BUILD/config.mk")
    flags="-std=c11 -O2 -D_POSIX_C_SOURCE=200809L -fopenmp -iquote . -DSOURCE_DIR=\".\" $libraries $kernel"
    "$gcc" $flags -fanalyzer -Wno-analyzer-malloc-leak -Werror -c -o /dev/null "$1" || echo "$1: gcc"
    found=$("$clang" --analyze --analyzer-output text $flags "$1" 2>&1) && [ -z "$found" ] ||
        { echo "$found" >&2; echo "$1: clang"; }
'
bad=$(printf '%s\n' "$@" | xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 1 sh -c "$analyze" analyze)
[ -z "$bad" ] || printf '%s\n' "$bad"
echo "analyzer: $# files, $(printf '%s' "$bad" | grep -c .) findings"
[ -z "$bad" ]
