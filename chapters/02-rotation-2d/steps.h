/* steps.h: what the files of chapter 2 share: the knobs, the steps and the data sets. */
#ifndef CHAPTER2_STEPS_H
#define CHAPTER2_STEPS_H

#include <stdio.h>

#include "common/rotation.h"
#include "common/status.h"
#include "common/table.h"

struct settings {
    double theta; /* radians */
    struct point point;
};

/* plane.c */
enum status step_matrix(void *settings, FILE *out, struct error *error);
enum status step_composition(void *settings, FILE *out, struct error *error);
enum status step_complex(void *settings, FILE *out, struct error *error);
enum status data_orbit(void *settings, struct table *table, struct error *error);

/* integers.c */
enum status step_integers(void *settings, FILE *out, struct error *error);
enum status step_limit(void *settings, FILE *out, struct error *error);

/* drift.c */
enum status step_drift(void *settings, FILE *out, struct error *error);
enum status data_drift(void *settings, struct table *table, struct error *error);

#endif
