/* chapter4.h: the settings, and the steps and data sets of the other files here that main.c puts in order. */
#ifndef CHAPTER4_H
#define CHAPTER4_H

#include <stdio.h>

#include "common/status.h"
#include "common/table.h"

struct settings {
    int d_model;
    int d_ff;  /* without a gate; a gated layer gets 2/3 of it */
    int steps; /* of training */
    int seeds; /* runs of every layer that the table averages */
    int target;
    double learning_rate; /* 0: the best of a small sweep for every layer */
};

/* activations.c */
enum status step_activations(void *settings, FILE *out, struct error *error);
enum status write_activations(void *settings, struct table *table, struct error *error);

/* layers.c */
enum status step_layers(void *settings, FILE *out, struct error *error);
enum status step_gate(void *settings, FILE *out, struct error *error);
enum status step_fused(void *settings, FILE *out, struct error *error);
enum status step_dropout(void *settings, FILE *out, struct error *error);

/* parameters.c */
enum status step_parameters(void *settings, FILE *out, struct error *error);

/* gradients.c */
enum status step_gradients(void *settings, FILE *out, struct error *error);

/* report.c */
enum status step_experiment(void *settings, FILE *out, struct error *error);

/* published.c */
enum status step_published(void *settings, FILE *out, struct error *error);

/* data.c */
enum status write_curves(void *settings, struct table *table, struct error *error);
enum status write_losses(void *settings, struct table *table, struct error *error);

#endif
