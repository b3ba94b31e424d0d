#!/bin/sh
# The libraries of chapter 6 for arm64, from Debian's or Ubuntu's own archive, unpacked into a folder: nothing is installed,
# and the system does not learn of a second architecture.
# usage: arm64_libraries.sh FOLDER       then pkg-config with PKG_CONFIG_LIBDIR=FOLDER/pkgconfig finds them
set -u
folder=$1
[ -f "$folder/complete" ] && exit 0
command -v apt-get >/dev/null 2>&1 && command -v dpkg-deb >/dev/null 2>&1 || {
    echo "arm64: chapter 6 needs libraries for arm64, which are fetched with apt-get: without it, make arm64 LEVELS='1 2 3 4 5'" >&2
    exit 1
}
rm -rf "$folder"
mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial" "$folder/packages" "$folder/unpacked"
folder=$(cd "$folder" && pwd)
: >"$folder/status"
cat >"$folder/apt.conf" <<END
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Sandbox::User "";
Dir::State "$folder";
Dir::State::status "$folder/status";
Dir::Cache "$folder/cache";
END
export APT_CONFIG="$folder/apt.conf"
(apt-get update && cd "$folder/packages" && apt-get download libjansson-dev libpcre2-dev libutf8proc-dev) \
    >"$folder/log" 2>&1 || {
    cat "$folder/log" >&2
    exit 1
}
for package in "$folder"/packages/*.deb; do
    dpkg-deb -x "$package" "$folder/unpacked" || exit 1
done
# The .pc files name /usr as their prefix.
mkdir -p "$folder/pkgconfig"
for file in "$folder"/unpacked/usr/lib/aarch64-linux-gnu/pkgconfig/*.pc; do
    sed "s|^prefix=.*|prefix=$folder/unpacked/usr|" "$file" >"$folder/pkgconfig/$(basename "$file")"
done
rm -rf "$folder/lists" "$folder/cache"
touch "$folder/complete"
