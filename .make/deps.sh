#!/bin/sh
# Installs what is missing, with the system's package manager.
# usage: deps.sh [dev]     dev: also what .ci/run's checks need
set -u
# shellcheck source=.make/packages.sh
. "$(dirname "$0")/packages.sh"

manager=$(package_manager)
if [ "$manager" = none ]; then
    echo 'deps: no apt-get, dnf, pacman or brew here. Needed: a C compiler, make, pkg-config, and the development' >&2
    echo '      files of jansson, PCRE2, utf8proc and Check; gnuplot for the figures, curl for make model' >&2
    exit 1
fi
missing=''
collect() { # collect TABLE
    for thing in $(things_of "$1"); do
        package=$(package_of "$1" "$thing" "$manager")
        if [ "$package" != - ] && ! is_installed "$manager" "$package"; then
            missing="$missing $package"
        fi
    done
}
# For the checks only: a system that does not have one of these packages does without.
drop_unknown() {
    known=''
    for package in $missing; do
        if [ "$manager" = apt-get ] && ! apt-cache show "$package" >/dev/null 2>&1; then
            echo "deps: there is no package $package here: the checks that use it are skipped" >&2
        else
            known="$known $package"
        fi
    done
    missing=$known
}
if [ "${1-}" = dev ]; then
    collect "$packages_dev"
    drop_unknown
fi
collect "$packages_run"
if [ -z "$missing" ]; then
    echo 'deps: everything is installed'
    exit 0
fi
command=$(install_command "$manager")
if [ "${command%% *}" = sudo ] && ! command -v sudo >/dev/null 2>&1; then
    echo "deps: not root, and there is no sudo. As root run: ${command#sudo }$missing" >&2
    exit 1
fi
echo "deps: $command$missing"
DEBIAN_FRONTEND=noninteractive
export DEBIAN_FRONTEND
# shellcheck disable=SC2086
if ! $command $missing; then
    echo "deps: the package manager failed on:$missing" >&2
    if [ "$manager" = apt-get ]; then echo 'deps: if a package was not found, "apt-get update" first' >&2; fi
    exit 1
fi
