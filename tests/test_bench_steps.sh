#!/bin/sh
# The ladder of optimisations, on few rows of each matrix: every rung's products are right (the program looks itself), and
# the table and the file say something about each.
# usage: BUILD=… test_bench_steps.sh       last line: N passed, M failed
set -u
export OMP_WAIT_POLICY=passive # beside other tests, turning in a loop would only take their time
folder=$BUILD/bench-steps
rm -rf "$folder"
mkdir -p "$folder"
# shellcheck source=tests/support/checks.sh
. tests/support/checks.sh
steps=$BUILD/tests/bench/steps/steps
check 'the program' sh -c '"$1" --small "$2/steps.tsv" >"$2/out"' sh "$steps" "$folder"
check 'no line is wider than 80 columns' awk 'length > 80 { print; wrong = 1 } END { exit wrong }' "$folder/out"
check 'columns' awk -F '\t' '
    NR == 1 { if ($0 != "name\tstep\tms\tvalue\tunit\tgain\troof\tratio") wrong = 1; next }
    NF != 8 || $3 !~ /^[0-9.e+-]+$/ || $4 !~ /^[0-9.e+-]+$/ || $5 !~ /^G(B|FLOP)\/s$/ { print; wrong = 1 }
    $6 !~ /^(-|[0-9.e+-]+)$/ || $7 !~ /^[0-9.e+-]+$/ || $8 !~ /^[0-9.e+-]+$/ { print; wrong = 1 }
    END { exit wrong || NR < 13 }' "$folder/steps.tsv"
for name in decode.plain decode.sums decode.vectors decode.prefetch decode.kernel decode.threads prefill.plain prefill.sums \
    prefill.vectors prefill.tiles prefill.panels prefill.threads; do
    check "$name" grep -q "^$name	" "$folder/steps.tsv"
done
"$steps" >/dev/null 2>"$folder/said"
check 'wrong usage' [ $? -eq 2 ]
check 'a file that cannot be written' sh -c '! "$1" --small "$2/no/steps.tsv"' sh "$steps" "$folder"
rm -rf "$folder"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
