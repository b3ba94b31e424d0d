/* work.h: the work that is measured. Every function returns the seconds of one run, NaN when it could not run, and
 * sets *work to what was done: bytes read or floating-point operations. */
#ifndef TESTS_BENCH_WORK_H
#define TESTS_BENCH_WORK_H

#include "tests/bench/random_model.h"

enum { MAX_BATCH = 32, MAX_CONTEXT = 4096, TINY_TOKENS = 64 };

/* What is built once and used by all. */
struct bench {
    struct random_model random;
    struct qwen2 tiny; /* the bundled model */
    struct qwen2_run run, tiny_run;
    struct kv_cache caches[MAX_BATCH]; /* the first has room for MAX_CONTEXT and a few more */
    struct kv_cache tiny_cache;
    float *logits; /* [MAX_BATCH, vocab_size] */
    float *x, *y;  /* of single products: [512, 4864], [512, 9728] */
    float *w;      /* the same weights as float32, one matrix: [9728, 896] */
    int n_threads; /* all */
};

enum status bench_init(struct bench *bench, struct error *error);
void bench_free(struct bench *bench);

/* One token in each of n_sequences sequences of the given length. *work: bytes of weights, keys and values read. */
double work_decode(struct bench *bench, int n_sequences, int context, int n_threads, double *work);
/* n_tokens of an empty sequence. *work: operations of products and attention. */
double work_prefill(struct bench *bench, int n_tokens, int n_threads, double *work);
/* The products of four layers alone, 512 tokens; sgemm: by OpenBLAS, from float32. *work: operations. */
double work_products(struct bench *bench, bool sgemm, int n_threads, double *work);
/* TINY_TOKENS of the bundled model, one after the other. */
double work_tiny_decode(struct bench *bench, int n_threads);

/* Loads the folder and computes one token, as a program that has just been started: seconds. *rss: the process's memory
 * in bytes; *compute: seconds that a second token takes. */
enum status work_start(const char *folder, double *seconds, double *compute, double *rss,
                       struct error *error);

#endif
