#!/bin/sh
# What this compiler and machine offer, as make variables on standard output. Each probe compiles and links a program
# that uses the thing: a flag that is merely accepted proves nothing.
# usage: CC=… CFLAGS=… LDFLAGS=… configure.sh BUILD_FOLDER
set -u
folder=$1
probe=$folder/probe-$$
trap 'rm -f "$probe".c "$probe"' EXIT

links() { # links SOURCE FLAGS…: does this program compile and link?
    printf '%s\n' "$1" >"$probe.c"
    shift
    # shellcheck disable=SC2086
    $CC $CFLAGS $LDFLAGS -o "$probe" "$probe.c" "$@" >/dev/null 2>&1
}

# ---- OpenMP: plain flag, then Apple clang with Homebrew's libomp
openmp_source='#include <omp.h>
int main(void) { int n = 0;
#pragma omp parallel reduction(+ : n)
n += 1; return n < 1 || omp_get_max_threads() < 1; }'
openmp_cflags='' openmp_libs=''
if links "$openmp_source" -fopenmp; then
    openmp_cflags=-fopenmp openmp_libs=-fopenmp
else
    for prefix in /opt/homebrew/opt/libomp /usr/local/opt/libomp; do
        if links "$openmp_source" -Xpreprocessor -fopenmp "-I$prefix/include" "-L$prefix/lib" -lomp; then
            openmp_cflags="-Xpreprocessor -fopenmp -I$prefix/include" openmp_libs="-L$prefix/lib -lomp"
            break
        fi
    done
fi
printf 'OPENMP_CFLAGS = %s\nOPENMP_LIBS = %s\n' "$openmp_cflags" "$openmp_libs"
if [ -n "$openmp_cflags" ]; then echo '  OpenMP: yes' >&2; else echo '  OpenMP: no, the programs use one thread' >&2; fi

# ---- Kernel files: each gets its flags only where the compiler can make that code
kernel() { # kernel NAME SOURCE FLAGS…
    name=$1 source=$2
    shift 2
    if links "$source" "$@"; then printf 'FLAGS_%s = %s\n' "$name" "$*"; else printf 'FLAGS_%s =\n' "$name"; fi
}
x86='#include <immintrin.h>'
kernel matmul_avx2 "$x86
int main(void) { __m256 a = _mm256_setzero_ps(); a = _mm256_fmadd_ps(a, a, a); return (int)_mm256_cvtss_f32(a); }" \
    -mavx2 -mfma -mf16c
kernel matmul_avx512 "$x86
int main(void) { __m512 a = _mm512_setzero_ps(); a = _mm512_fmadd_ps(a, a, a); return (int)_mm512_reduce_add_ps(a); }" \
    -mavx512f -mavx512bw -mavx512vl -mavx512dq -mavx2 -mfma -mf16c
kernel matmul_avx512bf16 "$x86
int main(void) { __m512 a = _mm512_setzero_ps(); __m512bh b = _mm512_cvtne2ps_pbh(a, a);
a = _mm512_dpbf16_ps(a, b, b); return (int)_mm512_reduce_add_ps(a); }" \
    -mavx512f -mavx512bw -mavx512vl -mavx512dq -mavx512bf16 -mavx2 -mfma -mf16c
kernel matmul_amx "$x86
int main(void) { _tile_zero(0); _tile_dpbf16ps(0, 1, 2); _tile_release(); return 0; }" \
    -mamx-tile -mamx-bf16 -mavx512f -mavx512bw -mavx512vl -mavx512dq -mavx512bf16 -mavx2 -mfma -mf16c
kernel matmul_neon '#include <arm_neon.h>
int main(void) { float32x4_t a = vdupq_n_f32(0); a = vfmaq_f32(a, a, a); return (int)vgetq_lane_f32(a, 0); }'
kernel matmul_neonbf16 '#include <arm_neon.h>
int main(void) { float32x4_t a = vdupq_n_f32(0); bfloat16x8_t b = vcvtq_low_bf16_f32(a);
a = vbfmmlaq_f32(a, b, b); return (int)vgetq_lane_f32(a, 0); }' \
    -march=armv8.2-a+bf16

# ---- Libraries: pkg-config where it is, the plain names otherwise
library() { # library PKG_CONFIG_NAME FALLBACK_FLAGS SOURCE: sets cflags and libs, or fails
    cflags='' libs=$2
    if command -v "${PKG_CONFIG:-pkg-config}" >/dev/null 2>&1 && "${PKG_CONFIG:-pkg-config}" --exists "$1"; then
        cflags=$("${PKG_CONFIG:-pkg-config}" --cflags "$1")
        libs=$("${PKG_CONFIG:-pkg-config}" --libs "$1")
    fi
    # shellcheck disable=SC2086
    links "$3" $cflags $libs || { libs=$2; links "$3" $cflags $libs; }
}
all_cflags='' all_libs='' missing=''
add() { # add NAME PKG FALLBACK SOURCE
    if library "$2" "$3" "$4"; then
        all_cflags="$all_cflags $cflags" all_libs="$all_libs $libs"
    else
        missing="$missing${missing:+, }$1"
    fi
}
add jansson jansson -ljansson '#include <jansson.h>
int main(void) { json_decref(json_object()); return 0; }'
add PCRE2 libpcre2-8 -lpcre2-8 '#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
int main(void) { pcre2_code_free(0); return 0; }'
add utf8proc libutf8proc -lutf8proc '#include <utf8proc.h>
int main(void) { return utf8proc_version() == 0; }'
printf 'CHAPTER6_CFLAGS =%s\nCHAPTER6_LIBS =%s\nCHAPTER6_MISSING = %s\n' "$all_cflags" "$all_libs" "$missing"

check_source='#include <check.h>
int main(void) { return srunner_ntests_failed(srunner_create(suite_create("s"))); }'
if library check '-lcheck -lm -lpthread' "$check_source"; then
    printf 'CHECK_CFLAGS = %s\nCHECK_LIBS = %s\nCHECK_MISSING =\n' "$cflags" "$libs"
else
    printf 'CHECK_CFLAGS =\nCHECK_LIBS =\nCHECK_MISSING = Check\n'
fi

# ---- OpenBLAS: only what make bench compares with
if library openblas -lopenblas '#include <cblas.h>
int main(void) { openblas_set_num_threads(1); return 0; }'; then
    printf 'OPENBLAS_CFLAGS = -DHAVE_OPENBLAS %s\nOPENBLAS_LIBS = %s\n' "$cflags" "$libs"
fi

# ---- Can the linker put functions of a test between the code and the C library (GNU ld, lld: --wrap)?
if links '#include <stdlib.h>
void *__wrap_malloc(size_t size); void *__wrap_malloc(size_t size) { return (void)size, (void *)0; }
int main(void) { return malloc(1) == 0 ? 0 : 1; }' -Wl,--wrap=malloc; then
    echo 'LINKER_WRAPS = yes'
fi
