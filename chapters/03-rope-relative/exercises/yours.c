/* make chapter3-yours && ./chapter3-yours: the walk-through's checks with your functions beside the project's.
 *
 * Each check is written once, for a struct of functions; it is run with yours and with the project's. */
#include <math.h>
#include <string.h>

#include "../../yours.h"
#include "common/rope.h"
#include "exercises.h"
#include "yours_functions.h"

enum { COLUMNS = 3 };

/* ---- What the checks share: Qwen2.5's frequencies, a query and a key without randomness ---- */

static void qwen_frequencies(double *frequency)
{
    rope_inv_freq(frequency, HEAD_DIM, 1e6);
}

static void query_and_key(double *q, double *k)
{
    for (int i = 0; i < HEAD_DIM; i++) {
        q[i] = sin(1.7 * i + 1);
        k[i] = cos(2.3 * i + 2);
    }
}

static void narrow(float *out, const double *x)
{
    for (int i = 0; i < HEAD_DIM; i++) {
        out[i] = (float)x[i];
    }
}

static double dot_f32(const float *a, const float *b)
{
    double sum = 0;
    for (int i = 0; i < HEAD_DIM; i++) {
        sum += (double)a[i] * (double)b[i];
    }
    return sum;
}

/* ---- The checks ---- */

static double frequency_of(const struct functions *f, int pair)
{
    double frequency[PAIRS];
    f->inverse_frequencies(frequency, HEAD_DIM, 1e6);
    return frequency[pair];
}

static double frequency_1(const void *functions)
{
    return frequency_of(functions, 1);
}

static double turn_of_31(const void *functions)
{
    return 2 * acos(-1.0) / frequency_of(functions, 31);
}

static double cosine_of(const struct functions *f, int pair, int position)
{
    double frequency[PAIRS];
    float cosine[PAIRS], sine[PAIRS];
    qwen_frequencies(frequency);
    f->cos_sin_row(cosine, sine, frequency, PAIRS, position);
    return (double)cosine[pair];
}

static double cosine_near(const void *functions)
{
    return cosine_of(functions, 0, 44);
}

static double cosine_far(const void *functions)
{
    return cosine_of(functions, 1, 131071);
}

/* One element of x cos + rotate_half(x) sin at position 100. */
static double written_for_tensors(const struct functions *f, int element)
{
    double frequency[PAIRS], cosine[PAIRS], sine[PAIRS], q[HEAD_DIM], k[HEAD_DIM], rotated[HEAD_DIM];
    qwen_frequencies(frequency);
    query_and_key(q, k);
    rope_angles(cosine, sine, frequency, PAIRS, 100);
    memcpy(rotated, q, sizeof rotated);
    f->rotate_half(rotated, HEAD_DIM);
    return q[element] * cosine[element % PAIRS] + rotated[element] * sine[element % PAIRS];
}

static double tensor_first(const void *functions)
{
    return written_for_tensors(functions, 0);
}

static double tensor_second(const void *functions)
{
    return written_for_tensors(functions, PAIRS + 1);
}

static double score_in_halves(const struct functions *f, int m, int n)
{
    double frequency[PAIRS], q[HEAD_DIM], k[HEAD_DIM];
    float x[2][HEAD_DIM], cosine[PAIRS], sine[PAIRS];
    qwen_frequencies(frequency);
    query_and_key(q, k);
    narrow(x[0], q);
    narrow(x[1], k);
    for (int side = 0; side < 2; side++) {
        project_functions.cos_sin_row(cosine, sine, frequency, PAIRS, side == 0 ? m : n);
        f->turn_half(x[side], 1, HEAD_DIM, cosine, sine);
    }
    return dot_f32(x[0], x[1]);
}

static double halves_near(const void *functions)
{
    return score_in_halves(functions, 3, 0);
}

static double halves_far(const void *functions)
{
    return score_in_halves(functions, 1003, 1000);
}

