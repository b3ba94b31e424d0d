/* work.h: the work that is measured, built once and used by all measures. Functions that return seconds return NaN when
 * the work could not be done, and set *work to what was done: bytes read or floating-point operations. */
#ifndef TESTS_BENCH_WORK_H
#define TESTS_BENCH_WORK_H

#include "common/sampler.h"
#include "tests/bench/random_model.h"
#include "tests/bench/texts.h"

enum { MAX_BATCH = 32, TINY_TOKENS = 64 };

struct bench {
    bool quick;
    int n_threads;   /* all */
    int max_context; /* of the first sequence */
    struct random_model random;
    struct random_model huge; /* the same in pages of 2 MB; without weights where the system gives none */
    struct qwen2 tiny;        /* the bundled model */
    struct qwen2_run run, tiny_run;
    struct kv_cache caches[MAX_BATCH]; /* the others have room for a few tokens */
    struct kv_cache tiny_cache;
    struct sampler sampler;
    struct texts texts;
    float *logits;           /* [MAX_BATCH, vocab_size] */
    float *x, *y;            /* of single products: 512 rows of the widest */
    float *w;                /* the weights of one product as float32 */
    const char *f32_kernel;  /* the chosen kernel, or the best that multiplies float32 */
    const char *kernel;      /* the one that is chosen */
    int fastest_read[2][2];  /* the two fastest probes (roofs.h), for one thread and for all */
    int fastest_multiply[2]; /* the fastest multiplier of float32 and of bfloat16; -1: none */
};

/* tokenizer: the folder of Qwen2.5's tokenizer.json. */
enum status bench_init(struct bench *bench, enum model_shape shape, bool quick, const char *tokenizer,
                       struct error *error);
void bench_free(struct bench *bench);

/* One token in each of n_sequences sequences of the given length. *work: bytes of weights, keys and values read. */
double work_decode(struct bench *bench, const struct random_model *random, int n_sequences, int context,
                   int n_threads, double *work);
/* n_tokens of an empty sequence. *work: operations of products and attention. */
double work_prefill(struct bench *bench, int n_tokens, int n_threads, double *work);
/* The products of four layers alone, 512 tokens; sgemm: by OpenBLAS, from float32. *work: operations. */
double work_products(struct bench *bench, bool sgemm, int n_threads, double *work);
/* TINY_TOKENS of the bundled model, one after the other. */
double work_tiny_decode(struct bench *bench, int n_threads);
/* One token drawn from the logits of the random model. */
double work_sample(struct bench *bench);

/* Loads the folder and computes one token, as a program that has just been started: seconds. *rss: the process's memory
 * in bytes, at its most; *compute: seconds that a second token takes. */
enum { START_CONTEXT = 512 };
enum status work_start(const char *folder, bool huge_pages, double *seconds, double *compute, double *rss,
                       struct error *error);

#endif
