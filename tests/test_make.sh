#!/bin/sh
# make, killed while the compiler writes and run again; two at once in one clone and in two; a checkout that cannot be
# written to.
# usage: BUILD=… BIN=… test_make.sh       last line: N passed, M failed
set -u
case $BUILD in /*) folder=$BUILD/make ;; *) folder=$(pwd)/$BUILD/make ;; esac
rm -rf "$folder"
mkdir -p "$folder/one" "$folder/two"
# shellcheck source=tests/support/checks.sh
. tests/support/checks.sh
wrong() { # and what make said
    failed=$((failed + 1))
    printf 'FAILED: %s\n' "$1"
    cat "$folder"/log*
}
for clone in one two; do
    for entry in Makefile .make chapters common tests plots; do ln -s "$(pwd)/$entry" "$folder/$clone/$entry"; done
done
"$BIN/chapter1" --step 1 >"$folder/out"
real=$(command -v "${CC:-cc}")
unset MAKEFLAGS MAKELEVEL MFLAGS BUILD BIN CC

# A compiler that writes half of what the Nth call should, and then kills make and the shell between, or interrupts make.
cat >"$folder/dying-cc" <<'COMPILER'
#!/bin/sh
folder=${0%/*}
out='' before=''
for word in "$@"; do
    if [ "$before" = -o ]; then out=$word; fi
    before=$word
done
case $out in build/common/* | build/chapters/* | build/chapter1.*) ;; *) exec "$REAL" "$@" ;; esac
"$REAL" "$@" || exit 1
echo >>"$folder/calls"
if [ "$(wc -l <"$folder/calls")" -eq "$DIE_AT" ]; then
    size=$(wc -c <"$out")
    head -c $((size / 2)) "$out" >"$folder/half"
    cat "$folder/half" >"$out"
    make=$(ps -o ppid= -p "$PPID" | tr -d ' ')
    if [ "$SIGNAL" = KILL ]; then kill -KILL "$make" "$PPID"; else kill -INT "$make"; fi
    sleep 1
    exit 130
fi
COMPILER
chmod +x "$folder/dying-cc"
PATH=$folder:$PATH # by its name: make would take a path with a space for two words
REAL=$real
export REAL PATH
build() { # build CLONE [NAME=VALUE…]
    clone=$1
    shift
    make -C "$folder/$clone" LEVELS=1 CFLAGS=-O0 CC=dying-cc "$@" chapter1 >"$folder/log.$clone" 2>&1
}
result() { "$folder/$1/chapter1" --step 1 >"$folder/out.$1" 2>&1 && cmp "$folder/out.$1" "$folder/out" 2>&1; }

# ---- One build after the other is killed: in its first file, in the middle of the rest, in the link.
: >"$folder/log"
for moment in 'KILL 1' 'KILL 4' 'INT 3' 'KILL 5' 'KILL 2'; do
    SIGNAL=${moment% *} DIE_AT=${moment#* }
    export SIGNAL DIE_AT
    : >"$folder/calls"
    build one
    expect "make ended by $moment" "$(test $? -ne 0 && wc -l <"$folder/calls" | tr -d ' ')" "$DIE_AT"
done
DIE_AT=0
: >"$folder/calls"
build one
expect 'make goes on' $? 0
rest=$(wc -l <"$folder/calls")
# The link is the last call of all: killed there, only the link is left to do.
DIE_AT=1 SIGNAL=KILL
rm "$folder/one/chapter1"
: >"$folder/calls"
build one
expect 'no half of a program' "$(ls "$folder/one/chapter1" 2>/dev/null)" ''
DIE_AT=0
build one
expect 'make links again' $? 0
expect 'what was done before is not done again' "$((rest < 12))" 1
expect 'the program is that of a build in one go' "$(result one)" ''

# ---- Two at once in one clone, and one in another
rm -rf "$folder/one/build" "$folder/two/build" "$folder/one/chapter1" "$folder/two/chapter1"
build one &
first=$!
make -C "$folder/one" LEVELS=1 CFLAGS=-O0 CC=dying-cc chapter1 >"$folder/log" 2>&1 &
second=$!
build two
expect 'another clone at the same time' "$? $(result two)" '0 '
wait $first
expect 'the first of two' $? 0
wait $second
expect 'the second of two' $? 0
expect 'their program' "$(result one)" ''

# ---- A checkout that cannot be written to. Root may write anywhere, so it becomes another user.
other=
if [ "$(id -u)" -eq 0 ]; then other='setpriv --reuid=65534 --regid=65534 --clear-groups'; fi
if ! $other test -r Makefile 2>/dev/null; then
    echo 'no other user can read the checkout: one that is read-only is not tested'
else
    if [ -z "$other" ]; then
        mkdir "$folder/read-only"
        cp -R Makefile .make chapters common tests plots "$folder/read-only"
        chmod -R a-w "$folder/read-only"
    else
        ln -s "$(pwd)" "$folder/read-only"
    fi
    elsewhere=$(mktemp -d) # not below the checkout, whose path may have a space in it: make's targets cannot
    chmod 777 "$elsewhere"
    for target in chapter1 'exercise EX=1.1' 'hint EX=1.1' 'reset EX=1.1'; do
        # shellcheck disable=SC2086
        env HOME=/nonexistent $other make -C "$folder/read-only" LEVELS=1 CFLAGS=-O0 BUILD="$elsewhere/b" $target >"$folder/log" 2>&1
        expect "read-only checkout: make $target" $? 0
    done
    expect 'its program' "$("$elsewhere/b/chapter1" --step 1 2>&1 | cmp - "$folder/out" 2>&1)" ''
    rm -rf "$elsewhere"
    if [ -z "$other" ]; then chmod -R u+w "$folder/read-only"; fi
fi
rm -rf "$folder"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
