#!/bin/sh
# make watch: the exercise is built and explained again whenever its file is saved. Ctrl-C ends it.
# usage: BUILD=… CC=… watch.sh ID
set -u
# shellcheck source=tests/exercises/lib.sh
. tests/exercises/lib.sh
need_id "${1-}"
file=$(file_of "$1")
last=''
while :; do
    now=$(cksum "$file" 2>/dev/null)
    if [ "$now" != "$last" ]; then
        last=$now
        [ -t 1 ] && [ -z "${NO_COLOR-}" ] && [ -z "${PLAIN-}" ] && printf '\033[H\033[2J'
        sh "$exercises/build.sh" "$1" && sh "$exercises/one.sh" "$1"
        [ "${WATCH_ONCE-}" = 1 ] && exit 0
    fi
    sleep 1
done
