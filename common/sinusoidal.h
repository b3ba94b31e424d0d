/* sinusoidal.h: the position encoding of the first Transformer, a pattern of waves that is added to the embeddings.
 * Introduced in chapter 1. Vaswani et al. 2017, "Attention Is All You Need", arXiv 1706.03762, section 3.5.
 *
 * Elements 2i and 2i+1 of a row are one pair: a sine and a cosine of the same frequency. With an odd d_model the last
 * pair has a sine only. */
#ifndef COMMON_SINUSOIDAL_H
#define COMMON_SINUSOIDAL_H

#include "common/status.h"

/* The number of frequencies: d_model / 2, rounded up. */
int sinusoidal_pairs(int d_model);

/*     frequency = base^(-2 pair / d_model)          radians per position
 *
 * Its wavelength is 2 pi / frequency positions. pair in 0 .. sinusoidal_pairs(d_model)-1; base > 0. */
double sinusoidal_frequency(int pair, int d_model, double base);

/*     row[2i]     = sin(position * frequency_i)
 *     row[2i + 1] = cos(position * frequency_i)
 *
 * row       [d_model]
 * position  from 0; any finite value, no table limits it
 * requires d_model >= 1, base > 0. Error: at most 1e-12 + 4 * 2^-53 * position, as the product is rounded. */
void sinusoidal_row(double *row, double position, int d_model, double base);

/* The encoding as a layer of a network: max_len rows, rounded to float32 once, added to what passes through. */
struct sinusoidal {
    int d_model;
    int max_len;
    float *table; /* [max_len, d_model], owned */
};

/* errors: STATUS_NO_MEMORY. requires d_model >= 1, max_len >= 1, base > 0. */
enum status sinusoidal_init(struct sinusoidal *encoding, int d_model, int max_len, double base,
                            struct error *error);
void sinusoidal_free(struct sinusoidal *encoding); /* also of a zeroed struct */

/*     x[position, b, :] += table[position, :]          in place
 *
 * x  [seq_len, batch, d_model]
 * errors: STATUS_LIMIT when seq_len is above max_len; x is unchanged. */
enum status sinusoidal_add(float *x, const struct sinusoidal *encoding, int seq_len, int batch,
                           struct error *error);

#endif
