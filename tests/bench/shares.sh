#!/bin/sh
# Draws bench-shares.svg from bench.tsv: how much of its roof every line reaches that is a speed of the model.
# usage: BUILD=… shares.sh [TSV]
set -u
export LC_ALL=C.UTF-8
tsv=${1:-$BUILD/bench.tsv}
svg=${tsv%.tsv}-shares.svg
if ! command -v gnuplot >/dev/null 2>&1; then
    echo "bench: no picture, gnuplot is not installed (\"make deps\" installs it); the figures are in $tsv" >&2
    exit 0
fi
shares=$svg.data
awk -F '\t' '$5 != "-" && $1 ~ /^(decode|prefill|products)/ && $1 !~ /(memory|two|one)$/ {
    printf "%s\t%s\t%.0f%%\t%.3g %s\n", $1, $5, 100 * $5, $2, $3
}' "$tsv" >"$shares"
if [ -s "$shares" ]; then
    rm -f "$svg.new"
    gnuplot -e "data='$shares'; output_kind='svg'; output_file='$svg.new'" plots/style.gp tests/bench/shares.gp </dev/null &&
        tail -n 3 "$svg.new" | grep -q '</svg>' && mv "$svg.new" "$svg" && echo "$tsv, $svg"
    result=$?
    rm -f "$svg.new" "$shares"
    [ $result -eq 0 ] || echo 'bench: gnuplot could not draw the picture' >&2
    exit $result
fi
rm -f "$shares"
