#!/bin/sh
# Every number in chapters/claims.md stands in the output of the command beside it.
# usage: BUILD=… BIN=… test_claims.sh       last line: N passed, M failed
set -u
folder=$BUILD/claims
rm -rf "$folder"
mkdir -p "$folder"
grep '^| .*`\./chapter' chapters/claims.md >"$folder/rows"
# A rounding error (5e-10) may be another one with another compiler: its size is compared, within a factor of 10.
stands_in() { # stands_in NUMBER FILE
    grep -qF -- "$1" "$2" && return 0
    case $1 in
    [0-9]*e-[0-9]*) tr -s ' ,()' '\n' <"$2" | awk -v x="$1" '$1 + 0 > 0 && $1 / x < 10 && x / $1 < 10 { found = 1 } END { exit !found }' ;;
    *) return 1 ;;
    esac
}
passed=0 failed=0
while IFS='|' read -r _ claim _ numbers command _; do
    command=$(printf '%s' "$command" | tr -d '`' | sed 's|^ *\./||')
    output=$folder/$(printf '%s' "$command" | tr -c 'a-z0-9\n' '_')
    # shellcheck disable=SC2086
    [ -f "$output" ] || "$BIN"/$command >"$output" 2>/dev/null || {
        failed=$((failed + 1))
        echo "FAILED: $command"
    }
    # The numbers: what stands between backquotes in the third column.
    printf '%s\n' "$numbers" | awk -F '`' '{ for (i = 2; i <= NF; i += 2) print $i }' >"$folder/numbers"
    while read -r number; do
        if stands_in "$number" "$output"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAILED:$claim: $number is not printed by $command"
        fi
    done <"$folder/numbers"
done <"$folder/rows"
rm -rf "$folder"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
