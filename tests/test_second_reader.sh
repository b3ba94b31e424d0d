#!/bin/sh
# The reader of .safetensors files against one in Python: tests/second-reader/compare.py.
# usage: BUILD=… test_second_reader.sh       last line: N passed, M failed
if ! command -v python3 >/dev/null 2>&1; then
    echo 'skipped: needs python3'
    exit 0
fi
rm -rf "$BUILD/second-reader"
if python3 tests/second-reader/compare.py "$BUILD/tests/second-reader/list_tensors" "$BUILD/second-reader"; then
    rm -rf "$BUILD/second-reader"
else
    exit 1
fi
