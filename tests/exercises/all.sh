#!/bin/sh
# The exercises in make test: one line each, by chapter, and a count. Not started is not a failure.
# usage: BUILD=… all.sh [CHAPTER]
set -u
# shellcheck source=tests/exercises/lib.sh
. tests/exercises/lib.sh
done=0 open=0 bad=0 broken=0 last=''
for id in $(ids "${1-}"); do
    chapter=${id%%.*}
    if [ "$chapter" != "$last" ]; then
        echo "exercises of chapter $chapter"
        last=$chapter
    fi
    judge_it "$id" --line
    case $? in
    0) done=$((done + 1)) ;;
    77) open=$((open + 1)) ;;
    97) broken=$((broken + 1)) ;;
    *) bad=$((bad + 1)) ;;
    esac
done
total=$((done + open + bad + broken))
if [ "$broken" -gt 0 ]; then
    echo "exercises: $broken of $total could not be checked"
    exit 97
fi
if [ "$bad" -gt 0 ]; then
    echo "exercises: $done of $total done, $bad to fix: make exercise EX=<number> explains one"
    exit 1
fi
echo "exercises: $done of $total done"
