# lib.sh: what the exercise scripts share. Sourced, with BUILD and CC set.
# shellcheck shell=sh

exercises=tests/exercises
manifest=$exercises/exercises.tsv

# field ID COLUMN_NUMBER. Compared as text: as numbers 3.1 and 3.10 are equal.
field() {
    awk -F '\t' -v id="$1" -v column="$2" 'NR > 1 && $1 "" == id "" { print $column }' "$manifest"
}

# shellcheck disable=SC2120 # other scripts name a chapter
ids() { # ids [CHAPTER]
    awk -F '\t' -v chapter="${1-}" 'NR > 1 && (chapter == "" || index($1, chapter ".") == 1) { print $1 }' "$manifest"
}

# The title in the reader's language, by the same rule as the judge's.
title_of() {
    case ${EX_LANG:-${LANG-}} in
    zh*) field "$1" 7 ;;
    *) field "$1" 6 ;;
    esac
}

# The student's file.
file_of() {
    printf 'chapters/%s/exercises/%s-%s.c' "$(field "$1" 2)" "$1" "$(field "$1" 3)"
}

need_id() { # ends the script when there is no such exercise
    if [ -z "${1-}" ]; then
        echo 'which exercise? For example EX=1.1; make test lists them' >&2
        exit 2
    fi
    if [ -z "$(field "$1" 1)" ]; then
        echo "exercise $1: there is none of that number; make test lists them" >&2
        exit 2
    fi
}

# judge_it ID [FLAG…]: runs the judge on what build.sh made.
judge_it() {
    id=$1
    shift
    out=$BUILD/exercises/$id
    if [ "$(field "$id" 4)" = predict ]; then set -- "$@" --prediction; fi
    "$BUILD/exercises/judge" "$@" "$id" "$(title_of "$id")" "$(file_of "$id")" "$out/child" \
        "$exercises/$id/expected.txt" "$exercises/$id/messages.tsv" "$out/build.log" "$out/child-asan"
}
