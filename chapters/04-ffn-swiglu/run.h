/* run.h: one training, from random weights to the last step.
 *
 * Every step draws new samples, so nothing can be learnt by heart, and the learning rate falls linearly to 0. Runs with
 * the same seed and target get the same samples in the same order, whatever the layer. */
#ifndef CHAPTER4_RUN_H
#define CHAPTER4_RUN_H

#include <stdbool.h>

#include "chapter4.h"

enum { N_POINTS = 21, BATCH = 32 };

struct run {
    int target, layer, seed;
    double learning_rate;
    bool curve;            /* whether all points are wanted; only the last one otherwise */
    double loss[N_POINTS]; /* out: on unseen samples, divided by the variance of their targets */
    bool no_memory;        /* out: the run could not start */
};

/* The step before which the point is measured: point 0 before the first one, the last after the last. */
int run_step_of_point(int point, int steps);

void run_training(struct run *run, const struct settings *settings);

#endif
