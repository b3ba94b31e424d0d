#!/bin/sh
# Format, static analysis and shell scripts. Each tool that is not installed is said so and fails the run: a check that
# did not run is not a pass.
# usage: BUILD=… lint.sh [FILE.c…]     (none: all)
set -u
bad=0
need() {
    if ! command -v "$1" >/dev/null 2>&1; then
        echo "lint: $1 is not installed; \"make deps-dev\" installs it" >&2
        bad=$((bad + 1))
        return 1
    fi
}
# Solutions and wrong answers (tests/exercises/3.1/) are written as students write.
all_c() { git ls-files -- 'common/*.[ch]' 'chapters/*.[ch]' 'tests/*.[ch]' 2>/dev/null | grep -v '^tests/exercises/[0-9]' ||
    find common chapters tests -name '*.[ch]' -not -path 'tests/exercises/[0-9]*'; }
if [ $# -gt 0 ]; then files=$*; else files=$(all_c); fi
sources=$(printf '%s\n' $files | grep '\.c$')

if need clang-format; then
    # shellcheck disable=SC2086
    clang-format --dry-run --Werror $files || bad=$((bad + 1))
fi

flags_of() { # the flags of a kernel file are in the build's configuration
    sed -n "s/^FLAGS_$(basename "$1" .c) = //p" "$BUILD/config.mk" 2>/dev/null
}
if need clang-tidy; then
    libraries=$(sed -n 's/^CHAPTER6_CFLAGS =//p' "$BUILD/config.mk" 2>/dev/null)
    jobs=$(nproc 2>/dev/null || echo 1)
    for file in $sources; do
        printf '%s\t%s\n' "$file" "$(flags_of "$file")"
    done | LIBRARIES=$libraries xargs -P "$jobs" -d '\n' -n 1 sh -c '
        file=${1%%	*} flags=${1#*	}
        clang-tidy --quiet "$file" -- -std=c11 -D_POSIX_C_SOURCE=200809L -fopenmp -iquote . $LIBRARIES $flags 2>/dev/null
    ' tidy || bad=$((bad + 1))
fi
if need cppcheck; then
    # shellcheck disable=SC2086
    cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr --enable=warning,performance,portability \
        --suppress=missingIncludeSystem --suppress=varFuncNullUB --suppress=ctuuninitvar --suppress=unknownMacro -D__x86_64__ -I. $sources || bad=$((bad + 1))
fi
if need shellcheck; then
    scripts=$(git ls-files '*.sh' .ci/run 2>/dev/null || find . -name '*.sh')
    # shellcheck disable=SC2086
    shellcheck -x --severity=warning $scripts || bad=$((bad + 1))
fi
[ $bad -eq 0 ] && echo 'lint: clean'
[ $bad -eq 0 ]
