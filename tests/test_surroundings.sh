#!/bin/sh
# The programs where something around them is missing, closed, full or taken away while they run.
# usage: BUILD=… BIN=… test_surroundings.sh       last line: N passed, M failed
set -u
folder=$BUILD/surroundings
rm -rf "$folder"
mkdir -p "$folder"
passed=0 failed=0
expect() { # expect WHAT GOT WANTED
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'failed: %s\n got: %s\nwanted: %s\n' "$1" "$2" "$3"
    fi
}

command_of() { # a short run of a chapter
    if [ "$1" -eq 6 ]; then echo '--ids 5,7,9 --text --greedy -n 4 --threads 1'; else echo '--step 1'; fi
}

# $1: the chapter. What it prints depends on no variable of the environment, nor on the width of the terminal.
check_chapter() {
    program=$BIN/chapter$1
    # shellcheck disable=SC2046
    set -- "$1" $(command_of "$1")
    n=$1
    shift
    "$program" "$@" >"$folder/plain" 2>/dev/null
    env -i "$program" "$@" >"$folder/out" 2>/dev/null
    expect "chapter $n without HOME, TERM, PATH" $? 0
    expect "chapter $n: its output without them" "$(cmp "$folder/plain" "$folder/out" 2>&1)" ''
    LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 COLUMNS=40 TERM=dumb "$program" "$@" >"$folder/out" 2>/dev/null
    expect "chapter $n with a decimal comma and 40 columns" "$(cmp "$folder/plain" "$folder/out" 2>&1)" ''
    (cd / && "$here/$program" "$@" >"$folder/out" 2>/dev/null)
    expect "chapter $n from another folder" "$(cmp "$folder/plain" "$folder/out" 2>&1)" ''
    if [ -w /dev/full ]; then
        "$program" "$@" >/dev/full 2>"$folder/err"
        expect "chapter $n, full disk: code" $? 1
        # A write that failed earlier than the last has left no reason: then it says "write error".
        expect "chapter $n, full disk" "$(sed -n 's/written: .*/written/p' "$folder/err")" \
            "chapter$n: standard output: could not be written"
    fi
    "$program" "$@" >&- 2>"$folder/err"
    expect "chapter $n, closed output: code" $? 1
    expect "chapter $n, closed output" "$(cat "$folder/err")" "chapter$n: standard output: is closed"
    "$program" "$@" <&- >"$folder/out" 2>/dev/null
    expect "chapter $n, closed input" "$(cmp "$folder/plain" "$folder/out" 2>&1)" ''
    "$program" "$@" 2>&- >"$folder/out"
    expect "chapter $n, closed standard error" "$(cmp "$folder/plain" "$folder/out" 2>&1)" ''
}
case $BIN in /*) here='' ;; *) here=$(pwd) ;; esac
case $folder in /*) ;; *) folder=$(pwd)/$folder ;; esac
for chapter in 1 2 3 4 5 6; do check_chapter $chapter; done

# ---- No permission; root may read everything
cp -r chapters/06-qwen2.5/tiny-stories "$folder/model"
if [ "$(id -u)" -ne 0 ]; then
    chmod 000 "$folder/model/config.json"
    got=$("$BIN/chapter6" --model "$folder/model" --ids 1 2>&1)
    expect 'no permission' "$got" "chapter6: $folder/model/config.json: Permission denied"
    chmod 644 "$folder/model/config.json"
fi

# ---- The weights are cut short between two turns of a chat
mkfifo "$folder/in"
"$BIN/chapter6" --threads 1 --chat -n 3 --model "$folder/model" <"$folder/in" >"$folder/answers" 2>"$folder/err" &
process=$!
exec 3>"$folder/in"
echo 'Hi!' >&3
tries=0
until [ -s "$folder/answers" ] || [ $tries -eq 300 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
: >"$folder/model/model.safetensors"
trap '' PIPE # it may have ended already, in the middle of its answer
echo 'And then?' 2>"$folder/echo-err" >&3
exec 3>&-
wait $process
expect 'weights cut short: code' $? 1
expect 'weights cut short' "$(cat "$folder/err")" \
    "chapter6: $folder/model: a file of the model became shorter while it was in use"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
