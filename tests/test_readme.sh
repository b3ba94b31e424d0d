#!/bin/sh
# What the pages tell a reader to type works: every ./chapterN command runs, every make target exists, every link leads
# somewhere, every figure is there.
# usage: BUILD=… BIN=… test_readme.sh       last line: N passed, M failed
set -u
folder=$BUILD/readme
rm -rf "$folder"
mkdir -p "$folder"
pages="README.md chapters/claims.md tests/exercises/README.md"
for page in chapters/0*/*.md; do pages="$pages $page"; done
# shellcheck source=tests/support/checks.sh
. tests/support/checks.sh

# Commands end at a backquote, at two spaces, or at the end of the line. What needs a terminal, a download or minutes is
# left out here; it is tested elsewhere.
# shellcheck disable=SC2086
cat $pages | grep -oE '\./chapter[1-6]( [^`|&>]*)?' | sed -e 's/  .*//' -e 's/[ ,.:;)\\]*$//' | sort -u |
    grep -vE -- '--chat|--ask|--plot|--model|--mystery|--ablate|--perplexity|--positions|--prompt|<|chapter[1-6]-|steps 2000|FILE|NAME|TEXT|…' >"$folder/commands"
while read -r command; do
    # shellcheck disable=SC2086
    if sh -c "$BIN/${command#./}" >"$folder/out" 2>"$folder/err" </dev/null; then ok; else wrong "$command: $(cat "$folder/err")"; fi
done <"$folder/commands"
# Figures and data sets by name: --plot NAME is in the program's own list.
# shellcheck disable=SC2086
cat $pages | grep -oE '\./chapter[1-6] --plot [a-z-]+' | sort -u >"$folder/plots"
while read -r command; do
    program=${command%% *}
    if "$BIN/${program#./}" --plot list | awk '{ print $1 }' | grep -qx "${command##* }"; then ok; else wrong "$command"; fi
done <"$folder/plots"

# shellcheck disable=SC2086
cat $pages | grep -oE '`make [a-z0-9-]+|^    (\$ )?make [a-z0-9-]+' | sed 's/.*make //' | sort -u >"$folder/targets"
while read -r target; do
    if grep -qE "^(\\.PHONY:.* )?$target( |:|\$)" Makefile tests/*/*.mk || echo "$target" | grep -qE "^chapter[1-6N](-yours)?\$"; then
        ok
    else
        wrong "make $target: no such target"
    fi
done <"$folder/targets"

for page in $pages; do
    grep -oE '\]\([^)#: ]+' "$page" | sed 's/](//' | sort -u >"$folder/links"
    while read -r link; do
        if [ -e "$(dirname "$page")/$link" ]; then ok; else wrong "$page: the link $link leads nowhere"; fi
    done <"$folder/links"
done
rm -rf "$folder"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
