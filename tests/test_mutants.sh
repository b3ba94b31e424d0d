#!/bin/sh
# tests/mutants/mutants.py on a project of three small files whose changes are known: which are noticed, by which test,
# which are not, which do not count, and when the whole fails.
# usage: BUILD=… [CC=…] test_mutants.sh       last line: N passed, M failed
set -u
for tool in python3 nm; do
    if ! command -v $tool >/dev/null 2>&1; then
        echo "skipped: $tool is not installed"
        exit 0
    fi
done
# shellcheck source=tests/support/checks.sh
. tests/support/checks.sh
script=$PWD/tests/mutants/mutants.py
folder=$BUILD/mutants-test
rm -rf "$folder"
mkdir -p "$folder/common" "$folder/tests" "$folder/build/all/common" "$folder/build/all/tests"
cd "$folder" || exit 1

cat >common/planted.c <<'PROGRAM'
/* In a comment: 1 + 2. */
#include <stdlib.h>
#define REQUIRE(condition) ((condition) ? (void)0 : abort())
#define ELEVEN (5 + 6)
unsigned long long counted;
void count_down(unsigned long long n)
{
    for (volatile unsigned long long left = n; left != 0; left--) {
        counted++;
    }
}
const char words[] = "3 + 4 \" < 5";
int checked(int a, const int *b)
{
    REQUIRE(a < 9 && b[a] == (3));
    return a;
}
void *much(size_t n) { return malloc(n * 2); }
int at(const volatile int *p) { return p == NULL ? ELEVEN : *p; }
unsigned same(unsigned n) { return n << 0; }
int other(const int *list, int i) { return list[i]; }
int untested(void) { return 0; } // never 1
PROGRAM
cat >common/nearly.c <<'PROGRAM'
static const int zeros[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
const int *nearly(void) { return zeros; }
int unused(void) { return 0; }
PROGRAM
cat >tests/test_planted.c <<'PROGRAM'
#include <stdlib.h>
void count_down(unsigned long long n);
void *much(size_t n);
int at(const volatile int *p);
unsigned same(unsigned n);
extern unsigned long long counted;
const int *nearly(void);
int main(void)
{
    int bad = 0;
    count_down(3);
    for (int i = 0; i < 19; i++) {
        bad += nearly()[i] != 0;
    }
    return counted != 3 || much((size_t)1 << 30) == NULL || at(NULL) != 11 || same(2) != 2 || bad != 0;
}
PROGRAM
cat >tests/test_second.c <<'PROGRAM'
int other(const int *list, int i);
int main(void) { int list[] = {5, 6}; return other(list, 0) != 5; }
PROGRAM
for file in common/planted common/nearly tests/test_planted tests/test_second; do
    object=build/all/$file.o
    compile="${CC:-cc} -std=c11 -O1 -iquote . -MMD -MP -MT $object -MF $object.dep -c -o $object.part $file.c"
    printf '%s \\\n    && mv -f %s.part %s\n' "$compile" "$object" "$object" >>commands
    $compile && mv "$object.dep" "build/all/$file.d" && mv "$object.part" "$object" || exit 1
done
for test in planted second; do
    all=build/all
    link="${CC:-cc} -o $all/tests/test_$test $all/tests/test_$test.o $all/common/planted.o $all/common/nearly.o"
    echo "$link" >>commands
    $link || exit 1
done
printf 'module\tbefore\tafter\treason\n' >none
run() { # run EXPLAINED MODULE
    JOBS=1 python3 "$script" build/all commands "$1" 1000 "$2" 1 >out 2>err
    echo "exit $?, $(sed -n 's/ of [0-9]* files.*//p' out)"
}
verdict() { # verdict CHANGED-LINE: what became of it, by which test
    awk -F '\t' -v after="$1" '
        $4 == after { print $5 ($6 == "" ? "" : " by " $6); found = 1 }
        END { if (!found) print "not tried" }' build/mutants.tsv
}

expect 'planted: those that count' "$(run none planted)" 'exit 1, 11 mutants'
expect 'planted: summary' "$(sed -n 's/.*files: //p' out)" \
    '8 killed (72.7 %), 3 survived, 3 of them without an explanation'
expect 'planted: errors' "$(cat err)" ''
expect 'an endless loop' \
    "$(verdict 'for (volatile unsigned long long left = n; left != 0; left++) {')" 'killed (time) by test_planted'
expect 'a wrong result' "$(verdict 'counted--;')" 'killed by test_planted'
expect 'too much memory' "$(verdict 'void *much(size_t n) { return malloc(n * 3); }')" 'killed by test_planted'
expect 'a crash' \
    "$(verdict 'int at(const volatile int *p) { return p != NULL ? ELEVEN : *p; }')" 'killed by test_planted'
expect 'seen by another test' \
    "$(verdict 'int other(const int *list, int i) { return list[i + 1]; }')" 'killed by test_second'
expect 'not seen' "$(verdict 'int untested(void) { return 1; } // never 1')" 'survived'
expect 'the same code' "$(verdict 'unsigned same(unsigned n) { return n >> 0; }')" 'same code'
expect 'does not compile' "$(verdict 'void /much(size_t n) { return malloc(n * 2); }')" 'does not compile'
expect 'not in comments, strings, checks, directives' \
    "$(awk -F '\t' '$3 ~ /comment|words|REQUIRE|define/ || $4 ~ /never 2/' build/mutants.tsv)" ''
expect 'the index in a check' "$(verdict 'REQUIRE(a < 9 && b[a + 1] == (3));')" 'not tried'

expect 'one in twenty, not explained' "$(run none nearly)" 'exit 1, 20 mutants'
reason() { cat none && printf '%s\t%s\t%s\tnobody calls it\n' "$1" "$2" "$3"; } # MODULE BEFORE AFTER
reason nearly 'int unused(void) { return 0; }' 'int unused(void) { return 1; }' >reasons
expect 'one in twenty, explained' "$(run reasons nearly)" 'exit 0, 20 mutants'
expect 'the reason is printed' "$(sed -n 's/.*[0-9] survived: //p' out)" 'nobody calls it'
reason nearly 'int unused(void) { return 0; }' 'int unused(void) { return 1; }' | sed 's/nobody/equivalent: nobody/' >reasons
expect 'an equivalent one does not count' "$(run reasons nearly)" 'exit 0, 19 mutants'
expect 'it is counted apart' "$(sed -n 's/^not counted: \([^,]*\),.*/\1/p' out)" \
    '1 equivalent (with them 95.0 % are killed)'
reason planted 'int untested(void) { return 0; } // never 1' 'int untested(void) { return 1; } // never 1' >reasons
run reasons planted >/dev/null
expect 'too few are seen' "$(tail -n 2 out | sed -n 's/.*survived, //p')" '2 of them without an explanation'
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
