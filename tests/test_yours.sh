#!/bin/sh
# chapters/yours.c with functions that are right, wrong, NaN, not started, crash, exit and do not end: each costs its own
# line. expected below: the output, word by word.
# usage: BUILD=… [CC=…] test_yours.sh       last line: N passed, M failed
set -u
folder=$BUILD/yours-test
mkdir -p "$folder"
# shellcheck source=tests/support/checks.sh
. tests/support/checks.sh

cat >"$folder/main.c" <<'PROGRAM'
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "chapters/exercise.h"
#include "chapters/yours.h"
static double number(const void *f) { return *(const double *)f; }
static double todo(const void *f) { if (number(f) < 4) { EXERCISE_TODO("this"); } return 1; }
static double nan_(const void *f) { return number(f) < 4 ? NAN : 1; }
static double crash(const void *f) { if (number(f) < 4) { raise(SIGSEGV); } return 1; }
static double leave(const void *f) { if (number(f) < 4) { exit(0); } return 1; }
static double loop(const void *f) { while (number(f) < 4) { pause(); } return 1; }
static double talks(const void *f) { if (number(f) < 4) { printf("a student's print\n"); } return 1; }
int main(int argc, char **argv)
{
    const struct yours_check bad[] = {{NULL, "lines", NULL, 0}, {"1.1", "near", number, 0.6}, {"1.2", "far", number, 0.4},
        {"1.3", "todo", todo, 1}, {"1.4", "nan", nan_, 9}, {"1.5", "crash", crash, 1}, {"1.6", "exit", leave, 1},
        {"1.7", "loop", loop, 1}, {"1.8", "talks", talks, 0}, {NULL, NULL, NULL, 0}};
    const struct yours_check good[] = {{"1.1", "near", number, 0.6}, {"1.3", "todo", todo, 1}, {NULL, NULL, NULL, 0}};
    const double yours = 3.5, project = 4;
    return yours_run(argc, argv, "T", getenv("GOOD") ? good : bad, &yours, &project);
}
PROGRAM
${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -iquote . -o "$folder/program" "$folder/main.c" chapters/yours.c -lm || exit 1

got=$("$folder/program")
expect 'the status with lines to fix' $? 1
expect 'every kind of line' "$(printf '%s\n' "$got" | sed 's/  */ /g')" "T
 yours project
lines
 1.1 near 3.5 4 same
 1.2 far 3.5 4 DIFFERS
 1.3 todo not started 1
 1.4 nan nan 1 DIFFERS
 1.5 crash crashed 1 DIFFERS
 1.6 exit crashed 1 DIFFERS
 1.7 loop does not end 1 DIFFERS
a student's print
 1.8 talks 1 1 same
2 of 8 lines the same, 1 not started, 5 to fix
make exercise EX=1.2 says what is wrong with the first of them"
got=$(GOOD=1 "$folder/program")
expect 'not started is no failure' $? 0
expect 'the count' "$(printf '%s\n' "$got" | tail -n 1)" '1 of 2 lines the same, 1 not started, 0 to fix'
got=$("$folder/program" --help)
expect 'the status of --help' $? 0
expect 'help' "$got" "usage: $folder/program    runs this chapter's checks with your functions; takes no flags"
got=$("$folder/program" --theta 5 2>&1)
expect 'the status of a flag' $? 2
expect 'a flag' "$got" "usage: $folder/program    runs this chapter's checks with your functions; takes no flags"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
