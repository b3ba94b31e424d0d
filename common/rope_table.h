/* rope_table.h: the angles of rotary position embedding, and the table of their cosines and sines.
 * Introduced in chapter 3. Su et al. 2021, "RoFormer", arXiv 2104.09864, section 3.2.2. */
#ifndef COMMON_ROPE_TABLE_H
#define COMMON_ROPE_TABLE_H

#include "common/status.h"

/* inv_freq[i] = theta^(-2i / head_dim), the radians that pair i turns per token; inv_freq [head_dim/2].
 * requires head_dim even, theta > 0. */
void rope_inv_freq(double *inv_freq, int head_dim, double theta);

/* cos and sin of position * inv_freq[i], computed in float64. Both [n_pairs]. */
void rope_angles(double *cosine, double *sine, const double *inv_freq, int n_pairs, double position);

/* cos and sin of every position from 0 on, for all layers and heads. Computed in float64 and rounded once: at position
 * 131071 float32 angles are already off by 2e-3. */
struct rope_table {
    int head_dim;
    double theta;
    int n_positions;  /* rows that are filled */
    double *inv_freq; /* [head_dim/2], owned */
    float *cosine;    /* [n_positions, head_dim/2], owned */
    float *sine;      /* [n_positions, head_dim/2], owned */
};

/* errors: STATUS_NO_MEMORY. requires head_dim even and > 0, theta > 0, n_positions >= 0. */
enum status rope_table_init(struct rope_table *table, int head_dim, double theta, int n_positions,
                            struct error *error);
/* Makes rows 0 .. n_positions-1 available; existing rows do not change, fewer rows change nothing. On failure the table
 * stays as it was. Every growth copies the table: ask once for the longest sequence that may come.
 * errors: STATUS_NO_MEMORY. */
enum status rope_table_reserve(struct rope_table *table, int n_positions, struct error *error);
void rope_table_free(struct rope_table *table); /* also of a zeroed struct */

#endif
