#!/bin/sh
# The handout builds and tests by itself, holds no solution, and grades a solved exercise.
# usage: BUILD=… test_handout.sh       last line: N passed, M failed
set -u
# shellcheck source=tests/support/checks.sh
. tests/support/checks.sh
root=$PWD
folder=$root/$BUILD/handout-test
rm -rf "$folder"
mkdir -p "$folder"
check 'make handout' python3 tests/exercises/handout.py "$folder/handout.tar.gz"
check 'it unpacks' tar -xzf "$folder/handout.tar.gz" -C "$folder"
tree=$folder/handout
no_answers() { [ -z "$(find "$tree" -path '*/wrong/*' -o -name 'solution-*' | head -n 1)" ]; }
check 'no solutions or wrong answers' no_answers
no_right() { ! awk -F '\t' '$1 !~ /^hint/ && $4 != "" { bad = 1 } END { exit !bad }' "$tree"/tests/exercises/*/messages.tsv; }
check 'no answers in the messages' no_right
check 'exercises are not started' env -u MAKEFLAGS -u MAKELEVEL make -C "$tree" BUILD=build test-exercises
check 'a chapter builds' env -u MAKEFLAGS -u MAKELEVEL make -C "$tree" BUILD=build chapter1
cp tests/exercises/3.1/solution-power.c "$tree/chapters/03-rope-relative/exercises/3.1-inverse-frequencies.c"
check 'a solution is DONE' env -u MAKEFLAGS -u MAKELEVEL make -C "$tree" BUILD=build exercise EX=3.1
cp tests/exercises/3.1/wrong/not-inverted.c "$tree/chapters/03-rope-relative/exercises/3.1-inverse-frequencies.c"
names_it() { env -u MAKEFLAGS -u MAKELEVEL make -C "$tree" BUILD=build exercise EX=3.1 | grep -q 'exponent is positive'; }
check 'a misconception is named' names_it
rm -rf "$folder"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
