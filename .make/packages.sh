# packages.sh: what the tutorial needs, by package manager. Sourced by deps.sh and doctor.sh.
# A line of a table: thing, then its package in apt, dnf, pacman and brew; "-" where there is none or it is there already.
# shellcheck shell=sh disable=SC2034

package_manager() {
    for candidate in apt-get dnf pacman brew; do
        if command -v "$candidate" >/dev/null 2>&1; then
            echo "$candidate"
            return
        fi
    done
    echo none
}

packages_run='
compiler     gcc                  gcc                  gcc          -
libc         libc6-dev            glibc-devel          -            -
make         make                 make                 make         -
pkg-config   pkg-config           pkgconf-pkg-config   pkgconf      pkg-config
jansson      libjansson-dev       jansson-devel        jansson      jansson
pcre2        libpcre2-dev         pcre2-devel          pcre2        pcre2
utf8proc     libutf8proc-dev      utf8proc-devel       libutf8proc  utf8proc
check        check                check-devel          check        check
gnuplot      gnuplot-nox          gnuplot-minimal      gnuplot      gnuplot
curl         curl                 curl                 curl         -
openmp       -                    -                    -            libomp'

packages_dev='
clang        clang                clang                clang        llvm
clang-rt     libclang-rt-dev      compiler-rt          compiler-rt  -
clang-tidy   clang-tidy           clang-tools-extra    -            -
clang-format clang-format         -                    -            clang-format
libomp       libomp-dev           libomp-devel         openmp       -
cppcheck     cppcheck             cppcheck             cppcheck     cppcheck
valgrind     valgrind             valgrind             valgrind     -
shellcheck   shellcheck           ShellCheck           shellcheck   shellcheck
lcov         lcov                 lcov                 -            lcov
python3      python3              python3              python       python3
gcc-arm64    gcc-aarch64-linux-gnu gcc-aarch64-linux-gnu aarch64-linux-gnu-gcc -
libc-arm64   libc6-dev-arm64-cross -                   -            -
qemu         qemu-user            qemu-user            qemu-user    -
musl         musl-tools           musl-gcc             musl         -
gcc-32       gcc-VERSION-multilib glibc-devel.i686     lib32-glibc  -
openblas     libopenblas-dev      openblas-devel       openblas     openblas'

# package_of TABLE THING MANAGER: the package's name, "-" for none needed.
package_of() {
    case $3 in
    apt-get) column=2 ;;
    dnf) column=3 ;;
    pacman) column=4 ;;
    *) column=5 ;;
    esac
    version=$(gcc -dumpversion 2>/dev/null || echo 12)
    printf '%s\n' "$1" | awk -v thing="$2" -v column="$column" -v version="${version%%.*}" '
        $1 == thing { name = $column; sub(/VERSION/, version, name); print name }'
}

# things_of TABLE: the first column.
things_of() {
    printf '%s\n' "$1" | awk 'NF { print $1 }'
}

# is_installed MANAGER PACKAGE
is_installed() {
    case $1 in
    apt-get) dpkg-query -W -f='${Status}' "$2" 2>/dev/null | grep -q 'install ok installed' ;;
    dnf) rpm -q --whatprovides "$2" >/dev/null 2>&1 ;;
    pacman) pacman -T "$2" >/dev/null 2>&1 ;;
    brew) brew list --formula "$2" >/dev/null 2>&1 ;;
    *) false ;;
    esac
}

# install_command MANAGER: what stands in front of the package names.
install_command() {
    sudo=''
    if [ "$1" != brew ] && [ "$(id -u)" -ne 0 ]; then sudo='sudo '; fi
    case $1 in
    apt-get) echo "${sudo}apt-get install -y --no-install-recommends" ;;
    dnf) echo "${sudo}dnf install -y" ;;
    pacman) echo "${sudo}pacman -S --needed --noconfirm" ;;
    brew) echo "brew install" ;;
    esac
}
