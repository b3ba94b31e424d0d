#!/bin/sh
# What the fuzzing came to: for each target how often it was run, the processor time, and the share of lines of the
# modules it is about that its corpus reaches. The lines that it does not reach are listed in $BUILD/uncovered/TARGET.
# usage: BUILD=… FUZZ_TOKENIZER=… fuzz_report.sh PROGRAM        PROGRAM: the fuzzer, built by clang to count lines
set -u
fuzzer=$1
tool() { # llvm-cov as it is called here
    for name in "$1" "$1-14" "$1-15" "$1-16" "$1-17" "$1-18" "$1-19"; do
        if command -v "$name" 2>/dev/null; then return; fi
    done
    echo "fuzz-report: $1 (part of clang) is not installed" >&2
    exit 97
}
profdata=$(tool llvm-profdata) || exit
cov=$(tool llvm-cov) || exit
uncovered=$BUILD/uncovered
mkdir -p "$uncovered"
export FUZZ_TOKENIZER
line() { # TARGET SHARE MODULES
    awk -F '\t' -v target="$1" -v share="$2" -v modules="$3" '
        $1 == target { runs += $2; cpu += $3 }
        END { printf "  %-20s %11d %9.0f %7s %%  %s\n", target, runs, cpu, share, modules }' "$BUILD/counts.tsv"
}
printf '  %-20s %11s %9s %9s  %s\n' target runs 'cpu s' lines 'of these modules'
FUZZ_TARGET=list LLVM_PROFILE_FILE=/dev/null "$fuzzer" | while read -r target _ modules; do
    raw=$uncovered/$target.profraw
    mkdir -p "$BUILD/corpus/$target" "tests/fuzz/regressions/$target"
    FUZZ_TARGET=$target LLVM_PROFILE_FILE=$raw "$fuzzer" -runs=0 "$BUILD/corpus/$target" "tests/fuzz/seeds/$target" \
        "tests/fuzz/regressions/$target" >"$uncovered/$target.log" 2>&1 || cat "$uncovered/$target.log" >&2
    rmdir "tests/fuzz/regressions/$target" 2>/dev/null
    "$profdata" merge -o "$uncovered/$target.profdata" "$raw"
    sources=''
    for module in $modules; do
        case $module in
        */*) sources="$sources $module.c" ;;
        *) sources="$sources common/$module.c" ;;
        esac
    done
    # shellcheck disable=SC2086
    "$cov" export -format=lcov -instr-profile="$uncovered/$target.profdata" "$fuzzer" $sources |
        awk -F '[:,]' '/^SF:/ { file = $2; sub(/.*\/common\//, "common/", file); sub(/.*\/chapters\//, "chapters/", file) }
                       /^DA:/ { total++; if ($3 == 0) print file ":" $2; else reached++ }
                       END { printf "%.1f %% %d of %d\n", 100 * reached / total, reached, total }' >"$uncovered/$target"
    rm -f "$raw" "$uncovered/$target.profdata"
    line "$target" "$(tail -n 1 "$uncovered/$target" | cut -d' ' -f1)" "$modules"
done
line archives "$(python3 tests/fuzz/archives.py --lines | cut -d' ' -f1)" tests/exercises/submissions
