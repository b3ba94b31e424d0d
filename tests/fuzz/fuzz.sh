#!/bin/sh
# Drives each target for a while. The corpus that grows stays under the build folder and is gone on with the next time;
# what breaks a target goes to tests/fuzz/regressions, where make test runs it from then on.
# usage: BUILD=… FUZZ_TOKENIZER=… [TIME=60] fuzz.sh [TARGET…]     last line: "N passed, M failed", one each target
set -u
time=${TIME:-60}
[ $# -gt 0 ] || set -- safetensors_file safetensors_header shard_index model_config generation_config tokenizer_file \
    tokenizer_encode tokenizer_decode tokenizer_config chat_template chat json_scan nfc options
max_length() { sed -n "s/^ *{\"$1\",.*, \([0-9]*\)},\$/\1/p" tests/fuzz/support.c; }
if [ -d /dev/shm ] && [ -w /dev/shm ]; then TMPDIR=${TMPDIR:-/dev/shm}; export TMPDIR; fi
export FUZZ_TOKENIZER
passed=0 failed=0
for target in "$@"; do
    corpus=$BUILD/corpus/$target log=$BUILD/$target.log found=tests/fuzz/regressions/$target
    mkdir -p "$corpus" "$found"
    FUZZ_TARGET=$target "$BUILD/fuzzer" "$corpus" "tests/fuzz/seeds/$target" "$found" -dict=tests/fuzz/words.dict \
        -max_total_time="$time" -max_len="$(max_length "$target")" -timeout=20 -rss_limit_mb=4096 \
        -artifact_prefix="$found/" -print_final_stats=1 >"$log" 2>&1
    code=$?
    rmdir "$found" 2>/dev/null
    awk -v target="$target" '
        /^#[0-9]+.*cov: / { for (i = 1; i < NF; i++) { if ($i == "cov:") cov = $(i + 1); if ($i == "ft:") features = $(i + 1) } }
        /^stat::number_of_executed_units:/ { runs = $2 }
        END { printf "  %-20s %10d runs, %5d edges, %6d features\n", target, runs, cov, features }' "$log"
    if [ $code -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        grep -E 'does not hold|ERROR|SUMMARY|runtime error|Test unit written' "$log" | sed 's/^/    /'
    fi
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
