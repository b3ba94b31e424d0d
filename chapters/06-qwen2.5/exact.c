/* exact.c: see exact.h. Every formula stands here as the chapters derive it; nothing is shared with the fast code but
 * the weights. */
#include "exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/bf16.h"

struct exact {
    const struct model_config *config;
    int n_tokens;
    bool rounded;
    double *x;         /* [n_tokens, d_model]: the residual stream */
    double *in, *out;  /* what goes into a product and a branch, and what comes out of it */
    double *q, *k, *v; /* [n_tokens, heads * head_dim] */
    double *gate, *up; /* [n_tokens, d_ff] */
    float *row;        /* of a weight matrix */
    double *score;     /* [n_tokens] */
};

/* y = x W^T + b; x [n_tokens, w->cols], rounded first where that is asked for. */
static void product(const struct exact *e, double *y, double *x, const struct tensor *w,
                    const struct tensor *b)
{
    for (size_t i = 0; e->rounded && i < (size_t)e->n_tokens * (size_t)w->cols; i++) {
        x[i] = (double)bf16_round((float)x[i]);
    }
    for (int o = 0; o < w->rows; o++) {
        tensor_row(e->row, w, o);
        for (int t = 0; t < e->n_tokens; t++) {
            double sum = b != NULL && tensor_present(b) ? (double)tensor_at(b, 0, o) : 0;
            for (int i = 0; i < w->cols; i++) {
                sum += x[(size_t)t * (size_t)w->cols + (size_t)i] * (double)e->row[i];
            }
            y[(size_t)t * (size_t)w->rows + (size_t)o] = sum;
        }
    }
}

static void norm(const struct exact *e, double *out, const double *x, const struct tensor *weight)
{
    int n = e->config->d_model;
    for (int t = 0; t < e->n_tokens; t++, x += n, out += n) {
        double squares = 0;
        for (int i = 0; i < n; i++) {
            squares += x[i] * x[i];
        }
        for (int i = 0; i < n; i++) {
            out[i] = x[i] / sqrt(squares / n + e->config->rms_norm_eps) * (double)tensor_at(weight, 0, i);
        }
    }
}

/* Turns pair (i, i + head_dim/2) of every head by position * theta^(-2i/head_dim). */
static void rotate(const struct exact *e, double *x, int n_heads)
{
    int dim = e->config->head_dim, half = dim / 2;
    for (int t = 0; t < e->n_tokens; t++) {
        for (int h = 0; h < n_heads; h++, x += dim) {
            for (int i = 0; i < half; i++) {
                double angle = t * pow(e->config->rope_theta, -2.0 * i / dim);
                double a = x[i], b = x[i + half];
                x[i] = a * cos(angle) - b * sin(angle);
                x[i + half] = a * sin(angle) + b * cos(angle);
            }
        }
    }
}

/* One query head of one token over all keys up to itself. */
static void attend(const struct exact *e, double *out, const double *q, const double *k, const double *v,
                   int t)
{
    int dim = e->config->head_dim;
    size_t stride = (size_t)e->config->n_kv_heads * (size_t)dim;
    double largest = -HUGE_VAL, sum = 0;
    for (int s = 0; s <= t; s++) {
        double dot = 0;
        for (int i = 0; i < dim; i++) {
            dot += q[i] * k[(size_t)s * stride + (size_t)i];
        }
        e->score[s] = dot / sqrt(dim);
        largest = fmax(largest, e->score[s]);
    }
    for (int s = 0; s <= t; s++) {
        e->score[s] = exp(e->score[s] - largest);
        sum += e->score[s];
    }
    for (int i = 0; i < dim; i++) {
        out[i] = 0;
        for (int s = 0; s <= t; s++) {
            out[i] += e->score[s] / sum * v[(size_t)s * stride + (size_t)i];
        }
    }
}

