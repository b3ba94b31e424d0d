/* steps.h: the steps and data sets of chapter 5. settings is a struct settings (lab.h). */
#ifndef CHAPTER5_STEPS_H
#define CHAPTER5_STEPS_H

#include <stdio.h>

#include "chapters/05-decoder-block/lab.h"
#include "common/status.h"
#include "common/table.h"

/* way.c: through the block */
enum status step_shapes(void *settings, FILE *out, struct error *error);
enum status step_query(void *settings, FILE *out, struct error *error);
enum status step_stream(void *settings, FILE *out, struct error *error);
enum status data_shapes(void *settings, struct table *table, struct error *error);
enum status data_attention(void *settings, struct table *table, struct error *error);
enum status data_stream(void *settings, struct table *table, struct error *error);

/* masks.c: who may look at whom */
enum status step_masks(void *settings, FILE *out, struct error *error);
enum status step_future(void *settings, FILE *out, struct error *error);
enum status data_masks(void *settings, struct table *table, struct error *error);

/* distance.c: what depends on the distance, and what does not */
enum status step_shift(void *settings, FILE *out, struct error *error);
enum status step_prefix(void *settings, FILE *out, struct error *error);
enum status step_identical(void *settings, FILE *out, struct error *error);
enum status data_prefix(void *settings, struct table *table, struct error *error);
enum status data_identical(void *settings, struct table *table, struct error *error);

/* cache.c: what is kept between tokens */
enum status step_heads(void *settings, FILE *out, struct error *error);
enum status step_decode(void *settings, FILE *out, struct error *error);

/* forms.c: the multi-head block and Qwen2.5's, and training */
enum status step_forms(void *settings, FILE *out, struct error *error);

#endif
