#!/bin/sh
# The programs where something around them is missing, closed, full or taken away while they run.
# usage: BUILD=… BIN=… test_surroundings.sh       last line: N passed, M failed
set -u
folder=$BUILD/surroundings
rm -rf "$folder"
mkdir -p "$folder"
# shellcheck source=tests/support/checks.sh
. tests/support/checks.sh

command_of() { # a short run of a chapter
    if [ "$1" -eq 6 ]; then echo '--ids 5,7,9 --text --greedy -n 4 --threads 1'; else echo '--step 1'; fi
}

# A language with a decimal comma, where one can be made (glibc's sources of languages, in Debian's package locales).
german=''
if localedef -i de_DE -f UTF-8 "$folder/de_DE.UTF-8" >/dev/null 2>&1; then
    german=$folder
    comma=$(LOCPATH=$german LC_ALL=de_DE.UTF-8 locale decimal_point)
    expect 'the language has a decimal comma' "$comma" ','
else
    echo 'no localedef: the decimal comma is tested by name only'
fi

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
    LOCPATH=$german LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 COLUMNS=40 TERM=dumb "$program" "$@" >"$folder/out" 2>/dev/null
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
    check_data_sets "$n" "$program"
    "$program" "$@" >&- 2>"$folder/err"
    expect "chapter $n, closed output: code" $? 1
    expect "chapter $n, closed output" "$(cat "$folder/err")" "chapter$n: standard output: is closed"
    "$program" "$@" <&- >"$folder/out" 2>/dev/null
    expect "chapter $n, closed input" "$(cmp "$folder/plain" "$folder/out" 2>&1)" ''
    "$program" "$@" 2>&- >"$folder/out"
    expect "chapter $n, closed standard error" "$(cmp "$folder/plain" "$folder/out" 2>&1)" ''
}
# Every data set, on a full disk and with standard output closed. Those that compute for long are made small; ablation and
# positions take seconds to their first row even so.
check_data_sets() { # CHAPTER PROGRAM
    "$2" --data list | awk '$1 != "ablation" && $1 != "positions" { print $1 }' >"$folder/names"
    while read -r name; do
        case $1 in 4) few='--steps 1 --seeds 2' ;; *) few='' ;; esac
        # shellcheck disable=SC2086
        if [ -w /dev/full ]; then
            "$2" --data "$name" $few >/dev/full 2>"$folder/err"
            expect "chapter $1, --data $name, full disk: code" $? 1
            expect "chapter $1, --data $name, full disk" "$(sed -n 's/written: .*/written/p' "$folder/err")" \
                "chapter$1: standard output: could not be written"
        fi
        "$2" --data "$name" >&- 2>"$folder/err"
        expect "chapter $1, --data $name, closed output" "$? $(cat "$folder/err")" \
            "1 chapter$1: standard output: is closed"
    done <"$folder/names"
}

# Numbers with a point are read, with a comma refused, whatever the language.
check_numbers() {
    for language in C de_DE.UTF-8; do
        LOCPATH=$german LC_ALL=$language "$BIN/chapter2" --theta 0.5 --step 1 >"$folder/out.$language" 2>&1
        expect "a point in $language" $? 0
        got=$(LOCPATH=$german LC_ALL=$language "$BIN/chapter2" --theta 0,5 2>&1)
        expect "a comma in $language" "$got" 'chapter2: --theta 0,5: expected a number from -1000000 to 1000000'
    done
    expect 'the same numbers in both' "$(cmp "$folder/out.C" "$folder/out.de_DE.UTF-8" 2>&1)" ''
}

case $BIN in /*) here='' ;; *) here=$(pwd) ;; esac
case $folder in /*) ;; *) folder=$(pwd)/$folder ;; esac
case $german in '' | /*) ;; *) german=$folder ;; esac
for chapter in 1 2 3 4 5 6; do check_chapter $chapter; done
check_numbers

# ---- A prompt that comes in pieces, as short reads
pieces() { (printf 'The dra' && sleep 0.2 && printf 'gon ' && sleep 0.2 && printf 'said\n') }
flags='--threads 1 --greedy -n 8 --text --prompt'
# shellcheck disable=SC2086
pieces | "$BIN/chapter6" $flags - >"$folder/out" 2>"$folder/err"
expect 'a prompt in pieces: code' $? 0
# shellcheck disable=SC2086
expect 'a prompt in pieces' "$(cat "$folder/out")" "$("$BIN/chapter6" $flags 'The dragon said
' 2>"$folder/err")"

# ---- No permission. Root may read everything, so it becomes another user, where that user can reach the program.
cp -r chapters/06-qwen2.5/tiny-stories "$folder/model"
other=
if [ "$(id -u)" -eq 0 ]; then other='setpriv --reuid=65534 --regid=65534 --clear-groups'; fi
# shellcheck disable=SC2086
no_permission() { # FILE MODE WHAT IS SAID
    mode=$(if [ -d "$folder/$1" ]; then echo 755; else echo 644; fi)
    chmod "$2" "$folder/$1"
    got=$($other "$BIN/chapter6" --model "$folder/model" --prompt 1 --text -n 1 2>&1)
    chmod "$mode" "$folder/$1"
    expect "no permission: $1" "$got" "chapter6: $3: Permission denied"
}
# shellcheck disable=SC2086
if $other "$BIN/chapter6" --model "$folder/model" --ids 1 --text -n 1 >"$folder/out" 2>&1; then
    for file in config.json model.safetensors tokenizer.json generation_config.json; do
        no_permission "model/$file" 000 "$folder/model/$file"
    done
    no_permission model 000 "$folder/model/config.json"
else
    echo 'no other user can run the program: permissions are not tested'
fi

# ---- The weights are cut short between two turns of a chat
mkfifo "$folder/in"
trap '' PIPE # the program may have ended already, in the middle of its answer
cut_short() { # SIZE WHAT IS SAID
    cp chapters/06-qwen2.5/tiny-stories/model.safetensors "$folder/model"
    rm -f "$folder/answers" # of another run: this one has loaded its model when it has answered
    "$BIN/chapter6" --threads 1 --chat -n 3 --model "$folder/model" <"$folder/in" >"$folder/answers" 2>"$folder/err" &
    process=$!
    exec 3>"$folder/in"
    echo 'Hi!' >&3
    tries=0
    until [ -s "$folder/answers" ] || [ $tries -eq 300 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    dd if=/dev/null of="$folder/model/model.safetensors" bs=1 seek="$1" 2>"$folder/dd-err"
    echo 'And then?' 2>"$folder/echo-err" >&3
    exec 3>&-
    wait $process
    expect "weights cut to $1 bytes: code" $? 1
    expect "weights cut to $1 bytes" "$(cat "$folder/err")" "chapter6: $folder/model$2"
}
cut_short 0 ': a file of the model became shorter while it was in use'
size=$(wc -c <chapters/06-qwen2.5/tiny-stories/model.safetensors)
less=$((size - 1)) # within the last page, which reads as zeros from there
cut_short $less \
    "/model.safetensors: became shorter while it was in use: expected $size bytes, found $less"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
