/* targets.h: what the small layers of this chapter learn. Each of the d_model outputs is the same function of another
 * pair (a, b) of neighbouring inputs; the last input is always 1 and serves as the bias that the layers do not have. */
#ifndef CHAPTER4_TARGETS_H
#define CHAPTER4_TARGETS_H

#include "common/rng.h"

enum { N_TARGETS = 3 };

struct target {
    const char *name;    /* as the flag --target takes it */
    const char *formula; /* "a b" */
    const char *favours; /* which layers can be expected to find it easy, said before the experiment */
    double (*value)(double a, double b);
};

const struct target *target_at(int index);

/* x [n_samples, d_model]: independent normal numbers, then the 1; y [n_samples, d_model]. requires d_model >= 3 */
void target_draw(double *x, double *y, const struct target *target, int n_samples, int d_model,
                 struct rng *rng);

#endif
