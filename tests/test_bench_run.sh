#!/bin/sh
# The benchmark itself, with a model of a few MB: it writes every line that others read, by its name.
# usage: BUILD=… test_bench_run.sh       last line: N passed, M failed
set -u
export OMP_WAIT_POLICY=passive # beside other tests, turning in a loop would only take their time
folder=$BUILD/bench-run
rm -rf "$folder"
mkdir -p "$folder"
# shellcheck source=tests/support/checks.sh
. tests/support/checks.sh

bench() { # TSV FLAGS…
    tsv=$1
    shift
    "$BUILD/tests/bench/bench" --small "$@" "$folder/$tsv" "$folder/model" "$BUILD/qwen2.5-tokenizer" >"$folder/out" 2>"$folder/err" ||
        wrong "bench $*: $(cat "$folder/err")"
}
has_lines() { # TSV NAME…
    tsv=$folder/$1
    shift
    for name in "$@"; do
        if [ "$(cut -f 1 "$tsv" | grep -cx "$name")" -eq 1 ]; then ok; else wrong "$tsv: not one line $name"; fi
    done
}
# Five columns; value / roof is ratio but for the rounding of its four digits, or both are "-".
check_columns() { # TSV
    if awk -F '\t' '
        NR == 1 { if ($0 != "name\tvalue\tunit\troof\tratio") bad = "header" ; next }
        NF != 5 || $2 !~ /^[0-9.e+-]+$/ { bad = $0 }
        ($4 == "-") != ($5 == "-") { bad = $0 }
        $5 != "-" { off = $2 / $4 - $5; if (off > 1e-4 * (1 + $5) || off < -1e-4 * (1 + $5)) bad = $0 }
        END { if (bad != "" || NR < 2) { print bad; exit 1 } }' "$folder/$1" >"$folder/bad"; then ok; else
        wrong "$1: $(cat "$folder/bad")"
    fi
}

bench full.tsv
check_columns full.tsv
has_lines full.tsv roof.read.1 roof.read.all roof.fma.1 roof.fma.all decode.0 decode.0.1thread decode.1024 decode.4096 \
    decode.batch8 decode.batch32 prefill.64 prefill.512 prefill.512.f32 prefill.512.1thread prefill.2048 prefill.4096 \
    prefill.attention prefill.memory prefill.threads start rss tokenizer.load tokenizer.english tokenizer.chinese tokenizer.code \
    tokenizer.linear sampler tiny.decode
if awk 'length > 80 { exit 1 }' "$folder/out"; then ok; else wrong 'the table is wider than 80 columns'; fi

bench quick.tsv --quick --only decode
has_lines quick.tsv decode.0 decode.1024 decode.batch8
if ! cut -f 1 "$folder/quick.tsv" | grep -qE '4096|batch32|prefill'; then ok; else wrong 'a quick run of decode measures more'; fi

# A kernel that multiplies bfloat16 is measured with two terms and with one, against float32 in the same run.
for kernel in amx avx512bf16 neonbf16; do
    if KERNEL=$kernel "$BUILD/tests/bench/bench" --small --quick --only prefill.512 "$folder/$kernel.tsv" "$folder/model" \
        "$BUILD/qwen2.5-tokenizer" >"$folder/out" 2>"$folder/err"; then
        has_lines $kernel.tsv prefill.512.f32 prefill.512.two prefill.512.one
        if awk -F '\t' '$1 == "prefill.512.f32" { f32 = $2 } /^prefill\.512\.(two|one)/ { if ($4 != f32) exit 1 }' \
            "$folder/$kernel.tsv"; then ok; else wrong "$kernel: the roof of two terms and of one is not prefill.512.f32"; fi
    elif ! grep -q 'cannot run it\|not built in' "$folder/err"; then
        wrong "bench with $kernel: $(cat "$folder/err")"
    fi
done

if BUILD="$BUILD" sh tests/bench/shares.sh "$folder/full.tsv" >"$folder/out" 2>&1; then ok; else wrong "shares.sh: $(cat "$folder/out")"; fi
if command -v gnuplot >/dev/null 2>&1; then
    if grep -q 'prefill\.512' "$folder/full-shares.svg"; then ok; else wrong 'no prefill.512 in the picture'; fi
fi
if PATH=/nonexistent /bin/sh tests/bench/shares.sh "$folder/full.tsv" 2>&1 | grep -q 'gnuplot is not installed'; then ok; else
    wrong 'shares.sh without gnuplot says nothing'
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
