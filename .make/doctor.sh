#!/bin/sh
# Says what is here, with versions, and for each missing thing the one line that installs it.
# usage: CC=… doctor.sh      exit 0 when everything that chapters 1 to 6 and the tests need is here
set -u
# shellcheck source=.make/packages.sh
. "$(dirname "$0")/packages.sh"

manager=$(package_manager)
command_line=$(install_command "$manager")
needed=0 optional=0

report() { # report THING VERSION: one line; an empty version is a missing thing
    if [ -n "$2" ]; then
        printf '  %-12s %s\n' "$1" "$2"
        return 0
    fi
    package=$(package_of "$packages_run" "$1" "$manager")
    case $package in
    '' | -) printf '  %-12s MISSING\n' "$1" ;;
    *) printf '  %-12s MISSING   %s %s\n' "$1" "$command_line" "$package" ;;
    esac
    return 1
}
need() { report "$1" "$2" || needed=$((needed + 1)); }
want() { report "$1" "$2" || optional=$((optional + 1)); }
first_line() { "$@" 2>/dev/null </dev/null | head -n 1; }
have() { command -v "$1" >/dev/null 2>&1; }

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
CC=${CC:-cc}

# version_of LIBRARY HEADER EXPRESSION FLAGS…: compiles, links and runs a program that prints the version.
version_of() {
    name=$1 includes=$2 expression=$3
    shift 3
    if have pkg-config && pkg-config --exists "$name" 2>/dev/null; then
        # shellcheck disable=SC2046
        set -- $(pkg-config --cflags --libs "$name")
    fi
    printf '#include <stdio.h>\n%s\nint main(void) { %s; return 0; }\n' "$includes" "$expression" >"$folder/v.c"
    "$CC" -o "$folder/v" "$folder/v.c" "$@" >/dev/null 2>&1 && "$folder/v"
}

echo 'chapters 1 to 5'
if have "$CC"; then
    need compiler "$(first_line "$CC" --version)"
    printf 'int main(void) { return 0; }\n' >"$folder/v.c"
    "$CC" -o "$folder/v" "$folder/v.c" >/dev/null 2>&1 || need libc ''
else
    need compiler ''
fi
if have make; then need make "$(first_line make --version)"; else need make ''; fi
openmp=$(printf '#include <omp.h>\n#include <stdio.h>\nint main(void) { printf("yes, %%d threads", omp_get_max_threads()); return 0; }\n' >"$folder/o.c" &&
    "$CC" -fopenmp -o "$folder/o" "$folder/o.c" >/dev/null 2>&1 && "$folder/o")
if [ -n "$openmp" ] || [ "$manager" = brew ]; then want openmp "${openmp:-}"; else printf '  %-12s %s\n' openmp 'not with this compiler: one thread'; fi

echo 'chapter 6'
if have pkg-config; then want pkg-config "$(first_line pkg-config --version)"; else want pkg-config ''; fi
need jansson "$(version_of jansson '#include <jansson.h>' 'printf("%s", jansson_version_str())' -ljansson)"
need pcre2 "$(version_of libpcre2-8 '#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>' 'char v[64]; pcre2_config(PCRE2_CONFIG_VERSION, v); printf("%s", v)' -lpcre2-8)"
need utf8proc "$(version_of libutf8proc '#include <utf8proc.h>' 'printf("%s, Unicode %s", utf8proc_version(), utf8proc_unicode_version())' -lutf8proc)"

echo 'tests'
need check "$(version_of check '#include <check.h>' 'printf("%d.%d.%d", check_major_version, check_minor_version, check_micro_version)' -lcheck -lm -lpthread)"

echo 'figures and downloads'
if have gnuplot; then want gnuplot "$(first_line gnuplot --version)"; else want gnuplot ''; fi
if have curl; then want curl "$(first_line curl --version | cut -d ' ' -f 1-2)"; else want curl ''; fi

if [ "$needed" -eq 0 ] && [ "$optional" -eq 0 ]; then
    echo 'everything is here'
else
    echo "$needed needed and $optional optional things are missing; \"make deps\" installs them all"
fi
[ "$needed" -eq 0 ]
