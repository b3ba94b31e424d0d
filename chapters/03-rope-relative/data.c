/* The data sets: what the figures of this chapter show. */
#include <math.h>
#include <string.h>

#include "angle_types.h"
#include "score.h"

enum { N_SHIFT_PAIRS = 100 };

enum status data_bands(void *context, struct table *table, struct error *error)
{
    (void)error;
    const struct settings *s = context;
    struct rotary rotary = rotary_from(s);
    for (int position = 0; position < 64 && position < s->positions; position++) {
        for (int i = 0; i < s->head_dim / 2; i++) {
            table_int(table, position);
            table_int(table, i);
            table_float(table, cos(angle_argument(s->angle, position) * rotary.inv_freq[i]));
        }
    }
    return STATUS_OK;
}

enum status data_wavelengths(void *context, struct table *table, struct error *error)
{
    (void)error;
    const struct settings *s = context;
    static const double thetas[] = {1e4, 1e6};
    double inv_freq[MAX_PAIRS];
    for (int t = 0; t < 2; t++) {
        rope_inv_freq(inv_freq, s->head_dim, thetas[t]);
        for (int i = 0; i < s->head_dim / 2; i++) {
            table_float(table, thetas[t]);
            table_int(table, i);
            table_float(table, inv_freq[i]);
            table_float(table, 6.283185307179586 / inv_freq[i]);
        }
    }
    return STATUS_OK;
}

enum status data_decay(void *context, struct table *table, struct error *error)
{
    (void)error;
    const struct settings *s = context;
    struct rotary rotary = rotary_from(s);
    rotary.angle = ANGLE_LINEAR;
    double equal[MAX_HEAD_DIM], q[MAX_HEAD_DIM] = {0}, k[MAX_HEAD_DIM] = {0}, turned[MAX_HEAD_DIM];
    struct rng rng;
    rng_init(&rng, s->seed);
    random_head(&rng, q, s->head_dim);
    random_head(&rng, k, s->head_dim);
    memcpy(turned, k, sizeof turned);
    rotary_turn(&rotary, turned, -1000);
    for (int i = 0; i < s->head_dim; i++) {
        equal[i] = 1.0;
    }
    double k_norm = sqrt(dot(k, k, s->head_dim)), q_norm = sqrt(dot(q, q, s->head_dim));
    for (int distance = 0; distance <= 2000; distance += 4) {
        table_int(table, distance);
        table_float(table, rotary_score(&rotary, equal, equal, distance, 0) / s->head_dim);
        table_float(table, rotary_score(&rotary, q, k, distance, 0) / (q_norm * k_norm));
        table_float(table, rotary_score(&rotary, turned, k, distance, 0) / (k_norm * k_norm));
    }
    return STATUS_OK;
}

/* How far the pair that is farthest from its start is from it: near 0 where the distance looks like 0. */
enum status data_collisions(void *context, struct table *table, struct error *error)
{
    (void)error;
    const struct settings *s = context;
    struct rotary rotary = rotary_from(s);
    for (int distance = 1; distance <= 400 && distance < s->positions; distance++) {
        table_int(table, distance);
        table_float(table, largest_chord(rotary.inv_freq, 0, 1, distance));
        table_float(table, largest_chord(rotary.inv_freq, 0, s->head_dim / 2, distance));
    }
    return STATUS_OK;
}

/* The root mean square, over random q and k at positions 3 and 0, of how much each score changes under the shift. */
static void rms_changes(const struct settings *s, struct rotary *rotary, double shift, double change[3])
{
    double q[MAX_HEAD_DIM], k[MAX_HEAD_DIM];
    struct rng rng;
    rng_init(&rng, s->seed);
    memset(change, 0, 3 * sizeof *change);
    for (int pair = 0; pair < N_SHIFT_PAIRS; pair++) {
        double moved[3];
        random_head(&rng, q, s->head_dim);
        random_head(&rng, k, s->head_dim);
        rotary->angle = ANGLE_LINEAR;
        moved[0] = rotary_score(rotary, q, k, shift + 3, shift) - rotary_score(rotary, q, k, 3, 0);
        moved[1] = added_score(q, k, s->head_dim, shift + 3, shift) - added_score(q, k, s->head_dim, 3, 0);
        rotary->angle = ANGLE_SQUARE;
        moved[2] = rotary_score(rotary, q, k, shift + 3, shift) - rotary_score(rotary, q, k, 3, 0);
        for (int i = 0; i < 3; i++) {
            change[i] += moved[i] * moved[i] / N_SHIFT_PAIRS;
        }
    }
    for (int i = 0; i < 3; i++) {
        change[i] = sqrt(change[i]);
    }
}

/* 1, 1.5, 2, 3, 5, 7 times powers of ten: even steps on a log axis, whole positions. */
static int next_position(int step)
{
    static const int tenths[] = {10, 15, 20, 30, 50, 70};
    int position = tenths[step % 6];
    for (int decade = 0; decade < step / 6; decade++) {
        position *= 10;
    }
    return position / 10;
}

enum status data_shift(void *context, struct table *table, struct error *error)
{
    (void)error;
    const struct settings *s = context;
    struct rotary rotary = rotary_from(s);
    for (int step = 0; next_position(step) <= 1000000; step++) {
        if (step == 1) {
            continue; /* 1.5 is no position */
        }
        double change[3];
        rms_changes(s, &rotary, next_position(step), change);
        table_int(table, next_position(step));
        for (int i = 0; i < 3; i++) {
            table_float(table, change[i]);
        }
    }
    return STATUS_OK;
}

static void angle_error_row(const struct settings *s, struct table *table, int position)
{
    table_int(table, position);
    for (int type = 0; type < N_ANGLE_TYPES; type++) {
        table_float(table, largest_cosine_error(s->head_dim, s->theta, type, position));
    }
}

/* Odd positions: even ones would flatter bfloat16, which has more of them. The case numbers 257, 4095, 32767 and 131071
 * (2^k - 1 and 2^8 + 1) are among them. */
enum status data_angle_error(void *context, struct table *table, struct error *error)
{
    (void)error;
    const struct settings *s = context;
    for (int power = 1; power <= 17; power++) {
        angle_error_row(s, table, (1 << power) - 1);
        if (power == 8) {
            angle_error_row(s, table, 257);
        }
        if (power > 1 && power < 17) {
            angle_error_row(s, table, (1 << power) + (1 << (power - 1)) - 1);
        }
    }
    return STATUS_OK;
}
