/* yours_functions.h: chapter 3's functions as the exercises write them. yours.c runs its checks with two such structs. */
#ifndef CHAPTER3_YOURS_FUNCTIONS_H
#define CHAPTER3_YOURS_FUNCTIONS_H

enum { HEAD_DIM = 64, PAIRS = HEAD_DIM / 2 }; /* the largest head of the checks */

struct functions {
    void (*inverse_frequencies)(double *frequency, int head_dim, double theta);
    void (*cos_sin_row)(float *cosine, float *sine, const double *frequency, int n_pairs, int position);
    void (*rotate_half)(double *x, int head_dim);
    void (*turn_half)(float *x, int n_heads, int head_dim, const float *cosine, const float *sine);
    void (*turn_interleaved)(float *x, const int *position, const double *frequency, int n_tokens,
                             int head_dim);
    void (*permute_to_half)(float *new_weight, float *new_bias, const float *weight, const float *bias,
                            int n_heads, int head_dim, int n_columns);
    void (*token_positions)(int *position, const int *n_padding, int n_rows, int n_cached, int n_new);
    void (*packed_positions)(int *position, const int *start, int n_sequences);
    double (*score_at)(const double *q, const double *k, int head_dim, const double *frequency, int m, int n);
    void (*score_new_token)(double *score, double *cache, const double *q, const double *k, int n_cached,
                            int head_dim, const double *frequency);
};

extern const struct functions project_functions; /* yours_project.c: common/'s code behind these signatures */

#endif
