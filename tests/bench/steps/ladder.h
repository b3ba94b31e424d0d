/* ladder.h: from the plain loop to the final kernel, one rung at a time. */
#ifndef TESTS_BENCH_STEPS_LADDER_H
#define TESTS_BENCH_STEPS_LADDER_H

#include "common/matmul.h"
#include "tests/bench/steps/weights.h"

enum { TOKENS = 512 };

/* What a rung's share is a share of. */
enum roof {
    ROOF_READ_1,
    ROOF_READ_ALL,
    ROOF_READ_HUGE,
    ROOF_FMA_1,
    ROOF_FMA_ALL,
    ROOF_BF16_TWO,
    ROOF_BF16_ONE,
    N_ROOFS
};

enum way {
    PLAIN,        /* matmul_plain */
    PORTABLE,     /* the kernel in plain C */
    WIDENED,      /* widened_dot.h, without prefetch */
    PREFETCHED,   /* the same with */
    FLOAT_KERNEL, /* the best kernel that multiplies float32 */
    BF16_KERNEL   /* the best one that multiplies bfloat16 */
};

struct rung {
    const char *name;  /* "decode.plain": as in the TSV */
    const char *title; /* for the table */
    enum way way;
    bool decode; /* one token and all matrices; otherwise TOKENS tokens and the matrices of some layers */
    bool all_threads, huge_pages;
    int at_once;            /* tokens given to the product together */
    int n_tokens, n_layers; /* how much of it is measured; slow rungs do less of the same */
    enum matmul_precision precision;
    enum roof roof;
};

enum { N_RUNGS = 15 };
extern const struct rung ladder[N_RUNGS];

struct ladder_work {
    struct weights small, huge;
    bool has_huge;
    int n_threads; /* all */
    const char *float_kernel;
    const char *bf16_kernel; /* NULL: none on this machine */
    float *x;                /* [TOKENS, LARGEST_WIDTH] */
    float *y;                /* [TOKENS, LARGEST_HEIGHT], and wide enough for the head */
};

/* one_in: see weights.h. */
enum status ladder_init(struct ladder_work *work, int one_in, struct error *error);
void ladder_free(struct ladder_work *work);

/* Whether this machine has what the rung needs. */
bool rung_possible(const struct ladder_work *work, const struct rung *rung);
/* Whether its products are those of float64, as far as its precision goes. */
bool rung_right(const struct ladder_work *work, const struct rung *rung);
/* Does the rung's work once: seconds, the bytes of weights that its tokens need, and its floating-point operations. */
struct rung_result {
    double seconds, bytes, flops;
};
struct rung_result rung_run(const struct ladder_work *work, const struct rung *rung);

/* Operations of the layers' products of all TOKENS. */
double ladder_prefill_flops(const struct ladder_work *work);

/* In GB/s or GFLOP/s; 0: this machine has no such thing. */
double ladder_roof(const struct ladder_work *work, enum roof roof);

#endif