static void attention(const struct exact *e)
{
    const struct model_config *c = e->config;
    int group = c->n_heads / c->n_kv_heads;
    for (int t = 0; t < e->n_tokens; t++) {
        for (int h = 0; h < c->n_heads; h++) {
            size_t query = (size_t)(t * c->n_heads + h) * (size_t)c->head_dim;
            size_t key = (size_t)(h / group) * (size_t)c->head_dim;
            attend(e, e->in + query, e->q + query, e->k + key, e->v + key, t);
        }
    }
}

static void add_branch(const struct exact *e)
{
    for (size_t i = 0; i < (size_t)e->n_tokens * (size_t)e->config->d_model; i++) {
        e->x[i] += e->out[i];
    }
}

static void layer(const struct exact *e, const struct decoder_block_weights *w)
{
    norm(e, e->in, e->x, &w->attn_norm);
    product(e, e->q, e->in, &w->w_q, &w->b_q);
    product(e, e->k, e->in, &w->w_k, &w->b_k);
    product(e, e->v, e->in, &w->w_v, &w->b_v);
    rotate(e, e->q, e->config->n_heads);
    rotate(e, e->k, e->config->n_kv_heads);
    attention(e);
    product(e, e->out, e->in, &w->w_o, NULL);
    add_branch(e);

    norm(e, e->in, e->x, &w->ffn_norm);
    product(e, e->gate, e->in, &w->ffn.w_gate, NULL);
    product(e, e->up, e->in, &w->ffn.w_up, NULL);
    for (size_t i = 0; i < (size_t)e->n_tokens * (size_t)e->config->d_ff; i++) {
        e->gate[i] = e->gate[i] / (1 + exp(-e->gate[i])) * e->up[i];
    }
    product(e, e->out, e->gate, &w->ffn.w_down, NULL);
    add_branch(e);
}

/* All the memory in one piece, the caller's to free; NULL: not enough. */
static double *place(struct exact *e, size_t *bytes)
{
    const struct model_config *c = e->config;
    size_t n = (size_t)e->n_tokens, q_width = (size_t)c->n_heads * (size_t)c->head_dim;
    size_t width = q_width > (size_t)c->d_model ? q_width : (size_t)c->d_model;
    size_t kv_width = (size_t)c->n_kv_heads * (size_t)c->head_dim;
    size_t longest_row = width > (size_t)c->d_ff ? width : (size_t)c->d_ff;
    size_t of_token = 3 * width + q_width + 2 * kv_width + 2 * (size_t)c->d_ff + 1;
    *bytes = checked_product(checked_product(n, of_token) + longest_row, sizeof *e->x);
    double *memory = calloc(1, *bytes);
    e->x = memory;
    if (memory != NULL) {
        e->in = e->x + n * width;
        e->out = e->in + n * width;
        e->q = e->out + n * width;
        e->k = e->q + n * q_width;
        e->v = e->k + n * kv_width;
        e->gate = e->v + n * kv_width;
        e->up = e->gate + n * (size_t)c->d_ff;
        e->score = e->up + n * (size_t)c->d_ff;
        e->row = (float *)(void *)(e->score + n);
    }
    return memory;
}

enum status exact_logits(double *logits, const struct qwen2 *model, const int32_t *token, int n_tokens,
                         bool rounded, struct error *error)
{
    struct exact e = {.config = &model->config, .n_tokens = n_tokens, .rounded = rounded};
    size_t bytes = 0;
    double *memory = place(&e, &bytes);
    if (memory == NULL) {
        return error_no_memory(error, "activations in float64", bytes);
    }
    for (int t = 0; t < n_tokens; t++) {
        for (int i = 0; i < e.config->d_model; i++) {
            e.x[(size_t)t * (size_t)e.config->d_model + (size_t)i] =
                (double)tensor_at(&model->embedding, token[t], i);
        }
    }
    for (int l = 0; l < e.config->n_layers; l++) {
        layer(&e, &model->layers[l]);
    }
    norm(&e, e.in, e.x, &model->final_norm);
    product(&e, logits, e.in, &model->head, NULL);
    free(memory);
    return safetensors_check_sizes(&model->files, error);
}
