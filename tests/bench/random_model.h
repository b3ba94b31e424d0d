/* random_model.h: a model with random bfloat16 weights, built in memory. */
#ifndef TESTS_BENCH_RANDOM_MODEL_H
#define TESTS_BENCH_RANDOM_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "common/qwen2.h"

struct random_model {
    struct qwen2 model;
    unsigned char *weights; /* all of them, one after the other */
    size_t n_bytes;
    void *mapping;
    size_t mapping_size;
};

enum model_shape {
    SHAPE_QWEN2_0_5B, /* 988 MB */
    SHAPE_SMALL       /* a few MB, to try the benchmark itself */
};

/* Bytes of the weights of a shape. */
size_t random_model_bytes(enum model_shape shape);

/* huge_pages: the weights lie in pages of 2 MB where the system gives them; else in the smallest that it has. */
enum status random_model_init(struct random_model *random, enum model_shape shape, bool huge_pages,
                              struct error *error);
void random_model_free(struct random_model *random);

/* The same model as a folder: config.json and model.safetensors; nothing is written when it is there already. */
enum status random_model_save(const struct random_model *random, const char *folder, struct error *error);

/* Floating-point operations of the products of one pass, and of its attention. */
double random_model_product_flops(const struct random_model *random, int n_tokens, int n_logit_rows);
double random_model_attention_flops(const struct random_model *random, int n_tokens);

#endif
