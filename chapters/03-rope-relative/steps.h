/* steps.h: what the files of this chapter's program share: its flags, its steps and its data sets. */
#ifndef CHAPTER3_STEPS_H
#define CHAPTER3_STEPS_H

#include <stdint.h>
#include <stdio.h>

#include "common/rope.h"
#include "common/status.h"
#include "common/table.h"

/* How the angle grows with the position: the number a(position) that a pair's frequency is multiplied by. RoPE is
 * linear; the others show what the proof needs that for. */
enum angle_map { ANGLE_LINEAR, ANGLE_SQUARE, ANGLE_SQRT };

enum { MAX_HEAD_DIM = 1024, MAX_PAIRS = MAX_HEAD_DIM / 2 };

struct settings {
    int head_dim;
    double theta;
    int layout; /* enum rope_layout */
    int positions;
    int angle; /* enum angle_map */
    int trials;
    uint64_t seed;
};

/* Each step prints what stands under its title; context is a struct settings. */
enum status step_frequencies(void *context, FILE *out, struct error *error);
enum status step_collisions(void *context, FILE *out, struct error *error);
enum status step_table(void *context, FILE *out, struct error *error);
enum status step_rotate_half(void *context, FILE *out, struct error *error);
enum status step_layouts(void *context, FILE *out, struct error *error);
enum status step_proof(void *context, FILE *out, struct error *error);
enum status step_precision(void *context, FILE *out, struct error *error);
enum status step_integers(void *context, FILE *out, struct error *error);
enum status step_content(void *context, FILE *out, struct error *error);
enum status step_added(void *context, FILE *out, struct error *error);
enum status step_bf16_angles(void *context, FILE *out, struct error *error);
enum status step_shapes(void *context, FILE *out, struct error *error);
enum status step_values(void *context, FILE *out, struct error *error);

enum status data_bands(void *context, struct table *table, struct error *error);
enum status data_wavelengths(void *context, struct table *table, struct error *error);
enum status data_decay(void *context, struct table *table, struct error *error);
enum status data_collisions(void *context, struct table *table, struct error *error);
enum status data_shift(void *context, struct table *table, struct error *error);
enum status data_angle_error(void *context, struct table *table, struct error *error);

#endif
