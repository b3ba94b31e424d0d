#!/bin/sh
# Draws figures from the programs' own data: build/data/*.tsv, then build/plots/*.svg and *.png.
# usage: BUILD=… BIN=… draw.sh [FIGURE…]     (ch3-bands; none: all)
#
# Nothing half-made is left: data and pictures are written under another name and renamed when they are whole.
set -u
export LC_ALL=C.UTF-8
data=$BUILD/data
pictures=$BUILD/plots
mkdir -p "$data" "$pictures" || exit 1
if ! command -v gnuplot >/dev/null 2>&1; then
    echo 'plots: gnuplot is not installed; "make deps" installs it' >&2
    exit 1
fi

fail() {
    echo "plots: $1" >&2
    exit 1
}

make_data() { # make_data ch3-bands: the program chapter3 writes its data set bands
    chapter=${1%%-*}
    "$BIN/chapter${chapter#ch}" --data "${1#*-}" >"$data/$1.tsv.new" || fail "$1: the program could not write its data"
    mv "$data/$1.tsv.new" "$data/$1.tsv"
}

draw() { # draw ch3-bands svg
    new=$pictures/$1.new.$2
    rm -f "$new"
    gnuplot -e "data='$data'; output_kind='$2'; output_file='$new'" plots/style.gp "plots/$1.gp" </dev/null \
        || fail "$1: gnuplot failed"
    [ -s "$new" ] || fail "$1: gnuplot drew nothing"
    case $2 in
    svg) tail -n 3 "$new" | grep -q '</svg>' || fail "$1: the picture is not whole" ;;
    esac
    mv "$new" "$pictures/$1.$2"
}

if [ $# -eq 0 ]; then
    for script in plots/ch*.gp; do
        script=${script##*/}
        set -- "$@" "${script%.gp}"
    done
fi
drawn=0
made=' '
for figure in "$@"; do
    [ -f "plots/$figure.gp" ] || fail "$figure: there is no plots/$figure.gp"
    # A script names its data as data.'/ch3-bands.tsv'
    for set in $(sed -n "s|.*data\.'/\(ch[1-6]-[a-z0-9_-]*\)\.tsv'.*|\1|p" "plots/$figure.gp" | sort -u); do
        case $made in
        *" $set "*) ;;
        *) make_data "$set" && made="$made$set " ;;
        esac
    done
    draw "$figure" svg
    draw "$figure" png
    drawn=$((drawn + 1))
done
echo "$drawn figures in $pictures"
