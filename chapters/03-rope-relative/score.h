/* score.h: the score of one query and one key after rotation, in three arithmetics. */
#ifndef CHAPTER3_SCORE_H
#define CHAPTER3_SCORE_H

#include "common/rng.h"
#include "steps.h"

/* All that a rotation needs beside the position. */
struct rotary {
    int head_dim;
    enum rope_layout layout;
    enum angle_map angle;
    double inv_freq[MAX_PAIRS];
};

struct rotary rotary_from(const struct settings *settings);

/* a(position); odd, a(-p) = -a(p), because R_(n-m) may turn backwards. */
double angle_argument(enum angle_map angle, double position);

/* x [head_dim] turned by a(position), in float64. */
void rotary_turn(const struct rotary *rotary, double *x, double position);

/* <R_m q, R_n k>. q, k [head_dim] */
double rotary_score(const struct rotary *rotary, const double *q, const double *k, double m, double n);

/* The same with cosines, vectors and products in each type; angles are float64 for all three. */
struct scores {
    double f64, f32, bf16;
};
struct scores rotary_scores(const struct rotary *rotary, const double *q, const double *k, double m,
                            double n);

double dot(const double *a, const double *b, int n);

/* The largest distance of a pair first .. last-1 from where it started, after that many tokens on a circle of radius 1:
 * 2 |sin(distance * inv_freq / 2)|, at most 2. */
double largest_chord(const double *inv_freq, int first, int last, double distance);

/* Normal random numbers rounded to bfloat16, so that all three arithmetics start from the same vector. */
void random_head(struct rng *rng, double *x, int head_dim);

/* <q + p_m, k + p_n>, with chapter 1's encoding (base 10000) added to q and k instead of a rotation. */
double added_score(const double *q, const double *k, int head_dim, double m, double n);

#endif
