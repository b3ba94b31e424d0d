#!/bin/sh
# Compiles one exercise: the student's file, its cases, the harness.
# usage: BUILD=… CC=… build.sh ID [asan]
#
# Leaves $BUILD/exercises/ID/child (or child-asan) and build.log, the compiler's words. A student's file that does not
# compile leaves no child and is no failure of this script. The student's file is compiled on its own, with only the
# exercise headers in reach: it does not see cases, solutions or expected values.
set -u
# shellcheck source=tests/exercises/lib.sh
. tests/exercises/lib.sh
need_id "${1-}"
id=$1 kind=${2-}
out=$BUILD/exercises/$id
file=$(file_of "$id")
headers=chapters/$(field "$id" 2)/exercises
child=$out/child
flags='-std=c11 -O1 -g -D_POSIX_C_SOURCE=200809L'
if [ "$kind" = asan ]; then
    child=$out/child-asan
    flags="$flags -fsanitize=address -fno-omit-frame-pointer"
fi
log=$out/build.log
# A build that failed for want of room is not the student's fault.
need_room() {
    if ! head -c 1000000 /dev/zero 2>/dev/null >"$out/room"; then
        rm -f "$out/room"
        echo "exercise $id: cannot be built: $out: no room left" >&2
        exit 97
    fi
    rm -f "$out/room"
}
mkdir -p "$out" || exit 97
rm -f "$child" "$out/child-asan"
if [ ! -f "$file" ]; then
    echo "error: $file is missing; make reset EX=$id brings it back" >"$log"
    exit 0
fi
# shellcheck disable=SC2086
if ! $CC $flags -Wall -Wextra -fno-diagnostics-show-option -iquote "$headers" -c -o "$out/student.o" "$file" \
    >"$log" 2>&1; then
    need_room
    exit 0
fi
# shellcheck disable=SC2086
$CC $flags -iquote "$headers" -iquote "$exercises/harness" -c -o "$out/cases.o" "$exercises/$id/cases.c" &&
    $CC $flags -c -o "$out/harness.o" "$exercises/harness/child.c" || exit 97
# shellcheck disable=SC2086
if ! $CC $flags -o "$child.new" "$out/student.o" "$out/cases.o" "$out/harness.o" -lm >>"$log" 2>&1; then
    need_room
    exit 0
fi
mv "$child.new" "$child"
