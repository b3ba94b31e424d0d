#!/bin/sh
# Holds the stack that every function of the programs takes to a bound that is known when it is compiled, so that no
# input can exhaust it. Reads the .su files of a build with -fstack-usage.
# usage: BUILD=build/stack stack.sh
set -u
limit=65536 # bytes; a thread's stack is 8 MB on Linux, 512 kB on macOS
find "$BUILD/common" "$BUILD/chapters" -name '*.su' | sort | tr '\n' '\0' | xargs -0 cat | awk -F '\t' -v limit="$limit" '
    {
        functions++
        if ($2 > largest) { largest = $2; where = $1 }
        # "dynamic,bounded" moves the stack pointer (arguments of a call), within the number that stands before it.
        if ($3 != "static" && $3 != "dynamic,bounded") { print $1 ": grows with its input (" $3 ")"; bad++ }
        else if ($2 > limit) { print $1 ": " $2 " bytes, more than " limit; bad++ }
    }
    END {
        if (functions == 0) { print "stack: no .su files in the build"; exit 1 }
        printf "stack: %d functions, the largest %d bytes (%s)\n", functions, largest, where
        exit bad > 0
    }'
