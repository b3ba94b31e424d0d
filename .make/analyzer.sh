#!/bin/sh
# gcc's static analyzer on common/: NULL, freed and uninitialized memory, file handles, followed through calls.
# usage: BUILD=… analyzer.sh
#
# -Wanalyzer-malloc-leak is off: gcc 12 loses a pointer that is stored through an array it has just seen realloc'd and
# calls it leaked. AddressSanitizer (make asan) and valgrind look for leaks in the running tests instead.
# chapters/ is left out: gcc 12 follows error_set(error, STATUS_…) into "returned STATUS_OK", which never happens.
set -u
compiler=${ANALYZER_CC:-gcc}
echo 'int main(void) { return 0; }' | "$compiler" -fanalyzer -x c -o /dev/null - >/dev/null 2>&1 || {
    echo "analyzer: $compiler does not know -fanalyzer; it takes gcc 12 or newer" >&2
    exit 1
}
libraries=$(sed -n 's/^CHAPTER6_CFLAGS =//p' "$BUILD/config.mk")
files=0 bad=0
for file in common/*.c; do
    kernel=$(sed -n "s/^FLAGS_$(basename "$file" .c) = //p" "$BUILD/config.mk")
    # shellcheck disable=SC2086
    "$compiler" -std=c11 -O2 -fanalyzer -Wno-analyzer-malloc-leak -Werror -D_POSIX_C_SOURCE=200809L -fopenmp -iquote . \
        -DSOURCE_DIR='"."' $libraries $kernel -c -o /dev/null "$file" || bad=$((bad + 1))
    files=$((files + 1))
done
echo "analyzer: $files files, $bad with findings"
[ "$files" -gt 0 ] && [ "$bad" -eq 0 ]
