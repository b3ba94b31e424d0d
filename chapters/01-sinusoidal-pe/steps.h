/* steps.h: what the files of chapter 1 share: the knobs, the steps and the data sets. */
#ifndef CHAPTER1_STEPS_H
#define CHAPTER1_STEPS_H

#include <stdint.h>
#include <stdio.h>

#include "common/status.h"
#include "common/table.h"

struct settings {
    int d_model;
    int max_len; /* rows of the layer's table, and what step 8 calls the training length */
    double base;
    double dropout;
    uint64_t seed;
};

/* word_order.c */
enum status step_word_order(void *settings, FILE *out, struct error *error);

/* waves.c */
enum status step_wavelengths(void *settings, FILE *out, struct error *error);
enum status step_rows(void *settings, FILE *out, struct error *error);
enum status step_rotation(void *settings, FILE *out, struct error *error);
enum status data_heatmap(void *settings, struct table *table, struct error *error);
enum status data_wavelengths(void *settings, struct table *table, struct error *error);

/* scores.c */
enum status step_distance(void *settings, FILE *out, struct error *error);
enum status step_terms(void *settings, FILE *out, struct error *error);
enum status data_similarity(void *settings, struct table *table, struct error *error);
enum status data_terms(void *settings, struct table *table, struct error *error);

/* layer.c */
enum status step_layer(void *settings, FILE *out, struct error *error);
enum status step_extrapolation(void *settings, FILE *out, struct error *error);

#endif
