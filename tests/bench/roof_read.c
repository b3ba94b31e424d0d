#include <time.h>

#include "tests/bench/roofs.h"

double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A thread takes a piece at a time. Each of its streams reads LINES lines of the cache in a row, then the next stream:
 * several streams keep more of the memory's banks busy than one, and are how a product reads the rows of a matrix. */
enum { LINE = 64, LINES = 2, PIECE = 1 << 21, UNIT = 4 * LINES * LINE };

/* Empty assembly takes the loaded vector as its input: the load happens, and nothing is computed with it. */
#define READ_LOOP(vector, constraint, n_streams, prefetch)                                                   \
    for (size_t i = 0; i < n_bytes / (n_streams); i += (size_t)LINES * LINE) {                               \
        _Pragma("GCC unroll 4") for (size_t s = 0; s < (n_streams); s++)                                     \
        {                                                                                                    \
            _Pragma("GCC unroll 2") for (size_t j = 0; j < LINES; j++)                                       \
            {                                                                                                \
                const unsigned char *line = from + s * (n_bytes / (n_streams)) + i + j * LINE;               \
                prefetch;                                                                                    \
                _Pragma("GCC unroll 8") for (size_t part = 0; part < LINE; part += sizeof(vector))           \
                {                                                                                            \
                    __asm__ volatile("" : : constraint(*(const vector *)(const void *)(line + part)));       \
                }                                                                                            \
            }                                                                                                \
        }                                                                                                    \
    }

/* ahead in bytes; 0: no prefetch. n_bytes: a multiple of UNIT. */
#define READER(name, attribute, vector, constraint, n_streams)                                               \
    attribute static void name(const unsigned char *from, size_t n_bytes, size_t ahead)                      \
    {                                                                                                        \
        if (ahead == 0) {                                                                                    \
            READ_LOOP(vector, constraint, n_streams, (void)0)                                                \
        } else {                                                                                             \
            READ_LOOP(vector, constraint, n_streams, __builtin_prefetch(line + ahead))                       \
        }                                                                                                    \
    }

typedef long long words16 __attribute__((vector_size(16), aligned(1)));
typedef long long words32 __attribute__((vector_size(32), aligned(1)));
typedef long long words64 __attribute__((vector_size(64), aligned(1)));

#define FOR(instructions) __attribute__((target(instructions)))

#if defined(__x86_64__)
READER(read_sse2, , words16, "x", 1)
READER(read_sse2_4, , words16, "x", 4)
READER(read_avx2, FOR("avx2"), words32, "x", 1)
READER(read_avx2_4, FOR("avx2"), words32, "x", 4)
READER(read_avx512, FOR("avx512f"), words64, "v", 1)
READER(read_avx512_4, FOR("avx512f"), words64, "v", 4)
#elif defined(__aarch64__)
READER(read_neon, , words16, "w", 1)
READER(read_neon_4, , words16, "w", 4)
#else
READER(read_words, , long long, "r", 1)
READER(read_words_4, , long long, "r", 4)
#endif

static void read_piece(const unsigned char *from, size_t n_bytes, int n_streams, size_t ahead)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) {
        (n_streams == 1 ? read_avx512 : read_avx512_4)(from, n_bytes, ahead);
    } else if (__builtin_cpu_supports("avx2")) {
        (n_streams == 1 ? read_avx2 : read_avx2_4)(from, n_bytes, ahead);
    } else {
        (n_streams == 1 ? read_sse2 : read_sse2_4)(from, n_bytes, ahead);
    }
#elif defined(__aarch64__)
    (n_streams == 1 ? read_neon : read_neon_4)(from, n_bytes, ahead);
#else
    (n_streams == 1 ? read_words : read_words_4)(from, n_bytes, ahead);
#endif
}

static const struct {
    const char *name;
    int n_streams;
    size_t ahead;
} probes[N_READ_PROBES] = {
    {"1 stream", 1, 0},
    {"1 stream, prefetch 2 kB ahead", 1, 2048},
    {"1 stream, prefetch 8 kB ahead", 1, 8192},
    {"4 streams", 4, 0},
    {"4 streams, prefetch 1 kB ahead", 4, 1024},
    {"4 streams, prefetch 2 kB ahead", 4, 2048},
};

const char *roof_read_name(int probe)
{
    return probes[probe].name;
}

bool roof_read_prefetches(int probe)
{
    return probes[probe].ahead > 0;
}

double roof_read(const void *bytes, size_t n_bytes, int n_threads, int probe)
{
    long n_pieces = (long)((n_bytes + PIECE - 1) / PIECE);
    double start = now();
    (void)n_threads;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(n_threads)
#endif
    for (long i = 0; i < n_pieces; i++) {
        size_t from = (size_t)i * PIECE;
        size_t left = n_bytes - from < PIECE ? n_bytes - from : PIECE;
        read_piece((const unsigned char *)bytes + from, left / UNIT * UNIT, probes[probe].n_streams,
                   probes[probe].ahead);
    }
    return now() - start;
}