static double score_interleaved(const struct functions *f, int m, int n)
{
    double frequency[PAIRS], q[HEAD_DIM], k[HEAD_DIM];
    float x[2 * HEAD_DIM];
    qwen_frequencies(frequency);
    query_and_key(q, k);
    narrow(x, q);
    narrow(x + HEAD_DIM, k);
    f->turn_interleaved(x, (int[]){m, n}, frequency, 2, HEAD_DIM);
    return dot_f32(x, x + HEAD_DIM);
}

static double interleaved_near(const void *functions)
{
    return score_interleaved(functions, 3, 0);
}

static double interleaved_far(const void *functions)
{
    return score_interleaved(functions, 1003, 1000);
}

/* Row r of the projection is trained for the interleaved layout; converted, its output is turned in halves. */
static double converted_score(const struct functions *f, float bias_scale)
{
    static const float input[COLUMNS] = {1, -0.5f, 0.25f};
    float out[2][HEAD_DIM];
    for (int side = 0; side < 2; side++) {
        float weight[HEAD_DIM * COLUMNS], bias[HEAD_DIM], new_weight[HEAD_DIM * COLUMNS], new_bias[HEAD_DIM];
        for (int i = 0; i < HEAD_DIM; i++) {
            bias[i] = bias_scale * (float)sin(0.9 * i + side);
            for (int c = 0; c < COLUMNS; c++) {
                weight[i * COLUMNS + c] = (float)cos(1.1 * i + 2.0 * c + side);
            }
        }
        f->permute_to_half(new_weight, new_bias, weight, bias, 1, HEAD_DIM, COLUMNS);
        for (int i = 0; i < HEAD_DIM; i++) {
            out[side][i] = new_bias[i];
            for (int c = 0; c < COLUMNS; c++) {
                out[side][i] += new_weight[i * COLUMNS + c] * input[c];
            }
        }
        double frequency[PAIRS];
        float cosine[PAIRS], sine[PAIRS];
        qwen_frequencies(frequency);
        project_functions.cos_sin_row(cosine, sine, frequency, PAIRS, side == 0 ? 103 : 100);
        project_functions.turn_half(out[side], 1, HEAD_DIM, cosine, sine);
    }
    return dot_f32(out[0], out[1]);
}

static double converted_weights(const void *functions)
{
    return converted_score(functions, 0);
}

static double converted_with_bias(const void *functions)
{
    return converted_score(functions, 1);
}

static double relative_score(const struct functions *f, int m, int n)
{
    double frequency[PAIRS], q[HEAD_DIM], k[HEAD_DIM];
    qwen_frequencies(frequency);
    query_and_key(q, k);
    return f->score_at(q, k, HEAD_DIM, frequency, m, n);
}

static double relative_near(const void *functions)
{
    return relative_score(functions, 3, 0);
}

static double relative_far(const void *functions)
{
    return relative_score(functions, 1000003, 1000000);
}

static double relative_ahead(const void *functions)
{
    return relative_score(functions, 0, 3);
}

/* Row 0 holds two slots of padding and three tokens: the score of its last token with its first, at these positions. */
static double padded_score(const void *functions)
{
    const struct functions *f = functions;
    int position[10];
    double frequency[PAIRS], q[HEAD_DIM], k[HEAD_DIM];
    f->token_positions(position, (int[]){2, 0}, 2, 0, 5);
    qwen_frequencies(frequency);
    query_and_key(q, k);
    return project_functions.score_at(q, k, HEAD_DIM, frequency, position[4], position[2]);
}

/* A token decoded after that prefill, with the first token of its row, at position 0. */
static double decoded_score(const void *functions)
{
    const struct functions *f = functions;
    int position[2];
    double frequency[PAIRS], q[HEAD_DIM], k[HEAD_DIM];
    f->token_positions(position, (int[]){2, 0}, 2, 5, 1);
    qwen_frequencies(frequency);
    query_and_key(q, k);
    return project_functions.score_at(q, k, HEAD_DIM, frequency, position[0], 0);
}

