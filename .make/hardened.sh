#!/bin/sh
# Is the hardening that was asked for in the programs? A flag that a compiler ignores protects nothing.
# usage: hardened.sh PROGRAM…
set -u
bad=0
has() { # has PROGRAM PATTERN WHAT OPTION: does what readelf says with OPTION match?
    readelf -W "$4" "$1" 2>/dev/null | grep -qE "$2" || {
        echo "$1: no $3" >&2
        bad=$((bad + 1))
    }
}
for program in "$@"; do
    has "$program" 'Type: +DYN' 'position-independent executable' -h
    has "$program" 'FLAGS_1.* PIE' 'position-independent executable' -d
    has "$program" 'GNU_RELRO' 'RELRO' -l
    has "$program" 'FLAGS.* (BIND_)?NOW' 'full RELRO (symbols are bound late)' -d
    has "$program" 'GNU_STACK.* RW ' 'stack without execution' -l
    has "$program" '__stack_chk_fail' 'stack protector' --dyn-syms
    has "$program" '__[a-z]*printf_chk' 'fortified calls' --dyn-syms
done
echo "hardened: $# programs, $bad protections missing"
[ $# -gt 0 ] && [ "$bad" -eq 0 ]
