#!/bin/sh
# make exercise: one exercise, explained.
# usage: BUILD=… CC=… one.sh ID
set -u
# shellcheck source=tests/exercises/lib.sh
. tests/exercises/lib.sh
need_id "${1-}"
state=$(judge_it "$1" --record | cut -f 2)
if [ "$state" = CRASH ]; then # once more with the address sanitizer, which knows the line
    sh "$exercises/build.sh" "$1" asan >/dev/null 2>&1
fi
judge_it "$1"
code=$?
[ "$code" -eq 77 ] || exit "$code"
