#!/bin/sh
# Lists the lines of common/ and chapters/ that no test reached, and the share of lines by file.
# usage: BUILD=build/coverage coverage.sh
set -u
command -v gcov >/dev/null 2>&1 || {
    echo 'coverage: gcov (part of gcc) is not installed' >&2
    exit 1
}
report=$BUILD/report
mkdir -p "$report"
find "$BUILD/common" "$BUILD/chapters" -name '*.gcda' | while read -r data; do
    gcov --stdout "$data" 2>/dev/null
done | awk '
    /^ *-: *0:Source:/ { file = $0; sub(/.*Source:/, "", file); next }
    file ~ /^(common|chapters)\// {
        count = $1
        sub(/:$/, "", count)
        split($0, part, ":")
        line = part[2] + 0
        if (line == 0 || count == "-") next
        total[file]++
        if (count == "#####" || count == "=====") { missed[file]++; lines[file] = lines[file] " " line }
    }
    END {
        for (file in total) {
            all += total[file]
            bad += missed[file]
            printf "%6.1f %%  %-44s %s\n", 100 - 100 * missed[file] / total[file], file, lines[file]
        }
        if (all > 0) printf "%6.1f %%  all, %d of %d lines\n", 100 - 100 * bad / all, all - bad, all
    }' | sort -n >"$report/lines.txt"
cut -c 1-160 "$report/lines.txt"
echo "the whole list: $report/lines.txt"