/* The third of three packed sequences: its last token with the first token of a prompt run alone. */
static double packed_score(const void *functions)
{
    const struct functions *f = functions;
    int position[9];
    double frequency[PAIRS], q[HEAD_DIM], k[HEAD_DIM];
    f->packed_positions(position, (int[]){0, 3, 5, 9}, 3);
    qwen_frequencies(frequency);
    query_and_key(q, k);
    return project_functions.score_at(q, k, HEAD_DIM, frequency, position[8], 0);
}

/* Four decoding steps with the same query and key; the last token's score with token j. */
static double decoded_with_cache(const struct functions *f, int j)
{
    double frequency[PAIRS], q[HEAD_DIM], k[HEAD_DIM], cache[4 * HEAD_DIM] = {0}, score[4] = {0};
    qwen_frequencies(frequency);
    query_and_key(q, k);
    for (int n_cached = 0; n_cached < 4; n_cached++) {
        f->score_new_token(score, cache, q, k, n_cached, HEAD_DIM, frequency);
    }
    return score[j];
}

static double cached_self(const void *functions)
{
    return decoded_with_cache(functions, 3);
}

static double cached_first(const void *functions)
{
    return decoded_with_cache(functions, 0);
}

int main(int argc, char **argv)
{
    static const struct yours_check checks[] = {
        {NULL, "One angle per pair (step 1): head_dim 64, theta 1000000", NULL, 0},
        {"3.1", "radians a token, pair 1", frequency_1, 1e-6},
        {"3.1", "tokens a turn, pair 31", turn_of_31, 10},
        {NULL, "The table (steps 2, 3, 11)", NULL, 0},
        {"3.2", "cosine, pair 0 at 44: nearly 1", cosine_near, 1e-6},
        {"3.2", "cosine, pair 1 at 131071", cosine_far, 1e-6},
        {NULL, "Two ways to write the same rotation (step 4): x cos + rotate_half(x) sin", NULL, 0},
        {"3.3", "element 0 at position 100", tensor_first, 1e-6},
        {"3.3", "element 33", tensor_second, 1e-6},
        {NULL, "Two layouts (step 5): a score of tokens three apart, near and far", NULL, 0},
        {"3.4", "in halves, at 3 and 0", halves_near, 1e-3},
        {"3.4", "in halves, at 1003 and 1000", halves_far, 1e-3},
        {"3.5", "interleaved, at 3 and 0", interleaved_near, 1e-3},
        {"3.5", "interleaved, at 1003 and 1000", interleaved_far, 1e-3},
        {"3.6", "weights converted, no bias", converted_weights, 1e-3},
        {"3.6", "weights and biases converted", converted_with_bias, 1e-3},
        {NULL, "Only the distance matters (steps 6, 7)", NULL, 0},
        {"3.9", "q at 3, k at 0", relative_near, 1e-6},
        {"3.9", "q at 1000003, k at 1000000", relative_far, 1e-6},
        {"3.9", "q at 0, k at 3: another score", relative_ahead, 1e-6},
        {NULL, "One function for every shape (step 12): scores at your positions", NULL, 0},
        {"3.7", "a padded row, last token and first", padded_score, 1e-6},
        {"3.7", "the token decoded after it", decoded_score, 1e-6},
        {"3.8", "a packed sequence, last and first", packed_score, 1e-6},
        {NULL, "Decoding with a cache (step 3)", NULL, 0},
        {"3.12", "the fourth token with itself", cached_self, 1e-6},
        {"3.12", "the fourth token with the first", cached_first, 1e-6},
        {NULL, NULL, NULL, 0},
    };
    const struct functions yours = {
        inverse_frequencies, cos_sin_row,     rotate_half,      turn_half, turn_interleaved,
        permute_to_half,     token_positions, packed_positions, score_at,  score_new_token};
    return yours_run(argc, argv, "Chapter 3 with your functions", checks, &yours, &project_functions);
}
