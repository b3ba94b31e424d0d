#!/bin/sh
# Hostile archives and folders of submissions: tests/exercises/test_submissions.py.
# usage: test_submissions.sh       last line: N passed, M failed
if ! command -v python3 >/dev/null 2>&1; then
    echo 'skipped: needs python3'
    exit 0
fi
exec python3 tests/exercises/test_submissions.py
