#!/bin/sh
# The page "Where the time goes" says what the tables that are kept beside it say, and these are consistent.
# usage: BUILD=… BIN=… test_measured.sh       last line: N passed, M failed
set -u
export LC_ALL=C.UTF-8
chapter=chapters/06-qwen2.5
page=$chapter/where-the-time-goes.md
bench=$chapter/measured/bench.tsv
steps=$chapter/measured/bench-steps.tsv
folder=$BUILD/measured
rm -rf "$folder"
mkdir -p "$folder"
# shellcheck source=tests/support/checks.sh
. tests/support/checks.sh

# ---- The tables of the page are those that the script makes of the kept TSVs.
sh tests/bench/page.sh >"$folder/page"
check 'the tables of the page (make bench-keep)' cmp "$folder/page" "$page"

# ---- The kept tables themselves: shares and gains follow from the speeds.
near='function near(a, b) { return a >= 0.985 * b && a <= 1.015 * b }
      function bad(what) { print what ": " $0; wrong = 1 }
      END { exit wrong || NR < 2 }'
check 'shares of bench.tsv' awk -F '\t' "$near"' NR == 1 { if ($0 != "name\tvalue\tunit\troof\tratio") bad("header"); next }
    NF != 5 || $2 + 0 <= 0 { bad("columns") }
    $4 != "-" && !near($2 / $4, $5) { bad("ratio") }' $bench
check 'gains and shares of bench-steps.tsv' awk -F '\t' "$near"' NR == 1 { if ($0 != "name\tstep\tms\tvalue\tunit\tgain\troof\tratio") bad("header"); next }
    NF != 8 || $3 + 0 <= 0 || $4 + 0 <= 0 || $7 + 0 <= 0 { bad("columns"); next }
    !near($4 / $7, $8) { bad("ratio") }
    substr($1, 1, 6) == last { if (!near($4 / before, $6) || !near(time / $3, $6)) bad("gain") }
    substr($1, 1, 6) != last && $6 != "-" { bad("gain of the first") }
    { last = substr($1, 1, 6); before = $4; time = $3 }' $steps
# 988 MB take as many ms as the bytes at that speed; 512 tokens as the operations: computed from the shape once more.
check 'times of bench-steps.tsv' awk -F '\t' "$near"' BEGIN { layers = 24 * 896 * (1152 + 896 + 9728 + 4864); head = 151936 * 896 }
    $1 ~ /^decode/ && !near($3, 2 * (layers + head) / $4 / 1e6) { bad("ms") }
    $1 ~ /^prefill/ && !near($3, 2 * 512 * layers / $4 / 1e6) { bad("ms") }' $steps
for name in roof.read.1 roof.read.all roof.fma.1 roof.fma.all decode.0 decode.0.1thread decode.1024 decode.batch8 \
    prefill.64 prefill.512 prefill.512.f32 prefill.512.1thread start rss tokenizer.load \
    tokenizer.english tokenizer.chinese tokenizer.code tiny.decode; do
    check "bench.tsv: $name" grep -q "^$name	" $bench
done
for name in decode.plain decode.sums decode.vectors decode.prefetch decode.kernel decode.threads prefill.plain prefill.sums \
    prefill.vectors prefill.tiles prefill.panels prefill.threads; do
    check "bench-steps.tsv: $name" grep -q "^$name	" $steps
done

# ---- What the text says about them.
gain() { awk -F '\t' -v n="$1" '$1 == n { print $6 }' $steps; }
holds() { awk "BEGIN { exit !($1) }"; }
check 'rows side by side gain at decode' holds "$(gain decode.kernel) > 1.05"
check 'two cores are not twice as fast at decode' holds "$(gain decode.threads) < 1.9"
check 'a batch is faster, a prompt much faster than one sequence' awk -F '\t' '{ v[$1] = $2 }
    END { exit !(v["prefill.512"] > 3 * v["decode.0"] && v["decode.batch8"] > 2 * v["decode.0"] / 0.988) }' $bench
# A number with a unit stands in a table, or is the size of a page or of the prefetch.
sed '/<!-- measured/,/<!-- end/d' $page | grep -oE '[0-9][0-9.]* (ms|s|[kMG]B|GB/s|GFLOP/s|tokens/s|%|million|billion)' | sort -u |
    grep -vxE '2 MB|4 kB' >"$folder/numbers"
sed -n "/<!-- measured/,/<!-- end/p" $page >"$folder/tables"
while read -r number; do
    check "the text says $number, no table does" grep -qF -- "$number" "$folder/tables"
done <"$folder/numbers"

# ---- The figure was drawn from these tables.
figure=plots/figures/ch6-roofline.svg
label() { awk -F '\t' -v n="$1" -v f="$2" '$1 == n { printf f, $2 }' $bench; }
for text in "$(label roof.read.all '%.0f GB/s')" "$(label roof.read.1 'one thread: %.0f GB/s')" \
    "$(label roof.fma.all 'all threads: %.0f GFLOP/s')" "$(label roof.fma.1 'one thread: %.0f GFLOP/s')"; do
    check "$figure: $text" grep -qF -- ">$text<" $figure
done

# ---- The bytes of a token's keys and values are those that chapter 5 counts.
"$BIN/chapter5" --step 8 >"$folder/chapter5" 2>/dev/null
bytes=$(sed -n 's/.* | \([0-9]*\) bytes |$/\1/p' $page)
check "KV cache: $bytes bytes a token" grep -qw "$bytes" "$folder/chapter5"
rm -rf "$folder"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
