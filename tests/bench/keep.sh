#!/bin/sh
# Puts what "make bench" and "make bench-steps" have measured on this machine into chapter 6: its tables, its page "Where the
# time goes" and its figure.
# usage: BUILD=… BIN=… keep.sh
set -u
export LC_ALL=C.UTF-8
chapter=chapters/06-qwen2.5
kept=$chapter/measured
fail() {
    echo "bench-keep: $1" >&2
    exit 1
}
for table in bench bench-steps; do
    [ -s "$BUILD/$table.tsv" ] || fail "$BUILD/$table.tsv: not there; first: make $table"
done
grep -q '^decode\.4096	' "$BUILD/bench.tsv" || fail "$BUILD/bench.tsv: is of a quick run; first: make bench"
field() { lscpu | sed -n "s/^ *$1: *//p" | head -n 1; }
kernels=$("$BIN/chapter6" --kernels | awk '/usable/ { printf "%s%s", n++ ? ", " : "", $1 }')
mkdir -p $kept
cp "$BUILD/bench.tsv" "$BUILD/bench-steps.tsv" $kept/ || exit 1
printf '%s (family %s, model %s), %s threads, %s of L3, kernels %s\n' "$(field 'Model name')" "$(field 'CPU family')" \
    "$(field Model)" "$(getconf _NPROCESSORS_ONLN)" "$(field 'L3 cache' | sed 's/ *MiB.*/ MB/')" "$kernels" >$kept/machine.txt
sh tests/bench/page.sh >"$BUILD/page.new" || fail 'the page could not be made'
mv "$BUILD/page.new" $chapter/where-the-time-goes.md || exit 1
BUILD="$BUILD" BIN="$BIN" sh plots/draw.sh ch6-roofline || exit 1
sed '/<desc>/d' "$BUILD/plots/ch6-roofline.svg" >plots/figures/ch6-roofline.svg
echo "kept in $kept, where-the-time-goes.md and plots/figures/ch6-roofline.svg: look at them, then commit"
