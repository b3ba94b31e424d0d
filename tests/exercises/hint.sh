#!/bin/sh
# make hint: one more hint each time; after the last one it begins again.
# usage: BUILD=… hint.sh ID
set -u
# shellcheck source=tests/exercises/lib.sh
. tests/exercises/lib.sh
need_id "${1-}"
case ${EX_LANG:-${LANG-}} in
zh*) language=zh ;;
*) language=en ;;
esac
given=$BUILD/exercises/$1/hints-given
n=$(cat "$given" 2>/dev/null || echo 0)
total=$(awk -F '\t' -v l="$language" '$1 ~ /^hint[0-9]+$/ && $2 == l' "$exercises/$1/messages.tsv" | wc -l | tr -d ' ')
n=$((n % total + 1))
awk -F '\t' -v l="$language" -v name="hint$n" -v n="$n" -v total="$total" \
    '$1 == name && $2 == l { printf "%d/%d  %s\n", n, total, $3 }' "$exercises/$1/messages.tsv"
mkdir -p "$BUILD/exercises/$1" && echo "$n" >"$given"
