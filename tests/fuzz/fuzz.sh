#!/bin/sh
# Drives each target for a while. The corpus that grows stays under the build folder and is gone on with the next time;
# what breaks a target goes to tests/fuzz/regressions, where make test runs it from then on. Each run adds a line to
# counts.tsv, which fuzz_report.sh adds up.
# usage: BUILD=… FUZZ_TOKENIZER=… [TIME=60] [UNTIL=10000000] fuzz.sh [TARGET…]   last line: "N passed, M failed"
# UNTIL: a target is run no more often than that in all, and passed over once it was, or once it had two hours of
# processor time. TIMEOUT (100): an input that takes as many seconds hangs.
set -u
time=${TIME:-60}
targets=$(FUZZ_TARGET=list "$BUILD/fuzzer") # lines: name, longest input, modules
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(printf '%s\n' "$targets" | cut -d' ' -f1) archives
max_length() { printf '%s\n' "$targets" | awk -v target="$1" '$1 == target { print $2 }'; }
total() { # TARGET COLUMN: of all runs so far
    awk -F '\t' -v target="$1" -v column="$2" '$1 == target { n += $column } END { printf "%d\n", n }' "$counts"
}
child_seconds() { # FILE: processor time of this shell's children, from what "times" wrote
    tail -n 1 "$1" | awk '{ gsub(/[ms]/, " "); printf "%.2f", $1 * 60 + $2 + $3 * 60 + $4 }'
}
export FUZZ_TOKENIZER
# A short quarantine and short stacks: whoever looks into a finding runs it again, with whatever it takes.
ASAN_OPTIONS="quarantine_size_mb=16:malloc_context_size=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
export ASAN_OPTIONS
counts=$BUILD/counts.tsv
mkdir -p "$BUILD"
[ -f "$counts" ] || printf 'target\truns\tcpu_seconds\n' >"$counts"
passed=0 failed=0
for target in "$@"; do
    if [ -n "${UNTIL:-}" ] && { [ "$(total "$target" 2)" -ge "$UNTIL" ] || [ "$(total "$target" 3)" -ge 7200 ]; }; then
        continue
    fi
    if [ "$target" = archives ]; then # of students, which Python reads
        python3 tests/fuzz/archives.py --time "$time" --counts "$counts" >"$BUILD/archives.log" 2>&1
        code=$?
        grep ' runs, ' "$BUILD/archives.log" || cat "$BUILD/archives.log"
        if [ $code -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
        continue
    fi
    corpus=$BUILD/corpus/$target log=$BUILD/$target.log found=tests/fuzz/regressions/$target
    mkdir -p "$corpus" "$found"
    times >"$log.times"
    before=$(child_seconds "$log.times")
    runs=-1 # no limit
    [ -z "${UNTIL:-}" ] || runs=$((UNTIL - $(total "$target" 2)))
    FUZZ_TARGET=$target "$BUILD/fuzzer" "$corpus" "tests/fuzz/seeds/$target" "$found" -dict=tests/fuzz/words.dict \
        -max_total_time="$time" -runs="$runs" -max_len="$(max_length "$target")" -timeout="${TIMEOUT:-100}" -report_slow_units="${TIMEOUT:-100}" \
        -rss_limit_mb=4096 -artifact_prefix="$found/" -print_final_stats=1 >"$log" 2>&1
    code=$?
    times >"$log.times"
    after=$(child_seconds "$log.times")
    rm -f "$log.times"
    rmdir "$found" 2>/dev/null
    awk -v target="$target" -v cpu="$after" -v before="$before" -v counts="$counts" '
        /^#[0-9]+.*cov: / { for (i = 1; i < NF; i++) { if ($i == "cov:") cov = $(i + 1); if ($i == "ft:") features = $(i + 1) } }
        /^stat::number_of_executed_units:/ { runs = $2 }
        END {
            printf "%s\t%d\t%.2f\n", target, runs, cpu - before >>counts
            printf "  %-20s %10d runs, %6.1f s, %5d edges, %6d features\n", target, runs, cpu - before, cov, features
        }' "$log"
    if [ $code -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        grep -E 'does not hold|ERROR|SUMMARY|runtime error|Test unit written' "$log" | sed 's/^/    /'
    fi
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
