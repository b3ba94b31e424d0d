#!/bin/sh
# Grading on a file system of 400 kB (tests/exercises/test_full_disk.py), mounted where nobody else sees it.
# usage: BUILD=… test_full_disk.sh       last line: N passed, M failed
set -u
folder=$BUILD/full-disk
mkdir -p "$folder/small"
alone=
for way in 'unshare --mount' 'unshare --map-root-user --mount'; do
    if $way mount -t tmpfs -o size=400k none "$folder/small" 2>/dev/null; then
        alone=$way
        break
    fi
done
if [ -z "$alone" ] || ! command -v python3 >/dev/null 2>&1; then
    echo 'skipped: needs python3, and unshare as root or with user namespaces'
    exit 0
fi
# shellcheck disable=SC2016 # for the inner shell
$alone sh -c 'mount -t tmpfs -o size=400k none "$1" && python3 tests/exercises/test_full_disk.py "$1"' sh "$folder/small"
code=$?
rm -rf "$folder"
exit $code
