#include "score.h"

#include <math.h>
#include <string.h>

#include "common/bf16.h"
#include "common/sinusoidal.h"

struct rotary rotary_from(const struct settings *settings)
{
    struct rotary rotary = {
        .head_dim = settings->head_dim, .layout = settings->layout, .angle = settings->angle};
    rope_inv_freq(rotary.inv_freq, settings->head_dim, settings->theta);
    return rotary;
}

double angle_argument(enum angle_map angle, double position)
{
    switch (angle) {
    case ANGLE_SQUARE: return position * fabs(position);
    case ANGLE_SQRT: return copysign(sqrt(fabs(position)), position);
    case ANGLE_LINEAR: break;
    }
    return position;
}

double dot(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

double largest_chord(const double *inv_freq, int first, int last, double distance)
{
    double largest = 0.0;
    for (int i = first; i < last; i++) {
        largest = fmax(largest, 2.0 * fabs(sin(0.5 * inv_freq[i] * distance)));
    }
    return largest;
}

void random_head(struct rng *rng, double *x, int head_dim)
{
    for (int i = 0; i < head_dim; i++) {
        x[i] = (double)bf16_round((float)rng_normal(rng));
    }
}

static void angles(const struct rotary *rotary, double *cosine, double *sine, double position)
{
    rope_angles(cosine, sine, rotary->inv_freq, rotary->head_dim / 2,
                angle_argument(rotary->angle, position));
}

void rotary_turn(const struct rotary *rotary, double *x, double position)
{
    double cosine[MAX_PAIRS], sine[MAX_PAIRS];
    angles(rotary, cosine, sine, position);
    rope_rotate_f64(x, rotary->layout, cosine, sine, rotary->head_dim);
}

double rotary_score(const struct rotary *rotary, const double *q, const double *k, double m, double n)
{
    double a[MAX_HEAD_DIM], b[MAX_HEAD_DIM];
    memcpy(a, q, (size_t)rotary->head_dim * sizeof *a);
    memcpy(b, k, (size_t)rotary->head_dim * sizeof *b);
    rotary_turn(rotary, a, m);
    rotary_turn(rotary, b, n);
    return dot(a, b, rotary->head_dim);
}

/* x turned with a one-row table, as rope_table would hold it for this position. */
static void turn_f32(const struct rotary *rotary, float *out, const double *x, const double *cosine,
                     const double *sine)
{
    float row_cosine[MAX_PAIRS], row_sine[MAX_PAIRS];
    for (int i = 0; i < rotary->head_dim / 2; i++) {
        row_cosine[i] = (float)cosine[i];
        row_sine[i] = (float)sine[i];
    }
    for (int i = 0; i < rotary->head_dim; i++) {
        out[i] = (float)x[i];
    }
    const struct rope_table row = {
        .head_dim = rotary->head_dim, .n_positions = 1, .cosine = row_cosine, .sine = row_sine};
    const int32_t first = 0;
    rope_apply(out, rotary->layout, &row, &first, 1, 1, 0, 0);
}

/* The half layout is the one that PyTorch's bfloat16 arithmetic was written down for; the other is put in its order,
 * which changes no element's rounding. */
static void turn_bf16(const struct rotary *rotary, uint16_t *out, const double *x, const double *cosine,
                      const double *sine)
{
    uint16_t row_cosine[MAX_PAIRS], row_sine[MAX_PAIRS];
    int half = rotary->head_dim / 2;
    for (int i = 0; i < half; i++) {
        row_cosine[i] = bf16_from_f32((float)cosine[i]);
        row_sine[i] = bf16_from_f32((float)sine[i]);
        out[i] = bf16_from_f32((float)x[rotary->layout == ROPE_HALF ? i : 2 * i]);
        out[i + half] = bf16_from_f32((float)x[rotary->layout == ROPE_HALF ? i + half : 2 * i + 1]);
    }
    rope_rotate_half_bf16(out, row_cosine, row_sine, rotary->head_dim);
}

static float dot_f32(const float *a, const float *b, int n)
{
    float sum = 0.0f;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static float dot_bf16(const uint16_t *a, const uint16_t *b, int n)
{
    float sum = 0.0f; /* as hardware does: bfloat16 factors, a float32 sum */
    for (int i = 0; i < n; i++) {
        sum += bf16_to_f32(a[i]) * bf16_to_f32(b[i]);
    }
    return sum;
}

struct scores rotary_scores(const struct rotary *rotary, const double *q, const double *k, double m, double n)
{
    double cosine[2][MAX_PAIRS], sine[2][MAX_PAIRS];
    double f64[2][MAX_HEAD_DIM];
    float f32[2][MAX_HEAD_DIM];
    uint16_t bf16[2][MAX_HEAD_DIM];
    const double *x[2] = {q, k};
    const double position[2] = {m, n};
    for (int side = 0; side < 2; side++) {
        angles(rotary, cosine[side], sine[side], position[side]);
        memcpy(f64[side], x[side], (size_t)rotary->head_dim * sizeof(double));
        rope_rotate_f64(f64[side], rotary->layout, cosine[side], sine[side], rotary->head_dim);
        turn_f32(rotary, f32[side], x[side], cosine[side], sine[side]);
        turn_bf16(rotary, bf16[side], x[side], cosine[side], sine[side]);
    }
    return (struct scores){.f64 = dot(f64[0], f64[1], rotary->head_dim),
                           .f32 = (double)dot_f32(f32[0], f32[1], rotary->head_dim),
                           .bf16 = (double)dot_bf16(bf16[0], bf16[1], rotary->head_dim)};
}

double added_score(const double *q, const double *k, int head_dim, double m, double n)
{
    double a[MAX_HEAD_DIM], b[MAX_HEAD_DIM];
    sinusoidal_row(a, m, head_dim, 10000.0);
    sinusoidal_row(b, n, head_dim, 10000.0);
    for (int i = 0; i < head_dim; i++) {
        a[i] += q[i];
        b[i] += k[i];
    }
    return dot(a, b, head_dim);
}
