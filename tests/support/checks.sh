# What the scripts among the tests count with: to be read by them (. tests/support/checks.sh) from the project's root.
# shellcheck shell=sh
passed=0 failed=0
ok() { passed=$((passed + 1)); }
wrong() { # wrong MESSAGE
    failed=$((failed + 1))
    printf 'FAILED: %s\n' "$1"
}

expect() { # expect WHAT GOT WANTED
    if [ "$2" = "$3" ]; then ok; else wrong "$(printf '%s\n got: %s\nwanted: %s' "$1" "$2" "$3")"; fi
}

check() { # check WHAT COMMAND…: the script's $folder takes what the command says
    what=$1
    shift
    if "$@" >"${folder:?}/said" 2>&1; then ok; else wrong "$what: $(cat "$folder/said")"; fi
}
