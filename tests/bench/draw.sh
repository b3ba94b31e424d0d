#!/bin/sh
# Draws what "make bench" has measured, and the ladder if "make bench-steps" has run too: $BUILD/bench-roofline.svg.
# usage: BUILD=… draw.sh
set -u
export LC_ALL=C.UTF-8
command -v gnuplot >/dev/null 2>&1 || {
    echo "$BUILD/bench-roofline.svg is not drawn: gnuplot is not installed"
    exit 0
}
steps=$BUILD/bench-steps.tsv
[ -f "$steps" ] || steps=/dev/null
gnuplot -e "bench='$BUILD/bench.tsv'; steps='$steps'; output_kind='svg'; output_file='$BUILD/bench-roofline.svg.new'" \
    plots/style.gp plots/ch6-roofline.gp </dev/null && mv "$BUILD/bench-roofline.svg.new" "$BUILD/bench-roofline.svg" &&
    echo "$BUILD/bench-roofline.svg"
